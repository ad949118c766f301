// SPDX-License-Identifier: MIT
#include "run/hazards.hpp"

#include <fmt/format.h>

#include <cmath>

#include "campaign/sides.hpp"
#include "read/statements.hpp"

namespace foldproof::run {

namespace {

using campaign::HazardKind;

std::string part_of(const campaign::Hazard& hazard, const std::string& claim_text) {
  if (hazard.place.end <= hazard.place.begin || hazard.place.end > claim_text.size()) return "";
  return read::claim_line(claim_text.substr(hazard.place.begin, hazard.place.end - hazard.place.begin), 80);
}

std::string what(HazardKind kind, const std::string& part) {
  const std::string where = part.empty() ? "" : " in `" + part + "`";
  switch (kind) {
    case HazardKind::overflow:
      return "overflows" + where;
    case HazardKind::underflow:
      return "underflows" + where;
    case HazardKind::cancellation:
      return "loses its digits by cancellation" + where;
    case HazardKind::finite_mask:
      return "with a finite mask";
    case HazardKind::masked_row:
      return "has no value";
  }
  return "";
}

std::string about(double value) { return std::isfinite(value) && std::abs(value) != 1 ? fmt::format("{:.4g}", value) : campaign::short_text(value); }

std::string place(const campaign::Hazard& hazard) {
  std::string out;
  for (const auto& [name, tensor] : hazard.values) {
    std::string numbers;
    for (const double v : tensor.values) numbers += (numbers.empty() ? "" : " ") + campaign::short_text(v);
    out += (out.empty() ? "" : ", ") + name + " = " + (tensor.shape.empty() ? numbers : "[" + numbers + "]");
  }
  return out;
}

}  // namespace

std::string sentence(const campaign::Hazard& hazard, const std::string& claim_text) {
  std::string out = hazard.format + ": " + (hazard.right ? "rhs " : "lhs ") + what(hazard.kind, part_of(hazard, claim_text));
  if (hazard.kind != HazardKind::masked_row) out += ": " + about(hazard.computed) + " instead of " + about(hazard.reference) + ",";
  out += " at " + place(hazard);
  return hazard.detail.empty() ? out : out + " (" + hazard.detail + ")";
}

Json to_json(const campaign::Hazard& hazard, const std::string& claim_text) {
  Json out;
  out["kind"] = campaign::text(hazard.kind);
  out["format"] = hazard.format;
  out["side"] = hazard.right ? "rhs" : "lhs";
  out["part"] = part_of(hazard, claim_text);
  out["dims"] = Json::object();
  for (const auto& [name, size] : hazard.dims) out["dims"][name] = size;
  out["values"] = Json::object();
  for (const auto& [name, tensor] : hazard.values) {
    std::string numbers;
    for (const double v : tensor.values) numbers += (numbers.empty() ? "" : " ") + campaign::hex(v);
    out["values"][name] = numbers;
  }
  const bool has_value = hazard.kind != HazardKind::masked_row;
  out["entry"] = hazard.entry;
  out["computed"] = campaign::hex(hazard.computed);
  out["reference"] = has_value ? Json(campaign::hex(hazard.reference)) : Json(nullptr);
  out["bound"] = has_value ? Json(campaign::hex(hazard.bound)) : Json(nullptr);
  out["text"] = sentence(hazard, claim_text);
  return out;
}

Json hazards_json(const std::optional<std::vector<campaign::Hazard>>& hazards, const std::string& claim_text) {
  if (!hazards) return nullptr;
  Json out = Json::array();
  for (const campaign::Hazard& hazard : *hazards) out.push_back(to_json(hazard, claim_text));
  return out;
}

}  // namespace foldproof::run
