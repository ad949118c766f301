// SPDX-License-Identifier: MIT
// Terms are walked recursively, as deep as the language allows (1200 levels). That fits the usual 8 MB of a main thread, but not
// under sanitizers, whose frames are several times larger; so programs do their work on a stack of a size that they choose.
#pragma once

#include <functional>

namespace foldproof::expr {

/// Runs job on a thread of its own with a stack of 256 MB and waits for it; what it throws is thrown here.
void on_large_stack(const std::function<void()>& job);

}  // namespace foldproof::expr
