// SPDX-License-Identifier: MIT
// The assumptions that tie a group of variables together, evaluated at whatever values these variables are given.
#pragma once

#include <functional>

#include "refute/alternatives.hpp"

namespace foldproof::refute {

/// One tensor for each variable of a group.
using Joint = std::vector<Tensor<Exact>>;

/// Entries that are not 0.
std::ptrdiff_t non_zeros(const Tensor<Exact>& tensor);
/// The same, of all tensors together.
std::ptrdiff_t non_zeros(const Joint& tensors);

class Tie {
 public:
  /// One entry of an equation between two tensors.
  struct Equation {
    std::size_t fact, entry;
  };

  /// Requires: `variables` are all variables that `facts` mention.
  Tie(const infer::Problem& problem, const expr::DimValues& dims, std::vector<std::size_t> variables, std::vector<const infer::Fact*> facts);

  const infer::Problem& problem() const { return *problem_; }
  /// Positions of the variables in the problem.
  const std::vector<std::size_t>& variables() const { return variables_; }
  void set(std::size_t k, const Tensor<Exact>& value);
  /// Whether others give the value of the variable: that of a comparison, or one over the distance of what is compared.
  bool is_given(std::size_t k) const;
  /// Sets these variables by the others, which were set, and shows each. False where what is compared has no value.
  bool set_given(const std::function<void(std::size_t, const Tensor<Exact>&)>& see);
  /// Requires: the variable was set.
  void set_entry(std::size_t k, std::size_t place, const Exact& value);
  /// Whether all facts hold; false where that cannot be told.
  bool satisfied();
  /// Whether that could not be told of some values tried: exp(S) has an exact value at few numbers.
  bool unsure() const { return unsure_; }
  /// Requires: the variables were set. Errors: Undefined, NeedsReals.
  std::vector<Equation> equations();
  /// lhs - rhs. Errors: Undefined, NeedsReals.
  Exact residual(const Equation& equation);
  /// Scalar operations spent, roughly.
  std::int64_t work() const { return work_; }

 private:
  /// False where a value is lacking, and where it cannot be told, which is noted.
  bool can_be_told(const std::function<bool()>& holds);
  /// The same of what came out.
  bool is_value(numeric::Outcome outcome);
  const infer::Problem* problem_;
  std::vector<std::size_t> variables_;
  std::vector<const infer::Fact*> facts_;
  struct Given {
    std::size_t mask, scale;  ///< positions in variables_
    bool equality;
  };
  std::vector<Given> given_;  ///< the differences are roots of the machine, after those of the facts
  numeric::Machine<Exact> machine_;
  std::int64_t work_ = 0;
  bool unsure_ = false;
};

}  // namespace foldproof::refute
