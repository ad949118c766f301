// SPDX-License-Identifier: MIT
#include "campaign/sides.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>

#include "campaign/campaign.hpp"
#include "campaign/exact_lane.hpp"
#include "campaign/kernels.hpp"
#include "campaign/rules.hpp"
#include "expr/diagnostic.hpp"

namespace foldproof::campaign {
namespace {

using expr::Relation;
using Outcome = Comparison::Outcome;

/// The square-root model counts as exceeded beyond so many standard deviations (Higham and Mary 2019, with lambda = 8).
constexpr double deviations = 8;

/// Variances of smaller bounds are no doubles: the model says nothing there.
constexpr double smallest_squared = 0x1p-480;

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

void add_exceeding(std::int64_t place, Comparison& c) {
  if (c.exceeding++ == 0) c.first_exceeding = c.last_exceeding = numeric::indices_of(place, c.shape);
  for (std::size_t axis = c.shape.size(); axis-- > 0; place /= c.shape[axis]) {  // of millions, perhaps
    const std::int64_t index = place % c.shape[axis];
    c.first_exceeding[axis] = std::min(c.first_exceeding[axis], index);
    c.last_exceeding[axis] = std::max(c.last_exceeding[axis], index);
  }
}

template <class T>
void compare_entry(const Bounded<T>& a, Relation relation, const Bounded<T>& b, std::int64_t place, const numeric::FormatInfo* storage, Comparison& c) {
  if (a.is_masked() && b.is_masked()) return;
  // Rounding can neither show nor hide that every entry differs: such a relation is not tested.
  const double bound = relation == Relation::not_equal ? infinity : a.error + b.error;
  const double difference = a.is_masked() || b.is_masked() ? infinity : gap(static_cast<double>(a.value), relation, static_cast<double>(b.value));
  const bool violates = !(difference <= 0);
  c.zero_signs += static_cast<double>(a.value) == 0 && static_cast<double>(b.value) == 0 && std::signbit(static_cast<double>(a.value)) != std::signbit(static_cast<double>(b.value));
  if (violates) ++c.outward[std::abs(static_cast<double>(b.value)) > std::abs(static_cast<double>(a.value)) ? 1 : 0];
  c.differs = c.differs || violates;
  c.differing += violates && !(storage != nullptr && rounded(static_cast<double>(a.value), *storage) == rounded(static_cast<double>(b.value), *storage));
  if (!(bound < infinity)) {
    if (c.outcome != Outcome::beyond) c.outcome = Outcome::vacuous;
    const bool finite[] = {std::isfinite(static_cast<double>(a.value)), std::isfinite(static_cast<double>(b.value))};
    if (finite[0] && finite[1]) return;
    c.differs = true;
    c.differing += !violates;
    if (finite[0] != finite[1]) {
      c.overflow = Comparison::Overflow::one_side;
    } else if (c.overflow == Comparison::Overflow::none) {
      c.overflow = Comparison::Overflow::both_sides;
    }
    return;
  }
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
    add_exceeding(place, c);
  } else if (c.outcome == Outcome::within && bound > smallest_squared && difference > deviations * std::sqrt(a.variance + b.variance) + 8 * Bounded<T>::eta) {
    c.outcome = Outcome::suspicious;
  }
}

/// A shortcut for equations of sides of one shape without bounds: the entries before the first difference need no look.
template <class T>
bool same_values(const BoundedTensor<T>& lhs, Relation relation, const BoundedTensor<T>& rhs) {
  if (relation != Relation::equal || lhs.size() != rhs.size()) return false;
  if constexpr (std::is_floating_point_v<T>) {
    const auto count = static_cast<std::int64_t>(lhs.size());
    return kernels::first_difference(lhs.values.data(), rhs.values.data(), count) == count;
  } else {
    return std::equal(lhs.values.begin(), lhs.values.end(), rhs.values.begin(), [](float a, float b) { return a == b; });
  }
}

/// By bounds that are outer products, at least on one side; decides only when all entries are clearly within them.
template <class T>
bool clearly_within(const BoundedTensor<T>& lhs, const BoundedTensor<T>& rhs, Comparison& c) {
  constexpr double clear = 0.5;
  if constexpr (std::is_floating_point_v<T>) {
    if (lhs.shape.size() != 2 || lhs.shape != rhs.shape) return false;
    const auto rows = static_cast<std::size_t>(lhs.shape[0]), columns = static_cast<std::size_t>(lhs.shape[1]);
    const bool narrower = lhs.outer.has_narrower_typical() || rhs.outer.has_narrower_typical() || !lhs.errors.empty() || !rhs.errors.empty();
    thread_local std::vector<double> bound, typical;  // memory for all cases
    bound.resize(columns);
    typical.resize(columns);
    const auto add_row = [&](const BoundedTensor<T>& t, std::size_t i) {
      t.outer.add_row(i, true, bound.data(), columns);
      if (narrower) t.outer.add_row(i, false, typical.data(), columns);
      for (std::size_t j = 0; j < columns && !t.errors.empty(); ++j) {
        bound[j] += t.errors[i * columns + j];
        typical[j] += std::sqrt(t.variances[i * columns + j]);
      }
    };
    c.shape = lhs.shape;
    for (std::size_t i = 0; i < rows; ++i) {
      std::fill(bound.begin(), bound.end(), 8 * Bounded<T>::eta);
      if (narrower) std::fill(typical.begin(), typical.end(), Bounded<T>::eta);
      add_row(lhs, i);
      add_row(rhs, i);
      const T* a = lhs.values.data() + i * columns;
      const T* b = rhs.values.data() + i * columns;
      const auto count = static_cast<std::int64_t>(columns);
      if (narrower && kernels::exceeds(a, b, typical.data(), deviations, count)) return false;
      if (c.entry >= 0 && !kernels::exceeds(a, b, bound.data(), c.ratio, count)) continue;
      for (std::size_t j = 0; j < columns; ++j) {
        const double ratio = std::abs(static_cast<double>(a[j]) - static_cast<double>(b[j])) / bound[j];
        if (!(ratio <= clear && bound[j] < infinity)) return false;
        if (c.entry >= 0 && ratio <= c.ratio) continue;
        c.ratio = ratio;
        c.entry = static_cast<std::int64_t>(i * columns + j);
      }
    }
    const auto worst = static_cast<std::size_t>(c.entry);
    c.lhs = static_cast<double>(lhs.values[worst]);
    c.rhs = static_cast<double>(rhs.values[worst]);
    c.lhs_bound = lhs.at(worst).error;
    c.rhs_bound = rhs.at(worst).error;
    c.by_norms = true;
    c.differs = c.ratio > 0;
    c.outcome = Outcome::within;
    return true;
  }
  return false;
}

/// See Sides::set_result. `errors`: of other programs for the sides other than the results.
template <class T>
void add_computation(Bounded<T>& a, Bounded<T>& b, const bool (&is_result)[2], const double (&errors)[2], const double (&roundings)[2]) {
  const Bounded<T> before[] = {a, b};
  const auto add = [&](Bounded<T>& side, std::size_t which) {
    const Bounded<T>& other = before[1 - which];
    side.error = up(side.error + std::max(other.error, errors[which]));
    side.variance += std::max(other.variance, errors[which] * errors[which] / roundings[which]);  // independent roundings, of about equal size
    if (!std::isfinite(side.value) || !(side.error < infinity)) side.error = side.variance = infinity;
  };
  if (is_result[0]) add(a, 0);
  if (is_result[1]) add(b, 1);
}

/// The power of two at or below a size: the exponent alone, as tensors of millions of entries ask for it. 0, infinity and NaN are themselves.
double binade_of(double size) {
  constexpr std::uint64_t exponent = 0x7ff0'0000'0000'0000;
  if (size >= 0x1p-1022 && std::isfinite(size)) return std::bit_cast<double>(std::bit_cast<std::uint64_t>(size) & exponent);
  return size > 0 && std::isfinite(size) ? std::ldexp(1.0, std::ilogb(size)) : size;
}

/// The input is not the exact number but within its rounding.
template <class T>
void add_storage(const StorageRounding& rounding, BoundedTensor<T>& input) {
  const std::size_t count = input.size();
  input.errors.resize(count);
  input.variances.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    const double error = up(rounding.u * binade_of(std::abs(static_cast<double>(input.values[i]))) + rounding.eta);
    input.errors[i] = error;
    input.variances[i] = error * error;
  }
}

/// What is known of stored results, see Sides.
struct Results {
  const bool (&is_result)[2];
  const std::vector<double>* errors[2];
  double roundings[2];
  const numeric::FormatInfo* storage;

  double error(std::size_t right, std::size_t i) const {
    const std::vector<double>& all = *errors[right];
    return all.empty() ? 0 : all.size() == 1 ? all[0] : all[i];
  }
};

/// Sides with bounds that are the same finite numbers throughout, as those of a copy, need a look at these bounds only as far as the first entry is told, and
/// zero is within all of them. False where one is not finite, or where nothing but a look at every entry tells.
template <class T>
bool all_same(const BoundedTensor<T>& lhs, const BoundedTensor<T>& rhs, const Results& results, Comparison& c) {
  if (lhs.size() == 0 || lhs.shape != rhs.shape || !lhs.outer.empty() || !rhs.outer.empty()) return false;
  if (!same_values(lhs, Relation::equal, rhs)) return false;
  const auto is_finite = [](auto v) { return std::isfinite(static_cast<double>(v)); };
  for (const BoundedTensor<T>* side : {&lhs, &rhs}) {
    if (!std::all_of(side->values.begin(), side->values.end(), is_finite) || !std::all_of(side->errors.begin(), side->errors.end(), is_finite)) return false;
  }
  for (const std::size_t right : {0U, 1U}) {
    if (!std::all_of(results.errors[right]->begin(), results.errors[right]->end(), is_finite)) return false;
  }
  std::int64_t zero_signs = 0;
  for (std::size_t i = 0; i < lhs.size(); ++i) zero_signs += std::signbit(static_cast<double>(lhs.values[i])) != std::signbit(static_cast<double>(rhs.values[i]));  // of the same numbers only zeros
  Bounded<T> a = lhs.at(0), b = rhs.at(0);
  const double errors[] = {results.error(0, 0), results.error(1, 0)};
  add_computation(a, b, results.is_result, errors, results.roundings);
  if (!(a.error + b.error > 0 && a.error + b.error < infinity)) return false;  // it may be exact, and is not known to be
  c.exact = false;
  c.zero_signs = zero_signs;
  c.entry = 0;
  c.lhs = static_cast<double>(a.value);
  c.rhs = static_cast<double>(b.value);
  c.lhs_bound = a.error;
  c.rhs_bound = b.error;
  c.entries = static_cast<std::int64_t>(lhs.size());
  return true;
}

/// With `exactly`, bounds count as zero.
template <class T>
Comparison compare_all(const BoundedTensor<T>& lhs, Relation relation, const BoundedTensor<T>& rhs, bool exactly, const Results& results) {
  Comparison result;
  result.outcome = Outcome::within;
  result.exact = true;
  result.shape = lhs.shape.empty() ? rhs.shape : lhs.shape;
  if (exactly && same_values(lhs, relation, rhs)) return result;
  if (!exactly && relation == Relation::equal && all_same(lhs, rhs, results, result)) return result;
  const std::size_t count = std::max(lhs.size(), rhs.size());
  for (std::size_t i = 0; i < count; ++i) {
    Bounded<T> a = lhs.at(lhs.shape.empty() ? 0 : i);
    Bounded<T> b = rhs.at(rhs.shape.empty() ? 0 : i);
    if (exactly) a.error = b.error = 0;
    if (!exactly) {
      const double errors[] = {results.error(0, i), results.error(1, i)};
      add_computation(a, b, results.is_result, errors, results.roundings);
    }
    result.exact = result.exact && a.error == 0 && b.error == 0;
    compare_entry(a, relation, b, static_cast<std::int64_t>(i), results.storage, result);
  }
  result.entries = static_cast<std::int64_t>(count);
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
  for (const auto& format : numeric::storage_formats) {
    if (format.name == name) return format;
  }
  throw expr::InternalError("no format is called " + name);
}

std::vector<std::string> every_format() {
  std::vector<std::string> names;
  for (const auto& format : numeric::formats) names.emplace_back(format.name);
  return names;
}

std::string Comparison::index() const {
  if (entry < 0) return "";
  std::string place;
  for (const std::int64_t i : numeric::indices_of(entry, shape)) place += (place.empty() ? "" : ", ") + std::to_string(i);
  return "[" + place + "]";
}
std::string Comparison::element() const {
  if (entry < 0) return "";
  return index() + ": " + hex(lhs) + " against " + hex(rhs) + ", bound " + hex(lhs_bound + rhs_bound);
}
std::string Sides::formula(const Comparison& c) const {
  if (c.entry < 0) return "";
  std::string out = "|L - R| = " + short_number(std::abs(c.lhs - c.rhs)) + (c.ratio > 1 ? " > " : " <= ") + short_number(c.lhs_bound) + " + " +
                    short_number(c.rhs_bound) + " = E_L + E_R, ratio " + short_number(c.ratio) + "; " + std::string(format_.name) + ", u = 2^-" +
                    std::to_string(format_.precision);
  if (format_.arithmetic != format_.precision) out += ", products with u = 2^-" + std::to_string(format_.arithmetic);
  for (const auto& [name, rounding] : stored_) out += "; " + name + " was rounded: " + short_number(rounding.u) + " 2^e + " + short_number(rounding.eta) + " for |" + name + "| in [2^e, 2^(e+1))";
  for (const bool right : {false, true}) {
    if (!is_result_[right ? 1 : 0]) continue;
    out += right ? "; E_R holds E_L once more, for the program that computed it" : "; E_L holds E_R once more, for the program that computed it";
    if (!others_[right ? 1 : 0].errors.empty()) out += ", or what sums in another order may be off by";
  }
  if (!has_products_) return out + "; E: u |value| at every rounding, carried through";
  out += c.by_norms ? "; E of A B by norms of rows and columns: " : "; E of A B: ";
  out += "gamma_{n+1} (|A| + E_A)(|B| + E_B) + |A| E_B + E_A (|B| + E_B) + e with n = ";
  for (const auto& sizes : inner_sizes_) {
    std::string list;
    for (const std::int64_t n : sizes) {
      const double nu = static_cast<double>(n + 1) * std::ldexp(1.0, -format_.arithmetic);
      list += (list.empty() ? "" : ", ") + std::to_string(n) + (nu < 1 ? " (gamma " + short_number(nu / (1 - nu)) + ")" : " (no gamma: n u >= 1)");
    }
    out += (&sizes == &inner_sizes_[0] ? "" : " | ") + (list.empty() ? "none" : list);
  }
  return out;
}

Sides::Sides(const infer::Problem& problem, const expr::DimValues& dims, const numeric::FormatInfo& format, Mutation mutation, const numeric::ProgramLimit& limit) : relation_(problem.relation), format_(format) {
  const infer::Term left[] = {problem.lhs};
  const infer::Term right[] = {problem.rhs};
  const auto lhs = std::make_shared<const numeric::Program>(left, dims, limit);
  const auto rhs = std::make_shared<const numeric::Program>(right, dims, limit);
  if (!format.is_narrow()) exact_bits_ = std::min(campaign::exact_bits(*lhs, format), campaign::exact_bits(*rhs, format));
  for (const auto& program : {lhs, rhs}) {
    for (const numeric::Step& step : program->steps()) {
      if (!is_matrix_product(step)) continue;
      has_products_ = true;
      auto& sizes = inner_sizes_[program == rhs];
      const std::int64_t inner = program->steps()[static_cast<std::size_t>(step.args[0])].shape.back();
      if (std::find(sizes.begin(), sizes.end(), inner) == sizes.end()) sizes.push_back(inner);
    }
    if (rounding_operator_.empty()) rounding_operator_ = campaign::rounding_operator(*program);
  }
  const auto make = [&](auto number) {
    using T = decltype(number);
    machines_ = std::make_unique<Pair<T>>(lhs, rhs, format, mutation);
  };
  if (format.arithmetic == numeric::float64_format.arithmetic) {
    make(double());
  } else if (format.arithmetic == numeric::float32_format.arithmetic) {
    make(float());
  } else if (format.arithmetic == numeric::float16_only_format.arithmetic) {
    make(Float16());
  } else {
    make(BFloat16());
  }
}

template <class T>
void Sides::make_input(const std::string& name, const numeric::Tensor<double>& tensor, BoundedTensor<T>& input) const {
  round_to(operands_ == Operands::as_stored ? Bounded<T>::format : format_, tensor, input);
  if (const auto at = stored_.find(name); at != stored_.end()) add_storage(at->second, input);
}

template <class T>
void Sides::place_held(Pair<T>& pair) {
  for (const auto& [name, input] : pair.held) {
    pair.lhs.set(pair.lhs.step_of(name), *input);
    pair.rhs.set(pair.rhs.step_of(name), *input);
  }
}

void Sides::hold(const Values& values) {
  const auto hold_in = [&]<class T>(Pair<T>& pair) {
    for (const auto& [name, tensor] : values) {
      auto input = std::make_shared<BoundedTensor<T>>();
      make_input(name, tensor, *input);
      pair.held[name] = std::move(input);
    }
    place_held(pair);
  };
  std::visit([&](auto& pair) { hold_in(*pair); }, machines_);
}

void Sides::hold_those_of(const Sides& other) {
  std::visit(
      [&](auto& pair) {
        pair->held = std::get<std::decay_t<decltype(pair)>>(other.machines_)->held;
        place_held(*pair);
      },
      machines_);
}

void Sides::evaluate(const Values& values, Bounds bounds) {
  std::visit(
      [&](auto& pair) {
        pair->inputs.resize(values.size());
        places_.resize(values.size());
        std::size_t k = 0;
        for (const auto& [name, tensor] : values) {
          Place& place = places_[k];
          if (place.name != name) place = {name, pair->lhs.step_of(name), pair->rhs.step_of(name)};  // once for all instances
          auto& input = pair->inputs[k++];
          make_input(name, tensor, input);
          pair->lhs.set(place.lhs, input);
          pair->rhs.set(place.rhs, input);
        }
        pair->lhs.want(bounds);
        pair->rhs.want(bounds);
        pair->left = &pair->lhs.run();
        pair->right = &pair->rhs.run();
      },
      machines_);
}

Comparison Sides::compare(const Values& values, Bounds bounds) {
  const bool plain = relation_ == Relation::equal && stored_.empty() && !has_results();
  if (bounds == Bounds::norms && !(has_products_ && plain)) bounds = Bounds::entries;
  const Comparison first = compared(values, bounds);
  return bounds == Bounds::norms && !first.by_norms && first.outcome != Outcome::undefined ? compared(values, Bounds::entries) : first;
}

Comparison Sides::compared(const Values& values, Bounds bounds) {
  try {
    evaluate(values, bounds);
  } catch (const numeric::Undefined&) {
    return {};
  }
  return compared_values(bounds);
}

Comparison Sides::compare_again() const { return compared_values(Bounds::entries); }

Comparison Sides::compared_values(Bounds bounds) const {
  return std::visit(
      [&](const auto& pair) {
        const Results results{is_result_, {&others_[0].errors, &others_[1].errors}, {others_[0].roundings, others_[1].roundings}, storage_};
        if (bounds != Bounds::norms) return compare_all(*pair->left, relation_, *pair->right, bounds == Bounds::none, results);
        Comparison c;
        c.outcome = Outcome::vacuous;  // nothing is decided yet
        clearly_within(*pair->left, *pair->right, c);
        return c;
      },
      machines_);
}

std::vector<SideEntry> Sides::entries(bool right) const {
  return std::visit(
      [&](auto& pair) {
        const auto& side = *(right ? pair->right : pair->left);
        std::vector<SideEntry> result;
        result.reserve(side.size());
        for (std::size_t i = 0; i < side.size(); ++i) result.push_back({static_cast<double>(side.at(i).value), side.at(i).error});
        return result;
      },
      machines_);
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
