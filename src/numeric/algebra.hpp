// SPDX-License-Identifier: MIT
// The algebra of expr/operator.hpp on numbers: indices are integers, entries are scalars of one number type.
// Included by evaluate.cpp and entry_machine.cpp only: the operator table is large and need not be compiled anywhere else.
#pragma once

#include <cmath>
#include <functional>
#include <optional>
#include <span>

#include "expr/operator.hpp"
#include "numeric/elimination.hpp"
#include "numeric/program.hpp"
#include "numeric/scalar.hpp"
#include "numeric/tensor.hpp"
#include "numeric/undefined.hpp"

namespace foldproof::numeric {

/// Entries of the operands of one step.
template <class T>
struct OperandEntries {
  std::span<const Tensor<T>* const> tensors;
  const std::function<const T&(int, std::span<const std::int64_t>)>* asked = nullptr;  ///< in place of tensors; what it gives is copied at once

  /// Errors: Undefined outside the tensor, where a slice of this shape reaches too far.
  const T& operator()(int k, std::span<const std::int64_t> indices) const {
    if (asked) return (*asked)(k, indices);
    const Tensor<T>& tensor = *tensors[static_cast<std::size_t>(k)];
    std::int64_t place = 0;
    for (std::size_t axis = 0; axis < tensor.shape.size(); ++axis) {
      if (indices[axis] < 0 || indices[axis] >= tensor.shape[axis]) throw Undefined("a subscript outside its axis");
      place = place * tensor.shape[axis] + indices[axis];
    }
    return tensor.values[static_cast<std::size_t>(place)];
  }
};

template <class T>
class NumericAlgebra {
 public:
  using Value = T;
  using Index = std::int64_t;
  using Operand = OperandEntries<T>;

  explicit NumericAlgebra(const Step& step) : step_(step) {}

  Index index(const expr::Dim& d) const {
    for (const auto& known : step_.sizes) {
      if (known.first == &d) return known.second;
    }
    return expr::evaluate(d, *step_.scope);
  }
  static Index quotient(Index i, Index n) { return i / n - (i % n != 0 && (i < 0) != (n < 0)); }
  static Index remainder(Index i, Index n) { return i - n * quotient(i, n); }

  static T number(const expr::Rational& q) { return q.is_integer() ? of(q.num()) : from<T>(q); }
  static T of(Index i) {
    if constexpr (std::is_same_v<T, Interval>) {
      return from<T>(expr::Rational(i));
    } else {
      return static_cast<T>(i);
    }
  }
  static T equal(Index i, Index j) { return of(i == j); }
  static T at_least(Index i, Index j) { return of(i >= j); }
  template <class Then, class Otherwise>
  static T if_less(Index i, Index j, const Then& then, const Otherwise& otherwise) {
    return i < j ? T(then()) : T(otherwise());
  }
  template <class Body>
  static T sum(Index count, const Body& body) {
    if (count == 0) return of(0);
    T total = body(Index(0));
    for (Index i = 1; i < count; ++i) total = total + body(i);
    return total;
  }
  template <class Body>
  static T maximum(Index count, const Body& body) {
    if (count == 0) throw Undefined("the largest of nothing");
    T largest = body(Index(0));
    for (Index i = 1; i < count; ++i) largest = max(largest, body(i));
    return largest;
  }
  /// A number near the largest value where exp of that is no double, of which enclosures would know next to nothing.
  template <class Body>
  static std::optional<T> far_center(Index count, const Body& body)
    requires std::is_same_v<T, Interval>
  {
    constexpr double far = 500;
    const T largest = maximum(count, body);
    if (largest.is_negative_infinity() || !std::isfinite(largest.lower()) || std::abs(largest.lower()) < far) return std::nullopt;
    return T(largest.lower());
  }
  template <class F>
  static T vanishing(const T& v, const F& f) {
    if constexpr (std::is_floating_point_v<T>) {
      if (v == negative_infinity<T>()) return 0;
    } else if constexpr (requires { v.is_negative_infinity(); }) {
      if (v.is_negative_infinity()) return of(0);
    } else if constexpr (requires { v.is_masked(); }) {
      if (v.is_masked()) return of(0);
    }
    return f(v);
  }
  static T power(const T& v, const expr::Rational& q) { return pow(v, q); }
  static T apply(expr::Function f, const T& v) {
    using expr::Function;
    switch (f) {
      case Function::exp: return exp(v);
      case Function::log: return log(v);
      case Function::abs: return abs(v);
      case Function::sin: return sin(v);
      case Function::cos: return cos(v);
      case Function::normal_cdf: return normal_cdf(v);
      case Function::negative_infinity_unless: return is_number(v, 1) ? of(0) : negative_infinity<T>();
    }
    throw expr::InternalError("unknown function");
  }
  /// Errors: Undefined where the token is none of 0 .. vocabulary - 1.
  static T token_is(const T& token, Index v, Index vocabulary) {
    const bool here = is_number(token, v);
    if (!here && v == 0) {
      bool known = false;
      for (Index other = 1; !known && other < vocabulary; ++other) known = is_number(token, other);
      if (!known) throw Undefined("a token number outside the vocabulary");
    }
    return of(here);
  }
  T matrix_function(expr::MatrixFunction f, int k, const Operand& operand, const expr::Call&, std::span<const Index> at) {
    using expr::MatrixFunction;
    if (operand.asked) throw expr::LimitReached("a function of a whole matrix, of which single entries are asked");
    const Tensor<T>& matrix = *operand.tensors[static_cast<std::size_t>(k)];
    if (matrix.values.empty()) throw Undefined("a function of a matrix without entries");
    const auto entry = [](const Tensor<T>& t, Index i, Index j) { return t.values[static_cast<std::size_t>(i * t.shape[1] + j)]; };
    if (f == MatrixFunction::inverse) {
      if (!inverse_) inverse_ = inverse(matrix);
      return entry(*inverse_, at[0], at[1]);
    }
    if (f == MatrixFunction::determinant) return determinant(matrix);
    if constexpr (std::is_same_v<T, PrimeField>) throw NeedsReals("the rank of a matrix in a prime field");
    if (!factors_) factors_ = rank_factorization(matrix);
    const Index rank = static_cast<Index>(factors_->pivots.size());
    if (f == MatrixFunction::rank) return of(rank);
    const bool left = f == MatrixFunction::left_factor;
    const Index inner = left ? at[1] : at[0];
    if (inner >= rank) return of(0);
    return left ? entry(matrix, at[0], static_cast<Index>(factors_->pivots[static_cast<std::size_t>(inner)])) : entry(factors_->echelon, inner, at[1]);
  }

 private:
  /// Whether v is the integer n. Errors: Undefined when an enclosure leaves it open.
  static bool is_number(const T& v, Index n) {
    if constexpr (std::is_same_v<T, Interval>) {
      if (disjoint(v, of(n))) return false;
      if (!v.is_point()) throw Undefined("an enclosure too wide to compare with " + std::to_string(n));
      return true;
    } else {
      return v == of(n);
    }
  }

  const Step& step_;
  std::optional<Tensor<T>> inverse_;
  std::optional<RankFactorization<T>> factors_;
};

}  // namespace foldproof::numeric
