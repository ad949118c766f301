// SPDX-License-Identifier: MIT
// How fast campaigns are, beside their peers, interleaved in one run: a bare C++ loop that draws numbers and computes the same
// products, the products alone at d = 512, and Hypothesis with NumPy where it is installed. Times are processor times of this
// process, the best of several rounds, so that a busy machine disturbs them little.
//   foldproof-bench [--out FILE] [--rounds N] [--python PYTHON]
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <functional>
#include <iostream>
#include <nlohmann/json.hpp>
#include <vector>

#include "campaign/campaign.hpp"
#include "campaign/sides.hpp"
#include "expr/syntax.hpp"
#include "numeric/product.hpp"
#include "numeric/random.hpp"

namespace foldproof {
namespace {

using Json = nlohmann::ordered_json;
using numeric::ProductLibrary;

const char* const fold = "X: [n, a]; A: [a, b]; B: [b, c]; (X @ A) @ B == X @ (A @ B)";

double processor_seconds() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}
double seconds(const std::function<void()>& job) {
  const double start = processor_seconds();
  job();
  return processor_seconds() - start;
}
double rounded(double value) { return std::strtod(std::to_string(value).c_str(), nullptr); }

/// Both sides of the fold by hand.
template <class T>
struct BareLoop {
  std::int64_t d;
  std::vector<T> x = matrix(), a = matrix(), b = matrix(), xa = matrix(), left = matrix(), ab = matrix(), right = matrix();
  std::vector<std::uint64_t> bits = std::vector<std::uint64_t>(static_cast<std::size_t>(d * d));
  double worst = 0;

  std::vector<T> matrix() const { return std::vector<T>(static_cast<std::size_t>(d * d)); }
  void draw(std::int64_t index) {
    std::uint64_t stream = 16 + (static_cast<std::uint64_t>(index) << 16);
    for (auto* m : {&x, &a, &b}) {
      numeric::Stream(7, stream++).draw_matrix(d, bits);
      for (std::size_t i = 0; i < m->size(); ++i) (*m)[i] = static_cast<T>(numeric::dyadic(bits[i], std::is_same_v<T, double> ? 53 : 24));
    }
  }
  void multiply() {
    numeric::multiply(x.data(), a.data(), xa.data(), {d, d, d});
    numeric::multiply(xa.data(), b.data(), left.data(), {d, d, d});
    numeric::multiply(a.data(), b.data(), ab.data(), {d, d, d});
    numeric::multiply(x.data(), ab.data(), right.data(), {d, d, d});
  }
  void run(std::int64_t cases) {
    for (std::int64_t index = 0; index < cases; ++index) {
      draw(index);
      multiply();
      for (std::size_t i = 0; i < left.size(); ++i) worst = std::max(worst, static_cast<double>(std::abs(left[i] - right[i])));
    }
  }
};

/// Instances a campaign ran: those against bounds, and those bit for bit.
std::int64_t instances(const campaign::Campaign& c) { return c.formats[0].cases + c.exact.cases; }

campaign::CampaignOptions options_for(const std::string& format, std::int64_t cases) {
  campaign::CampaignOptions options;
  options.cases = cases;
  options.formats = {format};
  options.first_case = 16;
  options.rational_every = 1 << 30;  // not among the products that are compared
  return options;
}

template <class T>
Json small_products(const std::string& format, std::int64_t d, int rounds) {
  const infer::Problem problem = infer::elaborate(expr::parse_claim(fold));
  const std::int64_t cases = 16 * std::max<std::int64_t>(20, 1'000'000 / (d * d * d + 2000));
  campaign::CampaignOptions options = options_for(format, cases);
  options.dims = {{"n", d}, {"a", d}, {"b", d}, {"c", d}};
  BareLoop<T> bare{d};
  std::int64_t ran = 0, by_norms = 0;
  double of_bare = 1e9, of_campaign = 1e9;
  for (int round = 0; round < rounds; ++round) {
    of_bare = std::min(of_bare, seconds([&] { bare.run(2 * cases); }));
    of_campaign = std::min(of_campaign, seconds([&] {
                             const campaign::Campaign c = campaign::run(problem, options, campaign::Expectation::equal);
                             ran = instances(c);
                             by_norms = c.formats[0].by_norms;
                           }));
  }
  const double bare_rate = static_cast<double>(2 * cases) / of_bare;
  const double rate = static_cast<double>(ran) / of_campaign;
  std::printf("%-8s d = %2lld   bare loop %9.0f cases/s   campaign %9.0f cases/s   ratio %.2f\n", format.c_str(), static_cast<long long>(d), bare_rate, rate,
              rate / bare_rate);
  return {{"format", format}, {"d", d}, {"cases", ran}, {"by_norms", by_norms}, {"bare_per_second", rounded(bare_rate)}, {"campaign_per_second", rounded(rate)}, {"ratio", rounded(rate / bare_rate)}};
}

template <class T>
Json large_products(const std::string& format, ProductLibrary library, int rounds) {
  constexpr std::int64_t d = 512;
  numeric::use(library);
  const infer::Problem problem = infer::elaborate(expr::parse_claim(fold));
  const expr::DimValues dims{{"n", d}, {"a", d}, {"b", d}, {"c", d}};
  const auto& info = campaign::format_called(format);
  const campaign::Sampler sampler(problem, 1, "", dims);
  const campaign::Values values = *sampler.values(0, dims, {&info, 0, false});
  campaign::Sides sides(problem, dims, info, campaign::Mutation::none);
  BareLoop<T> bare{d};
  bare.draw(0);
  bare.multiply();
  campaign::Comparison comparison = sides.compare(values, campaign::Bounds::norms);
  double of_products = 1e9, of_check = 1e9, of_entries = 1e9;
  for (int round = 0; round < rounds; ++round) {
    of_products = std::min(of_products, seconds([&] { bare.multiply(); }));
    of_check = std::min(of_check, seconds([&] { comparison = sides.compare(values, campaign::Bounds::norms); }));
    if (round < 2) of_entries = std::min(of_entries, seconds([&] { sides.compare(values, campaign::Bounds::entries); }));
  }
  const std::string name = library == ProductLibrary::eigen ? "Eigen" : numeric::product_library();
  const double gigaflops = 4 * 2.0 * d * d * d / of_products * 1e-9;
  std::printf("%-8s d = 512  products %7.1f ms (%.0f GFLOP/s)   with the check %7.1f ms   ratio %.2f   entry by entry %.2f   %s\n", format.c_str(), of_products * 1e3,
              gigaflops, of_check * 1e3, of_check / of_products, of_entries / of_products, name.c_str());
  numeric::use(ProductLibrary::fastest);
  return {{"format", format}, {"d", d}, {"library", name}, {"products_ms", rounded(of_products * 1e3)}, {"gflops", rounded(gigaflops)}, {"check_ms", rounded(of_check * 1e3)},
          {"ratio", rounded(of_check / of_products)}, {"entries_ratio", rounded(of_entries / of_products)}, {"by_norms", comparison.by_norms}};
}

/// Cases per second at dimensions from 1 to 64, as the Hypothesis script draws them.
double mixed_rate() {
  const infer::Problem problem = infer::elaborate(expr::parse_claim(fold));
  const numeric::Stream stream(1, 1);
  std::int64_t ran = 0;
  const double time = seconds([&] {
    for (std::int64_t block = 0; block < 64; ++block) {
      campaign::CampaignOptions options = options_for("float64", 16);
      options.first_case = 16 * (block + 1);
      std::uint64_t k = 0;
      for (const char* name : {"n", "a", "b", "c"}) options.dims[name] = numeric::uniform_integer(stream.draw(static_cast<std::uint64_t>(block), k++), 1, 64);
      ran += instances(campaign::run(problem, options, campaign::Expectation::equal));
    }
  });
  return static_cast<double>(ran) / time;
}

Json against_hypothesis(const std::string& python, int rounds) {
  double rate = 0;
  for (int round = 0; round < rounds; ++round) rate = std::max(rate, mixed_rate());
  const std::string command = python + " '" FOLDPROOF_SOURCE_DIR "/properties/bench/hypothesis_rate.py'";
  std::string output;
  if (FILE* pipe = popen(command.c_str(), "r"); pipe != nullptr) {
    std::array<char, 4096> chunk{};
    while (fgets(chunk.data(), static_cast<int>(chunk.size()), pipe) != nullptr) output += chunk.data();
    pclose(pipe);
  }
  Json peer = Json::parse(output, nullptr, false);
  if (!peer.is_object()) peer = {{"skipped", "the script gave no answer"}};
  Json result{{"campaign_per_second", rounded(rate)}};
  if (peer.contains("skipped")) {
    std::printf("d in 1..64: campaign %.0f cases/s; skipped: Hypothesis (%s)\n", rate, peer["skipped"].get<std::string>().c_str());
    result["skipped"] = peer["skipped"];
    return result;
  }
  for (const auto& [kind, value] : peer["cases_per_second"].items()) {
    std::printf("d in 1..64: campaign %.0f cases/s, Hypothesis %s %.0f cases/s, ratio %.0f\n", rate, kind.c_str(), value.get<double>(), rate / value.get<double>());
    result["ratios"][kind] = rounded(rate / value.get<double>());
  }
  result["hypothesis"] = peer;
  return result;
}

int run(const std::string& out, int rounds, const std::string& python) {
  Json report{{"schema", "foldproof-benchmark-1"}, {"property", fold}, {"clock", "processor time, best of " + std::to_string(rounds) + " rounds"}, {"products", numeric::product_library()}, {"compiler", __VERSION__}};
  report["small"] = Json::array();
  for (const std::int64_t d : {8, 16, 32, 64}) report["small"].push_back(small_products<double>("float64", d, rounds));
  for (const std::int64_t d : {8, 16, 32, 64}) report["small"].push_back(small_products<float>("float32", d, rounds));
  report["large"] = Json::array();
  std::vector<ProductLibrary> libraries{ProductLibrary::eigen};
  if (numeric::product_library().rfind("Eigen", 0) != 0) libraries.push_back(ProductLibrary::fastest);
  for (const ProductLibrary library : libraries) {
    report["large"].push_back(large_products<double>("float64", library, rounds));
    report["large"].push_back(large_products<float>("float32", library, rounds));
  }
  if (libraries.size() == 1) std::printf("skipped: OpenBLAS (not found when this was built)\n");
  report["hypothesis"] = against_hypothesis(python, rounds);
  if (out.empty()) return 0;
  std::ofstream file(out);
  file << report.dump(2) << "\n";
  file.close();
  if (!file) return std::cerr << "cannot write " << out << "\n", 2;
  return 0;
}

}  // namespace
}  // namespace foldproof

int main(int argc, char** argv) {
  std::string out, python = "/usr/bin/python3";
  int rounds = 5;
  for (int i = 1; i < argc; i += 2) {
    const std::string option = argv[i];
    if (i + 1 == argc || (option != "--out" && option != "--rounds" && option != "--python")) {
      std::cerr << "usage: foldproof-bench [--out FILE] [--rounds N] [--python PYTHON]\n";
      return 2;
    }
    if (option == "--out") out = argv[i + 1];
    if (option == "--python") python = argv[i + 1];
    if (option == "--rounds") rounds = std::max(1, std::atoi(argv[i + 1]));
  }
  return foldproof::run(out, rounds, python);
}
