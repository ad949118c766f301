// SPDX-License-Identifier: MIT
// Programs with classes: what names stand for, the classes, and statements outside of them.
#include <algorithm>
#include <map>
#include <set>

#include "expr/diagnostic.hpp"
#include "program/class_reader.hpp"
#include "program/generators.hpp"

namespace foldproof::program::objects {

Tokens Classes::run() {
  for (at_ = 0; at_ < tokens_.size();) {
    if (is_class(at_)) {
      at_ = read_class(at_);
      continue;
    }
    const std::size_t first = at_;
    std::size_t end = end_of_statement(tokens_, first);
    const bool block = end < tokens_.size() && tokens_[end].kind == TokenKind::block_begin;
    if (block && (tokens_[first].is("def") || tokens_[first].is("for"))) {
      end = behind_block(tokens_, end);
      at_ = end;
      Tokens all = slice(tokens_, first, end);
      if (tokens_[first].is("def")) all = with_own_names(all, end_of_statement(all, 0));
      put(written_, resolved(std::move(all)));
      continue;
    }
    at_ = end + 1;
    statement(slice(tokens_, first, end));
    if (end < tokens_.size()) written_.push_back(tokens_[end]);
  }
  require_values();
  return std::move(written_);
}

void Classes::note_bindings() {
  int inside = 0, depth = 0;  // of functions and classes; of all blocks
  std::vector<int> functions;
  for (std::size_t k = 0; k < tokens_.size(); ++k) {
    if (tokens_[k].kind == TokenKind::block_end) {
      if (!functions.empty() && functions.back() == depth) functions.pop_back();
      --depth;
    }
    if (!begins_statement(tokens_, k) || ends_statement(tokens_[k])) continue;
    inside = static_cast<int>(functions.size());
    const std::size_t end = end_of_statement(tokens_, k);
    const Tokens s = slice(tokens_, k, end);
    const bool block = end < tokens_.size() && tokens_[end].kind == TokenKind::block_begin;
    if (inside == 0) bind(s, k, block);
    if (block) {
      ++depth;
      if (s[0].is("def") || s[0].is("class")) functions.push_back(depth);
    }
    k = block ? end : end - 1;
  }
}

void Classes::bind(const Tokens& s, std::size_t k, bool block) {
  const auto note = [&](const Token& name) { bindings_[name.text].push_back(k); };
  if (block && (s[0].is("def") || s[0].is("class")) && s.size() > 1) return note(s[1]);
  if (block && s[0].is("for")) {
    const auto in = place_outside(s, "in");
    for (const Token& t : target_names(slice(s, 1, in.value_or(1)))) note(t);
    return;
  }
  if (block) return;
  for (std::size_t v = targets_end(s); v > 0 && v < s.size(); ++v) {
    const bool makes = s[v].is("ModuleList") || s[v].is("Sequential") || (v + 1 < s.size() && s[v + 1].is("(") && is_class_of_program(s[v].text));
    if (!makes) continue;
    for (const Token& t : target_names(slice(s, 0, targets_end(s)))) made_.insert(t.text);
  }
  const Tokens plain = s[0].is("let") ? between(s, 1) : s;
  if (const std::size_t end = targets_end(plain); end > 0) {
    for (const Token& t : target_names(slice(plain, 0, end))) note(t);
    if (plain[0].kind == TokenKind::name && end > 1 && plain[1].is("[") && closing(plain, 1) + 1 == end) note(plain[0]);
    return;
  }
  const auto colon = place_outside(plain, ":");
  if (colon) {
    for (const Token& t : target_names(slice(plain, 0, *colon))) note(t);
  } else if (plain.size() > 3 && plain[0].kind == TokenKind::name && plain[1].is(".") && plain[2].text.ends_with("_") && plain[3].is("(")) {
    note(plain[0]);  // W.add_(1)
  }
}

bool Classes::is_class_of_program(std::string_view name) const {
  for (std::size_t k = 0; k + 1 < tokens_.size(); ++k) {
    if (tokens_[k].is("class") && tokens_[k + 1].is(name)) return true;
  }
  return false;
}

bool Classes::is_bound_behind(std::string_view name, std::size_t at) const {
  const auto all = bindings_.find(name);
  return all != bindings_.end() && all->second.back() >= at;
}

void Classes::require_one_meaning(const Token& name) const {
  const auto all = bindings_.find(name.text);
  if (all != bindings_.end() && all->second.size() > 1) fail("parse.duplicate", describe(name) + " is a module, and stands for something else elsewhere", name.span, "give it another name");
}

Token Classes::word(std::string text, const Token& at) {
  words_.push_back(std::move(text));
  return {TokenKind::name, words_.back(), at.span};
}

Token Classes::fresh(const std::string& text, const Token& at) {
  std::string name = text;
  while (used_.count(name) > 0) name += "_";
  const Token found = word(name, at);
  used_.insert(found.text);
  return found;
}

std::size_t Classes::read_class(std::size_t k) {
  Class read{tokens_[k + 1], {}, false, {}, {}};
  std::size_t body = k + 2;
  while (body < tokens_.size() && tokens_[body].kind != TokenKind::block_begin) ++body;
  if (body == tokens_.size()) fail("parse.unexpected", "this class has no methods", tokens_[k].span, "write them below it, further to the right");
  if (tokens_[k + 2].is("(")) {
    for (const Tokens& base : parts_of(slice(tokens_, k + 3, closing(tokens_, k + 2)))) {
      static constexpr std::string_view empty[] = {"object", "ABC"};
      if (base.empty() || (base.size() == 1 && std::find(std::begin(empty), std::end(empty), base[0].text) != std::end(empty))) continue;
      const auto known = base.size() == 1 ? classes_.find(base[0].text) : classes_.end();
      if (known == classes_.end() && !base.back().is("Module")) fail("name.unknown", "what " + describe(base.back()) + " gives to the classes made of it is not known", base.back().span, "write nn.Module, or that class above this one");
      if (!read.base.empty() || (read.is_module && known != classes_.end())) fail("parse.unexpected", "a class is made of one other", base.back().span, "write the methods that are meant into this class");
      read.is_module = known == classes_.end() || known->second.is_module;
      if (known != classes_.end()) read.base = known->first;
    }
  }
  const std::size_t end = behind_block(tokens_, body);
  for (std::size_t at = body + 1; at + 1 < end;) {
    if (tokens_[at].kind == TokenKind::separator || tokens_[at].kind == TokenKind::text || tokens_[at].is("pass")) ++at;
    else if (tokens_[at].is("def")) read.methods.push_back(read_method(at, read, false));
    else if (const std::size_t def = at + 3; def < end && tokens_[at].is("@") && tokens_[at + 1].is("staticmethod") && ends_statement(tokens_[at + 2]) && tokens_[def].is("def")) read.methods.push_back(read_method(at = def, read, true));
    else read_constant(at, read);
  }
  if (bindings_.at(read.name.text).size() > 1 || !classes_.emplace(read.name.text, read).second) fail("parse.duplicate", describe(read.name) + " is already a class", read.name.span, "give it another name");
  return end;
}

void Classes::read_constant(std::size_t& at, Class& of) const {
  const std::size_t end = end_of_statement(tokens_, at);
  const Tokens s = slice(tokens_, at, end);
  const auto equals = assignment(s);
  const bool named = equals && s[0].kind == TokenKind::name && (*equals == 1 || s[1].is(":"));
  if (s[0].is("@")) fail("parse.unexpected", "this decorator is not read", s[0].span, "write a method without it, which is called as self.f(x)");
  if (!named || !is_literal(between(s, *equals + 1))) fail("parse.unexpected", "a class is read as its methods", s[0].span, "write it into __init__, as self." + std::string(s[0].text) + " = ...");
  of.constants[s[0].text] = between(s, *equals + 1);
  at = end;
}

Method Classes::read_method(std::size_t& at, const Class& of, bool is_static) const {
  const std::size_t first = at;
  if (at + 2 >= tokens_.size() || tokens_[at + 1].kind != TokenKind::name || !tokens_[at + 2].is("(")) fail("parse.unexpected", "a method has a name and parameters", tokens_[at].span, "write def forward(self, x):");
  static constexpr std::string_view read[] = {"__init__", "__call__", "__len__", "__bool__", "__repr__", "__str__"};
  const std::string_view name = tokens_[at + 1].text;
  if (name.starts_with("__") && name.ends_with("__") && std::find(std::begin(read), std::end(read), name) == std::end(read)) fail("parse.unexpected", "what this method changes in Python is not read", tokens_[at + 1].span, "write a method that is called by its name");
  Method method{tokens_[at + 1], {}, {}, 0, of.name.text, is_static};
  const std::size_t bracket = closing(tokens_, at + 2);
  std::vector<Tokens> parts = parts_of(slice(tokens_, at + 3, bracket));
  if (!is_static && (parts[0].empty() || !parts[0][0].is("self"))) fail("parse.unexpected", "the first parameter of a method is self", method.name.span, "write def " + std::string(method.name.text) + "(self, ...):");
  bool by_name = false;
  for (std::size_t p = is_static ? 0 : 1; p < parts.size() && !(is_static && parts[0].empty()); ++p) {
    const Tokens& part = parts[p];
    if (part.size() == 1 && part[0].is("*")) {
      by_name = true;
      continue;
    }
    if (part.empty() || part[0].kind != TokenKind::name) fail("parse.unexpected", "this parameter is not read", part.empty() ? method.name.span : part[0].span, "name each parameter: no *args and **kwargs");
    const auto equals = place_outside(part, "=");
    method.parameters.push_back({part[0], equals ? between(part, *equals + 1) : Tokens{}, by_name});
    require_no_draws(method.parameters.back().otherwise);
    for (const Token& t : method.parameters.back().otherwise) {
      if (t.kind == TokenKind::name && is_bound_behind(t.text, first)) fail("parse.duplicate", describe(t) + " gets another value after this default value was computed", t.span, "give it another name");
    }
  }
  for (const Method& m : of.methods) {
    if (m.name.is(method.name.text)) fail("parse.duplicate", describe(method.name) + " is a method already", method.name.span, "give it another name");
  }
  at = end_of_statement(tokens_, bracket);
  if (bracket >= tokens_.size() || at >= tokens_.size() || tokens_[at].kind != TokenKind::block_begin) fail("parse.unexpected", "this method has no block", method.name.span, "write def " + std::string(method.name.text) + "(self, ...): and what it does");
  method.body = at - first;
  at = behind_block(tokens_, at);
  method.written = slice(tokens_, first, at);
  return method;
}

void Classes::require_no_draws(const Tokens& otherwise) const {
  for (std::size_t k = 0; k < otherwise.size(); ++k) {
    const bool program = is_use(otherwise, k) && (made_.count(otherwise[k].text) > 0 || (is_bound(otherwise[k].text) && k + 1 < otherwise.size() && otherwise[k + 1].is("(")));
    if (program || end_of_draw(otherwise, k) > 0) fail("parse.unexpected", "this default value is computed once, for all objects of the class", otherwise[k].span, "name it before the class, and write that name: w = torch.randn(3)");
  }
}

const Method* Classes::method_of(const Class* c, std::string_view name) const {
  for (; c != nullptr; c = base_of(*c)) {
    for (const Method& m : c->methods) {
      if (m.name.is(name)) return &m;
    }
  }
  return nullptr;
}

const Method* Classes::call_of(const Class& c) const {
  const Method* const own = method_of(&c, "__call__");
  return own != nullptr || !c.is_module ? own : method_of(&c, "forward");
}

std::string_view Classes::function_of(std::string_view object, Object& o, const Method& m) {
  const auto known = o.functions.find(&m);
  if (known != o.functions.end()) return known->second;
  const bool hidden = method_of(o.of, m.name.text) != &m;  // one that super() calls
  const Token name = fresh(std::string(object) + "_" + (hidden ? std::string(m.owner) + "_" : "") + std::string(m.name.text), m.name);
  return o.functions[&m] = name.text;
}

std::size_t Classes::behind_super(const Tokens& t, std::size_t k) {
  if (!t[k].is("super") || k + 1 >= t.size() || !t[k + 1].is("(")) return k;
  const std::size_t end = closing(t, k + 1);
  return end + 2 < t.size() && t[end + 1].is(".") ? end + 1 : k;
}

void Classes::statement(Tokens written) {
  rename_bound(written, [&](std::string_view name) { return is_meant(name); });
  if (sets_mode(written)) return;
  const auto equals = assignment(written);
  if (const auto each = one_by_one(written); each.size() > 1 && std::any_of(each.begin(), each.end(), [&](const Tokens& s) { return is_made(between(s, 2)) || is_list(between(s, 2)); })) {
    for (std::size_t k = 0; k < each.size(); ++k) {
      if (k > 0) end_statement(each[k][0]);
      statement(each[k]);
    }
    return;
  }
  if (equals && *equals == 1 && written[0].kind == TokenKind::name) {
    const Tokens value = without_modes(chosen(between(written, 2)));
    const bool several = value.size() > 2 && value[0].is("[") && is_one_bracket(value) && holds_modules(inside(value, 1));  // [Block(d), Block(d)]
    if (is_made(value) || is_list(value) || is_sequence(value) || several) {
      require_one_meaning(written[0]);
      return is_made(value) ? make(written[0], value) : is_sequence(value) ? make_sequence(written[0], value) : make_list(written[0], value);
    }
    if (const Tokens same = resolved(value); same.size() == 1 && (objects_.count(same[0].text) > 0 || lists_.count(same[0].text) > 0)) {  // the same object by another name
      require_one_meaning(written[0]);
      others_[written[0].text] = same[0];
      return;
    }
    written = slice(written, 0, 2);
    put(written, value);
  }
  if (appended(written, {}) || loaded(written) || changed_attribute(written)) return;
  refuse_attribute(written);
  if (equals && *equals == 1 && is_layer(between(written, 2))) layers_.insert(written[0].text);
  put(written_, resolved(made_apart(written)));
}

void Classes::note_changed_attributes() {
  for (std::size_t k = 2; k < tokens_.size(); ++k) {
    if (tokens_[k].kind != TokenKind::name || !tokens_[k - 1].is(".") || tokens_[k - 2].is("self")) continue;
    const std::size_t begin = beginning_of_statement(tokens_, k), method = k + 1 + (k + 2 < tokens_.size() && tokens_[k + 1].is(".") && tokens_[k + 2].is("data") ? 2 : 0);
    const bool in_place = method + 2 < tokens_.size() && tokens_[method].is(".") && tokens_[method + 1].text.ends_with("_") && tokens_[method + 2].is("(");  // lin.W.mul_(2)
    if (in_place || k - begin < targets_end(slice(tokens_, begin, end_of_statement(tokens_, k)))) changed_attributes_.insert(tokens_[k].text);
  }
}

void Classes::note_sizes() {
  int depth = 0;
  for (std::size_t k = 1; k + 1 < tokens_.size(); ++k) {
    depth += (opens(tokens_[k]) ? 1 : 0) - (closes(tokens_[k]) ? 1 : 0);
    const bool declares = depth == 0 && tokens_[k].is(":") && tokens_[k + 1].is("[") && tokens_[k - 1].kind == TokenKind::name;  // x: [n, d]
    for (std::size_t in = k + 2, end = declares ? closing(tokens_, k + 1) : 0; in < end; ++in) {
      if (tokens_[in].kind == TokenKind::name) sizes_.insert(tokens_[in].text);
    }
    if (!tokens_[k].is("=")) {
      changes_in_place_ = changes_in_place_ || (tokens_[k - 1].is(".") && (changes_in_place(tokens_[k].text) || tokens_[k].is("load_state_dict")) && tokens_[k + 1].is("("));
      continue;
    }
    changes_in_place_ = changes_in_place_ || changes_in_place(tokens_, k);  // += and W[i] =
    const bool number = tokens_[k + 1].kind == TokenKind::number && k + 1 == end_of_statement(tokens_, k) - 1 && begins_statement(tokens_, k - 1);
    if (number) sizes_.insert(tokens_[k - 1].text);
  }
}

bool Classes::changed_attribute(const Tokens& s) {
  std::size_t end = targets_end(s);
  const auto equals = assignment(s);
  for (std::size_t k = 3; k < end; ++k) {
    if (s[k].is("[") && closing(s, k) + 1 == end) end = k;  // norm.weight[:] = 1
  }
  if (end > 4 && s[end - 1].is("data") && s[end - 2].is(".")) end -= 2;
  if (end < 3 || s[0].kind != TokenKind::name || !s[end - 2].is(".") || s[end - 1].kind != TokenKind::name || has_outside(slice(s, 0, end), ",")) return false;
  const Tokens of = resolved(slice(s, 0, end - 2));
  const auto object = of.size() == 1 ? objects_.find(of[0].text) : objects_.end();
  if (object == objects_.end()) return false;
  const auto known = object->second.attributes.find(s[end - 1].text);
  if (known == object->second.attributes.end()) return false;
  const Tokens value = between(s, *equals + 1);
  const bool own = known->second.size() == 1 && known->second[0].kind == TokenKind::name && !is_module(known->second) && changed_attributes_.count(s[end - 1].text) > 0;
  if (!own || is_made(value) || is_layer(value) || is_list(value) || is_sequence(value)) return false;
  put(written_, {{TokenKind::name, known->second[0].text, s[0].span}});
  const bool data = end + 1 < s.size() && s[end].is(".");
  if (data && *equals == end + 2) {  // in place, as other names of the same parameter see it: m.w.data = W is m_w += W - m_w
    const Token& own_name = known->second[0];
    static constexpr std::string_view draws[] = {"randn", "rand", "randn_like", "rand_like", "ones_like", "zeros_like", "full_like", "full", "tensor"};
    const Token* const fresh = called_alone(value);
    if (changes_in_place_ && !makes_new_array(value) && !(fresh != nullptr && is_among(fresh->text, draws))) fail("parse.unexpected", "`.data` shares the numbers of what it is given, and something changes in place here", s[0].span, "take a copy: .data = W.clone()");
    const auto symbol = [&](std::string_view text) { return Token{TokenKind::symbol, text, s[0].span}; };
    put(written_, {symbol("+"), symbol("="), symbol("(")});
    put(written_, resolved(made_apart(value)));
    put(written_, {symbol(")"), symbol("-"), {TokenKind::name, own_name.text, s[0].span}});
    return true;
  }
  put(written_, resolved(slice(s, end + (data ? 2 : 0), *equals + 1)));
  put(written_, resolved(made_apart(value)));
  return true;
}

bool Classes::loaded(const Tokens& s) {
  std::size_t load = 0, state = 0;
  for (std::size_t k = 0; k + 1 < s.size(); ++k) {
    if (s[k].is("load_state_dict") && s[k + 1].is("(")) load = k;
    if (s[k].is("state_dict") && s[k + 1].is("(") && load > 0) state = k;
  }
  if (load < 2 || state < load + 4 || state + 4 != s.size()) return false;
  const Tokens to = resolved(slice(s, 0, load - 1)), from = resolved(slice(s, load + 2, state - 1));
  if (to.size() != 1 || from.size() != 1 || (objects_.count(to[0].text) == 0 && lists_.count(to[0].text) == 0)) return false;
  load_weights(to[0], from[0], s[0]);
  return true;
}

void Classes::load_weights(const Token& to, const Token& from, const Token& at) {
  const auto unlike = [&] { fail("parse.unexpected", "these two modules are not made alike", at.span, "load the weights of a module of the same class and sizes"); };
  const auto each = [&](const Token& a, const Token& b) {
    if (a.text == b.text) return;
    if (!has_weights(a) && !has_weights(b)) return;
    if (!has_weights(a) || !has_weights(b) || layers_.count(a.text) != layers_.count(b.text)) unlike();
    if (objects_.count(a.text) > 0 || lists_.count(a.text) > 0) return load_weights(a, b, at);
    const auto symbol = [&](std::string_view text) { return Token{TokenKind::symbol, text, at.span}; };
    const auto name = [&](std::string_view text) { return Token{TokenKind::name, text, at.span}; };
    if (layers_.count(a.text) > 0) put(written_, {name(a.text), symbol("."), name("load_state_dict"), symbol("("), name(b.text), symbol("."), name("state_dict"), symbol("("), symbol(")"), symbol(")")});
    else put(written_, {name(a.text), symbol("+"), symbol("="), symbol("("), name(b.text), symbol("-"), name(a.text), symbol(")")});  // in place, as other names of it see
    end_statement(at);
  };
  const auto list = lists_.find(to.text), other_list = lists_.find(from.text);
  if (list != lists_.end()) {
    if (other_list == lists_.end() || other_list->second.size() != list->second.size()) unlike();
    for (std::size_t k = 0; k < list->second.size(); ++k) each(list->second[k], other_list->second[k]);
    return;
  }
  const auto object = objects_.find(to.text), other = objects_.find(from.text);
  if (other == objects_.end()) unlike();
  const auto weights_of = [&](const Object& module) {
    std::map<std::string_view, Token> found;
    for (const auto& [attribute, value] : module.attributes) {
      const bool name = value.size() == 1 && value[0].kind == TokenKind::name;
      if (name && has_weights(value[0])) found.emplace(attribute, value[0]);
    }
    return found;
  };
  const auto made_of = [&](const Tokens& value) {  // 1.0, or of a name what it was given
    std::string text = text_of(value);
    each_statement(written_, [&](const Tokens& s, std::size_t) {
      if (value.size() == 1 && s.size() > 2 && s[0].is(value[0].text) && s[1].is("=")) text = text_of(between(s, 2));
    });
    return text;
  };
  for (const auto& [attribute, value] : object->second.attributes) {
    if (buffers_.count(attribute) == 0) continue;
    const auto theirs = other->second.attributes.find(attribute);
    const std::string made = made_of(value);
    if (theirs == other->second.attributes.end() || made != made_of(theirs->second) || made.find("rand") != std::string::npos) fail("parse.unexpected", "load_state_dict gives the buffer `" + std::string(attribute) + "` another value, too", at.span, "make it of the same numbers in both modules");
  }
  const auto own = weights_of(object->second), its = weights_of(other->second);
  if (!std::equal(own.begin(), own.end(), its.begin(), its.end(), [](const auto& a, const auto& b) { return a.first == b.first; })) unlike();
  for (const auto& one : own) {
    const auto ties = [&](const auto& another) { return another.second.text == one.second.text && its.at(another.first).text != its.at(one.first).text; };
    if (std::any_of(own.begin(), own.end(), ties)) fail("parse.unexpected", describe(one.second) + " is two weights of this module, of which the last one that is loaded counts", at.span, "give each of them a tensor of its own");
  }
  for (const auto& [attribute, value] : own) each(value, its.at(attribute));
}

std::string_view Classes::module_of(const Token& name) const {
  std::string_view found;
  each_statement(written_, [&](const Tokens& s, std::size_t) {
    const std::size_t module = s.size() > 4 && s[0].is(name.text) && s[1].is("=") ? module_name(between(s, 2)) : 0;
    if (module > 0) found = s[2 + module].text;
  });
  return found;
}

bool Classes::has_weights(const Token& name) const {
  return objects_.count(name.text) > 0 || lists_.count(name.text) > 0 || is_among(module_of(name), layers_with_weights) || is_parameter(name);
}

void Classes::refuse_attribute(const Tokens& s) {
  const std::size_t end = targets_end(s);
  for (std::size_t k = 0; k + 2 < end; ++k) {
    const bool object = is_use(s, k) && (objects_.count(s[k].text) > 0 || others_.count(s[k].text) > 0 || lists_.count(s[k].text) > 0 || is_setting(s, k));
    if (!object) continue;
    std::size_t last = end;
    if (s[last - 1].is("data") && s[last - 2].is(".")) last -= 2;
    const bool weight = k == 0 && last > 4 && s[last - 2].is(".") && (s[last - 1].is("weight") || s[last - 1].is("bias"));
    const Tokens of = weight ? resolved(slice(s, 0, last - 2)) : Tokens{};
    if (of.size() != 1 || objects_.count(of[0].text) > 0 || lists_.count(of[0].text) > 0) fail("parse.unexpected", "an attribute gets a value outside of __init__", s[k].span, "let __init__ give it this value");
  }
}

bool Classes::sets_mode(const Tokens& s) {
  if (s.size() < 5 || s[0].kind != TokenKind::name || (objects_.count(s[0].text) == 0 && lists_.count(s[0].text) == 0)) return false;
  const Tokens rest = without_modes(s);
  return rest.size() == 1 && method_of(objects_.count(s[0].text) > 0 ? objects_.find(s[0].text)->second.of : nullptr, s[2].text) == nullptr;
}

Tokens Classes::without_modes(Tokens value) const {
  for (;;) {
    std::size_t open = 0;
    for (std::size_t k = 1; k + 3 < value.size() && open == 0; ++k) {
      const bool mode = value[k].is(".") && value[k + 2].is("(") && closing(value, k + 2) + 1 == value.size() && std::find(std::begin(modes), std::end(modes), value[k + 1].text) != std::end(modes);
      if (mode) open = k;
    }
    const Tokens rest = slice(value, 0, open);
    const bool module = rest.size() == 1 ? objects_.count(rest[0].text) > 0 || lists_.count(rest[0].text) > 0 : is_made(rest) || is_list(rest) || is_layer(rest);
    if (open == 0 || !module || (is_made(rest) && method_of(&classes_.find(rest[0].text)->second, value[open + 1].text) != nullptr)) return value;
    value = rest;
  }
}

bool Classes::is_layer(const Tokens& value) {
  const std::size_t k = module_name(value);
  return k > 0 && value[k].text[0] >= 'A' && value[k].text[0] <= 'Z' && !value[k].is("Parameter");
}

bool Classes::is_list(const Tokens& value) {
  const std::size_t k = module_name(value);
  return k > 0 && value[k].is("ModuleList");
}

std::optional<bool> Classes::decided(const Tokens& written) const {
  const Tokens t = without_brackets(written);
  if (is_joined(t)) return of_joined(t, [this](const Tokens& condition) { return decided(condition); });
  if (const auto is = place_outside(t, "is")) {
    const bool negated = *is + 1 < t.size() && t[*is + 1].is("not");
    const Tokens value = without_brackets(slice(t, 0, *is)), other = between(t, *is + (negated ? 2 : 1));
    if (other.size() != 1 || !other[0].is("None") || value.size() != 1 || is_none(value[0])) return std::nullopt;
    return value[0].is("None") != negated;
  }
  for (const char* relation : {"==", "!=", "<=", ">=", "<", ">"}) {
    const auto at = place_outside(t, relation);
    if (!at) continue;
    const Tokens left = without_brackets(slice(t, 0, *at)), right = without_brackets(between(t, *at + 1));
    const std::string_view r = relation;
    const bool texts = left.size() == 1 && right.size() == 1 && left[0].kind == TokenKind::text && right[0].kind == TokenKind::text;
    if (texts && (r == "==" || r == "!=")) return (left[0].text.substr(1, left[0].text.size() - 2) == right[0].text.substr(1, right[0].text.size() - 2)) == (r == "==");
    const auto a = small_number(left), b = small_number(right);
    if (!a || !b) return std::nullopt;
    return r == "==" ? *a == *b : r == "!=" ? *a != *b : r == "<=" ? *a <= *b : r == ">=" ? *a >= *b : r == "<" ? *a < *b : *a > *b;
  }
  if (t.size() != 1) return std::nullopt;
  if (t[0].is("True")) return true;
  if (t[0].is("False") || t[0].is("None")) return false;
  if (const auto number = small_number(t)) return *number != 0;
  const auto object = objects_.find(t[0].text);
  if (object != objects_.end() && method_of(object->second.of, "__len__") == nullptr && method_of(object->second.of, "__bool__") == nullptr) return true;
  return layers_.count(t[0].text) > 0 && sequences_.count(t[0].text) == 0 ? std::optional<bool>(true) : std::nullopt;
}

bool Classes::is_none(const Token& name) const {
  const auto all = bindings_.find(name.text);
  return name.kind == TokenKind::name && all != bindings_.end() && std::any_of(all->second.begin(), all->second.end(), [&](std::size_t k) { return k + 2 < tokens_.size() && tokens_[k + 1].is("=") && tokens_[k + 2].is("None"); });
}

Tokens Classes::chosen(const Tokens& value) const {
  const Tokens t = without_brackets(value);
  const auto condition = place_outside(t, "if"), either = condition ? std::nullopt : place_outside(t, "or");
  if (either && !has_outside(t, "and") && !has_outside(t, ",") && !has_outside(t, "lambda")) {
    const auto first = decided(slice(t, 0, *either));
    return first ? chosen(*first ? slice(t, 0, *either) : between(t, *either + 1)) : value;
  }
  const auto otherwise = condition && !has_outside(t, "for") && !has_outside(t, "lambda") && !has_outside(t, ",") ? place_outside(t, "else") : std::nullopt;
  if (!otherwise || *otherwise < *condition) return value;
  const auto holds = decided(slice(t, *condition + 1, *otherwise));
  const Tokens then = slice(t, 0, *condition), other = between(t, *otherwise + 1);
  if (!holds && (is_layer(then) || is_made(then) || is_layer(other) || is_made(other))) fail("parse.unexpected", "whether this condition holds is not known", t[*condition].span, "write the module that is meant");
  return holds ? chosen(*holds ? then : other) : value;
}

}  // namespace foldproof::program::objects

namespace foldproof::program {

Tokens with_classes(Tokens tokens, Words& words) {
  const bool any = std::any_of(tokens.begin(), tokens.end(), [](const Token& t) { return t.is("class") || t.is("ModuleList") || t.is("Sequential"); });
  return any ? objects::Classes(std::move(tokens), words).run() : tokens;  // nearly never
}

}  // namespace foldproof::program
