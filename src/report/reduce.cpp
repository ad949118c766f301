// SPDX-License-Identifier: MIT
#include "report/reduce.hpp"

#include <numeric>
#include <set>

namespace foldproof::report {
namespace {

constexpr std::int64_t large = 9;  // sizes from here on are worth making smaller

std::set<std::int64_t> large_sizes(const expr::Claim& claim) {
  std::set<std::int64_t> found;
  const auto note = [&](std::int64_t n) {
    if (n >= large) found.insert(n);
  };
  for (const auto& d : claim.declarations) {
    for (const auto& size : d.shape) note(size.constant().value_or(0));
  }
  for (const auto& a : claim.assumptions) {
    for (const auto& side : {a.lhs, a.rhs}) {
      if (side && side->kind == expr::SyntaxKind::number && side->value.is_integer()) note(side->value.num());
    }
  }
  return found;
}

expr::Expression replaced(const expr::Expression& e, const SizeMap& map) {
  if (!e || e->kind != expr::SyntaxKind::number || !e->value.is_integer() || map.count(e->value.num()) == 0) return e;
  auto copy = std::make_shared<expr::Syntax>(*e);
  copy->value = expr::Rational(map.at(e->value.num()));
  return copy;
}

}  // namespace

std::string text(const SizeMap& map) {
  std::string out;
  for (const auto& [from, to] : map) out += (out.empty() ? "" : ", ") + std::to_string(to) + " for " + std::to_string(from);
  return out;
}

std::vector<SizeMap> reductions(const expr::Claim& claim) {
  const auto sizes = large_sizes(claim);
  if (sizes.empty()) return {};
  SizeMap ranks, quotients;
  std::int64_t next = 2;
  std::int64_t divisor = 0;
  for (const std::int64_t n : sizes) {
    ranks[n] = next++;
    divisor = std::gcd(divisor, n);
  }
  if (divisor < 4 || divisor % 2 != 0) return {ranks};
  for (const std::int64_t n : sizes) quotients[n] = n / (divisor / 2);
  return {ranks, quotients};
}

expr::Claim reduced(const expr::Claim& claim, const SizeMap& map) {
  expr::Claim result = claim;
  for (auto& d : result.declarations) {
    for (auto& size : d.shape) {
      const auto n = size.constant();
      if (n && map.count(*n)) size = expr::Dim(map.at(*n));
    }
  }
  for (auto& a : result.assumptions) {
    a.lhs = replaced(a.lhs, map);
    a.rhs = replaced(a.rhs, map);
  }
  return result;
}

numeric::Instance<numeric::Exact> padded(const infer::Problem& problem, const refute::Counterexample& small) {
  numeric::Instance<numeric::Exact> result;
  result.dims = small.instance.dims;
  for (const auto& v : problem.variables) {
    const auto at = small.instance.values.find(v.name);
    if (at == small.instance.values.end()) continue;
    std::vector<std::int64_t> shape;
    for (const auto& size : v.shape) shape.push_back(expr::evaluate(size, result.dims));
    numeric::Tensor<numeric::Exact> tensor = numeric::filled(shape, numeric::Exact(0));
    const auto& values = at->second;
    for (std::size_t place = 0; place < values.values.size(); ++place) {
      const auto indices = numeric::indices_of(static_cast<std::int64_t>(place), values.shape);
      std::int64_t target = 0;
      for (std::size_t axis = 0; axis < shape.size(); ++axis) target = target * shape[axis] + indices[axis];
      tensor.values[static_cast<std::size_t>(target)] = values.values[place];
    }
    result.values[v.name] = std::move(tensor);
  }
  return result;
}

}  // namespace foldproof::report
