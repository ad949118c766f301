// SPDX-License-Identifier: MIT
#include "numeric/entry_machine.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <set>

#include "expr/operators.hpp"
#include "infer/is_operator.hpp"
#include "numeric/algebra.hpp"
#include "numeric/evaluate.hpp"

namespace foldproof::numeric {
namespace {

namespace ops = expr::ops;
using infer::Term;
using infer::TermKind;

/// Whether subscripts stay inside of what they are taken of.
bool stays_inside(const Step& step, const std::vector<std::int64_t>& extents) {
  const auto value = [&](std::size_t k) {
    const expr::Dim* size = &step.term->call.sizes[k];
    return std::find_if(step.sizes.begin(), step.sizes.end(), [&](const auto& known) { return known.first == size; })->second;
  };
  for (std::size_t axis = 0; axis < extents.size(); ++axis) {  // (kind, start, stop): see expr/ops/structure.hpp
    const std::int64_t start = value(3 * axis + 1), stop = value(3 * axis) == 0 ? value(3 * axis + 2) : start + 1;
    if (start < 0 || stop > extents[axis] || stop <= start) return false;
  }
  return true;
}

/// Operators that have a value wherever their operands have one; the exponentials that a softmax divides by are positive.
bool keeps_values(const Step& step, const std::vector<Step>& steps) {
  if (infer::is<ops::Subscripts>(step.term)) return stays_inside(step, steps[static_cast<std::size_t>(step.args[0])].shape);
  const auto positive = [](const Term& t) { return t->kind == TermKind::apply && infer::is<ops::SumAxis>(t) && infer::is<ops::Exp>(t->args[0]); };
  if (infer::is<ops::Divide>(step.term)) return positive(step.term->args[1]);
  const auto integer = [&] { return step.term->call.exponent.is_integer() && step.term->call.exponent.sign() > 0; };
  return infer::is<ops::Add, ops::Subtract, ops::Negate, ops::Multiply, ops::Matmul, ops::Einsum, ops::Kron, ops::RowKron, ops::Transpose, ops::Permute, ops::Reshape, ops::Concat, ops::Vstack, ops::Stack, ops::JoinLast, ops::JoinFirst, ops::SumHeads, ops::Stride, ops::Flip,
                   ops::FlipAxis, ops::Diag, ops::Diagonal, ops::Trace, ops::Eye, ops::Ones, ops::Zeros, ops::Tril, ops::Triu, ops::Arange, ops::Positions, ops::Offsets, ops::Rope, ops::RopeHalf, ops::SumAll, ops::RowSum, ops::ColSum, ops::SumAxis, ops::CumSum, ops::Mean,
                   ops::RowMean, ops::ColMean, ops::Max, ops::RowMax, ops::ColMax, ops::Min, ops::RowMin, ops::ColMin, ops::Frobenius2, ops::Softmax, ops::SoftmaxColumns, ops::Softmax1, ops::LogSoftmax, ops::LogSumExp, ops::Relu, ops::LeakyRelu, ops::Abs, ops::Sin, ops::Cos,
                   ops::Exp, ops::Exp2, ops::Elu, ops::Erf, ops::Sigmoid, ops::Silu, ops::QuickGelu, ops::Tanh, ops::Softplus, ops::Gelu, ops::GeluTanh, ops::Maximum, ops::Minimum>(step.term) ||
         (infer::is<ops::Power>(step.term) && integer());
}

/// A softmax of finite numbers plus causal(n), which leaves at least one of them in every row and column.
bool is_causal(const Step& softmax, const std::vector<Step>& steps, const std::vector<bool>& total) {
  const Step& sum = steps[static_cast<std::size_t>(softmax.args[0])];
  if (!infer::is<ops::Add>(sum.term) || sum.args.size() != 2) return false;
  const auto is_mask = [&](int k) { return infer::is<ops::Causal>(steps[static_cast<std::size_t>(k)].term) && steps[static_cast<std::size_t>(k)].shape == sum.shape; };
  return (is_mask(sum.args[0]) && total[static_cast<std::size_t>(sum.args[1])]) || (is_mask(sum.args[1]) && total[static_cast<std::size_t>(sum.args[0])]);
}

}  // namespace

template <class T>
EntryMachine<T>::EntryMachine(std::shared_ptr<const Program> program, std::map<std::string, SparseVariable<T>> variables, std::int64_t most_entries)
    : program_(std::move(program)), variables_(std::move(variables)), known_(program_->steps().size()), left_(most_entries), asked_(NumericAlgebra<T>::of(0)) {
  for (const Step& step : program_->steps()) {  // operands come first
    const auto is_constant = [&](std::size_t k) { return program_->steps()[k].shape.empty() && program_->is_constant(k); };  // a number: it is asked, if anything is
    const bool by_constant = step.term->kind == TermKind::apply && infer::is<ops::Divide>(step.term) && is_constant(static_cast<std::size_t>(step.args[1]));
    const bool here = step.term->kind != TermKind::apply || by_constant || keeps_values(step, program_->steps()), constant = is_constant(total_.size());
    const bool causal = infer::is<ops::Softmax, ops::SoftmaxColumns>(step.term) && is_causal(step, program_->steps(), total_);
    total_.push_back(causal || ((constant || here) && std::all_of(step.args.begin(), step.args.end(), [&](int a) { return constant || total_[static_cast<std::size_t>(a)]; })));
  }
}

template <class T>
bool EntryMachine<T>::has_values(std::int64_t most) {
  const auto& steps = program_->steps();
  std::vector<bool> infinite;  // steps of which entries may be minus infinity
  std::vector<std::pair<int, bool>> asked;  // steps, and whether something is divided by them
  for (std::size_t k = 0; k < steps.size(); ++k) {
    const Step& step = steps[k];
    const auto infinities = std::count_if(step.args.begin(), step.args.end(), [&](int a) { return infinite[static_cast<std::size_t>(a)]; });
    const bool mask = infer::is<ops::Causal, ops::NegInf>(step.term);
    infinite.push_back(mask || (infinities == 1 && infer::is<ops::Add>(step.term)));  // of both it would be one too
    const bool of_masked = infinities == 1 && infer::is<ops::Softmax, ops::SoftmaxColumns>(step.term);
    if (infinities > 0 && !infinite.back() && !of_masked && !infer::is<ops::Exp>(step.term)) return false;
    if (of_masked && total_[k]) continue;
    if (of_masked) {  // of a row that is masked throughout there is none
      asked.emplace_back(static_cast<int>(k), false);
      most -= entries(step.shape);
      if (most < 0) return false;
      continue;
    }
    const bool divides = infer::is<ops::Divide>(step.term);  // also by exponentials: of a masked row they may all be 0
    if (total_[k] || mask || step.term->kind != TermKind::apply || (!divides && keeps_values(step, steps))) continue;
    if (!divides && !infer::is<ops::Sqrt, ops::Rsqrt, ops::Log, ops::Power>(step.term)) return false;
    asked.emplace_back(divides ? step.args[1] : static_cast<int>(k), divides);
    most -= entries(steps[static_cast<std::size_t>(asked.back().first)].shape);
    if (most < 0) return false;
  }
  for (const auto& [step, divides] : asked) {
    const std::vector<std::int64_t>& shape = steps[static_cast<std::size_t>(step)].shape;
    for (std::int64_t place = 0; place < entries(shape); ++place) {
      forget_many();
      const T value = entry(step, indices_of(place, shape));
      if (divides) NumericAlgebra<T>::of(1) / value;  // Undefined where it may be 0
    }
  }
  return true;
}

/// What was computed is computed again where it is needed: of a million rows not all are held.
template <class T>
void EntryMachine<T>::forget_many() {
  constexpr std::size_t most = 500'000;
  if (computed_ < most) return;
  for (auto& known : known_) known.clear();
  computed_ = 0;
}

template <class T>
const SparseVariable<T>* EntryMachine<T>::variable(int step) const {
  const Step& s = program_->steps()[static_cast<std::size_t>(step)];
  return s.term->kind == TermKind::variable ? &variables_.at(s.term->name) : nullptr;
}

template <class T>
auto EntryMachine<T>::places_along(int step, std::size_t axis) -> const Places& {
  const auto known = places_.find({step, axis});
  return known != places_.end() ? known->second : places_[{step, axis}] = find_places(step, axis);
}

template <class T>
auto EntryMachine<T>::find_places(int number, std::size_t axis) -> Places {
  const Step& step = program_->steps()[static_cast<std::size_t>(number)];
  const auto shape_of = [&](std::size_t k) -> const std::vector<std::int64_t>& { return program_->steps()[static_cast<std::size_t>(step.args[k])].shape; };
  if (const auto* v = variable(number)) return v->diagonal || axis >= v->places.size() ? Places() : Places(std::in_place, v->places[axis].begin(), v->places[axis].end());
  if (step.term->kind != TermKind::apply || !total_[static_cast<std::size_t>(number)]) return std::nullopt;  // 0 times what has no value has none
  if (infer::is<ops::Transpose>(step.term)) return step.shape.size() == 2 ? places_along(step.args[0], 1 - axis) : std::nullopt;
  if (infer::is<ops::Negate, ops::Relu, ops::LeakyRelu, ops::Elu, ops::Silu, ops::QuickGelu, ops::Gelu, ops::GeluTanh, ops::Tanh, ops::Erf, ops::Abs, ops::Sin>(step.term)) return places_along(step.args[0], axis);
  if (infer::is<ops::Matmul>(step.term) && step.args.size() == 2) {
    if (shape_of(0).size() > 2 || shape_of(1).size() > 2) return std::nullopt;
    const bool row = axis == 0 && shape_of(0).size() == 2;
    return row ? places_along(step.args[0], 0) : places_along(step.args[1], 1);
  }
  const bool product = infer::is<ops::Multiply>(step.term), sum = infer::is<ops::Add, ops::Subtract>(step.term);
  if (!product && !sum) return std::nullopt;
  Places found;
  for (std::size_t k = 0; k < step.args.size(); ++k) {
    const std::size_t missing = step.shape.size() - shape_of(k).size();  // leading axes that it has not
    const bool along = axis >= missing && shape_of(k)[axis - missing] == step.shape[axis];
    const Places own = along ? places_along(step.args[k], axis - missing) : std::nullopt;
    if (sum && !own) return std::nullopt;
    if (!own) continue;
    if (!found) found = own;
    else if (sum) found->insert(own->begin(), own->end());
    else std::erase_if(*found, [&](std::int64_t place) { return own->count(place) == 0; });
  }
  return found;
}

/// Where the products of a row and a column may not be zero: 0 times what may lack a value is not left out.
template <class T>
std::vector<std::int64_t> EntryMachine<T>::inner_places(const Step& step, std::span<const std::int64_t> indices) {
  const auto& steps = program_->steps();
  const auto a = static_cast<std::size_t>(step.args[0]), b = static_cast<std::size_t>(step.args[1]);
  const std::int64_t inner = steps[a].shape.back();
  const auto along = [&](std::size_t operand, std::size_t axis, std::int64_t own) -> Places {
    const bool turned = steps[operand].term->kind == TermKind::apply && infer::is<ops::Transpose>(steps[operand].term);
    const auto* v = variable(turned ? steps[operand].args[0] : static_cast<int>(operand));
    if (!v || !v->diagonal || v->places.size() != 2) return places_along(static_cast<int>(operand), axis);
    const auto& places = v->places[turned ? 1 - axis : axis];
    Places found(std::in_place, places.begin(), places.end());
    if (own < inner) found->insert(own);  // on the diagonal
    return found;
  };
  Places places;
  if (total_[b]) places = along(a, steps[a].shape.size() - 1, steps[a].shape.size() == 2 ? indices[0] : inner);
  if (!places && total_[a]) places = along(b, 0, steps[b].shape.size() == 2 ? indices.back() : inner);
  if (places) return {places->begin(), places->end()};
  std::vector<std::int64_t> all(static_cast<std::size_t>(inner));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

/// Of matrices and of vectors.
template <class T>
T EntryMachine<T>::product(const Step& step, std::span<const std::int64_t> indices) {
  const auto rank = [&](std::size_t k) { return program_->steps()[static_cast<std::size_t>(step.args[k])].shape.size(); };
  const std::size_t left_rank = rank(0), right_rank = rank(1);
  T sum = NumericAlgebra<T>::of(0);
  for (const std::int64_t k : inner_places(step, indices)) {
    const std::int64_t left[] = {left_rank == 2 ? indices[0] : k, k}, right[] = {k, right_rank == 2 ? indices.back() : k};
    const T a = entry(step.args[0], std::span(left).first(left_rank));
    const T b = entry(step.args[1], std::span(right).first(right_rank));
    sum = sum + a * b;
  }
  return sum;
}

/// All entries of a step that is a function of a whole matrix; of large ones it would take too long.
template <class T>
const T& EntryMachine<T>::of_whole(int number, std::int64_t place) {
  const Step& step = program_->steps()[static_cast<std::size_t>(number)];
  const std::int64_t most_rows = step.entries == 1 ? 1024 : 16;  // every entry of an inverse takes an elimination of its own
  std::vector<std::int64_t> shape = program_->steps()[static_cast<std::size_t>(step.args[0])].shape;
  std::vector<std::vector<std::int64_t>> places(shape.size());
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    const Places some = infer::is<ops::Rank>(step.term) ? places_along(step.args[0], axis) : std::nullopt;  // rows and columns of zeros count for nothing
    if (some && !some->empty()) places[axis].assign(some->begin(), some->end());
    if (places[axis].empty()) {
      places[axis].resize(static_cast<std::size_t>(shape[axis]));
      std::iota(places[axis].begin(), places[axis].end(), 0);
    }
    shape[axis] = static_cast<std::int64_t>(places[axis].size());
  }
  if (std::any_of(shape.begin(), shape.end(), [&](std::int64_t n) { return n > most_rows; })) throw expr::LimitReached("a large matrix is needed as a whole");
  Tensor<T> matrix{shape, {}};
  std::int64_t more = 100 * 100;  // entries other than 0, which make an elimination slow
  for (std::int64_t k = 0; k < entries(shape); ++k) {
    std::vector<std::int64_t> indices = indices_of(k, shape);
    for (std::size_t axis = 0; axis < indices.size(); ++axis) indices[axis] = places[axis][static_cast<std::size_t>(indices[axis])];
    matrix.values.push_back(entry(step.args[0], indices));
    if (!is_zero(matrix.values.back()) && --more < 0) throw expr::LimitReached("a large matrix is needed as a whole");
  }
  const Tensor<T>* const operands[] = {&matrix};
  auto& known = known_[static_cast<std::size_t>(number)];
  for (std::int64_t k = 0; k < step.entries; ++k) known.emplace(k, entry_of(step, OperandEntries<T>{operands}, indices_of(k, step.shape)));
  return known.at(place);
}

template <class T>
const T& EntryMachine<T>::entry(int number, std::span<const std::int64_t> indices) {
  const Step& step = program_->steps()[static_cast<std::size_t>(number)];
  std::int64_t place = 0;
  for (std::size_t axis = 0; axis < step.shape.size(); ++axis) {
    if (indices[axis] < 0 || indices[axis] >= step.shape[axis]) throw Undefined("a subscript outside its axis");
    place = place * step.shape[axis] + indices[axis];
  }
  if (--left_ < 0) throw expr::LimitReached("too many entries are needed");
  switch (step.term->kind) {
    case TermKind::variable: return asked_ = variables_.at(step.term->name).entry(indices.first(step.shape.size()));
    case TermKind::number: return asked_ = NumericAlgebra<T>::number(step.term->value);
    case TermKind::size: return asked_ = NumericAlgebra<T>::of(step.number);
    case TermKind::stack: return entry(step.args[static_cast<std::size_t>(indices[0])], indices.subspan(1, step.shape.size() - 1));
    case TermKind::apply: break;
  }
  auto& known = known_[static_cast<std::size_t>(number)];
  if (const auto at = known.find(place); at != known.end()) return at->second;
  if (infer::is<ops::Inverse, ops::Determinant, ops::Rank, ops::LeftFactor, ops::RightFactor>(step.term)) return of_whole(number, place);
  const auto has_rank = [&](int k) { return program_->steps()[static_cast<std::size_t>(k)].shape.size() <= 2; };
  const bool matrices = infer::is<ops::Matmul>(step.term) && step.args.size() == 2 && std::all_of(step.args.begin(), step.args.end(), has_rank);
  const std::function<const T&(int, std::span<const std::int64_t>)> operand = [&](int k, std::span<const std::int64_t> of) -> const T& { return entry(step.args[static_cast<std::size_t>(k)], of); };
  ++computed_;
  T value = matrices ? product(step, indices) : entry_of(step, OperandEntries<T>{{}, &operand}, indices.first(step.shape.size()));
  return known.emplace(place, std::move(value)).first->second;
}

template class EntryMachine<Exact>;
template class EntryMachine<Interval>;

}  // namespace foldproof::numeric
