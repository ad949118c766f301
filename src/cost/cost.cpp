// SPDX-License-Identifier: MIT
#include "cost/cost.hpp"

#include <algorithm>
#include <map>

#include "cost/data_parts.hpp"
#include "expr/operators.hpp"

namespace foldproof::cost {

namespace {

using infer::Term;
using infer::TermKind;

expr::Dim product(const expr::Shape& shape) {
  expr::Dim out = 1;
  for (const expr::Dim& d : shape) out = out * d;
  return out;
}

/// Whether the operator only picks or rearranges entries of its first operand, so that nothing is computed.
bool moves_only(int op) {
  static const std::vector<int> moves = {expr::operator_id<expr::ops::Transpose>(), expr::operator_id<expr::ops::Permute>(),
                                         expr::operator_id<expr::ops::Reshape>(), expr::operator_id<expr::ops::Subscripts>(), expr::operator_id<expr::ops::Stride>()};
  return std::find(moves.begin(), moves.end(), op) != moves.end();
}

const Term& without_moves(const Term& t) {
  const Term* base = &t;
  while ((*base)->kind == TermKind::apply && moves_only((*base)->op) && (*base)->args.size() == 1) base = &(*base)->args[0];
  return *base;
}

class Costing {
 public:
  explicit Costing(const std::set<std::string>& data) : has_data_(data) {}

  SideCost run(const Term& side) {
    result_ = without_moves(side).get();
    visit(side);
    return std::move(out_);
  }

 private:
  // The text that tells one folded part from another. Indices of comprehensions are part of it by name.
  std::string key(const Term& t) {
    const auto known = keys_.find(t.get());
    if (known != keys_.end()) return known->second;
    std::string out;
    if (t->kind == TermKind::variable) out = t->name;
    if (t->kind == TermKind::number) out = t->value.text();
    if (t->kind == TermKind::size) out = expr::text(t->size);
    if (t->kind == TermKind::stack) out = "stack over " + t->name + " in range(" + expr::text(t->size) + ")";
    if (t->kind == TermKind::apply) out = expr::operator_info(t->op).name;
    if (t->args.empty() && t->kind != TermKind::apply) return keys_[t.get()] = out;
    const bool infix = t->kind == TermKind::apply && t->args.size() == 2 && std::string("+-*/@").find(out) != std::string::npos;
    if (infix) return keys_[t.get()] = "(" + key(t->args[0]) + " " + out + " " + key(t->args[1]) + ")";
    out += "(";
    for (const Term& arg : t->args) out += key(arg) + ", ";
    for (const expr::Dim& d : t->call.sizes) out += expr::text(d) + ", ";
    if (out.size() > 2 && out.back() == ' ') out.erase(out.size() - 2);
    return keys_[t.get()] = out + ")";
  }

  /// Of a part that is made once for every value of the comprehension indices that it mentions; what is counted may vary with them.
  expr::Dim in_all(expr::Dim count, const Term& t) {
    std::set<std::string> names;
    mentioned(t, names);
    for (auto range = ranges_.rbegin(); range != ranges_.rend(); ++range) {
      if (names.count(range->first) > 0) count = summed(count, range->first, range->second);
    }
    return count;
  }

  /// The sum of d over the index from 0 to n - 1. Beyond squares of the index, at most that.
  static expr::Dim summed(const expr::Dim& d, const std::string& index, const expr::Dim& n) {
    expr::Dim total;
    for (const auto& summand : d.summands()) {
      expr::Dim others = summand.coefficient;
      std::size_t power = 0;
      for (const auto& s : summand.product) {
        if (s.name == index) {
          ++power;
        } else {
          others = others * expr::substitute(expr::Dim::symbol(s), {{index, n}});
        }
      }
      expr::Dim values = n;
      if (power == 1) values = expr::floor_divide(n * n - n, expr::Dim(2));
      if (power == 2) values = expr::floor_divide(expr::Dim(2) * n * n * n - expr::Dim(3) * n * n + n, expr::Dim(6));
      for (std::size_t k = 0; power > 2 && k < power; ++k) values = values * n;
      total = total + others * values;
    }
    return total;
  }

  static void mentioned(const Term& t, std::set<std::string>& names) {
    std::vector<std::string> found;
    expr::collect_names(t->size, found);
    for (const expr::Dim& d : t->call.sizes) expr::collect_names(d, found);
    for (const expr::Shape& shape : t->call.operands) {
      for (const expr::Dim& d : shape) expr::collect_names(d, found);
    }
    names.insert(found.begin(), found.end());
    for (const Term& arg : t->args) mentioned(arg, names);
  }

  void store(const std::string& unique, const std::string& name, expr::Span span, const expr::Dim& entries) {
    if (!stored_.insert(unique).second) return;
    out_.stored.push_back({name, span, entries});
    out_.parameters = out_.parameters + entries;
  }

  void fold(const Term& t) {
    const Term& base = without_moves(t);
    if (base->kind == TermKind::variable) return store(base->name, base->name, base->span, product(base->shape));
    std::set<std::string> variables;
    collect_variables(t, variables);
    if (!variables.empty()) store(key(t), "", t->span, in_all(product(t->shape), t));  // without variables: constants such as eye(d)
  }

  static void collect_variables(const Term& t, std::set<std::string>& names) {
    if (t->kind == TermKind::variable) names.insert(t->name);
    for (const Term& arg : t->args) collect_variables(arg, names);
  }

  void visit(const Term& t) {
    if (!has_data_(t)) return fold(t);
    if (!visited_.insert(key(t)).second) return;
    if (t->kind == TermKind::stack) ranges_.emplace_back(t->name, t->size);
    for (const Term& arg : t->args) visit(arg);
    if (t->kind == TermKind::stack) ranges_.pop_back();
    if (t->kind == TermKind::variable) out_.data = out_.data + product(t->shape);
    if (t->kind != TermKind::apply) return;
    if (t.get() != result_ && !moves_only(t->op)) out_.activations = out_.activations + in_all(product(t->shape), t);
    if (t->op == expr::operator_id<expr::ops::Matmul>()) out_.multiply_adds = out_.multiply_adds + in_all(product(t->shape) * t->args[0]->shape.back(), t);
    if (t->op == expr::operator_id<expr::ops::Einsum>()) out_.multiply_adds = out_.multiply_adds + in_all(einsum_multiply_adds(*t), t);
  }

  /// As written, one loop over all labels; a product that sums nothing counts no more than one with `*`.
  static expr::Dim einsum_multiply_adds(const infer::TermNode& t) {
    const auto labels = expr::ops::Einsum::labels(t.call);
    if (labels.summed.empty()) return 0;
    expr::Dim count = static_cast<std::int64_t>(t.args.size()) - 1;
    for (const auto& first : labels.first) count = count * t.args[static_cast<std::size_t>(first.operand)]->shape[first.axis];
    return count;
  }

  const infer::TermNode* result_ = nullptr;
  DataParts has_data_;
  std::map<const infer::TermNode*, std::string> keys_;
  std::vector<std::pair<std::string, expr::Dim>> ranges_;
  std::set<std::string> stored_;
  std::set<std::string> visited_;  ///< a part written twice is computed once
  SideCost out_;
};

}  // namespace

bool SideCost::folds() const {
  return std::any_of(stored.begin(), stored.end(), [](const Parameter& p) { return p.name.empty(); });
}

std::set<std::string> default_data(const infer::Problem& problem) {
  for (const infer::Variable& v : problem.variables) {
    if (v.name == "X" || v.name == "x") return {v.name};
  }
  return problem.variables.empty() ? std::set<std::string>{} : std::set<std::string>{problem.variables.front().name};
}

SideCost cost(const Term& side, const std::set<std::string>& data) { return Costing(data).run(side); }

}  // namespace foldproof::cost
