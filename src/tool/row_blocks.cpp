// SPDX-License-Identifier: MIT
#include "tool/row_blocks.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "diagnose/few_rows.hpp"
#include "diagnose/fitted_reading.hpp"
#include "expr/diagnostic.hpp"
#include "infer/problem.hpp"
#include "read/parse.hpp"
#include "tool/progress.hpp"

namespace foldproof::tool {

namespace {

constexpr std::int64_t most_at_once = 16'000'000;  // values of the largest tensor
constexpr std::int64_t most_diagnosed = 64'000'000;
constexpr std::int64_t values_of_block = 4'000'000;

bool has_large_ones(const run::Given& shapes) {
  return std::any_of(shapes.tensors.begin(), shapes.tensors.end(), [](const auto& t) { return weights::element_count(t.second.shape).value_or(most_at_once + 1) > most_at_once; });
}

std::optional<RowBlocks> blocks_of(const infer::Problem& problem, const run::Given& shapes, const GivenReader& reader, const std::string& star) {
  RowBlocks out{diagnose::variables_with_rows(problem)};
  if (!out.variables.empty() && shapes.dims.count(problem.lhs->shape.front().as_symbol()->name) > 0) return std::nullopt;  // --dim says how many rows there are
  const auto rows = out.variables.empty() ? std::nullopt : reader.rows(star, out.variables);
  if (!rows) return std::nullopt;
  out.rows = rows->first;
  out.fits_at_once = std::max<std::int64_t>(1, rows->second) <= most_diagnosed / rows->first;
  out.each = std::max<std::int64_t>(1, values_of_block / std::max<std::int64_t>(1, rows->second));
  return out;
}

/// Calls `look` with the tensors of each block and its rows, until it returns false.
void each_block(const GivenReader& reader, const std::string& star, const RowBlocks& blocks, const std::function<bool(run::Given&, std::int64_t, std::int64_t)>& look) {
  Progress progress;
  for (std::int64_t first = 0; first < blocks.rows; first += blocks.each) {
    const std::int64_t behind = std::min(first + blocks.each, blocks.rows);
    run::Given part = reader.read(star, blocks.variables, first, behind);
    const bool more = look(part, first, behind);
    progress.show(static_cast<std::size_t>(behind), static_cast<std::size_t>(blocks.rows));
    if (!more) break;
  }
  progress.finish();
}

}  // namespace

std::optional<RowBlocks> blocks_of_claim(const std::string& claim, const GivenReader& reader, const std::string& star) {
  try {
    const run::Given shapes = reader.shapes(star);
    return has_large_ones(shapes) ? blocks_of(infer::elaborate(read::parse_claim(diagnose::fitting_reading(claim, shapes))), shapes, reader, star) : std::nullopt;
  } catch (const expr::Error&) {
    return std::nullopt;
  }
}

std::optional<RowBlocks> blocks_of_expression(const std::string& expression, const GivenReader& reader, const std::string& star) {
  try {
    const run::Given shapes = reader.shapes(star);
    if (!has_large_ones(shapes)) return std::nullopt;
    infer::Problem problem = infer::elaborate(read::parse_claim(diagnose::fitting_reading(expression + " == 0", shapes)));  // the language has claims only
    problem.rhs = problem.lhs;
    return blocks_of(problem, shapes, reader, star);
  } catch (const expr::Error&) {
    return std::nullopt;
  }
}

diagnose::Check check_blocks(const GivenReader& reader, const std::string& star, const RowBlocks& blocks, const std::function<diagnose::Check(run::Given&)>& check, run::Given& given) {
  std::optional<diagnose::Check> worst;
  std::string rows;
  each_block(reader, star, blocks, [&](run::Given& part, std::int64_t first, std::int64_t behind) {
    diagnose::Check found = check(part);
    const bool answered = is_answered(found);
    const auto ratio = [](const diagnose::Check& c) { return c.result && c.result->answer() != nullptr ? c.result->answer()->worst.ratio : 0; };
    const auto is_worse = [&] { return found.answer == worst->answer ? ratio(found) > ratio(*worst) : diagnose::worst_of({*worst, found}) == found.answer; };
    if (!worst || !answered || is_worse()) {
      const bool good = found.answer == diagnose::Answer::equal || found.answer == diagnose::Answer::rounding;
      rows = good ? fmt::format("in blocks of {} rows", blocks.each) : fmt::format("of rows {}:{} of {}, the worst of blocks of {}{}", first, behind, blocks.rows, blocks.each, first > 0 ? "; places are counted from the first of them" : "");
      worst = std::move(found);
      given = std::move(part);
    }
    return answered && worst->answer != diagnose::Answer::bug;
  });
  worst->note += (worst->note.empty() ? "" : "; ") + rows;
  return std::move(*worst);
}

diagnose::Fold fold_blocks(const GivenReader& reader, const std::string& star, const RowBlocks& blocks, const std::string& expression, const std::string& format, std::vector<std::pair<std::string, std::string>>& sources) {
  diagnose::Fold whole;
  each_block(reader, star, blocks, [&](run::Given& part, std::int64_t first, std::int64_t behind) {
    diagnose::Fold rows = diagnose::fold(expression, part, first == 0 ? format : whole.format);
    if (first == 0) {
      whole = std::move(rows);
      sources = part.sources;
      for (auto& [variable, source] : sources) {
        if (blocks.variables.count(variable) > 0) source.resize(source.size() - fmt::format("[{}:{}]", first, behind).size());
      }
      return true;
    }
    whole.shape.front() += rows.shape.front();
    whole.values.insert(whole.values.end(), rows.values.begin(), rows.values.end());
    whole.certain += rows.certain;
    whole.lost += rows.lost;
    whole.largest_bound = std::max(whole.largest_bound, rows.largest_bound);
    return true;
  });
  return whole;
}

}  // namespace foldproof::tool
