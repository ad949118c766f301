// SPDX-License-Identifier: MIT
#include "diagnose/diagnose.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "campaign/given_cases.hpp"
#include "diagnose/common_factor.hpp"
#include "diagnose/few_rows.hpp"
#include "diagnose/fitted_reading.hpp"
#include "diagnose/larger_errors.hpp"
#include "diagnose/mistakes.hpp"
#include "diagnose/row_order.hpp"
#include "diagnose/side_values.hpp"
#include "diagnose/term_factor.hpp"
#include "diagnose/weaker_claim.hpp"
#include "expr/build.hpp"
#include "infer/is_operator.hpp"
#include "read/parse.hpp"

namespace foldproof::diagnose {

namespace {

/// Whether errors have something in common that roundings have not.
bool stands_out(const StoredSide& side) { return common_factor(side) || same_error_of_few(side) || group_factor(side) || larger_errors(side); }

/// Whether no entry of the sides of one claim differs from that of the other by more than a few roundings of the format's arithmetic: those of what entries
/// have in common, as the norm of a row, shift all of them by as much.
bool differ_by_roundings(const expr::Claim& claim, const expr::Claim& other, const campaign::GivenTensors& all, const expr::DimValues& dims, const numeric::FormatInfo& format) {
  constexpr double few = 4;
  const double unit = few * std::ldexp(1.0, -format.arithmetic);
  for (const bool right : {false, true}) {
    const auto a = value_of(claim, right ? claim.rhs : claim.lhs, all, dims), b = value_of(other, right ? other.rhs : other.lhs, all, dims);
    if (!a || !b || a->entries.size() != b->entries.size()) return false;
    for (std::size_t k = 0; k < a->entries.size(); ++k) {
      if (!(std::abs(a->entries[k].value - b->entries[k].value) <= unit * std::abs(a->entries[k].value))) return false;
    }
  }
  return true;
}

/// Runs claims with a mistake on tensors, in the format that answers for the stored numbers.
class Attempts {
 public:
  Attempts(const Check& check, const run::Given& given, std::uint64_t seed) {
    options_.seed = seed;
    options_.dims = sizes_left(given.dims, *check.decision.problem);
    options_.formats = {check.result->answer()->counts.format};
    options_.stored_results = true;
  }

  std::size_t tried() const { return tried_; }
  /// Of them those that were run on the whole tensors.
  std::size_t whole() const { return whole_; }
  const expr::DimValues& dims() const { return options_.dims; }

  /// Nothing where it does not hold, or its shapes do not fit.
  std::optional<Explanation> holds(const expr::Claim& claim, const campaign::GivenTensors& all, const std::string& change) {
    const auto problem = fitting(claim, all);
    if (!problem) return std::nullopt;
    if (fails_on_few_rows(*problem, all)) {
      ++tried_;
      return std::nullopt;
    }
    const auto result = run(*problem, all, options_);
    if (!result) return std::nullopt;
    ++tried_;
    ++whole_;
    return outcome(*problem, *result, claim, all, change);
  }

  /// Entries that are not the nearest stored numbers in a few rows of large tensors; nothing where these are not large, or it does not hold there.
  std::optional<std::int64_t> differing_in(const std::optional<campaign::GivenTensors>& part, const expr::Claim& claim) const {
    const auto problem = part ? fitting(claim, *part) : std::nullopt;
    const auto result = problem ? run(*problem, *part, options_) : std::nullopt;
    const auto found = result ? outcome(*problem, *result, claim, *part, "") : std::nullopt;
    return found ? std::optional(found->differing) : std::nullopt;
  }
  /// A few rows that stand for all of them in the claim; nothing where there are not many, or what it says of one depends on others.
  std::optional<campaign::GivenTensors> few_rows_of(const expr::Claim& claim, const campaign::GivenTensors& all) const {
    const auto problem = fitting(claim, all);
    return problem ? few_rows(*problem, all, options_.dims) : std::nullopt;
  }

  /// Whether the sides of both claims are the same number by number, up to the roundings of float64 alone.
  bool same_values(const expr::Claim& claim, const expr::Claim& other, const campaign::GivenTensors& all) const {
    campaign::GivenOptions plain = options_;
    plain.formats = {"float64"};
    plain.stored_results = false;
    for (const bool right : {false, true}) {
      expr::Claim both = claim;
      both.lhs = expr::with_definitions_in_full(right ? claim.rhs : claim.lhs, claim);
      both.rhs = expr::with_definitions_in_full(right ? other.rhs : other.lhs, other);
      if (expr::same(both.lhs, both.rhs)) continue;
      const auto problem = fitting(both, all, 1);
      const auto result = problem ? run(*problem, all, plain) : std::nullopt;
      if (!result || result->formats.front().counts.compared() == 0 || result->formats.front().counts.beyond > 0) return false;
    }
    return true;
  }

 private:
  /// What the result of a claim with a mistake, made on these tensors, amounts to; nothing where it does not hold.
  std::optional<Explanation> outcome(const infer::Problem& problem, const campaign::GivenResult& result, const expr::Claim& claim, const campaign::GivenTensors& all, const std::string& change) const {
    std::string reason;
    const Answer answer = answer_of(result, reason);
    if (answer != Answer::equal && answer != Answer::rounding) return std::nullopt;
    const auto& format = campaign::format_called(result.answer()->counts.format);
    if (answer == Answer::rounding && format.is_narrow() && has_unusual_errors(claim, problem, campaign::those_of(problem, all), format)) return std::nullopt;
    std::int64_t differing = result.differing();
    if (answer == Answer::rounding && format.is_narrow()) {
      campaign::GivenOptions once = options_;
      once.formats = {"float64"};
      if (const auto rounded_once = run(problem, all, once)) differing = std::min(differing, rounded_once->differing());
    }
    return Explanation{expr::text(claim), change, answer, differing};
  }
  /// Large tensors take seconds each, and most mistakes show anywhere.
  bool fails_on_few_rows(const infer::Problem& problem, const campaign::GivenTensors& all) const {
    const auto part = few_rows(problem, all, options_.dims);
    const auto result = part && campaign::fits(problem, *part, options_.dims) ? run(problem, *part, options_) : std::nullopt;
    std::string reason;
    return result && answer_of(*result, reason) == Answer::bug;
  }
  /// Within the bound, and yet no rounding: see `doubt`.
  bool has_unusual_errors(const expr::Claim& claim, const infer::Problem& problem, const campaign::GivenTensors& tensors, const numeric::FormatInfo& format) const {
    const auto side = stored_side(problem, tensors, options_.dims, format);
    return side && (stands_out(*side) || term_factor(claim, tensors, options_.dims, *side));
  }
  /// A claim of one tensor compares it with nothing, and its sides may be compared all the same.
  std::optional<infer::Problem> fitting(const expr::Claim& claim, const campaign::GivenTensors& all, std::size_t fewest_tensors = 2) const {
    try {
      infer::Problem problem = infer::elaborate(claim);
      const campaign::GivenTensors tensors = campaign::those_of(problem, all);  // a claim with a mistake may lack some
      if (tensors.size() >= fewest_tensors && campaign::fits(problem, tensors, options_.dims)) return problem;
    } catch (const expr::Error&) {  // its shapes do not fit
    } catch (const expr::LimitReached&) {
    }
    return std::nullopt;
  }
  static std::optional<campaign::GivenResult> run(const infer::Problem& problem, const campaign::GivenTensors& all, const campaign::GivenOptions& options) {
    try {
      return campaign::run_on(problem, campaign::those_of(problem, all), options);
    } catch (const expr::Error&) {
    } catch (const expr::LimitReached&) {
    }
    return std::nullopt;
  }

  campaign::GivenOptions options_;
  std::size_t tried_ = 0, whole_ = 0;
};

/// With the unit vectors for random rows X: [n, d], so that the sides of `X @ W == X @ M` show what stands in the weights.
campaign::GivenTensors with_unit_rows(const Check& check, const run::Given& given, const expr::DimValues& dims) {
  constexpr std::int64_t largest = 768;
  const infer::Problem& problem = *check.decision.problem;
  campaign::GivenTensors out = given.tensors;
  expr::DimValues sizes = campaign::sizes_of(problem, out);
  sizes.insert(dims.begin(), dims.end());
  for (const infer::Variable& v : problem.variables) {
    if (out.count(v.name) > 0 || v.shape.size() != 2) continue;
    const auto rows = v.shape[0].as_symbol();
    if (!rows || rows->division || sizes.count(rows->name) > 0 || !campaign::unknown_names(v.shape[1], sizes).empty()) continue;
    const std::int64_t d = expr::evaluate(v.shape[1], sizes);
    if (d > largest) continue;
    campaign::GivenTensor unit{{d, d}, std::vector<double>(static_cast<std::size_t>(d * d)), check.result->answer()->counts.format};
    for (std::int64_t i = 0; i < d; ++i) unit.values[static_cast<std::size_t>(i * d + i)] = 1;
    out.emplace(v.name, std::move(unit));
  }
  return out;
}

/// Whether the part has tensors of the shapes that those of the other one have.
bool has_shapes_of(const campaign::GivenTensors& part, const campaign::GivenTensors& other) {
  return std::all_of(other.begin(), other.end(), [&](const auto& t) { return part.count(t.first) > 0 && part.at(t.first).shape == t.second.shape; });
}

/// The tensors, or some rows of large ones.
campaign::GivenTensors sample_of(const Check& check, const campaign::GivenTensors& all, const expr::DimValues& dims) {
  return few_rows(*check.decision.problem, all, dims).value_or(all);
}

/// Tries mistakes, the likely ones first, until some are found.
class Search {
 public:
  Search(const Check& check, const run::Given& given, std::uint64_t seed) : check_(check), given_(given), claim_(*check.decision.claim), attempts_(check, given, seed), measured_(with_unit_rows(check, given, attempts_.dims())), sample_(sample_of(check, measured_, attempts_.dims())) {}

  Diagnosis run() {
    if (check_.answer == Answer::bug && has_no_digits()) {
      out_.observation = "what is 0 everywhere does not tell one mistake from another";
      return std::move(out_);
    }
    attempt_all(mistakes(claim_));
    if (!out_.found.empty() || check_.answer != Answer::bug) return std::move(out_);  // what follows is less likely
    // Before what holds at one entry by chance: in 16 bits one number is easily met.
    if (out_.observation = one_wrong_entry(); !out_.observation.empty()) return std::move(out_);
    attempt_all(mistakes_in_scale(claim_, measured_, attempts_.dims()));
    keep_one_scale();
    if (out_.found.empty()) {
      if (out_.observation = zero_rows(); !out_.observation.empty()) return std::move(out_);
      attempt_all(mistakes_in_part());
    }
    if (!out_.found.empty()) return std::move(out_);
    RowOrder order = row_order(claim_, measured_, attempts_.dims());
    const bool rows_are_elsewhere = !order.mistakes.empty() || !order.observation.empty();
    if (rows_are_elsewhere) attempt_all(mistakes_in_layout(claim_, measured_, attempts_.dims()));
    if (out_.found.empty()) attempt_all(order.mistakes);
    if (!out_.found.empty()) return std::move(out_);
    out_.observation = std::move(order.observation);
    for (const auto& variable : given_.others) attempt_others(variable.first, variable.second);
    if (out_.found.empty()) attempt_neighbours();
    return std::move(out_);
  }

 private:
  static constexpr std::size_t most = 400, most_others = 40;

  void attempt(const expr::Claim& claim, const campaign::GivenTensors& all, const std::string& change) {
    if (attempts_.tried() == most) {
      ++out_.left;
    } else if (auto found = attempts_.holds(claim, all, change)) {
      out_.found.push_back(std::move(*found));
    }
    out_.tried = attempts_.tried();
  }
  void attempt_all(const std::vector<Mistake>& list) {
    for (const Mistake& mistake : list) {
      const std::size_t before = out_.found.size();
      attempt(mistake.claim, given_.tensors, mistake.change);
      if (out_.found.size() > before && says_no_more(claim_, mistake.claim, sample_, attempts_.dims())) out_.found.pop_back();
    }
  }

  /// The tensor that is a side by itself, with its name, where the other one is computed; null where there is none.
  const campaign::GivenTensors::value_type* stored_result() const {
    const infer::Problem& problem = *check_.decision.problem;
    for (const auto& [stored, computed] : {std::pair{problem.lhs, problem.rhs}, std::pair{problem.rhs, problem.lhs}}) {
      if (stored->kind != infer::TermKind::variable || infer::only_moves(computed)) continue;
      const auto at = given_.tensors.find(stored->name);
      if (at != given_.tensors.end()) return &*at;
    }
    return nullptr;
  }
  static bool are_zero(std::span<const double> values) {
    return std::all_of(values.begin(), values.end(), [](double v) { return v == 0; });
  }
  /// Whether the stored result is 0 everywhere.
  bool has_no_digits() const {
    const auto* stored = stored_result();
    return stored != nullptr && are_zero(stored->second.values);
  }
  /// Says which rows of the stored result are 0, where those are the ones that are beyond the bound; empty where that is not so.
  std::string zero_rows() const {
    const auto* stored = stored_result();
    const campaign::Comparison& worst = check_.result->answer()->worst;
    if (stored == nullptr || check_.result->answer()->counts.cases != 1 || worst.first_exceeding.empty() || stored->second.shape.empty() || worst.shape != stored->second.shape) return "";
    const auto first = static_cast<std::size_t>(worst.first_exceeding[0]), behind = static_cast<std::size_t>(worst.last_exceeding[0]) + 1;
    const auto width = stored->second.values.size() / static_cast<std::size_t>(stored->second.shape[0]);
    if (!are_zero(std::span<const double>(stored->second.values).subspan(first * width, (behind - first) * width))) return "";
    return fmt::format("the rows {}:{} of {} are 0, and no others differ", first, behind, stored->first);
  }
  /// Says that all entries but one agree, where the others are as roundings leave them; empty where that is not so.
  std::string one_wrong_entry() const {
    const campaign::Comparison& worst = check_.result->answer()->worst;
    const campaign::FormatResult& counts = check_.result->answer()->counts;
    if (counts.cases != 1 || worst.exceeding != 1 || worst.entries < 2 || worst.entry < 0) return "";
    auto side = stored_side(*check_.decision.problem, given_.tensors, attempts_.dims(), campaign::format_called(counts.format));
    const auto place = static_cast<std::size_t>(worst.entry);
    if (side && place < side->stored.size()) {
      side->stored[place] = side->once(place);
      if (stands_out(*side)) return "";
    } else if (2 * worst.differing > worst.entries) {
      return "";  // nothing is known of how errors are spread
    }
    return fmt::format("all entries but one agree, up to rounding: at {} the left side is {:.6g} and the right one {:.6g}", worst.index(), worst.lhs, worst.rhs);
  }
  /// Of two constants at one term the first, which is the simpler one.
  void keep_one_scale() {
    const auto place = [](const Explanation& e) { return e.change.substr(std::min(e.change.find(" at "), e.change.size())); };
    const auto last = std::unique(out_.found.begin(), out_.found.end(), [&](const Explanation& one, const Explanation& other) { return place(one) == place(other); });
    out_.found.erase(last, out_.found.end());
  }

  /// Mistakes in the rows, or the columns, that are beyond the bound, where others are not: an update that went into half of them.
  std::vector<Mistake> mistakes_in_part() const {
    const campaign::Comparison& worst = check_.result->answer()->worst;
    std::vector<Mistake> out;
    for (std::size_t axis = 0; axis < std::min<std::size_t>(worst.first_exceeding.size(), 2); ++axis) {
      const std::int64_t first = worst.first_exceeding[axis], behind = worst.last_exceeding[axis] + 1;
      const bool is_open = axis == 0 && check_.result->answer()->counts.cases > 1;  // the rows are random
      if (is_open || (first == 0 && behind == worst.shape[axis])) continue;
      const std::string part = std::string(axis == 0 ? "[" : "[:, ") + std::to_string(first) + ":" + std::to_string(behind) + "]";
      for (Mistake& mistake : mistakes(claim_)) {
        expr::Claim claim = with_given_sizes(mistake.claim, given_.tensors);
        claim.lhs = read::parse_expression("(" + expr::text(claim.lhs) + ")" + part);
        claim.rhs = read::parse_expression("(" + expr::text(claim.rhs) + ")" + part);
        out.push_back({std::move(claim), (axis == 0 ? "in rows " : "in columns ") + std::to_string(first) + ":" + std::to_string(behind) + ", " + mistake.change});
      }
    }
    return out;
  }

  /// Nothing where it cannot be read: it holds infinities, say.
  static std::optional<campaign::GivenTensor> read(const run::OtherTensor& other) {
    try {
      return other.read();
    } catch (const expr::Error&) {
      return std::nullopt;
    }
  }

  /// Puts the other tensor in the variable's place; not where another variable has this very tensor, for W == W explains nothing. A slice may be, and so may
  /// a tensor of the same numbers elsewhere: of Q == M it is the one that M is a copy of.
  bool replace(campaign::GivenTensors& tensors, const std::string& variable, const run::OtherTensor& other) const {
    const auto is_it = [&](const auto& source) {
      if (source.first == variable || source.second.rfind(other.source, 0) != 0) return false;
      const std::string steps = source.second.substr(other.source.size());  // else the rest of a longer name
      return steps.empty() || steps.front() == '[' || steps.rfind(".T", 0) == 0 || steps.find('(') != std::string::npos;
    };
    if (!other.change.empty() && std::any_of(given_.sources.begin(), given_.sources.end(), is_it)) return false;
    auto tensor = read(other);
    if (!tensor) return false;
    tensors.at(variable) = std::move(*tensor);
    return true;
  }

  void attempt_others(const std::string& variable, const std::vector<run::OtherTensor>& others) {
    out_.left += others.size() - std::min(others.size(), most_others);
    for (std::size_t k = 0; k < std::min(others.size(), most_others); ++k) {
      campaign::GivenTensors tensors = given_.tensors;
      if (replace(tensors, variable, others[k])) attempt(claim_, tensors, "with the tensor " + others[k].name + " for " + variable);
    }
  }

  /// Two tensors of the neighbouring layer, as A and B of an adapter. Not all of them: that is the claim about that layer.
  void attempt_neighbours() {
    struct Neighbour {
      const std::string* variable;
      const run::OtherTensor* other;
    };
    std::map<std::string, std::vector<Neighbour>> by_change;
    for (const auto& [variable, others] : given_.others) {
      for (const run::OtherTensor& other : others) {
        if (!other.change.empty()) by_change[other.change].push_back({&variable, &other});
      }
    }
    const std::set<std::string> factors = factors_of_products();  // the two of an adapter are exchanged together sooner than weights with one of them
    for (const bool both : {true, false}) {
      std::size_t tried = 0;
      for (const auto& change : by_change) {
        const std::vector<Neighbour>& list = change.second;
        for (std::size_t i = 0; i < list.size(); ++i) {
          for (std::size_t j = i + 1; j < list.size() && tried < most_others && given_.tensors.size() > 2; ++j) {
            const std::string &first = *list[i].variable, &second = *list[j].variable;
            if (first == second || (factors.count(first) > 0 && factors.count(second) > 0) != both) continue;
            ++tried;
            campaign::GivenTensors tensors = given_.tensors;
            if (!replace(tensors, first, *list[i].other) || !replace(tensors, second, *list[j].other)) continue;
            attempt(claim_, tensors, "with the tensors " + list[i].other->name + " for " + first + " and " + list[j].other->name + " for " + second);
          }
        }
      }
    }
  }
  std::set<std::string> factors_of_products() const {
    std::set<std::string> found;
    const std::function<void(const expr::Expression&, bool)> look = [&](const expr::Expression& e, bool inside) {
      if (inside && e->kind == expr::SyntaxKind::name) found.insert(e->name);
      expr::each_part(e, [&](const expr::Expression& part) { look(part, inside || e->kind == expr::SyntaxKind::matmul); });
    };
    for (const expr::Expression& side : {claim_.lhs, claim_.rhs}) look(side, false);
    return found;
  }

  const Check& check_;
  const run::Given& given_;
  const expr::Claim& claim_;
  Attempts attempts_;
  const campaign::GivenTensors measured_;  ///< the tensors, with the unit vectors for random rows
  const campaign::GivenTensors sample_;    ///< of these, for what is asked of other numbers
  Diagnosis out_;
};

}  // namespace

Diagnosis diagnose(const Check& check, const run::Given& given, std::uint64_t seed) { return Search(check, given, seed).run(); }

std::optional<Explanation> closer_mistake(const Check& check, const run::Given& given, std::uint64_t seed) {
  constexpr std::int64_t far_better = 10;
  constexpr std::size_t enough_entries = 50'000'000, least = 4;  // of the largest tensor, in all attempts
  const std::int64_t differing = check.result->differing();
  if (check.result->answer()->counts.cases != 1 || differing == 0) return std::nullopt;
  std::size_t largest = 1;
  for (const auto& tensor : given.tensors) largest = std::max(largest, tensor.second.values.size());
  Attempts attempts(check, given, seed);
  const expr::Claim& claim = *check.decision.claim;
  const auto part = attempts.few_rows_of(claim, given.tensors);
  const auto differing_there = attempts.differing_in(part, claim);
  const auto is_no_closer_there = [&](const expr::Claim& other) {
    const auto its_part = differing_there ? attempts.few_rows_of(other, given.tensors) : std::nullopt;
    if (!its_part || !has_shapes_of(*part, *its_part)) return false;  // nothing is known
    return attempts.differing_in(part, other).value_or(*differing_there) >= *differing_there;
  };
  for (const Mistake& mistake : mistakes(claim)) {
    if (attempts.whole() >= std::max(least, enough_entries / largest)) break;
    if (is_no_closer_there(mistake.claim)) continue;
    const auto found = attempts.holds(mistake.claim, given.tensors, mistake.change);
    if (!found || found->differing * far_better > differing) continue;
    if (differ_by_roundings(claim, mistake.claim, given.tensors, attempts.dims(), campaign::format_called(check.result->answer()->counts.format))) continue;
    const bool is_other = !attempts.same_values(claim, mistake.claim, given.tensors);  // W.T for a symmetric W is no mistake
    if (is_other && !says_no_more(claim, mistake.claim, sample_of(check, with_unit_rows(check, given, attempts.dims()), attempts.dims()), attempts.dims())) return found;
  }
  return std::nullopt;
}

}  // namespace foldproof::diagnose
