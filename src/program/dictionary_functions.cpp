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
  if (!call || recomputed_) return std::nullopt;
  const Tokens before = pending_;
  const Tokens written = functions_.count(tokens[0].text) > 0 ? rewritten(tokens) : tokens;
  const auto returns = returns_.find(written[0].text);
  if (returns == returns_.end()) {
    pending_ = before;  // it is read again as what it is
    return std::nullopt;
  }
  Record result = named(returns->second, word(std::string(tokens[0].text) + "_gave", tokens[0]));
  put(pending_, result.listed());
  pending_.push_back({TokenKind::symbol, "=", tokens[0].span});
  put(pending_, written);
  pending_.push_back({TokenKind::separator, "\n", tokens[0].span});
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
  std::map<std::string_view, Record> given;
  std::vector<Tokens> arguments;
  const auto all = arguments_of(entries_of(slice(s, k + 2, closing_any(s, k + 1))));
  for (std::size_t a = 0; a < all.size(); ++a) {
    const Tokens& argument = all[a].first;
    if (argument.empty()) continue;
    const bool by_name = argument.size() > 2 && argument[0].kind == TokenKind::name && argument[1].is("=");
    if (argument[0].is("*") || argument[0].is("**")) return std::nullopt;
    const Tokens value = between(argument, by_name ? 2 : 0);
    auto record = all[a].second;
    if (!record) record = list_of(value);
    if (!record) record = record_of(value);
    if (!record) {
      arguments.push_back(rewritten(argument));
      continue;
    }
    const auto parameter = std::find_if(f.parameters.begin(), f.parameters.end(), [&](const Tokens& p) { return !p.empty() && by_name && p[0].text == argument[0].text; });
    if (by_name ? parameter == f.parameters.end() : a >= f.parameters.size() || f.parameters[a].empty()) misused(s[k]);
    const Token& name = by_name ? (*parameter)[0] : f.parameters[a][0];
    given[name.text] = *record;
    record->each_value([&](const Record& r) {
      Tokens one;
      if (by_name) one = {argument[0], argument[1]};  // its name follows below
      put(one, r.value);
      arguments.push_back(one);
    });
  }
  if (given.empty()) return std::nullopt;
  const Token copy = copy_for(f, given);
  Tokens call{copy, s[k + 1]};
  call[0].span = s[k].span;
  std::map<std::string_view, std::vector<Token>> names;
  for (const auto& given_here : names_of_[copy.text]) {
    for (const Tokens& value : given_here.second.values()) names[given_here.first].push_back(value[0]);
  }
  std::map<std::string_view, std::size_t> next;
  bool first = true;
  for (Tokens& argument : arguments) {
    if (!first) call.push_back({TokenKind::symbol, ",", s[k].span});
    first = false;
    const bool by_name = argument.size() > 2 && argument[0].kind == TokenKind::name && argument[1].is("=") && given.count(argument[0].text) > 0;
    if (by_name) argument[0] = names[argument[0].text][next[argument[0].text]++];
    put(call, argument);
  }
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

Token Dictionaries::copy_for(Function& f, const std::map<std::string_view, Record>& given) {
  const auto alike = [&](const auto& copy) { return std::equal(copy.first.begin(), copy.first.end(), given.begin(), given.end(), [](const auto& a, const auto& b) { return a.first == b.first && a.second.same_keys(b.second); }); };
  if (const auto known = std::find_if(f.copies.begin(), f.copies.end(), alike); known != f.copies.end()) return known->second;
  if (++made_ > most_copies) fail("parse.unexpected", "this function is called with dictionaries of too many kinds", f.name.span, "give it their values");
  const Token name = word(std::string(f.name.text) + "_by_keys", f.name);
  copied_.insert(f.name.text);
  f.copies.emplace_back(given, name);
  const Function function = f;  // what is called in it may be noted anew
  const Records outside_of = records_;
  const Tokens pending = std::exchange(pending_, {});
  const bool recomputed = std::exchange(recomputed_, function.lambda);
  const auto returned = std::exchange(returned_, std::nullopt);
  const bool in_function = std::exchange(in_function_, true);
  const auto outer = std::exchange(own_, bound_names(function.body).assigned);
  for (const Tokens& p : function.parameters) {
    if (!p.empty()) own_.insert(p[0].text);
  }
  forget(own_);
  Tokens parameters;
  const auto add = [&](const Tokens& p) {
    if (!parameters.empty()) parameters.push_back({TokenKind::symbol, ",", function.name.span});
    put(parameters, p);
  };
  std::map<std::string_view, Record> names;
  for (const Tokens& p : function.parameters) {
    if (p.empty()) continue;
    const auto record = given.find(p[0].text);
    if (record == given.end()) {
      add(p);
      continue;
    }
    Record own = named(record->second, p[0]);
    for (const Tokens& value : own.values()) add(value);
    mark_given(own);
    names.emplace(p[0].text, own);
    records_[p[0].text] = std::move(own);
  }
  names_of_[name.text] = names;
  Tokens definition;
  if (function.lambda) {
    definition = {name, {TokenKind::symbol, "=", name.span}, {TokenKind::name, "lambda", name.span}};
    put(definition, parameters);
    definition.push_back(function.body[0]);
    put(definition, rewritten(between(function.body, 1)));
    put(before_, pending_);
  } else {
    definition = {{TokenKind::name, "def", name.span}, name, {TokenKind::symbol, "(", name.span}};
    put(definition, parameters);
    definition.push_back({TokenKind::symbol, ")", name.span});
    put(definition, block(function.body, false));
    if (returned_) returns_[name.text] = *returned_;
  }
  definition.push_back({TokenKind::separator, "\n", name.span});
  put(before_, definition);
  records_ = outside_of;
  pending_ = pending;
  recomputed_ = recomputed;
  returned_ = returned;
  in_function_ = in_function;
  own_ = outer;
  return name;
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
