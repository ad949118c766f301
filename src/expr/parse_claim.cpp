// SPDX-License-Identifier: MIT
// Statements of a claim: declarations, definitions, assumptions, and exactly one equation.
// Decides what is written twice, what is missing, and which sizes a declaration names; whether the shapes fit together
// is left to infer/.
#include <algorithm>
#include <functional>
#include <map>
#include <utility>

#include "expr/assigned_sizes.hpp"
#include "expr/build.hpp"
#include "expr/library.hpp"
#include "expr/loops.hpp"
#include "expr/numpy.hpp"
#include "expr/own_functions.hpp"
#include "expr/parser.hpp"
#include "expr/token_lists.hpp"

namespace foldproof::expr {
namespace {

constexpr std::size_t maximum_size_terms = 1000;  // products of sums grow exponentially

std::optional<Relation> relation_called(std::string_view name) {
  static constexpr Relation relations[] = {Relation::equal, Relation::less_equal, Relation::less, Relation::greater_equal, Relation::greater, Relation::not_equal};
  for (const Relation r : relations) {
    if (name == text(r)) return r;
  }
  return std::nullopt;
}
std::optional<Relation> find_relation(const Token& token) { return token.kind == TokenKind::symbol ? relation_called(token.text) : std::nullopt; }

[[noreturn]] void not_a_size(const Syntax& s) {
  std::string hint = "sizes are names, positive integers, and their sums, differences and products";
  if (s.kind == SyntaxKind::divide) hint = "integer division is written //";
  if (s.kind == SyntaxKind::power) hint = "write d*d";
  fail("parse.unexpected", "this is not a size", s.span, hint);
}

[[noreturn]] void too_small(Span span) { fail("parse.number", "dimensions are at least 1", span, "a scalar is declared with []"); }

Dim size_of_number(const Syntax& s) {
  if (!s.value.is_integer()) fail("parse.number", "a dimension is a whole number", s.span, "write a positive integer or a name");
  if (s.value.is_zero()) too_small(s.span);
  return s.value.num();
}

}  // namespace

Dim size_of(const Syntax& s) {
  if (s.kind == SyntaxKind::number) return size_of_number(s);
  if (s.kind == SyntaxKind::name) return dim(s.name);
  if (s.kind == SyntaxKind::negate) return -size_of(*s.args[0]);
  if (s.args.size() != 2 || s.kind == SyntaxKind::comprehension) not_a_size(s);
  const SyntaxKind kind = s.kind;
  if (kind != SyntaxKind::add && kind != SyntaxKind::subtract && kind != SyntaxKind::multiply && kind != SyntaxKind::floor_divide &&
      kind != SyntaxKind::modulo) {
    not_a_size(s);
  }
  const Dim a = size_of(*s.args[0]);
  const Dim b = size_of(*s.args[1]);
  if (kind == SyntaxKind::add) return a + b;
  if (kind == SyntaxKind::subtract) return a - b;
  if (kind == SyntaxKind::multiply) {
    if (a.summands().size() * b.summands().size() > maximum_size_terms) fail("limit.size", "this size has too many terms", s.span, "name it with one symbol");
    return a * b;
  }
  if (b.is_zero()) fail("parse.number", "a size is divided by zero", s.span);
  return kind == SyntaxKind::floor_divide ? floor_divide(a, b) : modulo(a, b);
}

namespace {

Dim dimension(const Syntax& s) {
  try {
    const Dim size = size_of(s);
    const auto constant = size.constant();
    if (constant && *constant < 1) too_small(s.span);
    return size;
  } catch (const LimitReached& limit) {
    fail("parse.number", limit.what(), s.span, "use a smaller size");
  }
}

class ClaimParser {
 public:
  explicit ClaimParser(std::string_view text) : parser_(text), text_(text) {
    claim_.source = std::string(text);
    functions_.require([this](const Expression& value) {
      if (!has_entries(value)) fail("parse.loop", "a function goes through what may be empty here", value->span, "call it with a tensor, X, and no part of one");
    });
  }

  Claim run() {
    parser_.skip_separators();
    if (parser_.peek().kind == TokenKind::end) {
      fail("parse.empty", "there is no claim", {0, text_.size()}, "for example (X @ A) @ B == X @ (A @ B)");
    }
    while (parser_.peek().kind != TokenKind::end || loops_.define_unread()) {
      if (loops_.take()) {
        parser_.skip_separators();
        continue;
      }
      statement();
      if (parser_.peek().kind != TokenKind::end && parser_.peek().kind != TokenKind::separator) end_expected();
      parser_.skip_separators();
    }
    if (!claim_.lhs) {
      for (const Definition& d : claim_.definitions) {
        if (is_comparison(*d.value) && d.value->name == "==") fail("parse.missing_relation", "`" + d.name + "` is defined as a mask, and no statement says what equals what", d.span, "leave out `" + d.name + " =`: a claim is written " + text(d.value->args[0]) + " == " + text(d.value->args[1]));
      }
      fail("parse.missing_relation", "no statement says what equals what", {text_.size(), text_.size()},
           plain_assignment_ ? "equations are written ==; `=` defines a name" : "add a statement lhs == rhs");
    }
    change_each(claim_, unpacked);
    change_each(claim_, [](const Expression& e) { return has_items(e) ? with_items(e) : e; });
    change_each(claim_, without_copies);
    read_assigned_sizes(claim_);
    claim_.axes = parser_.axes();
    return std::move(claim_);
  }

 private:
  void statement() {
    if ((parser_.peek().is("import") || parser_.peek().is("from")) && parser_.peek(1).kind == TokenKind::name) {
      while (parser_.peek().kind != TokenKind::separator && parser_.peek().kind != TokenKind::end) parser_.take();  // pasted with the claim
    } else if (parser_.peek().is("def") && parser_.peek(1).kind == TokenKind::name) {
      parser_.take();
      static constexpr std::string_view of_python[] = {"enumerate", "len", "map", "range", "reversed", "sum", "zip", "assigned", "at_place", "begun", "copied", "filled", "kept", "log_factor", "numel", "typed", "unpacked", "zipped"};  // the last ones are how programs are written out
      const Token& name = parser_.peek();
      if (std::find(std::begin(of_python), std::end(of_python), name.text) != std::end(of_python)) fail("parse.unexpected", "loops and lists need Python's own " + describe(name), name.span, "give the function another name");
      function(parser_.take(), "(", ")");
    } else if (says_nothing()) {
    } else if (parser_.peek().is("print") && parser_.peek(1).is("(")) {
      printed();
    } else if (const auto kind = updates()) {
      update(*kind);
    } else if (gives_places()) {
      give_places();
    } else if (defines_several()) {
      definitions();
    } else if (parser_.peek().is("let")) {
      definition();
    } else if (parser_.peek().is("assume")) {
      assumptions();
    } else if (parser_.peek().kind == TokenKind::name && parser_.peek(1).is("=") && !is_reserved(parser_.peek().text)) {  // Python's assignment
      definition();
    } else if (parser_.peek().kind == TokenKind::name && (parser_.peek(1).is(":") || parser_.peek(1).is(","))) {
      declaration();
    } else {
      if (parser_.peek().is("class") && parser_.peek(1).kind == TokenKind::name) fail("parse.unexpected", "a class is not read here", parser_.peek().span, "write what its forward computes as a function: def attend(x, W_Q, W_K, W_V): ..., with its weights as arguments");
      if (parser_.peek().is("if")) fail("parse.unexpected", "`if` stands outside of a function", parser_.peek().span, "write the case that is meant, or a function that takes the condition as an argument");
      equation();
    }
  }

  /// One of so many values that a, b = e gives: unpacked(e, place, count) is an item of a tuple, or what lies along the first axis of a tensor.
  static Expression unpacked(const Expression& e) {
    if (!e) return e;
    return changed(e, [](const Expression& part) -> Expression {
      if (!is_call(part, unpacked_call) || part->args.size() != 3) return nullptr;
      const Expression whole = unpacked(part->args[0]);
      const auto place = static_cast<std::size_t>(part->args[1]->value.num()), count = static_cast<std::size_t>(part->args[2]->value.num());
      if (whole->kind == SyntaxKind::list && whole->args.size() != count) fail("parse.unexpected", std::to_string(count) + " names are defined by " + std::to_string(whole->args.size()) + (whole->args.size() == 1 ? " value" : " values"), whole->span, "one value for each name");
      if (whole->kind == SyntaxKind::list) return whole->args[place];
      if (is_several_sizes(whole)) fail("parse.unexpected", "only variables give sizes their names", whole->span, "write n, d = X.shape of a variable X, before the loop");
      auto parts = std::make_shared<Syntax>(*whole);
      if (whole->kind != SyntaxKind::call || (whole->name != "split" && whole->name != "unbind")) *parts = Syntax{SyntaxKind::call, "unbind", {}, {whole}, {}, {}, whole->span};
      parts->keywords.emplace_back("parts", part->args[2]);  // the shape tells whether it gives so many
      return part_of(parts, static_cast<std::int64_t>(place));
    });
  }

  /// x of copied(x): see makes_new_array.
  static Expression without_copies(const Expression& e) {
    if (!e) return e;
    return changed(e, [](const Expression& part) { return is_call(part, copied_call) && part->args.size() == 1 ? without_copies(part->args[0]) : nullptr; });
  }

  /// x of typed(x, m), whose m must be a tensor of real numbers then.
  Expression without_types(const Expression& e) {
    return changed(e, [this](const Expression& part) -> Expression {
      if (!is_call(part, typed_call) || part->args.size() != 2) return nullptr;
      const Expression& like = is_call(part->args[1], type_call) ? part->args[1]->args[0] : part->args[1];
      note_type(like, part->span);
      return without_types(part->args[0]);
    });
  }
  /// Notes of what holds real numbers where all names in it do that it must: see Claim::types.
  void note_type(const Expression& e, Span span) {
    static constexpr std::string_view keep[] = {"softmax", "exp", "log", "sqrt", "relu", "gelu", "silu", "tanh", "sigmoid", "abs", "layernorm", "rmsnorm", "reshape", "transpose", "swapaxes", "concatenate", "cat", "stack", "matmul", copied_call, typed_call};
    if (e->kind == SyntaxKind::name) return claim_.types.emplace_back(e->name, span), void();
    const bool all = is_operator(e->kind) || e->kind == SyntaxKind::negate || e->kind == SyntaxKind::transpose || e->kind == SyntaxKind::list || is_call(e, "concat");
    const bool first = e->kind == SyntaxKind::index || e->kind == SyntaxKind::power || (e->kind == SyntaxKind::call && is_among(e->name, keep));
    if (!all && !first) fail("call.arguments", "whether this is made a whole number or a truth value is not seen", span, "leave the type out, or give what has the type a name");
    for (std::size_t k = 0; k < (first ? 1 : e->args.size()); ++k) {
      if (e->args[k]->kind != SyntaxKind::number) note_type(e->args[k], span);
    }
  }

  /// x[:2, :2] = 1
  bool gives_places() const {
    return item_change(rest_of_statement()).has_value();
  }
  /// Puts brackets around M == 0 among the places of x[places] = value, and gives the sign of +=.
  std::string_view prepare_places() {
    const Tokens written = rest_of_statement();
    const auto item = item_change(written);
    Tokens prepared{written[0], written[1]};
    const auto symbol = [&](std::string_view text) { prepared.push_back({TokenKind::symbol, text, written[0].span}); };
    for (const Tokens& place : item->places) {
      const bool compares = std::any_of(place.begin(), place.end(), [](const Token& t) { return find_relation(t).has_value(); }) && !is_one_bracket(place);
      if (&place != item->places.data()) symbol(",");
      if (compares) symbol("(");
      put(prepared, place);
      if (compares) symbol(")");
    }
    symbol("]");
    put(prepared, between(written, *assignment(written)));
    parser_.rewrite(written.size(), std::move(prepared));
    return item->sign;
  }
  /// What the array is after its places have got the value, or have changed by it.
  static Expression assigned(const Expression& old, const Expression& places, std::string_view sign, const Expression& value, Span span) {
    std::vector<Expression> operands{old, places, value};
    if (!sign.empty()) operands.insert(operands.begin() + 2, node(sign == "-" ? SyntaxKind::subtract : SyntaxKind::add, {old, value}, {}, span));
    return node(SyntaxKind::call, std::move(operands), std::string(assigned_call), span);
  }
  void give_places() {
    plain_assignment_ = true;
    const Token name = parser_.peek();
    const Expression old = current(node(SyntaxKind::name, {}, std::string(name.text), name.span));
    refuse_views(name, old);
    const std::string_view sign = prepare_places();
    const Expression places = expression();
    parser_.expect("=", "after the places");
    const Expression value = expression();
    const Span span{name.span.begin, parser_.last_end()};
    claim_.definitions.push_back({assign(name), assigned(old, places, sign, value, span), span});
  }
  Tokens rest_of_statement() const {
    Tokens tokens;
    while (parser_.peek(tokens.size()).kind != TokenKind::separator && parser_.peek(tokens.size()).kind != TokenKind::end) tokens.push_back(parser_.peek(tokens.size()));
    return tokens;
  }

  /// print(np.allclose(a, b)) claims what it prints; print(x.shape) says nothing.
  void printed() {
    const Tokens tokens = rest_of_statement();
    const bool claims = std::any_of(tokens.begin(), tokens.end(), [](const Token& t) { return t.is("allclose") || t.is("array_equal") || t.is("=="); });
    for (std::size_t k = 1; k + 1 < tokens.size(); ++k) {
      const bool changes = tokens[k + 1].is("(") && (tokens[k].text.ends_with('_') || is_append(between(tokens, k > 1 ? k - 2 : 0)));
      if (changes || (tokens[k].is("out") && tokens[k + 1].is("="))) fail("parse.unexpected", "what is printed here changes something, too", tokens[k].span, "change it before, in a statement of its own");
    }
    parser_.rewrite(tokens.size(), claims ? between(tokens, 2, -1) : Tokens{});
    if (claims) equation();
  }

  [[noreturn]] void end_expected() {
    if (find_relation(parser_.peek())) two_relations(parser_.peek().span);
    parser_.unexpected("an operator or the end of the statement");
  }

  [[noreturn]] static void two_relations(Span span) {
    fail("parse.two_relations", "a second relation: each statement has one", span, "split a == b == c into two");
  }

  void introduce(const Token& name) {
    const auto [at, fresh] = introduced_.emplace(std::string(name.text), name.span);
    if (name.is("inf")) parser_.declare_infinity();
    if (fresh) return;
    const std::size_t line = locate(text_, at->second.begin).line;
    fail("parse.duplicate", describe(name) + " is already declared or defined on line " + std::to_string(line), name.span,
         "remove one of them; a definition needs no declaration");
  }

  void declaration() {
    std::vector<Token> names;
    do {
      names.push_back(parser_.expect_name("to declare"));
    } while (parser_.accept(","));
    parser_.expect(":", "after the declared names");
    const Token open = parser_.peek();
    const bool round = open.is("(");  // Python's tuple
    if (!round && !open.is("[")) fail("parse.unexpected", "expected a shape in [ ], found " + describe(open), open.span, shape_hint(open, names.front()));
    parser_.take();
    Shape shape;
    const std::string_view closing = round ? ")" : "]";
    while (!parser_.peek().is(closing)) {
      shape.push_back(dimension(*expression()));
      if (!parser_.peek().is(closing) && !parser_.accept(",")) parser_.unexpected("`,` or `]` in a shape");
    }
    const Token close = parser_.take();
    if (names.size() * shape.size() > maximum_text_size) fail("limit.size", "this declaration is too large", open.span, "split it");
    for (const Token& name : names) {
      const Span span{name.span.begin, close.span.end};
      if (declares_shape_of(name, shape, span)) continue;
      introduce(name);
      claim_.declarations.push_back({std::string(name.text), shape, span});
    }
  }

  /// `k: even`, `k: int` say something about a size, which is no tensor.
  static std::string shape_hint(const Token& word, const Token& declared) {
    const std::string name(declared.text.substr(0, 40));
    if (word.is("even")) return "sizes are not declared: write assume " + name + " % 2 == 0";
    if (word.is("odd")) return "sizes are not declared: write assume " + name + " % 2 == 1";
    if (word.is("int") || word.is("integer") || word.is("size")) return "sizes are not declared: they are the names in shapes such as X: [n, " + name + "]";
    return "shapes are written [n, d], a scalar []";
  }

  void definition() {
    const Token first = parser_.peek();
    plain_assignment_ = !parser_.accept("let");
    const Token name = parser_.expect_name("after `let`");
    if (!plain_assignment_) introduce(name);
    if (parser_.peek().is("==")) fail("parse.unexpected", "expected `=`, found `==`", parser_.peek().span, "definitions are written let NAME = ...");
    parser_.expect("=", "after the defined name");
    if (parser_.peek().is("lambda")) {
      parser_.take();
      return function(name, "", "");
    }
    calls_own_ = false;
    Expression value = condition();
    if (plain_assignment_ && parser_.peek().is(",")) {
      std::vector<Expression> values{value};
      while (parser_.accept(",")) values.push_back(condition());
      value = node(SyntaxKind::list, values, {}, {values[0]->span.begin, parser_.last_end()});
    }
    const Span span{first.span.begin, parser_.last_end()};
    if (plain_assignment_) refuse_another_size(name, value);
    const bool none = value->kind == SyntaxKind::name && value->name == "None";
    if (plain_assignment_ && (none || is_several_sizes(value) || is_call(value, type_call))) {  // shape = (*x.shape[:-1], h, k) is written out where it is used
      name_several(name, value);
      return;
    }
    if (plain_assignment_ && is_tuple(value)) return define_tuple(name, value, span);
    const auto random = shape_of_random(value);
    const auto annotated = plain_assignment_ && !random ? annotation(name, value) : std::nullopt;
    const std::string defined = plain_assignment_ ? assign(name, value) : std::string(name.text);
    if (calls_own_) shared_.insert(defined);
    const bool before = plain_assignment_ && defined == name.text && std::any_of(claim_.definitions.begin(), claim_.definitions.end(), [&](const Definition& d) { return mentions(d.value, defined); });
    if ((before || mentions(value, defined)) && !random) fail("name.unknown", "`" + defined + "` is used before its definition", span, "write the definition first");
    if (random) {
      claim_.declarations.push_back({defined, *random, span});
      const Expression drawn = node(SyntaxKind::name, {}, defined, span);
      if (value->name == "rand") claim_.assumptions.insert(claim_.assumptions.end(), {{drawn, Relation::greater_equal, parse_expression("0"), span}, {drawn, Relation::less, parse_expression("1"), span}});
    } else {
      claim_.definitions.push_back({defined, std::move(value), span, annotated});
    }
  }

  /// (A, B) and what f(x) returns as A, B, but not (1, 2), which is an array.
  static bool is_tuple(const Expression& value) {
    const auto is_number = [](const Expression& e) { return e->kind == SyntaxKind::list || (e->kind == SyntaxKind::negate ? e->args[0] : e)->kind == SyntaxKind::number; };
    return value->kind == SyntaxKind::list && !value->args.empty() && std::none_of(value->args.begin(), value->args.end(), is_number);
  }
  /// Each item gets a name of its own, and the name of the tuple stands for these.
  void define_tuple(const Token& name, const Expression& value, Span span) {
    std::vector<Expression> items;
    const auto is_open = [&](const std::string& n) { return introduced_.count(n) == 0; };
    for (const Expression& item : value->args) {
      if (is_size_arithmetic(item, is_open)) {  // (n, d)
        items.push_back(item);
        continue;
      }
      std::string own;
      for (std::size_t k = items.size(); own.empty() || introduced_.count(own) > 0 || text_.find(own) != std::string_view::npos; ++k) own = std::string(name.text) + "_" + std::to_string(k);
      introduced_.emplace(own, name.span);
      if (mentions(item, std::string(name.text)) && is_open(std::string(name.text))) fail("name.unknown", describe(name) + " is used before its definition", span, "write the definition first");
      claim_.definitions.push_back({own, item, span});
      if (calls_own_) shared_.insert(own);
      items.push_back(node(SyntaxKind::name, {}, own, item->span));
    }
    name_several(name, node(SyntaxKind::list, items, {}, value->span));
  }
  /// The name stands for several values from here on.
  void name_several(const Token& name, const Expression& value) {
    refuse_changed(name);
    several_sizes_[std::string(name.text)] = value;
  }
  /// Where something that was read by its name would read something else in Python: shape = x.shape; f = lambda y: y.reshape(shape); shape =
  /// z.shape, where Python looks at the last one when f is called.
  void refuse_changed(const Token& name) const {
    const std::string written(name.text);
    if (read_by_function(written) || in_functions_.count(written) > 0) fail("parse.duplicate", describe(name) + " gets another value after a function that uses it", name.span, "give it another name");
    if (loops_.uses(written)) fail("parse.duplicate", describe(name) + " gets another value after a list that uses it", name.span, "give it another name");
  }

  /// n, d = X.shape; d = 4: the tensors keep the sizes that they have.
  void refuse_another_size(const Token& name, const Expression& value) const {
    const std::string size(name.text);
    const auto is_size = [&](const Dim& d) {
      std::vector<std::string> found;
      collect_names(d, found);
      return std::find(found.begin(), found.end(), size) != found.end();
    };
    const bool known = named_sizes_.count(size) > 0 || std::any_of(claim_.declarations.begin(), claim_.declarations.end(), [&](const Declaration& d) { return std::any_of(d.shape.begin(), d.shape.end(), is_size); });
    if (!known) return;
    const bool entry = value->kind == SyntaxKind::index && value->args[0]->kind == SyntaxKind::call && value->args[0]->name == "shape" && value->subscripts.size() == 1 && !value->subscripts[0].slice;
    if (entry && value->args[0]->args[0]->kind == SyntaxKind::name) {
      const auto d = std::find_if(claim_.declarations.begin(), claim_.declarations.end(), [&](const Declaration& x) { return x.name == value->args[0]->args[0]->name; });
      const Expression& place = value->subscripts[0].start;
      const bool back = place->kind == SyntaxKind::negate, number = (back ? place->args[0] : place)->kind == SyntaxKind::number;
      const std::int64_t k = number ? (back ? place->args[0] : place)->value.num() : -1, axes = d == claim_.declarations.end() ? 0 : static_cast<std::int64_t>(d->shape.size()), axis = back ? axes - k : k;
      if (axis >= 0 && axis < axes && d->shape[static_cast<std::size_t>(axis)] == dim(size)) return;
    }
    if (entry || value->kind == SyntaxKind::number || value->kind == SyntaxKind::name || named_sizes_.count(size) > 0) fail("parse.duplicate", describe(name) + " is a size already, of tensors that keep it", name.span, "write assume " + size + " == " + text(value) + ", or give the value another name");
  }

  /// x += y is x = x + y, and so with the other operators.
  std::optional<SyntaxKind> updates() const {
    static constexpr std::pair<std::string_view, SyntaxKind> operators[] = {{"+", SyntaxKind::add}, {"-", SyntaxKind::subtract}, {"*", SyntaxKind::multiply}, {"/", SyntaxKind::divide}, {"@", SyntaxKind::matmul}};
    const bool together = parser_.peek(1).span.end == parser_.peek(2).span.begin || parser_.peek(1).span.begin == parser_.peek(2).span.begin;  // written, or made for a loop
    if (parser_.peek().kind != TokenKind::name || !parser_.peek(2).is("=") || !together) return std::nullopt;
    for (const auto& [symbol, kind] : operators) {
      if (parser_.peek(1).is(symbol)) return kind;
    }
    return std::nullopt;
  }
  void update(SyntaxKind kind) {
    plain_assignment_ = true;
    const Token name = parser_.take();
    parser_.take();
    parser_.take();
    const Expression old = current(node(SyntaxKind::name, {}, std::string(name.text), name.span));
    refuse_views(name, old);
    const Expression change = expression();
    Expression value = node(kind, {old, change}, std::string(changed_in_place), {name.span.begin, parser_.last_end()});
    claim_.definitions.push_back({assign(name), std::move(value), {name.span.begin, parser_.last_end()}});
  }

  /// Refuses to change in place what may be something else, too.
  void refuse_views(const Token& name, const Expression& old) const {
    if (loops_.is_item(name.text) || shared_.count(old->name) > 0 || functions_.has_default(old->name)) fail("parse.unexpected", "in place this may change an item of a list, or a default value", name.span, "write " + std::string(name.text.substr(0, 40)) + " = " + std::string(name.text.substr(0, 40)) + " + ...");
    for (const Definition& d : claim_.definitions) {
      const bool own = d.name == old->name;
      if ((own || mentions(d.value, old->name)) && !is_fresh(d.value)) fail("parse.unexpected", "in place this may change another tensor, of which `" + (own ? std::string(name.text) : d.name) + "` is a view", {name.span.begin, parser_.last_end()}, "write " + std::string(name.text.substr(0, 40)) + " = " + std::string(name.text.substr(0, 40)) + " + ...");
    }
  }

  /// Whether e is an array of its own and no view of another one, as x, x[0], x.T and x.reshape(...) are.
  static bool is_fresh(const Expression& e) {
    switch (e->kind) {
      case SyntaxKind::number:
      case SyntaxKind::negate:
      case SyntaxKind::add:
      case SyntaxKind::subtract:
      case SyntaxKind::multiply:
      case SyntaxKind::divide:
      case SyntaxKind::matmul:
      case SyntaxKind::power: return true;
      case SyntaxKind::call: return makes_new_array(e->name) || (e->name == typed_call && is_fresh(e->args[0])) || (e->name == begun_call && e->args.size() == 4);  // after range(n), which has a step
      default: return false;
    }
  }

  /// The shape of a declaration that nothing has used yet, and that so says what the value must be: Q: [n, d]; Q = X @ W. It is no tensor then.
  std::optional<Shape> annotation(const Token& name, const Expression& value) {
    const std::string written(name.text);
    const auto uses = [&](const Expression& e) { return e && mentions(e, written); };
    const auto at = std::find_if(claim_.declarations.begin(), claim_.declarations.end(), [&](const Declaration& d) { return d.name == written; });
    if (at == claim_.declarations.end() || shaped_.count(written) > 0 || assigned_.count(written) > 0) return std::nullopt;
    const bool used = uses(value) || std::any_of(claim_.definitions.begin(), claim_.definitions.end(), [&](const Definition& d) { return uses(d.value); }) ||
                      std::any_of(claim_.assumptions.begin(), claim_.assumptions.end(), [&](const Assumption& a) { return uses(a.lhs) || uses(a.rhs); });
    if (used || loops_.uses(written) || functions_.uses(written) || (claim_.lhs && (uses(claim_.lhs) || uses(claim_.rhs)))) return std::nullopt;
    const Shape shape = at->shape;
    for (auto& [tensor, place] : shaped_) place -= place > static_cast<std::size_t>(at - claim_.declarations.begin()) ? 1 : 0;
    claim_.declarations.erase(at);
    introduced_.erase(written);
    return shape;
  }
  /// The name of what Python assigns: of a name that has a value already another one, which the statements after it mean.
  std::string assign(const Token& name, const Expression& value = nullptr) {
    const std::string written(name.text);
    if (several_sizes_.count(written) > 0 || in_functions_.count(written) > 0) refuse_changed(name);
    several_sizes_.erase(written);
    const bool beside_size = value && introduced_.count(written) == 0 && is_declared_size(written) && !is_size_arithmetic(value, [&](const std::string& n) { return introduced_.count(n) == 0; });
    if (!beside_size && assigned_.count(written) == 0 && introduced_.emplace(written, name.span).second) {
      return written;
    }
    refuse_changed(name);
    std::string fresh = written;
    for (int& k = numbered_.try_emplace(written, 2).first->second; introduced_.count(fresh) > 0 || text_.find(fresh) != std::string_view::npos; ++k) fresh = written + "_" + std::to_string(k);
    introduced_.emplace(fresh, name.span);
    assigned_[written] = fresh;
    return fresh;
  }
  /// Whether the body of a function names what stands for that name now, or a default value does: the body holds the name of its last value.
  bool read_by_function(const std::string& written) const {
    const auto now = assigned_.find(written);
    return functions_.uses(written) || (now != assigned_.end() && functions_.uses(now->second));
  }
  /// Whether the shape of a declared tensor names it. Python knows nothing of that name: h = relu(X @ W) is another h than that of W: [d, h].
  bool is_declared_size(const std::string& name) const {
    return named_sizes_.count(name) == 0 && std::any_of(claim_.declarations.begin(), claim_.declarations.end(), [&](const Declaration& d) {
      std::vector<std::string> found;
      for (const Dim& size : d.shape) collect_names(size, found);
      return shaped_.count(d.name) == 0 && std::find(found.begin(), found.end(), name) != found.end();
    });
  }
  Expression current(const Expression& e) {
    if (assigned_.empty() && several_sizes_.empty()) return e;
    return changed(e, [&](const Expression& part) -> Expression {
      if (part->kind == SyntaxKind::comprehension && assigned_.count(part->name) > 0) fail("parse.duplicate", "`" + part->name + "` is an index here and has a value outside", part->span, "give the index another name");
      const auto sizes = part->kind == SyntaxKind::name && locals_.count(part->name) == 0 ? several_sizes_.find(part->name) : several_sizes_.end();
      if (sizes != several_sizes_.end() && parser_.is_in_function()) in_functions_.insert(part->name);
      if (sizes != several_sizes_.end()) return sizes->second;
      const auto found = part->kind == SyntaxKind::name && locals_.count(part->name) == 0 ? assigned_.find(part->name) : assigned_.end();
      return found == assigned_.end() ? nullptr : node(SyntaxKind::name, {}, found->second, part->span);
    });
  }
  Expression expression() { return finished(current(parser_.expression())); }
  /// Of what the parser has read, with the values of its names: without functions, cases and types.
  Expression finished(const Expression& e) { return with_axes(spread_out(without_types(without_cases(functions_.written_out(e), claim_.assumptions, [this](const Expression& condition) { return take_for_granted(condition, true); })))); }
  /// Assumes what a function asserts of sizes, or the opposite of it. Whether that speaks of sizes.
  bool take_for_granted(const Expression& e, bool holds) {
    if (is_call(e, "not")) return take_for_granted(e->args[0], !holds);
    if (is_call(e, "and")) return holds && take_for_granted(e->args[0], true) && take_for_granted(e->args[1], true);
    const auto is_open = [&](const std::string& name) { return introduced_.count(name) == 0; };
    const auto of_sizes = [&](const Expression& side) { return side->kind == SyntaxKind::modulo ? is_size_arithmetic(side->args[0], is_open) && is_size_arithmetic(side->args[1], is_open) : is_size_arithmetic(side, is_open); };
    const auto said = e->kind == SyntaxKind::call && e->name.starts_with("is ") && e->args.size() == 2 ? relation_called(e->name.substr(3)) : std::nullopt;
    if (!said || !of_sizes(e->args[0]) || !of_sizes(e->args[1])) return false;
    claim_.assumptions.push_back({e->args[0], holds ? *said : opposite(*said), e->args[1], e->span});
    return true;
  }
  static Relation opposite(Relation r) {
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
  /// f(*(a, b), c) as f(a, b, c), which is what a name of a tuple leaves of f(*sizes, c).
  static Expression spread_out(const Expression& e) {
    return changed(e, [](const Expression& part) -> Expression {
      const auto is_list = [](const Expression& a) { return is_call(a, spread_call) && a->args[0]->kind == SyntaxKind::list; };
      if (std::none_of(part->args.begin(), part->args.end(), is_list)) return nullptr;
      auto copy = std::make_shared<Syntax>(*part);
      copy->args.clear();
      for (const Expression& a : part->args) {
        if (is_list(a)) copy->args.insert(copy->args.end(), a->args[0]->args.begin(), a->args[0]->args.end());
        else copy->args.push_back(a);
      }
      return spread_out(copy);
    });
  }
  Expression condition() {
    const Expression e = current(parser_.condition());
    calls_own_ = calls_own_ || contains_own_call(e);
    return finished(e);
  }
  static bool contains_own_call(const Expression& e) { return (e->kind == SyntaxKind::call && e->name.back() == ' ') || std::any_of(e->args.begin(), e->args.end(), contains_own_call); }

  /// f = lambda x, y: ... from its parameters on, or def f(x, y=2): with what has values in it, up to `return`.
  void function(const Token& name, std::string_view opening, std::string_view closing) {
    std::vector<OwnFunctions::Parameter> parameters;
    if (!opening.empty()) parser_.expect(opening, "before the parameters");
    while (!parser_.peek().is(closing.empty() ? ":" : closing)) {
      if (!closing.empty() && parser_.peek().is("*") && parser_.peek(1).is(",")) {  // what follows is given by its name
        parser_.take();
        parser_.take();
      }
      const Token parameter = parser_.expect_name("as a parameter");
      if (!closing.empty() && parser_.accept(":")) skip_annotation();
      const Expression otherwise = parser_.accept("=") ? expression() : nullptr;
      if (!parameter.is("self")) parameters.push_back({std::string(parameter.text), otherwise});
      if (!parser_.accept(",")) break;
    }
    if (!closing.empty()) parser_.expect(closing, "after the parameters");
    if (parser_.peek().is("-") && parser_.peek(1).is(">")) skip_annotation();
    parser_.expect(":", "after the parameters");
    if (!closing.empty()) parser_.take();  // the block begins
    introduce(name);
    if (parser_.is_called_in_function(name.text)) fail("parse.duplicate", "an earlier function calls another " + describe(name), name.span, "define it before what calls it");
    parser_.declare_function(name.text);
    locals_.clear();
    read_.clear();
    made_.clear();
    counts_ = false;
    parser_.begin_function();
    for (std::size_t k = 0; k < parameters.size(); ++k) {
      auto& parameter = parameters[k];
      if (!closing.empty() && counts_steps(parameter.name)) parameter.only = number_in_calls(name, parameter, k);
      locals_[parameter.name] = parameter.only ? parameter.only : node(SyntaxKind::name, {}, parameter.name, name.span);
    }
    const auto one_value = [&] {
      const Expression written = current(parser_.condition());
      for (const auto& [local, unused] : locals_) functions_.refuse_capture(written, local);
      read_.push_back(written);
      return functions_.written_out(written);
    };
    const auto value = [&] {  // s + mask if causal else s
      const Expression then = one_value();
      if (parser_.accept("or")) return case_of(node(SyntaxKind::call, {then}, "is true", then->span), then, one_value());  // scale or 1
      if (!parser_.accept("if")) return then;
      const Expression condition = case_condition();
      parser_.expect("else", "after the condition");
      return case_of(condition, then, one_value());
    };
    if (closing.empty()) {
      const Expression result = value();
      locals_.clear();
      parser_.end_function();
      return functions_.define(std::string(name.text), name.span, std::move(parameters), {}, result);
    }
    const Loops::Scope scope(loops_);
    const Expression result = rest_of_function(name, value);
    end_block();
    loops_.require_read();
    require_needed(result);
    parser_.end_function();
    const NamedValues locals = std::exchange(locals_, {});
    functions_.define(std::string(name.text), name.span, std::move(parameters), {}, result, counts_);
  }
  /// Whether a loop of the function, whose block has begun, has as many steps as the parameter says.
  bool counts_steps(const std::string& parameter) const {
    int depth = 1;
    for (std::size_t k = 0; depth > 0 && parser_.peek(k).kind != TokenKind::end; ++k) {
      const TokenKind kind = parser_.peek(k).kind;
      depth += (kind == TokenKind::block_begin ? 1 : 0) - (kind == TokenKind::block_end ? 1 : 0);
      const bool begins = k == 0 || ends_statement(parser_.peek(k - 1));
      if (!begins || !parser_.peek(k).is("for")) continue;
      while (!ends_statement(parser_.peek(k)) && !parser_.peek(k).is("in")) ++k;
      for (; !ends_statement(parser_.peek(k)); ++k) {
        if (parser_.peek(k).is(parameter) && !parser_.peek(k - 1).is(".")) return true;
      }
      --k;
    }
    return false;
  }
  /// The number that all calls behind the function give to the parameter, by its place, its name or its default value; null where they do not.
  Expression number_in_calls(const Token& function, const OwnFunctions::Parameter& parameter, std::size_t place) const {
    Expression number;
    for (std::size_t k = 0; parser_.peek(k + 1).kind != TokenKind::end; ++k) {
      if (!parser_.peek(k).is(function.text) || !parser_.peek(k + 1).is("(")) continue;
      Tokens call;
      int depth = 1;
      for (std::size_t a = k + 2; depth > 0 && !ends_statement(parser_.peek(a)); ++a) {
        depth += (opens(parser_.peek(a)) ? 1 : 0) - (closes(parser_.peek(a)) ? 1 : 0);
        if (depth > 0) call.push_back(parser_.peek(a));
      }
      const std::vector<Tokens> arguments = parts_of(call);
      Expression given = parameter.otherwise;
      for (std::size_t a = 0; a < arguments.size(); ++a) {
        const bool named = arguments[a].size() > 1 && arguments[a][1].is("=");
        if (named ? !arguments[a][0].is(parameter.name) : a != place) continue;
        const Tokens value = between(arguments[a], named ? 2 : 0);
        given = small_number(value) ? parse_expression(text_of(value)) : nullptr;
      }
      if (!given || given->kind != SyntaxKind::number || (number && !same(number, given))) return nullptr;
      number = given;
    }
    return number;
  }
  /// What a function gives, of its statements from here on.
  Expression rest_of_function(const Token& name, const std::function<Expression()>& value) {
    std::vector<std::pair<Expression, Expression>> early;  // what it gives before its end, with the condition
    Expression result;
    while (!result) {
      if (at_block_end()) fail("parse.unexpected", "not every case of " + describe(name) + " returns something", name.span, "end the function with return");
      if (says_nothing() || loops_.take()) continue;
      if (parser_.peek().is("return")) {
        result = returned(value);
      } else if (parser_.peek().is("assert")) {
        const Token begin = parser_.take();
        const Expression asserted = with_locals(case_condition(), locals_);
        if (parser_.accept(",")) skip_statement();
        if (parser_.peek().kind != TokenKind::separator) end_expected();
        early.emplace_back(node(SyntaxKind::call, {asserted}, "not", begin.span), raised(begin));
      } else if (parser_.peek().is("if")) {
        result = cases(value, early);
      } else {
        local_definition(value);
        if (parser_.peek().kind != TokenKind::separator) end_expected();
      }
    }
    for (; !early.empty(); early.pop_back()) result = case_of(early.back().first, early.back().second, result);
    return result;
  }
  static Expression raised(const Token& at) { return node(SyntaxKind::call, {}, std::string(raised_call), at.span); }
  void skip_statement() {
    while (parser_.peek().kind != TokenKind::separator && parser_.peek().kind != TokenKind::end) parser_.take();
  }
  /// Takes print(x.shape), torch.manual_seed(0) and the like, which change nothing. Whether that stands here.
  bool says_nothing() {
    const Tokens next = rest_of_statement();
    const bool prints = next.size() > 2 && next[0].is("print") && is_one_bracket(between(next, 1));
    std::size_t seed = 0;
    while (seed + 1 < next.size() && is_module(next[seed].text) && next[seed + 1].is(".")) seed += 2;
    const bool seeds = seed > 0 && seed + 3 < next.size() && (next[seed].is("manual_seed") || next[seed].is("seed")) && is_one_bracket(between(next, seed + 1));
    const auto may_do_something = [&](std::size_t k) { return next[k].is("(") && k > (prints ? 1 : seed + 1) && !next[k - 1].is("size") && !next[k - 1].is("len"); };
    if (!prints && !seeds) return false;
    for (std::size_t k = 1; k < next.size(); ++k) {
      if (may_do_something(k) || next[k].is("==")) return false;
    }
    skip_statement();
    return true;
  }
  /// Refuses what a function calls and its result does not need: only what is needed is looked at later, and y = np.exp(x, out=x) changes x.
  void require_needed(const Expression& result) const {
    std::set<const Syntax*> seen;
    std::set<std::pair<std::size_t, std::size_t>> needed;  // where the calls stand
    const auto is_call = [](const Expression& e) {
      static constexpr std::string_view of_sizes[] = {"shape", "size", "len"};
      return e->kind == SyntaxKind::call && e->name.find(' ') == std::string::npos && !is_among(e->name, of_sizes);
    };
    const std::function<void(const Expression&, const std::function<void(const Expression&)>&)> visit = [&](const Expression& e, const std::function<void(const Expression&)>& see) {
      if (!e || !seen.insert(e.get()).second) return;
      if (is_call(e)) see(e);
      for (const Expression& a : e->args) visit(a, see);
      for (const auto& [key, a] : e->keywords) visit(a, see);
      for (const Subscript& s : e->subscripts) {
        visit(s.start, see);
        visit(s.stop, see);
        visit(s.step, see);
      }
    };
    visit(result, [&](const Expression& e) { needed.emplace(e->span.begin, e->span.end); });
    seen.clear();
    for (const Expression& read : read_) {
      visit(read, [&](const Expression& e) {
        if (needed.count({e->span.begin, e->span.end}) == 0) fail("parse.unexpected", "what `" + e->name.substr(0, 40) + "` gives here is not needed", e->span, "leave it out");
      });
    }
  }
  bool at_block_end() {
    parser_.skip_separators();
    return parser_.peek().kind == TokenKind::block_end;
  }
  /// The end of a block that has returned something.
  void end_block() {
    if (parser_.peek().kind != TokenKind::separator && parser_.peek().kind != TokenKind::block_end) end_expected();
    if (!at_block_end()) fail("parse.unexpected", "nothing is done in a function after it has returned", parser_.peek().span, "leave this out, or begin the line further to the left");
    parser_.take();
  }
  Expression returned(const std::function<Expression()>& value) {
    parser_.expect("return", "at the end of a function");
    std::vector<Expression> values;
    do {
      values.push_back(with_locals(value(), locals_));
    } while (parser_.accept(","));
    return values.size() == 1 ? values[0] : node(SyntaxKind::list, values, {}, values[0]->span);
  }
  static Expression case_of(const Expression& condition, const Expression& then, const Expression& otherwise) { return node(SyntaxKind::call, {condition, then, otherwise}, std::string(case_call), condition->span); }
  /// if ...: elif ...: else: of a function, whose conditions the arguments of a call decide. Gives what all cases return; where some return, they
  /// come to `early`, and the others go on.
  Expression cases(const std::function<Expression()>& value, std::vector<std::pair<Expression, Expression>>& early) {
    const Token begin = parser_.take();
    const Expression condition = with_locals(case_condition(), locals_), opposite = node(SyntaxKind::call, {condition}, "not", condition->span);
    parser_.expect(":", "after the condition");
    open_locals(begin);
    NamedValues before = locals_, made_before = made_;
    const std::size_t items = loops_.item_count();
    const Expression then = block(begin, value);
    NamedValues after_then = std::exchange(locals_, std::move(before)), made_then = std::exchange(made_, std::move(made_before));
    Expression otherwise;
    std::vector<std::pair<Expression, Expression>> later;
    std::size_t next = 0;
    while (parser_.peek(next).kind == TokenKind::separator) ++next;
    if (parser_.peek(next).is("elif") || parser_.peek(next).is("else")) {
      parser_.skip_separators();
      if (parser_.peek().is("elif")) {
        otherwise = cases(value, later);
      } else {
        const Token other = parser_.take();
        parser_.expect(":", "after `else`");
        otherwise = block(other, value);
      }
    }
    if (loops_.item_count() != items) fail("parse.unexpected", "a list changes in one case only", begin.span, "write the cases into functions of their own");
    for (const auto& [name, given] : after_then) loops_.forget_zeros(name);
    if (then && otherwise && later.empty()) return case_of(condition, then, otherwise);
    if (then) early.emplace_back(condition, then);
    for (const auto& [when, what] : later) early.emplace_back(node(SyntaxKind::call, {opposite, when}, "and", condition->span), what);
    if (otherwise) early.emplace_back(opposite, otherwise);
    if (otherwise && !then) {
      locals_ = std::move(after_then);
      made_ = std::move(made_then);
    }
    if (then || otherwise) return nullptr;
    for (auto& [name, given] : locals_) {
      const auto other = after_then.find(name);
      if (other != after_then.end() && other->second == given) continue;
      given = case_of(condition, other == after_then.end() ? no_value(begin, name) : other->second, given);
      made_[name] = given;
    }
    for (const auto& [name, given] : after_then) {
      if (locals_.emplace(name, case_of(condition, given, no_value(begin, name))).second) made_[name] = locals_[name];
    }
    return nullptr;
  }
  /// What the cases from here on give a value to is the function's own, and has none before: outside of the function it may have another.
  void open_locals(const Token& begin) {
    Tokens tokens;
    std::size_t k = 0;
    while (parser_.peek(k).kind == TokenKind::block_begin) {
      int depth = 0;
      do {
        depth += (parser_.peek(k).kind == TokenKind::block_begin ? 1 : 0) - (parser_.peek(k).kind == TokenKind::block_end ? 1 : 0);
        tokens.push_back(parser_.peek(k++));
      } while (depth > 0 && parser_.peek(k).kind != TokenKind::end);
      while (parser_.peek(k).kind == TokenKind::separator) ++k;
      if (!parser_.peek(k).is("elif") && !parser_.peek(k).is("else")) break;
      while (!ends_statement(parser_.peek(k))) ++k;
    }
    for (const Tokens& statement : statements_of(tokens)) {
      const std::size_t targets = item_change(statement) ? 0 : assignment(statement).value_or(0);
      for (std::size_t t = 0; t < targets; ++t) {
        const std::string name(statement[t].text);
        if (statement[t].kind != TokenKind::name || locals_.count(name) > 0 || is_reserved(name)) continue;
        if (std::any_of(read_.begin(), read_.end(), [&](const Expression& e) { return mentions(e, name); })) fail("parse.duplicate", describe(statement[t]) + " is read in this function before it gets its value", statement[t].span, "give it another name");
        locals_[name] = no_value(begin, name);
      }
    }
  }
  static Expression no_value(const Token& at, const std::string& name) { return node(SyntaxKind::call, {node(SyntaxKind::name, {}, name, at.span)}, "no value", at.span); }
  /// The statements behind `if ...:`. Gives what they return.
  Expression block(const Token& begin, const std::function<Expression()>& value) {
    if (parser_.peek().kind != TokenKind::block_begin) parser_.unexpected("what is done in this case");
    parser_.take();
    const std::size_t read = read_.size();
    while (!at_block_end()) {
      if (parser_.accept("pass") || says_nothing() || loops_.take()) continue;
      if (parser_.peek().is("raise")) {
        const Token at = parser_.peek();
        skip_statement();
        end_block();
        return raised(at);
      }
      if (!parser_.peek().is("if")) {
        Expression result;
        try {
          if (parser_.peek().is("return")) result = returned(value);
          else local_definition(value);
          if (parser_.peek().kind != TokenKind::separator) end_expected();
        } catch (const Error& error) {
          return unreadable(error.diagnostic(), read);
        }
        if (!result) continue;
        end_block();
        return result;
      }
      std::vector<std::pair<Expression, Expression>> early;
      const Expression all = cases(value, early);
      if (!early.empty()) fail("parse.unexpected", "a case in a case returns, and another one does not", begin.span, "write one condition for both: if a and b:");
      if (!all) continue;
      end_block();
      return all;
    }
    parser_.take();
    return nullptr;
  }
  /// What a case gives that is not read from here on, which only matters where it is taken. Nothing has been done in it by then.
  Expression unreadable(const Diagnostic& why, std::size_t read) {
    read_.resize(read);
    for (int depth = 0; depth > 0 || parser_.peek().kind != TokenKind::block_end; parser_.take()) {
      if (parser_.peek().kind == TokenKind::end) throw Error(why);
      depth += (parser_.peek().kind == TokenKind::block_begin ? 1 : 0) - (parser_.peek().kind == TokenKind::block_end ? 1 : 0);
    }
    parser_.take();
    const auto word = [&](const std::string& text) { return node(SyntaxKind::name, {}, text, why.span); };
    return node(SyntaxKind::call, {word(why.code), word(why.message), word(why.hint)}, std::string(unreadable_call), why.span);
  }
  /// mask is None, not causal, i == 0, and several with `and`
  Expression case_condition() {
    const auto one = [&]() -> Expression {
      const bool negated = parser_.accept("not");
      Expression condition = current(parser_.expression());
      const Span span = condition->span;
      if (parser_.accept("is")) {
        const bool is_not = parser_.accept("not");
        if (!parser_.accept("None")) parser_.unexpected("`None`");
        condition = node(SyntaxKind::call, {condition}, "is None", span);
        if (is_not) condition = node(SyntaxKind::call, {condition}, "not", span);
      } else if (const auto relation = find_relation(parser_.peek())) {
        parser_.take();
        condition = node(SyntaxKind::call, {condition, current(parser_.expression())}, std::string("is ") + text(*relation), span);
      } else {
        condition = node(SyntaxKind::call, {condition}, "is true", span);
      }
      read_.push_back(condition);
      return negated ? node(SyntaxKind::call, {condition}, "not", span) : condition;
    };
    Expression all = one();
    while (parser_.accept("and")) {
      const Expression next = one();
      all = node(SyntaxKind::call, {all, next}, "and", all->span);
    }
    return all;
  }
  /// The local that a function changes in place. Errors: `parse.unexpected` where that may be something else, too.
  Expression& own_local(const Token& name) {
    const auto old = locals_.find(std::string(name.text));
    const auto aliases = [&](const Expression& e) { return !is_fresh(e) && mentions(e, std::string(name.text)); };
    const auto made = made_.find(std::string(name.text));
    if (old == locals_.end() || made == made_.end() || !is_fresh(made->second) || loops_.is_item(name.text) || loops_.uses(std::string(name.text)) || std::any_of(read_.begin(), read_.end(), aliases)) fail("parse.unexpected", "in place this may change what the function was called with", name.span, "write " + std::string(name.text.substr(0, 40)) + " = " + std::string(name.text.substr(0, 40)) + " + ...");
    return old->second;
  }
  /// x = ..., q, k = ..., x += ..., x[:2] = ... in a function
  void local_definition(const std::function<Expression()>& value) {
    if (gives_places()) {
      const Token name = parser_.peek();
      Expression& old = own_local(name);
      const std::size_t read = read_.size();
      const std::string_view sign = prepare_places();
      const Expression places = with_locals(value(), locals_);
      read_.resize(read);  // the places are no second name of it
      parser_.expect("=", "after the places");
      old = assigned(old, places, sign, with_locals(value(), locals_), name.span);
      return;
    }
    const auto kind = updates();
    const std::vector<Token> names = several_names("or `return` in a function");
    if (kind) {
      Expression& old = own_local(names[0]);
      parser_.take();
      parser_.take();
      old = node(*kind, {old, with_locals(value(), locals_)}, std::string(changed_in_place), names[0].span);
      return;
    }
    parser_.expect("=", "after a name in a function");
    const std::size_t first = read_.size();
    const std::vector<Expression> values = values_of(names, value);
    for (std::size_t k = 0; k < names.size(); ++k) made_[std::string(names[k].text)] = made_of(first, k, names.size());
    NamedValues after = locals_;
    for (const Token& name : names) {
      const std::string local(name.text);
      const bool read = locals_.count(local) == 0 && std::any_of(read_.begin(), read_.end(), [&](const Expression& e) { return mentions(e, local); });
      if (read || (loops_.uses(local) && locals_.count(local) > 0)) fail("parse.duplicate", read ? describe(name) + " is read in this function before it gets its value" : describe(name) + " gets another value after a list that uses it", name.span, "give it another name");
    }
    for (std::size_t k = 0; k < names.size(); ++k) {
      const Expression one = values.size() == names.size() ? values[k] : size_along(values[0]->args[0], k, values[0]->args[0]->span);
      after[std::string(names[k].text)] = with_locals(one, locals_);
    }
    locals_ = std::move(after);
  }
  /// What the k-th of so many names was made of, as it is written, by what has been read from `first` on: where a condition decides, what may be a view.
  Expression made_of(std::size_t first, std::size_t k, std::size_t names) const {
    const auto begin = read_.begin() + static_cast<std::ptrdiff_t>(first);
    const auto is_condition = [](const Expression& e) { return e->kind == SyntaxKind::call && e->name.starts_with("is "); };
    if (read_.size() == first + names && std::none_of(begin, read_.end(), is_condition)) return read_[first + k];
    const auto shared = std::find_if(begin, read_.end(), [&](const Expression& e) { return !is_condition(e) && !is_fresh(e); });
    return shared == read_.end() ? *begin : *shared;
  }
  /// The x: Tensor of a parameter and the -> Tensor of a result say nothing that a shape does not say better.
  void skip_annotation() {
    for (std::size_t depth = 0; parser_.peek().kind != TokenKind::end; parser_.take()) {
      const Token& next = parser_.peek();
      if (depth == 0 && (next.is(",") || next.is(")") || next.is("=") || next.is(":"))) return;
      depth += next.is("[") || next.is("(") ? 1 : 0;
      depth -= next.is("]") || next.is(")") ? 1 : 0;
    }
  }

  /// The whole number that the name stands for by now. A function that reads it from outside would see another one if that changed.
  std::optional<std::int64_t> number_called(const std::string& name) const {
    const Expression e = value_by_now(name);
    const Expression digits = e && e->kind == SyntaxKind::negate ? e->args[0] : e;
    if (!digits || digits->kind != SyntaxKind::number || !digits->value.is_integer()) return std::nullopt;
    if (parser_.is_in_function() && locals_.count(name) == 0) in_functions_.insert(name);
    return digits == e ? digits->value.num() : -digits->value.num();
  }

  /// The tuple that the name stands for, of values and no sizes; null for other names.
  Expression tuple_called(const std::string& name) const {
    const auto local = locals_.find(name), global = several_sizes_.find(name);
    if (parser_.is_in_function() && local == locals_.end() && global != several_sizes_.end()) in_functions_.insert(name);
    const Expression value = local != locals_.end() ? local->second : global != several_sizes_.end() ? global->second : nullptr;
    return value && is_tuple(value) && !is_several_sizes(value) ? value : nullptr;
  }

  /// The length of a tensor that is declared with a number, and still is what it was declared as, and of a tuple.
  std::optional<std::size_t> length_of(const std::string& name) const {
    if (const Expression tuple = tuple_called(name)) return tuple->args.size();
    const auto d = std::find_if(claim_.declarations.begin(), claim_.declarations.end(), [&](const Declaration& declared) { return declared.name == name; });
    const auto length = d == claim_.declarations.end() || d->shape.empty() || assigned_.count(name) > 0 || locals_.count(name) > 0 ? std::nullopt : d->shape[0].constant();
    return length ? std::optional<std::size_t>(static_cast<std::size_t>(*length)) : std::nullopt;
  }

  /// What the name was given last, of a function's locals first; null for other names. A parameter stands for itself.
  Expression value_by_now(const std::string& name) const {
    if (const auto local = locals_.find(name); local != locals_.end()) return local->second;
    const auto global = assigned_.find(name);
    return value_of(global == assigned_.end() ? name : global->second);
  }
  /// What the claim defines by that name, if anything.
  Expression value_of(const std::string& name) const {
    const auto d = std::find_if(claim_.definitions.begin(), claim_.definitions.end(), [&](const Definition& definition) { return definition.name == name; });
    return d == claim_.definitions.end() ? nullptr : d->value;
  }
  /// Whether the name stands for a size by now: it has no value, or that of one, as after n, d = X.shape.
  bool is_size(const std::string& name) const {
    const Expression e = value_by_now(name);
    if (!e) return true;
    const bool entry = e->kind == SyntaxKind::index && is_call(e->args[0], "shape") && e->args[0]->args.size() == 1;
    return entry ? has_entries(e->args[0]->args[0]) : e->kind == SyntaxKind::number && e->value.sign() > 0;
  }
  /// Whether no axis of it may be empty: no slice makes it, and no size with something subtracted. What a function is called with has entries
  /// as far as the function knows; that it has is asked where it is called. In what is defined, names are those of definitions: x *= 2 defines
  /// x_2 by x.
  bool has_entries(const Expression& e, bool defined = false) const {
    static constexpr std::string_view made[] = {"zeros", "ones", "full", "empty", "eye", "arange", "linspace", "tril", "triu", "causal", "reshape", "view", "repeat", "tile", "split", "pad"};
    if (!e) return true;
    if (e->kind == SyntaxKind::name) {
      const auto local = locals_.find(e->name);
      if (local != locals_.end() && local->second->kind == SyntaxKind::name && local->second->name == e->name) return counts_ = true;  // a parameter
      const Expression value = defined ? value_of(e->name) : value_by_now(e->name);
      return (!value || has_entries(value, true)) && (locals_.count(e->name) > 0 || several_sizes_.count(e->name) == 0);
    }
    if (std::any_of(e->subscripts.begin(), e->subscripts.end(), [](const Subscript& s) { return s.slice && (s.start || s.stop); })) return false;
    if (e->kind == SyntaxKind::comprehension && subtracts(e->args[1])) return false;
    if (e->kind == SyntaxKind::call && is_among(e->name, made) && std::any_of(e->args.begin(), e->args.end(), subtracts)) return false;
    return std::all_of(e->args.begin(), e->args.end(), [&](const Expression& a) { return has_entries(a, defined); });
  }

  /// X = torch.randn(n, d) declares X: any entries may be drawn, and by rand any from 0 up to 1.
  static std::optional<Shape> shape_of_random(const Expression& value) {
    static constexpr std::string_view names[] = {"randn", "standard_normal", "rand"};
    if (value->kind != SyntaxKind::call || std::find(std::begin(names), std::end(names), value->name) == std::end(names) || !value->keywords.empty()) return std::nullopt;
    const bool tuple = value->args.size() == 1 && value->args[0]->kind == SyntaxKind::list;
    Shape shape;
    for (const Expression& size : tuple ? value->args[0]->args : value->args) shape.push_back(dimension(*size));
    return shape;
  }

  /// The number of tokens of A, B, ..., names with commas between them.
  std::size_t names_ahead(std::size_t begin) const {
    std::size_t k = begin;
    while (parser_.peek(k).kind == TokenKind::name && parser_.peek(k + 1).is(",") && parser_.peek(k + 2).kind == TokenKind::name) k += 2;
    return parser_.peek(k).kind == TokenKind::name ? k + 1 - begin : 0;
  }
  bool defines_several() const {
    const std::size_t begin = parser_.peek().is("let") ? 1 : 0, count = names_ahead(begin);
    return count > 1 && parser_.peek(begin + count).is("=");
  }

  /// q, k, v = x.chunk(3, dim=-1), and a, b = A @ X, B @ X: one name for each part.
  void definitions() {
    plain_assignment_ = !parser_.accept("let");
    const std::vector<Token> names = several_names("to define");
    parser_.expect("=", "after the defined names");
    calls_own_ = false;
    const std::vector<Expression> values = values_of(names, [&] { return condition(); });
    if (names.size() > 1 && values.size() == 1) return sizes_of(values[0]->args[0], names);
    for (std::size_t k = 0; k < names.size(); ++k) {
      for (const Token& name : names) {
        if (introduced_.count(std::string(name.text)) == 0 && mentions(values[k], std::string(name.text))) fail("parse.unexpected", describe(name) + " has no value before all of these have one", values[k]->span, "write one definition after the other");
      }
    }
    for (std::size_t k = 0; k < names.size(); ++k) {
      const Span span{names[k].span.begin, parser_.last_end()};
      if (!plain_assignment_) introduce(names[k]);
      claim_.definitions.push_back({plain_assignment_ ? assign(names[k], values[k]) : std::string(names[k].text), values[k], span});
      if (calls_own_) shared_.insert(claim_.definitions.back().name);
    }
  }
  std::vector<Token> several_names(const std::string& purpose) {
    std::vector<Token> names;
    do {
      names.push_back(parser_.expect_name(purpose));
      const auto same_name = [&](const Token& t) { return t.text == names.back().text; };
      if (std::count_if(names.begin(), names.end(), same_name) > 1) fail("parse.duplicate", describe(names.back()) + " gets two values", names.back().span, "give each a name of its own");
    } while (parser_.accept(","));
    return names;
  }
  /// One value for each name, of what `value` reads; of several names that are the sizes of X, X.shape alone.
  std::vector<Expression> values_of(const std::vector<Token>& names, const std::function<Expression()>& value) {
    std::vector<Expression> values;
    do {
      values.push_back(value());
    } while (parser_.accept(","));
    if (names.size() == 1 && values.size() == 1) return values;
    if (names.size() == 1) return {node(SyntaxKind::list, values, {}, values[0]->span)};  // a tuple
    if (values.size() == 1 && values[0]->kind == SyntaxKind::call && (values[0]->name == "shape" || values[0]->name == "size") && values[0]->args.size() == 1) return values;
    if (values.size() == 1 && values[0]->kind == SyntaxKind::list) values = std::vector<Expression>(values[0]->args);
    if (values.size() == 1) {  // the parts of a tensor, or what lies along its first axis
      const auto count = part_count(values[0]);
      if (count && *count != static_cast<std::int64_t>(names.size())) fail("parse.unexpected", "this gives " + std::to_string(*count) + " tensors for " + std::to_string(names.size()) + " names", values[0]->span, "write q, k = x.chunk(2, dim=-1)");
      const Expression whole = values[0];
      const auto number = [&](std::size_t k) { return std::make_shared<const Syntax>(Syntax{SyntaxKind::number, {}, Rational(static_cast<std::int64_t>(k)), {}, {}, {}, whole->span}); };
      values.clear();
      for (std::size_t k = 0; k < names.size(); ++k) {
        values.push_back(count ? part_of(whole, static_cast<std::int64_t>(k)) : node(SyntaxKind::call, {whole, number(k), number(names.size())}, std::string(unpacked_call), whole->span));
      }
    }
    if (values.size() != names.size()) fail("parse.unexpected", std::to_string(names.size()) + " names are defined by " + std::to_string(values.size()) + (values.size() == 1 ? " value" : " values"), {names[0].span.begin, parser_.last_end()}, "one value for each name");
    return values;
  }

  /// n, d = X.shape declares an X that is not declared yet; otherwise the sizes are those that it has.
  void sizes_of(const Expression& tensor, const std::vector<Token>& names) {
    const auto is_tensor = [&](const auto& d) { return tensor->kind == SyntaxKind::name && d.name == tensor->name; };
    if (tensor->kind != SyntaxKind::name || std::any_of(claim_.definitions.begin(), claim_.definitions.end(), is_tensor)) fail("parse.unexpected", "only variables give sizes their names", tensor->span, "write n, d = X.shape of a variable X");
    const auto refuse = [](const Token& name) { fail("parse.duplicate", describe(name) + " already stands for another size", name.span, "give each size a name of its own"); };
    Shape shape;
    for (const Token& name : names) {
      if (std::find(shape.begin(), shape.end(), dim(std::string(name.text))) != shape.end()) refuse(name);
      shape.push_back(dim(std::string(name.text)));
    }
    const auto declared = std::find_if(claim_.declarations.begin(), claim_.declarations.end(), is_tensor);
    const Span span{names[0].span.begin, parser_.last_end()};
    if (declared == claim_.declarations.end()) {
      introduced_.emplace(tensor->name, span);
      shaped_.emplace(tensor->name, claim_.declarations.size());
      claim_.declarations.push_back({tensor->name, shape, span});
      return;
    }
    if (declared->shape.size() != shape.size()) fail("parse.unexpected", "`" + tensor->name + "` has " + std::to_string(declared->shape.size()) + " axes", span, "one name for each axis");
    std::vector<std::string> known;
    for (const Declaration& d : claim_.declarations) {
      for (const Dim& size : d.shape) collect_names(size, known);
    }
    for (std::size_t k = 0; k < shape.size(); ++k) {
      const std::string name(names[k].text);
      const auto [known_size, fresh] = named_sizes_.emplace(name, declared->shape[k]);
      if (!fresh && !(known_size->second == declared->shape[k])) refuse(names[k]);
      if (!fresh || declared->shape[k] == shape[k]) continue;
      if (std::find(known.begin(), known.end(), name) != known.end()) refuse(names[k]);
      claim_.assumptions.push_back({node(SyntaxKind::name, {}, name, names[k].span), Relation::equal, parse_expression(text(declared->shape[k])), span});
    }
  }

  /// n, d = X.shape; X: [b, k]: of a tensor whose sizes have names by now, the declaration says what they are.
  bool declares_shape_of(const Token& name, const Shape& shape, Span span) {
    const auto shaped = shaped_.find(std::string(name.text));
    if (shaped == shaped_.end()) return false;
    Declaration& declared = claim_.declarations[shaped->second];
    if (declared.shape.size() != shape.size()) fail("parse.unexpected", describe(name) + " has " + std::to_string(declared.shape.size()) + " axes above", span, "one size for each axis");
    for (std::size_t k = 0; k < shape.size(); ++k) {
      if (!(declared.shape[k] == shape[k])) claim_.assumptions.push_back({parse_expression(text(declared.shape[k])), Relation::equal, parse_expression(text(shape[k])), span});
    }
    declared = {declared.name, shape, span};
    shaped_.erase(shaped);
    return true;
  }

  void assumptions() {
    parser_.take();
    do {
      assumption();
    } while (parser_.accept(",") || parser_.accept("and"));
  }

  /// One relation, one predicate, or `all(relation)`, which numpy users write for a relation that holds entrywise.
  void assumption() {
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

  template <std::size_t N>
  static bool is_among(std::string_view word, const std::string_view (&words)[N]) {
    return std::find(std::begin(words), std::end(words), word) != std::end(words);
  }

  /// np.all(s > 0) and (s > 0).all() say what s > 0 does.
  static std::optional<Relation> relation_inside(const Expression& e) {
    const bool every = e->kind == SyntaxKind::call && e->name == "all" && e->args.size() == 1 && e->keywords.empty() && is_comparison(*e->args[0]);
    return every ? relation_called(e->args[0]->name) : std::nullopt;
  }

  /// min(s) > 0 says s > 0 of every entry, and max(s) <= 5 that s <= 5.
  static void say_of_entries(Expression& extreme, Relation relation, const Expression& number, bool turned) {
    const Expression& size = number->kind == SyntaxKind::negate ? number->args[0] : number;
    const bool above = relation == Relation::greater || relation == Relation::greater_equal, below = relation == Relation::less || relation == Relation::less_equal;
    if (size->kind != SyntaxKind::number || (!above && !below)) return;
    static constexpr std::string_view least[] = {"min", "rowmin", "colmin"}, largest[] = {"max", "rowmax", "colmax"};
    const auto& functions = above != turned ? least : largest;
    static constexpr std::string_view axes[] = {"axis", "dim", "keepdims", "keepdim"};  // where= and initial= say something else
    const auto of_all = [&](const Syntax& e) { return std::all_of(e.keywords.begin(), e.keywords.end(), [&](const auto& k) { return is_among(k.first, axes); }); };
    while (extreme->kind == SyntaxKind::call && extreme->args.size() == 1 && is_among(extreme->name, functions) && of_all(*extreme)) extreme = Expression(extreme->args[0]);
  }

  /// R is orthogonal, A and B are symmetric, P is a permutation: the predicate of each name. Takes nothing where no such words follow.
  bool in_words() {
    static constexpr std::string_view predicates[] = {"orthogonal", "permutation", "symmetric", "invertible", "positive", "nonnegative", "nonzero", "onehot", "rowstochastic", "mask01", "binary"};
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

  /// integer(t, 0, 5) and tokens(t, 6) also say between which numbers; integer(M, 0, 1) is mask01(M).
  Expression bounded_integers(const Expression& e) {
    const bool tokens = e->name == "tokens" && e->args.size() == 2;
    if (!tokens && (e->name != "integer" || e->args.size() != 3)) return e;
    const Expression low = tokens ? parse_expression("0") : e->args[1];
    const Expression high = tokens ? node(SyntaxKind::subtract, {e->args[1], parse_expression("1")}, {}, e->span) : e->args[2];
    if (is_number(low, 0) && is_number(high, 1)) return predicate_of("mask01", *e);
    claim_.assumptions.push_back({e->args[0], Relation::greater_equal, low, e->span});
    claim_.assumptions.push_back({e->args[0], Relation::less_equal, high, e->span});
    return predicate_of("integer", *e);
  }

  /// Other words for a predicate. Angles are any numbers.
  static Expression respelled_predicate(const Expression& e) {
    static constexpr std::pair<std::string_view, std::string_view> synonyms[] = {{"binary", "mask01"}, {"permlist", "permutation"}, {"integers", "integer"}, {"angles", "real"}};
    for (const auto& [synonym, predicate] : synonyms) {
      if (e->name == synonym) return predicate_of(predicate, *e, e->args.size());
    }
    return e;
  }
  /// The predicate of the first arguments of a call.
  static Expression predicate_of(std::string_view predicate, const Syntax& call, std::size_t arguments = 1) {
    auto copy = std::make_shared<Syntax>(call);
    copy->name = predicate;
    copy->args.resize(std::min(arguments, copy->args.size()));
    return copy;
  }

  void equation() {
    const bool asserts = parser_.accept("assert");
    const std::size_t begin = parser_.peek().span.begin;
    Expression lhs = expression();
    const Token sign = parser_.peek();
    const auto relation = find_relation(sign);
    if (!relation && says_allclose(lhs)) return relate(begin, lhs->args[0], Relation::equal, lhs->args[1]);
    if (const auto inside = !relation ? relation_inside(lhs) : std::nullopt; inside && *inside != Relation::not_equal) return relate(begin, lhs->args[0]->args[0], *inside, lhs->args[0]->args[1]);
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
      return relate(begin, node(SyntaxKind::call, {first, second}, "max", {begin, parser_.last_end()}), upwards(*relation), parse_expression("0"));
    }
    relate(begin, std::move(lhs), *relation, std::move(rhs));
    asserts_ = asserts;
    if (asserts && parser_.accept(",")) skip_statement();  // what is said where it fails
  }
  static bool is_turned(Relation r) { return r == Relation::greater_equal || r == Relation::greater; }
  /// The relation of the sides in the other order, where that is one of less.
  static Relation upwards(Relation r) { return !is_turned(r) ? r : r == Relation::greater ? Relation::less : Relation::less_equal; }

  /// `np.allclose(a, b)`, as NumPy users write a == b of matrices: small tolerances are for rounding.
  static bool says_allclose(const Expression& e) {
    static constexpr std::string_view names[] = {"allclose", "array_equal", "equal", "assert_allclose", "assert_close", "assert_array_equal", "assert_array_almost_equal"};
    static constexpr std::string_view tolerances[] = {"rtol", "atol"};
    return e->kind == SyntaxKind::call && is_among(e->name, names) && e->args.size() == 2 && std::all_of(e->keywords.begin(), e->keywords.end(), [&](const auto& k) { return is_among(k.first, tolerances) && k.second->kind == SyntaxKind::number && k.second->value <= Rational(1, 1000); });
  }

  void relate(std::size_t begin, Expression lhs, Relation relation, Expression rhs) {
    const auto is_size = [&](const Expression& e) { return is_size_arithmetic(e, [&](const std::string& name) { return introduced_.count(name) == 0; }); };
    if (claim_.lhs && asserts_ && is_size(claim_.lhs) && is_size(claim_.rhs)) {  // assert d == h * k, before what is claimed
      claim_.assumptions.push_back({std::exchange(claim_.lhs, nullptr), claim_.relation, std::exchange(claim_.rhs, nullptr), {begin, parser_.last_end()}});
      asserts_ = false;
    }
    if (claim_.lhs) fail("parse.two_relations", "a second equation: a claim has one", {begin, parser_.last_end()}, "conditions are written assume lhs == rhs");
    if (is_turned(relation)) std::swap(lhs, rhs);
    claim_.lhs = std::move(lhs);
    claim_.relation = upwards(relation);
    claim_.rhs = std::move(rhs);
  }

  [[noreturn]] void missing_relation(std::size_t begin) {
    const Token& next = parser_.peek();
    if (next.kind != TokenKind::separator && next.kind != TokenKind::end) parser_.unexpected("`==`");
    fail("parse.missing_relation", "this statement is an expression without `==`", {begin, parser_.last_end()}, "a claim is lhs == rhs");
  }

  Parser parser_;
  std::string_view text_;
  Loops loops_{parser_, text_, {[this](const std::string& name) { return introduced_.count(name) > 0 || locals_.count(name) > 0; }, [this](const std::string& name) { return read_by_function(name); }, [this](const std::string& name) { return length_of(name); }, [this](const std::string& name) { return is_size(name); }, [this](const std::string& name) { return has_entries(node(SyntaxKind::name, {}, name)); }, [this](const std::string& name) { return number_called(name); }, [this](const std::string& name) { return tuple_called(name) != nullptr; }}};
  NamedValues locals_;  ///< of the function that is being read; its parameters stand for themselves
  std::vector<Expression> read_;  ///< what has been read of it
  NamedValues made_;              ///< its locals as they are written
  bool calls_own_ = false;        ///< what was read last calls a function of one's own
  std::set<std::string> shared_;  ///< names of what such a call gives, of which it may give the same twice
  Claim claim_;
  std::map<std::string, Span> introduced_;
  std::map<std::string, Dim> named_sizes_;       ///< by n, d = X.shape
  OwnFunctions functions_;
  std::map<std::string, std::size_t> shaped_;    ///< declarations that n, d = X.shape made
  std::map<std::string, std::string> assigned_;  ///< what a name that was assigned once more stands for
  std::map<std::string, int> numbered_;          ///< the number that its next one may have
  mutable bool counts_ = false;     ///< whether the function that is read relies on entries of what it is called with
  NamedValues several_sizes_;      ///< what names of shapes and tuples stand for
  mutable std::set<std::string> in_functions_;  ///< those that functions read
  bool asserts_ = false;           ///< the equation is what `assert` says
  bool plain_assignment_ = false;  // the last definition had no `let`
};

}  // namespace

const char* text(Relation relation) {
  switch (relation) {
    case Relation::equal: return "==";
    case Relation::less_equal: return "<=";
    case Relation::less: return "<";
    case Relation::greater_equal: return ">=";
    case Relation::greater: return ">";
    case Relation::not_equal: return "!=";
  }
  throw InternalError("an unknown relation");
}

bool ordered(int sign, Relation relation) {
  switch (relation) {
    case Relation::equal: return sign == 0;
    case Relation::not_equal: return sign != 0;
    case Relation::less_equal: return sign <= 0;
    case Relation::less: return sign < 0;
    case Relation::greater_equal: return sign >= 0;
    case Relation::greater: return sign > 0;
  }
  throw InternalError("an unknown relation");
}

Claim parse_claim(std::string_view text) { return ClaimParser(text).run(); }

}  // namespace foldproof::expr
