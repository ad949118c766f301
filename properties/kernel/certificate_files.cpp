// SPDX-License-Identifier: MIT
// Writes fixtures/certificates: for every law and every reduction a small certificate that takes it and must be accepted, and for every reason of the
// kernel a small certificate that must be rejected for it, found by damaging certificates of true claims at random, and kept while nothing shorter is found; and for every
// complaint of the reader a text that is no certificate. `reject/reasons.json` says which is which, and which reasons in the
// source of the kernel no damage reaches.
// Usage: certificate_files SOURCE_DIR [MUTANTS], after a change of the laws, of the certificates or of a reason; read the difference.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <regex>
#include <set>

#include "expr/large_stack.hpp"
#include "kernel/claims.hpp"
#include "kernel/mutate.hpp"
#include "kernel/reasons.hpp"
#include "prove/prove.hpp"
#include "record/certificate_json.hpp"

namespace foldproof::properties {
namespace {

using record::CertificateRecord;
namespace fs = std::filesystem;

/// The smallest file of each key: shortest, then first in the order of bytes.
using Smallest = std::map<std::string, std::string>;

void offer(Smallest& files, const std::string& key, std::string file) {
  auto& kept = files[key];
  if (kept.empty() || file.size() < kept.size() || (file.size() == kept.size() && file < kept)) kept = std::move(file);
}

/// The smallest certificate for each law and each reduction.
Smallest accepted(const std::vector<CertificateRecord>& all) {
  Smallest found;
  for (const auto& record : all) {
    const std::string text = record::write(record);
    const std::function<void(const kernel::Certificate&)> visit = [&](const kernel::Certificate& c) {
      if (c.reduction.kind != kernel::ReductionKind::none) offer(found, "reduction " + std::string(kernel::name(c.reduction.kind)), text);
      std::vector<kernel::Script> scripts = c.assumptions;
      scripts.push_back(c.goal);
      for (const auto& script : scripts) {
        for (const auto& step : script) offer(found, std::string(kernel::name(step.law)), text);
      }
      for (const auto& part : c.parts) visit(part);
    };
    visit(record.certificate);
  }
  return found;
}

/// Every reason that is written out in the source of the kernel.
std::vector<std::string> reasons_in(const fs::path& source) {
  std::set<std::string> found;
  const std::regex reason("(?:Reject|require)\\((?:[^;\"]*, )?\"([^\"]+)\"");
  for (const auto& entry : fs::directory_iterator(source / "src/kernel")) {
    std::ifstream in(entry.path(), std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    for (std::sregex_iterator at(text.begin(), text.end(), reason), end; at != end; ++at) {
      if (at->length(1) > 5) found.insert((*at)[1]);  // "part " and "rank" are no whole reasons
    }
  }
  return {found.begin(), found.end()};
}

/// The smallest certificate for each reason, from damaged ones and from honest ones handed in for another claim.
Smallest rejected(const std::vector<CertificateRecord>& all, const fs::path& found_before, const std::vector<std::string>& reasons, std::size_t mutants) {
  Smallest found;
  std::set<std::string> seen;  // what the language says of a damaged text is no reason of the kernel
  const auto of_the_kernel = [&](const std::string& reason) { return seen.count(reason) > 0 || std::any_of(reasons.begin(), reasons.end(), [&](const std::string& r) { return reason.find(general(r)) != std::string::npos && seen.insert(reason).second; }); };
  Dice dice(2026);
  std::map<std::string, std::optional<expr::Claim>> claims;
  const auto check = [&](const CertificateRecord& record) {
    auto at = claims.find(record.claim);
    if (at == claims.end()) {
      at = claims.emplace(record.claim, std::nullopt).first;
      try {
        expr::Claim claim = expr::parse_claim(record.claim);
        infer::elaborate(claim);
        at->second = std::move(claim);
      } catch (const expr::Error&) {  // the mistake is no claim
      }
    }
    if (!at->second) return;
    const auto outcome = kernel::check(*at->second, record.certificate);
    if (!outcome.accepted && of_the_kernel(general(outcome.reason))) offer(found, general(outcome.reason), record::write(record));
  };
  for (const auto& entry : fs::exists(found_before) ? fs::directory_iterator(found_before) : fs::directory_iterator()) {
    std::ifstream in(entry.path(), std::ios::binary);
    try {
      check(record::parse_certificate(std::string{std::istreambuf_iterator<char>(in), {}}, ""));
    } catch (const expr::Error&) {  // one of those that cannot be read
    }
  }
  for (const auto& record : all) {
    for (const auto& other : mistakes(record.claim)) check({other, record.certificate});
  }
  for (const char* claim : false_reduced_claims) {
    for (const auto& record : all) {
      if (!record.certificate.parts.empty()) check({claim, record.certificate});
    }
  }
  for (const char* claim : false_claims) {
    try {
      kernel::Certificate empty;
      const auto theory = kernel::unfold(problem(claim));
      empty.assumptions.resize(theory->axioms.size() + theory->signs.size());
      check({claim, empty});
      check({claim, {}});
    } catch (const kernel::Reject&) {
      check({claim, {}});
    }
  }
  for (std::size_t k = 0; k < mutants; ++k) {
    CertificateRecord record = all[dice.roll(all.size())];
    for (std::size_t wounds = 1 + dice.roll(2); wounds > 0; --wounds) {
      mutate(record.certificate, dice.roll(2) == 0 ? Mutation::inserted : mutations[dice.roll(std::size(mutations))], dice);
    }
    check(record);
  }
  return found;
}

std::string file_name(const std::string& key, const char* suffix) {
  std::string name;
  for (const char c : key) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) name += c;
    else if (!name.empty() && name.back() != '-') name += '-';
  }
  if (name.size() > 60) name.resize(name.rfind('-', 60));
  while (!name.empty() && name.back() == '-') name.pop_back();
  return name + suffix;
}

/// Texts that the reader refuses, each made from a good certificate, with the complaint.
std::map<std::string, std::pair<std::string, std::string>> unreadable(const std::string& good) {
  const auto with = [&](std::string_view from, std::string_view to) {
    const auto at = good.find(from);
    if (at == std::string::npos) throw std::runtime_error("the certificate has no " + std::string(from));
    return good.substr(0, at) + std::string(to) + good.substr(at + from.size());
  };
  const std::string texts[] = {good.substr(0, good.size() / 2), "[]\n", with("\"goal\"", "\"gaol\""), with("\"goal\"", "\"claim\""), with("  \"assumptions\": [],\n", ""), with("\"assumptions\": []", "\"assumptions\": {}"),
                               with("foldproof-certificate-1", "foldproof-certificate-0"), with("\"goal\": [", "\"goal\": [[],"), with("\"goal\": [", "\"goal\": [[\"kepe\"],"), with("\"goal\": [", "\"goal\": [[7],"),
                               with("\"goal\": [", "\"goal\": [[\"keep\",0.5],"), with("\"goal\": [", "\"goal\": [[\"keep\",9223372036854775808],"), with("\"goal\": [", "\"goal\": [[\"keep\",1e999],"),
                               with("\"goal\": [", "\"goal\": [[\"split\",0,\"n]; X\"],"), with("\"goal\": [", "\"goal\": [[\"split\",0,\"n +\"],"), with("\"goal\": [", "\"goal\": [[[[[[[[[]]]]]]]],"), with("\"claim\": \"", "\"claim\": [\""),
                               with(" == ", " @@ "), with(" == ", " == softmx(X) + ")};
  std::map<std::string, std::pair<std::string, std::string>> found;
  for (const std::string& text : texts) {
    try {
      problem(record::parse_certificate(text, "").claim);
      throw std::runtime_error("the reader accepts:\n" + text);
    } catch (const expr::Error& e) {
      const std::string message = e.what();
      found[file_name(e.diagnostic().code + " " + message.substr(message.find_first_not_of(": ")), ".txt")] = {text, e.what()};
    }
  }
  return found;
}

/// The folder holds these files and no others.
void write_folder(const fs::path& folder, const std::map<std::string, std::string>& files) {
  fs::create_directories(folder);
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (files.count(entry.path().filename().string()) == 0) fs::remove(entry.path());
  }
  for (const auto& [name, text] : files) {
    std::ofstream out(folder / name, std::ios::binary);
    out << text;
    if (!out.flush()) throw std::runtime_error("cannot write " + (folder / name).string());
  }
}

void write_all(const fs::path& source, std::size_t mutants) {
  const auto all = proved_library();
  std::map<std::string, std::string> accept, reject;
  for (const auto& [law, text] : accepted(all)) accept[file_name(law, ".json")] = text;
  using nlohmann::ordered_json;
  ordered_json reasons = ordered_json::object(), complaints = ordered_json::object(), not_found = ordered_json::array();
  const auto spelled = reasons_in(source);
  for (const auto& [reason, text] : rejected(all, source / "fixtures/certificates/reject", spelled, mutants)) {
    const std::string name = file_name(reason, ".json");
    if (!reject.emplace(name, text).second) throw std::runtime_error("two reasons would have the file " + name);
    reasons[name] = reason;
  }
  for (const std::string& written : spelled) {
    const bool found = std::any_of(reasons.begin(), reasons.end(), [&](const auto& reason) { return reason.template get<std::string>().find(general(written)) != std::string::npos; });
    if (!found) not_found.push_back(written);
  }
  for (const auto& [name, refused] : unreadable(record::write(all.front()))) {
    reject[name] = refused.first;
    complaints[name] = refused.second;
  }
  const ordered_json index{{"schema", "foldproof-rejections-1"}, {"rejected", reasons}, {"unreadable", complaints}, {"not_found", not_found}};
  reject["reasons.json"] = index.dump(2) + "\n";
  const fs::path root = source / "fixtures/certificates";
  write_folder(root / "accept", accept);
  write_folder(root / "reject", reject);
  std::cout << accept.size() << " certificates to accept, " << reasons.size() << " to reject, " << complaints.size() << " that cannot be read; " << not_found.size() << " reasons not found\n";
}

}  // namespace
}  // namespace foldproof::properties

int main(int argc, char** argv) {
  if (argc < 2) {
    std::cerr << "usage: certificate_files SOURCE_DIR [MUTANTS]\n";
    return 2;
  }
  try {
    foldproof::expr::on_large_stack([&] { foldproof::properties::write_all(argv[1], argc > 2 ? std::stoull(argv[2]) : 300000); });
  } catch (const std::exception& e) {
    std::cerr << "certificate_files: " << e.what() << "\n";
    return 1;
  }
  return 0;
}
