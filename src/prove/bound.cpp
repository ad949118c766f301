// SPDX-License-Identifier: MIT
#include "prove/bound.hpp"

#include <algorithm>
#include <functional>
#include <optional>
#include <set>
#include <utility>

namespace foldproof::prove {
namespace {

using kernel::Atom;
using kernel::AtomId;
using kernel::AtomKind;
using kernel::Factor;
using kernel::Law;
using kernel::Monomial;
using kernel::Poly;
using kernel::Step;
using Args = std::vector<std::int64_t>;

constexpr int longest_chain = 5;  // bounds one after the other
constexpr int most_attempts = 120;  // of bounds, over all depths
constexpr int most_assumed = 4;     // assumed bounds after these

class BoundSearch {
 public:
  BoundSearch(kernel::Theory& theory, bool strict, normal::Cuts& cuts, kernel::Script& script, const normal::Limits& limits, std::size_t& left) : theory_(theory), arena_(theory.arena), strict_(strict), cuts_(cuts), script_(script), limits_(limits), left_(left) {
    for (const auto& sign : theory.signs) {
      for (const Monomial& m : sign.poly) {
        bounds_magnitudes_ = bounds_magnitudes_ || mentions_magnitude(m);
        bounds_squares_ = bounds_squares_ || (m.coefficient.sign() < 0 && !m.variables.empty() && any_exponent(m, is_even));
        const auto is_maximum = [&](const Factor& f) { return atom(f).kind == AtomKind::maximum; };
        bounds_maxima_ = bounds_maxima_ || (m.coefficient.sign() < 0 && std::any_of(m.factors.begin(), m.factors.end(), is_maximum));
      }
    }
  }

  /// One bound first, whichever it is, before any is followed by another, and two before more; of a sum, then of its summands.
  bool lowers(const Poly& p) {
    const auto in_turn = [&] { return of_sums(p, longest_chain - 1) || of_sums(p, longest_chain - 2) || of_sums(p, 0); };
    if (in_turn()) return true;
    thorough_ = !theory_.signs.empty();  // what is assumed seldom helps before all denominators are cleared
    left_ += thorough_ ? 150 : 0;
    return thorough_ && in_turn();
  }
  /// One or two bounds, where to clear a denominator does not count.
  bool lowers_cleared(const Poly& p) {
    clears_freely_ = true;
    return of_sums(p, longest_chain - 1) || of_sums(p, longest_chain - 2);
  }

 private:
  bool lowers(const Poly& p, int depth) {
    const auto before = arena_.mark();
    if (shows_sign(theory_, p, strict_, limits_)) return true;
    arena_.rollback(before);  // the checker asks only once, at the end, and must number atoms alike
    if (depth == longest_chain) return thorough_ && follows(p, most_assumed);
    for (const Step& step : steps(p)) {
      if (++attempts_ > most_attempts || left_ == 0 || limits_.bounds == 0) return false;
      const bool clears = (thorough_ || clears_freely_) && step.law == Law::clear && divides(p[static_cast<std::size_t>(step.args[0])].factors[static_cast<std::size_t>(step.args[1])]);
      if (lowers_by(step, p, [&](const Poly& less) { return lowers(less, depth + (clears ? 0 : 1)); })) return true;
    }
    return false;
  }
  /// By assumed bounds alone, of each term the first that there is.
  bool follows(const Poly& p, int uses) {
    const int attempts = attempts_;  // these have a number of their own
    std::vector<Step> found;
    for (std::size_t k = 0; k < p.size() && uses > 0; ++k) {
      if (!arena_.is_nonnegative(Poly{p[k]})) assumed_bounds(p[k], k, found);
    }
    bool taken = false;
    const auto shown = [&](const Poly& less) {
      taken = true;
      const auto before = arena_.mark();
      if (shows_sign(theory_, less, strict_, limits_)) return true;
      arena_.rollback(before);
      return follows(less, uses - 1);
    };
    const bool does = std::any_of(found.begin(), found.end(), [&](const Step& step) { return !taken && assumed_left_-- > 0 && goes_on(step, p, shown); });
    attempts_ = attempts;
    return does;
  }
  void assumed_bounds(const Monomial& m, std::size_t k, std::vector<Step>& found) {
    for (std::size_t s = 0; s < theory_.signs.size(); ++s) {
      const Poly& sign = theory_.signs[s].poly;
      for (std::size_t j = 0; j < sign.size(); ++j) pairings(sign[j], m, {at(k), at(s), at(j)}, Law::assumed_bound, found);
    }
  }
  /// Of sums over several variables, the summands of the summands.
  bool of_sums(const Poly& p, int depth) {
    attempts_ = 0;
    if (const auto step = common_size(p)) return lowers_by(*step, p, [&](const Poly& times) { return of_sums(times, depth); });
    if (lowers(p, depth)) return true;
    std::vector<Step> others = summands(p);
    if (others.empty() && thorough_) denominators(p, others);  // without which it may be a sum
    return std::any_of(others.begin(), others.end(), [&](const Step& step) { return lowers_by(step, p, [&](const Poly& other) { return of_sums(other, depth); }); });
  }
  void denominators(const Poly& p, std::vector<Step>& found) const {
    for (std::size_t k = 0; k < p.size(); ++k) {
      for (std::size_t f = 0; f < p[k].factors.size(); ++f) {
        if (divides(p[k].factors[f]) && !arena_.binds(p[k], p[k].factors[f].atom)) found.push_back({Law::clear, {at(k), at(f)}, {}});
      }
    }
  }
  template <typename Rest>
  bool lowers_by(const Step& step, const Poly& p, const Rest& rest) {
    if (left_ == 0) return false;
    --left_;
    return goes_on(step, p, rest);
  }
  template <typename Rest>
  bool goes_on(const Step& step, const Poly& p, const Rest& rest) {
    const auto mark = arena_.mark();
    const std::size_t length = script_.size();
    const bool lowered = theory_.lowered;
    try {
      if (limits_.bounds == 0) return false;
      --limits_.bounds;
      const Poly less = kernel::lower(theory_, p, step);
      script_.push_back(step);
      if (rest(normal::normalize(theory_, less, cuts_, script_, limits_))) return true;
    } catch (const kernel::Reject&) {
      --attempts_;  // refused at once
    }
    script_.resize(length);
    arena_.rollback(mark);
    theory_.lowered = lowered;
    return false;
  }

  /// What takes a size out of the denominators of all terms.
  std::optional<Step> common_size(const Poly& p) const {
    for (std::size_t f = 0; !p.empty() && f < p[0].factors.size(); ++f) {
      const auto divides = [&](const Factor& x) { return x.atom == p[0].factors[f].atom && x.exponent.sign() < 0 && atom(x).kind == AtomKind::size; };
      if (std::all_of(p.begin(), p.end(), [&](const Monomial& m) { return std::any_of(m.factors.begin(), m.factors.end(), divides); })) return Step{Law::clear, {0, at(f)}, {}};
    }
    return std::nullopt;
  }

  /// For each range over which all terms that may be negative are summed: its first variables, and its last ones.
  std::vector<Step> summands(const Poly& p) const {
    std::vector<Step> found;
    std::vector<kernel::Index> seen;
    for (const Monomial& m : p) {
      for (const kernel::Symbol v : m.variables) {
        const kernel::Index& range = arena_.symbol(v).range;
        if (std::find(seen.begin(), seen.end(), range) != seen.end()) continue;
        seen.push_back(range);
        for (const bool last : {false, true}) {
          Step step{Law::summand, {}, {}};
          bool all = true;
          for (const Monomial& t : p) {
            std::int64_t chosen = -1;
            for (std::size_t k = 0; k < t.variables.size(); ++k) {
              if (arena_.symbol(t.variables[k]).range == range && (last || chosen < 0)) chosen = at(k);
            }
            all = all && (chosen >= 0 || arena_.is_nonnegative(Poly{t}));
            step.args.push_back(chosen);
          }
          if (all && (found.empty() || !(found.back() == step))) found.push_back(step);
        }
      }
    }
    return found;
  }

  static std::int64_t at(std::size_t k) { return static_cast<std::int64_t>(k); }
  const Atom& atom(const Factor& f) const { return arena_.atom(f.atom); }
  /// Whether the factor is a denominator, other than a size.
  bool divides(const Factor& f) const { return (atom(f).kind == AtomKind::base || atom(f).kind == AtomKind::maximum) && f.exponent.sign() < 0; }
  template <typename Such>
  static bool any_exponent(const Monomial& m, const Such& is_such) {
    return std::any_of(m.factors.begin(), m.factors.end(), [&](const Factor& x) { return is_such(x.exponent); });
  }
  static bool is_even(const expr::Rational& e) { return e.is_integer() && e.sign() > 0 && e.num() % 2 == 0; }
  static bool is(const Atom& a, expr::Function f) { return a.kind == AtomKind::apply && a.name == static_cast<int>(f); }

  std::vector<Step> steps(const Poly& p) {
    std::vector<Step> found;
    std::vector<std::size_t> open;  // terms that may be negative
    for (std::size_t k = 0; k < p.size(); ++k) {
      if (!arena_.is_nonnegative(Poly{p[k]})) open.push_back(k);
    }
    for (const std::size_t k : open) parts_of_sums(p[k], k, found);
    tangents_at_logarithms(p, found);
    const std::size_t first = found.size();
    denominators(p, found);
    const bool clears = found.size() > first;
    for (const std::size_t k : open) {
      tangents_at_exponentials(p, k, found);
      tangents_at_slopes(p, k, found);
    }
    if (clears) return found;
    const bool magnitudes = bounds_magnitudes_ || std::any_of(p.begin(), p.end(), [&](const Monomial& m) { return m.coefficient.sign() > 0 && mentions_magnitude(m); });
    for (const std::size_t k : open) of_term(p, k, magnitudes, found);
    for (const std::size_t l : open) {  // a sum is at least so many times its least value
      each(p[l], [&](std::size_t f, const Atom& a) {
        for (std::size_t k = 0; k < p.size() && a.kind == AtomKind::maximum; ++k) {
          if (std::find(open.begin(), open.end(), k) == open.end()) values_of_maximum(a, p[k], {at(k), at(l), at(f)}, found);
        }
      });
    }
    for (std::size_t k = 0; k < p.size(); ++k) {
      each(p[k], [&](std::size_t f, const Atom& a) {
        if (is(a, expr::Function::exp)) found.push_back({Law::tangent, {at(k), at(f)}, {}});
        if (!is(a, expr::Function::normal_cdf) || p[k].factors.size() == 1) return;
        for (const std::int64_t way : {0, 1, 2}) found.push_back({Law::gelu_bound, {at(k), at(f), way}, {}});
      });
    }
    const bool roots = std::any_of(p.begin(), p.end(), [](const Monomial& m) { return any_exponent(m, [](const expr::Rational& e) { return !e.is_integer(); }); });
    // What is there to make up for a product: squares, or the 1 that sin^2 + cos^2 is.
    const auto is_wave = [&](const Factor& x) { return arena_.is_within_one(x.atom); };
    const bool squares = bounds_squares_ || std::any_of(p.begin(), p.end(), [](const Monomial& m) { return m.coefficient.sign() > 0 && any_exponent(m, is_even); }) ||
                         std::any_of(open.begin(), open.end(), [&](std::size_t k) { return std::all_of(p[k].factors.begin(), p[k].factors.end(), is_wave); });
    for (const std::size_t k : open) products(p[k], k, roots, squares, found);
    if (!open.empty()) {
      for (std::size_t k = 0; k < p.size(); ++k) {
        if (p[k].coefficient.sign() > 0) places(p, k, open, found);
      }
    }
    for (std::size_t k = 0; k < p.size() && (bounds_squares_ || bounds_maxima_); ++k) {  // 1 - x**2, where the squares add up to at most 1; e - x, where max(abs(x)) is at most e
      if (p[k].coefficient.sign() > 0 && !open.empty()) assumed_bounds(p[k], k, found);
    }
    for (const std::size_t k : open) {  // 1 + exp(x) + x exp(x) >= 0, because exp(-x) + 1 + x >= 0
      each(p[k], [&](std::size_t f, const Atom& a) {
        if (is(a, expr::Function::exp) && p[k].factors.size() > 1 && p[k].factors[f].exponent.sign() > 0 && !arena_.binds(p[k], p[k].factors[f].atom)) found.push_back({Law::clear, {at(k), at(f)}, {}});
      });
    }
    return found;
  }

  /// Cauchy-Schwarz where there are roots, and the mean of two squares.
  void products(const Monomial& m, std::size_t k, bool roots, bool squares, std::vector<Step>& found) {
    constexpr std::size_t most = 4;
    std::vector<std::size_t> summed, unsigned_ones;
    each(m, [&](std::size_t f, const Atom& a) {
      if (arena_.binds(m, m.factors[f].atom)) summed.push_back(f);
      if (!arena_.is_nonnegative(m.factors[f].atom) || is(a, expr::Function::abs)) unsigned_ones.push_back(f);
    });
    const auto halves = [&](Law law, const std::vector<std::size_t>& factors, bool both) {
      if (factors.empty() || factors.size() > most) return;
      for (std::size_t second = 0; second < std::size_t{1} << (factors.size() - 1); ++second) {  // the last one is of the first half
        Args first_half, second_half;
        for (std::size_t n = 0; n < factors.size(); ++n) ((second >> n & 1) != 0 ? second_half : first_half).push_back(at(factors[n]));
        if (both && second_half.empty()) continue;
        Args args{at(k), at(first_half.size())};
        args.insert(args.end(), first_half.begin(), first_half.end());
        args.insert(args.end(), second_half.begin(), second_half.end());
        found.push_back({law, args, {}});
      }
    };
    if (roots || bounds_squares_ || !theory_.axioms.empty()) halves(Law::cauchy_bound, summed, false);  // sum(q**2) == 1 has no root left
    if (squares) halves(Law::mean_bound, unsigned_ones, true);
    for (const kernel::Symbol v : m.variables) {  // sum(p x)**2: the square of p[i] x[i] and that of p[j] x[j], also where none of them is negative
      Args with, others;
      each(m, [&](std::size_t f, const Atom&) { (arena_.mentions(m.factors[f].atom, v) ? with : others).push_back(at(f)); });
      if (!squares || !unsigned_ones.empty() || with.size() < 2 || others.size() < 2) continue;
      Args args{at(k), at(with.size())};
      args.insert(args.end(), with.begin(), with.end());
      args.insert(args.end(), others.begin(), others.end());
      found.push_back({Law::mean_bound, args, {}});
    }
  }

  /// Whether the atom is an entry of a tensor of which another entry is the exponent of an exponential in m.
  bool is_exponent(const Atom& x, const Monomial& m) const {
    return x.kind == AtomKind::entry && std::any_of(m.factors.begin(), m.factors.end(), [&](const Factor& f) {
      const Atom& a = atom(f);
      if (!is(a, expr::Function::exp)) return false;
      const Poly& exponent = arena_.poly(a.body);
      return exponent.size() == 1 && exponent[0].factors.size() == 1 && atom(exponent[0].factors[0]).kind == AtomKind::entry && atom(exponent[0].factors[0]).name == x.name;
    });
  }

  /// Tangents that make the logarithms among the terms of p cancel: those at their product, and at that times a factor of the same term.
  void tangents_at_logarithms(const Poly& p, std::vector<Step>& found) {
    Args logarithms;
    for (std::size_t l = 0; l < p.size(); ++l) {
      const bool alone = p[l].variables.empty() && p[l].factors.size() == 1 && p[l].factors[0].exponent.is_one() && is(atom(p[l].factors[0]), expr::Function::log);
      if (!alone || (p[l].coefficient != expr::Rational(1) && p[l].coefficient != expr::Rational(-1))) continue;
      logarithms.insert(logarithms.end(), {at(l), 0, p[l].coefficient.num()});
    }
    const bool means = std::none_of(p.begin(), p.end(), [&](const Monomial& m) { return std::any_of(m.factors.begin(), m.factors.end(), [&](const Factor& x) { return atom(x).kind == AtomKind::maximum || is(atom(x), expr::Function::log); }); });
    for (std::size_t k = 0; k < p.size(); ++k) {
      if (p[k].factors.size() + p[k].variables.size() < 2) continue;
      each(p[k], [&](std::size_t f, const Atom& a) {
        if (!p[k].factors[f].exponent.is_one() || is(a, expr::Function::exp) || arena_.is_nonnegative(p[k].factors[f].atom)) return;
        const bool logarithm = is(a, expr::Function::log), turned = logarithm && p[k].coefficient.sign() > 0;
        const auto makes_up = [&](const Monomial& m) { return m.coefficient.sign() > 0 && std::any_of(m.factors.begin(), m.factors.end(), [&](const Factor& x) { return is_exponent(atom(x), m); }); };
        const bool weighted = means && p[k].coefficient.sign() < 0 && is_exponent(a, p[k]) && std::any_of(p.begin(), p.end(), makes_up);  // x exp(y) is at most y exp(y) + exp(x) - exp(y)
        if (!logarithm && logarithms.empty() && !weighted) return;
        const auto add = [&](const Args& own) {
          Args args{at(k), at(f)};
          args.insert(args.end(), own.begin(), own.end());
          for (std::size_t n = 0; n < logarithms.size(); ++n) args.push_back(n % 3 == 2 && turned ? -logarithms[n] : logarithms[n]);
          if (args.size() > 2) found.push_back({Law::tangent, args, {}});
        };
        if (const Args cancelling = logarithm ? logarithms_beside(p, k, f) : Args{}; !cancelling.empty()) {
          Args args{at(k), at(f)};
          args.insert(args.end(), cancelling.begin(), cancelling.end());
          found.push_back({Law::tangent, args, {}});
        }
        add({});
        each(p[k], [&](std::size_t g, const Atom&) {
          const bool exponential = is(atom(p[k].factors[g]), expr::Function::exp);
          if (g != f && p[k].factors[g].exponent.is_one() && arena_.is_positive(p[k].factors[g].atom) && (exponential || logarithm || !logarithms.empty())) add({at(k), at(g), 1});
        });
      });
    }
  }
  /// The point at which the tangent of the logarithm f of term k makes up for the logarithms of the terms that are the same otherwise: at 2 p
  /// for -p log(p + q) beside p log(p) + p log(2).
  Args logarithms_beside(const Poly& p, std::size_t k, std::size_t f) const {
    const auto others = [](const Monomial& m, std::size_t without) {
      auto factors = m.factors;
      factors.erase(factors.begin() + static_cast<std::ptrdiff_t>(without));
      return factors;
    };
    const auto own = others(p[k], f);
    Args args;
    for (std::size_t l = 0; l < p.size(); ++l) {
      if (l == k || p[l].variables != p[k].variables || p[l].factors.size() != p[k].factors.size()) continue;
      const expr::Rational e = -p[l].coefficient / p[k].coefficient;
      each(p[l], [&](std::size_t g, const Atom& a) {
        if (is(a, expr::Function::log) && p[l].factors[g].exponent.is_one() && e.is_integer() && others(p[l], g) == own) args.insert(args.end(), {at(l), at(g), e.num()});
      });
    }
    return args;
  }
  /// Tangents of exponentials at one that is subtracted, as in Jensen's inequality: exp(mean) is at most the mean of exp. Of exp(x) exp(y) at
  /// exp(z) the tangent of exp(x) is that at exp(z)/exp(y); powers count, and what both terms have need not.
  void tangents_at_exponentials(const Poly& p, std::size_t subtracted, std::vector<Step>& found) {
    const auto exponentials = [&](std::size_t l, std::size_t without, bool turned, std::int64_t most, const Monomial* shared) {
      Args args;
      each(p[l], [&](std::size_t g, const Atom& a) {
        const Factor& x = p[l].factors[g];
        const bool few = x.exponent.is_integer() && std::abs(x.exponent.num()) <= most, other = l != subtracted || !arena_.binds(p[l], x.atom);
        if (g == without || !few || !other || !is(a, expr::Function::exp) || (shared != nullptr && has_factor(*shared, x))) return;
        for (std::int64_t n = 0; n < std::abs(x.exponent.num()); ++n) args.insert(args.end(), {at(l), at(g), turned ? -x.exponent.sign() : x.exponent.sign()});
      });
      return args;
    };
    constexpr std::size_t none = -1;
    constexpr std::int64_t few = 4;
    const Args point = exponentials(subtracted, none, false, 1, nullptr);
    for (std::size_t k = 0; k < p.size(); ++k) {
      each(p[k], [&](std::size_t f, const Atom& a) {
        if (k == subtracted || !is(a, expr::Function::exp)) return;
        const auto add = [&](const Args& first, const Args& second) {
          Step step{Law::tangent, {at(k), at(f)}, {}};
          step.args.insert(step.args.end(), first.begin(), first.end());
          step.args.insert(step.args.end(), second.begin(), second.end());
          if (step.args.size() > 2 && (found.empty() || !(found.back() == step))) found.push_back(std::move(step));
        };
        const Args own = exponentials(k, f, true, 1, nullptr), differing = exponentials(k, f, true, few, &p[subtracted]);
        if (thorough_ && !has_factor(p[subtracted], p[k].factors[f]) && (point.empty() || own != differing)) add(exponentials(subtracted, none, false, few, &p[k]), differing);
        if (point.empty()) return;
        add(point, {});
        add(point, own);
      });
    }
  }
  static bool has_factor(const Monomial& m, const Factor& x) { return std::find(m.factors.begin(), m.factors.end(), x) != m.factors.end(); }
  /// Tangents of c exp(x) or c exp(-x) at the number at which its slope makes up for that of a term a x: x + c + c exp(-x) at 1/c.
  void tangents_at_slopes(const Poly& p, std::size_t open, std::vector<Step>& found) {
    for (std::size_t k = 0; k < p.size(); ++k) {
      if (p[k].factors.size() != 1 || p[k].coefficient.sign() < 0 || !is(atom(p[k].factors[0]), expr::Function::exp)) continue;
      const Poly& exponent = arena_.poly(atom(p[k].factors[0]).body);
      const bool one = exponent.size() == 1 && exponent[0].coefficient.is_one() && exponent[0].factors == p[open].factors && exponent[0].variables == p[open].variables;
      if (one) found.push_back({Law::tangent, {at(k), 0, at(open), -1, 1, at(k), -1, -1}, {}});
    }
  }
  void each(const Monomial& m, const std::function<void(std::size_t, const Atom&)>& see) const {
    for (std::size_t f = 0; f < m.factors.size(); ++f) see(f, atom(m.factors[f]));
  }

  void of_term(const Poly& p, std::size_t k, bool magnitudes, std::vector<Step>& found) {
    each(p[k], [&](std::size_t f, const Atom& a) {
      if (a.kind == AtomKind::maximum) found.push_back({Law::total_bound, {at(k), at(f)}, {}});
      if (a.kind == AtomKind::maximum) found.push_back({Law::attained, {at(k), at(f)}, {}});
      if (is(a, expr::Function::log)) found.push_back({Law::tangent, {at(k), at(f)}, {}});
      if (is(a, expr::Function::abs)) {
        const Poly& body = arena_.poly(a.body);
        const bool sums = body.size() > 1 && std::any_of(body.begin(), body.end(), [](const Monomial& t) { return !t.variables.empty(); });
        if (sums) found.push_back({Law::triangle, {at(k), at(f), 1}, {}});
        found.push_back({Law::triangle, {at(k), at(f)}, {}});
      }
      if (arena_.is_within_one(p[k].factors[f].atom)) found.push_back({Law::unit_bound, {at(k), at(f)}, {}});
    });
    if (magnitudes) found.push_back({Law::magnitude_bound, {at(k)}, {}});
    assumed_bounds(p[k], k, found);
    for (std::size_t l = 0; l < p.size(); ++l) {
      each(p[l], [&](std::size_t f, const Atom& a) {
        if (is(a, expr::Function::log)) exponents_of_sum(a, p[k], {at(k), at(l), at(f)}, found);
        if (a.kind == AtomKind::maximum) values_of_maximum(a, p[k], {at(k), at(l), at(f)}, found);
      });
    }
  }

  /// What the maximum is taken of, found in m; of |x| also x and -x.
  void values_of_maximum(const Atom& maximum, const Monomial& m, const Args& args, std::vector<Step>& found) {
    const auto each_term = [&](const Poly& values, const auto& number) {  // the kernel counts the terms of the maximum minus its values; which of them is which it sees itself
      for (std::size_t j = 0; j <= values.size(); ++j) {
        Args named = args;
        named.push_back(number(at(j)));
        for (const Monomial& term : values) pairings(term, m, named, Law::largest_bound, found);
      }
    };
    const Atom* inner = &maximum;
    const auto single = [&](const Poly& values) { return values.size() == 1 && values[0].variables.empty() && values[0].factors.size() == 1 ? &atom(values[0].factors[0]) : nullptr; };
    while (single(arena_.poly(inner->body)) != nullptr && single(arena_.poly(inner->body))->kind == AtomKind::maximum) inner = single(arena_.poly(inner->body));
    const Poly& values = arena_.poly(inner->body);
    each_term(values, [](std::int64_t j) { return j; });
    const Atom* magnitude = single(values);
    for (const std::int64_t sign : {0, 1}) {
      if (magnitude != nullptr && is(*magnitude, expr::Function::abs)) each_term(arena_.poly(magnitude->body), [&](std::int64_t j) { return -1 - 2 * j - sign; });
    }
  }

  /// One term of a sum that is added, and one value of a maximum, in the place of one of the sum's own variables or of one that stands in an
  /// open term.
  void places(const Poly& p, std::size_t k, const std::vector<std::size_t>& open, std::vector<Step>& found) {
    const Monomial& m = p[k];
    const auto with_each_place = [&](Law law, std::size_t part, kernel::Symbol v) {
      std::set<kernel::Symbol> known{v};
      if (law == Law::place_bound) known.insert(m.variables.begin(), std::find(m.variables.begin(), m.variables.end(), v));  // i for j is j for i
      const auto name = [&](std::size_t l) {
        for (std::size_t f = 0; f < p[l].factors.size(); ++f) {
          const AtomId holder = p[l].factors[f].atom;
          if (l != k && (arena_.binds(p[l], holder) || arena_.binds(m, holder))) continue;
          const auto& variables = arena_.free_variables(holder);
          for (std::size_t n = 0; n < variables.size(); ++n) {
            if (arena_.symbol(variables[n]).range != arena_.symbol(v).range || !known.insert(variables[n]).second) continue;
            const Args args{at(k), at(part), at(l), at(f), at(n)};
            found.push_back({law, args, {}});
            if (!strict_ || law != Law::place_bound || !arena_.positive(arena_.symbol(v).range - kernel::Index(1))) continue;
            found.push_back({law, args, {}});
            found.back().args.push_back(1);
          }
        }
      };
      name(k);
      for (const std::size_t l : open) name(l);
    };
    for (std::size_t v = 0; v < m.variables.size(); ++v) with_each_place(Law::place_bound, v, m.variables[v]);
    each(m, [&](std::size_t f, const Atom& a) {
      if (a.kind == AtomKind::maximum) with_each_place(Law::value_bound, f, a.variables[0]);
    });
  }

  /// m divides by sums: parts of them that are its factors.
  void parts_of_sums(const Monomial& m, std::size_t k, std::vector<Step>& found) {
    each(m, [&](std::size_t f, const Atom& a) {
      if (a.kind != AtomKind::base || m.factors[f].exponent.sign() > 0) return;
      const Poly& parts = arena_.poly(a.body);
      for (std::size_t b = 0; b < parts.size(); ++b) pairings(parts[b], m, {at(k), at(f), at(b)}, Law::part_bound, found);
    });
  }
  /// The exponents of what the logarithm is taken of, found in m.
  void exponents_of_sum(const Atom& logarithm, const Monomial& m, const Args& args, std::vector<Step>& found) {
    const Poly& parts = arena_.poly(logarithm.body);
    for (std::size_t b = 0; b < parts.size(); ++b) {
      if (parts[b].factors.size() != 1 || !is(atom(parts[b].factors[0]), expr::Function::exp)) continue;
      const Poly& exponent = arena_.poly(atom(parts[b].factors[0]).body);
      for (std::size_t j = 0; j <= exponent.size(); ++j) {  // the kernel counts the terms of the logarithm minus the exponent
        Args named = args;
        named.push_back(at(b));
        named.push_back(at(j));
        for (const Monomial& term : exponent) pairings(term, m, named, Law::log_bound, found);
      }
    }
  }
  /// Whether an absolute value stands in m, for which there may be what it is taken of.
  bool mentions_magnitude(const Monomial& m) const {
    return std::any_of(m.factors.begin(), m.factors.end(), [&](const Factor& f) {
      const Atom& a = atom(f);
      if (is(a, expr::Function::abs)) return true;
      return a.kind == AtomKind::maximum && std::any_of(arena_.poly(a.body).begin(), arena_.poly(a.body).end(), [&](const Monomial& t) { return mentions_magnitude(t); });
    });
  }

  /// A step for every way to find the factors of `term` among those of m.
  void pairings(const Monomial& term, const Monomial& m, Args args, Law law, std::vector<Step>& found) {
    if (term.factors.empty() != m.factors.empty() || term.factors.size() > m.factors.size()) return;
    const std::size_t first = args.size();
    const std::function<void()> choose = [&] {
      if (args.size() == first + term.factors.size()) {
        found.push_back({law, args, {}});
        return;
      }
      const Atom& pattern = atom(term.factors[args.size() - first]);
      for (std::size_t g = 0; g < m.factors.size() && found.size() < 200; ++g) {
        const Atom& target = atom(m.factors[g]);
        const bool alike = pattern.kind == target.kind && pattern.name == target.name && pattern.indices.size() == target.indices.size();
        if (!alike || std::find(args.begin() + static_cast<std::ptrdiff_t>(first), args.end(), at(g)) != args.end()) continue;
        args.push_back(at(g));
        choose();
        args.pop_back();
      }
    };
    choose();
  }

  kernel::Theory& theory_;
  kernel::Arena& arena_;
  const bool strict_;
  normal::Cuts& cuts_;
  kernel::Script& script_;
  const normal::Limits& limits_;
  std::size_t& left_;  ///< attempts of this proof
  int attempts_ = 0;
  bool clears_freely_ = false;
  bool thorough_ = false;   ///< the second time, with what is assumed: denominators do not count, and assumed bounds follow
  int assumed_left_ = 300;  ///< attempts of assumed bounds after others
  bool bounds_magnitudes_ = false;  ///< some assumption has an absolute value
  bool bounds_squares_ = false;     ///< some assumption bounds a sum of squares
  bool bounds_maxima_ = false;      ///< some assumption bounds a maximum
};

}  // namespace

bool shows_sign(kernel::Theory& theory, const kernel::Poly& p, bool strict, const normal::Limits& limits) {
  constexpr std::size_t atoms = 8;  // of a term
  const bool shown = strict ? kernel::always_positive(theory, p) : kernel::never_negative(theory, p);
  limits.spend(std::exchange(theory.arena.terms_asked, 0) * atoms);
  return shown;
}

bool has_sign(kernel::Theory& theory, const kernel::Poly& rest, bool strict, normal::Cuts& cuts, kernel::Script& script, const normal::Limits& limits, std::size_t& attempts, bool cleared) {
  BoundSearch search(theory, strict, cuts, script, limits, attempts);
  return cleared ? search.lowers_cleared(rest) : search.lowers(rest);
}

}  // namespace foldproof::prove
