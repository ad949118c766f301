// SPDX-License-Identifier: MIT
// Canonical order of the bound variables of a monomial: colour refinement, then individualization of ties.
// Monomials that are equal up to renaming get orders under which the renamed monomials are identical. Hashes decide, so a
// collision could only make the normaliser miss an equality; the kernel compares exactly.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "kernel/algebra.hpp"

namespace foldproof::normal {

using kernel::Arena;
using kernel::Monomial;
using kernel::Symbol;
using Colours = std::map<Symbol, std::uint64_t>;

/// Structural hash of a monomial, independent of the names of its bound variables; free variables count by `free`.
std::uint64_t hash(const Arena& arena, const Monomial& m, const Colours& free);
std::uint64_t hash(const Arena& arena, kernel::AtomId a, const Colours& colours);
std::uint64_t hash(const Arena& arena, const kernel::Index& e, const Colours& colours);
std::uint64_t hash(const Arena& arena, const kernel::Poly& p, const Colours& colours);

/// Positions in m.variables in canonical order. Adds the number of orders that were compared to `tried`.
std::vector<std::int64_t> canonical_order(const Arena& arena, const Monomial& m, const Colours& free, std::size_t& tried);

/// Whether structure alone leaves the order of some variables open, but the order of the free variables may settle it.
bool has_tie(const Arena& arena, const Monomial& m);

}  // namespace foldproof::normal
