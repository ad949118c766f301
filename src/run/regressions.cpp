// SPDX-License-Identifier: MIT
#include "run/regressions.hpp"

#include <sstream>

#include "campaign/sides.hpp"
#include "read/parse.hpp"
#include "refute/refute.hpp"
#include "run/exact_number.hpp"

namespace foldproof::run {
namespace {

using numeric::Exact;

numeric::Instance<Exact> instance_of(const record::Regression& regression) {
  numeric::Instance<Exact> instance;
  instance.dims = {regression.dims.begin(), regression.dims.end()};
  for (const auto& t : regression.values) {
    numeric::Tensor<Exact> tensor{t.shape, {}};
    for (const auto& value : t.values) tensor.values.push_back(exact_number(value));
    instance.values[t.name] = std::move(tensor);
  }
  return instance;
}

Replay replay_exactly(const infer::Problem& problem, const record::Regression& regression) {
  const auto counterexample = refute::verify(problem, instance_of(regression));
  if (!counterexample) return {false, "both sides agree"};
  return {true, "the sides still differ, " + counterexample->how};
}

/// In a float format against the bound, or in the exact lane bit for bit.
Replay replay_in_format(const infer::Problem& problem, const record::Regression& regression, const std::string& format, bool exactly) {
  const expr::DimValues dims{regression.dims.begin(), regression.dims.end()};
  campaign::Values values;
  for (const auto& [name, tensor] : instance_of(regression).values) values[name] = numeric::converted<double>(tensor, [](const Exact& v) { return v.to_double(); });
  for (const infer::Variable& v : problem.variables) {
    if (values.count(v.name) == 0) return {true, "the case has no numbers for " + v.name};
  }
  if (!campaign::Sampler(problem, 0, "").satisfied(dims, values)) return {true, "the numbers do not meet the assumptions"};
  campaign::Sides sides(problem, dims, campaign::format_called(format), campaign::Mutation::none);
  if (exactly && sides.exact_bits() == 0) return {true, "the claim has no exact lane in " + format};
  using Outcome = campaign::Comparison::Outcome;
  const campaign::Comparison c = sides.compare(values, exactly ? campaign::Bounds::none : campaign::Bounds::entries);
  switch (c.outcome) {
    case Outcome::within:
    case Outcome::suspicious: return {false, exactly ? "the sides agree bit for bit in " + format : "within the bound in " + format};
    case Outcome::beyond: return {true, (exactly ? "the sides still differ in " : "still beyond the bound in ") + format + ", " + c.element()};
    case Outcome::vacuous: return {true, "there is no finite bound in " + format};
    case Outcome::undefined: return {true, "a side has no value in " + format};
  }
  throw expr::InternalError("an outcome of a comparison");
}

/// The numbers of nested lists, and how they nest.
void flatten(const Json& value, std::size_t axis, record::TensorText& out) {
  if (!value.is_array()) {
    out.values.push_back(value.get<std::string>());
    return;
  }
  if (axis == out.shape.size()) out.shape.push_back(static_cast<std::int64_t>(value.size()));
  for (const Json& part : value) flatten(part, axis + 1, out);
}

record::Regression begun(const Json& claim, const std::string& lane, const Json& dims) {
  record::Regression r{claim.at("id"), claim.at("statement"), lane, {}, {}};
  for (const auto& [name, size] : dims.items()) r.dims[name] = size.get<std::int64_t>();
  return r;
}

std::optional<record::Regression> from_counterexample(const Json& claim) {
  const Json& c = claim.at("counterexample");
  if (c.at("how") != "exact") return std::nullopt;  // enclosures are no literal numbers
  record::Regression r = begun(claim, "exact", c.at("dims"));
  for (const auto& [name, value] : c.at("values").items()) {
    r.values.push_back({name, {}, {}});
    flatten(value, 0, r.values.back());
  }
  return r;
}

record::Regression from_test(const Json& claim) {
  const Json& failure = claim.at("tests").at("failure");
  record::Regression r = begun(claim, failure.at("lane"), failure.at("dims"));
  const infer::Problem problem = infer::elaborate(read::parse_claim(r.claim));
  for (const infer::Variable& v : problem.variables) {
    record::TensorText tensor{v.name, {}, {}};
    for (const expr::Dim& d : v.shape) tensor.shape.push_back(expr::evaluate(d, {r.dims.begin(), r.dims.end()}));
    std::istringstream words(failure.at("values").at(v.name).get<std::string>());
    for (std::string word; words >> word;) tensor.values.push_back(word);
    r.values.push_back(std::move(tensor));
  }
  return r;
}

}  // namespace

std::optional<record::Regression> regression_of(const Entry& entry) {
  const Json& claim = entry.record;
  if (claim.at("expect") == "proved" && claim.at("counterexample").is_object()) return from_counterexample(claim);
  const Json& tests = claim.at("tests");
  if (claim.at("verdict") == "proved" && tests.is_object() && tests.contains("failure") && tests.at("failure").is_object()) return from_test(claim);
  return std::nullopt;
}

Replay replay(const record::Regression& regression) {
  try {
    const infer::Problem problem = infer::elaborate(read::parse_claim(regression.claim));
    if (regression.lane == "exact") return replay_exactly(problem, regression);
    const std::string prefix = "exact lane, ";
    const bool exactly = regression.lane.rfind(prefix, 0) == 0;
    return replay_in_format(problem, regression, exactly ? regression.lane.substr(prefix.size()) : regression.lane, exactly);
  } catch (const std::exception& e) {
    return {true, std::string("cannot be replayed: ") + e.what()};
  }
}

Replay replay(const record::Regression& regression, const record::ClaimRecord* today) {
  if (today == nullptr || today->text == regression.claim) {
    if (today != nullptr && expectation(*today) != "proved") return {false, "the claim is now expected to be " + expectation(*today)};
    return replay(regression);
  }
  if (expectation(*today) != "proved") return {false, "the claim is now expected to be " + expectation(*today)};
  record::Regression now = regression;
  now.claim = today->text;
  Replay result = replay(now);
  result.detail += result.fails ? "; the claim was changed since the case was stored: remove the case if it says nothing about the new one" : ", as the claim stands now";
  return result;
}

}  // namespace foldproof::run
