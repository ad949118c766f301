// SPDX-License-Identifier: MIT
// Notation as LaTeX, for forum posts and reports. Needs amsmath's \operatorname and nothing else.
#include <string>
#include <utility>

#include "expr/notation.hpp"

namespace foldproof::expr {
namespace {

class LatexWriter {
 public:
  std::string take() { return std::move(out_); }

  void write(const Notation& n) {
    switch (n.kind) {
      case NotationKind::row:
        for (const Notation& part : n.parts) write(part);
        return;
      case NotationKind::subscript: return script(n, "_");
      case NotationKind::superscript: return script(n, "^");
      case NotationKind::fraction:
        token("\\frac");
        group(n.parts[0]);
        return group(n.parts[1]);
      case NotationKind::root:
        token("\\sqrt");
        return group(n.parts[0]);
      case NotationKind::limits:
        write(n.parts[0]);
        out_ += '_';
        group(n.parts[1]);
        out_ += '^';
        return group(n.parts[2]);
      default: return token(n.latex);
    }
  }

 private:
  void token(const std::string& latex) {
    if (latex.empty()) return;
    const bool closes = latex == "," || latex.rfind("\\right", 0) == 0;
    const bool after_opening = out_.empty() || out_.back() == '{' || opened_;
    if (!closes && !after_opening) out_ += ' ';
    out_ += latex;
    opened_ = latex == "\\left(" || latex == "\\left[" || latex == "\\left|";
  }

  void group(const Notation& n) {
    out_ += '{';
    write(n);
    out_ += '}';
    opened_ = false;
  }

  void script(const Notation& n, const char* sign) {
    write(n.parts[0]);
    out_ += sign;
    group(n.parts[1]);
  }

  std::string out_;
  bool opened_ = false;  // nothing after the last opening bracket yet
};

std::string latex_of(const Notation& n) {
  LatexWriter writer;
  writer.write(n);
  return writer.take();
}

}  // namespace

std::string latex(const Expression& e, const Ranks& ranks) { return latex_of(notation(e, ranks)); }
std::string latex(const Claim& c, const Ranks& ranks) { return latex_of(notation(c, ranks)); }

}  // namespace foldproof::expr
