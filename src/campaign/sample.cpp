// SPDX-License-Identifier: MIT
#include "campaign/sample.hpp"

#include <algorithm>
#include <cmath>

#include "campaign/bounded.hpp"
#include "campaign/structured.hpp"
#include "expr/operators.hpp"
#include "numeric/assume.hpp"
#include "numeric/program.hpp"
#include "numeric/sizes.hpp"
#include "numeric/undefined.hpp"

namespace foldproof::campaign {
namespace {

using infer::Fact;
using infer::FactKind;
using infer::Term;
using infer::TermKind;
using numeric::Exact;
using numeric::Tensor;

constexpr std::int64_t largest_case = 4000;  ///< entries of all variables of one drawn case
constexpr std::int64_t block_edges[] = {63, 64, 65};  ///< of one dimension in every sixteenth shape: larger ones cost more than they find
constexpr std::int64_t edges[] = {1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33};

void visit(const Term& t, const auto& seen) {
  if (!t) return;
  seen(t);
  for (const Term& arg : t->args) visit(arg, seen);
}
bool is_variable(const Term& t) { return t && t->kind == TermKind::variable; }

/// Whether a fact bounds every entry of one variable by itself.
bool bounds_entries(const Fact& f) {
  if (f.kind == FactKind::predicate) return is_variable(f.lhs) && !numeric::is_structural(f.predicate);
  return f.kind == FactKind::relation && ((is_variable(f.lhs) && numeric::number_of(f.rhs)) || (is_variable(f.rhs) && numeric::number_of(f.lhs)));
}
expr::Rational bound_in(const Fact& f) { return *numeric::number_of(is_variable(f.lhs) ? f.rhs : f.lhs); }
bool allowed(const Fact& f, double value) {
  const Exact v = numeric::Rational::from_double(value);
  if (f.kind == FactKind::predicate) return numeric::satisfies(f.predicate, Tensor<Exact>{{}, {v}});
  const Exact bound = Exact::from(bound_in(f));
  return is_variable(f.lhs) ? numeric::related(v, f.relation, bound) : numeric::related(bound, f.relation, v);
}
double bound_of(const Fact& f) { return f.kind == FactKind::predicate ? 0 : numeric::from<double>(bound_in(f)); }

/// A number near v that meets all bounds, if one is found; an integer if `whole`.
double fitted(const std::vector<const Fact*>& bounds, double v, const numeric::FormatInfo& format, bool whole) {
  std::vector<double> choices{v, std::abs(v), std::abs(v) / 64};
  for (const Fact* f : bounds) {
    const double b = bound_of(*f);
    if (f->predicate == "integer") choices.push_back(std::round(v));
    choices.insert(choices.end(), {b + std::abs(v), b - std::abs(v), b - std::abs(v) / 64, b + 1, b - 1, b, b + 0.125});
  }
  for (const Fact* f : bounds) {  // 0.1 < s < 0.2
    for (const Fact* g : bounds) choices.push_back(bound_of(*f) / 2 + bound_of(*g) / 2);
  }
  for (const double c : choices) {
    const double stored = rounded(c, format);
    if (!std::isfinite(stored) || (whole && std::floor(stored) != stored)) continue;
    if (std::all_of(bounds.begin(), bounds.end(), [&](const Fact* f) { return allowed(*f, stored); })) return stored;
  }
  return rounded(v, format);  // the case will be discarded
}

std::vector<std::int64_t> extents(const expr::Shape& shape, const expr::DimValues& dims) {
  std::vector<std::int64_t> result;
  for (const auto& d : shape) result.push_back(expr::evaluate(d, dims));
  return result;
}

}  // namespace

std::string signature(const infer::Problem& problem) {
  std::string out;
  for (const auto& v : problem.variables) out += v.name + expr::text(v.shape);
  for (const Term& side : {problem.lhs, problem.rhs}) {
    visit(side, [&](const Term& t) {
      out += t->kind == TermKind::apply ? expr::operator_info(t->op).name : t->kind == TermKind::number ? t->value.text() : t->name;
    });
    out += expr::text(problem.relation);
  }
  for (const auto& f : problem.facts) out += f.text;
  return out;
}

Sampler::Sampler(const infer::Problem& problem, std::uint64_t seed, const std::string& claim, expr::DimValues fixed, const FamilyTurns& turns)
    : problem_(problem), key_(numeric::mix(seed, claim.empty() ? signature(problem) : claim)), fixed_(std::move(fixed)), turns_(turns), roles_(problem.variables.size()) {
  const auto role = [&](const std::string& name) -> Role* {
    for (std::size_t v = 0; v < roles_.size(); ++v) {
      if (problem_.variables[v].name == name) return &roles_[v];
    }
    return nullptr;
  };
  for (const Fact& f : problem.facts) {
    if (f.kind == FactKind::dimension || f.kind == FactKind::definition) continue;
    const bool structural = f.kind == FactKind::predicate && is_variable(f.lhs) && numeric::is_structural(f.predicate);
    Role* r = structural || bounds_entries(f) ? role(is_variable(f.lhs) ? f.lhs->name : f.rhs->name) : nullptr;
    if (r == nullptr || (structural && !r->structure.empty())) {
      const auto tie = [this](const Term& t) {
        if (is_variable(t)) tied_.push_back(t->name);
      };
      visit(f.lhs, tie);
      visit(f.rhs, tie);
    } else if (structural) {
      r->structure = f.predicate;
    } else if (f.predicate == "mask01") {
      r->mask = true;
    } else {
      r->bounds.push_back(&f);
    }
  }
  const auto note = [&](const Term& t) {
    if (t->kind == TermKind::stack) expr::collect_names(t->size, heads_);
    if (t->kind != TermKind::apply) return;
    const bool onehot = t->op == expr::operator_id<expr::ops::OneHot>();
    const bool take = t->op == expr::operator_id<expr::ops::Take>();
    if (!onehot && !take) return;
    const Term& operand = t->args[take ? 1 : 0];
    const Term& tokens = operand->kind == TermKind::apply && operand->op == expr::operator_id<expr::ops::Subscripts>() ? operand->args[0] : operand;
    if (Role* r = is_variable(tokens) ? role(tokens->name) : nullptr) r->vocabulary = take ? t->call.operands[0][static_cast<std::size_t>(t->call.axis)] : t->call.sizes[0];
  };
  visit(problem.lhs, note);
  visit(problem.rhs, note);
}

std::int64_t Sampler::cost(const expr::DimValues& dims) const {
  std::int64_t total = 0;
  const auto is_written = [](const expr::Dim& d) { return d.constant().has_value(); };
  for (const auto& v : problem_.variables) {  // what is 512 x 64 in every case leaves no room for rows of X otherwise
    if (!std::all_of(v.shape.begin(), v.shape.end(), is_written)) total += numeric::entries(extents(v.shape, dims));
  }
  return total;
}

bool Sampler::acceptable(const expr::DimValues& dims) const {
  try {
    for (const auto& v : problem_.variables) {
      for (const std::int64_t n : extents(v.shape, dims)) {
        if (n < 1) return false;
      }
    }
    return std::all_of(problem_.facts.begin(), problem_.facts.end(), [&](const Fact& f) { return numeric::holds(f, dims); });
  } catch (const expr::LimitReached&) {
    return false;
  }
}

std::optional<expr::DimValues> Sampler::sizes(std::int64_t block, bool tiny) const {
  const numeric::Stream stream(key_, tiny ? 2 : 1);
  const std::int64_t largest = tiny ? 2 : !tied_.empty() ? 4 : static_cast<std::int64_t>(std::size(edges)) - 1;
  for (std::uint64_t turn = 0; turn < 64; ++turn) {
    expr::DimValues dims = fixed_;
    std::vector<std::int64_t> used;
    for (std::size_t k = 0; k < problem_.dimensions.size(); ++k) {
      const std::string& name = problem_.dimensions[k];
      const bool head = std::find(heads_.begin(), heads_.end(), name) != heads_.end();
      std::int64_t size = 1;
      for (std::uint64_t draw = 0; draw < 3; ++draw) {  // distinct sizes show a wrong transpose; every eighth shape may repeat them
        const std::uint64_t bits = stream.draw(static_cast<std::uint64_t>(block), turn << 32 | k << 8 | draw);
        const bool wide = block % 16 == 5 && k == static_cast<std::size_t>(block / 16) % problem_.dimensions.size() && !tiny && tied_.empty();
        size = head   ? numeric::uniform_integer(bits, 2, tiny ? 2 : 4)
               : wide ? block_edges[numeric::uniform_integer(bits, 0, 2)]
                      : edges[numeric::uniform_integer(bits, 0, largest)];
        if (block % 8 == 7 || std::find(used.begin(), used.end(), size) == used.end()) break;
      }
      used.push_back(size);
      dims.emplace(name, size);
    }
    while (fixed_.empty() && !dims.empty() && acceptable(dims) && cost(dims) > largest_case) {  // halve the largest
      const auto at = std::max_element(dims.begin(), dims.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
      if (at->second == 1) break;
      at->second /= 2;
    }
    if (acceptable(dims)) return dims;
  }
  return sizes_asked_for(block);
}

std::optional<expr::DimValues> Sampler::sizes_asked_for(std::int64_t block) const {
  constexpr std::size_t most = 24;
  if (!asked_for_) {
    asked_for_.emplace();
    for (const auto& sizes : numeric::sizes_that_fit(problem_, most)) {
      expr::DimValues dims = fixed_;
      for (std::size_t k = 0; k < sizes.size(); ++k) dims.emplace(problem_.dimensions[k], sizes[k]);
      if (acceptable(dims) && cost(dims) <= largest_case) asked_for_->push_back(std::move(dims));
    }
  }
  if (asked_for_->empty()) return std::nullopt;
  return (*asked_for_)[static_cast<std::size_t>(block) % asked_for_->size()];
}

Family Sampler::family(std::int64_t index) const { return turns_[static_cast<std::size_t>(index % cases_per_shape)]; }

Sampler::Drawing::Drawing(const Sampler& sampler, const expr::DimValues& dims, const Values& given) : sampler_(sampler), dims_(dims) {
  for (const auto& v : sampler.problem_.variables) {
    const auto at = given.find(v.name);
    tensors_.push_back(at == given.end() ? &(values_[v.name] = numeric::filled(extents(v.shape, dims), 0.0)) : nullptr);
    if (at != given.end() && !sampler.problem_.facts.empty()) values_.insert(*at);
  }
}

void Sampler::Drawing::draw_variable(std::size_t variable, std::int64_t index, const Lane& lane) {
  const Role& role = sampler_.roles_[variable];
  Tensor<double>& result = *tensors_[variable];
  const auto& shape = result.shape;
  const numeric::Stream stream(sampler_.key_, 16 + (static_cast<std::uint64_t>(index) << 16) + variable);
  if (!role.structure.empty() && (shape.size() >= 2 || role.structure == "permutation")) {
    result = structured(role.structure, shape, stream, {index % 2 == 0 || !role.bounds.empty(), lane.integer_bits > 0});
    return;
  }
  const std::int64_t columns = shape.empty() ? 1 : shape.back();
  auto& out = result.values;
  bits_.resize(out.size());
  const bool by_family = !role.vocabulary && !role.mask && lane.integer_bits == 0 && !lane.halves && !lane.edges;
  if (by_family) {
    const Family kind = sampler_.family(index + static_cast<std::int64_t>(variable) * 3 * (index / 8 % 2));  // mixed families in half of the cases
    draw_entries(kind, stream, {shape.size() < 2 ? 1 : shape[shape.size() - 2], columns}, *lane.format, bits_, out);
  } else {
    stream.draw_matrix(columns, bits_);
  }
  const auto integers = [&](std::int64_t least, std::int64_t most, double unit) {
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<double>(numeric::uniform_integer(bits_[i], least, most)) * unit;
  };
  if (role.vocabulary) return integers(0, expr::evaluate(*role.vocabulary, dims_) - 1, 1);
  if (role.mask) {
    for (std::size_t i = 0; i < out.size(); ++i) {
      const auto row = static_cast<std::int64_t>(i) / columns, column = static_cast<std::int64_t>(i) % columns;
      out[i] = (column == row % columns && !lane.edges) || (bits_[i] & 1) != 0;
    }
    return;
  }
  if (lane.integer_bits > 0) {
    const std::int64_t most = (std::int64_t{1} << lane.integer_bits) - 1;
    integers(-most, most, 1);
  } else if (lane.halves) {
    integers(-6, 6, 0.5);
  } else if (lane.edges) {
    std::transform(bits_.begin(), bits_.end(), out.begin(), [&](std::uint64_t bits) { return edge_value(bits, *lane.format); });
  }
  if (role.bounds.empty() && !lane.edges) return;  // all others are numbers of the format
  for (double& v : out) v = role.bounds.empty() ? rounded(v, *lane.format) : fitted(role.bounds, v, *lane.format, lane.integer_bits > 0);
}

/// Assumptions that tie variables together are rarely met by chance: special instances of these variables take turns.
void Sampler::repair(std::int64_t index, const numeric::FormatInfo& format, Values& values) const {
  const std::int64_t kind = index % 8;
  std::int64_t nth = 1;
  const Tensor<double>* before = nullptr;
  for (auto& [name, t] : values) {
    if (std::find(tied_.begin(), tied_.end(), name) == tied_.end()) continue;
    ++nth;
    const std::int64_t columns = t.shape.empty() ? 1 : t.shape.back();
    for (std::size_t i = 0; i < t.values.size(); ++i) {
      const bool diagonal = static_cast<std::int64_t>(i) / columns == static_cast<std::int64_t>(i) % columns;
      if (kind == 1) t.values[i] = std::abs(t.values[i]);
      if (kind == 2 && !diagonal) t.values[i] = 0;
      if (kind == 3) t.values[i] = diagonal ? static_cast<double>(nth) : 0;
      if (kind == 4) t.values[i] = diagonal;
      if (kind == 5) t.values[i] = 0;
    }
    if (kind == 6 && before != nullptr && before->shape == t.shape) t = *before;  // equal matrices commute
    if (kind == 7 && t.shape.size() >= 2)
      t = structured("rowstochastic", t.shape, numeric::Stream(key_, 16 + (static_cast<std::uint64_t>(index) << 16) + static_cast<std::uint64_t>(nth)), {});
    for (double& v : t.values) v = rounded(v, format);
    before = &t;
  }
}

bool Sampler::Drawing::draw(std::int64_t index, const Lane& lane) {
  for (std::size_t v = 0; v < tensors_.size(); ++v) {
    if (tensors_[v] != nullptr) draw_variable(v, index, lane);
  }
  const bool tied = !sampler_.tied_.empty();
  const bool any_given = std::find(tensors_.begin(), tensors_.end(), nullptr) != tensors_.end();
  if (tied && !any_given) sampler_.repair(index, *lane.format, values_);
  const bool bounded = std::any_of(sampler_.roles_.begin(), sampler_.roles_.end(), [](const Role& r) { return r.bounds.size() > 1; });
  return !(tied || bounded) || sampler_.satisfied(dims_, values_);
}

std::optional<Values> Sampler::values(std::int64_t index, const expr::DimValues& dims, const Lane& lane, const Values& given) const {
  Drawing drawing(*this, dims, given);
  if (!drawing.draw(index, lane)) return std::nullopt;
  return std::move(drawing.values_);
}

bool Sampler::satisfied(const expr::DimValues& dims, const Values& values) const {
  numeric::Instance<Exact> instance{dims, {}};
  for (const auto& [name, t] : values) {
    if (!std::all_of(t.values.begin(), t.values.end(), [](double v) { return std::isfinite(v); })) return false;
    instance.values[name] = numeric::converted<Exact>(t, [](double v) { return Exact(numeric::Rational::from_double(v)); });
  }
  try {
    return std::all_of(problem_.facts.begin(), problem_.facts.end(), [&](const Fact& f) { return numeric::holds(f, instance); });
  } catch (const numeric::Undefined&) {
    return false;
  } catch (const numeric::NeedsReals&) {
    return false;
  } catch (const expr::LimitReached&) {
    return false;
  }
}

bool Sampler::integral() const {
  return std::all_of(roles_.begin(), roles_.end(), [](const Role& r) {
    const bool whole = r.structure.empty() || r.structure == "permutation" || r.structure == "orthogonal" || r.structure == "onehot";
    return whole &&
           std::all_of(r.bounds.begin(), r.bounds.end(), [](const Fact* f) { return std::floor(bound_of(*f)) == bound_of(*f) && std::abs(bound_of(*f)) <= 1; });
  });
}

std::int64_t one_case_in(const infer::Problem& problem, const expr::DimValues& dims) {
  constexpr std::int64_t usual_work = 200'000;  // scalar operations of both sides
  try {
    const Term sides[] = {problem.lhs, problem.rhs};
    return std::max<std::int64_t>(1, numeric::Program(sides, dims).work() / usual_work);
  } catch (const numeric::Undefined&) {
    return 1;
  } catch (const expr::LimitReached&) {  // literal sizes such as 4096
    return std::int64_t{1} << 40;
  }
}

std::vector<std::string> Sampler::excluded() const {
  std::vector<std::string> result{"infinities and NaN as inputs"};
  if (!heads_.empty()) result.push_back("a single head");
  for (std::size_t v = 0; v < roles_.size(); ++v) {
    const std::string& name = problem_.variables[v].name;
    if (roles_[v].mask) result.push_back(name + ": rows that allow nothing");
    if (roles_[v].structure == "orthogonal") result.push_back(name + ": orthogonal matrices other than signed permutations and products with reflections by exact halves");
    if (roles_[v].structure == "invertible") result.push_back(name + ": matrices that are not diagonally dominant after a permutation of their rows");
  }
  if (!tied_.empty()) result.push_back("instances outside the special solutions of the equations assumed");
  return result;
}

}  // namespace foldproof::campaign
