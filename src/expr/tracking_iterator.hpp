// SPDX-License-Identifier: MIT
// Tells how far a reader has read: the events of the JSON reader carry no positions, and an error must name its byte.
#pragma once

#include <cstddef>
#include <iterator>

namespace foldproof::expr {

struct TrackingIterator {
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  const char* at = nullptr;
  const char** furthest = nullptr;

  reference operator*() const { return *at; }
  TrackingIterator& operator++() {
    *furthest = ++at;
    return *this;
  }
  TrackingIterator operator++(int) {
    TrackingIterator before = *this;
    ++*this;
    return before;
  }
  friend bool operator==(const TrackingIterator& a, const TrackingIterator& b) { return a.at == b.at; }
};

}  // namespace foldproof::expr
