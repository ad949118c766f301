// SPDX-License-Identifier: MIT
// The steps that a certificate may take on one monomial; laws.def lists them. Part of the trusted base.
// A law rewrites a monomial to a sum of monomials of equal value wherever the claim is defined; it checks its side condition
// itself and throws Reject when it does not hold. Nothing is searched for: the certificate says where a law applies.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "kernel/unfold.hpp"

namespace foldproof::kernel {

enum class Law {
#define FOLDPROOF_STEP(name, numbers, size, words) name,
#define FOLDPROOF_LAW(name, numbers, size, words) name,
#define FOLDPROOF_BOUND(name, numbers, size, words) name,
#include "kernel/laws.def"
};
inline constexpr int law_count = 0
#define FOLDPROOF_STEP(name, numbers, size, words) + 1
#define FOLDPROOF_LAW(name, numbers, size, words) + 1
#define FOLDPROOF_BOUND(name, numbers, size, words) + 1
#include "kernel/laws.def"
    ;

/// Word of a law in certificates, as sum-factor.
std::string_view name(Law law);
/// How a derivation says it.
std::string_view describe(Law law);

struct Step {
  Law law;
  std::vector<std::int64_t> args;
  expr::Dim size;  ///< split, pair, digits
  friend bool operator==(const Step&, const Step&) = default;
};

/// Whether a step of the law names a size.
bool takes_size(Law law);
/// Throws Reject unless the step has as many numbers as its law takes, and a size exactly where the law takes one.
void check_form(const Step& step);

/// Rewrites m by one law (not keep, enter or leave). Throws Reject.
std::vector<Monomial> apply(Theory& theory, const Monomial& m, const Step& step);

/// A sum that is at most p, or at most p times something positive, wherever the claim is defined. Throws Reject.
Poly lower(Theory& theory, const Poly& p, const Step& step);
/// Whether the law is a step of lower().
inline bool is_bound(Law law) { return law >= Law::clear; }

/// m with its bound variables renamed to canonical ones in the given order. Throws Reject unless `order` is a permutation.
Monomial rename(Theory& theory, const Monomial& m, const std::vector<std::int64_t>& order);

/// The sum with which the bound variables of term k of p, and the factors that mention them, are multiplied; those and the sizes of term
/// k - n, for a k that is at least the number n of terms.
Poly sum_factor_of(const Arena& arena, const Poly& p, std::size_t k);
/// The comparisons and masks in p and its bodies, as the law `cases` counts them.
std::vector<AtomId> masks(const Arena& arena, const Poly& p);

/// Factor f of m with the new body, raised to its exponent, times the rest of m.
std::vector<Monomial> replace_body(Theory& theory, const Monomial& m, std::size_t f, const Poly& body);

}  // namespace foldproof::kernel
