// SPDX-License-Identifier: MIT
#include "campaign/terms.hpp"

#include <map>
#include <set>

namespace foldproof::campaign {
namespace {

using infer::Term;
using infer::TermKind;
using infer::TermNode;

/// All sizes are known: two of them are equal or they are not.
class KnownSizes final : public expr::ShapeRules {
 public:
  expr::Dim resolve(const expr::Dim& d) const override { return d; }
  void require_double(const expr::Dim& width, const expr::Dim& pairs, std::span<const int> operands, const char* why) override { require_equal(width, expr::Dim(2) * pairs, operands, why); }
  bool make_even(const expr::Dim& d) override { return d.divide(expr::Dim(2)).has_value(); }
  void require_equal(const expr::Dim& a, const expr::Dim& b, std::span<const int>, const char*) override {
    if (!(a == b)) throw Misfit();
  }
  expr::Dim broadcast(const expr::Dim& a, const expr::Dim& b, std::span<const int>) override {
    if (a.is_one()) return b;
    if (!b.is_one() && !(a == b)) throw Misfit();
    return a;
  }
  [[noreturn]] void fail(const std::string&, const std::string&) override { throw Misfit(); }
};

bool visit_new(const Term& t, std::set<const TermNode*>& known, const std::function<bool(const Term&)>& seen) {
  if (!known.insert(t.get()).second) return false;
  for (const Term& arg : t->args) {
    if (visit_new(arg, known, seen)) return true;
  }
  return seen(t);
}

Term rebuilt(const Term& t, std::map<const TermNode*, Term>& done) {
  const auto known = done.find(t.get());
  if (known != done.end()) return known->second;
  std::vector<Term> args;
  bool same = true;
  for (const Term& arg : t->args) {
    args.push_back(rebuilt(arg, done));
    same = same && args.back() == arg;
  }
  Term result = t;
  if (!same) {
    auto node = std::make_shared<TermNode>(*t);
    node->args = std::move(args);
    result = node;
  }
  return done[t.get()] = result;
}

}  // namespace

Term applied(int op, std::vector<Term> args, std::vector<expr::Dim> sizes, int axis) {
  auto node = std::make_shared<TermNode>();
  node->kind = TermKind::apply;
  node->op = op;
  node->span = args.empty() ? expr::Span{} : args[0]->span;
  for (const Term& a : args) node->call.operands.push_back(a->shape);
  node->call.sizes = std::move(sizes);
  node->call.axis = axis;
  KnownSizes rules;
  expr::visit_operator(op, [&](auto o) { node->shape = decltype(o)::shape(rules, node->call); });
  node->call.result = node->shape;
  node->args = std::move(args);
  return node;
}

Term number(const expr::Rational& q) {
  auto node = std::make_shared<TermNode>();
  node->kind = TermKind::number;
  node->value = q;
  return node;
}

Term slice(const Term& x, std::size_t axis, const expr::Dim& start, const expr::Dim& stop) {
  std::vector<expr::Dim> sizes;
  for (std::size_t r = 0; r < x->shape.size(); ++r) {
    sizes.emplace_back(0);
    sizes.push_back(r == axis ? start : expr::Dim(0));
    sizes.push_back(r == axis ? stop : x->shape[r]);
  }
  const auto extent = (stop - start).constant();
  if (extent && *extent < 1) throw Misfit();
  return apply<expr::ops::Subscripts>({x}, sizes);
}

Term substituted(const Term& root, const TermNode* target, const Term& replacement) {
  std::map<const TermNode*, Term> done{{target, replacement}};
  return rebuilt(root, done);
}

bool visit(const Term& root, const std::function<bool(const Term&)>& seen) {
  std::set<const TermNode*> known;
  return visit_new(root, known, seen);
}

}  // namespace foldproof::campaign
