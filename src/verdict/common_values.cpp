// SPDX-License-Identifier: MIT
#include "verdict/common_values.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "expr/build.hpp"

namespace foldproof::verdict {
namespace {

using Names = std::set<std::string>;

bool computes(const expr::Expression& e) {
  static const Names functions = {"sin", "cos", "exp", "log", "sqrt", "rsqrt", "tanh", "sigmoid", "softmax", "relu", "gelu", "silu", "where", "maximum", "max", "abs", "elu", "softplus", "layernorm", "rmsnorm", "sinus"};
  bool found = e->kind == expr::SyntaxKind::power || (e->kind == expr::SyntaxKind::call && functions.count(e->name) > 0);
  expr::each_part(e, [&](const expr::Expression& part) { found = found || computes(part); });
  return found;
}

/// Which names are read where.
class Uses {
 public:
  Uses(const expr::Claim& claim, const infer::Problem& problem) {
    for (const auto& v : problem.variables) names_.insert(v.name);
    for (const auto& d : claim.definitions) {
      reads_of_[d.name] = read_in(d.value);
      names_.insert(d.name);
    }
    outside_ = read_in(claim.lhs);
    Names right = read_in(claim.rhs);
    left_ = closure(outside_);
    right_ = closure(right);
    outside_.merge(right);
  }
  bool is_common(const std::string& definition) const { return left_.count(definition) > 0 && right_.count(definition) > 0; }
  /// Everything that the definition is made of.
  Names made_of(const std::string& definition) const { return closure(reads_of_.at(definition)); }
  /// Whether nothing but the definition reads what it is made of.
  bool closes(const std::string& definition) const {
    const Names inside = made_of(definition);
    const auto is_inside = [&](const std::string& name) { return inside.count(name) > 0; };
    if (std::any_of(outside_.begin(), outside_.end(), is_inside)) return false;
    return std::none_of(reads_of_.begin(), reads_of_.end(), [&](const auto& other) {
      const bool counts = other.first != definition && inside.count(other.first) == 0 && (left_.count(other.first) > 0 || right_.count(other.first) > 0);
      return counts && std::any_of(other.second.begin(), other.second.end(), is_inside);
    });
  }
  bool is_table(const std::string& definition) const {
    const Names inside = made_of(definition);
    return std::all_of(inside.begin(), inside.end(), [&](const std::string& name) { return reads_of_.count(name) > 0; });
  }

 private:
  Names read_in(const expr::Expression& e) const {
    Names found;
    for (const std::string& name : names_) {
      if (expr::mentions_free(e, name)) found.insert(name);
    }
    return found;
  }
  Names closure(const Names& first) const {
    Names found;
    std::vector<std::string> next(first.begin(), first.end());
    while (!next.empty()) {
      const std::string name = std::move(next.back());
      next.pop_back();
      if (!found.insert(name).second) continue;
      const auto more = reads_of_.find(name);
      if (more != reads_of_.end()) next.insert(next.end(), more->second.begin(), more->second.end());
    }
    return found;
  }

  Names names_, left_, right_, outside_;
  std::map<std::string, Names> reads_of_;
};

}  // namespace

std::vector<std::string> common_values(const expr::Claim& claim, const infer::Problem& problem) {
  constexpr std::size_t most = 200;
  if (claim.definitions.empty() || claim.definitions.size() > most) return {};
  const Uses uses(claim, problem);
  Names computed, inside;
  for (const auto& d : claim.definitions) {
    const Names parts = uses.made_of(d.name);
    if (computes(d.value) || std::any_of(parts.begin(), parts.end(), [&](const std::string& part) { return computed.count(part) > 0; })) computed.insert(d.name);
  }
  std::vector<std::string> found;
  for (auto d = claim.definitions.rbegin(); d != claim.definitions.rend(); ++d) {
    if (computed.count(d->name) == 0 || inside.count(d->name) > 0 || !uses.is_common(d->name) || !(uses.is_table(d->name) || uses.closes(d->name))) continue;
    inside.merge(uses.made_of(d->name));
    found.push_back(d->name);
  }
  std::reverse(found.begin(), found.end());
  return found;
}

}  // namespace foldproof::verdict
