// SPDX-License-Identifier: MIT
// The table of bugs. Each was made by somebody: a transposed checkpoint, a scale forgotten in a merge, a mask one column too wide.
#include "campaign/bugs.hpp"

#include <algorithm>

#include "campaign/terms.hpp"

namespace foldproof::campaign {
namespace {

using expr::Dim;
using infer::Term;
using infer::TermKind;
using namespace expr::ops;

const Term& first(const Term& t) { return t->args[0]; }
const Term& second(const Term& t) { return t->args[1]; }
bool same_shape(const Term& a, const Term& b) { return a->shape == b->shape; }
bool is_square(const Term& t) { return t->shape.size() == 2 && t->shape[0] == t->shape[1] && !t->shape[0].is_one(); }
bool is_matrix(const Term& t) { return t->shape.size() == 2 && !t->shape[0].is_one() && !t->shape[1].is_one(); }
bool is_scalar(const Term& t) { return t->shape.empty(); }
int last_axis(const Term& t) { return static_cast<int>(t->shape.size()) - 1; }
bool is_norm(const Term& t) { return is<RmsNorm>(t) || is<LayerNorm>(t) || is<L2Norm>(t); }
bool joins(const Term& t) { return is<Concat>(t) || is<Vstack>(t) || is<Stack>(t); }

/// The operator of t on other operands.
Term again(const Term& t, std::vector<Term> args) { return applied(t->op, std::move(args), t->call.sizes, t->call.axis); }
/// The same operands under another operator.
template <class Op>
Term instead(const Term& t) {
  return applied(expr::operator_id<Op>(), t->args, t->call.sizes, t->call.axis);
}

// --- products

Term dropped_tail(const Term& t) {
  if (!is<Matmul>(t) || first(t)->shape.back().is_one()) return nullptr;
  const Dim most = first(t)->shape.back() - Dim(1);
  const std::size_t inner = second(t)->shape.size() == 1 ? 0 : second(t)->shape.size() - 2;
  return again(t, {slice(first(t), first(t)->shape.size() - 1, 0, most), slice(second(t), inner, 0, most)});
}
Term other_layout(const Term& t) {
  if (!is<Matmul>(t) || !is_matrix(second(t)) || is<Transpose>(second(t))) return nullptr;
  return again(t, {first(t), apply<Reshape>({apply<Transpose>({second(t)})}, second(t)->shape)});
}
Term transposed_factor(const Term& t) { return is<Matmul>(t) && is_square(second(t)) ? again(t, {first(t), apply<Transpose>({second(t)})}) : nullptr; }
Term dropped_transpose(const Term& t) { return is<Transpose>(t) && is_square(first(t)) ? first(t) : nullptr; }
Term swapped_factors(const Term& t) { return is<Matmul>(t) ? again(t, {second(t), first(t)}) : nullptr; }
Term queries_as_keys(const Term& t) {
  if (!is<Matmul>(t) || !is<Transpose>(second(t)) || !same_shape(first(t), first(second(t)))) return nullptr;
  return again(t, {first(second(t)), apply<Transpose>({first(t)})});
}
Term missing_inverse(const Term& t) { return is<Inverse>(t) ? first(t) : nullptr; }

// --- sums and scales

Term missing_term(const Term& t) { return is<Add>(t) ? first(t) : nullptr; }
Term missing_first_term(const Term& t) { return is<Add>(t) ? second(t) : nullptr; }
Term term_twice(const Term& t) { return is<Add>(t) ? again(t, {t, second(t)}) : nullptr; }
Term wrong_sign(const Term& t) { return is<Add>(t) && !is_mask(second(t)) ? instead<Subtract>(t) : is<Subtract>(t) ? instead<Add>(t) : nullptr; }
Term missing_scale(const Term& t) {
  if (is<Divide>(t) && is_scalar(second(t))) return first(t);
  return is<Multiply>(t) ? (is_scalar(first(t)) ? second(t) : is_scalar(second(t)) ? first(t) : nullptr) : nullptr;
}
Term inverted_scale(const Term& t) {
  if ((!is<Divide>(t) && !is<Multiply>(t)) || same_shape(first(t), second(t))) return nullptr;  // a scale has fewer entries
  if (is<Divide>(t)) return instead<Multiply>(t);
  return is_scalar(first(t)) ? apply<Divide>({second(t), first(t)}) : instead<Divide>(t);
}
Term scale_twice(const Term& t) {
  if (is<Divide>(t)) return again(t, {t, second(t)});
  return is<Multiply>(t) && is_scalar(first(t)) ? again(t, {first(t), t}) : nullptr;
}
Term missing_root(const Term& t) {
  if (is<Sqrt>(t)) return first(t);
  return is<Rsqrt>(t) ? apply<Divide>({number(1), first(t)}) : nullptr;
}
Term wrong_constant(const Term& t) { return t->kind == TermKind::number ? number(t->value + expr::Rational(1)) : nullptr; }
Term wrong_mean_axis(const Term& t) {  // a column of row sums and a row of column sums broadcast alike
  if (!is<Add>(t) && !is<Subtract>(t) && !is<Multiply>(t) && !is<Divide>(t)) return nullptr;
  const auto turned = [](const Term& x) -> Term {
    if (is<RowSum>(x)) return apply<ColSum>({first(x)});
    if (is<RowMean>(x)) return apply<ColMean>({first(x)});
    if (is<ColSum>(x)) return apply<RowSum>({first(x)});
    if (is<ColMean>(x)) return apply<RowMean>({first(x)});
    return is<Mean>(x) && x->shape.size() == 2 ? apply<Mean>({first(x)}, {}, 1 - x->call.axis) : nullptr;
  };
  if (const Term b = turned(second(t))) return again(t, {first(t), b});
  const Term a = turned(first(t));
  return a ? again(t, {a, second(t)}) : nullptr;
}

// --- softmax

Term softmax_wrong_axis(const Term& t) {
  return is<Softmax>(t) && t->shape.size() > 1 ? applied(t->op, t->args, {}, t->call.axis == last_axis(t) ? t->call.axis - 1 : last_axis(t)) : nullptr;
}
Term softmax_extra_one(const Term& t) { return is<Softmax>(t) ? instead<Softmax1>(t) : is<Softmax1>(t) ? instead<Softmax>(t) : nullptr; }
Term softmax_not_normalised(const Term& t) { return is<Softmax>(t) ? apply<Exp>(t->args) : nullptr; }
Term softmax_twice(const Term& t) { return is<Softmax>(t) ? again(t, {t}) : nullptr; }
Term softmax_unshifted(const Term& t) {  // of scores without a bound
  if (!is<Softmax>(t) || is<Softmax>(first(t)) || is<LogSoftmax>(first(t)) || is<Sigmoid>(first(t)) || is<Tanh>(first(t))) return nullptr;
  const Term weights = apply<Exp>(t->args);
  return apply<Divide>({weights, apply<SumAxis>({weights}, {}, t->call.axis)});
}
Term maximum_for_lse(const Term& t) { return is<LogSumExp>(t) ? instead<Max>(t) : nullptr; }

// --- masks

Term mask_one_too_far(const Term& t) {  // row i sees key i + 1
  if (!is<Causal>(t)) return nullptr;
  const Dim& n = t->shape[0];
  return slice(apply<Causal>({}, {n + Dim(1), t->shape[1]}), 0, 1, n + Dim(1));
}
Term mask_turned(const Term& t) { return is<Tril>(t) ? instead<Triu>(t) : is<Triu>(t) ? instead<Tril>(t) : nullptr; }
Term mask_as_scores(const Term& t) { return is<NegInf>(t) ? first(t) : nullptr; }

// --- norms

Term eps_outside_root(const Term& t) {
  return is<RmsNorm>(t) && t->args.size() == 2 ? apply<Divide>({first(t), apply<Add>({apply<Rms>({first(t)}, {}, t->call.axis), second(t)})}) : nullptr;
}
Term missing_eps(const Term& t) { return is_norm(t) && t->args.size() == 2 ? again(t, {first(t)}) : nullptr; }
Term mean_kept(const Term& t) { return is<LayerNorm>(t) ? instead<RmsNorm>(t) : nullptr; }
Term mean_removed(const Term& t) { return is<RmsNorm>(t) ? instead<LayerNorm>(t) : nullptr; }
Term norm_wrong_axis(const Term& t) {
  return is_norm(t) && t->shape.size() > 1 ? applied(t->op, t->args, {}, t->call.axis == last_axis(t) ? t->call.axis - 1 : last_axis(t)) : nullptr;
}
Term length_for_mean(const Term& t) { return is<RmsNorm>(t) && t->args.size() == 1 ? instead<L2Norm>(t) : is<L2Norm>(t) ? instead<RmsNorm>(t) : nullptr; }
Term gain_before_norm(const Term& t) {
  return is<Multiply>(t) && is_norm(first(t)) && !is_scalar(second(t)) ? again(first(t), {apply<Multiply>({first(first(t)), second(t)})}) : nullptr;
}
Term gain_on_other_side(const Term& t) {
  return is<Matmul>(t) && (is<Diag>(first(t)) || is<Diag>(second(t))) ? again(t, {second(t), first(t)}) : nullptr;
}

// --- positions

Term pair_layout(const Term& t) { return is<Rope>(t) ? instead<RopeHalf>(t) : is<RopeHalf>(t) ? instead<Rope>(t) : nullptr; }
Term turned_back(const Term& t) {
  if (!is<Rope>(t) && !is<RopeHalf>(t)) return nullptr;
  std::vector<Term> args = t->args;
  args[1] = apply<Negate>({args[1]});
  return again(t, args);
}
Term one_position_late(const Term& t) {
  const bool rotates = is<Rope>(t) || is<RopeHalf>(t);
  if (!rotates && !is<Sinusoids>(t)) return nullptr;
  std::vector<Term> args = t->args;
  const std::size_t shift = rotates ? 2 : 1;
  args.size() > shift ? void(args[shift] = apply<Add>({args[shift], number(1)})) : args.push_back(number(1));
  return again(t, args);
}
Term no_rotation(const Term& t) { return is<Rope>(t) || is<RopeHalf>(t) ? first(t) : nullptr; }

// --- heads, slices, caches

/// The subscript of a tensor by something that varies, such as a head.
Term with_index(const Term& t, const std::function<Dim(const Dim& index, const Dim& extent)>& change) {
  if (!is<Subscripts>(t)) return nullptr;
  std::vector<Dim> sizes = t->call.sizes;
  for (std::size_t axis = 0; axis < first(t)->shape.size(); ++axis) {
    if (sizes[3 * axis].is_zero() || sizes[3 * axis + 1].constant()) continue;
    const Dim before = sizes[3 * axis + 1];
    sizes[3 * axis + 1] = change(before, first(t)->shape[axis]);
    if (sizes[3 * axis + 1] == before) return nullptr;
    return applied(t->op, t->args, sizes);
  }
  return nullptr;
}
Term heads_reversed(const Term& t) {
  return with_index(t, [](const Dim& i, const Dim& extent) { return extent - Dim(1) - i; });
}
Term one_head_for_all(const Term& t) {
  return with_index(t, [](const Dim&, const Dim&) { return Dim(0); });
}
Term groups_tiled(const Term& t) {  // query head i uses key head i % g instead of i // q
  return with_index(t, [](const Dim& i, const Dim& extent) {
    const auto symbol = i.as_symbol();
    return symbol && symbol->division && !symbol->division->remainder ? modulo(symbol->division->numerator, extent) : i;
  });
}
Term forgotten_head(const Term& t) {
  return is<SumHeads>(t) && !first(t)->shape[0].is_one() ? again(t, {slice(first(t), 0, 0, first(t)->shape[0] - Dim(1))}) : nullptr;
}
Term heads_interleaved(const Term& t) {
  return is<JoinLast>(t) && first(t)->shape.size() == 3 ? apply<Reshape>({apply<Permute>({first(t)}, {1, 2, 0})}, t->shape) : nullptr;
}
Term split_without_transpose(const Term& t) {
  if (is<Permute>(t) && is<Reshape>(first(t))) return apply<Reshape>({first(first(t))}, t->shape);
  return is<Reshape>(t) && is<Permute>(first(t)) ? apply<Reshape>({first(first(t))}, t->shape) : nullptr;
}
Term wrong_slice(const Term& t) {  // of a fused weight: the first block for another one, the last block for the first one
  if (!is<Subscripts>(t)) return nullptr;
  std::vector<Dim> sizes = t->call.sizes;
  for (std::size_t axis = 0; axis < first(t)->shape.size(); ++axis) {
    const Dim length = sizes[3 * axis + 2] - sizes[3 * axis + 1];
    if (!sizes[3 * axis].is_zero() || length == first(t)->shape[axis]) continue;
    const bool at_start = sizes[3 * axis + 1].is_zero();
    sizes[3 * axis + 2] = at_start ? first(t)->shape[axis] : length;
    sizes[3 * axis + 1] = at_start ? first(t)->shape[axis] - length : Dim(0);
    return applied(t->op, t->args, sizes);
  }
  return nullptr;
}
Term parts_swapped(const Term& t) {
  if (!joins(t) || t->args.size() < 2 || !same_shape(first(t), second(t))) return nullptr;
  std::vector<Term> args = t->args;
  std::swap(args[0], args[1]);
  return again(t, args);
}
Term stale_row(const Term& t) {  // the new row of a cache was not written
  if (!is<Vstack>(t) || t->args.size() != 2 || !second(t)->shape[0].is_one()) return nullptr;
  const Dim& rows = first(t)->shape[0];
  return again(t, {first(t), slice(first(t), 0, rows - Dim(1), rows)});
}

// --- activations

Term missing_activation(const Term& t) {
  return is<Relu>(t) || is<Gelu>(t) || is<Silu>(t) || is<Tanh>(t) || is<Sigmoid>(t) || is<LeakyRelu>(t) || is<Softplus>(t) ? first(t) : nullptr;
}
Term other_activation(const Term& t) {
  if (is<Gelu>(t)) return instead<GeluTanh>(t);
  if (is<Silu>(t)) return instead<QuickGelu>(t);
  return is<Relu>(t) ? apply<Gelu>(t->args) : is<Tanh>(t) ? apply<Sigmoid>(t->args) : nullptr;
}

constexpr Bug table[] = {
    {"dropped-tail", "a product forgets the last inner index", dropped_tail},
    {"other-layout", "a weight stored by another framework, read without its transpose", other_layout},
    {"transposed-factor", "a square factor is transposed", transposed_factor},
    {"dropped-transpose", "the transpose of a square matrix is forgotten", dropped_transpose},
    {"swapped-factors", "x W where W x was meant", swapped_factors},
    {"queries-as-keys", "queries and keys exchanged", queries_as_keys},
    {"missing-inverse", "a matrix for its inverse", missing_inverse},
    {"missing-term", "a bias, residual, adapter or mask is forgotten", missing_term},
    {"missing-first-term", "only the correction is kept", missing_first_term},
    {"term-twice", "a bias is added twice", term_twice},
    {"wrong-sign", "added instead of subtracted, or the other way", wrong_sign},
    {"missing-scale", "1/sqrt(k) or alpha/r is forgotten", missing_scale},
    {"inverted-scale", "multiplied instead of divided, or the other way", inverted_scale},
    {"scale-twice", "the scale is applied twice", scale_twice},
    {"missing-root", "scaled by k instead of sqrt(k)", missing_root},
    {"wrong-constant", "a constant is off by one", wrong_constant},
    {"wrong-mean-axis", "sum or mean over the wrong axis", wrong_mean_axis},
    {"softmax-wrong-axis", "softmax along the wrong axis", softmax_wrong_axis},
    {"softmax-extra-one", "one is added to the denominator of softmax, or forgotten there", softmax_extra_one},
    {"softmax-not-normalised", "exp without the division", softmax_not_normalised},
    {"softmax-twice", "softmax of the softmax", softmax_twice},
    {"softmax-unshifted", "softmax without subtracting the maximum", softmax_unshifted, true},
    {"maximum-for-lse", "the maximum in place of log-sum-exp", maximum_for_lse},
    {"mask-one-too-far", "the causal mask lets each token see its successor", mask_one_too_far},
    {"mask-turned", "the upper triangle for the lower one", mask_turned},
    {"mask-as-scores", "the 0/1 mask is added to the scores", mask_as_scores},
    {"eps-outside-root", "epsilon is added outside the root", eps_outside_root},
    {"missing-eps", "epsilon is forgotten", missing_eps},
    {"mean-kept", "a norm forgets to subtract the mean", mean_kept},
    {"mean-removed", "a norm subtracts the mean and should not", mean_removed},
    {"norm-wrong-axis", "a norm along the wrong axis", norm_wrong_axis},
    {"length-for-mean", "the sum of squares for their mean, or the other way", length_for_mean},
    {"gain-before-norm", "the gain is applied before the norm", gain_before_norm},
    {"gain-on-other-side", "a gain is folded into the wrong side of a weight", gain_on_other_side},
    {"pair-layout", "rotary pairs in the layout of the other convention", pair_layout},
    {"turned-back", "rotated by the negative angle", turned_back},
    {"one-position-late", "positions are off by one", one_position_late},
    {"no-rotation", "the rotation is forgotten", no_rotation},
    {"heads-reversed", "heads in the wrong order", heads_reversed},
    {"one-head-for-all", "all heads use the weights of the first", one_head_for_all},
    {"groups-tiled", "grouped heads are tiled instead of repeated", groups_tiled},
    {"forgotten-head", "the last head is left out of the sum", forgotten_head},
    {"heads-interleaved", "columns of heads interleaved instead of side by side", heads_interleaved},
    {"split-without-transpose", "heads split or merged by reshape without the transpose", split_without_transpose},
    {"wrong-slice", "another block of a fused weight", wrong_slice},
    {"parts-swapped", "two parts are joined in the wrong order", parts_swapped},
    {"stale-row", "the newest row of a cache is the one before", stale_row},
    {"missing-activation", "the activation is forgotten", missing_activation},
    {"other-activation", "an activation of another model", other_activation},
};

Term rewritten(const Bug& bug, const Term& t) {
  try {
    Term wrong = bug.rewrite(t);
    return wrong && same_shape(wrong, t) ? wrong : nullptr;
  } catch (const Misfit&) {
    return nullptr;
  }
}

/// A variable whose numbers no assumption fixes.
bool is_free(const Term& t, const infer::Problem& problem) {
  const auto fixes = [&](const infer::Fact& f) {
    return f.kind == infer::FactKind::relation && f.relation == expr::Relation::equal && f.lhs->kind == TermKind::variable && f.lhs->name == t->name &&
           f.rhs->kind == TermKind::number;
  };
  return t->kind == TermKind::variable && std::none_of(problem.facts.begin(), problem.facts.end(), fixes);
}

}  // namespace

std::span<const Bug> bugs() { return table; }

std::vector<Mutant> mutants(const infer::Problem& problem) {
  std::vector<Mutant> result;
  for (const Bug& bug : table) {
    for (const bool right : {true, false}) {
      const Term& side = right ? problem.rhs : problem.lhs;
      visit(side, [&](const Term& t) {
        const Term wrong = rewritten(bug, t);
        if (!wrong) return false;
        Mutant mutant{bug.name, std::string(bug.name) + (right ? " in rhs" : " in lhs"), problem, Mutation::none, right, bug.rounds_only};
        (right ? mutant.problem.rhs : mutant.problem.lhs) = substituted(side, t.get(), wrong);
        result.push_back(std::move(mutant));
        return true;
      });
    }
  }
  if (visit(problem.rhs, [&](const Term& t) { return is_free(t, problem); })) result.push_back({"downcast", "downcast in rhs", problem, Mutation::downcast, true, true});
  return result;
}

}  // namespace foldproof::campaign
