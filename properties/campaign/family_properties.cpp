// SPDX-License-Identifier: MIT
// How cases are drawn: every family occurs and looks as its name says, in every format; shapes have the sizes where programs go
// wrong; degenerate ones do not occur, or not often.
#include <boost/test/unit_test.hpp>

#include <cmath>
#include <map>
#include <set>

#include "campaign/structured.hpp"
#include "claims.hpp"

namespace foldproof::properties {
namespace {

using campaign::Family;
using campaign::Sampler;
using numeric::Tensor;

const char* const two_tensors = "X: [n, a]; Y: [n, a]; X + Y == Y + X";

/// X of the cases of one family, drawn in a format.
std::vector<Tensor<double>> drawn(Family family, const numeric::FormatInfo& format) {
  const infer::Problem p = problem(two_tensors);
  const Sampler sampler(p, 3, "families");
  std::vector<Tensor<double>> result;
  for (std::int64_t index = 0; index < 1600; ++index) {
    if (sampler.family(index) != family) continue;
    const auto dims = sampler.sizes(index / campaign::cases_per_shape, false);
    result.push_back(sampler.values(index, *dims, {&format})->at("X"));
  }
  return result;
}
double at(const Tensor<double>& t, std::int64_t i, std::int64_t j) { return t.values[static_cast<std::size_t>(i * t.shape[1] + j)]; }

/// Whether one tensor may be called by the name of its family.
bool fits(Family family, const Tensor<double>& t, const numeric::FormatInfo& format) {
  const std::int64_t rows = t.shape[0], columns = t.shape[1];
  const auto all = [&](const auto& test) { return std::all_of(t.values.begin(), t.values.end(), test); };
  const double smallest_normal = std::ldexp(1, campaign::smallest_exponent(format));
  switch (family) {
    case Family::uniform:
      return all([](double v) { return v != 0 && std::abs(v) < 1; });
    case Family::normal:
      return all([](double v) { return std::abs(v) <= 8 && std::round(4 * v) == 4 * v; });
    case Family::graded:
      for (std::int64_t i = 0; i < rows; ++i) {
        for (std::int64_t j = 0; j < columns; ++j) {
          if (!(std::abs(at(t, i, j)) < std::ldexp(1, -static_cast<int>((i + j) % 13)))) return false;
        }
      }
      return true;
    case Family::cancelling:
      for (std::int64_t i = 0; i < rows; ++i) {
        double sum = 0, size = 0;
        for (std::int64_t j = 0; j + 1 < columns; j += 2) sum += at(t, i, j) + at(t, i, j + 1), size += std::abs(at(t, i, j)) + std::abs(at(t, i, j + 1));
        if (std::abs(sum) > size * std::ldexp(2, -format.precision / 2)) return false;
      }
      return true;
    case Family::sparse:
      return t.values.size() < 64 || std::count(t.values.begin(), t.values.end(), 0.0) * 4 > static_cast<std::int64_t>(t.values.size()) * 3;
    case Family::identity:
      for (std::int64_t i = 0; i < rows; ++i) {
        for (std::int64_t j = 0; j < columns; ++j) {
          if (at(t, i, j) != (i == j)) return false;
        }
      }
      return true;
    case Family::permutation: {
      std::vector<int> in_column(static_cast<std::size_t>(columns));
      for (std::int64_t i = 0; i < rows; ++i) {
        int ones = 0;
        for (std::int64_t j = 0; j < columns; ++j) ones += at(t, i, j) == 1, in_column[static_cast<std::size_t>(j)] += at(t, i, j) == 1;
        if (ones != 1) return false;
      }
      return all([](double v) { return v == 0 || v == 1; }) && (rows > columns || *std::max_element(in_column.begin(), in_column.end()) == 1);
    }
    case Family::integers:
      return all([](double v) { return std::abs(v) <= 3 && std::round(v) == v; });
    case Family::large:
      return all([](double v) { return std::abs(v) <= 512; });
    case Family::huge:
      return all([&](double v) { return std::abs(v) <= std::cbrt(format.max_finite); });
    case Family::tiny:
      return all([&](double v) { return v != 0 && v * v <= smallest_normal; });
    case Family::subnormal:
      return all([&](double v) { return std::abs(v) < smallest_normal && !(v == 0 && std::signbit(v)); });
  }
  return false;
}

double largest(const std::vector<Tensor<double>>& tensors) {
  double result = 0;
  for (const auto& t : tensors) {
    for (const double v : t.values) result = std::max(result, std::abs(v));
  }
  return result;
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_family_occurs_and_does_what_its_name_says) {
  for (const auto& format : numeric::formats) {
    for (int f = 0; f < campaign::family_count; ++f) {
      const auto family = static_cast<Family>(f);
      const auto tensors = drawn(family, format);
      const std::string name = std::string(campaign::text(family)) + " in " + std::string(format.name);
      BOOST_TEST(tensors.size() >= 100u, name);
      std::size_t fitting = 0, other = 0;
      for (const auto& t : tensors) {
        fitting += fits(family, t, format);
        for (const double v : t.values) BOOST_REQUIRE_MESSAGE(campaign::rounded(v, format) == v && std::isfinite(v), name);
        other += !fits(family == Family::uniform ? Family::normal : Family::uniform, t, format);
      }
      BOOST_TEST(fitting == tensors.size(), name);
      const bool inside = family == Family::graded || family == Family::cancelling || family == Family::tiny || family == Family::subnormal;  // of uniform
      if (!inside) BOOST_TEST(other > 0u, name);
    }
    BOOST_TEST(largest(drawn(Family::large, format)) > 200);
    BOOST_TEST(std::pow(largest(drawn(Family::huge, format)), 4) / format.max_finite > 1);
    BOOST_TEST(largest(drawn(Family::subnormal, format)) > 0);
  }
}

BOOST_AUTO_TEST_CASE(a_weight_depends_on_its_place_and_not_on_its_neighbours) {
  const infer::Problem p = problem(two_tensors);
  const Sampler sampler(p, 3, "places");
  const auto small = sampler.values(0, {{"n", 3}, {"a", 4}}, {})->at("X");
  const auto wide = sampler.values(0, {{"n", 7}, {"a", 9}}, {})->at("X");
  for (std::int64_t i = 0; i < 3; ++i) {
    for (std::int64_t j = 0; j < 4; ++j) BOOST_TEST(at(small, i, j) == at(wide, i, j));
  }
}

BOOST_AUTO_TEST_CASE(sizes_lie_at_the_edges_and_are_rarely_square) {
  const infer::Problem p = problem("X: [n, a]; W: [h, a, k]; concat(X @ W[i] for i in range(h)) == X @ concat(W[i] for i in range(h))");
  const Sampler sampler(p, 3, "sizes");
  std::map<std::int64_t, int> seen;
  int square = 0, one_head = 0;
  constexpr int blocks = 640;
  for (std::int64_t block = 0; block < blocks; ++block) {
    const auto dims = sampler.sizes(block, false);
    BOOST_REQUIRE(dims.has_value());
    for (const auto& [name, size] : *dims) ++seen[size];
    square += dims->at("n") == dims->at("a");
    one_head += dims->at("h") < 2;
  }
  for (const std::int64_t edge : {1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65}) BOOST_TEST(seen[edge] > 0, edge);
  BOOST_TEST(square < blocks / 8);
  BOOST_TEST(one_head == 0);
  const auto excluded = sampler.excluded();
  BOOST_TEST((std::find(excluded.begin(), excluded.end(), "a single head") != excluded.end()));
}

BOOST_AUTO_TEST_CASE(orthogonal_matrices_are_not_only_signed_permutations) {
  int dense = 0, permutations = 0, determinants[2] = {0, 0};
  for (std::uint64_t s = 0; s < 200; ++s) {
    const numeric::Stream stream(s, 1);
    const auto q = campaign::structured("orthogonal", {5, 5}, stream, {});
    const bool whole = std::all_of(q.values.begin(), q.values.end(), [](double v) { return std::round(v) == v; });
    ++(whole ? permutations : dense);
    for (std::int64_t i = 0; i < 5; ++i) {
      for (std::int64_t j = 0; j < 5; ++j) {
        double dot = 0;
        for (std::int64_t k = 0; k < 5; ++k) dot += at(q, i, k) * at(q, j, k);
        BOOST_REQUIRE(dot == (i == j));
      }
    }
    const auto w = campaign::structured("orthogonal", {5, 5}, stream, {.whole = true});
    BOOST_TEST(std::all_of(w.values.begin(), w.values.end(), [](double v) { return std::round(v) == v; }));
    ++determinants[at(q, 0, 0) < 0];
  }
  BOOST_TEST(dense > 50);
  BOOST_TEST(permutations > 50);
}

/// Assumptions that tie variables together leave the other variables as they were drawn.
BOOST_AUTO_TEST_CASE(tied_variables_have_instances_that_are_not_diagonal) {
  const infer::Problem p = problem("X: [n, a]; A: [a, a]; B: [a, a]; assume A @ B == B @ A; X @ A @ B == X @ B @ A");
  const Sampler sampler(p, 3, "tied");
  int drawn = 0, full = 0, dense_x = 0;
  for (std::int64_t index = 0; index < 640; ++index) {
    const auto dims = sampler.sizes(index / campaign::cases_per_shape, false);
    const auto values = dims ? sampler.values(index, *dims, {}) : std::nullopt;
    if (!values || dims->at("a") < 2) continue;
    ++drawn;
    full += at(values->at("A"), 0, 1) != at(values->at("A"), 1, 0);
    const auto& x = values->at("X").values;
    dense_x += std::count(x.begin(), x.end(), 0.0) == 0;
  }
  BOOST_TEST(drawn > 200);
  BOOST_TEST(full > 20);
  BOOST_TEST(dense_x > 100);
}

}  // namespace foldproof::properties
