// SPDX-License-Identifier: MIT
// Notation as presentation MathML, which browsers draw without scripts. Output is well-formed XML.
#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "expr/notation.hpp"

namespace foldproof::expr {
namespace {

class MathWriter {
 public:
  std::string take() { return std::move(out_); }

  void write(const Notation& n) {
    switch (n.kind) {
      case NotationKind::row: return row(n);
      case NotationKind::subscript: return element("msub", n);
      case NotationKind::superscript: return element("msup", n);
      case NotationKind::fraction: return element("mfrac", n);
      case NotationKind::root: return element("msqrt", n);
      case NotationKind::limits: return limits(n);
      case NotationKind::identifier: return leaf("mi", n.unicode, "");
      case NotationKind::word: return leaf("mi", n.unicode, n.unicode.size() == 1 ? " mathvariant=\"normal\"" : "");  // one letter would be italic
      case NotationKind::number: return leaf("mn", n.unicode, "");
      case NotationKind::symbol: return leaf("mo", n.unicode, "");
      case NotationKind::space: return leaf("mtext", n.unicode, "");
    }
  }

 private:
  /// Is there something in it that stands higher than a line of text?
  static bool is_tall(const Notation& n) {
    if (n.kind == NotationKind::fraction || (n.kind == NotationKind::limits && n.parts[0].kind == NotationKind::symbol)) return true;
    return std::any_of(n.parts.begin(), n.parts.end(), is_tall);
  }

  /// Brackets grow with what they enclose only where that is tall: browsers without a font for formulas draw grown brackets far too high.
  void row(const Notation& n) {
    const bool fenced = n.parts.size() == 3 && n.parts[0].latex.rfind("\\left", 0) == 0;
    if (!fenced || is_tall(n.parts[1])) return element("mrow", n);
    out_ += "<mrow>";
    leaf("mo", n.parts[0].unicode, " stretchy=\"false\"");
    write(n.parts[1]);
    leaf("mo", n.parts[2].unicode, " stretchy=\"false\"");
    out_ += "</mrow>";
  }

  /// Limits of a sign stand below and above it, those of a word beside it.
  void limits(const Notation& n) {
    if (n.parts[0].kind != NotationKind::symbol) return element("msubsup", n);
    out_ += "<munderover>";
    leaf("mo", n.parts[0].unicode, " movablelimits=\"false\"");
    write(n.parts[1]);
    write(n.parts[2]);
    out_ += "</munderover>";
  }

  void element(std::string_view name, const Notation& n) {
    out_.append("<").append(name).append(">");
    for (const Notation& part : n.parts) write(part);
    out_.append("</").append(name).append(">");
  }

  void leaf(std::string_view name, std::string_view text, std::string_view attributes) {
    out_.append("<").append(name).append(attributes).append(">");
    for (const char c : text) {
      switch (c) {
        case '<': out_ += "&lt;"; break;
        case '>': out_ += "&gt;"; break;
        case '&': out_ += "&amp;"; break;
        default: out_ += c;
      }
    }
    out_.append("</").append(name).append(">");
  }

  std::string out_;
};

std::string mathml_of(const Notation& n) {
  MathWriter writer;
  writer.write(n);
  return "<math xmlns=\"http://www.w3.org/1998/Math/MathML\">" + writer.take() + "</math>";
}

}  // namespace

std::string mathml(const Expression& e, const Ranks& ranks) { return mathml_of(notation(e, ranks)); }
std::string mathml(const Claim& c, const Ranks& ranks) { return mathml_of(notation(c, ranks)); }

}  // namespace foldproof::expr
