// SPDX-License-Identifier: MIT
// How fast campaigns are, beside their peers, interleaved in one run: a bare C++ loop that draws the same numbers and computes the
// same products (its numbers one by one with Random123; in brackets: with the vectorized draws of the campaign), the products alone at d = 512, and Hypothesis with NumPy where it is installed; how false properties shrink; how many
// seeded bugs are killed and how many correct cases raise an alarm, over all true claims of the catalogue; the memory of a campaign; and
// verdicts beside those of SymPy and Z3.
// Times are processor times, the best of several rounds, so that a busy machine disturbs them little.
//   foldproof-bench [--quick] [--rounds N] [--cases N] [--python PYTHON] [--out FILE]
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <nlohmann/json.hpp>
#include <vector>

#include "../campaign/false_properties.hpp"
#include "campaign/campaign.hpp"
#include "campaign/sides.hpp"
#include "counts.hpp"
#include "expr/syntax.hpp"
#include "numeric/product.hpp"
#include "numeric/random.hpp"
#include "read/parse.hpp"
#include "peer.hpp"
#include "provers.hpp"

namespace foldproof {
namespace {

using bench::answer_of;
using bench::Json;
using bench::rounded;
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

/// Sizes of X: [n, a], A: [a, b], B: [b, c].
using Sizes = std::array<std::int64_t, 4>;
expr::DimValues named(const Sizes& s) { return {{"n", s[0]}, {"a", s[1]}, {"b", s[2]}, {"c", s[3]}}; }
Sizes square(std::int64_t d) { return {d, d, d, d}; }
/// From 1 to 64, as the Hypothesis script draws them; others in each block of cases.
Sizes mixed(std::int64_t block) {
  Sizes s{};
  for (std::size_t k = 0; k < 4; ++k) s[k] = numeric::uniform_integer(numeric::draw(1, 1, static_cast<std::uint64_t>(block), k), 1, 64);
  return s;
}

constexpr std::uint64_t seed = 1;
const char* const claim_id = "fold";

/// Both sides of the fold by hand, on the numbers of the campaign.
template <class T>
struct BareLoop {
  const numeric::FormatInfo& format;
  const campaign::FamilyTurns& turns;
  bool whole_matrices = false;  ///< drawn with Stream::draw_matrix, as the campaign does, instead of one by one
  Sizes sizes{};
  std::array<std::vector<T>, 3> factors{};  ///< X, A, B
  std::vector<T> xa{}, left{}, ab{}, right{};
  std::vector<std::uint64_t> bits{};
  std::vector<double> numbers{};
  double worst = 0;

  void resize(const Sizes& s) {
    sizes = s;
    const auto matrix = [](std::vector<T>& m, std::int64_t rows, std::int64_t columns) { m.resize(static_cast<std::size_t>(rows * columns)); };
    for (std::size_t v = 0; v < 3; ++v) matrix(factors[v], s[v], s[v + 1]);
    matrix(xa, s[0], s[2]), matrix(ab, s[1], s[3]), matrix(left, s[0], s[3]), matrix(right, s[0], s[3]);
  }
  /// The numbers of a case; with `integer_bits`, those of its exact lane.
  void draw(std::int64_t index, int integer_bits) {
    for (std::size_t v = 0; v < 3; ++v) {
      const numeric::Stream stream(numeric::mix(seed, claim_id), 16 + (static_cast<std::uint64_t>(index) << 16) + v);
      bits.resize(factors[v].size()), numbers.resize(factors[v].size());
      draw_bits(stream, sizes[v], sizes[v + 1]);
      if (integer_bits > 0) {
        const std::int64_t most = (std::int64_t{1} << integer_bits) - 1;
        for (std::size_t i = 0; i < bits.size(); ++i) factors[v][i] = static_cast<T>(numeric::uniform_integer(bits[i], -most, most));
      } else {
        const auto turn = static_cast<std::size_t>(index + static_cast<std::int64_t>(v) * 3 * (index / 8 % 2)) % turns.size();
        campaign::set_entries(turns[turn], stream, {sizes[v], sizes[v + 1]}, format, bits, numbers);
        std::transform(numbers.begin(), numbers.end(), factors[v].begin(), [](double x) { return static_cast<T>(x); });
      }
    }
  }
  void draw_bits(const numeric::Stream& stream, std::int64_t rows, std::int64_t columns) {
    if (whole_matrices) return stream.draw_matrix(columns, bits);
    std::size_t i = 0;
    for (std::int64_t row = 0; row < rows; ++row) {
      for (std::int64_t column = 0; column < columns; ++column) bits[i++] = stream.draw(static_cast<std::uint64_t>(row), static_cast<std::uint64_t>(column));
    }
  }
  void multiply() {
    const auto& [n, a, b, c] = sizes;
    numeric::multiply(factors[0].data(), factors[1].data(), xa.data(), {n, a, b});
    numeric::multiply(xa.data(), factors[2].data(), left.data(), {n, b, c});
    numeric::multiply(factors[1].data(), factors[2].data(), ab.data(), {a, b, c});
    numeric::multiply(factors[0].data(), ab.data(), right.data(), {n, a, c});
  }
  void run(std::int64_t first, std::int64_t cases, int integer_bits) {
    for (std::int64_t index = first; index < first + cases; ++index) {
      for (const int lane : {0, integer_bits}) {
        draw(index, lane);
        multiply();
        for (std::size_t i = 0; i < left.size(); ++i) worst = std::max(worst, static_cast<double>(std::abs(left[i] - right[i])));
      }
    }
  }
};

/// Instances a campaign ran: those against bounds, and those bit for bit.
std::int64_t instances(const campaign::Campaign& c) { return c.formats[0].cases + c.exact.cases; }

campaign::CampaignOptions options_for(const std::string& format, const Sizes& sizes, std::int64_t first, std::int64_t cases) {
  campaign::CampaignOptions options;
  options.seed = seed;
  options.claim = claim_id;
  options.first_case = first;
  options.cases = cases;
  options.dims = named(sizes);
  options.formats = {format};
  options.every_case = true;
  options.rational_every = 1 << 30;  // not among the products that are compared
  return options;
}

/// A campaign and the bare loop take turns; both give the best of their times.
struct Race {
  std::string format;
  std::string d;
  bool subnormal = true;  ///< also numbers whose products take the processor many times as long
  std::int64_t blocks;    ///< pieces of campaigns, each with sizes of its own
  std::int64_t cases;     ///< of each piece, a multiple of 16
  std::function<Sizes(std::int64_t)> sizes;

  template <class T>
  Json run(int rounds) const {
    const infer::Problem problem = infer::elaborate(read::parse_claim(fold));
    const auto& info = campaign::format_called(format);
    campaign::FamilyTurns turns = campaign::family_turns;
    if (!subnormal) std::replace(turns.begin(), turns.end(), campaign::Family::subnormal, campaign::Family::uniform);
    BareLoop<T> bare{info, turns};
    check<T>(problem, bare);
    std::int64_t ran = 0, by_norms = 0;
    const std::int64_t bare_ran = 2 * cases * blocks;  // in both lanes
    double of_bare = 1e9, of_matrices = 1e9, of_campaign = 1e9;
    const auto bare_loop = [&] {
      for (std::int64_t block = 0; block < blocks; ++block) {
        bare.resize(sizes(block));
        bare.run(16 + block * cases, cases, exact_bits(problem, block, info));
      }
    };
    for (int round = 0; round < rounds; ++round) {
      bare.whole_matrices = false;
      of_bare = std::min(of_bare, seconds(bare_loop));
      bare.whole_matrices = true;
      of_matrices = std::min(of_matrices, seconds(bare_loop));
      ran = by_norms = 0;
      of_campaign = std::min(of_campaign, seconds([&] {
                               for (std::int64_t block = 0; block < blocks; ++block) {
                                 auto options = options_for(format, sizes(block), 16 + block * cases, cases);
                                 options.turns = turns;
                                 const campaign::Campaign c = campaign::run(problem, options, campaign::Expectation::equal);
                                 ran += instances(c);
                                 by_norms += c.formats[0].by_norms;
                               }
                             }));
    }
    expr::invariant(ran == bare_ran, "the bare loop runs other cases");
    const double bare_rate = static_cast<double>(bare_ran) / of_bare, matrix_rate = static_cast<double>(bare_ran) / of_matrices;
    const double rate = static_cast<double>(ran) / of_campaign;
    const char* numbers = subnormal ? "all families" : "without subnormal numbers";
    std::printf("%-8s d = %-8s %-26s bare loop %9.0f cases/s   campaign %9.0f cases/s   ratio %.2f (%.2f)\n", format.c_str(), d.c_str(), numbers, bare_rate, rate, rate / bare_rate,
                rate / matrix_rate);
    std::fflush(stdout);
    return {{"format", format}, {"d", d}, {"numbers", numbers}, {"cases", ran}, {"by_norms", by_norms}, {"bare_per_second", rounded(bare_rate)},
            {"campaign_per_second", rounded(rate)}, {"ratio", rounded(rate / bare_rate)}, {"bare_with_draw_matrix_per_second", rounded(matrix_rate)},
            {"ratio_with_draw_matrix", rounded(rate / matrix_rate)}};
  }

 private:
  int exact_bits(const infer::Problem& problem, std::int64_t block, const numeric::FormatInfo& info) const {
    return campaign::Sides(problem, named(sizes(block)), info, campaign::Mutation::none).exact_bits();
  }
  /// The bare loop has the numbers of the campaign, in every family and in the exact lane.
  template <class T>
  void check(const infer::Problem& problem, BareLoop<T>& bare) const {
    const campaign::Sampler sampler(problem, seed, claim_id, named(sizes(0)), bare.turns);
    bare.resize(sizes(0));
    for (std::int64_t index = 16; index < 16 + 16; ++index) {
      for (const int lane : {0, exact_bits(problem, 0, bare.format)}) {
        const auto values = *sampler.values(index, named(sizes(0)), {&bare.format, lane, false});
        bare.draw(index, lane);
        const char* const names[] = {"X", "A", "B"};
        for (std::size_t v = 0; v < 3; ++v) {
          const auto& drawn = values.at(names[v]).values;
          expr::invariant(std::equal(drawn.begin(), drawn.end(), bare.factors[v].begin(), bare.factors[v].end()), "the bare loop multiplies other numbers");
        }
      }
    }
  }
};

template <class T>
Json large_products(const std::string& format, ProductLibrary library, std::int64_t d, int rounds) {
  numeric::use(library);
  const infer::Problem problem = infer::elaborate(read::parse_claim(fold));
  const expr::DimValues dims = named(square(d));
  const auto& info = campaign::format_called(format);
  const campaign::Values values = *campaign::Sampler(problem, seed, claim_id, dims).values(0, dims, {&info, 0, false});
  campaign::Sides sides(problem, dims, info, campaign::Mutation::none);
  BareLoop<T> bare{info, campaign::family_turns};
  bare.resize(square(d));
  bare.draw(0, 0);
  bare.multiply();
  campaign::Comparison comparison = sides.compare(values, campaign::Bounds::norms);
  double of_products = 1e9, of_check = 1e9, of_entries = 1e9;
  for (int round = 0; round < rounds; ++round) {
    of_products = std::min(of_products, seconds([&] { bare.multiply(); }));
    of_check = std::min(of_check, seconds([&] { comparison = sides.compare(values, campaign::Bounds::norms); }));
    if (round < 2) of_entries = std::min(of_entries, seconds([&] { sides.compare(values, campaign::Bounds::entries); }));
  }
  const std::string name = library == ProductLibrary::eigen ? "Eigen" : numeric::product_library();
  const double gigaflops = 8.0 * static_cast<double>(d * d * d) / of_products * 1e-9;
  std::printf("%-8s d = %-8lld products %7.1f ms (%.0f GFLOP/s)   with the check %7.1f ms   ratio %.2f   entry by entry %.2f   %s\n", format.c_str(), static_cast<long long>(d), of_products * 1e3,
              gigaflops, of_check * 1e3, of_check / of_products, of_entries / of_products, name.c_str());
  numeric::use(ProductLibrary::fastest);
  return {{"format", format}, {"d", d}, {"library", name}, {"products_ms", rounded(of_products * 1e3)}, {"gflops", rounded(gigaflops)}, {"check_ms", rounded(of_check * 1e3)},
          {"ratio", rounded(of_check / of_products)}, {"entries_ratio", rounded(of_entries / of_products)}, {"by_norms", comparison.by_norms}};
}

/// False properties found and shrunk from many seeds; times are of the search and the shrinking.
Json shrinking(const std::string& python, bool quick) {
  const int seeds = quick ? 4 : 200;
  const Json peer = answer_of(python, quick ? "hypothesis_shrink.py 1" : "hypothesis_shrink.py 5");
  Json rows = Json::array();
  for (const properties::FalseProperty& f : properties::false_properties()) {
    const properties::Shrunk o = properties::shrink_all(f.claim, f.property, seeds);
    const double median = o.both[o.both.size() / 2], largest = o.both.back();
    rows.push_back({{"property", f.what}, {"seeds", seeds}, {"forms", o.forms.size()}, {"entries", o.entries}, {"nonzeros", o.nonzeros}, {"median_ms", rounded(median)}, {"largest_ms", rounded(largest)}});
    std::printf("shrinking %s: %zu form(s), %zu numbers, %zu not zero, median %.2f ms, largest %.2f ms", f.name, o.forms.size(), o.entries, o.nonzeros, median, largest);
    rows.back()["hypothesis"] = peer.contains("skipped") ? peer : peer.value(f.name, Json::object());
    const Json& other = rows.back()["hypothesis"];
    if (other.contains("median_ms"))
      std::printf("   Hypothesis: %d form(s), %d numbers, %d not zero, median %.0f ms", other["forms"].get<int>(), other["entries"].get<int>(),
                  other["nonzeros"].get<int>(), other["median_ms"].get<double>());
    std::printf("\n");
  }
  if (peer.contains("skipped")) std::printf("skipped: shrinking by Hypothesis (%s)\n", peer["skipped"].get<std::string>().c_str());
  return rows;
}

/// `rate`: of the campaign at dimensions from 1 to 64 in float64.
Json against_hypothesis(double rate, const std::string& python) {
  const Json peer = answer_of(python, "hypothesis_rate.py");
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

struct Options {
  std::string out;
  std::string python = "/usr/bin/python3";
  int rounds = 5;
  std::int64_t cases = 1000;  ///< of each claim of the catalogue
  bool quick = false;  ///< small sizes and few cases: shows that everything runs, measures nothing
};

Json small_products(const Options& o) {
  Json rows = Json::array();
  const auto race = [&](const Race& r) { rows.push_back(r.format == "float64" ? r.run<double>(o.rounds) : r.run<float>(o.rounds)); };
  for (const bool subnormal : {true, false}) {
    for (const char* format : {"float64", "float32"}) {
      for (const std::int64_t d : {8, 16, 32, 64}) {
        if (o.quick && d > 8) continue;
        const std::int64_t cases = 16 * (o.quick ? 2 : std::max<std::int64_t>(10, 1'000'000 / (d * d * d + 2000)));
        race({format, std::to_string(d), subnormal, 1, cases, [d](std::int64_t) { return square(d); }});
      }
      race({format, "1 to 64", subnormal, o.quick ? 1 : 64, 16, mixed});
    }
  }
  return rows;
}

int run(const Options& o) {
  const std::filesystem::path folder = std::filesystem::absolute(o.out.empty() ? "." : o.out).parent_path();  // found now, not after minutes of measuring
  if (!o.out.empty() && !std::filesystem::is_directory(folder)) return std::cerr << "cannot write " << o.out << ": " << folder.string() << " is no folder\n", 2;
  Json report{{"schema", "foldproof-benchmark-1"}, {"property", fold}, {"clock", "processor time, best of " + std::to_string(o.rounds) + " rounds" + (o.quick ? ", too small to measure anything" : "")},
              {"products", numeric::product_library()}, {"compiler", __VERSION__}};
  report["memory"] = bench::memory(infer::elaborate(read::parse_claim(fold)), o.quick ? 400 : 20'000);  // before anything else takes memory
  report["small"] = small_products(o);
  report["large"] = Json::array();
  std::vector<ProductLibrary> libraries{ProductLibrary::eigen};
  if (numeric::product_library().rfind("Eigen", 0) != 0) libraries.push_back(ProductLibrary::fastest);
  for (const ProductLibrary library : libraries) {
    report["large"].push_back(large_products<double>("float64", library, o.quick ? 48 : 512, o.rounds));
    report["large"].push_back(large_products<float>("float32", library, o.quick ? 48 : 512, o.rounds));
  }
  if (libraries.size() == 1) std::printf("skipped: OpenBLAS (not found when this was built)\n");
  double rate = 0;
  for (const Json& row : report["small"]) {
    if (row["format"] == "float64" && row["d"] == "1 to 64") rate = std::max(rate, row["campaign_per_second"].get<double>());
  }
  report["hypothesis"] = against_hypothesis(rate, o.python);
  report["shrinking"] = shrinking(o.python, o.quick);
  report["provers"] = bench::provers(FOLDPROOF_SOURCE_DIR "/fixtures/claims", {o.python, o.quick});
  const auto claims = bench::true_claims(FOLDPROOF_SOURCE_DIR "/fixtures/claims", o.quick ? 10 : 1);
  report["bugs"] = bench::bugs(claims, o.quick ? 32 : o.cases);
  report["alarms"] = bench::alarms(claims, o.quick ? 16 : o.cases);
  const std::string& out = o.out;
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
  foldproof::Options options;
  bool understood = true;
  for (int i = 1; i < argc && understood; ++i) {
    const std::string option = argv[i];
    const std::string value = i + 1 < argc ? argv[i + 1] : "";
    if (option == "--quick") {
      options.quick = true;
      options.rounds = 1;
      continue;
    }
    ++i;
    if (option == "--out") {
      options.out = value;
    } else if (option == "--python") {
      options.python = value;
    } else if (option == "--rounds") {
      options.rounds = std::atoi(value.c_str());
    } else if (option == "--cases") {
      options.cases = std::atoll(value.c_str());
    } else {
      understood = false;
    }
    understood = understood && !value.empty() && options.rounds > 0 && options.cases > 0;
  }
  try {
    if (understood) return foldproof::run(options);
  } catch (const std::exception& e) {
    return std::cerr << e.what() << "\n", 2;
  }
  std::cerr << "usage: foldproof-bench [--quick] [--rounds N] [--cases N] [--python PYTHON] [--out FILE]\n";
  return 2;
}
