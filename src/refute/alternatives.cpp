// SPDX-License-Identifier: MIT
#include "refute/alternatives.hpp"

#include <algorithm>

#include "expr/operators.hpp"

namespace foldproof::refute {
namespace {

using infer::Fact;
using infer::FactKind;
using infer::Term;
using infer::TermKind;
using numeric::Rational;
namespace ops = expr::ops;

/// The number a term is, if it is one.
const expr::Rational* constant(const Term& t) { return t && t->kind == TermKind::number ? &t->value : nullptr; }
Exact bound(const Fact& f) { return Exact::from(*constant(f.lhs->kind == TermKind::variable ? f.rhs : f.lhs)); }

bool entry_allowed(const Fact& f, const Exact& value) {
  if (f.kind == FactKind::predicate) return numeric::satisfies(f.predicate, Tensor<Exact>{{}, {value}});
  return f.lhs->kind == TermKind::variable ? numeric::related(value, f.relation, bound(f)) : numeric::related(bound(f), f.relation, value);
}

void collect_variables(const Term& t, std::vector<std::string>& names) {
  if (!t) return;
  if (t->kind == TermKind::variable) names.push_back(t->name);
  for (const Term& arg : t->args) collect_variables(arg, names);
}

/// Sizes of the vocabularies for which the variable holds token numbers.
void collect_vocabularies(const Term& t, const std::string& name, std::vector<expr::Dim>& sizes) {
  const auto note = [&](const Term& tokens, const expr::Dim& size) {
    const Term& list = tokens->kind == TermKind::apply && tokens->op == expr::operator_id<ops::Subscripts>() ? tokens->args[0] : tokens;
    if (list->kind == TermKind::variable && list->name == name) sizes.push_back(size);
  };
  if (!t) return;
  if (t->kind == TermKind::apply && t->op == expr::operator_id<ops::OneHot>()) note(t->args[0], t->call.sizes[0]);
  if (t->kind == TermKind::apply && t->op == expr::operator_id<ops::Take>()) note(t->args[1], t->call.operands[0][static_cast<std::size_t>(t->call.axis)]);
  for (const Term& arg : t->args) collect_vocabularies(arg, name, sizes);
}
std::vector<expr::Dim> vocabularies(const infer::Problem& problem, const std::string& name) {
  std::vector<expr::Dim> sizes;
  collect_vocabularies(problem.lhs, name, sizes);
  collect_vocabularies(problem.rhs, name, sizes);
  for (const Fact& f : problem.facts) {
    collect_vocabularies(f.lhs, name, sizes);
    collect_vocabularies(f.rhs, name, sizes);
  }
  return sizes;
}

std::vector<Exact> numbers(bool logarithmic, bool integral) {
  std::vector<Exact> result;
  for (const std::int64_t n : {0, 1, -1, 2, -2}) result.push_back(logarithmic ? Exact::log_two(n) : Exact(n));
  if (!logarithmic && !integral) {
    for (const Rational& q : {Rational(1, 2), Rational(-1, 2), Rational(3, 2), Rational(-7, 3), Rational(1, 3)}) result.push_back(q);
  }
  for (const std::int64_t n : {3, -3, 4}) result.push_back(logarithmic ? Exact::log_two(n) : Exact(n));
  if (!logarithmic) result.push_back(7);
  return result;
}

/// Numbers near the bounds of the assumptions, so that "s > 100" has values.
void add_bounds(const std::vector<const Fact*>& facts, bool integral, std::vector<Exact>& values) {
  for (const Fact* f : facts) {
    if (f->kind != FactKind::relation) continue;
    std::vector<Exact> near{bound(*f), bound(*f) + Exact(1), bound(*f) - Exact(1)};
    if (!integral) near.push_back(bound(*f) + Exact(Rational(1, 2)));
    for (const Exact& v : near) {
      if (std::find(values.begin(), values.end(), v) == values.end()) values.push_back(v);
    }
  }
}

}  // namespace

bool is_entry_fact(const Fact& f) {
  if (f.kind == FactKind::predicate) return f.lhs->kind == TermKind::variable && !numeric::is_structural(f.predicate);
  if (f.kind != FactKind::relation) return false;
  return (f.lhs->kind == TermKind::variable && constant(f.rhs)) || (f.rhs->kind == TermKind::variable && constant(f.lhs));
}
bool is_structural_fact(const Fact& f) { return f.kind == FactKind::predicate && f.lhs->kind == TermKind::variable && numeric::is_structural(f.predicate); }
bool is_tying_fact(const Fact& f) { return (f.kind == FactKind::predicate || f.kind == FactKind::relation) && !is_entry_fact(f) && !is_structural_fact(f); }

std::vector<const Fact*> facts_on(const infer::Problem& problem, const std::string& variable) {
  std::vector<const Fact*> result;
  for (const Fact& f : problem.facts) {
    if (!is_entry_fact(f) && !is_structural_fact(f)) continue;
    if ((f.lhs->kind == TermKind::variable ? f.lhs->name : f.rhs->name) == variable) result.push_back(&f);
  }
  return result;
}

std::vector<std::size_t> variables_in(const infer::Problem& problem, const Fact& fact) {
  std::vector<std::string> names;
  collect_variables(fact.lhs, names);
  collect_variables(fact.rhs, names);
  std::vector<std::size_t> result;
  for (std::size_t v = 0; v < problem.variables.size(); ++v) {
    if (std::find(names.begin(), names.end(), problem.variables[v].name) != names.end()) result.push_back(v);
  }
  return result;
}

bool holds_tokens(const infer::Problem& problem, const std::string& variable) { return !vocabularies(problem, variable).empty(); }

std::vector<char> may_be_logarithmic(const infer::Problem& problem) {
  std::vector<char> result;
  for (const auto& v : problem.variables) {
    const auto facts = facts_on(problem, v.name);
    const bool discrete = std::any_of(facts.begin(), facts.end(), [](const Fact* f) { return is_structural_fact(*f) || f->predicate == "mask01"; });
    result.push_back(!discrete && !holds_tokens(problem, v.name));
  }
  return result;
}

std::vector<Exact> entry_values(const infer::Problem& problem, const std::string& variable, const expr::DimValues& dims, bool logarithmic, bool integral) {
  const auto facts = facts_on(problem, variable);
  std::vector<Exact> values = numbers(logarithmic, integral);
  if (!logarithmic) add_bounds(facts, integral, values);
  if (const auto sizes = vocabularies(problem, variable); !sizes.empty()) {
    std::int64_t tokens = expr::evaluate(sizes[0], dims);
    for (const auto& size : sizes) tokens = std::min(tokens, expr::evaluate(size, dims));
    values.clear();
    for (std::int64_t t = 0; t < tokens; ++t) values.push_back(t);
  }
  for (const Fact* f : facts) {
    if (f->predicate == "mask01") values = {1, 0};  // a mask that allows everything is the simplest one
  }
  const auto refused = [&](const Exact& v) { return std::any_of(facts.begin(), facts.end(), [&](const Fact* f) { return !entry_allowed(*f, v); }); };
  values.erase(std::remove_if(values.begin(), values.end(), refused), values.end());
  return values;
}

bool is_dense(const infer::Problem& problem, const std::string& variable) {
  const auto facts = facts_on(problem, variable);
  return !holds_tokens(problem, variable) && std::none_of(facts.begin(), facts.end(), [](const Fact* f) {
    return is_structural_fact(*f) || f->predicate == "mask01" || (f->kind == FactKind::relation && f->relation == expr::Relation::equal);
  });
}

std::vector<Tensor<Exact>> tensor_values(const infer::Problem& problem, const std::string& variable, const std::vector<std::int64_t>& shape, bool logarithmic, std::uint64_t seed) {
  const auto facts = facts_on(problem, variable);
  const auto structure = std::find_if(facts.begin(), facts.end(), [](const Fact* f) { return is_structural_fact(*f); });
  auto list = structure == facts.end() ? numeric::general_candidates(shape, seed) : numeric::candidates((*structure)->predicate, shape, seed);
  if (logarithmic) {
    for (Tensor<Exact>& t : list) {
      for (Exact& v : t.values) v = v * Exact::log_two();
    }
  }
  const auto refused = [&](const Tensor<Exact>& t) {
    return std::any_of(facts.begin(), facts.end(), [&](const Fact* f) {
      if (f->kind == FactKind::predicate) return !numeric::satisfies(f->predicate, t);
      return !std::all_of(t.values.begin(), t.values.end(), [&](const Exact& v) { return entry_allowed(*f, v); });
    });
  };
  list.erase(std::remove_if(list.begin(), list.end(), refused), list.end());
  return list;
}

}  // namespace foldproof::refute
