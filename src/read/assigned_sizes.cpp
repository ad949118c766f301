// SPDX-License-Identifier: MIT
#include "read/assigned_sizes.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "expr/stated.hpp"
#include "read/own_functions.hpp"
#include "read/parser.hpp"

namespace foldproof::read {
namespace {

/// Whether a function takes sizes, from its first argument on or from the second one on.
std::optional<std::size_t> first_size(const std::string& function) {
  static const std::set<std::string> makes = {"ones", "zeros", "full", "eye", "arange", "causal", "positions", "offsets"};
  static const std::set<std::string> shapes = {"reshape", "unflatten", "expand", "chunk", "split", "onehot", "lfac", "rfac"};
  if (makes.count(function) > 0) return 0;
  return shapes.count(function) > 0 ? std::optional<std::size_t>(1) : std::nullopt;
}

/// Whether the name stands for a size somewhere in e, or `here` if e is the name, or arithmetic with it.
bool stands_for_size(const Expression& e, const std::string& name, bool here) {
  if (!e) return false;
  const auto any = [&](const std::vector<Expression>& parts, bool sizes) { return std::any_of(parts.begin(), parts.end(), [&](const Expression& a) { return stands_for_size(a, name, sizes); }); };
  switch (e->kind) {
    case SyntaxKind::number: return false;
    case SyntaxKind::name: return here && e->name == name;
    case SyntaxKind::negate:
    case SyntaxKind::add:
    case SyntaxKind::subtract:
    case SyntaxKind::multiply:
    case SyntaxKind::list: return any(e->args, here);
    case SyntaxKind::floor_divide:
    case SyntaxKind::modulo: return any(e->args, true);
    case SyntaxKind::comprehension: return stands_for_size(e->args[1], name, true) || (e->name != name && stands_for_size(e->args[0], name, false));
    case SyntaxKind::index:
      return any(e->args, false) || std::any_of(e->subscripts.begin(), e->subscripts.end(), [&](const Subscript& s) {
               const bool computed = s.start && s.start->kind != SyntaxKind::name;  // pe[i + k]
               return (s.slice || computed) && (stands_for_size(s.start, name, true) || stands_for_size(s.stop, name, true) || stands_for_size(s.step, name, true));
             });
    case SyntaxKind::call: {
      const auto from = first_size(e->name);
      for (std::size_t k = 0; k < e->args.size(); ++k) {
        if (stands_for_size(e->args[k], name, from && k >= *from)) return true;
      }
      return std::any_of(e->keywords.begin(), e->keywords.end(), [&](const auto& k) { return stands_for_size(k.second, name, false); });
    }
    default: return any(e->args, false);
  }
}

/// Whether arithmetic with sizes, which are at least 1, may give 0: a size of that value is none.
bool may_be_zero(const Expression& e) {
  const bool here = e->kind == SyntaxKind::subtract || e->kind == SyntaxKind::floor_divide || e->kind == SyntaxKind::modulo || e->kind == SyntaxKind::call || e->kind == SyntaxKind::number;
  return (here && !(e->kind == SyntaxKind::number && e->value.sign() > 0)) || (e->kind != SyntaxKind::index && std::any_of(e->args.begin(), e->args.end(), may_be_zero));
}

/// The definitions that the claim, its shapes, its assumptions or others of these read.
std::set<std::string> read_definitions(const Claim& claim) {
  std::set<std::string> found;
  const std::function<void(const Expression&)> add = [&](const Expression& e) {
    if (!e) return;
    if (e->kind == SyntaxKind::name && found.insert(e->name).second) {
      for (const auto& d : claim.definitions) {
        if (d.name == e->name) add(d.value);
      }
    }
    each_part(e, add);
  };
  add(claim.lhs);
  add(claim.rhs);
  for (const auto& a : claim.assumptions) {
    add(a.lhs);
    add(a.rhs);
  }
  for (const auto& d : claim.definitions) {
    if (states_shape(d.value)) add(d.value);
  }
  for (const auto& d : claim.declarations) {
    std::vector<std::string> names;
    for (const Dim& size : d.shape) collect_names(size, names);
    for (const std::string& name : names) add(node(SyntaxKind::name, {}, name));
  }
  return found;
}

/// Leaves out whole numbers that nothing reads, as q = k // 2: they would make a size of k.
void leave_out_unread_numbers(Claim& claim) {
  const std::set<std::string> are_read = read_definitions(claim);
  std::map<std::string, Expression> numbers;
  for (const auto& d : claim.definitions) {
    if (const auto value = folded(with_values(d.value, numbers))) numbers[d.name] = expr::number(*value);
  }
  std::erase_if(claim.definitions, [&](const Definition& d) { return numbers.count(d.name) > 0 && are_read.count(d.name) == 0; });
}

}  // namespace

bool is_size_arithmetic(const Expression& e, const std::function<bool(const std::string&)>& may_be_size) {
  switch (e->kind) {
    case SyntaxKind::number: return e->value.is_integer();
    case SyntaxKind::name: return may_be_size(e->name);
    case SyntaxKind::index: return e->args[0]->kind == SyntaxKind::call && e->args[0]->name == "shape";
    case SyntaxKind::call:
      if (e->name == "rank") return true;
      if ((e->name != "max" && e->name != "min") || e->args.size() != 2 || !e->keywords.empty()) return false;
      [[fallthrough]];
    case SyntaxKind::add:
    case SyntaxKind::subtract:
    case SyntaxKind::multiply:
    case SyntaxKind::modulo:
    case SyntaxKind::floor_divide: return std::all_of(e->args.begin(), e->args.end(), [&](const Expression& a) { return is_size_arithmetic(a, may_be_size); });
    default: return false;
  }
}

void read_assigned_sizes(Claim& claim) {
  leave_out_unread_numbers(claim);
  std::set<std::string> tensors, sizes;
  for (const auto& d : claim.declarations) {
    tensors.insert(d.name);
    std::vector<std::string> names;
    for (const Dim& size : d.shape) collect_names(size, names);
    sizes.insert(names.begin(), names.end());
  }
  for (const auto& d : claim.definitions) tensors.insert(d.name);
  const auto may_be_size = [&](const std::string& name) {
    const auto number = std::find_if(claim.definitions.begin(), claim.definitions.end(), [&](const Definition& d) { return d.name == name; });
    return tensors.count(name) == 0 || (number != claim.definitions.end() && number->value->kind == SyntaxKind::number && number->value->value.is_integer());  // w = 2
  };
  std::vector<Assumption> equations;
  for (std::size_t k = 0; k < claim.definitions.size();) {  // each uses earlier ones
    const Definition d = claim.definitions[k];
    const auto used = [&](const Expression& e) { return stands_for_size(e, d.name, false); };
    const bool as_size = sizes.count(d.name) > 0 || used(claim.lhs) || used(claim.rhs) || std::any_of(claim.definitions.begin(), claim.definitions.end(), [&](const auto& other) { return used(other.value); }) ||
                         std::any_of(claim.assumptions.begin(), claim.assumptions.end(), [&](const auto& a) { return used(a.lhs) || used(a.rhs); });
    const bool sized = sizes.count(d.name) == 0 && is_size_arithmetic(d.value, may_be_size);
    if ((!as_size && d.value->kind == SyntaxKind::call && d.value->name == "rank") || (sized && may_be_zero(d.value))) {  // r = rank(W); r <= d says what rank(W) <= d does; the m of m = n // 2 may be 0
      claim.definitions.erase(claim.definitions.begin() + static_cast<std::ptrdiff_t>(k));
      change_each(claim, [&](const Expression& e) { return with_values(e, {{d.name, d.value}}); });
      continue;
    }
    if (!as_size || !is_size_arithmetic(d.value, [&](const std::string& name) { return tensors.count(name) == 0; })) {
      ++k;
      continue;
    }
    tensors.erase(d.name);
    equations.push_back({node(SyntaxKind::name, {}, d.name, d.span), Relation::equal, d.value, d.span});
    claim.definitions.erase(claim.definitions.begin() + static_cast<std::ptrdiff_t>(k));
  }
  claim.assumptions.insert(claim.assumptions.begin(), equations.begin(), equations.end());
}

}  // namespace foldproof::read
