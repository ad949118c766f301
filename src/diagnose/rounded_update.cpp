// SPDX-License-Identifier: MIT
#include "diagnose/rounded_update.hpp"

#include <algorithm>

#include "expr/diagnostic.hpp"
#include "infer/is_operator.hpp"

namespace foldproof::diagnose {
namespace {

using infer::Term;

/// The one format of 16 bits that holds all tensors of the term; empty where there is none.
std::string narrow_format(const Term& t, const campaign::GivenTensors& tensors) {
  if (t->kind == infer::TermKind::variable) {
    const std::string& format = tensors.at(t->name).format;
    return format == "bfloat16" || format == "float16" ? format : "";
  }
  std::string found;
  for (const Term& a : t->args) {
    const std::string format = narrow_format(a, tensors);
    if (format.empty() || (!found.empty() && format != found)) return "";
    found = format;
  }
  return found;
}

std::vector<campaign::SideEntry> entries_of(const infer::Problem& problem, const Term& t, const campaign::GivenTensors& tensors, const expr::DimValues& dims) {
  infer::Problem alone = problem;
  alone.lhs = t;
  return campaign::evaluate_on(alone, tensors, dims).entries;
}

/// Whether all of `stored` is `kept` plus (sign 1) or minus (sign -1) the rounded update.
bool is_sum(const std::vector<campaign::SideEntry>& kept, const std::vector<campaign::SideEntry>& update, int sign, const std::vector<campaign::SideEntry>& stored, const numeric::FormatInfo& format) {
  if (kept.size() != stored.size() || update.size() != stored.size()) return false;  // one of them is repeated
  const double wider = numeric::float32_format.unit_roundoff / numeric::float64_format.unit_roundoff;
  for (std::size_t k = 0; k < stored.size(); ++k) {
    const double slack = update[k].bound * wider;  // of float32
    const auto gives = [&](double exact) { return campaign::rounded(kept[k].value + sign * campaign::rounded(exact, format), format) == stored[k].value; };
    if (!gives(update[k].value) && !gives(update[k].value - slack) && !gives(update[k].value + slack)) return false;
  }
  return true;
}

}  // namespace

std::optional<std::string> added_after_rounding(const infer::Problem& problem, const campaign::GivenTensors& tensors, const expr::DimValues& dims) {
  for (const auto& [sum, stored] : {std::pair{problem.lhs, problem.rhs}, std::pair{problem.rhs, problem.lhs}}) {
    const bool adds = infer::is<expr::ops::Add>(sum), subtracts = infer::is<expr::ops::Subtract>(sum);
    if ((!adds && !subtracts) || !infer::only_moves(stored)) continue;
    for (const std::size_t place : {std::size_t{0}, std::size_t{1}}) {
      if (subtracts && place == 1) continue;
      const Term &kept = sum->args[place], &update = sum->args[1 - place];
      const std::string format = infer::only_moves(kept) && !infer::only_moves(update) ? narrow_format(kept, tensors) : "";
      if (format.empty() || narrow_format(stored, tensors) != format) continue;
      try {
        const auto of = [&](const Term& t) { return entries_of(problem, t, tensors, dims); };
        if (is_sum(of(kept), of(update), adds ? 1 : -1, of(stored), campaign::format_called(format))) return format;
      } catch (const expr::Error&) {  // it has no value
      }
    }
  }
  return std::nullopt;
}

}  // namespace foldproof::diagnose
