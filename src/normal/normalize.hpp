// SPDX-License-Identifier: MIT
// The strategy: which law to apply where, until nothing applies. Records every step it takes, so that the kernel can replay it.
// It never decides that something holds; it only proposes steps, and the kernel's own functions carry them out.
#pragma once

#include <map>
#include <set>
#include <string>

#include "kernel/check.hpp"

namespace foldproof::normal {

/// Between two ways to go on. The second is taken only where the first did not lead to a proof.
struct Choice {
  bool arose = false;
  bool second = false;
  friend bool operator==(const Choice& a, const Choice& b) { return a.second == b.second; }
};

/// How sums over a range are cut up, learned while normalizing: both sides of a claim must be cut alike.
/// And which term of a sum its reciprocal removes: rules that overlap may need another choice, so the prover tries several.
struct Cuts {
  static constexpr std::uint64_t reversed = 4;
  std::uint64_t lead_seed = 0;  ///< 0: the term with most factors; otherwise an order shuffled by the seed, the last one by nothing but structure
  bool lead_was_a_choice = false;
  bool inverse_lead_was_a_choice = false;  ///< of a term that an inverse removes
  Choice turn;      ///< i >= j and j >= i are brought to one of them
  Choice kept;      ///< i >= k, which i >= j and j > k say, is kept until j > k is turned round
  Choice pairing;   ///< a range that may be cut at a point or into equal parts is cut into equal parts
  Choice own_points;  ///< a sum with several points is cut only where its own summand changes
  Choice inwards;   ///< 1/(1 + max x) is written as the least of 1/(1 + x)
  Choice products;  ///< sin(3x) cos(x) is written with sin(4x) and sin(2x), and nothing with sin(x) and cos(x)
  Choice multiple;  ///< sin(3x) is written with sin(x) and cos(x), in 2^3 products; seldom needed
  std::map<kernel::Index, std::set<kernel::Index>> splits;  ///< range -> inner points
  std::map<kernel::Index, kernel::Index> pairs;             ///< range q*k -> k
  std::set<kernel::Index> only_divided;                     ///< ranges in `pairs` for the sake of v // k and v % k alone: blocks of entries take their place
  std::set<kernel::Index> unrolled;                         ///< small literal ranges
  std::set<std::pair<int, std::size_t>> strided;            ///< tensors and axes of which every k-th entry is taken somewhere
  bool as_written = false;  ///< nothing is rewritten
  friend bool operator==(const Cuts&, const Cuts&) = default;
};

/// Limits; reaching one throws LimitReached with its name.
struct Limits {
  std::size_t steps = 200000;                           ///< of one normalization
  std::size_t effort() const { return 2000 * steps; }  ///< of all normalizations with these limits: atoms looked at, bodies and all, and `trial` for every law tried
  mutable std::size_t bounds = 6000;                    ///< steps that make an inequality sharper, tried by all proofs with these limits
  mutable std::size_t spent = 0;                        ///< of the effort
  static constexpr std::size_t trial = 4000;            ///< a step, or a law that does not apply, takes as long as looking at so many atoms
  /// Errors: expr::LimitReached when all of the effort is spent.
  void spend(std::size_t more) const;
};

/// What all proofs of one decision may spend together: a claim may lead to thousands of others, each within limits of its own. Counts, so that
/// the answer is the same on every machine. What one spends within another is spent of both.
class Allowance {
 public:
  static constexpr std::size_t most = 2'000'000'000;  ///< no proof of a claim of the tests takes more than 1'550'000'000
  static constexpr std::size_t some = most / 10;    ///< of one way to name sizes, of several
  static constexpr std::size_t little = most / 20;  ///< of what is asked beside a decision
  explicit Allowance(std::size_t limit = most);
  ~Allowance();
  Allowance(const Allowance&) = delete;
  Allowance& operator=(const Allowance&) = delete;
  /// Errors: expr::LimitReached when all is spent. Nothing where no decision is made.
  static void spend(std::size_t more);

 private:
  std::size_t limit_, spent_ = 0;
  Allowance* outer_;
};

/// Brings p into normal form. Appends the steps taken to `script` and what it learned to `cuts`.
kernel::Poly normalize(kernel::Theory& theory, const kernel::Poly& p, Cuts& cuts, kernel::Script& script, const Limits& limits);

}  // namespace foldproof::normal
