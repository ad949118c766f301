// SPDX-License-Identifier: MIT
// Decisions as JSON: the records of `decide --json` and of report.json. Numbers that are values stay exact, so they are text.
// Keys are always present, null where there is nothing to say; times are the caller's to add, since digests must not see them.
#pragma once

#include <string>

#include "record/json.hpp"
#include "verdict/decide.hpp"

namespace foldproof::run {

/// Nested lists of texts: a matrix is a list of rows, a scalar a text.
Json to_json(const refute::TextTensor& tensor);
/// What to_json was given.
refute::TextTensor tensor_of(const Json& value);
/// dims, values, lhs, rhs, entry, how, minimal; and `numpy` where the snippet is known.
Json to_json(const refute::Counterexample& counterexample);
/// code, message, hint, line and column (from 1) in `text`.
Json to_json(const expr::Diagnostic& diagnostic, const std::string& text);
/// One decision, without its time.
Json to_json(const std::string& id, const std::string& claim_text, const verdict::Decision& decision);
/// null when nothing was proved; otherwise schema, sha256 of the file's text, number of steps.
Json certificate_summary(const std::string& claim_text, const verdict::Decision& decision);

}  // namespace foldproof::run
