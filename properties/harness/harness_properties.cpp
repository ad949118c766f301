// SPDX-License-Identifier: MIT
// The traps of RapidCheck are closed in every suite: stale reproduce strings, mistyped parameters, one stream for all, threads.
#include <rapidcheck/boost_test.h>

#include <barrier>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include "property.hpp"

namespace foldproof {
namespace {

using properties::parameters;

std::vector<std::uint64_t> first_numbers;

RC_BOOST_PROP(numbers_of_this_property, ()) { first_numbers.push_back(*rc::gen::noShrink(rc::gen::arbitrary<std::uint64_t>())); }

std::vector<std::uint64_t> other_numbers;

RC_BOOST_PROP(numbers_of_that_property, ()) { other_numbers.push_back(*rc::gen::noShrink(rc::gen::arbitrary<std::uint64_t>())); }

/// Numbers of a run that goes around us, as RapidCheck would do it by itself.
std::vector<std::uint64_t> unguarded(const std::string& name) {
  std::vector<std::uint64_t> numbers;
  rc::detail::TestMetadata metadata;
  metadata.id = metadata.description = name;
  rc::detail::TestParams params;
  params.seed = 1;
  rc::detail::checkProperty(rc::detail::toProperty([&] { numbers.push_back(*rc::gen::noShrink(rc::gen::arbitrary<std::uint64_t>())); }), metadata, params);
  return numbers;
}

std::vector<std::uint64_t> guarded(const std::string& name) {
  std::vector<std::uint64_t> numbers;
  BOOST_TEST(rc::check(name, [&] { numbers.push_back(*rc::gen::noShrink(rc::gen::arbitrary<std::uint64_t>())); }));
  return numbers;
}

BOOST_AUTO_TEST_CASE(every_property_has_numbers_of_its_own) {
  BOOST_TEST((unguarded("this") == unguarded("that")), "RapidCheck itself gives all properties the same numbers; if not, this guard may go");
  BOOST_TEST((guarded("this") != guarded("that")));
  BOOST_TEST((guarded("this") == guarded("this")));
  BOOST_TEST((guarded("this") != unguarded("this")));
  // Empty when this test is run alone.
  BOOST_TEST(first_numbers.size() == other_numbers.size());
  BOOST_TEST((first_numbers.empty() || first_numbers != other_numbers), "nor do those of RC_BOOST_PROP share theirs");
}

BOOST_AUTO_TEST_CASE(only_known_parameters_are_read) {
  const auto params = parameters("seed=7 max_success=5 max_size=3 max_discard_ratio=2 noshrink=1");
  BOOST_TEST(params.seed == 7U);
  BOOST_TEST((params.maxSuccess == 5 && params.maxSize == 3 && params.maxDiscardRatio == 2 && params.disableShrinking));
  BOOST_TEST(parameters("").seed == 1U);
  for (const char* bad : {"max_sucess=5", "seed=", "seed=x", "seed=-1", "seed", "max_success=0", "reproduce=BYiZ", "seed=1,max_success=5", "=", "seed=99999999999999999999"})
    BOOST_CHECK_THROW(parameters(bad), std::invalid_argument);
}

/// The exit status of this program run again with RC_PARAMS.
int status(const std::string& params, const std::string& test) {
  const auto self = std::filesystem::read_symlink("/proc/self/exe").string();
  const int raw = std::system(("RC_PARAMS='" + params + "' '" + self + "' --run_test=" + test + " > /dev/null 2>&1").c_str());
  return WIFEXITED(raw) ? WEXITSTATUS(raw) : -1;
}

BOOST_AUTO_TEST_CASE(a_wrong_parameter_or_a_reproduce_string_fails_the_program) {
  BOOST_TEST(status("seed=3", "numbers_of_this_property") == 0);
  BOOST_TEST(status("max_sucess=5", "numbers_of_this_property") == 2);
  BOOST_TEST(status("reproduce=BchJlZXJhdGVzX25vdGhpbmcgCCPmp", "numbers_of_this_property") == 2);
  BOOST_TEST(status("max_sucess=5", "only_known_parameters_are_read") == 2, "also where no property is run");
}

BOOST_AUTO_TEST_CASE(a_second_thread_is_refused) {
  std::barrier meeting(2);
  int refused = 0;
  int passed = 0;
  const auto property = [&] {
    rc::detail::TestMetadata metadata;
    metadata.id = metadata.description = "inner";
    try {
      bool first = true;
      passed += properties::check(rc::detail::toProperty([&] {
                                    if (std::exchange(first, false)) {
                                      meeting.arrive_and_wait();  // the other thread tries now
                                      meeting.arrive_and_wait();
                                    }
                                  }),
                                  metadata)
                    .is<rc::detail::SuccessResult>();
    } catch (const std::logic_error&) {
      ++refused;
    }
  };
  std::thread other([&] {
    meeting.arrive_and_wait();
    property();
    meeting.arrive_and_wait();
  });
  property();
  other.join();
  BOOST_TEST(passed == 1);
  BOOST_TEST(refused == 1);
}

BOOST_AUTO_TEST_CASE(a_false_property_fails_and_so_does_one_that_discards_everything) {
  rc::detail::TestMetadata metadata;
  metadata.id = metadata.description = "false";
  const auto small = rc::detail::toProperty([] { RC_ASSERT(*rc::gen::inRange(0, 1000) < 10); });
  const auto first = properties::check(small, metadata);
  const auto second = properties::check(small, metadata);
  BOOST_REQUIRE(first.is<rc::detail::FailureResult>());
  BOOST_REQUIRE(second.is<rc::detail::FailureResult>());
  BOOST_TEST((first.get<rc::detail::FailureResult>().counterExample == second.get<rc::detail::FailureResult>().counterExample), "found again from the seed");
  BOOST_TEST(!properties::check(rc::detail::toProperty([] { RC_PRE(false); }), metadata).is<rc::detail::SuccessResult>());
  BOOST_TEST(!properties::check(rc::detail::toProperty([] { throw std::runtime_error("thrown"); }), metadata).is<rc::detail::SuccessResult>());
}

}  // namespace
}  // namespace foldproof
