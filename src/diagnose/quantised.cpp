// SPDX-License-Identifier: MIT
#include "diagnose/quantised.hpp"

#include <algorithm>
#include <cmath>

#include "diagnose/side_values.hpp"
#include "expr/build.hpp"

namespace foldproof::diagnose {
namespace {

using expr::Expression;
using expr::node;
using expr::SyntaxKind;

/// Integers of several sizes: masks and gains of ones are none.
bool holds_integers(const campaign::GivenTensor& tensor) {
  return std::all_of(tensor.values.begin(), tensor.values.end(), [](double v) { return std::isfinite(v) && v == std::round(v); }) && has_several_numbers(tensor);
}
/// A tensor of 16 bits is a weight, of which others are computed.
bool has_eight_bits(const campaign::GivenTensor& tensor) { return !tensor.format.empty() && campaign::format_called(tensor.format).precision < campaign::format_called("bfloat16").precision; }

/// q, q.T, q[:, None]: the name of the tensor, where it is one of those; else empty.
std::string quantised_name(const Expression& e, const campaign::GivenTensors& tensors) {
  if (e->kind == SyntaxKind::transpose || e->kind == SyntaxKind::index) return quantised_name(e->args[0], tensors);
  const auto at = e->kind == SyntaxKind::name ? tensors.find(e->name) : tensors.end();
  return at != tensors.end() && (has_eight_bits(at->second) || holds_integers(at->second)) ? e->name : "";
}

struct Solved {
  Expression tensor, value;
  std::string name;
};
/// tensor == value, of side == value.
std::optional<Solved> solved(const Expression& side, const Expression& value, const campaign::GivenTensors& tensors) {
  if (const std::string name = quantised_name(side, tensors); !name.empty()) return expr::mentions(value, name) ? std::nullopt : std::optional(Solved{side, value, name});
  const bool product = side->kind == SyntaxKind::multiply;
  if (!product && side->kind != SyntaxKind::divide) return std::nullopt;
  for (std::size_t k = 0; k < (product ? std::size_t{2} : std::size_t{1}); ++k) {
    if (auto found = solved(side->args[k], node(product ? SyntaxKind::divide : SyntaxKind::multiply, {value, side->args[1 - k]}), tensors)) return found;
  }
  return std::nullopt;
}

/// relu(abs(tensor - value) - room) == 0
expr::Claim is_within(expr::Claim claim, const Solved& of, const expr::Rational& room) {
  const Expression distance = expr::call("abs", {node(SyntaxKind::subtract, {of.tensor, of.value})});
  claim.lhs = expr::call("relu", {node(SyntaxKind::subtract, {distance, expr::number(room)})});
  claim.rhs = expr::number(0);
  return claim;
}

}  // namespace

std::optional<Quantisation> as_quantisation(const expr::Claim& claim, const campaign::GivenTensors& tensors) {
  for (const bool right : {true, false}) {
    const Expression &side = right ? claim.rhs : claim.lhs, &other = right ? claim.lhs : claim.rhs;
    if (!quantised_name(other, tensors).empty()) continue;  // neither has more digits
    const auto found = side->kind == SyntaxKind::multiply || side->kind == SyntaxKind::divide ? solved(side, other, tensors) : std::nullopt;
    if (!found) continue;
    if (!has_eight_bits(tensors.at(found->name))) return Quantisation{is_within(claim, *found, expr::Rational(1, 2)), found->name, is_within(claim, *found, expr::Rational(1, 4))};
    Quantisation out{claim, found->name, std::nullopt};
    out.claim.lhs = found->tensor;
    out.claim.rhs = found->value;
    return out;
  }
  return std::nullopt;
}

}  // namespace foldproof::diagnose
