// SPDX-License-Identifier: MIT
// The two ways in which a scalar operation has no result. They are different answers:
// `Undefined` says that the expression has no value at this instance, so the instance shows nothing about the claim;
// `NeedsReals` says that the value exists, but this number type cannot hold it, so another type must be tried.
// A search meets both at most of its instances, so their messages name no number: writing one down costs more than computing it.
#pragma once

#include <stdexcept>

namespace foldproof::numeric {

/// A value is not defined here (1/0, log(0)), or an enclosure is too wide to show that it is.
struct Undefined : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The value is real but not representable in this exact number type.
struct NeedsReals : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace foldproof::numeric
