// SPDX-License-Identifier: MIT
#include "report/ranks.hpp"

#include "infer/names.hpp"
#include "infer/problem.hpp"

namespace foldproof::report {

expr::Ranks ranks(const expr::Claim& claim) {
  expr::Ranks out;
  for (const std::string& size : infer::read_names(claim).sizes) out[size] = 0;
  try {
    const infer::Problem problem = infer::elaborate(claim);
    for (const std::string& size : problem.dimensions) out[size] = 0;
    for (const auto* variables : {&problem.variables, &problem.replaced}) {
      for (const infer::Variable& v : *variables) out[v.name] = v.shape.size();
    }
  } catch (const expr::Error&) {
  } catch (const expr::LimitReached&) {
  }
  return expr::with_own_ranks(claim, out);
}

}  // namespace foldproof::report
