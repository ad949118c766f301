// SPDX-License-Identifier: MIT
// Refutes claims: searches for an instance that satisfies the assumptions and at which the two sides differ, and makes it minimal.
// Minimal means: no smaller shape refutes (fewest entries first), at that shape no instance with fewer non-zero entries, and
// among those none with smaller numbers in the order 1, -1, 2, -2, 1/2; where the search is cut, shrinking takes its place.
// Nothing found says nothing about the claim. Uses no part of the prover.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "infer/problem.hpp"
#include "numeric/evaluate.hpp"

namespace foldproof::refute {

struct Options {
  std::uint64_t seed = 1;
  std::size_t shapes = 400;             ///< largest number of shapes tried
  int draws = 12;                       ///< random instances at each shape, for each choice of logarithmic variables
  std::int64_t screening = 10'000'000;  ///< scalar operations spent on looking for a shape that refutes
  std::int64_t operations = 4'000'000;  ///< scalar operations spent on making the counterexample minimal
  bool further = true;                  ///< larger shapes and points between the numbers tried are looked at when all else failed
  bool smallest = true;                 ///< smaller shapes are looked at once more, and smaller numbers; not needed where only the end counts
  bool empty_axes = false;              ///< only shapes are tried at which some part has an axis without entries, as NumPy has it
  std::size_t completions = 48;         ///< of tensors that satisfy equations which are assumed, solved for entry by entry, at each shape
};

/// A tensor as exact text ("-3/7", "2*log(2)", "[0.1, 0.2]" for an enclosure), row-major.
struct TextTensor {
  std::vector<std::int64_t> shape;
  std::vector<std::string> values;
};

/// An instance at which the claim fails, verified from scratch.
struct Counterexample {
  numeric::Instance<numeric::Exact> instance;
  std::vector<std::pair<std::string, TextTensor>> values;  ///< in the order of the claim's variables; without those of which a claim about sizes says nothing
  TextTensor lhs;
  TextTensor rhs;
  std::vector<std::int64_t> entry;  ///< indices of the first entry that violates the relation
  std::string how;                  ///< "exact", or "interval" when the sides are enclosed in disjoint intervals
  bool minimal = false;             ///< the search below it was exhaustive, not cut and shrunk
};

enum class End {
  refuted,    ///< a counterexample was found
  no_instance,  ///< none that was tried satisfies the assumptions
  undefined,  ///< at every instance tried some side had no value
  exhausted,  ///< the claim held wherever both sides had a value
  too_large,  ///< no shape was small enough to be tried
};
const char* text(End end);

struct Refutation {
  End end = End::exhausted;
  std::optional<Counterexample> counterexample;
  std::size_t shapes = 0;          ///< shapes tried
  std::size_t empty_shapes = 0;    ///< not tried because a part selects nothing there
  std::int64_t instances = 0;      ///< instances evaluated
  std::int64_t undefined = 0;      ///< of these, at which some side has no value
};

/// Searches for a counterexample. The same problem and options give the same answer on every machine.
Refutation refute(const infer::Problem& problem, const Options& options = {});

/// Checks a counterexample by plain evaluation, assumptions first, sharing nothing with the search.
/// Returns the first violating entry and both sides, or nullopt when it refutes nothing.
std::optional<Counterexample> verify(const infer::Problem& problem, const numeric::Instance<numeric::Exact>& instance);

/// Where one size is 1, or two are equal: much is true of such that is false in general.
struct ThinSet {
  std::string size;
  expr::Dim value;
  std::vector<expr::DimValues> shapes;  ///< some of it
};
/// The thin sets that do not hold the sizes `failed`, where a claim fails.
std::vector<ThinSet> thin_sets(const infer::Problem& problem, const expr::DimValues& failed, const Options& options = {});
/// Instances of a thin set at which the claim held, up to so many random ones a shape: 0 when it failed at one, fewer than `draws` had values, or some were passed over.
int holding_instances(const infer::Problem& problem, const ThinSet& thin, int draws, const Options& options = {});
/// Whether a longer search finds that the claim fails somewhere in a thin set.
bool refuted_within(const infer::Problem& problem, const ThinSet& thin, const Options& options = {});

}  // namespace foldproof::refute
