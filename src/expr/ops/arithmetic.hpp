// SPDX-License-Identifier: MIT
// Entrywise arithmetic with NumPy broadcasting, and the matrix product. Part of the trusted base.
#pragma once

#include "expr/operator.hpp"

namespace foldproof::expr::ops {

/// Shape rule shared by entrywise operators of two operands.
inline Shape broadcast_shape(ShapeRules& rules, Call& call) { return rules.broadcast(call.operands[0], call.operands[1]); }

/// a + b
struct Add {
  static constexpr OperatorInfo info{.name = "+", .tensors_min = 2, .tensors_max = 2, .rule = "(a + b)[i] = a[i] + b[i]"};
  static Shape shape(ShapeRules& rules, Call& call) { return broadcast_shape(rules, call); }
  template <class A>
  static auto entry(const Site<A>& s) {
    const auto a = s.broadcast(0);
    const auto b = s.broadcast(1);
    return a + b;
  }
};

/// a - b
struct Subtract {
  static constexpr OperatorInfo info{.name = "-", .tensors_min = 2, .tensors_max = 2, .rule = "(a - b)[i] = a[i] - b[i]"};
  static Shape shape(ShapeRules& rules, Call& call) { return broadcast_shape(rules, call); }
  template <class A>
  static auto entry(const Site<A>& s) {
    const auto a = s.broadcast(0);
    const auto b = s.broadcast(1);
    return a - b;
  }
};

/// -a
struct Negate {
  static constexpr OperatorInfo info{.name = "negate", .tensors_min = 1, .tensors_max = 1, .rule = "(-a)[i] = -a[i]"};
  static Shape shape(ShapeRules&, Call& call) { return call.operands[0]; }
  template <class A>
  static auto entry(const Site<A>& s) {
    return s.number(Rational(-1)) * s.broadcast(0);
  }
};

/// a * b, entrywise
struct Multiply {
  static constexpr OperatorInfo info{.name = "*", .tensors_min = 2, .tensors_max = 2, .rule = "(a * b)[i] = a[i] b[i]"};
  static Shape shape(ShapeRules& rules, Call& call) { return broadcast_shape(rules, call); }
  template <class A>
  static auto entry(const Site<A>& s) {
    const auto a = s.broadcast(0);
    const auto b = s.broadcast(1);
    return a * b;
  }
};

/// a / b, entrywise
struct Divide {
  static constexpr OperatorInfo info{.name = "/", .tensors_min = 2, .tensors_max = 2, .rule = "(a / b)[i] = a[i] b[i]^-1"};
  static Shape shape(ShapeRules& rules, Call& call) { return broadcast_shape(rules, call); }
  template <class A>
  static auto entry(const Site<A>& s) {
    const auto a = s.broadcast(0);
    const auto b = s.broadcast(1);
    return a * s.inverse(b);
  }
};

/// a ** q with a rational constant q
struct Power {
  static constexpr OperatorInfo info{.name = "**", .tensors_min = 1, .tensors_max = 1, .rule = "(a ** q)[i] = a[i]^q"};
  static Shape shape(ShapeRules&, Call& call) { return call.operands[0]; }
  template <class A>
  static auto entry(const Site<A>& s) {
    return s.power(s.broadcast(0), s.call().exponent);
  }
};

/// a @ b, with NumPy's meaning for vectors and leading batch axes
struct Matmul {
  static constexpr OperatorInfo info{.name = "@", .tensors_min = 2, .tensors_max = 2, .rule = "(a @ b)[i, j] = sum_k a[i, k] b[k, j]"};
  static Shape shape(ShapeRules& rules, Call& call) {
    const Shape& a = call.operands[0];
    const Shape& b = call.operands[1];
    if (a.empty() || b.empty()) rules.fail("`@` needs matrices, but one side is a scalar", "multiply by a scalar with `*`");
    const int both[] = {0, 1};
    rules.require_equal(a.back(), b[b.size() == 1 ? 0 : b.size() - 2], both, "the inner sizes of a product must agree");
    Shape batch_a(a.begin(), a.end() - (a.size() == 1 ? 1 : 2));
    Shape batch_b(b.begin(), b.end() - (b.size() == 1 ? 1 : 2));
    Shape result = rules.ShapeRules::broadcast(batch_a, batch_b);
    if (a.size() > 1) result.push_back(a[a.size() - 2]);
    if (b.size() > 1) result.push_back(b.back());
    return result;
  }
  template <class A>
  static auto entry(const Site<A>& s) {
    using Index = typename A::Index;
    const std::size_t ra = s.rank(0);
    const std::size_t rb = s.rank(1);
    const std::size_t batch = s.at().size() - (ra > 1) - (rb > 1);
    const auto leading = [&](int k, std::size_t axes) {  // broadcast batch indices of operand k
      Indices<Index> indices;
      for (std::size_t axis = 0; axis < axes; ++axis) {
        indices.push_back(s.call().operands[static_cast<std::size_t>(k)][axis].is_one() ? Index(0) : s.at(batch - axes + axis));
      }
      return indices;
    };
    return s.sum(s.size(0, ra - 1), [&](const Index& k) {
      auto left = leading(0, ra > 1 ? ra - 2 : 0);
      if (ra > 1) left.push_back(s.at(batch));
      left.push_back(k);
      auto right = leading(1, rb > 1 ? rb - 2 : 0);
      right.push_back(k);
      if (rb > 1) right.push_back(s.at().back());
      const auto a = s.operand(0, left);
      const auto b = s.operand(1, right);
      return a * b;
    });
  }
};

}  // namespace foldproof::expr::ops
