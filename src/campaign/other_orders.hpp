// SPDX-License-Identifier: MIT
// What other programs for the same expression may differ by: sums in another order, factors multiplied in or out, a product of a sum
// written as a sum of products. A running bound knows only one program, and nothing of the rounding errors that it happens not to make.
#pragma once

#include <vector>

#include "campaign/sample.hpp"
#include "infer/problem.hpp"
#include "numeric/half.hpp"

namespace foldproof::campaign {

/// A bound on the error of every program that computes a side as a sum of products of the same terms.
///
/// Let S be the side with absolute values of its terms: |a| + |b| for a - b, sum of |a||b| for a product. A term that is rounded k times on
/// its way contributes at most gamma_k times its absolute value to the error (Higham 2002, lemma 3.1 and section 3.1), gamma_k = k u/(1 - k u).
/// k counts a rounding for every product and quotient that a term goes through, and one for each other term of the whole sum, since in some
/// order it is added to each of them one after the other. Sums inside of one product or reduction over n values are accumulated in the
/// arithmetic's precision and count n + 1 of its roundings; where that is the format's own, other terms of the whole sum count one more for
/// each of these values, since a program may add them to its accumulator one by one. Functions are terms by themselves: no other order of theirs is thought of.
/// Below the normal numbers each rounding loses up to eta, which grows by the factors that are multiplied in afterwards; float16 needs that term.
class OtherOrders {
 public:
  OtherOrders(const infer::Problem& problem, bool right, const expr::DimValues& dims, const numeric::FormatInfo& format);
  /// Whether there is only one program: at most one operation that rounds.
  bool is_single() const { return total_ == nullptr; }
  /// The largest number of roundings of one term.
  double roundings() const { return roundings_; }
  /// The bound of every entry in row-major order; empty where it cannot be computed.
  std::vector<double> errors(const Values& values) const;

 private:
  infer::Problem problem_;
  infer::Term total_;  ///< the roundings of every term, counted and weighed
  expr::DimValues dims_;
  double scale_ = 0;
  double roundings_ = 0;
};

}  // namespace foldproof::campaign
