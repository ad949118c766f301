// SPDX-License-Identifier: MIT
#include "diagnose/mistakes.hpp"

#include <algorithm>
#include <optional>
#include <set>

#include "expr/diagnostic.hpp"
#include "expr/operators.hpp"
#include "infer/problem.hpp"
#include "repair/places.hpp"

namespace foldproof::diagnose {

namespace {

using expr::Expression;
using expr::node;
using expr::SyntaxKind;

struct Change {
  Expression to;
  std::string words;
};
using Changes = std::vector<Change>;

bool is_one(const Expression& e) { return e->kind == SyntaxKind::number && e->value.is_one(); }

/// A name, or its transpose: what weights are multiplied by.
bool is_weight(const Expression& e) { return e->kind == SyntaxKind::name || (e->kind == SyntaxKind::transpose && is_weight(e->args[0])); }

bool is_sum(const Expression& e) { return e->kind == SyntaxKind::add || e->kind == SyntaxKind::subtract; }

/// (a + b) * c with c at a alone, and at b alone.
void partly(const Expression& sum, const Expression& factor, SyntaxKind kind, bool right, Changes& out) {
  if (!is_sum(sum)) return;
  const auto product = [&](const Expression& part) { return node(kind, right ? std::vector<Expression>{part, factor} : std::vector<Expression>{factor, part}); };
  out.push_back({node(sum->kind, {product(sum->args[0]), sum->args[1]}), "with the factor " + expr::text(factor) + " at " + expr::text(sum->args[0]) + " alone"});
  out.push_back({node(sum->kind, {sum->args[0], product(sum->args[1])}), "with the factor " + expr::text(factor) + " at " + expr::text(sum->args[1]) + " alone"});
}

/// g[None, :] for g[:, None], and the other way round; null for anything else.
Expression along_other_axis(const Expression& e) {
  if (e->kind != SyntaxKind::index || e->subscripts.size() != 2 || expr::is_new_axis(e->subscripts[0]) == expr::is_new_axis(e->subscripts[1])) return nullptr;
  auto copy = std::make_shared<expr::Syntax>(*e);
  std::swap(copy->subscripts[0], copy->subscripts[1]);
  return copy;
}

/// Of x @ A @ B the mistakes of A @ B, and of (x * g) @ W those of what g was folded into, are made behind the product.
void matrix_product(const Expression& e, Changes& out) {
  const Expression &a = e->args[0], &b = e->args[1];
  out.push_back({node(SyntaxKind::matmul, {b, a}), "with the factors of " + expr::text(e) + " in the other order"});
  if (a->kind == SyntaxKind::matmul) {
    const Expression turned = node(SyntaxKind::matmul, {node(SyntaxKind::matmul, {a->args[0], expr::transposed(b)}), expr::transposed(a->args[1])});
    out.push_back({turned, "with " + expr::text(expr::transposed(node(SyntaxKind::matmul, {a->args[1], b}))) + " for " + expr::text(node(SyntaxKind::matmul, {a->args[1], b}))});
  }
  for (const std::size_t k : {std::size_t{0}, std::size_t{1}}) {
    if (a->kind != SyntaxKind::multiply) break;
    const Expression behind = node(SyntaxKind::multiply, {node(SyntaxKind::matmul, {a->args[1 - k], b}), a->args[k]});
    out.push_back({behind, "with the factor " + expr::text(a->args[k]) + " along the other axis of " + expr::text(b)});
  }
}

void product(const Expression& e, const std::set<std::string>& vectors, Changes& out) {
  const Expression& a = e->args[0];
  const Expression& b = e->args[1];
  out.push_back({a, "without the factor " + expr::text(b)});
  out.push_back({b, "without the factor " + expr::text(a)});
  partly(a, b, e->kind, true, out);
  partly(b, a, e->kind, false, out);
  if (e->kind == SyntaxKind::matmul) {
    matrix_product(e, out);
    return;
  }
  for (const bool first : {true, false}) {
    const Expression& factor = first ? a : b;
    const Expression& rest = first ? b : a;
    out.push_back({node(SyntaxKind::divide, {rest, factor}), "divided by " + expr::text(factor) + " instead of multiplied"});
    out.push_back({node(SyntaxKind::multiply, {factor, e}), "with the factor " + expr::text(factor) + " twice"});
    const Expression turned = along_other_axis(factor);
    if (turned) out.push_back({node(SyntaxKind::multiply, {turned, rest}), "with " + expr::text(factor->args[0]) + " along the other axis"});
    if (is_weight(factor) || (turned && is_weight(factor->args[0]))) {
      out.push_back({node(SyntaxKind::multiply, {node(SyntaxKind::add, {repair::number(1), factor}), rest}), "with 1 + " + expr::text(factor) + " for " + expr::text(factor)});
      out.push_back({node(SyntaxKind::multiply, {node(SyntaxKind::subtract, {factor, repair::number(1)}), rest}), "with " + expr::text(factor) + " - 1 for " + expr::text(factor)});
    }
    if (is_weight(factor)) {
      const bool is_vector = vectors.count(factor->name) > 0;
      if (!is_vector) out.push_back({node(SyntaxKind::multiply, {expr::transposed(factor), rest}), "with " + expr::text(expr::transposed(factor)) + " for " + expr::text(factor)});
      if (is_vector) out.push_back({expr::transposed(node(SyntaxKind::multiply, {expr::transposed(rest), factor})), "with " + factor->name + " along the other axis"});
    }
  }
}

void sum(const Expression& e, Changes& out) {
  const Expression& a = e->args[0];
  const Expression& b = e->args[1];
  const bool plus = e->kind == SyntaxKind::add;
  for (const bool first : {true, false}) {
    const Expression& one = first ? a : b;
    const Expression& other = first ? b : a;
    const bool turned = first && !plus;  // a - b without a
    out.push_back({turned ? node(SyntaxKind::negate, {other}) : other, is_one(one) ? "without the 1 +" : "without the term " + expr::text(one)});
  }
  out.push_back({node(plus ? SyntaxKind::subtract : SyntaxKind::add, {a, b}), "with the sign of " + expr::text(b) + " changed"});
  out.push_back({plus ? node(SyntaxKind::subtract, {b, a}) : node(SyntaxKind::negate, {node(SyntaxKind::add, {a, b})}), "with the sign of " + expr::text(a) + " changed"});
  for (const bool first : {false, true}) {
    const Expression twice = node(SyntaxKind::multiply, {repair::number(2), first ? a : b});
    if (!is_one(first ? a : b)) out.push_back({first ? node(e->kind, {twice, b}) : node(e->kind, {a, twice}), "with the term " + expr::text(first ? a : b) + " twice"});
  }
  // Of an update that most entries are too large for, a scale cannot be measured. Half of 2 * b is b without the factor.
  const bool is_doubled = b->kind == SyntaxKind::multiply && expr::is_number(b->args[0], 2);
  const Expression half = node(SyntaxKind::divide, {repair::number(1), repair::number(2)});
  if (!is_doubled) out.push_back({node(e->kind, {a, node(SyntaxKind::multiply, {half, b})}), "with the factor 1 / 2 at " + expr::text(b)});
}

/// A function forgotten, a sum for a mean, the other axis of a matrix.
void function(const Expression& e, Changes& out) {
  if (e->args.size() == 1 && expr::is_entrywise_function(e->name)) out.push_back({e->args[0], "without " + e->name});
  if (e->name == "mean" || e->name == "sum") {
    auto other = std::make_shared<expr::Syntax>(*e);
    other->name = e->name == "mean" ? "sum" : "mean";
    out.push_back({other, "with the " + other->name + " instead of the " + e->name});
  }
  for (std::size_t k = 0; k < e->keywords.size(); ++k) {
    const auto& [key, value] = e->keywords[k];
    if (key != "axis" && key != "dim") continue;
    const bool first = value->kind == SyntaxKind::number && value->value.is_zero();
    auto other = std::make_shared<expr::Syntax>(*e);
    other->keywords[k].second = repair::number(first ? 1 : 0);
    out.push_back({other, "with " + e->name + " along the other axis"});
  }
}

void collect_names(const Expression& e, std::vector<std::string>& names) {
  if (e->kind == SyntaxKind::name && !expr::is_quoted(e) && std::find(names.begin(), names.end(), e->name) == names.end()) names.push_back(e->name);
  for (const Expression& a : e->args) collect_names(a, names);
}

/// Two tensors in each other's places: 0.3 * B + 0.7 * A. Which of them have one shape the tensors tell.
void exchanges(const Expression& side, Changes& out) {
  constexpr std::size_t most = 6;  // names, of which there are 15 pairs
  std::vector<std::string> names;
  collect_names(side, names);
  if (names.size() > most) return;
  for (std::size_t i = 0; i < names.size(); ++i) {
    for (std::size_t j = i + 1; j < names.size(); ++j) {
      const auto exchanged = [&](const Expression& e) -> Expression {
        if (e->kind != SyntaxKind::name) return nullptr;
        return e->name == names[i] ? repair::named(names[j]) : e->name == names[j] ? repair::named(names[i]) : nullptr;
      };
      out.push_back({expr::changed(side, exchanged), "with " + names[i] + " and " + names[j] + " exchanged"});
    }
  }
}

/// The sums that stand in e more than once, as W + B @ A does in a norm that is written out.
void repeated_sums(const Expression& e, std::vector<Expression>& once, std::vector<Expression>& repeated) {
  if (is_sum(e)) {
    std::vector<Expression>& list = expr::contains(once, e) ? repeated : once;
    if (!expr::contains(list, e)) list.push_back(e);
  }
  for (const Expression& a : e->args) repeated_sums(a, once, repeated);
}

/// A function of one term of a sum where it should be of the whole: the norm of W for that of W + B @ A.
void of_one_term(const Expression& e, const std::vector<expr::Definition>& definitions, Changes& out) {
  if (e->kind != SyntaxKind::call) return;
  const auto replaced = [&](const Expression& sum, const Expression& with) {
    for (const Expression& term : sum->args) {
      const Expression other = expr::changed(e, [&](const Expression& part) { return expr::same(part, with) ? term : nullptr; });
      out.push_back({other, "with " + expr::text(other) + " for " + expr::text(e)});
    }
  };
  for (const auto& d : definitions) {
    if (is_sum(d.value) && expr::mentions(e, d.name)) replaced(d.value, repair::named(d.name));
  }
  std::vector<Expression> once, repeated;
  repeated_sums(e, once, repeated);
  for (const Expression& s : repeated) replaced(s, s);
}

std::optional<std::int64_t> whole_number(const Expression& e) {
  if (!e) return std::nullopt;
  if (e->kind == SyntaxKind::number && e->value.is_integer()) return e->value.num();
  const auto inner = e->kind == SyntaxKind::negate ? whole_number(e->args[0]) : std::nullopt;
  return inner ? std::optional(-*inner) : std::nullopt;
}

/// Other subscripts as large as this one: keys for queries in a fused weight. Which of them the tensor has its shape tells.
std::vector<expr::Subscript> alike(const expr::Subscript& s) {
  constexpr std::int64_t most = 8, most_parts = 3;
  std::vector<expr::Subscript> out;
  const auto start = whole_number(s.start), stop = whole_number(s.stop);
  if (s.step || (s.start && !start) || (s.stop && !stop)) return out;
  if (!s.slice) {
    for (std::int64_t k = *start < 0 ? -most : 0; k < (*start < 0 ? 0 : most); ++k) {
      if (k != *start) out.push_back({.slice = false, .start = repair::number(k), .stop = nullptr, .step = nullptr});
    }
  } else if (const std::int64_t first = start.value_or(0); stop && *stop > first && first >= 0) {
    const std::int64_t length = *stop - first;
    for (std::int64_t at = first % length; at < most * length; at += length) {
      if (at != first) out.push_back({.slice = true, .start = repair::number(at), .stop = repair::number(at + length), .step = nullptr});
    }
    for (std::int64_t parts = 2; parts <= most_parts; ++parts) {  // rows of several weights by turns
      for (std::int64_t k = 0; k < parts; ++k) out.push_back({.slice = true, .start = repair::number(k), .stop = nullptr, .step = repair::number(parts)});
    }
  } else if (!stop && start && *start > 0) {
    out.push_back({.slice = true, .start = nullptr, .stop = s.start, .step = nullptr});
  }
  return out;
}

void other_parts(const Expression& e, Changes& out) {
  for (std::size_t k = 0; k < e->subscripts.size(); ++k) {
    for (const expr::Subscript& other : alike(e->subscripts[k])) {
      auto copy = std::make_shared<expr::Syntax>(*e);
      copy->subscripts[k] = other;
      out.push_back({copy, "with " + expr::text(Expression(copy)) + " for " + expr::text(e)});
    }
  }
}

/// 2 + g for 1 + g, where the 1 is in the weights already; zero points that are one more or less, 7 for the 8 of q - 8, and z + 1 for the z of q - z.
void off_by_one(const Expression& sum, Changes& out) {
  for (const std::size_t k : {0u, 1u}) {
    const Expression& n = sum->args[k];
    if (n->kind != SyntaxKind::number || !n->value.is_integer() || n->value.sign() <= 0) continue;
    for (const int by : {1, -1}) {
      if (n->value.is_one() && by < 0) continue;  // without the 1 +
      auto other = std::make_shared<expr::Syntax>(*sum);
      other->args[k] = repair::number(n->value.num() + by);
      out.push_back({other, n->value.is_one() ? "with the 1 of " + expr::text(sum) + " twice" : "with " + expr::text(other->args[k]) + " for " + expr::text(n)});
    }
  }
  const Expression& subtracted = sum->args[1];
  if (sum->kind != SyntaxKind::subtract || subtracted->kind == SyntaxKind::number) return;
  const std::string name = expr::text(subtracted);
  out.push_back({node(SyntaxKind::subtract, {sum, repair::number(1)}), "with " + name + " + 1 for " + name});
  out.push_back({node(SyntaxKind::add, {sum, repair::number(1)}), "with " + name + " - 1 for " + name});
}

/// What keeps a root away from zero is called otherwise in every library.
void other_epsilons(const Expression& e, Changes& out) {
  static const expr::Rational usual[] = {{1, 1000}, {1, 100'000}, {1, 1'000'000}, {1, 100'000'000}, {1, 1'000'000'000'000}};
  if (std::find(std::begin(usual), std::end(usual), e->value) == std::end(usual)) return;
  for (const expr::Rational& epsilon : usual) {
    if (epsilon != e->value) out.push_back({repair::number(epsilon), "with another epsilon, " + expr::text(repair::number(epsilon)) + " for " + expr::text(e)});
  }
}

/// Ways to get the expression itself wrong, not its parts.
void here(const Expression& e, const std::set<std::string>& vectors, Changes& out) {
  switch (e->kind) {
    case SyntaxKind::multiply:
    case SyntaxKind::matmul: product(e, vectors, out); break;
    case SyntaxKind::add:
    case SyntaxKind::subtract:
      sum(e, out);
      off_by_one(e, out);
      break;
    case SyntaxKind::divide:
      out.push_back({e->args[0], "without the divisor " + expr::text(e->args[1])});
      if (const Expression turned = along_other_axis(e->args[1])) out.push_back({node(SyntaxKind::divide, {e->args[0], turned}), "with " + expr::text(e->args[1]->args[0]) + " along the other axis"});
      out.push_back({node(SyntaxKind::divide, {e, e->args[1]}), "with the divisor " + expr::text(e->args[1]) + " twice"});
      if (e->args[0]->kind == SyntaxKind::multiply) {  // (b - mu) * g / s
        for (const bool first : {true, false}) {
          const Expression rest = node(SyntaxKind::divide, {e->args[0]->args[first ? 0 : 1], e->args[1]});
          out.push_back({e->args[0]->args[first ? 1 : 0], "without the factor " + expr::text(rest)});
        }
      }
      if (!is_one(e->args[0])) out.push_back({node(SyntaxKind::divide, {repair::number(1), e->args[1]}), "without the factor " + expr::text(e->args[0])});
      out.push_back({node(SyntaxKind::multiply, e->args), "multiplied by " + expr::text(e->args[1]) + " instead of divided"});
      break;
    case SyntaxKind::call: function(e, out); break;
    case SyntaxKind::number: other_epsilons(e, out); break;
    case SyntaxKind::index: other_parts(e, out); break;
    case SyntaxKind::negate: out.push_back({e->args[0], "without the sign"}); break;
    case SyntaxKind::power: out.push_back({e->args[0], "without the exponent"}); break;
    default: break;
  }
  const bool turns = (e->kind == SyntaxKind::name && vectors.count(e->name) == 0) || e->kind == SyntaxKind::transpose || e->kind == SyntaxKind::matmul;
  if (turns) out.push_back({expr::transposed(e), "with " + expr::text(expr::transposed(e)) + " for " + expr::text(e)});
}

/// The names that stand for vectors, of which a transpose says nothing.
std::set<std::string> vectors_of(const expr::Claim& claim) {
  std::set<std::string> out;
  try {
    for (const infer::Variable& v : infer::elaborate(claim).variables) {
      if (v.shape.size() == 1) out.insert(v.name);
    }
  } catch (const expr::Error&) {
  } catch (const expr::LimitReached&) {
  }
  return out;
}

}  // namespace

std::vector<Mistake> mistakes(const expr::Claim& claim) {
  std::vector<Mistake> found;
  std::set<std::string> seen{expr::text(claim)};
  const std::set<std::string> vectors = vectors_of(claim);
  for (const bool right : {false, true}) {
    const Expression& side = right ? claim.rhs : claim.lhs;
    if (is_weight(side) && (right || !is_weight(claim.rhs))) continue;
    Changes changes;
    repair::everywhere(side, [&](const Expression& e, Changes& out) {
      here(e, vectors, out);
      of_one_term(e, claim.definitions, out);
    }, changes);
    changes.push_back({expr::transposed(side), "with the result transposed"});
    changes.push_back({node(SyntaxKind::negate, {side}), "with the sign of the result changed"});
    exchanges(side, changes);
    for (Change& change : changes) {
      Mistake mistake{claim, std::move(change.words)};
      (right ? mistake.claim.rhs : mistake.claim.lhs) = std::move(change.to);
      if (!expr::same(mistake.claim.lhs, mistake.claim.rhs) && seen.insert(expr::text(mistake.claim)).second) found.push_back(std::move(mistake));
    }
  }
  for (std::size_t d = 0; d < claim.definitions.size(); ++d) {
    Changes changes;
    repair::everywhere(claim.definitions[d].value, [&](const Expression& e, Changes& out) { here(e, vectors, out); }, changes);
    for (Change& change : changes) {
      Mistake mistake{claim, std::move(change.words)};
      mistake.claim.definitions[d].value = std::move(change.to);
      if (seen.insert(expr::text(mistake.claim)).second) found.push_back(std::move(mistake));
    }
  }
  return found;
}

}  // namespace foldproof::diagnose
