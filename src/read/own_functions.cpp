// SPDX-License-Identifier: MIT
#include "read/own_functions.hpp"

#include <algorithm>
#include <optional>
#include <set>

#include "expr/build.hpp"
#include "expr/diagnostic.hpp"
#include "expr/operators.hpp"
#include "read/draws.hpp"
#include "read/library.hpp"

namespace foldproof::read {
namespace {

/// Counts the nodes of e down to none left.
void spend(const Expression& e, std::size_t& left) {
  if (left == 0) return;
  --left;
  each_part(e, [&](const Expression& part) { spend(part, left); });
}

/// As it is written.
std::string written(const Syntax& call) { return call.name.substr(0, call.name.find(' ')); }

}  // namespace

Expression of_limited_size(const Expression& e, Span span) {
  constexpr std::size_t most = 20000;  // nodes
  std::size_t left = most;
  spend(e, left);
  if (left == 0) fail("limit.size", "with its functions written out this has more than " + std::to_string(most) + " parts", span, "name what is used again: let A = ...");
  return e;
}

std::string own_call(std::string_view name) { return std::string(name) + " "; }

namespace {

/// exp(x), x.sum() and x.mean(axis=-1), which have a value of every array but a number, and np.zeros(...).
bool never_fails(const Syntax& call) {
  static constexpr std::string_view functions[] = {"abs", "cos", "exp", "gelu", "log", "log_softmax", "max", "mean", "min", "relu", "sigmoid", "sin", "softmax", "sqrt", "sum", "tanh"}, makers[] = {"ones", "ones_like", "zeros", "zeros_like"};
  const auto is_end = [](const Expression& axis) { return is_number(axis, 0) || (axis->kind == SyntaxKind::negate && is_number(axis->args[0], 1)) || (axis->kind == SyntaxKind::name && (axis->name == "None" || axis->name == "implicit")); };
  const bool plain = std::all_of(call.keywords.begin(), call.keywords.end(), [&](const auto& k) { return k.first == "keepdims" || k.first == "keepdim" || ((k.first == "axis" || k.first == "dim") && is_end(k.second)); });
  return is_among(call.name, makers) || (is_among(call.name, functions) && call.args.size() == 1 && plain);
}

}  // namespace

bool may_fail(const Syntax& part) {
  const auto says_size = [](const Syntax& x) { return x.kind == SyntaxKind::call && (x.name == "shape" || x.name == "size" || x.name == "len"); };
  if (part.kind == SyntaxKind::index) return !says_size(*part.args[0]);
  const bool call = part.kind == SyntaxKind::call && part.name.find(' ') == std::string::npos && !says_size(part) && !never_fails(part);
  return call || part.kind == SyntaxKind::modulo || part.kind == SyntaxKind::floor_divide || part.kind == SyntaxKind::matmul;
}

namespace {

/// The comprehension with another index than its own, which these values have, too.
Expression with_another_index(const Expression& e, const NamedValues& values) {
  std::string name = e->name + "_";
  while (mentions(e, name) || std::any_of(values.begin(), values.end(), [&](const auto& v) { return v.first == name || mentions(v.second, name); })) name += "_";
  auto other = std::make_shared<Syntax>(*e);
  other->name = name;
  for (std::size_t k = 0; k < other->args.size(); ++k) {
    if (k != 1) other->args[k] = with_values(other->args[k], {{e->name, node(SyntaxKind::name, {}, name, e->span)}});  // the range is outside of it
  }
  return other;
}

}  // namespace

Expression with_values(const Expression& e, const NamedValues& values) {
  return changed(e, [&](const Expression& part) -> Expression {
    if (part->kind == SyntaxKind::comprehension) {
      const bool hides = std::any_of(values.begin(), values.end(), [&](const auto& v) { return v.first == part->name || mentions_free(v.second, part->name); });
      if (hides) return with_values(with_another_index(part, values), values);
    }
    const auto value = part->kind == SyntaxKind::name ? values.find(part->name) : values.end();
    return value == values.end() ? nullptr : value->second;
  });
}

Expression with_locals(const Expression& e, const NamedValues& locals) { return of_limited_size(with_values(e, locals), e->span); }

namespace {

/// The relation from the right to the left.
Relation mirrored(Relation relation) {
  switch (relation) {
    case Relation::less: return Relation::greater;
    case Relation::less_equal: return Relation::greater_equal;
    case Relation::greater: return Relation::less;
    case Relation::greater_equal: return Relation::less_equal;
    default: return relation;
  }
}

/// Which signs the assumptions leave for `name - number`.
struct Signs {
  bool below = true, zero = true, above = true;
};
Signs signs_of(const std::string& name, const Rational& number, const std::vector<Assumption>& assumptions) {
  Signs possible;
  for (const Assumption& a : assumptions) {
    const bool straight = a.relation && a.lhs->kind == SyntaxKind::name && a.lhs->name == name && a.rhs->kind == SyntaxKind::number;
    const bool reversed = a.relation && a.rhs->kind == SyntaxKind::name && a.rhs->name == name && a.lhs->kind == SyntaxKind::number;
    if (!straight && !reversed) continue;
    const Relation relation = reversed ? mirrored(*a.relation) : *a.relation;
    const int side = ((straight ? a.rhs : a.lhs)->value - number).sign();  // of the bound, seen from the number
    const bool least = relation == Relation::greater || relation == Relation::greater_equal || relation == Relation::equal;
    const bool most = relation == Relation::less || relation == Relation::less_equal || relation == Relation::equal;
    if (least && side >= 0) possible.below = false;
    if (least && (side > 0 || (side == 0 && relation == Relation::greater))) possible.zero = false;
    if (most && side <= 0) possible.above = false;
    if (most && (side < 0 || (side == 0 && relation == Relation::less))) possible.zero = false;
    if (relation == Relation::not_equal && side == 0) possible.zero = false;
  }
  return possible;
}

/// Whether a condition of a function holds, as far as what stands there and what is assumed by then tells.
std::optional<bool> holds(const Expression& e, const std::vector<Assumption>& assumptions) {
  if (e->kind == SyntaxKind::number) return !e->value.is_zero();
  if (e->kind == SyntaxKind::name && e->name == "True") return true;
  if (e->kind == SyntaxKind::name && (e->name == "False" || e->name == "None")) return false;
  if (e->kind != SyntaxKind::call) return std::nullopt;
  if (e->name == "is true") return holds(e->args[0], assumptions);
  if (e->name == "is None") return e->args[0]->kind == SyntaxKind::name && e->args[0]->name == "None";
  for (const Relation relation : {Relation::equal, Relation::not_equal, Relation::less, Relation::less_equal, Relation::greater, Relation::greater_equal}) {
    const bool compared = e->name == std::string("is ") + text(relation);
    const auto left = compared ? number_of(e->args[0], assumptions) : std::nullopt, right = left ? number_of(e->args[1], assumptions) : std::nullopt;
    const bool words = compared && is_quoted(e->args[0]) && is_quoted(e->args[1]);
    const auto word = [](const Expression& quoted) { return quoted->name.substr(1, quoted->name.size() - 2); };
    if (words && relation == Relation::equal) return word(e->args[0]) == word(e->args[1]);
    if (words && relation == Relation::not_equal) return word(e->args[0]) != word(e->args[1]);
    if (left && right) return ordered((*left - *right).sign(), relation);
    if (compared && e->args[0]->kind == SyntaxKind::name && e->args[1]->kind == SyntaxKind::number) {
      const Signs possible = signs_of(e->args[0]->name, e->args[1]->value, assumptions);
      std::set<bool> answers;
      for (const auto& [is_possible, sign] : {std::pair{possible.below, -1}, std::pair{possible.zero, 0}, std::pair{possible.above, 1}}) {
        if (is_possible) answers.insert(ordered(sign, relation));
      }
      return answers.size() == 1 ? std::optional(*answers.begin()) : std::nullopt;
    }
  }
  const auto first = e->name == "not" || e->name == "and" ? holds(e->args[0], assumptions) : std::nullopt;
  if (e->name == "not" && first) return !*first;
  if (e->name != "and" || !first) return std::nullopt;
  return *first ? holds(e->args[1], assumptions) : first;
}

}  // namespace

std::optional<Rational> number_of(const Expression& e, const std::vector<Assumption>& assumptions) {
  if (e->kind == SyntaxKind::number) return e->value;
  if (e->kind == SyntaxKind::name) {
    const auto says = [&](const Assumption& a) { return a.relation == Relation::equal && a.lhs->kind == SyntaxKind::name && a.lhs->name == e->name && a.rhs->kind == SyntaxKind::number; };
    const auto known = std::find_if(assumptions.begin(), assumptions.end(), says);
    return known == assumptions.end() ? std::nullopt : std::optional(known->rhs->value);
  }
  if (e->kind == SyntaxKind::floor_divide) {
    const auto a = number_of(e->args[0], assumptions), b = number_of(e->args[1], assumptions);
    const bool whole = a && b && a->is_integer() && b->is_integer() && a->sign() >= 0 && b->sign() > 0;
    return whole ? std::optional(Rational(a->num() / b->num())) : std::nullopt;
  }
  const bool sum = e->kind == SyntaxKind::add, difference = e->kind == SyntaxKind::subtract, product = e->kind == SyntaxKind::multiply;
  if (e->kind != SyntaxKind::negate && !sum && !difference && !product) return std::nullopt;
  const auto first = number_of(e->args[0], assumptions), second = number_of(e->args.back(), assumptions);
  if (!first || !second) return std::nullopt;
  return sum ? *first + *second : difference ? *first - *second : product ? *first * *second : Rational(0) - *first;
}

Expression without_cases(const Expression& e, const std::vector<Assumption>& assumptions, const std::function<bool(const Expression&)>& assume) {
  if (!e) return e;
  return changed(e, [&](const Expression& part) -> Expression {
    if (part->kind == SyntaxKind::call && part->name == raised_call) fail("parse.unexpected", "the function raises an error here", part->span, "call it with what it takes");
    if (part->kind != SyntaxKind::call) return nullptr;
    if (part->name == "no value") fail("parse.unexpected", "`" + part->args[0]->name + "` has no value in this case", part->span, "give it one before");
    if (part->name == unreadable_call) fail(part->args[0]->name, part->args[1]->name, part->span, part->args[2]->name);
    if (part->name != case_call) return nullptr;
    const Expression asked = without_cases(part->args[0], assumptions, assume);
    const auto condition = holds(asked, assumptions);
    const bool of_size = asked->kind == SyntaxKind::call && asked->args.size() == 2 && asked->args[0]->kind == SyntaxKind::name && asked->args[1]->kind == SyntaxKind::number && asked->name.starts_with("is ");
    const bool raises = part->args[1]->kind == SyntaxKind::call && part->args[1]->name == raised_call;
    if (!condition && raises && assume(node(SyntaxKind::call, {asked}, "not", asked->span))) return without_cases(part->args[2], assumptions, assume);
    if (!condition && of_size) fail("parse.unexpected", "whether this condition holds is not known", part->args[0]->span, "say which case is meant before it: assume " + asked->args[0]->name + " " + asked->name.substr(3) + " " + text(asked->args[1]) + ", or the opposite");
    if (!condition) fail("parse.unexpected", "whether this condition holds is not known", part->args[0]->span, "conditions are about arguments that are None, True, False, numbers or words in quotes; of entries write np.where(c, a, b), and leave out a case that the others include");
    return without_cases(part->args[*condition ? 1 : 2], assumptions, assume);
  });
}

bool OwnFunctions::names(const Function& function, const std::string& name) {
  const bool in_body = std::none_of(function.parameters.begin(), function.parameters.end(), [&](const Parameter& p) { return p.name == name; }) && mentions(function.body, name);
  return in_body || in_default(function, name);
}

bool OwnFunctions::reads_outside(const Function& function, const std::string& name) {
  const bool in_body = std::none_of(function.parameters.begin(), function.parameters.end(), [&](const Parameter& p) { return p.name == name; }) && mentions_free(function.body, name);
  return in_body || in_default(function, name);
}

bool OwnFunctions::in_default(const Function& function, const std::string& name) {
  return std::any_of(function.parameters.begin(), function.parameters.end(), [&](const Parameter& p) { return p.otherwise && mentions(p.otherwise, name); });
}

bool OwnFunctions::has_default(const std::string& name) const {
  return std::any_of(functions_.begin(), functions_.end(), [&](const auto& f) { return in_default(f.second, name); });
}

bool OwnFunctions::uses(const std::string& name) const {
  return std::any_of(functions_.begin(), functions_.end(), [&](const auto& f) { return names(f.second, name); });
}

bool OwnFunctions::uses(const std::string& name, const std::function<bool(const std::string&)>& is_called) const {
  std::vector<std::string> left;
  for (const auto& [own, function] : functions_) {
    if (names(function, name)) left.push_back(own);
  }
  return are_called(std::move(left), is_called);
}

bool OwnFunctions::are_called(std::vector<std::string> left, const std::function<bool(const std::string&)>& is_called) const {
  std::set<std::string> seen(left.begin(), left.end());
  while (!left.empty()) {
    const std::string own = std::move(left.back());
    left.pop_back();
    if (is_called(own.substr(0, own.size() - 1))) return true;
    for (const auto& [other, function] : functions_) {
      bool calls = false;
      const std::function<void(const Expression&)> look = [&](const Expression& e) {
        calls = calls || (e->kind == SyntaxKind::call && e->name == own);
        each_part(e, look);
      };
      look(function.body);
      if (calls && seen.insert(other).second) left.push_back(other);
    }
  }
  return false;
}

void OwnFunctions::refuse_capture(const Expression& e, const std::string& name) const {
  changed(e, [&](const Expression& part) -> Expression {
    const auto own = part->kind == SyntaxKind::call ? functions_.find(part->name) : functions_.end();
    if (own != functions_.end() && reads_outside(own->second, name)) fail("parse.duplicate", "`" + written(*part) + "` uses another `" + name + "` than what stands around this call", part->span, "give one of them another name");
    return nullptr;
  });
}

void OwnFunctions::define(const std::string& name, Span span, std::vector<Parameter> parameters, const NamedValues& locals, const Expression& body, bool counts) {
  if (functions_.count(own_call(name)) > 0) fail("parse.duplicate", "`" + name + "` is a function already", span, "give it another name");
  for (const Parameter& parameter : parameters) {
    const auto same_name = [&](const Parameter& p) { return p.name == parameter.name; };
    if (parameter.name == "inf" || std::count_if(parameters.begin(), parameters.end(), same_name) > 1) fail("parse.duplicate", "`" + parameter.name + "` cannot be a parameter, or is one twice", span, "give it another name");
    refuse_capture(body, parameter.name);
  }
  for (const auto& [local, value] : locals) refuse_capture(body, local);
  functions_[own_call(name)] = {std::move(parameters), with_values(written_out(body), locals), counts};
}

Expression OwnFunctions::written_out(const Expression& e) const {
  if (!e) return e;
  const Expression result = changed(e, [&](const Expression& part) -> Expression {
    const Expression listed = part->kind == SyntaxKind::comprehension ? listed_along_first_axis(part) : nullptr;
    if (listed && listed->kind == SyntaxKind::call && listed->name.back() == ' ') {  // np.concatenate(f(x)), where f gives a list
      const Expression values = written_out(listed);
      if (values->kind == SyntaxKind::list || values->kind == SyntaxKind::comprehension) return values;
    }
    if (part->kind == SyntaxKind::comprehension) refuse_capture(part, part->name);
    const bool of_call = part->kind == SyntaxKind::index && part->args[0]->kind == SyntaxKind::call && part->args[0]->name.back() == ' ';
    if (of_call) {  // f(x)[0], where f returns several values
      const Expression values = written_out(part->args[0]);
      auto chosen = std::make_shared<Syntax>(*part);
      chosen->args[0] = values;
      for (Subscript& s : chosen->subscripts) s = {s.slice, written_out(s.start), written_out(s.stop), written_out(s.step)};
      if (auto item = gathered(*chosen); item && values->kind == SyntaxKind::list) return std::make_shared<const Syntax>(std::move(item->syntax));
      return chosen;
    }
    if (part->kind != SyntaxKind::call || part->name.back() != ' ') return nullptr;
    const auto own = functions_.find(part->name);
    if (own == functions_.end()) fail("parse.unexpected", "`" + written(*part) + "` calls itself", part->span, "a function of one's own is written out where it is called");
    return call(own->second, *part);
  });
  return of_limited_size(result, e->span);
}

Expression OwnFunctions::drawn_anew(const Expression& body) const {
  std::map<std::int64_t, std::int64_t> numbers;
  const std::function<Expression(const Expression&)> anew = [&](const Expression& part) -> Expression {
    if (!is_draw(part)) return nullptr;
    const auto [at, first] = numbers.emplace(part->args[0]->value.num(), -1 - draws_);  // the parser counts up
    draws_ += first ? 1 : 0;
    auto copy = std::make_shared<Syntax>(*part);
    for (Expression& argument : copy->args) argument = changed(argument, anew);
    copy->args[0] = number(Rational(at->second), part->span);
    return copy;
  };
  return changed(body, anew);
}

Expression OwnFunctions::call(const Function& function, const Syntax& call) const {
  NamedValues values;
  const auto give = [&](const std::string& parameter, const Expression& value) {
    const bool known = std::any_of(function.parameters.begin(), function.parameters.end(), [&](const Parameter& p) { return p.name == parameter; });
    if (!known || !values.emplace(parameter, written_out(value)).second) fail("call.arguments", "`" + written(call) + "` has no parameter `" + parameter + "` that is still open", call.span);
  };
  if (call.args.size() > function.parameters.size()) fail("call.arguments", "`" + written(call) + "` takes " + std::to_string(function.parameters.size()) + " operands, but has " + std::to_string(call.args.size()), call.span);
  for (std::size_t k = 0; k < call.args.size(); ++k) {
    if (function.parameters[k].by_name) fail("call.arguments", "`" + function.parameters[k].name + "` of `" + written(call) + "` is given by its name", call.args[k]->span, "write " + function.parameters[k].name + "=...");
    give(function.parameters[k].name, call.args[k]);
  }
  for (const auto& [name, value] : call.keywords) give(name, value);
  for (const Parameter& parameter : function.parameters) {
    if (values.count(parameter.name) > 0) continue;
    if (!parameter.otherwise) fail("call.arguments", "`" + written(call) + "` needs a value for `" + parameter.name + "`", call.span);
    values.emplace(parameter.name, parameter.otherwise);
  }
  for (const Parameter& parameter : function.parameters) {
    if (parameter.only && !same(values[parameter.name], parameter.only)) fail("call.arguments", "a loop of `" + written(call) + "` is written out for `" + parameter.name + "` == " + text(parameter.only), call.span, "call it with this number, or write another function for others");
  }
  for (const auto& [parameter, value] : values) {
    if (function.counts && has_entries_) has_entries_(value);
  }
  const auto require_needed = [&](const std::string& parameter, const Expression& value) {
    if (mentions(function.body, parameter)) return;
    changed(values.at(parameter), [&](const Expression& part) -> Expression {
      if (may_fail(*part)) fail("parse.unexpected", "`" + written(call) + "` does not need what it is given for `" + parameter + "`", value->span, "leave it out");
      return nullptr;
    });
  };
  for (std::size_t k = 0; k < call.args.size(); ++k) require_needed(function.parameters[k].name, call.args[k]);
  for (const auto& [name, value] : call.keywords) require_needed(name, value);
  const Expression result = drawn_anew(with_values(function.body, values));
  if (result->kind != SyntaxKind::list) return result;
  auto several = std::make_shared<Syntax>(*result);
  several->span = call.span;
  return several;
}

}  // namespace foldproof::read
