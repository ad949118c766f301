// SPDX-License-Identifier: MIT
// A dense tensor in row-major order with any number of axes; no axes is one number.
// It holds numbers and nothing else: operations on tensors are the operators of the claim language (evaluate.hpp).
#pragma once

#include <cstdint>
#include <vector>

namespace foldproof::numeric {

template <class T>
struct Tensor {
  std::vector<std::int64_t> shape;
  std::vector<T> values;
  friend bool operator==(const Tensor&, const Tensor&) = default;
};

/// Number of entries of a tensor of this shape.
inline std::int64_t entries(const std::vector<std::int64_t>& shape) {
  std::int64_t count = 1;
  for (const std::int64_t extent : shape) count *= extent;
  return count;
}

/// The indices of the entry at row-major position `place`.
inline std::vector<std::int64_t> indices_of(std::int64_t place, const std::vector<std::int64_t>& shape) {
  std::vector<std::int64_t> indices(shape.size());
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    indices[axis] = place % shape[axis];
    place /= shape[axis];
  }
  return indices;
}

/// A tensor with every entry equal to `value`.
template <class T>
Tensor<T> filled(std::vector<std::int64_t> shape, const T& value) {
  const auto count = static_cast<std::size_t>(entries(shape));
  return {std::move(shape), std::vector<T>(count, value)};
}

/// The same tensor over another number type, entry by entry.
template <class To, class From, class Convert>
Tensor<To> converted(const Tensor<From>& tensor, const Convert& convert) {
  Tensor<To> result{tensor.shape, {}};
  result.values.reserve(tensor.values.size());
  for (const From& value : tensor.values) result.values.push_back(convert(value));
  return result;
}

}  // namespace foldproof::numeric
