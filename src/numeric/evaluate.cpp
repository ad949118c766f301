// SPDX-License-Identifier: MIT
// The evaluator, compiled once for each number type.
#include "numeric/evaluate.hpp"

#include "expr/operators.hpp"
#include "numeric/algebra.hpp"
#include "numeric/undefined.hpp"
#include "numeric/wide.hpp"

namespace foldproof::numeric {
namespace {

using infer::TermKind;
namespace ops = expr::ops;

/// a [n, k] times b [k, m].
template <class T>
void multiply(const Tensor<T>& a, const Tensor<T>& b, Tensor<T>& result) {
  const auto n = static_cast<std::size_t>(a.shape[0]);
  const auto inner = static_cast<std::size_t>(a.shape[1]);
  const auto m = static_cast<std::size_t>(b.shape[1]);
  result.values.reserve(n * m);
  if (inner == 0) result.values.assign(n * m, NumericAlgebra<T>::of(0));
  for (std::size_t i = 0; i < n && inner > 0; ++i) {
    for (std::size_t j = 0; j < m; ++j) {
      T sum = a.values[i * inner] * b.values[j];
      for (std::size_t k = 1; k < inner; ++k) {
        const T &x = a.values[i * inner + k], &y = b.values[k * m + j];
        if constexpr (std::is_same_v<T, Exact>) {  // of what is padded with zeros little else is left
          if ((x.is_zero() && !y.is_negative_infinity()) || (y.is_zero() && !x.is_negative_infinity())) continue;
        }
        sum = sum + x * y;
      }
      result.values.push_back(std::move(sum));
    }
  }
}

/// Entrywise arithmetic on equal shapes; false when this is something else.
template <class T>
bool entrywise(int op, const Tensor<T>& a, const Tensor<T>& b, Tensor<T>& result) {
  if (a.shape != b.shape) return false;
  const std::size_t count = a.values.size();
  if (op == expr::operator_id<ops::Add>()) {
    for (std::size_t i = 0; i < count; ++i) result.values.push_back(a.values[i] + b.values[i]);
  } else if (op == expr::operator_id<ops::Subtract>()) {
    for (std::size_t i = 0; i < count; ++i) result.values.push_back(a.values[i] - b.values[i]);
  } else if (op == expr::operator_id<ops::Multiply>()) {
    for (std::size_t i = 0; i < count; ++i) result.values.push_back(a.values[i] * b.values[i]);
  } else {
    return false;
  }
  return true;
}

template <class T>
void run_definition(const Step& step, const OperandEntries<T>& operands, Tensor<T>& result) {
  result.values.reserve(static_cast<std::size_t>(step.entries));
  NumericAlgebra<T> algebra(step);
  std::vector<std::int64_t> at(step.shape.size(), 0);
  const expr::Site<NumericAlgebra<T>> site(algebra, step.term->call, operands, at);
  expr::visit_operator(step.term->op, [&](auto op) {
    for (std::int64_t place = 0; place < step.entries; ++place) {
      result.values.push_back(decltype(op)::entry(site));
      for (std::size_t axis = at.size(); axis-- > 0 && ++at[axis] == step.shape[axis];) at[axis] = 0;
    }
  });
}

}  // namespace

template <class T>
Machine<T>::Machine(std::shared_ptr<const Program> program)
    : program_(std::move(program)), results_(program_->steps().size()), outcomes_(program_->steps().size(), Outcome::stale), failures_(program_->steps().size()) {}

template <class T>
void Machine<T>::set(const std::string& variable, const Tensor<T>& value) {
  const int step = program_->variable(variable);
  if (step < 0) return;
  expr::invariant(value.shape == program_->steps()[static_cast<std::size_t>(step)].shape, "a variable has another shape than its term");
  results_[static_cast<std::size_t>(step)] = value;
  outcomes_[static_cast<std::size_t>(step)] = Outcome::value;
  spoil(step);
}

template <class T>
void Machine<T>::set_entry(int step, std::size_t place, const T& value) {
  results_[static_cast<std::size_t>(step)].values[place] = value;
  spoil(step);
}

template <class T>
void Machine<T>::spoil(int step) {
  for (const int user : program_->dependents(step)) outcomes_[static_cast<std::size_t>(user)] = Outcome::stale;
}

template <class T>
const Tensor<T>& Machine<T>::root(std::size_t k) {
  const auto place = static_cast<std::size_t>(program_->root(k));
  if (outcome(k) != Outcome::value) std::rethrow_exception(failures_[place]);
  return results_[place];
}

template <class T>
Outcome Machine<T>::step(int k) {
  const auto place = static_cast<std::size_t>(k);
  Outcome& outcome = outcomes_[place];
  if (outcome != Outcome::stale) return outcome;
  for (const int arg : program_->steps()[place].args) {
    if (step(arg) == Outcome::value) continue;
    failures_[place] = failures_[static_cast<std::size_t>(arg)];
    return outcome = outcomes_[static_cast<std::size_t>(arg)];
  }
  const auto failed = [&](Outcome how) {
    failures_[place] = std::current_exception();
    return outcome = how;
  };
  try {
    compute(program_->steps()[place], results_[place]);
    return outcome = Outcome::value;
  } catch (const NeedsReals&) {
    return failed(Outcome::needs_reals);
  } catch (const Undefined&) {
    return failed(Outcome::undefined);
  } catch (const expr::LimitReached&) {
    return failed(Outcome::limit);
  }
}

/// Into the memory of the last value.
template <class T>
void Machine<T>::compute(const Step& step, Tensor<T>& result) {
  expr::SmallVector<const Tensor<T>*, 4> tensors;
  for (const int arg : step.args) tensors.push_back(&results_[static_cast<std::size_t>(arg)]);
  result.shape = step.shape;
  result.values.clear();
  switch (step.term->kind) {
    case TermKind::variable: throw expr::InternalError("the variable " + step.term->name + " has no value");
    case TermKind::number: result.values.push_back(NumericAlgebra<T>::number(step.term->value)); return;
    case TermKind::size: result.values.push_back(NumericAlgebra<T>::of(step.number)); return;
    case TermKind::stack:
      for (const auto* part : tensors) result.values.insert(result.values.end(), part->values.begin(), part->values.end());
      return;
    case TermKind::apply: break;
  }
  if (tensors.size() == 2) {
    if (step.term->op == expr::operator_id<ops::Matmul>() && tensors[0]->shape.size() == 2 && tensors[1]->shape.size() == 2) return multiply(*tensors[0], *tensors[1], result);
    if (entrywise(step.term->op, *tensors[0], *tensors[1], result)) return;
  }
  run_definition(step, OperandEntries<T>{tensors}, result);
}

template <class T>
T entry_of(const Step& step, const OperandEntries<T>& operands, std::span<const std::int64_t> at) {
  NumericAlgebra<T> algebra(step);
  const expr::Site<NumericAlgebra<T>> site(algebra, step.term->call, operands, at);
  std::optional<T> value;
  expr::visit_operator(step.term->op, [&](auto op) { value = decltype(op)::entry(site); });
  return *value;
}
template Exact entry_of(const Step&, const OperandEntries<Exact>&, std::span<const std::int64_t>);
template Interval entry_of(const Step&, const OperandEntries<Interval>&, std::span<const std::int64_t>);

template <class T>
Tensor<T> evaluate(const infer::Term& term, const Instance<T>& instance) {
  const infer::Term roots[] = {term};
  Machine<T> machine(std::make_shared<const Program>(roots, instance.dims, quick_program));
  for (const auto& [name, value] : instance.values) machine.set(name, value);
  return machine.root(0);
}

Instance<Interval> enclosed(const Instance<Exact>& instance) {
  Instance<Interval> result{instance.dims, {}};
  for (const auto& [name, tensor] : instance.values) result.values[name] = converted<Interval>(tensor, [](const Exact& v) { return Interval::from(v); });
  return result;
}

template class Machine<Exact>;
template class Machine<Interval>;
template class Machine<PrimeField>;
template class Machine<double>;
template class Machine<Wide>;
template Tensor<Exact> evaluate(const infer::Term&, const Instance<Exact>&);
template Tensor<Interval> evaluate(const infer::Term&, const Instance<Interval>&);
template Tensor<PrimeField> evaluate(const infer::Term&, const Instance<PrimeField>&);
template Tensor<double> evaluate(const infer::Term&, const Instance<double>&);
template Tensor<Wide> evaluate(const infer::Term&, const Instance<Wide>&);

}  // namespace foldproof::numeric
