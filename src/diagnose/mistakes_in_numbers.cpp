// SPDX-License-Identifier: MIT
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

/// The simplest fraction near c > 0, when there is one that people would use as a scale; c is measured, with rounding errors.
struct Fraction {
  std::int64_t above, below;
};
std::optional<Fraction> simple_fraction(double c) {
  constexpr std::int64_t largest_divisor = 64, largest = 1024;
  for (std::int64_t q = 1; q <= largest_divisor; ++q) {
    const double p = std::round(c * static_cast<double>(q));
    if (p >= 1 && p <= static_cast<double>(largest) && std::abs(c - p / static_cast<double>(q)) <= 1e-3 * c) return Fraction{static_cast<std::int64_t>(p), q};
  }
  return std::nullopt;
}

Expression literal(const Fraction& value) {
  const Expression above = repair::number(value.above);
  return value.below == 1 ? above : node(SyntaxKind::divide, {above, repair::number(value.below)});
}

bool is_square(std::int64_t n) {
  const auto root = static_cast<std::int64_t>(std::round(std::sqrt(static_cast<double>(n))));
  return root * root == n;
}

}  // namespace

/// The factor with which the term makes the sides most alike: least squares over their difference.
std::vector<Mistake> mistakes_in_scale(const expr::Claim& claim, const campaign::GivenTensors& given, const expr::DimValues& dims) {
  std::vector<Mistake> out;
  const std::vector<double> left = numbers(claim, claim.lhs, given, dims), right = numbers(claim, claim.rhs, given, dims);
  if (left.empty() || left.size() != right.size()) return out;
  std::vector<SideTerm> sides[2];
  for (const bool on_right : {false, true}) sides[on_right] = terms_of(on_right ? claim.rhs : claim.lhs);
  if (sides[0].size() == 1 && sides[1].size() == 1) sides[1].clear();  // one over the other
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
      if (!(c > 1e-3) || std::abs(c - 1) < 1e-3) continue;  // what is missing or has another sign is a mistake of its own
      const auto fraction = simple_fraction(c), square_of = simple_fraction(c * c);
      if (fraction) with(literal(*fraction));
      if (square_of && !(is_square(square_of->above) && is_square(square_of->below))) with(expr::call("sqrt", {literal(*square_of)}));
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
  for (std::int64_t size = least; size <= std::min(most, rows); size += 2) {
    if (rows % size != 0) continue;
    for (const bool back : {false, true}) {
      Mistake mistake{sized, std::string("with the rotary pairs of the rows moved from ") + (back ? "neighbours to halves" : "halves to neighbours") + ", in heads of " + std::to_string(size)};
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
