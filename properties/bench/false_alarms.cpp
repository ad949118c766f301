// SPDX-License-Identifier: MIT
// False alarms: correct cases that are called wrong. Every claim that its file expects to be proved is tested in every format, and
// no case may go beyond its bound, differ bit for bit where nothing is rounded, or differ in exact rationals.
//   false_alarms CASES [CLAIMS]    about CASES cases in each format, shared out among the claims of the folder
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <vector>

#include "campaign/campaign.hpp"
#include "expr/diagnostic.hpp"
#include "expr/syntax.hpp"
#include "record/claim_json.hpp"

namespace foldproof {
namespace {

std::vector<infer::Problem> true_claims(const std::string& folder) {
  std::vector<infer::Problem> problems;
  for (const record::ClaimRecord& claim : record::read_claims({folder})) {
    if (claim.expect.value_or("proved") == "proved") problems.push_back(infer::elaborate(expr::parse_claim(claim.text)));
  }
  return problems;
}

campaign::Campaign tested(const infer::Problem& problem, std::int64_t cases) {
  campaign::CampaignOptions options;
  options.seed = 20261121;
  options.cases = cases;
  options.sixteen_bit_every = 1;
  return campaign::run(problem, options, campaign::Expectation::equal);
}

/// Adds the counts of one claim to those of all.
void add(campaign::Campaign& sum, const campaign::Campaign& one) {
  sum.exact.cases += one.exact.cases;
  sum.exact.failed += one.exact.failed;
  sum.rational_cases += one.rational_cases;
  sum.rational_failed += one.rational_failed;
  sum.formats.resize(one.formats.size());
  for (std::size_t f = 0; f < one.formats.size(); ++f) {
    campaign::FormatResult& to = sum.formats[f];
    const campaign::FormatResult& from = one.formats[f];
    to.format = from.format;
    to.cases += from.cases;
    to.discarded += from.discarded;
    to.within += from.within;
    to.suspicious += from.suspicious;
    to.vacuous += from.vacuous;
    to.beyond += from.beyond;
    to.by_norms += from.by_norms;
    if (from.worst_ratio > to.worst_ratio) to.worst_ratio = from.worst_ratio;
  }
}

int run(std::int64_t cases, const std::string& folder) {
  const auto problems = true_claims(folder);
  if (problems.empty()) return std::cerr << "no claims in " << folder << "\n", 2;
  const auto share = (cases + static_cast<std::int64_t>(problems.size()) - 1) / static_cast<std::int64_t>(problems.size());
  campaign::Campaign sum;
  for (const infer::Problem& problem : problems) {
    const campaign::Campaign one = tested(problem, share);
    add(sum, one);
    if (one.failure) std::cerr << "ALARM  " << one.failure->lane << ", lhs " << one.failure->lhs << ", rhs " << one.failure->rhs << "\n";
  }
  bool alarm = sum.exact.failed > 0 || sum.rational_failed > 0;
  std::printf("%-13s %9s %9s %9s %10s %8s %7s %9s %12s\n", "format", "cases", "discarded", "within", "suspicious", "vacuous", "alarms", "by norms", "worst ratio");
  for (const campaign::FormatResult& f : sum.formats) {
    std::printf("%-13s %9lld %9lld %9lld %10lld %8lld %7lld %9lld %12.3g\n", f.format.c_str(), static_cast<long long>(f.cases), static_cast<long long>(f.discarded),
                static_cast<long long>(f.within), static_cast<long long>(f.suspicious), static_cast<long long>(f.vacuous), static_cast<long long>(f.beyond),
                static_cast<long long>(f.by_norms), f.worst_ratio);
    alarm = alarm || f.beyond > 0;
  }
  std::printf("bit for bit: %lld cases, %lld differ; exact rationals: %lld cases, %lld differ; %zu claims\n", static_cast<long long>(sum.exact.cases),
              static_cast<long long>(sum.exact.failed), static_cast<long long>(sum.rational_cases), static_cast<long long>(sum.rational_failed), problems.size());
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
