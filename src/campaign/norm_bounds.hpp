// SPDX-License-Identifier: MIT
// Error bounds of matrix products at O(n**2) cost: the errors of a product are bounded by a sum of outer products of a column and
// a row vector. Looser than entry by entry (1.3 times for uniform weights, more where large entries meet small ones), so that a
// case which comes near such a bound is bounded again entry by entry.
//
// Derivation, for C = fl(A B) with computed factors, |A - exact A| <= E_A, |B - exact B| <= E_B and inner size n:
//   |C - exact C| <= gamma_n (|A| + E_A)(|B| + E_B) + |A| E_B + E_A (|B| + E_B) + e        (rules.cpp), where e is the underflow term.
//   By Cauchy-Schwarz (x y)[i,j] <= |x[i,:]|_2 |y[:,j]|_2 for non-negative matrices x and y, and
//   g p q + e <= (sqrt(g) p + sqrt(e)) (sqrt(g) q + sqrt(e)): one outer product for the first term and the last.
//   Where E_B is a sum of outer products r c, |A| (r c) = (|A| r) c is one again, without loss; so is (r c) |B| = r (c |B|).
//   Otherwise (|A| E_B)[i,j] <= |A[i,:]|_2 |E_B[:,j]|_2.
// The square-root model has the same vectors with other factors: sqrt(n) u instead of gamma_n for new terms.
#pragma once

#include <cstdint>
#include <vector>

namespace foldproof::campaign {

template <class T>
struct BoundedTensor;

/// hard * rows[i] * columns[j] bounds a part of the error of entry [i, j]; typical * rows[i] * columns[j] is its deviation in the
/// square-root model.
struct OuterProduct {
  std::vector<double> rows;
  std::vector<double> columns;
  double hard = 0;
  double typical = 0;
};

/// Keeps its memory when it is cleared: campaigns run one program thousands of times.
class OuterSum {
 public:
  bool empty() const { return rank_ == 0; }
  std::size_t rank() const { return rank_; }
  const OuterProduct& operator[](std::size_t t) const { return terms_[t]; }
  void clear() { rank_ = 0; }
  /// A term with vectors of these sizes, to be filled in.
  OuterProduct& add(std::int64_t rows, std::int64_t columns, double hard, double typical);
  double hard(std::size_t i, std::size_t j) const;
  double typical(std::size_t i, std::size_t j) const;
  /// The row and column vectors exchanged.
  void transpose();
  /// Adds the sum over all terms of hard (or typical) rows[i] columns[j] to every out[j].
  void add_row(std::size_t i, bool hard, double* out, std::size_t columns) const;
  /// The bound and the squared deviation of every entry. Requires: the sizes fit.
  void write_out(std::vector<double>& errors, std::vector<double>& variances, std::size_t columns) const;
  /// Whether 8 deviations may be less than the hard bound.
  bool has_narrower_typical() const;

 private:
  std::vector<OuterProduct> terms_;
  std::size_t rank_ = 0;
};

/// Fills result.outer from the factors and their errors. Requires: two matrices that have been multiplied; T is double or float.
template <class T>
void norm_bounds(const BoundedTensor<T>& a, const BoundedTensor<T>& b, BoundedTensor<T>& result);

/// (1 + gamma_n)-style constants of one product with inner size n in T's arithmetic.
struct ProductConstants {
  double gamma;      ///< gamma_{n+1}; infinite when (n + 1) u >= 1
  double deviation;  ///< sqrt(n) u
  double root_underflow;  ///< the square root of e above
};
template <class T>
ProductConstants product_constants(std::int64_t inner);

}  // namespace foldproof::campaign
