// SPDX-License-Identifier: MIT
// Matrices that satisfy the predicates, simplest first: the first ones make counterexamples readable, the later ones keep
// special structure (symmetry, commuting, determinant 1) from hiding a difference.
#include <algorithm>
#include <numeric>

#include "numeric/assume.hpp"
#include "numeric/elimination.hpp"
#include "numeric/random.hpp"
#include "numeric/undefined.hpp"

namespace foldproof::numeric {
namespace {

using Matrix = Tensor<Exact>;
constexpr std::size_t most = 64;        ///< candidates for one matrix
constexpr std::size_t random_count = 8;
constexpr std::int64_t few_rows = 16;   ///< matrices of more are looked at for bounds that only these break
constexpr std::int64_t all_small = 243;  ///< all matrices of 0, 1, -1 are listed up to this many

std::size_t size(std::int64_t n) { return static_cast<std::size_t>(n); }

Matrix zeros(std::int64_t rows, std::int64_t columns) { return filled<Exact>({rows, columns}, Exact(0)); }
Exact& at(Matrix& m, std::int64_t i, std::int64_t j) { return m.values[size(i * m.shape[1] + j)]; }

Matrix identity(std::int64_t rows, std::int64_t columns) {
  Matrix m = zeros(rows, columns);
  for (std::int64_t i = 0; i < std::min(rows, columns); ++i) at(m, i, i) = 1;
  return m;
}
/// Row i holds `value(i)` in column `column(i)`.
template <class Column, class Value>
Matrix one_a_row(std::int64_t rows, std::int64_t columns, const Column& column, const Value& value) {
  Matrix m = zeros(rows, columns);
  for (std::int64_t i = 0; i < rows; ++i) at(m, i, column(i)) = value(i);
  return m;
}

void add(std::vector<Matrix>& list, Matrix m) {
  if (std::find(list.begin(), list.end(), m) == list.end()) list.push_back(std::move(m));
}

void add_permutations(std::vector<Matrix>& list, std::int64_t n, bool signs) {
  std::vector<std::int64_t> order(size(n));
  std::iota(order.begin(), order.end(), 0);
  std::size_t count = 0;
  do {
    for (std::int64_t negative = 0; negative < (signs ? std::int64_t{1} << std::min<std::int64_t>(n, 4) : 1); ++negative) {
      add(list, one_a_row(n, n, [&](std::int64_t i) { return order[size(i)]; }, [&](std::int64_t i) { return Exact(i < 4 && (negative >> i & 1) != 0 ? -1 : 1); }));
      if (++count >= most / 2) break;
    }
  } while (count < most / 2 && std::next_permutation(order.begin(), order.end()));
  // A long list of small permutations never moves the first axes: end with a cycle of all.
  add(list, one_a_row(n, n, [&](std::int64_t i) { return (i + 1) % n; }, [](std::int64_t) { return Exact(1); }));
}

/// Where the ones of the permutation matrices stand.
std::vector<Matrix> permutation_lists(std::int64_t n) {
  std::vector<Matrix> list, lists;
  add_permutations(list, n, false);
  for (Matrix& m : list) {
    Matrix order = filled<Exact>({n}, Exact(0));
    for (std::int64_t i = 0; i < n; ++i) {
      for (std::int64_t j = 0; j < n; ++j) {
        if (!at(m, i, j).is_zero()) order.values[size(i)] = j;
      }
    }
    lists.push_back(std::move(order));
  }
  return lists;
}

void add_rotations(std::vector<Matrix>& list, std::int64_t n, std::uint64_t seed) {
  const Exact cosine = Rational(3, 5);
  const Exact sine = Rational(4, 5);
  for (std::int64_t i = 0; i + 1 < n; ++i) {
    for (const std::int64_t sign : {1, -1}) {
      Matrix m = identity(n, n);
      at(m, i, i) = cosine;
      at(m, i, i + 1) = sine;
      at(m, i + 1, i) = Exact(-sign) * sine;
      at(m, i + 1, i + 1) = Exact(sign) * cosine;
      add(list, m);
    }
  }
  Matrix householder = identity(n, n);
  for (Exact& v : householder.values) v = v - Rational(2, n);
  add(list, householder);
  const Stream stream(seed, 1);
  for (std::size_t k = 0; k < random_count && n <= few_rows; ++k) {  // the fractions of one have as many digits as it has rows
    std::vector<Exact> skew;
    for (std::int64_t i = 0; i < n * n; ++i) skew.push_back(uniform_integer(stream.draw(k, size(i)), -2, 2));
    add(list, cayley(size(n), skew, k % 2 != 0));
  }
}

/// Entries in [low, high], `draws` matrices.
std::vector<Matrix> random_integers(const std::vector<std::int64_t>& shape, std::int64_t low, std::int64_t high, std::uint64_t seed) {
  std::vector<Matrix> list;
  const Stream stream(seed, 2);
  for (std::size_t k = 0; k < random_count; ++k) {
    Matrix m = filled(shape, Exact(0));
    for (std::size_t i = 0; i < m.values.size(); ++i) m.values[i] = uniform_integer(stream.draw(k, i), low, high);
    list.push_back(std::move(m));
  }
  return list;
}

void add_triangles(std::vector<Matrix>& list, std::int64_t n) {
  for (const bool upper : {true, false}) {
    for (const std::int64_t sign : {1, -1}) {
      Matrix m = identity(n, n);
      for (std::int64_t i = 0; i + 1 < n; ++i) at(m, upper ? i : i + 1, upper ? i + 1 : i) = sign;
      add(list, m);
    }
  }
}
/// Invertible matrices without a zero: 1 / A has values.
void add_full(std::vector<Matrix>& list, std::int64_t n) {
  for (const std::int64_t other : {1, -1}) {
    for (const std::int64_t diagonal : {2, -2}) {
      Matrix m = filled<Exact>({n, n}, Exact(other));
      for (std::int64_t i = 0; i < n; ++i) at(m, i, i) = i == 0 ? diagonal / 2 : diagonal;
      add(list, m);
    }
  }
}
void add_diagonals(std::vector<Matrix>& list, std::int64_t rows, std::int64_t columns) {
  const auto place = [](std::int64_t i) { return i; };
  const std::int64_t n = std::min(rows, columns);
  const auto diagonal = [&](auto value) {
    Matrix m = zeros(rows, columns);
    for (std::int64_t i = 0; i < n; ++i) at(m, place(i), i) = value(i);
    add(list, m);
  };
  diagonal([](std::int64_t) { return Exact(2); });
  diagonal([](std::int64_t) { return Exact(Rational(1, 2)); });
  diagonal([](std::int64_t) { return Exact(-1); });
  diagonal([](std::int64_t i) { return Exact(i + 1); });
  diagonal([](std::int64_t i) { return Exact(Rational(1, i + 1)); });
  diagonal([](std::int64_t i) { return Exact(i == 0); });
}

void add_stochastic(std::vector<Matrix>& list, std::int64_t rows, std::int64_t columns, std::uint64_t seed) {
  const auto one = [](std::int64_t) { return Exact(1); };
  const std::int64_t turns = std::min<std::int64_t>(columns, most);  // of thousands of columns as many rows would be too many
  for (std::int64_t c = 0; c < turns; ++c) add(list, one_a_row(rows, columns, [&](std::int64_t i) { return (i + c) % columns; }, one));
  add(list, one_a_row(rows, columns, [](std::int64_t) { return 0; }, one));
  add(list, filled<Exact>({rows, columns}, Rational(1, columns)));
  for (std::int64_t c = 0; c < turns; ++c) {  // one entry twice as large as the others
    Matrix m = filled<Exact>({rows, columns}, Rational(1, columns + 1));
    for (std::int64_t i = 0; i < rows; ++i) at(m, i, (i + c) % columns) = Rational(2, columns + 1);
    add(list, m);
  }
  for (Matrix m : random_integers({rows, columns}, 0, 3, seed)) {
    for (std::int64_t i = 0; i < rows; ++i) {
      Exact sum = 0;
      for (std::int64_t j = 0; j < columns; ++j) sum = sum + at(m, i, j);
      if (sum.is_zero()) at(m, i, 0) = sum = 1;
      for (std::int64_t j = 0; j < columns; ++j) at(m, i, j) = at(m, i, j) / sum;
    }
    add(list, m);
  }
}
void add_onehots(std::vector<Matrix>& list, std::int64_t rows, std::int64_t columns) {
  std::int64_t count = 1;
  for (std::int64_t i = 0; i < rows && count < static_cast<std::int64_t>(most); ++i) count *= columns;
  for (std::int64_t code = 0; code < std::min<std::int64_t>(count, most); ++code) {
    std::int64_t rest = code;
    add(list, one_a_row(rows, columns, [&](std::int64_t) { const std::int64_t c = rest % columns; rest /= columns; return c; }, [](std::int64_t) { return Exact(1); }));
  }
  add(list, one_a_row(rows, columns, [&](std::int64_t i) { return i % columns; }, [](std::int64_t) { return Exact(1); }));
}
void add_symmetric(std::vector<Matrix>& list, std::int64_t n, std::uint64_t seed) {
  add(list, zeros(n, n));
  add(list, identity(n, n));
  add_diagonals(list, n, n);
  add(list, filled<Exact>({n, n}, Exact(1)));
  for (Matrix m : random_integers({n, n}, -2, 2, seed)) {
    for (std::int64_t i = 0; i < n; ++i) {
      for (std::int64_t j = 0; j < i; ++j) at(m, i, j) = at(m, j, i);
    }
    add(list, m);
  }
}

/// All tensors with entries 0, 1, -1, fewest non-zeros first.
void add_all_small(std::vector<Matrix>& list, const std::vector<std::int64_t>& shape) {
  std::int64_t count = 1;
  for (std::int64_t k = 0; k < entries(shape); ++k) {
    count *= 3;
    if (count > all_small) return;
  }
  const auto nonzeros = [](const Matrix& m) { return std::count_if(m.values.begin(), m.values.end(), [](const Exact& v) { return !v.is_zero(); }); };
  std::vector<Matrix> small;
  for (std::int64_t code = 0; code < count; ++code) {
    Matrix m = filled(shape, Exact(0));
    std::int64_t rest = code;
    for (Exact& v : m.values) {
      v = rest % 3 == 2 ? -1 : rest % 3;
      rest /= 3;
    }
    small.push_back(std::move(m));
  }
  std::stable_sort(small.begin(), small.end(), [&](const Matrix& a, const Matrix& b) { return nonzeros(a) < nonzeros(b); });
  for (Matrix& m : small) list.push_back(std::move(m));
}

std::vector<Matrix> matrices(const std::string& predicate, std::int64_t rows, std::int64_t columns, std::uint64_t seed) {
  std::vector<Matrix> list;
  if (predicate == "rowstochastic") add_stochastic(list, rows, columns, seed);
  if (predicate == "onehot") add_onehots(list, rows, columns);
  if (predicate == "symmetric") {
    add_all_small(list, {rows, columns});
    add_symmetric(list, rows, seed);
  }
  if (predicate == "permutation") add_permutations(list, rows, false);
  if (predicate == "orthogonal") {
    add_permutations(list, rows, false);
    add_permutations(list, rows, true);
    add_rotations(list, rows, seed);
  }
  if (predicate == "invertible") {
    add(list, identity(rows, columns));
    add_diagonals(list, rows, columns);
    add_triangles(list, rows);
    add_permutations(list, rows, true);
    add_full(list, rows);
    for (Matrix& m : random_integers({rows, columns}, -3, 3, seed)) add(list, m);
  }
  return list;
}

}  // namespace

template <class T>
Tensor<T> cayley(std::size_t n, const std::vector<T>& skew, bool reflect) {
  const auto shape = std::vector<std::int64_t>(2, static_cast<std::int64_t>(n));
  Tensor<T> minus = filled(shape, T(0));
  Tensor<T> plus = minus;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      const T s = i < j ? skew[i * n + j] : i > j ? -skew[j * n + i] : T(0);
      minus.values[i * n + j] = T(i == j) - s;
      plus.values[i * n + j] = T(i == j) + s;
    }
  }
  const Tensor<T> inverted = inverse(plus);
  Tensor<T> result = filled(shape, T(0));
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      T sum = T(0);
      for (std::size_t k = 0; k < n; ++k) sum = sum + minus.values[i * n + k] * inverted.values[k * n + j];
      result.values[i * n + j] = reflect && i == 0 ? -sum : sum;
    }
  }
  return result;
}
template Tensor<Exact> cayley(std::size_t, const std::vector<Exact>&, bool);
template Tensor<PrimeField> cayley(std::size_t, const std::vector<PrimeField>&, bool);

std::vector<Tensor<Exact>> candidates(const std::string& predicate, const std::vector<std::int64_t>& shape, std::uint64_t seed) {
  if (shape.size() == 1) return predicate == "permutation" ? permutation_lists(shape[0]) : std::vector<Tensor<Exact>>{};
  auto list = matrices(predicate, shape[shape.size() - 2], shape.back(), seed);
  constexpr std::size_t few_large = 8;
  if (shape.back() > few_rows) list.resize(std::min(list.size(), few_large));  // to multiply each by itself takes long
  list.erase(std::remove_if(list.begin(), list.end(), [&](const Matrix& m) { return !satisfies(predicate, m); }), list.end());
  if (shape.size() == 2) return list;
  std::vector<Tensor<Exact>> batches;
  for (const std::size_t step : {std::size_t{0}, std::size_t{1}}) {  // one matrix for all heads, then another for each
    for (std::size_t k = 0; k < list.size(); ++k) {
      Tensor<Exact> batch{shape, {}};
      for (std::int64_t head = 0; head < shape[0]; ++head) {
        const auto& values = list[(k + step * size(head)) % list.size()].values;
        batch.values.insert(batch.values.end(), values.begin(), values.end());
      }
      batches.push_back(std::move(batch));
    }
  }
  return batches;
}

std::vector<Tensor<Exact>> general_candidates(const std::vector<std::int64_t>& shape, std::uint64_t seed) {
  std::vector<Matrix> list{filled(shape, Exact(0))};
  if (shape.size() == 1) {  // vectors that sum to 1
    add_stochastic(list, 1, shape[0], seed);
    for (Matrix& m : list) m.shape = shape;
  }
  if (shape.size() == 2) {
    add(list, identity(shape[0], shape[1]));
    add_diagonals(list, shape[0], shape[1]);
    add_stochastic(list, shape[0], shape[1], seed);
    if (shape[0] == shape[1]) {
      add_permutations(list, shape[0], true);
      add_triangles(list, shape[0]);
      add_rotations(list, shape[0], seed);
    }
  }
  for (const std::int64_t value : {1, -1, 2}) add(list, filled(shape, Exact(value)));
  add_all_small(list, shape);
  for (Matrix& m : random_integers(shape, 0, 3, seed)) add(list, m);
  for (Matrix& m : random_integers(shape, -3, 3, seed + 1)) add(list, m);
  return list;
}

}  // namespace foldproof::numeric
