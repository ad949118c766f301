// SPDX-License-Identifier: MIT
#include "diagnose/tensor_cores.hpp"

#include <bit>
#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "infer/is_operator.hpp"

namespace foldproof::diagnose {
namespace {

using infer::Term;

/// The last 13 bits of a float32 are cut off after what rounds it is added, as cvt.rna and cvt.rz of PTX do.
double with_eleven_bits(double value, Ties ties) {
  constexpr std::uint32_t dropped = 13, half = 1U << (dropped - 1);
  auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(value));
  if (ties == Ties::away) bits += half;
  if (ties == Ties::even) bits += half - 1 + (bits >> dropped & 1U);
  return std::bit_cast<float>(bits >> dropped << dropped);
}

/// How often each variable stands in the term, and how often as an operand of a product of matrices.
struct Uses {
  std::map<std::string, int> anywhere, in_products;
  bool computed = false;  ///< an operand is
};
void count(const Term& t, bool in_product, Uses& uses) {
  if (t->kind == infer::TermKind::variable) {
    ++uses.anywhere[t->name];
    if (in_product) ++uses.in_products[t->name];
  }
  const bool multiplies = infer::is<expr::ops::Matmul>(t);
  for (const Term& a : t->args) {
    uses.computed = uses.computed || (multiplies && !infer::only_moves(a));
    count(a, in_product || multiplies, uses);
  }
}

}  // namespace

std::optional<run::Given> as_tensor_cores_take(const infer::Problem& problem, const run::Given& given, Ties ties) {
  Uses uses;
  for (const Term& side : {problem.lhs, problem.rhs}) count(side, false, uses);
  bool possible = !uses.computed;
  for (const auto& [name, times] : uses.in_products) possible = possible && uses.anywhere.at(name) == times;
  for (const auto& [name, tensor] : given.tensors) possible = possible && tensor.format == "float32";
  if (!possible) return std::nullopt;
  run::Given taken = given;
  bool changed = false;
  for (const auto& [name, times] : uses.in_products) {
    for (double& v : taken.tensors.at(name).values) {
      const double bits = with_eleven_bits(v, ties);
      changed = changed || bits != v;
      v = bits;
    }
  }
  return changed ? std::optional(std::move(taken)) : std::nullopt;
}

}  // namespace foldproof::diagnose
