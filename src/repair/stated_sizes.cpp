// SPDX-License-Identifier: MIT
#include "repair/stated_sizes.hpp"

#include <algorithm>
#include <vector>

#include "expr/build.hpp"

namespace foldproof::repair {
namespace {

using expr::Expression;
using expr::number;
using expr::SyntaxKind;

/// The d of assume d == 4096, which names no tensor.
bool is_size_name(const infer::Problem& problem, const Expression& e) {
  const auto has_it = [&](const infer::Variable& v) { return v.name == e->name; };
  return e && e->kind == SyntaxKind::name && std::none_of(problem.variables.begin(), problem.variables.end(), has_it) && std::none_of(problem.replaced.begin(), problem.replaced.end(), has_it);
}

/// What a number stands for that is compared with `other`: in rank(A @ B) <= 64 it is a size.
Role role_beside(const Expression& other) { return expr::is_call(other, "rank") ? Role::size : Role::other; }

/// Shows what the sides and definitions have in them.
void each_in_formulas(const expr::Claim& claim, const std::function<void(const Expression&)>& see) {
  for (const auto& d : claim.definitions) each_expression(d.value, see);
  each_expression(claim.lhs, see);
  each_expression(claim.rhs, see);
}

/// The place that an expression of numbers says; nothing for others.
std::optional<std::int64_t> place_of(const Expression& e) {
  if (e->kind == SyntaxKind::number && e->value.is_integer()) return e->value.num();
  if (size_of(e) > 0) return size_of(e);
  if (e->kind != SyntaxKind::add && e->kind != SyntaxKind::multiply) return std::nullopt;
  const auto a = place_of(e->args[0]), b = place_of(e->args[1]);
  std::int64_t value = 0;
  if (!a || !b || (e->kind == SyntaxKind::add ? __builtin_add_overflow(*a, *b, &value) : __builtin_mul_overflow(*a, *b, &value))) return std::nullopt;
  return value;
}

/// Which sizes the claim divides into which.
std::map<std::int64_t, std::pair<std::int64_t, std::int64_t>> split_sizes(const expr::Claim& claim) {
  std::map<std::int64_t, std::pair<std::int64_t, std::int64_t>> found;
  const auto note = [&](std::int64_t a, std::int64_t b) {
    std::int64_t product = 0;
    if (a > 1 && b > 1 && !__builtin_mul_overflow(a, b, &product)) found.emplace(product, std::pair(a, b));
  };
  each_in_formulas(claim, [&](const Expression& e) {
    if (e->kind == SyntaxKind::floor_divide) note(size_of(e), whole(e->args[1]));
    const auto sizes = new_sizes(e);
    for (std::size_t k = 0; k + 1 < sizes.size(); ++k) note(size_of(sizes[k]), size_of(sizes[k + 1]));
  });
  return found;
}

/// The size that a sum or product of sizes is; nothing where something else stands in it, or `but`.
std::optional<expr::Dim> size_in(const infer::Problem& problem, const Expression& e, const std::string& but) {
  if (place_of(e).value_or(0) > 0) return expr::Dim(*place_of(e));
  if (is_size_name(problem, e) && e->name != but) return expr::dim(e->name);
  if (e->kind != SyntaxKind::add && e->kind != SyntaxKind::multiply) return std::nullopt;
  const auto a = size_in(problem, e->args[0], but), b = size_in(problem, e->args[1], but);
  if (!a || !b) return std::nullopt;
  return e->kind == SyntaxKind::add ? *a + *b : *a * *b;
}

/// d as 512, D as 512 // 8, C as the number that 8 * 64 is or as 8 * D, where that is assumed: one of the assumptions is left out. Whether there was such.
bool write_given(expr::Claim& claim, const infer::Problem& problem) {
  const auto size_given = [&](const expr::Assumption& a) { return a.relation == expr::Relation::equal && is_size_name(problem, a.lhs) ? size_in(problem, a.rhs, a.lhs->name) : std::nullopt; };
  const auto given = std::find_if(claim.assumptions.begin(), claim.assumptions.end(), [&](const expr::Assumption& a) { return size_given(a).has_value(); });
  if (given == claim.assumptions.end()) return false;
  const expr::Dim size = *size_given(*given);
  const std::string name = given->lhs->name;
  const Expression value = size.constant() && size_of(given->rhs) == 0 ? number(*size.constant()) : given->rhs;
  claim.assumptions.erase(given);
  write_sizes(claim, {{name, value}}, {{name, size}});
  return true;
}

/// shape(x)[1] of x: [n, 512] as 512.
void write_shapes(expr::Claim& claim) {
  const auto by = [&](const Expression& e) -> Expression {
    const bool shape = e->kind == SyntaxKind::index && expr::is_call(e->args[0], "shape") && e->args[0]->args.size() == 1 && e->args[0]->args[0]->kind == SyntaxKind::name && e->subscripts.size() == 1;
    const Expression start = shape && !e->subscripts[0].slice ? e->subscripts[0].start : nullptr;
    if (!start) return nullptr;
    const bool back = start->kind == SyntaxKind::negate;
    const Expression& place = back ? start->args[0] : start;
    const auto d = std::find_if(claim.declarations.begin(), claim.declarations.end(), [&](const auto& declared) { return declared.name == e->args[0]->args[0]->name; });
    if (d == claim.declarations.end() || place->kind != SyntaxKind::number || !place->value.is_integer()) return nullptr;
    const auto rank = static_cast<std::int64_t>(d->shape.size()), axis = back ? rank - whole(place) : whole(place);
    const auto size = axis >= 0 && axis < rank ? d->shape[static_cast<std::size_t>(axis)].constant() : std::nullopt;
    return size ? number(*size) : nullptr;
  };
  expr::change_each(claim, [&](const Expression& e) { return expr::changed(e, by); });
}

}  // namespace

std::optional<GivenSize> given_size(const infer::Problem& problem, const expr::Assumption& a) {
  if (a.relation != expr::Relation::equal) return std::nullopt;
  for (const auto& [name, size] : {std::pair{a.lhs, a.rhs}, std::pair{a.rhs, a.lhs}}) {
    if (size->kind == SyntaxKind::number && size->value.is_integer() && is_size_name(problem, name)) return GivenSize{name->name, size->value.num()};
  }
  return std::nullopt;
}

expr::Claim rewritten(const expr::Claim& claim, const infer::Problem& problem, const Rewriting& with, const std::function<expr::Dim(const expr::Dim&)>& size) {
  expr::Claim result = claim;
  for (auto& d : result.declarations) {
    for (auto& s : d.shape) s = size(s);
  }
  for (auto& d : result.definitions) d.value = rewritten(d.value, with);
  for (auto& a : result.assumptions) {
    a.lhs = rewritten(a.lhs, with, is_size_name(problem, a.rhs) ? Role::size : Role::other);
    a.rhs = rewritten(a.rhs, with, is_size_name(problem, a.lhs) ? Role::size : Role::other);
  }
  const Role left = role_beside(claim.rhs), right = role_beside(claim.lhs);
  result.lhs = rewritten(result.lhs, with, left);
  result.rhs = rewritten(result.rhs, with, right);
  return result;
}

bool declares(const expr::Claim& claim, const infer::Problem& problem, std::int64_t size) {
  const bool assumed = std::any_of(claim.assumptions.begin(), claim.assumptions.end(), [&](const auto& a) {
    const auto given = given_size(problem, a);
    return given && given->size == size;
  });
  return assumed || std::any_of(claim.declarations.begin(), claim.declarations.end(), [&](const auto& d) { return std::find(d.shape.begin(), d.shape.end(), expr::Dim(size)) != d.shape.end(); });
}

bool takes_each_place(const expr::Claim& claim, std::int64_t count) {
  std::map<std::string, std::set<std::int64_t>> places;
  each_in_formulas(claim, [&](const Expression& e) {
    for (std::size_t axis = 0; axis < e->subscripts.size(); ++axis) {
      const expr::Subscript& s = e->subscripts[axis];
      if (!s.slice && s.start && s.start->kind == SyntaxKind::number && s.start->value.is_integer()) places[std::to_string(axis) + expr::text(e->args[0])].insert(s.start->value.num());
    }
  });
  return std::any_of(places.begin(), places.end(), [&](const auto& of_one) { return static_cast<std::int64_t>(of_one.second.size()) == count && *of_one.second.begin() == 0 && *of_one.second.rbegin() == count - 1; });
}

Parts taken_parts(const expr::Claim& claim) {
  Parts found;
  std::set<std::int64_t> lengths;  // 0 beside others where a part begins within one
  std::vector<std::set<std::int64_t>> products;
  std::map<std::string, std::set<std::int64_t>> begun;  // the k of k*d, where parts begin
  const auto is_name = [](const Expression& e) { return e->kind == SyntaxKind::name; };
  const auto see_product = [&](const Expression& e) {
    if (e->kind != SyntaxKind::multiply) return;
    std::set<std::int64_t> factors;
    for (const Expression& a : e->args) {
      if (size_of(a) > 1) factors.insert(size_of(a));
      if (a->kind == SyntaxKind::floor_divide) found.quotients.insert(expr::text(a));
    }
    products.push_back(std::move(factors));
  };
  each_in_formulas(claim, [&](const Expression& e) {
    for (const expr::Subscript& s : e->subscripts) {
      if (s.slice && !s.start && s.stop && whole(s.stop) > 1) found.first.insert(whole(s.stop));
      if (!s.slice || !s.start || !s.stop || s.start->kind == SyntaxKind::name || s.stop->kind == SyntaxKind::name) continue;
      found.any = true;
      each_expression(s.start, see_product);
      each_expression(s.stop, see_product);
      for (const auto& [count, of] : {std::pair{0, 1}, std::pair{1, 0}}) {
        if (s.start->kind == SyntaxKind::multiply && is_name(s.start->args[of]) && place_of(s.start->args[count])) begun[s.start->args[of]->name].insert(*place_of(s.start->args[count]));
      }
      const auto start = place_of(s.start), stop = place_of(s.stop);
      const bool begins = start && stop && *start >= 0 && *stop - *start > 1 && *start % (*stop - *start) == 0;
      lengths.insert(begins ? *stop - *start : 0);
    }
  });
  for (const auto& [block, which] : begun) {
    const auto count = static_cast<std::int64_t>(which.size());
    if (*which.begin() == 0 && *which.rbegin() == count - 1) found.counts.insert(count);
  }
  if (products.empty() && lengths.size() == 1 && *lengths.begin() > 1) found.block = *lengths.begin();
  for (const auto& product : products) {
    for (const std::int64_t n : product) {
      const auto has_multiple = [&](const auto& factors) { return std::any_of(factors.begin(), factors.end(), [&](std::int64_t factor) { return factor % n == 0; }); };
      if (n > found.block.value_or(0) && std::all_of(products.begin(), products.end(), has_multiple)) found.block = n;
    }
  }
  if (found.block) return found;
  for (const auto& [size, split] : split_sizes(claim)) {
    if (takes_each_place(claim, split.first) && found.counts.count(split.second) == 0) found.block = split.second;
  }
  return found;
}

Stated stated_sizes(const expr::Claim& claim, const infer::Problem& problem, std::int64_t least, bool roots) {
  Stated found;
  found.roots = roots;
  found.split = split_sizes(claim);
  std::set<std::int64_t> sizes;
  const auto note = [&](std::int64_t n, Role role) {
    if (n >= 2) found.all.insert(n);
    if (n >= least) found.large.insert(n);
    (is_size(role) ? sizes : found.places).insert(n);
  };
  const auto see = [&](const Expression& e, Role role) {
    if (role == Role::made) found.made.insert(whole(e));
    const bool of_size = role != Role::other && role != Role::quotient && role != Role::root && role != Role::part;
    if (of_size && e->value.is_integer()) note(e->value.num(), role);
    return e;
  };
  const auto size = [&](const expr::Dim& d) {
    note(d.constant().value_or(0), Role::size);
    return d;
  };
  rewritten(claim, problem, see, size);
  std::erase_if(found.places, [&](std::int64_t n) { return n < 2 || sizes.count(n) > 0; });
  for (const std::int64_t n : std::set<std::int64_t>(found.large)) {
    if (!takes_each_place(claim, n)) continue;
    found.large.erase(n);
    found.all.erase(n);  // neither is it a factor that may be another number: 8 is 2*k of two heads
  }
  std::set<std::int64_t> last_places;  // the 31 of H[31 - i] beside 32
  for (const std::int64_t n : found.all) {
    if (found.places.count(n) > 0 && sizes.count(n + 1) > 0 && found.large.count(n + 1) > 0 && !declares(claim, problem, n)) last_places.insert(n);
  }
  for (const std::int64_t n : last_places) {
    found.all.erase(n);
    found.large.erase(n);
  }
  return found;
}

void each_expression(const Expression& e, const std::function<void(const Expression&)>& see) {
  see(e);
  expr::each_part(e, [&](const Expression& part) { each_expression(part, see); });
}

void write_sizes(expr::Claim& claim, const std::map<std::string, Expression>& values, const std::map<std::string, expr::Dim>& sizes) {
  for (auto& d : claim.declarations) {
    for (auto& size : d.shape) size = expr::substitute(size, sizes);
  }
  const auto by = [&](const Expression& part) -> Expression {
    const auto value = part->kind == SyntaxKind::name ? values.find(part->name) : values.end();
    return value == values.end() ? nullptr : value->second;
  };
  expr::change_each(claim, [&](const Expression& e) { return expr::changed(e, by); });
}

expr::Claim with_given_sizes_written(expr::Claim claim, const infer::Problem& problem) {
  while (write_given(claim, problem)) {}
  write_shapes(claim);
  return claim;
}

}  // namespace foldproof::repair
