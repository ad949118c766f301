// SPDX-License-Identifier: MIT
// Operators that only move entries: transposes, reshapes, slices, concatenations, heads. Part of the trusted base.
#pragma once

#include "expr/operator.hpp"

namespace foldproof::expr::ops {

inline Dim product(std::span<const Dim> sizes) {
  Dim p = 1;
  for (const Dim& d : sizes) p = p * d;
  return p;
}

/// a.T reverses the axes
struct Transpose {
  static constexpr OperatorInfo info{.name = ".T", .tensors_min = 1, .tensors_max = 1, .rule = "a.T[i, j] = a[j, i]"};
  static Shape shape(ShapeRules&, Call& call) { return Shape(call.operands[0].rbegin(), call.operands[0].rend()); }
  template <class A>
  static auto entry(const Site<A>& s) {
    return s.operand(0, {s.at().rbegin(), s.at().rend()});
  }
};

/// transpose(a, 1, 0, 2): result axis r is operand axis sizes[r]; without sizes as .T
struct Permute {
  static constexpr OperatorInfo info{.name = "transpose", .tensors_min = 1, .tensors_max = 1, .sizes_max = any_number, .rule = "transpose(a, 1, 0, 2)[i, j, k] = a[j, i, k]"};
  static std::vector<std::size_t> axes(const Call& call) {
    const std::size_t rank = call.operands[0].size();
    std::vector<std::size_t> result;
    for (std::size_t r = 0; r < rank; ++r) {
      const auto none = static_cast<std::int64_t>(rank), written = call.sizes.empty() ? none - 1 - static_cast<std::int64_t>(r) : r < call.sizes.size() ? call.sizes[r].constant().value_or(none) : none;
      const auto axis = written < 0 ? written + none : written;  // counted from the last one
      result.push_back(axis < 0 || axis >= none ? rank : static_cast<std::size_t>(axis));
    }
    return result;
  }
  static Shape shape(ShapeRules& rules, Call& call) {
    auto order = axes(call);
    auto sorted = order;
    std::sort(sorted.begin(), sorted.end());
    for (std::size_t r = 0; r < sorted.size(); ++r) {
      if (sorted[r] != r || (!call.sizes.empty() && call.sizes.size() != sorted.size())) {
        rules.fail("transpose needs each axis number once", "a tensor with 3 axes is reordered by transpose(x, 1, 0, 2)");
      }
    }
    Shape result;
    for (const std::size_t axis : order) result.push_back(call.operands[0][axis]);
    return result;
  }
  template <class A>
  static auto entry(const Site<A>& s) {
    const auto order = axes(s.call());
    Indices<typename A::Index> indices(order.size(), typename A::Index(0));
    for (std::size_t r = 0; r < order.size(); ++r) indices[order[r]] = s.at(r);
    return s.operand(0, indices);
  }
};

/// The entry of operand k at row-major position `place`.
template <class A>
auto entry_at_place(const Site<A>& s, int k, typename A::Index place) {
  const std::size_t rank = s.rank(k);
  Indices<typename A::Index> indices(rank, typename A::Index(0));
  for (std::size_t r = rank; r-- > 0;) {
    if (r == 0) {
      indices[0] = place;
    } else {
      indices[r] = s.remainder(place, s.size(k, r));
      place = s.quotient(place, s.size(k, r));
    }
  }
  return s.operand(k, indices);
}

/// reshape(a, n, h, k), row-major; -1 stands for what the other sizes leave
struct Reshape {
  static constexpr OperatorInfo info{.name = "reshape", .tensors_min = 1, .tensors_max = 1, .sizes_min = 1, .sizes_max = any_number, .rule = "entries in row-major order, new axes"};
  static Shape shape(ShapeRules& rules, Call& call) {
    const int first[] = {0};
    if (const auto open = std::find(call.sizes.begin(), call.sizes.end(), Dim(-1)); open != call.sizes.end()) {
      *open = Dim(1);
      if (std::find(call.sizes.begin(), call.sizes.end(), Dim(-1)) != call.sizes.end()) rules.fail("two sizes of reshape are -1", "write all but one of them");
      const auto rest = rules.resolve(product(call.operands[0])).divide(rules.resolve(product(call.sizes)));
      if (!rest) rules.fail("the size -1 of reshape is not known", "write it, or declare the tensor with that size as a factor, such as X: [n, h*k] for reshape(X, n, h, -1)");
      *open = *rest;
    }
    rules.require_equal(product(call.operands[0]), product(call.sizes), first, "reshape must keep the number of entries");
    return call.sizes;
  }
  template <class A>
  static auto entry(const Site<A>& s) {
    typename A::Index place(0);
    for (std::size_t r = 0; r < s.at().size(); ++r) place = place * s.size_operand(r) + s.at(r);
    return entry_at_place(s, 0, place);
  }
};

/// a[subscripts]: sizes hold for each axis (0, start, stop) for a slice or (1, index, 0) for an index
struct Subscripts {
  static constexpr OperatorInfo info{.name = "[]", .tensors_min = 1, .tensors_max = 1, .sizes_max = any_number, .drops = true, .rule = "a[s:t, j][i] = a[s + i, j]"};
  static Shape shape(ShapeRules&, Call& call) {
    Shape result;
    for (std::size_t axis = 0; axis < call.operands[0].size(); ++axis) {
      if (call.sizes[3 * axis].is_zero()) result.push_back(call.sizes[3 * axis + 2] - call.sizes[3 * axis + 1]);
    }
    return result;
  }
  template <class A>
  static auto entry(const Site<A>& s) {
    Indices<typename A::Index> indices;
    std::size_t next = 0;
    for (std::size_t axis = 0; axis < s.rank(0); ++axis) {
      const auto start = s.index(s.call().sizes[3 * axis + 1]);
      indices.push_back(s.call().sizes[3 * axis].is_zero() ? start + s.at(next++) : start);
    }
    return s.operand(0, indices);
  }
};

/// a[p::k]: sizes hold (step, place) for each axis; the place is smaller than the step, and both are numbers where the step does not divide the size
struct Stride {
  static constexpr OperatorInfo info{.name = "[::]", .tensors_min = 1, .tensors_max = 1, .sizes_max = any_number, .drops = true, .rule = "a[p::k][i] = a[k i + p]"};
  static Shape shape(ShapeRules&, Call& call) {
    Shape result;
    for (std::size_t axis = 0; axis < call.operands[0].size(); ++axis) {
      const Dim &size = call.operands[0][axis], &step = call.sizes[2 * axis], &place = call.sizes[2 * axis + 1];
      const auto parts = size.divide(step);
      result.push_back(parts ? *parts : expr::floor_divide(size - place + step - Dim(1), step));  // 1 for each k that is begun
    }
    return result;
  }
  template <class A>
  static auto entry(const Site<A>& s) {
    Indices<typename A::Index> indices;
    for (std::size_t axis = 0; axis < s.rank(0); ++axis) indices.push_back(s.at(axis) * s.index(s.call().sizes[2 * axis]) + s.index(s.call().sizes[2 * axis + 1]));
    return s.operand(0, indices);
  }
};

/// concat(A, B, ..., axis=-1); NumPy's concat([A, B], axis=1) arrives here as well
struct Concat {
  static constexpr OperatorInfo info{.name = "concat", .tensors_min = 1, .tensors_max = any_number, .axis = -1, .rule = "entries of A, then of B, along the axis (the last one unless given)"};
  static Shape shape(ShapeRules& rules, Call& call) {
    Shape result = call.operands[0];
    for (std::size_t k = 1; k < call.operands.size(); ++k) {
      rules.require_rank(call.operands[k], static_cast<int>(k), result.size());
      for (std::size_t axis = 0; axis < result.size(); ++axis) {
        const int pair[] = {0, static_cast<int>(k)};
        if (axis == static_cast<std::size_t>(call.axis)) {
          result[axis] = result[axis] + call.operands[k][axis];
        } else {
          rules.require_equal(result[axis], call.operands[k][axis], pair, "joined tensors must agree on the other axes");
        }
      }
    }
    return result;
  }
  template <class A>
  static auto entry(const Site<A>& s) {
    return part(s, 0, s.at(s.axis()));
  }

 private:
  template <class A>
  static typename A::Value part(const Site<A>& s, std::size_t k, const typename A::Index& i) {
    const int operand = static_cast<int>(k);
    if (k + 1 == s.call().operands.size()) return s.along(operand, s.axis(), i);
    const auto size = s.size(operand, s.axis());
    return s.if_less(
        i, size, [&] { return s.along(operand, s.axis(), i); }, [&] { return part(s, k + 1, i - size); });
  }
};

/// vstack(A, B, ...) joins rows
struct Vstack {
  static constexpr OperatorInfo info{.name = "vstack", .tensors_min = 1, .tensors_max = any_number, .rule = "concat along the first axis"};
  static Shape shape(ShapeRules& rules, Call& call) {
    if (call.operands[0].empty()) rules.fail("numbers have no axis to be joined along", "write [[a], [b]] for a column of numbers");
    call.axis = 0;
    return Concat::shape(rules, call);
  }
  template <class A>
  static auto entry(const Site<A>& s) {
    return Concat::entry(s);
  }
};

/// stack(A, B, ...) makes a new first axis
struct Stack {
  static constexpr OperatorInfo info{.name = "stack", .tensors_min = 1, .tensors_max = any_number, .rule = "stack(A, B)[0] = A, stack(A, B)[1] = B"};
  static Shape shape(ShapeRules& rules, Call& call) {
    for (std::size_t k = 1; k < call.operands.size(); ++k) {
      rules.require_rank(call.operands[k], static_cast<int>(k), call.operands[0].size());
      const int pair[] = {0, static_cast<int>(k)};
      for (std::size_t axis = 0; axis < call.operands[0].size(); ++axis) {
        rules.require_equal(call.operands[0][axis], call.operands[k][axis], pair, "stacked tensors must have one shape");
      }
    }
    Shape result = call.operands[0];
    result.insert(result.begin(), Dim(static_cast<std::int64_t>(call.operands.size())));
    return result;
  }
  template <class A>
  static auto entry(const Site<A>& s) {
    return part(s, 0);
  }

 private:
  template <class A>
  static typename A::Value part(const Site<A>& s, std::size_t k) {
    const auto here = [&] { return s.operand(static_cast<int>(k), {s.at().begin() + 1, s.at().end()}); };
    if (k + 1 == s.call().operands.size()) return here();
    return s.if_less(s.at(0), typename A::Index(static_cast<std::int64_t>(k + 1)), here, [&] { return part(s, k + 1); });
  }
};

/// concat(f(i) for i in range(h)): the operand is the stack [h, ..., k], the result [..., h*k]
struct JoinLast {
  static constexpr OperatorInfo info{.name = "concat over heads", .tensors_min = 1, .tensors_max = 1, .rule = "concat(A[i] for i in range(h))[r, i*k + c] = A[i][r, c]"};
  static Shape shape(ShapeRules& rules, Call& call) {
    const Shape& a = call.operands[0];
    if (a.size() < 2) rules.fail("concat needs at least one axis to join", "use stack for scalars");
    Shape result(a.begin() + 1, a.end());
    result.back() = a[0] * a.back();
    return result;
  }
  template <class A>
  static auto entry(const Site<A>& s) {
    const auto width = s.size(0, s.rank(0) - 1);
    Indices<typename A::Index> indices{s.quotient(s.at().back(), width)};
    indices.append(s.at().begin(), s.at().end() - 1);
    indices.push_back(s.remainder(s.at().back(), width));
    return s.operand(0, indices);
  }
};

/// vstack(f(i) for i in range(h)): the operand is the stack [h, n, ...], the result [h*n, ...]
struct JoinFirst {
  static constexpr OperatorInfo info{.name = "vstack over heads", .tensors_min = 1, .tensors_max = 1, .rule = "vstack(A[i] for i in range(h))[i*n + r, c] = A[i][r, c]"};
  static Shape shape(ShapeRules& rules, Call& call) {
    const Shape& a = call.operands[0];
    if (a.size() < 2) rules.fail("vstack needs at least one axis to join", "use stack for scalars");
    Shape result(a.begin() + 1, a.end());
    result.front() = a[0] * a[1];
    return result;
  }
  template <class A>
  static auto entry(const Site<A>& s) {
    const auto height = s.size(0, 1);
    Indices<typename A::Index> indices{s.quotient(s.at(0), height), s.remainder(s.at(0), height)};
    indices.append(s.at().begin() + 1, s.at().end());
    return s.operand(0, indices);
  }
};

/// sum(f(i) for i in range(h)): the operand is the stack [h, ...]
struct SumHeads {
  static constexpr OperatorInfo info{.name = "sum over heads", .tensors_min = 1, .tensors_max = 1, .rule = "sum(A[i] for i in range(h)) = A[0] + ... + A[h-1]"};
  static Shape shape(ShapeRules&, Call& call) { return Shape(call.operands[0].begin() + 1, call.operands[0].end()); }
  template <class A>
  static auto entry(const Site<A>& s) {
    return s.sum(s.size(0, 0), [&](const typename A::Index& i) {
      Indices<typename A::Index> indices{i};
      indices.append(s.at().begin(), s.at().end());
      return s.operand(0, indices);
    });
  }
};

/// blockdiag(A, B, ...)
struct BlockDiagonal {
  static constexpr OperatorInfo info{.name = "blockdiag", .tensors_min = 1, .tensors_max = any_number, .rule = "the blocks on the diagonal, zeros elsewhere"};
  static Shape shape(ShapeRules& rules, Call& call) {
    Shape result{0, 0};
    for (std::size_t k = 0; k < call.operands.size(); ++k) {
      rules.require_rank(call.operands[k], static_cast<int>(k), 2);
      result[0] = result[0] + call.operands[k][0];
      result[1] = result[1] + call.operands[k][1];
    }
    return result;
  }
  template <class A>
  static auto entry(const Site<A>& s) {
    return part(s, 0, s.at(0), s.at(1));
  }

 private:
  template <class A>
  static typename A::Value part(const Site<A>& s, std::size_t k, const typename A::Index& i, const typename A::Index& j) {
    const int operand = static_cast<int>(k);
    const auto here = [&] { return s.operand(operand, {i, j}); };
    if (k + 1 == s.call().operands.size()) return here();
    const auto zero = [&] { return s.number(Rational(0)); };
    const auto rows = s.size(operand, 0);
    const auto columns = s.size(operand, 1);
    return s.if_less(
        i, rows, [&] { return s.if_less(j, columns, here, zero); },
        [&] { return s.if_less(j, columns, zero, [&] { return part(s, k + 1, i - rows, j - columns); }); });
  }
};

/// blockdiag(f(i) for i in range(h)): the operand is the stack [h, a, b], the result [h*a, h*b]
struct BlockDiagonalHeads {
  static constexpr OperatorInfo info{.name = "blockdiag over heads", .tensors_min = 1, .tensors_max = 1, .rule = "blockdiag(A[i] for i in range(h))[i*a + r, j*b + c] = A[i][r, c] if i == j else 0"};
  static Shape shape(ShapeRules& rules, Call& call) {
    const Shape& a = call.operands[0];
    if (a.size() != 3) rules.fail("blockdiag needs matrices as blocks", "write blockdiag(A[i] for i in range(h)) with matrices A[i]");
    return {a[0] * a[1], a[0] * a[2]};
  }
  template <class A>
  static auto entry(const Site<A>& s) {
    const auto head = s.quotient(s.at(0), s.size(0, 1));
    const auto same = s.equal(head, s.quotient(s.at(1), s.size(0, 2)));
    const auto block = s.operand(0, {head, s.remainder(s.at(0), s.size(0, 1)), s.remainder(s.at(1), s.size(0, 2))});
    return same * block;
  }
};

/// flip(a): the entries of every axis in the other order; flip(a, axis=0) of one axis (see FlipAxis)
struct Flip {
  static constexpr OperatorInfo info{.name = "flip", .tensors_min = 1, .tensors_max = 1, .rule = "flip(a)[i, j] = a[n-1-i, d-1-j]; with axis= along that axis only"};
  static Shape shape(ShapeRules&, Call& call) { return call.operands[0]; }
  template <class A>
  static auto entry(const Site<A>& s) {
    using Index = typename A::Index;
    Indices<Index> indices;
    for (std::size_t axis = 0; axis < s.rank(0); ++axis) indices.push_back(s.size(0, axis) - Index(1) - s.at(axis));
    return s.operand(0, indices);
  }
};
struct FlipAxis {
  static constexpr OperatorInfo info{.name = "flip along axis", .tensors_min = 1, .tensors_max = 1, .axis = 0, .rule = "flip(a, axis=0)[i, j] = a[n-1-i, j]"};
  static Shape shape(ShapeRules&, Call& call) { return call.operands[0]; }
  template <class A>
  static auto entry(const Site<A>& s) {
    using Index = typename A::Index;
    return s.along(0, s.axis(), s.size(0, s.axis()) - Index(1) - s.at(s.axis()));
  }
};

/// vec(A): the columns of A below one another
struct Vec {
  static constexpr OperatorInfo info{.name = "vec", .tensors_min = 1, .tensors_max = 1, .rule = "vec(A)[j*n + i, 0] = A[i, j]"};
  static Shape shape(ShapeRules& rules, Call& call) {
    rules.require_rank(call.operands[0], 0, 2);
    return {call.operands[0][1] * call.operands[0][0], 1};
  }
  template <class A>
  static auto entry(const Site<A>& s) {
    return s.operand(0, {s.remainder(s.at(0), s.size(0, 0)), s.quotient(s.at(0), s.size(0, 0))});
  }
};

}  // namespace foldproof::expr::ops
