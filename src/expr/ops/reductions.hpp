// SPDX-License-Identifier: MIT
// Sums, means, maxima along an axis; the axis is kept with size 1, as NumPy's keepdims=True does. Part of the trusted base.
#pragma once

#include "expr/operator.hpp"
#include "expr/ops/structure.hpp"

namespace foldproof::expr::ops {

inline Shape with_axis_one(const Call& call) {
  Shape result = call.operands[0];
  result[static_cast<std::size_t>(call.axis)] = 1;
  return result;
}
/// Shape rule of reductions whose axis is fixed by their name, counted from the end.
inline Shape reduce_fixed(ShapeRules& rules, Call& call, int from_end, const char* name) {
  const int rank = static_cast<int>(call.operands[0].size());
  if (rank < from_end) rules.fail(std::string(name) + " needs a matrix", "declare the operand with two sizes, such as [n, 1]");
  call.axis = rank - from_end;
  return with_axis_one(call);
}
template <class A>
auto sum_along(const Site<A>& s, std::size_t axis) {
  return s.sum(s.size(0, axis), [&](const auto& i) { return s.along(0, axis, i); });
}

/// sum(a): one number; sum(a, axis=1) keeps the axis (see SumAxis)
struct SumAll {
  static constexpr OperatorInfo info{.name = "sum", .tensors_min = 1, .tensors_max = 1, .rule = "sum of all entries; with axis= along that axis, which is kept with size 1"};
  static Shape shape(ShapeRules&, Call&) { return {}; }
  template <class A>
  static typename A::Value entry(const Site<A>& s) {
    return level(s, {});
  }

 private:
  template <class A>
  static typename A::Value level(const Site<A>& s, const Indices<typename A::Index>& outer) {
    if (outer.size() == s.rank(0)) return s.operand(0, outer);
    return s.sum(s.size(0, outer.size()), [&](const typename A::Index& i) {
      auto indices = outer;
      indices.push_back(i);
      return level(s, indices);
    });
  }
};
struct SumAxis {
  static constexpr OperatorInfo info{.name = "sum along axis", .tensors_min = 1, .tensors_max = 1, .axis = -1, .rule = "sum(a, axis=1)[i, 0] = sum_j a[i, j]"};
  static Shape shape(ShapeRules&, Call& call) { return with_axis_one(call); }
  template <class A>
  static auto entry(const Site<A>& s) {
    return sum_along(s, s.axis());
  }
};
struct RowSum {
  static constexpr OperatorInfo info{.name = "rowsum", .tensors_min = 1, .tensors_max = 1, .rule = "rowsum(a)[i, 0] = sum_j a[i, j]"};
  static Shape shape(ShapeRules& rules, Call& call) { return reduce_fixed(rules, call, 1, info.name); }
  template <class A>
  static auto entry(const Site<A>& s) {
    return sum_along(s, s.axis());
  }
};
struct ColSum {
  static constexpr OperatorInfo info{.name = "colsum", .tensors_min = 1, .tensors_max = 1, .rule = "colsum(a)[0, j] = sum_i a[i, j]"};
  static Shape shape(ShapeRules& rules, Call& call) { return reduce_fixed(rules, call, 2, info.name); }
  template <class A>
  static auto entry(const Site<A>& s) {
    return sum_along(s, s.axis());
  }
};
/// cumsum(a, axis): the axis keeps its size
struct CumSum {
  static constexpr OperatorInfo info{.name = "cumsum", .tensors_min = 1, .tensors_max = 1, .axis = -1, .rule = "cumsum(a, axis=1)[i, j] = sum of a[i, l] for l <= j"};
  static Shape shape(ShapeRules&, Call& call) { return call.operands[0]; }
  template <class A>
  static auto entry(const Site<A>& s) {
    return s.sum(s.size(0, s.axis()), [&](const auto& l) {
      const auto reached = s.at_least(s.at(s.axis()), l);
      return reached * s.along(0, s.axis(), l);
    });
  }
};
/// mean(a) is the mean of each row, kept as a column, since rows are tokens; mean(a, axis=0) of each column.
struct Mean {
  static constexpr OperatorInfo info{.name = "mean", .tensors_min = 1, .tensors_max = 1, .axis = -1, .rule = "mean(a)[i, 0] = (sum_j a[i, j])/d: of each row unless axis= is given"};
  static Shape shape(ShapeRules&, Call& call) { return with_axis_one(call); }
  template <class A>
  static auto entry(const Site<A>& s) {
    const auto count = s.of(s.size(0, s.axis()));
    const auto total = sum_along(s, s.axis());
    return s.inverse(count) * total;
  }
};
struct RowMean {
  static constexpr OperatorInfo info{.name = "rowmean", .tensors_min = 1, .tensors_max = 1, .rule = "rowsum(a)/d"};
  static Shape shape(ShapeRules& rules, Call& call) { return reduce_fixed(rules, call, 1, info.name); }
  template <class A>
  static auto entry(const Site<A>& s) {
    return Mean::entry(s);
  }
};
struct ColMean {
  static constexpr OperatorInfo info{.name = "colmean", .tensors_min = 1, .tensors_max = 1, .rule = "colsum(a)/n"};
  static Shape shape(ShapeRules& rules, Call& call) { return reduce_fixed(rules, call, 2, info.name); }
  template <class A>
  static auto entry(const Site<A>& s) {
    return Mean::entry(s);
  }
};
template <class A>
auto max_along(const Site<A>& s, std::size_t axis) {
  return s.maximum(s.size(0, axis), [&](const auto& i) { return s.along(0, axis, i); });
}
/// max(a, axis=-1)
struct Max {
  static constexpr OperatorInfo info{.name = "max", .tensors_min = 1, .tensors_max = 1, .axis = -1, .rule = "max(a)[i, 0] = the largest entry of row i, unless axis= is given"};
  static Shape shape(ShapeRules&, Call& call) { return with_axis_one(call); }
  template <class A>
  static auto entry(const Site<A>& s) {
    return max_along(s, s.axis());
  }
};
struct RowMax {
  static constexpr OperatorInfo info{.name = "rowmax", .tensors_min = 1, .tensors_max = 1, .rule = "rowmax(a)[i, 0] = the largest entry of row i"};
  static Shape shape(ShapeRules& rules, Call& call) { return reduce_fixed(rules, call, 1, info.name); }
  template <class A>
  static auto entry(const Site<A>& s) {
    return max_along(s, s.axis());
  }
};
struct ColMax {
  static constexpr OperatorInfo info{.name = "colmax", .tensors_min = 1, .tensors_max = 1, .rule = "colmax(a)[0, j] = the largest entry of column j"};
  static Shape shape(ShapeRules& rules, Call& call) { return reduce_fixed(rules, call, 2, info.name); }
  template <class A>
  static auto entry(const Site<A>& s) {
    return max_along(s, s.axis());
  }
};
template <class A>
auto min_along(const Site<A>& s, std::size_t axis) {
  const auto largest = s.maximum(s.size(0, axis), [&](const auto& i) {
    const auto x = s.along(0, axis, i);
    return s.number(-1) * x;
  });
  return s.number(-1) * largest;
}
/// min(a, axis=-1)
struct Min {
  static constexpr OperatorInfo info{.name = "min", .tensors_min = 1, .tensors_max = 1, .axis = -1, .rule = "min(a)[i, 0] = the smallest entry of row i, unless axis= is given: -max(-a)"};
  static Shape shape(ShapeRules&, Call& call) { return with_axis_one(call); }
  template <class A>
  static auto entry(const Site<A>& s) {
    return min_along(s, s.axis());
  }
};
struct RowMin {
  static constexpr OperatorInfo info{.name = "rowmin", .tensors_min = 1, .tensors_max = 1, .rule = "rowmin(a)[i, 0] = the smallest entry of row i"};
  static Shape shape(ShapeRules& rules, Call& call) { return reduce_fixed(rules, call, 1, info.name); }
  template <class A>
  static auto entry(const Site<A>& s) {
    return min_along(s, s.axis());
  }
};
struct ColMin {
  static constexpr OperatorInfo info{.name = "colmin", .tensors_min = 1, .tensors_max = 1, .rule = "colmin(a)[0, j] = the smallest entry of column j"};
  static Shape shape(ShapeRules& rules, Call& call) { return reduce_fixed(rules, call, 2, info.name); }
  template <class A>
  static auto entry(const Site<A>& s) {
    return min_along(s, s.axis());
  }
};
/// Squared Frobenius norm.
struct Frobenius2 {
  static constexpr OperatorInfo info{.name = "frob2", .tensors_min = 1, .tensors_max = 1, .rule = "sum(a * a)"};
  static Shape shape(ShapeRules& rules, Call& call) {
    rules.require_rank(call.operands[0], 0, 2);
    return {};
  }
  template <class A>
  static auto entry(const Site<A>& s) {
    return s.sum(s.size(0, 0), [&](const auto& i) {
      return s.sum(s.size(0, 1), [&](const auto& j) {
        const auto x = s.operand(0, {i, j});
        return x * x;
      });
    });
  }
};
struct Trace {
  static constexpr OperatorInfo info{.name = "trace", .tensors_min = 1, .tensors_max = 1, .drops = true, .rule = "sum_i a[i, i]"};
  static Shape shape(ShapeRules& rules, Call& call) {
    rules.require_rank(call.operands[0], 0, 2);
    const int first[] = {0};
    rules.require_equal(call.operands[0][0], call.operands[0][1], first, "only a square matrix has a trace");
    return {};
  }
  template <class A>
  static auto entry(const Site<A>& s) {
    return s.sum(s.size(0, 0), [&](const auto& i) { return s.operand(0, {i, i}); });
  }
};

}  // namespace foldproof::expr::ops
