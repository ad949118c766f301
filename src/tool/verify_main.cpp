// SPDX-License-Identifier: MIT
// foldproof-verify: the independent checker. It links the claim language, the kernel and the certificate reader, and nothing of
// the prover, so that trusting a proof means trusting these only. One line a file on standard output.
#include <algorithm>
#include <exception>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <string>

#include "expr/large_stack.hpp"
#include "infer/problem.hpp"
#include "read/parse.hpp"
#include "read/statements.hpp"
#include "record/certificate_json.hpp"

namespace {

using foldproof::record::CertificateRecord;

constexpr int exit_accepted = 0;
constexpr int exit_rejected = 1;
constexpr int exit_unreadable = 2;

int unreadable(const std::string& message) {
  std::cerr << "foldproof-verify: " << message << "\n";
  return exit_unreadable;
}

/// How often each law, or way to lead a claim back to others, is used, and what it says.
struct Use {
  int times = 0;
  std::string says;
};
using Uses = std::map<std::string, Use>;
void count_uses(const foldproof::kernel::Certificate& certificate, Uses& uses) {
  using namespace foldproof::kernel;
  const auto count = [&](const Script& script) {
    for (const Step& step : script) {
      Use& use = uses["law " + std::string(name(step.law))];
      ++use.times;
      use.says = ": " + std::string(describe(step.law));
    }
  };
  count(certificate.goal);
  for (const Script& script : certificate.assumptions) count(script);
  if (certificate.reduction.kind != ReductionKind::none) ++uses["reduction " + std::string(name(certificate.reduction.kind))].times;
  for (const Certificate& part : certificate.parts) count_uses(part, uses);
}

int verify(const std::string& path, bool show_laws) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return unreadable(path + ": cannot be opened");
  const std::string bytes{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  if (in.bad() || bytes.empty()) return unreadable(path + ": empty, or not a file");
  try {
    const CertificateRecord record = foldproof::record::parse_certificate(bytes, path);
    const auto outcome = foldproof::kernel::check(foldproof::read::parse_claim(record.claim), record.certificate);
    if (!outcome.accepted) {
      std::cout << "rejected  " << path << "  at step " << outcome.step << ": " << outcome.reason << "\n";
      return exit_rejected;
    }
    std::cout << "accepted  " << path << "  (" << foldproof::record::steps(record.certificate) << " steps)  " << foldproof::read::claim_line(record.claim) << "\n";
    Uses uses;
    if (show_laws) count_uses(record.certificate, uses);
    for (const auto& [what, use] : uses) std::cout << "  " << what << " (" << use.times << (use.times == 1 ? " time)" : " times)") << use.says << "\n";
    return exit_accepted;
  } catch (const foldproof::expr::Error& e) {
    const std::string& hint = e.diagnostic().hint;
    return unreadable((e.diagnostic().code.rfind("cert.", 0) == 0 ? "" : path + ": the claim: ") + std::string(e.what()) +
                      (hint.empty() ? "" : "\n  hint: " + hint));
  } catch (const foldproof::expr::LimitReached& e) {
    std::cout << "rejected  " << path << "  limit: " << e.what() << "\n";
    return exit_rejected;
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::string first = argc > 1 ? argv[1] : "";
  const bool show_laws = first == "--laws";
  if (argc < (show_laws ? 3 : 2) || first == "-h" || first == "--help") {
    const bool asked = first == "-h" || first == "--help";
    (asked ? std::cout : std::cerr) << "usage: foldproof-verify [--laws] CERTIFICATE.json...\n"
                                       "Prints `accepted` or `rejected` for each file, and with --laws what each proof rests on.\n"
                                       "Exit status: 0 all accepted, 1 some rejected, 2 some unreadable.\n";
    return asked ? exit_accepted : exit_unreadable;
  }
  if (first == "--version") {
    std::cout << "foldproof-verify " << FOLDPROOF_VERSION << "\n";
    return exit_accepted;
  }
  int status = exit_accepted;
  for (int i = show_laws ? 2 : 1; i < argc; ++i) {
    try {
      foldproof::expr::on_large_stack([&] { status = std::max(status, verify(argv[i], show_laws)); });
    } catch (const std::exception& e) {  // out of memory, or our own bug: never an acceptance
      status = std::max(status, unreadable(std::string(argv[i]) + ": " + e.what()));
    }
  }
  return status;
}
