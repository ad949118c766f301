// SPDX-License-Identifier: MIT
// Looks for any violating instance of one shape. Polynomial claims are evaluated at random points of a prime field, where a
// difference cannot be missed by bad luck; other claims at varied exact instances, for each choice of the variables that hold
// multiples of ln 2; what no exact type holds, in enclosures.
#pragma once

#include <memory>
#include <optional>

#include "refute/refute.hpp"
#include "refute/trial.hpp"

namespace foldproof::refute {

enum class NumberType { field, exact, interval };

/// How much of one shape is looked at: the simplest instance and random ones; where there are few entries, all instances of 0, 1
/// and -1 as far as they are exact; at any number of entries those with fewest of them that are not 0; or the simplest instance, that of ones, and that of a single one a tensor.
enum class Effort { draws, small, sparse, simplest };

/// What one shape shows.
struct Screening {
  bool tried = false;        ///< instances of this shape were looked at: it is not too large
  bool empty = false;        ///< a part selects nothing at these sizes, so it was not
  bool satisfiable = false;  ///< some instance satisfies the assumptions
  int holds = 0;             ///< instances at which the claim held
  int undefined = 0;         ///< instances at which some side has no value
  bool differs = false;
  NumberType type = NumberType::exact;  ///< in which the difference was seen
  std::shared_ptr<const Space> space;   ///< of the difference
  std::shared_ptr<const numeric::Program> program;
  std::optional<std::vector<std::size_t>> witness;  ///< absent when the field alone saw the difference
};

class Screen {
 public:
  Screen(const infer::Problem& problem, const Options& options);
  /// Skips the shape when a side has an empty axis or grows too large.
  Screening at(const expr::DimValues& dims, int draws, int field_draws, Effort effort = Effort::draws);
  std::int64_t instances() const { return instances_; }
  /// Those at which some side has no value.
  std::int64_t undefined() const { return undefined_; }
  /// Values were passed over at some shape because it could not be told whether they satisfy the assumptions.
  bool unsure() const { return unsure_; }
  /// Scalar operations so far, those of exact numbers counted several times.
  std::int64_t work() const { return work_; }

 private:
  /// One choice of logarithmic variables, and how it fared at earlier shapes.
  struct Track {
    Lane lane;
    int dead = 0;
    bool alive = false;
  };
  enum class Use { all_exact, some_exact, none };

  /// True when the field settled the shape, either way.
  bool settled_in_field(const Space& space, const std::shared_ptr<const numeric::Program>& program, int draws, Screening& result);
  template <class T>
  Finding run(Trial<T>& trial, const std::shared_ptr<const Space>& space, Screening& result);
  template <class T>
  void try_positive(const std::shared_ptr<const Space>& space, int draws, Screening& result);
  void try_dependent(const std::shared_ptr<const Space>& space, Screening& result);
  template <class T>
  Use try_space(const std::shared_ptr<const Space>& space, int draws, Effort effort, Screening& result);

  const infer::Problem* problem_;
  std::uint64_t seed_;
  std::size_t completions_;
  bool empty_axes_;
  std::vector<Track> tracks_;
  bool field_ = true;
  bool unsure_ = false;
  std::int64_t instances_ = 0, undefined_ = 0;
  std::int64_t work_ = 0;
};

}  // namespace foldproof::refute
