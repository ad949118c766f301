// SPDX-License-Identifier: MIT
// Matrices that are drawn and then taken apart by np.linalg.qr or np.linalg.svd. Every matrix is Q @ R and (U * s) @ Vt, so its factors may be drawn, and the matrix made of them: the
// claim then holds for whatever factors a library finds. Part of the trusted base.
#pragma once

#include "program/modules.hpp"

namespace foldproof::program {

/// scipy.stats.ortho_group.rvs(d) and nn.init.orthogonal_(torch.empty(d, d)) as the call of rotation_call.
Tokens with_rotations(const Tokens& tokens);

/// A = np.random.randn(n, d), also scaled by a number, and U, s, Vt = np.linalg.svd(A) as draws of two orthogonal matrices and of numbers that fall and are not negative, A = (U * s) @ Vt;
/// Q, R = np.linalg.qr(A) as the draw of an orthogonal matrix and of a triangle, A = Q @ R; also a single factor, np.linalg.qr(A)[0]. Of programs whose draws are named. What is taken
/// apart in another way stays as it is.
Tokens with_drawn_factors(Tokens tokens, Words& words);

}  // namespace foldproof::program
