// SPDX-License-Identifier: MIT
// The tokenizer: one pass, no recursion, linear in the text.
// People paste formulas from papers, so characters that look right but are not ASCII are refused with their spelling.
#include "program/lexer.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <utility>

#include "expr/character_hints.hpp"
#include "expr/notation_parts.hpp"

namespace foldproof::program {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v'; }

constexpr std::array<std::string_view, 6> long_symbols = {"**", "//", "==", "<=", ">=", "!="};
constexpr std::string_view short_symbols = "+-*/%@<>=()[],:.~&|";

/// Bytes of the UTF-8 sequence at the start of `text`; 0 when it is not valid.
std::size_t sequence_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const std::size_t length = byte(0) < 0x80 ? 1 : byte(0) >= 0xf0 ? 4 : byte(0) >= 0xe0 ? 3 : byte(0) >= 0xc2 ? 2 : 0;
  if (byte(0) > 0xf4 || length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
  }
  return length;
}

std::string code_point_text(std::string_view sequence) {
  static constexpr unsigned lead_bits[] = {0x7f, 0x1f, 0x0f, 0x07};
  unsigned value = static_cast<unsigned char>(sequence[0]) & lead_bits[sequence.size() - 1];
  for (const char c : sequence.substr(1)) value = (value << 6) | (static_cast<unsigned char>(c) & 0x3fU);
  char buffer[16];
  std::snprintf(buffer, sizeof buffer, "U+%04X", value);
  return buffer;
}

[[noreturn]] void unknown_character(std::string_view text, std::size_t at) {
  const std::size_t length = sequence_length(text.substr(at));
  if (length == 0) fail("parse.unknown_character", "this byte is not valid UTF-8", {at, at + 1}, "save the claim as ASCII text");
  const std::string_view sequence = text.substr(at, length);
  const std::string hint = character_hint(text, at, sequence);
  if (!hint.empty()) {
    const std::string name = length == 1 ? "" : " (" + code_point_text(sequence) + ")";
    fail("parse.unknown_character", "`" + std::string(sequence) + "`" + name + " is not part of the claim language", {at, at + length}, hint);
  }
  const bool printable = length == 1 && sequence[0] > ' ' && sequence[0] < '\x7f';
  const std::string name = printable ? "`" + std::string(sequence) + "`" : "the character " + code_point_text(sequence);
  fail("parse.unknown_character", name + " is not part of the claim language", {at, at + length}, length > 1 ? "spell names in ASCII, for example theta" : "");
}

class Tokenizer {
 public:
  explicit Tokenizer(std::string_view text) : text_(text) {}

  std::vector<Token> run() {
    while (at_ < text_.size()) next();
    if (!open_.empty()) fail("parse.unbalanced", "this bracket is never closed", {open_.back(), open_.back() + 1}, "add the closing bracket");
    push(TokenKind::end, 0);
    return std::move(tokens_);
  }

 private:
  void next() {
    const char c = text_[at_];
    if (is_blank(c)) {
      ++at_;
    } else if (c == '#') {
      at_ = std::min(text_.find('\n', at_), text_.size());
    } else if (c == '\n') {
      new_line();
    } else if (c == '\\') {
      continue_line();
    } else if (c == ';') {
      push(TokenKind::separator, 1);
    } else if (is_digit(c) || (c == '.' && is_digit(ahead(1)))) {
      push(TokenKind::number, number_length());
    } else if (is_name_start(c)) {
      std::size_t length = 1;
      while (is_name_part(ahead(length))) ++length;
      push(TokenKind::name, length);
    } else {
      symbol();
    }
  }

  char ahead(std::size_t distance) const { return at_ + distance < text_.size() ? text_[at_ + distance] : '\0'; }

  void push(TokenKind kind, std::size_t length) { push(kind, length, text_.substr(at_, length)); }
  void push(TokenKind kind, std::size_t length, std::string_view text) {
    tokens_.push_back({kind, text, {at_, at_ + length}});
    at_ += length;
  }

  /// A line that ends in an operator or a comma goes on, and so does one followed by a relation: neither could end a statement.
  void new_line() {
    const bool operator_before = !tokens_.empty() && tokens_.back().kind == TokenKind::symbol && !tokens_.back().is(")") && !tokens_.back().is("]") && !tokens_.back().is("}");
    if (!open_.empty() || operator_before) {
      ++at_;
    } else {
      push(TokenKind::separator, 1);
    }
  }

  /// A backslash at the end of a line, after which the statement goes on.
  void continue_line() {
    const std::size_t end = at_ + (ahead(1) == '\r' ? 2 : 1);
    if (end >= text_.size() || text_[end] != '\n') unknown_character(text_, at_);
    if (text_.find_first_not_of(" \t\r\n", end) == std::string_view::npos) fail("parse.unexpected", "nothing follows the line that this backslash continues", {at_, at_ + 1}, "leave it out");
    at_ = end + 1;
  }

  std::size_t number_length() const {
    std::size_t length = 0;
    while (is_digit(ahead(length))) ++length;
    if (ahead(length) == '.' && !is_name_start(ahead(length + 1))) {  // `2.T` is a transpose
      ++length;
      while (is_digit(ahead(length))) ++length;
    }
    if (ahead(length) == 'e' || ahead(length) == 'E') {
      const std::size_t sign = ahead(length + 1) == '+' || ahead(length + 1) == '-' ? 1 : 0;
      if (is_digit(ahead(length + 1 + sign))) {
        length += 1 + sign;
        while (is_digit(ahead(length))) ++length;
      }
    }
    return length;
  }

  void symbol() {
    const std::string_view two = text_.substr(at_, 2);
    if (std::find(long_symbols.begin(), long_symbols.end(), two) != long_symbols.end()) {
      if (is_relation_start(two)) join_lines();
      push(TokenKind::symbol, 2);
      return;
    }
    const char c = text_[at_];
    if (c == '{' && begins_dictionary()) return open_dictionary();
    if (c == '}' && !open_.empty() && text_[open_.back()] == '{') return close_dictionary();
    if ((c == '\'' || c == '"') && (may_be_quoted() || may_be_key() || may_be_loop_word())) return quoted(c);
    if ((c == '\'' || c == '"') && (tokens_.empty() || tokens_.back().kind == TokenKind::separator || tokens_.back().is(":"))) return comment(c);
    if (short_symbols.find(c) == std::string_view::npos) return other_symbol();
    if (c == '(' || c == '[') open();
    if (c == ')' || c == ']') close(c);
    if (c == '<' || c == '>') join_lines();
    push(TokenKind::symbol, 1);
  }

  /// What papers write and what can mean one thing only: relations, a minus, the transpose, and letters that stand alone.
  void other_symbol() {
    static constexpr std::pair<std::string_view, std::string_view> symbols[] = {{"\u2264", "<="}, {"\u2265", ">="}, {"\u2260", "!="}, {"\u2212", "-"}, {"\u2299", "*"}};
    const std::string_view character = text_.substr(at_, sequence_length(text_.substr(at_)));
    const auto known = std::find_if(std::begin(symbols), std::end(symbols), [&](const auto& s) { return s.first == character; });
    if (known != std::end(symbols)) {
      if (known->second.size() == 2) join_lines();
      return push(TokenKind::symbol, character.size(), known->second);
    }
    const bool operand = !tokens_.empty() && (tokens_.back().kind == TokenKind::name || tokens_.back().is(")") || tokens_.back().is("]")) && tokens_.back().span.end == at_;
    if (operand && (character == "\u1d40" || character == "\u22a4")) {
      push(TokenKind::symbol, 0, ".");
      return push(TokenKind::name, character.size(), "T");
    }
    const std::string_view greek = character.empty() ? character : greek_name(character), letter = greek == "lambda" ? "lambda_" : greek;  // see python_name
    const bool alone = !letter.empty() && !is_name_part(ahead(character.size())) && (at_ == 0 || !is_name_part(text_[at_ - 1]));
    const bool beside = alone && static_cast<unsigned char>(ahead(character.size())) >= 0x80;  // as in a word of such letters
    if (!alone || beside) unknown_character(text_, at_);
    if (text_.find(letter) != std::string_view::npos) fail("parse.duplicate", "`" + std::string(character) + "` is read as `" + std::string(letter) + "`, which stands in the claim, too", {at_, at_ + character.size()}, "spell both alike");
    push(TokenKind::name, character.size(), letter);
  }

  /// Whether the statement by now tells the reader something, print("...", x), assert n > 0, f"...", raise ValueError("..."), or goes through words: for name in ("q", "k"):
  bool is_told() const {
    std::size_t first = tokens_.size();
    while (first > 0 && tokens_[first - 1].kind != TokenKind::separator && !tokens_[first - 1].is(":")) --first;
    const bool asserts = std::any_of(tokens_.begin() + static_cast<std::ptrdiff_t>(first), tokens_.end(), [](const Token& t) { return t.text.starts_with("assert_"); });  // np.testing.assert_allclose(a, b, err_msg="...")
    return first < tokens_.size() && (asserts || tokens_[first].is("assert") || tokens_[first].is("raise") || tokens_[first].is("print") || tokens_[first].is("for"));
  }
  /// Where text in quotes may stand: as an argument, such as a pattern of axes, after keywords and in conditions.
  bool may_be_quoted() const {
    static constexpr std::string_view begin[] = {"einsum", "flatten", "ravel", "float", "register_buffer", "to", "astype", "device", "parametrize"}, relations[] = {"==", "!="};
    const auto is = [](const Token& token, auto& words) { return std::find(std::begin(words), std::end(words), token.text) != std::end(words); };
    const std::size_t n = tokens_.size();
    if (is_told()) return true;
    if (n < 2) return false;
    if (tokens_[n - 1].is("(")) return is(tokens_[n - 2], begin);
    if (is(tokens_[n - 1], relations)) return true;  // if mode == 'full':
    if (tokens_[n - 1].is("return") || (tokens_[n - 1].is("f") && tokens_[n - 2].is("return"))) return true;  // of extra_repr
    if (tokens_[n - 1].is("=")) return tokens_[n - 2].kind == TokenKind::name;
    if (tokens_[n - 1].is("else")) return true;
    if (!tokens_[n - 1].is(",")) return false;
    std::size_t depth = 1, at = n - 1;  // back to the bracket that is open here
    while (at > 1 && depth > 0) {
      --at;
      depth += tokens_[at].is(")") || tokens_[at].is("]");
      depth -= tokens_[at].is("(") || tokens_[at].is("[");
    }
    return depth == 0 && tokens_[at].is("(") && tokens_[at - 1].kind == TokenKind::name;
  }
  /// s = {, f({, return {, and in other dictionaries.
  bool begins_dictionary() const {
    static constexpr std::string_view before[] = {"=", "(", "[", ",", "return"};
    const Token last = tokens_.empty() ? Token{} : tokens_.back();
    const bool nested = !open_.empty() && text_[open_.back()] == '{' && (last.is(":") || last.is("**"));
    return nested || std::any_of(std::begin(before), std::end(before), [&](std::string_view word) { return last.is(word); });
  }
  void open_dictionary() {
    open();
    push(TokenKind::symbol, 1);
  }
  void close_dictionary() {
    open_.pop_back();
    push(TokenKind::symbol, 1);
  }
  /// {"scale": 2}, and the key of s["scale"].
  bool may_be_key() const {
    const std::size_t n = tokens_.size();
    if (n < 2 || open_.empty()) return false;
    if (text_[open_.back()] == '{') return tokens_[n - 1].is("{") || tokens_[n - 1].is(",") || tokens_[n - 1].is(":");
    return tokens_[n - 1].is("[") && (tokens_[n - 2].kind == TokenKind::name || tokens_[n - 2].is("]"));
  }

  /// The words of a loop: for w in ("q", "k"), for w in "qk", names = ["q", "k"].
  bool may_be_loop_word() const {
    const std::size_t n = tokens_.size();
    if (n == 0 || tokens_[n - 1].is("in")) return n > 0;
    std::size_t at = n - 1;
    while (at > 0 && (tokens_[at].kind == TokenKind::text || tokens_[at].is(","))) --at;  // words before this one
    return at > 1 && (tokens_[at].is("(") || tokens_[at].is("[")) && (tokens_[at - 1].is("in") || (tokens_[at - 1].is("=") && tokens_[at - 2].kind == TokenKind::name));
  }

  /// What Python's functions say of themselves, and types in quotes.
  void comment(char quote) {
    const std::string end(text_.substr(at_, 3) == std::string(3, quote) ? 3 : 1, quote);
    const std::size_t closing = text_.find(end, at_ + end.size());
    if (closing == std::string_view::npos) fail("parse.unbalanced", "this quote is never closed", {at_, at_ + 1}, "close it, or write # before a comment");
    at_ = closing + end.size();
  }
  void quoted(char quote) {
    const std::size_t end = text_.find_first_of(std::string{quote, '\n'}, at_ + 1);
    if (end == std::string_view::npos || text_[end] != quote) fail("parse.unbalanced", "this quote is never closed", {at_, at_ + 1}, "write einsum('nd,dk->nk', X, W)");
    push(TokenKind::text, end + 1 - at_);
  }

  static bool is_relation_start(std::string_view two) { return two[1] == '='; }

  void join_lines() {
    while (!tokens_.empty() && tokens_.back().kind == TokenKind::separator && tokens_.back().text == "\n") tokens_.pop_back();
  }

  void open() {
    if (open_.size() >= static_cast<std::size_t>(maximum_depth)) {
      fail("limit.depth", "brackets are nested more than " + std::to_string(maximum_depth) + " deep", {at_, at_ + 1}, "name parts of the claim with `let`");
    }
    open_.push_back(at_);
  }

  void close(char c) {
    if (open_.empty()) fail("parse.unbalanced", std::string("`") + c + "` closes nothing", {at_, at_ + 1}, "remove it, or add the opening bracket");
    const char opened = text_[open_.back()];
    if ((opened == '(') != (c == ')')) {
      fail("parse.unbalanced", std::string("`") + opened + "` is closed by `" + c + "`", {at_, at_ + 1}, std::string("close it with `") + (opened == '(' ? ")" : "]") + "`");
    }
    open_.pop_back();
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::vector<Token> tokens_;
  std::vector<std::size_t> open_;  // where the brackets open so far are
};

}  // namespace

bool is_reserved(std::string_view name) {
  static constexpr std::string_view words[] = {"for", "in", "let", "assume", "and"};
  return std::find(std::begin(words), std::end(words), name) != std::end(words);
}

bool is_word_of_python(std::string_view name) {
  static constexpr std::string_view words[] = {"and", "as", "assert", "async", "await", "break", "class", "continue", "def", "del", "elif", "else", "except", "finally", "for", "from", "global", "if", "import", "in", "is", "nonlocal", "not", "or", "pass", "raise", "return", "try", "while", "with", "yield"};
  return std::find(std::begin(words), std::end(words), name) != std::end(words);
}

std::vector<Token> tokenize(std::string_view text) {
  if (text.size() > maximum_text_size) {
    fail("limit.size", "the claim is longer than 1 MiB", {maximum_text_size, text.size()}, "split it into several claims");
  }
  return Tokenizer(text).run();
}

std::string describe(const Token& token) {
  constexpr std::size_t longest = 40;
  if (token.kind == TokenKind::end) return "the end of the text";
  if (token.kind == TokenKind::block_begin || token.kind == TokenKind::block_end) return "the end of what stands before";
  if (token.text == "\n") return "the end of the line";
  if (token.text.size() > longest) return "`" + std::string(token.text.substr(0, longest)) + "...`";
  return "`" + std::string(token.text) + "`";
}

}  // namespace foldproof::program
