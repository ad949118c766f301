// SPDX-License-Identifier: MIT
#include "infer/empty_sums.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <unordered_map>
#include <unordered_set>

#include "infer/is_operator.hpp"

namespace foldproof::infer {
namespace {

namespace ops = expr::ops;
using expr::Dim;

/// Whether the size is at least 0 for all sizes, which are at least 1, and all ranks, quotients and indices, which are at least 0.
bool is_nonnegative(const Dim& d, const std::vector<std::string>& sizes) {
  std::map<std::string, Dim> one_more;
  for (const std::string& name : sizes) {
    if (!expr::is_rank(name)) one_more.emplace(name, expr::dim(name) + Dim(1));
  }
  Dim shifted;
  for (const auto& m : d.summands()) {
    Dim product(m.coefficient);
    for (const auto& symbol : m.product) {
      const auto found = symbol.division ? one_more.end() : one_more.find(symbol.name);
      product = product * (found == one_more.end() ? Dim::symbol(symbol) : found->second);
    }
    shifted = shifted + product;
  }
  return std::all_of(shifted.summands().begin(), shifted.summands().end(), [](const auto& m) { return m.coefficient >= 0; });
}

class Axes {
 public:
  explicit Axes(const Problem& p) : problem_(p) {}

  void look_at(const Term& t) { missing(t); }
  void require_all(const Term& t) {
    if (const Known known = missing(t); known.missing != Missing::none) refuse(known.sum);
  }
  /// What slices there are in the claim, but in a sum without parts: it says nothing where they go beyond their axes.
  void note_slices(const Term& t) {
    const Dim* const count = summed_range(t);
    if (!noted_.insert(t.get()).second || (count != nullptr && may_be_empty(*count))) return;
    for_slices(t, [&](const Slice& s) { slices_.push_back(s); });
    for (const Term& a : t->args) note_slices(a);
  }
  /// NumPy cuts a slice off at the end of its axis, X[:2] of one row has one: such sizes are no others.
  void require_whole_slices(const Term& t) {
    if (!sliced_.insert(t.get()).second) return;
    for_slices(t, [&](const Slice& s) {
      const auto& [start, stop, extent] = s;
      if (std::find(slices_.begin(), slices_.end(), s) != slices_.end() || (is_never_negative(start) && is_never_negative(extent - stop) && is_never_negative(stop - start - Dim(1)))) return;
      expr::fail("shape.no_size", "this slice from " + expr::text(start) + " to " + expr::text(stop) + " may be empty, or go beyond the " + expr::text(extent) + " places there are, where NumPy cuts it off", t->span, "assume that the places are there, as n >= 2 for X[:2]");
    });
    if (t->kind == TermKind::stack) indices_.emplace_back(t->name, t->size);
    for (const Term& a : t->args) require_whole_slices(a);
    if (t->kind == TermKind::stack) indices_.pop_back();
  }

 private:
  enum class Missing {
    none,   ///< it has its axes for all sizes
    zeros,  ///< for some it has not, and is 0 then
    some,   ///< for some it has not
  };
  /// With the sum that makes it so.
  struct Known {
    Missing missing = Missing::none;
    Term sum;
  };

  Known missing(const Term& t) {
    const auto known = known_.find(t.get());
    if (known != known_.end()) return known->second;
    const Known result = found(t);
    known_.emplace(t.get(), result);
    return result;
  }

  Known found(const Term& t) {
    const Dim* const count = summed_range(t);
    std::vector<Known> of;
    bool has_axes = t->shape.empty();  // by an operand that has them
    for (const Term& a : count == nullptr ? t->args : t->args[0]->args) {
      of.push_back(missing(a));
      has_axes = has_axes || (of.back().missing == Missing::none && a->shape == t->shape);
    }
    if (of.empty()) return {};
    const Known most = *std::max_element(of.begin(), of.end(), [](const Known& a, const Known& b) { return a.missing < b.missing; });
    if (count != nullptr) return most.missing == Missing::none && !t->shape.empty() && may_be_empty(*count) ? Known{Missing::zeros, t} : most;
    const bool repeats = is<ops::Add, ops::Subtract, ops::Negate, ops::Multiply, ops::Divide, ops::Power, ops::Maximum, ops::Minimum>(t) || is_entrywise(t);
    if (most.missing == Missing::none || (repeats && has_axes)) return {};
    const auto is_zeros = [](const Known& k) { return k.missing == Missing::zeros; };
    const bool zeros = is<ops::Multiply>(t) ? std::any_of(of.begin(), of.end(), is_zeros) : is<ops::Divide>(t) ? is_zeros(of[0]) : is<ops::Add, ops::Subtract, ops::Negate>(t) && std::all_of(of.begin(), of.end(), is_zeros);
    if (repeats) return {zeros ? Missing::zeros : Missing::some, most.sum};
    if (is_linear(t) && std::all_of(of.begin(), of.end(), [&](const Known& k) { return k.missing != Missing::some; })) return most;
    refuse(most.sum);
  }

  [[noreturn]] static void refuse(const Term& sum) {
    expr::fail("call.comprehension", "this sum of " + expr::text(*summed_range(sum)) + " parts may have none: then it is the number 0 without the axes of " + expr::text(sum->shape) + ", of which another value comes here", sum->span, "begin with zeros of its shape, or assume that there is a part, n >= 2 for range(1, n)");
  }

  bool may_be_empty(const Dim& count) const { return !is_surely_nonnegative(count - Dim(1)); }

  /// For all sizes that the assumptions leave, as far as one of them tells.
  bool is_surely_nonnegative(const Dim& d) const {
    if (is_nonnegative(d, problem_.dimensions)) return true;
    return std::any_of(problem_.facts.begin(), problem_.facts.end(), [&](const Fact& f) {
      if (f.kind != FactKind::dimension || f.unsaid) return false;  // k = len(x[1:]) may be 0 in Python
      using expr::Relation;
      const bool below = f.relation == Relation::less || f.relation == Relation::less_equal;
      if (!below && f.relation != Relation::greater && f.relation != Relation::greater_equal) return false;
      const bool strict = f.relation == Relation::less || f.relation == Relation::greater;
      const Dim difference = below ? f.rhs_size - f.lhs_size : f.lhs_size - f.rhs_size;
      return is_nonnegative(d - difference + Dim(strict ? 1 : 0), problem_.dimensions);
    });
  }

  /// The same for all values of the indices around it: what is linear in one is at least as large as at its first or its last value.
  bool is_never_negative(const Dim& d) const {
    std::vector<std::string> names;
    expr::collect_names(d, names);
    for (const auto& [index, count] : indices_) {
      if (std::find(names.begin(), names.end(), index) == names.end()) continue;
      const auto at = [&, name = index](const Dim& place) { return expr::substitute(d, {{name, place}}); };
      return d - at(0) == (at(1) - at(0)) * expr::dim(index) && is_never_negative(at(0)) && is_never_negative(at(count - Dim(1)));
    }
    return is_surely_nonnegative(d);
  }

  static bool is_entrywise(const Term& t) { return t->kind == TermKind::apply && expr::is_entrywise_function(expr::operator_info(t->op).name); }
  /// Zeros give zeros, however many.
  static bool is_linear(const Term& t) {
    return moves(t) ||
           is<ops::Matmul, ops::SumHeads, ops::SumAll, ops::SumAxis, ops::RowSum, ops::ColSum, ops::CumSum, ops::Mean, ops::RowMean, ops::ColMean, ops::Max, ops::RowMax, ops::ColMax, ops::Min, ops::RowMin, ops::ColMin, ops::Frobenius2,
              ops::Trace, ops::Tril, ops::Triu, ops::Vec, ops::JoinLast, ops::JoinFirst, ops::Kron, ops::Einsum, ops::Diag, ops::Diagonal, ops::Take, ops::Rope, ops::RopeHalf, ops::L2Norm, ops::Rank>(t);
  }

  using Slice = std::array<Dim, 3>;  ///< start, stop, size of the axis
  template <class Visit>
  static void for_slices(const Term& t, const Visit& visit) {
    for (std::size_t axis = 0; is<ops::Subscripts>(t) && axis < t->call.operands[0].size(); ++axis) {
      if (t->call.sizes[3 * axis].is_zero()) visit(Slice{t->call.sizes[3 * axis + 1], t->call.sizes[3 * axis + 2], t->call.operands[0][axis]});
    }
  }

  const Problem& problem_;
  std::vector<Slice> slices_;
  std::vector<std::pair<std::string, Dim>> indices_;  ///< of the stacks around a term, with their numbers of values
  std::unordered_map<const TermNode*, Known> known_;
  std::unordered_set<const TermNode*> noted_, sliced_;  ///< whose slices are noted, or known to be whole
};

}  // namespace

void require_axes_of_sums(const Problem& p) {
  Axes axes(p);
  axes.look_at(p.lhs);
  axes.look_at(p.rhs);
  for (const Term& t : p.measured) axes.require_all(t);
  axes.note_slices(p.lhs);
  axes.note_slices(p.rhs);
  for (const Term& t : p.sized) {
    axes.require_all(t);
    axes.require_whole_slices(t);
  }
  for (const Fact& f : p.facts) {
    for (const Term& t : {f.lhs, f.rhs}) {
      if (t) axes.look_at(t);
    }
  }
}

}  // namespace foldproof::infer
