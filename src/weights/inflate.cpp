// SPDX-License-Identifier: MIT
#include "weights/inflate.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace foldproof::weights {
namespace {

constexpr std::size_t longest_code = 15, most_literals = 288, most_distances = 30;

struct Broken {};  ///< caught by inflated()

/// The bits of a stream, the lowest of each byte first.
class Bits {
 public:
  explicit Bits(std::string_view bytes) : bytes_(bytes) {}

  /// Requires: at most 16.
  unsigned take(unsigned count) {
    while (have_ < count) {
      if (at_ == bytes_.size()) throw Broken();
      word_ |= static_cast<std::uint32_t>(static_cast<unsigned char>(bytes_[at_++])) << have_;
      have_ += 8;
    }
    const std::uint32_t out = word_ & ((1U << count) - 1);
    word_ >>= count;
    have_ -= count;
    return out;
  }
  /// The next whole bytes.
  std::string_view take_bytes(std::size_t count) {
    have_ = word_ = 0;  // what is left of a byte is padding
    if (count > bytes_.size() - at_) throw Broken();
    at_ += count;
    return bytes_.substr(at_ - count, count);
  }

 private:
  std::string_view bytes_;
  std::size_t at_ = 0;
  std::uint32_t word_ = 0;
  unsigned have_ = 0;
};

/// A Huffman code, given by the lengths of its words: shorter ones first, equally long ones in the order of their symbols.
class Code {
 public:
  explicit Code(const std::vector<unsigned>& lengths) {
    for (const unsigned length : lengths) ++counts_[length];
    counts_[0] = 0;
    std::array<std::size_t, longest_code + 2> places{};
    std::int64_t left = 1;  // words of the length at hand that are not taken
    for (std::size_t length = 1; length <= longest_code; ++length) {
      left = 2 * left - static_cast<std::int64_t>(counts_[length]);
      if (left < 0) throw Broken();
      places[length + 1] = places[length] + counts_[length];
    }
    symbols_.resize(places[longest_code + 1]);
    for (std::size_t symbol = 0; symbol < lengths.size(); ++symbol) {
      if (lengths[symbol] > 0) symbols_[places[lengths[symbol]]++] = static_cast<unsigned>(symbol);
    }
  }

  unsigned take(Bits& bits) const {
    std::size_t word = 0, first = 0, place = 0;  // the first word of this length, and where its symbol stands
    for (std::size_t length = 1; length <= longest_code; ++length) {
      word |= bits.take(1);
      if (word - first < counts_[length]) return symbols_[place + word - first];
      place += counts_[length];
      first = (first + counts_[length]) << 1;
      word <<= 1;
    }
    throw Broken();
  }

 private:
  std::array<std::size_t, longest_code + 1> counts_{};
  std::vector<unsigned> symbols_;
};

/// A length or a distance: the smallest one of its symbol, and how many bits more say which.
struct Range {
  unsigned least, bits;
};

void unpack_block(Bits& bits, const Code& literals, const Code& distances, std::size_t size, std::string& out) {
  static constexpr Range length_of[] = {{3, 0},  {4, 0},  {5, 0},  {6, 0},  {7, 0},  {8, 0},  {9, 0},  {10, 0}, {11, 1}, {13, 1}, {15, 1},  {17, 1},  {19, 2},  {23, 2}, {27, 2},
                                        {31, 2}, {35, 3}, {43, 3}, {51, 3}, {59, 3}, {67, 4}, {83, 4}, {99, 4}, {115, 4}, {131, 5}, {163, 5}, {195, 5}, {227, 5}, {258, 0}};
  static constexpr Range distance_of[] = {{1, 0},   {2, 0},   {3, 0},   {4, 0},   {5, 1},    {7, 1},    {9, 2},    {13, 2},   {17, 3},   {25, 3},   {33, 4},   {49, 4},    {65, 5},    {97, 5},    {129, 6},
                                          {193, 6}, {257, 7}, {385, 7}, {513, 8}, {769, 8}, {1025, 9}, {1537, 9}, {2049, 10}, {3073, 10}, {4097, 11}, {6145, 11}, {8193, 12}, {12289, 12}, {16385, 13}, {24577, 13}};
  constexpr unsigned end_of_block = 256;
  for (;;) {
    const unsigned symbol = literals.take(bits);
    if (symbol == end_of_block) return;
    if (symbol < end_of_block) {
      if (out.size() == size) throw Broken();
      out += static_cast<char>(symbol);
      continue;
    }
    const std::size_t which = symbol - end_of_block - 1;
    if (which >= std::size(length_of)) throw Broken();
    const std::size_t length = length_of[which].least + bits.take(length_of[which].bits);
    const unsigned far = distances.take(bits);
    if (far >= std::size(distance_of)) throw Broken();
    const std::size_t distance = distance_of[far].least + bits.take(distance_of[far].bits);
    if (distance > out.size() || length > size - out.size()) throw Broken();
    for (std::size_t k = 0; k < length; ++k) out += out[out.size() - distance];  // it may run into what it writes
  }
}

void unpack_fixed(Bits& bits, std::size_t size, std::string& out) {
  std::vector<unsigned> lengths(most_literals, 8);
  std::fill(lengths.begin() + 144, lengths.begin() + 256, 9);
  std::fill(lengths.begin() + 256, lengths.begin() + 280, 7);
  unpack_block(bits, Code(lengths), Code(std::vector<unsigned>(most_distances, 5)), size, out);
}

void unpack_with_own_codes(Bits& bits, std::size_t size, std::string& out) {
  static constexpr std::size_t order[] = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
  constexpr unsigned repeat = 16, few_zeros = 17;
  const std::size_t literals = 257 + bits.take(5), distances = 1 + bits.take(5), words = 4 + bits.take(4);
  if (literals > most_literals - 2 || distances > most_distances) throw Broken();
  std::vector<unsigned> own(std::size(order)), lengths;
  for (std::size_t k = 0; k < words; ++k) own[order[k]] = bits.take(3);
  const Code code(own);
  while (lengths.size() < literals + distances) {
    const unsigned symbol = code.take(bits);
    if (symbol < repeat) {
      lengths.push_back(symbol);
      continue;
    }
    if (symbol == repeat && lengths.empty()) throw Broken();
    const std::size_t count = symbol == repeat ? 3 + bits.take(2) : symbol == few_zeros ? 3 + bits.take(3) : 11 + bits.take(7);
    lengths.insert(lengths.end(), count, symbol == repeat ? lengths.back() : 0);
  }
  if (lengths.size() != literals + distances) throw Broken();
  const auto split = lengths.begin() + static_cast<std::ptrdiff_t>(literals);
  unpack_block(bits, Code({lengths.begin(), split}), Code({split, lengths.end()}), size, out);
}

void unpack_stored(Bits& bits, std::size_t size, std::string& out) {
  const std::string_view head = bits.take_bytes(4);
  const auto number = [&](std::size_t at) { return static_cast<std::size_t>(static_cast<unsigned char>(head[at])) | static_cast<std::size_t>(static_cast<unsigned char>(head[at + 1])) << 8; };
  if (number(0) != (number(2) ^ 0xffff) || number(0) > size - out.size()) throw Broken();
  out += bits.take_bytes(number(0));
}

}  // namespace

std::optional<std::string> inflated(std::string_view packed, std::size_t size) {
  if (size / most_inflated > packed.size()) return std::nullopt;  // before memory is asked for
  std::string out;
  out.reserve(size);
  Bits bits(packed);
  try {
    for (bool last = false; !last;) {
      last = bits.take(1) == 1;
      switch (bits.take(2)) {
        case 0: unpack_stored(bits, size, out); break;
        case 1: unpack_fixed(bits, size, out); break;
        case 2: unpack_with_own_codes(bits, size, out); break;
        default: return std::nullopt;
      }
    }
  } catch (const Broken&) {
    return std::nullopt;
  }
  return out.size() == size ? std::optional(std::move(out)) : std::nullopt;
}

}  // namespace foldproof::weights
