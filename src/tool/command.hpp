// SPDX-License-Identifier: MIT
// The commands of foldproof: what each is given, and a function that runs it and returns the exit status.
// Only this folder prints or exits. Data goes to standard output, everything else to standard error.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "tool/given.hpp"

namespace foldproof::tool {

inline constexpr int exit_ok = 0;
inline constexpr int exit_differs = 1;
inline constexpr int exit_bad_input = 2;
inline constexpr int exit_undecided = 3;
inline constexpr int exit_internal = 70;  ///< our own bug
inline constexpr int exit_interrupted = 130;

struct DecideArguments {
  std::vector<std::string> files;  ///< "-" is standard input
  std::vector<std::string> texts;
  std::string certificates;  ///< folder for the certificates of what is proved
  bool json = false;
  bool hazards = false;
  std::uint64_t seed = 1;
  std::size_t threads = 0;
};
int decide(const DecideArguments& arguments);

struct CheckArguments {
  std::vector<std::string> paths;
  std::string out = "reports";
  std::uint64_t seed = 1;
  std::size_t cases = 1000;
  std::size_t threads = 0;
  std::string shard;                  ///< "i/N", i from 1
  bool resume = false;                ///< continue the run whose checkpoint is in `out`
  GivenArguments given;
  std::string benchmark;              ///< what foldproof-bench wrote, to be shown in the report; or empty
  std::string regressions;            ///< file of past failures; empty: fixtures/regressions.json when no path is given
  std::vector<std::string> command;   ///< as typed
  std::vector<std::string> formats;   ///< "gradescope": write results.json too
  std::string observations;           ///< file for one line a test case
  bool rehearsal = false;             ///< a run for comparison only: nothing is written but the reports
};
int check(const CheckArguments& arguments);

/// What stands below the options of `foldproof weights --help`; a test runs the claims.
inline constexpr const char* weights_footer = R"(
Answers, with the exit status:
  equal 0     the sides agree bit for bit
  rounding 0  every difference is within the bound of the format that holds the tensors, and nothing else fits them far better
  bug 1       no rounding in that format explains the difference
  unclear 3   open, and the reason says why: bind what is random; ask entry by entry, W * g == M, and not through x, x @ M; compare
              before the result is stored in 16 bits; or read which constant, epsilon or rounding on the way fits the numbers too
  2 is for what cannot be asked, such as shapes that do not fit.

Claims for what is folded often, of weights as PyTorch stores them, [out, in]:
  LoRA, alpha 16 and r 8   W + 16/8*(B @ A) == M
  DoRA                     V = W + 16/8*(B @ A); V * (m[:, None] / sqrt(sum(V * V, axis=1))) == M
  gain of a norm           W * g == M
  bias of a LayerNorm      b + W @ be == c
  fused queries and keys   vstack(Q, K, V) == F
  grouped keys, each twice np.repeat(K.reshape(4, 4, 8), 2, axis=0).reshape(32, 8) == L
  BatchNorm, weight        C * (gamma / sqrt(var + 1e-5))[:, None, None, None] == D
  BatchNorm, bias          (b - mu) * gamma / sqrt(var + 1e-5) + beta == e
  quantised copy           relu(abs(W - q * s) - s / 2) == 0
  the same in FP8          q == W / s
)";

struct WeightsArguments {
  std::string question;            ///< "check", "diagnose", "fold" or "list"
  std::vector<std::string> files;  ///< "-" is standard input
  std::vector<std::string> texts;
  GivenArguments given;
  std::string name;    ///< fold: of the tensor that is written
  std::string out;     ///< fold: the file
  std::string format;  ///< fold: that is written; empty: the narrowest that holds the tensors
  bool force = false;  ///< fold: the file may be replaced
  std::uint64_t seed = 1;
  bool json = false;
};
int weights(const WeightsArguments& arguments);

struct MergeArguments {
  std::vector<std::string> reports;
  std::string out;
  bool partial = false;  ///< shards may be missing
};
int merge(const MergeArguments& arguments);

struct CostArguments {
  std::vector<std::string> files;
  std::vector<std::string> texts;
  std::vector<std::string> dims;  ///< NAME=NUMBER
  std::vector<std::string> data;  ///< variables that are data, not parameters
  bool measure = false;
  bool json = false;
};
int cost(const CostArguments& arguments);

struct ExplainArguments {
  std::vector<std::string> ids;     ///< of claims or questions, or claims as text
  std::vector<std::string> texts;
  std::vector<std::string> claims;  ///< where ids are looked up; default fixtures/claims and fixtures/questions.json
  std::vector<std::string> dims;    ///< NAME=NUMBER
  bool markdown = false;
  bool html = false;
};
int explain(const ExplainArguments& arguments);
struct CompareArguments {
  std::string before;  ///< report.json
  std::string after;
  bool json = false;
  bool markdown = false;
};
int compare(const CompareArguments& arguments);

struct ReproArguments {
  std::string report;
  std::string out;  ///< empty: nothing is kept
  std::size_t threads = 0;
};
int repro(const ReproArguments& arguments, const std::function<CheckArguments(const std::vector<std::string>&)>& parse);

int operators(bool json);

struct VectorArguments {
  std::vector<std::string> ids;     ///< of claims; empty: those of the manifest
  std::vector<std::string> claims;  ///< files or folders
  std::string out;
  std::uint64_t seed = 1;
  bool replace = false;  ///< golden values that differ are replaced
};
int vectors(const VectorArguments& arguments);

struct ReplayArguments {
  std::vector<std::string> words;   ///< files, or cases as `check` prints them
  std::vector<std::string> claims;  ///< where the claims of cases are
};
int replay(const ReplayArguments& arguments);

}  // namespace foldproof::tool
