// SPDX-License-Identifier: MIT
// A card as text for a terminal, and as Markdown for a forum or an issue. The first line is the answer.
#pragma once

#include <string>

#include "report/card.hpp"

namespace foldproof::report {

/// Lines of at most about 100 columns; formulas are not broken.
std::string explain_text(const Card& card);

/// Markdown that GitHub and Discourse show alike: formulas between dollar signs use nothing that either of them changes or forbids.
std::string explain_markdown(const Card& card);

/// Words in lines of at most 100 columns, each indented by `indent` spaces; the first line begins with `lead` instead. Ends with a newline.
std::string wrapped(const std::string& text, std::size_t indent = 0, const std::string& lead = "");

/// The derivation at the level of matrices: each line, with what changed underlined and the law beside it. Empty when there is none.
std::string steps_text(const Card& card, std::size_t indent);

/// Words of users in Markdown: no emphasis, formula, link or tag may come out of them.
std::string markdown_words(const std::string& text);

/// LaTeX as Markdown may hold it: no \operatorname (GitHub forbids it), no backslash before punctuation (Markdown eats it), and a space
/// before each subscript (so that it opens no emphasis).
std::string markdown_math(std::string latex);

/// Whether there is something to say on when the claim is true and when not, and the title of it.
bool has_limits(const Card& card);
const char* limits_title(const Card& card);

}  // namespace foldproof::report
