// SPDX-License-Identifier: MIT
#include "diagnose/weaker_claim.hpp"

#include <algorithm>

#include "diagnose/side_values.hpp"
#include "expr/build.hpp"
#include "numeric/random.hpp"

namespace foldproof::diagnose {
namespace {

/// Numbers that have nothing to do with those of the tensors; of their signs, so that roots of them have values, and for zeros alone above zero.
campaign::GivenTensors other_numbers(const campaign::GivenTensors& tensors, std::uint64_t draw) {
  campaign::GivenTensors out = tensors;
  for (auto& [name, tensor] : out) {
    const numeric::Stream stream(draw, numeric::mix(1, name));
    const bool is_zero = std::all_of(tensor.values.begin(), tensor.values.end(), [](double v) { return v == 0; });
    for (std::size_t i = 0; i < tensor.values.size(); ++i) {
      const double factor = 1.25 + 0.75 * numeric::dyadic(stream.draw(i, 0), 20);  // between 1/2 and 2
      tensor.values[i] = is_zero ? factor : factor * tensor.values[i];
    }
    tensor.format.clear();
  }
  return out;
}

expr::Expression difference(const expr::Claim& claim) { return expr::node(expr::SyntaxKind::subtract, {claim.lhs, claim.rhs}); }

/// As many numbers as those of the other expression: of a row or a column every one as often as the other has entries beside it.
expr::Expression spread(const expr::Expression& e, const expr::Expression& other) {
  return expr::node(expr::SyntaxKind::add, {e, expr::node(expr::SyntaxKind::multiply, {expr::number(0), other})});
}

/// Whether the number lies between 0 and the other one, as far as their bounds tell.
bool is_between(const campaign::SideEntry& number, const campaign::SideEntry& other) {
  const double room = number.bound + other.bound;
  return number.value >= std::min(0.0, other.value) - room && number.value <= std::max(0.0, other.value) + room;
}

}  // namespace

bool says_no_more(const expr::Claim& known, const expr::Claim& claim, const campaign::GivenTensors& given, const expr::DimValues& dims) {
  constexpr std::size_t enough = 64;  // entries: what says something else is elsewhere at about every other one
  std::size_t seen = 0;
  for (std::uint64_t draw = 0; seen < enough; ++draw) {
    const campaign::GivenTensors others = other_numbers(given, draw);
    const auto violation = value_of(known, difference(known), others, dims), left = value_of(claim, spread(difference(claim), difference(known)), others, dims);
    if (!violation || !left || violation->entries.size() != left->entries.size() || left->entries.empty()) return false;
    if (!std::equal(left->entries.begin(), left->entries.end(), violation->entries.begin(), is_between)) return false;
    seen += left->entries.size();
  }
  return true;
}

}  // namespace foldproof::diagnose
