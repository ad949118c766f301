// SPDX-License-Identifier: MIT
#include "report/html_parts.hpp"

#include <algorithm>
#include <array>

#include "expr/character_hints.hpp"
#include "read/parse.hpp"
#include "report/html_page.hpp"

namespace foldproof::report {

namespace {

// Without the <math> around it, for use inside a larger formula.
std::string inner_math(const std::string& expression, const expr::Ranks& ranks = {}) {
  try {
    const std::string math = expr::mathml(read::parse_expression(expression), ranks);
    const std::size_t begin = math.find('>') + 1;
    return math.substr(begin, math.rfind("</math>") - begin);
  } catch (const expr::Error&) {
    return element("mtext", escaped(expression));
  }
}

std::string value(const std::string& text) {
  const bool number = !text.empty() && text.find_first_not_of("-0123456789/") == std::string::npos;
  if (!number) return element("mtext", escaped(text));
  return text[0] == '-' ? "<mrow><mo form=\"prefix\">&#8722;</mo><mn>" + escaped(text.substr(1)) + "</mn></mrow>" : element("mn", escaped(text));
}

// The largest part that lies within text[begin, end).
expr::Expression part_within(const expr::Expression& e, std::size_t begin, std::size_t end) {
  if (e->span.begin >= begin && e->span.end <= end) return e;
  for (const expr::Expression& arg : e->args) {
    if (!arg) continue;
    if (auto found = part_within(arg, begin, end)) return found;
  }
  return nullptr;
}

expr::Expression replaced(const expr::Expression& e, const expr::Expression& part, const expr::Expression& by) {
  if (e == part) return by;
  expr::Syntax copy = *e;
  for (expr::Expression& arg : copy.args) {
    if (arg) arg = replaced(arg, part, by);
  }
  return std::make_shared<const expr::Syntax>(std::move(copy));
}

// One matrix of a tensor; `offset` is the position of its first value.
std::string matrix(const refute::TextTensor& tensor, std::size_t offset, std::size_t rows, std::size_t columns, std::size_t marked) {
  std::string body;
  for (std::size_t r = 0; r < rows; ++r) {
    std::string row;
    for (std::size_t c = 0; c < columns; ++c) {
      const std::size_t at = offset + r * columns + c;
      row += element("mtd", value(tensor.values[at]), at == marked ? " class=\"differs\"" : "");
    }
    body += element("mtr", row);
  }
  return "<mrow><mo>[</mo>" + element("mtable", body) + "<mo>]</mo></mrow>";
}

std::size_t position(const refute::TextTensor& tensor, const std::vector<std::int64_t>& entry) {
  if (entry.empty() || entry.size() != tensor.shape.size()) return tensor.values.size();
  std::size_t at = 0;
  for (std::size_t axis = 0; axis < entry.size(); ++axis) at = at * static_cast<std::size_t>(tensor.shape[axis]) + static_cast<std::size_t>(entry[axis]);
  return at;
}

std::string math(const std::string& inner) { return "<math>" + inner + "</math>"; }

}  // namespace

std::string escaped(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      case '\'': out += "&#39;"; break;
      default: out += (byte < 0x20 && c != '\n' && c != '\t') || byte == 0x7f ? std::string("\xEF\xBF\xBD") : std::string(1, c);
    }
  }
  return out;
}

namespace {

bool is_word(char c) { return expr::is_letter(c) || expr::is_digit(c); }

/// The index that begins with `sign` at text[at], without the sign; empty when there is none.
std::string_view index_at(std::string_view text, std::size_t at, char sign) {
  if (at >= text.size() || text[at] != sign) return {};
  std::size_t end = at + 1;
  while (end < text.size() && is_word(text[end])) ++end;
  return text.substr(at + 1, end - at - 1);
}

}  // namespace

std::string prose(std::string_view text) {
  std::string out;
  std::size_t plain = 0;  // text before it is written
  for (std::size_t at = 0; at < text.size(); ++at) {
    const bool letter = expr::is_letter(text[at]) && (at == 0 || (!is_word(text[at - 1]) && text[at - 1] != '_'));
    if (!letter && text[at] != ')') continue;
    const std::string_view below = letter ? index_at(text, at + 1, '_') : std::string_view();
    const std::size_t after = at + 1 + (below.empty() ? 0 : below.size() + 1);
    const std::string_view above = index_at(text, after, '^');
    const std::size_t end = after + (above.empty() ? 0 : above.size() + 1);
    if (end == at + 1 || (end < text.size() && text[end] == '_')) continue;
    out += escaped(text.substr(plain, at - plain)) + (letter ? element("i", std::string(1, text[at])) : ")");
    if (!below.empty()) out += element("sub", std::string(below));
    if (!above.empty()) out += element("sup", std::string(above));
    plain = end;
    at = end - 1;
  }
  return out + escaped(text.substr(plain));
}

std::string element(std::string_view tag, const std::string& inner, std::string_view attributes) {
  std::string out;
  out.append("<").append(tag).append(attributes).append(">").append(inner).append("</").append(tag).append(">");
  return out;
}

std::string anchor(std::string_view prefix, std::string_view id) {
  static constexpr std::string_view digits = "0123456789abcdef";
  std::string out(prefix);
  for (const char c : id) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '.';
    const auto byte = static_cast<unsigned char>(c);
    out += plain ? std::string(1, c) : std::string("_") + digits[byte >> 4] + digits[byte & 15];
  }
  return out;
}

std::string formula(const std::string& expression, const expr::Ranks& ranks) {
  try {
    return math(inner_math(expr::text(read::parse_expression(expression)), ranks));
  } catch (const expr::Error&) {
    return element("code", escaped(expression));
  }
}

std::string formula_marked(const std::string& expression, std::size_t begin, std::size_t end, const expr::Ranks& ranks) {
  const std::string whole = formula(expression, ranks);
  if (begin >= end) return whole;
  try {
    const expr::Expression e = read::parse_expression(expression);
    const expr::Expression part = part_within(e, begin, end);
    if (!part) return whole;
    // What surrounds the part is what stays the same when another name takes its place.
    static const expr::Expression hole = read::parse_expression("Hole");
    const std::string name = inner_math("Hole");
    expr::Ranks with_hole = ranks;
    with_hole["Hole"] = expr::is_scalar(part, ranks) ? 0 : 2;
    const std::string context = expr::mathml(replaced(e, part, hole), with_hole);
    const std::string full = expr::mathml(e, ranks);
    const std::size_t at = context.find(name);
    if (at == std::string::npos) return whole;
    const std::string before = context.substr(0, at);
    const std::string after = context.substr(at + name.size());
    if (full.size() < before.size() + after.size() || !full.starts_with(before) || !full.ends_with(after)) return whole;
    const std::string marked = full.substr(before.size(), full.size() - before.size() - after.size());
    return before + "<mrow class=\"changed\">" + marked + "</mrow>" + after;
  } catch (const expr::Error&) {
    return whole;
  }
}

std::string equation(const NamedTensor& tensor, const std::vector<std::int64_t>& marked) {
  const refute::TextTensor& t = tensor.value;
  const std::size_t at = position(t, marked);
  const std::string name = inner_math(tensor.name);
  if (t.shape.empty()) return math("<mrow>" + name + "<mo>=</mo>" + value(t.values[0]) + "</mrow>");
  const auto columns = static_cast<std::size_t>(t.shape.back());
  const std::size_t rows = t.shape.size() > 1 ? static_cast<std::size_t>(t.shape[t.shape.size() - 2]) : 1;
  std::string slices;
  for (std::size_t offset = 0; offset < t.values.size(); offset += rows * columns) {
    slices += (offset > 0 ? "<mo separator=\"true\">,</mo>" : "") + matrix(t, offset, rows, columns, at);
  }
  const bool several = t.values.size() > rows * columns;
  if (several) slices = "<mrow><mo>(</mo>" + slices + "<mo>)</mo></mrow>";
  return math("<mrow>" + name + "<mo>=</mo>" + slices + "</mrow>");
}

std::string page(const std::string& title, const std::string& body, bool with_filter) {
  std::string out = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n";
  out += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"color-scheme\" content=\"light dark\">\n";
  // Nothing may be fetched, whatever a claim's text says.
  out += "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:\">\n";
  out += "<link rel=\"icon\" href=\"data:,\">\n" + element("title", escaped(title)) + "\n<style>" + page_style + "</style>\n</head>\n<body>\n";
  out += body;
  if (with_filter) out += std::string("<script>") + page_script + "</script>\n";
  return out + "</body>\n</html>\n";
}

}  // namespace foldproof::report
