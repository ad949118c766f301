// SPDX-License-Identifier: MIT
// What Python's assignments do: names that get another value, several names at once, places of an array, tuples.
#include "read/assigned_sizes.hpp"
#include "read/claim_parser.hpp"
#include "read/draws.hpp"
#include "read/kinds.hpp"
#include "read/parse.hpp"

namespace foldproof::read {

bool ClaimParser::gives_places() const {
  return item_change(rest_of_statement()).has_value();
}

std::string_view ClaimParser::prepare_places() {
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

Expression ClaimParser::assigned(const Expression& old, const Expression& places, std::string_view sign, const Expression& value, Span span) {
  std::vector<Expression> operands{old, places, value};
  const SyntaxKind change = sign == "+" ? SyntaxKind::add : sign == "-" ? SyntaxKind::subtract : sign == "*" ? SyntaxKind::multiply : SyntaxKind::divide;
  if (!sign.empty()) operands.insert(operands.begin() + 2, node(change, {old, value}, {}, span));
  return node(SyntaxKind::call, std::move(operands), std::string(assigned_call), span);
}

void ClaimParser::give_places() {
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

bool ClaimParser::is_tuple(const Expression& value) {
  const auto is_number = [](const Expression& e) { return e->kind == SyntaxKind::list || is_signed_number(e); };
  return value->kind == SyntaxKind::list && !value->args.empty() && std::none_of(value->args.begin(), value->args.end(), is_number);
}

void ClaimParser::define_tuple(const Token& name, const Expression& value, Span span) {
  std::vector<Expression> items;
  const auto is_open = [&](const std::string& n) { return introduced_.count(n) == 0; };
  for (const Expression& item : value->args) {
    if (is_size_arithmetic(item, is_open)) {  // (n, d)
      items.push_back(item);
      continue;
    }
    std::string own;
    for (std::size_t k = items.size(); own.empty() || is_taken(own); ++k) own = std::string(name.text) + "_" + std::to_string(k);
    introduced_.emplace(own, name.span);
    if (mentions(item, std::string(name.text)) && is_open(std::string(name.text))) fail("name.unknown", describe(name) + " is used before its definition", span, "write the definition first");
    claim_.definitions.push_back({own, item, span});
    if (calls_own_) shared_.insert(own);
    items.push_back(node(SyntaxKind::name, {}, own, item->span));
  }
  name_several(name, node(SyntaxKind::list, items, {}, value->span));
}

void ClaimParser::name_several(const Token& name, const Expression& value) {
  refuse_changed(name);
  several_sizes_[std::string(name.text)] = value;
}

void ClaimParser::refuse_changed(const Token& name) const {
  const std::string written(name.text);
  if (read_by_called_function(written)) fail("parse.duplicate", describe(name) + " gets another value after a function that uses it", name.span, "give it another name");
  if (loops_.uses(written)) fail("parse.duplicate", describe(name) + " gets another value after a list that uses it", name.span, "give it another name");
}

void ClaimParser::refuse_another_size(const Token& name, const Expression& value) const {
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

std::optional<SyntaxKind> ClaimParser::updates() const {
  static constexpr std::pair<std::string_view, SyntaxKind> operators[] = {{"+", SyntaxKind::add}, {"-", SyntaxKind::subtract}, {"*", SyntaxKind::multiply}, {"/", SyntaxKind::divide}, {"@", SyntaxKind::matmul}};
  const bool together = parser_.peek(1).span.end == parser_.peek(2).span.begin || parser_.peek(1).span.begin == parser_.peek(2).span.begin;  // written, or made for a loop
  if (parser_.peek().kind != TokenKind::name || !parser_.peek(2).is("=") || !together) return std::nullopt;
  for (const auto& [symbol, kind] : operators) {
    if (parser_.peek(1).is(symbol)) return kind;
  }
  return std::nullopt;
}

void ClaimParser::update(SyntaxKind kind) {
  plain_assignment_ = true;
  const Token name = parser_.take();
  parser_.take();
  parser_.take();
  const Expression old = current(node(SyntaxKind::name, {}, std::string(name.text), name.span));
  refuse_views(name, old);
  if (list_of(old)) fail("parse.unexpected", describe(name) + " is a list, which Python joins and repeats", name.span, "make an array of it: np.array([1, 2])");
  const Expression change = expression();
  Expression value = node(kind, {old, change}, std::string(changed_in_place), {name.span.begin, parser_.last_end()});
  claim_.definitions.push_back({assign(name), std::move(value), {name.span.begin, parser_.last_end()}});
}

void ClaimParser::refuse_views(const Token& name, const Expression& old) const {
  std::map<std::string, bool> known;  // of names, each of which is looked at once
  const std::function<bool(const Expression&)> is_number = [&](const Expression& e) {
    if (e->kind == SyntaxKind::name) {
      const bool first = known.emplace(e->name, false).second;
      const Expression value = first && locals_.count(e->name) == 0 ? value_of(e->name) : nullptr;
      if (value) known[e->name] = is_number(value);
      return known[e->name];
    }
    const bool computed = is_operator(e->kind) || e->kind == SyntaxKind::negate || e->kind == SyntaxKind::power;
    return e->kind == SyntaxKind::number || (computed && std::all_of(e->args.begin(), e->args.end(), is_number));
  };
  if (is_number(old)) return;  // Python's numbers do not change: the name gets another one
  if (loops_.is_item(name.text) || shared_.count(old->name) > 0 || functions_.has_default(old->name)) fail("parse.unexpected", "in place this may change an item of a list, or a default value", name.span, "write " + std::string(name.text.substr(0, 40)) + " = " + std::string(name.text.substr(0, 40)) + " + ...");
  for (const auto& [list, value] : several_sizes_) {  // heads = f(W), of views of W
    const bool views = value->kind == SyntaxKind::comprehension && mentions(value, old->name) && !is_fresh(value->args[0]);
    if (views) fail("parse.unexpected", "in place this may change an item of the list `" + list + "`", name.span, "write " + std::string(name.text.substr(0, 40)) + " = " + std::string(name.text.substr(0, 40)) + " + ...");
  }
  for (const Definition& d : claim_.definitions) {
    const bool own = d.name == old->name;
    if ((own || (mentions(d.value, old->name) && is_read_again(d.name))) && !is_fresh(d.value)) fail("parse.unexpected", "in place this may change another tensor, of which `" + (own ? std::string(name.text) : d.name) + "` is a view", {name.span.begin, parser_.last_end()}, "write " + std::string(name.text.substr(0, 40)) + " = " + std::string(name.text.substr(0, 40)) + " + ...");
  }
}

bool ClaimParser::is_read_again(const std::string& definition) const {
  if (parser_.is_in_function() || loops_.holds(definition) || loops_.is_item(definition) || functions_.uses(definition)) return true;
  const auto holds = [&](const auto& named) { return mentions(named.second, definition); };
  if (std::any_of(several_sizes_.begin(), several_sizes_.end(), holds)) return true;
  std::set<std::string> words;  // of the program, which mean it by now
  if (assigned_.count(definition) == 0) words.insert(definition);
  for (const auto& [word, now] : assigned_) {
    if (now == definition) words.insert(word);
  }
  const auto is_word = [&](std::size_t k) { return parser_.peek(k).kind == TokenKind::name && words.count(std::string(parser_.peek(k).text)) > 0; };
  bool in_block = false;
  for (std::size_t k = 0; parser_.peek(k).kind != TokenKind::end; ++k) {
    in_block = in_block || step_into_block(parser_.peek(k)) != 0;
    if (!is_word(k)) continue;
    std::size_t end = k + 1;
    while (!ends_statement(parser_.peek(end)) && !is_word(end)) ++end;
    const bool gets_another = !in_block && k > 0 && ends_statement(parser_.peek(k - 1)) && parser_.peek(k + 1).is("=") && ends_statement(parser_.peek(end));
    if (!gets_another) return true;
    words.erase(std::string(parser_.peek(k).text));
  }
  return std::any_of(claim_.definitions.begin(), claim_.definitions.end(), [&](const Definition& d) { return d.name != definition && mentions(d.value, definition) && !is_fresh(d.value) && is_read_again(d.name); });
}

bool ClaimParser::is_computed(const Expression& e) { return (is_operator(e->kind) && !is_broadcast(*e)) || e->kind == SyntaxKind::negate || e->kind == SyntaxKind::power; }

bool ClaimParser::is_fresh(const Expression& e) {
  switch (e->kind) {
    case SyntaxKind::add: return !is_broadcast(*e);  // a view, with its numbers at several places
    case SyntaxKind::number:
    case SyntaxKind::negate:
    case SyntaxKind::subtract:
    case SyntaxKind::multiply:
    case SyntaxKind::divide:
    case SyntaxKind::matmul:
    case SyntaxKind::power: return true;
    case SyntaxKind::call: return makes_new_array(e->name) || is_comparison(*e) || is_draw(e) || e->name == any_entries_call || ((e->name == typed_call || e->name == real_call) && is_fresh(e->args[0])) || (e->name == begun_call && e->args.size() == 4);  // after range(n), which has a step
    default: return false;
  }
}

std::optional<Shape> ClaimParser::annotation(const Token& name, const Expression& value) {
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

std::string ClaimParser::assign(const Token& name, const Expression& value) {
  const std::string written(name.text);
  if (several_sizes_.count(written) > 0 || in_functions_.count(written) > 0) refuse_changed(name);
  several_sizes_.erase(written);
  const bool beside_size = value && introduced_.count(written) == 0 && is_declared_size(written) && !is_size_arithmetic(value, [&](const std::string& n) { return introduced_.count(n) == 0; });
  if (!beside_size && assigned_.count(written) == 0 && introduced_.emplace(written, name.span).second) {
    return written;
  }
  refuse_changed(name);
  std::string fresh = written;
  for (int& k = numbered_.try_emplace(written, 2).first->second; is_taken(fresh); ++k) fresh = written + "_" + std::to_string(k);
  introduced_.emplace(fresh, name.span);
  assigned_[written] = fresh;
  return fresh;
}

bool ClaimParser::read_by_function(const std::string& written) const {
  const auto now = assigned_.find(written);
  return in_functions_.count(written) > 0 || functions_.uses(written) || (now != assigned_.end() && functions_.uses(now->second));
}

bool ClaimParser::read_by_called_function(const std::string& written) const {
  const auto is_called = [this](const std::string& function) {
    for (std::size_t k = 0; parser_.peek(k).kind != TokenKind::end; ++k) {
      if (parser_.peek(k).is(function)) return true;
    }
    return false;
  };
  const auto now = assigned_.find(written);
  const auto counted = in_functions_.find(written);
  if (counted != in_functions_.end() && functions_.are_called(counted->second, is_called)) return true;
  return functions_.uses(written, is_called) || (now != assigned_.end() && functions_.uses(now->second, is_called));
}

bool ClaimParser::is_declared_size(const std::string& name) const {
  return named_sizes_.count(name) == 0 && std::any_of(claim_.declarations.begin(), claim_.declarations.end(), [&](const Declaration& d) {
    std::vector<std::string> found;
    for (const Dim& size : d.shape) collect_names(size, found);
    return shaped_.count(d.name) == 0 && std::find(found.begin(), found.end(), name) != found.end();
  });
}

Expression ClaimParser::current(const Expression& e) {
  if (assigned_.empty() && several_sizes_.empty() && !parser_.has_own_functions()) return e;
  return changed(e, [&](const Expression& part) -> Expression {
    const std::string called = part->kind == SyntaxKind::call && part->name.back() == ' ' ? part->name.substr(0, part->name.size() - 1) : std::string();
    if (!called.empty() && locals_.count(called) > 0) fail("parse.duplicate", "`" + called + "` is a function outside of this one, and another value in it", part->span, "give one of them another name");
    if (part->kind == SyntaxKind::name && locals_.count(part->name) == 0 && parser_.is_own_function(part->name)) fail("parse.unexpected", "`" + part->name + "` is a function, and no value", part->span, "call it: " + part->name + "(x)");
    if (part->kind == SyntaxKind::comprehension && assigned_.count(part->name) > 0) fail("parse.duplicate", "`" + part->name + "` is an index here and has a value outside", part->span, "give the index another name");
    const auto sizes = part->kind == SyntaxKind::name && locals_.count(part->name) == 0 ? several_sizes_.find(part->name) : several_sizes_.end();
    if (sizes != several_sizes_.end() && parser_.is_in_function()) in_functions_[part->name].push_back(function_);
    if (sizes != several_sizes_.end()) return sizes->second;
    const auto found = part->kind == SyntaxKind::name && locals_.count(part->name) == 0 ? assigned_.find(part->name) : assigned_.end();
    return found == assigned_.end() ? nullptr : node(SyntaxKind::name, {}, found->second, part->span);
  });
}

std::size_t ClaimParser::names_ahead(std::size_t begin) const {
  std::size_t k = begin;
  while (parser_.peek(k).kind == TokenKind::name && parser_.peek(k + 1).is(",") && parser_.peek(k + 2).kind == TokenKind::name) k += 2;
  return parser_.peek(k).kind == TokenKind::name ? k + 1 - begin : 0;
}

bool ClaimParser::defines_several() const {
  const std::size_t begin = parser_.peek().is("let") ? 1 : 0, count = names_ahead(begin);
  return count > 1 && parser_.peek(begin + count).is("=");
}

void ClaimParser::definitions() {
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

std::vector<Token> ClaimParser::several_names(const std::string& purpose) {
  std::vector<Token> names;
  do {
    names.push_back(parser_.expect_name(purpose));
    const auto same_name = [&](const Token& t) { return t.text == names.back().text; };
    if (std::count_if(names.begin(), names.end(), same_name) > 1) fail("parse.duplicate", describe(names.back()) + " gets two values", names.back().span, "give each a name of its own");
  } while (parser_.accept(","));
  return names;
}

std::vector<Expression> ClaimParser::values_of(const std::vector<Token>& names, const std::function<Expression()>& value) {
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
    const auto all = static_cast<std::int64_t>(names.size());
    values.clear();
    for (std::int64_t k = 0; k < all; ++k) {
      values.push_back(count ? part_of(whole, k) : node(SyntaxKind::call, {whole, number(k, whole->span), number(all, whole->span)}, std::string(unpacked_call), whole->span));
    }
  }
  if (values.size() != names.size()) fail("parse.unexpected", std::to_string(names.size()) + " names are defined by " + std::to_string(values.size()) + (values.size() == 1 ? " value" : " values"), {names[0].span.begin, parser_.last_end()}, "one value for each name");
  return values;
}

void ClaimParser::sizes_of(const Expression& tensor, const std::vector<Token>& names) {
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

bool ClaimParser::declares_shape_of(const Token& name, const Shape& shape, Span span) {
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

}  // namespace foldproof::read
