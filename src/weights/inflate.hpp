// SPDX-License-Identifier: MIT
// Unpacks what deflate has packed, as numpy.savez_compressed does. The computation is zlib's.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace foldproof::weights {

/// No more bytes than this come of one packed byte.
inline constexpr std::size_t most_inflated = 1032;

/// The `size` bytes that were packed; nothing where `packed` is no deflate stream, or one of another size. Source: RFC 1951.
std::optional<std::string> inflated(std::string_view packed, std::size_t size);

}  // namespace foldproof::weights
