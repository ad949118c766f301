// SPDX-License-Identifier: MIT
// Joint values of tied variables for which an equation is solved: most entries are drawn from a few small numbers, and each
// equation determines one of the others. Equations linear in all entries, as in rowsum(P) == ones(n, 1), are solved together;
// others one after the other, each for an entry in which it is linear, quadratic with a rational root, or linear in its exp.
#pragma once

#include "refute/tie.hpp"

namespace foldproof::refute {

class Completion {
 public:
  /// `lists` holds values for each variable of the tie, none empty; `logarithmic` says which hold multiples of ln 2.
  Completion(Tie& tie, const std::vector<std::vector<Tensor<Exact>>>& lists, std::vector<char> logarithmic, std::uint64_t seed);
  /// What `draws` attempts make that satisfies all assumptions on the variables, each once.
  std::vector<Joint> run(std::size_t draws);

 private:
  struct Unknown {
    std::size_t variable, place;
  };
  bool attempt(std::size_t draw);
  Joint start(std::size_t draw) const;
  void set(std::size_t unknown, const Exact& value);
  const Exact& value(std::size_t unknown) const { return values_[unknowns_[unknown].variable].values[unknowns_[unknown].place]; }
  bool is_logarithmic(std::size_t unknown) const { return logarithmic_[unknowns_[unknown].variable] != 0; }
  std::vector<Exact> residuals();
  /// The equations as numbers times entries plus constants, as they are at the fixed variables.
  void linearize();
  bool linear_at(const std::vector<Exact>& residuals) const;
  void solve_together(std::size_t draw);
  bool solve_in_turn(std::size_t draw);
  bool matters(std::size_t equation, std::size_t unknown) const;
  bool draw_again(std::size_t equation, const std::vector<char>& solved, std::size_t draw, std::size_t again);
  bool solve(const Tie::Equation& equation, std::size_t unknown, bool second_root);
  bool solve(const Tie::Equation& equation, std::size_t unknown, bool second_root, bool exponential);

  Tie& tie_;
  const std::vector<std::vector<Tensor<Exact>>>& lists_;
  std::vector<char> logarithmic_;
  std::uint64_t seed_;
  std::vector<std::vector<std::vector<Exact>>> pools_;  ///< of a variable: lists of values for its entries
  std::vector<Unknown> unknowns_;
  bool fixed_ = false;  ///< some variables are taken from the lists as they are
  std::vector<Tie::Equation> equations_;
  std::vector<std::vector<Exact>> slopes_;  ///< an equation a row, an unknown a column; of multiples of ln 2 the factors count
  std::vector<Exact> constants_;
  Joint values_;
};

}  // namespace foldproof::refute
