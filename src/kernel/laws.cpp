// SPDX-License-Identifier: MIT
#include "kernel/laws.hpp"

#include <algorithm>
#include <array>

#include "kernel/rewrite.hpp"

namespace foldproof::kernel {
namespace {

constexpr int several = -1;
constexpr bool plain = false, sized = true;

/// A word of certificates: sum-factor for the identifier sum_factor.
template <std::size_t N>
struct Word {
  char letters[N] = {};
  consteval Word(const char (&identifier)[N]) { std::replace_copy(identifier, identifier + N, letters, '_', '-'); }
};
template <Word W>
constexpr std::string_view word(W.letters, sizeof W.letters - 1);

/// How a step of a law is written, what it says, and what carries it out.
struct Form {
  std::string_view name;
  int numbers;
  bool sized;
  std::string_view description;
  Monomials (*rewrite)(Rewrite&) = nullptr;
  Monomials (*bound)(Rewrite&, const Poly&) = nullptr;
};

}  // namespace

/// Of class Rewrite, whose laws are private.
struct Forms {
  static constexpr Form table[] = {
#define FOLDPROOF_STEP(name, numbers, size, words) {word<#name>, numbers, size, words},
#define FOLDPROOF_LAW(name, numbers, size, words) {word<#name>, numbers, size, words, [](Rewrite& r) { return r.name(); }, nullptr},
#define FOLDPROOF_BOUND(name, numbers, size, words) {word<#name>, numbers, size, words, nullptr, [](Rewrite& r, const Poly& p) { return r.name(p); }},
#include "kernel/laws.def"
  };
  static const Form& of(Law law) { return table[static_cast<std::size_t>(law)]; }
};

Monomials Rewrite::run() {
  const auto law = Forms::of(step_.law).rewrite;
  if (law == nullptr) throw Reject("this step stands outside a monomial");
  const Monomials results = law(*this);
  // Those that are named only move comparisons to the values that count, or take away what the others say.
  static constexpr Law move_comparisons[] = {Law::sift, Law::split, Law::pair, Law::unroll, Law::decide, Law::digits, Law::only_equal, Law::implied, Law::reverse, Law::shift, Law::count_up, Law::one_hot, Law::one_hot_sum, Law::select, Law::swap};
  if (std::find(std::begin(move_comparisons), std::end(move_comparisons), step_.law) == std::end(move_comparisons)) require_values_for(results);
  return results;
}

Monomials Rewrite::lowered(const Poly& p) {
  const auto law = Forms::of(step_.law).bound;
  if (law == nullptr) throw expr::InternalError("the law is no bound");
  const Monomials results = law(*this, p);
  require_values_for(results);
  return results;
}

std::string_view name(Law law) { return Forms::of(law).name; }
std::string_view describe(Law law) { return Forms::of(law).description; }
bool takes_size(Law law) { return Forms::of(law).sized; }

void check_form(const Step& step) {
  const Form& form = Forms::of(step.law);
  if (form.numbers != several && step.args.size() != static_cast<std::size_t>(form.numbers)) throw Reject("a step of this law has another number of arguments");
  if (!form.sized && !step.size.is_zero()) throw Reject("a step of this law has no size");
}

std::vector<Monomial> apply(Theory& theory, const Monomial& m, const Step& step) { return Rewrite(theory, m, step).run(); }

Monomial rename(Theory& theory, const Monomial& m, const std::vector<std::int64_t>& order) {
  Arena& arena = theory.arena;
  if (order.size() != m.variables.size()) throw Reject("keep: not every variable gets a place");
  const int height = arena.height(m);
  Arena::Substitution s;
  Monomial::Variables variables;
  for (std::size_t k = 0; k < order.size(); ++k) {
    if (order[k] < 0 || order[k] >= static_cast<std::int64_t>(order.size())) throw Reject("keep: no such variable");
    const Symbol v = m.variables[static_cast<std::size_t>(order[k])];
    const Symbol canonical = arena.canonical(height, static_cast<int>(k), Index(arena.symbol(v).range));
    if (!s.emplace(v, Index::symbol(canonical)).second) throw Reject("keep: a variable gets two places");
    if (theory.is_around(canonical)) throw Reject("keep: the canonical name is taken");
    variables.push_back(canonical);
  }
  Monomial renamed = arena.substitute(m, s);
  std::sort(variables.begin(), variables.end());
  renamed.variables = std::move(variables);
  return renamed;
}

std::vector<Monomial> replace_body(Theory& theory, const Monomial& m, std::size_t f, const Poly& body) {
  Arena& arena = theory.arena;
  Monomial rest = m;
  const Factor old = m.factors[f];
  rest.factors.erase(rest.factors.begin() + static_cast<std::ptrdiff_t>(f));
  Atom a = arena.atom(old.atom);
  int height = 0;
  for (const Monomial& t : body) height = std::max(height, arena.height(t));
  Arena::Substitution s;
  for (std::size_t k = 0; k < a.variables.size(); ++k) {  // the binder gets canonical names, so that equal bodies become equal atoms
    const Symbol canonical = arena.canonical(height + 1, static_cast<int>(k), Index(arena.symbol(a.variables[k]).range));
    if (theory.is_around(canonical) || std::find(m.variables.begin(), m.variables.end(), canonical) != m.variables.end()) throw Reject("leave: the canonical name is taken");
    s[a.variables[k]] = Index::symbol(canonical);
    a.variables[k] = canonical;
  }
  a.body = arena.intern(s.empty() ? body : arena.substitute(body, s));
  const AtomId replaced = arena.intern(a);
  if (arena.is_divisor(old.atom)) arena.note_divisor(replaced);  // of equal value
  return arena.multiply({rest}, arena.of(replaced, old.exponent));
}

}  // namespace foldproof::kernel
