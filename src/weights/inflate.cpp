// SPDX-License-Identifier: MIT
#include "weights/inflate.hpp"

#include <zlib.h>

#include <algorithm>
#include <limits>

namespace foldproof::weights {

std::optional<std::string> inflated(std::string_view packed, std::size_t size) {
  if (size / most_inflated > packed.size()) return std::nullopt;  // before memory is asked for
  std::string bytes(size, '\0');
  z_stream stream{};
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) return std::nullopt;  // negative: without a header of its own
  constexpr std::size_t most_at_once = std::numeric_limits<uInt>::max();
  Bytef none = 0;  // what holds nothing still has an end
  std::size_t read = 0, written = 0;
  int state = Z_OK;
  while (state == Z_OK) {
    const auto left = static_cast<uInt>(std::min(packed.size() - read, most_at_once)), room = static_cast<uInt>(std::min(size - written, most_at_once));
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data() + read));  // NOLINT: zlib only reads it
    stream.next_out = room > 0 ? reinterpret_cast<Bytef*>(bytes.data() + written) : &none;
    stream.avail_in = left;
    stream.avail_out = room;
    state = inflate(&stream, Z_NO_FLUSH);  // Z_BUF_ERROR where it gets no further
    read += left - stream.avail_in;
    written += room - stream.avail_out;
  }
  inflateEnd(&stream);
  if (state != Z_STREAM_END || written != size || read != packed.size()) return std::nullopt;
  return bytes;
}

}  // namespace foldproof::weights
