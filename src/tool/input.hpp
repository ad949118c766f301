// SPDX-License-Identifier: MIT
// Claims from wherever the user has them: files of JSON, files of text with several claims between lines of `---`, standard
// input, or the command line itself.
#pragma once

#include <string>
#include <vector>

#include "expr/dim.hpp"
#include "record/claim_json.hpp"

namespace foldproof::tool {

/// Where the claims of a project are that name no others.
inline constexpr const char* usual_claims = "fixtures/claims";

/// Claims of one source; `path` "-" is standard input. Errors: expr::Error.
std::vector<record::ClaimRecord> claims_of(const std::string& path);
/// Claims of text in the claim language.
std::vector<record::ClaimRecord> claims_of_text(const std::string& text, const std::string& id, const std::string& file);
/// Claims of all sources, in order: files, folders and ids of fixtures/claims, then texts.
std::vector<record::ClaimRecord> all_claims(const std::vector<std::string>& files, const std::vector<std::string>& texts);

/// Whether a word that names no file is meant as a claim: people forget -e.
bool reads_as_claim(const std::string& word);
/// What to try instead of an id that is not there: those that are spelt alike, or how to find one.
std::string hint_for_id(const std::string& word, std::vector<std::string> ids);
/// The words of a command line with -e before each claim that begins with a minus sign, `-rowsum(P) <= 0`, which would be read as an option.
std::vector<std::string> negated_claims_as_options(const std::vector<std::string>& words);

/// Sizes of the form NAME=NUMBER. Errors: expr::Error `usage`.
expr::DimValues sizes_of(const std::vector<std::string>& dims);

/// Whether output to the stream may be coloured: a terminal, and neither NO_COLOR nor TERM=dumb.
bool colours(int descriptor);

/// Prints an error of input on standard error: message and hint.
void complain(const std::exception& error);

}  // namespace foldproof::tool
