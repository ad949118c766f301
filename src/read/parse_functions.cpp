// SPDX-License-Identifier: MIT
// Functions of one's own, def and lambda: their parameters, locals and cases, down to what they give.
#include "read/claim_parser.hpp"
#include "read/numpy.hpp"
#include "read/parse.hpp"

namespace foldproof::read {
namespace {

Expression raised(const Token& at) { return node(SyntaxKind::call, {}, std::string(raised_call), at.span); }
Expression case_of(const Expression& condition, const Expression& then, const Expression& otherwise) { return node(SyntaxKind::call, {condition, then, otherwise}, std::string(case_call), condition->span); }
Expression no_value(const Token& at, const std::string& name) { return node(SyntaxKind::call, {node(SyntaxKind::name, {}, name, at.span)}, "no value", at.span); }

}  // namespace

void ClaimParser::function(const Token& name, std::string_view opening, std::string_view closing) {
  std::vector<OwnFunctions::Parameter> parameters;
  std::vector<Token> others;
  bool by_name = false;
  if (!opening.empty()) parser_.expect(opening, "before the parameters");
  while (!parser_.peek().is(closing.empty() ? ":" : closing)) {
    if (!closing.empty() && parser_.peek().is("*") && parser_.peek(1).is(",")) {  // what follows is given by its name
      parser_.take();
      parser_.take();
      by_name = true;
    }
    if (!closing.empty() && (parser_.peek().is("*") || parser_.peek().is("**")) && parser_.peek(1).kind == TokenKind::name) {  // *args, of which nothing may be used
      const Token sign = parser_.take(), rest = parser_.take();
      others.push_back(rest);
      by_name = by_name || sign.is("*");
      if (!parser_.accept(",")) break;
      continue;
    }
    const Token parameter = parser_.expect_name("as a parameter");
    if (!closing.empty() && parser_.accept(":")) skip_annotation();
    const Expression otherwise = parser_.accept("=") ? expression() : nullptr;
    if (!parameter.is("self")) parameters.push_back({std::string(parameter.text), otherwise, by_name});
    if (!parser_.accept(",")) break;
  }
  if (!closing.empty()) parser_.expect(closing, "after the parameters");
  if (parser_.peek().is("-") && parser_.peek(1).is(">")) skip_annotation();
  parser_.expect(":", "after the parameters");
  if (!closing.empty()) parser_.take();  // the block begins
  introduce(name);
  if (parser_.is_called_in_function(name.text)) fail("parse.duplicate", "an earlier function calls another " + describe(name), name.span, "define it before what calls it");
  parser_.declare_function(name.text);
  locals_.clear();
  read_.clear();
  made_.clear();
  counts_ = false;
  parser_.begin_function();
  function_ = own_call(name.text);
  for (std::size_t k = 0; k < parameters.size(); ++k) {
    auto& parameter = parameters[k];
    if (!closing.empty() && counts_steps(parameter.name)) parameter.only = number_in_calls(name, parameter, k);
    locals_[parameter.name] = parameter.only ? parameter.only : node(SyntaxKind::name, {}, parameter.name, name.span);
  }
  for (const Token& rest : others) locals_[std::string(rest.text)] = no_value(rest, std::string(rest.text));
  const auto one_value = [&] {
    const Expression written = current(parser_.condition());
    for (const auto& [local, unused] : locals_) functions_.refuse_capture(written, local);
    read_.push_back(written);
    return without_overwriting(functions_.written_out(written));
  };
  const auto value = [&] {  // s + mask if causal else s
    const Expression then = one_value();
    if (parser_.accept("or")) return case_of(node(SyntaxKind::call, {then}, "is true", then->span), then, one_value());  // scale or 1
    if (!parser_.accept("if")) return then;
    const Expression condition = case_condition();
    parser_.expect("else", "after the condition");
    return case_of(condition, then, one_value());
  };
  if (closing.empty()) {
    const Expression result = value();
    locals_.clear();
    parser_.end_function();
    return functions_.define(std::string(name.text), name.span, std::move(parameters), {}, result);
  }
  const Loops::Scope scope(loops_);
  const Expression result = rest_of_function(name, value);
  end_block();
  loops_.require_read();
  require_needed(result);
  parser_.end_function();
  const NamedValues locals = std::exchange(locals_, {});
  functions_.define(std::string(name.text), name.span, std::move(parameters), {}, result, counts_);
}

bool ClaimParser::counts_steps(const std::string& parameter) const {
  int depth = 1;
  for (std::size_t k = 0; depth > 0 && parser_.peek(k).kind != TokenKind::end; ++k) {
    depth += step_into_block(parser_.peek(k));
    const bool begins = k == 0 || ends_statement(parser_.peek(k - 1));
    if (!begins || !parser_.peek(k).is("for")) continue;
    while (!ends_statement(parser_.peek(k)) && !parser_.peek(k).is("in")) ++k;
    for (; !ends_statement(parser_.peek(k)); ++k) {
      if (parser_.peek(k).is(parameter) && !parser_.peek(k - 1).is(".")) return true;
    }
    --k;
  }
  return false;
}

Expression ClaimParser::number_in_calls(const Token& function, const OwnFunctions::Parameter& parameter, std::size_t place) const {
  Expression number;
  for (std::size_t k = 0; parser_.peek(k + 1).kind != TokenKind::end; ++k) {
    if (!parser_.peek(k).is(function.text) || !parser_.peek(k + 1).is("(")) continue;
    Tokens call;
    int depth = 1;
    for (std::size_t a = k + 2; depth > 0 && !ends_statement(parser_.peek(a)); ++a) {
      depth += (opens(parser_.peek(a)) ? 1 : 0) - (closes(parser_.peek(a)) ? 1 : 0);
      if (depth > 0) call.push_back(parser_.peek(a));
    }
    const std::vector<Tokens> arguments = parts_of(call);
    Expression given = parameter.otherwise;
    for (std::size_t a = 0; a < arguments.size(); ++a) {
      const bool named = arguments[a].size() > 1 && arguments[a][1].is("=");
      if (named ? !arguments[a][0].is(parameter.name) : a != place) continue;
      const Tokens value = between(arguments[a], named ? 2 : 0);
      given = small_number(value) ? parse_expression(text_of(value)) : nullptr;
    }
    if (!given || given->kind != SyntaxKind::number || (number && !same(number, given))) return nullptr;
    number = given;
  }
  return number;
}

bool ClaimParser::is_called(const Token& function) const {
  for (std::size_t k = 0; parser_.peek(k).kind != TokenKind::end; ++k) {
    if (parser_.peek(k).is(function.text) && parser_.peek(k + 1).is("(")) return true;
  }
  return false;
}

Expression ClaimParser::rest_of_function(const Token& name, const std::function<Expression()>& value) {
  std::vector<std::pair<Expression, Expression>> early;  // what it gives before its end, with the condition
  Expression result;
  while (!result) {
    if (at_block_end() && !early.empty() && !is_called(name)) fail("parse.unexpected", "nothing calls " + describe(name) + ", which asserts something", name.span, "call it with what it is about: " + std::string(name.text) + "(A, B)");
    if (at_block_end()) fail("parse.unexpected", "not every case of " + describe(name) + " returns something", name.span, "end the function with return");
    if (says_nothing() || loops_.take()) continue;
    if (parser_.peek().is("return")) {
      result = returned(value);
    } else if (parser_.peek().is("assert")) {
      const Token begin = parser_.take();
      const Expression asserted = with_locals(case_condition(), locals_);
      if (parser_.accept(",")) skip_statement();
      if (parser_.peek().kind != TokenKind::separator) end_expected();
      early.emplace_back(node(SyntaxKind::call, {asserted}, "not", begin.span), raised(begin));
    } else if (parser_.peek().is("if")) {
      result = cases(value, early);
    } else {
      local_definition(value);
      if (parser_.peek().kind != TokenKind::separator) end_expected();
    }
  }
  for (; !early.empty(); early.pop_back()) result = case_of(early.back().first, early.back().second, result);
  return result;
}

void ClaimParser::require_needed(const Expression& result) const {
  std::set<const Syntax*> seen;
  std::set<std::pair<std::size_t, std::size_t>> needed;  // where the calls stand
  const std::function<void(const Expression&, const std::function<void(const Expression&)>&)> visit = [&](const Expression& e, const std::function<void(const Expression&)>& see) {
    if (!seen.insert(e.get()).second) return;
    if (may_fail(*e)) see(e);
    each_part(e, [&](const Expression& part) { visit(part, see); });
  };
  visit(result, [&](const Expression& e) { needed.emplace(e->span.begin, e->span.end); });
  seen.clear();
  for (const Expression& read : read_) {
    visit(read, [&](const Expression& e) {
      if (needed.count({e->span.begin, e->span.end}) == 0) fail("parse.unexpected", e->kind == SyntaxKind::call ? "what `" + e->name.substr(0, 40) + "` gives here is not needed" : "what is computed here is not needed", e->span, "leave it out");
    });
  }
}

bool ClaimParser::at_block_end() {
  parser_.skip_separators();
  return parser_.peek().kind == TokenKind::block_end;
}

void ClaimParser::end_block() {
  if (parser_.peek().kind != TokenKind::separator && parser_.peek().kind != TokenKind::block_end) end_expected();
  if (!at_block_end()) fail("parse.unexpected", "nothing is done in a function after it has returned", parser_.peek().span, "leave this out, or begin the line further to the left");
  parser_.take();
}

Expression ClaimParser::returned(const std::function<Expression()>& value) {
  parser_.expect("return", "at the end of a function");
  std::vector<Expression> values;
  do {
    values.push_back(with_locals(value(), locals_));
  } while (parser_.accept(","));
  return values.size() == 1 ? values[0] : node(SyntaxKind::list, values, {}, values[0]->span);
}

Expression ClaimParser::cases(const std::function<Expression()>& value, std::vector<std::pair<Expression, Expression>>& early) {
  const Token begin = parser_.take();
  const Expression condition = with_locals(case_condition(), locals_), opposite = node(SyntaxKind::call, {condition}, "not", condition->span);
  parser_.expect(":", "after the condition");
  open_locals(begin);
  NamedValues before = locals_, made_before = made_;
  const std::size_t items = loops_.item_count();
  const Expression then = block(begin, value);
  NamedValues after_then = std::exchange(locals_, std::move(before)), made_then = std::exchange(made_, std::move(made_before));
  Expression otherwise;
  std::vector<std::pair<Expression, Expression>> later;
  std::size_t next = 0;
  while (parser_.peek(next).kind == TokenKind::separator) ++next;
  if (parser_.peek(next).is("elif") || parser_.peek(next).is("else")) {
    parser_.skip_separators();
    if (parser_.peek().is("elif")) {
      otherwise = cases(value, later);
    } else {
      const Token other = parser_.take();
      parser_.expect(":", "after `else`");
      otherwise = block(other, value);
    }
  }
  if (loops_.item_count() != items) fail("parse.unexpected", "a list changes in one case only", begin.span, "write the cases into functions of their own");
  for (const auto& [name, given] : after_then) loops_.forget_zeros(name);
  if (then && otherwise && later.empty()) return case_of(condition, then, otherwise);
  if (then) early.emplace_back(condition, then);
  for (const auto& [when, what] : later) early.emplace_back(node(SyntaxKind::call, {opposite, when}, "and", condition->span), what);
  if (otherwise) early.emplace_back(opposite, otherwise);
  if (otherwise && !then) {
    locals_ = std::move(after_then);
    made_ = std::move(made_then);
  }
  if (then || otherwise) return nullptr;
  for (auto& [name, given] : locals_) {
    const auto other = after_then.find(name);
    if (other != after_then.end() && other->second == given) continue;
    given = case_of(condition, other == after_then.end() ? no_value(begin, name) : other->second, given);
    made_[name] = given;
  }
  for (const auto& [name, given] : after_then) {
    if (locals_.emplace(name, case_of(condition, given, no_value(begin, name))).second) made_[name] = locals_[name];
  }
  return nullptr;
}

void ClaimParser::open_locals(const Token& begin) {
  Tokens tokens;
  std::size_t k = 0;
  while (parser_.peek(k).kind == TokenKind::block_begin) {
    int depth = 0;
    do {
      depth += step_into_block(parser_.peek(k));
      tokens.push_back(parser_.peek(k++));
    } while (depth > 0 && parser_.peek(k).kind != TokenKind::end);
    while (parser_.peek(k).kind == TokenKind::separator) ++k;
    if (!parser_.peek(k).is("elif") && !parser_.peek(k).is("else")) break;
    while (!ends_statement(parser_.peek(k))) ++k;
  }
  for (const Tokens& statement : statements_of(tokens)) {
    const std::size_t targets = item_change(statement) ? 0 : assignment(statement).value_or(0);
    for (std::size_t t = 0; t < targets; ++t) {
      const std::string name(statement[t].text);
      if (statement[t].kind != TokenKind::name || locals_.count(name) > 0 || is_reserved(name)) continue;
      if (std::any_of(read_.begin(), read_.end(), [&](const Expression& e) { return mentions(e, name); })) fail("parse.duplicate", describe(statement[t]) + " is read in this function before it gets its value", statement[t].span, "give it another name");
      locals_[name] = no_value(begin, name);
    }
  }
}

Expression ClaimParser::block(const Token& begin, const std::function<Expression()>& value) {
  if (parser_.peek().kind != TokenKind::block_begin) parser_.unexpected("what is done in this case");
  parser_.take();
  const std::size_t read = read_.size();
  while (!at_block_end()) {
    if (parser_.accept("pass") || says_nothing() || loops_.take()) continue;
    if (parser_.peek().is("raise")) {
      const Token at = parser_.peek();
      skip_statement();
      end_block();
      return raised(at);
    }
    if (!parser_.peek().is("if")) {
      Expression result;
      try {
        if (parser_.peek().is("return")) result = returned(value);
        else local_definition(value);
        if (parser_.peek().kind != TokenKind::separator) end_expected();
      } catch (const Error& error) {
        return unreadable(error.diagnostic(), read);
      }
      if (!result) continue;
      end_block();
      return result;
    }
    std::vector<std::pair<Expression, Expression>> early;
    const Expression all = cases(value, early);
    if (!early.empty()) fail("parse.unexpected", "a case in a case returns, and another one does not", begin.span, "write one condition for both: if a and b:");
    if (!all) continue;
    end_block();
    return all;
  }
  parser_.take();
  return nullptr;
}

Expression ClaimParser::unreadable(const Diagnostic& why, std::size_t read) {
  read_.resize(read);
  for (int depth = 0; depth > 0 || parser_.peek().kind != TokenKind::block_end; parser_.take()) {
    if (parser_.peek().kind == TokenKind::end) throw Error(why);
    depth += step_into_block(parser_.peek());
  }
  parser_.take();
  const auto word = [&](const std::string& text) { return node(SyntaxKind::name, {}, text, why.span); };
  return node(SyntaxKind::call, {word(why.code), word(why.message), word(why.hint)}, std::string(unreadable_call), why.span);
}

Expression ClaimParser::case_condition() {
  const auto one = [&]() -> Expression {
    const bool negated = parser_.accept("not");
    Expression condition = current(parser_.expression());
    const Span span = condition->span;
    if (parser_.accept("is")) {
      const bool is_not = parser_.accept("not");
      if (!parser_.accept("None")) parser_.unexpected("`None`");
      condition = node(SyntaxKind::call, {condition}, "is None", span);
      if (is_not) condition = node(SyntaxKind::call, {condition}, "not", span);
    } else if (const auto relation = find_relation(parser_.peek())) {
      parser_.take();
      condition = node(SyntaxKind::call, {condition, current(parser_.expression())}, std::string("is ") + text(*relation), span);
    } else {
      condition = node(SyntaxKind::call, {condition}, "is true", span);
    }
    read_.push_back(condition);
    return negated ? node(SyntaxKind::call, {condition}, "not", span) : condition;
  };
  Expression all = one();
  while (parser_.accept("and")) {
    const Expression next = one();
    all = node(SyntaxKind::call, {all, next}, "and", all->span);
  }
  return all;
}

Expression& ClaimParser::own_local(const Token& name) {
  const auto old = locals_.find(std::string(name.text));
  const auto aliases = [&](const Expression& e) { return !is_fresh(e) && mentions(e, std::string(name.text)); };
  const auto made = made_.find(std::string(name.text));
  if (old == locals_.end() || made == made_.end() || !is_fresh(made->second) || loops_.is_item(name.text) || loops_.uses(std::string(name.text)) || std::any_of(read_.begin(), read_.end(), aliases)) fail("parse.unexpected", "in place this may change what the function was called with", name.span, "write " + std::string(name.text.substr(0, 40)) + " = " + std::string(name.text.substr(0, 40)) + " + ...");
  return old->second;
}

void ClaimParser::local_definition(const std::function<Expression()>& value) {
  if (parser_.peek().is("def")) fail("parse.unexpected", "a function in a function is read where it is only called, behind it, and all that it reads has one meaning there", parser_.peek().span, "write it before the function around it, and pass what it reads");
  if (gives_places()) {
    const Token name = parser_.peek();
    Expression& old = own_local(name);
    const std::size_t read = read_.size();
    const std::string_view sign = prepare_places();
    const Expression places = with_locals(value(), locals_);
    read_.resize(read);  // the places are no second name of it
    parser_.expect("=", "after the places");
    old = assigned(old, places, sign, with_locals(value(), locals_), name.span);
    for (std::size_t k = read; k < read_.size(); ++k) read_[k] = node(SyntaxKind::negate, {read_[k]}, {}, read_[k]->span);  // nor is what they get, which is copied: as fresh as -x
    return;
  }
  const auto kind = updates();
  const std::vector<Token> names = several_names("or `return` in a function");
  if (kind) {
    Expression& old = own_local(names[0]);
    parser_.take();
    parser_.take();
    old = node(*kind, {old, with_locals(value(), locals_)}, std::string(changed_in_place), names[0].span);
    return;
  }
  parser_.expect("=", "after a name in a function");
  const std::size_t first = read_.size();
  const std::vector<Expression> values = values_of(names, value);
  for (std::size_t k = 0; k < names.size(); ++k) made_[std::string(names[k].text)] = made_of(first, k, names.size());
  NamedValues after = locals_;
  for (const Token& name : names) {
    const std::string local(name.text);
    const bool read = locals_.count(local) == 0 && std::any_of(read_.begin(), read_.end(), [&](const Expression& e) { return mentions(e, local); });
    if (read || (loops_.uses(local) && locals_.count(local) > 0)) fail("parse.duplicate", read ? describe(name) + " is read in this function before it gets its value" : describe(name) + " gets another value after a list that uses it", name.span, "give it another name");
  }
  for (std::size_t k = 0; k < names.size(); ++k) {
    const Expression one = values.size() == names.size() ? values[k] : size_along(values[0]->args[0], k, values[0]->args[0]->span);
    after[std::string(names[k].text)] = with_locals(one, locals_);
  }
  locals_ = std::move(after);
}

Expression ClaimParser::made_of(std::size_t first, std::size_t k, std::size_t names) const {
  const auto begin = read_.begin() + static_cast<std::ptrdiff_t>(first);
  const auto is_condition = [](const Expression& e) { return e->kind == SyntaxKind::call && e->name.starts_with("is "); };
  if (read_.size() == first + names && std::none_of(begin, read_.end(), is_condition)) return read_[first + k];
  const auto shared = std::find_if(begin, read_.end(), [&](const Expression& e) { return !is_condition(e) && !is_fresh(e); });
  return shared == read_.end() ? *begin : *shared;
}

void ClaimParser::skip_annotation() {
  for (std::size_t depth = 0; parser_.peek().kind != TokenKind::end; parser_.take()) {
    const Token& next = parser_.peek();
    if (depth == 0 && (next.is(",") || next.is(")") || next.is("=") || next.is(":"))) return;
    depth += next.is("[") || next.is("(") ? 1 : 0;
    depth -= next.is("]") || next.is(")") ? 1 : 0;
  }
}

}  // namespace foldproof::read
