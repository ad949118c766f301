// SPDX-License-Identifier: MIT
#include "verdict/matrix_steps.hpp"

#include <algorithm>

#include "prove/proposals.hpp"
#include "prove/prove.hpp"
#include "read/parse.hpp"
#include "verdict/matrix_rules.hpp"

namespace foldproof::verdict {

namespace {

using expr::Expression;
using expr::SyntaxKind;

constexpr std::size_t most_rewritings = 30;  // of one side
constexpr std::size_t most_lines = 24;       // longer chains nobody reads
constexpr double most_parts = 1000;          // of both sides, nor longer lines

/// One side and what it is rewritten to; rewritings[k] leads from forms[k] to forms[k + 1].
struct Path {
  std::vector<Expression> forms;
  std::vector<Rewriting> rewritings;
};

Path rewritten(const MatrixRules& rules, const Expression& side) {
  Path path{{side}, {}};
  while (path.rewritings.size() < most_rewritings) {
    auto next = rules.apply(path.forms.back());
    if (!next) return path;
    path.forms.push_back(next->whole);
    path.rewritings.push_back(std::move(*next));
  }
  return path;
}

void collect_summands(const Expression& e, bool minus, std::vector<std::string>& out) {
  if (e->kind == SyntaxKind::add || e->kind == SyntaxKind::subtract) {
    collect_summands(e->args[0], minus, out);
    collect_summands(e->args[1], minus != (e->kind == SyntaxKind::subtract), out);
  } else {
    out.push_back((minus ? "-" : "+") + expr::text(e));
  }
}

bool reordered(const Expression& a, const Expression& b) {
  std::vector<std::string> x;
  std::vector<std::string> y;
  collect_summands(a, false, x);
  collect_summands(b, false, y);
  std::sort(x.begin(), x.end());
  std::sort(y.begin(), y.end());
  return x.size() > 1 && x == y;
}

/// A copy of e in which the node `part` is replaced; found by address.
Expression with_hole(const Expression& e, const Expression& part, const Expression& hole) {
  if (e == part) return hole;
  expr::Syntax copy = *e;
  for (Expression& arg : copy.args) {
    if (arg) arg = with_hole(arg, part, hole);
  }
  return std::make_shared<const expr::Syntax>(std::move(copy));
}

MatrixStep line(const Expression& whole, const Expression& changed, const char* law) {
  MatrixStep out{expr::text(whole), 0, 0, law};
  out.end = out.text.size();
  expr::Syntax name{SyntaxKind::name, "hole_", {}, {}, {}, {}, {}};
  const std::string context = expr::text(with_hole(whole, changed, std::make_shared<const expr::Syntax>(name)));
  const std::size_t at = context.find(name.name);
  if (at == std::string::npos) return out;
  const std::size_t rest = context.size() - at - name.name.size();
  if (at + rest > out.text.size() || context.find(name.name, at + 1) != std::string::npos) return out;
  out.begin = at;
  out.end = out.text.size() - rest;
  return out;
}

/// The claim before == after, with the shapes and assumptions of the whole.
bool proved(const expr::Claim& claim, const infer::Problem& problem, const std::string& before, const std::string& after) {
  expr::Claim step = claim;
  step.declarations.clear();
  for (const infer::Variable& v : problem.variables) step.declarations.push_back({v.name, v.shape, {}});
  step.lhs = read::parse_expression(before);
  step.rhs = read::parse_expression(after);
  return prove::prove(infer::elaborate(step)).certificate.has_value();
}

std::vector<MatrixStep> chain(const Path& left, const Path& right) {
  // The shortest way from the left side to the right side: where the two paths first meet.
  std::size_t best = most_lines;
  std::size_t i = 0;
  std::size_t j = 0;
  bool exchange = false;
  for (std::size_t a = 0; a < left.forms.size(); ++a) {
    for (std::size_t b = 0; b < right.forms.size() && a + b < best; ++b) {
      const bool meet = expr::same(left.forms[a], right.forms[b]);
      const bool nearly = !meet && a + b + 1 < best && reordered(left.forms[a], right.forms[b]);
      if (!meet && !nearly) continue;
      best = a + b + (nearly ? 1 : 0);
      i = a;
      j = b;
      exchange = nearly;
    }
  }
  if (best == most_lines) return {};
  std::vector<MatrixStep> out{{expr::text(left.forms[0]), 0, 0, ""}};
  for (std::size_t k = 0; k < i; ++k) out.push_back(line(left.forms[k + 1], left.rewritings[k].changed, left.rewritings[k].law));
  if (exchange) out.push_back(line(right.forms[j], right.forms[j], "the order of a sum does not matter"));
  for (std::size_t k = j; k-- > 0;) out.push_back(line(right.forms[k], right.rewritings[k].replaced, right.rewritings[k].law));
  return out;
}

}  // namespace

std::vector<MatrixStep> matrix_steps(const expr::Claim& claim, const infer::Problem& problem) {
  if (claim.relation != expr::Relation::equal || prove::parts_written_out(claim) > most_parts) return {};
  try {
    const MatrixRules rules(claim, problem);
    std::vector<MatrixStep> lines = chain(rewritten(rules, claim.lhs), rewritten(rules, claim.rhs));
    // Brackets that text does not need make two lines look the same.
    for (std::size_t k = 1; k < lines.size();) {
      if (lines[k].text == lines[k - 1].text) {
        lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(k));
      } else {
        ++k;
      }
    }
    if (lines.size() < 2) return {};
    for (std::size_t k = 1; k < lines.size(); ++k) {
      if (!proved(claim, problem, lines[k - 1].text, lines[k].text)) return {};
    }
    return lines;
  } catch (const std::exception&) {  // the proof stands; only this way of telling it is not to be had
    return {};
  }
}

}  // namespace foldproof::verdict
