// SPDX-License-Identifier: MIT
#include "diagnose/rounded_operands.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

#include "diagnose/chance.hpp"
#include "expr/diagnostic.hpp"
#include "infer/is_operator.hpp"
#include "numeric/product.hpp"

namespace foldproof::diagnose {
namespace {

using infer::is_constant;
using infer::Term;
namespace ops = expr::ops;

constexpr std::size_t most_entries = 20'000'000;  // of a tensor, as of stored sides
constexpr double most_work = 2e9;  // multiplications in a product, about a second

/// Numbers with bounds on what the roundings of stored ones make of each entry, and the variances of that where these are independent and lie anywhere
/// within half a unit: a third of its square.
struct Numbers {
  std::vector<std::int64_t> shape;
  std::vector<double> values, bounds, variances;
  double roundings = 0;  ///< that computing them takes: of each product, and of each term of a sum

  void push(double value, double bound, double variance) {
    values.push_back(value);
    bounds.push_back(bound);
    variances.push_back(variance);
  }
};

bool is_softmax(const Term& t) { return infer::is<ops::Softmax>(t) && t->call.axis + 1 == static_cast<int>(t->shape.size()); }

/// The stored tensors in products and quotients of entries, sums of two, products of matrices and softmax of rows; false where there is anything
/// else. An update that is computed and added to weights may be less than their roundings, so that a part of it could be missing and look like
/// these.
bool collect_operands(const Term& t, std::vector<Term>& out) {
  if (is_constant(t)) return true;
  if (infer::only_moves(t)) {
    out.push_back(t);
    return true;
  }
  const auto is_computed = [](const Term& a) { return !is_constant(a) && !infer::only_moves(a); };
  const bool sum = infer::is<ops::Add, ops::Subtract>(t) && std::none_of(t->args.begin(), t->args.end(), is_computed);
  const bool entrywise = sum || infer::is<ops::Multiply, ops::Divide, ops::Negate>(t);
  const bool matrices = infer::is<ops::Matmul>(t) && t->args[0]->shape.size() == 2 && t->args[1]->shape.size() == 2;
  return (entrywise || matrices || is_softmax(t)) && std::all_of(t->args.begin(), t->args.end(), [&](const Term& a) { return collect_operands(a, out); });
}

std::size_t count_of(const std::vector<std::int64_t>& shape) {
  return std::accumulate(shape.begin(), shape.end(), std::size_t{1}, [](std::size_t n, std::int64_t extent) { return n * static_cast<std::size_t>(extent); });
}

/// The shape that both are broadcast to; the claim was read, so that they fit.
std::vector<std::int64_t> common_shape(const std::vector<std::int64_t>& a, const std::vector<std::int64_t>& b) {
  std::vector<std::int64_t> out = a.size() >= b.size() ? a : b;
  const std::vector<std::int64_t>& shorter = a.size() >= b.size() ? b : a;
  for (std::size_t k = 1; k <= shorter.size(); ++k) {
    if (out[out.size() - k] == 1) out[out.size() - k] = shorter[shorter.size() - k];
  }
  return out;
}

/// The places of a tensor's entries beside those of the shape that it is broadcast to.
std::vector<std::size_t> places(const std::vector<std::int64_t>& from, const std::vector<std::int64_t>& to) {
  std::vector<std::size_t> out(count_of(to));
  std::size_t stride = 1, step = 1;  // of `from`, and of `to`
  for (std::size_t k = 1; k <= to.size(); ++k) {
    const auto extent = static_cast<std::size_t>(to[to.size() - k]);
    const std::int64_t own = k <= from.size() ? from[from.size() - k] : 1;
    for (std::size_t i = 0; own != 1 && i < out.size(); ++i) out[i] += i / step % extent * stride;
    stride *= static_cast<std::size_t>(own);
    step *= extent;
  }
  return out;
}

class Propagation {
 public:
  Propagation(const infer::Problem& problem, const campaign::GivenTensors& tensors, const expr::DimValues& dims) : problem_(problem), tensors_(tensors), dims_(dims) {}

  const campaign::GivenTensor& tensor(const Term& moved) const { return tensors_.at(infer::moved_tensor(moved)->name); }
  const numeric::FormatInfo& format(const Term& moved) const { return campaign::storage(tensor(moved)); }
  /// Of 8 bits and fewer, and of whole numbers, the values are codes that others were made from, or are masks: how they were rounded is another question.
  bool is_rounded(const Term& moved) const {
    const std::vector<double>& values = tensor(moved).values;
    return format(moved).precision >= numeric::bfloat16_format.precision && !std::all_of(values.begin(), values.end(), [](double v) { return v == std::floor(v); });
  }
  /// Nothing where it takes long.
  std::optional<Numbers> of(const Term& t) const {
    if (is_constant(t) || infer::only_moves(t)) return stored(t);
    const auto a = of(t->args[0]), b = t->args.size() > 1 ? of(t->args[1]) : std::optional<Numbers>();
    if (!a || (t->args.size() > 1 && !b)) return std::nullopt;
    if (is_softmax(t)) return softmax(*a);
    if (infer::is<ops::Matmul>(t)) return product(*a, *b);
    return b ? entrywise(t, *a, *b) : *a;  // of -A only the sign differs
  }

 private:
  Numbers stored(const Term& t) const {
    infer::Problem alone = problem_;
    alone.lhs = t;
    const campaign::Evaluated value = campaign::evaluate_on(alone, tensors_, dims_);
    Numbers out;
    out.shape = value.shape;
    const bool is_exact = is_constant(t) || !is_rounded(t);
    for (const campaign::SideEntry& e : value.entries) {
      const double half_unit = is_exact ? 0 : (e.value == 0 ? 0 : format(t).unit_roundoff * std::ldexp(1.0, std::ilogb(e.value))) + format(t).eta;
      out.push(e.value, half_unit, half_unit * half_unit / 3);
    }
    return out;
  }
  /// |d(ab)| <= da (|b| + db) + |a| db and |d(a/b)| <= (da + |a/b| db)/(|b| - db); of independent ones the variances by the derivatives.
  static Numbers entrywise(const Term& t, const Numbers& a, const Numbers& b) {
    const bool times = infer::is<ops::Multiply>(t), over = infer::is<ops::Divide>(t);
    const double sign = infer::is<ops::Subtract>(t) ? -1 : 1;
    Numbers out;
    out.shape = common_shape(a.shape, b.shape);
    out.roundings = a.roundings + b.roundings + 1;
    const std::vector<std::size_t> of_a = places(a.shape, out.shape), of_b = places(b.shape, out.shape);
    for (std::size_t i = 0; i < of_a.size(); ++i) {
      const double x = a.values[of_a[i]], dx = a.bounds[of_a[i]], vx = a.variances[of_a[i]], y = b.values[of_b[i]], dy = b.bounds[of_b[i]], vy = b.variances[of_b[i]];
      if (times) {
        out.push(x * y, dx * (std::abs(y) + dy) + std::abs(x) * dy, vx * y * y + x * x * vy);
      } else if (over) {
        const double q = x / y, room = std::abs(y) - dy;
        out.push(q, room > 0 ? (dx + std::abs(q) * dy) / room : INFINITY, (vx + q * q * vy) / (y * y));
      } else {
        out.push(x + sign * y, dx + dy, vx + vy);
      }
    }
    return out;
  }
  /// p' / p lies within exp(+-d) over the mean of exp(+-d) with the weights p; the derivative of p_i by x_j is p_i (1[i = j] - p_j).
  static Numbers softmax(const Numbers& x) {
    Numbers out;
    out.shape = x.shape;
    const auto columns = static_cast<std::size_t>(x.shape.back());
    out.roundings = x.roundings + static_cast<double>(columns);
    for (std::size_t first = 0; first < x.values.size(); first += columns) {
      const double most = *std::max_element(x.values.begin() + static_cast<std::ptrdiff_t>(first), x.values.begin() + static_cast<std::ptrdiff_t>(first + columns));
      double total = 0, above = 0, below = 0, spread = 0;
      for (std::size_t i = first; i < first + columns; ++i) total += std::exp(x.values[i] - most);
      for (std::size_t i = first; i < first + columns; ++i) {
        const double p = std::exp(x.values[i] - most) / total;
        above += p * std::exp(x.bounds[i]);
        below += p * std::exp(-x.bounds[i]);
        spread += p * p * x.variances[i];
      }
      for (std::size_t i = first; i < first + columns; ++i) {
        const double p = std::exp(x.values[i] - most) / total;
        out.push(p, p * (std::exp(x.bounds[i]) * std::max(1 / below, above) - 1), p * p * (spread + (1 - 2 * p) * x.variances[i]));
      }
    }
    return out;
  }
  /// As of products and sums of entries. Nothing where it takes long.
  static std::optional<Numbers> product(const Numbers& a, const Numbers& b) {
    const std::int64_t rows = a.shape[0], inner = a.shape[1], columns = b.shape[1];
    if (static_cast<double>(rows) * static_cast<double>(inner) * static_cast<double>(columns) > most_work) return std::nullopt;
    Numbers out;
    out.shape = {rows, columns};
    const auto times = [&](const std::vector<double>& x, const std::vector<double>& y) {
      std::vector<double> z(static_cast<std::size_t>(rows * columns));
      numeric::multiply(x.data(), y.data(), z.data(), {rows, inner, columns});
      return z;
    };
    const auto of = [](const std::vector<double>& x, const auto& function) {
      std::vector<double> y(x.size());
      std::transform(x.begin(), x.end(), y.begin(), function);
      return y;
    };
    const auto add = [](std::vector<double> x, const std::vector<double>& y) {
      std::transform(x.begin(), x.end(), y.begin(), x.begin(), [](double one, double other) { return one + other; });
      return x;
    };
    const auto size = [](double v) { return std::abs(v); };
    const auto square = [](double v) { return v * v; };
    out.roundings = a.roundings + b.roundings + static_cast<double>(inner);
    out.values = times(a.values, b.values);
    out.bounds = add(times(a.bounds, add(of(b.values, size), b.bounds)), times(of(a.values, size), b.bounds));
    out.variances = add(times(a.variances, of(b.values, square)), times(of(a.values, square), b.variances));
    return out;
  }

  const infer::Problem& problem_;
  const campaign::GivenTensors& tensors_;
  const expr::DimValues& dims_;
};

/// What is stored beside what is computed from the operands as they are stored.
class Differences {
 public:
  Differences(const Numbers& stored, const Numbers& exact) : stored_(stored), exact_(exact) {
    for (std::size_t i = 0; i < stored.values.size(); ++i) off_.push_back(std::abs(stored.values[i] - exact.values[i]));
  }

  /// The largest one in units of its bound; infinite where one is beyond it, or beyond what independent roundings leave.
  double most() const {
    double out = 0;
    for (std::size_t i = 0; i < off_.size(); ++i) {
      const double bound = stored_.bounds[i] + exact_.bounds[i];
      if (!(off_[i] <= bound) || !(off_[i] <= deviations * std::sqrt(variance(i)))) return INFINITY;
      out = std::max(out, bound > 0 ? off_[i] / bound : 0);
    }
    return out;
  }
  /// The mean of their squares over the variances, where the means of all rows, columns and so on are no larger than those of roundings; else infinite.
  double mean() const {
    double all = 0, independent = 0;
    for (std::size_t i = 0; i < off_.size(); ++i) all += share(i);
    const auto entries = static_cast<double>(off_.size());
    for (const std::int64_t extent : stored_.shape) independent += extent > 1 ? static_cast<double>(extent) : 0;
    // Entries of a row or column share the roundings of the operands' row or column, so that there may be no more independent ones than these.
    if (!(all <= entries * (1 + deviations * std::sqrt(2 / independent)))) return INFINITY;
    for (std::size_t axis = 0; axis < stored_.shape.size(); ++axis) {
      const double each = entries / static_cast<double>(stored_.shape[axis]);
      // All of a row may share one rounding, whose square is three times the variance at most; the others average out.
      for (const double sum : by_index(axis, [&](std::size_t i) { return share(i); })) {
        if (!(sum <= each * (3 + deviations * std::sqrt(2 / each)))) return INFINITY;
      }
    }
    return all / entries;
  }
  /// Roundings of operands leave other results than the nearest numbers at so many entries. Half of that, where half of the operands are exact;
  /// where it is less, the result was computed from what is stored, and what it misses is no rounding of these. `of_sums`: what computing it in float32
  /// adds, as a share of the bounds.
  bool are_many(double of_sums) const {
    double missed = 0, expected = 0;
    for (std::size_t i = 0; i < off_.size(); ++i) {
      const double once = stored_.bounds[i] + of_sums * exact_.bounds[i];
      missed += off_[i] > once;
      if (exact_.variances[i] > 0) expected += std::erfc(once / std::sqrt(2 * exact_.variances[i]));
    }
    return 2 * missed >= expected;
  }
  /// Or they are fewer and smaller, where some operands are exact or were held in a wider format: of a size that all entries together tell for
  /// certain, of a quarter of what is expected or no larger than the rounding of the result, and none is farther off than errors of that size.
  /// Errors that grow with the entries are products of two numbers that are spread as a normal distribution is, of which t deviations have a chance
  /// of about exp(-t): that of any one of all entries is below 1e-6.
  bool are_smaller(double of_sums) const {
    const double squares = std::min(1.0, size()), reach = std::log(static_cast<double>(off_.size()) / 1e-6);
    constexpr double quarter = 1.0 / 16;  // of squares
    const double of_operands = squares * std::accumulate(exact_.variances.begin(), exact_.variances.end(), 0.0), of_result = std::accumulate(stored_.variances.begin(), stored_.variances.end(), 0.0);
    if (!(squares > 0) || !(squares >= quarter || of_operands <= of_result)) return false;
    for (std::size_t i = 0; i < off_.size(); ++i) {
      if (!(off_[i] <= stored_.bounds[i] + of_sums * exact_.bounds[i] + reach * std::sqrt(squares * exact_.variances[i]))) return false;
    }
    return true;
  }

 private:
  double variance(std::size_t i) const { return stored_.variances[i] + exact_.variances[i]; }
  double share(std::size_t i) const { return variance(i) > 0 ? off_[i] * off_[i] / variance(i) : 0; }
  std::size_t stride(std::size_t axis) const { return count_of({stored_.shape.begin() + static_cast<std::ptrdiff_t>(axis) + 1, stored_.shape.end()}); }
  template <class Value>
  std::vector<double> by_index(std::size_t axis, const Value& value) const {
    std::vector<double> out(static_cast<std::size_t>(stored_.shape[axis]));
    const std::size_t step = stride(axis);
    for (std::size_t i = 0; i < off_.size(); ++i) out[i / step % out.size()] += value(i);
    return out;
  }
  /// By how much of the operands' variances the squares are larger than those of one rounding of the result, with the weights that give it the least
  /// error. That of any one entry, row or column is left out, so that none of them makes it alone. 0 where it is no more than what chance makes of results
  /// that were rounded once: five standard errors, of squares that are as spread as those of a normal distribution, are a chance below 1e-6.
  double size() const {
    constexpr double certain = 5;
    const auto weight = [&](std::size_t i) { return variance(i) > 0 ? exact_.variances[i] / (variance(i) * variance(i)) : 0; };
    const auto above = [&](std::size_t i) { return weight(i) * (off_[i] * off_[i] - stored_.variances[i]); };
    const auto of = [&](std::size_t i) { return weight(i) * exact_.variances[i]; };
    const auto error = [&](std::size_t i) { return 2 * std::pow(weight(i) * stored_.variances[i], 2); };
    double sum = 0, all = 0, errors = 0, largest = 0;
    for (std::size_t i = 0; i < off_.size(); ++i) {
      sum += above(i);
      all += of(i);
      errors += error(i);
      largest = std::max(largest, above(i));
    }
    for (std::size_t axis = 0; axis < stored_.shape.size(); ++axis) {
      if (stored_.shape[axis] < 2) continue;
      for (const double part : by_index(axis, above)) largest = std::max(largest, part);
    }
    const double left = sum - largest;
    return all > 0 && left > certain * std::sqrt(errors) ? left / all : 0;
  }

  const Numbers &stored_, &exact_;
  std::vector<double> off_;
};

}  // namespace

std::optional<std::string> rounded_operands(const infer::Problem& problem, const campaign::GivenTensors& tensors, const expr::DimValues& dims, Bounds bounds) {
  const bool right = infer::only_moves(problem.rhs);
  const Term &stored = right ? problem.rhs : problem.lhs, &computed = right ? problem.lhs : problem.rhs;
  std::vector<Term> operands;
  if (tensors.size() != problem.variables.size() || !infer::only_moves(stored) || stored->shape.empty() || infer::only_moves(computed) || !collect_operands(computed, operands)) return std::nullopt;
  if (std::any_of(tensors.begin(), tensors.end(), [](const auto& t) { return t.second.values.size() > most_entries; })) return std::nullopt;
  const Propagation propagation(problem, tensors, dims);
  std::set<std::string> names;
  double u = 1;
  for (const Term& t : operands) {
    const numeric::FormatInfo& format = propagation.format(t);
    if (!format.is_narrow() || !propagation.is_rounded(t)) continue;
    names.insert(infer::moved_tensor(t)->name);
    u = std::min(u, format.unit_roundoff);
  }
  if (names.empty() || names.count(infer::moved_tensor(stored)->name) > 0) return std::nullopt;
  try {
    const auto exact = propagation.of(computed);
    if (!exact || exact->values.empty()) return std::nullopt;
    const Numbers result = *propagation.of(stored);
    if (result.shape != exact->shape) return std::nullopt;
    const Differences differences(result, *exact);
    // Sums in float32 add a share of these bounds, which are about u |A||B|, where theirs are 2^-24 |A||B| for each term.
    const double of_sums = exact->roundings * numeric::float32_format.unit_roundoff / u, most = differences.most(), mean = differences.mean();
    if (!std::isfinite(most) || !std::isfinite(mean) || !((bounds == Bounds::exceeded && differences.are_many(of_sums)) || differences.are_smaller(of_sums))) return std::nullopt;
    return fmt::format("beyond what rounding the result once explains, and within half a unit in the last place of every stored operand: at most {:.2g} of that, and {:.2g} times as large in the mean as independent roundings of {} make it, without a factor, a row, a column or an entry that stands out: as of operands that were computed from what the product gives back, or rounded after the result was computed", most, std::sqrt(mean), fmt::join(names, ", "));
  } catch (const expr::Error&) {  // it has no value
  } catch (const expr::LimitReached&) {
  }
  return std::nullopt;
}

}  // namespace foldproof::diagnose
