// SPDX-License-Identifier: MIT
// What names of a claim were read as, where something else may be meant: told beside the verdict.
#pragma once

#include <string>

#include "infer/problem.hpp"
#include "refute/refute.hpp"

namespace foldproof::repair {

// One sentence each without its full stop; empty where there is nothing to tell.

/// In rank(A @ B) <= k without declarations k is no size of A or B, although it may be meant to be; neither is d_k in Q / sqrt(d_k).
std::string sizes_without_shape(const expr::Claim& claim, const infer::Problem& problem);

/// What a learner may not have meant: in rowsum(A @ B) == rowsum(A) @ rowsum(B) the sides fit only where A is a column.
std::string read_as_narrow(const infer::Problem& problem);

/// In AB == BA, where A @ B may be meant: names of capital letters whose letters are other tensors, or make up another name.
std::string read_as_one_name(const infer::Problem& problem);

/// How the modules of a program are read where PyTorch makes something else of them at first: dropout as after .eval(); weights as any values
/// instead of the zeros or ones that they begin with, which only a claim that is `refuted` may have meant.
std::string read_as_in_use(const expr::Claim& claim, bool refuted);

/// What is said where a program asserts with np.allclose and the like what it refutes, and they let the difference that is shown pass.
std::string within_tolerances(const expr::Claim& claim, const refute::Counterexample& shown);

/// Whether the last call of np.allclose and the like is given one text twice: lin(drop(x)) and lin(x) are two. True where there is no such call.
bool compares_one_text(const expr::Claim& claim);

/// Where one more declaration makes a refuted claim true, the reading without it decided.
std::string reading_that_decides(const expr::Claim& claim, const infer::Problem& problem, const std::string& statement);

}  // namespace foldproof::repair
