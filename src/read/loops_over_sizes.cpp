// SPDX-License-Identifier: MIT
// Loops over a size, whose steps cannot be written out.
#include <algorithm>

#include "expr/diagnostic.hpp"
#include "read/accumulators.hpp"

namespace foldproof::read {

/// What a loop over a size does, as statements without it: what is appended in each step is a list over the size, what is added a sum,
/// and what all places of an array get is stacked.
class Loops::OverSize {
 public:
  OverSize(Loops& loops, const Loop& loop, const Items& targets) : loops_(loops), outer_zeros_(loops.zeros_), outer_(loops.around_), index_(targets.flat[0]) {
    require_own_places(loop, targets);
    require_one_statement(loop);
    ++loops.around_.loops;
    for (const Token& target : targets.flat) begin_name(target);
    for (const Token& target : targets.flat) loops.around_.targets.emplace(target.text);
    const auto numbers = loops.counted(loop.range);
    const bool counts = numbers.has_value();
    if (counts && targets.flat.size() != 1) refuse_loop(loop.begin, "the loop has more names than range(n) gives", "write for i in range(n):");
    if (!counts) index_ = loops.item_name(index_, loops.made_.size());
    range_ = counts ? loop.range : loops.through(loop, targets, index_, locals_);
    steps_ = counts ? *numbers : *loops.counted(range_);
    if (counts && (steps_.backwards || parts_of(inside(range_, 2)).size() > 2)) {
      range_ = loops.code("range (", index_);
      put(range_, steps_.begin);
      range_.push_back(symbol(",", index_));
      put(range_, steps_.end);
      range_.push_back(symbol(")", index_));
    }
    from_zero_ = !has_outside(inside(range_, 2), ",") || small_number(steps_.begin) == std::optional<std::size_t>(0);
    accumulators_.emplace(loops, index_, steps_);
    changes_ = loop.body;
    note_changes();
    if (const auto changed = std::find_if(range_.begin(), range_.end(), [&](const Token& t) { return changed_.count(t.text) > 0; }); changed != range_.end()) refuse_loop(loop.range[0], "`" + std::string(changed->text) + "` changes while the loop goes through it", "give it another name in the loop");
  }
  ~OverSize() {
    loops_.zeros_ = std::move(outer_zeros_);
    loops_.around_ = std::move(outer_);
  }
  OverSize(const OverSize&) = delete;
  OverSize& operator=(const OverSize&) = delete;

  /// What has another part after each step: a list where nothing joins the parts, an array of which the places `along` get values.
  struct Grown {
    Join how;
    Tokens initial;  ///< what an array was before the loop, if it had entries
    std::optional<std::size_t> along;
  };

  void run(const Tokens& body) {
    for (std::size_t at = 0; at < body.size() && result_.size() < most_tokens_written; ++at) {
      if (body[at].is("for")) {
        const Loop inner = read_loop(body, at);
        at = inner.end - 1;
        run_inner(inner);
        continue;
      }
      Tokens statement;
      for (; at < body.size() && !ends_statement(body[at]); ++at) statement.push_back(body[at]);
      if (!statement.empty()) take(statement);
    }
  }
  /// The statements, now that all updates are known.
  Tokens result() {
    for (const auto& [local, value] : locals_) loops_.gone_.insert(local);
    for (const std::string& name : appended_) {
      Tokens value = accumulators_->resolved(grown_.find(name)->second.how.item);
      if (steps_.backwards) {
        const Tokens other = last_first();
        value = replaced(value, [&](std::string_view used) { return used == index_.text ? &other : nullptr; });
      }
      loops_.lists_.find(name)->second.comprehension = over("[", value, "]");
    }
    const Tokens statements = accumulators_->resolved(result_), after = accumulators_->after();
    Tokens result = accumulators_->before();
    put(result, before_);
    put(result, statements);
    put(result, after);
    put(result, accumulators_->resolved(after_));
    return result;
  }

 private:
  /// The step at the place of the index where the steps go backwards.
  Tokens last_first() {
    Tokens result = loops_.code("( (", index_);
    put(result, steps_.end);
    put(result, loops_.code(") - 1 - " + std::string(index_.text) + " + (", index_));
    put(result, steps_.begin);
    put(result, loops_.code(") )", index_));
    return result;
  }

  /// A name gets its value in each step. Lists that are made already mean what it was before.
  void begin_name(const Token& name) {
    loops_.refuse_another_value(name);
    for (const auto& [list, items] : loops_.lists_) {
      if (Loops::free_names(items.comprehension).count(name.text) > 0) refuse_loop(name, "the list `" + list + "` is made of another " + describe(name), "give that another name");
    }
    loops_.gone_.erase(std::string(name.text));
  }

  /// A loop in this one. What it has given values to has none any more that is known here.
  void run_inner(const Loop& inner) {
    const Tokens statements = loops_.without_loop(inner);
    for (const std::string& name : loops_.gone_) {
      locals_.erase(name);
      fresh_.erase(name);
    }
    run(statements);
  }

  /// Which names the steps change, and which begin anew in each.
  void note_changes() {
    for (const Tokens& statement : statements_of(changes_)) {
      const std::string name(statement[0].text);
      const bool appends = is_append(statement) && loops_.lists_.count(name) > 0, outer = begun_.count(name) == 0;
      if (outer && is_joined_to(statement)) {
        changed_.insert(name);
        continue;
      }
      const auto how = recurrence(statement);
      if (outer && ((how && how->in_place) || item_change(statement))) in_place_.insert(name);
      if (appends || (outer && (how || item_change(statement)))) changed_.insert(name);
      else if (statement.size() > 1 && statement[1].is("=")) begun_.insert(name);
    }
  }

  /// Whether the statement joins something to an array from before the loop.
  bool is_joined_to(const Tokens& statement) const {
    const std::string name(statement[0].text);
    return join(statement) && locals_.count(name) == 0 && (loops_.nothing_.count(name) > 0 || loops_.known_(name));
  }
  /// [item for s in range(i + 1)]: what the steps up to this one have made.
  Tokens so_far(const Tokens& item) {
    if (steps_.backwards || loops_.around_.loops > 1) refuse_loop(index_, "what has grown by a step is not read here", "write one loop that counts up, for i in range(n)");
    const Token step = loops_.item_name(index_, loops_.made_.size());
    const Tokens other{step};
    Tokens result = loops_.code("[ (", index_);
    for (const Token& t : item) {
      if (accumulators_->is_read(t)) refuse_loop(index_, "what each step takes from the one before is in what grows here", "write the loop over a number, for i in range(3), which is written out");
    }
    put(result, replaced(item, [&](std::string_view name) { return name == index_.text ? &other : nullptr; }));
    put(result, loops_.code(") for " + std::string(step.text) + " in range (", index_));
    put(result, steps_.begin);
    result.push_back(symbol(",", index_));
    put(result, loops_.code(std::string(index_.text) + " + 1 ) ]", index_));
    return result;
  }
  /// What the list of all parts makes of the array, joined to what it was before the loop.
  static Tokens whole(const Grown& grown, const Tokens& parts) {
    Tokens all = grown.how.opening;
    put(all, parts);
    put(all, grown.how.closing);
    if (grown.initial.empty()) return all;
    Tokens result = grown.how.opening;
    result.push_back(symbol("[", grown.initial[0]));
    put(result, grown.initial);
    result.push_back(symbol(",", grown.initial[0]));
    put(result, all);
    result.push_back(symbol("]", grown.initial[0]));
    put(result, grown.how.closing);
    return result;
  }
  /// Tokens that stand for that one.
  static Tokens at(const Token& place, Tokens tokens) {
    for (Token& t : tokens) t.span = place.span;
    return tokens;
  }
  /// With what has grown by this place of the step.
  Tokens with_grown(const Tokens& tokens) {
    Tokens result;
    for (std::size_t k = 0; k < tokens.size(); ++k) {
      const auto grown = is_use(tokens, k) ? grown_.find(tokens[k].text) : grown_.end();
      if (grown == grown_.end()) {
        result.push_back(tokens[k]);
        continue;
      }
      const Grown& g = grown->second;
      if (g.how.opening.empty()) {  // a list, of which what it is joined to makes a copy
        if (!is_joined_there(tokens, k)) refuse_loop(tokens[k], "the list " + describe(tokens[k]) + " has other items in each step", "read it after the loop, or take np.stack(" + std::string(tokens[k].text.substr(0, 40)) + ")");
        loops_.lists_.find(tokens[k].text)->second.read = true;
        put(result, at(tokens[k], so_far(g.how.item)));
        continue;
      }
      put(result, at(tokens[k], whole(g, so_far(g.how.item))));
      if (!g.along) continue;
      const std::size_t end = behind_places_so_far(tokens, k, *g.along, index_);  // see require_zeros
      std::vector<Tokens> places = parts_of(slice(tokens, k + 2, end - 1));
      places[*g.along] = {symbol(":", tokens[k])};
      put_places(result, places);
      k = end - 1;
    }
    return result;
  }

  Tokens with_locals(const Tokens& written) {
    const Tokens tokens = grown_.empty() ? written : with_grown(written);
    for (std::size_t k = 0; k < tokens.size(); ++k) {
      if (!is_use(tokens, k)) continue;
      if (changed_.count(tokens[k].text) > 0 && loops_.lists_.count(tokens[k].text) > 0) refuse_loop(tokens[k], "the list " + describe(tokens[k]) + " has other items in each step", "read it after the loop, or take what each step appends by a name of its own");
      if (k < 2 || !tokens[k - 2].is(copied_call)) read_.emplace(tokens[k].text);  // a copy stays what it is
      if (locals_.count(tokens[k].text) == 0 && !is_index(tokens, k)) loops_.around_.read.emplace(tokens[k].text);
    }
    Tokens result = replaced(loops_.written_out(tokens), [&](std::string_view name) {
      const auto value = locals_.find(name);
      return value == locals_.end() ? nullptr : &value->second;
    });
    for (std::size_t k = 0; k < result.size(); ++k) {
      if (changed_.count(result[k].text) == 0 || !loops_.is_written(result[k]) || !is_use(result, k)) continue;
      for (std::size_t f = 0; f + 1 < result.size(); ++f) {
        if (result[f].is("for") && (result[f + 1].text == index_.text || result[f + 1].text == result[k].text)) refuse_loop(result[f + 1], describe(result[f + 1]) + " is an index here, and stands for something else in the loop", "give the index another name");
      }
      result[k] = accumulators_->read(result[k]);
    }
    loops_.refuse_gone(result);
    return result;
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
    if (is_joined_to(statement)) return grow(statement);
    auto how = recurrence(statement);
    if (!how || (locals_.count(name.text) > 0 && !how->in_place)) return define(statement, *equals);
    for (Tokens* part : {&how->factor, &how->value}) {
      if (!part->empty()) *part = with_locals(*part);
    }
    if (locals_.count(name.text) > 0) return change_local(name, *how);
    accumulators_->update(name, std::move(*how));
  }

  /// What is appended, or gets a name, is one with an array that the steps change in place unless it is another array.
  void refuse_alias(const Tokens& value) const {
    if (makes_new_array(value)) return;
    for (std::size_t k = 0; k < value.size(); ++k) {
      const auto grown = grown_.find(value[k].text);
      const bool so_far = grown != grown_.end() && grown->second.along && behind_places_so_far(value, k, *grown->second.along, index_) > 0;  // later steps change other places
      if (is_use(value, k) && in_place_.count(value[k].text) > 0 && !so_far) refuse_loop(value[k], "the steps change " + describe(value[k]) + " in place, and what has its value here changes with it", "write " + std::string(value[k].text.substr(0, 40)) + " = " + std::string(value[k].text.substr(0, 40)) + " + ..., or take " + std::string(value[k].text.substr(0, 40)) + ".copy() here");
    }
  }

  void append(const Tokens& statement) {
    const Token& name = statement[0];
    loops_.refuse_read(name);
    if (loops_.around_.loops > 1) refuse_loop(name, "each step of the loop around this one appends to the list, too", "make one list in each step, and join these");
    List& list = loops_.lists_.find(name.text)->second;
    if (!list.items.empty() || !list.comprehension.empty()) refuse_loop(name, "this list is not empty before the loop, or appended to twice in it", "use one list for each");
    refuse_alias(inside(statement, 4));
    list.comprehension = with_locals(inside(statement, 4));  // see result()
    if (!makes_new_array(list.comprehension)) {
      for (const Token& t : list.comprehension) {
        if (accumulators_->is_read(t)) accumulators_->share(t);
      }
    }
    appended_.emplace_back(name.text);
    grown_[std::string(name.text)] = {{{}, {}, list.comprehension}, {}, std::nullopt};
  }

  /// A name for what the array is before the loop.
  Tokens begin_with(const Token& array) {
    const Token initial = loops_.item_name(array, loops_.made_.size());
    put(before_, with_copy(initial, array));
    return {initial};
  }
  /// K = np.concatenate([K, k])
  void grow(const Tokens& statement) {
    const Token& name = statement[0];
    loops_.refuse_another_value(name);
    Grown grown{*join(statement), {}, std::nullopt};
    grown.how.item = with_locals(grown.how.item);
    const bool nothing = loops_.nothing_.erase(std::string(name.text)) > 0;
    if (!nothing) grown.initial = begin_with(name);
    so_far(grown.how.item);  // refuses what it cannot say
    if (!grown_.emplace(name.text, grown).second) refuse_loop(name, describe(name) + " grows twice in a step", "write one array for each");
    put(after_, {name, symbol("=", name)});
    put(after_, whole(grown, over("[", grown.how.item, "]")));
    after_.push_back({TokenKind::separator, "\n", name.span});
  }

  /// x += ... of a name that has begun in the step. What else has read it by now may be the same array.
  void change_local(const Token& name, const Recurrence& how) {
    Tokens& local = locals_.find(name.text)->second;
    if (fresh_.count(name.text) == 0 || read_.count(name.text) > 0) refuse_loop(name, "in place this may change another tensor", "write " + std::string(name.text.substr(0, 40)) + " = " + std::string(name.text.substr(0, 40)) + " + ...");
    Tokens changed{symbol("(", name)};
    put(changed, local);
    for (const auto& [sign, part] : {std::pair{"*", &how.factor}, {"+", &how.value}}) {
      if (part->empty()) continue;
      put(changed, {symbol(sign, name), symbol("(", name)});
      put(changed, *part);
      changed.push_back(symbol(")", name));
    }
    changed.push_back(symbol(")", name));
    local = std::move(changed);
  }

  /// Whether the loop goes over part of an axis: from 1 on, or as far as a loop around it has come, for j in range(i + 1).
  bool is_partial() const {
    return !from_zero_ || std::any_of(range_.begin(), range_.end(), [&](const Token& t) { return outer_.targets.count(t.text) > 0; });
  }
  /// x[i, j] = e for j in range(i + 1): x[i, :] += sum(at_place(x[i, :], j, e, 0, i + 1) for j in range(i + 1))
  Tokens part_changed(const Token& array, const ItemChange& item) {
    std::vector<Tokens> places = item.places;
    places.back() = {symbol(":", array)};
    Tokens row{loops_.made(TokenKind::name, std::string(array.text), array)}, value = loops_.code(std::string(at_place_call) + " (", array), statement{array};
    if (places.size() > 1) {
      put_places(row, places);
      put_places(statement, places);
    }
    put(value, row);
    put(value, {symbol(",", array), index_, symbol(",", array)});
    put(value, loops_.piece(array, item));
    for (const Tokens* bound : {&steps_.begin, &steps_.end}) {
      value.push_back(symbol(",", array));
      put(value, *bound);
    }
    value.push_back(symbol(")", array));
    put(statement, {symbol("+", array), symbol("=", array), {TokenKind::name, "sum", array.span}});
    put(statement, over("(", value, ")"));
    return statement;
  }

  /// x[places] = ...: all steps together, where each gives another place its value, or a sum.
  void change_item(const Token& array, ItemChange item) {
    for (Tokens& place : item.places) {
      place = with_locals(place);
      for (const Token& t : place) {
        if (accumulators_->is_read(t)) refuse_loop(array, "which places of " + describe(array) + " the loop changes is not read here", "write x[i] = ... or x[:, i*k:(i+1)*k] = ... of for i in range(n)");
      }
    }
    item.value = with_locals(item.value);
    std::optional<std::size_t> along;
    bool partial = false;
    for (std::size_t k = 0; k < item.places.size(); ++k) {
      const Tokens& place = item.places[k];
      if (!names(place, index_.text)) continue;
      partial = !along && item.sign.empty() && is_partial() && place.size() == 1 && k + 1 == item.places.size();
      const bool whole = (place.size() == 1 || is_block(place, index_)) && from_zero_ && !along;
      if (!whole && !partial) refuse_loop(place[0], "which places of " + describe(array) + " the loop changes is not read here", "write x[i] = ... or x[:, i*k:(i+1)*k] = ... of for i in range(n)");
      along = k;
    }
    Tokens statement;
    if (partial) {
      loops_.require_once(array, item, changes_);
      loops_.require_zeros(array, item);
      if (loops_.empty_.count(array.text) > 0) refuse_loop(array, "places of " + describe(array) + " that the loop does not reach have no values", "write " + std::string(array.text.substr(0, 40)) + " = np.zeros(...) before it");
      statement = part_changed(array, item);
    } else if (along) {
      const bool gives = item.sign.empty() && !steps_.backwards && loops_.around_.loops == 1;
      loops_.require_once(array, item, changes_, gives ? &index_ : nullptr, *along);
      if (!gives || loops_.adds_to_zeros(array, item, *along)) loops_.require_zeros(array, item);
      else if (loops_.empty_.count(array.text) > 0) put(before_, loops_.with_unknown_entries(array));
      const Tokens piece = loops_.piece(array, item);
      statement = loops_.changed_array(array, item, *along, over("", piece, ""));
      if (gives) {  // np.stack([...], axis=k)
        const Tokens shaped = begin_with(array);  // of the shape, whatever has the name later
        Join how{loops_.code(has_outside(item.places[*along], ":") ? "np . concatenate (" : "np . stack (", array), loops_.along_axis_of(array, item, *along), replaced(piece, [&](std::string_view name) { return name == array.text ? &shaped : nullptr; })};
        grown_[std::string(array.text)] = {how, {}, along};
      }
    } else {
      loops_.require_once(array, item, changes_);
      loops_.require_zeros(array, item);
      if (item.sign.empty()) refuse_loop(array, "each step gives the same place of " + describe(array) + " another value", "add to it: " + std::string(array.text.substr(0, 40)) + "[...] += ...");
      statement.push_back(array);
      put_places(statement, item.places);
      put(statement, {symbol(item.sign, array), symbol("=", array), {TokenKind::name, "sum", array.span}});
      put(statement, over("(", item.value, ")"));
    }
    const auto sum = recurrence(statement);
    if (sum && locals_.count(array.text) > 0) return change_local(array, *sum);
    accumulators_->hide(array.text);
    put(result_, statement);
    end_statement();
  }

  void define(const Tokens& statement, std::size_t equals) {
    const Token& first = statement[0];
    const std::vector<Tokens> names_of = parts_of(between(statement, 0, static_cast<std::ptrdiff_t>(equals)));
    std::vector<Tokens> values = parts_of(between(statement, equals + 1));
    if (names_of.size() > 1 && values.size() == 1) {  // o, p = f(x)
      const Tokens whole = values[0];
      values.clear();
      for (std::size_t place = 0; place < names_of.size(); ++place) {
        Tokens one = loops_.code(std::string(unpacked_call) + " (", first);
        put(one, whole);
        put(one, loops_.code(", " + std::to_string(place) + " , " + std::to_string(names_of.size()) + " )", first));
        values.push_back(std::move(one));
      }
    }
    if (names_of.size() != values.size()) refuse_loop(first, std::to_string(names_of.size()) + " names and " + std::to_string(values.size()) + " values", "in a loop over a size write one value for each name");
    Values after = locals_;
    for (std::size_t k = 0; k < names_of.size(); ++k) {
      const bool single = names_of[k].size() == 1 && names_of[k][0].kind == TokenKind::name;
      if (!single || loops_.around_.targets.count(names_of[k][0].text) > 0) refuse_loop(first, "in a loop over a size expected a name, found " + describe(names_of[k].empty() ? first : names_of[k][0]), "write x = ..., x += ... or heads.append(...)");
      const Token& name = names_of[k][0];
      const std::string local(name.text);
      if (locals_.count(local) == 0) begin_name(name);
      const bool outside = locals_.count(local) == 0 && (loops_.known_(local) || loops_.lists_.count(local) > 0 || read_.count(local) > 0);
      if (outside) refuse_loop(name, "each step gives " + describe(name) + " another value", "write the loop over a number, for i in range(3), which is written out");
      refuse_alias(values[k]);
      Tokens value{symbol("(", first)};
      put(value, with_locals(values[k]));
      value.push_back(symbol(")", first));
      if (names(value, local)) refuse_loop(name, describe(name) + " has no value before the first step", "give it one before the loop");
      const bool zeros = makes_zeros(values[k]);
      if (zeros) loops_.zeros_.insert(local);
      else loops_.zeros_.erase(local);
      if (zeros || (values[k].size() == 1 && values[k][0].kind == TokenKind::number)) fresh_.insert(local);
      else fresh_.erase(local);
      read_.erase(local);
      after[local] = std::move(value);
    }
    locals_ = std::move(after);
  }

  Loops& loops_;
  Set outer_zeros_;  ///< what is known to be zeros outside
  Around outer_;
  Token index_;
  Tokens range_, result_, changes_;
  Values locals_;
  Counted steps_;
  bool from_zero_ = false;
  std::optional<Accumulators> accumulators_;
  std::vector<std::string> appended_;                     ///< lists to which each step appends
  std::map<std::string, Grown, std::less<>> grown_;       ///< by this place of the step
  Tokens before_, after_;                                 ///< statements about what grows
  Set changed_, in_place_, begun_, read_, fresh_;  ///< from step to step; as the same array; anew in each step; read so far in a step; arrays that the step has made
};

/// The range of a loop over the items of tensors and lists of as many as a size says, by their names, also in enumerate and zip.
Tokens Loops::through(const Loop& loop, const Items& targets, const Token& index, Values& locals) const {
  const auto arguments = [](const Tokens& call) { return parts_of(inside(call, 2)); };
  const auto calls = [](const Tokens& t, std::string_view function) { return t.size() > 3 && t[0].is(function) && is_one_bracket(between(t, 1)); };
  Tokens whole = loop.range;
  std::string form;
  std::size_t target = 0;
  if (calls(whole, "enumerate") && arguments(whole).size() == 1) {
    locals[std::string(targets.flat[target++].text)] = {index};
    whole = arguments(whole)[0];
  }
  if (calls(whole, "zip")) require_several(whole[0], arguments(whole));
  const std::vector<Tokens> sources = calls(whole, "zip") ? arguments(whole) : std::vector<Tokens>{whole};
  for (std::size_t k = 0; k < sources.size(); ++k) form += k == 0 ? "x" : ",x";
  if (target == 1) form = "x," + (sources.size() > 1 ? "(" + form + ")" : form);
  if (form != targets.form) refuse_loop(loop.begin, "the loop has other names than what it goes through gives", "write for q, k in zip(Q, K):");
  Tokens range, all;
  std::size_t lists = 0;
  for (const Tokens& source : sources) {
    if (source.size() != 1 || source[0].kind != TokenKind::name) refuse_loop(source.empty() ? loop.begin : source[0], "a loop runs over range(n), a tensor or a list by its name, or over what is written in [ ]", "name it before the loop: ws = ...");
    const auto list = lists_.find(source[0].text);
    Tokens item = source;
    if (list != lists_.end()) {
      list->second.read = true;
      item = list->second.comprehension;
      const auto last = std::find_if(item.rbegin(), item.rend(), [](const Token& t) { return t.is("for"); });
      const Tokens length = last == item.rend() ? Tokens{} : Tokens(last.base() + 2, item.end() - 1);  // behind `for i in`
      const bool same = !length.empty() && length[0].is("range") && (lists == 0 || text_of(length) == text_of(range));
      if (!same) refuse_loop(source[0], "the list " + describe(source[0]) + " has its own length", "write for i in range(n): and heads[i]");
      range = length;
      ++lists;
    }
    if (!all.empty()) all.push_back(symbol(",", index));
    all.push_back(source[0]);
    put(item, {symbol("[", index), index, symbol("]", index)});
    locals[std::string(targets.flat[target++].text)] = std::move(item);
  }
  if (lists > 0 && lists < sources.size()) refuse_loop(loop.begin, "zip goes through a list and a tensor", "write for i in range(n): and heads[i]");
  if (lists > 0) return range;
  range = {{TokenKind::name, "range", index.span}, symbol("(", index), {TokenKind::name, "len", index.span}, symbol("(", index)};
  if (sources.size() > 1) put(range, {{TokenKind::name, "zipped", index.span}, symbol("(", index)});  // which are all of one length
  put(range, all);
  if (sources.size() > 1) range.push_back(symbol(")", index));
  put(range, {symbol(")", index), symbol(")", index)});
  return range;
}

Tokens Loops::over_size(const Loop& written, const Items& targets) {
  Loop loop = written;
  loop.body = with_recurrences(loop.body);
  OverSize over(*this, loop, targets);
  over.run(loop.body);
  return over.result();
}

}  // namespace foldproof::read
