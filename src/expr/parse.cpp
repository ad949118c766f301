// SPDX-License-Identifier: MIT
// Expressions: Python's precedences, NumPy's operators, and comprehensions over heads.
// A comprehension in square brackets and a bare one are the same syntax, and so are a list and a tuple:
// later passes see one form of each.
#include <algorithm>
#include <utility>

#include "expr/parser.hpp"

namespace foldproof::expr {
namespace {

struct BinaryOperator {
  std::string_view symbol;
  SyntaxKind kind;
  int level;
};

constexpr BinaryOperator binary_operators[] = {
    {"+", SyntaxKind::add, 1},    {"-", SyntaxKind::subtract, 1},      {"*", SyntaxKind::multiply, 2}, {"/", SyntaxKind::divide, 2},
    {"@", SyntaxKind::matmul, 2}, {"//", SyntaxKind::floor_divide, 2}, {"%", SyntaxKind::modulo, 2},
};

const BinaryOperator* find_binary(const Token& token) {
  if (token.kind != TokenKind::symbol) return nullptr;
  const auto found = std::find_if(std::begin(binary_operators), std::end(binary_operators), [&](const auto& o) { return o.symbol == token.text; });
  return found == std::end(binary_operators) ? nullptr : found;
}

bool is_module(std::string_view name) {
  static constexpr std::string_view modules[] = {"np", "jnp", "torch", "math", "numpy", "linalg", "nn", "functional"};
  return std::find(std::begin(modules), std::end(modules), name) != std::end(modules);
}

bool starts_operand(const Token& t) { return t.kind == TokenKind::name || t.kind == TokenKind::number || t.is("(") || t.is("["); }

[[noreturn]] void too_deep(Span span) {
  fail("limit.depth", "the expression is nested more than " + std::to_string(maximum_depth) + " deep", span, "name parts of the claim with `let`");
}

Syntax syntax(SyntaxKind kind, Span span, std::string name = {}) { return Syntax{kind, std::move(name), {}, {}, {}, {}, span}; }

/// Counts one level of recursion while it lives.
class Level {
 public:
  Level(int& nesting, Span span) : nesting_(nesting) {
    if (nesting_ >= maximum_depth) too_deep(span);
    ++nesting_;
  }
  Level(const Level&) = delete;
  Level& operator=(const Level&) = delete;
  ~Level() { --nesting_; }

 private:
  int& nesting_;
};

}  // namespace

const Token& Parser::peek(std::size_t distance) const { return tokens_[std::min(next_ + distance, tokens_.size() - 1)]; }

Token Parser::take() {
  const Token token = peek();
  if (next_ + 1 < tokens_.size()) ++next_;
  return token;
}

bool Parser::accept(std::string_view symbol) {
  if (!peek().is(symbol)) return false;
  take();
  return true;
}

Token Parser::expect(std::string_view symbol, const std::string& purpose) {
  if (!peek().is(symbol)) unexpected("`" + std::string(symbol) + "` " + purpose);
  return take();
}

Token Parser::expect_name(const std::string& purpose) {
  if (peek().kind != TokenKind::name) unexpected("a name " + purpose);
  if (is_reserved(peek().text)) unexpected("a name " + purpose + ", not a word of the language");
  return take();
}

void Parser::skip_separators() {
  while (peek().kind == TokenKind::separator) take();
}

void Parser::unexpected(const std::string& expected) const {
  const Token& found = peek();
  std::string hint;
  const bool after_operand = next_ > 0 && (tokens_[next_ - 1].kind == TokenKind::name || tokens_[next_ - 1].kind == TokenKind::number ||
                                           tokens_[next_ - 1].is(")") || tokens_[next_ - 1].is("]"));
  if (found.is("=")) {
    hint = "equations are written ==, definitions `let NAME = ...`";
  } else if (found.kind == TokenKind::name && is_reserved(found.text)) {
    hint = "`" + std::string(found.text) + "` is a word of the claim language";
  } else if (after_operand && starts_operand(found)) {
    hint = "write A @ B for a matrix product, A * B for an entrywise one";
  } else if (found.kind == TokenKind::separator && found.text == "\n") {
    hint = "put an expression over several lines into brackets";
  } else if (found.is("*") && next_ > 0) {
    hint = tokens_[next_ - 1].is("*") ? "powers are written ** without a space" : "for a list of arguments write f(... for i in range(h))";
  }
  fail("parse.unexpected", "expected " + expected + ", found " + describe(found), found.span, hint);
}

Parser::Node Parser::finish(Syntax syntax, int depth) const {
  if (depth > maximum_depth) too_deep(syntax.span);
  const Span span = syntax.span;
  return {std::make_shared<const Syntax>(std::move(syntax)), depth, span};
}

Parser::Node Parser::make(SyntaxKind kind, const Node& a, Span span) const {
  Syntax s = syntax(kind, span);
  s.args = {a.tree};
  return finish(std::move(s), a.depth + 1);
}

Parser::Node Parser::make(SyntaxKind kind, const Node& a, const Node& b) const {
  Syntax s = syntax(kind, {a.span.begin, b.span.end});
  s.args = {a.tree, b.tree};
  return finish(std::move(s), std::max(a.depth, b.depth) + 1);
}

Parser::Node Parser::binary(int level) {
  Node left = unary();
  for (const BinaryOperator* found = find_binary(peek()); found && found->level >= level; found = find_binary(peek())) {
    take();
    left = make(found->kind, left, binary(found->level + 1));
  }
  return left;
}

Parser::Node Parser::unary() {
  if (peek().is("-") || peek().is("+")) {
    const Token sign = take();
    const Level guard(nesting_, sign.span);
    Node operand = unary();
    const Span span{sign.span.begin, operand.span.end};
    if (sign.is("-")) return make(SyntaxKind::negate, operand, span);
    operand.span = span;
    return operand;
  }
  Node base = postfix();
  if (!peek().is("**")) return base;
  const Level guard(nesting_, take().span);
  return make(SyntaxKind::power, base, unary());
}

Parser::Node Parser::postfix() {
  Node node = primary();
  while (true) {
    if (peek().is("[")) {
      node = index(node);
    } else if (peek().is(".")) {
      const Token name = member(node);
      node = make(SyntaxKind::transpose, node, {node.span.begin, name.span.end});
    } else {
      return node;
    }
  }
}

/// The `T` of `base.T`; everything else after a dot is refused.
Token Parser::member(const Node& base) {
  const Token dot = take();
  const Token name = take();
  if (name.is("T")) return name;
  const std::string written(name.kind == TokenKind::name ? name.text.substr(0, 40) : "");
  std::string hint = "the only attribute is .T";
  if (written == "t" || written == "mT" || written == "mH" || written == "H") {
    hint = "transpose is written .T";
  } else if (!written.empty() && peek().is("(")) {
    const bool simple = base.tree->kind == SyntaxKind::name && base.tree->name.size() <= 40;
    hint = "functions come first: write " + written + "(" + (simple ? base.tree->name : "A") + ", ...)";
  }
  fail("parse.unexpected", "expected `T` after `.`, found " + describe(name), {dot.span.begin, std::max(name.span.end, dot.span.end)}, hint);
}

Parser::Node Parser::primary() {
  const Token& token = peek();
  if (token.kind == TokenKind::number) return number();
  if (token.is("(")) return bracketed();
  if (token.is("[")) return list();
  if (token.kind != TokenKind::name || is_reserved(token.text)) unexpected("an expression");
  const bool prefixed = drop_module_prefix();
  const Token name = take();
  if (peek().is("(")) return call(name);
  if (prefixed) unexpected("`(`: only functions carry a module prefix");
  return finish(syntax(SyntaxKind::name, name.span, std::string(name.text)), 1);
}

/// `np.sqrt` is `sqrt`; `np.T` is the transpose of a variable called np.
bool Parser::drop_module_prefix() {
  bool dropped = false;
  while (is_module(peek().text) && peek(1).is(".") && peek(2).kind == TokenKind::name && !peek(2).is("T")) {
    take();
    take();
    dropped = true;
  }
  return dropped;
}

Parser::Node Parser::number() {
  const Token token = take();
  Syntax s = syntax(SyntaxKind::number, token.span);
  try {
    const auto value = Rational::parse(token.text);
    if (!value) fail("parse.number", describe(token) + " is not a number", token.span, "write 12, 0.125 or 1e-5");
    s.value = *value;
  } catch (const LimitReached&) {
    fail("parse.number", "the number " + describe(token) + " does not fit into a fraction of 64-bit integers", token.span, "use fewer digits");
  }
  return finish(std::move(s), 1);
}

/// `(a)` is a; `(a, b)` is the list of a and b, as NumPy accepts a tuple where it accepts a list.
Parser::Node Parser::bracketed() {
  const Token open = take();
  Node inner = binary(lowest_level);
  if (peek().is("for")) unexpected("`)`: write comprehensions as f(... for i in range(h))");
  if (peek().is(",")) {
    Syntax s = syntax(SyntaxKind::list, open.span);
    s.args = {inner.tree};
    int depth = inner.depth;
    more_items(s, depth, ")");
    s.span.end = expect(")", "after the list").span.end;
    return finish(std::move(s), depth + 1);
  }
  inner.span = {open.span.begin, expect(")", "after the expression").span.end};
  return inner;
}

Parser::Node Parser::list() {
  const Token open = take();
  Node first = binary(lowest_level);
  if (peek().is("for")) {
    Node node = comprehension(std::move(first));
    node.span = {open.span.begin, expect("]", "after the comprehension").span.end};
    return node;
  }
  Syntax s = syntax(SyntaxKind::list, open.span);
  s.args = {first.tree};
  int depth = first.depth;
  more_items(s, depth, "]");
  s.span.end = expect("]", "after the list").span.end;
  return finish(std::move(s), depth + 1);
}

/// The items after the first; a comma before the closing bracket is allowed, as in Python.
void Parser::more_items(Syntax& list, int& depth, std::string_view closing) {
  while (accept(",") && !peek().is(closing)) {
    const Node item = binary(lowest_level);
    list.args.push_back(item.tree);
    depth = std::max(depth, item.depth);
  }
}

Parser::Node Parser::comprehension(Node body) {
  expect("for", "after the body of the comprehension");
  const Token index = expect_name("of the comprehension's index");
  expect("in", "after the comprehension's index");
  if (!peek().is("range")) unexpected("`range(...)`");
  take();
  expect("(", "after `range`");
  const Node range = binary(lowest_level);
  if (peek().is(",")) fail("parse.unexpected", "range takes one argument here", peek().span, "indices count from 0: write range(h)");
  const Token close = expect(")", "after the range");
  Syntax s = syntax(SyntaxKind::comprehension, {body.span.begin, close.span.end}, std::string(index.text));
  s.args = {body.tree, range.tree};
  return finish(std::move(s), std::max(body.depth, range.depth) + 1);
}

Parser::Node Parser::call(const Token& name) {
  Syntax s = syntax(SyntaxKind::call, name.span, std::string(name.text));
  int depth = 0;
  take();
  while (!peek().is(")")) {
    argument(s, depth);
    if (peek().is(")")) break;
    if (!accept(",")) unexpected("`,` or `)` in the arguments of `" + s.name.substr(0, 40) + "`");
  }
  s.span.end = take().span.end;
  return finish(std::move(s), depth + 1);
}

void Parser::argument(Syntax& call, int& depth) {
  if (peek().kind == TokenKind::name && peek(1).is("=")) {
    const Token key = expect_name("of an argument");
    take();
    const auto repeated = std::find_if(call.keywords.begin(), call.keywords.end(), [&](const auto& k) { return k.first == key.text; });
    if (repeated != call.keywords.end()) fail("parse.duplicate", "the argument " + describe(key) + " is given twice", key.span, "remove one of them");
    if (call.keywords.size() >= 16) fail("limit.size", "more than 16 named arguments", key.span, "no function has that many");
    const Node value = binary(lowest_level);
    call.keywords.emplace_back(std::string(key.text), value.tree);
    depth = std::max(depth, value.depth);
    return;
  }
  if (!call.keywords.empty()) fail("parse.unexpected", "a positional argument follows a named one", peek().span, "put named arguments last");
  Node value = binary(lowest_level);
  if (peek().is("for")) {
    if (!call.args.empty()) unexpected("`,` or `)`: a comprehension beside other arguments goes into [ ]");
    value = comprehension(std::move(value));
    if (peek().is(",")) unexpected("`)`: a comprehension beside other arguments goes into [ ]");
  }
  call.args.push_back(value.tree);
  depth = std::max(depth, value.depth);
}

Parser::Node Parser::index(const Node& base) {
  take();
  Syntax s = syntax(SyntaxKind::index, base.span);
  s.args = {base.tree};
  int depth = base.depth;
  do {
    s.subscripts.push_back(subscript(depth));
  } while (accept(","));
  s.span = {base.span.begin, expect("]", "after the subscript").span.end};
  return finish(std::move(s), depth + 1);
}

Subscript Parser::subscript(int& depth) {
  const auto part = [&] {
    const Node node = binary(lowest_level);
    depth = std::max(depth, node.depth);
    return node.tree;
  };
  Subscript s;
  if (!peek().is(":")) s.start = part();
  if (!accept(":")) return s;
  s.slice = true;
  if (!peek().is(",") && !peek().is("]") && !peek().is(":")) s.stop = part();
  if (peek().is(":")) fail("parse.unexpected", "slices have no step", peek().span, "write a:b");
  return s;
}

Expression parse_expression(std::string_view text) {
  Parser parser(text);
  parser.skip_separators();
  if (parser.peek().kind == TokenKind::end) fail("parse.empty", "there is no expression", {0, text.size()}, "for example X @ W");
  Expression e = parser.expression();
  parser.skip_separators();
  if (parser.peek().kind != TokenKind::end) parser.unexpected("an operator or the end of the expression");
  return e;
}

}  // namespace foldproof::expr
