// SPDX-License-Identifier: MIT
#include "program/steps_in_loops.hpp"

#include <algorithm>
#include <optional>

#include "expr/diagnostic.hpp"

namespace foldproof::program {
namespace {

using Values = std::map<std::string_view, Tokens>;

/// What may stand where a name does.
Tokens as_operand(const Tokens& t) {
  const bool item = t.size() > 3 && t[0].kind == TokenKind::name && t[1].is("[") && closing(t, 1) + 1 == t.size();
  return t.size() == 1 || item || is_one_bracket(t) ? t : in_brackets(t, t[0]);
}
/// The parts of (a, b), or of a, b; nothing for others.
std::optional<std::vector<Tokens>> tuple(const Tokens& t) {
  if (t.empty()) return std::nullopt;
  const bool bracket = is_one_bracket(t) && t[0].is("(");
  const Tokens content = bracket ? inside(t, 1) : t;
  if (!has_outside(content, ",") || (!bracket && (has_outside(content, "lambda") || has_outside(content, "for")))) return std::nullopt;
  std::vector<Tokens> parts = parts_of(content);
  if (parts.back().empty()) parts.pop_back();
  if (std::any_of(parts.begin(), parts.end(), [](const Tokens& p) { return p.empty() || p[0].is("*"); })) return std::nullopt;
  return parts;
}
/// (a, b)[1] as b
Tokens with_items_chosen(Tokens t) {
  for (std::size_t k = 0; k < t.size(); ++k) {
    const bool operand = k > 0 && (t[k - 1].kind == TokenKind::name || closes(t[k - 1]));  // f(a, b)[1]
    if (!t[k].is("(") || (operand && !is_word_of_python(t[k - 1].text))) continue;
    const std::size_t close = closing(t, k);
    const auto parts = close + 3 < t.size() && t[close + 1].is("[") && t[close + 3].is("]") ? tuple(slice(t, k, close + 1)) : std::nullopt;
    const auto place = parts ? small_number({t[close + 2]}) : std::nullopt;
    if (!place || *place >= parts->size()) continue;
    Tokens found = slice(t, 0, k);
    put(found, as_operand((*parts)[*place]));
    put(found, slice(t, close + 4, t.size()));
    t = std::move(found);
    if (k > 0) --k;
  }
  return t;
}
/// Whether a token calls something: what is called is called once.
bool has_calls(const Tokens& t) {
  for (std::size_t k = 1; k < t.size(); ++k) {
    if (t[k].is("(") && (t[k - 1].kind == TokenKind::name || closes(t[k - 1])) && !is_word_of_python(t[k - 1].text)) return true;
  }
  return false;
}

class Steps {
 public:
  Steps(Tokens tokens, Words& words) : tokens_(std::move(tokens)), words_(words), reads_underscore_(reads_underscore()) {}

  Tokens run() {
    split_tuples();
    for (std::size_t k = 0; k < tokens_.size(); ++k) {
      if (!begins_statement(tokens_, k) || ends_statement(tokens_[k])) continue;
      while (rewritten_ < most_rewritten && write_out(k)) ++rewritten_;
    }
    for (const std::string_view name : written_out_) remove_unused(name);
    return std::move(tokens_);
  }

 private:
  static constexpr int most_rewritten = 100;

  struct Function {
    std::size_t begin = 0;  ///< where it is defined
    std::vector<std::string_view> parameters;
    std::vector<Tokens> body;  ///< statements, the last one a return
  };
  /// What has been done when a function is called there: statements, and what it gives.
  struct Done {
    Tokens statements, value;
  };

  /// cache = (K, V) before a loop that gives it other values, o, cache = f(x[t], cache), with names of their own for the parts: (cache_1, cache_2).
  void split_tuples() {
    const auto given = values_given(tokens_);
    for (std::size_t k = 0; k + 3 < tokens_.size(); ++k) {
      if (!begins_statement(tokens_, k) || tokens_[k].kind != TokenKind::name || !tokens_[k + 1].is("=")) continue;
      const auto values = given.find(tokens_[k].text);
      if (values == given.end() || values->second < 2 || !blocks_around(tokens_, k).empty()) continue;  // nearly always
      const auto parts = tuple(slice(tokens_, k + 2, end_of_statement(tokens_, k)));
      const Token name = tokens_[k];
      if (!parts || !is_carried(name.text, k)) continue;
      std::vector<Tokens> own;
      for (std::size_t p = 0; p < parts->size(); ++p) own.push_back({fresh(name.text, name)});
      const Tokens whole = in_brackets(with_commas(own, name), name);
      release();
      Tokens found;
      for (std::size_t i = 0; i < tokens_.size(); ++i) {
        if (!tokens_[i].is(name.text) || !is_use(tokens_, i) || is_bound_around(name.text, i)) found.push_back(tokens_[i]);
        else if (i == k) {  // the parts do not read each other
          for (std::size_t p = 0; p < parts->size(); ++p) {
            put(found, {own[p][0], symbol("=", name)});
            put(found, (*parts)[p]);
            if (p + 1 < parts->size()) found.push_back({TokenKind::separator, "\n", name.span});
          }
          i = end_of_statement(tokens_, k) - 1;
        } else put(found, whole);
      }
      tokens_ = std::move(found);
    }
  }
  /// Whether a function around token k has a name of its own that is called that.
  bool is_bound_around(std::string_view name, std::size_t k) const {
    const auto blocks = blocks_around(tokens_, k);
    const std::size_t statement = beginning_of_statement(tokens_, k);
    return std::any_of(blocks.begin(), blocks.end(), [&](std::size_t b) { return is_scope(b) && bound_names(slice(tokens_, b, behind_statement(tokens_, b))).has(name); }) || (tokens_[statement].is("def") && statement != k);
  }
  /// Whether all else that gives the name a value, outside of functions, is a call in a loop that gives several names theirs, and it is used as a whole.
  bool is_carried(std::string_view name, std::size_t first) const {
    bool carried = false;
    for (std::size_t k = 0; k < tokens_.size(); ++k) {
      if (!tokens_[k].is(name) || k == first || is_bound_around(name, k)) continue;
      if (!is_use(tokens_, k) || (k + 1 < tokens_.size() && (tokens_[k + 1].is(".") || tokens_[k + 1].is("["))) || is_recomputed(tokens_, k) || k < first) return false;
      const std::size_t begin = beginning_of_statement(tokens_, k);
      const Tokens s = slice(tokens_, begin, end_of_statement(tokens_, begin));
      const auto equals = assignment(s);
      if (!equals || begin + *equals < k) continue;  // it is read
      const auto blocks = blocks_around(tokens_, begin);
      const bool in_loop = std::any_of(blocks.begin(), blocks.end(), [&](std::size_t b) { return tokens_[b].is("for"); });
      if (!in_loop || !tuple(slice(s, 0, *equals)) || !s.back().is(")") || changes_in_place(s, *equals)) return false;
      carried = true;
    }
    return carried;
  }

  /// A function of which no call is left: what it does to its parameters is done nowhere.
  void remove_unused(std::string_view name) {
    std::size_t begin = tokens_.size();
    for (std::size_t k = 0; k < tokens_.size(); ++k) {
      if (!tokens_[k].is(name)) continue;
      const bool defines = k > 0 && tokens_[k - 1].is("def") && begins_statement(tokens_, k - 1);
      if (!defines || begin < tokens_.size()) return;
      begin = k - 1;
    }
    if (begin < tokens_.size()) exchange(tokens_, begin, behind_statement(tokens_, begin), {});
  }

  bool write_out(std::size_t begin) { return write_scan(begin) || write_call(begin); }

  /// A name that no statement has, nor any that is being written.
  Token fresh(std::string_view name, const Token& at) {
    const Token own = numbered(word(name, at), tokens_, words_);
    tokens_.push_back(own);
    ++reserved_;
    return own;
  }
  void release() {
    tokens_.resize(tokens_.size() - reserved_);
    reserved_ = 0;
  }
  static void give(Tokens& statements, const Token& name, const Tokens& value) {
    put(statements, {name, symbol("=", name)});
    put(statements, value);
    statements.push_back({TokenKind::separator, "\n", name.span});
  }

  bool is_scope(std::size_t begin) const { return tokens_[begin].is("def") || tokens_[begin].is("class"); }

  /// The function of that name as it is at token k, where it is the only one and all that it reads means the same there.
  std::optional<Function> function(const Token& name, std::size_t k, bool unchanging) const {
    if (name.kind != TokenKind::name) return std::nullopt;
    const auto given = values_given(tokens_);
    const auto meanings = given.find(name.text);
    if (meanings == given.end()) return std::nullopt;
    for (std::size_t i = 0; i + 2 < k; ++i) {
      if (!begins_statement(tokens_, i)) continue;
      const bool def = tokens_[i].is("def") && tokens_[i + 1].is(name.text) && !is_decorated(tokens_, i);
      const bool lambda = tokens_[i].is(name.text) && tokens_[i + 1].is("=") && tokens_[i + 2].is("lambda");
      if (!def && !lambda) continue;
      if (meanings->second != (def ? 1 : 2)) return std::nullopt;  // a name and a function
      const auto f = def ? defined(i, unchanging) : of_lambda(slice(tokens_, i + 2, end_of_statement(tokens_, i)), i);
      if (!f || !means_the_same(*f, name, k)) return std::nullopt;
      return f;
    }
    return std::nullopt;
  }
  bool means_the_same(const Function& f, const Token& name, std::size_t k) const {
    const std::vector<std::size_t> there = blocks_around(tokens_, f.begin);
    std::vector<std::size_t> here = blocks_around(tokens_, k);
    std::erase_if(here, [&](std::size_t b) { return !is_scope(b); });
    const bool nested = std::all_of(there.begin(), there.end(), [&](std::size_t b) { return is_scope(b); }) && (there.empty() || tokens_[there.back()].is("def"));  // no method, and none of a case
    if (!nested || there.size() > here.size() || !std::equal(there.begin(), there.end(), here.begin())) return false;
    std::set<std::string_view> own(f.parameters.begin(), f.parameters.end()), read{name.text};
    for (const Tokens& s : f.body) {
      const BoundNames bound = bound_names(s);
      own.insert(bound.assigned.begin(), bound.assigned.end());
    }
    for (const Tokens& s : f.body) {
      for (std::size_t i = 0; i < s.size(); ++i) {
        if (is_use(s, i) && own.count(s[i].text) == 0) read.insert(s[i].text);
      }
    }
    return std::none_of(here.begin() + static_cast<std::ptrdiff_t>(there.size()), here.end(), [&](std::size_t d) {  // scopes around the call and not around it
      const BoundNames bound = bound_names(slice(tokens_, d, behind_statement(tokens_, d)));
      return std::any_of(read.begin(), read.end(), [&](std::string_view n) { return bound.has(n); });
    });
  }

  static std::optional<std::vector<std::string_view>> parameters_of(const Tokens& written) {
    std::vector<std::string_view> found;
    for (const Tokens& p : parts_of(written)) {
      if (p.empty() || p[0].kind != TokenKind::name || (p.size() > 1 && !p[1].is(":")) || has_outside(p, "=")) return std::nullopt;
      if (std::find(found.begin(), found.end(), p[0].text) != found.end()) return std::nullopt;
      found.push_back(p[0].text);
    }
    return found;
  }
  /// `unchanging`: of arrays that nothing changes in place, as those of JAX are, so that x += y gives x another value.
  std::optional<Function> defined(std::size_t begin, bool unchanging) const {
    const std::size_t head = end_of_statement(tokens_, begin), open = begin + 2;
    if (head >= tokens_.size() || tokens_[head].kind != TokenKind::block_begin || !tokens_[open].is("(")) return std::nullopt;
    const Tokens block = slice(tokens_, head + 1, behind_statement(tokens_, begin) - 1);
    const auto parameters = parameters_of(slice(tokens_, open + 1, closing(tokens_, open)));
    const bool in_parts = std::any_of(block.begin(), block.end(), [](const Token& t) { return t.kind == TokenKind::block_begin; });
    if (!parameters || in_parts) return std::nullopt;
    Function f{begin, *parameters, statements_of(block)};
    if (!f.body.empty() && f.body[0].size() == 1 && f.body[0][0].kind == TokenKind::text) f.body.erase(f.body.begin());
    for (Tokens& s : f.body) {
      if (unchanging) s = with_value_given(s);
    }
    return is_read(f) ? std::optional(f) : std::nullopt;
  }
  /// x += y as x = x + (y)
  static Tokens with_value_given(const Tokens& s) {
    const bool updates = s.size() > 3 && s[0].kind == TokenKind::name && s[1].kind == TokenKind::symbol && s[2].is("=") && (s[1].is("+") || s[1].is("-") || s[1].is("*") || s[1].is("/"));
    if (!updates) return s;
    Tokens plain{s[0], s[2], s[0], s[1]};
    put(plain, as_operand(between(s, 3)));
    return plain;
  }
  static std::optional<Function> of_lambda(const Tokens& lambda, std::size_t begin) {
    const auto colon = place_outside(lambda, ":");
    const auto parameters = colon ? parameters_of(slice(lambda, 1, *colon)) : std::nullopt;
    if (!parameters) return std::nullopt;
    Tokens result{word("return", lambda[0])};
    put(result, between(lambda, *colon + 1));
    const Function f{begin, *parameters, {result}};
    return is_read(f) ? std::optional(f) : std::nullopt;
  }
  /// Whether it gives values to names, changes none in place, and returns something at its end.
  static bool is_read(const Function& f) {
    if (f.body.empty() || !f.body.back()[0].is("return") || f.body.back().size() < 2) return false;
    static constexpr std::string_view others[] = {"lambda", "for", "yield", "await", "global", "nonlocal", "self", ":="};
    return std::all_of(f.body.begin(), f.body.end(), [&](const Tokens& s) {
      if (std::any_of(s.begin(), s.end(), [&](const Token& t) { return is_among(t.text, others); })) return false;
      if (&s == &f.body.back()) return true;
      const auto equals = assignment(s);
      const auto plain = [](const Token& t) { return t.kind == TokenKind::name || t.is(",") || t.is("(") || t.is(")"); };
      return equals && *equals > 0 && !s[0].is("return") && std::all_of(s.begin(), s.begin() + static_cast<std::ptrdiff_t>(*equals), plain) && !assignment(between(s, *equals + 1));
    });
  }

  /// Gives the targets, a or (a, (b, c)), what the value has for them, in names of their own. False where it is not known to have as many parts.
  bool unpack(const Tokens& targets, const Tokens& value, Values& values, Tokens& statements) {
    const auto several = tuple(targets), parts = tuple(value);
    if (several) {
      if (parts) {
        if (parts->size() != several->size()) return false;
        for (std::size_t k = 0; k < parts->size(); ++k) {
          if (!unpack((*several)[k], (*parts)[k], values, statements)) return false;
        }
        return true;
      }
      Tokens names;
      Values given;
      for (const Tokens& t : *several) {
        if (t.size() != 1) return false;
        const Token name = fresh(t[0].text, t[0]);
        if (!names.empty()) names.push_back(symbol(",", name));
        names.push_back(name);
        if (!given.emplace(t[0].text, Tokens{name}).second) return false;
      }
      put(names, {symbol("=", names[0])});
      put(statements, names);
      put(statements, value);
      statements.push_back({TokenKind::separator, "\n", names[0].span});
      for (auto& [n, v] : given) values[n] = v;
      return true;
    }
    const Tokens target = without_brackets(targets);
    if (target.size() != 1 || target[0].kind != TokenKind::name) return false;
    if (parts) {
      std::vector<Tokens> own;
      for (const Tokens& p : *parts) {
        Values part;
        if (!unpack({target[0]}, p, part, statements)) return false;
        own.push_back(part.at(target[0].text));
      }
      values[target[0].text] = in_brackets(with_commas(own, target[0]), target[0]);
      return true;
    }
    const bool has_name = value.size() == 1 && (value[0].kind == TokenKind::name || value[0].kind == TokenKind::number);
    if (has_name) {
      values[target[0].text] = value;
      return true;
    }
    const Token name = fresh(target[0].text, target[0]);
    give(statements, name, value);
    values[target[0].text] = {name};
    return true;
  }

  /// The statements of a call with these arguments.
  std::optional<Done> done(const Function& f, const std::vector<Tokens>& arguments) {
    if (f.parameters.size() != arguments.size()) return std::nullopt;
    Done result;
    Values values;
    for (std::size_t k = 0; k < arguments.size(); ++k) {
      const Token& at = arguments[k][0];
      if (tuple(arguments[k]) || has_calls(arguments[k])) {
        if (!unpack({word(f.parameters[k], at)}, arguments[k], values, result.statements)) return std::nullopt;
      } else {
        values[f.parameters[k]] = as_operand(arguments[k]);
      }
    }
    for (const Tokens& s : f.body) {
      const bool last = s[0].is("return");
      const std::size_t equals = last ? 0 : *assignment(s);
      Tokens value = with_items_chosen(replaced(between(s, equals + 1), values));
      if (last) {
        result.value = std::move(value);
        break;
      }
      if (!unpack(slice(s, 0, equals), value, values, result.statements)) return std::nullopt;
    }
    return result;
  }

  /// Gives the targets the value, whose parts are all computed before the first of them gets one. `whole`: a name may get (a, b).
  bool assign(const Tokens& targets, const Tokens& value, Tokens& statements, bool whole = false) {
    std::vector<std::pair<Token, Tokens>> all;
    const std::function<bool(const Tokens&, const Tokens&)> pair = [&](const Tokens& target, const Tokens& part) {
      const auto several = tuple(target), parts = tuple(part);
      if (several) {
        if (!parts || parts->size() != several->size()) return false;
        for (std::size_t k = 0; k < parts->size(); ++k) {
          if (!pair((*several)[k], (*parts)[k])) return false;
        }
        return true;
      }
      const Tokens name = without_brackets(target);
      if (name.size() != 1 || name[0].kind != TokenKind::name) return false;
      const bool unneeded = name[0].is("_") && !reads_underscore_;
      if (!unneeded) all.emplace_back(name[0], part);
      return unneeded || !parts || whole;
    };
    if (!pair(targets, value)) return false;
    for (auto& [name, part] : all) {
      const bool reads_target = std::any_of(all.begin(), all.end(), [&, of = &part](const auto& other) { return &other.second != of && names(*of, other.first.text); });
      if (!reads_target) continue;
      const Token own = fresh(name.text, name);
      give(statements, own, part);
      part = {own};
    }
    for (std::size_t k = 0; k < all.size(); ++k) {
      if (!take_name(statements, all, k)) give(statements, all[k].first, all[k].second);
    }
    return true;
  }
  /// K_1 = f(K) and at last K = K_1 as K = f(K), where nothing behind the first reads K: what grows is seen to be one name. False where that may not be done.
  bool take_name(Tokens& statements, std::vector<std::pair<Token, Tokens>>& all, std::size_t k) const {
    const Token name = all[k].first;
    if (all[k].second.size() != 1 || all[k].second[0].kind != TokenKind::name || all[k].second[0].text == name.text) return false;
    const std::string_view own = all[k].second[0].text;
    const auto made = tokens_.end() - static_cast<std::ptrdiff_t>(reserved_);
    if (std::none_of(made, tokens_.end(), [&](const Token& t) { return t.is(own); })) return false;
    std::size_t given = statements.size();
    for (std::size_t i = 0; i + 1 < statements.size(); ++i) {
      if (!statements[i].is(own) || !begins_statement(statements, i) || !statements[i + 1].is("=")) continue;
      if (given < statements.size()) return false;
      given = i;
    }
    if (given == statements.size() || names(slice(statements, end_of_statement(statements, given), statements.size()), name.text)) return false;
    for (std::size_t other = 0; other < all.size(); ++other) {
      if (other != k && (names(all[other].second, name.text) || all[other].first.text == name.text)) return false;
    }
    for (std::size_t i = given; i < statements.size(); ++i) {
      if (statements[i].is(own)) statements[i].text = name.text;
    }
    for (auto& [target, part] : all) {
      for (Token& t : part) {
        if (t.is(own)) t.text = name.text;
      }
    }
    return true;
  }

  /// S, y = f(S, x[t]) in a loop
  bool write_call(std::size_t begin) {
    const std::size_t end = end_of_statement(tokens_, begin);
    const Tokens s = slice(tokens_, begin, end);
    const auto equals = assignment(s);
    const bool call = equals && *equals > 2 && s.size() > *equals + 3 && s[*equals + 1].kind == TokenKind::name && s[*equals + 2].is("(") && closing(s, *equals + 2) + 1 == s.size();
    if (!call || !tuple(slice(s, 0, *equals))) return false;
    const auto blocks = blocks_around(tokens_, begin);
    if (std::none_of(blocks.begin(), blocks.end(), [&](std::size_t b) { return tokens_[b].is("for") || tokens_[b].is("while"); })) return false;
    const auto f = function(s[*equals + 1], begin, false);
    const std::vector<Tokens> arguments = parts_of(inside(s, *equals + 3));
    if (!f || !std::all_of(arguments.begin(), arguments.end(), is_by_place)) return false;
    auto result = done(*f, arguments);
    const bool read = result && assign(slice(s, 0, *equals), result->value, result->statements);
    release();
    if (!read) return false;
    written_out_.insert(s[*equals + 1].text);
    result->statements.pop_back();  // the separator behind the call is there
    exchange(tokens_, begin, end, result->statements);
    return true;
  }

  /// The arguments of a call by the names of its parameters; nothing where one has another name or is given twice.
  static std::optional<Values> arguments_of(const Tokens& written, const std::vector<std::string_view>& parameters) {
    Values found;
    std::size_t place = 0;
    std::vector<Tokens> parts;
    for (const Tokens& part : parts_of(written)) {
      const bool in_lambda = !parts.empty() && (parts.back()[0].is("lambda") || (parts.back().size() > 2 && parts.back()[2].is("lambda"))) && !has_outside(parts.back(), ":");
      if (in_lambda) parts.back().push_back(symbol(",", parts.back()[0]));  // lambda c, x: ...
      if (in_lambda) put(parts.back(), part);
      else if (!part.empty()) parts.push_back(part);  // none is behind the last comma
    }
    for (const Tokens& a : parts) {
      if (!is_by_name(a) && (!is_by_place(a) || place >= parameters.size())) return std::nullopt;
      const std::string_view name = is_by_name(a) ? a[0].text : parameters[place++];
      if (std::find(parameters.begin(), parameters.end(), name) == parameters.end() || !found.emplace(name, between(a, is_by_name(a) ? 2 : 0)).second) return std::nullopt;
    }
    return found;
  }

  /// (a, b) for a name that is given that, and the names in it nothing else.
  Tokens written_tuple(const Tokens& t, std::size_t k) const {
    if (t.size() != 1 || t[0].kind != TokenKind::name) return t;
    const auto given = values_given(tokens_);
    const auto values = given.find(t[0].text);
    if (values == given.end() || values->second != 1) return t;
    for (std::size_t i = 0; i < k; ++i) {
      if (!tokens_[i].is(t[0].text) || !begins_statement(tokens_, i) || !tokens_[i + 1].is("=") || blocks_around(tokens_, i) != blocks_around(tokens_, k)) continue;
      const Tokens value = slice(tokens_, i + 2, end_of_statement(tokens_, i));
      const BoundNames later = bound_names(slice(tokens_, i + 2, k));
      const auto uses = std::count_if(tokens_.begin(), tokens_.end(), [&](const Token& u) { return u.is(t[0].text); });
      const bool steady = tuple(value) && (uses == 2 || !has_calls(value)) && std::none_of(value.begin(), value.end(), [&](const Token& v) { return v.kind == TokenKind::name && later.has(v.text); });
      return steady ? in_brackets(is_one_bracket(value) ? inside(value, 1) : value, t[0]) : t;
    }
    return t;
  }

  /// Names of their own for what a value is made of, in the order in which it is written: (a, b) as (c_1, c_2).
  Tokens named_parts(const Tokens& value, std::string_view name, const Token& at, Tokens& statements) {
    const auto parts = tuple(value);
    if (!parts) {
      const Token own = fresh(name, at);  // where 0.0 is written a real number is meant
      give(statements, own, value);
      return {own};
    }
    std::vector<Tokens> all;
    for (const Tokens& p : *parts) all.push_back(named_parts(p, name, at, statements));
    return in_brackets(with_commas(all, at), at);
  }

  struct Scan {
    std::size_t begin = 0, open = 0, close = 0;  ///< of the call, in the program
    bool counts = false;                         ///< fori_loop
  };
  std::optional<Scan> scan_in(std::size_t begin, std::size_t end) const {
    for (std::size_t k = begin; k + 1 < end; ++k) {
      if ((!tokens_[k].is("scan") && !tokens_[k].is("fori_loop")) || !tokens_[k + 1].is("(") || k < 2 || !tokens_[k - 1].is(".") || !tokens_[k - 2].is("lax")) continue;
      Scan found{k - 2, k + 1, closing(tokens_, k + 1), tokens_[k].is("fori_loop")};
      if (found.begin > 1 && tokens_[found.begin - 1].is(".") && tokens_[found.begin - 2].is("jax")) found.begin -= 2;
      if (found.close < end && !is_recomputed(tokens_, k)) return found;
    }
    return std::nullopt;
  }

  bool write_scan(std::size_t begin) {
    const std::size_t end = end_of_statement(tokens_, begin);
    const bool plain = end < tokens_.size() && tokens_[end].kind != TokenKind::block_begin && !tokens_[begin].is("if") && !tokens_[begin].is("while") && !tokens_[begin].is("for");
    const auto scan = plain ? scan_in(begin, end) : std::nullopt;
    if (!scan) return false;
    const auto written = scan->counts ? written_count(*scan, begin) : written_scan(*scan, begin);
    if (!written) fail("parse.unexpected", "what each step of `" + std::string(scan->counts ? "fori_loop" : "scan") + "` does is not read", tokens_[scan->begin].span, "give it a function beside it that gives values to names and returns (carry, y); or write the loop with for");
    Tokens statement = slice(tokens_, begin, scan->begin);
    put(statement, written->value);
    put(statement, slice(tokens_, scan->close + 1, end));
    statement = with_items_chosen(statement);
    Tokens all = written->statements;
    const auto equals = assignment(statement);
    Tokens given;
    const bool plain_targets = equals && *equals > 0 && (closes(statement[*equals - 1]) || !changes_in_place(statement, *equals)) && tuple(slice(statement, 0, *equals));
    if (plain_targets && assign(slice(statement, 0, *equals), between(statement, *equals + 1), given, true)) {
      if (!given.empty()) given.pop_back();
      put(all, given);
      if (given.empty()) all.pop_back();
    } else {
      put(all, statement);
    }
    release();
    exchange(tokens_, begin, end, all);
    return true;
  }

  /// The function that a loop is made of, by its name or as a lambda.
  std::optional<Function> function_of(const Tokens& written, std::size_t k) const {
    if (!written.empty() && written[0].is("lambda")) return of_lambda(written, k);
    return written.size() == 1 ? function(written[0], k, true) : std::nullopt;
  }
  static void begin_loop(Tokens& statements, const Token& index, const Tokens& range) {
    put(statements, {word("for", index), index, word("in", index)});
    put(statements, range);
    put(statements, {symbol(":", index), {TokenKind::block_begin, {}, index.span}});
  }
  static void end_loop(Tokens& statements, const Token& at) { put(statements, {{TokenKind::block_end, {}, at.span}, {TokenKind::separator, "\n", at.span}}); }
  static Tokens range_of(const std::vector<Tokens>& ends, const Token& at) { return called_with("range", ends, at); }

  std::optional<Done> written_count(const Scan& scan, std::size_t begin) {
    const Token at = tokens_[scan.begin];
    const auto arguments = arguments_of(slice(tokens_, scan.open + 1, scan.close), {"lower", "upper", "body_fun", "init_val"});
    if (!arguments || arguments->size() != 4) return std::nullopt;
    const auto f = function_of(arguments->at("body_fun"), begin);
    if (!f || f->parameters.size() != 2) return std::nullopt;
    if (arguments->at("body_fun").size() == 1) written_out_.insert(arguments->at("body_fun")[0].text);
    Done result;
    const Tokens carry = named_parts(written_tuple(arguments->at("init_val"), begin), f->parameters[1], at, result.statements);
    const Token index = fresh("step", at);
    begin_loop(result.statements, index, range_of({arguments->at("lower"), arguments->at("upper")}, at));
    auto step = done(*f, {{index}, carry});
    if (!step || !assign(carry, step->value, step->statements)) return std::nullopt;
    put(result.statements, step->statements);
    end_loop(result.statements, at);
    result.value = carry;
    return result;
  }

  std::optional<Done> written_scan(const Scan& scan, std::size_t begin) {
    const Token at = tokens_[scan.begin];
    auto arguments = arguments_of(slice(tokens_, scan.open + 1, scan.close), {"f", "init", "xs", "length", "reverse", "unroll"});
    if (!arguments || arguments->count("f") + arguments->count("init") < 2) return std::nullopt;
    const auto is = [&](std::string_view name, std::string_view value) { return arguments->count(name) > 0 && arguments->at(name).size() == 1 && arguments->at(name)[0].is(value); };
    const bool backwards = is("reverse", "True");
    if (arguments->count("reverse") > 0 && !backwards && !is("reverse", "False")) return std::nullopt;
    const auto f = function_of(arguments->at("f"), begin);
    if (!f || f->parameters.size() != 2) return std::nullopt;
    if (arguments->at("f").size() == 1) written_out_.insert(arguments->at("f")[0].text);
    const bool nothing = arguments->count("xs") == 0 || is("xs", "None");
    if (nothing && arguments->count("length") == 0) return std::nullopt;
    Done result;
    const Tokens carry = named_parts(written_tuple(arguments->at("init"), begin), f->parameters[0], at, result.statements);
    const Token index = fresh("step", at);
    Tokens range, item{word("None", at)};
    if (arguments->count("length") > 0) range = range_of({arguments->at("length")}, at);  // as many as there are items
    if (!nothing) {
      const Tokens values = written_tuple(arguments->at("xs"), begin);
      const bool places = !tuple(values) && values.size() > 5 && values[2].is("arange") && values[1].is(".") && closing(values, 3) + 1 == values.size() && parts_of(inside(values, 4)).size() == 1;
      item = places ? Tokens{index} : items_of(values, index, result.statements, range);
      if (places && range.empty()) range = range_of({inside(values, 4)}, at);
      if (item.empty()) return std::nullopt;
    }
    auto step = done(*f, {carry, item});
    const auto both = step ? tuple(step->value) : std::nullopt;
    if (!both || both->size() != 2) return std::nullopt;
    Tokens found, stacks;
    const bool gives_none = (*both)[1].size() == 1 && (*both)[1][0].is("None");
    const Tokens lists = gives_none ? Tokens{word("None", at)} : lists_for((*both)[1], at, backwards, result.statements, found, stacks);
    if (!assign(carry, (*both)[0], found)) return std::nullopt;
    if (backwards) range = called_with("reversed", {range}, at);
    begin_loop(result.statements, index, range);
    put(result.statements, step->statements);
    put(result.statements, found);
    end_loop(result.statements, at);
    put(result.statements, stacks);
    result.value = in_brackets(with_commas({carry, lists}, at), at);
    return result;
  }
  /// (q[t], k[t]) for (q, k), and a range as long as the first of them.
  Tokens items_of(const Tokens& values, const Token& index, Tokens& statements, Tokens& range) {
    if (const auto parts = tuple(values)) {
      std::vector<Tokens> all;
      for (const Tokens& p : *parts) {
        all.push_back(items_of(p, index, statements, range));
        if (all.back().empty()) return {};
      }
      return in_brackets(with_commas(all, index), index);
    }
    Token name = values[0];
    if (values.size() > 1) {
      name = fresh("items", values[0]);
      give(statements, name, values);
    } else if (name.kind != TokenKind::name) {
      return {};
    }
    if (range.empty()) range = range_of({{name, symbol(".", name), word("shape", name), symbol("[", name), {TokenKind::number, "0", name.span}, symbol("]", name)}}, name);
    return {name, symbol("[", name), index, symbol("]", name)};
  }
  /// Lists that begin with nothing before the loop, get an item in each step, and are arrays behind it, as what each step gives is made of.
  Tokens lists_for(const Tokens& value, const Token& at, bool backwards, Tokens& before, Tokens& step, Tokens& behind) {
    if (const auto parts = tuple(value)) {
      std::vector<Tokens> all;
      for (const Tokens& p : *parts) all.push_back(lists_for(p, at, backwards, before, step, behind));
      return in_brackets(with_commas(all, at), at);
    }
    const Token list = fresh("steps", at);
    const Token stacked = fresh("stacked", at);
    give(before, list, {symbol("[", at), symbol("]", at)});
    put(step, {list, symbol(".", at)});
    put(step, called_with("append", {value}, at));
    step.push_back({TokenKind::separator, "\n", at.span});
    Tokens items = called_with("stack", {{list}}, at);
    if (backwards) put(items, {symbol("[", at), symbol(":", at), symbol(":", at), symbol("-", at), {TokenKind::number, "1", at.span}, symbol("]", at)});  // the first one is at the last place
    give(behind, stacked, items);
    return {stacked};
  }

  /// Whether _ is a name as any other, and not only what nobody needs.
  bool reads_underscore() const {
    for (std::size_t k = 0; k < tokens_.size(); ++k) {
      if (!tokens_[k].is("_") || !is_use(tokens_, k)) continue;
      const std::size_t begin = beginning_of_statement(tokens_, k);
      const Tokens s = slice(tokens_, begin, end_of_statement(tokens_, begin));
      const std::size_t at = k - begin;
      std::size_t last = at;  // the word before it that begins a list of names
      while (last > 0 && !s[last].is("for") && !s[last].is("lambda") && !s[last].is("in") && !s[last].is(":")) --last;
      const bool bound = s[last].is("for") || s[last].is("lambda") || s[0].is("def");
      const auto equals = assignment(s);
      if (!bound && !(equals && at < *equals)) return true;
    }
    return false;
  }

  Tokens tokens_;
  Words& words_;
  bool reads_underscore_;
  int rewritten_ = 0;
  std::set<std::string_view> written_out_;  ///< functions
  std::size_t reserved_ = 0;
};

}  // namespace

Tokens with_steps_written_out(Tokens tokens, Words& words) {
  const auto any = [&](std::string_view what) { return std::any_of(tokens.begin(), tokens.end(), [&](const Token& t) { return t.is(what); }); };
  const bool functions = any("def") || any("lambda"), loops = any("for") || any("lax");
  return functions && loops ? Steps(std::move(tokens), words).run() : tokens;
}

}  // namespace foldproof::program
