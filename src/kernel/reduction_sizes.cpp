// SPDX-License-Identifier: MIT
// A claim about given sizes follows from one about any sizes. Part of the trusted base.
#include <algorithm>
#include <map>
#include <set>

#include "expr/operators.hpp"
#include "infer/is_operator.hpp"
#include "infer/visit.hpp"
#include "kernel/reduction_steps.hpp"
#include "read/parse.hpp"

namespace foldproof::kernel {
namespace {

using expr::Dim;
using Sizes = std::map<std::string, Dim>;

/// Compares what two claims, or both sides of one, elaborate to, the first one at given sizes, part by part. Every pair of parts is compared once: terms share their parts.
class Comparison {
 public:
  explicit Comparison(const Sizes& sizes) : sizes_(sizes) {}
  bool same(const Dim& a, const Dim& b) const { return expr::substitute(a, sizes_) == b; }
  template <class T>
  bool same(const std::vector<T>& a, const std::vector<T>& b) { return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](const T& x, const T& y) { return same(x, y); }); }
  bool same(const Term& a, const Term& b) {
    if (!a || !b) return !a && !b;
    const auto [at, first] = seen_.try_emplace({a.get(), b.get()}, false);
    if (first) at->second = compare(a, b);
    return seen_.at({a.get(), b.get()});
  }
  bool same(const infer::Fact& a, const infer::Fact& b) { return a.kind == b.kind && a.predicate == b.predicate && a.relation == b.relation && same(a.lhs_size, b.lhs_size) && same(a.rhs_size, b.rhs_size) && same(a.lhs, b.lhs) && same(a.rhs, b.rhs); }

 private:
  bool compare(const Term& first, const Term& second) {
    const infer::TermNode &a = *first, &b = *second;
    if (const auto x = number(first, sizes_), y = number(second, {}); x || y) return x == y;
    const auto& [s, t] = std::tie(a.call, b.call);
    const bool same_call = same(s.operands, t.operands) && same(s.sizes, t.sizes) && s.axis == t.axis && s.exponent == t.exponent && same(s.result, t.result);
    return a.kind == b.kind && a.name == b.name && same(a.size, b.size) && a.op == b.op && same(a.shape, b.shape) && same_call && same(a.args, b.args);
  }
  /// A size that is known is a number, and so are 8 * 8, sqrt(64) and 1 / sqrt(64), where no root is left.
  static std::optional<expr::Rational> number(const Term& t, const Sizes& sizes) {
    if (t->kind == TermKind::number) return t->value;
    const auto size = t->kind == TermKind::size ? expr::substitute(t->size, sizes).constant() : std::nullopt;
    if (size) return expr::Rational(*size);
    const bool divides = infer::is<expr::ops::Divide>(t), times = infer::is<expr::ops::Multiply>(t);
    const auto first = t->shape.empty() && (divides || times || infer::is<expr::ops::Sqrt>(t)) ? number(t->args[0], sizes) : std::nullopt;
    if (!first || !(divides || times)) return first ? root(*first) : std::nullopt;
    const auto second = number(t->args[1], sizes);
    if (!second || (divides && second->is_zero())) return std::nullopt;
    return divides ? *first / *second : *first * *second;
  }
  static std::optional<expr::Rational> root(const expr::Rational& square) {
    const auto found = square.is_integer() ? expr::whole_root(square.num()) : std::nullopt;
    return found ? std::optional(expr::Rational(*found)) : std::nullopt;
  }

  Sizes sizes_;
  std::map<std::pair<const infer::TermNode*, const infer::TermNode*>, bool> seen_;
};

}  // namespace

bool reads_alike(const Problem& whole, const Problem& part) {
  Sizes sizes;
  for (const auto& [name, value] : part.replaced_sizes) sizes.emplace(name, value);
  Comparison comparison(sizes);
  return comparison.same(whole.lhs, part.lhs) && comparison.same(whole.rhs, part.rhs);
}

bool same_long_sides(const Problem& problem) {
  constexpr std::size_t long_one = 24;
  if (problem.relation != expr::Relation::equal) return false;
  std::set<const infer::TermNode*> parts;
  infer::visit_each(problem.lhs, parts, [](const Term&) {});
  return parts.size() >= long_one && Comparison({}).same(problem.lhs, problem.rhs);
}

Claims sized(const Claim&, const Problem& problem, const Reduction& reduction) {
  const std::vector<std::string>& text = reduction.text;
  require(text.size() >= 3 && text.size() % 2 == 1 && text.size() <= 65, "sized: a claim is needed, and the sizes of this one");
  const Claim general = read::parse_claim(text[0]);
  const Problem all = infer::elaborate(general);
  Sizes sizes;
  for (std::size_t k = 1; k + 1 < text.size(); k += 2) {
    const Expression name = read::parse_expression(text[k]), size = read::parse_expression(text[k + 1]);
    const bool size_of_it = name->kind == SyntaxKind::name && std::find(all.dimensions.begin(), all.dimensions.end(), name->name) != all.dimensions.end();
    require(size_of_it && size->kind == SyntaxKind::number && size->value.is_integer() && size->value.sign() > 0, "sized: a size has a name and a number");
    sizes.emplace(name->name, size->value.num());
  }
  Comparison comparison(sizes);
  require(problem.ranks.empty() && all.ranks.empty(), "sized: a rank is no given size");
  // As it stands there, not as it would be read with these sizes: X[1:3] of two rows is the second one, and X[1:3] of n rows says nothing of two.
  require(all.relation == problem.relation && comparison.same(all.lhs, problem.lhs) && comparison.same(all.rhs, problem.rhs), "sized: at these sizes it is another claim");
  const auto is_here = [&](const auto& v) { return std::any_of(problem.variables.begin(), problem.variables.end(), [&](const auto& own) { return own.name == v.name && comparison.same(v.shape, own.shape); }); };
  require(std::all_of(all.variables.begin(), all.variables.end(), is_here), "sized: a tensor is declared that is none here");
  const auto holds = [&](const infer::Fact& f) {  // what the claim assumes must be assumed here, or be true of the sizes
    const auto a = expr::substitute(f.lhs_size, sizes).constant(), b = expr::substitute(f.rhs_size, sizes).constant();
    if (infer::is_about_sizes(f) && a && b && expr::ordered(*a < *b ? -1 : *a > *b, f.relation)) return true;
    return std::any_of(problem.facts.begin(), problem.facts.end(), [&](const infer::Fact& own) { return comparison.same(f, own); });
  };
  require(std::all_of(all.facts.begin(), all.facts.end(), holds), "sized: more is assumed than here");
  return {general};
}

}  // namespace foldproof::kernel
