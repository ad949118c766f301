// SPDX-License-Identifier: MIT
#include "read/several_asserts.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "expr/diagnostic.hpp"
#include "program/acting_calls.hpp"
#include "program/token_lists.hpp"
#include "read/language.hpp"
#include "read/parse.hpp"

namespace foldproof::read {
namespace {

constexpr std::size_t most_asserts = 100;  // each is read several times

/// An assert, one of the parts that `and` joins in it, or the call of a function that asserts, check(a, b), where there are several of it.
struct Assert {
  Span whole, part;
  std::vector<Span> parts;  ///< of the whole
  Span function;  ///< that is called
  bool is_call() const { return function.begin < function.end; }
};

/// Whether np.testing.assert_allclose(a, b) or the like is called there, or self.assertTrue(...) of unittest.
bool calls_assert(const Tokens& statement) {
  const Token* function = called_alone(statement);
  return function != nullptr && (function->text.starts_with("assert_") || (function->text.starts_with("assert") && statement[0].is("self")));
}

/// The functions that assert, change nothing in place, and are called in several statements.
std::map<std::string_view, Span> asserting_functions(const Tokens& tokens) {
  std::map<std::string_view, Span> found;
  for (std::size_t k = 0; k + 1 < tokens.size(); ++k) {
    if (!tokens[k].is("def") || !begins_statement(tokens, k)) continue;
    const std::size_t end = behind_statement(tokens, k);
    bool asserts = false, returns = false, changes = false;
    for (const Tokens& s : statements_of(slice(tokens, k, end))) {
      const auto equals = assignment(s);
      const Token* const method = called_alone(s);
      changes = changes || (equals && !s[0].is("def") && (item_change(s) || changes_in_place(s, *equals))) || (method != nullptr && changes_in_place(method->text));
      asserts = asserts || s[0].is("assert") || calls_assert(s);
      returns = returns || (s[0].is("return") && s.size() > 1);
    }
    int calls = 0;
    for (std::size_t c = 0; c + 1 < tokens.size(); ++c) calls += tokens[c].is(tokens[k + 1].text) && tokens[c + 1].is("(") && begins_statement(tokens, c) ? 1 : 0;
    if (asserts && !returns && !changes && calls > 1) found.emplace(tokens[k + 1].text, Span{tokens[k].span.begin, tokens[end - 1].span.end});
  }
  return found;
}

/// The statements that begin with assert or call such a function; none where one may change something in place, torch.relu_(x), which those behind it would see.
std::vector<Assert> asserts_of(std::string_view text) {
  std::vector<Assert> found;
  const Tokens tokens = with_blocks(tokenize(text), text);
  const auto span_of = [](const Tokens& t) { return Span{t.front().span.begin, t.back().span.end}; };
  const auto functions = asserting_functions(tokens);
  const auto changing = changing_calls(tokens);
  for (std::size_t k = 0; k < tokens.size(); ++k) {
    const std::size_t end = end_of_statement(tokens, k);
    const auto changes = [&](std::size_t t) { return tokens[t].kind == TokenKind::name && t + 1 < end && tokens[t + 1].is("(") && changing.count(tokens[t].text) > 0; };
    const bool begins = begins_statement(tokens, k), call = begins && calls_assert(slice(tokens, k, end)), checks = begins && functions.count(tokens[k].text) > 0;
    for (std::size_t t = k; (call || checks || (begins && tokens[k].is("assert"))) && t < end; ++t) {
      if (changes(t)) return {};  // without one of them the others would see something else
    }
    if (end > k + 3 && checks && tokens[k + 1].is("(")) {
      const Span whole = span_of(slice(tokens, k, end));
      found.push_back({whole, whole, {}, functions.at(tokens[k].text)});
      continue;
    }
    if (std::any_of(functions.begin(), functions.end(), [&](const auto& f) { return f.second.begin <= tokens[k].span.begin && tokens[k].span.begin < f.second.end; })) continue;  // the calls are what is one claim each
    if (!call && (!tokens[k].is("assert") || !begins || end == k + 1)) continue;
    for (std::size_t t = k + 1; t < end; ++t) {
      if (tokens[t].is("(") && tokens[t - 1].kind == TokenKind::name && changes_in_place(tokens[t - 1].text)) return {};
    }
    Assert one{{tokens[k].span.begin, tokens[end - 1].span.end}, {}, {}, {}};
    Tokens condition = call ? Tokens{} : without_brackets(parts_of(slice(tokens, k + 1, end))[0]);
    while (const auto place = has_outside(condition, "or") || has_outside(condition, "if") ? std::nullopt : place_outside(condition, "and")) {
      if (*place == 0 || *place + 1 == condition.size()) break;
      one.parts.push_back(span_of(slice(condition, 0, *place)));
      condition = between(condition, *place + 1);
    }
    if (!one.parts.empty()) one.parts.push_back(span_of(condition));
    one.part = one.whole;
    found.push_back(std::move(one));
  }
  return found;
}

/// Blanks in the place of what stands there, also between the lines of a bracket.
void blank(std::string& text, std::size_t begin, std::size_t end) {
  for (std::size_t k = begin; k < end; ++k) text[k] = text[k] == '\n' ? '\n' : ' ';
}

/// The text without some of the asserts, so that nothing moves: with `assert True` in the place of a whole one, and blanks in that of a part.
std::string without(std::string_view text, const std::vector<Assert>& asserts, const std::set<std::size_t>& some) {
  std::string rest(text);
  for (const std::size_t k : some) {
    const Assert& gone = asserts[k];
    bool other_part = false;  // is kept, which stands before this one or behind it
    for (std::size_t other = 0; other < asserts.size(); ++other) other_part = other_part || (other != k && asserts[other].whole.begin == gone.whole.begin && some.count(other) == 0);
    if (other_part) continue;
    const std::size_t length = gone.whole.end - gone.whole.begin;
    std::string nothing = length < 8 ? "pass" : length < 11 ? "assert 1" : "assert True";
    nothing.resize(length, ' ');
    rest.replace(gone.whole.begin, length, nothing);
    bool still_called = !gone.is_call();
    for (std::size_t other = 0; other < asserts.size(); ++other) still_called = still_called || (asserts[other].function.begin == gone.function.begin && some.count(other) == 0);
    if (!still_called) blank(rest, gone.function.begin, gone.function.end);
  }
  for (std::size_t k = 0; k < asserts.size(); ++k) {
    const Assert& kept = asserts[k];
    if (some.count(k) > 0 || kept.parts.empty() || kept.part.begin == kept.whole.begin) continue;
    blank(rest, kept.parts.front().begin, kept.part.begin);
    blank(rest, kept.part.end, kept.parts.back().end);
  }
  return rest;
}

/// The assert without which the text has no claim any more.
std::size_t last_claim(std::string_view text, const std::vector<Assert>& asserts, std::set<std::size_t> claims) {
  for (std::size_t k = 0; k < asserts.size(); ++k) {
    if (!claims.insert(k).second) continue;
    try {
      parse_claim(without(text, asserts, claims));
    } catch (const Error& error) {
      if (error.diagnostic().code == "parse.missing_relation") return k;
    }
    claims.erase(k);
  }
  return asserts.size();
}

/// Whether there is a claim in the text; check(a, b) may assert shapes alone.
bool asserts_something(std::string_view text) {
  try {
    parse_claim(text);
  } catch (const Error& error) {
    return error.diagnostic().code != "parse.missing_relation";
  }
  return true;
}

std::vector<std::string> divided(std::string_view text) {
  std::vector<Assert> asserts = asserts_of(text);
  std::set<std::size_t> claims;
  const auto place_of = [&](Span span) { return static_cast<std::size_t>(std::find_if(asserts.begin(), asserts.end(), [&](const Assert& a) { return a.part.begin <= span.begin && span.begin < a.part.end; }) - asserts.begin()); };
  /// One assert for each part, of which all but the first wait as claims.
  const auto take_apart = [&](std::size_t k) {
    const Assert whole = asserts[k];
    for (std::size_t p = 0; p < whole.parts.size(); ++p) {
      Assert part = whole;
      part.part = whole.parts[p];
      if (p == 0) asserts[k] = std::move(part);
      else asserts.push_back(std::move(part));
      if (p > 0) claims.insert(asserts.size() - 1);
    }
  };
  if (asserts.empty() || asserts.size() > most_asserts) return {};
  std::set<std::size_t> calls;
  for (std::size_t k = 0; k < asserts.size(); ++k) {
    if (asserts[k].is_call()) calls.insert(k);
  }
  claims = calls;
  for (bool more = true; more;) {  // each reading tells of the next claim behind the first one
    try {
      const Claim claim = parse_claim(without(text, asserts, claims));
      const std::size_t place = std::min(place_of(claim.lhs->span), place_of(claim.rhs->span));  // a side that is a call alone stands where its function does
      claims.insert(place < asserts.size() ? place : last_claim(text, asserts, claims));
      more = false;
    } catch (const Error& error) {
      const std::size_t place = place_of(error.diagnostic().span);
      if (error.diagnostic().code != "parse.two_asserts" && place < asserts.size() && asserts[place].part.begin == asserts[place].whole.begin && !asserts[place].parts.empty()) {
        take_apart(place);
        continue;
      }
      if (error.diagnostic().code == "parse.missing_relation" && !calls.empty()) break;
      if (error.diagnostic().code != "parse.two_asserts" || !claims.insert(place).second) return {};
    }
  }
  if (claims.count(asserts.size()) > 0) return {};
  std::vector<std::size_t> in_order(claims.begin(), claims.end());
  std::sort(in_order.begin(), in_order.end(), [&](std::size_t a, std::size_t b) { return asserts[a].part.begin < asserts[b].part.begin; });
  std::vector<std::string> found;
  for (const std::size_t claim : in_order) {
    std::set<std::size_t> others = claims;
    others.erase(claim);
    std::string one = without(text, asserts, others);
    if (calls.count(claim) == 0 || asserts_something(one)) found.push_back(std::move(one));
  }
  return found;
}

}  // namespace

std::vector<std::string> one_claim_each(std::string_view text) {
  const std::size_t first = text.find("assert");
  if (first == std::string_view::npos) return {std::string(text)};
  const bool in_function = first > 0 && (text[first - 1] == ' ' || text[first - 1] == '\t') && text.find("def ") < first;
  if (!in_function && text.find("assert", first + 1) == std::string_view::npos && text.find("and", first) == std::string_view::npos) return {std::string(text)};
  std::vector<std::string> found;
  try {
    found = divided(text);
  } catch (const std::exception&) {  // what is wrong is told where the text is read as a claim
  }
  return found.size() > 1 ? found : std::vector<std::string>{std::string(text)};
}

}  // namespace foldproof::read
