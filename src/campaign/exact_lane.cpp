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

/// The growth of every step for inputs of the given number of bits.
std::vector<double> growths(const numeric::Program& program, int bits) {
  std::vector<double> sizes;
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
  }
  return sizes;
}

}  // namespace

int exact_bits(const numeric::Program& program, const numeric::FormatInfo& format) {
  int bits = 0;
  const auto largest = [&](int of) {
    const auto sizes = growths(program, of);
    return *std::max_element(sizes.begin(), sizes.end());
  };
  while (bits < most_bits && largest(bits + 1) <= format.precision - 1) ++bits;
  return bits;
}

std::string rounding_operator(const numeric::Program& program) {
  const auto sizes = growths(program, 1);
  for (std::size_t k = 0; k < sizes.size(); ++k) {
    if (sizes[k] < impossible) continue;
    const infer::Term& term = program.steps()[k].term;
    return term->kind == TermKind::apply ? expr::operator_info(term->op).name : "a fraction";
  }
  return "";
}

expr::DimValues sizes_for_exactness(expr::DimValues dims) {
  for (auto& [name, size] : dims) size = size >= 16 ? 16 : size >= 4 ? 4 : size >= 2 ? 2 : 1;
  return dims;
}

void choose_for_exactness(std::int64_t index, Values& values) {
  std::uint64_t variable = 0;
  for (auto& [name, tensor] : values) {
    const std::uint64_t bits = numeric::draw(static_cast<std::uint64_t>(index), ++variable, 0, 0);
    auto& v = tensor.values;
    if (std::all_of(v.begin(), v.end(), [](double x) { return x == 0 || x == 1; })) continue;
    const std::size_t columns = tensor.shape.empty() ? 1 : static_cast<std::size_t>(tensor.shape.back());
    const std::size_t matrix = tensor.shape.size() < 2 ? columns : columns * static_cast<std::size_t>(tensor.shape[tensor.shape.size() - 2]);
    for (std::size_t i = 0; i < v.size(); ++i) {
      switch (bits % 6) {
        case 0:
          v[i] = 0;
          break;
        case 1:  // rows of the same entries, so that keys cannot be told apart
          v[i] = v[i / matrix * matrix + i % columns];
          break;
        case 2:
          v[i] = v[i / columns * columns];
          break;
        case 3:
          v[i] = std::ldexp(1, static_cast<int>(v[i]));
          break;
        case 4:  // rows with mean zero and mean square one
          v[i] = i % columns % 2 == 0 ? 1 : -1;
          break;
        default:
          break;
      }
    }
  }
}

}  // namespace foldproof::campaign
