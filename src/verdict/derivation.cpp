// SPDX-License-Identifier: MIT
#include "verdict/derivation.hpp"

#include <map>
#include <set>

#include "normal/normalize.hpp"
#include "normal/print.hpp"

namespace foldproof::verdict {
namespace {

constexpr std::size_t longest_line = 400;

std::string shorten(std::string s) { return s.size() <= longest_line ? s : s.substr(0, longest_line - 4) + " ..."; }

/// One side, as unfolded and in normal form.
struct Side {
  std::string unfolded;
  std::string normal;
};

/// Sizes and variables: an index of such a name would be read as one of them.
std::set<std::string> names_of(const infer::Problem& problem) {
  std::set<std::string> names(problem.dimensions.begin(), problem.dimensions.end());
  for (const auto& v : problem.variables) names.insert(v.name);
  return names;
}

Side side(const infer::Problem& problem, const infer::Term& term, normal::Cuts& cuts, const normal::Limits& limits) {
  const auto theory = kernel::unfold(problem);
  kernel::Arena& arena = theory->arena;
  std::vector<kernel::Symbol> free;
  std::vector<kernel::Index> at;
  for (const auto& size : term->shape) {
    free.push_back(arena.fresh(arena.index(size, {})));
    at.push_back(kernel::Index::symbol(free.back()));
  }
  const kernel::Poly p = kernel::unfold_entry(*theory, term, at, {});
  kernel::Script script;
  for (auto& axiom : theory->axioms) {
    axiom.poly = arena.primitive(normal::normalize(*theory, axiom.poly, cuts, script, limits));
    ++theory->usable_axioms;
  }
  for (auto& sign : theory->signs) sign.poly = normal::normalize(*theory, sign.poly, cuts, script, limits);
  const auto taken = names_of(problem);
  return {normal::text(arena, p, free, taken), normal::text(arena, normal::normalize(*theory, p, cuts, script, limits), free, taken)};
}

std::string entry(const infer::Problem& problem, const infer::Term& term) {
  const auto names = normal::index_names(term->shape.size(), names_of(problem));
  std::string out;
  for (std::size_t axis = 0; axis < names.size(); ++axis) out += (axis ? "," : "[") + names[axis];
  return out.empty() ? "" : out + "]";
}

void add_laws(const kernel::Certificate& certificate, std::vector<std::string>& lines) {
  std::map<kernel::Law, std::size_t> used;
  for (const auto& step : certificate.goal) ++used[step.law];
  for (const auto& [law, count] : used) {
    if (law == kernel::Law::keep || law == kernel::Law::enter || law == kernel::Law::leave) continue;
    lines.push_back("law " + std::string(kernel::name(law)) + " (" + std::to_string(count) + (count == 1 ? " time): " : " times): ") + std::string(kernel::describe(law)));
  }
}

/// What a reduction says, in words.
std::string describe(const kernel::Reduction& r) {
  using kernel::ReductionKind;
  const auto text = [&](std::size_t k) { return k < r.text.size() ? r.text[k] : ""; };
  switch (r.kind) {
    case ReductionKind::within: return text(1) + " is at most " + text(0) + ": two cases";
    case ReductionKind::modulo: return "by the remainder of " + text(0) + " divided by " + text(1);
    case ReductionKind::least: return "one claim for each operand of min or max";
    case ReductionKind::equal: return "equal, because each is at most the other";
    case ReductionKind::above: {
      const std::string bound = text(2).empty() ? "the inner size of a factorization" : "that of the " + text(2) + " factor";
      return r.text.size() == 1 ? "the rank of a zero matrix is 0" : "the rank is at most " + bound + ": (" + shorten(text(0)) + ") @ (" + shorten(text(1)) + ")";
    }
    case ReductionKind::full:
      return text(0) == "lower" || text(0) == "upper" ? "a triangle with a positive diagonal has full rank" : "the rank is full, because v.T @ E @ v is at least " + shorten(text(0)) + " * |v|**2";
    case ReductionKind::regular: return shorten(text(0)) + " has full rank, and so an inverse";
    case ReductionKind::nullity: {
      const std::string v = shorten(text(0)), product = r.text.size() > 1 ? "(" + v + ") @ E" : "E @ (" + v + ")";
      return "Sylvester: rank(E) is at most rank(" + product + ") + n - rank(" + v + "), for an inner size n of that product";
    }
    case ReductionKind::singular: return "a determinant is 0 where the rank is less than the size";
    case ReductionKind::triangle: return "the determinant of " + shorten(text(0)) + ", a triangle, is the product of its diagonal, which is positive";
    case ReductionKind::apart: return "block by block: ranks of blocks add up, those of kron(A, B) multiply, and so do determinants of blocks and of products";
    case ReductionKind::through: return "both sides are compared with " + shorten(text(0)) + ", which lies between";
    case ReductionKind::gram: return "a product A A.T has the rank of A";
    case ReductionKind::below: return "the rank is at least the size of an identity made from the matrix: X = " + shorten(text(0)) + ", Y = " + shorten(text(1));
    case ReductionKind::before: return "both sides are multiplied from the left by " + shorten(text(0)) + ", which has an inverse";
    case ReductionKind::after: return "both sides are multiplied from the right by " + shorten(text(0)) + ", which has an inverse";
    case ReductionKind::scaled: return "both sides are multiplied by " + shorten(text(0)) + ", which is nowhere zero where the sides have values";
    case ReductionKind::increasing: return r.text.empty() ? "the function increases" : "the function in an assumption increases";
    case ReductionKind::exponential: return "exp of both sides";
    case ReductionKind::logarithm: return "log of both sides, which are positive";
    case ReductionKind::squared: return "squares of both sides, of which the right one is not negative";
    case ReductionKind::rearranged: return "with terms on other sides: " + shorten(text(0)) + " against " + shorten(text(1));
    case ReductionKind::lemma: return "first " + shorten(text(0)) + " == " + shorten(text(1)) + ", then the claim with its help";
    case ReductionKind::forget: {
      if (r.text.size() == 2 && r.text[0] == "positive") return "first 0 < " + shorten(text(1)) + ", then for any positive numbers in its place";
      std::string names;
      for (const auto& name : r.text) names += (names.empty() ? "" : ", ") + name;
      return "for any " + names;
    }
    case ReductionKind::instead: return "with what it is assumed to be in its place";
    case ReductionKind::congruent: return "both sides are one function, of equal operands";
    case ReductionKind::entries: return "entry by entry it is a statement about numbers";
    case ReductionKind::pieces: return text(0) + " lies before, between or after the points where a function bends";
    case ReductionKind::sized: {
      std::string sizes;
      for (std::size_t k = 1; k + 1 < r.text.size(); k += 2) sizes += (sizes.empty() ? "" : ", ") + r.text[k] + " for " + r.text[k + 1];
      return "whatever the sizes are: with " + sizes;
    }
    case ReductionKind::slope: return "it holds at " + text(0) + " == 0, and from there on the right side rises at least as fast";
    case ReductionKind::blocks: return "in two blocks, before and from " + text(1) + " on, of axis " + text(0);
    case ReductionKind::turned: {
      const auto says = [&](const char* what) { return std::find(r.text.begin(), r.text.end(), what) != r.text.end(); };
      const std::string sides = says("sides") ? "the sides exchanged" : "", names = says("names") ? "the declarations in reverse order" : says("used") ? "without the names that occur nowhere" : says("free") ? "whatever is assumed" : says("bare") ? "without assumptions" : says("equal") ? "the sides are equal" : says("one") ? "the left side and 1 are at most the right side" : "";
      return sides + (sides.empty() || names.empty() ? "" : " and ") + names;
    }
    case ReductionKind::none: break;
  }
  return "";
}

}  // namespace

/// The claims that a reduction asks for, each with its derivation.
std::vector<std::string> derive_parts(const expr::Claim& claim, const infer::Problem& problem, const kernel::Certificate& certificate) {
  std::vector<std::string> lines{describe(certificate.reduction)};
  const auto claims = kernel::reduce(claim, problem, certificate.reduction);
  for (std::size_t k = 0; k < claims.size(); ++k) {
    const auto& c = claims[k];
    std::string text = expr::text(c.lhs) + " " + expr::text(c.relation) + " " + expr::text(c.rhs);
    if (c.assumptions.size() > claim.assumptions.size()) text += ", when " + expr::text(certificate.reduction.kind == kernel::ReductionKind::lemma ? c.assumptions.front() : c.assumptions.back());
    lines.push_back(shorten(text));
    try {
      for (const std::string& line : derive(c, infer::elaborate(c), certificate.parts[k])) lines.push_back("  " + line);
    } catch (const expr::Error&) {
      lines.push_back("  at these sizes a slice selects nothing, so no side has a value");
    }
  }
  return lines;
}

std::vector<std::string> derive(const expr::Claim& claim, const infer::Problem& problem, const kernel::Certificate& certificate) {
  if (certificate.reduction.kind != kernel::ReductionKind::none) return derive_parts(claim, problem, certificate);
  std::vector<std::string> lines;
  try {
    const normal::Limits limits{.steps = 3000};  // enough for what anybody reads
    normal::Cuts cuts;
    const Side lhs = side(problem, problem.lhs, cuts, limits);
    const Side rhs = side(problem, problem.rhs, cuts, limits);
    lines.push_back("left" + entry(problem, problem.lhs) + " = " + shorten(lhs.unfolded));
    lines.push_back("right" + entry(problem, problem.rhs) + " = " + shorten(rhs.unfolded));
    add_laws(certificate, lines);
    if (problem.relation != expr::Relation::equal) {
      lines.push_back(std::string("right - left is ") + (problem.relation == expr::Relation::less ? "positive" : "never negative") + ", for all sizes of at least 1");
    } else if (lhs.normal == rhs.normal) {
      lines.push_back("both sides" + entry(problem, problem.lhs) + " = " + shorten(lhs.normal));
    } else {
      lines.push_back("the difference of the sides is 0 in every block of the indices");
    }
  } catch (const std::exception&) {  // the proof stands; only its printed form is too large
    add_laws(certificate, lines);
  }
  return lines;
}

}  // namespace foldproof::verdict
