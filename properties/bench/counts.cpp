// SPDX-License-Identifier: MIT
#include "counts.hpp"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <functional>
#include <stdexcept>

namespace foldproof::bench {
namespace {

/// Peak of the resident memory of a process of its own that runs `job`, in MB of 2^20 bytes; what this process holds counts too.
double peak_megabytes(const std::function<void()>& job) {
  std::fflush(nullptr);
  const pid_t child = ::fork();
  if (child == 0) {
    try {
      job();
    } catch (...) {
      ::_exit(1);
    }
    ::_exit(0);
  }
  int status = 0;
  rusage usage{};
  if (child < 0 || ::wait4(child, &status, 0, &usage) != child || status != 0) throw std::runtime_error("the process whose memory is measured did not end well");
  return static_cast<double>(usage.ru_maxrss) / 1024;  // Linux counts in units of 1024 bytes
}

}  // namespace

Json bugs(const std::vector<TrueClaim>& claims, std::int64_t cases) {
  const campaign::Kills kills = seeded_bugs(claims, cases);
  std::printf("seeded bugs: %lld of %lld killed within %lld cases a claim, %zu proved to be none, %zu untested\n", static_cast<long long>(kills.killed), static_cast<long long>(kills.made),
              static_cast<long long>(cases), kills.equivalent.size(), kills.untested.size());
  return {{"claims", claims.size()}, {"cases", cases}, {"made", kills.made}, {"killed", kills.killed}, {"equivalent", kills.equivalent.size()}, {"untested", kills.untested.size()}, {"survivors", kills.survivors}};
}

Json alarms(const std::vector<TrueClaim>& claims, std::int64_t cases) {
  const campaign::Campaign sum = correct_cases(claims, cases);
  Json rows = Json::array();
  const auto row = [&rows](const std::string& format, std::int64_t ran, std::int64_t discarded, std::int64_t vacuous, std::int64_t alarms) {
    std::printf("correct cases, %-16s %9lld, %lld discarded, %lld vacuous, %lld false alarms\n", format.c_str(), static_cast<long long>(ran), static_cast<long long>(discarded), static_cast<long long>(vacuous),
                static_cast<long long>(alarms));
    rows.push_back({{"format", format}, {"cases", ran}, {"discarded", discarded}, {"vacuous", vacuous}, {"alarms", alarms}});
  };
  for (const campaign::FormatResult& f : sum.formats) row(f.format, f.cases, f.discarded, f.vacuous, f.beyond);
  row("bit for bit", sum.exact.cases, 0, 0, sum.exact.failed);
  row("exact rationals", sum.rational_cases, 0, 0, sum.rational_failed);
  return rows;
}

Json memory(const infer::Problem& problem, std::int64_t cases) {
  Json rows = Json::array();
  for (const std::int64_t many : {cases, 10 * cases}) {
    const double peak = peak_megabytes([&] {
      campaign::CampaignOptions options;
      options.cases = many;
      campaign::run(problem, options, campaign::Expectation::equal);
    });
    std::printf("memory: %lld cases, at most %.1f MB\n", static_cast<long long>(many), peak);
    rows.push_back({{"cases", many}, {"megabytes", peak}});
  }
  return rows;
}

}  // namespace foldproof::bench
