// SPDX-License-Identifier: MIT
// Runs the two sides of a claim at the instances of one space, in one number type, and says what each instance shows.
#pragma once

#include <memory>

#include "numeric/evaluate.hpp"
#include "refute/space.hpp"

namespace foldproof::refute {

/// What one instance shows about a claim.
enum class Finding {
  holds,        ///< the relation holds in every entry, or enclosures overlap
  differs,      ///< it is violated in some entry
  undefined,    ///< a side has no value here
  needs_reals,  ///< this number type cannot hold a value
};

/// Position of the first entry that violates the relation, or -1. Enclosures violate it only when they exclude it.
template <class T>
std::int64_t first_violation(const Tensor<T>& lhs, expr::Relation relation, const Tensor<T>& rhs);

template <class T>
class Trial {
 public:
  /// Starts at alternative 0 of every slot. Requires: root 0 and 1 of the program are the sides.
  Trial(const Space& space, std::shared_ptr<const numeric::Program> program);
  void choose(std::size_t slot, std::size_t alternative);
  void choose(const std::vector<std::size_t>& choice);
  const std::vector<std::size_t>& choice() const { return choice_; }
  Finding run();
  std::int64_t runs() const { return runs_; }

 private:
  const Space* space_;
  numeric::Machine<T> machine_;
  std::vector<std::vector<T>> pools_;
  std::vector<int> steps_;  ///< of the variables
  std::vector<std::size_t> choice_;
  std::int64_t runs_ = 0;
};

extern template class Trial<Exact>;
extern template class Trial<numeric::Interval>;
extern template class Trial<numeric::PrimeField>;

}  // namespace foldproof::refute
