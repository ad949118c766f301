// SPDX-License-Identifier: MIT
// From syntax to typed terms. One Elaborator works under one reading of the undeclared names; `elaborate` at the end tries the
// readings and keeps the most general one. Part of the trusted base.
#include <algorithm>
#include <optional>

#include "expr/operators.hpp"
#include "infer/names.hpp"
#include "infer/problem.hpp"
#include "infer/unify.hpp"

namespace foldproof::infer {
namespace {

using expr::Dim;
using expr::Expression;
using expr::Rational;
using expr::Shape;
using expr::Span;
using expr::Syntax;
using expr::SyntaxKind;

/// How an undeclared name that occurs in entrywise places only is read.
enum class Reading { matrix, row, column, scalar };

/// Smallest edit distance wins; used for "did you mean".
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t above = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0 : 1)});
      diagonal = above;
    }
  }
  return row[b.size()];
}

std::string nearest_operator(std::string_view name) {
  std::string best;
  std::size_t least = 3;
  for (int id = 0; id < expr::operator_count; ++id) {
    const std::string candidate = expr::operator_info(id).name;
    if (candidate.find(' ') == std::string::npos && distance(name, candidate) < least) {
      least = distance(name, candidate);
      best = candidate;
    }
  }
  return best;
}

class Elaborator final : public expr::ShapeRules {
 public:
  Elaborator(const expr::Claim& claim, const Names& names, const std::map<std::string, Reading>& readings) : claim_(claim), names_(names) {
    for (const auto& d : claim.declarations) {
      if (names.sizes.count(d.name)) expr::fail("name.two_meanings", "`" + d.name + "` is declared as a tensor and used as a size", d.span, "give one of them another name");
      add_variable(d.name, d.shape, true, d.span);
    }
    for (const auto& name : names.tensors) {
      const auto rank = names.rank.find(name);
      Shape shape;
      const auto reading = readings.find(name);
      if (reading != readings.end() && reading->second != Reading::matrix) {
        if (reading->second == Reading::row) shape = {1, sizes_.fresh()};
        if (reading->second == Reading::column) shape = {sizes_.fresh(), 1};
      } else {
        for (std::size_t axis = 0; axis < (rank == names.rank.end() ? 2 : rank->second); ++axis) shape.push_back(sizes_.fresh());
      }
      add_variable(name, shape, false, names.first_use.at(name));
    }
  }

  Problem run() {
    define_sizes();
    for (const auto& d : claim_.definitions) definitions_[d.name] = term(d.value);
    substitute_variables();
    Problem p;
    p.lhs = term(claim_.lhs);
    p.rhs = term(claim_.rhs);
    p.relation = claim_.relation;
    require_same_shape(p.lhs, p.rhs, Span{claim_.lhs->span.begin, claim_.rhs->span.end});
    for (std::size_t k = 0; k < claim_.assumptions.size(); ++k) add_fact(p, claim_.assumptions[k], k);
    name_unknown_sizes();
    finish(p);
    return p;
  }

  /// How many sizes are still free: more is more general.
  std::size_t freedom() const { return freedom_; }

  // ShapeRules
  Dim resolve(const Dim& d) const override { return sizes_.resolve(d); }
  void require_equal(const Dim& a, const Dim& b, std::span<const int> operands, const char* why) override {
    if (unify(a, b)) return;
    conflict(a, b, operands, why);
  }
  using ShapeRules::broadcast;
  Dim broadcast(const Dim& a, const Dim& b, std::span<const int> operands) override {
    const Dim x = resolve(a);
    const Dim y = resolve(b);
    if (x == y || y.is_one()) return x;
    if (x.is_one()) return y;
    require_equal(x, y, operands, "entrywise operands must have equal sizes, or size 1 to be repeated");
    return resolve(x);
  }
  [[noreturn]] void fail(const std::string& message, const std::string& hint) override {
    expr::fail("shape.operand", message + here(), current_ ? current_->span : Span{}, hint);
  }

 private:
  // ---- names ----
  void add_variable(const std::string& name, const Shape& shape, bool declared, Span span) {
    auto node = std::make_shared<TermNode>();
    node->kind = TermKind::variable;
    node->name = name;
    node->shape = shape;
    node->span = span;
    variables_.push_back({name, shape, declared});
    by_name_[name] = node;
    origin_[name] = span;
  }

  /// `assume d == h*k` and `assume k == 4` define a size; applied before shapes are inferred.
  void define_sizes() {
    for (const auto& a : claim_.assumptions) {
      if (!is_size_relation(a) || *a.relation != expr::Relation::equal) continue;
      const Dim x = size(a.lhs);
      const Dim y = size(a.rhs);
      const Dim difference = resolve(x) - resolve(y);
      if (difference.is_zero()) continue;
      if (!define_by(x, y) && !define_by(y, x) && !define_by_difference(difference)) undefined_relations_.push_back(&a);
    }
  }
  bool define_by(const Dim& x, const Dim& y) {
    const auto s = resolve(x).as_symbol();
    return s && !s->division && sizes_.define(s->name, y);
  }
  /// n - t - s == 0 defines the alphabetically last name that stands alone.
  bool define_by_difference(const Dim& difference) {
    for (auto it = difference.summands().rbegin(); it != difference.summands().rend(); ++it) {
      if (it->product.size() != 1 || (it->coefficient != 1 && it->coefficient != -1) || it->product[0].division) continue;
      const Dim rest = difference - Dim::symbol(it->product[0]) * Dim(it->coefficient);
      if (sizes_.define(it->product[0].name, it->coefficient == 1 ? -rest : rest)) return true;
    }
    return false;
  }
  bool is_size_relation(const expr::Assumption& a) const { return a.relation && is_size(a.lhs) && is_size(a.rhs); }
  /// Only names of sizes and integers, with at least integer arithmetic between them.
  bool is_size(const Expression& e) const {
    switch (e->kind) {
      case SyntaxKind::number: return e->value.is_integer();
      case SyntaxKind::name: return names_.sizes.count(e->name) > 0 || index_scope_.count(e->name) > 0;
      case SyntaxKind::negate: case SyntaxKind::add: case SyntaxKind::subtract: case SyntaxKind::multiply: case SyntaxKind::floor_divide: case SyntaxKind::modulo:
        return std::all_of(e->args.begin(), e->args.end(), [&](const auto& x) { return is_size(x); });
      case SyntaxKind::power: return is_size(e->args[0]) && e->args[1]->kind == SyntaxKind::number && e->args[1]->value.is_integer() && e->args[1]->value.sign() >= 0;
      default: return false;
    }
  }

  /// `assume W_K == W_Q` replaces the variable everywhere: exact for proof and for every generated instance.
  void substitute_variables() {
    for (std::size_t k = 0; k < claim_.assumptions.size(); ++k) {
      const auto& a = claim_.assumptions[k];
      if (!a.relation || *a.relation != expr::Relation::equal || is_size_relation(a)) continue;
      for (const auto& [variable, value] : {std::pair{a.lhs, a.rhs}, std::pair{a.rhs, a.lhs}}) {
        if (variable->kind != SyntaxKind::name || by_name_.count(variable->name) == 0 || replaced_.count(variable->name)) continue;
        const Term t = term(value);
        if (mentions(t, variable->name)) continue;
        const Shape& shape = by_name_[variable->name]->shape;
        current_ = variable;
        current_args_ = {by_name_[variable->name], t};
        if (shape.size() != t->shape.size()) break;  // A == 1 with a scalar right side stays a relation
        const int both[] = {0, 1};
        for (std::size_t axis = 0; axis < shape.size(); ++axis) require_equal(shape[axis], t->shape[axis], both, "both sides of an assumption need one shape");
        replaced_.insert(variable->name);
        definitions_[variable->name] = t;
        substituted_.insert(k);
        break;
      }
    }
  }
  static bool mentions(const Term& t, const std::string& name) {
    if (t->kind == TermKind::variable && t->name == name) return true;
    return std::any_of(t->args.begin(), t->args.end(), [&](const auto& x) { return mentions(x, name); });
  }

  // ---- errors ----
  std::string here() const { return current_ ? ", in `" + shorten(expr::text(current_)) + "`" : ""; }
  static std::string shorten(std::string s) {
    if (s.size() > 80) s = s.substr(0, 77) + "...";
    return s;
  }
  std::string describe(const Shape& shape) const {
    Shape resolved = sizes_.resolve(shape);
    std::map<std::string, Dim> names;
    for (const Dim& d : resolved) {
      std::vector<std::string> found;
      expr::collect_names(d, found);
      for (const auto& n : found) {
        if (Sizes::is_unknown(n)) names.emplace(n, expr::dim("?"));
      }
    }
    for (Dim& d : resolved) d = expr::substitute(d, names);
    return expr::text(resolved);
  }
  bool unify(const Dim& a, const Dim& b) {
    std::vector<std::string> unknown;
    expr::collect_names(resolve(a), unknown);
    expr::collect_names(resolve(b), unknown);
    if (!sizes_.unify(a, b)) return false;
    for (const auto& n : unknown) {
      if (Sizes::is_unknown(n) && current_) learned_.emplace(n, current_);
    }
    return true;
  }
  /// Where an undeclared variable got the size `d`: the expression that fixed it.
  std::string reason(const Term& variable) const {
    for (const auto& v : variables_) {
      if (v.name != variable->name) continue;
      if (v.declared) return "by its declaration";
      for (const Dim& d : v.shape) {
        if (const auto s = d.as_symbol()) {
          const auto at = learned_.find(s->name);
          if (at != learned_.end()) {
            const auto place = expr::locate(claim_.source, at->second->span.begin);
            return "because of `" + shorten(expr::text(at->second)) + "` at " + std::to_string(place.line) + ":" + std::to_string(place.column);
          }
        }
      }
    }
    return "by its first use";
  }
  [[noreturn]] void conflict(const Dim& a, const Dim& b, std::span<const int> operands, const char* why) {
    const Dim x = resolve(a);
    const Dim y = resolve(b);
    std::string message;
    std::string shapes;
    for (const int k : operands) {
      const Term& t = current_args_[static_cast<std::size_t>(k)];
      const bool named = t->kind == TermKind::variable;
      shapes += (shapes.empty() ? "" : " and ") + std::string(named ? "`" + t->name + "` is " : "operand " + std::to_string(k + 1) + " is ") + describe(t->shape);
      if (!message.empty() || !named) continue;
      Shape needed = sizes_.resolve(t->shape);
      const bool first = std::find(needed.begin(), needed.end(), x) != needed.end();
      std::replace(needed.begin(), needed.end(), first ? x : y, first ? y : x);
      const auto place = expr::locate(claim_.source, origin_.at(t->name).begin);
      message = "`" + t->name + "` is " + describe(t->shape) + " here (" + std::to_string(place.line) + ":" + std::to_string(place.column) + ", " + reason(t) + ") and must be " + describe(needed) + " there";
    }
    if (message.empty()) message = "shapes do not fit: " + shapes;
    const std::string sizes = describe({x}).substr(1, describe({x}).size() - 2) + " and " + describe({y}).substr(1, describe({y}).size() - 2);
    std::string hint = std::string(why) + ", and " + sizes + " are not known to be equal";
    if (shapes.find(" and ") != std::string::npos) hint += " (" + shapes + ")";
    hint += "; if one symbol stands for two things, give the second a name of its own, or assume the sizes equal";
    expr::fail("shape.conflict", message + here(), current_ ? current_->span : Span{}, hint);
  }

  // ---- sizes ----
  Dim size(const Expression& e) const {
    switch (e->kind) {
      case SyntaxKind::number:
        if (e->value.is_integer()) return e->value.num();
        break;
      case SyntaxKind::name: {
        const auto index = index_scope_.find(e->name);
        if (index != index_scope_.end()) return expr::dim(index->second);
        if (by_name_.count(e->name) || definitions_.count(e->name)) {
          expr::fail("name.two_meanings", "`" + e->name + "` is a tensor, but a size is expected here", e->span, "sizes are dimension names such as n, integers, and sums and products of them");
        }
        return expr::dim(e->name);
      }
      case SyntaxKind::negate: return -size(e->args[0]);
      case SyntaxKind::add: return size(e->args[0]) + size(e->args[1]);
      case SyntaxKind::subtract: return size(e->args[0]) - size(e->args[1]);
      case SyntaxKind::multiply: return size(e->args[0]) * size(e->args[1]);
      case SyntaxKind::floor_divide: return expr::floor_divide(resolve(size(e->args[0])), resolve(size(e->args[1])));
      case SyntaxKind::modulo: return expr::modulo(resolve(size(e->args[0])), resolve(size(e->args[1])));
      case SyntaxKind::divide:
        if (const auto q = resolve(size(e->args[0])).divide(resolve(size(e->args[1])))) return *q;
        expr::fail("shape.size", "this quotient of sizes is not known to be an integer", e->span, "write the larger size as a product, such as k = 2*p");
      case SyntaxKind::power:
        if (e->args[1]->kind == SyntaxKind::number && e->args[1]->value.is_integer() && e->args[1]->value.sign() >= 0 && e->args[1]->value.num() <= 16) {
          Dim result = 1;
          for (std::int64_t k = 0; k < e->args[1]->value.num(); ++k) result = result * size(e->args[0]);
          return result;
        }
        break;
      default: break;
    }
    expr::fail("shape.size", "`" + shorten(expr::text(e)) + "` is not a size", e->span, "sizes are dimension names such as n, integers, and sums and products of them");
  }

  // ---- terms ----
  Term term(const Expression& e) {
    switch (e->kind) {
      case SyntaxKind::number: return number(e->value, e->span);
      case SyntaxKind::name: return name(e);
      case SyntaxKind::negate: return apply<expr::ops::Negate>(e, {e->args[0]});
      case SyntaxKind::add: return apply<expr::ops::Add>(e, e->args);
      case SyntaxKind::subtract: return apply<expr::ops::Subtract>(e, e->args);
      case SyntaxKind::multiply: return apply<expr::ops::Multiply>(e, e->args);
      case SyntaxKind::divide: return apply<expr::ops::Divide>(e, e->args);
      case SyntaxKind::matmul: return apply<expr::ops::Matmul>(e, e->args);
      case SyntaxKind::transpose: return apply<expr::ops::Transpose>(e, e->args);
      case SyntaxKind::power: return power(e);
      case SyntaxKind::floor_divide:
      case SyntaxKind::modulo: return size_term(size(e), e->span);
      case SyntaxKind::index: return index(e);
      case SyntaxKind::call: return call(e);
      case SyntaxKind::list: expr::fail("call.list", "a list stands only inside concat, vstack, stack, blockdiag or transpose", e->span, "write concat([A, B], axis=1)");
      case SyntaxKind::comprehension: expr::fail("call.comprehension", "`for` stands only inside concat, vstack, stack or sum", e->span, "write sum(A[i] @ B[i] for i in range(h))");
    }
    throw expr::InternalError("unknown syntax");
  }
  static Term number(const Rational& value, Span span) {
    auto node = std::make_shared<TermNode>();
    node->kind = TermKind::number;
    node->value = value;
    node->span = span;
    return node;
  }
  static Term size_term(const Dim& d, Span span) {
    auto node = std::make_shared<TermNode>();
    node->kind = TermKind::size;
    node->size = d;
    node->span = span;
    return node;
  }
  Term name(const Expression& e) {
    if (const auto index = index_scope_.find(e->name); index != index_scope_.end()) return size_term(expr::dim(index->second), e->span);
    if (const auto d = definitions_.find(e->name); d != definitions_.end()) return d->second;
    if (const auto v = by_name_.find(e->name); v != by_name_.end()) return v->second;
    if (names_.sizes.count(e->name)) return size_term(expr::dim(e->name), e->span);
    expr::fail("name.unknown", "`" + e->name + "` is used before its definition", e->span, "define it with let before this place");
  }

  template <class Op>
  Term apply(const Expression& e, const std::vector<Expression>& operands) {
    std::vector<Term> args;
    for (const auto& x : operands) args.push_back(term(x));
    return apply(expr::operator_id<Op>(), e, std::move(args), {});
  }
  /// Runs the shape rule of an operator on typed operands.
  Term apply(int op, const Expression& e, std::vector<Term> args, std::vector<Dim> sizes, std::optional<std::int64_t> axis = {}, Rational exponent = {}) {
    auto node = std::make_shared<TermNode>();
    node->kind = TermKind::apply;
    node->op = op;
    node->span = e->span;
    for (const Term& a : args) node->call.operands.push_back(sizes_.resolve(a->shape));
    for (const Dim& d : sizes) node->call.sizes.push_back(resolve(d));
    node->call.exponent = exponent;
    current_ = e;
    current_args_ = args;
    if (const auto fallback = expr::operator_info(op).axis) {
      const std::int64_t rank = static_cast<std::int64_t>(node->call.operands.at(0).size());
      std::int64_t a = axis.value_or(*fallback);
      if (a < 0) a += rank;
      if (a < 0 || a >= rank) fail("there is no such axis in " + describe(node->call.operands[0]), "axis=0 runs down the columns, axis=1 along the rows");
      node->call.axis = static_cast<int>(a);
    } else if (axis) {
      fail(std::string(expr::operator_info(op).name) + " takes no axis", "leave out axis=");
    }
    expr::visit_operator(op, [&](auto o) { node->shape = decltype(o)::shape(*this, node->call); });
    node->args = std::move(args);
    return node;
  }

  std::optional<Rational> constant(const Expression& e) const {
    switch (e->kind) {
      case SyntaxKind::number: return e->value;
      case SyntaxKind::negate: {
        const auto x = constant(e->args[0]);
        return x ? std::optional(-*x) : std::nullopt;
      }
      case SyntaxKind::divide: {
        const auto x = constant(e->args[0]);
        const auto y = constant(e->args[1]);
        if (!x || !y) return std::nullopt;
        if (y->is_zero()) expr::fail("shape.operand", "division by zero", e->span);
        return *x / *y;
      }
      default: return std::nullopt;
    }
  }
  Term power(const Expression& e) {
    const auto exponent = constant(e->args[1]);
    if (!exponent) expr::fail("call.exponent", "the exponent of ** must be a number", e->args[1]->span, "write x**2, x**(1/2) or x**-1; matrix powers are matrix_power(A, 3)");
    return apply(expr::operator_id<expr::ops::Power>(), e, {term(e->args[0])}, {}, {}, *exponent);
  }

  Term index(const Expression& e) {
    const Term base = term(e->args[0]);
    const std::size_t rank = base->shape.size();
    current_ = e;
    current_args_ = {base};
    if (e->subscripts.size() > rank) fail("too many subscripts for the shape " + describe(base->shape), "one subscript an axis");
    std::vector<Dim> sizes;
    for (std::size_t axis = 0; axis < rank; ++axis) {
      const Dim extent = resolve(base->shape[axis]);
      const expr::Subscript s = axis < e->subscripts.size() ? e->subscripts[axis] : expr::Subscript{true, nullptr, nullptr};
      const auto place = [&](const Expression& x, const Dim& otherwise) {
        if (!x) return otherwise;
        const Dim d = resolve(size(x));
        const auto c = d.constant();
        return c && *c < 0 ? extent + d : d;  // counted from the end
      };
      sizes.push_back(s.slice ? 0 : 1);
      sizes.push_back(place(s.start, 0));
      sizes.push_back(s.slice ? place(s.stop, extent) : Dim(0));
      check_inside(e, extent, s, sizes);
    }
    return apply(expr::operator_id<expr::ops::Subscripts>(), e, {base}, sizes);
  }
  /// Rejects what is certainly outside; what depends on sizes is checked by the kernel and on every instance.
  void check_inside(const Expression& e, const Dim& extent, const expr::Subscript& s, const std::vector<Dim>& sizes) {
    const Dim& start = sizes[sizes.size() - 2];
    const Dim& stop = sizes.back();
    const auto negative = [](const Dim& d) {
      const auto c = d.constant();
      return c && *c < 0;
    };
    if (s.slice ? negative(start) || negative(extent - stop) || negative(stop - start - Dim(1)) : negative(start) || negative(extent - start - Dim(1))) {
      expr::fail("shape.subscript", "this subscript lies outside an axis of size " + expr::text(extent) + " or selects nothing", e->span, "indices run from 0 to size - 1");
    }
  }

  // ---- calls ----
  Term call(const Expression& e) {
    const bool joins = e->name == "concat" || e->name == "concatenate" || e->name == "cat" || e->name == "hstack" || e->name == "vstack" || e->name == "stack" || e->name == "blockdiag" || e->name == "sum";
    if (joins && e->args.size() == 1) {
      Expression only = e->args[0];
      if (only->kind == SyntaxKind::list && only->args.size() == 1 && only->args[0]->kind == SyntaxKind::comprehension) only = only->args[0];
      if (only->kind == SyntaxKind::comprehension) return over_heads(e, only);
      if (only->kind == SyntaxKind::list) return join_list(e, only);
    }
    if (e->name == "sum" && keyword_axis(e)) return apply(expr::operator_id<expr::ops::SumAxis>(), e, {term(argument(e, 0))}, {}, keyword_axis(e));
    if ((e->name == "max" || e->name == "min") && e->args.size() == 2) {
      return apply(e->name == "max" ? expr::operator_id<expr::ops::Maximum>() : expr::operator_id<expr::ops::Minimum>(), e, {term(e->args[0]), term(e->args[1])}, {});
    }
    if (e->name == "matrix_power") return matrix_power(e);
    const int op = expr::find_operator(e->name);
    if (op < 0) {
      const std::string near = nearest_operator(e->name);
      for (const char* predicate : predicates) {
        if (e->name == predicate) expr::fail("name.unknown", "`" + e->name + "` is an assumption, not a function", e->span, "write assume " + e->name + "(...)");
      }
      expr::fail("name.unknown", "unknown function `" + e->name + "`", e->span, near.empty() ? "`foldproof operators` lists the functions of the language" : "did you mean `" + near + "`?");
    }
    return call_operator(op, e);
  }
  static Expression argument(const Expression& e, std::size_t k) {
    if (k >= e->args.size()) expr::fail("call.arguments", "`" + e->name + "` needs an operand", e->span);
    return e->args[k];
  }
  std::optional<std::int64_t> keyword_axis(const Expression& e) const {
    for (const auto& [key, value] : e->keywords) {
      if (key == "axis" || key == "dim") {
        const auto c = constant(value);
        if (value->kind == SyntaxKind::name && value->name == "None") return std::nullopt;
        if (!c || !c->is_integer()) expr::fail("call.axis", "axis must be an integer", value->span, "axis=0 runs down the columns, axis=1 along the rows");
        return c->num();
      }
    }
    return std::nullopt;
  }
  Term call_operator(int op, const Expression& e) {
    const auto& info = expr::operator_info(op);
    std::vector<Term> args;
    std::vector<Dim> sizes;
    // Shapes may come as one list or tuple: reshape(X, [n, h, k]), ones([n, 1]).
    std::vector<Expression> operands;
    for (const auto& a : e->args) {
      if (a->kind == SyntaxKind::list && info.sizes_max > 1) {
        operands.insert(operands.end(), a->args.begin(), a->args.end());
      } else {
        operands.push_back(a);
      }
    }
    const std::size_t count = operands.size();
    const std::size_t leading_sizes = info.sizes_first ? static_cast<std::size_t>(info.sizes_max) : 0;
    for (std::size_t k = 0; k < count; ++k) {
      const bool takes_either = info.tensors_min == 0 && info.tensors_max > 0;
      const bool is_tensor = takes_either ? !is_size(operands[k]) : k >= leading_sizes && args.size() < static_cast<std::size_t>(info.tensors_max);
      if (is_tensor) {
        args.push_back(term(operands[k]));
      } else {
        sizes.push_back(size(operands[k]));
      }
    }
    for (const auto& [key, value] : e->keywords) {
      if (key == "eps" && static_cast<int>(args.size()) < info.tensors_max && info.axis) {
        args.push_back(term(value));
      } else if (key == "shift" && static_cast<int>(args.size()) < info.tensors_max) {
        args.push_back(term(value));
      } else if (key == "keepdims" || key == "keepdim") {
        if (!(value->kind == SyntaxKind::name && value->name == "True")) expr::fail("call.keyword", "the axis is always kept with size 1", value->span, "write keepdims=True or leave it out");
      } else if (key != "axis" && key != "dim") {
        expr::fail("call.keyword", "`" + e->name + "` has no keyword `" + key + "`", value->span, "known keywords are axis, eps and keepdims");
      }
    }
    const int tensors = static_cast<int>(args.size());
    const int given = static_cast<int>(sizes.size());
    if (tensors < info.tensors_min || tensors > info.tensors_max || given > info.sizes_max || (given < info.sizes_min && tensors == 0) || (info.tensors_min > 0 && given < info.sizes_min)) {
      expr::fail("call.arguments", "`" + e->name + "` is called with " + std::to_string(count) + (count == 1 ? " operand" : " operands"), e->span, std::string(info.name) + ": " + info.rule);
    }
    return apply(op, e, std::move(args), std::move(sizes), keyword_axis(e));
  }
  Term matrix_power(const Expression& e) {
    const auto exponent = e->args.size() == 2 ? constant(e->args[1]) : std::nullopt;
    if (!exponent || !exponent->is_integer() || exponent->sign() < 1 || exponent->num() > 64) expr::fail("call.arguments", "matrix_power needs a matrix and a whole number from 1 to 64", e->span);
    const Term base = term(e->args[0]);
    Term result = base;
    for (std::int64_t k = 1; k < exponent->num(); ++k) result = apply(expr::operator_id<expr::ops::Matmul>(), e, {result, base}, {});
    return result;
  }
  Term join_list(const Expression& e, const Expression& list) {
    std::vector<Term> args;
    for (const auto& a : list->args) args.push_back(term(a));
    if (args.empty()) expr::fail("call.arguments", "an empty list cannot be joined", list->span);
    if (e->name == "sum") expr::fail("call.arguments", "sum of a list is not part of the language", e->span, "write A + B");
    if (e->name == "stack") return apply(expr::operator_id<expr::ops::Stack>(), e, std::move(args), {});
    if (e->name == "blockdiag") return apply(expr::operator_id<expr::ops::BlockDiagonal>(), e, std::move(args), {});
    if (e->name == "vstack") return apply(expr::operator_id<expr::ops::Vstack>(), e, std::move(args), {});
    const auto axis = keyword_axis(e);
    if (!axis && e->name != "hstack") {
      expr::fail("call.axis", "say along which axis the list is joined: NumPy's default is 0, the paper's Concat is 1", e->span, "write concat([A, B], axis=1) for columns, axis=0 for rows; concat(A, B) joins columns");
    }
    return apply(expr::operator_id<expr::ops::Concat>(), e, std::move(args), {}, axis.value_or(-1));
  }
  Term over_heads(const Expression& e, const Expression& comprehension) {
    const Dim count = resolve(size(comprehension->args[1]));
    // Indices get names of their own, so that nested comprehensions cannot capture each other.
    std::string unique = comprehension->name;
    while (used_indices_.count(unique) || names_.sizes.count(unique)) unique += "_";
    used_indices_.insert(unique);
    const auto outer = index_scope_.find(comprehension->name);
    const std::optional<std::string> shadowed = outer == index_scope_.end() ? std::nullopt : std::optional(outer->second);
    index_scope_[comprehension->name] = unique;
    const Term body = term(comprehension->args[0]);
    if (shadowed) {
      index_scope_[comprehension->name] = *shadowed;
    } else {
      index_scope_.erase(comprehension->name);
    }
    auto stack = std::make_shared<TermNode>();
    stack->kind = TermKind::stack;
    stack->name = unique;
    stack->size = count;
    stack->span = comprehension->span;
    stack->args = {body};
    stack->shape = sizes_.resolve(body->shape);
    stack->shape.insert(stack->shape.begin(), count);
    for (const Dim& d : stack->shape) {
      std::vector<std::string> found;
      expr::collect_names(d, found);
      if (std::find(found.begin(), found.end(), unique) != found.end()) {
        expr::fail("shape.ragged", "the shape of the body depends on `" + comprehension->name + "`", comprehension->span, "all heads must have one shape");
      }
    }
    if (e->name == "stack") return stack;
    if (e->name == "blockdiag") expr::fail("call.comprehension", "blockdiag takes its blocks one by one", e->span, "write blockdiag(A, B)");
    if (e->name == "sum") return apply(expr::operator_id<expr::ops::SumHeads>(), e, {stack}, {});
    const auto axis = keyword_axis(e);
    const bool first = e->name == "vstack" || (axis && *axis == 0);
    if (axis && *axis != 0 && *axis != -1 && *axis != static_cast<std::int64_t>(stack->shape.size()) - 2) expr::fail("call.axis", "heads are joined along the first or the last axis", e->span);
    return first ? apply(expr::operator_id<expr::ops::JoinFirst>(), e, {stack}, {}) : apply(expr::operator_id<expr::ops::JoinLast>(), e, {stack}, {});
  }

  // ---- assumptions ----
  void require_same_shape(const Term& lhs, const Term& rhs, Span span) {
    if (lhs->shape.empty() || rhs->shape.empty()) return;  // a scalar is compared with every entry
    bool same = lhs->shape.size() == rhs->shape.size();
    for (std::size_t axis = 0; same && axis < lhs->shape.size(); ++axis) {
      current_ = nullptr;
      same = unify(lhs->shape[axis], rhs->shape[axis]);
    }
    if (!same) {
      expr::fail("shape.conflict", "the left side is " + describe(lhs->shape) + " and the right side is " + describe(rhs->shape), span, "both sides of a claim need one shape; a transpose may be missing");
    }
  }
  void add_fact(Problem& p, const expr::Assumption& a, std::size_t number) {
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
        expr::fail("assume.unknown", "`" + shorten(expr::text(a.lhs)) + "` is no known assumption", a.span, "assume a relation such as k == d or s > 0, or one of: " + list);
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
    } else {
      f.kind = substituted_.count(number) ? FactKind::definition : FactKind::relation;
      f.relation = *a.relation;
      f.lhs = term(a.lhs);
      f.rhs = term(a.rhs);
      require_same_shape(f.lhs, f.rhs, a.span);
    }
    p.facts.push_back(std::move(f));
  }
  void check_predicate(const Fact& f, const expr::Assumption& a) {
    const bool square = f.predicate == "orthogonal" || f.predicate == "permutation" || f.predicate == "invertible" || f.predicate == "symmetric";
    const bool matrix = square || f.predicate == "onehot" || f.predicate == "rowstochastic";
    if (matrix && f.lhs->shape.size() != 2 && f.lhs->shape.size() != 3) expr::fail("assume.shape", "`" + f.predicate + "` needs a matrix, but this is " + describe(f.lhs->shape), a.span);
    if (square) {
      current_ = a.lhs;
      current_args_ = {f.lhs};
      const int first[] = {0};
      require_equal(f.lhs->shape[f.lhs->shape.size() - 2], f.lhs->shape.back(), first, "this assumption needs a square matrix");
    }
  }

  // ---- finish ----
  /// Gives unknown sizes the names people use, in order of the variables.
  void name_unknown_sizes() {
    static constexpr const char* pool[] = {"n", "d", "k", "m", "p", "q", "r", "s", "t", "u", "v", "w"};
    std::size_t next = 0;
    for (const auto& v : variables_) {
      for (const Dim& axis : v.shape) {
        std::vector<std::string> found;
        expr::collect_names(resolve(axis), found);
        for (const auto& unknown : found) {
          if (!Sizes::is_unknown(unknown)) continue;
          std::string chosen;
          do {
            chosen = next < std::size(pool) ? pool[next] : "d" + std::to_string(next);
            ++next;
          } while (names_.sizes.count(chosen) || by_name_.count(chosen) || definitions_.count(chosen));
          sizes_.define(unknown, expr::dim(chosen));
          ++freedom_;
        }
      }
    }
  }
  void finish(Problem& p) {
    for (auto& v : variables_) {
      v.shape = sizes_.resolve(v.shape);
      for (const Dim& d : v.shape) expr::collect_names(d, p.dimensions);
      if (replaced_.count(v.name) == 0) p.variables.push_back(v);
    }
    p.lhs = finish(p.lhs);
    p.rhs = finish(p.rhs);
    for (auto& f : p.facts) {
      if (f.lhs) f.lhs = finish(f.lhs);
      if (f.rhs) f.rhs = finish(f.rhs);
      f.lhs_size = resolve(f.lhs_size);
      f.rhs_size = resolve(f.rhs_size);
      if (f.kind == FactKind::dimension) {
        expr::collect_names(f.lhs_size, p.dimensions);
        expr::collect_names(f.rhs_size, p.dimensions);
      }
    }
    for (const auto& name : size_names_) {
      if (std::find(p.dimensions.begin(), p.dimensions.end(), name) == p.dimensions.end()) p.dimensions.push_back(name);
    }
  }
  Term finish(const Term& t) {
    if (const auto done = finished_.find(t); done != finished_.end()) return done->second;
    auto node = std::make_shared<TermNode>(*t);
    for (Term& a : node->args) a = finish(a);
    node->shape = sizes_.resolve(node->shape);
    node->size = resolve(node->size);
    for (Shape& s : node->call.operands) s = sizes_.resolve(s);
    for (Dim& d : node->call.sizes) d = resolve(d);
    node->call.result = node->shape;
    for (const Dim& d : node->shape) note_sizes(d);
    note_sizes(node->size);
    finished_[t] = node;
    return node;
  }
  void note_sizes(const Dim& d) {
    std::vector<std::string> found;
    expr::collect_names(d, found);
    for (const auto& name : found) {
      if (used_indices_.count(name) == 0 && std::find(size_names_.begin(), size_names_.end(), name) == size_names_.end()) size_names_.push_back(name);
    }
  }

  const expr::Claim& claim_;
  const Names& names_;
  Sizes sizes_;
  std::vector<Variable> variables_;
  std::map<std::string, Term> by_name_;
  std::map<std::string, Term> definitions_;
  std::map<std::string, Span> origin_;
  std::map<std::string, Expression> learned_;
  std::map<std::string, std::string> index_scope_;  // as written -> unique
  std::set<std::string> used_indices_;
  std::set<std::string> replaced_;
  std::set<std::size_t> substituted_;
  std::vector<const expr::Assumption*> undefined_relations_;
  std::map<Term, Term> finished_;  // keyed by the owner, so that no address is reused
  std::vector<std::string> size_names_;
  Expression current_;
  std::vector<Term> current_args_;
  std::size_t freedom_ = 0;
};

}  // namespace

Problem elaborate(const expr::Claim& claim) {
  const Names names = read_names(claim);
  std::vector<std::string> open(names.entrywise_only.begin(), names.entrywise_only.end());
  constexpr std::size_t most_open = 4;  // 4^4 readings at most
  if (open.size() > most_open) open.clear();
  std::optional<Problem> best;
  std::size_t best_freedom = 0;
  std::optional<expr::Error> first_error;
  std::size_t count = 1;
  for (std::size_t k = 0; k < open.size(); ++k) count *= 4;
  for (std::size_t code = 0; code < count; ++code) {
    std::map<std::string, Reading> readings;
    std::size_t rest = code;
    for (const auto& name : open) {
      readings[name] = static_cast<Reading>(rest % 4);
      rest /= 4;
    }
    try {
      Elaborator elaborator(claim, names, readings);
      Problem p = elaborator.run();
      if (!best || elaborator.freedom() > best_freedom) {
        best = std::move(p);
        best_freedom = elaborator.freedom();
      }
    } catch (const expr::Error& e) {
      if (!first_error) first_error = e;
    }
  }
  if (!best) throw *first_error;
  return *best;
}

std::string shapes_text(const Problem& problem) {
  std::string out;
  for (const auto& v : problem.variables) out += v.name + ": " + expr::text(v.shape) + "\n";
  return out;
}

}  // namespace foldproof::infer
