// SPDX-License-Identifier: MIT
#include "repair/named_sizes.hpp"

#include <algorithm>
#include <cctype>
#include <functional>
#include <numeric>
#include <optional>
#include <set>

#include "campaign/row_sums.hpp"
#include "expr/build.hpp"
#include "numeric/assume.hpp"
#include "numeric/entry_machine.hpp"
#include "numeric/undefined.hpp"
#include "refute/trial.hpp"

namespace foldproof::repair {
namespace {

using expr::Expression;
using expr::SyntaxKind;

Expression number(std::int64_t n) { return expr::parse_expression(std::to_string(n)); }

/// The functions all of whose numbers are sizes, and those that take a tensor first.
bool takes_sizes(const std::string& name) {
  static const std::set<std::string> functions = {"eye", "ones", "zeros", "tril", "triu", "causal", "arange", "positions", "offsets", "halfperm", "sinus", "range"};
  return functions.count(name) > 0;
}
bool takes_sizes_after_a_tensor(const std::string& name) {
  static const std::set<std::string> functions = {"reshape", "view", "onehot", "one_hot", "expand", "unflatten", "broadcast_to"};
  return functions.count(name) > 0;
}

/// Shows e's numbers and gives what `with` makes of them; whether each stands where sizes do.
Expression rewritten(const Expression& e, const std::function<Expression(const Expression&, bool)>& with, bool is_size = false) {
  if (!e) return e;
  if (e->kind == SyntaxKind::number) return with(e, is_size);
  auto copy = std::make_shared<expr::Syntax>(*e);
  for (std::size_t k = 0; k < copy->args.size(); ++k) {
    const bool call = e->kind == SyntaxKind::call && (takes_sizes(e->name) || (takes_sizes_after_a_tensor(e->name) && k > 0));
    const bool range = e->kind == SyntaxKind::comprehension && k > 0, exponent = e->kind == SyntaxKind::power && k == 1;
    const bool inherits = is_size && e->kind != SyntaxKind::index;
    if (!exponent) copy->args[k] = rewritten(copy->args[k], with, call || range || inherits);
  }
  static const std::set<std::string> no_sizes = {"axis", "dim", "eps", "keepdims", "keepdim", "theta", "base"};
  for (auto& [key, value] : copy->keywords) {
    if (no_sizes.count(key) == 0) value = rewritten(value, with, true);
  }
  for (expr::Subscript& s : copy->subscripts) {
    s.start = rewritten(s.start, with, true);
    s.stop = rewritten(s.stop, with, true);
    s.step = rewritten(s.step, with, true);
  }
  return copy;
}

/// The d of assume d == 4096, which names no tensor.
bool is_size_name(const infer::Problem& problem, const Expression& e) {
  const auto has_it = [&](const infer::Variable& v) { return v.name == e->name; };
  return e && e->kind == SyntaxKind::name && std::none_of(problem.variables.begin(), problem.variables.end(), has_it) && std::none_of(problem.replaced.begin(), problem.replaced.end(), has_it);
}

/// The claim with `with` applied to every number outside of declarations, and `size` to those in them.
expr::Claim rewritten(const expr::Claim& claim, const infer::Problem& problem, const std::function<Expression(const Expression&, bool)>& with, const std::function<expr::Dim(const expr::Dim&)>& size) {
  expr::Claim result = claim;
  for (auto& d : result.declarations) {
    for (auto& s : d.shape) s = size(s);
  }
  for (auto& d : result.definitions) d.value = rewritten(d.value, with);
  for (auto& a : result.assumptions) {
    const bool left = is_size_name(problem, a.rhs), right = is_size_name(problem, a.lhs);
    a.lhs = rewritten(a.lhs, with, left);
    a.rhs = rewritten(a.rhs, with, right);
  }
  result.lhs = rewritten(result.lhs, with);
  result.rhs = rewritten(result.rhs, with);
  return result;
}

bool declares(const expr::Claim& claim, std::int64_t size) {
  return std::any_of(claim.declarations.begin(), claim.declarations.end(), [&](const auto& d) { return std::find(d.shape.begin(), d.shape.end(), expr::Dim(size)) != d.shape.end(); });
}

/// The sizes that the claim states, 2 or more.
struct Stated {
  std::set<std::int64_t> all, large;
};
Stated stated_sizes(const expr::Claim& claim, const infer::Problem& problem) {
  Stated found;
  const auto note = [&](std::int64_t n) {
    if (n >= 2) found.all.insert(n);
    if (n >= large_size) found.large.insert(n);
  };
  const auto see = [&](const Expression& e, bool is_size) {
    if (is_size && e->value.is_integer()) note(e->value.num());
    return e;
  };
  const auto size = [&](const expr::Dim& d) {
    note(d.constant().value_or(0));
    return d;
  };
  rewritten(claim, problem, see, size);
  std::set<std::int64_t> last_places;  // the 31 of H[31 - i] beside 32
  for (const std::int64_t n : found.all) {
    if (found.large.count(n + 1) > 0 && !declares(claim, n)) last_places.insert(n);
  }
  for (const std::int64_t n : last_places) {
    found.all.erase(n);
    found.large.erase(n);
  }
  return found;
}

/// Names that stand nowhere in the claim.
class Names {
 public:
  explicit Names(const expr::Claim& claim) : text_(expr::text(claim)) {}
  std::string next() {
    static constexpr const char* usual[] = {"d", "k", "m", "h", "p", "q", "r", "f", "v", "w", "s", "u"};
    while (at_ < std::size(usual)) {
      const std::string name = usual[at_++];
      if (!occurs(name)) return name;
    }
    std::string name = "size" + std::to_string(++more_);
    while (occurs(name)) name += "_";
    return name;
  }

 private:
  bool occurs(const std::string& name) const {
    const auto is_part = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
    for (std::size_t at = text_.find(name); at != std::string::npos; at = text_.find(name, at + 1)) {
      const bool before = at > 0 && is_part(text_[at - 1]), after = at + name.size() < text_.size() && is_part(text_[at + name.size()]);
      if (!before && !after) return true;
    }
    return false;
  }

  std::string text_;
  std::size_t at_ = 0;
  int more_ = 0;
};

enum class Relations { none, products, multiples, sums };

/// How each large size is written, and the small ones that are their factors.
NamedSizes names_for(const expr::Claim& claim, const infer::Problem& problem, const Stated& stated, Relations relations) {
  NamedSizes result;
  Names names(claim);
  const std::function<Expression(std::int64_t)> atom = [&](std::int64_t n) {
    if (const auto known = result.written.find(n); known != result.written.end()) return known->second;
    const std::string name = names.next();
    result.values.emplace_back(name, n);
    return result.written[n] = expr::node(SyntaxKind::name, {}, name);
  };
  for (const std::int64_t n : stated.large) {
    if (result.written.count(n) > 0) continue;
    Expression made;
    const auto join = [&](SyntaxKind kind, const Expression& a, const Expression& b) { made = expr::node(kind, {a, b}); };
    if (relations >= Relations::products) {
      for (const std::int64_t a : stated.all) {  // the largest factor is that of most meaning
        if (a * a < n && n % a == 0 && stated.all.count(n / a) > 0) {
          join(SyntaxKind::multiply, atom(a), atom(n / a));
          break;
        }
      }
    }
    if (!made && relations >= Relations::multiples) {
      for (auto m = stated.large.rbegin(); m != stated.large.rend(); ++m) {
        if (*m < n && n % *m == 0 && n / *m < large_size) {
          join(SyntaxKind::multiply, number(n / *m), atom(*m));
          break;
        }
      }
    }
    if (!made && relations >= Relations::sums) {
      for (const std::int64_t a : stated.all) {
        if (a < n) {
          join(SyntaxKind::add, atom(a), atom(n - a));
          break;
        }
      }
    }
    result.written[n] = made ? made : atom(n);
  }
  const auto written = [&](std::int64_t n) {
    const auto known = result.written.find(n);
    return known == result.written.end() ? nullptr : known->second;
  };
  const auto with = [&](const Expression& e, bool is_size) {
    const std::int64_t n = e->value.is_integer() ? e->value.num() : 0;
    if (const Expression other = is_size || n >= large_size ? written(n) : nullptr) return other;
    const Expression next = is_size && n + 1 >= large_size ? written(n + 1) : nullptr;  // H[31 - i] of 32
    return next ? expr::node(SyntaxKind::subtract, {next, number(1)}) : e;
  };
  const std::function<expr::Dim(const Expression&)> dim = [&](const Expression& e) -> expr::Dim {
    if (e->kind == SyntaxKind::number) return expr::Dim(e->value.num());
    if (e->kind == SyntaxKind::name) return expr::dim(e->name);
    return e->kind == SyntaxKind::add ? dim(e->args[0]) + dim(e->args[1]) : dim(e->args[0]) * dim(e->args[1]);
  };
  const auto size = [&](const expr::Dim& d) {
    const Expression other = d.constant() ? written(*d.constant()) : nullptr;
    return other ? dim(other) : d;
  };
  result.claim = rewritten(claim, problem, with, size);
  return result;
}

/// What a size is where the names are these numbers.
std::int64_t value(const Expression& e, const std::function<std::int64_t(const std::string&)>& of) {
  if (e->kind == SyntaxKind::number) return e->value.num();
  if (e->kind == SyntaxKind::name) return of(e->name);
  const std::int64_t a = value(e->args[0], of), b = value(e->args[1], of);
  return e->kind == SyntaxKind::add ? a + b : a * b;
}

}  // namespace

std::int64_t largest_size(const expr::Claim& claim, const infer::Problem& problem) {
  std::int64_t found = 0;
  for (const auto& d : claim.declarations) {
    for (const auto& size : d.shape) found = std::max(found, size.constant().value_or(0));
  }
  const auto note = [&](const Expression& name, const Expression& size) {
    if (size && size->kind == SyntaxKind::number && size->value.is_integer() && is_size_name(problem, name)) found = std::max(found, size->value.num());
  };
  for (const auto& a : claim.assumptions) {
    if (a.relation != expr::Relation::equal) continue;
    note(a.lhs, a.rhs);
    note(a.rhs, a.lhs);
  }
  return found;
}

std::string text(const NamedSizes& named) {
  std::string out;
  for (const auto& [name, size] : named.values) out += (out.empty() ? "" : ", ") + name + " for " + std::to_string(size);
  return out;
}

std::vector<NamedSizes> with_named_sizes(const expr::Claim& claim, const infer::Problem& problem) {
  if (largest_size(claim, problem) < large_size) return {};
  const Stated stated = stated_sizes(claim, problem);
  std::vector<NamedSizes> found;
  for (const Relations relations : {Relations::none, Relations::products, Relations::multiples, Relations::sums}) {
    NamedSizes named = names_for(claim, problem, stated, relations);
    const bool known = std::any_of(found.begin(), found.end(), [&](const NamedSizes& other) { return expr::text(other.claim) == expr::text(named.claim); });
    if (!known) found.push_back(std::move(named));
  }
  return found;
}

namespace {

/// The small tensor of a variable among those of the claim: where its entries go.
struct Placed {
  std::vector<std::int64_t> shape;                            ///< of the large one
  std::vector<std::map<std::int64_t, std::int64_t>> sources;  ///< for each axis, large place -> small place
  bool diagonal;                                              ///< ones on the diagonal where nothing was placed
  bool filled;                                                ///< ones wherever nothing was placed: it must not be zero
};

class Padded {
 public:
  Padded(const infer::Problem& problem, const NamedSizes& named, const refute::Counterexample& small, const Padding& padding) : problem_(problem), named_(named), small_(small), padding_(padding) {
    for (const auto& dim : small.instance.dims) {
      if (std::none_of(named.values.begin(), named.values.end(), [&](const auto& v) { return v.first == dim.first; })) dims_.insert(dim);
    }
    for (const auto& v : problem.variables) {  // what nobody declared may have another name there
      const auto at = small.instance.values.find(v.name);
      for (std::size_t axis = 0; at != small.instance.values.end() && axis < v.shape.size(); ++axis) {
        const auto name = v.shape[axis].as_symbol();
        if (name && !name->division) dims_[name->name] = at->second.shape[axis];
      }
    }
    has_sizes_ = std::all_of(problem.dimensions.begin(), problem.dimensions.end(), [&](const std::string& name) { return dims_.count(name) > 0; });
    for (const auto& v : problem.variables) {
      const auto at = small.instance.values.find(v.name);
      if (at == small.instance.values.end() || !has_sizes_) continue;
      const bool square = v.shape.size() == 2 && v.shape[0] == v.shape[1];  // then an identity beside it is as good
      const bool inverse = infer::is_assumed(problem.facts, {"orthogonal", "invertible", "permutation"}, v.name) || (square && infer::is_assumed(problem.facts, {"rowstochastic", "onehot"}, v.name));
      const bool filled = infer::is_assumed(problem.facts, {"positive", "nonzero"}, v.name);
      Placed placed{{}, {}, !filled && v.shape.size() == 2 && (padding.identity || inverse), filled};
      for (std::size_t axis = 0; axis < v.shape.size(); ++axis) {
        placed.shape.push_back(expr::evaluate(v.shape[axis], dims_));
        placed.sources.emplace_back();
        for (std::int64_t k = 0; k < at->second.shape[axis]; ++k) placed.sources.back()[moved_along(v.shape[axis], k)] = k;
      }
      placed_[v.name] = std::move(placed);
    }
  }

  /// Whether what is assumed holds of the padded tensors.
  bool satisfies() const {
    return has_sizes_ && placed_.size() == problem_.variables.size() && std::all_of(problem_.facts.begin(), problem_.facts.end(), [&](const infer::Fact& f) {
      if (infer::is_about_sizes(f)) return numeric::holds(f, dims_);
      if (f.kind == infer::FactKind::definition) return true;
      if (infer::says_of_variable(f, {"mask01", "nonnegative", "real", "integer", "positive", "nonzero"})) return true;
      if (f.kind == infer::FactKind::relation) return holds_everywhere(f);
      const bool rows = infer::says_of_variable(f, {"rowstochastic", "onehot"});
      if (!rows && !infer::says_of_variable(f, {"orthogonal", "invertible", "permutation", "symmetric"})) return false;
      const Placed& placed = placed_.at(f.lhs->name);  // the small matrix beside an identity, or zeros
      if (rows && placed.shape.size() == 2 && static_cast<std::int64_t>(placed.sources[0].size()) == placed.shape[0]) return !placed.filled;  // no row is added
      if (placed.filled || (rows && !placed.diagonal)) return false;
      return placed.shape.size() == 2 && placed.shape[0] == placed.shape[1] && placed.sources[0] == placed.sources[1];
    });
  }

  bool refutes() const {
    try {
      return differs<numeric::Exact>();
    } catch (const numeric::NeedsReals&) {
    } catch (const numeric::Undefined&) {
      return false;
    }
    try {
      return differs<numeric::Interval>();
    } catch (const numeric::NeedsReals&) {
    } catch (const numeric::Undefined&) {
    }
    return false;
  }

 private:
  /// Where place k of the small axis goes.
  std::int64_t moved_along(const expr::Dim& size, std::int64_t k) const {
    const auto written = size.constant() ? named_.written.find(*size.constant()) : named_.written.end();
    return written == named_.written.end() ? k : moved(written->second, k);
  }
  std::int64_t moved(const Expression& e, std::int64_t place) const {
    if (e->kind == SyntaxKind::add) {
      const std::int64_t before = small_value(e->args[0]);
      return place < before ? moved(e->args[0], place) : large_value(e->args[0]) + moved(e->args[1], place - before);
    }
    if (e->kind != SyntaxKind::multiply) return place;
    const Expression &outer = e->args[padding_.turned ? 1 : 0], &inner = e->args[padding_.turned ? 0 : 1];
    const std::int64_t width = small_value(inner);
    return moved(outer, place / width) * large_value(inner) + moved(inner, place % width);
  }
  std::int64_t small_value(const Expression& e) const {
    return value(e, [&](const std::string& name) { return small_.instance.dims.at(name); });
  }
  std::int64_t large_value(const Expression& e) const {
    return value(e, [&](const std::string& name) { return std::find_if(named_.values.begin(), named_.values.end(), [&](const auto& v) { return v.first == name; })->second; });
  }

  template <class T>
  numeric::SparseVariable<T> sparse(const Placed& placed, const numeric::Tensor<numeric::Exact>& values) const {
    numeric::SparseVariable<T> variable;
    variable.diagonal = placed.diagonal;
    for (const auto& sources : placed.sources) {
      variable.places.emplace_back();
      for (const auto& [large, source] : sources) variable.places.back().push_back(large);
      if (!placed.filled) continue;
      variable.places.back().resize(static_cast<std::size_t>(placed.shape[variable.places.size() - 1]));
      std::iota(variable.places.back().begin(), variable.places.back().end(), 0);
    }
    const auto of = [](const numeric::Exact& x) -> T {
      if constexpr (std::is_same_v<T, numeric::Exact>) return x;
      else return T::from(x);
    };
    variable.entry = [&placed, &values, of](std::span<const std::int64_t> indices) -> T {
      std::int64_t place = 0;
      bool inside = true, taken = false;
      for (std::size_t axis = 0; axis < indices.size(); ++axis) {
        const auto source = placed.sources[axis].find(indices[axis]);
        const bool found = source != placed.sources[axis].end();
        inside = inside && found;
        taken = taken || found;
        place = place * values.shape[axis] + (found ? source->second : 0);
      }
      if (inside) return of(values.values[static_cast<std::size_t>(place)]);
      return of(numeric::Exact(placed.filled || (placed.diagonal && !taken && indices[0] == indices[1]) ? 1 : 0));
    };
    return variable;
  }

  template <class T>
  numeric::EntryMachine<T> machine(const infer::Term& lhs, const infer::Term& rhs) const {
    constexpr std::int64_t most_asked = 5'000'000;  // entries
    const infer::Term sides[] = {campaign::with_row_sums(lhs), campaign::with_row_sums(rhs)};
    const auto program = std::make_shared<numeric::Program>(sides, dims_, numeric::ProgramLimit{.entries = std::int64_t{1} << 50});
    std::map<std::string, numeric::SparseVariable<T>> variables;
    for (const auto& [name, placed] : placed_) variables.emplace(name, sparse<T>(placed, small_.instance.values.at(name)));
    return {program, std::move(variables), most_asked};
  }

  /// Whether an assumed comparison or equation is true in all entries.
  bool holds_everywhere(const infer::Fact& f) const {
    try {
      auto sides = machine<numeric::Exact>(f.lhs, f.rhs);
      const auto &left = sides.shape(0), &right = sides.shape(1), &shape = left.empty() ? right : left;
      if (!left.empty() && !right.empty() && left != right) return false;
      for (std::int64_t place = 0; place < numeric::entries(shape); ++place) {
        const auto at = numeric::indices_of(place, shape);
        const std::span<const std::int64_t> none;
        const numeric::Tensor<numeric::Exact> lhs{{}, {sides.root(0, left.empty() ? none : at)}}, rhs{{}, {sides.root(1, right.empty() ? none : at)}};
        if (refute::first_violation(lhs, f.relation, rhs) >= 0) return false;
      }
      return true;
    } catch (const numeric::NeedsReals&) {
    } catch (const numeric::Undefined&) {
    }
    return false;
  }

  /// Whether the sides differ at an entry, where those of the small instance do if possible. All entries are looked at where some may lack a value.
  template <class T>
  bool differs() const {
    auto machine = this->machine<T>(problem_.lhs, problem_.rhs);
    const auto& shape = machine.shape(0);
    if (shape != machine.shape(1)) return false;
    const auto violated = [&](std::span<const std::int64_t> at) {
      const numeric::Tensor<T> lhs{{}, {machine.root(0, at)}}, rhs{{}, {machine.root(1, at)}};
      return refute::first_violation(lhs, problem_.relation, rhs) >= 0;
    };
    std::vector<std::int64_t> expected;
    for (std::size_t axis = 0; axis < shape.size() && axis < small_.entry.size(); ++axis) expected.push_back(moved_along(problem_.lhs->shape[axis], small_.entry[axis]));
    bool found = expected.size() == shape.size() && violated(expected);
    if (found && machine.is_total(0) && machine.is_total(1)) return true;
    for (std::int64_t place = 0; place < numeric::entries(shape); ++place) {  // an axis may be made of others, and an entry Undefined
      found = violated(numeric::indices_of(place, shape)) || found;
      if (found && machine.is_total(0) && machine.is_total(1)) return true;
    }
    return found;
  }

  const infer::Problem& problem_;
  const NamedSizes& named_;
  const refute::Counterexample& small_;
  const Padding& padding_;
  expr::DimValues dims_;
  bool has_sizes_;  ///< every size of the claim is known
  std::map<std::string, Placed> placed_;
};

}  // namespace

bool refutes_padded(const infer::Problem& problem, const NamedSizes& named, const refute::Counterexample& small, const Padding& padding) {
  const Padded padded(problem, named, small, padding);
  return padded.satisfies() && padded.refutes();
}

}  // namespace foldproof::repair
