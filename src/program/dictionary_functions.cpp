// SPDX-License-Identifier: MIT
#include "program/dictionary_reader.hpp"

#include <algorithm>

#include "expr/diagnostic.hpp"

namespace foldproof::program {

namespace {
constexpr int most_copies = 100;  // with parameters for keys, in one program
}  // namespace

std::optional<Record> Dictionaries::returned_by(const Tokens& tokens) {
  const bool call = tokens.size() > 2 && tokens[0].kind == TokenKind::name && is_one(between(tokens, 1), "(");
  if (!call || here_.recomputed) return std::nullopt;
  const Tokens before = here_.pending;
  const Tokens written = functions_.count(tokens[0].text) > 0 ? rewritten(tokens) : tokens;
  const auto returns = returns_.find(written[0].text);
  if (returns == returns_.end()) {
    here_.pending = before;  // it is read again as what it is
    return std::nullopt;
  }
  Record result = named(returns->second, word(std::string(tokens[0].text) + "_gave", tokens[0]));
  put(here_.pending, result.listed(tokens[0]));
  here_.pending.push_back({TokenKind::symbol, "=", tokens[0].span});
  put(here_.pending, written);
  here_.pending.push_back({TokenKind::separator, "\n", tokens[0].span});
  return result;
}

void Dictionaries::note_function(const Tokens& tokens, std::size_t k, std::size_t head, std::size_t end) {
  const std::size_t close = k + 2 < head ? closing(tokens, k + 2) : head;
  if (close >= head || is_decorated(tokens, k)) return;
  functions_[tokens[k + 1].text] = {.name = tokens[k + 1], .parameters = parts_of(slice(tokens, k + 3, close)), .body = slice(tokens, close + 1, end), .lambda = false, .copies = {}};
}

void Dictionaries::note_lambda(const Tokens& statement) {
  const auto colon = place_outside(statement, ":");
  if (!colon) return;
  functions_[statement[0].text] = {.name = statement[0], .parameters = parts_of(slice(statement, 3, *colon)), .body = between(statement, *colon), .lambda = true, .copies = {}};
}

std::optional<Tokens> Dictionaries::call_for_records(const Tokens& s, std::size_t k) {
  const auto function = functions_.find(s[k].text);
  if (function == functions_.end() || k + 1 >= s.size() || !s[k + 1].is("(") || (k > 0 && (s[k - 1].is(".") || s[k - 1].is("def")))) return std::nullopt;
  Function& f = function->second;
  struct Argument {
    Tokens written;
    std::optional<Record> record;
    std::string_view parameter;
    bool by_name;
  };
  std::vector<Argument> arguments;
  Records given;
  const auto all = arguments_of(parts_of(slice(s, k + 2, closing(s, k + 1))));
  for (std::size_t a = 0; a < all.size(); ++a) {
    const Tokens& argument = all[a].first;
    if (argument.empty()) continue;
    if (argument[0].is("*") || argument[0].is("**")) return std::nullopt;
    const bool by_name = is_by_name(argument);
    const Tokens value = between(argument, by_name ? 2 : 0);
    auto record = all[a].second;
    if (!record) record = list_of(value);
    if (!record) record = record_of(value);
    if (!record) {
      arguments.push_back({rewritten(argument), std::nullopt, {}, by_name});
      continue;
    }
    const auto parameter = std::find_if(f.parameters.begin(), f.parameters.end(), [&](const Tokens& p) { return !p.empty() && by_name && p[0].text == argument[0].text; });
    if (by_name ? parameter == f.parameters.end() : a >= f.parameters.size() || f.parameters[a].empty()) misused(s[k]);
    const std::string_view name = by_name ? argument[0].text : f.parameters[a][0].text;
    given[name] = *record;
    arguments.push_back({{}, std::move(record), name, by_name});
  }
  if (given.empty()) return std::nullopt;
  const Copy copy = copy_for(f, given);
  std::vector<Tokens> written;
  for (const Argument& a : arguments) {
    if (!a.record) {
      written.push_back(a.written);
      continue;
    }
    const std::vector<Tokens> values = a.record->values(), names = copy.names.at(a.parameter).values();
    for (std::size_t v = 0; v < values.size(); ++v) {
      written.push_back(a.by_name ? Tokens{names[v][0], {TokenKind::symbol, "=", s[k].span}} : Tokens{});
      put(written.back(), values[v]);
    }
  }
  Tokens call{{TokenKind::name, copy.name.text, s[k].span}, s[k + 1]};
  put(call, with_commas(written, s[k]));
  call.push_back({TokenKind::symbol, ")", s[k].span});
  return call;
}

std::vector<std::pair<Tokens, std::optional<Record>>> Dictionaries::arguments_of(const std::vector<Tokens>& written) {
  std::vector<std::pair<Tokens, std::optional<Record>>> result;
  for (const Tokens& argument : written) {
    const bool by_key = !argument.empty() && argument[0].is("**"), by_place = !argument.empty() && argument[0].is("*");
    const auto record = by_key || by_place ? record_of(between(argument, 1)) : std::nullopt;
    if (!record || record->list || (record->kind == Record::Kind::dictionary) != by_key) {
      result.emplace_back(argument, std::nullopt);
      continue;
    }
    for (const Record& part : record->parts) {
      Tokens one;
      if (by_key) one = {{TokenKind::name, part.key, argument[0].span}, {TokenKind::symbol, "=", argument[0].span}};
      put(one, part.plain() ? part.value : Tokens{argument[0]});
      result.emplace_back(one, part.plain() ? std::nullopt : std::optional(part));
    }
  }
  return result;
}

Dictionaries::Copy Dictionaries::copy_for(Function& f, const Records& given) {
  const auto alike = [&](const Copy& copy) { return std::equal(copy.given.begin(), copy.given.end(), given.begin(), given.end(), [](const auto& a, const auto& b) { return a.first == b.first && a.second.same_keys(b.second); }); };
  if (const auto known = std::find_if(f.copies.begin(), f.copies.end(), alike); known != f.copies.end()) return *known;
  if (++made_ > most_copies) fail("parse.unexpected", "this function is called with dictionaries of too many kinds", f.name.span, "give it their values");
  Copy copy{given, word(std::string(f.name.text) + "_by_keys", f.name), {}};
  std::vector<Tokens> parameters;
  std::set<std::string_view> own = bound_names(f.body).assigned;
  for (const Tokens& p : f.parameters) {
    if (p.empty()) continue;
    own.insert(p[0].text);
    const auto record = given.find(p[0].text);
    if (record == given.end()) {
      parameters.push_back(p);
      continue;
    }
    Record& named_by = copy.names[p[0].text] = named(record->second, p[0]);
    for (const Tokens& value : named_by.values()) parameters.push_back(value);
    mark_given(named_by);
  }
  copied_.insert(f.name.text);
  f.copies.push_back(copy);
  const Function function = f;  // what is called in it may be noted anew
  const Token& name = copy.name;
  const Scope outside = std::exchange(here_, {.records = here_.records, .pending = {}, .returned = std::nullopt, .own = own, .in_function = true, .recomputed = function.lambda});
  forget(own);
  for (const auto& [parameter, record] : copy.names) here_.records[parameter] = record;
  Tokens definition;
  if (function.lambda) {
    definition = {name, {TokenKind::symbol, "=", name.span}, {TokenKind::name, "lambda", name.span}};
    put(definition, with_commas(parameters, function.name));
    definition.push_back(function.body[0]);
    put(definition, rewritten(between(function.body, 1)));
  } else {
    definition = {{TokenKind::name, "def", name.span}, name, {TokenKind::symbol, "(", name.span}};
    put(definition, with_commas(parameters, function.name));
    definition.push_back({TokenKind::symbol, ")", name.span});
    put(definition, block(function.body, false));
    if (here_.returned) returns_[name.text] = *here_.returned;
  }
  definition.push_back({TokenKind::separator, "\n", name.span});
  put(before_, definition);
  here_ = outside;
  return copy;
}

void Dictionaries::mark_given(Record& record) {
  record.given = true;
  for (Record& part : record.parts) mark_given(part);
}

void Dictionaries::drop_uncalled(std::string_view name) {
  std::optional<std::size_t> at;
  for (std::size_t k = 0; k < written_.size(); ++k) {
    if (!written_[k].is(name) || (k > 0 && written_[k - 1].is("."))) continue;
    const bool defines = (k > 0 && written_[k - 1].is("def")) || (begins_statement(written_, k) && k + 2 < written_.size() && written_[k + 2].is("lambda"));
    if (at || !defines) return;
    at = beginning_of_statement(written_, k);
  }
  if (!at) return;
  refused_.erase(name);
  Tokens next = slice(written_, 0, *at);
  put(next, slice(written_, behind_statement(written_, *at), written_.size()));
  written_ = std::move(next);
}

}  // namespace foldproof::program
