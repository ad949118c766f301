// SPDX-License-Identifier: MIT
#include "run/vectors.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "campaign/bounded.hpp"
#include "campaign/exact_lane.hpp"
#include "campaign/sides.hpp"
#include "numeric/evaluate.hpp"
#include "numeric/undefined.hpp"
#include "numeric/wide.hpp"
#include "read/parse.hpp"
#include "run/exact_number.hpp"
#include "run/report_json.hpp"

namespace foldproof::run {

namespace {

using numeric::Exact;
using numeric::Interval;
using numeric::Tensor;
using numeric::Wide;

template <class T>
using Inputs = std::map<std::string, Tensor<T>>;

/// The values of both sides; nullopt when this number type cannot hold them, or some side has none.
template <class T>
std::optional<std::pair<Tensor<T>, Tensor<T>>> sides(const infer::Problem& problem, const expr::DimValues& dims, const Inputs<T>& inputs) {
  try {
    const numeric::Instance<T> instance{dims, inputs};
    return std::pair(numeric::evaluate(problem.lhs, instance), numeric::evaluate(problem.rhs, instance));
  } catch (const numeric::NeedsReals&) {
    return std::nullopt;
  } catch (const numeric::Undefined&) {
    return std::nullopt;
  }
}

[[noreturn]] void contradiction(const std::string& what) { throw expr::InternalError("golden vectors: " + what); }

std::vector<std::string> exact_texts(const Tensor<Exact>& tensor) {
  std::vector<std::string> out;
  for (const Exact& v : tensor.values) out.push_back(v.text());
  return out;
}

std::vector<std::string> float_texts(const std::vector<double>& values) {
  std::vector<std::string> out;
  for (const double v : values) out.push_back(campaign::hex(v == 0 ? 0 : v));  // no negative zero
  return out;
}

bool all_integers(const Tensor<Exact>& tensor) {
  for (const Exact& v : tensor.values) {
    if (!v.is_rational() || !v.coefficient(0).is_integer() || std::abs(v.to_double()) >= 0x1p24) return false;
  }
  return true;
}

/// Different from entry to entry, so that a wrong layout shows.
bool tells_something(const Tensor<Exact>& tensor) {
  std::size_t different = 0;
  for (std::size_t i = 1; i < tensor.values.size(); ++i) different += tensor.values[i] != tensor.values[0];
  return tensor.values.size() == 1 || different * 2 >= tensor.values.size();
}

/// Sizes that differ from each other; the first draws are the ones to be liked.
std::optional<expr::DimValues> sizes_of(const infer::Problem& problem, const std::string& id, int turn) {
  static const std::vector<std::vector<std::int64_t>> choices = {{3, 4, 2, 5, 6, 7}, {2, 4, 3, 5, 6, 7}, {3, 2, 4, 5, 6, 7}, {4, 3, 2, 5, 6, 7}, {2, 3, 4, 5, 6, 7}, {4, 2, 3, 5, 6, 7}};
  const auto& choice = choices[static_cast<std::size_t>(turn) % choices.size()];
  expr::DimValues dims;
  std::size_t next = 0;
  for (const std::string& name : problem.dimensions) dims[name] = name == "h" || name == "g" || name == "q" ? 2 : choice[std::min(next++, choice.size() - 1)];
  return campaign::Sampler(problem, 1, id, dims).sizes(0, false);
}

record::Vector vector_of(const std::string& lane, const expr::DimValues& dims) {
  record::Vector v;
  v.lane = lane;
  v.dims = {dims.begin(), dims.end()};
  return v;
}

/// Small integers, where `logarithmic` times `scale` log(2).
std::optional<record::Vector> exact_vector(const infer::Problem& problem, const expr::DimValues& dims, const campaign::Values& drawn, std::size_t logarithmic, std::int64_t scale) {
  Inputs<Exact> inputs;
  for (std::size_t k = 0; k < problem.variables.size(); ++k) {
    const bool logs = (logarithmic >> k & 1) != 0;
    inputs[problem.variables[k].name] = numeric::converted<Exact>(drawn.at(problem.variables[k].name), [&](double v) {
      const auto q = numeric::Rational::from_double(v);
      return logs ? Exact::log_two(q * numeric::Rational(scale)) : Exact(q);
    });
  }
  if (!std::all_of(inputs.begin(), inputs.end(), [](const auto& input) { return tells_something(input.second); })) return std::nullopt;
  const auto both = sides(problem, dims, inputs);
  if (!both || !tells_something(both->first)) return std::nullopt;
  if (both->first != both->second) contradiction("the sides differ in rationals");
  record::Vector v = vector_of("exact", dims);
  bool integers = all_integers(both->first) && logarithmic == 0;
  bool fractions = false;
  for (const Exact& value : both->first.values) {
    if (!value.is_rational()) return std::nullopt;
    fractions = fractions || numeric::Rational::from_double(value.to_double()) != value.coefficient(0);
  }
  const infer::Term roots[] = {problem.lhs, problem.rhs};
  integers = integers && campaign::exact_bits(numeric::Program(roots, dims), numeric::float32_format) >= 2;
  for (const infer::Variable& variable : problem.variables) v.inputs.push_back({variable.name, inputs.at(variable.name).shape, exact_texts(inputs.at(variable.name))});
  v.expected = {"expected", both->first.shape, exact_texts(both->first)};
  if (integers) v.flags.push_back("integers");
  if (logarithmic != 0) v.flags.push_back("logarithms");
  if (fractions) v.flags.push_back("fractions");
  v.flags.push_back("other-side");
  return v;
}

/// Which variables are multiples of log(2), and how many draws are worth trying.
struct Attempt {
  std::size_t logarithmic = 0;
  std::int64_t scale = 1;
  std::int64_t draws = 8;
};

/// No logarithms first, then as few variables of them as will do; last, many draws for roots of sums of squares, which are rational by
/// chance only.
std::vector<Attempt> attempts(std::size_t variables) {
  std::vector<std::size_t> subsets;
  for (std::size_t s = 1; s < std::size_t{1} << std::min<std::size_t>(variables, 6); ++s) subsets.push_back(s);
  std::stable_sort(subsets.begin(), subsets.end(), [](std::size_t a, std::size_t b) { return __builtin_popcountll(a) < __builtin_popcountll(b); });
  std::vector<Attempt> out{Attempt{}};
  for (const std::size_t subset : subsets) {
    for (const std::int64_t scale : {1, 2, 4}) out.push_back({subset, scale, 8});
  }
  out.push_back({0, 1, 2000});
  return out;
}

/// The first instance whose sides are rational.
std::optional<record::Vector> find_exact(const infer::Problem& problem, const std::string& id, std::uint64_t seed) {
  for (int turn = 0; turn < 6; ++turn) {
    const auto dims = sizes_of(problem, id, turn);
    if (!dims) continue;
    const campaign::Sampler sampler(problem, seed, id, *dims);
    for (const Attempt& attempt : attempts(problem.variables.size())) {
      for (std::int64_t index = 0; index < attempt.draws; ++index) {
        const auto drawn = sampler.values(index, *dims, {&numeric::float64_format, 2, false});
        auto found = drawn ? exact_vector(problem, *dims, *drawn, attempt.logarithmic, attempt.scale) : std::nullopt;
        if (found) return found;
      }
    }
  }
  return std::nullopt;
}

struct Truth {
  std::vector<std::int64_t> shape;
  std::vector<double> values;  ///< rounded once
  bool rational = false;
};

/// The true value at these inputs. Errors: expr::Error when it is not known.
Truth truth(const infer::Problem& problem, const expr::DimValues& dims, const campaign::Values& inputs) {
  Inputs<Exact> exact;
  Inputs<Wide> wide;
  Inputs<Interval> enclosures;
  for (const auto& [name, tensor] : inputs) {
    exact[name] = numeric::converted<Exact>(tensor, [](double v) { return Exact(numeric::Rational::from_double(v)); });
    wide[name] = numeric::converted<Wide>(tensor, [](double v) { return Wide::from_double(v); });
    enclosures[name] = numeric::converted<Interval>(tensor, [](double v) { return Interval(v); });
  }
  Truth out;
  if (const auto both = sides(problem, dims, exact)) {
    if (both->first != both->second) contradiction("the sides differ in rationals");
    out.rational = true;
    out.shape = both->first.shape;
    for (const Exact& v : both->first.values) out.values.push_back(v.to_double());
    return out;
  }
  const auto both = sides(problem, dims, wide);
  const auto enclosed = sides(problem, dims, enclosures);
  if (!both || !enclosed) expr::fail("vectors.value", "the claim has no value that 100 digits and an enclosure can tell", {});
  out.shape = both->first.shape;
  for (std::size_t i = 0; i < both->first.values.size(); ++i) {
    const double v = both->first.values[i].to_double();
    const double other = both->second.values[i].to_double();
    const auto inside = [&](const Interval& e) { return e.lower() <= v && v <= e.upper(); };
    // Different orders of 100 digits may round to two neighbours, and more only by a mistake.
    if (std::abs(v - other) > std::abs(v) * 0x1p-52 + 0x1p-200) contradiction("the sides differ with 100 digits");
    if (!inside(enclosed->first.values[i]) || !inside(enclosed->second.values[i])) contradiction("a value outside its enclosure");
    out.values.push_back(v);
  }
  return out;
}

/// A side as computed in a format, with the bound on its rounding errors.
struct Computed {
  std::vector<double> values;
  std::vector<double> bounds;
};

template <class T>
Computed computed(const infer::Term& side, const expr::DimValues& dims, const campaign::Values& inputs, const numeric::FormatInfo& format) {
  const infer::Term roots[] = {side};
  campaign::BoundedMachine<T> machine(std::make_shared<const numeric::Program>(roots, dims), format);
  std::map<std::string, campaign::BoundedTensor<T>> rounded;
  for (const auto& [name, tensor] : inputs) {
    campaign::round_to(format, tensor, rounded[name]);
    machine.set(machine.step_of(name), rounded[name]);
  }
  const auto& result = machine.run();
  Computed out;
  for (std::size_t i = 0; i < result.size(); ++i) {
    out.values.push_back(static_cast<double>(result.values[i]));
    out.bounds.push_back(result.at(i).error);
  }
  return out;
}

Computed computed(const infer::Term& side, const expr::DimValues& dims, const campaign::Values& inputs, const numeric::FormatInfo& format) {
  return format.name == numeric::float64_format.name ? computed<double>(side, dims, inputs, format) : computed<float>(side, dims, inputs, format);
}

record::Vector float_vector(const infer::Problem& problem, const expr::DimValues& dims, const campaign::Values& inputs, const numeric::FormatInfo& format) {
  const Truth expected = truth(problem, dims, inputs);
  record::Vector v = vector_of(std::string(format.name), dims);
  for (const infer::Variable& variable : problem.variables) v.inputs.push_back({variable.name, inputs.at(variable.name).shape, float_texts(inputs.at(variable.name).values)});
  v.expected = {"expected", expected.shape, float_texts(expected.values)};
  std::vector<double> bounds(expected.values.size(), 0);
  for (const infer::Term& side : {problem.lhs, problem.rhs}) {
    const Computed c = computed(side, dims, inputs, format);
    for (std::size_t i = 0; i < bounds.size(); ++i) {
      const double rounding = std::abs(expected.values[i]) * 0x1p-53;
      bounds[i] = std::max(bounds[i], (c.bounds[i] + rounding) * (1 + 0x1p-50));
      if (!(std::abs(c.values[i] - expected.values[i]) <= bounds[i])) contradiction("a side computed in " + v.lane + " is beyond its bound");
      if (!std::isfinite(bounds[i])) expr::fail("vectors.bound", "the claim has no finite bound in " + v.lane, {});
    }
  }
  v.bound = record::TensorText{"bound", expected.shape, float_texts(bounds)};
  v.flags = {expected.rational ? "rational" : "digits-100", "other-side"};
  return v;
}

double float_of(const std::string& text) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != '\0' || !std::isfinite(value)) expr::fail("vectors.value", "`" + text.substr(0, 40) + "` is no finite float", {});
  return value;
}

Replay replay_exact(const infer::Problem& problem, const record::Vector& vector) {
  Inputs<Exact> inputs;
  for (const record::TensorText& t : vector.inputs) {
    Tensor<Exact> tensor{t.shape, {}};
    for (const std::string& value : t.values) tensor.values.push_back(exact_number(value));
    inputs[t.name] = std::move(tensor);
  }
  const auto both = sides(problem, {vector.dims.begin(), vector.dims.end()}, inputs);
  if (!both) return {true, "a side has no exact value"};
  for (const auto* side : {&both->first, &both->second}) {
    const std::string name = side == &both->first ? "lhs" : "rhs";
    if (side->shape != vector.expected.shape) return {true, name + " has another shape"};
    for (std::size_t i = 0; i < side->values.size(); ++i) {
      if (side->values[i] != exact_number(vector.expected.values[i]))
        return {true, name + " is " + side->values[i].text() + " at entry " + std::to_string(i) + ", expected " + vector.expected.values[i]};
    }
  }
  return {false, "both sides are exactly as expected"};
}

Replay replay_float(const infer::Problem& problem, const record::Vector& vector) {
  campaign::Values inputs;
  for (const record::TensorText& t : vector.inputs) {
    Tensor<double> tensor{t.shape, {}};
    for (const std::string& value : t.values) tensor.values.push_back(float_of(value));
    inputs[t.name] = std::move(tensor);
  }
  const expr::DimValues dims{vector.dims.begin(), vector.dims.end()};
  const Truth expected = truth(problem, dims, inputs);
  if (expected.shape != vector.expected.shape) return {true, "the sides have another shape"};
  double worst = 0;
  for (const infer::Term& side : {problem.lhs, problem.rhs}) {
    const Computed c = computed(side, dims, inputs, campaign::format_called(vector.lane));
    for (std::size_t i = 0; i < expected.values.size(); ++i) {
      const double stored = float_of(vector.expected.values[i]);
      if (stored != expected.values[i]) return {true, "the true value at entry " + std::to_string(i) + " is " + campaign::hex(expected.values[i]) + ", expected " + campaign::hex(stored)};
      const double bound = float_of(vector.bound->values[i]);
      const double error = std::abs(c.values[i] - stored);
      if (!(error <= bound)) return {true, "computed " + campaign::hex(c.values[i]) + " at entry " + std::to_string(i) + ", beyond the bound of " + campaign::hex(stored)};
      if (error > 0) worst = std::max(worst, error / bound);
    }
  }
  return {false, "both sides within the bound, at most " + std::to_string(worst).substr(0, 5) + " of it"};
}

}  // namespace

record::VectorFile make_vectors(const record::ClaimRecord& claim, std::uint64_t seed) {
  const infer::Problem problem = infer::elaborate(read::parse_claim(claim.text));
  if (problem.relation != expr::Relation::equal || expectation(claim) != "proved")
    expr::fail("vectors.claim", claim.id + ": vectors are made of equations that hold", {}, "take the true neighbour of the claim");
  record::VectorFile file{claim.id, claim.title, claim.text, {}};
  if (auto exact = find_exact(problem, claim.id, seed)) file.vectors.push_back(std::move(*exact));
  const auto dims = sizes_of(problem, claim.id, 0);
  for (const numeric::FormatInfo& format : numeric::formats) {
    if (format.accumulates_narrowly()) continue;  // how others accumulate is not known, and the wider way has the tighter bound
    const campaign::Sampler sampler(problem, seed, claim.id, dims ? *dims : expr::DimValues{});
    const auto inputs = dims ? sampler.values(0, *dims, {&format, 0, false}) : std::nullopt;
    if (!inputs) expr::fail("vectors.claim", claim.id + ": no instance was found that satisfies the assumptions", {});
    file.vectors.push_back(float_vector(problem, *dims, *inputs, format));
  }
  for (record::Vector& v : file.vectors) v.sha256 = record::vector_digest(v);
  return file;
}

Replay replay(const record::VectorFile& file, const record::Vector& vector) {
  try {
    const infer::Problem problem = infer::elaborate(read::parse_claim(file.claim));
    return vector.lane == "exact" ? replay_exact(problem, vector) : replay_float(problem, vector);
  } catch (const expr::InternalError&) {
    throw;
  } catch (const std::exception& e) {
    return {true, std::string("cannot be replayed: ") + e.what()};
  }
}

}  // namespace foldproof::run
