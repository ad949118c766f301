// SPDX-License-Identifier: MIT
// Shrinking ends in one canonical form: false properties, found and shrunk from 200 seeds each, give one distinct minimal case
// each; shrinking takes at most ten milliseconds of processor time.
#include <boost/test/unit_test.hpp>

#include "false_properties.hpp"

namespace foldproof::properties {
namespace {

constexpr int seeds = 200, measurements = 3;
[[maybe_unused]] constexpr double most_milliseconds = 10;

void check(const std::string& name, std::size_t entries, std::size_t nonzeros, const Shrunk& o) {
  BOOST_TEST_MESSAGE(name << ": " << o.forms.size() << " distinct form(s) from " << seeds << " seeds, (" << o.entries << " entries, " << o.nonzeros << " not zero), shrinking median "
                          << o.shrinking[seeds / 2] << " ms, largest " << o.shrinking.back() << " ms, searching median " << o.searching[seeds / 2] << " ms, largest "
                          << o.searching.back() << " ms, at most " << o.most_trials << " trials; " << *o.forms.begin());
  BOOST_TEST(o.forms.size() == 1u, name << ": also " << *o.forms.rbegin());
  BOOST_TEST(o.entries == entries, name);
  BOOST_TEST(o.nonzeros == nonzeros, name);
#if defined(NDEBUG) && !defined(__SANITIZE_ADDRESS__)
  BOOST_TEST(o.shrinking.back() <= most_milliseconds, name);  // sanitizers and debug builds are slower
#endif
}

}  // namespace

BOOST_AUTO_TEST_CASE(false_properties_have_one_minimal_case) {
  for (const FalseProperty& f : false_properties()) {
    const Shrunk o = shrink_all(f.claim, f.property, seeds, measurements);
    check(f.name, f.entries, f.nonzeros, o);
    if (f.name == std::string("F3")) BOOST_TEST(*o.forms.begin() == "m=1 n=1 X: " + campaign::hex(710) + " ");
    if (f.name == std::string("F4")) BOOST_TEST(o.forms.begin()->find("b=5") != std::string::npos);
    if (f.name == std::string("F5")) BOOST_TEST(o.forms.begin()->find("a=17") != std::string::npos);
  }
}

/// No probe fails here, so every seed shrinks a slice of its own: the numbers have to move to the front one by one.
BOOST_AUTO_TEST_CASE(a_number_at_any_place) {
  const Shrunk o = shrink_all("X: [n, 2*p]; X == X * 1", [](const infer::Problem&) {
    return StillFails([](const expr::DimValues&, const Values& v) {
      const Tensor<double>& x = v.at("X");
      return x.shape[0] > 1 && x.shape[1] > 3 && std::any_of(x.values.begin(), x.values.end(), [](double d) { return d > 100; });
    });
  }, seeds, measurements);
  check("a number at any place", 8, 1, o);
  BOOST_TEST(o.forms.begin()->find("X: " + campaign::hex(101)) != std::string::npos);
}
/// Two tensors hang together by an index: it has to move in both at once.
BOOST_AUTO_TEST_CASE(two_numbers_at_one_index) {
  const Shrunk o = shrink_all("X: [n, a]; Y: [a, m]; X @ Y == X @ Y * 1", [](const infer::Problem&) {
    return StillFails([](const expr::DimValues&, const Values& v) {
      const Tensor<double>&x = v.at("X"), &y = v.at("Y");
      bool found = false;
      for (std::int64_t k = 0; k < x.shape[1]; ++k) found = found || (at(x, 0, k) > 50 && at(y, k, 0) > 50);
      return found && x.shape[1] > 2;
    });
  }, seeds, measurements);
  check("two numbers at one index", 6, 2, o);
}

}  // namespace foldproof::properties
