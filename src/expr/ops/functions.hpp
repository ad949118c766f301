// SPDX-License-Identifier: MIT
// Functions of one number applied entrywise, defined through exp, log, abs, powers, sin, cos and the normal distribution.
// Part of the trusted base: relu(x) = (x + |x|)/2 and the like are definitions, so their laws need no postulate.
#pragma once

#include "expr/operator.hpp"

namespace foldproof::expr::ops {

/// Shape of the operand, entry f(operand entry).
struct Entrywise {
  static Shape shape(ShapeRules&, Call& call) { return call.operands[0]; }
};

template <class A>
auto sigmoid_of(const Site<A>& s, const typename A::Value& x) {
  return s.inverse(s.number(1) + s.exp(s.number(-1) * x));
}
template <class A>
auto relu_of(const Site<A>& s, const typename A::Value& x) {
  return s.number(Rational(1, 2)) * (x + s.apply(Function::abs, x));
}
template <class A>
auto tanh_of(const Site<A>& s, const typename A::Value& x) {
  return s.number(1) - s.number(2) * s.inverse(s.number(1) + s.exp(s.number(2) * x));
}

struct Exp : Entrywise {
  static constexpr OperatorInfo info{.name = "exp", .tensors_min = 1, .tensors_max = 1, .rule = "e^x"};
  template <class A>
  static auto entry(const Site<A>& s) {
    return s.exp(s.broadcast(0));
  }
};
struct Log : Entrywise {
  static constexpr OperatorInfo info{.name = "log", .tensors_min = 1, .tensors_max = 1, .rule = "natural logarithm, defined for x > 0"};
  template <class A>
  static auto entry(const Site<A>& s) {
    return s.log(s.broadcast(0));
  }
};
struct Sqrt : Entrywise {
  static constexpr OperatorInfo info{.name = "sqrt", .tensors_min = 1, .tensors_max = 1, .rule = "x^(1/2), defined for x >= 0"};
  template <class A>
  static auto entry(const Site<A>& s) {
    return s.power(s.broadcast(0), Rational(1, 2));
  }
};
struct Rsqrt : Entrywise {
  static constexpr OperatorInfo info{.name = "rsqrt", .tensors_min = 1, .tensors_max = 1, .rule = "x^(-1/2), defined for x > 0"};
  template <class A>
  static auto entry(const Site<A>& s) {
    return s.power(s.broadcast(0), Rational(-1, 2));
  }
};
struct Abs : Entrywise {
  static constexpr OperatorInfo info{.name = "abs", .tensors_min = 1, .tensors_max = 1, .rule = "|x|"};
  template <class A>
  static auto entry(const Site<A>& s) {
    return s.apply(Function::abs, s.broadcast(0));
  }
};
struct Sin : Entrywise {
  static constexpr OperatorInfo info{.name = "sin", .tensors_min = 1, .tensors_max = 1, .rule = "sine"};
  template <class A>
  static auto entry(const Site<A>& s) {
    return s.apply(Function::sin, s.broadcast(0));
  }
};
struct Cos : Entrywise {
  static constexpr OperatorInfo info{.name = "cos", .tensors_min = 1, .tensors_max = 1, .rule = "cosine"};
  template <class A>
  static auto entry(const Site<A>& s) {
    return s.apply(Function::cos, s.broadcast(0));
  }
};
struct Relu : Entrywise {
  static constexpr OperatorInfo info{.name = "relu", .tensors_min = 1, .tensors_max = 1, .rule = "(x + |x|)/2 = max(x, 0)"};
  template <class A>
  static auto entry(const Site<A>& s) {
    return s.vanishing(s.broadcast(0), [&](const auto& x) { return relu_of(s, x); });
  }
};
struct LeakyRelu : Entrywise {
  static constexpr OperatorInfo info{.name = "leaky_relu", .tensors_min = 1, .tensors_max = 1, .rule = "relu(x) - 0.01 relu(-x)", .source = "PyTorch's default slope 0.01"};
  template <class A>
  static auto entry(const Site<A>& s) {
    const auto x = s.broadcast(0);
    const auto positive = relu_of(s, x);
    const auto negative = relu_of(s, s.number(-1) * x);
    return positive - s.number(Rational(1, 100)) * negative;
  }
};
struct Sigmoid : Entrywise {
  static constexpr OperatorInfo info{.name = "sigmoid", .tensors_min = 1, .tensors_max = 1, .rule = "1/(1 + exp(-x))"};
  template <class A>
  static auto entry(const Site<A>& s) {
    return s.vanishing(s.broadcast(0), [&](const auto& x) { return sigmoid_of(s, x); });
  }
};
struct Silu : Entrywise {
  static constexpr OperatorInfo info{.name = "silu", .tensors_min = 1, .tensors_max = 1, .rule = "x sigmoid(x)"};
  template <class A>
  static auto entry(const Site<A>& s) {
    const auto x = s.broadcast(0);
    return x * sigmoid_of(s, x);
  }
};
struct QuickGelu : Entrywise {
  static constexpr OperatorInfo info{.name = "quick_gelu", .tensors_min = 1, .tensors_max = 1, .rule = "x sigmoid(1.702 x)", .source = "Hendrycks and Gimpel 2016"};
  template <class A>
  static auto entry(const Site<A>& s) {
    const auto x = s.broadcast(0);
    return x * sigmoid_of(s, s.number(Rational(851, 500)) * x);
  }
};
struct Tanh : Entrywise {
  static constexpr OperatorInfo info{.name = "tanh", .tensors_min = 1, .tensors_max = 1, .rule = "1 - 2/(1 + exp(2x))"};
  template <class A>
  static auto entry(const Site<A>& s) {
    return tanh_of(s, s.broadcast(0));
  }
};
struct Softplus : Entrywise {
  static constexpr OperatorInfo info{.name = "softplus", .tensors_min = 1, .tensors_max = 1, .rule = "log(1 + exp(x))"};
  template <class A>
  static auto entry(const Site<A>& s) {
    return s.vanishing(s.broadcast(0), [&](const auto& x) { return s.log(s.number(1) + s.exp(x)); });
  }
};
struct Gelu : Entrywise {
  static constexpr OperatorInfo info{.name = "gelu", .tensors_min = 1, .tensors_max = 1, .rule = "x Phi(x), Phi the normal distribution function", .source = "Hendrycks and Gimpel 2016"};
  template <class A>
  static auto entry(const Site<A>& s) {
    const auto x = s.broadcast(0);
    return x * s.apply(Function::normal_cdf, x);
  }
};
/// The constants are sqrt(2/pi) and 0.044715 sqrt(2/pi) cut to 15 digits, as programs carry them; their product would not fit.
struct GeluTanh : Entrywise {
  static constexpr OperatorInfo info{.name = "gelu_tanh", .tensors_min = 1, .tensors_max = 1, .rule = "x/2 (1 + tanh(0.797884560802865 (x + 0.044715 x^3)))", .source = "Hendrycks and Gimpel 2016"};
  template <class A>
  static auto entry(const Site<A>& s) {
    const auto x = s.broadcast(0);
    const auto inner = s.number(Rational(797884560802865, 1000000000000000)) * x + s.number(Rational(356774081363001, 10000000000000000)) * x * x * x;
    return s.number(Rational(1, 2)) * x * (s.number(1) + tanh_of(s, inner));
  }
};
struct Exp2 : Entrywise {
  static constexpr OperatorInfo info{.name = "exp2", .tensors_min = 1, .tensors_max = 1, .rule = "2^x = exp(x log(2))"};
  template <class A>
  static auto entry(const Site<A>& s) {
    const auto x = s.broadcast(0);
    return s.exp(x * s.log(s.number(2)));
  }
};
struct Elu : Entrywise {
  static constexpr OperatorInfo info{.name = "elu", .tensors_min = 1, .tensors_max = 1, .rule = "relu(x) + exp(-relu(-x)) - 1: x above 0, exp(x) - 1 below", .source = "PyTorch's default alpha 1"};
  template <class A>
  static auto entry(const Site<A>& s) {
    const auto x = s.broadcast(0);
    const auto positive = relu_of(s, x);
    const auto negative = relu_of(s, s.number(-1) * x);
    return positive + s.exp(s.number(-1) * negative) - s.number(1);
  }
};
struct Erf : Entrywise {
  static constexpr OperatorInfo info{.name = "erf", .tensors_min = 1, .tensors_max = 1, .rule = "2 Phi(sqrt(2) x) - 1, Phi the normal distribution function"};
  template <class A>
  static auto entry(const Site<A>& s) {
    const auto x = s.broadcast(0);
    const auto root = s.power(s.number(2), Rational(1, 2));
    return s.number(2) * s.apply(Function::normal_cdf, root * x) - s.number(1);
  }
};

template <class A>
auto larger(const Site<A>& s, const typename A::Value& a, const typename A::Value& b) {
  return s.number(Rational(1, 2)) * (a + b + s.apply(Function::abs, a - b));
}
template <class A>
auto smaller(const Site<A>& s, const typename A::Value& a, const typename A::Value& b) {
  return s.number(Rational(1, 2)) * (a + b - s.apply(Function::abs, a - b));
}

/// maximum(a, b), entrywise
struct Maximum {
  static constexpr OperatorInfo info{.name = "maximum", .tensors_min = 2, .tensors_max = 2, .rule = "(a + b + |a - b|)/2"};
  static Shape shape(ShapeRules& rules, Call& call) { return rules.broadcast(call.operands[0], call.operands[1]); }
  template <class A>
  static auto entry(const Site<A>& s) {
    const auto a = s.broadcast(0);
    const auto b = s.broadcast(1);
    return larger(s, a, b);
  }
};
/// minimum(a, b), entrywise
struct Minimum {
  static constexpr OperatorInfo info{.name = "minimum", .tensors_min = 2, .tensors_max = 2, .rule = "(a + b - |a - b|)/2"};
  static Shape shape(ShapeRules& rules, Call& call) { return rules.broadcast(call.operands[0], call.operands[1]); }
  template <class A>
  static auto entry(const Site<A>& s) {
    const auto a = s.broadcast(0);
    const auto b = s.broadcast(1);
    return smaller(s, a, b);
  }
};
/// clip(x, a, b), entrywise; as in NumPy, the upper bound wins where a > b
struct Clip {
  static constexpr OperatorInfo info{.name = "clip", .tensors_min = 3, .tensors_max = 3, .rule = "minimum(maximum(x, a), b)"};
  static Shape shape(ShapeRules& rules, Call& call) { return rules.broadcast(rules.broadcast(call.operands[0], call.operands[1]), call.operands[2]); }
  template <class A>
  static auto entry(const Site<A>& s) {
    const auto x = s.broadcast(0);
    const auto low = s.broadcast(1);
    const auto high = s.broadcast(2);
    const auto raised = larger(s, x, low);
    return smaller(s, raised, high);
  }
};

}  // namespace foldproof::expr::ops
