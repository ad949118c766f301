// SPDX-License-Identifier: MIT
#include "read/stated_shapes.hpp"

#include <algorithm>
#include <set>

namespace foldproof::read {

Expression stated_shape(const Expression& lhs, const Expression& rhs) {
  for (const auto& [of, as] : {std::pair{lhs, rhs}, std::pair{rhs, lhs}}) {
    const bool axes = is_call(of, "ndim") && as->kind == SyntaxKind::number, shape = is_call(of, "shape") && (as->kind == SyntaxKind::list || is_call(as, "shape"));
    if ((axes || shape) && of->args.size() == 1) return node(SyntaxKind::call, {of->args[0], as}, std::string(shaped_call), of->span);
  }
  return nullptr;
}

void define_unread(Claim& claim, const Expression& e) {
  std::string name = "unread";
  const auto named = [&](const auto& x) { return x.name == name; };
  while (std::any_of(claim.declarations.begin(), claim.declarations.end(), named) || std::any_of(claim.definitions.begin(), claim.definitions.end(), named) || claim.source.find(name) != std::string::npos) name += "_";
  claim.definitions.push_back({name, e, e->span});
}

void state_sizes(Claim& claim) {
  std::set<std::string> indices;
  bool any = false;
  const std::function<void(const Expression&)> note = [&](const Expression& e) {
    if (e->kind == SyntaxKind::comprehension) indices.insert(e->name);
    any = any || is_call(e, sized_call);
    each_part(e, note);
  };
  each_side(claim, note);
  if (!any) return;
  std::vector<Expression> found;
  const std::function<Expression(const Expression&)> taken = [&](const Expression& e) -> Expression {
    if (!is_call(e, sized_call) || e->args.size() != 2 || std::any_of(indices.begin(), indices.end(), [&](const std::string& i) { return mentions(e, i); })) return nullptr;
    const Expression of = changed(e->args[0], taken), call = node(SyntaxKind::call, {of, e->args[1]}, e->name, e->span);
    if (!contains(found, call)) found.push_back(call);
    return of;
  };
  change_each(claim, [&](const Expression& e) { return changed(e, taken); });
  for (const Expression& call : found) define_unread(claim, call);
}

}  // namespace foldproof::read
