// SPDX-License-Identifier: MIT
#include "program/nested_comprehensions.hpp"

namespace foldproof::program {
namespace {

constexpr std::string_view libraries[] = {"np", "numpy", "jnp", "torch"}, joining[] = {"concatenate", "cat", "concat", "vstack"}, stacking[] = {"stack", "array"};

/// Whether nothing follows a list in a call but what says that it is joined along the first axis.
bool is_along_first(const std::vector<Tokens>& arguments) {
  for (std::size_t k = 1; k < arguments.size(); ++k) {
    const Tokens& a = arguments[k];
    const bool named = a.size() == 3 && (a[0].is("axis") || a[0].is("dim")) && a[1].is("=") && a[2].text == "0", place = a.size() == 1 && a[0].text == "0";
    if (!named && !place) return false;
  }
  return arguments.size() <= 2;
}

/// The call [path, close] of one list with a comprehension of several `for`; empty where it is none.
Tokens nested(const Tokens& tokens, std::size_t path, std::size_t open, std::size_t close) {
  const Token& function = tokens[open - 1];
  const bool joins = is_among(function.text, joining), stacks = is_among(function.text, stacking);
  const std::vector<Tokens> arguments = parts_of(slice(tokens, open + 1, close));
  if ((!joins && !stacks) || open == path + 1 || arguments.empty() || !is_one_bracket(arguments[0]) || !arguments[0][0].is("[") || !is_along_first(arguments)) return {};
  const Tokens all = inside(arguments[0], 1);
  const auto first = place_outside(all, "for");
  const auto second = first ? place_outside(between(all, *first + 1), "for") : std::nullopt;
  if (!second || *first == 0 || has_outside(slice(all, 0, *first), ",")) return {};
  const std::size_t rest = *first + 1 + *second;
  const auto symbol = [&](std::string_view text) { return Token{TokenKind::symbol, text, function.span}; };
  Tokens inner = slice(tokens, path, open + 1);
  inner.push_back(symbol("["));
  put(inner, slice(all, 0, *first));
  put(inner, between(all, rest));
  put(inner, {symbol("]"), symbol(")")});
  Tokens found = slice(tokens, path, open - 1);
  found.push_back({TokenKind::name, joins ? function.text : tokens[path].is("torch") ? "cat" : "concatenate", function.span});
  put(found, {symbol("("), symbol("[")});
  put(found, with_nested_comprehensions(inner));  // of three
  put(found, slice(all, *first, rest));
  put(found, {symbol("]"), symbol(")")});
  return found;
}

}  // namespace

Tokens with_nested_comprehensions(const Tokens& tokens) {
  Tokens found;
  for (std::size_t k = 0; k < tokens.size(); ++k) {
    const bool begins = tokens[k].kind == TokenKind::name && is_among(tokens[k].text, libraries) && (k == 0 || !tokens[k - 1].is("."));
    const std::size_t open = begins && k + 3 < tokens.size() && tokens[k + 1].is(".") && tokens[k + 3].is("(") ? k + 3 : 0;
    const std::size_t close = open > 0 ? closing(tokens, open) : tokens.size();
    if (close < tokens.size()) {
      if (const Tokens call = nested(tokens, k, open, close); !call.empty()) {
        put(found, call);
        k = close;
        continue;
      }
    }
    found.push_back(tokens[k]);
  }
  return found;
}

}  // namespace foldproof::program
