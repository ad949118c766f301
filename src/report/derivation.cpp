// SPDX-License-Identifier: MIT
#include "report/derivation.hpp"

#include <map>

#include "normal/normalize.hpp"
#include "normal/print.hpp"

namespace foldproof::report {
namespace {

constexpr std::size_t longest_line = 400;

std::string shorten(std::string s) { return s.size() <= longest_line ? s : s.substr(0, longest_line - 4) + " ..."; }

/// One side, as unfolded and in normal form.
struct Side {
  std::string unfolded;
  std::string normal;
};

Side side(const infer::Problem& problem, const infer::Term& term, normal::Cuts& cuts) {
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
    axiom.poly = normal::normalize(*theory, axiom.poly, cuts, script, {});
    ++theory->usable_axioms;
  }
  for (auto& sign : theory->signs) sign.poly = normal::normalize(*theory, sign.poly, cuts, script, {});
  return {normal::text(arena, p, free), normal::text(arena, normal::normalize(*theory, p, cuts, script, {}), free)};
}

std::string entry(const infer::Term& term) {
  static constexpr const char* names[] = {"i", "j", "k", "l"};
  std::string out;
  for (std::size_t axis = 0; axis < term->shape.size() && axis < 4; ++axis) out += (axis ? "," : "[") + std::string(names[axis]);
  return out.empty() ? "" : out + "]";
}

void add_laws(const kernel::Certificate& certificate, std::vector<std::string>& lines) {
  std::map<kernel::Law, std::size_t> used;
  for (const auto& step : certificate.goal) ++used[step.law];
  for (const auto& [law, count] : used) {
    if (law == kernel::Law::keep || law == kernel::Law::enter || law == kernel::Law::leave) continue;
    lines.push_back("law " + std::string(kernel::name(law)) + " (" + std::to_string(count) + (count == 1 ? " time): " : " times): ") + normal::describe(law));
  }
}

}  // namespace

std::vector<std::string> derive(const infer::Problem& problem, const kernel::Certificate& certificate) {
  std::vector<std::string> lines;
  try {
    normal::Cuts cuts;
    const Side lhs = side(problem, problem.lhs, cuts);
    const Side rhs = side(problem, problem.rhs, cuts);
    lines.push_back("left" + entry(problem.lhs) + " = " + shorten(lhs.unfolded));
    lines.push_back("right" + entry(problem.rhs) + " = " + shorten(rhs.unfolded));
    add_laws(certificate, lines);
    if (problem.relation != expr::Relation::equal) {
      lines.push_back("right - left is never negative, for all sizes of at least 1");
    } else if (lhs.normal == rhs.normal) {
      lines.push_back("both sides" + entry(problem.lhs) + " = " + shorten(lhs.normal));
    } else {
      lines.push_back("the difference of the sides is 0 in every block of the indices");
    }
  } catch (const std::exception&) {  // the proof stands; only its printed form is too large
    add_laws(certificate, lines);
  }
  return lines;
}

}  // namespace foldproof::report
