// SPDX-License-Identifier: MIT
// A claim about large fixed sizes as one about any: X: [n, d] for X: [n, 768]. What holds for all sizes holds for these.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "infer/problem.hpp"
#include "kernel/reduction.hpp"

namespace foldproof::repair {

/// Sizes from here on are named: at smaller ones everything is searched as it stands.
inline constexpr std::int64_t large_size = 9;
/// The largest size that a declaration states, or an assumption such as d == 4096; 0 where none does. `problem`: what the claim elaborates to.
std::int64_t largest_size(const expr::Claim& claim, const infer::Problem& problem);

struct NamedSizes {
  expr::Claim claim;                                          ///< with names for the numbers
  std::vector<std::pair<std::string, std::int64_t>> values;   ///< "d" is 768
  std::map<std::int64_t, expr::Expression> written;           ///< 768 is d, or h * k where 12 is h and 64 is k
};
/// "d for 768, h for 12".
std::string text(const NamedSizes& named);
/// The step from that claim to the one with these sizes.
kernel::Reduction reduction_of(const NamedSizes& named);
/// The claim about any sizes in the order of these: with n > k where n is 512 and k is 64, and n == m where both are 512.
expr::Claim in_order(const NamedSizes& named);

/// The claim without the numbers that its sizes are given, and with a name for the size of the blocks that it takes, or of the parts that it splits sizes into and takes one by one.
std::vector<NamedSizes> with_blocks_named(const expr::Claim& claim, const infer::Problem& problem);
/// Ways to name the sizes of the declarations: in blocks that the claim takes, and in the parts that it splits sizes into, small ones as well; then the large
/// sizes, the most general way first: each by itself; products such as 12 * 64 by their factors; multiples and sums of others by them. None where no size is
/// large.
std::vector<NamedSizes> with_named_sizes(const expr::Claim& claim, const infer::Problem& problem);
/// The same for small sizes, in blocks, each by itself, products by their factors, in the parts that they are split into, and even ones as twice another: what is true of any
/// size need not be written out entry by entry.
std::vector<NamedSizes> with_small_sizes_named(const expr::Claim& claim, const infer::Problem& problem);

}  // namespace foldproof::repair
