// SPDX-License-Identifier: MIT
#include "program/index_conditions.hpp"

#include <algorithm>
#include <optional>

namespace foldproof::program {
namespace {

/// An index of a loop or a comprehension, and the size that it goes up to; without one where that is no size of its own.
struct Index {
  std::string_view name;
  Tokens size;
};
using Indices = std::vector<Index>;

class IndexConditions {
 public:
  explicit IndexConditions(const Tokens& program) : program_(program), given_(values_given(program)) {
    for (std::size_t k = 0; k + 2 < program.size(); ++k) {
      if (program[k].is("for")) ++loops_[program[k + 1].text];
      if (!program[k].is(":") || !program[k + 1].is("[") || program[k + 2].is("]")) continue;
      for (std::size_t i = k; i > 0 && (program[i - 1].kind == TokenKind::name || program[i - 1].is(",")); --i) tensors_.insert(program[i - 1].text);  // A, B: [n, n]
    }
  }

  /// The program, in which arrays that every step fills begin as zeros.
  Tokens run() {
    Tokens found = of_block(program_, {});
    for (std::size_t k = 0; k + 2 < found.size(); ++k) {
      if (!begins_statement(found, k) || full_.count(found[k].text) == 0 || !found[k + 1].is("=")) continue;
      const std::size_t end = end_of_statement(found, k);
      const Tokens value = slice(found, k + 2, end);
      const Token* function = called_alone(value);
      const auto open = static_cast<std::size_t>(function - value.data()) + 1;
      Tokens zeros = slice(found, 0, k + 2);
      put(zeros, slice(value, 0, open - 1));
      zeros.push_back(word("zeros", *function));
      put(zeros, in_brackets(parts_of(inside(value, open + 1))[0], *function));
      const std::size_t next = zeros.size();
      put(zeros, slice(found, end, found.size()));
      found = std::move(zeros);
      k = next;
    }
    return found;
  }
  /// The statements of a block, with those in it.
  Tokens of_block(const Tokens& body, const Indices& around) {
    Tokens found;
    std::size_t last = 0;  ///< where the statement before begins in what is found
    for (std::size_t k = 0; k < body.size();) {
      if (ends_statement(body[k])) {
        found.push_back(body[k++]);
        continue;
      }
      const std::size_t header = end_of_statement(body, k), end = behind_statement(body, k), begin = found.size();
      const bool block = header < body.size() && body[header].kind == TokenKind::block_begin;
      if (!block) {
        const Tokens s = slice(body, k, header);
        if (const auto g = given_by(s); g && g->sign.empty() && g->target.size() == 1) loops_around_[g->target[0].text] = around.size();
        put(found, of_statement(s, around));
        k = header;
      } else if (const auto cases = body[k].is("if") ? of_cases(body, k, around, slice(found, last, found.size())) : std::nullopt) {
        if (cases->instead_of_last) found.resize(last);
        put(found, cases->statements);
        k = cases->end;
      } else if (const auto whole = body[k].is("for") ? over_whole_axis(body, k, around) : std::nullopt) {
        put(found, *whole);
        k = end;
      } else {
        Indices inner = around;
        if (body[k].is("for")) add_targets(slice(body, k + 1, header), inner);
        put(found, slice(body, k, header + 1));
        put(found, of_block(slice(body, header + 1, end - 1), body[k].is("def") || body[k].is("class") ? Indices{} : inner));
        found.push_back(body[end - 1]);
        k = end;
        const auto made = around.empty() ? std::nullopt : filled(slice(found, last, begin), slice(found, begin, found.size()), inner);
        if (made) {
          found.resize(last);
          put(found, *made);
        }
      }
      last = begin;
    }
    return found;
  }

 private:
  struct Cases {
    Tokens statements;
    std::size_t end;               ///< behind them
    bool instead_of_last = false;  ///< the statement before is part of them
  };

  /// s = np.zeros(n) and for j in range(n): s[j] = e, in another loop, as s = stack([e for j in range(n)]).
  static std::optional<Tokens> filled(Tokens before, const Tokens& loop, const Indices& indices) {
    while (!before.empty() && ends_statement(before.back())) before.pop_back();
    const auto begun = before.empty() ? std::nullopt : given_by(before);
    if (!begun || !begun->sign.empty() || begun->target.size() != 1 || !makes_zeros(begun->value) || !loop[0].is("for") || indices.empty()) return std::nullopt;
    const Index& index = indices.back();
    if (std::count_if(indices.begin(), indices.end(), [&](const Index& i) { return i.name == index.name; }) > 1) return std::nullopt;  // the loop around it goes on with its last value
    const Token* function = called_alone(begun->value);
    const Tokens size = function != nullptr && (function->is("zeros") || function->is("empty")) ? inside(begun->value, static_cast<std::size_t>(function - begun->value.data()) + 2) : Tokens{};
    const std::size_t header = end_of_statement(loop, 0);
    const auto statements = statements_of(slice(loop, header + 1, loop.size() - 1));
    const auto g = statements.size() == 1 ? given_by(statements[0]) : std::nullopt;
    const bool each = g && g->sign.empty() && g->target.size() == 4 && g->target[0].text == begun->target[0].text && g->target[1].is("[") && g->target[2].is(index.name) && g->target[3].is("]");
    if (!each || size.empty() || index.size.empty() || !same(size, index.size) || names(g->value, begun->target[0].text) || std::any_of(g->value.begin(), g->value.end(), [](const Token& t) { return t.is("lambda"); })) return std::nullopt;
    const Token& at = loop[0];
    Tokens found{begun->target[0], symbol("=", at), word("stack", at), symbol("(", at), symbol("[", at)};
    put(found, of_shape({{TokenKind::number, "0", at.span}}, g->value));
    put(found, {word("for", at), word(index.name, at), word("in", at)});
    put(found, called_with("range", {index.size}, at));
    put(found, {symbol("]", at), symbol(")", at)});
    return found;
  }
  /// Whether nothing but loops gives the name values.
  bool is_index(std::string_view name) const {
    const auto loops = loops_.find(name);
    return loops != loops_.end() && given_.at(name) <= loops->second;
  }
  /// i in range(n): the index and its size.
  void add_targets(const Tokens& head, Indices& indices) const {
    const auto in = place_outside(head, "in");
    const std::size_t first = in.value_or(head.size());
    Tokens range = in ? between(head, *in + 1) : Tokens{};
    if (!range.empty() && range.back().is(":")) range.pop_back();
    const bool counted = first == 1 && range.size() > 3 && range[0].is("range") && is_one_bracket(between(range, 1)) && !has_outside(inside(range, 2), ",");
    for (const Token& t : target_names(slice(head, 0, first))) indices.push_back({t.text, counted && is_index(t.text) && is_size(inside(range, 2), indices) ? inside(range, 2) : Tokens{}});
  }
  /// for j in range(i, n) and for j in range(i + 1), of an i in range(n), as for j in range(n) with a condition, where what is done is read so and not otherwise.
  std::optional<Tokens> over_whole_axis(const Tokens& body, std::size_t k, const Indices& around) {
    const std::size_t header = end_of_statement(body, k), end = behind_statement(body, k);
    Tokens head = slice(body, k + 1, header);
    if (!head.empty() && head.back().is(":")) head.pop_back();
    if (head.size() < 6 || head[0].kind != TokenKind::name || !head[1].is("in") || !head[2].is("range") || !is_one_bracket(between(head, 3))) return std::nullopt;
    const std::vector<Tokens> ends = parts_of(inside(head, 4));
    const auto bound = [&](const Tokens& t) -> const Index* {  // i, or i + 1
      const bool plain = t.size() == 1 || (t.size() == 3 && t[1].is("+") && t[2].text == "1");
      const auto index = std::find_if(around.rbegin(), around.rend(), [&](const Index& i) { return plain && i.name == t[0].text; });
      return index == around.rend() || index->size.empty() ? nullptr : &*index;
    };
    const Index* index = bound(ends[0]);
    if (index == nullptr || ends.size() > 2 || (ends.size() == 2 && !same(ends[1], index->size))) return std::nullopt;
    Indices inner = around;
    if (!is_index(head[0].text)) return std::nullopt;
    inner.push_back({head[0].text, index->size});
    const Tokens block = slice(body, header + 1, end - 1);
    if (ends.size() == 1 && !fills_full(block, inner)) return std::nullopt;  // it is read as it is
    Tokens condition{head[0], symbol(ends.size() == 2 ? ">=" : "<", head[0])};
    put(condition, ends[0]);
    const auto statements = of_statements(condition, block, inner);
    if (!statements) return std::nullopt;
    Tokens found{body[k], head[0], head[1], head[2]};
    put(found, in_brackets(index->size, head[0]));
    found.push_back(symbol(":", head[0]));
    found.push_back(body[header]);
    put(found, *statements);
    put(found, {{TokenKind::separator, "\n", head[0].span}, body[end - 1]});
    return found;
  }
  bool fills_full(const Tokens& block, const Indices& around) const {
    const auto statements = statements_of(block);
    return std::any_of(statements.begin(), statements.end(), [&](const Tokens& s) {
      const auto g = given_by(s);
      return g && base_of(*g, around) && !is_zero_before(*g, around);
    });
  }
  /// A size that the program does not give a number, n or x.shape[0], and that is the same in all steps.
  bool is_size(const Tokens& t, const Indices& indices) const {
    bool any = false;
    for (std::size_t k = 0; k < t.size(); ++k) {
      if (t[k].kind != TokenKind::name || (k > 0 && t[k - 1].is("."))) continue;
      if (std::any_of(indices.begin(), indices.end(), [&](const Index& i) { return i.name == t[k].text; })) return false;
      any = any || !t[k].is("len");
      if (given_.count(t[k].text) == 0) continue;
      for (std::size_t i = 0; i + 2 < program_.size(); ++i) {  // n = x.shape[0]; of others nothing is known
        if (!begins_statement(program_, i)) continue;
        const Tokens s = slice(program_, i, end_of_statement(program_, i));
        const auto equals = assignment(s);
        const bool gives = equals && names(slice(s, 0, *equals), t[k].text);
        if (gives && !(k + 1 < t.size() && t[k + 1].is(".")) && std::none_of(s.begin(), s.end(), [](const Token& x) { return x.is("shape") || x.is("len"); })) return false;
      }
      if (given_.at(t[k].text) > 1) return false;
    }
    return any;
  }

  /// The mask of a condition at the indices that it names, M[i, j]; nothing where it is about anything else.
  std::optional<Tokens> mask(const Tokens& condition, const Indices& around) const {
    static constexpr std::string_view operators[] = {"+", "-", "*", "//", "%", "<", "<=", ">", ">=", "==", "!=", "(", ")", "abs", "and", "or", "not"};
    std::vector<const Index*> used;
    for (std::size_t k = 0; k < condition.size(); ++k) {
      const Token& t = condition[k];
      if (is_among(t.text, operators) || t.kind == TokenKind::number) continue;
      if (t.kind != TokenKind::name) return std::nullopt;
      const auto index = std::find_if(around.rbegin(), around.rend(), [&](const Index& i) { return i.name == t.text; });
      if (index == around.rend()) {
        if (given_.count(t.text) + tensors_.count(t.text) > 0) return std::nullopt;  // what a step may change, or of which each entry is compared
        continue;
      }
      if (index->size.empty()) return std::nullopt;
      if (std::find(used.begin(), used.end(), &*index) == used.end()) used.push_back(&*index);
    }
    if (used.empty() || used.size() > 2) return std::nullopt;
    const auto joined = as_array(condition);
    if (!joined) return std::nullopt;
    const Token& at = condition[0];
    std::map<std::string_view, Tokens> arrays;
    for (std::size_t k = 0; k < used.size(); ++k) {
      Tokens array = called_with("arange", {used[k]->size}, at);
      if (used.size() == 2 && k == 0) put(array, {symbol("[", at), symbol(":", at), symbol(",", at), word("None", at), symbol("]", at)});
      if (used.size() == 2 && k == 1) put(array, {symbol("[", at), word("None", at), symbol(",", at), symbol(":", at), symbol("]", at)});
      arrays[used[k]->name] = std::move(array);
    }
    Tokens found = in_brackets(replaced(*joined, arrays), at);
    found.push_back(symbol("[", at));
    for (std::size_t k = 0; k < used.size(); ++k) {
      if (k > 0) found.push_back(symbol(",", at));
      found.push_back(word(used[k]->name, at));
    }
    found.push_back(symbol("]", at));
    return found;
  }
  /// a and b as (a) & (b); nothing where no comparison is made.
  static std::optional<Tokens> as_array(const Tokens& c) {
    if (c.empty()) return std::nullopt;
    if (is_in_round_brackets(c)) return as_array(inside(c, 1));
    for (const auto& [name, sign] : {std::pair{"or", "|"}, std::pair{"and", "&"}}) {
      const auto place = place_outside(c, name);
      if (!place) continue;
      const auto left = as_array(slice(c, 0, *place)), right = as_array(between(c, *place + 1));
      if (!left || !right) return std::nullopt;
      Tokens found = in_brackets(*left, c[0]);
      found.push_back(symbol(sign, c[0]));
      put(found, in_brackets(*right, c[0]));
      return found;
    }
    if (c[0].is("not")) {
      const auto inner = as_array(between(c, 1));
      if (!inner) return std::nullopt;
      Tokens found{symbol("~", c[0])};
      put(found, in_brackets(*inner, c[0]));
      return found;
    }
    static constexpr std::string_view relations[] = {"<", "<=", ">", ">=", "==", "!="};
    std::vector<std::size_t> places;
    for (std::size_t k = 0; k < c.size(); ++k) {
      if (is_among(c[k].text, relations) && open_brackets(c, k).empty()) places.push_back(k);
      else if (is_among(c[k].text, relations)) return std::nullopt;
    }
    if (places.size() == 1) return c;
    if (places.size() != 2) return std::nullopt;
    Tokens found = in_brackets(slice(c, 0, places[1]), c[0]);  // 0 <= i - j < w
    found.push_back(symbol("&", c[0]));
    put(found, in_brackets(between(c, places[0] + 1), c[0]));
    return found;
  }
  static Tokens negated(const Tokens& condition) {
    Tokens found{word("not", condition[0])};
    put(found, in_brackets(condition, condition[0]));
    return found;
  }

  /// T = value or T += value, split at its operator.
  struct Given {
    Tokens target;
    std::string_view sign;  ///< empty for =
    Tokens value;
  };
  static std::optional<Given> given_by(const Tokens& s) {
    const auto equals = assignment(s);
    if (!equals || *equals == 0 || assignment(between(s, *equals + 1))) return std::nullopt;
    const bool sign = s[*equals - 1].kind == TokenKind::symbol && !closes(s[*equals - 1]);
    return Given{slice(s, 0, *equals - (sign ? 1 : 0)), sign ? s[*equals - 1].text : std::string_view(), between(s, *equals + 1)};
  }
  static Tokens giving(const Given& g, const Tokens& value) {
    Tokens found = g.target;
    if (!g.sign.empty()) found.push_back(symbol(g.sign, g.target[0]));
    found.push_back(symbol("=", g.target[0]));
    put(found, value);
    return found;
  }
  static bool same(const Tokens& a, const Tokens& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Token& x, const Token& y) { return x.text == y.text; });
  }

  /// Whether all statements that give the name a value are those in the block, and so are all that read it.
  bool is_of_block(std::string_view name, const Tokens& block) const {
    const auto count = [&](const Tokens& t) { return std::count_if(t.begin(), t.end(), [&](const Token& x) { return x.is(name); }); };
    return count(program_) == count(block);
  }
  bool is_zero_before(const Given& g, const Indices& around) const {
    const auto base = base_of(g, around);
    return base && base->size() == 1 && base->front().text == "0";
  }
  /// What stands in the places of S before the loops where S[i, j] names the index of each loop between that and here, and nothing else gives S values: 0, or c of np.full((n, m), c)
  /// all of whose places the loops go through. Nothing for others.
  std::optional<Tokens> base_of(const Given& g, const Indices& around) const {
    if (g.target.size() < 4 || g.target[0].kind != TokenKind::name || !g.target[1].is("[") || closing(g.target, 1) + 1 != g.target.size()) return std::nullopt;
    const std::vector<Tokens> places = parts_of(inside(g.target, 2));
    const auto stands = [&](const Index& i) { return std::any_of(places.begin(), places.end(), [&](const Tokens& p) { return p.size() == 1 && p[0].is(i.name); }); };
    const auto outer = loops_around_.find(g.target[0].text);
    if (outer == loops_around_.end() || outer->second > around.size()) return std::nullopt;
    if (!std::all_of(around.begin() + static_cast<std::ptrdiff_t>(outer->second), around.end(), stands)) return std::nullopt;  // a later step would write over it
    int begins = 0, changes = 0, others = 0;
    std::optional<Tokens> base;
    for (const Tokens& s : statements_of(program_)) {
      const auto other = s[0].is("for") || s[0].is("def") ? std::nullopt : given_by(s);
      if (!other || other->target.empty()) continue;
      if (other->target.size() == 1 && other->target[0].is(g.target[0].text)) {
        ++begins;
        base = begun_with(*other, places, around);
      }
      else if (other->target[0].is(g.target[0].text)) ++changes;
      else others += names(other->target, g.target[0].text) ? 1 : 0;
    }
    return begins == 1 && changes == 1 && others == 0 ? base : std::nullopt;
  }
  /// 0 of np.zeros(...), c of np.full((n, m), c) where the places are all those of that shape.
  std::optional<Tokens> begun_with(const Given& g, const std::vector<Tokens>& places, const Indices& around) const {
    if (!g.sign.empty()) return std::nullopt;
    if (makes_zeros(g.value) && !called(g.value)->text.starts_with("empty")) return Tokens{{TokenKind::number, "0", g.value[0].span}};
    const Token* function = called_alone(g.value);
    if (function == nullptr || !function->is("full")) return std::nullopt;
    const std::vector<Tokens> arguments = parts_of(inside(g.value, static_cast<std::size_t>(function - g.value.data()) + 2));
    if (arguments.size() != 2 || !is_by_place(arguments[0]) || !is_by_place(arguments[1]) || !is_one_bracket(arguments[0])) return std::nullopt;
    if (!is_number(arguments[1])) return std::nullopt;  // what has a name may have another value by then, and of a comparison the array holds truth values
    const auto is_real = [](const Token& t) { return t.is("inf") || t.text.find("inf") != std::string_view::npos || (t.kind == TokenKind::number && t.text.find('.') != std::string_view::npos); };
    if (std::none_of(arguments[1].begin(), arguments[1].end(), is_real)) return std::nullopt;  // np.full((n, m), 3) holds whole numbers, and cuts off what it gets
    const std::vector<Tokens> shape = parts_of(inside(arguments[0], 1));
    bool all = shape.size() == places.size();
    for (std::size_t k = 0; all && k < shape.size(); ++k) {
      const auto index = std::find_if(around.begin(), around.end(), [&](const Index& i) { return places[k].size() == 1 && places[k][0].is(i.name); });
      all = index != around.end() && !index->size.empty() && same(index->size, shape[k]) && std::count_if(places.begin(), places.end(), [&](const Tokens& p) { return same(p, places[k]); }) == 1;
    }
    return all && is_filled_next(g.target[0].text) ? std::optional(arguments[1]) : std::nullopt;
  }
  /// Whether what names the array first behind its beginning is a loop, and nothing in that names it but one place that gets a value.
  bool is_filled_next(std::string_view array) const {
    for (std::size_t k = 0; k + 1 < program_.size(); ++k) {
      if (!begins_statement(program_, k) || !program_[k].is(array) || !program_[k + 1].is("=")) continue;
      for (std::size_t next = behind_statement(program_, k); next < program_.size(); next = behind_statement(program_, next)) {
        while (next < program_.size() && ends_statement(program_[next])) ++next;
        if (next >= program_.size()) break;
        const Tokens s = slice(program_, next, behind_statement(program_, next));
        const auto mentions = std::count_if(s.begin(), s.end(), [&](const Token& t) { return t.is(array); });
        if (mentions > 0) return mentions == 1 && s[0].is("for");
      }
    }
    return false;
  }

  /// Some cases that begin at k: what they do, as where(...); nothing for others. `last`: the statement before, with what ends it.
  std::optional<Cases> of_cases(const Tokens& body, std::size_t k, const Indices& around, const Tokens& last) {
    const std::size_t header = end_of_statement(body, k), end = behind_statement(body, k);
    Tokens condition = slice(body, k + 1, header);
    if (!condition.empty() && condition.back().is(":")) condition.pop_back();
    if (condition.empty() || !mask(condition, around)) return std::nullopt;
    const Tokens block = slice(body, header + 1, end - 1);
    std::size_t next = end;
    while (next < body.size() && body[next].kind == TokenKind::separator) ++next;
    if (next < body.size() && body[next].is("elif")) return std::nullopt;
    if (next < body.size() && body[next].is("else")) {
      const std::size_t other_header = end_of_statement(body, next), behind = behind_statement(body, next);
      const auto one = statements_of(block), two = statements_of(slice(body, other_header + 1, behind - 1));
      const auto a = one.size() == 1 ? given_by(one[0]) : std::nullopt, b = two.size() == 1 ? given_by(two[0]) : std::nullopt;
      if (!a || !b || !same(a->target, b->target) || a->sign != b->sign) return std::nullopt;
      return Cases{giving(*a, one_of(condition, *a, b->value, around)), behind};
    }
    const std::vector<Tokens> statements = statements_of(block);
    if (statements.size() == 1 && statements[0].size() == 1 && statements[0][0].is("continue")) {
      const Tokens rest = slice(body, end, body.size());
      const auto found = of_statements(negated(condition), rest, around);
      return found ? std::optional(Cases{*found, body.size()}) : std::nullopt;
    }
    if (statements.size() == 1) {
      const auto g = given_by(statements[0]);
      Tokens before = last;
      while (!before.empty() && ends_statement(before.back())) before.pop_back();
      const auto first = g && g->sign.empty() ? given_by(before) : std::nullopt;
      if (first && first->sign.empty() && same(first->target, g->target) && !names(g->value, g->target[0].text)) {  // S[i, j] = a; if j > i: S[i, j] = b
        return Cases{giving(*g, one_of(condition, *g, first->value, around)), end, true};
      }
    }
    const auto found = of_statements(condition, block, around);
    return found ? std::optional(Cases{*found, end}) : std::nullopt;
  }
  /// The statements that are done where the condition holds.
  std::optional<Tokens> of_statements(const Tokens& condition, const Tokens& block, const Indices& around) {
    if (std::any_of(block.begin(), block.end(), [](const Token& t) { return t.kind == TokenKind::block_begin; })) return std::nullopt;
    Tokens found;
    const Tokens none{{TokenKind::number, "0", condition[0].span}};
    for (const Tokens& s : statements_of(block)) {
      const auto g = given_by(s);
      if (!g || g->target.empty()) return std::nullopt;
      if (!found.empty()) found.push_back({TokenKind::separator, "\n", s[0].span});
      const auto more = added(*g);
      const bool adds = g->sign == "+" || g->sign == "-", own = g->sign.empty() && g->target.size() == 1 && is_of_block(g->target[0].text, block);
      if (own) put(found, s);
      else if (adds) put(found, giving(*g, chosen(condition, as_added(condition, *g, around), none, around)));
      else if (more) put(found, giving(*more, chosen(condition, as_added(condition, *more, around), none, around)));
      else if (const auto base = g->sign.empty() ? base_of(*g, around) : std::nullopt) {
        put(found, giving(*g, chosen(condition, g->value, *base, around)));
        if (!is_zero_before(*g, around)) full_.insert(g->target[0].text);
      } else return std::nullopt;
    }
    return found.empty() ? std::nullopt : std::optional(found);
  }
  /// x = x + y as x += y
  static std::optional<Given> added(const Given& g) {
    if (!g.sign.empty() || g.target.size() != 1 || g.value.size() < 3 || g.value[0].text != g.target[0].text || (!g.value[1].is("+") && !g.value[1].is("-"))) return std::nullopt;
    const Tokens rest = between(g.value, 2);
    if (names(rest, g.target[0].text) || has_outside(rest, "if") || has_outside(rest, "lambda") || (g.value[1].is("-") && (has_outside(rest, "+") || has_outside(rest, "-")))) return std::nullopt;
    return Given{g.target, g.value[1].text, rest};
  }
  /// e, which has one shape with x: a sum that nothing is added to stays a number, and of two cases Python takes one as it is.
  static Tokens of_shape(const Tokens& x, const Tokens& e) { return called_with(kept_call, {x, e}, e[0]); }
  /// 2, -1.5, -np.inf or float("-inf")
  static bool is_number(const Tokens& t) {
    static constexpr std::string_view words[] = {"-", ".", "(", ")", "np", "numpy", "torch", "math", "inf", "float"};
    return std::all_of(t.begin(), t.end(), [](const Token& x) { return x.kind == TokenKind::number || x.kind == TokenKind::text || is_among(x.text, words); });
  }
  /// Of two cases the one that is taken; a place of an array, S[i, j], has its shape whatever it gets.
  Tokens one_of(const Tokens& condition, const Given& g, const Tokens& otherwise, const Indices& around) const {
    const Tokens zero{{TokenKind::number, "0", condition[0].span}};
    if (g.target.size() > 1) return chosen(condition, g.value, otherwise, around);
    if (is_number(otherwise)) return chosen(condition, of_shape(zero, g.value), otherwise, around);
    if (is_number(g.value)) return chosen(condition, g.value, of_shape(zero, otherwise), around);
    return chosen(condition, g.value, of_shape(g.value, otherwise), around);
  }
  /// What is added where the condition holds: of the shape of what it is added to, but where some step of the innermost loop surely adds it.
  Tokens as_added(const Tokens& condition, const Given& g, const Indices& around) const {
    return g.target.size() > 1 || holds_somewhere(condition, around) ? g.value : of_shape(g.target, g.value);
  }
  /// j <= i and the like hold at j == i, where both go through as many values.
  static bool holds_somewhere(const Tokens& written, const Indices& around) {
    Tokens c = without_brackets(written);
    const bool negated = !c.empty() && c[0].is("not");
    if (negated) c = without_brackets(between(c, 1));
    static constexpr std::string_view with_equal[] = {"<=", ">=", "=="}, without[] = {"<", ">", "!="};
    if (c.size() != 3 || around.size() < 2 || !(negated ? is_among(c[1].text, without) : is_among(c[1].text, with_equal))) return false;
    const Index& inner = around.back();
    const bool first = c[0].is(inner.name);
    if ((!first && !c[2].is(inner.name)) || c[0].text == c[2].text) return false;
    const auto outer = std::find_if(around.rbegin() + 1, around.rend(), [&](const Index& i) { return c[first ? 2 : 0].is(i.name); });
    return outer != around.rend() && !inner.size.empty() && same(outer->size, inner.size);
  }
  Tokens chosen(const Tokens& condition, const Tokens& value, const Tokens& otherwise, const Indices& around) const { return called_with("where", {*mask(condition, around), value, otherwise}, condition[0]); }

  /// a if j <= i else b, as a value or as what a comprehension makes.
  Tokens of_statement(const Tokens& s, const Indices& around) const {
    if (std::none_of(s.begin(), s.end(), [](const Token& t) { return t.is("else"); }) || std::any_of(s.begin(), s.end(), [](const Token& t) { return t.is("lambda"); })) return s;
    const auto equals = assignment(s);
    const std::size_t first = s[0].is("return") || s[0].is("assert") ? 1 : equals ? *equals + 1 : 0;
    Tokens found = slice(s, 0, first);
    put(found, of_value(between(s, first), around));
    return found;
  }
  Tokens of_value(const Tokens& t, const Indices& around) const {
    Indices inner = around;
    const auto loop = place_outside(t, "for");
    const bool filtered = loop && has_outside(between(t, *loop), "if"), two = loop && has_outside(between(t, *loop + 1), "for");
    for (std::size_t k = loop.value_or(t.size()); k < t.size(); ++k) {
      if (!t[k].is("for") || !open_brackets(t, k).empty()) continue;
      add_targets(between(t, k + 1), inner);
      if (filtered || two) inner.back().size.clear();
    }
    const Tokens value = slice(t, 0, loop.value_or(t.size()));
    const auto begin = place_outside(value, "if"), other = place_outside(value, "else");
    if (begin && other && *begin < *other && *begin > 0 && !has_outside(value, ",") && !has_outside(slice(value, 0, *begin), "==") && !has_outside(between(value, *other), "==") && !has_outside(value, "lambda") && !has_outside(between(value, *other + 1), "if")) {
      const Tokens condition = slice(value, *begin + 1, *other);
      if (!condition.empty() && mask(condition, inner)) {
        const Given both{{}, {}, of_value(slice(value, 0, *begin), inner)};
        Tokens found = one_of(condition, both, of_value(between(value, *other + 1), inner), inner);
        if (loop) put(found, between(t, *loop));
        return found;
      }
    }
    Tokens found;
    for (std::size_t k = 0; k < t.size(); ++k) {
      found.push_back(t[k]);
      if (!opens(t[k])) continue;
      const std::size_t close = closing(t, k);
      put(found, of_value(slice(t, k + 1, close), k < value.size() ? inner : around));
      k = close - 1;
    }
    return found;
  }

  const Tokens& program_;
  std::map<std::string_view, int> given_;
  std::map<std::string_view, int> loops_;  ///< how many loops and comprehensions have that index
  std::map<std::string_view, std::size_t> loops_around_;  ///< how many there are where a name gets its value
  std::set<std::string_view> tensors_;     ///< that are declared with axes
  std::set<std::string_view> full_;  ///< arrays whose places get what they had before, too
};

}  // namespace

Tokens with_index_conditions(Tokens tokens) {
  const auto any = [&](std::string_view what) { return std::any_of(tokens.begin(), tokens.end(), [&](const Token& t) { return t.is(what); }); };
  if (!any("for") || !any("range")) return tokens;  // nearly always
  const auto given = values_given(tokens);
  if (given.count("where") + given.count("arange") + given.count("abs") > 0) return tokens;  // one's own
  return IndexConditions(tokens).run();
}

}  // namespace foldproof::program
