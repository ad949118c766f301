// SPDX-License-Identifier: MIT
#include "record/digest.hpp"

#include <openssl/evp.h>

#include <array>

#include "expr/diagnostic.hpp"

namespace foldproof::record {

struct Sha256::State {
  std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context{EVP_MD_CTX_new(), &EVP_MD_CTX_free};
  bool open = true;
};

Sha256::Sha256() : state_(std::make_unique<State>()) {
  expr::invariant(state_->context != nullptr && EVP_DigestInit_ex(state_->context.get(), EVP_sha256(), nullptr) == 1, "OpenSSL offers SHA-256");
}

Sha256::~Sha256() = default;

void Sha256::update(std::string_view bytes) {
  expr::invariant(state_->open, "a finished digest takes no more bytes");
  expr::invariant(EVP_DigestUpdate(state_->context.get(), bytes.data(), bytes.size()) == 1, "SHA-256 takes bytes");
}

std::string Sha256::finish() {
  expr::invariant(state_->open, "a digest is finished once");
  state_->open = false;
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned length = 0;
  expr::invariant(EVP_DigestFinal_ex(state_->context.get(), digest.data(), &length) == 1 && length == 32, "SHA-256 has 32 bytes");
  constexpr const char* digits = "0123456789abcdef";
  std::string out;
  for (unsigned i = 0; i < length; ++i) {
    out += digits[digest[i] >> 4];
    out += digits[digest[i] & 0xf];
  }
  return out;
}

std::string sha256(std::string_view bytes) {
  Sha256 digest;
  digest.update(bytes);
  return digest.finish();
}

}  // namespace foldproof::record
