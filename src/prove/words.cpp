// SPDX-License-Identifier: MIT
#include "prove/words.hpp"

#include <algorithm>

#include "expr/build.hpp"
#include "prove/parts.hpp"
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
        const auto whole = shape_of_(e);
        Words sum = spread(e->args[0], whole);
        for (Word& w : scaled(spread(e->args[1], whole), e->kind == SyntaxKind::add ? 1 : -1)) sum.push_back(std::move(w));
        return sum;
      }
      case SyntaxKind::call:
        if (is_call(e, "offsets", 2)) {  // j - i
          Words sum = {{1, {}, {ones(e->args[0], one()), expr::call("positions", {e->args[1]})}}};
          sum.push_back({-1, {}, {expr::transposed(expr::call("positions", {e->args[0]})), ones(one(), e->args[1])}});
          return sum;
        }
        return matrix(e);
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
  static Expression one() { return read::parse_expression("1"); }
  static Expression ones(const Expression& rows, const Expression& columns) { return expr::call("ones", {rows, columns}); }
  static Expression size(const expr::Dim& d) { return read::parse_expression(expr::text(d)); }
  /// A summand of a matrix of that shape: a column, a row or a number stands in all columns, rows or places of it.
  Words spread(const Expression& e, const std::optional<expr::Shape>& whole) {
    const auto own = whole && whole->size() == 2 ? shape_of_(e) : std::nullopt;
    if (!own || own == whole) return of(e);
    const Expression rows = size((*whole)[0]), columns = size((*whole)[1]);
    if (own->empty()) return product(number(e), matrix(ones(rows, columns)));
    const bool column = own->size() == 2 && (*own)[0] == (*whole)[0], row = own->size() == 2 && (*own)[1] == (*whole)[1];
    if (!column && !row) return matrix(e);
    const bool mean = is_call(e, column ? "rowmean" : "colmean", 1) || (column && is_call(e, "mean", 1));
    if ((mean || is_call(e, column ? "rowsum" : "colsum", 1)) && shape_of_(e->args[0]) == whole) {  // the mean of each row is a product with the matrix itself
      const Words all = matrix(ones(column ? columns : rows, column ? columns : rows));
      const Words averaged = mean ? product(number(node(SyntaxKind::divide, {one(), column ? columns : rows})), all) : all;
      return column ? product(of(e->args[0]), averaged) : product(averaged, of(e->args[0]));
    }
    return column ? product(of(e), matrix(ones(one(), columns))) : product(matrix(ones(rows, one())), of(e));
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

/// The words with equal ones added up.
Words sums_of_equal(Words words) {
  Words left;
  for (Word& w : words) {
    const auto same = std::find_if(left.begin(), left.end(), [&](const Word& other) { return key(other) == key(w); });
    if (same == left.end()) left.push_back(std::move(w));
    else same->coefficient = same->coefficient + w.coefficient;
  }
  std::erase_if(left, [](const Word& w) { return w.coefficient.is_zero(); });
  return left;
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
  const Words left = sums_of_equal(std::move(words));
  const bool numbers_only = std::any_of(left.begin(), left.end(), [](const Word& w) { return w.matrices.empty(); });
  if (left.empty() || left.size() == before || numbers_only) return std::nullopt;
  Expression sum = written(left[0]);
  for (std::size_t k = 1; k < left.size(); ++k) sum = node(SyntaxKind::add, {sum, written(left[k])});
  return sum;
}

std::vector<std::pair<Expression, Expression>> covers(const expr::Claim& claim, const Expression& e, const std::function<std::optional<expr::Shape>(const Expression&)>& shape_of) {
  constexpr std::size_t most_terms = 7, most_covers = 3;
  Words words;
  try {
    words = sums_of_equal(Multiplier(claim, shape_of).of(e));
  } catch (const expr::LimitReached&) {
    return {};
  }
  const bool matrices = std::none_of(words.begin(), words.end(), [](const Word& w) { return w.matrices.empty(); });
  if (words.size() < 2 || words.size() > most_terms || !matrices) return {};
  struct Group {
    Expression shared;
    bool begins;     ///< with it; else the terms end with it
    Expression rest; ///< the sum of what is left of the terms
  };
  const auto rest_of = [&](Word w, bool begins) {
    const Expression only = w.matrices[0];
    w.matrices.erase(begins ? w.matrices.begin() : w.matrices.end() - 1);
    const auto shape = w.matrices.empty() ? shape_of(only) : std::nullopt;
    if (w.matrices.empty() && (!shape || shape->size() != 2)) return Expression();  // a row that is added to each row
    if (w.matrices.empty()) w.matrices.push_back(expr::call("eye", {read::parse_expression(expr::text((*shape)[begins ? 1 : 0]))}));
    return written(w);
  };
  std::vector<std::vector<Group>> found;
  for (std::size_t choice = 0; choice < std::size_t{1} << words.size(); ++choice) {
    std::vector<Group> groups;
    bool known = true;
    for (std::size_t k = 0; k < words.size() && known; ++k) {
      const bool begins = ((choice >> k) & 1) != 0;
      const Expression &shared = begins ? words[k].matrices.front() : words[k].matrices.back(), rest = rest_of(words[k], begins);
      known = rest != nullptr;
      if (!known) break;
      const auto same = std::find_if(groups.begin(), groups.end(), [&](const Group& g) { return g.begins == begins && expr::same(g.shared, shared); });
      if (same == groups.end()) groups.push_back({shared, begins, rest});
      else same->rest = node(SyntaxKind::add, {same->rest, rest});
    }
    if (known && (groups.size() < words.size() || words.size() > 2)) found.push_back(std::move(groups));
  }
  std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.size() < b.size(); });
  std::vector<std::pair<Expression, Expression>> result;
  for (const auto& groups : found) {
    if (result.size() == most_covers || groups.size() > found[0].size()) break;
    Expression left, right;
    for (const Group& g : groups) {
      const Expression &l = g.begins ? g.shared : g.rest, &r = g.begins ? g.rest : g.shared;
      left = left ? expr::call("concat", {left, l}) : l;
      right = right ? expr::call("vstack", {right, r}) : r;
    }
    result.emplace_back(left, right);
  }
  return result;
}

}  // namespace foldproof::prove
