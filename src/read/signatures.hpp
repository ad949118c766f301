// SPDX-License-Identifier: MIT
// What functions of NumPy and PyTorch take, and in which order: a program that the library would refuse to run is none that a claim
// can speak of. Part of the trusted base.
#pragma once

#include "read/numpy.hpp"

namespace foldproof::read {

/// torch.sum(input=x, dim=1) is torch.sum(x, dim=1), and x.masked_fill(mask=M, value=0) is x.masked_fill(M, 0).
void give_by_place(Syntax& call, Spelling spelling);

/// Whether the argument at that place of NumPy's function, counted from 0, is the type of its numbers: np.ones((n, n), bool).
bool takes_type(std::string_view function, std::size_t place);

/// Fails (`call.arguments`, `call.keyword`, `name.unknown`) where the library that the call is spelled as refuses its arguments. Functions
/// that are not listed, and the claim language's own, take what they are read with.
void require_signature(const Syntax& call, Spelling spelling);

}  // namespace foldproof::read
