// SPDX-License-Identifier: MIT
#include "refute/space.hpp"

#include <algorithm>
#include <numeric>

#include "infer/is_operator.hpp"
#include "numeric/random.hpp"
#include "numeric/undefined.hpp"
#include "refute/tied.hpp"

namespace foldproof::refute {
namespace {

using infer::Fact;

constexpr std::size_t simple_entries = 6;  ///< 0, 1, -1, 2, -2, 1/2
constexpr std::size_t simple_tensors = 64;
constexpr std::size_t few_tensors = 12;
constexpr std::size_t small_numbers = 3;   ///< 1, -1, 2

/// A product over p values has at most rank p, so it is no identity of more: Q.T @ Q == eye(p) asks for at least p rows.
bool has_too_small_a_rank(const Fact& f, const expr::DimValues& dims) {
  const bool identity = f.kind == infer::FactKind::relation && f.relation == expr::Relation::equal && infer::is<expr::ops::Matmul>(f.lhs) && infer::is<expr::ops::Eye>(f.rhs);
  return identity && expr::evaluate(f.lhs->args[0]->shape.back(), dims) < expr::evaluate(f.rhs->shape[0], dims);
}

}  // namespace

Space::Space(const infer::Problem& problem, const expr::DimValues& dims, const Lane& lane, std::uint64_t seed, std::size_t completions) : problem_(&problem), dims_(dims), seed_(seed) {
  for (const auto& v : problem.variables) {
    shapes_.emplace_back();
    for (const auto& d : v.shape) {
      shapes_.back().push_back(expr::evaluate(d, dims));
      if (shapes_.back().back() < 1) throw numeric::Undefined("an empty axis");
    }
  }
  const bool integral = std::any_of(lane.begin(), lane.end(), [](char c) { return c != 0; });  // products stay multiples of ln 2
  const auto group = groups();
  for (std::size_t v = 0; v < group.size(); ++v) {
    std::vector<std::size_t> members;
    for (std::size_t w = 0; w < group.size(); ++w) {
      if (group[w] == v) members.push_back(w);
    }
    const auto facts = facts_on(problem, problem.variables[v].name);
    const bool tied = std::any_of(problem.facts.begin(), problem.facts.end(), [&](const Fact& f) {
      const auto in = variables_in(problem, f);
      return is_tying_fact(f) && std::find(in.begin(), in.end(), v) != in.end();
    });
    if (tied) {
      if (!members.empty()) add_tied(members, lane, completions);
    } else if (std::any_of(facts.begin(), facts.end(), [](const Fact* f) { return is_structural_fact(*f); })) {
      add_structured(v);
    } else {
      add_entries(v, lane[v] != 0, integral);
    }
  }
  for (const Fact& f : problem.facts) {  // assumptions about sizes, written with tensors
    if (is_tying_fact(f) && variables_in(problem, f).empty() && !numeric::holds(f, numeric::Instance<Exact>{dims_, {}})) empty_ = true;
  }
}

std::vector<std::size_t> Space::groups() const {
  std::vector<std::size_t> group(problem_->variables.size());
  std::iota(group.begin(), group.end(), 0);
  for (const Fact& f : problem_->facts) {
    if (!is_tying_fact(f)) continue;
    const auto members = variables_in(*problem_, f);
    for (const std::size_t v : members) {
      const std::size_t low = std::min(group[v], group[members[0]]);
      const std::size_t high = std::max(group[v], group[members[0]]);
      std::replace(group.begin(), group.end(), high, low);
    }
  }
  return group;
}

void Space::add_entries(std::size_t variable, bool logarithmic, bool integral) {
  const std::string& name = problem_->variables[variable].name;
  unstructured_ = unstructured_ && is_dense(*problem_, name);
  auto values = entry_values(*problem_, name, dims_, logarithmic, integral);
  empty_ = empty_ || values.empty();
  pools_.push_back(std::move(values));
  const std::int64_t count = numeric::entries(shapes_[variable]);
  for (std::int64_t place = 0; place < count; ++place) {
    slots_.push_back({{variable}, static_cast<std::size_t>(place), static_cast<int>(pools_.size()) - 1, false, {}});
  }
}

void Space::add_structured(std::size_t variable) {
  unstructured_ = false;
  Slot slot;
  slot.variables = {variable};
  for (Tensor<Exact>& t : tensor_values(*problem_, problem_->variables[variable].name, shapes_[variable], false, seed_ + variable)) slot.tensors.push_back({std::move(t)});
  empty_ = empty_ || slot.tensors.empty();
  slots_.push_back(std::move(slot));
}

void Space::add_tied(const std::vector<std::size_t>& variables, const Lane& lane, std::size_t completions) {
  unstructured_ = false;
  Slot slot;
  slot.variables = variables;
  slot.tied = true;
  std::vector<const Fact*> facts;
  for (const Fact& f : problem_->facts) {
    if (!is_tying_fact(f)) continue;
    const auto in = variables_in(*problem_, f);
    if (!in.empty() && std::find(variables.begin(), variables.end(), in[0]) != variables.end()) facts.push_back(&f);
  }
  std::vector<std::vector<Tensor<Exact>>> lists;
  std::vector<char> logarithmic;
  for (const std::size_t v : variables) {
    logarithmic.push_back(lane[v]);
    lists.push_back(tensor_values(*problem_, problem_->variables[v].name, shapes_[v], lane[v] != 0, seed_ + v));
  }
  const auto search = [&] {
    if (std::any_of(lists.begin(), lists.end(), [](const auto& list) { return list.empty(); })) return;
    TiedSearch tied(*problem_, dims_, variables, facts, lists, logarithmic);
    slot.tensors = tied.run(seed_, completions);
    work_ += tied.work();
    unsure_ = unsure_ || tied.unsure();
  };
  const bool possible = std::none_of(facts.begin(), facts.end(), [&](const Fact* f) { return has_too_small_a_rank(*f, dims_); });
  if (possible) search();
  if (possible && slot.tensors.empty()) {  // sum(X) == 1000
    std::vector<infer::Term> sides;
    for (const Fact* f : facts) sides.insert(sides.end(), {f->lhs, f->rhs});
    const auto literals = literals_in(sides);
    for (std::size_t k = 0; k < variables.size(); ++k) {
      auto near = tensors_near(literals, *problem_, problem_->variables[variables[k]].name, shapes_[variables[k]]);
      near.insert(near.end(), lists[k].begin(), lists[k].begin() + static_cast<std::ptrdiff_t>(std::min(few_tensors, lists[k].size())));
      lists[k] = std::move(near);
    }
    search();
  }
  empty_ = empty_ || slot.tensors.empty();
  slots_.push_back(std::move(slot));
}

std::size_t Space::alternatives(std::size_t slot) const {
  const Slot& s = slots_[slot];
  return s.pool < 0 ? s.tensors.size() : pools_[static_cast<std::size_t>(s.pool)].size();
}
std::size_t Space::simple_alternatives(std::size_t slot) const {
  if (slots_[slot].tied) return alternatives(slot);  // what satisfies an equation is few already
  return std::min(alternatives(slot), slots_[slot].pool < 0 ? simple_tensors : simple_entries);
}

numeric::Instance<Exact> Space::instance(const std::vector<std::size_t>& choice) const {
  std::vector<Tensor<Exact>> tensors;
  for (const auto& shape : shapes_) tensors.push_back(numeric::filled(shape, Exact(0)));
  for (std::size_t k = 0; k < slots_.size(); ++k) {
    const Slot& slot = slots_[k];
    if (slot.pool >= 0) {
      tensors[slot.variables[0]].values[slot.place] = pools_[static_cast<std::size_t>(slot.pool)][choice[k]];
    } else {
      for (std::size_t i = 0; i < slot.variables.size(); ++i) tensors[slot.variables[i]] = slot.tensors[choice[k]][i];
    }
  }
  numeric::Instance<Exact> result{dims_, {}};
  for (std::size_t v = 0; v < tensors.size(); ++v) result.values[problem_->variables[v].name] = std::move(tensors[v]);
  return result;
}

std::vector<std::size_t> Space::random_choice(std::uint64_t draw) const {
  const numeric::Stream stream(seed_, 11);
  std::vector<std::size_t> choice;
  for (std::size_t k = 0; k < slots_.size(); ++k) {
    const std::size_t most = draw % 3 == 2 && slots_[k].pool >= 0 ? std::min<std::size_t>(3, alternatives(k)) : alternatives(k);
    choice.push_back(stream.draw(draw, k) % most);
  }
  return choice;
}

std::vector<std::size_t> Space::dependent_choice(std::uint64_t draw) const {
  std::vector<std::vector<std::size_t>> small;
  for (const auto& pool : pools_) {
    small.emplace_back();
    for (std::size_t k = 0; k < pool.size() && small.back().size() < small_numbers; ++k) {
      if (!pool[k].is_zero()) small.back().push_back(k);
    }
    if (small.back().empty()) small.back().push_back(0);
  }
  const numeric::Stream stream(seed_, 17);
  std::vector<std::size_t> choice;
  for (std::size_t k = 0; k < slots_.size(); ++k) {
    const std::uint64_t number = stream.draw(draw, k);
    if (slots_[k].pool < 0) {
      choice.push_back(number % alternatives(k));
    } else {
      const auto& list = small[static_cast<std::size_t>(slots_[k].pool)];
      choice.push_back(list[number % list.size()]);
    }
  }
  for (std::size_t k = 0; k < slots_.size(); ++k) {
    if (slots_[k].pool >= 0 && slots_[k].place == 0) make_dependent(k, choice);
  }
  return choice;
}

std::vector<std::vector<std::size_t>> Space::diagonal_choices(std::size_t most) const {
  struct Matrix {
    std::size_t first, rows, columns, zero, one;
    std::size_t largest_rank() const { return std::min(rows, columns); }
  };
  std::vector<Matrix> matrices;
  for (std::size_t k = 0; k < slots_.size(); ++k) {
    if (slots_[k].pool < 0 || slots_[k].place != 0) continue;
    const auto& shape = shapes_[slots_[k].variables[0]];
    const auto& pool = pools_[static_cast<std::size_t>(slots_[k].pool)];
    const auto zero = std::find(pool.begin(), pool.end(), Exact(0)), one = std::find(pool.begin(), pool.end(), Exact(1));
    if (shape.size() != 2 || zero == pool.end() || one == pool.end()) continue;
    matrices.push_back({k, static_cast<std::size_t>(shape[0]), static_cast<std::size_t>(shape[1]), static_cast<std::size_t>(zero - pool.begin()), static_cast<std::size_t>(one - pool.begin())});
  }
  std::vector<std::vector<std::size_t>> found;
  std::vector<std::size_t> ranks(matrices.size(), 0);
  for (bool more = !matrices.empty(); more && found.size() < most;) {
    std::vector<std::size_t> choice(slots_.size(), 0);
    for (std::size_t m = 0; m < matrices.size(); ++m) {
      const Matrix& a = matrices[m];
      for (std::size_t i = 0; i < a.rows; ++i) {
        for (std::size_t j = 0; j < a.columns; ++j) choice[a.first + i * a.columns + j] = i == j && i < ranks[m] ? a.one : a.zero;
      }
    }
    found.push_back(std::move(choice));
    more = false;
    for (std::size_t m = 0; m < matrices.size() && !more; ++m) {
      more = ranks[m] < matrices[m].largest_rank();
      ranks[m] = more ? ranks[m] + 1 : 0;
    }
  }
  return found;
}

void Space::make_dependent(std::size_t first, std::vector<std::size_t>& choice) const {
  const auto& shape = shapes_[slots_[first].variables[0]];
  const auto& pool = pools_[static_cast<std::size_t>(slots_[first].pool)];
  if (shape.size() != 2 || shape[0] < 3) return;
  const auto rows = static_cast<std::size_t>(shape[0]);
  const auto columns = static_cast<std::size_t>(shape[1]);
  for (const auto& [a, b] : {std::pair{1, 1}, {1, -1}, {2, 1}, {1, 2}}) {
    std::vector<std::size_t> row;
    for (std::size_t j = 0; j < columns; ++j) {
      const Exact sum = Exact(a) * pool[choice[first + j]] + Exact(b) * pool[choice[first + columns + j]];
      const auto found = std::find(pool.begin(), pool.end(), sum);
      if (sum.is_zero() || found == pool.end()) break;
      row.push_back(static_cast<std::size_t>(found - pool.begin()));
    }
    if (row.size() < columns) continue;
    std::copy(row.begin(), row.end(), choice.begin() + static_cast<std::ptrdiff_t>(first + (rows - 1) * columns));
    return;
  }
}

std::vector<std::size_t> Space::first_entries() const {
  std::vector<std::size_t> choice(slots_.size(), 0);
  const auto ones = choice_of_sign(0, 1);
  for (std::size_t k = 0; k < slots_.size(); ++k) {
    if (slots_[k].pool >= 0 && slots_[k].place == 0) choice[k] = ones[k];
  }
  return choice;
}

std::vector<std::size_t> Space::choice_of_sign(std::uint64_t draw, int sign) const {
  std::vector<std::vector<std::size_t>> wanted;
  for (const auto& pool : pools_) {
    wanted.emplace_back();
    for (std::size_t k = 0; k < pool.size(); ++k) {
      if (pool[k].sign() == sign) wanted.back().push_back(k);
    }
    if (wanted.back().empty()) {
      for (std::size_t k = 0; k < pool.size(); ++k) wanted.back().push_back(k);
    }
  }
  const numeric::Stream stream(seed_, 13);
  std::vector<std::size_t> choice;
  for (std::size_t k = 0; k < slots_.size(); ++k) {
    if (slots_[k].pool < 0) {
      choice.push_back(draw % alternatives(k));
    } else {
      const auto& list = wanted[static_cast<std::size_t>(slots_[k].pool)];
      choice.push_back(list[draw == 0 ? 0 : stream.draw(draw, k) % list.size()]);
    }
  }
  return choice;
}

}  // namespace foldproof::refute
