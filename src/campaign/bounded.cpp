// SPDX-License-Identifier: MIT
// The machine: chooses for each step the fastest rule that fits, stores in the format, applies the seeded bug.
#include "campaign/bounded.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "campaign/rules.hpp"
#include "expr/diagnostic.hpp"
#include "expr/operators.hpp"

namespace foldproof::campaign {

using infer::TermKind;
using numeric::Step;
namespace ops = expr::ops;

const char* text(Mutation m) {
  switch (m) {
    case Mutation::none:
      return "none";
    case Mutation::drop_tail:
      return "drop_tail";
    case Mutation::transposed_factor:
      return "transposed_factor";
    case Mutation::wrong_scale:
      return "wrong_scale";
    case Mutation::downcast:
      return "downcast";
    case Mutation::swapped_operands:
      return "swapped_operands";
    case Mutation::flipped_row:
      return "flipped_row";
  }
  return "?";
}

template <class T>
BoundedMachine<T>::BoundedMachine(std::shared_ptr<const numeric::Program> program, const numeric::FormatInfo& format, Mutation mutation)
    : program_(std::move(program)), format_(format), mutation_(mutation) {
  const auto& steps = program_->steps();
  results_.resize(steps.size());
  maps_.resize(steps.size());
  for (const auto& result : results_) values_.push_back(&result);
  for (std::size_t k = 0; k < steps.size(); ++k) {
    fixed_.push_back(program_->is_constant(k));
    rules_.push_back(rule_of(*program_, steps[k]));
  }
  find_mutated_step(mutation);
}

template <class T>
void BoundedMachine<T>::find_mutated_step(Mutation mutation) {
  if (mutation == Mutation::none) return;
  const auto& steps = program_->steps();
  const auto root = static_cast<std::size_t>(program_->root(0));
  for (std::size_t k = 0; k < steps.size() && mutation != Mutation::wrong_scale; ++k) {
    if (!is_matrix_product(steps[k])) continue;
    const auto& left = steps[static_cast<std::size_t>(steps[k].args[0])].shape;
    const auto& right = steps[static_cast<std::size_t>(steps[k].args[1])].shape;
    const bool square = right[0] == right[1] && right[0] > 1;
    if (mutation == Mutation::drop_tail && left[1] < 2) continue;
    if (mutation == Mutation::transposed_factor && !square) continue;
    if (mutation == Mutation::swapped_operands && !(square && left == right)) continue;
    mutated_step_ = static_cast<int>(k);
    if (mutation != Mutation::downcast) break;  // of a downcast, the last product: what it gives surely matters
  }
  if (mutated_step_ < 0 && (mutation == Mutation::wrong_scale || mutation == Mutation::downcast)) mutated_step_ = static_cast<int>(root);
  if (mutated_step_ < 0) return;
  fixed_[static_cast<std::size_t>(mutated_step_)] = 0;
}

template <class T>
typename BoundedMachine<T>::Rule BoundedMachine<T>::rule_of(const numeric::Program& program, const Step& step) {
  switch (step.term->kind) {
    case TermKind::variable:
      return Rule::variable;
    case TermKind::number:
      return Rule::number;
    case TermKind::size:
      return Rule::size;
    case TermKind::stack:
      return Rule::stack;
    case TermKind::apply:
      break;
  }
  const auto is = [op = step.term->op](const auto... ids) { return ((op == ids) || ...); };
  if (transposes(step)) return Rule::transpose;
  if (moves_entries(step)) return Rule::move;
  if (is_matrix_product(step)) return Rule::matrix_product;
  const auto stacks_only = [&](int arg) { return program.steps()[static_cast<std::size_t>(arg)].shape.size() <= 3; };
  if (is(expr::operator_id<ops::Matmul>()) && std::all_of(step.args.begin(), step.args.end(), stacks_only)) return Rule::product;
  if (is(expr::operator_id<ops::Add>(), expr::operator_id<ops::Subtract>(), expr::operator_id<ops::Multiply>(), expr::operator_id<ops::Divide>())) return Rule::entrywise;
  if (is(expr::operator_id<ops::Exp>(), expr::operator_id<ops::Abs>(), expr::operator_id<ops::Negate>(), expr::operator_id<ops::Relu>())) return Rule::unary;
  if (is(expr::operator_id<ops::Sigmoid>(), expr::operator_id<ops::Silu>(), expr::operator_id<ops::QuickGelu>(), expr::operator_id<ops::Tanh>())) return Rule::unary;
  return works_on_rows(step.term) ? Rule::rows : Rule::definition;
}

template <class T>
void round_to(const numeric::FormatInfo& format, const numeric::Tensor<double>& from, BoundedTensor<T>& to) {
  to.shape = from.shape;
  to.clear_bounds();
  to.values.resize(from.values.size());
  if (format.precision == Bounded<T>::format.precision) {
    std::transform(from.values.begin(), from.values.end(), to.values.begin(), [](double v) { return static_cast<T>(v); });
  } else {
    std::transform(from.values.begin(), from.values.end(), to.values.begin(), [&](double v) { return static_cast<T>(rounded(v, format)); });
  }
}
template void round_to(const numeric::FormatInfo&, const numeric::Tensor<double>&, BoundedTensor<double>&);
template void round_to(const numeric::FormatInfo&, const numeric::Tensor<double>&, BoundedTensor<float>&);
template void round_to(const numeric::FormatInfo&, const numeric::Tensor<double>&, BoundedTensor<Float16>&);
template void round_to(const numeric::FormatInfo&, const numeric::Tensor<double>&, BoundedTensor<BFloat16>&);

template <class T>
void BoundedMachine<T>::set(int step, const BoundedTensor<T>& value) {
  if (step < 0) return;
  expr::invariant(value.shape == program_->steps()[static_cast<std::size_t>(step)].shape, "a variable has another shape than its term");
  values_[static_cast<std::size_t>(step)] = &value;
}

template <class T>
const BoundedTensor<T>& BoundedMachine<T>::run() {
  for (std::size_t k = 0; k < results_.size(); ++k) {
    if (fixed_[k] == 2) continue;
    compute(k);
    if (fixed_[k] == 1) fixed_[k] = 2;
    for (const int arg : program_->steps()[k].args) release(static_cast<std::size_t>(arg), k);
  }
  return *values_[static_cast<std::size_t>(program_->root(0))];
}

template <class T>
void BoundedMachine<T>::release(std::size_t arg, std::size_t k) {
  const bool large = static_cast<std::int64_t>(results_[arg].size()) >= numeric::worth_freeing;
  if (large && program_->last_use(arg) == k && fixed_[arg] == 0) results_[arg] = {};
}

template <class T>
bool BoundedMachine<T>::values_only(std::size_t k) const {
  return bounds_ == Bounds::none && fixed_[k] == 0;
}

template <class T>
const BoundedTensor<T>& BoundedMachine<T>::operand(std::size_t k, std::size_t arg) const {
  return *values_[static_cast<std::size_t>(program_->steps()[k].args[arg])];
}

template <class T>
void BoundedMachine<T>::compute(std::size_t k) {
  const Step& step = program_->steps()[k];
  BoundedTensor<T>& result = results_[k];
  if (step.term->kind == TermKind::variable) {
    expr::invariant(!values_[k]->values.empty(), "a variable has no value");
    if (mutated_step_ == static_cast<int>(k)) {
      result = *values_[k];
      mutate(k);
      values_[k] = &result;
    }
    return;
  }
  result.shape = step.shape;
  const Rule rule = rules_[k];
  const bool is_product = rule == Rule::matrix_product || rule == Rule::product;
  is_product ? result.clear_bounds() : result.clear();  // all values of a product are replaced
  if (bounds_ == Bounds::norms && rule != Rule::matrix_product && rule != Rule::transpose) {
    for (const int arg : step.args) results_[static_cast<std::size_t>(arg)].spread();
  }
  const bool mutated = mutated_step_ == static_cast<int>(k);
  if (!(mutated && rule == Rule::matrix_product)) run_rule(k);
  if (mutated) mutate(k);
  if (rule != Rule::move && rule != Rule::transpose) store(k);
  if (bounds_ == Bounds::none && fixed_[k] == 0) result.errors.clear(), result.variances.clear();  // constants are kept for later runs
}

template <class T>
void BoundedMachine<T>::run_rule(std::size_t k) {
  switch (rules_[k]) {
    case Rule::variable:
      return;
    case Rule::number:
      return results_[k].push(Bounded<T>::from(program_->steps()[k].term->value));
    case Rule::size:
      return results_[k].push(Bounded<T>(program_->steps()[k].number));
    case Rule::stack:
      return stack(k);
    case Rule::transpose:
      return transpose(k);
    case Rule::move:
      return move(k);
    case Rule::matrix_product:
    case Rule::product:
      return product(k);
    case Rule::entrywise:
      return entrywise(k);
    case Rule::unary:
      return unary(k);
    case Rule::rows:
      return rows(k);
    case Rule::definition:
      return definition(k);
  }
}

template <class T>
void BoundedMachine<T>::stack(std::size_t k) {
  for (std::size_t arg = 0; arg < program_->steps()[k].args.size(); ++arg) {
    const auto& part = operand(k, arg);
    for (std::size_t i = 0; i < part.size(); ++i) results_[k].push(part.at(i));
  }
}

/// Sixteen-bit storage: one more rounding, of float32 to the format.
template <class T>
void BoundedMachine<T>::store(std::size_t k) {
  if (format_.precision == Bounded<T>::format.precision) return;
  const TermKind kind = program_->steps()[k].term->kind;
  if (kind == TermKind::stack || kind == TermKind::number || kind == TermKind::size) return;
  BoundedTensor<T>& result = results_[k];
  result.spread();
  for (std::size_t i = 0; i < result.size(); ++i) {
    const Bounded<T> before = result.at(i);
    if (before.is_masked()) continue;
    const double value = rounded(static_cast<double>(before.value), format_);
    const double moved = std::abs(value - static_cast<double>(before.value));  // exact: both are floats with few bits
    if (moved == 0) continue;
    result.values[i] = static_cast<T>(value);
    if (result.is_exact()) continue;
    result.errors[i] = std::isfinite(value) ? up(before.error + moved) : infinity;
    result.variances[i] = before.variance + moved * moved;
  }
}

template <class T>
void BoundedMachine<T>::mutate(std::size_t k) {
  const Step& step = program_->steps()[k];
  BoundedTensor<T>& result = results_[k];
  if (is_matrix_product(step)) {
    BoundedTensor<T> left = operand(k, 0);
    BoundedTensor<T> right = operand(k, 1);
    if (mutation_ == Mutation::transposed_factor) right = transposed(right);
    if (mutation_ == Mutation::swapped_operands) std::swap(left, right);
    if (mutation_ == Mutation::drop_tail) left = without_last_column(left);
    if (mutation_ == Mutation::drop_tail) right.shape[0] -= 1, right = first_entries(right, left.shape[1] * right.shape[1]);
    result.shape = step.shape;
    multiply(left, right, bounds_, result);
  }
  const auto last_row = result.shape.empty() ? 0 : result.size() - static_cast<std::size_t>(result.shape.back());
  const auto& smaller = std::is_same_v<T, double> ? numeric::float32_format : numeric::bfloat16_format;
  for (std::size_t i = 0; i < result.size(); ++i) {
    T& v = result.values[i];
    if (mutation_ == Mutation::flipped_row && i >= last_row) v = static_cast<T>(-v);
    if (mutation_ == Mutation::wrong_scale) v = static_cast<T>(v * 2);
    if (mutation_ == Mutation::downcast) v = static_cast<T>(rounded(static_cast<double>(v), smaller));
  }
}

template <class T>
void BoundedMachine<T>::definition(std::size_t k) {
  const Step& step = program_->steps()[k];
  std::vector<numeric::Tensor<Bounded<T>>> tensors(step.args.size());
  std::vector<const numeric::Tensor<Bounded<T>>*> operands;
  for (std::size_t arg = 0; arg < step.args.size(); ++arg) {
    const auto& from = operand(k, arg);
    tensors[arg].shape = from.shape;
    for (std::size_t i = 0; i < from.size(); ++i) tensors[arg].values.push_back(from.at(i));
    operands.push_back(&tensors[arg]);
  }
  for (const Bounded<T>& entry : run_definition(step, operands)) results_[k].push(entry);
}

template <class T>
const std::vector<typename BoundedMachine<T>::Map>& BoundedMachine<T>::maps(std::size_t k) {
  if (maps_[k].empty()) maps_[k] = moves_entries(program_->steps()[k]) ? move_maps(*program_, k) : broadcast_maps(*program_, k);
  return maps_[k];
}

template <class T>
void BoundedMachine<T>::transpose(std::size_t k) {
  const BoundedTensor<T>& from = operand(k, 0);
  BoundedTensor<T>& result = results_[k];
  const auto rows = static_cast<std::size_t>(result.shape[0]), columns = static_cast<std::size_t>(result.shape[1]);
  const auto turn = [&](const auto& source, auto& target) {
    target.resize(source.size());
    constexpr std::size_t tile = 32;  // both tensors by lines of the cache
    for (std::size_t i0 = 0; i0 < rows && !source.empty(); i0 += tile) {
      for (std::size_t j0 = 0; j0 < columns; j0 += tile) {
        for (std::size_t i = i0; i < std::min(i0 + tile, rows); ++i) {
          for (std::size_t j = j0; j < std::min(j0 + tile, columns); ++j) target[i * columns + j] = source[j * rows + i];
        }
      }
    }
  };
  turn(from.values, result.values);
  turn(from.errors, result.errors);
  turn(from.variances, result.variances);
  result.outer = from.outer;
  result.outer.transpose();
}

template <class T>
void BoundedMachine<T>::move(std::size_t k) {
  BoundedTensor<T>& result = results_[k];
  const Map& sources = maps(k)[0];
  std::vector<std::int64_t> starts{0};
  bool exact = true;
  for (std::size_t arg = 0; arg < program_->steps()[k].args.size(); ++arg) {
    starts.push_back(starts.back() + static_cast<std::int64_t>(operand(k, arg).size()));
    exact = exact && operand(k, arg).is_exact();
  }
  const bool single = starts.size() == 2;
  result.values.reserve(sources.size());
  for (const std::int64_t source : sources) {  // 0 is the number zero, others count from 1 through all operands
    const auto arg = single ? 0 : static_cast<std::size_t>(std::upper_bound(starts.begin(), starts.end(), source - 1) - starts.begin()) - 1;
    const Bounded<T> entry = source == 0 ? Bounded<T>() : operand(k, arg).at(static_cast<std::size_t>(source - 1 - starts[arg]));
    result.values.push_back(entry.value);
    if (exact) continue;
    result.errors.push_back(entry.error);
    result.variances.push_back(entry.variance);
  }
}

template <class T>
void BoundedMachine<T>::product(std::size_t k) {
  multiply(operand(k, 0), operand(k, 1), fixed_[k] != 0 ? Bounds::entries : bounds_, results_[k]);
}

template <class T>
void BoundedMachine<T>::entrywise(std::size_t k) {
  const int op = program_->steps()[k].term->op;
  const auto& a = operand(k, 0);
  const auto& b = operand(k, 1);
  const Map& ia = maps(k)[0];
  const Map& ib = maps(k)[1];
  const auto count = static_cast<std::size_t>(program_->steps()[k].entries);
  BoundedTensor<T>& result = results_[k];
  const auto run = [&](const auto& combine) {
    const std::size_t a_step = a.size() == 1 ? 0 : 1, b_step = b.size() == 1 ? 0 : 1;
    const auto left = [&](std::size_t i) { return ia.empty() ? i * a_step : static_cast<std::size_t>(ia[i]); };
    const auto right = [&](std::size_t i) { return ib.empty() ? i * b_step : static_cast<std::size_t>(ib[i]); };
    if (values_only(k)) {
      bool finite = true;
      result.values.resize(count);
      for (std::size_t i = 0; i < count; ++i) {
        result.values[i] = static_cast<T>(combine(a.values[left(i)], b.values[right(i)]));
        finite = finite && std::isfinite(static_cast<double>(result.values[i]));
      }
      if (finite) return;
      result.clear();  // masked scores and divisions by zero have rules of their own
    }
    result.reserve(count);
    for (std::size_t i = 0; i < count; ++i) result.push(combine(a.at(left(i)), b.at(right(i))));
  };
  if (op == expr::operator_id<ops::Add>()) return run([](const auto& x, const auto& y) { return x + y; });
  if (op == expr::operator_id<ops::Subtract>()) return run([](const auto& x, const auto& y) { return x - y; });
  if (op == expr::operator_id<ops::Multiply>()) return run([](const auto& x, const auto& y) { return x * y; });
  run([](const auto& x, const auto& y) { return x / y; });
}

template <class T>
void BoundedMachine<T>::unary(std::size_t k) {
  const int op = program_->steps()[k].term->op;
  const auto run = [&](const auto& f) {
    const auto& a = operand(k, 0);
    results_[k].reserve(a.size());
    for (std::size_t i = 0; i < a.size(); ++i) results_[k].push(f(a.at(i)));
  };
  if (op == expr::operator_id<ops::Abs>() && values_only(k)) {
    const auto& from = operand(k, 0).values;
    results_[k].values.resize(from.size());
    std::transform(from.begin(), from.end(), results_[k].values.begin(), [](T x) { return static_cast<T>(std::abs(x)); });
    return;
  }
  using B = Bounded<T>;
  if (op == expr::operator_id<ops::Exp>()) return run([](const B& x) { return exp(x); });
  if (op == expr::operator_id<ops::Abs>()) return run([](const B& x) { return abs(x); });
  if (op == expr::operator_id<ops::Negate>()) return run([](const B& x) { return -x; });
  if (op == expr::operator_id<ops::Sigmoid>()) return run([](const B& x) { return sigmoid(x); });
  if (op == expr::operator_id<ops::Silu>()) return run([](const B& x) { return x * sigmoid(x); });
  if (op == expr::operator_id<ops::QuickGelu>()) return run([](const B& x) { return x * sigmoid(B::from(expr::Rational(851, 500)) * x); });
  if (op == expr::operator_id<ops::Tanh>()) return run([](const B& x) { return B(1) - B(2) * sigmoid(B(-2) * x); });
  run([](const B& x) { return x.is_masked() ? B(T(0), 0, 0) : B(static_cast<T>(numeric::max(x.value, T(0))), x.error, x.variance); });
}

template <class T>
void BoundedMachine<T>::rows(std::size_t k) {
  const Step& step = program_->steps()[k];
  const auto& a = operand(k, 0);
  const auto axis = static_cast<std::size_t>(step.term->call.axis);
  std::int64_t inner = 1;
  for (std::size_t r = axis + 1; r < a.shape.size(); ++r) inner *= a.shape[r];
  const std::int64_t length = a.shape[axis];
  const auto outer = static_cast<std::int64_t>(a.size()) / (inner * length);
  std::vector<Bounded<T>> entries(static_cast<std::size_t>(step.entries));
  const std::int64_t made = step.entries / (outer * inner);  // 1 for sums, else the length
  std::vector<Bounded<T>> row(static_cast<std::size_t>(length));
  for (std::int64_t o = 0; o < outer; ++o) {
    for (std::int64_t c = 0; c < inner; ++c) {
      for (std::int64_t i = 0; i < length; ++i) row[static_cast<std::size_t>(i)] = a.at(static_cast<std::size_t>((o * length + i) * inner + c));
      run_row(step, row, step.args.size() > 1 ? operand(k, 1).at(0) : Bounded<T>());
      for (std::int64_t i = 0; i < made; ++i) entries[static_cast<std::size_t>((o * made + i) * inner + c)] = row[static_cast<std::size_t>(i)];
    }
  }
  for (const auto& entry : entries) results_[k].push(entry);
}

template class BoundedMachine<double>;
template class BoundedMachine<float>;
template class BoundedMachine<Float16>;
template class BoundedMachine<BFloat16>;

}  // namespace foldproof::campaign
