// SPDX-License-Identifier: MIT
#include "refute/minimize.hpp"

#include <algorithm>
#include <utility>

namespace foldproof::refute {
namespace {

using Choice = std::vector<std::size_t>;

/// So many choices in a row without a value on both sides end the enumeration: log(A @ B) has none where most entries are 0.
constexpr std::int64_t most_without_value = 3000;
/// Shrinking a witness takes at most so many times the instances of the enumeration. It is what is left where these are few.
constexpr std::int64_t shrinking_share = 20;

std::size_t moved(const Choice& choice) { return static_cast<std::size_t>(std::count_if(choice.begin(), choice.end(), [](std::size_t a) { return a != 0; })); }

/// Lowers one slot after the other until no single change to a simpler alternative keeps the violation, or `runs` are spent. Where there
/// are many, whole blocks go to alternative 0 before that, halves first, down to pairs: few of them matter, and each pass is a run for every one.
template <class T>
class Shrinking {
 public:
  Shrinking(Trial<T>& trial, Choice witness, std::int64_t runs) : trial_(trial), witness_(std::move(witness)), last_(trial.runs() + runs) {}

  Choice result() && {
    constexpr std::size_t many = 64;
    for (std::size_t block = witness_.size() > many ? witness_.size() / 2 : 0; block > 1; block /= 2) {
      for (std::size_t first = 0; first < witness_.size(); first += block) clear(first, std::min(first + block, witness_.size()));
    }
    while (lower_each()) {
    }
    return std::move(witness_);
  }

 private:
  bool keeps_violation(const Choice& attempt) {
    if (trial_.runs() >= last_) return false;
    trial_.choose(attempt);
    return trial_.run() == Finding::differs;
  }
  void clear(std::size_t first, std::size_t behind) {
    Choice attempt = witness_;
    std::fill(attempt.begin() + static_cast<std::ptrdiff_t>(first), attempt.begin() + static_cast<std::ptrdiff_t>(behind), 0);
    if (attempt != witness_ && keeps_violation(attempt)) witness_ = std::move(attempt);
  }
  bool lower_each() {
    bool changed = false;
    for (std::size_t slot = 0; slot < witness_.size(); ++slot) {
      for (std::size_t simpler = 0; simpler < witness_[slot]; ++simpler) {
        Choice attempt = witness_;
        attempt[slot] = simpler;
        if (!keeps_violation(attempt)) continue;
        witness_ = std::move(attempt);
        changed = true;
        break;
      }
    }
    return changed;
  }

  Trial<T>& trial_;
  Choice witness_;
  std::int64_t last_;
};

/// All choices with `count` moved slots whose alternative numbers exceed 1 by `excess` in all, by place.
template <class T>
class Enumeration {
 public:
  Enumeration(Trial<T>& trial, const Space& space, std::int64_t budget, std::size_t alternatives) : trial_(trial), space_(space), budget_(budget), alternatives_(alternatives) {}

  /// True when a violating choice was found; it is then the trial's choice.
  bool level(std::size_t count, std::size_t excess) {
    reached_ = 0;
    return place(0, count, excess);
  }
  bool any_reached() const { return reached_ > 0; }
  bool spent() const { return budget_ <= 0; }

 private:
  bool place(std::size_t first, std::size_t count, std::size_t excess) {
    if (spent()) return false;
    if (count == 0) {
      if (excess != 0) return false;
      ++reached_;
      --budget_;
      const Finding finding = trial_.run();
      without_value_ = finding == Finding::undefined ? without_value_ + 1 : 0;
      if (without_value_ == most_without_value) budget_ = 0;
      return finding == Finding::differs;
    }
    for (std::size_t slot = first; slot + count <= space_.slots().size(); ++slot) {
      const std::size_t most = std::min(alternatives_, space_.simple_alternatives(slot));
      // The last moved slot takes the whole rest: no dead branches below.
      for (std::size_t more = count == 1 ? excess : 0; more <= excess && more + 1 < most; ++more) {
        trial_.choose(slot, more + 1);
        if (place(slot + 1, count - 1, excess - more)) return true;
        if (spent()) break;
      }
      trial_.choose(slot, 0);
      if (spent()) return false;
    }
    return false;
  }

  Trial<T>& trial_;
  const Space& space_;
  std::int64_t budget_;
  std::size_t alternatives_;
  std::int64_t reached_ = 0;
  std::int64_t without_value_ = 0;  ///< in a row
};

}  // namespace

template <class T>
std::optional<Smallest> minimize(Trial<T>& trial, const Space& space, const std::optional<Choice>& witness, std::int64_t budget, std::size_t alternatives) {
  std::optional<Smallest> best;
  if (witness) best = Smallest{Shrinking<T>(trial, *witness, shrinking_share * budget).result(), false};
  const std::size_t most = best ? moved(best->choice) : space.slots().size();
  trial.choose(Choice(space.slots().size(), 0));
  Enumeration<T> enumeration(trial, space, budget, alternatives);
  for (std::size_t count = 0; count <= most; ++count) {
    for (std::size_t excess = 0; excess == 0 || enumeration.any_reached(); ++excess) {
      if (enumeration.level(count, excess)) return Smallest{trial.choice(), true};
      if (enumeration.spent()) return best;
    }
  }
  return best;
}

template std::optional<Smallest> minimize(Trial<Exact>&, const Space&, const std::optional<Choice>&, std::int64_t, std::size_t);
template std::optional<Smallest> minimize(Trial<numeric::Interval>&, const Space&, const std::optional<Choice>&, std::int64_t, std::size_t);
template std::optional<Smallest> minimize(Trial<numeric::PrimeField>&, const Space&, const std::optional<Choice>&, std::int64_t, std::size_t);

}  // namespace foldproof::refute
