// SPDX-License-Identifier: MIT
#include "expr/character_hints.hpp"

#include <algorithm>

#include "expr/notation_parts.hpp"

namespace foldproof::expr {
namespace {

struct CharacterHint {
  std::string_view character;
  std::string_view hint;
};

constexpr CharacterHint character_hints[] = {
    {"^", "powers are written **, and the inverse of a matrix inv(A)"},
    {"'", "transpose is written .T; only subscripts of einsum and patterns of axes stand in quotes"},
    {"\"", "only subscripts of einsum and patterns of axes stand in quotes"},
    {"!", "not equal is written !="},
    {"{", "group with round brackets ( )"},
    {"}", "group with round brackets ( )"},
    {"\\", "claims are NumPy expressions, not LaTeX: write A @ B, A * B, A / B, A.T, sqrt(x)"},
    {"$", "claims are NumPy expressions, not LaTeX"},
    {"\u2212", "use the ASCII minus -"},
    {"\u2010", "use the ASCII minus -"},
    {"\u2013", "use the ASCII minus -"},
    {"\u2014", "use the ASCII minus -"},
    {"\u00b7", "write A @ B or A * B"},
    {"\u22c5", "write A @ B or A * B"},
    {"\u00d7", "write A @ B or A * B"},
    {"\u2299", "entrywise products are written A * B"},
    {"\u2264", "write <="},
    {"\u2265", "write >="},
    {"\u2260", "write !="},
    {"\u2261", "write =="},
    {"\u22a4", "transpose is written .T"},
    {"\u1d40", "transpose is written .T"},
    {"\u2032", "transpose is written .T"},
    {"\u2019", "transpose is written .T"},
    {"\u00b2", "powers are written **"},
    {"\u00b3", "powers are written **"},
    {"\u207b", "powers are written **, and the inverse of a matrix inv(A)"},
    {"\u00b9", "powers are written **, and the inverse of a matrix inv(A)"},
    {"\u2295", "write blockdiag(A, B) or concat(A, B)"},
    {"\u2297", "write kron(A, B)"},
    {"\u2218", "entrywise products are written A * B"},
    {"\u2016", "write sqrt(frob2(A)), of each row sqrt(rowsum(X * X))"},
    {"\u2248", "equations are written ==; `foldproof check` tests them in number formats"},
    {"\u2208", "shapes are declared: X: [n, d]"},
    {"\u221e", "a mask is added to scores as neginf(M), where M is 1 at what is kept, or causal(n)"},
    {"\u221a", "write sqrt(x)"},
    {"\u2211", "write sum(... for i in range(h))"},
    {"\u00a0", "this is a no-break space; type a plain one"},
    {"\ufeff", "remove the byte order mark"},
};

constexpr CharacterHint latex_hints[] = {
    {"frac", "a fraction is written A / B"},
    {"sqrt", "write sqrt(x)"},
    {"cdot", "write A @ B for a matrix product, A * B for an entrywise one"},
    {"times", "write A @ B for a matrix product, A * B for an entrywise one"},
    {"odot", "entrywise products are written A * B"},
    {"circ", "entrywise products are written A * B"},
    {"otimes", "write kron(A, B)"},
    {"top", "transpose is written .T"},
    {"le", "write <="},
    {"leq", "write <="},
    {"ge", "write >="},
    {"geq", "write >="},
    {"ne", "write !="},
    {"neq", "write !="},
    {"sum", "write sum(... for i in range(h))"},
    {"left", "brackets are written ( )"},
    {"right", "brackets are written ( )"},
};

std::string_view leading_name(std::string_view text) {
  return text.substr(0, static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), is_name_part) - text.begin()));
}
std::string_view trailing_name(std::string_view text) {
  return text.substr(static_cast<std::size_t>(std::find_if_not(text.rbegin(), text.rend(), is_name_part).base() - text.begin()));
}

/// W^Q and W_i^Q are names on paper, written W_Q and W_Qi; a superscript that is a number is a power.
std::string superscript_hint(std::string_view before, std::string_view after) {
  std::string_view superscript = leading_name(after.starts_with("{") ? after.substr(1) : after);
  const std::string_view name = trailing_name(before);
  if (superscript.empty() || is_digit(superscript[0]) || name.empty() || is_digit(name[0])) return "";
  const std::size_t bar = std::min(name.find('_'), name.size());
  const std::string_view index = name.substr(std::min(bar + 1, name.size()));
  superscript = superscript.substr(0, 40);
  return "^ is no power here; a superscript is part of the name: write " + std::string(name.substr(0, std::min<std::size_t>(bar, 40))) + "_" + std::string(superscript) + std::string(index.substr(0, 40)) +
         (superscript[0] >= 'a' && superscript[0] <= 'z' ? " (a power is written **)" : "");
}

std::string latex_hint(std::string_view command) {
  const std::string_view name = command.substr(0, static_cast<std::size_t>(std::find_if_not(command.begin(), command.end(), is_letter) - command.begin()));
  for (const auto& known : latex_hints) {
    if (known.character == name) return "claims are NumPy expressions, not LaTeX: " + std::string(known.hint);
  }
  return is_greek(name) ? "claims are NumPy expressions, not LaTeX: write " + python_name(name) : "";
}

/// What a character means where it stands, if that is more than its own hint says.
std::string hint_in_place(std::string_view text, std::size_t at) {
  const std::string_view rest = text.substr(at + 1);
  const bool transposed = (rest.starts_with("T") && (rest.size() == 1 || !is_name_part(rest[1]))) || rest.starts_with("{T}") || rest.starts_with("\\top") || rest.starts_with("{\\top}");
  if (text[at] == '^' && transposed) return "transpose is written .T, a product with @: Q @ K.T";
  if (text[at] == '^') return superscript_hint(text.substr(0, at), rest);
  if (text[at] == '\\') return latex_hint(rest);
  const bool quote = text[at] == '"' || text[at] == '\'';
  if (quote && (rest.starts_with("-inf") || rest.starts_with("inf"))) return "a mask is added to scores: S + neginf(M), where M is 1 at what is kept, or S + causal(n)";
  return {};
}

}  // namespace

std::string character_hint(std::string_view text, std::size_t at, std::string_view sequence) {
  const std::string here = hint_in_place(text, at);
  if (!here.empty()) return here;
  for (const auto& known : character_hints) {
    if (known.character == sequence) return std::string(known.hint);
  }
  const std::string_view letter = greek_name(sequence);
  return letter.empty() ? "" : "write " + python_name(letter);
}

}  // namespace foldproof::expr
