// SPDX-License-Identifier: MIT
#include "run/observation.hpp"

#include <cmath>

#include "expr/diagnostic.hpp"
#include "run/report_json.hpp"

namespace foldproof::run {

namespace {

// A case of a claim that is expected to be different passes where the sides do differ; where they agree it shows nothing.
void set_status(const campaign::Observation& o, Json& out) {
  using Outcome = campaign::Comparison::Outcome;
  const bool equal = o.expectation == campaign::Expectation::equal;
  std::string status = "gave_up";
  std::string reason;
  switch (o.outcome) {
    case Outcome::within:
    case Outcome::suspicious:
      status = equal ? "passed" : "gave_up";
      if (!equal) reason = "the sides agree on this case";
      break;
    case Outcome::beyond:
      status = equal ? "failed" : "passed";
      if (equal) reason = "the sides differ by more than rounding explains: " + o.element;
      break;
    case Outcome::vacuous:
      reason = "no finite bound";
      break;
    case Outcome::undefined:
      reason = "assumptions not met, or a side has no value";
      break;
  }
  out["status"] = status;
  out["status_reason"] = reason;
}

const char* outcome_text(campaign::Comparison::Outcome outcome) {
  static constexpr const char* names[] = {"undefined", "within", "suspicious", "vacuous", "beyond"};
  return names[static_cast<std::size_t>(outcome)];
}

}  // namespace

Json observation_json(const campaign::Observation& o, const std::string& claim, std::uint64_t seed, double run_start) {
  Json out;
  out["type"] = "test_case";
  set_status(o, out);
  std::string shown = o.format + ", " + o.family;
  Json dims = Json::object();
  for (const auto& [name, size] : o.dims) {
    shown += ", " + name + " = " + std::to_string(size);
    dims[name] = size;
  }
  out["representation"] = shown;
  out["arguments"] = {{"dims", dims}, {"format", o.format}, {"family", o.family}};
  out["how_generated"] = "random case " + std::to_string(o.index) + " of seed " + std::to_string(seed);
  out["features"] = {{"outcome", outcome_text(o.outcome)}, {"format", o.format}, {"family", o.family}};
  if (std::isfinite(o.ratio)) out["features"]["ratio"] = o.ratio;
  out["coverage"] = nullptr;
  out["timing"] = Json::object();
  out["metadata"] = {{"claim", claim}, {"seed", std::to_string(seed)}, {"case", o.index}, {"worst_element", o.element}};
  out["property"] = claim;
  out["run_start"] = run_start;
  return out;
}

ObservationFile::ObservationFile(std::filesystem::path path) : path_(std::move(path)) {
  std::error_code failure;
  const auto target = std::filesystem::canonical(path_, failure);  // a link stays one
  if (!failure) path_ = target;
  const auto kind = std::filesystem::status(path_, failure).type();
  if (kind == std::filesystem::file_type::directory) expr::fail("io.write", path_.string() + ": is a folder", {}, "name a file in it");
  const bool replaced = kind == std::filesystem::file_type::regular || kind == std::filesystem::file_type::not_found;
  partial_ = replaced ? path_.string() + ".partial" : "";  // a pipe or a device is written to as it is
  out_.open(replaced ? partial_ : path_, std::ios::binary);
  if (!out_) expr::fail("io.write", path_.string() + ": cannot be written", {});
}

ObservationFile::~ObservationFile() {
  if (finished_) return;
  out_.close();
  std::error_code ignored;
  if (!partial_.empty()) std::filesystem::remove(partial_, ignored);
}

void ObservationFile::add(std::size_t index, std::string lines) {
  waiting_[index] = std::move(lines);
  for (auto first = waiting_.begin(); first != waiting_.end() && first->first == next_; first = waiting_.erase(first), ++next_) out_ << first->second;
}

void ObservationFile::finish() {
  for (const auto& [index, lines] : waiting_) out_ << lines;
  waiting_.clear();
  out_.close();
  std::error_code failure;
  if (out_ && !partial_.empty()) std::filesystem::rename(partial_, path_, failure);
  finished_ = out_ && !failure;
  if (!finished_) expr::fail("io.write", path_.string() + ": cannot be written" + (failure ? ": " + failure.message() : ""), {});
}

}  // namespace foldproof::run
