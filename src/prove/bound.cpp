// SPDX-License-Identifier: MIT
#include "prove/bound.hpp"

#include <algorithm>
#include <functional>

namespace foldproof::prove {
namespace {

using kernel::Atom;
using kernel::AtomKind;
using kernel::Factor;
using kernel::Law;
using kernel::Monomial;
using kernel::Poly;
using kernel::Step;
using Args = std::vector<std::int64_t>;

constexpr int deepest = 5;        // bounds one after the other
constexpr int most_attempts = 60;  // of bounds, over all depths

class Search {
 public:
  Search(kernel::Theory& theory, normal::Cuts& cuts, kernel::Script& script, const normal::Limits& limits) : theory_(theory), arena_(theory.arena), cuts_(cuts), script_(script), limits_(limits) {}

  bool lowers(const Poly& p, int depth) {
    const auto before = arena_.mark();
    if (kernel::never_negative(theory_, p)) return true;
    arena_.rollback(before);  // the checker asks only once, at the end, and must number atoms alike
    if (depth == deepest) return false;
    for (const Step& step : steps(p)) {
      const auto mark = arena_.mark();
      const std::size_t length = script_.size();
      try {
        if (++attempts_ > most_attempts) return false;
        const Poly less = kernel::lower(theory_, p, step);
        script_.push_back(step);
        if (lowers(normal::normalize(theory_, less, cuts_, script_, limits_), depth + 1)) return true;
      } catch (const kernel::Reject&) {
        --attempts_;  // refused at once
      }
      script_.resize(length);
      arena_.rollback(mark);
    }
    return false;
  }

 private:
  static std::int64_t at(std::size_t k) { return static_cast<std::int64_t>(k); }
  const Atom& atom(const Factor& f) const { return arena_.atom(f.atom); }
  static bool is(const Atom& a, expr::Function f) { return a.kind == AtomKind::apply && a.name == static_cast<int>(f); }

  std::vector<Step> steps(const Poly& p) {
    std::vector<Step> found;
    for (std::size_t k = 0; k < p.size(); ++k) {
      for (std::size_t f = 0; f < p[k].factors.size(); ++f) {
        const AtomKind kind = atom(p[k].factors[f]).kind;
        if ((kind == AtomKind::base || kind == AtomKind::maximum) && p[k].factors[f].exponent.sign() < 0) found.push_back({Law::clear, {at(k), at(f)}, {}});
      }
    }
    if (!found.empty()) return found;
    for (std::size_t k = 0; k < p.size(); ++k) {
      if (!arena_.is_nonnegative(Poly{p[k]})) of_term(p, k, found);
    }
    for (std::size_t k = 0; k < p.size(); ++k) each(p[k], [&](std::size_t f, const Atom& a) { if (is(a, expr::Function::exp)) found.push_back({Law::tangent, {at(k), at(f)}, {}}); });
    return found;
  }
  void each(const Monomial& m, const std::function<void(std::size_t, const Atom&)>& see) const {
    for (std::size_t f = 0; f < m.factors.size(); ++f) see(f, atom(m.factors[f]));
  }

  void of_term(const Poly& p, std::size_t k, std::vector<Step>& found) {
    each(p[k], [&](std::size_t f, const Atom& a) {
      if (a.kind == AtomKind::maximum) found.push_back({Law::total_bound, {at(k), at(f)}, {}});
      if (a.kind == AtomKind::maximum) found.push_back({Law::attained, {at(k), at(f)}, {}});
      if (is(a, expr::Function::log)) found.push_back({Law::tangent, {at(k), at(f)}, {}});
      if (is(a, expr::Function::abs)) found.push_back({Law::triangle, {at(k), at(f)}, {}});
    });
    for (std::size_t s = 0; s < theory_.signs.size(); ++s) {
      const Poly& sign = theory_.signs[s].poly;
      for (std::size_t j = 0; j < sign.size(); ++j) pairings(sign[j], p[k], {at(k), at(s), at(j)}, Law::assumed_bound, found);
    }
    for (std::size_t l = 0; l < p.size(); ++l) {
      each(p[l], [&](std::size_t f, const Atom& a) {
        if (a.kind != AtomKind::maximum) return;
        const Poly& body = arena_.poly(a.body);
        // The kernel counts the terms of the maximum minus its body; which of them is which it sees itself.
        for (std::size_t j = 0; j <= body.size(); ++j) {
          for (const Monomial& term : body) pairings(term, p[k], {at(k), at(l), at(f), at(j)}, Law::largest_bound, found);
        }
      });
    }
  }

  /// A step for every way to find the factors of `term` among those of m.
  void pairings(const Monomial& term, const Monomial& m, Args args, Law law, std::vector<Step>& found) {
    if (term.factors.empty() || term.factors.size() > m.factors.size()) return;
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
  normal::Cuts& cuts_;
  kernel::Script& script_;
  const normal::Limits& limits_;
  int attempts_ = 0;
};

}  // namespace

bool never_negative(kernel::Theory& theory, const kernel::Poly& rest, normal::Cuts& cuts, kernel::Script& script, const normal::Limits& limits) { return Search(theory, cuts, script, limits).lowers(rest, 0); }

}  // namespace foldproof::prove
