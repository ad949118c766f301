// SPDX-License-Identifier: MIT
// Softmax, its relatives, and the norms of transformer blocks. Part of the trusted base.
// Axis -1 unless `axis=` is given: rows are tokens.
#pragma once

#include "expr/operator.hpp"
#include "expr/ops/reductions.hpp"

namespace foldproof::expr::ops {

template <class A>
auto exp_sum(const Site<A>& s, std::size_t axis) {
  return s.sum(s.size(0, axis), [&](const auto& i) { return s.exp(s.along(0, axis, i)); });
}
/// A number that all exponentials along the axis may be divided by, where an algebra cannot hold them; see Site::far_center.
template <class A>
auto far_center(const Site<A>& s) {
  return s.far_center(s.size(0, s.axis()), [&](const auto& i) { return s.along(0, s.axis(), i); });
}
/// Their sum, divided by the exponential of that number.
template <class A>
auto exp_sum(const Site<A>& s, const std::optional<typename Site<A>::Value>& center) {
  return center ? s.sum(s.size(0, s.axis()), [&](const auto& i) { return s.exp(s.along(0, s.axis(), i) - *center); }) : exp_sum(s, s.axis());
}
inline Shape same_shape(ShapeRules& rules, Call& call) {
  if (call.operands[0].empty()) rules.fail("a scalar has no rows", "declare the operand with sizes, such as [n, m]");
  return call.operands[0];
}

struct Softmax {
  static constexpr OperatorInfo info{.name = "softmax", .tensors_min = 1, .tensors_max = 1, .axis = -1, .rule = "exp(x)/sum(exp(x), axis), rows unless axis= is given"};
  static Shape shape(ShapeRules& rules, Call& call) { return same_shape(rules, call); }
  template <class A>
  static auto entry(const Site<A>& s) {
    const auto center = far_center(s);
    const auto own = s.exp(center ? s.broadcast(0) - *center : s.broadcast(0));
    const auto all = exp_sum(s, center);
    return own * s.inverse(all);
  }
};
struct SoftmaxColumns {
  static constexpr OperatorInfo info{.name = "softmax_cols", .tensors_min = 1, .tensors_max = 1, .rule = "softmax(x, axis=0)"};
  static Shape shape(ShapeRules& rules, Call& call) {
    rules.require_rank(call.operands[0], 0, 2);
    call.axis = 0;
    return call.operands[0];
  }
  template <class A>
  static auto entry(const Site<A>& s) {
    return Softmax::entry(s);
  }
};
struct Softmax1 {
  static constexpr OperatorInfo info{.name = "softmax1", .tensors_min = 1, .tensors_max = 1, .axis = -1, .rule = "exp(x)/(1 + sum(exp(x), axis))", .source = "Miller 2023, Attention is off by one"};
  static Shape shape(ShapeRules& rules, Call& call) { return same_shape(rules, call); }
  template <class A>
  static auto entry(const Site<A>& s) {
    const auto own = s.exp(s.broadcast(0));
    const auto all = s.number(1) + exp_sum(s, s.axis());
    return own * s.inverse(all);
  }
};
struct LogSoftmax {
  static constexpr OperatorInfo info{.name = "log_softmax", .tensors_min = 1, .tensors_max = 1, .axis = -1, .rule = "x - lse(x)"};
  static Shape shape(ShapeRules& rules, Call& call) { return same_shape(rules, call); }
  template <class A>
  static auto entry(const Site<A>& s) {
    const auto center = far_center(s);
    const auto own = center ? s.broadcast(0) - *center : s.broadcast(0);
    const auto all = exp_sum(s, center);
    return own - s.log(all);
  }
};
struct LogSumExp {
  static constexpr OperatorInfo info{.name = "lse", .tensors_min = 1, .tensors_max = 1, .axis = -1, .rule = "log(sum(exp(x), axis)), the axis kept with size 1"};
  static Shape shape(ShapeRules& rules, Call& call) {
    same_shape(rules, call);
    return with_axis_one(call);
  }
  template <class A>
  static auto entry(const Site<A>& s) {
    const auto center = far_center(s);
    const auto found = s.log(exp_sum(s, center));
    return center ? found + *center : found;
  }
};

/// The optional second operand of the norms, eps, is a scalar.
inline Shape norm_shape(ShapeRules& rules, Call& call) {
  same_shape(rules, call);
  if (call.operands.size() > 1 && !call.operands[1].empty()) rules.fail("eps is one number", "write rmsnorm(X, eps) with eps: [] or a literal, and a gain as a factor: rmsnorm(X) * g");
  return call.operands[0];
}
template <class A, class Entry>
auto mean_square(const Site<A>& s, const Entry& entry) {
  const std::size_t axis = s.axis();
  const auto count = s.of(s.size(0, axis));
  const auto squares = s.sum(s.size(0, axis), [&](const auto& i) {
    const auto x = entry(i);
    return x * x;
  });
  const auto mean = s.inverse(count) * squares;
  return s.call().operands.size() > 1 ? mean + s.operand(1, {}) : mean;
}
struct Rms {
  static constexpr OperatorInfo info{.name = "rms", .tensors_min = 1, .tensors_max = 2, .axis = -1, .rule = "sqrt(mean(x*x) + eps), the axis kept with size 1"};
  static Shape shape(ShapeRules& rules, Call& call) {
    norm_shape(rules, call);
    return with_axis_one(call);
  }
  template <class A>
  static auto entry(const Site<A>& s) {
    return s.power(mean_square(s, [&](const auto& i) { return s.along(0, s.axis(), i); }), Rational(1, 2));
  }
};
struct RmsNorm {
  static constexpr OperatorInfo info{.name = "rmsnorm", .tensors_min = 1, .tensors_max = 2, .axis = -1, .rule = "x rsqrt(mean(x*x) + eps)", .source = "Zhang and Sennrich 2019"};
  static Shape shape(ShapeRules& rules, Call& call) { return norm_shape(rules, call); }
  template <class A>
  static auto entry(const Site<A>& s) {
    const auto x = s.operand(0, {s.at().begin(), s.at().end()});
    const auto square = mean_square(s, [&](const auto& i) { return s.along(0, s.axis(), i); });
    return x * s.power(square, Rational(-1, 2));
  }
};
struct LayerNorm {
  static constexpr OperatorInfo info{.name = "layernorm", .tensors_min = 1, .tensors_max = 2, .axis = -1, .rule = "rmsnorm(x - mean(x))", .source = "Ba, Kiros and Hinton 2016"};
  static Shape shape(ShapeRules& rules, Call& call) { return norm_shape(rules, call); }
  template <class A>
  static auto entry(const Site<A>& s) {
    const std::size_t axis = s.axis();
    const auto centred = [&](const typename A::Index& i) {
      const auto own = s.along(0, axis, i);
      const auto count = s.of(s.size(0, axis));
      const auto total = sum_along(s, axis);
      return own - s.inverse(count) * total;
    };
    const auto own = centred(s.at(axis));
    const auto square = mean_square(s, centred);
    return own * s.power(square, Rational(-1, 2));
  }
};
struct BatchNorm {
  static constexpr OperatorInfo info{.name = "batchnorm", .tensors_min = 1, .tensors_max = 2, .rule = "layernorm along axis 0", .source = "Ioffe and Szegedy 2015"};
  static Shape shape(ShapeRules& rules, Call& call) {
    rules.require_rank(call.operands[0], 0, 2);
    call.axis = 0;
    return norm_shape(rules, call);
  }
  template <class A>
  static auto entry(const Site<A>& s) {
    return LayerNorm::entry(s);
  }
};
struct L2Norm {
  static constexpr OperatorInfo info{.name = "l2norm", .tensors_min = 1, .tensors_max = 1, .axis = -1, .rule = "x rsqrt(rowsum(x*x))"};
  static Shape shape(ShapeRules& rules, Call& call) { return same_shape(rules, call); }
  template <class A>
  static auto entry(const Site<A>& s) {
    const auto squares = s.sum(s.size(0, s.axis()), [&](const auto& i) {
      const auto x = s.along(0, s.axis(), i);
      return x * x;
    });
    const auto own = s.operand(0, {s.at().begin(), s.at().end()});
    return own * s.power(squares, Rational(-1, 2));
  }
};
/// dora(W, m): the columns of W [d, k] rescaled to the lengths m [1, k]
struct Dora {
  static constexpr OperatorInfo info{.name = "dora", .tensors_min = 2, .tensors_max = 2, .rule = "W * (m * rsqrt(colsum(W*W)))", .source = "Liu et al. 2024"};
  static Shape shape(ShapeRules& rules, Call& call) {
    rules.require_rank(call.operands[0], 0, 2);
    rules.require_rank(call.operands[1], 1, 2);
    const int both[] = {0, 1};
    rules.require_equal(call.operands[1][0], 1, both, "the magnitudes are one row [1, k]");
    rules.require_equal(call.operands[1][1], call.operands[0][1], both, "one magnitude a column of W");
    return call.operands[0];
  }
  template <class A>
  static auto entry(const Site<A>& s) {
    using Index = typename A::Index;
    const auto squares = s.sum(s.size(0, 0), [&](const Index& i) {
      const auto x = s.operand(0, {i, s.at(1)});
      return x * x;
    });
    const auto weight = s.operand(0, {s.at(0), s.at(1)});
    const auto magnitude = s.operand(1, {Index(0), s.at(1)});
    return weight * magnitude * s.power(squares, Rational(-1, 2));
  }
};

}  // namespace foldproof::expr::ops
