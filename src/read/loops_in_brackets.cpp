// SPDX-License-Identifier: MIT
// Comprehensions over written items, [f(w) for w in ws] of a list ws and sum(w * o for w, o in zip(ws, outs)), whose items are written out one
// beside the other. What goes through a tensor, or through the places of one, stays for the parser.
#include <algorithm>

#include "read/loops.hpp"

namespace foldproof::read {

/// Whether the range goes through what is written item by item: a list or a tuple by its name or in brackets, also several of these or with their places.
bool Loops::is_of_items(const Tokens& range) const {
  if (is_in_round_brackets(range)) return is_of_items(inside(range, 1));
  if (range.size() == 1) return is_list_of_items(range[0].text);
  if (is_one_bracket(range)) return !has_outside(inside(range, 1), "for");
  const bool joins = range[0].is("zip") || range[0].is("enumerate") || range[0].is("reversed");
  if (!joins || range.size() < 4 || !is_one_bracket(between(range, 1))) return false;
  const auto arguments = parts_of(inside(range, 2));
  return std::any_of(arguments.begin(), arguments.end(), [&](const Tokens& argument) { return !argument.empty() && is_of_items(argument); });
}

bool Loops::is_list_of_items(std::string_view name) const {
  const auto list = lists_.find(name);
  return list != lists_.end() ? list->second.comprehension.empty() : is_tuple_(std::string(name));
}

/// The items of what stands in a bracket, if that is a comprehension over written ones, or one over a number that chooses among such; with `of_numbers`
/// also of another one over a number.
std::optional<std::vector<Tokens>> Loops::items_of(const Tokens& content, bool of_numbers) {
  const auto begin = place_outside(content, "for"), in = place_outside(content, "in");
  if (!begin || *begin == 0 || !in || *in < *begin + 2 || *in + 1 == content.size()) return std::nullopt;
  const Tokens body = between(content, 0, static_cast<std::ptrdiff_t>(*begin)), names_of = between(content, *begin + 1, static_cast<std::ptrdiff_t>(*in)), range = between(content, *in + 1);
  for (const char* more : {"for", "if", ","}) {
    if (has_outside(range, more)) return std::nullopt;
  }
  if (has_outside(body, ",")) return std::nullopt;
  const bool chooses = range[0].is("range") && std::any_of(body.begin(), body.end(), [&](const Token& t) { return t.is("if") || (t.kind == TokenKind::name && is_list_of_items(t.text)); });
  if (!of_numbers && !chooses && !is_of_items(range)) return std::nullopt;
  const auto steps = steps_of(range, nullptr);
  if (!steps || steps->empty() || steps->size() > most_steps) return std::nullopt;
  const Items targets = items_of_targets(names_of);
  for (std::size_t k = 0; k + 1 < body.size(); ++k) {
    const bool again = body[k].is("for") && std::any_of(targets.flat.begin(), targets.flat.end(), [&](const Token& t) { return t.text == body[k + 1].text; });
    if (again) refuse_loop(body[k + 1], describe(body[k + 1]) + " goes through two ranges", "give each index a name of its own");
  }
  std::vector<Tokens> items;
  for (const Step& step : *steps) items.push_back(in_step(body, targets, step, content[*begin]));
  return items;
}

/// What stands between commas, without the cases of `a if c else b` whose condition is known: True, or a relation of numbers.
Tokens Loops::decided(const Tokens& part, bool in_brackets) const {
  const auto begin = place_outside(part, "if"), other = place_outside(part, "else");
  if (!begin || !other || *begin == 0 || *other < *begin + 2 || *other + 1 == part.size() || has_outside(part, "for") || has_outside(part, "lambda") || has_outside(part, ":")) return part;
  std::size_t value = part[0].is("return") ? 1 : 0;
  if (const auto equals = assignment(part); equals && *equals < *begin) value = *equals + 1;
  while (const auto again = value == 0 ? std::nullopt : place_outside(between(part, value, static_cast<std::ptrdiff_t>(*begin)), "=")) value += *again + 1;  // a = b = x if c else y
  if (value == 0 && !in_brackets) return part;
  if (has_outside(between(part, value), ",")) {  // x, y if c else z is a tuple, whose second item has cases
    Tokens items = between(part, 0, static_cast<std::ptrdiff_t>(value));
    if (value == 0) items.clear();
    for (const Tokens& item : parts_of(between(part, value))) {
      if (items.size() > value) items.push_back(symbol(",", item.empty() ? part[0] : item[0]));
      put(items, decided(item, true));
    }
    return items;
  }
  const Tokens condition = between(part, *begin + 1, static_cast<std::ptrdiff_t>(*other));
  const auto holds = truth(condition);
  if (!holds) return part;
  Tokens result = value == 0 ? Tokens{} : between(part, 0, static_cast<std::ptrdiff_t>(value));
  put(result, *holds ? between(part, value, static_cast<std::ptrdiff_t>(*begin)) : decided(between(part, *other + 1), true));
  return result;
}

/// The tokens with such comprehensions as lists, from the innermost outwards, and Python's sums of them as sums, which begin with 0.
Tokens Loops::with_items_written(const Tokens& tokens) {
  Tokens result;
  std::size_t end = 0;
  for (std::size_t k = 0; k < tokens.size(); ++k) {
    const Token& t = tokens[k];
    if (!opens(t)) {
      result.push_back(t);
      continue;
    }
    int depth = 1;
    for (end = k + 1; end < tokens.size() && depth > 0; ++end) depth += (opens(tokens[end]) ? 1 : 0) - (closes(tokens[end]) ? 1 : 0);
    if (depth > 0) return tokens;  // never closed
    Tokens content = end == k + 2 ? Tokens{} : with_items_written(between(tokens, k + 1, static_cast<std::ptrdiff_t>(end) - 1));
    if (has_outside(content, "else") && !content.back().is(",")) {
      Tokens all;
      for (const Tokens& part : parts_of(content)) {
        if (!all.empty()) all.push_back(symbol(",", t));
        put(all, decided(part, true));
      }
      content = std::move(all);
    }
    const bool call = t.is("(") && k > 0 && tokens[k - 1].kind == TokenKind::name;
    const bool sums = call && tokens[k - 1].is("sum") && (k < 2 || !tokens[k - 2].is("."));
    const auto items = call || t.is("[") ? items_of(content) : std::nullopt;
    const Token& last = tokens[end - 1];
    k = end - 1;
    if (!items) {
      result.push_back(t);
      put(result, content);
      result.push_back(last);
      continue;
    }
    if (sums) result.pop_back();
    if (sums) put(result, code("( 0", t));
    else put(result, code(call ? "( [" : "[", t));
    for (std::size_t item = 0; item < items->size(); ++item) {
      if (sums) put(result, code("+ (", t));
      else if (item > 0) result.push_back(symbol(",", t));
      put(result, with_items_written(decided((*items)[item], true)));
      if (sums) result.push_back(symbol(")", t));
    }
    put(result, code(sums ? ")" : call ? "] )" : "]", t));
    if (result.size() > most_tokens_written) fail("limit.size", "with its lists and loops written out the claim is too long", t.span, "write sum(... for i in range(h))");
  }
  return result;
}

/// Whether the statement has such comprehensions or cases, which are then written out. A function would look at the list when it is called.
bool Loops::write_items(const Tokens& next) {
  const auto is = [&](std::string_view word) { return std::any_of(next.begin(), next.end(), [&](const Token& t) { return t.is(word); }); };
  if (next.empty() || (!is("for") && !is("else")) || is("lambda") || next[0].is("def")) return false;
  const Set outside = around_.targets;
  for (std::size_t k = 0; k + 1 < next.size(); ++k) {  // what stands for other things inside of brackets
    for (std::size_t t = k + 1; next[k].is("for") && t < next.size() && !next[t].is("in"); ++t) around_.targets.emplace(next[t].text);
  }
  Tokens written = decided(with_items_written(next), false);
  around_.targets = outside;
  const auto same_text = [](const Token& a, const Token& b) { return a.text == b.text; };
  if (std::equal(written.begin(), written.end(), next.begin(), next.end(), same_text)) return false;
  refuse_gone(next);
  rewrite(next.size(), std::move(written));
  return true;
}

}  // namespace foldproof::read
