// SPDX-License-Identifier: MIT
#include <algorithm>
#include <map>
#include <set>

#include "expr/diagnostic.hpp"
#include "expr/modules.hpp"

namespace foldproof::expr {
namespace {

struct Parameter {
  Token name;
  Tokens otherwise;  ///< its default value
};
struct Method {
  Token name;
  std::vector<Parameter> parameters;  ///< without self
  Tokens written;                     ///< def name(...): and its block, to the end of it
  std::size_t bracket = 0, body = 0;  ///< where the parameters begin and the block does, in `written`
};
struct Class {
  Token name;
  std::string_view base;
  std::vector<Method> methods;
  const Method* find(std::string_view method) const {
    const auto at = std::find_if(methods.begin(), methods.end(), [&](const Method& m) { return m.name.is(method); });
    return at == methods.end() ? nullptr : &*at;
  }
};
struct Object {
  const Class* of;
  std::map<std::string_view, Tokens> attributes;
};
constexpr std::string_view settings[] = {"config", "cfg", "hparams"};  ///< what holds sizes by their names

bool begins_statement(const Tokens& tokens, std::size_t k) { return k == 0 || (ends_statement(tokens[k - 1]) && tokens[k - 1].kind != TokenKind::end); }
/// The position of the bracket that closes the one at `open`.
std::size_t closing(const Tokens& tokens, std::size_t open) {
  int depth = 0;
  for (std::size_t k = open; k < tokens.size(); ++k) {
    depth += (opens(tokens[k]) ? 1 : 0) - (closes(tokens[k]) ? 1 : 0);
    if (depth == 0) return k;
  }
  return tokens.size();
}
Tokens slice(const Tokens& tokens, std::size_t first, std::size_t end) { return {tokens.begin() + static_cast<std::ptrdiff_t>(first), tokens.begin() + static_cast<std::ptrdiff_t>(end)}; }
Tokens in_round_brackets(Tokens value) {
  const Span span = value.front().span;
  value.insert(value.begin(), {TokenKind::symbol, "(", span});
  value.push_back({TokenKind::symbol, ")", span});
  return value;
}
/// As one operand of whatever stands around it.
Tokens in_brackets(Tokens value) { return value.size() < 2 || is_one_bracket(value) ? value : in_round_brackets(std::move(value)); }

class Classes {
 public:
  Classes(Tokens tokens, Words& words) : tokens_(std::move(tokens)), words_(words) {}

  Tokens run() {
    for (std::size_t k = 0; k < tokens_.size();) {
      if (is_class(k)) {
        k = read_class(k);
        continue;
      }
      std::size_t end = k;
      while (end < tokens_.size() && !ends_statement(tokens_[end])) ++end;
      const bool block = end < tokens_.size() && tokens_[end].kind == TokenKind::block_begin;
      if (block && (tokens_[k].is("def") || tokens_[k].is("for"))) {
        end = behind_block(tokens_, end);
        put(written_, resolved(slice(tokens_, k, end)));
        k = end;
        continue;
      }
      statement(slice(tokens_, k, end));
      if (end < tokens_.size()) written_.push_back(tokens_[end]);
      k = end + 1;
    }
    return std::move(written_);
  }

 private:
  bool is_class(std::size_t k) const { return tokens_[k].is("class") && begins_statement(tokens_, k) && k + 1 < tokens_.size() && tokens_[k + 1].kind == TokenKind::name; }

  std::size_t read_class(std::size_t k) {
    Class read{tokens_[k + 1], {}, {}};
    std::size_t body = k + 2;
    while (body < tokens_.size() && tokens_[body].kind != TokenKind::block_begin) ++body;
    if (body == tokens_.size()) fail("parse.unexpected", "this class has no methods", tokens_[k].span, "write them below it, further to the right");
    if (tokens_[k + 2].is("(")) {
      for (const Tokens& base : parts_of(slice(tokens_, k + 3, closing(tokens_, k + 2)))) {
        if (base.size() == 1 && classes_.count(base[0].text) > 0) read.base = base[0].text;
      }
    }
    const std::size_t end = behind_block(tokens_, body);
    for (std::size_t at = body + 1; at + 1 < end;) {
      if (tokens_[at].kind == TokenKind::separator || tokens_[at].kind == TokenKind::text || tokens_[at].is("pass")) ++at;
      else if (tokens_[at].is("def")) read.methods.push_back(read_method(at));
      else fail("parse.unexpected", "a class is read as its methods", tokens_[at].span, "write it into __init__, as self." + std::string(tokens_[at].text) + " = ...");
    }
    if (!read.base.empty()) {
      for (const Method& m : classes_.at(read.base).methods) {
        if (read.find(m.name.text) == nullptr) read.methods.push_back(m);
      }
    }
    if (!classes_.emplace(read.name.text, read).second) fail("parse.duplicate", describe(read.name) + " is already a class", read.name.span, "give it another name");
    return end;
  }

  /// The method that begins at `at`, which is set behind it.
  Method read_method(std::size_t& at) const {
    const std::size_t first = at;
    Method method{tokens_[at + 1], {}, {}, 2, 0};
    const std::size_t bracket = closing(tokens_, at + 2);
    std::vector<Tokens> parts = parts_of(slice(tokens_, at + 3, bracket));
    if (parts.empty() || parts[0].empty() || !parts[0][0].is("self")) fail("parse.unexpected", "the first parameter of a method is self", method.name.span, "write def " + std::string(method.name.text) + "(self, ...):");
    for (std::size_t p = 1; p < parts.size(); ++p) {
      const Tokens& part = parts[p];
      if (part.size() == 1 && part[0].is("*")) continue;  // what follows is given by its name
      if (part.empty() || part[0].kind != TokenKind::name) fail("parse.unexpected", "this parameter is not read", part.empty() ? method.name.span : part[0].span, "name each parameter: no *args and **kwargs");
      const auto equals = place_outside(part, "=");
      method.parameters.push_back({part[0], equals ? between(part, *equals + 1) : Tokens{}});
    }
    while (tokens_[at].kind != TokenKind::block_begin) ++at;
    method.body = at - first;
    at = behind_block(tokens_, at);
    method.written = slice(tokens_, first, at);
    return method;
  }

  Token word(std::string text, const Token& at) {
    words_.push_back(std::move(text));
    return {TokenKind::name, words_.back(), at.span};
  }
  /// A name that nobody uses.
  Token fresh(const std::string& text, const Token& at) {
    std::string name = text;
    while (objects_.count(name) > 0 || std::any_of(tokens_.begin(), tokens_.end(), [&](const Token& t) { return t.kind == TokenKind::name && t.text == name; })) name += "_";
    return word(name, at);
  }
  void end_statement(const Token& at) { written_.push_back({TokenKind::separator, "\n", at.span}); }

  /// A statement outside of classes.
  void statement(const Tokens& written) {
    const auto equals = assignment(written);
    if (equals && *equals == 1 && written[0].kind == TokenKind::name) {
      const Tokens value = between(written, 2);
      if (is_made(value)) return make(written[0], value);
      if (is_list(value)) return make_list(written[0], value);
    }
    put(written_, resolved(made_apart(written)));
  }
  bool is_made(const Tokens& value) const { return value.size() > 2 && value[0].kind == TokenKind::name && classes_.count(value[0].text) > 0 && value[1].is("(") && closing(value, 1) + 1 == value.size(); }
  static bool is_list(const Tokens& value) {
    std::size_t k = 0;
    while (k + 2 < value.size() && (value[k].is("torch") || value[k].is("nn")) && value[k + 1].is(".")) k += 2;
    return k > 0 && k + 3 < value.size() && value[k].is("ModuleList") && value[k + 1].is("(") && value[k + 2].is("[") && is_one_bracket(between(value, k + 1));
  }
  /// layers = nn.ModuleList([Block(d) for _ in range(2)]): each gets a name of its own.
  void make_list(const Token& name, const Tokens& value) {
    const auto open = std::find_if(value.begin(), value.end(), [](const Token& t) { return t.is("["); });
    const Tokens list = inside(slice(value, static_cast<std::size_t>(open - value.begin()), value.size() - 1), 1);
    std::vector<Tokens> items = parts_of(list);
    const auto loop = place_outside(list, "for");
    if (loop) {
      const Tokens range = between(list, *loop + 1);  // _ in range(2)
      const auto count = range.size() == 6 && range[1].is("in") && range[2].is("range") ? small_number(slice(range, 4, 5)) : std::nullopt;
      if (!count || *count == 0) fail("parse.loop", "how many modules these are is not known", list[*loop].span, "write [... for _ in range(2)], with a number");
      items.assign(*count, slice(list, 0, *loop));
    }
    std::vector<Token>& names = lists_[word(std::string(name.text), name).text];
    const std::size_t before = written_.size();
    for (std::size_t k = 0; k < items.size(); ++k) names.push_back(define(name, word(std::to_string(k), name), resolved(items[k])));
    if (written_.size() > before) written_.pop_back();
  }
  /// The block of `for layer in layers:` for each of them. Where that is no loop over modules, nothing.
  std::optional<Tokens> each_in_turn(const Tokens& tokens, std::size_t& at) {
    if (!tokens[at].is("for") || !begins_statement(tokens, at)) return std::nullopt;
    std::size_t in = at, begin = at;
    while (in < tokens.size() && !tokens[in].is("in")) ++in;
    while (begin < tokens.size() && !ends_statement(tokens[begin])) ++begin;
    if (begin == tokens.size() || tokens[begin].kind != TokenKind::block_begin || in + 2 > begin) return std::nullopt;
    Tokens range = resolved(slice(tokens, in + 1, begin - 1));
    const bool counted = range.size() > 3 && range[0].is("enumerate") && is_one_bracket(between(range, 1));
    if (counted) range = inside(range, 2);
    const auto list = range.size() == 1 ? lists_.find(range[0].text) : lists_.end();
    const Tokens targets = without_brackets(slice(tokens, at + 1, in));
    if (list == lists_.end() || targets.size() != (counted ? 3 : 1)) return std::nullopt;
    const std::size_t end = behind_block(tokens, begin);
    const Tokens body = slice(tokens, begin + 1, end - 1);
    Tokens found;
    for (std::size_t k = 0; k < list->second.size(); ++k) {
      const Tokens index{{TokenKind::number, word(std::to_string(k), tokens[at]).text, tokens[at].span}}, module{list->second[k]};
      put(found, resolved(replaced(body, [&](std::string_view name) { return name == targets.back().text ? &module : counted && name == targets[0].text ? &index : nullptr; })));
    }
    at = end;
    if (at < tokens.size() && tokens[at].kind == TokenKind::separator) ++at;
    return found;
  }
  /// [head(x) for head in heads] as what each of them gives; nothing for other lists. Sets k to the bracket that closes it.
  std::optional<Tokens> listed(const Tokens& tokens, std::size_t& k) {
    if (!tokens[k].is("[") && !tokens[k].is("(")) return std::nullopt;
    const std::size_t end = closing(tokens, k);
    const Tokens all = slice(tokens, k + 1, std::min(end, tokens.size()));
    const auto loop = place_outside(all, "for");
    if (!loop || *loop + 3 >= all.size() || !all[*loop + 2].is("in")) return std::nullopt;
    const Tokens range = resolved(between(all, *loop + 3));
    const auto list = range.size() == 1 ? lists_.find(range[0].text) : lists_.end();
    if (list == lists_.end()) return std::nullopt;
    const Span span = tokens[k].span;
    Tokens found;
    for (const Token& module : list->second) {
      const Tokens one{module};
      found.push_back({TokenKind::symbol, found.empty() ? "[" : ",", span});
      put(found, resolved(replaced(slice(all, 0, *loop), [&](std::string_view name) { return name == all[*loop + 1].text ? &one : nullptr; })));
    }
    found.push_back({TokenKind::symbol, "]", span});
    k = end;
    return tokens[k].is(")") ? in_round_brackets(std::move(found)) : found;
  }
  /// Block(d)(x): the object gets a name of its own, before the statement.
  Tokens made_apart(const Tokens& written) {
    Tokens found;
    for (std::size_t k = 0; k < written.size(); ++k) {
      const bool makes = written[k].kind == TokenKind::name && classes_.count(written[k].text) > 0 && (k == 0 || !written[k - 1].is(".")) && k + 1 < written.size() && written[k + 1].is("(");
      if (!makes) {
        found.push_back(written[k]);
        continue;
      }
      const std::size_t end = closing(written, k + 1);
      const Token name = fresh("one_" + std::string(written[k].text), written[k]);
      make(name, slice(written, k, end + 1));
      end_statement(name);
      found.push_back(name);
      k = end;
    }
    return found;
  }

  /// name = Block(d, h): what __init__ does, and its methods.
  void make(const Token& name, const Tokens& value) {
    const Class& made = classes_.at(value[0].text);
    Object& object = objects_[word(std::string(name.text), name).text] = {&made, {}};
    const std::size_t before = written_.size();
    std::vector<Tokens> arguments = parts_of(inside(value, 2));
    for (Tokens& a : arguments) a = resolved(a);
    if (const Method* init = made.find("__init__")) initialize(name, object, *init, arguments);
    else if (!arguments.empty() && !arguments[0].empty()) fail("parse.unexpected", "`" + std::string(made.name.text) + "` has no __init__ that takes this", arguments[0][0].span, "write " + std::string(made.name.text) + "()");
    for (const Method* m : in_order(made)) {
      put(written_, resolved(as_function(*m, name, object)));
      end_statement(name);
    }
    if (written_.size() > before) written_.pop_back();  // the separator of the last one, which follows
  }

  /// What the parameters of a method get from a call.
  std::map<std::string_view, Tokens> given(const Method& method, const std::vector<Tokens>& arguments, const Token& at) const {
    std::map<std::string_view, Tokens> values;
    for (const Parameter& p : method.parameters) {
      if (!p.otherwise.empty()) values[p.name.text] = in_brackets(p.otherwise);
    }
    for (std::size_t a = 0; a < arguments.size(); ++a) {
      const Tokens& argument = arguments[a];
      if (argument.empty()) continue;
      const bool named = argument.size() > 2 && argument[0].kind == TokenKind::name && argument[1].is("=");
      const auto p = std::find_if(method.parameters.begin(), method.parameters.end(), [&](const Parameter& x) { return named && x.name.text == argument[0].text; });
      if (named ? p == method.parameters.end() : a >= method.parameters.size()) fail("call.arguments", "`" + std::string(method.name.text) + "` has no parameter for this", argument[0].span, "it has " + std::to_string(method.parameters.size()));
      values[named ? argument[0].text : method.parameters[a].name.text] = in_brackets(between(argument, named ? 2 : 0));
    }
    for (const Parameter& p : method.parameters) {
      if (values.count(p.name.text) == 0) fail("call.arguments", describe(p.name) + " has no value here", at.span, "give it one");
    }
    return values;
  }

  void initialize(const Token& name, Object& object, const Method& init, const std::vector<Tokens>& arguments) {
    std::map<std::string_view, Tokens> values = given(init, arguments, name);
    const auto with_values = [&](const Tokens& t) {
      Tokens found;
      for (std::size_t k = 0; k < t.size(); ++k) {
        const auto value = is_use(t, k) ? values.find(t[k].text) : values.end();
        if (value != values.end()) put(found, value->second);
        else found.push_back(t[k].is("self") ? name : t[k]);
      }
      return found;
    };
    const std::vector<Tokens> all = statements_of(slice(init.written, init.body + 1, init.written.size() - 1));
    for (std::size_t n = 0; n < all.size(); ++n) {
      const Tokens& s = all[n];
      if (s.empty() || s[0].kind == TokenKind::text || s[0].is("pass")) continue;
      if (s[0].is("if") && n + 1 < all.size() && !all[n + 1].empty() && all[n + 1][0].is("raise")) {
        ++n;
        continue;
      }
      if (s[0].is("for") || s[0].is("if") || s[0].is("while") || s[0].is("return")) fail("parse.unexpected", describe(s[0]) + " in __init__ is not read", s[0].span, "write what it does in the case that is meant");
      if (s[0].is("super")) {
        const std::size_t call = closing(s, 1) + 3;  // .__init__(
        const Method* base = object.of->base.empty() ? nullptr : classes_.at(object.of->base).find("__init__");
        if (base != nullptr && call < s.size()) initialize(name, object, *base, parts_of(with_values(slice(s, call, s.size() - 1))));
        continue;
      }
      if (s[0].is("assert")) {
        put(written_, with_values(s));
        end_statement(s[0]);
        continue;
      }
      if (s.size() > 5 && s[0].is("self") && s[2].is("register_buffer") && s[3].is("(")) {  // self.register_buffer("mask", M)
        const auto parts = parts_of(inside(s, 4));
        if (parts.size() > 1 && parts[0].size() == 1 && parts[0][0].text.size() > 2) {
          set(name, object, {TokenKind::name, parts[0][0].text.substr(1, parts[0][0].text.size() - 2), parts[0][0].span}, with_values(parts[1]));
          continue;
        }
      }
      const auto equals = assignment(s);
      if (!equals || changes_in_place(s, *equals)) fail("parse.unexpected", "this statement of __init__ is not read", s[0].span, "write self.name = ...");
      const auto targets = parts_of(slice(s, 0, *equals));
      auto given_values = parts_of(between(s, *equals + 1));
      if (targets.size() == 1) given_values = {between(s, *equals + 1)};
      if (targets.size() != given_values.size()) fail("parse.unexpected", "this statement of __init__ is not read", s[0].span, "write self.name = ..., one at a time");
      for (std::size_t t = 0; t < targets.size(); ++t) {
        const Tokens value = resolved(with_values(given_values[t]));
        if (targets[t].size() > 3 && targets[t][0].is("self")) {  // self.head.weight = self.embedding.weight
          put(written_, resolved(with_values(targets[t])));
          written_.push_back({TokenKind::symbol, "=", s[0].span});
          put(written_, value);
          end_statement(s[0]);
        } else if (targets[t].size() == 3 && targets[t][0].is("self")) {
          set(name, object, targets[t][2], value);
        } else if (targets[t].size() == 1 && targets[t][0].kind == TokenKind::name) {
          values[targets[t][0].text] = is_plain(value) ? in_brackets(value) : Tokens{define(name, targets[t][0], value)};
        } else {
          fail("parse.unexpected", "this statement of __init__ is not read", s[0].span, "write self.name = ...");
        }
      }
    }
  }

  /// Whether the value is made of names and numbers alone, as sizes are, and may stand where it is used.
  static bool is_plain(const Tokens& value) {
    static constexpr std::string_view operators[] = {"+", "-", "*", "/", "%", "(", ")"};
    if (value.size() == 1 && value[0].kind == TokenKind::text) return true;
    for (std::size_t k = 0; k < value.size(); ++k) {
      const bool name = value[k].kind == TokenKind::name && (k + 1 == value.size() || (!value[k + 1].is("(") && !value[k + 1].is(".")));
      const bool symbol = value[k].kind == TokenKind::symbol && std::any_of(std::begin(operators), std::end(operators), [&](std::string_view o) { return value[k].text.find_first_not_of(o) == std::string_view::npos; });
      if (!name && !symbol && value[k].kind != TokenKind::number) return false;
      if (value[k].is("if") || value[k].is("or") || value[k].is("else") || value[k].is("lambda")) return false;
    }
    return true;
  }
  Token define(const Token& object, const Token& attribute, const Tokens& value) {
    const Token own = fresh(std::string(object.text) + "_" + std::string(attribute.text), attribute);
    if (is_made(value)) {
      make(own, value);
    } else if (is_list(value)) {
      make_list(own, value);
    } else {
      written_.push_back(own);
      written_.push_back({TokenKind::symbol, "=", attribute.span});
      put(written_, made_apart(value));
    }
    end_statement(attribute);
    return own;
  }
  void set(const Token& name, Object& object, const Token& attribute, const Tokens& value) {
    const bool plain = is_plain(value);
    const Tokens stands = plain ? in_brackets(value) : Tokens{define(name, attribute, value)};
    object.attributes[attribute.text] = stands;
  }

  /// The methods but __init__, those that others call first.
  static std::vector<const Method*> in_order(const Class& of) {
    std::vector<const Method*> left, found;
    for (const Method& m : of.methods) {
      if (!m.name.is("__init__")) left.push_back(&m);
    }
    const auto calls = [](const Method& m, const Method& other) {
      for (std::size_t k = 0; k + 3 < m.written.size(); ++k) {
        const bool itself = m.written[k].is("self") && m.written[k + 1].is("(") && other.name.is("forward");
        if (itself || (m.written[k].is("self") && m.written[k + 1].is(".") && m.written[k + 2].is(other.name.text) && m.written[k + 3].is("("))) return true;
      }
      return false;
    };
    while (!left.empty()) {
      auto next = std::find_if(left.begin(), left.end(), [&](const Method* m) { return std::none_of(left.begin(), left.end(), [&](const Method* other) { return other != m && calls(*m, *other); }); });
      if (next == left.end()) next = left.begin();
      found.push_back(*next);
      left.erase(next);
    }
    return found;
  }

  /// def block_forward(x): ... of def forward(self, x): ..., whose own names are no names that attributes stand for.
  Tokens as_function(const Method& method, const Token& object, const Object& of) {
    std::set<std::string_view> meant;
    for (const auto& [name, value] : of.attributes) {
      for (const Token& t : value) {
        if (t.kind == TokenKind::name) meant.insert(t.text);
      }
    }
    const Tokens& t = method.written;
    std::map<std::string_view, Token> own;
    const auto note = [&](const Token& name) {
      if (name.kind == TokenKind::name && meant.count(name.text) > 0 && own.count(name.text) == 0) own.emplace(name.text, fresh(std::string(object.text) + "_" + std::string(name.text), name));
    };
    for (const Parameter& p : method.parameters) note(p.name);
    for (std::size_t k = method.body; k < t.size(); ++k) {
      if (t[k].is("for") || t[k].is("lambda")) {
        for (std::size_t n = k + 1; n < t.size() && !t[n].is("in") && !t[n].is(":"); ++n) note(t[n]);
      }
      if (!begins_statement(t, k)) continue;
      std::size_t end = k;
      while (end < t.size() && !ends_statement(t[end])) ++end;
      const Tokens s = slice(t, k, end);
      for (std::size_t n = 0, equals = assignment(s).value_or(0); n < equals; ++n) {
        if (is_use(s, n)) note(s[n]);
      }
    }
    Tokens found{t[0], word(std::string(object.text) + "_" + std::string(method.name.text), method.name)};
    for (std::size_t k = 2; k < t.size(); ++k) {
      if (k == 3) {  // self, and a comma behind it
        k += t[4].is(",") ? 1 : 0;
        continue;
      }
      const bool parameter = k < method.body && t[k].kind == TokenKind::name;
      const auto local = parameter || is_use(t, k) ? own.find(t[k].text) : own.end();
      found.push_back(local != own.end() ? Token{TokenKind::name, local->second.text, t[k].span} : t[k].is("self") && is_use(t, k) ? Token{TokenKind::name, object.text, t[k].span} : t[k]);
    }
    return found;
  }

  /// block.q as what it is, block(x) as block_forward(x), block.attend(x) as block_attend(x).
  Tokens resolved(const Tokens& tokens) {
    Tokens found;
    for (std::size_t k = 0; k < tokens.size(); ++k) {
      if (const auto steps = lists_.empty() ? std::nullopt : each_in_turn(tokens, k)) {
        put(found, *steps);
        --k;
        continue;
      }
      const auto item_of = [&](const Token& name) -> const Token* {  // layers[0]
        const auto list = lists_.find(name.text);
        const auto index = list != lists_.end() && k + 3 < tokens.size() && tokens[k + 1].is("[") && tokens[k + 3].is("]") ? small_number(slice(tokens, k + 2, k + 3)) : std::nullopt;
        return index && *index < list->second.size() ? &list->second[*index] : nullptr;
      };
      if (const auto items = lists_.empty() ? std::nullopt : listed(tokens, k)) {
        put(found, *items);
        continue;
      }
      if (is_setting(tokens, k)) continue;
      auto object = is_use(tokens, k) ? objects_.find(tokens[k].text) : objects_.end();
      const Token* const item = is_use(tokens, k) ? item_of(tokens[k]) : nullptr;
      if (object == objects_.end() && item == nullptr) {
        found.push_back(tokens[k]);
        continue;
      }
      Tokens value{tokens[k]};
      if (item != nullptr) {
        value = {*item};
        object = objects_.find(item->text);
        k += 3;
      }
      while (object != objects_.end() && k + 2 < tokens.size() && tokens[k + 1].is(".") && tokens[k + 2].kind == TokenKind::name) {
        const Token attribute = tokens[k + 2];
        const auto known = object->second.attributes.find(attribute.text);
        if (known != object->second.attributes.end()) {
          value = known->second;
        } else if (object->second.of->find(attribute.text) != nullptr) {
          value = {word(std::string(object->first) + "_" + std::string(attribute.text), attribute)};
        } else {
          fail("name.unknown", "`" + std::string(object->second.of->name.text) + "` has no " + describe(attribute), attribute.span, "set it in __init__: self." + std::string(attribute.text) + " = ...");
        }
        k += 2;
        if (const Token* const one = value.size() == 1 ? item_of(value[0]) : nullptr) {
          value = {*one};
          k += 3;
        }
        object = value.size() == 1 ? objects_.find(value[0].text) : objects_.end();
      }
      if (object != objects_.end() && k + 1 < tokens.size() && tokens[k + 1].is("(")) {
        const char* method = object->second.of->find("forward") != nullptr ? "forward" : "__call__";
        if (object->second.of->find(method) == nullptr) fail("name.unknown", "`" + std::string(object->second.of->name.text) + "` has no method forward", tokens[k].span, "write what it computes as def forward(self, ...):");
        value = {word(std::string(object->first) + "_" + method, tokens[k])};
      }
      put(found, value);
    }
    return found;
  }

  /// The config, or the point behind it, of config.n_embd, which is a size by that name.
  bool is_setting(const Tokens& tokens, std::size_t k) const {
    const std::size_t name = tokens[k].is(".") && k > 0 ? k - 1 : k;
    const bool setting = std::find(std::begin(settings), std::end(settings), tokens[name].text) != std::end(settings);
    return setting && name + 2 < tokens.size() && tokens[name + 1].is(".") && tokens[name + 2].kind == TokenKind::name && objects_.count(tokens[name].text) == 0 && (name == 0 || !tokens[name - 1].is("."));
  }

  Tokens tokens_;
  Words& words_;
  Tokens written_;
  std::map<std::string_view, std::vector<Token>, std::less<>> lists_;  ///< of modules
  std::map<std::string_view, Class> classes_;
  std::map<std::string_view, Object, std::less<>> objects_;
};

}  // namespace

Tokens with_classes(Tokens tokens, Words& words) {
  const bool any = std::any_of(tokens.begin(), tokens.end(), [](const Token& t) { return t.is("class") || t.is("ModuleList"); });
  return any ? Classes(std::move(tokens), words).run() : tokens;  // nearly never
}

}  // namespace foldproof::expr
