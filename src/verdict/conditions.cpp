// SPDX-License-Identifier: MIT
#include "verdict/conditions.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "expr/build.hpp"
#include "infer/is_operator.hpp"
#include "kernel/unfold.hpp"
#include "prove/prove.hpp"

namespace foldproof::verdict {
namespace {

using infer::is;
using infer::Term;
using infer::TermKind;
namespace ops = expr::ops;

enum class Need { nonzero, positive, nonnegative };

class Walker {
 public:
  Walker(const infer::Problem& problem, const expr::Claim& claim) : problem_(problem), claim_(claim), theory_(kernel::unfold(without_sides(problem))) {}

  Conditions run(std::vector<std::string> known) {
    found_.sentences = std::move(known);
    visit(problem_.lhs);
    visit(problem_.rhs);
    return std::move(found_);
  }

 private:
  /// What is assumed. The sides of a claim that was proved part by part may have no index notation of their own.
  static infer::Problem without_sides(infer::Problem problem) {
    auto zero = std::make_shared<infer::TermNode>();
    zero->kind = TermKind::number;
    problem.lhs = problem.rhs = zero;
    return problem;
  }
  std::string words(const Term& t) const {
    return t->kind == TermKind::variable ? t->name : quoted(*t, claim_, "the operand");
  }
  void say(const std::string& sentence) {
    auto& said = found_.sentences;
    if (std::find(said.begin(), said.end(), sentence) == said.end()) said.push_back(sentence);
  }

  /// Whether every entry is known to be as needed, by the kernel's own rules of sign.
  bool known(const Term& t, Need need) {
    try {
      kernel::Arena& arena = theory_->arena;
      std::vector<kernel::Index> at;
      for (const auto& size : t->shape) at.push_back(kernel::Index::symbol(arena.fresh(arena.index(size, {}))));
      std::map<std::string, kernel::Index> bound;
      for (const Term& s : stacks_) bound[s->name] = kernel::Index::symbol(arena.fresh(arena.index(s->size, {})));
      const kernel::Poly p = kernel::unfold_entry(*theory_, t, at, bound);
      if (need == Need::nonnegative) return arena.is_nonnegative(p) || is_never_negative(t);
      if (arena.is_positive(p) || (need == Need::nonzero && arena.is_positive(arena.scale(p, -1)))) return true;
      if (need != Need::nonzero || p.size() != 1 || !p[0].variables.empty()) return false;
      return std::all_of(p[0].factors.begin(), p[0].factors.end(), [&](const kernel::Factor& f) {
        const auto& a = arena.atom(f.atom);
        return arena.is_positive(f.atom) || (a.kind == kernel::AtomKind::entry && arena.tensor(a.name).nonzero);
      });
    } catch (const std::exception&) {
      return false;  // too large to look at: say the condition
    }
  }
  /// Whether that has a proof, such as of a sum of squares. Not asked of what varies over heads.
  bool is_never_negative(const Term& t) const {
    infer::Problem sign = without_sides(problem_);
    sign.relation = expr::Relation::less_equal;
    sign.rhs = t;
    return stacks_.empty() && prove::prove_shortly(sign, prove::few_steps).certificate.has_value();
  }
  /// `in` is what asks for it. Inside of a function of a library all terms stand where the function is called.
  void need(const Term& t, Need need, const Term& in) {
    if (known(t, need)) return;
    const bool is_written = t->kind == TermKind::variable || t->span.begin != in->span.begin || t->span.end != in->span.end;
    const char* role = is<ops::Divide>(in) ? "a divisor in " : is<ops::Log>(in) ? "the argument of a logarithm in " : is<ops::Sqrt, ops::Rsqrt>(in) ? "the argument of a root in " : "the base of a power in ";
    say((is_written ? words(t) : role + words(in)) + (need == Need::nonzero ? " has no zero entry" : need == Need::positive ? " is positive" : " is not negative"));
  }

  void visit(const Term& t) {
    if (!seen_.insert(t.get()).second) return;
    if (t->kind == TermKind::stack) stacks_.push_back(t);
    for (const Term& a : t->args) visit(a);
    if (t->kind == TermKind::stack) stacks_.pop_back();
    if (t->kind != TermKind::apply) return;
    if (is<ops::Divide>(t)) need(t->args[1], Need::nonzero, t);
    if (is<ops::Log>(t)) need(t->args[0], Need::positive, t);
    if (is<ops::Sqrt>(t)) need(t->args[0], Need::nonnegative, t);
    if (is<ops::Rsqrt>(t)) need(t->args[0], Need::positive, t);
    if (is<ops::Power>(t)) power(t);
    if (is<ops::Inverse>(t)) invertible(t);
    if (is<ops::Subscripts>(t)) inside(t);
    made(t);
    if (is<ops::OneHot>(t)) say("the token numbers " + words(t->args[0]) + " lie in the vocabulary");
    if (is<ops::Take>(t)) say("the token numbers " + words(t->args[1]) + " name " + (t->call.axis == 0 ? "rows" : "columns") + " of " + words(t->args[0]));
    norms(t);
    masked(t);
    if (is<ops::Multiply>(t)) {
      for (const std::size_t k : {0u, 1u}) {
        const Term &infinite = t->args[k], &other = t->args[1 - k];
        if (may_be_infinite(infinite) && !known(other, Need::positive)) say("no entry of " + words(other) + " is 0 or negative where " + words(infinite) + " is -inf");
      }
    }
    if (is<ops::Subtract>(t) && may_be_infinite(t->args[1])) say("no -inf of " + words(t->args[1]) + " is subtracted");
    if (is<ops::Add>(t) && may_be_infinite(t->args[0]) && may_be_infinite(t->args[1]) && (turns_infinite(t->args[0]) || turns_infinite(t->args[1]))) {
      say("no inf of " + words(t->args[turns_infinite(t->args[0]) ? 0 : 1]) + " meets -inf");
    }
    if (may_be_infinite(t) && !survives(t)) say("no -inf reaches " + words(t));
    if (is<ops::Matmul>(t)) {
      for (const std::size_t k : {0u, 1u}) {
        if (may_be_infinite(t->args[k]) && !known(t->args[1 - k], Need::positive)) say("no entry of " + words(t->args[1 - k]) + " is 0 where it meets -inf of " + words(t->args[k]) + ", and no inf meets -inf in a sum");
      }
    }
  }
  /// Whether minus infinity, or what is made of it, may stand in an entry of this term.
  bool may_be_infinite(const Term& t) {
    if (const auto known = infinite_.find(t.get()); known != infinite_.end()) return known->second;
    const bool vanishes = is<ops::Exp, ops::Exp2, ops::Softmax, ops::SoftmaxColumns, ops::Softmax1, ops::Sigmoid, ops::Relu, ops::Softplus, ops::Tanh, ops::LogSumExp>(t);
    const bool may = is<ops::Causal, ops::NegInf>(t) || (!vanishes && std::any_of(t->args.begin(), t->args.end(), [this](const Term& a) { return may_be_infinite(a); }));
    infinite_[t.get()] = may;
    return may;
  }
  /// Whether entries are moved, added up or compared, which minus infinity survives, or the conditions are said elsewhere.
  static bool survives(const Term& t) {
    return t->kind != TermKind::apply || is<ops::Add, ops::Subtract, ops::Negate, ops::Multiply, ops::Divide, ops::Matmul>(t) ||
           is<ops::Transpose, ops::Permute, ops::Reshape, ops::Subscripts, ops::Stride, ops::Concat, ops::Vstack, ops::Stack, ops::JoinLast, ops::JoinFirst, ops::SumHeads, ops::BlockDiagonal, ops::BlockDiagonalHeads>(t) ||
           is<ops::Flip, ops::FlipAxis, ops::Vec, ops::SumAll, ops::SumAxis, ops::RowSum, ops::ColSum, ops::Mean, ops::RowMean, ops::ColMean, ops::Max, ops::RowMax, ops::ColMax, ops::Min, ops::RowMin, ops::ColMin>(t) ||
           is<ops::Maximum, ops::Minimum, ops::Trace, ops::Tril, ops::Triu, ops::Diagonal, ops::Take, ops::Causal, ops::NegInf, ops::LogSoftmax>(t);
  }
  /// Whether minus infinity may reach this term as infinity.
  bool turns_infinite(const Term& t) {
    if (!may_be_infinite(t)) return false;
    if (!survives(t) || is<ops::Negate>(t) || (is<ops::Subtract>(t) && may_be_infinite(t->args[1]))) return true;
    const bool scaled = is<ops::Multiply>(t) || is<ops::Divide>(t);
    for (const std::size_t k : {0u, 1u}) {
      if (scaled && may_be_infinite(t->args[k]) && !known(t->args[1 - k], Need::positive)) return true;
    }
    return std::any_of(t->args.begin(), t->args.end(), [this](const Term& a) { return turns_infinite(a); });
  }
  /// What is made of sizes alone, as ones(n - 1), must have entries.
  void made(const Term& t) {
    if (t->kind != TermKind::apply || !t->args.empty() || !stacks_.empty()) return;
    kernel::Arena& arena = theory_->arena;
    const bool has_entries = std::all_of(t->shape.begin(), t->shape.end(), [&](const expr::Dim& size) { return arena.positive(arena.index(size, {})) || expr::mentions_rank(size); });
    if (!has_entries) say(words(t) + " has entries");
  }
  /// Subscripts must lie inside their axis for all sizes, or for those that the claim is about.
  void inside(const Term& t) {
    kernel::Arena& arena = theory_->arena;
    std::map<std::string, kernel::Index> bound;
    for (const Term& s : stacks_) bound[s->name] = kernel::Index::symbol(arena.fresh(arena.index(s->size, {})));
    const auto& sizes = t->call.sizes;
    for (std::size_t axis = 0; axis < t->call.operands[0].size(); ++axis) {
      const kernel::Index extent = arena.index(t->call.operands[0][axis], {});
      const kernel::Index start = arena.index(sizes[3 * axis + 1], bound);
      const bool slice = sizes[3 * axis].is_zero();
      const kernel::Index stop = slice ? arena.index(sizes[3 * axis + 2], bound) : start + kernel::Index(1);
      if (arena.nonnegative(start) && arena.nonnegative(extent - stop) && arena.positive(stop - start)) continue;
      say("the subscripts of " + words(t) + " lie inside it and select something");
      if (!found_.nowhere && lies_outside(t, axis)) found_.nowhere = "the subscripts of " + words(t) + " reach outside of it, or select nothing, at all sizes: Python refuses such a place and cuts such a slice off";
      return;
    }
  }
  /// Whether the subscripts along that axis do so for all sizes, at the first or the last indices of what the term stands in.
  bool lies_outside(const Term& t, std::size_t axis) {
    kernel::Arena& arena = theory_->arena;
    const auto& sizes = t->call.sizes;
    for (const bool last : {false, true}) {
      std::map<std::string, kernel::Index> bound;
      bool any = true;
      for (const Term& s : stacks_) {
        const kernel::Index length = arena.index(s->size, bound);
        any = any && arena.positive(length);
        bound[s->name] = last ? length - kernel::Index(1) : kernel::Index(0);
      }
      const kernel::Index extent = arena.index(t->call.operands[0][axis], bound), start = arena.index(sizes[3 * axis + 1], bound);
      const bool slice = sizes[3 * axis].is_zero();
      const kernel::Index stop = slice ? arena.index(sizes[3 * axis + 2], bound) : start + kernel::Index(1);
      if (any && (arena.positive(kernel::Index(0) - start) || arena.positive(stop - extent))) return true;
      if (any && slice && arena.nonnegative(start - stop) && (arena.positive(start - stop) || stacks_.empty() || !only_adds_up(stacks_.back()->args[0]))) return true;
    }
    return false;
  }
  /// Whether nothing else is said of an axis without places than that its sum is 0, as of x[:i].sum() at i == 0.
  static bool only_adds_up(const Term& t) {
    const bool adds = t->kind != TermKind::apply || is<ops::Add, ops::Subtract, ops::Negate, ops::Multiply, ops::Matmul, ops::SumAll, ops::SumAxis, ops::RowSum, ops::ColSum, ops::SumHeads, ops::Transpose, ops::Subscripts, ops::Reshape, ops::Ones, ops::Eye, ops::Tril, ops::Triu, ops::Arange, ops::Positions>(t);
    return adds && std::all_of(t->args.begin(), t->args.end(), only_adds_up);
  }
  void power(const Term& t) {
    const auto& q = t->call.exponent;
    if (!q.is_integer()) need(t->args[0], q.sign() < 0 ? Need::positive : Need::nonnegative, t);
    else if (q.sign() < 0) need(t->args[0], Need::nonzero, t);
  }
  void invertible(const Term& t) {
    for (const auto& fact : problem_.facts) {
      const bool implies = fact.predicate == "invertible" || fact.predicate == "orthogonal" || fact.predicate == "permutation";
      if (implies && fact.lhs->kind == TermKind::variable && t->args[0]->kind == TermKind::variable && fact.lhs->name == t->args[0]->name) return;
    }
    if (is<ops::Diag>(t->args[0])) {
      need(t->args[0]->args[0], Need::nonzero, t);
    } else {
      say(words(t->args[0]) + " is invertible");
    }
  }
  void norms(const Term& t) {
    const bool eps = t->args.size() > 1 && !(t->args[1]->kind == TermKind::number && t->args[1]->value.is_zero());
    if (is<ops::RmsNorm>(t) && !eps) say("no row of " + words(t->args[0]) + " is zero (eps = 0)");
    if (is<ops::LayerNorm>(t) && !eps) say("no row of " + words(t->args[0]) + " is constant (eps = 0)");
    if (is<ops::BatchNorm>(t) && !eps) say("no column of " + words(t->args[0]) + " is constant (eps = 0)");
    if (is<ops::L2Norm>(t)) say("no row of " + words(t->args[0]) + " is zero");
    if (is<ops::Dora>(t)) say("no column of " + words(t->args[0]) + " is zero");
    if ((is<ops::RmsNorm>(t) || is<ops::LayerNorm>(t) || is<ops::BatchNorm>(t)) && eps) need(t->args[1], Need::positive, t);
    clamped(t);
  }
  /// PyTorch divides by no norm below these unless it is told otherwise; the claim is about the function without that.
  void clamped(const Term& t) {
    const std::string text = quoted(*t, claim_, "");
    const bool library = t->span.begin > 0 && text.size() > 2 && claim_.source[t->span.begin - 1] == '.';
    const auto calls = [&](const char* name) { return library && text.starts_with(name) && text.find("eps") == std::string::npos; };
    if (is<ops::L2Norm, ops::Divide>(t) && calls("`normalize(")) say("no norm in " + text + " is below 1e-12, which PyTorch divides by instead");
    if (is<ops::Divide>(t) && calls("`cosine_similarity(")) say("no norm in " + text + " is below 1e-8, which PyTorch divides by instead");
    if (is<ops::RmsNorm>(t) && (calls("`rms_norm(") || calls("`RMSNorm`"))) say("eps = 0 in " + text + ", where PyTorch's default is the machine epsilon");
  }
  /// Whether each row allows the key of its own place: causal masks do, added to scores and in parts put side by side.
  bool allows_diagonal(const Term& t) {
    if (!may_be_infinite(t) || is<ops::Causal>(t)) return true;
    const auto parts = [&] { return std::all_of(t->args.begin(), t->args.end(), [this](const Term& a) { return allows_diagonal(a); }); };
    if (t->kind == TermKind::stack || is<ops::Add, ops::Multiply, ops::Divide, ops::Concat, ops::Vstack, ops::JoinFirst, ops::JoinLast, ops::Stack>(t)) return parts();
    if (is<ops::Transpose>(t)) return t->shape.size() == 2 && t->shape[0] == t->shape[1] && parts();
    if (!is<ops::Subscripts>(t)) return false;
    const std::size_t last = t->call.operands[0].size() - 1;  // (kind, start, stop): see expr/ops/structure.hpp
    return t->call.sizes[3 * last].is_zero() && t->call.sizes[3 * last + 1].is_zero() && t->call.sizes[3 * last + 2] == t->call.operands[0][last] && parts();
  }
  /// A softmax over nothing but forbidden keys has no value.
  void masked(const Term& t) {
    const bool divides = is<ops::Softmax, ops::SoftmaxColumns, ops::LogSoftmax, ops::LogSumExp>(t);
    if (divides && !allows_diagonal(t->args[0])) say("the mask allows at least one key in every row");
  }

  const infer::Problem& problem_;
  const expr::Claim& claim_;
  std::unique_ptr<kernel::Theory> theory_;
  std::vector<Term> stacks_;  ///< in whose parts the term stands, the outermost first
  std::set<const infer::TermNode*> seen_;
  std::map<const infer::TermNode*, bool> infinite_;
  Conditions found_;
};

}  // namespace

std::string quoted(const infer::TermNode& t, const expr::Claim& claim, const std::string& otherwise) {
  const bool written = t.span.begin < t.span.end && t.span.end <= claim.source.size();
  return written ? "`" + claim.source.substr(t.span.begin, t.span.end - t.span.begin) + "`" : otherwise;
}

namespace {

/// What the shapes ask of declared sizes, and no assumption says: d is 2*q where x[:, :d//2] + x[:, d//2:] has a value.
std::vector<std::string> asked_of_sizes(const infer::Problem& problem, const expr::Claim& claim) {
  std::vector<std::string> found;
  const auto is_assumed = [&](const std::string& size) {
    return std::any_of(claim.assumptions.begin(), claim.assumptions.end(), [&](const auto& a) { return a.relation == expr::Relation::equal && (expr::mentions(a.lhs, size) || expr::mentions(a.rhs, size)); });
  };
  for (const auto& d : claim.declarations) {
    const auto v = std::find_if(problem.variables.begin(), problem.variables.end(), [&](const auto& x) { return x.name == d.name && x.shape.size() == d.shape.size(); });
    for (std::size_t axis = 0; v != problem.variables.end() && axis < d.shape.size(); ++axis) {
      const auto size = d.shape[axis].as_symbol();
      if (!size || size->division || v->shape[axis] == d.shape[axis] || is_assumed(size->name)) continue;
      const std::string sentence = "`" + size->name + "` is " + expr::text(v->shape[axis]);
      if (std::find(found.begin(), found.end(), sentence) == found.end()) found.push_back(sentence);
    }
  }
  return found;
}

}  // namespace

Conditions conditions(const infer::Problem& problem, const expr::Claim& claim) { return Walker(problem, claim).run(asked_of_sizes(problem, claim)); }

}  // namespace foldproof::verdict
