// SPDX-License-Identifier: MIT
// Forms of NumPy and PyTorch that are others written shortly. Part of the trusted base.
#pragma once

#include "program/token_lists.hpp"

namespace foldproof::program {

/// np.c_[A, b] and np.r_[A, B] as joined arrays, x.flatten(order='F') as x.T.reshape(-1), x.reshape(m, n, order='F') as x.T.reshape(n, m).T,
/// roll along several axes as one after the other, S[np.triu_indices(n, k=1)] as what the mask of these places chooses, reduce(np.matmul, Ws) as multi_dot(Ws).
Tokens with_numpy_forms(const Tokens& tokens);

}  // namespace foldproof::program
