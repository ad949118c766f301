// SPDX-License-Identifier: MIT
#include "read/accumulators.hpp"

#include <algorithm>

#include "expr/diagnostic.hpp"

namespace foldproof::read {

Loops::Accumulators::Accumulator& Loops::Accumulators::find(const Token& name) {
  const auto known = all_.find(name.text);
  if (known != all_.end()) return known->second;
  Token initial = loops_.item_name(name, loops_.made_.size());
  return all_.emplace(std::string(name.text), Accumulator{name, initial, {}}).first->second;
}

void Loops::Accumulators::update(const Token& name, Recurrence how) {
  if (!how.extremum.empty() && loops_.known_(std::string(how.extremum))) refuse_loop(name, "`" + std::string(how.extremum) + "` is a function of one's own here", "write np.maximum(x, y)");
  find(name).updates.push_back(std::move(how));
}

Token Loops::Accumulators::read(const Token& name) {
  const Token use = loops_.item_name(name, loops_.made_.size());
  uses_.emplace(std::string(use.text), Use{name, find(name).updates.size()});
  return use;
}

Tokens Loops::Accumulators::resolved(const Tokens& tokens) {
  std::map<std::string, Tokens, std::less<>> values;
  std::size_t written = tokens.size();
  for (const Token& t : tokens) {
    const auto use = uses_.find(t.text);
    if (use == uses_.end() || values.count(t.text) > 0) continue;
    written += values.emplace(use->first, value(use->second)).first->second.size();
    if (written > most_tokens_written) fail("limit.size", "with its steps written out the loop is too long", use->second.at.span, "name what the steps need before the loop");
  }
  return replaced(tokens, [&](std::string_view name) {
    const auto found = values.find(name);
    return found == values.end() ? nullptr : &found->second;
  }, index_.text);
}

/// What the name of the use is at its place, as an expression of the index.
Tokens Loops::Accumulators::value(const Use& use) {
  Accumulator& a = find(use.at);
  if (a.updates.empty() || hidden_.count(use.at.text) > 0 || a.being_resolved) refuse_loop(use.at, "each step takes `" + std::string(use.at.text) + "` from the one before", "write the loop over a number, for i in range(3), which is written out");
  a.being_resolved = true;
  a.needs_initial = true;
  Tokens result{symbol("(", use.at)};
  if (takes_extremum(a)) {
    if (use.updates == 0) refuse_loop(use.at, "in the first step this is read before it takes any value", "read it behind that");
    put(result, largest(a, {a.initial}, &index_));
  } else {
    result.push_back(a.initial);
    put(result, factors(a, a.updates.size(), nullptr, {index_}, use.updates, true));
    for (std::size_t k = 0; k < a.updates.size(); ++k) put(result, summed(a, k, {index_}, use.updates, true));
  }
  result.push_back(symbol(")", use.at));
  a.being_resolved = false;
  if (use.updates == a.updates.size() && !may_be_kept(a)) return result;
  Tokens checked = loops_.code(std::string(kept_call) + " (", use.at);  // in the first step it still has the shape from before the loop
  put(checked, {a.initial, symbol(",", use.at)});
  put(checked, result);
  checked.push_back(symbol(")", use.at));
  return checked;
}

/// + sum(e * factors for s in ...) of one update over the steps up to `last`, which has made so many updates, or all of them.
Tokens Loops::Accumulators::summed(const Accumulator& a, std::size_t update, const Tokens& last, std::size_t updates, bool within) {
  const Token& at = a.name;
  if (a.updates[update].value.empty()) return {};
  const Token step = loops_.item_name(index_, loops_.made_.size());
  Tokens term = resolved(a.updates[update].value);
  std::map<std::string, Tokens, std::less<>> initial;  // what is there for its shape
  for (auto& [name, other] : all_) {
    if (!within || !names(term, name)) continue;
    other.needs_initial = true;
    initial[name] = {other.initial};
  }
  term = replaced(term, [&](std::string_view name) {
    const auto found = initial.find(name);
    return found == initial.end() ? nullptr : &found->second;
  });
  Tokens result = loops_.code("+ sum ( (", at);
  put(result, moved(term, step));
  result.push_back(symbol(")", at));
  put(result, factors(a, update, &step, last, updates, within));
  put(result, loops_.code("for " + std::string(step.text) + " in range (", at));
  const bool by_then = update < updates;
  if (within && steps_.backwards) {
    put(result, last);
    if (!by_then) put(result, loops_.code("+ 1", at));
  } else {
    put(result, steps_.begin);
  }
  result.push_back(symbol(",", at));
  put(result, within && !steps_.backwards ? last : steps_.end);
  if (within && !steps_.backwards && by_then) put(result, loops_.code("+ 1", at));
  put(result, loops_.code(") )", at));
  return result;
}

/// * g**(...) of all factors that what came in `update` of the step `from`, or before the loop, has got by then.
Tokens Loops::Accumulators::factors(const Accumulator& a, std::size_t update, const Token* from, const Tokens& last, std::size_t updates, bool within) {
  Tokens result;
  for (std::size_t k = 0; k < a.updates.size(); ++k) {
    const Tokens& factor = a.updates[k].factor;
    if (factor.empty()) continue;
    Bound begin, end;  // of the steps that multiply by it
    if (steps_.backwards) {
      begin = within ? Bound{last, k >= updates} : Bound{steps_.begin, false};
      end = from != nullptr ? Bound{{*from}, k > update} : Bound{steps_.end, false};
    } else {
      begin = from != nullptr ? Bound{{*from}, k <= update} : Bound{steps_.begin, false};
      end = within ? Bound{last, k < updates} : Bound{steps_.end, false};
    }
    put(result, loops_.code("* (", a.name));
    if (const auto change = telescoped(a, factor, begin, end)) put(result, *change);
    else if (changes_in_step(factor)) put(result, exponential(a, resolved(factor), begin, end));
    else put(result, power(resolved(factor), begin, end, !within && from == nullptr));
    result.push_back(symbol(")", a.name));
  }
  return result;
}

/// factor ** (end - begin), where there may be fewer than no steps if the bounds say nothing else.
Tokens Loops::Accumulators::power(const Tokens& factor, const Bound& begin, const Bound& end, bool counts) {
  const Token& at = factor[0];
  Tokens result{symbol("(", at)};
  put(result, factor);
  put(result, loops_.code(") ** (", at));
  if (counts) {
    put(result, loops_.code("sum ( 1 for " + std::string(index_.text) + " in range (", at));
    put(result, begin.base);
    result.push_back(symbol(",", at));
    put(result, end.base);
    put(result, loops_.code(") )", at));
  } else {
    put(result, end.base);
    if (end.one_more != begin.one_more) put(result, loops_.code(end.one_more ? "+ 1" : "- 1", at));
    if (small_number(begin.base) != std::optional<std::size_t>(0)) {
      put(result, loops_.code("- (", at));
      put(result, begin.base);
      result.push_back(symbol(")", at));
    }
  }
  result.push_back(symbol(")", at));
  return result;
}

/// The product of the factors of the steps from `begin` up to `end`, exp of a sum: what it is up to `end`, less what it is up to `begin`,
/// as cumulative sums say it.
Tokens Loops::Accumulators::exponential(const Accumulator& a, const Tokens& factor, const Bound& begin, const Bound& end) {
  Tokens logarithm = loops_.code("log_factor (", a.name);
  put(logarithm, factor);
  logarithm.push_back(symbol(")", a.name));
  Tokens result = loops_.code("np . exp (", a.name);
  put(result, sum_up_to(a, logarithm, end));
  const bool from_first = !begin.one_more && text_of(begin.base) == text_of(steps_.begin);
  if (!from_first) {
    put(result, loops_.code("- (", a.name));
    put(result, sum_up_to(a, logarithm, begin));
    result.push_back(symbol(")", a.name));
  }
  result.push_back(symbol(")", a.name));
  return result;
}

/// Where the factor of each step is exp(before - after) of what the step makes of one name, as exp(m - new) of an online softmax: that of
/// all steps from `begin` up to `end` is the one of the first, before it, and of the last, behind it.
std::optional<Tokens> Loops::Accumulators::telescoped(const Accumulator& a, const Tokens& factor, const Bound& begin, const Bound& end) {
  const Tokens call = without_brackets(factor);
  const Token* function = called(call);
  if (function == nullptr || !function->is("exp") || loops_.known_("exp")) return std::nullopt;
  const Tokens argument = without_brackets(between(call, static_cast<std::size_t>(function - call.data()) + 1));
  const auto minus = place_outside(argument, "-");
  if (!minus || *minus == 0) return std::nullopt;
  const Tokens sides[] = {without_brackets(between(argument, 0, static_cast<std::ptrdiff_t>(*minus))), without_brackets(between(argument, *minus + 1))};
  const Use* uses[] = {nullptr, nullptr};
  for (std::size_t k = 0; k < 2; ++k) {
    const auto use = sides[k].size() == 1 ? uses_.find(sides[k][0].text) : uses_.end();
    if (use == uses_.end()) return std::nullopt;
    uses[k] = &use->second;
  }
  Accumulator& of = find(uses[0]->at);
  if (uses[1]->at.text != uses[0]->at.text || uses[0]->updates != 0 || uses[1]->updates != of.updates.size() || !takes_extremum(of)) return std::nullopt;
  const auto before = [&](const Bound& step) -> std::optional<Tokens> {  // what it is before that step
    of.needs_initial = true;
    if (!step.one_more && text_of(step.base) == text_of(steps_.begin)) return Tokens{of.initial};
    const bool behind_last = !step.one_more && text_of(step.base) == text_of(steps_.end);
    if (!step.one_more && !behind_last) return std::nullopt;
    if (step.one_more && step.base.size() != 1) return std::nullopt;
    return largest(of, {of.initial}, step.one_more ? &step.base[0] : nullptr);
  };
  const auto first = before(begin), last = before(end);
  if (!first || !last) return std::nullopt;
  Tokens result = loops_.code("np . exp (", a.name);
  put(result, *first);
  put(result, loops_.code("- (", a.name));
  put(result, *last);
  put(result, loops_.code(") )", a.name));
  return result;
}

/// sum(value for s in range(first step, end))
Tokens Loops::Accumulators::sum_up_to(const Accumulator& a, const Tokens& value, const Bound& end) {
  const Token step = loops_.item_name(index_, loops_.made_.size());
  Tokens result = loops_.code("sum ( (", a.name);
  put(result, moved(value, step));
  put(result, loops_.code(") for " + std::string(step.text) + " in range (", a.name));
  put(result, steps_.begin);
  result.push_back(symbol(",", a.name));
  put(result, end.base);
  if (end.one_more) put(result, loops_.code("+ 1", a.name));
  put(result, loops_.code(") )", a.name));
  return result;
}

/// The larger, or smaller, of what there was before the loop and the values of the steps up to `last`, or of all. Up to a step it is one of
/// all steps, too, where those behind it have the value of step 0: a range that varies with an index has no largest value in the kernel.
/// Where what was there before was the value of step 0, as in m = x[0] and for t in range(1, n), the others begin with it.
Tokens Loops::Accumulators::largest(const Accumulator& a, const Tokens& so_far, const Token* last) {
  const Recurrence& how = *std::find_if(a.updates.begin(), a.updates.end(), [](const Recurrence& r) { return !r.extremum.empty(); });
  const auto begin = small_number(steps_.begin);
  const bool some = (last != nullptr || loops_.least(steps_.end) == std::optional(1)) && begin && *begin < 2 && !steps_.backwards;  // else there may be no step, and nothing is the largest of none
  if (!some || a.updates.size() > 1) refuse_loop(a.name, "a `" + std::string(how.extremum) + "` is read where it is all that changes " + describe(a.name) + ", and goes over range(n), or over range(1, n) where m = x[0] stands before it", "write the loop over a number, for i in range(3), or the largest of all, np.max(x)");
  if (last != nullptr && loops_.known_("tril")) refuse_loop(a.name, "`tril` is a function of one's own here", "give it another name");
  const bool larger = how.extremum.starts_with("max");
  const Token step = loops_.item_name(index_, loops_.made_.size());
  const Tokens value = resolved(how.value), first = moved(value, loops_.made(TokenKind::number, "0", a.name));
  Tokens all = loops_.code(larger ? "np . max ( np . stack ( [ (" : "np . min ( np . stack ( [ (", a.name);
  if (last != nullptr) {
    put(all, loops_.code("np . where ( tril (", a.name));
    put(all, steps_.end);
    put(all, loops_.code(") [ " + std::string(last->text) + " , " + std::string(step.text) + " ] == 1 ,", a.name));
    put(all, moved(value, step));
    put(all, loops_.code(", (", a.name));
    put(all, first);
    put(all, loops_.code(") )", a.name));
  } else {
    put(all, moved(value, step));
  }
  put(all, loops_.code(") for " + std::string(step.text) + " in range ( 0 ,", a.name));
  put(all, steps_.end);
  put(all, loops_.code(") ] ) , axis = 0 )", a.name));
  Tokens result = loops_.code(std::string(begun_call) + " (", a.name);
  const auto put_next = [&](const Tokens& part) {
    put(result, part);
    result.push_back(symbol(",", a.name));
  };
  put_next(so_far);
  put_next(first);
  put(result, all);
  if (*begin == 0) {  // else nothing is known of step 0
    put(result, loops_.code(larger ? ", np . maximum (" : ", np . minimum (", a.name));
    put_next(so_far);
    put(result, all);
    result.push_back(symbol(")", a.name));
  }
  result.push_back(symbol(")", a.name));
  return result;
}

Tokens Loops::Accumulators::before() const {
  Tokens result;
  for (const auto& [name, a] : all_) {
    if (!a.needs_initial) continue;
    put(result, with_copy(a.initial, a.name));
  }
  return result;
}

Tokens Loops::Accumulators::after() {
  Tokens result;
  for (auto& entry : all_) {
    const std::string& name = entry.first;
    Accumulator& a = entry.second;
    const bool adds = std::all_of(a.updates.begin(), a.updates.end(), [](const Recurrence& r) { return r.factor.empty() && r.extremum.empty(); });
    if (hidden_.count(name) > 0 && !adds) refuse_loop(a.name, describe(a.name) + " is changed as a whole and in single places", "write one loop for each");
    const bool in_place = std::any_of(a.updates.begin(), a.updates.end(), [](const Recurrence& r) { return r.in_place; });
    // Without a step it stays as it is, with its shape, and the same array as before. What changes in place keeps them anyway, but for numbers.
    const bool kept = !in_place && (!has_step_ || may_be_kept(a));
    const auto begin = [&](const char* sign) {
      result.push_back(a.name);
      if (in_place) return put(result, {symbol(sign, a.name), symbol("=", a.name)});
      result.push_back(symbol("=", a.name));
      if (kept) put(result, {{TokenKind::name, kept_call, a.name.span}, symbol("(", a.name), a.name, symbol(",", a.name)});
      put(result, {a.name, symbol(sign, a.name)});
    };
    const auto end_statement = [&] { result.push_back({TokenKind::separator, "\n", a.name.span}); };
    const auto end = [&] {
      if (kept) result.push_back(symbol(")", a.name));
      end_statement();
    };
    if (takes_extremum(a)) {
      put(result, {a.name, symbol("=", a.name)});
      put(result, largest(a, {a.name}, nullptr));
      end_statement();
      continue;
    }
    const Tokens all = factors(a, a.updates.size(), nullptr, {}, a.updates.size(), false);
    if (!all.empty()) {
      if (in_place && !has_step_) refuse_loop(a.name, "the loop may have no step, where " + describe(a.name) + " keeps the shape from before it", "write " + std::string(a.name.text.substr(0, 40)) + " = " + std::string(a.name.text.substr(0, 40)) + " * ...");
      begin("*");
      put(result, between(all, 1));
      end();
    }
    for (std::size_t k = 0; k < a.updates.size(); ++k) {
      const Tokens sum = summed(a, k, {}, a.updates.size(), false);
      if (sum.empty()) continue;
      begin("+");
      put(result, between(sum, 1));
      end();
    }
    if (a.shared && !kept) {  // x = x has another name for it, so that nothing changes it in place
      put(result, {a.name, symbol("=", a.name), a.name});
      end_statement();
    }
  }
  return result;
}

bool Loops::Accumulators::takes_extremum(const Accumulator& a) {
  return std::any_of(a.updates.begin(), a.updates.end(), [](const Recurrence& r) { return !r.extremum.empty(); });
}

/// Whether a loop in this one may have left it as it was.
bool Loops::Accumulators::may_be_kept(const Accumulator& a) {
  return std::any_of(a.updates.begin(), a.updates.end(), [](const Recurrence& r) { return r.kept; });
}

/// Whether the value is another one in each step.
bool Loops::Accumulators::changes_in_step(const Tokens& tokens) const {
  return names(tokens, index_.text) || std::any_of(tokens.begin(), tokens.end(), [&](const Token& t) { return is_read(t); });
}

/// With another index.
Tokens Loops::Accumulators::moved(const Tokens& tokens, const Token& index) const {
  const Tokens other{index};
  return replaced(tokens, [&](std::string_view name) { return name == index_.text ? &other : nullptr; });
}

}  // namespace foldproof::read
