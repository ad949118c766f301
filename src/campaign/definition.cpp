// SPDX-License-Identifier: MIT
// Any operator on bounded numbers, and on the positions of entries: the operator table is compiled here.
#include <numeric>

#include "campaign/rules.hpp"
#include "expr/operators.hpp"
#include "numeric/elimination.hpp"

namespace foldproof::numeric {
/// Pivots of bounded matrices: how far from zero they surely are.
template <>
double pivot_quality(const campaign::Bounded<double>& a) {
  return a.magnitude() - a.error;
}
template <>
double pivot_quality(const campaign::Bounded<float>& a) {
  return a.magnitude() - a.error;
}
template <>
double pivot_quality(const campaign::Bounded<campaign::Float16>& a) {
  return a.magnitude() - a.error;
}
template <>
double pivot_quality(const campaign::Bounded<campaign::BFloat16>& a) {
  return a.magnitude() - a.error;
}
}  // namespace foldproof::numeric

#include "numeric/algebra.hpp"

namespace foldproof::campaign {

namespace ops = expr::ops;

template <class T>
std::vector<T> run_definition(const numeric::Step& step, const std::vector<const numeric::Tensor<T>*>& operands) {
  std::vector<T> result;
  result.reserve(static_cast<std::size_t>(step.entries));
  numeric::NumericAlgebra<T> algebra(step);
  const numeric::OperandEntries<T> entries{operands};
  std::vector<std::int64_t> at(step.shape.size(), 0);
  const expr::Site<numeric::NumericAlgebra<T>> site(algebra, step.term->call, entries, at);
  expr::visit_operator(step.term->op, [&](auto op) {
    for (std::int64_t place = 0; place < step.entries; ++place) {
      result.push_back(decltype(op)::entry(site));
      for (std::size_t axis = at.size(); axis-- > 0 && ++at[axis] == step.shape[axis];) at[axis] = 0;
    }
  });
  return result;
}
template std::vector<Bounded<double>> run_definition(const numeric::Step&, const std::vector<const numeric::Tensor<Bounded<double>>*>&);
template std::vector<Bounded<float>> run_definition(const numeric::Step&, const std::vector<const numeric::Tensor<Bounded<float>>*>&);
template std::vector<Bounded<Float16>> run_definition(const numeric::Step&, const std::vector<const numeric::Tensor<Bounded<Float16>>*>&);
template std::vector<Bounded<BFloat16>> run_definition(const numeric::Step&, const std::vector<const numeric::Tensor<Bounded<BFloat16>>*>&);

bool moves_entries(const numeric::Step& step) {
  static constexpr int movers[] = {expr::operator_id<ops::Transpose>(),     expr::operator_id<ops::Permute>(),  expr::operator_id<ops::Reshape>(),
                                   expr::operator_id<ops::Subscripts>(),    expr::operator_id<ops::Concat>(),   expr::operator_id<ops::Vstack>(),
                                   expr::operator_id<ops::Stack>(),         expr::operator_id<ops::JoinLast>(), expr::operator_id<ops::JoinFirst>(),
                                   expr::operator_id<ops::BlockDiagonal>(), expr::operator_id<ops::BlockDiagonalHeads>(), expr::operator_id<ops::Vec>(),      expr::operator_id<ops::Diag>(),
                                   expr::operator_id<ops::Diagonal>(),      expr::operator_id<ops::Stride>(), expr::operator_id<ops::Flip>(),     expr::operator_id<ops::FlipAxis>()};
  if (step.term->kind != infer::TermKind::apply) return false;
  for (const int op : movers) {
    if (step.term->op == op) return true;
  }
  return false;
}

/// The definition, run on operands that hold their own positions.
std::vector<std::vector<std::int64_t>> move_maps(const numeric::Program& program, std::size_t k) {
  const numeric::Step& step = program.steps()[k];
  std::vector<numeric::Tensor<double>> positions(step.args.size());
  std::vector<const numeric::Tensor<double>*> operands;
  double next = 1;
  for (std::size_t arg = 0; arg < step.args.size(); ++arg) {
    const numeric::Step& from = program.steps()[static_cast<std::size_t>(step.args[arg])];
    positions[arg] = numeric::filled(from.shape, 0.0);
    std::iota(positions[arg].values.begin(), positions[arg].values.end(), next);
    next += static_cast<double>(from.entries);
    operands.push_back(&positions[arg]);
  }
  const auto sources = run_definition(step, operands);
  return {std::vector<std::int64_t>(sources.begin(), sources.end())};
}

}  // namespace foldproof::campaign
