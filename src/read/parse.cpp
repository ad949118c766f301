// SPDX-License-Identifier: MIT
// Expressions: Python's precedences, NumPy's operators, and comprehensions over heads.
// A comprehension in square brackets and a bare one are the same syntax, and so are a list and a tuple:
// later passes see one form of each.
#include <algorithm>
#include <utility>

#include "expr/operators.hpp"
#include "program/written_calls.hpp"
#include "read/complex_numbers.hpp"
#include "read/draws.hpp"
#include "read/kinds.hpp"
#include "read/library.hpp"
#include "read/own_functions.hpp"
#include "read/parse.hpp"
#include "read/parser.hpp"
#include "read/signatures.hpp"

namespace foldproof::read {
namespace {

constexpr int sign_level = 5;
constexpr int power_level = 6;

struct BinaryOperator {
  std::string_view symbol;
  SyntaxKind kind;  ///< a call is one of the function that is called like the symbol
  int level;
};

constexpr BinaryOperator binary_operators[] = {
    {"|", SyntaxKind::call, 1},   {"&", SyntaxKind::call, 2},          {"+", SyntaxKind::add, 3},      {"-", SyntaxKind::subtract, 3},        {"*", SyntaxKind::multiply, 4}, {"/", SyntaxKind::divide, 4},
    {"@", SyntaxKind::matmul, 4}, {"//", SyntaxKind::floor_divide, 4}, {"%", SyntaxKind::modulo, 4},   {"**", SyntaxKind::power, power_level},
};

const BinaryOperator* find_binary(const Token& token) {
  if (token.kind != TokenKind::symbol) return nullptr;
  const auto found = std::find_if(std::begin(binary_operators), std::end(binary_operators), [&](const auto& o) { return o.symbol == token.text; });
  return found == std::end(binary_operators) ? nullptr : found;
}

bool starts_operand(const Token& t) { return t.kind == TokenKind::name || t.kind == TokenKind::number || t.is("(") || t.is("["); }
bool ends_operand(const Token& t) { return t.kind == TokenKind::name || t.kind == TokenKind::number || t.is(")") || t.is("]"); }

Syntax syntax(SyntaxKind kind, Span span, std::string name = {}) { return Syntax{kind, std::move(name), {}, {}, {}, {}, span}; }

/// np.e is exp(1).
Syntax syntax_of_e(Span span) {
  Syntax one = syntax(SyntaxKind::number, span);
  one.value = Rational(1);
  Syntax e = syntax(SyntaxKind::call, span, "exp");
  e.args = {std::make_shared<const Syntax>(std::move(one))};
  return e;
}

/// Whole numbers, which an array of them keeps in place.
Syntax whole_numbers(Syntax numbers) {
  const Span span = numbers.span;
  Syntax one = syntax(SyntaxKind::number, span), product = syntax(SyntaxKind::multiply, span, std::string(filled_whole));
  one.value = Rational(1);
  product.args = {std::make_shared<const Syntax>(std::move(one)), std::make_shared<const Syntax>(std::move(numbers))};
  return product;
}

/// arange(1.0, n + 1) counts from 1 in real numbers: its 1.0 as a size.
void take_as_counted(Syntax& call) {
  for (Expression& a : call.args) {
    if (a->kind == SyntaxKind::number && a->value.is_integer()) a = number(a->value, call.span);
  }
}

/// relu(x, inplace=True), and relu(x, True) of PyTorch's functions, as relu(overwritten(x)).
void take_in_place(Syntax& call, Spelling spelling) {
  static constexpr std::string_view by_place[] = {"relu", "silu", "mish", "relu6", "hardswish", "hardsigmoid"};
  const auto is_switch = [](const Expression& e) { return e->kind == SyntaxKind::name && (e->name == "True" || e->name == "False"); };
  const auto named = std::find_if(call.keywords.begin(), call.keywords.end(), [&](const auto& k) { return k.first == "inplace" && is_switch(k.second); });
  const bool placed = spelling == Spelling::functional && call.args.size() == 2 && is_switch(call.args[1]) && is_among(call.name, by_place);
  if (call.args.empty() || (named == call.keywords.end() && !placed)) return;
  const bool overwrites = (placed ? call.args[1] : named->second)->name == "True";
  if (placed) call.args.pop_back();
  else call.keywords.erase(named);
  if (overwrites) call.args[0] = node(SyntaxKind::call, {call.args[0]}, std::string(overwritten_call), call.args[0]->span);
}

/// Python's sum(x), of no list and of nothing computed one by one.
bool is_sum_of_array(const Syntax& call, Spelling spelling) {
  if (call.name != "sum" || spelling != Spelling::plain || call.args.size() != 1 || !call.keywords.empty()) return false;
  const Expression& x = call.args[0];
  return x->kind != SyntaxKind::list && x->kind != SyntaxKind::comprehension && !expr::is_call(x, "reversed") && !expr::is_call(x, expr::spread_call);
}

/// PyTorch's x.repeat(b, 1) with its numbers in one list.
void gather_counts(Syntax& call) {
  const std::vector<Expression> counts(call.args.begin() + 1, call.args.end());
  call.args.resize(1);
  call.args.push_back(node(SyntaxKind::list, counts, {}, counts[0]->span));
}

/// What is wrong where `found` follows `before`, if it is a mistake that people make.
std::string hint_for(const Token& before, const Token& found) {
  if (found.is("=")) return "equations are written ==, definitions `let NAME = ...`";
  if (found.kind == TokenKind::name && is_reserved(found.text)) return "`" + std::string(found.text) + "` is a word of the claim language";
  if (found.kind == TokenKind::name && is_word_of_python(found.text)) return "`" + std::string(found.text) + "` is a word of Python, which names nothing";
  if (before.text == "lambda" || before.text == "def") return "functions of one's own are statements: f = lambda x: relu(x), or def f(x): return relu(x)";
  if (before.text == "exists" || before.text == "forall") return "a claim holds for all its tensors; what exists is given: let B = ..., or assumed: assume A @ B == W";
  if (ends_operand(before) && starts_operand(found)) return "write A @ B for a matrix product, A * B for an entrywise one, and ; between two statements";
  if (found.is(",") && ends_operand(before)) return "statements end with ; or a new line";
  if (found.text == "\n") return "put an expression over several lines into brackets";
  if (found.is("*") && before.is("*")) return "powers are written ** without a space";
  if (found.is("*") && before.kind == TokenKind::symbol) return "for a list of arguments write f(... for i in range(h))";
  return {};
}

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

void Parser::rewrite(std::size_t count, std::vector<Token> by) {
  const auto at = tokens_.begin() + static_cast<std::ptrdiff_t>(next_);
  tokens_.insert(tokens_.erase(at, at + static_cast<std::ptrdiff_t>(count)), by.begin(), by.end());
}

Parser::Parser(std::string_view text) {
  Program program = read_program(text, [](std::string_view name) { return find_operator(name) >= 0 || is_method(name); });
  words_ = std::move(program.words);
  tokens_ = std::move(program.tokens);
  python_ = program.python;
  arrays_ = program.arrays;
}

bool Parser::write_calls() {
  auto written = with_calls_written(tokens_, words_);
  if (written) tokens_ = std::move(*written);
  return written.has_value();
}

void Parser::unexpected(const std::string& expected) const {
  const Token& found = peek();
  const Token before = next_ > 0 ? tokens_[next_ - 1] : Token{};
  fail("parse.unexpected", "expected " + expected + ", found " + describe(found), found.span, hint_for(before, found));
}

Expression Parser::expression() {
  opens_.clear();
  pending_.clear();
  open(Place::whole, syntax(SyntaxKind::name, peek().span));
  Step node;
  while (!node || !opens_.empty()) node = node ? after(std::move(*node)) : operand();
  return node->tree;
}

void Parser::open(Place place, Syntax syntax, int depth) {
  Open open{};
  open.place = place;
  open.syntax = std::move(syntax);
  open.depth = depth;
  open.operators = pending_.size();
  opens_.push_back(std::move(open));
}

/// Whether a number with a point or an exponent has been read from that place on.
bool Parser::has_real_number(std::size_t begin) const {
  for (std::size_t k = next_; k > 0 && tokens_[k - 1].span.begin >= begin; --k) {
    if (tokens_[k - 1].kind == TokenKind::number && tokens_[k - 1].text.find_first_of(".eE") != std::string_view::npos) return true;
  }
  return false;
}

/// The innermost construct ends before `end`; it becomes an operand of the next one.
Parser::Step Parser::close(std::size_t end) {
  Open done = std::move(opens_.back());
  opens_.pop_back();
  done.syntax.span = {done.syntax.span.begin, end};
  if (done.place == Place::call && done.syntax.name.back() != ' ') {  // no function of one's own
    give_by_place(done.syntax, done.spelling);
    require_signature(done.syntax, done.spelling);
    take_in_place(done.syntax, done.spelling);
    note_axes(done.syntax, done.spelling, axes_);
    const bool typed = !done.type.text.empty(), truth = typed && done.type.text.starts_with("bool");
    if (typed) require_type(done.syntax, done.type);
    note_kinds(done.syntax, done.spelling);
    if (done.spelling != Spelling::plain) require_whole_sizes(done.syntax);
    static constexpr std::string_view filling[] = {"zeros", "ones", "eye", "identity", "tri", "zeros_like", "ones_like", "full", "full_like"};
    const bool full = done.syntax.name == "full", fills = std::find(std::begin(filling), std::end(filling), done.syntax.name) != std::end(filling);
    const bool whole = typed ? fills && is_whole_format(done.type.text) : full && !has_real_number(done.syntax.span.begin);
    static constexpr std::string_view makes_whole[] = {"arange", "array", "asarray", "tensor"};
    const std::string made = done.syntax.name;
    const bool counts_reals = made == "arange" && done.spelling != Spelling::plain && has_real_number(done.syntax.span.begin);
    if (counts_reals) take_as_counted(done.syntax);
    const bool tiles = done.syntax.name == "repeat" && done.spelling == Spelling::method && speaks_torch();  // NumPy's x.repeat(2, 1) is another one
    if (tiles && done.syntax.args.size() > 2) gather_counts(done.syntax);
    const bool starts = python_ && done.syntax.name == "sum" && done.spelling == Spelling::plain && done.syntax.args.size() == 2;
    if (starts && is_number(done.syntax.args[1], 0)) done.syntax.args.pop_back();
    else if (starts) fail("call.arguments", "Python's `sum(x, start)` begins at its second argument", done.syntax.span, "write sum(x) + start, or x.sum(axis)");
    if (python_ && is_sum_of_array(done.syntax, done.spelling)) {
      done.syntax.keywords.emplace_back("axis", parse_expression("0"));
      done.spelling = Spelling::numpy;
    }
    const bool extremum = (done.syntax.name == "max" || done.syntax.name == "min") && done.spelling == Spelling::method;
    const auto of_arrays = [this] { return arrays_ == Spelling::method && speaks_torch() ? Spelling::torch : arrays_; };
    if (extremum) done.spelling = of_arrays();
    const bool of_either = extremum && done.spelling == Spelling::method && has_keyword(done.syntax, "axis", "keepdims") && std::any_of(tokens_.begin(), tokens_.end(), [](const Token& t) { return t.is("torch"); });
    if ((done.syntax.name == "std" || done.syntax.name == "var") && done.spelling == Spelling::method) {
      const bool says = !done.syntax.keywords.empty() || done.syntax.args.size() > 2;
      if (!says) done.spelling = arrays_;
      else if (of_arrays() == Spelling::torch) done.spelling = Spelling::torch;
    }
    if ((done.syntax.name == "allclose" || done.syntax.name == "equal") && done.spelling == Spelling::method && arrays_ == Spelling::numpy) fail("name.unknown", "NumPy's arrays have no method `" + done.syntax.name + "`", done.syntax.span, "write np.allclose(a, b)");
    const bool of_numpy = done.syntax.name == "transpose" && done.spelling == Spelling::method && done.syntax.args.size() == 3 && (arrays_ == Spelling::numpy || (arrays_ == Spelling::method && speaks_numpy() && !names_module({"torch", "F", "nn"})));  // the order of both axes, where PyTorch exchanges two of any number
    Respelled call = respell(std::move(done.syntax), tiles ? Spelling::torch : of_numpy ? Spelling::plain : done.spelling);
    if (typed && call.syntax.name == filled_like) call.syntax.name.clear();
    if (whole && call.syntax.kind == SyntaxKind::multiply && full) call.syntax.name = filled_whole;
    else if (whole && typed) call = Respelled{whole_numbers(std::move(call.syntax)), call.height + 1, call.pairs};
    if (call.syntax.kind == SyntaxKind::matmul && call.syntax.name == "dot" && done.spelling == Spelling::method && speaks_torch()) call.syntax.name = torch_dot;
    if (call.syntax.name == "transpose01" && speaks_torch()) {
      call.syntax.name = "swapaxes";
      for (const char* axis : {"0", "1"}) call.syntax.args.push_back(parse_expression(axis));
    }
    if (auto drawn = done.spelling == Spelling::method || (call.syntax.name == "random" && !has_module(done.spelling)) ? std::nullopt : draw_called(call.syntax, draws_)) {
      ++draws_;
      call.syntax = std::move(*drawn);
      ++call.height;
    }
    if (of_either && call.pairs == Pairs::no) call.pairs = Pairs::either;
    if (call.pairs != Pairs::no && !take_values(call.pairs)) {
      call.syntax = Syntax{SyntaxKind::call, std::string(pair_call), {}, {std::make_shared<const Syntax>(call.syntax)}, {}, {}, call.syntax.span};
      ++call.height;
    }
    const bool real = counts_reals || (typed && is_real_format(done.type.text) && call.syntax.name != filled_like && is_among(made, makes_whole));
    if (truth || real) call.syntax = Syntax{SyntaxKind::call, truth ? "bool" : std::string(real_call), {}, {std::make_shared<const Syntax>(call.syntax)}, {}, {}, call.syntax.span};
    const Node result = finish(std::move(call.syntax), done.depth + 1 + call.height + (truth || real ? 1 : 0));
    return done.like.text.empty() ? result : of_type(result, done.like);
  }
  if (done.place == Place::subscript) {
    if (auto known = gathered(done.syntax)) return finish(std::move(known->syntax), done.depth + 1 + known->height);
  }
  return finish(std::move(done.syntax), done.depth + 1);
}

/// PyTorch's x.max(dim=1) gives values and their places: [0] and .values name the values. Whether that is said, or NumPy's function may be meant.
bool Parser::take_values(Pairs pairs) {
  const std::size_t sign = peek(1).is("-") ? 1 : 0;
  const bool bracket = peek().is("[") && peek(2 + sign).is("]"), first = bracket && peek(1 + sign).text == (sign > 0 ? "2" : "0"), second = bracket && peek(1 + sign).text == "1";
  const bool values = peek().is(".") && peek(1).is("values"), places = peek().is(".") && peek(1).is("indices");
  if (pairs == Pairs::either && (first || second)) fail("call.arguments", "in PyTorch this gives the values or their places, in NumPy a row", {peek().span.begin, peek(2 + sign).span.end}, "say which: x.max(dim=1)[0], or x.max(axis=1)[0]");
  if (places || (pairs == Pairs::yes && second)) fail("name.unknown", "the language does not look for places", peek().span, "x.max(dim=1)[0] is the largest entry");
  for (std::size_t k = values ? 2 : first ? 3 + sign : 0; k > 0; --k) take();
  return values || first || pairs == Pairs::either;
}

void Parser::add(const Node& part) {
  opens_.back().syntax.args.push_back(part.tree);
  opens_.back().depth = std::max(opens_.back().depth, part.depth);
}

/// Every tree is limited in height here, whatever it is made of.
Parser::Node Parser::finish(Syntax syntax, int depth) const {
  const Span span = syntax.span;
  if (depth > maximum_depth) {
    fail("limit.depth", "the expression is nested more than " + std::to_string(maximum_depth) + " deep", span, "name parts of the claim with `let`");
  }
  return {std::make_shared<const Syntax>(std::move(syntax)), depth, span};
}

/// The beginning of an operand: a sign or an opening bracket leaves it unfinished.
Parser::Step Parser::operand() {
  Open& inside = opens_.back();
  const bool fresh = pending_.size() == inside.operators;  // no operator waits for this operand
  if (fresh && inside.place == Place::call && inside.key.empty()) {
    skip_storage();
    if (peek().is(")")) return close(take().span.end);  // f(), or a comma before the closing bracket
    inside.star = peek().is("*") && peek(1).is("[");
    if (inside.star) take();
    argument_name();
  }
  if (fresh && inside.place == Place::subscript && peek().is(":") && !inside.subscript.slice) {
    take();
    inside.subscript.slice = true;
  }
  if (fresh && inside.subscript.slice && (peek().is(",") || peek().is("]") || peek().is(":"))) return subscript_end();
  if (fresh && inside.place == Place::subscript && peek().is(".") && peek(1).is(".") && peek(2).is(".")) {
    const std::size_t begin = take().span.begin;
    take();
    return finish(syntax(SyntaxKind::name, {begin, take().span.end}, "..."), 1);
  }
  if (peek().is("-") && peek(1).is("float") && peek(2).is("(") && (peek(3).text == "'inf'" || peek(3).text == "\"inf\"") && peek(4).is(")")) {
    const std::size_t begin = take().span.begin;
    for (int k = 0; k < 3; ++k) take();
    return finish(minus_infinity({begin, take().span.end}), 2);
  }
  if (peek().is("-") && peek(1).is("inf") && !infinity_is_declared_ && !peek(2).is("**")) {  // from math import inf
    const std::size_t begin = take().span.begin;
    return finish(minus_infinity({begin, take().span.end}), 2);
  }
  if (peek().is("-") && is_module(peek(1).text) && peek(2).is(".") && (peek(3).is("inf") || peek(3).is("Inf")) && !peek(4).is("**")) {
    const std::size_t begin = take().span.begin;
    take();
    take();
    return finish(minus_infinity({begin, take().span.end}), 2);
  }
  if (peek().is("-") || peek().is("+") || peek().is("~")) {
    const Token sign = take();
    pending_.push_back({sign.is("~") ? SyntaxKind::call : SyntaxKind::negate, sign.is("~") ? "~" : "", sign_level, {}, sign.span, sign.is("+")});
    return std::nullopt;
  }
  static constexpr std::string_view takes_sizes[] = {"view", "reshape", "expand", "zeros", "ones", "broadcast_to", "randn", "rand"};
  const bool item = inside.place == Place::group || inside.place == Place::list || (inside.place == Place::call && std::find(std::begin(takes_sizes), std::end(takes_sizes), inside.syntax.name) != std::end(takes_sizes));
  if (fresh && item && peek().is("*") && peek(1).kind == TokenKind::name) {  // (*x.shape[:-1], h, k)
    const Token star = take();
    pending_.push_back({SyntaxKind::call, spread_call, sign_level, {}, star.span});
    return std::nullopt;
  }
  return primary();
}

Parser::Step Parser::primary() {
  const Token& token = peek();
  if (token.kind == TokenKind::number) return number();
  if (token.kind == TokenKind::text) {  // where the lexer lets it stand
    const Token subscripts = take();
    return finish(syntax(SyntaxKind::name, subscripts.span, std::string(subscripts.text)), 1);
  }
  if (token.is("(") || token.is("[")) {
    open(token.is("(") ? Place::group : Place::list, syntax(SyntaxKind::list, token.span));
    take();
    return std::nullopt;
  }
  if (token.kind != TokenKind::name || is_reserved(token.text) || (is_word_of_python(token.text) && !peek(1).is("("))) unexpected("an expression");
  const std::size_t token_begin = token.span.begin;
  const Spelling spelling = drop_module_prefix();
  const bool prefixed = has_module(spelling);
  const Token name = take();
  const bool of_pairs = prefixed && peek().is(".") && peek(1).is("outer") && peek(2).is("(");  // np.add.outer(x, y)
  for (int k = 0; of_pairs && k < 2; ++k) take();
  if (peek().is("(") && (name.is("vmap") || name.is("pmap")) && own_functions_.count(name.text) == 0) refuse_absent(syntax(SyntaxKind::call, name.span, std::string(name.text)));  // before what it takes
  if (accept("(")) {
    const bool own = spelling == Spelling::plain && own_functions_.count(name.text) > 0;
    if (in_function_ && spelling == Spelling::plain && !own) called_.emplace(name.text);
    open(Place::call, syntax(SyntaxKind::call, name.span, own ? own_call(name.text) : std::string(name.text) + (of_pairs ? ".outer" : "")));
    opens_.back().spelling = spelling;
    return std::nullopt;
  }
  if (prefixed && name.is("newaxis")) return finish(syntax(SyntaxKind::name, {token_begin, name.span.end}, "None"), 1);
  if (prefixed && name.is("e")) return finish(syntax_of_e({token_begin, name.span.end}), 2);
  const bool of_norm = opens_.back().place == Place::call && opens_.back().syntax.name == "norm";
  if (prefixed && of_norm && (name.is("inf") || name.is("Inf"))) return finish(syntax(SyntaxKind::name, {token_begin, name.span.end}, "inf"), 1);
  if (prefixed) refuse_constant(name.text, {token_begin, name.span.end});
  if (prefixed && (peek().is(",") || peek().is(")"))) fail("parse.unexpected", "`" + std::string(name.text.substr(0, 40)) + "` is given to a function, which is not read here", {token_begin, name.span.end}, "write out what it is called with: A @ B @ C for reduce(np.matmul, [A, B, C]), a list [f(x) for x in xs] for map(f, xs)");
  if (prefixed) unexpected("`(`: only functions carry a module prefix");
  return finish(syntax(SyntaxKind::name, name.span, std::string(name.text)), 1);
}

bool Parser::names_module(std::initializer_list<std::string_view> modules) const {
  for (std::size_t k = 0; k + 1 < tokens_.size(); ++k) {
    if (tokens_[k + 1].is(".") && std::any_of(modules.begin(), modules.end(), [&](std::string_view m) { return tokens_[k].is(m); }) && (k == 0 || !tokens_[k - 1].is("."))) return true;
  }
  return false;
}

bool Parser::speaks_torch() const { return names_module({"torch", "F", "nn"}) && !speaks_numpy(); }

/// `np.sqrt` is `sqrt`; `np.T` is the transpose of a variable called np, and `F.softmax(-1)` a method of one called F.
Spelling Parser::drop_module_prefix() {
  Spelling spelling = Spelling::plain;
  while (peek().kind == TokenKind::name && peek(1).is(".") && peek(2).kind == TokenKind::name && is_module_function(peek().text, peek(2).text)) {
    if (peek().is("F") && takes_no_operand()) break;
    const Spelling module = spelling_of(take().text);
    if (!has_module(spelling) || (module == Spelling::functional && spelling == Spelling::torch)) spelling = module;  // jax.scipy.special.logsumexp is JAX's
    take();
  }
  return spelling;
}

/// `F.relu()`, `F.softmax(-1)` and `F.softmax(dim=1)` are calls of a method: nothing that the function could be taken of follows.
bool Parser::takes_no_operand() const {
  if (!peek(3).is("(") || peek(4).is(")")) return true;
  int depth = 0;
  for (std::size_t k = 3; peek(k).kind != TokenKind::end && (k == 3 || depth > 0); ++k) {  // F.softmax(dim=-1, input=x)
    depth += (opens(peek(k)) ? 1 : 0) - (closes(peek(k)) ? 1 : 0);
    if (depth == 1 && (peek(k).is("input") || peek(k).is("query") || peek(k).is("tensor")) && peek(k + 1).is("=")) return false;
  }
  if (peek(5).is("=")) return true;
  const std::size_t axis = peek(4).is("-") ? 5 : 4;
  return peek(axis).kind == TokenKind::number && (peek(axis + 1).is(")") || peek(axis + 1).is(","));
}

Parser::Step Parser::number() {
  const Token token = take();
  Syntax s = syntax(SyntaxKind::number, token.span);
  try {
    const auto value = Rational::parse(token.text);
    if (!value) fail("parse.number", describe(token) + " is not a number", token.span, "write 12, 0.125 or 1e-5");
    s.value = *value;
  } catch (const LimitReached&) {
    fail("parse.number", "the number " + describe(token) + " does not fit into a fraction of 64-bit integers", token.span, "use fewer digits");
  }
  if (peek().is("j") && peek().span.begin == token.span.end) {  // Python's 1j
    const Expression times = std::make_shared<const Syntax>(std::move(s));
    Syntax unit = syntax(SyntaxKind::call, {token.span.begin, take().span.end}, std::string(complex_call));
    unit.args = {expr::number(0, token.span), times};
    return finish(std::move(unit), 2);
  }
  return finish(std::move(s), 1);
}

/// What may follow an operand.
Parser::Step Parser::after(Node node) {
  if (peek().is("[")) {
    take();
    open(Place::subscript, syntax(SyntaxKind::index, node.span));
    add(node);
    return std::nullopt;
  }
  if (peek().is(".")) return attribute(node);
  if (const BinaryOperator* found = find_binary(peek())) {
    take();
    // Equal levels group to the left; powers group to the right, and no operator binds tighter.
    if (found->kind != SyntaxKind::power) node = reduce(std::move(node), found->level);
    pending_.push_back({found->kind, found->kind == SyntaxKind::call ? found->symbol : "", found->level, std::move(node), {}, false});
    return std::nullopt;
  }
  return item(reduce(std::move(node), 0));
}

/// Gives `node` to the pending operators of the innermost construct that bind at least as tightly as `level`.
Parser::Node Parser::reduce(Node node, int level) {
  while (pending_.size() > opens_.back().operators && pending_.back().level >= level) {
    const Pending top = std::move(pending_.back());
    pending_.pop_back();
    node = apply(top, std::move(node));
  }
  return node;
}

namespace {

/// Whether a root or a logarithm is taken, which may have no value: NumPy computes it also where it is multiplied by 0, and np.where leaves it out.
bool takes_root(const Expression& e) {
  static constexpr std::string_view functions[] = {"log", "log10", "log2", "rsqrt", "sqrt"};
  const bool root = e->kind == SyntaxKind::power && !(e->args[1]->kind == SyntaxKind::number && e->args[1]->value.is_integer());
  return root || (e->kind == SyntaxKind::call && is_among(e->name, functions)) || std::any_of(e->args.begin(), e->args.end(), takes_root);
}

}  // namespace

Parser::Node Parser::apply(const Pending& pending, Node right) const {
  if (pending.plus) {
    right.span = {pending.span.begin, right.span.end};
    return right;
  }
  const bool sign = !pending.left.tree;
  Syntax s = syntax(pending.kind, {sign ? pending.span.begin : pending.left.span.begin, right.span.end}, std::string(pending.function));
  if (!sign && (pending.kind == SyntaxKind::subtract || pending.kind == SyntaxKind::matmul) && speaks_torch()) s.name = of_torch;
  const int depth = std::max(pending.left.depth, right.depth) + 1;
  // Of two truth values the product is one, of which NumPy makes no number.
  const bool left = pending.kind == SyntaxKind::multiply && is_indicator(pending.left.tree);
  if (pending.kind == SyntaxKind::multiply && left != is_indicator(right.tree) && !(is_condition(*pending.left.tree) && is_condition(*right.tree)) && !takes_root(left ? right.tree : pending.left.tree)) {
    return finish(chosen_where(left ? pending.left.tree : right.tree, left ? right.tree : pending.left.tree, s.span), depth);
  }
  const auto is_tuple = [](const Expression& e) { return e->kind == SyntaxKind::list || is_several_sizes(e); };
  if (!sign && pending.kind == SyntaxKind::add && is_tuple(pending.left.tree) && is_tuple(right.tree)) {  // x.shape[:-1] + (h, k), [1] + [2]
    s.kind = SyntaxKind::list;
    for (const Expression& part : {pending.left.tree, right.tree}) {
      if (part->kind == SyntaxKind::list) s.args.insert(s.args.end(), part->args.begin(), part->args.end());
      else s.args.push_back(std::make_shared<const Syntax>(Syntax{SyntaxKind::call, std::string(spread_call), {}, {part}, {}, {}, part->span}));
    }
    return finish(std::move(s), depth + 1);
  }
  if (!sign) s.args.push_back(pending.left.tree);
  s.args.push_back(right.tree);
  return finish(std::move(s), depth);
}

/// The node as a value of the type that another one has: see typed_call.
Parser::Node Parser::of_type(const Node& node, const Token& like) const {
  Syntax s = syntax(SyntaxKind::call, node.span, std::string(typed_call));
  s.args = {node.tree, std::make_shared<const Syntax>(syntax(SyntaxKind::name, like.span, std::string(like.text)))};
  return finish(std::move(s), node.depth + 1);
}

/// With the rest of `x.to(q.dtype)` behind the bracket: where numbers are stored, and with how many digits, is nothing that a claim speaks of.
/// Of formats that round on purpose it is told.
Parser::Node Parser::with_format(Node node) {
  bool real = false;
  for (int depth = 1; depth > 0;) {
    const Token token = take();
    real = real || is_real_format(token.text);
    if (token.kind == TokenKind::end) fail("parse.unbalanced", "this call is never closed", node.span, "add the closing bracket");
    if (token.kind == TokenKind::text && !is_device(token)) fail("parse.unexpected", describe(token) + " names no device", token.span, "write types without quotes, x.to(torch.float32), or leave them out");
    if (token.is("(")) ++depth;
    if (token.is(")")) --depth;
    node.span = {node.span.begin, token.span.end};
    if (is_whole_format(token.text) || is_truth_format(token.text)) fail("parse.unexpected", "a tensor is not made one of " + describe(token), token.span, "a mask is written M.bool() or M != 0; numbers are not cut off: name the tensor of whole numbers");
    const bool computes = token.kind == TokenKind::symbol && !token.is("(") && !token.is(")") && !token.is(".") && !token.is(",") && !token.is("=");
    if (computes || token.is("arange")) fail("parse.unexpected", describe(token) + " names no format", token.span, "write x.to(q.dtype), of a tensor of numbers, or leave it out");
    if (is_narrow_format(token.text)) fail("parse.unexpected", describe(token) + " rounds", token.span, "values are exact numbers, which are not rounded; `foldproof check` tests number formats");
    const bool attribute = next_ > 1 && tokens_[next_ - 2].is("."), place = peek().is(".") && peek(1).is("device");
    if (token.kind == TokenKind::name && !attribute && !place && !peek().is("=") && !is_module(token.text) && !is_python_word(token.text) && !is_real_format(token.text)) node = of_type(node, token);
  }
  return real ? finish(Syntax{SyntaxKind::call, std::string(real_call), {}, {node.tree}, {}, {}, node.span}, node.depth + 1) : node;
}

/// `base.T`, or the call of a method, whose first argument is `base`.
Parser::Step Parser::attribute(const Node& base) {
  const Token dot = take();
  const Token name = take();
  if (name.is("T")) {
    Syntax s = syntax(SyntaxKind::transpose, {base.span.begin, name.span.end});
    s.args = {base.tree};
    return finish(std::move(s), base.depth + 1);
  }
  if (name.is("mT")) {  // the last two axes change places, as in NumPy 2
    const auto minus = [&name](std::int64_t axis) {
      Syntax number = syntax(SyntaxKind::number, name.span);
      number.value = Rational(axis);
      Syntax negated = syntax(SyntaxKind::negate, name.span);
      negated.args = {std::make_shared<const Syntax>(std::move(number))};
      return std::make_shared<const Syntax>(std::move(negated));
    };
    Syntax s = syntax(SyntaxKind::call, {base.span.begin, name.span.end}, "swapaxes");
    s.args = {base.tree, minus(1), minus(2)};
    return finish(std::move(s), std::max(base.depth, 2) + 1);
  }
  if (name.is("data") && !peek().is("(")) return base;  // PyTorch's, without its history
  if (name.is("shape")) {
    Syntax s = syntax(SyntaxKind::call, {base.span.begin, name.span.end}, "shape");
    s.args = {base.tree};
    return finish(std::move(s), base.depth + 1);
  }
  if (name.is("ndim") || (name.is("dim") && peek().is("(") && peek(1).is(")"))) {  // how many axes
    if (name.is("dim")) take(), take();
    Syntax s = syntax(SyntaxKind::call, {base.span.begin, last_end()}, "ndim");
    s.args = {base.tree};
    return finish(std::move(s), base.depth + 1);
  }
  if (name.is("size") && !peek().is("(")) {  // how many entries, in NumPy
    Syntax s = syntax(SyntaxKind::call, {base.span.begin, name.span.end}, "numel");
    s.args = {base.tree};
    return finish(std::move(s), base.depth + 1);
  }
  if ((name.is("real") || name.is("imag")) && !peek().is("(")) {
    Syntax s = syntax(SyntaxKind::call, {base.span.begin, name.span.end}, std::string(name.is("real") ? real_part_call : imaginary_part_call));
    s.args = {base.tree};
    return finish(std::move(s), base.depth + 1);
  }
  if (name.is("dtype") && !peek().is("(")) {
    Syntax s = syntax(SyntaxKind::call, {base.span.begin, name.span.end}, std::string(type_call));
    s.args = {base.tree};
    return finish(std::move(s), base.depth + 1);
  }
  const auto open_method = [&](std::string_view method) -> Step {
    open(Place::call, syntax(SyntaxKind::call, base.span, std::string(method)));
    opens_.back().spelling = Spelling::method;
    add(base);
    return std::nullopt;
  };
  if (name.kind == TokenKind::name && is_method(name.text) && accept("(")) return open_method(name.text);
  if ((name.is("to") || name.is("astype")) && accept("(")) {
    std::size_t at = peek().is("dtype") && peek(1).is("=") ? 2 : 0;
    if (peek(at).kind == TokenKind::name && peek(at + 1).is(".")) at += 2;
    if (is_truth_format(peek(at).text) && peek(at + 1).is(")")) {  // mask.astype(bool) is mask.bool()
      for (std::size_t k = 0; k <= at; ++k) take();
      return open_method("bool");
    }
    return with_format(base);
  }
  const std::string written(name.kind == TokenKind::name ? name.text.substr(0, 40) : "");
  std::string hint = "the only attributes are .T and .shape";
  const bool of_functions = base.tree->kind == SyntaxKind::name && (base.tree->name == "functools" || base.tree->name == "itertools" || base.tree->name == "operator");
  if (of_functions) fail("parse.unexpected", "`" + base.tree->name + "." + written + "` is not read here", {base.span.begin, std::max(name.span.end, dot.span.end)}, "write out what it does: A @ B @ C for reduce(np.matmul, [A, B, C]), or a loop");
  if (written == "backward" || written == "grad") fail("parse.unexpected", "gradients are not computed here", {dot.span.begin, name.span.end}, "write the derivative out and claim what it is, as p * (g - (g * p).sum(-1, keepdims=True)) of a softmax");
  const std::string plain = written.substr(0, written.empty() ? 0 : written.size() - 1);
  if (written == "t" || written == "mH" || written == "H") {
    hint = "transpose is written .T";
  } else if (written.ends_with('_') && is_method(plain)) {
    hint = "what changes in place is a statement of its own, x.masked_fill_(M, c), x.add_(y); elsewhere write ." + plain + "(...)";
  } else if (!written.empty() && peek().is("(")) {
    const bool simple = base.tree->kind == SyntaxKind::name && base.tree->name.size() <= 40;
    const bool exists = find_operator(written) >= 0 || is_defined(written);
    hint = base.tree->name == "self" ? (exists ? "write " + written + "(x)" : layer_hint(written, "x"))
           : exists ? "functions come first: write " + written + "(" + (simple ? base.tree->name : "A") + ", ...)" : "the language has no such function; `foldproof operators` lists those that it has";
  }
  if (base.tree->kind == SyntaxKind::name && base.tree->name == "F" && !written.empty() && peek().is("(")) fail("name.unknown", "unknown function `F." + written + "`", {base.span.begin, name.span.end}, hint);
  fail("parse.unexpected", "expected `T` after `.`, found " + describe(name), {dot.span.begin, std::max(name.span.end, dot.span.end)}, hint);
}

Expression parse_expression(std::string_view text) {
  Parser parser(text);
  parser.skip_separators();
  if (parser.peek().kind == TokenKind::end) fail("parse.empty", "there is no expression", {0, text.size()}, "for example X @ W");
  Expression e = parser.expression();
  parser.skip_separators();
  if (parser.peek().kind != TokenKind::end) parser.unexpected("an operator or the end of the expression");
  return without_kinds(e);
}

}  // namespace foldproof::read
