// SPDX-License-Identifier: MIT
// Laws of functions of whole matrices: inverses, determinants, rank factors. Part of the trusted base.
#include <algorithm>
#include <numeric>

#include "kernel/rewrite.hpp"

namespace foldproof::kernel {

/// inv(M)[i, v] M[v, j] summed over v is (i == j); side 1: M[i, v] inv(M)[v, j]. Where M is invertible.
Monomials Rewrite::inverse() {
  const Atom a = inverse_atom(false);
  const bool left = arg(2) == 0;
  const Index n = arena_.symbol(a.variables[0]).range;
  const Symbol inner = arena_.fresh(n), i = arena_.fresh(n), j = arena_.fresh(n);
  Atom inv = a;
  inv.indices = left ? Atom::Indices{Index::symbol(i), Index::symbol(inner)} : Atom::Indices{Index::symbol(inner), Index::symbol(j)};
  const Index row = left ? Index::symbol(inner) : Index::symbol(i), column = left ? Index::symbol(j) : Index::symbol(inner);
  const Poly matrix = arena_.substitute(arena_.freshen(body(a)), {{a.variables[0], row}, {a.variables[1], column}});
  const Poly product = arena_.sum(inner, arena_.multiply(arena_.of(arena_.intern(inv)), matrix));
  const Poly equation = arena_.add(product, arena_.scale(arena_.equal(Index::symbol(i) - Index::symbol(j)), -1));
  return use_equation(equation, position(arg(1), equation.size(), "inverse: no such term"), 3, {i, j}, {});
}

/// The inverse of (u == v) d(u) is (i == j) / d(i), where every d(i) is not zero.
Monomials Rewrite::inverse_diagonal() {
  const Atom a = inverse_atom(false);
  require(inside(a), "inverse-diagonal: the entry is not known to lie in the matrix");
  const Symbol u = a.variables[0], v = a.variables[1];
  const Index difference = Index::symbol(u) - Index::symbol(v);
  const AtomId delta = *arena_.sole_atom(arena_.equal(difference));
  Poly diagonal;
  for (Monomial t : Poly(body(a))) {
    const auto at = std::find_if(t.factors.begin(), t.factors.end(), [&](const Factor& x) { return x.atom == delta; });
    require(at != t.factors.end(), "inverse-diagonal: the matrix is not diagonal");
    t.factors.erase(at);
    diagonal.push_back(arena_.substitute(t, {{v, Index::symbol(u)}}));
  }
  const Poly d = arena_.substitute(arena_.freshen(arena_.collect(diagonal)), {{u, a.indices[0]}});
  require(!d.empty(), "inverse-diagonal: the matrix is zero");
  const Poly same = arena_.equal(a.indices[0] - a.indices[1]);
  return times(without({factor_position(0)}), arena_.multiply(same, arena_.power(d, -1)));
}

bool Rewrite::inside(const Atom& a) const { return in_range(a.indices[0], arena_.symbol(a.variables[0]).range) && in_range(a.indices[1], arena_.symbol(a.variables[1]).range); }

Atom Rewrite::inverse_atom(bool one_term) const {
  const Atom a = atom(0);
  require(a.kind == AtomKind::inverse && factor(0).exponent.is_one(), "the factor is no inverse");
  require(!one_term || arena_.poly(a.body).size() == 1, "the matrix under the inverse is a sum");
  return a;
}

Poly Rewrite::transposed(const Atom& a) {
  const Symbol u = a.variables[0], v = a.variables[1];
  return arena_.substitute(arena_.freshen(body(a)), {{u, Index::symbol(v)}, {v, Index::symbol(u)}});
}

Monomials Rewrite::inverse_transpose() {
  Atom a = inverse_atom(false);
  std::swap(a.indices[0], a.indices[1]);
  return times(without({factor_position(0)}), with_body(a, transposed(a)));
}

Rewrite::Product Rewrite::separate(const Monomial& t, const Atom& matrix, std::size_t first) {
  const auto named = std::span(step_.args).subspan(std::min(first, step_.args.size()));
  for (const std::int64_t f : named) require(f >= 0 && f < static_cast<std::int64_t>(t.factors.size()) && std::count(named.begin(), named.end(), f) == 1, "no such factor in the matrix, or named twice");
  Product r;
  for (std::size_t f = 0; f < t.factors.size(); ++f) (std::find(named.begin(), named.end(), static_cast<std::int64_t>(f)) != named.end() ? r.left : r.right).factors.push_back(t.factors[f]);
  require(!arena_.mentions(r.left, matrix.variables[1]) && !arena_.mentions(r.right, matrix.variables[0]), "the factors of the matrix do not separate");
  for (const Symbol w : t.variables) {
    const bool in_left = arena_.mentions(r.left, w), shared = in_left && arena_.mentions(r.right, w);
    require(!shared || r.inner < 0, "the factors of the matrix share a second variable");
    if (shared) r.inner = w;
    else bind(in_left ? r.left : r.right, w);
  }
  return r;
}

Rewrite::Product Rewrite::square_factors(const Atom& a, Rational& coefficient) {
  require(arena_.poly(a.body).size() == 1, "the matrix is a sum");
  const Monomial t = arena_.freshen(body(a))[0];
  const Product r = separate(t, a, 2);
  const Symbol inner = t.variables[position(arg(1), t.variables.size(), "no such variable in the matrix")];
  require(r.inner == inner && arena_.symbol(inner).range == arena_.symbol(a.variables[0]).range, "a factor of the matrix is not square");
  coefficient = t.coefficient;
  return r;
}

Monomials Rewrite::inverse_product() {
  const Atom a = inverse_atom(true);
  Rational coefficient;
  const Product p = square_factors(a, coefficient);
  const Symbol q = arena_.fresh(Index(arena_.symbol(a.variables[0]).range));
  const Poly left = with_body(Atom{AtomKind::inverse, 0, {Index::symbol(q), a.indices[1]}, {a.variables[0], p.inner}, -1}, {p.left});
  const Poly right = with_body(Atom{AtomKind::inverse, 0, {a.indices[0], Index::symbol(q)}, {p.inner, a.variables[1]}, -1}, {p.right});
  return times(without({factor_position(0)}), arena_.sum(q, arena_.scale(arena_.multiply(right, left), Rational(1) / coefficient)));
}

Monomials Rewrite::inverse_scale() {
  Atom a = inverse_atom(true);
  Monomial t = arena_.freshen(body(a))[0];
  const Symbol u = a.variables[0], v = a.variables[1];
  Poly scale;
  if (arg(1) < 0) {
    require(!t.coefficient.is_one(), "inverse-scale: the coefficient is 1");
    scale = arena_.constant(Rational(1) / t.coefficient);
    t.coefficient = 1;
  } else {
    const Factor d = t.factors[position(arg(1), t.factors.size(), "inverse-scale: no such factor")];
    t.factors.erase(t.factors.begin() + arg(1));
    for (const Symbol w : t.variables) require(!arena_.mentions(d.atom, w), "inverse-scale: the factor is summed");
    const bool row = arena_.mentions(d.atom, u), column = arena_.mentions(d.atom, v);
    require(!(row && column), "inverse-scale: the factor depends on row and column");
    const AtomId moved = row ? arena_.substitute(d.atom, {{u, a.indices[1]}}) : arena_.substitute(d.atom, {{v, a.indices[0]}});
    scale = arena_.of(moved, -d.exponent);
  }
  return times(without({factor_position(0)}), arena_.multiply(scale, with_body(a, {t})));
}

/// The matrix under a as the inverse, or where `or_turned` its transpose, of a whole matrix. A part of an inverse, as inv(M)[:1, :1], is no
/// inverse.
Atom Rewrite::inverse_under(const Atom& a, bool or_turned) const {
  const auto sole = arena_.sole_atom(body(a));
  require(sole.has_value(), "the matrix is no inverse");
  const Atom inner = arena_.atom(*sole);
  const Index u = Index::symbol(a.variables[0]), v = Index::symbol(a.variables[1]);
  const bool whole_entry = inner.indices == Atom::Indices{u, v} || (or_turned && inner.indices == Atom::Indices{v, u});
  require(inner.kind == AtomKind::inverse && whole_entry, "the matrix is no inverse");
  require(arena_.symbol(inner.variables[0]).range == arena_.symbol(a.variables[0]).range, "the matrix is a part of an inverse");
  Atom whole = inner;
  whole.indices = {Index(0), Index(0)};
  const AtomId id = arena_.intern(whole);
  require(!arena_.mentions(id, a.variables[0]) && !arena_.mentions(id, a.variables[1]), "the inner matrix varies with the entry");
  return inner;
}

Monomials Rewrite::inverse_inverse() {
  const Atom a = inverse_atom(true);
  const Atom inner = inverse_under(a, true);
  const bool turned = inner.indices[0] == Index::symbol(a.variables[1]);  // inv(inv(M).T) = M.T
  require(inside(a), "inverse-inverse: the entry is not known to lie in the matrix");
  const Poly matrix = arena_.substitute(arena_.freshen(body(inner)), {{inner.variables[0], a.indices[turned ? 1 : 0]}, {inner.variables[1], a.indices[turned ? 0 : 1]}});
  return times(without({factor_position(0)}), matrix);
}

std::optional<bool> Rewrite::orthogonal_entry(const Atom& a) const {
  const auto sole = arena_.sole_atom(body(a));
  if (!sole) return std::nullopt;
  const Atom& entry = arena_.atom(*sole);
  if (entry.kind != AtomKind::entry || !arena_.tensor(entry.name).orthogonal) return std::nullopt;
  const std::size_t rank = entry.indices.size();
  for (std::size_t k = 0; k + 2 < rank; ++k) {
    if (arena_.mentions(entry.indices[k], a.variables[0]) || arena_.mentions(entry.indices[k], a.variables[1])) return std::nullopt;
  }
  const Index u = Index::symbol(a.variables[0]), v = Index::symbol(a.variables[1]);
  if (arena_.tensor(entry.name).shape[rank - 1] != arena_.symbol(a.variables[0]).range) return std::nullopt;
  if (entry.indices[rank - 2] == u && entry.indices[rank - 1] == v) return false;
  if (entry.indices[rank - 2] == v && entry.indices[rank - 1] == u) return true;
  return std::nullopt;
}

Monomials Rewrite::inverse_orthogonal() {
  const Atom a = inverse_atom(true);
  const auto turned = orthogonal_entry(a);
  require(turned.has_value(), "inverse-orthogonal: the matrix is not known to be orthogonal");
  require(inside(a), "inverse-orthogonal: the entry is not known to lie in the matrix");
  Atom entry = arena_.atom(body(a)[0].factors[0].atom);
  const std::size_t rank = entry.indices.size();
  entry.indices[rank - 2] = a.indices[*turned ? 0 : 1];
  entry.indices[rank - 1] = a.indices[*turned ? 1 : 0];
  return times(without({factor_position(0)}), arena_.of(arena_.intern(entry)));
}

Atom Rewrite::determinant_atom() const {
  const Atom a = atom(0);
  require(a.kind == AtomKind::determinant, "the factor is no determinant");
  return a;
}

Monomials Rewrite::determinant_product() {
  const Atom a = determinant_atom();
  Rational coefficient;
  const Product p = square_factors(a, coefficient);
  require(coefficient.is_one(), "determinant-product: the product has a coefficient");
  const Poly left = with_body(Atom{AtomKind::determinant, 0, {}, {a.variables[0], p.inner}, -1}, {p.left}, factor(0).exponent);
  return times(without({factor_position(0)}), arena_.multiply(left, with_body(Atom{AtomKind::determinant, 0, {}, {p.inner, a.variables[1]}, -1}, {p.right}, factor(0).exponent)));
}

Monomials Rewrite::determinant_transpose() {
  const Atom a = determinant_atom();
  return times(without({factor_position(0)}), with_body(a, transposed(a), factor(0).exponent));
}

Monomials Rewrite::determinant_inverse() {
  Atom a = determinant_atom();
  const Atom inner = inverse_under(a, false);
  a.variables = inner.variables;
  return times(without({factor_position(0)}), with_body(a, body(inner), -factor(0).exponent));
}

Monomials Rewrite::determinant_identity() {
  const Atom a = determinant_atom();
  require(body(a) == arena_.equal(Index::symbol(a.variables[0]) - Index::symbol(a.variables[1])), "determinant-identity: the matrix is not the identity");
  return {without({factor_position(0)})};
}

Monomials Rewrite::determinant_orthogonal() {
  const Atom a = determinant_atom();
  require(orthogonal_entry(a).has_value(), "determinant-orthogonal: the matrix is not known to be orthogonal");
  const Rational q = factor(0).exponent;
  require(q.is_integer() && (q >= Rational(2) || q < Rational(0)), "determinant-orthogonal: no square of a determinant");
  return times(without({factor_position(0)}), q.num() % 2 != 0 ? arena_.of(factor(0).atom) : arena_.constant(1));
}

Monomials Rewrite::determinant_exchange() {
  const Atom a = determinant_atom();
  const Symbol u = a.variables[0], v = a.variables[1];
  Poly p = arena_.freshen(body(a));
  const Poly identity = arena_.equal(Index::symbol(u) - Index::symbol(v));
  const auto one = std::find(p.begin(), p.end(), identity[0]);
  require(p.size() == 2 && one != p.end(), "determinant-exchange: the matrix is not the identity plus one term");
  p.erase(one);
  Product factors = separate(p[0], a, 1);
  factors.right.coefficient = p[0].coefficient;
  // sum over u of B(w, u) A(u, z): what was the inner variable becomes the row of B, and z the column of A.
  const Symbol inner = arena_.fresh(Index(arena_.symbol(u).range));
  const Monomial left = replace(factors.left, u, Index::symbol(inner)), right = replace(factors.right, v, Index::symbol(inner));
  if (factors.inner < 0) return times(without({factor_position(0)}), arena_.power(arena_.add(arena_.constant(1), arena_.sum(inner, arena_.multiply({right}, {left}))), factor(0).exponent));
  const Symbol row = arena_.fresh(Index(arena_.symbol(factors.inner).range)), column = arena_.fresh(Index(arena_.symbol(factors.inner).range));
  require(arena_.positive(arena_.symbol(row).range), "determinant-exchange: the inner size may be 0");
  const Poly product = arena_.sum(inner, arena_.multiply({replace(right, factors.inner, Index::symbol(row))}, {replace(left, factors.inner, Index::symbol(column))}));
  const Poly exchanged = arena_.add(arena_.equal(Index::symbol(row) - Index::symbol(column)), product);
  return times(without({factor_position(0)}), arena_.of(arena_.intern(Atom{AtomKind::determinant, 0, {}, {row, column}, arena_.intern(exchanged)}), factor(0).exponent));
}

Monomials Rewrite::determinant_expand() {
  const Atom a = determinant_atom();
  const auto size = arena_.symbol(a.variables[0]).range.constant();
  require(size && *size >= 1 && *size <= 3, "determinant-expand: no determinant of at most 3 x 3 entries");
  std::vector<std::int64_t> column(static_cast<std::size_t>(*size));
  std::iota(column.begin(), column.end(), 0);
  Poly sum;
  do {
    std::int64_t exchanges = 0;
    Poly product = arena_.constant(1);
    for (std::size_t i = 0; i < column.size(); ++i) {
      exchanges += std::count_if(column.begin(), column.begin() + static_cast<std::ptrdiff_t>(i), [&](std::int64_t j) { return j > column[i]; });
      product = arena_.multiply(product, arena_.substitute(arena_.freshen(body(a)), {{a.variables[0], Index(static_cast<std::int64_t>(i))}, {a.variables[1], Index(column[i])}}));
    }
    sum = arena_.add(sum, arena_.scale(product, exchanges % 2 == 0 ? 1 : -1));
  } while (std::next_permutation(column.begin(), column.end()));
  return times(without({factor_position(0)}), arena_.power(sum, factor(0).exponent));
}

/// A bound of the rank of a matrix with rows u and columns v: the inner size of each term as the product of the factors that mention u and
/// the others. Nothing where a factor depends on both.
std::optional<Index> Rewrite::inner_size(const Poly& matrix, Symbol u, Symbol v) const {
  Index total(0);
  for (const Monomial& t : matrix) {
    Index inner(1);
    for (const Symbol w : t.variables) {
      bool inside = false, outside = false;
      for (const Factor& f : t.factors) {
        if (arena_.mentions(f.atom, w)) (arena_.mentions(f.atom, u) ? inside : outside) = true;
      }
      if (inside && outside) inner = inner * arena_.symbol(w).range;
    }
    if (std::any_of(t.factors.begin(), t.factors.end(), [&](const Factor& f) { return arena_.mentions(f.atom, u) && arena_.mentions(f.atom, v); })) return std::nullopt;
    total = total + inner;
  }
  return total;
}

Monomials Rewrite::factorize() {
  const Atom l = atom(0), r = atom(1);
  require(l.kind == AtomKind::left_factor && r.kind == AtomKind::right_factor && factor(0).exponent.is_one() && factor(1).exponent.is_one(), "factorize: a left and a right factor are needed");
  require(l.body == r.body && l.variables == r.variables && l.indices[2] == r.indices[2], "factorize: the factors are of different matrices");
  const auto v = l.indices[1].as_symbol();
  const Index p = l.indices[2];
  const bool single = p.is_one() && l.indices[1].is_zero() && r.indices[0].is_zero();  // a column times a row
  require(single || (v && r.indices[0] == l.indices[1] && std::find(m_.variables.begin(), m_.variables.end(), *v) != m_.variables.end()), "factorize: the inner index is not summed");
  Monomial rest = without({factor_position(0), factor_position(1)});
  require(single || (!arena_.mentions(rest, *v) && !arena_.mentions(l.indices[0], *v) && !arena_.mentions(r.indices[1], *v)), "factorize: the inner index occurs elsewhere");
  const Index rows = arena_.symbol(l.variables[0]).range, columns = arena_.symbol(l.variables[1]).range;
  require(single || arena_.symbol(*v).range == p, "factorize: the sum does not run over the inner size");
  bool wide = at_most(theory_, rows, p) || at_most(theory_, columns, p) || at_most(theory_, l.indices[3], p) || at_most(theory_, r.indices[3], p);
  for (const auto& inner : {inner_size(body(l), l.variables[0], l.variables[1]), inner_size(body(l), l.variables[1], l.variables[0])}) wide = wide || (inner && at_most(theory_, *inner, p));
  require(wide, "factorize: the inner size is not known to be at least the rank");
  require(in_range(l.indices[0], rows) && in_range(r.indices[1], columns), "factorize: the entry is not known to lie in the matrix");
  if (!single) unbind(rest, *v);
  return times(rest, arena_.substitute(arena_.freshen(body(l)), {{l.variables[0], l.indices[0]}, {l.variables[1], r.indices[1]}}));
}

}  // namespace foldproof::kernel
