// SPDX-License-Identifier: MIT
#include "repair/size_roles.hpp"

#include <algorithm>
#include <set>
#include <string>

#include "expr/build.hpp"

namespace foldproof::repair {
namespace {

using expr::Expression;
using expr::SyntaxKind;

/// The functions all of whose numbers are sizes, and those that take a tensor first.
bool takes_sizes(const std::string& name) {
  static const std::set<std::string> functions = {"eye", "ones", "zeros", "tril", "triu", "causal", "arange", "positions", "offsets", "halfperm", "sinus", "range"};
  return functions.count(name) > 0;
}
bool takes_sizes_after_a_tensor(const std::string& name) {
  static const std::set<std::string> functions = {"reshape", "view", "onehot", "one_hot", "expand", "unflatten", "broadcast_to", "repeat_interleave", "repeat"};
  return functions.count(name) > 0;
}

/// The names of the comprehensions around, which are no sizes.
using Indices = std::set<std::string>;

/// d**0.5 and d**-0.5
bool is_root(const Expression& e) {
  if (e->kind != SyntaxKind::power) return false;
  const Expression& exponent = e->args[1]->kind == SyntaxKind::negate ? e->args[1]->args[0] : e->args[1];
  return exponent->kind == SyntaxKind::number && exponent->value == expr::Rational(1, 2);
}

/// PyTorch's x.split(8, dim=-1) into parts of 8; np.split(x, 8, axis=1) makes 8 parts.
bool splits_by_size(const Expression& e) {
  return expr::is_call(e, "split") && std::any_of(e->keywords.begin(), e->keywords.end(), [](const auto& k) { return k.first == "dim"; });
}

bool has_size(const Expression& e, const Indices& indices) {
  bool found = e->kind == SyntaxKind::name && indices.count(e->name) == 0;
  expr::each_part(e, [&](const Expression& part) { found = found || has_size(part, indices); });
  return found;
}

bool reshapes(const Expression& e) { return expr::is_call(e, "reshape") || expr::is_call(e, "view") || expr::is_call(e, "unflatten"); }
/// Whether two sizes that follow each other make so many.
bool splits(std::span<const Expression> sizes, std::int64_t n) {
  for (std::size_t k = 0; k + 1 < sizes.size(); ++k) {
    if (size_of(sizes[k]) > 1 && size_of(sizes[k + 1]) > 1 && n % size_of(sizes[k]) == 0 && n / size_of(sizes[k]) == size_of(sizes[k + 1])) return true;
  }
  return false;
}

/// The role of numbers in argument k of e, which has this role itself.
Role role_of_argument(const Expression& e, std::size_t k, Role role, const Indices& indices) {
  const bool listed = e->kind == SyntaxKind::list && role == Role::last_size, sized = reshapes(e) && k > 0;
  if (listed || sized) {
    const auto sizes = listed ? std::span<const Expression>(e->args) : new_sizes(e);
    if (whole(e->args[k]) > 1 && splits(sizes, whole(e->args[k]))) return Role::beside_split;
    return k + 1 == e->args.size() ? Role::last_size : Role::size;
  }
  if (expr::is_call(e, "zeros") || expr::is_call(e, "ones")) return Role::made;
  if (e->kind == SyntaxKind::call && (takes_sizes(e->name) || ((takes_sizes_after_a_tensor(e->name) || splits_by_size(e)) && k > 0))) return Role::size;
  if (e->kind == SyntaxKind::comprehension && k > 0) return Role::size;
  if (e->kind == SyntaxKind::floor_divide && k == 0 && (role == Role::place || role == Role::which)) return Role::which;  // head 3 // 2 of keys
  if (e->kind == SyntaxKind::floor_divide || (e->kind == SyntaxKind::modulo && k == 1)) return Role::size;  // 8 // 2 and i % 8
  if (e->kind == SyntaxKind::index) return Role::other;
  if (expr::is_call(e, "sqrt") || is_root(e)) return whole(e->args[k]) > 0 ? Role::root : role;
  if (e->kind == SyntaxKind::multiply && role == Role::place) {
    const bool first_of_two = k == 0 && size_of(e->args[0]) == size_of(e->args[1]);  // 4*4 is the fifth block of 4
    const bool of_named = has_size(e->args[1 - k], indices);  // 2*d is the third block of d
    return whole(e->args[k]) == 0 || first_of_two || of_named ? Role::which : Role::factor;
  }
  return role == Role::last_size ? Role::size : role;
}

Expression rewritten(const Expression& e, const Rewriting& with, Role role, const Indices& indices) {
  if (!e) return e;
  if (e->kind == SyntaxKind::number) return with(e, role);
  if (e->kind == SyntaxKind::floor_divide && size_of(e) > 1) {
    if (const Expression other = with(e, Role::quotient); other != e) return other;
  }
  Indices inner;
  if (e->kind == SyntaxKind::comprehension) {
    inner = indices;
    inner.insert(e->name);
  }
  const Indices& here = inner.empty() ? indices : inner;
  auto copy = std::make_shared<expr::Syntax>(*e);
  for (std::size_t k = 0; k < copy->args.size(); ++k) {
    const bool exponent = e->kind == SyntaxKind::power && k == 1;
    if (!exponent) copy->args[k] = rewritten(copy->args[k], with, role_of_argument(e, k, role, here), here);
  }
  static const std::set<std::string> no_sizes = {"axis", "dim", "eps", "keepdims", "keepdim", "theta", "base", "parts"};
  for (auto& [key, value] : copy->keywords) {
    if (no_sizes.count(key) == 0) value = rewritten(value, with, Role::size, here);
  }
  static const std::set<std::string> several = {"shape", "chunk", "split", "unbind"};
  const bool of_several = e->kind == SyntaxKind::index && e->args[0]->kind == SyntaxKind::call && several.count(e->args[0]->name) > 0;  // one of q, k and v
  for (expr::Subscript& s : copy->subscripts) {
    const Role place = of_several ? Role::part : s.slice ? Role::place : Role::which;
    s.start = rewritten(s.start, with, place, here);
    s.stop = rewritten(s.stop, with, place, here);
    s.step = rewritten(s.step, with, place, here);
  }
  return copy;
}

}  // namespace

bool is_size(Role role) { return role == Role::size || role == Role::last_size || role == Role::beside_split || role == Role::made; }

std::int64_t whole(const Expression& e) { return e->kind == SyntaxKind::number && e->value.is_integer() ? e->value.num() : 0; }

std::int64_t size_of(const Expression& e) {
  const bool divides = e->kind == SyntaxKind::floor_divide && whole(e->args[1]) > 0;
  return divides ? whole(e->args[0]) / whole(e->args[1]) : whole(e);
}

std::span<const Expression> new_sizes(const Expression& e) {
  if (!reshapes(e)) return {};
  const bool list = e->args.back()->kind == SyntaxKind::list;
  const std::vector<Expression>& sizes = list ? e->args.back()->args : e->args;
  return std::span(sizes).subspan(list ? 0 : 1);
}

Expression rewritten(const Expression& e, const Rewriting& with, Role role) { return rewritten(e, with, role, {}); }

}  // namespace foldproof::repair
