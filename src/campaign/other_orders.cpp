// SPDX-License-Identifier: MIT
#include "campaign/other_orders.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "campaign/campaign.hpp"
#include "campaign/given_cases.hpp"
#include "campaign/sides.hpp"
#include "campaign/terms.hpp"
#include "infer/is_operator.hpp"
#include "numeric/undefined.hpp"

namespace foldproof::campaign {
namespace {

namespace ops = expr::ops;
using infer::Term;
using infer::TermKind;
using infer::TermNode;

/// A node like t, of other operands of the same shapes.
Term with_operands(const Term& t, std::vector<Term> args, int op) {
  auto node = std::make_shared<TermNode>(*t);
  node->args = std::move(args);
  node->op = op;
  return node;
}
Term with_operands(const Term& t, std::vector<Term> args) { return with_operands(t, std::move(args), t->op); }

/// An entrywise operator on operands whose entries meet those of the last one.
Term entrywise(int op, std::vector<Term> args) {
  auto node = std::make_shared<TermNode>();
  node->kind = TermKind::apply;
  node->op = op;
  node->shape = args.back()->shape;
  node->call.result = node->shape;
  for (const Term& a : args) node->call.operands.push_back(a->shape);
  node->args = std::move(args);
  return node;
}

Term absolute(const Term& t) { return t->kind == TermKind::number && t->value.sign() >= 0 ? t : entrywise(expr::operator_id<ops::Abs>(), {t}); }
Term scaled(std::int64_t factor, const Term& a) { return entrywise(expr::operator_id<ops::Multiply>(), {number(expr::Rational(factor)), a}); }
Term above_one(const Term& size) { return entrywise(expr::operator_id<ops::Maximum>(), {number(expr::Rational(1)), size}); }

/// Of what may be null, for zero. A factor of 1 is left out.
Term sum(const Term& a, const Term& b) { return a && b ? entrywise(expr::operator_id<ops::Add>(), {a, b}) : a ? a : b; }
Term times(std::int64_t factor, const Term& a) { return factor == 0 || !a ? nullptr : factor == 1 ? a : scaled(factor, a); }

/// A subterm: its size S, its roundings so far (each term of S times how often it was rounded; null for never), how many terms it is a sum
/// of, the largest number of roundings of one term, and how many values are accumulated inside of products and reductions, which a program
/// may also add one by one to another term: acc = b, acc += x[k] * W[k, j].
struct Counted {
  Term size, roundings;
  std::int64_t terms = 1;
  std::int64_t most = 0;
  std::int64_t accumulated = 0;
  /// Roundings of a term where it is added to the others one after the other.
  std::int64_t others() const { return terms > 1 ? terms - 1 + accumulated : 0; }
};

class Counter {
 public:
  Counter(const expr::DimValues& dims, const numeric::FormatInfo& format) : dims_(dims), format_(format) {}

  const Counted& count(const Term& t) {
    const auto known = known_.find(t);
    return known != known_.end() ? known->second : known_.emplace(t, counted(t)).first->second;
  }
  std::int64_t operations() const { return operations_; }
  /// By how much an error in a partial product may grow in the factors that come after it: the product of those above 1.
  Term growth(const Term& t) {
    if (infer::is<ops::Negate>(t)) return growth(t->args[0]);
    if (infer::is<ops::Divide>(t)) {
      const Term divisor = absolute(t->args[1]), reciprocal = entrywise(expr::operator_id<ops::Divide>(), {number(expr::Rational(1)), divisor});
      return with_operands(t, {growth(t->args[0]), above_one(reciprocal)}, expr::operator_id<ops::Multiply>());
    }
    if (!infer::moves(t) && !infer::is<ops::Add, ops::Subtract, ops::Multiply>(t)) return above_one(count(t).size);
    std::vector<Term> args;
    for (const Term& a : t->args) args.push_back(growth(a));
    return with_operands(t, std::move(args), infer::is<ops::Subtract>(t) ? expr::operator_id<ops::Add>() : t->op);
  }
  /// Whether a sum has as many values as an index of a comprehension says, which differ from one to the next.
  bool varies() const { return varies_; }

 private:
  static constexpr std::int64_t most_terms = 1'000'000, most_few = 16;

  /// Roundings of the storage's unit that a sum over n values inside of one operator amounts to, rounded up, and one for storing it.
  std::int64_t inside(const expr::Dim& n) {
    const auto values = static_cast<double>(known(n).value_or(1)) + 1;
    varies_ = varies_ || !known(n);
    return 1 + (format_.arithmetic == format_.precision ? static_cast<std::int64_t>(values) : static_cast<std::int64_t>(std::ceil(values * std::ldexp(1.0, format_.precision - format_.arithmetic))));
  }

  /// Values that are added in the format itself; where they are added with more digits that counts next to nothing.
  std::int64_t accumulates(const expr::Dim& n) const { return format_.arithmetic == format_.precision ? known(n).value_or(0) : 0; }

  /// Nothing where the size mentions the index of a comprehension.
  std::optional<std::int64_t> known(const expr::Dim& n) const {
    return unknown_names(n, dims_).empty() ? std::optional(expr::evaluate(n, dims_)) : std::nullopt;
  }

  /// A number is rounded where the format does not have it.
  Counted leaf(const Term& t) {
    Counted out{absolute(t), nullptr, 1, 0};
    if (t->kind == TermKind::variable || t->kind == TermKind::apply) return out;
    const std::optional<std::int64_t> size = t->kind == TermKind::size ? known(t->size) : std::nullopt;
    const expr::Rational value = size ? expr::Rational(*size) : t->value;
    const double near = static_cast<double>(value.num()) / static_cast<double>(value.den());
    const bool dyadic = (value.den() & (value.den() - 1)) == 0;
    if ((t->kind == TermKind::number || size) && dyadic && rounded(near, format_) == near) return out;
    out.roundings = out.size;
    out.most = 1;
    return out;
  }

  /// A term by itself, such as a divisor: its size is its value, its roundings those of the sum that it is, in any order.
  Counted single(const Term& t) {
    const Counted& c = count(t);
    return {absolute(t), sum(c.roundings, times(c.others(), c.size)), 1, c.most + c.others()};
  }

  /// Of a function whose relative error is at most `degree` times that of its operand, and `own` roundings.
  Counted function(const Term& t, std::int64_t degree, std::int64_t own) {
    operations_ += own;
    const Counted a = single(t->args[0]);
    Counted out{absolute(t), nullptr, 1, degree * a.most + own};
    const Term inherited = a.roundings ? times(degree, entrywise(expr::operator_id<ops::Multiply>(), {entrywise(expr::operator_id<ops::Divide>(), {a.roundings, a.size}), out.size})) : nullptr;
    out.roundings = sum(inherited, times(own, out.size));
    return out;
  }

  /// Whole powers are products of their base, or of its reciprocal.
  Counted power(const Term& t) {
    const expr::Rational& q = t->call.exponent;
    const bool is_whole = q.is_integer() && std::abs(q.num()) <= most_few;
    if (q == expr::Rational(1, 2)) return function(t, 1, 1);
    if (q == expr::Rational(-1, 2)) return function(t, 1, 2);
    if (!is_whole) return function(t, 1 + std::abs(q.num()) / q.den(), most_few);
    return function(t, std::abs(q.num()), std::max<std::int64_t>(std::abs(q.num()) - 1, 0) + (q.sign() < 0 ? 1 : 0));
  }

  Counted counted(const Term& t) {
    if (t->kind == TermKind::variable || t->kind == TermKind::number || t->kind == TermKind::size) return leaf(t);
    if (infer::moves(t)) return moved(t);
    if (infer::is<ops::Negate>(t)) return count(t->args[0]);
    if (infer::is<ops::Add, ops::Subtract>(t)) return added(t);
    if (infer::is<ops::Multiply, ops::Matmul>(t)) return multiplied(t);
    if (infer::is<ops::Divide>(t)) return divided(t);
    if (infer::is<ops::Power>(t)) return power(t);
    if (infer::is<ops::Sqrt>(t)) return function(t, 1, 1);
    if (infer::is<ops::Rsqrt>(t)) return function(t, 1, 2);
    if (infer::is<ops::SumAll, ops::SumAxis, ops::Mean, ops::SumHeads>(t)) return reduced(t);
    return leaf(t);
  }

  /// Of several operands, each at places of its own.
  Counted moved(const Term& t) {
    Counted out;
    std::vector<Term> sizes, roundings;
    bool rounded = false;
    for (const Term& a : t->args) {
      const Counted& c = count(a);
      sizes.push_back(c.size);
      roundings.push_back(c.roundings);
      out.terms = std::max(out.terms, c.terms);
      out.most = std::max(out.most, c.most);
      out.accumulated = std::max(out.accumulated, c.accumulated);
      rounded = rounded || c.roundings;
    }
    out.size = with_operands(t, sizes);
    if (!rounded) return out;
    for (std::size_t k = 0; k < roundings.size(); ++k) {
      if (!roundings[k]) roundings[k] = scaled(0, sizes[k]);
    }
    out.roundings = with_operands(t, roundings);
    return out;
  }

  /// Roundings that were counted at one of the operands of an entrywise step, in the shape of the result.
  static Term at_operand(const Term& t, std::size_t k, const Term& roundings, const Counted& other) {
    if (!roundings) return nullptr;
    std::vector<Term> args(2);
    args[k] = roundings;
    args[1 - k] = other.size;
    return with_operands(t, args);
  }

  Counted added(const Term& t) {
    ++operations_;
    const Counted a = count(t->args[0]), b = count(t->args[1]);
    const int add = expr::operator_id<ops::Add>();
    Counted out{with_operands(t, {a.size, b.size}, add), nullptr, std::min(a.terms + b.terms, most_terms), std::max(a.most, b.most), std::min(a.accumulated + b.accumulated, most_terms)};
    if (a.roundings || b.roundings) out.roundings = with_operands(t, {a.roundings ? a.roundings : scaled(0, a.size), b.roundings ? b.roundings : scaled(0, b.size)}, add);
    return out;
  }

  Counted multiplied(const Term& t) {
    ++operations_;
    const Counted a = count(t->args[0]), b = count(t->args[1]);
    Counted out{with_operands(t, {a.size, b.size}), nullptr, std::min(a.terms * b.terms, most_terms), 0};
    const std::int64_t own = infer::is<ops::Matmul>(t) ? inside(t->args[0]->shape.back()) : 1;
    out.most = a.most + b.most + own;
    out.accumulated = std::max(a.accumulated, b.accumulated);
    if (infer::is<ops::Matmul>(t)) out.accumulated = std::min(out.accumulated + accumulates(t->args[0]->shape.back()), most_terms);
    out.roundings = sum(sum(at_operand(t, 0, a.roundings, b), at_operand(t, 1, b.roundings, a)), times(own, out.size));
    return out;
  }

  /// A quotient is also a product with the reciprocal, which is rounded itself.
  Counted divided(const Term& t) {
    constexpr std::int64_t own = 2;
    operations_ += own;
    const Counted a = count(t->args[0]), b = single(t->args[1]);
    Counted out{with_operands(t, {a.size, b.size}), nullptr, a.terms, a.most + b.most + own, a.accumulated};
    const Term relative = b.roundings ? entrywise(expr::operator_id<ops::Divide>(), {b.roundings, b.size}) : nullptr;
    out.roundings = sum(a.roundings ? with_operands(t, {a.roundings, b.size}) : nullptr, times(own, out.size));
    if (relative) out.roundings = sum(entrywise(expr::operator_id<ops::Multiply>(), {relative, out.size}), out.roundings);
    return out;
  }

  Counted reduced(const Term& t) {
    const Counted a = count(t->args[0]);
    expr::Dim n(1);
    const auto rank = t->args[0]->shape.size();
    for (std::size_t axis = 0; axis < rank; ++axis) {
      const bool along = infer::is<ops::SumAll>(t) || static_cast<int>(axis) == t->call.axis || (infer::is<ops::SumHeads>(t) && axis == 0);
      if (along) n = n * t->args[0]->shape[axis];
    }
    const std::int64_t values = known(n).value_or(1);
    varies_ = varies_ || !known(n);
    // A few are also added up by a program of its own, one operation for each; many are accumulated.
    const bool few = values <= most_few;
    operations_ += few ? std::max<std::int64_t>(values - 1, 1) : 1;
    const std::int64_t own = few ? 1 : inside(n);
    Counted out{with_operands(t, {a.size}), a.roundings ? with_operands(t, {a.roundings}) : nullptr, few ? a.terms * values : a.terms, a.most + own, a.accumulated + (few ? 0 : accumulates(n))};
    out.roundings = sum(out.roundings, times(own, out.size));
    return out;
  }

  const expr::DimValues& dims_;
  const numeric::FormatInfo& format_;
  std::map<Term, Counted> known_;
  std::int64_t operations_ = 0;
  bool varies_ = false;
};

}  // namespace

OtherOrders::OtherOrders(const infer::Problem& problem, bool right, const expr::DimValues& dims, const numeric::FormatInfo& format) : problem_(problem), dims_(dims) {
  Counter counter(dims, format);
  const Counted side = counter.count(right ? problem.rhs : problem.lhs);
  if (counter.operations() < 2 || counter.varies()) return;
  roundings_ = static_cast<double>(side.most + side.others());
  const double relative = roundings_ * format.unit_roundoff;
  if (!(relative < 0.5)) return;  // gamma is no bound any more
  total_ = sum(side.roundings, times(side.others(), side.size));
  constexpr double few_numbers = 0x1p-60;  // of u: formats of more exponents lose nothing that counts
  if (const double smallest = format.eta / format.unit_roundoff; smallest > few_numbers) {
    const expr::Rational lost(side.most + side.others(), static_cast<std::int64_t>(std::ceil(1 / smallest)));
    total_ = sum(total_, entrywise(expr::operator_id<ops::Multiply>(), {number(lost), counter.growth(right ? problem.rhs : problem.lhs)}));
  }
  scale_ = format.unit_roundoff / (1 - relative);
}

std::vector<double> OtherOrders::errors(const Values& values) const {
  infer::Problem alone = problem_;
  alone.lhs = total_;
  alone.rhs = number(expr::Rational(0));  // nothing to be compared with
  std::vector<double> out;
  try {
    Sides sides(alone, dims_, numeric::float64_format, Mutation::none, largest_given);
    if (sides.compare(values, Bounds::none).outcome == Comparison::Outcome::undefined) return out;
    const std::vector<SideEntry> entries = sides.entries(false);
    out.reserve(entries.size());
    for (const SideEntry& entry : entries) out.push_back(entry.value * scale_ * (1 + 0x1p-20));
  } catch (const numeric::Undefined&) {
  }
  return out;
}

}  // namespace foldproof::campaign
