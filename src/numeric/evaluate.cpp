// SPDX-License-Identifier: MIT
// The evaluator, compiled once for each number type.
#include "numeric/evaluate.hpp"

#include "expr/operators.hpp"
#include "numeric/wide.hpp"
#include "numeric/algebra.hpp"

namespace foldproof::numeric {
namespace {

using infer::TermKind;
namespace ops = expr::ops;

/// a [n, k] times b [k, m].
template <class T>
Tensor<T> product(const Tensor<T>& a, const Tensor<T>& b) {
  const auto n = static_cast<std::size_t>(a.shape[0]);
  const auto inner = static_cast<std::size_t>(a.shape[1]);
  const auto m = static_cast<std::size_t>(b.shape[1]);
  Tensor<T> result{{a.shape[0], b.shape[1]}, {}};
  result.values.reserve(n * m);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < m; ++j) {
      T sum = a.values[i * inner] * b.values[j];
      for (std::size_t k = 1; k < inner; ++k) sum = sum + a.values[i * inner + k] * b.values[k * m + j];
      result.values.push_back(std::move(sum));
    }
  }
  return result;
}

/// Entrywise arithmetic on equal shapes; false when this is something else.
template <class T>
bool entrywise(int op, const Tensor<T>& a, const Tensor<T>& b, Tensor<T>& result) {
  if (a.shape != b.shape) return false;
  const std::size_t count = a.values.size();
  result = {a.shape, {}};
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
Tensor<T> run_definition(const Step& step, const OperandEntries<T>& operands) {
  Tensor<T> result{step.shape, {}};
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
  return result;
}

}  // namespace

template <class T>
Machine<T>::Machine(std::shared_ptr<const Program> program) : program_(std::move(program)), results_(program_->steps().size()), fresh_(program_->steps().size(), 0) {}

template <class T>
void Machine<T>::set(const std::string& variable, const Tensor<T>& value) {
  const int step = program_->variable(variable);
  if (step < 0) return;
  expr::invariant(value.shape == program_->steps()[static_cast<std::size_t>(step)].shape, "a variable has another shape than its term");
  results_[static_cast<std::size_t>(step)] = value;
  fresh_[static_cast<std::size_t>(step)] = 1;
  spoil(step);
}

template <class T>
void Machine<T>::set_entry(int step, std::size_t place, const T& value) {
  results_[static_cast<std::size_t>(step)].values[place] = value;
  spoil(step);
}

template <class T>
void Machine<T>::spoil(int step) {
  for (const int user : program_->dependents(step)) fresh_[static_cast<std::size_t>(user)] = 0;
}

template <class T>
const Tensor<T>& Machine<T>::step(int k) {
  const auto place = static_cast<std::size_t>(k);
  if (fresh_[place] == 0) {
    for (const int arg : program_->steps()[place].args) step(arg);
    results_[place] = compute(program_->steps()[place]);
    fresh_[place] = 1;
  }
  return results_[place];
}

template <class T>
Tensor<T> Machine<T>::compute(const Step& step) {
  OperandEntries<T> operands;
  for (const int arg : step.args) operands.tensors.push_back(&results_[static_cast<std::size_t>(arg)]);
  switch (step.term->kind) {
    case TermKind::variable: throw expr::InternalError("the variable " + step.term->name + " has no value");
    case TermKind::number: return {{}, {NumericAlgebra<T>::number(step.term->value)}};
    case TermKind::size: return {{}, {NumericAlgebra<T>::of(step.number)}};
    case TermKind::stack: {
      Tensor<T> result{step.shape, {}};
      for (const auto* part : operands.tensors) result.values.insert(result.values.end(), part->values.begin(), part->values.end());
      return result;
    }
    case TermKind::apply: break;
  }
  const auto& tensors = operands.tensors;
  if (tensors.size() == 2) {
    if (step.term->op == expr::operator_id<ops::Matmul>() && tensors[0]->shape.size() == 2 && tensors[1]->shape.size() == 2) return product(*tensors[0], *tensors[1]);
    Tensor<T> result;
    if (entrywise(step.term->op, *tensors[0], *tensors[1], result)) return result;
  }
  return run_definition(step, operands);
}

template <class T>
Tensor<T> evaluate(const infer::Term& term, const Instance<T>& instance) {
  const infer::Term roots[] = {term};
  Machine<T> machine(std::make_shared<const Program>(roots, instance.dims));
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
