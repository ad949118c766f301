// SPDX-License-Identifier: MIT
// foldproof cost: what both sides of a claim store and compute, symbolically and at given sizes.
#include "cost/cost.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>

#include "cost/crossover.hpp"
#include "cost/measure.hpp"
#include "cost/product_order.hpp"
#include "expr/nearest.hpp"
#include "read/parse.hpp"
#include "read/statements.hpp"
#include "record/json.hpp"
#include "tool/command.hpp"
#include "tool/input.hpp"

namespace foldproof::tool {

namespace {

Json quantity(const expr::Dim& d, const expr::DimValues& sizes) {
  return {{"formula", expr::text(d)}, {"value", cost::known(d, sizes) ? Json(expr::evaluate(d, sizes)) : Json(nullptr)}};
}

Json side_json(const cost::SideCost& side, const expr::DimValues& sizes, const std::string& claim) {
  Json out;
  out["parameters"] = quantity(side.parameters, sizes);
  out["multiply_adds"] = quantity(side.multiply_adds, sizes);
  out["activations"] = quantity(side.activations, sizes);
  out["bytes_float32"] = quantity(side.parameters * expr::Dim(4), sizes);
  out["bytes_16_bit"] = quantity(side.parameters * expr::Dim(2), sizes);
  out["reads_float32"] = quantity(side.reads() * expr::Dim(4), sizes);
  out["reads_16_bit"] = quantity(side.reads() * expr::Dim(2), sizes);
  out["stored"] = Json::array();
  for (const cost::Parameter& p : side.stored) {
    Json one = quantity(p.entries, sizes);
    one["name"] = p.name.empty() ? read::claim_line(claim.substr(p.span.begin, p.span.end - p.span.begin), 200) : p.name;
    out["stored"].push_back(std::move(one));
  }
  return out;
}

// The cheapest order twice: every product counted, and products of parameters computed once. null where sizes are missing.
Json orders_json(const infer::Problem& problem, const infer::Term& side, const std::set<std::string>& data, const expr::DimValues& sizes,
                         const std::string& claim) {
  std::set<std::string> everything;
  for (const infer::Variable& v : problem.variables) everything.insert(v.name);
  Json out;
  for (const auto& [name, counted] : {std::pair<const char*, const std::set<std::string>*>("all_computed", &everything), {"parameters_folded", &data}}) {
    const auto order = cost::cheapest_order(side, *counted, sizes, claim);
    const expr::Dim products = cost::cost(order ? order->side : side, *counted).multiply_adds;
    if (!order || !cost::known(products, sizes)) return nullptr;
    out[name] = {{"expression", read::claim_line(order->expression, 200)}, {"multiply_adds", expr::evaluate(products, sizes)}, {"as_written", !order->changed}};
  }
  return out;
}

Json crossover_json(const cost::Crossover& crossover) {
  Json out;
  out["text"] = cost::text(crossover);
  out["difference"] = expr::text(crossover.difference);
  out["conditions"] = Json::array();
  for (const cost::Condition& c : crossover.conditions) {
    out["conditions"].push_back({{"symbol", c.symbol},
                                 {"relation", c.relation},
                                 {"bound", c.bound},
                                 {"value", c.value ? Json(*c.value) : Json(nullptr)},
                                 {"holds", c.holds ? Json(*c.holds) : Json(nullptr)}});
  }
  return out;
}

// Which side saves: the one that folds, or the right one when both or none do.
Json savings_json(const cost::SideCost& lhs, const cost::SideCost& rhs, const expr::DimValues& sizes) {
  const bool left = lhs.folds() && !rhs.folds();
  const cost::SideCost& saving = left ? lhs : rhs;
  const cost::SideCost& other = left ? rhs : lhs;
  Json out;
  out["side"] = left ? "lhs" : "rhs";
  out["folding"] = lhs.folds() != rhs.folds();
  out["parameters"] = crossover_json(cost::crossover(other.parameters, saving.parameters, sizes));
  out["multiply_adds"] = crossover_json(cost::crossover(other.multiply_adds, saving.multiply_adds, sizes));
  return out;
}

Json side_time(const cost::SideTime& time) { return {{"median_s", time.median}, {"fastest_s", time.fastest}, {"slowest_s", time.slowest}}; }

Json measured_json(const infer::Problem& problem, const std::set<std::string>& data, const expr::DimValues& sizes, const Json& lhs,
                           const Json& rhs) {
  for (const std::string& name : problem.dimensions) {
    if (sizes.count(name) == 0) expr::fail("usage", "--measure needs a size for `" + name + "`", {}, "add --dim " + name + "=64");
  }
  const cost::Measurement m = cost::measure(problem, data, sizes);
  if (!m.not_measured.empty()) return {{"not_measured", m.not_measured}};
  Json out;
  out["lhs"] = side_time(m.lhs);
  out["rhs"] = side_time(m.rhs);
  out["samples"] = m.samples;
  out["ratio"] = m.rhs.median > 0 ? Json(m.lhs.median / m.rhs.median) : Json(nullptr);
  const auto right = rhs["multiply_adds"]["value"].get<std::int64_t>();
  out["predicted_ratio"] = right > 0 ? Json(lhs["multiply_adds"]["value"].get<double>() / static_cast<double>(right)) : Json(nullptr);
  out["largest_gap"] = m.largest_gap;
  return out;
}

std::string shown(const Json& quantity) {
  const auto formula = quantity["formula"].get<std::string>();
  if (quantity["value"].is_null()) return formula;
  const std::string value = std::to_string(quantity["value"].get<std::int64_t>());
  return value == formula ? value : value + "  = " + formula;
}

void print_side(const char* name, const std::string& text, const Json& side, const Json& orders) {
  std::cout << fmt::format("  {}  {}\n", name, text);
  for (const char* key : {"parameters", "multiply_adds", "activations", "bytes_float32", "bytes_16_bit", "reads_float32", "reads_16_bit"})
    std::cout << fmt::format("    {:<14} {}\n", key, shown(side[key]));
  for (const Json& p : side["stored"]) std::cout << fmt::format("      {:<24} {}\n", p["name"].get<std::string>(), shown(p));
  if (orders.is_null()) return;
  for (const auto& [key, what] : {std::pair("all_computed", "every product counted"), std::pair("parameters_folded", "products of parameters computed once")}) {
    const Json& order = orders[key];
    std::cout << fmt::format("    cheapest order, {}: {}  {} multiply-adds{}\n", what, order["expression"].get<std::string>(),
                             order["multiply_adds"].get<std::int64_t>(), order["as_written"] == true ? ", as written" : "");
  }
}

void print_savings(const Json& savings) {
  const auto side = savings["side"].get<std::string>();
  for (const auto& [key, what] : {std::pair("parameters", "parameters"), std::pair("multiply_adds", "multiply-adds")}) {
    const auto when = savings[key]["text"].get<std::string>();
    std::cout << "  " << (savings["folding"] == true ? "folding (" + side + ") saves " : side + " saves ") << what << ": " << when << "\n";
  }
}

void print_measured(const Json& m) {
  if (m.contains("not_measured")) {
    std::cout << "  not measured: there is no float32 program for " << m["not_measured"].get<std::string>() << "\n";
    return;
  }
  const auto milliseconds = [&](const char* side) { return 1000 * m[side]["median_s"].get<double>(); };
  std::cout << fmt::format("  measured, float32, median of {} samples: lhs {:.4g} ms, rhs {:.4g} ms\n", m["samples"].get<std::int64_t>(), milliseconds("lhs"),
                           milliseconds("rhs"));
  if (!m["ratio"].is_null() && !m["predicted_ratio"].is_null())
    std::cout << fmt::format("  lhs / rhs: {:.3g} measured, {:.3g} predicted from multiply-adds\n", m["ratio"].get<double>(),
                             m["predicted_ratio"].get<double>());
  std::cout << fmt::format("  largest difference of the two results, relative: {:.2g}\n", m["largest_gap"].get<double>());
}

void require_name(const std::string& name, const std::vector<std::string>& known, const char* option, const char* kind) {
  if (std::find(known.begin(), known.end(), name) != known.end()) return;
  expr::fail("usage", std::string(option) + " " + name.substr(0, 60) + ": the claim has no " + kind + " of this name", {}, expr::did_you_mean(name, known));
}

Json cost_of(const record::ClaimRecord& claim, const CostArguments& arguments, const expr::DimValues& sizes, bool several) {
  record::require_readable(claim);
  const expr::Claim parsed = read::parse_claim(claim.text);
  const infer::Problem problem = infer::elaborate(parsed);
  std::vector<std::string> variables;
  for (const infer::Variable& v : problem.variables) variables.push_back(v.name);
  for (const std::string& name : arguments.data) require_name(name, variables, "--data", "variable");
  // A size that an assumption has replaced is no longer among the dimensions, and may still be named.
  for (const auto& [name, size] : sizes) {
    if (claim.text.find(name) == std::string::npos && !several) require_name(name, problem.dimensions, "--dim", "size");
  }
  const std::set<std::string> data =
      arguments.data.empty() ? cost::default_data(problem) : std::set<std::string>(arguments.data.begin(), arguments.data.end());
  const cost::SideCost lhs = cost::cost(problem.lhs, data);
  const cost::SideCost rhs = cost::cost(problem.rhs, data);
  Json out;
  out["id"] = claim.id;
  out["data"] = data;
  out["lhs"] = side_json(lhs, sizes, claim.text);
  out["rhs"] = side_json(rhs, sizes, claim.text);
  out["lhs"]["cheapest_order"] = orders_json(problem, problem.lhs, data, sizes, claim.text);
  out["rhs"]["cheapest_order"] = orders_json(problem, problem.rhs, data, sizes, claim.text);
  out["savings"] = savings_json(lhs, rhs, sizes);
  out["measured"] = arguments.measure ? measured_json(problem, data, sizes, out["lhs"], out["rhs"]) : Json(nullptr);
  if (arguments.json) return out;
  std::cout << claim.id << "  " << read::claim_line(claim.text, 200) << "\n";
  std::string names;
  for (const std::string& name : data) names += (names.empty() ? "" : ", ") + name;
  std::cout << "  data: " << names << "\n";
  print_side("lhs", expr::text(parsed.lhs), out["lhs"], out["lhs"]["cheapest_order"]);
  print_side("rhs", expr::text(parsed.rhs), out["rhs"], out["rhs"]["cheapest_order"]);
  print_savings(out["savings"]);
  if (arguments.measure) print_measured(out["measured"]);
  return out;
}

}  // namespace

int cost(const CostArguments& arguments) {
  const expr::DimValues sizes = sizes_of(arguments.dims);
  const std::vector<record::ClaimRecord> claims = all_claims(arguments.files, arguments.texts);
  if (claims.empty()) expr::fail("usage", "there is no claim to count", {}, "foldproof cost -e '(X @ A) @ B == X @ (A @ B)' --dim n=10");
  Json results = Json::array();
  int status = exit_ok;
  for (const record::ClaimRecord& claim : claims) {
    try {
      results.push_back(cost_of(claim, arguments, sizes, claims.size() > 1));
    } catch (const expr::Error& e) {
      std::cerr << record::render(claim, e.diagnostic());
      status = exit_bad_input;
    }
  }
  if (arguments.json) std::cout << record::dump({{"schema", "foldproof-cost-1"}, {"results", results}});
  return status;
}

}  // namespace foldproof::tool
