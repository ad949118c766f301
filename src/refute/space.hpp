// SPDX-License-Identifier: MIT
// The instances of a claim at one shape that satisfy its assumptions, as independent choices ("slots"), each with alternatives
// ordered by simplicity: the entries of a free variable one by one, a matrix with a named property as a whole, and the
// variables that an equation ties together jointly. Alternative 0 everywhere is the simplest instance.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "refute/alternatives.hpp"
#include "refute/refute.hpp"

namespace foldproof::refute {

/// Which variables hold integer multiples of ln 2, by position in the problem: then exp of them is a power of two.
using Lane = std::vector<char>;

/// One choice.
struct Slot {
  std::vector<std::size_t> variables;               ///< whose value it fixes: one, or several tied by an assumption
  std::size_t place = 0;                            ///< the entry, for a slot of one entry
  int pool = -1;                                    ///< alternatives of an entry; -1 for whole tensors
  bool tied = false;                                ///< whole tensors that satisfy an equation or another assumption of no special form
  std::vector<std::vector<Tensor<Exact>>> tensors;  ///< alternatives of whole tensors, one a variable
};

class Space {
 public:
  /// `completions`: see Options. Errors: Undefined when a variable has an empty axis here.
  Space(const infer::Problem& problem, const expr::DimValues& dims, const Lane& lane, std::uint64_t seed, std::size_t completions = Options{}.completions);

  const infer::Problem& problem() const { return *problem_; }
  const expr::DimValues& dims() const { return dims_; }
  const std::vector<Slot>& slots() const { return slots_; }
  const std::vector<std::vector<Exact>>& pools() const { return pools_; }
  const std::vector<std::int64_t>& shape(std::size_t variable) const { return shapes_[variable]; }
  std::size_t alternatives(std::size_t slot) const;
  /// Alternatives worth trying exhaustively.
  std::size_t simple_alternatives(std::size_t slot) const;
  /// No instance here satisfies the assumptions, as far as tried.
  bool empty() const { return empty_; }
  /// Some values were passed over because it could not be told whether they satisfy the assumptions.
  bool unsure() const { return unsure_; }
  /// Entries are free or bounded by numbers, so identities of polynomials decide.
  bool unstructured() const { return unstructured_; }

  /// Scalar operations spent on making it, roughly.
  std::int64_t work() const { return work_; }
  /// The instance of a choice of alternatives, one a slot.
  numeric::Instance<Exact> instance(const std::vector<std::size_t>& choice) const;
  /// Random alternatives; every third draw keeps to the simplest.
  std::vector<std::size_t> random_choice(std::uint64_t draw) const;
  /// Random entries among few small numbers, none 0, where the last row of a matrix is a combination of the first two if it may.
  std::vector<std::size_t> dependent_choice(std::uint64_t draw) const;
  /// Matrices with ones on the diagonal, from none to all of them, in every combination up to so many.
  std::vector<std::vector<std::size_t>> diagonal_choices(std::size_t most) const;
  /// Random entries of one sign, 1 or -1, where a variable may have such; draw 0 takes the simplest of them.
  std::vector<std::size_t> choice_of_sign(std::uint64_t draw, int sign) const;
  /// Of every variable only the first entry is not the simplest, but positive.
  std::vector<std::size_t> first_entries() const;

 private:
  /// For each variable the smallest position of a variable that it is tied to, itself when to none.
  std::vector<std::size_t> groups() const;
  void add_entries(std::size_t variable, bool logarithmic, bool integral);
  /// Sets the last row of the matrix whose entries are the slots from `first` on.
  void make_dependent(std::size_t first, std::vector<std::size_t>& choice) const;
  void add_structured(std::size_t variable);
  void add_tied(const std::vector<std::size_t>& variables, const Lane& lane, std::size_t completions);

  const infer::Problem* problem_;
  expr::DimValues dims_;
  std::uint64_t seed_;
  std::vector<std::vector<std::int64_t>> shapes_;
  std::vector<Slot> slots_;
  std::vector<std::vector<Exact>> pools_;
  std::int64_t work_ = 0;
  bool empty_ = false;
  bool unsure_ = false;
  bool unstructured_ = true;
};

}  // namespace foldproof::refute
