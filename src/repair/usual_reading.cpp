// SPDX-License-Identifier: MIT
#include "repair/usual_reading.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "expr/build.hpp"

namespace foldproof::repair {
namespace {

/// b, b1, b_q, bq, bias, q_bias: what is added to every row; gamma, beta, gain, g: what scales and shifts every feature.
bool names_a_vector(const std::string& name) {
  static const std::set<std::string> words = {"b", "bias", "beta", "gamma", "gain", "g"};
  const auto ends_with = [&](std::string_view end) { return name.size() > end.size() && name.ends_with(end); };
  const bool numbered = name.size() == 2 && name[0] == 'b' && std::string_view("0123456789qkvoQKVO").find(name[1]) != std::string::npos;
  return words.count(name) > 0 || numbered || name.rfind("b_", 0) == 0 || name.rfind("bias_", 0) == 0 || ends_with("_b") || ends_with("_bias");
}
bool names_a_number(const std::string& name) {
  static const std::set<std::string> words = {"alpha", "beta", "c", "eps", "gamma", "lam", "lamb", "lambda_", "s", "scale", "scaling", "T", "tau", "temp", "temperature"};
  return words.count(name) > 0;
}

using expr::Expression;
using expr::SyntaxKind;

/// Whether e mentions the name and no other tensor than such names.
bool is_made_of(const Expression& e, const std::string& name, const std::map<std::string, std::size_t>& lowered) {
  const std::function<bool(const Expression&)> only = [&](const Expression& x) { return (x->kind != SyntaxKind::name || lowered.count(x->name) > 0) && std::all_of(x->args.begin(), x->args.end(), only); };
  return expr::mentions(e, name) && only(e);
}

/// Whether the name stands where only a tensor of more axes makes sense: transposed, or, of a number, in a product of matrices or alone as the
/// operand of a function of tensors; of a vector, in a product with another vector.
bool is_used_as_more(const Expression& e, const std::string& name, bool number, const std::map<std::string, std::size_t>& lowered) {
  static const std::set<std::string> of_numbers = {"exp", "log", "sqrt", "rsqrt", "abs", "maximum", "minimum"};
  const bool here = std::any_of(e->args.begin(), e->args.end(), [&](const Expression& a) { return is_made_of(a, name, lowered); });
  const bool alone = here && e->args.size() == 2 && is_made_of(expr::node(SyntaxKind::add, e->args), name, lowered);
  const bool tensor = e->kind == SyntaxKind::transpose || (number && (e->kind == SyntaxKind::matmul || e->kind == SyntaxKind::index)) || (e->kind == SyntaxKind::matmul && alone) ||
                      (e->kind == SyntaxKind::call && number && of_numbers.count(e->name) == 0);
  if (here && tensor) return true;
  return std::any_of(e->args.begin(), e->args.end(), [&](const Expression& a) { return is_used_as_more(a, name, number, lowered); });
}
bool is_used_as_more(const expr::Claim& claim, const std::string& name, bool number, const std::map<std::string, std::size_t>& lowered) {
  const auto used = [&](const Expression& e) { return is_used_as_more(e, name, number, lowered); };
  return used(claim.lhs) || used(claim.rhs) || std::any_of(claim.definitions.begin(), claim.definitions.end(), [&](const auto& d) { return used(d.value); });
}

/// a*b <= a*b*c: nothing but sums and products of names and numbers.
bool is_arithmetic(const Expression& e) {
  static const std::set<SyntaxKind> kinds = {SyntaxKind::name, SyntaxKind::number, SyntaxKind::negate, SyntaxKind::add, SyntaxKind::subtract, SyntaxKind::multiply, SyntaxKind::divide, SyntaxKind::power};
  return kinds.count(e->kind) > 0 && std::all_of(e->args.begin(), e->args.end(), is_arithmetic);
}

/// The names of an inequality as the sizes of one more tensor.
std::optional<UsualReading> as_sizes(const expr::Claim& claim, const infer::Problem& problem) {
  constexpr std::size_t most = 8;
  const bool open = claim.definitions.empty() && claim.relation != expr::Relation::equal && std::none_of(problem.variables.begin(), problem.variables.end(), [](const auto& v) { return v.declared; });
  if (!open || problem.variables.empty() || problem.variables.size() > most || !is_arithmetic(claim.lhs) || !is_arithmetic(claim.rhs)) return std::nullopt;
  std::string named, listed, tensor = "W";
  for (const infer::Variable& v : problem.variables) {
    if (v.name == tensor) tensor += "_all";
    named += (named.empty() ? "`" : ", `") + v.name + "`";
    listed += (listed.empty() ? "" : ", ") + v.name;
  }
  const std::string shape = problem.variables[0].shape.empty() ? "a number" : expr::text(problem.variables[0].shape), declaration = tensor + ": [" + listed + "]";
  const bool one = problem.variables.size() == 1;
  return UsualReading{declaration + "; ", named + (one ? " is read as " : " are read as ") + shape + ", and as " + (one ? "a size" : "sizes") + " the claim is true; if " + (one ? "it is one" : "they are those") + " of a tensor, declare " + declaration};
}

}  // namespace

std::vector<UsualReading> usual_readings(const expr::Claim& claim, const infer::Problem& problem) {
  std::map<std::string, std::size_t> vectors, numbers;
  for (const infer::Variable& v : problem.variables) {
    if (v.declared) continue;
    if (names_a_vector(v.name) && v.shape.size() == 2 && !v.shape[0].is_one() && !v.shape[1].is_one()) vectors[v.name] = 1;
    if (names_a_number(v.name) && !v.shape.empty()) numbers[v.name] = 0;
  }
  const auto without_others = [&](std::map<std::string, std::size_t>& names, bool number) {
    const auto all = names;
    std::erase_if(names, [&](const auto& name) { return is_used_as_more(claim, name.first, number, all); });
  };
  without_others(vectors, false);
  without_others(numbers, true);
  auto both = vectors;
  both.insert(numbers.begin(), numbers.end());
  std::vector<UsualReading> found;
  if (auto sizes = as_sizes(claim, problem)) found.push_back(std::move(*sizes));
  std::set<std::map<std::string, std::size_t>> tried{{}};
  for (const auto& axes : {both, vectors, numbers}) {
    if (!tried.insert(axes).second) continue;
    try {
      UsualReading reading;
      const infer::Problem read = infer::elaborate(claim, axes);
      std::string general, usual;
      std::size_t names = 0;
      for (const infer::Variable& v : read.variables) {
        if (axes.count(v.name) == 0) continue;
        const auto as_inferred = std::find_if(problem.variables.begin(), problem.variables.end(), [&](const auto& x) { return x.name == v.name; });
        const auto join = [&](std::string& list, const expr::Shape& shape) { list += (list.empty() ? "" : ", ") + (shape.empty() ? "a number" : expr::text(shape)); };
        reading.declarations += v.name + ": " + expr::text(v.shape) + "; ";
        reading.note += (names++ == 0 ? "`" : ", `") + v.name + "`";
        join(general, as_inferred->shape);
        join(usual, v.shape);
      }
      reading.note += (names == 1 ? " is read as " : " are read as ") + general + ", and as " + usual + ", as " + (names == 1 ? "it is" : "they are") + " usually meant, the claim is true; declare " + reading.declarations.substr(0, reading.declarations.size() - 2);
      found.push_back(std::move(reading));
    } catch (const expr::Error&) {  // the sides fit only if they are more
    } catch (const expr::LimitReached&) {
    }
  }
  return found;
}

}  // namespace foldproof::repair
