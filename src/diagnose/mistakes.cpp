// SPDX-License-Identifier: MIT
#include "diagnose/mistakes.hpp"

#include <algorithm>
#include <map>
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

void product(const Expression& e, const std::map<std::string, expr::Shape>& vectors, Changes& out) {
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
    const bool is_spread = factor->kind == SyntaxKind::index && std::any_of(factor->subscripts.begin(), factor->subscripts.end(), expr::is_new_axis);  // g[:, None]
    if (is_weight(factor) || (is_spread && is_weight(factor->args[0]))) {
      out.push_back({node(SyntaxKind::multiply, {node(SyntaxKind::add, {repair::number(1), factor}), rest}), "with 1 + " + expr::text(factor) + " for " + expr::text(factor)});
      out.push_back({node(SyntaxKind::multiply, {node(SyntaxKind::subtract, {factor, repair::number(1)}), rest}), "with " + expr::text(factor) + " - 1 for " + expr::text(factor)});
    }
    if (is_weight(factor)) {
      const bool is_vector = vectors.count(factor->name) > 0;
      if (!is_vector) out.push_back({node(SyntaxKind::multiply, {expr::transposed(factor), rest}), "with " + expr::text(expr::transposed(factor)) + " for " + expr::text(factor)});
      if (is_vector) out.push_back({expr::transposed(node(SyntaxKind::multiply, {expr::transposed(rest), factor})), "with " + factor->name + " along the other axis"});
      if (is_vector) out.push_back({node(SyntaxKind::multiply, {expr::call("sqrt", {factor}), rest}), "with the root of " + factor->name});
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
  if (e->args.size() == 1 && expr::is_entrywise_function(e->name)) {
    out.push_back({e->args[0], "without " + e->name});
    out.push_back({expr::call(e->name, {node(SyntaxKind::negate, {e->args[0]})}), "with " + e->name + " of minus " + expr::text(e->args[0])});
  }
  const bool joins = (e->name == "stack" || e->name == "concat" || e->name == "vstack") && e->args.size() > 1;
  if (joins && std::all_of(e->args.begin(), e->args.end(), is_weight)) {  // each of them, as of layers that store [in, out]
    auto turned = std::make_shared<expr::Syntax>(*e);
    for (Expression& part : turned->args) part = expr::transposed(part);
    out.push_back({turned, "with each part transposed"});
  }
  const Expression& repeated = e->args.empty() ? e : e->args[0];
  const bool repeats = e->name == "repeat" && e->args.size() == 2 && repeated->kind == SyntaxKind::call && repeated->name == "reshape" && e->keywords.size() == 1 && expr::is_number(e->keywords[0].second, 0);
  if (repeats) {  // every group again after the last, and not each one by itself
    std::vector<Expression> times(repeated->args.size() - 1, repair::number(1));
    times.front() = e->args[1];
    out.push_back({expr::call("tile", {repeated, expr::node(SyntaxKind::list, times)}), "with np.tile for np.repeat"});
  }
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

/// Numbers before two terms of a sum in each other's places: the scales of two adapters.
void exchanged_scales(const Expression& side, Changes& out) {
  std::vector<Expression> scales;
  const std::function<bool(const Expression&)> is_constant = [&](const Expression& e) { return e->kind == SyntaxKind::number || (e->kind == SyntaxKind::divide && is_constant(e->args[0]) && is_constant(e->args[1])); };
  const std::function<void(const Expression&)> collect = [&](const Expression& e) {
    if (is_sum(e)) {
      for (const Expression& a : e->args) collect(a);
    } else if (e->kind == SyntaxKind::multiply && is_constant(e->args[0])) {
      scales.push_back(e->args[0]);
    }
  };
  collect(side);
  for (std::size_t i = 0; i < scales.size(); ++i) {
    for (std::size_t j = i + 1; j < scales.size(); ++j) {
      if (expr::same(scales[i], scales[j])) continue;
      const auto exchanged = [&](const Expression& e) -> Expression { return e == scales[i] ? scales[j] : e == scales[j] ? scales[i] : nullptr; };
      out.push_back({expr::changed(side, exchanged), "with the scales " + expr::text(scales[i]) + " and " + expr::text(scales[j]) + " exchanged"});
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
    if (first % length != 0) out.push_back({.slice = true, .start = nullptr, .stop = repair::number(length), .step = nullptr});
    if (first == 0) out.push_back({.slice = true, .start = node(SyntaxKind::negate, {repair::number(length)}), .stop = nullptr, .step = nullptr});
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

/// v[:, None] for v[None, :], and v[:, None, None] for v[None, :, None].
void other_axes(const Expression& e, Changes& out) {
  const auto whole = [](const expr::Subscript& s) { return s.slice && !s.start && !s.stop && !s.step; };
  const auto at = std::find_if(e->subscripts.begin(), e->subscripts.end(), whole);
  const bool one = at != e->subscripts.end() && std::count_if(e->subscripts.begin(), e->subscripts.end(), expr::is_new_axis) + 1 == std::ssize(e->subscripts);
  for (std::size_t k = 0; one && k < e->subscripts.size(); ++k) {
    auto copy = std::make_shared<expr::Syntax>(*e);
    std::swap(copy->subscripts[k], copy->subscripts[static_cast<std::size_t>(at - e->subscripts.begin())]);
    if (!whole(e->subscripts[k])) out.push_back({copy, "with " + expr::text(e->args[0]) + (e->subscripts.size() == 2 ? " along the other axis" : " along another axis")});
  }
}

/// A gain or a bias the wrong way round, as of channels in the order BGR, or off by one place.
std::vector<Mistake> other_orders(const expr::Claim& claim, const std::string& name, const expr::Shape& shape) {
  expr::Claim declared = claim;  // flip(g) of a g that is undeclared would turn a matrix
  const bool known = std::any_of(claim.declarations.begin(), claim.declarations.end(), [&](const auto& d) { return d.name == name; });
  if (!known) declared.declarations.push_back({name, shape, {}});
  const Expression vector = repair::named(name), one = repair::number(1);
  std::vector<Mistake> found;
  const auto add = [&](const Expression& order, const char* words) {
    Mistake mistake{declared, "with " + name + words};
    const auto put = [&](const Expression& e) { return expr::same(e, vector) ? order : nullptr; };
    mistake.claim.lhs = expr::changed(claim.lhs, put);
    mistake.claim.rhs = expr::changed(claim.rhs, put);
    found.push_back(std::move(mistake));
  };
  add(expr::call("flip", {vector}), " from its end to its beginning");
  add(expr::call("roll", {vector, one}), " one place later");
  add(expr::call("roll", {vector, node(SyntaxKind::negate, {one})}), " one place earlier");
  return found;
}

/// A fused weight that was cut into the parts of all heads, where each head has its own parts, or the other way round: of [h, 3, d] rows as of [3, h, d],
/// and of [h, n + v] rows as of h*n and h*v.
void other_order_of_parts(const Expression& e, Changes& out) {
  const Expression& tensor = e->args[0];
  if (tensor->kind != SyntaxKind::call || tensor->name != "reshape" || tensor->args.size() < 3 || e->subscripts.size() < 2) return;
  const expr::Subscript &head = e->subscripts[0], &part = e->subscripts[1];
  if (head.slice || head.step || part.step) return;
  const Expression &heads = tensor->args[1], &parts = tensor->args[2];
  auto reshaped = std::make_shared<expr::Syntax>(*tensor);
  auto taken = std::make_shared<expr::Syntax>(*e);
  if (!part.slice) {
    std::swap(reshaped->args[1], reshaped->args[2]);
    std::swap(taken->subscripts[0], taken->subscripts[1]);
  } else {
    const auto count = whole_number(heads), all = whole_number(parts), start = part.start ? whole_number(part.start) : 0, stop = part.stop ? whole_number(part.stop) : all;
    if (!count || !all || !start || !stop || *start < 0 || *stop <= *start) return;
    const auto place = [&](std::int64_t row) { return repair::number(*count * row); };
    const expr::Subscript rows{.slice = true, .start = place(*start), .stop = place(*stop), .step = nullptr};
    reshaped->args[0] = std::make_shared<expr::Syntax>(expr::Syntax{SyntaxKind::index, {}, {}, {tensor->args[0]}, {}, {rows}, e->span});
    reshaped->args[2] = repair::number(*stop - *start);
    taken->subscripts.erase(taken->subscripts.begin() + 1);
  }
  taken->args[0] = reshaped;
  out.push_back({taken, "with " + expr::text(Expression(taken)) + " for " + expr::text(e)});
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
void here(const Expression& e, const std::map<std::string, expr::Shape>& vectors, Changes& out) {
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
    case SyntaxKind::index:
      other_parts(e, out);
      other_order_of_parts(e, out);
      other_axes(e, out);
      break;
    case SyntaxKind::negate: out.push_back({e->args[0], "without the sign"}); break;
    case SyntaxKind::power: out.push_back({e->args[0], "without the exponent"}); break;
    default: break;
  }
  const bool turns = (e->kind == SyntaxKind::name && vectors.count(e->name) == 0) || e->kind == SyntaxKind::transpose || e->kind == SyntaxKind::matmul;
  if (turns) out.push_back({expr::transposed(e), "with " + expr::text(expr::transposed(e)) + " for " + expr::text(e)});
}

/// The names that stand for vectors, of which a transpose says nothing, and their shapes.
std::map<std::string, expr::Shape> vectors_of(const expr::Claim& claim) {
  std::map<std::string, expr::Shape> out;
  try {
    for (const infer::Variable& v : infer::elaborate(claim).variables) {
      if (v.shape.size() == 1) out.emplace(v.name, v.shape);
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
  const auto vectors = vectors_of(claim);
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
    exchanged_scales(side, changes);
    for (Change& change : changes) {
      Mistake mistake{claim, std::move(change.words)};
      (right ? mistake.claim.rhs : mistake.claim.lhs) = std::move(change.to);
      if (!expr::same(mistake.claim.lhs, mistake.claim.rhs) && seen.insert(expr::text(mistake.claim)).second) found.push_back(std::move(mistake));
    }
  }
  for (const auto& [name, shape] : vectors) {
    const auto is_it = [&, wanted = name](const Expression& e) { return is_weight(e) && e->name == wanted; };
    if (is_it(claim.lhs) || is_it(claim.rhs)) continue;  // the result
    for (Mistake& mistake : other_orders(claim, name, shape)) {
      if (seen.insert(expr::text(mistake.claim)).second) found.push_back(std::move(mistake));
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
