// SPDX-License-Identifier: MIT
#include "refute/values_by_entry.hpp"

#include <numeric>

#include "expr/diagnostic.hpp"
#include "numeric/entry_machine.hpp"
#include "numeric/undefined.hpp"
#include "refute/order.hpp"
#include "refute/space.hpp"

namespace foldproof::refute {
namespace {

using numeric::Interval;
using numeric::Tensor;

numeric::SparseVariable<Interval> dense(const Tensor<Interval>& tensor) {
  numeric::SparseVariable<Interval> out;
  out.entry = [&tensor](std::span<const std::int64_t> indices) {
    std::int64_t place = 0;
    for (std::size_t axis = 0; axis < tensor.shape.size(); ++axis) place = place * tensor.shape[axis] + indices[axis];
    return tensor.values[static_cast<std::size_t>(place)];
  };
  for (const std::int64_t extent : tensor.shape) {
    out.places.emplace_back(static_cast<std::size_t>(extent));
    std::iota(out.places.back().begin(), out.places.back().end(), 0);
  }
  return out;
}

/// Whether every entry of both roots has a value.
bool have_values(const std::shared_ptr<const numeric::Program>& program, const numeric::Instance<Interval>& instance) {
  constexpr std::int64_t most_entries = 100'000;
  std::map<std::string, numeric::SparseVariable<Interval>> variables;
  for (const auto& [name, tensor] : instance.values) variables.emplace(name, dense(tensor));
  numeric::EntryMachine<Interval> machine(program, std::move(variables), most_entries);
  try {
    for (const std::size_t side : {std::size_t{0}, std::size_t{1}}) {
      const std::vector<std::int64_t> shape = machine.shape(side);
      for (std::int64_t place = 0; place < numeric::entries(shape); ++place) machine.root(side, numeric::indices_of(place, shape));
    }
    return true;
  } catch (const numeric::Undefined&) {
  } catch (const numeric::NeedsReals&) {
  }
  return false;
}

}  // namespace

bool has_values_by_entry(const infer::Problem& problem, std::uint64_t seed) {
  constexpr std::size_t most_shapes = 20;
  const infer::Term sides[] = {problem.lhs, problem.rhs};
  for (const expr::DimValues& dims : shapes_in_order(problem, most_shapes)) {
    try {
      const auto program = std::make_shared<const numeric::Program>(sides, dims, numeric::quick_program);
      const Space space(problem, dims, Lane(problem.variables.size(), 0), seed);
      if (space.empty()) continue;
      for (const auto& choice : {space.choice_of_sign(1, 1), space.random_choice(0), space.random_choice(1)}) {
        if (have_values(program, numeric::enclosed(space.instance(choice)))) return true;
      }
    } catch (const numeric::Undefined&) {  // an empty axis
    } catch (const numeric::NeedsReals&) {
    } catch (const expr::LimitReached&) {
    }
  }
  return false;
}

}  // namespace foldproof::refute
