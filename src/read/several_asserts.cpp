// SPDX-License-Identifier: MIT
#include "read/several_asserts.hpp"

#include <algorithm>
#include <set>

#include "expr/diagnostic.hpp"
#include "program/token_lists.hpp"
#include "read/language.hpp"
#include "read/parse.hpp"

namespace foldproof::read {
namespace {

constexpr std::size_t most_asserts = 100;  // each is read several times

/// Where the statements stand that begin with assert; none where one may change something in place, torch.relu_(x), which those behind it would see.
std::vector<Span> asserts_of(std::string_view text) {
  std::vector<Span> found;
  const Tokens tokens = with_blocks(tokenize(text), text);
  for (std::size_t k = 0; k < tokens.size(); ++k) {
    const std::size_t end = end_of_statement(tokens, k);
    if (k > 0 && tokens[k].is("(") && tokens[k - 1].kind == TokenKind::name && tokens[k - 1].text.ends_with("_") && !tokens[k - 1].text.ends_with("__")) return {};
    if (tokens[k].is("assert") && begins_statement(tokens, k) && end > k + 1) found.push_back({tokens[k].span.begin, tokens[end - 1].span.end});
  }
  return found;
}

/// The text with `assert True` in the place of some, and blanks behind it, so that nothing moves.
std::string without(std::string_view text, const std::vector<Span>& asserts, const std::set<std::size_t>& some) {
  std::string rest(text);
  for (const std::size_t k : some) {
    const std::size_t length = asserts[k].end - asserts[k].begin;
    std::string nothing = length < 11 ? "assert 1" : "assert True";
    nothing.resize(length, ' ');
    rest.replace(asserts[k].begin, length, nothing);
  }
  return rest;
}

std::vector<std::string> divided(std::string_view text) {
  const std::vector<Span> asserts = asserts_of(text);
  const auto place_of = [&](Span span) { return static_cast<std::size_t>(std::find_if(asserts.begin(), asserts.end(), [&](Span a) { return a.begin <= span.begin && span.begin < a.end; }) - asserts.begin()); };
  if (asserts.size() < 2 || asserts.size() > most_asserts) return {};
  std::set<std::size_t> claims;
  for (bool more = true; more;) {  // each reading tells of the next claim behind the first one
    try {
      const Claim claim = parse_claim(without(text, asserts, claims));
      claims.insert(std::min(place_of(claim.lhs->span), place_of(claim.rhs->span)));  // a side that is a call alone stands where its function does
      more = false;
    } catch (const Error& error) {
      if (error.diagnostic().code != "parse.two_asserts" || !claims.insert(place_of(error.diagnostic().span)).second) return {};
    }
  }
  if (claims.count(asserts.size()) > 0) return {};
  std::vector<std::string> found;
  for (const std::size_t claim : claims) {
    std::set<std::size_t> others = claims;
    others.erase(claim);
    found.push_back(without(text, asserts, others));
  }
  return found;
}

}  // namespace

std::vector<std::string> one_claim_each(std::string_view text) {
  const std::size_t first = text.find("assert");
  if (first == std::string_view::npos || text.find("assert", first + 1) == std::string_view::npos) return {std::string(text)};
  std::vector<std::string> found;
  try {
    found = divided(text);
  } catch (const std::exception&) {  // what is wrong is told where the text is read as a claim
  }
  return found.size() > 1 ? found : std::vector<std::string>{std::string(text)};
}

}  // namespace foldproof::read
