// SPDX-License-Identifier: MIT
// Philox and the maps from bits to numbers. Golden vectors and exact digests depend on every constant here.
#include "numeric/random.hpp"

#include <Random123/philox.h>

#ifdef __x86_64__
#include <immintrin.h>
#endif

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

#ifdef __x86_64__
/// The first entries of draw_matrix, four at a time where the processor has AVX2; returns how many. Every 64-bit lane holds one
/// 32-bit word in its lower half; what the upper half holds is ignored by the multiplication and cut off at the end.
__attribute__((target("avx2"))) std::size_t draw_with_avx2(std::array<std::uint32_t, 2> key, std::int64_t columns, std::span<std::uint64_t> out) {
  constexpr std::size_t groups = 2;  // in flight at a time
  const __m256i multiplier0 = _mm256_set1_epi64x(PHILOX_M4x32_0), multiplier1 = _mm256_set1_epi64x(PHILOX_M4x32_1);
  const __m256i width = _mm256_set1_epi64x(columns), last = _mm256_set1_epi64x(columns - 1);
  __m256i row = _mm256_setzero_si256(), column = _mm256_set_epi64x(3, 2, 1, 0);
  std::size_t done = 0;
  for (; done + 4 * groups <= out.size(); done += 4 * groups) {
    __m256i c0[groups], c1[groups], c2[groups], c3[groups];
    for (std::size_t g = 0; g < groups; ++g) {
      c0[g] = row, c1[g] = _mm256_srli_epi64(row, 32), c2[g] = column, c3[g] = _mm256_srli_epi64(column, 32);
      column = _mm256_add_epi64(column, _mm256_set1_epi64x(4));
      const __m256i beyond = _mm256_cmpgt_epi64(column, last);  // -1 or 0
      column = _mm256_sub_epi64(column, _mm256_and_si256(beyond, width));
      row = _mm256_sub_epi64(row, beyond);
    }
    std::uint32_t key0 = key[0], key1 = key[1];
    for (int round = 0; round < 10; ++round, key0 += PHILOX_W32_0, key1 += PHILOX_W32_1) {
      for (std::size_t g = 0; g < groups; ++g) {
        const __m256i product0 = _mm256_mul_epu32(c0[g], multiplier0), product1 = _mm256_mul_epu32(c2[g], multiplier1);
        c0[g] = _mm256_xor_si256(_mm256_xor_si256(_mm256_srli_epi64(product1, 32), c1[g]), _mm256_set1_epi64x(key0));
        c2[g] = _mm256_xor_si256(_mm256_xor_si256(_mm256_srli_epi64(product0, 32), c3[g]), _mm256_set1_epi64x(key1));
        c1[g] = product1, c3[g] = product0;
      }
    }
    for (std::size_t g = 0; g < groups; ++g) {
      const __m256i lower = _mm256_and_si256(c0[g], _mm256_set1_epi64x(0xffffffff));
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(out.data() + done + 4 * g), _mm256_or_si256(lower, _mm256_slli_epi64(c1[g], 32)));
    }
  }
  return done;
}
std::size_t draw_by_fours(std::array<std::uint32_t, 2> key, std::int64_t columns, std::span<std::uint64_t> out) {
  static const bool can = __builtin_cpu_supports("avx2") != 0;
  return can && columns >= 4 ? draw_with_avx2(key, columns, out) : 0;
}
#else
std::size_t draw_by_fours(std::array<std::uint32_t, 2>, std::int64_t, std::span<std::uint64_t>) { return 0; }
#endif

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
  const std::size_t begin = draw_by_fours(key_, columns, out);
  std::uint64_t row = begin / static_cast<std::uint64_t>(columns), column = begin % static_cast<std::uint64_t>(columns);
  for (std::size_t i = begin; i < out.size(); ++i) {
    out[i] = block(key_, row, column);
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
