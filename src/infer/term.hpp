// SPDX-License-Identifier: MIT
// Typed terms: every subterm has a symbolic shape, every call names an operator of expr/operators.hpp. Part of the trusted base.
// Immutable and shared; `let` definitions make terms into directed acyclic graphs.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "expr/operator.hpp"
#include "expr/syntax.hpp"

namespace foldproof::infer {

struct TermNode;
using Term = std::shared_ptr<const TermNode>;

enum class TermKind {
  variable,  ///< a tensor of the claim, called `name`
  number,    ///< a rational constant, shape []
  size,      ///< a size or comprehension index used as a number, shape []
  stack,     ///< args[0] for `name` in range(size), stacked along a new first axis
  apply,     ///< operator `op` applied to args
};

struct TermNode {
  TermKind kind;
  std::string name;
  expr::Rational value;
  expr::Dim size;
  int op = -1;
  std::vector<Term> args;
  expr::Call call;    ///< apply only: shapes of the operands, sizes, axis
  expr::Shape shape;
  expr::Span span;
};

}  // namespace foldproof::infer
