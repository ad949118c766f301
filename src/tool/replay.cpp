// SPDX-License-Identifier: MIT
// foldproof replay: a certificate goes to the kernel, vectors and past failures are computed again, a claim is decided again, and a
// word that `check` printed runs its case again. A file says itself which of them it is.
#include <algorithm>
#include <iostream>

#include "read/parse.hpp"
#include "read/statements.hpp"
#include "record/certificate_json.hpp"
#include "record/digest.hpp"
#include "record/files.hpp"
#include "run/regressions.hpp"
#include "run/token.hpp"
#include "run/vectors.hpp"
#include "tool/command.hpp"
#include "tool/input.hpp"

namespace foldproof::tool {

namespace {

/// The schema that a file names in its first key; empty for claims, which have none.
std::string schema_of(const std::string& bytes) {
  constexpr const char* blank = " \t\r\n";
  std::size_t at = 0;
  for (const std::string_view part : {"{", "\"schema\"", ":", "\""}) {
    at = bytes.find_first_not_of(blank, at);
    if (at == std::string::npos || bytes.compare(at, part.size(), part) != 0) return "";
    at += part.size();
  }
  return bytes.substr(at, bytes.find('"', at) - at);
}

int replay_certificate(const std::string& bytes, const std::string& path) {
  const record::CertificateRecord record = record::parse_certificate(bytes, path);
  const kernel::Outcome outcome = kernel::check(read::parse_claim(record.claim), record.certificate);
  if (outcome.accepted) {
    std::cout << "accepted  " << path << "  (" << record::steps(record.certificate) << " steps)  " << read::claim_line(record.claim, 200) << "\n";
    return exit_ok;
  }
  std::cout << "rejected  " << path << "  at step " << outcome.step << ": " << outcome.reason << "\n";
  return exit_differs;
}

int print(const run::Replay& replay, const std::string& what) {
  std::cout << (replay.fails ? "FAILS   " : "passes  ") << what << ": " << replay.detail << "\n";
  return replay.fails ? exit_differs : exit_ok;
}

int replay_vectors(const std::string& bytes, const std::string& path) {
  const record::VectorFile file = record::parse_vectors(bytes, path);
  int status = exit_ok;
  for (const record::Vector& vector : file.vectors) status = std::max(status, print(run::replay(file, vector), path + "  " + vector.lane));
  return status;
}

int replay_manifest(const std::string& path) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  int status = exit_ok;
  for (const record::ManifestEntry& entry : record::read_manifest(path)) {
    const std::filesystem::path file = folder / entry.file;
    const std::string bytes = record::read_file(file);
    if (record::sha256(bytes) != entry.sha256) expr::fail("vectors.digest", file.string() + " is not the file of the manifest: its digest differs", {});
    status = std::max(status, replay_vectors(bytes, file.string()));
  }
  return status;
}

int replay_regressions(const std::string& path) {
  int status = exit_ok;
  const auto cases = record::read_regressions(path);
  for (const record::Regression& regression : cases) status = std::max(status, print(run::replay(regression), regression.id + "  " + regression.lane));
  if (cases.empty()) std::cout << path << " has no past failures\n";
  return status;
}

int replay_case(const std::string& word, const std::vector<std::string>& paths) {
  const run::CaseToken token = run::parse_token(word);
  std::vector<record::ClaimRecord> claims;
  for (const std::filesystem::path& path : record::walk({paths.begin(), paths.end()}, ".json")) {
    for (record::ClaimRecord& claim : claims_of(path.string())) claims.push_back(std::move(claim));
  }
  const auto claim = std::find_if(claims.begin(), claims.end(), [&](const auto& c) { return c.id == token.claim; });
  if (claim == claims.end()) expr::fail("token.stale", "there is no claim with the id " + token.claim + " here", {}, "name its file: --claims FILE");
  record::require_readable(*claim);
  const run::CaseReplay replay = run::replay(token, *claim);
  const int status = print({replay.fails, replay.detail}, token.claim + "  case " + std::to_string(token.case_index) + "  " + token.lane);
  if (!replay.failure) return status;
  std::cout << "  smallest case:\n";
  for (const auto& [name, size] : replay.failure->dims) std::cout << "    " << name << " = " << size << "\n";
  for (const auto& [name, values] : replay.failure->tensors) std::cout << "    " << name << " = " << values << "\n";
  std::cout << "    lhs = " << replay.failure->lhs << "\n    rhs = " << replay.failure->rhs << "\n";
  return status;
}

int replay_file(const std::string& path) {
  const std::string bytes = path == "-" ? "" : record::read_file(path);
  const std::string schema = schema_of(bytes);
  if (schema.empty()) {
    DecideArguments again;
    again.files = {path};
    return decide(again);
  }
  if (schema.rfind("foldproof-vectors-manifest-", 0) == 0) return replay_manifest(path);
  if (schema.rfind("foldproof-vectors-", 0) == 0) return replay_vectors(bytes, path);
  if (schema.rfind("foldproof-regressions-", 0) == 0) return replay_regressions(path);
  if (schema.rfind("foldproof-report-", 0) == 0)
    expr::fail("usage", path + " is a report", {}, "replay its failing cases one by one by their tokens, or compare it with another report");
  return replay_certificate(bytes, path);
}

}  // namespace

int replay(const ReplayArguments& arguments) {
  const std::vector<std::string> claims = arguments.claims.empty() ? std::vector<std::string>{"fixtures/claims"} : arguments.claims;
  int status = exit_ok;
  for (const std::string& word : arguments.words) status = std::max(status, run::is_token(word) ? replay_case(word, claims) : replay_file(word));
  return status;
}

}  // namespace foldproof::tool
