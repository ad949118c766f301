// SPDX-License-Identifier: MIT
// The six relations of a claim: how they are written, and between which numbers they hold.
#include "expr/syntax.hpp"

namespace foldproof::expr {

const char* text(Relation relation) {
  switch (relation) {
    case Relation::equal: return "==";
    case Relation::less_equal: return "<=";
    case Relation::less: return "<";
    case Relation::greater_equal: return ">=";
    case Relation::greater: return ">";
    case Relation::not_equal: return "!=";
  }
  throw InternalError("an unknown relation");
}

bool ordered(int sign, Relation relation) {
  switch (relation) {
    case Relation::equal: return sign == 0;
    case Relation::not_equal: return sign != 0;
    case Relation::less_equal: return sign <= 0;
    case Relation::less: return sign < 0;
    case Relation::greater_equal: return sign >= 0;
    case Relation::greater: return sign > 0;
  }
  throw InternalError("an unknown relation");
}

std::optional<Relation> relation_called(std::string_view name) {
  static constexpr Relation relations[] = {Relation::equal, Relation::less_equal, Relation::less, Relation::greater_equal, Relation::greater, Relation::not_equal};
  for (const Relation r : relations) {
    if (name == text(r)) return r;
  }
  return std::nullopt;
}

}  // namespace foldproof::expr
