// SPDX-License-Identifier: MIT
#include "run/environment.hpp"

#include <fmt/format.h>
#include <openssl/crypto.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <tbb/version.h>

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <boost/version.hpp>
#include <cfenv>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <limits>
#include <set>
#include <sstream>
#include <thread>

#include "record/digest.hpp"

namespace foldproof::run {

namespace {

constexpr const char* unknown = "unknown";

std::string compiler() {
#if defined(__clang__)
  return std::string("clang++ ") + __clang_version__;
#else
  return std::string("g++ ") + __VERSION__;
#endif
}

std::string standard_library() {
#if defined(_LIBCPP_VERSION)
  return "libc++ " + std::to_string(_LIBCPP_VERSION);
#elif defined(__GLIBCXX__)
  return "libstdc++ " + std::to_string(__GLIBCXX__);
#else
  return unknown;
#endif
}

// Instruction sets that this binary was compiled to use: what float results depend on, unlike what the processor offers.
Json compiled_for() {
  Json out = Json::array();
#if defined(__SSE2__)
  out.push_back("sse2");
#endif
#if defined(__AVX__)
  out.push_back("avx");
#endif
#if defined(__AVX2__)
  out.push_back("avx2");
#endif
#if defined(__FMA__)
  out.push_back("fma");
#endif
#if defined(__AVX512F__)
  out.push_back("avx512f");
#endif
#if defined(__ARM_NEON)
  out.push_back("neon");
#endif
#if defined(__FAST_MATH__)
  out.push_back("fast-math");
#endif
#if defined(__SANITIZE_ADDRESS__)
  out.push_back("address-sanitizer");
#endif
  return out;
}

// Seen in what the arithmetic of this build does, not in its flags.
bool fuses_products() {
  volatile double a = 1 + 0x1p-30;
  volatile double minus_one_rounding = -(1 + 0x1p-29);
  return a * a + minus_one_rounding != 0;  // 2^-60 is left when the product is not rounded
}

Json build() {
  Json out;
  out["compiler"] = compiler();
  out["standard_library"] = standard_library();
  out["flags"] = FOLDPROOF_FLAGS;
  out["build_type"] = FOLDPROOF_BUILD_TYPE;
  out["compiled_for"] = compiled_for();
  out["fuses_products"] = fuses_products();
  return out;
}

Json libraries() {
  Json out;
  out["Eigen"] = fmt::format("{}.{}.{}", EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION, EIGEN_MINOR_VERSION);
  out["Boost"] = fmt::format("{}.{}.{}", BOOST_VERSION / 100000, BOOST_VERSION / 100 % 1000, BOOST_VERSION % 100);
  out["nlohmann_json"] = fmt::format("{}.{}.{}", NLOHMANN_JSON_VERSION_MAJOR, NLOHMANN_JSON_VERSION_MINOR, NLOHMANN_JSON_VERSION_PATCH);
  out["fmt"] = fmt::format("{}.{}.{}", FMT_VERSION / 10000, FMT_VERSION / 100 % 100, FMT_VERSION % 100);
  out["oneTBB"] = TBB_runtime_version();
  out["OpenSSL"] = OpenSSL_version(OPENSSL_VERSION);
  out["RapidCheck"] = FOLDPROOF_RAPIDCHECK;
  return out;
}

// The instruction sets worth telling, of those that the processor offers.
Json instruction_sets(const std::string& flags) {
  static const std::set<std::string> told = {"sse4_2",      "avx",         "avx2",     "fma",   "f16c", "avx512f", "avx512bw",
                                             "avx512_fp16", "avx512_bf16", "amx_bf16", "asimd", "fphp", "sve"};
  Json out = Json::array();
  std::istringstream words(flags);
  for (std::string word; words >> word;) {
    if (told.count(word) > 0) out.push_back(word);
  }
  return out;
}

Json processor() {
  std::string model = unknown;
  std::string flags;
  std::ifstream in("/proc/cpuinfo");
  for (std::string line; std::getline(in, line) && (model == unknown || flags.empty());) {
    const std::size_t colon = line.find(':');
    if (colon == std::string::npos || colon + 2 > line.size()) continue;
    if (line.rfind("model name", 0) == 0) model = line.substr(colon + 2);
    if (line.rfind("flags", 0) == 0 || line.rfind("Features", 0) == 0) flags = line.substr(colon + 1);
  }
  return {{"model", model}, {"offers", instruction_sets(flags)}, {"threads", std::thread::hardware_concurrency()}};
}

// Modes of the processor that a library or a shell may have changed.
Json floating_point() {
  const int mode = std::fegetround();
  volatile double smallest = std::numeric_limits<double>::min();
  return {{"rounding", mode == FE_TONEAREST ? "to nearest" : mode == FE_UPWARD ? "upward" : mode == FE_DOWNWARD ? "downward" : "toward zero"},
          {"keeps_subnormals", smallest / 2 > 0}};
}

// Variables that change what a run computes, or how long it takes. null: not set.
Json variables() {
  Json out = Json::object();
  for (const char* name : {"EIGEN_NUM_THREADS", "GLIBC_TUNABLES", "LC_ALL", "LD_PRELOAD", "OMP_NUM_THREADS", "RC_PARAMS", "SOURCE_DATE_EPOCH", "TBB_NUM_THREADS"}) {
    const char* value = std::getenv(name);
    out[name] = value == nullptr ? Json(nullptr) : Json(value);
  }
  return out;
}

std::string container() {
  std::error_code ignored;
  if (std::filesystem::exists("/.dockerenv", ignored)) return "docker";
  if (std::filesystem::exists("/run/.containerenv", ignored)) return "podman";
  const char* named = std::getenv("container");
  return named != nullptr && *named != '\0' ? named : "none found";
}

std::string system_name() {
  std::ifstream in("/etc/os-release");
  for (std::string line; std::getline(in, line);) {
    if (line.rfind("PRETTY_NAME=", 0) != 0) continue;
    std::string name = line.substr(12);
    name.erase(std::remove(name.begin(), name.end(), '"'), name.end());
    return name;
  }
  return unknown;
}

Json system() {
  utsname names{};
  if (::uname(&names) != 0) return {{"name", system_name()}, {"kernel", unknown}, {"architecture", unknown}, {"container", container()}};
  return {{"name", system_name()}, {"kernel", std::string(names.sysname) + " " + names.release}, {"architecture", names.machine}, {"container", container()}};
}

}  // namespace

Json environment(std::uint64_t seed, const Json& source) {
  Json out;
  out["foldproof"] = FOLDPROOF_VERSION;
  out["source"] = source;
  out["seed"] = std::to_string(seed);
  out["generator"] = "philox4x32-10";
  out["case_rule"] = "case k of a claim is a function of (seed, claim id, k), entry [i, j] of a tensor of (case, tensor, i, j)";
  out["build"] = build();
  out["build_fingerprint"] = record::sha256(record::dump(out["build"])).substr(0, 16);
  out["libraries"] = libraries();
  out["variables"] = variables();
  out["floating_point"] = floating_point();
  out["processor"] = processor();
  out["system"] = system();
  return out;
}

std::int64_t unix_time() {
  std::time_t now = std::time(nullptr);
  if (const char* epoch = std::getenv("SOURCE_DATE_EPOCH"); epoch != nullptr && *epoch != '\0') {
    char* end = nullptr;
    const long long given = std::strtoll(epoch, &end, 10);
    if (*end == '\0') now = static_cast<std::time_t>(given);
  }
  return now;
}

std::string utc_time() {
  const std::time_t now = unix_time();
  std::tm parts{};
  if (::gmtime_r(&now, &parts) == nullptr) return unknown;
  std::array<char, 64> text{};
  return std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts) > 0 ? text.data() : unknown;
}

std::uint64_t peak_memory() {
  rusage usage{};
  return ::getrusage(RUSAGE_SELF, &usage) == 0 ? static_cast<std::uint64_t>(usage.ru_maxrss) * 1024 : 0;
}

std::string host() {
  utsname names{};
  return ::uname(&names) == 0 ? names.nodename : unknown;
}

}  // namespace foldproof::run
