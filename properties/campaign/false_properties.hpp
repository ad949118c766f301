// SPDX-License-Identifier: MIT
// False properties that a search has to find and shrink, and what came of it: for the tests of the shrinker and the benchmark.
#pragma once

#include <algorithm>
#include <cmath>
#include <ctime>
#include <functional>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "campaign/shrink.hpp"
#include "campaign/sides.hpp"
#include "claims.hpp"
#include "expr/diagnostic.hpp"

namespace foldproof::properties {

using campaign::StillFails;
using campaign::Values;
using numeric::Tensor;

inline double at(const Tensor<double>& t, std::int64_t i, std::int64_t j) { return t.values[static_cast<std::size_t>(i * t.shape[1] + j)]; }

/// |L - R| beyond both bounds in float64; the programs of a shape are made once.
inline StillFails sides_differ(const infer::Problem& p) {
  auto dims = std::make_shared<expr::DimValues>();
  auto sides = std::make_shared<std::unique_ptr<campaign::Sides>>();
  return [=, &p](const expr::DimValues& d, const Values& v) {
    if (*sides == nullptr || *dims != d) *sides = std::make_unique<campaign::Sides>(p, d, numeric::float64_format, campaign::Mutation::none);
    *dims = d;
    return (*sides)->compare(v).outcome == campaign::Comparison::Outcome::beyond;
  };
}

/// Whether softmax without the maximum subtracted leaves the finite numbers.
inline bool naive_softmax_overflows(const expr::DimValues&, const Values& v) {
  const Tensor<double>& x = v.at("X");
  for (std::int64_t i = 0; i < x.shape[0]; ++i) {
    double sum = 0;
    for (std::int64_t j = 0; j < x.shape[1]; ++j) sum += std::exp(at(x, i, j));
    for (std::int64_t j = 0; j < x.shape[1]; ++j) {
      if (!std::isfinite(std::exp(at(x, i, j)) / sum)) return true;
    }
  }
  return false;
}

/// The product, with each term given by `term`.
template <class Term>
Tensor<double> product(const Tensor<double>& a, const Tensor<double>& b, std::int64_t inner, const Term& term) {
  Tensor<double> c = numeric::filled({a.shape[0], b.shape[1]}, 0.0);
  for (std::int64_t i = 0; i < a.shape[0]; ++i) {
    for (std::int64_t k = 0; k < inner; ++k) {
      for (std::int64_t j = 0; j < b.shape[1]; ++j) c.values[static_cast<std::size_t>(i * b.shape[1] + j)] += term(at(a, i, k), at(b, k, j));
    }
  }
  return c;
}
inline double times(double x, double y) { return x * y; }
inline double magnitude(double x, double y) { return std::abs(x * y); }

/// X (A B) by a wrong kernel against (X A) B, beyond 2 gamma |X||A||B|. The kernel says whether it is wrong at the sizes of A.
template <class Kernel>
StillFails fold_differs(const Kernel& folded) {
  return [folded](const expr::DimValues&, const Values& v) {
    const Tensor<double>&x = v.at("X"), &a = v.at("A"), &b = v.at("B");
    const auto w = folded(a, b);
    if (!w) return false;
    const std::int64_t p = a.shape[0], q = a.shape[1];
    const auto left = product(product(x, a, p, times), b, q, times);
    const auto right = product(x, *w, p, times);
    const auto size = product(product(x, a, p, magnitude), b, q, magnitude);
    for (std::size_t i = 0; i < left.values.size(); ++i) {
      if (std::abs(left.values[i] - right.values[i]) > 2 * static_cast<double>(p + q + 2) * 0x1p-53 * size.values[i] + 0x1p-1000) return true;
    }
    return false;
  };
}
inline std::optional<Tensor<double>> drops_last(const Tensor<double>& a, const Tensor<double>& b) {
  if (a.shape[1] % 8 != 5) return std::nullopt;
  return product(a, b, a.shape[1] - 1, times);
}
inline std::optional<Tensor<double>> flips_row_16(const Tensor<double>& a, const Tensor<double>& b) {
  if (a.shape[0] < 17) return std::nullopt;
  Tensor<double> w = product(a, b, a.shape[1], times);
  for (std::int64_t j = 0; j < b.shape[1]; ++j) {
    double& v = w.values[static_cast<std::size_t>(16 * b.shape[1] + j)];
    if (std::abs(v) > 0.5) v = -v;
  }
  return w;
}

inline std::string form(const expr::DimValues& dims, const Values& values) {
  std::string out;
  for (const auto& [name, size] : dims) out += name + "=" + std::to_string(size) + " ";
  for (const auto& [name, t] : values) {
    out += name + ":";
    for (const double v : t.values) out += " " + campaign::hex(v);
    out += " ";
  }
  return out;
}
inline double milliseconds() { return 1000.0 * static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

/// What shrinking the first failing case of each seed gave.
struct Shrunk {
  std::set<std::string> forms;
  std::size_t entries = 0, nonzeros = 0;     ///< of the last
  std::vector<double> searching, shrinking, both;  ///< milliseconds of processor time, ascending
  int most_trials = 0;
};

using Property = std::function<StillFails(const infer::Problem&)>;

/// Searches the first failing case of each seed and shrinks it. The time of shrinking is the least of so many `measurements`: it is the same
/// work each time, and what is more than the least was another program's. Errors: InternalError when one is not found or its minimal case passes.
inline Shrunk shrink_all(const std::string& claim, const Property& property, int seeds, int measurements = 1) {
  const infer::Problem p = problem(claim);
  Shrunk result;
  for (int seed = 0; seed < seeds; ++seed) {
    const StillFails fails = property(p);
    const double start = milliseconds();
    const campaign::Sampler sampler(p, static_cast<std::uint64_t>(seed), "shrink");
    for (std::int64_t index = 0;; index += campaign::cases_per_shape + 1) {  // a new shape every time, the families in turn
      expr::invariant(index < 10000, "no case fails");
      auto dims = sampler.sizes(index / campaign::cases_per_shape, false);
      auto values = sampler.values(index, *dims, {});
      if (!fails(*dims, *values)) continue;
      const double searching = milliseconds() - start;
      double shrinking = std::numeric_limits<double>::infinity();
      const auto found_dims = *dims;
      const auto found_values = *values;
      for (int k = 0; k < measurements; ++k) {
        *dims = found_dims;
        *values = found_values;
        const double found = milliseconds();
        result.most_trials = std::max(result.most_trials, campaign::shrink(p, fails, *dims, *values));
        shrinking = std::min(shrinking, milliseconds() - found);
      }
      result.searching.push_back(searching);
      result.shrinking.push_back(shrinking);
      result.both.push_back(searching + shrinking);
      expr::invariant(fails(*dims, *values), "the minimal case passes");
      result.forms.insert(form(*dims, *values));
      result.entries = result.nonzeros = 0;
      for (const auto& named : *values) {
        result.entries += named.second.values.size();
        for (const double v : named.second.values) result.nonzeros += v != 0;
      }
      break;
    }
  }
  for (auto* times : {&result.searching, &result.shrinking, &result.both}) std::sort(times->begin(), times->end());
  return result;
}

/// A property that is false, and the size of its one minimal case.
struct FalseProperty {
  const char* name;
  const char* what;
  const char* claim;
  Property property;
  std::size_t entries;
  std::size_t nonzeros;
};
inline std::vector<FalseProperty> false_properties() {
  const char* const fold = "X: [n, a]; A: [a, b]; B: [b, c]; (X @ A) @ B == X @ (A @ B)";
  const auto always = [](const StillFails& fails) { return [fails](const infer::Problem&) { return fails; }; };
  return {{"F1", "softmax(X + Y) == softmax(X) + softmax(Y)", "X: [n, m]; Y: [n, m]; softmax(X + Y) == softmax(X) + softmax(Y)", sides_differ, 2, 0},
          {"F2", "(X @ A) @ B == X @ (B @ A)", "X: [n, a]; A: [a, a]; B: [a, a]; (X @ A) @ B == X @ (B @ A)", sides_differ, 10, 3},
          {"F3", "softmax without the maximum subtracted is finite", "X: [n, m]; softmax(X) == softmax(X) * 1", always(naive_softmax_overflows), 1, 1},
          {"F4", "a fold that drops its last term when there are 8 k + 5", fold, always(fold_differs(drops_last)), 11, 3},
          {"F5", "a fold that changes the sign of large entries of row 16", fold, always(fold_differs(flips_row_16)), 35, 3}};
}

}  // namespace foldproof::properties
