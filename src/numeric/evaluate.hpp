// SPDX-License-Identifier: MIT
// Values of terms at one instance. Every operator is evaluated by running its definition in expr/ops on numbers, so the
// evaluators and the kernel cannot mean different things; only products, entrywise arithmetic and the inverse, which has no
// finite definition in index notation, are written here directly.
// Shares nothing with the prover: it is the oracle that refutes.
#pragma once

#include <exception>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "numeric/program.hpp"
#include "numeric/scalar.hpp"
#include "numeric/tensor.hpp"

namespace foldproof::numeric {

/// Sizes, and a tensor for each variable.
template <class T>
struct Instance {
  expr::DimValues dims;
  std::map<std::string, Tensor<T>> values;
};

/// Every value in an interval of doubles. Throws NeedsReals for what has no enclosure.
Instance<Interval> enclosed(const Instance<Exact>& instance);

/// What came of a step.
enum class Outcome : char { stale, value, undefined, needs_reals, limit };

/// Runs one program on many instances and computes again only what a changed variable reaches. That a step has no value is kept
/// like a value: a search meets it at most of its instances, and throwing it again at each would cost more than all arithmetic.
/// Defined for Exact, Interval, PrimeField, Wide and double.
template <class T>
class Machine {
 public:
  explicit Machine(std::shared_ptr<const Program> program);

  const Program& program() const { return *program_; }
  /// Gives a variable its value. Variables that no root mentions are ignored. Requires: the shape that the program expects.
  void set(const std::string& variable, const Tensor<T>& value);
  /// Changes one entry of a variable that was set, by the step that Program::variable returned.
  void set_entry(int step, std::size_t place, const T& value);
  /// Whether a root has a value, and if not, why; never `stale`. Requires: its variables were set.
  Outcome outcome(std::size_t k) { return step(program_->root(k)); }
  /// The same of two roots: why the first of them has none that has none. The second is not evaluated where the first has no value.
  Outcome outcome(std::size_t first, std::size_t second) {
    const Outcome of_first = outcome(first);
    return of_first != Outcome::value ? of_first : outcome(second);
  }
  /// The value of a root. Errors: Undefined, NeedsReals (see undefined.hpp), expr::LimitReached. Requires: its variables were set.
  const Tensor<T>& root(std::size_t k);

 private:
  Outcome step(int k);
  void compute(const Step& step, Tensor<T>& result);
  void spoil(int step);

  std::shared_ptr<const Program> program_;
  std::vector<Tensor<T>> results_;
  std::vector<Outcome> outcomes_;
  std::vector<std::exception_ptr> failures_;  ///< of the steps without a value
};

template <class T>
struct OperandEntries;
/// The entry of one step at the given place, by its definition. Defined for Exact and Interval.
template <class T>
T entry_of(const Step& step, const OperandEntries<T>& operands, std::span<const std::int64_t> at);

/// The value of a term. Errors: Undefined, NeedsReals, expr::LimitReached beyond largest_program entries.
template <class T>
Tensor<T> evaluate(const infer::Term& term, const Instance<T>& instance);

extern template class Machine<Exact>;
extern template class Machine<Interval>;
extern template class Machine<PrimeField>;
extern template class Machine<double>;
extern template Tensor<Exact> evaluate(const infer::Term&, const Instance<Exact>&);
extern template Tensor<Interval> evaluate(const infer::Term&, const Instance<Interval>&);
extern template Tensor<PrimeField> evaluate(const infer::Term&, const Instance<PrimeField>&);
extern template Tensor<double> evaluate(const infer::Term&, const Instance<double>&);

}  // namespace foldproof::numeric
