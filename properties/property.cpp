// SPDX-License-Identifier: MIT
#include "property.hpp"

#include <rapidcheck/detail/TestListenerAdapter.h>

#include <atomic>
#include <boost/test/unit_test.hpp>
#include <charconv>
#include <cstdlib>
#include <iostream>
#include <sstream>
#include <stdexcept>

#include "properties_random.hpp"

namespace foldproof::properties {

namespace {

template <class Integer>
Integer number(const std::string& key, const std::string& text, Integer lowest) {
  Integer n = 0;
  const char* end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, n);
  if (text.empty() || result.ec != std::errc() || result.ptr != end || n < lowest) throw std::invalid_argument("RC_PARAMS: " + key + "=" + text + " is out of range");
  return n;
}

std::string environment() {
  const char* text = std::getenv("RC_PARAMS");
  return text == nullptr ? "" : text;
}

/// A wrong RC_PARAMS ends the program before the first test, whether or not a property would have read it.
struct Guard {
  Guard() {
    try {
      const auto params = parameters(environment());
      // RapidCheck prints the seed that it believes in.
      if (environment().empty()) ::setenv("RC_PARAMS", ("seed=" + std::to_string(params.seed)).c_str(), 1);
    } catch (const std::invalid_argument& e) {
      std::cerr << e.what() << "\n";
      std::_Exit(2);
    }
  }
};
BOOST_TEST_GLOBAL_FIXTURE(Guard);

std::atomic<bool> busy{false};

struct OnlyOne {
  OnlyOne() {
    if (busy.exchange(true)) throw std::logic_error("a property is running in another thread: RapidCheck is not thread-safe, use another process");
  }
  ~OnlyOne() { busy.store(false); }
  OnlyOne(const OnlyOne&) = delete;
  OnlyOne& operator=(const OnlyOne&) = delete;
};

std::string how_to_repeat(const std::string& test, std::uint64_t seed) {
  return "again: RC_PARAMS=seed=" + std::to_string(seed) + " " + boost::unit_test::framework::master_test_suite().argv[0] + " --run_test=" + test;
}

}  // namespace

rc::detail::TestParams parameters(const std::string& text) {
  rc::detail::TestParams params;
  params.seed = 1;  // the same run every time; other seeds are asked for
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    const std::size_t equals = word.find('=');
    const std::string key = word.substr(0, equals);
    const std::string value = equals == std::string::npos ? "" : word.substr(equals + 1);
    if (key == "seed") {
      params.seed = number<std::uint64_t>(key, value, 0);
    } else if (key == "max_success") {
      params.maxSuccess = number<int>(key, value, 1);
    } else if (key == "max_size") {
      params.maxSize = number<int>(key, value, 0);
    } else if (key == "max_discard_ratio") {
      params.maxDiscardRatio = number<int>(key, value, 0);
    } else if (key == "noshrink") {
      params.disableShrinking = number<int>(key, value, 0) != 0;
    } else if (key == "reproduce") {
      throw std::invalid_argument("RC_PARAMS: reproduce= passes without running anything once the code has changed; use the seed that the failure printed");
    } else {
      throw std::invalid_argument("RC_PARAMS: there is no parameter `" + key + "`; known: seed max_success max_size max_discard_ratio noshrink");
    }
  }
  return params;
}

std::uint64_t seed_of(std::uint64_t seed, const std::string& name) {
  std::vector<std::uint64_t> words{seed, name.size()};
  for (const char c : name) words.push_back(static_cast<unsigned char>(c));
  return hashed(words);
}

rc::detail::TestResult check(const rc::detail::Property& property, const rc::detail::TestMetadata& metadata) {
  namespace rcd = rc::detail;
  const OnlyOne guard;
  rcd::TestParams params = parameters(environment());
  const std::uint64_t seed = params.seed;
  const std::string test = boost::unit_test::framework::current_test_case().full_name();
  params.seed = seed_of(seed, test + "/" + metadata.description);
  rcd::TestListenerAdapter silent;
  rcd::TestResult result = rcd::checkProperty(property, metadata, params, silent, {});
  if (result.is<rcd::SuccessResult>()) {
    const int cases = result.get<rcd::SuccessResult>().numSuccess;
    if (cases >= params.maxSuccess) return result;
    return rcd::Error("only " + std::to_string(cases) + " of " + std::to_string(params.maxSuccess) + " cases were run");
  }
  std::cerr << how_to_repeat(test, seed) << "\n";
  return result;
}

}  // namespace foldproof::properties

// The linker leads every call of RapidCheck's own function here: --wrap in properties/CMakeLists.txt. If RapidCheck ever changes the
// signature, nothing is led here any more, and properties/harness/harness_properties.cpp fails.
namespace rc::detail {
TestResult wrapped_check_property(const Property& property, const TestMetadata& metadata)
    __asm__("__wrap__ZN2rc6detail13checkPropertyERKNS_3GenINS0_15CaseDescriptionEEERKNS0_12TestMetadataE");
TestResult wrapped_check_property(const Property& property, const TestMetadata& metadata) { return foldproof::properties::check(property, metadata); }
}  // namespace rc::detail
