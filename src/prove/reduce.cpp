// SPDX-License-Identifier: MIT
// Claims that have no normal form of their own: rank statements are led back to factorizations, statements about slices to cases
// of the sizes, inverses and denominators to both sides times what was divided by. What is found here is only a proposal; the
// kernel writes down the reduced claims and checks each.
#include <algorithm>
#include <set>

#include "infer/is_operator.hpp"
#include "infer/visit.hpp"
#include "normal/normalize.hpp"
#include "prove/bends.hpp"
#include "prove/factors.hpp"
#include "prove/parts.hpp"
#include "prove/proposals.hpp"
#include "prove/prove.hpp"
#include "prove/sides.hpp"
#include "read/parse.hpp"

namespace foldproof::prove {
namespace {

using kernel::ReductionKind;

constexpr int most_measures = 2;  // in sqrt(sum(A * A)): to lead both sides back to what these are functions of is free
constexpr int deepest = 5;  // reductions within each other, but for lemmas about layers on layers; one is left for `turned`
constexpr std::size_t most_slices = 3;
constexpr std::size_t few_doubted = 4, all_doubted = 40;  // lemmas that an instance refutes, of which the next may be true
constexpr int most_led_back = 3000;  // claims on the way; no proof is known that takes 200
constexpr int most_products = 60;  // proofs tried of both sides times something

/// How long it takes to lead a claim back to others and to infer their shapes, as looks at atoms: see normal::Limits.
std::size_t work_of(const Claim& claim) {
  constexpr std::size_t of_a_part = 500, most = 2'000'000;
  std::size_t parts = 0;
  const std::function<void(const Expression&)> count = [&](const Expression& e) {
    if (++parts < most) expr::each_part(e, count);
  };
  for (const auto& d : claim.definitions) count(d.value);
  count(claim.lhs);
  count(claim.rhs);
  return of_a_part * parts;
}
/// What the kernel leads a claim back to, as part of the work that a decision may take.
auto led_back_to(const Claim& claim, const infer::Problem& problem, const kernel::Reduction& reduction) {
  normal::Allowance::spend(work_of(claim));
  return kernel::reduce(claim, problem, reduction);
}

class Search {
 public:
  /// Both sides of an equation may be multiplied by `most_factors` things in turn, at most deepest.
  explicit Search(std::size_t most_factors, const Doubt& doubt = {}, const normal::Limits& limits = {}, std::size_t* lemmas_left = nullptr) : most_factors_(most_factors), doubt_(doubt), limits_(limits), lemmas_left_(lemmas_left != nullptr ? lemmas_left : &own_lemmas_) {}

  /// The proof of the first claim.
  Proof prove(const Claim& claim, const infer::Problem& problem) {
    Proof proof = prove(claim, problem, 0);
    proof.limit_on_the_way = limited_;
    return proof;
  }

  /// The same search, with what is left of its limits, for longer proofs.
  Search& with(std::size_t most_factors) {
    most_factors_ = most_factors;
    products_ = 0;
    led_back_ = 0;
    return *this;
  }

  Proof prove(const Claim& claim, const infer::Problem& problem, int depth) {
    Proof proof;
    if (limits_.spent > limits_.effort()) {  // by what was tried before
      proof.limit = true;
      return proof;
    }
    if (auto lemmas = between_layers(claim, own_lemmas_only() ? few_parts : few_parts / 4); !lemmas.empty()) {  // what is written out for each layer on top of others has no end
      if (depth == 0 && doubt_ && doubt_(problem)) return proof;
      if (depth == 0 && own_lemmas_only()) own_lemmas_ += 2 * claim.definitions.size();
      auto found = by_lemmas(claim, problem, 0, lemmas, all_doubted);
      if (found.certificate) return found;
    }
    if (auto lists = path_.empty() ? permutation_lists(claim) : std::vector<std::string>{}; !lists.empty()) {  // written out, its entries are so many claims
      Search shortly(0, doubt_, {.steps = few_steps});
      auto found = shortly.by(claim, problem, {ReductionKind::forget, std::move(lists)}, depth);
      if (found.certificate) return found;
    }
    const bool by_sums = !adds_up_.empty() && path_.size() <= adds_up_.size() && std::all_of(path_.begin(), path_.end(), [](ReductionKind k) { return k == ReductionKind::lemma; });
    const auto is_sum_of = [&](const std::string& part) { return expr::text(claim.lhs) == "rowsum(" + part + ")" && expr::is_number(claim.rhs, 1); };
    if (by_sums && (path_.empty() || !is_sum_of(adds_up_[path_.size() - 1]))) {
      const bool all = path_.size() == adds_up_.size();
      return by(claim, problem, all ? kernel::Reduction{ReductionKind::forget, adds_up_} : kernel::Reduction{ReductionKind::lemma, {"rowsum(" + adds_up_[path_.size()] + ")", "1"}}, depth);
    }
    int led_by_measures = 0;
    for (std::size_t k = 1; k < path_.size(); ++k) led_by_measures += path_[k] == ReductionKind::increasing && (path_[k - 1] == ReductionKind::forget || path_[k - 1] == ReductionKind::increasing) ? 1 : 0;
    const int led_by_entries = led_here(ReductionKind::entries) ? 1 : 0;  // to a claim that is no harder
    if (depth >= deepest + std::min(led_by_measures, most_measures) + led_by_entries) return prove::prove(problem, limits_);
    const bool numbers = problem.lhs->shape.empty() && problem.rhs->shape.empty();
    const bool ranks = numbers && (any_part(claim.lhs, is_rank) || any_part(claim.rhs, is_rank));
    if (const auto k = split_by_least(claim)) return by(claim, problem, {ReductionKind::least, *k}, depth);
    if (has_functions_of_blocks(claim)) {
      auto found = by(claim, problem, {ReductionKind::apart, {}}, depth);
      if (found.certificate) return found;
    }
    for (const kernel::Reduction& step : std::count(path_.begin(), path_.end(), ReductionKind::triangle) > 1 ? std::vector<kernel::Reduction>{} : triangles(claim)) {
      auto found = by(claim, problem, step, depth);
      if (found.certificate) return found;
    }
    if (ranks && path_.empty() && !claim.definitions.empty()) {  // K.T @ K has the rank of K, whatever K is
      Search shortly(0, doubt_, {.steps = few_steps});
      std::vector<std::string> names;
      for (const auto& d : claim.definitions) names.push_back(d.name);
      auto found = shortly.by(claim, problem, {ReductionKind::forget, names}, depth);
      if (found.certificate) return found;
    }
    if (ranks && claim.relation == Relation::equal) return by(claim, problem, {ReductionKind::equal, {}}, depth);
    if (ranks && claim.relation == Relation::less) return by(claim, problem, {ReductionKind::turned, {"one"}}, depth);  // whole numbers
    if (!ranks) {
      if (depth == 0 && most_factors_ > 0) {  // the rest has been tried
        proof = by_products(claim, problem, depth);
        const bool shifts = !proof.certificate && claim.relation == Relation::equal && !shifted_sizes(problem).empty();
        return shifts ? by_cases(claim, problem, depth) : proof;  // x[:-1] by x[1:] is by blocks only where n == 1 + rest
      }
      if (claim.relation != Relation::equal && !led_here(ReductionKind::squared)) {  // sooner than to multiply out
        const auto measures = [](const Expression& e) { return squares_summed(e) || is_square(e) || is_call(e, "sqrt", 1); };
        std::vector<kernel::Reduction> steps;
        if (auto step = led_here(ReductionKind::forget) ? std::nullopt : whatever_is_measured(claim)) steps.push_back(std::move(*step));
        const auto both = [&](const char* function) { return is_call(claim.lhs, function, 1) && is_call(claim.rhs, function, 1); };
        const bool rise = !led_here(ReductionKind::exponential) && (both("exp") || both("sigmoid") || both("tanh"));  // which says as much of what they are taken of
        if (rise || (measures(claim.lhs) && measures(claim.rhs))) steps.push_back({ReductionKind::increasing, {}});
        if (auto step = factor_by_factor(claim, problem)) steps.push_back(std::move(*step));
        const bool in_exponentials = !path_.empty() && (path_.back() == ReductionKind::exponential || (path_.back() == ReductionKind::scaled && led_here(ReductionKind::exponential)));
        if (auto step = in_exponentials ? by_log_convexity(claim) : std::nullopt) steps.push_back(std::move(*step));
        const bool divided = !path_.empty() && path_.back() == ReductionKind::rearranged && led_here(ReductionKind::exponential) && led_here(ReductionKind::scaled);
        if (auto step = divided ? whatever_is_shifted(claim) : std::nullopt) steps.push_back(std::move(*step));
        if (auto step = claim.relation == Relation::less && !led_here(ReductionKind::through) ? below_logarithms(claim) : std::nullopt) steps.push_back(std::move(*step));
        auto found = first_of(claim, problem, steps, depth);
        if (found.certificate) return found;
      }
      if (depth > 0 && claim.relation != Relation::equal) {  // cheap, and what it leads to is simpler
        auto found = by_slopes(claim, problem, depth);
        if (found.certificate) return found;
      }
      if (auto largest = path_.empty() && claim.relation == Relation::equal ? largest_in_exponents(claim) : std::vector<std::string>{}; largest.size() > 1) {  // one of another takes cases
        Search shortly(0, doubt_, {.steps = few_steps});
        auto found = shortly.by(claim, problem, {ReductionKind::forget, std::move(largest)}, depth);
        if (found.certificate) return found;
      }
      if (path_.empty() && assumes_only_sizes(claim, problem)) {  // j < w of a window is decided where w is n + rest
        Search shortly(0, doubt_, {.steps = few_steps});
        auto found = shortly.by_cases(claim, problem, depth);
        if (found.certificate) return found;
      }
      const bool one_of_few = depth == 0 || (path_.size() == 1 && path_[0] == ReductionKind::within);  // of the other claims there are many
      proof = prove::prove(problem, limits_, one_of_few && limits_.steps >= normal::Limits{}.steps);
      if (proof.certificate || (depth == 0 && doubt_ && doubt_(problem))) return proof;
      const bool multiplied = !path_.empty() && (path_.back() == ReductionKind::before || path_.back() == ReductionKind::after);
      if (const auto step = multiplied ? with_identities(claim) : std::nullopt) {
        auto found = by(claim, problem, *step, depth);
        if (found.certificate) return found;
      }
      if (claim.relation == Relation::equal) {
        auto found = by_positive_definitions(claim, problem, depth);
        if (found.certificate) return found;
        found = !led_here(ReductionKind::exponential) && may_be_infinite(claim, problem) ? by(claim, problem, {ReductionKind::exponential, {}}, depth) : Proof{};
        if (found.certificate) return found;
      }
      if (const auto step = with_what_it_is(claim)) {
        auto found = by(claim, problem, *step, depth);  // what else is such a thing is in the claim that is left
        if (found.certificate) return found;
      }
      if (auto parts = path_.empty() && claim.relation == Relation::equal ? shared_parts(claim) : std::vector<std::string>{}; !parts.empty()) {
        Search shortly(0, doubt_, {.steps = few_steps});
        auto found = shortly.by(claim, problem, {ReductionKind::forget, std::move(parts)}, depth);
        if (found.certificate) return found;
      }
      if (auto parts = path_.empty() && adds_up_.empty() && claim.relation == Relation::equal ? stochastic_parts(claim) : std::vector<std::string>{}; !parts.empty()) {
        Search shortly(0, doubt_, {.steps = few_steps});
        shortly.adds_up_ = std::move(parts);
        auto found = shortly.prove(claim, problem, depth);
        if (found.certificate) return found;
      }
      for (const kernel::Reduction& step : path_.empty() && claim.relation == Relation::equal ? whatever_is_inverted(claim) : std::vector<kernel::Reduction>{}) {
        Search shortly(0, doubt_, {.steps = few_steps});
        auto found = shortly.by(claim, problem, step, depth);
        if (found.certificate) return found;
      }
      if (auto step = led_here(ReductionKind::exponential) ? std::nullopt : by_log_convexity(claim)) {
        auto found = by(claim, problem, *step, depth);
        if (found.certificate) return found;
      }
      for (const kernel::Reduction& step : by_ranks(claim, problem)) {
        auto found = by(claim, problem, step, depth);
        if (found.certificate) return found;
      }
      auto found = by_what_is_assumed(claim, problem, depth);
      if (found.certificate) return found;
      found = by_definitions(claim, problem, depth);
      if (found.certificate) return found;
      if (claim.relation == Relation::equal && !led_here(ReductionKind::forget)) {
        found = first_of(claim, problem, whatever_is_inverted(claim), depth);
        if (found.certificate) return found;
      }
      if (path_.empty() && claim.relation == Relation::less_equal && assumes_only_sizes(claim, problem)) {  // cases of which nothing depends on
        found = by(claim, problem, {ReductionKind::turned, {"bare"}}, depth);
        if (found.certificate) return found;
      }
      const bool cases_of_cases = claim.relation != Relation::equal && led_here(ReductionKind::within) && !has_slices(problem);  // of m == 2 + rest, where nothing is cut
      if (!proof.limit && !cases_of_cases) {
        found = by_cases(claim, problem, depth);
        if (found.certificate) return found;
      }
      const bool bent = bends(claim.lhs) || bends(claim.rhs) || multiplies_differences(claim), in_pieces = led_here(ReductionKind::pieces);
      const bool order_first = in_pieces && claim.relation != Relation::equal;  // of a piece it seldom helps to cut it once more
      if (claim.relation != Relation::equal && !in_pieces) {
        auto found = by_weights(claim, problem, depth);
        if (found.certificate) return found;
      }
      if (claim.relation != Relation::equal && is_polynomial(claim)) {
        auto found = by_subdivision(claim, problem, depth);
        if (found.certificate) return found;
      }
      if (bent && !order_first) {
        auto found = by_pieces(claim, problem, depth);
        if (found.certificate) return found;
      }
      if (claim.relation != Relation::equal && !in_pieces) {  // c as 1 + t makes long terms: what says c > 0 as well comes first
        auto found = by_ends(claim, problem, false, depth);
        if (found.certificate) return found;
      }
      const bool bounded = std::any_of(claim.assumptions.begin(), claim.assumptions.end(), [](const auto& a) { return a.relation == Relation::less_equal || a.relation == Relation::greater_equal; });
      const Names maxima = {"max", "min", "rowmax", "rowmin", "colmax", "colmin"};
      const bool magnitude = is_call_of(claim.lhs, {"abs", "relu"}) || is_call_of(claim.rhs, {"abs", "relu"});  // abs(det(R)) == 1
      const bool vanishes = depth == 0 && is_zero(claim.rhs) && assumes_zero(claim);
      if (claim.relation == Relation::equal && (bounded || magnitude || vanishes || (calls(claim.lhs, maxima) && calls(claim.rhs, maxima)))) {  // the order of axes is none that normal forms know
        auto found = by(claim, problem, {ReductionKind::equal, {}}, depth);
        if (found.certificate) return found;
      }
      if (claim.relation != Relation::equal) {
        auto found = depth == 0 ? by_slopes(claim, problem, depth) : Proof{};
        if (found.certificate) return found;
        found = by_order(claim, problem, depth);
        if (found.certificate) return found;
        found = by_signs(claim, problem, depth);
        if (found.certificate) return found;
      }
      if (bent && order_first) {
        auto found = by_pieces(claim, problem, depth);
        if (found.certificate) return found;
      }
      if (bent && !in_pieces) {
        auto found = by_bends(claim, problem, depth);
        if (found.certificate) return found;
      }
      if (claim.relation != Relation::equal && !led_here(ReductionKind::forget)) {
        if (const auto lemma = mask(claim)) {
          auto found = by(claim, problem, *lemma, depth);
          if (found.certificate) return found;
        }
        const auto parts = repeated_parts(claim);
        if (!claim.definitions.empty()) {  // whatever they are
          std::vector<std::string> names;
          for (const auto& d : claim.definitions) names.push_back(d.name);
          auto found = by(claim, problem, {ReductionKind::forget, names}, depth);
          if (found.certificate) return found;
          found = names.size() > 1 ? by(claim, problem, {ReductionKind::forget, {names.back()}}, depth) : Proof{};
          if (found.certificate) return found;
        }
        std::vector<std::string> all, outermost;
        std::vector<Expression> left{claim.lhs, claim.rhs};
        for (const Expression& part : parts) {  // the larger ones first: lse(A) may stand nowhere but in A - lse(A)
          const auto is_it = [&](const Expression& e) { return expr::same(e, part); };
          all.push_back(expr::text(part));
          if (any_part(left[0], is_it) || any_part(left[1], is_it)) outermost.push_back(all.back());
          for (Expression& side : left) side = expr::changed(side, [&](const Expression& e) { return is_it(e) ? read::parse_expression("0") : nullptr; });
        }
        if (outermost.size() > 1) {
          auto found = by(claim, problem, {ReductionKind::forget, outermost}, depth);
          if (found.certificate) return found;
        }
        for (const std::string& part : all) {
          auto found = by(claim, problem, {ReductionKind::forget, {part}}, depth);
          if (found.certificate) return found;
        }
      }
      if (most_factors_ > 0) {
        auto found = by_products(claim, problem, depth);
        if (found.certificate) return found;
      }
      return proof;
    }
    proof = prove::prove(problem, limits_);  // with every rank as a size of its own
    if (proof.certificate) return proof;
    const auto proved = [&](Proof found) {
      proof.limit = proof.limit || found.limit;
      proof.certificate = std::move(found.certificate);
      return proof.certificate.has_value();
    };
    if (kernel::growing_rank(claim.lhs)) {
      if (proved(by_sizes_less_one(claim, problem, depth))) return proof;
      for (const Factors& f : factorizations(claim, problem)) {
        if (proved(by(claim, problem, {ReductionKind::above, {expr::text(f.left), expr::text(f.right)}}, depth))) return proof;
        for (const auto& [factor, word] : {std::pair{f.left, "left"}, std::pair{f.right, "right"}}) {
          const bool bounds_it = any_part(claim.rhs, [&, x = factor](const Expression& r) { return is_rank(r) && expr::same(r->args[0], x); });
          const bool simpler = bounds_it || (nodes(factor) < nodes(kernel::growing_rank(claim.lhs)->args[0]) && is_bounded_by_a_part(factor, claim.rhs));
          if (simpler && proved(by(claim, problem, {ReductionKind::above, {expr::text(f.left), expr::text(f.right), word}}, depth))) return proof;
        }
      }
      for (const kernel::Reduction& step : null_spaces(claim, problem)) {
        if (!led_here(ReductionKind::nullity) && proved(by(claim, problem, step, depth))) return proof;
      }
    }
    if (kernel::growing_rank(claim.rhs)) {
      constexpr std::ptrdiff_t most_regular = 2;
      for (const Expression& m : square_factors(claim, problem)) {
        const bool enough = std::count(path_.begin(), path_.end(), ReductionKind::regular) >= most_regular;
        if (!enough && proved(by(claim, problem, {ReductionKind::regular, {expr::text(m)}}, depth))) return proof;
      }
      for (const Factors& f : unit_witnesses(claim, problem)) {
        if (proved(by(claim, problem, {ReductionKind::below, {expr::text(f.left), expr::text(f.right)}}, depth))) return proof;
      }
      if (proved(by(claim, problem, {ReductionKind::gram, {}}, depth))) return proof;
      for (const std::string& why : reasons_for_full_rank(claim)) {
        if (proved(by(claim, problem, {ReductionKind::full, {why}}, depth))) return proof;
      }
    }
    const auto moved = rearrangement(claim, problem);
    if (moved && !sizes_less_one(claim.lhs).empty() && proved(by(claim, problem, *moved, depth))) return proof;  // d - 1 <= rank(E)
    for (const std::string& rank : led_here(ReductionKind::through) ? std::vector<std::string>{} : ranks_between(claim, problem)) {
      if (proved(by(claim, problem, {ReductionKind::through, {rank}}, depth))) return proof;
    }
    if (moved && proved(by(claim, problem, *moved, depth))) return proof;
    proof.reason = "no factorization was found that bounds the rank";
    return proof;
  }

  /// Whether there is something to try for `with`, here or in a case of the sizes.
  static bool has_products(const Claim& claim, const infer::Problem& problem) { return !products_and_lemmas(claim, problem).empty() || !shifted_sizes(problem).empty(); }

 private:
  /// Whether a reduction of that kind led from the first claim to the current one.
  bool led_here(ReductionKind kind) const { return std::find(path_.begin(), path_.end(), kind) != path_.end(); }

  /// Whether no lemma led to this search.
  bool own_lemmas_only() const { return lemmas_left_ == &own_lemmas_; }

  /// The last claim first: of a factorization it is the short one about sizes.
  Proof by(const Claim& claim, const infer::Problem& problem, kernel::Reduction reduction, int depth) {
    path_.push_back(reduction.kind);
    Proof proof = by_parts(claim, problem, std::move(reduction), depth);
    path_.pop_back();
    return proof;
  }
  Proof by_parts(const Claim& claim, const infer::Problem& problem, kernel::Reduction reduction, int depth) {
    Proof proof;
    if (++led_back_ > most_led_back) {
      proof.limit = true;
      proof.reason = "more than " + std::to_string(most_led_back) + " claims were led back to others";
      return proof;
    }
    try {
      const auto claims = led_back_to(claim, problem, reduction);
      kernel::Certificate certificate;
      certificate.parts.resize(claims.size());
      std::vector<std::optional<infer::Problem>> smaller(claims.size());
      for (std::size_t k = 0; k < claims.size(); ++k) {
        try {
          smaller[k] = infer::elaborate(claims[k]);
        } catch (const expr::Error& e) {
          if (!kernel::has_no_value(claims[k], reduction, e)) throw;
          continue;
        }
        if (!doubt_ || any_part(claims[k].lhs, is_rank) || any_part(claims[k].rhs, is_rank) || !doubt_(*smaller[k])) continue;
        proof.reason = "a claim that would lead to this one is false";
        return proof;
      }
      for (std::size_t k = claims.size(); k-- > 0;) {
        if (!smaller[k]) continue;
        Proof part = prove(claims[k], *smaller[k], depth + 1);
        if (!part.certificate) {
          proof.reason = part.reason;
          proof.limit = part.limit;
          limited_ = limited_ || part.limit;
          return proof;
        }
        certificate.parts[k] = std::move(*part.certificate);
      }
      certificate.reduction = std::move(reduction);
      const auto outcome = kernel::check(claim, certificate);
      if (outcome.accepted) {
        proof.certificate = std::move(certificate);
      } else {
        proof.reason = outcome.reason;  // a witness that is not defined everywhere, for one
      }
    } catch (const expr::Error& e) {
      proof.reason = e.what();
    } catch (const kernel::Reject& e) {
      proof.reason = e.what();
    } catch (const expr::LimitReached& e) {
      proof.reason = e.what();
      proof.limit = true;
    }
    return proof;
  }

  /// Assumptions that say more in other words, and the claim in the words of its assumptions.
  Proof by_what_is_assumed(const Claim& claim, const infer::Problem& problem, int depth) {
    std::vector<kernel::Reduction> steps = prove::by_assumptions(claim);
    const bool assumes = std::any_of(claim.assumptions.begin(), claim.assumptions.end(), [](const auto& a) { return a.relation == Relation::equal; });
    const bool moved = !path_.empty() && path_.back() == ReductionKind::rearranged;
    if (assumes && moved) steps.insert(steps.begin(), {ReductionKind::turned, {"free"}});  // an identity of the differences, or of sums of squares, whatever is assumed
    const bool of_rows = std::any_of(claim.assumptions.begin(), claim.assumptions.end(), [](const auto& a) { return !a.relation && is_call(a.lhs, "rowstochastic"); });
    if (of_rows && moved && claim.relation != Relation::equal) steps.insert(steps.begin(), {ReductionKind::turned, {"bare"}});
    if (claim.relation == Relation::equal && !led_here(ReductionKind::rearranged)) {
      if (auto step = as_assumed(claim)) steps.push_back(std::move(*step));
      if (auto step = as_determinant_of_product(claim)) steps.push_back(std::move(*step));
      if (auto step = with_products_apart(claim)) steps.push_back(std::move(*step));
    }
    return first_of(claim, problem, steps, depth);
  }

  /// What is too large to be multiplied out, or differs in form when it is: first B == P @ A for two of its definitions, then the claim for
  /// any A and B of which that is true. P @ is read off the sides of the claim.
  Proof by_definitions(const Claim& claim, const infer::Problem& problem, int depth) {
    if (claim.relation != Relation::equal || depth + 2 >= deepest) return {};
    Proof found = by_lemmas(claim, problem, 0, between_layers(claim, 0), all_doubted);
    return found.certificate ? found : by_lemmas(claim, problem, depth, between_definitions(claim), few_doubted);
  }
  /// s = u + 1/2 where u >= 0, and s = maximum(u, 1/2), which move through relu, and cancel, as any positive numbers do.
  Proof by_positive_definitions(const Claim& claim, const infer::Problem& problem, int depth) {
    constexpr std::size_t most = 4, most_each = 2;
    const bool bent = bends(claim.lhs) || bends(claim.rhs) || std::any_of(claim.definitions.begin(), claim.definitions.end(), [](const auto& d) { return bends(d.value); });
    if (!bent || claim.assumptions.empty() || static_cast<std::size_t>(std::count(path_.begin(), path_.end(), ReductionKind::forget)) >= most_each) return {};
    std::vector<kernel::Reduction> steps;
    const auto forget = [&](const expr::Definition& d) { steps.push_back({ReductionKind::forget, {"positive", d.name}}); };
    for (auto d = claim.definitions.rbegin(); d != claim.definitions.rend(); ++d) {  // the last one is made of the others
      const Expression& e = d->value;
      if (is_call_of(e, {"maximum", "clip"}) && e->args.size() > 1 && e->args[1]->kind == SyntaxKind::number && e->args[1]->value.sign() > 0) forget(*d);
    }
    for (const auto& d : claim.definitions) {
      const bool linear = d.value->kind == SyntaxKind::add || d.value->kind == SyntaxKind::subtract || d.value->kind == SyntaxKind::multiply;
      if (linear && !bends(d.value)) forget(d);
    }
    if (steps.size() > most) steps.resize(most);
    Search shortly(0, doubt_, {.steps = few_steps});
    shortly.path_ = path_;
    return shortly.first_of(claim, problem, steps, depth);
  }
  Proof by_lemmas(const Claim& claim, const infer::Problem& problem, int depth, const std::vector<Lemma>& lemmas, std::size_t most_doubted) {
    constexpr std::size_t most_lemmas = 4, most_refused = 60;  // which takes as long as reading the claim
    const normal::Limits afresh{.steps = own_lemmas_only() ? 8 * limits_.steps : limits_.steps};
    std::size_t tried = 0, doubted = 0, begun = 0;
    for (const Lemma& lemma : lemmas) {
      if (tried >= most_lemmas || doubted >= most_doubted || *lemmas_left_ == 0 || begun++ >= most_refused + tried + doubted) break;
      const kernel::Reduction first{ReductionKind::lemma, {lemma.name, expr::text(lemma.value)}};
      kernel::Reduction second{ReductionKind::forget, {lemma.name}};
      second.text.insert(second.text.end(), lemma.of.begin(), lemma.of.end());
      try {
        const auto claims = led_back_to(claim, problem, first);
        const infer::Problem stated = infer::elaborate(claims[0]);
        if (doubt_ && doubt_(stated)) {
          ++doubted;
          continue;
        }
        ++tried;
        --*lemmas_left_;
        const auto search = [&] { return Search(0, doubt_, afresh, lemmas_left_); };
        Proof whole = search().by(claims[1], infer::elaborate(claims[1]), second, depth + 1);
        if (!whole.certificate) continue;
        Search of_lemma = search();
        Proof part = of_lemma.prove(claims[0], stated, depth + 1);
        if (part.limit && !part.certificate) part = of_lemma.by_cases(claims[0], stated, depth + 1);  // of slices that need not end within the axis
        if (!part.certificate) continue;
        kernel::Certificate certificate;
        certificate.reduction = first;
        certificate.parts = {std::move(*part.certificate), std::move(*whole.certificate)};
        if (!kernel::check(claim, certificate).accepted) continue;
        Proof proof;
        proof.certificate = std::move(certificate);
        return proof;
      } catch (const expr::Error&) {  // the shapes do not fit
      } catch (const kernel::Reject&) {
      } catch (const expr::LimitReached&) {
      }
    }
    return {};
  }

  /// Equal operands of one function; lemmas; both sides times a matrix of which they contain the inverse, or times a denominator that is a sum.
  Proof by_products(const Claim& claim, const infer::Problem& problem, int depth) {
    Proof proof;
    if (claim.relation != Relation::equal || tried_.size() >= most_factors_) return proof;
    for (const auto& step : products_and_lemmas(claim, problem)) {
      const bool smaller = step.kind == ReductionKind::congruent || step.kind == ReductionKind::blocks;  // each time
      const bool again = !smaller && std::find(tried_.begin(), tried_.end(), step.text) != tried_.end();
      if (again || ++products_ > most_products) continue;
      tried_.push_back(step.text);
      proof = by(claim, problem, step, depth);
      tried_.pop_back();
      if (proof.certificate) return proof;
    }
    return proof;
  }

  /// Inequalities between values of increasing functions, of logarithms and of roots. None of them is repeated: exp of exp of both sides
  /// and the square of a square say nothing new.
  Proof by_order(const Claim& claim, const infer::Problem& problem, int depth) {
    const auto either = [&](Names functions) { return calls(claim.lhs, functions) || calls(claim.rhs, functions); };
    std::vector<kernel::Reduction> steps;
    const bool masked_maxima = either({"rowmax", "colmax", "max"}) && either({"neginf", "causal"});  // of exponentials they are maxima of masks
    const bool logarithms = (either({"log", "lse", "softplus", "log_softmax"}) || masked_maxima) && !led_here(ReductionKind::exponential);
    if (claim.relation == Relation::less) {
      if (!led_here(ReductionKind::exponential)) steps.push_back({ReductionKind::increasing, {}});
      if (is_call(claim.lhs, "abs")) steps.push_back({ReductionKind::least, {}});
      else if (logarithms) steps.push_back({ReductionKind::exponential, {}});
      if (!led_here(ReductionKind::scaled)) {
        for (const std::string& factor : assumed_denominators(claim)) steps.push_back({ReductionKind::scaled, {factor}});
      }
      if (!led_here(ReductionKind::through)) steps.push_back(by_a_margin(claim));
      return first_of(claim, problem, steps, depth);
    }
    const auto adds_number = [](const Expression& e) { return is_term(e, [](const Expression& t) { return t->kind == SyntaxKind::number; }); };
    const auto adds_logarithm = [](const Expression& e) { return is_term(e, [](const Expression& t) { return is_call_of(t, {"log", "lse", "softplus"}); }); };
    const bool of_logarithms = logarithms && ((adds_logarithm(claim.lhs) && adds_number(claim.rhs)) || (adds_logarithm(claim.rhs) && adds_number(claim.lhs)));
    if (auto step = led_here(ReductionKind::rearranged) ? std::nullopt : between_logarithms(claim)) steps.push_back(std::move(*step));
    if (of_logarithms) steps.push_back({ReductionKind::exponential, {}});
    if (path_.empty()) steps.push_back({ReductionKind::turned, {"equal"}});  // which is seen along sums that are cut
    if (std::count(path_.begin(), path_.end(), ReductionKind::rearranged) < 2) {
      const std::vector<std::string> larger = equal_to_bound(claim);
      for (const std::string& side : larger) steps.push_back({ReductionKind::rearranged, {expr::text(claim.lhs), side, "1", "1"}});
      if (!larger.empty() && !expr::squared(claim.lhs)) steps.push_back({ReductionKind::squared, {}});
      if (is_negative_bound(claim)) steps.push_back({ReductionKind::rearranged, {expr::text(expr::node(SyntaxKind::negate, {claim.rhs})), expr::text(claim.lhs->args[0]), "1", "1"}});
    }
    for (const auto& way : {through_a_mean, through_the_middle, through_exponential, through_terms}) {
      if (auto step = led_here(ReductionKind::through) ? std::nullopt : way(claim)) steps.push_back(std::move(*step));
    }
    if (auto step = led_here(ReductionKind::pieces) ? std::nullopt : through_arguments(claim)) steps.insert(steps.begin(), std::move(*step));
    const auto since_pieces = std::find(path_.rbegin(), path_.rend(), ReductionKind::pieces);  // which make other claims
    if (std::find(path_.rbegin(), since_pieces, ReductionKind::rearranged) == since_pieces) {
      for (kernel::Reduction& step : other_forms(claim, problem)) steps.push_back(std::move(step));
    }
    if (is_call(claim.lhs, "abs")) steps.push_back({ReductionKind::least, {}});
    if (!led_here(ReductionKind::exponential)) steps.push_back({ReductionKind::increasing, {}});
    if (const auto step = led_here(ReductionKind::rearranged) ? std::nullopt : rearrangement(claim, problem)) steps.push_back(*step);
    if (!path_.empty() && path_.back() == ReductionKind::scaled) {
      if (auto step = cross_multiplied(claim)) steps.insert(steps.begin(), std::move(*step));
    }
    if (!led_here(ReductionKind::scaled)) {
      for (const std::string& factor : assumed_denominators(claim)) steps.push_back({ReductionKind::scaled, {factor}});
      for (const std::string& c : positive_numbers(claim)) {
        for (const std::string& factor : {"1/" + c, c}) steps.push_back({ReductionKind::scaled, {factor}});
      }
    }
    const bool assumes_root = is_call(claim.lhs, "abs") && std::any_of(claim.assumptions.begin(), claim.assumptions.end(), [](const auto& a) { return calls(a.lhs, {"sqrt"}) || (a.relation && calls(a.rhs, {"sqrt"})); });
    const bool squares = assumes_root || either({"sqrt", "rsqrt", "l2norm", "layernorm", "rms", "rmsnorm", "det"}) || (is_call(claim.lhs, "abs") && is_call(claim.rhs, "abs")) || (is_zero(claim.rhs) && assumes_zero(claim));
    if (logarithms && !of_logarithms) steps.push_back({ReductionKind::exponential, {}});
    constexpr std::ptrdiff_t most_norms = 3;
    if (std::count(path_.begin(), path_.end(), ReductionKind::through) < most_norms) {
      for (kernel::Reduction& step : through_norms(claim)) steps.push_back(std::move(step));
    }
    if (auto step = path_.empty() ? without_denominators(claim) : std::nullopt) steps.push_back(std::move(*step));
    const bool squared_already = expr::is_square(claim.lhs) && !calls(claim.rhs, {"sqrt"});
    if (squares && !squared_already && !led_here(ReductionKind::squared)) steps.push_back({ReductionKind::squared, {}});
    if (either({"exp"}) && (path_.empty() || path_.back() == ReductionKind::triangle)) steps.push_back({ReductionKind::logarithm, {}});
    return first_of(claim, problem, steps, depth);
  }
  /// By the first of the steps that leads to a proof.
  Proof first_of(const Claim& claim, const infer::Problem& problem, const std::vector<kernel::Reduction>& steps, int depth) {
    for (const kernel::Reduction& step : steps) {
      auto found = by(claim, problem, step, depth);
      if (found.certificate) return found;
    }
    return {};
  }

  /// Polynomials of numbers: of one number, between points close enough, all coefficients have one sign; of two that are not negative, where
  /// the one is the other and something more.
  Proof by_subdivision(const Claim& claim, const infer::Problem& problem, int depth) {
    if (!problem.lhs->shape.empty() || !problem.rhs->shape.empty()) return by_entries(claim, problem, depth);
    constexpr std::ptrdiff_t most_cuts = 2;
    const std::vector<std::string> names = numbers_of(problem);
    const auto cuts = std::count(path_.begin(), path_.end(), ReductionKind::pieces);
    if (cuts >= most_cuts) return {};
    if (names.size() == 1 && cuts == 0 && !is_never_negative(claim, names[0])) {
      std::vector<std::string> text{names[0]};
      for (const auto& point : bending_points(claim)) text.push_back(point.text());
      if (text.size() > 2) return by(claim, problem, {ReductionKind::pieces, text}, depth);
    }
    if (names.size() != 2 || !is_never_negative(claim, names[0]) || !is_never_negative(claim, names[1])) return {};
    return by(claim, problem, {ReductionKind::pieces, names}, depth);
  }

  /// Functions that have derivatives, as statements about a number that is not negative.
  Proof by_slopes(const Claim& claim, const infer::Problem& problem, int depth) {
    constexpr std::ptrdiff_t most_slopes = 3;
    if (std::count(path_.begin(), path_.end(), ReductionKind::slope) >= most_slopes) return {};
    for (const std::string& x : rising_numbers(claim)) {
      auto found = by(claim, problem, {ReductionKind::slope, {x}}, depth);
      if (found.certificate) return found;
    }
    return {};
  }

  /// The same of numbers of either sign, with limits of its own: it comes last.
  Proof by_signs(const Claim& claim, const infer::Problem& problem, int depth) {
    if (!has_slopes(claim) || led_here(ReductionKind::pieces)) return {};
    if (!problem.lhs->shape.empty() || !problem.rhs->shape.empty()) return by_entries(claim, problem, depth);
    Search afresh(0, doubt_, {.steps = limits_.steps});
    for (const auto& v : problem.variables) {
      if (!v.shape.empty()) continue;
      auto found = afresh.by(claim, problem, {ReductionKind::pieces, {v.name, "0"}}, depth);
      if (found.certificate) return found;
    }
    return {};
  }

  /// Whether a side may be minus infinity in places: its exponential is a mask times what is finite.
  static bool may_be_infinite(const Claim& claim, const infer::Problem& problem) {
    std::set<const infer::TermNode*> seen;
    bool masked = false;
    const auto see = [&](const infer::Term& t) { masked = masked || infer::is<expr::ops::NegInf, expr::ops::Causal>(t); };
    for (const infer::Term& side : {problem.lhs, problem.rhs}) infer::visit_each(side, seen, see);
    if (!masked) return false;  // nearly always
    try {
      return kernel::may_be_infinite(claim.lhs, claim) || kernel::may_be_infinite(claim.rhs, claim);
    } catch (const expr::Error&) {  // has no shape of its own
    } catch (const kernel::Reject&) {  // has no index notation
    } catch (const expr::LimitReached&) {
    }
    return false;
  }

  /// As a statement about numbers, where all tensors have the shape of the sides: of others it seldom is one.
  Proof by_entries(const Claim& claim, const infer::Problem& problem, int depth) { return has_one_shape(claim, problem) ? by(claim, problem, {ReductionKind::entries, {}}, depth) : Proof{}; }

  /// Functions that bend, as statements about a number: between the points where they may bend.
  Proof by_pieces(const Claim& claim, const infer::Problem& problem, int depth) {
    Search apart(0, doubt_, {.steps = limits_.steps});  // with counts of its own
    if (const auto step = of_summands(claim)) {
      auto found = apart.by(claim, problem, *step, depth);
      if (found.certificate) return found;
    }
    if (!problem.lhs->shape.empty() || !problem.rhs->shape.empty()) {
      if (const auto step = led_here(ReductionKind::forget) ? std::nullopt : whatever_is_bent(claim)) {
        auto found = apart.by(claim, problem, *step, depth);
        if (found.certificate) return found;
      }
      const auto step = led_here(ReductionKind::rearranged) ? std::nullopt : without_ones(claim);
      if (step) return by(claim, problem, *step, depth);
      return (has_one_shape(claim, problem) ? *this : apart).by(claim, problem, {ReductionKind::entries, {}}, depth);
    }
    if (cutting_bends_) return by_bends(claim, problem, depth);
    const bool differences = multiplies_differences(claim);
    const auto either = [&](const std::vector<std::string>& names) { return bends(claim.lhs, names) || bends(claim.rhs, names) || (differences && names.size() > 1); };
    const auto cut = [&](std::vector<std::string> text, std::optional<std::set<std::string>> uncut) {
      std::swap(uncut_, uncut);
      Proof found = by(claim, problem, {ReductionKind::pieces, std::move(text)}, depth);
      std::swap(uncut_, uncut);
      return found;
    };
    constexpr std::size_t most_numbers = 4;  // to be compared with each other, as in maximum(a, b)
    for (std::size_t a = 0; a < std::min(problem.variables.size(), most_numbers); ++a) {
      for (std::size_t b = a + 1; b < std::min(problem.variables.size(), most_numbers); ++b) {
        if (!either({problem.variables[a].name, problem.variables[b].name})) continue;
        auto found = cut({problem.variables[a].name, problem.variables[b].name}, std::nullopt);
        if (found.certificate) return found;
      }
    }
    std::set<std::string> names;
    for (const auto& v : problem.variables) names.insert(v.name);
    for (const auto& v : problem.variables) {
      if (!v.shape.empty() || !either({v.name}) || (uncut_ && uncut_->count(v.name) == 0)) continue;
      const auto points = bending_points(claim);
      std::vector<std::string> text{v.name};
      for (const auto& point : points) text.push_back(point.text());
      std::set<std::string> others = uncut_.value_or(names);
      others.erase(v.name);
      Proof found;
      if (!is_never_negative(claim, v.name)) found = cut({v.name, "0"}, others);  // elu(x) == relu(x) + minimum(exp(x) - 1, 0)
      if (!found.certificate && points.size() > 1) found = cut(text, others);
      if (found.certificate) return found;
    }
    return {};
  }
  /// Piecewise polynomials of several numbers, cut where they bend, one bend after the other, with limits of its own: it comes last.
  Proof by_bends(const Claim& claim, const infer::Problem& problem, int depth) {
    constexpr std::ptrdiff_t most_bends = 6;
    constexpr int most_cuts = 32;  // of all pieces: what takes more is a claim about the order of many numbers
    if (std::count(path_.begin(), path_.end(), ReductionKind::pieces) >= most_bends || bends_cut_ >= most_cuts) return {};
    const auto step = cut_at_bend(claim, problem);
    if (!step) return {};
    if (cutting_bends_) {
      ++bends_cut_;
      return by(claim, problem, *step, depth);
    }
    Search afresh(0, doubt_, {.steps = limits_.steps});
    afresh.cutting_bends_ = true;
    return afresh.by(claim, problem, *step, depth);
  }
  /// A number between two others, such as the weight t of t*x + (1 - t)*y: t and 1 - t are two numbers, neither negative, over their sum. With
  /// one end, a number that is at least 1 is 1 + t.
  Proof by_ends(const Claim& claim, const infer::Problem& problem, bool both, int depth) {
    for (const auto& v : problem.variables) {
      if (!v.shape.empty()) continue;
      std::optional<expr::Rational> least, most;
      const auto note = [&](const Expression& x, const Expression& bound, bool below) {
        const bool negative = bound->kind == SyntaxKind::negate && bound->args[0]->kind == SyntaxKind::number;
        if (x->kind != SyntaxKind::name || x->name != v.name || (!negative && bound->kind != SyntaxKind::number)) return;
        (below ? least : most) = negative ? -bound->args[0]->value : bound->value;
      };
      for (const auto& a : claim.assumptions) {
        const auto order = kernel::order_of(a);
        if (!order) continue;
        note(order->larger, order->smaller, true);
        note(order->smaller, order->larger, false);
      }
      const bool one_end = (least && !least->is_zero() && !most) || (most && !most->is_zero() && !least);
      if (both ? !least || !most || !(*least < *most) : !one_end) continue;
      std::vector<std::string> text{v.name};
      for (const auto& end : {least, most}) {
        if (end) text.push_back(end->text());
      }
      auto found = by(claim, problem, {ReductionKind::pieces, text}, depth);
      if (found.certificate) return found;
    }
    return {};
  }
  /// Numbers between two others, and one that is at least x as x + t.
  Proof by_weights(const Claim& claim, const infer::Problem& problem, int depth) {
    auto between = by_ends(claim, problem, true, depth);
    if (between.certificate) return between;
    const auto is_number = [&](const Expression& e) {
      return e->kind == SyntaxKind::name && std::any_of(problem.variables.begin(), problem.variables.end(), [&](const auto& v) { return v.name == e->name && v.shape.empty(); });
    };
    for (const auto& a : claim.assumptions) {  // x <= y: y is x + t
      const auto order = kernel::order_of(a);
      if (!order || !is_number(order->larger) || !is_number(order->smaller) || order->larger->name == order->smaller->name) continue;
      auto found = by(claim, problem, {ReductionKind::pieces, {order->larger->name, order->smaller->name}}, depth);
      if (found.certificate) return found;
    }
    const bool tensors = !problem.lhs->shape.empty() || !problem.rhs->shape.empty();
    const bool ordered = std::any_of(claim.assumptions.begin(), claim.assumptions.end(), [](const auto& a) { return kernel::order_of(a).has_value(); });
    if (tensors && ordered) return by_entries(claim, problem, depth);  // then all of this is asked of numbers
    return {};
  }

  /// A bound such as d - 1: for d == 1 the matrix is zero.
  Proof by_sizes_less_one(const Claim& claim, const infer::Problem& problem, int depth) {
    std::vector<kernel::Reduction> steps;
    const auto sizes = sizes_less_one(claim.rhs);
    if (!sizes.empty() || (claim.rhs->kind == SyntaxKind::number && claim.rhs->value.is_zero())) steps.push_back({ReductionKind::above, {"0"}});
    for (const std::string& size : sizes) {
      if (is_dimension(problem, size) && !is_given(claim, size)) steps.push_back({ReductionKind::within, {size, "1"}});
    }
    Proof proof;
    for (const auto& step : steps) {
      Proof found = by(claim, problem, step, depth);
      if (found.certificate) return found;
      proof.limit = proof.limit || found.limit;
    }
    return proof;
  }

  Proof by_cases(const Claim& claim, const infer::Problem& problem, int depth) {
    const auto bounds = kernel::slice_bounds(problem);
    for (std::size_t k = 0; k < std::min(bounds.size(), most_slices); ++k) {
      auto found = by(claim, problem, {ReductionKind::within, {bounds[k].first, expr::text(bounds[k].second)}}, depth);
      if (found.certificate) return found;
    }
    std::vector<std::string> sizes = shifted_sizes(problem);
    for (const std::string& size : numbers_of_blocks(problem)) sizes.push_back(size);
    const bool counts = problem.lhs->shape.empty() && problem.rhs->shape.empty() && !any_part(claim.lhs, is_rank) && !any_part(claim.rhs, is_rank);
    if (counts) {  // the places of a band
      for (const std::string& size : sizes_of_bands(problem)) sizes.push_back(size);
    }
    for (const std::string& size : sizes) {
      if (is_given(claim, size)) continue;
      auto found = by(claim, problem, {ReductionKind::within, {size, "1"}}, depth);
      if (found.certificate) return found;
    }
    for (const auto& [size, divisor] : divided_sizes(problem)) {
      auto found = by(claim, problem, {ReductionKind::modulo, {size, std::to_string(divisor)}}, depth);
      if (found.certificate) return found;
    }
    return {};
  }

  std::size_t most_factors_;
  Doubt doubt_;
  bool limited_ = false;    ///< a claim on the way ran into a limit
  normal::Limits limits_;  ///< of all proofs together
  std::size_t own_lemmas_ = 24;  ///< between definitions, of this search and those within it
  std::size_t* lemmas_left_;
  int products_ = 0;
  int led_back_ = 0;  ///< claims that were led back to others
  std::vector<std::string> adds_up_;             ///< what is any matrix whose rows add up to 1, in all of this search
  std::vector<ReductionKind> path_;              ///< what led from the first claim to the current one
  std::vector<std::vector<std::string>> tried_;  ///< products among them, with lemmas and the like
  bool cutting_bends_ = false;  ///< in by_bends()
  int bends_cut_ = 0;           ///< there
  std::optional<std::set<std::string>> uncut_;   ///< numbers that may still be cut at their bending points; none: all
};

/// The certificate of a claim that a step leads back to one other, which `prove` proves. Nothing where that is not the case.
template <typename Prove>
std::optional<kernel::Certificate> led_back(const Claim& claim, const infer::Problem& problem, const kernel::Reduction& step, const Prove& prove) {
  try {
    const Claim other = led_back_to(claim, problem, step).front();
    std::optional<kernel::Certificate> part = prove(other, infer::elaborate(other));
    if (!part) return std::nullopt;
    kernel::Certificate certificate;
    certificate.reduction = step;
    certificate.parts.push_back(std::move(*part));
    if (kernel::check(claim, certificate).accepted) return certificate;
  } catch (const expr::Error&) {  // a shape that cannot be declared
  } catch (const kernel::Reject&) {
  }
  return std::nullopt;
}

/// The normaliser does not bring all equal expressions into one form, and what it does first depends on the order in which things are
/// unfolded. So an equation that is not proved is tried with its sides exchanged and with its names in another order: before it is led
/// back to other claims by one short normalisation each, and last of all by all that leads to other claims.
std::optional<kernel::Certificate> prove_turned(const Claim& claim, const infer::Problem& problem, bool at_once) {
  constexpr std::size_t some = 20'000, all = normal::Limits{}.steps;
  const std::vector<std::string> ways[] = {{"used"}, {"sides"}, {"names"}, {"sides", "names"}};
  for (const auto& way : ways) {
    const bool used = way.front() == "used";
    const auto prove_it = [&](const Claim& other, const infer::Problem& turned) -> std::optional<kernel::Certificate> {
      if (used && other.declarations.size() == kernel::declared(claim, problem).declarations.size()) return std::nullopt;
      return (at_once ? prove_shortly(turned, few_steps) : prove_shortly(other, turned, used ? all : some)).certificate;
    };
    if (auto certificate = led_back(claim, problem, {ReductionKind::turned, way}, prove_it)) return certificate;
  }
  return std::nullopt;
}

}  // namespace

Proof prove(const expr::Claim& claim, const infer::Problem& problem, const Doubt& doubt) { return Search(0, doubt).prove(claim, problem); }
Proof prove_shortly(const expr::Claim& claim, const infer::Problem& problem, std::size_t steps, const Doubt& doubt) { return Search(0, doubt, {.steps = steps}).prove(claim, problem); }

std::optional<kernel::Certificate> prove_turned(const expr::Claim& claim, const infer::Problem& problem) { return claim.relation == Relation::equal ? prove_turned(claim, problem, true) : std::nullopt; }

std::optional<kernel::Certificate> prove_by_products(const expr::Claim& claim, const infer::Problem& problem, const Doubt& doubt) {
  if (claim.relation == Relation::less_equal) {  // also where the sides are equal, and only a long search shows it; of ranks that would be shown by both orders
    if (any_part(claim.lhs, is_rank) || any_part(claim.rhs, is_rank)) return std::nullopt;
    return led_back(claim, problem, {ReductionKind::turned, {"equal"}}, [&](const Claim& other, const infer::Problem& equation) {
      if (doubt && doubt(equation)) return std::optional<kernel::Certificate>{};
      Proof proof = prove(other, equation, doubt);
      return proof.certificate ? std::move(proof.certificate) : prove_by_products(other, equation, doubt);
    });
  }
  if (claim.relation != Relation::equal) return std::nullopt;
  if (auto certificate = prove_turned(claim, problem, true)) return certificate;
  Search search(0, doubt);
  const std::size_t most = Search::has_products(claim, problem) ? deepest : 1;
  for (std::size_t factors = 1; factors < most; ++factors) {  // the shortest proof
    auto proof = search.with(factors).prove(claim, problem, 0);
    if (proof.certificate) return std::move(proof.certificate);
  }
  return prove_turned(claim, problem, false);
}

}  // namespace foldproof::prove
