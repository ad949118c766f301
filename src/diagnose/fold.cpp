// SPDX-License-Identifier: MIT
#include "diagnose/fold.hpp"

#include <algorithm>
#include <cmath>

#include "campaign/sides.hpp"
#include "diagnose/fitted_reading.hpp"
#include "expr/diagnostic.hpp"
#include "infer/problem.hpp"
#include "read/parse.hpp"

namespace foldproof::diagnose {

namespace {

void refuse_equation(const std::string& text) {
  std::optional<expr::Claim> claim;
  try {
    claim = read::parse_claim(text);
  } catch (const expr::Error&) {  // as it should be
    return;
  }
  expr::fail("usage", "weights fold computes an expression, and this is a statement about two", {},
             "-e '" + expr::text(claim->lhs) + "'; what it should be equal to is for weights check");
}

}  // namespace

Fold fold(const std::string& text, const run::Given& given, const std::string& format_name) {
  refuse_equation(text);
  Fold out;
  out.statement = fitting_reading(text + " == 0", given);  // the language has claims only
  const infer::Problem problem = infer::elaborate(read::parse_claim(out.statement));
  if (!std::all_of(problem.facts.begin(), problem.facts.end(), infer::is_about_sizes)) expr::fail("usage", "an expression to fold assumes nothing", {});
  const campaign::Evaluated value = campaign::evaluate_on(problem, given.tensors, sizes_left(given.dims, problem));
  out.shape = value.shape;
  out.format = format_name.empty() ? value.answer_format : format_name;
  const numeric::FormatInfo& format = campaign::format_called(out.format);
  for (const campaign::SideEntry& entry : value.entries) {
    const double stored = campaign::rounded(entry.value, format);
    if (!std::isfinite(stored)) expr::fail("bind.value", "an entry of the result is too large for " + out.format, {}, "scale it, or write a wider one: --format float32");
    out.values.push_back(entry.value);
    out.lost += stored == 0 && std::abs(entry.value) > entry.bound;
    const double low = entry.value - entry.bound * (1 + 0x1p-50), high = entry.value + entry.bound * (1 + 0x1p-50);
    const bool certain = entry.bound == 0 || (campaign::rounded(std::nextafter(low, -INFINITY), format) == stored && campaign::rounded(std::nextafter(high, INFINITY), format) == stored);
    out.certain += certain;
    if (!certain) out.largest_bound = std::max(out.largest_bound, entry.bound);
  }
  return out;
}

}  // namespace foldproof::diagnose
