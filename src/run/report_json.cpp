// SPDX-License-Identifier: MIT
#include "run/report_json.hpp"

#include <array>
#include <cmath>
#include <cstdio>
#include <map>
#include <set>

#include "campaign/sides.hpp"
#include "expr/operators.hpp"
#include "numeric/half.hpp"
#include "record/certificate_json.hpp"
#include "record/digest.hpp"
#include "run/bugs.hpp"
#include "run/decision_json.hpp"
#include "run/hazards.hpp"

namespace foldproof::run {

namespace {

// Lengths first, so that no text can pass for the end of another.
void append(std::string& out, const std::string& field) { out += std::to_string(field.size()) + ":" + field + "\n"; }

Json format_json(const campaign::FormatResult& f) {
  Json out;
  out["format"] = f.format;
  out["cases"] = f.cases;
  out["discarded"] = f.discarded;
  out["within"] = f.within;
  out["suspicious"] = f.suspicious;
  out["vacuous"] = f.vacuous;
  out["compared"] = f.compared();
  out["not_compared"] = f.not_compared();
  out["beyond"] = f.beyond;
  out["failed"] = f.failed;
  out["by_norms"] = f.by_norms;
  out["worst_ratio"] = campaign::hex(f.worst_ratio);
  out["worst_case"] = f.worst_case;
  out["worst_element"] = f.worst_element;
  out["formula"] = f.formula;
  out["by_size"] = Json::array();
  for (const campaign::SizeRatio& bin : f.by_size) out["by_size"].push_back({bin.size, bin.cases, campaign::hex(bin.worst_ratio)});
  return out;
}

Json failure_json(const std::optional<campaign::MinimalCase>& failure, const std::string& token) {
  if (!failure) return nullptr;
  Json out;
  out["token"] = token;
  out["case"] = failure->case_index;
  out["lane"] = failure->lane;
  out["dims"] = Json::object();
  for (const auto& [name, size] : failure->dims) out["dims"][name] = size;
  out["values"] = Json::object();
  for (const auto& [name, text] : failure->tensors) out["values"][name] = text;
  out["lhs"] = failure->lhs;
  out["rhs"] = failure->rhs;
  return out;
}

// On tensors of a checkpoint.
Json given_json(const ClaimResult& result) {
  Json out;
  out["bound"] = Json::object();
  for (const auto& [variable, source] : result.given_sources) out["bound"][variable] = source;
  if (!result.not_tested.empty()) out["not_tested"] = result.not_tested;
  if (!result.given) return out;
  out["answer_format"] = result.given->answer() == nullptr ? Json(nullptr) : Json(result.given->answer()->counts.format);
  out["formats"] = Json::array();
  for (const campaign::GivenFormat& f : result.given->formats) {
    out["formats"].push_back(to_json(f));
  }
  if (!result.given->left_out.empty()) out["left_out"] = result.given->left_out;
  if (!result.not_tested.empty()) return out;
  out["expectation"] = result.decision->verdict == verdict::Verdict::proved ? "equal" : "different";
  out["passed"] = !test_failed(result);
  out["failure"] = nullptr;
  return out;
}

Json tests_json(const ClaimResult& result) {
  if (!result.given_sources.empty()) return given_json(result);
  if (result.too_few_cases > 0) return {{"not_tested", result.not_tested}, {"too_few_cases", result.too_few_cases}};
  if (!result.campaign) return result.not_tested.empty() ? Json(nullptr) : Json{{"not_tested", result.not_tested}};
  const campaign::Campaign& c = *result.campaign;
  Json out;
  out["expectation"] = c.expectation == campaign::Expectation::equal ? "equal" : "different";
  out["passed"] = c.passed();
  out["formats"] = Json::array();
  for (const campaign::FormatResult& f : c.formats) out["formats"].push_back(format_json(f));
  out["exact_lane"] = {{"cases", c.exact.cases}, {"failed", c.exact.failed}, {"chosen", c.exact.chosen}, {"note", c.exact.note()}};
  out["rational_lane"] = {{"cases", c.rational_cases}, {"failed", c.rational_failed}, {"skipped", c.rational_skipped}};
  out["largest_gap_ratio"] = campaign::hex(c.largest_gap_ratio);
  out["excluded"] = c.excluded;
  out["bugs"] = bugs_json(result.kills);
  out["failure"] = failure_json(c.failure, result.token);
  return out;
}

/// Everything about a claim that no machine, thread count or compiler may change.
std::string exact_digest(const ClaimResult& result) {
  const verdict::Decision& decision = *result.decision;
  std::string all = "foldproof-exact-2\n";
  append(all, result.claim.id);
  append(all, result.claim.text);
  append(all, text(decision.verdict));
  append(all, text(decision.reason));
  append(all, decision.certificate ? record::sha256(record::write(record::CertificateRecord{result.claim.text, *decision.certificate})) : "");
  append(all, decision.counterexample ? record::dump(to_json(*decision.counterexample)) : "");
  append(all, result.campaign ? result.campaign->digest_exact_input() : result.given ? "" : result.not_tested);
  return record::sha256(all);
}

/// Its float results.
std::string numeric_digest(const ClaimResult& result) {
  std::string all = "foldproof-numeric-2\n";
  append(all, result.claim.id);
  append(all, result.campaign ? result.campaign->digest_numeric_input() : !result.given_sources.empty() ? record::dump(given_json(result)) : "");
  append(all, record::dump(bugs_json(result.kills), -1));
  append(all, record::dump(hazards_json(result.hazards, result.claim.text), -1));
  return record::sha256(all);
}

/// The claim itself, however it is written: white space and comments are no part of it.
std::string claim_digest(const ClaimResult& result) {
  const auto& claim = result.decision->claim;
  return record::sha256("foldproof-claim-1\n" + (claim ? expr::text(*claim) : result.claim.text));
}

void collect_operators(const infer::Term& t, std::set<const infer::TermNode*>& seen, std::set<std::string>& names) {
  if (!t || !seen.insert(t.get()).second) return;
  if (t->kind == infer::TermKind::apply) names.insert(expr::operator_info(t->op).name);
  for (const infer::Term& arg : t->args) collect_operators(arg, seen, names);
}

/// Operators of the claim and laws of its certificate.
Json uses_json(const verdict::Decision& decision) {
  std::set<const infer::TermNode*> seen;
  std::set<std::string> operators;
  if (decision.problem) {
    for (const infer::Term* side : {&decision.problem->lhs, &decision.problem->rhs}) collect_operators(*side, seen, operators);
    for (const infer::Fact& fact : decision.problem->facts) {
      for (const infer::Term* side : {&fact.lhs, &fact.rhs}) collect_operators(*side, seen, operators);
    }
  }
  std::set<std::string> laws;
  if (decision.certificate) {
    for (const kernel::Step& step : decision.certificate->goal) laws.insert(std::string(kernel::name(step.law)));
    for (const kernel::Script& script : decision.certificate->assumptions) {
      for (const kernel::Step& step : script) laws.insert(std::string(kernel::name(step.law)));
    }
  }
  return {{"operators", operators}, {"laws", laws}};
}

Json claim_json(const ClaimResult& result) {
  const record::ClaimRecord& claim = result.claim;
  const Json decided = to_json(claim.id, claim.text, *result.decision);
  Json out;
  out["id"] = claim.id;
  out["verdict"] = decided["verdict"];
  out["expect"] = expectation(claim);
  out["as_expected"] = as_expected(result);
  out["title"] = claim.title;
  out["why"] = claim.why;
  out["source"] = claim.source;
  out["practice"] = claim.practice;
  out["nearest_true"] = claim.nearest_true.empty() && result.decision->repair ? result.decision->repair->statement : claim.nearest_true;
  out["statement"] = claim.text;
  for (const char* key :
       {"shapes", "reason", "detail", "derivation", "steps", "certificate", "holds_where", "counterexample", "true_when", "assumptions", "diagnostic"}) {
    out[key] = decided[key];
  }
  out["hazards"] = hazards_json(result.hazards, claim.text);
  out["tests"] = tests_json(result);
  out["uses"] = uses_json(*result.decision);
  out["digests"] = {{"claim", claim_digest(result)}, {"exact", exact_digest(result)}, {"numeric", numeric_digest(result)}};
  out["file"] = claim.file;
  return out;
}

// How the float results are judged: the constants of each format, and the two bounds.
Json numerics_json() {
  Json formats = Json::array();
  for (const numeric::FormatInfo& f : numeric::formats) {
    formats.push_back({{"format", f.name}, {"precision", f.precision}, {"unit_roundoff", campaign::hex(f.unit_roundoff)}, {"underflow", campaign::hex(f.eta)}});
  }
  return {{"formats", formats},
          {"bound", "|fl(x) - x| <= u |x| + underflow for every rounding, carried through the whole expression entry by entry; beyond the sum of both sides' bounds a case fails"},
          {"suspicious", "above the bound for independent roundings, which grows with the square root of their number, a case is suspicious"}};
}

// What the claims of the run exercised: in how many claims each operator and in how many certificates each law occurs.
Json coverage_json(const Entries& entries) {
  Json out;
  for (const char* kind : {"operators", "laws"}) {
    std::map<std::string, std::size_t> counted;
    for (const auto& entry : entries) {
      if (!entry) continue;
      for (const Json& name : entry->record.at("uses").at(kind)) ++counted[name.get<std::string>()];
    }
    out[kind] = counted;
    if (counted.empty()) out[kind] = Json::object();
  }
  return out;
}

Json counts_json(const Counts& c) {
  return {{"claims", c.claims},           {"proved", c.proved},       {"refuted", c.refuted}, {"undecided", c.undecided}, {"invalid", c.invalid},
          {"as_expected", c.as_expected}, {"differing", c.differing}, {"skipped", c.skipped}, {"tested", c.tested},       {"tests_failed", c.tests_failed},
          {"untested", c.untested}};
}

Json volatile_json(const Entries& entries, const RunRecord& run) {
  Json durations = Json::object();
  for (const auto& entry : entries) {
    if (entry) durations[entry->record["id"].get<std::string>()] = {{"decide_ms", entry->decide_milliseconds}, {"test_ms", entry->test_milliseconds}};
  }
  Json out{{"time", run.time},
           {"host", run.host},
           {"argv", run.argv},
           {"directory", run.directory},
           {"threads", run.threads},
           {"seconds", run.seconds},
           {"peak_memory", run.peak_memory},
           {"resumed", run.resumed},
           {"durations", durations}};
  if (run.benchmark.is_object()) out["benchmark"] = run.benchmark;
  return out;
}

}  // namespace

Json to_json(const InputFile& file) { return {{"path", file.path}, {"sha256", file.sha256}, {"bytes", file.bytes}}; }

Json to_json(const campaign::GivenFormat& format) {
  Json out = format_json(format.counts);
  out["rerounded"] = format.rerounded;
  return out;
}

int exit_status(const Entries& entries, const RunRecord& run) {
  if (run.interrupted) return 130;
  const int status = exit_status(count(entries));
  return status == 0 && !run.regressions_failing.empty() ? 1 : status;
}

Entry entry_of(const ClaimResult& result) {
  Entry entry{claim_json(result), result.decision->milliseconds, result.test_milliseconds, ""};
  if (result.decision->diagnostic) entry.complaint = record::render(result.claim, *result.decision->diagnostic);
  return entry;
}

Json report_json(const Entries& entries, const RunRecord& run) {
  Json out;
  out["schema"] = report_schema;
  out["counts"] = counts_json(count(entries));
  out["bugs"] = bugs_json(entries);
  out["generator"] = generator_json(entries);
  out["interrupted"] = run.interrupted;
  out["exit_status"] = exit_status(entries, run);
  out["digests"] = {{"claims", digest(entries, "claim")}, {"exact", digest(entries, "exact")}, {"numeric", digest(entries, "numeric")}};
  out["command"] = run.command;
  out["seed"] = std::to_string(run.seed);
  out["cases"] = run.cases;
  out["plan"] = {{"claims", run.plan.claims}, {"sha256", run.plan.sha256}, {"shards", run.plan.shards}, {"parts", run.plan.parts}};
  out["environment"] = run.environment;
  out["inputs"] = Json::array();
  for (const InputFile& file : run.inputs) out["inputs"].push_back(to_json(file));
  out["numerics"] = numerics_json();
  out["coverage"] = coverage_json(entries);
  out["claims"] = Json::array();
  for (const auto& entry : entries) {
    if (entry) out["claims"].push_back(entry->record);
  }
  out["regressions"] = {{"replayed", run.regressions_replayed}, {"failing", run.regressions_failing}};
  out["volatile"] = volatile_json(entries, run);
  return out;
}

}  // namespace foldproof::run
