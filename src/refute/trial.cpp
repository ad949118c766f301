// SPDX-License-Identifier: MIT
#include "refute/trial.hpp"

#include "numeric/undefined.hpp"

namespace foldproof::refute {
namespace {

using expr::Relation;
using numeric::Interval;
using numeric::PrimeField;

bool violated(const Exact& a, Relation relation, const Exact& b) { return !numeric::related(a, relation, b); }
bool violated(PrimeField a, Relation relation, PrimeField b) { return relation == Relation::equal ? !(a == b) : false; }
bool violated(const Interval& a, Relation relation, const Interval& b) {
  const bool apart = disjoint(a, b);
  switch (relation) {
    case Relation::equal: return apart;
    case Relation::not_equal: return a.is_point() && b.is_point() && !apart;
    case Relation::less_equal: return is_less(b, a);
    case Relation::greater_equal: return violated(b, Relation::less_equal, a);
    case Relation::less: return !a.is_negative_infinity() && !b.is_negative_infinity() && a.lower() >= b.upper();
    case Relation::greater: return violated(b, Relation::less, a);
  }
  return false;
}

template <class T>
T in_type(const Exact& value) {
  if constexpr (std::is_same_v<T, Exact>) {
    return value;
  } else if constexpr (std::is_same_v<T, Interval>) {
    return Interval::from(value);
  } else {
    const auto small = value.is_rational() ? expr::Rational::parse(value.coefficient(0).text()) : std::nullopt;
    if (!small) throw numeric::NeedsReals("a logarithm in a prime field");
    return PrimeField::from(*small);
  }
}

template <class T>
Tensor<T> in_type(const Tensor<Exact>& tensor) {
  return numeric::converted<T>(tensor, [](const Exact& v) { return in_type<T>(v); });
}

}  // namespace

template <class T>
std::int64_t first_violation(const Tensor<T>& lhs, Relation relation, const Tensor<T>& rhs) {
  const std::size_t count = (lhs.shape.empty() ? rhs : lhs).values.size();
  for (std::size_t i = 0; i < count; ++i) {
    if (violated(lhs.values[lhs.shape.empty() ? 0 : i], relation, rhs.values[rhs.shape.empty() ? 0 : i])) return static_cast<std::int64_t>(i);
  }
  return -1;
}
template std::int64_t first_violation(const Tensor<Exact>&, Relation, const Tensor<Exact>&);
template std::int64_t first_violation(const Tensor<Interval>&, Relation, const Tensor<Interval>&);
template std::int64_t first_violation(const Tensor<PrimeField>&, Relation, const Tensor<PrimeField>&);

template <class T>
Trial<T>::Trial(const Space& space, std::shared_ptr<const numeric::Program> program) : space_(&space), machine_(std::move(program)), choice_(space.slots().size(), 0) {
  for (const auto& pool : space.pools()) {
    pools_.emplace_back();
    for (const Exact& v : pool) pools_.back().push_back(in_type<T>(v));
  }
  const auto start = space.instance(choice_);
  for (const auto& v : space.problem().variables) {
    steps_.push_back(machine_.program().variable(v.name));
    machine_.set(v.name, in_type<T>(start.values.at(v.name)));
  }
}

template <class T>
void Trial<T>::choose(std::size_t slot, std::size_t alternative) {
  if (choice_[slot] == alternative) return;
  choice_[slot] = alternative;
  const Slot& s = space_->slots()[slot];
  if (s.pool >= 0) {
    const int step = steps_[s.variables[0]];
    if (step >= 0) machine_.set_entry(step, s.place, pools_[static_cast<std::size_t>(s.pool)][alternative]);
    return;
  }
  for (std::size_t k = 0; k < s.variables.size(); ++k) {
    machine_.set(space_->problem().variables[s.variables[k]].name, in_type<T>(s.tensors[alternative][k]));
  }
}

template <class T>
void Trial<T>::choose(const std::vector<std::size_t>& choice) {
  for (std::size_t slot = 0; slot < choice.size(); ++slot) choose(slot, choice[slot]);
}

template <class T>
Finding Trial<T>::run() {
  ++runs_;
  const numeric::Outcome outcome = machine_.outcome(0, 1);
  if (outcome != numeric::Outcome::value) return outcome == numeric::Outcome::needs_reals ? Finding::needs_reals : Finding::undefined;
  try {
    return first_violation(machine_.root(0), space_->problem().relation, machine_.root(1)) >= 0 ? Finding::differs : Finding::holds;
  } catch (const numeric::NeedsReals&) {  // by the comparison
    return Finding::needs_reals;
  } catch (const numeric::Undefined&) {
    return Finding::undefined;
  }
}

template class Trial<Exact>;
template class Trial<Interval>;
template class Trial<PrimeField>;

}  // namespace foldproof::refute
