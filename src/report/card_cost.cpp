// SPDX-License-Identifier: MIT
#include <algorithm>
#include <numeric>
#include <set>

#include "cost/cost.hpp"
#include "cost/crossover.hpp"
#include "report/card.hpp"

namespace foldproof::report {

namespace {

/// Names that claims give to tokens, queries, keys, values, scores and patterns rather than to weights.
const std::set<std::string> usual_data = {"X", "Y", "Z", "x", "y", "z", "Q", "K", "V", "S", "H", "E", "C", "c", "t"};

std::set<std::string> data_of(const infer::Problem& problem, const std::vector<std::string>& named) {
  if (!named.empty()) return {named.begin(), named.end()};
  std::set<std::string> out;
  for (const infer::Variable& v : problem.variables) {
    if (usual_data.count(v.name) > 0) out.insert(v.name);
  }
  return out.empty() ? cost::default_data(problem) : out;
}

/// Whether the claim is about instances of these sizes.
bool allowed(const infer::Problem& problem, const expr::DimValues& sizes) {
  for (const infer::Fact& fact : problem.facts) {
    if (fact.kind != infer::FactKind::dimension) continue;
    if (!cost::known(fact.lhs_size, sizes) || !cost::known(fact.rhs_size, sizes)) return false;
    const std::int64_t a = expr::evaluate(fact.lhs_size, sizes);
    const std::int64_t b = expr::evaluate(fact.rhs_size, sizes);
    using expr::Relation;
    const bool holds = fact.relation == Relation::equal           ? a == b
                       : fact.relation == Relation::less_equal    ? a <= b
                       : fact.relation == Relation::less          ? a < b
                       : fact.relation == Relation::greater_equal ? a >= b
                       : fact.relation == Relation::greater       ? a > b
                                                                  : a != b;
    if (!holds) return false;
  }
  return true;
}

CostRow row(const char* what, const expr::Dim& lhs, const expr::Dim& rhs, const expr::DimValues& sizes, bool numbers) {
  CostRow out{what, expr::text(lhs), expr::text(rhs), std::nullopt, std::nullopt, text(cost::crossover(lhs, rhs, numbers ? sizes : expr::DimValues{}))};
  if (numbers && cost::known(lhs, sizes) && cost::known(rhs, sizes)) {
    out.lhs_value = expr::evaluate(lhs, sizes);
    out.rhs_value = expr::evaluate(rhs, sizes);
  }
  return out;
}

}  // namespace

const expr::DimValues& usual_sizes() {
  static const expr::DimValues sizes = {{"d", 512}, {"d_model", 512}, {"p", 512}, {"k", 64}, {"d_k", 64}, {"v", 64}, {"d_v", 64}, {"h", 8},
                                        {"f", 2048}, {"d_ff", 2048}, {"r", 8},   {"n", 128}, {"m", 128}};
  return sizes;
}

std::optional<CardCost> card_cost(const infer::Problem& problem, const expr::DimValues& sizes, std::vector<std::string> data) {
  const std::set<std::string> names = data_of(problem, data);
  const cost::SideCost lhs = cost::cost(problem.lhs, names);
  const cost::SideCost rhs = cost::cost(problem.rhs, names);
  if (lhs.parameters.is_zero() && lhs.multiply_adds.is_zero() && rhs.parameters.is_zero() && rhs.multiply_adds.is_zero()) return std::nullopt;
  const bool numbers = allowed(problem, sizes);
  CardCost out;
  for (const std::string& name : names) out.data += (out.data.empty() ? "" : ", ") + name;
  out.rows = {row("parameters", lhs.parameters, rhs.parameters, sizes, numbers), row("multiply-adds", lhs.multiply_adds, rhs.multiply_adds, sizes, numbers)};
  std::vector<std::string> used;
  for (const expr::Dim* d : {&lhs.parameters, &rhs.parameters, &lhs.multiply_adds, &rhs.multiply_adds}) expr::collect_names(*d, used);
  std::sort(used.begin(), used.end());
  used.erase(std::unique(used.begin(), used.end()), used.end());
  const bool valued = std::any_of(out.rows.begin(), out.rows.end(), [](const CostRow& r) { return r.lhs_value && r.rhs_value; });
  for (const std::string& name : used) {
    if (valued && sizes.count(name) > 0) out.sizes += (out.sizes.empty() ? "" : ", ") + name + " = " + std::to_string(sizes.at(name));
  }
  return out;
}

std::string compared(const CostRow& row) {
  if (!row.lhs_value || !row.rhs_value || *row.lhs_value == 0 || *row.rhs_value == 0) return "";
  if (*row.lhs_value == *row.rhs_value) return "as many";
  const std::int64_t large = std::max(*row.lhs_value, *row.rhs_value);
  const std::int64_t small = std::min(*row.lhs_value, *row.rhs_value);
  // Hundredths, rounded down: never more than there is.
  const std::int64_t whole = large / small;
  const std::int64_t rest = static_cast<std::int64_t>(static_cast<double>(large % small) / static_cast<double>(small) * 100.0);
  if (whole == 1 && rest == 0) return row.lhs_value > row.rhs_value ? "slightly fewer" : "slightly more";
  std::string times = std::to_string(whole);
  if (rest > 0 && whole < 100) times += "." + std::string(rest < 10 ? "0" : "") + std::to_string(rest % 10 == 0 ? rest / 10 : rest);
  return times + (row.lhs_value > row.rhs_value ? " times fewer" : " times more");
}

}  // namespace foldproof::report
