// SPDX-License-Identifier: MIT
#include "refute/order.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "expr/operators.hpp"
#include "infer/visit.hpp"
#include "numeric/sizes.hpp"

namespace foldproof::refute {
namespace {

constexpr std::size_t largest_list = 6000;
constexpr std::size_t few_shapes = 12;  ///< when no more of the small sizes fit, sizes are looked for that do

void collect_numbers(const expr::Dim& size, std::vector<std::int64_t>& numbers) {
  for (const auto& m : size.summands()) numbers.push_back(m.coefficient);
}

void collect_numbers(const infer::Term& term, std::vector<std::int64_t>& numbers) {
  infer::visit_each(term, [&](const infer::Term& t) {
    collect_numbers(t->size, numbers);
    if (t->kind == infer::TermKind::number) numbers.insert(numbers.end(), {t->value.num(), t->value.den()});
  });
}

/// Sizes for claims about sizes alone: next to the numbers of the claim, where such claims end, as n <= 100 does.
std::vector<std::int64_t> far_sizes(const infer::Problem& problem) {
  constexpr std::int64_t largest = 1'000'000'000;
  std::vector<std::int64_t> sizes{1, 2, 3, 4, 5, 8, 16, 64, 512, 4096}, numbers;
  std::size_t most = sizes.size();
  const auto shapes = [&](std::size_t choices) {
    std::size_t product = 1;
    for (std::size_t k = 0; k < problem.dimensions.size() && product <= largest_list; ++k) product *= choices;
    return product;
  };
  while (most < 40 && shapes(most + 1) <= largest_list) ++most;
  collect_numbers(problem.lhs, numbers);
  collect_numbers(problem.rhs, numbers);
  for (const auto& f : problem.facts) collect_numbers(f.lhs_size - f.rhs_size, numbers);
  for (const std::int64_t step : {1, 0, -1}) {
    for (const std::int64_t n : numbers) {
      if (n > largest || n < -largest) continue;
      const std::int64_t size = std::abs(n) + step;
      if (size > 0 && sizes.size() < most && std::find(sizes.begin(), sizes.end(), size) == sizes.end()) sizes.push_back(size);
    }
  }
  std::sort(sizes.begin(), sizes.end());
  return sizes;
}

/// Sizes for claims about tensors, few dimensions reaching further.
std::vector<std::int64_t> sizes_of(const infer::Problem& problem) {
  const std::size_t dimensions = problem.dimensions.size();
  if (problem.variables.empty()) return far_sizes(problem);
  const std::int64_t largest = dimensions <= 3 ? 5 : dimensions == 4 ? 4 : dimensions <= 6 ? 3 : 2;
  std::vector<std::int64_t> sizes;
  for (std::int64_t n = 1; n <= largest; ++n) sizes.push_back(n);
  return sizes;
}

struct Shape {
  std::int64_t entries;
  std::vector<std::int64_t> sizes;
  bool operator<(const Shape& other) const { return entries != other.entries ? entries < other.entries : sizes < other.sizes; }
};

expr::DimValues named(const infer::Problem& problem, const std::vector<std::int64_t>& sizes) {
  expr::DimValues dims;
  for (std::size_t k = 0; k < sizes.size(); ++k) dims[problem.dimensions[k]] = sizes[k];
  return dims;
}

/// Entries of all variables; without variables the sum of the sizes.
std::int64_t weight(const infer::Problem& problem, const expr::DimValues& dims) {
  std::int64_t total = 0;
  if (problem.variables.empty()) {
    for (const auto& d : dims) total += d.second;
  }
  for (const auto& v : problem.variables) {
    std::int64_t count = 1;
    for (const auto& d : v.shape) count *= std::max<std::int64_t>(0, expr::evaluate(d, dims));
    total += count;
  }
  return total;
}

using Constraints = std::vector<numeric::SizeConstraint>;

void add(const infer::Problem& problem, const Constraints& constraints, const std::vector<std::int64_t>& sizes, std::vector<Shape>& list) {
  const auto dims = named(problem, sizes);
  try {
    if (numeric::hold(constraints, dims)) list.push_back({weight(problem, dims), sizes});
  } catch (const expr::LimitReached&) {  // d**20 at d = 4096 does not fit: no shape to try
  }
}

std::vector<Shape> all_shapes(const infer::Problem& problem, const Constraints& constraints) {
  const std::size_t count = problem.dimensions.size();
  const auto choices = sizes_of(problem);
  std::vector<Shape> list;
  std::vector<std::size_t> digits(count, 0);
  for (std::size_t made = 0; made < largest_list; ++made) {
    std::vector<std::int64_t> sizes;
    for (const std::size_t d : digits) sizes.push_back(choices[d]);
    add(problem, constraints, sizes, list);
    std::size_t k = 0;
    while (k < count && ++digits[k] == choices.size()) digits[k++] = 0;
    if (k == count) break;
  }
  return list;
}

/// The largest number that stands among sizes: tril(S, -7) says nothing of 7 rows.
std::int64_t largest_offset(const infer::Term& term, std::set<const infer::TermNode*>& seen) {
  std::int64_t largest = 0;
  if (!seen.insert(term.get()).second) return largest;
  for (const auto& size : term->call.sizes) {
    for (const auto& m : size.summands()) {
      if (m.product.empty()) largest = std::max(largest, std::abs(m.coefficient));
    }
  }
  for (const auto& a : term->args) largest = std::max(largest, largest_offset(a, seen));
  return largest;
}

/// Shapes that reach beyond such a number along one dimension.
void add_long(const infer::Problem& problem, const Constraints& constraints, std::vector<Shape>& list) {
  constexpr std::int64_t most = 16;
  std::set<const infer::TermNode*> seen;
  const std::int64_t offset = std::max(largest_offset(problem.lhs, seen), largest_offset(problem.rhs, seen)), size = offset + 2;
  const auto known = sizes_of(problem);
  if (offset > most || std::find(known.begin(), known.end(), size) != known.end()) return;
  for (std::size_t k = 0; k < problem.dimensions.size(); ++k) {
    std::vector<std::int64_t> sizes(problem.dimensions.size(), 2);
    sizes[k] = size;
    add(problem, constraints, sizes, list);
  }
}

/// A rank shows only in a matrix that is larger: entrywise products of rank 2 and rank 3 have rank 6.
void add_wide(const infer::Problem& problem, const Constraints& constraints, std::vector<Shape>& list) {
  const infer::Term& side = problem.lhs->args.size() == 1 ? problem.lhs : problem.rhs;
  if (problem.ranks.empty() || side->args.size() != 1) return;
  std::vector<std::string> outer;
  for (const auto& size : side->args[0]->shape) expr::collect_names(size, outer);
  for (const std::int64_t large : {6, 9}) {
    std::vector<std::int64_t> sizes;
    std::int64_t inner = 2;
    for (const auto& d : problem.dimensions) {
      const bool is_outer = std::find(outer.begin(), outer.end(), d) != outer.end();
      sizes.push_back(is_outer ? large : inner);
      if (!is_outer) inner = 5 - inner;
    }
    if (std::set<std::int64_t>(sizes.begin(), sizes.end()).size() > 1) add(problem, constraints, sizes, list);  // with an inner size
  }
}

/// What stands there again is named by the place of its description.
void describe(const infer::Term& term, std::map<const infer::TermNode*, std::size_t>& described, std::string& out) {
  const auto [known, is_new] = described.emplace(term.get(), described.size());
  if (!is_new && !term->args.empty()) {
    out += "#" + std::to_string(known->second);
    return;
  }
  switch (term->kind) {
    case infer::TermKind::variable: out += term->name; return;
    case infer::TermKind::number: out += term->value.text(); return;
    case infer::TermKind::size: out += expr::text(term->size); return;
    case infer::TermKind::stack: out += "stack " + term->name + expr::text(term->size); break;
    case infer::TermKind::apply: out += expr::operator_info(term->op).name; break;
  }
  for (const auto& d : term->call.sizes) out += "," + expr::text(d);
  out += "(";
  for (const auto& arg : term->args) describe(arg, described, out), out += ";";
  out += ")";
}

}  // namespace

std::vector<expr::DimValues> shapes_in_order(const infer::Problem& problem, std::size_t most) {
  const auto has_rank = [](const auto& v) { return std::any_of(v.shape.begin(), v.shape.end(), expr::mentions_rank); };
  if (std::any_of(problem.variables.begin(), problem.variables.end(), has_rank)) return {};  // the A of A @ lfac(W) has no size before W has values
  const Constraints constraints = numeric::size_constraints(problem);
  auto list = all_shapes(problem, constraints);
  if (list.size() < few_shapes) {
    for (const auto& sizes : numeric::sizes_that_fit(problem, few_shapes)) {
      if (std::none_of(list.begin(), list.end(), [&](const Shape& s) { return s.sizes == sizes; })) add(problem, constraints, sizes, list);
    }
  }
  add_long(problem, constraints, list);
  std::sort(list.begin(), list.end());
  if (problem.variables.empty()) most = largest_list;  // such shapes cost next to nothing
  if (list.size() > most) list.resize(most);
  std::vector<Shape> different;
  const std::size_t count = problem.dimensions.size();
  for (std::size_t turn = 0; turn < std::min<std::size_t>(count, 4); ++turn) {
    std::vector<std::int64_t> sizes;
    for (std::size_t k = 0; k < count; ++k) sizes.push_back(static_cast<std::int64_t>(2 + (k + turn) % std::min<std::size_t>(count, 4)));
    add(problem, constraints, sizes, different);
  }
  add_wide(problem, constraints, different);
  std::sort(different.begin(), different.end());
  std::vector<expr::DimValues> result;
  for (const Shape& s : list) result.push_back(named(problem, s.sizes));
  for (const Shape& s : different) {
    auto dims = named(problem, s.sizes);
    if (std::find(result.begin(), result.end(), dims) == result.end()) result.push_back(std::move(dims));
  }
  return result;
}

std::vector<expr::DimValues> long_shapes(const infer::Problem& problem) {
  constexpr std::int64_t largest = 40;
  const auto known = sizes_of(problem);
  std::vector<std::int64_t> numbers, sizes;
  collect_numbers(problem.lhs, numbers);
  collect_numbers(problem.rhs, numbers);
  const auto add_size = [&](std::int64_t size) {
    if (size > known.back() && size <= largest && std::find(sizes.begin(), sizes.end(), size) == sizes.end()) sizes.push_back(size);
  };
  for (const std::int64_t n : numbers) {
    if (std::abs(n) > largest) continue;
    add_size(std::abs(n) + 1);
    if (n * n + 2 <= largest / 2) add_size(n * n + 2);
  }
  for (const std::int64_t size : {8, 16}) add_size(size);
  const Constraints constraints = numeric::size_constraints(problem);
  const std::size_t count = problem.dimensions.size();
  std::vector<Shape> list;
  for (const std::int64_t size : sizes) {
    for (const std::int64_t other : {1, 2}) {
      if (other == 2 && size != 8) continue;  // once is enough
      for (std::size_t k = 0; k < count; ++k) {
        std::vector<std::int64_t> one(count, other);
        one[k] = size;
        add(problem, constraints, one, list);
      }
    }
    if (count > 1) add(problem, constraints, std::vector<std::int64_t>(count, size), list);
  }
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end(), [](const Shape& a, const Shape& b) { return a.sizes == b.sizes; }), list.end());
  std::vector<expr::DimValues> result;
  for (const Shape& s : list) result.push_back(named(problem, s.sizes));
  return result;
}

std::vector<FarShape> far_shapes(const infer::Problem& problem) {
  std::vector<std::int64_t> numbers;
  collect_numbers(problem.lhs, numbers);
  collect_numbers(problem.rhs, numbers);
  const bool bounded = problem.relation != expr::Relation::equal && std::any_of(numbers.begin(), numbers.end(), [](std::int64_t n) { return std::abs(n) > 1; });
  if (!bounded || !problem.ranks.empty()) return {};  // the rank of a large matrix takes long
  constexpr std::int64_t most_entries = 5000;
  const Constraints constraints = numeric::size_constraints(problem);
  std::vector<FarShape> result;
  for (const std::int64_t size : {64, 160, 512, 4096}) {
    for (std::size_t k = 0; k < problem.dimensions.size(); ++k) {
      std::vector<std::int64_t> sizes(problem.dimensions.size(), 1);
      sizes[k] = size;
      std::vector<Shape> fits;
      add(problem, constraints, sizes, fits);
      if (!fits.empty() && fits[0].entries <= most_entries) result.push_back({named(problem, sizes), problem.dimensions[k]});
    }
  }
  return result;
}

namespace {

/// Shapes with sizes as given before position k that come before `end`. False when there are more than `most`.
bool add_below(const infer::Problem& problem, const Constraints& constraints, const Shape& end, std::size_t k, std::vector<std::int64_t> sizes, std::size_t& left, std::vector<Shape>& list) {
  if (k == sizes.size()) {
    const Shape shape{weight(problem, named(problem, sizes)), sizes};
    if (shape < end) add(problem, constraints, sizes, list);
    return true;
  }
  for (;; ++sizes[k]) {
    if (weight(problem, named(problem, sizes)) > end.entries) return true;
    if (left == 0) return false;
    --left;
    if (!add_below(problem, constraints, end, k + 1, sizes, left, list)) return false;
  }
}

}  // namespace

bool grows(const expr::Dim& entries) {
  return std::all_of(entries.summands().begin(), entries.summands().end(), [](const auto& m) {
    return m.coefficient > 0 && std::none_of(m.product.begin(), m.product.end(), [](const auto& s) { return s.division != nullptr; });
  });
}

std::optional<std::vector<expr::DimValues>> shapes_below(const infer::Problem& problem, const expr::DimValues& dims, std::size_t most) {
  for (const auto& v : problem.variables) {
    if (!std::all_of(v.shape.begin(), v.shape.end(), grows)) return std::nullopt;
  }
  Shape end{weight(problem, dims), {}};
  for (const auto& name : problem.dimensions) end.sizes.push_back(dims.at(name));
  std::size_t left = 4 * most;
  std::vector<Shape> list;
  if (!add_below(problem, numeric::size_constraints(problem), end, 0, std::vector<std::int64_t>(end.sizes.size(), 1), left, list) || list.size() > most) return std::nullopt;
  std::sort(list.begin(), list.end());
  std::vector<expr::DimValues> result;
  for (const Shape& s : list) result.push_back(named(problem, s.sizes));
  return result;
}

std::string signature(const infer::Problem& problem) {
  std::string out;
  for (const auto& v : problem.variables) out += v.name + expr::text(v.shape);
  std::map<const infer::TermNode*, std::size_t> described;
  describe(problem.lhs, described, out);
  out += expr::text(problem.relation);
  describe(problem.rhs, described, out);
  for (const auto& f : problem.facts) out += f.text;
  return out;
}

}  // namespace foldproof::refute
