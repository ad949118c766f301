// SPDX-License-Identifier: MIT
// One case of one campaign as a word that can be mailed: which claim, which seed, which case, which lane. The word also holds a digest
// of the claim's text and one of the numbers drawn, so that it can never rerun something else and call that passed.
#pragma once

#include <cstdint>
#include <string>

#include "campaign/campaign.hpp"
#include "record/claim_json.hpp"

namespace foldproof::run {

struct CaseToken {
  std::string claim;         ///< id
  std::string text_digest;   ///< of the claim's text, 12 hexadecimal digits
  std::uint64_t seed = 1;
  std::int64_t case_index = 0;
  std::string lane;          ///< "float32", or "exact lane, float32"
  std::string input_digest;  ///< of sizes and numbers, 12 hexadecimal digits; the same for every build
  friend bool operator==(const CaseToken&, const CaseToken&) = default;
};

/// "case1:SEED:CASE:LANE:TEXT:INPUT:ID"
std::string text(const CaseToken& token);
/// Whether a word is meant as a token.
bool is_token(const std::string& word);
/// Errors: `token.syntax`.
CaseToken parse_token(const std::string& word);

/// The token of a case. Errors: `token.case` when the campaign has no such case.
CaseToken token_of(const record::ClaimRecord& claim, const infer::Problem& problem, std::uint64_t seed, std::int64_t case_index, const std::string& lane);

struct CaseReplay {
  bool fails = false;
  std::string detail;
  std::optional<campaign::MinimalCase> failure;
};
/// Runs the case again. Errors: `token.stale` when the claim has changed, or when this version draws other numbers for the case;
/// `token.case` when the case says nothing. The mutation is for tests: a bug to be found again.
CaseReplay replay(const CaseToken& token, const record::ClaimRecord& claim, campaign::Mutation mutation = campaign::Mutation::none);

}  // namespace foldproof::run
