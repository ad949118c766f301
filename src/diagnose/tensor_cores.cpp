// SPDX-License-Identifier: MIT
#include "diagnose/tensor_cores.hpp"

#include <bit>
#include <cstdint>
#include <functional>
#include <map>
#include <string>

#include "infer/is_operator.hpp"

namespace foldproof::diagnose {
namespace {

using infer::Term;

/// What is added to the bits of a float32 before those that TF32 does not have are cut off, see cvt.rna and cvt.rz of PTX; for ties to even one less
/// where the last bit that is kept is 0.
enum class Ties { even, away, cut };

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
void count(const Term& t, Uses& uses) {
  if (t->kind == infer::TermKind::variable) ++uses.anywhere[t->name];
  for (const Term& a : t->args) {
    if (infer::is<expr::ops::Matmul>(t)) {
      const std::function<void(const Term&)> note = [&](const Term& x) {
        if (x->kind == infer::TermKind::variable) ++uses.in_products[x->name];
        for (const Term& y : x->args) note(y);
      };
      uses.computed = uses.computed || !infer::only_moves(a);
      if (infer::only_moves(a)) note(a);
    }
    count(a, uses);
  }
}

}  // namespace

std::vector<run::Given> as_tensor_cores_take(const infer::Problem& problem, const run::Given& given) {
  Uses uses;
  for (const Term& side : {problem.lhs, problem.rhs}) count(side, uses);
  bool possible = !uses.computed && !uses.in_products.empty();
  for (const auto& [name, times] : uses.anywhere) possible = possible && (uses.in_products.count(name) == 0 || uses.in_products.at(name) == times);
  for (const auto& [name, tensor] : given.tensors) possible = possible && tensor.format == "float32";
  std::vector<run::Given> found;
  for (const Ties ties : {Ties::even, Ties::away, Ties::cut}) {
    if (!possible) break;
    run::Given taken = given;
    bool changed = false;  // or they have no more bits
    for (const auto& [name, times] : uses.in_products) {
      for (double& v : taken.tensors.at(name).values) {
        const double bits = with_eleven_bits(v, ties);
        changed = changed || bits != v;
        v = bits;
      }
    }
    if (changed) found.push_back(std::move(taken));
  }
  return found;
}

}  // namespace foldproof::diagnose
