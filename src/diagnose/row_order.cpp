// SPDX-License-Identifier: MIT
#include "diagnose/row_order.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "diagnose/side_values.hpp"
#include "diagnose/stored_side.hpp"
#include "expr/build.hpp"
#include "infer/is_operator.hpp"
#include "numeric/random.hpp"
#include "read/parse.hpp"

namespace foldproof::diagnose {

namespace {

constexpr std::int64_t none = -1;

/// A side as a matrix whose rows are looked up: its own rows, or its columns; of a tensor of more axes what is there at each index of the first.
struct Rows {
  std::int64_t count = 0, length = 0;
  std::vector<double> values;
  std::vector<double> errors;  ///< of what is computed, beside the roundings of storage

  const double* row(std::int64_t i) const { return values.data() + i * length; }
};

std::optional<Rows> rows_of(const std::optional<campaign::Evaluated>& side, bool columns) {
  if (!side || side->shape.empty() || (side->shape.size() < 2 && columns) || (columns && side->shape.size() > 2)) return std::nullopt;
  const std::int64_t count = side->shape[0], length = static_cast<std::int64_t>(side->entries.size()) / count;
  Rows out{columns ? length : count, columns ? count : length, {}, {}};
  out.values.resize(side->entries.size());
  out.errors.resize(side->entries.size());
  for (std::size_t k = 0; k < side->entries.size(); ++k) {
    const auto i = static_cast<std::int64_t>(k) / length, j = static_cast<std::int64_t>(k) % length;
    const auto at = static_cast<std::size_t>(columns ? j * out.length + i : static_cast<std::int64_t>(k));
    out.values[at] = side->entries[k].value;
    out.errors[at] = side->entries[k].bound;
  }
  return out;
}

/// How far apart numbers may be that differ by two roundings of storage, and by the bounds of both.
struct Tolerance {
  double unit_roundoff = 0, eta = 0;

  double of(const Rows& a, const Rows& b, std::int64_t i, std::int64_t j, std::int64_t k) const {
    const auto at = static_cast<std::size_t>(i * a.length + k), there = static_cast<std::size_t>(j * b.length + k);
    return 2 * (unit_roundoff * std::max(std::abs(a.values[at]), std::abs(b.values[there])) + eta) + a.errors[at] + b.errors[there];
  }
  bool same(const Rows& a, const Rows& b, std::int64_t i, std::int64_t j) const {
    for (std::int64_t k = 0; k < a.length; ++k) {
      if (!(std::abs(a.row(i)[k] - b.row(j)[k]) <= of(a, b, i, j, k))) return false;
    }
    return true;
  }
};

/// For each row of `right` a row of `left` that it is; none where it is none. Rows are first compared by one product with a random vector.
/// Of several rows the one that continues a run is taken, else that of the same number, else the first.
std::vector<std::int64_t> places(const Rows& left, const Rows& right, const Tolerance& tolerance) {
  std::vector<double> direction(static_cast<std::size_t>(left.length));
  for (std::size_t k = 0; k < direction.size(); ++k) direction[k] = 1 + numeric::dyadic(numeric::draw(0, 0, k, 0), 20) / 2;
  const auto product = [&](const Rows& rows, std::int64_t i) { return std::inner_product(direction.begin(), direction.end(), rows.row(i), 0.0); };
  std::vector<std::pair<double, std::int64_t>> sorted;
  for (std::int64_t i = 0; i < left.count; ++i) sorted.emplace_back(product(left, i), i);
  std::sort(sorted.begin(), sorted.end());
  std::vector<std::int64_t> out;
  for (std::int64_t j = 0; j < right.count; ++j) {
    double reach = 0, size = 0;
    for (std::int64_t k = 0; k < right.length; ++k) {
      const double w = direction[static_cast<std::size_t>(k)], v = std::abs(right.row(j)[k]);
      reach += w * 2.5 * (tolerance.unit_roundoff * v + tolerance.eta + right.errors[static_cast<std::size_t>(j * right.length + k)]);
      size += w * v;
    }
    reach += size * 0x1p-40;
    const double p = product(right, j);
    const std::int64_t next = out.empty() || out.back() == none ? none : out.back() + 1;
    std::int64_t found = none;
    for (auto at = std::lower_bound(sorted.begin(), sorted.end(), std::pair(p - reach, std::int64_t{0})); at != sorted.end() && at->first <= p + reach; ++at) {
      const std::int64_t i = at->second;
      const bool better = found == none || i == next || (found != next && (i == j || (found != j && i < found)));
      if (better && tolerance.same(left, right, i, j)) found = i;
    }
    out.push_back(found);
  }
  return out;
}

/// Rows to, to + 1, ... are the rows from, from + 1, ...
struct Run {
  std::int64_t to, from, length;
};
std::vector<Run> runs_of(const std::vector<std::int64_t>& rows) {
  std::vector<Run> out;
  for (std::int64_t j = 0; j < static_cast<std::int64_t>(rows.size()); ++j) {
    const std::int64_t i = rows[static_cast<std::size_t>(j)];
    const bool continues = !out.empty() && (i == none ? out.back().from == none : out.back().from != none && i == out.back().from + out.back().length);
    if (continues) {
      ++out.back().length;
    } else {
      out.push_back({j, i, 1});
    }
  }
  return out;
}

std::string range(std::int64_t begin, std::int64_t length) { return fmt::format("{}:{}", begin, begin + length); }

/// Orders that the language can say: slices one below the other; blocks backwards; blocks by their place in a group, not by group.
void patterns(const expr::Claim& sized, bool columns, const std::vector<Run>& runs, std::int64_t count, std::int64_t length, std::vector<Mistake>& out) {
  constexpr std::size_t most_slices = 16;
  const char* what = columns ? "columns" : "rows";
  const std::string side = "(" + expr::text(columns ? expr::transposed(sized.lhs) : sized.lhs) + ")";
  const auto add = [&](const std::string& text, const std::string& change) {
    Mistake mistake{sized, change};
    mistake.claim.lhs = read::parse_expression(text);
    if (columns) mistake.claim.lhs = expr::transposed(mistake.claim.lhs);
    out.push_back(std::move(mistake));
  };
  if (runs.size() <= most_slices) {
    std::string text, order;
    for (std::size_t k = runs.size(); k-- > 0;) {
      const std::string slice = side + "[" + range(runs[k].from, runs[k].length) + "]";
      text = text.empty() ? slice : "vstack(" + slice + ", " + text + ")";
      order = range(runs[k].from, runs[k].length) + (order.empty() ? "" : ", ") + order;
    }
    add(text, fmt::format("with the {} in the order {}", what, order));
    return;
  }
  std::int64_t block = 0;
  for (const Run& run : runs) block = std::gcd(block, run.length);
  const std::int64_t blocks = count / block;
  if (runs.front().from == count - block && runs.back().from == 0)
    add(fmt::format("flip({}.reshape({}, {}, {}), axis=0).reshape({}, {})", side, blocks, block, length, count, length), fmt::format("with the {} blocks of {} {} backwards", blocks, block, what));
  for (std::int64_t group = 2; group < blocks; ++group) {
    if (blocks % group != 0) continue;
    add(fmt::format("{}.reshape({}, {}, {}, {}).transpose(1, 0, 2, 3).reshape({}, {})", side, group, blocks / group, block, length, count, length),
        fmt::format("with the {} blocks of {} {} in the order 0, {}, {}, ... {}, 1, {}, ...", blocks, block, what, blocks / group, 2 * (blocks / group), (group - 1) * (blocks / group), blocks / group + 1));
  }
}

std::string in_words(const std::vector<Run>& runs, bool columns) {
  constexpr std::size_t most = 8;
  std::string moved, missing;
  std::size_t said = 0;
  for (const Run& run : runs) {
    if (run.from == run.to || said == most) continue;
    ++said;
    if (run.from == none) {
      missing += (missing.empty() ? "" : ", ") + range(run.to, run.length);
    } else {
      moved += fmt::format("{}{} on the right are {} on the left", moved.empty() ? (columns ? "columns " : "rows ") : ", ", range(run.to, run.length), range(run.from, run.length));
    }
  }
  if (said == most) moved += ", and so on";
  if (missing.empty()) return moved;
  return fmt::format("{}{}{} on the right are nowhere on the left", moved, moved.empty() ? (columns ? "columns " : "rows ") : "; ", missing);
}

/// A vector whose entries stand elsewhere: shifted around its end, or in blocks that changed places, as heads of a bias do. Single entries of 16 bits are alike by
/// chance, and tell nothing by themselves.
RowOrder entry_order(const expr::Claim& claim, const campaign::GivenTensors& given, const Rows& from, const Rows& to, const Tolerance& tolerance) {
  constexpr std::int64_t shortest = 4;  // of a block, as of rows
  constexpr std::int64_t most = 20'000;  // entries, all of whose shifts are tried
  constexpr std::size_t most_slices = 16;
  RowOrder out;
  const std::int64_t n = from.count;
  const auto suggest = [&](const std::vector<Run>& runs, const std::string& change) {
    std::string text;
    const expr::Claim sized = with_given_sizes(claim, given);
    for (std::size_t k = runs.size(); k-- > 0;) {
      const std::string slice = "(" + expr::text(sized.lhs) + ")[" + range(runs[k].from, runs[k].length) + "]";
      text = text.empty() ? slice : "concat(" + slice + ", " + text + ")";
    }
    Mistake mistake{sized, change};
    mistake.claim.lhs = read::parse_expression(text);
    out.mistakes.push_back(std::move(mistake));
  };
  for (std::int64_t shift = 1; shift < n && n >= 2 * shortest && n <= most; ++shift) {
    std::int64_t j = 0;
    while (j < n && tolerance.same(from, to, (j + n - shift) % n, j)) ++j;
    if (j < n) continue;
    const bool back = 2 * shift > n;
    const std::int64_t by = back ? n - shift : shift;
    suggest({{0, n - shift, shift}, {shift, 0, n - shift}}, fmt::format("with the entries {} place{} {}, around the end", by, by == 1 ? "" : "s", back ? "back" : "further"));
    return out;
  }
  for (std::int64_t block = n / 2; block >= shortest && out.mistakes.empty(); --block) {
    if (n % block != 0) continue;
    Rows parts = from, others = to;
    parts.count = others.count = n / block;
    parts.length = others.length = block;
    std::vector<Run> runs = runs_of(places(parts, others, tolerance));
    if (runs.size() < 2 || runs.size() > most_slices || std::any_of(runs.begin(), runs.end(), [](const Run& r) { return r.from == none; })) continue;
    std::string order;
    for (Run& run : runs) {
      run = {run.to * block, run.from * block, run.length * block};
      order += (order.empty() ? "" : ", ") + range(run.from, run.length);
    }
    suggest(runs, "with the entries in the order " + order);
  }
  return out;
}

}  // namespace

RowOrder row_order(const expr::Claim& claim, const campaign::GivenTensors& given, const expr::DimValues& dims) {
  constexpr std::int64_t shortest = 4;            // shorter rows are alike by chance
  constexpr std::size_t most_entries = 20'000'000;  // of 60 bytes each
  RowOrder out;
  const auto left = value_of(claim, claim.lhs, given, dims), right = value_of(claim, claim.rhs, given, dims);
  if (!left || !right || left->shape != right->shape || left->entries.size() > most_entries) return out;
  // Codes of 4 and 8 bits are exact where something is computed of them.
  const infer::Problem problem = infer::elaborate(claim);
  const bool left_is_stored = infer::only_moves(problem.lhs), right_is_stored = infer::only_moves(problem.rhs);
  Tolerance tolerance;
  for (const auto& tensor : given) {
    const bool stored = (left_is_stored && mentions_variable(problem.lhs, tensor.first)) || (right_is_stored && mentions_variable(problem.rhs, tensor.first));
    if (tensor.second.format.empty() || ((left_is_stored || right_is_stored) && !stored)) continue;
    const numeric::FormatInfo& format = campaign::format_called(tensor.second.format);
    tolerance.unit_roundoff = std::max(tolerance.unit_roundoff, format.unit_roundoff);
    tolerance.eta = std::max(tolerance.eta, format.eta);
  }
  for (const bool columns : {false, true}) {
    const auto from = rows_of(left, columns), to = rows_of(right, columns);
    if (from && to && left->shape.size() == 1) return entry_order(claim, given, *from, *to, tolerance);
    if (!from || from->length < shortest) continue;
    const std::vector<Run> runs = runs_of(places(*from, *to, tolerance));
    std::int64_t found = 0, moved = 0;
    for (const Run& run : runs) {
      if (run.from != none) found += run.length;
      if (run.from != none && run.from != run.to) moved += run.length;
    }
    if (found == to->count && moved > 0) patterns(with_given_sizes(claim, given), columns, runs, to->count, to->length, out.mistakes);
    const bool tells = 2 * found >= to->count && (moved > 0 || found < to->count);
    if (tells && out.observation.empty()) out.observation = in_words(runs, columns);
  }
  return out;
}

}  // namespace foldproof::diagnose
