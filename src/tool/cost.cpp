// SPDX-License-Identifier: MIT
// foldproof cost: what both sides of a claim store and compute, symbolically and at given sizes.
#include "report/cost.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iostream>

#include "report/json.hpp"
#include "report/text.hpp"
#include "tool/command.hpp"
#include "tool/input.hpp"

namespace foldproof::tool {

namespace {

constexpr std::int64_t bytes_per_parameter = 4;  // float32

expr::DimValues sizes_of(const std::vector<std::string>& dims) {
  expr::DimValues values;
  for (const std::string& text : dims) {
    const std::size_t equals = text.find('=');
    std::int64_t value = 0;
    const char* end = text.data() + text.size();
    const bool named = equals != std::string::npos && equals > 0;
    const bool good = named && std::from_chars(text.data() + equals + 1, end, value).ptr == end && value >= 1;
    if (!good) expr::fail("usage", "--dim " + text.substr(0, 60) + " is not NAME=NUMBER with a number of at least 1", {}, "for example --dim d_model=512");
    values[text.substr(0, equals)] = value;
  }
  return values;
}

// The value where all names are given, otherwise null.
report::Json value_at(const expr::Dim& d, const expr::DimValues& sizes) {
  std::vector<std::string> names;
  expr::collect_names(d, names);
  const bool known = std::all_of(names.begin(), names.end(), [&](const std::string& name) { return sizes.count(name) > 0; });
  return known ? report::Json(expr::evaluate(d, sizes)) : report::Json(nullptr);
}

report::Json quantity(const expr::Dim& d, const expr::DimValues& sizes) { return {{"formula", expr::text(d)}, {"value", value_at(d, sizes)}}; }

report::Json side_json(const report::SideCost& side, const expr::DimValues& sizes, const std::string& claim) {
  report::Json out;
  out["parameters"] = quantity(side.parameters, sizes);
  out["multiply_adds"] = quantity(side.multiply_adds, sizes);
  out["bytes_float32"] = quantity(side.parameters * expr::Dim(bytes_per_parameter), sizes);
  out["stored"] = report::Json::array();
  for (const report::Parameter& p : side.stored) {
    report::Json one = quantity(p.entries, sizes);
    one["name"] = p.name.empty() ? report::one_line(claim.substr(p.span.begin, p.span.end - p.span.begin)) : p.name;
    out["stored"].push_back(std::move(one));
  }
  return out;
}

std::string shown(const report::Json& quantity) {
  const auto formula = quantity["formula"].get<std::string>();
  if (quantity["value"].is_null()) return formula;
  const std::string value = std::to_string(quantity["value"].get<std::int64_t>());
  return value == formula ? value : value + "  = " + formula;
}

void print_side(const char* name, const std::string& text, const report::Json& side) {
  std::cout << fmt::format("  {}  {}\n", name, text);
  for (const char* key : {"parameters", "multiply_adds", "bytes_float32"}) std::cout << fmt::format("    {:<14} {}\n", key, shown(side[key]));
  for (const report::Json& p : side["stored"]) std::cout << fmt::format("      {:<24} {}\n", p["name"].get<std::string>(), shown(p));
}

report::Json cost_of(const record::ClaimRecord& claim, const CostArguments& arguments, const expr::DimValues& sizes) {
  const expr::Claim parsed = expr::parse_claim(claim.text);
  const infer::Problem problem = infer::elaborate(parsed);
  const std::set<std::string> data =
      arguments.data.empty() ? report::default_data(problem) : std::set<std::string>(arguments.data.begin(), arguments.data.end());
  report::Json out;
  out["id"] = claim.id;
  out["data"] = data;
  out["lhs"] = side_json(report::cost(problem.lhs, data), sizes, claim.text);
  out["rhs"] = side_json(report::cost(problem.rhs, data), sizes, claim.text);
  if (arguments.json) return out;
  std::cout << claim.id << "  " << report::one_line(claim.text) << "\n";
  std::string names;
  for (const std::string& name : data) names += (names.empty() ? "" : ", ") + name;
  std::cout << "  data: " << names << "\n";
  print_side("lhs", expr::text(parsed.lhs), out["lhs"]);
  print_side("rhs", expr::text(parsed.rhs), out["rhs"]);
  return out;
}

}  // namespace

int cost(const CostArguments& arguments) {
  const expr::DimValues sizes = sizes_of(arguments.dims);
  const std::vector<record::ClaimRecord> claims = all_claims(arguments.files, arguments.texts);
  if (claims.empty()) expr::fail("usage", "there is no claim to count", {}, "foldproof cost -e '(X @ A) @ B == X @ (A @ B)' --dim n=10");
  report::Json results = report::Json::array();
  int status = exit_ok;
  for (const record::ClaimRecord& claim : claims) {
    try {
      results.push_back(cost_of(claim, arguments, sizes));
    } catch (const expr::Error& e) {
      std::cerr << report::render(claim, e.diagnostic());
      status = exit_bad_input;
    }
  }
  if (arguments.json) std::cout << report::dump({{"schema", "foldproof-cost-1"}, {"results", results}});
  return status;
}

}  // namespace foldproof::tool
