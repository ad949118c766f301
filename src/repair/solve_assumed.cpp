// SPDX-License-Identifier: MIT
#include "repair/solve_assumed.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

namespace foldproof::repair {
namespace {

constexpr std::size_t most_unknowns = 64;
constexpr Eigen::Index most_equations = 64;
constexpr int most_steps = 20;
constexpr double largest_residual = 1e-12;
constexpr double step = 1e-3;  // of the differences that stand for derivatives: exact for polynomials of degree 2, up to rounding

std::vector<infer::Term> sides_of(const std::vector<const infer::Fact*>& equations) {
  std::vector<infer::Term> sides;
  for (const infer::Fact* f : equations) sides.insert(sides.end(), {f->lhs, f->rhs});
  return sides;
}

class Solver {
 public:
  Solver(const infer::Problem& problem, const std::vector<const infer::Fact*>& equations, const std::set<std::string>& fixed, numeric::Instance<double>& instance)
      : equations_(equations.size()), machine_(std::make_shared<const numeric::Program>(sides_of(equations), instance.dims, numeric::quick_program)) {
    for (const auto& v : problem.variables) {
      const int at = machine_.program().variable(v.name);
      if (at < 0) continue;
      auto& tensor = instance.values.at(v.name);
      machine_.set(v.name, tensor);
      if (fixed.count(v.name) > 0) continue;
      for (std::size_t place = 0; place < tensor.values.size(); ++place) unknowns_.push_back({at, place, &tensor.values[place]});
    }
  }

  bool run() {
    if (unknowns_.empty() || unknowns_.size() > most_unknowns) return false;
    for (int k = 0; k <= most_steps; ++k) {
      const auto now = residuals();
      if (!now) return false;
      if (now->lpNorm<Eigen::Infinity>() <= largest_residual) return true;
      const auto slopes = linearize(now->size());
      if (!slopes) return false;
      const Eigen::VectorXd move = slopes->completeOrthogonalDecomposition().solve(*now);
      for (std::size_t u = 0; u < unknowns_.size(); ++u) set(u, *unknowns_[u].value - move[static_cast<Eigen::Index>(u)]);
    }
    return false;
  }

 private:
  struct Unknown {
    int step;  ///< of the program, that loads the variable
    std::size_t place;
    double* value;  ///< in the instance
  };

  void set(std::size_t unknown, double value) {
    const Unknown& u = unknowns_[unknown];
    *u.value = value;
    machine_.set_entry(u.step, u.place, value);
  }
  /// Left sides minus right ones, entry by entry. Nothing where some has no value.
  std::optional<Eigen::VectorXd> residuals() {
    std::vector<double> all;
    for (std::size_t k = 0; k < equations_; ++k) {
      if (machine_.outcome(2 * k, 2 * k + 1) != numeric::Outcome::value) return std::nullopt;
      const auto& lhs = machine_.root(2 * k).values;
      const auto& rhs = machine_.root(2 * k + 1).values;
      for (std::size_t i = 0; i < std::max(lhs.size(), rhs.size()); ++i) all.push_back(lhs[i % lhs.size()] - rhs[i % rhs.size()]);  // a scalar is compared with every entry
    }
    const bool finite = std::all_of(all.begin(), all.end(), [](double x) { return std::isfinite(x); });
    if (!finite || static_cast<Eigen::Index>(all.size()) > most_equations) return std::nullopt;
    return Eigen::Map<const Eigen::VectorXd>(all.data(), static_cast<Eigen::Index>(all.size()));
  }
  std::optional<Eigen::MatrixXd> linearize(Eigen::Index rows) {
    Eigen::MatrixXd slopes(rows, static_cast<Eigen::Index>(unknowns_.size()));
    for (std::size_t u = 0; u < unknowns_.size(); ++u) {
      const double at = *unknowns_[u].value;
      set(u, at + step);
      const auto above = residuals();
      set(u, at - step);
      const auto below = residuals();
      set(u, at);
      if (!above || !below) return std::nullopt;
      slopes.col(static_cast<Eigen::Index>(u)) = (*above - *below) / (2 * step);
    }
    return slopes;
  }

  std::size_t equations_;
  numeric::Machine<double> machine_;
  std::vector<Unknown> unknowns_;
};

}  // namespace

bool solve_assumed(const infer::Problem& problem, const std::vector<const infer::Fact*>& equations, const std::set<std::string>& fixed, numeric::Instance<double>& instance) {
  return Solver(problem, equations, fixed, instance).run();
}

}  // namespace foldproof::repair
