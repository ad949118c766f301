// SPDX-License-Identifier: MIT
#include "program/imports.hpp"

#include <algorithm>
#include <map>

#include "expr/diagnostic.hpp"
#include "program/library_names.hpp"

namespace foldproof::program {
namespace {

/// Modules of Python of which no function has the name of another one here.
constexpr std::string_view of_python[] = {"builtins", "copy", "functools", "itertools", "operator"};
/// Numbers and the like that are used without a call.
constexpr std::string_view constants[] = {"inf", "nan", "newaxis", "pi"};

template <typename Names>
bool contains(const Names& names, std::string_view name) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

/// The names of a.b.c at `next`, which is set behind them, with the points between them.
Tokens dotted(const Tokens& tokens, std::size_t& next) {
  Tokens path;
  while (next < tokens.size() && (tokens[next].kind == TokenKind::name || tokens[next].is("."))) {
    if (tokens[next].is("as") || tokens[next].is("import")) break;
    path.push_back(tokens[next++]);
  }
  return path;
}

/// What names stand for, as the tokens that say it with its module.
struct Imported {
  std::map<std::string_view, Tokens> modules, functions;
};

void refuse_all(const Token& star, const Tokens& path) {
  fail("name.unknown", "`import *` does not say which names it brings", star.span, "name what is used: from " + std::string(path.front().text) + " import ...");
}

/// Reads the statement from `next` on, which is set behind it.
void read_import(const Tokens& tokens, std::size_t& next, Imported& imported) {
  const bool from = tokens[next++].is("from");
  const auto expect = [&](bool found, const std::string& what) {
    if (!found) fail("parse.unexpected", "expected " + what + ", found " + describe(tokens[next]), tokens[next].span, "write import numpy as np, or from numpy import exp, sqrt");
  };
  const auto name_at = [&] {
    const Tokens name = dotted(tokens, next);
    expect(!name.empty() && name.back().kind == TokenKind::name, "a name");
    return name;
  };
  const Tokens module = from ? name_at() : Tokens{};
  if (from) {
    expect(tokens[next].is("import"), "`import`");
    ++next;
  }
  while (!ends_statement(tokens[next])) {
    if (tokens[next].is("*") && from) refuse_all(tokens[next], module);
    if (tokens[next].is(",") || tokens[next].is("(") || tokens[next].is(")")) {
      ++next;
      continue;
    }
    const Tokens name = name_at();
    Token alias = from ? name.back() : Token{};
    if (tokens[next].is("as")) {
      alias = tokens[++next];
      expect(alias.kind == TokenKind::name, "a name");
      ++next;
    }
    if (alias.text.empty()) continue;  // import numpy
    Tokens path = module;
    if (from) path.push_back({TokenKind::symbol, ".", alias.span});
    put(path, name);
    const bool is_library = is_module(path.front().text), of_module = is_module(name.back().text);
    const bool usual = (is_module(alias.text) || alias.is("F")) && (!of_module || spelling_of(alias.text) == spelling_of(name.back().text));  // import numpy as np
    if (of_module || !from) {
      if (!usual && of_module && is_library) imported.modules[alias.text] = path;
    } else if (is_library || !contains(of_python, path.front().text)) {
      imported.functions[alias.text] = path;
    }
  }
}

/// Whether the program itself says what the name is.
bool is_given(const Tokens& tokens, std::string_view name) {
  for (std::size_t k = 0; k + 1 < tokens.size(); ++k) {
    const bool begins = k == 0 || ends_statement(tokens[k - 1]) || tokens[k - 1].is("let");
    if (tokens[k].is("def") && tokens[k + 1].is(name)) return true;
    if (begins && tokens[k].is(name) && (tokens[k + 1].is("=") || tokens[k + 1].is(":"))) return true;
  }
  return false;
}

}  // namespace

Tokens with_imports(Tokens tokens, const std::function<bool(std::string_view)>& is_known) {
  const auto begins = [&](std::size_t k) { return (tokens[k].is("import") || tokens[k].is("from")) && (k == 0 || ends_statement(tokens[k - 1])) && k + 1 < tokens.size() && tokens[k + 1].kind == TokenKind::name; };
  Imported imported;
  for (std::size_t k = 0; k < tokens.size(); ++k) {
    if (begins(k)) read_import(tokens, k, imported);
  }
  std::erase_if(imported.functions, [&](const auto& f) { return is_given(tokens, f.first); });
  std::erase_if(imported.modules, [&](const auto& m) { return is_given(tokens, m.first); });
  if (imported.functions.empty() && imported.modules.empty()) return tokens;
  Tokens found;
  for (std::size_t k = 0; k < tokens.size(); ++k) {
    if (begins(k)) {
      while (k < tokens.size() && !ends_statement(tokens[k])) found.push_back(tokens[k++]);
      if (k == tokens.size()) break;
    }
    const Token& t = tokens[k];
    const bool alone = t.kind == TokenKind::name && (k == 0 || !tokens[k - 1].is(".")), more = k + 1 < tokens.size();
    const auto module = alone && more && tokens[k + 1].is(".") ? imported.modules.find(t.text) : imported.modules.end();
    const auto function = alone && more && (tokens[k + 1].is("(") || contains(constants, t.text)) && !tokens[k + 1].is("=") ? imported.functions.find(t.text) : imported.functions.end();
    const Tokens* const path = module != imported.modules.end() ? &module->second : function != imported.functions.end() ? &function->second : nullptr;
    if (path == nullptr) {
      found.push_back(t);
      continue;
    }
    const std::string_view library = path->front().text;
    if (!is_module(library)) {
      if (is_known(t.text)) fail("name.unknown", "what " + describe(t) + " of `" + std::string(library) + "` computes is not known", t.span, "write it down: def " + std::string(t.text) + "(...): ...");
      found.push_back(t);
      continue;
    }
    for (const Token& part : *path) found.push_back({part.kind, part.text, t.span});
  }
  return found;
}

}  // namespace foldproof::program
