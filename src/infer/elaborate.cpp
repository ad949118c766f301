// SPDX-License-Identifier: MIT
// Elaboration of a whole claim: tries the readings of its undeclared names and keeps the most general one. Part of the trusted base.
#include <algorithm>

#include "expr/build.hpp"
#include "infer/elaborator.hpp"
#include "infer/empty_sums.hpp"
#include "infer/names.hpp"
#include "infer/visit.hpp"

namespace foldproof::infer {

Elaborator::Elaborator(const expr::Claim& claim, const Names& names, const std::map<std::string, Reading>& readings) : claim_(claim), names_(names) {
  for (const auto& d : claim.declarations) {
    if (names.sizes.count(d.name)) expr::fail("name.two_meanings", "`" + d.name + "` is declared as a tensor and used as a size", d.span, "give one of them another name");
    add_variable(d.name, d.shape, true, d.span);
  }
  for (const auto& name : names.tensors) {
    const auto rank = names.rank.find(name);
    Shape shape;
    const auto reading = readings.find(name);
    if (reading != readings.end() && reading->second != Reading::matrix) {
      if (reading->second == Reading::row) shape = {1, sizes_.fresh()};
      if (reading->second == Reading::column) shape = {sizes_.fresh(), 1};
      if (reading->second == Reading::vector) shape = {sizes_.fresh()};
    } else {
      for (std::size_t axis = 0; axis < (rank == names.rank.end() ? 2 : rank->second); ++axis) shape.push_back(sizes_.fresh());
    }
    add_variable(name, shape, false, names.first_use.at(name));
  }
}

Problem Elaborator::run() {
  define_sizes();
  for (const auto& d : claim_.definitions) {
    const Term value = term(d.value);
    if (d.shape) require_declared_shape(d, value);
    definitions_[d.name] = value;
  }
  require_types();
  substitute_variables();
  Problem p;
  p.lhs = term(claim_.lhs);
  p.rhs = term(claim_.rhs);
  p.relation = claim_.relation;
  // x >= y is kept as y <= x, so the right side may stand first.
  const Span sides{std::min(claim_.lhs->span.begin, claim_.rhs->span.begin), std::max(claim_.lhs->span.end, claim_.rhs->span.end)};
  if (p.relation != expr::Relation::equal && is_python_list(claim_.lhs) && is_python_list(claim_.rhs)) expr::fail("call.mask", "Python orders lists as a whole", sides, "write np.array([...]), of which each number is compared");
  if (const bool order = p.relation != expr::Relation::equal; order || claim_.repeats) repeat_sides(p.lhs, p.rhs, order);
  require_same_shape(p.lhs, p.rhs, sides);
  for (std::size_t k = 0; k < claim_.assumptions.size(); ++k) add_fact(p, claim_.assumptions[k], k);
  add_comparison_facts(p);
  settle();
  end_walks();
  name_unknown_sizes();
  finish(p);
  return p;
}

void Elaborator::require_declared_shape(const expr::Definition& d, const Term& value) {
  origin_[d.name] = d.span;
  current_ = d.value;
  current_args_ = {variable(d.name, *d.shape, d.span), value};
  if (d.shape->size() != value->shape.size()) expr::fail("shape.conflict", "`" + d.name + "` is declared as " + describe(*d.shape) + ", but what it is given is " + describe(value->shape), d.span, "correct the declaration, or leave it out");
  const int both[] = {0, 1};
  for (std::size_t axis = 0; axis < d.shape->size(); ++axis) require_equal((*d.shape)[axis], value->shape[axis], both, "a declared name must have the shape of what it is given");
}

/// np.full(n, 1/2, dtype=m.dtype) is 0 or True where m holds whole numbers or truth values. A name that gets another value is called m_2 then.
void Elaborator::require_types() const {
  for (const auto& [name, span] : claim_.types) {
    const auto is_it = [&, &written = name](const std::string& other) { return other == written || (other.starts_with(written + "_") && other.find_first_not_of("0123456789", written.size() + 1) == std::string::npos); };
    const auto is_other = [this](const Expression& e) { return is_truth(e) || may_be_whole(e, false); };
    const bool defined = std::any_of(claim_.definitions.begin(), claim_.definitions.end(), [&](const auto& d) { return is_it(d.name) && is_other(d.value); });
    const bool variable = by_name_.count(name) > 0 && is_other(expr::node(SyntaxKind::name, {}, name));
    if (defined || variable) expr::fail("call.arguments", "`" + name + "` may hold whole numbers or truth values, of which this would be made", span, "leave the type out");
  }
}

/// x += y changes the entries of x: where y has more of them, or others than the whole numbers of x, NumPy and PyTorch refuse.
Term Elaborator::in_place(const Expression& e) {
  auto operation = std::make_shared<expr::Syntax>(*e);
  operation->name.clear();
  const Term value = term(operation);
  if (value->args.empty() || value->args[0]->shape.empty()) return value;  // a number of Python gets another value
  const Shape& old = value->args[0]->shape;
  bool kept = old.size() == value->shape.size();
  for (std::size_t axis = 0; kept && axis < old.size(); ++axis) kept = resolve(old[axis]) == resolve(value->shape[axis]);
  if (!kept) expr::fail("shape.conflict", "what is changed in place is " + describe(old) + ", and would become " + describe(value->shape), e->span, "write x = x + ... for another x");
  const bool whole = e->kind != SyntaxKind::divide && may_be_whole(e->args[1], true);
  if (!whole && may_be_whole(e->args[0], false)) expr::fail("call.arguments", "an array of whole numbers keeps whole numbers in place", e->span, "write x = x + ... for another x");
  return value;
}

Term Elaborator::broadcast_to(const Expression& e) {
  auto sum = std::make_shared<expr::Syntax>(*e);
  sum->name.clear();
  const Term value = term(sum);
  const Shape &shape = value->shape, wanted = term(e->args[1])->shape;
  const auto is_kept = [&](std::size_t axis) { return expr::is_call(e->args[1], "zeros") && axis < e->args[1]->args.size() && e->args[1]->args[axis]->name == expr::kept_size; };
  bool fits = shape.size() == wanted.size();
  for (std::size_t axis = 0; fits && axis < shape.size(); ++axis) fits = is_kept(axis) || unify(shape[axis], wanted[axis]);
  if (!fits) expr::fail("shape.conflict", describe(term(e->args[0])->shape) + " is no part of the shape " + describe(wanted) + " that it should get", e->span, "only axes of size 1, and axes in front, are repeated");
  return value;
}

Dim Elaborator::broadcast(const Dim& a, const Dim& b, std::span<const int> operands) {
  const Dim x = resolve(a);
  const Dim y = resolve(b);
  if (x == y || y.is_one()) return x;
  if (x.is_one()) return y;
  require_equal(x, y, operands, "entrywise operands must have equal sizes, or size 1 to be repeated");
  return resolve(x);
}

void Elaborator::fail(const std::string& message, const std::string& hint) {
  std::string text = message;
  for (const auto& [unknown, size] : names_of_unknown_sizes()) {
    for (auto at = text.find(unknown); at != std::string::npos; at = text.find(unknown)) text.replace(at, unknown.size(), expr::text(size));
  }
  expr::fail("shape.operand", text + here(), current_ ? current_->span : Span{}, hint);
}

Term Elaborator::variable(const std::string& name, const Shape& shape, Span span) {
  auto node = std::make_shared<TermNode>();
  node->kind = TermKind::variable;
  node->name = name;
  node->shape = shape;
  node->span = span;
  return node;
}

void Elaborator::add_variable(const std::string& name, const Shape& shape, bool declared, Span span) {
  variables_.push_back({name, shape, declared});
  by_name_[name] = variable(name, shape, span);
  origin_[name] = span;
}

Expression Elaborator::defined_as(const Expression& e) const {
  const auto d = std::find_if(claim_.definitions.begin(), claim_.definitions.end(), [&](const auto& x) { return e->kind == SyntaxKind::name && x.name == e->name; });
  return d == claim_.definitions.end() ? nullptr : d->value;
}

Expression Elaborator::behind_names(Expression e) const {
  while (const Expression value = defined_as(e)) e = value;
  return e;
}

bool Elaborator::is_size(const Expression& e) const {
  switch (e->kind) {
    case SyntaxKind::number: return e->value.is_integer();
    case SyntaxKind::name: return names_.sizes.count(e->name) > 0 || index_scope_.count(e->name) > 0;
    case SyntaxKind::negate: case SyntaxKind::add: case SyntaxKind::subtract: case SyntaxKind::multiply: case SyntaxKind::floor_divide: case SyntaxKind::modulo:
      return std::all_of(e->args.begin(), e->args.end(), [&](const auto& x) { return is_size(x); });
    case SyntaxKind::power: return is_size(e->args[0]) && e->args[1]->kind == SyntaxKind::number && e->args[1]->value.is_integer() && e->args[1]->value.sign() >= 0;
    case SyntaxKind::index: return is_shape_entry(e);
    default: return false;
  }
}

void Elaborator::substitute_variables() {
  for (std::size_t k = 0; k < claim_.assumptions.size(); ++k) {
    const auto& a = claim_.assumptions[k];
    if (!a.relation || *a.relation != expr::Relation::equal || is_size_relation(a)) continue;
    for (const auto& [variable, value] : {std::pair{a.lhs, a.rhs}, std::pair{a.rhs, a.lhs}}) {
      if (variable->kind != SyntaxKind::name || by_name_.count(variable->name) == 0 || replaced_.count(variable->name)) continue;
      const Term t = term(value);
      if (mentions(t, variable->name)) continue;
      const Shape& shape = by_name_[variable->name]->shape;
      current_ = variable;
      current_args_ = {by_name_[variable->name], t};
      if (shape.size() != t->shape.size()) break;  // A == 1 with a scalar right side stays a relation
      const int both[] = {0, 1};
      for (std::size_t axis = 0; axis < shape.size(); ++axis) require_equal(shape[axis], t->shape[axis], both, "both sides of an assumption need one shape");
      replaced_.insert(variable->name);
      std::map<Term, Term> done;
      for (auto& [name, value_before] : definitions_) value_before = replaced(value_before, variable->name, t, done);
      definitions_[variable->name] = t;
      substituted_.insert(k);
      break;
    }
  }
}

Term Elaborator::replaced(const Term& t, const std::string& name, const Term& value, std::map<Term, Term>& done) {
  if (t->kind == TermKind::variable) return t->name == name ? value : t;
  if (t->args.empty()) return t;
  Term& result = done[t];
  if (result) return result;
  auto node = std::make_shared<TermNode>(*t);
  for (Term& a : node->args) a = replaced(a, name, value, done);
  return result = node;
}

bool Elaborator::mentions(const Term& term, const std::string& name) {
  bool found = false;
  visit_each(term, [&](const Term& t) { found = found || (t->kind == TermKind::variable && t->name == name); });
  return found;
}

namespace {

/// over / under, where `under` is positive; no `under` stands for 1.
struct Quotient {
  Expression over, under;
};
Expression product(const Expression& a, const Expression& b) { return a && b ? expr::node(SyntaxKind::multiply, {a, b}, {}, a->span) : a ? a : b; }

/// Whether e is a sum or product of sizes, which are at least 1, and positive numbers.
bool is_positive_size(const Expression& e, const Names& names) {
  if (e->kind == SyntaxKind::number) return e->value.sign() > 0;
  if (e->kind == SyntaxKind::name) return names.sizes.count(e->name) > 0 && !expr::is_rank(e->name);
  return (e->kind == SyntaxKind::add || e->kind == SyntaxKind::multiply || e->kind == SyntaxKind::divide) && is_positive_size(e->args[0], names) && is_positive_size(e->args[1], names);
}

/// Nothing where e is no arithmetic with sizes, or something is divided by that may not be positive.
std::optional<Quotient> quotient_of(const Expression& e, const Names& names) {
  if (e->kind == SyntaxKind::number || (e->kind == SyntaxKind::name && names.sizes.count(e->name) > 0)) return Quotient{e, nullptr};
  if (e->kind != SyntaxKind::add && e->kind != SyntaxKind::subtract && e->kind != SyntaxKind::multiply && e->kind != SyntaxKind::divide) return std::nullopt;
  if (e->kind == SyntaxKind::divide && !is_positive_size(e->args[1], names)) return std::nullopt;
  const auto a = quotient_of(e->args[0], names), b = quotient_of(e->args[1], names);
  if (!a || !b) return std::nullopt;
  if (e->kind == SyntaxKind::divide) return Quotient{product(a->over, b->under), product(a->under, b->over)};
  const Expression under = product(a->under, b->under);
  if (e->kind == SyntaxKind::multiply) return Quotient{product(a->over, b->over), under};
  return Quotient{expr::node(e->kind, {product(a->over, b->under), product(b->over, a->under)}, {}, e->span), under};
}

/// The claim with r <= d*k/(d + k) among its assumptions about sizes as r*(d + k) <= d*k.
expr::Claim without_quotients(expr::Claim claim, const Names& names) {
  for (expr::Assumption& a : claim.assumptions) {
    const auto left = a.relation ? quotient_of(a.lhs, names) : std::nullopt, right = a.relation ? quotient_of(a.rhs, names) : std::nullopt;
    if (!left || !right || (!left->under && !right->under)) continue;
    a.lhs = product(left->over, right->under);
    a.rhs = product(right->over, left->under);
  }
  return claim;
}

/// The name that is assumed to be at least 0 everywhere, or above.
std::optional<std::string> nonnegative_name(const expr::Assumption& a) {
  const auto is_name = [](const Expression& e) { return e->kind == SyntaxKind::name; };
  if (!a.relation) {
    const bool says = a.lhs->kind == SyntaxKind::call && (a.lhs->name == "positive" || a.lhs->name == "nonnegative") && a.lhs->args.size() == 1 && is_name(a.lhs->args[0]);
    return says ? std::optional(a.lhs->args[0]->name) : std::nullopt;
  }
  const bool above = (*a.relation == expr::Relation::greater || *a.relation == expr::Relation::greater_equal) && expr::is_number(a.rhs, 0) && is_name(a.lhs);
  const bool below = (*a.relation == expr::Relation::less || *a.relation == expr::Relation::less_equal) && expr::is_number(a.lhs, 0) && is_name(a.rhs);
  return above ? std::optional(a.lhs->name) : below ? std::optional(a.rhs->name) : std::nullopt;
}

/// The X of rowsum(X) == 1, sum(X, axis=1) == 1, and sum(X) == 1 of a row.
std::optional<std::string> adds_up_to_one(const expr::Claim& claim, const expr::Assumption& a) {
  const bool call = a.relation == expr::Relation::equal && a.lhs->kind == SyntaxKind::call && a.lhs->args.size() == 1 && a.lhs->args[0]->kind == SyntaxKind::name;
  if (!call || !(expr::is_number(a.rhs, 1) || (a.rhs->kind == SyntaxKind::call && a.rhs->name == "ones"))) return std::nullopt;
  const std::string& name = a.lhs->args[0]->name;
  const auto declared = std::find_if(claim.declarations.begin(), claim.declarations.end(), [&](const auto& d) { return d.name == name; });
  const bool matrix = declared != claim.declarations.end() && declared->shape.size() == 2;
  const auto& keywords = a.lhs->keywords;
  const bool along_rows = a.lhs->name == "sum" && keywords.size() == 1 && (keywords[0].first == "axis" || keywords[0].first == "dim") && expr::is_number(keywords[0].second, 1);
  const bool of_row = a.lhs->name == "sum" && keywords.empty() && matrix && declared->shape[0].is_one();
  return (matrix && along_rows) || of_row || (a.lhs->name == "rowsum" && keywords.empty() && (matrix || declared == claim.declarations.end())) ? std::optional(name) : std::nullopt;
}

/// The claim with rowstochastic(p) beside p >= 0 and rowsum(p) == 1.
expr::Claim with_row_stochastic(expr::Claim claim) {
  std::vector<expr::Assumption> more;
  for (const expr::Assumption& sums : claim.assumptions) {
    const auto name = adds_up_to_one(claim, sums);
    if (!name || std::none_of(claim.assumptions.begin(), claim.assumptions.end(), [&](const auto& a) { return nonnegative_name(a) == name; })) continue;
    more.push_back({expr::node(SyntaxKind::call, {sums.lhs->args[0]}, "rowstochastic", sums.span), std::nullopt, nullptr, sums.span});
  }
  claim.assumptions.insert(claim.assumptions.end(), more.begin(), more.end());
  return claim;
}

/// The readings to try for one name, the preferred one first.
struct Choice {
  std::string name;
  std::vector<Reading> readings;
};

/// How many undeclared names of matrices, which are written with a capital letter, are none: numbers, vectors, rows or columns.
std::size_t narrow_matrices(const Problem& p) {
  return static_cast<std::size_t>(std::count_if(p.variables.begin(), p.variables.end(), [](const auto& v) {
    const bool narrow = v.shape.size() < 2 || std::any_of(v.shape.begin(), v.shape.end(), [](const Dim& d) { return d.is_one(); });
    return !v.declared && v.name[0] >= 'A' && v.name[0] <= 'Z' && narrow;
  }));
}

/// Elaborates under every combination of readings and keeps the one with most matrices, among those the one that leaves most sizes free,
/// the first of several. exp(A + B) == exp(A) @ exp(B) fits square matrices, and also a column A and a row B, which nobody means.
class Search {
 public:
  Search(const expr::Claim& claim, const std::map<std::string, std::size_t>& axes) : names_(read_names(claim)), claim_(with_row_stochastic(without_quotients(claim, names_))) {
    for (const auto& [name, count] : axes) {
      if (std::find(names_.tensors.begin(), names_.tensors.end(), name) == names_.tensors.end()) continue;  // declared, or a size
      names_.rank[name] = count;
      names_.as_matrix.erase(name);
      names_.entrywise_only.erase(name);
      names_.entrywise_too.erase(name);
      names_.diagonals.erase(name);
    }
  }

  /// V[0] is a head, unless V also stands whole, as in A @ V, and its matrices have as many sizes where V[0] is a row: (X @ W)[0] == X @ W[0]
  /// holds of heads, and would need square matrices.
  Problem run() {
    std::optional<Problem> problem = most_general();
    const std::optional<expr::Error> error = first_error_;
    if (!names_.as_matrix.empty()) {
      for (const auto& [name, rank] : names_.as_matrix) names_.rank[name] = rank;
      const std::optional<Problem> matrices = most_general();
      if (matrices && (!problem || count_sizes(*matrices) >= count_sizes(*problem))) problem = matrices;
    }
    if (!problem) throw *error;
    require_axes_of_sums(*problem);
    return *problem;
  }

 private:
  /// The sizes of the last two axes.
  static std::size_t count_sizes(const Problem& p) {
    std::vector<std::string> sizes;
    for (const Variable& v : p.variables) {
      for (std::size_t axis = v.shape.size() > 2 ? v.shape.size() - 2 : 0; axis < v.shape.size(); ++axis) expr::collect_names(v.shape[axis], sizes);
    }
    return std::set<std::string>(sizes.begin(), sizes.end()).size();
  }

  std::optional<Problem> most_general() {
    constexpr std::size_t most = 4;  // names with several readings
    best_.reset();
    first_error_.reset();
    const std::vector<Reading> diagonal{Reading::vector, Reading::row, Reading::column}, any{Reading::vector, Reading::matrix, Reading::row, Reading::column};
    std::vector<Choice> choices;
    for (const auto& [name, matrix_too] : names_.diagonals) choices.push_back({name, choices.size() < most ? (matrix_too ? any : diagonal) : std::vector<Reading>{Reading::vector}});
    if (names_.entrywise_only.size() <= most) {
      for (const auto& name : names_.entrywise_only) choices.push_back({name, {Reading::matrix, Reading::row, Reading::column, Reading::scalar}});
    }
    try {
      attempt(choices);
      if (!best_) {  // a bias that also stands in a product may be a row; what diag takes may be a matrix after all
        for (Choice& c : choices) {
          if (names_.diagonals.count(c.name)) c.readings = {Reading::vector, Reading::matrix, Reading::row, Reading::column};
        }
        for (const auto& name : names_.entrywise_too) {
          if (names_.entrywise_too.size() <= most) choices.push_back({name, {Reading::matrix, Reading::row, Reading::column}});
        }
        attempt(choices);
      }
    } catch (const expr::Error& e) {
      best_.reset();
      first_error_ = e;
    }
    return best_;
  }

  void attempt(std::vector<Choice> choices) {
    constexpr std::size_t most_combinations = 1024;
    std::size_t count = 1;
    for (Choice& c : choices) {
      if (count * c.readings.size() > most_combinations) c.readings.resize(1);
      count *= c.readings.size();
    }
    for (std::size_t code = 0; code < count; ++code) {
      std::map<std::string, Reading> readings;
      std::size_t rest = code;
      for (const Choice& c : choices) {
        readings[c.name] = c.readings[rest % c.readings.size()];
        rest /= c.readings.size();
      }
      try {
        Elaborator elaborator(claim_, names_, readings);
        Problem p = elaborator.run();
        const Generality generality{-static_cast<int>(narrow_matrices(p)), elaborator.freedom()};
        if (best_ && generality <= generality_) continue;
        best_ = std::move(p);
        generality_ = generality;
      } catch (const expr::Error& e) {
        if (e.diagnostic().code == dropped_axis) throw;  // a reading with fewer rows would hide it
        if (!first_error_) first_error_ = e;
      }
    }
  }

  Names names_;
  expr::Claim claim_;
  std::optional<Problem> best_;
  using Generality = std::pair<int, std::size_t>;  // minus the narrow matrices, free sizes
  Generality generality_;  // of the best
  std::optional<expr::Error> first_error_;
};

}  // namespace

Problem elaborate(const expr::Claim& claim, const std::map<std::string, std::size_t>& axes) {
  if (!axes.empty() || claim.axes.empty()) return Search(claim, axes).run();
  try {
    return Search(claim, claim.axes).run();
  } catch (const expr::Error&) {  // the bias of F.linear is a row elsewhere
    return Search(claim, {}).run();
  }
}

std::string shapes_text(const Problem& problem, std::string_view between) {
  std::string out;
  for (const auto& v : problem.variables) {
    if (is_written(v.name)) out += (out.empty() ? "" : std::string(between)) + v.name + ": " + expr::text(v.shape);  // the mask of x > 0 has the shape of x
  }
  return out;
}

}  // namespace foldproof::infer
