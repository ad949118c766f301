// SPDX-License-Identifier: MIT
#include "diagnose/held_format.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>
#include <vector>

#include "campaign/campaign.hpp"
#include "infer/is_operator.hpp"

namespace foldproof::diagnose {
namespace {

bool is_held(const campaign::GivenTensor& tensor, const numeric::FormatInfo& format) {
  return std::all_of(tensor.values.begin(), tensor.values.end(), [&](double v) { return campaign::rounded(v, format) == v; });
}

bool is_whole(const campaign::GivenTensor& tensor) {
  return std::all_of(tensor.values.begin(), tensor.values.end(), [](double v) { return v == std::floor(v); });
}

/// Sizes of numbers that need every digit of the format. A number of 24 digits ends in 13 zeros once in 2^13, so that eight of them are no accident. But
/// whole numbers, and steps of one size as those of fixed point, are numbers of many formats: of them only the largest need every digit, which
/// lie between two neighbouring powers of two. Numbers that were rounded to floats need them at all sizes.
class FormatEvidence {
 public:
  explicit FormatEvidence(const numeric::FormatInfo& format) : format_(format) {}

  void see(const campaign::GivenTensor& tensor) {
    if (is_whole(tensor)) return;
    for (auto v = tensor.values.begin(); v != tensor.values.end() && !is_enough(); ++v) {
      if (!needs_all_digits(*v)) continue;
      sizes_.insert(std::abs(*v));
      exponents_.insert(std::ilogb(*v));
    }
  }
  bool is_enough() const {
    constexpr std::size_t several = 8;
    return sizes_.size() >= several && exponents_.size() > 1;
  }

 private:
  bool needs_all_digits(double v) const { return v != 0 && std::isfinite(v) && std::fmod(std::ldexp(v, format_.precision - 1 - std::ilogb(v)), 2) != 0; }

  const numeric::FormatInfo& format_;
  std::set<double> sizes_;
  std::set<int> exponents_;
};

/// The variable, and what may stand for it where that is held, get the format.
void hold_as(run::Given& given, const std::string& name, const numeric::FormatInfo& format) {
  given.tensors.at(name).format = format.name;
  const auto others = given.others.find(name);
  if (others == given.others.end()) return;
  for (run::OtherTensor& other : others->second) {
    other.read = [read = std::move(other.read), &format] {
      campaign::GivenTensor tensor = read();
      if (storage(tensor).precision >= format.precision && is_held(tensor, format)) tensor.format = format.name;
      return tensor;
    };
  }
}

/// The tensors that may be stored results: of a side that only moves them; of two such sides either may be.
std::vector<std::set<std::string>> results(const infer::Problem& problem) {
  const campaign::OwnVariables own = campaign::own_variables(problem);
  const bool left = infer::only_moves(problem.lhs), right = infer::only_moves(problem.rhs);
  std::vector<std::set<std::string>> out;
  if (right && !own.right.empty()) out.push_back(own.right);
  if (left && !own.left.empty()) out.push_back(own.left);
  return out;
}

}  // namespace

std::string take_for_narrower(run::Given& given) {
  for (const auto* format : {&numeric::bfloat16_format, &numeric::float16_format}) {
    std::vector<std::string> names;
    std::set<std::string> stored;
    FormatEvidence evidence(*format);
    for (const auto& [name, tensor] : given.tensors) {
      if (storage(tensor).is_narrow()) continue;
      names.push_back(name);
      stored.emplace(storage(tensor).name);
      evidence.see(tensor);
    }
    if (!evidence.is_enough()) continue;
    const auto fits = [&](const campaign::GivenTensor& t) { return (!storage(t).is_narrow() || storage(t).precision <= format->precision) && is_held(t, *format); };
    if (!std::all_of(given.tensors.begin(), given.tensors.end(), [&](const auto& t) { return fits(t.second); })) continue;  // a float16 is no bfloat16 that was saved in more
    for (auto& [name, tensor] : given.tensors) {  // integers were read as the narrowest format that holds them, perhaps bfloat16 beside float16
      if (storage(tensor).precision >= numeric::bfloat16_format.precision && is_whole(tensor)) tensor.format = format->name;
    }
    for (const std::string& name : names) hold_as(given, name, *format);
    return fmt::format("every number of {} is a {}, though stored as {}: as after 16 bits were saved with more digits, so the answer is that of {} files", fmt::join(names, ", "), format->name, fmt::join(stored, ", "), format->name);
  }
  return "";
}

std::string take_result_for_narrower(run::Given& given, const infer::Problem& problem) {
  for (const std::set<std::string>& names : results(problem)) {
    for (const auto* format : {&numeric::bfloat16_format, &numeric::float16_format, &numeric::float32_format}) {  // the fewest digits first
      std::vector<std::string> held;
      std::set<std::string> stored;
      for (const std::string& name : names) {
        const auto at = given.tensors.find(name);
        if (at == given.tensors.end() || storage(at->second).precision <= format->precision) continue;
        FormatEvidence evidence(*format);
        evidence.see(at->second);
        if (!evidence.is_enough() || !is_held(at->second, *format)) continue;
        held.push_back(name);
        stored.emplace(storage(at->second).name);
      }
      if (held.empty()) continue;
      for (const std::string& name : held) hold_as(given, name, *format);
      std::vector<std::string> finer;
      for (const auto& [name, tensor] : given.tensors) {
        if (names.count(name) == 0 && storage(tensor).precision > format->precision && !is_held(tensor, *format)) finer.push_back(name);
      }
      return fmt::format("every number of {} is a {}, though stored as {}: as after it was computed in that format, or rounded to it{}, so the answer is that of a {} tensor", fmt::join(held, ", "), format->name, fmt::join(stored, ", "),
                         finer.empty() ? "" : fmt::format(", by which digits of {} were lost", fmt::join(finer, ", ")), format->name);
    }
  }
  return "";
}

std::string take_result_for_twice_rounded(run::Given& given, const infer::Problem& problem) {
  const auto tiny = [](double v) { return v != 0 && std::abs(v) < 0x1p-14; };  // a subnormal number of float16
  // A bfloat16 of eight digits is a multiple of 2^-24 from 2^-17 on; below, each halving makes that half as likely by accident.
  const auto halvings = [](double v) { return v == 0 ? 0 : std::max(0, -17 - std::ilogb(v)); };
  constexpr int enough = 12;
  for (const std::set<std::string>& names : results(problem)) {
    std::vector<std::string> held;
    int evidence = 0;
    for (const std::string& name : names) {
      const auto at = given.tensors.find(name);
      if (at == given.tensors.end() || storage(at->second).name != numeric::bfloat16_format.name || !is_held(at->second, numeric::float16_format)) continue;
      const std::vector<double>& values = at->second.values;
      const auto subnormal = std::count_if(values.begin(), values.end(), tiny), zeros = std::count(values.begin(), values.end(), 0.0);
      if (2 * (subnormal + zeros) > static_cast<std::ptrdiff_t>(values.size())) continue;
      for (const double v : values) evidence = std::min(enough, evidence + halvings(v));
      held.push_back(name);
    }
    if (held.empty() || evidence < enough) continue;
    for (const std::string& name : held) given.tensors.at(name).format = numeric::bfloat16_of_float16.name;
    return fmt::format("every number of {} is a float16, and those below the normal ones are multiples of its least number, though stored as bfloat16: as after it was computed in float16, or rounded to it, so the answer is that of such a tensor", fmt::join(held, ", "));
  }
  return "";
}

}  // namespace foldproof::diagnose
