// SPDX-License-Identifier: MIT
#include "verdict/cut_slices.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>

#include "expr/build.hpp"
#include "expr/operators.hpp"
#include "infer/is_operator.hpp"
#include "kernel/algebra.hpp"
#include "numeric/random.hpp"
#include "read/parse.hpp"
#include "refute/empty_axes.hpp"

namespace foldproof::verdict {
namespace {

namespace ops = expr::ops;
using expr::Expression;
using expr::SyntaxKind;
using infer::Term;

/// An axis, and from where on it has all places that a slice of it asks for.
struct Cut {
  expr::Dim extent, count;
  expr::Span span;
};

/// Whether the slice asks for a number of places at one end of its axis.
bool from_one_end(const expr::Subscript& s) {
  const bool last = s.start && s.start->kind == SyntaxKind::negate && s.start->args[0]->kind == SyntaxKind::number;
  return s.slice && !s.step && ((!s.start && s.stop && s.stop->kind != SyntaxKind::negate) || (last && !s.stop));
}

/// Whether an index of a comprehension says where the slice begins or ends.
bool has_index(const expr::Subscript& s, const std::set<std::string>& indices) {
  const auto mentions = [&](const Expression& e) { return e && std::any_of(indices.begin(), indices.end(), [&](const std::string& name) { return expr::mentions(e, name); }); };
  return mentions(s.start) || mentions(s.stop);
}

/// The problem of which both sides are e. Errors: those of infer::elaborate.
infer::Problem alone(const Expression& e, expr::Claim claim) {
  claim.lhs = claim.rhs = e;
  claim.relation = expr::Relation::equal;
  return infer::elaborate(claim);
}

/// e as a term where it takes slices of a tensor with a shape of its own; null for other expressions.
Term slices_alone(const Expression& e, const expr::Claim& claim) {
  if (e->kind != SyntaxKind::index || std::any_of(e->subscripts.begin(), e->subscripts.end(), [](const auto& s) { return expr::is_ellipsis(s) || expr::is_new_axis(s); })) return nullptr;
  if (std::none_of(e->subscripts.begin(), e->subscripts.end(), [](const auto& s) { return s.slice; })) return nullptr;
  try {
    const Term t = alone(e, claim).lhs;
    return infer::is<ops::Subscripts>(t) ? t : nullptr;
  } catch (const expr::Error&) {
    return nullptr;
  }
}

/// The slices of e that may ask for more than there is. Those that indices of comprehensions have a part in are left out.
std::map<std::size_t, Cut> cuts_of(const Expression& e, const expr::Claim& claim, const std::set<std::string>& indices) {
  std::map<std::size_t, Cut> found;
  if (e->kind != SyntaxKind::index || std::none_of(e->subscripts.begin(), e->subscripts.end(), from_one_end)) return found;
  const Term t = slices_alone(e, claim);
  kernel::Arena arena;
  for (std::size_t axis = 0; t && axis < e->subscripts.size(); ++axis) {
    const expr::Dim &extent = t->call.operands[0][axis], count = t->call.sizes[3 * axis + 2] - t->call.sizes[3 * axis + 1];
    if (from_one_end(e->subscripts[axis]) && !has_index(e->subscripts[axis], indices) && !arena.nonnegative(arena.index(extent - count, {}))) found.emplace(axis, Cut{extent, count, e->span});
  }
  return found;
}

/// Where a slice begins or ends at a place that may be negative, n - 3, which NumPy counts from the end then.
struct Place {
  std::size_t axis;
  bool start;
  expr::Dim extent, place;
  bool is_same(const Place& other) const { return extent == other.extent && place == other.place; }
};
std::vector<Place> negative_places(const Expression& e, const expr::Claim& claim, const std::set<std::string>& indices) {
  std::vector<Place> found;
  const auto is_made = [](const Expression& place) { return place && place->kind != SyntaxKind::negate && place->kind != SyntaxKind::number && place->kind != SyntaxKind::name; };
  if (e->kind != SyntaxKind::index || std::none_of(e->subscripts.begin(), e->subscripts.end(), [&](const auto& s) { return is_made(s.start) || is_made(s.stop); })) return found;
  const Term t = slices_alone(e, claim);
  kernel::Arena arena;
  for (std::size_t axis = 0; t && axis < e->subscripts.size(); ++axis) {
    const expr::Subscript& s = e->subscripts[axis];
    if (!s.slice || s.step || has_index(s, indices)) continue;
    for (const bool start : {true, false}) {
      const expr::Dim& place = t->call.sizes[3 * axis + (start ? 1 : 2)];
      if (is_made(start ? s.start : s.stop) && !arena.nonnegative(arena.index(place, {}))) found.push_back({axis, start, t->call.operands[0][axis], place});
    }
  }
  return found;
}

/// A claim where slices of `count` places have none: what adds up their entries is 0.
class Emptied {
 public:
  explicit Emptied(expr::Dim count) : count_(std::move(count)) {}

  Term of(const Term& t) {
    const auto known = done_.find(t);
    if (known != done_.end()) return known->second;
    const Term result = is_sum_of_nothing(t) ? zeros(t) : of_parts(t);
    done_.emplace(t, result);
    return result;
  }

 private:
  /// Whether an axis has no places then, or so many times none, as two such slices side by side.
  bool has_none(const Term& t) const {
    return std::any_of(t->shape.begin(), t->shape.end(), [&](const expr::Dim& d) { return d.divide(count_).has_value(); });
  }
  bool is_sum_of_nothing(const Term& t) const {
    if (!infer::is<ops::SumAll, ops::SumAxis, ops::RowSum, ops::ColSum, ops::Matmul, ops::Einsum, ops::Frobenius2, ops::Trace>(t) || has_none(t)) return false;
    return std::any_of(t->args.begin(), t->args.end(), [&](const Term& a) { return has_none(a); }) && std::all_of(t->args.begin(), t->args.end(), [&](const Term& a) { return is_sliced(a); });
  }
  /// Whether it has no places because of slices: there are no tensors of size 0, and what makes one of size n - 2 fails where n is 1.
  bool is_sliced(const Term& t) const {
    if (!has_none(t)) return true;
    return infer::is<ops::Subscripts>(t) ? !has_none(t->args[0]) : !t->args.empty() && std::all_of(t->args.begin(), t->args.end(), [&](const Term& a) { return is_sliced(a); });
  }
  static Term zeros(const Term& sum) {
    auto node = std::make_shared<infer::TermNode>(*sum);
    node->op = expr::operator_id<ops::Zeros>();
    node->args.clear();
    node->call = {};
    node->call.sizes.assign(sum->shape.begin(), sum->shape.end());
    return node;
  }
  Term of_parts(const Term& t) {
    std::vector<Term> args;
    for (const Term& a : t->args) args.push_back(of(a));
    if (args == t->args) return t;
    auto node = std::make_shared<infer::TermNode>(*t);
    node->args = std::move(args);
    return node;
  }

  expr::Dim count_;
  std::map<Term, Term> done_;
};

/// The sides where slices of `count` places have none.
infer::Problem where_none(infer::Problem problem, const expr::Dim& count) {
  Emptied emptied(count);
  problem.lhs = emptied.of(problem.lhs);
  problem.rhs = emptied.of(problem.rhs);
  return problem;
}

/// The claim with every expression changed.
expr::Claim changed(expr::Claim claim, const std::function<Expression(const Expression&)>& with) {
  expr::change_each(claim, [&](const Expression& e) { return expr::changed(e, with); });
  return claim;
}
/// Shows the parts of all expressions.
void visit(const expr::Claim& claim, const std::function<void(const Expression&)>& see) {
  const std::function<void(const Expression&)> look = [&](const Expression& e) {
    see(e);
    expr::each_part(e, look);
  };
  expr::each_side(claim, look);
}
std::set<std::string> indices_in(const expr::Claim& claim) {
  std::set<std::string> indices;
  visit(claim, [&](const Expression& e) {
    if (e->kind == SyntaxKind::comprehension) indices.insert(e->name);
  });
  return indices;
}

using Refutes = std::function<bool(const infer::Problem&)>;
/// Whether a claim that may have no shapes at these sizes, or no values, is refuted there.
bool is_false(const Refutes& is_refuted, const std::function<infer::Problem()>& problem) {
  try {
    return is_refuted(problem());
  } catch (const expr::Error&) {
    return false;
  } catch (const expr::LimitReached&) {
    return false;
  }
}
expr::Diagnostic wrong_there(const std::string& what, const std::string& assumption, const expr::Span& span) { return {"shape.no_size", what + ", and the sides differ", "add assume " + assumption, span}; }

/// A slice and the number of its places, which may be 0.
struct Slice {
  expr::Dim count;
  expr::Span span;
};
/// "n >= 3" for n - 2 and 1.
std::string at_least(const expr::Dim& count, std::int64_t least) {
  std::int64_t constant = 0;
  for (const auto& m : count.summands()) {
    if (m.product.empty()) constant = m.coefficient;
  }
  return expr::text(count - expr::Dim(constant)) + " >= " + std::to_string(least - constant);
}
void add_slices(const Term& t, const infer::Problem& problem, std::vector<Slice>& found, std::set<Term>& seen) {
  if (!seen.insert(t).second) return;
  const auto is_free = [&](const expr::Dim& count) {  // no index of a comprehension has a part in it
    std::vector<std::string> names;
    expr::collect_names(count, names);
    return std::all_of(names.begin(), names.end(), [&](const std::string& name) { return std::find(problem.dimensions.begin(), problem.dimensions.end(), name) != problem.dimensions.end(); });
  };
  kernel::Arena arena;
  for (std::size_t axis = 0; infer::is<ops::Subscripts>(t) && axis < t->call.operands[0].size(); ++axis) {
    const auto& sizes = t->call.sizes;
    const expr::Dim count = sizes[3 * axis + 2] - sizes[3 * axis + 1];
    const bool known = std::any_of(found.begin(), found.end(), [&](const Slice& s) { return s.count == count; });
    if (sizes[3 * axis].is_zero() && !known && is_free(count) && !arena.positive(arena.index(count, {}))) found.push_back({count, t->span});
  }
  for (const Term& a : t->args) add_slices(a, problem, found, seen);
}

std::optional<expr::Diagnostic> false_where_empty(const infer::Problem& problem, const Refutes& is_refuted) {
  std::vector<Slice> slices;
  std::set<Term> seen;
  for (const Term& side : {problem.lhs, problem.rhs}) add_slices(side, problem, slices, seen);
  for (const Slice& slice : slices) {
    infer::Problem where_empty = where_none(problem, slice.count);
    if (where_empty.lhs == problem.lhs && where_empty.rhs == problem.rhs) continue;
    infer::Fact fact;
    fact.kind = infer::FactKind::dimension;
    fact.relation = expr::Relation::less_equal;
    fact.lhs_size = slice.count;
    where_empty.facts.push_back(fact);
    if (is_false(is_refuted, [&] { return where_empty; })) return wrong_there("this slice of " + expr::text(slice.count) + " places may have none: then its sum is 0", at_least(slice.count, 1), slice.span);
  }
  return std::nullopt;
}

std::optional<expr::Diagnostic> false_where_counted_from_the_end(const expr::Claim& claim, const std::set<std::string>& indices, const Refutes& is_refuted) {
  std::vector<std::pair<Place, expr::Span>> places;
  std::map<const expr::Syntax*, std::vector<Place>> places_in;
  visit(claim, [&](const Expression& e) {
    const auto found = negative_places(e, claim, indices);
    for (const Place& p : found) {
      if (std::none_of(places.begin(), places.end(), [&](const auto& known) { return known.first.is_same(p); })) places.emplace_back(p, e->span);
    }
    if (!found.empty()) places_in.emplace(e.get(), found);
  });
  for (const auto& known_place : places) {
    const Place& place = known_place.first;
    const Expression from_the_end = read::parse_expression(expr::text(place.extent + place.place)), zero = read::parse_expression("0");
    expr::Claim whole = changed(claim, [&](const Expression& e) -> Expression {
      const auto known = places_in.find(e.get());
      if (known == places_in.end()) return nullptr;
      auto copy = std::make_shared<expr::Syntax>(*e);
      for (const Place& own : known->second) {
        if (own.is_same(place)) (own.start ? copy->subscripts[own.axis].start : copy->subscripts[own.axis].stop) = from_the_end;
      }
      return copy;
    });
    whole.assumptions.push_back({read::parse_expression(expr::text(place.place)), expr::Relation::less, zero, {}});
    whole.assumptions.push_back({from_the_end, expr::Relation::greater_equal, zero, {}});
    const bool is_wrong = is_false(is_refuted, [&] { return where_none(infer::elaborate(whole), place.place); });  // x[:-3] has none there
    if (is_wrong) return wrong_there("where " + expr::text(place.place) + " is negative NumPy counts it from the end", at_least(place.place, 0), known_place.second);
  }
  return std::nullopt;
}

std::optional<expr::Diagnostic> false_where_cut_off(const expr::Claim& claim, const std::set<std::string>& indices, const Refutes& is_refuted) {
  std::vector<Cut> cuts;
  std::map<const expr::Syntax*, std::map<std::size_t, Cut>> cuts_in;
  const auto is_known = [&](const Cut& c) { return std::any_of(cuts.begin(), cuts.end(), [&](const Cut& x) { return x.extent == c.extent && x.count == c.count; }); };
  visit(claim, [&](const Expression& e) {
    const auto found = cuts_of(e, claim, indices);
    for (const auto& [axis, cut] : found) {
      if (!is_known(cut)) cuts.push_back(cut);
    }
    if (!found.empty()) cuts_in.emplace(e.get(), found);
  });
  for (const Cut& cut : cuts) {
    expr::Claim whole = changed(claim, [&](const Expression& e) -> Expression {
      auto copy = std::make_shared<expr::Syntax>(*e);
      bool any = false;
      for (const auto& [axis, own] : cuts_in[e.get()]) {
        if (own.extent != cut.extent || own.count != cut.count) continue;
        copy->subscripts[axis].start = copy->subscripts[axis].stop = nullptr;
        any = true;
      }
      return any ? copy : nullptr;
    });
    const Expression extent = read::parse_expression(expr::text(cut.extent)), count = read::parse_expression(expr::text(cut.count));
    whole.assumptions.push_back({expr::node(SyntaxKind::add, {extent, read::parse_expression("1")}), expr::Relation::less_equal, count, {}});
    const bool is_wrong = is_false(is_refuted, [&] { return infer::elaborate(whole); });
    if (is_wrong) return wrong_there("where " + expr::text(cut.extent) + " is less than " + expr::text(cut.count) + " NumPy cuts this slice off", expr::text(cut.extent) + " >= " + expr::text(cut.count), cut.span);
  }
  return std::nullopt;
}

/// A place or a slice of an axis, which may lie outside of it.
struct Reach {
  expr::Dim extent, start, stop;
  bool slice;
  expr::Span span;
};

/// Those of a term that may, and the sizes that decide it.
class Reaches {
 public:
  explicit Reaches(const infer::Problem& problem) : problem_(problem) {
    for (const Term& side : {problem.lhs, problem.rhs}) look(side);
  }
  const std::vector<Reach>& all() const { return found_; }
  const std::vector<std::string>& sizes() const { return sizes_; }
  /// Small ones, and those near the numbers that the places are made of: x[7:12] of nine rows has two.
  std::vector<std::int64_t> telling_sizes() const {
    constexpr std::int64_t small = 6, most = 300;
    std::set<std::int64_t> values;
    for (std::int64_t size = 1; size <= small; ++size) values.insert(size);
    for (const Reach& r : found_) {
      for (const expr::Dim& d : {r.extent, r.start, r.stop}) {
        for (const auto& m : d.summands()) {
          const std::int64_t number = std::abs(m.coefficient);
          for (std::int64_t size = number - 1; m.product.empty() && number <= most && size <= number + 1; ++size) {
            if (size >= 1) values.insert(size);
          }
        }
      }
    }
    return {values.begin(), values.end()};
  }

 private:
  void look(const Term& t) {
    if (!seen_.insert(t).second) return;
    for (std::size_t axis = 0; infer::is<ops::Subscripts>(t) && axis < t->call.operands[0].size(); ++axis) {
      const auto& sizes = t->call.sizes;
      const Reach reach{t->call.operands[0][axis], sizes[3 * axis + 1], sizes[3 * axis + 2], sizes[3 * axis].is_zero(), t->span};
      if (is_surely_inside(reach)) continue;
      found_.push_back(reach);
      for (const expr::Dim& d : {reach.extent, reach.start, reach.stop}) note(d);
    }
    for (const Term& a : t->args) look(a);
  }
  static bool is_surely_inside(const Reach& r) {
    kernel::Arena arena;
    const auto is_nonnegative = [&](const expr::Dim& d) { return arena.nonnegative(arena.index(d, {})); };
    return is_nonnegative(r.start) && (r.slice ? is_nonnegative(r.extent - r.stop) && is_nonnegative(r.stop - r.start - expr::Dim(1)) : is_nonnegative(r.extent - r.start - expr::Dim(1)));
  }
  void note(const expr::Dim& d) {
    std::vector<std::string> names;
    expr::collect_names(d, names);
    for (const std::string& name : names) {
      const auto has = [&](const std::vector<std::string>& list) { return std::find(list.begin(), list.end(), name) != list.end(); };
      if (has(problem_.dimensions) && !expr::is_rank(name) && !has(sizes_)) sizes_.push_back(name);
    }
  }

  const infer::Problem& problem_;
  std::vector<Reach> found_;
  std::vector<std::string> sizes_;
  std::set<Term> seen_;
};

/// The assumption that fails at these sizes; empty where the place lies inside, or where an index of a comprehension has a part in it.
std::string lacking(const Reach& r, const std::map<std::string, expr::Dim>& sizes) {
  const auto at = [&](const expr::Dim& d) { return expr::substitute(d, sizes).constant(); };
  const auto extent = at(r.extent), start = at(r.start), stop = at(r.stop);
  if (!extent || !start || (r.slice && !stop)) return "";
  if (*start < 0) return at_least(r.start, 0);
  if (r.slice ? *stop > *extent : *start >= *extent) return expr::text(r.extent) + " >= " + expr::text(r.slice ? r.stop : r.start + expr::Dim(1));
  return r.slice && *stop <= *start ? at_least(r.stop - r.start, 1) : "";
}

/// Given sizes leave slices that have no places, of which the language has no tensors: their sum is 0, and beside others they add nothing.
class WithoutEmptySlices {
 public:
  explicit WithoutEmptySlices(const expr::Claim& claim) : claim_(claim) {}

  /// Whether one side has places that the other has not, so that NumPy finds them different whatever they hold. Errors: those of infer::elaborate.
  bool sides_differ_in_shape() const {
    const expr::Claim read = claim();
    const bool left = is_empty(read.lhs), right = is_empty(read.rhs);
    if (claim_.relation != expr::Relation::equal || (left && right)) return false;
    const infer::Problem first = left ? infer::Problem{} : alone(read.lhs, claim_), second = right ? infer::Problem{} : alone(read.rhs, claim_);
    const auto holds = [](const infer::Fact& f) {  // or there is no such instance
      const auto a = f.lhs_size.constant(), b = f.rhs_size.constant();
      return !infer::is_about_sizes(f) || (a && b && expr::ordered(*a < *b ? -1 : *a > *b, f.relation));
    };
    const infer::Problem& any = left ? second : first;
    if (!std::all_of(any.facts.begin(), any.facts.end(), holds)) return false;
    if (left || right) return !any.lhs->shape.empty();
    const expr::Shape &one = first.lhs->shape, &other = second.lhs->shape;
    const auto differ = [](const expr::Dim& a, const expr::Dim& b) { return a.constant() && b.constant() && a != b; };
    return one.size() == other.size() && !std::equal(one.begin(), one.end(), other.begin(), [&](const expr::Dim& a, const expr::Dim& b) { return !differ(a, b); });
  }

  expr::Claim claim() const {
    return changed(claim_, [&](const Expression& e) -> Expression {
      const bool sums = e->kind == SyntaxKind::call && e->name == "sum" && e->args.size() == 1 && e->keywords.empty();
      if (sums && is_empty(e->args[0])) return read::parse_expression("0");
      const bool joins = e->kind == SyntaxKind::list || (e->kind == SyntaxKind::call && (e->name == "concat" || e->name == "vstack"));
      if (!joins || std::none_of(e->args.begin(), e->args.end(), [&](const Expression& a) { return is_empty(a); })) return nullptr;
      auto copy = std::make_shared<expr::Syntax>(*e);
      std::erase_if(copy->args, [&](const Expression& a) { return is_empty(a); });
      return copy->args.empty() ? nullptr : Expression(copy);
    });
  }

 private:
  bool is_empty(const Expression& e) const {
    switch (e->kind) {
      case SyntaxKind::index: return is_empty_slice(e);
      case SyntaxKind::negate: case SyntaxKind::add: case SyntaxKind::subtract: case SyntaxKind::multiply: case SyntaxKind::divide: case SyntaxKind::power:
        return std::any_of(e->args.begin(), e->args.end(), [&](const Expression& a) { return is_empty(a); });
      case SyntaxKind::call: {
        static const std::set<std::string> keep = {"flip", "roll", "softmax", "log_softmax"};
        return !e->args.empty() && (keep.count(e->name) > 0 || expr::is_entrywise_function(e->name)) && is_empty(e->args[0]);
      }
      default: return false;
    }
  }
  /// A slice asks for no more than there is, so that the only reason why it is refused is that nothing is left.
  bool is_empty_slice(const Expression& e) const {
    if (std::any_of(e->subscripts.begin(), e->subscripts.end(), [](const auto& s) { return !s.slice; })) return false;
    try {
      alone(e->args[0], claim_);
    } catch (const expr::Error&) {
      return false;  // what it is a slice of has no shape itself
    }
    try {
      alone(e, claim_);
    } catch (const expr::Error& error) {
      return error.diagnostic().code == "shape.subscript";
    }
    return false;
  }

  const expr::Claim& claim_;
};

/// At small sizes as NumPy reads it there, wherever a place lies outside of its axis.
std::optional<expr::Diagnostic> false_at_small_sizes(const expr::Claim& claim, const infer::Problem& problem, const Refutes& is_refuted) {
  constexpr std::int64_t draws = 150;
  const Reaches reaches(problem);
  if (reaches.sizes().empty()) return std::nullopt;
  const std::vector<std::int64_t> values = reaches.telling_sizes();
  const auto count = static_cast<std::int64_t>(values.size());
  std::int64_t all = 1;
  for (std::size_t k = 0; k < reaches.sizes().size(); ++k) all = std::min(all * count, draws + 1);
  const bool few = all <= draws;  // then all combinations
  const numeric::Stream stream(1, 1);
  for (std::int64_t code = 0; code < (few ? all : draws); ++code) {
    std::map<std::string, expr::Dim> sizes;
    expr::Claim there = claim;
    std::string where;
    std::int64_t rest = code;
    for (const std::string& name : reaches.sizes()) {
      const std::int64_t size = values[static_cast<std::size_t>(few ? rest % count : numeric::uniform_integer(stream.draw(static_cast<std::uint64_t>(code), sizes.size()), 0, count - 1))];
      rest /= count;
      sizes.emplace(name, expr::Dim(size));
      there.assumptions.push_back({read::parse_expression(name), expr::Relation::equal, read::parse_expression(std::to_string(size)), {}});
      where += (where.empty() ? "at " : ", ") + name + " = " + std::to_string(size);
    }
    const auto outside = std::find_if(reaches.all().begin(), reaches.all().end(), [&](const Reach& r) { return !lacking(r, sizes).empty(); });
    if (outside == reaches.all().end()) continue;
    const WithoutEmptySlices read(there);
    const auto differ_in_shape = [&] {
      try {
        return read.sides_differ_in_shape();
      } catch (const expr::Error&) {
        return false;
      }
    };
    if (is_false(is_refuted, [&] { return infer::elaborate(read.claim()); }) || differ_in_shape()) return wrong_there(where + " this goes beyond the axis, where NumPy cuts slices off and counts negative places from the end", lacking(*outside, sizes), outside->span);
  }
  return std::nullopt;
}

}  // namespace

std::optional<expr::Diagnostic> false_without_entries(const infer::Problem& problem, std::uint64_t seed) {
  const auto found = refute::fails_where_empty(problem, seed);
  if (!found) return std::nullopt;
  std::string where;
  for (const auto& [name, size] : found->dims) where += (where.empty() ? "at " : ", ") + name + " = " + std::to_string(size);
  const expr::Dim& size = found->part->shape[found->axis];
  return wrong_there(where + " this has no entries, as its size is " + expr::text(size), at_least(size, 1), found->part->span);
}

std::optional<expr::Diagnostic> false_in_numpy(const expr::Claim& claim, const infer::Problem& problem, const Refutes& is_refuted) {
  const std::set<std::string> indices = indices_in(claim);
  auto wrong = false_where_cut_off(claim, indices, is_refuted);
  if (!wrong) wrong = false_where_counted_from_the_end(claim, indices, is_refuted);
  if (!wrong) wrong = false_where_empty(problem, is_refuted);
  return wrong ? wrong : false_at_small_sizes(claim, problem, is_refuted);
}

}  // namespace foldproof::verdict
