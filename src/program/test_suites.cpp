// SPDX-License-Identifier: MIT
#include "program/test_suites.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "program/language.hpp"

namespace foldproof::program {
namespace {

/// def f(x, d=4): with its block, and the decorators before it.
struct Function {
  Tokens decorators, name, parameters, body;  ///< what is between the brackets, and in the block; each decorator with what ends it
  std::size_t end = 0;                        ///< the place behind it
};

std::optional<Function> function_at(const Tokens& t, std::size_t k) {
  Function f;
  while (k < t.size() && t[k].is("@")) {
    const std::size_t end = end_of_statement(t, k);
    put(f.decorators, slice(t, k, end + 1));
    k = end + 1;
  }
  if (k + 3 >= t.size() || !t[k].is("def") || !t[k + 2].is("(")) return std::nullopt;
  const std::size_t header = end_of_statement(t, k), bracket = closing(t, k + 2);
  if (header >= t.size() || t[header].kind != TokenKind::block_begin) return std::nullopt;
  f.end = behind_block(t, header);
  f.name = {t[k + 1]};
  f.parameters = slice(t, k + 3, bracket);
  f.body = slice(t, header + 1, f.end - 1);
  return f;
}

Tokens written(const Function& f) {
  const Token& at = f.name[0];
  Tokens found = f.decorators;
  put(found, {word("def", at), at, symbol("(", at)});
  put(found, f.parameters);
  put(found, {symbol(")", at), symbol(":", at), {TokenKind::block_begin, {}, at.span}});
  put(found, f.body);
  put(found, {{TokenKind::block_end, {}, at.span}, {TokenKind::separator, "\n", at.span}});
  return found;
}

Tokens statement(const Tokens& tokens) {
  Tokens found = tokens;
  found.push_back({TokenKind::separator, "\n", tokens[0].span});
  return found;
}

/// self.assertTrue(e) as assert e, and so for those that compare two values; nothing for other statements.
std::optional<Tokens> asserted(const Tokens& s) {
  if (s.size() < 6 || !s[0].is("self") || !s[1].is(".") || !s[3].is("(") || closing(s, 3) + 1 != s.size()) return std::nullopt;
  static constexpr std::pair<std::string_view, std::string_view> compared[] = {{"assertEqual", "=="}, {"assertLess", "<"}, {"assertLessEqual", "<="}, {"assertGreater", ">"}, {"assertGreaterEqual", ">="}};
  const std::vector<Tokens> arguments = parts_of(inside(s, 4));
  Tokens found{word("assert", s[0])};
  if (s[2].is("assertTrue")) {
    put(found, arguments[0]);
    return found;
  }
  if (arguments.size() < 2) return std::nullopt;
  const bool precise = arguments.size() == 2 || (arguments.size() == 3 && is_by_name(arguments[2]) && arguments[2][0].is("places") && small_number(between(arguments[2], 2)).value_or(0) > 2);
  if (s[2].is("assertAlmostEqual") && precise) {
    put(found, {word("np", s[0]), symbol(".", s[0]), word("allclose", s[0]), symbol("(", s[0])});
    put(found, with_commas({arguments[0], arguments[1]}, s[0]));
    found.push_back(symbol(")", s[0]));
    return found;
  }
  for (const auto& [name, sign] : compared) {
    if (!s[2].is(name)) continue;
    put(found, arguments[0]);
    found.push_back(symbol(sign, s[0]));
    put(found, arguments[1]);
    return found;
  }
  return std::nullopt;
}

class TestSuites {
 public:
  TestSuites(Tokens tokens, Words& words) : tokens_(std::move(tokens)), words_(words) {}

  Tokens run() {
    Tokens found;
    for (std::size_t k = 0; k < tokens_.size();) {
      const std::size_t behind = std::min(behind_statement(tokens_, k) + 1, tokens_.size());
      const auto tests = tokens_[k].is("class") ? tests_of(k) : std::nullopt;
      put(found, tests ? *tests : slice(tokens_, k, behind));
      k = behind;
    }
    tokens_ = std::move(found);
    return with_fixtures();
  }

 private:
  /// The tests of a class as functions; nothing where it is no class of tests, or holds what is not read so.
  std::optional<Tokens> tests_of(std::size_t k) {
    const std::size_t header = end_of_statement(tokens_, k);
    if (header >= tokens_.size() || tokens_[header].kind != TokenKind::block_begin) return std::nullopt;
    const std::string bases = text_of(slice(tokens_, k + 2, header - 1));
    const bool of_unittest = bases == "( unittest . TestCase )" || bases == "( TestCase )", of_pytest = tokens_[k + 1].text.starts_with("Test") && (bases.empty() || bases == "( )");
    if (!of_unittest && !of_pytest) return std::nullopt;
    Tokens before, found;
    std::vector<Function> tests;
    for (std::size_t at = header + 1, end = behind_block(tokens_, header) - 1; at < end;) {
      if (tokens_[at].kind == TokenKind::separator || tokens_[at].kind == TokenKind::text || tokens_[at].is("pass")) {
        ++at;
        continue;
      }
      auto f = function_at(tokens_, at);
      if (!f || f->parameters.empty() || !f->parameters[0].is("self")) return std::nullopt;
      at = f->end;
      f->parameters = slice(f->parameters, f->parameters.size() > 1 ? 2 : 1, f->parameters.size());
      const bool sets_up = f->name[0].is("setUp") || f->name[0].is("setup_method") || f->name[0].is("setup");
      if (!sets_up && !f->name[0].text.starts_with("test")) return std::nullopt;
      if (sets_up) before = f->body;
      else tests.push_back(std::move(*f));
    }
    if (of_unittest) std::stable_sort(tests.begin(), tests.end(), [](const Function& a, const Function& b) { return a.name[0].text < b.name[0].text; });  // as it runs them
    for (Function& f : tests) {
      Tokens body = before;
      if (!body.empty()) body.push_back({TokenKind::separator, "\n", f.name[0].span});
      put(body, f.body);
      const auto own = without_self(body);
      if (!own) return std::nullopt;
      f.body = *own;
      const auto is_taken = [&](std::string_view name) { return names(tokens_, name) || std::find(words_.begin(), words_.end(), name) != words_.end(); };  // also by a test of another class
      f.name[0] = numbered(f.name[0], is_taken, words_);
      put(found, written(f));
    }
    return tests.empty() ? std::nullopt : std::optional(found);
  }

  /// self.W as a name, and self.assertTrue(...) as assert; nothing where self is used otherwise.
  std::optional<Tokens> without_self(const Tokens& body) {
    Tokens found;
    bool fits = true;
    each_statement(body, [&](const Tokens& s, std::size_t end) {
      const Tokens plain = asserted(s).value_or(s);
      for (std::size_t k = 0; k < plain.size(); ++k) {
        if (!plain[k].is("self")) {
          found.push_back(plain[k]);
          continue;
        }
        const bool attribute = k + 2 < plain.size() && plain[k + 1].is(".") && plain[k + 2].kind == TokenKind::name && !(k + 3 < plain.size() && plain[k + 3].is("(") && methods().count(plain[k + 2].text) > 0);
        if (!attribute || plain[k + 2].text.starts_with("assert") || plain[k + 2].is("subTest")) {
          fits = false;
          return;
        }
        words_.push_back("self_" + std::string(plain[k + 2].text));
        found.push_back({TokenKind::name, words_.back(), plain[k + 2].span});
        k += 2;
      }
      if (end < body.size()) found.push_back(body[end]);
    });
    return fits ? std::optional(found) : std::nullopt;
  }
  /// Whatever is defined anywhere: self.f(x) calls a method then, and no function that self keeps.
  const std::set<std::string_view>& methods() {
    for (std::size_t k = 0; defined_.empty() && k + 1 < tokens_.size(); ++k) {
      if (tokens_[k].is("def")) defined_.insert(tokens_[k + 1].text);
    }
    return defined_;
  }

  struct Fixture {
    std::vector<std::string_view> of;  ///< the fixtures that it is given
    Tokens body;                       ///< what it does, and name = what it returns
    bool shared = false;               ///< among tests, which may change nothing of it then
  };

  /// @pytest.fixture, also with a scope.
  static bool is_fixture(const Tokens& decorators) {
    const std::string text = text_of(slice(decorators, 0, decorators.size() - 1));
    return text == "@ pytest . fixture" || text == "@ pytest . fixture ( )" || text.starts_with("@ pytest . fixture ( scope =");
  }

  std::optional<Fixture> fixture_of(const Function& f) {
    if (f.decorators.empty() || !is_fixture(f.decorators)) return std::nullopt;
    Fixture fixture;
    fixture.shared = f.decorators.size() > 7;
    for (const Tokens& p : parts_of(f.parameters)) {
      if (p.size() > 1) return std::nullopt;
      if (!p.empty()) fixture.of.push_back(p[0].text);
    }
    const auto gives = [](const Token& t) { return t.is("return") || t.is("yield"); };
    const auto first = std::find_if(f.body.begin(), f.body.end(), gives);
    const auto at = static_cast<std::size_t>(first - f.body.begin()), end = end_of_statement(f.body, at);
    Tokens body = slice(f.body, 0, at);
    int depth = 0;
    for (const Token& t : body) depth += step_into_block(t);
    const bool last = first != f.body.end() && first->is("return") && depth == 0 && begins_statement(f.body, at) && std::count_if(f.body.begin(), f.body.end(), gives) == 1;
    if (!last || end == at + 1) return std::nullopt;
    Tokens result{f.name[0], symbol("=", f.name[0])};
    put(result, slice(f.body, at + 1, end));
    put(body, statement(result));
    std::map<std::string_view, Tokens> own;
    for (const std::string_view name : bound_names(body).assigned) {
      if (name != f.name[0].text) own[name] = {numbered({TokenKind::name, name, f.name[0].span}, tokens_, words_)};
    }
    fixture.body = replaced(body, own);
    return fixture;
  }

  Tokens with_fixtures() {
    if (std::none_of(tokens_.begin(), tokens_.end(), [](const Token& t) { return t.is("fixture"); })) return std::move(tokens_);
    std::map<std::string_view, Fixture> fixtures;
    Tokens rest, found;
    for (std::size_t k = 0; k < tokens_.size();) {
      const auto f = begins_statement(tokens_, k) ? function_at(tokens_, k) : std::nullopt;
      const auto fixture = f ? fixture_of(*f) : std::nullopt;
      if (fixture) fixtures[f->name[0].text] = *fixture;
      const std::size_t end = fixture ? f->end : k + 1;
      if (!fixture) rest.push_back(tokens_[k]);
      k = end;
    }
    const bool changed = std::any_of(fixtures.begin(), fixtures.end(), [&](const auto& x) { return x.second.shared && is_changed(rest, x.first); });
    if (changed) return std::move(tokens_);
    tokens_ = std::move(rest);
    for (std::size_t k = 0; k < tokens_.size();) {
      auto f = begins_statement(tokens_, k) ? function_at(tokens_, k) : std::nullopt;
      if (!f || !f->name[0].text.starts_with("test")) {
        found.push_back(tokens_[k++]);
        continue;
      }
      k = f->end;
      std::vector<Tokens> parameters;
      std::set<std::string_view> given;
      Tokens body;
      for (const Tokens& p : parts_of(f->parameters)) {
        const bool known = p.size() == 1 && fixtures.count(p[0].text) > 0;
        if (known) include(p[0].text, fixtures, given, body);
        else if (!p.empty()) parameters.push_back(p);
      }
      f->parameters = with_commas(parameters, f->name[0]);
      put(body, f->body);
      f->body = std::move(body);
      put(found, written(*f));
    }
    return found;
  }

  /// Whether a statement changes it in place: x += y, x[0] = y, x.w = y, x.zero_().
  static bool is_changed(const Tokens& tokens, std::string_view name) {
    const auto statements = statements_of(tokens);
    return std::any_of(statements.begin(), statements.end(), [&](const Tokens& s) {
      const auto equals = assignment(s);
      const Token* const method = called_alone(s);
      return !s.empty() && s[0].is(name) && ((equals && *equals > 1) || (method != nullptr && changes_in_place(method->text)));
    });
  }

  /// A fixture behind those that it is given, each once in a test.
  static void include(std::string_view name, const std::map<std::string_view, Fixture>& fixtures, std::set<std::string_view>& given, Tokens& body) {
    const auto fixture = fixtures.find(name);
    if (fixture == fixtures.end() || !given.insert(name).second) return;
    for (const std::string_view other : fixture->second.of) include(other, fixtures, given, body);
    put(body, fixture->second.body);
  }

  Tokens tokens_;
  Words& words_;
  std::set<std::string_view> defined_;
};

/// Without unittest.main() and pytest.main(), which run the tests.
Tokens without_runner(const Tokens& tokens) {
  Tokens found;
  each_statement(tokens, [&](const Tokens& s, std::size_t end) {
    const bool runs = s.size() > 4 && (s[0].is("unittest") || s[0].is("pytest")) && s[1].is(".") && s[2].is("main") && s[3].is("(") && closing(s, 3) + 1 == s.size();
    if (!runs) put(found, s);
    if (end < tokens.size()) found.push_back(tokens[end]);
  });
  return found;
}

}  // namespace

Tokens with_test_suites(Tokens tokens, Words& words) {
  static constexpr std::string_view runners[] = {"unittest", "pytest", "TestCase"};
  const bool any = std::any_of(tokens.begin(), tokens.end(), [](const Token& t) { return is_among(t.text, runners) || t.text.starts_with("Test"); });
  return any ? TestSuites(without_runner(tokens), words).run() : tokens;
}

}  // namespace foldproof::program
