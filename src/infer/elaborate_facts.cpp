// SPDX-License-Identifier: MIT
// Assumptions sorted by kind, and the last pass that fills in every size that was solved for. Part of the trusted base.
#include <algorithm>

#include "expr/build.hpp"
#include "expr/nearest.hpp"
#include "infer/elaborator.hpp"
#include "infer/is_operator.hpp"

namespace foldproof::infer {
namespace {

/// How a property that has no predicate is assumed; empty where it is none that people ask for.
std::string written_out(const std::string& predicate) {
  static constexpr std::pair<const char*, const char*> relations[] = {
      {"diagonal", "write assume A == diag(a), with a: [n]"},         {"scalar", "declare it as a scalar, s: []"},
      {"lower", "write assume L == tril(L)"},                         {"lowertriangular", "write assume L == tril(L)"},
      {"upper", "write assume U == triu(U)"},                         {"uppertriangular", "write assume U == triu(U)"},
      {"triangular", "write assume L == tril(L), or U == triu(U)"},   {"skew", "write assume A.T == -A"},
      {"skewsymmetric", "write assume A.T == -A"},                    {"antisymmetric", "write assume A.T == -A"},
      {"idempotent", "write assume P @ P == P"},                      {"projection", "write assume P @ P == P, symmetric(P)"},
      {"psd", "write assume A == B.T @ B"},                           {"posdef", "write assume A == B.T @ B, invertible(B)"},
      {"orthonormal", "write assume Q.T @ Q == eye(k), or orthogonal(Q) where Q is square"},
      {"even", "write assume d % 2 == 0 for a size d"},               {"odd", "write assume d % 2 == 1 for a size d"},
      {"doublystochastic", "write assume rowstochastic(P), rowstochastic(P.T)"},
      {"square", "declare it with one size twice, A: [n, n]"},        {"zero", "write assume A == 0"},
      {"negative", "write assume s < 0"},                             {"unit", "write assume rowsum(X * X) == 1"}};
  for (const auto& [name, hint] : relations) {
    if (predicate == name) return hint;
  }
  return {};
}

bool share_a_name(const Expression& a, const Expression& b) {
  if (a->kind == SyntaxKind::name) return expr::mentions(b, a->name);
  return std::any_of(a->args.begin(), a->args.end(), [&](const Expression& part) { return share_a_name(part, b); });
}

/// The product that is the identity where `R.T == inv(R)` is assumed, which says as much but rewrites nothing by itself: the inverse would be
/// replaced by what it is the inverse of. Null for other assumptions.
Expression product_with_own_inverse(const expr::Assumption& a) {
  for (const auto& [inverse, other] : {std::pair{a.lhs, a.rhs}, std::pair{a.rhs, a.lhs}}) {
    const bool inverts = inverse->kind == SyntaxKind::call && inverse->name == "inv" && inverse->args.size() == 1;
    if (a.relation != expr::Relation::equal || !inverts || !share_a_name(inverse->args[0], other)) continue;
    return expr::node(SyntaxKind::matmul, {inverse->args[0], other}, {}, a.span);
  }
  return nullptr;
}

/// The M of which M * M == M is assumed, or M**2 == M: its entries are 0 and 1. Null for other assumptions.
Expression own_square(const expr::Assumption& a) {
  for (const auto& [square, m] : {std::pair{a.lhs, a.rhs}, std::pair{a.rhs, a.lhs}}) {
    if (a.relation != expr::Relation::equal || m->kind != SyntaxKind::name) continue;
    if (const Expression x = expr::squared(square); x && expr::same(x, m)) return m;
  }
  return nullptr;
}

/// Whether the assumption reads X == X.T.
bool is_own_transpose(const expr::Assumption& a) {
  return a.relation == expr::Relation::equal && (expr::same(expr::transposed(a.lhs), a.rhs) || expr::same(a.lhs, expr::transposed(a.rhs)));
}

}  // namespace

Term Elaborator::as_row_of(const Term& t, const Shape& shape) {
  if (t->shape.empty() || t->shape.size() >= shape.size()) return t;
  const std::size_t missing = shape.size() - t->shape.size();
  for (std::size_t axis = 0; axis < missing; ++axis) {
    if (!resolve(shape[axis]).is_one()) return t;
  }
  return with_axes_in_front(t, missing);
}

Term Elaborator::with_axes_in_front(const Term& t, std::size_t count) {
  std::vector<Dim> sizes(count, Dim(1));
  sizes.insert(sizes.end(), t->shape.begin(), t->shape.end());
  auto e = std::make_shared<Syntax>(*expr::call("reshape", {}));
  e->span = t->span;
  return apply(expr::operator_id<expr::ops::Reshape>(), e, {t}, std::move(sizes));
}

void Elaborator::repeat_sides(Term& lhs, Term& rhs, bool order) {
  const auto is_one = [this](const Dim& d) { return resolve(d).is_one(); };
  const auto is_larger = [&](const Dim& d) {
    std::vector<std::string> sizes;
    expr::collect_names(resolve(d), sizes);
    return !is_one(d) && (order || std::none_of(sizes.begin(), sizes.end(), Sizes::is_unknown));  // what an equation leaves open has the size of the other side
  };
  const auto narrower = [&](const Shape& a, const Shape& b) {
    bool narrow = false, wide = false;
    for (std::size_t axis = 0; axis < a.size(); ++axis) {
      narrow = narrow || (is_one(a[axis]) && is_larger(b[axis]));
      wide = wide || (is_one(b[axis]) && is_larger(a[axis]));
    }
    return narrow && !wide;
  };
  for (const auto& [side, other] : {std::pair{&lhs, rhs}, std::pair{&rhs, lhs}}) {  // softmax(S) @ V <= V.max(axis=0): NumPy adds axes in front
    const std::size_t own = (*side)->shape.size(), all = other->shape.size();
    if (own == 0 || own >= all || sizes_.resolve((*side)->shape) != sizes_.resolve(Shape(other->shape.end() - static_cast<std::ptrdiff_t>(own), other->shape.end()))) continue;
    *side = with_axes_in_front(*side, all - own);
    break;
  }
  if (lhs->shape.size() != rhs->shape.size()) return;
  for (const auto& [side, other] : {std::pair{&lhs, rhs}, std::pair{&rhs, lhs}}) {
    if (!narrower((*side)->shape, other->shape)) continue;
    auto e = std::make_shared<Syntax>(*expr::call("zeros", {}));
    e->span = (*side)->span;
    const Term zeros = apply(expr::operator_id<expr::ops::Zeros>(), e, {}, sizes_.resolve(other->shape));
    try {
      *side = apply(expr::operator_id<expr::ops::Add>(), e, {*side, zeros}, {});
    } catch (const expr::Error&) {  // other axes do not fit: the shapes as written tell it better than a sum that nobody wrote
    }
    return;
  }
}

void Elaborator::require_same_shape(Term& lhs, Term& rhs, Span span) {
  lhs = as_row_of(lhs, rhs->shape);
  rhs = as_row_of(rhs, lhs->shape);
  if (lhs->shape.empty() || rhs->shape.empty()) return;  // a scalar is compared with every entry
  const bool dropped = dropped_.count(lhs) > 0 || dropped_.count(rhs) > 0;
  const auto conflict = [this, lhs, rhs, span, dropped] {
    const Shape left = sizes_.resolve(lhs->shape), right = sizes_.resolve(rhs->shape);
    const bool turned = left.size() == 2 && right.size() == 2 && left[0] == right[1] && left[1] == right[0];
    const std::string hint = left.size() == right.size() ? std::string("both sides of a claim need one shape") + (turned ? "; a transpose may be missing" : "")
                             : dropped ? std::string("NumPy drops the axis of a sum, mean or maximum: ") + dropped_hint
                                       : "sums and means keep their axis with size 1; X[0:1] keeps a row as [1, d], and a vector [d] compares with [1, d] only";
    expr::fail("shape.conflict", "the left side is " + describe(lhs->shape) + " and the right side is " + describe(rhs->shape), span, hint);
  };
  if (lhs->shape.size() != rhs->shape.size()) conflict();
  for (std::size_t axis = 0; axis < lhs->shape.size(); ++axis) {
    current_ = nullptr;
    equate(resolve(lhs->shape[axis]), resolve(rhs->shape[axis]), {{lhs, axis}}, {{rhs, axis}}, conflict);
  }
}

void Elaborator::add_fact(Problem& p, const expr::Assumption& a, std::size_t number) {
  Fact f;
  f.number = number;
  f.text = expr::text(a);
  if (!a.relation) {
    f.kind = FactKind::predicate;
    f.predicate = a.lhs->name;
    const bool known = std::any_of(std::begin(predicates), std::end(predicates), [&](const char* x) { return f.predicate == x; });
    if (a.lhs->kind != SyntaxKind::call || !known) {
      std::string list;
      for (const char* x : predicates) list += (list.empty() ? "" : ", ") + std::string(x);
      const std::string instead = a.lhs->kind == SyntaxKind::call ? written_out(a.lhs->name) : "";
      // A few letters off, and no other word.
      const std::vector<std::string> near = a.lhs->kind == SyntaxKind::call ? expr::nearest(a.lhs->name, {std::begin(predicates), std::end(predicates)}, 1) : std::vector<std::string>();
      const std::string meant = !near.empty() && expr::edit_distance(a.lhs->name, near[0]) <= 2 ? expr::did_you_mean(a.lhs->name, near, 1) : "";
      expr::fail("assume.unknown", "`" + shorten(expr::text(a.lhs)) + "` is no known assumption", a.span, !instead.empty() ? instead : meant.empty() ? "assume a relation such as k == d or s > 0, or one of: " + list : meant);
    }
    if (a.lhs->args.size() != 1) expr::fail("assume.arguments", "`" + f.predicate + "` takes one tensor", a.span);
    f.lhs = term(a.lhs->args[0]);
    check_predicate(f, a);
  } else if (is_size_relation(a)) {
    f.relation = *a.relation;
    f.lhs_size = size(a.lhs);
    f.rhs_size = size(a.rhs);
    const bool open = std::find(undefined_relations_.begin(), undefined_relations_.end(), &a) != undefined_relations_.end();
    f.kind = f.relation == expr::Relation::equal && !open ? FactKind::definition : FactKind::dimension;
  } else if (const Expression mask = a.relation ? own_square(a) : nullptr; mask && term(mask)->kind == TermKind::variable) {
    f.kind = FactKind::predicate;
    f.predicate = "mask01";
    f.lhs = term(mask);
  } else {
    f.kind = substituted_.count(number) ? FactKind::definition : FactKind::relation;
    f.relation = *a.relation;
    f.lhs = term(a.lhs);
    f.rhs = term(a.rhs);
    if (f.relation != expr::Relation::equal && f.relation != expr::Relation::not_equal) repeat_sides(f.lhs, f.rhs, true);
    require_same_shape(f.lhs, f.rhs, a.span);
    if (f.relation != expr::Relation::not_equal) square_root(f);
    const Term& of = a.lhs->kind == SyntaxKind::name ? f.lhs : f.rhs;
    if (f.kind == FactKind::relation && of->kind == TermKind::variable && of->shape.size() == 2 && is_own_transpose(a)) {
      f.kind = FactKind::predicate;
      f.predicate = "symmetric";
      f.lhs = of;
      f.rhs = nullptr;
    } else if (const Expression product = product_with_own_inverse(a)) {  // of matrices that are square, by the assumption as it stands
      f.lhs = term(product);
      f.rhs = apply(expr::operator_id<expr::ops::Eye>(), product, {}, {resolve(f.lhs->shape[0])});
    }
  }
  p.facts.push_back(std::move(f));
}

/// sqrt(x) == c as x == c * c, for a number c, and so for >=: norm(x) == 1 says that the squares add up to 1. That it is at most c says also
/// that x is not negative.
void Elaborator::square_root(Fact& f) {
  using expr::Relation;
  for (const auto& [root, number] : {std::pair{&f.lhs, &f.rhs}, std::pair{&f.rhs, &f.lhs}}) {
    const bool above = root == &f.lhs ? f.relation == Relation::greater || f.relation == Relation::greater_equal : f.relation == Relation::less || f.relation == Relation::less_equal;
    if (f.relation != Relation::equal && !above) continue;
    if (!is<expr::ops::Sqrt>(*root) || (*number)->kind != TermKind::number || (*number)->value.sign() <= 0) continue;
    auto square = std::make_shared<TermNode>(**number);
    square->value = square->value * square->value;
    *number = square;
    *root = (*root)->args[0];
    return;
  }
}

void Elaborator::check_predicate(const Fact& f, const expr::Assumption& a) {
  const bool square = f.predicate == "orthogonal" || f.predicate == "permutation" || f.predicate == "invertible" || f.predicate == "symmetric";
  const bool matrix = square || f.predicate == "onehot" || f.predicate == "rowstochastic";
  if (f.predicate == "permutation" && f.lhs->shape.size() == 1) {  // a list of the numbers 0 .. n-1 in some order
    if (f.lhs->kind != TermKind::variable) expr::fail("assume.shape", "a permutation list is a variable", a.span, "name it: assume permutation(pi) with pi: [n]");
    return;
  }
  if (matrix && f.lhs->shape.size() != 2 && f.lhs->shape.size() != 3) expr::fail("assume.shape", "`" + f.predicate + "` needs a matrix, but this is " + describe(f.lhs->shape), a.span);
  if (square) {
    current_ = a.lhs;
    current_args_ = {f.lhs};
    const int first[] = {0};
    require_equal(f.lhs->shape[f.lhs->shape.size() - 2], f.lhs->shape.back(), first, "this assumption needs a square matrix");
  }
}

std::map<std::string, Dim> Elaborator::names_of_unknown_sizes() const {
  static constexpr const char* pool[] = {"n", "d", "k", "m", "p", "q", "r", "s", "t", "u", "v", "w"};
  std::map<std::string, Dim> names;
  std::size_t next = 0;
  for (const auto& v : variables_) {
    for (const Dim& axis : v.shape) {
      std::vector<std::string> found;
      expr::collect_names(resolve(axis), found);
      for (const auto& unknown : found) {
        if (!Sizes::is_unknown(unknown) || names.count(unknown)) continue;
        std::string chosen;
        do {
          chosen = next < std::size(pool) ? pool[next] : "d" + std::to_string(next);
          ++next;
        } while (taken(chosen));
        names.emplace(unknown, expr::dim(chosen));
      }
    }
  }
  return names;
}

void Elaborator::name_unknown_sizes() {
  const auto names = names_of_unknown_sizes();
  for (const auto& [unknown, name] : names) sizes_.define(unknown, name);
  freedom_ += names.size();
}

void Elaborator::finish(Problem& p) {
  const auto stays = [&](const std::string& name) {  // of what np.empty(...) held, every place may have another value by now
    const auto in = [&](const Term& t) { return mentions(t, name); };
    return in(p.lhs) || in(p.rhs) || std::any_of(sized_.begin(), sized_.end(), in) || std::any_of(measured_.begin(), measured_.end(), in) || std::any_of(p.facts.begin(), p.facts.end(), [&](const Fact& f) { return in(f.lhs) || in(f.rhs); });
  };
  std::erase_if(variables_, [&](const Variable& v) { return any_entries_.count(v.name) > 0 && !stays(v.name); });
  for (auto& v : variables_) {
    v.shape = sizes_.resolve(v.shape);
    require_entries(v.shape, "`" + v.name + "`", origin_.at(v.name));
    for (const Dim& d : v.shape) note_sizes(d);
    const bool defined = replaced_.count(v.name) > 0;
    if (defined) v.value = finish(definitions_.at(v.name));
    (defined ? p.replaced : p.variables).push_back(v);
  }
  for (auto& f : p.facts) {
    f.lhs_size = resolve(f.lhs_size);
    f.rhs_size = resolve(f.rhs_size);
    if (f.kind != FactKind::dimension) continue;
    note_sizes(f.lhs_size);
    note_sizes(f.rhs_size);
  }
  p.lhs = finish(p.lhs);
  p.rhs = finish(p.rhs);
  for (const auto& [from, to] : {std::pair{&sized_, &p.sized}, std::pair{&measured_, &p.measured}}) {
    for (const Term& t : *from) {
      if (t->kind != TermKind::variable) to->push_back(finish(t));
    }
  }
  for (auto& f : p.facts) {
    if (f.lhs) f.lhs = finish(f.lhs);
    if (f.rhs) f.rhs = finish(f.rhs);
  }
  for (auto& c : p.comparisons) c.difference = finish(c.difference);
  for (const auto& [name, value] : sizes_.known()) {
    add_least_size(p, name, resolve(value));
    if (!Sizes::is_unknown(name)) p.replaced_sizes.emplace_back(name, resolve(value));
  }
  p.dimensions = size_names_;
  p.ranks = ranks_;
}

/// n == m - 5 leaves m at least 6. Sums of products of sizes need no saying, and ranks may be 0.
void Elaborator::add_least_size(Problem& p, const std::string& name, const Dim& value) {
  const auto positive = [](const auto& m) { return m.coefficient > 0 && std::none_of(m.product.begin(), m.product.end(), [](const auto& s) { return s.division != nullptr; }); };
  if (!Sizes::is_unknown(name) && value.constant().value_or(1) < 1) {
    const Span span = claim_.assumptions.empty() ? claim_.lhs->span : claim_.assumptions.back().span;
    expr::fail("assume.vacuous", "the assumptions leave `" + name + "` the size " + expr::text(value) + ", and sizes are at least 1", span, "a claim without instances says nothing");
  }
  if (Sizes::is_unknown(name) || expr::mentions_rank(value) || std::all_of(value.summands().begin(), value.summands().end(), positive)) return;
  Fact f;
  f.kind = FactKind::dimension;
  f.relation = expr::Relation::less_equal;
  f.lhs_size = 1;
  f.rhs_size = value;
  f.number = claim_.assumptions.size();
  f.text = "1 <= " + name;
  f.unsaid = true;
  note_sizes(value);
  p.facts.push_back(std::move(f));
}

void Elaborator::require_entries(const Shape& shape, const std::string& what, Span span) {
  const bool empty = std::any_of(shape.begin(), shape.end(), [](const Dim& d) { return d.constant().value_or(1) < 1; });
  if (empty) expr::fail("shape.size", what + " is " + expr::text(shape) + " under the assumptions, and sizes are at least 1", span, "an empty matrix has no entries: leave it out");
}

Term Elaborator::finish(const Term& t) {
  if (const auto done = finished_.find(t); done != finished_.end()) return done->second;
  auto node = std::make_shared<TermNode>(*t);
  for (Term& a : node->args) a = finish(a);
  node->shape = sizes_.resolve(node->shape);
  require_entries(node->shape, "this", node->span);
  node->size = resolve(node->size);
  for (Shape& s : node->call.operands) s = sizes_.resolve(s);
  for (Dim& d : node->call.sizes) d = resolve(d);
  node->call.result = node->shape;
  for (const Dim& d : node->shape) note_sizes(d);
  note_sizes(node->size);
  for (const Dim& d : node->call.sizes) note_sizes(d);
  finished_[t] = node;
  return node;
}

void Elaborator::note_sizes(const Dim& d) {
  std::vector<std::string> found;
  expr::collect_names(d, found);
  for (const auto& name : found) {
    if (used_indices_.count(name) == 0 && !expr::is_rank(name) && std::find(size_names_.begin(), size_names_.end(), name) == size_names_.end()) size_names_.push_back(name);
  }
}

}  // namespace foldproof::infer
