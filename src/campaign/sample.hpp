// SPDX-License-Identifier: MIT
// The random instances of a campaign. Each is a pure function of (seed, claim, case number), and each weight of (case, tensor,
// row, column), so cases can be run in any order and in pieces, and slicing a tensor keeps its numbers.
// Sixteen cases in a row share one shape, so that the program of a shape is made once. Values are dyadic and exactly
// representable in the format under test; assumptions are met exactly, never nearly. What cannot be met is discarded.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "campaign/family.hpp"
#include "infer/problem.hpp"
#include "numeric/half.hpp"
#include "numeric/random.hpp"
#include "numeric/tensor.hpp"

namespace foldproof::campaign {

inline constexpr std::int64_t cases_per_shape = 16;

/// A format, or the integers |x| < 2**bits of the exact lane, or the halves of the rational lane, or the numbers at the edges of
/// a format where hazards are; there masks may have rows that allow nothing.
struct Lane {
  const numeric::FormatInfo* format = &numeric::float64_format;
  int integer_bits = 0;
  bool halves = false;
  bool edges = false;
};

using Values = std::map<std::string, numeric::Tensor<double>>;

class Sampler {
 public:
  /// The tensors of cases at one shape, drawn one case after the other into the same memory.
  class Drawing {
   public:
    /// `given` are not drawn, and are among the values only where the claim assumes something. Requires: the sampler outlives it.
    Drawing(const Sampler& sampler, const expr::DimValues& dims, const Values& given = {});
    /// Draws a tensor for every variable that is not given; whether the assumptions are met.
    bool draw(std::int64_t index, const Lane& lane);
    const Values& values() const { return values_; }

   private:
    friend class Sampler;
    void draw_variable(std::size_t variable, std::int64_t index, const Lane& lane);

    const Sampler& sampler_;
    expr::DimValues dims_;
    Values values_;
    std::vector<numeric::Tensor<double>*> tensors_;  ///< of the variables in turn, in values_; null for those that are given
    std::vector<std::uint64_t> bits_;
  };

  /// `fixed` gives sizes that are not to be drawn, such as those of given tensors. Requires: `problem` outlives the sampler.
  Sampler(const infer::Problem& problem, std::uint64_t seed, const std::string& claim, expr::DimValues fixed = {}, const FamilyTurns& turns = family_turns);

  /// The sizes of a block of cases, within the limits of a case; nullopt when none was found that the assumptions allow.
  /// `tiny` asks for sizes up to 3.
  std::optional<expr::DimValues> sizes(std::int64_t block, bool tiny) const;
  Family family(std::int64_t index) const;
  /// A tensor for every variable; nullopt when the assumptions are not met. `given` replaces drawn tensors.
  std::optional<Values> values(std::int64_t index, const expr::DimValues& dims, const Lane& lane, const Values& given = {}) const;
  /// Whether the values satisfy the assumptions, by exact evaluation. Errors: none, what has no value is not satisfied.
  bool satisfied(const expr::DimValues& dims, const Values& values) const;
  /// Whether every value drawn for an integer lane is an integer below 2**bits in magnitude, bits at least 6 for token numbers.
  bool integral() const;
  /// Degenerate instances that are never drawn, in words.
  std::vector<std::string> excluded() const;

 private:
  struct Role {  ///< what the assumptions say about one variable alone
    std::string structure;
    bool mask = false;
    std::vector<const infer::Fact*> bounds;
    std::optional<expr::Dim> vocabulary;
  };
  std::int64_t cost(const expr::DimValues& dims) const;
  bool acceptable(const expr::DimValues& dims) const;
  /// Sizes that assumptions ask for and chance does not meet, such as d > 100 or n*d == 1001.
  std::optional<expr::DimValues> sizes_asked_for(std::int64_t block) const;
  void repair(std::int64_t index, const numeric::FormatInfo& format, Values& values) const;

  const infer::Problem& problem_;
  std::uint64_t key_;
  expr::DimValues fixed_;
  FamilyTurns turns_;
  std::vector<Role> roles_;
  std::vector<std::string> heads_;  ///< dimension names that count the values of a comprehension
  std::vector<std::string> tied_;   ///< variables that an assumption ties together
  mutable std::optional<std::vector<expr::DimValues>> asked_for_;  ///< once they are needed
};

/// Cases that cost much more than usual are not all run: one in this many is, by its number alone.
std::int64_t one_case_in(const infer::Problem& problem, const expr::DimValues& dims);

/// A name for a claim from its content, for use as a key.
std::string signature(const infer::Problem& problem);

}  // namespace foldproof::campaign
