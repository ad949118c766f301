// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <optional>

#include "diagnose/mistakes.hpp"
#include "diagnose/side_terms.hpp"
#include "diagnose/side_values.hpp"
#include "expr/diagnostic.hpp"
#include "infer/problem.hpp"
#include "repair/places.hpp"

namespace foldproof::diagnose {

namespace {

using expr::Expression;
using expr::node;
using expr::SyntaxKind;

/// Every number of the expression on the tensors; empty where it cannot be computed.
std::vector<double> numbers(const expr::Claim& claim, const Expression& e, const campaign::GivenTensors& given, const expr::DimValues& dims) {
  std::vector<double> out;
  const auto value = value_of(claim, e, given, dims);
  for (const campaign::SideEntry& entry : value ? value->entries : std::vector<campaign::SideEntry>()) out.push_back(entry.value);
  return out;
}

/// A constant that people would write as a scale, and how many as simple as that lie in the interval by chance.
struct Constant {
  Expression literal;
  double chance = INFINITY;
};

/// The fraction with the least divisor in an interval around c > 0. At most q^2 fractions per unit have divisors up to q.
struct Fraction {
  std::int64_t above = 0, below = 0;
  double chance = INFINITY;
};
Fraction simple_fraction(double c, double low, double high) {
  constexpr std::int64_t largest_divisor = 128, largest = 4096;  // 127/128 and 1/sqrt(d) of scores are constants of models
  for (std::int64_t q = 1; q <= largest_divisor; ++q) {
    const double p = std::round(c * static_cast<double>(q)), value = p / static_cast<double>(q);
    if (p >= 1 && p <= static_cast<double>(largest) && value >= low && value <= high) return {static_cast<std::int64_t>(p), q, (high - low) * static_cast<double>(q * q)};
  }
  return {};
}

Expression literal(const Fraction& value) {
  const Expression above = repair::number(value.above);
  return value.below == 1 ? above : node(SyntaxKind::divide, {above, repair::number(value.below)});
}

bool is_square(std::int64_t n) {
  const auto root = static_cast<std::int64_t>(std::round(std::sqrt(static_cast<double>(n))));
  return root * root == n;
}

/// The constant that is least likely to lie in an interval around c by chance: a fraction, the root of one, or a number of few decimals, which there
/// always is. So 1.01 is none of the roots that lie near it, and sqrt(2) is no 1.4142.
Constant simplest(double c, double low, double high) {
  constexpr int most_decimals = 9;
  Constant out;
  const Fraction fraction = simple_fraction(c, low, high), square = simple_fraction(c * c, low * low, high * high);
  if (fraction.above > 0) out = {literal(fraction), fraction.chance};
  if (square.above > 0 && !(is_square(square.above) && is_square(square.below)) && square.chance < out.chance) out = {expr::call("sqrt", {literal(square)}), square.chance};
  std::int64_t scale = 1;
  for (int decimals = 0; decimals <= most_decimals; ++decimals, scale *= 10) {
    const double rounded = std::round(c * static_cast<double>(scale)), value = rounded / static_cast<double>(scale);
    const bool is_last = decimals == most_decimals;
    if (!(rounded >= 1 && rounded < 1e15) || !((value >= low && value <= high) || is_last)) continue;
    const double chance = (high - low) * static_cast<double>(scale);
    if (chance < out.chance) out = {repair::number(expr::Rational(static_cast<std::int64_t>(rounded), scale)), chance};
    break;
  }
  return out;
}

/// By how much a constant changes at most when it is rounded to a format of the tensors before it is used; relative. Nobody computes in 8 bits.
double rounding_of_constants(const campaign::GivenTensors& given) {
  double out = 0;
  for (const auto& tensor : given) {
    const numeric::FormatInfo& format = campaign::storage(tensor.second);
    if (format.precision >= numeric::bfloat16_format.precision) out = std::max(out, format.unit_roundoff);
  }
  return out;
}

/// Programs that round once more differ by that much: a factor so near to 1 is none, and only gives the claim more room.
double rounding_of_all(const campaign::GivenTensors& given) {
  double out = 1;
  for (const auto& tensor : given) out = std::min(out, campaign::storage(tensor.second).unit_roundoff);
  return out;
}

}  // namespace

/// The factor with which the term makes the sides most alike: least squares over their difference.
std::vector<Mistake> mistakes_in_scale(const expr::Claim& claim, const campaign::GivenTensors& given, const expr::DimValues& dims) {
  std::vector<Mistake> out;
  const std::vector<double> left = numbers(claim, claim.lhs, given, dims), right = numbers(claim, claim.rhs, given, dims);
  if (left.empty() || left.size() != right.size()) return out;
  std::vector<SideTerm> sides[2];
  for (const bool on_right : {false, true}) sides[on_right] = terms_of(on_right ? claim.rhs : claim.lhs);
  // A lone side over the other: the factor stands at what is computed, and not its reciprocal at M beside it.
  const auto whole = [](const Expression& side) { return SideTerm{side, [](Expression e) { return e; }}; };
  if (sides[0].size() == 1 && sides[1].size() == 1) {
    sides[1].clear();
  } else if (sides[0].size() == 1) {
    sides[0].clear();
    sides[1].insert(sides[1].begin(), whole(claim.rhs));
  } else if (sides[1].size() == 1) {
    sides[1].clear();
    sides[0].insert(sides[0].begin(), whole(claim.lhs));
  }
  for (const bool on_right : {false, true}) {
    for (const SideTerm& part : sides[on_right]) {
      const auto with = [&](const Expression& factor) {
        Mistake mistake{claim, "with the factor " + expr::text(factor) + " at " + expr::text(part.term)};
        (on_right ? mistake.claim.rhs : mistake.claim.lhs) = part.with(node(SyntaxKind::multiply, {factor, part.term}));
        out.push_back(std::move(mistake));
      };
      const std::vector<double> values = numbers(claim, part.term, given, dims);
      if (values.size() != left.size()) continue;
      double product = 0, square = 0;
      for (std::size_t i = 0; i < values.size(); ++i) {
        product += (on_right ? left[i] - right[i] : right[i] - left[i]) * values[i];
        square += values[i] * values[i];
      }
      const double c = 1 + part.sign * product / square;
      double weighted = 0;  // the differences that are left, of which the standard error comes
      for (std::size_t i = 0; i < values.size(); ++i) {
        const double rest = (on_right ? left[i] - right[i] : right[i] - left[i]) - product / square * values[i];
        weighted += values[i] * values[i] * rest * rest;
      }
      constexpr double deviations = 4, of_float64 = 0x1p-40;  // in which the sides were computed
      const double tight = deviations * std::sqrt(weighted) / square + of_float64 * c, wide = std::max(tight, rounding_of_constants(given) * c);
      if (!(c > 1e-3) || !(std::abs(c - 1) > std::max(tight, rounding_of_all(given)))) continue;  // what is missing or has another sign is a mistake of its own
      // A constant that was rounded first, where it is too simple to lie so near by chance, before the one that the numbers tell.
      constexpr double unlikely = 0.05;
      const Constant told = simplest(c, c - tight, c + tight), rounded = simplest(c, c - wide, c + wide);
      const bool differ = rounded.literal && told.literal && !expr::same(rounded.literal, told.literal);
      if (differ && rounded.chance < unlikely) with(rounded.literal);
      if (told.literal) with(told.literal);
    }
  }
  return out;
}

/// The rows of a side in the other layout of rotary pairs: neighbours, as they were published, or halves, as many checkpoints have them.
std::vector<Mistake> mistakes_in_layout(const expr::Claim& claim, const campaign::GivenTensors& given, const expr::DimValues& dims) {
  std::vector<Mistake> out;
  constexpr std::int64_t least = 4, most = 256;  // a head has at least two pairs
  const expr::Claim sized = with_given_sizes(claim, given);
  std::int64_t rows = 0, columns = 0;
  try {
    const infer::Problem problem = infer::elaborate(sized);
    const expr::Shape& shape = problem.lhs->shape;
    if (shape.size() != 2 || problem.variables.size() != given.size()) return out;
    rows = expr::evaluate(shape[0], dims);
    columns = expr::evaluate(shape[1], dims);
  } catch (const expr::Error&) {
    return out;
  }
  for (std::int64_t size = least; size <= rows; size += 2) {
    const bool whole = size == rows;  // of all rows: no head, but gate and up by turns, or each for itself
    if (rows % size != 0 || (size > most && !whole)) continue;
    for (const bool back : {false, true}) {
      const std::string pairs_moved = std::string("with the rotary pairs of the rows moved from ") + (back ? "neighbours to halves" : "halves to neighbours") + ", in heads of " + std::to_string(size);
      Mistake mistake{sized, !whole ? pairs_moved : back ? "with the even rows before the odd ones" : "with the rows of both halves by turns"};
      const std::int64_t pairs = size / 2;  // moved, not multiplied by halfperm: that takes minutes for rows of real models
      const Expression apart = expr::call("reshape", {claim.lhs, repair::number(rows / size), repair::number(back ? pairs : 2), repair::number(back ? 2 : pairs), repair::number(columns)});
      const Expression turned = expr::call("transpose", {apart, repair::number(0), repair::number(2), repair::number(1), repair::number(3)});
      mistake.claim.lhs = expr::call("reshape", {turned, repair::number(rows), repair::number(columns)});
      out.push_back(std::move(mistake));
    }
  }
  return out;
}

}  // namespace foldproof::diagnose
