// SPDX-License-Identifier: MIT
#include "repair/assumption_edits.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "infer/names.hpp"
#include "read/parse.hpp"
#include "repair/places.hpp"

namespace foldproof::repair {
namespace {

using expr::Expression;
using expr::mentions;
using expr::SyntaxKind;

class Assumer {
 public:
  Assumer(const expr::Claim& claim, const infer::Problem& problem) : claim_(claim), problem_(problem) {}
  std::vector<Edit> run() {
    look(claim_.lhs);
    look(claim_.rhs);
    assumptions();
    other_signs();
    return std::move(found_);
  }

 private:
  void look(const Expression& e) {
    if (e->kind == SyntaxKind::comprehension) indices_.insert(e->name);
    if (e->kind == SyntaxKind::call && (e->name == "relu" || e->name == "abs") && !expr::contains(bent_, e->args[0])) bent_.push_back(e->args[0]);
    for (const auto& a : e->args) look(a);
  }
  /// W[i] means nothing outside its comprehension.
  bool has_index(const Expression& e) const {
    return std::any_of(indices_.begin(), indices_.end(), [&](const std::string& i) { return mentions(e, i); });
  }
  /// Does a tensor stand where a mask or a gate does: as a factor of entries, also a column of it, or in neginf(...)? In x * x
  /// and l2norm(x) it is data.
  static bool chooses(const Expression& e, const std::string& name) {
    const auto is = [&](const Expression& x) { return x->kind == SyntaxKind::name ? x->name == name : x->kind == SyntaxKind::index && x->args[0]->kind == SyntaxKind::name && x->args[0]->name == name; };
    if (e->kind == SyntaxKind::multiply && ((is(e->args[0]) && !mentions(e->args[1], name)) || (is(e->args[1]) && !mentions(e->args[0], name)))) return true;
    if (e->kind == SyntaxKind::power && is(e->args[0])) return true;
    if (e->kind == SyntaxKind::call && e->name == "neginf" && is(e->args[0])) return true;
    return std::any_of(e->args.begin(), e->args.end(), [&](const auto& a) { return chooses(a, name); });
  }
  /// Does a row stand left of a matrix, whose rows it averages?
  static bool weighs(const Expression& e, const std::string& name) {
    if (e->kind == SyntaxKind::matmul && e->args[0]->kind == SyntaxKind::name && e->args[0]->name == name) return true;
    return std::any_of(e->args.begin(), e->args.end(), [&](const auto& a) { return weighs(a, name); });
  }
  /// Is the tensor a term of a sum, or a block beside others, as biases and sinks are?
  static bool is_added(const Expression& e, const std::string& name) {
    const bool joins = e->kind == SyntaxKind::add || e->kind == SyntaxKind::subtract || (e->kind == SyntaxKind::call && (e->name == "concat" || e->name == "vstack"));
    const auto is = [&](const Expression& x) { return x->kind == SyntaxKind::name && x->name == name; };
    if (joins && std::any_of(e->args.begin(), e->args.end(), is)) return true;
    return std::any_of(e->args.begin(), e->args.end(), [&](const auto& a) { return is_added(a, name); });
  }
  /// Whether every tensor of the first predicate has the second.
  static bool says_as_much(const std::string& stronger, const std::string& weaker) {
    static const std::map<std::string, std::set<std::string>> implied = {{"positive", {"nonnegative", "nonzero"}}, {"orthogonal", {"invertible"}}, {"permutation", {"invertible", "mask01", "nonnegative", "onehot", "orthogonal", "rowstochastic"}},
                                                                         {"onehot", {"mask01", "nonnegative", "rowstochastic"}}, {"rowstochastic", {"nonnegative"}}, {"mask01", {"nonnegative"}}};
    const auto found = implied.find(stronger);
    return stronger == weaker || (found != implied.end() && found->second.count(weaker) > 0);
  }
  void assume(const std::string& text, int size, const std::string& replacing = {}) {
    const std::string lhs = expr::text(claim_.lhs);
    const std::string rhs = expr::text(claim_.rhs);
    const auto is_symmetry = [&](const std::string& a, const std::string& b) { return a + ".T" == b && text == "symmetric(" + a + ")"; };
    if (text == lhs + " == " + rhs || text == rhs + " == " + lhs || is_symmetry(lhs, rhs) || is_symmetry(rhs, lhs)) return;  // the claim itself
    Edit edit{claim_, "one more assumption", 2 * size};
    if (!replacing.empty()) {  // the stronger predicate takes the place of what was assumed of the same variable
      auto& list = edit.claim.assumptions;
      const std::string stronger = text.substr(0, text.find('('));
      const auto weaker = [&](const auto& a) { return !a.relation && a.lhs->args.size() == 1 && a.lhs->args[0]->kind == SyntaxKind::name && a.lhs->args[0]->name == replacing && says_as_much(stronger, a.lhs->name); };
      if (std::any_of(list.begin(), list.end(), weaker)) edit.change = "a stronger assumption";
      list.erase(std::remove_if(list.begin(), list.end(), weaker), list.end());
    }
    edit.claim.assumptions.push_back(read::parse_claim("assume " + text + "\n0 == 1").assumptions[0]);
    found_.push_back(std::move(edit));
  }
  /// Unit vectors, orthonormal columns and rows, projections, involutions.
  void lengths(const infer::Variable& v, int size) {
    const std::string& x = v.name;
    const auto eye = [](const expr::Dim& n) { return "eye(" + expr::text(n) + ")"; };
    const bool row = v.shape[0].is_one(), column = v.shape[1].is_one();
    if (row && column) return;
    if (!row) assume(x + ".T @ " + x + " == " + (column ? "1" : eye(v.shape[1])), size);
    if (!column && v.shape[0] != v.shape[1]) assume(x + " @ " + x + ".T == " + (row ? "1" : eye(v.shape[0])), size);
    if (v.shape[0] != v.shape[1]) return;
    assume(x + " @ " + x + " == " + x, size);
    assume(x + " @ " + x + " == " + eye(v.shape[0]), size);
  }
  /// Whether an equation that is assumed already speaks of this variable only: a second one hardly leaves anything but 0 and eye(n).
  bool settled(const std::string& name) const {
    const auto others = [&](const Expression& e) {
      return std::any_of(problem_.variables.begin(), problem_.variables.end(), [&](const auto& v) { return v.name != name && mentions(e, v.name); });
    };
    return std::any_of(claim_.assumptions.begin(), claim_.assumptions.end(), [&](const auto& a) {
      return a.relation == expr::Relation::equal && (mentions(a.lhs, name) || mentions(a.rhs, name)) && !others(a.lhs) && !others(a.rhs);
    });
  }
  void assumptions() {
    constexpr int scalar = 3, common = 4, strong = 5, pair = 6, unit = 6, thin = 8;
    const auto& variables = problem_.variables;
    const bool equation = claim_.relation == expr::Relation::equal;
    for (const Expression& e : bent_) {
      if (!has_index(e)) assume(expr::text(e) + " >= 0", common);
    }
    all_bent(common + 1);
    for (const auto& v : variables) {
      if (v.shape.empty()) {
        for (const char* sign : {" != 0", " >= 0", " > 0"}) assume(v.name + sign, scalar);
        continue;
      }
      if (equation && v.shape.size() == 2 && (v.shape[0].is_one() || v.shape[1].is_one()) && (is_added(claim_.lhs, v.name) || is_added(claim_.rhs, v.name))) assume(v.name + " == 0", thin + 1);
      assume("nonzero(" + v.name + ")", common, v.name);
      assume(v.name + " >= 0", common);  // before what is stronger
      assume("positive(" + v.name + ")", common, v.name);
      if (v.shape.size() != 2) continue;
      const bool known = settled(v.name);
      const bool said = std::any_of(claim_.assumptions.begin(), claim_.assumptions.end(), [&](const auto& a) { return mentions(a.lhs, v.name) || (a.rhs && mentions(a.rhs, v.name)); });
      if (!said || v.shape[0] != v.shape[1]) lengths(v, unit);
      if (v.shape[0] == v.shape[1] && !known) {
        for (const char* predicate : {"invertible", "symmetric", "orthogonal", "permutation"}) {
          if (equation || std::string(predicate) != "permutation") assume(std::string(predicate) + "(" + v.name + ")", strong, v.name);
        }
      }
      if (!equation) continue;  // of few tensors a bound holds by chance
      if (v.shape[0].is_one() && !v.shape[1].is_one() && (weighs(claim_.lhs, v.name) || weighs(claim_.rhs, v.name))) assume("rowstochastic(" + v.name + ")", strong, v.name);
      if (v.shape[0].is_one() || v.shape[1].is_one()) continue;
      // R and R.T that the other side lacks; the assumption makes R square.
      if (!v.declared && v.shape[0] != v.shape[1] && mentions(claim_.lhs, v.name) != mentions(claim_.rhs, v.name)) assume("orthogonal(" + v.name + ")", strong, v.name);
      assume("rowstochastic(" + v.name + ")", strong, v.name);
      if (!chooses(claim_.lhs, v.name) && !chooses(claim_.rhs, v.name)) continue;
      if (!v.declared && infer::is_conventional_size(v.name)) continue;
      for (const char* predicate : {"mask01", "onehot"}) assume(std::string(predicate) + "(" + v.name + ")", strong, v.name);
    }
    if (!equation) return;
    for (std::size_t i = 0; i < variables.size(); ++i) {
      for (std::size_t j = i + 1; j < variables.size(); ++j) {
        const auto& a = variables[i];
        const auto& b = variables[j];
        if (a.shape != b.shape || a.shape.size() != 2) continue;
        if (a.shape[0] == a.shape[1] && !a.shape[0].is_one()) assume(a.name + " @ " + b.name + " == " + b.name + " @ " + a.name, pair);
      }
    }
    for (std::size_t i = 0; i < problem_.dimensions.size(); ++i) {
      for (std::size_t j = i + 1; j < problem_.dimensions.size(); ++j) assume(problem_.dimensions[i] + " == " + problem_.dimensions[j], thin);
    }
  }

  /// relu(Q) @ relu(K).T is Q @ K.T where nothing in either is negative.
  void all_bent(int size) {
    Edit edit{claim_, "more assumptions", 2 * size};
    for (const Expression& e : bent_) {
      if (e->kind == SyntaxKind::name) edit.claim.assumptions.push_back({e, expr::Relation::greater_equal, number(0), {}});
    }
    if (edit.claim.assumptions.size() > claim_.assumptions.size() + 1) found_.push_back(std::move(edit));
  }
  /// S.T == -S where S.T == S is assumed.
  void other_signs() {
    for (std::size_t k = 0; k < claim_.assumptions.size(); ++k) {
      const auto& a = claim_.assumptions[k];
      const bool symmetric = !a.relation && a.lhs->kind == SyntaxKind::call && a.lhs->name == "symmetric";
      if (!symmetric && a.relation != expr::Relation::equal) continue;
      Edit edit{claim_, "another assumption", 4};
      auto& other = edit.claim.assumptions[k];
      if (symmetric) {
        other = {expr::transposed(a.lhs->args[0]), expr::Relation::equal, expr::node(SyntaxKind::negate, {a.lhs->args[0]}), {}};
      } else {
        other.rhs = a.rhs->kind == SyntaxKind::negate ? a.rhs->args[0] : expr::node(SyntaxKind::negate, {a.rhs});
      }
      found_.push_back(std::move(edit));
    }
  }

  const expr::Claim& claim_;
  const infer::Problem& problem_;
  std::vector<Expression> bent_;  ///< arguments of functions that are the identity of what is not negative
  std::set<std::string> indices_;
  std::vector<Edit> found_;
};

}  // namespace

std::vector<Edit> assumption_edits(const expr::Claim& claim, const infer::Problem& problem) { return Assumer(claim, problem).run(); }

}  // namespace foldproof::repair
