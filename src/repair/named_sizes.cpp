// SPDX-License-Identifier: MIT
#include "repair/named_sizes.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "expr/build.hpp"
#include "expr/operators.hpp"
#include "infer/is_operator.hpp"
#include "infer/names.hpp"
#include "infer/visit.hpp"
#include "read/parse.hpp"
#include "repair/general_shapes.hpp"
#include "repair/places.hpp"
#include "repair/stated_sizes.hpp"
#include "repair/unused_names.hpp"

namespace foldproof::repair {
namespace {

using expr::Expression;
using expr::SyntaxKind;

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
  if (!values.empty()) write_sizes(named, values, sizes);
}

NamedSizes names_for(const expr::Claim& claim, const infer::Problem& problem, const Stated& stated, Relations relations) {
  UnusedNames names(claim);
  NamedSizes result = Writing(names, stated, relations).result();
  const auto written = [&](std::int64_t n) {
    const auto known = result.written.find(n);
    return known == result.written.end() ? nullptr : known->second;
  };
  std::map<std::int64_t, Expression> apart;
  const auto name_apart = [&](std::int64_t n) {
    Expression& name = apart[n];
    if (!name) {
      result.values.emplace_back(names.next(), n);
      name = expr::node(SyntaxKind::name, {}, result.values.back().first);
    }
    return name;
  };
  const std::int64_t block = relations == Relations::blocks ? stated.block.value_or(0) : 0;
  /// What a number is where blocks get a name; nothing where it is as in other claims.
  const auto in_blocks = [&](const Expression& e, Role role) -> Expression {
    const std::int64_t n = whole(e);
    const bool multiple = n > block && n % block == 0;
    if (role == Role::quotient) return size_of(e) == block && (stated.quotients.empty() || stated.quotients.count(expr::text(e)) > 0) ? written(block) : e;
    if (multiple && stated.apart.count(role) > 0) return name_apart(n);
    if (n == block && stated.as_many_blocks && role != Role::last_size && role != Role::beside_split && role != Role::factor && role != Role::place) return e;  // so many there are
    if (role == Role::place && multiple && !written(n)) return expr::node(SyntaxKind::multiply, {number(n / block), written(block)});
    const bool counts_blocks = role == Role::factor && n != block && !(multiple && written(n));  // the 5 of 5*64, and not the 512 of 2*512
    return role == Role::which || counts_blocks ? e : nullptr;
  };
  const auto with = [&](const Expression& e, Role role) {
    if (role == Role::root && stated.roots) role = Role::size;
    if (role == Role::root || role == Role::part) role = Role::other;
    const Expression here = block > 0 ? in_blocks(e, role) : nullptr;
    if (here || role == Role::quotient || (relations == Relations::blocks && role == Role::which)) return here ? here : e;
    const std::int64_t n = whole(e);
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
    const bool known = named.values.empty() || std::any_of(found.begin(), found.end(), [&](const NamedSizes& other) { return expr::text(other.claim) == expr::text(named.claim); });
    if (!known) found.push_back(std::move(named));
  }
}

/// The numbers of blocks are written out, 3 of 12 rows in blocks of 4; also 6 of 18 in blocks of 3, which may be two blocks as well: then it is one of the sizes.
std::vector<Stated> with_counts_written(const Stated& stated) {
  std::vector<Stated> found{stated};
  std::set<std::int64_t> multiples;
  for (const std::int64_t n : stated.block ? stated.large : std::set<std::int64_t>()) {
    const std::int64_t count = n / *stated.block;
    if (n == *stated.block || n % *stated.block != 0 || count == *stated.block) continue;
    if (count % *stated.block == 0 && stated.large.count(count) > 0) multiples.insert(count);
    found[0].large.erase(count);
  }
  if (multiples.empty()) return found;
  found.push_back(found[0]);
  found[1].large.insert(multiples.begin(), multiples.end());
  return found;
}

/// Sums over other axes of the size of a block would be cut into blocks, too, so these are named apart where that fits.
std::optional<NamedSizes> in_general_blocks(const expr::Claim& claim, const infer::Problem& problem, Stated stated) {
  for (const auto& apart : {std::set{Role::beside_split, Role::made}, std::set{Role::beside_split}, std::set<Role>{}}) {
    stated.apart = stated.block ? apart : std::set<Role>{};
    if (auto general = with_general_shapes(names_for(claim, problem, stated, Relations::blocks))) return general;
  }
  return std::nullopt;
}

/// 12 rows in blocks of 4 as 3*d of d, where the 2 of K[4*2:4*(2+1)] is one of the blocks.
void add_blocks_named(const expr::Claim& of, const infer::Problem& problem, bool roots, std::vector<NamedSizes>& found) {
  const expr::Claim claim = with_given_sizes_written(of, problem);
  const Parts parts = taken_parts(claim);
  if (!parts.any && !parts.block) return;
  constexpr std::int64_t least = 2;
  Stated stated = stated_sizes(claim, problem, least, roots);
  for (const std::int64_t n : parts.counts) {
    stated.large.erase(n);
    stated.all.erase(n);
  }
  if (parts.block) {
    stated.block = parts.block;
    stated.quotients = parts.quotients;
    stated.places.erase(*stated.block);
    stated.all.insert(*stated.block);
    stated.large.insert(*stated.block);  // also where it is written as 512 // 8
    stated.as_many_blocks = stated.large.count(*stated.block * *stated.block) > 0;
  }
  for (const std::int64_t n : stated.made) {
    const auto first = parts.first.lower_bound(n);
    if (first != parts.first.begin() && !declares(claim, problem, n)) stated.longer.emplace(n, *std::prev(first));
  }
  for (const Stated& counted : with_counts_written(stated)) {
    if (auto general = in_general_blocks(claim, problem, counted)) {
      found.push_back(std::move(*general));
      return;
    }
  }
  add_ways_to_name(claim, problem, with_counts_written(stated)[0], {Relations::blocks}, found);
}

/// The claim with sqrt(64) for 8 and 1 / sqrt(64) for 0.125, where it has the root of a size of 64 besides; nothing where it has no roots of numbers.
std::optional<expr::Claim> with_roots_written(const expr::Claim& claim, const infer::Problem& problem) {
  std::map<expr::Rational, std::int64_t> squares;  // of roots
  bool roots = false;
  std::set<const infer::TermNode*> seen;
  const auto see = [&](const infer::Term& t) {
    if (!infer::is<expr::ops::Sqrt, expr::ops::Rsqrt>(t)) return;
    const infer::TermNode& of = *t->args[0];
    const auto size = of.kind == infer::TermKind::size ? of.size.constant() : of.kind == infer::TermKind::number && of.value.is_integer() ? std::optional(of.value.num()) : std::nullopt;
    const auto root = size ? expr::whole_root(*size) : std::nullopt;
    if (root && *root > 1) squares.emplace(*root, *size);
    roots = roots || (size && *size > 1);
  };
  for (const infer::Term& side : {problem.lhs, problem.rhs}) infer::visit_each(side, seen, see);
  if (squares.empty()) return roots ? std::optional(claim) : std::nullopt;  // sqrt(3) and 3**0.5 of heads of 3
  std::set<const expr::Syntax*> factors;  // and no axes or exponents
  expr::each_side(claim, [&](const Expression& side) {
    each_expression(side, [&](const Expression& e) {
      if (e->kind != SyntaxKind::multiply && e->kind != SyntaxKind::divide) return;
      for (const Expression& part : e->args) factors.insert(part.get());
    });
  });
  bool any = false;
  const auto with = [&](const Expression& e, Role role) -> Expression {
    const bool other = role == Role::other && e->value.sign() > 0 && factors.count(e.get()) > 0;
    const auto root = other ? squares.find(e->value) : squares.end(), inverse = other ? squares.find(expr::Rational(1) / e->value) : squares.end();
    any = any || root != squares.end() || inverse != squares.end() || role == Role::root;
    if (root != squares.end()) return expr::call("sqrt", {number(root->second)});
    return inverse != squares.end() ? expr::node(SyntaxKind::divide, {number(1), expr::call("sqrt", {number(inverse->second)})}) : e;
  };
  const auto as_it_is = [](const expr::Dim& d) { return d; };
  expr::Claim result = rewritten(claim, problem, with, as_it_is);
  rewritten(with_given_sizes_written(claim, problem), problem, with, as_it_is);  // D**0.5 where D == 4 is assumed
  return any ? std::optional(std::move(result)) : std::nullopt;
}

/// T, D, H = 6, 32, 4 and x: [T, D], wq: [D, H, dh] with T, D and dh of any size, and H as it is given, if W[0] to W[3] are taken.
void add_sizes_left_open(const expr::Claim& claim, const infer::Problem& problem, std::vector<NamedSizes>& found) {
  std::map<std::string, std::int64_t> sizes;
  for (const auto& d : claim.declarations) {
    const auto v = std::find_if(problem.variables.begin(), problem.variables.end(), [&](const auto& own) { return own.name == d.name; });
    for (std::size_t axis = 0; v != problem.variables.end() && v->shape.size() == d.shape.size() && axis < d.shape.size(); ++axis) {
      const auto name = d.shape[axis].as_symbol();
      const auto size = v->shape[axis].constant();
      if (name && !name->division && size && !takes_each_place(claim, *size)) sizes.emplace(name->name, *size);
    }
  }
  const auto gives_one = [&](const expr::Assumption& a) { return a.relation == expr::Relation::equal && a.lhs->kind == SyntaxKind::name && sizes.count(a.lhs->name) > 0; };
  if (std::none_of(claim.assumptions.begin(), claim.assumptions.end(), gives_one)) return;
  NamedSizes open{claim, {}, {}};
  std::erase_if(open.claim.assumptions, gives_one);
  for (const auto& [name, size] : sizes) {
    open.values.emplace_back(name, size);
    open.written.emplace(size, expr::node(SyntaxKind::name, {}, name));
  }
  found.push_back(std::move(open));
}

/// A claim of which sizes are named, and whether the 64 of sqrt(64) is one.
struct ToName {
  expr::Claim claim;
  bool roots;
};
/// The claim with a declaration of each tensor whose shape was inferred: at other sizes its axes would be named in another way.
expr::Claim with_declarations(expr::Claim claim, const infer::Problem& problem) {
  for (const infer::Variable& v : problem.variables) {
    const bool declared = std::any_of(claim.declarations.begin(), claim.declarations.end(), [&](const auto& d) { return d.name == v.name; });
    if (!declared && infer::is_written(v.name)) claim.declarations.push_back({v.name, v.shape, {}});
  }
  return claim;
}

std::vector<ToName> claims_to_name(const expr::Claim& as_written, const infer::Problem& problem) {
  std::vector<ToName> found;
  const expr::Claim claim = with_declarations(as_written, problem);
  if (auto rooted = with_roots_written(claim, problem)) found.push_back({std::move(*rooted), true});
  found.push_back({claim, false});
  return found;
}

/// With KV for 2 and p for 4 where H is named for 8 and H // KV makes it KV*p: the names that are left are those of any sizes.
NamedSizes with_free_sizes(NamedSizes named) {
  try {
    const infer::Problem general = infer::elaborate(named.claim);
    std::map<std::string, expr::Dim> numbers, replaced;
    std::map<std::string, Expression> written;
    std::vector<std::pair<std::string, std::int64_t>> values, solved;
    for (const auto& [name, size] : named.values) {
      const auto made = std::find_if(general.replaced_sizes.begin(), general.replaced_sizes.end(), [&, &own = name](const auto& other) { return other.first == own; });
      (made == general.replaced_sizes.end() ? values : solved).emplace_back(name, size);
      if (made == general.replaced_sizes.end()) continue;
      replaced.emplace(name, made->second);
      written.emplace(name, read::parse_expression(expr::text(made->second)));
    }
    if (solved.empty()) return named;
    for (const auto& [name, size] : values) numbers.emplace(name, size);
    for (const auto& [name, size] : solved) {
      const expr::Dim open = expr::substitute(replaced.at(name), numbers);
      std::vector<std::string> unknown;
      expr::collect_names(open, unknown);
      if (unknown.empty()) continue;
      if (unknown.size() > 1) return named;
      const std::int64_t first = expr::evaluate(open, {{unknown[0], 0}}), step = expr::evaluate(open, {{unknown[0], 1}}) - first;
      if (step == 0 || (size - first) % step != 0) return named;
      values.emplace_back(unknown[0], (size - first) / step);
      numbers.emplace(values.back());
    }
    named.values = std::move(values);
    write_sizes(named.claim, written, replaced);
    for (auto& [size, e] : named.written) {
      e = expr::changed(e, [&](const Expression& part) {
        const auto other = part->kind == SyntaxKind::name ? written.find(part->name) : written.end();
        return other == written.end() ? nullptr : other->second;
      });
    }
  } catch (const expr::Error&) {  // such sizes do not fit, which is found where the claim is decided
  }
  return named;
}

std::vector<NamedSizes> with_free_sizes(std::vector<NamedSizes> ways) {
  for (NamedSizes& named : ways) named = with_free_sizes(std::move(named));
  return ways;
}

std::vector<NamedSizes> named_in_blocks(const std::vector<ToName>& claims, const infer::Problem& problem) {
  std::vector<NamedSizes> found;
  for (const auto& [claim, roots] : claims) add_blocks_named(claim, problem, roots, found);
  if (found.empty()) add_sizes_left_open(claims.back().claim, problem, found);
  return found;
}

}  // namespace

std::int64_t largest_size(const expr::Claim& claim, const infer::Problem& problem) {
  std::int64_t found = 0;
  const auto see = [&](const expr::Shape& shape) {
    for (const auto& size : shape) {
      const std::int64_t n = size.constant().value_or(0);
      if (n > found && (n < large_size || !takes_each_place(claim, n))) found = n;
    }
  };
  for (const auto& d : claim.declarations) see(d.shape);
  for (const auto& v : problem.variables) see(v.shape);  // C, where C == 8 * 64 is assumed
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

kernel::Reduction reduction_of(const NamedSizes& named) {
  kernel::Reduction reduction{kernel::ReductionKind::sized, {expr::text(named.claim)}};
  for (const auto& [name, size] : named.values) {
    reduction.text.push_back(name);
    reduction.text.push_back(std::to_string(size));
  }
  return reduction;
}

expr::Claim in_order(const NamedSizes& named) {
  std::map<std::string, expr::Dim> numbers;
  for (const auto& [name, size] : named.values) numbers.emplace(name, size);
  std::map<std::int64_t, std::vector<std::string>> sizes;  // by what they are, those of the declarations and their names
  const auto note = [&](const expr::Dim& d) {
    const auto number = expr::substitute(d, numbers).constant();
    if (number) sizes[*number].push_back(expr::text(d));
  };
  for (const auto& [name, size] : named.values) note(expr::dim(name));
  for (const auto& d : named.claim.declarations) std::for_each(d.shape.begin(), d.shape.end(), note);
  expr::Claim result = named.claim;
  const auto assume = [&](const std::string& a, expr::Relation relation, const std::string& b) {
    const auto number = [](const std::string& s) { return s.find_first_not_of("0123456789") == std::string::npos; };
    if (a != b && !(number(a) && number(b))) result.assumptions.push_back({read::parse_expression(a), relation, read::parse_expression(b), {}});
  };
  const std::string* before = nullptr;
  for (const auto& [size, written] : sizes) {
    if (before != nullptr) assume(*before, expr::Relation::less, written[0]);
    for (const std::string& other : written) assume(written[0], expr::Relation::equal, other);
    before = &written[0];
  }
  return result;
}

std::vector<NamedSizes> with_blocks_named(const expr::Claim& claim, const infer::Problem& problem) { return with_free_sizes(named_in_blocks(claims_to_name(claim, problem), problem)); }

std::vector<NamedSizes> with_named_sizes(const expr::Claim& claim, const infer::Problem& problem) {
  if (largest_size(claim, problem) < large_size) return {};
  const std::vector<ToName> claims = claims_to_name(claim, problem);
  std::vector<NamedSizes> found = named_in_blocks(claims, problem);
  for (const auto& [written, roots] : claims) {
    if (const Stated all = stated_sizes(written, problem, 2, roots); !all.split.empty()) add_ways_to_name(written, problem, all, {Relations::fused}, found);
    add_ways_to_name(written, problem, stated_sizes(written, problem, large_size, roots), {Relations::none, Relations::products, Relations::multiples, Relations::sums, Relations::near}, found);
  }
  return with_free_sizes(std::move(found));
}

std::vector<NamedSizes> with_small_sizes_named(const expr::Claim& claim, const infer::Problem& problem) {
  constexpr std::int64_t least = 2, least_of_pairs = 3;  // 2 is how many halves, or heads, there are
  const std::vector<ToName> claims = claims_to_name(claim, problem);
  std::vector<NamedSizes> found = named_in_blocks(claims, problem);
  for (const auto& [written, roots] : claims) {
    add_ways_to_name(written, problem, stated_sizes(written, problem, least, roots), {Relations::none, Relations::products, Relations::fused}, found);
    add_ways_to_name(written, problem, stated_sizes(written, problem, least_of_pairs, roots), {Relations::halves}, found);
  }
  return with_free_sizes(std::move(found));
}

}  // namespace foldproof::repair
