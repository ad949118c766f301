// SPDX-License-Identifier: MIT
// Statements of a claim: declarations, definitions, assumptions, and exactly one equation.
// Decides what is written twice, what is missing, and which sizes a declaration names; whether the shapes fit together
// is left to infer/.
#include "read/assigned_sizes.hpp"
#include "read/claim_parser.hpp"
#include "read/complex_numbers.hpp"
#include "read/draws.hpp"
#include "read/kinds.hpp"
#include "read/library.hpp"
#include "read/numpy.hpp"
#include "read/parse.hpp"
#include "read/stated_shapes.hpp"

namespace foldproof::read {
namespace {

/// One of so many values that a, b = e gives: unpacked(e, place, count) is an item of a tuple, or what lies along the first axis of a tensor.
Expression unpacked(const Expression& e) {
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
Expression without_copies(const Expression& e) {
  if (!e) return e;
  return changed(e, [](const Expression& part) { return is_call(part, copied_call) && part->args.size() == 1 ? without_copies(part->args[0]) : nullptr; });
}

/// Whether a declared shape is made of that name.
bool is_in_shapes(const Claim& claim, const std::string& name) {
  std::vector<std::string> in_shapes;
  const auto look = [&](const Shape& shape) { std::for_each(shape.begin(), shape.end(), [&](const Dim& d) { collect_names(d, in_shapes); }); };
  for (const Declaration& d : claim.declarations) look(d.shape);
  for (const Definition& d : claim.definitions) look(d.shape.value_or(Shape{}));
  return std::find(in_shapes.begin(), in_shapes.end(), name) != in_shapes.end();
}

/// z = x gives x a second name: the claim is the one about x, and what it says of z it says of x.
void drop_second_names(Claim& claim) {
  for (std::size_t k = 0; k < claim.definitions.size();) {
    const std::string name = claim.definitions[k].name;
    const Expression first = claim.definitions[k].value;
    const auto is_first = [&](const Definition& d) { return d.name == first->name; };
    const auto here = claim.definitions.begin() + static_cast<std::ptrdiff_t>(k);
    const bool too_early = std::any_of(here, claim.definitions.end(), is_first) || std::any_of(claim.definitions.begin(), here, [&](const Definition& d) { return mentions(d.value, name); });  // which is an error
    bool hidden = first->kind != SyntaxKind::name || too_early || claim.definitions[k].shape.has_value() || is_in_shapes(claim, name);  // also by an index of that name
    const std::function<void(const Expression&)> look = [&](const Expression& e) {
      hidden = hidden || (e->kind == SyntaxKind::comprehension && (e->name == first->name || e->name == name));
      each_part(e, look);
    };
    each_side(claim, look);
    if (hidden) {
      ++k;
      continue;
    }
    claim.definitions.erase(claim.definitions.begin() + static_cast<std::ptrdiff_t>(k));
    if (auto axes = claim.axes.extract(name); !axes.empty()) claim.axes.emplace(first->name, axes.mapped());
    for (auto& [typed, span] : claim.types) typed = typed == name ? first->name : typed;
    change_each(claim, [&](const Expression& e) {
      return !e ? e : changed(e, [&](const Expression& part) { return part->kind == SyntaxKind::name && part->name == name ? node(SyntaxKind::name, {}, first->name, part->span) : nullptr; });
    });
  }
}

[[noreturn]] void two_relations(Span span) {
  fail("parse.two_relations", "a second relation: each statement has one", span, "split a == b == c into two");
}

/// `k: even`, `k: int` say something about a size, which is no tensor.
std::string shape_hint(const Token& word, const Token& declared) {
  const std::string name(declared.text.substr(0, 40));
  if (word.is("even")) return "sizes are not declared: write assume " + name + " % 2 == 0";
  if (word.is("odd")) return "sizes are not declared: write assume " + name + " % 2 == 1";
  if (word.is("int") || word.is("integer") || word.is("size")) return "sizes are not declared: they are the names in shapes such as X: [n, " + name + "]";
  return "shapes are written [n, d], a scalar []";
}

/// f(*(a, b), c) as f(a, b, c), which is what a name of a tuple leaves of f(*sizes, c).
Expression spread_out(const Expression& e) {
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

bool contains_own_call(const Expression& e) { return (e->kind == SyntaxKind::call && e->name.back() == ' ') || std::any_of(e->args.begin(), e->args.end(), contains_own_call); }

}  // namespace

Claim ClaimParser::run() {
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
  claim_shapes();
  change_each(claim_, unpacked);
  change_each(claim_, [](const Expression& e) { return has_items(e) ? with_items(e) : e; });
  change_each(claim_, without_copies);
  write_out_complex_numbers(claim_);
  finish_kinds(claim_);
  state_sizes(claim_);
  read_assigned_sizes(claim_);
  claim_.axes = parser_.axes();
  drop_second_names(claim_);
  return std::move(claim_);
}

void ClaimParser::statement() {
  if ((parser_.peek().is("import") || parser_.peek().is("from")) && parser_.peek(1).kind == TokenKind::name) {
    while (parser_.peek().kind != TokenKind::separator && parser_.peek().kind != TokenKind::end) parser_.take();  // pasted with the claim
  } else if (parser_.peek().is("def") && parser_.peek(1).kind == TokenKind::name) {
    parser_.take();
    static constexpr std::string_view of_python[] = {"enumerate", "len", "map", "range", "reversed", "sum", "zip", "any_entries", "assigned", "at_place", "begun", "blocking_mask", "class_targets", "copied", "divided", "filled", "kept", "log_factor", "numel", "overwritten", "shape_difference", "shaped", "sized", "typed", "unpacked", "zipped"};  // the last ones are how programs are written out
    const Token& name = parser_.peek();
    if (std::find(std::begin(of_python), std::end(of_python), name.text) != std::end(of_python)) fail("parse.unexpected", "loops and lists need Python's own " + describe(name), name.span, "give the function another name");
    function(parser_.take(), "(", ")");
  } else if (parser_.peek().is("print") && parser_.peek(1).is("(")) {
    printed();
  } else if (says_nothing()) {
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
    if (parser_.peek().is("if") && shows_result()) return;
    if (parser_.peek().is("if")) fail("parse.unexpected", "`if` stands outside of a function", parser_.peek().span, "write the case that is meant, or a function that takes the condition as an argument");
    equation();
  }
}

Expression ClaimParser::without_types(const Expression& e) {
  return changed(e, [this](const Expression& part) -> Expression {
    if (!is_call(part, typed_call) || part->args.size() != 2) return nullptr;
    const Expression& like = is_call(part->args[1], type_call) ? part->args[1]->args[0] : part->args[1];
    if (is_quoted(like) && !is_device({TokenKind::text, like->name, like->span})) fail("parse.unexpected", "`" + like->name.substr(0, 40) + "` names no device", part->span, "write types without quotes, x.to(torch.float32), or leave them out");
    if (!is_quoted(like)) note_type(like, part->span);
    return without_types(part->args[0]);
  });
}

void ClaimParser::note_type(const Expression& e, Span span) {
  static constexpr std::string_view keep[] = {"softmax", "exp", "log", "sqrt", "relu", "gelu", "silu", "tanh", "sigmoid", "abs", "layernorm", "rmsnorm", "reshape", "transpose", "swapaxes", "concatenate", "cat", "stack", "matmul", copied_call, typed_call, view_call, in_order_call};
  if (e->kind == SyntaxKind::name) return claim_.types.emplace_back(e->name, span), void();
  const bool all = is_operator(e->kind) || e->kind == SyntaxKind::negate || e->kind == SyntaxKind::transpose || e->kind == SyntaxKind::list || is_call(e, "concat");
  const bool first = e->kind == SyntaxKind::index || e->kind == SyntaxKind::power || (e->kind == SyntaxKind::call && is_among(e->name, keep));
  if (!all && !first) fail("call.arguments", "whether this is made a whole number or a truth value is not seen", span, "leave the type out, or give what has the type a name");
  for (std::size_t k = 0; k < (first ? 1 : e->args.size()); ++k) {
    if (e->args[k]->kind != SyntaxKind::number) note_type(e->args[k], span);
  }
}

Tokens ClaimParser::rest_of_statement() const {
  Tokens tokens;
  while (parser_.peek(tokens.size()).kind != TokenKind::separator && parser_.peek(tokens.size()).kind != TokenKind::end) tokens.push_back(parser_.peek(tokens.size()));
  return tokens;
}

void ClaimParser::end_expected() {
  if (find_relation(parser_.peek())) two_relations(parser_.peek().span);
  parser_.unexpected("an operator or the end of the statement");
}

void ClaimParser::introduce(const Token& name) {
  const auto [at, fresh] = introduced_.emplace(std::string(name.text), name.span);
  if (name.is("inf")) parser_.declare_infinity();
  if (fresh) return;
  const std::size_t line = locate(text_, at->second.begin).line;
  fail("parse.duplicate", describe(name) + " is already declared or defined on line " + std::to_string(line), name.span,
       "remove one of them; a definition needs no declaration");
}

void ClaimParser::declaration() {
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

void ClaimParser::definition() {
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
  Expression value = condition(true);
  if (plain_assignment_ && parser_.peek().is(",")) {
    std::vector<Expression> values{with_draws(value)};
    while (parser_.accept(",")) values.push_back(condition());
    value = node(SyntaxKind::list, values, {}, {values[0]->span.begin, parser_.last_end()});
  }
  const Span span{first.span.begin, parser_.last_end()};
  if (plain_assignment_) value = with_known_sizes(value);
  if (plain_assignment_) refuse_another_size(name, value);
  const bool word = value->kind == SyntaxKind::name && (is_python_word(value->name) || is_quoted(value));
  const bool torch_equal = is_call(value, "equal") && text_.substr(0, value->span.begin).ends_with("torch.");  // NumPy's gives an array
  const bool is_truth = value->args.size() == 2 && (is_call(value, "allclose") || is_call(value, "array_equal") || torch_equal);
  if (plain_assignment_ && (word || is_several_sizes(value) || is_call(value, type_call) || is_truth)) {  // shape = (*x.shape[:-1], h, k) is written out where it is used
    name_several(name, value);
    return;
  }
  if (plain_assignment_ && is_tuple(value)) return define_tuple(name, value, span);
  if (plain_assignment_ && calls_own_ && value->kind == SyntaxKind::comprehension) return name_several(name, value);  // heads = f(x, h)
  const bool random = is_draw(value);
  const auto annotated = plain_assignment_ && !random ? annotation(name, value) : std::nullopt;
  const std::string defined = plain_assignment_ ? assign(name, value) : std::string(name.text);
  if (calls_own_ && !is_computed(value)) shared_.insert(defined);  // f(x) + y is an array of its own
  const bool before = plain_assignment_ && defined == name.text && std::any_of(claim_.definitions.begin(), claim_.definitions.end(), [&](const Definition& d) { return mentions_free(d.value, defined); });
  if ((before || mentions(value, defined)) && !random) fail("name.unknown", "`" + defined + "` is used before its definition", span, "write the definition first");
  if (random) {
    declare_drawn(defined, value, span);
  } else {
    claim_.definitions.push_back({defined, std::move(value), span, annotated});
  }
}

std::vector<Assumption> ClaimParser::known_by_now(const Expression& e) const {
  std::vector<Assumption> known = claim_.assumptions;
  std::set<std::string> indices;
  bool cases = false;
  const std::function<void(const Expression&)> see = [&](const Expression& part) {
    cases = cases || is_call(part, case_call);
    if (part->kind == SyntaxKind::comprehension) indices.insert(part->name);
    each_part(part, see);
  };
  see(e);
  if (!cases) return known;
  for (const Definition& d : claim_.definitions) {
    const auto value = indices.count(d.name) == 0 ? number_of(d.value, known) : std::nullopt;
    if (value && value->sign() >= 0) known.push_back({node(SyntaxKind::name, {}, d.name), Relation::equal, number(*value), {}});
  }
  return known;
}

Expression ClaimParser::finished(const Expression& e, bool names_draw) {
  const Expression written = with_ranks(with_lists_joined(without_overwriting(functions_.written_out(e))));
  const Expression chosen = without_cases(written, known_by_now(written), [this](const Expression& condition) { return take_for_granted(condition, true); });
  return with_axes(with_whole_numbers(spread_out(without_types(names_draw && is_draw(chosen) && !shaped_like(chosen) ? chosen : with_draws(chosen)))));
}

Expression ClaimParser::condition(bool names_draw) {
  const Expression e = current(parser_.condition());
  calls_own_ = calls_own_ || contains_own_call(e);
  return finished(e, names_draw);
}

void ClaimParser::skip_statement() {
  while (parser_.peek().kind != TokenKind::separator && parser_.peek().kind != TokenKind::end) parser_.take();
}

bool ClaimParser::says_nothing() {
  const Tokens next = rest_of_statement();
  const bool holds = next.size() == 2 && next[0].is("assert") && (next[1].is("True") || next[1].text == "1");
  const bool prints = next.size() > 2 && next[0].is("print") && is_one_bracket(between(next, 1));
  std::size_t seed = 0;
  while (seed + 1 < next.size() && is_module(next[seed].text) && next[seed + 1].is(".")) seed += 2;
  const bool seeds = seed > 0 && seed + 3 < next.size() && (next[seed].is("manual_seed") || next[seed].is("seed")) && is_one_bracket(between(next, seed + 1));
  const auto may_do_something = [&](std::size_t k) { return next[k].is("(") && k > (prints ? 1 : seed + 1) && !next[k - 1].is("size") && !next[k - 1].is("len"); };
  if (!prints && !seeds && !holds) return false;
  for (std::size_t k = 1; k < next.size(); ++k) {
    if (may_do_something(k) || next[k].is("==")) return false;
  }
  skip_statement();
  return true;
}

Expression ClaimParser::tuple_called(const std::string& name) const {
  const auto local = locals_.find(name), global = several_sizes_.find(name);
  if (parser_.is_in_function() && local == locals_.end() && global != several_sizes_.end()) in_functions_[name].push_back(function_);
  const Expression value = local != locals_.end() ? local->second : global != several_sizes_.end() ? global->second : nullptr;
  return value && is_tuple(value) && !is_several_sizes(value) ? value : nullptr;
}

std::optional<std::size_t> ClaimParser::length_of(const std::string& name) const {
  if (const Expression tuple = tuple_called(name)) return tuple->args.size();
  const auto d = std::find_if(claim_.declarations.begin(), claim_.declarations.end(), [&](const Declaration& declared) { return declared.name == name; });
  const auto length = d == claim_.declarations.end() || d->shape.empty() || assigned_.count(name) > 0 || locals_.count(name) > 0 ? std::nullopt : d->shape[0].constant();
  return length ? std::optional<std::size_t>(static_cast<std::size_t>(*length)) : std::nullopt;
}

Expression ClaimParser::value_by_now(const std::string& name) const {
  if (const auto local = locals_.find(name); local != locals_.end()) return local->second;
  const auto global = assigned_.find(name);
  return value_of(global == assigned_.end() ? name : global->second);
}

Expression ClaimParser::value_of(const std::string& name) const {
  const auto d = std::find_if(claim_.definitions.begin(), claim_.definitions.end(), [&](const Definition& definition) { return definition.name == name; });
  return d == claim_.definitions.end() ? nullptr : d->value;
}

bool ClaimParser::is_size(const std::string& name) const {
  const Expression e = value_by_now(name);
  if (!e) return true;
  const bool entry = e->kind == SyntaxKind::index && is_call(e->args[0], "shape") && e->args[0]->args.size() == 1;
  return entry ? has_entries(e->args[0]->args[0]) : e->kind == SyntaxKind::number && e->value.sign() > 0;
}

bool ClaimParser::has_entries(const Expression& e, bool defined) const {
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

Claim parse_claim(std::string_view text) {
  try {
    return ClaimParser(text).run();
  } catch (const Error& error) {  // how many steps a loop in a function has its calls may say
    ClaimParser of_calls(text);
    if (error.diagnostic().code != "parse.loop" || !of_calls.write_calls()) throw;
    try {
      return of_calls.run();
    } catch (const Error&) {
    }
    throw;
  }
}

}  // namespace foldproof::read
