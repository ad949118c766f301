// SPDX-License-Identifier: MIT
// What foldproof says about input it cannot accept: one code, one message, the place, and a hint.
// Bad input travels as the exception `Error`; a broken promise of our own code as `InternalError`.
// Libraries never print or exit; the command line does.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

namespace foldproof::expr {

/// Half-open range of bytes in the text that a construct was read from.
struct Span {
  std::size_t begin = 0;
  std::size_t end = 0;
  constexpr Span() = default;
  /// Statements that loops have made out of others may end with a word that stands before them: of these it is the place where they begin.
  constexpr Span(std::size_t from, std::size_t to) : begin(from), end(to < from ? from : to) {}
};

/// One complaint about input. `code` is a dotted word that never changes meaning (`parse.unexpected`, `shape.conflict`).
struct Diagnostic {
  std::string code;
  std::string message;
  std::string hint;  ///< what the user can do about it; may be empty
  Span span;         ///< where in the claim text
};

/// Bad input.
class Error : public std::runtime_error {
 public:
  explicit Error(Diagnostic diagnostic) : std::runtime_error(diagnostic.message), diagnostic_(std::move(diagnostic)) {}
  const Diagnostic& diagnostic() const { return diagnostic_; }

 private:
  Diagnostic diagnostic_;
};

/// A resource bound was reached; ends in the verdict `undecided: limit`, with `what()` naming the limit.
class LimitReached : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Our own bug: active in every build, never shown as a verdict.
class InternalError : public std::logic_error {
  using std::logic_error::logic_error;
};

/// Throws InternalError unless `holds`.
inline void invariant(bool holds, const char* what) {
  if (!holds) throw InternalError(what);
}

/// Throws Error with the given fields.
[[noreturn]] void fail(std::string code, std::string message, Span span, std::string hint = {});

/// Renders `d` for a terminal: `file:line:column: message`, the line, a caret under the place, the hint.
std::string render(const Diagnostic& d, std::string_view text, std::string_view file);

/// Line and column (both from 1, column in bytes) of `offset` in `text`.
struct LineColumn {
  std::size_t line = 1;
  std::size_t column = 1;
};
LineColumn locate(std::string_view text, std::size_t offset);

}  // namespace foldproof::expr
