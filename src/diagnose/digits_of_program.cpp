// SPDX-License-Identifier: MIT
#include "diagnose/digits_of_program.hpp"

#include <cmath>

namespace foldproof::diagnose {
namespace {

constexpr std::int64_t fewest = 8;  // entries that a program misses, of which a result that misses none says something
constexpr double few_times = 4;     // what is explained is a bound already, but of one program

/// Half the distance of neighbours in the format.
double half_unit(double stored, const numeric::FormatInfo& format) {
  return (stored == 0 ? 0 : format.unit_roundoff * std::ldexp(1.0, std::ilogb(stored))) + format.eta;
}

}  // namespace

bool Misses::shows_more_digits() const {
  constexpr std::int64_t times = 16;  // a program may round one step of many
  return stepwise >= fewest && times * slight <= stepwise && 2 * far <= stepwise;
}

std::optional<Misses> misses(const infer::Problem& problem, const campaign::GivenTensors& tensors, const expr::DimValues& dims, const numeric::FormatInfo& wide, const StoredSide& coarse) {
  const auto fine = stored_side(problem, tensors, dims, wide);
  if (!fine || fine->exact.size() != coarse.exact.size()) return std::nullopt;
  Misses out;
  std::size_t worst = 0;
  for (std::size_t i = 0; i < fine->exact.size(); ++i) {
    const double explained = half_unit(fine->stored[i], *fine->storage) + std::abs(fine->bound[i]);
    const double ratio = std::abs(fine->stored[i] - fine->exact[i]) / explained, stepwise = std::abs(campaign::rounded(coarse.stepwise[i], *fine->storage) - fine->exact[i]) / explained;
    if (!std::isfinite(ratio) || !std::isfinite(stepwise)) continue;
    ++out.entries;
    out.slight += ratio > 1 && ratio <= few_times;
    out.far += ratio > few_times;
    out.stepwise += stepwise > 1;
    if (ratio <= out.ratio) continue;
    out.ratio = ratio;
    worst = i;
  }
  out.worst = numeric::indices_of(static_cast<std::int64_t>(worst), fine->shape);
  return out;
}

}  // namespace foldproof::diagnose
