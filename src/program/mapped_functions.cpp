// SPDX-License-Identifier: MIT
#include "program/mapped_functions.hpp"

#include <algorithm>
#include <optional>

namespace foldproof::program {
namespace {

/// Along which axis the items of an argument are; nothing for one that is the same for all.
using Axis = std::optional<std::int64_t>;

class Mapped {
 public:
  Mapped(Tokens tokens, Words& words) : tokens_(std::move(tokens)), words_(words) {}

  Tokens run() {
    for (std::size_t k = 0; k < tokens_.size(); ++k) {
      if (begins_statement(tokens_, k)) write_out_name(k);
    }
    for (std::size_t k = 0; k < tokens_.size(); ++k) {
      const auto call = call_at(k);
      const Tokens stacked = call ? stacked_items(*call) : Tokens{};
      if (stacked.empty()) continue;
      exchange(tokens_, call->begin, call->end, stacked);
      k = call->begin;
    }
    return std::move(tokens_);
  }

 private:
  /// Where jax.vmap(f)(x) stands.
  struct Call {
    std::size_t begin, open, close, end;  ///< of the whole, the brackets around f, and the bracket behind x
  };

  bool is(std::size_t k, std::string_view text) const { return k < tokens_.size() && tokens_[k].is(text); }
  /// Where `vmap` stands at k with a bracket behind it: where it begins, with its module, and the bracket that closes.
  std::optional<std::pair<std::size_t, std::size_t>> function_at(std::size_t k) const {
    if (!is(k, "vmap") || !is(k + 1, "(")) return std::nullopt;
    std::size_t begin = k;
    while (begin > 1 && tokens_[begin - 1].is(".") && tokens_[begin - 2].kind == TokenKind::name) begin -= 2;
    const bool known = begin == k || tokens_[begin].is("jax") || tokens_[begin].is("torch") || tokens_[begin].is("func") || tokens_[begin].is("functorch");
    const std::size_t close = closing(tokens_, k + 1);
    return known && close < tokens_.size() ? std::optional(std::pair(begin, close)) : std::nullopt;
  }
  std::optional<Call> call_at(std::size_t k) const {
    const auto function = function_at(k);
    if (!function || !is(function->second + 1, "(")) return std::nullopt;
    const std::size_t end = closing(tokens_, function->second + 1);
    return end < tokens_.size() ? std::optional(Call{function->first, k + 1, function->second, end + 1}) : std::nullopt;
  }

  /// g = jax.vmap(f): the calls g(x) become those of jax.vmap(f) where g and f mean the same in all of them.
  void write_out_name(std::size_t begin) {
    const std::size_t end = end_of_statement(tokens_, begin);
    if (end < begin + 5 || tokens_[begin].kind != TokenKind::name || !is(begin + 1, "=") || end >= tokens_.size() || tokens_[end].kind != TokenKind::separator) return;
    std::size_t k = begin + 2;
    while (k < end && !tokens_[k].is("vmap")) ++k;
    const auto function = function_at(k);
    if (!function || function->first != begin + 2 || function->second + 1 != end) return;
    const Token name = tokens_[begin];
    const Tokens value = slice(tokens_, begin + 2, end);
    const BoundNames bound = bound_names(slice(tokens_, end, tokens_.size()));
    Tokens found = slice(tokens_, 0, begin);
    if (bound.has(name.text) || names(found, name.text) || std::any_of(value.begin(), value.end(), [&](const Token& t) { return bound.has(t.text); })) return;
    for (std::size_t at = end + 1; at < tokens_.size(); ++at) {
      if (!is_use(tokens_, at) || !tokens_[at].is(name.text)) found.push_back(tokens_[at]);
      else if (is(at + 1, "(")) put(found, value);
      else return;
    }
    tokens_ = std::move(found);
  }

  static std::optional<Axis> axis(const Tokens& t) {
    if (t.size() == 1 && t[0].is("None")) return Axis();
    const bool negative = t.size() == 2 && t[0].is("-");
    const auto k = small_number(negative ? between(t, 1) : t);
    if (!k || *k > 3) return std::nullopt;
    return Axis(negative ? -static_cast<std::int64_t>(*k) : static_cast<std::int64_t>(*k));
  }
  /// One for each argument; nothing for what is not read.
  static std::optional<std::vector<Axis>> axes(const Tokens& written, std::size_t arguments) {
    std::vector<Axis> found;
    const bool several = is_one_bracket(written);
    const std::vector<Tokens> parts = several ? parts_of(inside(written, 1)) : std::vector<Tokens>(arguments, written);
    for (const Tokens& part : parts) {
      if (part.empty() && &part == &parts.back()) continue;  // (0,)
      const auto one = axis(part);
      if (!one) return std::nullopt;
      found.push_back(*one);
    }
    return found.size() == arguments ? std::optional(found) : std::nullopt;
  }

  /// stack([f(x[i]) for i in range(x.shape[0])]); empty for what is not read.
  Tokens stacked_items(const Call& call) {
    const Token at = tokens_[call.begin];
    std::vector<Tokens> options = parts_of(slice(tokens_, call.open + 1, call.close)), arguments = parts_of(slice(tokens_, call.close + 2, call.end - 1));
    if (options.empty() || !is_by_place(options[0]) || options[0][0].is("lambda") || arguments.empty() || !std::all_of(arguments.begin(), arguments.end(), is_by_place)) return {};
    Tokens in_axes{{TokenKind::number, "0", at.span}};
    for (std::size_t k = 1; k < options.size(); ++k) {
      const bool named = options[k].size() > 2 && options[k][1].is("="), in = named && (options[k][0].is("in_axes") || options[k][0].is("in_dims"));
      if ((named && !in) || (!named && k > 1)) return {};
      in_axes = between(options[k], named ? 2 : 0);
    }
    const auto along = axes(in_axes, arguments.size());
    const auto first = along ? std::find_if(along->begin(), along->end(), [](const Axis& a) { return a.has_value(); }) : std::vector<Axis>::const_iterator();
    if (!along || first == along->end()) return {};
    const auto symbol = [&](std::string_view text) { return Token{TokenKind::symbol, text, at.span}; };
    const auto word = [&](std::string_view text) { return Token{TokenKind::name, text, at.span}; };
    const auto number = [&](std::int64_t n) {
      Tokens written{{TokenKind::number, words_.emplace_back(std::to_string(std::abs(n))), at.span}};
      if (n < 0) written.insert(written.begin(), symbol("-"));
      return written;
    };
    const auto first_place = static_cast<std::size_t>(first - along->begin());
    const auto items = [&](std::size_t k) {  // along the first axis
      Tokens moved;
      put_in_brackets(moved, arguments[k], at);
      if (*(*along)[k] == 0) return moved;
      moved.insert(moved.begin(), {word("moveaxis"), symbol("(")});
      moved.push_back(symbol(","));
      put(moved, number(*(*along)[k]));
      put(moved, {symbol(","), number(0)[0], symbol(")")});
      return moved;
    };
    Tokens all{word("zipped"), symbol("(")};  // there are as many of each
    std::size_t mapped = 0;
    for (std::size_t k = 0; k < arguments.size(); ++k) {
      if (!(*along)[k]) continue;
      if (mapped++ > 0) all.push_back(symbol(","));
      put(all, items(k));
    }
    all.push_back(symbol(")"));
    const Token index = numbered({TokenKind::name, "item", at.span}, tokens_, words_);
    Tokens found{word("stack"), symbol("("), symbol("[")};
    put(found, options[0]);
    found.push_back(symbol("("));
    for (std::size_t k = 0; k < arguments.size(); ++k) {
      if (k > 0) found.push_back(symbol(","));
      if (!(*along)[k]) {
        put_in_brackets(found, arguments[k], at);
        continue;
      }
      put(found, k == first_place && mapped > 1 ? all : items(k));
      put(found, {symbol("["), index, symbol("]")});
    }
    put(found, {symbol(")"), word("for"), index, word("in"), word("range"), symbol("(")});
    put_in_brackets(found, arguments[first_place], at);
    put(found, {symbol("."), word("shape"), symbol("[")});
    put(found, number(**first));
    put(found, {symbol("]"), symbol(")"), symbol("]"), symbol(")")});
    return found;
  }
  static void put_in_brackets(Tokens& tokens, const Tokens& others, const Token& at) {
    const bool simple = others.size() == 1;
    if (!simple) tokens.push_back({TokenKind::symbol, "(", at.span});
    put(tokens, others);
    if (!simple) tokens.push_back({TokenKind::symbol, ")", at.span});
  }

  Tokens tokens_;
  Words& words_;
};

/// jax.vmap(lambda x: ...)(q) as f = lambda x: ...; jax.vmap(f)(q), where the function is called in no comprehension, whose values it may use.
Tokens with_functions_named(Tokens tokens, Words& words) {
  for (std::size_t k = 0; k + 2 < tokens.size(); ++k) {
    if (!tokens[k].is("vmap") || !tokens[k + 1].is("(") || !tokens[k + 2].is("lambda") || is_recomputed(tokens, k)) continue;
    std::size_t begin = k, end = k + 2;
    while (!begins_statement(tokens, begin)) --begin;
    for (int depth = 0; end < tokens.size() && depth >= 0; ++end) {  // a comma behind the colon ends it
      depth += (opens(tokens[end]) ? 1 : 0) - (closes(tokens[end]) ? 1 : 0);
      if (depth < 0 || (depth == 0 && tokens[end].is(",") && has_outside(slice(tokens, k + 2, end), ":"))) break;
    }
    if (tokens[begin].is("def") || tokens[begin].is("for") || tokens[begin].is("lambda")) continue;
    const Token name = numbered({TokenKind::name, "each", tokens[k].span}, tokens, words);
    Tokens found = slice(tokens, 0, begin);
    put(found, {name, {TokenKind::symbol, "=", name.span}});
    put(found, slice(tokens, k + 2, end));
    found.push_back({TokenKind::separator, "\n", name.span});
    put(found, slice(tokens, begin, k + 2));
    found.push_back(name);
    const std::size_t next = found.size();
    put(found, slice(tokens, end, tokens.size()));
    tokens = std::move(found);
    k = next;
  }
  return tokens;
}

}  // namespace

Tokens with_mapped_functions(Tokens tokens, Words& words) {
  bool found = false;
  for (std::size_t k = 0; k < tokens.size(); ++k) {
    if (!tokens[k].is("vmap")) continue;
    if (k > 0 && tokens[k - 1].is("def")) return tokens;  // one's own
    found = true;
  }
  if (!found) return tokens;  // nearly always
  return Mapped(with_functions_named(std::move(tokens), words), words).run();
}

}  // namespace foldproof::program
