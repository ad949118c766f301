// SPDX-License-Identifier: MIT
// The strategy: which law to take where. Everything goes through the kernel's laws and is recorded. Private to normal/.
#pragma once

#include <algorithm>
#include <optional>

#include "normal/label.hpp"
#include "normal/normalize.hpp"

namespace foldproof::normal {

using expr::Function;
using kernel::Arena;
using kernel::Atom;
using kernel::AtomId;
using kernel::AtomKind;
using kernel::Factor;
using kernel::Index;
using kernel::Law;
using kernel::Monomial;
using kernel::Poly;
using kernel::PolyId;
using kernel::Rational;
using kernel::Script;
using kernel::Step;
using kernel::Symbol;
using kernel::SymbolKind;
using kernel::Theory;
using Args = std::vector<std::int64_t>;

class Normalizer {
 public:
  Normalizer(Theory& theory, Cuts& cuts, Script& script, const Limits& limits) : theory_(theory), arena_(theory.arena), cuts_(cuts), script_(script), limits_(limits) {}
  Poly run(const Poly& p);

 private:
  using Results = std::optional<std::vector<Monomial>>;

  void record(Step s) {
    script_.push_back(std::move(s));
    if (script_.size() > limits_.steps) throw expr::LimitReached("more than " + std::to_string(limits_.steps) + " steps");
  }
  /// Counts work against the limit. Deterministic: time is not.
  void spend(std::size_t effort);
  /// Atoms in m, bodies and all, for each of its variables.
  std::size_t weight(const Monomial& m);
  /// The canonical order of the bound variables.
  std::vector<std::int64_t> canonical(const Monomial& m, const Colours& free = {});
  /// Gives the bound variables of m, in this order, the colours from `first` on.
  static void colour(const Monomial& m, const std::vector<std::int64_t>& order, std::uint64_t first, Colours& colours) {
    for (std::size_t k = 0; k < order.size(); ++k) colours[m.variables[static_cast<std::size_t>(order[k])]] = first + k;
  }
  /// Applies a law that is expected to hold, or finds out that it does not and leaves no trace.
  /// With `downwards`, only when the result is a single monomial that comes before m.
  Results attempt(const Monomial& m, Law law, Args args, const expr::Dim& size = {}, bool downwards = false);
  /// Of a law that looks at nothing but the factor that args name first: once for each factor.
  Results attempt_once(const Monomial& m, Law law, const Args& args);
  /// Forgets everything since the mark.
  void undo(const Arena::Mark& mark, std::size_t steps);
  static std::int64_t at(std::size_t k) { return static_cast<std::int64_t>(k); }
  const Poly& body(const Atom& a) const { return arena_.poly(a.body); }
  const Atom& atom(const Factor& f) const { return arena_.atom(f.atom); }
  static bool is(const Atom& a, Function f) { return a.kind == AtomKind::apply && a.name == static_cast<int>(f); }
  /// The next step on m, or nothing when m is in normal form.
  Results step(const Monomial& m);

  // ---- bodies ----
  Results bodies(const Monomial& m);
  /// A number that is made of others: a sum or product of positions, or a remainder.
  bool is_composite(const Index& e) const {
    const auto symbol = e.as_symbol();
    return !symbol || arena_.symbol(*symbol).kind == kernel::SymbolKind::remainder;
  }
  bool binder_is_canonical(const Atom& a) const;

  // ---- comparisons ----
  std::int64_t constant_term(const Index& e) const;
  Results comparisons(const Monomial& m);
  /// A band of a mask, (i - j >= 0) (j - i + 2 >= 0): one of the two always holds.
  Results covering(const Monomial& m, std::size_t f);
  Results turned(const Monomial& m);
  /// A sum over i >= j of what i and j may be exchanged in is half of the sum over all of them, and half of that over i == j.
  Results mirrored(const Monomial& m);
  /// Of (e >= 0) and (-e >= 0) one comes first, by what the other factors say of the variables.
  bool comes_later(const Monomial& m, std::size_t f, const Index& e);
  /// A sum of x[i + j] where i + j < n, as sums over range(i, n) are read: it becomes one of x[j] where j >= i.
  Results started_later(const Monomial& m, std::size_t f, const Index& e);
  /// A law for a bound variable that only factor f mentions.
  Results of_lone_variable(const Monomial& m, std::size_t f, Law law);
  /// A comparison that up to four others decide: i >= j >= k makes i >= k.
  Results implied(const Monomial& m, std::size_t f);
  /// Every position in the atom that mentions v falls as v grows.
  bool runs_backwards(AtomId a, Symbol v) const;
  Results equality(const Monomial& m, std::size_t f, const Index& e);
  /// Of the shifted identity at factor f one term is left where the other comparisons of its variable hold: (v == i - 1)(v >= j).
  Results sifted_where(const Monomial& m, std::size_t f, std::size_t v);
  /// A comparison of positions a*k + b, by a and b.
  Results digits(const Monomial& m, std::size_t f, const Index& e);
  Index slope(const Index& e, Symbol v) const;
  static int constant_sign(const Index& e);
  /// The size as a Dim, when it mentions dimensions only.
  std::optional<expr::Dim> as_dim(const Index& e) const;
  /// A literal size, such as that of parts that a tensor is cut into, that is small enough to write sums over it out as a first resort.
  static bool is_few(const Index& size) { return size.constant().value_or(5) <= 4; }
  /// And where nothing else is left, as for heads beside a list of them.
  static bool is_written_out(const Index& size) { return size.constant().value_or(17) <= 16; }

  // ---- cutting sums ----
  /// Cuts a sum where the number of values of a lone variable for which e >= 0 would be below 0 or above their range: count_up knows it for each part.
  Results counted_in_parts(const Monomial& m, const Index& e);
  /// (v - c >= 0) and (v - c == 0) ask for the sum over v to be cut at c.
  void request_cut(const Index& e, bool ordering);
  /// The point at which the comparison of e with 0 cuts the sum over v.
  std::optional<Index> cut_point(const Index& e, bool ordering, Symbol v) const;
  /// The points at which the atom, bodies and all, changes along v: where a comparison does, where an entry begins or ends its axis.
  void collect_changes(AtomId id, Symbol v, std::set<Index>& found) const;
  void collect_changes(const Poly& p, Symbol v, std::set<Index>& found) const;
  /// The order in which cutting at the points is tried. concat(A, B) beside concat(B, A) has two points, and no order of them: where
  /// own_points are chosen, only those at which the summand itself changes, if there are any.
  std::vector<Index> in_order(const std::set<Index>& points, const Poly& summand, Symbol v);
  std::vector<Symbol> variables_of(const Index& e) const;
  void request_split(Symbol v, const Index& point);
  void request_divisions(const Index& e);
  /// An entry A[.., c + v, ..] with v over less than the whole axis shows how the axis is cut elsewhere.
  void request_from_entry(const Atom& a);
  void request_axis_split(const Index& size, const Index& point);
  /// Sums over `range` are cut into blocks, whatever v // k and v % k ask for.
  void request_strides(int tensor, std::size_t axis, Symbol v, std::int64_t k, const Index& offset);
  void request_blocks(const Index& range, const Index& block);
  /// Cuts the range of variable v into equal parts: of the size that is known for the range, unless m divides v by others only.
  Results pair(const Monomial& m, std::size_t v, const Index& range, const std::set<Index>& divisors);
  /// Whether the variable runs along an axis of which every k-th entry is taken elsewhere.
  bool runs_along_strided(const Monomial& m, Symbol v) const;
  /// Variables under a quotient or remainder, anywhere in the atom, with what they are divided by.
  void collect_divided(AtomId id, std::map<Symbol, std::set<Index>>& found) const;
  Results cut(const Monomial& m);

  // ---- functions and powers ----
  Results functions(const Monomial& m);
  /// inv of products, scaled and transposed matrices, taken apart until single matrices are left.
  Results inverse_form(const Monomial& m, std::size_t f, const Atom& a);
  /// Hash of the matrix p with these row and column variables.
  std::uint64_t matrix_hash(const Poly& p, Symbol row, Symbol column) const { return hash(arena_, p, {{row, 37}, {column, 38}}); }
  /// Of a matrix and its transpose the one with the smaller hash stands for both.
  bool better_turned(const Atom& a);
  /// Whether the matrix under a looks the same transposed, as X.T @ X does.
  bool equals_its_transpose(const Atom& a) const;
  Results determinant_form(const Monomial& m, std::size_t f, const Atom& a);
  Results exchanged(const Monomial& m, std::size_t f, const Atom& a);
  /// Factors that hang together with index u when the variable `cut` does not connect.
  std::vector<std::size_t> reachable(const Monomial& t, Symbol u, Symbol cut) const;
  bool is_unit_exponential(const Poly& p) const;
  Results function(const Monomial& m, std::size_t f, const Atom& a);
  /// The product of the sine or cosine f with another one, or with itself, as a sum of such.
  Results product_of_angles(const Monomial& m, std::size_t f, const kernel::Poly& p);
  /// Powers and logarithms of a maximum and constants, by choice.
  Results inwards(const Monomial& m, std::size_t f, const Atom& a);
  /// Sign of the term that comes first by structure, so that x and -x agree on which of them is turned.
  int leading_sign(const Poly& p) const { return p[leading_term(p)].coefficient.sign(); }
  /// Whether a body in p, or in a body in it, has a term of this hash.
  bool is_within(std::uint64_t term, const Poly& p) const;
  /// The term of p that rewriting removes: none that another one is a function of, most factors first, then the highest degree, then by structure.
  std::size_t leading_term(const Poly& p) const;
  Results power(const Monomial& m, std::size_t f, const Atom& a);
  /// The body as a sum without bound variables times the rest.
  Results product(const Monomial& m, std::size_t f, const Poly& p);
  /// The same with the sum that sum_factor_of() finds at a term.
  Results product_with(const Monomial& m, std::size_t f, const Poly& p, std::size_t term, bool sums);
  /// Whether p or one of its bodies holds what a comparison may decide: a comparison, a mask or an absolute value.
  bool holds_mask(const Poly& p);
  /// Functions of comparisons and masks: the ones that other factors decide, then case by case.
  Results guarded(const Monomial& m);
  /// Sums against their own reciprocals. Whole sums first: rewriting one term of a longer sum could hide them.
  Results reciprocals(const Monomial& m);
  /// Term number `term` of the sum whose negative power is factor f, found among the other factors.
  Results cancel(const Monomial& m, std::size_t f, std::size_t term);
  static bool is_squarefree_prime(const Rational& c);

  // ---- equations: reciprocals, assumptions, inverses ----
  /// Offers every pairing of the factors of term `lead` of p with factors of m that may match, until one is taken.
  template <class Take>
  Results use(const Monomial& m, const Poly& p, std::size_t lead, const std::vector<std::size_t>& taken, const Take& take) {
    const Monomial& t = p[lead];
    Args positions;
    std::vector<Rational> left;  // of each power
    for (const Factor& f : m.factors) left.push_back(f.exponent);
    for (const std::size_t f : taken) left[f] = 0;
    int budget = 2000;
    return pair_up(m, t, positions, left, budget, take);
  }
  template <class Take>
  Results pair_up(const Monomial& m, const Monomial& t, Args& positions, std::vector<Rational>& left, int& budget, const Take& take) {
    if (--budget < 0) return std::nullopt;
    if (positions.size() == t.factors.size()) return take(positions);
    const Factor& pattern = t.factors[positions.size()];
    for (std::size_t f = 0; f < m.factors.size(); ++f) {
      if (left[f].is_zero() || !may_match(pattern, {m.factors[f].atom, left[f]}) || !consistent(m, t, positions, pattern, f)) continue;
      left[f] = left[f] - pattern.exponent;
      positions.push_back(at(f));
      if (auto r = pair_up(m, t, positions, left, budget, take)) return r;
      positions.pop_back();
      left[f] = left[f] + pattern.exponent;
    }
    return std::nullopt;
  }
  /// Hash of an atom with all variables alike; of an inverse without the indices of its entry.
  std::uint64_t shape_hash(AtomId a);
  bool may_match(const Factor& pattern, const Factor& target);
  /// A variable of the pattern must meet the same index everywhere.
  bool consistent(const Monomial& m, const Monomial& t, const Args& positions, const Factor& pattern, std::size_t f) const;
  Results equations(const Monomial& m);
  /// The term inv(M)[i, j] of an equation that says what it is, whatever else its other terms are.
  std::optional<std::size_t> inverse_alone(const Poly& p) const;
  /// The equations once more with up to `swaps` symmetric entries turned round.
  Results equations_of_symmetric(const Monomial& m, std::size_t first, int swaps);
  /// An equation between two terms of one form, such as A B = B A: used in one direction only, or it would run in circles.
  bool is_permutative(const Poly& p) const;
  /// Whether the assumption turns m into -m, so that both halves of m add up to 0; both are kept then.
  bool vanishes(const Monomial& m, const Args& axiom);
  /// A number that tells monomials apart up to the names of bound variables and the coefficient.
  std::uint64_t place(const Monomial& m);
  Results inverse(const Monomial& m, std::size_t f);
  Results inverses(const Monomial& m);
  /// Of inv(M)[i, j] and inv(M)[j, i] for a matrix that is its own transpose, the one that comes first.
  Results symmetric_inverses(const Monomial& m);
  /// The inverses once more with up to `turns` entries of A turned round by an assumption such as A.T == -A.
  Results inverses_of_skew(const Monomial& m, int turns);
  /// The inverse of a matrix that is written with comparisons or divided positions, before these cut the sum against it.
  Results inverses_of_blocks(const Monomial& m);

  // ---- tensors of which something is assumed ----
  bool one_hot(const Atom& a) const { return a.kind == AtomKind::entry && (arena_.tensor(a.name).row_one_hot || arena_.tensor(a.name).column_one_hot); }
  Results tensors(const Monomial& m);
  Results select(const Monomial& m, std::size_t f, const Atom& a);

  // ---- done ----
  /// `colours` are those of the variables bound outside, where m stands in a body that is gone through once more.
  Monomial keep(Monomial m, Colours colours = {});
  /// Whether some monomial of the body, or of bodies in it, has an order of its variables only by what is bound outside: in
  /// exp(sum over a, b, c of X[i, a] W[a, c] W[b, c] X[j, b]) a comes before b where i comes before j.
  bool ties(PolyId id);
  /// Bodies in which entries of symmetric tensors or bound variables are ordered by the bound variables of m.
  Monomial orient_bodies(Monomial m, const Colours& colours);
  bool is_symmetric(const Atom& a) const { return a.kind == AtomKind::entry && a.indices.size() >= 2 && arena_.tensor(a.name).symmetric; }
  /// Whether the last two indices of a symmetric entry stand in the wrong order.
  bool wrong_way_round(const Atom& a, const Colours& colours) const;
  bool holds_wrong_way_round(const Poly& p, const Colours& colours) const;
  /// S[j, i] becomes S[i, j] when i comes first in the canonical order.
  Monomial orient_symmetric(Monomial m, const Colours& colours);

  Theory& theory_;
  Arena& arena_;
  Cuts& cuts_;
  Script& script_;
  const Limits& limits_;
  std::set<PolyId> normal_;
  std::vector<Monomial> halves_;  ///< two terms for each time that mirrored() is not done yet: they cancel as they are
  std::map<AtomId, std::uint64_t> shapes_;
  std::map<AtomId, std::size_t> weights_;
  std::set<std::vector<AtomId>> open_comparisons_;  ///< the comparisons of a monomial, and which one of them they do not decide
  std::set<std::tuple<AtomId, Rational, Law, Args>> futile_;  ///< what attempt_once has tried, with the exponent of the factor
  std::map<PolyId, bool> masks_;  ///< holds_mask of bodies
  std::map<PolyId, bool> ties_;
};

}  // namespace foldproof::normal
