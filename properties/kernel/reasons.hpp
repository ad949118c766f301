// SPDX-License-Identifier: MIT
// The reasons for which the kernel rejects certificates.
#pragma once

#include <cctype>
#include <string>

namespace foldproof::properties {

/// A reason with numbers written as N, whichever part it is about: "3 monomials remain" and "part 1: 12 monomials remain" are one.
inline std::string general(std::string reason) {
  while (reason.rfind("part ", 0) == 0 && reason.find(": ") != std::string::npos) reason = reason.substr(reason.find(": ") + 2);
  std::string out;
  for (std::size_t k = 0; k < reason.size(); ++k) {
    const bool digit = std::isdigit(static_cast<unsigned char>(reason[k])) != 0;
    const bool alone = digit && (k == 0 || std::isspace(static_cast<unsigned char>(reason[k - 1])) != 0);
    if (!alone) {
      out += reason[k];
      continue;
    }
    out += 'N';
    while (k + 1 < reason.size() && std::isdigit(static_cast<unsigned char>(reason[k + 1])) != 0) ++k;
  }
  return out;
}

}  // namespace foldproof::properties
