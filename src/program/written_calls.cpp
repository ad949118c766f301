// SPDX-License-Identifier: MIT
#include "program/written_calls.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace foldproof::program {
namespace {

constexpr std::size_t most_calls = 100;

class WrittenCalls {
 public:
  WrittenCalls(const Tokens& tokens, Words& words) : tokens_(tokens), words_(words) {
    for (const Token& t : tokens) {
      if (t.kind == TokenKind::name) taken_.emplace(t.text);
    }
  }

  std::optional<Tokens> run() {
    Tokens rest;
    int depth = 0;
    for (std::size_t k = 0; k < tokens_.size(); ++k) {
      const std::size_t end = depth == 0 && tokens_[k].is("def") ? note_function(k) : k;
      if (end > k) {
        k = end - 1;
        continue;
      }
      depth += step_into_block(tokens_[k]);
      rest.push_back(tokens_[k]);
    }
    if (functions_.empty()) return std::nullopt;
    write(rest);
    return calls_ > 0 && calls_ <= most_calls ? std::optional(std::move(written_)) : std::nullopt;
  }

 private:
  struct Parameter {
    std::string_view name;
    Tokens otherwise;
  };
  struct Function {
    std::vector<Parameter> parameters;
    Tokens body, result;  ///< its statements, each with its end, and what it returns
    std::set<std::string_view> locals, assigned;  ///< names that it gives a value to, in comprehensions, too; those of statements
  };

  /// Notes the function that begins there, if all that it gives is given in its last statement. Behind it then.
  std::size_t note_function(std::size_t k) {
    const std::size_t header = end_of_statement(tokens_, k);
    if (k + 2 >= header || header >= tokens_.size() || tokens_[header].kind != TokenKind::block_begin || !tokens_[k + 2].is("(")) return k;
    const std::string_view name = tokens_[k + 1].text;
    const std::size_t end = behind_block(tokens_, header), open = k + 2, close = closing(tokens_, open);
    Function f;
    for (const Tokens& parameter : parts_of(slice(tokens_, open + 1, close))) {
      if (parameter.empty()) continue;
      const auto equals = place_outside(parameter, "=");
      if (parameter[0].kind != TokenKind::name || parameter[0].is("self") || (parameter.size() > 1 && !equals && !parameter[1].is(":"))) return k;
      f.parameters.push_back({parameter[0].text, equals ? between(parameter, *equals + 1) : Tokens{}});
      f.locals.insert(parameter[0].text);
    }
    int returns = 0;
    bool loops = false;
    for (std::size_t t = header + 1; t + 1 < end; ++t) {
      static constexpr std::string_view others[] = {"yield", "global", "nonlocal", "def", "class", "assert", "raise"};
      if (is_among(tokens_[t].text, others) || tokens_[t].is(name)) return k;
      returns += tokens_[t].is("return") ? 1 : 0;
      loops = loops || (begins_statement(tokens_, t) && (tokens_[t].is("for") || tokens_[t].is("while")));
    }
    for (std::size_t t = 0; t + 1 < tokens_.size(); ++t) {
      const bool again = t != k + 1 && tokens_[t].is(name) && ((t > 0 && tokens_[t - 1].is("def")) || (begins_statement(tokens_, t) && tokens_[t + 1].is("=")));
      if (again) return k;
    }
    std::size_t last = header + 1;
    int depth = 0;
    for (std::size_t t = header + 1; t + 1 < end; ++t) {
      depth += step_into_block(tokens_[t]);
      if (depth == 0 && begins_statement(tokens_, t) && !ends_statement(tokens_[t])) last = t;
    }
    if (!loops || returns != 1 || !tokens_[last].is("return")) return k;
    f.body = slice(tokens_, header + 1, last);
    f.result = slice(tokens_, last + 1, end_of_statement(tokens_, last));
    if (f.result.empty()) return k;
    note_locals(f);
    functions_[name] = std::move(f);
    return end;
  }

  static void note_locals(Function& f) {
    Tokens all = f.body;
    put(all, f.result);
    const BoundNames bound = bound_names(all);
    f.assigned = bound.assigned;
    f.locals.insert(bound.assigned.begin(), bound.assigned.end());
    f.locals.insert(bound.recomputed.begin(), bound.recomputed.end());
  }

  /// Writes the statements, each behind those of the functions that it calls.
  void write(const Tokens& tokens) {
    for (std::size_t k = 0; k < tokens.size();) {
      const std::size_t head = end_of_statement(tokens, k), end = tokens[k].is("def") && begins_statement(tokens, k) ? behind_statement(tokens, k) : head;
      if (end > head) {
        put(written_, slice(tokens, k, end));
        k = end;
        continue;
      }
      statement(slice(tokens, k, end));
      if (end < tokens.size()) written_.push_back(tokens[end]);
      k = end + 1;
    }
  }

  void statement(Tokens s) {
    const bool repeated = !s.empty() && (s[0].is("while") || s[0].is("elif") || s[0].is("class"));
    for (std::size_t k = s.size(); k-- > 0 && !repeated;) {  // what a call is given is computed before it
      const auto function = is_use(s, k) && k + 1 < s.size() && s[k + 1].is("(") ? functions_.find(s[k].text) : functions_.end();
      if (function == functions_.end() || is_recomputed(s, k)) continue;
      const std::size_t end = closing(s, k + 1) + 1;
      const auto values = arguments(function->second, parts_of(slice(s, k + 2, end - 1)));
      if (!values || ++calls_ > most_calls) continue;
      const auto equals = assignment(s);
      const bool whole = equals && *equals + 1 == k && end == s.size();
      Tokens result = call(function->second, *values, s[k]);
      if (!whole) {
        const Token name = fresh(s[k]);
        put(written_, {name, {TokenKind::symbol, "=", s[k].span}});
        statement_end(result, s[k]);
        result = {name};
      }
      Tokens next = slice(s, 0, k);
      put(next, result);
      put(next, slice(s, end, s.size()));
      s = std::move(next);
    }
    put(written_, s);
  }
  void statement_end(const Tokens& value, const Token& at) {
    put(written_, value);
    written_.push_back({TokenKind::separator, "\n", at.span});
  }

  /// The value of each parameter; nothing where the call is none that is read here.
  static std::optional<std::vector<Tokens>> arguments(const Function& f, const std::vector<Tokens>& given) {
    std::vector<Tokens> values(f.parameters.size());
    for (std::size_t k = 0; k < given.size(); ++k) {
      if (given[k].empty()) continue;
      const bool named = is_by_name(given[k]);
      const auto parameter = std::find_if(f.parameters.begin(), f.parameters.end(), [&](const Parameter& p) { return p.name == given[k][0].text; });
      const std::size_t place = named ? static_cast<std::size_t>(parameter - f.parameters.begin()) : k;
      if (place >= values.size() || !values[place].empty() || given[k][0].is("*") || given[k][0].is("**")) return std::nullopt;
      values[place] = between(given[k], named ? 2 : 0);
    }
    for (std::size_t k = 0; k < values.size(); ++k) {
      if (values[k].empty() && is_literal(f.parameters[k].otherwise)) values[k] = f.parameters[k].otherwise;
      if (values[k].empty()) return std::nullopt;
    }
    return values;
  }

  /// Writes what the function does and gives what it returns. A parameter that gets no other value is the name or the number that it is given.
  Tokens call(const Function& f, const std::vector<Tokens>& values, const Token& at) {
    std::map<std::string_view, Tokens> names;
    for (const std::string_view local : f.locals) names[local] = {fresh({TokenKind::name, local, at.span})};
    for (std::size_t k = 0; k < values.size(); ++k) {
      const std::string_view parameter = f.parameters[k].name;
      const bool one = values[k].size() == 1 && (values[k][0].kind == TokenKind::name || values[k][0].kind == TokenKind::number || values[k][0].kind == TokenKind::text);
      if (one && f.assigned.count(parameter) == 0) {
        names[parameter] = values[k];
        continue;
      }
      put(written_, {names[parameter][0], {TokenKind::symbol, "=", at.span}});
      statement_end(values[k], at);
    }
    write(replaced(f.body, names));
    return replaced(f.result, names);
  }

  Token fresh(const Token& name) {
    const Token other = numbered(name, [&](std::string_view text) { return taken_.count(text) > 0; }, words_);
    taken_.emplace(other.text);
    return other;
  }

  const Tokens& tokens_;
  Words& words_;
  Tokens written_;
  std::map<std::string_view, Function> functions_;
  std::set<std::string, std::less<>> taken_;
  std::size_t calls_ = 0;
};

}  // namespace

std::optional<Tokens> with_calls_written(const Tokens& tokens, Words& words) {
  const bool any = std::any_of(tokens.begin(), tokens.end(), [](const Token& t) { return t.is("def"); });
  return any ? WrittenCalls(tokens, words).run() : std::nullopt;
}

}  // namespace foldproof::program
