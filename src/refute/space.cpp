// SPDX-License-Identifier: MIT
// Which assumption concerns what: bounds by a number restrict single entries, named properties whole matrices, and everything
// else ties its variables together; those are chosen jointly, by trying simple tensors and keeping what satisfies it.
#include "refute/space.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

#include "expr/operators.hpp"
#include "numeric/undefined.hpp"

namespace foldproof::refute {
namespace {

using infer::Fact;
using infer::FactKind;
using infer::Term;
using infer::TermKind;
using numeric::Instance;
using numeric::Rational;
namespace ops = expr::ops;

constexpr std::size_t simple_entries = 6;     ///< 0, 1, -1, 2, -2, 1/2
constexpr std::size_t simple_tensors = 64;
constexpr std::size_t most_tied = 96;         ///< joint alternatives kept
constexpr std::size_t most_tries = 4000;      ///< combinations tried for them

/// The number a term is, if it is one.
const expr::Rational* constant(const Term& t) { return t && t->kind == TermKind::number ? &t->value : nullptr; }

/// A bound on every entry of one variable: "s > 0", "1 != B", positive(s).
bool is_entry_fact(const Fact& f) {
  if (f.kind == FactKind::predicate) return f.lhs->kind == TermKind::variable && !numeric::is_structural(f.predicate);
  if (f.kind != FactKind::relation) return false;
  return (f.lhs->kind == TermKind::variable && constant(f.rhs)) || (f.rhs->kind == TermKind::variable && constant(f.lhs));
}
bool is_structural_fact(const Fact& f) { return f.kind == FactKind::predicate && f.lhs->kind == TermKind::variable && numeric::is_structural(f.predicate); }
bool is_tying_fact(const Fact& f) { return (f.kind == FactKind::predicate || f.kind == FactKind::relation) && !is_entry_fact(f) && !is_structural_fact(f); }

bool entry_allowed(const Fact& f, const Exact& value) {
  const Tensor<Exact> one{{}, {value}};
  if (f.kind == FactKind::predicate) return numeric::satisfies(f.predicate, one);
  const bool left = f.lhs->kind == TermKind::variable;
  const Exact bound = Exact::from(*constant(left ? f.rhs : f.lhs));
  return left ? numeric::related(value, f.relation, bound) : numeric::related(bound, f.relation, value);
}

void collect_variables(const Term& t, std::vector<std::string>& names) {
  if (!t) return;
  if (t->kind == TermKind::variable) names.push_back(t->name);
  for (const Term& arg : t->args) collect_variables(arg, names);
}

/// The size of the vocabulary when the variable holds token numbers, else 0.
std::int64_t vocabulary(const Term& t, const std::string& name, const expr::DimValues* dims) {
  std::int64_t result = 0;
  const auto note = [&](const Term& tokens, const expr::Dim& size) {
    if (tokens->kind == TermKind::variable && tokens->name == name) result = dims == nullptr ? 1 : expr::evaluate(size, *dims);
  };
  if (t->kind == TermKind::apply && t->op == expr::operator_id<ops::OneHot>()) note(t->args[0], t->call.sizes[0]);
  if (t->kind == TermKind::apply && t->op == expr::operator_id<ops::Take>()) note(t->args[1], t->call.operands[0][0]);
  for (const Term& arg : t->args) {
    const std::int64_t inner = vocabulary(arg, name, dims);
    if (inner != 0) result = result == 0 ? inner : std::min(result, inner);
  }
  return result;
}
std::int64_t vocabulary(const infer::Problem& problem, const std::string& name, const expr::DimValues* dims) {
  const std::int64_t left = vocabulary(problem.lhs, name, dims);
  const std::int64_t right = vocabulary(problem.rhs, name, dims);
  return left == 0 ? right : right == 0 ? left : std::min(left, right);
}

std::vector<Exact> numbers(bool logarithmic, bool integral) {
  std::vector<Exact> result;
  for (const std::int64_t n : {0, 1, -1, 2, -2}) result.push_back(logarithmic ? Exact::log_two(n) : Exact(n));
  if (!logarithmic && !integral) {
    result.push_back(Rational(1, 2));
    result.push_back(Rational(-1, 2));
    result.push_back(Rational(3, 2));
    result.push_back(Rational(-7, 3));
    result.push_back(Rational(1, 3));
  }
  for (const std::int64_t n : {3, -3, 4}) result.push_back(logarithmic ? Exact::log_two(n) : Exact(n));
  if (!logarithmic) result.push_back(7);
  return result;
}

}  // namespace

std::vector<char> may_be_logarithmic(const infer::Problem& problem) {
  std::vector<char> result;
  for (const auto& v : problem.variables) {
    bool may = vocabulary(problem, v.name, nullptr) == 0;
    for (const Fact& f : problem.facts) {
      if (is_structural_fact(f) && f.lhs->name == v.name) may = false;
      if (is_entry_fact(f) && f.predicate == "mask01" && f.lhs->name == v.name) may = false;
    }
    result.push_back(may);
  }
  return result;
}

Space::Space(const infer::Problem& problem, const expr::DimValues& dims, const Lane& lane, std::uint64_t seed) : problem_(&problem), dims_(dims), seed_(seed) {
  for (const auto& v : problem.variables) {
    shapes_.emplace_back();
    for (const auto& d : v.shape) shapes_.back().push_back(expr::evaluate(d, dims));
    for (const std::int64_t extent : shapes_.back()) {
      if (extent < 1) throw numeric::Undefined("an empty axis");
    }
  }
  const bool integral = std::any_of(lane.begin(), lane.end(), [](char c) { return c != 0; });
  // Groups of variables tied together.
  std::vector<std::size_t> group(problem.variables.size());
  std::iota(group.begin(), group.end(), 0);
  std::vector<const Fact*> tying;
  for (const Fact& f : problem.facts) {
    if (!is_tying_fact(f)) continue;
    tying.push_back(&f);
    const auto members = variables_in(f);
    for (const std::size_t v : members) {
      const std::size_t from = group[v];
      for (std::size_t& g : group) g = g == from ? group[members[0]] : g;
    }
  }
  for (std::size_t v = 0; v < group.size(); ++v) {
    std::vector<std::size_t> members;
    for (std::size_t w = 0; w < group.size(); ++w) {
      if (group[w] == group[v]) members.push_back(w);
    }
    std::vector<const Fact*> facts;
    for (const Fact* f : tying) {
      const auto in = variables_in(*f);
      if (!in.empty() && group[in[0]] == group[v]) facts.push_back(f);
    }
    if (!facts.empty()) {
      if (members[0] == v) add_tied(members, facts, lane);
      continue;
    }
    std::string structure;
    for (const Fact& f : problem.facts) {
      if (is_structural_fact(f) && f.lhs->name == problem.variables[v].name && structure.empty()) structure = f.predicate;
    }
    structure.empty() ? add_entries(v, !lane.empty() && lane[v] != 0, integral) : add_structured(v, structure);
  }
  for (const Fact* f : tying) {  // assumptions about sizes only, written with tensors
    if (variables_in(*f).empty() && !numeric::holds(*f, Instance<Exact>{dims_, {}})) empty_ = true;
  }
}

std::vector<std::size_t> Space::variables_in(const Fact& fact) const {
  std::vector<std::string> names;
  collect_variables(fact.lhs, names);
  collect_variables(fact.rhs, names);
  std::vector<std::size_t> result;
  for (std::size_t v = 0; v < problem_->variables.size(); ++v) {
    if (std::find(names.begin(), names.end(), problem_->variables[v].name) != names.end()) result.push_back(v);
  }
  return result;
}

std::vector<const Fact*> Space::facts_on(std::size_t variable) const {
  std::vector<const Fact*> result;
  for (const Fact& f : problem_->facts) {
    if (!is_entry_fact(f) && !is_structural_fact(f)) continue;
    const std::string& name = f.lhs->kind == TermKind::variable ? f.lhs->name : f.rhs->name;
    if (name == problem_->variables[variable].name) result.push_back(&f);
  }
  return result;
}

void Space::add_entries(std::size_t variable, bool logarithmic, bool integral) {
  const std::string& name = problem_->variables[variable].name;
  std::vector<Exact> values = numbers(logarithmic, integral);
  const std::int64_t tokens = vocabulary(*problem_, name, &dims_);
  if (tokens > 0) {
    values.clear();
    for (std::int64_t t = 0; t < tokens; ++t) values.push_back(t);
    unstructured_ = false;
  }
  const auto facts = facts_on(variable);
  for (const Fact* f : facts) {
    if (f->kind == FactKind::relation && !logarithmic) {
      const Exact bound = Exact::from(*constant(f->lhs->kind == TermKind::variable ? f->rhs : f->lhs));
      for (const Exact& v : {bound, bound + Exact(1), bound - Exact(1), bound + Exact(Rational(1, 2))}) {
        if (std::find(values.begin(), values.end(), v) == values.end()) values.push_back(v);
      }
      if (f->relation == expr::Relation::equal) unstructured_ = false;
    }
    if (f->predicate == "mask01") {
      values = {1, 0};  // a mask that allows everything is the simplest one
      unstructured_ = false;
    }
  }
  const auto refused = [&](const Exact& v) { return std::any_of(facts.begin(), facts.end(), [&](const Fact* f) { return !entry_allowed(*f, v); }); };
  values.erase(std::remove_if(values.begin(), values.end(), refused), values.end());
  if (values.empty()) {
    empty_ = true;
    return;
  }
  pools_.push_back(std::move(values));
  const std::int64_t count = numeric::entries(shapes_[variable]);
  for (std::int64_t place = 0; place < count; ++place) {
    slots_.push_back({{variable}, static_cast<std::size_t>(place), static_cast<int>(pools_.size()) - 1, {}});
  }
}

std::vector<Tensor<Exact>> Space::tensors_for(std::size_t variable, bool logarithmic) const {
  const auto facts = facts_on(variable);
  std::string structure;
  for (const Fact* f : facts) {
    if (is_structural_fact(*f) && structure.empty()) structure = f->predicate;
  }
  const auto& shape = shapes_[variable];
  auto list = structure.empty() ? numeric::general_candidates(shape, seed_ + variable) : numeric::candidates(structure, shape, seed_ + variable);
  const auto refused = [&](const Tensor<Exact>& t) {
    return std::any_of(facts.begin(), facts.end(), [&](const Fact* f) {
      if (f->kind == FactKind::predicate) return !numeric::satisfies(f->predicate, t);
      return !std::all_of(t.values.begin(), t.values.end(), [&](const Exact& v) { return entry_allowed(*f, v); });
    });
  };
  if (logarithmic) {
    for (Tensor<Exact>& t : list) {
      for (Exact& v : t.values) v = v * Exact::log_two();
    }
  }
  list.erase(std::remove_if(list.begin(), list.end(), refused), list.end());
  return list;
}

void Space::add_structured(std::size_t variable, const std::string&) {
  Slot slot;
  slot.variables = {variable};
  for (Tensor<Exact>& t : tensors_for(variable, false)) slot.tensors.push_back({std::move(t)});
  unstructured_ = false;
  if (slot.tensors.empty()) empty_ = true;
  slots_.push_back(std::move(slot));
}

void Space::add_tied(const std::vector<std::size_t>& variables, const std::vector<const Fact*>& facts, const Lane& lane) {
  unstructured_ = false;
  Slot slot;
  slot.variables = variables;
  std::vector<std::vector<Tensor<Exact>>> lists;
  std::size_t largest = 0;
  for (const std::size_t v : variables) {
    lists.push_back(tensors_for(v, !lane.empty() && lane[v] != 0));
    largest += lists.back().size();
    if (lists.back().empty()) empty_ = true;
  }
  std::vector<Term> roots;
  for (const Fact* f : facts) {
    roots.push_back(f->lhs);
    roots.push_back(f->rhs ? f->rhs : f->lhs);
  }
  numeric::Machine<Exact> machine(std::make_shared<const numeric::Program>(roots, dims_));
  std::size_t tries = 0;
  const auto accept = [&](const std::vector<std::size_t>& picks) {
    std::vector<Tensor<Exact>> chosen;
    for (std::size_t k = 0; k < picks.size(); ++k) {
      chosen.push_back(lists[k][picks[k]]);
      machine.set(problem_->variables[variables[k]].name, chosen.back());
    }
    ++tries;
    try {
      for (std::size_t k = 0; k < facts.size(); ++k) {
        const Fact& f = *facts[k];
        if (f.kind == FactKind::predicate ? !numeric::satisfies(f.predicate, machine.root(2 * k)) : !numeric::related(machine.root(2 * k), f.relation, machine.root(2 * k + 1))) return;
      }
    } catch (const numeric::Undefined&) {
      return;
    } catch (const numeric::NeedsReals&) {
      return;
    }
    slot.tensors.push_back(std::move(chosen));
  };
  // By the sum of the positions in the lists: simple together before simple alone.
  std::vector<std::size_t> picks(variables.size(), 0);
  const std::function<void(std::size_t, std::size_t)> fill = [&](std::size_t k, std::size_t rest) {
    if (tries >= most_tries || slot.tensors.size() >= most_tied) return;
    if (k + 1 == picks.size()) {
      if (rest >= lists[k].size()) return;
      picks[k] = rest;
      accept(picks);
      return;
    }
    for (std::size_t p = 0; p < lists[k].size() && p <= rest; ++p) {
      picks[k] = p;
      fill(k + 1, rest - p);
    }
  };
  for (std::size_t sum = 0; sum < largest && !empty_; ++sum) fill(0, sum);
  const numeric::Stream stream(seed_, 7);
  for (std::size_t draw = 0; draw < 150 && !empty_; ++draw) {  // and unrelated positions, for variety
    for (std::size_t k = 0; k < picks.size(); ++k) picks[k] = stream.draw(draw, k) % lists[k].size();
    accept(picks);
  }
  if (slot.tensors.empty()) empty_ = true;
  slots_.push_back(std::move(slot));
}

std::size_t Space::alternatives(std::size_t slot) const {
  const Slot& s = slots_[slot];
  return s.pool < 0 ? s.tensors.size() : pools_[static_cast<std::size_t>(s.pool)].size();
}
std::size_t Space::simple_alternatives(std::size_t slot) const { return std::min(alternatives(slot), slots_[slot].pool < 0 ? simple_tensors : simple_entries); }

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

}  // namespace foldproof::refute
