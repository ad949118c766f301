// SPDX-License-Identifier: MIT
#include "program/data_classes.hpp"

#include <algorithm>

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

}  // namespace

Tokens with_data_classes(const Tokens& tokens) {
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
