// SPDX-License-Identifier: MIT
// The claims of the catalogue put to other provers in the same run: SymPy's matrix expressions, whose sizes are symbols, and Z3 at small fixed
// shapes. How each claim is told to them is in prover_claims.py; what they cannot say is counted by the construct.
#pragma once

#include "peer.hpp"

namespace foldproof::bench {

struct ProversOptions {
  std::string python;
  bool quick = false;  ///< few claims, one round, one second for each
};

/// Answers and times as benchmark.schema.json has them, printed as tables. Times are processor times in ms, the least of several rounds:
/// foldproof's from the text of a claim to its verdict, the others' from the parsed expression to their answer, without imports.
Json provers(const std::string& claims_folder, const ProversOptions& options);

}  // namespace foldproof::bench
