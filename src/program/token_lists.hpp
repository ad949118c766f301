// SPDX-License-Identifier: MIT
// Parts of programs as tokens, before anything is parsed: what stands between commas, which tokens name something, what a
// statement gives a value to, and loops with what they do. Used where lists and loops are written out.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "program/blocks.hpp"

namespace foldproof::program {

using Tokens = std::vector<Token>;
/// Words that nobody wrote, as the names of a module's weights. Tokens refer to them.
using Words = std::deque<std::string>;

/// A symbol or a name that stands where another token does.
inline Token symbol(std::string_view text, const Token& at) { return {TokenKind::symbol, text, at.span}; }
inline Token word(std::string_view text, const Token& at) { return {TokenKind::name, text, at.span}; }
/// `drawn`, or drawn_2 and so on where tokens or words are called that.
std::string_view fresh_name(const std::string& name, const std::vector<Token>& tokens, Words& words);
/// How many statements give each name a value, define it as a function, or bind it in a comprehension or a lambda.
std::map<std::string_view, int> values_given(const Tokens& tokens);
/// name_1, or the next one that is not taken.
Token numbered(const Token& name, const std::function<bool(std::string_view)>& is_taken, Words& words);
/// The same of a name that stands nowhere in these tokens.
Token numbered(const Token& name, const std::vector<Token>& tokens, Words& words);

/// A bracket: ( ) and [ ], and { } as long as dictionaries are written with these.
bool opens(const Token& t);
bool closes(const Token& t);
/// The tokens [first, last), counted from the end where `last` is not positive.
Tokens between(const Tokens& tokens, std::size_t first, std::ptrdiff_t last = 0);
/// What is in the bracket that ends the tokens, and begins before `first`.
inline Tokens inside(const Tokens& t, std::size_t first) { return between(t, first, -1); }
inline void put(Tokens& tokens, const Tokens& others) { tokens.insert(tokens.end(), others.begin(), others.end()); }
/// (tokens), with brackets that stand where `at` does, and function(arguments).
Tokens in_brackets(const Tokens& tokens, const Token& at);
Tokens called_with(std::string_view function, const std::vector<Tokens>& arguments, const Token& at);
/// Puts others in the place of the tokens [begin, end).
void exchange(Tokens& tokens, std::size_t begin, std::size_t end, const Tokens& by);
/// A whole number of at most three digits.
std::optional<std::size_t> small_number(const Tokens& t);
/// The function of np.zeros(...), of what a name is given; null where something else stands there.
const Token* called(const Tokens& value);
/// The same of functions of any module, np.testing.assert_allclose(...); null also where something stands behind the call.
const Token* called_alone(const Tokens& statement);
/// The call that says that the value is a copy, which nothing changes that happens to the original.
inline constexpr std::string_view copied_call = "copied";
/// The call of what a name is before a loop that may have no step, and of what it is after some: it must have one shape, and may be the same array.
inline constexpr std::string_view kept_call = "kept";
/// begun(m, e, all, otherwise): `all` where m is e as it is written, what it is else.
inline constexpr std::string_view begun_call = "begun";
/// at_place(x, j, e, begin, end): e at the place j of as many as x has, and 0 elsewhere; j goes from begin up to end.
inline constexpr std::string_view at_place_call = "at_place";
/// The call of a value, a place and a number of names: what the name at that place gets of a, b = value.
inline constexpr std::string_view unpacked_call = "unpacked";
/// The call of an array, of places of it and of what these get: what the array is after x[places] = value.
inline constexpr std::string_view assigned_call = "assigned";
/// The call of what divides a tensor: the array of as many parts as a size says.
inline constexpr std::string_view divided_call = "divided";
/// The call of an array that a function changes in place, relu(x, inplace=True): nothing else may be this array.
inline constexpr std::string_view overwritten_call = "overwritten";
/// What a module that is made with weights is called with.
inline constexpr std::string_view module_input = "module_input";
/// What a loss is called with behind that.
inline constexpr std::string_view module_target = "module_target";
/// The call of a value and of what has the type that it gets, x.to(m.dtype), and that of a type, m.dtype.
inline constexpr std::string_view typed_call = "typed", type_call = "type of";
/// The call of an orthogonal matrix of a size that is drawn, and that of numbers that fall and are not negative: singular values.
inline constexpr std::string_view rotation_call = "drawn rotation", magnitudes_call = "drawn magnitudes";
/// Whether the value is an array of its own, as that of x + y and np.exp(x) is, and no view of what it is made of.
bool makes_new_array(const Tokens& value);
/// Whether the function of NumPy, called by its module or as a method, makes an array of its own.
bool makes_new_array(std::string_view function);
/// Whether that is np.zeros(...), np.empty_like(...) and the like, and nothing else.
bool makes_zeros(const Tokens& value);
/// The parts of tokens between commas outside of brackets.
std::vector<Tokens> parts_of(const Tokens& tokens);
/// Whether a statement ends before the token: also `for i in range(n):` does, before what is done in the loop.
inline bool ends_statement(const Token& t) { return t.kind == TokenKind::separator || t.kind == TokenKind::block_begin || t.kind == TokenKind::block_end || t.kind == TokenKind::end; }
/// Whether a statement begins at token k.
inline bool begins_statement(const Tokens& tokens, std::size_t k) { return k == 0 || (ends_statement(tokens[k - 1]) && tokens[k - 1].kind != TokenKind::end); }
/// The position of the statement that token k stands in.
std::size_t beginning_of_statement(const Tokens& tokens, std::size_t k);
/// Whether the statement that begins at k stands behind a decorator.
bool is_decorated(const Tokens& tokens, std::size_t k);
/// The position behind the statement that token k stands in.
std::size_t end_of_statement(const Tokens& tokens, std::size_t k);
/// The position behind the statement that begins at k, and behind the block that belongs to it.
std::size_t behind_statement(const Tokens& tokens, std::size_t k);
/// Shows each statement, which may be empty, and the position of the token that ends it.
void each_statement(const Tokens& tokens, const std::function<void(const Tokens& statement, std::size_t end)>& see);
/// Where the statements begin in whose blocks token k stands, the outermost first.
std::vector<std::size_t> blocks_around(const Tokens& tokens, std::size_t k);
/// The positions of the brackets that are open at token k, the outermost first.
std::vector<std::size_t> open_brackets(const Tokens& tokens, std::size_t k);
/// Whether token k is in the body of a lambda or in a comprehension, which are computed anew each time.
bool is_recomputed(const Tokens& tokens, std::size_t k);
/// The position of the bracket that closes the one at `open`; behind the last token where there is none.
std::size_t closing(const Tokens& tokens, std::size_t open);
/// The tokens [first, end), as far as there are any.
Tokens slice(const Tokens& tokens, std::size_t first, std::size_t end);
/// Whether a condition is in brackets, `not` another one, or two with `and` or `or` between them.
bool is_joined(const Tokens& condition);
/// Whether such a condition holds, as far as its parts are known to hold or not; where Python does not come to the second one, that need not be.
std::optional<bool> of_joined(const Tokens& condition, const std::function<std::optional<bool>(const Tokens&)>& holds);
/// The statements of tokens with separators and blocks between them.
std::vector<Tokens> statements_of(const Tokens& tokens);
/// Whether an argument of a call is given by its place: neither name=value nor *values.
bool is_by_place(const Tokens& argument);
/// Whether it is name=value, and so with a parameter that has a value otherwise.
bool is_by_name(const Tokens& argument);
/// The parts one after the other, with commas between them.
Tokens with_commas(const std::vector<Tokens>& parts, const Token& at);
/// Whether the value is a number, text, True, False or None.
bool is_literal(const Tokens& value);
/// The names that a, (b, c) gives values to; W[0] and self.W give none.
std::vector<Token> target_names(const Tokens& targets);
/// The name of a method that changes what it is called of, as mul_ does and __call__ does not.
inline bool changes_in_place(std::string_view method) { return method.ends_with("_") && !method.ends_with("__"); }
/// Whether one bracket holds all of it, as in [a, b], and not [a] + [b].
bool is_one_bracket(const Tokens& tokens);
/// (x) as x
Tokens without_brackets(Tokens tokens);
/// The position of the first token outside of brackets that is `what`, and whether there is one.
std::optional<std::size_t> place_outside(const Tokens& tokens, std::string_view what);
inline bool has_outside(const Tokens& tokens, std::string_view what) { return place_outside(tokens, what).has_value(); }
/// Whether the tokens are (x), which is x, and no tuple.
inline bool is_in_round_brackets(const Tokens& tokens) { return is_one_bracket(tokens) && tokens[0].is("(") && tokens.size() > 2 && !has_outside(inside(tokens, 1), ","); }
/// Whether token k names something by itself: not x.name, and not name= in a call.
bool is_use(const Tokens& tokens, std::size_t k);
/// Whether the name is used from token `first` on.
bool names(const Tokens& tokens, std::string_view name, std::size_t first = 0);
/// Whether name k is the index of a comprehension around it: `for i` follows in a bracket that is open at k.
bool is_index(const Tokens& tokens, std::size_t k);
/// The position of the first `=` outside of brackets, with one operator right before it where it is +=.
inline std::optional<std::size_t> assignment(const Tokens& tokens) { return place_outside(tokens, "="); }
/// Whether the `=` there changes what has a value already: x += y, x[0] = y.
inline bool changes_in_place(const Tokens& tokens, std::size_t equals) { return equals > 1 && tokens[equals - 1].kind == TokenKind::symbol; }
/// Where the targets of a statement end: at its = or at the operator of its +=. 0 where it gives no value to anything.
std::size_t targets_end(const Tokens& statement);
/// The names that tokens of a function give a value to: those of its statements, loops and parameters, also of functions in it; these functions; and those of comprehensions and lambdas.
struct BoundNames {
  std::set<std::string_view> assigned, functions, recomputed;
  bool has(std::string_view name) const { return assigned.count(name) > 0 || functions.count(name) > 0 || recomputed.count(name) > 0; }
};
BoundNames bound_names(const Tokens& tokens);
/// heads.append(...)
bool is_append(const Tokens& t);
/// tokens with others in the place of names. Errors: `parse.loop` where a comprehension would give one of these another meaning, unless its
/// index is the one that they are meant to name.
Tokens replaced(const Tokens& tokens, const std::function<const Tokens*(std::string_view)>& by, std::string_view index = {});
/// The same of names that each stand for others.
Tokens replaced(const Tokens& tokens, const std::map<std::string_view, Tokens>& by);
/// As they are written, with blanks.
std::string text_of(const Tokens& tokens);

[[noreturn]] void refuse_loop(const Token& at, const std::string& message, const std::string& hint);
/// Errors: `parse.loop` for zip(A), which gives tuples of one value.
void require_several(const Token& zip, const std::vector<Tokens>& arguments);

/// What x = x + e, x += e, x = g * x + e, x *= g, x = max(x, e) and the like make of x in each step of a loop: factor * x + value, or
/// the larger or smaller of x and value.
struct Recurrence {
  bool in_place = false;
  Tokens factor, value;       ///< empty where there is none
  std::string_view extremum;  ///< the function that takes the larger or smaller one
  bool kept = false;          ///< written with kept_call
};
std::optional<Recurrence> recurrence(const Tokens& statement);

/// x[places] = value, or with +=, -=, *= and /=.
struct ItemChange {
  std::vector<Tokens> places;
  std::string_view sign;  ///< empty for =
  Tokens value;
  bool adds() const { return sign == "+" || sign == "-"; }
};
std::optional<ItemChange> item_change(const Tokens& statement);
/// The axis that place k of x[places] chooses from, after the places before it have chosen theirs.
std::string axis_of_place(const std::vector<Tokens>& places, std::size_t k);

/// for targets in range: body
struct Loop {
  Token begin;
  Tokens targets, range, body;
  std::size_t end = 0;  ///< the position behind it
};
/// range(a, b), reversed(range(a, b)) and range(b - 1, a - 1, -1): whole numbers from `begin` up to one before `end`, or the other way round.
struct Counted {
  Tokens begin, end;
  bool backwards = false;
};
/// The loop that begins at the token `for` there. Errors: `parse.loop`.
Loop read_loop(const Tokens& tokens, std::size_t begin);

}  // namespace foldproof::program
