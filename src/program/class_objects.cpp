// SPDX-License-Identifier: MIT
// Objects: what __init__ makes of its arguments.
#include <algorithm>
#include <map>
#include <set>

#include "expr/diagnostic.hpp"
#include "program/class_reader.hpp"

namespace foldproof::program::objects {

Tokens Classes::made_apart(const Tokens& written) {
  Tokens found;
  for (std::size_t k = 0; k < written.size(); ++k) {
    const bool makes = written[k].kind == TokenKind::name && classes_.count(written[k].text) > 0 && (k == 0 || !written[k - 1].is(".")) && k + 1 < written.size() && written[k + 1].is("(");
    if (!makes) {
      found.push_back(written[k]);
      continue;
    }
    const bool again = std::any_of(written.begin(), written.end(), [](const Token& t) { return t.is("for") || t.is("lambda"); });
    if (again) fail("parse.unexpected", "each call makes another module here", written[k].span, "make it before: block = " + std::string(written[k].text) + "(...)");
    const std::size_t end = closing(written, k + 1);
    const Token name = fresh("one_" + std::string(written[k].text), written[k]);
    make(name, slice(written, k, end + 1));
    end_statement(name);
    found.push_back(name);
    k = end;
  }
  return found;
}

void Classes::make(const Token& name, const Tokens& value) {
  const Class& made = classes_.find(value[0].text)->second;
  const std::size_t before = written_.size();
  std::vector<Tokens> arguments = parts_of(inside(value, 2));
  for (Tokens& a : arguments) {
    const bool named = is_by_name(a);
    const Tokens given = resolved(made_apart(between(a, named ? 2 : 0)));
    a = named ? slice(a, 0, 2) : Tokens{};
    put(a, given);
  }
  Object& object = objects_[word(std::string(name.text), name).text] = {&made, {}, {}};
  for (const Class* c = &made; c != nullptr; c = base_of(*c)) {
    for (const auto& [constant, number] : c->constants) object.attributes.emplace(constant, in_brackets(number));
  }
  if (const Method* init = method_of(&made, "__init__")) initialize(name, object, *init, arguments);
  else if (!arguments.empty() && !arguments[0].empty()) fail("parse.unexpected", "`" + std::string(made.name.text) + "` has no __init__ that takes this", arguments[0][0].span, "write " + std::string(made.name.text) + "()");
  for (const Method* m : needed(made)) {
    put(written_, resolved(as_function(*m, name, object), true));
    end_statement(name);
  }
  if (written_.size() > before) written_.pop_back();  // the separator of the last one, which follows
}

std::map<std::string_view, Tokens> Classes::given(const Method& method, const std::vector<Tokens>& arguments, const Token& at) const {
  std::map<std::string_view, Tokens> values;
  for (std::size_t a = 0; a < arguments.size(); ++a) {
    const Tokens& argument = arguments[a];
    if (argument.empty()) continue;
    if (argument[0].is("*") || argument[0].is("**")) fail("call.arguments", "how many arguments these are is not known", argument[0].span, "write them one by one");
    const bool named = is_by_name(argument);
    const auto p = std::find_if(method.parameters.begin(), method.parameters.end(), [&](const Parameter& x) { return named ? x.name.text == argument[0].text : !x.by_name && &x - method.parameters.data() == static_cast<std::ptrdiff_t>(a); });
    if (p == method.parameters.end() || !values.emplace(p->name.text, in_brackets(between(argument, named ? 2 : 0))).second) fail("call.arguments", "`" + std::string(method.name.text) + "` has no parameter for this", argument[0].span, "it has " + std::to_string(method.parameters.size()));
  }
  for (const Parameter& p : method.parameters) {
    if (!p.otherwise.empty()) values.emplace(p.name.text, in_brackets(p.otherwise));
    if (values.count(p.name.text) == 0) fail("call.arguments", describe(p.name) + " has no value here", at.span, "give it one");
  }
  return values;
}

void Classes::initialize(const Token& name, Object& object, const Method& init, const std::vector<Tokens>& arguments) {
  Initial initial{name, object, init, given(init, arguments, name)};
  for (const Parameter& p : init.parameters) {  // what is computed once, whether it is needed or not
    Tokens& value = initial.values.at(p.name.text);
    const bool computed = std::any_of(value.begin(), value.end(), [&](const Token& t) { return t.is("@") || t.is("[") || t.is(".") || (t.is("(") && &t > value.data() && (&t)[-1].kind == TokenKind::name); });
    if (computed && !is_setting(value, 0)) value = kept(name, p.name, without_brackets(value));
  }
  initialize(initial, slice(init.written, init.body + 1, init.written.size() - 1));
}

Tokens Classes::with_values(const Initial& i, Tokens t) {
  rename_bound(t, [&](std::string_view name) { return i.values.count(name) > 0 || is_meant(name); });
  Tokens found;
  for (std::size_t k = 0; k < t.size(); ++k) {
    const auto value = is_use(t, k) ? i.values.find(t[k].text) : i.values.end();
    if (value != i.values.end()) put(found, value->second);
    else found.push_back(t[k].is("self") && is_use(t, k) ? Token{TokenKind::name, i.name.text, t[k].span} : t[k]);
  }
  return found;
}

void Classes::initialize(Initial& i, const Tokens& t) {
  for (std::size_t k = 0; k < t.size();) {
    if (ends_statement(t[k])) {
      ++k;
      continue;
    }
    const std::size_t end = end_of_statement(t, k);
    const bool block = end < t.size() && t[end].kind == TokenKind::block_begin;
    const Tokens s = slice(t, k, end);
    if (!block) {
      initialize_statement(i, s);
      k = end;
      continue;
    }
    const std::size_t behind = behind_block(t, end);
    const Tokens body = slice(t, end + 1, behind - 1);
    if (s[0].is("for")) {
      const auto in = place_outside(s, "in");
      const auto steps = in ? steps_of(resolved(with_values(i, slice(s, *in + 1, s.size() - 1))), s[0]) : std::nullopt;
      const std::vector<Token> targets = in ? target_names(slice(s, 1, *in)) : std::vector<Token>{};
      if (!steps || (!steps->empty() && targets.size() != steps->front().size())) fail("parse.unexpected", "how many steps this loop has is not known", s[0].span, "write for i in range(2):, with a number");
      for (const auto& step : *steps) {
        for (std::size_t n = 0; n < targets.size(); ++n) i.values[targets[n].text] = step[n];
        initialize(i, body);
      }
      k = behind;
      continue;
    }
    if (!s[0].is("if")) fail("parse.unexpected", describe(s[0]) + " in __init__ is not read", s[0].span, "write what it does in the case that is meant");
    k = initialize_cases(i, t, k);
  }
}

std::size_t Classes::initialize_cases(Initial& i, const Tokens& t, std::size_t k) {
  bool done = false;
  for (bool first = true;; first = false) {
    std::size_t next = k;
    while (!first && next < t.size() && t[next].kind == TokenKind::separator) ++next;
    const bool more = next < t.size() && (first ? t[next].is("if") : t[next].is("elif") || t[next].is("else"));
    if (!more) return k;
    const std::size_t end = end_of_statement(t, next), behind = behind_block(t, end);
    const Tokens condition = t[next].is("else") ? Tokens{} : resolved(with_values(i, slice(t, next + 1, end - 1))), body = slice(t, end + 1, behind - 1);
    const auto holds = condition.empty() ? std::optional<bool>(true) : decided(condition);
    const bool raises = !body.empty() && body[0].is("raise");
    if (!done && !holds && raises) assert_opposite(condition, t[next]);
    else if (!done && !holds) fail("parse.unexpected", "whether this condition holds is not known", t[next].span, "write what __init__ does in the case that is meant");
    else if (!done && *holds && raises) fail("parse.unexpected", "__init__ raises an error here", body[0].span, "make it with arguments that it takes");
    else if (!done && *holds) initialize(i, body);
    done = done || (holds && *holds);
    k = behind;
  }
}

void Classes::assert_opposite(const Tokens& condition, const Token& at) {
  static constexpr std::pair<std::string_view, std::string_view> opposites[] = {{"!=", "=="}, {"==", "!="}, {"<=", ">"}, {">=", "<"}, {"<", ">="}, {">", "<="}};
  const Tokens t = without_brackets(condition);
  for (const auto& [relation, opposite] : opposites) {
    const auto place = place_outside(t, relation);
    if (!place || has_outside(t, "or") || has_outside(t, "and") || has_outside(t, "not")) continue;
    Tokens claim{{TokenKind::name, "assert", at.span}};
    put(claim, t);
    claim[*place + 1].text = opposite;
    put(written_, claim);
    return end_statement(at);
  }
  fail("parse.unexpected", "whether this condition holds is not known", at.span, "write assert d % h == 0 for what is meant");
}

void Classes::initialize_statement(Initial& i, const Tokens& s) {
  const Token& name = i.name;
  require_lasting(i, s);
  if (s[0].kind == TokenKind::text || s[0].is("pass") || text_of(s) == "nn . Module . __init__ ( self )") return;
  if (const std::size_t point = behind_super(s, 0); point > 0 && s[point + 1].is("__init__") && point + 2 < s.size() && s[point + 2].is("(")) {
    const Method* const base = method_above(i.method, "__init__");
    const std::vector<Tokens> arguments = parts_of(resolved(with_values(i, inside(s, point + 3))));
    if (base != nullptr) initialize(name, i.object, *base, arguments);
    else if (!arguments[0].empty()) fail("parse.unexpected", "what is above this class takes no arguments", s[0].span, "write super().__init__()");
    return;
  }
  if (s[0].is("assert")) {
    const auto holds = decided(resolved(with_values(i, parts_of(between(s, 1))[0])));
    if (holds && *holds) return;
    if (holds) fail("parse.unexpected", "__init__ raises an error here", s[0].span, "make it with arguments that it takes");
    put(written_, resolved(with_values(i, s)));
    return end_statement(s[0]);
  }
  if (s.size() > 5 && s[0].is("self") && s[1].is(".") && s[2].is("register_buffer") && s[3].is("(")) {  // self.register_buffer("mask", M)
    const auto parts = parts_of(inside(s, 4));
    if (parts.size() > 1 && parts[0].size() == 1 && parts[0][0].text.size() > 2) {
      const std::string_view attribute = parts[0][0].text.substr(1, parts[0][0].text.size() - 2);
      buffers_.insert(attribute);
      return set(i, {TokenKind::name, attribute, parts[0][0].span}, value_in(i, parts[1]));
    }
  }
  if (const auto local = i.values.find(s[0].text); local != i.values.end() && item_change(s) && local->second.size() == 1 && local->second[0].kind == TokenKind::name && used_.count(local->second[0].text) > 0) {  // pe[:, 0::2] = torch.sin(a)
    put(written_, resolved(with_values(i, s)));
    return end_statement(s[0]);
  }
  if (appended(s, [&](const Tokens& t) { return with_values(i, t); })) return;
  const auto equals = assignment(s);
  if (const std::size_t at = initialized_at(s); at > 0 && gives_random_values(s[at - 2].text)) {  // any values, as weights have
    const Tokens of = resolved(with_values(i, parts_of(slice(s, at, s.size() - 1))[0]));
    if (of.size() == 1 ? is_parameter(of[0]) : of.size() > 2 && layers_.count(of[0].text) > 0) return;
  }
  const bool weights = s[0].is("nn") || (s[0].is("self") && s.size() > 3 && s[2].is("apply"));
  if (!equals && weights) fail("parse.unexpected", "what weights are at first is not read: a claim holds for all of them", s[0].span, "leave it out, or give the weight its value: self.fc.weight = ...");
  if (!equals || changes_in_place(s, *equals)) {
    const bool annotated = equals && s.size() > 3 && s[0].is("self") && s.size() > 4 && s[3].is(":");
    if (!annotated) fail("parse.unexpected", "this statement of __init__ is not read", s[0].span, "write self.name = ...");
  }
  if (const auto next = place_outside(between(s, *equals + 1), "="); next && !has_outside(slice(s, 0, *equals), ",")) {  // self.q = self.k = ...
    const std::size_t second = *equals + 1;
    initialize_statement(i, between(s, second));
    Tokens first = slice(s, 0, second);
    put(first, slice(s, second, second + *next));
    if (!has_outside(slice(s, second, second + *next), ",")) return initialize_statement(i, first);
  }
  Tokens left = slice(s, 0, *equals);
  if (const auto colon = place_outside(left, ":")) left.resize(*colon);  // self.n: int = 2
  const auto targets = parts_of(left);
  auto written = parts_of(between(s, *equals + 1));
  if (targets.size() == 1) written = {between(s, *equals + 1)};
  if (targets.size() > 1 && written.size() == 1) written = each_of(written[0], targets.size());
  if (targets.size() != written.size() || has_outside(between(s, *equals + 1), "=")) fail("parse.unexpected", "this statement of __init__ is not read", s[0].span, "write self.name = ..., one at a time");
  std::vector<Tokens> values;  // all of them, before any target gets one
  for (const Tokens& w : written) values.push_back(value_in(i, w));
  for (std::size_t t = 0; t < targets.size(); ++t) {
    const Tokens& target = targets[t];
    if (target.size() > 3 && target[0].is("self")) {  // self.head.weight = self.embedding.weight
      Tokens all = resolved_weight(with_values(i, target), target[0]);
      all.push_back({TokenKind::symbol, "=", s[0].span});
      put(all, made_apart(values[t]));
      put(written_, all);
      end_statement(s[0]);
    } else if (target.size() == 3 && target[0].is("self")) {
      set(i, target[2], values[t]);
    } else if (target.size() == 1 && target[0].kind == TokenKind::name) {
      i.values[target[0].text] = kept(name, target[0], values[t]);
    } else {
      fail("parse.unexpected", "this statement of __init__ is not read", s[0].span, "write self.name = ...");
    }
  }
}

std::vector<Tokens> Classes::each_of(const Tokens& value, std::size_t count) {
  std::vector<Tokens> found;
  if (value.size() > 2 && value.back().is("shape") && value[value.size() - 2].is(".")) {
    for (std::size_t k = 0; k < count; ++k) {
      found.push_back(value);
      put(found.back(), {{TokenKind::symbol, "[", value[0].span}, number(k, value[0]), {TokenKind::symbol, "]", value[0].span}});
    }
    return found;
  }
  const Tokens all = is_one_bracket(value) ? inside(value, 1) : Tokens{};
  const auto loop = place_outside(all, "for");
  const Tokens range = loop && *loop + 3 < all.size() && all[*loop + 2].is("in") ? between(all, *loop + 3) : Tokens{};
  const bool counts = range.size() == 4 && range[0].is("range") && small_number({range[2]}) == std::optional<std::size_t>(count) && !names(slice(all, 0, *loop), all[*loop + 1].text);
  return counts ? std::vector<Tokens>(count, slice(all, 0, *loop)) : std::vector<Tokens>{value};
}

void Classes::require_lasting(const Initial& i, const Tokens& written) {
  const auto lambda = std::find_if(written.begin(), written.end(), [](const Token& t) { return t.is("lambda"); });
  if (lambda == written.end()) return;
  for (std::size_t k = 0; k < written.size(); ++k) {
    const bool attribute = written[k].is("self") && k + 2 < written.size() && written[k + 1].is(".");
    const std::string_view name = attribute ? written[k + 2].text : written[k].text;
    if (!is_use(written, k) || (!attribute && i.values.count(name) == 0)) continue;
    std::size_t given = 0;
    for (const Tokens& s : statements_of(slice(i.method.written, i.method.body + 1, i.method.written.size()))) {
      const std::size_t end = s[0].is("for") ? place_outside(s, "in").value_or(0) : targets_end(s);
      for (std::size_t t = 0; t < end; ++t) given += s[t].is(name) && (t > 0 && s[t - 1].is(".")) == attribute ? 1 : 0;
    }
    if (given > (attribute ? 1 : 0)) fail("parse.duplicate", "`" + std::string(name) + "` gets another value in __init__, and this function has the one that it is called with", written[k].span, "give one of them another name");
  }
}

Tokens Classes::value_in(const Initial& i, const Tokens& written) {
  const Tokens value = without_modes(chosen(resolved(with_values(i, written))));
  const bool condition = value.size() > 1 && !has_outside(value, "and") && !has_outside(value, "or") && (has_outside(value, "is") || has_outside(value, "not") || has_outside(value, "=="));
  const auto known = condition ? decided(value) : std::nullopt;
  return known ? Tokens{{TokenKind::name, *known ? "True" : "False", value[0].span}} : value;
}

Tokens Classes::resolved_weight(const Tokens& target, const Token& at) {
  const Tokens found = resolved(target);
  const bool data = found.size() == 5 && found[3].is(".") && found[4].is("data");
  const bool weight = (found.size() == 3 || data) && found[0].kind == TokenKind::name && found[1].is(".") && (found[2].is("weight") || found[2].is("bias"));
  if (!weight) fail("parse.unexpected", "this statement of __init__ is not read", at.span, "write self.name = ...");
  return found;
}

bool Classes::is_plain(const Tokens& value) const {
  static constexpr std::string_view operators[] = {"+", "-", "*", "/", "%", "(", ")"};
  if (value.size() == 1 && value[0].kind == TokenKind::text) return true;
  for (std::size_t k = 0; k < value.size(); ++k) {
    const bool name = value[k].kind == TokenKind::name && (k + 1 == value.size() || (!value[k + 1].is("(") && !value[k + 1].is(".")));
    const bool symbol = value[k].kind == TokenKind::symbol && std::any_of(std::begin(operators), std::end(operators), [&](std::string_view o) { return value[k].text.find_first_not_of(o) == std::string_view::npos; });
    if (!name && !symbol && value[k].kind != TokenKind::number) return false;
    if (value[k].is("if") || value[k].is("or") || value[k].is("else") || value[k].is("lambda")) return false;
    if (name && (is_bound_behind(value[k].text, at_) || changing_.count(value[k].text) > 0)) return false;  // which is another one then
  }
  return true;
}

bool Classes::is_of_sizes(const Tokens& value) const {
  return std::all_of(value.begin(), value.end(), [&](const Token& t) { return t.kind != TokenKind::name || sizes_.count(t.text) > 0; });
}

Token Classes::define(const Token& object, const Token& attribute, const Tokens& value) {
  const Token own = fresh(std::string(object.text) + "_" + std::string(attribute.text), attribute);
  if (is_made(value)) {
    make(own, value);
  } else if (is_list(value)) {
    make_list(own, value);
  } else if (is_sequence(value)) {
    make_sequence(own, value);
  } else {
    if (is_layer(value)) layers_.insert(own.text);
    const Tokens made = made_apart(value);
    put(written_, {own, {TokenKind::symbol, "=", attribute.span}});
    put(written_, made);
  }
  end_statement(attribute);
  return own;
}

Tokens Classes::kept(const Token& name, const Token& attribute, const Tokens& value) {
  if (value.size() > 1 && value[0].is("[") && is_one_bracket(value) && holds_modules(inside(value, 1))) {  // layers = []
    const Token own = fresh(std::string(name.text) + "_" + std::string(attribute.text), attribute);
    lists_[own.text] = items_of(own, value, attribute);
    return {own};
  }
  if (is_function(value)) return value;
  const bool changes = changed_attributes_.count(attribute.text) > 0;
  if (is_plain(value) && !changes && (value.size() == 1 || !changes_in_place_ || is_of_sizes(value))) return in_brackets(value);  // u = self.w; u += x changes self.w, which 2*w written out would not say
  const Token own = define(name, attribute, value);
  if (changes) changing_.insert(own.text);
  return {own};
}

bool Classes::is_function(const Tokens& value) {
  static constexpr std::string_view modules[] = {"F", "torch", "np", "numpy", "math"};
  bool dotted = value.size() > 2 && value.size() % 2 == 1 && std::find(std::begin(modules), std::end(modules), value[0].text) != std::end(modules);
  for (std::size_t k = 1; k < value.size(); ++k) dotted = dotted && (k % 2 == 1 ? value[k].is(".") : value[k].kind == TokenKind::name);
  return dotted;
}

bool Classes::holds_modules(const Tokens& items) const {
  for (const Tokens& item : parts_of(items)) {
    const auto loop = place_outside(item, "for");
    const Tokens one = loop ? slice(item, 0, *loop) : item;
    if (!one.empty() && !is_made(one) && !is_layer(one)) return false;
  }
  return true;
}

void Classes::set(Initial& i, const Token& attribute, const Tokens& value) {
  const Tokens stands = kept(i.name, attribute, value);
  i.object.attributes[attribute.text] = stands;
}

}  // namespace foldproof::program::objects
