// SPDX-License-Identifier: MIT
// Terms at fixed sizes, flattened: one step for each distinct subterm and each value of the comprehension indices it mentions,
// operands first. All sizes are worked out here once, so that evaluating thousands of instances of one shape only moves numbers.
// A shape at which some axis is empty or negative has no instances: Undefined. Where empty axes are asked for, they are those of NumPy: sums over them are 0,
// and the largest of nothing is Undefined.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "infer/problem.hpp"

namespace foldproof::numeric {

/// Largest number of entries that one program may hold in all its tensors, unless it is told otherwise.
inline constexpr std::int64_t largest_program = 10'000'000;

/// A tensor that is freed after its last use has at least so many entries.
inline constexpr std::int64_t worth_freeing = std::int64_t{1} << 16;

/// How large a program may be.
struct ProgramLimit {
  std::int64_t entries = largest_program;
  bool at_once = false;  ///< of what is needed at the same time, when large tensors are freed after their last use; otherwise of everything
  std::int64_t parts = largest_program;  ///< of all comprehensions, which are told apart one by one
  bool empty_axes = false;  ///< axes of size 0 are allowed
};
/// For claims that are tried at many shapes.
inline constexpr ProgramLimit quick_program{.parts = 50'000};

/// One tensor to be computed.
struct Step {
  infer::Term term;
  std::vector<int> args;                                       ///< earlier steps; for a stack one step for each index value
  std::vector<std::int64_t> shape;
  std::int64_t entries = 1;
  std::int64_t number = 0;                                     ///< size terms only
  std::vector<std::pair<const expr::Dim*, std::int64_t>> sizes;  ///< values of the sizes in term->call, by address
  std::shared_ptr<const expr::DimValues> scope;                ///< dimension names and comprehension indices here
};

class Program {
 public:
  /// Requires: every dimension name has a value. Errors: Undefined for empty axes, expr::LimitReached beyond the limit.
  Program(std::span<const infer::Term> roots, const expr::DimValues& dims, const ProgramLimit& limit = {});

  const std::vector<Step>& steps() const { return steps_; }
  int root(std::size_t k) const { return roots_[k]; }
  std::size_t roots() const { return roots_.size(); }
  /// The step that holds a variable, or -1 when no root mentions it.
  int variable(const std::string& name) const;
  /// All steps whose value depends on the given one, itself excluded, in order.
  const std::vector<int>& dependents(int step) const { return dependents_[static_cast<std::size_t>(step)]; }
  /// The last step that has this one for an operand; of a root and of what nobody needs, the number of steps.
  std::size_t last_use(std::size_t step) const { return last_use_[step]; }
  /// Whether the step has the same value whatever the variables are.
  bool is_constant(std::size_t step) const { return is_constant_[step]; }
  /// Whether a tensor that is computed has no entries.
  bool has_empty_axes() const;
  /// Rough number of scalar operations of one evaluation.
  std::int64_t work() const { return work_; }

 private:
  using Scope = std::shared_ptr<const expr::DimValues>;
  int add(const infer::Term& term, const Scope& scope);
  void fill(Step& step);
  void find_last_uses();
  [[noreturn]] void fail_too_large() const;
  std::vector<std::int64_t> key(const infer::Term& term, const Scope& scope);
  const std::vector<std::string>& mentioned(const infer::Term& term);

  std::vector<Step> steps_;
  std::vector<int> roots_;
  std::vector<std::vector<int>> dependents_;
  std::map<std::pair<const infer::TermNode*, std::vector<std::int64_t>>, int> known_;
  std::map<const infer::TermNode*, std::vector<std::string>> mentioned_;
  std::map<std::string, int> variables_;
  std::vector<std::string> bound_;  ///< comprehension indices in scope
  std::vector<std::size_t> last_use_;
  std::vector<bool> is_constant_;
  ProgramLimit limit_;
  std::int64_t total_ = 0;
  std::int64_t parts_ = 0;
  std::int64_t work_ = 0;
};

}  // namespace foldproof::numeric
