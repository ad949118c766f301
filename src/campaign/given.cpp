// SPDX-License-Identifier: MIT
// A claim tested on tensors that somebody has, instead of random ones.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <optional>
#include <set>
#include <utility>

#include "campaign/campaign.hpp"
#include "campaign/given_cases.hpp"
#include "campaign/other_orders.hpp"
#include "campaign/sides.hpp"
#include "expr/diagnostic.hpp"
#include "infer/is_operator.hpp"
#include "infer/visit.hpp"
#include "numeric/undefined.hpp"

namespace foldproof::campaign {
namespace {

constexpr std::size_t large = 4'000'000;         ///< entries of a tensor, from which on each format takes its time
constexpr std::size_t largest_checked = 20'000;  ///< entries of given tensors, beyond which exact checks of assumptions take too long

std::string text_of(const std::vector<std::int64_t>& shape) {
  std::string out;
  for (const std::int64_t n : shape) out += (out.empty() ? "" : ", ") + std::to_string(n);
  return "[" + out + "]";
}

const infer::Variable& variable(const infer::Problem& problem, const std::string& name) {
  for (const auto& v : problem.variables) {
    if (v.name == name) return v;
  }
  expr::fail("bind.name", "the claim has no tensor called " + name, {}, "bind one of: " + infer::shapes_text(problem, ", "));
}

/// Solves one axis for its only unknown name, if it has only one, by trying sizes.
void solve(const expr::Dim& axis, std::int64_t extent, expr::DimValues& dims) {
  const std::vector<std::string> unknown = unknown_names(axis, dims);
  if (unknown.size() != 1) return;
  for (std::int64_t size = 1; size <= extent; ++size) {
    expr::DimValues trial = dims;
    trial[unknown[0]] = size;
    if (expr::evaluate(axis, trial) != extent) continue;
    dims = trial;
    return;
  }
}

/// The sizes that tensors of these shapes give to a claim, beside those in dims.
void solve_sizes(const infer::Problem& problem, const GivenTensors& given, expr::DimValues& dims) {
  for (std::size_t round = 0; round <= problem.dimensions.size(); ++round) {
    for (const infer::Variable& v : problem.variables) {
      const auto at = given.find(v.name);
      if (at == given.end() || at->second.shape.size() != v.shape.size()) continue;
      for (std::size_t axis = 0; axis < v.shape.size(); ++axis) solve(v.shape[axis], at->second.shape[axis], dims);
    }
  }
}

/// Whether a tensor of the shape may have the sizes, as far as these are known.
bool may_have(const std::vector<std::int64_t>& shape, const expr::Shape& sizes, const expr::DimValues& dims) {
  bool fits = shape.size() == sizes.size();
  for (std::size_t axis = 0; fits && axis < sizes.size(); ++axis) fits = !unknown_names(sizes[axis], dims).empty() || expr::evaluate(sizes[axis], dims) == shape[axis];
  return fits;
}

/// What to write so that a tensor fits.
std::string advice(const std::string& name, const std::vector<std::int64_t>& have, const expr::Shape& needed, const expr::DimValues& dims) {
  const auto is_one = [&](std::size_t axis) { return needed[axis].constant() == std::optional<std::int64_t>(1); };
  if (needed.empty()) return "the claim uses it as a number: a gain is a factor, rmsnorm(x) * g, and the second operand of a norm its epsilon";
  if (have.size() == 1 && needed.size() == 2) {
    if (is_one(0)) return "bind it as a row: NAME=TENSOR[None]";
    if (is_one(1)) return "bind it as a column: NAME=TENSOR[:, None]";
    if (may_have({have[0], 1}, {needed[0], expr::Dim(1)}, dims)) return "a vector pairs with the last axis, as in NumPy: bind it as a column, " + name + "=TENSOR[:, None], where it belongs to the rows";
  }
  if (have.size() == 2 && may_have({have[1], have[0]}, needed, dims)) return "its transpose fits: " + name + "=TENSOR.T";
  const bool broadcasts = have.size() == needed.size() && std::find(have.begin(), have.end(), 1) != have.end();
  if (broadcasts) return "an axis of size 1 is broadcast only where the claim says so: declare the shape, such as g: [1, d]";
  return "bind a transpose or a slice, or check the sizes of the other tensors";
}

/// "[n, d], here [n, 24] by W": the sizes as far as other tensors give them.
std::string needed_shape(const infer::Problem& problem, const std::string& name, const GivenTensors& given, const expr::DimValues& dims) {
  const expr::Shape& needed = variable(problem, name).shape;
  std::string sizes, by;
  std::vector<std::string> symbols;
  for (const expr::Dim& size : needed) {
    expr::collect_names(size, symbols);
    sizes += (sizes.empty() ? "" : ", ") + (unknown_names(size, dims).empty() ? std::to_string(expr::evaluate(size, dims)) : expr::text(size));
  }
  for (const infer::Variable& other : problem.variables) {
    std::vector<std::string> its;
    for (const expr::Dim& size : other.shape) expr::collect_names(size, its);
    const bool shares = std::any_of(its.begin(), its.end(), [&](const std::string& s) { return std::find(symbols.begin(), symbols.end(), s) != symbols.end(); });
    if (other.name != name && given.count(other.name) > 0 && shares) by += (by.empty() ? " by " : ", ") + other.name;
  }
  const std::string text = expr::text(needed), here = "[" + sizes + "]";
  return text == here ? text : text + ", here " + here + by;
}

/// The sizes that the given tensors and the options determine.
expr::DimValues determined(const infer::Problem& problem, const GivenTensors& given, expr::DimValues dims) {
  for (const auto& named : given) variable(problem, named.first);  // a name too many is told before a shape that does not fit
  for (const auto& named : dims) {
    const auto& known = problem.dimensions;
    if (std::find(known.begin(), known.end(), named.first) != known.end()) continue;
    expr::fail("bind.name", "the claim has no size called " + named.first, {}, "its tensors are: " + infer::shapes_text(problem, ", "));
  }
  solve_sizes(problem, given, dims);
  for (const auto& [name, tensor] : given) {
    const expr::Shape& needed = variable(problem, name).shape;
    if (!may_have(tensor.shape, needed, dims)) expr::fail("bind.shape", name + " has shape " + text_of(tensor.shape) + ", but the claim needs " + needed_shape(problem, name, given, dims), {}, advice(name, tensor.shape, needed, dims));
  }
  for (const auto& [name, tensor] : given) {
    for (const expr::Dim& axis : variable(problem, name).shape) {
      for (const std::string& n : unknown_names(axis, dims)) expr::fail("bind.shape", "the tensors do not determine the size " + n, {}, "give it, such as --dim " + n + "=4");
    }
  }
  return dims;
}

void add(const Comparison& c, std::int64_t index, const Sides& sides, GivenFormat& result) {
  FormatResult& r = result.counts;
  r.discarded += c.outcome == Comparison::Outcome::undefined;
  r.within += c.outcome == Comparison::Outcome::within;
  r.suspicious += c.outcome == Comparison::Outcome::suspicious;
  if (c.outcome == Comparison::Outcome::vacuous) r.add_vacuous(c);
  r.beyond += c.outcome == Comparison::Outcome::beyond;
  r.failed = r.beyond;
  if (c.outcome != Comparison::Outcome::undefined) result.equal = result.equal && !c.differs;
  if (c.entry < 0 || (r.worst_case >= 0 && c.ratio <= r.worst_ratio)) return;
  r.worst_ratio = c.ratio;
  r.worst_case = index;
  r.worst_element = c.element();
  r.formula = sides.formula(c);
  result.worst = c;
}

Values rounded_to(const numeric::FormatInfo& format, const GivenTensors& given) {
  Values values;
  for (const auto& [name, tensor] : given) {
    values[name] = {tensor.shape, tensor.values};
    for (double& v : values[name].values) v = rounded(v, format);
  }
  return values;
}

/// Whether every number of the one format is one of the other.
bool holds(const numeric::FormatInfo& format, const numeric::FormatInfo& stored) {
  return format.precision >= stored.precision && format.max_finite >= stored.max_finite && format.eta <= stored.eta;
}

/// The place of the format that answers for the stored weights; -1 when none holds them.
int answer_index(const std::vector<std::string>& formats, const GivenTensors& given) {
  int best = -1;
  for (std::size_t f = 0; f < formats.size(); ++f) {
    const numeric::FormatInfo& format = format_called(formats[f]);
    const bool fits = std::all_of(given.begin(), given.end(), [&](const auto& named) { return holds(format, storage(named.second)); });
    if (!fits || format.accumulates_narrowly()) continue;
    if (best < 0 || format.precision < format_called(formats[static_cast<std::size_t>(best)]).precision) best = static_cast<int>(f);
  }
  return best;
}

/// Of a tensor that is rounded from its storage to a format: the second rounding is nothing where the format holds the first. With M' for
/// fl(M), |M' - M| <= u'|M'| + eta' = e and so |M' - x| <= e + u (|M'| + e) + eta.
StorageRounding storage_rounding(const numeric::FormatInfo& stored, const numeric::FormatInfo& format) {
  if (holds(format, stored)) return {stored.unit_roundoff, stored.eta};
  return {up(format.unit_roundoff + stored.unit_roundoff * (1 + format.unit_roundoff)), up(stored.eta + format.eta * (1 + stored.unit_roundoff))};
}

/// The digits of the tensors with the fewest and the most of them.
struct Digits {
  int least = std::numeric_limits<int>::max(), most = 0;
};
Digits digits_of(const std::set<std::string>& names, const GivenTensors& given) {
  Digits out;
  for (const std::string& name : names) {
    out.least = std::min(out.least, storage(given.at(name)).precision);
    out.most = std::max(out.most, storage(given.at(name)).precision);
  }
  return out;
}

/// Whether `one`, of a side that only moves entries, is the other one with fewer digits: W == M, and the parts of F == vstack(Q, K, V), of which some may have
/// been left as they were.
bool is_cast(const infer::Term& side, const std::set<std::string>& one, const infer::Term& from, const std::set<std::string>& other, const GivenTensors& given) {
  if (one.empty() || other.empty() || !infer::only_moves(side) || !infer::only_moves(from)) return false;
  const Digits its = digits_of(one, given), others = digits_of(other, given);
  return its.most <= others.least && its.least < others.most;
}

/// Which tensors were computed from the others and stored: of the side that has fewer of its own, or of both when they have as many.
/// Nobody else could know; `g.T * W == M`, `(X @ W) @ V == X @ M` and `R.T @ R == eye(d)` are read as they are meant. Where nothing is computed, it is the side
/// of fewer digits. They were computed from the others as those are stored, so what a narrower format changes of the others counts as well.
void mark_results(const infer::Problem& problem, const OwnVariables& own, const GivenTensors& given, const numeric::FormatInfo& format, Sides& sides) {
  const bool left_cast = is_cast(problem.lhs, own.left, problem.rhs, own.right, given), right_cast = is_cast(problem.rhs, own.right, problem.lhs, own.left, given);
  const auto fewer = [&](const auto& one, const auto& other) {
    if (left_cast || right_cast) return &one == &own.left ? left_cast : right_cast;
    return !one.empty() && (other.empty() || one.size() <= other.size());
  };
  const auto mark = [&](const std::set<std::string>& names, bool right) {
    for (const std::string& name : names) sides.set_stored(name, storage_rounding(storage(given.at(name)), format));
    const numeric::FormatInfo& stored = storage(given.at(*names.begin()));
    const bool one_format = std::all_of(names.begin(), names.end(), [&](const std::string& name) { return storage(given.at(name)).name == stored.name; });
    const bool alone = one_format && infer::only_moves(right ? problem.rhs : problem.lhs);
    sides.set_result(right, alone && stored.precision < format.precision ? &stored : nullptr);
  };
  if (fewer(own.left, own.right)) mark(own.left, false);
  if (fewer(own.right, own.left)) mark(own.right, true);
  if (!sides.has_results()) return;
  for (const auto& [name, tensor] : given) {
    if (!holds(format, storage(tensor)) && !sides.is_stored(name)) sides.set_stored(name, {format.unit_roundoff, format.eta});
  }
}

/// Whether both sides are of stored tensors, in formats of which neither holds the other: either may be the other one, converted.
bool are_casts(const infer::Problem& problem, const OwnVariables& own, const GivenTensors& given) {
  if (!infer::only_moves(problem.lhs) || !infer::only_moves(problem.rhs)) return false;
  return std::any_of(own.left.begin(), own.left.end(), [&](const std::string& one) {
    return std::any_of(own.right.begin(), own.right.end(), [&](const std::string& other) {
      const numeric::FormatInfo &left = storage(given.at(one)), &right = storage(given.at(other));
      return !holds(left, right) && !holds(right, left);
    });
  });
}

bool all_finite(const Values& values) {
  return std::all_of(values.begin(), values.end(), [](const auto& named) {
    return std::all_of(named.second.values.begin(), named.second.values.end(), [](double v) { return std::isfinite(v); });
  });
}

/// What cannot be checked is refused: a test outside of its assumptions says nothing.
void check_assumptions(const infer::Problem& problem, const Sampler& sampler, const expr::DimValues& dims, const GivenTensors& given) {
  if (std::all_of(problem.facts.begin(), problem.facts.end(), infer::is_about_sizes)) return;  // the sizes are those of the tensors
  std::size_t entries = 0;
  for (const auto& named : given) entries += named.second.values.size();
  if (entries > largest_checked)
    expr::fail("bind.assumption", "these tensors are too large to check the assumptions of the claim exactly", {},
               "test the claim without its assumptions, or on a slice");
  const auto values = sampler.values(0, dims, {}, rounded_to(numeric::float64_format, given));
  if (values && !sampler.satisfied(dims, *values))
    expr::fail("bind.assumption", "the tensors do not satisfy the assumptions of the claim exactly", {}, "nearly is not enough, as the bounds assume them; on given tensors the claim can be asked without its assumptions");
}

/// The sizes among them that the given tensors leave open.
std::vector<expr::DimValues> open_sizes(const std::vector<expr::DimValues>& cases, const expr::DimValues& known) {
  std::vector<expr::DimValues> out;
  for (const expr::DimValues& dims : cases) {
    expr::DimValues open;
    std::copy_if(dims.begin(), dims.end(), std::inserter(open, open.end()), [&](const auto& size) { return known.count(size.first) == 0; });
    if (!open.empty()) out.push_back(std::move(open));
  }
  return out;
}

/// What other formats would say of them takes seconds.
bool has_large(const GivenTensors& given, std::size_t size = large) {
  return std::any_of(given.begin(), given.end(), [&](const auto& named) { return named.second.values.size() > size; });
}
/// The same numbers on both sides, of which nothing is computed, are the same in every format: said once, of tensors that are not small.
bool is_equal_copy(const infer::Problem& problem, const GivenTensors& given, const GivenFormat& answer) {
  constexpr std::size_t not_small = 250'000;  // entries, from which on a claim takes its time: as of the part of large tensors that is looked at first
  return answer.equal && answer.counts.vacuous == 0 && infer::only_moves(problem.lhs) && infer::only_moves(problem.rhs) && has_large(given, not_small);
}
/// The formats with which a mistake may be no mistake are those of the tensors.
bool is_storage_of(const numeric::FormatInfo& format, const GivenTensors& given) {
  return std::any_of(given.begin(), given.end(), [&](const auto& named) { return storage(named.second).precision == format.precision && storage(named.second).eta == format.eta; });
}
/// Whether the format adds nothing to the answer. Where that is equal, none does. Where it is beyond the bound, without a value that is too
/// large, the formats of the tensors may explain it; where it is within, those of more digits show how near it is.
bool adds_nothing(const numeric::FormatInfo& format, const GivenFormat& answer, const GivenTensors& given) {
  const FormatResult& counts = answer.counts;
  if (answer.equal) return true;
  if (counts.overflowed > 0 || counts.vacuous > 0 || is_storage_of(format, given)) return false;
  return counts.beyond > 0 || format.precision < format_called(counts.format).precision;
}

/// `results`: the given tensors that each side has for itself alone, where some of them may be stored results.
GivenFormat run_format(const infer::Problem& problem, const Sampler& sampler, const std::vector<expr::DimValues>& cases, const GivenTensors& given,
                       const OwnVariables& results, const numeric::FormatInfo& format) {
  GivenFormat result;
  FormatResult& r = result.counts;
  r.format = format.name;
  const Values values = rounded_to(format, given);
  for (const auto& [name, tensor] : given) {
    if (values.at(name).values != tensor.values) result.rerounded.push_back(name);
  }
  if (!all_finite(values)) {
    r.cases = r.vacuous = r.overflowed = r.unfit = static_cast<std::int64_t>(cases.size());
    return result;
  }
  // Large tensors are not copied where all are given, and nothing is assumed of them.
  const bool draws_nothing = problem.facts.empty() && std::all_of(problem.variables.begin(), problem.variables.end(), [&](const infer::Variable& v) { return given.count(v.name) != 0; });
  std::unique_ptr<Sides> sides;
  std::vector<std::pair<bool, OtherOrders>> others;  // whether of the result on the right
  result.equal = true;
  for (std::size_t k = 0; k < cases.size(); ++k) {
    const expr::DimValues& dims = cases[k];
    if (k == 0 || dims != cases[k - 1]) {
      auto next = std::make_unique<Sides>(problem, dims, format, Mutation::none, largest_given);
      mark_results(problem, results, given, format, *next);
      sides ? next->hold_those_of(*sides) : next->hold(values);
      sides = std::move(next);
      others.clear();
      for (const bool right : {false, true}) {
        if (!sides->is_result(right)) continue;
        OtherOrders orders(problem, !right, dims, format);
        if (!orders.is_single()) others.emplace_back(right, std::move(orders));
      }
    }
    ++r.cases;
    const auto index = static_cast<std::int64_t>(k);
    auto drawn = draws_nothing ? std::optional(Values()) : sampler.values(index, dims, {&format, 0, false}, values);
    if (drawn && (problem.facts.empty() || sampler.satisfied(dims, *drawn))) {
      if (!draws_nothing) {
        for (const auto& held : values) drawn->erase(held.first);
      }
      for (const auto& [right, orders] : others) sides->set_other_programs(right, {}, 1);
      Comparison c = sides->compare(*drawn);
      if (!others.empty() && (c.outcome == Comparison::Outcome::beyond || c.outcome == Comparison::Outcome::suspicious)) {
        Values all = values;
        all.insert(drawn->begin(), drawn->end());
        for (const auto& [right, orders] : others) sides->set_other_programs(right, orders.errors(all), orders.roundings());
        c = sides->compare_again();
      }
      add(c, index, *sides, result);
    } else {
      ++r.discarded;
    }
  }
  result.equal = result.equal && r.cases > r.discarded;
  return result;
}

}  // namespace

OwnVariables own_variables(const infer::Problem& problem) {
  const auto names = [](const infer::Term& side) {
    std::set<std::string> found;
    infer::visit_each(side, [&](const infer::Term& t) {
      if (t->kind == infer::TermKind::variable) found.insert(t->name);
    });
    return found;
  };
  OwnVariables own{names(problem.lhs), names(problem.rhs)};
  for (auto at = own.left.begin(); at != own.left.end();) {
    const bool shared = own.right.erase(*at) > 0;
    at = shared ? own.left.erase(at) : std::next(at);
  }
  return own;
}

const numeric::FormatInfo& storage(const GivenTensor& tensor) { return tensor.format.empty() ? numeric::float64_format : format_called(tensor.format); }

std::string GivenResult::nothing_compared() const {
  if (answer() == nullptr) return "no format that was tested holds the given tensors as they are stored";
  const FormatResult& counts = answer()->counts;
  return counts.compared() > 0 ? "" : "nothing was compared in " + counts.format + ", the format that holds the stored weights: " + counts.not_compared();
}

std::int64_t GivenResult::differing() const {
  std::optional<std::int64_t> fewest;
  for (const GivenFormat& f : formats) {
    const bool stores = &f == answer() || (f.rerounded.empty() && !format_called(f.counts.format).is_narrow());
    if (stores && f.counts.compared() > 0) fewest = std::min(fewest.value_or(f.worst.differing), f.worst.differing);
  }
  return fewest.value_or(0);
}

GivenTensors those_of(const infer::Problem& problem, const GivenTensors& given) {
  GivenTensors out;
  for (const infer::Variable& v : problem.variables) {
    if (const auto at = given.find(v.name); at != given.end()) out.insert(*at);
  }
  return out;
}

expr::DimValues sizes_of(const infer::Problem& problem, const GivenTensors& given) {
  expr::DimValues dims;
  solve_sizes(problem, given, dims);
  return dims;
}

bool fits(const infer::Problem& problem, const GivenTensors& given, const expr::DimValues& dims) {
  try {
    determined(problem, given, dims);
    return true;
  } catch (const expr::Error&) {
    return false;
  }
}

Evaluated evaluate_on(const infer::Problem& problem, const GivenTensors& given, const expr::DimValues& dims, const numeric::FormatInfo& format, Operands operands) {
  infer::Problem alone = problem;
  auto nothing = std::make_shared<infer::TermNode>();  // to be compared with
  nothing->kind = infer::TermKind::number;
  alone.rhs = std::move(nothing);
  const expr::DimValues known = determined(alone, given, dims);
  for (const infer::Variable& v : alone.variables) {
    if (given.count(v.name) == 0) expr::fail("bind.name", v.name + " is not bound", {}, "every tensor needs a value: --bind " + v.name + "=TENSOR");
  }
  for (const std::string& size : alone.dimensions) {
    if (known.count(size) == 0) expr::fail("bind.shape", "the tensors do not determine the size " + size, {}, "give it, such as --dim " + size + "=4");
  }
  Evaluated out;
  const std::vector<std::string> formats = every_format();
  out.answer_format = formats[static_cast<std::size_t>(answer_index(formats, given))];
  try {
    Sides sides(alone, known, format, Mutation::none, largest_given);
    sides.set_operands(operands);
    sides.hold(rounded_to(operands == Operands::as_stored ? numeric::float64_format : format, given));
    const Comparison c = sides.compare({});
    if (c.outcome == Comparison::Outcome::undefined) expr::fail("bind.value", "on these tensors the expression has no value", {}, "does it divide by zero?");
    out.shape = c.shape;
    out.entries = sides.entries(false);
  } catch (const numeric::Undefined& e) {
    expr::fail("bind.value", std::string("on these tensors the expression has no value: ") + e.what(), {});
  }
  return out;
}

GivenResult run_on(const infer::Problem& problem, const GivenTensors& given, const GivenOptions& options) {
  const expr::DimValues known = determined(problem, given, options.dims);
  const Sampler sampler(problem, options.seed, "", known, beside_given);
  GivenResult result;
  OwnVariables own = own_variables(problem);
  for (const infer::Variable& v : problem.variables) {
    if (given.count(v.name) != 0) continue;
    result.random.push_back(v.name);
    if (own.left.count(v.name) != 0 || own.right.count(v.name) != 0) result.random_on_one_side.push_back(v.name);
  }
  const auto is_no_result = [&](const std::string& name) { return !options.stored_results || given.count(name) == 0; };
  std::erase_if(own.left, is_no_result);
  std::erase_if(own.right, is_no_result);
  const bool one_case = result.random.empty() && known.size() == problem.dimensions.size();
  const GivenCases cases = cases_of(problem, sampler, given, known, one_case ? 1 : options.draws);
  if (cases.sizes.empty()) expr::fail("bind.assumption", "no sizes satisfy the assumptions of the claim together with these tensors", {});
  check_assumptions(problem, sampler, cases.sizes.front(), given);
  result.misses_unit_vectors = cases.misses_unit_vectors;
  result.open_sizes = open_sizes(cases.sizes, known);
  const int answer = answer_index(options.formats, given);
  std::vector<std::optional<GivenFormat>> rows(options.formats.size());
  const auto run = [&](std::size_t f) { rows[f] = run_format(problem, sampler, cases.sizes, given, own, format_called(options.formats[f])); };
  try {
    if (answer >= 0) {
      const auto f = static_cast<std::size_t>(answer);
      run(f);
      if (rows[f]->counts.beyond > 0 && are_casts(problem, own, given)) {  // W == M does not say which one was made of the other
        (digits_of(own.left, given).least < digits_of(own.right, given).least ? own.left : own.right).clear();
        auto other = std::exchange(rows[f], std::nullopt);
        run(f);
        if (rows[f]->counts.beyond > 0) rows[f] = std::move(other);
      }
    }
    const bool settled = answer >= 0 && rows[static_cast<std::size_t>(answer)]->counts.beyond == 0 && rows[static_cast<std::size_t>(answer)]->counts.vacuous == 0;
    const bool saves_time = answer >= 0 && has_large(given);
    const bool one_says_all = answer >= 0 && is_equal_copy(problem, given, *rows[static_cast<std::size_t>(answer)]);
    for (std::size_t f = 0; f < rows.size(); ++f) {
      if (rows[f]) continue;
      const numeric::FormatInfo& format = format_called(options.formats[f]);
      // Narrow arithmetic is written out, operation by operation; the other formats are of use where the answer needs an explanation.
      const bool slow = one_says_all || (settled && (options.brief || cases.work > (saves_time ? much_work / 16 : much_work))) || (format.accumulates_narrowly() && cases.work > much_work / 2) || (saves_time && adds_nothing(format, *rows[static_cast<std::size_t>(answer)], given));
      slow ? result.left_out.push_back(options.formats[f]) : run(f);
    }
  } catch (const numeric::Undefined& e) {
    expr::fail("bind.shape", std::string("at these sizes the claim has no value: ") + e.what(), {});
  }
  for (std::size_t f = 0; f < rows.size(); ++f) {
    if (!rows[f]) continue;
    if (static_cast<int>(f) == answer) result.answer_index = static_cast<int>(result.formats.size());
    result.formats.push_back(std::move(*rows[f]));
  }
  return result;
}

}  // namespace foldproof::campaign
