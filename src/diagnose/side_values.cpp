// SPDX-License-Identifier: MIT
#include "diagnose/side_values.hpp"

#include "expr/diagnostic.hpp"

namespace foldproof::diagnose {

std::optional<campaign::Evaluated> value_of(const expr::Claim& claim, const expr::Expression& e, const campaign::GivenTensors& given, const expr::DimValues& dims) {
  try {
    expr::Claim alone = claim;
    alone.lhs = e;
    alone.rhs = e;
    const infer::Problem problem = infer::elaborate(alone);
    return campaign::evaluate_on(problem, campaign::those_of(problem, given), dims);
  } catch (const expr::Error&) {
  } catch (const expr::LimitReached&) {
  }
  return std::nullopt;
}

expr::Claim with_given_sizes(const expr::Claim& claim, const campaign::GivenTensors& given) {
  expr::Claim sized = claim;
  sized.declarations.clear();
  for (const auto& [name, tensor] : given) {
    expr::Shape shape;
    for (const std::int64_t n : tensor.shape) shape.emplace_back(n);
    sized.declarations.push_back({name, shape, {}});
  }
  return sized;
}

}  // namespace foldproof::diagnose
