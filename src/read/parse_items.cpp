// SPDX-License-Identifier: MIT
// What happens to a complete operand inside each kind of bracket: items of lists, arguments, subscripts, comprehensions.
// Each function takes the operand and either waits for another one or closes the bracket.
#include <algorithm>
#include <utility>

#include "expr/build.hpp"
#include "read/own_functions.hpp"
#include "read/parser.hpp"
#include "read/signatures.hpp"

namespace foldproof::read {
namespace {

bool compares(const Token& token) {
  static constexpr std::string_view relations[] = {"==", "!=", "<=", ">=", "<", ">"};
  return std::any_of(std::begin(relations), std::end(relations), [&](std::string_view r) { return token.is(r); });
}

/// a relation b; 0 < x is x > 0.
Syntax comparison(const Expression& left, std::string relation, const Expression& right) {
  const Span span{left->span.begin, right->span.end};
  const bool turned = left->kind == SyntaxKind::number && right->kind != SyntaxKind::number;
  if (turned && (relation[0] == '<' || relation[0] == '>')) relation[0] = relation[0] == '<' ? '>' : '<';
  return {SyntaxKind::call, std::move(relation), {}, {turned ? right : left, turned ? left : right}, {}, {}, span};
}

/// `body` with a value for a variable of its comprehension. Errors: `parse.duplicate` where an index in it hides a name of the value.
Expression in_body(const Expression& body, const std::string& variable, const Expression& value) {
  return changed(body, [&](const Expression& e) -> Expression {
    if (e->kind == SyntaxKind::comprehension && e->name == variable) {  // another index of that name, whose range is outside of it
      auto inner = std::make_shared<Syntax>(*e);
      inner->args[1] = in_body(e->args[1], variable, value);
      return inner;
    }
    const bool hides = e->kind == SyntaxKind::comprehension && mentions(value, e->name) && mentions(e->args[0], variable);
    if (hides) fail("parse.duplicate", "`" + e->name + "` is an index here and stands for something else in what `" + variable + "` goes through", e->span, "give the index another name");
    return e->kind == SyntaxKind::name && e->name == variable ? value : nullptr;
  });
}

}  // namespace

Expression Parser::condition() {
  const Expression left = expression();
  if (!compares(peek())) return left;
  const std::string relation(take().text);
  const Expression right = expression();
  return std::make_shared<const Syntax>(comparison(left, relation, right));
}

Parser::Step Parser::item(Node node) {
  switch (opens_.back().place) {
    case Place::whole:
      opens_.pop_back();
      return node;
    case Place::group:
    case Place::list: return list_item(std::move(node));
    case Place::call: return argument(node);
    case Place::subscript: return subscript_part(node);
    case Place::range: return range_end(node);
    case Place::entries: return entries_end(node);
  }
  throw InternalError("an operand in an unknown place");
}

void Parser::refuse_comparison(Span span) { fail("parse.unexpected", "a comparison stands in brackets, or is the argument of a function", span, "write (i >= j) & (i - j < 4)"); }

/// The comparison of which the innermost bracket holds the left side and the relation.
Parser::Node Parser::compared(const Node& right) {
  Open& open = opens_.back();
  const Expression asked = open.syntax.args.back();
  open.syntax.args.pop_back();
  return finish(comparison(asked, std::exchange(open.relation, {}), right.tree), std::max(open.depth, right.depth) + 1);
}

/// `(a)` is a; `(a, b)` is the list of a and b, as NumPy accepts a tuple where it accepts a list.
Parser::Step Parser::list_item(Node node) {
  Open& list = opens_.back();
  const bool group = list.place == Place::group;
  const bool operand = opens_.size() > 1 && opens_[opens_.size() - 2].place == Place::call;  // sum((A[i] for i in range(h)))
  if (peek().is("for") && group && !operand) unexpected("`)`: write comprehensions as f(... for i in range(h))");
  if (peek().is("for") && list.syntax.args.empty()) return comprehension(node);
  if (!list.relation.empty()) {  // (X > 0), a factor
    node = compared(node);
    if (!peek().is(")")) refuse_comparison(peek().span);
  } else if (group && compares(peek()) && list.syntax.args.empty()) {
    add(node);
    list.relation = std::string(take().text);
    return std::nullopt;
  }
  add(node);
  const bool comma = accept(",");
  list.comma = list.comma || comma;
  const char* closing = group ? ")" : "]";
  if (compares(peek())) refuse_comparison(peek().span);
  if (comma && !peek().is(closing)) return std::nullopt;
  const Token end = expect(closing, "or an operator");
  if (list.comma || !group) return close(end.span.end);
  node.span = {list.syntax.span.begin, end.span.end};
  opens_.pop_back();
  return node;
}

bool is_whole_format(std::string_view word) {
  static constexpr std::string_view words[] = {"int", "int_", "intc", "intp", "long", "longlong", "short", "byte"};
  if (word.starts_with('u')) word.remove_prefix(1);
  return std::find(std::begin(words), std::end(words), word) != std::end(words) || (word.starts_with("int") && word.find_first_not_of("0123456789", 3) == std::string_view::npos);
}

bool is_truth_format(std::string_view word) { return word == "bool" || word == "bool_"; }

bool is_real_format(std::string_view word) { return word.starts_with("float") || word == "double"; }

namespace {

/// Whether a type of whole numbers is narrow or has none below 0, so that sums and differences in it are others than those of numbers.
bool begins_again(std::string_view type) {
  return is_whole_format(type) && (type.starts_with('u') || type.ends_with("8") || type.ends_with("16") || type.ends_with("byte") || type.ends_with("short"));
}
/// The whole numbers whose products a type holds everywhere: `int` has 32 binary digits in PyTorch.
bool holds_everywhere(const Expression& e) {
  if (e->kind == SyntaxKind::list) return std::all_of(e->args.begin(), e->args.end(), holds_everywhere);
  const Expression& size = e->kind == SyntaxKind::negate ? e->args[0] : e;
  constexpr std::int64_t most = (std::int64_t{1} << 15) - 1;
  return size->kind == SyntaxKind::number && size->value.is_integer() && size->value <= Rational(most);
}

/// Whether arange of such arguments counts sizes and whole numbers.
bool counts_sizes(const Expression& e) {
  if (e->kind == SyntaxKind::number) return e->value.is_integer();
  if (e->kind == SyntaxKind::index) return e->args[0]->kind == SyntaxKind::call && e->args[0]->name == "shape";
  const bool arithmetic = e->kind == SyntaxKind::negate || e->kind == SyntaxKind::add || e->kind == SyntaxKind::subtract || e->kind == SyntaxKind::multiply || e->kind == SyntaxKind::floor_divide;
  return e->kind == SyntaxKind::name || (arithmetic && std::all_of(e->args.begin(), e->args.end(), counts_sizes));
}

}  // namespace

/// dtype=torch.float32, device=x.device: where and how finely numbers are stored says nothing about exact ones, but that they are.
void Parser::skip_storage() {
  const bool library = opens_.back().spelling == Spelling::numpy || opens_.back().spelling == Spelling::jax;
  if (library && peek().kind == TokenKind::name && takes_type(opens_.back().syntax.name, opens_.back().syntax.args.size())) {  // by its place
    std::size_t end = 1;
    while (peek(end).is(".") && peek(end + 1).kind == TokenKind::name) end += 2;
    const bool format = is_whole_format(peek(end - 1).text) || is_truth_format(peek(end - 1).text) || is_real_format(peek(end - 1).text) || peek(end - 1).is("dtype");
    if (format && (peek(end).is(")") || peek(end).is(","))) rewrite(0, {{TokenKind::name, "dtype", peek().span}, {TokenKind::symbol, "=", peek().span}});
  }
  static constexpr std::string_view storage[] = {"dtype", "device", "requires_grad", "pin_memory", "layout", "memory_format", "non_blocking"};
  while (is_among(peek().text, storage) && peek(1).is("=") && opens_.back().syntax.name.back() != ' ') {  // one's own function may do anything with them
    const bool typed = take().is("dtype");
    take();
    const Token word = peek();
    std::vector<Token> names;
    if (!typed && word.kind == TokenKind::text) take();  // device="cuda"
    while (peek().kind == TokenKind::name || peek().is(".")) {
      const Token part = take();
      if (part.kind == TokenKind::name) names.push_back(part);
      if (is_whole_format(part.text) || is_truth_format(part.text) || is_real_format(part.text)) opens_.back().type = part;
      if (is_narrow_format(part.text) && !is_whole_format(part.text)) refuse_absent({SyntaxKind::call, std::string(part.text), {}, {}, {}, {}, word.span});
    }
    if (typed && names.size() > 1 && names.back().is("dtype")) opens_.back().like = names[0];
    if (typed && names.size() == 1 && !is_whole_format(word.text) && !is_truth_format(word.text) && !is_real_format(word.text) && !word.is("None")) fail("call.arguments", "which type " + describe(word) + " is is not known", word.span, "leave the type out, or write dtype=x.dtype of a tensor of numbers");
    if (!accept(",")) break;
  }
}

/// Refuses dtype=int and the like where a value may become another one by it, or in what is computed with it: 0 - 1 is 255 in bytes.
void Parser::require_type(const Syntax& call, const Token& type) {
  if (begins_again(type.text)) fail("call.arguments", "in " + describe(type) + " numbers begin again behind the largest one", type.span, "leave the type out");
  static constexpr std::string_view makes[] = {"zeros", "ones", "eye", "identity", "tri", "zeros_like", "ones_like"}, arrays[] = {"array", "asarray", "tensor"};
  const auto is = [&](auto& names) { return std::find(std::begin(names), std::end(names), call.name) != std::end(names); };
  const bool truth = is_truth_format(type.text), fills = call.name == "full" || call.name == "full_like";
  if (is(makes) || is_real_format(type.text)) return;
  const auto filler = std::find_if(call.keywords.begin(), call.keywords.end(), [](const auto& k) { return k.first == "fill_value"; });
  const std::size_t place = fills ? 1 : 0;
  const Expression value = fills && filler != call.keywords.end() ? filler->second : call.args.size() > place ? call.args[place] : nullptr;
  if (value && (fills || is(arrays)) && (truth || holds_everywhere(value))) return;
  if (call.name == "arange" && !truth && std::all_of(call.args.begin(), call.args.end(), counts_sizes)) return;
  fail("call.arguments", "as " + describe(type) + " a value may be another one", type.span, "leave the type out, and write the numbers that it holds");
}

/// Reads `key=` of a named argument, if there is one.
void Parser::argument_name() {
  if (peek().kind != TokenKind::name || !peek(1).is("=")) return;
  Open& call = opens_.back();
  const Token key = expect_name("of an argument");
  take();
  const auto& given = call.syntax.keywords;
  const auto repeated = std::find_if(given.begin(), given.end(), [&](const auto& k) { return k.first == key.text; });
  if (repeated != given.end()) fail("parse.duplicate", "the argument " + describe(key) + " is given twice", key.span, "remove one of them");
  if (given.size() >= 16) fail("limit.size", "more than 16 named arguments", key.span, "no function has that many");
  call.key = std::string(key.text);
}

Parser::Step Parser::argument(const Node& operand) {
  Open& call = opens_.back();
  Node node = operand;
  if (!call.relation.empty()) {
    node = compared(operand);
  } else if (!call.key.empty() && compares(peek())) {  // f(x, mask=M == 0)
    add(operand);
    call.relation = std::string(take().text);
    return std::nullopt;
  }
  if (!call.key.empty()) {
    call.syntax.keywords.emplace_back(std::exchange(call.key, {}), node.tree);
    call.depth = std::max(call.depth, node.depth);
  } else {
    if (!call.syntax.keywords.empty()) fail("parse.unexpected", "a positional argument follows a named one", node.span, "put named arguments last");
    if (peek().is("for") && call.syntax.args.empty()) return comprehension(node);
    const bool spread = std::exchange(call.star, false);
    if (spread && node.tree->kind != SyntaxKind::list && node.tree->kind != SyntaxKind::comprehension) fail("parse.unexpected", "only a list is spread out", node.span, "write f(*[A, B]), or f(... for i in range(h))");
    call.depth = std::max(call.depth, node.depth);
    if (spread && node.tree->kind == SyntaxKind::list) call.syntax.args.insert(call.syntax.args.end(), node.tree->args.begin(), node.tree->args.end());
    else add(node);
  }
  if (peek().is("for")) unexpected("`,` or `)`: a comprehension beside other arguments goes into [ ]");
  if (accept(",")) return std::nullopt;
  if (compares(peek())) {
    call.syntax.span = {call.syntax.span.begin, last_end()};
    refuse_absent(call.syntax);
    const bool second = node.tree != operand.tree, operands = call.syntax.keywords.empty();  // a == b == c, f(key=a == b)
    if (second || !operands) refuse_comparison(peek().span);
    call.relation = std::string(take().text);  // where(M == 0, A, B), S.masked_fill(M == 0, c)
    return std::nullopt;
  }
  if (!peek().is(")")) unexpected("`,` or `)` in the arguments of `" + call.syntax.name.substr(0, 40) + "`");
  return close(take().span.end);
}

Parser::Step Parser::subscript_part(const Node& node) {
  Open& index = opens_.back();
  index.depth = std::max(index.depth, node.depth);
  if (node.tree->kind == SyntaxKind::list && tokens_[next_ - 1].is(")")) fail("parse.unexpected", "a tuple as a subscript", node.span, "write X[0, 1] for one entry, and X[[0, 1]] for two rows");
  (index.subscript.slice ? index.subscript.stop : index.subscript.start) = node.tree;
  if (index.subscript.slice || !accept(":")) return subscript_end();
  index.subscript.slice = true;
  return std::nullopt;
}

Parser::Step Parser::subscript_end() {
  Open& index = opens_.back();
  if (index.subscript.slice && accept(":") && !peek().is("]") && !peek().is(",")) index.subscript.step = step();
  index.syntax.subscripts.push_back(std::exchange(index.subscript, {}));
  if (accept(",")) return std::nullopt;
  return close(expect("]", "or an operator").span.end);
}

/// The step of a slice: a number or a size, or a number less than 0, which goes backwards. Null for 1.
Expression Parser::step() {
  const bool back = accept("-");
  const Token token = take();
  const bool whole = token.kind == TokenKind::number && token.text.size() <= 3 && token.text.find_first_not_of("0123456789") == std::string_view::npos;
  const std::int64_t number = whole ? std::stoll(std::string(token.text)) : 0;
  const bool named = token.kind == TokenKind::name && !back;
  if (!named && number < 1) fail("parse.unexpected", "the step of a slice is a whole number other than 0, or a size", token.span, "write X[:, ::2] for every second column, X[:, i::h] for every h-th, X[:, ::-1] for the last one first");
  if (number == 1 && !back) return nullptr;
  const Expression value = named ? node(SyntaxKind::name, {}, std::string(token.text), token.span) : std::make_shared<const Syntax>(Syntax{SyntaxKind::number, {}, Rational(number), {}, {}, {}, token.span});
  return back ? node(SyntaxKind::negate, {value}, {}, token.span) : value;
}

/// Reads `for i in range(`; the comprehension is complete with its range.
Parser::Step Parser::comprehension(const Node& body) {
  expect("for", "after the body of the comprehension");
  const Token index = expect_name("of the comprehension's index");
  if (peek().is(",") || (peek().is("in") && !peek(1).is("range"))) return over_entries(body, index);
  expect("in", "after the comprehension's index");
  expect("range", "after `in`");
  expect("(", "after `range`");
  open(Place::range, Syntax{SyntaxKind::comprehension, std::string(index.text), {}, {}, {}, {}, body.span});
  opens_.back().names = {std::string(index.text)};
  add(body);
  return std::nullopt;
}

/// [f(w) for w in W.T] is [f(W.T[w]) for w in range(len(W.T))], and so with zip(Q, K) and enumerate(W).
Parser::Step Parser::over_entries(const Node& body, const Token& first) {
  std::vector<Token> variables{first};
  while (accept(",")) variables.push_back(expect_name("of the comprehension"));
  expect("in", "after the comprehension's index");
  if (peek().kind != TokenKind::name && !peek().is("(") && !peek().is("[")) unexpected("`range(...)`, a tensor, zip(Q, K) or enumerate(W)");
  open(Place::entries, Syntax{SyntaxKind::comprehension, {}, {}, {}, {}, {}, body.span});
  opens_.back().variables = std::move(variables);
  if ((peek().is("zip") || peek().is("enumerate")) && peek(1).is("(")) {
    opens_.back().joins = take().text;
    take();
  }
  add(body);
  return std::nullopt;
}

Parser::Step Parser::entries_end(const Node& array) {
  Open& loop = opens_.back();
  const bool zips = loop.joins == "zip", counts = loop.joins == "enumerate";
  if (array.tree->kind == SyntaxKind::list) fail("parse.unexpected", "a comprehension goes through range(n), a list by its name or a tensor", array.span, "name the list before it: heads = [...]");
  loop.arrays.push_back(gives_parts(*array.tree) ? std::make_shared<const Syntax>(respell(*node(SyntaxKind::call, {array.tree}, "stack", array.span), Spelling::plain).syntax) : array.tree);
  loop.depth += array.depth + 4;  // it takes the place of what is in the body
  if (zips && accept(",")) return std::nullopt;
  if (!loop.joins.empty()) expect(")", "after the tensors");
  const std::vector<Token> variables = std::move(loop.variables);
  const std::vector<Expression> arrays = std::move(loop.arrays);
  const Node body{loop.syntax.args[0], loop.depth, loop.syntax.span};
  opens_.pop_back();
  if (zips && arrays.size() < 2) fail("parse.unexpected", "zip of one thing gives tuples of one value", array.span, "write for q in Q");
  if (arrays.size() + (counts ? 1 : 0) != variables.size()) fail("parse.unexpected", "the comprehension has " + std::to_string(variables.size()) + " names for " + std::to_string(arrays.size() + (counts ? 1 : 0)) + " values", variables[0].span, "write for q, k in zip(Q, K)");
  std::string own(variables[0].text);  // the index: of several variables none, so that no comprehension inside takes it for its own
  const auto is_taken = [&] { return std::any_of(tokens_.begin(), tokens_.end(), [&](const Token& t) { return t.text == own; }); };
  const bool names_itself = std::any_of(arrays.begin(), arrays.end(), [&](const Expression& e) { return mentions(e, own); });  // for w in w.T
  while ((variables.size() > 1 || names_itself) && is_taken()) own += "_";
  const Expression index = node(SyntaxKind::name, {}, own, variables[0].span);
  Expression inner = body.tree;
  for (std::size_t k = 0; k < variables.size(); ++k) {
    const bool number = counts && k == 0;
    inner = in_body(inner, std::string(variables[k].text), number ? index : entry(arrays[k - (counts ? 1 : 0)], index, variables[k].span));
  }
  open(Place::range, Syntax{SyntaxKind::comprehension, own, {}, {}, {}, {}, body.span});
  for (const Token& variable : variables) opens_.back().names.emplace_back(variable.text);
  opens_.back().rewritten = true;
  add({of_limited_size(inner, body.span), body.depth + 1, body.span});
  const auto is_list = [](const Expression& e) { return e->kind == SyntaxKind::comprehension; };
  if (std::any_of(arrays.begin(), arrays.end(), is_list)) {  // heads = [f(i) for i in range(h)]
    const auto of_this_length = [&](const Expression& e) { return is_list(e) && same(e->args[1], array.tree->args[1]); };
    if (!is_list(array.tree) || !std::all_of(arrays.begin(), arrays.end(), of_this_length)) fail("parse.unexpected", "zip goes through lists of different lengths, or a list and a tensor", array.span, "write for i in range(n), and heads[i]");
    return comprehension_end(finish(*array.tree->args[1], array.depth), last_end());
  }
  const Expression through = arrays.size() == 1 ? arrays[0] : node(SyntaxKind::call, arrays, "zipped", arrays[0]->span);
  return comprehension_end(finish(*size_along(through, 0, array.span), array.depth + 4), last_end());
}

Parser::Step Parser::range_end(const Node& range) {
  Open& loop = opens_.back();
  if (peek().is(",")) {
    if (loop.stop) unexpected("`)` after the step of a range");
    (loop.start ? loop.stop : loop.start) = range.tree;
    loop.depth = std::max(loop.depth, range.depth);
    take();
    return std::nullopt;
  }
  const std::size_t end = expect(")", "or an operator").span.end;
  const Expression by = loop.stop ? range.tree : nullptr;
  if (!by && (!loop.start || is_number(loop.start, 0))) return comprehension_end(range, end);
  // f(i) for i in range(a, b) is f(i + a) for i in range(b - a), and f(c * i + a) for i in range((b - a) / c) with a step
  const Expression steps = by ? steps_between(loop.start, loop.stop, by) : nullptr;
  if (by && !steps) fail("parse.unexpected", "whether this range has a whole number of steps is not known", range.span, "write range(m), and i*c for every c-th index of m*c");
  const auto named_outside = [&](const std::string& name) { return mentions(loop.start, name) || mentions(by, name); };
  if (named_outside(loop.syntax.name)) fail("parse.unexpected", "`" + loop.syntax.name + "` is an index inside and outside of this comprehension", range.span, "give each index a name of its own");
  changed(loop.syntax.args[0], [&](const Expression& e) -> Expression {
    if (e->kind == SyntaxKind::comprehension && named_outside(e->name)) fail("parse.unexpected", "`" + e->name + "` is an index inside and outside of this comprehension", range.span, "give each index a name of its own");
    return nullptr;
  });
  const Expression index = node(SyntaxKind::name, {}, loop.syntax.name, loop.syntax.span), wide = by ? node(SyntaxKind::multiply, {index, by}, {}, loop.syntax.span) : index;
  const Expression moved = is_number(loop.start, 0) ? wide : node(SyntaxKind::add, {wide, loop.start}, {}, loop.syntax.span);
  loop.syntax.args[0] = in_body(loop.syntax.args[0], loop.syntax.name, moved);
  loop.rewritten = true;
  Syntax count = by ? *steps : Syntax{SyntaxKind::subtract, {}, {}, {range.tree, loop.start}, {}, {}, range.span};
  return comprehension_end(finish(std::move(count), std::max(loop.depth, range.depth) + 1), end);
}

/// Whether the innermost bracket is that of a sum, or the list or generator that is summed.
bool Parser::is_summed() const {
  const auto sums = [](const Open& open) { return open.place == Place::call && open.syntax.name == "sum" && open.syntax.args.empty() && !has_module(open.spelling); };
  const Open& inside = opens_.back();
  return sums(inside) || ((inside.place == Place::list || inside.place == Place::group) && inside.syntax.args.empty() && opens_.size() > 1 && sums(opens_[opens_.size() - 2]));
}

Parser::Step Parser::comprehension_end(const Node& range, std::size_t end) {
  add(range);
  const auto names = std::move(opens_.back().names);
  const bool rewritten = opens_.back().rewritten;
  Node node = *close(end);
  for (const Open::Loop& outer : opens_.back().loops) {
    for (const std::string& name : outer.names) {
      if (std::find(names.begin(), names.end(), name) != names.end()) fail("parse.unexpected", "`" + name + "` goes through two ranges", node.span, "give each index a name of its own");
      if (outer.rewritten && mentions(range.tree, name)) fail("parse.unexpected", "a range that depends on `" + name + "` is not read here", range.span, "nest the sums: sum(sum(f(i, j) for j in range(i)) for i in range(n))");
    }
  }
  if (peek().is("for")) {  // f(i, j) for i in range(n) for j in range(m), of which the sum is sum(sum(f(i, j) for j in range(m)) for i in range(n))
    if (!is_summed()) fail("parse.unexpected", "a comprehension has one `for`", peek().span, "of sums it may have several; nest others: concat(concat(A[i, j] for j in range(h)) for i in range(h))");
    opens_.back().loops.push_back({node.tree->name, node.tree->args[1], names, rewritten});
    return comprehension({node.tree->args[0], node.depth, node.span});
  }
  for (auto loops = std::exchange(opens_.back().loops, {}); !loops.empty(); loops.pop_back()) {
    const Expression inner = expr::node(SyntaxKind::call, {node.tree}, "sum", node.span);
    node = finish(Syntax{SyntaxKind::comprehension, loops.back().index, {}, {inner, loops.back().range}, {}, {}, node.span}, node.depth + 2);
  }
  if (opens_.back().place == Place::call) {
    add(node);
    if (!peek().is(")")) unexpected("`)`: a comprehension beside other arguments goes into [ ]");
    return close(take().span.end);
  }
  node.span = {opens_.back().syntax.span.begin, expect(opens_.back().place == Place::group ? ")" : "]", "after the comprehension").span.end};
  opens_.pop_back();
  return node;
}

}  // namespace foldproof::read
