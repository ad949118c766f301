// SPDX-License-Identifier: MIT
// A decision as people read it on a terminal: the verdict first, the claim and its shapes, then the evidence.
// Plain ASCII but for the claim's own bytes; colours only where the caller says that someone looks.
#pragma once

#include <string>

#include "record/claim_json.hpp"
#include "verdict/decide.hpp"

namespace foldproof::report {

/// The rows of a matrix with aligned columns, each line indented by `indent` spaces; a tensor with more axes slice by slice.
std::string aligned(const refute::TextTensor& tensor, std::size_t indent);

/// "name = " and its rows, as `aligned` writes them.
std::string named(const std::string& name, const refute::TextTensor& tensor, std::size_t indent);

/// Everything about one decision but its diagnostic, which is a message and not data. Ends with a newline.
std::string text(const record::ClaimRecord& claim, const verdict::Decision& decision, bool colour);

}  // namespace foldproof::report
