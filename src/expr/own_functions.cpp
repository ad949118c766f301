// SPDX-License-Identifier: MIT
#include "expr/own_functions.hpp"

#include <algorithm>

#include "expr/build.hpp"
#include "expr/diagnostic.hpp"
#include "expr/library.hpp"
#include "expr/operators.hpp"

namespace foldproof::expr {
namespace {

/// Counts the nodes of e down to none left.
void spend(const Expression& e, std::size_t& left) {
  if (left == 0) return;
  --left;
  for (const Expression& a : e->args) spend(a, left);
}

}  // namespace

Expression with_values(const Expression& e, const NamedValues& values) {
  return changed(e, [&](const Expression& part) -> Expression {
    if (part->kind == SyntaxKind::comprehension) {
      const bool hides = std::any_of(values.begin(), values.end(), [&](const auto& v) { return v.first == part->name || mentions(v.second, part->name); });
      if (hides) fail("parse.duplicate", "`" + part->name + "` is an index here and stands for something else in a value", part->span, "give the index another name");
    }
    const auto value = part->kind == SyntaxKind::name ? values.find(part->name) : values.end();
    return value == values.end() ? nullptr : value->second;
  });
}

bool OwnFunctions::names(const Function& function, const std::string& name) {
  return std::find(function.parameters.begin(), function.parameters.end(), name) == function.parameters.end() && mentions(function.body, name);
}

bool OwnFunctions::uses(const std::string& name) const {
  return std::any_of(functions_.begin(), functions_.end(), [&](const auto& f) { return names(f.second, name); });
}

void OwnFunctions::refuse_capture(const Expression& e, const std::string& name) const {
  changed(e, [&](const Expression& part) -> Expression {
    const auto own = part->kind == SyntaxKind::call ? functions_.find(part->name) : functions_.end();
    if (own != functions_.end() && names(own->second, name)) fail("parse.duplicate", "`" + part->name + "` uses another `" + name + "` than what stands around this call", part->span, "give one of them another name");
    return nullptr;
  });
}

void OwnFunctions::define(const std::string& name, Span span, std::vector<std::string> parameters, const NamedValues& locals, const Expression& body) {
  if (find_operator(name) >= 0 || is_defined(name) || functions_.count(name) > 0) fail("parse.duplicate", "`" + name + "` is a function already", span, "give it another name");
  for (std::size_t k = 0; k < parameters.size(); ++k) {
    if (parameters[k] == "inf" || std::count(parameters.begin(), parameters.end(), parameters[k]) > 1) fail("parse.duplicate", "`" + parameters[k] + "` cannot be a parameter, or is one twice", span, "give it another name");
    refuse_capture(body, parameters[k]);
  }
  for (const auto& [local, value] : locals) refuse_capture(body, local);
  functions_[name] = {std::move(parameters), with_values(written_out(body), locals)};
}

Expression OwnFunctions::written_out(const Expression& e) const {
  if (functions_.empty() || !e) return e;
  const Expression result = changed(e, [&](const Expression& part) -> Expression {
    if (part->kind == SyntaxKind::comprehension) refuse_capture(part, part->name);
    const auto own = part->kind == SyntaxKind::call ? functions_.find(part->name) : functions_.end();
    return own == functions_.end() ? nullptr : call(own->second, *part);
  });
  constexpr std::size_t most = 20000;  // nodes
  std::size_t left = most;
  spend(result, left);
  if (left == 0) fail("limit.size", "with its functions written out this has more than " + std::to_string(most) + " parts", e->span, "name what is used again: let A = ...");
  return result;
}

Expression OwnFunctions::call(const Function& function, const Syntax& call) const {
  NamedValues values;
  const auto give = [&](const std::string& parameter, const Expression& value) {
    const bool known = std::find(function.parameters.begin(), function.parameters.end(), parameter) != function.parameters.end();
    if (!known || !values.emplace(parameter, written_out(value)).second) fail("call.arguments", "`" + call.name + "` has no parameter `" + parameter + "` that is still open", call.span);
  };
  if (call.args.size() > function.parameters.size()) fail("call.arguments", "`" + call.name + "` takes " + std::to_string(function.parameters.size()) + " operands, but has " + std::to_string(call.args.size()), call.span);
  for (std::size_t k = 0; k < call.args.size(); ++k) give(function.parameters[k], call.args[k]);
  for (const auto& [name, value] : call.keywords) give(name, value);
  for (const std::string& parameter : function.parameters) {
    if (values.count(parameter) == 0) fail("call.arguments", "`" + call.name + "` needs a value for `" + parameter + "`", call.span);
  }
  return with_values(function.body, values);
}

}  // namespace foldproof::expr
