// SPDX-License-Identifier: MIT
#include "program/blocks.hpp"

#include <optional>

namespace foldproof::program {
namespace {

class Blocks {
 public:
  Blocks(const std::vector<Token>& tokens, std::string_view text) : tokens_(tokens), text_(text) {}

  std::vector<Token> run() {
    bool statement_begins = true;
    for (at_ = 0; at_ < tokens_.size(); ++at_) {
      const Token& token = tokens_[at_];
      if (token.kind == TokenKind::separator) {
        result_.push_back(token);
        statement_begins = true;
        line_begins_ = line_begins_ || token.text == "\n";
        while (token.text == "\n" && !open_.empty() && open_.back().one_line) end_block();
        if (!open_.empty() && open_.back().returned && is_last_line(token)) end_block();
        continue;
      }
      if (token.kind == TokenKind::end) end_all();
      else if (line_begins_) begin_line(token);
      if (statement_begins && skip_gradients()) continue;
      const bool returns = statement_begins && token.is("return");
      statement_begins = statement_begins && take_header();
      if (statement_begins) continue;
      if (returns && !open_.empty()) open_.back().returned = open_.back().one_line && open_.back().header.is("def");
      line_begins_ = false;
      result_.push_back(token);
    }
    return std::move(result_);
  }

 private:
  struct Open {
    Token header;
    std::string_view indentation;
    bool one_line;
    std::optional<std::string_view> body = {};  ///< the indentation of its lines
    bool transparent = false;  ///< with torch.no_grad(): the statements in it are those of what is around it
    bool returned = false;  ///< def f(x): return x @ W; what stands behind it is the claim, if no line follows
  };

  /// What stands before the token in its line.
  std::string_view indentation(const Token& token) const {
    const std::size_t line = token.span.begin == 0 ? std::string_view::npos : text_.rfind('\n', token.span.begin - 1);
    const std::size_t begin = line == std::string_view::npos ? 0 : line + 1;
    return text_.substr(begin, token.span.begin - begin);
  }
  bool is_last_line(const Token& token) const {
    const std::size_t end = text_.find('\n', token.span.end);
    return end == std::string_view::npos || text_.find_first_not_of(" \t\r\n", end) == std::string_view::npos;
  }
  static bool is_deeper(std::string_view indentation, std::string_view than) { return indentation.size() > than.size() && indentation.starts_with(than); }

  void begin_line(const Token& token) {
    const std::string_view here = indentation(token);
    while (!open_.empty() && !is_deeper(here, open_.back().indentation)) end_block();
    if (open_.empty()) return;
    std::optional<std::string_view>& body = open_.back().body;
    if (!body) body = here;
    if (*body != here) fail("parse.indentation", "this line begins at another place than the one above it in the same block", token.span, "let all lines of a block begin below each other");
  }

  /// Takes `for i in range(n):` and the like up to the colon, if that stands here: then another statement begins. Where no colon follows nothing does.
  bool take_header() {
    const Token& first = tokens_[at_];
    const auto next = [&](std::size_t k) { return at_ + k < tokens_.size() ? tokens_[at_ + k] : Token{}; };
    const bool named = next(1).kind == TokenKind::name;
    const bool header = (first.is("for") && (named || next(1).is("("))) || ((first.is("def") || first.is("class")) && named) || first.is("if") || first.is("elif") || first.is("else") || first.is("while");
    if (!header) return false;
    int depth = 0;
    std::size_t colon = 1;
    for (; depth > 0 || !next(colon).is(":"); ++colon) {
      const Token token = next(colon);
      if (token.kind == TokenKind::separator || token.kind == TokenKind::end) return false;
      depth += (token.is("(") || token.is("[") ? 1 : 0) - (token.is(")") || token.is("]") ? 1 : 0);
    }
    const std::size_t end = next(colon).span.end, body = next(colon + 1).span.begin;  // no line ends behind a colon
    const std::string_view behind = text_.substr(end, body > end ? body - end : 0);
    const bool one_line = behind.find('\n') == std::string_view::npos;
    if (behind.find('\\') < behind.find('#')) fail("parse.indentation", "the line goes on behind the colon", {end - 1, end}, "begin the block in a line of its own, without \\");
    const std::string_view here = indentation(first);
    const bool empty = next(colon + 1).kind == TokenKind::end || next(colon + 1).kind == TokenKind::separator || (!one_line && !is_deeper(indentation(next(colon + 1)), here));
    if (!one_line && !line_begins_) fail("parse.indentation", "`" + std::string(first.text) + "` stands behind something else in its line, and its block below it", first.span, "begin a line with it");
    if (empty && (first.is("for") || first.is("while"))) fail("parse.loop", "the loop has no body", first.span, "write for i in range(n): and what is done in each step");
    if (empty) fail("parse.unexpected", first.is("def") ? "this function is empty" : first.is("class") ? "this class is empty" : "this case is empty", first.span, "write what is done in it, further to the right than `" + std::string(first.text) + "`");
    for (std::size_t k = 0; k <= colon; ++k) result_.push_back(tokens_[at_ + k]);
    at_ += colon;
    result_.push_back({TokenKind::block_begin, {}, {end, end}});
    open_.push_back({first, here, one_line});
    line_begins_ = !one_line;
    return true;
  }

  /// Skips @torch.no_grad() and with torch.no_grad():, which say nothing of values. Whether that stands here.
  bool skip_gradients() {
    const auto next = [&](std::size_t k) { return at_ + k < tokens_.size() ? tokens_[at_ + k] : Token{}; };
    const bool decorates = next(0).is("@"), opens = next(0).is("with");
    const bool known = next(1).is("torch") && next(2).is(".") && (next(3).is("no_grad") || next(3).is("enable_grad") || next(3).is("inference_mode")) && next(4).is("(") && next(5).is(")");
    if (!known || (decorates ? next(6).kind != TokenKind::separator : !opens || !next(6).is(":"))) return false;
    if (decorates) {
      at_ += 5;
      line_begins_ = false;
      return true;
    }
    const Token first = next(0), body = next(7);
    const std::string_view here = indentation(first);
    const bool one_line = text_.substr(next(6).span.end, body.span.begin - next(6).span.end).find('\n') == std::string_view::npos;
    if (body.kind == TokenKind::end || body.kind == TokenKind::separator || (!one_line && !is_deeper(indentation(body), here))) fail("parse.indentation", "this block is empty", first.span, "write what is done in it, further to the right than `with`");
    if (!one_line && !line_begins_) fail("parse.indentation", "`with` stands behind something else in its line, and its block below it", first.span, "begin a line with it");
    open_.push_back({first, here, one_line, {}, true});
    at_ += 6;
    line_begins_ = !one_line;
    return true;
  }

  void end_block() {
    if (open_.back().transparent) return open_.pop_back();
    const std::size_t end = result_.back().span.end;
    result_.push_back({TokenKind::block_end, {}, {end, end}});
    result_.push_back({TokenKind::separator, "\n", {end, end}});
    open_.pop_back();
  }
  void end_all() {
    if (!open_.empty() && result_.back().kind != TokenKind::separator) result_.push_back({TokenKind::separator, "\n", {text_.size(), text_.size()}});
    while (!open_.empty()) end_block();
  }

  const std::vector<Token>& tokens_;
  std::string_view text_;
  std::size_t at_ = 0;
  bool line_begins_ = true;
  std::vector<Token> result_;
  std::vector<Open> open_;
};

}  // namespace

std::vector<Token> with_blocks(const std::vector<Token>& tokens, std::string_view text) { return Blocks(tokens, text).run(); }

std::size_t behind_block(const std::vector<Token>& tokens, std::size_t at) {
  int depth = 0;
  do {
    depth += step_into_block(tokens[at++]);
  } while (depth > 0 && at < tokens.size());
  return at;
}

}  // namespace foldproof::program
