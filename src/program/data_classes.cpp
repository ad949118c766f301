// SPDX-License-Identifier: MIT
#include "program/data_classes.hpp"

#include <algorithm>
#include <set>

#include "expr/diagnostic.hpp"
#include "program/language.hpp"

namespace foldproof::program {
namespace {

/// d: int = 4 of a dataclass.
struct Field {
  Token name;
  Tokens otherwise;
};

/// @dataclass, @dataclasses.dataclass, and with arguments behind it that change nothing of what __init__ does.
bool decorates(const Tokens& statement) {
  const std::size_t name = statement.size() > 3 && statement[1].is("dataclasses") ? 3 : 1;
  if (statement.size() <= name || !statement[0].is("@") || !statement[name].is("dataclass")) return false;
  const Tokens arguments = between(statement, name + 1);
  if (arguments.empty()) return true;
  for (const Tokens& argument : parts_of(inside(arguments, 1))) {
    static constexpr std::string_view known[] = {"frozen", "eq", "order", "repr", "slots", "unsafe_hash"};
    if (!argument.empty() && !is_among(argument[0].text, known)) fail("parse.unexpected", describe(argument[0]) + " of a dataclass is not read", argument[0].span, "write its __init__");
  }
  return true;
}

/// The field that the statement in a dataclass declares; nothing for other statements.
std::optional<Field> field(const Tokens& s, const std::vector<Field>& before) {
  static constexpr std::string_view others[] = {"ClassVar", "InitVar", "KW_ONLY"};
  if (s.size() < 3 || s[0].kind != TokenKind::name || !s[1].is(":") || is_reserved(s[0].text)) return std::nullopt;
  const auto equals = assignment(s);
  const Tokens type = slice(s, 2, equals.value_or(s.size())), value = equals ? between(s, *equals + 1) : Tokens{};
  const auto is_other = [&](const Token& t) { return is_among(t.text, others); };
  const auto is_field = [&](const Token& t) { return t.is("field") || std::any_of(before.begin(), before.end(), [&](const Field& f) { return f.name.is(t.text); }); };
  const bool list = !value.empty() && (value[0].is("[") || value[0].is("{"));
  if (std::any_of(type.begin(), type.end(), is_other) || std::any_of(value.begin(), value.end(), is_field) || list) fail("parse.unexpected", "this field of a dataclass is not read", s[0].span, "give it a number, or write the __init__ of the class");
  if (std::any_of(before.begin(), before.end(), [&](const Field& f) { return f.name.is(s[0].text); })) fail("parse.duplicate", describe(s[0]) + " is a field already", s[0].span, "leave one of them out");
  if (value.empty() && !before.empty() && !before.back().otherwise.empty()) fail("parse.unexpected", "a field without a default value stands behind one that has one", s[0].span, "write it first, as Python asks");
  return Field{s[0], value};
}

/// def __init__(self, d=4): self.d = d
Tokens initialized(const std::vector<Field>& fields, const Token& at) {
  Tokens found{word("def", at), word("__init__", at), symbol("(", at), word("self", at)}, body;
  for (const Field& f : fields) {
    put(found, {symbol(",", at), f.name});
    if (!f.otherwise.empty()) found.push_back(symbol("=", at));
    put(found, f.otherwise);
    put(body, {word("self", at), symbol(".", at), f.name, symbol("=", at), f.name, {TokenKind::separator, "\n", at.span}});
  }
  put(found, {symbol(")", at), symbol(":", at), {TokenKind::block_begin, {}, at.span}});
  put(found, body);
  put(found, {{TokenKind::block_end, {}, at.span}, {TokenKind::separator, "\n", at.span}});
  return found;
}

/// The class from its name on, up to the end of its block.
Tokens written_out(const Tokens& written) {
  const std::size_t header = end_of_statement(written, 0);
  if (header > 3 && !(written[2].is("(") && written[3].is(")"))) fail("parse.unexpected", "a dataclass that is made of another class is not read", written[1].span, "write all fields into it");
  std::vector<Field> fields;
  Tokens rest;
  for (std::size_t k = header + 1; k + 1 < written.size();) {
    const std::size_t end = end_of_statement(written, k), behind = behind_statement(written, k);
    if (const auto one = behind == end ? field(slice(written, k, end), fields) : std::nullopt) fields.push_back(*one);
    else put(rest, slice(written, k, behind));
    if (behind + 1 < written.size()) rest.push_back(written[behind]);
    k = behind + 1;
  }
  if (fields.empty()) fail("parse.unexpected", "this dataclass has no fields", written[1].span, "write d: int = 4");
  Tokens found = slice(written, 0, header + 1);
  put(found, initialized(fields, written[1]));
  put(found, rest);
  found.push_back(written.back());
  return found;
}

constexpr std::string_view property_mark = "@property";  // stands before the method

/// @property, or @cached_property, before a method.
bool is_property(const Tokens& t, std::size_t k) {
  const std::size_t end = begins_statement(t, k) && t[k].is("@") ? end_of_statement(t, k) : k;
  if (end < k + 2 || end + 2 >= t.size() || !t[end + 1].is("def")) return false;
  return end == k + 2 ? t[k + 1].is("property") || t[k + 1].is("cached_property") : end == k + 4 && t[k + 1].is("functools") && t[k + 3].is("cached_property");
}

/// c.dh as c.dh(), where a class has a property of that name. Errors: `parse.unexpected` where something else is called that, too.
Tokens with_properties(const Tokens& tokens) {
  static constexpr std::string_view of_arrays[] = {"T", "mT", "shape", "size", "ndim", "dtype", "device", "data", "weight", "bias"};
  if (std::none_of(tokens.begin(), tokens.end(), [](const Token& t) { return t.is("property") || t.is("cached_property"); })) return tokens;  // nearly always
  std::set<std::string_view> properties;
  Tokens rest, found;
  for (std::size_t k = 0; k < tokens.size(); ++k) {
    if (!is_property(tokens, k)) {
      rest.push_back(tokens[k]);
      continue;
    }
    k = end_of_statement(tokens, k);
    const Token& name = tokens[k + 2];
    if (is_among(name.text, of_arrays)) fail("parse.unexpected", "a property that is called as what arrays have is not read", name.span, "write a method of another name");
    properties.insert(name.text);
    rest.push_back({TokenKind::symbol, property_mark, tokens[k + 1].span});
  }
  for (std::size_t k = 0; k < rest.size(); ++k) {
    const bool known = rest[k].kind == TokenKind::name && properties.count(rest[k].text) > 0;
    const bool is_method = known && k > 0 && rest[k - 1].is("def"), marked = is_method && k > 1 && rest[k - 2].text == property_mark;
    if ((is_method && !marked) || (known && k + 1 < rest.size() && rest[k + 1].is("=") && k > 0 && rest[k - 1].is("."))) fail("parse.unexpected", describe(rest[k]) + " is a property of a class, and something else", rest[k].span, "give one of them another name");
    if (rest[k].text != property_mark) found.push_back(rest[k]);
    if (known && k > 0 && rest[k - 1].is(".")) put(found, {symbol("(", rest[k]), symbol(")", rest[k])});
  }
  return found;
}

}  // namespace

Tokens with_data_classes(const Tokens& written) {
  const Tokens tokens = with_properties(written);
  Tokens found;
  for (std::size_t k = 0; k < tokens.size(); ++k) {
    const std::size_t end = begins_statement(tokens, k) && tokens[k].is("@") ? end_of_statement(tokens, k) : k;
    if (end == k || end + 1 >= tokens.size() || !tokens[end + 1].is("class") || !decorates(slice(tokens, k, end))) {
      found.push_back(tokens[k]);
      continue;
    }
    const std::size_t behind = behind_statement(tokens, end + 1);
    put(found, written_out(slice(tokens, end + 1, behind)));
    k = behind - 1;
  }
  return found;
}

}  // namespace foldproof::program
