// SPDX-License-Identifier: MIT
// Claims that follow from a witness, from both sides times something, and from functions of both sides. Part of the trusted base.
#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>

#include "infer/is_operator.hpp"
#include "infer/visit.hpp"
#include "kernel/reduction_steps.hpp"
#include "kernel/unfold.hpp"
#include "read/parse.hpp"

namespace foldproof::kernel {
namespace {

using Comprehensions = std::vector<Expression>;  // from the outermost to the innermost
/// The comprehension that gives the name its meaning, if one does.
Expression binder(const Comprehensions& around, const std::string& name) {
  const auto at = std::find_if(around.rbegin(), around.rend(), [&](const Expression& c) { return c->name == name; });
  return at == around.rend() ? nullptr : *at;
}
/// Whether no name in e is the index of one of the comprehensions.
bool closed(const Expression& e, const Comprehensions& around) {
  return std::none_of(around.begin(), around.end(), [&](const Expression& c) { return expr::mentions(e, c->name); });
}

/// Whether e needs every entry of its operands: tril(sqrt(X)) has a value whatever stands above the diagonal.
bool needs_all(const Expression& e) {
  const bool where = std::any_of(e->keywords.begin(), e->keywords.end(), [](const auto& k) { return k.first == "where"; });
  const int op = e->kind == SyntaxKind::call ? expr::find_operator(e->name) : -1;
  const bool zero = e->kind == SyntaxKind::multiply && (is_number(e->args[0], 0) || is_number(e->args[1], 0));  // zeros_like(x) is 0 * x
  const bool power = e->kind == SyntaxKind::power && number(e->args[1]).value_or(0).is_zero();  // nan**0 is 1
  return e->kind != SyntaxKind::index && !where && !zero && !power && (e->kind != SyntaxKind::call || (op >= 0 && !expr::operator_info(op).drops));
}

/// Whether `part`, which stands inside the comprehensions `around`, is evaluated for `whole`, whatever the sizes: at every value of
/// its indices, which must run over the same range there. Ranges mention no index.
bool occurs(const Expression& part, const Expression& whole, const Comprehensions& around, const Comprehensions& entered = {}) {
  const auto means_the_same = [&](const Expression& c) {
    if (!expr::mentions(part, c->name)) return true;
    const Expression here = binder(around, c->name), there = binder(entered, c->name);
    return here && there && expr::same(here->args[1], there->args[1]) && closed(here->args[1], around) && closed(there->args[1], entered);
  };
  const bool same = expr::same(part, whole) && std::all_of(around.begin(), around.end(), means_the_same) && std::all_of(entered.begin(), entered.end(), means_the_same);
  if (same) return true;
  Comprehensions inside = entered;
  if (whole->kind == SyntaxKind::comprehension) inside.push_back(whole);
  return needs_all(whole) && std::any_of(whole->args.begin(), whole->args.end(), [&](const Expression& a) { return occurs(part, a, around, inside); });
}

/// Whether no part of the sides can be empty, whatever the sizes, so that everything that stands in them is evaluated.
bool never_empty(const Claim& claim) {
  const Problem problem = infer::elaborate(claim);
  std::set<const infer::TermNode*> seen;
  bool never = true;
  const auto see = [&](const Term& t) {
    const auto holds_something = [&](const expr::Dim& size) { return is_never_empty(size, problem); };
    never = never && std::all_of(t->shape.begin(), t->shape.end(), holds_something) && (t->kind != TermKind::stack || holds_something(t->size));
  };
  for (const Term& side : {problem.lhs, problem.rhs}) infer::visit_each(side, seen, see);
  return never;
}

/// Whether `part` is evaluated for a side of the claim, or for a definition that is. `no_empty`: whether the claim is never empty, once that has been asked.
bool occurs(const Expression& part, const Claim& claim, const Comprehensions& around, std::optional<bool>& no_empty) {
  std::vector<Expression> evaluated{claim.lhs, claim.rhs};
  for (auto d = claim.definitions.rbegin(); d != claim.definitions.rend(); ++d) {  // each uses earlier ones
    const Expression name = node(SyntaxKind::name, {}, d->name);
    if (std::any_of(evaluated.begin(), evaluated.end(), [&](const Expression& e) { return occurs(name, e, {}); })) evaluated.push_back(d->value);
  }
  const bool found = std::any_of(evaluated.begin(), evaluated.end(), [&](const Expression& e) { return occurs(part, e, around); });
  if (!found || expr::same(part, claim.lhs) || expr::same(part, claim.rhs)) return found;
  if (!no_empty) no_empty = never_empty(claim);
  return *no_empty;
}
bool occurs(const Expression& part, const Claim& claim, const Comprehensions& around) {
  std::optional<bool> no_empty;
  return occurs(part, claim, around, no_empty);
}

/// The argument of every assumption that is one of these predicates.
std::vector<Expression> assumed(const Claim& claim, const std::set<std::string>& predicates) {
  std::vector<Expression> found;
  for (const auto& a : claim.assumptions) {
    if (!a.relation && a.lhs->kind == SyntaxKind::call && a.lhs->args.size() == 1 && predicates.count(a.lhs->name) > 0) found.push_back(a.lhs->args[0]);
  }
  return found;
}

/// Adds what `take` makes of the parts of the sides, and of the definitions that they use, that are evaluated once, whatever the sizes:
/// `whole` in all of their entries.
void parts_of(const Claim& claim, bool whole, const std::function<Expression(const Expression&)>& take, std::vector<Expression>& found) {
  std::set<std::string> used;
  const std::function<void(const Expression&)> look = [&](const Expression& e) {
    if (e->kind == SyntaxKind::comprehension) return;
    if (e->kind == SyntaxKind::name && used.insert(e->name).second) {
      const auto d = std::find_if(claim.definitions.begin(), claim.definitions.end(), [&](const auto& x) { return x.name == e->name; });
      if (d != claim.definitions.end()) look(d->value);
    }
    const Expression part = take(e);
    if (part && !expr::contains(found, part)) found.push_back(part);
    if (whole && !needs_all(e)) return;
    for (const Expression& a : e->args) look(a);
  };
  look(claim.lhs);
  look(claim.rhs);
}

/// Whether e is a product of sizes, which are at least 1, their roots, and positive numbers.
bool is_size(const Expression& e, const Problem& problem, const Comprehensions& around) {
  if (is_call(e, "sqrt") && e->args.size() == 1) return is_size(e->args[0], problem, around);
  if (e->kind == SyntaxKind::multiply) return is_size(e->args[0], problem, around) && is_size(e->args[1], problem, around);
  if (e->kind == SyntaxKind::number) return e->value.sign() > 0;
  const bool known = e->kind == SyntaxKind::name && std::find(problem.dimensions.begin(), problem.dimensions.end(), e->name) != problem.dimensions.end();
  return known && !expr::is_rank(e->name) && !binder(around, e->name);
}

/// The shape of e, a part of the claim.
expr::Shape shape_of(const Expression& e, const Claim& claim) { return infer::elaborate(stating(claim, e, Relation::equal, e)).lhs->shape; }

/// Whether what has that shape has entries at all sizes: the mean of nothing and its logarithm have no value.
bool has_entries(const expr::Shape& shape) {
  Arena arena;
  return std::all_of(shape.begin(), shape.end(), [&](const expr::Dim& size) { return arena.positive(arena.index(size, {})); });
}
bool has_entries(const Expression& e, const Claim& claim) { return has_entries(shape_of(e, claim)); }

/// An entry of e, a part of the claim, with the theory that it belongs to.
std::pair<std::unique_ptr<Theory>, Poly> entry_of(const Expression& e, const Claim& claim) {
  const Problem problem = infer::elaborate(stating(claim, e, Relation::equal, e));
  auto theory = unfold(problem);
  std::vector<Index> at;
  for (const expr::Dim& size : problem.lhs->shape) at.push_back(Index::symbol(theory->arena.fresh(theory->arena.index(size, {}))));
  Poly value = unfold_entry(*theory, problem.lhs, at, {});
  return {std::move(theory), std::move(value)};
}

/// Whether minus infinity stands in e, and in the definitions that it uses, nowhere but in softmax, which is finite where it has a value.
bool is_finite_as_written(const Expression& e, const Claim& claim, std::set<std::string>& seen) {
  if (is_call(e, "softmax")) return true;
  if (is_call(e, "log") || is_call(e, "attn_mask") || is_call(e, "blocking_mask")) return false;  // of a mask it is minus infinity in places
  if (e->kind == SyntaxKind::name && !seen.insert(e->name).second) return true;
  const auto d = std::find_if(claim.definitions.begin(), claim.definitions.end(), [&](const auto& x) { return e->kind == SyntaxKind::name && x.name == e->name; });
  if (d != claim.definitions.end()) return is_finite_as_written(d->value, claim, seen);
  const auto finite = [&](const Expression& a) { return is_finite_as_written(a, claim, seen); };
  return without_infinities(e->name) && e->keywords.empty() && std::all_of(e->args.begin(), e->args.end(), finite);
}

}  // namespace

bool may_be_infinite(const Expression& e, const Claim& claim) {
  std::set<std::string> seen;
  const auto finite = [&](const Expression& x) { return !x || is_finite_as_written(x, claim, seen); };
  if (finite(e) && std::all_of(claim.assumptions.begin(), claim.assumptions.end(), [&](const auto& a) { return finite(a.lhs) && finite(a.rhs); })) return false;  // S is infinite where S == causal(n) is assumed
  const auto [theory, p] = entry_of(e, claim);
  return theory->arena.is_infinite(p);
}

namespace {

/// Whether no entry of e, a part of the claim, may be infinity: they are numbers, minus infinity, or the largest of such.
bool is_at_most_finite(const Expression& e, const Claim& claim) {
  const auto [theory, p] = entry_of(e, claim);
  const Arena& arena = theory->arena;
  const auto sole = arena.sole_atom(p);
  const bool largest = sole && arena.atom(*sole).kind == AtomKind::maximum;
  const Poly& terms = largest ? arena.poly(arena.atom(*sole).body) : p;
  return std::all_of(terms.begin(), terms.end(), [&](const Monomial& t) { return !arena.is_infinite(Poly{t}) || (arena.minus_infinity(t) != nullptr && t.coefficient.sign() > 0); });
}

/// Whether the claim takes rows by these token numbers out of so many, so that none is larger.
bool is_vocabulary(const Claim& claim, const Expression& tokens, const Expression& size) {
  const Problem problem = infer::elaborate(claim);
  bool found = false;
  const auto see = [&](const Term& t) {
    const bool onehot = infer::is<expr::ops::OneHot>(t), take = infer::is<expr::ops::Take>(t);
    if (!onehot && !take) return;
    const Term& list = t->args[take ? 1 : 0];
    const expr::Dim& vocabulary = take ? t->call.operands[0][static_cast<std::size_t>(t->call.axis)] : t->call.sizes[0];
    found = found || (list->kind == TermKind::variable && tokens->kind == SyntaxKind::name && list->name == tokens->name && expr::same(expression_of(vocabulary, problem), size));
  };
  visit_evaluated(problem, see);
  return found;
}

/// Whether slices select something, and nothing beyond the ends, at all sizes.
bool lies_inside(const Expression& slices, const Claim& claim) {
  const Term t = infer::elaborate(stating(claim, slices, Relation::equal, slices)).lhs;
  if (!infer::is<expr::ops::Subscripts>(t)) return false;
  Arena arena;
  const auto at_least = [&](const expr::Dim& a, const expr::Dim& b) { return arena.nonnegative(arena.index(a, {}) - arena.index(b, {})); };
  for (std::size_t axis = 0; axis < t->call.operands[0].size(); ++axis) {  // (kind, start, stop): see expr/ops/structure.hpp
    const expr::Dim &start = t->call.sizes[3 * axis + 1], &stop = t->call.sizes[3 * axis + 2];
    if (!t->call.sizes[3 * axis].is_zero() || !at_least(start, 0) || !at_least(stop, start + 1) || !at_least(t->call.operands[0][axis], stop)) return false;
  }
  return true;
}

/// Whether r is l with other operands.
bool is_of_one_function(const Expression& l, const Expression& r) {
  auto moved = std::make_shared<Syntax>(*l);
  moved->args = r->args;
  return l->args.size() == r->args.size() && expr::same(moved, r);
}

/// Whether the entries of A[:t] are evaluated for an (A + B)[:t] of the claim, or, where all of A has a value, exist as those that the claim
/// takes along axes of these sizes, B[:t] or B[:s, :t], do.
bool is_sliced_alike(const Expression& slice, const Claim& claim, bool whole) {
  const Expression& a = slice->args[0];
  const std::function<bool(const Expression&)> is_term = [&](const Expression& sum) {
    const bool adds = sum->kind == SyntaxKind::add || sum->kind == SyntaxKind::subtract;
    return expr::same(sum, a) || (adds && (is_term(sum->args[0]) || is_term(sum->args[1])));
  };
  const auto cuts = [](const expr::Subscript& s) { return s.start || s.stop || s.step || !s.slice; };
  const auto same_cut = [](const expr::Subscript& s, const expr::Subscript& t) {
    const auto same = [](const Expression& x, const Expression& y) { return (!x && !y) || (x && y && expr::same(x, y)); };
    return s.slice && t.slice && same(s.start, t.start) && same(s.stop, t.stop) && same(s.step, t.step);
  };
  const expr::Shape own = shape_of(a, claim);
  const bool by_axes = whole && slice->subscripts.size() <= own.size();  // not a[:, None]
  bool found = false;
  std::vector<bool> exists(slice->subscripts.size());
  const auto look = [&](const Expression& part) -> Expression {
    if (found || part->kind != SyntaxKind::index || !(whole || is_term(part->args[0])) || !occurs(part, claim, {})) return nullptr;
    const expr::Shape cut = shape_of(part->args[0], claim);
    found = own == cut && is_of_one_function(part, slice);
    for (std::size_t k = 0; k < exists.size() && by_axes; ++k) {
      for (std::size_t l = 0; l < std::min(part->subscripts.size(), cut.size()) && part->subscripts[l].slice; ++l) exists[k] = exists[k] || !cuts(slice->subscripts[k]) || (own[k] == cut[l] && same_cut(slice->subscripts[k], part->subscripts[l]));
    }
    return nullptr;
  };
  expr::changed(claim.lhs, look);
  expr::changed(claim.rhs, look);
  return found || (by_axes && std::all_of(exists.begin(), exists.end(), [](bool e) { return e; }));
}

/// Whether the part W[i] of a declared tensor is taken for an i that runs over its first axis.
bool selects_a_part(const Expression& e, const Claim& claim, const Comprehensions& around) {
  const Expression& tensor = e->args[0];
  const auto d = std::find_if(claim.declarations.begin(), claim.declarations.end(), [&](const auto& x) { return tensor->kind == SyntaxKind::name && x.name == tensor->name; });
  if (d == claim.declarations.end() || d->shape.empty() || binder(around, tensor->name)) return false;
  if (e->subscripts.size() != 1 || e->subscripts[0].slice || e->subscripts[0].start->kind != SyntaxKind::name) return false;
  const Expression range = binder(around, e->subscripts[0].start->name);
  if (!range || !closed(range->args[1], around)) return false;
  const Expression places = expr::call("ones", {range->args[1], read::parse_expression("1")});
  return shape_of(places, claim)[0] == d->shape[0];
}

/// layernorm(X, ...) for rmsnorm(X - mean(X), ...), which has a value where that has one; e itself for others.
Expression layernorm_of(const Expression& e) {
  const Expression& centred = e->args[0];
  if (!e->keywords.empty() || centred->kind != SyntaxKind::subtract || !expr::same(centred->args[1], expr::call("mean", {centred->args[0]}))) return e;
  auto norm = std::make_shared<expr::Syntax>(*e);
  norm->name = "layernorm";
  norm->args[0] = centred->args[0];
  return norm;
}

/// Whether e is a sum of squares, so that its root has a value where its terms do.
bool adds_squares(const Expression& e) {
  const bool sum = (is_call(e, "sum") || is_call(e, "rowsum")) && e->args.size() == 1 && e->keywords.empty();
  return is_call(e, "frob2") || expr::squared(sum ? e->args[0] : e);
}

/// What has been found of one claim: definitions are read once, however often they are used.
struct Known {
  std::map<std::string, bool> has_value;  ///< of the definitions
  bool without_infinities = false;
  std::optional<Problem> problem = {};  ///< what the claim elaborates to, where that is asked for
  std::optional<bool> no_empty = {};    ///< see occurs
};

/// Whether e has a value wherever the claim has one, if its sizes exist: it is made of operators that always do, and of parts of the claim and
/// of its assumptions. `around`: the comprehensions of the witness in which e stands.
bool has_value(const Expression& e, const Claim& claim, Known& known, const Comprehensions& around = {}) {
  static const std::set<std::string> total = {"concat", "vstack", "stack", "sum", "det", "blockdiag", "kron", "rowkron", "eye", "ones", "zeros", "diag", "lfac", "rfac", "positions", "reshape", "rank", "exp", "rowsum", "colsum", "frob2", "abs", "lse", "mean", "rms", "max", "min", "rowmax", "rowmin", "maximum", "minimum", "clip", "relu", "sigmoid", "tanh", "softplus", "silu", "gelu", "erf", "sin", "cos", "tril", "triu", "trace"};
  static const std::set<std::string> of_entries = {"lse", "mean", "rms", "max", "min", "rowmax", "rowmin"};  // of none they have no value
  if (occurs(e, claim, around, known.no_empty)) return true;
  const bool side = std::any_of(claim.assumptions.begin(), claim.assumptions.end(), [&](const auto& a) { return a.relation && (expr::same(a.lhs, e) || expr::same(a.rhs, e)); });
  if (side && closed(e, around)) return true;
  if (is_call(e, "softmax") && e->args.size() == 1 && e->keywords.empty() && around.empty()) {  // of finite scores, or where the first key counts in every row
    const Expression &scores = e->args[0], &finite = scores->kind == SyntaxKind::add && is_call(scores->args[1], "causal") && scores->args[1]->args.size() == 1 ? scores->args[0] : scores;
    return !may_be_infinite(finite, claim) && has_value(finite, claim, known) && has_entries(scores, claim);
  }
  // 0 * -inf and inf - inf are no numbers, and the logarithm of exp(-inf) has no value.
  static const std::set<std::string> as_they_are = {"concat", "vstack", "stack", "reshape", "exp"};
  const bool moves = e->kind == SyntaxKind::number || e->kind == SyntaxKind::name || e->kind == SyntaxKind::index || e->kind == SyntaxKind::transpose || e->kind == SyntaxKind::comprehension || (e->kind == SyntaxKind::call && as_they_are.count(e->name) > 0);
  if (!moves && !(known.without_infinities && without_infinities(expr::text(e)))) {
    static const std::set<SyntaxKind> arithmetic = {SyntaxKind::negate, SyntaxKind::add, SyntaxKind::subtract, SyntaxKind::multiply, SyntaxKind::divide, SyntaxKind::matmul};
    const bool finite = (arithmetic.count(e->kind) > 0 || total.count(e->name) > 0 || is_call(e, "inv")) && around.empty() && std::none_of(e->args.begin(), e->args.end(), [&](const Expression& a) { return may_be_infinite(a, claim); });
    if (!finite) return false;
  }
  if (is_call(e, "log")) return e->args.size() == 1 && (is_call(e->args[0], "exp") || is_call(e->args[0], "softmax")) && has_value(e->args[0], claim, known, around);
  const auto all = [&](std::size_t first) { return std::all_of(e->args.begin() + static_cast<std::ptrdiff_t>(first), e->args.end(), [&](const Expression& a) { return has_value(a, claim, known, around); }); };
  switch (e->kind) {
    case SyntaxKind::number: return true;
    case SyntaxKind::name: {
      const auto d = std::find_if(claim.definitions.begin(), claim.definitions.end(), [&](const auto& one) { return one.name == e->name; });
      if (binder(around, e->name) || d == claim.definitions.end()) return true;
      const auto at = known.has_value.find(e->name);
      return at != known.has_value.end() ? at->second : known.has_value.emplace(e->name, has_value(d->value, claim, known)).first->second;
    }
    case SyntaxKind::negate:
    case SyntaxKind::add:
    case SyntaxKind::subtract:
    case SyntaxKind::multiply:
    case SyntaxKind::matmul:
    case SyntaxKind::transpose: return all(0);
    case SyntaxKind::power: return is_number(e->args[1], 2) && all(0);
    case SyntaxKind::index: return selects_a_part(e, claim, around) || (around.empty() && ((lies_inside(e, claim) && all(0)) || is_sliced_alike(e, claim, all(0))));
    case SyntaxKind::comprehension: {
      Comprehensions inner = around;
      inner.push_back(e);
      return has_value(e->args[0], claim, known, inner);
    }
    case SyntaxKind::divide:
      if (e->args[1]->kind == SyntaxKind::number && !e->args[1]->value.is_zero()) return all(0);
      if (expr::contains(nonzero_parts(claim), e->args[1]) && closed(e->args[1], around)) return all(0);
      if (!known.problem) known.problem = infer::elaborate(claim);
      return is_size(e->args[1], *known.problem, around) && all(0);
    case SyntaxKind::call:
      if (e->name == "onehot") return e->args.size() == 2 && e->keywords.empty() && is_vocabulary(claim, e->args[0], e->args[1]);
      if (e->name == "inv") return e->args.size() == 1 && all(0) && expr::contains(invertible_parts(claim), e->args[0]) && closed(e->args[0], around);
      if (e->name == "sqrt") return e->args.size() == 1 && e->keywords.empty() && adds_squares(e->args[0]) && all(0);
      if (is_call(e, "rms") && closed(e, around) && expr::contains(nonzero_parts(claim), e)) return true;  // what a norm of the claim divides by
      if (of_entries.count(e->name) > 0 && !(around.empty() && e->args.size() == 1 && has_entries(e->args[0], claim))) return false;  // with an epsilon below 0 it may have none
      return (total.count(e->name) > 0 && e->keywords.empty() && all(0)) || (is_call(e, "rmsnorm") && occurs(layernorm_of(e), claim, around));
    default: return false;
  }
}

/// Whether no size of a part of e can be 0 or negative, as that of ones(k - m, 1), but where a rank is 0: a sum over its entries would count
/// less than none, and at k == m the witness would not exist, but the sides would.
bool has_sizes(const Expression& e, const Claim& claim) {
  const Term t = infer::elaborate(stating(claim, e, Relation::equal, e)).lhs;
  Arena arena;
  bool all = true;
  infer::visit_each(t, [&](const Term& part) {
    for (const expr::Dim& size : part->shape) {
      const expr::Dim positive_ranks = size.substitute([](const expr::DimSymbol& s) { return expr::is_rank(s.name) ? expr::dim("r" + s.name) : expr::Dim::symbol(s); });
      all = all && arena.nonnegative(arena.index(size, {})) && arena.positive(arena.index(positive_ranks, {}));
    }
  });
  return all;
}

/// A witness must have a value wherever the claim has one.
bool always_defined(const Expression& e, const Claim& claim) {
  Known known{{}, without_infinities(claim)};
  if (!has_value(e, claim, known)) return false;
  require(has_sizes(e, claim), "a size of the witness may be 0 or negative");
  return true;
}

/// A size of a factor of the product that is the left side of the claim: `operand` 0 or 1, axis 0 or 1.
Expression size_of_factor(const Claim& claim, std::size_t operand, std::size_t axis) {
  const Problem problem = infer::elaborate(claim);
  const Term& product = problem.lhs;
  require(infer::is<expr::ops::Matmul>(product) && product->args[operand]->shape.size() == 2, "the witness is no product of matrices");
  return expression_of(product->args[operand]->shape[axis], problem);
}

/// Whether the part stands in the sides, or in a definition that they use, outside of what is evaluated for each value of a range, which may have none.
bool stands_in(const Expression& part, const Claim& claim) {
  const std::function<bool(const Expression&, const Expression&)> holds = [&](const Expression& e, const Expression& what) {
    return expr::same(e, what) || (e->kind != SyntaxKind::comprehension && std::any_of(e->args.begin(), e->args.end(), [&](const Expression& a) { return holds(a, what); }));
  };
  std::vector<Expression> used{claim.lhs, claim.rhs};
  const auto in_used = [&](const Expression& what) { return std::any_of(used.begin(), used.end(), [&](const Expression& e) { return holds(e, what); }); };
  for (auto d = claim.definitions.rbegin(); d != claim.definitions.rend(); ++d) {  // each uses earlier ones
    if (in_used(node(SyntaxKind::name, {}, d->name))) used.push_back(d->value);
  }
  return in_used(part);
}

/// The size of a square matrix, a part of the claim.
expr::Dim size_of_square(const Expression& matrix, const Claim& claim, const char* otherwise) {
  const expr::Shape shape = shape_of(matrix, claim);
  require(shape.size() == 2 && shape[0] == shape[1] && !expr::mentions_rank(shape[0]), otherwise);
  return shape[0];
}

/// e with a size in place of the rank that `growing_rank` finds.
Expression with_growing_rank(const Expression& e, const Expression& size) {
  if (e->kind == SyntaxKind::call) return size;
  const std::size_t place = growing_rank(e->args[0]) ? 0 : 1;
  auto copy = std::make_shared<Syntax>(*e);
  copy->args[place] = with_growing_rank(e->args[place], size);
  return copy;
}

}  // namespace

Expression norm_divisor(const Expression& e) {
  const bool centred = is_call(e, "layernorm");
  if ((!centred && !is_call(e, "rmsnorm")) || e->args.empty() || e->args.size() > 2 || !e->keywords.empty()) return nullptr;
  std::vector<Expression> of = e->args;  // with its epsilon
  if (centred) of[0] = node(SyntaxKind::subtract, {of[0], expr::call("mean", {of[0]})});
  return expr::call("rms", of);
}

Expression growing_rank(const Expression& e) {
  if (is_call(e, "rank") && e->args.size() == 1) return e;
  const Expression in_first = e->kind == SyntaxKind::add || e->kind == SyntaxKind::subtract ? growing_rank(e->args[0]) : nullptr;
  return in_first || e->kind != SyntaxKind::add ? in_first : growing_rank(e->args[1]);
}

Claims above(const Claim& claim, const Problem&, const Reduction& reduction) {
  const Expression left = reduction.expression(0), right = is_number(left, 0) ? left : reduction.expression(1);
  const std::string by = reduction.text.size() > 2 ? reduction.word(2) : "";
  const Expression rank = growing_rank(claim.lhs);
  require(claim.relation == Relation::less_equal && rank, "above: the claim does not bound a rank from above");
  const Expression& matrix = rank->args[0];
  const auto at_most = [&](const Expression& size) { return stating(claim, with_growing_rank(claim.lhs, size), Relation::less_equal, claim.rhs); };
  if (is_number(left, 0)) {
    const Problem zero = infer::elaborate(stating(claim, matrix, Relation::equal, matrix));
    std::vector<Expression> shape;
    for (const expr::Dim& size : zero.lhs->shape) shape.push_back(expression_of(size, zero));
    return {stating(claim, matrix, Relation::equal, expr::call("zeros", shape)), at_most(left)};
  }
  require(always_defined(left, claim) && always_defined(right, claim), "above: the witness may have no value");
  const Claim product = stating(claim, node(SyntaxKind::matmul, {left, right}), Relation::equal, matrix);
  require(by.empty() || by == "left" || by == "right", "above: the rank of neither factor");
  const Expression inner = size_of_factor(product, 0, 1);  // also where it is not used: the witness must be a product of matrices
  return {product, at_most(by.empty() ? inner : expr::call("rank", {by == "left" ? left : right}))};
}

Claims below(const Claim& claim, const Problem&, const Reduction& reduction) {
  const Expression left = reduction.expression(0), right = reduction.expression(1);
  const Expression rank = growing_rank(claim.rhs);
  require(claim.relation == Relation::less_equal && rank, "below: the claim does not bound a rank from below");
  require(always_defined(left, claim) && always_defined(right, claim), "below: the witness may have no value");
  const Expression product = node(SyntaxKind::matmul, {left, node(SyntaxKind::matmul, {rank->args[0], right})});
  const Expression s = size_of_factor(stating(claim, product, Relation::equal, product), 0, 0);
  return {stating(claim, product, Relation::equal, expr::call("eye", {s})), stating(claim, claim.lhs, Relation::less_equal, with_growing_rank(claim.rhs, s))};
}

namespace {

Expression diagonal(const Expression& matrix, const Expression& n) { return expr::call("rowsum", {node(SyntaxKind::multiply, {matrix, expr::call("eye", {n})})}); }

/// That the n x n matrix is a `lower` or `upper` triangle with a positive diagonal.
Claims is_triangle(const Claim& claim, const Expression& matrix, const Expression& n, const std::string& half) {
  return {stating(claim, expr::call(half == "lower" ? "tril" : "triu", {matrix}), Relation::equal, matrix), stating(claim, read::parse_expression("0"), Relation::less, diagonal(matrix, n))};
}

}  // namespace

Claims full(const Claim& claim, const Problem& problem, const Reduction& reduction) {
  const std::string& why = reduction.word(0);
  const Expression rank = growing_rank(claim.rhs);
  require(claim.relation == Relation::less_equal && rank, "full: the claim does not bound a rank from below");
  const Expression& matrix = rank->args[0];
  const expr::Dim size = size_of_square(matrix, claim, "full: the matrix is not square");
  const Expression n = expression_of(size, problem), zero = read::parse_expression("0");
  const Claim rest = stating(claim, claim.lhs, Relation::less_equal, with_growing_rank(claim.rhs, n));
  if (why == "lower" || why == "upper") {
    Claims claims = is_triangle(claim, matrix, n, why);
    claims.push_back(rest);
    return claims;
  }
  const Expression c = read::parse_expression(why);
  require(always_defined(c, claim) && has_entries(c, claim), "full: the factor may have no value");
  Claim form = claim;
  form.declarations.push_back({unused_name(stating(claim, c, Relation::equal, node(SyntaxKind::add, {claim.lhs, claim.rhs})), "v"), {size, 1}, {}});
  const Expression v = node(SyntaxKind::name, {}, form.declarations.back().name);
  const Expression product = node(SyntaxKind::matmul, {expr::transposed(v), node(SyntaxKind::matmul, {matrix, v})});
  form = stating(form, node(SyntaxKind::multiply, {c, expr::call("frob2", {v})}), Relation::less_equal, expr::call("sum", {product}));
  return {stating(claim, zero, Relation::less, c), form, rest};
}

Claims regular(const Claim& claim, const Problem& problem, const Reduction& reduction) {
  const Expression matrix = reduction.expression(0);
  require(always_defined(matrix, claim) && !may_be_infinite(matrix, claim), "regular: the matrix may have no value");
  const expr::Dim size = size_of_square(matrix, claim, "regular: the matrix is not square");
  Claim helped = claim;
  helped.assumptions.push_back({expr::call("invertible", {matrix}), std::nullopt, nullptr, {}});
  return {stating(claim, expression_of(size, problem), Relation::less_equal, expr::call("rank", {matrix})), helped};
}

Claims nullity(const Claim& claim, const Problem&, const Reduction& reduction) {
  const bool left = reduction.text.size() > 1;
  const Expression v = reduction.expression(0), rank = growing_rank(claim.lhs);
  require(claim.relation == Relation::less_equal && rank && without_infinities(claim) && always_defined(v, claim), "nullity: the claim does not bound a rank from above, or the witness may have no value");
  const Expression product = left ? node(SyntaxKind::matmul, {v, rank->args[0]}) : node(SyntaxKind::matmul, {rank->args[0], v});
  const Expression n = size_of_factor(stating(claim, product, Relation::equal, product), left ? 1 : 0, left ? 0 : 1);
  const Expression bound = node(SyntaxKind::subtract, {node(SyntaxKind::add, {expr::call("rank", {product}), n}), expr::call("rank", {v})});  // Sylvester
  return {stating(claim, with_growing_rank(claim.lhs, bound), Relation::less_equal, claim.rhs)};
}

Claims singular(const Claim& claim, const Problem& problem, const Reduction&) {
  const bool vanishes = claim.relation == Relation::equal && is_call(claim.lhs, "det") && claim.lhs->args.size() == 1 && is_number(claim.rhs, 0);
  require(vanishes && without_infinities(claim), "singular: the claim is not that a determinant is 0");
  const Expression& matrix = claim.lhs->args[0];
  const Expression n = expression_of(size_of_square(matrix, claim, "singular: the matrix is not square"), problem);
  return {stating(claim, node(SyntaxKind::add, {expr::call("rank", {matrix}), read::parse_expression("1")}), Relation::less_equal, n)};
}

Claims triangle(const Claim& claim, const Problem& problem, const Reduction& reduction) {
  const Expression matrix = reduction.expression(0), n = expression_of(size_of_square(matrix, claim, "triangle: the matrix is not square"), problem);
  const std::string& half = reduction.word(1);
  require(half == "lower" || half == "upper", "triangle: a matrix is a lower or an upper one");
  Claims claims = is_triangle(claim, matrix, n, half);
  const Expression product = expr::call("exp", {expr::call("sum", {expr::call("log", {diagonal(matrix, n)})})});
  const auto of_diagonal = [&](const Expression& e) -> Expression {
    if (e->kind == SyntaxKind::comprehension && expr::mentions(matrix, e->name)) return e;  // there the name is an index
    return is_call(e, "det") && e->args.size() == 1 && expr::same(e->args[0], matrix) ? product : nullptr;
  };
  claims.push_back(stating(claim, expr::changed(claim.lhs, of_diagonal), claim.relation, expr::changed(claim.rhs, of_diagonal)));
  return claims;
}

Claims apart(const Claim& claim, const Problem&, const Reduction&) {
  require(without_infinities(claim), "apart: a matrix may have no value");
  const auto is_square = [&](const Expression& e) {
    const expr::Shape shape = shape_of(e, claim);
    return shape.size() == 2 && shape[0] == shape[1];
  };
  const auto is_pair = [](const Expression& e, const char* name) { return is_call(e, name) && e->args.size() == 2 && e->keywords.empty() && e->args[1]->kind != SyntaxKind::comprehension; };
  const auto in_parts = [&](const Expression& e) -> Expression {
    const bool rank = is_call(e, "rank");
    if (e->kind == SyntaxKind::comprehension) return e;  // there a shape is one for each index
    if ((!rank && !is_call(e, "det")) || e->args.size() != 1) return nullptr;
    const Expression& whole = e->args[0];
    const bool of_two_rows = !rank && is_pair(whole, "vstack") && is_pair(whole->args[0], "concat") && is_pair(whole->args[1], "concat");
    if (of_two_rows || (!rank && whole->kind == SyntaxKind::matmul)) {
      const Expression &first = of_two_rows ? whole->args[0]->args[0] : whole->args[0], &second = of_two_rows ? whole->args[1]->args[1] : whole->args[1];
      const bool triangular = !of_two_rows || is_call(whole->args[0]->args[1], "zeros") || is_call(whole->args[1]->args[0], "zeros");
      if (!triangular || !is_square(first) || !is_square(second)) return nullptr;
      return node(SyntaxKind::multiply, {expr::call("det", {first}), expr::call("det", {second})});
    }
    const bool blocks = is_call(whole, "blockdiag"), pairs = rank && is_call(whole, "kron");
    const bool two = whole->args.size() == 2 && whole->keywords.empty() && whole->args[1]->kind != SyntaxKind::comprehension;
    if ((!blocks && !pairs) || !two || whole->args[0]->kind == SyntaxKind::comprehension) return nullptr;
    return node(rank && blocks ? SyntaxKind::add : SyntaxKind::multiply, {expr::call(e->name, {whole->args[0]}), expr::call(e->name, {whole->args[1]})});
  };
  return {stating(claim, expr::changed(claim.lhs, in_parts), claim.relation, expr::changed(claim.rhs, in_parts))};
}

Claims gram(const Claim& claim, const Problem&, const Reduction&) {
  const bool product = claim.relation == Relation::less_equal && is_call(claim.rhs, "rank") && claim.rhs->args.size() == 1 && claim.rhs->args[0]->kind == SyntaxKind::matmul;
  require(product && without_infinities(claim), "gram: the claim does not bound the rank of a product from below");
  const Expression& a = claim.rhs->args[0]->args[0];  // A A^T x = 0 says |A^T x|^2 = 0
  return {stating(claim, claim.rhs->args[0]->args[1], Relation::equal, expr::transposed(a)), stating(claim, claim.lhs, Relation::less_equal, expr::call("rank", {a}))};
}

Claims multiplied(const Claim& claim, const Problem& problem, const Reduction& reduction) {
  const ReductionKind kind = reduction.kind;
  const Expression factor = reduction.expression(0);
  const bool entrywise = kind == ReductionKind::scaled, compares = entrywise && (claim.relation == Relation::less_equal || claim.relation == Relation::less);
  require(claim.relation == Relation::equal || compares, "only an equation may be multiplied");
  require(without_infinities(claim), "a claim with infinities is not multiplied");  // 0 * inf is no number, and a product of matrices with infinities may be none
  const bool reversible = compares ? always_defined(factor, claim) : expr::contains(entrywise ? nonzero_parts(claim) : invertible_parts(claim), factor);
  require(reversible, "nothing says that what both sides are multiplied by can be divided by again");
  const auto times = [&](const Expression& side) {
    if (is_number(side, 0)) return side;
    return kind == ReductionKind::after ? node(SyntaxKind::matmul, {side, factor}) : node(entrywise ? SyntaxKind::multiply : SyntaxKind::matmul, {factor, side});
  };
  const Claim result = stating(claim, times(claim.lhs), claim.relation, times(claim.rhs));
  // A product of larger shape would say less of each entry, one of matrices with more axes is another product.
  const Problem product = infer::elaborate(result);
  const bool same_right = (!compares && entrywise) || product.rhs->shape == problem.rhs->shape;  // D * 1 has the shape of D
  require(product.lhs->shape == problem.lhs->shape && same_right && (entrywise || (problem.lhs->shape.size() <= 2 && problem.rhs->shape.size() <= 2)), "the product has another shape than the sides");
  if (compares) return {stating(claim, read::parse_expression("0"), Relation::less, factor), result};
  return {result};
}

Claims increasing(const Claim& claim, const Problem&, const Reduction& reduction) {
  static const std::set<std::string> functions = {"exp", "log", "sqrt", "tanh", "sigmoid", "softplus", "relu"};
  Claim without = claim;
  for (const std::string& number : reduction.text) {  // f(A) == f(B) is assumed, or an inequality
    const std::size_t k = number_of_assumption(claim, number);
    require(k < claim.assumptions.size(), "increasing: no such assumption");
    expr::Assumption& a = without.assumptions[k];
    const bool compares = a.relation && *a.relation != Relation::not_equal && is_of_one_function(a.lhs, a.rhs);
    require(compares && a.lhs->kind == SyntaxKind::call && a.lhs->args.size() == 1 && functions.count(a.lhs->name) > 0 && a.lhs->name != "relu" && without_infinities(claim), "increasing: no assumption about values of a function that increases everywhere");
    a = {a.lhs->args[0], a.relation, a.rhs->args[0], a.span};
  }
  if (!reduction.text.empty()) return {without};
  static const std::set<std::string> sums = {"sum", "rowsum", "colsum"}, between = {"mean", "rowmean", "colmean", "max", "rowmax", "colmax", "min", "rowmin", "colmin"};
  const Expression &l = claim.lhs, &r = claim.rhs;
  const bool strict = claim.relation == Relation::less, one = is_of_one_function(l, r) && l->kind == SyntaxKind::call && l->args.size() == 1;
  require(strict || claim.relation == Relation::less_equal, "increasing: no inequality");
  if (one && functions.count(l->name) > 0) {
    require(!strict || (l->name != "relu" && without_infinities(claim)), "increasing: the function need not increase");
    return {stating(claim, l->args[0], claim.relation, r->args[0])};
  }
  const bool products = l->kind == r->kind && (l->kind == SyntaxKind::multiply || l->kind == SyntaxKind::matmul || l->kind == SyntaxKind::divide);
  for (const std::size_t common : {1, 0}) {  // A * F and B * F where 0 <= F
    if (!products || strict || !expr::same(l->args[common], r->args[common]) || (l->kind == SyntaxKind::divide && common == 0)) continue;
    const Claim others = stating(claim, l->args[1 - common], Relation::less_equal, r->args[1 - common]);
    const Problem sides = infer::elaborate(others);
    require(sides.lhs->shape == sides.rhs->shape && without_infinities(claim), "increasing: what is multiplied has two shapes, or may be infinite");
    return {stating(claim, read::parse_expression("0"), Relation::less_equal, l->args[common]), others};
  }
  if (expr::is_square(l) && expr::is_square(r) && without_infinities(claim)) return {stating(claim, expr::call("abs", {l->args[0]}), claim.relation, expr::call("abs", {r->args[0]}))};
  const auto shape = [&](const Expression& e) { return shape_of(e, claim); };
  const auto argument = [](const Expression& e) { return e->kind == SyntaxKind::call && e->args.size() == 1 ? e->args[0] : nullptr; };
  const bool total = one && (sums.count(l->name) > 0 || between.count(l->name) > 0 || l->name == "lse" || l->name == "frob2") && shape(l->args[0]) == shape(r->args[0]);
  const auto lies_beyond = [&](const Expression& e, const Expression& bound) {  // what bounds all entries bounds their mean, and 0 their sum
    const Expression values = argument(e);
    if (total || !values || (between.count(e->name) == 0 && (sums.count(e->name) == 0 || !is_number(bound, 0)))) return false;
    const expr::Shape taken = shape(e), of = shape(bound);
    return of.empty() || (of == taken && taken.size() == shape(values).size());  // one bound for each row, which keeps its axis
  };
  const bool below = lies_beyond(r, l), above = !below && lies_beyond(l, r);
  const auto finite = [&](const Expression& side, bool itself) { return !may_be_infinite(itself ? side : side->args[0], claim); };
  require((total || below || above) && (without_infinities(claim) || (finite(l, below) && finite(r, above))), "increasing: the sides are not values of one increasing function");
  const auto of = [&](const Expression& e) { return l->name == "frob2" ? node(SyntaxKind::power, {e, read::parse_expression("2")}) : e; };
  const Claim result = stating(claim, below ? l : of(l->args[0]), claim.relation, above ? r : of(r->args[0]));
  const Expression& values = below ? result.rhs : result.lhs;
  require(!shape(values).empty() && ((total && !strict) || has_entries(values, claim)), "increasing: what the function is taken of has no entries");
  return {result};
}

Claims exponential(const Claim& claim, const Problem&, const Reduction&) {
  const auto has_exponential = [&](const Expression& side) { return without_infinities(claim) || is_at_most_finite(side, claim); };  // exp(-inf) is 0
  require(has_exponential(claim.lhs) && has_exponential(claim.rhs), "exponential: a side may be infinity");
  return {stating(claim, expr::call("exp", {claim.lhs}), claim.relation, expr::call("exp", {claim.rhs}))};
}

Claims logarithm(const Claim& claim, const Problem&, const Reduction&) {
  require(claim.relation == Relation::less_equal || claim.relation == Relation::less, "logarithm: no inequality");
  const auto positive = [&](const Expression& side) { return stating(claim, read::parse_expression("0"), Relation::less, side); };
  return {positive(claim.lhs), positive(claim.rhs), stating(claim, expr::call("log", {claim.lhs}), claim.relation, expr::call("log", {claim.rhs}))};
}

Claims through(const Claim& claim, const Problem&, const Reduction& reduction) {
  const Expression between = reduction.expression(0);
  const bool orders = claim.relation == Relation::less_equal || claim.relation == Relation::less;
  require(orders && always_defined(between, claim) && has_entries(between, claim), "through: no inequality, or what lies between may have no value");
  return {stating(claim, claim.lhs, claim.relation, between), stating(claim, between, Relation::less_equal, claim.rhs)};
}

Claims squared(const Claim& claim, const Problem&, const Reduction&) {
  require(claim.relation == Relation::less_equal && without_infinities(claim), "squared: no inequality between finite numbers");
  const Expression two = read::parse_expression("2");
  const Expression& base = is_call(claim.lhs, "abs") && claim.lhs->args.size() == 1 ? claim.lhs->args[0] : claim.lhs;
  return {stating(claim, node(SyntaxKind::power, {base, two}), Relation::less_equal, node(SyntaxKind::power, {claim.rhs, two})), stating(claim, read::parse_expression("0"), Relation::less_equal, claim.rhs)};
}

Claims rearranged(const Claim& claim, const Problem&, const Reduction& reduction) {
  const Expression left = reduction.expression(0), right = reduction.expression(1), old_times = reduction.expression(2), new_times = reduction.expression(3);
  require(without_infinities(claim), "rearranged: no relation between finite numbers");
  require(always_defined(left, claim) && always_defined(right, claim), "rearranged: a side may have no value");
  const auto gap = [](const Expression& l, const Expression& r) { return node(SyntaxKind::subtract, {r, l}); };
  const Expression before = gap(claim.lhs, claim.rhs), after = gap(left, right);
  const Problem gaps = infer::elaborate(stating(claim, before, Relation::equal, after));
  require(gaps.lhs->shape == gaps.rhs->shape, "rearranged: the differences have two shapes");
  require(is_size(old_times, gaps, {}) && is_size(new_times, gaps, {}), "rearranged: a factor may not be positive");
  const auto times = [](const Expression& factor, const Expression& e) { return is_number(factor, 1) ? e : node(SyntaxKind::multiply, {factor, e}); };
  return {stating(claim, times(old_times, before), Relation::equal, times(new_times, after)), stating(claim, left, claim.relation, right)};
}

Claims lemma(const Claim& claim, const Problem&, const Reduction& reduction) {
  const Expression left = reduction.expression(0), right = reduction.expression(1);
  require(always_defined(left, claim) && always_defined(right, claim), "lemma: a side may have no value");
  Claim helped = claim;
  helped.assumptions.insert(helped.assumptions.begin(), {left, Relation::equal, right, {}});  // the first assumption simplifies the others
  return {stating(claim, left, Relation::equal, right), helped};
}

bool is_permutation_list(const Expression& e) {
  const Expression& list = is_call(e, "array") && e->args.size() == 1 ? e->args[0] : e;
  if (list->kind != SyntaxKind::list) return false;
  for (std::size_t k = 0; k < list->args.size(); ++k) {
    if (std::none_of(list->args.begin(), list->args.end(), [&](const Expression& place) { return is_number(place, static_cast<std::int64_t>(k)); })) return false;
  }
  return true;
}

Claims forget(const Claim& claim, const Problem&, const Reduction& reduction) {
  require(!reduction.text.empty(), "forget: no definition is named");
  require(without_infinities(claim) || expr::text(claim).find("log(") == std::string::npos, "forget: the logarithm of a mask is minus infinity, and of other tensors it is not");
  const bool positive = reduction.text.size() == 2 && reduction.text[0] == "positive";  // any positive tensor, as the part is one
  Claim result = claim;
  for (const std::string& text : std::vector(reduction.text.begin() + (positive ? 1 : 0), reduction.text.end())) {
    const auto d = std::find_if(result.definitions.begin(), result.definitions.end(), [&](const auto& x) { return x.name == text; });
    const Expression part = read::parse_expression(text);
    const bool defined = d != result.definitions.end();
    require(defined || (part->kind != SyntaxKind::name && part->kind != SyntaxKind::number), "forget: no such definition");
    const expr::Shape shape = shape_of(part, result);  // with what was forgotten before it
    require(std::none_of(shape.begin(), shape.end(), expr::mentions_rank), "forget: the shape mentions a rank");
    require(has_entries(shape) || stands_in(part, result), "forget: no such part");  // of what the sides do not hold nobody says that it has entries
    require(!may_be_infinite(part, result), "forget: a variable is nowhere infinite");
    const std::string name = defined ? text : unused_name(stating(result, result.lhs, Relation::equal, expr::node(SyntaxKind::add, {result.rhs, part})), "Z");
    result.declarations.push_back({name, shape, {}});
    if (positive) result.assumptions.push_back({expr::call("positive", {node(SyntaxKind::name, {}, name)}), std::nullopt, nullptr, {}});
    if (defined) {
      if (is_permutation_list(d->value)) result.assumptions.push_back({expr::call("permutation", {node(SyntaxKind::name, {}, name)}), std::nullopt, nullptr, {}});  // and any other one will do
      result.definitions.erase(d);
      continue;
    }
    const auto forgotten = [&](const Expression& e) -> Expression {
      if (expr::same(e, part)) return node(SyntaxKind::name, {}, name);
      return e->kind == SyntaxKind::comprehension && expr::mentions(part, e->name) ? e : nullptr;  // there the name is an index
    };
    expr::change_each(result, [&](const Expression& e) { return expr::changed(e, forgotten); });
  }
  if (positive) return {stating(claim, expr::number(0), Relation::less, read::parse_expression(reduction.text[1])), result};
  return {result};
}

Claims instead(const Claim& claim, const Problem&, const Reduction& reduction) {
  const std::size_t k = number_of_assumption(claim, reduction.word(0));
  require(k < claim.assumptions.size() && claim.assumptions[k].relation == Relation::equal, "instead: no such equation is assumed");
  const expr::Assumption a = claim.assumptions[k];
  require(shape_of(a.lhs, claim) == shape_of(a.rhs, claim), "instead: the sides of the assumption have two shapes");
  require(reduction.word(1) == "left" || reduction.word(1) == "right", "instead: no side is named");
  const auto& [old, other] = reduction.word(1) == "left" ? std::tie(a.lhs, a.rhs) : std::tie(a.rhs, a.lhs);
  require(std::none_of(claim.definitions.begin(), claim.definitions.end(), [&](const auto& d) { return expr::mentions(a.lhs, d.name) || expr::mentions(a.rhs, d.name); }), "instead: a definition is assumed to be something");
  require(!may_be_infinite(old, claim), "instead: a variable is nowhere infinite");
  Claim result = claim;
  result.assumptions.erase(result.assumptions.begin() + static_cast<std::ptrdiff_t>(k));
  const auto put = [&, &old = old, &other = other](const Expression& e) -> Expression {
    if (expr::same(e, old)) return other;
    return e->kind == SyntaxKind::comprehension && (expr::mentions(old, e->name) || expr::mentions(other, e->name)) ? e : nullptr;  // there the name is an index
  };
  expr::change_each(result, [&](const Expression& e) { return expr::changed(e, put); });
  return {result};
}

Claims congruent(const Claim& claim, const Problem&, const Reduction&) {
  // Functions of tensors: none that takes sizes, whose names would mean something else in a claim of their own.
  static const std::set<std::string> functions = {"abs", "concat", "cos", "det", "exp", "frob2", "gelu", "inv", "kron", "l2norm", "layernorm", "log", "log_softmax", "lse", "max", "mean", "relu", "rms", "rmsnorm", "rowsum", "colsum", "sigmoid", "silu", "sin", "softmax", "softmax1", "softplus", "sqrt", "sum", "tanh", "vstack"};
  static const std::set<SyntaxKind> operators = {SyntaxKind::negate, SyntaxKind::add, SyntaxKind::subtract, SyntaxKind::multiply, SyntaxKind::divide, SyntaxKind::matmul, SyntaxKind::power, SyntaxKind::transpose};
  const Expression &l = claim.lhs, &r = claim.rhs;
  if (claim.relation == Relation::equal && l->kind == SyntaxKind::subtract && (is_number(r, 0) || is_call(r, "zeros"))) {  // a difference is 0 where its terms are equal
    const Claim terms = stating(claim, l->args[0], Relation::equal, l->args[1]);
    const Problem sides = infer::elaborate(terms);
    require(sides.lhs->shape == sides.rhs->shape && without_infinities(claim), "congruent: what the function is taken of has two shapes");
    return {terms};
  }
  require(claim.relation == Relation::equal && (operators.count(l->kind) > 0 || (l->kind == SyntaxKind::call && functions.count(l->name) > 0)), "congruent: the left side is no function of tensors");
  require(is_of_one_function(l, r) && !expr::same(l, r), "congruent: the sides are not values of one function");
  std::vector<Claim> claims;
  for (std::size_t k = 0; k < l->args.size(); ++k) {
    if (expr::same(l->args[k], r->args[k])) continue;
    claims.push_back(stating(claim, l->args[k], Relation::equal, r->args[k]));
    const Problem part = infer::elaborate(claims.back());
    require(part.lhs->shape == part.rhs->shape, "congruent: what the function is taken of has two shapes");
  }
  return claims;
}

std::vector<Expression> invertible_parts(const Claim& claim) {
  std::vector<Expression> found = assumed(claim, {"invertible", "orthogonal", "permutation"});
  for (const Expression& m : assumed(claim, {"invertible"})) found.push_back(expr::transposed(m));
  for (const auto& a : claim.assumptions) {  // A @ B == c * eye(n) for square A and c > 0
    if (a.relation != Relation::equal || a.lhs->kind != SyntaxKind::matmul) continue;
    const Problem problem = infer::elaborate(stating(claim, a.lhs, Relation::equal, a.lhs));
    const auto is_identity = [&](const Expression& e) { return is_call(e, "eye") && e->args.size() == 1; };
    const bool scaled = a.rhs->kind == SyntaxKind::multiply && ((is_size(a.rhs->args[0], problem, {}) && is_identity(a.rhs->args[1])) || (is_size(a.rhs->args[1], problem, {}) && is_identity(a.rhs->args[0])));
    if ((!is_identity(a.rhs) && !scaled) || problem.lhs->shape.size() != 2 || problem.lhs->args[0]->shape != problem.lhs->args[1]->shape) continue;
    for (const Expression& factor : a.lhs->args) {
      if (!expr::contains(found, factor)) found.push_back(factor);
    }
  }
  const auto take = [](const Expression& e) { return is_call(e, "inv") && e->args.size() == 1 ? e->args[0] : nullptr; };
  parts_of(claim, false, take, found);
  return found;
}

std::vector<Expression> nonzero_parts(const Claim& claim) {
  std::vector<Expression> found = assumed(claim, {"positive", "nonzero"});
  for (const auto& a : claim.assumptions) {
    const bool not_zero = a.relation == Relation::not_equal || a.relation == Relation::greater || a.relation == Relation::less;
    if (not_zero && is_number(a.rhs, 0) && !expr::contains(found, a.lhs)) found.push_back(a.lhs);
  }
  const auto take = [&](const Expression& e) { return e->kind == SyntaxKind::divide ? e->args[1] : norm_divisor(e); };
  const std::size_t assumptions = found.size();
  parts_of(claim, true, take, found);
  if (found.size() > assumptions && !never_empty(claim)) found.resize(assumptions);
  return found;
}

}  // namespace foldproof::kernel
