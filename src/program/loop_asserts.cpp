// SPDX-License-Identifier: MIT
#include "program/loop_asserts.hpp"

#include <algorithm>
#include <functional>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace foldproof::program {
namespace {

/// What a statement says is the same in every step: module(first, second, rest) with what is said where it fails.
struct Compared {
  Tokens function;  ///< np.allclose, np.testing.assert_allclose, or np.array_equal of a == b
  Tokens first, second, rest;
  bool assert = false;  ///< the function gives True, and does not assert by itself
};

/// The arguments of a call that compares two tensors.
std::optional<Compared> compared_by(const Tokens& call, bool in_assert) {
  static constexpr std::string_view tells[] = {"allclose", "array_equal", "equal", "isclose"}, asserts[] = {"assert_allclose", "assert_close", "assert_array_equal", "assert_array_almost_equal"};
  const Token* function = called_alone(call);
  if (function == nullptr || !(in_assert ? is_among(function->text, tells) : is_among(function->text, asserts))) return std::nullopt;
  const auto open = static_cast<std::size_t>(function - call.data()) + 1;
  const std::vector<Tokens> arguments = parts_of(inside(call, open + 1));
  if (arguments.size() < 2 || !is_by_place(arguments[0]) || !is_by_place(arguments[1])) return std::nullopt;
  return Compared{slice(call, 0, open), arguments[0], arguments[1], with_commas({arguments.begin() + 2, arguments.end()}, call[0]), in_assert};
}

std::optional<Compared> compared_in(const Tokens& statement) {
  if (!statement[0].is("assert")) return compared_by(statement, false);
  const Tokens condition = without_brackets(parts_of(between(statement, 1))[0]);
  if (condition.empty()) return std::nullopt;
  if (auto found = compared_by(condition, true)) return found;
  const auto equal = place_outside(condition, "==");
  if (!equal || *equal == 0 || *equal + 1 == condition.size() || has_outside(condition, "and") || has_outside(condition, "or") || has_outside(condition, "not")) return std::nullopt;
  static constexpr std::string_view of_sizes[] = {"shape", "ndim", "len", "size", "dtype", "type", "isinstance", "%"};
  if (std::any_of(condition.begin(), condition.end(), [](const Token& t) { return is_among(t.text, of_sizes); })) return std::nullopt;
  return Compared{{{TokenKind::name, "array_equal", condition[*equal].span}}, slice(condition, 0, *equal), between(condition, *equal + 1), {}, true};
}

/// np.testing.assert_allclose(a, b, err_msg=f"step {t}") without what is said where it fails.
Tokens without_messages(const Tokens& tokens) {
  Tokens found;
  for (std::size_t k = 0; k < tokens.size(); ++k) {
    found.push_back(tokens[k]);
    if (!tokens[k].text.starts_with("assert_") || k + 1 >= tokens.size() || !tokens[k + 1].is("(")) continue;
    const std::size_t close = closing(tokens, k + 1);
    std::vector<Tokens> arguments = parts_of(slice(tokens, k + 2, close));
    std::erase_if(arguments, [](const Tokens& a) { return is_by_name(a) && (a[0].is("err_msg") || a[0].is("msg") || a[0].is("verbose")); });
    found.push_back(tokens[k + 1]);
    put(found, with_commas(arguments, tokens[k]));
    k = std::max(close, k + 2) - 1;
  }
  return found;
}

class LoopAsserts {
 public:
  LoopAsserts(Tokens tokens, Words& words) : tokens_(std::move(tokens)), words_(words) {}

  Tokens run() {
    Tokens found = tokens_;
    for (std::size_t k = 0; k < found.size();) {
      const std::size_t end = behind_statement(found, k), header = end_of_statement(found, k);
      if (!found[k].is("for") || header + 1 >= found.size() || found[header].kind != TokenKind::block_begin || header == k) {
        k = end + 1;
        continue;
      }
      const Tokens body = slice(found, header + 1, end - 1);
      if (!asserts(body)) {
        k = end + 1;
        continue;
      }
      const bool alike = is_alike(slice(found, k + 1, header), body);
      Tokens instead = alike ? of_one_step(slice(found, k + 1, header), body) : collected(slice(found, k, header + 1), with_one_step(body));
      if (!alike) {
        instead.push_back(found[end - 1]);
        instead.push_back({TokenKind::separator, "\n", found[k].span});
        put(instead, std::exchange(behind_, {}));
      }
      Tokens next = slice(found, 0, k);
      put(next, std::exchange(before_, {}));
      k = next.size() + (alike ? 0 : instead.size());  // the loops in what one step does are next
      put(next, instead);
      put(next, slice(found, end, found.size()));
      found = std::move(next);
    }
    return found;
  }

 private:
  /// Whether a loop asserts something in each of its steps, also in loops in it.
  static bool asserts(const Tokens& body) {
    bool any = false;
    each(body, [&](const Tokens& s, std::size_t) { any = any || compared_in(s).has_value(); });
    return any;
  }
  /// Shows the statements of the loop and of those in it, outside of cases and functions, with the position behind each.
  static void each(const Tokens& body, const std::function<void(const Tokens&, std::size_t)>& see) {
    std::vector<bool> read{true};
    for (std::size_t k = 0; k < body.size(); ++k) {
      if (body[k].kind == TokenKind::block_end && read.size() > 1) read.pop_back();
      if (ends_statement(body[k])) continue;
      const std::size_t end = end_of_statement(body, k);
      const bool block = end < body.size() && body[end].kind == TokenKind::block_begin;
      if (block) read.push_back(read.back() && body[k].is("for"));
      else if (read.back()) see(slice(body, k, end), end);
      k = block ? end : end - 1;
    }
  }

  static constexpr std::string_view seeded[] = {"default_rng", "seed", "manual_seed", "RandomState"};
  /// Whether the range surely has steps: [1, 2], range(3), range(n) of an n that is such a number.
  bool has_steps(Tokens range) const {
    if (!range.empty() && range.back().is(":")) range.pop_back();
    if (range.size() > 2 && opens(range[0]) && is_one_bracket(range)) return true;
    if (range.size() < 4 || !range[0].is("range") || !is_one_bracket(between(range, 1))) return false;
    std::vector<std::int64_t> ends;
    const auto number_of = [](const Tokens& t) -> std::optional<std::int64_t> {
      const bool whole = t.size() == 1 && t[0].kind == TokenKind::number && t[0].text.size() < 10 && t[0].text.find_first_not_of("0123456789") == std::string_view::npos;
      return whole ? std::optional<std::int64_t>(std::stoll(std::string(t[0].text))) : std::nullopt;
    };
    for (const Tokens& end : parts_of(inside(range, 2))) {
      std::optional<std::int64_t> number = number_of(end);
      int values = 0;
      for (std::size_t k = 0; !end.empty() && end[0].kind == TokenKind::name && k + 3 < tokens_.size(); ++k) {
        if (!tokens_[k].is(end[0].text) || !tokens_[k + 1].is("=") || !begins_statement(tokens_, k)) continue;
        ++values;
        number = end.size() == 1 ? number_of(slice(tokens_, k + 2, end_of_statement(tokens_, k))) : std::nullopt;
      }
      if (!number || values > 1) return false;
      ends.push_back(*number);
    }
    return ends.size() == 1 ? ends[0] > 0 : ends.size() == 2 && ends[0] < ends[1];
  }
  /// Whether all steps do the same with tensors of their own: nothing but seeds and what is printed says which step it is, and none reads what the one before has done.
  bool is_alike(const Tokens& head, const Tokens& body) const {
    int seeds = 0;
    for (std::size_t k = 0; k + 1 < body.size(); ++k) seeds += is_among(body[k].text, seeded) && body[k + 1].is("(") ? 1 : 0;
    if (seeds > 1 || !has_steps(between(head, place_outside(head, "in").value_or(0) + 1))) return false;
    const std::set<std::string_view> targets = names_in(slice(head, 0, place_outside(head, "in").value_or(0)));
    static constexpr std::string_view others[] = {"while", "if", "elif", "else", "def", "break", "continue", "with", "try"};
    std::set<std::string_view> begun;
    bool alike = true;
    const BoundNames bound = bound_names(body);
    for (const Tokens& s : statements_of(body)) {
      if (is_among(s[0].text, others) || is_append(s) || item_change(s)) return false;
      const std::optional<std::size_t> equals = s[0].is("for") ? place_outside(s, "in") : assignment(s);
      if (equals && !s[0].is("for") && changes_in_place(s, *equals)) return false;
      for (std::size_t k = equals ? *equals + 1 : 0; k < s.size(); ++k) {
        if (!is_use(s, k)) continue;
        if (targets.count(s[k].text) > 0) alike = alike && (s[0].is("print") || says_seed(s, k) || is_message(s, k));
        if (bound.assigned.count(s[k].text) > 0 && begun.count(s[k].text) == 0) return false;
      }
      for (std::size_t k = 0; equals && k < *equals; ++k) {
        if (s[k].kind == TokenKind::name) begun.insert(s[k].text);
      }
    }
    return alike && !targets.empty();
  }
  /// What one step does, whichever it is: its seed says nothing.
  static Tokens of_one_step(const Tokens& head, const Tokens& body) {
    const std::set<std::string_view> targets = names_in(slice(head, 0, place_outside(head, "in").value_or(0)));
    Tokens found;
    for (std::size_t k = 0; k < body.size(); ++k) {
      const std::size_t close = k > 0 && body[k].is("(") && body[k - 1].is("default_rng") ? closing(body, k) : 0;
      const Tokens seed = close > 0 ? slice(body, k + 1, close) : Tokens{};
      found.push_back(body[k]);
      if (std::any_of(seed.begin(), seed.end(), [&](const Token& t) { return targets.count(t.text) > 0; })) k = close - 1;
    }
    return found;
  }
  /// The body of a loop, with one step in the place of loops in it of which all steps do the same.
  Tokens with_one_step(const Tokens& body) const {
    Tokens found;
    for (std::size_t k = 0; k < body.size();) {
      const std::size_t header = end_of_statement(body, k), end = behind_statement(body, k);
      const bool loop = body[k].is("for") && header + 1 < body.size() && body[header].kind == TokenKind::block_begin;
      const Tokens inner = loop ? slice(body, header + 1, end - 1) : Tokens{};
      if (loop && asserts(inner)) {
        const bool alike = is_alike(slice(body, k + 1, header), inner);
        if (!alike) put(found, slice(body, k, header + 1));
        put(found, alike ? of_one_step(slice(body, k + 1, header), inner) : with_one_step(inner));
        if (!alike) found.push_back(body[end - 1]);
      } else {
        put(found, slice(body, k, end));
      }
      if (end < body.size()) found.push_back(body[end]);
      k = end + 1;
    }
    return found;
  }
  static std::set<std::string_view> names_in(const Tokens& tokens) {
    std::set<std::string_view> found;
    for (const Token& t : tokens) {
      if (t.kind == TokenKind::name) found.insert(t.text);
    }
    return found;
  }
  /// Whether the name is what a generator of random numbers begins with.
  static bool says_seed(const Tokens& s, std::size_t k) {
    const auto open = open_brackets(s, k);
    return std::any_of(open.begin(), open.end(), [&](std::size_t at) { return at > 0 && is_among(s[at - 1].text, seeded); });
  }
  /// Behind the comma of an assert.
  static bool is_message(const Tokens& s, std::size_t k) {
    const auto comma = s[0].is("assert") ? place_outside(s, ",") : std::nullopt;
    return comma && *comma < k;
  }

  /// The loop with lists in the place of what it asserts; what begins them and compares them stands in before_ and behind_.
  Tokens collected(const Tokens& head, const Tokens& body) {
    Tokens result = head;
    std::size_t from = 0;
    each(body, [&](const Tokens& s, std::size_t end) {
      const auto compared = compared_in(s);
      if (!compared) return;
      put(result, slice(body, from, end - s.size()));
      from = end;
      const Token first = list_for(s[0]), second = list_for(s[0]);
      put_append(result, first, compared->first);
      result.push_back({TokenKind::separator, "\n", s[0].span});
      put_append(result, second, compared->second);
      compare(*compared, first, second, s[0], is_ragged(head));
    });
    put(result, slice(body, from, body.size()));
    return result;
  }
  /// Whether the values are written one by one, for n in [1, 7, 64]:, which shapes may depend on.
  static bool is_ragged(const Tokens& head) {
    const auto in = place_outside(head, "in");
    return in && *in + 1 < head.size() && opens(head[*in + 1]);
  }
  Token list_for(const Token& at) {
    const Token list = numbered({TokenKind::name, "each_step", at.span}, tokens_, words_);
    tokens_.push_back(list);  // taken from now on
    put(before_, {list, {TokenKind::symbol, "=", at.span}, {TokenKind::symbol, "[", at.span}, {TokenKind::symbol, "]", at.span}, {TokenKind::separator, "\n", at.span}});
    return list;
  }
  static void put_append(Tokens& result, const Token& list, const Tokens& value) {
    put(result, {list, {TokenKind::symbol, ".", list.span}, {TokenKind::name, "append", list.span}, {TokenKind::symbol, "(", list.span}});
    put(result, value);
    result.push_back({TokenKind::symbol, ")", list.span});
  }
  void compare(const Compared& compared, const Token& first, const Token& second, const Token& at, bool ragged) {
    const auto symbol = [&](std::string_view text) { return Token{TokenKind::symbol, text, at.span}; };
    const auto name = [&](std::string_view text) { return Token{TokenKind::name, text, at.span}; };
    const auto joined = [&](const Token& list) {
      if (!ragged) return Tokens{name("stack"), symbol("("), list, symbol(")")};
      const Token item = numbered(name("step"), tokens_, words_);
      return Tokens{name("concatenate"), symbol("("), symbol("["), name("ravel"), symbol("("), item, symbol(")"), name("for"), item, name("in"), list, symbol("]"), symbol(")")};
    };
    if (compared.assert) behind_.push_back(name("assert"));
    for (Token t : compared.function) {
      t.span = at.span;
      behind_.push_back(t);
    }
    behind_.push_back(symbol("("));
    put(behind_, joined(first));
    behind_.push_back(symbol(","));
    put(behind_, joined(second));
    if (!compared.rest.empty()) behind_.push_back(symbol(","));
    put(behind_, compared.rest);
    put(behind_, {symbol(")"), {TokenKind::separator, "\n", at.span}});
  }

  Tokens tokens_;
  Words& words_;
  Tokens before_, behind_;
};

}  // namespace

Tokens with_asserts_behind_loops(Tokens tokens, Words& words) {
  const auto any = [&](const auto& is) { return std::any_of(tokens.begin(), tokens.end(), is); };
  if (any([](const Token& t) { return t.text.starts_with("assert_"); })) tokens = without_messages(tokens);
  return any([](const Token& t) { return t.is("for"); }) && any([](const Token& t) { return t.text.starts_with("assert"); }) ? LoopAsserts(std::move(tokens), words).run() : tokens;
}

}  // namespace foldproof::program
