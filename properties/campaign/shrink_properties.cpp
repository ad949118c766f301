// SPDX-License-Identifier: MIT
// Shrinking ends in one canonical form: five false properties, found and shrunk from 200 seeds each, give one distinct minimal
// case each; shrinking takes at most ten milliseconds of processor time.
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <set>

#include "campaign/shrink.hpp"
#include "campaign/sides.hpp"
#include "claims.hpp"

namespace foldproof::properties {
namespace {

using campaign::Sampler;
using campaign::StillFails;
using campaign::Values;
using numeric::Tensor;

constexpr int seeds = 200;
[[maybe_unused]] constexpr double most_milliseconds = 10;

double at(const Tensor<double>& t, std::int64_t i, std::int64_t j) { return t.values[static_cast<std::size_t>(i * t.shape[1] + j)]; }

/// |L - R| beyond both bounds in float64; the programs of a shape are made once.
StillFails sides_differ(const infer::Problem& p) {
  auto dims = std::make_shared<expr::DimValues>();
  auto sides = std::make_shared<std::unique_ptr<campaign::Sides>>();
  return [=, &p](const expr::DimValues& d, const Values& v) {
    if (*sides == nullptr || *dims != d) *sides = std::make_unique<campaign::Sides>(p, d, numeric::float64_format, campaign::Mutation::none);
    *dims = d;
    return (*sides)->compare(v).outcome == campaign::Comparison::Outcome::beyond;
  };
}

/// Whether softmax without the maximum subtracted leaves the finite numbers.
bool naive_softmax_overflows(const expr::DimValues&, const Values& v) {
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
double times(double x, double y) { return x * y; }
double magnitude(double x, double y) { return std::abs(x * y); }

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
std::optional<Tensor<double>> drops_last(const Tensor<double>& a, const Tensor<double>& b) {
  if (a.shape[1] % 8 != 5) return std::nullopt;
  return product(a, b, a.shape[1] - 1, times);
}
std::optional<Tensor<double>> flips_row_16(const Tensor<double>& a, const Tensor<double>& b) {
  if (a.shape[0] < 17) return std::nullopt;
  Tensor<double> w = product(a, b, a.shape[1], times);
  for (std::int64_t j = 0; j < b.shape[1]; ++j) {
    double& v = w.values[static_cast<std::size_t>(16 * b.shape[1] + j)];
    if (std::abs(v) > 0.5) v = -v;
  }
  return w;
}

std::string form(const expr::DimValues& dims, const Values& values) {
  std::string out;
  for (const auto& [name, size] : dims) out += name + "=" + std::to_string(size) + " ";
  for (const auto& [name, t] : values) {
    out += name + ":";
    for (const double v : t.values) out += " " + campaign::hex(v);
    out += " ";
  }
  return out;
}
double milliseconds() { return 1000.0 * static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

struct Outcome {
  std::set<std::string> forms;
  std::size_t entries = 0, nonzeros = 0;
  std::vector<double> searching, shrinking;  ///< milliseconds
  int most_trials = 0;
};

/// Searches the first failing case of each seed and shrinks it.
Outcome shrink_all(const std::string& claim, const std::function<StillFails(const infer::Problem&)>& property) {
  const infer::Problem p = problem(claim);
  Outcome result;
  for (int seed = 0; seed < seeds; ++seed) {
    const StillFails fails = property(p);
    const double start = milliseconds();
    const Sampler sampler(p, static_cast<std::uint64_t>(seed), "shrink");
    for (std::int64_t index = 0;; index += campaign::cases_per_shape + 1) {  // a new shape every time, the families in turn
      BOOST_REQUIRE(index < 10000);
      auto dims = sampler.sizes(index / campaign::cases_per_shape, false);
      auto values = sampler.values(index, *dims, {});
      if (!fails(*dims, *values)) continue;
      const double found = milliseconds();
      result.most_trials = std::max(result.most_trials, campaign::shrink(p, fails, *dims, *values));
      result.searching.push_back(found - start);
      result.shrinking.push_back(milliseconds() - found);
      BOOST_TEST(fails(*dims, *values));
      result.forms.insert(form(*dims, *values));
      result.entries = result.nonzeros = 0;
      for (const auto& named : *values) {
        result.entries += named.second.values.size();
        for (const double v : named.second.values) result.nonzeros += v != 0;
      }
      break;
    }
  }
  std::sort(result.searching.begin(), result.searching.end());
  std::sort(result.shrinking.begin(), result.shrinking.end());
  return result;
}

void check(const std::string& name, std::size_t entries, std::size_t nonzeros, const Outcome& o) {
  BOOST_TEST_MESSAGE(name << ": " << o.forms.size() << " distinct form(s) from " << seeds << " seeds, (" << o.entries << " entries, " << o.nonzeros << " not zero), shrinking median "
                          << o.shrinking[seeds / 2] << " ms, largest " << o.shrinking.back() << " ms, searching median " << o.searching[seeds / 2] << " ms, largest "
                          << o.searching.back() << " ms, at most " << o.most_trials << " trials; " << *o.forms.begin());
  BOOST_TEST(o.forms.size() == 1u, name << ": also " << *o.forms.rbegin());
  BOOST_TEST(o.entries == entries, name);
  BOOST_TEST(o.nonzeros == nonzeros, name);
#ifdef NDEBUG
  BOOST_TEST(o.shrinking.back() <= most_milliseconds, name);  // sanitizers and debug builds are slower
#endif
}

const char* const fold = "X: [n, a]; A: [a, b]; B: [b, c]; (X @ A) @ B == X @ (A @ B)";

}  // namespace

BOOST_AUTO_TEST_CASE(softmax_is_not_additive) { check("F1", 2, 0, shrink_all("X: [n, m]; Y: [n, m]; softmax(X + Y) == softmax(X) + softmax(Y)", sides_differ)); }

BOOST_AUTO_TEST_CASE(factors_do_not_commute) { check("F2", 10, 3, shrink_all("X: [n, a]; A: [a, a]; B: [a, a]; (X @ A) @ B == X @ (B @ A)", sides_differ)); }

BOOST_AUTO_TEST_CASE(naive_softmax_is_not_finite) {
  const Outcome o = shrink_all("X: [n, m]; softmax(X) == softmax(X) * 1", [](const infer::Problem&) { return StillFails(naive_softmax_overflows); });
  check("F3", 1, 1, o);
  BOOST_TEST(*o.forms.begin() == "m=1 n=1 X: " + campaign::hex(710) + " ");
}

BOOST_AUTO_TEST_CASE(a_fold_that_drops_its_tail) {
  const Outcome o = shrink_all(fold, [](const infer::Problem&) { return fold_differs(drops_last); });
  check("F4", 11, 3, o);
  BOOST_TEST(o.forms.begin()->find("b=5") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_fold_that_flips_a_late_row) {
  const Outcome o = shrink_all(fold, [](const infer::Problem&) { return fold_differs(flips_row_16); });
  check("F5", 35, 3, o);
  BOOST_TEST(o.forms.begin()->find("a=17") != std::string::npos);
}

/// No probe fails here, so every seed shrinks a slice of its own: the numbers have to move to the front one by one.
BOOST_AUTO_TEST_CASE(a_number_at_any_place) {
  const Outcome o = shrink_all("X: [n, 2*p]; X == X * 1", [](const infer::Problem&) {
    return StillFails([](const expr::DimValues&, const Values& v) {
      const Tensor<double>& x = v.at("X");
      return x.shape[0] > 1 && x.shape[1] > 3 && std::any_of(x.values.begin(), x.values.end(), [](double d) { return d > 100; });
    });
  });
  check("a number at any place", 8, 1, o);
  BOOST_TEST(o.forms.begin()->find("X: " + campaign::hex(101)) != std::string::npos);
}
/// Two tensors hang together by an index: it has to move in both at once.
BOOST_AUTO_TEST_CASE(two_numbers_at_one_index) {
  const Outcome o = shrink_all("X: [n, a]; Y: [a, m]; X @ Y == X @ Y * 1", [](const infer::Problem&) {
    return StillFails([](const expr::DimValues&, const Values& v) {
      const Tensor<double>&x = v.at("X"), &y = v.at("Y");
      bool found = false;
      for (std::int64_t k = 0; k < x.shape[1]; ++k) found = found || (at(x, 0, k) > 50 && at(y, k, 0) > 50);
      return found && x.shape[1] > 2;
    });
  });
  check("two numbers at one index", 6, 2, o);
}

}  // namespace foldproof::properties
