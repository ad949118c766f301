// SPDX-License-Identifier: MIT
#include "repair/changes.hpp"

#include <algorithm>
#include <iterator>
#include <optional>

#include "repair/missing_terms.hpp"
#include "repair/places.hpp"

namespace foldproof::repair {
namespace {

using expr::Expression;
using expr::mentions;
using expr::node;
using expr::SyntaxKind;
using expr::transposed;

bool small(const Expression& e) {
  return e->kind == SyntaxKind::name || e->kind == SyntaxKind::number || (e->kind == SyntaxKind::multiply && small(e->args[0]) && small(e->args[1]));
}

/// What stands somewhere in the claim and may be missing elsewhere: factors that are no plain names, indices, arguments.
void look(const Expression& e, Surroundings& into) {
  const bool joins = e->kind == SyntaxKind::matmul || e->kind == SyntaxKind::multiply || e->kind == SyntaxKind::divide;
  for (std::size_t k = 0; k < e->args.size(); ++k) {
    const Expression& a = e->args[k];
    if (joins && k == 1 && a->kind == SyntaxKind::call && a->args.size() == 1 && small(a->args[0]) && !expr::contains(into.factors, a)) into.factors.push_back(a);
    look(a, into);
  }
  if (e->kind == SyntaxKind::comprehension) into.indices.insert(e->name);
  for (const auto& s : e->subscripts) {
    if (!s.slice && s.start && s.start->kind != SyntaxKind::number && s.start->kind != SyntaxKind::name && !expr::contains(into.computed, s.start)) into.computed.push_back(s.start);
  }
  if (e->kind == SyntaxKind::call) {
    auto& longest = into.calls[e->name];
    if (!longest || longest->args.size() < e->args.size()) longest = e;
  }
}
/// Functions of one number that e applies.
std::set<std::string> functions(const Expression& e) {
  static const std::set<std::string> entrywise = {"relu", "gelu", "silu", "sigmoid", "tanh", "exp", "log", "sqrt", "abs"};
  std::set<std::string> found;
  if (e->kind == SyntaxKind::call && entrywise.count(e->name)) found.insert(e->name);
  for (const auto& a : e->args) found.merge(functions(a));
  return found;
}

class Places {
 public:
  Places(const Surroundings& around, const Lacking& lacking) : around_(around), lacking_(lacking) {}

  /// Of an equation.
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
        for (const auto& v : around_.problem.variables) {
          if (v.shape.empty() && !(e->args[1]->kind == SyntaxKind::name && e->args[1]->name == v.name)) out.push_back({node(SyntaxKind::divide, {e, named(v.name)}), "a scale factor", 3});
        }
        break;
      case SyntaxKind::transpose: out.push_back({e->args[0], "a transpose removed", 1}); break;
      case SyntaxKind::power: power(e, out); break;
      case SyntaxKind::call: call(e, out); break;
      case SyntaxKind::name: name(e, out); break;
      case SyntaxKind::index: index(e, out); break;
      case SyntaxKind::number: another_number(e, out); break;
      default: break;
    }
    if (around_.inverts && (shape_of(e) != nullptr || e->kind == SyntaxKind::add)) out.push_back({node(SyntaxKind::call, {e}, "inv"), "an inverse added", 3});
    if (e->kind == SyntaxKind::matmul || e->kind == SyntaxKind::name) wrap(e, out);
    const bool may_turn = e->kind == SyntaxKind::name ? (shape_of(e) != nullptr ? shape_of(e)->size() == 2 : is_defined(e)) : e->kind == SyntaxKind::call || e->kind == SyntaxKind::matmul;
    if (may_turn) out.push_back({transposed(e), "a transpose added", 2});
  }

  /// Of a bound: signs, functions, numbers. What leaves a term out or adds one is another bound.
  void of_bound(const Expression& e, Changes& out) const {
    other_axis(e, out);
    if (!has_data(e, around_.problem)) return;
    const bool sum = (e->kind == SyntaxKind::add || e->kind == SyntaxKind::subtract) && has_data(e->args[1], around_.problem);
    if (sum && e->kind == SyntaxKind::add) out.push_back({node(SyntaxKind::subtract, e->args), "a sign changed", 1});
    if (sum && e->kind == SyntaxKind::subtract) out.push_back({node(SyntaxKind::add, e->args), "a sign changed", 1});
    if (e->kind == SyntaxKind::power) out.push_back({e->args[0], "an exponent left out", 3});
    if (e->kind == SyntaxKind::matmul || e->kind == SyntaxKind::name) wrap(e, out);
    if (expr::is_call(e, "mean")) out.push_back({renamed(e, "max"), another_function, 2});  // no mean bounds what a maximum does
  }
  /// Terms and scale factors that a whole side lacks.
  void whole_side(const Expression& side, const Expression& other, Changes& out) const {
    for (const auto& v : around_.problem.variables) {
      if (!mentions(side, v.name) && mentions(other, v.name)) out.push_back({node(SyntaxKind::add, {side, named(v.name)}), "one more term", 1});
    }
    std::vector<Expression> factors;
    for (const auto& v : around_.problem.variables) {
      if (v.shape.empty()) factors.insert(factors.end(), {named(v.name), node(SyntaxKind::power, {named(v.name), number(2)})});
    }
    for (const std::string& d : around_.problem.dimensions) factors.insert(factors.end(), {named(d), node(SyntaxKind::call, {named(d)}, "sqrt")});
    factors.push_back(number(2));
    constants(around_.claim.lhs, factors);
    constants(around_.claim.rhs, factors);
    for (const Expression& f : factors) {
      out.push_back({node(SyntaxKind::multiply, {f, side}), "a scale factor", 2});
      out.push_back({node(SyntaxKind::divide, {side, f}), "a scale factor", 2});
    }
    for (const auto& v : around_.problem.variables) {
      if (v.shape.size() != 2 || v.shape[0] != v.shape[1] || !mentions(other, v.name)) continue;
      const Expression m = named(v.name);
      for (const Expression& f : {m, transposed(m)}) {
        out.push_back({node(SyntaxKind::matmul, {f, side}), one_more_factor, 3});
        out.push_back({node(SyntaxKind::matmul, {side, f}), one_more_factor, 3});
      }
    }
    const auto shape = [&](const Expression& e) { return shape_of(e); };
    for (const Completed& complete : completed(side, other, shape)) out.push_back({complete.side, missing_terms, complete.terms > 2 ? 7 : 3});
  }

  /// One slip in several places: a softmax written out along the wrong axis, the weights a and 1 - a exchanged.
  static void throughout(const Expression& e, Changes& out) {
    static constexpr std::pair<Slip*, const char*> slips[] = {{axis_of_call, "along the other axis, in each place"}, {each_row, "for each row, in each place"}, {each_repeated, "another function, in each place"}};
    for (const auto& [slip, words] : slips) {
      int places = 0;
      const Expression everywhere = in_each_place(e, *slip, places);
      if (places > 1) out.push_back({everywhere, words, 2});
    }
    std::set<std::string> weights;
    complements(e, weights);
    for (const std::string& w : weights) out.push_back({with_complement(e, w), "weights exchanged", 1});
  }

 private:
  using Slip = void(const Expression&, Changes&);  ///< adds one change of what it concerns
  static Expression in_each_place(const Expression& e, Slip& slip, int& places) {
    auto copy = std::make_shared<expr::Syntax>(*e);
    for (auto& a : copy->args) a = in_each_place(a, slip, places);
    Changes here;
    slip(copy, here);
    places += here.empty() ? 0 : 1;
    return here.empty() ? copy : here[0].to;
  }
  static bool is_complement(const Expression& e) { return e->kind == SyntaxKind::subtract && expr::is_number(e->args[0], 1) && e->args[1]->kind == SyntaxKind::name; }
  static void complements(const Expression& e, std::set<std::string>& out) {
    if (is_complement(e)) out.insert(e->args[1]->name);
    for (const auto& a : e->args) complements(a, out);
  }
  /// e with 1 - w for w, and w for 1 - w.
  static Expression with_complement(const Expression& e, const std::string& w) {
    return expr::changed(e, [&](const Expression& part) -> Expression {
      if (is_complement(part) && part->args[1]->name == w) return part->args[1];
      return part->kind == SyntaxKind::name && part->name == w ? node(SyntaxKind::subtract, {number(1), part}) : nullptr;
    });
  }
  void wrap(const Expression& e, Changes& out) const {
    for (const std::string& f : lacking_) out.push_back({node(SyntaxKind::call, {e}, f), "a function applied here too", 2});
  }
  const expr::Shape* shape_of(const Expression& e) const {
    if (e->kind != SyntaxKind::name) return nullptr;
    for (const auto& v : around_.problem.variables) {
      if (v.name == e->name) return &v.shape;
    }
    return nullptr;
  }
  bool is_defined(const Expression& e) const {
    return std::any_of(around_.claim.definitions.begin(), around_.claim.definitions.end(), [&](const auto& d) { return d.name == e->name; });
  }
  bool is_size(const Expression& e) const {
    return e->kind == SyntaxKind::name && std::find(around_.problem.dimensions.begin(), around_.problem.dimensions.end(), e->name) != around_.problem.dimensions.end();
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
      const bool long_way = (left ? b : a)->kind == SyntaxKind::matmul;  // E @ (E @ W).T where E @ W.T @ E.T is meant
      out.push_back({node(SyntaxKind::matmul, {transposed(b), transposed(a)}), order, long_way ? 3 : 1});
      out.push_back({node(SyntaxKind::matmul, {transposed(a), transposed(b)}), "the transpose on the other factor", 1});
    } else if (left) {
      out.push_back({node(SyntaxKind::matmul, {transposed(a), transposed(b)}), "both transposes removed", 2});
    }
  }

  void another_number(const Expression& e, Changes& out) const {
    if (!e->value.is_integer()) return;
    if (e->value.is_one()) {
      for (const std::string& d : around_.problem.dimensions) out.push_back({node(SyntaxKind::call, {named(d)}, "eye"), "the identity instead of 1", 2});
    }
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

  static bool is_new_axis(const expr::Subscript& s) { return !s.slice && s.start && s.start->kind == SyntaxKind::name && s.start->name == "None"; }
  /// g[:, None], a column, or g[None, :]
  static Expression along_axis(const Expression& vector, bool column) {
    expr::Subscript all, added;
    all.slice = true;
    added.start = named("None");
    auto e = std::make_shared<expr::Syntax>(*node(SyntaxKind::index, {vector}));
    e->subscripts = column ? std::vector<expr::Subscript>{all, added} : std::vector<expr::Subscript>{added, all};
    return e;
  }

  /// W[0] instead of W[i], K[i%h] instead of K[i//g].
  void index(const Expression& e, Changes& out) const {
    if (e->subscripts.size() == 2 && is_new_axis(e->subscripts[0]) != is_new_axis(e->subscripts[1])) {
      const bool row = is_new_axis(e->subscripts[0]);
      out.push_back({along_axis(e->args[0], row), row ? "a column instead of a row" : "a row instead of a column", 1});
    }
    for (std::size_t k = 0; k < e->subscripts.size(); ++k) {
      if (e->subscripts[k].slice || !e->subscripts[k].start) continue;
      const Expression& start = e->subscripts[k].start;
      std::vector<Expression> others;
      for (const std::string& i : around_.indices) others.push_back(named(i));
      if (start->kind != SyntaxKind::number) others = around_.computed;
      for (const Expression& other : others) {
        if (expr::same(other, start)) continue;
        auto copy = std::make_shared<expr::Syntax>(*e);
        copy->subscripts[k].start = other;
        out.push_back({copy, "another index", 1});
      }
    }
  }

  void call(const Expression& e, Changes& out) const {
    static constexpr std::pair<const char*, const char*> pairs[] = {{"rowsum", "colsum"},   {"rowmax", "colmax"},       {"rowmin", "colmin"},     {"rowmean", "colmean"}, {"vstack", "concat"}, {"rowsum", "mean"}, {"sigmoid", "tanh"},
                                                                    {"tril", "triu"},       {"rope", "rope_half"},      {"softmax1", "softmax"}, {"layernorm", "rmsnorm"}, {"max", "lse"}};
    for (const auto& [one, other] : pairs) {
      if (e->name == one) out.push_back({renamed(e, other), another_function, 2});
      if (e->name == other) out.push_back({renamed(e, one), another_function, 2});
    }
    if (e->name == "inv") out.push_back({e->args[0], "an inverse removed", 3});
    if (e->args.size() == 1) argument(e, out);
    if (e->args.size() == 2 && (e->name == "layernorm" || e->name == "rmsnorm")) {  // PyTorch's norms have an epsilon, asked for or not
      auto copy = std::make_shared<expr::Syntax>(*e);
      copy->args.pop_back();
      out.push_back({copy, "no epsilon", 1});
    }
    if (adds_up(e) && e->args[0]->kind == SyntaxKind::power) out.push_back({with_argument(e->args[0], 0, with_argument(e, 0, e->args[0]->args[0])), "an exponent outside of the function", 2});
    const Expression& longest = around_.calls.at(e->name);
    if (e->args.size() + 1 == longest->args.size() && e->args.size() > 1 && (e->name == "rope" || e->name == "rope_half" || e->name == "sinus")) {
      auto copy = std::make_shared<expr::Syntax>(*e);
      copy->args.push_back(longest->args.back());
      out.push_back({copy, "one more argument", 1});
    }
    if (e->args.size() == 2 && (e->name == "rope" || e->name == "rope_half")) {  // rows that follow others
      for (const std::string& d : around_.problem.dimensions) out.push_back({node(SyntaxKind::call, {e->args[0], e->args[1], named(d)}, e->name), "a position", 2});
    }
    for (std::size_t k = 1; k < e->args.size(); ++k) {
      if (shape_of(e->args[k]) != nullptr) out.push_back({with_argument(e, k, node(SyntaxKind::negate, {e->args[k]})), "a sign changed", 1});
    }
    if (e->name == "tril" || e->name == "triu") diagonal(e, out);
    if (e->name == "zeros" && around_.calls.count("softmax")) out.push_back({node(SyntaxKind::call, {e}, "neginf"), "minus infinity instead of zero", 2});
    if (e->name == "where" && e->args.size() == 3) out.push_back({node(SyntaxKind::call, {e->args[0], e->args[2], e->args[1]}, "where"), "the mask inverted", 1});
    if (e->name == "neginf") out.push_back({with_argument(e, 0, node(SyntaxKind::subtract, {number(1), e->args[0]})), "the mask inverted", 2});
    each_repeated(e, out);
    if (e->name == "sum" && e->args.size() == 1 && e->keywords.empty()) out.push_back({renamed(e, "rowsum"), "for each row", 4});
    each_row(e, out);
    if (e->name == "kron" && e->args.size() == 2) {
      out.push_back({node(SyntaxKind::call, {e->args[1], e->args[0]}, "kron"), "factors in the other order", 1});
      out.push_back({node(SyntaxKind::call, {transposed(e->args[1]), e->args[0]}, "kron"), "factors in the other order", 2});
    }
    if (e->name == "det") out.push_back({node(SyntaxKind::call, {e}, "abs"), "a sign that does not matter", 1});
    if ((e->name == "rmsnorm" || e->name == "layernorm" || e->name == "rms") && e->args.size() == 2) epsilon(e, out);
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
    axis_of_call(e, out);
    if (e->name != "concat" && e->name != "vstack") return;
    for (std::size_t k = 0; k + 1 < e->args.size(); ++k) {
      auto copy = std::make_shared<expr::Syntax>(*e);
      std::swap(copy->args[k], copy->args[k + 1]);
      out.push_back({copy, "blocks in the other order", 1});
    }
  }

  /// np.sum(x, axis=-1, keepdims=True) for np.sum(x), which adds up everything.
  static void each_row(const Expression& e, Changes& out) {
    const auto all = std::find_if(e->keywords.begin(), e->keywords.end(), [](const auto& k) { return names_axis(k) && k.second->kind == SyntaxKind::name && k.second->name == "None"; });
    if (all == e->keywords.end()) return;
    auto copy = std::make_shared<expr::Syntax>(*e);
    for (auto& [key, value] : copy->keywords) value = key == "keepdims" ? named("True") : key == all->first ? node(SyntaxKind::negate, {number(1)}) : value;
    out.push_back({copy, "for each row", 1});
  }

  /// repeat(x, 2, axis=0), which is x[0], x[0], x[1], x[1], for tile(x, (2, 1, 1)), which is x[0], x[1], x[0], x[1].
  static void each_repeated(const Expression& e, Changes& out) {
    if (!expr::is_call(e, "tile") || e->args.size() != 2 || e->args[1]->kind != SyntaxKind::list) return;
    const auto& times = e->args[1]->args;
    const auto once = [](const Expression& n) { return expr::is_number(n, 1); };
    const auto many = std::find_if_not(times.begin(), times.end(), once);
    if (many == times.end() || !std::all_of(many + 1, times.end(), once)) return;
    auto repeated = std::make_shared<expr::Syntax>(*e);
    repeated->name = "repeat";
    repeated->args[1] = *many;
    repeated->keywords.emplace_back("axis", number(many - times.begin()));
    out.push_back({repeated, another_function, 2});
  }

  static void diagonal(const Expression& e, Changes& out) {
    const Expression strict = e->name == "tril" ? node(SyntaxKind::negate, {number(1)}) : number(1);
    if (e->args.size() == 1) out.push_back({node(SyntaxKind::call, {e->args[0], strict}, e->name), "without the diagonal", 1});
    if (e->args.size() == 2) out.push_back({node(SyntaxKind::call, {e->args[0]}, e->name), "with the diagonal", 1});
  }

  /// An epsilon in the units of what is normalized: rmsnorm(c * X, c**2 * e).
  void epsilon(const Expression& e, Changes& out) const {
    for (const auto& v : around_.problem.variables) {
      if (!v.shape.empty() || mentions(e->args[1], v.name)) continue;
      const Expression square = node(SyntaxKind::power, {named(v.name), number(2)});
      out.push_back({with_argument(e, 1, node(SyntaxKind::multiply, {square, e->args[1]})), "a scale factor", 2});
      out.push_back({with_argument(e, 1, node(SyntaxKind::divide, {e->args[1], square})), "a scale factor", 2});
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
    for (const std::string& d : around_.problem.dimensions) factors.push_back(node(SyntaxKind::call, {named(d)}, "sqrt"));
    for (const auto& v : around_.problem.variables) {
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
      out.push_back({renamed(e, other->second), along_the_other_axis, 1});
    } else if (e->name == "max" || e->name == "min" || e->name == "mean") {
      axis(e, out);
    }
  }
  static void axis_of_call(const Expression& e, Changes& out) {
    static const std::set<std::string> along = {"softmax", "sum", "mean", "max", "min", "lse", "log_softmax", "flip", "cumsum"};
    if (e->kind == SyntaxKind::call && along.count(e->name) > 0) axis(e, out);
  }
  static bool names_axis(const std::pair<std::string, Expression>& keyword) { return keyword.first == "axis" || keyword.first == "dim"; }
  static void axis(const Expression& e, Changes& out) {
    auto copy = std::make_shared<expr::Syntax>(*e);
    const auto given = std::find_if(copy->keywords.begin(), copy->keywords.end(), names_axis);
    const bool down = given != copy->keywords.end() && expr::is_number(given->second, 0);
    if (given == copy->keywords.end()) {
      copy->keywords.emplace_back("axis", number(0));
    } else {
      given->second = number(down ? 1 : 0);
    }
    const bool weights = e->name == "softmax" || e->name == "log_softmax" || e->name == "lse";  // of queries over keys: hardly ever down the columns
    out.push_back({copy, along_the_other_axis, weights && !down ? 2 : 1});
  }

  /// One more factor beside a matrix, a power of a scalar, another size.
  void name(const Expression& e, Changes& out) const {
    if (is_size(e)) {
      for (const std::string& other : around_.problem.dimensions) {
        if (other != e->name) out.push_back({named(other), "another size", 2});
      }
      return;
    }
    const expr::Shape* shape = shape_of(e);
    if (shape == nullptr) return;
    if (shape->empty()) {
      out.push_back({node(SyntaxKind::power, {e, number(2)}), "a power", 4});
      out.push_back({node(SyntaxKind::power, {e, number(3)}), "a power", 4});
      out.push_back({node(SyntaxKind::call, {e}, "abs"), "a sign that does not matter", 2});
      return;
    }
    if (shape->size() == 1) out.push_back({along_axis(e, true), "a column instead of a row", 2});
    if (shape->size() == 1 || (shape->size() == 2 && (shape->front().is_one() || shape->back().is_one()))) out.push_back({node(SyntaxKind::power, {e, number(2)}), "a power", 5});
    if (shape->size() == 3) {
      out.push_back({node(SyntaxKind::call, {e, number(1), number(0), number(2)}, "transpose"), "axes exchanged", 2});
      out.push_back({node(SyntaxKind::call, {e, number(0), number(2), number(1)}, "transpose"), "axes exchanged", 2});
    }
    for (const Expression& f : around_.factors) {
      out.push_back({node(SyntaxKind::matmul, {e, f}), one_more_factor, 2});
      out.push_back({node(SyntaxKind::multiply, {f, e}), one_more_factor, 2});
      out.push_back({node(SyntaxKind::divide, {e, f}), one_more_factor, 2});
    }
    for (const std::string& d : around_.problem.dimensions) out.push_back({node(SyntaxKind::divide, {e, named(d)}), "a scale factor", 3});
    for (const auto& v : around_.problem.variables) {
      if (v.name == e->name) continue;
      if (shape->size() == 1 && *shape == v.shape) out.push_back({node(SyntaxKind::multiply, {named(v.name), e}), one_more_factor, 3});
      if (v.shape.size() != 2) continue;
      if (*shape == v.shape && (shape->front().is_one() || shape->back().is_one())) out.push_back({node(SyntaxKind::multiply, {named(v.name), e}), one_more_factor, 3});
      if (shape->back() == v.shape[0]) out.push_back({node(SyntaxKind::matmul, {e, named(v.name)}), one_more_factor, 2});
      if (shape->size() == 2 && v.shape[1] == shape->front()) out.push_back({node(SyntaxKind::matmul, {named(v.name), e}), one_more_factor, 2});
    }
  }
  static void constants(const Expression& e, std::vector<Expression>& out) {
    const bool root = e->kind == SyntaxKind::call && e->name == "sqrt" && e->args.size() == 1 && e->args[0]->kind == SyntaxKind::number;
    if ((root || (e->kind == SyntaxKind::number && e->value.is_integer() && e->value.num() > 1)) && !expr::contains(out, e)) out.push_back(e);
    if (root) return;
    for (const auto& a : e->args) constants(a, out);
  }

  const Surroundings& around_;
  Lacking lacking_;
};

}  // namespace

Surroundings::Surroundings(const expr::Claim& of, const infer::Problem& what) : claim(of), problem(what) {
  look(claim.lhs, *this);
  look(claim.rhs, *this);
  for (const auto& d : claim.definitions) look(d.value, *this);
  inverts = calls.count("inv") > 0;
}

Lacking lacking(const Surroundings& around, const Expression& side, const Expression& other) {
  const auto has = functions(side), wanted = functions(other);
  if (around.claim.relation != expr::Relation::equal) return wanted.count("abs") > 0 ? Lacking{"abs"} : Lacking{};  // abs(X) @ W is no bound of abs(X @ W)
  Lacking found;
  std::set_difference(wanted.begin(), wanted.end(), has.begin(), has.end(), std::back_inserter(found));
  return found;
}

bool has_data(const Expression& e, const infer::Problem& problem) {
  return problem.ranks.empty() && std::any_of(problem.variables.begin(), problem.variables.end(), [&](const auto& v) { return mentions(e, v.name); });
}

void changes_here(const Surroundings& around, const Lacking& lacking, const Expression& e, Changes& out) { Places(around, lacking).one_place(e, out); }
void changes_of_bound_here(const Surroundings& around, const Lacking& lacking, const Expression& e, Changes& out) { Places(around, lacking).of_bound(e, out); }
void changes_of_side(const Surroundings& around, const Expression& side, const Expression& other, Changes& out) { Places(around, {}).whole_side(side, other, out); }
void changes_throughout(const Expression& e, Changes& out) { Places::throughout(e, out); }

}  // namespace foldproof::repair
