// SPDX-License-Identifier: MIT
// foldproof vectors: writes golden vectors. Made once: a file whose values differ from what is computed today is never replaced unless
// that is asked for, since then either the file or foldproof is wrong.
#include "record/vectors.hpp"

#include <algorithm>
#include <iostream>

#include "record/digest.hpp"
#include "record/files.hpp"
#include "run/vectors.hpp"
#include "tool/command.hpp"
#include "tool/input.hpp"

namespace foldproof::tool {

namespace {

namespace fs = std::filesystem;

/// Everything but the bounds: their last digits may depend on the build.
bool same_values(const record::VectorFile& a, const record::VectorFile& b) {
  return a.id == b.id && a.claim == b.claim && std::equal(a.vectors.begin(), a.vectors.end(), b.vectors.begin(), b.vectors.end(), [](const auto& v, const auto& w) {
           return v.lane == w.lane && v.flags == w.flags && v.dims == w.dims && v.inputs == w.inputs && v.expected == w.expected;
         });
}

const record::ClaimRecord& claim_called(const std::vector<record::ClaimRecord>& claims, const std::string& id) {
  const auto at = std::find_if(claims.begin(), claims.end(), [&](const auto& claim) { return claim.id == id; });
  if (at == claims.end()) expr::fail("vectors.claim", "there is no claim with the id " + id, {}, "foldproof check lists the claims");
  return *at;
}

}  // namespace

int vectors(const VectorArguments& arguments) {
  const fs::path folder = arguments.out;
  std::vector<record::ManifestEntry> entries = record::read_manifest(folder / "manifest.json");
  std::vector<std::string> ids = arguments.ids;
  if (ids.empty()) {
    for (const auto& entry : entries) ids.push_back(entry.id);
  }
  if (ids.empty()) expr::fail("usage", "name the claims of which vectors are to be made", {}, "foldproof vectors --out DIR CLAIM_ID...");
  const std::vector<std::string> paths = arguments.claims.empty() ? std::vector<std::string>{"fixtures/claims"} : arguments.claims;
  const std::vector<record::ClaimRecord> claims = record::read_claims({paths.begin(), paths.end()});
  std::vector<record::VectorFile> files;
  for (const std::string& id : ids) files.push_back(run::make_vectors(claim_called(claims, id), arguments.seed));

  std::vector<std::string> kept;
  for (const record::VectorFile& file : files) {
    const fs::path path = folder / (file.id + ".json");
    if (!fs::exists(path) || arguments.replace) continue;
    if (!same_values(record::parse_vectors(record::read_file(path), path.string()), file))
      expr::fail("vectors.differ", path.string() + " has other values than foldproof computes today", {},
                 "find out which of them is wrong; --replace-golden-values writes the new ones, and nothing was written now");
    kept.push_back(file.id);
  }
  for (const record::VectorFile& file : files) {
    const std::string name = file.id + ".json";
    if (std::find(kept.begin(), kept.end(), file.id) == kept.end()) record::write_atomically(folder / name, record::write_vectors(file));
    std::erase_if(entries, [&](const auto& entry) { return entry.id == file.id; });
    entries.push_back({name, file.id, record::sha256(record::read_file(folder / name)), file.vectors.size()});
  }
  std::sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) { return a.file < b.file; });
  record::write_atomically(folder / "manifest.json", record::write_manifest(entries));
  std::cout << files.size() - kept.size() << " files written, " << kept.size() << " were there already, with the same values\n";
  return exit_ok;
}

}  // namespace foldproof::tool
