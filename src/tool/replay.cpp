// SPDX-License-Identifier: MIT
// foldproof replay: a certificate goes to the kernel, a claim is decided again. The file says itself which of them it is.
#include <iostream>

#include "record/certificate_json.hpp"
#include "record/files.hpp"
#include "report/text.hpp"
#include "tool/command.hpp"
#include "tool/input.hpp"

namespace foldproof::tool {

namespace {

bool is_certificate(const std::string& bytes) {
  // Only the first key is looked at: certificates are written with the schema first, and claims have none.
  const std::size_t brace = bytes.find_first_not_of(" \t\r\n");
  if (brace == std::string::npos || bytes[brace] != '{') return false;
  const std::size_t key = bytes.find_first_not_of(" \t\r\n", brace + 1);
  return key != std::string::npos && bytes.compare(key, 8, "\"schema\"") == 0;
}

int replay_certificate(const std::string& bytes, const std::string& path) {
  const record::CertificateRecord record = record::parse_certificate(bytes, path);
  const kernel::Outcome outcome = kernel::check(expr::parse_claim(record.claim), record.certificate);
  if (outcome.accepted) {
    std::cout << "accepted  " << path << "  (" << record::steps(record.certificate) << " steps)  " << report::one_line(record.claim) << "\n";
    return exit_ok;
  }
  std::cout << "rejected  " << path << "  at step " << outcome.step << ": " << outcome.reason << "\n";
  return exit_differs;
}

}  // namespace

int replay(const std::vector<std::string>& files) {
  int status = exit_ok;
  for (const std::string& path : files) {
    if (path != "-") {
      const std::string bytes = record::read_file(path);
      if (is_certificate(bytes)) {
        status = std::max(status, replay_certificate(bytes, path));
        continue;
      }
    }
    DecideArguments again;
    again.files = {path};
    status = std::max(status, decide(again));
  }
  return status;
}

}  // namespace foldproof::tool
