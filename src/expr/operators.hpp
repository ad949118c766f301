// SPDX-License-Identifier: MIT
// The one list of operators. Part of the trusted base.
// Parsing, shape inference, unfolding in the kernel and every evaluator loop over it; to add an operator, write it in ops/ and
// add its name here.
#pragma once

#include <array>
#include <string_view>
#include <utility>

#include "expr/ops/arithmetic.hpp"
#include "expr/ops/functions.hpp"
#include "expr/ops/matrices.hpp"
#include "expr/ops/positions.hpp"
#include "expr/ops/reductions.hpp"
#include "expr/ops/softmax.hpp"
#include "expr/ops/structure.hpp"

namespace foldproof::expr {

template <class... Op>
struct OperatorList {
  static constexpr int size = static_cast<int>(sizeof...(Op));
};
using Operators = OperatorList<
    ops::Add, ops::Subtract, ops::Negate, ops::Multiply, ops::Divide, ops::Power, ops::Matmul,                                             //
    ops::Transpose, ops::Permute, ops::Reshape, ops::Subscripts, ops::Stride, ops::Concat, ops::Vstack, ops::Stack,                        //
    ops::JoinLast, ops::JoinFirst, ops::SumHeads, ops::BlockDiagonal, ops::BlockDiagonalHeads, ops::Flip, ops::FlipAxis, ops::Vec,                                                            //
    ops::Exp, ops::Log, ops::Sqrt, ops::Rsqrt, ops::Abs, ops::Sin, ops::Cos, ops::Relu, ops::LeakyRelu, ops::Sigmoid, ops::Silu,           //
    ops::QuickGelu, ops::Tanh, ops::Softplus, ops::Gelu, ops::GeluTanh, ops::Exp2, ops::Elu, ops::Erf, ops::Maximum, ops::Minimum, ops::Clip, //
    ops::SumAll, ops::SumAxis, ops::CumSum, ops::RowSum, ops::ColSum, ops::Mean, ops::RowMean, ops::ColMean, ops::Max, ops::RowMax, ops::ColMax,        //
    ops::Min, ops::RowMin, ops::ColMin,                                                                                                    //
    ops::Frobenius2, ops::Trace,                                                                                                           //
    ops::Softmax, ops::SoftmaxColumns, ops::Softmax1, ops::LogSoftmax, ops::LogSumExp, ops::Rms, ops::RmsNorm, ops::LayerNorm,             //
    ops::BatchNorm, ops::L2Norm, ops::Dora,                                                                                                //
    ops::Eye, ops::Ones, ops::Zeros, ops::Tril, ops::Triu, ops::Causal, ops::NegInf, ops::Positions, ops::Arange, ops::Offsets, ops::AtLeast, ops::SamePlace, ops::Diag, //
    ops::Diagonal, ops::Kron, ops::RowKron, ops::Einsum, ops::Inverse, ops::Determinant, ops::Rank, ops::LeftFactor, ops::RightFactor, ops::OneHot, ops::Take,                                                          //
    ops::Rope, ops::RopeHalf, ops::HalfPermutation, ops::Rotation, ops::Sinusoids, ops::SinusoidShift>;

inline constexpr int operator_count = Operators::size;

namespace detail {
template <class Op, std::size_t I>
struct Numbered {};
template <class... Op, std::size_t... I>
auto numbered(OperatorList<Op...>, std::index_sequence<I...>) {
  struct All : Numbered<Op, I>... {};
  return All{};
}
using AllNumbered = decltype(numbered(Operators{}, std::make_index_sequence<operator_count>()));
template <class Op, std::size_t I>
constexpr int number_of(Numbered<Op, I>) {  // the one base of AllNumbered that has this Op
  return static_cast<int>(I);
}
}  // namespace detail

/// Position of an operator type in the list.
template <class Op>
constexpr int operator_id() {
  return detail::number_of<Op>(detail::AllNumbered{});
}

/// Calls visit(Op{}) for the operator with the given id. One function for each operator: errors leave one function that
/// holds them all about ten times slower.
template <class Visitor>
void visit_operator(int id, const Visitor& visit) {
  static constexpr auto visits = []<class... Op>(OperatorList<Op...>) {
    return std::array<void (*)(const Visitor&), sizeof...(Op)>{[](const Visitor& v) { v(Op{}); }...};
  }(Operators{});
  visits[static_cast<std::size_t>(id)](visit);
}

/// Name, arity and rule of an operator.
const OperatorInfo& operator_info(int id);
/// Is `name` a function of one number that is taken entry by entry: exp, relu, sqrt?
bool is_entrywise_function(std::string_view name);
/// Id of the operator called `name` in claims, or -1.
int find_operator(std::string_view name);

}  // namespace foldproof::expr
