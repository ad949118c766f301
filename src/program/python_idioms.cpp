// SPDX-License-Identifier: MIT
#include "program/python_idioms.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "program/library_names.hpp"

namespace foldproof::program {
namespace {

/// What a function asks of its one argument: whether it is None, or whether it is not.
struct Question {
  std::size_t begin, end;  ///< its definition
  Tokens answer;           ///< is None, is not None
  int given = 1;           ///< how often such a definition counts in values_given: a lambda as a function, and as what a name is given
};

/// is None, is not None: of the parameter that the body names.
Tokens answer_of(const Tokens& body, const Token& parameter) {
  const bool negated = body.size() == 4 && body[2].is("not");
  const bool asks = (negated || body.size() == 3) && body[0].is(parameter.text) && body[1].is("is") && body.back().is("None");
  return asks ? between(body, 1) : Tokens{};
}

/// The functions of the program that ask whether what they are given is None, each of which is defined once.
std::map<std::string_view, Question> questions(const Tokens& tokens) {
  std::map<std::string_view, Question> found;
  for (std::size_t k = 0; k + 3 < tokens.size(); ++k) {
    if (!begins_statement(tokens, k)) continue;
    const std::size_t end = end_of_statement(tokens, k);
    if (tokens[k].is("def") && tokens[k + 2].is("(") && end + 1 < tokens.size() && tokens[end].kind == TokenKind::block_begin && !is_decorated(tokens, k)) {
      const auto parameters = parts_of(slice(tokens, k + 3, closing(tokens, k + 2)));
      const Tokens body = slice(tokens, end + 1, end_of_statement(tokens, end + 1));
      const std::size_t behind = behind_statement(tokens, k);
      const bool one = parameters.size() == 1 && !parameters[0].empty() && parameters[0][0].kind == TokenKind::name && !has_outside(parameters[0], "=");
      const bool only = statements_of(slice(tokens, end + 1, behind - 1)).size() == 1 && !body.empty() && body[0].is("return");
      const Tokens answer = one && only ? answer_of(between(body, 1), parameters[0][0]) : Tokens{};
      if (!answer.empty()) found.emplace(tokens[k + 1].text, Question{k, behind, answer});
    } else if (tokens[k].kind == TokenKind::name && tokens[k + 1].is("=") && tokens[k + 2].is("lambda") && k + 4 < end && tokens[k + 4].is(":")) {
      const Tokens answer = answer_of(slice(tokens, k + 5, end), tokens[k + 3]);
      if (!answer.empty()) found.emplace(tokens[k].text, Question{k, end, answer, 2});
    }
  }
  if (found.empty()) return found;
  const auto given = values_given(tokens);
  std::erase_if(found, [&](const auto& q) { return given.at(q.first) > q.second.given; });
  return found;
}

/// What the function that is named at token k is called with, if that can stand before `is`; empty for other uses.
Tokens asked_of(const Tokens& tokens, std::size_t k) {
  static constexpr std::string_view weaker[] = {"and", "or", "not", "if", "lambda", "in", "is", "for", "==", "!=", "<", ">", "<=", ">=", "="};
  const std::size_t close = k + 1 < tokens.size() && tokens[k + 1].is("(") ? closing(tokens, k + 1) : tokens.size();
  const Tokens argument = close < tokens.size() ? slice(tokens, k + 2, close) : Tokens{};
  const bool plain = parts_of(argument).size() == 1 && std::none_of(std::begin(weaker), std::end(weaker), [&](std::string_view w) { return has_outside(argument, w); });
  return plain ? argument : Tokens{};
}

/// exists(mask) as mask is not None, and no definition of exists, where all uses are such calls.
Tokens with_questions_asked(Tokens tokens) {
  auto asked = questions(tokens);
  const auto question_at = [&](std::size_t k) { return is_use(tokens, k) && !(k > 0 && tokens[k - 1].is("def")) ? asked.find(tokens[k].text) : asked.end(); };
  for (std::size_t k = 0; k < tokens.size() && !asked.empty(); ++k) {  // map(exists, ...)
    const auto question = question_at(k);
    if (question != asked.end() && k != question->second.begin && asked_of(tokens, k).empty()) asked.erase(question);
  }
  if (asked.empty()) return tokens;
  Tokens found;
  for (std::size_t k = 0; k < tokens.size(); ++k) {
    const auto defined = std::find_if(asked.begin(), asked.end(), [&](const auto& q) { return q.second.begin == k; });
    if (defined != asked.end()) {
      k = defined->second.end - 1;
      continue;
    }
    const auto question = question_at(k);
    if (question == asked.end()) {
      found.push_back(tokens[k]);
      continue;
    }
    put(found, asked_of(tokens, k));
    for (const Token& t : question->second.answer) found.push_back({t.kind, t.text, tokens[k].span});
    k = closing(tokens, k + 1);
  }
  return found;
}

/// Classes without what they are printed as.
Tokens without_texts(const Tokens& tokens) {
  static constexpr std::string_view texts[] = {"__repr__", "__str__", "extra_repr"};
  Tokens found;
  for (std::size_t k = 0; k < tokens.size(); ++k) {
    const bool text = k + 2 < tokens.size() && tokens[k].is("def") && is_among(tokens[k + 1].text, texts) && tokens[k + 2].is("(") && begins_statement(tokens, k);
    if (!text) {
      found.push_back(tokens[k]);
      continue;
    }
    k = behind_statement(tokens, k) - 1;
    const bool alone = !found.empty() && found.back().kind == TokenKind::block_begin;  // a block has a statement
    if (alone) found.push_back({TokenKind::name, "pass", tokens[k].span});
  }
  return found;
}

/// A method of a class of the program.
struct Method {
  std::size_t begin, body, end;
  bool initial;  ///< __init__
  std::size_t of;  ///< where its class begins
};
std::vector<Method> methods_of(const Tokens& tokens) {
  std::vector<Method> found;
  for (std::size_t k = 0; k < tokens.size(); ++k) {
    if (!tokens[k].is("class") || !begins_statement(tokens, k)) continue;
    const std::size_t head = end_of_statement(tokens, k), end = behind_statement(tokens, k);
    for (std::size_t m = head + 1; m + 1 < end; m = std::max(behind_statement(tokens, m), end_of_statement(tokens, m)) + 1) {
      if (tokens[m].is("def")) found.push_back({m, end_of_statement(tokens, m) + 1, behind_statement(tokens, m), tokens[m + 1].is("__init__"), k});
    }
  }
  return found;
}

/// The one that token k stands in; null outside of them.
const Method* method_around(const std::vector<Method>& methods, std::size_t k) {
  const auto m = std::find_if(methods.begin(), methods.end(), [&](const Method& x) { return x.body <= k && k < x.end; });
  return m == methods.end() ? nullptr : &*m;
}

/// self.attn = softmax(S) of what the method alone reads, behind that, as a name of its own: it is kept for whoever wants to look at it.
Tokens with_own_names_for_records(Tokens tokens, Words& words) {
  const auto methods = methods_of(tokens);
  if (methods.empty()) return tokens;
  const auto is_of_self = [&](std::size_t k) { return k > 1 && tokens[k].kind == TokenKind::name && tokens[k - 1].is(".") && tokens[k - 2].is("self") && (k == 2 || !tokens[k - 3].is(".")); };
  const auto may_be_target = [&](std::size_t k) { return k + 1 < tokens.size() && (tokens[k + 1].is("=") || tokens[k + 1].is(",")); };
  std::map<std::string_view, std::vector<const Method*>> writers;  // of attributes
  std::set<std::string_view> by_text;                              // what stands in quotes: getattr(m, "attn")
  for (std::size_t k = 0; k < tokens.size(); ++k) {
    const Method* const m = is_of_self(k) && may_be_target(k) ? method_around(methods, k) : nullptr;
    if (m != nullptr && !m->initial) writers[tokens[k].text].push_back(m);
    if (tokens[k].kind == TokenKind::text && tokens[k].text.size() > 2) by_text.insert(tokens[k].text.substr(1, tokens[k].text.size() - 2));
  }
  // Whether what stands there lets the attribute be a record: in each method its value is given first, for every case, and __init__ says that there is none yet.
  const auto may_be_record = [&](std::size_t k) {
    const Method* const m = is_of_self(k) ? method_around(methods, k) : nullptr;
    if (m == nullptr) return false;
    int depth = 0;
    for (std::size_t at = m->body; at < k; ++at) {
      depth += step_into_block(tokens[at]);
      if (!m->initial && at > 1 && tokens[at].is(tokens[k].text) && tokens[at - 1].is(".") && tokens[at - 2].is("self")) return true;  // behind the first one
    }
    const std::size_t begin = beginning_of_statement(tokens, k);
    const Tokens s = slice(tokens, begin, end_of_statement(tokens, k));
    const auto equals = assignment(s);
    if (!equals || changes_in_place(s, *equals) || k - begin >= *equals || !open_brackets(s, k - begin).empty() || !may_be_target(k)) return false;
    if (m->initial) return s.size() == *equals + 2 && s.back().is("None");
    for (std::size_t at = *equals + 1; at < s.size(); ++at) {
      if (s[at].is(tokens[k].text) && s[at - 1].is(".")) return false;
    }
    return depth == 0;
  };
  const auto is_derived = [&](const Method& m) {  // from a class that may be one of the program
    const Tokens bases = slice(tokens, m.of + 2, end_of_statement(tokens, m.of));
    return std::any_of(methods.begin(), methods.end(), [&](const Method& other) { return names(bases, tokens[other.of + 1].text); });
  };
  const auto meet = [&](const Method* m, const Method* other) { return other != m && (other->of == m->of || is_derived(*m) || is_derived(*other)); };
  std::set<std::string_view> records;
  for (const auto& [name, by] : writers) {  // one method may call the other between its own value and where it is read
    const bool alone = std::none_of(by.begin(), by.end(), [&](const Method* m) { return std::any_of(by.begin(), by.end(), [&](const Method* other) { return meet(m, other); }); });
    if (alone && by_text.count(name) == 0) records.insert(name);
  }
  for (std::size_t k = 1; k < tokens.size(); ++k) {
    if (tokens[k - 1].is(".") && records.count(tokens[k].text) > 0 && !may_be_record(k)) records.erase(tokens[k].text);
  }
  if (records.empty()) return tokens;
  std::map<std::string_view, std::string_view> names;
  for (const std::string_view name : records) names[name] = fresh_name(std::string(name) + "_kept", tokens, words);
  Tokens found;
  for (std::size_t k = 0; k < tokens.size(); ++k) {
    const auto own = k + 2 < tokens.size() && tokens[k].is("self") && tokens[k + 1].is(".") ? names.find(tokens[k + 2].text) : names.end();
    const Method* const m = own != names.end() ? method_around(methods, k) : nullptr;
    if (m == nullptr || m->initial) {
      found.push_back(tokens[k]);
      continue;
    }
    found.push_back({TokenKind::name, own->second, tokens[k + 2].span});
    k += 2;
  }
  return found;
}

/// Where hasattr(torch.nn.functional, "scaled_dot_product_attention") ends, of what every PyTorch has that this language reads; 0 for others.
std::size_t end_of_question(const Tokens& tokens, std::size_t k) {
  static constexpr std::string_view functions[] = {"scaled_dot_product_attention", "rms_norm", "RMSNorm"}, modules[] = {"torch . nn . functional", "nn . functional", "F", "torch . nn", "nn"};
  if (!tokens[k].is("hasattr") || k + 1 >= tokens.size() || !tokens[k + 1].is("(")) return 0;
  const std::size_t close = closing(tokens, k + 1);
  const auto parts = close < tokens.size() ? parts_of(slice(tokens, k + 2, close)) : std::vector<Tokens>{};
  const bool one = parts.size() == 2 && parts[1].size() == 1 && parts[1][0].kind == TokenKind::text && parts[1][0].text.size() > 2;
  return one && is_among(text_of(parts[0]), modules) && is_among(parts[1][0].text.substr(1, parts[1][0].text.size() - 2), functions) ? close : 0;
}

/// Where np.float32(d) or torch.full([], c) ends, each of which is one number, or a tensor of it; 0 for others.
std::size_t end_of_number(const Tokens& tokens, std::size_t k, Tokens& value) {
  static constexpr std::string_view types[] = {"float16", "float32", "float64", "double"};
  if (k + 3 >= tokens.size() || !is_module(tokens[k].text) || !tokens[k + 1].is(".") || !tokens[k + 3].is("(") || (k > 0 && tokens[k - 1].is("."))) return 0;
  const std::size_t close = closing(tokens, k + 3);
  const auto parts = close < tokens.size() ? parts_of(slice(tokens, k + 4, close)) : std::vector<Tokens>{};
  const bool cast = is_among(tokens[k + 2].text, types) && !tokens[k].is("torch") && parts.size() == 1 && !parts[0].empty() && is_by_place(parts[0]);
  const bool full = tokens[k + 2].is("full") && parts.size() > 1 && parts[0].size() == 2 && (parts[0][0].is("[") || parts[0][0].is("(")) && is_by_place(parts[1]) && std::all_of(parts.begin() + 2, parts.end(), [](const Tokens& p) { return p.size() > 2 && (p[0].is("dtype") || p[0].is("device")); });
  if (!cast && !full) return 0;
  value = parts[full ? 1 : 0];
  return close;
}

/// dtype = torch.float32 and device = x.device with the type, or the device, wherever the name stands.
Tokens with_named_types(const Tokens& tokens) {
  static constexpr std::string_view types[] = {"float16", "float32", "float64", "float", "double", "half", "bfloat16", "long", "int64", "int32", "int"};
  std::map<std::string_view, Tokens> named;
  const auto type_in = [](const Tokens& s) {
    if (s.size() != 5 || s[0].kind != TokenKind::name || !s[1].is("=") || s[2].kind != TokenKind::name || !s[3].is(".")) return false;
    return is_module(s[2].text) ? is_among(s[4].text, types) : s[4].is("device");
  };
  each_statement(tokens, [&](const Tokens& s, std::size_t) {
    if (type_in(s)) named.emplace(s[0].text, between(s, 2));
  });
  if (named.empty()) return tokens;
  const auto given = values_given(tokens);
  std::erase_if(named, [&](const auto& n) { return given.at(n.first) != 1; });
  Tokens found;
  each_statement(tokens, [&](const Tokens& s, std::size_t end) {
    const bool names_type = type_in(s) && named.count(s[0].text) > 0;
    for (std::size_t k = 0; k < s.size() && !names_type; ++k) {
      const auto type = is_use(s, k) && !(k + 1 < s.size() && s[k + 1].is("=")) ? named.find(s[k].text) : named.end();
      if (type == named.end()) found.push_back(s[k]);
      else for (const Token& t : type->second) found.push_back({t.kind, t.text, s[k].span});
    }
    if (end < tokens.size() && !(names_type && tokens[end].kind == TokenKind::separator)) found.push_back(tokens[end]);
  });
  return found;
}

/// self.reset_parameters() in __init__ with what the method does, which takes nothing and gives nothing.
Tokens with_methods_of_init(Tokens tokens) {
  const auto methods = methods_of(tokens);
  for (std::size_t i = methods.size(); i-- > 0;) {
    if (!methods[i].initial) continue;
    for (std::size_t k = methods[i].body; k + 5 < methods[i].end; ++k) {
      const bool call = begins_statement(tokens, k) && tokens[k].is("self") && tokens[k + 1].is(".") && tokens[k + 3].is("(") && tokens[k + 4].is(")") && ends_statement(tokens[k + 5]);
      if (!call) continue;
      const auto method = std::find_if(methods.begin(), methods.end(), [&](const Method& m) { return tokens[m.begin + 1].is(tokens[k + 2].text) && !is_decorated(tokens, m.begin); });
      const bool one = method != methods.end() && std::count_if(methods.begin(), methods.end(), [&](const Method& m) { return tokens[m.begin + 1].is(tokens[k + 2].text); }) == 1;
      if (!one || text_of(slice(tokens, method->begin + 2, method->body - 2)) != "( self )") continue;
      const Tokens body = slice(tokens, method->body, method->end - 1);
      const auto statements = statements_of(body);
      const bool plain = std::all_of(statements.begin(), statements.end(), [](const Tokens& s) { return (s[0].is("self") || s[0].is("nn") || s[0].is("torch") || s[0].is("init")) && (!assignment(s) || s[0].is("self")); }) && std::none_of(body.begin(), body.end(), [](const Token& t) { return t.kind == TokenKind::block_begin || t.is("return"); });
      if (!plain) continue;
      Tokens next = slice(tokens, 0, k);
      put(next, body);
      put(next, slice(tokens, next.back().kind == TokenKind::separator && tokens[k + 5].kind == TokenKind::separator ? k + 6 : k + 5, tokens.size()));
      return with_methods_of_init(std::move(next));
    }
  }
  return tokens;
}

/// 10_000 as 10000.
Tokens with_plain_numbers(const Tokens& tokens, Words& words) {
  Tokens found;
  std::size_t merged = 0;  // where the last such number ends
  for (const Token& t : tokens) {
    if (!found.empty() && t.kind == TokenKind::number && t.text[0] == '.' && merged == t.span.begin) {  // 10_000.0
      words.push_back(std::string(found.back().text) + std::string(t.text));
      found.back() = {TokenKind::number, words.back(), {found.back().span.begin, t.span.end}};
      continue;
    }
    const bool digits = t.kind == TokenKind::name && t.text.size() > 1 && t.text[0] == '_' && t.text.find_first_not_of("_0123456789") == std::string_view::npos && t.text.back() != '_';
    if (!digits || found.empty() || found.back().kind != TokenKind::number || found.back().span.end != t.span.begin || found.back().text.find_first_not_of("0123456789") != std::string_view::npos) {
      found.push_back(t);
      continue;
    }
    std::string whole(found.back().text);
    std::copy_if(t.text.begin(), t.text.end(), std::back_inserter(whole), [](char c) { return c != '_'; });
    words.push_back(std::move(whole));
    found.back() = {TokenKind::number, words.back(), {found.back().span.begin, t.span.end}};
    merged = t.span.end;
  }
  return found;
}

/// b, h, n, k, v = *q.shape, w.shape[-1] as b, h, n, k = q.shape and v = w.shape[-1]. Decorators that only compile a function are left out.
Tokens with_plain_statements(const Tokens& tokens) {
  static constexpr std::string_view compilers[] = {"@ torch . compile", "@ torch . jit . script", "@ jax . jit"};
  Tokens found;
  each_statement(tokens, [&](const Tokens& s, std::size_t end) {
    const auto equals = assignment(s);
    const std::vector<Tokens> targets = equals ? parts_of(slice(s, 0, *equals)) : std::vector<Tokens>{}, values = equals ? parts_of(between(s, *equals + 1)) : std::vector<Tokens>{};
    const auto is_shape = [](const Tokens& v) { return v.size() == 4 && v[0].is("*") && v[1].kind == TokenKind::name && v[2].is(".") && v[3].is("shape"); };
    const bool reads_target = std::any_of(targets.begin(), targets.end(), [&](const Tokens& t) { return t.size() != 1 || names(s, t[0].text, equals.value_or(0)); });
    const bool spread = !reads_target && values.size() > 1 && targets.size() > values.size() && std::count_if(values.begin(), values.end(), is_shape) == 1 && std::none_of(values.begin(), values.end(), [&](const Tokens& v) { return v[0].is("*") && !is_shape(v); });
    const bool compiled = std::any_of(std::begin(compilers), std::end(compilers), [&](std::string_view c) { return text_of(s) == c; });
    std::size_t target = 0;
    for (std::size_t k = 0; k < values.size() && spread; ++k) {
      const std::size_t count = is_shape(values[k]) ? targets.size() - values.size() + 1 : 1;
      if (k > 0) found.push_back({TokenKind::separator, "\n", s[0].span});
      put(found, with_commas({targets.begin() + static_cast<std::ptrdiff_t>(target), targets.begin() + static_cast<std::ptrdiff_t>(target + count)}, s[0]));
      found.push_back(s[*equals]);
      put(found, is_shape(values[k]) ? between(values[k], 1) : values[k]);
      target += count;
    }
    if (!spread && !compiled) put(found, s);
    if (end < tokens.size() && !(compiled && tokens[end].kind == TokenKind::separator)) found.push_back(tokens[end]);
  });
  return found;
}

/// _, _, n, _ = K.shape with a name of its own for each that nobody reads.
Tokens with_names_for_unread(const Tokens& tokens, Words& words) {
  const auto is_unread = [](const Token& t) { return t.is("_"); };
  if (std::count_if(tokens.begin(), tokens.end(), is_unread) < 2) return tokens;
  Tokens found;
  each_statement(tokens, [&](Tokens s, std::size_t end) {
    const std::size_t targets = targets_end(s);
    bool first = true;
    if (targets > 0 && std::none_of(s.begin() + static_cast<std::ptrdiff_t>(targets), s.end(), is_unread)) {
      for (std::size_t k = 0; k < targets; ++k) {
        if (!is_unread(s[k])) continue;
        if (!first) s[k].text = fresh_name("unread", tokens, words);
        first = false;
      }
    }
    put(found, s);
    if (end < tokens.size()) found.push_back(tokens[end]);
  });
  return found;
}

/// Where torch.zeros(n) - float("inf") ends, and the sizes of torch.full((n,), float("-inf")); 0 for others.
std::size_t end_of_infinities(const Tokens& tokens, std::size_t k, Tokens& sizes) {
  if (k + 3 >= tokens.size() || !tokens[k].is("torch") || !tokens[k + 1].is(".") || !tokens[k + 2].is("zeros") || !tokens[k + 3].is("(")) return 0;
  const bool first = k == 0 || begins_statement(tokens, k) || tokens[k - 1].is("=") || tokens[k - 1].is(",") || tokens[k - 1].is("(") || tokens[k - 1].is("return");  // not s * torch.zeros(n)
  const std::size_t close = closing(tokens, k + 3);
  if (!first || close + 5 >= tokens.size() || text_of(slice(tokens, close + 1, close + 4)) != "- float (" || tokens[close + 4].text.find("inf") != 1 || tokens[close + 4].text.size() != 5) return 0;
  std::vector<Tokens> parts = parts_of(slice(tokens, k + 4, close));
  std::erase_if(parts, [](const Tokens& p) { return is_by_name(p); });
  if (parts.empty() || parts[0].empty()) return 0;
  sizes = parts.size() == 1 && is_one_bracket(parts[0]) ? parts[0] : Tokens{};
  if (!sizes.empty()) return close + 5;
  sizes = {symbol("(", tokens[k])};
  put(sizes, with_commas(parts, tokens[k]));
  put(sizes, {symbol(",", tokens[k]), symbol(")", tokens[k])});
  return close + 5;
}

/// assert a <= b < c, of numbers, as assert a <= b and assert b < c.
Tokens with_single_relations(const Tokens& tokens) {
  static constexpr std::string_view relations[] = {"<", "<=", ">", ">=", "=="};
  Tokens found;
  each_statement(tokens, [&](const Tokens& s, std::size_t end) {
    std::vector<std::size_t> places;
    const bool assertion = s.size() > 5 && s[0].is("assert") && !has_outside(s, "and") && !has_outside(s, "or") && !has_outside(s, "not") && !has_outside(s, "if") && !has_outside(s, ",");
    for (std::size_t k = 1; assertion && k < s.size(); ++k) {
      if (is_among(s[k].text, relations) && open_brackets(s, k).empty()) places.push_back(k);
    }
    const Tokens between_them = places.size() == 2 ? slice(s, places[0] + 1, places[1]) : Tokens{};
    if (between_them.empty() || std::any_of(between_them.begin(), between_them.end(), [](const Token& t) { return t.is("("); })) {
      put(found, s);
    } else {
      const auto a = small_number(slice(s, 1, places[0])), b = small_number(between_them);  // assert 0 <= 1 < x.ndim
      const bool holds = a && b && (s[places[0]].is("<") ? *a < *b : s[places[0]].is("<=") ? *a <= *b : false);
      if (!holds) put(found, slice(s, 0, places[1]));
      if (!holds) found.push_back({TokenKind::separator, "\n", s[places[1]].span});
      found.push_back(s[0]);
      put(found, slice(s, places[0] + 1, s.size()));
    }
    if (end < tokens.size()) found.push_back(tokens[end]);
  });
  return found;
}

}  // namespace

Tokens with_python_idioms(Tokens tokens, Words& words) {
  const auto may_be_idiom = [](const Token& t) { return t.is("def") || t.is("class") || t.is("assert") || t.is("hasattr") || t.is("lambda") || is_module(t.text) || t.text.starts_with('_'); };
  if (std::none_of(tokens.begin(), tokens.end(), may_be_idiom)) return tokens;  // nearly always
  tokens = with_names_for_unread(with_plain_numbers(tokens, words), words);
  tokens = with_methods_of_init(with_named_types(with_plain_statements(tokens)));
  tokens = with_single_relations(with_own_names_for_records(without_texts(with_questions_asked(std::move(tokens))), words));
  Tokens found, value;
  for (std::size_t k = 0; k < tokens.size(); ++k) {
    if (const std::size_t close = end_of_question(tokens, k); close > 0) {
      found.push_back(word("True", tokens[k]));
      k = close;
    } else if (const std::size_t behind = end_of_infinities(tokens, k, value); behind > 0) {
      put(found, {word("torch", tokens[k]), symbol(".", tokens[k]), word("full", tokens[k]), symbol("(", tokens[k])});
      put(found, value);
      put(found, {symbol(",", tokens[k]), word("float", tokens[k]), symbol("(", tokens[k]), {TokenKind::text, "'-inf'", tokens[k].span}, symbol(")", tokens[k]), symbol(")", tokens[k])});
      k = behind;
    } else if (k > 0 && tokens[k - 1].is(".") && (tokens[k].is("view_as") || tokens[k].is("reshape_as")) && k + 3 < tokens.size() && tokens[k + 1].is("(") && tokens[k + 2].kind == TokenKind::name && tokens[k + 3].is(")")) {
      found.push_back(word(tokens[k].is("view_as") ? "view" : "reshape", tokens[k]));
      put(found, {tokens[k + 1], tokens[k + 2], symbol(".", tokens[k]), word("shape", tokens[k]), tokens[k + 3]});
      k += 3;
    } else if (k > 0 && tokens[k].is(".") && k + 2 < tokens.size() && tokens[k + 1].is("requires_grad_") && tokens[k + 2].is("(") && closing(tokens, k + 2) < tokens.size()) {
      k = closing(tokens, k + 2);
    } else if (const std::size_t end = end_of_number(tokens, k, value); end > 0) {
      found.push_back(symbol("(", tokens[k]));
      put(found, with_python_idioms(value, words));
      found.push_back(symbol(")", tokens[k]));
      k = end;
    } else {
      found.push_back(tokens[k]);
    }
  }
  return found;
}

}  // namespace foldproof::program
