// SPDX-License-Identifier: MIT
#include "run/decision_json.hpp"

#include <span>

#include "infer/names.hpp"
#include "record/certificate_json.hpp"
#include "record/digest.hpp"
#include "verdict/defined_sizes.hpp"
#include "verdict/numpy.hpp"

namespace foldproof::run {

namespace {

Json nested(const std::vector<std::int64_t>& shape, std::size_t axis, std::span<const std::string> values) {
  if (axis == shape.size()) return values[0];
  Json list = Json::array();
  const std::size_t part = values.size() / static_cast<std::size_t>(shape[axis]);
  for (std::int64_t i = 0; i < shape[axis]; ++i) list.push_back(nested(shape, axis + 1, values.subspan(static_cast<std::size_t>(i) * part, part)));
  return list;
}

void flatten(const Json& value, std::vector<std::string>& values) {
  if (!value.is_array()) return values.push_back(value.get<std::string>());
  for (const Json& part : value) flatten(part, values);
}

const char* text(verdict::AssumptionAnswer::Need need) {
  switch (need) {
    case verdict::AssumptionAnswer::Need::needed:
      return "needed";
    case verdict::AssumptionAnswer::Need::not_needed:
      return "not_needed";
    case verdict::AssumptionAnswer::Need::unknown:
      return "unknown";
  }
  throw expr::InternalError("a need has a name");
}

Json optional(const std::optional<refute::Counterexample>& counterexample) { return counterexample ? to_json(*counterexample) : Json(nullptr); }

Json shapes(const verdict::Decision& decision) {
  if (!decision.problem) return nullptr;
  Json out = Json::object();
  for (const infer::Variable& v : decision.problem->variables) {
    if (!infer::is_written(v.name)) continue;
    out[v.name] = Json::array();
    for (const expr::Dim& d : v.shape) out[v.name].push_back(expr::text(d));
  }
  return out;
}

Json assumptions(const verdict::Decision& decision) {
  Json out = Json::array();
  for (const verdict::AssumptionAnswer& a : decision.assumptions) {
    out.push_back({{"assumption", a.assumption}, {"need", text(a.need)}, {"counterexample", optional(a.counterexample)}, {"reason", a.counterexample ? Json(nullptr) : Json(a.reason)}, {"defined_where", a.defined_where}});
  }
  return out;
}

Json steps(const verdict::Decision& decision) {
  Json out = Json::array();
  for (const verdict::MatrixStep& s : decision.steps) out.push_back({{"expression", s.text}, {"changed", {s.begin, s.end}}, {"law", s.law}});
  return out;
}

}  // namespace

Json to_json(const refute::TextTensor& tensor) { return nested(tensor.shape, 0, tensor.values); }

refute::TextTensor tensor_of(const Json& value) {
  refute::TextTensor out;
  for (const Json* part = &value; part->is_array() && !part->empty(); part = &part->front()) out.shape.push_back(static_cast<std::int64_t>(part->size()));
  flatten(value, out.values);
  return out;
}

Json to_json(const refute::Counterexample& counterexample) {
  Json out;
  out["dims"] = Json::object();
  for (const auto& [name, size] : counterexample.instance.dims) out["dims"][name] = size;
  out["values"] = Json::object();
  for (const auto& [name, tensor] : counterexample.values) out["values"][name] = to_json(tensor);
  out["lhs"] = to_json(counterexample.lhs);
  out["rhs"] = to_json(counterexample.rhs);
  out["entry"] = counterexample.entry;
  out["how"] = counterexample.how;
  out["minimal"] = counterexample.minimal;
  return out;
}

Json to_json(const expr::Diagnostic& diagnostic, const std::string& text) {
  const expr::LineColumn at = expr::locate(text, diagnostic.span.begin);
  return {{"code", diagnostic.code}, {"message", diagnostic.message}, {"hint", diagnostic.hint}, {"line", at.line}, {"column", at.column}};
}

Json certificate_summary(const std::string& claim_text, const verdict::Decision& decision) {
  if (!decision.certificate) return nullptr;
  const std::string bytes = record::write(record::CertificateRecord{claim_text, *decision.certificate});
  return {{"schema", record::certificate_schema}, {"sha256", record::sha256(bytes)}, {"steps", record::steps(*decision.certificate)}};
}

Json to_json(const std::string& id, const std::string& claim_text, const verdict::Decision& decision) {
  Json out;
  out["id"] = id;
  out["verdict"] = text(decision.verdict);
  out["reason"] = decision.reason == verdict::Reason::none ? Json(nullptr) : Json(text(decision.reason));
  out["detail"] = decision.detail;
  out["claim"] = claim_text;
  out["shapes"] = shapes(decision);
  out["derivation"] = decision.derivation;
  out["steps"] = steps(decision);
  out["certificate"] = certificate_summary(claim_text, decision);
  out["holds_where"] = decision.holds_where;
  out["counterexample"] = optional(decision.counterexample);
  if (decision.counterexample && decision.problem && decision.claim) {
    for (const auto& [name, size] : verdict::defined_sizes(*decision.problem, *decision.claim, decision.counterexample->instance.dims)) out["counterexample"]["dims"][name] = size;
    out["counterexample"]["numpy"] = verdict::numpy_snippet(decision.small_problem ? *decision.small_problem : *decision.problem, decision.small_claim ? *decision.small_claim : *decision.claim, *decision.counterexample);
  }
  out["true_when"] = decision.true_when;
  out["nearest_true"] = decision.repair ? Json{{"statement", decision.repair->statement}, {"change", decision.repair->change}} : Json(nullptr);
  out["assumptions"] = assumptions(decision);
  out["diagnostic"] = decision.diagnostic ? to_json(*decision.diagnostic, claim_text) : Json(nullptr);
  return out;
}

}  // namespace foldproof::run
