// SPDX-License-Identifier: MIT
#include "expr/nearest.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace foldproof::expr {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  constexpr std::size_t longest = 256;  // names come from files; a hostile one must not cost quadratic time
  a = a.substr(0, longest);
  b = b.substr(0, longest);
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row.back();
}

std::vector<std::string> nearest(std::string_view word, const std::vector<std::string>& candidates, std::size_t count) {
  std::vector<std::pair<std::size_t, std::size_t>> order;  // (distance, position)
  for (std::size_t i = 0; i < candidates.size(); ++i) order.emplace_back(edit_distance(word, candidates[i]), i);
  std::sort(order.begin(), order.end());
  std::vector<std::string> out;
  for (std::size_t i = 0; i < std::min(count, order.size()); ++i) out.push_back(candidates[order[i].second]);
  return out;
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates, std::size_t count) {
  const std::vector<std::string> near = nearest(word, candidates, count);
  std::string out;
  for (std::size_t i = 0; i < near.size(); ++i) {
    if (i > 0) out += i + 1 == near.size() ? " or " : ", ";
    out += "`" + near[i] + "`";
  }
  return out.empty() ? out : "did you mean " + out + "?";
}

}  // namespace foldproof::expr
