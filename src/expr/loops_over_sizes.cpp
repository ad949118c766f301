// SPDX-License-Identifier: MIT
// Loops over a size, whose steps cannot be written out.
#include <algorithm>

#include "expr/diagnostic.hpp"
#include "expr/loops.hpp"

namespace foldproof::expr {

/// What a loop over a size does, as statements without it: what is appended in each step is a list over the size, what is added a sum,
/// and what all places of an array get is stacked.
class Loops::OverSize {
 public:
  OverSize(Loops& loops, const Loop& loop, const Items& targets) : loops_(loops), targets_(targets), zeros_(loops.zeros_), index_(targets.flat[0]) {
    loops.require_own_places(loop, targets);
    const bool counts = loop.range[0].is("range");
    if (counts && targets.flat.size() != 1) refuse_loop(loop.begin, "the loop has more names than range(n) gives", "write for i in range(n):");
    if (!counts) index_ = loops.item_name(index_, loops.made_.size());
    range_ = counts ? loop.range : loops.through(loop, targets, index_, locals_);
    from_zero_ = !has_outside(inside(range_, 2), ",");
    changes_ = loop.body;
    note_changes();
  }
  ~OverSize() { loops_.zeros_ = std::move(zeros_); }
  OverSize(const OverSize&) = delete;
  OverSize& operator=(const OverSize&) = delete;

  void run(const Tokens& body) {
    std::size_t at = 0;
    const auto token = [&](std::size_t k) { return at + k < body.size() ? body[at + k] : Token{}; };
    while (at < body.size() && result_.size() < most_tokens_written) {
      if (token(0).kind == TokenKind::separator) {
        ++at;
      } else if (token(0).is("for")) {
        const Loop inner = read_loop(token, loops_.text_);
        at += inner.length;
        run(loops_.without_loop(inner));
      } else {
        Tokens statement;
        for (; at < body.size() && token(0).kind != TokenKind::separator; ++at) statement.push_back(token(0));
        take(statement);
      }
    }
  }
  Tokens result() {
    for (const auto& [local, value] : locals_) loops_.gone_.insert(local);
    return std::move(result_);
  }

 private:
  /// Which names the steps change, and which begin anew in each.
  void note_changes() {
    for (const Tokens& whole : statements_of(changes_)) {
      const Tokens statement = without_header(whole);
      if (statement.empty()) continue;
      const std::string name(statement[0].text);
      const bool appends = is_append(statement) && loops_.lists_.count(name) > 0, outer = begun_.count(name) == 0;
      if (appends || (outer && (added(statement) || item_change(statement)))) changed_.insert(name);
      else if (whole.size() == statement.size() && statement.size() > 1 && statement[1].is("=")) begun_.insert(name);
    }
  }

  Tokens with_locals(const Tokens& tokens) {
    for (const std::string& name : changed_) {
      if (std::any_of(tokens.begin(), tokens.end(), [&](const Token& t) { return t.text == name && loops_.is_written(t) && is_use(tokens, static_cast<std::size_t>(&t - tokens.data())); })) refuse_loop(tokens.front(), "each step takes `" + name + "` from the one before", "write the loop over a number, for i in range(3), which is written out");
    }
    for (std::size_t k = 0; k < tokens.size(); ++k) {
      if (is_use(tokens, k)) read_.emplace(tokens[k].text);
    }
    return replaced(loops_.written_out(tokens), [&](std::string_view name) {
      const auto value = locals_.find(name);
      return value == locals_.end() ? nullptr : &value->second;
    });
  }

  /// The item of each step, in a list or a sum.
  Tokens over(std::string_view opening, const Tokens& item, std::string_view closing) const {
    Tokens result;
    if (!opening.empty()) result.push_back(symbol(opening, index_));
    result.push_back(symbol("(", index_));
    put(result, item);
    put(result, {symbol(")", index_), {TokenKind::name, "for", index_.span}, index_, {TokenKind::name, "in", index_.span}});
    put(result, range_);
    if (!closing.empty()) result.push_back(symbol(closing, index_));
    return result;
  }
  void end_statement() { result_.push_back({TokenKind::separator, "\n", index_.span}); }

  void take(const Tokens& statement) {
    const Token& name = statement[0];
    if (is_append(statement) && loops_.lists_.count(name.text) > 0) return append(statement);
    if (const auto item = item_change(statement)) return change_item(name, *item);
    const auto equals = assignment(statement);
    if (!equals || *equals == 0) refuse_loop(name, "in a loop over a size expected a definition, a sum or heads.append(...), found " + describe(name), "write x = ..., x += ... or heads.append(...)");
    const auto sum = added(statement);
    if (!sum || (locals_.count(name.text) > 0 && !sum->in_place)) return define(statement, *equals);
    if (locals_.count(name.text) > 0) return add_to_local(name, with_locals(sum->value), sum->minus);
    const Tokens value = with_locals(sum->value);
    if (sum->in_place) put(result_, {name, statement[1], statement[2]});
    else put(result_, {name, symbol("=", name), name, symbol("+", name)});
    result_.push_back({TokenKind::name, "sum", name.span});
    put(result_, over("(", value, ")"));
    end_statement();
  }

  void append(const Tokens& statement) {
    const Token& name = statement[0];
    loops_.refuse_read(name);
    List& list = loops_.lists_.find(name.text)->second;
    if (!list.items.empty() || !list.comprehension.empty()) refuse_loop(name, "this list is not empty before the loop, or appended to twice in it", "use one list for each");
    list.comprehension = over("[", with_locals(inside(statement, 4)), "]");
  }

  /// x += ... of a name that has begun in the step. What else has read it by now may be the same array.
  void add_to_local(const Token& name, const Tokens& value, bool minus) {
    Tokens& local = locals_.find(name.text)->second;
    if (fresh_.count(name.text) == 0 || read_.count(name.text) > 0) refuse_loop(name, "in place this may change another tensor", "write " + std::string(name.text.substr(0, 40)) + " = " + std::string(name.text.substr(0, 40)) + " + ...");
    Tokens sum{symbol("(", name)};
    put(sum, local);
    put(sum, {symbol(minus ? "-" : "+", name), symbol("(", name)});
    put(sum, value);
    put(sum, {symbol(")", name), symbol(")", name)});
    local = std::move(sum);
  }

  /// x[places] = ...: all steps together, where each gives another place its value, or a sum.
  void change_item(const Token& array, ItemChange item) {
    for (Tokens& place : item.places) place = with_locals(place);
    item.value = with_locals(item.value);
    std::optional<std::size_t> along;
    for (std::size_t k = 0; k < item.places.size(); ++k) {
      const Tokens& place = item.places[k];
      if (!names(place, index_.text)) continue;
      const bool whole = (place.size() == 1 || is_block(place, index_)) && from_zero_ && !along;
      if (!whole) refuse_loop(place[0], "which places of " + describe(array) + " the loop changes is not read here", "write x[i] = ... or x[:, i*k:(i+1)*k] = ... of for i in range(n)");
      along = k;
    }
    Tokens statement;
    if (along) {
      loops_.require_zeros(array, item, changes_);
      statement = loops_.changed_array(array, item, *along, over("", loops_.piece(array, item), ""));
    } else {
      loops_.require_zeros(array, item, changes_);
      if (item.sign.empty()) refuse_loop(array, "each step gives the same place of " + describe(array) + " another value", "add to it: " + std::string(array.text.substr(0, 40)) + "[...] += ...");
      statement.push_back(array);
      put_places(statement, item.places);
      put(statement, {symbol(item.sign, array), symbol("=", array), {TokenKind::name, "sum", array.span}});
      put(statement, over("(", item.value, ")"));
    }
    const auto sum = added(statement);
    if (sum && locals_.count(array.text) > 0) return add_to_local(array, sum->value, sum->minus);
    put(result_, statement);
    end_statement();
  }

  void define(const Tokens& statement, std::size_t equals) {
    const Token& first = statement[0];
    const std::vector<Tokens> names_of = parts_of(between(statement, 0, static_cast<std::ptrdiff_t>(equals))), values = parts_of(between(statement, equals + 1));
    if (names_of.size() != values.size()) refuse_loop(first, std::to_string(names_of.size()) + " names and " + std::to_string(values.size()) + " values", "in a loop over a size write one value for each name");
    Values after = locals_;
    for (std::size_t k = 0; k < names_of.size(); ++k) {
      const bool single = names_of[k].size() == 1 && names_of[k][0].kind == TokenKind::name;
      const auto is_target = [&](const Token& t) { return t.text == names_of[k][0].text; };
      if (!single || std::any_of(targets_.flat.begin(), targets_.flat.end(), is_target)) refuse_loop(first, "in a loop over a size expected a name, found " + describe(names_of[k].empty() ? first : names_of[k][0]), "write x = ..., x += ... or heads.append(...)");
      const Token& name = names_of[k][0];
      const std::string local(name.text);
      loops_.refuse_read(name);
      const bool outside = locals_.count(local) == 0 && (loops_.known_(local) || loops_.lists_.count(local) > 0 || read_.count(local) > 0);
      if (outside) refuse_loop(name, "each step gives " + describe(name) + " another value", "write the loop over a number, for i in range(3), which is written out");
      Tokens value{symbol("(", first)};
      put(value, with_locals(values[k]));
      value.push_back(symbol(")", first));
      if (names(value, local)) refuse_loop(name, describe(name) + " has no value before the first step", "give it one before the loop");
      const bool zeros = makes_zeros(values[k]);
      if (zeros) loops_.zeros_.insert(local);
      if (zeros || small_number(values[k])) fresh_.insert(local);
      else fresh_.erase(local);
      read_.erase(local);
      after[local] = std::move(value);
    }
    locals_ = std::move(after);
  }

  Loops& loops_;
  const Items& targets_;
  Set zeros_;  ///< what is known to be zeros outside
  Token index_;
  Tokens range_, result_, changes_;
  Values locals_;
  bool from_zero_ = false;
  Set changed_, begun_, read_, fresh_;  ///< from step to step; anew in each step; read so far in a step; arrays that the step has made
};

Tokens Loops::over_size(const Loop& loop, const Items& targets) {
  OverSize over(*this, loop, targets);
  over.run(loop.body);
  return over.result();
}

}  // namespace foldproof::expr
