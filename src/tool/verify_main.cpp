// SPDX-License-Identifier: MIT
// foldproof-verify: the independent checker. It links the claim language, the kernel and the certificate reader, and nothing of
// the prover, so that trusting a proof means trusting these only. One line a file on standard output.
#include <algorithm>
#include <exception>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>

#include "expr/large_stack.hpp"
#include "infer/problem.hpp"
#include "record/certificate_json.hpp"

namespace {

using foldproof::record::CertificateRecord;

constexpr int exit_accepted = 0;
constexpr int exit_rejected = 1;
constexpr int exit_unreadable = 2;

std::string one_line(const std::string& claim) {
  std::string out;
  for (const char c : claim) {
    if (c == '\n') {
      if (!out.empty() && out.back() != ' ') out += "; ";
    } else {
      out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
  }
  while (!out.empty() && (out.back() == ' ' || out.back() == ';')) out.pop_back();
  return out;
}

int unreadable(const std::string& message) {
  std::cerr << "foldproof-verify: " << message << "\n";
  return exit_unreadable;
}

int verify(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return unreadable(path + ": cannot be opened");
  const std::string bytes{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  if (in.bad() || bytes.empty()) return unreadable(path + ": empty, or not a file");
  try {
    const CertificateRecord record = foldproof::record::parse_certificate(bytes, path);
    const auto outcome = foldproof::kernel::check(foldproof::expr::parse_claim(record.claim), record.certificate);
    if (!outcome.accepted) {
      std::cout << "rejected  " << path << "  at step " << outcome.step << ": " << outcome.reason << "\n";
      return exit_rejected;
    }
    std::cout << "accepted  " << path << "  (" << foldproof::record::steps(record.certificate) << " steps)  " << one_line(record.claim) << "\n";
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
  if (argc < 2 || first == "-h" || first == "--help") {
    (argc < 2 ? std::cerr : std::cout) << "usage: foldproof-verify CERTIFICATE.json...\n"
                                          "Prints `accepted` or `rejected` for each file. Exit status: 0 all accepted, 1 some rejected, 2 some unreadable.\n";
    return argc < 2 ? exit_unreadable : exit_accepted;
  }
  if (first == "--version") {
    std::cout << "foldproof-verify " << FOLDPROOF_VERSION << "\n";
    return exit_accepted;
  }
  int status = exit_accepted;
  for (int i = 1; i < argc; ++i) {
    try {
      foldproof::expr::on_large_stack([&] { status = std::max(status, verify(argv[i])); });
    } catch (const std::exception& e) {  // out of memory, or our own bug: never an acceptance
      status = std::max(status, unreadable(std::string(argv[i]) + ": " + e.what()));
    }
  }
  return status;
}
