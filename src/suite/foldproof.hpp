// SPDX-License-Identifier: MIT
// foldproof inside the test suite of another project:
//
//   find_package(foldproof CONFIG REQUIRED)
//   target_link_libraries(my_tests PRIVATE foldproof::foldproof)
//
//   BOOST_TEST(foldproof::decide("(X @ A) @ B == X @ (A @ B)"));          // is it an identity? proved, with a certificate
//   BOOST_TEST(foldproof::check("(X @ A) @ B == X @ (A @ B)", 1000));     // and as a program, within its rounding bounds
//
// Claims are written as for the command line: NumPy expressions, shapes optional, `assume` before the equation. Both answers are
// false as conditions unless everything holds, and print all the evidence; so `EXPECT_TRUE(answer) << answer` reads as well.
// Nothing but the standard library is included here. Both functions may be called from several threads.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>

namespace foldproof {

enum class Verdict {
  proved,     ///< for all sizes and all real numbers; the kernel accepted the certificate
  refuted,    ///< an instance was evaluated exactly, or in disjoint intervals
  undecided,  ///< neither; the text has the reason
  invalid,    ///< does not parse, does not fit in shape, or says nothing
};
/// "proved", "refuted", "undecided", "invalid".
const char* to_string(Verdict verdict);
std::ostream& operator<<(std::ostream& out, Verdict verdict);

/// What is known about a claim.
struct Decision {
  Verdict verdict = Verdict::undecided;
  std::string text;         ///< what `foldproof decide` prints: derivation, smallest counterexample, or the error with its place
  std::string certificate;  ///< for foldproof-verify, as JSON; empty unless proved
  explicit operator bool() const { return verdict == Verdict::proved; }
};
std::ostream& operator<<(std::ostream& out, const Decision& decision);

/// Decides a claim. The same text always gives the same answer. Never throws for what is wrong with the claim: that is `invalid`.
/// Errors: std::logic_error when two ways of deciding contradict each other, which is a bug in foldproof.
Decision decide(const std::string& claim);

/// What became of a claim that was run as a program on random shapes and weights, in float64, float32, bfloat16 and float16.
struct Campaign {
  Decision decision;        ///< what the cases were held against: equal sides where proved, differing ones where refuted
  bool passed = false;      ///< the claim is proved, something was tested, and no difference was larger than rounding explains
  std::int64_t cases = 0;   ///< over all formats; 0 when nothing could be tested
  std::int64_t failed = 0;  ///< differences larger than the rounding bound, or any difference where sums are exact
  double worst_ratio = 0;   ///< largest |lhs - rhs| / bound: at most 1 while nothing failed
  std::string text;         ///< all of this in words, with the smallest failing case
  explicit operator bool() const { return passed; }
};
std::ostream& operator<<(std::ostream& out, const Campaign& campaign);

/// Decides a claim and runs `cases` random cases of it. The same text, number of cases and seed give the same cases on every machine.
/// Errors: as decide.
Campaign check(const std::string& claim, std::int64_t cases = 1000, std::uint64_t seed = 1);

}  // namespace foldproof
