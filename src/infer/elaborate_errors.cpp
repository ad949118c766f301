// SPDX-License-Identifier: MIT
// Sizes read off the syntax, equations between them, and the messages when they cannot hold. Part of the trusted base.
#include <algorithm>

#include "infer/elaborator.hpp"
#include "infer/is_operator.hpp"
#include "read/kinds.hpp"

namespace foldproof::infer {

std::string Elaborator::shorten(std::string s) {
  if (s.size() > 80) s = s.substr(0, 77) + "...";
  return s;
}

std::string Elaborator::describe(const Shape& shape) const {
  const auto names = names_of_unknown_sizes();
  Shape resolved = sizes_.resolve(shape);
  for (Dim& d : resolved) d = expr::substitute(d, names);
  return expr::text(resolved);
}

bool Elaborator::unify(const Shape& a, const Shape& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [this](const Dim& x, const Dim& y) { return unify(x, y); });
}

bool Elaborator::unify(const Dim& a, const Dim& b) {
  std::vector<std::string> unknown;
  expr::collect_names(resolve(a), unknown);
  expr::collect_names(resolve(b), unknown);
  if (!sizes_.unify(a, b)) return false;
  for (const auto& n : unknown) {
    if (Sizes::is_unknown(n) && current_) learned_.emplace(n, current_);
  }
  return true;
}

std::string Elaborator::reason(const Term& variable) const {
  if (std::any_of(claim_.definitions.begin(), claim_.definitions.end(), [&](const auto& d) { return d.shape && d.name == variable->name; })) return "by its declaration";
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

/// `A @ B.T` where the columns of A are as many as those of B, and so on; empty where no such product of the two matrices fits.
std::string Elaborator::product_that_fits() {
  if (!current_ || current_->kind != SyntaxKind::matmul || current_args_.size() != 2) return {};
  const Shape a = sizes_.resolve(current_args_[0]->shape), b = sizes_.resolve(current_args_[1]->shape);
  if (a.size() != 2 || b.size() != 2) return {};
  const Expression &left = current_->args[0], &right = current_->args[1];
  const auto product = [](const Expression& x, const Expression& y) { return "`" + shorten(expr::text(expr::node(SyntaxKind::matmul, {x, y}))) + "`"; };
  if (a[1] == b[1]) return product(left, expr::transposed(right));
  if (a[0] == b[0]) return product(expr::transposed(left), right);
  return b[1] == a[0] ? product(right, left) : "";
}

/// "assume d % 2 == 0" where a size is (d + 1)//2 or the like; empty elsewhere.
static std::string multiple_that_fits(const Dim& x, const Dim& y) {
  for (const Dim* d : {&x, &y}) {
    for (const auto& summand : d->summands()) {
      for (const expr::DimSymbol& s : summand.product) {
        if (!s.division || !s.division->denominator.constant()) continue;
        std::vector<std::string> names;
        expr::collect_names(s.division->numerator, names);
        if (names.size() == 1) return "assume " + names[0] + " % " + expr::text(s.division->denominator) + " == 0";
      }
    }
  }
  return {};
}

void Elaborator::conflict(const Dim& a, const Dim& b, std::span<const int> operands, const char* why) {
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
    if (needed == sizes_.resolve(t->shape)) continue;  // only the product of its sizes does not fit
    const auto place = expr::locate(claim_.source, origin_.at(t->name).begin);
    message = "`" + t->name + "` is " + describe(t->shape) + " here (" + std::to_string(place.line) + ":" + std::to_string(place.column) + ", " + reason(t) + ") and must be " + describe(needed) + " there";
  }
  if (message.empty()) message = "shapes do not fit: " + shapes;
  const std::string sizes = describe({x}).substr(1, describe({x}).size() - 2) + " and " + describe({y}).substr(1, describe({y}).size() - 2);
  std::string hint = std::string(why) + ", and " + sizes + (x.constant() && y.constant() ? " differ" : " are not known to be equal");
  if (shapes.find(" and ") != std::string::npos) hint += " (" + shapes + ")";
  if (const std::string fitting = product_that_fits(); !fitting.empty()) {
    hint += "; " + fitting + " fits";
  } else if (const std::string multiple = multiple_that_fits(x, y); !multiple.empty()) {
    hint += "; " + multiple + " where that is meant";
  } else {
    hint += std::string("; if one symbol stands for two things, give the second a name of its own") + (x.constant() && y.constant() ? "" : ", or assume the sizes equal");
  }
  expr::fail("shape.conflict", message + here(), current_ ? current_->span : Span{}, hint);
}

Dim Elaborator::rank_size(const Expression& matrix) {
  if (mentions_index(matrix)) expr::fail("shape.ragged", "this rank depends on a comprehension index", matrix->span, "all heads must have one shape");
  for (const RankSize& r : ranks_) {  // the index of a comprehension would mean another matrix by the same text
    if (expr::same(r.matrix, matrix)) return expr::dim(r.name);
  }
  ranks_.push_back({expr::rank_prefix + std::to_string(ranks_.size() + 1), matrix});
  return expr::dim(ranks_.back().name);
}

bool Elaborator::mentions_index(const Expression& e) const {
  if (e->kind == SyntaxKind::name && index_scope_.count(e->name)) return true;
  const auto in = [&](const Expression& x) { return x && mentions_index(x); };
  return std::any_of(e->args.begin(), e->args.end(), in) || std::any_of(e->subscripts.begin(), e->subscripts.end(), [&](const auto& s) { return in(s.start) || in(s.stop) || in(s.step); }) ||
         std::any_of(e->keywords.begin(), e->keywords.end(), [&](const auto& k) { return in(k.second); });
}

namespace {
/// The number that is written there, also as the sum or product of two; nothing for others.
std::optional<std::int64_t> whole_number(const Term& t) {
  if (t->kind == TermKind::number) return t->value.is_integer() ? std::optional(t->value.num()) : std::nullopt;
  if (t->kind == TermKind::size) return t->size.constant();
  if (!t->shape.empty() || !is<expr::ops::Add, expr::ops::Subtract, expr::ops::Multiply>(t)) return std::nullopt;
  const auto a = whole_number(t->args[0]), b = whole_number(t->args[1]);
  if (!a || !b) return std::nullopt;
  const expr::Rational result = is<expr::ops::Add>(t) ? expr::Rational(*a) + expr::Rational(*b) : is<expr::ops::Subtract>(t) ? expr::Rational(*a) - expr::Rational(*b) : expr::Rational(*a) * expr::Rational(*b);
  return result.num();
}
}  // namespace

Dim Elaborator::size(const Expression& e) {
  switch (e->kind) {
    case SyntaxKind::number:
      if (read::kind_of(claim_, e).kind == read::Kind::real) expr::fail("shape.no_size", "`" + std::string(claim_.source.substr(e->span.begin, e->span.end - e->span.begin)) + "` is a real number in Python, and no size", e->span, "write it without a point");
      if (e->value.is_integer()) return e->value.num();
      break;
    case SyntaxKind::name: {
      const auto index = index_scope_.find(e->name);
      if (index != index_scope_.end()) return expr::dim(index->second);
      if (const auto defined = definitions_.find(e->name); defined != definitions_.end() && read::kind_of(claim_, e).kind != read::Kind::real) {
        if (const auto number = whole_number(defined->second)) return *number;
      }
      if (by_name_.count(e->name) || definitions_.count(e->name)) {
        expr::fail("name.two_meanings", "`" + e->name + "` is a tensor, but a size is expected here", e->span, "sizes are dimension names such as n, integers, and sums and products of them");
      }
      if (used_indices_.count(e->name) && !names_.sizes.count(e->name)) {
        expr::fail("name.index", "`" + e->name + "` is the index of a comprehension and means nothing outside it", e->span, "write the number of the head, or another name for a size");
      }
      if (expr::is_quoted(e)) expr::fail("call.arguments", "text in quotes is no size", e->span, "leave types out: numbers are exact");
      return expr::dim(e->name);
    }
    case SyntaxKind::negate: return -size(e->args[0]);
    case SyntaxKind::add: return size(e->args[0]) + size(e->args[1]);
    case SyntaxKind::subtract: return size(e->args[0]) - size(e->args[1]);
    case SyntaxKind::multiply: return size(e->args[0]) * size(e->args[1]);
    case SyntaxKind::floor_divide:
    case SyntaxKind::modulo: {
      const Dim a = resolve(size(e->args[0])), b = resolve(size(e->args[1]));
      if (expr::mentions_rank(a) || expr::mentions_rank(b)) expr::fail("shape.rank", "ranks are not divided", e->span, "the values of a matrix determine its rank: compare ranks with sizes");
      return e->kind == SyntaxKind::modulo ? expr::modulo(a, b) : expr::floor_divide(a, b);
    }
    case SyntaxKind::divide:
      if (const auto q = resolve(size(e->args[0])).divide(resolve(size(e->args[1])))) return *q;
      expr::fail("shape.quotient", "this quotient of sizes is not known to be an integer", e->span, "write the larger size as a product, such as k = 2*p");
    case SyntaxKind::power:
      if (e->args[1]->kind == SyntaxKind::number && e->args[1]->value.is_integer() && e->args[1]->value.sign() >= 0 && e->args[1]->value.num() <= 16) {
        Dim result = 1;
        for (std::int64_t k = 0; k < e->args[1]->value.num(); ++k) result = result * size(e->args[0]);
        return result;
      }
      break;
    case SyntaxKind::index:
      if (is_shape_entry(e)) return shape_entry(e);
      break;
    case SyntaxKind::call:
      if (e->name == "rank" && e->args.size() == 1) return rank_size(e->args[0]);
      if ((e->name == "max" || e->name == "min") && e->args.size() == 2 && e->keywords.empty()) {  // K[max(0, t - 3):t + 1]
        const Dim a = resolve(size(e->args[0])), b = resolve(size(e->args[1]));
        const bool first = is_at_least(a - b, 0);
        if (!first && !is_at_least(b - a, 0)) expr::fail("shape.no_size", "which of " + expr::text(a) + " and " + expr::text(b) + " is larger depends on the sizes", e->span, "add an assumption that decides it");
        return first == (e->name == "max") ? a : b;
      }
      break;
    default: break;
  }
  expr::fail("shape.no_size", "`" + shorten(expr::text(e)) + "` is not a size", e->span, "sizes are dimension names such as n, integers, and sums and products of them");
}

}  // namespace foldproof::infer
