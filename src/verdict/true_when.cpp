// SPDX-License-Identifier: MIT
#include "verdict/true_when.hpp"

#include "kernel/reduction.hpp"
#include "prove/prove.hpp"
#include "repair/places.hpp"

namespace foldproof::verdict {
namespace {

bool is_proved_within(const expr::Claim& general, const infer::Problem& problem, const refute::ThinSet& thin) {
  expr::Claim claim = kernel::declared(general, problem);  // sizes have names there
  const auto one = thin.value.constant();
  claim.assumptions.push_back({repair::named(thin.size), expr::Relation::equal, one ? repair::number(*one) : repair::named(expr::text(thin.value)), {}});
  try {
    return prove::prove_shortly(claim, infer::elaborate(claim), prove::few_steps).certificate.has_value();
  } catch (const expr::Error&) {  // the sizes are not free to be equal
  } catch (const expr::LimitReached&) {
  }
  return false;
}

}  // namespace

std::vector<std::string> true_when(const expr::Claim& claim, const infer::Problem& problem, const expr::DimValues& failed, const refute::Options& options) {
  constexpr int few = 2, many = 20;  // random instances a shape
  std::vector<std::string> found;
  for (const refute::ThinSet& thin : refute::thin_sets(problem, failed, options)) {
    const std::string where = thin.size + " = " + expr::text(thin.value);
    if (refute::holding_instances(problem, thin, few, options) == 0) continue;
    if (is_proved_within(claim, problem, thin)) {
      found.push_back(where + " (proved)");
      continue;
    }
    if (!problem.ranks.empty() && !thin.value.constant()) continue;  // of small equal sizes r * s <= r + s holds by chance
    const int holds = refute::holding_instances(problem, thin, many, options);
    if (holds > 0 && !refute::refuted_within(problem, thin, options)) found.push_back(where + " (held in all " + std::to_string(holds) + " instances tested)");
  }
  return found;
}

}  // namespace foldproof::verdict
