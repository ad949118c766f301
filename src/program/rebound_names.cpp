// SPDX-License-Identifier: MIT
#include "program/rebound_names.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace foldproof::program {
namespace {

using Names = std::set<std::string_view>;

class Rebound {
 public:
  Rebound(Tokens tokens, Words& words) : tokens_(std::move(tokens)), words_(words) {
    for (const Token& t : tokens_) taken_.insert(t.text);
  }

  Tokens run() {
    for (std::size_t k = 0; k < tokens_.size();) {
      const std::size_t header = end_of_statement(tokens_, k), end = behind_statement(tokens_, k);
      const Tokens s = slice(tokens_, k, std::max(end, header));
      const bool block = header < tokens_.size() && tokens_[header].kind == TokenKind::block_begin;
      put(written_, with_names_of_now(s));
      if (end < tokens_.size()) written_.push_back(tokens_[end]);
      k = std::max(end, header) + 1;
      if (s.empty()) continue;
      const bool lambda = s.size() > 3 && s[0].kind == TokenKind::name && s[1].is("=") && s[2].is("lambda");
      if (s[0].is("def") || lambda) note(s, lambda ? s[0] : s[1], lambda);
      else if (block) valued_.merge(bound_names(s).assigned);
      else give(s, k);
    }
    return std::move(written_);
  }

 private:
  struct Function {
    Token name;
    Tokens written;
    std::size_t place;  ///< of its name
    Names read, in_defaults;  ///< names of the program, also functions; those in default values, which Python reads where the function is defined
    bool has_old_default = false;  ///< one of which has another value by now
  };

  void note(const Tokens& s, const Token& name, bool lambda) {
    const BoundNames bound = bound_names(s);
    Function f{name, s, lambda ? std::size_t(0) : std::size_t(1), {}, {}, false};
    const std::size_t colon = place_outside(s, ":").value_or(0);
    for (std::size_t k = 2; k < s.size(); ++k) {
      if (!is_use(s, k) || (lambda ? bound.recomputed.count(s[k].text) > 0 : bound.has(s[k].text))) continue;
      f.read.insert(s[k].text);
      if (k < colon) f.in_defaults.insert(s[k].text);
    }
    std::erase_if(functions_, [&](const Function& other) { return other.name.text == name.text; });
    now_.erase(name.text);
    functions_.push_back(std::move(f));
    valued_.insert(name.text);
  }

  /// A name gets a value, after which the functions are written again that read what it was before and that are called below.
  void give(const Tokens& s, std::size_t next) {
    if (!assignment(s)) {
      if (place_outside(s, ":") == std::optional<std::size_t>(1)) valued_.insert(s[0].text);  // W: [n, d]
      return;
    }
    Names changed;
    for (const Tokens& target : parts_of(slice(s, 0, targets_end(s)))) {
      for (const Token& t : target) {
        if (t.kind != TokenKind::name) continue;
        if (valued_.count(t.text) > 0) changed.insert(t.text);
        valued_.insert(t.text);
        break;  // W of W[0]
      }
    }
    if (changed.empty()) return;
    for (const std::string_view name : changed) std::erase_if(functions_, [&](const Function& f) { return f.name.text == name; });
    const auto reads_changed = [&](const Function& f) { return std::any_of(f.read.begin(), f.read.end(), [&](std::string_view name) { return changed.count(name) > 0; }); };
    if (std::none_of(functions_.begin(), functions_.end(), reads_changed)) return;
    const Names called = called_behind(next);
    for (Function& f : functions_) {  // in their order: of two that call each other the first one comes first
      if (!reads_changed(f)) continue;
      changed.insert(f.name.text);
      f.has_old_default = f.has_old_default || std::any_of(f.in_defaults.begin(), f.in_defaults.end(), [&](std::string_view name) { return changed.count(name) > 0; });
      if (f.has_old_default) continue;
      if (called.count(f.name.text) > 0) again(f);
    }
  }
  /// The functions that the program calls below, by themselves or by others that are called there.
  Names called_behind(std::size_t next) const {
    Names found;
    for (const Function& f : functions_) {
      if (names(tokens_, f.name.text, next)) found.insert(f.name.text);
    }
    for (auto f = functions_.rbegin(); f != functions_.rend(); ++f) {  // each calls those before it
      if (found.count(f->name.text) > 0) found.insert(f->read.begin(), f->read.end());
    }
    return found;
  }
  void again(const Function& f) {
    const Token other = numbered(f.name, [&](std::string_view name) { return taken_.count(name) > 0; }, words_);
    taken_.insert(other.text);
    Tokens written = with_names_of_now(f.written);
    written[f.place].text = other.text;
    now_[f.name.text] = other.text;
    put(written_, written);
    written_.push_back({TokenKind::separator, "\n", f.name.span});
  }

  Tokens with_names_of_now(const Tokens& s) const {
    if (now_.empty()) return s;
    Tokens found = s;
    const BoundNames bound = !s.empty() && s[0].is("def") ? bound_names(s) : BoundNames{};
    for (std::size_t k = 0; k < found.size(); ++k) {
      const auto other = is_use(found, k) && !(k == 1 && found[0].is("def")) ? now_.find(found[k].text) : now_.end();
      if (other != now_.end() && !bound.has(found[k].text)) found[k].text = other->second;
    }
    return found;
  }

  Tokens tokens_;
  Words& words_;
  Tokens written_;
  std::vector<Function> functions_;
  std::map<std::string_view, std::string_view> now_;  ///< what functions are called that have been written again
  Names valued_, taken_;
};

/// Whether the lambda there is put into a list, and called when the list is used: fs.append(lambda z: ...), fs += [lambda z: ...].
bool is_kept(const Tokens& tokens, std::size_t lambda) {
  const auto open = open_brackets(tokens, lambda);
  if (open.empty()) return false;
  const std::size_t bracket = open.back();
  const bool call = tokens[bracket].is("(") && bracket > 0 && tokens[bracket - 1].kind == TokenKind::name;
  return !call || tokens[bracket - 1].is("append") || tokens[bracket - 1].is("extend") || tokens[bracket - 1].is("insert");
}

/// The names that get a value, or are changed in place, in these statements.
Names changing_names(const Tokens& tokens) {
  Names found = bound_names(tokens).assigned;
  for (const Tokens& s : statements_of(tokens)) {
    if (assignment(s)) found.insert(s[0].text);
    for (std::size_t k = 0; k + 2 < s.size(); ++k) {
      if (s[k].kind == TokenKind::name && s[k + 1].is(".") && changes_in_place(s[k + 2].text)) found.insert(s[k].text);
    }
  }
  return found;
}

/// fs.append(lambda z: z @ W[i]) in a loop looks for i where it is called; lambda z, i=i: z @ W[i] has that of its own step, and is read
/// without it. Errors: `parse.loop` for names that may have another value by then.
Tokens with_values_of_their_steps(Tokens tokens) {
  for (std::size_t k = 1; k < tokens.size(); ++k) {
    if (!tokens[k].is("lambda") || !is_kept(tokens, k)) continue;
    Names changing = changing_names(between(tokens, end_of_statement(tokens, k)));
    for (std::size_t loop = 0; loop < k; ++loop) {
      const bool around = begins_statement(tokens, loop) && (tokens[loop].is("for") || tokens[loop].is("while")) && behind_statement(tokens, loop) > k;
      if (around) changing.merge(changing_names(slice(tokens, loop, behind_statement(tokens, loop))));
    }
    const Tokens rest = slice(tokens, k + 1, closing(tokens, open_brackets(tokens, k).back()));
    const std::size_t colon = place_outside(rest, ":").value_or(rest.size());
    std::vector<Tokens> parameters = parts_of(slice(rest, 0, colon));
    std::erase_if(parameters, [&](const Tokens& p) { return p.size() == 3 && p[1].is("=") && p[0].text == p[2].text && changing.erase(p[0].text) > 0; });
    for (const Tokens& p : parameters) changing.erase(p.empty() ? std::string_view() : p[0].text);
    const Tokens body = parts_of(slice(rest, colon, rest.size())).front();
    for (std::size_t at = 0; at < body.size(); ++at) {
      if (!is_use(body, at) || changing.count(body[at].text) == 0 || is_index(body, at)) continue;
      const std::string name(body[at].text);
      refuse_loop(body[at], "the function reads `" + name + "` where it is called, and `" + name + "` may be another one by then", "keep it with the function: lambda x, " + name + "=" + name + ": ...");
    }
    Tokens next = slice(tokens, 0, k + 1);
    put(next, with_commas(parameters, tokens[k]));
    put(next, slice(tokens, k + 1 + colon, tokens.size()));
    tokens = std::move(next);
  }
  return tokens;
}

}  // namespace

Tokens with_functions_again(Tokens tokens, Words& words) {
  const bool any = std::any_of(tokens.begin(), tokens.end(), [](const Token& t) { return t.is("def") || t.is("lambda"); });
  return any ? Rebound(with_values_of_their_steps(std::move(tokens)), words).run() : tokens;
}

}  // namespace foldproof::program
