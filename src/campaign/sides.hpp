// SPDX-License-Identifier: MIT
// Both sides of a claim at one shape in one format, and their comparison.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <variant>

#include "campaign/bounded.hpp"
#include "campaign/sample.hpp"
#include "infer/problem.hpp"

namespace foldproof::campaign {

/// The format with this name. Errors: InternalError for any other name.
const numeric::FormatInfo& format_called(const std::string& name);

/// What one instance shows.
struct Comparison {
  enum class Outcome { undefined, within, suspicious, vacuous, beyond } outcome = Outcome::undefined;
  double ratio = 0;  ///< |L - R|/bound at the worst entry with a finite bound
  std::int64_t entry = -1;
  std::vector<std::int64_t> shape;
  double lhs = 0;
  double rhs = 0;
  double lhs_bound = 0;
  double rhs_bound = 0;
  /// Whether some entry without a finite bound is not finite on both sides, or on one side only, which is worse.
  enum class Overflow { none, both_sides, one_side } overflow = Overflow::none;
  bool exact = false;     ///< every bound is zero, so that nothing at all may differ
  std::int64_t entries = 0;    ///< that were looked at, one by one
  std::int64_t differing = 0;  ///< of them those that violate the relation, by however little, or are not finite; see Sides::set_result
  std::int64_t exceeding = 0;  ///< of them those beyond their bound
  std::int64_t zero_signs = 0;  ///< entries that are 0 on one side and -0 on the other, which is no difference
  std::int64_t outward[2] = {0, 0};  ///< of the differing ones those at which the left side, or the right one, is farther from 0
  std::vector<std::int64_t> first_exceeding;  ///< the least and the largest index of those on each axis; empty when there are none
  std::vector<std::int64_t> last_exceeding;
  bool differs = false;   ///< some entry violates the relation, by however little, or is not finite
  bool by_norms = false;  ///< the bounds are those of norm_bounds.hpp, and the ratio is clearly below 1

  std::string element() const;  ///< "[0, 1]: 0x1.8p-2 against 0x1.9p-2, bound 0x1p-52"
  std::string index() const;    ///< "[0, 1]", empty when no entry has a finite bound
};

/// A computed number and a bound on its distance from the exact one.
struct SideEntry {
  double value;
  double bound;
};

/// How numbers that somebody stored were rounded: each is within u |stored| + eta of what was computed.
struct StorageRounding {
  double u = 0;
  double eta = 0;
};

/// How a program in 16 bits takes tensors of more digits: rounded before anything is computed of them, or as they are, so that only its results
/// are rounded.
enum class Operands { rounded_first, as_stored };

/// A float as text: hexadecimal, "nan", "inf".
std::string hex(double value);

class Sides {
 public:
  /// Errors: Undefined, LimitReached from the programs.
  Sides(const infer::Problem& problem, const expr::DimValues& dims, const numeric::FormatInfo& format, Mutation mutation, const numeric::ProgramLimit& limit = {});
  /// Stored results. `g.T * W == M` about a checkpoint speaks of an M that somebody computed and stored. Let L be the exact value of the other
  /// side, L' ours and x the one that was computed, with any program in this format: |L' - L| <= E and |x - L| <= E, since E holds for every
  /// order of summation. Stored is M = fl(x), that is x/(1 + d) or, below the normal numbers, x + e with |d| <= u and |e| <= eta
  /// (Higham 2002, theorem 2.3), so |M - x| <= u |M| + eta. Together |L' - M| <= E + (E + u |M| + eta).
  /// set_stored gives a variable the error u |M| + eta, which is carried through its side; set_result adds E of the other side to a side.
  /// Of u |M| only u 2^e is needed, for |M| in [2^e, 2^(e+1)): half the distance of its neighbours. E is that of our program; where others
  /// may add up in another order, set_other_programs gives what they may be off by, which counts where it is larger.
  /// A tensor that a narrower format changes is stored in the same sense, with the u and eta of that format.
  /// Of a larger side, such as `X @ M`, the second is no theorem: there E stands for what the computation of M, carried through, amounts to.
  void set_stored(const std::string& variable, const StorageRounding& rounding) { stored_[variable] = rounding; }
  bool is_stored(const std::string& variable) const { return stored_.count(variable) != 0; }
  bool has_results() const { return is_result_[0] || is_result_[1]; }
  /// With a format of storage, where the side is the stored tensor itself, the other side's entries are rounded to it before those that
  /// differ are counted.
  void set_result(bool right, const numeric::FormatInfo* storage = nullptr) {
    is_result_[right ? 1 : 0] = true;
    if (storage != nullptr) storage_ = storage;
  }
  /// Of the side other than the stored result on the right, or the left: bounds on the errors of other programs for it, entry by entry, of so
  /// many roundings. They count until others are set.
  void set_other_programs(bool right, std::vector<double> errors, double roundings) { others_[right ? 1 : 0] = {std::move(errors), roundings}; }
  bool is_result(bool right) const { return is_result_[right ? 1 : 0]; }
  /// How held tensors are taken. As they are stored only as far as numbers of the arithmetic have their digits.
  void set_operands(Operands operands) { operands_ = operands; }
  /// Tensors that are the same in every comparison; what is compared lacks them. After set_stored and set_operands.
  void hold(const Values& values);
  /// The tensors that the other one holds, without a copy. Requires: the same format.
  void hold_those_of(const Sides& other);
  /// |L - R| against bounds of every entry. Cheap bounds by norms come first, where allowed: they decide alone when |L - R| is at
  /// most half of them everywhere. With Bounds::none against zero: for integers of exact_bits() bits.
  Comparison compare(const Values& values, Bounds bounds = Bounds::entries);
  /// The last comparison, which was defined, with what was set since.
  Comparison compare_again() const;
  /// Bits of the integers for an exact comparison, 0 when the claim has no exact lane here.
  int exact_bits() const { return exact_bits_; }
  /// The inequality of a comparison with its numbers.
  std::string formula(const Comparison& c) const;
  /// The operator because of which the claim has no exact lane by construction; empty when it has one.
  const std::string& rounding_operator() const { return rounding_operator_; }
  /// All values of a side with the bounds on their errors, after a comparison that was defined.
  std::vector<SideEntry> entries(bool right) const;
  /// All values of a side after a comparison, in hexadecimal.
  std::string side_text(bool right) const;

 private:
  template <class T>
  struct Pair {
    using SharedProgram = std::shared_ptr<const numeric::Program>;
    Pair(const SharedProgram& left_program, const SharedProgram& right_program, const numeric::FormatInfo& format, Mutation mutation)
        : lhs(left_program, format), rhs(right_program, format, mutation) {}
    BoundedMachine<T> lhs;
    BoundedMachine<T> rhs;
    std::vector<BoundedTensor<T>> inputs;  ///< in the order of values
    std::map<std::string, std::shared_ptr<const BoundedTensor<T>>> held;
    const BoundedTensor<T>* left = nullptr;
    const BoundedTensor<T>* right = nullptr;
  };
  struct Place {  ///< the steps of a variable in the programs of both sides
    std::string name;
    int lhs = -1;
    int rhs = -1;
  };
  template <class T>
  using Owned = std::unique_ptr<Pair<T>>;
  template <class T>
  void make_input(const std::string& name, const numeric::Tensor<double>& tensor, BoundedTensor<T>& input) const;
  template <class T>
  void place_held(Pair<T>& pair);
  void evaluate(const Values& values, Bounds bounds);
  Comparison compared(const Values& values, Bounds bounds);
  Comparison compared_values(Bounds bounds) const;

  expr::Relation relation_;
  int exact_bits_ = 0;
  bool has_products_ = false;
  std::map<std::string, StorageRounding> stored_;
  Operands operands_ = Operands::rounded_first;
  bool is_result_[2] = {false, false};  ///< the left and the right side
  struct OtherPrograms {
    std::vector<double> errors;
    double roundings = 1;
  };
  OtherPrograms others_[2];  ///< of the sides other than those
  const numeric::FormatInfo* storage_ = nullptr;  ///< of a side that is a stored result; null when none is, or no narrower format
  std::string rounding_operator_;
  const numeric::FormatInfo& format_;
  std::vector<Place> places_;  ///< in the order of values
  std::vector<std::int64_t> inner_sizes_[2];  ///< of the matrix products of the left and the right side
  std::variant<Owned<double>, Owned<float>, Owned<Float16>, Owned<BFloat16>> machines_;
};

}  // namespace foldproof::campaign
