// SPDX-License-Identifier: MIT
// Claims that have no normal form of their own: rank statements are led back to factorizations, statements about slices to cases
// of the sizes, inverses and denominators to both sides times what was divided by. What is found here is only a proposal; the
// kernel writes down the reduced claims and checks each.
#include <algorithm>
#include <functional>
#include <initializer_list>
#include <set>
#include <tuple>

#include "expr/build.hpp"
#include "infer/is_operator.hpp"
#include "normal/normalize.hpp"
#include "prove/factors.hpp"
#include "prove/prove.hpp"
#include "prove/sides.hpp"

namespace foldproof::prove {
namespace {

using expr::Claim;
using expr::Expression;
using expr::Relation;
using expr::SyntaxKind;
using kernel::ReductionKind;

constexpr int deepest = kernel::deepest_reduction - 1;  // reductions within each other; one is left for `turned`
constexpr std::size_t most_slices = 3;
constexpr int most_led_back = 3000;  // claims on the way; no proof is known that takes 200
constexpr int most_products = 60;  // proofs tried of both sides times something

bool is_call(const Expression& e, const char* name) { return e->kind == SyntaxKind::call && e->name == name; }

/// Whether e or a part of it is such.
bool any_part(const Expression& e, const std::function<bool(const Expression&)>& is_such) {
  return is_such(e) || std::any_of(e->args.begin(), e->args.end(), [&](const Expression& a) { return any_part(a, is_such); });
}

using Names = std::initializer_list<const char*>;
bool is_call_of(const Expression& e, Names functions) {
  return std::any_of(functions.begin(), functions.end(), [&](const char* name) { return is_call(e, name); });
}
bool calls(const Expression& e, Names functions) {
  return any_part(e, [&](const Expression& x) { return is_call_of(x, functions); });
}

bool is_rank(const Expression& e) { return is_call(e, "rank") && e->args.size() == 1; }

std::size_t nodes(const Expression& e) {
  std::size_t sum = 1;
  for (const Expression& a : e->args) sum += nodes(a);
  return sum;
}

/// Whether bound mentions the rank of a part of the matrix.
bool is_bounded_by_a_part(const Expression& matrix, const Expression& bound) {
  return any_part(bound, [&](const Expression& r) { return is_rank(r) && any_part(matrix, [&](const Expression& part) { return expr::same(r->args[0], part); }); });
}

/// Names that are assumed to be positive.
std::vector<std::string> positive_numbers(const Claim& claim) {
  std::vector<std::string> found;
  for (const auto& a : claim.assumptions) {
    const auto order = kernel::order_of(a);
    const bool positive = !a.relation && is_call(a.lhs, "positive"), above_zero = order && order->strict && expr::is_number(order->smaller, 0);
    if (!positive && !above_zero) continue;
    const Expression& c = positive ? a.lhs->args[0] : order->larger;
    if (c->kind == SyntaxKind::name) found.push_back(c->name);
  }
  return found;
}

/// For the reduction `full`: triangles, and factors of identities that may stand in the matrix, as in c * eye(n) + A @ A.T.
std::vector<std::string> reasons_for_full_rank(const Claim& claim) {
  std::vector<std::string> found{"lower", "upper", "1"};
  for (std::string& c : positive_numbers(claim)) found.push_back(std::move(c));
  return found;
}

/// The square factors of products in the sides that may turn out to have an inverse: triangles, and what has an identity added.
std::vector<Expression> square_factors(const Claim& claim, const infer::Problem& problem) {
  std::vector<Expression> found;
  const Claim whole = kernel::declared(claim, problem);
  const auto invertible = kernel::invertible_parts(whole);
  const std::function<void(const Expression&)> look = [&](const Expression& e) {
    for (const Expression& a : e->args) {
      look(a);
      const bool factor = e->kind == SyntaxKind::matmul && a->kind != SyntaxKind::transpose && a->kind != SyntaxKind::matmul && !is_call(a, "inv");
      if (!factor || !calls(a, {"causal", "eye", "tril", "triu"}) || expr::contains(found, a) || expr::contains(invertible, a)) continue;
      const auto shape = shape_of(whole, a);
      if (shape && shape->size() == 2 && (*shape)[0] == (*shape)[1]) found.push_back(a);
    }
  };
  look(claim.lhs);
  look(claim.rhs);
  return found;
}

/// R.T @ w == v for an orthogonal R of which R @ v == w is assumed.
void add_fixed_by_transpose(const Claim& claim, std::vector<kernel::Reduction>& found) {
  for (const auto& a : claim.assumptions) {
    if (a.relation || !a.lhs || (!is_call(a.lhs, "orthogonal") && !is_call(a.lhs, "permutation"))) continue;
    for (const auto& b : claim.assumptions) {
      const bool row_sums = b.relation == Relation::equal && is_call(b.lhs, "rowsum") && b.lhs->args.size() == 1 && is_call(b.rhs, "ones");
      if (row_sums && expr::same(b.lhs->args[0], a.lhs->args[0])) {  // R @ ones == ones
        found.push_back({ReductionKind::lemma, {expr::text(expr::node(SyntaxKind::matmul, {expr::transposed(b.lhs->args[0]), b.rhs})), expr::text(b.rhs)}});
        continue;
      }
      if (b.relation != Relation::equal || b.lhs->kind != SyntaxKind::matmul || !expr::same(b.lhs->args[0], a.lhs->args[0])) continue;
      const Expression moved = expr::node(SyntaxKind::matmul, {expr::transposed(b.lhs->args[0]), b.rhs});
      found.push_back({ReductionKind::lemma, {expr::text(moved), expr::text(b.lhs->args[1])}});
    }
  }
}

/// exp and log of assumed equations: lse(S) == lse(T) says that two sums of exponentials are equal. What rotations fix.
std::vector<kernel::Reduction> lemmas(const Claim& claim, const infer::Problem& problem) {
  std::vector<kernel::Reduction> found;
  for (const auto& a : claim.assumptions) {
    if (a.relation != Relation::equal) continue;
    const bool logarithms = is_call_of(a.lhs, {"log", "lse"}) || is_call_of(a.rhs, {"log", "lse"});
    const bool exponentials = is_call(a.lhs, "exp") && is_call(a.rhs, "exp");
    if (!logarithms && !exponentials) continue;
    const char* f = logarithms ? "exp" : "log";
    const auto sides = std::pair{expr::call(f, {a.lhs}), expr::call(f, {a.rhs})};
    const bool known = std::any_of(claim.assumptions.begin(), claim.assumptions.end(), [&](const auto& b) { return b.relation == Relation::equal && expr::same(b.lhs, sides.first) && expr::same(b.rhs, sides.second); });
    if (!known) found.push_back({ReductionKind::lemma, {expr::text(sides.first), expr::text(sides.second)}});
  }
  add_fixed_by_transpose(claim, found);
  for (const auto& [inverse, other] : {std::pair{claim.lhs, claim.rhs}, std::pair{claim.rhs, claim.lhs}}) {  // inv(M) == N, because M @ N == eye(n)
    if (!is_call(inverse, "inv") || inverse->args.size() != 1 || inverse->args[0]->kind == SyntaxKind::name || problem.lhs->shape.size() != 2) continue;
    const Expression size = expr::parse_expression(expr::text(problem.lhs->shape[0]));
    found.push_back({ReductionKind::lemma, {expr::text(expr::node(SyntaxKind::matmul, {inverse->args[0], other})), expr::text(expr::call("eye", {size}))}});
  }
  for (const auto& a : claim.assumptions) {  // a left inverse of a square matrix is a right one: H @ H.T == d * eye(d)
    if (a.relation != Relation::equal || a.lhs->kind != SyntaxKind::matmul) continue;
    const Expression& eye = a.rhs->kind == SyntaxKind::multiply ? a.rhs->args[is_call(a.rhs->args[0], "eye") ? 0 : 1] : a.rhs;
    const Expression turned = expr::node(SyntaxKind::matmul, {a.lhs->args[1], a.lhs->args[0]});
    const bool known = std::any_of(claim.assumptions.begin(), claim.assumptions.end(), [&](const auto& b) { return b.relation == Relation::equal && expr::same(b.lhs, turned); });
    if (is_call(eye, "eye") && !known) found.push_back({ReductionKind::lemma, {expr::text(turned), expr::text(a.rhs)}});
  }
  return found;
}

/// What is worth trying on an equation.
std::vector<kernel::Reduction> products(const Claim& claim, const infer::Problem& problem) {
  std::vector<kernel::Reduction> found;
  const bool one_function = claim.lhs->kind == claim.rhs->kind && claim.lhs->name == claim.rhs->name && claim.lhs->args.size() == claim.rhs->args.size() && !claim.lhs->args.empty();
  const bool difference = claim.lhs->kind == SyntaxKind::subtract && (is_call(claim.rhs, "zeros") || expr::is_number(claim.rhs, 0));
  if (one_function || difference) found.push_back({ReductionKind::congruent, {}});
  for (std::size_t axis = 0; axis < std::min<std::size_t>(problem.lhs->shape.size(), 2); ++axis) {
    for (const expr::Dim& p : kernel::cut_points(problem.lhs->shape[axis])) found.push_back({ReductionKind::blocks, {std::to_string(axis), expr::text(p)}});
  }
  for (auto& step : lemmas(claim, problem)) found.push_back(std::move(step));
  const std::size_t axes = std::max(problem.lhs->shape.size(), problem.rhs->shape.size());  // one side may be 0
  if (axes == 1 || axes == 2) {
    for (const Expression& m : kernel::invertible_parts(claim)) {
      found.push_back({ReductionKind::before, {expr::text(m)}});
      found.push_back({ReductionKind::after, {expr::text(m)}});
    }
  }
  for (const Expression& d : kernel::nonzero_parts(claim)) {
    const bool assumed = std::any_of(claim.assumptions.begin(), claim.assumptions.end(), [](const auto& a) { return a.relation == Relation::equal; });  // a * b == a * c
    if ((d->kind != SyntaxKind::name || assumed) && !is_call(d, "rms") && d->kind != SyntaxKind::number) found.push_back({ReductionKind::scaled, {expr::text(d)}});
  }
  return found;
}

/// What is assumed to be the number on the right side: p <= 1, because p <= rowsum(p) and rowsum(p) == 1; rows of orthogonal matrices.
std::vector<std::string> equal_to_bound(const Claim& claim) {
  const bool squared = claim.rhs->kind == SyntaxKind::power && expr::is_number(claim.rhs->args[1], 2);
  const Expression& bound = squared ? claim.rhs->args[0] : claim.rhs;
  std::vector<std::string> found;
  if (bound->kind != SyntaxKind::number || (squared && !bound->value.is_one())) return found;
  for (const auto& a : claim.assumptions) {
    if (a.relation == Relation::equal && a.rhs->kind == SyntaxKind::number && a.rhs->value == bound->value) found.push_back(expr::text(a.lhs));
    if (!a.relation && is_call(a.lhs, "orthogonal") && expr::is_number(bound, 1)) found.push_back("rowsum(" + expr::text(a.lhs->args[0]) + " * " + expr::text(a.lhs->args[0]) + ")");
  }
  return found;
}

/// Parts of the sides that stand there more than once, the largest first: an inequality may hold whatever they are.
std::vector<Expression> repeated_parts(const Claim& claim) {
  constexpr std::size_t most = 3;
  std::vector<Expression> once, found;
  const std::function<void(const Expression&)> look = [&](const Expression& e) {
    static const std::set<SyntaxKind> joins = {SyntaxKind::add, SyntaxKind::subtract, SyntaxKind::multiply, SyntaxKind::divide, SyntaxKind::matmul};
    const bool compound = (joins.count(e->kind) > 0 || (e->kind == SyntaxKind::call && e->args.size() == 1)) && any_part(e, [](const Expression& x) { return x->kind == SyntaxKind::name; });
    if (compound && expr::contains(once, e) && !expr::contains(found, e)) found.push_back(e);
    if (compound) once.push_back(e);
    if (e->kind == SyntaxKind::comprehension) return;
    for (const Expression& a : e->args) look(a);
  };
  look(claim.lhs);
  look(claim.rhs);
  std::stable_sort(found.begin(), found.end(), [](const Expression& a, const Expression& b) { return nodes(a) > nodes(b); });
  found.resize(std::min(found.size(), most));
  return found;
}

/// name == value, which is made of `of`; both are definitions
struct Lemma {
  std::string name;
  Expression value;
  std::string of;
};

/// B == A, B == P @ A, B == A @ P, B == A.T and B == A[:t] for definitions A and B that are made alike, where a side of the claim is
/// such a thing. The largest ones first.
std::vector<Lemma> between_definitions(const Claim& claim) {
  std::vector<std::function<Expression(const Expression&)>> wrappers;
  for (const Expression& side : {claim.lhs, claim.rhs}) {
    const auto with = [&](std::size_t place) {
      return [side, place](const Expression& x) {
        auto copy = std::make_shared<expr::Syntax>(*side);
        copy->args[place] = x;
        return Expression(copy);
      };
    };
    if (side->kind == SyntaxKind::matmul) wrappers.push_back(with(1));
    if (side->kind == SyntaxKind::matmul || side->kind == SyntaxKind::index || side->kind == SyntaxKind::transpose) wrappers.push_back(with(0));
  }
  wrappers.push_back([](const Expression& x) { return x; });
  // Of one size first what says the longer by the shorter, and every pair with the first wrapper before any with the next.
  std::vector<std::pair<std::tuple<std::size_t, bool, std::size_t>, Lemma>> found;
  for (const auto& a : claim.definitions) {
    for (const auto& b : claim.definitions) {
      const std::size_t size = nodes(a.value), other = nodes(b.value);
      if (a.name == b.name || a.value->kind != b.value->kind || 2 * std::min(size, other) < std::max(size, other)) continue;
      for (std::size_t k = 0; k < wrappers.size(); ++k) found.push_back({{size + other, size <= other, wrappers.size() - k}, {b.name, wrappers[k](expr::node(SyntaxKind::name, {}, a.name)), a.name}});
    }
  }
  std::stable_sort(found.begin(), found.end(), [](const auto& x, const auto& y) { return x.first > y.first; });
  std::vector<Lemma> lemmas;
  for (auto& [size, lemma] : found) lemmas.push_back(std::move(lemma));
  return lemmas;
}

class Search {
 public:
  /// Both sides of an equation may be multiplied by `most_factors` things in turn, at most deepest.
  explicit Search(std::size_t most_factors, const Doubt& doubt = {}, const normal::Limits& limits = {}) : most_factors_(most_factors), doubt_(doubt), limits_(limits) {}

  /// The proof of the first claim.
  Proof prove(const Claim& claim, const infer::Problem& problem) {
    Proof proof = prove(claim, problem, 0);
    proof.limit_on_the_way = limited_;
    return proof;
  }

  /// The same search, with what is left of its limits, for longer proofs.
  Search& with(std::size_t most_factors) {
    most_factors_ = most_factors;
    products_ = 0;
    led_back_ = 0;
    return *this;
  }

  Proof prove(const Claim& claim, const infer::Problem& problem, int depth) {
    Proof proof;
    if (limits_.spent > limits_.effort()) {  // by what was tried before
      proof.limit = true;
      return proof;
    }
    if (depth >= deepest) return prove::prove(problem, limits_);
    const bool numbers = problem.lhs->shape.empty() && problem.rhs->shape.empty();
    const bool ranks = numbers && (any_part(claim.lhs, is_rank) || any_part(claim.rhs, is_rank));
    if (const auto k = several(claim)) return by(claim, problem, {ReductionKind::least, *k}, depth);
    if (ranks && claim.relation == Relation::equal) return by(claim, problem, {ReductionKind::equal, {}}, depth);
    if (!ranks) {
      if (depth == 0 && most_factors_ > 0) {  // the rest has been tried
        proof = by_products(claim, problem, depth);
        const bool shifts = !proof.certificate && claim.relation == Relation::equal && !shifted(problem).empty();
        return shifts ? by_cases(claim, problem, depth) : proof;  // x[:-1] by x[1:] is by blocks only where n == 1 + rest
      }
      proof = prove::prove(problem, limits_, depth == 0 && limits_.steps >= normal::Limits{}.steps);  // of the other claims there are many
      if (proof.certificate || (depth == 0 && doubt_ && doubt_(problem))) return proof;
      auto found = by_definitions(claim, problem, depth);
      if (found.certificate) return found;
      if (!proof.limit) {
        found = by_cases(claim, problem, depth);
        if (found.certificate) return found;
      }
      const bool bent = bends(claim.lhs) || bends(claim.rhs), in_pieces = std::find(path_.begin(), path_.end(), ReductionKind::pieces) != path_.end();
      const bool order_first = in_pieces && claim.relation != Relation::equal;  // of a piece it seldom helps to cut it once more
      if (claim.relation != Relation::equal && !in_pieces) {
        auto found = by_weights(claim, problem, depth);
        if (found.certificate) return found;
      }
      if (bent && !order_first) {
        auto found = by_pieces(claim, problem, depth);
        if (found.certificate) return found;
      }
      const bool bounded = std::any_of(claim.assumptions.begin(), claim.assumptions.end(), [](const auto& a) { return a.relation == Relation::less_equal || a.relation == Relation::greater_equal; });
      const Names maxima = {"max", "min", "rowmax", "rowmin", "colmax", "colmin"};
      if (claim.relation == Relation::equal && (bounded || (calls(claim.lhs, maxima) && calls(claim.rhs, maxima)))) {  // the order of axes is none that normal forms know
        auto found = by(claim, problem, {ReductionKind::equal, {}}, depth);
        if (found.certificate) return found;
      }
      if (claim.relation != Relation::equal) {
        auto found = by_order(claim, problem, depth);
        if (found.certificate) return found;
      }
      if (bent && order_first) {
        auto found = by_pieces(claim, problem, depth);
        if (found.certificate) return found;
      }
      if (claim.relation != Relation::equal && std::find(path_.begin(), path_.end(), ReductionKind::forget) == path_.end()) {
        for (const Expression& part : repeated_parts(claim)) {
          auto found = by(claim, problem, {ReductionKind::forget, {expr::text(part)}}, depth);
          if (found.certificate) return found;
        }
      }
      if (most_factors_ > 0) {
        auto found = by_products(claim, problem, depth);
        if (found.certificate) return found;
      }
      return proof;
    }
    proof = prove::prove(problem, limits_);  // with every rank as a size of its own
    if (proof.certificate) return proof;
    const auto proved = [&](Proof found) {
      proof.limit = proof.limit || found.limit;
      proof.certificate = std::move(found.certificate);
      return proof.certificate.has_value();
    };
    if (kernel::growing_rank(claim.lhs)) {
      if (proved(by_sizes_less_one(claim, problem, depth))) return proof;
      for (const Factors& f : factorizations(claim, problem)) {
        if (proved(by(claim, problem, {ReductionKind::above, {expr::text(f.left), expr::text(f.right)}}, depth))) return proof;
        for (const auto& [factor, word] : {std::pair{f.left, "left"}, std::pair{f.right, "right"}}) {
          const bool simpler = nodes(factor) < nodes(kernel::growing_rank(claim.lhs)->args[0]) && is_bounded_by_a_part(factor, claim.rhs);
          if (simpler && proved(by(claim, problem, {ReductionKind::above, {expr::text(f.left), expr::text(f.right), word}}, depth))) return proof;
        }
      }
    }
    if (kernel::growing_rank(claim.rhs)) {
      constexpr std::ptrdiff_t most_regular = 2;
      for (const Expression& m : square_factors(claim, problem)) {
        const bool enough = std::count(path_.begin(), path_.end(), ReductionKind::regular) >= most_regular;
        if (!enough && proved(by(claim, problem, {ReductionKind::regular, {expr::text(m)}}, depth))) return proof;
      }
      for (const Factors& f : unit_witnesses(claim, problem)) {
        if (proved(by(claim, problem, {ReductionKind::below, {expr::text(f.left), expr::text(f.right)}}, depth))) return proof;
      }
      if (proved(by(claim, problem, {ReductionKind::gram, {}}, depth))) return proof;
      for (const std::string& why : reasons_for_full_rank(claim)) {
        if (proved(by(claim, problem, {ReductionKind::full, {why}}, depth))) return proof;
      }
    }
    if (const auto step = rearrangement(claim, problem); step && proved(by(claim, problem, *step, depth))) return proof;
    proof.reason = "no factorization was found that bounds the rank";
    return proof;
  }

  /// Whether there is something to try for `with`, here or in a case of the sizes.
  static bool has_products(const Claim& claim, const infer::Problem& problem) { return !products(claim, problem).empty() || !shifted(problem).empty(); }

 private:
  /// The text of a reduction `least` when min or max splits the claim or one of its assumptions.
  static std::optional<std::vector<std::string>> several(const Claim& claim) {
    if (kernel::splitting_side(claim)) return std::vector<std::string>{};
    const auto at = std::find_if(claim.assumptions.begin(), claim.assumptions.end(), [&](const auto& a) { return kernel::splitting_side(claim, a).has_value(); });
    if (at == claim.assumptions.end()) return std::nullopt;
    return std::vector<std::string>{std::to_string(at - claim.assumptions.begin())};
  }

  /// The last claim first: of a factorization it is the short one about sizes.
  Proof by(const Claim& claim, const infer::Problem& problem, kernel::Reduction reduction, int depth) {
    path_.push_back(reduction.kind);
    Proof proof = by_parts(claim, problem, std::move(reduction), depth);
    path_.pop_back();
    return proof;
  }
  Proof by_parts(const Claim& claim, const infer::Problem& problem, kernel::Reduction reduction, int depth) {
    Proof proof;
    if (++led_back_ > most_led_back) {
      proof.limit = true;
      proof.reason = "more than " + std::to_string(most_led_back) + " claims were led back to others";
      return proof;
    }
    try {
      const auto claims = kernel::reduce(claim, problem, reduction);
      kernel::Certificate certificate;
      certificate.parts.resize(claims.size());
      std::vector<std::optional<infer::Problem>> smaller(claims.size());
      for (std::size_t k = 0; k < claims.size(); ++k) {
        try {
          smaller[k] = infer::elaborate(claims[k]);
        } catch (const expr::Error& e) {
          if (!kernel::has_no_value(claims[k], reduction, e)) throw;
          continue;
        }
        if (!doubt_ || any_part(claims[k].lhs, is_rank) || any_part(claims[k].rhs, is_rank) || !doubt_(*smaller[k])) continue;
        proof.reason = "a claim that would lead to this one is false";
        return proof;
      }
      for (std::size_t k = claims.size(); k-- > 0;) {
        if (!smaller[k]) continue;
        Proof part = prove(claims[k], *smaller[k], depth + 1);
        if (!part.certificate) {
          proof.reason = part.reason;
          proof.limit = part.limit;
          limited_ = limited_ || part.limit;
          return proof;
        }
        certificate.parts[k] = std::move(*part.certificate);
      }
      certificate.reduction = std::move(reduction);
      const auto outcome = kernel::check(claim, certificate);
      if (outcome.accepted) {
        proof.certificate = std::move(certificate);
      } else {
        proof.reason = outcome.reason;  // a witness that is not defined everywhere, for one
      }
    } catch (const expr::Error& e) {
      proof.reason = e.what();
    } catch (const kernel::Reject& e) {
      proof.reason = e.what();
    } catch (const expr::LimitReached& e) {
      proof.reason = e.what();
      proof.limit = true;
    }
    return proof;
  }

  /// What is too large to be multiplied out, or differs in form when it is: first B == P @ A for two of its definitions, then the claim for
  /// any A and B of which that is true. P @ is read off the sides of the claim.
  Proof by_definitions(const Claim& claim, const infer::Problem& problem, int depth) {
    constexpr std::size_t most_lemmas = 4;
    if (claim.relation != Relation::equal || depth + 2 >= deepest) return {};
    std::size_t tried = 0;
    for (const Lemma& lemma : between_definitions(claim)) {
      if (++tried > most_lemmas) break;
      const kernel::Reduction first{ReductionKind::lemma, {lemma.name, expr::text(lemma.value)}}, second{ReductionKind::forget, {lemma.name, lemma.of}};
      const normal::Limits afresh{.steps = limits_.steps};
      try {
        const auto claims = kernel::reduce(claim, problem, first);
        Proof whole = Search(0, doubt_, afresh).by(claims[1], infer::elaborate(claims[1]), second, depth + 1);
        if (!whole.certificate) continue;
        Proof part = Search(0, doubt_, afresh).prove(claims[0], infer::elaborate(claims[0]), depth + 1);
        if (!part.certificate) continue;
        kernel::Certificate certificate;
        certificate.reduction = first;
        certificate.parts = {std::move(*part.certificate), std::move(*whole.certificate)};
        if (!kernel::check(claim, certificate).accepted) continue;
        Proof proof;
        proof.certificate = std::move(certificate);
        return proof;
      } catch (const expr::Error&) {  // the shapes do not fit
      } catch (const kernel::Reject&) {
      } catch (const expr::LimitReached&) {
      }
    }
    return {};
  }

  /// Equal operands of one function; lemmas; both sides times a matrix of which they contain the inverse, or times a denominator that is a sum.
  Proof by_products(const Claim& claim, const infer::Problem& problem, int depth) {
    Proof proof;
    if (claim.relation != Relation::equal || tried_.size() >= most_factors_) return proof;
    for (const auto& step : products(claim, problem)) {
      const bool again = step.kind != ReductionKind::congruent && std::find(tried_.begin(), tried_.end(), step.text) != tried_.end();
      if (again || ++products_ > most_products) continue;
      tried_.push_back(step.text);
      proof = by(claim, problem, step, depth);
      tried_.pop_back();
      if (proof.certificate) return proof;
    }
    return proof;
  }

  /// Inequalities between values of increasing functions, of logarithms and of roots. None of them is repeated: exp of exp of both sides
  /// and the square of a square say nothing new.
  Proof by_order(const Claim& claim, const infer::Problem& problem, int depth) {
    const auto either = [&](Names functions) { return calls(claim.lhs, functions) || calls(claim.rhs, functions); };
    const auto led_here = [&](ReductionKind kind) { return std::find(path_.begin(), path_.end(), kind) != path_.end(); };
    std::vector<kernel::Reduction> steps;
    const bool masked_maxima = either({"rowmax", "colmax", "max"}) && either({"neginf", "causal"});  // of exponentials they are maxima of masks
    const bool logarithms = (either({"log", "lse", "softplus", "log_softmax"}) || masked_maxima) && !led_here(ReductionKind::exponential);
    if (claim.relation == Relation::less) {
      auto found = led_here(ReductionKind::exponential) ? Proof{} : by(claim, problem, {ReductionKind::increasing, {}}, depth);
      if (found.certificate || (!is_call(claim.lhs, "abs") && !logarithms)) return found;
      return by(claim, problem, {is_call(claim.lhs, "abs") ? ReductionKind::least : ReductionKind::exponential, {}}, depth);
    }
    if (path_.empty()) steps.push_back({ReductionKind::rearranged, {expr::text(claim.rhs), expr::text(claim.rhs), "1", "1"}});  // the sides are equal, which is seen along sums that are cut
    if (!led_here(ReductionKind::rearranged)) {
      const std::vector<std::string> larger = equal_to_bound(claim);
      for (const std::string& side : larger) steps.push_back({ReductionKind::rearranged, {expr::text(claim.lhs), side, "1", "1"}});
      if (!larger.empty() && is_call(claim.lhs, "abs")) steps.push_back({ReductionKind::squared, {}});
    }
    if (is_call(claim.lhs, "abs")) steps.push_back({ReductionKind::least, {}});
    if (!led_here(ReductionKind::exponential)) steps.push_back({ReductionKind::increasing, {}});
    if (const auto step = led_here(ReductionKind::rearranged) ? std::nullopt : rearrangement(claim, problem)) steps.push_back(*step);
    if (!led_here(ReductionKind::scaled)) {
      for (const std::string& c : positive_numbers(claim)) {
        for (const std::string& factor : {"1/" + c, c}) steps.push_back({ReductionKind::scaled, {factor}});
      }
    }
    if (logarithms) steps.push_back({ReductionKind::exponential, {}});
    if (either({"sqrt", "rsqrt", "l2norm", "layernorm", "rms", "rmsnorm"}) && !led_here(ReductionKind::squared)) steps.push_back({ReductionKind::squared, {}});
    for (const kernel::Reduction& step : steps) {
      auto found = by(claim, problem, step, depth);
      if (found.certificate) return found;
    }
    return {};
  }

  /// Whether a function that bends occurs, of something that mentions all the names. Two of them are compared by it, as in maximum(a, b)
  /// and relu(a - b), where they stand in no product alone.
  static bool bends(const Expression& e, const std::vector<std::string>& names = {}) {
    static const std::set<std::string> functions = {"abs", "clip", "elu", "leaky_relu", "maximum", "minimum", "relu"};
    const auto adds = [](const Expression& x) { return x->kind == SyntaxKind::add || x->kind == SyntaxKind::subtract || (x->kind == SyntaxKind::call && x->args.size() > 1); };
    return any_part(e, [&](const Expression& x) {
      if (x->kind != SyntaxKind::call || functions.count(x->name) == 0 || (names.size() > 1 && !any_part(x, adds))) return false;
      return std::all_of(names.begin(), names.end(), [&](const auto& name) { return expr::mentions(x, name); });
    });
  }

  /// Functions that bend, as statements about a number: between the points where they may bend.
  Proof by_pieces(const Claim& claim, const infer::Problem& problem, int depth) {
    if (!problem.lhs->shape.empty() || !problem.rhs->shape.empty()) return by(claim, problem, {ReductionKind::entries, {}}, depth);
    const auto either = [&](const std::vector<std::string>& names) { return bends(claim.lhs, names) || bends(claim.rhs, names); };
    const auto cut = [&](std::vector<std::string> text, std::optional<std::set<std::string>> uncut) {
      std::swap(uncut_, uncut);
      Proof found = by(claim, problem, {ReductionKind::pieces, std::move(text)}, depth);
      std::swap(uncut_, uncut);
      return found;
    };
    constexpr std::size_t most_numbers = 4;  // to be compared with each other, as in maximum(a, b)
    for (std::size_t a = 0; a < std::min(problem.variables.size(), most_numbers); ++a) {
      for (std::size_t b = a + 1; b < std::min(problem.variables.size(), most_numbers); ++b) {
        if (!either({problem.variables[a].name, problem.variables[b].name})) continue;
        auto found = cut({problem.variables[a].name, problem.variables[b].name}, std::nullopt);
        if (found.certificate) return found;
      }
    }
    std::set<std::string> names;
    for (const auto& v : problem.variables) names.insert(v.name);
    for (const auto& v : problem.variables) {
      if (!v.shape.empty() || !either({v.name}) || (uncut_ && uncut_->count(v.name) == 0)) continue;
      const auto points = bending_points(claim);
      std::vector<std::string> text{v.name};
      for (const auto& point : points) text.push_back(point.text());
      std::set<std::string> others = uncut_.value_or(names);
      others.erase(v.name);
      Proof found;
      if (!is_never_negative(claim, v.name)) found = cut({v.name, "0"}, others);  // elu(x) == relu(x) + minimum(exp(x) - 1, 0)
      if (!found.certificate && points.size() > 1) found = cut(text, others);
      if (found.certificate) return found;
    }
    return {};
  }
  /// A number between two others, such as the weight t of t*x + (1 - t)*y: t and 1 - t are two numbers, neither negative, over their sum. One
  /// that is at least 1 is 1 + t, and so is one that is at least x.
  Proof by_weights(const Claim& claim, const infer::Problem& problem, int depth) {
    for (const auto& v : problem.variables) {
      if (!v.shape.empty()) continue;
      std::optional<expr::Rational> least, most;
      const auto note = [&](const Expression& x, const Expression& bound, bool below) {
        const bool negative = bound->kind == SyntaxKind::negate && bound->args[0]->kind == SyntaxKind::number;
        if (x->kind != SyntaxKind::name || x->name != v.name || (!negative && bound->kind != SyntaxKind::number)) return;
        (below ? least : most) = negative ? -bound->args[0]->value : bound->value;
      };
      for (const auto& a : claim.assumptions) {
        const auto order = kernel::order_of(a);
        if (!order) continue;
        note(order->larger, order->smaller, true);
        note(order->smaller, order->larger, false);
      }
      const bool one_end = (least && !least->is_zero() && !most) || (most && !most->is_zero() && !least);
      if (!one_end && (!least || !most || !(*least < *most))) continue;
      std::vector<std::string> text{v.name};
      for (const auto& end : {least, most}) {
        if (end) text.push_back(end->text());
      }
      auto found = by(claim, problem, {ReductionKind::pieces, text}, depth);
      if (found.certificate) return found;
    }
    const auto is_number = [&](const Expression& e) {
      return e->kind == SyntaxKind::name && std::any_of(problem.variables.begin(), problem.variables.end(), [&](const auto& v) { return v.name == e->name && v.shape.empty(); });
    };
    for (const auto& a : claim.assumptions) {  // x <= y: y is x + t
      const auto order = kernel::order_of(a);
      if (!order || !is_number(order->larger) || !is_number(order->smaller) || order->larger->name == order->smaller->name) continue;
      auto found = by(claim, problem, {ReductionKind::pieces, {order->larger->name, order->smaller->name}}, depth);
      if (found.certificate) return found;
    }
    const bool tensors = !problem.lhs->shape.empty() || !problem.rhs->shape.empty();
    const bool ordered = std::any_of(claim.assumptions.begin(), claim.assumptions.end(), [](const auto& a) { return kernel::order_of(a).has_value(); });
    if (tensors && ordered) return by(claim, problem, {ReductionKind::entries, {}}, depth);  // then all of this is asked of numbers
    return {};
  }
  static bool is_never_negative(const Claim& claim, const std::string& name) {
    return std::any_of(claim.assumptions.begin(), claim.assumptions.end(), [&](const auto& a) {
      const auto order = kernel::order_of(a);
      return order && !order->strict && order->larger->kind == SyntaxKind::name && order->larger->name == name && expr::is_number(order->smaller, 0);
    });
  }
  /// The numbers of the claim, their sums and quotients, and 0: relu(2*x + 1) bends at -1/2, clip(x - 1, 0, 6) at 7.
  static std::vector<expr::Rational> bending_points(const Claim& claim) {
    constexpr std::size_t most_numbers = 4, most_points = 24;
    std::set<expr::Rational> numbers, points{expr::Rational(0)};
    const std::function<void(const Expression&)> collect = [&](const Expression& e) {
      if (e->kind == SyntaxKind::number && !e->value.is_zero() && numbers.size() < most_numbers) numbers.insert(e->value);
      for (const Expression& a : e->args) collect(a);
    };
    collect(claim.lhs);
    collect(claim.rhs);
    const auto add = [&](const expr::Rational& q) {
      if (points.size() + 2 <= most_points) points.insert({q, -q});
    };
    for (const auto& a : numbers) add(a);
    for (const auto& a : numbers) {
      for (const auto& b : numbers) {
        if (a == b) continue;
        add(a + b);
        add(a - b);
        add(a / b);
      }
    }
    return {points.begin(), points.end()};
  }

  /// A bound such as d - 1: for d == 1 the matrix is zero.
  Proof by_sizes_less_one(const Claim& claim, const infer::Problem& problem, int depth) {
    std::vector<kernel::Reduction> steps;
    const auto sizes = sizes_less_one(claim.rhs);
    if (!sizes.empty() || (claim.rhs->kind == SyntaxKind::number && claim.rhs->value.is_zero())) steps.push_back({ReductionKind::above, {"0"}});
    for (const std::string& size : sizes) {
      if (is_dimension(problem, size) && !is_given(claim, size)) steps.push_back({ReductionKind::within, {size, "1"}});
    }
    Proof proof;
    for (const auto& step : steps) {
      Proof found = by(claim, problem, step, depth);
      if (found.certificate) return found;
      proof.limit = proof.limit || found.limit;
    }
    return proof;
  }

  /// Whether an assumption says what the size is.
  static bool is_given(const Claim& claim, const std::string& size) {
    return std::any_of(claim.assumptions.begin(), claim.assumptions.end(), [&](const auto& a) { return a.relation == Relation::equal && a.lhs->kind == SyntaxKind::name && a.lhs->name == size; });
  }

  Proof by_cases(const Claim& claim, const infer::Problem& problem, int depth) {
    const auto bounds = kernel::slice_bounds(problem);
    for (std::size_t k = 0; k < std::min(bounds.size(), most_slices); ++k) {
      auto found = by(claim, problem, {ReductionKind::within, {bounds[k].first, expr::text(bounds[k].second)}}, depth);
      if (found.certificate) return found;
    }
    std::vector<std::string> sizes = shifted(problem);
    for (const std::string& size : numbers_of_blocks(problem)) sizes.push_back(size);
    for (const std::string& size : sizes) {
      if (is_given(claim, size)) continue;
      auto found = by(claim, problem, {ReductionKind::within, {size, "1"}}, depth);
      if (found.certificate) return found;
    }
    for (const auto& [size, divisor] : divisions(problem)) {
      auto found = by(claim, problem, {ReductionKind::modulo, {size, std::to_string(divisor)}}, depth);
      if (found.certificate) return found;
    }
    return {};
  }

  /// Sizes divided by small numbers, such as d//2.
  static std::vector<std::pair<std::string, std::int64_t>> divisions(const infer::Problem& problem) {
    std::vector<std::pair<std::string, std::int64_t>> found;
    visit_sizes(problem, [&](const expr::Dim& d) {
      for (const auto& m : d.summands()) {
        for (const auto& s : m.product) {
          if (!s.division) continue;
          const auto size = s.division->numerator.as_symbol();
          const auto divisor = s.division->denominator.constant();
          const bool plain = size && !size->division && divisor && *divisor >= 2 && *divisor <= 8;
          if (plain && is_dimension(problem, size->name) && std::find(found.begin(), found.end(), std::pair{size->name, *divisor}) == found.end()) found.emplace_back(size->name, *divisor);
        }
      }
    });
    return found;
  }

  /// Sizes that a number is added to, such as n - 1: at n == 1 there may be nothing to cut off.
  static std::vector<std::string> shifted(const infer::Problem& problem) {
    std::vector<std::string> found;
    visit_sizes(problem, [&](const expr::Dim& d) {
      const bool constant = std::any_of(d.summands().begin(), d.summands().end(), [](const auto& m) { return m.product.empty(); });
      for (const auto& m : d.summands()) {
        const bool plain = constant && m.product.size() == 1 && !m.product[0].division && is_dimension(problem, m.product[0].name);
        if (plain && std::find(found.begin(), found.end(), m.product[0].name) == found.end()) found.push_back(m.product[0].name);
      }
    });
    return found;
  }

  /// The h of X[:c] and X[(h-1)*c:] where the axis has h*c places: the first block and the last one are all when h == 1.
  static std::vector<std::string> numbers_of_blocks(const infer::Problem& problem) {
    std::vector<std::string> found;
    visit_terms(problem, [&](const infer::Term& t) {
      if (!infer::is<expr::ops::Subscripts>(t)) return;
      const auto& extents = t->call.operands[0];
      for (std::size_t axis = 0; axis < extents.size(); ++axis) {  // (kind, start, stop): see expr/ops/structure.hpp
        for (const expr::Dim& part : {t->call.sizes[3 * axis + 2], extents[axis] - t->call.sizes[3 * axis + 1]}) {
          const auto blocks = part.is_zero() ? std::nullopt : extents[axis].divide(part);
          const auto h = blocks ? blocks->as_symbol() : std::nullopt;
          if (h && !h->division && is_dimension(problem, h->name) && std::find(found.begin(), found.end(), h->name) == found.end()) found.push_back(h->name);
        }
      }
    });
    return found;
  }

  /// Comprehension indices are none.
  static bool is_dimension(const infer::Problem& problem, const std::string& name) { return !expr::is_rank(name) && std::find(problem.dimensions.begin(), problem.dimensions.end(), name) != problem.dimensions.end(); }

  static void visit_terms(const infer::Problem& problem, const std::function<void(const infer::Term&)>& see) {
    std::set<const infer::TermNode*> seen;
    const std::function<void(const infer::Term&)> visit = [&](const infer::Term& t) {
      if (!seen.insert(t.get()).second) return;
      see(t);
      for (const auto& a : t->args) visit(a);
    };
    visit(problem.lhs);
    visit(problem.rhs);
  }
  static void visit_sizes(const infer::Problem& problem, const std::function<void(const expr::Dim&)>& see) {
    visit_terms(problem, [&](const infer::Term& t) {
      for (const auto& d : t->shape) see(d);
      for (const auto& d : t->call.sizes) see(d);
      see(t->size);
    });
  }

  std::size_t most_factors_;
  Doubt doubt_;
  bool limited_ = false;    ///< a claim on the way ran into a limit
  normal::Limits limits_;  ///< of all proofs together
  int products_ = 0;
  int led_back_ = 0;  ///< claims that were led back to others
  std::vector<ReductionKind> path_;              ///< what led from the first claim to the current one
  std::vector<std::vector<std::string>> tried_;  ///< products among them, with lemmas and the like
  std::optional<std::set<std::string>> uncut_;   ///< numbers that may still be cut at their bending points; none: all
};

/// The normaliser does not bring all equal expressions into one form, and what it does first depends on the order in which things are
/// unfolded. So an equation that is not proved is tried with its sides exchanged and with its names in another order: before it is led
/// back to other claims by one short normalisation each, and last of all by all that leads to other claims.
std::optional<kernel::Certificate> prove_turned(const Claim& claim, const infer::Problem& problem, bool at_once) {
  constexpr std::size_t some = 20'000, all = normal::Limits{}.steps;
  const std::vector<std::string> ways[] = {{"used"}, {"sides"}, {"names"}, {"sides", "names"}};
  for (const auto& way : ways) {
    const kernel::Reduction step{ReductionKind::turned, way};
    try {
      const Claim other = kernel::reduce(claim, problem, step).front();
      const bool used = way.front() == "used";
      if (used && other.declarations.size() == kernel::declared(claim, problem).declarations.size()) continue;
      const infer::Problem turned = infer::elaborate(other);
      Proof part = at_once ? prove_shortly(turned, few_steps) : prove_shortly(other, turned, used ? all : some);
      if (!part.certificate) continue;
      kernel::Certificate certificate;
      certificate.reduction = step;
      certificate.parts.push_back(std::move(*part.certificate));
      if (kernel::check(claim, certificate).accepted) return certificate;
    } catch (const expr::Error&) {  // a shape that cannot be declared
    } catch (const kernel::Reject&) {
    }
  }
  return std::nullopt;
}

}  // namespace

Proof prove(const expr::Claim& claim, const infer::Problem& problem, const Doubt& doubt) { return Search(0, doubt).prove(claim, problem); }
Proof prove_shortly(const expr::Claim& claim, const infer::Problem& problem, std::size_t steps, const Doubt& doubt) { return Search(0, doubt, {.steps = steps}).prove(claim, problem); }

std::optional<kernel::Certificate> prove_by_products(const expr::Claim& claim, const infer::Problem& problem, const Doubt& doubt) {
  if (claim.relation != Relation::equal) return std::nullopt;
  if (auto certificate = prove_turned(claim, problem, true)) return certificate;
  Search search(0, doubt);
  const std::size_t most = Search::has_products(claim, problem) ? deepest : 1;
  for (std::size_t factors = 1; factors < most; ++factors) {  // the shortest proof
    auto proof = search.with(factors).prove(claim, problem, 0);
    if (proof.certificate) return std::move(proof.certificate);
  }
  return prove_turned(claim, problem, false);
}

}  // namespace foldproof::prove
