// SPDX-License-Identifier: MIT
// Idioms of Python code bases that say nothing of what is computed, or say it in a longer way, written plainly before anything else looks
// at them. Part of the trusted base.
#pragma once

#include "program/token_lists.hpp"

namespace foldproof::program {

/// exists(mask) as mask is not None where the program defines exists so, hasattr(torch.nn.functional, "scaled_dot_product_attention") as True,
/// np.float32(d) as (d), torch.full([], c) as (c), x.requires_grad_() as x, x.view_as(y) as x.view(y.shape), torch.zeros(n) - float("inf") as torch.full((n,), float("-inf")),
/// b, h, k, v = *q.shape, w.shape[-1] as two statements, assert a <= b < c as two asserts, classes without __repr__ and extra_repr, and
/// dtype = torch.float32 as the type where the name stands, self.reset_parameters() in __init__ as what it does, 10_000 as 10000, _, _, n = K.shape with three names, and self.attn = softmax(S) in a method as a local name where nothing else reads it.
Tokens with_python_idioms(Tokens tokens, Words& words);

}  // namespace foldproof::program
