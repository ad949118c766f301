// SPDX-License-Identifier: MIT
// What the tests ask of texts that are read in one way: true ones are proved and false ones refuted, and never the other way round.
#pragma once

#include <boost/test/unit_test.hpp>
#include <functional>
#include <span>

#include "kernel/check.hpp"
#include "kernel/claims.hpp"
#include "prove/prove.hpp"
#include "refute/refute.hpp"

namespace foldproof::properties {

using Texts = std::span<const char* const>;

/// Each text with what it elaborates to; one that is refused is an error of the test.
inline void read_each(Texts texts, const std::function<void(const char*, const infer::Problem&)>& test) {
  for (const char* text : texts) {
    BOOST_TEST_CONTEXT(text) {
      try {
        test(text, problem(text));
      } catch (const expr::Error& e) {
        BOOST_ERROR(e.diagnostic().message);
      }
    }
  }
}

inline void are_proved_and_never_refuted(Texts texts, const refute::Options& options = {}) {
  read_each(texts, [&](const char* text, const infer::Problem& p) {
    const auto proof = prove::prove(p);
    BOOST_TEST(proof.certificate.has_value(), proof.reason);
    if (proof.certificate) BOOST_TEST(kernel::check(problem(text), *proof.certificate).accepted);  // the text gives the same problem again
    BOOST_TEST(!refute::refute(p, options).counterexample.has_value());
  });
}

inline void are_refuted_and_never_proved(Texts texts) {
  read_each(texts, [](const char*, const infer::Problem& p) {
    BOOST_TEST(!prove::prove(p).certificate.has_value());
    BOOST_TEST(refute::refute(p).counterexample.has_value());
  });
}

/// True, and false with the other part in its place.
struct Changed {
  const char* program;
  const char* part;
  const char* other;
};
inline void are_true_but_for_one_part(std::span<const Changed> programs) {
  for (const Changed& c : programs) {
    std::string changed = c.program;
    changed.replace(changed.find(c.part), std::string(c.part).size(), c.other);
    const char* const one[] = {c.program};
    const char* const other[] = {changed.c_str()};
    are_proved_and_never_refuted(one);
    are_refuted_and_never_proved(other);
  }
}

inline void are_refused(Texts texts) {
  for (const char* text : texts) BOOST_TEST_CONTEXT(text) BOOST_CHECK_THROW(problem(text), expr::Error);
}

}  // namespace foldproof::properties
