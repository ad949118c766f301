// SPDX-License-Identifier: MIT
#include "program/token_lists.hpp"

#include <algorithm>

namespace foldproof::program {
namespace {

/// Refuses to put tokens where a comprehension would give one of their names another meaning.
void refuse_capture(const Tokens& tokens, const Tokens& others, std::string_view index) {
  for (std::size_t f = 0; f + 1 < tokens.size(); ++f) {
    if (!tokens[f].is("for") || tokens[f + 1].text == index) continue;
    for (std::size_t k = 0; k < others.size(); ++k) {
      if (is_use(others, k) && others[k].text == tokens[f + 1].text && !is_index(others, k)) refuse_loop(tokens[f + 1], describe(tokens[f + 1]) + " is an index here, and stands for something else in a list or in a loop around it", "give the index another name");
    }
  }
}

/// Whether one call is all of it, module.f(...).
bool is_one_call(const Tokens& value) {
  if (is_one_bracket(value) && value[0].is("(")) return is_one_call(inside(value, 1));
  const std::size_t name = value.size() > 2 && value[1].is(".") ? 2 : 0;
  return value.size() > name + 2 && value[name].kind == TokenKind::name && is_one_bracket(between(value, name + 1));
}

/// How deep in brackets each token is, brackets as what is around them.
std::vector<int> depths(const Tokens& tokens) {
  std::vector<int> result;
  int depth = 0;
  for (const Token& t : tokens) {
    depth -= closes(t) ? 1 : 0;
    result.push_back(depth);
    depth += opens(t) ? 1 : 0;
  }
  return result;
}

}  // namespace

bool opens(const Token& t) { return t.kind == TokenKind::symbol && (t.text == "(" || t.text == "[" || t.text == "{"); }
bool closes(const Token& t) { return t.kind == TokenKind::symbol && (t.text == ")" || t.text == "]" || t.text == "}"); }

Tokens between(const Tokens& tokens, std::size_t first, std::ptrdiff_t last) {
  const auto end = last > 0 ? tokens.begin() + last : tokens.end() + last;
  return {tokens.begin() + static_cast<std::ptrdiff_t>(first), end};
}

std::optional<std::size_t> small_number(const Tokens& t) {
  const bool whole = t.size() == 1 && t[0].kind == TokenKind::number && t[0].text.size() < 4 && t[0].text.find('.') == std::string_view::npos;
  return whole ? std::optional<std::size_t>(std::stoul(std::string(t[0].text))) : std::nullopt;
}

const Token* called(const Tokens& value) {
  std::size_t k = 0;
  while (k < value.size() && value[k].is("(")) ++k;
  if (k + 2 < value.size() && value[k].kind == TokenKind::name && value[k + 1].is(".")) k += 2;
  const bool call = k + 1 < value.size() && value[k].kind == TokenKind::name && value[k + 1].is("(");
  return call ? &value[k] : nullptr;
}

const Token* called_alone(const Tokens& statement) {
  std::size_t k = 0;
  while (k + 2 < statement.size() && statement[k].kind == TokenKind::name && statement[k + 1].is(".")) k += 2;
  const bool call = k + 1 < statement.size() && statement[k].kind == TokenKind::name && statement[k + 1].is("(") && closing(statement, k + 1) + 1 == statement.size();
  return call ? &statement[k] : nullptr;
}

bool makes_zeros(const Tokens& value) {
  static constexpr std::string_view words[] = {"zeros", "empty", "zeros_like", "empty_like"};  // whether these hold whole numbers is asked where they get values
  const Token* const function = called(value);
  bool reals = true;
  for (std::size_t k = 0; k + 2 < value.size(); ++k) {
    if (!value[k].is("dtype") || !value[k + 1].is("=")) continue;
    const Token& type = k + 4 < value.size() && value[k + 3].is(".") ? value[k + 4] : value[k + 2];
    reals = type.text.starts_with("float") || type.is("double");
  }
  return reals && function != nullptr && std::find(std::begin(words), std::end(words), function->text) != std::end(words) && is_one_call(value);
}

bool makes_new_array(std::string_view function) {
  static constexpr std::string_view functions[] = {"softmax", "relu", "gelu", "silu", "exp", "log", "sqrt", "tanh", "sigmoid", "abs", "layernorm", "rmsnorm", "zeros", "ones", "eye", "arange", "sum", "mean", "maximum", "minimum", "matmul", "cumsum", "outer", "concatenate", "cat", "concat", "stack", "vstack", "hstack", "where", "tile", "repeat", "repeat_interleave", "roll", "tril", "triu", "log_softmax", "masked_fill", copied_call, assigned_call};
  return std::find(std::begin(functions), std::end(functions), function) != std::end(functions);
}

bool makes_new_array(const Tokens& value) {
  if (is_one_bracket(value) && value[0].is("(")) return makes_new_array(inside(value, 1));
  for (const char* chooses : {"if", "and", "or", "lambda", "for", ","}) {
    if (has_outside(value, chooses)) return false;
  }
  for (const char* computes : {"+", "-", "*", "/", "@", "**", "//", "%", "<", "<=", ">", ">=", "==", "!="}) {
    if (has_outside(value, computes)) return true;
  }
  const std::size_t n = value.size();
  static constexpr std::string_view types[] = {"float", "double", "half", "bfloat16", "long", "int"};
  const bool in_other_type = n > 5 && value[n - 4].is(".") && is_among(value[n - 3].text, types) && value[n - 2].is("(") && is_one_bracket(between(value, 0, -4));  // (x > 0).float(): of a new one a new one, or the same
  if (in_other_type && makes_new_array(between(value, 0, -4))) return true;
  const bool copies = n > 4 && value[n - 4].is(".") && (value[n - 3].is("copy") || value[n - 3].is("clone")) && value[n - 2].is("(");
  const Token* function = called(value);
  return copies || (function != nullptr && is_one_call(value) && value[1].is(".") && makes_new_array(function->text));  // not one's own
}

std::vector<Tokens> parts_of(const Tokens& tokens) {
  std::vector<Tokens> parts(1);
  int depth = 0;
  for (const Token& t : tokens) {
    depth += opens(t) ? 1 : 0;
    depth -= closes(t) ? 1 : 0;
    if (depth == 0 && t.is(",")) parts.emplace_back();
    else parts.back().push_back(t);
  }
  if (parts.back().empty() && parts.size() > 1) parts.pop_back();
  return parts;
}

std::size_t end_of_statement(const Tokens& tokens, std::size_t k) {
  while (k < tokens.size() && !ends_statement(tokens[k])) ++k;
  return k;
}

std::size_t closing(const Tokens& tokens, std::size_t open) {
  int depth = 0;
  for (std::size_t k = open; k < tokens.size(); ++k) {
    depth += (opens(tokens[k]) ? 1 : 0) - (closes(tokens[k]) ? 1 : 0);
    if (depth == 0) return k;
  }
  return tokens.size();
}

Tokens slice(const Tokens& tokens, std::size_t first, std::size_t end) {
  end = std::min(end, tokens.size());
  first = std::min(first, end);
  return {tokens.begin() + static_cast<std::ptrdiff_t>(first), tokens.begin() + static_cast<std::ptrdiff_t>(end)};
}

bool is_joined(const Tokens& condition) { return is_in_round_brackets(condition) || has_outside(condition, "or") || has_outside(condition, "and") || (!condition.empty() && condition[0].is("not")); }

std::optional<bool> of_joined(const Tokens& condition, const std::function<std::optional<bool>(const Tokens&)>& holds) {
  if (is_in_round_brackets(condition)) return holds(inside(condition, 1));
  for (const bool either : {true, false}) {
    const auto place = place_outside(condition, either ? "or" : "and");
    if (!place) continue;
    const auto first = holds(slice(condition, 0, *place));
    return first && *first != either ? holds(between(condition, *place + 1)) : first;
  }
  const auto opposite = holds(between(condition, 1));
  return opposite ? std::optional(!*opposite) : std::nullopt;
}

std::string_view fresh_name(const std::string& name, const std::vector<Token>& tokens, Words& words) {
  std::string fresh = name;
  const auto is_taken = [&] { return std::find(words.begin(), words.end(), fresh) != words.end() || std::any_of(tokens.begin(), tokens.end(), [&](const Token& t) { return t.text == fresh; }); };
  for (int k = 2; is_taken(); ++k) fresh = name + "_" + std::to_string(k);
  words.push_back(std::move(fresh));
  return words.back();
}

std::map<std::string_view, int> values_given(const Tokens& tokens) {
  std::map<std::string_view, int> found;
  each_statement(tokens, [&](const Tokens& statement, std::size_t) {
    const BoundNames bound = bound_names(statement);
    for (const auto* names : {&bound.assigned, &bound.functions, &bound.recomputed}) {
      for (const std::string_view name : *names) ++found[name];
    }
  });
  return found;
}

Token numbered(const Token& name, const std::function<bool(std::string_view)>& is_taken, Words& words) {
  std::string other;
  for (int k = 1; other.empty() || is_taken(other); ++k) other = std::string(name.text) + "_" + std::to_string(k);
  words.push_back(other);
  return {TokenKind::name, words.back(), name.span};
}
Token numbered(const Token& name, const std::vector<Token>& tokens, Words& words) {
  return numbered(name, [&](std::string_view other) { return std::any_of(tokens.begin(), tokens.end(), [&](const Token& t) { return t.text == other; }); }, words);
}

std::size_t beginning_of_statement(const Tokens& tokens, std::size_t k) {
  while (k > 0 && !ends_statement(tokens[k - 1])) --k;
  return k;
}

bool is_decorated(const Tokens& tokens, std::size_t k) { return k > 0 && tokens[beginning_of_statement(tokens, k - 1)].is("@"); }

std::size_t behind_statement(const Tokens& tokens, std::size_t k) {
  const std::size_t end = end_of_statement(tokens, k);
  return end < tokens.size() && tokens[end].kind == TokenKind::block_begin ? behind_block(tokens, end) : end;
}

void each_statement(const Tokens& tokens, const std::function<void(const Tokens&, std::size_t)>& see) {
  for (std::size_t k = 0; k < tokens.size();) {
    const std::size_t end = end_of_statement(tokens, k);
    see(slice(tokens, k, end), end);
    k = end + 1;
  }
}

Tokens in_brackets(const Tokens& tokens, const Token& at) {
  Tokens found{symbol("(", at)};
  put(found, tokens);
  found.push_back(symbol(")", at));
  return found;
}

Tokens called_with(std::string_view function, const std::vector<Tokens>& arguments, const Token& at) {
  Tokens found{word(function, at)};
  put(found, in_brackets(with_commas(arguments, at), at));
  return found;
}

void exchange(Tokens& tokens, std::size_t begin, std::size_t end, const Tokens& by) {
  tokens.erase(tokens.begin() + static_cast<std::ptrdiff_t>(begin), tokens.begin() + static_cast<std::ptrdiff_t>(end));
  tokens.insert(tokens.begin() + static_cast<std::ptrdiff_t>(begin), by.begin(), by.end());
}

std::vector<std::size_t> blocks_around(const Tokens& tokens, std::size_t k) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0, begin = 0; i < k; ++i) {
    if (begins_statement(tokens, i)) begin = i;
    if (tokens[i].kind == TokenKind::block_begin) found.push_back(begin);
    if (tokens[i].kind == TokenKind::block_end) found.pop_back();
  }
  return found;
}

std::vector<std::size_t> open_brackets(const Tokens& tokens, std::size_t k) {
  std::vector<std::size_t> open;
  for (std::size_t t = 0; t < k; ++t) {
    if (opens(tokens[t])) open.push_back(t);
    if (closes(tokens[t]) && !open.empty()) open.pop_back();
  }
  return open;
}

bool is_recomputed(const Tokens& tokens, std::size_t k) {
  if (std::any_of(tokens.begin(), tokens.begin() + static_cast<std::ptrdiff_t>(k), [](const Token& t) { return t.is("lambda"); })) return true;
  const auto open = open_brackets(tokens, k);
  return std::any_of(open.begin(), open.end(), [&](std::size_t at) { return has_outside(slice(tokens, at + 1, closing(tokens, at)), "for"); });
}

std::vector<Tokens> statements_of(const Tokens& tokens) {
  std::vector<Tokens> result(1);
  for (const Token& t : tokens) {
    if (!ends_statement(t)) result.back().push_back(t);
    else if (!result.back().empty()) result.emplace_back();
  }
  if (result.back().empty()) result.pop_back();
  return result;
}

bool is_by_place(const Tokens& argument) { return !argument.empty() && !has_outside(argument, "=") && !argument[0].is("*"); }

bool is_by_name(const Tokens& argument) { return argument.size() > 2 && argument[0].kind == TokenKind::name && argument[1].is("="); }

Tokens with_commas(const std::vector<Tokens>& parts, const Token& at) {
  Tokens found;
  for (std::size_t k = 0; k < parts.size(); ++k) {
    if (k > 0) found.push_back({TokenKind::symbol, ",", at.span});
    put(found, parts[k]);
  }
  return found;
}

std::size_t targets_end(const Tokens& statement) {
  std::size_t end = assignment(statement).value_or(0);
  while (end > 1 && statement[end - 1].kind == TokenKind::symbol && !closes(statement[end - 1])) --end;
  return end;
}

bool is_one_bracket(const Tokens& tokens) {
  if (tokens.size() < 2 || !opens(tokens.front())) return false;
  const auto depth = depths(tokens);
  return std::count(depth.begin(), depth.end(), 0) == 2 && depth.back() == 0;
}

Tokens without_brackets(Tokens tokens) {
  while (is_one_bracket(tokens) && tokens[0].is("(")) tokens = inside(tokens, 1);
  return tokens;
}

std::optional<std::size_t> place_outside(const Tokens& tokens, std::string_view what) {
  const auto depth = depths(tokens);
  for (std::size_t k = 0; k < tokens.size(); ++k) {
    if (depth[k] == 0 && tokens[k].is(what)) return k;
  }
  return std::nullopt;
}

bool is_use(const Tokens& tokens, std::size_t k) {
  if (tokens[k].kind != TokenKind::name) return false;
  const bool attribute = k > 0 && tokens[k - 1].is(".");
  if (attribute || k == 0 || k + 1 == tokens.size() || !tokens[k + 1].is("=") || (!tokens[k - 1].is("(") && !tokens[k - 1].is(","))) return !attribute;
  int depth = 0;  // inside of a bracket it is an argument
  for (std::size_t f = 0; f < k; ++f) depth += (opens(tokens[f]) ? 1 : 0) - (closes(tokens[f]) ? 1 : 0);
  return depth == 0;
}

bool names(const Tokens& tokens, std::string_view name, std::size_t first) {
  for (std::size_t k = first; k < tokens.size(); ++k) {
    if (is_use(tokens, k) && tokens[k].text == name) return true;
  }
  return false;
}

bool is_index(const Tokens& tokens, std::size_t k) {
  if (k > 0 && tokens[k - 1].is("for")) return true;
  int depth = 0, lowest = 0;
  for (std::size_t f = k + 1; f + 1 < tokens.size(); ++f) {
    depth += (opens(tokens[f]) ? 1 : 0) - (closes(tokens[f]) ? 1 : 0);
    lowest = std::min(lowest, depth);
    if (depth == lowest && tokens[f].is("for") && tokens[f + 1].text == tokens[k].text) return true;
  }
  return false;
}

BoundNames bound_names(const Tokens& tokens) {
  BoundNames found;
  const auto note = [](std::set<std::string_view>& names, const Tokens& targets) {
    for (const Token& t : targets) {
      if (t.kind == TokenKind::name && !is_reserved(t.text)) names.insert(t.text);
    }
  };
  for (const Tokens& s : statements_of(tokens)) {
    const bool function = s[0].is("def"), lambda = s.size() > 2 && s[1].is("=") && s[2].is("lambda");
    if (function || lambda) note(found.functions, {s[function ? 1 : 0]});
    for (const Tokens& parameter : function && s.size() > 3 ? parts_of(slice(s, 3, closing(s, 2))) : std::vector<Tokens>{}) note(found.assigned, slice(parameter, 0, parameter.size() > 1 && parameter[1].kind == TokenKind::name ? 2 : 1));
    if (!item_change(s)) note(found.assigned, slice(s, 0, assignment(s).value_or(0)));
    for (std::size_t k = 0; k < s.size(); ++k) {
      if (!s[k].is("for") && !s[k].is("lambda")) continue;
      const Tokens rest = between(s, k + 1);
      note(k == 0 ? found.assigned : found.recomputed, slice(rest, 0, place_outside(rest, s[k].is("for") ? "in" : ":").value_or(0)));
    }
  }
  return found;
}

bool is_literal(const Tokens& value) {
  const std::size_t sign = !value.empty() && value[0].is("-") ? 1 : 0;
  if (value.size() != sign + 1) return false;
  const Token& t = value[sign];
  return t.kind == TokenKind::number || (sign == 0 && (t.kind == TokenKind::text || t.is("True") || t.is("False") || t.is("None")));
}

std::vector<Token> target_names(const Tokens& targets) {
  std::vector<Token> found;
  for (Tokens part : parts_of(targets)) {
    part = without_brackets(part);
    if (part.size() == 1 && part[0].kind == TokenKind::name) found.push_back(part[0]);
    else if (has_outside(part, ",") || is_one_bracket(part)) for (const Token& t : target_names(is_one_bracket(part) ? inside(part, 1) : part)) found.push_back(t);
  }
  return found;
}

bool is_append(const Tokens& t) { return t.size() > 5 && t[0].kind == TokenKind::name && t[1].is(".") && t[2].is("append") && t[3].is("(") && t.back().is(")"); }

Tokens replaced(const Tokens& tokens, const std::function<const Tokens*(std::string_view)>& by, std::string_view index) {
  Tokens result;
  for (std::size_t k = 0; k < tokens.size(); ++k) {
    const Tokens* others = is_use(tokens, k) ? by(tokens[k].text) : nullptr;
    if (others == nullptr) {
      result.push_back(tokens[k]);
      continue;
    }
    refuse_capture(tokens, *others, index);
    const bool binds = k + 1 < tokens.size() && (tokens[k + 1].is("**") || tokens[k + 1].is(".") || tokens[k + 1].is("[") || tokens[k + 1].is("("));
    if (binds && others->size() > 1 && others->front().is("-")) {  // (-3)**2
      const auto bracket = [&](std::string_view text) { return Token{TokenKind::symbol, text, tokens[k].span}; };
      result.push_back(bracket("("));
      result.insert(result.end(), others->begin(), others->end());
      result.push_back(bracket(")"));
      continue;
    }
    result.insert(result.end(), others->begin(), others->end());
    if (others->size() == 1) result.back().span = tokens[k].span;  // another name for it stands where it stood
  }
  return result;
}

Tokens replaced(const Tokens& tokens, const std::map<std::string_view, Tokens>& by) {
  return replaced(tokens, [&](std::string_view name) {
    const auto other = by.find(name);
    return other == by.end() ? nullptr : &other->second;
  });
}

std::string text_of(const Tokens& tokens) {
  std::string text;
  for (const Token& t : tokens) text += (text.empty() ? "" : " ") + std::string(t.text);
  return text;
}

void refuse_loop(const Token& at, const std::string& message, const std::string& hint) { fail("parse.loop", message, at.span, hint); }

void require_several(const Token& zip, const std::vector<Tokens>& arguments) {
  if (arguments.size() < 2) refuse_loop(zip, "zip of one thing gives tuples of one value", "write for a in A:");
}

namespace {

/// One of what a sum adds up.
struct Summand {
  bool minus;
  Tokens tokens;
};

/// The summands outside of brackets.
std::vector<Summand> summands_of(const Tokens& tokens) {
  const auto depth = depths(tokens);
  std::vector<Summand> result{{false, {}}};
  for (std::size_t k = 0; k < tokens.size(); ++k) {
    const bool sign = depth[k] == 0 && (tokens[k].is("+") || tokens[k].is("-"));
    const bool first = k == 0 || result.back().tokens.empty();
    const bool joins = sign && !first && (tokens[k - 1].kind != TokenKind::symbol || closes(tokens[k - 1]));
    if (joins) result.push_back({tokens[k].is("-"), {}});
    else result.back().tokens.push_back(tokens[k]);
  }
  return result;
}

/// The factors of the product that x is one of, entry by entry, outside of brackets. None where x stands in something else.
std::optional<Tokens> factor_of(const Tokens& product, std::string_view x) {
  const auto depth = depths(product);
  const auto is_operator = [&](std::size_t k, auto... symbols) { return depth[k] == 0 && product[k].kind == TokenKind::symbol && (product[k].is(symbols) || ...); };
  std::size_t at = product.size(), uses = 0;
  for (std::size_t k = 0; k < product.size(); ++k) {
    if (!is_use(product, k) || product[k].text != x) continue;
    ++uses;
    at = depth[k] == 0 ? k : product.size();
  }
  if (uses != 1 || at == product.size()) return std::nullopt;
  if (at > 0 && !is_operator(at - 1, "*")) return std::nullopt;
  Tokens factor(product.begin(), product.begin() + static_cast<std::ptrdiff_t>(at > 0 ? at - 1 : 0));
  if (at + 1 == product.size()) return factor;
  for (std::size_t k = at + 1; k < product.size(); ++k) {  // x * a / b, and no x @ a, x**a or x[a]
    const bool entrywise = is_operator(k, "*", "/");
    if ((k == at + 1 && !entrywise) || is_operator(k, "@", "//", "%")) return std::nullopt;
  }
  if (factor.empty() && product[at + 1].is("*")) return between(product, at + 2);
  if (factor.empty()) factor.push_back({TokenKind::number, "1", product[at].span});
  put(factor, between(product, at + 1));
  return factor;
}

/// g * (x + e) / h is a bracket between factors, entry by entry, that alone has x in it.
struct Bracket {
  Tokens before, within, after;
  Tokens times(Tokens middle) const {
    Tokens result = before;
    if (middle.empty()) middle.push_back({TokenKind::number, "1", within[0].span});
    result.push_back({TokenKind::symbol, "(", within[0].span});
    put(result, middle);
    result.push_back({TokenKind::symbol, ")", within[0].span});
    put(result, after);
    return result;
  }
};
std::optional<Bracket> bracket_of(const Tokens& product, std::string_view x) {
  const auto depth = depths(product);
  for (std::size_t k = 0; k < product.size(); ++k) {
    if (depth[k] == 0 && (product[k].is("@") || product[k].is("//") || product[k].is("%"))) return std::nullopt;
  }
  for (std::size_t open = 0; open < product.size(); ++open) {
    if (depth[open] != 0 || !product[open].is("(") || (open > 0 && !product[open - 1].is("*"))) continue;
    const auto end = std::find(depth.begin() + static_cast<std::ptrdiff_t>(open) + 1, depth.end(), 0) - depth.begin();
    const Bracket b{Tokens(product.begin(), product.begin() + static_cast<std::ptrdiff_t>(open)), between(product, open + 1, end), between(product, static_cast<std::size_t>(end) + 1)};
    const bool entrywise = b.after.empty() || b.after[0].is("*") || b.after[0].is("/");
    if (entrywise && !b.within.empty() && names(b.within, x)) return names(b.before, x) || names(b.after, x) ? std::nullopt : std::optional(b);
  }
  return std::nullopt;
}

}  // namespace

std::optional<Recurrence> recurrence(const Tokens& t) {
  const auto is_any = [](const Token& token, auto... symbols) { return (token.is(symbols) || ...); };
  if (t.size() < 4 || t[0].kind != TokenKind::name) return std::nullopt;
  const auto opposite = [](const Token& sign, const Tokens& value) {
    Tokens result{{TokenKind::number, "0", sign.span}, {TokenKind::symbol, "-", sign.span}, {TokenKind::symbol, "(", sign.span}};
    put(result, value);
    result.push_back({TokenKind::symbol, ")", sign.span});
    return result;
  };
  if (t[2].is("=") && is_any(t[1], "+", "-")) return Recurrence{true, {}, t[1].is("-") ? opposite(t[1], between(t, 3)) : between(t, 3), {}};
  if (t[2].is("=") && is_any(t[1], "*", "/")) {
    Tokens factor;
    if (t[1].is("/")) factor = {{TokenKind::number, "1", t[1].span}, t[1]};
    put(factor, {{TokenKind::symbol, "(", t[1].span}});
    put(factor, between(t, 3));
    put(factor, {{TokenKind::symbol, ")", t[1].span}});
    return Recurrence{true, std::move(factor), {}, {}};
  }
  if (!t[1].is("=")) return std::nullopt;
  const Tokens right = without_brackets(between(t, 2));
  for (const char* weaker : {"==", "!=", "<=", ">=", "<", ">", "&", "|", ",", "if", "and", "or", "not", "lambda", "for"}) {  // these hold the sum together less than + does
    if (has_outside(right, weaker)) return std::nullopt;
  }
  const std::string_view x = t[0].text;
  const Token* function = called(right);
  if (function != nullptr && function->is(kept_call) && is_one_call(right)) {
    const auto operands = parts_of(inside(right, 2));
    if (operands.size() != 2 || operands[0].size() != 1 || operands[0][0].text != x) return std::nullopt;
    Tokens some{t[0], t[1]};
    put(some, operands[1]);
    auto result = recurrence(some);
    if (result) result->kept = true;
    return result;
  }
  const bool larger = function != nullptr && is_any(*function, "max", "maximum"), smaller = function != nullptr && is_any(*function, "min", "minimum");
  if ((larger || smaller) && is_one_call(right)) {
    const bool module = right[1].is("."), array = function->text.size() > 3;  // np.max(x, 1) and torch.max(x, 1) go along an axis
    const auto operands = parts_of(inside(right, static_cast<std::size_t>(function - right.data()) + 2));
    if (operands.size() != 2 || (!array && module)) return std::nullopt;
    for (const std::size_t k : {0U, 1U}) {
      if (operands[k].size() == 1 && operands[k][0].text == x && !names(operands[1 - k], x)) return Recurrence{false, {}, operands[1 - k], function->text};
    }
    return std::nullopt;
  }
  std::optional<Recurrence> result;
  Tokens value;
  for (const Summand& s : summands_of(right)) {
    if (names(s.tokens, x)) {
      const auto factor = factor_of(s.tokens, x);
      if (result || s.minus) return std::nullopt;
      if (factor) {
        result = Recurrence{false, *factor, {}, {}};
        continue;
      }
      const auto bracket = bracket_of(s.tokens, x);
      if (!bracket) return std::nullopt;
      Tokens within{t[0], t[1]};
      put(within, bracket->within);
      const auto inner = recurrence(within);
      if (!inner || inner->kept || !inner->extremum.empty()) return std::nullopt;
      result = Recurrence{false, bracket->times(inner->factor), {}, {}};
      if (inner->value.empty()) continue;
      if (!value.empty()) value.push_back({TokenKind::symbol, "+", t[1].span});
      put(value, bracket->times(inner->value));
      continue;
    }
    if (s.minus && value.empty()) value.push_back({TokenKind::number, "0", t[1].span});
    if (s.minus || !value.empty()) value.push_back({TokenKind::symbol, s.minus ? "-" : "+", t[1].span});
    put(value, s.tokens);
  }
  if (!result || (result->factor.empty() && value.empty())) return std::nullopt;
  result->value = std::move(value);
  return result;
}

std::optional<ItemChange> item_change(const Tokens& t) {
  if (t.size() < 5 || t[0].kind != TokenKind::name || !t[1].is("[")) return std::nullopt;
  std::size_t end = 2;
  for (int depth = 1; end < t.size(); ++end) {
    depth += (opens(t[end]) ? 1 : 0) - (closes(t[end]) ? 1 : 0);
    if (depth == 0) break;
  }
  const bool sign = end + 2 < t.size() && (t[end + 1].is("+") || t[end + 1].is("-") || t[end + 1].is("*") || t[end + 1].is("/"));
  const std::size_t equals = end + (sign ? 2 : 1);
  if (equals + 1 >= t.size() || !t[equals].is("=")) return std::nullopt;
  std::vector<Tokens> places = parts_of(between(t, 2, static_cast<std::ptrdiff_t>(end)));
  if (std::any_of(places.begin(), places.end(), [](const Tokens& p) { return p.empty(); })) return std::nullopt;  // x[, 0] is none
  return ItemChange{std::move(places), sign ? t[end + 1].text : std::string_view(), between(t, equals + 1)};
}

std::string axis_of_place(const std::vector<Tokens>& places, std::size_t k) {
  const auto slices = [&](std::size_t first, std::size_t last) { return std::count_if(places.begin() + static_cast<std::ptrdiff_t>(first), places.begin() + static_cast<std::ptrdiff_t>(last), [](const Tokens& p) { return has_outside(p, ":"); }); };
  const auto all_others = std::find_if(places.begin(), places.end(), [](const Tokens& p) { return !p.empty() && p[0].is("."); });
  const bool from_end = all_others - places.begin() < static_cast<std::ptrdiff_t>(k);
  return from_end ? std::to_string(-1 - slices(k + 1, places.size())) : std::to_string(slices(0, k));
}

Loop read_loop(const Tokens& tokens, std::size_t begin) {
  const auto token = [&](std::size_t k) { return k < tokens.size() ? tokens[k] : Token{}; };
  Loop loop;
  loop.begin = token(begin);
  std::size_t at = begin + 1;
  for (; !token(at).is("in"); ++at) {
    if (ends_statement(token(at))) refuse_loop(loop.begin, "a loop needs `in`", "write for i in range(n):");
    loop.targets.push_back(token(at));
  }
  for (++at; token(at).kind != TokenKind::block_begin; ++at) {
    if (ends_statement(token(at))) refuse_loop(token(at), "expected `:` after the range, found " + describe(token(at)), "write for i in range(n):");
    loop.range.push_back(token(at));
  }
  loop.range.pop_back();  // the colon
  if (loop.range.empty()) refuse_loop(loop.begin, "a loop needs something to go through", "write for i in range(n):");
  loop.end = behind_block(tokens, at);
  loop.body = between(tokens, at + 1, static_cast<std::ptrdiff_t>(loop.end) - 1);
  return loop;
}

}  // namespace foldproof::program
