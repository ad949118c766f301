// SPDX-License-Identifier: MIT
#include "program/simple_statements.hpp"

#include <algorithm>
#include <map>

#include "expr/diagnostic.hpp"
#include "program/library_names.hpp"

namespace foldproof::program {
namespace {

/// The names of a = b = value, up to the value; empty where something else stands there.
Tokens several_targets(const Tokens& statement) {
  Tokens targets;
  for (std::size_t k = 0; k + 1 < statement.size() && statement[k].kind == TokenKind::name && statement[k + 1].is("="); k += 2) targets.push_back(statement[k]);
  return targets.size() > 1 ? targets : Tokens{};
}

/// n: int = 2 as n = 2, where the type says nothing that the value does not; X: [n, d] is a declaration.
Tokens without_annotation(const Tokens& statement) {
  const bool annotated = statement.size() > 4 && statement[0].kind == TokenKind::name && !is_reserved(statement[0].text) && statement[1].is(":") && statement[2].kind == TokenKind::name && !statement[0].is("else");
  const auto equals = annotated ? place_outside(statement, "=") : std::nullopt;
  if (!equals || *equals < 3) return statement;
  Tokens plain{statement[0]};
  put(plain, slice(statement, *equals, statement.size()));
  return plain;
}

/// torch.tensor([True, False]) as (torch.tensor([1, 0]) == 1).
Tokens with_truth_as_comparison(const Tokens& statement) {
  static constexpr std::string_view arrays[] = {"tensor", "array", "asarray"};
  Tokens found;
  for (std::size_t k = 0; k < statement.size(); ++k) {
    const bool array = k + 4 < statement.size() && is_module(statement[k].text) && statement[k + 1].is(".") && is_among(statement[k + 2].text, arrays) && statement[k + 3].is("(") && statement[k + 4].is("[");
    const std::size_t end = array ? closing(statement, k + 3) : k, list = array ? closing(statement, k + 4) : k;
    const Tokens rest = array ? slice(statement, list + 1, end) : Tokens{};
    const auto is_part = [](const Token& t) { return t.is("[") || t.is("]") || t.is(",") || t.is("True") || t.is("False"); };
    const bool plain = rest.empty() || (rest.size() > 3 && rest[1].is("dtype") && (rest.back().is("bool") || rest.back().is("bool_")));
    const Tokens items = array ? slice(statement, k + 4, list + 1) : Tokens{};
    if (!array || end >= statement.size() || items.size() < 3 || !plain || !std::all_of(items.begin(), items.end(), is_part)) {
      found.push_back(statement[k]);
      continue;
    }
    const Span at = statement[k].span;
    found.push_back({TokenKind::symbol, "(", at});
    put(found, slice(statement, k, k + 4));
    for (const Token& t : items) found.push_back(t.is("True") || t.is("False") ? Token{TokenKind::number, t.is("True") ? "1" : "0", t.span} : t);
    put(found, {{TokenKind::symbol, ")", at}, {TokenKind::symbol, "==", at}, {TokenKind::number, "1", at}, {TokenKind::symbol, ")", at}});
    k = end;
  }
  return found;
}

/// if a <= b < c: as if a <= b and b < c:, where b has no effect of its own.
Tokens with_single_comparisons(Tokens statement) {
  static constexpr std::string_view orders[] = {"<", "<=", ">", ">="};
  const bool condition = statement.size() > 6 && (statement[0].is("if") || statement[0].is("elif")) && statement.back().is(":");
  std::vector<std::size_t> found;
  for (std::size_t k = 1; condition && k < statement.size(); ++k) {
    if (statement[k].is("and") || statement[k].is("or") || statement[k].is("not") || statement[k].is("if") || statement[k].is("lambda")) return statement;
    if (is_among(statement[k].text, orders) && open_brackets(statement, k).empty()) found.push_back(k);
  }
  if (found.size() != 2) return statement;
  Tokens plain = slice(statement, 0, found[1]);
  plain.push_back({TokenKind::name, "and", statement[found[1]].span});
  put(plain, slice(statement, found[0] + 1, found[1]));
  put(plain, slice(statement, found[1], statement.size()));
  return plain;
}

/// m, _ = torch.max(x, dim=-1) as m = torch.max(x, dim=-1).values. Errors: `name.unknown` where the program reads the places, `call.arguments` where NumPy's
/// function, which gives no places, may be meant.
Tokens with_values_only(Tokens statement, const Tokens& program) {
  const bool two = statement.size() > 8 && statement[0].kind == TokenKind::name && statement[1].is(",") && statement[2].kind == TokenKind::name && statement[3].is("=") && statement.back().is(")");
  if (!two) return statement;
  std::size_t open = 4;
  while (open < statement.size() && !(statement[open].is("(") && closing(statement, open) + 1 == statement.size() && open_brackets(statement, open).empty())) ++open;
  if (open >= statement.size() || open < 6 || !statement[open - 2].is(".") || (!statement[open - 1].is("max") && !statement[open - 1].is("min"))) return statement;
  const auto given = parts_of(slice(statement, open + 1, statement.size() - 1));
  if (given.empty() || given.back().empty()) return statement;
  const Token& of = statement[open - 3];
  const bool of_torch = of.is("torch"), dim = std::any_of(given.begin(), given.end(), [](const Tokens& part) { return part.size() > 2 && part[0].is("dim") && part[1].is("="); });
  const bool by_place = given.size() == (of_torch ? 2u : 1u) && small_number(given.back()[0].is("-") ? slice(given.back(), 1, given.back().size()) : given.back());
  if ((!dim && !by_place) || (is_module(of.text) && !of_torch)) return statement;
  const auto mentions = [&](std::string_view module) { return std::any_of(program.begin(), program.end(), [&](const Token& t) { return t.is(module); }); };
  const bool torch = mentions("torch"), numpy = mentions("np") || mentions("numpy") || mentions("jnp");
  if (!of_torch && !dim && numpy && !torch) return statement;
  const Span span{statement[4].span.begin, statement.back().span.end};
  if (!of_torch && !dim && (numpy || !torch)) fail("call.arguments", "in PyTorch this gives the values and their places, in NumPy an array", span, "say which: x.max(dim=1), or x.max(axis=1)");
  const auto uses = std::count_if(program.begin(), program.end(), [&](const Token& t) { return t.is(statement[2].text); });
  if (uses > 1 && !statement[2].is("_")) fail("name.unknown", "the language does not look for places", statement[2].span, "write m, _ = ... where only the values are read");
  Tokens plain{statement[0]};
  put(plain, slice(statement, 3, statement.size()));
  put(plain, {{TokenKind::symbol, ".", statement.back().span}, {TokenKind::name, "values", statement.back().span}});
  return plain;
}

/// q, k = (torch.randn(n, d) for _ in range(2)) with the list of these: all of them are taken, one after the other.
Tokens with_list_for_generator(Tokens statement) {
  const auto equals = assignment(statement);
  if (!equals || !has_outside(slice(statement, 0, *equals), ",")) return statement;
  const Tokens value = between(statement, *equals + 1);
  const Tokens content = is_one_bracket(value) && value[0].is("(") ? inside(value, 1) : Tokens{};
  const auto in = place_outside(content, "in");
  if (!in || !has_outside(content, "for") || *in + 1 >= content.size() || !content[*in + 1].is("range")) return statement;
  statement[*equals + 1].text = "[";
  statement.back().text = "]";
  return statement;
}

/// Whether nothing changes the value in place, so that each name may have it for its own: a number, a word, a function.
bool is_constant(const Tokens& value) {
  const std::size_t sign = !value.empty() && value[0].is("-") ? 1 : 0;
  const bool one = value.size() == sign + 1, word = one && (value[sign].kind == TokenKind::text || value[sign].is("True") || value[sign].is("False") || value[sign].is("None"));
  return (one && value[sign].kind == TokenKind::number) || word || (!value.empty() && value[0].is("lambda"));
}

/// 'cuda', torch.device('cuda') and "cuda" if torch.cuda.is_available() else "cpu": where numbers are stored. The first of its words; nothing for others.
std::optional<Token> device(Tokens value) {
  const auto begins = [&](std::initializer_list<std::string_view> words) { return value.size() > words.size() && std::equal(words.begin(), words.end(), value.begin(), [](std::string_view word, const Token& t) { return t.is(word); }); };
  if (begins({"torch", ".", "device", "("}) && is_one_bracket(between(value, 3))) value = inside(value, 4);
  const bool one = value.size() == 1, either = value.size() == 11 && text_of(slice(value, 1, 10)) == "if torch . cuda . is_available ( ) else" && is_device(value[10]);
  return !value.empty() && is_device(value[0]) && (one || either) ? std::optional(value[0]) : std::nullopt;
}

/// assert x.shape == (n, d) and y == z as assert x.shape == (n, d), then assert y == z. Of two claims the assert stays one.
Tokens with_single_asserts(Tokens tokens) {
  if (std::none_of(tokens.begin(), tokens.end(), [](const Token& t) { return t.is("assert"); })) return tokens;
  Tokens found;
  each_statement(tokens, [&](const Tokens& statement, std::size_t end) {
    Tokens rest = slice(statement, 0, place_outside(statement, ",").value_or(statement.size()));  // what is told where it fails says nothing
    const auto stands = [&](std::string_view word) { return has_outside(rest, word); };
    const bool several = !statement.empty() && statement[0].is("assert") && stands("and") && !stands("or") && !stands("not") && !stands("if") && !stands("lambda");
    bool any = false;
    for (auto place = several ? place_outside(rest, "and") : std::nullopt; place; place = place_outside(rest, "and")) {
      const Tokens first = slice(rest, 0, *place);
      if (std::none_of(first.begin(), first.end(), [](const Token& t) { return t.is("shape") || t.is("ndim"); })) break;
      any = true;
      put(found, first);
      found.push_back({TokenKind::separator, "\n", rest[*place].span});
      Tokens next{statement[0]};
      put(next, between(rest, *place + 1));
      rest = std::move(next);
    }
    put(found, any ? rest : statement);
    if (end < tokens.size()) found.push_back(tokens[end]);
  });
  return found;
}

/// fs = [lambda x, W=W: x @ W for W in Ws] as fs = [] and a loop that appends each. The names of the loop are no others then.
Tokens with_appended_functions(const Tokens& tokens, Words& words) {
  const auto makes_list = [](const Tokens& s) { return s.size() > 8 && s[0].kind == TokenKind::name && s[1].is("=") && s[2].is("[") && s[3].is("lambda") && closing(s, 2) + 1 == s.size(); };
  Tokens found;
  each_statement(tokens, [&](const Tokens& s, std::size_t end) {
    const Tokens content = makes_list(s) ? inside(s, 3) : Tokens{};
    const auto loop = place_outside(content, "for"), in = place_outside(content, "in");
    const bool one = loop && in && *loop < *in && !has_outside(slice(content, *loop + 1, content.size()), "for") && !has_outside(content, "if");
    if (one) {
      std::map<std::string_view, Tokens> own;
      for (const Token& name : target_names(slice(content, *loop + 1, *in))) own[name.text] = {numbered(name, tokens, words)};
      const Tokens function = slice(content, 0, *loop);
      const std::size_t colon = place_outside(function, ":").value_or(0);
      std::vector<Tokens> parameters;
      std::map<std::string_view, Tokens> outside = own;  // what the function reads of the loop
      for (const Tokens& p : parts_of(slice(function, 1, colon))) {
        parameters.push_back(is_by_name(p) ? slice(p, 0, 2) : p);
        if (is_by_name(p)) put(parameters.back(), replaced(between(p, 2), own));
      }
      for (const Tokens& p : parameters) {
        if (!p.empty()) own.erase(p[0].text);
      }
      put(found, {s[0], s[1], s[2], s.back(), {TokenKind::separator, "\n", s[0].span}, content[*loop]});
      for (const Token& t : slice(content, *loop + 1, *in)) put(found, outside.count(t.text) > 0 ? outside.at(t.text) : Tokens{t});
      put(found, slice(content, *in, content.size()));
      put(found, {symbol(":", s[0]), {TokenKind::block_begin, "", s[0].span}, s[0], symbol(".", s[0]), word("append", s[0]), symbol("(", s[0])});
      found.push_back(function[0]);
      put(found, with_commas(parameters, s[0]));
      put(found, replaced(between(function, colon), own));
      put(found, {symbol(")", s[0]), {TokenKind::separator, "\n", s[0].span}, {TokenKind::block_end, "", s[0].span}});
    } else {
      put(found, s);
    }
    if (end < tokens.size()) found.push_back(tokens[end]);
  });
  return found;
}

/// fs[1](x) as f(x) for f = lambda x: ..., behind fs = [lambda x: ..., lambda x: ...] that nothing changes.
Tokens with_functions_at_places(const Tokens& tokens, Words& words) {
  std::map<std::string_view, std::vector<Tokens>> lists;
  each_statement(tokens, [&](const Tokens& s, std::size_t) {
    const bool list = s.size() > 6 && s[0].kind == TokenKind::name && s[1].is("=") && s[2].is("[") && s[3].is("lambda") && closing(s, 2) + 1 == s.size() && !has_outside(inside(s, 3), "for");
    if (list) lists[s[0].text];
  });
  if (lists.empty()) return tokens;
  const auto given = values_given(tokens);
  const auto is_read = [&](std::size_t k) {  // and nothing else is done with it: fs.append(...), fs[0] = ..., gs = fs
    const bool defines = begins_statement(tokens, k) && tokens[k + 1].is("="), called = k + 4 < tokens.size() && tokens[k + 1].is("[") && tokens[k + 3].is("]") && tokens[k + 4].is("(");
    const bool counted = k > 1 && tokens[k - 1].is("(") && (tokens[k - 2].is("len") || tokens[k - 2].is("enumerate") || tokens[k - 2].is("zip") || tokens[k - 2].is("reversed"));
    return defines || called || counted || (k > 0 && tokens[k - 1].is("in"));
  };
  std::erase_if(lists, [&](const auto& list) {
    bool read = given.at(list.first) == 1;
    for (std::size_t k = 0; k + 1 < tokens.size(); ++k) read = read && (!tokens[k].is(list.first) || is_read(k));
    return !read;
  });
  Tokens found;
  each_statement(tokens, [&](const Tokens& s, std::size_t end) {
    const auto defined = s.size() > 3 && s[1].is("=") ? lists.find(s[0].text) : lists.end();
    std::vector<Tokens> functions;
    if (defined != lists.end() && s[2].is("[")) {
      for (const Tokens& part : parts_of(inside(s, 3))) {  // a comma may stand between parameters
        const bool begins = !part.empty() && part[0].is("lambda");
        if (begins || functions.empty()) functions.push_back(part);
        else functions.back() = with_commas({functions.back(), part}, s[0]);
      }
      put(found, s);
      for (const Tokens& f : functions) {
        const Token name = numbered(s[0], [&](std::string_view n) { return std::any_of(words.begin(), words.end(), [&](const std::string& w) { return w == n; }) || names(tokens, n); }, words);
        defined->second.push_back({name});
        put(found, {{TokenKind::separator, "\n", s[0].span}, name, s[1]});
        put(found, f);
      }
    } else {
      for (std::size_t k = 0; k < s.size(); ++k) {
        const auto list = is_use(s, k) && k + 4 < s.size() && s[k + 1].is("[") && s[k + 3].is("]") && s[k + 4].is("(") ? lists.find(s[k].text) : lists.end();
        const auto place = list != lists.end() ? small_number({s[k + 2]}) : std::nullopt;
        if (!place || *place >= list->second.size()) {
          found.push_back(s[k]);
          continue;
        }
        put(found, list->second[*place]);
        k += 3;
      }
    }
    if (end < tokens.size()) found.push_back(tokens[end]);
  });
  return found;
}

}  // namespace

Tokens with_single_targets(Tokens tokens, Words& words) {
  tokens = with_single_asserts(std::move(tokens));
  const bool functions = std::any_of(tokens.begin(), tokens.end(), [](const Token& t) { return t.is("lambda"); });
  if (functions) tokens = with_functions_at_places(with_appended_functions(tokens, words), words);
  Tokens found;
  each_statement(tokens, [&](Tokens statement, std::size_t end) {
    statement = with_list_for_generator(with_values_only(with_single_comparisons(std::move(statement)), tokens));
    if (const auto word = statement.size() > 2 && statement[1].is("=") ? device(between(statement, 2)) : std::nullopt) statement = {statement[0], statement[1], *word};
    statement = with_truth_as_comparison(without_annotation(statement));
    const Tokens targets = several_targets(statement), value = slice(statement, 2 * targets.size(), statement.size());
    if (targets.empty()) put(found, statement);
    for (std::size_t t = 0; t < targets.size(); ++t) {
      if (t > 0) found.push_back({TokenKind::separator, "\n", targets[t].span});
      put(found, {targets[t], statement[1]});
      put(found, t == 0 || is_constant(value) ? value : Tokens{targets[0]});
    }
    if (end < tokens.size()) found.push_back(tokens[end]);
  });
  return found;
}

}  // namespace foldproof::program
