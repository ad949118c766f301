// SPDX-License-Identifier: MIT
#include "program/drawn_factors.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>

#include "program/generators.hpp"

namespace foldproof::program {
namespace {

/// np.linalg.svd(A, full_matrices=False), from np to the bracket.
struct Taken {
  std::size_t begin, end;
  bool by_angles;  ///< qr
  bool whole;      ///< U and Vt are square
  Token of;
};

/// The factors of a matrix, by their names, and how they are drawn.
struct Factors {
  bool by_angles, whole;
  Tokens rows, columns;
  int larger;  ///< 1 where there are more rows, -1 where there are more columns
  std::vector<Token> names;
  std::vector<bool> taken;  ///< which of them the program uses
  bool made = false;        ///< the matrix is used, too
};

class DrawnFactors {
 public:
  DrawnFactors(Tokens tokens, Words& words) : tokens_(std::move(tokens)), words_(words), numbers_(named_numbers(tokens_)) {
    each_statement(tokens_, [&](const Tokens& statement, std::size_t end) {
      const std::size_t begin = end - statement.size();
      for (const std::string_view target : bound_names(statement).assigned) ++values_[{function_at(begin), target}];
      if (const auto equals = assignment(statement); equals && *equals == 1) draws_.emplace(Local{function_at(begin), statement[0].text}, begin);
    });
  }

  Tokens run() {
    for (std::size_t k = 0; k < tokens_.size(); ++k) {
      if (const auto call = call_at(k)) take_apart(*call);
    }
    for (auto& [matrix, f] : factors_) f.made = reads(matrix);
    Tokens written;
    each_statement(tokens_, [&](const Tokens& statement, std::size_t end) {
      const std::size_t begin = end - statement.size();
      const auto drawn = std::find_if(factors_.begin(), factors_.end(), [&](const auto& f) { return draws_.at(f.first) == begin; });
      if (drawn != factors_.end() && !statement.empty()) put(written, drawn_by_factors(drawn->first.second, drawn->second, statement[0]));
      else put(written, with_names_of_factors(statement, begin));
      if (end < tokens_.size()) written.push_back(tokens_[end]);
    });
    return written;
  }

 private:
  using Local = std::pair<std::size_t, std::string_view>;  ///< a name of the function that begins there, or of the program
  static constexpr std::size_t program = std::size_t(-1);

  /// Where the innermost function begins that token k stands in; its own `def` stands in it, with its parameters.
  std::size_t function_at(std::size_t k) const {
    std::size_t found = program;
    for (std::size_t d = 0; d <= k && d < tokens_.size(); ++d) {
      if (tokens_[d].is("def") && begins_statement(tokens_, d) && (d == k || behind_statement(tokens_, d) > k)) found = d;
    }
    return found;
  }
  /// The name by which the program knows what a function gets once, as its parameter.
  Local known_outside(const Local& parameter) const {
    const std::size_t def = parameter.first;
    const std::string_view word = parameter.second;
    if (def == program || values_.at(parameter) != 1) return parameter;
    const std::vector<Tokens> parameters = parts_of(slice(tokens_, def + 3, closing(tokens_, def + 2)));
    const auto at = std::find_if(parameters.begin(), parameters.end(), [&](const Tokens& p) { return !p.empty() && p[0].is(word); });
    if (at == parameters.end() || uses(tokens_[def + 1].text) != 1) return parameter;
    for (std::size_t k = 0; k + 1 < tokens_.size(); ++k) {
      if (k == def + 1 || !tokens_[k].is(tokens_[def + 1].text) || !tokens_[k + 1].is("(")) continue;
      const std::vector<Tokens> given = parts_of(slice(tokens_, k + 2, closing(tokens_, k + 1)));
      const auto place = static_cast<std::size_t>(at - parameters.begin());
      if (place < given.size() && given[place].size() == 1 && std::all_of(given.begin(), given.begin() + (at - parameters.begin()), is_by_place) && !is_recomputed(tokens_, k)) return {function_at(k), given[place][0].text};
    }
    return parameter;
  }
  /// Whether something else than these calls reads the matrix.
  bool reads(const Local& matrix) const {
    std::size_t others = 0;
    for (std::size_t k = 0; k < tokens_.size(); ++k) {
      if (!tokens_[k].is(matrix.second) || k == draws_.at(matrix)) continue;
      const auto call = k > 2 && tokens_[k - 1].is("(") ? call_at(k - 2) : std::nullopt;
      others += call && function_at(k) == matrix.first ? 0 : 1;
    }
    return others > 0;
  }

  std::optional<Taken> call_at(std::size_t k) const {
    const bool by_angles = tokens_[k].is("qr");
    if ((!by_angles && !tokens_[k].is("svd")) || k < 2 || !tokens_[k - 1].is(".") || !tokens_[k - 2].is("linalg") || k + 1 >= tokens_.size() || !tokens_[k + 1].is("(")) return std::nullopt;
    std::size_t begin = k - 2;
    while (begin > 1 && tokens_[begin - 1].is(".") && tokens_[begin - 2].kind == TokenKind::name) begin -= 2;
    const std::size_t close = closing(tokens_, k + 1);
    const std::vector<Tokens> arguments = parts_of(slice(tokens_, k + 2, close));
    if (tokens_[begin].is("scipy") || arguments[0].size() != 1 || arguments[0][0].kind != TokenKind::name) return std::nullopt;
    const bool option = arguments.size() == 2 && !by_angles && arguments[1].size() == 3 && arguments[1][0].is("full_matrices") && (arguments[1][2].is("True") || arguments[1][2].is("False"));
    if (arguments.size() > 1 && !option) return std::nullopt;
    return Taken{begin, close + 1, by_angles, !by_angles && !(option && arguments[1][2].is("False")), arguments[0][0]};
  }

  /// Notes the factors of a matrix that is drawn, and only drawn.
  void take_apart(const Taken& call) {
    const Local named{function_at(call.begin), call.of.text};
    const auto own = values_.find(named);
    const Local matrix = own == values_.end() ? Local{program, call.of.text} : draws_.count(named) > 0 ? named : known_outside(named);
    const auto at = draws_.find(matrix);
    if (at == draws_.end() || values_.at(matrix) != 1) return;
    const bool same = matrix == named;
    const std::size_t drawn = end_of_statement(tokens_, at->second);
    if ((same && at->second >= call.begin) || changes_between(call.of.text, same ? drawn : end_of_statement(tokens_, named.first), call.begin) || (!same && changes_between(matrix.second, drawn, tokens_.size()))) return;
    const std::vector<Tokens> sizes = sizes_of(slice(tokens_, at->second + 2, drawn));
    const auto larger = sizes.size() == 2 ? compared(sizes[0], sizes[1]) : std::nullopt;
    const auto places = larger ? places_read(call) : std::vector<std::size_t>{};
    if (places.empty()) return;
    const auto [known, first] = factors_.try_emplace(matrix, Factors{call.by_angles, call.whole, sizes[0], sizes[1], *larger, {}, std::vector<bool>(3, false)});
    Factors& f = known->second;
    for (const char* factor : {call.by_angles ? "q" : "u", call.by_angles ? "r" : "s", "vt"}) {
      if (first) f.names.push_back(fresh({TokenKind::name, matrix.second, call.of.span}, factor));
    }
    if (f.by_angles != call.by_angles || f.whole != call.whole) return;
    for (const std::size_t place : places) f.taken[place] = true;
    taken_.emplace(call.begin, matrix);
  }
  /// Which factors are named by U, s, Vt = np.linalg.svd(A) or np.linalg.qr(A)[0]; none where another thing is done with them.
  std::vector<std::size_t> places_read(const Taken& call) const {
    const std::size_t count = call.by_angles ? 2 : 3;
    if (const auto k = place_behind(call)) return *k < count ? std::vector<std::size_t>{*k} : std::vector<std::size_t>{};
    const std::size_t begin = beginning_of_statement(tokens_, call.begin);
    const Tokens statement = slice(tokens_, begin, end_of_statement(tokens_, call.begin));
    const auto equals = assignment(statement);
    if (!equals || begin + *equals + 1 != call.begin || begin + statement.size() != call.end) return {};
    const std::vector<Token> targets = target_names(slice(statement, 0, *equals));
    std::vector<std::size_t> found;
    for (std::size_t k = 0; k < targets.size() && targets.size() == count && parts_of(slice(statement, 0, *equals)).size() == count; ++k) {
      if (!targets[k].is("_")) found.push_back(k);
    }
    return found;
  }
  /// The number in the brackets behind it.
  std::optional<std::size_t> place_behind(const Taken& call) const {
    const bool bracket = call.end + 2 < tokens_.size() && tokens_[call.end].is("[") && tokens_[call.end + 2].is("]");
    return bracket ? small_number({tokens_[call.end + 1]}) : std::nullopt;
  }
  /// Whether W[0] = ..., W.mul_(2) or f(W) stands there.
  bool changes_between(std::string_view matrix, std::size_t begin, std::size_t end) const {
    for (std::size_t k = begin; k < end; ++k) {
      if (!tokens_[k].is(matrix)) continue;
      const std::size_t first = beginning_of_statement(tokens_, k);
      const Tokens statement = slice(tokens_, first, end_of_statement(tokens_, k));
      const auto equals = assignment(statement);
      const bool method = k + 2 < tokens_.size() && tokens_[k + 1].is(".") && changes_in_place(tokens_[k + 2].text);
      const bool only_reads = statement[0].is("assert") || statement[0].is("print");
      if ((!equals && !only_reads) || (equals && k - first < *equals) || method) return true;
    }
    return false;
  }
  /// The sizes of randn(n, d), 0.02 * randn(n, d) and randn(n, d) / np.sqrt(d), also where the draw has a name of its own; none of other values.
  std::vector<Tokens> sizes_of(Tokens value) const {
    if (const std::size_t end = end_of_draw(value, 0); end == value.size() && !value.empty()) {
      const auto open = std::find_if(value.begin(), value.end(), [](const Token& t) { return t.is("("); });
      if (!(open - 1)->is("randn") && !(open - 1)->is("standard_normal")) return {};
      const std::vector<Tokens> sizes = parts_of(inside(value, static_cast<std::size_t>(open - value.begin()) + 1));
      return sizes.size() == 1 && is_one_bracket(sizes[0]) ? parts_of(inside(sizes[0], 1)) : sizes;
    }
    std::string_view drawn;
    for (std::size_t k = 0; k < value.size(); ++k) {
      if (!is_use(value, k) || numbers_.count(value[k].text) > 0 || is_number({value[k]})) continue;
      if (!drawn.empty()) return {};
      drawn = value[k].text;
    }
    const auto at = std::find_if(draws_.begin(), draws_.end(), [&](const auto& d) { return d.first.second == drawn; });
    if (at == draws_.end() || values_.at(at->first) != 1 || uses(drawn) != 1) return {};
    const bool begins = value[0].is(drawn), ends = value.back().is(drawn);
    const std::size_t sign = begins ? 1 : value.size() - 2;
    if (value.size() < 3 || !(value[sign].is("*") || (begins && value[sign].is("/"))) || !is_number(begins ? between(value, 2) : slice(value, 0, sign)) || !(begins || ends)) return {};
    return sizes_of(slice(tokens_, at->second + 2, end_of_statement(tokens_, at->second)));
  }
  /// Made of numbers and roots of sizes, and not 0.
  bool is_number(const Tokens& value) const {
    return std::all_of(value.begin(), value.end(), [&](const Token& t) {
      if (t.kind == TokenKind::number) return std::strtod(std::string(t.text).c_str(), nullptr) > 0;
      return t.is("(") || t.is(")") || t.is("*") || t.is("/") || t.is("**") || t.is(".") || t.is("np") || t.is("math") || t.is("torch") || t.is("sqrt") || numbers_.count(t.text) > 0;
    });
  }
  std::ptrdiff_t uses(std::string_view word) const { return std::count_if(tokens_.begin(), tokens_.end(), [&](const Token& t) { return t.is(word); }) - 1; }
  /// The sign of the difference of two sizes; nothing where it is not known.
  std::optional<int> compared(const Tokens& a, const Tokens& b) const {
    if (std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Token& x, const Token& y) { return x.text == y.text; })) return 0;
    const auto x = number(a), y = number(b);
    return x && y ? std::optional((*x > *y) - (*x < *y)) : std::nullopt;
  }
  std::optional<long> number(const Tokens& size) const {
    if (size.size() != 1) return std::nullopt;
    const auto named = numbers_.find(size[0].text);
    const Token& t = named == numbers_.end() ? size[0] : named->second;
    const bool whole = t.kind == TokenKind::number && t.text.size() < 10 && t.text.find_first_not_of("0123456789") == std::string_view::npos;
    return whole ? std::optional(std::strtol(std::string(t.text).c_str(), nullptr, 10)) : std::nullopt;
  }
  Token fresh(const Token& matrix, const std::string& factor) { return word(fresh_name(std::string(matrix.text) + "_" + factor, tokens_, words_), matrix); }

  /// The statements that draw the factors, and make the matrix of them where something else reads it.
  Tokens drawn_by_factors(std::string_view matrix, const Factors& f, const Token& at) {
    Tokens found;
    const auto state = [&](const Token& target, const Tokens& value) {
      if (!found.empty()) found.push_back({TokenKind::separator, "\n", at.span});
      put(found, {target, symbol("=", at)});
      put(found, value);
    };
    const auto draw = [&](std::string_view call, const std::vector<Tokens>& sizes) {
      Tokens value{word(call, at), symbol("(", at)};
      put(value, with_commas(sizes, at));
      value.push_back(symbol(")", at));
      return value;
    };
    const Tokens &rows = f.rows, &columns = f.columns, &fewer = f.larger > 0 ? columns : rows;
    const auto columns_of = [&](const Token& m, bool some) {
      Tokens value{m};
      if (some) put(value, {symbol("[", at), symbol(":", at), symbol(",", at), symbol(":", at)}), put(value, fewer), value.push_back(symbol("]", at));
      return value;
    };
    const auto rows_of = [&](const Token& m, bool some) {
      Tokens value{m};
      if (some) put(value, {symbol("[", at), symbol(":", at)}), put(value, fewer), value.push_back(symbol("]", at));
      return value;
    };
    /// Square, and cut where that is what the library gives.
    const auto rotation = [&](const Token& target, const Tokens& size, bool cut, const auto& cut_to) {
      const Token all = cut ? fresh(target, "all") : target;
      state(all, draw(rotation_call, {size, size}));
      if (cut) state(target, cut_to(all, true));
    };
    const auto needs = [&](std::size_t k) { return f.made || f.taken[k]; };
    if (needs(0)) rotation(f.names[0], rows, !f.whole && f.larger > 0, columns_of);
    if (f.by_angles && needs(1)) {
      const Token entries = fresh(f.names[1], "all");
      state(entries, draw("randn", {fewer, columns}));
      state(f.names[1], {word("np", at), symbol(".", at), word("triu", at), symbol("(", at), entries, symbol(")", at)});
    }
    if (!f.by_angles && needs(1)) state(f.names[1], draw(magnitudes_call, {fewer}));
    if (!f.by_angles && needs(2)) rotation(f.names[2], columns, !f.whole && f.larger < 0, rows_of);
    if (!f.made) return found;
    Tokens product;
    if (f.by_angles) {
      product = {f.names[0], symbol("@", at), f.names[1]};
    } else {
      product = {symbol("(", at)};
      put(product, columns_of(f.names[0], f.whole && f.larger > 0));
      put(product, {symbol("*", at), f.names[1], symbol(")", at), symbol("@", at)});
      put(product, rows_of(f.names[2], f.whole && f.larger < 0));
    }
    state(word(matrix, at), product);
    return found;
  }

  /// A statement with the names of the factors where they are taken.
  Tokens with_names_of_factors(const Tokens& statement, std::size_t begin) {
    Tokens found;
    for (std::size_t k = begin; k < begin + statement.size(); ++k) {
      const auto matrix = taken_.find(k);
      if (matrix == taken_.end()) {
        found.push_back(tokens_[k]);
        continue;
      }
      const std::vector<Token>& names = factors_.at(matrix->second).names;
      std::size_t function = k;
      while (!call_at(function)) ++function;
      const auto call = call_at(function);
      if (const auto place = place_behind(*call)) {
        found.push_back(names[*place]);
        k = call->end + 2;
        continue;
      }
      const std::vector<Token> targets = target_names(slice(statement, 0, *assignment(statement)));
      found.clear();
      for (std::size_t t = 0; t < targets.size(); ++t) {
        if (targets[t].is("_")) continue;
        if (!found.empty()) found.push_back({TokenKind::separator, "\n", targets[t].span});
        put(found, {targets[t], symbol("=", targets[t]), names[t]});
      }
      return found;
    }
    return found;
  }
  Tokens tokens_;
  Words& words_;
  std::map<std::string_view, Token> numbers_;
  std::map<Local, int> values_;          ///< how many statements give a name a value
  std::map<Local, std::size_t> draws_;   ///< where the first statement begins that gives it one
  std::map<Local, Factors> factors_;     ///< of the matrices
  std::map<std::size_t, Local> taken_;   ///< where the calls begin, and their matrices
};

}  // namespace

Tokens with_rotations(const Tokens& tokens) {
  Tokens found;
  std::set<std::string> seeds;
  for (std::size_t k = 0; k < tokens.size(); ++k) {
    found.push_back(tokens[k]);
    const bool group = tokens[k].is("rvs") && k > 1 && tokens[k - 1].is(".") && tokens[k - 2].is("ortho_group"), initial = tokens[k].is("orthogonal_") && k > 1 && tokens[k - 1].is(".") && tokens[k - 2].is("init");
    if ((!group && !initial) || k + 1 >= tokens.size() || !tokens[k + 1].is("(")) continue;
    const std::size_t close = closing(tokens, k + 1);
    std::vector<Tokens> given = parts_of(slice(tokens, k + 2, close));
    Tokens size = given[0].size() > 2 && given[0][0].is("dim") && given[0][1].is("=") ? between(given[0], 2) : given[0];
    if (initial) {
      const Token* const made = called(size);
      const std::vector<Tokens> sizes = made != nullptr && (made->is("empty") || made->is("zeros") || made->is("randn")) ? parts_of(inside(size, static_cast<std::size_t>(made - size.data()) + 2)) : std::vector<Tokens>{};
      if (sizes.size() != 2 || text_of(sizes[0]) != text_of(sizes[1])) continue;
      size = sizes[0];
    }
    const bool seeded = group && given.size() == 2 && given[1].size() == 3 && given[1][0].is("random_state") && seeds.insert(text_of(given[1])).second;  // one seed twice is one matrix twice
    if (given.size() > 1 && !seeded) continue;
    while (found.size() > 1 && found[found.size() - 2].is(".")) found.resize(found.size() - 2);
    found.back() = word(rotation_call, tokens[k]);
    found.push_back(tokens[k + 1]);
    put(found, with_commas({size, size}, tokens[k]));
    found.push_back(tokens[close]);
    k = close;
  }
  return found;
}

Tokens with_drawn_factors(Tokens tokens, Words& words) {
  const bool any = std::any_of(tokens.begin(), tokens.end(), [](const Token& t) { return t.is("qr") || t.is("svd"); });
  return any ? DrawnFactors(std::move(tokens), words).run() : tokens;
}

}  // namespace foldproof::program
