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

/// A claim's diagnostic with the place it was written at: "claims.json:3:14: /2/lhs: message", the line, a caret, the hint.
std::string render(const record::ClaimRecord& claim, const expr::Diagnostic& diagnostic);

/// Everything about one decision but its diagnostic, which is a message and not data. Ends with a newline.
std::string text(const record::ClaimRecord& claim, const verdict::Decision& decision, bool colour);

/// Words on one line, printable whatever their bytes, cut at `longest` bytes. Claims: expr::claim_line.
std::string one_line(const std::string& words, std::size_t longest = 200);

/// Quoted for a POSIX shell where that is needed.
std::string shell_quoted(const std::string& word);

}  // namespace foldproof::report
