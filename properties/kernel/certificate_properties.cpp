// SPDX-License-Identifier: MIT
// Certificates: thousands of damaged ones, and certificates of one claim handed in for another. A damaged certificate of a true
// claim may still be one; a certificate accepted for another claim is a bug unless that claim is proved on its own.
// The suite runs against a function that checks, once the kernel's and once one that always says yes, which it must catch.
#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <iostream>

#include "kernel/claims.hpp"
#include "properties_random.hpp"
#include "prove/prove.hpp"

namespace foldproof::properties {
namespace {

using kernel::Certificate;
using kernel::Law;
using kernel::Outcome;
using kernel::Script;
using kernel::Step;
using Checker = Outcome (*)(const infer::Problem&, const Certificate&);

Outcome always_yes(const infer::Problem&, const Certificate&) {
  Outcome outcome;
  outcome.accepted = true;
  return outcome;
}

struct Proved {
  std::string claim;
  infer::Problem problem;
  Certificate certificate;
};

const std::vector<Proved>& library() {
  static const std::vector<Proved> all = [] {
    std::vector<Proved> made;
    for (const char* claim : proved_claims) {
      const auto p = problem(claim);
      auto proof = prove::prove(p);
      BOOST_REQUIRE_MESSAGE(proof.certificate, claim << ": " << proof.reason);
      made.push_back({claim, p, std::move(*proof.certificate)});
    }
    return made;
  }();
  return all;
}

/// Damages one script at one place.
void damage(Script& script, Dice& dice) {
  if (script.empty()) {
    script.push_back({static_cast<Law>(dice.roll(kernel::law_count)), {0}, {}});
    return;
  }
  const auto at = script.begin() + static_cast<std::ptrdiff_t>(dice.roll(script.size()));
  switch (dice.roll(9)) {
    case 0: script.erase(at); break;
    case 1: script.insert(at, Step(*at)); break;
    case 2: std::iter_swap(at, script.begin() + static_cast<std::ptrdiff_t>(dice.roll(script.size()))); break;
    case 3:
      if (!at->args.empty()) at->args[dice.roll(at->args.size())] = static_cast<std::int64_t>(dice.roll(8)) - 2;
      break;
    case 4: at->law = static_cast<Law>(dice.roll(kernel::law_count)); break;
    case 5: at->size = at->size + expr::Dim(static_cast<std::int64_t>(dice.roll(3)) - 1); break;
    case 6: script.erase(at, script.end()); break;
    case 7:
      if (!at->args.empty()) at->args.pop_back();
      break;
    default: at->args.push_back(dice.roll(2) == 0 ? -1 : INT64_MAX); break;
  }
}

Certificate damaged(Certificate c, Dice& dice) {
  const std::size_t wounds = 1 + dice.roll(2);
  for (std::size_t k = 0; k < wounds; ++k) {
    const std::size_t which = dice.roll(c.assumptions.size() + 3);
    if (which < c.assumptions.size()) {
      damage(c.assumptions[which], dice);
    } else {
      damage(c.goal, dice);
    }
  }
  if (dice.roll(40) == 0) c.assumptions.emplace_back();
  return c;
}

/// The same claim with one mistake.
std::vector<std::string> mistakes(const std::string& claim) {
  std::vector<std::string> made;
  const auto start = claim.rfind("; ") == std::string::npos ? 0 : claim.rfind("; ") + 2;
  const auto replace = [&](std::string_view from, std::string_view to) {
    for (auto at = claim.find(from, start); at != std::string::npos; at = claim.find(from, at + 1)) {
      made.push_back(claim.substr(0, at) + std::string(to) + claim.substr(at + from.size()));
    }
  };
  replace(".T", "");
  replace(" + ", " - ");
  replace(" - ", " + ");
  replace("==", "== 2 *");
  replace("@ ", "@ 2 * ");
  replace("softmax", "softmax1");
  replace("abs(", "relu(");
  replace("relu(", "abs(");
  replace("inv(", "(");
  replace("exp(", "log(");
  replace("axis=1", "axis=0");
  replace("<= ", "<= -1 + ");
  return made;
}

std::size_t wrong_for_other_claims(Checker check, std::size_t& tried) {
  std::size_t wrong = 0;
  for (const Proved& p : library()) {
    for (const std::string& other : mistakes(p.claim)) {
      try {
        const auto q = problem(other);
        ++tried;
        if (!check(q, p.certificate).accepted || prove::prove(q).certificate) continue;
        ++wrong;
      } catch (const expr::Error&) {
        continue;  // the mistake is no claim
      } catch (const expr::LimitReached&) {
        continue;
      }
    }
  }
  return wrong;
}

/// Certificates accepted for claims that are false: every certificate of the library, and none at all.
std::size_t wrong_for_false_claims(Checker check) {
  std::size_t wrong = 0;
  for (const char* claim : false_claims) {
    const auto q = problem(claim);
    if (check(q, {}).accepted) ++wrong;
    for (const Proved& p : library()) {
      if (check(q, p.certificate).accepted) ++wrong;
    }
  }
  return wrong;
}

/// Everything this suite knows to be wrong with a checker.
std::size_t faults(Checker check) {
  std::size_t tried = 0;
  std::size_t found = wrong_for_other_claims(check, tried) + wrong_for_false_claims(check);
  for (const Proved& p : library()) {
    if (!check(p.problem, p.certificate).accepted) ++found;
    if (!p.certificate.goal.empty() && check(p.problem, {}).accepted) ++found;
  }
  BOOST_TEST(tried > 100u);
  return found;
}

}  // namespace

BOOST_AUTO_TEST_CASE(no_false_claim_is_proved) {
  for (const char* claim : false_claims) BOOST_TEST(!prove::prove(problem(claim)).certificate.has_value(), "proved: " << claim);
}

BOOST_AUTO_TEST_CASE(the_kernel_has_no_fault_and_an_always_yes_checker_is_caught) {
  BOOST_TEST(faults(&kernel::check) == 0u);
  BOOST_TEST(faults(&always_yes) > std::size(false_claims));
}

BOOST_AUTO_TEST_CASE(damaged_certificates_are_rejected_or_still_certificates_and_never_crash) {
  const char* text = std::getenv("FOLDPROOF_MUTANTS");
  const std::size_t count = text == nullptr ? 40000 : static_cast<std::size_t>(std::atoll(text));
  Dice dice(2026);
  std::size_t accepted = 0;
  for (std::size_t k = 0; k < count; ++k) {
    const Proved& p = library()[dice.roll(library().size())];
    const Certificate mutant = damaged(p.certificate, dice);
    const Outcome outcome = kernel::check(p.problem, mutant);
    BOOST_TEST((outcome.accepted || !outcome.reason.empty()));
    if (!outcome.accepted) continue;
    ++accepted;  // the claim is true; it must be so under a mistake in the claim as well
    for (const std::string& other : mistakes(p.claim)) {
      try {
        const auto q = problem(other);
        BOOST_TEST((!kernel::check(q, mutant).accepted || prove::prove(q).certificate), "a damaged certificate of " << p.claim << " is accepted for " << other);
      } catch (const expr::Error&) {
        continue;
      }
    }
  }
  BOOST_TEST_MESSAGE(count << " damaged certificates, " << accepted << " still accepted");
  BOOST_TEST(accepted < count / 2);
}

BOOST_AUTO_TEST_CASE(a_damaged_certificate_of_a_true_claim_is_never_accepted_for_a_false_one) {
  Dice dice(7);
  for (std::size_t k = 0; k < 20000; ++k) {
    const Proved& p = library()[dice.roll(library().size())];
    const char* claim = false_claims[dice.roll(std::size(false_claims))];
    BOOST_TEST(!kernel::check(problem(claim), damaged(p.certificate, dice)).accepted, claim);
  }
}

}  // namespace foldproof::properties
