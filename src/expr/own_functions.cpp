// SPDX-License-Identifier: MIT
#include "expr/own_functions.hpp"

#include <algorithm>

#include "expr/build.hpp"
#include "expr/diagnostic.hpp"

namespace foldproof::expr {
namespace {

/// Counts the nodes of e down to none left.
void spend(const Expression& e, std::size_t& left) {
  if (left == 0) return;
  --left;
  for (const Expression& a : e->args) spend(a, left);
}

}  // namespace

void OwnFunctions::define(const std::string& name, std::vector<std::string> parameters, Expression body) { functions_[name] = {std::move(parameters), written_out(body)}; }

Expression OwnFunctions::written_out(const Expression& e) const {
  if (functions_.empty() || !e) return e;
  const Expression result = changed(e, [&](const Expression& part) -> Expression {
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
  std::map<std::string, Expression> values;
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
  return changed(function.body, [&](const Expression& part) -> Expression {
    if (part->kind == SyntaxKind::comprehension) {
      const bool hides = std::any_of(values.begin(), values.end(), [&](const auto& v) { return v.first == part->name || mentions(v.second, part->name); });
      if (hides) fail("parse.duplicate", "`" + part->name + "` is an index in `" + call.name + "` and stands for something else in this call", call.span, "give the index another name");
    }
    const auto value = part->kind == SyntaxKind::name ? values.find(part->name) : values.end();
    return value == values.end() ? nullptr : value->second;
  });
}

}  // namespace foldproof::expr
