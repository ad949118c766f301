// SPDX-License-Identifier: MIT
#include "repair/edits.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "repair/assumption_edits.hpp"
#include "repair/bound_edits.hpp"
#include "repair/missing_terms.hpp"
#include "repair/places.hpp"
#include "repair/shape_edits.hpp"

namespace foldproof::repair {
namespace {

using expr::Expression;
using expr::mentions;
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

class Editor {
 public:
  Editor(const expr::Claim& claim, const infer::Problem& problem) : claim_(claim), problem_(problem), found_(bound_edits(claim, problem)) {}
  std::vector<Edit> run() {
    claim_.relation == expr::Relation::equal ? of_equation() : of_inequality();
    return std::move(found_);
  }

 private:
  void of_inequality() {
    Edit turned{claim_, "the sides exchanged", 1};
    std::swap(turned.claim.lhs, turned.claim.rhs);
    found_.insert(found_.begin(), std::move(turned));
    if (claim_.relation == expr::Relation::less) {
      Edit weaker{claim_, "<= instead of <", 1};
      weaker.claim.relation = expr::Relation::less_equal;
      found_.insert(found_.begin(), std::move(weaker));
    }
    for (const bool right : {true, false}) {
      Changes changes;
      everywhere(right ? claim_.rhs : claim_.lhs, other_axis, changes);
      for (Change& change : changes) found_.push_back(changed(right, change, change.size));
    }
  }
  void of_equation() {
    look(claim_.lhs);
    look(claim_.rhs);
    for (const auto& d : claim_.definitions) look(d.value);
    inverts_ = calls_.count("inv") > 0;
    for (const bool right : {true, false}) {
      const Expression& side = right ? claim_.rhs : claim_.lhs;
      Changes changes;
      whole_side(side, right ? claim_.lhs : claim_.rhs, changes);
      lacking_.clear();
      for (const std::string& f : functions(right ? claim_.lhs : claim_.rhs)) {
        if (!functions(side).count(f)) lacking_.push_back(f);
      }
      everywhere(side, [&](const Expression& e, Changes& out) { one_place(e, out); }, changes);
      for (Change& change : changes) keep(changed(right, change, 2 * change.size + (right ? 0 : 1)));
    }
    throughout("softmax1", "softmax");
    throughout("layernorm", "rmsnorm");
    for (Edit& edit : shape_edits(claim_, problem_)) found_.push_back(std::move(edit));
    for (Edit& edit : assumption_edits(claim_, problem_)) found_.push_back(std::move(edit));
    std::stable_sort(found_.begin(), found_.end(), [](const Edit& a, const Edit& b) { return a.size < b.size; });
  }
  Edit changed(bool right, Change& change, int size) const {
    Edit edit{claim_, change.words, size};
    (right ? edit.claim.rhs : edit.claim.lhs) = std::move(change.to);
    return edit;
  }
  void keep(Edit edit) {
    if (!expr::same(edit.claim.lhs, edit.claim.rhs)) found_.push_back(std::move(edit));
  }

  /// What stands somewhere in the claim and may be missing elsewhere: factors that are no plain names, indices, arguments.
  void look(const Expression& e) {
    const bool joins = e->kind == SyntaxKind::matmul || e->kind == SyntaxKind::multiply || e->kind == SyntaxKind::divide;
    for (std::size_t k = 0; k < e->args.size(); ++k) {
      const Expression& a = e->args[k];
      if (joins && k == 1 && a->kind == SyntaxKind::call && a->args.size() == 1 && small(a->args[0]) && !expr::contains(factors_, a)) factors_.push_back(a);
      look(a);
    }
    if (e->kind == SyntaxKind::comprehension) indices_.insert(e->name);
    if (e->kind == SyntaxKind::call) {
      auto& longest = calls_[e->name];
      if (!longest || longest->args.size() < e->args.size()) longest = e;
    }
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
    keep(std::move(edit));
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
        out.push_back({node(SyntaxKind::multiply, e->args), "multiplied instead of added", 5});
        out.push_back({e->args[0], "a term left out", 4});
        out.push_back({e->args[1], "a term left out", 4});
        break;
      case SyntaxKind::subtract:
        out.push_back({node(SyntaxKind::add, e->args), "a sign changed", 1});
        out.push_back({node(SyntaxKind::subtract, {e->args[1], e->args[0]}), "a difference turned round", 1});
        out.push_back({e->args[0], "a term left out", 4});
        out.push_back({node(SyntaxKind::negate, {e->args[1]}), "a term left out", 4});
        break;
      case SyntaxKind::multiply:
        for (const std::size_t k : {0U, 1U}) {
          if (e->args[k]->kind == SyntaxKind::number) out.push_back({e->args[1 - k], "a scale factor left out", 2});
        }
        out.push_back({node(SyntaxKind::divide, e->args), "divided instead of multiplied", 1});
        out.push_back({node(SyntaxKind::add, e->args), "added instead of multiplied", 5});
        break;
      case SyntaxKind::divide:
        out.push_back({node(SyntaxKind::multiply, e->args), "multiplied instead of divided", 1});
        if (e->args[1]->kind == SyntaxKind::number) out.push_back({e->args[0], "a scale factor left out", 2});
        break;
      case SyntaxKind::transpose: out.push_back({e->args[0], "a transpose removed", 1}); break;
      case SyntaxKind::power: power(e, out); break;
      case SyntaxKind::call: call(e, out); break;
      case SyntaxKind::name: name(e, out); break;
      case SyntaxKind::index: index(e, out); break;
      case SyntaxKind::number: another_number(e, out); break;
      default: break;
    }
    if (inverts_ && (shape_of(e) != nullptr || e->kind == SyntaxKind::add)) out.push_back({node(SyntaxKind::call, {e}, "inv"), "an inverse added", 3});
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

  static void another_number(const Expression& e, Changes& out) {
    if (!e->value.is_integer()) return;
    const std::int64_t n = e->value.num();
    for (const std::int64_t other : {n + 1, n - 1, 2 * n}) {
      if (other != n && other != 0) out.push_back({number(other), "another number", 3});
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
    static constexpr std::pair<const char*, const char*> pairs[] = {{"rowsum", "colsum"},   {"rowmax", "colmax"},       {"rowmin", "colmin"},     {"rowmean", "colmean"}, {"vstack", "concat"}, {"rowsum", "mean"}, {"sigmoid", "tanh"},
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
    if (e->name == "inv") out.push_back({e->args[0], "an inverse removed", 3});
    if (e->args.size() == 1) argument(e, out);
    if (e->args.size() == 2 && (e->name == "layernorm" || e->name == "rmsnorm")) {  // PyTorch's norms have an epsilon, asked for or not
      auto copy = std::make_shared<expr::Syntax>(*e);
      copy->args.pop_back();
      out.push_back({copy, "no epsilon", 1});
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

  /// tanh(x) for tanh(2*x), sigmoid(x) for sigmoid(-x), softmax(S) for softmax(S / sqrt(d)).
  void argument(const Expression& e, Changes& out) const {
    static const std::set<std::string> scaled = {"sigmoid", "tanh", "exp", "log", "softplus", "relu", "gelu", "silu", "elu", "abs", "softmax", "softmax1", "log_softmax", "lse", "sin", "cos", "normal_cdf"};
    if (scaled.count(e->name) == 0) return;
    const Expression& x = e->args[0];
    const Expression turned = x->kind == SyntaxKind::negate ? x->args[0] : node(SyntaxKind::negate, {x});
    out.push_back({with_argument(e, 0, turned), "a sign changed", 2});
    std::vector<Expression> factors{number(2)};
    for (const std::string& d : problem_.dimensions) factors.push_back(node(SyntaxKind::call, {named(d)}, "sqrt"));
    for (const auto& v : problem_.variables) {
      if (v.shape.empty()) factors.push_back(named(v.name));
    }
    for (const Expression& f : factors) {
      out.push_back({with_argument(e, 0, node(SyntaxKind::multiply, {f, x})), "a scale factor", 3});
      out.push_back({with_argument(e, 0, node(SyntaxKind::divide, {x, f})), "a scale factor", 3});
    }
  }

  /// The largest of each column instead of each row, and so with sums and means.
  static void other_axis(const Expression& e, Changes& out) {
    static const std::map<std::string, std::string> others = {{"rowsum", "colsum"}, {"rowmax", "colmax"}, {"rowmin", "colmin"}, {"rowmean", "colmean"}, {"colsum", "rowsum"}, {"colmax", "rowmax"}, {"colmin", "rowmin"}, {"colmean", "rowmean"}};
    if (e->kind != SyntaxKind::call) return;
    if (const auto other = others.find(e->name); other != others.end()) {
      auto copy = std::make_shared<expr::Syntax>(*e);
      copy->name = other->second;
      out.push_back({copy, "along the other axis", 1});
    } else if (e->name == "max" || e->name == "min" || e->name == "mean") {
      axis(e, out);
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
    for (const auto& v : problem_.variables) {
      if (v.shape.size() != 2 || v.shape[0] != v.shape[1] || !mentions(other, v.name)) continue;
      const Expression m = named(v.name);
      for (const Expression& f : {m, transposed(m)}) {
        out.push_back({node(SyntaxKind::matmul, {f, side}), "one more factor", 3});
        out.push_back({node(SyntaxKind::matmul, {side, f}), "one more factor", 3});
      }
    }
    const auto shape = [&](const Expression& e) { return shape_of(e); };
    for (const Completed& complete : completed(side, other, shape)) out.push_back({complete.side, "the missing terms", complete.terms > 2 ? 7 : 3});
  }
  static void constants(const Expression& e, std::vector<Expression>& out) {
    const bool root = e->kind == SyntaxKind::call && e->name == "sqrt" && e->args.size() == 1 && e->args[0]->kind == SyntaxKind::number;
    if ((root || (e->kind == SyntaxKind::number && e->value.is_integer() && e->value.num() > 1)) && !expr::contains(out, e)) out.push_back(e);
    if (root) return;
    for (const auto& a : e->args) constants(a, out);
  }

  const expr::Claim& claim_;
  const infer::Problem& problem_;
  std::vector<Expression> factors_;
  std::set<std::string> indices_;
  std::map<std::string, Expression> calls_;  ///< the longest call of each function
  bool inverts_ = false;                     ///< the claim holds an inverse
  std::vector<std::string> lacking_;         ///< functions that only the other side applies
  std::vector<Edit> found_;
};

}  // namespace

std::vector<Edit> edits(const expr::Claim& claim, const infer::Problem& problem) { return Editor(claim, problem).run(); }

}  // namespace foldproof::repair
