// SPDX-License-Identifier: MIT
// Named matrices, masks, positions, and the linear algebra built from them. Part of the trusted base.
#pragma once

#include "expr/operator.hpp"

namespace foldproof::expr::ops {

/// Shape of a generator given one size (square) or two.
inline Shape square_or_given(const Call& call) { return {call.sizes[0], call.sizes.size() > 1 ? call.sizes[1] : call.sizes[0]}; }

struct Eye {
  static constexpr OperatorInfo info{.name = "eye", .tensors_min = 0, .tensors_max = 0, .sizes_min = 1, .sizes_max = 2, .rule = "eye(d)[i, j] = 1 if i == j else 0"};
  static Shape shape(ShapeRules&, Call& call) { return square_or_given(call); }
  template <class A>
  static auto entry(const Site<A>& s) {
    return s.equal(s.at(0), s.at(1));
  }
};
struct Ones {
  static constexpr OperatorInfo info{.name = "ones", .tensors_min = 0, .tensors_max = 0, .sizes_min = 0, .sizes_max = any_number, .rule = "ones(n, m)[i, j] = 1"};
  static Shape shape(ShapeRules&, Call& call) { return call.sizes; }
  template <class A>
  static auto entry(const Site<A>& s) {
    return s.number(1);
  }
};
struct Zeros {
  static constexpr OperatorInfo info{.name = "zeros", .tensors_min = 0, .tensors_max = 0, .sizes_min = 0, .sizes_max = any_number, .rule = "zeros(n, m)[i, j] = 0"};
  static Shape shape(ShapeRules&, Call& call) { return call.sizes; }
  template <class A>
  static auto entry(const Site<A>& s) {
    return s.number(0);
  }
};
/// tril(n) is a 0/1 mask; tril(A) keeps the lower triangle of A, tril(A, k) also k diagonals above it, as in NumPy
struct Tril {
  static constexpr OperatorInfo info{.name = "tril", .tensors_min = 0, .tensors_max = 1, .sizes_min = 1, .sizes_max = 2, .drops = true, .rule = "tril(n)[i, j] = 1 if j <= i else 0; tril(A)[i, j] = A[i, j] if j <= i else 0; tril(A, k) keeps j <= i + k"};
  static Shape shape(ShapeRules& rules, Call& call) {
    if (call.operands.empty()) return square_or_given(call);
    if (call.sizes.size() > 1) rules.fail("of a matrix there is one diagonal to name", "write tril(A, k), with k = 0 for the main diagonal");
    if (call.operands[0].size() < 2) rules.require_rank(call.operands[0], 0, 2);
    return call.operands[0];
  }
  /// The row of a matrix, the last two axes, moved down to where the diagonal that the call names is the main one.
  template <class A>
  static typename A::Index row(const Site<A>& s) {
    const auto at = s.at(s.at().size() - 2);
    return s.call().operands.empty() || s.call().sizes.empty() ? at : at + s.size_operand(0);
  }
  template <class A>
  static auto entry(const Site<A>& s) {
    const auto mask = s.at_least(row(s), s.at().back());
    return s.call().operands.empty() ? mask : mask * s.broadcast(0);
  }
};
struct Triu {
  static constexpr OperatorInfo info{.name = "triu", .tensors_min = 0, .tensors_max = 1, .sizes_min = 1, .sizes_max = 2, .drops = true, .rule = "triu(n)[i, j] = 1 if j >= i else 0; triu(A)[i, j] = A[i, j] if j >= i else 0; triu(A, k) keeps j >= i + k"};
  static Shape shape(ShapeRules& rules, Call& call) { return Tril::shape(rules, call); }
  template <class A>
  static auto entry(const Site<A>& s) {
    const auto mask = s.at_least(s.at().back(), Tril::row(s));
    return s.call().operands.empty() ? mask : mask * s.broadcast(0);
  }
};
/// causal(n) is added to scores: 0 where key j <= query i, minus infinity elsewhere
struct Causal {
  static constexpr OperatorInfo info{.name = "causal", .tensors_min = 0, .tensors_max = 0, .sizes_min = 1, .sizes_max = 2, .rule = "causal(n)[i, j] = 0 if j <= i else -inf, to be added to scores"};
  static Shape shape(ShapeRules&, Call& call) { return square_or_given(call); }
  template <class A>
  static auto entry(const Site<A>& s) {
    return s.apply(Function::negative_infinity_unless, s.at_least(s.at(0), s.at(1)));
  }
};
/// neginf(M) turns a 0/1 mask (1 = allowed) into what is added to scores
struct NegInf {
  static constexpr OperatorInfo info{.name = "neginf", .tensors_min = 1, .tensors_max = 1, .rule = "neginf(M)[i, j] = 0 if M[i, j] == 1 else -inf"};
  static Shape shape(ShapeRules&, Call& call) { return call.operands[0]; }
  template <class A>
  static auto entry(const Site<A>& s) {
    return s.apply(Function::negative_infinity_unless, s.broadcast(0));
  }
};
struct Positions {
  static constexpr OperatorInfo info{.name = "positions", .tensors_min = 0, .tensors_max = 0, .sizes_min = 1, .sizes_max = 1, .rule = "positions(n)[0, i] = i, a row"};
  static Shape shape(ShapeRules&, Call& call) { return {1, call.sizes[0]}; }
  template <class A>
  static auto entry(const Site<A>& s) {
    return s.of(s.at(1));
  }
};
struct Arange {
  static constexpr OperatorInfo info{.name = "arange", .tensors_min = 0, .tensors_max = 0, .sizes_min = 1, .sizes_max = 1, .rule = "arange(n)[i] = i"};
  static Shape shape(ShapeRules&, Call& call) { return {call.sizes[0]}; }
  template <class A>
  static auto entry(const Site<A>& s) {
    return s.of(s.at(0));
  }
};
struct Offsets {
  static constexpr OperatorInfo info{.name = "offsets", .tensors_min = 0, .tensors_max = 0, .sizes_min = 1, .sizes_max = 2, .rule = "offsets(n, m)[i, j] = j - i"};
  static Shape shape(ShapeRules&, Call& call) { return square_or_given(call); }
  template <class A>
  static auto entry(const Site<A>& s) {
    const auto column = s.of(s.at(1));
    const auto row = s.of(s.at(0));
    return column - row;
  }
};

/// diag(v) of a vector, row or column is a matrix; diag(A) of a square matrix is its diagonal, as in NumPy
struct Diag {
  static constexpr OperatorInfo info{.name = "diag", .tensors_min = 1, .tensors_max = 1, .drops = true, .rule = "diag(v)[i, j] = v[i] if i == j else 0; of a square matrix its diagonal"};
  static Shape shape(ShapeRules& rules, Call& call) {
    const Shape& a = call.operands[0];
    if (a.size() == 1) return {a[0], a[0]};
    rules.require_rank(a, 0, 2);
    const Dim size = rules.resolve(a[0]).is_one() ? a[1] : a[0];
    if (rules.resolve(a[0]).is_one() || rules.resolve(a[1]).is_one()) return {size, size};
    const int first[] = {0};
    rules.require_equal(a[0], a[1], first, "diag takes a vector [d], a row [1, d], a column [d, 1] or a square matrix");
    return {a[0]};
  }
  template <class A>
  static auto entry(const Site<A>& s) {
    using Index = typename A::Index;
    const Shape& a = s.call().operands[0];
    if (s.at().size() == 1) return s.operand(0, {s.at(0), s.at(0)});  // the shape rule saw a square matrix
    const bool row = a.size() == 2 && a[0].is_one();
    const bool column = a.size() == 2 && a[1].is_one();
    if (a.size() == 2 && !row && !column) return s.operand(0, {s.at(0), s.at(0)});
    const auto entry = s.operand(0, row ? Indices<Index>{Index(0), s.at(0)} : column ? Indices<Index>{s.at(0), Index(0)} : Indices<Index>{s.at(0)});
    return s.equal(s.at(0), s.at(1)) * entry;
  }
};
struct Diagonal {
  static constexpr OperatorInfo info{.name = "diagonal", .tensors_min = 1, .tensors_max = 1, .drops = true, .rule = "diagonal(a)[i] = a[i, i]"};
  static Shape shape(ShapeRules& rules, Call& call) {
    rules.require_rank(call.operands[0], 0, 2);
    const int first[] = {0};
    rules.require_equal(call.operands[0][0], call.operands[0][1], first, "only a square matrix has a diagonal here");
    return {call.operands[0][0]};
  }
  template <class A>
  static auto entry(const Site<A>& s) {
    return s.operand(0, {s.at(0), s.at(0)});
  }
};
struct Kron {
  static constexpr OperatorInfo info{.name = "kron", .tensors_min = 2, .tensors_max = 2, .rule = "kron(a, b)[i*p + r, j*q + c] = a[i, j] b[r, c]"};
  static Shape shape(ShapeRules& rules, Call& call) {
    rules.require_rank(call.operands[0], 0, 2);
    rules.require_rank(call.operands[1], 1, 2);
    return {call.operands[0][0] * call.operands[1][0], call.operands[0][1] * call.operands[1][1]};
  }
  template <class A>
  static auto entry(const Site<A>& s) {
    const auto p = s.size(1, 0);
    const auto q = s.size(1, 1);
    const auto block = s.operand(0, {s.quotient(s.at(0), p), s.quotient(s.at(1), q)});
    const auto inside = s.operand(1, {s.remainder(s.at(0), p), s.remainder(s.at(1), q)});
    return block * inside;
  }
};
/// Row-wise Kronecker product (face-splitting product).
struct RowKron {
  static constexpr OperatorInfo info{.name = "rowkron", .tensors_min = 2, .tensors_max = 2, .rule = "rowkron(a, b)[i, j*q + c] = a[i, j] b[i, c]"};
  static Shape shape(ShapeRules& rules, Call& call) {
    rules.require_rank(call.operands[0], 0, 2);
    rules.require_rank(call.operands[1], 1, 2);
    const int both[] = {0, 1};
    rules.require_equal(call.operands[0][0], call.operands[1][0], both, "both matrices need the same number of rows");
    return {call.operands[0][0], call.operands[0][1] * call.operands[1][1]};
  }
  template <class A>
  static auto entry(const Site<A>& s) {
    const auto q = s.size(1, 1);
    const auto block = s.operand(0, {s.at(0), s.quotient(s.at(1), q)});
    const auto inside = s.operand(1, {s.at(0), s.remainder(s.at(1), q)});
    return block * inside;
  }
};
/// einsum('nd,dk->nk', X, W): sizes hold the labels of the axes of each operand and of the result, as numbers, each list but the last closed by -1.
struct Einsum {
  static constexpr OperatorInfo info{.name = "einsum", .tensors_min = 1, .tensors_max = any_number, .sizes_max = any_number, .drops = true, .rule = "einsum('ij,jk->ik', a, b)[i, k] = sum_j a[i, j] b[j, k]"};
  /// Where a label first stands.
  struct Axis {
    int operand = -1;
    std::size_t axis = 0;
  };
  struct Labels {
    std::vector<std::vector<std::size_t>> operands;
    std::vector<std::size_t> result;
    std::vector<Axis> first;          ///< of each label
    std::vector<std::size_t> summed;  ///< labels that the result lacks, in order
  };
  static Labels labels(const Call& call) {
    Labels l;
    l.operands.resize(call.operands.size());
    std::size_t list = 0;
    for (const Dim& d : call.sizes) {
      const std::int64_t label = d.constant().value_or(-1);
      if (label < 0) {
        ++list;
        continue;
      }
      auto& place = list < l.operands.size() ? l.operands[list] : l.result;
      if (l.first.size() <= static_cast<std::size_t>(label)) l.first.resize(static_cast<std::size_t>(label) + 1);
      Axis& first = l.first[static_cast<std::size_t>(label)];
      if (first.operand < 0) first = {static_cast<int>(list), place.size()};
      place.push_back(static_cast<std::size_t>(label));
    }
    for (std::size_t label = 0; label < l.first.size(); ++label) {
      if (std::find(l.result.begin(), l.result.end(), label) == l.result.end()) l.summed.push_back(label);
    }
    return l;
  }
  static Shape shape(ShapeRules& rules, Call& call) {
    const Labels l = labels(call);
    const auto size = [&](std::size_t label) { return call.operands[static_cast<std::size_t>(l.first[label].operand)][l.first[label].axis]; };
    for (std::size_t k = 0; k < l.operands.size(); ++k) {
      rules.require_rank(call.operands[k], static_cast<int>(k), l.operands[k].size());
      for (std::size_t axis = 0; axis < l.operands[k].size(); ++axis) {
        const int both[] = {l.first[l.operands[k][axis]].operand, static_cast<int>(k)};
        rules.require_equal(size(l.operands[k][axis]), call.operands[k][axis], both, "axes with one label need one size");
      }
    }
    Shape result;
    for (const std::size_t label : l.result) result.push_back(size(label));
    return result;
  }
  template <class A>
  static typename A::Value over(const Site<A>& s, const Labels& l, Indices<typename A::Index>& at, std::size_t next) {
    if (next < l.summed.size()) {
      const std::size_t label = l.summed[next];
      return s.sum(s.size(l.first[label].operand, l.first[label].axis), [&](const typename A::Index& i) {
        at[label] = i;
        return over(s, l, at, next + 1);
      });
    }
    const auto factor = [&](std::size_t k) {
      Indices<typename A::Index> indices;
      for (const std::size_t label : l.operands[k]) indices.push_back(at[label]);
      return s.operand(static_cast<int>(k), indices);
    };
    auto product = factor(0);
    for (std::size_t k = 1; k < l.operands.size(); ++k) {
      const auto next_factor = factor(k);
      product = product * next_factor;
    }
    return product;
  }
  template <class A>
  static auto entry(const Site<A>& s) {
    const Labels l = labels(s.call());
    Indices<typename A::Index> at(l.first.size(), typename A::Index(0));
    for (std::size_t r = 0; r < l.result.size(); ++r) at[l.result[r]] = s.at(r);
    return over(s, l, at, 0);
  }
};
/// inv(A), on the set where A is invertible
struct Inverse {
  static constexpr OperatorInfo info{.name = "inv", .tensors_min = 1, .tensors_max = 1, .rule = "inv(A) @ A == eye(d) == A @ inv(A), where A is invertible"};
  static Shape shape(ShapeRules& rules, Call& call) {
    rules.require_rank(call.operands[0], 0, 2);
    const int first[] = {0};
    rules.require_equal(call.operands[0][0], call.operands[0][1], first, "only a square matrix has an inverse");
    return call.operands[0];
  }
  template <class A>
  static auto entry(const Site<A>& s) {
    return s.matrix_function(MatrixFunction::inverse, 0);
  }
};
struct Determinant {
  static constexpr OperatorInfo info{.name = "det", .tensors_min = 1, .tensors_max = 1, .rule = "the determinant of a square matrix"};
  static Shape shape(ShapeRules& rules, Call& call) {
    rules.require_rank(call.operands[0], 0, 2);
    const int first[] = {0};
    rules.require_equal(call.operands[0][0], call.operands[0][1], first, "only a square matrix has a determinant");
    return {};
  }
  template <class A>
  static auto entry(const Site<A>& s) {
    return s.matrix_function(MatrixFunction::determinant, 0);
  }
};
/// rank(A): the least p with A == L @ R for some L [n, p], R [p, m]. Its size operand, a name for the rank as a size, is added by shape inference.
struct Rank {
  static constexpr OperatorInfo info{.name = "rank", .tensors_min = 1, .tensors_max = 1, .sizes_max = 1, .rule = "the least p for which A == L @ R with p columns in L"};
  static Shape shape(ShapeRules& rules, Call& call) {
    rules.require_rank(call.operands[0], 0, 2);
    return {};
  }
  template <class A>
  static auto entry(const Site<A>& s) {
    return s.matrix_function(MatrixFunction::rank, 0);
  }
};
struct LeftFactor {
  static constexpr OperatorInfo info{.name = "lfac", .tensors_min = 1, .tensors_max = 1, .sizes_max = 1, .rule = "lfac(A, p) @ rfac(A, p) == A where rank(A) <= p: pivot columns of A, filled with zeros or cut to p; p is rank(A) unless given"};
  static Shape shape(ShapeRules& rules, Call& call) {
    rules.require_rank(call.operands[0], 0, 2);
    return {call.operands[0][0], call.sizes[0]};
  }
  template <class A>
  static auto entry(const Site<A>& s) {
    return s.matrix_function(MatrixFunction::left_factor, 0);
  }
};
struct RightFactor {
  static constexpr OperatorInfo info{.name = "rfac", .tensors_min = 1, .tensors_max = 1, .sizes_max = 1, .rule = "rows of the reduced row echelon form of A, filled with zeros or cut to p; see lfac"};
  static Shape shape(ShapeRules& rules, Call& call) {
    rules.require_rank(call.operands[0], 0, 2);
    return {call.sizes[0], call.operands[0][1]};
  }
  template <class A>
  static auto entry(const Site<A>& s) {
    return s.matrix_function(MatrixFunction::right_factor, 0);
  }
};
/// onehot(t, vocab): row i is the unit vector of token t[i]; t holds token numbers
struct OneHot {
  static constexpr OperatorInfo info{.name = "onehot", .tensors_min = 1, .tensors_max = 1, .sizes_min = 1, .sizes_max = 1, .rule = "onehot(t, vocab)[i, v] = 1 if t[i] == v else 0"};
  static Shape shape(ShapeRules& rules, Call& call) {
    rules.require_rank(call.operands[0], 0, 1);
    return {call.operands[0][0], call.sizes[0]};
  }
  template <class A>
  static auto entry(const Site<A>& s) {
    return s.token_is(0, {s.at(0)}, s.at(1), s.size_operand(0));
  }
};
/// take(E, t): the rows of E named by the token numbers t; along another axis with axis=. A single number t takes the axis away.
struct Take {
  static constexpr OperatorInfo info{.name = "take", .tensors_min = 2, .tensors_max = 2, .axis = 0, .drops = true, .rule = "take(E, t)[i, j] = E[t[i], j], also written E[t]"};
  static Shape shape(ShapeRules& rules, Call& call) {
    const Shape& tokens = call.operands[1];
    if (tokens.size() > 1) rules.require_rank(tokens, 1, 1);
    Shape result = call.operands[0];
    const auto at = result.erase(result.begin() + call.axis);
    result.insert(at, tokens.begin(), tokens.end());
    return result;
  }
  template <class A>
  static auto entry(const Site<A>& s) {
    using Index = typename A::Index;
    const auto axis = static_cast<std::ptrdiff_t>(s.axis());
    const auto tokens = static_cast<std::ptrdiff_t>(s.rank(1));
    const Indices<Index> place(s.at().begin() + axis, s.at().begin() + axis + tokens);
    const auto vocabulary = s.size(0, s.axis());
    return s.sum(vocabulary, [&](const Index& v) {
      const auto chosen = s.token_is(1, place, v, vocabulary);
      Indices<Index> indices(s.at().begin(), s.at().begin() + axis);
      indices.push_back(v);
      indices.append(s.at().begin() + axis + tokens, s.at().end());
      const auto entry = s.operand(0, indices);
      return chosen * entry;
    });
  }
};

}  // namespace foldproof::expr::ops
