// SPDX-License-Identifier: MIT
#include "prove/factors.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <optional>

#include "expr/build.hpp"
#include "expr/diagnostic.hpp"
#include "kernel/reduction.hpp"
#include "prove/parts.hpp"
#include "prove/words.hpp"
#include "read/parse.hpp"

namespace foldproof::prove {
namespace {

using expr::call;
using expr::changed;
using expr::mentions;
using expr::node;
using expr::Syntax;
using expr::transposed;

constexpr std::size_t most_candidates = 8;  // for one matrix, besides itself times an identity
constexpr int deepest = 24;

Expression one() { return read::parse_expression("1"); }
Expression product(const Expression& a, const Expression& b) { return node(SyntaxKind::matmul, {a, b}); }
/// `e for index in range(count)` under a call
Expression over(const char* name, const Expression& comprehension, const Expression& body) {
  auto copy = std::make_shared<Syntax>(*comprehension);
  copy->args[0] = body;
  return call(name, {copy});
}
class Factorizer {
 public:
  Factorizer(const Claim& claim, const infer::Problem& problem) : claim_(kernel::declared(claim, problem)), less_one_(!sizes_less_one(claim.rhs).empty() || has_constant(problem)) {
    for (int pass = 0; pass < 2; ++pass) {  // what A + B says of A needs to know B
      note_targets(claim.rhs);
      note_subtracted(claim.lhs);
      for (const auto& a : claim.assumptions) {
        if (a.relation) note_targets(a.lhs);
      }
    }
  }

  std::vector<Factors> of(const Expression& e, int depth = 0) {
    std::vector<Factors> found;
    if (depth > deepest) return found;
    if (const auto known = known_.find(expr::text(e)); known != known_.end()) found = known->second;
    structure(e, depth, found);
    for (const auto& a : claim_.assumptions) {  // softmax(Q @ K.T) == L @ M
      if (a.relation == expr::Relation::equal && a.rhs->kind == SyntaxKind::matmul && expr::same(a.lhs, e)) found.insert(found.begin(), {a.rhs->args[0], a.rhs->args[1]});
    }
    const auto simpler = depth == 0 ? cancelled(claim_, e, [this](const Expression& x) { return shape_of(x); }) : std::nullopt;
    if (simpler) {
      const auto better = nontrivial(*simpler, depth);
      found.insert(found.begin(), better.begin(), better.end());
    }
    if (depth == 0) {
      std::vector<Factors> few;
      for (const auto& [left, right] : covers(claim_, e, [this](const Expression& x) { return shape_of(x); })) few.push_back({left, right});
      found.insert(found.begin(), few.begin(), few.end());
    }
    if (found.size() > most_candidates) found.resize(most_candidates);
    if (const auto shape = shape_of(e); shape && shape->size() == 2) {
      if (less_one_) centred(e, *shape, found);
      found.push_back({e, call("eye", {read::parse_expression(expr::text((*shape)[1]))})});
      found.push_back({call("eye", {read::parse_expression(expr::text((*shape)[0]))}), e});
    }
    return found;
  }

  std::vector<Factors> units(const Expression& e) {
    const auto shape = shape_of(e);
    if (!shape || shape->size() != 2) return {};
    const Expression rows = call("eye", {read::parse_expression(expr::text((*shape)[0]))}), columns = call("eye", {read::parse_expression(expr::text((*shape)[1]))});
    std::vector<Factors> found{{rows, columns}, {transposed(e), columns}, {rows, transposed(e)}, {call("inv", {e}), columns}};
    const auto chain = factors_of(e);
    const auto invertible = kernel::invertible_parts(claim_);
    const auto has_inverse = [&](const Expression& x) { return expr::contains(invertible, x) || expr::contains(invertible, transposed(x)) || is_call(x, "inv", 1) || is_call(x, "diag", 1); };
    if (std::all_of(chain.begin(), chain.end(), has_inverse)) {
      Expression inverse;
      for (const Expression& x : chain) inverse = inverse ? product(inverse_of(x), inverse) : inverse_of(x);
      found.insert(found.begin(), {inverse, columns});
    }
    if (is_call(e, "softmax", 1)) {  // rows that add up to 1
      const Expression row = call("ones", {one(), rows->args[0]});
      found.push_back({node(SyntaxKind::divide, {row, rows->args[0]}), call("ones", {columns->args[0], one()})});
    }
    if (is_call(e, "ones", 2)) {
      const auto mean = [&](const Expression& row, const Expression& column, const Expression& size) { return node(SyntaxKind::divide, {call("ones", {row, column}), size}); };
      found.push_back({mean(one(), e->args[0], e->args[0]), mean(e->args[1], one(), e->args[1])});
    }
    if (is_call(e, "exp", 1)) {  // its first entry, which is not zero
      const auto first = [&](const Expression& x, bool all_rows, bool all_columns) {
        auto part = std::make_shared<Syntax>(*node(SyntaxKind::index, {x}));
        for (const bool all : {all_rows, all_columns}) part->subscripts.push_back({.slice = true, .start = nullptr, .stop = all ? nullptr : one(), .step = nullptr});
        return Expression(part);
      };
      const Expression reciprocal = call("exp", {node(SyntaxKind::negate, {first(e->args[0], false, false)})});
      found.push_back({node(SyntaxKind::multiply, {first(rows, false, true), reciprocal}), first(columns, true, false)});
    }
    for (const auto& a : claim_.assumptions) {  // an assumed inverse of one side
      if (a.relation != expr::Relation::equal || a.lhs->kind != SyntaxKind::matmul || !is_call(a.rhs, "eye", 1)) continue;
      if (expr::same(a.lhs->args[0], e)) found.push_back({rows, a.lhs->args[1]});
      if (expr::same(a.lhs->args[1], e)) found.push_back({a.lhs->args[0], columns});
    }
    return found;
  }

 private:
  /// rank(T) stands in a bound: T == lfac(T) @ rfac(T), and so does what T is made of by steps that can be undone.
  void note_targets(const Expression& e) {
    if (is_call(e, "rank", 1)) {
      const Expression& t = e->args[0];
      undo(t, {call("lfac", {t}), call("rfac", {t})}, 0);
      return;
    }
    for (const auto& a : e->args) note_targets(a);
  }
  void note_subtracted(const Expression& e) {
    if (e->kind == SyntaxKind::subtract) note_targets(e->args[1]);
    for (const auto& a : e->args) note_subtracted(a);
  }
  void undo(const Expression& t, const Factors& f, int depth) {
    auto& known = known_[expr::text(t)];
    const bool again = std::any_of(known.begin(), known.end(), [&](const Factors& g) { return expr::same(f.left, g.left) && expr::same(f.right, g.right); });
    if (!again) known.push_back(f);
    if (depth > 2) return;
    undo_sum(t, f, depth);
    undo_blocks(t, f, depth);
    if (const auto groups = grouped(t)) {  // the mean over the copies of each block
      const Expression mean = groups->copies([&](const Expression& g) { return node(SyntaxKind::divide, {groups->beside ? call("ones", {g, one()}) : call("ones", {one(), g}), g}); });
      undo(groups->blocks, groups->beside ? Factors{f.left, product(f.right, mean)} : Factors{product(mean, f.left), f.right}, depth + 1);
    }
    if (t->kind == SyntaxKind::transpose) undo(t->args[0], {transposed(f.right), transposed(f.left)}, depth + 1);
    if (t->kind == SyntaxKind::negate) undo(t->args[0], {node(SyntaxKind::negate, {f.left}), f.right}, depth + 1);
    if (t->kind == SyntaxKind::multiply) {
      for (const std::size_t k : {0u, 1u}) {
        if (const auto scaled = scaling(SyntaxKind::divide, f, t->args[1 - k])) undo(t->args[k], *scaled, depth + 1);
      }
    }
    if (const Expression quotient = quotient_of(t)) undo(quotient, f, depth);
    if (is_plain_softmax(t)) {
      if (const auto scaled = scaling(SyntaxKind::multiply, f, call("exp", {call("lse", t->args)}))) undo(call("exp", t->args), *scaled, depth + 1);
    }
    if (const auto sum = sum_in_exp(t)) {
      if (const auto scaled = scaling(SyntaxKind::multiply, f, call("exp", {opposite(sum->second)}))) undo(call("exp", {sum->first}), *scaled, depth + 1);
    }
    if (t->kind == SyntaxKind::divide) {
      if (const auto scaled = scaling(SyntaxKind::multiply, f, t->args[1])) undo(t->args[0], *scaled, depth + 1);
    }
    if (t->kind == SyntaxKind::matmul) {
      if (const auto chain = first_and_rest(t)) undo(chain->right, {product(inverse_of(chain->left), f.left), f.right}, depth + 1);
      undo(t->args[0], {f.left, product(f.right, inverse_of(t->args[1]))}, depth + 1);
      undo(t->args[1], {product(inverse_of(t->args[0]), f.left), f.right}, depth + 1);
    }
  }

  static Expression opposite(const Expression& e) { return e->kind == SyntaxKind::negate ? e->args[0] : node(SyntaxKind::negate, {e}); }
  /// a and b of exp(a + b), a and -b of exp(a - b), and s * a and -(s * b) of exp(s * (a - b)).
  static std::optional<std::pair<Expression, Expression>> sum_in_exp(const Expression& e) {
    if (is_call(e, "exp", 1) && is_call(e->args[0], "offsets", 2)) return std::pair(call("positions", {e->args[0]->args[1]}), node(SyntaxKind::negate, {transposed(call("positions", {e->args[0]->args[0]}))}));
    for (const std::size_t k : {0u, 1u}) {
      const bool scaled = is_call(e, "exp", 1) && (e->args[0]->kind == SyntaxKind::multiply || (e->args[0]->kind == SyntaxKind::divide && k == 0));
      const auto sum = scaled ? sum_in_exp(call("exp", {e->args[0]->args[k]})) : std::nullopt;
      const auto times = [&](const Expression& x) { return node(e->args[0]->kind, k == 0 ? std::vector<Expression>{x, e->args[0]->args[1]} : std::vector<Expression>{e->args[0]->args[0], x}); };
      if (sum) return std::pair(times(sum->first), times(sum->second));
    }
    if (!is_call(e, "exp", 1) || (e->args[0]->kind != SyntaxKind::add && e->args[0]->kind != SyntaxKind::subtract)) return std::nullopt;
    const Expression &a = e->args[0]->args[0], &b = e->args[0]->args[1];
    return std::pair(a, e->args[0]->kind == SyntaxKind::add ? b : node(SyntaxKind::negate, {b}));
  }

  static Expression inverse_of(const Expression& e) {
    if (is_call(e, "inv", 1)) return e->args[0];
    if (e->kind == SyntaxKind::transpose) return transposed(inverse_of(e->args[0]));
    return is_call(e, "diag", 1) ? call("diag", {node(SyntaxKind::divide, {one(), e->args[0]})}) : call("inv", {e});
  }

  static std::vector<Expression> factors_of(const Expression& e) {
    if (e->kind != SyntaxKind::matmul) return {e};
    auto all = factors_of(e->args[0]);
    for (const Expression& x : factors_of(e->args[1])) all.push_back(x);
    return all;
  }

  /// A and B @ C of (A @ B) @ C, of three factors or more.
  static std::optional<Factors> first_and_rest(const Expression& e) {
    const auto chain = factors_of(e);
    if (chain.size() < 3) return std::nullopt;
    return Factors{chain[0], std::accumulate(chain.begin() + 2, chain.end(), chain[1], product)};
  }

  /// Whether a size is such as q + 1.
  static bool has_constant(const infer::Problem& problem) {
    const auto added = [](const expr::Dim& d) { return !d.constant() && std::any_of(d.summands().begin(), d.summands().end(), [](const auto& m) { return m.product.empty(); }); };
    return std::any_of(problem.variables.begin(), problem.variables.end(), [&](const auto& v) { return std::any_of(v.shape.begin(), v.shape.end(), added); });
  }

  /// Of a matrix whose rows or columns add up to zero the last column or row is minus the sum of the others.
  void centred(const Expression& e, const expr::Shape& shape, std::vector<Factors>& found) {
    for (const std::size_t axis : {1u, 0u}) {
      if (shape[axis].constant().value_or(2) < 2) continue;
      const Expression others = read::parse_expression(expr::text(shape[axis] - expr::Dim(1)));
      auto part = std::make_shared<Syntax>(*node(SyntaxKind::index, {e}));
      part->subscripts.assign(axis, {.slice = true, .start = nullptr, .stop = nullptr, .step = nullptr});
      part->subscripts.push_back({.slice = true, .start = nullptr, .stop = others, .step = nullptr});
      const auto last = [&](const Expression& rows, const Expression& columns) { return node(SyntaxKind::negate, {call("ones", {rows, columns})}); };
      if (axis == 1) found.push_back({part, call("concat", {call("eye", {others}), last(others, one())})});
      if (axis == 0) found.push_back({call("vstack", {call("eye", {others}), last(one(), others)}), part});
    }
  }

  /// The factors of what f makes, each row times or divided by an entry of a column c, each column by one of a row, or all by a number.
  std::optional<Factors> scaling(SyntaxKind kind, const Factors& f, const Expression& c) {
    if (kind == SyntaxKind::divide && c->kind == SyntaxKind::multiply) {  // by 2 * c where c != 0 is assumed
      const auto first = scaling(kind, f, c->args[0]);
      return first ? scaling(kind, *first, c->args[1]) : std::nullopt;
    }
    if (kind == SyntaxKind::divide && c->kind == SyntaxKind::index) {  // by a[:, None] where a != 0 is assumed
      auto reciprocal = std::make_shared<Syntax>(*c);
      reciprocal->args[0] = node(SyntaxKind::divide, {one(), c->args[0]});
      return scaling(SyntaxKind::multiply, f, reciprocal);
    }
    const auto shape = shape_of(c);
    if (!shape || shape->size() > 2) return std::nullopt;
    if (shape->empty() || (shape->size() == 2 && (*shape)[1].is_one())) return Factors{node(kind, {f.left, c}), f.right};
    if (shape->size() == 1 || (*shape)[0].is_one()) return Factors{f.left, node(kind, {f.right, c})};
    return std::nullopt;
  }

  /// What a norm is, without a gain or an epsilon: X / rms(X).
  static bool is_plain_softmax(const Expression& e) { return is_call(e, "softmax", 1) && e->keywords.empty(); }
  static Expression quotient_of(const Expression& e) {
    const Expression divisor = kernel::norm_divisor(e);
    return divisor ? node(SyntaxKind::divide, {divisor->args[0], divisor}) : nullptr;
  }

  /// concat(W[i//g] for i in range(h*g)), which has g copies of each block: `blocks` is concat(W[i] for i in range(h)).
  struct Groups {
    bool beside;  ///< concat, not vstack
    Expression blocks, heads, size, width;
    /// What blocks have to be multiplied by, given how one of them becomes `size` ones.
    Expression copies(const std::function<Expression(const Expression&)>& one_by_size) const {
      return call("kron", {call("eye", {heads}), call("kron", {one_by_size(size), call("eye", {width})})});
    }
  };
  std::optional<Groups> grouped(const Expression& e) {
    const bool beside = is_call(e, "concat", 1);
    if ((!beside && !is_call(e, "vstack", 1)) || e->args[0]->kind != SyntaxKind::comprehension) return std::nullopt;
    const Expression& c = e->args[0];
    Expression size;
    const auto with = [&](const Expression& index) {
      return changed(c->args[0], [&](const Expression& x) -> Expression {
        const bool group = x->kind == SyntaxKind::floor_divide && x->args[0]->kind == SyntaxKind::name && x->args[0]->name == c->name;
        if (!group || (size && !expr::same(size, x->args[1]))) return nullptr;
        size = x->args[1];
        return index;
      });
    };
    const Expression first = with(read::parse_expression("0"));
    if (!size || mentions(first, c->name)) return std::nullopt;
    const auto shape = shape_of(first), sizes = shape_of(call("ones", {c->args[1], size}));
    if (!shape || shape->size() != 2 || !sizes) return std::nullopt;
    const auto heads = (*sizes)[0].divide((*sizes)[1]);
    if (!heads) return std::nullopt;
    auto blocks = std::make_shared<Syntax>(*c);
    blocks->args = {with(node(SyntaxKind::name, {}, c->name)), read::parse_expression(expr::text(*heads))};
    return Groups{beside, call(e->name, {blocks}), blocks->args[1], size, read::parse_expression(expr::text((*shape)[beside ? 1 : 0]))};
  }

  /// A is (A + B) - B, which has the columns of both.
  void undo_sum(const Expression& t, const Factors& f, int depth) {
    if (t->kind != SyntaxKind::add && t->kind != SyntaxKind::subtract) return;
    if (t->kind == SyntaxKind::add && expr::same(t->args[0], t->args[1])) return undo(t->args[0], {node(SyntaxKind::divide, {f.left, read::parse_expression("2")}), f.right}, depth + 1);
    for (const std::size_t k : {0u, 1u}) {
      for (const Factors& g : nontrivial(t->args[1 - k], depth)) {
        const auto negative = [](const Expression& x) { return node(SyntaxKind::negate, {x}); };
        const bool minus = t->kind == SyntaxKind::subtract;
        const Expression own = minus && k == 1 ? negative(f.right) : f.right;  // B == A - (A - B)
        const Expression rest = minus ? g.right : negative(g.right);
        undo(t->args[k], {call("concat", {f.left, g.left}), call("vstack", {own, rest})}, depth + 1);
      }
    }
  }
  /// hstack([A, B, C]) and the like as concat(A, concat(B, C)) or vstack(A, vstack(B, C)), of a comprehension as concat or vstack of it; other
  /// expressions as they are.
  Expression in_two_parts(const Expression& e) {
    if (e->kind != SyntaxKind::call || (e->name != "hstack" && e->name != "vstack" && e->name != "concat" && e->name != "concatenate" && e->name != "cat")) return e;
    const bool list = e->args.size() == 1 && e->args[0]->kind == SyntaxKind::list;
    const std::vector<Expression>& parts = list ? e->args[0]->args : e->args;
    const bool over_heads = parts.size() == 1 && parts[0]->kind == SyntaxKind::comprehension;
    const bool matrices = over_heads || (parts.size() > 1 && std::all_of(parts.begin(), parts.end(), [&](const Expression& part) { return shape_of(part).value_or(expr::Shape{}).size() == 2; }));
    if (!matrices || e->keywords.size() > 1) return e;
    bool beside = e->name != "vstack";
    if (!e->keywords.empty()) {
      const auto& [key, axis] = e->keywords[0];
      const bool last = axis->kind == SyntaxKind::negate && is_number(axis->args[0], 1);
      if ((key != "axis" && key != "dim") || (!is_number(axis, 0) && !is_number(axis, 1) && !last)) return e;
      beside = !is_number(axis, 0);
    }
    if (over_heads) return call(beside ? "concat" : "vstack", {parts[0]});
    Expression joined = parts.back();
    for (std::size_t k = parts.size() - 1; k-- > 0;) joined = call(beside ? "concat" : "vstack", {parts[k], joined});
    return joined;
  }
  /// A is the first columns of concat(A, B), the first rows of vstack(A, B).
  void undo_blocks(const Expression& written, const Factors& f, int depth) {
    const Expression t = in_two_parts(written);
    const bool beside = is_call(t, "concat", 2);
    if (!beside && !is_call(t, "vstack", 2)) return;
    for (const std::size_t k : {0u, 1u}) {
      const auto own = shape_of(t->args[k]), other = shape_of(t->args[1 - k]);
      if (!own || !other || own->size() != 2 || other->size() != 2) continue;
      const std::size_t axis = beside ? 1 : 0;
      const auto size = [&](const expr::Shape& s) { return read::parse_expression(expr::text(s[axis])); };
      const Expression eye = call("eye", {size(*own)}), zeros = call("zeros", {size(*other), size(*own)});
      const Expression pick = k == 0 ? call("vstack", {eye, zeros}) : call("vstack", {zeros, eye});
      undo(t->args[k], beside ? Factors{f.left, product(f.right, pick)} : Factors{product(transposed(pick), f.left), f.right}, depth + 1);
    }
  }

  void structure(const Expression& e, int depth, std::vector<Factors>& found) {
    const auto inner = [&](const Expression& x) { return of(x, depth + 1); };
    switch (e->kind) {
      case SyntaxKind::name:
        for (const auto& d : claim_.definitions) {
          if (d.name == e->name) found = inner(d.value);
        }
        for (const auto& a : claim_.assumptions) {
          if (a.relation == expr::Relation::equal && a.lhs->kind == SyntaxKind::name && a.lhs->name == e->name && !mentions(a.rhs, e->name)) found = inner(a.rhs);
        }
        return;
      case SyntaxKind::matmul:
        found.push_back({e->args[0], e->args[1]});
        if (e->args[0]->kind == SyntaxKind::negate) found.push_back({e->args[0]->args[0], node(SyntaxKind::negate, {e->args[1]})});
        if (const auto chain = first_and_rest(e)) found.push_back(*chain);
        for (const Factors& f : nontrivial(e->args[0], depth)) found.push_back({f.left, product(f.right, e->args[1])});
        for (const Factors& f : nontrivial(e->args[1], depth)) found.push_back({product(e->args[0], f.left), f.right});
        return;
      case SyntaxKind::negate:
        for (const Factors& f : nontrivial(e->args[0], depth)) found.push_back({f.left, node(SyntaxKind::negate, {f.right})});
        return;
      case SyntaxKind::transpose:
        for (const Factors& f : nontrivial(e->args[0], depth)) found.push_back({transposed(f.right), transposed(f.left)});
        return;
      case SyntaxKind::add:
      case SyntaxKind::subtract: return sum(e, depth, found);
      case SyntaxKind::multiply: return entrywise(e, depth, found);
      case SyntaxKind::power:
        if (e->args[1]->kind == SyntaxKind::number && e->args[1]->value == expr::Rational(2)) entrywise(node(SyntaxKind::multiply, {e->args[0], e->args[0]}), depth, found);
        return;
      case SyntaxKind::divide:
        for (const Factors& f : nontrivial(e->args[0], depth)) {
          if (const auto scaled = scaling(SyntaxKind::divide, f, e->args[1])) found.push_back(*scaled);
        }
        if (const auto shape = shape_of(e->args[1]); shape && shape->size() == 2 && ((*shape)[0].is_one() || (*shape)[1].is_one())) {
          const Expression scale = call("diag", {node(SyntaxKind::divide, {one(), e->args[1]})});
          found.push_back((*shape)[1].is_one() ? Factors{scale, e->args[0]} : Factors{e->args[0], scale});
        }
        return;
      case SyntaxKind::call: return of_call(e, depth, found);
      case SyntaxKind::index:
        if (e->subscripts.size() == 1 && !e->subscripts[0].slice) selected(e->args[0], e->subscripts[0].start, found);
        sliced(e, depth, found);
        return;
      default: return;
    }
  }
  /// Without the products by an identity.
  std::vector<Factors> nontrivial(const Expression& e, int depth) {
    auto found = of(e, depth + 1);
    std::erase_if(found, [](const Factors& f) { return is_call(f.left, "eye", 1) || is_call(f.right, "eye", 1); });
    return found;
  }
  void sum(const Expression& e, int depth, std::vector<Factors>& found) {
    const auto part = [&](const Expression& x) {
      const auto shape = shape_of(x), whole = shape_of(e);
      std::vector<Factors> f;
      if (!shape || !whole || whole->size() != 2) return f;
      const auto ones = [&](const expr::Dim& rows, const expr::Dim& columns) { return call("ones", {read::parse_expression(expr::text(rows)), read::parse_expression(expr::text(columns))}); };
      if (shape->empty()) return std::vector<Factors>{{node(SyntaxKind::multiply, {x, ones((*whole)[0], 1)}), ones(1, (*whole)[1])}};
      for (const bool columns : {true, false}) {  // the mean of each column, below one another, is a product with the matrix itself
        const bool mean = is_call(x, columns ? "colmean" : "mean", 1);
        if ((!mean && !is_call(x, columns ? "colsum" : "rowsum", 1)) || shape_of(x->args[0]) != whole) continue;
        const expr::Dim& size = (*whole)[columns ? 0 : 1];
        const Expression all = ones(size, size);
        const Expression averaged = mean ? node(SyntaxKind::multiply, {node(SyntaxKind::divide, {read::parse_expression("1"), read::parse_expression(expr::text(size))}), all}) : all;
        for (const Factors& g : of(x->args[0], depth + 1)) f.push_back(columns ? Factors{product(averaged, g.left), g.right} : Factors{g.left, product(g.right, averaged)});
        return f;
      }
      if (shape->size() == 1 || ((*shape)[0].is_one() && !(*whole)[0].is_one())) {  // a row added to each row
        const Expression row = shape->size() == 1 ? call("reshape", {x, read::parse_expression("1"), read::parse_expression(expr::text((*whole)[1]))}) : x;
        return std::vector<Factors>{{ones((*whole)[0], 1), row}};
      }
      if ((*shape)[1].is_one() && !(*whole)[1].is_one()) return std::vector<Factors>{{x, ones(1, (*whole)[1])}};
      return of(x, depth + 1);
    };
    for (const Factors& a : part(e->args[0])) {
      for (const Factors& b : part(e->args[1])) {
        if (expr::same(a.left, b.left)) found.push_back({a.left, node(e->kind, {a.right, b.right})});
        if (expr::same(a.right, b.right)) found.push_back({node(e->kind, {a.left, b.left}), a.right});
        const Expression low = e->kind == SyntaxKind::subtract ? node(SyntaxKind::negate, {b.right}) : b.right;
        found.push_back({call("concat", {a.left, b.left}), call("vstack", {a.right, low})});
      }
    }
  }
  void entrywise(const Expression& e, int depth, std::vector<Factors>& found) {
    for (const bool swapped : {false, true}) {
      const Expression& c = e->args[swapped ? 1 : 0];
      const Expression& x = e->args[swapped ? 0 : 1];
      const auto shape = shape_of(c);
      if (!shape) continue;
      const bool column = shape->size() == 2 && (*shape)[1].is_one(), row = shape->size() == 1 || (shape->size() == 2 && (*shape)[0].is_one());
      if (!shape->empty() && !column && !row) continue;
      if (column) {
        const auto other = shape_of(x);
        if (other && (other->size() == 1 || (other->size() == 2 && (*other)[0].is_one()))) found.push_back({c, other->size() == 1 ? call("reshape", {x, read::parse_expression("1"), read::parse_expression(expr::text((*other)[0]))}) : x});
      }
      for (const Factors& f : nontrivial(x, depth)) {
        if (shape->empty() || column) found.push_back({node(SyntaxKind::multiply, {c, f.left}), f.right});
        if (row) found.push_back({f.left, node(SyntaxKind::multiply, {f.right, c})});
      }
      if (!shape->empty() && column) found.push_back({call("diag", {c}), x});
      if (row && !shape->empty()) found.push_back({x, call("diag", {c})});
    }
    const auto a = shape_of(e->args[0]), b = shape_of(e->args[1]);
    if (!a || !b || *a != *b) return;
    for (const Factors& f : nontrivial(e->args[0], depth)) {
      for (const Factors& g : nontrivial(e->args[1], depth)) found.push_back({call("rowkron", {f.left, g.left}), transposed(call("rowkron", {transposed(f.right), transposed(g.right)}))});
    }
  }
  /// np.outer(x, y), which is read as einsum('i,j->ij', x, y): a column times a row.
  void outer_product(const Expression& e, std::vector<Factors>& found) {
    const bool outer = e->args.size() == 2 && e->keywords.size() == 1 && e->keywords[0].second->name == "'i,j->ij'";
    const auto x = outer ? shape_of(e->args[0]) : std::nullopt, y = outer ? shape_of(e->args[1]) : std::nullopt;
    if (!x || !y || x->size() != 1 || y->size() != 1) return;
    found.push_back({call("reshape", {e->args[0], read::parse_expression(expr::text((*x)[0])), one()}), call("reshape", {e->args[1], one(), read::parse_expression(expr::text((*y)[0]))})});
  }
  /// Some of the rows and columns in order: those of the factors.
  void sliced(const Expression& e, int depth, std::vector<Factors>& found) {
    const auto shape = shape_of(e->args[0]);
    const bool slices = std::all_of(e->subscripts.begin(), e->subscripts.end(), [](const expr::Subscript& s) { return s.slice && !s.step; });
    if (!shape || shape->size() != 2 || !slices || e->subscripts.size() > 2) return;
    const auto part = [&](const Expression& x, std::size_t axis) {
      if (axis >= e->subscripts.size() || (!e->subscripts[axis].start && !e->subscripts[axis].stop)) return x;
      auto index = std::make_shared<Syntax>(*node(SyntaxKind::index, {x}));
      if (axis == 1) index->subscripts.push_back({.slice = true, .start = nullptr, .stop = nullptr, .step = nullptr});
      index->subscripts.push_back(e->subscripts[axis]);
      return Expression(index);
    };
    for (const Factors& f : of(e->args[0], depth + 1)) found.push_back({part(f.left, 0), part(f.right, 1)});
  }
  /// The rows of a matrix that a list of token numbers names.
  void selected(const Expression& matrix, const Expression& tokens, std::vector<Factors>& found) {
    const auto shape = shape_of(matrix), list = shape_of(tokens);
    if (!shape || shape->size() != 2 || !list || list->size() != 1) return;
    const Expression rows = call("onehot", {tokens, read::parse_expression(expr::text((*shape)[0]))});
    for (const Factors& f : of(matrix)) found.push_back({product(rows, f.left), f.right});
  }
  void of_call(const Expression& written, int depth, std::vector<Factors>& found) {
    const Expression e = in_two_parts(written);
    if (const auto groups = grouped(e)) {
      const Expression copies = groups->copies([&](const Expression& g) { return groups->beside ? call("ones", {one(), g}) : call("ones", {g, one()}); });
      for (const Factors& f : of(groups->blocks, depth + 1)) found.push_back(groups->beside ? Factors{f.left, product(f.right, copies)} : Factors{product(copies, f.left), f.right});
    }
    const bool comprehension = e->args.size() == 1 && e->args[0]->kind == SyntaxKind::comprehension;
    if (comprehension && (e->name == "concat" || e->name == "vstack" || e->name == "sum")) {
      const Expression& c = e->args[0];
      for (const Factors& f : of(c->args[0], depth + 1)) {
        if (e->name == "concat" && !mentions(f.left, c->name)) found.push_back({f.left, over("concat", c, f.right)});
        if (e->name == "vstack" && !mentions(f.right, c->name)) found.push_back({over("vstack", c, f.left), f.right});
        if (e->name == "concat") found.push_back({over("concat", c, f.left), over("blockdiag", c, f.right)});
        if (e->name == "vstack") found.push_back({over("blockdiag", c, f.left), over("vstack", c, f.right)});
        if (e->name != "sum") continue;
        if (!mentions(f.left, c->name)) found.push_back({f.left, over("sum", c, f.right)});
        if (!mentions(f.right, c->name)) found.push_back({over("sum", c, f.left), f.right});
        const Expression left = over("concat", c, f.left), right = over("vstack", c, f.right);
        found.push_back({left, right});
        if (!grouped(left)) continue;
        for (const Factors& g : nontrivial(left, depth)) found.push_back({g.left, product(g.right, right)});
      }
      return;
    }
    if (const auto sum = sum_in_exp(e)) entrywise(node(SyntaxKind::multiply, {call("exp", {sum->first}), call("exp", {sum->second})}), depth, found);  // of what a column or a row is added to
    if (is_call(e, "offsets", 2)) structure(node(SyntaxKind::subtract, {call("positions", {e->args[1]}), transposed(call("positions", {e->args[0]}))}), depth, found);
    const Expression scores = is_call(e, "log_softmax", 1) ? e->args[0] : is_call(e, "log", 1) && is_call(e->args[0], "softmax", 1) ? e->args[0]->args[0] : nullptr;
    if (scores) structure(node(SyntaxKind::subtract, {scores, call("lse", {scores})}), depth, found);  // the softmax bottleneck
    if (is_plain_softmax(e)) structure(node(SyntaxKind::matmul, {call("diag", {call("exp", {node(SyntaxKind::negate, {call("lse", e->args)})})}), call("exp", e->args)}), depth, found);
    if (e->name == "einsum") outer_product(e, found);
    if (is_call(e, "ones", 2) || is_call(e, "zeros", 2)) found.push_back({call(e->name, {e->args[0], one()}), call(e->name, {one(), e->args[1]})});
    if (const Expression quotient = quotient_of(e)) structure(quotient, depth, found);
    if (is_call(e, "take", 2)) selected(e->args[0], e->args[1], found);
    if (is_call(e, "kron", 2)) {
      for (const Factors& a : of(e->args[0], depth + 1)) {
        for (const Factors& b : of(e->args[1], depth + 1)) found.push_back({call("kron", {a.left, b.left}), call("kron", {a.right, b.right})});
      }
    }
    const bool beside = is_call(e, "concat", 2), below = is_call(e, "vstack", 2), blocks = is_call(e, "blockdiag", 2);
    if (!beside && !below && !blocks) return;
    for (const Factors& a : of(e->args[0], depth + 1)) {
      for (const Factors& b : of(e->args[1], depth + 1)) {
        if (beside && expr::same(a.left, b.left)) found.push_back({a.left, call("concat", {a.right, b.right})});
        if (below && expr::same(a.right, b.right)) found.push_back({call("vstack", {a.left, b.left}), a.right});
        if (beside) found.push_back({call("concat", {a.left, b.left}), call("blockdiag", {a.right, b.right})});
        if (below) found.push_back({call("blockdiag", {a.left, b.left}), call("vstack", {a.right, b.right})});
        if (blocks) found.push_back({call("blockdiag", {a.left, b.left}), call("blockdiag", {a.right, b.right})});
      }
    }
  }

  std::optional<expr::Shape> shape_of(const Expression& e) const { return prove::shape_of(claim_, e); }

  Claim claim_;
  bool less_one_;  ///< the bound is made with a size less 1, as for rows or columns that add up to zero
  std::map<std::string, std::vector<Factors>> known_;
};

}  // namespace

std::optional<expr::Shape> shape_of(const Claim& claim, const Expression& e) {
  Claim probe = claim;
  probe.lhs = probe.rhs = e;
  probe.relation = expr::Relation::equal;
  try {
    const auto shape = infer::elaborate(probe).lhs->shape;
    if (std::any_of(shape.begin(), shape.end(), expr::mentions_rank)) return std::nullopt;
    return shape;
  } catch (const expr::Error&) {
    return std::nullopt;
  }
}

std::set<std::string> sizes_less_one(const Expression& e) {
  std::set<std::string> found;
  const bool here = e->kind == SyntaxKind::subtract && e->args[0]->kind == SyntaxKind::name && e->args[1]->kind == SyntaxKind::number && e->args[1]->value == expr::Rational(1);
  if (here) found.insert(e->args[0]->name);
  for (const Expression& a : e->args) found.merge(sizes_less_one(a));
  return found;
}

std::vector<Factors> factorizations(const Claim& claim, const infer::Problem& problem) { return Factorizer(claim, problem).of(kernel::growing_rank(claim.lhs)->args[0]); }

std::vector<Factors> unit_witnesses(const Claim& claim, const infer::Problem& problem) { return Factorizer(claim, problem).units(kernel::growing_rank(claim.rhs)->args[0]); }

}  // namespace foldproof::prove
