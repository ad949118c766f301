// SPDX-License-Identifier: MIT
#include "repair/named_sizes.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "expr/build.hpp"
#include "repair/general_shapes.hpp"
#include "repair/places.hpp"
#include "repair/size_roles.hpp"
#include "repair/unused_names.hpp"

namespace foldproof::repair {
namespace {

using expr::Expression;
using expr::SyntaxKind;

/// The d of assume d == 4096, which names no tensor.
bool is_size_name(const infer::Problem& problem, const Expression& e) {
  const auto has_it = [&](const infer::Variable& v) { return v.name == e->name; };
  return e && e->kind == SyntaxKind::name && std::none_of(problem.variables.begin(), problem.variables.end(), has_it) && std::none_of(problem.replaced.begin(), problem.replaced.end(), has_it);
}

/// What `assume d == 4096` compares; nothing for other assumptions.
struct GivenSize {
  std::string name;
  std::int64_t size;
};
std::optional<GivenSize> given_size(const infer::Problem& problem, const expr::Assumption& a) {
  if (a.relation != expr::Relation::equal) return std::nullopt;
  for (const auto& [name, size] : {std::pair{a.lhs, a.rhs}, std::pair{a.rhs, a.lhs}}) {
    if (size->kind == SyntaxKind::number && size->value.is_integer() && is_size_name(problem, name)) return GivenSize{name->name, size->value.num()};
  }
  return std::nullopt;
}

/// What a number stands for that is compared with `other`: in rank(A @ B) <= 64 it is a size.
Role role_beside(const Expression& other) { return expr::is_call(other, "rank") ? Role::size : Role::other; }

/// The claim with `with` applied to every number outside of declarations, and `size` to those in them.
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

/// Whether a declaration, or an assumption such as n == 3, says that there is something of that size.
bool declares(const expr::Claim& claim, const infer::Problem& problem, std::int64_t size) {
  const bool assumed = std::any_of(claim.assumptions.begin(), claim.assumptions.end(), [&](const auto& a) {
    const auto given = given_size(problem, a);
    return given && given->size == size;
  });
  return assumed || std::any_of(claim.declarations.begin(), claim.declarations.end(), [&](const auto& d) { return std::find(d.shape.begin(), d.shape.end(), expr::Dim(size)) != d.shape.end(); });
}

/// Shows e and everything in it.
void each_expression(const Expression& e, const std::function<void(const Expression&)>& see) {
  see(e);
  expr::each_part(e, [&](const Expression& part) { each_expression(part, see); });
}
/// The same of the sides and definitions.
void each_expression(const expr::Claim& claim, const std::function<void(const Expression&)>& see) {
  for (const auto& d : claim.definitions) each_expression(d.value, see);
  each_expression(claim.lhs, see);
  each_expression(claim.rhs, see);
}

/// Whether the claim takes each of so many places of one tensor alone, as the W[0], W[1], ... of layers: of another number it would not say the same.
bool takes_each_place(const expr::Claim& claim, std::int64_t count) {
  std::map<std::string, std::set<std::int64_t>> places;
  each_expression(claim, [&](const Expression& e) {
    for (std::size_t axis = 0; axis < e->subscripts.size(); ++axis) {
      const expr::Subscript& s = e->subscripts[axis];
      if (!s.slice && s.start && s.start->kind == SyntaxKind::number && s.start->value.is_integer()) places[std::to_string(axis) + expr::text(e->args[0])].insert(s.start->value.num());
    }
  });
  return std::any_of(places.begin(), places.end(), [&](const auto& of_one) { return static_cast<std::int64_t>(of_one.second.size()) == count && *of_one.second.begin() == 0 && *of_one.second.rbegin() == count - 1; });
}

/// The subscripts of a claim that take parts of tensors, as K[4*j:4*(j+1)] and K[j*(512//8):(j+1)*(512//8)] of blocks.
struct Parts {
  bool any = false;             ///< whether there are such that begin and end at numbers
  std::optional<std::int64_t> block;  ///< the largest size of which every product in them has a multiple, or as long as all of them are
  std::set<std::string> quotients;  ///< in them
  std::set<std::int64_t> first;     ///< so many entries are taken from the beginning: 10 of M[:10, :10]
};
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
Parts taken_parts(const expr::Claim& claim) {
  Parts found;
  std::set<std::int64_t> lengths;  // 0 beside others where a part begins within one
  std::vector<std::set<std::int64_t>> products;
  const auto see_product = [&](const Expression& e) {
    if (e->kind != SyntaxKind::multiply) return;
    std::set<std::int64_t> factors;
    for (const Expression& a : e->args) {
      if (size_of(a) > 1) factors.insert(size_of(a));
      if (a->kind == SyntaxKind::floor_divide) found.quotients.insert(expr::text(a));
    }
    products.push_back(std::move(factors));
  };
  each_expression(claim, [&](const Expression& e) {
    for (const expr::Subscript& s : e->subscripts) {
      if (s.slice && !s.start && s.stop && whole(s.stop) > 1) found.first.insert(whole(s.stop));
      if (!s.slice || !s.start || !s.stop || s.start->kind == SyntaxKind::name || s.stop->kind == SyntaxKind::name) continue;
      found.any = true;
      each_expression(s.start, see_product);
      each_expression(s.stop, see_product);
      const auto start = place_of(s.start), stop = place_of(s.stop);
      const bool begins = start && stop && *start >= 0 && *stop - *start > 1 && *start % (*stop - *start) == 0;
      lengths.insert(begins ? *stop - *start : 0);
    }
  });
  if (products.empty() && lengths.size() == 1 && *lengths.begin() > 1) found.block = *lengths.begin();
  for (const auto& product : products) {
    for (const std::int64_t n : product) {
      const auto has_multiple = [&](const auto& factors) { return std::any_of(factors.begin(), factors.end(), [&](std::int64_t factor) { return factor % n == 0; }); };
      if (n > found.block.value_or(0) && std::all_of(products.begin(), products.end(), has_multiple)) found.block = n;
    }
  }
  return found;
}

/// The sizes that the claim states, 2 or more.
struct Stated {
  std::set<std::int64_t> all, large;
  std::set<std::int64_t> places;  ///< that only stand in subscripts
  std::optional<std::int64_t> block;  ///< of which others are multiples
  std::set<std::string> quotients;    ///< that are its size, where not all of that value are: 8 // 4 beside 4 // 2
  bool as_many_blocks = false;        ///< as each of them has entries: 4 heads of 4, and a 4 may be either
  std::set<std::int64_t> made;        ///< that stand in zeros([n, 512]) and the like
  std::map<std::int64_t, std::int64_t> longer;  ///< than a size of which so many are taken: a mask of 1024 places, of which [:10, :10] is
  std::set<Role> apart;               ///< where a multiple of the block is another size
  std::map<std::int64_t, std::pair<std::int64_t, std::int64_t>> split;  ///< 512 into 8 and 64, by view(n, 8, 64) or 512 // 8
};
/// Which sizes the claim divides into which.
std::map<std::int64_t, std::pair<std::int64_t, std::int64_t>> split_sizes(const expr::Claim& claim) {
  std::map<std::int64_t, std::pair<std::int64_t, std::int64_t>> found;
  const auto note = [&](std::int64_t a, std::int64_t b) {
    std::int64_t product = 0;
    if (a > 1 && b > 1 && !__builtin_mul_overflow(a, b, &product)) found.emplace(product, std::pair(a, b));
  };
  each_expression(claim, [&](const Expression& e) {
    if (e->kind == SyntaxKind::floor_divide) note(size_of(e), whole(e->args[1]));
    const auto sizes = new_sizes(e);
    for (std::size_t k = 0; k + 1 < sizes.size(); ++k) note(size_of(sizes[k]), size_of(sizes[k + 1]));
  });
  return found;
}
Stated stated_sizes(const expr::Claim& claim, const infer::Problem& problem, std::int64_t least) {
  Stated found;
  found.split = split_sizes(claim);
  std::set<std::int64_t> sizes;
  const auto note = [&](std::int64_t n, Role role) {
    if (n >= 2) found.all.insert(n);
    if (n >= least) found.large.insert(n);
    (is_size(role) ? sizes : found.places).insert(n);
  };
  const auto see = [&](const Expression& e, Role role) {
    if (role == Role::made) found.made.insert(whole(e));
    if (role != Role::other && role != Role::quotient && e->value.is_integer()) note(e->value.num(), role);
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

enum class Relations { none, products, fused, halves, blocks, multiples, sums, near };

/// How each large size is written, and the small ones that are their factors.
class Writing {
 public:
  Writing(UnusedNames& names, const Stated& stated, Relations relations) : names_(names), stated_(stated), relations_(relations) {
    for (const std::int64_t n : stated.large) {
      if (result_.written.count(n) > 0 || ((relations == Relations::near || relations == Relations::blocks) && stated.places.count(n) > 0)) continue;
      const Expression made = related(n);
      result_.written[n] = made ? made : atom(n);
    }
    if (relations != Relations::near) return;
    for (const std::int64_t n : stated.places) {
      if (result_.written.count(n) > 0) continue;
      const Expression made = beside(n);
      if (made) result_.written[n] = made;
      else if (stated.large.count(n) > 0) result_.written[n] = atom(n);
    }
  }
  NamedSizes result() && { return std::move(result_); }

 private:
  Expression name_of(std::int64_t n) {
    const std::string name = names_.next();
    result_.values.emplace_back(name, n);
    return expr::node(SyntaxKind::name, {}, name);
  }
  Expression atom(std::int64_t n) {
    const auto known = result_.written.find(n);
    return known != result_.written.end() ? known->second : result_.written[n] = name_of(n);
  }
  /// The size in terms of others; nothing where it is none of them.
  Expression related(std::int64_t n) {
    if (relations_ < Relations::products) return nullptr;
    if (relations_ == Relations::products) return as_product(n, 1);
    if (relations_ == Relations::fused) {  // 24 is 3*8 of queries, keys and values, and 8 is 2*4 of heads
      const auto split = stated_.split.find(n);
      return split == stated_.split.end() ? as_few(n) : joined(SyntaxKind::multiply, split->second.first, split->second.second);
    }
    if (relations_ == Relations::halves) {  // 8 is 2*4, and 4 is 2*2, of pairs and of halves
      if (const Expression multiple = as_multiple(n)) return multiple;
      return n % 2 == 0 ? expr::node(SyntaxKind::multiply, {number(2), name_of(n / 2)}) : nullptr;  // the 2 of x // 2 stays
    }
    if (const auto longer = stated_.longer.find(n); relations_ == Relations::blocks && longer != stated_.longer.end()) return joined(SyntaxKind::add, longer->second, n - longer->second);
    if (relations_ == Relations::blocks) {  // 12 rows in blocks of 4; the 2 of 4*2 is one of the blocks
      for (const std::int64_t m : stated_.large) {
        if (m < n && n % m == 0 && stated_.places.count(m) == 0 && m == stated_.block.value_or(m)) return expr::node(SyntaxKind::multiply, {number(n / m), atom(m)});
      }
      return nullptr;
    }
    if (relations_ == Relations::near) {  // 8 * 64 of heads, 14 * 14 patches, and one more for the class
      constexpr std::int64_t fewest_heads = 4;  // 3*768 has q, k and v
      if (const Expression product = as_product(n, fewest_heads)) return product;
      if (const Expression product = as_product(n - 1, large_size)) return expr::node(SyntaxKind::add, {product, number(1)});
    }
    if (const Expression product = as_product(n, large_size)) return product;
    if (const Expression multiple = as_multiple(n)) return multiple;
    if (const Expression product = as_product(n, 1)) return product;
    const std::int64_t smallest = *stated_.all.begin();
    return relations_ == Relations::sums && smallest < n ? joined(SyntaxKind::add, smallest, n - smallest) : nullptr;
  }
  /// 2304 is 3*768 also where 3 is the number of parts.
  Expression as_multiple(std::int64_t n) {
    for (auto m = stated_.large.rbegin(); m != stated_.large.rend(); ++m) {
      if (*m < n && n % *m == 0 && n / *m < large_size) return expr::node(SyntaxKind::multiply, {number(n / *m), atom(*m)});
    }
    return nullptr;
  }
  /// A place by sizes that are written: 63 and 127 are k - 1 and 2*k - 1 of 64, 76 is h + k of 12 and 64. The sizes that are nearest; nothing
  /// where none is near.
  Expression beside(std::int64_t n) const {
    Expression found;
    std::int64_t apart = large_size;
    const auto offer = [&](const Expression& multiple, std::int64_t value) {
      const std::int64_t rest = n - value;
      if (std::abs(rest) >= apart) return;
      apart = std::abs(rest);
      found = rest == 0 ? multiple : expr::node(rest > 0 ? SyntaxKind::add : SyntaxKind::subtract, {multiple, number(apart)});
    };
    for (auto size = result_.written.rbegin(); size != result_.written.rend(); ++size) {
      const auto& [value, written] = *size;
      const std::int64_t times = (n + value / 2) / value;
      if (times > 0 && times < large_size) offer(times == 1 ? written : expr::node(SyntaxKind::multiply, {number(times), written}), times * value);
    }
    for (const auto& [one, first] : result_.written) {
      for (const auto& [other, second] : result_.written) offer(expr::node(SyntaxKind::add, {first, second}), one + other);
    }
    return found;
  }
  /// So many of a smaller size that is split, as that is written: 3*512 of q, k and v.
  Expression as_few(std::int64_t n) {
    constexpr std::int64_t most = 4;
    for (auto m = stated_.all.rbegin(); m != stated_.all.rend(); ++m) {
      if (*m < n && n % *m == 0 && n / *m <= most && stated_.split.count(*m) > 0 && result_.written.count(*m) > 0) return expr::node(SyntaxKind::multiply, {number(n / *m), result_.written[*m]});
    }
    return nullptr;
  }
  /// The largest factor is that of most meaning.
  Expression as_product(std::int64_t n, std::int64_t least_factor) {
    for (const std::int64_t a : stated_.all) {
      if (a >= least_factor && a * a <= n && n % a == 0 && stated_.all.count(n / a) > 0) return joined(SyntaxKind::multiply, a, n / a);
    }
    return nullptr;
  }
  Expression joined(SyntaxKind kind, std::int64_t a, std::int64_t b) {
    const Expression second = atom(b);  // named first
    return expr::node(kind, {atom(a), second});
  }

  UnusedNames& names_;
  const Stated& stated_;
  Relations relations_;
  NamedSizes result_;
};

expr::Dim dim_of(const Expression& e) {
  if (e->kind == SyntaxKind::number) return expr::Dim(e->value.num());
  if (e->kind == SyntaxKind::name) return expr::dim(e->name);
  return e->kind == SyntaxKind::add ? dim_of(e->args[0]) + dim_of(e->args[1]) : dim_of(e->args[0]) * dim_of(e->args[1]);
}

/// What `assume d == 4096` says is left out, and d is what 4096 is written as: no assumption stands between the size and its name.
void replace_given(expr::Claim& named, const expr::Claim& claim, const infer::Problem& problem, const std::function<Expression(std::int64_t)>& written) {
  std::map<std::string, Expression> values;
  std::map<std::string, expr::Dim> sizes;
  for (std::size_t k = claim.assumptions.size(); k-- > 0;) {
    const auto given = given_size(problem, claim.assumptions[k]);
    const Expression value = given ? written(given->size) : nullptr;
    if (!value || !values.emplace(given->name, value).second) continue;
    sizes.emplace(given->name, dim_of(value));
    named.assumptions.erase(named.assumptions.begin() + static_cast<std::ptrdiff_t>(k));
  }
  if (values.empty()) return;
  const auto by = [&](const Expression& part) -> Expression {
    const auto value = part->kind == SyntaxKind::name ? values.find(part->name) : values.end();
    return value == values.end() ? nullptr : value->second;
  };
  for (auto& d : named.declarations) {
    for (auto& size : d.shape) size = expr::substitute(size, sizes);
  }
  expr::change_each(named, [&](const Expression& e) { return expr::changed(e, by); });
}

NamedSizes names_for(const expr::Claim& claim, const infer::Problem& problem, const Stated& stated, Relations relations) {
  UnusedNames names(claim);
  NamedSizes result = Writing(names, stated, relations).result();
  const auto written = [&](std::int64_t n) {
    const auto known = result.written.find(n);
    return known == result.written.end() ? nullptr : known->second;
  };
  std::map<std::int64_t, Expression> apart;
  const auto with = [&](const Expression& e, Role role) {
    const std::int64_t n = whole(e);
    if (stated.apart.count(role) > 0 && n > stated.block && n % *stated.block == 0) {
      Expression& name = apart[n];
      if (!name) {
        result.values.emplace_back(names.next(), n);
        name = expr::node(SyntaxKind::name, {}, result.values.back().first);
      }
      return name;
    }
    const bool of_blocks = relations == Relations::blocks && n == stated.block;
    if (role == Role::quotient) {
      const bool of_block = relations == Relations::blocks && stated.block == size_of(e) && (stated.quotients.empty() || stated.quotients.count(expr::text(e)) > 0);
      return of_block ? written(*stated.block) : e;
    }
    if (of_blocks && stated.as_many_blocks && role != Role::last_size && role != Role::factor && role != Role::place) return e;
    if (relations == Relations::blocks && stated.block) {
      const bool multiple = n > *stated.block && n % *stated.block == 0;
      if (role == Role::place && multiple && !written(n)) return expr::node(SyntaxKind::multiply, {number(n / *stated.block), written(*stated.block)});
      const bool counts_blocks = role == Role::factor && !of_blocks && !(multiple && written(n));  // the 5 of 5*64, and not the 512 of 2*512
      if (role == Role::which || counts_blocks) return e;
    }
    if (const Expression other = role != Role::other || n >= large_size ? written(n) : nullptr) return other;
    const Expression next = role != Role::other && n + 1 >= large_size ? written(n + 1) : nullptr;  // H[31 - i] of 32
    return next ? expr::node(SyntaxKind::subtract, {next, number(1)}) : e;
  };
  const auto size = [&](const expr::Dim& d) {
    const bool either = stated.as_many_blocks && d.constant() == stated.block;
    const Expression other = d.constant() && !either ? written(*d.constant()) : nullptr;
    return other ? dim_of(other) : d;
  };
  result.claim = rewritten(claim, problem, with, size);
  replace_given(result.claim, claim, problem, written);
  return result;
}

void add_ways_to_name(const expr::Claim& claim, const infer::Problem& problem, const Stated& stated, std::initializer_list<Relations> ways, std::vector<NamedSizes>& found) {
  if (stated.large.empty()) return;
  for (const Relations relations : ways) {
    NamedSizes named = names_for(claim, problem, stated, relations);
    const bool known = std::any_of(found.begin(), found.end(), [&](const NamedSizes& other) { return expr::text(other.claim) == expr::text(named.claim); });
    if (!known) found.push_back(std::move(named));
  }
}

/// d as 512, and then D as 512 // 8, where that is assumed: one of the assumptions is left out. Whether there was such.
bool write_given(expr::Claim& claim, const infer::Problem& problem) {
  const auto given = std::find_if(claim.assumptions.begin(), claim.assumptions.end(), [&](const expr::Assumption& a) { return a.relation == expr::Relation::equal && is_size_name(problem, a.lhs) && size_of(a.rhs) > 0; });
  if (given == claim.assumptions.end()) return false;
  const std::string name = given->lhs->name;
  const Expression value = given->rhs;
  claim.assumptions.erase(given);
  for (auto& d : claim.declarations) {
    for (auto& size : d.shape) size = expr::substitute(size, {{name, expr::Dim(size_of(value))}});
  }
  const auto by = [&](const Expression& part) { return part->kind == SyntaxKind::name && part->name == name ? value : nullptr; };
  expr::change_each(claim, [&](const Expression& e) { return expr::changed(e, by); });
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

/// 12 rows in blocks of 4 as 3*d of d, where the 2 of K[4*2:4*(2+1)] is one of the blocks.
void add_blocks_named(const expr::Claim& of, const infer::Problem& problem, std::vector<NamedSizes>& found) {
  expr::Claim claim = of;
  while (write_given(claim, problem)) {}
  write_shapes(claim);
  Parts parts = taken_parts(claim);
  constexpr std::int64_t least = 2;
  Stated stated = stated_sizes(claim, problem, least);
  if (!parts.block) {  // as W.reshape(n, 8, 64) and W[0] to W[7]
    for (const auto& [size, split] : stated.split) {
      if (takes_each_place(claim, split.first)) parts.block = split.second;
    }
  }
  if (!parts.any && !parts.block) return;
  if (parts.block) {
    stated.block = parts.block;
    stated.quotients = parts.quotients;
    stated.places.erase(*stated.block);
    stated.all.insert(*stated.block);
    stated.large.insert(*stated.block);  // also where it is written as 512 // 8
    stated.as_many_blocks = stated.large.count(*stated.block * *stated.block) > 0;
    for (const std::int64_t n : std::set<std::int64_t>(stated.large)) {  // so many blocks are written out
      if (n > *stated.block && n % *stated.block == 0 && n / *stated.block != *stated.block) stated.large.erase(n / *stated.block);
    }
  }
  for (const std::int64_t n : stated.made) {
    const auto first = parts.first.lower_bound(n);
    if (first != parts.first.begin() && !declares(claim, problem, n)) stated.longer.emplace(n, *std::prev(first));
  }
  // Sums over other axes of that size would be cut into blocks, too.
  for (const auto& apart : {std::set{Role::beside_split, Role::made}, std::set{Role::beside_split}, std::set<Role>{}}) {
    stated.apart = stated.block ? apart : std::set<Role>{};
    if (auto general = with_general_shapes(names_for(claim, problem, stated, Relations::blocks))) {
      found.push_back(std::move(*general));
      return;
    }
  }
  add_ways_to_name(claim, problem, stated, {Relations::blocks}, found);
}

/// T, D, H = 6, 32, 4 and x: [T, D], wq: [D, H, dh] with T, D and dh of any size, and H as it is given, if W[0] to W[3] are taken.
void add_sizes_left_open(const expr::Claim& claim, const infer::Problem& problem, std::vector<NamedSizes>& found) {
  NamedSizes open{claim, {}, {}};
  std::map<std::string, std::int64_t> sizes;
  for (const auto& d : claim.declarations) {
    const auto v = std::find_if(problem.variables.begin(), problem.variables.end(), [&](const auto& own) { return own.name == d.name; });
    for (std::size_t axis = 0; v != problem.variables.end() && v->shape.size() == d.shape.size() && axis < d.shape.size(); ++axis) {
      const auto name = d.shape[axis].as_symbol();
      const auto size = v->shape[axis].constant();
      if (name && !name->division && size && !takes_each_place(claim, *size)) sizes.emplace(name->name, *size);
    }
  }
  std::erase_if(open.claim.assumptions, [&](const expr::Assumption& a) { return a.relation == expr::Relation::equal && a.lhs->kind == SyntaxKind::name && sizes.count(a.lhs->name) > 0; });
  if (open.claim.assumptions.size() == claim.assumptions.size()) return;
  for (const auto& [name, size] : sizes) {
    open.values.emplace_back(name, size);
    open.written.emplace(size, expr::node(SyntaxKind::name, {}, name));
  }
  found.push_back(std::move(open));
}

}  // namespace

std::int64_t largest_size(const expr::Claim& claim, const infer::Problem& problem) {
  std::int64_t found = 0;
  for (const auto& d : claim.declarations) {
    for (const auto& size : d.shape) {
      const std::int64_t n = size.constant().value_or(0);
      if (n > found && (n < large_size || !takes_each_place(claim, n))) found = n;
    }
  }
  for (const auto& a : claim.assumptions) {
    if (const auto given = given_size(problem, a)) found = std::max(found, given->size);
  }
  return found;
}

std::string text(const NamedSizes& named) {
  std::string out;
  for (const auto& [name, size] : named.values) out += (out.empty() ? "" : ", ") + name + " for " + std::to_string(size);
  return out;
}

std::vector<NamedSizes> with_blocks_named(const expr::Claim& claim, const infer::Problem& problem) {
  std::vector<NamedSizes> found;
  add_blocks_named(claim, problem, found);
  if (found.empty()) add_sizes_left_open(claim, problem, found);
  return found;
}

std::vector<NamedSizes> with_named_sizes(const expr::Claim& claim, const infer::Problem& problem) {
  if (largest_size(claim, problem) < large_size) return {};
  std::vector<NamedSizes> found = with_blocks_named(claim, problem);
  if (const Stated all = stated_sizes(claim, problem, 2); !all.split.empty()) add_ways_to_name(claim, problem, all, {Relations::fused}, found);
  add_ways_to_name(claim, problem, stated_sizes(claim, problem, large_size), {Relations::none, Relations::products, Relations::multiples, Relations::sums, Relations::near}, found);
  return found;
}

std::vector<NamedSizes> with_small_sizes_named(const expr::Claim& claim, const infer::Problem& problem) {
  constexpr std::int64_t least = 2, least_of_pairs = 3;  // 2 is how many halves, or heads, there are
  std::vector<NamedSizes> found = with_blocks_named(claim, problem);
  add_ways_to_name(claim, problem, stated_sizes(claim, problem, least), {Relations::none, Relations::products, Relations::fused}, found);
  add_ways_to_name(claim, problem, stated_sizes(claim, problem, least_of_pairs), {Relations::halves}, found);
  return found;
}

}  // namespace foldproof::repair
