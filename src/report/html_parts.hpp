// SPDX-License-Identifier: MIT
// Pieces of an HTML page. What comes from users goes through escaped() or through MathML, which escapes too.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "expr/syntax.hpp"
#include "report/card.hpp"

namespace foldproof::report {

/// Text for element content and for quoted attributes. Control characters become U+FFFD.
std::string escaped(std::string_view text);

/// Prose in which W_i^Q, d_k or (x + y)^2 are set with their indices below and above; longer names stay as they are.
std::string prose(std::string_view text);

/// "<tag attributes>inner</tag>"; `inner` and `attributes` are HTML already.
std::string element(std::string_view tag, const std::string& inner, std::string_view attributes = "");

/// The fragment name of a claim or question: any id becomes one without spaces, and different ids stay different.
std::string anchor(std::string_view prefix, std::string_view id);

/// A name or expression of the claim language as MathML, as code when it does not parse.
std::string formula(const std::string& expression, const expr::Ranks& ranks = {});

/// The same with the part text[begin, end) marked as changed.
std::string formula_marked(const std::string& expression, std::size_t begin, std::size_t end, const expr::Ranks& ranks);

/// "name = matrix" as MathML; the entry `marked` is emphasised. A tensor with more axes is written slice by slice.
std::string equation(const NamedTensor& tensor, const std::vector<std::int64_t>& marked = {});

/// A whole page: no request is made by it, and its scripts are not needed for reading. `body` is HTML.
std::string page(const std::string& title, const std::string& body, bool with_filter);

}  // namespace foldproof::report
