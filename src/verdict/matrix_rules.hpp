// SPDX-License-Identifier: MIT
// Rewriting of expressions by the laws that people use for matrices. Rules may be wrong in corners: whoever uses a step proves it.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "expr/syntax.hpp"
#include "infer/problem.hpp"

namespace foldproof::verdict {

/// What became of an expression in one step.
struct Rewriting {
  expr::Expression whole;    ///< the new expression
  expr::Expression changed;  ///< its part that is new
  expr::Expression replaced; ///< the part of the old one that it stands for
  const char* law;
};

class MatrixRules {
 public:
  MatrixRules(const expr::Claim& claim, const infer::Problem& problem);
  /// The outermost, leftmost rewriting that brings `e` nearer to its form; nothing when it is there.
  std::optional<Rewriting> apply(const expr::Expression& e) const;

 private:
  struct Result {
    expr::Expression e;
    const char* law;
  };
  using Maybe = std::optional<Result>;
  Maybe at(const expr::Expression& e) const;
  Maybe transposed(const expr::Syntax& inner) const;
  Maybe product(const expr::Expression& a, const expr::Expression& b) const;
  Maybe blocks(const expr::Expression& a, const expr::Expression& b) const;
  Maybe sum(const expr::Syntax& e) const;
  Maybe scaled(const expr::Syntax& e) const;
  Maybe softmax(const expr::Syntax& e) const;

  std::optional<expr::Shape> shape(const expr::Expression& e) const;
  bool is_scalar(const expr::Expression& e) const;
  bool is_axis(const expr::Expression& e, std::size_t axis, bool one) const;  ///< rank 2, and that size is (is not) 1
  bool same_shape(const expr::Expression& a, const expr::Expression& b) const;
  /// Whether a b is the identity, by an assumption or by definition.
  bool cancels(const expr::Expression& a, const expr::Expression& b) const;

  std::map<std::string, expr::Shape> shapes_;
  std::map<std::string, expr::Expression> definitions_;
  std::vector<std::pair<expr::Expression, expr::Expression>> equations_;  ///< assumed
  std::vector<std::pair<expr::Expression, expr::Expression>> inverses_;   ///< assumed: the product of the two is the identity
};

}  // namespace foldproof::verdict
