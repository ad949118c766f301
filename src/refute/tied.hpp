// SPDX-License-Identifier: MIT
// Joint values of variables that an assumption ties together, such as A @ B == B @ A or X @ W >= 0: simple tensors are tried
// in combination and what satisfies the assumption is kept; then equations are solved for single entries (complete.hpp), and
// solutions give others (orbit.hpp). This may miss instances; it never makes a wrong one.
#pragma once

#include "refute/tie.hpp"

namespace foldproof::refute {

class TiedSearch {
 public:
  /// Requires: `variables` are all variables that `facts` mention; `lists` holds values for each of them, none empty.
  TiedSearch(const infer::Problem& problem, const expr::DimValues& dims, std::vector<std::size_t> variables, std::vector<const infer::Fact*> facts,
             std::vector<std::vector<Tensor<Exact>>> lists, std::vector<char> logarithmic);
  /// Combinations that satisfy all facts, fewest non-zeros first, then the shortest numbers. Equations are solved so many times, and more often
  /// where no listed tensors satisfy them.
  std::vector<Joint> run(std::uint64_t seed, std::size_t completions);
  /// Whether values were passed over that may satisfy the facts.
  bool unsure() const { return tie_.unsure(); }
  /// Scalar operations spent, roughly.
  std::int64_t work() const { return tie_.work(); }

 private:
  void try_sum(std::size_t k, std::size_t rest);
  void try_units(bool zeros);
  void try_picks();
  void add_others(std::uint64_t seed, std::size_t completions);

  Tie tie_;
  std::vector<std::vector<Tensor<Exact>>> lists_;
  std::vector<char> logarithmic_;
  std::vector<std::size_t> picks_;
  std::size_t tries_ = 0;
  std::size_t with_zero_ = 0;
  std::vector<Joint> found_;
};

}  // namespace foldproof::refute
