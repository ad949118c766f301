// SPDX-License-Identifier: MIT
// What relates two sides: assumptions in all their spellings, and the equation or inequality that is claimed.
#include "expr/build.hpp"
#include "expr/operators.hpp"
#include "read/assigned_sizes.hpp"
#include "read/claim_parser.hpp"
#include "read/language.hpp"
#include "read/parse.hpp"
#include "read/stated_shapes.hpp"

namespace foldproof::read {
namespace {

/// What may be assumed in words: P is a permutation, M is mask01.
constexpr std::string_view predicates[] = {"orthogonal", "permutation", "symmetric", "invertible", "positive", "nonnegative", "nonzero", "onehot", "rowstochastic", "mask01", "binary"};

Relation opposite(Relation r) {
  switch (r) {
    case Relation::equal: return Relation::not_equal;
    case Relation::not_equal: return Relation::equal;
    case Relation::less: return Relation::greater_equal;
    case Relation::less_equal: return Relation::greater;
    case Relation::greater: return Relation::less_equal;
    case Relation::greater_equal: return Relation::less;
  }
  throw InternalError("an unknown relation");
}

/// np.all(s > 0) and (s > 0).all() say what s > 0 does.
std::optional<Relation> relation_inside(const Expression& e) {
  const bool every = e->kind == SyntaxKind::call && e->name == "all" && e->args.size() == 1 && e->keywords.empty() && is_comparison(*e->args[0]);
  return every ? relation_called(e->args[0]->name) : std::nullopt;
}

/// min(s) > 0 says s > 0 of every entry, and max(s) <= 5 that s <= 5.
void say_of_entries(Expression& extreme, Relation relation, const Expression& number, bool turned) {
  const bool above = relation == Relation::greater || relation == Relation::greater_equal, below = relation == Relation::less || relation == Relation::less_equal;
  if (!is_signed_number(number) || (!above && !below)) return;
  static constexpr std::string_view least[] = {"min", "rowmin", "colmin"}, largest[] = {"max", "rowmax", "colmax"};
  const auto& functions = above != turned ? least : largest;
  static constexpr std::string_view axes[] = {"axis", "dim", "keepdims", "keepdim"};  // where= and initial= say something else
  const auto of_all = [&](const Syntax& e) { return std::all_of(e.keywords.begin(), e.keywords.end(), [&](const auto& k) { return is_among(k.first, axes); }); };
  while (extreme->kind == SyntaxKind::call && extreme->args.size() == 1 && is_among(extreme->name, functions) && of_all(*extreme)) extreme = Expression(extreme->args[0]);
}

/// The predicate of the first arguments of a call.
Expression predicate_of(std::string_view predicate, const Syntax& call, std::size_t arguments = 1) {
  auto copy = std::make_shared<Syntax>(call);
  copy->name = predicate;
  copy->args.resize(std::min(arguments, copy->args.size()));
  return copy;
}

/// Other words for a predicate. Angles are any numbers.
Expression respelled_predicate(const Expression& e) {
  static constexpr std::pair<std::string_view, std::string_view> synonyms[] = {{"binary", "mask01"}, {"permlist", "permutation"}, {"integers", "integer"}, {"angles", "real"}};
  for (const auto& [synonym, predicate] : synonyms) {
    if (e->name == synonym) return predicate_of(predicate, *e, e->args.size());
  }
  return e;
}

bool is_turned(Relation r) { return r == Relation::greater_equal || r == Relation::greater; }
/// The relation of the sides in the other order, where that is one of less.
Relation upwards(Relation r) { return !is_turned(r) ? r : r == Relation::greater ? Relation::less : Relation::less_equal; }
/// The tolerances of a call of allclose, where they say more than that sides are equal up to rounding: |a - b| <= absolute + relative * |b| is then what is claimed,
/// of which sides that are equal are only one case. Nothing where all that are written are at most a thousandth.
struct Tolerances {
  Rational absolute, relative;
};
std::optional<Tolerances> wide_tolerances(const Expression& e, const std::function<Expression(const std::string&)>& value_of) {
  struct Function {
    std::string_view name;
    Rational absolute, relative;  ///< where they are not given
  };
  static const Function functions[] = {{"allclose", Rational(1, 100000000), Rational(1, 100000)}, {"assert_allclose", 0, Rational(1, 10000000)}, {"assert_close", 0, 0}};
  const auto* const function = std::find_if(std::begin(functions), std::end(functions), [&](const Function& f) { return f.name == e->name; });
  Tolerances found = function == std::end(functions) ? Tolerances{} : Tolerances{function->absolute, function->relative};
  bool wide = false;
  for (const auto& [word, written] : e->keywords) {
    const bool absolute = word == "atol";
    const Expression named = written->kind == SyntaxKind::name ? value_of(written->name) : nullptr, value = named ? named : written;
    if (e->name == "assert_array_almost_equal" && word == "decimal") {
      if (value->kind != SyntaxKind::number || !value->value.is_integer() || value->value < Rational(4)) fail("call.arguments", "so few decimals are more than rounding", value->span, "write decimal=6");
      continue;
    }
    if (function == std::end(functions) || (!absolute && word != "rtol")) fail("call.keyword", "`" + e->name + "` with `" + word.substr(0, 40) + "` is not part of the claim language", value->span, "leave it out; np.allclose and torch.allclose take atol=1e-5 and rtol=1e-5");
    if (value->kind != SyntaxKind::number) fail("call.arguments", "a tolerance is a number that is not negative", value->span, "write it as one: " + word + "=1e-5");
    (absolute ? found.absolute : found.relative) = value->value;
    wide = wide || value->value > Rational(1, 1000);
  }
  if (e->name == "assert_close" && e->keywords.size() == 1) fail("call.arguments", "PyTorch's assert_close takes both tolerances or none", e->span, "write atol=1e-5, rtol=1e-5");
  return wide ? std::optional(found) : std::nullopt;
}

/// np.isclose(a, b).all() as np.allclose(a, b); e for others.
Expression closeness(const Expression& e) {
  const bool every = is_call(e, "all") && e->args.size() == 1 && e->keywords.empty() && is_call(e->args[0], "isclose");
  if (!every && !is_call(e, "isclose")) return e;
  auto close = std::make_shared<Syntax>(every ? *e->args[0] : *e);
  close->name = "allclose";
  return close;
}

/// What orders say of all entries, a <= b as a - b and `true` for a < b; nothing for others.
struct Order {
  Expression difference;
  bool strict = false;
};
std::optional<Order> order_of(const Expression& e) {
  if (is_call(e, "&") && e->args.size() == 2) {
    const auto first = order_of(e->args[0]), second = order_of(e->args[1]);
    if (!first || !second || first->strict != second->strict) return std::nullopt;
    return Order{node(SyntaxKind::call, {first->difference, second->difference}, "maximum", e->span), first->strict};
  }
  const auto relation = is_comparison(*e) ? relation_called(e->name) : std::nullopt;
  if (!relation || *relation == Relation::equal || *relation == Relation::not_equal) return std::nullopt;
  const bool turned = is_turned(*relation);
  return Order{node(SyntaxKind::subtract, {e->args[turned ? 1 : 0], e->args[turned ? 0 : 1]}, {}, e->span), *relation == Relation::less || *relation == Relation::greater};
}
/// The same of ((p >= 0) & (p <= 1)).all().
std::optional<Order> order_of_all(const Expression& e) { return is_call(e, "all") && e->args.size() == 1 && e->keywords.empty() ? order_of(e->args[0]) : std::nullopt; }

/// What array_equal and the like say of shapes, that both sides have one: NumPy's asserts compare with a number, too.
Expression equal_shapes(const Expression& e) {
  static constexpr std::string_view takes_numbers[] = {"assert_allclose", "assert_array_equal", "assert_array_almost_equal"};
  const bool numbers = is_signed_number(e->args[0]) || is_signed_number(e->args[1]);
  if (numbers && is_among(e->name, takes_numbers)) return nullptr;
  return node(SyntaxKind::call, {e->args[0], node(SyntaxKind::call, {e->args[1]}, "shape", e->args[1]->span)}, std::string(shaped_call), e->span);
}

[[noreturn]] void several_claims(Span span) { fail("parse.two_relations", "these are several claims, and one is decided at a time", span, "keep the one that is meant: assert torch.allclose(a, b)"); }

/// Whether the shapes decide if Python can compute e, and the language reads all that it is made of.
bool is_shown(const Expression& e) {
  const bool place = std::all_of(e->subscripts.begin(), e->subscripts.end(), [](const Subscript& s) { return s.slice || (s.start && (s.start->kind == SyntaxKind::number || s.start->kind == SyntaxKind::negate)); });
  const bool known = e->kind == SyntaxKind::name || e->kind == SyntaxKind::number || e->kind == SyntaxKind::negate || e->kind == SyntaxKind::transpose || is_operator(e->kind) || (e->kind == SyntaxKind::index && place) || (e->kind == SyntaxKind::call && find_operator(e->name) >= 0);
  return known && std::all_of(e->args.begin(), e->args.end(), is_shown);
}

}  // namespace

bool says_allclose(const Expression& e) {
  static constexpr std::string_view names[] = {"allclose", "array_equal", "equal", "assert_allclose", "assert_close", "assert_array_equal", "assert_array_almost_equal"};
  return e->kind == SyntaxKind::call && is_among(e->name, names) && e->args.size() == 2;
}

bool ClaimParser::says_result(const Tokens& tokens) const {
  const auto named = tokens.size() == 1 ? several_sizes_.find(std::string(tokens[0].text)) : several_sizes_.end();
  return (named != several_sizes_.end() && says_allclose(named->second)) || std::any_of(tokens.begin(), tokens.end(), [](const Token& t) { return t.is("allclose") || t.is("array_equal") || t.is("=="); });
}

bool ClaimParser::shows_result() {
  Tokens ahead;
  for (std::size_t k = 0; parser_.peek(k).kind != TokenKind::end; ++k) ahead.push_back(parser_.peek(k));
  const std::size_t header = end_of_statement(ahead, 0);
  if (header + 1 >= ahead.size() || ahead[header].kind != TokenKind::block_begin || !ahead[header - 1].is(":")) return false;
  std::size_t end = behind_block(ahead, header), next = end;
  while (next < ahead.size() && ahead[next].kind == TokenKind::separator) ++next;
  if (next < ahead.size() && ahead[next].is("elif")) return false;
  if (next + 2 < ahead.size() && ahead[next].is("else") && ahead[next + 2].kind == TokenKind::block_begin) end = behind_block(ahead, next + 2);
  const Tokens condition = slice(ahead, 1, header - 1);
  const auto says_nothing = [](const Token& t) { return t.kind == TokenKind::text || ends_statement(t) || t.is("print") || t.is("(") || t.is(")") || t.is("pass") || t.is("else") || t.is(":"); };
  if (!says_result(condition) || is_joined(condition) || !std::all_of(ahead.begin() + static_cast<std::ptrdiff_t>(header), ahead.begin() + static_cast<std::ptrdiff_t>(end), says_nothing)) return false;
  const Span at = ahead[0].span;
  Tokens shown{{TokenKind::name, "print", at}, {TokenKind::symbol, "(", at}};
  put(shown, condition);
  put(shown, {{TokenKind::symbol, ")", at}, {TokenKind::separator, "\n", at}});
  parser_.rewrite(end, shown);
  printed();
  return true;
}

void ClaimParser::printed() {
  const Tokens tokens = rest_of_statement();
  const std::vector<Tokens> arguments = parts_of(between(tokens, 2, -1));
  std::vector<Tokens> claimed = arguments;  // print("the same?", np.allclose(a, b))
  std::erase_if(claimed, [this](const Tokens& t) { return !says_result(t); });
  for (std::size_t k = 1; k + 1 < tokens.size(); ++k) {
    static constexpr std::string_view changing[] = {"fill", "sort", "partition", "put", "resize"};
    const bool changes = tokens[k + 1].is("(") && ((tokens[k - 1].is(".") && is_among(tokens[k].text, changing)) || tokens[k].text.ends_with('_') || is_append(between(tokens, k > 1 ? k - 2 : 0)));
    if (changes || (tokens[k].is("out") && tokens[k + 1].is("="))) fail("parse.unexpected", "what is printed here changes something, too", tokens[k].span, "change it before, in a statement of its own");
  }
  if (!claimed.empty()) {
    if (printed_) fail("parse.two_relations", "a second equation: a claim has one", {tokens[2].span.begin, tokens[tokens.size() - 2].span.end}, "conditions are written assume lhs == rhs");
    const bool stated = claim_.lhs != nullptr;
    parser_.rewrite(tokens.size(), stated ? Tokens{} : claimed.size() == 1 ? claimed[0] : between(tokens, 2, -1));
    if (stated) return;
    equation();
    printed_ = true;
    return;
  }
  parser_.rewrite(tokens.size(), {});
  for (const Tokens& argument : arguments) evaluate(argument);
}

void ClaimParser::evaluate(const Tokens& printed) {
  const bool text = std::any_of(printed.begin(), printed.end(), [](const Token& t) { return t.kind == TokenKind::text || t.is("=") || t.is("*"); });
  if (text || printed.size() < 2) return;
  parser_.rewrite(0, printed);
  try {
    const Expression value = expression();
    const bool whole = parser_.peek().kind == TokenKind::separator || parser_.peek().kind == TokenKind::end;
    if (whole && is_shown(value)) compute(value);
  } catch (const Error&) {  // whatever else is printed says nothing
  }
  skip_statement();
}

void ClaimParser::compute(const Expression& e) {
  define_unread(claim_, e);
  introduced_.emplace(claim_.definitions.back().name, e->span);
}

bool ClaimParser::is_of_sizes(const Expression& e) const {
  bool of_matrix = false;  // rank(W) is a size of the language, and nothing that a program takes for granted
  const std::function<void(const Expression&)> look = [&](const Expression& part) {
    of_matrix = of_matrix || is_call(part, "rank");
    each_part(part, look);
  };
  look(e);
  if (of_matrix) return false;
  if (e->kind == SyntaxKind::modulo) return is_of_sizes(e->args[0]) && is_of_sizes(e->args[1]);
  const auto is_number = [&](const std::string& name) {  // h = 4; assert d % h == 0
    const Expression value = value_of(name);
    return value && folded(value);
  };
  return is_size_arithmetic(e, [&](const std::string& name) { return introduced_.count(name) == 0 || is_number(name); });
}

bool ClaimParser::take_for_granted(const Expression& e, bool holds) {
  if (is_call(e, "not")) return take_for_granted(e->args[0], !holds);
  if (is_call(e, "and")) return holds && take_for_granted(e->args[0], true) && take_for_granted(e->args[1], true);
  const auto said = e->kind == SyntaxKind::call && e->name.starts_with("is ") && e->args.size() == 2 ? relation_called(e->name.substr(3)) : std::nullopt;
  if (const Expression stated = said == Relation::equal && holds ? stated_shape(e->args[0], e->args[1]) : nullptr; stated && states(stated)) return true;
  if (!said || !is_of_sizes(e->args[0]) || !is_of_sizes(e->args[1])) return false;
  claim_.assumptions.push_back({e->args[0], holds ? *said : opposite(*said), e->args[1], e->span});
  return true;
}

bool ClaimParser::states(const Expression& call) {
  const auto is_index = [&](const std::string& name) { return text_.find("for " + name) != std::string_view::npos; };
  bool of_step = false;
  const std::function<void(const Expression&)> look = [&](const Expression& e) {
    of_step = of_step || (e->kind == SyntaxKind::name && introduced_.count(e->name) == 0 && is_index(e->name));
    each_part(e, look);
  };
  look(call);
  if (of_step) return false;
  const Expression &of = call->args[0], &shape = call->args[1];
  const bool open = of->kind == SyntaxKind::name && introduced_.count(of->name) == 0 && !is_declared_size(of->name) && shape->kind == SyntaxKind::list;
  if (!open || !std::all_of(shape->args.begin(), shape->args.end(), [this](const Expression& size) { return is_of_sizes(size); })) {
    compute(call);
    return true;
  }
  Shape sizes;
  for (const Expression& size : shape->args) sizes.push_back(dimension(*size));
  introduced_.emplace(of->name, call->span);
  claim_.declarations.push_back({of->name, sizes, call->span});
  return true;
}

void ClaimParser::assumptions() {
  parser_.take();
  do {
    assumption();
  } while (parser_.accept(",") || parser_.accept("and"));
}

void ClaimParser::assumption() {
  if (in_words()) return;
  const std::size_t begin = parser_.peek().span.begin;
  const bool all = parser_.peek().is("all") && parser_.peek(1).is("(");
  if (all) {
    parser_.take();
    parser_.take();
  }
  Assumption a;
  a.lhs = expression();
  a.relation = find_relation(parser_.peek());
  if (a.relation) {
    parser_.take();
    a.rhs = expression();
    for (const char* word : {"elementwise", "entrywise", "everywhere"}) parser_.accept(word);  // as every relation between tensors
    while (const auto next = find_relation(parser_.peek())) {  // 0 <= t <= 1 says two things
      a.span = {begin, parser_.last_end()};
      claim_.assumptions.push_back(a);
      a.lhs = a.rhs;
      a.relation = next;
      parser_.take();
      a.rhs = expression();
    }
  } else if (parser_.peek().is("=")) {
    parser_.unexpected("a relation");
  } else if (all || a.lhs->kind != SyntaxKind::call || a.lhs->name == "&" || a.lhs->name == "|" || a.lhs->name == "~") {
    fail("parse.missing_relation", "expected a relation, found " + describe(parser_.peek()), {begin, parser_.last_end()},
         "assume s > 0, or a predicate such as orthogonal(R)");
  }
  if (all) parser_.expect(")", "after the relation");
  if (const auto said = !a.relation && is_comparison(*a.lhs) ? relation_called(a.lhs->name) : std::nullopt) {  // assume (X @ A >= 0)
    a.relation = said;
    a.rhs = a.lhs->args[1];
    a.lhs = Expression(a.lhs->args[0]);
  }
  if (const auto inside = !a.relation ? relation_inside(a.lhs) : std::nullopt) {
    a.relation = inside;
    a.rhs = a.lhs->args[0]->args[1];
    a.lhs = a.lhs->args[0]->args[0];
  }
  if (!a.relation && a.lhs->keywords.empty() && says_allclose(a.lhs)) {
    a.relation = Relation::equal;
    a.rhs = a.lhs->args[1];
    a.lhs = a.lhs->args[0];
  }
  a.span = {begin, parser_.last_end()};
  if (!a.relation) a.lhs = respelled_predicate(bounded_integers(a.lhs));
  if (a.relation) say_of_entries(a.lhs, *a.relation, a.rhs, false), say_of_entries(a.rhs, *a.relation, a.lhs, true);
  claim_.assumptions.push_back(std::move(a));
}

bool ClaimParser::in_words() {
  std::vector<Token> names;
  std::size_t k = 0;
  while (parser_.peek(k).kind == TokenKind::name && !is_reserved(parser_.peek(k).text)) {
    names.push_back(parser_.peek(k++));
    if (!parser_.peek(k).is(",") && !parser_.peek(k).is("and")) break;
    ++k;
  }
  for (const char* word : {"is", "are", "an", "a"}) k += parser_.peek(k).is(word) ? 1 : 0;
  const Token word = parser_.peek(k);
  const std::string_view plural = word.text.substr(0, word.text.size() - (word.text.size() > 1 && word.text.back() == 's' ? 1 : 0));
  const auto* predicate = std::find_if(std::begin(predicates), std::end(predicates), [&](std::string_view p) { return word.text == p || plural == p; });
  if (names.empty() || word.kind != TokenKind::name || predicate == std::end(predicates) || parser_.peek(k + 1).is("(")) return false;
  for (std::size_t taken = 0; taken <= k; ++taken) parser_.take();
  for (const Token& name : names) {
    const Expression operand = current(node(SyntaxKind::name, {}, std::string(name.text), name.span));
    claim_.assumptions.push_back({respelled_predicate(node(SyntaxKind::call, {operand}, std::string(*predicate), name.span)), std::nullopt, nullptr, {name.span.begin, word.span.end}});
  }
  return true;
}

Expression ClaimParser::bounded_integers(const Expression& e) {
  const bool tokens = e->name == "tokens" && e->args.size() == 2;
  if (!tokens && (e->name != "integer" || e->args.size() != 3)) return e;
  const Expression low = tokens ? parse_expression("0") : e->args[1];
  const Expression high = tokens ? node(SyntaxKind::subtract, {e->args[1], parse_expression("1")}, {}, e->span) : e->args[2];
  if (is_number(low, 0) && is_number(high, 1)) return predicate_of("mask01", *e);
  claim_.assumptions.push_back({e->args[0], Relation::greater_equal, low, e->span});
  claim_.assumptions.push_back({e->args[0], Relation::less_equal, high, e->span});
  return predicate_of("integer", *e);
}

void ClaimParser::equation() {
  in_assert_ = parser_.accept("assert");
  if (in_assert_ && parser_.peek().is("not")) fail("parse.unexpected", "a claim says what holds for all its tensors, and has no opposite", parser_.peek().span, "assert that the sides are equal: where that is refuted, they differ for the tensors that are shown");
  relation_between();
  if (in_assert_ && parser_.accept(",")) skip_statement();  // what is said where it fails
  if (parser_.peek().is("and")) several_claims(parser_.peek().span);
}

void ClaimParser::relation_between() {
  const std::size_t begin = parser_.peek().span.begin;
  Expression lhs = expression();
  const Token sign = parser_.peek();
  const auto relation = find_relation(sign);
  in_assert_ = in_assert_ || (lhs->kind == SyntaxKind::call && lhs->name.starts_with("assert_"));  // np.testing.assert_allclose(a, b)
  if (is_call(lhs, "isclose")) {  // of arrays Python cannot tell whether this is true
    for (const Expression& side : lhs->args) compute(node(SyntaxKind::call, {side, node(SyntaxKind::list, {}, {}, side->span)}, std::string(shaped_call), side->span));
  }
  if (!relation) lhs = closeness(lhs);
  if (!relation && says_allclose(lhs)) return are_close(begin, lhs);
  if (const auto inside = !relation && !parser_.peek().is("and") ? relation_inside(lhs) : std::nullopt; inside && *inside != Relation::not_equal) {
    claim_.repeats = true;
    return relate(begin, lhs->args[0]->args[0], *inside, lhs->args[0]->args[1]);
  }
  if (auto order = !relation ? order_of_all(lhs) : std::nullopt) {
    while (parser_.accept("and")) {
      const auto next = order_of_all(expression());
      if (!next || next->strict != order->strict) several_claims({begin, parser_.last_end()});
      order->difference = node(SyntaxKind::call, {order->difference, next->difference}, "maximum", {begin, parser_.last_end()});
    }
    return relate(begin, order->difference, order->strict ? Relation::less : Relation::less_equal, parse_expression("0"));
  }
  if (!relation) missing_relation(begin);
  if (*relation == Relation::not_equal) {
    fail("parse.unexpected", "expected `==`, `<=` or `<`, found " + describe(sign), sign.span, "claim that the sides are equal: where they are not, a counterexample shows it; what a claim needs is assumed: assume A != B");
  }
  parser_.take();
  Expression rhs = expression();
  if (*relation != Relation::equal && find_relation(parser_.peek()) == relation) {  // a <= b <= c: the larger of a - b and b - c is at most 0
    parser_.take();
    const Expression third = expression();
    const auto minus = [&](const Expression& x, const Expression& y) { return node(SyntaxKind::subtract, {x, y}, {}, {begin, parser_.last_end()}); };
    const bool turned = is_turned(*relation);
    const Expression first = turned ? minus(rhs, lhs) : minus(lhs, rhs), second = turned ? minus(third, rhs) : minus(rhs, third);
    return relate(begin, node(SyntaxKind::call, {first, second}, "maximum", {begin, parser_.last_end()}), upwards(*relation), parse_expression("0"));
  }
  relate(begin, std::move(lhs), *relation, std::move(rhs));
  asserts_ = in_assert_;
}

void ClaimParser::are_close(std::size_t begin, const Expression& call) {
  claim_.repeats = call->name == "allclose";
  if (const Expression shapes = claim_.repeats ? nullptr : equal_shapes(call)) compute(shapes);
  const Expression &first = call->args[0], &second = call->args[1];
  const auto tolerances = wide_tolerances(call, [this](const std::string& name) { return value_of(name); });
  if (!tolerances) return relate(begin, first, Relation::equal, second);
  const auto absolute = [&](const Expression& e) { return node(SyntaxKind::call, {e}, "abs", call->span); };
  const Expression difference = absolute(node(SyntaxKind::subtract, {first, second}, {}, call->span));
  const Expression relative = node(SyntaxKind::multiply, {number(tolerances->relative, call->span), absolute(second)}, {}, call->span);
  relate(begin, difference, Relation::less_equal, node(SyntaxKind::add, {number(tolerances->absolute, call->span), relative}, {}, call->span));
}

void ClaimParser::relate(std::size_t begin, Expression lhs, Relation relation, Expression rhs) {
  if (std::exchange(printed_, false)) claim_.lhs = claim_.rhs = nullptr;  // what is stated counts, not what is only shown
  if (claim_.lhs && asserts_ && is_of_sizes(claim_.lhs) && is_of_sizes(claim_.rhs)) {  // assert d == h * k, before what is claimed
    claim_.assumptions.push_back({std::exchange(claim_.lhs, nullptr), claim_.relation, std::exchange(claim_.rhs, nullptr), {begin, parser_.last_end()}});
    asserts_ = false;
  }
  if (const Expression stated = claim_.lhs && asserts_ && claim_.relation == Relation::equal ? stated_shape(claim_.lhs, claim_.rhs) : nullptr; stated && states(stated)) {
    claim_.lhs = claim_.rhs = nullptr;
    asserts_ = false;
  }
  if (claim_.lhs && in_assert_) fail("parse.two_asserts", "a second assert: a program has one claim, beside what it asserts of sizes and shapes before", {begin, parser_.last_end()}, "keep the assert that is meant; what it relies on is written assume lhs == rhs");
  if (claim_.lhs) fail("parse.two_relations", "a second equation: a claim has one", {begin, parser_.last_end()}, "conditions are written assume lhs == rhs");
  if (is_turned(relation)) std::swap(lhs, rhs);
  claim_.lhs = std::move(lhs);
  claim_.relation = upwards(relation);
  claim_.rhs = std::move(rhs);
}

void ClaimParser::claim_shapes() {
  const Expression stated = claim_.relation == Relation::equal ? stated_shape(claim_.lhs, claim_.rhs) : nullptr;
  if (!stated || stated->args[1]->kind == SyntaxKind::number) return;
  const Expression &of = stated->args[0], &shape = stated->args[1];
  if (shape->kind == SyntaxKind::list && text_[shape->span.begin] == '[') fail("parse.unexpected", "a shape is a tuple, which no list is equal to", shape->span, "write it in round brackets: (n, d)");
  const std::function<void(const Expression&, std::set<std::string>)> require_declared = [&](const Expression& e, std::set<std::string> indices) {
    if (e->kind == SyntaxKind::comprehension) indices.insert(e->name);
    const bool known = e->kind != SyntaxKind::name || is_python_word(e->name) || is_quoted(e) || e->name == "..." || indices.count(e->name) > 0 || introduced_.count(e->name) > 0 || is_declared_size(e->name) || named_sizes_.count(e->name) > 0 || (shape->kind == SyntaxKind::list && mentions(shape, e->name));
    if (!known) fail("parse.unexpected", "the shape of `" + e->name.substr(0, 40) + "` is not declared", e->span, "declare what the claim is about: " + e->name.substr(0, 40) + ": [n, d]");
    each_part(e, [&](const Expression& part) { require_declared(part, indices); });
  };
  for (const Expression& e : {of, shape}) require_declared(e, {});
  claim_.lhs = node(SyntaxKind::call, {of, shape}, std::string(shape_difference_call), claim_.lhs->span);
  claim_.rhs = parse_expression("0");
}

void ClaimParser::missing_relation(std::size_t begin) {
  const Token& next = parser_.peek();
  if (next.is("and")) several_claims(next.span);
  if (next.kind != TokenKind::separator && next.kind != TokenKind::end) parser_.unexpected("`==`");
  const std::string statement(text_.substr(begin, parser_.last_end() - begin));
  const bool assumes = is_among(statement.substr(0, statement.find('(')), predicates);
  fail("parse.missing_relation", "this statement is an expression without `==`", {begin, parser_.last_end()}, assumes ? "assumptions begin with assume: assume " + statement : "a claim is lhs == rhs");
}

}  // namespace foldproof::read
