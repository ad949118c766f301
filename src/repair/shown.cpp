// SPDX-License-Identifier: MIT
#include "repair/shown.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "expr/build.hpp"

namespace foldproof::repair {
namespace {

using expr::Claim;
using expr::Expression;

/// Whether loops and changes in place have left calls in the steps that are no functions of the language.
bool has_made_calls(const Claim& claim) {
  static const std::set<std::string> made = {"assigned", "at_place", "begun", "filled", "kept"};
  bool found = false;
  const std::function<void(const Expression&)> look = [&](const Expression& e) {
    found = found || (e->kind == expr::SyntaxKind::call && made.count(e->name) > 0);
    expr::each_part(e, look);
  };
  for (const auto& d : claim.definitions) look(d.value);
  return found;
}

bool has_same_steps(const Claim& a, const Claim& b) {
  const auto same = [](const auto& x, const auto& y) { return x.name == y.name && expr::same(x.value, y.value); };
  return std::equal(a.definitions.begin(), a.definitions.end(), b.definitions.begin(), b.definitions.end(), same) && a.assumptions.size() == b.assumptions.size();
}

/// C for C_2, which is the last value that the program gives to C.
std::map<std::string, std::string> names_at_the_end(const Claim& claim) {
  std::map<std::string, std::string> found;
  for (const auto& d : claim.definitions) {
    const std::size_t end = d.name.find_last_not_of("0123456789");
    if (end == std::string::npos || end == 0 || end + 1 == d.name.size() || d.name[end] != '_') continue;
    const std::string written = d.name.substr(0, end);
    const bool begins = std::any_of(claim.definitions.begin(), claim.definitions.end(), [&](const auto& other) { return other.name == written; });
    if (!begins) continue;
    std::erase_if(found, [&](const auto& earlier) { return earlier.second == written; });
    found.emplace(d.name, written);
  }
  return found;
}

}  // namespace

std::string shown_equation(const Claim& claim, const Claim& repaired) {
  if (!has_made_calls(claim) || !has_same_steps(claim, repaired)) return {};
  const auto names = names_at_the_end(claim);
  const bool hidden = std::any_of(names.begin(), names.end(), [&](const auto& n) { return expr::mentions(repaired.lhs, n.second) || expr::mentions(repaired.rhs, n.second); });
  const auto as_written = [&](const Expression& side) {
    return expr::text(hidden ? side : expr::changed(side, [&](const Expression& e) -> Expression {
      const auto name = e->kind == expr::SyntaxKind::name ? names.find(e->name) : names.end();
      return name == names.end() ? nullptr : expr::node(expr::SyntaxKind::name, {}, name->second, e->span);
    }));
  };
  return as_written(repaired.lhs) + " " + expr::text(repaired.relation) + " " + as_written(repaired.rhs);
}

}  // namespace foldproof::repair
