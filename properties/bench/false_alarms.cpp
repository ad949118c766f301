// SPDX-License-Identifier: MIT
// False alarms: correct cases that are called wrong. Every claim that its file expects to be proved is tested in every format, and
// no case may go beyond its bound, differ bit for bit where nothing is rounded, or differ in exact rationals.
//   false_alarms CASES [CLAIMS]    about CASES cases in each format, shared out among the claims of the folder
#include <cstdio>
#include <cstdlib>
#include <iostream>

#include "catalogue.hpp"
#include "expr/diagnostic.hpp"

namespace foldproof {
namespace {

int run(std::int64_t cases, const std::string& folder) {
  const auto claims = bench::true_claims(folder);
  if (claims.empty()) return std::cerr << "no claims in " << folder << "\n", 2;
  const auto number = static_cast<std::int64_t>(claims.size());
  const campaign::Campaign sum = bench::correct_cases(claims, (cases + number - 1) / number);
  bool alarm = sum.exact.failed > 0 || sum.rational_failed > 0;
  std::printf("%-13s %9s %9s %9s %10s %8s %7s %9s %12s\n", "format", "cases", "discarded", "within", "suspicious", "vacuous", "alarms", "by norms", "worst ratio");
  for (const campaign::FormatResult& f : sum.formats) {
    std::printf("%-13s %9lld %9lld %9lld %10lld %8lld %7lld %9lld %12.3g\n", f.format.c_str(), static_cast<long long>(f.cases), static_cast<long long>(f.discarded),
                static_cast<long long>(f.within), static_cast<long long>(f.suspicious), static_cast<long long>(f.vacuous), static_cast<long long>(f.beyond),
                static_cast<long long>(f.by_norms), f.worst_ratio);
    alarm = alarm || f.beyond > 0;
  }
  std::printf("bit for bit: %lld cases, %lld differ; exact rationals: %lld cases, %lld differ; %zu claims\n", static_cast<long long>(sum.exact.cases),
              static_cast<long long>(sum.exact.failed), static_cast<long long>(sum.rational_cases), static_cast<long long>(sum.rational_failed), claims.size());
  return alarm ? 1 : 0;
}

}  // namespace
}  // namespace foldproof

int main(int argc, char** argv) {
  const std::int64_t cases = argc > 1 ? std::atoll(argv[1]) : 0;
  if (cases < 1 || argc > 3) return std::cerr << "usage: false_alarms CASES [CLAIMS]\n", 2;
  try {
    return foldproof::run(cases, argc > 2 ? argv[2] : "fixtures/claims");
  } catch (const foldproof::expr::Error& e) {
    return std::cerr << e.what() << "\n", 2;
  }
}
