// SPDX-License-Identifier: MIT
// What loops give to the places of arrays, x[i] = ..., each of which gets its value once.
#include <algorithm>

#include "expr/diagnostic.hpp"
#include "read/loops.hpp"
#include "read/parse.hpp"

namespace foldproof::read {

/// The arrays of x[i] = ... and x[i] *= ... that more than one statement of the body changes.
Loops::Set Loops::given_in_turn(const Tokens& body) {
  Set given, changed, several;
  for (const Tokens& statement : statements_of(body)) {
    const std::string name(statement[0].text);
    const auto item = item_change(statement);
    if (item && !item->adds()) given.insert(name);  // what is added comes in any order, and o[j] += x[j] before o[j] *= 2
    if ((item || recurrence(statement)) && !changed.insert(name).second) several.insert(name);
  }
  std::erase_if(several, [&](const std::string& name) { return given.count(name) == 0; });
  return several;
}

void Loops::require_one_statement(const Loop& loop) {
  if (const Set several = given_in_turn(loop.body); !several.empty()) refuse_loop(loop.begin, "`" + *several.begin() + "` gets values in two places of this loop", "write one loop for each");
}

/// Of x[i] = ... in a loop, or in one within it: each step has places of its own, unless it makes the array.
void Loops::require_own_places(const Loop& loop, const Items& targets) {
  Set made_anew;
  Set of_step;  // the index, and what is made of it
  for (const Token& t : targets.flat) of_step.emplace(t.text);
  const auto names_target = [&](const Tokens& place) { return std::any_of(of_step.begin(), of_step.end(), [&](const std::string& name) { return names(place, name); }); };
  for (const Tokens& statement : statements_of(loop.body)) {
    const std::string name(statement[0].text);
    const auto item = item_change(statement);
    const auto equals = assignment(statement);
    if (!item && equals && !changes_in_place(statement, *equals) && !recurrence(statement)) {  // i, j = h*k, (h+1)*k, too
      const bool of_index = names_target(between(statement, *equals + 1));
      for (std::size_t k = 0; k < *equals; ++k) {
        if (statement[k].kind != TokenKind::name) continue;
        made_anew.emplace(statement[k].text);
        if (of_index) of_step.emplace(statement[k].text);
      }
    }
    if (!item || !item->sign.empty()) continue;
    const bool again = std::none_of(item->places.begin(), item->places.end(), names_target) && made_anew.count(name) == 0;
    if (again) refuse_loop(statement[0], "each step gives the same places of " + describe(statement[0]) + " other values", "make the array anew in each step, or add to it");
  }
}

/// Of x[i] = ... in a loop that gives every place its value once, and takes nothing of x from the step before. Behind it the step may read x[:i+1], with the index at place `along`.
void Loops::require_once(const Token& array, const ItemChange& item, const Tokens& body, const Token* index, std::size_t along) {
  if (!item.sign.empty() && !item.adds()) refuse_loop(array, "each step multiplies places of " + describe(array), "write the product of the whole array, x = x * s[:, None]");
  std::size_t changes = 0;
  for (const Tokens& statement : statements_of(body)) {
    for (std::size_t k = 0; k < statement.size(); ++k) {
      const bool changed = k == 0 && item_change(statement);
      const bool so_far = index != nullptr && changes == 1 && behind_places_so_far(statement, k, along, *index) > 0;
      if (!changed && !so_far && is_use(statement, k) && is_written(statement[k]) && statement[k].text == array.text) refuse_loop(statement[k], "each step takes " + describe(array) + " from the one before", "give the values of the steps names of their own, and stack them");
    }
    changes += statement[0].text == array.text && (item_change(statement) || assignment(statement)) ? 1 : 0;
  }
  if (changes > 1 && item.sign.empty()) refuse_loop(array, describe(array) + " gets values in two places of this loop", "write one loop for each");
}

/// Of what is added to the zeros that the array has.
void Loops::require_zeros(const Token& array, const ItemChange& item) const {
  if (zeros_.count(array.text) == 0 || (!item.sign.empty() && empty_.count(array.text) > 0)) refuse_loop(array, "that the entries of " + describe(array) + " are zeros before the loop is not known", "write " + std::string(array.text.substr(0, 40)) + " = np.zeros(...) before it");
}

void Loops::put_places(Tokens& tokens, const std::vector<Tokens>& places) {
  for (std::size_t k = 0; k < places.size(); ++k) {
    tokens.push_back(symbol(k == 0 ? "[" : ",", places[k][0]));
    put(tokens, places[k]);
  }
  Token end = symbol("]", places[0][0]);
  end.span = {places.back().back().span.end, places.back().back().span.end + 1};  // where it is written, so that messages show the whole
  tokens.push_back(end);
}

/// Whether nothing is left of the array that does not get a value, where all places of the axis of place k get one, and all of the loops around.
bool Loops::fills(const ItemChange& item, std::size_t k) const {
  for (std::size_t other = 0; other < item.places.size(); ++other) {
    const Tokens& place = item.places[other];
    const bool all = place[0].is(".") || (place.size() == 1 && (place[0].is(":") || around_.targets.count(place[0].text) > 0));
    if (other != k && !all) return false;
  }
  return true;
}

/// Whether what the array has beside x[places] of all values at place k is known to be zeros, so that these are added.
bool Loops::adds_to_zeros(const Token& array, const ItemChange& item, std::size_t k) const {
  return zeros_.count(array.text) > 0 && (empty_.count(array.text) == 0 || fills(item, k));
}

/// What x[places] gets, in the shape that is there.
Tokens Loops::piece(const Token& array, const ItemChange& item) {
  const Token zero = made(TokenKind::name, std::string(array.text), array);  // which is there for its shape: see is_written
  Tokens value = code("( zeros_like (", array);
  value.push_back(zero);
  put_places(value, item.places);
  put(value, {symbol(")", array), symbol(item.sign == "-" ? "-" : "+", array), symbol("(", array)});
  put(value, item.value);
  put(value, {symbol(")", array), symbol(")", array)});
  return value;
}

/// x[places] of all pieces along the axis of place k, of which each place must get one: added, or given where what there is is not known to be zeros. The pieces are in `items` with commas or a comprehension.
Tokens Loops::changed_array(const Token& array, const ItemChange& item, std::size_t k, const Tokens& items) {
  Tokens statement{array};
  const bool adds = !item.sign.empty() || adds_to_zeros(array, item, k);
  if (fills(item, k)) empty_.erase(std::string(array.text));
  const bool slice = has_outside(item.places[k], ":");
  std::vector<Tokens> places = item.places;
  places[k] = {symbol(":", array)};
  const bool all = std::all_of(places.begin(), places.end(), [](const Tokens& p) { return p[0].is(".") || (p.size() == 1 && p[0].is(":")); });
  if (!all || !adds) put_places(statement, places);  // in place, where other names of it see it
  const Token np{TokenKind::name, "np", array.span}, join{TokenKind::name, slice ? "concatenate" : "stack", array.span};
  if (adds) statement.push_back(symbol("+", array));
  put(statement, {symbol("=", array), {TokenKind::name, "filled", array.span}, symbol("(", array), made(TokenKind::name, std::string(array.text), array)});
  if (!all) put_places(statement, places);
  put(statement, {symbol(",", array), np, symbol(".", array), join, symbol("(", array), symbol("[", array)});
  put(statement, items);
  statement.push_back(symbol("]", array));
  put(statement, along_axis_of(array, item, k));
  statement.push_back(symbol(")", array));
  return statement;
}

/// , axis=...) of the axis along which the pieces are joined.
Tokens Loops::along_axis_of(const Token& array, const ItemChange& item, std::size_t k) {
  Tokens result = code(", axis =", array);
  const std::string axis = axis_of_place(item.places, k);
  const bool from_end = axis[0] == '-';
  if (from_end) result.push_back(symbol("-", array));
  put(result, {made(TokenKind::number, axis.substr(from_end ? 1 : 0), array), symbol(")", array)});
  return result;
}

/// Whether the place is i*c:(i+1)*c, so that all of them, one after the other, are the axis.
bool Loops::is_block(const Tokens& place, const Token& index) {
  const std::size_t colon = place_outside(place, ":").value_or(0);
  if (colon == 0 || colon + 1 == place.size()) return false;
  try {
    const Dim begin = size_of(*parse_expression(text_of(between(place, 0, static_cast<std::ptrdiff_t>(colon))))), end = size_of(*parse_expression(text_of(between(place, colon + 1))));
    std::vector<std::string> in_width;
    collect_names(end - begin, in_width);
    return std::find(in_width.begin(), in_width.end(), index.text) == in_width.end() && begin == dim(std::string(index.text)) * (end - begin);
  } catch (const Error&) {
    return false;
  }
}

}  // namespace foldproof::read
