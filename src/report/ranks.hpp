// SPDX-License-Identifier: MIT
// How many axes the names of a claim have, for typesetting it: what its shapes say after inference.
#pragma once

#include "expr/syntax.hpp"

namespace foldproof::report {

/// Of the claim's tensors and sizes. Where the shapes do not fit together: of its declared tensors and its sizes only.
expr::Ranks ranks(const expr::Claim& claim);

}  // namespace foldproof::report
