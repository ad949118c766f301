// SPDX-License-Identifier: MIT
#include "provers.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <map>
#include <stdexcept>
#include <vector>

#include "prove/prove.hpp"
#include "read/parse.hpp"
#include "record/claim_json.hpp"
#include "refute/refute.hpp"
#include "verdict/decide.hpp"

namespace foldproof::bench {
namespace {

/// Shown one by one: true and false claims of many families, all of which SymPy's matrix expressions can state.
constexpr std::array shown{"two-projections-row",
                           "two-projections-row-swapped",
                           "chain-of-twelve",
                           "chain-of-two-columns-transpose-kept",
                           "circuit-qk",
                           "circuit-qk-transposed",
                           "circuit-change-of-basis",
                           "circuit-change-of-basis-same-matrix",
                           "circuit-change-of-basis-rotation",
                           "position-four-terms",
                           "affine-three-layers",
                           "affine-layers-biases-added",
                           "lora-merges",
                           "lora-merge-scale-forgotten",
                           "lora-two-adapters",
                           "lora-two-adapters-factors-added",
                           "linear-attention-reassociates",
                           "gradient-step-on-factors-expanded",
                           "heads-row-parallel",
                           "relu-between-two-maps",
                           "norm-rms-gain-folds",
                           "softmax-shift-per-row",
                           "softmax-of-sum",
                           "paper-page4-projected-inputs",
                           "cost-square-first-map",
                           "cost-folded-512-64-same"};
bool is_shown(const std::string& id, bool quick) {
  const auto at = static_cast<std::size_t>(std::find(shown.begin(), shown.end(), id) - shown.begin());
  return at < shown.size() && (!quick || at % 3 == 0);
}

/// A claim as the scripts read it, its truth, and foldproof's answer.
struct Asked {
  std::string id, expect;
  Json told;
  Json answer;
};

double processor_ms() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) * 1e-6;
}

Json told(const record::ClaimRecord& claim, const infer::Problem& problem) {
  Json shapes = Json::object(), let = Json::array();
  for (const infer::Variable& v : problem.variables) {
    Json& axes = shapes[v.name] = Json::array();
    for (const expr::Dim& axis : v.shape) axes.push_back(expr::text(axis));
  }
  for (const auto& [name, value] : claim.let) let.push_back({name, value});
  return {{"id", claim.id},         {"shapes", shapes}, {"dimensions", problem.dimensions}, {"let", let},
          {"assume", claim.assume}, {"lhs", claim.lhs}, {"relation", claim.relation},       {"rhs", claim.rhs}};
}

/// holds, fails or open, as the scripts answer: a short search for a certificate, which the kernel checks, then one for a counterexample, which is
/// verified; what both leave open, by everything that `foldproof decide` does.
std::string verdict(const record::ClaimRecord& claim) {
  const expr::Claim parsed = read::parse_claim(claim.text);
  const infer::Problem problem = infer::elaborate(parsed);
  if (prove::prove_shortly(parsed, problem, prove::few_steps).certificate) return "holds";
  if (refute::refute(problem).end == refute::End::refuted) return "fails";
  verdict::DecideOptions options;
  options.ask_without_assumptions = options.look_for_repair = false;
  const verdict::Verdict all = verdict::decide(claim.text, options).verdict;
  return all == verdict::Verdict::proved ? "holds" : all == verdict::Verdict::refuted ? "fails" : "open";
}

Asked decided(const record::ClaimRecord& claim, int rounds) {
  double best = 1e9;
  std::string answer;
  for (int round = 0; round < rounds; ++round) {
    const double start = processor_ms();
    answer = verdict(claim);
    best = std::min(best, processor_ms() - start);
  }
  const infer::Problem problem = infer::elaborate(read::parse_claim(claim.text));
  return {claim.id,
          *claim.expect,
          told(claim, problem),
          {{"answer", answer},
           {"says", answer == "holds"   ? "certificate"
                    : answer == "fails" ? "counterexample"
                                        : ""},
           {"ms", rounded(best)}}};
}

/// The claims in a file that is gone when this is.
class ClaimsFile {
 public:
  ClaimsFile(const Json& claims, const std::string& name)
      : path_(std::filesystem::temp_directory_path() / ("foldproof-bench-" + std::to_string(::getpid()) + "-" + name + ".json")) {
    std::ofstream file(path_);
    file << claims.dump();
    file.close();
    if (!file) throw std::runtime_error("cannot write " + path_.string());
  }
  ~ClaimsFile() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }
  ClaimsFile(const ClaimsFile&) = delete;
  ClaimsFile& operator=(const ClaimsFile&) = delete;
  std::string quoted() const { return "'" + path_.string() + "'"; }

 private:
  std::filesystem::path path_;
};

/// right, open, wrong or unstated. What holds at one small shape counts as said of the claim.
std::string mark(const std::string& expect, const Json& answer) {
  const auto word = answer.at("answer").get<std::string>();
  if (word == "open" || word == "unstated") return word;
  return (word == "holds") == (expect == "proved") ? "right" : "wrong";
}

/// One prover: its name, and its answers by id or {"skipped": why}.
struct Prover {
  std::string name;
  std::string key;  ///< in the rows
  Json said;

  bool skipped() const { return said.contains("skipped"); }
  Json answer_to(const Asked& claim) const {
    if (skipped()) return said;
    Json answer = said.at("answers").at(claim.id);
    answer["mark"] = mark(claim.expect, answer);
    return answer;
  }
};

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values.empty() ? 0 : values[values.size() / 2];
}

/// A prover over all claims. `median_ratio`: its time by foldproof's, over the claims that it can state.
Json total(const Prover& prover, const std::vector<Asked>& claims) {
  if (prover.skipped()) return {{"prover", prover.name}, {"skipped", prover.said["skipped"]}};
  std::map<std::string, int> marks, left_out;
  std::vector<double> times, ratios, of_solver;
  std::vector<std::string> wrong;
  for (const Asked& claim : claims) {
    const Json answer = prover.answer_to(claim);
    const auto its = answer["mark"].get<std::string>();
    ++marks[its];
    if (its == "unstated") {
      ++left_out[answer["says"].get<std::string>()];
      continue;
    }
    if (its == "wrong") wrong.push_back(claim.id);
    times.push_back(answer["ms"].get<double>());
    if (answer.contains("solver_ms")) of_solver.push_back(answer["solver_ms"].get<double>());
    ratios.push_back(times.back() / claim.answer["ms"].get<double>());
  }
  const double slowest = times.empty() ? 0 : *std::max_element(times.begin(), times.end());
  Json out{{"prover", prover.name},
           {"claims", claims.size()},
           {"stated", times.size()},
           {"right", marks["right"]},
           {"open", marks["open"]},
           {"wrong", marks["wrong"]},
           {"median_ms", rounded(median(times))},
           {"slowest_ms", rounded(slowest)},
           {"median_ratio", rounded(median(ratios))},
           {"wrong_ids", wrong},
           {"unstated", left_out}};
  if (!of_solver.empty()) out["median_solver_ms"] = rounded(median(of_solver));
  return out;
}

Json row_of(const Asked& claim, const std::vector<Prover>& provers) {
  Json row{{"id", claim.id}, {"expect", claim.expect}};
  for (const Prover& prover : provers) {
    Json& answer = row[prover.key] = prover.answer_to(claim);
    if (answer.contains("ms") && &prover != &provers.front()) answer["ratio"] = rounded(answer["ms"].get<double>() / claim.answer["ms"].get<double>());
  }
  return row;
}

std::string cell(const Json& answer) {
  if (answer.contains("skipped")) return "skipped";
  const auto its = answer["mark"].get<std::string>();
  if (its == "unstated") return "not stated";
  std::array<char, 80> text{};
  const int used =
      std::snprintf(text.data(), text.size(), "%-5s %9.3f", its == "wrong" ? "WRONG" : answer["answer"].get<std::string>().c_str(), answer["ms"].get<double>());
  if (answer.contains("ratio")) std::snprintf(text.data() + used, text.size() - static_cast<std::size_t>(used), " %7.1fx", answer["ratio"].get<double>());
  return text.data();
}

void print(const Json& report, const std::vector<Prover>& provers) {
  std::printf("provers: answer, ms, times foldproof's ms\n%-47s", "");
  for (const Prover& prover : provers) std::printf(" %-24s", prover.name.c_str());
  std::printf("\n");
  for (const Json& row : report["rows"]) {
    std::printf("%-38s %-8s", row["id"].get<std::string>().c_str(), row["expect"].get<std::string>().c_str());
    for (const Prover& prover : provers) std::printf(" %-24s", cell(row[prover.key]).c_str());
    std::printf("\n");
  }
  for (const Json& t : report["totals"]) {
    const auto name = t["prover"].get<std::string>();
    if (t.contains("skipped")) {
      std::printf("skipped: the claims put to %s (%s)\n", name.c_str(), t["skipped"].get<std::string>().c_str());
      continue;
    }
    std::printf("%-18s %4d claims, stated %4d: right %4d, open %4d, wrong %4d; median %8.3f ms, slowest %10.3f ms, median ratio %.1f", name.c_str(),
                t["claims"].get<int>(), t["stated"].get<int>(), t["right"].get<int>(), t["open"].get<int>(), t["wrong"].get<int>(),
                t["median_ms"].get<double>(), t["slowest_ms"].get<double>(), t["median_ratio"].get<double>());
    if (t.contains("median_solver_ms")) std::printf("; solver alone %.3f ms", t["median_solver_ms"].get<double>());
    std::printf("\n");
    for (const Json& id : t["wrong_ids"]) std::printf("WRONG: %s about %s\n", name.c_str(), id.get<std::string>().c_str());
  }
  std::fflush(stdout);
}

}  // namespace

Json provers(const std::string& claims_folder, const ProversOptions& options) {
  const int rounds = options.quick ? 1 : 5, seconds = options.quick ? 1 : 10;
  std::vector<Asked> claims;
  std::size_t seen = 0;
  for (const record::ClaimRecord& claim : record::read_claims({claims_folder})) {
    const std::string expect = claim.expect.value_or("");
    if (expect != "proved" && expect != "refuted") continue;  // nothing to compare an answer with
    if (options.quick && seen++ % 40 != 0 && !is_shown(claim.id, true)) continue;
    claims.push_back(decided(claim, rounds));
  }
  Json all = Json::array(), few = Json::array(), own = Json::object();
  for (const Asked& claim : claims) {
    all.push_back(claim.told);
    if (is_shown(claim.id, options.quick)) few.push_back(claim.told);
    own[claim.id] = claim.answer;
  }
  const std::string limits = " " + std::to_string(seconds) + " " + std::to_string(rounds);
  std::vector<Prover> asked{{"foldproof", "foldproof", {{"answers", own}}}};
  const auto ask = [&](const std::string& name, const std::string& key, const std::string& script, const ClaimsFile& file, const std::string& size) {
    Json said = answer_of(options.python, script + " " + file.quoted() + size + limits);
    const std::string version = said.contains("version") ? " " + said["version"].get<std::string>() : "";
    asked.push_back({name + version + (size.empty() ? "" : ", size" + size), key, std::move(said)});
  };
  const ClaimsFile every(all, "every"), some(few, "some");
  ask("SymPy", "sympy", "prover_sympy.py", every, "");
  ask("Z3", "z3", "prover_z3.py", every, " 2");
  Json report{{"seconds", seconds}, {"totals", Json::array()}, {"rows", Json::array()}};
  for (const Prover& prover : asked) report["totals"].push_back(total(prover, claims));
  ask("Z3", "z3_size_3", "prover_z3.py", some, " 3");
  for (const char* id : shown) {
    if (!is_shown(id, options.quick)) continue;
    const auto at = std::find_if(claims.begin(), claims.end(), [&](const Asked& claim) { return claim.id == id; });
    if (at == claims.end()) throw std::runtime_error(std::string("no claim ") + id);
    report["rows"].push_back(row_of(*at, asked));
  }
  print(report, asked);
  return report;
}

}  // namespace foldproof::bench
