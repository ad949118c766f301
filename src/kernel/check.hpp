// SPDX-License-Identifier: MIT
// What counts as a proof: a certificate, and the one function that accepts or rejects it. Part of the trusted base.
//
// A certificate is a list of steps. The checker unfolds the claim into a sum of products that must be shown zero, puts its
// monomials on a stack, and lets the steps work on the topmost one: a law replaces it by other monomials, `enter` descends
// into a body, `keep` names its bound variables and lays it aside. What was laid aside is added up; nothing may remain.
#pragma once

#include <string>
#include <vector>

#include "kernel/laws.hpp"
#include "kernel/reduction.hpp"

namespace foldproof::kernel {

using Script = std::vector<Step>;

struct Certificate {
  std::vector<Script> assumptions;  ///< one script for each assumed equation, then one for each assumed sign: the form that `goal` uses
  Script goal;
  Reduction reduction;             ///< unless none, the scripts are empty
  std::vector<Certificate> parts;  ///< of the claims that the reduction asks for
};

/// Reductions within reductions.
inline constexpr int deepest_reduction = 24;

/// Bodies within each other that a script may enter: an equation such as S == T + lse(S) makes them deeper without end.
inline constexpr int deepest_body = 1500;

/// Runs a script on p from step `next` to its end, or to the `leave` that ends the body. Throws Reject.
Poly run(Theory& theory, const Poly& p, const Script& script, std::size_t& next);

struct Outcome {
  bool accepted = false;
  std::string reason;     ///< why not
  std::size_t step = 0;   ///< where, counted from 0 over the goal's script
};

/// Accepts exactly when the certificate shows the claim, wherever both sides are defined.
Outcome check(const expr::Claim& claim, const Certificate& certificate);
/// The same for a certificate without reduction.
Outcome check(const infer::Problem& problem, const Certificate& certificate);

}  // namespace foldproof::kernel
