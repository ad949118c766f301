// SPDX-License-Identifier: MIT
#include "diagnose/stored_side.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "campaign/given_cases.hpp"
#include "campaign/other_orders.hpp"
#include "expr/diagnostic.hpp"
#include "infer/is_operator.hpp"

namespace foldproof::diagnose {
namespace {

using infer::Term;
namespace ops = expr::ops;

bool has_variable(const Term& t) { return t->kind == infer::TermKind::variable || std::any_of(t->args.begin(), t->args.end(), has_variable); }
bool share_variables(const Term& a, const Term& b) {
  return a->kind == infer::TermKind::variable ? mentions_variable(b, a->name) : std::any_of(a->args.begin(), a->args.end(), [&](const Term& part) { return share_variables(part, b); });
}

/// The stored tensor of a side, in M / 8 as in M. Null where the side computes something else, or the other side has the tensor too.
Term stored_tensor(const Term& side, const Term& other) {
  if (infer::only_moves(side)) return side;
  if (!infer::is<ops::Multiply, ops::Divide>(side)) return nullptr;
  for (std::size_t k = 0; k < (infer::is<ops::Divide>(side) ? std::size_t{1} : std::size_t{2}); ++k) {
    const Term tensor = stored_tensor(side->args[k], other);
    if (tensor && tensor->shape == side->shape && !share_variables(tensor, side->args[1 - k]) && !share_variables(tensor, other)) return tensor;
  }
  return nullptr;
}

/// The stored side and its tensor; of two sides that are tensors, neither computes the other.
struct Roles {
  bool right = true;
  Term tensor;
};
std::optional<Roles> roles_of(const infer::Problem& problem) {
  const bool left_moves = infer::only_moves(problem.lhs), right_moves = infer::only_moves(problem.rhs);
  if (left_moves && right_moves) return std::nullopt;
  for (const bool right : {!left_moves, left_moves}) {  // a tensor that stands alone first
    if (const Term tensor = right ? stored_tensor(problem.rhs, problem.lhs) : stored_tensor(problem.lhs, problem.rhs)) return Roles{right, tensor};
  }
  return std::nullopt;
}

/// What is known of a problem with all its tensors.
class Values {
 public:
  Values(const infer::Problem& problem, const campaign::GivenTensors& tensors, const expr::DimValues& dims) : problem_(problem), tensors_(tensors), dims_(dims) {
    sizes_ = campaign::sizes_of(problem, tensors);
    sizes_.insert(dims.begin(), dims.end());
  }

  campaign::Evaluated of(const Term& t, const numeric::FormatInfo& format = numeric::float64_format, campaign::Operands operands = campaign::Operands::rounded_first) const {
    infer::Problem alone = problem_;
    alone.lhs = t;
    return campaign::evaluate_on(alone, tensors_, dims_, format, operands);
  }
  /// Bounds on the errors of other programs for the side other than the stored one; empty where there is only one, or none is known.
  std::vector<double> of_other_programs(bool stored_right, const numeric::FormatInfo& format) const {
    const campaign::OtherOrders orders(problem_, !stored_right, sizes_, format);
    if (orders.is_single()) return {};
    campaign::Values values;
    for (const auto& [name, tensor] : tensors_) values[name] = {tensor.shape, tensor.values};
    std::vector<double> out = orders.errors(values);
    if (out.size() == 1) out.assign(static_cast<std::size_t>(entries(stored_right ? problem_.lhs : problem_.rhs).value_or(0)), out[0]);
    return out;
  }
  const campaign::GivenTensor& tensor(const Term& variable) const { return tensors_.at(variable->name); }

  /// Nothing where the size mentions the index of a comprehension.
  std::optional<std::int64_t> extent(const expr::Dim& size) const { return campaign::unknown_names(size, sizes_).empty() ? std::optional(expr::evaluate(size, sizes_)) : std::nullopt; }
  std::optional<std::int64_t> entries(const Term& t) const {
    std::int64_t count = 1;
    for (const expr::Dim& size : t->shape) {
      const auto n = extent(size);
      if (!n) return std::nullopt;
      count *= *n;
    }
    return count;
  }

 private:
  const infer::Problem& problem_;
  const campaign::GivenTensors& tensors_;
  const expr::DimValues& dims_;
  expr::DimValues sizes_;
};

void collect_reciprocals(const Term& t, const Values& values, StoredSide& out) {
  if (t->kind == infer::TermKind::stack) return;  // what divides there may be an index
  if (infer::is<ops::Divide>(t) && t->args[1]->shape.empty() && !has_variable(t->args[1])) {
    const double k = values.of(t->args[1]).entries.at(0).value;
    const double change = k * campaign::rounded(1 / k, *out.format) - 1;
    (change < 0 ? out.least_of_reciprocals : out.most_of_reciprocals) += change;
  }
  for (const Term& a : t->args) collect_reciprocals(a, values, out);
}

/// Counts the roundings of the computed side that more than one entry may have in common.
class Roundings {
 public:
  Roundings(const Values& values, StoredSide& out) : values_(values), out_(out), all_(static_cast<std::int64_t>(out.stored.size())) {}

  /// Whether the term is a constant; a tensor whose entries are all the same is one. `apart`: each entry of it goes into one entry of the side.
  bool count(const Term& t, bool apart = true) {
    if (t->kind == infer::TermKind::variable) {
      const campaign::GivenTensor& tensor = values_.tensor(t);
      const bool wider = !tensor.format.empty() && campaign::format_called(tensor.format).precision > out_.storage->precision;  // it may be rounded before it is used
      if (wider && (!apart || is_part(t)) && seen_.insert(t.get()).second) ++out_.shared_roundings;
      return std::all_of(tensor.values.begin(), tensor.values.end(), [&](double v) { return v == tensor.values.front(); });
    }
    const bool entrywise = infer::is<ops::Add, ops::Subtract, ops::Multiply, ops::Divide, ops::Negate, ops::Sqrt, ops::Rsqrt, ops::Exp, ops::Abs, ops::Power>(t) || infer::moves(t);
    bool constant = true;
    for (const Term& a : t->args) constant = count(a, apart && entrywise) && constant;
    const double value = t->kind == infer::TermKind::number ? static_cast<double>(t->value.num()) / static_cast<double>(t->value.den()) : 0;
    const bool rounds = t->kind == infer::TermKind::apply ? !infer::moves(t) : campaign::rounded(value, *out_.format) != value;
    const bool shared = constant || !apart || is_part(t);
    if (infer::is<ops::Divide>(t) && is_part(t->args[1]) && seen_.insert(t->args[1].get()).second) ++out_.shared_roundings;  // its reciprocal may be rounded first
    if (scales(t) && std::any_of(t->args.begin(), t->args.end(), [&](const Term& a) { return scales(a); })) ++out_.shared_roundings;  // the factors may be multiplied first, g * h of W * g * h
    // A sum or a root that a row is divided by, each rounded when it is stored, and the reciprocal; of a norm the mean under the root as well.
    if (infer::is<ops::Softmax, ops::SoftmaxColumns, ops::Softmax1>(t) && seen_.insert(t.get()).second) out_.shared_roundings += 2;
    if (infer::is<ops::RmsNorm, ops::LayerNorm, ops::BatchNorm, ops::L2Norm>(t) && seen_.insert(t.get()).second) out_.shared_roundings += 3;
    if (rounds && !entrywise && summed_.insert(t.get()).second) out_.shared_terms += terms_in_common(t);
    if (!rounds || !shared || !seen_.insert(t.get()).second) return constant;
    ++out_.shared_roundings;
    out_.constant_roundings += constant;
    return constant;
  }

  /// What stands beside the tensor on its side, as M in Ws * M == W * g, may have been computed as well, and was rounded when it was stored.
  void count_beside(const Term& side, const Term& tensor) {
    if (side == tensor) return;
    if (infer::only_moves(side)) {
      const double own = campaign::storage(values_.tensor(infer::moved_tensor(side))).unit_roundoff;
      if (is_part(side) && seen_.insert(side.get()).second) out_.shared_roundings += static_cast<int>(std::ceil(own / out_.storage->unit_roundoff));
      return;
    }
    for (const Term& a : side->args) count_beside(a, tensor);
  }

 private:
  /// Of the sums in an operation: of a product that is no side by itself, of a norm or a softmax, and of what sums over an axis.
  std::int64_t terms_in_common(const Term& t) const {
    const bool product = infer::is<ops::Matmul>(t);
    if (t->args.empty() || t->args[0]->shape.empty() || (product && !is_part(t))) return 0;
    const expr::Shape& from = t->args[0]->shape;
    const std::int64_t before = values_.entries(t->args[0]).value_or(0), after = values_.entries(t).value_or(1);
    if (!product && before > after) return before / after;
    return values_.extent(product ? from.back() : from[std::min(from.size() - 1, static_cast<std::size_t>(t->call.axis))]).value_or(0);
  }
  bool is_part(const Term& t) const { return values_.entries(t) != all_; }
  /// Whether it multiplies or divides by less than one number for each entry of the side.
  bool scales(const Term& t) const { return infer::is<ops::Multiply, ops::Divide>(t) && std::any_of(t->args.begin(), t->args.end(), [&](const Term& a) { return is_part(a); }); }

  const Values& values_;
  StoredSide& out_;
  std::int64_t all_;
  std::set<const infer::TermNode*> seen_, summed_;
};

/// How the stored side is held: by fewer digits than the format has, perhaps, in which the other tensors are as well.
const numeric::FormatInfo& storage_of(const Term& stored, const campaign::GivenTensors& tensors, const numeric::FormatInfo& format) {
  if (stored->kind != infer::TermKind::variable) return stored->args.size() == 1 ? storage_of(stored->args[0], tensors, format) : format;
  const std::string& name = tensors.at(stored->name).format;
  const numeric::FormatInfo& own = name.empty() ? format : campaign::format_called(name);
  return own.precision < format.precision || (own.precision == format.precision && own.eta > format.eta) ? own : format;
}

std::vector<double> numbers_of(const campaign::Evaluated& side) {
  std::vector<double> out;
  out.reserve(side.entries.size());
  for (const campaign::SideEntry& e : side.entries) out.push_back(e.value);
  return out;
}

}  // namespace

bool mentions_variable(const Term& t, const std::string& name) {
  return t->kind == infer::TermKind::variable ? t->name == name : std::any_of(t->args.begin(), t->args.end(), [&](const Term& a) { return mentions_variable(a, name); });
}

double StoredSide::weight(std::size_t i) const {
  const double w = 1 / std::abs(bound[i]);
  return std::isfinite(w) && std::isfinite(stored[i]) && std::isfinite(stepwise[i]) && std::isfinite(exact[i]) ? w : 0;
}

bool StoredSide::is_beyond(std::size_t i) const { return std::abs(stored[i] - exact[i]) > std::abs(bound[i]) + storage->unit_roundoff * std::abs(stored[i]) + storage->eta; }
bool StoredSide::is_within_bounds() const {
  for (std::size_t i = 0; i < stored.size(); ++i) {
    if (weight(i) > 0 && is_beyond(i)) return false;
  }
  return true;
}

std::optional<StoredSide> stored_side(const infer::Problem& problem, const campaign::GivenTensors& tensors, const expr::DimValues& dims, const numeric::FormatInfo& format, campaign::Operands operands) {
  constexpr std::size_t fewest_entries = 8, most_entries = 20'000'000;
  const auto roles = roles_of(problem);
  if (!roles || tensors.size() != problem.variables.size()) return std::nullopt;
  for (const auto& tensor : tensors) {
    if (tensor.second.values.size() > most_entries) return std::nullopt;
  }
  const Term &side = roles->right ? problem.rhs : problem.lhs, &computed = roles->right ? problem.lhs : problem.rhs;
  StoredSide out;
  out.right = roles->right;
  out.format = &format;
  out.storage = &storage_of(roles->tensor, tensors, format);
  try {
    const Values values(problem, tensors, dims);
    out.stored = numbers_of(values.of(roles->tensor));
    out.exact = numbers_of(values.of(computed));
    if (out.stored.size() != out.exact.size() || out.exact.size() < fewest_entries) return std::nullopt;
    const campaign::Evaluated stepwise = values.of(computed, format, operands);
    out.shape = stepwise.shape;
    out.stepwise = numbers_of(stepwise);
    out.bound.reserve(stepwise.entries.size());
    const std::vector<double> others = values.of_other_programs(roles->right, format);
    for (std::size_t i = 0; i < stepwise.entries.size(); ++i) {
      const campaign::SideEntry& e = stepwise.entries[i];
      out.bound.push_back(e.bound + std::max(e.bound, others.empty() ? 0 : others[i]) + format.unit_roundoff * std::abs(e.value) + format.eta);
    }
    if (side != roles->tensor) {  // the claim is solved for the tensor
      const std::vector<double> whole = numbers_of(values.of(side));
      for (std::size_t i = 0; i < whole.size(); ++i) {
        const double factor = whole[i] / out.stored[i];  // NaN where the tensor is 0: such an entry says nothing
        for (std::vector<double>* all : {&out.exact, &out.stepwise, &out.bound}) (*all)[i] /= factor;
      }
    }
    collect_reciprocals(computed, values, out);
    Roundings roundings(values, out);
    roundings.count(computed);
    roundings.count_beside(side, roles->tensor);
    return out;
  } catch (const expr::Error&) {  // a side has no value
  } catch (const expr::LimitReached&) {
  }
  return std::nullopt;
}

}  // namespace foldproof::diagnose
