// SPDX-License-Identifier: MIT
#include "refute/complete.hpp"

#include <algorithm>
#include <numeric>

#include "numeric/random.hpp"
#include "numeric/undefined.hpp"

namespace foldproof::refute {
namespace {

using numeric::Rational;

constexpr std::size_t most_unknowns = 36;
constexpr std::size_t most_equations = 25;
constexpr std::int64_t most_work = 400'000;  ///< scalar operations
constexpr std::size_t redraws = 6;           ///< of the entries of one equation
constexpr double largest_height = 1e6;       ///< of a solution: longer numbers explain nothing

/// Numbers that occur together in simple solutions, sides of right-angled triangles among them.
const std::vector<std::vector<Rational>>& families() {
  static const std::vector<std::vector<Rational>> all{
      {0, 1, -1, 2},
      {1, -1, 2, -2, 3},
      {Rational(3, 5), Rational(4, 5), Rational(-3, 5), Rational(-4, 5), 0},
      {Rational(1, 2), Rational(-1, 2), 0, 1, Rational(3, 2)},
      {0, 1, -1, 2, -2, 3, -3, 5},
      {Rational(1, 3), Rational(2, 3), Rational(-2, 3), Rational(1, 4), Rational(3, 4)},
  };
  return all;
}

std::vector<Exact> in_unit(const std::vector<Rational>& family, bool logarithmic) {
  std::vector<Exact> result;
  for (const Rational& q : family) {
    if (!logarithmic || q.is_integer()) result.push_back(logarithmic ? Exact::log_two(-q) : Exact(q));  // few exps are below 1
  }
  return result;
}

bool is_short(const Exact& v) {
  if (v.is_negative_infinity()) return false;
  for (std::size_t power = 0; power <= v.degree(); ++power) {
    if (v.coefficient(power).height() > largest_height) return false;
  }
  return true;
}

/// The value as a multiple of ln 2, if it is to be one.
Exact in_units(const Exact& v, bool logarithmic) { return logarithmic ? (v.degree() == 0 ? Exact(0) : Exact(v.coefficient(1))) : v; }
Exact unit(bool logarithmic) { return logarithmic ? Exact::log_two() : Exact(1); }

/// A zero of a*u**2 + b*u + c, if a rational one or a multiple of ln 2 is easily found.
std::optional<Exact> zero_of(const Exact& a, const Exact& b, const Exact& c, bool second) {
  if (a.is_zero()) return b.is_zero() ? std::nullopt : std::optional(-c / b);
  const Exact discriminant = b * b - Exact(4) * a * c;
  const auto root = discriminant.is_rational() && discriminant.sign() >= 0 ? discriminant.coefficient(0).exact_sqrt() : std::nullopt;
  if (!root) return std::nullopt;
  return (Exact(second ? -*root : *root) - b) / (Exact(2) * a);
}

}  // namespace

Completion::Completion(Tie& tie, const std::vector<std::vector<Tensor<Exact>>>& lists, std::vector<char> logarithmic, std::uint64_t seed)
    : tie_(tie), lists_(lists), logarithmic_(std::move(logarithmic)), seed_(seed) {
  const infer::Problem& problem = tie.problem();
  for (std::size_t k = 0; k < lists.size(); ++k) {
    const std::string& name = problem.variables[tie.variables()[k]].name;
    pools_.emplace_back();
    values_.push_back(lists[k][0]);
    if (!has_free_entries(problem, name)) {
      fixed_ = true;
      continue;
    }
    for (const auto& family : families()) {
      auto pool = in_unit(family, logarithmic_[k] != 0);
      pool.erase(std::remove_if(pool.begin(), pool.end(), [&](const Exact& v) { return !entry_allowed(problem, name, v); }), pool.end());
      if (pool.size() > 1) pools_[k].push_back(std::move(pool));
    }
    if (pools_[k].empty()) fixed_ = true;
    for (std::size_t place = 0; !pools_[k].empty() && place < lists[k][0].values.size(); ++place) unknowns_.push_back({k, place});
  }
}

std::vector<Joint> Completion::run(std::size_t draws) {
  std::vector<Joint> found;
  if (unknowns_.empty() || unknowns_.size() > most_unknowns) return found;
  const std::int64_t end = tie_.work() + most_work;
  for (std::size_t draw = 0; draw < draws && tie_.work() < end; ++draw) {
    try {
      if (attempt(draw) && std::find(found.begin(), found.end(), values_) == found.end()) found.push_back(values_);
      if (equations_.empty()) break;
    } catch (const numeric::Undefined&) {
    } catch (const numeric::NeedsReals&) {
    } catch (const expr::LimitReached&) {
    }
  }
  return found;
}

bool Completion::attempt(std::size_t draw) {
  values_ = start(draw);
  for (std::size_t k = 0; k < values_.size(); ++k) tie_.set(k, values_[k]);
  if (equations_.empty()) equations_ = tie_.equations();
  if (equations_.empty() || equations_.size() > most_equations) {
    equations_.clear();
    return false;
  }
  if (slopes_.empty() || fixed_) linearize();
  if (!slopes_.empty() && linear_at(residuals())) {
    solve_together(draw);
  } else if (!solve_in_turn(draw)) {
    return false;
  }
  const infer::Problem& problem = tie_.problem();
  for (std::size_t k = 0; k < values_.size(); ++k) {
    if (!std::all_of(values_[k].values.begin(), values_[k].values.end(), is_short)) return false;
    if (!tensor_allowed(problem, problem.variables[tie_.variables()[k]].name, values_[k])) return false;
  }
  return tie_.satisfied();
}

/// The entries of one draw come from one family, so that they fit together.
Joint Completion::start(std::size_t draw) const {
  const numeric::Stream stream(seed_, 19);
  Joint result = values_;
  for (std::size_t k = 0; k < result.size(); ++k) {
    if (pools_[k].empty()) {
      result[k] = lists_[k][stream.draw(draw, k) % lists_[k].size()];
      continue;
    }
    const auto& pool = pools_[k][draw % pools_[k].size()];
    for (std::size_t place = 0; place < result[k].values.size(); ++place) result[k].values[place] = pool[stream.draw(draw, 100 * (k + 1) + place) % pool.size()];
  }
  return result;
}

void Completion::set(std::size_t unknown, const Exact& value) {
  const Unknown& u = unknowns_[unknown];
  values_[u.variable].values[u.place] = value;
  tie_.set_entry(u.variable, u.place, value);
}

std::vector<Exact> Completion::residuals() {
  std::vector<Exact> result;
  for (const auto& e : equations_) result.push_back(tie_.residual(e));
  return result;
}

void Completion::linearize() {
  const Joint drawn = values_;
  slopes_.assign(equations_.size(), {});
  try {
    for (std::size_t u = 0; u < unknowns_.size(); ++u) set(u, 0);
    constants_ = residuals();
    for (std::size_t u = 0; u < unknowns_.size(); ++u) {
      set(u, unit(is_logarithmic(u)));
      const auto moved = residuals();
      for (std::size_t e = 0; e < moved.size(); ++e) slopes_[e].push_back(moved[e] - constants_[e]);
      set(u, 0);
    }
  } catch (const numeric::Undefined&) {
    slopes_.clear();
  } catch (const numeric::NeedsReals&) {
    slopes_.clear();
  }
  values_ = drawn;
  for (std::size_t k = 0; k < values_.size(); ++k) tie_.set(k, values_[k]);
}

bool Completion::linear_at(const std::vector<Exact>& residuals) const {
  for (std::size_t e = 0; e < residuals.size(); ++e) {
    Exact sum = constants_[e];
    for (std::size_t u = 0; u < unknowns_.size(); ++u) sum = sum + slopes_[e][u] * in_units(value(u), is_logarithmic(u));
    if (!(sum == residuals[e])) return false;
  }
  return true;
}

/// Elimination: each equation determines the first entry, in an order drawn anew, that it can.
void Completion::solve_together(std::size_t draw) {
  auto rows = slopes_;
  auto constants = constants_;
  std::vector<std::size_t> order(unknowns_.size());
  std::iota(order.begin(), order.end(), 0);
  const numeric::Stream stream(seed_, 23);
  for (std::size_t k = order.size(); k > 1; --k) std::swap(order[k - 1], order[stream.draw(draw, k) % k]);
  std::vector<std::pair<std::size_t, std::size_t>> pivots;  // row and unknown
  for (const std::size_t u : order) {
    const auto used = [&](std::size_t row) { return std::any_of(pivots.begin(), pivots.end(), [&](const auto& p) { return p.first == row; }); };
    std::size_t row = 0;
    while (row < rows.size() && (used(row) || rows[row][u].is_zero())) ++row;
    if (row == rows.size()) continue;
    for (std::size_t other = 0; other < rows.size(); ++other) {
      if (other == row || rows[other][u].is_zero()) continue;
      const Exact factor = rows[other][u] / rows[row][u];
      for (std::size_t k = 0; k < unknowns_.size(); ++k) rows[other][k] = rows[other][k] - factor * rows[row][k];
      constants[other] = constants[other] - factor * constants[row];
    }
    pivots.emplace_back(row, u);
  }
  std::vector<Exact> solutions;
  for (const auto& [row, pivot] : pivots) {
    Exact sum = constants[row];
    for (std::size_t u = 0; u < unknowns_.size(); ++u) {
      const bool solved = std::any_of(pivots.begin(), pivots.end(), [u = u](const auto& p) { return p.second == u; });
      if (!solved) sum = sum + rows[row][u] * in_units(value(u), is_logarithmic(u));
    }
    solutions.push_back(-sum / rows[row][pivot]);
  }
  for (std::size_t k = 0; k < pivots.size(); ++k) set(pivots[k].second, solutions[k] * unit(is_logarithmic(pivots[k].second)));
}

bool Completion::solve_in_turn(std::size_t draw) {
  std::vector<char> solved(unknowns_.size(), 0);
  for (std::size_t e = 0; e < equations_.size(); ++e) {
    bool done = false;
    for (std::size_t again = 0; again < redraws && !done; ++again) {
      if (again > 0 && !draw_again(e, solved, draw, again)) break;
      done = tie_.residual(equations_[e]).is_zero();
      for (std::size_t k = 0; k < unknowns_.size() && !done; ++k) {
        const std::size_t u = (k + draw + again) % unknowns_.size();
        if (solved[u] == 0 && solve(equations_[e], u, draw % 4 >= 2)) solved[u] = done = true;
      }
    }
    if (!done) return false;
    for (std::size_t u = 0; u < unknowns_.size(); ++u) solved[u] = solved[u] != 0 || matters(e, u);
  }
  return true;
}

/// Whether an equation is known to depend on an entry.
bool Completion::matters(std::size_t equation, std::size_t unknown) const { return !slopes_.empty() && !slopes_[equation][unknown].is_zero(); }

/// New values for what an equation depends on and no earlier one: false when nothing is left to change.
bool Completion::draw_again(std::size_t equation, const std::vector<char>& solved, std::size_t draw, std::size_t again) {
  const numeric::Stream stream(seed_ + again, 31);
  bool changed = false;
  for (std::size_t u = 0; u < unknowns_.size(); ++u) {
    if (solved[u] != 0 || !matters(equation, u)) continue;
    const auto& pool = pools_[unknowns_[u].variable][draw % pools_[unknowns_[u].variable].size()];
    set(u, pool[stream.draw(draw, u) % pool.size()]);
    changed = true;
  }
  return changed;
}

bool Completion::solve(const Tie::Equation& equation, std::size_t unknown, bool second_root) {
  const Exact before = value(unknown);
  for (const bool exponential : {false, true}) {
    if (exponential && !is_logarithmic(unknown)) break;
    try {
      if (solve(equation, unknown, second_root, exponential)) return true;
    } catch (const numeric::Undefined&) {
    } catch (const numeric::NeedsReals&) {
    }
  }
  set(unknown, before);
  return false;
}

/// Fits a parabola through three values of the entry, or of its exp, and checks the zero of it.
bool Completion::solve(const Tie::Equation& equation, std::size_t unknown, bool second_root, bool exponential) {
  const auto entry = [&](const Exact& position) { return exponential ? log(position) : position * unit(is_logarithmic(unknown)); };
  const auto at = [&](const Exact& position) {
    set(unknown, entry(position));
    return tie_.residual(equation);
  };
  const Exact p[] = {exponential ? 1 : 0, exponential ? 2 : 1, exponential ? 4 : -1};
  const Exact f[] = {at(p[0]), at(p[1]), at(p[2])};
  const Exact first = (f[1] - f[0]) / (p[1] - p[0]), second = (f[2] - f[1]) / (p[2] - p[1]);
  const Exact a = (second - first) / (p[2] - p[0]), b = first - a * (p[0] + p[1]), c = f[0] - (a * p[0] + b) * p[0];
  const auto zero = zero_of(a, b, c, second_root);
  return zero && is_short(*zero) && at(*zero).is_zero();
}

}  // namespace foldproof::refute
