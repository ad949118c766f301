// SPDX-License-Identifier: MIT
#include "kernel/unfold.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "infer/is_operator.hpp"

namespace foldproof::kernel {
namespace {

void require_effort(const Arena& arena) {
  if (arena.looked_up > most_looked_up) throw expr::LimitReached("more than " + std::to_string(most_looked_up) + " functions and entries to unfold");
}

using infer::Term;
using infer::TermKind;

struct SymbolicValue {
  Arena* arena;
  Poly poly;
  friend SymbolicValue operator+(const SymbolicValue& a, const SymbolicValue& b) { return {a.arena, a.arena->add(a.poly, b.poly)}; }
  friend SymbolicValue operator-(const SymbolicValue& a, const SymbolicValue& b) { return {a.arena, a.arena->add(a.poly, a.arena->scale(b.poly, -1))}; }
  friend SymbolicValue operator*(const SymbolicValue& a, const SymbolicValue& b) { return {a.arena, a.arena->multiply(a.poly, b.poly)}; }
};

/// M where m is neginf(M), or a positive number times it, for a 0/1 mask M.
std::optional<Poly> mask_in(const Arena& arena, const Monomial& m) {
  const Factor* infinity = m.coefficient.sign() > 0 ? arena.minus_infinity(m) : nullptr;
  if (infinity == nullptr || !arena.is_zero_one(arena.poly(arena.atom(infinity->atom).body))) return std::nullopt;
  return arena.poly(arena.atom(infinity->atom).body);
}

/// The algebra of expr/operator.hpp on symbols.
class Symbolic {
 public:
  using Value = SymbolicValue;
  using Index = kernel::Index;
  using Operand = std::function<Value(int, std::span<const Index>)>;

  /// `evaluated`: the claim has a value only where this entry has one.
  Symbolic(Theory& theory, const std::map<std::string, Index>& bound, const expr::Shape& shape, bool evaluated, bool whole)
      : theory_(theory), arena_(theory.arena), bound_(bound), may_be_empty_(theory.unsure_parts > 0 || (theory.empty_sums > 0 && std::any_of(shape.begin(), shape.end(), expr::mentions_rank))), evaluated_(evaluated), whole_(whole) {}

  Index index(const expr::Dim& d) { return arena_.index(d, bound_); }
  Index quotient(const Index& a, const Index& b) { return arena_.quotient(a, b); }
  Index remainder(const Index& a, const Index& b) { return arena_.remainder(a, b); }
  Value number(const Rational& q) { return {&arena_, arena_.constant(q)}; }
  Value of(const Index& e) { return {&arena_, arena_.number(e)}; }
  Value equal(const Index& i, const Index& j) {
    if (arena_.positive(i - j) || arena_.positive(j - i)) return number(0);
    return {&arena_, arena_.equal(i - j)};
  }
  Value at_least(const Index& i, const Index& j) {
    if (arena_.nonnegative(i - j)) return number(1);
    if (arena_.positive(j - i)) return number(0);
    return {&arena_, arena_.at_least(i - j)};
  }
  template <class Then, class Otherwise>
  Value if_less(const Index& i, const Index& j, const Then& then, const Otherwise& otherwise) {
    if (arena_.positive(j - i)) return then();
    if (arena_.nonnegative(i - j)) return otherwise();
    const bool evaluated = std::exchange(evaluated_, false);  // one of the two
    const Value below = then();
    return chosen(i, j, below, otherwise(), whole_ || evaluated);
  }
  template <class Body>
  Value sum(const Index& count, const Body& body) {
    if (count.is_one()) return body(Index(0));
    const Index most = arena_.largest(count);  // of X[:i+1], whose length varies: all of it, and what is beyond times 0
    const int empty = arena_.positive(most) ? 0 : 1;
    const Index range = most != count && !arena_.positive(count) ? most + Index(1) : most;  // for j in range(i), of which i is at most n - 1: over n values, as other sums
    const Symbol v = arena_.fresh(range);
    const bool evaluated = std::exchange(evaluated_, evaluated_ && range == count && empty == 0);
    const bool some = arena_.positive(count) || at_most(theory_, 1, count), unsure = !some && range == count && !arena_.mentions_rank(count);  // operands with a rank among their sizes are computed anyway
    theory_.empty_sums += empty;
    theory_.unsure_parts += unsure ? 1 : 0;
    Value term = body(Index::symbol(v));
    theory_.empty_sums -= empty;
    theory_.unsure_parts -= unsure ? 1 : 0;
    evaluated_ = evaluated;
    if (range != count) {
      if (!arena_.has_value_beyond(term.poly, Index::symbol(v) - count, some && whole_)) throw Reject("a part may have no value beyond its end");
      term = term * at_least(count - Index(1), Index::symbol(v));
    }
    return {&arena_, arena_.sum(v, term.poly)};
  }
  template <class Body>
  Value maximum(const Index& count, const Body& body) {
    if (count.is_one()) return body(Index(0));
    const Index range = arena_.largest(count);  // of X[:i+1], whose length varies: all of it, and what is beyond is -inf
    const Symbol v = arena_.fresh(range);
    const bool evaluated = std::exchange(evaluated_, evaluated_ && range == count);
    Value entry = body(Index::symbol(v));
    evaluated_ = evaluated;
    if (range != count) {
      if (!arena_.positive(count)) throw Reject("a maximum that may be of nothing");
      if (!arena_.has_value_beyond(entry.poly, Index::symbol(v) - count, whole_)) throw Reject("a part may have no value beyond its end");
      const Value reached = at_least(count - Index(1), Index::symbol(v)), kept = mask_of(entry).value_or(number(1)) * reached;
      if (arena_.is_infinite(entry.poly)) throw Reject("a part is infinite in more than one way");
      entry = entry + Value{&arena_, arena_.apply(expr::Function::negative_infinity_unless, kept.poly)};
    }
    return {&arena_, arena_.of(arena_.intern(Atom{AtomKind::maximum, 0, {}, {v}, arena_.intern(entry.poly)}))};
  }
  template <class F>
  Value vanishing(const Value& v, const F& f) {
    Value finite = v;
    const auto mask = mask_of(finite);
    if (mask && mask->poly.size() > 1 && !arena_.has_value(finite.poly)) throw Reject("a mask that is a sum beside what may have no value");
    return mask ? f(finite) * *mask : f(v);
  }
  Value power(const Value& v, const Rational& q) {
    const Value result = checked(arena_.power(v.poly, q));
    if (evaluated_ && q.sign() < 0) arena_.note_divisor(result.poly[0].factors[0].atom);  // a power that is not multiplied out is one atom
    return result;
  }
  Value apply(expr::Function f, const Value& v) {
    if (f == expr::Function::abs && arena_.is_infinite(v.poly)) throw Reject("the absolute value of minus infinity");
    return checked(arena_.apply(f, v.poly));
  }
  /// Token numbers are positions, as in P[arange(n)], or a variable t; "t[i] == v" is then an entry of a 0/1 tensor with one 1 a row.
  Value token_is(const Value& token, const Index& v, const Index& vocabulary) {
    const bool whole = std::all_of(token.poly.begin(), token.poly.end(), [](const Monomial& m) { return m.coefficient.is_integer(); });
    if (const auto position = whole ? as_sizes(arena_, token.poly) : std::nullopt) {
      if (!arena_.nonnegative(*position) || !arena_.positive(vocabulary - *position)) throw Reject("a position may lie outside of the axis");  // there is no entry, or NumPy counts it from the end
      return equal(*position, v);
    }
    const auto sole = arena_.sole_atom(token.poly);
    if (!sole || arena_.atom(*sole).kind != AtomKind::entry) throw Reject("token numbers must be a variable");
    const Atom t = arena_.atom(*sole);
    Atom::Indices indices = t.indices;
    indices.push_back(v);
    auto [at, inserted] = theory_.one_hot.emplace(std::pair{t.name, vocabulary}, 0);
    if (inserted) {
      Tensor onehot;
      onehot.name = "onehot(" + arena_.tensor(t.name).name + ")";
      onehot.shape = arena_.tensor(t.name).shape;
      onehot.shape.push_back(vocabulary);
      onehot.zero_one = onehot.row_one_hot = true;
      // Every number 0 .. n-1 stands once in a permutation list: its 0/1 matrix is square with a single 1 a column, too.
      onehot.column_one_hot = theory_.permutation_lists.count(t.name) > 0 && onehot.shape.size() == 2 && onehot.shape[0] == vocabulary;
      at->second = arena_.tensor(onehot);
    }
    return {&arena_, arena_.of(arena_.intern(Atom{AtomKind::entry, at->second, indices, {}, -1}))};
  }
  Value matrix_function(expr::MatrixFunction f, int k, const Operand& operand, const expr::Call& call, std::span<const Index> at) {
    using expr::MatrixFunction;
    if (f == MatrixFunction::rank) return of(index(call.sizes[0]));
    const expr::Shape& shape = call.operands[static_cast<std::size_t>(k)];
    const Symbol u = arena_.fresh(index(shape[0]));
    const Symbol v = arena_.fresh(index(shape[1]));
    const Index place[] = {Index::symbol(u), Index::symbol(v)};
    const PolyId body = arena_.intern(operand(k, place).poly);
    Atom::Indices indices(at.begin(), at.end());
    AtomKind kind = f == MatrixFunction::inverse ? AtomKind::inverse : AtomKind::determinant;
    if (f == MatrixFunction::left_factor || f == MatrixFunction::right_factor) {
      kind = f == MatrixFunction::left_factor ? AtomKind::left_factor : AtomKind::right_factor;
      for (const expr::Dim& d : call.sizes) indices.push_back(index(d));
    }
    if (kind == AtomKind::inverse && theory_.unsure_parts > 0) throw Reject("a sum that may have no parts, of what may have no value");
    return {&arena_, arena_.of(arena_.intern(Atom{kind, 0, indices, {u, v}, body}))};
  }

 private:
  /// In a sum over a rank of 0 the claim asks for no entry of what has that rank as a size, so no law may rely on its value.
  Value checked(Poly p) {
    if (may_be_empty_ && !arena_.has_value(p)) throw Reject("a sum that may have no parts, of what may have no value");
    return {&arena_, std::move(p)};
  }

  /// Whether i is at least j somewhere.
  bool reaches(const Index& i, const Index& j) {
    try {
      return arena_.nonnegative(arena_.largest(i) - j);
    } catch (const Reject&) {  // what is largest is not known
      return false;
    }
  }
  /// `below` where i < j, `above` elsewhere.
  Value chosen(const Index& i, const Index& j, Value below, Value above, bool evaluated) {
    require_effort(arena_);
    const auto kept = mask_of(below), also = mask_of(above);
    // Each part also stands, times 0, for entries beyond its end, where the claim does not say that it has a value.
    if (!arena_.has_value_beyond(below.poly, i - j, evaluated && arena_.positive(j)) || !arena_.has_value_beyond(above.poly, j - i - Index(1), evaluated && reaches(i, j))) throw Reject("a part may have no value beyond its end");
    if (arena_.is_infinite(below.poly) || arena_.is_infinite(above.poly)) throw Reject("a part is infinite in more than one way");
    const Value reached{&arena_, arena_.at_least(i - j)};
    const Value finite = below + (named_alike(above, below) - below) * reached;
    if (!kept && !also) return finite;
    const Value all = number(1), mask = kept.value_or(all) + (also.value_or(all) - kept.value_or(all)) * reached;  // -inf times 0 is no number
    return finite + Value{&arena_, arena_.apply(expr::Function::negative_infinity_unless, mask.poly)};
  }
  /// The same number for terms that differ in nothing but their indices.
  std::size_t without_indices(const Monomial& m) const {
    std::size_t sum = m.factors.size();
    for (const Factor& f : m.factors) {
      const Atom& a = arena_.atom(f.atom);
      sum += (static_cast<std::size_t>(a.kind) * 1009 + static_cast<std::size_t>(a.name) + 1) * (static_cast<std::size_t>(f.exponent.num()) * 31 + static_cast<std::size_t>(f.exponent.den()));
    }
    return sum;
  }
  /// v, where a term of it is one of `other` with the bound variables of that, so that X[:p] @ W joined to X[p:] @ W is X @ W.
  Value named_alike(Value v, const Value& other) {
    std::vector<std::size_t> others;
    for (const Monomial& n : other.poly) others.push_back(without_indices(n));
    for (Monomial& m : v.poly) {
      if (m.variables.empty()) continue;  // it has no names
      const std::size_t own = without_indices(m);
      for (std::size_t t = 0; t < others.size(); ++t) {
        const Monomial& n = other.poly[t];
        if (own != others[t]) continue;
        const auto same_range = [&](Symbol a, Symbol b) { return arena_.symbol(a).range == arena_.symbol(b).range; };
        if (!std::equal(m.variables.begin(), m.variables.end(), n.variables.begin(), n.variables.end(), same_range)) continue;
        Arena::Substitution names;
        for (std::size_t k = 0; k < m.variables.size(); ++k) names[m.variables[k]] = Index::symbol(n.variables[k]);
        Monomial renamed = arena_.substitute(m, names);
        renamed.variables = n.variables;
        if (renamed.factors != n.factors) continue;
        m = std::move(renamed);
        break;
      }
    }
    v.poly = arena_.collect(std::move(v.poly));
    return v;
  }
  /// Takes the one summand neginf(M), or a positive number times it, out of v, if there is one and nothing else in v is infinite: M.
  std::optional<Value> mask_of(Value& v) const {
    const auto infinite = [&](const Monomial& m) { return arena_.is_infinite(Poly{m}); };
    const auto at = std::find_if(v.poly.begin(), v.poly.end(), infinite);
    if (at == v.poly.end() || std::count_if(v.poly.begin(), v.poly.end(), infinite) > 1) return std::nullopt;
    const auto mask = mask_in(arena_, *at);
    if (!mask) return std::nullopt;
    v.poly.erase(at);
    return Value{&arena_, *mask};
  }

  Theory& theory_;
  Arena& arena_;
  const std::map<std::string, Index>& bound_;
  bool may_be_empty_;
  bool evaluated_;
  bool whole_;  ///< every entry of the part is evaluated
};

std::vector<Index> sizes(Arena& arena, const expr::Shape& shape) {
  std::vector<Index> result;
  for (const auto& d : shape) result.push_back(arena.index(d, {}));
  return result;
}

/// Index 0 where the axis has size 1, a fresh parameter elsewhere.
std::vector<Index> parameters(Arena& arena, const expr::Shape& shape, std::vector<Symbol>& made) {
  std::vector<Index> at;
  for (const Index& size : sizes(arena, shape)) {
    if (size.is_one()) {
      at.push_back(0);
    } else {
      made.push_back(arena.fresh(size));
      at.push_back(Index::symbol(made.back()));
    }
  }
  return at;
}

/// -inf unless M, twice or next to -inf unless N, is -inf unless M N.
Poly with_one_infinity(Arena& arena, const Poly& p) {
  Poly rest, mask = arena.constant(1);
  for (const Monomial& m : p) {
    const auto kept = mask_in(arena, m);
    if (!kept && arena.is_infinite(Poly{m})) return p;
    if (kept) mask = arena.multiply(mask, *kept);
    else rest.push_back(m);
  }
  return rest.size() == p.size() ? p : arena.add(rest, arena.apply(expr::Function::negative_infinity_unless, mask));
}

struct Sides {
  Poly lhs, rhs;
};
/// Both sides at the given indices; a scalar side is compared with every entry.
Sides entries(Theory& theory, const Term& a, const Term& b, std::span<const Index> at) {
  const auto side = [&](const Term& term) { return with_one_infinity(theory.arena, unfold_entry(theory, term, term->shape.empty() ? std::span<const Index>() : at, {})); };
  Sides both;
  both.lhs = side(a);  // one after the other: the order of interning is part of the certificate
  both.rhs = side(b);
  return both;
}
Poly difference(Theory& theory, const Sides& sides) { return theory.arena.add(sides.lhs, theory.arena.scale(sides.rhs, -1)); }
/// What is assumed about a and b as a statement about a - b. Of minus infinity it would say that a variable is infinite, and these are finite.
Poly assumed_difference(Theory& theory, const Term& a, const Term& b, std::span<const Index> at) {
  const Sides sides = entries(theory, a, b, at);
  if (theory.arena.is_infinite(sides.lhs) || theory.arena.is_infinite(sides.rhs)) throw Reject("an assumption about minus infinity");
  return difference(theory, sides);
}

void add_axiom(Theory& theory, const infer::Fact& fact, const Term& lhs, const Term& rhs) {
  Axiom axiom;
  axiom.name = fact.text;
  const auto at = parameters(theory.arena, lhs->shape.empty() ? rhs->shape : lhs->shape, axiom.parameters);
  axiom.poly = assumed_difference(theory, lhs, rhs, at);
  const auto sizes = axiom.parameters.empty() ? as_sizes(theory.arena, axiom.poly) : std::nullopt;
  if (sizes) theory.size_bounds.insert(theory.size_bounds.end(), {{0, *sizes}, {*sizes, 0}});  // as in rank(W) == k
  theory.axioms.push_back(std::move(axiom));
}

bool is_variable(const Term& t, const std::string& name) { return t && t->kind == TermKind::variable && t->name == name; }
bool mentions_inverse(const Term& t) { return infer::is<expr::ops::Inverse>(t) || std::any_of(t->args.begin(), t->args.end(), mentions_inverse); }
Term applied(int op, std::vector<Term> args) {
  auto node = std::make_shared<infer::TermNode>();
  node->kind = TermKind::apply;
  node->op = op;
  for (const Term& a : args) node->call.operands.push_back(a->shape);
  node->shape = node->call.result = args[0]->shape;
  node->args = std::move(args);
  return node;
}
/// X @ Y == eye(n) with square X and Y gives Y @ X == eye(n) as well, and inv(X) == Y.
void add_other_side(Theory& theory, const infer::Problem& problem, const infer::Fact& fact) {
  const bool turned = infer::is<expr::ops::Matmul>(fact.rhs);
  const Term& product = turned ? fact.rhs : fact.lhs;
  const Term& eye = turned ? fact.lhs : fact.rhs;
  if (!infer::is<expr::ops::Matmul>(product) || !infer::is<expr::ops::Eye>(eye)) return;
  const Term& x = product->args[0];
  const Term& y = product->args[1];
  const bool square = x->shape.size() == 2 && x->shape == y->shape && x->shape[0] == x->shape[1] && eye->shape == x->shape;
  if (!square) return;
  add_axiom(theory, fact, applied(expr::operator_id<expr::ops::Matmul>(), {y, x}), eye);
  if (mentions_inverse(problem.lhs) || mentions_inverse(problem.rhs)) add_axiom(theory, fact, applied(expr::operator_id<expr::ops::Inverse>(), {x}), y);
}

/// sum_k a[k, i] a[k, j] == (i == j), with the roles of the axes as given
void add_orthogonality(Theory& theory, const infer::Fact& fact, bool columns) {
  Arena& arena = theory.arena;
  Axiom axiom{fact.text, {}, {}};
  const auto at = parameters(arena, {fact.lhs->shape.begin(), fact.lhs->shape.end() - 2}, axiom.parameters);
  const Index n = arena.index(fact.lhs->shape.back(), {});
  const Symbol i = arena.fresh(n), j = arena.fresh(n), k = arena.fresh(n);
  axiom.parameters.insert(axiom.parameters.end(), {i, j});
  const auto entry = [&](Symbol row) {
    auto indices = at;
    indices.insert(indices.end(), {Index::symbol(columns ? k : row), Index::symbol(columns ? row : k)});
    return unfold_entry(theory, fact.lhs, indices, {});
  };
  const Poly first = entry(i), second = entry(j);
  axiom.poly = arena.add(arena.sum(k, arena.multiply(first, second)), arena.scale(arena.equal(Index::symbol(i) - Index::symbol(j)), -1));
  theory.axioms.push_back(std::move(axiom));
}

void add_row_sums(Theory& theory, const infer::Fact& fact) {
  Arena& arena = theory.arena;
  Axiom axiom{fact.text, {}, {}};
  auto at = parameters(arena, {fact.lhs->shape.begin(), fact.lhs->shape.end() - 1}, axiom.parameters);
  const Symbol k = arena.fresh(arena.index(fact.lhs->shape.back(), {}));
  at.push_back(Index::symbol(k));
  axiom.poly = arena.add(arena.sum(k, unfold_entry(theory, fact.lhs, at, {})), arena.constant(-1));
  theory.axioms.push_back(std::move(axiom));
}

/// What is known of the sign of the entries of a tensor, or of 1 minus them.
void add_sign(Theory& theory, const infer::Fact& fact, expr::Relation relation, bool below_one) {
  AssumedSign sign;
  sign.name = fact.text;
  sign.relation = relation;
  const auto at = parameters(theory.arena, fact.lhs->shape, sign.parameters);
  sign.poly = unfold_entry(theory, fact.lhs, at, {});
  if (below_one) sign.poly = theory.arena.add(theory.arena.constant(1), theory.arena.scale(sign.poly, -1));
  theory.signs.push_back(std::move(sign));
}

void add_predicate(Theory& theory, const infer::Fact& fact) {
  const std::string& p = fact.predicate;
  const bool variable = fact.lhs->kind == TermKind::variable;
  if (p == "permutation" && fact.lhs->shape.size() == 1) return;  // a list: see token_is
  if (variable) {
    Tensor& t = theory.arena.tensor(theory.tensors.at(fact.lhs->name));
    if (p == "positive") t.positive = t.nonnegative = t.nonzero = true;
    if (p == "nonnegative" || p == "rowstochastic") t.nonnegative = true;
    if (p == "nonzero") t.nonzero = true;
    if (p == "mask01" || p == "permutation" || p == "onehot") t.zero_one = true;
    if (p == "permutation" || p == "onehot") t.row_one_hot = true;
    if (p == "permutation") t.column_one_hot = true;
    if (p == "symmetric") t.symmetric = true;
    if (p == "orthogonal" || p == "permutation") t.orthogonal = true;
  } else if (p == "positive" || p == "nonnegative" || p == "nonzero") {
    add_sign(theory, fact, p == "positive" ? expr::Relation::greater : p == "nonzero" ? expr::Relation::not_equal : expr::Relation::greater_equal, false);
  }
  if (p == "orthogonal" || p == "permutation") {
    add_orthogonality(theory, fact, true);
    add_orthogonality(theory, fact, false);
  }
  if (p == "rowstochastic" || p == "onehot" || p == "permutation") add_row_sums(theory, fact);
  if (p == "rowstochastic") add_sign(theory, fact, expr::Relation::greater_equal, true);  // no entry of a row is more than all of them
}

/// What a term is made of: what is 0 in places, the number 0 or numbers that may add up to it, variables that are no masks.
struct Ingredients {
  bool mask = false, zero = false, tensor = false;
};
void collect(const infer::Problem& problem, const Term& term, std::set<const infer::TermNode*>& seen, Ingredients& found) {
  using namespace expr::ops;
  if (!seen.insert(term.get()).second) return;
  const bool assumed = term->kind == TermKind::variable && infer::is_assumed(problem.facts, {"mask01", "onehot", "permutation"}, term->name);
  const auto is_number = [](const Term& a) { return a->kind == TermKind::number || a->kind == TermKind::size; };
  found.mask = found.mask || assumed || infer::is<Tril, Triu, Eye, Ones, Zeros, OneHot, AtLeast, SamePlace>(term);
  found.tensor = found.tensor || (term->kind == TermKind::variable && !assumed);
  found.zero = found.zero || (term->kind == TermKind::number && term->value.is_zero()) || (infer::is<Add, Subtract>(term) && std::all_of(term->args.begin(), term->args.end(), is_number));
  const bool chooses = infer::is<Take, OneHot>(term);  // by token numbers, the last operand
  for (std::size_t k = 0; k + (chooses ? 1 : 0) < term->args.size(); ++k) collect(problem, term->args[k], seen, found);
}
/// Whether the term may be the -inf of where(M, A, -inf).
bool is_mask_of_infinity(const Term& term) {
  return infer::is<expr::ops::NegInf, expr::ops::Causal>(term) || (infer::is<expr::ops::Add, expr::ops::Transpose, expr::ops::Subscripts>(term) && std::any_of(term->args.begin(), term->args.end(), is_mask_of_infinity));
}
/// Whether the term may be a mask, as where(M & N, A, B) multiplies A and B by.
bool is_mask(const infer::Problem& problem, const Term& term) {
  std::set<const infer::TermNode*> seen;
  Ingredients found;
  collect(problem, term, seen, found);
  return found.zero || (found.mask && !found.tensor);
}

/// The variables that are factors of what has to be positive, as in log(p / q), and are never negative: none of them is 0.
void note_factors(Theory& theory, const infer::Problem& problem, const Term& term) {
  if (infer::is<expr::ops::Multiply, expr::ops::Divide>(term)) {
    for (const Term& a : term->args) note_factors(theory, problem, a);
  }
  if (term->kind != TermKind::variable) return;
  if (!infer::is_assumed(problem.facts, {"nonnegative", "rowstochastic"}, term->name)) return;
  Tensor& t = theory.arena.tensor(theory.tensors.at(term->name));
  t.positive = t.nonzero = true;
}

/// A variable of which a logarithm or a root is taken, or by which is divided, has no other entries wherever the side has a value.
/// What stands in a comprehension might be evaluated for no index at all, and of what is masked or cut out only some entries count. `in_steps`: it
/// stands in a comprehension that has steps, at which it is evaluated, and perhaps nowhere else.
void note_domains(Theory& theory, const infer::Problem& problem, const Term& term, std::set<const infer::TermNode*>& seen, bool in_steps = false) {
  const auto may_be_zero = [&](const expr::Dim& size) {
    std::vector<std::string> names;
    expr::collect_names(size, names);
    const bool known = std::all_of(names.begin(), names.end(), [&](const auto& n) { return std::find(problem.dimensions.begin(), problem.dimensions.end(), n) != problem.dimensions.end(); });
    return !known || !theory.arena.positive(theory.arena.index(size, {}));
  };
  if (term->kind == TermKind::stack && !may_be_zero(term->size)) return note_domains(theory, problem, term->args[0], seen, true);
  if (term->kind != TermKind::apply || expr::operator_info(term->op).drops || !seen.insert(term.get()).second) return;
  const auto any_operand = [&](const auto& is_such) { return std::any_of(term->args.begin(), term->args.end(), is_such); };
  if (infer::is<expr::ops::Multiply>(term) && any_operand([&](const Term& a) { return is_mask(problem, a); })) return;  // and zeros_like(x) is 0 * x
  if (infer::is<expr::ops::Add, expr::ops::Subtract>(term) && any_operand(is_mask_of_infinity)) return;
  if (infer::is<expr::ops::Power>(term) && term->call.exponent.is_zero()) return;  // NumPy's nan**0 is 1
  if (std::any_of(term->shape.begin(), term->shape.end(), may_be_zero)) return;
  theory.reached.insert(term.get());
  if (in_steps) {
    for (const Term& a : term->args) note_domains(theory, problem, a, seen, true);
    return;
  }
  theory.evaluated.insert(term.get());
  const bool root = infer::is<expr::ops::Sqrt>(term), positive = infer::is<expr::ops::Log, expr::ops::Rsqrt>(term), divides = infer::is<expr::ops::Divide>(term);
  if (positive) note_factors(theory, problem, term->args.back());
  if ((root || positive || divides) && term->args.back()->kind == TermKind::variable) {
    Tensor& t = theory.arena.tensor(theory.tensors.at(term->args.back()->name));
    if ((root || positive) && !t.negated) t.nonnegative = true;
    if (positive && !t.negated) t.positive = true;
    if ((positive || divides) && !t.is_sign) t.nonzero = true;
  }
  for (const Term& a : term->args) note_domains(theory, problem, a, seen);
}

/// What |x| <= c says of x^2, which products of absolute values turn into, and of x: x^2 <= c^2, -c <= x <= c. Of sqrt(x) <= c: x <= c^2.
std::vector<AssumedSign> without_magnitude(Arena& arena, const AssumedSign& sign) {
  for (std::size_t k = 0; k < 2 && sign.poly.size() == 2 && sign.relation != expr::Relation::not_equal; ++k) {
    const Monomial& t = sign.poly[k];
    const Poly c{sign.poly[1 - k]};
    if (!t.variables.empty() || t.factors.size() != 1 || t.coefficient != Rational(-1)) continue;
    const auto says = [&](const Poly& more, const Poly& less) { return AssumedSign{sign.name, sign.parameters, arena.add(more, arena.scale(less, -1)), sign.relation}; };
    const Factor& x = t.factors[0];
    if (x.exponent == Rational(1, 2)) return {says(arena.power(c, 2), arena.of(x.atom))};
    const Atom a = arena.atom(x.atom);
    if (!x.exponent.is_one() || !is_function(a, expr::Function::abs)) continue;
    const Poly inside = arena.poly(a.body);
    return {says(arena.power(c, 2), arena.power(inside, 2)), says(c, arena.scale(inside, -1)), says(c, inside)};
  }
  return {};
}

/// s > 0, B != 0, X @ W >= 0, and the same with the sides exchanged
void add_comparison(Theory& theory, const infer::Fact& fact) {
  using expr::Relation;
  const bool less = fact.relation == Relation::less || fact.relation == Relation::less_equal;
  const Term& large = less ? fact.rhs : fact.lhs;
  const Term& small = less ? fact.lhs : fact.rhs;
  const Relation relation = less ? (fact.relation == Relation::less ? Relation::greater : Relation::greater_equal) : fact.relation;
  const bool against_zero = small->kind == TermKind::number && small->value.is_zero();
  if (large->kind == TermKind::variable && small->kind == TermKind::number && (against_zero || (relation != Relation::not_equal && small->value.sign() >= 0))) {
    Tensor& t = theory.arena.tensor(theory.tensors.at(large->name));
    const bool strict = relation == Relation::greater || small->value.sign() > 0;
    if (relation != Relation::not_equal) t.nonnegative = true;
    if (relation != Relation::not_equal && strict) t.positive = true;
    if (strict || relation == Relation::not_equal) t.nonzero = true;
    return;
  }
  if (small->kind == TermKind::variable && theory.arena.tensor(theory.tensors.at(small->name)).negated) {
    Tensor& t = theory.arena.tensor(theory.tensors.at(small->name));
    t.nonnegative = true;
    t.positive = t.nonzero = relation == Relation::greater || large->value.sign() < 0;
    return;
  }
  AssumedSign sign;
  sign.name = fact.text;
  sign.relation = relation;
  const auto at = parameters(theory.arena, large->shape.empty() ? small->shape : large->shape, sign.parameters);
  sign.poly = assumed_difference(theory, large, small, at);
  if (sign.poly.empty()) sign.relation = Relation::greater_equal;  // says nothing, of sizes neither
  const auto sizes = relation == Relation::not_equal || sign.poly.empty() ? std::nullopt : as_sizes(theory.arena, sign.poly);
  // Of a tensor with a rank as a size, which may be 0, nothing may be said at all.
  const bool said = std::all_of(sign.parameters.begin(), sign.parameters.end(), [&](Symbol v) { return theory.arena.positive(theory.arena.symbol(v).range); });
  if (sizes && said) theory.size_bounds.emplace_back(Index(relation == Relation::greater ? 1 : 0), *sizes);  // as in rank(W) <= k
  // What is at least a norm is not negative.
  if (large->kind == TermKind::variable && said && !sign.poly.empty() && relation != Relation::not_equal && theory.arena.is_nonnegative(entries(theory, large, small, at).rhs)) theory.arena.tensor(theory.tensors.at(large->name)).nonnegative = true;
  theory.signs.push_back(sign);
  for (AssumedSign& also : without_magnitude(theory.arena, sign)) theory.signs.push_back(std::move(also));
}

}  // namespace

Poly unfold_entry(Theory& theory, const Term& term, std::span<const Index> at, const std::map<std::string, Index>& bound) {
  Arena& arena = theory.arena;
  require_effort(arena);
  switch (term->kind) {
    case TermKind::variable: {
      const int tensor = theory.tensors.at(term->name);
      const Poly entry = arena.of(arena.intern(Atom{AtomKind::entry, tensor, Atom::Indices(at.begin(), at.end()), {}, -1}));
      if (arena.tensor(tensor).is_sign) return arena.add(arena.scale(entry, 2), arena.constant(-1));
      return arena.tensor(tensor).negated ? arena.scale(entry, -1) : entry;
    }
    case TermKind::number: return arena.constant(term->value);
    case TermKind::size: return arena.number(arena.index(term->size, bound));
    case TermKind::stack: {
      auto inner = bound;
      inner[term->name] = at[0];
      return unfold_entry(theory, term->args[0], at.subspan(1), inner);
    }
    case TermKind::apply: {
      if (const expr::Dim* range = infer::summed_range(term)) {
        const Index length = arena.index(*range, bound);
        if (!arena.nonnegative(length) && !at_most(theory, 0, length)) throw Reject("a sum over a range whose length may be negative, and is 0 then");
      }
      bool evaluated = theory.evaluated.count(term.get()) > 0;
      for (std::size_t axis = 0; evaluated && axis < at.size(); ++axis) evaluated = arena.nonnegative(at[axis]) && arena.positive(arena.index(term->shape[axis], bound) - at[axis]);
      Symbolic algebra(theory, bound, term->shape, evaluated, theory.reached.count(term.get()) > 0);
      const Symbolic::Operand operand = [&](int k, std::span<const Index> indices) {
        return SymbolicValue{&arena, unfold_entry(theory, term->args[static_cast<std::size_t>(k)], indices, bound)};
      };
      Poly result;
      const expr::Site<Symbolic> site(algebra, term->call, operand, at);
      expr::visit_operator(term->op, [&](auto op) { result = decltype(op)::entry(site).poly; });
      return result;
    }
  }
  throw expr::InternalError("unknown term");
}

namespace {

/// Whether X <= 0 is assumed of a variable, or less, and nothing else that is a property of its tensor.
bool never_positive(const infer::Problem& problem, const std::string& name) {
  using expr::Relation;
  bool found = false;
  for (const auto& fact : problem.facts) {
    if (!is_variable(fact.lhs, name) && !is_variable(fact.rhs, name)) continue;
    if (fact.kind == infer::FactKind::relation && fact.relation == Relation::equal) continue;
    const bool less = fact.relation == Relation::less || fact.relation == Relation::less_equal;
    const Term& bound = less ? fact.rhs : fact.lhs;
    const bool below = fact.kind == infer::FactKind::relation && fact.relation != Relation::not_equal && is_variable(less ? fact.lhs : fact.rhs, name) && bound->kind == TermKind::number && bound->value.sign() <= 0;
    if (!below || found) return false;
    found = true;
  }
  return found;
}

/// Whether X * X == 1, X**2 == 1 or abs(X) == 1 is assumed of every entry of a variable, and nothing that is a property of its tensor.
bool is_sign(const infer::Problem& problem, const std::string& name) {
  const auto is_square = [&](const Term& t) {
    if (infer::is<expr::ops::Multiply>(t)) return is_variable(t->args[0], name) && is_variable(t->args[1], name);
    if (infer::is<expr::ops::Abs>(t)) return is_variable(t->args[0], name);
    return infer::is<expr::ops::Power>(t) && is_variable(t->args[0], name) && t->call.exponent == Rational(2);
  };
  const auto is_one = [](const Term& t) { return (t->kind == TermKind::number && t->value.is_one()) || infer::is<expr::ops::Ones>(t); };
  bool found = false;
  for (const auto& fact : problem.facts) {
    const bool equation = fact.kind == infer::FactKind::relation && fact.relation == expr::Relation::equal;
    if (!equation && (is_variable(fact.lhs, name) || is_variable(fact.rhs, name))) return false;
    found = found || (equation && ((is_square(fact.lhs) && is_one(fact.rhs)) || (is_square(fact.rhs) && is_one(fact.lhs))));
  }
  return found;
}

}  // namespace

std::unique_ptr<Theory> unfold(const infer::Problem& problem) {
  auto theory = std::make_unique<Theory>();
  Arena& arena = theory->arena;
  for (const auto& v : problem.variables) {
    Tensor t;
    t.negated = never_positive(problem, v.name);
    t.is_sign = t.zero_one = is_sign(problem, v.name);
    t.name = t.negated ? "(-" + v.name + ")" : t.is_sign ? "((1+" + v.name + ")/2)" : v.name;
    t.shape = sizes(arena, v.shape);
    theory->tensors[v.name] = arena.tensor(t);
  }
  // Flags of tensors first, so that every axiom sees them.
  for (const auto& fact : problem.facts) {
    const bool list = fact.kind == infer::FactKind::predicate && fact.predicate == "permutation" && fact.lhs->shape.size() == 1;
    if (list && fact.lhs->kind == TermKind::variable) theory->permutation_lists.insert(theory->tensors.at(fact.lhs->name));
  }
  std::set<const infer::TermNode*> seen;
  for (const Term& side : {problem.lhs, problem.rhs}) note_domains(*theory, problem, side, seen);
  ++theory->empty_sums;  // an assumption about a tensor with a rank as a size may say something of no entry
  for (const auto& fact : problem.facts) {
    if (fact.kind == infer::FactKind::predicate) add_predicate(*theory, fact);
    if (fact.kind == infer::FactKind::relation && fact.relation != expr::Relation::equal) add_comparison(*theory, fact);
  }
  for (const auto& fact : problem.facts) {
    if (fact.kind != infer::FactKind::relation || fact.relation != expr::Relation::equal) continue;
    add_axiom(*theory, fact, fact.lhs, fact.rhs);
    add_other_side(*theory, problem, fact);
  }
  --theory->empty_sums;
  Tensor test;
  test.name = "(test)";
  const expr::Shape& shape = problem.lhs->shape.empty() ? problem.rhs->shape : problem.lhs->shape;
  test.shape = sizes(arena, shape);
  const int test_number = arena.tensor(test);
  std::vector<Symbol> made;
  const auto at = parameters(arena, shape, made);
  for (const auto& fact : problem.facts) {
    if (fact.kind != infer::FactKind::dimension) continue;
    const Index a = arena.index(fact.lhs_size, {}), b = arena.index(fact.rhs_size, {});
    const Index more(fact.relation == expr::Relation::less || fact.relation == expr::Relation::greater ? 1 : 0);
    if (fact.relation == expr::Relation::less_equal || fact.relation == expr::Relation::less || fact.relation == expr::Relation::equal) theory->size_bounds.emplace_back(a + more, b);
    if (fact.relation == expr::Relation::greater_equal || fact.relation == expr::Relation::greater || fact.relation == expr::Relation::equal) theory->size_bounds.emplace_back(b + more, a);
  }
  const Sides sides = entries(*theory, problem.lhs, problem.rhs, at);
  const bool strict = problem.relation == expr::Relation::less || problem.relation == expr::Relation::greater;
  if (strict && arena.is_infinite(sides.lhs) && arena.is_infinite(sides.rhs)) throw Reject("both sides may be minus infinity, which is not less than itself");
  const Poly rest = difference(*theory, sides);
  theory->leaves_out = arena.leaves_out();
  theory->orders = problem.relation != expr::Relation::equal;
  if (theory->orders) {
    theory->goal = arena.scale(rest, -1);
    return theory;
  }
  theory->goal = arena.multiply(arena.of(arena.intern(Atom{AtomKind::entry, test_number, Atom::Indices(at.begin(), at.end()), {}, -1})), rest);
  for (const Symbol v : made) theory->goal = arena.sum(v, theory->goal);
  return theory;
}

}  // namespace foldproof::kernel
