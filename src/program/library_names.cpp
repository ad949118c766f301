// SPDX-License-Identifier: MIT
#include "program/library_names.hpp"

#include <algorithm>
#include <utility>

#include "program/generators.hpp"

namespace foldproof::program {
namespace {

constexpr std::pair<std::string_view, Spelling> modules[] = {{"np", Spelling::numpy},       {"jnp", Spelling::numpy},    {"numpy", Spelling::numpy}, {"math", Spelling::math},
                                                               {"linalg", Spelling::numpy},   {"testing", Spelling::numpy}, {"random", Spelling::numpy},   {"torch", Spelling::torch},  {"nn", Spelling::functional},    {"functional", Spelling::functional},
                                                               {"jax", Spelling::jax},        {"tf", Spelling::tensorflow}, {"scipy", Spelling::scipy}, {"special", Spelling::scipy}, {"einops", Spelling::einops}};

}  // namespace

bool is_module(std::string_view name) {
  return std::any_of(std::begin(modules), std::end(modules), [&](const auto& m) { return m.first == name; });
}

Spelling spelling_of(std::string_view module) {
  const auto* found = std::find_if(std::begin(modules), std::end(modules), [&](const auto& m) { return m.first == module; });
  return found == std::end(modules) ? Spelling::functional : found->second;  // F
}

bool is_python_word(std::string_view name) { return name == "None" || name == "True" || name == "False"; }

bool is_device(const Token& t) {
  static constexpr std::string_view devices[] = {"cpu", "cuda", "mps", "xpu", "gpu", "tpu"};
  if (t.kind != TokenKind::text || t.text.size() < 2) return false;
  const std::string_view word = t.text.substr(1, t.text.size() - 2), kind = word.substr(0, word.find(':'));
  return is_among(kind, devices);
}

bool is_program(const Tokens& tokens) {
  static constexpr std::string_view of_values[] = {"array", "asarray", "tensor", "as_tensor"};
  bool makes = false, declares = false;
  for (std::size_t k = 0; k + 1 < tokens.size(); ++k) {
    const bool begins = begins_statement(tokens, k) && tokens[k].kind == TokenKind::name;
    declares = declares || (begins && tokens[k + 1].is(":"));
    makes = makes || (begins && k + 5 < tokens.size() && tokens[k + 1].is("=") && tokens[k + 3].is(".") && is_among(tokens[k + 4].text, of_values) && tokens[k + 5].is("("));
    if (tokens[k].is("import") && tokens[k + 1].kind == TokenKind::name && (begins_statement(tokens, k) || tokens[k - 1].kind == TokenKind::name)) return true;
    if (end_of_draw(tokens, k) > k) return true;
  }
  return makes && !declares;
}

Spelling library_of_arrays(const Tokens& tokens) {
  static constexpr std::string_view of_torch[] = {"torch"}, of_numpy[] = {"np", "numpy", "jnp", "jax"}, neutral[] = {"math", "einops", "typing", "dataclasses", "__future__"}, others[] = {"tf", "tensorflow", "from_numpy"};
  static constexpr std::string_view makers[] = {"tensor", "array", "asarray", "arange", "linspace", "ones", "zeros", "eye"};
  bool made = false, torch = false, numpy = false;
  for (std::size_t k = 0; k + 1 < tokens.size(); ++k) {
    const Token &t = tokens[k], &next = tokens[k + 1];
    const bool imports = begins_statement(tokens, k) && (t.is("import") || t.is("from"));
    const bool declares = begins_statement(tokens, k) && t.kind == TokenKind::name && next.is(":") && k + 2 < tokens.size() && tokens[k + 2].is("[");
    if (declares || is_among(t.text, others) || (imports && !is_among(next.text, of_torch) && !is_among(next.text, of_numpy) && !is_among(next.text, neutral))) return Spelling::method;
    torch = torch || is_among(t.text, of_torch);
    numpy = numpy || is_among(t.text, of_numpy);
    made = made || end_of_draw(tokens, k) > k || (is_among(t.text, makers) && next.is("("));
  }
  return !made || torch == numpy ? Spelling::method : torch ? Spelling::torch : Spelling::numpy;
}

}  // namespace foldproof::program
