// SPDX-License-Identifier: MIT
// Whether a claim says anything: whether there is an instance that satisfies the assumptions and at which both sides have a
// value in every entry. x / 0 == y holds wherever both sides are defined, which is nowhere.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "infer/problem.hpp"

namespace foldproof::refute {

/// Whether an operation in the sides may lack a value: a division, a logarithm, a root, a norm without eps, an inverse, minus
/// infinity, a subscript. Looks at the operators only, so it is cheap and may say yes for nothing.
bool may_be_undefined(const infer::Problem& problem);

/// A part of a side that has no value at one instance, while its operands have one.
struct NoValue {
  expr::DimValues dims;
  infer::Term part;
  std::string cause;  ///< "division by zero"
};

struct Definedness {
  enum class Answer {
    somewhere,  ///< an instance has values on both sides
    nowhere,    ///< none was found, and parts of those tried lack a value by exact arithmetic
    unknown,    ///< none was found, but the search is too weak here to say so: sizes too large, subscripts outside, no instance
  };
  Answer answer = Answer::unknown;
  std::optional<NoValue> smallest;  ///< of `nowhere`: at the first instance tried of the smallest shape
};

/// Searches for one instance with values on both sides, the likely ones first: positive entries, sizes of 2. Stops at the first.
/// The same problem and seed give the same answer on every machine.
Definedness defined_somewhere(const infer::Problem& problem, std::uint64_t seed);

}  // namespace foldproof::refute
