// SPDX-License-Identifier: MIT
// Single entries of terms at instances that are too large to be held: only what an entry needs is computed, and the entries of the
// variables are asked for. For counterexamples of small sizes that are padded to those of a real model.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "numeric/exact.hpp"
#include "numeric/interval.hpp"
#include "numeric/program.hpp"

namespace foldproof::numeric {

/// A variable of which most entries are zero.
template <class T>
struct SparseVariable {
  std::function<T(std::span<const std::int64_t>)> entry;
  /// The places along an axis where an entry may not be zero, in order; of a matrix with ones on the rest of its diagonal, these besides it.
  std::vector<std::vector<std::int64_t>> places;
  bool diagonal = false;
};

/// Defined for Exact and Interval.
template <class T>
class EntryMachine {
 public:
  /// Requires: a variable for each that the program mentions.
  EntryMachine(std::shared_ptr<const Program> program, std::map<std::string, SparseVariable<T>> variables, std::int64_t most_entries);
  /// The entry of a root. Errors: Undefined, NeedsReals, expr::LimitReached when more entries than allowed were computed.
  T root(std::size_t k, std::span<const std::int64_t> indices) {
    forget_many();
    return entry(program_->root(k), indices);
  }
  const std::vector<std::int64_t>& shape(std::size_t k) const { return program_->steps()[static_cast<std::size_t>(program_->root(k))].shape; }
  /// Whether a root has a value in every entry, whatever the variables are.
  bool is_total(std::size_t k) const { return total_[static_cast<std::size_t>(program_->root(k))]; }
  /// Whether every quotient, root, logarithm and power of these variables has a value, and with them all entries of the roots; false where
  /// something else may lack one, or where that is to be asked of more than `most` entries. Errors: as of `root`.
  bool has_values(std::int64_t most);
  /// So many entries more may be computed.
  void allow(std::int64_t more) { left_ += more; }
  std::int64_t left() const { return left_; }

 private:
  const T& entry(int step, std::span<const std::int64_t> indices);
  const T& of_whole(int step, std::int64_t place);
  T product(const Step& step, std::span<const std::int64_t> indices);
  std::vector<std::int64_t> inner_places(const Step& step, std::span<const std::int64_t> indices);
  using Places = std::optional<std::set<std::int64_t>>;
  /// The places along an axis of a step where an entry may not be zero; nothing where it may be in all of them.
  const Places& places_along(int step, std::size_t axis);
  Places find_places(int step, std::size_t axis);
  const SparseVariable<T>* variable(int step) const;
  void forget_many();

  std::shared_ptr<const Program> program_;
  std::map<std::string, SparseVariable<T>> variables_;
  std::vector<std::unordered_map<std::int64_t, T>> known_;
  std::map<std::pair<int, std::size_t>, Places> places_;  ///< by step and axis
  std::vector<bool> total_;  ///< steps that have a value whatever their variables are
  std::int64_t left_;
  std::size_t computed_ = 0;  ///< entries that are known
  T asked_;
};

extern template class EntryMachine<Exact>;
extern template class EntryMachine<Interval>;

}  // namespace foldproof::numeric
