// SPDX-License-Identifier: MIT
// Whether an instance satisfies the assumptions of a claim, and simple matrices that satisfy each named predicate.
// Everything is exact. What cannot be decided exactly counts as not satisfied: a counterexample whose assumptions are in doubt
// would be worth nothing.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "infer/problem.hpp"
#include "numeric/evaluate.hpp"

namespace foldproof::numeric {

/// The number that a term is, if it is one: 3, -3, 1/1000.
std::optional<expr::Rational> number_of(const infer::Term& term);

/// Whether an assumption between sizes holds; true for assumptions of the other kinds.
bool holds(const infer::Fact& fact, const expr::DimValues& dims);
/// Whether an assumption holds at an instance; definitions are substituted already and hold.
/// Errors: Undefined when a side has no value there.
bool holds(const infer::Fact& fact, const Instance<Exact>& instance);

/// Whether it is certain that an assumption between numbers holds for all values enclosed. False: not known.
/// Errors: Undefined when a side may have no value there, NeedsReals when no enclosure holds it.
bool holds_throughout(const infer::Fact& fact, const Instance<Interval>& instance);

/// Whether a tensor satisfies a predicate of infer::predicates; a tensor with three axes does when each of its matrices does.
bool satisfies(const std::string& predicate, const Tensor<Exact>& tensor);
/// Whether `a relation b`.
bool related(const Exact& a, expr::Relation relation, const Exact& b);
/// Whether every entry of `a` stands in the relation to the entry of `b`; a side without axes is compared with every entry.
bool related(const Tensor<Exact>& a, expr::Relation relation, const Tensor<Exact>& b);

/// Whether the predicate concerns whole matrices, so that entries cannot be chosen one by one.
bool is_structural(const std::string& predicate);
/// Matrices that satisfy a structural predicate, simplest first: identities, permutations, signs, reflections, rotations by
/// the angle of the triangle 3-4-5, then random ones. Orthogonal matrices have both determinants: a generator of rotations
/// alone makes false claims look true. Shapes with three axes hold one matrix a head.
std::vector<Tensor<Exact>> candidates(const std::string& predicate, const std::vector<std::int64_t>& shape, std::uint64_t seed);
/// Tensors for an assumption of no special form, simplest first; for small shapes all with entries 0, 1 and -1.
std::vector<Tensor<Exact>> general_candidates(const std::vector<std::int64_t>& shape, std::uint64_t seed);

/// A random orthogonal matrix over any field: the Cayley transform of a skew matrix with the given entries, half of them
/// followed by a reflection. Errors: Undefined where the transform has a pole.
template <class T>
Tensor<T> cayley(std::size_t n, const std::vector<T>& skew, bool reflect);

}  // namespace foldproof::numeric
