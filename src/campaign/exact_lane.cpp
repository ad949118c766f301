// SPDX-License-Identifier: MIT
#include "campaign/exact_lane.hpp"

#include <algorithm>
#include <cmath>

#include "campaign/rules.hpp"
#include "expr/operators.hpp"

namespace foldproof::campaign {
namespace {

using infer::TermKind;
using numeric::Step;
namespace ops = expr::ops;

constexpr int most_bits = 12;
constexpr double impossible = 1e9;

double log2_of(std::int64_t n) { return std::log2(static_cast<double>(std::max<std::int64_t>(1, std::abs(n)))); }

/// Binary logarithm of a bound on the results and partial sums of a step, from those of its operands.
double growth(const Step& step, const std::vector<double>& args, const std::vector<std::int64_t>& counts) {
  const int op = step.term->op;
  double largest = 0;
  for (const double a : args) largest = std::max(largest, a);
  if (moves_entries(step)) return largest;
  const auto is = [op](const auto... ids) { return ((op == ids) || ...); };
  if (is(expr::operator_id<ops::Add>(), expr::operator_id<ops::Subtract>())) return largest + 1;
  if (is(expr::operator_id<ops::Negate>(), expr::operator_id<ops::Take>(), expr::operator_id<ops::Abs>())) return args[0];
  if (is(expr::operator_id<ops::Multiply>())) return args[0] + args[1];
  if (is(expr::operator_id<ops::Matmul>())) return args[0] + args[1] + log2_of(counts[0]);
  if (is(expr::operator_id<ops::Relu>())) return args[0] + 1;
  if (is(expr::operator_id<ops::SumAll>(), expr::operator_id<ops::SumAxis>(), expr::operator_id<ops::RowSum>(), expr::operator_id<ops::ColSum>(),
         expr::operator_id<ops::SumHeads>(), expr::operator_id<ops::Trace>())) {
    return args[0] + log2_of(counts[0]);
  }
  if (is(expr::operator_id<ops::Frobenius2>())) return 2 * args[0] + log2_of(counts[0]);
  if (is(expr::operator_id<ops::Eye>(), expr::operator_id<ops::Ones>(), expr::operator_id<ops::Zeros>(), expr::operator_id<ops::OneHot>())) return 0;
  if (is(expr::operator_id<ops::Tril>(), expr::operator_id<ops::Triu>())) return largest;
  return impossible;
}

/// The largest growth of any step for inputs of the given number of bits.
double largest_growth(const numeric::Program& program, int bits) {
  std::vector<double> sizes;
  double largest = 0;
  for (const Step& step : program.steps()) {
    std::vector<double> args;
    std::vector<std::int64_t> counts;
    for (const int arg : step.args) {
      args.push_back(sizes[static_cast<std::size_t>(arg)]);
      counts.push_back(program.steps()[static_cast<std::size_t>(arg)].entries);  // more than any sum has terms
    }
    if (step.term->kind == TermKind::apply && step.term->op == expr::operator_id<ops::Matmul>())
      counts[0] = program.steps()[static_cast<std::size_t>(step.args[0])].shape.back();
    switch (step.term->kind) {
      case TermKind::variable:
        sizes.push_back(bits);
        break;
      case TermKind::number:
        sizes.push_back(step.term->value.is_integer() ? log2_of(step.term->value.num()) : impossible);
        break;
      case TermKind::size:
        sizes.push_back(log2_of(step.number));
        break;
      case TermKind::stack:
        sizes.push_back(*std::max_element(args.begin(), args.end()));
        break;
      case TermKind::apply:
        sizes.push_back(growth(step, args, counts));
        break;
    }
    largest = std::max(largest, sizes.back());
  }
  return largest;
}

}  // namespace

int exact_bits(const numeric::Program& program, const numeric::FormatInfo& format) {
  int bits = 0;
  while (bits < most_bits && largest_growth(program, bits + 1) <= format.precision - 1) ++bits;
  return bits;
}

}  // namespace foldproof::campaign
