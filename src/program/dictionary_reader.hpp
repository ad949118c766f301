// SPDX-License-Identifier: MIT
// Reads dictionaries, and lists of dictionaries and of tuples: see dictionaries.hpp.
#pragma once

#include <exception>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "program/records.hpp"

namespace foldproof::program {

class Dictionaries {
 public:
  Dictionaries(Tokens tokens, Words& words) : tokens_(std::move(tokens)), words_(words) {
    for (const Token& t : tokens_) taken_.insert(t.text);
  }
  Tokens run();

 private:
  using Records = std::map<std::string_view, Record>;

  /// What a function is for such arguments: one with a parameter for each key.
  struct Copy {
    Records given;  ///< by the parameters of the function as it is written
    Token name;
    Records names;  ///< what these are in it
  };
  /// def f(x, p): ... and f = lambda x, p: ..., outside of all blocks.
  struct Function {
    Token name;
    std::vector<Tokens> parameters;
    Tokens body;  ///< from the colon on
    bool lambda = false;
    std::vector<Copy> copies;
  };
  /// What is known where a statement stands.
  struct Scope {
    Records records;
    Tokens pending;                 ///< is to stand right before it
    std::optional<Record> returned;  ///< by the function around it
    std::set<std::string_view> own;  ///< names of that function
    bool in_function = false, recomputed = false;  ///< in a comprehension or a lambda, before which no statement can stand
  };

  // ---- names ----
  /// A name that nobody wrote.
  Token word(std::string text, const Token& at);
  /// The same keys, with a name for each value.
  Record named(const Record& record, const Token& name);
  /// Errors: `parse.unexpected`.
  [[noreturn]] static void misused(const Token& at);

  // ---- what an expression holds: dictionary_values.cpp ----
  /// The dictionary or tuple, or list of these, that all of the tokens are.
  std::optional<Record> record_of(const Tokens& tokens);
  /// Whether that makes a dictionary of its own, with which nothing else changes.
  static bool is_new(const Tokens& tokens);
  /// What name["key"][0] there is, with all that follows of the kind, and the position behind it.
  std::optional<Record> read_at(const Tokens& s, std::size_t k, std::size_t& end);
  /// {"scale": 2, **others}, {key: 2*value for key, value in others.items()}
  Record literal(const Tokens& tokens);
  /// What an entry of a dictionary is, which may be one itself.
  Record value_of(const Tokens& tokens);
  /// dict(scale=2), dict(others, scale=2)
  Record by_names(const Tokens& tokens);
  /// Gives the record all keys of the dictionary that the tokens are. Errors: `parse.unexpected` where they are none.
  void set_all(Record& record, const Tokens& others, const Token& at, const std::string& hint);
  /// {key: 2*value for key, value in others.items()}
  Record of_each(const Tokens& content, std::size_t loop);
  /// s and whether it is s.items(), of s, s.keys() and s.items().
  std::pair<std::optional<Record>, bool> keys_in(const Tokens& range);
  /// What is said of names = key, value, with a key that stands there.
  Tokens for_key(const Tokens& body, const Tokens& names, const Record& part);
  /// [{...}, {...}], [(A, a), (B, b)], [{...} for _ in range(3)]
  std::optional<Record> list_of(const Tokens& tokens);
  /// What a part of such a list is.
  Record item_of(const Tokens& item);
  /// One record of lists of what several have.
  static Record joined(const std::vector<Record>& all, const Tokens& brackets, const Tokens& clauses);

  // ---- functions: dictionary_functions.cpp ----
  /// The dictionary that f(...) returns, behind a statement that calls it.
  std::optional<Record> returned_by(const Tokens& tokens);
  void note_function(const Tokens& tokens, std::size_t k, std::size_t head, std::size_t end);
  void note_lambda(const Tokens& statement);
  /// The call of what f is for these dictionaries, f(x, p_scale, p_shift); nothing where no argument is one.
  std::optional<Tokens> call_for_records(const Tokens& s, std::size_t k);
  /// Arguments with what a dictionary or a tuple holds in the place of **s and *s; a part that is one itself beside what stands for it.
  std::vector<std::pair<Tokens, std::optional<Record>>> arguments_of(const std::vector<Tokens>& written);
  /// The function with a parameter for each key, which is written before what is read by now.
  Copy copy_for(Function& f, const Records& given);
  static void mark_given(Record& record);
  /// Of a function that is only called with dictionaries what was written is of no use.
  void drop_uncalled(std::string_view name);

  // ---- statements: dictionary_statements.cpp ----
  /// The statements, with those that are to stand before one.
  Tokens block(const Tokens& tokens, bool outermost);
  /// def f(x, p): ..., as it is written where it cannot be read but may not be called so.
  Tokens definition(const Tokens& tokens, std::size_t k, std::size_t head, std::size_t end, bool outermost);
  /// The names that get a value of their own: of a, (b, c) = value, and not of s["scale"][0] = value.
  static std::set<std::string_view> targets_of(const Tokens& targets);
  void forget(const std::set<std::string_view>& names);
  /// for name in layers, for a, b in layers, for k, layer in enumerate(layers), for key, value in s.items()
  Tokens loop(const Tokens& head, const Tokens& body);
  /// What may be done or not, or several times. Which keys something has behind it is not known where it is given others there.
  Tokens inner_block(const Tokens& body);
  /// names in range, where what names stand for is known from then on.
  Tokens bound_range(const Tokens& names, const Tokens& range);
  /// for ... in ... if ... for ... in ..., the clauses of a comprehension.
  Tokens bound_clauses(const Tokens& clauses);
  /// What a function reads is what the name stands for when it is called.
  void refuse_another(const Token& name) const;
  /// Statements that give each value of the record its name.
  Tokens given_names(const Record& record, const Token& name, const Token& equals);
  Tokens simple(const Tokens& s);
  /// s, t = {"scale": 2}, {"scale": 3}
  std::optional<Tokens> each_given(const Tokens& s, std::size_t equals);
  /// (A, a), (B, b) = layers, as A, a = layers[0] and B, b = layers[1]
  std::optional<Tokens> each_of_list(const Tokens& s, std::size_t equals);
  /// layers = [], which gets tuples or dictionaries further on: as many lists.
  std::optional<Tokens> made_empty(const Tokens& s);
  /// layers.append((W, b))
  std::optional<Tokens> with_appended(const Tokens& s);
  /// s["scale"] = 2, s["scale"] *= 2
  std::optional<Tokens> with_changed_key(const Tokens& s);

  // ---- expressions ----
  /// With what is held in the place of dictionaries.
  Tokens rewritten(const Tokens& s);
  Tokens in_brackets(const Tokens& content);
  /// f(**s) by its keys, and f(*layers[0]) in turn. Errors: `parse.unexpected` where neither is written.
  static void give_spread(Tokens& found, const Record& record, const Token& name);

  const Tokens tokens_;
  Words& words_;
  std::set<std::string_view> taken_;
  Tokens written_, before_;  ///< before the statement outside of all blocks that is read by now
  Scope here_;
  std::map<std::string_view, Function> functions_;
  std::map<std::string_view, Record> returns_;
  std::set<std::string_view> copied_;
  std::map<std::string_view, std::exception_ptr> refused_;  ///< what is wrong with a function as it is written
  std::set<std::string_view> read_later_;  ///< dictionaries that a function reads without being given them
  int made_ = 0;
};

}  // namespace foldproof::program
