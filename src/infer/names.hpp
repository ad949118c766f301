// SPDX-License-Identifier: MIT
// What the names of a claim stand for, read off the syntax before any shape is known: which are sizes, which are tensors,
// how many axes an undeclared tensor has, and which readings of an undeclared tensor are tried.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "expr/syntax.hpp"

namespace foldproof::infer {

struct Names {
  std::set<std::string> sizes;                ///< dimension names
  std::vector<std::string> tensors;           ///< undeclared tensors, in order of first use
  std::map<std::string, std::size_t> rank;    ///< of an undeclared tensor, where its use fixes it; otherwise 2
  std::map<std::string, std::size_t> as_matrix;  ///< the other rank of one that stands whole, as in A @ V, and whose V[0] may be a row or a head
  std::set<std::string> entrywise_only;       ///< undeclared tensors that only meet + - * / and functions of one number
  std::set<std::string> entrywise_too;        ///< undeclared tensors that meet + - * / and stand in places of a matrix as well
  std::map<std::string, bool> diagonals;      ///< undeclared tensors that stand in diag(...), entrywise; true: in places of a matrix as well
  std::map<std::string, expr::Span> first_use;
};

/// The letters of each operand of einsum, and of its result: "nd,dk->nk" in quotes. Throws Error where they make no sense.
std::vector<std::string> einsum_lists(const expr::Syntax& quoted);

Names read_names(const expr::Claim& claim);

/// Whether Python has truth values there for certain: conditions and M.bool(), and what only moves these.
bool holds_truth(const expr::Claim& claim, const expr::Expression& e);

/// arange(n), positions(n), offsets(n, m): the numbers of places.
bool makes_places(const expr::Syntax& s);

/// Whether the field writes a size so: n, m, d, k, h, p, q, r, d_model, n_heads. Decides how an equation without declarations is read, and the wording of hints.
bool is_conventional_size(const std::string& name);

/// Whether a claim can name it: the mask of x > 0 is called like the comparison, with blanks.
inline bool is_written(std::string_view variable) { return variable.find(' ') == std::string_view::npos; }

}  // namespace foldproof::infer
