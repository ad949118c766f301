// SPDX-License-Identifier: MIT
#include "report/regressions.hpp"

#include "refute/refute.hpp"

namespace foldproof::report {
namespace {

using expr::SyntaxKind;
using numeric::Exact;

/// The number that the text of a counterexample stands for: rationals and multiples of log(2).
Exact constant(const expr::Expression& e) {
  switch (e->kind) {
    case SyntaxKind::number: return Exact::from(e->value);
    case SyntaxKind::negate: return Exact(0) - constant(e->args[0]);
    case SyntaxKind::add: return constant(e->args[0]) + constant(e->args[1]);
    case SyntaxKind::subtract: return constant(e->args[0]) - constant(e->args[1]);
    case SyntaxKind::multiply: return constant(e->args[0]) * constant(e->args[1]);
    case SyntaxKind::divide: return constant(e->args[0]) / constant(e->args[1]);
    case SyntaxKind::call:
      if (e->name == "log" && e->args.size() == 1) return log(constant(e->args[0]));
      break;
    default: break;
  }
  expr::fail("regression.value", "`" + expr::text(e) + "` is no exact number", e->span);
}

Exact number(const std::string& text) {
  if (const auto q = numeric::Rational::parse(text)) return Exact(*q);
  return constant(expr::parse_expression(text));
}

numeric::Instance<Exact> instance_of(const record::Regression& regression) {
  numeric::Instance<Exact> instance;
  instance.dims = {regression.dims.begin(), regression.dims.end()};
  for (const auto& t : regression.values) {
    numeric::Tensor<Exact> tensor{t.shape, {}};
    for (const auto& value : t.values) tensor.values.push_back(number(value));
    instance.values[t.name] = std::move(tensor);
  }
  return instance;
}

Replay replay_exactly(const infer::Problem& problem, const record::Regression& regression) {
  const auto counterexample = refute::verify(problem, instance_of(regression));
  if (!counterexample) return {false, "both sides agree"};
  return {true, "the sides still differ, " + counterexample->how};
}

Replay replay_in_format(const infer::Problem& problem, const record::Regression& regression) {
  std::map<std::string, campaign::GivenTensor> given;
  for (const auto& [name, tensor] : instance_of(regression).values) {
    campaign::GivenTensor g{tensor.shape, {}, regression.lane};
    for (const Exact& value : tensor.values) g.values.push_back(value.to_double());
    given[name] = std::move(g);
  }
  campaign::GivenOptions options;
  options.draws = 1;
  options.dims = {regression.dims.begin(), regression.dims.end()};
  options.formats = {regression.lane};
  const auto results = campaign::run_on(problem, given, options);
  if (results.size() != 1 || results[0].cases == 0) return {true, "the case could not be evaluated in " + regression.lane};
  if (results[0].beyond == 0) return {false, "within the bound in " + regression.lane};
  return {true, "still beyond the bound in " + regression.lane};
}

std::optional<record::Regression> from_counterexample(const ClaimResult& result) {
  const refute::Counterexample& c = *result.decision->counterexample;
  if (c.how != "exact") return std::nullopt;  // enclosures are no literal numbers
  record::Regression r{result.claim.id, result.claim.text, "exact", {c.instance.dims.begin(), c.instance.dims.end()}, {}};
  for (const auto& [name, tensor] : c.values) r.values.push_back({name, tensor.shape, tensor.values});
  return r;
}

std::optional<record::Regression> from_test(const ClaimResult& result) {
  const campaign::MinimalCase& m = *result.campaign->failure;
  const std::string prefix = "exact lane, ";
  record::Regression r{result.claim.id, result.claim.text, m.lane.rfind(prefix, 0) == 0 ? m.lane.substr(prefix.size()) : m.lane, {m.dims.begin(), m.dims.end()}, {}};
  for (const auto& [name, tensor] : m.values) {
    record::RegressionTensor t{name, tensor.shape, {}};
    for (const double value : tensor.values) t.values.push_back(numeric::Rational::from_double(value).text());
    r.values.push_back(std::move(t));
  }
  return r;
}

}  // namespace

std::optional<record::Regression> regression_of(const ClaimResult& result) {
  if (!result.decision) return std::nullopt;
  const bool expected = !result.claim.expect || *result.claim.expect == "proved";
  if (expected && result.claim.expect && result.decision->counterexample) return from_counterexample(result);
  if (result.decision->verdict == Verdict::proved && result.campaign && result.campaign->failure) return from_test(result);
  return std::nullopt;
}

Replay replay(const record::Regression& regression) {
  try {
    const infer::Problem problem = infer::elaborate(expr::parse_claim(regression.claim));
    return regression.lane == "exact" ? replay_exactly(problem, regression) : replay_in_format(problem, regression);
  } catch (const std::exception& e) {
    return {true, std::string("cannot be replayed: ") + e.what()};
  }
}

}  // namespace foldproof::report
