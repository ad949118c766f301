// SPDX-License-Identifier: MIT
#include "program/dictionary_reader.hpp"

#include <algorithm>

#include "expr/diagnostic.hpp"

namespace foldproof::program {

Tokens Dictionaries::block(const Tokens& tokens, bool outermost) {
  Tokens written;
  for (std::size_t k = 0; k < tokens.size();) {
    if (ends_statement(tokens[k])) {
      written.push_back(tokens[k++]);
      continue;
    }
    const std::size_t head = end_of_statement(tokens, k), end = behind_statement(tokens, k);
    const Tokens statement = slice(tokens, k, head);
    Tokens result;
    if (statement[0].is("def") && head < end) {
      result = definition(tokens, k, head, end, outermost);
    } else if (statement[0].is("class") && head < end) {
      result = statement;
      put(result, block(slice(tokens, head, end), false));
    } else if (statement[0].is("for") && head < end) {
      result = loop(statement, slice(tokens, head, end));
    } else {
      result = simple(statement);
      if (head < end) put(result, inner_block(slice(tokens, head, end)));
    }
    if (outermost) put(written, std::exchange(before_, {}));
    put(written, std::exchange(here_.pending, {}));
    put(written, result);
    k = end;
  }
  return written;
}

Tokens Dictionaries::definition(const Tokens& tokens, std::size_t k, std::size_t head, std::size_t end, bool outermost) {
  if (outermost) note_function(tokens, k, head, end);
  const std::string_view name = tokens[k + 1].text;
  here_.records.erase(name);
  const Scope outside = here_;
  Tokens result = slice(tokens, k, head);
  try {
    here_.returned.reset();
    here_.in_function = true;
    here_.own = bound_names(slice(tokens, k, end)).assigned;
    forget(here_.own);
    put(result, block(slice(tokens, head, end), false));
    if (outermost && here_.returned) returns_[name] = *here_.returned;
  } catch (const Error&) {
    if (!outermost) throw;
    refused_[name] = std::current_exception();  // unless it is only called with dictionaries
    result = slice(tokens, k, end);
  }
  here_ = outside;
  return result;
}

std::set<std::string_view> Dictionaries::targets_of(const Tokens& targets) {
  std::set<std::string_view> found;
  for (const Tokens& target : parts_of(targets)) {
    if (target.size() == 1) found.insert(target[0].text);
    else if (is_one_bracket(target)) found.merge(targets_of(inside(target, 1)));
  }
  return found;
}

void Dictionaries::forget(const std::set<std::string_view>& names) {
  for (const std::string_view name : names) here_.records.erase(name);
}

Tokens Dictionaries::loop(const Tokens& head, const Tokens& body) {
  const auto in = place_outside(head, "in");
  const Tokens names = slice(head, 1, in.value_or(1));
  const Tokens range = in ? slice(head, *in + 1, head.back().is(":") ? head.size() - 1 : head.size()) : Tokens{};
  if (const auto [keys, items] = keys_in(range); keys && names.size() == (items ? 3 : 1)) {
    const std::set<std::string_view> given = bound_names(body).assigned;
    for (const Token& name : names) {
      if (given.count(name.text) > 0) fail("parse.unexpected", describe(name) + " gets another value in a loop over keys", name.span, "give that another name");
    }
    Tokens result;
    for (const Record& part : keys->parts) {
      const Tokens once = for_key(body, names, part);
      std::size_t first = 0, last = once.size();
      if (first < last && once[first].kind == TokenKind::block_begin) ++first;
      if (last > first && once[last - 1].kind == TokenKind::block_end) --last;
      put(result, block(slice(once, first, last), false));
    }
    const auto uses = [&](const Tokens& t) { return std::count_if(t.begin(), t.end(), [&](const Token& one) { return one.is(names.back().text); }); };
    const bool further_on = items && !keys->parts.empty() && uses(tokens_) > uses(head) + uses(body);
    if (further_on && keys->parts.back().plain()) {  // it stands for the last one behind the loop
      put(result, {names[2], {TokenKind::symbol, "=", names[2].span}});
      put(result, keys->parts.back().value);
      result.push_back({TokenKind::separator, "\n", names[2].span});
    }
    return result;
  }
  Tokens result{head[0]};
  put(result, bound_range(names, range));
  if (head.back().is(":")) result.push_back(head.back());
  const Tokens pending = std::exchange(here_.pending, {});
  put(result, inner_block(body));
  here_.pending = pending;
  return result;
}

Tokens Dictionaries::inner_block(const Tokens& body) {
  const Records before = here_.records;
  Tokens result = block(body, false);
  std::erase_if(here_.records, [&](const auto& after) {
    const auto known = before.find(after.first);
    return known == before.end() || !known->second.same_values(after.second);
  });
  return result;
}

Tokens Dictionaries::bound_range(const Tokens& names, const Tokens& range) {
  const Token none = names.empty() ? Token{} : names[0];
  const Token in{TokenKind::name, "in", none.span}, comma{TokenKind::symbol, ",", none.span};
  const bool counted = range.size() > 3 && range[0].is("enumerate") && is_one(between(range, 1), "(");
  const bool zipped = range.size() > 3 && range[0].is("zip") && is_one(between(range, 1), "(");
  std::vector<Tokens> ranges = counted || zipped ? parts_of(inside(range, 2)) : std::vector<Tokens>{range};
  std::vector<Tokens> targets = parts_of(is_one_bracket(names) ? inside(names, 1) : names);
  std::vector<Tokens> of_ranges = counted ? std::vector<Tokens>(targets.begin() + std::min<std::ptrdiff_t>(1, static_cast<std::ptrdiff_t>(targets.size())), targets.end()) : zipped ? targets : std::vector<Tokens>{names};
  if (ranges.size() != of_ranges.size()) ranges.clear();
  bool any = false;
  std::vector<Tokens> lists, each;
  for (std::size_t k = 0; k < ranges.size(); ++k) {
    auto record = list_of(ranges[k]);
    if (!record) record = record_of(ranges[k]);
    if (!record) {
      lists.push_back(rewritten(ranges[k]));
      each.push_back(of_ranges[k]);
      continue;
    }
    if (!record->list) misused(ranges[k][0]);
    any = true;
    const std::vector<Tokens> own = parts_of(is_one_bracket(of_ranges[k]) ? inside(of_ranges[k], 1) : of_ranges[k]);
    if (own.size() == 1 && own[0].size() == 1) {
      Record one = named(*record, own[0][0]);
      one.list = false;
      one.given = true;
      for (const Tokens& value : one.values()) each.push_back(value);
      here_.records[own[0][0].text] = one;
    } else {
      if (record->kind != Record::Kind::tuple || own.size() != record->parts.size()) misused(ranges[k][0]);
      for (std::size_t p = 0; p < own.size(); ++p) {
        if (!record->parts[p].plain()) misused(ranges[k][0]);
        if (!own[p].empty()) here_.records.erase(own[p][0].text);
        each.push_back(own[p]);
      }
    }
    for (const Tokens& value : record->values()) lists.push_back(value);
  }
  Tokens result;
  if (!any) {
    for (const Token& t : names) {
      if (t.kind == TokenKind::name) here_.records.erase(t.text);
    }
    put(result, names);
    result.push_back(in);
    put(result, rewritten(range));
    return result;
  }
  const Token open{TokenKind::symbol, "(", none.span}, close{TokenKind::symbol, ")", none.span};
  const bool one = each.size() == 1;
  if (counted) {
    put(result, targets[0]);
    result.push_back(comma);
    if (!one) result.push_back(open);
  }
  put(result, with_commas(each, none));
  if (counted && !one) result.push_back(close);
  result.push_back(in);
  if (counted) put(result, {{TokenKind::name, "enumerate", none.span}, open});
  if (!one) put(result, {{TokenKind::name, "zip", none.span}, open});
  put(result, with_commas(lists, none));
  if (!one) result.push_back(close);
  if (counted) result.push_back(close);
  return result;
}

Tokens Dictionaries::bound_clauses(const Tokens& clauses) {
  Tokens result;
  for (std::size_t k = 0; k < clauses.size();) {
    std::size_t end = k + 1;
    while (end < clauses.size() && !clauses[end].is("for") && !clauses[end].is("if")) end = opens(clauses[end]) ? closing(clauses, end) + 1 : end + 1;
    const Tokens clause = slice(clauses, k + 1, end);
    const std::size_t in = clauses[k].is("for") ? place_outside(clause, "in").value_or(0) : 0;
    result.push_back(clauses[k]);
    put(result, in > 0 ? bound_range(slice(clause, 0, in), between(clause, in + 1)) : rewritten(clause));
    k = end;
  }
  return result;
}

void Dictionaries::refuse_another(const Token& name) const {
  if (!here_.in_function && here_.records.count(name.text) > 0 && read_later_.count(name.text) > 0) fail("parse.duplicate", describe(name) + " is a dictionary already, which a function reads", name.span, "give it another name, or give it to the function");
}

Tokens Dictionaries::given_names(const Record& record, const Token& name, const Token& equals) {
  refuse_another(name);
  const Record result = named(record, name);
  const std::vector<Tokens> values = record.values();
  Tokens written;
  std::size_t k = 0;
  result.each_value([&](const Record& r) {
    put(written, {r.value[0], equals});
    put(written, values[k++]);
    written.push_back({TokenKind::separator, "\n", name.span});
  });
  here_.records[name.text] = result;
  return written;
}

Tokens Dictionaries::simple(const Tokens& s) {
  if (s[0].is("print")) return s;
  if (s.size() > 2 && s[0].kind == TokenKind::name && s[1].is("=")) {
    const Tokens value = between(s, 2);
    if (value[0].is("lambda") && !here_.in_function) note_lambda(s);
    if (auto list = list_of(value)) return given_names(*list, s[0], s[1]);
    if (auto record = record_of(value)) {
      if (!is_new(value)) {  // another name for the same one
        refuse_another(s[0]);
        here_.records[s[0].text] = *record;
        return {};
      }
      return given_names(*record, s[0], s[1]);
    }
    if (auto made = made_empty(s)) return *made;
    const Tokens result = rewritten(s);
    here_.records.erase(s[0].text);  // it is something else from now on
    return result;
  }
  if (s[0].is("return") && s.size() > 1) {
    if (auto record = record_of(between(s, 1)); record && !record->list) {
      if (here_.returned && !here_.returned->same_keys(*record)) fail("parse.unexpected", "a function returns dictionaries with the same keys here", s[0].span, "write one return at its end");
      here_.returned = *record;
      Tokens result{s[0]};
      put(result, record->listed(s[0]));
      return result;
    }
  }
  if (auto appended = with_appended(s)) return *appended;
  if (auto changed = with_changed_key(s)) return *changed;
  if (const auto equals = assignment(s)) {  // a, b = layers[0]
    if (auto each = each_given(s, *equals)) return *each;
    if (auto each = each_of_list(s, *equals)) return *each;
    if (auto record = record_of(between(s, *equals + 1)); record && record->kind == Record::Kind::tuple && !record->list) {
      Tokens result = slice(s, 0, *equals + 1);
      put(result, record->listed(s[0]));
      return result;
    }
  }
  const Tokens result = rewritten(s);
  forget(targets_of(slice(s, 0, assignment(s).value_or(0))));
  return result;
}

std::optional<Tokens> Dictionaries::each_given(const Tokens& s, std::size_t equals) {
  const auto targets = parts_of(slice(s, 0, equals)), values = parts_of(between(s, equals + 1));
  if (targets.size() != values.size() || targets.size() < 2) return std::nullopt;
  bool any = false;
  for (std::size_t k = 0; k < targets.size(); ++k) {
    if (targets[k].size() != 1 || targets[k][0].kind != TokenKind::name || names(between(s, equals + 1), targets[k][0].text)) return std::nullopt;
    const Tokens before = here_.pending;
    any = any || list_of(values[k]) || record_of(values[k]);
    here_.pending = before;  // it is read again below
  }
  if (!any) return std::nullopt;
  Tokens written;
  for (std::size_t k = 0; k < targets.size(); ++k) {
    Tokens one{targets[k][0], s[equals]};
    put(one, values[k]);
    const Tokens result = simple(one);
    put(written, std::exchange(here_.pending, {}));
    put(written, result);
    written.push_back({TokenKind::separator, "\n", s[0].span});
  }
  return written;
}

std::optional<Tokens> Dictionaries::each_of_list(const Tokens& s, std::size_t equals) {
  const Tokens value = between(s, equals + 1);
  const auto targets = parts_of(slice(s, 0, equals));
  const auto record = targets.size() > 1 && value.size() == 1 ? record_of(value) : std::nullopt;
  if (!record || !record->list) return std::nullopt;
  Tokens written;
  for (std::size_t k = 0; k < targets.size(); ++k) {
    words_.push_back(std::to_string(k));
    Tokens one = without_brackets(targets[k]);
    put(one, {s[equals], value[0], {TokenKind::symbol, "[", value[0].span}, {TokenKind::number, words_.back(), value[0].span}, {TokenKind::symbol, "]", value[0].span}});
    put(written, simple(one));
    written.push_back({TokenKind::separator, "\n", s[0].span});
  }
  return written;
}

std::optional<Tokens> Dictionaries::made_empty(const Tokens& s) {
  if (s.size() != 4 || !s[2].is("[") || !s[3].is("]")) return std::nullopt;
  for (std::size_t k = 0; k + 5 < tokens_.size(); ++k) {
    if (!tokens_[k].is(s[0].text) || !tokens_[k + 1].is(".") || !tokens_[k + 2].is("append") || !tokens_[k + 3].is("(")) continue;
    const Tokens item = slice(tokens_, k + 4, closing(tokens_, k + 3));
    Record keys{.kind = Record::Kind::tuple, .value = {}, .parts = {}};
    if (is_one(item, "(") && place_outside(inside(item, 1), ",")) {
      for (std::size_t p = 0; p < parts_of(inside(item, 1)).size(); ++p) {
        words_.push_back(std::to_string(p));
        keys.set(words_.back(), Record{.kind = Record::Kind::value, .value = {s[2], s[3]}, .parts = {}});
      }
    } else if (is_one(item, "{")) {
      keys.kind = Record::Kind::dictionary;
      for (const Tokens& entry : parts_of(inside(item, 1))) {
        if (entry.empty() || entry[0].kind != TokenKind::text) return std::nullopt;
        keys.set(key_of(entry[0]), Record{.kind = Record::Kind::value, .value = {s[2], s[3]}, .parts = {}});
      }
    } else {
      return std::nullopt;
    }
    keys.list = true;
    return given_names(keys, s[0], s[1]);
  }
  return std::nullopt;
}

std::optional<Tokens> Dictionaries::with_appended(const Tokens& s) {
  const auto at = s.size() > 5 && s[1].is(".") && s[2].is("append") && is_one(between(s, 3), "(") ? here_.records.find(s[0].text) : here_.records.end();
  if (at == here_.records.end() || !at->second.list) return std::nullopt;
  const Record list = at->second, item = item_of(inside(s, 4));
  Record alike = item;
  alike.list = true;
  if (!alike.same_keys(list)) fail("parse.unexpected", "dictionaries in one list have the same keys here, and tuples the same length", s[0].span, "name each of them");
  const std::vector<Tokens> values = item.values();
  Tokens written;
  std::size_t k = 0;
  list.each_value([&](const Record& r) {
    if (k > 0) written.push_back({TokenKind::separator, "\n", s[0].span});
    put(written, r.value);
    put(written, slice(s, 1, 4));
    put(written, values[k++]);
    written.push_back(s.back());
  });
  return written;
}

std::optional<Tokens> Dictionaries::with_changed_key(const Tokens& s) {
  const auto at = s.size() > 4 && s[1].is("[") && s[2].kind == TokenKind::text && s[3].is("]") ? here_.records.find(s[0].text) : here_.records.end();
  if (at == here_.records.end()) return std::nullopt;
  const bool gives = s[4].is("="), changes = s.size() > 5 && s[5].is("=");
  if (!gives && !changes) return std::nullopt;
  if (at->second.given || at->second.list) fail("parse.unexpected", "a function or a loop changes a dictionary that it was given", s[0].span, "copy it first: s = dict(s)");
  const Record value = value_of(between(s, gives ? 5 : 6));
  Record& record = here_.records.at(s[0].text);
  const Record* known = record.part(key_of(s[2]));
  const bool has_value = known != nullptr && known->plain();
  if (!value.plain() || (!gives && !has_value)) misused(s[0]);
  if (!has_value) record.set(key_of(s[2]), {.kind = Record::Kind::value, .value = {word(std::string(s[0].text) + "_" + std::string(key_of(s[2])), s[2])}, .parts = {}});
  Tokens written = record.part(key_of(s[2]))->value;
  written[0].span = s[0].span;
  put(written, slice(s, 4, gives ? 5 : 6));
  put(written, value.value);
  return written;
}

}  // namespace foldproof::program
