// SPDX-License-Identifier: MIT
// How long verdicts take, on one core: for every claim of fixtures/claims the processor time to prove it (shapes, search, certificate
// and the kernel's check) or to refute it (smallest counterexample, verified), and for the whole answer as `foldproof decide` prints it,
// with needed assumptions, the nearest true statement and where it holds. Processor time, so that other work on the machine
// does not count; the median of several runs of each claim. Prints a Markdown table, or JSON with --json.
// Usage: decide_bench SOURCE_DIR [--json] [RUNS]
#include <sys/resource.h>

#include <algorithm>
#include <ctime>
#include <functional>
#include <iostream>
#include <nlohmann/json.hpp>

#include "expr/large_stack.hpp"
#include "infer/problem.hpp"
#include "prove/prove.hpp"
#include "read/parse.hpp"
#include "record/claim_json.hpp"
#include "refute/refute.hpp"
#include "verdict/decide.hpp"

namespace {

using namespace foldproof;

double processor_ms() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) * 1e-6;
}

double median(std::vector<double> times) {
  std::sort(times.begin(), times.end());
  return times.empty() ? 0 : times[times.size() / 2];
}

double median_of(int runs, const std::function<void()>& job) {
  std::vector<double> times;
  for (int k = 0; k < runs; ++k) {
    const double start = processor_ms();
    job();
    times.push_back(processor_ms() - start);
  }
  return median(times);
}

struct Timed {
  std::string id;
  double ms;
};

nlohmann::ordered_json summary(std::vector<Timed> all) {
  std::sort(all.begin(), all.end(), [](const Timed& a, const Timed& b) { return a.ms > b.ms; });
  std::vector<double> times;
  double sum = 0;
  for (const Timed& t : all) {
    times.push_back(t.ms);
    sum += t.ms;
  }
  nlohmann::ordered_json slowest = nlohmann::ordered_json::object();
  for (std::size_t k = 0; k < std::min<std::size_t>(5, all.size()); ++k) slowest[all[k].id] = all[k].ms;
  return {{"claims", all.size()}, {"median_ms", median(times)}, {"sum_ms", sum}, {"slowest_ms", slowest}};
}

nlohmann::ordered_json measure(const std::string& source, int runs) {
  std::vector<Timed> proved, reduced, refuted, other, whole;
  for (const auto& claim : record::read_claims({source + "/fixtures/claims"})) {
    whole.push_back({claim.id, median_of(runs, [&] { verdict::decide(claim); })});
    try {
      bool is_proved = false, is_refuted = false;
      const double proving = median_of(runs, [&] { is_proved = prove::prove_shortly(infer::elaborate(read::parse_claim(claim.text)), prove::few_steps).certificate.has_value(); });
      if (is_proved) {
        proved.push_back({claim.id, proving});
        continue;
      }
      const auto text = read::parse_claim(claim.text);
      const auto problem = infer::elaborate(text);
      const double refuting = median_of(runs, [&] { is_refuted = refute::refute(problem).end == refute::End::refuted; });
      if (is_refuted) {
        refuted.push_back({claim.id, proving + refuting});
        continue;
      }
      // From other claims, once a short search has found no counterexample: the order of verdict::decide.
      const double longer = median_of(runs, [&] {
        refute::refute(problem, {.shapes = 12, .draws = 2, .further = false, .smallest = false});
        is_proved = prove::prove_shortly(text, problem, prove::few_steps).certificate || prove::prove(text, problem).certificate || prove::prove_by_products(text, problem);
      });
      (is_proved ? reduced : other).push_back({claim.id, proving + (is_proved ? longer : longer + refuting)});
    } catch (const expr::Error&) {  // claims that are invalid on purpose
    }
  }
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return {{"runs", runs}, {"proved", summary(proved)}, {"proved from other claims", summary(reduced)}, {"refuted", summary(refuted)}, {"neither", summary(other)}, {"whole answers", summary(whole)}, {"peak_mb", usage.ru_maxrss / 1024}};
}

}  // namespace

int main(int argc, char** argv) {
  bool json = false;
  int runs = 5;
  for (int k = 2; k < argc; ++k) {
    if (std::string(argv[k]) == "--json") {
      json = true;
    } else {
      runs = std::max(1, std::atoi(argv[k]));
    }
  }
  if (argc < 2) {
    std::cerr << "usage: decide_bench SOURCE_DIR [--json] [RUNS]\n";
    return 2;
  }
  try {
    expr::on_large_stack([&] {
      const auto result = measure(argv[1], runs);
      if (json) {
        std::cout << result.dump(2) << "\n";
        return;
      }
      std::cout << "| verdict | claims | median ms | sum ms | slowest |\n| --- | ---: | ---: | ---: | --- |\n";
      for (const char* verdict : {"proved", "proved from other claims", "refuted", "neither", "whole answers"}) {
        const auto& row = result[verdict];
        std::cout << "| " << verdict << " | " << row["claims"] << " | " << row["median_ms"] << " | " << row["sum_ms"] << " | " << row["slowest_ms"].dump() << " |\n";
      }
      std::cout << "\npeak memory: " << result["peak_mb"] << " MB, " << runs << " runs of each claim, processor time of one thread\n";
    });
  } catch (const std::exception& e) {
    std::cerr << "decide_bench: " << e.what() << "\n";
    return 1;
  }
  return 0;
}
