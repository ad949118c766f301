// SPDX-License-Identifier: MIT
// Philox and the maps from bits to numbers. Golden vectors and exact digests depend on every constant here.
#include "numeric/random.hpp"

#include <Random123/philox.h>

namespace foldproof::numeric {
namespace {

// Keep the two uses of Philox as a hash apart from each other: the last counter word.
constexpr std::uint64_t stream_use = 1;
constexpr std::uint64_t id_use = 2;

std::array<std::uint32_t, 2> words(std::uint64_t value) { return {static_cast<std::uint32_t>(value), static_cast<std::uint32_t>(value >> 32)}; }

std::uint64_t block(std::array<std::uint32_t, 2> key, std::uint64_t a, std::uint64_t b) {
  const auto [a0, a1] = words(a);
  const auto [b0, b1] = words(b);
  const auto out = philox({a0, a1, b0, b1}, key);
  return out[0] | static_cast<std::uint64_t>(out[1]) << 32;
}

}  // namespace

std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key) {
  const philox4x32_ctr_t in{{counter[0], counter[1], counter[2], counter[3]}};
  const philox4x32_key_t with{{key[0], key[1]}};
  const philox4x32_ctr_t out = philox4x32_R(10, in, with);
  return {out.v[0], out.v[1], out.v[2], out.v[3]};
}

Stream::Stream(std::uint64_t seed, std::uint64_t stream) : key_(words(block(words(seed), stream, stream_use))) {}

std::uint64_t Stream::draw(std::uint64_t a, std::uint64_t b) const { return block(key_, a, b); }

void Stream::draw_matrix(std::int64_t columns, std::span<std::uint64_t> out) const {
  std::uint64_t row = 0, column = 0;
  const philox4x32_key_t key{{key_[0], key_[1]}};
  for (std::uint64_t& bits : out) {
    const auto [a0, a1] = words(row);
    const auto [b0, b1] = words(column);
    const philox4x32_ctr_t block = philox4x32_R(10, {{a0, a1, b0, b1}}, key);
    bits = block.v[0] | static_cast<std::uint64_t>(block.v[1]) << 32;
    if (++column == static_cast<std::uint64_t>(columns)) column = 0, ++row;
  }
}

std::uint64_t draw(std::uint64_t seed, std::uint64_t stream, std::uint64_t a, std::uint64_t b) { return Stream(seed, stream).draw(a, b); }

std::uint64_t mix(std::uint64_t seed, std::string_view id) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : id) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return block(words(seed), hash, id_use);
}

}  // namespace foldproof::numeric
