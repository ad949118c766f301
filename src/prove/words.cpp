// SPDX-License-Identifier: MIT
#include "prove/words.hpp"

#include <algorithm>

#include "expr/build.hpp"
#include "read/parse.hpp"

namespace foldproof::prove {
namespace {

using expr::Expression;
using expr::node;
using expr::Rational;
using expr::SyntaxKind;

constexpr std::size_t most_words = 24;

/// coefficient * product of numbers * product of matrices
struct Word {
  Rational coefficient = 1;
  std::vector<Expression> numbers, matrices;
};
using Words = std::vector<Word>;

class Multiplier {
 public:
  using ShapeOf = std::function<std::optional<expr::Shape>(const Expression&)>;
  Multiplier(const expr::Claim& claim, const ShapeOf& shape_of) : claim_(claim), shape_of_(shape_of) {}

  Words of(const Expression& e) {
    switch (e->kind) {
      case SyntaxKind::name:
        for (const auto& d : claim_.definitions) {
          if (d.name == e->name) return of(d.value);
        }
        for (const auto& a : claim_.assumptions) {  // U == W + A @ B
          const bool says = a.relation == expr::Relation::equal && a.lhs->kind == SyntaxKind::name && a.lhs->name == e->name;
          if (says && !expr::mentions(a.rhs, e->name) && ++replaced_ <= most_words) return of(a.rhs);
        }
        return matrix(e);
      case SyntaxKind::negate: return scaled(of(e->args[0]), -1);
      case SyntaxKind::add:
      case SyntaxKind::subtract: {
        Words sum = of(e->args[0]);
        for (Word& w : scaled(of(e->args[1]), e->kind == SyntaxKind::add ? 1 : -1)) sum.push_back(std::move(w));
        return sum;
      }
      case SyntaxKind::matmul: return product(of(e->args[0]), of(e->args[1]));
      case SyntaxKind::transpose: {
        Words turned = of(e->args[0]);
        for (Word& w : turned) {
          std::reverse(w.matrices.begin(), w.matrices.end());
          for (Expression& m : w.matrices) m = expr::transposed(m);
        }
        return turned;
      }
      case SyntaxKind::multiply:
        for (const std::size_t k : {0u, 1u}) {
          if (is_number(e->args[k])) return product(number(e->args[k]), of(e->args[1 - k]));
        }
        return matrix(e);
      case SyntaxKind::divide:
        if (e->args[1]->kind == SyntaxKind::number && !e->args[1]->value.is_zero()) return scaled(of(e->args[0]), Rational(1) / e->args[1]->value);
        return is_number(e->args[1]) ? product(number(node(SyntaxKind::divide, {read::parse_expression("1"), e->args[1]})), of(e->args[0])) : matrix(e);
      default: return matrix(e);
    }
  }

 private:
  bool is_number(const Expression& e) const {
    const auto shape = shape_of_(e);
    return shape && shape->empty();
  }
  static Words matrix(const Expression& e) { return {{1, {}, {e}}}; }
  static Words number(const Expression& e) { return e->kind == SyntaxKind::number ? Words{{e->value, {}, {}}} : Words{{1, {e}, {}}}; }
  static Words scaled(Words words, const Rational& q) {
    for (Word& w : words) w.coefficient = w.coefficient * q;
    return words;
  }
  static bool is_identity(const Expression& e) { return e->kind == SyntaxKind::call && e->name == "eye" && e->args.size() == 1; }
  static Words product(const Words& a, const Words& b) {
    Words result;
    for (const Word& x : a) {
      for (const Word& y : b) {
        if (result.size() == most_words) throw expr::LimitReached("too many products");
        Word w{x.coefficient * y.coefficient, x.numbers, x.matrices};
        w.numbers.insert(w.numbers.end(), y.numbers.begin(), y.numbers.end());
        w.matrices.insert(w.matrices.end(), y.matrices.begin(), y.matrices.end());
        for (std::size_t k = 0; w.matrices.size() > 1 && k < w.matrices.size();) is_identity(w.matrices[k]) ? void(w.matrices.erase(w.matrices.begin() + static_cast<std::ptrdiff_t>(k))) : void(++k);
        result.push_back(std::move(w));
      }
    }
    return result;
  }

  const expr::Claim& claim_;
  const ShapeOf& shape_of_;
  std::size_t replaced_ = 0;  ///< U == V and V == U would go round
};

std::string key(const Word& w) {
  std::vector<std::string> numbers;
  for (const Expression& e : w.numbers) numbers.push_back(expr::text(e));
  std::sort(numbers.begin(), numbers.end());
  std::string text;
  for (const std::string& n : numbers) text += n + " * ";
  for (const Expression& e : w.matrices) text += expr::text(e) + " @ ";
  return text;
}

Expression written(const Word& w) {
  Expression e = w.matrices[0];
  for (std::size_t k = 1; k < w.matrices.size(); ++k) e = node(SyntaxKind::matmul, {e, w.matrices[k]});
  for (const Expression& n : w.numbers) e = node(SyntaxKind::multiply, {n, e});
  return w.coefficient.is_one() ? e : node(SyntaxKind::multiply, {read::parse_expression(w.coefficient.text()), e});
}

}  // namespace

std::optional<Expression> cancelled(const expr::Claim& claim, const Expression& e, const std::function<std::optional<expr::Shape>(const Expression&)>& shape_of) {
  Words words;
  try {
    words = Multiplier(claim, shape_of).of(e);
  } catch (const expr::LimitReached&) {
    return std::nullopt;
  }
  const std::size_t before = words.size();
  Words left;
  for (Word& w : words) {
    const auto same = std::find_if(left.begin(), left.end(), [&](const Word& other) { return key(other) == key(w); });
    if (same == left.end()) {
      left.push_back(std::move(w));
    } else {
      same->coefficient = same->coefficient + w.coefficient;
    }
  }
  std::erase_if(left, [](const Word& w) { return w.coefficient.is_zero(); });
  const bool numbers_only = std::any_of(left.begin(), left.end(), [](const Word& w) { return w.matrices.empty(); });
  if (left.empty() || left.size() == before || numbers_only) return std::nullopt;
  Expression sum = written(left[0]);
  for (std::size_t k = 1; k < left.size(); ++k) sum = node(SyntaxKind::add, {sum, written(left[k])});
  return sum;
}

}  // namespace foldproof::prove
