// SPDX-License-Identifier: MIT
// The sizes that a claim states as numbers: in declarations and formulas, as blocks that it takes and parts that it splits sizes into.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "infer/problem.hpp"
#include "repair/size_roles.hpp"

namespace foldproof::repair {

/// What `assume d == 4096` compares.
struct GivenSize {
  std::string name;
  std::int64_t size;
};
/// Nothing for other assumptions. `problem`: what the claim elaborates to.
std::optional<GivenSize> given_size(const infer::Problem& problem, const expr::Assumption& a);

/// The subscripts of a claim that take parts of tensors, as K[4*j:4*(j+1)] and K[j*(512//8):(j+1)*(512//8)] of blocks.
struct Parts {
  bool any = false;             ///< whether there are such that begin and end at numbers
  std::optional<std::int64_t> block;  ///< the largest size of which every product in them has a multiple, or as long as all of them are; else that of W.reshape(n, 8, 64) of which W[0] to W[7] are taken
  std::set<std::string> quotients;  ///< in them
  std::set<std::int64_t> counts;    ///< how many there are of those of a size with a name: 8 of x[:, 0*d:1*d] to x[:, 7*d:8*d]
  std::set<std::int64_t> first;     ///< so many entries are taken from the beginning: 10 of M[:10, :10]
};
Parts taken_parts(const expr::Claim& claim);

/// The sizes that the claim states, 2 or more.
struct Stated {
  std::set<std::int64_t> all, large;
  std::set<std::int64_t> places;  ///< that only stand in subscripts
  std::optional<std::int64_t> block;  ///< of which others are multiples
  std::set<std::string> quotients;    ///< that are its size, where not all of that value are: 8 // 4 beside 4 // 2
  bool as_many_blocks = false;        ///< as each of them has entries: 4 heads of 4, and a 4 may be either
  std::set<std::int64_t> made;        ///< that stand in zeros([n, 512]) and the like
  std::map<std::int64_t, std::int64_t> longer;  ///< than a size of which so many are taken: a mask of 1024 places, of which [:10, :10] is
  std::set<Role> apart;               ///< where a multiple of the block is another size
  bool roots = false;                 ///< the 64 of sqrt(64) is a size
  std::map<std::int64_t, std::pair<std::int64_t, std::int64_t>> split;  ///< 512 into 8 and 64, by view(n, 8, 64) or 512 // 8
};
/// Those from `least` on are large.
Stated stated_sizes(const expr::Claim& claim, const infer::Problem& problem, std::int64_t least, bool roots = false);

/// Whether a declaration, or an assumption such as n == 3, says that there is something of that size.
bool declares(const expr::Claim& claim, const infer::Problem& problem, std::int64_t size);
/// Whether the claim takes each of so many places of one tensor alone, as the W[0], W[1], ... of layers: of another number it would not say the same.
bool takes_each_place(const expr::Claim& claim, std::int64_t count);

/// The claim with `with` applied to every number outside of declarations, and `size` to those in them.
expr::Claim rewritten(const expr::Claim& claim, const infer::Problem& problem, const Rewriting& with, const std::function<expr::Dim(const expr::Dim&)>& size);
/// Shows e and everything in it.
void each_expression(const expr::Expression& e, const std::function<void(const expr::Expression&)>& see);
/// Writes these expressions, and sizes in declarations, where their names stand.
void write_sizes(expr::Claim& claim, const std::map<std::string, expr::Expression>& values, const std::map<std::string, expr::Dim>& sizes);
/// The claim with the number 512 for d where d == 512 is assumed, 512 // 8 for D where D == d // 8 is, and 512 for shape(x)[1] of x: [n, 512].
expr::Claim with_given_sizes_written(expr::Claim claim, const infer::Problem& problem);

}  // namespace foldproof::repair
