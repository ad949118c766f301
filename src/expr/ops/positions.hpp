// SPDX-License-Identifier: MIT
// Rotary and sinusoidal positions. Part of the trusted base.
// theta [p] holds one angle a pair; row r of x is at position r + t. Two layouts of the pairs exist in practice:
// interleaved (2i, 2i+1) and half (i, i+p).
#pragma once

#include "expr/operator.hpp"

namespace foldproof::expr::ops {

/// (r + t) theta[i], t = operand `shift` when present
template <class A>
auto angle(const Site<A>& s, const typename A::Index& position, int theta, int shift, const typename A::Index& i) {
  auto place = s.of(position);
  const bool shifted = static_cast<int>(s.call().operands.size()) > shift;
  if (shifted) place = place + s.operand(shift, {});
  return place * s.operand(theta, {i});
}
inline Shape rope_shape(ShapeRules& rules, Call& call) {
  const Shape& x = call.operands[0];
  if (x.size() < 2) rules.fail("rope needs rows that are tokens", "declare the operand as [n, 2*p]");
  rules.require_rank(call.operands[1], 1, 1);
  const int both[] = {0, 1};
  rules.require_double(x.back(), call.operands[1][0], both, "theta holds one angle for each pair of columns");
  if (call.operands.size() > 2 && !call.operands[2].empty()) rules.fail("the shift of rope is one number", "declare it as a scalar, t: []");
  return x;
}
/// x cos(angle) - or + partner sin(angle)
template <class A>
auto rotate(const Site<A>& s, const typename A::Index& pair, const typename A::Value& signed_partner) {
  const auto a = angle(s, s.at(s.at().size() - 2), 1, 2, pair);
  const auto x = s.operand(0, {s.at().begin(), s.at().end()});
  const auto cosine = s.apply(Function::cos, a);
  const auto sine = s.apply(Function::sin, a);
  return x * cosine + signed_partner * sine;
}

/// Entry (row, column) of the 2x2 block [[cos, t sin], [-t sin, cos]] of operand 1 times theta[pair], zero outside the blocks.
template <class A>
auto turned_block(const Site<A>& s, const typename A::Index& pair, const typename A::Index& row, const typename A::Index& column, const typename A::Value& turn) {
  const auto position = s.operand(1, {});
  const auto a = position * s.operand(0, {pair});
  const auto same = s.equal(row, column);
  const auto cosine = s.apply(Function::cos, a);
  const auto from = s.of(row);
  const auto to = s.of(column);
  const auto sine = s.apply(Function::sin, a);
  const auto block = s.equal(pair, s.quotient(s.at(1), typename A::Index(2)));
  return block * (same * cosine + turn * (to - from) * sine);
}

/// What `compared` makes of conditions that are no triangle: i // k == j // k
struct AtLeast {
  static constexpr OperatorInfo info{.name = "place >= place", .tensors_min = 0, .tensors_max = 0, .sizes_min = 2, .sizes_max = 2, .rule = "1 if the first place is at least the second, else 0"};
  static Shape shape(ShapeRules&, Call&) { return {}; }
  template <class A>
  static auto entry(const Site<A>& s) {
    return s.at_least(s.size_operand(0), s.size_operand(1));
  }
};
struct SamePlace {
  static constexpr OperatorInfo info{.name = "place == place", .tensors_min = 0, .tensors_max = 0, .sizes_min = 2, .sizes_max = 2, .rule = "1 if the places are the same, else 0"};
  static Shape shape(ShapeRules&, Call&) { return {}; }
  template <class A>
  static auto entry(const Site<A>& s) {
    return s.equal(s.size_operand(0), s.size_operand(1));
  }
};

struct Rope {
  static constexpr OperatorInfo info{.name = "rope", .tensors_min = 2, .tensors_max = 3, .rule = "pairs (2i, 2i+1) of row r turned by (r + t) theta[i]", .source = "Su et al. 2021"};
  static Shape shape(ShapeRules& rules, Call& call) { return rope_shape(rules, call); }
  template <class A>
  static auto entry(const Site<A>& s) {
    using Index = typename A::Index;
    const std::size_t last = s.at().size() - 1;
    const Index pair = s.quotient(s.at(last), Index(2));
    const auto partner = s.if_less(
        s.remainder(s.at(last), Index(2)), Index(1), [&] { return s.number(-1) * s.along(0, last, pair * Index(2) + Index(1)); },
        [&] { return s.along(0, last, pair * Index(2)); });
    return rotate(s, pair, partner);
  }
};
struct RopeHalf {
  static constexpr OperatorInfo info{.name = "rope_half", .tensors_min = 2, .tensors_max = 3, .rule = "pairs (i, i + p) of row r turned by (r + t) theta[i]", .source = "GPT-NeoX layout"};
  static Shape shape(ShapeRules& rules, Call& call) { return rope_shape(rules, call); }
  template <class A>
  static auto entry(const Site<A>& s) {
    const std::size_t last = s.at().size() - 1;
    const auto i = s.at(last);
    const auto p = s.size(1, 0);
    return s.if_less(
        i, p, [&] { return rotate(s, i, s.number(-1) * s.along(0, last, i + p)); }, [&] { return rotate(s, i - p, s.along(0, last, i - p)); });
  }
};
/// halfperm(2*p): X @ halfperm moves interleaved pairs into the half layout
struct HalfPermutation {
  static constexpr OperatorInfo info{.name = "halfperm", .tensors_min = 0, .tensors_max = 0, .sizes_min = 1, .sizes_max = 1, .rule = "column i is column 2i, column p + i is column 2i + 1"};
  static Shape shape(ShapeRules& rules, Call& call) {
    if (!rules.make_even(call.sizes[0])) rules.fail("halfperm needs an even size", "write the size as 2*p");
    return {call.sizes[0], call.sizes[0]};
  }
  template <class A>
  static auto entry(const Site<A>& s) {
    using Index = typename A::Index;
    const auto p = s.index(*s.call().result[0].divide(Dim(2)));
    return s.if_less(
        s.at(1), p, [&] { return s.equal(s.at(0), s.at(1) * Index(2)); }, [&] { return s.equal(s.at(0), (s.at(1) - p) * Index(2) + Index(1)); });
  }
};
/// rot(theta, a): x @ rot(theta, a) turns the interleaved pairs of x by a theta[i]
struct Rotation {
  static constexpr OperatorInfo info{.name = "rot", .tensors_min = 2, .tensors_max = 2, .rule = "block diagonal, blocks [[cos, sin], [-sin, cos]] of a theta[i]"};
  static Shape shape(ShapeRules& rules, Call& call) {
    rules.require_rank(call.operands[0], 0, 1);
    if (!call.operands[1].empty()) rules.fail("the position of rot is one number", "declare it as a scalar, a: []");
    const Dim size = Dim(2) * call.operands[0][0];
    return {size, size};
  }
  template <class A>
  static auto entry(const Site<A>& s) {
    using Index = typename A::Index;
    const Index pair = s.quotient(s.at(0), Index(2));
    const Index row = s.remainder(s.at(0), Index(2));
    const Index column = s.remainder(s.at(1), Index(2));
    return turned_block(s, pair, row, column, s.number(1));
  }
};
/// sinus(n, theta, t): row r holds sin and cos of (r + t) theta[i] in columns 2i and 2i+1
struct Sinusoids {
  static constexpr OperatorInfo info{.name = "sinus", .tensors_min = 1, .tensors_max = 2, .sizes_min = 1, .sizes_max = 1, .sizes_first = true, .rule = "columns 2i, 2i+1 of row r are sin, cos of (r + t) theta[i]", .source = "Vaswani et al. 2017, section 3.5"};
  static Shape shape(ShapeRules& rules, Call& call) {
    rules.require_rank(call.operands[0], 0, 1);
    if (call.operands.size() == 2) rules.require_rank(call.operands[1], 1, 0);
    return {call.sizes[0], Dim(2) * call.operands[0][0]};
  }
  template <class A>
  static auto entry(const Site<A>& s) {
    using Index = typename A::Index;
    const auto a = angle(s, s.at(0), 0, 1, s.quotient(s.at(1), Index(2)));
    return s.if_less(
        s.remainder(s.at(1), Index(2)), Index(1), [&] { return s.apply(Function::sin, a); }, [&] { return s.apply(Function::cos, a); });
  }
};
/// sinshift(theta, t): sinus(n, theta) @ sinshift(theta, t) == sinus(n, theta, t)
struct SinusoidShift {
  static constexpr OperatorInfo info{.name = "sinshift", .tensors_min = 2, .tensors_max = 2, .rule = "block diagonal, blocks [[cos, -sin], [sin, cos]] of t theta[i]"};
  static Shape shape(ShapeRules& rules, Call& call) { return Rotation::shape(rules, call); }
  template <class A>
  static auto entry(const Site<A>& s) {
    using Index = typename A::Index;
    const Index pair = s.quotient(s.at(0), Index(2));
    const Index row = s.remainder(s.at(0), Index(2));
    const Index column = s.remainder(s.at(1), Index(2));
    return turned_block(s, pair, row, column, s.number(-1));
  }
};

}  // namespace foldproof::expr::ops
