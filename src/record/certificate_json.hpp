// SPDX-License-Identifier: MIT
// Certificates as JSON: the claim, and the scripts that the kernel replays. A step is a list: ["split", 0, "n1"] is the law, its
// numbers, and its size as text. Reading trusts no byte: whatever a file holds, the answer is a certificate or one expr::Error
// with a code `cert.*` that names the place as a JSON pointer. Whether the certificate proves anything is the kernel's business.
#pragma once

#include <string>
#include <string_view>

#include "kernel/check.hpp"

namespace foldproof::record {

/// Goes into every file; a change of meaning gets a new number.
inline constexpr const char* certificate_schema = "foldproof-certificate-1";

/// Steps of all scripts together, and levels of lists and objects, that are read.
inline constexpr std::size_t most_certificate_steps = 1'000'000;
inline constexpr int deepest_certificate = 4 + 2 * kernel::deepest_reduction + 4;

/// A certificate with the claim that it is about.
struct CertificateRecord {
  std::string claim;  ///< text in the claim language
  kernel::Certificate certificate;
};

/// Number of steps of all scripts.
std::size_t steps(const kernel::Certificate& certificate);

/// The file's text; the same certificate gives the same bytes on every machine.
std::string write(const CertificateRecord& record);

/// Reads what `write` wrote. Messages call the text `file`.
/// Errors: `cert.syntax`, `cert.limit` (too deep, too long), `cert.duplicate`, `cert.key`, `cert.missing`, `cert.kind`, `cert.schema`,
/// `cert.law` (hint: the nearest laws), `cert.size`.
CertificateRecord parse_certificate(std::string_view text, const std::string& file);

}  // namespace foldproof::record
