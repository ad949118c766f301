// SPDX-License-Identifier: MIT
#include "diagnose/fitted_reading.hpp"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <set>

#include "expr/syntax.hpp"
#include "read/parse.hpp"

namespace foldproof::diagnose {

bool mentions(const std::string& text, const std::string& name) {
  const auto is_word = [&](std::size_t i) { return i < text.size() && (std::isalnum(static_cast<unsigned char>(text[i])) != 0 || text[i] == '_'); };
  for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
    if (!(at > 0 && is_word(at - 1)) && !is_word(at + name.size())) return true;
  }
  return false;
}

namespace {

/// How tensors that the claim does not declare get the shapes that they have.
struct Reading {
  std::set<std::string> inferred;  ///< tensors that are left as the claim has them
  bool literal = false;            ///< sizes are the numbers that they are: reshape(q, 6, 8) of 48 x 1
  expr::DimValues sizes;           ///< of the names that the claim declares
  std::size_t nth = 0;             ///< of the names that are equally large
};

/// The claim with the shapes that its tensors have, for those that it does not declare: an axis of size 1 is broadcast, as in NumPy, and equal
/// sizes get the same name, one that the claim declares where it can be. Nothing when there is nothing to declare, or the claim cannot be read.
std::optional<std::string> with_shapes_of(const std::string& text, const run::Given& given, const Reading& reading) {
  std::optional<expr::Claim> claim;
  try {
    claim = read::parse_claim(text);
  } catch (const expr::Error&) {
    return std::nullopt;
  }
  std::set<std::string> declared_sizes;
  std::set<std::int64_t> literal_sizes;
  for (const auto& d : claim->declarations) {
    std::vector<std::string> names;
    for (const expr::Dim& axis : d.shape) {
      expr::collect_names(axis, names);
      if (axis.constant()) literal_sizes.insert(*axis.constant());
    }
    declared_sizes.insert(names.begin(), names.end());
  }
  const auto called = [&](std::int64_t size) {
    if (reading.literal) return expr::Dim(size);
    if (literal_sizes.count(size) > 0) return expr::Dim(size);
    std::vector<std::string> known;
    const expr::DimValues& sizes = reading.sizes;
    std::copy_if(declared_sizes.begin(), declared_sizes.end(), std::back_inserter(known), [&](const std::string& name) { return sizes.count(name) > 0 && sizes.at(name) == size; });
    if (!known.empty()) return expr::dim(known[std::min(reading.nth, known.size() - 1)]);
    // a name that the claim does not use
    std::string out = "n" + std::to_string(size);
    while (text.find(out) != std::string::npos) out += "_";
    return expr::dim(out);
  };
  bool any = false;
  for (const auto& [name, tensor] : given.tensors) {
    const bool declared = std::any_of(claim->declarations.begin(), claim->declarations.end(), [&variable = name](const auto& d) { return d.name == variable; });
    if (declared || reading.inferred.count(name) > 0 || !mentions(text, name)) continue;
    expr::Shape shape;
    for (const std::int64_t size : tensor.shape) shape.push_back(size == 1 ? expr::Dim(1) : called(size));
    claim->declarations.push_back({name, shape, {}});
    any = true;
  }
  for (const auto& [name, size] : reading.literal ? given.dims : expr::DimValues()) {
    if (mentions(text, name)) claim->assumptions.push_back({read::parse_expression(name), expr::Relation::equal, read::parse_expression(std::to_string(size)), {}});
  }
  return any ? std::optional(expr::text(*claim)) : std::nullopt;
}

/// Undeclared tensors whose axis of size 1 would make a size of the claim 1, as one bias row beside X: [n, d] would make it a single token:
/// NumPy broadcasts them.
std::set<std::string> would_be_rows(const infer::Problem& problem, const run::Given& given) {
  std::set<std::string> out;
  for (const infer::Variable& v : problem.variables) {
    const auto at = given.tensors.find(v.name);
    if (v.declared || at == given.tensors.end() || at->second.shape.size() != v.shape.size()) continue;
    for (std::size_t axis = 0; axis < v.shape.size(); ++axis) {
      if (at->second.shape[axis] == 1 && v.shape[axis].as_symbol()) out.insert(v.name);
    }
  }
  return out;
}

/// Nothing where the claim cannot be read.
std::optional<infer::Problem> read(const std::string& text) {
  try {
    return infer::elaborate(read::parse_claim(text));
  } catch (const expr::Error&) {
    return std::nullopt;
  } catch (const expr::LimitReached&) {
    return std::nullopt;
  }
}

}  // namespace

run::Given those_mentioned(const std::string& text, const run::Given& given) {
  run::Given out = given;
  const auto is_other = [&](const auto& named) { return !mentions(text, named.first); };
  std::erase_if(out.tensors, is_other);
  std::erase_if(out.others, is_other);
  std::erase_if(out.sources, is_other);
  std::erase_if(out.dims, is_other);
  std::erase_if(out.nonfinite, is_other);
  return out;
}

expr::DimValues sizes_left(const expr::DimValues& given, const infer::Problem& problem) {
  expr::DimValues left = given;
  std::erase_if(left, [&](const auto& size) {
    const std::string assumed = size.first + " == " + std::to_string(size.second);
    return std::any_of(problem.facts.begin(), problem.facts.end(), [&](const infer::Fact& f) { return f.kind == infer::FactKind::definition && f.text == assumed; });
  });
  return left;
}

std::string fitting_reading(const std::string& text, const run::Given& given) {
  constexpr std::size_t most_names = 4;  // declared sizes that are equally large
  const auto by_itself = read(text);
  const auto fits = [&](const infer::Problem& problem) { return campaign::fits(problem, given.tensors, sizes_left(given.dims, problem)); };
  const std::set<std::string> rows = by_itself ? would_be_rows(*by_itself, given) : std::set<std::string>();
  if (by_itself && fits(*by_itself) && rows.empty()) return text;
  std::vector<Reading> readings;
  for (const bool some : {true, false}) {
    if (some && !by_itself) continue;
    Reading reading;
    if (by_itself) reading.sizes = campaign::sizes_of(*by_itself, given.tensors);
    for (const auto& v : some ? by_itself->variables : std::vector<infer::Variable>()) {
      const auto at = given.tensors.find(v.name);
      if (at != given.tensors.end() && at->second.shape.size() == v.shape.size() && rows.count(v.name) == 0) reading.inferred.insert(v.name);
    }
    for (; reading.nth < most_names; ++reading.nth) readings.push_back(reading);
  }
  readings.push_back({.inferred = {}, .literal = true, .sizes = {}});
  std::optional<std::string> first_read;
  if (by_itself) first_read = text;
  std::set<std::string> tried;
  for (const Reading& reading : readings) {
    const auto shaped = with_shapes_of(text, given, reading);
    if (!shaped || !tried.insert(*shaped).second) continue;
    const auto problem = read(*shaped);
    if (problem && fits(*problem)) return *shaped;
    if (by_itself && fits(*by_itself)) continue;
    if (problem && !first_read) first_read = shaped;
  }
  return first_read.value_or(text);
}

}  // namespace foldproof::diagnose
