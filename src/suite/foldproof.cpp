// SPDX-License-Identifier: MIT
#include "suite/foldproof.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <ostream>
#include <stdexcept>

#include "expr/diagnostic.hpp"
#include "expr/large_stack.hpp"
#include "record/certificate_json.hpp"
#include "report/text.hpp"
#include "run/run.hpp"
#include "verdict/decide.hpp"

namespace foldproof {

namespace {

// Other projects' test runners have stacks of the usual size; terms may nest deep.
run::ClaimResult judged(const std::string& claim, std::int64_t cases, std::uint64_t seed) {
  record::ClaimRecord record;
  record.id = "claim";
  record.text = claim;
  record.file = "claim";
  run::RunOptions options;
  options.threads = 1;
  options.seed = seed;
  options.cases = std::max<std::int64_t>(0, cases);
  try {
    run::ClaimResult result = std::move(run::run({record}, options).at(0));
    if (result.decision && result.decision->reason == verdict::Reason::internal_error) throw std::logic_error(result.decision->detail);
    return result;
  } catch (const expr::InternalError& e) {
    throw std::logic_error(e.what());
  }
}

Verdict verdict_of(verdict::Verdict verdict) {
  switch (verdict) {
    case verdict::Verdict::proved:
      return Verdict::proved;
    case verdict::Verdict::refuted:
      return Verdict::refuted;
    case verdict::Verdict::undecided:
      return Verdict::undecided;
    case verdict::Verdict::invalid:
      return Verdict::invalid;
  }
  throw std::logic_error("an unknown verdict");
}

Decision decision_of(const run::ClaimResult& result) {
  const verdict::Decision& decided = *result.decision;
  Decision out;
  out.verdict = verdict_of(decided.verdict);
  out.text = report::text(result.claim, decided, false);
  if (decided.diagnostic) out.text += record::render(result.claim, *decided.diagnostic);
  if (decided.certificate) out.certificate = record::write(record::CertificateRecord{result.claim.text, *decided.certificate});
  return out;
}

std::string text_of(const Campaign& campaign, const run::ClaimResult& result) {
  std::string out = campaign.decision.text;
  if (!result.campaign) return out + "  not tested: " + (result.not_tested.empty() ? "no cases were asked for" : result.not_tested) + "\n";
  out += fmt::format("  tested: {} cases, {} failed, worst difference / bound {:.3g}\n", campaign.cases, campaign.failed, campaign.worst_ratio);
  const auto& failure = result.campaign->failure;
  if (!failure) return out;
  out += "  smallest failing case, " + failure->lane + ":\n";
  for (const auto& [name, size] : failure->dims) out += fmt::format("    {} = {}\n", name, size);
  for (const auto& [name, values] : failure->tensors) out += "    " + name + " = " + values + "\n";
  return out + "    lhs = " + failure->lhs + "\n    rhs = " + failure->rhs + "\n";
}

}  // namespace

const char* to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::proved:
      return "proved";
    case Verdict::refuted:
      return "refuted";
    case Verdict::undecided:
      return "undecided";
    case Verdict::invalid:
      return "invalid";
  }
  return "";
}

std::ostream& operator<<(std::ostream& out, Verdict verdict) { return out << to_string(verdict); }
std::ostream& operator<<(std::ostream& out, const Decision& decision) { return out << decision.text; }
std::ostream& operator<<(std::ostream& out, const Campaign& campaign) { return out << campaign.text; }

Decision decide(const std::string& claim) { return decision_of(judged(claim, 0, 1)); }

Campaign check(const std::string& claim, std::int64_t cases, std::uint64_t seed) {
  const run::ClaimResult result = judged(claim, cases, seed);
  Campaign out;
  out.decision = decision_of(result);
  if (result.campaign) {
    const campaign::Campaign& c = *result.campaign;
    for (const campaign::FormatResult& f : c.formats) {
      out.cases += f.cases - f.discarded;
      out.failed += f.failed;
      if (f.worst_case >= 0) out.worst_ratio = std::max(out.worst_ratio, f.worst_ratio);
    }
    out.failed += c.exact.failed + c.rational_failed;
    out.passed = out.decision.verdict == Verdict::proved && c.passed();
    if (c.expectation == campaign::Expectation::different) out.failed = 0;  // differing is what a refuted claim does
  }
  out.text = text_of(out, result);
  return out;
}

}  // namespace foldproof
