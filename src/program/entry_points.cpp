// SPDX-License-Identifier: MIT
#include "program/entry_points.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "expr/diagnostic.hpp"

namespace foldproof::program {
namespace {

class EntryPoints {
 public:
  EntryPoints(Tokens tokens, Words& words) : tokens_(std::move(tokens)), words_(words) {}

  Tokens run() {
    tokens_ = with_plain_calls(without_main(tokens_));
    for (std::size_t k = 0; k < tokens_.size();) {
      const std::size_t end = behind_statement(tokens_, k);
      const auto function = function_at(k);
      if (!function || !stands_alone(*function)) {
        k = end + 1;
        continue;
      }
      const auto call = called_at(*function);
      Tokens body = without_seed(with_own_locals(*function)), next = slice(tokens_, 0, function->first);
      if (call) {
        put(next, slice(tokens_, end, *call));
        put(next, body);
        put(next, slice(tokens_, *call + 3, tokens_.size()));
      } else {
        put(next, slice(tokens_, end, tokens_.size() - 1));
        next.push_back({TokenKind::separator, "\n", tokens_[k].span});
        put(next, body);
        next.push_back(tokens_.back());
      }
      k = function->first;
      tokens_ = std::move(next);
    }
    return std::move(tokens_);
  }

 private:
  struct Function {
    std::size_t begin, body, end;   ///< the place of def, of the first token in the block, and of its end
    std::size_t first;              ///< of its first decorator
    std::vector<Tokens> defaults;   ///< ws = 4 of def test(ws: int = 4)
    std::vector<Tokens> cases;      ///< for n in [1, 2] of @pytest.mark.parametrize("n", [1, 2])
  };

  /// sys.exit(main()), raise SystemExit(main()) and exit(main()) as main().
  static Tokens with_plain_calls(const Tokens& tokens) {
    static constexpr std::string_view ends[] = {"sys . exit (", "exit (", "raise SystemExit ("};
    Tokens found;
    each_statement(tokens, [&](const Tokens& s, std::size_t end) {
      Tokens plain = s;
      for (const std::string_view exit : ends) {
        const auto length = static_cast<std::size_t>(std::count(exit.begin(), exit.end(), ' ')) + 1;
        const Tokens inner = s.size() == length + 4 ? slice(s, length, s.size() - 1) : Tokens{};
        if (inner.size() == 3 && text_of(slice(s, 0, length)) == exit && inner[0].kind == TokenKind::name && inner[1].is("(") && inner[2].is(")")) plain = inner;
      }
      put(found, plain);
      if (end < tokens.size()) found.push_back(tokens[end]);
    });
    return found;
  }

  /// if __name__ == "__main__": outside of all blocks, as what is done in it.
  static Tokens without_main(const Tokens& tokens) {
    Tokens found;
    int depth = 0;
    for (std::size_t k = 0; k < tokens.size(); ++k) {
      const bool header = depth == 0 && k + 5 < tokens.size() && tokens[k].is("if") && tokens[k + 1].is("__name__") && tokens[k + 2].is("==") && (tokens[k + 3].text == "\"__main__\"" || tokens[k + 3].text == "'__main__'") && tokens[k + 4].is(":") && tokens[k + 5].kind == TokenKind::block_begin;
      if (header) {
        const std::size_t end = behind_block(tokens, k + 5);
        put(found, slice(tokens, k + 6, end - 1));
        k = end - 1;
        continue;
      }
      depth += step_into_block(tokens[k]);
      found.push_back(tokens[k]);
    }
    return found;
  }

  /// def f(): with its block, outside of other blocks, where all parameters have values.
  std::optional<Function> function_at(std::size_t k) const {
    const std::size_t header = end_of_statement(tokens_, k);
    const bool plain = k + 4 < tokens_.size() && tokens_[k].is("def") && tokens_[k + 1].kind == TokenKind::name && tokens_[k + 2].is("(") && header < tokens_.size() && tokens_[header].kind == TokenKind::block_begin;
    if (!plain) return std::nullopt;
    Function f{k, header + 1, behind_block(tokens_, header) - 1, k, {}, {}};
    std::set<std::string_view> given;
    while (f.first > 1) {
      const std::size_t begin = beginning_of_statement(tokens_, f.first - 1);
      const Tokens s = slice(tokens_, begin, f.first - 1);
      if (s.empty() || !s[0].is("@")) break;
      const auto each = case_of(s);
      if (!each) return std::nullopt;
      f.cases.push_back(*each);
      for (std::size_t name = 1; name < each->size() && !(*each)[name].is("in"); ++name) given.insert((*each)[name].text);
      f.first = begin;
    }
    for (Tokens p : parts_of(slice(tokens_, k + 3, closing(tokens_, k + 2)))) {
      if (p.empty()) continue;
      const auto equals = place_outside(p, "=");
      if (!equals && given.count(p[0].text) > 0) continue;
      if (!equals || given.count(p[0].text) > 0 || !is_written_out(between(p, *equals + 1))) return std::nullopt;  // of names Python reads what they are where the function is defined
      Tokens value{p[0], p[*equals]};
      put(value, between(p, *equals + 1));
      f.defaults.push_back(value);
    }
    return f;
  }
  /// Numbers, text, True, False and None, and tuples and lists of these.
  static bool is_written_out(const Tokens& value) {
    static constexpr std::string_view words[] = {"True", "False", "None"};
    return std::all_of(value.begin(), value.end(), [](const Token& t) { return t.kind != TokenKind::name || is_among(t.text, words); });
  }
  /// @pytest.mark.parametrize("n, d", [(1, 2), (3, 4)]) as for n, d in [(1, 2), (3, 4)]; nothing for other decorators.
  std::optional<Tokens> case_of(const Tokens& s) const {
    if (s.size() < 10 || text_of(slice(s, 0, 6)) != "@ pytest . mark . parametrize" || !is_one_bracket(between(s, 6))) return std::nullopt;
    const std::vector<Tokens> arguments = parts_of(inside(s, 7));
    if (arguments.size() != 2 || arguments[0].size() != 1 || arguments[0][0].kind != TokenKind::text || !is_written_out(arguments[1])) return std::nullopt;
    const Token& text = arguments[0][0];
    Tokens each{{TokenKind::name, "for", text.span}};
    std::string_view names = text.text.substr(1, text.text.size() - 2);
    while (!names.empty()) {
      const std::size_t comma = std::min(names.find(','), names.size());
      std::string_view one = names.substr(0, comma);
      while (one.starts_with(' ')) one.remove_prefix(1);
      while (one.ends_with(' ')) one.remove_suffix(1);
      if (each.size() > 1) each.push_back({TokenKind::symbol, ",", text.span});
      each.push_back({TokenKind::name, one, text.span});
      names.remove_prefix(std::min(comma + 1, names.size()));
    }
    each.push_back({TokenKind::name, "in", text.span});
    put(each, arguments[1]);
    return each;
  }
  /// The statements of the function in the loops over its cases, behind the values of its parameters.
  static Tokens in_cases(const Function& f, const Tokens& body) {
    Tokens found;
    for (const Tokens& value : f.defaults) {
      put(found, value);
      found.push_back({TokenKind::separator, "\n", value[0].span});
    }
    put(found, body);
    for (const Tokens& each : f.cases) {
      Tokens loop = each;
      put(loop, {{TokenKind::symbol, ":", each[0].span}, {TokenKind::block_begin, "", each[0].span}});
      put(loop, found);
      loop.push_back({TokenKind::block_end, "", each[0].span});
      found = std::move(loop);
    }
    return found;
  }
  /// The statements without the one seed that they begin with: what another function draws with the same seed is compared with nothing here.
  static Tokens without_seed(const Tokens& body) {
    int seeds = 0;
    for (const Token& t : body) seeds += t.is("default_rng") || t.is("manual_seed") || t.is("seed") || t.is("RandomState") || t.is("Generator") || t.is("PRNGKey") ? 1 : 0;
    if (seeds != 1) return body;
    Tokens found;
    each_statement(body, [&](const Tokens& s, std::size_t end) {
      const std::string text = text_of(s);
      const bool sets = text.starts_with("torch . manual_seed (") || text.starts_with("np . random . seed (") || text.starts_with("numpy . random . seed (");
      const std::size_t generator = static_cast<std::size_t>(std::find_if(s.begin(), s.end(), [](const Token& t) { return t.is("default_rng"); }) - s.begin());
      if (generator + 1 < s.size() && s[generator + 1].is("(") && closing(s, generator + 1) < s.size()) {
        put(found, slice(s, 0, generator + 2));
        put(found, between(s, closing(s, generator + 1)));
      } else if (!sets) {
        put(found, s);
      }
      if (end < body.size()) found.push_back(body[end]);
    });
    return found;
  }

  /// Where the one statement f() stands that calls the function, outside of blocks and behind it.
  std::optional<std::size_t> called_at(const Function& f) const {
    for (std::size_t k = f.end; k + 3 < tokens_.size(); ++k) {
      if (tokens_[k].is(tokens_[f.begin + 1].text)) return k;
    }
    return std::nullopt;
  }

  /// Where what the function does ends: before return 0, with which a program says that all is well.
  std::size_t end_of_body(const Function& f) const {
    std::size_t end = f.end;
    while (end > f.body && tokens_[end - 1].kind == TokenKind::separator) --end;
    const std::size_t begin = beginning_of_statement(tokens_, end - 1);
    const bool says_nothing = begin >= f.body && tokens_[begin].is("return") && (end == begin + 1 || (end == begin + 2 && (tokens_[begin + 1].text == "0" || tokens_[begin + 1].is("None") || tokens_[begin + 1].is("True"))));
    return says_nothing ? begin : f.end;
  }

  /// Whether the function gives nothing, and all that calls it is one statement, or pytest.
  bool stands_alone(const Function& f) const {
    static constexpr std::string_view gives[] = {"return", "yield", "global", "nonlocal", "lambda"};
    const std::string_view name = tokens_[f.begin + 1].text;
    bool asserts = false;
    for (std::size_t k = f.body; k < end_of_body(f); ++k) {
      if (is_among(tokens_[k].text, gives) || tokens_[k].is(name)) return false;
      asserts = asserts || (begins_statement(tokens_, k) && (tokens_[k].is("assert") || tokens_[k].is("print") || tokens_[k].is("np") || tokens_[k].is("torch")));
    }
    int uses = 0, depth = 0;
    bool alone = true;
    for (std::size_t k = 0; k < tokens_.size(); ++k) {
      depth += step_into_block(tokens_[k]);
      if (!tokens_[k].is(name) || k == f.begin + 1) continue;
      ++uses;
      alone = alone && k > f.end && depth == 0 && begins_statement(tokens_, k) && k + 3 < tokens_.size() && tokens_[k + 1].is("(") && tokens_[k + 2].is(")") && ends_statement(tokens_[k + 3]);
    }
    return asserts && alone && (uses == 1 || (uses == 0 && name.starts_with("test")));
  }

  /// The names that a statement gives a value to, those of its loop or function, too.
  static std::vector<std::size_t> targets(const Tokens& s) {
    std::vector<std::size_t> found;
    if (s.size() > 1 && s[0].is("def")) found.push_back(1);
    const std::size_t end = !s.empty() && s[0].is("for") ? place_outside(s, "in").value_or(0) : assignment(s).value_or(0);
    if (item_change(s)) return found;
    for (std::size_t k = 0; k < end; ++k) {
      const bool part = (k > 0 && s[k - 1].is(".")) || (k + 1 < s.size() && s[k + 1].is("."));
      if (s[k].kind == TokenKind::name && !is_reserved(s[k].text) && !part) found.push_back(k);
    }
    return found;
  }

  /// The statements of the function, whose locals are none of the program's names.
  Tokens with_own_locals(const Function& f) {
    Tokens body = in_cases(f, slice(tokens_, f.body, end_of_body(f)));
    std::map<std::string_view, Tokens> renamed;
    for (std::size_t k = 0; k < body.size();) {
      const std::size_t end = end_of_statement(body, k);
      const Tokens s = slice(body, k, end);
      for (const std::size_t target : targets(s)) {
        if (renamed.count(s[target].text) > 0 || !is_used_outside(s[target].text, f)) continue;
        const auto equals = assignment(s);
        const bool updates = equals && changes_in_place(s, *equals);
        if (updates || names(slice(body, 0, k), s[target].text) || (equals && names(s, s[target].text, *equals))) fail("parse.unexpected", describe(s[target]) + " is read in this function before it gets its value there", s[target].span, "give it another name: in Python it is a local of the function");
        renamed[s[target].text] = {numbered(s[target], tokens_, words_)};
      }
      k = end + 1;
    }
    return replaced(body, renamed);
  }

  bool is_used_outside(std::string_view name, const Function& f) const {
    for (std::size_t k = 0; k < tokens_.size(); ++k) {
      if ((k < f.first || k >= f.end) && tokens_[k].is(name)) return true;
    }
    return false;
  }

  Tokens tokens_;
  Words& words_;
};

}  // namespace

Tokens with_entry_points(Tokens tokens, Words& words) {
  const bool any = std::any_of(tokens.begin(), tokens.end(), [](const Token& t) { return t.is("def") || t.is("__name__"); });
  return any ? EntryPoints(std::move(tokens), words).run() : tokens;
}

}  // namespace foldproof::program
