// SPDX-License-Identifier: MIT
#include "campaign/sides.hpp"

#include <algorithm>
#include <array>
#include <cstdio>

#include "campaign/exact_lane.hpp"
#include "expr/diagnostic.hpp"

namespace foldproof::campaign {
namespace {

using expr::Relation;
using Outcome = Comparison::Outcome;

/// The square-root model counts as exceeded beyond so many standard deviations (Higham and Mary 2019, with lambda = 8).
constexpr double deviations = 8;

/// By how much two numbers violate the relation; 0 or less when they do not.
double gap(double a, Relation relation, double b) {
  switch (relation) {
    case Relation::equal:
      return std::abs(a - b);
    case Relation::less:
    case Relation::less_equal:
      return a - b;
    case Relation::greater:
    case Relation::greater_equal:
      return b - a;
    case Relation::not_equal:
      return 0;  // see compare_entry
  }
  return 0;
}

template <class T>
void compare_entry(const Bounded<T>& a, Relation relation, const Bounded<T>& b, std::int64_t place, Comparison& c) {
  if (a.is_masked() && b.is_masked()) return;
  // Rounding can neither show nor hide that every entry differs: such a relation is not tested.
  const double bound = relation == Relation::not_equal ? infinity : a.error + b.error;
  if (!(bound < infinity)) {
    if (c.outcome != Outcome::beyond) c.outcome = Outcome::vacuous;
    return;
  }
  const double difference = a.is_masked() || b.is_masked() ? infinity : gap(static_cast<double>(a.value), relation, static_cast<double>(b.value));
  const double ratio = difference <= 0 ? 0 : difference / up(bound);
  if (c.entry < 0 || ratio > c.ratio) {
    c.ratio = ratio;
    c.entry = place;
    c.lhs = static_cast<double>(a.value);
    c.rhs = static_cast<double>(b.value);
    c.lhs_bound = a.error;
    c.rhs_bound = b.error;
  }
  if (ratio > 1) {
    c.outcome = Outcome::beyond;
  } else if (c.outcome == Outcome::within && difference > deviations * std::sqrt(a.variance + b.variance) + 8 * Bounded<T>::eta) {
    c.outcome = Outcome::suspicious;
  }
}

/// With `exactly`, bounds count as zero.
template <class T>
Comparison compare_all(const BoundedTensor<T>& lhs, Relation relation, const BoundedTensor<T>& rhs, bool exactly) {
  Comparison result;
  result.outcome = Outcome::within;
  result.shape = lhs.shape.empty() ? rhs.shape : lhs.shape;
  const std::size_t count = std::max(lhs.size(), rhs.size());
  for (std::size_t i = 0; i < count; ++i) {
    Bounded<T> a = lhs.at(lhs.shape.empty() ? 0 : i);
    Bounded<T> b = rhs.at(rhs.shape.empty() ? 0 : i);
    if (exactly) a.error = b.error = 0;
    compare_entry(a, relation, b, static_cast<std::int64_t>(i), result);
  }
  return result;
}

std::string short_number(double value) {
  std::array<char, 40> text{};
  std::snprintf(text.data(), text.size(), "%.4g", value);
  return text.data();
}

}  // namespace

std::string hex(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  std::array<char, 40> text{};
  std::snprintf(text.data(), text.size(), "%a", value);
  return text.data();
}

const numeric::FormatInfo& format_called(const std::string& name) {
  for (const auto& format : numeric::formats) {
    if (format.name == name) return format;
  }
  throw expr::InternalError("no format is called " + name);
}

std::string Comparison::element() const {
  if (entry < 0) return "";
  std::string place;
  for (const std::int64_t i : numeric::indices_of(entry, shape)) place += (place.empty() ? "" : ", ") + std::to_string(i);
  return "[" + place + "]: " + hex(lhs) + " against " + hex(rhs) + ", bound " + hex(lhs_bound + rhs_bound);
}
std::string Comparison::formula(const numeric::FormatInfo& format) const {
  if (entry < 0) return "";
  return "|L - R| = " + short_number(std::abs(lhs - rhs)) + (ratio > 1 ? " > " : " <= ") + short_number(lhs_bound) + " + " + short_number(rhs_bound) +
         " = E_L + E_R (" + std::string(format.name) + ", u = 2^-" + std::to_string(format.precision) + "), ratio " + short_number(ratio);
}

Sides::Sides(const infer::Problem& problem, const expr::DimValues& dims, const numeric::FormatInfo& format, Mutation mutation) : relation_(problem.relation) {
  const infer::Term left[] = {problem.lhs};
  const infer::Term right[] = {problem.rhs};
  const auto lhs = std::make_shared<const numeric::Program>(left, dims);
  const auto rhs = std::make_shared<const numeric::Program>(right, dims);
  if (format.precision >= numeric::float32_format.precision) exact_bits_ = std::min(campaign::exact_bits(*lhs, format), campaign::exact_bits(*rhs, format));
  if (format.precision == numeric::float64_format.precision) {
    machines_ = std::make_unique<Pair<double>>(Pair<double>{BoundedMachine<double>(lhs, format), BoundedMachine<double>(rhs, format, mutation)});
  } else {
    machines_ = std::make_unique<Pair<float>>(Pair<float>{BoundedMachine<float>(lhs, format), BoundedMachine<float>(rhs, format, mutation)});
  }
}

void Sides::evaluate(const Values& values, bool bounds) {
  std::visit(
      [&](auto& pair) {
        for (const auto& [name, tensor] : values) {
          pair->lhs.set(name, tensor);
          pair->rhs.set(name, tensor);
        }
        pair->lhs.want_bounds(bounds);
        pair->rhs.want_bounds(bounds);
        pair->left = &pair->lhs.run();
        pair->right = &pair->rhs.run();
      },
      machines_);
}

Comparison Sides::compare(const Values& values, bool exactly) {
  try {
    evaluate(values, !exactly);
  } catch (const numeric::Undefined&) {
    return {};
  }
  return std::visit([&](auto& pair) { return compare_all(*pair->left, relation_, *pair->right, exactly); }, machines_);
}

std::string Sides::side_text(bool right) const {
  return std::visit(
      [&](auto& pair) {
        std::string out;
        for (const auto v : (right ? pair->right : pair->left)->values) out += (out.empty() ? "" : " ") + hex(static_cast<double>(v));
        return out;
      },
      machines_);
}

}  // namespace foldproof::campaign
