// SPDX-License-Identifier: MIT
#include "report/edits.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "infer/names.hpp"
#include "report/bound_edits.hpp"
#include "report/missing_terms.hpp"
#include "report/places.hpp"

namespace foldproof::report {
namespace {

using expr::Expression;
using expr::node;
using expr::SyntaxKind;
using expr::transposed;

/// What takes the place of one expression.
struct Change {
  Expression to;
  const char* words;
  int size;
};
using Changes = std::vector<Change>;

Expression named(const std::string& name) { return node(SyntaxKind::name, {}, name); }
class Editor {
 public:
  Editor(const expr::Claim& claim, const infer::Problem& problem) : claim_(claim), problem_(problem), found_(bound_edits(claim, problem)) {}
  std::vector<Edit> run() {
    if (claim_.relation != expr::Relation::equal) {
      Edit turned{claim_, "the sides exchanged", 1};
      std::swap(turned.claim.lhs, turned.claim.rhs);
      found_.insert(found_.begin(), std::move(turned));
      return std::move(found_);
    }
    look(claim_.lhs);
    look(claim_.rhs);
    for (const bool right : {true, false}) {
      const Expression& side = right ? claim_.rhs : claim_.lhs;
      Changes changes;
      whole_side(side, right ? claim_.lhs : claim_.rhs, changes);
      lacking_.clear();
      for (const std::string& f : functions(right ? claim_.lhs : claim_.rhs)) {
        if (!functions(side).count(f)) lacking_.push_back(f);
      }
      everywhere(side, [&](const Expression& e, Changes& out) { one_place(e, out); }, changes);
      for (Change& change : changes) {
        Edit edit{claim_, change.words, 2 * change.size + (right ? 0 : 1)};
        (right ? edit.claim.rhs : edit.claim.lhs) = std::move(change.to);
        if (!expr::same(edit.claim.lhs, edit.claim.rhs)) found_.push_back(std::move(edit));
      }
    }
    throughout("softmax1", "softmax");
    throughout("layernorm", "rmsnorm");
    shapes();
    assumptions();
    std::stable_sort(found_.begin(), found_.end(), [](const Edit& a, const Edit& b) { return a.size < b.size; });
    return std::move(found_);
  }

 private:
  /// What stands somewhere in the claim and may be missing elsewhere: factors that are no plain names, indices, arguments.
  void look(const Expression& e) {
    const bool joins = e->kind == SyntaxKind::matmul || e->kind == SyntaxKind::multiply || e->kind == SyntaxKind::divide;
    for (std::size_t k = 0; k < e->args.size(); ++k) {
      const Expression& a = e->args[k];
      if (joins && k == 1 && a->kind == SyntaxKind::call && a->args.size() == 1 && small(a->args[0]) && !known(factors_, a)) factors_.push_back(a);
      look(a);
    }
    if (e->kind == SyntaxKind::comprehension) indices_.insert(e->name);
    if (e->kind == SyntaxKind::call) {
      auto& longest = calls_[e->name];
      if (!longest || longest->args.size() < e->args.size()) longest = e;
    }
    if (e->kind == SyntaxKind::call && (e->name == "relu" || e->name == "abs") && !known(bent_, e->args[0])) bent_.push_back(e->args[0]);
  }
  static bool small(const Expression& e) {
    return e->kind == SyntaxKind::name || e->kind == SyntaxKind::number || (e->kind == SyntaxKind::multiply && small(e->args[0]) && small(e->args[1]));
  }
  /// Functions of one number that e applies.
  static std::set<std::string> functions(const Expression& e) {
    static const std::set<std::string> entrywise = {"relu", "gelu", "silu", "sigmoid", "tanh", "exp", "log", "sqrt", "abs"};
    std::set<std::string> found;
    if (e->kind == SyntaxKind::call && entrywise.count(e->name)) found.insert(e->name);
    for (const auto& a : e->args) found.merge(functions(a));
    return found;
  }
  static Expression renamed_throughout(const Expression& e, const std::string& from, const std::string& to) {
    auto copy = std::make_shared<expr::Syntax>(*e);
    if (e->kind == SyntaxKind::call && e->name == from) copy->name = to;
    for (auto& a : copy->args) a = renamed_throughout(a, from, to);
    return copy;
  }
  void throughout(const std::string& from, const std::string& to) {
    if (calls_.count(from) == 0) return;
    Edit edit{claim_, to + " instead of " + from, 7};
    edit.claim.lhs = renamed_throughout(claim_.lhs, from, to);
    edit.claim.rhs = renamed_throughout(claim_.rhs, from, to);
    if (!expr::same(edit.claim.lhs, edit.claim.rhs)) found_.push_back(std::move(edit));
  }

  const expr::Shape* shape_of(const Expression& e) const {
    if (e->kind != SyntaxKind::name) return nullptr;
    for (const auto& v : problem_.variables) {
      if (v.name == e->name) return &v.shape;
    }
    return nullptr;
  }
  bool is_size(const Expression& e) const {
    return e->kind == SyntaxKind::name && std::find(problem_.dimensions.begin(), problem_.dimensions.end(), e->name) != problem_.dimensions.end();
  }

  void one_place(const Expression& e, Changes& out) const {
    switch (e->kind) {
      case SyntaxKind::matmul: product(e, out); break;
      case SyntaxKind::add:
        out.push_back({node(SyntaxKind::subtract, e->args), "a sign changed", 1});
        out.push_back({e->args[0], "a term left out", 4});
        out.push_back({e->args[1], "a term left out", 4});
        break;
      case SyntaxKind::subtract:
        out.push_back({node(SyntaxKind::add, e->args), "a sign changed", 1});
        out.push_back({node(SyntaxKind::subtract, {e->args[1], e->args[0]}), "a difference turned round", 1});
        out.push_back({e->args[0], "a term left out", 4});
        break;
      case SyntaxKind::multiply: out.push_back({node(SyntaxKind::divide, e->args), "divided instead of multiplied", 1}); break;
      case SyntaxKind::divide: out.push_back({node(SyntaxKind::multiply, e->args), "multiplied instead of divided", 1}); break;
      case SyntaxKind::transpose: out.push_back({e->args[0], "a transpose removed", 1}); break;
      case SyntaxKind::power: power(e, out); break;
      case SyntaxKind::call: call(e, out); break;
      case SyntaxKind::name: name(e, out); break;
      case SyntaxKind::index: index(e, out); break;
      default: break;
    }
    if (e->kind == SyntaxKind::matmul || e->kind == SyntaxKind::name) {
      for (const std::string& f : lacking_) out.push_back({node(SyntaxKind::call, {e}, f), "a function applied here too", 2});
    }
    const bool may_turn = e->kind == SyntaxKind::name ? shape_of(e) != nullptr && shape_of(e)->size() == 2 : e->kind == SyntaxKind::call || e->kind == SyntaxKind::matmul;
    if (may_turn) out.push_back({transposed(e), "a transpose added", 2});
  }

  static void product(const Expression& e, Changes& out) {
    const Expression& a = e->args[0];
    const Expression& b = e->args[1];
    constexpr const char* order = "factors in the other order";
    out.push_back({node(SyntaxKind::matmul, {b, a}), order, 1});
    if (a->kind == SyntaxKind::matmul) out.push_back({node(SyntaxKind::matmul, {node(SyntaxKind::matmul, {a->args[0], b}), a->args[1]}), order, 1});
    const bool left = a->kind == SyntaxKind::transpose;
    const bool right = b->kind == SyntaxKind::transpose;
    if (left != right) {
      out.push_back({node(SyntaxKind::matmul, {transposed(b), transposed(a)}), order, 1});
      out.push_back({node(SyntaxKind::matmul, {transposed(a), transposed(b)}), "the transpose on the other factor", 1});
    } else if (left) {
      out.push_back({node(SyntaxKind::matmul, {transposed(a), transposed(b)}), "both transposes removed", 2});
    }
  }

  /// A mean of squares is taken for the square of the mean.
  static bool adds_up(const Expression& e) {
    static const std::set<std::string> sums = {"sum", "rowsum", "colsum", "mean", "rowmean", "colmean"};
    return e->kind == SyntaxKind::call && e->args.size() == 1 && sums.count(e->name) > 0;
  }
  static void power(const Expression& e, Changes& out) {
    const Expression& base = e->args[0];
    out.push_back({base, "an exponent left out", 2});
    if (adds_up(base)) out.push_back({with_argument(base, 0, with_argument(e, 0, base->args[0])), "an exponent inside the function", 2});
  }

  /// W[0] instead of W[i].
  void index(const Expression& e, Changes& out) const {
    for (std::size_t k = 0; k < e->subscripts.size(); ++k) {
      if (e->subscripts[k].slice || !e->subscripts[k].start || e->subscripts[k].start->kind != SyntaxKind::number) continue;
      for (const std::string& i : indices_) {
        auto copy = std::make_shared<expr::Syntax>(*e);
        copy->subscripts[k].start = named(i);
        out.push_back({copy, "another index", 1});
      }
    }
  }

  void call(const Expression& e, Changes& out) const {
    static constexpr std::pair<const char*, const char*> pairs[] = {{"rowsum", "colsum"},   {"rowmax", "colmax"},       {"rowmin", "colmin"},     {"rowmean", "colmean"}, {"vstack", "concat"},
                                                                    {"tril", "triu"},       {"rope", "rope_half"},      {"softmax1", "softmax"}, {"layernorm", "rmsnorm"}};
    const auto renamed = [&](const char* name) {
      auto copy = std::make_shared<expr::Syntax>(*e);
      copy->name = name;
      return copy;
    };
    for (const auto& [one, other] : pairs) {
      if (e->name == one) out.push_back({renamed(other), "another function", 2});
      if (e->name == other) out.push_back({renamed(one), "another function", 2});
    }
    if (adds_up(e) && e->args[0]->kind == SyntaxKind::power) out.push_back({with_argument(e->args[0], 0, with_argument(e, 0, e->args[0]->args[0])), "an exponent outside of the function", 2});
    const Expression& longest = calls_.at(e->name);
    if (e->args.size() + 1 == longest->args.size() && e->args.size() > 1 && (e->name == "rope" || e->name == "rope_half" || e->name == "sinus")) {
      auto copy = std::make_shared<expr::Syntax>(*e);
      copy->args.push_back(longest->args.back());
      out.push_back({copy, "one more argument", 1});
    }
    if (e->name == "reshape" && e->args.size() == 4) {
      const auto split = node(SyntaxKind::call, {e->args[0], e->args[2], e->args[1], e->args[3]}, "reshape");
      out.push_back({node(SyntaxKind::call, {split, number(1), number(0), number(2)}, "transpose"), "axes exchanged", 2});
    }
    for (std::size_t k = 0; k < e->keywords.size(); ++k) {
      if (e->keywords[k].second->kind != SyntaxKind::name || e->keywords[k].second->name != "False") continue;
      auto copy = std::make_shared<expr::Syntax>(*e);
      copy->keywords[k].second = named("True");
      out.push_back({copy, "the axis kept", 1});
    }
    static const std::set<std::string> along = {"softmax", "sum", "mean", "max", "min", "lse", "log_softmax", "flip"};
    if (along.count(e->name)) axis(e, out);
    if (e->name != "concat" && e->name != "vstack") return;
    for (std::size_t k = 0; k + 1 < e->args.size(); ++k) {
      auto copy = std::make_shared<expr::Syntax>(*e);
      std::swap(copy->args[k], copy->args[k + 1]);
      out.push_back({copy, "blocks in the other order", 1});
    }
  }

  static void axis(const Expression& e, Changes& out) {
    auto copy = std::make_shared<expr::Syntax>(*e);
    const auto given = std::find_if(copy->keywords.begin(), copy->keywords.end(), [](const auto& k) { return k.first == "axis" || k.first == "dim"; });
    if (given == copy->keywords.end()) {
      copy->keywords.emplace_back("axis", number(0));
    } else {
      const bool down = given->second->kind == SyntaxKind::number && given->second->value.is_zero();
      given->second = number(down ? 1 : 0);
    }
    out.push_back({copy, "along the other axis", 1});
  }

  /// One more factor beside a matrix, a power of a scalar, another size.
  void name(const Expression& e, Changes& out) const {
    if (is_size(e)) {
      for (const std::string& other : problem_.dimensions) {
        if (other != e->name) out.push_back({named(other), "another size", 2});
      }
      return;
    }
    const expr::Shape* shape = shape_of(e);
    if (shape == nullptr) return;
    if (shape->empty()) {
      out.push_back({node(SyntaxKind::power, {e, number(2)}), "a power", 2});
      out.push_back({node(SyntaxKind::power, {e, number(3)}), "a power", 2});
      out.push_back({node(SyntaxKind::call, {e}, "abs"), "a sign that does not matter", 2});
      return;
    }
    if (shape->size() == 3) {
      out.push_back({node(SyntaxKind::call, {e, number(1), number(0), number(2)}, "transpose"), "axes exchanged", 2});
      out.push_back({node(SyntaxKind::call, {e, number(0), number(2), number(1)}, "transpose"), "axes exchanged", 2});
    }
    for (const Expression& f : factors_) {
      out.push_back({node(SyntaxKind::matmul, {e, f}), "one more factor", 2});
      out.push_back({node(SyntaxKind::multiply, {f, e}), "one more factor", 2});
      out.push_back({node(SyntaxKind::divide, {e, f}), "one more factor", 2});
    }
    for (const std::string& d : problem_.dimensions) out.push_back({node(SyntaxKind::divide, {e, named(d)}), "a scale factor", 3});
    for (const auto& v : problem_.variables) {
      if (v.name == e->name || v.shape.size() != 2) continue;
      if (shape->back() == v.shape[0]) out.push_back({node(SyntaxKind::matmul, {e, named(v.name)}), "one more factor", 2});
      if (shape->size() == 2 && v.shape[1] == shape->front()) out.push_back({node(SyntaxKind::matmul, {named(v.name), e}), "one more factor", 2});
    }
  }

  /// Terms and scale factors that a whole side lacks.
  void whole_side(const Expression& side, const Expression& other, Changes& out) const {
    for (const auto& v : problem_.variables) {
      if (!mentions(side, v.name) && mentions(other, v.name)) out.push_back({node(SyntaxKind::add, {side, named(v.name)}), "one more term", 1});
    }
    std::vector<Expression> factors;
    for (const auto& v : problem_.variables) {
      if (v.shape.empty()) factors.insert(factors.end(), {named(v.name), node(SyntaxKind::power, {named(v.name), number(2)})});
    }
    for (const std::string& d : problem_.dimensions) factors.insert(factors.end(), {named(d), node(SyntaxKind::call, {named(d)}, "sqrt")});
    factors.push_back(number(2));
    constants(claim_.lhs, factors);
    constants(claim_.rhs, factors);
    for (const Expression& f : factors) {
      out.push_back({node(SyntaxKind::multiply, {f, side}), "a scale factor", 2});
      out.push_back({node(SyntaxKind::divide, {side, f}), "a scale factor", 2});
    }
    const auto shape = [&](const Expression& e) { return shape_of(e); };
    for (const Expression& complete : completed(side, other, shape)) out.push_back({complete, "the missing terms", 3});
  }
  static bool mentions(const Expression& e, const std::string& name) {
    return (e->kind == SyntaxKind::name && e->name == name) || std::any_of(e->args.begin(), e->args.end(), [&](const auto& a) { return mentions(a, name); });
  }
  static bool known(const std::vector<Expression>& list, const Expression& e) { return std::any_of(list.begin(), list.end(), [&](const auto& x) { return expr::same(x, e); }); }
  static void constants(const Expression& e, std::vector<Expression>& out) {
    const bool root = e->kind == SyntaxKind::call && e->name == "sqrt" && e->args.size() == 1 && e->args[0]->kind == SyntaxKind::number;
    if ((root || (e->kind == SyntaxKind::number && e->value.is_integer() && e->value.num() > 1)) && !known(out, e)) out.push_back(e);
    if (root) return;
    for (const auto& a : e->args) constants(a, out);
  }

  /// W[i] means nothing outside its comprehension.
  bool has_index(const Expression& e) const {
    if (e->kind == SyntaxKind::name && indices_.count(e->name)) return true;
    const auto inside = [&](const expr::Subscript& s) { return (s.start && has_index(s.start)) || (s.stop && has_index(s.stop)); };
    return std::any_of(e->subscripts.begin(), e->subscripts.end(), inside) || std::any_of(e->args.begin(), e->args.end(), [&](const auto& a) { return has_index(a); });
  }

  // ---- shapes ----
  /// An undeclared bias or scale that was read as a whole matrix and stands in one place.
  void shapes() {
    constexpr int small = 2;
    const std::function<int(const Expression&, const std::string&)> places = [&](const Expression& e, const std::string& name) {
      int count = e->kind == SyntaxKind::name && e->name == name ? 1 : 0;
      for (const auto& a : e->args) count += places(a, name);
      return count;
    };
    for (const auto& v : problem_.variables) {
      if (places(claim_.lhs, v.name) + places(claim_.rhs, v.name) != 1) continue;
      if (v.declared || v.shape.size() != 2 || v.shape[0].is_one() || v.shape[1].is_one()) continue;
      for (const expr::Shape& shape : {expr::Shape{1, v.shape[1]}, expr::Shape{v.shape[0], 1}, expr::Shape{}}) {
        Edit edit{claim_, shape.empty() ? "a number" : shape[0].is_one() ? "a row" : "a column", small};
        edit.claim.declarations.push_back({v.name, shape, {}});
        found_.push_back(std::move(edit));
      }
    }
  }

  // ---- assumptions ----
  /// Does a tensor stand where a mask or a gate does: as a factor of entries, also a column of it, or in neginf(...)? In x * x
  /// and l2norm(x) it is data.
  static bool chooses(const Expression& e, const std::string& name) {
    const auto is = [&](const Expression& x) { return x->kind == SyntaxKind::name ? x->name == name : x->kind == SyntaxKind::index && x->args[0]->kind == SyntaxKind::name && x->args[0]->name == name; };
    if (e->kind == SyntaxKind::multiply && ((is(e->args[0]) && !mentions(e->args[1], name)) || (is(e->args[1]) && !mentions(e->args[0], name)))) return true;
    if (e->kind == SyntaxKind::power && is(e->args[0])) return true;
    if (e->kind == SyntaxKind::call && e->name == "neginf" && is(e->args[0])) return true;
    return std::any_of(e->args.begin(), e->args.end(), [&](const auto& a) { return chooses(a, name); });
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
    edit.claim.assumptions.push_back(expr::parse_claim("assume " + text + "\n0 == 1").assumptions[0]);
    found_.push_back(std::move(edit));
  }
  void assumptions() {
    constexpr int scalar = 3, common = 4, strong = 5, pair = 6, thin = 8;
    const auto& variables = problem_.variables;
    for (const Expression& e : bent_) {
      if (!has_index(e)) assume(expr::text(e) + " >= 0", common);
    }
    for (const auto& v : variables) {
      if (v.shape.empty()) {
        for (const char* sign : {" != 0", " >= 0", " > 0"}) assume(v.name + sign, scalar);
        continue;
      }
      assume("nonzero(" + v.name + ")", common, v.name);
      assume(v.name + " >= 0", common);  // before what is stronger
      assume("positive(" + v.name + ")", common, v.name);
      if (v.shape.size() != 2) continue;
      if (v.shape[0] == v.shape[1]) {
        for (const char* predicate : {"invertible", "symmetric", "orthogonal", "permutation"}) assume(std::string(predicate) + "(" + v.name + ")", strong, v.name);
      }
      if (v.shape[0].is_one() || v.shape[1].is_one()) continue;
      // R and R.T that the other side lacks; the assumption makes R square.
      if (!v.declared && v.shape[0] != v.shape[1] && mentions(claim_.lhs, v.name) != mentions(claim_.rhs, v.name)) assume("orthogonal(" + v.name + ")", strong, v.name);
      assume("rowstochastic(" + v.name + ")", strong, v.name);
      if (!chooses(claim_.lhs, v.name) && !chooses(claim_.rhs, v.name)) continue;
      if (!v.declared && infer::is_conventional_size(v.name)) continue;
      for (const char* predicate : {"mask01", "onehot"}) assume(std::string(predicate) + "(" + v.name + ")", strong, v.name);
    }
    for (std::size_t i = 0; i < variables.size(); ++i) {
      for (std::size_t j = i + 1; j < variables.size(); ++j) {
        const auto& a = variables[i];
        const auto& b = variables[j];
        if (a.shape != b.shape || a.shape.size() != 2) continue;
        if (a.shape[0] == a.shape[1]) assume(a.name + " @ " + b.name + " == " + b.name + " @ " + a.name, pair);
        assume(a.name + " == " + b.name, pair + 1);
      }
    }
    for (std::size_t i = 0; i < problem_.dimensions.size(); ++i) {
      for (std::size_t j = i + 1; j < problem_.dimensions.size(); ++j) assume(problem_.dimensions[i] + " == " + problem_.dimensions[j], thin);
    }
  }

  const expr::Claim& claim_;
  const infer::Problem& problem_;
  std::vector<Expression> factors_;
  std::vector<Expression> bent_;  ///< arguments of functions that are the identity of what is not negative
  std::set<std::string> indices_;
  std::map<std::string, Expression> calls_;  ///< the longest call of each function
  std::vector<std::string> lacking_;         ///< functions that only the other side applies
  std::vector<Edit> found_;
};

}  // namespace

std::vector<Edit> edits(const expr::Claim& claim, const infer::Problem& problem) { return Editor(claim, problem).run(); }

}  // namespace foldproof::report
