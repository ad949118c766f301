// SPDX-License-Identifier: MIT
#include "campaign/structured.hpp"

#include <numeric>

#include "expr/diagnostic.hpp"

namespace foldproof::campaign {
namespace {

using numeric::uniform_integer;

/// One matrix inside a tensor.
struct Block {
  double* values;
  std::int64_t rows;
  std::int64_t columns;
  const numeric::Stream& stream;
  std::uint64_t head;
  double& at(std::int64_t i, std::int64_t j) const { return values[i * columns + j]; }
  std::uint64_t bits(std::int64_t i, std::int64_t j) const { return stream.draw((head << 40) + static_cast<std::uint64_t>(i), static_cast<std::uint64_t>(j)); }
};

/// 0 ... n-1 in random order; `use` tells the draws of one matrix apart.
std::vector<std::int64_t> shuffled(const Block& b, std::int64_t n, std::int64_t use) {
  std::vector<std::int64_t> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), 0);
  for (std::int64_t i = n - 1; i > 0; --i)
    std::swap(order[static_cast<std::size_t>(i)], order[static_cast<std::size_t>(uniform_integer(b.bits(i, use), 0, i))]);
  return order;
}
void permutation(const Block& b, bool signs) {
  const auto order = shuffled(b, b.rows, 0);
  for (std::int64_t i = 0; i < b.rows; ++i) b.at(i, order[static_cast<std::size_t>(i)]) = signs ? numeric::sign(b.bits(i, 1)) : 1;
}
/// b (I - v v.T/2) for v with entries +-1 at four random places: |v|^2 = 4, so this is a reflection, and exact.
void reflect(const Block& b, std::int64_t use) {
  const auto order = shuffled(b, b.columns, use);
  for (std::int64_t i = 0; i < b.rows; ++i) {
    double along = 0;
    for (std::int64_t k = 0; k < 4; ++k) along += b.at(i, order[static_cast<std::size_t>(k)]) * numeric::sign(b.bits(k, use + 1));
    for (std::int64_t k = 0; k < 4; ++k) b.at(i, order[static_cast<std::size_t>(k)]) -= along / 2 * numeric::sign(b.bits(k, use + 1));
  }
}
/// Square, or the first columns of a square one. At most two reflections: their entries are multiples of 1/4.
void orthogonal(const Block& b, bool whole) {
  std::vector<double> square(static_cast<std::size_t>(b.rows * b.rows), 0.0);
  const Block full{square.data(), b.rows, b.rows, b.stream, b.head};
  permutation(full, true);
  const std::int64_t reflections = whole || b.rows < 4 ? 0 : uniform_integer(b.bits(0, 2), -1, 2);
  for (std::int64_t r = 0; r < reflections; ++r) reflect(full, 3 + 2 * r);
  for (std::int64_t i = 0; i < b.rows; ++i) {
    for (std::int64_t j = 0; j < b.columns; ++j) b.at(i, j) = full.at(i, j) + 0.0;  // no negative zero
  }
}
void onehot(const Block& b) {
  for (std::int64_t i = 0; i < b.rows; ++i) b.at(i, uniform_integer(b.bits(i, 0), 0, b.columns - 1)) = 1;
}
void stochastic(const Block& b, bool positive) {
  constexpr std::int64_t units = 64;
  for (std::int64_t i = 0; i < b.rows; ++i) {
    std::int64_t left = units;
    for (std::int64_t j = 0; j < b.columns && positive && left > 0; ++j, --left) b.at(i, j) += 1.0 / units;
    for (; left > 0; --left) b.at(i, uniform_integer(b.bits(i, left), 0, b.columns - 1)) += 1.0 / units;
  }
}
void symmetric(const Block& b) {
  for (std::int64_t i = 0; i < b.rows; ++i) {
    for (std::int64_t j = 0; j <= i; ++j) b.at(i, j) = b.at(j, i) = numeric::dyadic(b.bits(i, j), 8);
  }
}
/// Row diagonally dominant, 2 against entries that sum to less than 1, and then its rows reordered in half of the cases.
void invertible(const Block& b) {
  const auto order = shuffled(b, b.rows, b.columns);
  const bool reorder = b.bits(0, b.columns + 1) % 2 == 0;
  double scale = 1.0 / 16;
  while (scale * static_cast<double>(b.columns) > 1) scale /= 2;
  for (std::int64_t i = 0; i < b.rows; ++i) {
    const std::int64_t diagonal = reorder ? order[static_cast<std::size_t>(i)] : i;
    for (std::int64_t j = 0; j < b.columns; ++j) b.at(i, j) = j == diagonal ? 2 : numeric::dyadic(b.bits(i, j), 4) * scale;
  }
}

}  // namespace

numeric::Tensor<double> structured(const std::string& predicate, const std::vector<std::int64_t>& shape, const numeric::Stream& stream,
                                   const StructuredOptions& options) {
  if (shape.size() == 1 && predicate == "permutation") {  // where the ones of a permutation matrix stand
    const auto matrix = structured(predicate, {shape[0], shape[0]}, stream, options);
    auto list = numeric::filled(shape, 0.0);
    for (std::size_t k = 0; k < matrix.values.size(); ++k) {
      const std::size_t n = list.values.size();
      if (matrix.values[k] != 0) list.values[k / n] = static_cast<double>(k % n);
    }
    return list;
  }
  expr::invariant(shape.size() >= 2, "a structural predicate on something that is no matrix");
  auto result = numeric::filled(shape, 0.0);
  const std::int64_t rows = shape[shape.size() - 2];
  const std::int64_t columns = shape.back();
  for (std::int64_t head = 0; head * rows * columns < static_cast<std::int64_t>(result.values.size()); ++head) {
    const Block block{result.values.data() + head * rows * columns, rows, columns, stream, static_cast<std::uint64_t>(head)};
    if (predicate == "orthogonal") {
      if (rows >= columns) orthogonal(block, options.whole);
    } else if (predicate == "permutation") {
      if (rows == columns) permutation(block, false);
    } else if (predicate == "onehot") {
      onehot(block);
    } else if (predicate == "rowstochastic") {
      stochastic(block, options.positive);
    } else if (predicate == "symmetric") {
      symmetric(block);
    } else if (predicate == "invertible") {
      invertible(block);
    }
  }
  return result;
}

}  // namespace foldproof::campaign
