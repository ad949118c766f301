// SPDX-License-Identifier: MIT
// The rules of bounded.cpp that need no state: products, where entries go when an operator only moves them, sums, softmax and
// norms along one axis, and the definition of any operator.
#pragma once

#include <vector>

#include "campaign/bounded.hpp"

namespace foldproof::campaign {

/// Whether the step is `@` of two matrices.
bool is_matrix_product(const numeric::Step& step);
/// Whether the step exchanges the axes of a matrix.
bool transposes(const numeric::Step& step);
/// Whether every entry of the result is an entry of an operand, or zero.
bool moves_entries(const numeric::Step& step);
/// For a step that moves entries: the source of every entry, counted from 1 through all operands; 0 for the number zero.
std::vector<std::vector<std::int64_t>> move_maps(const numeric::Program& program, std::size_t k);
/// For entrywise operators: position in each operand of every entry; empty for operands of the shape of the result, and of a single entry.
std::vector<std::vector<std::int64_t>> broadcast_maps(const numeric::Program& program, std::size_t k);

/// a @ b for vectors, matrices and stacks of matrices. Requires: at most three axes; result.shape is set.
template <class T>
void multiply(const BoundedTensor<T>& a, const BoundedTensor<T>& b, Bounds bounds, BoundedTensor<T>& result);
template <class T>
BoundedTensor<T> transposed(const BoundedTensor<T>& matrix);
template <class T>
BoundedTensor<T> without_last_column(const BoundedTensor<T>& matrix);
/// The first entries; the shape is left alone.
template <class T>
BoundedTensor<T> first_entries(const BoundedTensor<T>& tensor, std::int64_t count);

/// Whether run_row knows the operator: each row along its axis is a matter by itself.
bool works_on_rows(const infer::Term& term);
/// Replaces a row by the operator's result, or its first entry by a sum. `eps` is the second operand of norms.
/// Softmax subtracts the largest computed score, which changes nothing over the reals, so that its error does not count.
template <class T>
void run_row(const numeric::Step& step, std::vector<Bounded<T>>& row, const Bounded<T>& eps);

/// All entries by the definition of the operator.
template <class T>
std::vector<T> run_definition(const numeric::Step& step, const std::vector<const numeric::Tensor<T>*>& operands);

}  // namespace foldproof::campaign
