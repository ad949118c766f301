// SPDX-License-Identifier: MIT
// Lists of modules, and loops over them.
#include <algorithm>
#include <map>
#include <set>

#include "expr/diagnostic.hpp"
#include "program/class_reader.hpp"

namespace foldproof::program::objects {

void Classes::make_list(const Token& name, const Tokens& value) {
  const bool plain = value[0].is("[");
  const std::vector<Token> items = items_of(name, plain ? value : inside(value, module_name(value) + 2), value[0]);
  lists_[word(std::string(name.text), name).text] = items;
}

std::vector<Token> Classes::items_of(const Token& name, const Tokens& list, const Token& at) {
  if (list.empty()) return {};
  if (const auto known = modules_of(resolved(list))) return *known;
  if (!list[0].is("[") || !is_one_bracket(list)) fail("parse.unexpected", "which modules this list holds is not known", at.span, "write nn.ModuleList([Block(d), Block(d)]), or [Block(d) for _ in range(2)]");
  const Tokens all = inside(list, 1);
  std::vector<Token> found;
  const auto add = [&](Tokens item) {
    item = resolved(item);
    if (item.size() == 1 && item[0].kind == TokenKind::name) found.push_back(item[0]);  // the same module again
    else found.push_back(define(name, number(found.size(), name), item));
  };
  const auto loop = place_outside(all, "for");
  if (!loop) {
    for (const Tokens& item : parts_of(all)) {
      if (item.size() > 1 && item[0].is("*")) for (const Token& m : items_of(name, between(item, 1), item[0])) found.push_back(m);
      else if (!item.empty()) add(item);
    }
    return found;
  }
  const auto in = place_outside(all, "in");
  const auto steps = in ? steps_of(resolved(between(all, *in + 1)), all[*loop]) : std::nullopt;
  const std::vector<Token> targets = in ? target_names(slice(all, *loop + 1, *in)) : std::vector<Token>{};
  if (!steps || steps->empty() || targets.size() != steps->front().size()) fail("parse.loop", "how many modules these are is not known", all[*loop].span, "write [... for _ in range(2)], with a number");
  for (const auto& step : *steps) add(in_step(slice(all, 0, *loop), targets, step));
  return found;
}

Tokens Classes::in_step(const Tokens& tokens, const std::vector<Token>& targets, const std::vector<Tokens>& values) {
  return replaced(tokens, [&](std::string_view name) -> const Tokens* {
    for (std::size_t t = 0; t < targets.size(); ++t) {
      if (targets[t].text == name) return &values[t];
    }
    return nullptr;
  });
}

std::optional<std::vector<Token>> Classes::modules_of(const Tokens& t) const {
  if (t.size() > 3 && t[0].is("reversed") && is_one_bracket(between(t, 1))) {
    auto found = modules_of(inside(t, 2));
    if (found) std::reverse(found->begin(), found->end());
    return found;
  }
  const auto list = !t.empty() && t[0].kind == TokenKind::name ? lists_.find(t[0].text) : lists_.end();
  if (list == lists_.end()) return std::nullopt;
  if (t.size() == 1) return list->second;
  const auto colon = is_one_bracket(between(t, 1)) && t[1].is("[") ? place_outside(inside(t, 2), ":") : std::nullopt;
  if (!colon) return std::nullopt;
  const Tokens range = inside(t, 2), stop = between(range, *colon + 1);
  const auto begin = *colon == 0 ? std::optional<std::size_t>(0) : place(slice(range, 0, *colon), list->second.size());
  const auto end = stop.empty() ? std::optional<std::size_t>(list->second.size()) : place(stop, list->second.size());
  if (!begin || !end) return std::nullopt;
  if (*begin >= *end) return std::vector<Token>{};
  return std::vector<Token>(list->second.begin() + static_cast<std::ptrdiff_t>(*begin), list->second.begin() + static_cast<std::ptrdiff_t>(*end));
}

std::optional<std::size_t> Classes::place(const Tokens& t, std::size_t length) {
  const bool behind = !t.empty() && t[0].is("-");
  const auto number = small_number(without_brackets(between(t, behind ? 1 : 0)));
  if (!number || *number > length) return std::nullopt;
  return behind ? length - *number : *number;
}

std::optional<std::vector<std::vector<Tokens>>> Classes::steps_of(const Tokens& range, const Token& at) {
  std::vector<std::vector<Tokens>> steps;
  if (const auto modules = modules_of(range)) {
    for (const Token& m : *modules) steps.push_back({{m}});
    return steps;
  }
  if (range.size() < 4 || !range[1].is("(") || !is_one_bracket(between(range, 1))) return std::nullopt;
  const std::vector<Tokens> arguments = parts_of(inside(range, 2));
  if (range[0].is("range")) {
    const auto number_in = [&](const Tokens& argument) {
      const Tokens plain = without_brackets(argument);
      const auto named = plain.size() == 1 ? numbers_.find(plain[0].text) : numbers_.end();
      return small_number(named == numbers_.end() ? plain : Tokens{named->second});
    };
    const auto begin = arguments.size() == 2 ? number_in(arguments[0]) : std::optional<std::size_t>(0), end = number_in(arguments.back());
    if (arguments.size() > 2 || !begin || !end) return std::nullopt;
    for (std::size_t k = *begin; k < *end; ++k) steps.push_back({{number(k, at)}});
    return steps;
  }
  if (range[0].is("enumerate") && arguments.size() <= 2) {
    const Tokens start = arguments.size() == 2 && arguments[1].size() > 2 && arguments[1][0].is("start") ? between(arguments[1], 2) : arguments.back();
    const auto begin = arguments.size() == 2 ? small_number(start) : std::optional<std::size_t>(0);
    auto found = begin ? steps_of(arguments[0], at) : std::nullopt;
    for (std::size_t k = 0; found && k < found->size(); ++k) (*found)[k].insert((*found)[k].begin(), Tokens{number(*begin + k, at)});
    return found;
  }
  if (range[0].is("zip") && arguments.size() > 1) {
    for (std::size_t a = 0; a < arguments.size(); ++a) {
      const auto modules = modules_of(arguments[a]);
      if (!modules) return std::nullopt;
      if (a == 0) steps.resize(modules->size());
      steps.resize(std::min(steps.size(), modules->size()));
      for (std::size_t k = 0; k < steps.size(); ++k) steps[k].push_back({(*modules)[k]});
    }
    return steps;
  }
  return std::nullopt;
}

bool Classes::chooses_module(const Tokens& body, std::string_view index) const {
  for (std::size_t k = 1; k + 2 < body.size(); ++k) {
    if (!body[k].is("[") || body[k + 1].text != index || !body[k + 2].is("]") || body[k - 1].kind != TokenKind::name) continue;
    const std::string_view name = body[k - 1].text;
    if (lists_.count(name) > 0 || others_.count(name) > 0) return true;
    for (const auto& [object, its] : objects_) {
      const auto attribute = its.attributes.find(name);
      if (attribute != its.attributes.end() && attribute->second.size() == 1 && lists_.count(attribute->second[0].text) > 0) return true;
    }
  }
  return false;
}

std::optional<Tokens> Classes::each_in_turn(const Tokens& tokens, std::size_t& at, bool in_function) {
  if (!tokens[at].is("for") || !begins_statement(tokens, at)) return std::nullopt;
  std::size_t in = at;
  const std::size_t begin = end_of_statement(tokens, at);
  while (in < begin && !tokens[in].is("in")) ++in;
  if (begin == tokens.size() || tokens[begin].kind != TokenKind::block_begin || in + 2 > begin) return std::nullopt;
  const Tokens range = resolved(slice(tokens, in + 1, begin - 1));
  const auto steps = steps_of(range, tokens[at]);
  const std::vector<Token> targets = target_names(slice(tokens, at + 1, in));
  const std::size_t end = behind_block(tokens, begin);
  const Tokens body = slice(tokens, begin + 1, end - 1);
  const bool over_modules = std::any_of(range.begin(), range.end(), [&](const Token& t) { return lists_.count(t.text) > 0; });
  const bool by_place = !over_modules && targets.size() == 1 && chooses_module(body, targets[0].text);
  if (!over_modules && !by_place) return std::nullopt;
  if (!steps || (!steps->empty() && targets.size() != steps->front().size())) fail("parse.loop", "which modules the steps of this loop have is not known", tokens[at].span, "write for layer in layers:, enumerate(layers) or zip(a, b)");
  for (const Token& t : targets) {
    const auto again = [&](const Tokens& s) {
      const auto names = target_names(slice(s, 0, targets_end(s)));
      return std::any_of(names.begin(), names.end(), [&](const Token& n) { return n.text == t.text; });
    };
    const auto inner = statements_of(body);
    bool known = !in_function;  // before the loop, as a parameter or as what has a value
    for (std::size_t k = 0; k < at; ++k) {
      if (tokens[k].kind != TokenKind::name || tokens[k].text != t.text || !is_use(tokens, k)) continue;
      const std::size_t begin_here = beginning_of_statement(tokens, k), end_here = end_of_statement(tokens, k);
      const Tokens s = slice(tokens, begin_here, end_here);
      known = known || s[0].is("def") || s[0].is("for") || (k - begin_here < targets_end(s) && !names(s, t.text, targets_end(s)));
      if (!known) fail("parse.duplicate", describe(tokens[k]) + " is read in this function before it gets its value", tokens[k].span, "give it another name");
    }
    const auto bound = bindings_.find(t.text);
    const bool elsewhere = !in_function && bound != bindings_.end() && std::any_of(bound->second.begin(), bound->second.end(), [&](std::size_t k) { return !tokens_[k].is("for"); });
    if (elsewhere || std::any_of(inner.begin(), inner.end(), again)) fail("parse.duplicate", describe(t) + " is the module of this loop, and stands for something else elsewhere", t.span, "give it another name");
  }
  Tokens found;
  for (const auto& step : *steps) put(found, resolved(in_step(body, targets, step), in_function));
  for (std::size_t t = 0; t < targets.size() && !steps->empty(); ++t) {  // what is left of a number behind the loop
    const Token& last = steps->back()[t][0];
    const bool read = std::any_of(tokens_.begin(), tokens_.end(), [&](const Token& u) { return u.kind == TokenKind::name && u.text == targets[t].text && u.span.begin > tokens[end - 1].span.begin; });
    if (last.kind == TokenKind::number && read) put(found, {{TokenKind::name, targets[t].text, targets[t].span}, {TokenKind::symbol, "=", targets[t].span}, last, {TokenKind::separator, "\n", targets[t].span}});
  }
  at = end;
  if (at < tokens.size() && tokens[at].kind == TokenKind::separator) ++at;
  return found;
}

std::optional<Tokens> Classes::listed(const Tokens& tokens, std::size_t& k) {
  if (!tokens[k].is("[") && !tokens[k].is("(")) return std::nullopt;
  const std::size_t end = closing(tokens, k);
  const Tokens all = slice(tokens, k + 1, std::min(end, tokens.size()));
  const auto loop = place_outside(all, "for"), in = place_outside(all, "in");
  if (!loop || !in || *in < *loop) return std::nullopt;
  const Tokens range = resolved(between(all, *in + 1));
  const bool over_modules = std::any_of(range.begin(), range.end(), [&](const Token& t) { return lists_.count(t.text) > 0; });
  const std::vector<Token> targets = target_names(slice(all, *loop + 1, *in));
  if (!over_modules && !(targets.size() == 1 && chooses_module(all, targets[0].text))) return std::nullopt;
  const auto steps = steps_of(range, tokens[k]);
  if (!steps || steps->empty() || targets.size() != steps->front().size()) fail("parse.loop", "which modules this list goes through is not known", all[*loop].span, "write [f(x) for f in layers], enumerate(layers) or zip(a, b)");
  const Span span = tokens[k].span;
  Tokens found;
  for (const auto& step : *steps) {
    found.push_back({TokenKind::symbol, found.empty() ? "[" : ",", span});
    put(found, resolved(in_step(slice(all, 0, *loop), targets, step)));
  }
  found.push_back({TokenKind::symbol, "]", span});
  k = end;
  return tokens[k].is(")") ? in_round_brackets(std::move(found)) : found;
}

bool Classes::appended(const Tokens& s, const std::function<Tokens(const Tokens&)>& with_values) {
  for (std::size_t k = 1; k + 3 < s.size(); ++k) {
    if (!s[k].is(".") || !s[k + 1].is("append") || !s[k + 2].is("(") || closing(s, k + 2) + 1 != s.size()) continue;
    const auto meant = [&](const Tokens& t) { return resolved(with_values ? with_values(t) : t); };
    const Tokens name = meant(slice(s, 0, k));
    const auto list = name.size() == 1 ? lists_.find(name[0].text) : lists_.end();
    if (list == lists_.end()) return false;
    const Tokens item = meant(inside(s, k + 3));
    const Token own = item.size() == 1 ? item[0] : define(name[0], number(list->second.size(), s[0]), item);
    lists_.find(name[0].text)->second.push_back(own);
    return true;
  }
  return false;
}

bool Classes::is_sequence(const Tokens& value) {
  const std::size_t k = module_name(value);
  return k > 0 && value[k].is("Sequential");
}

void Classes::make_sequence(const Token& name, const Tokens& value) {
  const std::size_t layer = module_name(value);
  std::vector<Token> items;
  for (const Tokens& part : parts_of(inside(value, layer + 2))) {
    if (part.empty()) continue;
    const bool star = part.size() > 1 && part[0].is("*");
    const Tokens item = star ? Tokens{} : resolved(part);
    if (star) for (const Token& m : items_of(name, between(part, 1), part[0])) items.push_back(m);
    else if (item.size() == 1) items.push_back(item[0]);
    else if (is_made(item) || is_layer(item)) items.push_back(define(name, number(items.size(), name), item));
    else fail("parse.unexpected", "this is no module", part[0].span, "write nn.Linear(d, k), nn.ReLU() and the like, or a name");
  }
  Tokens called = slice(value, 0, layer + 2);
  for (const Token& m : items) {
    if (called.size() > layer + 2) called.push_back({TokenKind::symbol, ",", value[layer].span});
    const auto object = objects_.find(m.text);
    called.push_back(object == objects_.end() ? m : Token{TokenKind::name, called_as(object->first, object->second, m), m.span});
  }
  called.push_back(value.back());
  put(written_, {name, {TokenKind::symbol, "=", name.span}});
  put(written_, called);
  const std::string_view own = word(std::string(name.text), name).text;
  lists_[own] = items;
  sequences_.insert(own);
}

std::string_view Classes::called_as(std::string_view name, Object& object, const Token& at) {
  const Method* const call = call_of(*object.of);
  if (call == nullptr) fail("name.unknown", "`" + std::string(object.of->name.text) + (object.of->is_module ? "` has no method forward" : "` has no method __call__"), at.span, object.of->is_module ? "write what it computes as def forward(self, ...):" : "write class " + std::string(object.of->name.text) + "(nn.Module): with forward, or def __call__(self, ...):");
  return function_of(name, object, *call);
}

}  // namespace foldproof::program::objects
