// SPDX-License-Identifier: MIT
// Which stored values a NumPy expression such as `W.T[0:8, :]` selects, and in which order.
// A view only computes positions; the values stay where they are until `gather`. Positions are in elements, not bytes.
// Indices and slices mean what they mean in NumPy: negative ones count from the end, slices are clamped.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace foldproof::weights {

using Sizes = std::vector<std::int64_t>;

/// "[4, 16]"
std::string text(const Sizes& shape);

/// Positions offset + sum of index[i] * strides[i], for index inside shape.
struct View {
  Sizes shape;
  Sizes strides;
  std::int64_t offset = 0;
};

/// The number of elements of `shape`, or nothing when it does not fit into 63 bits. Requires: no negative size.
std::optional<std::int64_t> element_count(const Sizes& shape);

/// All values in order, last index fastest (NumPy's C order). Requires: element_count(shape) exists.
View row_major(Sizes shape);
/// All values, first index fastest (NumPy's Fortran order). Requires: element_count(shape) exists.
View column_major(Sizes shape);

/// NumPy's `transpose(order)`. Requires: `order` is a permutation of the axes.
View permuted(const View& view, const Sizes& order);

/// One slice `start:stop:step`, as NumPy's slice.indices gives it: first element, number of elements, step.
struct Range {
  std::int64_t first = 0;
  std::int64_t count = 0;
  std::int64_t step = 1;
};
/// Clamps a slice to an axis of `size` elements. Requires: step is not 0 and not the smallest integer.
Range clamp_slice(std::int64_t size, std::optional<std::int64_t> start, std::optional<std::int64_t> stop, std::int64_t step);

/// Copies the selected values in C order. Requires: every position of `view` lies inside `values`.
std::vector<double> gather(const View& view, const std::vector<double>& values);

}  // namespace foldproof::weights
