// SPDX-License-Identifier: MIT
// Building blocks of notation. Names of variables follow the papers: the part before the first underscore is the letter,
// the rest are its indices.
#include "expr/notation_parts.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "expr/character_hints.hpp"

namespace foldproof::expr {
namespace {

struct Letter {
  std::string_view name;
  const char* latex;
  const char* unicode;
};

constexpr Letter greek[] = {
    {"alpha", "\\alpha", "\u03b1"},   {"beta", "\\beta", "\u03b2"},     {"gamma", "\\gamma", "\u03b3"},  {"delta", "\\delta", "\u03b4"},
    {"epsilon", "\\varepsilon", "\u03b5"}, {"zeta", "\\zeta", "\u03b6"}, {"eta", "\\eta", "\u03b7"},      {"theta", "\\theta", "\u03b8"},
    {"iota", "\\iota", "\u03b9"},     {"kappa", "\\kappa", "\u03ba"},   {"lambda", "\\lambda", "\u03bb"}, {"mu", "\\mu", "\u03bc"},
    {"nu", "\\nu", "\u03bd"},         {"xi", "\\xi", "\u03be"},         {"pi", "\\pi", "\u03c0"},        {"rho", "\\rho", "\u03c1"},
    {"sigma", "\\sigma", "\u03c3"},   {"tau", "\\tau", "\u03c4"},       {"phi", "\\varphi", "\u03c6"},   {"chi", "\\chi", "\u03c7"},
    {"psi", "\\psi", "\u03c8"},       {"omega", "\\omega", "\u03c9"},   {"Gamma", "\\Gamma", "\u0393"},  {"Delta", "\\Delta", "\u0394"},
    {"Theta", "\\Theta", "\u0398"},   {"Lambda", "\\Lambda", "\u039b"}, {"Xi", "\\Xi", "\u039e"},        {"Pi", "\\Pi", "\u03a0"},
    {"Sigma", "\\Sigma", "\u03a3"},   {"Phi", "\\Phi", "\u03a6"},       {"Psi", "\\Psi", "\u03a8"},      {"Omega", "\\Omega", "\u03a9"},
};

const Letter* find_greek(std::string_view name) {
  const auto* found = std::find_if(std::begin(greek), std::end(greek), [&](const Letter& l) { return l.name == name; });
  return found == std::end(greek) ? nullptr : found;
}

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) out += c == '_' ? "\\_" : std::string(1, c);
  return out;
}

/// One part of a name between underscores. Short indices such as Q, i or UK are letters, longer ones are words.
Notation name_part(const std::string& part, std::size_t longest_letters) {
  if (const Letter* letter = find_greek(part)) return leaf(NotationKind::identifier, letter->latex, letter->unicode);
  if (!part.empty() && std::all_of(part.begin(), part.end(), is_digit)) return leaf(NotationKind::number, part, part);
  if (part.size() <= longest_letters) return leaf(NotationKind::identifier, part, part);
  return word(part);
}

}  // namespace

Notation leaf(NotationKind kind, std::string latex, std::string unicode) { return {kind, std::move(latex), std::move(unicode), {}}; }
Notation symbol(std::string latex, std::string unicode) { return leaf(NotationKind::symbol, std::move(latex), std::move(unicode)); }
Notation juxtaposition() { return symbol("", "\u2062"); }
Notation word(const std::string& text) { return leaf(NotationKind::word, "\\mathrm{" + escaped(text) + "}", text); }

namespace {
Notation compound(NotationKind kind, Notation a, Notation b) {
  Notation out = leaf(kind, "", "");
  out.parts.reserve(2);
  out.parts.push_back(std::move(a));
  out.parts.push_back(std::move(b));
  return out;
}
}  // namespace

Notation row(Notation a, Notation b) { return compound(NotationKind::row, std::move(a), std::move(b)); }
Notation subscript(Notation base, Notation below) { return compound(NotationKind::subscript, std::move(base), std::move(below)); }
Notation superscript(Notation base, Notation above) { return compound(NotationKind::superscript, std::move(base), std::move(above)); }
Notation fraction(Notation above, Notation below) { return compound(NotationKind::fraction, std::move(above), std::move(below)); }

Notation fenced(const char* left, Notation inside, const char* right) {
  Notation out = row(symbol("\\left" + std::string(left), left), std::move(inside));
  out.parts.push_back(symbol("\\right" + std::string(right), right));
  return out;
}

Notation root(Notation inside) {
  Notation out = leaf(NotationKind::root, "", "");
  out.parts.push_back(std::move(inside));
  return out;
}

Notation numeral(const Rational& value) {
  if (value.sign() < 0) return row(symbol("-", "\u2212"), numeral(-value));
  const std::string written = number_text(value);
  const std::size_t bar = written.find('/');
  if (bar == std::string::npos) return leaf(NotationKind::number, written, written);
  const std::string above = written.substr(0, bar);
  const std::string below = written.substr(bar + 1);
  return fraction(leaf(NotationKind::number, above, above), leaf(NotationKind::number, below, below));
}

bool is_greek(std::string_view name) { return find_greek(name) != nullptr; }

std::string_view greek_name(std::string_view letter) {
  const auto* found = std::find_if(std::begin(greek), std::end(greek), [&](const Letter& l) { return l.unicode == letter; });
  return found == std::end(greek) ? std::string_view{} : found->name;
}

std::string python_name(std::string_view name) { return name == "lambda" ? "lambda_" : std::string(name); }

Notation variable(const std::string& name) {
  if (name == "lambda_") return variable("lambda");  // Python programs cannot call a variable lambda
  if (name.front() == '_' || name.back() == '_' || name.find("__") != std::string::npos) return word(name);
  const std::size_t underscore = name.find('_');
  std::string stem = name.substr(0, underscore);
  Notation indices;
  const std::size_t digits = static_cast<std::size_t>(std::find_if_not(stem.rbegin(), stem.rend(), is_digit).base() - stem.begin());
  if (digits > 0 && digits < stem.size()) {  // A1
    indices.parts.push_back(name_part(stem.substr(digits), 2));
    stem.resize(digits);
  }
  for (std::size_t begin = underscore; begin != std::string::npos;) {
    const std::size_t end = name.find('_', begin + 1);
    if (!indices.parts.empty()) indices.parts.push_back(symbol(",", ","));
    indices.parts.push_back(name_part(name.substr(begin + 1, end == std::string::npos ? end : end - begin - 1), 2));
    begin = end;
  }
  Notation letter = name_part(stem, 1);
  return indices.parts.empty() ? letter : subscript(std::move(letter), std::move(indices));
}

Notation function(const std::string& name) {
  static constexpr std::string_view capitals[] = {"concat", "vstack", "stack"};
  std::string written = name;
  if (std::find(std::begin(capitals), std::end(capitals), name) != std::end(capitals)) written[0] = static_cast<char>(written[0] - 'a' + 'A');
  return leaf(NotationKind::word, "\\operatorname{" + escaped(written) + "}", written);
}

}  // namespace foldproof::expr
