// SPDX-License-Identifier: MIT
#include "cost/product_order.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

#include "cost/crossover.hpp"
#include "cost/data_parts.hpp"
#include "expr/operators.hpp"
#include "read/parse.hpp"

namespace foldproof::cost {

namespace {

using infer::Term;
using infer::TermKind;
using infer::TermNode;

bool is_matrix(const Term& t) { return t->shape.size() == 2; }
bool applies(const Term& t, int op) { return t->kind == TermKind::apply && t->op == op; }
bool is_product(const Term& t) { return applies(t, expr::operator_id<expr::ops::Matmul>()) && is_matrix(t->args[0]) && is_matrix(t->args[1]); }
bool is_transpose(const Term& t) { return applies(t, expr::operator_id<expr::ops::Transpose>()) && is_matrix(t); }
// A product, or the transpose of one, which is a product of transposes.
bool is_chain(const Term& t) { return is_product(t) || (is_transpose(t) && is_chain(t->args[0])); }

std::int64_t checked(std::int64_t a, std::int64_t b, bool multiply) {
  std::int64_t r = 0;
  if (multiply ? __builtin_mul_overflow(a, b, &r) : __builtin_add_overflow(a, b, &r)) throw expr::LimitReached("multiply-adds do not fit into 64 bits");
  return r;
}

class Ordering {
 public:
  Ordering(const std::set<std::string>& data, const expr::DimValues& sizes, const std::string& claim) : has_data_(data), sizes_(sizes), claim_(claim) {}

  Term ordered(const Term& t) {
    const auto known = ordered_.find(t.get());
    if (known != ordered_.end()) return known->second;
    return ordered_[t.get()] = is_chain(t) ? reordered(t) : with_ordered_arguments(t);
  }

  // Nodes that this class made have no place in the claim's text; all others are printed from it.
  std::string text(const Term& t) const {
    if (t->kind == TermKind::variable) return t->name;
    if (made_.count(t.get()) == 0) return written(t);
    if (is_transpose(t)) return atom(t->args[0]) + ".T";
    if (is_product(t)) return factor(t->args[0]) + " @ " + factor(t->args[1]);
    return with_texts_of(t, *made_.at(t.get()));
  }

  bool changed() const { return changed_; }
  bool unknown() const { return unknown_; }

 private:
  struct Best {
    std::int64_t cost = 0;
    std::size_t split = 0;
    bool data = false;
  };

  void flatten(const Term& t, bool transposed, std::vector<Term>& factors) {
    if (is_transpose(t)) return flatten(t->args[0], !transposed, factors);
    if (!is_product(t)) {
      factors.push_back(transposed ? transpose(ordered(t)) : ordered(t));
      return;
    }
    flatten(t->args[transposed ? 1 : 0], transposed, factors);
    flatten(t->args[transposed ? 0 : 1], transposed, factors);
  }

  Term make(int op, std::vector<Term> args, expr::Shape shape, const TermNode* origin) {
    auto node = std::make_shared<TermNode>();
    if (origin != nullptr) *node = *origin;
    node->kind = TermKind::apply;
    node->op = op;
    if (origin == nullptr) {
      for (const Term& arg : args) node->call.operands.push_back(arg->shape);
      node->call.result = shape;
    }
    node->args = std::move(args);
    node->shape = std::move(shape);
    made_[node.get()] = origin;
    kept_.push_back(node);
    return node;
  }

  Term transpose(const Term& t) { return make(expr::operator_id<expr::ops::Transpose>(), {t}, {t->shape[1], t->shape[0]}, nullptr); }

  Term with_ordered_arguments(const Term& t) {
    std::vector<Term> args;
    for (const Term& arg : t->args) args.push_back(ordered(arg));
    if (args == t->args) return t;
    if (t->kind == TermKind::stack) {
      auto node = std::make_shared<TermNode>(*t);
      node->args = args;
      made_[node.get()] = t.get();
      kept_.push_back(node);
      return node;
    }
    return make(t->op, args, t->shape, t.get());
  }

  Term reordered(const Term& t) {
    std::vector<Term> factors;
    flatten(t, false, factors);
    const std::size_t n = factors.size();
    std::vector<std::int64_t> size{size_of(factors[0]->shape[0])};
    for (const Term& f : factors) size.push_back(size_of(f->shape[1]));
    std::vector<std::vector<Best>> best(n, std::vector<Best>(n));
    for (std::size_t i = 0; i < n; ++i) best[i][i].data = has_data_(factors[i]);
    for (std::size_t length = 2; length <= n; ++length) {
      for (std::size_t i = 0; i + length <= n; ++i) {
        const std::size_t j = i + length - 1;
        Best& here = best[i][j];
        here.data = best[i][i].data || best[i + 1][j].data;
        here.cost = INT64_MAX;
        for (std::size_t k = j; k-- > i;) {  // of equal costs the order from the left, which is how products are written
          const std::int64_t product = here.data ? checked(checked(size[i], size[k + 1], true), size[j + 1], true) : 0;
          const std::int64_t cost = checked(checked(best[i][k].cost, best[k + 1][j].cost, false), product, false);
          if (cost < here.cost) here = {cost, k, here.data};
        }
      }
    }
    const Term out = tree(factors, best, 0, n - 1);
    if (same(out, t)) return t;
    changed_ = true;
    return out;
  }

  std::int64_t size_of(const expr::Dim& d) {
    if (known(d, sizes_)) return expr::evaluate(d, sizes_);
    unknown_ = true;
    return 1;
  }

  Term tree(const std::vector<Term>& factors, const std::vector<std::vector<Best>>& best, std::size_t i, std::size_t j) {
    if (i == j) return factors[i];
    const std::size_t k = best[i][j].split;
    const Term left = tree(factors, best, i, k);
    const Term right = tree(factors, best, k + 1, j);
    return make(expr::operator_id<expr::ops::Matmul>(), {left, right}, {left->shape[0], right->shape[1]}, nullptr);
  }

  // Whether the new tree takes the products as the claim has them.
  static bool same(const Term& a, const Term& b) {
    if (a == b) return true;
    if (a->kind != b->kind || a->op != b->op || a->args.size() != b->args.size() || a->args.empty()) return false;
    for (std::size_t i = 0; i < a->args.size(); ++i) {
      if (!same(a->args[i], b->args[i])) return false;
    }
    return true;
  }

  std::string written(const Term& t) const { return claim_.substr(t->span.begin, t->span.end - t->span.begin); }

  // The text of `origin` with the texts of its reordered arguments in place.
  std::string with_texts_of(const Term& t, const TermNode& origin) const {
    std::string out = claim_.substr(origin.span.begin, origin.span.end - origin.span.begin);
    for (std::size_t i = t->args.size(); i-- > 0;) {
      const Term& before = origin.args[i];
      if (before == t->args[i]) continue;
      const bool inside = before->span.begin >= origin.span.begin && before->span.end <= origin.span.end;
      // A definition made by `let` stands elsewhere and keeps its name.
      if (inside) out.replace(before->span.begin - origin.span.begin, before->span.end - before->span.begin, text(t->args[i]));
    }
    return out;
  }

  std::string factor(const Term& t) const { return is_product(t) && made_.count(t.get()) > 0 ? "(" + text(t) + ")" : atom(t); }

  std::string atom(const Term& t) const {
    const std::string inner = text(t);
    const bool plain = [&] {
      try {
        using expr::SyntaxKind;
        const SyntaxKind kind = read::parse_expression(inner)->kind;
        return kind == SyntaxKind::name || kind == SyntaxKind::call || kind == SyntaxKind::index || kind == SyntaxKind::transpose || kind == SyntaxKind::number;
      } catch (const expr::Error&) {
        return false;
      }
    }();
    return plain ? inner : "(" + inner + ")";
  }

  DataParts has_data_;
  const expr::DimValues& sizes_;
  const std::string& claim_;
  std::map<const TermNode*, Term> ordered_;
  std::map<const TermNode*, const TermNode*> made_;  ///< new nodes, with the node they stand for where there is one
  std::vector<Term> kept_;                           ///< so that no address is used twice
  bool changed_ = false;
  bool unknown_ = false;
};

}  // namespace

std::optional<ProductOrder> cheapest_order(const Term& side, const std::set<std::string>& data, const expr::DimValues& sizes, const std::string& claim) {
  Ordering ordering(data, sizes, claim);
  ProductOrder out;
  out.side = ordering.ordered(side);
  if (ordering.unknown()) return std::nullopt;
  out.expression = ordering.text(out.side);
  out.changed = ordering.changed();
  return out;
}

}  // namespace foldproof::cost
