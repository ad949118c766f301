// SPDX-License-Identifier: MIT
#include "repair/readings.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <set>
#include <vector>

#include "infer/names.hpp"
#include "infer/visit.hpp"
#include "program/token_lists.hpp"
#include "read/parse.hpp"

namespace foldproof::repair {
namespace {

void collect_sizes(const infer::Term& term, std::vector<std::string>& names) {
  infer::visit_each(term, [&](const infer::Term& t) {
    for (const auto& size : t->shape) expr::collect_names(size, names);
  });
}

/// Whether the name is a factor of a matrix product, or transposed: the q of q @ k.T is no size.
bool is_matrix(const expr::Expression& e, const std::string& name) {
  static const std::set<std::string> functions = {"transpose", "swapaxes", "softmax", "matmul", "attn", "scaled_dot_product_attention"};
  const auto is_name = [&](const expr::Expression& a) { return a && a->kind == expr::SyntaxKind::name && a->name == name; };
  const bool takes = e && (e->kind == expr::SyntaxKind::matmul || e->kind == expr::SyntaxKind::transpose || (e->kind == expr::SyntaxKind::call && functions.count(e->name) > 0));
  if (takes && std::any_of(e->args.begin(), e->args.end(), is_name)) return true;
  return e && std::any_of(e->args.begin(), e->args.end(), [&](const expr::Expression& a) { return is_matrix(a, name); });
}
bool is_matrix(const expr::Claim& claim, const std::string& name) {
  return is_matrix(claim.lhs, name) || is_matrix(claim.rhs, name) || std::any_of(claim.definitions.begin(), claim.definitions.end(), [&](const auto& d) { return is_matrix(d.value, name); });
}

}  // namespace

std::string sizes_without_shape(const expr::Claim& claim, const infer::Problem& problem) {
  for (const auto& v : problem.variables) {
    const auto other = std::find_if(problem.variables.begin(), problem.variables.end(), [&](const auto& w) { return w.name != v.name && w.shape.size() == 2 && !infer::is_conventional_size(w.name); });
    if (v.declared || !infer::is_conventional_size(v.name) || is_matrix(claim, v.name) || other == problem.variables.end()) continue;
    return "`" + v.name + "` is read as a tensor here. If it is a size, declare the matrix that it is a size of, as in " + other->name + ": [n, d]";
  }
  if (problem.variables.empty()) return {};
  std::vector<std::string> named;
  for (const auto& v : problem.variables) {
    for (const auto& size : v.shape) expr::collect_names(size, named);
  }
  collect_sizes(problem.lhs, named);
  collect_sizes(problem.rhs, named);
  for (const auto& f : problem.facts) {
    expr::collect_names(f.lhs_size, named);
    expr::collect_names(f.rhs_size, named);
  }
  for (const auto& d : problem.dimensions) {
    if (std::find(named.begin(), named.end(), d) != named.end()) continue;
    return "`" + d + "` is a size of its own here: no shape names it. If it is a size of a matrix, declare that matrix, as in " + problem.variables[0].name + ": [n, " + d + "]";
  }
  return {};
}

std::string read_as_narrow(const infer::Problem& problem) {
  std::string read;
  int count = 0;
  for (const auto& v : problem.variables) {
    const bool narrow = v.shape.empty() || std::any_of(v.shape.begin(), v.shape.end(), [](const auto& d) { return d.is_one(); });
    if (v.declared || !narrow) continue;
    const std::string shape = v.shape.empty() ? "a number" : expr::text(v.shape);
    read += ++count == 1 ? "`" + v.name + "` is read as " + shape : ", `" + v.name + "` as " + shape;
  }
  if (count == 0) return {};
  return read + ", so that both sides fit and most sizes stay free; declare " + (count == 1 ? "it if it has another shape" : "them if they have other shapes");
}

std::string read_as_one_name(const infer::Problem& problem) {
  const auto is_capital = [](char c) { return c >= 'A' && c <= 'Z'; };
  const auto sorted = [](std::string letters) {
    std::sort(letters.begin(), letters.end());
    return letters;
  };
  for (const auto& v : problem.variables) {
    if (v.declared || v.name.size() < 2 || v.name.size() > 4 || !std::all_of(v.name.begin(), v.name.end(), is_capital)) continue;
    const bool meant = std::any_of(problem.variables.begin(), problem.variables.end(), [&](const auto& w) {
      if (w.name == v.name) return false;
      return sorted(w.name) == sorted(v.name) || (w.name.size() == 1 && v.name.find(w.name) != std::string::npos);
    });
    if (!meant) continue;
    std::string product;
    for (const char letter : v.name) product += (product.empty() ? "" : " @ ") + std::string(1, letter);
    return "`" + v.name + "` is read as one name; a product is " + product;
  }
  return {};
}

std::string read_as_in_use(const expr::Claim& claim, bool refuted) {
  const auto tokens = program::tokenize(claim.source);
  const auto are = [&](std::size_t k, std::initializer_list<std::string_view> words) {
    return k + words.size() <= tokens.size() && std::equal(words.begin(), words.end(), tokens.begin() + static_cast<std::ptrdiff_t>(k), [](std::string_view word, const program::Token& t) { return t.is(word); });
  };
  bool drops = false, evaluates = false;
  std::string first;
  for (std::size_t k = 0; k < tokens.size(); ++k) {
    const bool nothing = k + 2 < tokens.size() && (tokens[k + 2].text == "0" || tokens[k + 2].text == "0.0");
    const bool rate = are(k, {"dropout", "="}) && k + 2 < tokens.size() && tokens[k + 2].kind == program::TokenKind::number && !nothing;  // nn.MultiheadAttention(d, h, dropout=0.1)
    drops = drops || (are(k, {"Dropout", "("}) && !nothing) || rate || are(k, {"training", "=", "self", ".", "training"});
    evaluates = evaluates || are(k, {".", "eval", "("});
    for (const char* value : {"zeros", "ones"}) {
      if (first.empty() && are(k, {"Parameter", "(", "torch", ".", value})) first = value;
    }
  }
  std::string note = drops && !evaluates ? "dropout is read as what it is after .eval(), where it changes nothing" : "";
  const bool norm = std::any_of(tokens.begin(), tokens.end(), [](const program::Token& t) { return t.is("LayerNorm") || t.is("RMSNorm") || t.is("BatchNorm1d"); });
  if (refuted && first.empty() && norm) note += (note.empty() ? "" : "; ") + std::string("weights are read as any values, not as the ones and zeros that those of a norm are at first");
  if (refuted && !first.empty()) note += (note.empty() ? "" : "; ") + ("weights are read as any values, not as what they are at first, as in nn.Parameter(torch." + first + "(..))");
  return note;
}

namespace {

struct Tolerance {
  std::string function;
  double absolute = 0, relative = 0;
};
/// Of the one call that compares in the program; nothing where there is none, or what it takes is not written as numbers.
std::optional<Tolerance> tolerance_of(const expr::Claim& claim) {
  static const Tolerance known[] = {{"allclose", 1e-8, 1e-5}, {"isclose", 1e-8, 1e-5}, {"assert_allclose", 0, 1e-7}, {"assert_close", 1e-5, 1.3e-6}};
  const auto tokens = program::tokenize(claim.source);
  std::optional<Tolerance> found;
  for (std::size_t k = 0; k + 1 < tokens.size(); ++k) {
    const auto function = std::find_if(std::begin(known), std::end(known), [&](const Tolerance& t) { return tokens[k].is(t.function); });
    if (function == std::end(known) || !tokens[k + 1].is("(")) continue;
    if (found) return std::nullopt;
    found = *function;
    int depth = 0;
    for (std::size_t at = k + 1; at + 2 < tokens.size(); ++at) {
      depth += tokens[at].is("(") || tokens[at].is("[") ? 1 : tokens[at].is(")") || tokens[at].is("]") ? -1 : 0;
      if (depth == 0) break;
      const bool absolute = tokens[at].is("atol");
      if ((!absolute && !tokens[at].is("rtol")) || !tokens[at + 1].is("=")) continue;
      if (tokens[at + 2].kind != program::TokenKind::number) return std::nullopt;
      (absolute ? found->absolute : found->relative) = std::strtod(std::string(tokens[at + 2].text).c_str(), nullptr);
    }
  }
  return found;
}

/// 1/2, 0.25 and the beginning of [0.24, 0.25].
double number_shown(const std::string& text) {
  const char* const begin = text.c_str() + (text.starts_with('[') || text.starts_with('(') ? 1 : 0);
  char* end = nullptr;
  const double first = std::strtod(begin, &end);
  return *end == '/' ? first / std::strtod(end + 1, nullptr) : end == begin ? std::nan("") : first;
}

}  // namespace

std::string within_tolerances(const expr::Claim& claim, const refute::Counterexample& shown) {
  const auto tolerance = tolerance_of(claim);
  if (!tolerance || shown.lhs.values.size() != shown.rhs.values.size() || shown.lhs.values.empty()) return {};
  for (std::size_t k = 0; k < shown.lhs.values.size(); ++k) {
    const double a = number_shown(shown.lhs.values[k]), b = number_shown(shown.rhs.values[k]);
    if (!(std::abs(a - b) <= tolerance->absolute + tolerance->relative * std::abs(b))) return {};
  }
  return "the sides are claimed to be equal; at the numbers shown they differ by no more than `" + tolerance->function + "` lets pass";
}

bool compares_one_text(const expr::Claim& claim) {
  const auto tokens = program::tokenize(claim.source);
  for (std::size_t k = tokens.size(); k-- > 1;) {
    const std::string_view function = tokens[k - 1].text;
    if (!tokens[k].is("(") || (!function.ends_with("close") && !function.ends_with("equal"))) continue;
    const auto sides = program::parts_of(program::slice(tokens, k + 1, program::closing(tokens, k)));
    return sides.size() < 2 || std::equal(sides[0].begin(), sides[0].end(), sides[1].begin(), sides[1].end(), [](const auto& a, const auto& b) { return a.text == b.text; });
  }
  return true;
}

std::string reading_that_decides(const expr::Claim& claim, const infer::Problem& problem, const std::string& statement) {
  const expr::Claim repaired = read::parse_claim(statement);
  for (const auto& d : repaired.declarations) {
    const bool declared = std::any_of(claim.declarations.begin(), claim.declarations.end(), [&](const auto& own) { return own.name == d.name; });
    const auto v = std::find_if(problem.variables.begin(), problem.variables.end(), [&](const auto& x) { return x.name == d.name; });
    if (declared || v == problem.variables.end() || v->shape == d.shape) continue;
    return "`" + v->name + "` is read as " + expr::text(v->shape) + ", and as " + (d.shape.empty() ? "a number" : expr::text(d.shape)) + " the claim is true; declare it if it has that shape";
  }
  return {};
}

}  // namespace foldproof::repair
