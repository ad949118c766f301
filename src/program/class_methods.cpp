// SPDX-License-Identifier: MIT
// What the methods of objects compute, as functions; what is written block.q.
#include <algorithm>
#include <map>
#include <set>

#include "expr/diagnostic.hpp"
#include "program/class_reader.hpp"

namespace foldproof::program::objects {

std::vector<const Method*> Classes::needed(const Class& of) const {
  const Method* const called = call_of(of);
  std::vector<const Method*> left, found;
  for (const Class* c = &of; c != nullptr; c = base_of(*c)) {
    for (const Method& m : c->methods) {
      if (!m.name.is("__init__") && method_of(&of, m.name.text) == &m && (&m == called || is_asked_for(m))) left.push_back(&m);
    }
  }
  const auto calls = [&](const Method& m, const Method& other) {
    const Tokens& t = m.written;
    for (std::size_t k = 0; k + 3 < t.size(); ++k) {
      if (t[k].is("self") && t[k + 1].is("(") && &other == called) return true;
      if (t[k].is("self") && t[k + 1].is(".") && t[k + 2].is(other.name.text) && method_of(&of, t[k + 2].text) == &other) return true;
      if (const std::size_t point = behind_super(t, k); point > k && method_above(m, t[point + 1].text) == &other) return true;
    }
    return false;
  };
  for (std::size_t k = 0; k < left.size(); ++k) {  // those that super() calls
    for (const Class* c = base_of(of); c != nullptr; c = base_of(*c)) {
      for (const Method& m : c->methods) {
        if (!m.name.is("__init__") && std::find(left.begin(), left.end(), &m) == left.end() && calls(*left[k], m)) left.push_back(&m);
      }
    }
  }
  while (!left.empty()) {
    auto next = std::find_if(left.begin(), left.end(), [&](const Method* m) { return std::none_of(left.begin(), left.end(), [&](const Method* other) { return other != m && calls(*m, *other); }); });
    if (next == left.end()) next = left.begin();
    found.push_back(*next);
    left.erase(next);
  }
  return found;
}

bool Classes::is_asked_for(const Method& m) const {
  for (std::size_t k = 1; k < tokens_.size(); ++k) {
    const bool itself = tokens_[k].span.begin >= m.written.front().span.begin && tokens_[k].span.begin < m.written.back().span.begin;
    if (!itself && tokens_[k].is(m.name.text) && tokens_[k - 1].is(".")) return true;
  }
  return false;
}

Tokens Classes::as_function(const Method& method, const Token& object, Object& of) {
  const Tokens t = with_own_names(method.written, method.body);
  for (std::size_t k = method.body; k < t.size(); ++k) {
    if (!begins_statement(t, k) || ends_statement(t[k])) continue;
    const Tokens s = slice(t, k, end_of_statement(t, k));
    for (const Tokens& target : parts_of(slice(s, 0, targets_end(s)))) {
      const Tokens one = without_brackets(target);
      if (!one.empty() && one[0].is("self")) fail("parse.unexpected", "an attribute gets a value outside of __init__", one[0].span, "keep it in a name of its own, or return it");
    }
  }
  std::set<std::string_view> locals;
  for (const Parameter& p : method.parameters) locals.insert(p.name.text);
  for (const Tokens& s : statements_of(slice(t, method.body + 1, t.size()))) {
    for (const Token& name : target_names(slice(s, 0, targets_end(s)))) locals.insert(name.text);
  }
  for (std::size_t k = method.body; k < t.size(); ++k) {
    const bool constant = is_use(t, k) && !is_bound(t[k].text) && of.of->constants.count(t[k].text) > 0;
    if (constant && locals.count(t[k].text) == 0) fail("name.unknown", describe(t[k]) + " is a name of the class", t[k].span, "write self." + std::string(t[k].text));
  }
  Tokens found{t[0], {TokenKind::name, function_of(object.text, of, method), method.name.span}};
  for (std::size_t k = 2; k < t.size(); ++k) {
    if (k == 3 && !method.is_static) {  // self, and a comma behind it
      k += t[4].is(",") ? 1 : 0;
      continue;
    }
    if (const std::size_t point = behind_super(t, k); point > k) {
      const Method* const base = method_above(method, t[point + 1].text);
      if (base == nullptr) fail("name.unknown", "no class above this one has " + describe(t[point + 1]), t[point + 1].span, "write what it computes");
      found.push_back({TokenKind::name, function_of(object.text, of, *base), t[point + 1].span});
      k = point + 1;
      continue;
    }
    found.push_back(t[k].is("self") && is_use(t, k) ? Token{TokenKind::name, object.text, t[k].span} : t[k]);
  }
  return found;
}

Tokens Classes::resolved(Tokens tokens, bool in_function) {
  rename_bound(tokens, [&](std::string_view name) { return is_meant(name); });
  Tokens found;
  for (std::size_t k = 0; k < tokens.size(); ++k) {
    in_function = in_function || (tokens[k].is("def") && begins_statement(tokens, k));
    if (const auto steps = lists_.empty() ? std::nullopt : each_in_turn(tokens, k, in_function)) {
      put(found, *steps);
      --k;
      continue;
    }
    if (const auto items = lists_.empty() ? std::nullopt : listed(tokens, k)) {
      put(found, *items);
      continue;
    }
    if (is_setting(tokens, k)) continue;
    if (tokens[k].is("len") && is_use(tokens, k) && k + 2 < tokens.size() && tokens[k + 1].is("(")) {
      const std::size_t end = closing(tokens, k + 1);
      if (const auto modules = end < tokens.size() ? modules_of(resolved(slice(tokens, k + 2, end))) : std::nullopt) {
        found.push_back(number(modules->size(), tokens[k]));
        k = end;
        continue;
      }
    }
    Tokens value{tokens[k]};
    if (const auto other = is_use(tokens, k) ? others_.find(tokens[k].text) : others_.end(); other != others_.end()) value = {Token{TokenKind::name, other->second.text, tokens[k].span}};
    const auto choose = [&] {  // layers[0], and net[0][1]
      for (;;) {
        const auto list = value.size() == 1 ? lists_.find(value[0].text) : lists_.end();
        if (list == lists_.end() || k + 2 >= tokens.size() || !tokens[k + 1].is("[")) return;
        const std::size_t end = closing(tokens, k + 1);
        const Tokens index = end < tokens.size() ? resolved(slice(tokens, k + 2, end)) : Tokens{};
        const auto at = place(index, list->second.size());
        if (!at || (index[0].is("-") ? *at == list->second.size() : *at >= list->second.size())) return;
        value = {Token{TokenKind::name, list->second[*at].text, tokens[k].span}};
        k = end;
      }
    };
    const auto object_of = [&] { return value.size() == 1 && value[0].kind == TokenKind::name ? objects_.find(value[0].text) : objects_.end(); };
    if (!is_use(tokens, k)) {
      found.push_back(tokens[k]);
      continue;
    }
    choose();
    auto object = object_of();
    while (object != objects_.end() && k + 2 < tokens.size() && tokens[k + 1].is(".") && tokens[k + 2].kind == TokenKind::name) {
      const Token attribute = tokens[k + 2];
      const auto known = object->second.attributes.find(attribute.text);
      if (known != object->second.attributes.end()) {
        value = known->second;
      } else if (const Method* const method = method_of(object->second.of, attribute.text)) {
        if (k + 3 >= tokens.size() || !tokens[k + 3].is("(")) fail("parse.unexpected", "a method is called", attribute.span, "write " + std::string(attribute.text) + "(...)");
        value = {Token{TokenKind::name, function_of(object->first, object->second, *method), attribute.span}};
      } else if (attribute.is("training") && object->second.of->is_module) {
        value = {Token{TokenKind::name, "False", attribute.span}};  // as a model is used
      } else {
        fail("name.unknown", "`" + std::string(object->second.of->name.text) + "` has no " + describe(attribute), attribute.span, "set it in __init__: self." + std::string(attribute.text) + " = ...");
      }
      k += 2;
      choose();
      object = object_of();
    }
    if (is_module(value) && k + 2 < tokens.size() && tokens[k + 1].is("is")) {  // norm is not None
      const bool negated = tokens[k + 2].is("not"), none = k + (negated ? 3 : 2) < tokens.size() && tokens[k + (negated ? 3 : 2)].is("None");
      if (none) {
        found.push_back({TokenKind::name, negated ? "True" : "False", tokens[k].span});
        k += negated ? 3 : 2;
        continue;
      }
    }
    if (object != objects_.end() && k + 1 < tokens.size() && tokens[k + 1].is("(")) value = {Token{TokenKind::name, called_as(object->first, object->second, tokens[k]), tokens[k].span}};
    put(found, value);
  }
  return found;
}

bool Classes::is_setting(const Tokens& tokens, std::size_t k) const {
  const std::size_t name = tokens[k].is(".") && k > 0 ? k - 1 : k;
  const bool setting = std::find(std::begin(settings), std::end(settings), tokens[name].text) != std::end(settings) && !is_bound(tokens[name].text);
  return setting && name + 2 < tokens.size() && tokens[name + 1].is(".") && tokens[name + 2].kind == TokenKind::name && objects_.count(tokens[name].text) == 0 && (name == 0 || !tokens[name - 1].is("."));
}

bool Classes::in_sequence(std::size_t k) const {
  while (k > 0 && !ends_statement(written_[k - 1]) && !closes(written_[k - 1]) && !written_[k].is("(")) --k;
  return k > 0 && written_[k].is("(") && written_[k - 1].is("Sequential");
}

void Classes::require_values() const {
  for (std::size_t k = 0; k < written_.size(); ++k) {
    if (!is_use(written_, k)) continue;
    const Token& t = written_[k];
    const auto object = objects_.find(t.text);
    if (object != objects_.end()) fail("parse.unexpected", "an object of " + describe(object->second.of->name) + " is no tensor", t.span, "call it, or one of its methods");
    const bool called = sequences_.count(t.text) > 0 && ((k + 1 < written_.size() && (written_[k + 1].is("(") || written_[k + 1].is("="))) || in_sequence(k));
    if (lists_.count(t.text) > 0 && !called) fail("parse.unexpected", "this list of modules is no tensor", t.span, "write layers[0](x), for layer in layers: or [f(x) for f in layers]");
    if (classes_.count(t.text) > 0) fail("parse.unexpected", "an object of " + describe(t) + " is made in a function, in a loop or in another place that is not read", t.span, "make it before: block = " + std::string(t.text) + "(...)");
  }
}

}  // namespace foldproof::program::objects
