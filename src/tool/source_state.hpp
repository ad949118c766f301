// SPDX-License-Identifier: MIT
// The version of the sources that this binary was built from.
#pragma once

#include "record/json.hpp"

namespace foldproof::tool {

/// Commit, whether it was changed and the digest of the changes, remote, submodules, at the time of the build; null, or the text
/// "unknown" for the commit, where git could not tell.
Json source_state();

}  // namespace foldproof::tool
