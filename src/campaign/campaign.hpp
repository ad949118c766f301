// SPDX-License-Identifier: MIT
// A claim tested as a program on many random instances, against bounds that are derived from the computation itself.
// Lanes: floating point formats, where |L - R| may not exceed the sum of both bounds; small integers, where both sides must
// agree bit for bit; exact rationals at tiny sizes. Nothing is shared between runs, and pieces of a campaign add up to the whole.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "campaign/bounded.hpp"
#include "campaign/sample.hpp"
#include "campaign/sides.hpp"
#include "infer/problem.hpp"

namespace foldproof::campaign {

/// What the verdict says about the claim: its sides agree, or they differ somewhere.
enum class Expectation { equal, different };

/// The names of numeric::formats.
std::vector<std::string> every_format();
/// What one case of one format showed.
struct Observation {
  std::int64_t index = 0;
  std::string format;
  std::string family;
  expr::DimValues dims;
  Expectation expectation = Expectation::equal;
  Comparison::Outcome outcome = Comparison::Outcome::undefined;
  double ratio = 0;
  std::string element;  ///< the worst one
};

struct CampaignOptions {
  std::uint64_t seed = 1;
  std::int64_t cases = 1000;
  std::int64_t first_case = 0;
  expr::DimValues dims;  ///< sizes that are not to be drawn
  FamilyTurns turns = family_turns;
  bool every_case = false;  ///< also those of shapes that cost much more than usual, see one_case_in
  std::string claim;  ///< its id, keys the randomness; from the content when empty
  std::vector<std::string> formats = every_format();
  int sixteen_bit_every = 8;           ///< 16-bit formats run on one case in so many
  int rational_every = 32;             ///< so does the rational lane
  int chosen_every = 4;                ///< and the exact lane of claims that round
  std::function<void(const Observation&)> observe;  ///< called for every case of a float format, by the thread that runs it
  Mutation mutation = Mutation::none;  ///< of the right side, in all lanes but the rational one
  bool keep_failure = true;            ///< the first failing case is shrunk and kept
};

/// Cases with a finite bound whose largest size lies above size/2 and not above size, a power of two.
struct SizeRatio {
  std::int64_t size = 1;
  std::int64_t cases = 0;
  double worst_ratio = 0;  ///< largest |L - R|/bound among them
};

/// Counts of one format. cases = discarded + within + suspicious + vacuous + beyond.
struct FormatResult {
  std::string format;
  std::int64_t cases = 0;
  std::int64_t discarded = 0;  ///< assumptions not met, or a side has no value there
  std::int64_t within = 0;
  std::int64_t suspicious = 0;  ///< within the bound, but above the one for independent roundings
  std::int64_t vacuous = 0;     ///< no finite bound: says nothing
  std::int64_t overflowed = 0;  ///< of the vacuous ones those in which a side is not finite
  std::int64_t one_sided = 0;   ///< of the overflowed ones those in which the other side is finite there
  std::int64_t unfit = 0;       ///< of the overflowed ones those with a given tensor that the format cannot hold
  std::int64_t beyond = 0;      ///< the sides differ by more than rounding explains
  std::int64_t failed = 0;      ///< `beyond`, where the sides should agree
  std::int64_t by_norms = 0;    ///< within bounds by norms of rows and columns; all others were bounded entry by entry
  double worst_ratio = 0;       ///< largest |L - R|/bound
  std::int64_t worst_case = -1;
  std::string worst_element;  ///< index, both values as hexadecimal floats, bound
  std::string formula;        ///< the inequality with its numbers
  std::vector<SizeRatio> by_size;  ///< ascending; at most one for each power of two

  /// One more vacuous case.
  void add_vacuous(const Comparison& c);
  /// Cases that say something.
  std::int64_t compared() const { return within + suspicious + beyond; }
  /// Why the other cases say nothing, with their numbers: "one side overflows (3), the bound is infinite (1)". Empty when there are none.
  std::string not_compared() const;
};

/// Cases in which nothing is rounded, all formats together. A claim of sums and products has them by construction, on small
/// integers; for others numbers are chosen that are often exact, and those count whose bounds turn out to be zero.
struct ExactLane {
  std::int64_t cases = 0;
  std::int64_t failed = 0;     ///< not equal bit for bit
  std::int64_t chosen = 0;     ///< cases at chosen numbers, exact or not
  std::string rounding;        ///< the operator because of which there is nothing by construction

  std::string note() const;    ///< why there are no cases, or only some, in words; empty when there are by construction
};

/// A failing case, shrunk, in full.
struct MinimalCase {
  std::int64_t case_index = -1;
  std::string lane;  ///< the format, or "exact lane, <format>"
  expr::DimValues dims;
  Values values;                                             ///< the numbers, exact
  std::vector<std::pair<std::string, std::string>> tensors;  ///< the same as text, rationals row by row
  std::string lhs;                                           ///< the values of the sides in hexadecimal
  std::string rhs;
};

struct Campaign {
  Expectation expectation = Expectation::equal;
  std::vector<FormatResult> formats;
  ExactLane exact;
  std::int64_t rational_cases = 0;
  std::int64_t rational_failed = 0;   ///< the sides differ
  std::int64_t rational_skipped = 0;  ///< no value, or no exact one
  double largest_gap_ratio = 0;       ///< how clearly the programs differ: largest |L - R|/bound over all formats
  std::optional<MinimalCase> failure;
  std::vector<std::string> excluded;  ///< degenerate instances that are never drawn

  /// As expected, and something was tested: never true for vacuous or discarded cases alone.
  bool passed() const;
  /// Cases of the float formats and of the exact lane in which the sides should agree and do not.
  std::int64_t failures() const;
  /// Counts of the exact and the rational lane: the same on every machine.
  std::string digest_exact_input() const;
  /// Counts and worst ratios of the float lanes.
  std::string digest_numeric_input() const;
};

/// Runs the cases first_case ... first_case + cases - 1.
Campaign run(const infer::Problem& problem, const CampaignOptions& options, Expectation expectation);
/// The campaign of two pieces, the earlier one first. Requires: the same claim, seed and formats.
Campaign merged(const Campaign& a, const Campaign& b);

/// Entries of one side on given tensors at the same time, of about 20 bytes each with their bounds: two layers of 4096 x 11008 and their product.
inline constexpr numeric::ProgramLimit largest_given{150'000'000, true};

/// A tensor from a checkpoint.
struct GivenTensor {
  std::vector<std::int64_t> shape;
  std::vector<double> values;
  std::string format;  ///< of storage: "float32"; empty: as a double
  bool integers = false;  ///< stored as such: the format is only one that holds them
};
const numeric::FormatInfo& storage(const GivenTensor& tensor);
/// The variables that each side has for itself alone.
struct OwnVariables {
  std::set<std::string> left, right;
};
OwnVariables own_variables(const infer::Problem& problem);
/// By the name of the variable.
using GivenTensors = std::map<std::string, GivenTensor>;
struct GivenOptions {
  std::uint64_t seed = 1;
  std::int64_t draws = 8;  ///< of the variables that are not given, each at other sizes where the given tensors leave some open; at least 2 of them where each takes long
  expr::DimValues dims;    ///< sizes that the shapes do not determine, such as a number of heads
  std::vector<std::string> formats = every_format();
  /// Whether tensors of one side alone may have been computed from those of the other and stored, see Sides::set_stored. Not where the claim
  /// is an identity: then it must hold for the tensors as they are.
  bool stored_results = false;
  bool brief = false;  ///< the other formats are left out where the one that holds the tensors shows nothing to explain
};
/// One format on given tensors.
struct GivenFormat {
  FormatResult counts;
  std::vector<std::string> rerounded;  ///< given tensors that the format changes: the row is about other weights than the stored ones
  bool equal = false;                  ///< every case with values on both sides agrees bit for bit, and there is such a case
  Comparison worst;                    ///< the case that counts.worst_case names
};
struct GivenResult {
  std::vector<GivenFormat> formats;
  /// The format that answers for the stored weights: the narrowest that holds every given tensor as it is stored, computing at least in
  /// float32. Null when no format that was asked for holds them.
  const GivenFormat* answer() const { return answer_index < 0 ? nullptr : &formats[static_cast<std::size_t>(answer_index)]; }
  int answer_index = -1;
  std::vector<std::string> random;           ///< variables that are not given, drawn anew for each case
  std::vector<std::string> random_on_one_side;  ///< those of them that the other side does not mention
  std::vector<std::string> left_out;         ///< formats that were asked for and would take too long on tensors of this size
  bool misses_unit_vectors = false;          ///< random rows stand before tensors too large to meet every unit vector
  std::vector<expr::DimValues> open_sizes;   ///< of each case, those that the given tensors leave open; empty when there are none
  /// Why nothing was compared in that format, in words; empty when something was.
  std::string nothing_compared() const;
  /// Entries of the first case that are not the nearest stored numbers, by the program that gives most of them: one that rounds every step, or its
  /// result once.
  std::int64_t differing() const;
};
/// Whether the shapes of the tensors, with the given sizes, are shapes of the claim.
bool fits(const infer::Problem& problem, const GivenTensors& given, const expr::DimValues& dims);
/// The sizes that the tensors determine, as far as they have as many axes as the claim gives them.
expr::DimValues sizes_of(const infer::Problem& problem, const GivenTensors& given);
/// The given tensors that the claim has.
GivenTensors those_of(const infer::Problem& problem, const GivenTensors& given);
/// An expression on given tensors.
struct Evaluated {
  std::vector<std::int64_t> shape;
  std::vector<SideEntry> entries;  ///< in C order, each with a bound on its distance from the exact value
  std::string answer_format;       ///< the narrowest that holds the tensors as they are stored, see GivenResult
};
/// The left side of `problem`, each step rounded to the format. Requires: every variable is given. Errors: those of run_on, and `bind.value` where it has no finite value.
Evaluated evaluate_on(const infer::Problem& problem, const GivenTensors& given, const expr::DimValues& dims, const numeric::FormatInfo& format = numeric::float64_format, Operands operands = Operands::rounded_first);

/// The claim tested on given tensors; other variables are random. One result for each format.
/// Errors: expr::LimitReached beyond 150 million entries of a side at once; expr::Error `bind.name` for unknown names of tensors or sizes, `bind.shape` when the tensors do not fit the claim,
/// `bind.assumption` when they violate an assumption.
GivenResult run_on(const infer::Problem& problem, const GivenTensors& given, const GivenOptions& options = {});

}  // namespace foldproof::campaign
