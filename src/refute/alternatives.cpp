// SPDX-License-Identifier: MIT
#include "refute/alternatives.hpp"

#include <algorithm>
#include <set>

#include "expr/operators.hpp"
#include "infer/is_operator.hpp"
#include "infer/visit.hpp"

namespace foldproof::refute {
namespace {

using infer::Fact;
using infer::FactKind;
using infer::Term;
using infer::TermKind;
using numeric::Rational;
namespace ops = expr::ops;

Exact bound(const Fact& f) { return Exact::from(*numeric::number_of(f.lhs->kind == TermKind::variable ? f.rhs : f.lhs)); }

bool entry_allowed(const Fact& f, const Exact& value) {
  if (f.kind == FactKind::predicate) return numeric::satisfies(f.predicate, Tensor<Exact>{{}, {value}});
  return f.lhs->kind == TermKind::variable ? numeric::related(value, f.relation, bound(f)) : numeric::related(bound(f), f.relation, value);
}

void collect_variables(const Term& term, std::vector<std::string>& names) {
  infer::visit_each(term, [&](const Term& t) {
    if (t->kind == TermKind::variable) names.push_back(t->name);
  });
}

/// Sizes of the vocabularies for which the variable holds token numbers.
void collect_vocabularies(const Term& term, const std::string& name, std::vector<expr::Dim>& sizes) {
  const auto note = [&](const Term& tokens, const expr::Dim& size) {
    const Term& list = tokens->kind == TermKind::apply && tokens->op == expr::operator_id<ops::Subscripts>() ? tokens->args[0] : tokens;
    if (list->kind == TermKind::variable && list->name == name) sizes.push_back(size);
  };
  infer::visit_each(term, [&](const Term& t) {
    if (t->kind == TermKind::apply && t->op == expr::operator_id<ops::OneHot>()) note(t->args[0], t->call.sizes[0]);
    if (t->kind == TermKind::apply && t->op == expr::operator_id<ops::Take>()) note(t->args[1], t->call.operands[0][static_cast<std::size_t>(t->call.axis)]);
  });
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

void collect_literals(const Term& t, std::set<const infer::TermNode*>& seen, std::vector<Rational>& found) {
  if (!t || !seen.insert(t.get()).second) return;
  if (t->kind == TermKind::number) {
    const Rational value = Rational::from(t->value);
    if (!value.is_zero() && std::find(found.begin(), found.end(), value) == found.end()) found.push_back(value);
  }
  for (const Term& arg : t->args) collect_literals(arg, seen, found);
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

std::vector<Exact> bounds(const std::vector<const Fact*>& facts) {
  std::vector<Exact> result;
  for (const Fact* f : facts) {
    if (f->kind == FactKind::relation) result.push_back(bound(*f));
  }
  return result;
}

/// Numbers near the bounds of the assumptions, so that "s > 100" has values.
void add_bounds(const std::vector<const Fact*>& facts, bool integral, std::vector<Exact>& values) {
  for (const Exact& b : bounds(facts)) {
    std::vector<Exact> near{b, b + Exact(1), b - Exact(1)};
    if (!integral) near.push_back(b + Exact(Rational(1, 2)));
    for (const Exact& v : near) {
      if (std::find(values.begin(), values.end(), v) == values.end()) values.push_back(v);
    }
  }
}

/// Of what is assumed to be integers, the ones next to its bounds.
void add_integers(const std::vector<const Fact*>& facts, std::vector<Exact>& values) {
  if (std::none_of(facts.begin(), facts.end(), [](const Fact* f) { return f->predicate == "integer"; })) return;
  for (const Exact& b : bounds(facts)) {
    const numeric::Rational below = b.enclosure(64).first.floor();
    for (const Exact& v : {Exact(below), Exact(below) + Exact(1)}) {
      if (std::find(values.begin(), values.end(), v) == values.end()) values.push_back(v);
    }
  }
}

/// -1, 0, 1, the bounds of the assumptions, and two numbers between any two neighbours and one beyond the first and the last: each
/// assumption about entries holds at all numbers between two neighbours or at none.
std::vector<Exact> everywhere(const std::vector<const Fact*>& facts) {
  std::vector<Exact> points{-1, 0, 1};
  for (const Exact& b : bounds(facts)) points.push_back(b);
  std::sort(points.begin(), points.end(), [](const Exact& a, const Exact& b) { return numeric::related(a, expr::Relation::less, b); });
  std::vector<Exact> result = points;
  for (std::size_t k = 0; k + 1 < points.size(); ++k) {
    result.push_back((points[k] + points[k + 1]) * Exact(Rational(1, 2)));
    result.push_back(points[k] + (points[k + 1] - points[k]) * Exact(Rational(1, 4)));
  }
  result.push_back(points.front() - Exact(1));
  result.push_back(points.back() + Exact(1));
  add_integers(facts, result);
  return result;
}

}  // namespace

bool is_entry_fact(const Fact& f) {
  if (f.kind == FactKind::predicate) return f.lhs->kind == TermKind::variable && !numeric::is_structural(f.predicate);
  if (f.kind != FactKind::relation) return false;
  return (f.lhs->kind == TermKind::variable && numeric::number_of(f.rhs)) || (f.rhs->kind == TermKind::variable && numeric::number_of(f.lhs));
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

bool has_free_entries(const infer::Problem& problem, const std::string& variable) {
  const auto facts = facts_on(problem, variable);
  return !holds_tokens(problem, variable) && std::none_of(facts.begin(), facts.end(), [](const Fact* f) { return is_structural_fact(*f) || f->predicate == "mask01" || f->predicate == "integer"; });
}

bool entry_allowed(const infer::Problem& problem, const std::string& variable, const Exact& value) {
  const auto facts = facts_on(problem, variable);
  return std::all_of(facts.begin(), facts.end(), [&](const Fact* f) { return is_structural_fact(*f) || entry_allowed(*f, value); });
}

namespace {

bool allows(const Fact& f, const Tensor<Exact>& value) {
  if (f.kind == FactKind::predicate) return numeric::satisfies(f.predicate, value);
  return std::all_of(value.values.begin(), value.values.end(), [&](const Exact& v) { return entry_allowed(f, v); });
}

}  // namespace

bool tensor_allowed(const infer::Problem& problem, const std::string& variable, const Tensor<Exact>& value) {
  const auto facts = facts_on(problem, variable);
  return std::all_of(facts.begin(), facts.end(), [&](const Fact* f) { return allows(*f, value); });
}

std::vector<char> may_be_logarithmic(const infer::Problem& problem) {
  std::vector<char> result;
  for (const auto& v : problem.variables) result.push_back(has_free_entries(problem, v.name));
  return result;
}

namespace {

/// Numbers beyond those in the sides: clip(x, 0, 6) bends at 6. Beyond the logarithm of a bound: exp(x) <= 1000000 ends at 13.8.
void add_beyond_literals(const infer::Problem& problem, bool logarithmic, std::vector<Exact>& values) {
  constexpr std::size_t most_literals = 3;
  const auto add = [&](const Rational& size) {
    for (const Rational& v : {size, -size}) {
      const Exact value = logarithmic ? Exact(v) * Exact::log_two() : Exact(v);
      if (std::find(values.begin(), values.end(), value) == values.end()) values.push_back(value);
    }
  };
  std::size_t taken = 0;
  for (const Rational& c : literals_in({problem.lhs, problem.rhs})) {
    const Rational size = c.sign() < 0 ? -c : c;
    const auto digits = static_cast<std::int64_t>(size.text().size());  // four binary ones are more than a decimal one
    if (problem.relation != expr::Relation::equal && digits > 1 && taken < most_literals) add(Rational(4 * digits));
    if (logarithmic || size <= Rational(2) || ++taken > most_literals) continue;
    add(size + Rational(1));
  }
}

void collect_constants(const Term& t, std::set<Rational>& found) {
  constexpr std::size_t most = 4;
  const auto value = numeric::number_of(t);
  if (value && !value->is_zero() && found.size() < most) found.insert(Rational::from(value->sign() < 0 ? -*value : *value));
  if (value) return;
  for (const Term& arg : t->args) collect_constants(arg, found);
}

/// Between two numbers of the sides, where none of the values is: relu(x - 1/4) * relu(1/3 - x) is not 0 there.
void add_between_constants(const std::vector<Term>& terms, std::vector<Exact>& values) {
  std::set<Rational> constants, points{Rational(0)};
  for (const Term& t : terms) collect_constants(t, constants);
  for (const Rational& c : constants) points.insert({c, -c});
  for (auto low = points.begin(), high = std::next(low); high != points.end(); ++low, ++high) {
    const auto is_between = [&](const Exact& v) { return numeric::related(Exact(*low), expr::Relation::less, v) && numeric::related(v, expr::Relation::less, Exact(*high)); };
    if (std::none_of(values.begin(), values.end(), is_between)) values.push_back(Exact((*low + *high) * Rational(1, 2)));
  }
}

/// Where the sides of a strict inequality may meet, and nowhere else: at the constants in them and their quotients, as in 0 < (2*x - 7)**2.
void add_meeting_points(const infer::Problem& problem, std::vector<Exact>& values) {
  if (problem.relation != expr::Relation::less) return;
  std::set<Rational> constants;
  for (const Term& side : {problem.lhs, problem.rhs}) collect_constants(side, constants);
  std::set<Rational> points = constants;
  for (const Rational& a : constants) {
    for (const Rational& b : constants) points.insert(a / b);
  }
  for (const Rational& q : points) {
    for (const Exact& v : {Exact(q), Exact(-q)}) {
      if (std::find(values.begin(), values.end(), v) == values.end()) values.push_back(v);
    }
  }
}

}  // namespace

namespace {

/// The sides and what is compared, where something bends at a number.
std::vector<Term> bending_terms(const infer::Problem& problem) {
  std::vector<Term> found;
  bool bends = false;
  std::set<const infer::TermNode*> seen;
  for (const Term& side : {problem.lhs, problem.rhs}) {
    infer::visit_each(side, seen, [&](const Term& t) { bends = bends || infer::is<ops::Relu, ops::Abs, ops::Maximum, ops::Minimum, ops::Clip>(t); });
  }
  if (bends) found = {problem.lhs, problem.rhs};
  for (const auto& c : problem.comparisons) found.push_back(c.difference);
  return found;
}

}  // namespace

std::vector<Exact> entry_values(const infer::Problem& problem, const std::string& variable, const expr::DimValues& dims, bool logarithmic, bool integral) {
  const auto facts = facts_on(problem, variable);
  std::vector<Exact> values = numbers(logarithmic, integral);
  if (!logarithmic) add_bounds(facts, integral, values);
  if (!logarithmic) add_integers(facts, values);
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
  const bool discrete = holds_tokens(problem, variable) || std::any_of(facts.begin(), facts.end(), [](const Fact* f) { return f->predicate == "mask01"; });
  if (!discrete) add_beyond_literals(problem, logarithmic, values);
  if (!discrete && !logarithmic && !integral) add_meeting_points(problem, values);
  if (!discrete && !logarithmic && !integral) add_between_constants(bending_terms(problem), values);
  values.erase(std::remove_if(values.begin(), values.end(), refused), values.end());
  constexpr std::size_t enough = 3;
  if (values.size() < enough && !integral && !facts.empty() && !discrete) {  // 0.1 < s < 0.2
    for (const Exact& v : everywhere(facts)) {
      if (!refused(v) && std::find(values.begin(), values.end(), v) == values.end()) values.push_back(v);
    }
  }
  return values;
}

bool entries_contradict(const infer::Problem& problem, const std::string& variable) {
  const auto facts = facts_on(problem, variable);
  const auto tried = everywhere(facts);
  return std::none_of(tried.begin(), tried.end(), [&](const Exact& v) { return entry_allowed(problem, variable, v); });
}

bool is_dense(const infer::Problem& problem, const std::string& variable) {
  const auto facts = facts_on(problem, variable);
  return has_free_entries(problem, variable) && std::none_of(facts.begin(), facts.end(), [](const Fact* f) { return f->kind == FactKind::relation && f->relation == expr::Relation::equal; });
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
  const bool number = numeric::entries(shape) == 1, compared = !problem.comparisons.empty() && !logarithmic;
  if ((number || compared) && has_free_entries(problem, variable)) {  // of a number there is room for halves and thirds; what is compared may be between two numbers
    std::vector<Tensor<Exact>> simple;
    for (const Exact& v : entry_values(problem, variable, {}, logarithmic, false)) {
      simple.push_back(numeric::filled(shape, v));
      if (number) continue;
      simple.push_back(numeric::filled(shape, Exact(0)));
      simple.back().values[0] = v;
      std::iter_swap(simple.end() - 2, simple.end() - 1);
    }
    std::erase_if(number ? list : simple, [&](const Tensor<Exact>& t) { const auto& others = number ? simple : list; return std::find(others.begin(), others.end(), t) != others.end(); });
    list.insert(number ? list.begin() : list.end(), simple.begin(), simple.end());
  }
  const Fact* made_for = structure == facts.end() ? nullptr : *structure;  // these have what they were made for; a product of large matrices to see it takes long
  std::erase_if(list, [&](const Tensor<Exact>& t) { return std::any_of(facts.begin(), facts.end(), [&](const Fact* f) { return f != made_for && !allows(*f, t); }); });
  return list;
}

std::vector<Rational> literals_in(const std::vector<Term>& terms) {
  std::vector<Rational> found;
  std::set<const infer::TermNode*> seen;
  for (const Term& t : terms) collect_literals(t, seen, found);
  return found;
}

std::vector<Tensor<Exact>> tensors_near(const std::vector<Rational>& literals, const infer::Problem& problem, const std::string& variable, const std::vector<std::int64_t>& shape) {
  const auto facts = facts_on(problem, variable);
  if (std::any_of(facts.begin(), facts.end(), [](const Fact* f) { return is_structural_fact(*f); })) return {};
  constexpr std::size_t most_literals = 4;
  std::vector<Rational> factors{1, -1, 2, Rational(1, 2), Rational(1, 4), Rational(1, std::max<std::int64_t>(1, numeric::entries(shape)))};
  if (!shape.empty()) factors.emplace_back(1, shape.back());  // the rows of all equal entries add up to the literal
  std::vector<Exact> values;
  for (std::size_t k = 0; k < std::min(most_literals, literals.size()); ++k) {
    for (const Rational& f : factors) values.push_back(literals[k] * f);
    for (const int step : {-1, 1}) values.push_back(literals[k] + Rational(step));
  }
  for (const Exact& v : everywhere(facts)) values.push_back(v);
  std::vector<Tensor<Exact>> list;
  for (const Exact& v : values) {
    if (!std::all_of(facts.begin(), facts.end(), [&](const Fact* f) { return entry_allowed(*f, v); })) continue;
    Tensor<Exact> t = numeric::filled(shape, v);
    if (std::find(list.begin(), list.end(), t) == list.end()) list.push_back(std::move(t));
  }
  return list;
}

}  // namespace foldproof::refute
