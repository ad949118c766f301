// SPDX-License-Identifier: MIT
#include "kernel/laws.hpp"

#include <algorithm>
#include <array>

#include "kernel/rewrite.hpp"

namespace foldproof::kernel {
namespace {

/// How a step of a law is written: its word, how many numbers follow (`several`: the law counts them itself), and whether a size does.
struct Form {
  std::string_view name;
  int args;
  bool sized = false;
};
constexpr int several = -1;
constexpr std::array<Form, law_count> forms = {{
    {"keep", several},
    {"enter", 1},
    {"leave", 0},
    {"split", 1, true},
    {"pair", 1, true},
    {"unroll", 1},
    {"sift", 2},
    {"decide", 1},
    {"digits", 1, true},
    {"flip", 1},
    {"turn", 1},
    {"only-equal", 1},
    {"implied", several},
    {"cases", 2},
    {"reverse", 1},
    {"align", 2},
    {"number", 1},
    {"count", 1},
    {"count-up", 2},
    {"add-up", 2},
    {"exp-sum", 1},
    {"distribute", 1},
    {"content", 2},
    {"sum-factor", several},
    {"expand", 1},
    {"cancel", several},
    {"absolute", 1},
    {"logarithm", 1},
    {"reflect", 1},
    {"angle", 1},
    {"pythagoras", 1},
    {"one-hot", 2},
    {"one-hot-sum", 2},
    {"select", several},
    {"halve", 0},
    {"swap", 1},
    {"axiom", several},
    {"inverse", several},
    {"inverse-diagonal", 1},
    {"inverse-transpose", 1},
    {"inverse-product", several},
    {"inverse-scale", 2},
    {"inverse-inverse", 1},
    {"inverse-orthogonal", 1},
    {"determinant-product", several},
    {"determinant-transpose", 1},
    {"determinant-inverse", 1},
    {"determinant-identity", 1},
    {"determinant-orthogonal", 1},
    {"factorize", 2},
    {"signed-body", 2},
    {"shift-maximum", 1},
    {"scale-maximum", 1},
    {"split-maximum", 1, true},
    {"pair-maximum", 1, true},
    {"exp-maximum", 1},
    {"power-maximum", 1},
    {"magnitude-maximum", 1},
    {"clear", 2},
    {"assumed-bound", several},
    {"largest-bound", several},
    {"total-bound", 2},
    {"triangle", several},
    {"tangent", several},
    {"attained", 2},
    {"part-bound", several},
    {"log-bound", several},
    {"unit-bound", 2},
    {"magnitude-bound", 1},
    {"mean-bound", several},
    {"diagonal-bound", 3},
    {"cauchy-bound", several},
}};

}  // namespace

Monomials Rewrite::run() {
  switch (step_.law) {
    case Law::split: return split();
    case Law::pair: return pair();
    case Law::unroll: return unroll();
    case Law::sift: return sift();
    case Law::decide: return decide();
    case Law::digits: return digits();
    case Law::flip: return flip();
    case Law::turn: return turn();
    case Law::only_equal: return only_equal();
    case Law::implied: return implied();
    case Law::cases: return cases();
    case Law::reverse: return reverse();
    case Law::align: return align();
    case Law::number: return number();
    case Law::count: return count();
    case Law::count_up: return count_up();
    case Law::add_up: return add_up();
    case Law::exp_sum: return exp_sum();
    case Law::distribute: return distribute();
    case Law::content: return content();
    case Law::sum_factor: return sum_factor();
    case Law::expand: return expand();
    case Law::cancel: return cancel();
    case Law::absolute: return absolute();
    case Law::logarithm: return logarithm();
    case Law::reflect: return reflect();
    case Law::angle: return angle();
    case Law::pythagoras: return pythagoras();
    case Law::one_hot: return one_hot();
    case Law::one_hot_sum: return one_hot_sum();
    case Law::select: return select();
    case Law::halve: return halve();
    case Law::swap: return swap();
    case Law::axiom: return axiom();
    case Law::inverse: return inverse();
    case Law::inverse_diagonal: return inverse_diagonal();
    case Law::inverse_transpose: return inverse_transpose();
    case Law::inverse_product: return inverse_product();
    case Law::inverse_scale: return inverse_scale();
    case Law::inverse_inverse: return inverse_inverse();
    case Law::inverse_orthogonal: return inverse_orthogonal();
    case Law::determinant_product: return determinant_product();
    case Law::determinant_transpose: return determinant_transpose();
    case Law::determinant_inverse: return determinant_inverse();
    case Law::determinant_identity: return determinant_identity();
    case Law::determinant_orthogonal: return determinant_orthogonal();
    case Law::factorize: return factorize();
    case Law::signed_body: return signed_body();
    case Law::shift_maximum: return shift_maximum();
    case Law::scale_maximum: return scale_maximum();
    case Law::split_maximum: return split_maximum();
    case Law::pair_maximum: return pair_maximum();
    case Law::exp_maximum: return exp_maximum();
    case Law::power_maximum: return power_maximum();
    case Law::magnitude_maximum: return magnitude_maximum();
    case Law::keep:
    case Law::enter:
    case Law::leave:
    case Law::clear:
    case Law::assumed_bound:
    case Law::largest_bound:
    case Law::total_bound:
    case Law::triangle:
    case Law::tangent:
    case Law::attained:
    case Law::part_bound:
    case Law::log_bound:
    case Law::unit_bound:
    case Law::magnitude_bound:
    case Law::mean_bound:
    case Law::diagonal_bound:
    case Law::cauchy_bound: break;
  }
  throw Reject("this step stands outside a monomial");
}

std::string_view name(Law law) { return forms[static_cast<std::size_t>(law)].name; }

void check_form(const Step& step) {
  const Form& form = forms[static_cast<std::size_t>(step.law)];
  if (form.args != several && step.args.size() != static_cast<std::size_t>(form.args)) throw Reject("a step of this law has another number of arguments");
  if (!form.sized && !step.size.is_zero()) throw Reject("a step of this law has no size");
}

std::vector<Monomial> apply(Theory& theory, const Monomial& m, const Step& step) { return Rewrite(theory, m, step).run(); }

Monomial rename(Arena& arena, const Monomial& m, const std::vector<std::int64_t>& order) {
  if (order.size() != m.variables.size()) throw Reject("keep: not every variable gets a place");
  const int height = arena.height(m);
  Arena::Substitution s;
  Monomial::Variables variables;
  for (std::size_t k = 0; k < order.size(); ++k) {
    if (order[k] < 0 || order[k] >= static_cast<std::int64_t>(order.size())) throw Reject("keep: no such variable");
    const Symbol v = m.variables[static_cast<std::size_t>(order[k])];
    const Symbol canonical = arena.canonical(height, static_cast<int>(k), Index(arena.symbol(v).range));
    if (!s.emplace(v, Index::symbol(canonical)).second) throw Reject("keep: a variable gets two places");
    const bool own = std::find(m.variables.begin(), m.variables.end(), canonical) != m.variables.end();
    if (!own && arena.mentions(m, canonical)) throw Reject("keep: the canonical name is taken");
    variables.push_back(canonical);
  }
  Monomial renamed = arena.substitute(m, s);
  std::sort(variables.begin(), variables.end());
  renamed.variables = std::move(variables);
  return renamed;
}

std::vector<Monomial> replace_body(Arena& arena, const Monomial& m, std::size_t f, const Poly& body) {
  Monomial rest = m;
  const Factor old = m.factors[f];
  rest.factors.erase(rest.factors.begin() + static_cast<std::ptrdiff_t>(f));
  Atom a = arena.atom(old.atom);
  if (!a.variables.empty()) {  // the binder gets canonical names, so that equal bodies become equal atoms
    int height = 0;
    for (const Monomial& t : body) height = std::max(height, arena.height(t));
    const auto bound = a.variables;
    Arena::Substitution s;
    for (std::size_t k = 0; k < a.variables.size(); ++k) {
      const Symbol canonical = arena.canonical(height + 1, static_cast<int>(k), Index(arena.symbol(a.variables[k]).range));
      const bool own = std::find(bound.begin(), bound.end(), canonical) != bound.end();
      for (const Monomial& t : body) {
        const bool shadowed = std::find(t.variables.begin(), t.variables.end(), canonical) != t.variables.end();
        if (!own && !shadowed && arena.mentions(t, canonical)) throw Reject("leave: the canonical name is taken");
      }
      s[a.variables[k]] = Index::symbol(canonical);
      a.variables[k] = canonical;
    }
    a.body = arena.intern(arena.substitute(body, s));
  } else {
    a.body = arena.intern(body);
  }
  return arena.multiply({rest}, arena.of(arena.intern(a), old.exponent));
}

}  // namespace foldproof::kernel
