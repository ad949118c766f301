// SPDX-License-Identifier: MIT
// Comparisons of numbers as values: x > 0 and t == u as tensors of zeros and ones. Part of the trusted base.
// The algebra has no function that jumps, and needs none: such a mask is a variable of its own, with assumptions that leave it one value
// for each value z of what is compared. M * z == relu(z) says that M is 1 where z > 0 and 0 where z < 0, and M == r * relu(z), which some r
// satisfies for every z, that it is 0 where z is 0. E * z == 0 and 1 - E == r * |z| say the same of E for z == 0.
#include <algorithm>
#include <tuple>

#include "expr/build.hpp"
#include "infer/elaborator.hpp"
#include "read/numpy.hpp"

namespace foldproof::infer {

bool Elaborator::compares_numbers(const Expression& e) const { return expr::is_comparison(*e) && !asks_mask(e) && !compares_places(e); }

bool Elaborator::remembered(std::map<std::string, bool>& answers, const std::string& name, const std::function<bool()>& ask) {
  const auto known = answers.find(name);
  return known != answers.end() ? known->second : (answers[name] = ask());
}

bool Elaborator::depends_on_numbers(const Expression& e) const {
  if (expr::is_comparison(*e)) return compares_numbers(e);
  if (const Expression value = defined_as(e)) return remembered(depends_on_numbers_, e->name, [&] { return depends_on_numbers(value); });
  return std::any_of(e->args.begin(), e->args.end(), [this](const Expression& a) { return depends_on_numbers(a); });
}

namespace {

/// The sides of -x > -y as those of y > x, -x > 0 as 0 > x and 0 > -x as x > 0, so that they have one mask; of -x == -y, x and y.
std::pair<Expression, Expression> without_minus(const Expression& left, const Expression& right, bool equality) {
  const auto is_minus = [](const Expression& x) { return x->kind == SyntaxKind::negate; };
  const auto has_opposite = [&](const Expression& x) { return is_minus(x) || expr::is_number(x, 0); };
  const auto opposite = [&](const Expression& x) { return is_minus(x) ? x->args[0] : x; };
  const bool turns = has_opposite(left) && has_opposite(right) && (is_minus(left) || is_minus(right));
  if (!turns) return {left, right};
  return equality ? std::pair{opposite(left), opposite(right)} : std::pair{opposite(right), opposite(left)};
}

/// A sum of parts with numbers before them, and a number.
struct Sum {
  std::vector<std::pair<Expression, Rational>> parts;
  Rational constant;

  void add(const Expression& e, const Rational& factor) {
    const auto is_number = [&](std::size_t k) { return e->args[k]->kind == SyntaxKind::number; };
    switch (e->kind) {
      case SyntaxKind::number: constant = constant + factor * e->value; return;
      case SyntaxKind::negate: return add(e->args[0], -factor);
      case SyntaxKind::add:
      case SyntaxKind::subtract:
        add(e->args[0], factor);
        return add(e->args[1], e->kind == SyntaxKind::add ? factor : -factor);
      case SyntaxKind::multiply:
        if (is_number(0)) return add(e->args[1], factor * e->args[0]->value);
        if (is_number(1)) return add(e->args[0], factor * e->args[1]->value);
        break;
      case SyntaxKind::divide:
        if (is_number(1) && !e->args[1]->value.is_zero()) return add(e->args[0], factor / e->args[1]->value);
        break;
      default: break;
    }
    const auto known = std::find_if(parts.begin(), parts.end(), [&](const auto& p) { return expr::same(p.first, e); });
    if (known == parts.end()) parts.emplace_back(e, factor);
    else known->second = known->second + factor;
  }
};

using Factors = std::vector<Expression>;
using Asked = std::function<bool(const Expression&)>;

/// The factors of e, without what it is divided by where that is positive.
void collect_factors(const Expression& e, const Asked& is_positive, Factors& factors) {
  if (e->kind == SyntaxKind::multiply || (e->kind == SyntaxKind::divide && is_positive(e->args[1]))) {
    collect_factors(e->args[0], is_positive, factors);
    if (e->kind == SyntaxKind::multiply) collect_factors(e->args[1], is_positive, factors);
    return;
  }
  factors.push_back(e);
}

/// The one part of x*s/t > 0 without what is positive in it, and x > y for x*s > y*s.
void drop_positive_factors(Sum& sum, const Asked& is_positive) {
  if (!sum.constant.is_zero()) return;
  const bool alone = sum.parts.size() == 1;
  std::vector<Factors> factors;
  for (const auto& [part, number] : sum.parts) {
    factors.emplace_back();
    collect_factors(part, alone ? is_positive : [](const Expression&) { return false; }, factors.back());
  }
  const Factors first = factors[0];
  for (const Expression& f : first) {
    const auto has = [&](const Factors& of) { return expr::contains(of, f); };
    if (!is_positive(f) || !std::all_of(factors.begin(), factors.end(), has)) continue;
    for (Factors& of : factors) of.erase(std::find_if(of.begin(), of.end(), [&](const Expression& x) { return expr::same(x, f); }));
  }
  if (std::any_of(factors.begin(), factors.end(), [](const Factors& of) { return of.empty(); })) return;  // s > 0 itself
  for (std::size_t k = 0; k < factors.size(); ++k) {
    Expression product = factors[k][0];
    for (std::size_t f = 1; f < factors[k].size(); ++f) product = expr::node(SyntaxKind::multiply, {product, factors[k][f]});
    sum.parts[k].first = product;
  }
}

/// What is compared with 0 in x > y and x == y.
Sum sum_of(const Expression& comparison) {
  Sum sum;
  sum.add(comparison->args[0], 1);
  sum.add(comparison->args[1], -1);
  std::erase_if(sum.parts, [](const auto& p) { return p.second.is_zero(); });
  return sum;
}

/// The ratio of the parts of b to those of a; 0 where they are no multiple of them.
Rational ratio_of(const Sum& a, const Sum& b) {
  const auto factor_of = [&](const Expression& part) {
    const auto at = std::find_if(b.parts.begin(), b.parts.end(), [&](const auto& p) { return expr::same(p.first, part); });
    return at == b.parts.end() ? Rational(0) : at->second;
  };
  if (a.parts.empty() || a.parts.size() != b.parts.size()) return 0;
  const Rational ratio = factor_of(a.parts[0].first) / a.parts[0].second;
  return std::all_of(a.parts.begin(), a.parts.end(), [&](const auto& p) { return p.second * ratio == factor_of(p.first); }) ? ratio : Rational(0);
}

/// x > y for f(x) > f(y), and x > 0 for exp(x) > 1, where f grows.
void drop_growing_function(Sum& sum) {
  static const std::map<std::string, Rational> at_zero = {{"exp", 1}, {"exp2", 1}, {"sigmoid", Rational(1, 2)}, {"tanh", 0}, {"erf", 0}, {"softplus", -1}};  // -1: no rational number
  const auto is_of_one = [](const Expression& e) { return e->kind == SyntaxKind::call && e->args.size() == 1 && e->keywords.empty(); };
  const Expression &first = sum.parts[0].first, &last = sum.parts.back().first;
  const auto value = is_of_one(first) ? at_zero.find(first->name) : at_zero.end();
  if (value == at_zero.end()) return;
  if (sum.parts.size() == 1 && value->second.sign() >= 0 && (sum.constant + sum.parts[0].second * value->second).is_zero()) {
    sum.constant = 0;
    sum.parts[0].first = first->args[0];
  } else if (sum.parts.size() == 2 && sum.constant.is_zero() && (sum.parts[0].second + sum.parts[1].second).is_zero() && is_of_one(last) && last->name == first->name) {
    Sum inner;  // x + 1 > y + 1
    inner.add(first->args[0], sum.parts[0].second);
    inner.add(last->args[0], sum.parts[1].second);
    sum = inner;
  }
}

/// Whether two comparisons of one shape are one, as x > y, x - y > 0, 2*y < 2*x and exp(x) > exp(y) are: the difference of the sides of the one is
/// that of the other times what is positive, or a number that is not 0 where they ask whether the sides are equal.
bool is_one(const Expression& a, const Expression& b, const Asked& is_positive) {
  if (a->name != b->name) return false;
  Sum first = sum_of(a), second = sum_of(b);
  for (Sum* sum : {&first, &second}) {
    if (sum->parts.empty()) return false;
    drop_growing_function(*sum);
    std::erase_if(sum->parts, [](const auto& p) { return p.second.is_zero(); });
    if (sum->parts.empty()) return false;
    drop_positive_factors(*sum, is_positive);
  }
  const Rational ratio = ratio_of(first, second);
  return ratio.sign() != 0 && (a->name != ">" || ratio.sign() > 0) && first.constant * ratio == second.constant;
}

/// Whether the one is the other with its two axes exchanged: X and X.T, x[:, None] and x[None, :].
bool are_turned(const Expression& a, const Expression& b) {
  if (expr::same(expr::transposed(a), b) || expr::same(a, expr::transposed(b))) return true;
  if (a->kind != SyntaxKind::index || b->kind != SyntaxKind::index || !expr::same(a->args[0], b->args[0])) return false;
  const std::string of = expr::text(a->args[0]), column = of + "[:, None]", row = of + "[None, :]";
  return (expr::text(a) == column && expr::text(b) == row) || (expr::text(a) == row && expr::text(b) == column);
}

}  // namespace

/// Whether e is a list of Python, [1, 2], and no array of NumPy that is made of one.
bool Elaborator::is_python_list(const Expression& e) const {
  if (const Expression value = defined_as(e)) return is_python_list(value);
  if (e->kind != SyntaxKind::index) return e->kind == SyntaxKind::list;
  const Expression value = defined_as(e->args[0]), &rows = value ? value : e->args[0];  // A[0] of A = [[1, 2], [3, 4]]
  return e->subscripts.size() == 1 && rows->kind == SyntaxKind::list && !rows->args.empty() && rows->args[0]->kind == SyntaxKind::list;
}

Expression Elaborator::written_list(Expression e) const {
  e = behind_names(e);
  if (expr::is_call(e, "array") && e->args.size() == 1 && e->keywords.empty()) e = e->args[0];
  return e->kind == SyntaxKind::list && !e->args.empty() ? e : nullptr;
}

/// The list of e = np.array([1, -2]), of which each item is a number or such a list, also as a column or a row, e[:, None]; that of arange(3); a
/// number itself; null for others.
Expression Elaborator::written_numbers(const Expression& written) const {
  if (const auto value = constant(written)) return expr::number(*value, written->span);
  const Expression e = behind_names(written);
  const auto row = [&](std::vector<Expression> items) { return expr::node(SyntaxKind::list, std::move(items), {}, written->span); };
  constexpr std::int64_t most_places = 64;
  if (const auto count = expr::is_call(e, "arange") && e->args.size() == 1 && e->keywords.empty() ? constant(e->args[0]) : std::nullopt) {
    if (!count->is_integer() || count->num() < 1 || count->num() > most_places) return nullptr;
    std::vector<Expression> items;
    for (std::int64_t k = 0; k < count->num(); ++k) items.push_back(expr::number(Rational(k), written->span));
    return row(std::move(items));
  }
  if (e->kind == SyntaxKind::index && e->subscripts.size() == 2 && !expr::is_new_axis(e->subscripts[0]) != !expr::is_new_axis(e->subscripts[1])) {
    const Expression list = written_numbers(e->args[0]);
    const expr::Subscript& kept = e->subscripts[expr::is_new_axis(e->subscripts[0]) ? 1 : 0];
    const bool flat = list && !is_python_list(e->args[0]) && list->kind == SyntaxKind::list && list->args[0]->kind != SyntaxKind::list;
    if (!flat || !kept.slice || kept.start || kept.stop || kept.step) return nullptr;
    if (expr::is_new_axis(e->subscripts[0])) return row({list});
    std::vector<Expression> column;
    for (const Expression& a : list->args) column.push_back(row({a}));
    return row(std::move(column));
  }
  const Expression list = written_list(e);
  if (!list) return nullptr;
  std::vector<Expression> items;
  for (const Expression& a : list->args) {
    items.push_back(written_numbers(a));
    if (!items.back()) return nullptr;
  }
  return expr::node(SyntaxKind::list, std::move(items), {}, e->span);
}

/// Whether e is a number, the name of a size, what is assumed to be positive, a root or an exponential, of which each entry that has a value is positive.
bool Elaborator::is_surely_positive(const Expression& e) const {
  if (e->kind == SyntaxKind::number) return e->value.sign() > 0;
  const auto infinite = [](const expr::Assumption& a) { return names_infinity(a.lhs) || (a.rhs && names_infinity(a.rhs)); };  // exp(S) is 0 where S == causal(n) is -inf
  const auto all = [&] { return std::all_of(e->args.begin(), e->args.end(), [&](const Expression& a) { return is_surely_positive(a); }); };
  if (e->kind == SyntaxKind::multiply || e->kind == SyntaxKind::divide) return all();
  if (e->kind == SyntaxKind::add) return std::any_of(e->args.begin(), e->args.end(), [&](const Expression& a) { return is_surely_positive(a); }) && is_surely_nonnegative(e->args[0]) && is_surely_nonnegative(e->args[1]);
  if (expr::is_call(e, "exp")) return !names_infinity(e) && std::none_of(claim_.assumptions.begin(), claim_.assumptions.end(), infinite);
  if (expr::is_call(e, "sqrt") && e->args.size() == 1) return is_surely_positive(e->args[0]);
  if (e->kind == SyntaxKind::name && is_size(e) && !defined_as(e) && index_scope_.count(e->name) == 0) return true;  // n - 1 and an index may be 0
  return is_assumed_above_0(e, {expr::Relation::greater, expr::Relation::less}, "positive");
}

/// The same, or what is assumed not to be negative.
bool Elaborator::is_surely_nonnegative(const Expression& e) const {
  if (e->kind == SyntaxKind::number) return e->value.sign() >= 0;
  if (e->kind == SyntaxKind::add || e->kind == SyntaxKind::multiply) return is_surely_nonnegative(e->args[0]) && is_surely_nonnegative(e->args[1]);
  return is_surely_positive(e) || is_assumed_above_0(e, {expr::Relation::greater_equal, expr::Relation::less_equal}, "nonnegative");
}

/// Whether e is assumed to be so related to 0, 0 to be related to it in the other way, or this predicate of it.
bool Elaborator::is_assumed_above_0(const Expression& e, std::pair<expr::Relation, expr::Relation> relations, const char* predicate) const {
  return std::any_of(claim_.assumptions.begin(), claim_.assumptions.end(), [&](const expr::Assumption& a) {
    if (!a.relation) return expr::is_call(a.lhs, predicate) && a.lhs->args.size() == 1 && expr::same(a.lhs->args[0], e);
    return (*a.relation == relations.first && expr::same(a.lhs, e) && expr::is_number(a.rhs, 0)) || (*a.relation == relations.second && expr::same(a.rhs, e) && expr::is_number(a.lhs, 0));
  });
}

/// 1 and 0 for each number that does and does not compare so. The list that is less deep is compared with each item of the other one, as NumPy repeats it; null
/// for lists of other lengths.
Expression Elaborator::compared_each(expr::Relation relation, const Expression& left, const Expression& right) const {
  const std::function<int(const Expression&)> depth = [&](const Expression& e) { return e->kind == SyntaxKind::list ? 1 + depth(e->args[0]) : 0; };
  const int first = depth(left), second = depth(right);
  if (first == 0 && second == 0) return expr::number(Rational(expr::ordered((left->value - right->value).sign(), relation) ? 1 : 0), left->span);
  const std::size_t rows = first >= second ? left->args.size() : 1, others = second >= first ? right->args.size() : 1, most = std::max(rows, others);
  if (first == second && rows != others && rows != 1 && others != 1) return nullptr;
  std::vector<Expression> items;
  for (std::size_t k = 0; k < most; ++k) {  // an axis of size 1 is repeated
    items.push_back(compared_each(relation, first >= second ? left->args[rows == 1 ? 0 : k] : left, second >= first ? right->args[others == 1 ? 0 : k] : right));
    if (!items.back()) return nullptr;
  }
  return expr::node(SyntaxKind::list, std::move(items), {}, left->span);
}

/// What x > y or x == y is for all values, where the assumptions about the parts of x - y say it: 1 + t > 0 where t >= 0.
std::optional<bool> Elaborator::compared_by_assumptions(const Expression& written) const {
  const Sum sum = sum_of(written);
  const auto all = [&](int sign) {
    return sum.constant.sign() * sign >= 0 && !sum.parts.empty() && std::all_of(sum.parts.begin(), sum.parts.end(), [&](const auto& p) { return p.second.sign() == sign && is_surely_nonnegative(p.first); });
  };
  const auto strictly = [&] { return !sum.constant.is_zero() || std::any_of(sum.parts.begin(), sum.parts.end(), [&](const auto& p) { return is_surely_positive(p.first); }); };
  const bool above = all(1), below = !above && all(-1);
  if (!above && !below) return std::nullopt;
  if (written->name == "==") return strictly() ? std::optional(false) : std::nullopt;
  return below ? std::optional(false) : strictly() ? std::optional(true) : std::nullopt;
}

/// x*y > 0 where both are positive or both negative, 0 > x*y where one of them is, x*y == 0 where one is 0: the masks of products and powers are
/// made of those of their factors. Null for others.
Term Elaborator::compared_by_signs(const Expression& e, const Expression& left, const Expression& right) {
  const bool equality = e->name == "==" || e->name == "!=";
  const bool below = expr::is_number(left, 0);
  if (below == expr::is_number(right, 0)) return nullptr;
  constexpr std::size_t most = 4;  // each doubles what is multiplied out
  Factors factors;
  int sign = below ? -1 : 1;
  std::size_t least = 2;
  const std::function<void(const Expression&)> collect = [&](const Expression& written) {
    if (factors.size() > most) return;  // definitions of definitions may have products beyond number
    const Expression f = behind_names(written);
    const Rational exponent = f->kind == SyntaxKind::power ? constant(f->args[1]).value_or(0) : 0;
    if (f->kind == SyntaxKind::number) {
      sign *= f->value.sign();
    } else if (f->kind == SyntaxKind::negate) {
      sign = -sign;
      collect(f->args[0]);
    } else if (f->kind == SyntaxKind::multiply) {
      collect(f->args[0]);
      collect(f->args[1]);
    } else if (exponent.is_integer() && exponent.sign() > 0) {
      least = 1;
      collect(f->args[0]);
      if (exponent.num() % 2 == 0) collect(f->args[0]);
    } else {
      factors.push_back(written);
    }
  };
  collect(below ? right : left);
  if (factors.size() < least || factors.size() > most || sign == 0 || std::any_of(factors.begin(), factors.end(), [this](const Expression& f) { return is_truth(f) || is_surely_positive(f); })) return nullptr;
  term(below ? right : left);  // first, so that an error of its sizes is about x and y
  const auto apply_to = [&](int op, const Term& a, const Term& b) { return apply(op, e, {a, b}, {}); };
  const auto times = [&](const Term& a, const Term& b) { return apply_to(expr::operator_id<expr::ops::Multiply>(), a, b); };
  const auto compare = [&](const char* how, const Expression& f) { return compared_numbers(expr::node(SyntaxKind::call, {f, expr::number(0, e->span)}, how, e->span)); };
  if (equality) {
    Term none = compare("!=", factors[0]);
    for (std::size_t k = 1; k < factors.size(); ++k) none = times(none, compare("!=", factors[k]));
    return apply_to(expr::operator_id<expr::ops::Subtract>(), number(1, e->span), none);
  }
  Term positive = compare(">", factors[0]), negative = compare("<", factors[0]);
  for (std::size_t k = 1; k < factors.size(); ++k) {
    const Term above = compare(">", factors[k]), below_0 = compare("<", factors[k]);
    const auto either = [&](const Term& a, const Term& b) { return apply_to(expr::operator_id<expr::ops::Add>(), times(positive, a), times(negative, b)); };
    std::tie(positive, negative) = std::pair{either(above, below_0), either(below_0, above)};
  }
  return sign > 0 ? positive : negative;
}

/// x > y and x == y have masks; x <= y and x != y are what is left of 1, and x < y is y > x.
Term Elaborator::compared_numbers(const Expression& e) {
  const bool equality = e->name == "==" || e->name == "!=", opposite = e->name == "!=" || e->name == ">=" || e->name == "<=";
  const bool turned = e->name == "<" || e->name == ">=";
  const auto [left, right] = without_minus(e->args[turned ? 1 : 0], e->args[turned ? 0 : 1], equality);
  if (mentions_index(e)) expr::fail("call.mask", "a comparison of numbers is not read for every index of a comprehension", e->span, "compare all heads at once, with a leading axis: X @ W > 0 for W: [h, d, k]");
  for (const Expression& side : e->args) {
    if (names_infinity(side) || may_lack_value(side)) expr::fail("call.mask", "what is compared must have a value everywhere, and `" + shorten(expr::text(side)) + "` may have none", side->span, "compare what it is made of, as in x > s instead of x / s > 1, or choose by a mask: assume mask01(M)");
  }
  const bool lists = is_python_list(e->args[0]), others = is_python_list(e->args[1]);
  if ((lists && others) || (lists && constant(e->args[1])) || (others && constant(e->args[0]))) expr::fail("call.mask", "Python compares lists as a whole", e->span, "write np.array([...]), of which each number is compared");
  const Expression first = written_numbers(e->args[0]), second = written_numbers(e->args[1]);
  const Expression known_numbers = first && second && (first->kind == SyntaxKind::list || second->kind == SyntaxKind::list) ? compared_each(*expr::relation_called(e->name), first, second) : nullptr;
  if (known_numbers) return term(expr::call("array", {known_numbers}));
  const auto is = [&](bool not_so, const Term& mask) { return not_so ? apply(expr::operator_id<expr::ops::Subtract>(), e, {number(1, e->span), mask}, {}) : mask; };
  if (const Term signs = compared_by_signs(e, left, right)) return is(opposite, signs);
  const Expression written = expr::node(SyntaxKind::call, {left, right}, equality ? "==" : ">", e->span);
  if (const auto value = compared_by_assumptions(written)) {
    const Term blank = apply(expr::operator_id<expr::ops::Multiply>(), e, {number(0, e->span), difference(written)}, {});
    return is(opposite, *value ? apply(expr::operator_id<expr::ops::Add>(), e, {blank, number(1, e->span)}, {}) : blank);
  }
  auto known = std::find_if(comparisons_.begin(), comparisons_.end(), [&](const Comparison& c) { return expr::same(c.written, written); });
  if (known == comparisons_.end()) {
    const Term measured = difference(written);
    const Shape shape = sizes_.resolve(measured->shape);
    known = known_comparison(written, shape);
    if (known == comparisons_.end()) known = comparisons_.insert(comparisons_.end(), new_comparison(written, measured));
  }
  return is(opposite, known->mask);
}

std::vector<Elaborator::Comparison>::iterator Elaborator::known_comparison(const Expression& written, const Shape& shape) {
  return std::find_if(comparisons_.begin(), comparisons_.end(), [&](const Comparison& c) { return sizes_.resolve(c.mask->shape) == shape && is_one(c.written, written, [this](const Expression& x) { return is_surely_positive(x); }); });
}

Elaborator::Comparison Elaborator::new_comparison(const Expression& written, const Term& measured) {
  measured_.push_back(measured);
  const Shape shape = sizes_.resolve(measured->shape);
  const auto made = [&](std::string name) {  // after the text, which is no name that a claim has
    while (by_name_.count(name) > 0) name += "'";
    add_variable(name, shape, true, written->span);
    return by_name_.at(name);
  };
  const std::string text = expr::text(written);
  const Term mask = made(text);
  return {written, mask, made(text + " / distance")};
}

Term Elaborator::difference(const Expression& comparison) {
  const Term left = term(comparison->args[0]), right = term(comparison->args[1]);
  return expr::is_number(comparison->args[1], 0) ? left : apply(expr::operator_id<expr::ops::Subtract>(), comparison, {left, right}, {});
}

void Elaborator::assume_meaning(Problem& p, const Expression& comparison, const Term& lhs, const Term& rhs, const char* predicate) const {
  Fact f;
  f.kind = rhs ? FactKind::relation : FactKind::predicate;
  if (!rhs) f.predicate = predicate;
  f.lhs = lhs;
  f.rhs = rhs;
  f.number = claim_.assumptions.size();
  f.compares = true;
  f.text = "what " + expr::text(comparison) + " means";
  p.facts.push_back(std::move(f));
}

/// After the assumptions of the claim, which may give what is compared another value.
void Elaborator::add_comparison_facts(Problem& p) {
  for (const auto& [written, mask, scale] : comparisons_) {
    const Expression& at = written;  // clang 14 captures no structured bindings
    const Term z = difference(written);
    p.comparisons.push_back({mask->name, scale->name, z, written->name == "=="});
    const auto of = [&](int op, std::vector<Term> args) { return apply(op, at, std::move(args), {}); };
    const auto product = [&](const Term& a, const Term& b) { return of(expr::operator_id<expr::ops::Multiply>(), {a, b}); };
    const auto assume = [&](const Term& lhs, const Term& rhs) { assume_meaning(p, at, lhs, rhs); };
    assume_meaning(p, written, mask, nullptr, "mask01");
    if (written->name == "==" && mask->shape.size() == 2 && are_turned(written->args[0], written->args[1])) assume_meaning(p, written, mask, nullptr, "symmetric");
    const Term distance = of(expr::operator_id<expr::ops::Abs>(), {z});
    const auto less = [&](const Term& a, const Term& b) { return of(expr::operator_id<expr::ops::Subtract>(), {a, b}); };
    if (written->name == "==") {
      const Shape shape = sizes_.resolve(mask->shape);
      const auto above = known_comparison(expr::node(SyntaxKind::call, {at->args[0], at->args[1]}, ">", at->span), shape), below = known_comparison(expr::node(SyntaxKind::call, {at->args[1], at->args[0]}, ">", at->span), shape);
      if (above != comparisons_.end() && below != comparisons_.end()) assume(mask, less(less(number(1, at->span), above->mask), below->mask));
      assume(product(mask, z), product(number(0, at->span), z));
      assume(less(number(1, at->span), mask), product(scale, distance));
      continue;
    }
    const Term positive = of(expr::operator_id<expr::ops::Relu>(), {z});
    assume(mask, product(scale, positive));  // first: each is brought into form with the help of those before it
    assume(product(mask, z), positive);
    assume(product(mask, distance), positive);
  }
  constexpr std::size_t few = 8;
  for (std::size_t k = 1; k < comparisons_.size() && comparisons_.size() <= few; ++k) {
    for (std::size_t i = 0; i < k; ++i) add_facts_of_both(p, comparisons_[i], comparisons_[k]);
  }
}

/// Where both compare the same z, the one with 0 and the other one with t: of z > 0 and z > 1 the second says the first, z > 0 and 1 > z leave nothing
/// out, z == 0 and z > 0 exclude each other.
void Elaborator::add_facts_of_both(Problem& p, const Comparison& a, const Comparison& b) {
  const Sum first = sum_of(a.written), second = sum_of(b.written);
  const Rational ratio = ratio_of(first, second);
  if (ratio.is_zero() || sizes_.resolve(a.mask->shape) != sizes_.resolve(b.mask->shape)) return;
  const int t = (first.constant - second.constant / ratio).sign();  // the second one compares z with t, and where the ratio is negative asks whether it is below
  const bool equalities = a.written->name == "==", equality = b.written->name == "==";
  const auto apply_to = [&](int op, const Term& x, const Term& y) { return apply(op, b.written, {x, y}, {}); };
  const Term zero = apply_to(expr::operator_id<expr::ops::Multiply>(), number(0, b.written->span), a.mask);
  Term both = zero;
  if (equalities && equality) {
    if (t == 0) return;
  } else if (equality) {
    if (t > 0) both = b.mask;
  } else if (equalities) {
    if (ratio.sign() > 0 ? t < 0 : t > 0) both = a.mask;
  } else if (ratio.sign() > 0) {
    if (t == 0) return;
    both = t > 0 ? b.mask : a.mask;
  } else if (t > 0) {
    both = apply_to(expr::operator_id<expr::ops::Subtract>(), apply_to(expr::operator_id<expr::ops::Add>(), a.mask, b.mask), number(1, b.written->span));
  }
  assume_meaning(p, b.written, apply_to(expr::operator_id<expr::ops::Multiply>(), a.mask, b.mask), both);
}

}  // namespace foldproof::infer
