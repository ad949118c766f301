// SPDX-License-Identifier: MIT
#include "verdict/contradiction.hpp"

#include <algorithm>
#include <set>

#include "expr/build.hpp"
#include "infer/is_operator.hpp"
#include "numeric/sizes.hpp"
#include "prove/prove.hpp"
#include "read/parse.hpp"
#include "refute/alternatives.hpp"

namespace foldproof::verdict {
namespace {

using expr::Assumption;
using expr::Claim;
using expr::Expression;
using expr::Relation;
using expr::SyntaxKind;
using infer::is;

bool is_proved(Claim claim, const Expression& lhs, Relation relation, const Expression& rhs) {
  claim.lhs = lhs;
  claim.relation = relation;
  claim.rhs = rhs;
  try {
    return prove::prove_shortly(claim, infer::elaborate(claim), prove::few_steps).certificate.has_value();
  } catch (const expr::Error&) {  // without the assumption the shapes do not fit
    return false;
  } catch (const expr::LimitReached&) {
    return false;
  }
}

/// positive(e) is e > 0, and so on; nothing for predicates about whole matrices.
std::optional<Assumption> as_relation(const Assumption& a) {
  if (a.relation) return a;
  if (a.lhs->kind != SyntaxKind::call || a.lhs->args.size() != 1) return std::nullopt;
  const Expression zero = read::parse_expression("0");
  if (a.lhs->name == "positive") return Assumption{a.lhs->args[0], Relation::greater, zero, a.span};
  if (a.lhs->name == "nonnegative") return Assumption{a.lhs->args[0], Relation::greater_equal, zero, a.span};
  if (a.lhs->name == "nonzero") return Assumption{a.lhs->args[0], Relation::not_equal, zero, a.span};
  return std::nullopt;
}

/// Whether the assumptions of the claim make `a` false in all entries.
bool makes_false(const Claim& others, const Assumption& a) {
  const auto more = [](const Expression& e) { return expr::node(SyntaxKind::add, {e, read::parse_expression("1/1000")}); };
  switch (*a.relation) {
    case Relation::greater: return is_proved(others, a.lhs, Relation::less_equal, a.rhs);
    case Relation::less: return is_proved(others, a.rhs, Relation::less_equal, a.lhs);
    case Relation::not_equal: return is_proved(others, a.lhs, Relation::equal, a.rhs);
    case Relation::greater_equal: return is_proved(others, more(a.lhs), Relation::less_equal, a.rhs);
    case Relation::less_equal: return is_proved(others, more(a.rhs), Relation::less_equal, a.lhs);
    case Relation::equal: break;
  }
  // Of equal sides the same functions are equal: X @ Y - Y @ X is no identity matrix, because its trace is 0.
  const Expression two = read::parse_expression("2");
  const auto of = [&](const Expression& e, const char* function) -> Expression { return *function == 0 ? e : *function == '2' ? expr::node(SyntaxKind::power, {e, two}) : expr::call(function, {e}); };
  for (const char* function : {"", "2", "diagonal", "trace", "det"}) {
    const Expression l = of(a.lhs, function), r = of(a.rhs, function);
    if (is_proved(others, more(l), Relation::less_equal, r) || is_proved(others, more(r), Relation::less_equal, l)) return true;
  }
  return false;
}

/// What an operation takes that has values at some operands only.
struct Part {
  Expression operand;  ///< nothing where its text is not at hand
  Relation needed;  ///< operand needed 0
};

void collect_parts(const Claim& claim, const infer::Term& t, std::set<const infer::TermNode*>& seen, std::vector<Part>& parts) {
  if (!seen.insert(t.get()).second) return;
  for (const infer::Term& a : t->args) collect_parts(claim, a, seen, parts);
  std::optional<Relation> needed;
  if (is<expr::ops::Log, expr::ops::Rsqrt>(t)) needed = Relation::greater;
  if (is<expr::ops::Sqrt>(t)) needed = Relation::greater_equal;
  if (is<expr::ops::Divide>(t)) needed = Relation::not_equal;
  if (is<expr::ops::Power>(t) && (t->call.exponent.sign() < 0 || !t->call.exponent.is_integer())) {
    needed = t->call.exponent.is_integer() ? Relation::not_equal : t->call.exponent.sign() < 0 ? Relation::greater : Relation::greater_equal;
  }
  if (!needed) return;
  const infer::Term& operand = t->args[is<expr::ops::Divide>(t) ? 1 : 0];
  if (operand->kind == infer::TermKind::variable) {  // its span is that of its declaration
    parts.push_back({expr::node(SyntaxKind::name, {}, operand->name), *needed});
    return;
  }
  const auto& span = operand->span;
  parts.push_back({nullptr, *needed});
  if (span.begin >= span.end || span.end > claim.source.size()) return;
  try {
    parts.back().operand = read::parse_expression(claim.source.substr(span.begin, span.end - span.begin));
  } catch (const expr::Error&) {  // NumPy's spelling of an operand: A.sum(axis=1) is no expression without its brackets
  }
}

bool never_holds(const Claim& claim, const Part& part) {
  if (!part.operand) return false;
  const Expression zero = read::parse_expression("0");
  if (part.needed == Relation::not_equal) return is_proved(claim, part.operand, Relation::equal, zero);
  Claim more = claim;
  more.assumptions.push_back({part.operand, part.needed, zero, {}});
  try {
    return contradiction(more, infer::elaborate(more)).has_value();
  } catch (const expr::Error&) {  // of an index, or of sizes
    return false;
  }
}

}  // namespace

bool may_have_values(const Claim& claim, const infer::Problem& problem) {
  std::set<const infer::TermNode*> seen;
  std::vector<Part> parts;
  collect_parts(claim, problem.lhs, seen, parts);
  collect_parts(claim, problem.rhs, seen, parts);
  if (std::all_of(parts.begin(), parts.end(), [](const Part& p) { return p.needed == Relation::not_equal; })) return false;
  const Claim whole = kernel::declared(claim, problem);
  return std::none_of(parts.begin(), parts.end(), [&](const Part& p) { return never_holds(whole, p); });
}

std::optional<std::string> contradiction(const Claim& claim, const infer::Problem& problem) {
  if (numeric::sizes_contradict(problem)) {
    return problem.variables.empty() && problem.dimensions.size() == 1 ? "no size " + problem.dimensions[0] + " satisfies what is assumed of it; for a tensor, declare its shape, " + problem.dimensions[0] + ": [n, d]"
                                                                      : "no sizes satisfy what is assumed of them";
  }
  for (const auto& v : problem.variables) {
    if (refute::entries_contradict(problem, v.name)) return "no number satisfies what is assumed of " + std::string(v.shape.empty() ? "`" : "the entries of `") + v.name + "`";
  }
  const Claim whole = kernel::declared(claim, problem);
  if (is_proved(whole, read::parse_expression("0"), Relation::equal, read::parse_expression("1"))) return "from the assumptions follows 0 == 1";
  for (std::size_t k = 0; k < whole.assumptions.size(); ++k) {
    const auto a = as_relation(whole.assumptions[k]);
    Claim others = whole;
    others.assumptions.erase(others.assumptions.begin() + static_cast<std::ptrdiff_t>(k));
    if (!a || !makes_false(others, *a)) continue;
    const std::string text = "`" + expr::text(whole.assumptions[k]) + "`";
    return others.assumptions.empty() ? text + " never holds" : text + " contradicts what else is assumed";
  }
  return std::nullopt;
}

}  // namespace foldproof::verdict
