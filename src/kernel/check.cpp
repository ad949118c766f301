// SPDX-License-Identifier: MIT
#include "kernel/check.hpp"

#include <algorithm>

namespace foldproof::kernel {

Poly run(Theory& theory, const Poly& p, const Script& script, std::size_t& next) {
  Arena& arena = theory.arena;
  if (theory.bodies > deepest_body) throw expr::LimitReached("functions within each other, more than " + std::to_string(deepest_body) + " deep");
  const Poly own = arena.with_own_names(p);
  std::vector<Monomial> stack(own.rbegin(), own.rend());
  Poly done;
  while (!stack.empty()) {
    if (next >= script.size()) throw Reject("the script ends before all monomials are done");
    const Step& step = script[next++];
    check_form(step);
    const Monomial m = std::move(stack.back());
    stack.pop_back();
    std::vector<Monomial> results;
    if (step.law == Law::keep) {
      done.push_back(rename(theory, m, step.args));
    } else if (step.law == Law::enter) {
      const std::size_t f = position(step.args[0], m.factors.size(), "enter: no such factor");
      const PolyId body = arena.atom(m.factors[f].atom).body;
      if (body < 0) throw Reject("enter: the factor has no body");
      const Poly rewritten = [&] {
        const InBody inside(theory, m, f);
        return run(theory, Poly(arena.poly(body)), script, next);
      }();
      if (next >= script.size() || script[next].law != Law::leave) throw Reject("leave is missing");
      check_form(script[next++]);
      results = replace_body(theory, m, f, rewritten);
    } else {
      results = apply(theory, m, step);
    }
    stack.insert(stack.end(), results.rbegin(), results.rend());
    if (stack.size() > arena.limit) throw expr::LimitReached("more than " + std::to_string(arena.limit) + " monomials");
  }
  return arena.collect(std::move(done));
}

Outcome check(const infer::Problem& problem, const Certificate& certificate) {
  Outcome outcome;  // rejected, until the lines below
  std::size_t next = 0;
  try {
    if (certificate.reduction.kind != ReductionKind::none || !certificate.parts.empty()) throw Reject("a reduction needs the claim as written");
    if (certificate.goal.empty() && certificate.assumptions.empty() && same_long_sides(problem)) return {true, {}, 0};  // whatever it is
    const bool equation = problem.relation == expr::Relation::equal, strict = problem.relation == expr::Relation::less;
    if (!equation && !strict && problem.relation != expr::Relation::less_equal) throw Reject("only ==, <= and < have certificates");
    const auto theory = unfold(problem);
    const std::size_t axioms = theory->axioms.size();
    if (certificate.assumptions.size() != axioms + theory->signs.size()) throw Reject("a script is needed for each assumption");
    for (std::size_t k = 0; k < certificate.assumptions.size(); ++k) {
      next = 0;
      theory->usable_axioms = std::min(k, axioms);
      Poly& poly = k < axioms ? theory->axioms[k].poly : theory->signs[k - axioms].poly;
      poly = run(*theory, poly, certificate.assumptions[k], next);
      if (k < axioms) poly = theory->arena.primitive(poly);
      if (next != certificate.assumptions[k].size()) throw Reject("steps are left over");
    }
    next = 0;
    theory->usable_axioms = axioms;
    Poly rest = run(*theory, theory->goal, certificate.goal, next);
    while (!equation && next < certificate.goal.size() && is_bound(certificate.goal[next].law)) {
      rest = lower(*theory, rest, certificate.goal[next++]);
      rest = run(*theory, rest, certificate.goal, next);
    }
    if (next != certificate.goal.size()) throw Reject("steps are left over");
    if (equation && !rest.empty()) throw Reject(std::to_string(rest.size()) + " monomials remain");
    if (strict && !always_positive(*theory, rest)) throw Reject("rhs - lhs is not known to be positive");
    if (!equation && !strict && !never_negative(*theory, rest)) throw Reject("rhs - lhs is not known to be never negative");
    outcome.accepted = true;
  } catch (const Reject& e) {
    outcome.reason = e.what();
  } catch (const expr::LimitReached& e) {
    outcome.reason = std::string("limit: ") + e.what();
  }
  outcome.step = next;
  return outcome;
}

namespace {

/// A name that was a tensor must not be read as a size, of which more is known, in a claim that the first one is led back to.
void require_same_reading(const infer::Problem& whole, const infer::Problem& part) {
  for (const auto* variables : {&whole.variables, &whole.replaced}) {
    for (const auto& v : *variables) {
      if (std::find(part.dimensions.begin(), part.dimensions.end(), v.name) != part.dimensions.end()) throw Reject("a tensor of the claim is a size in what it is led back to");
    }
  }
}

/// A name that only a witness mentions would be inferred anew in each part, and be something else there.
void require_declared(const infer::Problem& part) {
  for (const auto& v : part.variables) {
    if (!v.declared) throw Reject("a name of what the claim is led back to is declared nowhere");
  }
}

/// A size that the claim leaves free must be free in what it is led back to: the d of d//2 + d//2 == d would be even there. A case of the
/// sizes says what one of them is, which may say it of others that are known.
void require_same_sizes(const infer::Problem& whole, const infer::Problem& part, const Reduction& reduction) {
  using Renaming = std::map<std::string, expr::Dim>;
  const auto form = [&](const expr::Dim& value, Renaming& renamed) {  // whatever its new names are, which say the same in all sizes
    std::vector<std::string> names;
    expr::collect_names(value, names);
    for (const std::string& name : names) {
      const auto occurs = [&](const infer::Problem& p) { return std::find(p.dimensions.begin(), p.dimensions.end(), name) != p.dimensions.end(); };
      if (!occurs(whole) || !occurs(part)) renamed.emplace(name, expr::dim("?" + std::to_string(renamed.size())));
    }
    return expr::text(expr::substitute(value, renamed));
  };
  Renaming of_whole, of_part;
  for (const auto& size : part.replaced_sizes) {
    const auto known = std::find_if(whole.replaced_sizes.begin(), whole.replaced_sizes.end(), [&](const auto& of_whole) { return of_whole.first == size.first; });
    const bool given = by_cases(reduction.kind) && (reduction.word(0) == size.first || known != whole.replaced_sizes.end());
    if (!given && (known == whole.replaced_sizes.end() || form(known->second, of_whole) != form(size.second, of_part))) throw Reject("a size of the claim is given in what it is led back to");
  }
}

Outcome check(const expr::Claim& claim, const infer::Problem& problem, const Certificate& certificate, int depth) {
  if (certificate.reduction.kind == ReductionKind::none) return certificate.parts.empty() ? check(problem, certificate) : Outcome{false, "parts without a reduction", 0};
  if (!certificate.goal.empty() || !certificate.assumptions.empty()) return {false, "a reduction has no steps of its own", 0};
  if (depth >= deepest_reduction) return {false, "too many reductions within each other", 0};
  Outcome outcome;
  try {
    const auto claims = reduce(claim, problem, certificate.reduction);
    const bool other_function = by_cases(certificate.reduction.kind) && expr::text(claim).find("diag(") != std::string::npos;  // of a row it makes a matrix
    if (claims.size() != certificate.parts.size()) throw Reject("a part is needed for each claim of the reduction");
    for (std::size_t k = 0; k < claims.size(); ++k) {
      infer::Problem read;
      try {
        read = infer::elaborate(claims[k]);
      } catch (const expr::Error& e) {
        if (!has_no_value(claims[k], certificate.reduction, e)) throw Reject("part " + std::to_string(k) + ": " + e.what());
        continue;
      }
      if (certificate.reduction.kind != ReductionKind::sized) {
        require_declared(read);
        require_same_sizes(problem, read, certificate.reduction);
      }
      require_same_reading(problem, read);
      if (other_function && !reads_alike(problem, read)) throw Reject("a case of the sizes is read in another way than the claim");
      const Outcome part = check(claims[k], read, certificate.parts[k], depth + 1);
      if (!part.accepted) return {false, "part " + std::to_string(k) + ": " + part.reason, part.step};
    }
    outcome.accepted = true;
  } catch (const Reject& e) {
    outcome.reason = e.what();
  } catch (const expr::Error& e) {
    outcome.reason = std::string("the reduction: ") + e.what();
  } catch (const expr::LimitReached& e) {
    outcome.reason = std::string("limit: ") + e.what();
  }
  return outcome;
}

}  // namespace

Outcome check(const expr::Claim& claim, const Certificate& certificate) { return check(claim, infer::elaborate(claim), certificate, 0); }

}  // namespace foldproof::kernel
