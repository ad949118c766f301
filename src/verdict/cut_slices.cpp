// SPDX-License-Identifier: MIT
#include "verdict/cut_slices.hpp"

#include <algorithm>
#include <map>

#include "expr/build.hpp"
#include "infer/is_operator.hpp"
#include "kernel/algebra.hpp"
#include "read/parse.hpp"

namespace foldproof::verdict {
namespace {

using expr::Expression;
using expr::SyntaxKind;

/// An axis, and from where on it has all places that a slice of it asks for.
struct Cut {
  expr::Dim extent, count;
  expr::Span span;
};

/// Whether the slice asks for a number of places at one end of its axis.
bool from_one_end(const expr::Subscript& s) {
  const bool last = s.start && s.start->kind == SyntaxKind::negate && s.start->args[0]->kind == SyntaxKind::number;
  return s.slice && !s.step && ((!s.start && s.stop && s.stop->kind != SyntaxKind::negate) || (last && !s.stop));
}

/// The slices of e that may ask for more than there is. Those whose tensors are indices of comprehensions, or have no shape of their own, are left out.
std::map<std::size_t, Cut> cuts_of(const Expression& e, const expr::Claim& claim) {
  std::map<std::size_t, Cut> found;
  if (e->kind != SyntaxKind::index || std::any_of(e->subscripts.begin(), e->subscripts.end(), [](const auto& s) { return expr::is_ellipsis(s) || expr::is_new_axis(s); })) return found;
  if (std::none_of(e->subscripts.begin(), e->subscripts.end(), from_one_end)) return found;
  try {
    expr::Claim alone = claim;
    alone.lhs = alone.rhs = e;
    alone.relation = expr::Relation::equal;
    const infer::Term t = infer::elaborate(alone).lhs;
    if (!infer::is<expr::ops::Subscripts>(t)) return found;
    kernel::Arena arena;
    for (std::size_t axis = 0; axis < e->subscripts.size(); ++axis) {
      const expr::Dim &extent = t->call.operands[0][axis], count = t->call.sizes[3 * axis + 2] - t->call.sizes[3 * axis + 1];
      if (from_one_end(e->subscripts[axis]) && !arena.nonnegative(arena.index(extent - count, {}))) found.emplace(axis, Cut{extent, count, e->span});
    }
  } catch (const expr::Error&) {
  }
  return found;
}

}  // namespace

std::optional<expr::Diagnostic> false_where_cut_off(const expr::Claim& claim, const std::function<bool(const infer::Problem&)>& is_refuted) {
  std::vector<Cut> cuts;
  std::map<const expr::Syntax*, std::map<std::size_t, Cut>> cuts_in;
  const auto is_known = [&](const Cut& c) { return std::any_of(cuts.begin(), cuts.end(), [&](const Cut& x) { return x.extent == c.extent && x.count == c.count; }); };
  expr::Claim whole = claim;
  const auto replaced = [&](const std::function<Expression(const Expression&)>& with) { expr::change_each(whole, [&](const Expression& e) { return expr::changed(e, with); }); };
  replaced([&](const Expression& e) -> Expression {
    const auto found = cuts_of(e, claim);
    for (const auto& [axis, cut] : found) {
      if (!is_known(cut)) cuts.push_back(cut);
    }
    if (!found.empty()) cuts_in.emplace(e.get(), found);
    return nullptr;
  });
  for (const Cut& cut : cuts) {
    whole = claim;
    replaced([&](const Expression& e) -> Expression {
      auto copy = std::make_shared<expr::Syntax>(*e);
      bool any = false;
      for (const auto& [axis, own] : cuts_in[e.get()]) {
        if (own.extent != cut.extent || own.count != cut.count) continue;
        copy->subscripts[axis].start = copy->subscripts[axis].stop = nullptr;
        any = true;
      }
      return any ? copy : nullptr;
    });
    const Expression extent = read::parse_expression(expr::text(cut.extent)), count = read::parse_expression(expr::text(cut.count));
    whole.assumptions.push_back({expr::node(SyntaxKind::add, {extent, read::parse_expression("1")}), expr::Relation::less_equal, count, {}});
    try {
      if (!is_refuted(infer::elaborate(whole))) continue;
    } catch (const expr::Error&) {  // there it has no values, or no shapes
      continue;
    } catch (const expr::LimitReached&) {
      continue;
    }
    return expr::Diagnostic{"shape.no_size", "where " + expr::text(cut.extent) + " is less than " + expr::text(cut.count) + " NumPy cuts this slice off, and the sides differ", "add assume " + expr::text(cut.extent) + " >= " + expr::text(cut.count), cut.span};
  }
  return std::nullopt;
}

}  // namespace foldproof::verdict
