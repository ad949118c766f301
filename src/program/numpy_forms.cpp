// SPDX-License-Identifier: MIT
#include "program/numpy_forms.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "program/language.hpp"

namespace foldproof::program {
namespace {

bool is_named(const Tokens& argument, std::string_view key) { return is_by_name(argument) && argument[0].is(key); }
bool is_columns_first(const Tokens& value) { return value.size() == 1 && value[0].kind == TokenKind::text && value[0].text.size() == 3 && value[0].text[1] == 'F'; }

/// np.c_[A, b] as np.column_stack((A, b)), np.r_[A, B] as np.concatenate((A, B)); not np.r_[0:4] nor np.r_['-1', A].
std::optional<Tokens> joined_arrays(const Tokens& t, std::size_t k) {
  const bool columns = t[k].is("c_");
  if ((!columns && !t[k].is("r_")) || k < 2 || !t[k - 1].is(".") || k + 1 >= t.size() || !t[k + 1].is("[")) return std::nullopt;
  const std::vector<Tokens> parts = parts_of(slice(t, k + 2, closing(t, k + 1)));
  for (const Tokens& part : parts) {
    if (part.empty() || has_outside(part, ":") || part[0].kind == TokenKind::text) return std::nullopt;
  }
  Tokens found{word(columns ? "column_stack" : "concatenate", t[k]), symbol("(", t[k]), symbol("(", t[k])};
  put(found, with_commas(parts, t[k]));
  put(found, {symbol(",", t[k]), symbol(")", t[k]), symbol(")", t[k])});
  return found;
}

/// .flatten(order='F') as .T.reshape(-1), and .reshape(m, n, order='F') as .T.reshape(n, m).T
std::optional<Tokens> by_columns(const Tokens& t, std::size_t k) {
  const bool flat = t[k].is("flatten") || t[k].is("ravel");
  if ((!flat && !t[k].is("reshape")) || k == 0 || !t[k - 1].is(".") || k + 1 >= t.size() || !t[k + 1].is("(")) return std::nullopt;
  std::vector<Tokens> sizes = parts_of(slice(t, k + 2, closing(t, k + 1)));
  if (sizes.empty() || sizes.back().empty()) return std::nullopt;
  const Tokens last = sizes.back();
  const bool columns = is_named(last, "order") ? is_columns_first(between(last, 2)) : flat && is_columns_first(last);
  sizes.pop_back();
  if (!columns || flat != sizes.empty()) return std::nullopt;
  if (sizes.size() == 1 && is_one_bracket(sizes[0]) && has_outside(inside(sizes[0], 1), ",")) sizes = parts_of(inside(sizes[0], 1));
  if (flat) sizes = {{symbol("-", t[k]), {TokenKind::number, "1", t[k].span}}};
  std::reverse(sizes.begin(), sizes.end());
  Tokens found{word("T", t[k]), symbol(".", t[k]), word("reshape", t[k]), symbol("(", t[k])};
  put(found, with_commas(sizes, t[k]));
  found.push_back(symbol(")", t[k]));
  if (sizes.size() > 1) put(found, {symbol(".", t[k]), word("T", t[k])});
  return found;
}

/// S[np.triu_indices(n, k=1)] as S[np.triu(np.ones((n, n)), k=1) == 1], from np on.
std::optional<Tokens> triangle(const Tokens& t, std::size_t k, Tokens& before) {
  const bool upper = t[k].is("triu_indices") || t[k].is("triu_indices_from"), square = t[k].is("triu_indices") || t[k].is("tril_indices");
  if ((!upper && !t[k].is("tril_indices") && !t[k].is("tril_indices_from")) || k < 3 || !t[k - 3].is("[") || k + 1 >= t.size() || !t[k + 1].is("(")) return std::nullopt;
  const std::size_t close = closing(t, k + 1);
  std::vector<Tokens> arguments = parts_of(slice(t, k + 2, close));
  if (close + 1 >= t.size() || !t[close + 1].is("]") || arguments[0].empty() || !is_by_place(arguments[0]) || arguments.size() > 2) return std::nullopt;
  Tokens ones{word("ones", t[k]), symbol("(", t[k])};
  if (square) put(ones, {symbol("(", t[k])});
  put(ones, square ? with_commas({arguments[0], arguments[0]}, t[k]) : arguments[0]);
  if (!square) put(ones, {symbol(".", t[k]), word("shape", t[k])});
  put(ones, square ? Tokens{symbol(")", t[k]), symbol(")", t[k])} : Tokens{symbol(")", t[k])});
  arguments[0] = {word("np", t[k]), symbol(".", t[k])};
  put(arguments[0], ones);
  Tokens found{word("np", t[k]), symbol(".", t[k]), word(upper ? "triu" : "tril", t[k]), symbol("(", t[k])};
  put(found, with_commas(arguments, t[k]));
  put(found, {symbol(")", t[k]), symbol("==", t[k]), {TokenKind::number, "1", t[k].span}});
  before.resize(before.size() - 2);  // np and its point
  return found;
}

/// (1, 2) as its parts; none of another value.
std::vector<Tokens> tuple(const Tokens& value) { return is_one_bracket(value) && has_outside(inside(value, 1), ",") ? parts_of(inside(value, 1)) : std::vector<Tokens>{}; }

/// torch.roll(x, shifts=(a, b), dims=(c, d)) as torch.roll(torch.roll(x, a, c), b, d), and x.roll((a, b), (c, d)) as x.roll(a, c).roll(b, d): from the name on.
std::optional<Tokens> rolled(const Tokens& t, std::size_t k, Tokens& before) {
  if (!t[k].is("roll") || k < 2 || !t[k - 1].is(".") || k + 1 >= t.size() || !t[k + 1].is("(")) return std::nullopt;
  const bool function = t[k - 2].is("torch") || t[k - 2].is("np") || t[k - 2].is("numpy") || t[k - 2].is("jnp");
  std::vector<Tokens> arguments = parts_of(slice(t, k + 2, closing(t, k + 1)));
  if (arguments.size() != (function ? 3u : 2u)) return std::nullopt;
  std::vector<Tokens> shifts, axes;
  for (std::size_t a = function ? 1 : 0; a < arguments.size(); ++a) {
    const bool named = is_by_name(arguments[a]);
    const bool axis = named ? is_named(arguments[a], "dims") || is_named(arguments[a], "axis") : a + 1 == arguments.size();
    (axis ? axes : shifts) = tuple(between(arguments[a], named ? 2 : 0));
  }
  if (shifts.size() < 2 || shifts.size() != axes.size()) return std::nullopt;
  Tokens value;
  for (std::size_t n = 0; n < shifts.size(); ++n) {
    Tokens next = function ? Tokens{t[k - 2], t[k - 1]} : Tokens{};
    if (!function && n > 0) put(next, {t[k - 1]});  // what is rolled stands before it
    put(next, {t[k], t[k + 1]});
    put(next, function ? with_commas({n == 0 ? arguments[0] : value, shifts[n], axes[n]}, t[k]) : with_commas({shifts[n], axes[n]}, t[k]));
    next.push_back(symbol(")", t[k]));
    if (function) value = std::move(next);
    else put(value, next);
  }
  if (function) before.resize(before.size() - 2);  // torch and its point
  return value;
}

/// x.new_zeros(n, d) as torch.zeros(n, d), from torch on; also of lin.weight.
std::optional<Tokens> made_like(const Tokens& t, std::size_t k, Tokens& before) {
  static constexpr std::string_view makers[] = {"new_zeros", "new_ones"};
  if (std::find(std::begin(makers), std::end(makers), t[k].text) == std::end(makers) || k < 2 || k + 1 >= t.size() || !t[k + 1].is("(")) return std::nullopt;
  std::size_t first = k;
  while (first > 1 && t[first - 1].is(".") && t[first - 2].kind == TokenKind::name) first -= 2;
  if (t[first - (first > 0 ? 1 : 0)].is(".") || first == k) return std::nullopt;  // of a value, f(x).new_zeros(...)
  before.resize(before.size() - (k - first));
  Tokens found{word("torch", t[k]), symbol(".", t[k]), word(t[k].text.substr(4), t[k])};
  put(found, slice(t, k + 1, closing(t, k + 1) + 1));
  return found;
}

/// The names that stand for Python's lists wherever they stand: each value they get is one, and they are no parameters.
std::set<std::string_view> lists_in(const Tokens& tokens) {
  std::map<std::string_view, int> made;
  each_statement(tokens, [&](const Tokens& s, std::size_t) {
    if (s.size() > 3 && s[0].kind == TokenKind::name && s[1].is("=") && s[2].is("[") && closing(s, 2) + 1 == s.size()) ++made[s[0].text];
  });
  const auto given = made.empty() ? std::map<std::string_view, int>() : values_given(tokens);
  std::erase_if(made, [&](const auto& name) { return given.at(name.first) != name.second; });
  for (std::size_t k = 0; k + 2 < tokens.size() && !made.empty(); ++k) {
    if (!tokens[k].is("def") || !tokens[k + 2].is("(")) continue;
    for (std::size_t p = k + 3; p < closing(tokens, k + 2); ++p) made.erase(tokens[p].text);
  }
  std::set<std::string_view> found;
  for (const auto& [name, count] : made) found.insert(name);
  return found;
}

/// Whether a function of two arguments that is given to reduce multiplies what is before with the next one, or, `turned`, the next one with what is before.
struct Fold {
  bool turned = false;
};
std::optional<Fold> fold_of(const Tokens& f) {
  static constexpr std::string_view modules[] = {"np", "numpy", "jnp", "torch", "operator"}, products[] = {"matmul", "mm", "dot"};
  if (f.size() == 3 && f[1].is(".") && is_among(f[0].text, modules) && is_among(f[2].text, products)) return Fold{};
  const bool lambda = f.size() == 8 && f[0].is("lambda") && f[2].is(",") && f[4].is(":") && f[6].is("@");  // lambda a, b: a @ b
  if (!lambda || f[1].text == f[3].text) return std::nullopt;
  if (f[5].text == f[1].text && f[7].text == f[3].text) return Fold{};
  return f[5].text == f[3].text && f[7].text == f[1].text ? std::optional(Fold{true}) : std::nullopt;
}

/// reduce(np.matmul, Ws, x) as multi_dot([x] + Ws), with functools before it or not.
std::optional<Tokens> folded(const Tokens& t, std::size_t k, Tokens& before, const std::set<std::string_view>& lists) {
  if (!t[k].is("reduce") || k + 1 >= t.size() || !t[k + 1].is("(")) return std::nullopt;
  std::vector<Tokens> arguments = parts_of(slice(t, k + 2, closing(t, k + 1)));
  if (arguments.size() > 1 && !arguments[0].empty() && arguments[0][0].is("lambda") && !has_outside(arguments[0], ":")) {  // the comma is between its parameters
    arguments[0] = with_commas({arguments[0], arguments[1]}, t[k]);
    arguments.erase(arguments.begin() + 1);
  }
  const auto fold = fold_of(arguments[0]);
  if (!fold || arguments.size() < 2 || arguments.size() > 3 || std::any_of(arguments.begin(), arguments.end(), is_by_name)) return std::nullopt;
  const auto in_brackets = [&](const Tokens& parts) {
    Tokens list{symbol("[", t[k])};
    put(list, parts);
    list.push_back(symbol("]", t[k]));
    return list;
  };
  const bool written = is_one_bracket(arguments[1]) && has_outside(inside(arguments[1], 1), ","), named = arguments[1].size() == 1 && lists.count(arguments[1][0].text) > 0;
  if (!written && !named) return std::nullopt;
  Tokens list = arguments[1];
  if (written) {
    std::vector<Tokens> parts = parts_of(inside(list, 1));
    if (fold->turned) std::reverse(parts.begin(), parts.end());
    list = in_brackets(with_commas(parts, t[k]));
  } else if (fold->turned) {
    put(list, in_brackets({symbol(":", t[k]), symbol(":", t[k]), symbol("-", t[k]), {TokenKind::number, "1", t[k].span}}));
  }
  if (arguments.size() == 3) {
    const Tokens first = in_brackets(arguments[2]);
    Tokens all = fold->turned ? list : first;
    all.push_back(symbol("+", t[k]));
    put(all, fold->turned ? first : list);
    list = std::move(all);
  }
  if (before.size() > 1 && before.back().is(".") && before[before.size() - 2].is("functools")) before.resize(before.size() - 2);
  Tokens found{word("multi_dot", t[k]), t[k + 1]};
  put(found, list);
  found.push_back(symbol(")", t[k]));
  return found;
}

/// [x, *Ws] as [x] + Ws of a list Ws, where nothing that binds more tightly stands beside it; lists of modules are joined as they are written.
std::optional<Tokens> starred(const Tokens& t, std::size_t k, const std::set<std::string_view>& lists) {
  const std::size_t close = closing(t, k);
  const bool alone = close + 1 < t.size() && (ends_statement(t[close + 1]) || t[close + 1].is(")") || t[close + 1].is(",") || t[close + 1].is(":"));
  const bool begins = k > 0 && !(k > 1 && t[k - 2].is("ModuleList")) && (t[k - 1].is("(") || t[k - 1].is(",") || t[k - 1].is("=") || t[k - 1].is("in") || t[k - 1].is("return"));
  const std::vector<Tokens> parts = alone && begins ? parts_of(slice(t, k + 1, close)) : std::vector<Tokens>{};
  const auto is_list = [&](const Tokens& part) { return part.size() == 2 && part[0].is("*") && lists.count(part[1].text) > 0; };
  const auto is_known = [&](const Tokens& part) { return part.empty() || !part[0].is("*") || is_list(part); };
  if (parts.size() < 2 || std::none_of(parts.begin(), parts.end(), is_list) || !std::all_of(parts.begin(), parts.end(), is_known)) return std::nullopt;
  Tokens found;
  for (std::size_t p = 0; p < parts.size(); ++p) {
    if (parts[p].empty()) continue;
    if (!found.empty()) found.push_back(symbol("+", t[k]));
    if (is_list(parts[p])) found.push_back(parts[p][1]);
    else {
      found.push_back(symbol("[", t[k]));
      put(found, parts[p]);
      found.push_back(symbol("]", t[k]));
    }
  }
  return found;
}

Tokens with_numpy_forms(const Tokens& tokens, const std::set<std::string_view>& lists) {
  Tokens found;
  const bool folds = values_given(tokens).count("reduce") == 0;  // it is no function of the program
  for (std::size_t k = 0; k < tokens.size(); ++k) {
    if (auto list = tokens[k].is("[") ? starred(tokens, k, lists) : std::nullopt) {
      put(found, with_numpy_forms(std::move(*list), lists));
      k = closing(tokens, k);
      continue;
    }
    const bool of_module = k > 0 && tokens[k - 1].is(".");
    if (tokens[k].kind != TokenKind::name || (!of_module && !tokens[k].is("reduce"))) {
      found.push_back(tokens[k]);
      continue;
    }
    auto other = folds ? folded(tokens, k, found, lists) : std::nullopt;
    if (!other && of_module) other = joined_arrays(tokens, k);
    if (!other && of_module) other = by_columns(tokens, k);
    if (!other && of_module) other = rolled(tokens, k, found);
    if (!other && of_module) other = triangle(tokens, k, found);
    if (!other && of_module) other = made_like(tokens, k, found);
    if (!other) {
      found.push_back(tokens[k]);
      continue;
    }
    put(found, with_numpy_forms(std::move(*other), lists));
    k = closing(tokens, k + 1);
  }
  return found;
}

}  // namespace

Tokens with_numpy_forms(const Tokens& tokens) { return with_numpy_forms(tokens, lists_in(tokens)); }

}  // namespace foldproof::program
