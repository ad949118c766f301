// SPDX-License-Identifier: MIT
// Certificates: thousands of damaged ones, and certificates of one claim handed in for another. A damaged certificate of a true
// claim may still be one; a certificate accepted for another claim is a bug unless that claim is proved on its own.
// The suite runs against a function that checks, once the kernel's and once one that always says yes, which it must catch.
#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "kernel/claims.hpp"
#include "kernel/forged_certificates.hpp"
#include "kernel/mutate.hpp"
#include "kernel/reasons.hpp"
#include "properties_random.hpp"
#include "prove/prove.hpp"
#include "read/parse.hpp"
#include "record/certificate_json.hpp"

namespace foldproof::properties {
namespace {

using kernel::Certificate;
using kernel::Law;
using kernel::Outcome;
using kernel::Script;
using kernel::Step;
using Checker = Outcome (*)(const expr::Claim&, const Certificate&);

Outcome always_yes(const expr::Claim&, const Certificate&) {
  Outcome outcome;
  outcome.accepted = true;
  return outcome;
}

struct Proved {
  std::string text;
  expr::Claim claim;
  Certificate certificate;
};

const std::vector<Proved>& library() {
  static const std::vector<Proved> all = [] {
    std::vector<Proved> made;
    for (auto& record : proved_library()) made.push_back({record.claim, read::parse_claim(record.claim), std::move(record.certificate)});
    return made;
  }();
  return all;
}

bool is_proved(const std::string& claim) { return proof_of(claim).certificate.has_value(); }

/// One or two steps changed in the way of `mutation`; nullopt when the certificate offers no place for it.
std::optional<Certificate> damaged(Certificate c, Mutation mutation, Dice& dice) {
  bool changed = mutate(c, mutation, dice);
  if (dice.roll(2) == 0) changed |= mutate(c, mutation, dice);
  return changed ? std::optional(std::move(c)) : std::nullopt;
}
Certificate damaged(const Certificate& c, Dice& dice) {
  auto mutant = damaged(c, mutations[dice.roll(std::size(mutations))], dice);
  return mutant ? std::move(*mutant) : c;
}

/// Certificates accepted for a claim with a mistake that cannot be proved; `enough` of them are not counted further, because each
/// costs a search for a proof that there is not.
std::size_t wrong_for_other_claims(Checker check, std::size_t& tried) {
  constexpr std::size_t enough = 100;
  std::size_t wrong = 0;
  for (const Proved& p : library()) {
    for (const std::string& other : mistakes(p.text)) {
      try {
        const auto q = read::parse_claim(other);
        infer::elaborate(q);
        ++tried;
        if (wrong >= enough || !check(q, p.certificate).accepted || is_proved(other)) continue;
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

/// Certificates accepted for claims that are false: none at all, and every eighth of the library, for the next claim the ones after;
/// with FOLDPROOF_WHOLE_SEARCH set every one.
std::size_t wrong_for_false_claims(Checker check) {
  const std::size_t step = whole_search() ? 1 : 8;
  std::size_t wrong = 0, first = 0;
  const auto count = [&](const char* claim) {
    const auto q = read::parse_claim(claim);
    if (check(q, {}).accepted) ++wrong;
    for (std::size_t k = first++ % step; k < library().size(); k += step) {
      if (check(q, library()[k].certificate).accepted) ++wrong;
    }
  };
  for (const char* claim : false_claims) count(claim);
  for (const char* claim : false_reduced_claims) count(claim);
  return wrong;
}

/// Everything this suite knows to be wrong with a checker.
std::size_t faults(Checker check) {
  std::size_t tried = 0;
  std::size_t found = wrong_for_other_claims(check, tried) + wrong_for_false_claims(check);
  for (const Proved& p : library()) {
    if (!check(p.claim, p.certificate).accepted) ++found;
    if (!p.certificate.goal.empty() && check(p.claim, {}).accepted) ++found;
  }
  BOOST_TEST(tried > 100u);
  return found;
}

}  // namespace

BOOST_AUTO_TEST_CASE(no_false_claim_is_proved) {
  for (const char* claim : false_claims) BOOST_TEST(!is_proved_though_false(claim), "proved: " << claim);
}

BOOST_AUTO_TEST_CASE(what_a_claim_is_led_back_to_says_no_more_of_its_sizes) {
  for (const char* text : forged_certificates) {
    const auto record = record::parse_certificate(text, "");
    BOOST_TEST(!kernel::check(read::parse_claim(record.claim), record.certificate).accepted, "accepted: " << text);
  }
}

BOOST_AUTO_TEST_CASE(the_kernel_has_no_fault_and_an_always_yes_checker_is_caught) {
  BOOST_TEST(faults(&kernel::check) == 0u);
  BOOST_TEST(faults(&always_yes) > std::size(false_claims));
}

/// The claim with one mistake for which the certificate is accepted, although it is not proved on its own; "" when there is none.
std::string accepted_for_a_mistake(const std::string& claim, const Certificate& certificate) {
  for (const std::string& other : mistakes(claim)) {
    try {
      if (kernel::check(read::parse_claim(other), certificate).accepted && !is_proved(other)) return other;
    } catch (const expr::Error&) {
      continue;  // the mistake is no claim
    }
  }
  return "";
}

BOOST_AUTO_TEST_CASE(damaged_certificates_are_rejected_or_still_certificates_and_never_crash) {
  const char* text_count = std::getenv("FOLDPROOF_MUTANTS");
  const std::size_t count = text_count == nullptr ? 30000 : static_cast<std::size_t>(std::atoll(text_count));
  Dice dice(2026);
  struct Row {
    std::size_t made = 0, same = 0, another = 0;
  };
  std::map<std::string, Row> kinds;
  std::map<std::string, std::size_t> reasons;
  for (std::size_t k = 0; k < count; ++k) {
    const Proved& p = library()[dice.roll(library().size())];
    const Mutation mutation = mutations[k % std::size(mutations)];
    const auto mutant = damaged(p.certificate, mutation, dice);
    if (!mutant) continue;
    Row& row = kinds[text(mutation)];
    ++row.made;
    const Outcome outcome = kernel::check(p.claim, *mutant);
    if (!outcome.accepted) {
      BOOST_TEST(!outcome.reason.empty());
      ++reasons[general(outcome.reason)];
      continue;
    }
    // The claim is true, so this may be another proof of it; then it must not prove the claim with a mistake as well.
    const bool same = record::write({p.text, *mutant}) == record::write({p.text, p.certificate});
    ++(same ? row.same : row.another);
    const std::string mistake = same ? "" : accepted_for_a_mistake(p.text, *mutant);
    BOOST_TEST(mistake.empty(), "a damaged certificate of " << p.text << " is accepted for " << mistake);
  }
  for (const Proved& p : library()) {
    for (const std::string& other : mistakes(p.text)) {
      try {
        const auto q = read::parse_claim(other);
        infer::elaborate(q);
        Row& row = kinds["other claim"];
        ++row.made;
        const Outcome outcome = kernel::check(q, p.certificate);
        if (!outcome.accepted) {
          ++reasons[general(outcome.reason)];
        } else {
          ++row.another;
          BOOST_TEST(is_proved(other), other);
        }
      } catch (const expr::Error&) {
        continue;
      }
    }
  }
  std::size_t made = 0, accepted = 0;
  for (const auto& [kind, row] : kinds) {
    BOOST_TEST_MESSAGE(kind << ": " << row.made << " mutants, rejected " << row.made - row.same - row.another << ", unchanged " << row.same << ", another proof of a true claim " << row.another);
    made += row.made;
    accepted += row.same + row.another;
  }
  for (const auto& [reason, times] : reasons) BOOST_TEST_MESSAGE("  " << times << " x " << reason);
  BOOST_TEST_MESSAGE(made << " mutants, " << accepted << " accepted, " << reasons.size() << " reasons");
  BOOST_TEST(kinds.size() == std::size(mutations) + 1);
  BOOST_TEST(made >= 10000u);
  BOOST_TEST(accepted < made / 2);
  BOOST_TEST(reasons.size() >= 60u);
}

BOOST_AUTO_TEST_CASE(certificates_of_the_folder_are_accepted_and_rejected_as_it_says) {
  namespace fs = std::filesystem;
  const fs::path root = fs::path(FOLDPROOF_SOURCE_DIR) / "fixtures/certificates";
  const auto text_of = [](const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    return std::string{std::istreambuf_iterator<char>(in), {}};
  };
  const auto outcome_of = [&](const fs::path& path) {
    const auto record = record::parse_certificate(text_of(path), path.string());
    return kernel::check(read::parse_claim(record.claim), record.certificate);
  };
  std::set<Law> laws;
  for (const auto& entry : fs::directory_iterator(root / "accept")) {
    const Outcome outcome = outcome_of(entry.path());
    BOOST_TEST(outcome.accepted, entry.path() << ": " << outcome.reason);
    const auto record = record::parse_certificate(text_of(entry.path()), "");
    for (const Step& step : record.certificate.goal) laws.insert(step.law);
  }
  BOOST_TEST(laws.size() * 4 >= static_cast<std::size_t>(kernel::law_count) * 3);
  const auto index = nlohmann::json::parse(text_of(root / "reject/reasons.json"));
  for (const auto& [name, reason] : index.at("rejected").items()) {
    const Outcome outcome = outcome_of(root / "reject" / name);
    BOOST_TEST(!outcome.accepted, name);
    BOOST_TEST(general(outcome.reason) == reason.get<std::string>(), name);
  }
  for (const auto& [name, complaint] : index.at("unreadable").items()) BOOST_CHECK_THROW(outcome_of(root / "reject" / name), expr::Error);
}

/// No certificate of a file comes this far; whoever calls the library does.
BOOST_AUTO_TEST_CASE(a_caller_that_hands_over_what_no_file_can_say_is_refused) {
  expr::Claim claim = read::parse_claim("x: []; x == x");
  BOOST_TEST(kernel::check(claim, {}).accepted);
  Certificate reduced;
  reduced.reduction.kind = kernel::ReductionKind::exponential;
  Certificate in_parts;
  in_parts.parts.resize(1);
  Certificate stepped = reduced;
  stepped.goal.push_back({Law::halve, {}, {}});
  const auto is_refused = [](const Outcome& outcome, const char* reason) { BOOST_TEST((!outcome.accepted && outcome.reason == reason), outcome.reason); };
  for (const Certificate& c : {reduced, in_parts, stepped}) is_refused(kernel::check(infer::elaborate(claim), c), "a reduction needs the claim as written");
  is_refused(kernel::check(claim, in_parts), "parts without a reduction");
  is_refused(kernel::check(claim, stepped), "a reduction has no steps of its own");
  claim.relation = expr::Relation::less;  // a claim on the way to another one may be one
  is_refused(kernel::check(claim, {}), "rhs - lhs is not known to be positive");
  expr::Claim positive = read::parse_claim("x: []; 0 <= exp(x)");
  positive.relation = expr::Relation::less;
  Certificate kept;
  kept.goal.push_back({Law::keep, {}, {}});
  BOOST_TEST(kernel::check(positive, kept).accepted);
  for (const auto relation : {expr::Relation::greater_equal, expr::Relation::greater, expr::Relation::not_equal}) {
    claim.relation = relation;
    is_refused(kernel::check(claim, {}), "only ==, <= and < have certificates");
  }
}

BOOST_AUTO_TEST_CASE(a_common_factor_of_a_sum_that_is_not_collected_does_not_leave_it) {
  kernel::Theory theory;
  kernel::Arena& arena = theory.arena;
  kernel::Tensor tensor;
  tensor.name = "x";
  const kernel::AtomId x = arena.intern(kernel::Atom{.kind = kernel::AtomKind::entry, .name = arena.tensor(tensor), .indices = {}, .variables = {}});
  const kernel::Poly sum = arena.of(x);
  const kernel::Poly twice{sum[0], sum[0]};  // x + x, where the kernel's own sums say 2 x
  const auto taken_out = [&](const kernel::Poly& p) {
    const kernel::AtomId base = arena.intern(kernel::Atom{.kind = kernel::AtomKind::base, .indices = {}, .variables = {}, .body = arena.intern(p)});
    return kernel::apply(theory, arena.of(base, -1)[0], {Law::content, {0, 0}, {}});
  };
  BOOST_TEST(taken_out(arena.collect(twice)).size() == 1u);
  BOOST_CHECK_EXCEPTION(taken_out(twice), kernel::Reject, [](const kernel::Reject& e) { return std::string(e.what()) == "content: the common factor does not multiply back"; });
}

BOOST_AUTO_TEST_CASE(a_damaged_certificate_of_a_true_claim_is_never_accepted_for_a_false_one) {
  Dice dice(7);
  for (std::size_t k = 0; k < 20000; ++k) {
    const Proved& p = library()[dice.roll(library().size())];
    const char* claim = false_claims[dice.roll(std::size(false_claims))];
    BOOST_TEST(!kernel::check(read::parse_claim(claim), damaged(p.certificate, dice)).accepted, claim);
  }
}

}  // namespace foldproof::properties
