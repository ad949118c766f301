// SPDX-License-Identifier: MIT
// Laws of tensors of which something is assumed: one-hot, symmetric. Part of the trusted base.
#include <algorithm>

#include "kernel/rewrite.hpp"

namespace foldproof::kernel {

std::optional<std::size_t> Rewrite::one_hot_axis(const Atom& a, bool rows) const {
  if (a.kind != AtomKind::entry || a.indices.size() < 2) return std::nullopt;
  const Tensor& t = arena_.tensor(a.name);
  return (rows ? t.row_one_hot : t.column_one_hot) ? std::optional(a.indices.size() - (rows ? 1 : 2)) : std::nullopt;
}

bool Rewrite::names_a_row(const Atom& a, std::size_t axis) const {
  bool all = true;
  for (std::size_t k = 0; k < a.indices.size(); ++k) all = all && (k == axis || in_range(a.indices[k], arena_.tensor(a.name).shape[k]));
  return all;
}

Monomials Rewrite::one_hot() {  // T[i, v] T[i, w] = (v == w) T[i, v]
  const Atom a = atom(0), b = atom(1);
  require(factor_position(0) != factor_position(1) && a.kind == AtomKind::entry && b.kind == AtomKind::entry && a.name == b.name, "one-hot: two entries of one tensor are needed");
  for (const bool rows : {true, false}) {
    const auto axis = one_hot_axis(a, rows);
    bool same = axis.has_value();
    for (std::size_t k = 0; k < a.indices.size(); ++k) same = same && (k == *axis || a.indices[k] == b.indices[k]);
    if (!same) continue;
    return times(without({factor_position(1)}), arena_.equal(a.indices[*axis] - b.indices[*axis]));
  }
  throw Reject("one-hot: the entries do not lie in one row or column");
}

Monomials Rewrite::one_hot_sum() {
  const Atom a = atom(0);
  const Symbol v = variable(1);
  for (const bool rows : {true, false}) {
    const auto axis = one_hot_axis(a, rows);
    if (!axis || a.indices[*axis] != Index::symbol(v)) continue;
    Monomial rest = without({factor_position(0)});
    bool only = !arena_.mentions(rest, v);
    for (std::size_t k = 0; k < a.indices.size(); ++k) only = only && (k == *axis || !arena_.mentions(a.indices[k], v));
    require(only && arena_.tensor(a.name).shape[*axis] == arena_.symbol(v).range, "one-hot-sum: the variable occurs elsewhere");
    require(names_a_row(a, *axis), "one-hot-sum: the row is not known to be one of the tensor");
    unbind(rest, v);
    return {rest};
  }
  throw Reject("one-hot-sum: no row or column of a one-hot tensor");
}

/// F(sum over v of T[.., v, ..] g(v)) = sum over v of T[.., v, ..] F(g(v)) for any function F of one number, and for the largest
/// over other variables; the largest over u of (sum over v of T[u, v] g(v)) = the largest g for a permutation T.
Monomials Rewrite::select() {
  const Factor f = factor(0);
  const Atom a = arena_.atom(f.atom);
  const bool largest = a.kind == AtomKind::maximum;
  require((a.kind == AtomKind::apply || a.kind == AtomKind::base || largest) && a.body >= 0 && !body(a).empty(), "select: the factor has no body");
  const Poly p = body(a);
  require(step_.args.size() == p.size() + 1, "select: a number is needed for each term");
  std::optional<Atom> chosen;
  std::size_t axis = 0;
  Symbol v = -1;
  Poly inner;
  for (std::size_t k = 0; k < p.size(); ++k) {
    if (arg(k + 1) < 0) continue;
    const Factor& entry = p[k].factors[position(arg(k + 1), p[k].factors.size(), "select: no such factor in a term")];
    const Atom t = arena_.atom(entry.atom);
    require(entry.exponent.is_one(), "select: a power of an entry");
    bool found = false;
    for (const bool rows : {true, false}) {
      const auto place = found ? std::nullopt : one_hot_axis(t, rows);
      if (!place) continue;
      const std::size_t where = *place;
      const auto bound = t.indices[where].as_symbol();
      if (!bound || std::find(p[k].variables.begin(), p[k].variables.end(), *bound) == p[k].variables.end()) continue;
      Atom shape = t;
      shape.indices[where] = Index(0);
      const bool constant = std::none_of(p[k].variables.begin(), p[k].variables.end(), [&](Symbol w) { return std::any_of(shape.indices.begin(), shape.indices.end(), [&](const Index& e) { return arena_.mentions(e, w); }); });
      if (!constant || !names_a_row(t, where) || (chosen && (*chosen != shape || axis != where)) || arena_.tensor(t.name).shape[where] != arena_.symbol(*bound).range) continue;
      if (!chosen) v = arena_.fresh(Index(arena_.symbol(*bound).range));
      chosen = shape;
      axis = where;
      Monomial term = p[k];
      term.factors.erase(term.factors.begin() + arg(k + 1));
      unbind(term, *bound);
      inner.push_back(arena_.substitute(term, {{*bound, Index::symbol(v)}}));
      found = true;
    }
    require(found, "select: the entry is not of a one-hot tensor summed over its 1");
  }
  require(chosen.has_value(), "select: no term selects");
  for (std::size_t k = 0; k < p.size(); ++k) {  // terms that do not select are multiplied by the sum of T, which is 1
    if (arg(k + 1) < 0) inner.push_back(p[k]);
  }
  Atom selected = a;
  selected.body = arena_.intern(arena_.collect(inner));
  // An inequality may drop the T[v] that is 0 wherever sqrt(x[v]) has no value.
  require(!theory_.orders || largest || arena_.has_value({arena_.intern(Atom(selected)), f.exponent}), "select: what is not selected may have no value");
  Monomial rest = without({factor_position(0)});
  if (largest && std::any_of(chosen->indices.begin(), chosen->indices.end(), [&](const Index& e) { return arena_.mentions(e, a.variables[0]); })) {
    // The largest over all rows of a permutation: every w is selected by one of them.
    const Tensor& t = arena_.tensor(chosen->name);
    const std::size_t rows = axis == 0 ? 1 : 0;
    const bool each = t.row_one_hot && t.column_one_hot && t.shape.size() == 2 && t.shape[rows] == t.shape[axis] && t.shape[rows] == arena_.symbol(a.variables[0]).range;
    require(each && chosen->indices[rows] == Index::symbol(a.variables[0]), "select: the largest over some rows only");
    require(std::none_of(inner.begin(), inner.end(), [&](const Monomial& x) { return arena_.mentions(x, a.variables[0]); }), "select: what is selected varies with the row");
    selected.variables[0] = v;
    return times(rest, arena_.of(arena_.intern(selected), f.exponent));
  }
  chosen->indices[axis] = Index::symbol(v);
  arena_.multiply_in(rest, arena_.intern(*chosen), 1);
  bind(rest, v);
  return times(rest, arena_.of(arena_.intern(selected), f.exponent));
}

Monomials Rewrite::swap() {
  Atom a = atom(0);
  require(a.kind == AtomKind::entry && arena_.tensor(a.name).symmetric && a.indices.size() >= 2, "swap: the tensor is not known to be symmetric");
  std::swap(a.indices[a.indices.size() - 1], a.indices[a.indices.size() - 2]);
  return times(without({factor_position(0)}), arena_.of(arena_.intern(a), factor(0).exponent));
}

}  // namespace foldproof::kernel
