// SPDX-License-Identifier: MIT
#include "program/array_updates.hpp"

#include <algorithm>
#include <optional>

namespace foldproof::program {
namespace {

/// x.at[places].set(value)
struct Update {
  std::size_t begin = 0, end = 0;  ///< the tokens of it
  Tokens array, places, value;
  std::string_view function;
};

/// Where the operand begins that ends before token k: f(x)[0].y
std::size_t operand_begin(const Tokens& t, std::size_t k) {
  while (k > 0) {
    std::size_t begin = k - 1;
    if (closes(t[begin])) {
      const std::vector<std::size_t> open = open_brackets(t, begin);
      if (open.empty()) return k;
      begin = open.back();
      const bool called = begin > 0 && (closes(t[begin - 1]) || (t[begin - 1].kind == TokenKind::name && !is_word_of_python(t[begin - 1].text)));
      if (!called) return begin;
      k = begin;
      continue;
    }
    if (t[begin].kind != TokenKind::name) return k;
    if (begin < 2 || !t[begin - 1].is(".")) return begin;
    k = begin - 1;
  }
  return k;
}

/// Whether each place is chosen once: x.at[t].add(v) adds for each entry of a list t, where x[t] += v adds once.
bool chooses_once(const Tokens& places, const std::set<std::string_view>& counted) {
  const std::vector<Tokens> parts = parts_of(places);
  return std::all_of(parts.begin(), parts.end(), [&](const Tokens& p) { return p.size() != 1 || p[0].kind != TokenKind::name || counted.count(p[0].text) > 0; }) &&
         std::none_of(places.begin(), places.end(), [](const Token& t) { return t.is("[") || t.is("("); });
}

class Updates {
 public:
  Updates(Tokens tokens, Words& words) : tokens_(std::move(tokens)), words_(words) {
    for (std::size_t k = 0; k + 2 < tokens_.size(); ++k) {
      if (tokens_[k].is("for") && begins_statement(tokens_, k) && tokens_[k + 2].is("in") && k + 3 < tokens_.size() && tokens_[k + 3].is("range")) counted_.insert(tokens_[k + 1].text);
    }
    const auto given = values_given(tokens_);
    std::erase_if(counted_, [&](std::string_view name) { return given.at(name) > 1; });
  }

  Tokens run() {
    for (std::size_t k = 0; k < tokens_.size(); ++k) {
      if (!begins_statement(tokens_, k) || ends_statement(tokens_[k])) continue;
      while (write_out(k)) {
      }
    }
    return std::move(tokens_);
  }

 private:
  std::optional<Update> update_in(std::size_t begin, std::size_t end) const {
    static constexpr std::string_view functions[] = {"set", "add", "subtract", "multiply", "mul", "divide", "min", "max"};
    for (std::size_t k = begin + 2; k + 4 < end; ++k) {
      if (!tokens_[k].is("at") || !tokens_[k - 1].is(".") || !tokens_[k + 1].is("[")) continue;
      const std::size_t close = closing(tokens_, k + 1), open = close + 3;
      if (open >= end || !tokens_[close + 1].is(".") || !is_among(tokens_[close + 2].text, functions) || !tokens_[open].is("(")) continue;
      const std::size_t last = closing(tokens_, open);
      const std::vector<Tokens> arguments = parts_of(slice(tokens_, open + 1, last));
      if (last >= end || arguments.size() != 1 || !is_by_place(arguments[0]) || is_recomputed(tokens_, k)) continue;
      const std::size_t from = operand_begin(tokens_, k - 1);
      if (from >= k - 1) continue;
      return Update{from, last + 1, slice(tokens_, from, k - 1), slice(tokens_, k + 2, close), arguments[0], tokens_[close + 2].text};
    }
    return std::nullopt;
  }

  bool write_out(std::size_t begin) {
    const std::size_t end = end_of_statement(tokens_, begin);
    static constexpr std::string_view heads[] = {"def", "class", "for", "while", "if", "elif"};
    const bool head = is_among(tokens_[begin].text, heads);
    const auto update = head ? std::nullopt : update_in(begin, end);
    if (!update || (update->function != "set" && !chooses_once(update->places, counted_))) return false;
    const Token at = update->array[0];
    const Token name = numbered(word("updated", at), tokens_, words_);
    const Token line{TokenKind::separator, "\n", at.span};
    const auto item = [&] {
      Tokens found{name, symbol("[", at)};
      put(found, update->places);
      found.push_back(symbol("]", at));
      return found;
    };
    Tokens all{name, symbol("=", at), symbol("(", at)};
    put(all, update->array);
    put(all, {symbol(")", at), symbol(".", at), word("copy", at), symbol("(", at), symbol(")", at), line});
    put(all, item());
    static constexpr std::pair<std::string_view, std::string_view> operations[] = {{"add", "+"}, {"subtract", "-"}, {"multiply", "*"}, {"mul", "*"}, {"divide", "/"}};
    const auto* operation = std::find_if(std::begin(operations), std::end(operations), [&](const auto& o) { return o.first == update->function; });
    if (operation != std::end(operations)) all.push_back(symbol(operation->second, at));
    all.push_back(symbol("=", at));
    const bool extremum = update->function == "min" || update->function == "max";
    if (extremum) {
      put(all, {word("np", at), symbol(".", at), word(update->function == "min" ? "minimum" : "maximum", at), symbol("(", at)});
      put(all, item());
      all.push_back(symbol(",", at));
    }
    put(all, update->value);
    if (extremum) all.push_back(symbol(")", at));
    all.push_back(line);
    put(all, slice(tokens_, begin, update->begin));
    all.push_back(name);
    put(all, slice(tokens_, update->end, end));
    exchange(tokens_, begin, end, all);
    return true;
  }

  Tokens tokens_;
  Words& words_;
  std::set<std::string_view> counted_;  ///< whole numbers that loops go through
};

/// jax.lax.stop_gradient(x) as (x): the values are the same.
Tokens without_stopped_gradients(const Tokens& tokens) {
  Tokens found;
  for (std::size_t k = 0; k < tokens.size(); ++k) {
    const bool stops = tokens[k].is("stop_gradient") && found.size() > 1 && found.back().is(".") && found[found.size() - 2].is("lax");
    if (!stops) {
      found.push_back(tokens[k]);
      continue;
    }
    found.resize(found.size() - 2);
    if (found.size() > 1 && found.back().is(".") && found[found.size() - 2].is("jax")) found.resize(found.size() - 2);
  }
  return found;
}

}  // namespace

Tokens with_array_updates(Tokens tokens, Words& words) {
  const auto any = [&](std::string_view what) { return std::any_of(tokens.begin(), tokens.end(), [&](const Token& t) { return t.is(what); }); };
  if (any("stop_gradient")) tokens = without_stopped_gradients(tokens);
  return any("at") ? Updates(std::move(tokens), words).run() : tokens;
}

}  // namespace foldproof::program
