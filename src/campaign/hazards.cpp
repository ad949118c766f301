// SPDX-License-Identifier: MIT
#include "campaign/hazards.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

#include "campaign/shrink.hpp"
#include "campaign/sides.hpp"
#include "campaign/terms.hpp"
#include "numeric/assume.hpp"
#include "numeric/undefined.hpp"

namespace foldproof::campaign {
namespace {

using infer::Problem;
using infer::Term;
using infer::TermKind;
namespace ops = expr::ops;

constexpr std::int64_t shapes = 6;
constexpr std::int64_t draws_per_shape = 48;
constexpr std::int64_t draws_at_ones = 240;  ///< with all sizes 1, where an instance costs least and says most
constexpr std::ptrdiff_t looks = 2;  ///< instances of one symptom that are shrunk, in search of several causes
constexpr double tight = 0x1p-6;  ///< relative error of a value that counts as known
constexpr double wrong = 0.25;    ///< relative error of a value that counts as lost

/// What the side that goes wrong gives.
enum class Symptom { not_finite, vanished, wrong_digits };
constexpr Symptom symptoms[] = {Symptom::not_finite, Symptom::vanished, Symptom::wrong_digits};

struct Sight {
  Symptom symptom;
  bool right;
  std::size_t entry;
  double computed;
  double reference;
  double bound;
};

double smallest_normal(const numeric::FormatInfo& format) { return std::ldexp(1, smallest_exponent(format)); }

/// What `bad` shows against `good`, if the value of `good` is known.
std::optional<Symptom> symptom(const SideEntry& good, const SideEntry& bad, const numeric::FormatInfo& format) {
  const double size = std::abs(good.value);
  if (!std::isfinite(good.value) || !(good.bound <= tight * size)) return std::nullopt;
  if (!std::isfinite(bad.value)) return Symptom::not_finite;
  if (size < smallest_normal(format)) return std::nullopt;
  if (bad.value == 0 && good.value != 0) return Symptom::vanished;
  if (std::abs(bad.value - good.value) > wrong * size + good.bound) return Symptom::wrong_digits;
  return std::nullopt;
}

/// Problems whose sides are wanted at many instances; the programs of the last shape are kept.
class Runs {
 public:
  Runs(const Problem& problem, const numeric::FormatInfo& format) : problem_(problem), format_(format) {}
  /// False where a side has no value.
  bool at(const expr::DimValues& dims, const Values& values) {
    try {
      if (!sides_ || dims != dims_) sides_ = std::make_unique<Sides>(problem_, dims, format_, Mutation::none);
      dims_ = dims;
      return sides_->compare(values).outcome != Comparison::Outcome::undefined;
    } catch (const numeric::Undefined&) {
    } catch (const expr::LimitReached&) {
    }
    sides_.reset();
    return false;
  }
  std::vector<SideEntry> entries(bool right) const { return sides_->entries(right); }

 private:
  const Problem& problem_;
  const numeric::FormatInfo& format_;
  std::unique_ptr<Sides> sides_;
  expr::DimValues dims_;
};

bool overflowed(const SideEntry& e, const numeric::FormatInfo&) { return std::isinf(e.value) && e.bound > 0; }  // a masked score has no error
bool underflowed(const SideEntry& e, const numeric::FormatInfo& format) {
  return std::abs(e.value) < smallest_normal(format) && e.bound > tight * std::abs(e.value) && e.bound < smallest_normal(format);
}
bool is_nan(const SideEntry& e, const numeric::FormatInfo&) { return std::isnan(e.value); }

std::vector<std::int64_t> shape_of(const expr::Shape& shape, const expr::DimValues& dims) {
  std::vector<std::int64_t> result;
  for (const auto& d : shape) result.push_back(expr::evaluate(d, dims));
  return result;
}

class Search {
 public:
  Search(const Problem& problem, const HazardOptions& options, const numeric::FormatInfo& format)
      : problem_(problem), format_(format), sampler_(problem, options.seed, options.claim + " hazards"), runs_(problem, format) {}

  /// Hazards of the claim as it is, or with a finite mask in its left side.
  std::vector<Hazard> run(const Problem* finite_mask) {
    Runs masked(finite_mask == nullptr ? problem_ : *finite_mask, format_);
    std::vector<Hazard> found;
    std::vector<std::pair<Symptom, bool>> known;  // the same symptom may have several causes
    for (std::int64_t shape = 0; shape < shapes; ++shape) {
      const auto dims = shape == 0 ? ones() : sampler_.sizes(shape, true);  // the smallest first
      if (!dims) continue;
      if (one_case_in(problem_, *dims) > 1) return found;
      for (std::int64_t draw = 0; draw < (shape == 0 ? draws_at_ones : draws_per_shape); ++draw) {
        const auto values = sampler_.values(shape * draws_at_ones + draw, *dims, {&format_, 0, false, true});
        if (!values) continue;
        for (const Sight& s : finite_mask != nullptr ? seen_masked(masked, *dims, *values) : seen(*dims, *values)) {
          if (std::count(known.begin(), known.end(), std::pair(s.symptom, s.right)) == looks) continue;
          known.emplace_back(s.symptom, s.right);
          keep(found, finite_mask != nullptr ? &masked : nullptr, s, *dims, *values);
          if (finite_mask != nullptr) return found;
        }
      }
    }
    return found;
  }

 private:
  /// All sizes 1, where the assumptions allow it.
  std::optional<expr::DimValues> ones() const {
    expr::DimValues dims;
    for (const std::string& name : problem_.dimensions) dims[name] = 1;
    for (const auto& v : problem_.variables) {
      for (const std::int64_t n : shape_of(v.shape, dims)) {
        if (n < 1) return std::nullopt;
      }
    }
    const bool allowed = std::all_of(problem_.facts.begin(), problem_.facts.end(), [&](const infer::Fact& f) { return numeric::holds(f, dims); });
    return allowed ? std::optional(dims) : std::nullopt;
  }
  /// At most one sight of each symptom and side.
  std::vector<Sight> seen(const expr::DimValues& dims, const Values& values) {
    std::vector<Sight> result;
    if (!runs_.at(dims, values)) return result;
    const auto left = runs_.entries(false), right = runs_.entries(true);
    for (const bool wrong_side : {false, true}) compare(wrong_side ? left : right, wrong_side ? right : left, wrong_side, result);
    return result;
  }
  /// The left side with a finite mask against the same side with minus infinity.
  std::vector<Sight> seen_masked(Runs& masked, const expr::DimValues& dims, const Values& values) {
    std::vector<Sight> result;
    if (runs_.at(dims, values) && masked.at(dims, values)) compare(runs_.entries(false), masked.entries(false), false, result);
    return result;
  }
  void compare(const std::vector<SideEntry>& good, const std::vector<SideEntry>& bad, bool right, std::vector<Sight>& result) const {
    for (const Symptom wanted : symptoms) {
      for (std::size_t i = 0; i < std::min(good.size(), bad.size()); ++i) {
        if (symptom(good[i], bad[i], format_) != wanted) continue;
        result.push_back({wanted, right, i, bad[i].value, good[i].value, good[i].bound});
        break;
      }
    }
  }

  void keep(std::vector<Hazard>& found, Runs* masked, const Sight& sight, expr::DimValues dims, Values values) {
    const auto again = [&](const expr::DimValues& d, const Values& v) -> std::optional<Sight> {
      for (const Sight& s : masked != nullptr ? seen_masked(*masked, d, v) : seen(d, v)) {
        if (s.symptom == sight.symptom && s.right == sight.right) return s;
      }
      return std::nullopt;
    };
    const StillFails fails = [&](const expr::DimValues& d, const Values& v) {
      for (const auto& named : v) {
        for (const double x : named.second.values) {
          if (!std::isfinite(x) || rounded(x, format_) != x) return false;
        }
      }
      return again(d, v).has_value() && (problem_.facts.empty() || allowed(d, v));
    };
    shrink(problem_, fails, dims, values);
    const auto last = again(dims, values);
    expr::invariant(last.has_value(), "a hazard is lost while it is shrunk");
    Hazard h{HazardKind::finite_mask, std::string(format_.name), sight.right, dims, values, {}, last->computed, last->reference, last->bound, {}, ""};
    h.entry = numeric::indices_of(static_cast<std::int64_t>(last->entry), shape_of(problem_.lhs->shape, dims));
    if (masked == nullptr) explain(h, dims, values);
    const bool known = std::any_of(found.begin(), found.end(), [&](const Hazard& f) { return f.kind == h.kind && f.right == h.right; });
    if (!known) found.push_back(std::move(h));
  }
  bool allowed(const expr::DimValues& dims, const Values& values) const {
    return std::all_of(problem_.facts.begin(), problem_.facts.end(), [&](const infer::Fact& f) { return numeric::holds(f, dims); }) && sampler_.satisfied(dims, values);
  }

  /// The first part of the wrong side, operands first, that is infinite says why; if there is none, one that underflows; then one that is NaN.
  void explain(Hazard& h, const expr::DimValues& dims, const Values& values) const {
    const std::pair<HazardKind, bool (*)(const SideEntry&, const numeric::FormatInfo&)> losses[] = {
        {HazardKind::overflow, overflowed}, {HazardKind::underflow, underflowed}, {HazardKind::overflow, is_nan}};
    for (const auto& loss : losses) {
      const auto is_lost = loss.second;
      const bool found = visit(h.right ? problem_.rhs : problem_.lhs, [&](const Term& part) {
        if (part->kind != TermKind::apply || !is_closed(part)) return false;
        Problem alone = problem_;
        alone.lhs = alone.rhs = part;
        Runs runs(alone, format_);
        if (!runs.at(dims, values)) return false;
        const auto entries = runs.entries(false);
        h.place = part->span;
        return std::any_of(entries.begin(), entries.end(), [&](const SideEntry& e) { return is_lost(e, format_); });
      });
      h.kind = loss.first;
      if (found) return;
    }
    h.kind = HazardKind::cancellation;
    h.place = {};
  }
  /// Mentions no index of a comprehension.
  bool is_closed(const Term& part) const {
    bool closed = true;
    std::vector<std::string> names;
    visit(part, [&](const Term& t) {
      closed = closed && t->kind != TermKind::stack;
      expr::collect_names(t->size, names);
      for (const auto& d : t->call.sizes) expr::collect_names(d, names);
      return false;
    });
    const auto& dims = problem_.dimensions;
    return closed && std::all_of(names.begin(), names.end(), [&](const std::string& n) { return std::find(dims.begin(), dims.end(), n) != dims.end(); });
  }

  const Problem& problem_;
  const numeric::FormatInfo& format_;
  Sampler sampler_;
  Runs runs_;
};

/// The number that programs use for minus infinity.
std::int64_t finite_mask_value(const numeric::FormatInfo& format) { return format.max_finite < 1e9 ? -65504 : -1'000'000'000; }

/// The left side with a finite number wherever it has minus infinity; nullopt where there is none.
std::optional<Problem> with_finite_mask(const Problem& problem, const numeric::FormatInfo& format) {
  Problem result = problem;
  const Term value = number(expr::Rational(finite_mask_value(format)));
  std::vector<Term> masks;
  visit(problem.lhs, [&](const Term& t) {
    if (is_mask(t)) masks.push_back(t);
    return false;
  });
  for (const Term& t : masks) {
    const Term allowed = is<ops::NegInf>(t) ? t->args[0] : apply<ops::Tril>({}, t->call.sizes);
    result.lhs = substituted(result.lhs, t.get(), apply<ops::Multiply>({value, apply<ops::Subtract>({number(1), allowed})}));
  }
  if (masks.empty()) return std::nullopt;
  return result;
}

/// A mask of zeros leaves nothing to normalise; a mask of ones shows that this is the reason.
std::optional<Hazard> masked_row(const Problem& problem, const numeric::FormatInfo& format) {
  const auto is_mask01 = [&](const infer::Variable& v) {
    return std::any_of(problem.facts.begin(), problem.facts.end(), [&](const infer::Fact& f) { return f.predicate == "mask01" && f.lhs->kind == TermKind::variable && f.lhs->name == v.name; });
  };
  expr::DimValues dims;
  for (const std::string& name : problem.dimensions) dims[name] = 1;
  const bool any = std::any_of(problem.variables.begin(), problem.variables.end(), is_mask01);
  if (!any || one_case_in(problem, dims) > 1) return std::nullopt;
  Values values[2];
  for (const auto& v : problem.variables) {
    for (const int allowed : {0, 1}) values[allowed][v.name] = numeric::filled(shape_of(v.shape, dims), is_mask01(v) ? static_cast<double>(allowed) : 0.0);
  }
  Runs runs(problem, format);
  if (runs.at(dims, values[0]) || !runs.at(dims, values[1])) return std::nullopt;
  Hazard h{HazardKind::masked_row, std::string(format.name), false, dims, values[0], {}, std::nan(""), 0, 0, {}, ""};
  h.detail = "a row that allows nothing has no weights: minus infinity gives NaN, a finite mask gives equal weights to all that is forbidden";
  return h;
}

}  // namespace

const char* text(HazardKind k) {
  switch (k) {
    case HazardKind::overflow:
      return "overflow";
    case HazardKind::underflow:
      return "underflow";
    case HazardKind::cancellation:
      return "cancellation";
    case HazardKind::finite_mask:
      return "finite-mask";
    case HazardKind::masked_row:
      return "masked-row";
  }
  return "?";
}

std::string short_text(double value) {
  if (!std::isfinite(value)) return hex(value);
  int exponent = 0;
  const bool power = std::abs(std::frexp(value, &exponent)) == 0.5;
  const bool whole = std::abs(value) <= 1e15 && std::floor(value) == value;
  if (whole && (!power || std::abs(value) <= 0x1p12)) return std::to_string(static_cast<std::int64_t>(value));
  if (power) return (value < 0 ? "-2^" : "2^") + std::to_string(exponent - 1);
  return hex(value);
}

std::vector<Hazard> hazards(const Problem& problem, const HazardOptions& options) {
  std::vector<Hazard> result;
  for (const std::string& name : options.formats) {
    const auto& format = format_called(name);
    for (Hazard& h : Search(problem, options, format).run(nullptr)) result.push_back(std::move(h));
    if (const auto masked = with_finite_mask(problem, format)) {
      for (Hazard& h : Search(problem, options, format).run(&*masked)) {
        h.detail = "with " + short_text(static_cast<double>(finite_mask_value(format))) + " for minus infinity";
        result.push_back(std::move(h));
      }
    }
    if (auto row = masked_row(problem, format)) result.push_back(std::move(*row));
  }
  return result;
}

}  // namespace foldproof::campaign
