// SPDX-License-Identifier: MIT
// Sums of products in index notation: what every claim is unfolded into, and all that the kernel reasons about. Part of the trusted base.
// Everything is interned in an Arena, so equality is equality of numbers. The order of interning is the order of the
// operations, so an author of a certificate and the checker that replays it number everything alike.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "expr/operator.hpp"

namespace foldproof::kernel {

using Symbol = std::int32_t;                ///< a dimension, an index variable, a quotient or a remainder
using Index = expr::Polynomial<Symbol>;     ///< a size or a position
using AtomId = std::int32_t;
using PolyId = std::int32_t;
using expr::Rational;

/// Thrown when a step of a certificate does not apply.
class Reject : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The place that number k names among so many. Throws Reject when there is none.
inline std::size_t position(std::int64_t k, std::size_t count, const char* otherwise) {
  if (k < 0 || k >= static_cast<std::int64_t>(count)) throw Reject(otherwise);
  return static_cast<std::size_t>(k);
}

enum class SymbolKind { dimension, variable, quotient, remainder };
struct SymbolInfo {
  SymbolKind kind;
  std::string name;     ///< dimension
  Index range;          ///< variable: values 0 .. range-1; ranges mention dimensions only
  int height = -1;      ///< canonical variables: height of the monomial that binds them; -1 for fresh ones
  int position = 0;     ///< canonical variables: place among the variables of that monomial
  Index numerator, denominator;
  int least = 1;            ///< dimension: its least value; 0 for ranks
};

enum class AtomKind {
  entry,     ///< tensor[indices]
  size,      ///< a symbol as a number
  equal,     ///< 1 where indices[0] == 0, else 0
  at_least,  ///< 1 where indices[0] >= 0, else 0
  apply,     ///< function(body)
  base,      ///< body itself, as the base of a power that cannot be multiplied out
  maximum,   ///< largest body over variables[0]
  inverse,   ///< entry indices of the inverse of the matrix body(variables[0], variables[1])
  determinant,  ///< of that matrix
  left_factor,  ///< entry indices[0], indices[1] of L, where L [n, p] R [p, m] is a factorization of that matrix whenever its rank
  right_factor, ///< indices[3] is at most p = indices[2]; and of R
};
inline bool is_comparison(AtomKind kind) { return kind == AtomKind::equal || kind == AtomKind::at_least; }
struct Atom {
  AtomKind kind;
  int name = 0;  ///< tensor number or function
  using Indices = expr::SmallVector<Index, 2>;
  Indices indices;
  expr::SmallVector<Symbol, 2> variables;
  PolyId body = -1;
  friend auto operator<=>(const Atom&, const Atom&) = default;
  friend bool operator==(const Atom&, const Atom&) = default;
};
struct Factor {
  AtomId atom;
  Rational exponent;
  friend auto operator<=>(const Factor&, const Factor&) = default;
  friend bool operator==(const Factor&, const Factor&) = default;
};
/// coefficient * sum over variables of the product of factors
struct Monomial {
  using Variables = expr::SmallVector<Symbol, 4>;
  Variables variables;                   ///< sorted
  expr::SmallVector<Factor, 4> factors;  ///< sorted by atom, no atom twice, no exponent zero
  Rational coefficient = 1;
};
/// A sum of monomials, sorted, none twice.
using Poly = std::vector<Monomial>;

/// What is known of a tensor of the claim.
struct Tensor {
  std::string name;
  std::vector<Index> shape;
  bool positive = false, nonnegative = false, nonzero = false, zero_one = false;
  bool row_one_hot = false, column_one_hot = false;  ///< exactly one 1 in every row, column
  bool symmetric = false;
  bool orthogonal = false;
  bool negated = false;  ///< it stands for -X where X <= 0 is assumed of the variable X
  bool is_sign = false;  ///< it stands for (1 + X)/2, a 0/1 tensor, where X * X == 1 is assumed of the variable X
};

/// Each value stored once, under a number; equal values have the same. A reference to a value lasts until the next one comes.
template <class T>
class Interned {
 public:
  Interned() = default;
  Interned(const Interned&) = delete;
  Interned& operator=(const Interned&) = delete;
  /// The number, and whether it is new.
  std::pair<std::int32_t, bool> intern(T value) {
    const auto at = numbers_.lower_bound(value);
    if (at != numbers_.end() && values_[static_cast<std::size_t>(*at)] == value) return {*at, false};
    const auto number = static_cast<std::int32_t>(values_.size());
    values_.push_back(std::move(value));
    numbers_.emplace_hint(at, number);
    return {number, true};
  }
  const T& operator[](std::int32_t number) const { return values_[static_cast<std::size_t>(number)]; }
  std::size_t size() const { return values_.size(); }
  void pop_back() {
    numbers_.erase(static_cast<std::int32_t>(values_.size() - 1));
    values_.pop_back();
  }

 private:
  struct Before {
    using is_transparent = void;
    const std::vector<T>& values;
    const T& value(std::int32_t number) const { return values[static_cast<std::size_t>(number)]; }
    bool operator()(std::int32_t a, std::int32_t b) const { return value(a) < value(b); }
    bool operator()(std::int32_t a, const T& b) const { return value(a) < b; }
    bool operator()(const T& a, std::int32_t b) const { return a < value(b); }
  };
  std::vector<T> values_;
  std::set<std::int32_t, Before> numbers_{Before{values_}};
};

class Arena {
 public:
  // ---- symbols ----
  Symbol dimension(const std::string& name);
  /// Throws Reject when the range varies with an index: no law looks for indices in ranges.
  Symbol fresh(const Index& range);
  /// What e is at most over the values of its indices. Throws Reject unless it grows or falls along each of them.
  Index largest(Index e) const;
  Symbol canonical(int height, int position, const Index& range);
  const SymbolInfo& symbol(Symbol s) const { return symbols_[static_cast<std::size_t>(s)]; }
  Index index(const expr::Dim& d, const std::map<std::string, Index>& bound);
  /// e with n * (a // n) + a % n, and multiples of that, written as a.
  Index rejoined(Index e) const;
  Index quotient(const Index& whole, const Index& b);
  Index remainder(const Index& a, const Index& b);
  /// True when e >= 0 for all values of the index variables in their ranges and all sizes >= 1. False: not known.
  bool nonnegative(const Index& e) const;
  bool positive(const Index& e) const { return nonnegative(e - Index(1)); }

  // ---- tensors ----
  int tensor(const Tensor& t);
  const Tensor& tensor(int number) const { return tensors_[static_cast<std::size_t>(number)]; }
  Tensor& tensor(int number) { return tensors_[static_cast<std::size_t>(number)]; }
  std::size_t tensor_count() const { return tensors_.size(); }
  bool any_symmetric() const { return std::any_of(tensors_.begin(), tensors_.end(), [](const Tensor& t) { return t.symmetric; }); }

  // ---- atoms and polynomials ----
  AtomId intern(Atom a);
  PolyId intern(Poly p);
  const Atom& atom(AtomId a) const { return atoms_[a]; }
  const Poly& poly(PolyId p) const { return polys_[p]; }
  bool zero_one(AtomId a) const;
  int height(AtomId a) const;
  int height(const Monomial& m) const;
  const std::vector<Symbol>& free_variables(AtomId a) const { return atom_facts_[static_cast<std::size_t>(a)].variables; }
  bool mentions(AtomId a, Symbol v) const;  ///< freely: occurrences that a body binds do not count
  bool mentions(const Index& e, Symbol v) const;
  bool mentions_rank(const Index& e) const;  ///< a size that may be 0
  /// Whether a sum over `range` may be split at `point`: both parts are over something, or over a rank, which may be 0.
  bool splits(const Index& point, const Index& range) const { return is_size(point) && is_size(range - point); }
  /// At least 1, or a rank, which may be 0.
  bool is_size(const Index& x) const { return positive(x) || (mentions_rank(x) && nonnegative(x)); }
  bool mentions(const Monomial& m, Symbol v) const;  ///< in the factors
  /// Whether m sums over a variable that the atom mentions.
  bool binds(const Monomial& m, AtomId a) const { return std::any_of(m.variables.begin(), m.variables.end(), [&](Symbol v) { return mentions(a, v); }); }

  // ---- arithmetic; results are flat and collected ----
  Poly constant(const Rational& q) const;
  Poly of(AtomId a, const Rational& exponent = 1);
  std::optional<AtomId> sole_atom(const Poly& p) const;  ///< the atom that p is, when it is just one
  Poly number(const Index& e);  ///< an index or size as a number
  Poly add(const Poly& a, const Poly& b) const;
  Poly multiply(const Poly& a, const Poly& b);
  Poly scale(Poly a, const Rational& q) const;
  Poly power(const Poly& a, const Rational& q);
  Poly apply(expr::Function f, const Poly& a, const Rational& exponent = 1);
  Poly equal(const Index& e);
  Poly at_least(const Index& e);
  Poly sum(Symbol v, Poly a) const;  ///< binds v in every monomial
  /// Sorts, merges equal monomials, drops zeros.
  Poly collect(Poly p) const;
  /// Multiplies one factor into a monomial.
  void multiply_in(Monomial& m, AtomId a, const Rational& exponent) const;
  /// Divides m by what stands in it: p without a factor p is 1, also where p is 0.
  void take_out(Monomial& m, AtomId a, const Rational& exponent) const;

  using Substitution = std::map<Symbol, Index>;
  Index substitute(const Index& e, const Substitution& s);
  AtomId substitute(AtomId a, const Substitution& s);
  Poly substitute(const Poly& p, const Substitution& s);
  /// Replaces in the factors; bound variables of m itself are left alone.
  Monomial substitute(const Monomial& m, const Substitution& s);
  /// The same polynomial with fresh bound variables.
  Poly freshen(const Poly& p);
  /// The same where p has canonical names: these are then free for what is within.
  Poly with_own_names(const Poly& p);

  // ---- signs, for all values of everything ----
  // Up to `masks` comparisons and masks are taken both ways.
  bool is_nonnegative(const Poly& p, int masks = 4) const;
  bool is_positive(const Poly& p, int masks = 4) const;
  bool is_nonnegative(AtomId a) const;
  bool is_positive(AtomId a) const;
  bool is_nonzero(AtomId a) const;
  /// Whether p is 0 or 1 at every value that its comparisons and masks, which are all that it is made of, can have together.
  bool is_zero_one(const Poly& p) const;
  /// Whether it has a value for all values of everything, also where no entry of the claim needs it. False: not known.
  bool has_value(const Poly& p) const;
  // Entries beyond the ends of a tensor have the value at the nearest end, and 0 when it is one-hot.
  /// p where e >= 0: entries that lie beyond an end there are read at that end, comparisons that hold there are 1.
  Poly clamped(const Poly& p, const Index& e);
  /// Whether p has, wherever e >= 0, the value that it has at some place where e is -1.
  bool repeats(const Poly& p, const Index& e);
  /// Whether p, an entry of a part of a tensor, has a value also where e >= 0, which is beyond that part. False: not known.
  bool has_value_beyond(const Poly& p, const Index& e, bool some);
  bool has_value(AtomId a) const;
  bool has_value(const Factor& f) const;
  /// Whether something of all this is left out in places: by a comparison, by a mask, or in a sum over a rank, which may be 0.
  bool leaves_out() const;
  /// That the sides have values says that the atom is zero for no values of its variables, because they divide by it.
  void note_divisor(AtomId a) { atom_facts_[static_cast<std::size_t>(a)].divides = true; }
  bool is_divisor(AtomId a) const { return atom_facts_[static_cast<std::size_t>(a)].divides; }
  /// Whether the atom is sin, cos or Phi, or the absolute value of one: between -1 and 1.
  bool is_within_one(AtomId a) const;
  /// Whether minus infinity may occur in the atom: exp of it may be 0.
  bool is_infinite(AtomId a) const { return atom_facts_[static_cast<std::size_t>(a)].infinite; }
  /// Whether p may be infinite itself: minus infinity elsewhere than as a whole term under exp.
  bool is_infinite(const Poly& p) const;
  /// The factor of t that is minus infinity unless a mask holds, when t is that times positive numbers; otherwise nullptr.
  const Factor* minus_infinity(const Monomial& t) const;
  /// low <= x <= high in units of 2^-36.
  struct Bounds { std::int64_t low = 0, high = 0; };
  /// Of a number that is made of exp, log, powers and fractions; nothing when p is none. Throws LimitReached when they do not fit.
  std::optional<Bounds> bounds(const Poly& p) const;
  /// p without the positive factors that all its terms share: zero exactly where p is.
  Poly primitive(const Poly& p) const;

  /// A point to which rollback() returns, forgetting everything interned since. Lets an author of certificates try a step.
  struct Mark {
    std::size_t symbols, atoms, polys;
  };
  Mark mark() const { return {symbols_.size(), atoms_.size(), polys_.size()}; }
  void rollback(const Mark& mark);

  /// Bound on the number of monomials of one product.
  std::size_t limit = 20000;
  /// Terms whose signs were asked for. Decides nothing: who asks often counts them as work.
  mutable std::size_t terms_asked = 0;
  /// Atoms that were asked for, new ones or not: how long what is unfolded has taken.
  std::size_t looked_up = 0;

 private:
  struct AtomFacts {
    int height = 0;         ///< binders within each other
    bool infinite = false;  ///< minus infinity may occur
    bool unbounded = false;  ///< it may be infinite itself
    bool divides = false;   ///< see note_divisor()
    std::vector<Symbol> variables = {};  ///< free ones, sorted
    mutable std::optional<Bounds> logarithm = {};  ///< of the body, once it was asked for: it takes forty exponentials
  };
  bool may_be_infinite(const Atom& a) const;
  std::pair<Index, Index> divide(const Index& a, const Index& b) const;
  void add_variables(const Index& e, std::vector<Symbol>& found) const;
  std::vector<Symbol> find_free_variables(const Atom& a) const;
  bool nonnegative(const Index& e, int depth) const;
  bool monomial_sign(const Monomial& m, bool strict) const;
  bool lies_between(const Poly& p, bool strict) const;
  bool has_sign(const Poly& p, bool strict, int masks) const;
  bool has_sign(const Poly& p, bool strict, int masks, int& tries) const;
  std::optional<Poly> without_growth(const Poly& p) const;
  std::optional<Bounds> bounds(const Factor& f) const;
  /// p with such numbers among the factors of what is never negative replaced by fractions that are no larger; nothing when there are none.
  std::optional<Poly> with_least_numbers(const Poly& p) const;
  bool holds_somewhere(const Monomial& m) const;
  bool is_number_somewhere(const Atom& maximum) const;
  /// Whether nothing is known that keeps the comparisons or masks x and y from being so together.
  bool is_possible(AtomId x, bool x_holds, AtomId y, bool y_holds) const;
  std::optional<std::pair<Poly, Poly>> either_way(const Poly& p) const;

  std::vector<SymbolInfo> symbols_;
  std::map<std::string, Symbol> dimensions_;
  std::map<std::pair<std::pair<int, int>, Index>, Symbol> canonical_;
  std::map<std::pair<std::pair<Index, Index>, bool>, Symbol> divisions_;
  std::vector<Tensor> tensors_;
  Interned<Atom> atoms_;
  std::vector<AtomFacts> atom_facts_;  ///< of each atom
  Interned<Poly> polys_;
};

inline bool is_function(const Atom& a, expr::Function f) { return a.kind == AtomKind::apply && a.name == static_cast<int>(f); }

/// The summands of a that b divides, alone or as many together as b has, divided by b.
Index whole_part(const Index& a, const Index& b);

bool operator<(const Monomial& a, const Monomial& b);
bool operator==(const Monomial& a, const Monomial& b);
/// Equal but for the coefficient.
bool alike(const Monomial& a, const Monomial& b);

}  // namespace foldproof::kernel
