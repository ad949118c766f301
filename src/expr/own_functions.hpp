// SPDX-License-Identifier: MIT
// Functions that a claim defines for itself, f = lambda x: x @ W or def f(x): return x @ W. Each call is written out, so nothing but
// the parser knows of them.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "expr/syntax.hpp"

namespace foldproof::expr {

class OwnFunctions {
 public:
  /// The body may call functions that were defined before, and names parameters and what the claim names.
  void define(const std::string& name, std::vector<std::string> parameters, Expression body);
  /// e with the calls of these functions written out.
  /// Errors: `call.arguments` where a call does not fit, `parse.duplicate` where an index would take the place of another name, `limit.size`.
  Expression written_out(const Expression& e) const;

 private:
  struct Function {
    std::vector<std::string> parameters;
    Expression body;
  };
  Expression call(const Function& function, const Syntax& call) const;
  std::map<std::string, Function> functions_;
};

}  // namespace foldproof::expr
