// SPDX-License-Identifier: MIT
// Both sides of a claim at one shape in one format, and their comparison.
#pragma once

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
  bool exact = false;     ///< every bound is zero, so that nothing at all may differ
  bool by_norms = false;  ///< the bounds are those of norm_bounds.hpp, and the ratio is clearly below 1

  std::string element() const;  ///< "[0, 1]: 0x1.8p-2 against 0x1.9p-2, bound 0x1p-52"
};

/// A computed number and a bound on its distance from the exact one.
struct SideEntry {
  double value;
  double bound;
};

/// A float as text: hexadecimal, "nan", "inf".
std::string hex(double value);

class Sides {
 public:
  /// Errors: Undefined, LimitReached from the programs.
  Sides(const infer::Problem& problem, const expr::DimValues& dims, const numeric::FormatInfo& format, Mutation mutation);
  /// |L - R| against bounds of every entry. Cheap bounds by norms come first, where allowed: they decide alone when |L - R| is at
  /// most half of them everywhere. With Bounds::none against zero: for integers of exact_bits() bits.
  Comparison compare(const Values& values, Bounds bounds = Bounds::entries);
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
  void evaluate(const Values& values, Bounds bounds);
  Comparison compared(const Values& values, Bounds bounds);

  expr::Relation relation_;
  int exact_bits_ = 0;
  bool has_products_ = false;
  std::string rounding_operator_;
  const numeric::FormatInfo& format_;
  std::vector<Place> places_;  ///< in the order of values
  std::vector<std::int64_t> inner_sizes_[2];  ///< of the matrix products of the left and the right side
  std::variant<Owned<double>, Owned<float>, Owned<Float16>, Owned<BFloat16>> machines_;
};

}  // namespace foldproof::campaign
