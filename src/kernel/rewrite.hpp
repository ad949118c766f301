// SPDX-License-Identifier: MIT
// One application of one law: the monomial, and checked access to what the step names. Private to kernel/. Part of the trusted base.
#pragma once

#include <algorithm>
#include <optional>
#include <span>

#include "kernel/laws.hpp"

namespace foldproof::kernel {

using expr::Function;
using Monomials = std::vector<Monomial>;

class Rewrite {
 public:
  Rewrite(Theory& theory, const Monomial& m, const Step& step) : theory_(theory), arena_(theory.arena), m_(m), step_(step) {}
  Monomials run();
  /// m, a term of p, by something that is at most m.
  Monomials lowered(const Poly& p);

 private:
  friend struct Forms;
#define FOLDPROOF_STEP(name, numbers, size, words)
#define FOLDPROOF_LAW(name, numbers, size, words) Monomials name();
#define FOLDPROOF_BOUND(name, numbers, size, words) Monomials name(const Poly& p);
#include "kernel/laws.def"

  // ---- access ----
  std::int64_t arg(std::size_t k) const {
    if (k >= step_.args.size()) throw Reject("a step lacks an argument");
    return step_.args[k];
  }
  std::size_t factor_position(std::size_t k) const { return position(arg(k), m_.factors.size(), "a step names a factor that is not there"); }
  Symbol variable(std::size_t k) const { return m_.variables[position(arg(k), m_.variables.size(), "a step names a variable that is not there")]; }
  const Factor& factor(std::size_t k) const { return m_.factors[factor_position(k)]; }
  Atom atom(std::size_t k) const { return arena_.atom(factor(k).atom); }
  static void require(bool holds, const char* what) {
    if (!holds) throw Reject(what);
  }
  /// m without the factors at the given positions.
  Monomial without(std::vector<std::size_t> positions) const {
    Monomial rest = m_;
    std::sort(positions.rbegin(), positions.rend());
    for (const std::size_t f : positions) rest.factors.erase(rest.factors.begin() + static_cast<std::ptrdiff_t>(f));
    return rest;
  }
  static void unbind(Monomial& m, Symbol v) { m.variables.erase(std::remove(m.variables.begin(), m.variables.end(), v), m.variables.end()); }
  static void bind(Monomial& m, Symbol v) { m.variables.insert(std::lower_bound(m.variables.begin(), m.variables.end(), v), v); }
  Monomials times(const Monomial& rest, const Poly& p) { return arena_.multiply({rest}, arena_.freshen(p)); }
  Monomial replace(const Monomial& m, Symbol v, const Index& e) { return arena_.substitute(m, {{v, e}}); }
  /// m with e in the place of a variable that it sums over, summed over others instead.
  Monomial summed(Monomial m, Symbol v, const Index& e, std::initializer_list<Symbol> others = {}) {
    unbind(m, v);
    m = replace(m, v, e);
    for (const Symbol w : others) bind(m, w);
    return m;
  }
  Poly with_body(Atom a, const Poly& p, const Rational& exponent = 1) {
    a.body = arena_.intern(p);
    return arena_.of(arena_.intern(std::move(a)), exponent);
  }
  Poly maximum(Symbol v, const Poly& p) { return with_body(Atom{AtomKind::maximum, 0, {}, {v}, -1}, p); }
  bool in_range(const Index& e, const Index& range) const { return arena_.nonnegative(e) && arena_.positive(range - e); }
  const Poly& body(const Atom& a) const { return arena_.poly(a.body); }

  // ---- sums and comparisons ----
  /// e with v == e where the factor says (v - e == 0) or (e - v == 0).
  Index solve(const Atom& a, Symbol v) const;
  Index compared(std::size_t k) const;
  /// What depends on v has a value also at e, which may lie beyond its range, so that it counts as 0 beside a comparison that does not hold there.
  void require_values_beyond(Symbol v, const Index& e);

  // ---- what is 0 or 1 ----
  /// Comparisons and masks that all hold (value) or of which the only one fails; each of `known` is at least 0 then.
  struct Guards {
    std::vector<AtomId> atoms;
    bool value = true;
    std::vector<Index> known;
  };
  /// The guards that the step names from argument `first` on.
  Guards guards(std::size_t first) const;
  /// What the guards say about the atom.
  std::optional<bool> decided(AtomId x, const Guards& guards) const;
  /// Whether the guards and what stands beside x, in one product, say that x, a comparison, is 1.
  bool follows(const Factor& x, std::span<const Factor> beside, const Guards& guards) const;
  bool binds_a_variable_of(const Guards& guards, std::span<const Symbol> variables) const;
  /// The same value where the guards say so, and some value elsewhere.
  Poly given(const Factor& x, const Guards& guards);
  Poly given(const Poly& p, const Guards& guards);

  // What stands beside a comparison that does not hold need not have a value: tril(sqrt(X)) says nothing of X above the diagonal.
  /// The comparisons and masks of m that t lacks, which takes its place.
  std::vector<AtomId> lost(const Monomial& t) const;
  /// The factors of m that may have no value there, if t, which takes the place of m, lacks a comparison or mask that stands beside them.
  std::vector<Factor> let_out(const Monomial& t) const;
  /// Finds the factors of p, and of what these are functions of, that may have no value and stand beside no comparison or mask. Whether others do.
  bool expose(const Poly& p, std::vector<Factor>& exposed) const;
  /// None of them is a factor of what takes the place of m, nor of what its factors are functions of.
  void require_values_for(const Monomials& results) const;

  // ---- powers and functions ----
  /// exp(t)^q for one monomial t
  Poly exp_of(const Monomial& t, const Rational& q);
  /// c^q for positive c as a rational times powers of primes; c^q for any c when q is an integer.
  Poly rational_power(const Rational& c, const Rational& q);
  /// Exponents of the prime factors of c > 0; what trial division leaves counts as one prime.
  static std::vector<std::pair<std::int64_t, std::int64_t>> primes(const Rational& c);
  /// Whether the atom is never negative, also where only its squares show it.
  bool is_never_negative(AtomId x);
  /// x^e for an atom x under the outer power q: (x^e)^q
  Poly atom_power(const Factor& x, const Rational& q);
  /// The factors of t in groups that share no bound variable: the sum of t is the product of the sums of the groups. Nothing for what is one sum, or has a variable that no factor mentions.
  std::optional<std::vector<Monomial>> independent_sums(const Monomial& t) const;
  /// The common factor of all terms of p that mentions none of their bound variables: least exponent of each atom, and the
  /// largest number that divides all coefficients.
  Monomial common(const Poly& p, bool fractional);
  /// p divided by c, whose product with the quotient is p again.
  Poly divided(const Poly& p, const Monomial& c);
  /// p with its whole powers of sums multiplied out.
  Poly expanded(const Poly& p);
  /// p divided by one of its sum_factor_of(), in the same sense.
  Poly divided(const Poly& p, const Poly& sum, bool sizes = false);
  /// The sum of roots of terms of p, with signs, whose square p is: the n-th argument is 2 j for term j, or 2 j + 1 with a minus.
  Poly root_of(const Poly& p, std::size_t first);
  Poly power_of(const Monomial& c, const Rational& q);
  /// |c|^q, factor by factor
  Poly magnitude_of(const Monomial& c, const Rational& q);
  /// log c + sum of exponents times logs, for positive factors
  Poly log_of(const Monomial& c);
  /// The maximum that the step names; its variable ranges over at least one value.
  Atom maximum_atom() const;

  // ---- tensors of which something is assumed ----
  /// The axis along which entry a is known to hold a single 1 while the other indices are fixed: last for rows, the one before for columns.
  std::optional<std::size_t> one_hot_axis(const Atom& a, bool rows) const;
  /// The other indices lie in their axes: entries beyond the end count as 0, so they make up no row.
  bool names_a_row(const Atom& a, std::size_t axis) const;

  // ---- equations ----
  /// A variable of the pattern that stands alone as an index, or is divided there, is the target's.
  void propose(const Index& pattern, const Index& target, const std::vector<Symbol>& open, Arena::Substitution& s) const;
  /// Rewrites term `lead` of p == 0, found in m at the factor positions args[first...], to minus the other terms.
  /// `open` are the parameters of the equation, which must come to lie in their ranges.
  Monomials use_equation(const Poly& p, std::size_t lead, std::size_t first, const std::vector<Symbol>& open_parameters, const std::vector<std::size_t>& also_used);
  /// Collects what a body of the pattern says about open variables: its n-th entry of a tensor is held against the n-th such
  /// entry of the target. Only a proposal: the caller compares the two bodies exactly.
  void match_body(AtomId pattern, AtomId target, const std::vector<Symbol>& open, Arena::Substitution& s);
  void match_factor(AtomId pattern, const Monomial& target, std::vector<bool>& used, const std::vector<Symbol>& open, Arena::Substitution& s);

  // ---- bounds ----
  /// m by the other terms of s >= 0, of which term j stands in m times something of the sign that makes the result smaller.
  Monomials bounded(const Poly& s, std::int64_t j, std::size_t first, const std::vector<Symbol>& open);
  /// Factor f of term l of p, which means the same in m: nothing that its own term binds.
  AtomId elsewhere(const Poly& p, std::int64_t l, std::int64_t f) const;
  /// The variable that args 2 to 4 name: of a factor of m itself, or of one of another term that does not depend on what is summed over.
  Symbol place(const Poly& p) const;
  /// Part b of the sum that is the body of a, of which no part is negative; its variables may take any value.
  Monomial part_of(const Atom& a, std::int64_t b);
  /// minus |m|, summed over what m is summed over
  Monomials minus_magnitude(const Monomial& m);
  /// Whether rest, a factor of what a bound takes the place of, is at least 0 (sign 1) or at most 0 (sign -1) for every value of what it sums over.
  bool has_sign(const Monomial& rest, int sign) const;
  void require_sign(const Monomial& rest, int sign) const { require(has_sign(rest, sign), "the bound is multiplied by what may be negative"); }
  /// The positive point at which the step looks at exp or log: a product of factors of m, or of other terms of p, and of what they are
  /// logarithms of.
  Poly tangent_at(const Poly& p);
  /// m = rest * first * second by what |first * second| is at most: the mean of the squares, or the product of the roots of their sums.
  Monomials product_bound();

  // ---- functions of matrices ----
  /// The named entry lies in the matrix; beyond its end an inverse counts as 0.
  bool inside(const Atom& a) const;
  /// The inverse named by the step; its matrix must be a single product when `one_term`.
  Atom inverse_atom(bool one_term) const;
  /// t as coefficient * sum over inner, if any, of left(u, inner) right(inner, v), where the step names the factors of `left` from argument `first` on.
  struct Product {
    Monomial left, right;
    Symbol inner = -1;
  };
  Product separate(const Monomial& t, const Atom& matrix, std::size_t first);
  /// The matrix under a as a product of square ones: it is invertible exactly when they are.
  Product square_factors(const Atom& a, Rational& coefficient);
  std::optional<Index> inner_size(const Poly& matrix, Symbol u, Symbol v) const;
  Poly transposed(const Atom& a);  ///< the matrix under a
  Atom inverse_under(const Atom& a, bool or_turned) const;
  /// Whether the matrix under a is an orthogonal tensor (false), its transpose (true), or neither.
  std::optional<bool> orthogonal_entry(const Atom& a) const;
  Atom determinant_atom() const;

  Theory& theory_;
  Arena& arena_;
  const Monomial& m_;
  const Step& step_;
  bool times_positive_ = false;  ///< what the last bound multiplies is positive, summed over what m sums over
};

}  // namespace foldproof::kernel
