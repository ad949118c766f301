// SPDX-License-Identifier: MIT
#include "program/program.hpp"

#include <algorithm>

#include "program/acting_calls.hpp"
#include "program/array_updates.hpp"
#include "program/data_classes.hpp"
#include "program/dictionaries.hpp"
#include "program/drawn_factors.hpp"
#include "program/entry_points.hpp"
#include "program/generators.hpp"
#include "program/given_objects.hpp"
#include "program/imports.hpp"
#include "program/index_conditions.hpp"
#include "program/library_classes.hpp"
#include "program/loop_asserts.hpp"
#include "program/mapped_functions.hpp"
#include "program/modules.hpp"
#include "program/nested_comprehensions.hpp"
#include "program/nested_functions.hpp"
#include "program/numpy_forms.hpp"
#include "program/python_idioms.hpp"
#include "program/random_draws.hpp"
#include "program/rebound_names.hpp"
#include "program/simple_statements.hpp"
#include "program/slices.hpp"
#include "program/steps_in_loops.hpp"
#include "program/test_suites.hpp"
#include "program/text_loops.hpp"

namespace foldproof::program {
namespace {

/// sqrt(2 / pi), of which the approximation of GELU is made, and its product with 0.044715 x**3, as the numbers that `gelu_tanh` has for
/// them: else the language knows no pi.
Tokens with_gelu_factor(Tokens tokens) {
  if (std::none_of(tokens.begin(), tokens.end(), [](const Token& t) { return t.is("pi"); })) return tokens;
  const auto is = [&](std::size_t k, std::string_view text) { return k < tokens.size() && tokens[k].text == text; };
  const auto behind_module = [&](std::size_t k) { return k < tokens.size() && tokens[k].kind == TokenKind::name && is(k + 1, ".") ? k + 2 : k; };
  constexpr std::string_view root_of = "0.797884560802865", of_cube = "0.0356774081363001";
  Tokens found;
  for (std::size_t k = 0; k < tokens.size(); ++k) {
    const std::size_t root = behind_module(k), pi = behind_module(root + 4), end = pi + 1;
    const bool factor = tokens[k].kind == TokenKind::name && is(root, "sqrt") && is(root + 1, "(") && (is(root + 2, "2") || is(root + 2, "2.0") || is(root + 2, "2.")) && is(root + 3, "/") && pi > root + 4 && is(pi, "pi") && is(end, ")");
    if (!factor) {
      found.push_back(tokens[k]);
      continue;
    }
    const std::size_t begin = k;
    const Span span{tokens[k].span.begin, tokens[end].span.end};
    found.push_back({TokenKind::number, root_of, span});
    k = end;
    std::size_t plus = 0, close = k + 3;  // sqrt(2 / pi) * (x + 0.044715 * x**3)
    for (int depth = 1; is(k + 1, "*") && is(k + 2, "(") && close < tokens.size(); ++close) {
      depth += is(close, "(") || is(close, "[") ? 1 : is(close, ")") || is(close, "]") ? -1 : 0;
      if (depth == 0) break;
      if (depth == 1 && is(close, "+") && plus == 0) plus = close;
      else if (depth == 1 && (is(close, "+") || is(close, "-"))) plus = tokens.size();
    }
    const bool bound_before = begin > 0 && (is(begin - 1, "/") || is(begin - 1, "//") || is(begin - 1, "%") || is(begin - 1, "**"));
    const bool bound_behind = is(close + 1, "**") || is(close + 1, "[") || is(close + 1, "(") || is(close + 1, ".");
    if (plus == 0 || close >= tokens.size() || !is(plus + 1, "0.044715") || !is(plus + 2, "*") || bound_before || bound_behind) continue;
    const auto symbol = [&](std::string_view text) { return Token{TokenKind::symbol, text, span}; };
    const auto at = [&](std::size_t place) { return tokens.begin() + static_cast<std::ptrdiff_t>(place); };
    found.insert(found.end() - 1, symbol("("));
    found.insert(found.end(), {symbol("*"), symbol("(")});
    found.insert(found.end(), at(k + 3), at(plus));
    found.insert(found.end(), {symbol(")"), symbol("+"), {TokenKind::number, of_cube, span}});
    found.insert(found.end(), at(plus + 2), at(close + 1));
    k = close;
  }
  return found;
}

/// Loops are read by what goes through their values, whatever a program calls by its name.
Tokens with_own_loops(Tokens tokens) {
  const BoundNames bound = bound_names(tokens);
  for (std::size_t k = 0; k + 1 < tokens.size(); ++k) {
    const Token& t = tokens[k];
    const bool goes_through = t.is("range") || t.is("zip") || t.is("enumerate") || t.is("reversed") || t.is("map");
    if (!goes_through || !tokens[k + 1].is("(") || (k > 0 && tokens[k - 1].is("."))) continue;
    if (bound.assigned.count(t.text) + bound.functions.count(t.text) > 0) fail("parse.unexpected", "loops and lists need Python's own `" + std::string(t.text) + "`", t.span, "give what is meant another name");
  }
  return tokens;
}

}  // namespace

Program read_program(std::string_view text, const std::function<bool(std::string_view)>& is_known) {
  Program program;
  Words& words = program.words;
  const Tokens written = tokenize(text);
  program.python = is_program(written);
  program.arrays = library_of_arrays(written);
  Tokens tokens = with_data_classes(with_test_suites(with_python_idioms(with_own_loops(with_blocks(written, text)), words), words));
  tokens = with_slices(with_dictionaries(with_steps_written_out(with_index_conditions(with_single_targets(with_numpy_forms(with_nested_comprehensions(with_array_updates(with_text_loops(std::move(tokens), words), words))), words)), words), words));
  tokens = with_library_classes(with_mapped_functions(with_imports(with_asserts_behind_loops(with_acting_calls(with_entry_points(std::move(tokens), words), words), words), is_known), words), words);
  tokens = with_classes(with_objects_given(with_rotations(without_generators(with_weights_drawn(with_functions_apart(std::move(tokens), words)))), words), words);
  tokens = with_layers(with_drawn_factors(with_draws_named(std::move(tokens), words), words), words);  // behind classes, where methods are functions as any other
  program.tokens = with_functions_again(with_gelu_factor(with_functions(without_self(std::move(tokens)))), words);
  return program;
}

}  // namespace foldproof::program
