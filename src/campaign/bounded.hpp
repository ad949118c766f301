// SPDX-License-Identifier: MIT
// A side of a claim run as a program in one float format, with a running bound on the rounding error of every entry of every
// subterm. Any operator can be run, by its definition in expr/ops on Bounded numbers; products, entrywise arithmetic, moves,
// sums, softmax and norms have faster rules. A product A B adds gamma_n (|A|+E_A)(|B|+E_B) to the errors of its operands,
// for any order of summation (Higham 2002, section 3.5), and n times the underflow unit.
// Sixteen-bit formats are stored in 16 bits after every operation and computed in float32, or in 16 bits throughout.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "campaign/norm_bounds.hpp"
#include "campaign/scalar.hpp"
#include "numeric/program.hpp"
#include "numeric/tensor.hpp"

namespace foldproof::campaign {

/// Seeded bugs, to prove that a campaign can fail. Each changes one step of a program.
enum class Mutation {
  none,
  drop_tail,          ///< a product forgets the last inner index
  transposed_factor,  ///< a product uses the transpose of a square right factor
  wrong_scale,        ///< the result is doubled
  downcast,           ///< one product, or the result, is rounded to the next smaller format
  swapped_operands,   ///< a product of square matrices in the wrong order
  flipped_row,        ///< the last row of a product has the wrong sign
};
inline constexpr Mutation mutations[] = {Mutation::drop_tail, Mutation::transposed_factor, Mutation::wrong_scale,
                                         Mutation::downcast,  Mutation::swapped_operands,  Mutation::flipped_row};
const char* text(Mutation m);

/// Which error bounds a run computes.
enum class Bounds {
  none,     ///< all results count as exact: for inputs of which this is known
  norms,    ///< of products by row and column norms (norm_bounds.hpp), of everything else entry by entry
  entries,  ///< entry by entry
};

/// Computed entries and bounds on their errors, one by one or as outer products; without either every entry is exact.
template <class T>
struct BoundedTensor {
  std::vector<std::int64_t> shape;
  std::vector<T> values;
  std::vector<double> errors;
  std::vector<double> variances;
  OuterSum outer;  ///< of matrices only, and only where `errors` is empty

  std::size_t size() const { return values.size(); }
  bool is_exact() const { return errors.empty() && outer.empty(); }
  Bounded<T> at(std::size_t i) const {
    if (!errors.empty()) return Bounded<T>(values[i], errors[i], variances[i]);
    if (outer.empty()) return Bounded<T>(values[i], 0, 0);
    const auto columns = static_cast<std::size_t>(shape[1]);
    const double hard = outer.hard(i / columns, i % columns);
    const double typical = outer.typical(i / columns, i % columns);
    const bool bounded = std::isfinite(values[i]) && hard < infinity;
    return Bounded<T>(values[i], bounded ? hard : infinity, bounded ? typical * typical : infinity);
  }
  void reserve(std::size_t count) {
    values.reserve(count);
    errors.reserve(count);
    variances.reserve(count);
  }
  void push(const Bounded<T>& b) {
    values.push_back(b.value);
    errors.push_back(b.error);
    variances.push_back(b.variance);
  }
  void clear() {
    values.clear();
    clear_bounds();
  }
  void clear_bounds() {
    errors.clear();
    variances.clear();
    outer.clear();
  }
  /// Outer products written out, entry by entry.
  void spread() {
    if (outer.empty()) return;
    const auto columns = static_cast<std::size_t>(shape[1]);
    errors.resize(values.size());
    variances.resize(values.size());
    outer.write_out(errors, variances, columns);
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (!std::isfinite(values[i]) || !(errors[i] < infinity)) errors[i] = variances[i] = infinity;
    }
    outer.clear();
  }
};

/// An exact input. Rounding: to the format; the rounded numbers are the exact inputs that bounds refer to.
template <class T>
void round_to(const numeric::FormatInfo& format, const numeric::Tensor<double>& from, BoundedTensor<T>& to);

/// T is what the format computes in: double for float64, Narrow types for 16-bit arithmetic, float for all others.
template <class T>
class BoundedMachine {
 public:
  /// Requires: one root. The mutation is applied to the first step that it fits.
  BoundedMachine(std::shared_ptr<const numeric::Program> program, const numeric::FormatInfo& format, Mutation mutation = Mutation::none);
  BoundedMachine(const BoundedMachine&) = delete;  // points into itself
  BoundedMachine& operator=(const BoundedMachine&) = delete;

  /// The step of a variable, -1 when the program does not mention it.
  int step_of(const std::string& variable) const { return program_->variable(variable); }
  /// The value of the variable at a step; nothing for -1. Requires: it lives as long as it is used, and is_exact() or has
  /// errors one by one, which count as errors of the input, and is then run with Bounds::entries.
  void set(int step, const BoundedTensor<T>& value);
  void want(Bounds bounds) { bounds_ = bounds; }
  /// Runs all steps. Errors: numeric::Undefined.
  const BoundedTensor<T>& run();
  /// Whether the mutation found a step to change.
  bool mutated() const { return mutated_step_ >= 0; }

 private:
  using Map = std::vector<std::int64_t>;
  /// How a step is computed.
  enum class Rule : char { variable, number, size, stack, transpose, move, matrix_product, product, entrywise, unary, rows, definition };
  static Rule rule_of(const numeric::Program& program, const numeric::Step& step);
  void compute(std::size_t k);
  /// Frees a large operand that step k was the last to use.
  void release(std::size_t arg, std::size_t k);
  void run_rule(std::size_t k);
  void stack(std::size_t k);
  void entrywise(std::size_t k);
  void unary(std::size_t k);
  void move(std::size_t k);
  void product(std::size_t k);
  void rows(std::size_t k);
  void definition(std::size_t k);
  void store(std::size_t k);
  void mutate(std::size_t k);
  void find_mutated_step(Mutation mutation);
  void transpose(std::size_t k);
  /// Whether nobody asks for errors of the step: not of constants, which are kept for later runs.
  bool values_only(std::size_t k) const;
  const BoundedTensor<T>& operand(std::size_t k, std::size_t arg) const;
  const std::vector<Map>& maps(std::size_t k);

  std::shared_ptr<const numeric::Program> program_;
  const numeric::FormatInfo& format_;
  Mutation mutation_;
  int mutated_step_ = -1;
  Bounds bounds_ = Bounds::entries;
  std::vector<BoundedTensor<T>> results_;
  std::vector<const BoundedTensor<T>*> values_;  ///< of every step: its result, or what was set
  std::vector<Rule> rules_;
  std::vector<char> fixed_;  ///< steps without variables: 1 to be computed once, 2 done
  std::vector<std::vector<Map>> maps_;
};

extern template class BoundedMachine<double>;
extern template class BoundedMachine<float>;
extern template class BoundedMachine<Float16>;
extern template class BoundedMachine<BFloat16>;

/// The nearest number of the format. Units: as the value. Rounding: once, to nearest even.
inline double rounded(double value, const numeric::FormatInfo& format) {
  if (format.precision == numeric::float64_format.precision) return value;
  if (format.precision == numeric::float32_format.precision) return static_cast<double>(static_cast<float>(value));
  if (format.precision == numeric::bfloat16_of_float16.precision && format.eta == numeric::bfloat16_of_float16.eta) value = rounded(value, numeric::float16_format);
  const auto single = static_cast<float>(value);
  const bool is_single = static_cast<double>(single) == value;  // as all stored numbers of 32 bits or fewer: one rounding is left, of a few steps
  if (format.precision == numeric::bfloat16_format.precision) return is_single ? static_cast<double>(numeric::nearest<numeric::BFloat16>(single)) : static_cast<double>(numeric::BFloat16(value));
  if (format.precision == numeric::float16_format.precision) return is_single ? static_cast<double>(numeric::nearest<numeric::Float16>(single)) : static_cast<double>(numeric::Float16(value));
  if (value == 0 || !std::isfinite(value)) return value;
  const int spacing = std::max(std::ilogb(value) - format.precision + 1, std::ilogb(format.eta) + 1);  // 8 bits; beyond the largest number programs stay there
  return std::clamp(std::ldexp(std::nearbyint(std::ldexp(value, -spacing)), spacing), -format.max_finite, format.max_finite);
}

}  // namespace foldproof::campaign
