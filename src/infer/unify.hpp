// SPDX-License-Identifier: MIT
// Solves for sizes that nobody declared. Unknown sizes are dimensions whose name starts with '?'.
#pragma once

#include <map>
#include <string>

#include "expr/dim.hpp"

namespace foldproof::infer {

class Sizes {
 public:
  /// A new unknown size.
  expr::Dim fresh();
  /// `d` with everything known filled in.
  expr::Dim resolve(const expr::Dim& d) const;
  expr::Shape resolve(const expr::Shape& shape) const;
  /// Makes a and b equal if that can be done by giving unknown sizes a value. False when it cannot.
  bool unify(const expr::Dim& a, const expr::Dim& b);
  /// Records a definition of a named dimension. False when `name` occurs in `value`.
  bool define(const std::string& name, const expr::Dim& value);
  /// What was defined, names of unknown sizes among them.
  const std::map<std::string, expr::Dim>& known() const { return known_; }
  /// d without the factors that all its summands share: where it is zero, so is d.
  static expr::Dim primitive(const expr::Dim& d);
  static bool is_unknown(const std::string& name) { return !name.empty() && name[0] == '?'; }

 private:
  /// Defines an unknown size, unless by a number that is no size.
  bool solve(const std::string& name, const expr::Dim& value);
  /// Whether nothing in d is known by now.
  bool is_resolved(const expr::Dim& d) const;
  std::map<std::string, expr::Dim> known_;
  int next_ = 0;
};

}  // namespace foldproof::infer
