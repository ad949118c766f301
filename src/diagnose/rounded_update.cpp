// SPDX-License-Identifier: MIT
#include "diagnose/rounded_update.hpp"

#include <algorithm>
#include <cmath>

#include "diagnose/few_rows.hpp"
#include "expr/diagnostic.hpp"
#include "infer/is_operator.hpp"

namespace foldproof::diagnose {
namespace {

using infer::is_constant;
using infer::Term;

/// The one format of all tensors of the term; empty where they have several.
std::string one_format(const Term& t, const campaign::GivenTensors& tensors) {
  if (t->kind == infer::TermKind::variable) return std::string(campaign::storage(tensors.at(t->name)).name);
  std::string found;
  for (const Term& a : t->args) {
    const std::string format = is_constant(a) ? found : one_format(a, tensors);
    if (!found.empty() && format != found) return "";
    found = format;
  }
  return found;
}

/// Between what a program may have given for an entry: sums in float32 come out lower or higher by their bound.
struct Range {
  double low, high;
};

/// A claim of which one side is W + D or W - D, and what is stored as that.
class Update {
 public:
  Update(const infer::Problem& problem, const Term& kept, const Term& update, int sign, const Term& stored) : problem_(problem), kept_(kept), update_(update), sign_(sign), stored_(stored) {}

  /// Whether all that is stored is W plus or minus the update, of which every step is rounded to the format, or the last one alone.
  bool gives(const campaign::GivenTensors& tensors, const campaign::GivenTensors& of_update, const expr::DimValues& dims, const numeric::FormatInfo& format) const {
    const std::vector<campaign::SideEntry> kept = entries(kept_, tensors, dims), stored = entries(stored_, tensors, dims);
    const numeric::FormatInfo& result = campaign::format_called(one_format(stored_, tensors));
    for (const bool every_step : {false, true}) {
      if (every_step && !scaled()) continue;
      const std::vector<Range> update = values(update_, of_update, dims, format, every_step);
      if (kept.size() != stored.size() || update.size() != stored.size()) return false;  // one of them is repeated, or some entry has no bound
      bool all = true;
      for (std::size_t k = 0; k < stored.size() && all; ++k) {
        const double missing = campaign::rounded(sign_ * (stored[k].value - kept[k].value), format);
        all = campaign::rounded(kept[k].value + sign_ * std::clamp(missing, update[k].low, update[k].high), result) == stored[k].value;
      }
      if (all && !is_flushed(kept, stored, update, result, tensors, dims)) return true;
    }
    return false;
  }

 private:
  /// Whether of the entries that one rounding gives otherwise most have an update that is 0 in the format: what was never added looks the same.
  bool is_flushed(const std::vector<campaign::SideEntry>& kept, const std::vector<campaign::SideEntry>& stored, const std::vector<Range>& update, const numeric::FormatInfo& result, const campaign::GivenTensors& tensors, const expr::DimValues& dims) const {
    const std::vector<campaign::SideEntry> exact = entries(update_, tensors, dims);
    std::size_t differing = 0, zero = 0;
    for (std::size_t k = 0; k < stored.size(); ++k) {
      if (campaign::rounded(kept[k].value + sign_ * exact[k].value, result) == stored[k].value) continue;
      ++differing;
      zero += update[k].low <= 0 && update[k].high >= 0 && exact[k].value != 0;
    }
    return 2 * zero > differing;
  }
  /// Whether the update is a product with a constant, which another rounding goes before.
  bool scaled() const { return infer::is<expr::ops::Multiply, expr::ops::Divide>(update_) && (is_constant(update_->args[0]) || is_constant(update_->args[1])); }

  std::vector<campaign::SideEntry> entries(const Term& t, const campaign::GivenTensors& tensors, const expr::DimValues& dims, const numeric::FormatInfo& format = numeric::float64_format) const {
    infer::Problem alone = problem_;
    alone.lhs = t;
    return campaign::evaluate_on(alone, tensors, dims, format, campaign::Operands::as_stored).entries;
  }
  std::vector<Range> values(const Term& t, const campaign::GivenTensors& tensors, const expr::DimValues& dims, const numeric::FormatInfo& format, bool every_step) const {
    std::vector<Range> found;
    if (!every_step) {
      const std::vector<campaign::SideEntry> exact = entries(t, tensors, dims), computed = entries(t, tensors, dims, numeric::float32_format);
      const bool finite = std::all_of(computed.begin(), computed.end(), [](const campaign::SideEntry& e) { return std::isfinite(e.bound); });
      for (std::size_t k = 0; finite && k < exact.size(); ++k) found.push_back({campaign::rounded(exact[k].value - computed[k].bound, format), campaign::rounded(exact[k].value + computed[k].bound, format)});
      return found;
    }
    const std::size_t constant = is_constant(t->args[0]) ? 0 : 1;
    const double c = entries(t->args[constant], tensors, dims).front().value;
    const bool divides = infer::is<expr::ops::Divide>(t);
    const auto scaled = [&](double x) { return campaign::rounded(!divides ? c * x : constant == 0 ? c / x : x / c, format); };
    for (const Range& x : values(t->args[1 - constant], tensors, dims, format, false)) found.push_back({std::min(scaled(x.low), scaled(x.high)), std::max(scaled(x.low), scaled(x.high))});
    return found;
  }

  const infer::Problem& problem_;
  Term kept_, update_;
  int sign_;
  Term stored_;
};

campaign::GivenTensors rounded_to(campaign::GivenTensors tensors, const numeric::FormatInfo& format) {
  for (auto& [name, tensor] : tensors) {
    for (double& v : tensor.values) v = campaign::rounded(v, format);
  }
  return tensors;
}

}  // namespace

std::optional<RoundedUpdate> added_after_rounding(const infer::Problem& problem, const campaign::GivenTensors& tensors, const expr::DimValues& dims) {
  const auto few = few_rows(problem, tensors, dims);
  for (const auto& [sum, stored] : {std::pair{problem.lhs, problem.rhs}, std::pair{problem.rhs, problem.lhs}}) {
    const bool adds = infer::is<expr::ops::Add>(sum), subtracts = infer::is<expr::ops::Subtract>(sum);
    if ((!adds && !subtracts) || !infer::only_moves(stored)) continue;
    for (const std::size_t place : {std::size_t{0}, std::size_t{1}}) {
      if (subtracts && place == 1) continue;
      const Term &kept = sum->args[place], &update = sum->args[1 - place];
      const std::string format_of_kept = infer::only_moves(kept) && !infer::only_moves(update) ? one_format(kept, tensors) : "";
      if (format_of_kept.empty() || one_format(stored, tensors) != format_of_kept) continue;
      const Update with(problem, kept, update, adds ? 1 : -1, stored);
      for (const numeric::FormatInfo* format : {&numeric::bfloat16_format, &numeric::float16_format}) {
        if (campaign::format_called(format_of_kept).is_narrow() && format_of_kept != format->name) continue;
        for (const bool operands : {false, true}) {
          if (operands && one_format(update, tensors) == format->name) continue;  // they have that format
          const auto holds_on = [&](const campaign::GivenTensors& t) { return with.gives(t, operands ? rounded_to(t, *format) : t, dims, *format); };
          try {
            if ((!few || holds_on(*few)) && holds_on(tensors)) return RoundedUpdate{std::string(format->name), operands};
          } catch (const expr::Error&) {  // it has no value
          }
        }
      }
    }
  }
  return std::nullopt;
}

}  // namespace foldproof::diagnose
