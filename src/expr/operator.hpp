// SPDX-License-Identifier: MIT
// What an operator of the claim language is: a name, a shape rule, and a definition in index notation. Part of the trusted base.
// The definition is one template over an algebra. The kernel runs it on symbols to unfold a claim, the evaluators run it on
// numbers to compute an instance; so an operator is defined once and means the same thing everywhere.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "expr/dim.hpp"
#include "expr/rational.hpp"
#include "expr/small_vector.hpp"

namespace foldproof::expr {

inline constexpr int any_number = 1 << 20;

/// How an operator is called in claims, and what it means in one line.
struct OperatorInfo {
  const char* name;
  int tensors_min;             ///< number of tensor operands
  int tensors_max;             ///< `any_number` when variadic
  int sizes_min = 0;           ///< number of size operands after the tensors, such as the `d` of eye(d)
  int sizes_max = 0;
  bool sizes_first = false;    ///< size operands come before the tensors, as in sinus(n, theta)
  std::optional<int> axis = std::nullopt;  ///< default of the keyword `axis`; absent when the operator takes none
  bool drops = false;          ///< some entries of its operands are not read, and need not have a value: tril, a slice
  const char* rule = "";       ///< the definition, in the claim language or index notation
  const char* source = "";     ///< where the definition comes from when it is not NumPy's
};

/// Functions of one number that the algebra knows; everything else is defined through them.
enum class Function { exp, log, abs, sin, cos, normal_cdf, negative_infinity_unless };
const char* text(Function f);

/// Functions of a whole matrix, which the algebra treats as a value of their own: they have no short definition in index notation.
enum class MatrixFunction {
  inverse,       ///< an entry of the inverse
  determinant,
  rank,
  left_factor,   ///< an entry of L, where L @ R is the rank factorization by elimination: pivot columns times reduced row echelon form,
  right_factor,  ///< and of R; both are cut, or filled with zeros, at the inner size of the call
};

/// What a shape rule may ask. Implemented by shape inference, which solves for sizes that nobody declared.
class ShapeRules {
 public:
  virtual ~ShapeRules() = default;
  /// The size with everything that is known so far filled in.
  virtual Dim resolve(const Dim& d) const = 0;
  /// Requires the two sizes to be equal, learning from it; `operands` are the operands (numbered from 0) that the message shows.
  virtual void require_equal(const Dim& a, const Dim& b, std::span<const int> operands, const char* why) = 0;
  /// Requires width == 2 * pairs; a width that is one name becomes twice a size, so that the claim is about even widths.
  virtual void require_double(const Dim& width, const Dim& pairs, std::span<const int> operands, const char* why) = 0;
  /// Whether the size is even; a size that is one name becomes twice a size.
  virtual bool make_even(const Dim& d) = 0;
  /// Size of a broadcast axis: equal sizes, or one of them is the number 1.
  virtual Dim broadcast(const Dim& a, const Dim& b, std::span<const int> operands) = 0;
  [[noreturn]] virtual void fail(const std::string& message, const std::string& hint) = 0;

  Shape broadcast(const Shape& a, const Shape& b);
  void require_rank(const Shape& s, int operand, std::size_t rank);
};

/// The call of one operator, as its shape rule and its definition see it.
struct Call {
  std::vector<Shape> operands;
  std::vector<Dim> sizes;      ///< size operands; subscripts in triples (see ops/structure.hpp)
  int axis = 0;                ///< normalized to 0 .. rank-1
  Rational exponent;           ///< of `**` only
  Shape result;                ///< filled after the shape rule ran
};

/// Place of an entry. Every entry that a definition reads needs one, so few of them may be allocated.
template <class Index>
using Indices = SmallVector<Index, 4>;

/// One entry of the result of one operator. Definitions give every operand a name before they combine them: C++ leaves the
/// order of evaluation within an expression open, and the kernel numbers what it unfolds in the order of evaluation.
/// `Algebra` supplies Value (with + - *), Index (with + - *) and the functions used here.
template <class Algebra>
class Site {
 public:
  using Value = typename Algebra::Value;
  using Index = typename Algebra::Index;
  using Operand = typename Algebra::Operand;

  Site(Algebra& algebra, const Call& call, const Operand& operand, std::span<const Index> at) : algebra_(algebra), call_(call), operand_(operand), at_(at) {}

  const Call& call() const { return call_; }
  std::span<const Index> at() const { return at_; }
  const Index& at(std::size_t axis) const { return at_[axis]; }
  std::size_t rank(int operand) const { return call_.operands[static_cast<std::size_t>(operand)].size(); }

  /// The entry of an operand at the given indices.
  Value operand(int k, const Indices<Index>& indices) const { return operand_(k, std::span<const Index>(indices.begin(), indices.size())); }
  /// The operand's entry that NumPy broadcasting pairs with this entry of the result.
  Value broadcast(int k) const {
    const Shape& shape = call_.operands[static_cast<std::size_t>(k)];
    Indices<Index> indices;
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
      indices.push_back(shape[axis].is_one() ? Index(0) : at_[at_.size() - shape.size() + axis]);
    }
    return operand(k, indices);
  }
  /// The entry of an operand at this place with the index along `axis` replaced.
  Value along(int k, std::size_t axis, const Index& i) const {
    Indices<Index> indices(at_.begin(), at_.end());
    indices[axis] = i;
    return operand(k, indices);
  }

  Index index(const Dim& d) const { return algebra_.index(d); }
  Index size(int k, std::size_t axis) const { return index(call_.operands[static_cast<std::size_t>(k)][axis]); }
  Index size_operand(std::size_t k) const { return index(call_.sizes[k]); }
  std::size_t axis() const { return static_cast<std::size_t>(call_.axis); }

  Index quotient(const Index& i, const Index& n) const { return algebra_.quotient(i, n); }
  Index remainder(const Index& i, const Index& n) const { return algebra_.remainder(i, n); }

  Value number(const Rational& q) const { return algebra_.number(q); }
  Value of(const Index& i) const { return algebra_.of(i); }
  Value equal(const Index& i, const Index& j) const { return algebra_.equal(i, j); }        ///< 1 when i == j, else 0
  Value at_least(const Index& i, const Index& j) const { return algebra_.at_least(i, j); }  ///< 1 when i >= j, else 0
  /// then() where i < j, otherwise() elsewhere; only the side that is needed is evaluated on numbers.
  template <class Then, class Otherwise>
  Value if_less(const Index& i, const Index& j, const Then& then, const Otherwise& otherwise) const {
    return algebra_.if_less(i, j, then, otherwise);
  }
  template <class Body>
  Value sum(const Index& count, const Body& body) const {
    return algebra_.sum(count, body);
  }
  template <class Body>
  Value maximum(const Index& count, const Body& body) const {
    return algebra_.maximum(count, body);
  }
  /// A number that an operator may take away from all values before exp, where their exp is outside of what the algebra can hold; mostly nothing.
  template <class Body>
  std::optional<Value> far_center(const Index& count, const Body& body) const {
    if constexpr (requires { algebra_.far_center(count, body); }) return algebra_.far_center(count, body);
    return std::nullopt;
  }
  /// f(v), for a function that is 0 at minus infinity although its formula has no value there.
  template <class F>
  Value vanishing(const Value& v, const F& f) const {
    if constexpr (requires { algebra_.vanishing(v, f); }) return algebra_.vanishing(v, f);
    return f(v);
  }
  Value power(const Value& v, const Rational& q) const { return algebra_.power(v, q); }
  Value inverse(const Value& v) const { return algebra_.power(v, Rational(-1)); }
  Value apply(Function f, const Value& v) const { return algebra_.apply(f, v); }
  Value exp(const Value& v) const { return apply(Function::exp, v); }
  Value log(const Value& v) const { return apply(Function::log, v); }
  /// 1 when the token number at the given place of operand k is v, else 0; token numbers lie below `vocabulary`.
  Value token_is(int k, const Indices<Index>& place, const Index& v, const Index& vocabulary) const { return algebra_.token_is(operand(k, place), v, vocabulary); }
  /// This entry of a function of the matrix that is operand k.
  Value matrix_function(MatrixFunction f, int k) const { return algebra_.matrix_function(f, k, operand_, call_, at_); }

 private:
  Algebra& algebra_;
  const Call& call_;
  const Operand& operand_;
  std::span<const Index> at_;
};

/// Every operator is a struct with these members; operators.hpp checks each.
template <class T>
concept Operator = requires(ShapeRules& rules, Call& call) {
  { T::info } -> std::convertible_to<OperatorInfo>;
  { T::shape(rules, call) } -> std::same_as<Shape>;
};

}  // namespace foldproof::expr
