// SPDX-License-Identifier: MIT
#include "verdict/substance.hpp"

#include <algorithm>
#include <set>

#include "expr/diagnostic.hpp"
#include "infer/is_operator.hpp"
#include "infer/visit.hpp"
#include "kernel/algebra.hpp"
#include "kernel/reduction.hpp"
#include "repair/named_sizes.hpp"
#include "verdict/contradiction.hpp"

namespace foldproof::verdict {
namespace {

using Answer = refute::Definedness::Answer;

/// Whether the claim is that one at its sizes, and not only one that looks like it.
bool is_instance_of(const expr::Claim& claim, const infer::Problem& problem, const repair::NamedSizes& named) {
  try {
    kernel::reduce(claim, problem, repair::reduction_of(named));
    return true;
  } catch (const kernel::Reject&) {
  } catch (const expr::Error&) {
  } catch (const expr::LimitReached&) {
  }
  return false;
}

/// Whether something is assumed of the entries of tensors.
bool restricts_entries(const infer::Problem& problem) {
  return std::any_of(problem.facts.begin(), problem.facts.end(), [](const infer::Fact& f) { return f.kind == infer::FactKind::predicate || f.kind == infer::FactKind::relation; });
}

bool has_inverse(const infer::Problem& problem) {
  std::set<const infer::TermNode*> seen;
  bool found = false;
  const auto see = [&](const infer::Term& t) { found = found || infer::is<expr::ops::Inverse, expr::ops::LeftFactor, expr::ops::RightFactor>(t); };
  for (const infer::Term& side : {problem.lhs, problem.rhs}) infer::visit_each(side, seen, see);
  return found;
}

}  // namespace

bool depends_on_sizes(const infer::Problem& problem) { return restricts_entries(problem) || has_inverse(problem); }

Substance substance(const expr::Claim& claim, const infer::Problem& problem, std::uint64_t seed) {
  Substance result{refute::defined_somewhere(problem, seed), std::nullopt, ""};
  if (result.found.answer != Answer::unknown) return result;
  const bool by_order = depends_on_sizes(problem);
  for (const repair::NamedSizes& named : repair::with_small_sizes_named(claim, problem)) {
    if (!is_instance_of(claim, problem, named)) continue;
    try {
      const expr::Claim smaller = by_order ? repair::in_order(named) : named.claim;
      const infer::Problem other = infer::elaborate(smaller);
      refute::Definedness found = refute::defined_somewhere(other, seed);
      const std::string names = "with names for the sizes (" + repair::text(named) + ") ";
      if (found.answer != Answer::unknown) return {std::move(found), std::nullopt, names};  // the first ways leave open most
      if (result.contradiction || !restricts_entries(problem)) continue;
      result.contradiction = contradiction(smaller, other);
      if (result.contradiction) result.names = names;
    } catch (const expr::Error&) {  // such sizes do not fit
    } catch (const expr::LimitReached&) {
    }
  }
  return result;
}

}  // namespace foldproof::verdict
