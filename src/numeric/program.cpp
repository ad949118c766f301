// SPDX-License-Identifier: MIT
// Flattening of terms. Comprehensions are unrolled: the index gets a number, so every size below is a number too.
#include "numeric/program.hpp"

#include <algorithm>

#include "expr/diagnostic.hpp"
#include "infer/is_operator.hpp"
#include "numeric/tensor.hpp"
#include "numeric/undefined.hpp"

namespace foldproof::numeric {

using infer::Term;
using infer::TermKind;

Program::Program(std::span<const Term> roots, const expr::DimValues& dims, const ProgramLimit& limit) : limit_(limit) {
  const Scope scope = std::make_shared<const expr::DimValues>(dims);
  for (const Term& root : roots) roots_.push_back(add(root, scope));
  dependents_.resize(steps_.size());
  for (int step = static_cast<int>(steps_.size()); step-- > 0;) {
    auto& further = dependents_[static_cast<std::size_t>(step)];  // complete, as every user comes later; each once, or layers on layers would double them
    std::sort(further.begin(), further.end());
    further.erase(std::unique(further.begin(), further.end()), further.end());
    for (const int arg : steps_[static_cast<std::size_t>(step)].args) {
      auto& users = dependents_[static_cast<std::size_t>(arg)];
      users.push_back(step);
      users.insert(users.end(), further.begin(), further.end());
    }
  }
  find_last_uses();
}

void Program::find_last_uses() {
  last_use_.resize(steps_.size(), steps_.size());
  for (const Step& step : steps_) {
    bool constant = step.term->kind != TermKind::variable;
    for (const int arg : step.args) {
      last_use_[static_cast<std::size_t>(arg)] = is_constant_.size();
      constant = constant && is_constant_[static_cast<std::size_t>(arg)];
    }
    is_constant_.push_back(constant);
  }
  for (const int root : roots_) last_use_[static_cast<std::size_t>(root)] = steps_.size();
  if (!limit_.at_once) return;
  std::vector<std::int64_t> freed(steps_.size() + 1);  // after each step
  for (std::size_t k = 0; k < steps_.size(); ++k) {
    const bool frees = !is_constant_[k] && steps_[k].term->kind != TermKind::variable && steps_[k].entries >= worth_freeing;
    if (frees) freed[last_use_[k]] += steps_[k].entries;
  }
  std::int64_t held = 0;
  for (std::size_t k = 0; k < steps_.size(); ++k) {
    held += steps_[k].entries;
    if (held > limit_.entries) fail_too_large();
    held -= freed[k];
  }
}

void Program::fail_too_large() const {
  throw expr::LimitReached("an instance has more than " + std::to_string(limit_.entries / 1'000'000) + " million entries" + (limit_.at_once ? " at once" : ""));
}

bool Program::has_empty_axes() const {
  return std::any_of(steps_.begin(), steps_.end(), [](const Step& s) { return s.entries == 0; });
}

int Program::variable(const std::string& name) const {
  const auto at = variables_.find(name);
  return at == variables_.end() ? -1 : at->second;
}

const std::vector<std::string>& Program::mentioned(const Term& term) {
  const auto at = mentioned_.find(term.get());
  if (at != mentioned_.end()) return at->second;
  std::vector<std::string> names;
  expr::collect_names(term->size, names);
  for (const expr::Dim& d : term->call.sizes) expr::collect_names(d, names);
  for (const Term& arg : term->args) {
    const auto& inner = mentioned(arg);
    names.insert(names.end(), inner.begin(), inner.end());
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return mentioned_[term.get()] = names;
}

std::vector<std::int64_t> Program::key(const Term& term, const Scope& scope) {
  std::vector<std::int64_t> values;
  if (bound_.empty()) return values;
  const auto& names = mentioned(term);
  for (const std::string& index : bound_) {
    const bool used = std::binary_search(names.begin(), names.end(), index);
    values.push_back(used ? scope->at(index) : -1);
  }
  while (!values.empty() && values.back() < 0) values.pop_back();  // the same key as outside the comprehension
  return values;
}

namespace {

/// Whether the term sums over a range without values, or over an axis whose size varies with an index and is 0 at this one: such a sum is 0,
/// as sum(x[j] for j in range(i)) and K[:i].T @ V[:i] are where i is 0.
bool sums_nothing(const Term& term, const expr::DimValues& scope, const std::vector<std::string>& bound) {
  namespace ops = expr::ops;
  if (const expr::Dim* range = infer::summed_range(term); range != nullptr && expr::evaluate(*range, scope) < 1) return true;
  const bool sums = infer::is<ops::SumHeads, ops::Matmul, ops::SumAll, ops::SumAxis, ops::RowSum, ops::ColSum, ops::Einsum>(term);
  if (!sums || bound.empty()) return false;
  const auto is_empty = [&](const expr::Dim& size) { return !expr::mentions_rank(size) && expr::evaluate(size, scope) == 0; };
  const auto varies = [&](const expr::Dim& size) {
    std::vector<std::string> names;
    expr::collect_names(size, names);
    return std::any_of(names.begin(), names.end(), [&](const std::string& name) { return std::find(bound.begin(), bound.end(), name) != bound.end(); });
  };
  const auto is_nothing = [&](const Term& t) { return std::any_of(t->shape.begin(), t->shape.end(), [&](const expr::Dim& size) { return varies(size) && is_empty(size); }); };
  return std::none_of(term->shape.begin(), term->shape.end(), is_empty) && std::any_of(term->args.begin(), term->args.end(), is_nothing);
}

Term zeros_like(const Term& term) {
  auto zeros = std::make_shared<infer::TermNode>();
  zeros->kind = TermKind::apply;
  zeros->op = expr::operator_id<expr::ops::Zeros>();
  zeros->shape = zeros->call.sizes = zeros->call.result = term->shape;
  zeros->span = term->span;
  return zeros;
}

}  // namespace

int Program::add(const Term& term, const Scope& scope) {
  const std::pair<const infer::TermNode*, std::vector<std::int64_t>> id{term.get(), key(term, scope)};
  if (const auto at = known_.find(id); at != known_.end()) return at->second;
  if (sums_nothing(term, *scope, bound_)) return known_[id] = add(zeros_like(term), scope);
  if (term->kind == TermKind::variable) {  // claim and assumptions may hold nodes of their own for one variable
    if (const auto at = variables_.find(term->name); at != variables_.end()) return at->second;
  }
  Step step;
  step.term = term;
  step.scope = scope;
  if (term->kind == TermKind::stack) {
    const std::int64_t count = expr::evaluate(term->size, *scope);
    if (count > limit_.parts - parts_) throw expr::LimitReached("a comprehension has too many values");
    parts_ += std::max<std::int64_t>(count, 0);
    bound_.push_back(term->name);
    for (std::int64_t i = 0; i < count; ++i) {
      auto inner = std::make_shared<expr::DimValues>(*scope);
      (*inner)[term->name] = i;
      step.args.push_back(add(term->args[0], inner));
    }
    bound_.pop_back();
  } else {
    for (const Term& arg : term->args) step.args.push_back(add(arg, scope));
  }
  fill(step);
  steps_.push_back(std::move(step));
  const int place = static_cast<int>(steps_.size()) - 1;
  known_[id] = place;
  if (term->kind == TermKind::variable) variables_[term->name] = place;
  return place;
}

void Program::fill(Step& step) {
  const infer::TermNode& term = *step.term;
  const auto value = [&](const expr::Dim& d) { return expr::mentions_rank(d) ? 0 : expr::evaluate(d, *step.scope); };  // operators do not read ranks from their sizes
  for (const expr::Dim& d : term.shape) {
    if (expr::mentions_rank(d)) throw Undefined("a size that depends on the values of a matrix");
    step.shape.push_back(value(d));
    if (step.shape.back() < (limit_.empty_axes && term.kind == TermKind::apply ? 0 : 1)) throw Undefined("an axis of size " + std::to_string(step.shape.back()));
    if (__builtin_mul_overflow(step.entries, step.shape.back(), &step.entries)) throw expr::LimitReached("a tensor is too large");
  }
  total_ += step.entries;
  constexpr std::int64_t most_uses = 64;  // of the same memory
  if (step.entries > limit_.entries || total_ / (limit_.at_once ? most_uses : 1) > limit_.entries) fail_too_large();
  if (term.kind == TermKind::size) step.number = value(term.size);
  std::int64_t largest = 1;
  const auto note = [&](const expr::Shape& sizes) {
    for (const expr::Dim& d : sizes) {
      step.sizes.emplace_back(&d, value(d));
      largest = std::max(largest, step.sizes.back().second);
    }
  };
  for (const expr::Shape& operand : term.call.operands) note(operand);
  note(term.call.sizes);
  note(term.call.result);
  work_ += step.entries * largest;
}

}  // namespace foldproof::numeric
