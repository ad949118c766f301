// SPDX-License-Identifier: MIT
// What is fuzzed: functions that take any bytes at all and must answer with a result or with one of the documented exceptions.
// Anything else (a crash, another exception, a broken round trip, a certificate accepted for a false claim) is a finding.
// libFuzzer drives them in the preset `fuzz` (fuzzer.cpp); every build replays fixtures/corpus and mutations of it (replay.cpp).
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace foldproof::properties::fuzz {

/// A promise of the code under test that the bytes broke.
class Finding : public std::logic_error {
  using std::logic_error::logic_error;
};

struct Target {
  const char* name;                     ///< also the folder in fixtures/corpus
  bool (*run)(std::string_view bytes);  ///< whether the bytes were accepted as input; throws Finding
  std::string (*mutated)(std::string_view bytes, std::uint64_t seed);  ///< a mutation that keeps the outer form; null: bytes only
};

/// Text of a claim: parsing, printing in three notations, parsing again, shapes.
bool parse(std::string_view bytes);
/// A JSON file of claims: reading, writing, reading again.
bool claims(std::string_view bytes);
/// A JSON certificate: reading, writing, reading again.
bool certificate(std::string_view bytes);
/// A JSON certificate through the kernel. What the kernel accepts is held against evaluation.
bool kernel(std::string_view bytes);
/// The certificate with one to three steps of one script changed, or with another claim; other bytes are returned as they are.
std::string mutated_certificate(std::string_view bytes, std::uint64_t seed);

inline constexpr Target targets[] = {{"parse", parse, nullptr}, {"claims", claims, nullptr}, {"certificate", certificate, nullptr}, {"kernel", kernel, mutated_certificate}};

}  // namespace foldproof::properties::fuzz
