// SPDX-License-Identifier: MIT
#include "refute/size_claims.hpp"

#include <algorithm>
#include <functional>
#include <set>

#include "infer/is_operator.hpp"
#include "numeric/sizes.hpp"
#include "numeric/undefined.hpp"
#include "refute/alternatives.hpp"
#include "refute/order.hpp"
#include "refute/refute.hpp"

namespace foldproof::refute {
namespace {

using expr::Dim;
using expr::Relation;
using infer::Term;
using infer::TermKind;
namespace ops = expr::ops;

using Sizes = std::vector<std::int64_t>;  // in the order of problem.dimensions

constexpr std::size_t most_looked_at = 60'000;  ///< sizes below a counterexample
constexpr std::size_t most_evaluated = 3'000;   ///< the same where sides are no polynomials
constexpr std::int64_t most_work = 3'000'000;   ///< squares of sizes, where sides are no polynomials

bool mentions_variable(const Term& t, std::set<const infer::TermNode*>& seen) {
  if (!t || !seen.insert(t.get()).second) return false;
  return t->kind == TermKind::variable || std::any_of(t->args.begin(), t->args.end(), [&](const Term& a) { return mentions_variable(a, seen); });
}

/// size / divisor
struct Fraction {
  Dim size;
  std::int64_t divisor = 1;
};

/// A number made of sizes by sums and products, if the term is one.
std::optional<Fraction> fraction_of(const Term& t) {
  if (t->kind == TermKind::size) return Fraction{t->size};
  if (t->kind == TermKind::number) return Fraction{Dim(t->value.num()), t->value.den()};
  if (t->kind != TermKind::apply || !t->shape.empty()) return std::nullopt;
  if (infer::is<ops::Power>(t)) {
    const auto base = fraction_of(t->args[0]);
    constexpr std::int64_t most = 8;
    if (!base || !t->call.exponent.is_integer() || t->call.exponent.sign() <= 0 || t->call.exponent.num() > most) return std::nullopt;
    Fraction power{Dim(1)};
    for (std::int64_t k = 0; k < t->call.exponent.num(); ++k) power = {power.size * base->size, power.divisor * base->divisor};
    return power;
  }
  if (!infer::is<ops::Add, ops::Subtract, ops::Multiply, ops::Divide, ops::Negate>(t)) return std::nullopt;
  const auto a = fraction_of(t->args[0]);
  if (!a || infer::is<ops::Negate>(t)) return a ? std::optional(Fraction{Dim(0) - a->size, a->divisor}) : std::nullopt;
  if (infer::is<ops::Divide>(t)) {
    const auto number = numeric::number_of(t->args[1]);
    if (!number || !number->is_integer() || number->sign() <= 0) return std::nullopt;
    return Fraction{a->size, a->divisor * number->num()};
  }
  const auto b = fraction_of(t->args[1]);
  if (!b) return std::nullopt;
  if (infer::is<ops::Multiply>(t)) return Fraction{a->size * b->size, a->divisor * b->divisor};
  const Dim first = a->size * Dim(b->divisor), second = b->size * Dim(a->divisor);
  return Fraction{infer::is<ops::Add>(t) ? first + second : first - second, a->divisor * b->divisor};
}

Relation opposite(Relation relation) {
  switch (relation) {
    case Relation::equal: return Relation::not_equal;
    case Relation::not_equal: return Relation::equal;
    case Relation::less_equal: return Relation::greater;
    case Relation::less: return Relation::greater_equal;
    case Relation::greater_equal: return Relation::less;
    case Relation::greater: return Relation::less_equal;
  }
  return relation;
}

/// The claim without its variables.
infer::Problem bare(const infer::Problem& problem) {
  infer::Problem result = problem;
  result.variables.clear();
  result.replaced.clear();
  std::erase_if(result.facts, [](const infer::Fact& f) { return f.kind != infer::FactKind::dimension && (f.kind != infer::FactKind::definition || f.rhs); });
  return result;
}

class SizeClaim {
 public:
  explicit SizeClaim(const infer::Problem& problem) : problem_(problem), bare_(bare(problem)), constraints_(numeric::size_constraints(problem)) {
    const auto lhs = fraction_of(problem.lhs), rhs = fraction_of(problem.rhs);
    if (lhs && rhs) violation_ = numeric::SizeConstraint{lhs->size * Dim(rhs->divisor) - rhs->size * Dim(lhs->divisor), opposite(problem.relation)};
    for (const std::string& name : problem.dimensions) {
      places_.push_back(&dims_[name]);  // where it stays in a map
      if (problem.variables.empty()) weight_ = weight_ + expr::dim(name);
    }
    for (const auto& v : problem.variables) {
      Dim entries(1);
      for (const Dim& d : v.shape) entries = entries * d;
      weight_ = weight_ + entries;
    }
  }

  std::optional<RefutingSizes> run(bool smallest) {
    for (const auto& dims : shapes_in_order(bare_, 0)) {
      Sizes sizes;
      for (const auto& name : problem_.dimensions) sizes.push_back(dims.at(name));
      if (best_ && (!smallest || !(key(sizes) < key(*best_)))) continue;
      if (is_too_much(sizes)) break;
      if (fails(sizes)) best_ = sizes;
    }
    if (!best_ && violation_) look_far();
    if (!best_) return std::nullopt;
    best_weight_ = key(*best_).first;
    if (!smallest) return RefutingSizes{named(*best_)};
    shrink_all();
    while (shrink_each()) {
    }
    const bool shown = look_at_smaller() || none_is_smaller();
    return RefutingSizes{named(*best_), shown};
  }

 private:
  const expr::DimValues& named(const Sizes& sizes) {
    for (std::size_t k = 0; k < sizes.size(); ++k) *places_[k] = sizes[k];
    return dims_;
  }
  std::pair<std::int64_t, Sizes> key(const Sizes& sizes) { return {expr::evaluate(weight_, named(sizes)), sizes}; }

  bool fails(const Sizes& sizes) {
    try {
      const auto& dims = named(sizes);
      if (!numeric::hold(constraints_, dims)) return false;
      return violation_ ? numeric::hold(*violation_, dims) : verify(bare_, {dims, {}}).has_value();
    } catch (const expr::LimitReached&) {
      return false;
    }
  }
  /// Whether to evaluate the sides there, too, is more work than is to be done, where they are no polynomials.
  bool is_too_much(const Sizes& sizes) {
    const std::int64_t largest = violation_ || sizes.empty() ? 0 : *std::max_element(sizes.begin(), sizes.end());
    work_ += largest * largest;  // entries of matrices of them
    return work_ > most_work;
  }
  /// Takes the sizes if they refute and are smaller.
  bool take(const Sizes& sizes) {
    if (!fails(sizes) || !(key(sizes) < key(*best_))) return false;
    best_ = sizes;
    best_weight_ = key(sizes).first;
    return true;
  }

  /// Powers of 2 for all sizes, the smaller ones first: n**2 * 64 <= n * 512 * 512 fails from 4097 on.
  void look_far() {
    constexpr int largest = 30;
    const std::size_t count = problem_.dimensions.size();
    if (count > 4) return;
    const int step = count < 4 ? 1 : 3;
    for (int most = step; most <= largest && !best_; most += step) {
      const std::function<void(std::size_t, Sizes, bool)> choose = [&](std::size_t k, Sizes sizes, bool reached) {
        if (best_) return;
        if (k == count) {
          if (reached && fails(sizes)) best_ = sizes;
          return;
        }
        for (int exponent = 0; exponent <= most; exponent += step) {
          sizes[k] = std::int64_t{1} << exponent;
          choose(k + 1, sizes, reached || exponent == most);
        }
      };
      choose(0, Sizes(count, 1), false);
    }
  }

  /// Halves the range of one number from `high`, at which the claim fails, as if it failed at all larger ones.
  static std::int64_t bisected(std::int64_t low, std::int64_t high, const std::function<bool(std::int64_t)>& fails_at) {
    while (low < high) {
      const std::int64_t middle = low + (high - low) / 2;
      if (fails_at(middle)) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return high;
  }
  /// No size above a common bound, as small as possible.
  void shrink_all() {
    const Sizes start = *best_;
    const auto bounded = [&](std::int64_t bound) {
      Sizes sizes = start;
      for (auto& size : sizes) size = std::min(size, bound);
      return sizes;
    };
    take(bounded(bisected(1, *std::max_element(start.begin(), start.end()), [&](std::int64_t bound) { return fails(bounded(bound)); })));
  }
  bool shrink_each() {
    bool changed = false;
    for (std::size_t k = 0; k < best_->size(); ++k) {
      const Sizes start = *best_;
      const auto with = [&](std::int64_t size) {
        Sizes sizes = start;
        sizes[k] = size;
        return sizes;
      };
      changed |= take(with(bisected(1, start[k], [&](std::int64_t size) { return fails(with(size)); })));
      for (Sizes next = *best_; --next[k] >= 1 && take(next); next = *best_) changed = true;
    }
    return changed;
  }

  /// Looks at all sizes that come before the best in the order, and takes the first that refute. False when there are too many.
  bool look_at_smaller() {
    left_ = violation_ ? most_looked_at : most_evaluated;
    work_ = 0;
    return grows(weight_) && look_from(0, Sizes(best_->size(), 1));
  }
  bool look_from(std::size_t k, Sizes sizes) {
    if (k == sizes.size()) {
      if (is_too_much(sizes)) return false;
      take(sizes);
      return true;
    }
    Sizes least = sizes;
    for (;; ++sizes[k], least[k] = sizes[k]) {
      const std::int64_t weight = expr::evaluate(weight_, named(least));
      const bool later = weight == best_weight_ && sizes[k] > (*best_)[k] && std::equal(sizes.begin(), sizes.begin() + static_cast<std::ptrdiff_t>(k), best_->begin());  // of sizes that no tensor has there is no other end
      if (best_weight_ < weight || later) return true;
      if (left_ == 0) return false;
      --left_;
      if (!look_from(k + 1, sizes)) return false;
    }
  }
  /// The same by ranges: no sizes at all refute with fewer entries, nor with as many and earlier ones.
  bool none_is_smaller() {
    if (!violation_) return false;
    infer::Problem smaller = bare_;
    const auto assume = [&](const Dim& difference, Relation relation) {
      infer::Fact fact;
      fact.kind = infer::FactKind::dimension;
      fact.lhs_size = difference;
      fact.rhs_size = Dim(0);
      fact.relation = relation;
      smaller.facts.push_back(fact);
    };
    for (const auto& c : constraints_) assume(c.difference, c.relation);
    assume(violation_->difference, violation_->relation);
    const Dim more = weight_ - Dim(key(*best_).first);
    const auto start = smaller.facts;
    assume(more, Relation::less);
    if (!numeric::sizes_contradict(smaller)) return false;
    for (std::size_t k = 0; k < best_->size(); ++k) {  // as many entries, the same sizes before this one, and this one smaller
      smaller.facts = start;
      assume(more, Relation::equal);
      for (std::size_t j = 0; j <= k; ++j) assume(expr::dim(problem_.dimensions[j]) - Dim((*best_)[j]), j < k ? Relation::equal : Relation::less);
      if (!numeric::sizes_contradict(smaller)) return false;
    }
    return true;
  }

  const infer::Problem& problem_;
  infer::Problem bare_;
  std::vector<numeric::SizeConstraint> constraints_;
  std::optional<numeric::SizeConstraint> violation_;
  Dim weight_ = Dim(0);
  expr::DimValues dims_;
  std::vector<std::int64_t*> places_;  ///< in dims_, in the order of problem.dimensions
  std::optional<Sizes> best_;
  std::int64_t best_weight_ = 0;
  std::size_t left_ = 0;
  std::int64_t work_ = 0;  ///< squares of sizes so far
};

}  // namespace

bool is_about_sizes(const infer::Problem& problem) {
  std::set<const infer::TermNode*> seen;
  if (problem.dimensions.empty() || !problem.ranks.empty() || mentions_variable(problem.lhs, seen) || mentions_variable(problem.rhs, seen)) return false;
  return problem.lhs->shape.empty() && problem.rhs->shape.empty() && std::none_of(problem.facts.begin(), problem.facts.end(), [](const infer::Fact& f) { return is_tying_fact(f); });
}

std::optional<RefutingSizes> refuting_sizes(const infer::Problem& problem, bool smallest) { return SizeClaim(problem).run(smallest); }

}  // namespace foldproof::refute
