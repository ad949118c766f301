// SPDX-License-Identifier: MIT
// One look at a claim in doubles, before anything is searched or proved: most changes of a false claim are false, too.
#pragma once

#include <cstdint>
#include <optional>

#include "infer/problem.hpp"
#include "numeric/evaluate.hpp"

namespace foldproof::repair {

/// Numbers between -1.5 and 1.5 in tensors of small sizes, mostly different ones, which satisfy what is assumed; vectors hold numbers of
/// rows where `tokens`. Another value of `sizes` gives other sizes. Nothing where no such instance is made.
std::optional<numeric::Instance<double>> dense_instance(const infer::Problem& problem, bool tokens, std::uint64_t seed, std::size_t sizes = 0);

/// The same numbers cut off to eighths, which a reader can take in, exactly; none of them 0.
numeric::Instance<numeric::Exact> in_eighths(const numeric::Instance<double>& instance);

/// The value of a term; nothing where it has none.
std::optional<numeric::Tensor<double>> value_at(const infer::Term& term, const numeric::Instance<double>& instance);

/// Is the claim false at one dense instance? False where a side has no value, or where no such instance is made.
bool seems_false(const infer::Problem& problem, bool tokens, std::uint64_t seed);
/// The same at one of a few instances.
bool seems_false(const infer::Problem& problem);

}  // namespace foldproof::repair
