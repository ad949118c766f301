// SPDX-License-Identifier: MIT
// Symbolic sizes and positions: integer polynomials over dimension names and comprehension indices. Part of the trusted base.
// A quotient `i//g` or remainder `i%g` of such polynomials is a symbol of its own that remembers its two operands.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "expr/polynomial.hpp"

namespace foldproof::expr {

struct Division;

/// A dimension name (`d_model`), a comprehension index (`i`), or a quotient or remainder such as `i//g`.
struct DimSymbol {
  std::string name;                          ///< canonical text; two symbols are equal when their names are
  std::shared_ptr<const Division> division;  ///< set for quotients and remainders only
  friend bool operator==(const DimSymbol& a, const DimSymbol& b) { return a.name == b.name; }
  friend auto operator<=>(const DimSymbol& a, const DimSymbol& b) { return a.name <=> b.name; }
};

using Dim = Polynomial<DimSymbol>;
using Shape = std::vector<Dim>;

struct Division {
  Dim numerator;
  Dim denominator;
  bool remainder;  ///< false: floor(numerator / denominator); true: numerator mod denominator
};

/// The rank of a matrix as a size has a name that begins so: a size that may be 0 and that the values determine.
inline constexpr const char* rank_prefix = "rank__";
inline bool is_rank(const std::string& name) { return name.rfind(rank_prefix, 0) == 0; }
/// Whether a rank occurs in d.
bool mentions_rank(const Dim& d);

/// The dimension with the given name.
Dim dim(const std::string& name);
/// floor(a / b), simplified when b divides a or both are numbers.
Dim floor_divide(const Dim& a, const Dim& b);
/// a mod b, likewise.
Dim modulo(const Dim& a, const Dim& b);

/// Text in the claim language: "2*d*k + 1", "n1 + n2". parse(text(d)) == d.
std::string text(const Dim& d);
/// "[n, d_model]".
std::string text(const Shape& shape);

/// Values of dimension names and comprehension indices.
using DimValues = std::map<std::string, std::int64_t>;
/// The value of `d`. Throws InternalError when a name has no value, LimitReached on overflow.
std::int64_t evaluate(const Dim& d, const DimValues& values);
/// Adds every plain name in `d`, also inside quotients, to `names`, in first-seen order.
void collect_names(const Dim& d, std::vector<std::string>& names);
/// Replaces plain names by the given sizes, also inside quotients and remainders.
Dim substitute(const Dim& d, const std::map<std::string, Dim>& sizes);

}  // namespace foldproof::expr
