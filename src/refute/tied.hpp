// SPDX-License-Identifier: MIT
// Joint values of variables that an assumption ties together, such as A @ B == B @ A or X @ W >= 0: simple tensors are tried
// in combination and what satisfies the assumption is kept. This may miss instances; it never makes a wrong one.
#pragma once

#include "refute/alternatives.hpp"

namespace foldproof::refute {

class TiedSearch {
 public:
  /// Requires: `variables` are all variables that `facts` mention; `lists` holds values for each of them, none empty.
  TiedSearch(const infer::Problem& problem, const expr::DimValues& dims, std::vector<std::size_t> variables, std::vector<const infer::Fact*> facts,
             std::vector<std::vector<Tensor<Exact>>> lists);
  /// Combinations that satisfy all facts, one tensor a variable, fewest non-zeros first, then simple together before simple alone.
  std::vector<std::vector<Tensor<Exact>>> run(std::uint64_t seed);
  /// Scalar operations spent, roughly.
  std::int64_t work() const { return work_; }

 private:
  void try_sum(std::size_t k, std::size_t rest);
  void try_units(bool zeros);
  void try_picks();
  bool satisfied();

  const infer::Problem* problem_;
  std::vector<std::size_t> variables_;
  std::vector<const infer::Fact*> facts_;
  std::vector<std::vector<Tensor<Exact>>> lists_;
  numeric::Machine<Exact> machine_;
  std::vector<std::size_t> picks_;
  std::size_t tries_ = 0;
  std::size_t with_zero_ = 0;
  std::int64_t work_ = 0;
  std::vector<std::vector<Tensor<Exact>>> found_;
};

}  // namespace foldproof::refute
