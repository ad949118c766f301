// SPDX-License-Identifier: MIT
// SHA-256, the digest of everything that foldproof records. The computation is OpenSSL's.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace foldproof::record {

/// The digest of `bytes` as 64 lower-case hexadecimal digits. Source: FIPS 180-4.
std::string sha256(std::string_view bytes);

/// The same for bytes that come in pieces.
class Sha256 {
 public:
  Sha256();
  ~Sha256();
  Sha256(const Sha256&) = delete;
  Sha256& operator=(const Sha256&) = delete;

  /// Appends bytes. Requires: `finish` was not called.
  void update(std::string_view bytes);
  /// Returns the digest of all bytes. Requires: called once.
  std::string finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace foldproof::record
