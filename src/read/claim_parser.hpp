// SPDX-License-Identifier: MIT
// Reads a claim statement by statement: what every name means by now, and what functions, lists and loops stand for.
// Its parts: parse_claim.cpp (statements, declarations, definitions), parse_assignments.cpp (what Python's = does to names and places),
// parse_functions.cpp (def, lambda and their cases), parse_values.cpp (which numbers, lists and axes these are), parse_relations.cpp (assumptions, and what is claimed).
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "expr/build.hpp"
#include "program/token_lists.hpp"
#include "read/loops.hpp"
#include "read/own_functions.hpp"
#include "read/parser.hpp"

namespace foldproof::read {

/// The relation that is written so; nothing for other words.
inline std::optional<Relation> find_relation(const Token& token) { return token.kind == TokenKind::symbol ? relation_called(token.text) : std::nullopt; }

/// `np.allclose(a, b)`, as NumPy users write a == b of matrices.
bool says_allclose(const Expression& e);

class ClaimParser {
 public:
  explicit ClaimParser(std::string_view text) : parser_(text), text_(text) {
    claim_.source = std::string(text);
    functions_.require([this](const Expression& value) {
      if (!has_entries(value)) fail("parse.loop", "a function goes through what may be empty here", value->span, "call it with a tensor, X, and no part of one");
    });
  }

  Claim run();
  /// See Parser::write_calls.
  bool write_calls() { return parser_.write_calls(); }

 private:
  void statement();

  /// x of typed(x, m), whose m must be a tensor of real numbers then.
  Expression without_types(const Expression& e);
  /// Notes of what holds real numbers where all names in it do that it must: see Claim::types.
  void note_type(const Expression& e, Span span);

  /// x[:2, :2] = 1
  bool gives_places() const;
  /// Puts brackets around M == 0 among the places of x[places] = value, and gives the sign of +=.
  std::string_view prepare_places();
  /// What the array is after its places have got the value, or have changed by it.
  static Expression assigned(const Expression& old, const Expression& places, std::string_view sign, const Expression& value, Span span);
  void give_places();
  Tokens rest_of_statement() const;

  /// print(np.allclose(a, b)) claims what it prints; print(x.shape) says nothing.
  void printed();
  /// Whether that is np.allclose(a, b), a == b, or the name of such a result.
  bool says_result(const Tokens& tokens) const;
  /// if np.allclose(a, b): print("equal"), and what else: prints, as print(np.allclose(a, b)). Whether that stands here.
  bool shows_result();
  /// What Python computes to print it, which it may be unable to.
  void evaluate(const Tokens& printed);
  /// e is computed, and nothing reads it.
  void compute(const Expression& e);

  [[noreturn]] void end_expected();

  void introduce(const Token& name);

  void declaration();

  void definition();

  /// (A, B) and what f(x) returns as A, B, but not (1, 2), which is an array.
  static bool is_tuple(const Expression& value);
  /// Each item gets a name of its own, and the name of the tuple stands for these.
  void define_tuple(const Token& name, const Expression& value, Span span);
  /// The name stands for several values from here on.
  void name_several(const Token& name, const Expression& value);
  /// Where something that was read by its name would read something else in Python: shape = x.shape; f = lambda y: y.reshape(shape); shape =
  /// z.shape, where Python looks at the last one when f is called.
  void refuse_changed(const Token& name) const;

  /// n, d = X.shape; d = 4: the tensors keep the sizes that they have.
  void refuse_another_size(const Token& name, const Expression& value) const;

  /// x += y is x = x + y, and so with the other operators.
  std::optional<SyntaxKind> updates() const;
  void update(SyntaxKind kind);

  /// Refuses to change in place what may be something else, too.
  void refuse_views(const Token& name, const Expression& old) const;

  /// Whether e is an array of its own and no view of another one, as x, x[0], x.T and x.reshape(...) are.
  static bool is_fresh(const Expression& e);
  /// Whether an operator makes it, so that it is an array of its own whatever it is made of.
  static bool is_computed(const Expression& e);
  /// Whether the name means something, or stands in the program in whatever place.
  bool is_taken(const std::string& name) const { return introduced_.count(name) > 0 || text_.find(name) != std::string_view::npos || parser_.is_made(name); }
  /// Whether something below, a function or a list reads the definition, or what may be a view of it.
  bool is_read_again(const std::string& definition) const;

  /// The shape of a declaration that nothing has used yet, and that so says what the value must be: Q: [n, d]; Q = X @ W. It is no tensor then.
  std::optional<Shape> annotation(const Token& name, const Expression& value);
  /// The name of what Python assigns: of a name that has a value already another one, which the statements after it mean.
  std::string assign(const Token& name, const Expression& value = nullptr);
  /// Whether the body of a function names what stands for that name now, or a default value does: the body holds the name of its last value.
  bool read_by_function(const std::string& written) const;
  /// The same of functions that are called further on.
  bool read_by_called_function(const std::string& written) const;
  /// Whether the shape of a declared tensor names it. Python knows nothing of that name: h = relu(X @ W) is another h than that of W: [d, h].
  bool is_declared_size(const std::string& name) const;
  Expression current(const Expression& e);
  /// What is assumed by now, and which numbers names of e stand for: of H = 8, `if H == 1` in a function is no case. Not of the index of a comprehension.
  std::vector<Assumption> known_by_now(const Expression& e) const;
  Expression expression() { return finished(current(parser_.expression())); }
  /// Of what the parser has read, with the values of its names: without functions, cases and types.
  /// A draw, if that is all of it, is left where it is to get a name: `names_draw`.
  Expression finished(const Expression& e, bool names_draw = false);
  /// With names for what is drawn in it: the same one for one draw. Errors: `parse.unexpected` for draws in each step of a comprehension, and of unknown shapes.
  Expression with_draws(const Expression& e);
  /// The x of torch.randn(x.shape), where the program computes x; null for other draws.
  Expression shaped_like(const Expression& draw) const;
  /// The tensor of that name may have any entries, and those of fractions from 0 up to 1; whole numbers lie within their bounds, and an order names each place once.
  void declare_drawn(const std::string& name, const Expression& draw, Span span);
  void assume_drawn(const Expression& drawn, const Expression& draw, Span span);
  /// Without the calls of what is changed in place, which must be arrays that nothing else is. Errors: `parse.unexpected`
  static Expression without_overwriting(const Expression& e);
  /// The list or tuple that e is, or is the name of; null for what is none, as an array.
  Expression list_of(const Expression& e) const;
  /// With [1, 2, 3] for [1, 2] + [3], and [1, 1] for [1] * 2. Errors: `parse.unexpected` for what Python does not compute of lists.
  Expression with_lists_joined(const Expression& e) const;
  /// With numbers for x.ndim in conditions, where they are known.
  Expression with_ranks(const Expression& e) const;
  /// How many axes e has, as far as what is declared and defined by now says; a `budget` of steps.
  std::optional<std::size_t> rank_of(const Expression& e, int& budget) const;
  /// Whether e surely is a whole number: made of numbers and sizes that are declared. With `above_zero` it is 1 at least.
  bool is_whole(const Expression& e, bool above_zero, bool if_size = false) const;
  /// n of int(n), which cuts nothing off a size, and d // h of int(d / h). Errors: `call.arguments` for what is none.
  Expression with_whole_numbers(const Expression& e) const;
  /// Whether e is a size, or the rest of one, as in d % h.
  bool is_of_sizes(const Expression& e) const;
  /// Assumes what a function asserts of sizes, or the opposite of it. Whether that speaks of sizes.
  bool take_for_granted(const Expression& e, bool holds);
  /// Takes what a program says of a shape, as stated_shape gives it, for a condition of the claim, or for a declaration. Not where that is about a step of a loop.
  bool states(const Expression& call);
  Expression condition(bool names_draw = false);

  /// f = lambda x, y: ... from its parameters on, or def f(x, y=2): with what has values in it, up to `return`.
  void function(const Token& name, std::string_view opening, std::string_view closing);
  /// Whether a loop of the function, whose block has begun, has as many steps as the parameter says.
  bool counts_steps(const std::string& parameter) const;
  bool is_called(const Token& function) const;  ///< behind its definition
  /// The number that all calls behind the function give to the parameter, by its place, its name or its default value; null where they do not.
  Expression number_in_calls(const Token& function, const OwnFunctions::Parameter& parameter, std::size_t place) const;
  /// What a function gives, of its statements from here on.
  Expression rest_of_function(const Token& name, const std::function<Expression()>& value);
  void skip_statement();
  /// Takes print(x.shape), torch.manual_seed(0) and the like, which change nothing. Whether that stands here.
  bool says_nothing();
  /// Refuses what a function calls and its result does not need: only what is needed is looked at later, and y = np.exp(x, out=x) changes x.
  void require_needed(const Expression& result) const;
  bool at_block_end();
  /// The end of a block that has returned something.
  void end_block();
  Expression returned(const std::function<Expression()>& value);
  /// if ...: elif ...: else: of a function, whose conditions the arguments of a call decide. Gives what all cases return; where some return, they
  /// come to `early`, and the others go on.
  Expression cases(const std::function<Expression()>& value, std::vector<std::pair<Expression, Expression>>& early);
  /// What the cases from here on give a value to is the function's own, and has none before: outside of the function it may have another.
  void open_locals(const Token& begin);
  /// The statements behind `if ...:`. Gives what they return.
  Expression block(const Token& begin, const std::function<Expression()>& value);
  /// What a case gives that is not read from here on, which only matters where it is taken. Nothing has been done in it by then.
  Expression unreadable(const Diagnostic& why, std::size_t read);
  /// mask is None, not causal, i == 0, and several with `and`
  Expression case_condition();
  /// The local that a function changes in place. Errors: `parse.unexpected` where that may be something else, too.
  Expression& own_local(const Token& name);
  /// x = ..., q, k = ..., x += ..., x[:2] = ... in a function
  void local_definition(const std::function<Expression()>& value);
  /// What the k-th of so many names was made of, as it is written, by what has been read from `first` on: where a condition decides, what may be a view.
  Expression made_of(std::size_t first, std::size_t k, std::size_t names) const;
  /// The x: Tensor of a parameter and the -> Tensor of a result say nothing that a shape does not say better.
  void skip_annotation();

  /// The whole number that the name stands for by now. A function that reads it from outside would see another one if that changed.
  std::optional<std::int64_t> number_called(const std::string& name) const;
  /// The size of a tensor along an axis, -1 the last one, where that is a number.
  std::optional<std::int64_t> number_along(const std::string& name, std::int64_t axis) const;
  /// The shape of e where all of it is numbers, as what is declared and defined by now says; a `budget` of steps.
  std::optional<std::vector<std::int64_t>> numbers_of_shape(const Expression& e, int& budget) const;
  /// e with the numbers that k.shape[0] is of definitions of which the shape is numbers: sizes that are assumed equal to it would stand before these.
  Expression with_known_sizes(const Expression& e) const;
  /// The whole number that arithmetic with numbers is, also of names that are defined as such.
  std::optional<std::int64_t> whole_number(const Expression& e) const;

  /// The tuple that the name stands for, of values and no sizes; null for other names.
  Expression tuple_called(const std::string& name) const;

  /// The length of a tensor that is declared with a number, and still is what it was declared as, and of a tuple.
  std::optional<std::size_t> length_of(const std::string& name) const;

  /// What the name was given last, of a function's locals first; null for other names. A parameter stands for itself.
  Expression value_by_now(const std::string& name) const;
  /// What the claim defines by that name, if anything.
  Expression value_of(const std::string& name) const;
  /// Whether the name stands for a size by now: it has no value, or that of one, as after n, d = X.shape.
  bool is_size(const std::string& name) const;
  /// Whether no axis of it may be empty: no slice makes it, and no size with something subtracted. What a function is called with has entries
  /// as far as the function knows; that it has is asked where it is called. In what is defined, names are those of definitions: x *= 2 defines
  /// x_2 by x.
  bool has_entries(const Expression& e, bool defined = false) const;

  /// The number of tokens of A, B, ..., names with commas between them.
  std::size_t names_ahead(std::size_t begin) const;
  bool defines_several() const;

  /// q, k, v = x.chunk(3, dim=-1), and a, b = A @ X, B @ X: one name for each part.
  void definitions();
  std::vector<Token> several_names(const std::string& purpose);
  /// One value for each name, of what `value` reads; of several names that are the sizes of X, X.shape alone.
  std::vector<Expression> values_of(const std::vector<Token>& names, const std::function<Expression()>& value);

  /// n, d = X.shape declares an X that is not declared yet; otherwise the sizes are those that it has.
  void sizes_of(const Expression& tensor, const std::vector<Token>& names);

  /// n, d = X.shape; X: [b, k]: of a tensor whose sizes have names by now, the declaration says what they are.
  bool declares_shape_of(const Token& name, const Shape& shape, Span span);

  void assumptions();

  /// One relation, one predicate, or `all(relation)`, which numpy users write for a relation that holds entrywise.
  void assumption();

  /// R is orthogonal, A and B are symmetric, P is a permutation: the predicate of each name. Takes nothing where no such words follow.
  bool in_words();

  /// integer(t, 0, 5) and tokens(t, 6) also say between which numbers; integer(M, 0, 1) is mask01(M).
  Expression bounded_integers(const Expression& e);

  void equation();
  /// lhs == rhs, lhs <= rhs, (lhs == rhs).all()
  void relation_between();
  /// np.allclose(a, b) as a == b, and as |a - b| <= atol + rtol * |b| where these say more than rounding.
  void are_close(std::size_t begin, const Expression& call);

  void relate(std::size_t begin, Expression lhs, Relation relation, Expression rhs);
  /// x.shape == (n, d), where nothing else is claimed: that the shapes differ by nothing.
  void claim_shapes();

  [[noreturn]] void missing_relation(std::size_t begin);

  Parser parser_;
  std::string_view text_;
  Loops loops_{parser_, text_, {[this](const std::string& name) { return introduced_.count(name) > 0 || locals_.count(name) > 0; }, [this](const std::string& name) { return read_by_function(name); }, [this](const std::string& name) { return length_of(name); }, [this](const std::string& name) { return is_size(name); }, [this](const std::string& name) { return has_entries(node(SyntaxKind::name, {}, name)); }, [this](const std::string& name) { return number_called(name); }, [this](const std::string& name, std::int64_t axis) { return number_along(name, axis); }, [this](const std::string& name) { return tuple_called(name) != nullptr; }}};
  NamedValues locals_;  ///< of the function that is being read; its parameters stand for themselves
  std::vector<Expression> read_;  ///< what has been read of it
  NamedValues made_;              ///< its locals as they are written
  bool calls_own_ = false;        ///< what was read last calls a function of one's own
  std::set<std::string> shared_;  ///< names of what such a call gives, of which it may give the same twice
  Claim claim_;
  std::map<std::string, Span> introduced_;
  std::map<std::string, Dim> named_sizes_;       ///< by n, d = X.shape
  OwnFunctions functions_;
  std::map<std::string, std::size_t> shaped_;    ///< declarations that n, d = X.shape made
  std::map<std::string, std::string> assigned_;  ///< what a name that was assigned once more stands for
  std::map<std::string, int> numbered_;          ///< the number that its next one may have
  mutable bool counts_ = false;     ///< whether the function that is read relies on entries of what it is called with
  NamedValues several_sizes_;      ///< what names of shapes and tuples stand for
  std::string function_;  ///< that is read, by own_call()
  mutable std::map<std::string, std::vector<std::string>> in_functions_;  ///< numbers and shapes, and the functions that have been read with what they were then
  bool asserts_ = false;           ///< the equation is what `assert` says
  bool in_assert_ = false;         ///< the statement that is read is one of `assert`
  mutable NamedValues list_values_;  ///< definitions that are lists, of the first so many
  mutable std::size_t listed_ = 0;
  mutable std::map<std::string, std::optional<std::int64_t>> whole_numbers_;  ///< that definitions are
  std::map<std::int64_t, std::string> drawn_;  ///< what draws are called
  bool printed_ = false;           ///< the equation is what `print` shows
  bool plain_assignment_ = false;  // the last definition had no `let`
};

}  // namespace foldproof::read
