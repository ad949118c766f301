// SPDX-License-Identifier: MIT
#include "program/dictionaries.hpp"

#include <algorithm>
#include <map>

#include "expr/diagnostic.hpp"

namespace foldproof::program {
namespace {

constexpr int most_functions = 100;  // with parameters for keys, in one program

/// What a name stands for that holds several values.
struct Record {
  enum class Kind { value, dictionary, tuple };
  Kind kind = Kind::value;
  Tokens value;                                             ///< of a value: what is written in its place
  std::vector<Record> parts;                                ///< of keys in the order in which they were given, of a tuple by "0", "1", ...
  std::string_view key = {};                                ///< of a part
  bool list = false;                                        ///< of dictionaries or tuples: each value is the list of theirs
  bool given = false;                                       ///< to a function, which would change what was given

  bool plain() const { return kind == Kind::value; }
  const Record* part(std::string_view wanted) const {
    const auto at = std::find_if(parts.begin(), parts.end(), [&](const Record& p) { return p.key == wanted; });
    return at == parts.end() ? nullptr : &*at;
  }
  /// The values of all keys, also of dictionaries in it.
  void each_value(const std::function<void(const Record&)>& see) const {
    if (plain()) return see(*this);
    for (const Record& part : parts) part.each_value(see);
  }
  /// The same keys with other values.
  Record mapped(const std::function<Tokens(const Tokens&)>& change) const {
    Record result = *this;
    if (plain()) result.value = change(value);
    for (Record& part : result.parts) part = part.mapped(change);
    return result;
  }
  bool same_values(const Record& other) const {
    const auto same = [](const Record& a, const Record& b) { return a.key == b.key && a.same_values(b); };
    return kind == other.kind && list == other.list && text_of(value) == text_of(other.value) && std::equal(parts.begin(), parts.end(), other.parts.begin(), other.parts.end(), same);
  }
  bool same_keys(const Record& other) const {
    return kind == other.kind && list == other.list && std::equal(parts.begin(), parts.end(), other.parts.begin(), other.parts.end(), [](const Record& a, const Record& b) { return a.key == b.key && a.same_keys(b); });
  }
};

bool opens_any(const Token& t) { return opens(t) || t.is("{"); }
bool closes_any(const Token& t) { return closes(t) || t.is("}"); }

std::size_t closing_any(const Tokens& tokens, std::size_t open) {
  int depth = 0;
  for (std::size_t k = open; k < tokens.size(); ++k) {
    depth += (opens_any(tokens[k]) ? 1 : 0) - (closes_any(tokens[k]) ? 1 : 0);
    if (depth == 0) return k;
  }
  return tokens.size();
}

/// The first place outside of all brackets, also of { }.
std::optional<std::size_t> outside(const Tokens& tokens, std::string_view what) {
  for (std::size_t k = 0; k < tokens.size(); ++k) {
    if (tokens[k].is(what)) return k;
    if (opens_any(tokens[k])) k = closing_any(tokens, k);
  }
  return std::nullopt;
}

std::vector<Tokens> entries_of(const Tokens& tokens) {
  std::vector<Tokens> parts;
  Tokens rest = tokens;
  while (!rest.empty()) {
    const auto comma = outside(rest, ",");
    parts.push_back(slice(rest, 0, comma.value_or(rest.size())));
    rest = comma ? between(rest, *comma + 1) : Tokens{};
  }
  return parts;
}

bool is_one(const Tokens& tokens, std::string_view open) { return tokens.size() > 1 && tokens[0].is(open) && closing_any(tokens, 0) + 1 == tokens.size(); }

std::string_view key_of(const Token& quoted) { return quoted.text.substr(1, quoted.text.size() - 2); }

class Dictionaries {
 public:
  Dictionaries(Tokens tokens, Words& words) : tokens_(std::move(tokens)), words_(words) {
    for (const Token& t : tokens_) taken_.insert(t.text);
  }

  Tokens run() {
    written_ = block(tokens_, true);
    for (const std::string_view name : copied_) drop_uncalled(name);
    for (const auto& [name, error] : refused_) {
      std::rethrow_exception(error);
    }
    return std::move(written_);
  }

 private:
  using Records = std::map<std::string_view, Record>;

  /// def f(x, p): ... and f = lambda x, p: ..., outside of all blocks.
  struct Function {
    Token name;
    std::vector<Tokens> parameters;
    Tokens body;  ///< from the colon on
    bool lambda = false;
    std::vector<std::pair<std::map<std::string_view, Record>, Token>> copies;  ///< what parameters were, and the function for that
  };

  // ---- names ----

  Token word(std::string text, const Token& at) {
    while (taken_.count(text) > 0) text += "_";
    words_.push_back(std::move(text));
    taken_.insert(words_.back());
    return {TokenKind::name, words_.back(), at.span};
  }

  /// The same keys, with a name for each value.
  Record named(const Record& record, const Token& name) {
    Record result = record;
    if (record.plain()) {
      result.value = {name};
      return result;
    }
    for (Record& part : result.parts) part = named(part, word(std::string(name.text) + "_" + std::string(part.key), name));
    return result;
  }

  [[noreturn]] static void misused(const Token& at) {
    const std::string name(at.text.substr(0, 40));
    fail("parse.unexpected", describe(at) + " is a dictionary, or a list of such or of tuples, which is read by its keys", at.span, "write " + name + "[\"key\"], or f(**" + name + ")");
  }

  // ---- what an expression holds ----

  /// The dictionary or tuple, or list of these, that all of the tokens are.
  std::optional<Record> record_of(const Tokens& tokens) {
    if (tokens.empty()) return std::nullopt;
    if (is_one(tokens, "{")) return literal(tokens);
    if (is_one(tokens, "(")) {
      const Tokens content = inside(tokens, 1);
      return outside(content, ",") ? std::nullopt : record_of(content);
    }
    if (tokens.size() > 3 && tokens[0].is("dict") && is_one(between(tokens, 1), "(")) return by_names(tokens);
    for (const std::string_view copies : {"copy", "deepcopy"}) {
      const std::size_t name = tokens.size() > 3 && tokens[0].is("copy") && tokens[1].is(".") ? 2 : 0;
      if (tokens.size() > name + 3 && tokens[name].is(copies) && is_one(between(tokens, name + 1), "(")) return record_of(inside(tokens, name + 2));
      const std::size_t n = tokens.size();
      if (n > 4 && tokens[n - 4].is(".") && tokens[n - 3].is(copies) && tokens[n - 2].is("(") && tokens[n - 1].is(")")) return record_of(slice(tokens, 0, n - 4));
    }
    if (auto called = returned_by(tokens)) return called;
    std::size_t end = 0;
    auto found = read_at(tokens, 0, end);
    return found && !found->plain() && end == tokens.size() ? found : std::nullopt;
  }

  /// Whether that makes a dictionary of its own, with which nothing else changes.
  static bool is_new(const Tokens& tokens) { return tokens.back().is("}") || (tokens.back().is(")") && !is_in_round_brackets(tokens)); }

  /// What name["key"][0] there is, with all that follows of the kind, and the position behind it.
  std::optional<Record> read_at(const Tokens& s, std::size_t k, std::size_t& end) {
    const auto at = is_use(s, k) ? records_.find(s[k].text) : records_.end();
    if (at == records_.end()) return std::nullopt;
    if ((in_function_ || recomputed_) && own_.count(s[k].text) == 0) read_later_.insert(s[k].text);
    Record found = at->second;
    const Token name = s[k];
    for (end = k + 1; end < s.size() && s[end].is("[") && !found.plain();) {
      const std::size_t close = closing(s, end);
      const Tokens place = slice(s, end + 1, close);
      if (found.list) {
        if (outside(place, ",")) misused(name);
        const Tokens index = rewritten(place);
        const bool some = outside(place, ":").has_value();
        found = found.mapped([&](const Tokens& list) {
          Tokens one = list;
          one.push_back(s[end]);
          put(one, index);
          one.push_back(s[close]);
          return one;
        });
        found.list = some;
        found.given = true;  // a value of a key may not be put into the list
      } else {
        const bool key = place.size() == 1 && place[0].kind == (found.kind == Record::Kind::dictionary ? TokenKind::text : TokenKind::number);
        if (!key) misused(name);
        const std::string_view text = found.kind == Record::Kind::dictionary ? key_of(place[0]) : place[0].text;
        const Record* part = found.part(text);
        if (part == nullptr) fail("name.unknown", describe(name) + " has no key " + describe(place[0]), place[0].span, "give it a value before");
        Record next = *part;
        next.given = next.given || found.given;
        found = std::move(next);
      }
      end = close + 1;
    }
    if (found.plain() && found.value.size() == 1) found.value[0].span = name.span;
    return found;
  }

  /// {"scale": 2, **others}, {key: 2*value for key, value in others.items()}
  Record literal(const Tokens& tokens) {
    Record result{.kind = Record::Kind::dictionary, .value = {}, .parts = {}};
    const Tokens content = inside(tokens, 1);
    if (const auto loop = outside(content, "for")) return of_each(content, *loop);
    for (const Tokens& entry : entries_of(content)) {
      static constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
      if (entry.empty()) continue;
      if (entry[0].is("**")) {
        const auto others = record_of(between(entry, 1));
        if (!others || others->kind != Record::Kind::dictionary || others->list) fail("parse.unexpected", "what is no dictionary has no keys", entry[0].span, "write {**s, \"scale\": 2} for an s = {...}");
        for (const Record& part : others->parts) set(result, part.key, part);
        continue;
      }
      const bool plain = entry.size() > 2 && entry[0].kind == TokenKind::text && entry[1].is(":") && key_of(entry[0]).find_first_not_of(letters) == std::string_view::npos;
      if (!plain) fail("parse.unexpected", "an entry of a dictionary has a word in quotes for its key here", entry[0].span, "write {\"scale\": 2}");
      const bool again = std::any_of(result.parts.begin(), result.parts.end(), [&](const Record& p) { return p.key == key_of(entry[0]); });
      if (again && std::none_of(content.begin(), content.end(), [](const Token& t) { return t.is("**"); })) fail("parse.duplicate", describe(entry[0]) + " has two values", entry[0].span, "leave one of them out");
      set(result, key_of(entry[0]), value_of(between(entry, 2)));
    }
    return result;
  }

  static void set(Record& record, std::string_view key, Record value) {
    value.key = key;
    const auto at = std::find_if(record.parts.begin(), record.parts.end(), [&](const Record& p) { return p.key == key; });
    if (at != record.parts.end()) *at = std::move(value);
    else record.parts.push_back(std::move(value));
  }

  Record value_of(const Tokens& tokens) {
    if (auto record = list_of(tokens)) return *record;
    if (auto record = record_of(tokens)) return *record;
    return {.kind = Record::Kind::value, .value = rewritten(tokens), .parts = {}};
  }

  /// dict(scale=2), dict(others, scale=2)
  Record by_names(const Tokens& tokens) {
    Record result{.kind = Record::Kind::dictionary, .value = {}, .parts = {}};
    for (const Tokens& entry : entries_of(inside(tokens, 2))) {
      if (entry.size() > 2 && entry[0].kind == TokenKind::name && entry[1].is("=")) {
        set(result, entry[0].text, value_of(between(entry, 2)));
        continue;
      }
      const std::size_t spread = !entry.empty() && entry[0].is("**") ? 1 : 0;
      const auto others = record_of(between(entry, spread));
      if (!others || others->kind != Record::Kind::dictionary || others->list) fail("parse.unexpected", "what is no dictionary has no keys", tokens[0].span, "write dict(scale=2)");
      for (const Record& part : others->parts) set(result, part.key, part);
    }
    return result;
  }

  /// {key: 2*value for key, value in others.items()}
  Record of_each(const Tokens& content, std::size_t loop) {
    const Tokens head = slice(content, 0, loop), clause = between(content, loop + 1);
    const auto in = outside(clause, "in"), colon = outside(head, ":");
    const Tokens names = slice(clause, 0, in.value_or(0));
    const auto [others, items] = in ? keys_in(between(clause, *in + 1)) : std::pair<std::optional<Record>, bool>{};
    const bool form = others && colon && (items ? names.size() == 3 && names[1].is(",") : names.size() == 1);
    if (!form) fail("parse.unexpected", "a dictionary is made of the keys of another one here", content[loop].span, "write {key: 2*value for key, value in s.items()}");
    Record result{.kind = Record::Kind::dictionary, .value = {}, .parts = {}};
    for (const Record& part : others->parts) {
      const Tokens one = for_key(between(head, *colon + 1), names, part);
      if (slice(head, 0, *colon).size() != 1 || !head[0].is(names[0].text)) fail("parse.unexpected", "a dictionary is made of the keys of another one here", content[0].span, "write {key: 2*value for key, value in s.items()}");
      set(result, part.key, value_of(one));
    }
    return result;
  }

  /// s and whether it is s.items(), of s, s.keys() and s.items().
  std::pair<std::optional<Record>, bool> keys_in(const Tokens& range) {
    const std::size_t n = range.size();
    const bool call = n > 4 && range[n - 4].is(".") && range[n - 2].is("(") && range[n - 1].is(")") && (range[n - 3].is("items") || range[n - 3].is("keys"));
    auto found = record_of(call ? slice(range, 0, n - 4) : range);
    if (found && (found->kind != Record::Kind::dictionary || found->list)) found.reset();
    return {std::move(found), call && range[n - 3].is("items")};
  }

  /// What is said of names = key, value, with a key that stands there.
  Tokens for_key(const Tokens& body, const Tokens& names, const Record& part) {
    words_.push_back("'" + std::string(part.key) + "'");
    const Tokens text{{TokenKind::text, words_.back(), names[0].span}};
    Tokens value;
    if (names.size() == 3) {
      if (part.plain()) value = part.value;
      else records_[(value = {word(std::string(names[2].text), names[2])})[0].text] = part;
    }
    return replaced(body, [&](std::string_view used) { return used == names[0].text ? &text : names.size() == 3 && used == names[2].text ? &value : nullptr; });
  }

  /// [{...}, {...}], [(A, a), (B, b)], [{...} for _ in range(3)]
  std::optional<Record> list_of(const Tokens& tokens) {
    if (!is_one(tokens, "[")) return std::nullopt;
    const Tokens content = inside(tokens, 1);
    const auto loop = outside(content, "for");
    std::vector<Tokens> items = loop ? std::vector<Tokens>{slice(content, 0, *loop)} : entries_of(content);
    const auto is_record = [&](const Tokens& item) {
      if (item.empty()) return false;
      const bool tuple = is_one(item, "(") && outside(inside(item, 1), ",").has_value();
      if (tuple || is_one(item, "{") || (item[0].is("dict") && item.size() > 2 && is_one(between(item, 1), "("))) return true;
      if (loop) return false;
      const auto at = records_.find(item[0].text);
      return item.size() == 1 && at != records_.end() && !at->second.list;
    };
    std::erase_if(items, [](const Tokens& item) { return item.empty(); });
    if (items.empty() || !std::all_of(items.begin(), items.end(), is_record)) return std::nullopt;
    const Records before = records_;
    Tokens clauses = loop ? bound_clauses(between(content, *loop)) : Tokens{};
    std::vector<Record> all;
    for (const Tokens& item : items) all.push_back(item_of(item));
    records_ = before;
    for (const Record& r : all) {
      if (!r.same_keys(all[0])) fail("parse.unexpected", "dictionaries in one list have the same keys here, and tuples the same length", tokens[0].span, "name each of them");
    }
    return joined(all, tokens, clauses);
  }

  Record item_of(const Tokens& item) {
    if (auto record = record_of(item)) return *record;
    Record result{.kind = Record::Kind::tuple, .value = {}, .parts = {}};
    for (const Tokens& part : entries_of(inside(item, 1))) {
      words_.push_back(std::to_string(result.parts.size()));
      set(result, words_.back(), value_of(part));
    }
    return result;
  }

  /// One record of lists of what several have.
  static Record joined(const std::vector<Record>& all, const Tokens& brackets, const Tokens& clauses) {
    Record result = all[0];
    result.list = true;
    for (std::size_t p = 0; p < result.parts.size(); ++p) {
      std::vector<Record> parts;
      for (const Record& r : all) parts.push_back(r.parts[p]);
      Record& part = result.parts[p];
      if (!part.plain()) {
        if (part.list) misused(brackets[0]);
        part = joined(parts, brackets, clauses);
        part.list = false;
        continue;
      }
      part.value = {brackets.front()};
      for (std::size_t k = 0; k < parts.size(); ++k) {
        if (k > 0) part.value.push_back({TokenKind::symbol, ",", brackets[0].span});
        put(part.value, parts[k].value);
      }
      put(part.value, clauses);
      part.value.push_back(brackets.back());
    }
    return result;
  }

  // ---- functions ----

  /// The dictionary that f(...) returns, behind a statement that calls it.
  std::optional<Record> returned_by(const Tokens& tokens) {
    const bool call = tokens.size() > 2 && tokens[0].kind == TokenKind::name && is_one(between(tokens, 1), "(");
    if (!call || recomputed_) return std::nullopt;
    const Tokens before = pending_;
    const Tokens written = functions_.count(tokens[0].text) > 0 ? rewritten(tokens) : tokens;
    const auto returns = returns_.find(written[0].text);
    if (returns == returns_.end()) {
      pending_ = before;  // it is read again as what it is
      return std::nullopt;
    }
    Record result = named(returns->second, word(std::string(tokens[0].text) + "_gave", tokens[0]));
    bool first = true;
    result.each_value([&](const Record& r) {
      if (!first) pending_.push_back({TokenKind::symbol, ",", tokens[0].span});
      first = false;
      put(pending_, r.value);
    });
    pending_.push_back({TokenKind::symbol, "=", tokens[0].span});
    put(pending_, written);
    pending_.push_back({TokenKind::separator, "\n", tokens[0].span});
    return result;
  }

  void note_function(const Tokens& tokens, std::size_t k, std::size_t head, std::size_t end) {
    const std::size_t close = k + 2 < head ? closing(tokens, k + 2) : head;
    if (close >= head || is_decorated(tokens, k)) return;
    functions_[tokens[k + 1].text] = {.name = tokens[k + 1], .parameters = parts_of(slice(tokens, k + 3, close)), .body = slice(tokens, close + 1, end), .lambda = false, .copies = {}};
  }
  void note_lambda(const Tokens& statement) {
    const auto colon = place_outside(statement, ":");
    if (!colon) return;
    functions_[statement[0].text] = {.name = statement[0], .parameters = parts_of(slice(statement, 3, *colon)), .body = between(statement, *colon), .lambda = true, .copies = {}};
  }

  /// The call of what f is for these dictionaries, f(x, p_scale, p_shift); nothing where no argument is one.
  std::optional<Tokens> call_for_records(const Tokens& s, std::size_t k) {
    const auto function = functions_.find(s[k].text);
    if (function == functions_.end() || k + 1 >= s.size() || !s[k + 1].is("(") || (k > 0 && (s[k - 1].is(".") || s[k - 1].is("def")))) return std::nullopt;
    Function& f = function->second;
    std::map<std::string_view, Record> given;
    std::vector<Tokens> arguments;
    const auto all = arguments_of(entries_of(slice(s, k + 2, closing_any(s, k + 1))));
    for (std::size_t a = 0; a < all.size(); ++a) {
      const Tokens& argument = all[a].first;
      if (argument.empty()) continue;
      const bool by_name = argument.size() > 2 && argument[0].kind == TokenKind::name && argument[1].is("=");
      if (argument[0].is("*") || argument[0].is("**")) return std::nullopt;
      const Tokens value = between(argument, by_name ? 2 : 0);
      auto record = all[a].second;
      if (!record) record = list_of(value);
      if (!record) record = record_of(value);
      if (!record) {
        arguments.push_back(rewritten(argument));
        continue;
      }
      const auto parameter = std::find_if(f.parameters.begin(), f.parameters.end(), [&](const Tokens& p) { return !p.empty() && by_name && p[0].text == argument[0].text; });
      if (by_name ? parameter == f.parameters.end() : a >= f.parameters.size() || f.parameters[a].empty()) misused(s[k]);
      const Token& name = by_name ? (*parameter)[0] : f.parameters[a][0];
      given[name.text] = *record;
      record->each_value([&](const Record& r) {
        Tokens one;
        if (by_name) one = {argument[0], argument[1]};  // its name follows below
        put(one, r.value);
        arguments.push_back(one);
      });
    }
    if (given.empty()) return std::nullopt;
    const Token copy = copy_for(f, given);
    Tokens call{copy, s[k + 1]};
    call[0].span = s[k].span;
    std::map<std::string_view, std::vector<Token>> names;
    for (const auto& given_here : names_of_[copy.text]) {
      given_here.second.each_value([&](const Record& r) { names[given_here.first].push_back(r.value[0]); });
    }
    std::map<std::string_view, std::size_t> next;
    bool first = true;
    for (Tokens& argument : arguments) {
      if (!first) call.push_back({TokenKind::symbol, ",", s[k].span});
      first = false;
      const bool by_name = argument.size() > 2 && argument[0].kind == TokenKind::name && argument[1].is("=") && given.count(argument[0].text) > 0;
      if (by_name) argument[0] = names[argument[0].text][next[argument[0].text]++];
      put(call, argument);
    }
    call.push_back({TokenKind::symbol, ")", s[k].span});
    return call;
  }

  /// Arguments with what a dictionary or a tuple holds in the place of **s and *s; a part that is one itself beside what stands for it.
  std::vector<std::pair<Tokens, std::optional<Record>>> arguments_of(const std::vector<Tokens>& written) {
    std::vector<std::pair<Tokens, std::optional<Record>>> result;
    for (const Tokens& argument : written) {
      const bool by_key = !argument.empty() && argument[0].is("**"), by_place = !argument.empty() && argument[0].is("*");
      const auto record = by_key || by_place ? record_of(between(argument, 1)) : std::nullopt;
      if (!record || record->list || (record->kind == Record::Kind::dictionary) != by_key) {
        result.emplace_back(argument, std::nullopt);
        continue;
      }
      for (const Record& part : record->parts) {
        Tokens one;
        if (by_key) one = {{TokenKind::name, part.key, argument[0].span}, {TokenKind::symbol, "=", argument[0].span}};
        put(one, part.plain() ? part.value : Tokens{argument[0]});
        result.emplace_back(one, part.plain() ? std::nullopt : std::optional(part));
      }
    }
    return result;
  }

  /// The name of the function with a parameter for each key, which is written before what is read by now.
  Token copy_for(Function& f, const std::map<std::string_view, Record>& given) {
    const auto alike = [&](const auto& copy) { return std::equal(copy.first.begin(), copy.first.end(), given.begin(), given.end(), [](const auto& a, const auto& b) { return a.first == b.first && a.second.same_keys(b.second); }); };
    if (const auto known = std::find_if(f.copies.begin(), f.copies.end(), alike); known != f.copies.end()) return known->second;
    if (++made_ > most_functions) fail("parse.unexpected", "this function is called with dictionaries of too many kinds", f.name.span, "give it their values");
    const Token name = word(std::string(f.name.text) + "_by_keys", f.name);
    copied_.insert(f.name.text);
    f.copies.emplace_back(given, name);
    const Function function = f;  // what is called in it may be noted anew
    const Records outside_of = records_;
    const Tokens pending = std::exchange(pending_, {});
    const bool recomputed = std::exchange(recomputed_, function.lambda);
    const auto returned = std::exchange(returned_, std::nullopt);
    const bool in_function = std::exchange(in_function_, true);
    const auto outer = std::exchange(own_, bound_names(function.body).assigned);
    for (const Tokens& p : function.parameters) {
      if (!p.empty()) own_.insert(p[0].text);
    }
    forget(own_);
    Tokens parameters;
    const auto add = [&](const Tokens& p) {
      if (!parameters.empty()) parameters.push_back({TokenKind::symbol, ",", function.name.span});
      put(parameters, p);
    };
    std::map<std::string_view, Record> names;
    for (const Tokens& p : function.parameters) {
      if (p.empty()) continue;
      const auto record = given.find(p[0].text);
      if (record == given.end()) {
        add(p);
        continue;
      }
      Record own = named(record->second, p[0]);
      own.each_value([&](const Record& r) { add(r.value); });
      mark_given(own);
      names.emplace(p[0].text, own);
      records_[p[0].text] = std::move(own);
    }
    names_of_[name.text] = names;
    Tokens definition;
    if (function.lambda) {
      definition = {name, {TokenKind::symbol, "=", name.span}, {TokenKind::name, "lambda", name.span}};
      put(definition, parameters);
      definition.push_back(function.body[0]);
      put(definition, rewritten(between(function.body, 1)));
      put(before_, pending_);
    } else {
      definition = {{TokenKind::name, "def", name.span}, name, {TokenKind::symbol, "(", name.span}};
      put(definition, parameters);
      definition.push_back({TokenKind::symbol, ")", name.span});
      put(definition, block(function.body, false));
      if (returned_) returns_[name.text] = *returned_;
    }
    definition.push_back({TokenKind::separator, "\n", name.span});
    put(before_, definition);
    records_ = outside_of;
    pending_ = pending;
    recomputed_ = recomputed;
    returned_ = returned;
    in_function_ = in_function;
    own_ = outer;
    return name;
  }

  static void mark_given(Record& record) {
    record.given = true;
    for (Record& part : record.parts) mark_given(part);
  }

  void drop_uncalled(std::string_view name) {
    std::optional<std::size_t> at;
    for (std::size_t k = 0; k < written_.size(); ++k) {
      if (!written_[k].is(name) || (k > 0 && written_[k - 1].is("."))) continue;
      const bool defines = (k > 0 && written_[k - 1].is("def")) || (begins_statement(written_, k) && k + 2 < written_.size() && written_[k + 2].is("lambda"));
      if (at || !defines) return;
      at = beginning_of_statement(written_, k);
    }
    if (!at) return;
    refused_.erase(name);
    Tokens next = slice(written_, 0, *at);
    put(next, slice(written_, behind_statement(written_, *at), written_.size()));
    written_ = std::move(next);
  }

  // ---- statements ----

  Tokens block(const Tokens& tokens, bool outermost) {
    Tokens written;
    for (std::size_t k = 0; k < tokens.size();) {
      if (ends_statement(tokens[k])) {
        written.push_back(tokens[k++]);
        continue;
      }
      const std::size_t head = end_of_statement(tokens, k), end = behind_statement(tokens, k);
      const Tokens statement = slice(tokens, k, head);
      Tokens result;
      if (statement[0].is("def") && head < end) {
        result = definition(tokens, k, head, end, outermost);
      } else if (statement[0].is("class") && head < end) {
        result = statement;
        put(result, block(slice(tokens, head, end), false));
      } else if (statement[0].is("for") && head < end) {
        result = loop(statement, slice(tokens, head, end));
      } else {
        result = simple(statement);
        if (head < end) put(result, inner_block(slice(tokens, head, end)));
      }
      if (outermost) put(written, std::exchange(before_, {}));
      put(written, std::exchange(pending_, {}));
      put(written, result);
      k = end;
    }
    return written;
  }

  Tokens definition(const Tokens& tokens, std::size_t k, std::size_t head, std::size_t end, bool outermost) {
    if (outermost) note_function(tokens, k, head, end);
    records_.erase(tokens[k + 1].text);
    const Records outside_of_it = records_;
    try {
      return read_definition(tokens, k, head, end, outermost);
    } catch (const Error&) {
      if (!outermost) throw;
      records_ = outside_of_it;
      pending_.clear();
      own_.clear();
      returned_.reset();
      in_function_ = recomputed_ = false;
      refused_[tokens[k + 1].text] = std::current_exception();  // unless it is only called with dictionaries
      return slice(tokens, k, end);
    }
  }
  Tokens read_definition(const Tokens& tokens, std::size_t k, std::size_t head, std::size_t end, bool outermost) {
    const Records outside_of = records_;
    const auto returned = std::exchange(returned_, std::nullopt);
    const bool in_function = std::exchange(in_function_, true);
    const auto outer = std::exchange(own_, bound_names(slice(tokens, k, end)).assigned);
    forget(own_);
    Tokens result = slice(tokens, k, head);
    put(result, block(slice(tokens, head, end), false));
    if (outermost && returned_) returns_[tokens[k + 1].text] = *returned_;
    records_ = outside_of;
    returned_ = returned;
    in_function_ = in_function;
    own_ = outer;
    return result;
  }

  /// The names that get a value of their own: of a, (b, c) = value, and not of s["scale"][0] = value.
  static std::set<std::string_view> targets_of(const Tokens& targets) {
    std::set<std::string_view> found;
    for (const Tokens& target : parts_of(targets)) {
      if (target.size() == 1) found.insert(target[0].text);
      else if (is_one_bracket(target)) found.merge(targets_of(inside(target, 1)));
    }
    return found;
  }
  void forget(const std::set<std::string_view>& names) {
    for (const std::string_view name : names) records_.erase(name);
  }

  /// for name in layers, for a, b in layers, for k, layer in enumerate(layers), for key, value in s.items()
  Tokens loop(const Tokens& head, const Tokens& body) {
    const auto in = outside(head, "in");
    const Tokens names = slice(head, 1, in.value_or(1));
    const Tokens range = in ? slice(head, *in + 1, head.back().is(":") ? head.size() - 1 : head.size()) : Tokens{};
    if (const auto [keys, items] = keys_in(range); keys && names.size() == (items ? 3 : 1)) {
      Tokens result;
      for (const Record& part : keys->parts) {
        const Tokens once = for_key(body, names, part);
        std::size_t first = 0, last = once.size();
        if (first < last && once[first].kind == TokenKind::block_begin) ++first;
        if (last > first && once[last - 1].kind == TokenKind::block_end) --last;
        put(result, block(slice(once, first, last), false));
      }
      return result;
    }
    Tokens result{head[0]};
    put(result, bound_range(names, range));
    if (head.back().is(":")) result.push_back(head.back());
    const Tokens pending = std::exchange(pending_, {});
    put(result, inner_block(body));
    pending_ = pending;
    return result;
  }

  /// What may be done or not, or several times. Which keys something has behind it is not known where it is given others there.
  Tokens inner_block(const Tokens& body) {
    const Records before = records_;
    Tokens result = block(body, false);
    std::erase_if(records_, [&](const auto& after) {
      const auto known = before.find(after.first);
      return known == before.end() || !known->second.same_values(after.second);
    });
    return result;
  }

  /// names in range, where what names stand for is known from then on.
  Tokens bound_range(const Tokens& names, const Tokens& range) {
    const Token none = names.empty() ? Token{} : names[0];
    const Token in{TokenKind::name, "in", none.span}, comma{TokenKind::symbol, ",", none.span};
    const bool counted = range.size() > 3 && range[0].is("enumerate") && is_one(between(range, 1), "(");
    const bool zipped = range.size() > 3 && range[0].is("zip") && is_one(between(range, 1), "(");
    std::vector<Tokens> ranges = counted || zipped ? entries_of(inside(range, 2)) : std::vector<Tokens>{range};
    std::vector<Tokens> targets = parts_of(is_one_bracket(names) ? inside(names, 1) : names);
    std::vector<Tokens> of_ranges = counted ? std::vector<Tokens>(targets.begin() + std::min<std::ptrdiff_t>(1, static_cast<std::ptrdiff_t>(targets.size())), targets.end()) : zipped ? targets : std::vector<Tokens>{names};
    if (ranges.size() != of_ranges.size()) ranges.clear();
    bool any = false;
    std::vector<Tokens> lists, each;
    for (std::size_t k = 0; k < ranges.size(); ++k) {
      auto record = list_of(ranges[k]);
      if (!record) record = record_of(ranges[k]);
      if (!record) {
        lists.push_back(rewritten(ranges[k]));
        each.push_back(of_ranges[k]);
        continue;
      }
      if (!record->list) misused(ranges[k][0]);
      any = true;
      const std::vector<Tokens> own = parts_of(is_one_bracket(of_ranges[k]) ? inside(of_ranges[k], 1) : of_ranges[k]);
      if (own.size() == 1 && own[0].size() == 1) {
        Record one = named(*record, own[0][0]);
        one.list = false;
        one.given = true;
        one.each_value([&](const Record& r) { each.push_back(r.value); });
        records_[own[0][0].text] = one;
      } else {
        if (record->kind != Record::Kind::tuple || own.size() != record->parts.size()) misused(ranges[k][0]);
        for (std::size_t p = 0; p < own.size(); ++p) {
          if (!record->parts[p].plain()) misused(ranges[k][0]);
          if (!own[p].empty()) records_.erase(own[p][0].text);
          each.push_back(own[p]);
        }
      }
      record->each_value([&](const Record& r) { lists.push_back(r.value); });
    }
    Tokens result;
    if (!any) {
      for (const Token& t : names) {
        if (t.kind == TokenKind::name) records_.erase(t.text);
      }
      put(result, names);
      result.push_back(in);
      put(result, rewritten(range));
      return result;
    }
    const auto list = [&](const std::vector<Tokens>& parts) {
      for (std::size_t k = 0; k < parts.size(); ++k) {
        if (k > 0) result.push_back(comma);
        put(result, parts[k]);
      }
    };
    const Token open{TokenKind::symbol, "(", none.span}, close{TokenKind::symbol, ")", none.span};
    const bool one = each.size() == 1;
    if (counted) {
      put(result, targets[0]);
      result.push_back(comma);
      if (!one) result.push_back(open);
    }
    list(each);
    if (counted && !one) result.push_back(close);
    result.push_back(in);
    if (counted) put(result, {{TokenKind::name, "enumerate", none.span}, open});
    if (!one) put(result, {{TokenKind::name, "zip", none.span}, open});
    list(lists);
    if (!one) result.push_back(close);
    if (counted) result.push_back(close);
    return result;
  }

  /// for ... in ... if ... for ... in ..., the clauses of a comprehension.
  Tokens bound_clauses(const Tokens& clauses) {
    Tokens result;
    for (std::size_t k = 0; k < clauses.size();) {
      std::size_t end = k + 1;
      while (end < clauses.size() && !clauses[end].is("for") && !clauses[end].is("if")) end = opens_any(clauses[end]) ? closing_any(clauses, end) + 1 : end + 1;
      const Tokens clause = slice(clauses, k + 1, end);
      const std::size_t in = clauses[k].is("for") ? outside(clause, "in").value_or(0) : 0;
      result.push_back(clauses[k]);
      put(result, in > 0 ? bound_range(slice(clause, 0, in), between(clause, in + 1)) : rewritten(clause));
      k = end;
    }
    return result;
  }

  /// What a function reads is what the name stands for when it is called.
  void refuse_another(const Token& name) const {
    if (!in_function_ && records_.count(name.text) > 0 && read_later_.count(name.text) > 0) fail("parse.duplicate", describe(name) + " is a dictionary already, which a function reads", name.span, "give it another name, or give it to the function");
  }

  /// Statements that give each value of the record its name.
  Tokens given_names(const Record& record, const Token& name, const Token& equals) {
    refuse_another(name);
    const Record result = named(record, name);
    std::vector<Tokens> values;
    record.each_value([&](const Record& r) { values.push_back(r.value); });
    Tokens written;
    std::size_t k = 0;
    result.each_value([&](const Record& r) {
      put(written, {r.value[0], equals});
      put(written, values[k++]);
      written.push_back({TokenKind::separator, "\n", name.span});
    });
    records_[name.text] = result;
    return written;
  }

  Tokens simple(const Tokens& s) {
    if (s[0].is("print")) return s;
    const bool names = s.size() > 2 && s[0].kind == TokenKind::name && s[1].is("=");
    const Tokens value = names ? between(s, 2) : Tokens{};
    if (names && value[0].is("lambda") && !in_function_) note_lambda(s);
    if (names) {
      if (auto list = list_of(value)) return given_names(*list, s[0], s[1]);
      if (auto record = record_of(value)) {
        if (!is_new(value)) {  // another name for the same one
          refuse_another(s[0]);
          records_[s[0].text] = *record;
          return {};
        }
        return given_names(*record, s[0], s[1]);
      }
      if (auto made = made_empty(s)) return *made;
    }
    if (names) {
      const Tokens result = rewritten(s);
      records_.erase(s[0].text);  // it is something else from now on
      return result;
    }
    if (s[0].is("return") && s.size() > 1) {
      if (auto record = record_of(between(s, 1)); record && !record->list) {
        if (returned_ && !returned_->same_keys(*record)) fail("parse.unexpected", "a function returns dictionaries with the same keys here", s[0].span, "write one return at its end");
        returned_ = *record;
        Tokens result{s[0]};
        record->each_value([&](const Record& r) {
          if (result.size() > 1) result.push_back({TokenKind::symbol, ",", s[0].span});
          put(result, r.value);
        });
        return result;
      }
    }
    if (auto appended = with_appended(s)) return *appended;
    if (auto changed = with_changed_key(s)) return *changed;
    if (const auto equals = assignment(s)) {  // a, b = layers[0]
      if (auto each = each_given(s, *equals)) return *each;
      if (auto each = each_of_list(s, *equals)) return *each;
      if (auto record = record_of(between(s, *equals + 1)); record && record->kind == Record::Kind::tuple && !record->list) {
        Tokens result = slice(s, 0, *equals + 1);
        bool first = true;
        record->each_value([&](const Record& r) {
          if (!first) result.push_back({TokenKind::symbol, ",", s[0].span});
          first = false;
          put(result, r.value);
        });
        return result;
      }
    }
    const Tokens result = rewritten(s);
    forget(targets_of(slice(s, 0, assignment(s).value_or(0))));
    return result;
  }

  /// s, t = {"scale": 2}, {"scale": 3}
  std::optional<Tokens> each_given(const Tokens& s, std::size_t equals) {
    const auto targets = parts_of(slice(s, 0, equals)), values = entries_of(between(s, equals + 1));
    if (targets.size() != values.size() || targets.size() < 2) return std::nullopt;
    bool any = false;
    for (std::size_t k = 0; k < targets.size(); ++k) {
      if (targets[k].size() != 1 || targets[k][0].kind != TokenKind::name || names(between(s, equals + 1), targets[k][0].text)) return std::nullopt;
      const Tokens before = pending_;
      any = any || list_of(values[k]) || record_of(values[k]);
      pending_ = before;  // it is read again below
    }
    if (!any) return std::nullopt;
    Tokens written;
    for (std::size_t k = 0; k < targets.size(); ++k) {
      Tokens one{targets[k][0], s[equals]};
      put(one, values[k]);
      const Tokens result = simple(one);
      put(written, std::exchange(pending_, {}));
      put(written, result);
      written.push_back({TokenKind::separator, "\n", s[0].span});
    }
    return written;
  }

  /// (A, a), (B, b) = layers, as A, a = layers[0] and B, b = layers[1]
  std::optional<Tokens> each_of_list(const Tokens& s, std::size_t equals) {
    const Tokens value = between(s, equals + 1);
    const auto targets = parts_of(slice(s, 0, equals));
    const auto record = targets.size() > 1 && value.size() == 1 ? record_of(value) : std::nullopt;
    if (!record || !record->list) return std::nullopt;
    Tokens written;
    for (std::size_t k = 0; k < targets.size(); ++k) {
      words_.push_back(std::to_string(k));
      Tokens one = without_brackets(targets[k]);
      put(one, {s[equals], value[0], {TokenKind::symbol, "[", value[0].span}, {TokenKind::number, words_.back(), value[0].span}, {TokenKind::symbol, "]", value[0].span}});
      put(written, simple(one));
      written.push_back({TokenKind::separator, "\n", s[0].span});
    }
    return written;
  }

  /// layers = [], which gets tuples or dictionaries further on: as many lists.
  std::optional<Tokens> made_empty(const Tokens& s) {
    if (s.size() != 4 || !s[2].is("[") || !s[3].is("]")) return std::nullopt;
    for (std::size_t k = 0; k + 5 < tokens_.size(); ++k) {
      if (!tokens_[k].is(s[0].text) || !tokens_[k + 1].is(".") || !tokens_[k + 2].is("append") || !tokens_[k + 3].is("(")) continue;
      const Tokens item = slice(tokens_, k + 4, closing_any(tokens_, k + 3));
      Record keys{.kind = Record::Kind::tuple, .value = {}, .parts = {}};
      if (is_one(item, "(") && outside(inside(item, 1), ",")) {
        for (std::size_t p = 0; p < entries_of(inside(item, 1)).size(); ++p) {
          words_.push_back(std::to_string(p));
          set(keys, words_.back(), Record{.kind = Record::Kind::value, .value = {s[2], s[3]}, .parts = {}});
        }
      } else if (is_one(item, "{")) {
        keys.kind = Record::Kind::dictionary;
        for (const Tokens& entry : entries_of(inside(item, 1))) {
          if (entry.empty() || entry[0].kind != TokenKind::text) return std::nullopt;
          set(keys, key_of(entry[0]), Record{.kind = Record::Kind::value, .value = {s[2], s[3]}, .parts = {}});
        }
      } else {
        return std::nullopt;
      }
      keys.list = true;
      return given_names(keys, s[0], s[1]);
    }
    return std::nullopt;
  }

  /// layers.append((W, b))
  std::optional<Tokens> with_appended(const Tokens& s) {
    const auto at = s.size() > 5 && s[1].is(".") && s[2].is("append") && is_one(between(s, 3), "(") ? records_.find(s[0].text) : records_.end();
    if (at == records_.end() || !at->second.list) return std::nullopt;
    const Record list = at->second, item = item_of(inside(s, 4));
    Record alike = item;
    alike.list = true;
    if (!alike.same_keys(list)) fail("parse.unexpected", "dictionaries in one list have the same keys here, and tuples the same length", s[0].span, "name each of them");
    std::vector<Tokens> values;
    item.each_value([&](const Record& r) { values.push_back(r.value); });
    Tokens written;
    std::size_t k = 0;
    list.each_value([&](const Record& r) {
      if (k > 0) written.push_back({TokenKind::separator, "\n", s[0].span});
      put(written, r.value);
      put(written, slice(s, 1, 4));
      put(written, values[k++]);
      written.push_back(s.back());
    });
    return written;
  }

  /// s["scale"] = 2, s["scale"] *= 2
  std::optional<Tokens> with_changed_key(const Tokens& s) {
    const auto at = s.size() > 4 && s[1].is("[") && s[2].kind == TokenKind::text && s[3].is("]") ? records_.find(s[0].text) : records_.end();
    if (at == records_.end()) return std::nullopt;
    const bool gives = s[4].is("="), changes = s.size() > 5 && s[5].is("=");
    if (!gives && !changes) return std::nullopt;
    if (at->second.given || at->second.list) fail("parse.unexpected", "a function or a loop changes a dictionary that it was given", s[0].span, "copy it first: s = dict(s)");
    const Record value = value_of(between(s, gives ? 5 : 6));
    Record& record = records_.at(s[0].text);
    const Record* known = record.part(key_of(s[2]));
    if (gives && (known == nullptr || !known->plain() || !value.plain())) {
      Tokens written = given_names(value, word(std::string(s[0].text) + "_" + std::string(key_of(s[2])), s[2]), s[4]);
      if (value.plain()) {
        set(record, key_of(s[2]), {.kind = Record::Kind::value, .value = {written[0]}, .parts = {}});
        records_.erase(written[0].text);
      } else {
        misused(s[0]);
      }
      return written;
    }
    if (known == nullptr || !known->plain()) misused(s[0]);
    Tokens written = known->value;
    written[0].span = s[0].span;
    put(written, slice(s, 4, gives ? 5 : 6));
    put(written, value.value);
    return written;
  }

  // ---- the rest ----

  /// With what is held in the place of dictionaries.
  Tokens rewritten(const Tokens& s) {
    if (records_.empty() && functions_.empty()) return s;
    Tokens found;
    for (std::size_t k = 0; k < s.size(); ++k) {
      if (s[k].is("lambda")) {
        const Records outside_of = records_;
        const bool recomputed = std::exchange(recomputed_, true);
        const auto until = outside(between(s, k), ":");  // its body ends at the next comma
        const std::size_t begin = until ? k + *until : s.size();
        const auto comma = outside(slice(s, begin, s.size()), ",");
        const std::size_t end = comma ? begin + *comma : s.size();
        const Tokens rest = slice(s, k + 1, end);
        const auto colon = outside(rest, ":");
        for (const Token& t : slice(rest, 0, colon.value_or(0))) records_.erase(t.text);
        found.push_back(s[k]);
        put(found, slice(rest, 0, colon.value_or(0)));
        put(found, rewritten(between(rest, colon.value_or(0))));
        records_ = outside_of;
        recomputed_ = recomputed;
        k = end - 1;
        continue;
      }
      if (s[k].is("len") && k + 2 < s.size() && s[k + 1].is("(") && (k == 0 || !s[k - 1].is("."))) {
        const std::size_t close = closing(s, k + 1);
        if (const auto list = record_of(slice(s, k + 2, close)); list && list->list) {
          put(found, {s[k], s[k + 1]});
          put(found, first_value(*list));
          found.push_back({TokenKind::symbol, ")", s[k].span});
          k = close;
          continue;
        }
      }
      if (auto call = call_for_records(s, k)) {
        put(found, *call);
        k = closing_any(s, k + 1);
        continue;
      }
      if (opens_any(s[k])) {
        const std::size_t close = closing_any(s, k);
        const Tokens content = slice(s, k + 1, close);
        if (s[k].is("{")) fail("parse.unexpected", "a dictionary stands alone behind a name, or in a call of a function of the program", s[k].span, "write s = {\"scale\": 2} first");
        found.push_back(s[k]);
        put(found, in_brackets(content));
        if (close < s.size()) found.push_back(s[close]);
        k = close;
        continue;
      }
      std::size_t end = k;
      const auto read = read_at(s, k, end);
      if (!read) {
        found.push_back(s[k]);
        continue;
      }
      if (read->plain()) put(found, read->value);
      else if (!read->list && !found.empty() && found.back().is("**") && is_spread(found)) give_all(found, *read, s[k]);
      else if (!read->list && read->kind == Record::Kind::tuple && !found.empty() && found.back().is("*") && is_spread(found)) give_in_turn(found, *read);
      else misused(s[k]);
      k = end - 1;
    }
    return found;
  }

  Tokens in_brackets(const Tokens& content) {
    const auto loop = outside(content, "for");
    if (!loop) return rewritten(content);
    const Records outside_of = records_;
    const bool recomputed = std::exchange(recomputed_, true);
    const Tokens clauses = bound_clauses(between(content, *loop));
    Tokens result = rewritten(slice(content, 0, *loop));
    put(result, clauses);
    records_ = outside_of;
    recomputed_ = recomputed;
    return result;
  }
  static bool is_spread(const Tokens& found) { return found.size() == 1 || found[found.size() - 2].is("(") || found[found.size() - 2].is(","); }
  static Tokens first_value(const Record& record) {
    Tokens first;
    record.each_value([&](const Record& r) {
      if (first.empty()) first = r.value;
    });
    return first;
  }

  static void give_all(Tokens& found, const Record& record, const Token& name) {
    found.pop_back();
    bool first = true;
    for (const Record& part : record.parts) {
      if (!part.plain()) misused(name);
      if (!first) found.push_back({TokenKind::symbol, ",", part.value[0].span});
      first = false;
      put(found, {{TokenKind::name, part.key, part.value[0].span}, {TokenKind::symbol, "=", part.value[0].span}});
      put(found, part.value);
    }
  }
  static void give_in_turn(Tokens& found, const Record& record) {
    const Token star = found.back();
    found.pop_back();
    bool first = true;
    record.each_value([&](const Record& r) {
      if (!first) found.push_back({TokenKind::symbol, ",", star.span});
      first = false;
      put(found, r.value);
    });
  }

  const Tokens tokens_;
  Words& words_;
  std::set<std::string_view> taken_;
  Tokens written_, before_, pending_;  ///< before the statement outside of all blocks, and right before the statement, that is read by now
  Records records_;
  std::map<std::string_view, Function> functions_;
  std::map<std::string_view, std::map<std::string_view, Record>> names_of_;  ///< the parameters of functions that are made here
  std::map<std::string_view, Record> returns_;
  std::set<std::string_view> copied_;
  std::map<std::string_view, std::exception_ptr> refused_;  ///< what is wrong with a function as it is written
  std::optional<Record> returned_;
  std::set<std::string_view> own_, read_later_;  ///< names of the function, and of dictionaries that a function reads without being given them
  bool in_function_ = false, recomputed_ = false;  ///< in a comprehension or a lambda, before which no statement can stand
  int made_ = 0;
};

}  // namespace

Tokens with_dictionaries(Tokens tokens, Words& words) {
  const auto holds_tuples = [&](std::size_t k) { return k + 1 < tokens.size() && tokens[k].is("[") && tokens[k + 1].is("("); };
  for (std::size_t k = 0; k < tokens.size(); ++k) {
    const bool appended = k + 4 < tokens.size() && tokens[k].is("append") && tokens[k + 1].is("(") && tokens[k + 2].is("(");
    if (tokens[k].is("{") || tokens[k].is("dict") || holds_tuples(k) || appended) return Dictionaries(std::move(tokens), words).run();  // nearly never
  }
  return tokens;
}

}  // namespace foldproof::program
