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
  Tokens otherwise;      ///< its default value
  bool by_name = false;  ///< behind a star
};
struct Method {
  Token name;
  std::vector<Parameter> parameters;  ///< without self
  Tokens written;                     ///< def name(...): and its block, to the end of it
  std::size_t body = 0;               ///< where the block begins, in `written`
  std::string_view owner;             ///< the class that it is written in
  bool is_static = false;             ///< without self
};
struct Class {
  Token name;
  std::string_view base;    ///< a class of the program; empty for others
  bool is_module = false;   ///< nn.Module is among its bases, so that it is called as forward
  std::vector<Method> methods;
  std::map<std::string_view, Tokens> constants;  ///< scale = 2, beside the methods
};
struct Object {
  const Class* of;
  std::map<std::string_view, Tokens> attributes;
  std::map<const Method*, std::string_view> functions;  ///< the names of its methods as functions
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
std::size_t end_of_statement(const Tokens& tokens, std::size_t k) {
  while (k < tokens.size() && !ends_statement(tokens[k])) ++k;
  return k;
}
/// The tokens [first, end), as far as there are any.
Tokens slice(const Tokens& tokens, std::size_t first, std::size_t end) {
  end = std::min(end, tokens.size());
  first = std::min(first, end);
  return {tokens.begin() + static_cast<std::ptrdiff_t>(first), tokens.begin() + static_cast<std::ptrdiff_t>(end)};
}
Tokens in_round_brackets(Tokens value) {
  const Span span = value.front().span;
  value.insert(value.begin(), {TokenKind::symbol, "(", span});
  value.push_back({TokenKind::symbol, ")", span});
  return value;
}
/// As one operand of whatever stands around it.
Tokens in_brackets(Tokens value) { return value.size() < 2 || is_one_bracket(value) ? value : in_round_brackets(std::move(value)); }
bool is_literal(const Tokens& value) {
  const std::size_t sign = !value.empty() && value[0].is("-") ? 1 : 0;
  if (value.size() != sign + 1) return false;
  const Token& t = value[sign];
  return t.kind == TokenKind::number || (sign == 0 && (t.kind == TokenKind::text || t.is("True") || t.is("False") || t.is("None")));
}
/// The names that a, (b, c) gives values to; W[0] and self.W give none.
std::vector<Token> target_names(const Tokens& targets) {
  std::vector<Token> found;
  for (Tokens part : parts_of(targets)) {
    part = without_brackets(part);
    if (part.size() == 1 && part[0].kind == TokenKind::name) found.push_back(part[0]);
    else if (has_outside(part, ",")) for (const Token& t : target_names(part)) found.push_back(t);
  }
  return found;
}
/// Where the targets of a statement end: at its = or at the operator of its +=. 0 where it gives no value to anything.
std::size_t targets_end(const Tokens& statement) {
  const auto equals = assignment(statement);
  if (!equals) return 0;
  std::size_t end = *equals;
  while (end > 1 && statement[end - 1].kind == TokenKind::symbol && !closes(statement[end - 1])) --end;
  return end;
}

/// Gives tokens other names in the order in which they are asked for, where `other` has one.
using Renaming = std::map<std::string_view, Token>;
void rename(Tokens& tokens, std::size_t first, std::size_t end, const Renaming& other) {
  std::vector<std::size_t> places;
  for (std::size_t k = first; k < end; ++k) {
    if (is_use(tokens, k) && other.count(tokens[k].text) > 0) places.push_back(k);
  }
  for (const std::size_t k : places) tokens[k].text = other.at(tokens[k].text).text;
}

class Classes {
 public:
  Classes(Tokens tokens, Words& words) : tokens_(std::move(tokens)), words_(words) {
    for (const Token& t : tokens_) {
      if (t.kind == TokenKind::name) used_.insert(t.text);
    }
    note_bindings();
  }

  Tokens run() {
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

 private:
  // ---- what names stand for in the program

  /// Where names outside of functions and classes get values.
  void note_bindings() {
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
  void bind(const Tokens& s, std::size_t k, bool block) {
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
  bool is_class_of_program(std::string_view name) const {
    for (std::size_t k = 0; k + 1 < tokens_.size(); ++k) {
      if (tokens_[k].is("class") && tokens_[k + 1].is(name)) return true;
    }
    return false;
  }
  bool is_bound(std::string_view name) const { return bindings_.count(name) > 0; }
  bool is_bound_behind(std::string_view name, std::size_t at) const {
    const auto all = bindings_.find(name);
    return all != bindings_.end() && all->second.back() >= at;
  }
  void require_one_meaning(const Token& name) const {
    const auto all = bindings_.find(name.text);
    if (all != bindings_.end() && all->second.size() > 1) fail("parse.duplicate", describe(name) + " is a module, and stands for something else elsewhere", name.span, "give it another name");
  }

  Token word(std::string text, const Token& at) {
    words_.push_back(std::move(text));
    return {TokenKind::name, words_.back(), at.span};
  }
  /// A name that nobody uses.
  Token fresh(const std::string& text, const Token& at) {
    std::string name = text;
    while (used_.count(name) > 0) name += "_";
    const Token found = word(name, at);
    used_.insert(found.text);
    return found;
  }
  Token number(std::size_t value, const Token& at) { return {TokenKind::number, word(std::to_string(value), at).text, at.span}; }
  void end_statement(const Token& at) { written_.push_back({TokenKind::separator, "\n", at.span}); }

  // ---- names of functions, comprehensions and lambda, which must not hide what attributes stand for

  bool is_meant(std::string_view name) const {
    if (objects_.count(name) > 0 || lists_.count(name) > 0 || others_.count(name) > 0 || made_.count(name) > 0 || std::find(std::begin(settings), std::end(settings), name) != std::end(settings)) return true;
    for (const auto& [object, its] : objects_) {
      for (const auto& [attribute, value] : its.attributes) {
        if (std::any_of(value.begin(), value.end(), [&](const Token& t) { return t.kind == TokenKind::name && t.text == name; })) return true;
      }
    }
    return false;
  }
  /// Gives the indices of comprehensions and the parameters of lambda new names where they are among `meant`.
  void rename_bound(Tokens& tokens, const std::function<bool(std::string_view)>& meant) {
    Renaming own;
    const auto note = [&](const Token& name) {
      if (name.kind == TokenKind::name && meant(name.text) && own.count(name.text) == 0) own.emplace(name.text, fresh(std::string(name.text) + "_", name));
    };
    for (std::size_t k = 0; k < tokens.size(); ++k) {
      own.clear();
      if (opens(tokens[k])) {
        const std::size_t end = std::min(closing(tokens, k), tokens.size());
        std::vector<std::size_t> loops;
        for (std::size_t f = k + 1; f < end; f = opens(tokens[f]) ? closing(tokens, f) + 1 : f + 1) {
          if (tokens[f].is("for")) loops.push_back(f);
        }
        if (loops.empty()) continue;
        std::size_t first = end;  // what the first loop goes through, which is outside of the comprehension
        for (const std::size_t f : loops) {
          std::size_t in = f + 1;
          for (; in < end && !tokens[in].is("in"); ++in) note(tokens[in]);
          if (f == loops[0]) first = in;
        }
        std::size_t rest = first;
        while (rest < end && !tokens[rest].is("if") && (rest == first || !tokens[rest].is("for"))) rest = opens(tokens[rest]) ? closing(tokens, rest) + 1 : rest + 1;
        rest = std::min(rest, end);
        if (own.empty()) continue;
        rename(tokens, rest, end, own);
        rename(tokens, k + 1, std::min(first, end), own);
      } else if (tokens[k].is("lambda")) {
        std::size_t colon = k + 1;
        std::vector<std::size_t> parameters;
        for (; colon < tokens.size() && !tokens[colon].is(":"); colon = opens(tokens[colon]) ? closing(tokens, colon) + 1 : colon + 1) {
          if (colon == k + 1 || tokens[colon - 1].is(",")) parameters.push_back(colon);
        }
        for (const std::size_t p : parameters) note(tokens[p]);
        if (own.empty()) continue;
        std::size_t end = colon;
        while (end < tokens.size() && !closes(tokens[end]) && !tokens[end].is(",") && !ends_statement(tokens[end])) end = opens(tokens[end]) ? closing(tokens, end) + 1 : end + 1;
        rename(tokens, std::min(colon, tokens.size()), std::min(end, tokens.size()), own);
        for (const std::size_t p : parameters) {
          if (const auto other = own.find(tokens[p].text); other != own.end()) tokens[p].text = other->second.text;
        }
      }
    }
  }
  /// A function whose parameters and locals are no names that attributes stand for. Its block begins at `body`.
  Tokens with_own_names(Tokens t, std::size_t body) {
    Renaming own;
    const auto note = [&](const Token& name) {
      if (name.kind == TokenKind::name && is_meant(name.text) && own.count(name.text) == 0) own.emplace(name.text, fresh(std::string(name.text) + "_", name));
    };
    std::vector<std::size_t> parameters;
    for (std::size_t k = 3; k < body && t.size() > 2 && t[2].is("("); k = opens(t[k]) ? closing(t, k) + 1 : k + 1) {
      if (t[k].kind == TokenKind::name && (t[k - 1].is("(") || t[k - 1].is(",") || t[k - 1].is("*"))) parameters.push_back(k);
      if (closes(t[k])) break;
    }
    for (const std::size_t p : parameters) note(t[p]);
    for (std::size_t k = body; k < t.size(); ++k) {
      if (!begins_statement(t, k) || ends_statement(t[k])) continue;
      const Tokens s = slice(t, k, end_of_statement(t, k));
      if (s[0].is("for")) {
        for (const Token& name : target_names(slice(s, 1, place_outside(s, "in").value_or(1)))) note(name);
      } else {
        for (const Token& name : target_names(slice(s, 0, targets_end(s)))) note(name);
      }
    }
    rename(t, std::min(body, t.size()), t.size(), own);
    for (const std::size_t p : parameters) {
      if (const auto other = own.find(t[p].text); other != own.end()) t[p].text = other->second.text;
    }
    return t;
  }

  // ---- classes

  bool is_class(std::size_t k) const { return tokens_[k].is("class") && begins_statement(tokens_, k) && k + 1 < tokens_.size() && tokens_[k + 1].kind == TokenKind::name; }

  std::size_t read_class(std::size_t k) {
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
  /// scale = 2 beside the methods, which self.scale is.
  void read_constant(std::size_t& at, Class& of) const {
    const std::size_t end = end_of_statement(tokens_, at);
    const Tokens s = slice(tokens_, at, end);
    const auto equals = assignment(s);
    const bool named = equals && s[0].kind == TokenKind::name && (*equals == 1 || s[1].is(":"));
    if (s[0].is("@")) fail("parse.unexpected", "this decorator is not read", s[0].span, "write a method without it, which is called as self.f(x)");
    if (!named || !is_literal(between(s, *equals + 1))) fail("parse.unexpected", "a class is read as its methods", s[0].span, "write it into __init__, as self." + std::string(s[0].text) + " = ...");
    of.constants[s[0].text] = between(s, *equals + 1);
    at = end;
  }

  /// The method that begins at `at`, which is set behind it.
  Method read_method(std::size_t& at, const Class& of, bool is_static) const {
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

  const Class* base_of(const Class& c) const { return c.base.empty() ? nullptr : &classes_.find(c.base)->second; }
  /// The method that an object of the class has by that name.
  const Method* method_of(const Class* c, std::string_view name) const {
    for (; c != nullptr; c = base_of(*c)) {
      for (const Method& m : c->methods) {
        if (m.name.is(name)) return &m;
      }
    }
    return nullptr;
  }
  /// What an object is called as.
  const Method* call_of(const Class& c) const {
    const Method* const own = method_of(&c, "__call__");
    return own != nullptr || !c.is_module ? own : method_of(&c, "forward");
  }
  const Method* method_above(const Method& m, std::string_view name) const { return method_of(base_of(classes_.find(m.owner)->second), name); }
  std::string_view function_of(std::string_view object, Object& o, const Method& m) {
    const auto known = o.functions.find(&m);
    if (known != o.functions.end()) return known->second;
    const bool hidden = method_of(o.of, m.name.text) != &m;  // one that super() calls
    const Token name = fresh(std::string(object) + "_" + (hidden ? std::string(m.owner) + "_" : "") + std::string(m.name.text), m.name);
    return o.functions[&m] = name.text;
  }
  /// The position behind super() or super(A, self) at k; k where it is none.
  static std::size_t behind_super(const Tokens& t, std::size_t k) {
    if (!t[k].is("super") || k + 1 >= t.size() || !t[k + 1].is("(")) return k;
    const std::size_t end = closing(t, k + 1);
    return end + 2 < t.size() && t[end + 1].is(".") ? end + 1 : k;
  }

  // ---- statements outside of classes

  void statement(Tokens written) {
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
    if (appended(written, {})) return;
    refuse_attribute(written);
    if (equals && *equals == 1 && is_layer(between(written, 2))) layers_.insert(written[0].text);
    put(written_, resolved(made_apart(written)));
  }
  /// Attributes are what __init__ makes of them.
  void refuse_attribute(const Tokens& s) {
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
  static constexpr std::string_view modes[] = {"eval", "to", "cuda", "cpu", "float", "double", "requires_grad_"};
  /// model.eval()
  bool sets_mode(const Tokens& s) {
    if (s.size() < 5 || s[0].kind != TokenKind::name || (objects_.count(s[0].text) == 0 && lists_.count(s[0].text) == 0)) return false;
    const Tokens rest = without_modes(s);
    return rest.size() == 1 && method_of(objects_.count(s[0].text) > 0 ? objects_.find(s[0].text)->second.of : nullptr, s[2].text) == nullptr;
  }
  /// A(d).eval() as A(d), where A has no such methods of its own.
  Tokens without_modes(Tokens value) const {
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
  bool is_made(const Tokens& value) const { return value.size() > 2 && value[0].kind == TokenKind::name && classes_.count(value[0].text) > 0 && value[1].is("(") && closing(value, 1) + 1 == value.size(); }
  bool is_module(const Tokens& t) const { return t.size() == 1 && t[0].kind == TokenKind::name && (objects_.count(t[0].text) > 0 || lists_.count(t[0].text) > 0 || layers_.count(t[0].text) > 0); }
  /// Where the name stands in torch.nn.Linear(...), if that is all; 0 for others.
  static std::size_t layer_name(const Tokens& value) {
    std::size_t k = 0;
    while (k + 2 < value.size() && (value[k].is("torch") || value[k].is("nn")) && value[k + 1].is(".")) k += 2;
    return k > 0 && k + 2 < value.size() && value[k + 1].is("(") && is_one_bracket(between(value, k + 1)) ? k : 0;
  }
  static bool is_layer(const Tokens& value) {
    const std::size_t k = layer_name(value);
    return k > 0 && value[k].text[0] >= 'A' && value[k].text[0] <= 'Z' && !value[k].is("Parameter");
  }
  static bool is_list(const Tokens& value) {
    const std::size_t k = layer_name(value);
    return k > 0 && value[k].is("ModuleList");
  }

  // ---- lists of modules

  /// layers = nn.ModuleList([Block(d) for _ in range(2)]): each gets a name of its own.
  void make_list(const Token& name, const Tokens& value) {
    const bool plain = value[0].is("[");
    const std::vector<Token> items = items_of(name, plain ? value : inside(value, layer_name(value) + 2), value[0]);
    lists_[word(std::string(name.text), name).text] = items;
  }
  /// The modules of [a, Block(d)], [Block(d) for _ in range(2)] and of a list by its name.
  std::vector<Token> items_of(const Token& name, const Tokens& list, const Token& at) {
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
  static Tokens in_step(const Tokens& tokens, const std::vector<Token>& targets, const std::vector<Tokens>& values) {
    return replaced(tokens, [&](std::string_view name) -> const Tokens* {
      for (std::size_t t = 0; t < targets.size(); ++t) {
        if (targets[t].text == name) return &values[t];
      }
      return nullptr;
    });
  }
  /// The modules of a list by its name, of layers[:2] and of reversed(layers).
  std::optional<std::vector<Token>> modules_of(const Tokens& t) const {
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
  /// The place in a list of that length, of which there is one before it or which is its end; -1 counts from there.
  static std::optional<std::size_t> place(const Tokens& t, std::size_t length) {
    const bool behind = !t.empty() && t[0].is("-");
    const auto number = small_number(without_brackets(between(t, behind ? 1 : 0)));
    if (!number || *number > length) return std::nullopt;
    return behind ? length - *number : *number;
  }
  /// What the targets of a loop are in each step, where it goes through modules or so many numbers.
  std::optional<std::vector<std::vector<Tokens>>> steps_of(const Tokens& range, const Token& at) {
    std::vector<std::vector<Tokens>> steps;
    if (const auto modules = modules_of(range)) {
      for (const Token& m : *modules) steps.push_back({{m}});
      return steps;
    }
    if (range.size() < 4 || !range[1].is("(") || !is_one_bracket(between(range, 1))) return std::nullopt;
    const std::vector<Tokens> arguments = parts_of(inside(range, 2));
    if (range[0].is("range")) {
      const auto begin = arguments.size() == 2 ? small_number(without_brackets(arguments[0])) : std::optional<std::size_t>(0), end = small_number(without_brackets(arguments.back()));
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
  /// Whether a module of a list is chosen by that name: layers[i].
  bool chooses_module(const Tokens& body, std::string_view index) const {
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
  /// The block of `for layer in layers:` for each of them. Where that is no loop over modules, nothing.
  std::optional<Tokens> each_in_turn(const Tokens& tokens, std::size_t& at, bool in_function) {
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
        const std::size_t end_here = end_of_statement(tokens, k);
        std::size_t begin_here = k;
        while (begin_here > 0 && !ends_statement(tokens[begin_here - 1])) --begin_here;
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
  /// [head(x) for head in heads] as what each of them gives; nothing for other lists. Sets k to the bracket that closes it.
  std::optional<Tokens> listed(const Tokens& tokens, std::size_t& k) {
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
  /// self.layers.append(Block(d)), where `values` are those of the names in __init__.
  bool appended(const Tokens& s, const std::function<Tokens(const Tokens&)>& with_values) {
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
  static bool is_sequence(const Tokens& value) {
    const std::size_t k = layer_name(value);
    return k > 0 && value[k].is("Sequential");
  }
  /// net = nn.Sequential(a, nn.ReLU(), *layers), a list of modules that can be called.
  void make_sequence(const Token& name, const Tokens& value) {
    const std::size_t layer = layer_name(value);
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
  std::string_view called_as(std::string_view name, Object& object, const Token& at) {
    const Method* const call = call_of(*object.of);
    if (call == nullptr) fail("name.unknown", "`" + std::string(object.of->name.text) + (object.of->is_module ? "` has no method forward" : "` has no method __call__"), at.span, object.of->is_module ? "write what it computes as def forward(self, ...):" : "write class " + std::string(object.of->name.text) + "(nn.Module): with forward, or def __call__(self, ...):");
    return function_of(name, object, *call);
  }

  // ---- conditions that what stands there decides

  std::optional<bool> decided(const Tokens& written) const {
    const Tokens t = without_brackets(written);
    if (const auto either = place_outside(t, "or")) {
      const auto first = decided(slice(t, 0, *either)), second = decided(between(t, *either + 1));
      if ((first && *first) || (second && *second && first)) return true;
      return first && second ? std::optional<bool>(false) : std::nullopt;
    }
    if (const auto both = place_outside(t, "and")) {
      const auto first = decided(slice(t, 0, *both)), second = decided(between(t, *both + 1));
      if (first && !*first) return false;
      return first && second ? second : std::nullopt;
    }
    if (!t.empty() && t[0].is("not")) {
      const auto other = decided(between(t, 1));
      return other ? std::optional<bool>(!*other) : std::nullopt;
    }
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
  /// Whether the name may stand for None, which it is given somewhere in the program.
  bool is_none(const Token& name) const {
    const auto all = bindings_.find(name.text);
    return name.kind == TokenKind::name && all != bindings_.end() && std::any_of(all->second.begin(), all->second.end(), [&](std::size_t k) { return k + 2 < tokens_.size() && tokens_[k + 1].is("=") && tokens_[k + 2].is("None"); });
  }
  /// The value that `a if c else b` has, and `a or b`, where that is decided.
  Tokens chosen(const Tokens& value) const {
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

  // ---- objects

  /// Block(d)(x): the object gets a name of its own, before the statement.
  Tokens made_apart(const Tokens& written) {
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

  /// name = Block(d, h): what __init__ does, and its methods.
  void make(const Token& name, const Tokens& value) {
    const Class& made = classes_.find(value[0].text)->second;
    const std::size_t before = written_.size();
    std::vector<Tokens> arguments = parts_of(inside(value, 2));
    for (Tokens& a : arguments) {
      const bool named = a.size() > 2 && a[0].kind == TokenKind::name && a[1].is("=");
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

  /// What the parameters of a method get from a call.
  std::map<std::string_view, Tokens> given(const Method& method, const std::vector<Tokens>& arguments, const Token& at) const {
    std::map<std::string_view, Tokens> values;
    for (std::size_t a = 0; a < arguments.size(); ++a) {
      const Tokens& argument = arguments[a];
      if (argument.empty()) continue;
      if (argument[0].is("*") || argument[0].is("**")) fail("call.arguments", "how many arguments these are is not known", argument[0].span, "write them one by one");
      const bool named = argument.size() > 2 && argument[0].kind == TokenKind::name && argument[1].is("=");
      const auto p = std::find_if(method.parameters.begin(), method.parameters.end(), [&](const Parameter& x) { return named ? x.name.text == argument[0].text : !x.by_name && &x - method.parameters.data() == static_cast<std::ptrdiff_t>(a); });
      if (p == method.parameters.end() || !values.emplace(p->name.text, in_brackets(between(argument, named ? 2 : 0))).second) fail("call.arguments", "`" + std::string(method.name.text) + "` has no parameter for this", argument[0].span, "it has " + std::to_string(method.parameters.size()));
    }
    for (const Parameter& p : method.parameters) {
      if (!p.otherwise.empty()) values.emplace(p.name.text, in_brackets(p.otherwise));
      if (values.count(p.name.text) == 0) fail("call.arguments", describe(p.name) + " has no value here", at.span, "give it one");
    }
    return values;
  }

  /// __init__ of one class, for the object of that name.
  struct Initial {
    const Token& name;
    Object& object;
    const Method& method;
    std::map<std::string_view, Tokens> values;  ///< of its parameters and locals
  };
  void initialize(const Token& name, Object& object, const Method& init, const std::vector<Tokens>& arguments) {
    Initial initial{name, object, init, given(init, arguments, name)};
    for (const Parameter& p : init.parameters) {  // what is computed once, whether it is needed or not
      Tokens& value = initial.values.at(p.name.text);
      const bool computed = std::any_of(value.begin(), value.end(), [&](const Token& t) { return t.is("@") || t.is("[") || t.is(".") || (t.is("(") && &t > value.data() && (&t)[-1].kind == TokenKind::name); });
      if (computed && !is_setting(value, 0)) value = kept(name, p.name, without_brackets(value));
    }
    initialize(initial, slice(init.written, init.body + 1, init.written.size() - 1));
  }
  Tokens with_values(const Initial& i, Tokens t) {
    rename_bound(t, [&](std::string_view name) { return i.values.count(name) > 0 || is_meant(name); });
    Tokens found;
    for (std::size_t k = 0; k < t.size(); ++k) {
      const auto value = is_use(t, k) ? i.values.find(t[k].text) : i.values.end();
      if (value != i.values.end()) put(found, value->second);
      else found.push_back(t[k].is("self") && is_use(t, k) ? Token{TokenKind::name, i.name.text, t[k].span} : t[k]);
    }
    return found;
  }
  /// What the statements do, in their order.
  void initialize(Initial& i, const Tokens& t) {
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
  /// The case of if, elif and else that is meant; the position behind them.
  std::size_t initialize_cases(Initial& i, const Tokens& t, std::size_t k) {
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
  /// if d % h != 0: raise ...
  void assert_opposite(const Tokens& condition, const Token& at) {
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
  void initialize_statement(Initial& i, const Tokens& s) {
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
      if (parts.size() > 1 && parts[0].size() == 1 && parts[0][0].text.size() > 2) return set(i, {TokenKind::name, parts[0][0].text.substr(1, parts[0][0].text.size() - 2), parts[0][0].span}, value_in(i, parts[1]));
    }
    if (appended(s, [&](const Tokens& t) { return with_values(i, t); })) return;
    const auto equals = assignment(s);
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
  /// Refuses lambda y: y @ W where W or self.W gets several values in __init__: Python looks at what it is when the function is called.
  static void require_lasting(const Initial& i, const Tokens& written) {
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
  Tokens value_in(const Initial& i, const Tokens& written) {
    const Tokens value = without_modes(chosen(resolved(with_values(i, written))));
    const bool condition = value.size() > 1 && !has_outside(value, "and") && !has_outside(value, "or") && (has_outside(value, "is") || has_outside(value, "not") || has_outside(value, "=="));
    const auto known = condition ? decided(value) : std::nullopt;
    return known ? Tokens{{TokenKind::name, *known ? "True" : "False", value[0].span}} : value;
  }
  /// b_fc.weight for self.fc.weight, which alone is given a value.
  Tokens resolved_weight(const Tokens& target, const Token& at) {
    const Tokens found = resolved(target);
    const bool data = found.size() == 5 && found[3].is(".") && found[4].is("data");
    const bool weight = (found.size() == 3 || data) && found[0].kind == TokenKind::name && found[1].is(".") && (found[2].is("weight") || found[2].is("bias"));
    if (!weight) fail("parse.unexpected", "this statement of __init__ is not read", at.span, "write self.name = ...");
    return found;
  }

  /// Whether the value is made of names and numbers alone, as sizes are, and may stand where it is used.
  bool is_plain(const Tokens& value) const {
    static constexpr std::string_view operators[] = {"+", "-", "*", "/", "%", "(", ")"};
    if (value.size() == 1 && value[0].kind == TokenKind::text) return true;
    for (std::size_t k = 0; k < value.size(); ++k) {
      const bool name = value[k].kind == TokenKind::name && (k + 1 == value.size() || (!value[k + 1].is("(") && !value[k + 1].is(".")));
      const bool symbol = value[k].kind == TokenKind::symbol && std::any_of(std::begin(operators), std::end(operators), [&](std::string_view o) { return value[k].text.find_first_not_of(o) == std::string_view::npos; });
      if (!name && !symbol && value[k].kind != TokenKind::number) return false;
      if (value[k].is("if") || value[k].is("or") || value[k].is("else") || value[k].is("lambda")) return false;
      if (name && is_bound_behind(value[k].text, at_)) return false;  // which is another one then
    }
    return true;
  }
  Token define(const Token& object, const Token& attribute, const Tokens& value) {
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
  /// The value as what stands where it is used: itself, or a name for it.
  Tokens kept(const Token& name, const Token& attribute, const Tokens& value) {
    if (value.size() > 1 && value[0].is("[") && is_one_bracket(value) && holds_modules(inside(value, 1))) {  // layers = []
      const Token own = fresh(std::string(name.text) + "_" + std::string(attribute.text), attribute);
      lists_[own.text] = items_of(own, value, attribute);
      return {own};
    }
    return is_function(value) ? value : is_plain(value) ? in_brackets(value) : Tokens{define(name, attribute, value)};
  }
  /// F.relu, which is called by another name then.
  static bool is_function(const Tokens& value) {
    static constexpr std::string_view modules[] = {"F", "torch", "np", "numpy", "math"};
    bool dotted = value.size() > 2 && value.size() % 2 == 1 && std::find(std::begin(modules), std::end(modules), value[0].text) != std::end(modules);
    for (std::size_t k = 1; k < value.size(); ++k) dotted = dotted && (k % 2 == 1 ? value[k].is(".") : value[k].kind == TokenKind::name);
    return dotted;
  }
  bool holds_modules(const Tokens& items) const {
    for (const Tokens& item : parts_of(items)) {
      const auto loop = place_outside(item, "for");
      const Tokens one = loop ? slice(item, 0, *loop) : item;
      if (!one.empty() && !is_made(one) && !is_layer(one)) return false;
    }
    return true;
  }
  void set(Initial& i, const Token& attribute, const Tokens& value) {
    const Tokens stands = kept(i.name, attribute, value);
    i.object.attributes[attribute.text] = stands;
  }

  /// The methods of objects of the class, but __init__ and those that nothing calls; first those that others call.
  std::vector<const Method*> needed(const Class& of) const {
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
  /// Whether a method is called by its name, outside of itself.
  bool is_asked_for(const Method& m) const {
    for (std::size_t k = 1; k < tokens_.size(); ++k) {
      const bool itself = tokens_[k].span.begin >= m.written.front().span.begin && tokens_[k].span.begin < m.written.back().span.begin;
      if (!itself && tokens_[k].is(m.name.text) && tokens_[k - 1].is(".")) return true;
    }
    return false;
  }

  /// def block_forward(x): ... of def forward(self, x): ..., whose own names are no names that attributes stand for.
  Tokens as_function(const Method& method, const Token& object, Object& of) {
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

  /// block.q as what it is, block(x) as block_forward(x), block.attend(x) as block_attend(x).
  Tokens resolved(Tokens tokens, bool in_function = false) {
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

  /// The config, or the point behind it, of config.n_embd, which is a size by that name.
  bool is_setting(const Tokens& tokens, std::size_t k) const {
    const std::size_t name = tokens[k].is(".") && k > 0 ? k - 1 : k;
    const bool setting = std::find(std::begin(settings), std::end(settings), tokens[name].text) != std::end(settings) && !is_bound(tokens[name].text);
    return setting && name + 2 < tokens.size() && tokens[name + 1].is(".") && tokens[name + 2].kind == TokenKind::name && objects_.count(tokens[name].text) == 0 && (name == 0 || !tokens[name - 1].is("."));
  }

  /// Whether nn.Sequential( stands before the name there, in its statement.
  bool in_sequence(std::size_t k) const {
    while (k > 0 && !ends_statement(written_[k - 1]) && !closes(written_[k - 1]) && !written_[k].is("(")) --k;
    return k > 0 && written_[k].is("(") && written_[k - 1].is("Sequential");
  }
  /// A module is called, and is no tensor.
  void require_values() const {
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

  Tokens tokens_;
  Words& words_;
  Tokens written_;
  std::size_t at_ = 0;                 ///< behind the statement that is read
  std::set<std::string_view> used_;    ///< names of the program, and those made here
  std::map<std::string_view, std::vector<std::size_t>> bindings_;  ///< where names outside of functions get values, in their order
  std::set<std::string_view> made_;  ///< names outside of functions that stand for modules, also below
  std::map<std::string_view, std::vector<Token>> lists_;           ///< of modules
  std::map<std::string_view, Class> classes_;
  std::map<std::string_view, Object> objects_;
  std::set<std::string_view> sequences_;      ///< lists of modules that can be called
  std::set<std::string_view> layers_;         ///< names of nn.Linear(...) and the like
  std::map<std::string_view, Token> others_;  ///< names for objects and lists that have one already
};

}  // namespace

Tokens with_classes(Tokens tokens, Words& words) {
  const bool any = std::any_of(tokens.begin(), tokens.end(), [](const Token& t) { return t.is("class") || t.is("ModuleList") || t.is("Sequential"); });
  return any ? Classes(std::move(tokens), words).run() : tokens;  // nearly never
}

}  // namespace foldproof::expr
