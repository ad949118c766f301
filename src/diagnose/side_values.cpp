// SPDX-License-Identifier: MIT
#include "diagnose/side_values.hpp"

#include <algorithm>
#include <set>

#include "expr/diagnostic.hpp"
#include "infer/names.hpp"

namespace foldproof::diagnose {

expr::Claim with_shapes(const expr::Claim& claim) {
  expr::Claim shaped = claim;
  for (const infer::Variable& v : infer::elaborate(claim).variables) {
    const bool declared = std::any_of(claim.declarations.begin(), claim.declarations.end(), [&](const auto& d) { return d.name == v.name; });
    const bool is_written = infer::is_written(v.name) && std::none_of(v.shape.begin(), v.shape.end(), expr::mentions_rank);
    if (!declared && is_written) shaped.declarations.push_back({v.name, v.shape, {}});
  }
  return shaped;
}

std::optional<campaign::Evaluated> value_of(const expr::Claim& claim, const expr::Expression& e, const campaign::GivenTensors& given, const expr::DimValues& dims) {
  try {
    expr::Claim alone = with_shapes(claim);  // `m == m` by itself is about sizes
    alone.lhs = e;
    alone.rhs = e;
    const infer::Problem problem = infer::elaborate(alone);
    return campaign::evaluate_on(problem, campaign::those_of(problem, given), dims);
  } catch (const expr::Error&) {
  } catch (const expr::LimitReached&) {
  }
  return std::nullopt;
}

bool has_several_numbers(const campaign::GivenTensor& tensor) {
  constexpr std::size_t several = 8;
  std::set<double> different;
  for (auto v = tensor.values.begin(); v != tensor.values.end() && different.size() < several; ++v) different.insert(*v);
  return different.size() == several;
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
