// SPDX-License-Identifier: MIT
#include "program/acting_calls.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "program/language.hpp"
#include "program/modules.hpp"

namespace foldproof::program {
namespace {

constexpr int most_calls = 200;  // of such functions, and such loops, in one program
constexpr std::size_t most_steps = 64;  // of one loop

class ActingCalls {
 public:
  ActingCalls(Tokens tokens, Words& words) : tokens_(std::move(tokens)), words_(words) {}

  /// The names of functions, methods and objects whose calls change what others may read.
  std::set<std::string_view> changing() const {
    const Known known = read();
    const auto is_changing = [&](const Function& f) { return f.acts == Acts::changes && !changes_its_own(known, f); };
    std::set<std::string_view> found;
    for (const auto& [name, f] : known.functions) {
      if (is_changing(f)) found.insert(name);
    }
    for (const auto& [name, c] : known.classes) {
      for (const auto& [method, f] : c.methods) {
        if (is_changing(f)) found.insert(method);
      }
    }
    for (const auto& [object, of] : known.objects) {
      const Function* const call = known.call_of(&known.classes.at(of));
      if (call != nullptr && is_changing(*call)) found.insert(object);
    }
    return found;
  }

  Tokens run() {
    for (int written = 0; written < most_calls && write_one_out(); ++written) {}
    return without_uncalled();
  }

 private:
  enum class Acts { nothing, asserts, changes };  ///< the last one also where it makes something
  struct Function {
    std::size_t begin, end;          ///< its statement, with its block
    std::vector<Tokens> parameters;  ///< those of methods without self
    Tokens body;                     ///< the statements of its block
    Acts acts = Acts::nothing;
  };
  struct Class {
    std::map<std::string_view, Function> methods;
    std::map<std::string_view, std::string_view> attributes;  ///< self.attn = Attention(...): what attributes are objects of
    std::map<std::string_view, Tokens> layers;                ///< self.q = nn.Linear(...): what attributes are given, modules among them
    std::string_view base;  ///< a class of the program
  };
  struct Known {
    std::map<std::string_view, Function> functions;
    std::map<std::string_view, Class> classes;
    std::map<std::string_view, std::string_view> objects;  ///< the classes of names that stand for one object
    std::map<std::string_view, Tokens> layers;             ///< nn.Linear(...): what names are made by that stand for one module
    const Function* method(const Class* c, std::string_view name) const {
      for (int above = 0; c != nullptr && above < 10; ++above) {
        if (const auto m = c->methods.find(name); m != c->methods.end()) return &m->second;
        const auto base = classes.find(c->base);
        c = base == classes.end() ? nullptr : &base->second;
      }
      return nullptr;
    }
    /// What an object of the class is called as.
    const Function* call_of(const Class* c) const {
      const Function* const own = method(c, "__call__");
      return own != nullptr ? own : method(c, "forward");
    }
  };
  /// A call of what acts, in a statement of the program.
  struct Call {
    std::size_t begin, end;  ///< its tokens, from the first of the path on
    const Function* function;
    Tokens object;  ///< of a method
    std::string_view name;
  };

  // ---- what the program has

  Known read() const {
    Known known;
    const auto times = bindings();
    const auto bound_once = [&](std::string_view name) {
      const auto at = times.find(name);
      return at != times.end() && at->second == 1;
    };
    for (std::size_t k = 0; k < tokens_.size(); k = next_statement(k)) {
      if (is_decorated(tokens_, k)) continue;
      if (tokens_[k].is("def") && bound_once(tokens_[k + 1].text)) {
        if (auto f = function_at(k, false)) known.functions.emplace(tokens_[k + 1].text, std::move(*f));
      } else if (tokens_[k].is("class") && k + 2 < tokens_.size() && bound_once(tokens_[k + 1].text)) {
        known.classes.emplace(tokens_[k + 1].text, class_at(k));
      } else if (k + 3 < tokens_.size() && tokens_[k].kind == TokenKind::name && tokens_[k + 1].is("=") && tokens_[k + 3].is("(") && known.classes.count(tokens_[k + 2].text) > 0 && bound_once(tokens_[k].text)) {
        known.objects.emplace(tokens_[k].text, tokens_[k + 2].text);
      } else if (k + 1 < tokens_.size() && (tokens_[k + 1].is("=") || tokens_[k + 1].is(","))) {
        for (const Tokens& s : one_by_one(slice(tokens_, k, end_of_statement(tokens_, k)))) {
          if (s.size() > 4 && s[1].is("=") && module_name(between(s, 2)) > 0 && bound_once(s[0].text)) known.layers.emplace(s[0].text, between(s, 2));
        }
      }
    }
    for (bool more = true; more;) {  // what calls something that acts does so, too
      more = false;
      const auto note = [&](Function& f) {
        if (const Acts now = acts(known, f.body); now > f.acts) {
          f.acts = now;
          more = true;
        }
      };
      for (auto& [name, f] : known.functions) note(f);
      for (auto& [name, c] : known.classes) {
        for (auto& [method, f] : c.methods) {
          if (method != "__init__") note(f);
        }
      }
    }
    return known;
  }
  std::size_t next_statement(std::size_t k) const { return std::max(behind_statement(tokens_, k), end_of_statement(tokens_, k)) + 1; }

  std::optional<Function> function_at(std::size_t k, bool method) const {
    const std::size_t head = end_of_statement(tokens_, k);
    if (k + 2 >= head || !tokens_[k + 2].is("(") || head >= tokens_.size() || tokens_[head].kind != TokenKind::block_begin) return std::nullopt;
    Function f{k, behind_statement(tokens_, k), parts_of(slice(tokens_, k + 3, closing(tokens_, k + 2))), {}, Acts::nothing};
    std::erase_if(f.parameters, [](const Tokens& p) { return p.empty(); });
    if (method && (f.parameters.empty() || !f.parameters[0][0].is("self"))) return std::nullopt;
    if (method) f.parameters.erase(f.parameters.begin());
    f.body = slice(tokens_, head + 1, f.end - 1);
    return f;
  }

  Class class_at(std::size_t k) const {
    Class c;
    const std::size_t head = end_of_statement(tokens_, k), end = behind_statement(tokens_, k);
    if (k + 4 < head && tokens_[k + 2].is("(") && tokens_[k + 4].is(")")) c.base = tokens_[k + 3].text;
    for (std::size_t m = head + 1; m + 1 < end; m = next_statement(m)) {
      if (!tokens_[m].is("def") || is_decorated(tokens_, m)) continue;
      auto f = function_at(m, true);
      if (!f) continue;
      for (std::size_t a = f->begin; a + 5 < f->end; ++a) {
        if (!tokens_[a].is("self") || !tokens_[a + 1].is(".") || !tokens_[a + 3].is("=") || !begins_statement(tokens_, a)) continue;
        if (tokens_[a + 4].kind == TokenKind::name && tokens_[a + 5].is("(")) c.attributes[tokens_[a + 2].text] = tokens_[a + 4].text;
        c.layers[tokens_[a + 2].text] = slice(tokens_, a + 4, end_of_statement(tokens_, a));
      }
      c.methods.emplace(tokens_[m + 1].text, std::move(*f));
    }
    return c;
  }

  /// How many statements outside of functions and classes, with these, give each name a meaning.
  std::map<std::string_view, int> bindings() const {
    std::map<std::string_view, int> times;
    for (std::size_t k = 0; k < tokens_.size(); k = next_statement(k)) {
      if (ends_statement(tokens_[k])) continue;
      if (tokens_[k].is("def") || tokens_[k].is("class")) {
        if (k + 1 < tokens_.size()) ++times[tokens_[k + 1].text];
        continue;
      }
      for (const std::string_view name : assigned(slice(tokens_, k, next_statement(k) - 1))) ++times[name];
    }
    return times;
  }

  /// The names that statements give values to, and loops; lin.weight = W and x[0] = 1 change what a name stands for already.
  static std::set<std::string_view> assigned(const Tokens& body) {
    std::set<std::string_view> found;
    for (const Tokens& s : statements_of(body)) {
      Tokens targets = s[0].is("for") ? slice(s, 1, place_outside(s, "in").value_or(1)) : slice(s, 0, targets_end(s));
      if (const auto colon = place_outside(targets, ":")) targets.resize(*colon);  // n: int = 2
      std::erase_if(targets, [](const Token& t) { return t.is("*"); });           // a, *rest
      for (const Token& name : target_names(targets)) found.insert(name.text);
    }
    return found;
  }

  // ---- what acts

  static bool is_test(const Tokens& s) {
    return !s.empty() && (s[0].is("assert") || (s.size() > 3 && s[1].is(".") && s[2].is("testing") && (s[0].is("np") || s[0].is("numpy") || s[0].is("torch"))));
  }
  /// Whether the statement gives a value to an attribute or changes one in place: lin.weight.data = W, self.pos += 1, lin.weight.mul_(2), nn.init.zeros_(lin.bias).
  static bool changes(const Tokens& s) {
    for (const Tokens& target : parts_of(slice(s, 0, targets_end(s)))) {
      for (std::size_t k = 0; k + 1 < target.size() && !target[k].is("["); ++k) {
        if (target[k].is(".")) return true;
      }
    }
    if (initialized_at(s) > 0) return true;
    const Token* const method = called_alone(s);
    if (method == nullptr) return false;
    const auto at = static_cast<std::size_t>(method - s.data());
    return at > 3 && (changes_in_place(method->text) || method->is("append"));
  }
  static bool makes_module(const Known& known, const Tokens& t, std::size_t k) {
    static constexpr std::string_view made[] = {"Linear", "Embedding", "LayerNorm", "RMSNorm", "BatchNorm1d", "GroupNorm", "Conv1d", "Sequential", "ModuleList", "MultiheadAttention"};
    if (k + 1 >= t.size() || !t[k + 1].is("(")) return false;
    const bool layer = k > 1 && t[k - 1].is(".") && t[k - 2].is("nn") && is_among(t[k].text, made);
    return layer || (is_use(t, k) && known.classes.count(t[k].text) > 0);
  }
  static Acts acts(const Known& known, const Tokens& body) {
    const auto statements = statements_of(body);
    const bool returns = std::any_of(statements.begin(), statements.end(), [](const Tokens& s) { return s.size() > 1 && s[0].is("return") && !s[1].is("None"); });
    Acts found = Acts::nothing;
    for (const Tokens& s : statements) {
      if (is_test(s) && !returns) found = std::max(found, Acts::asserts);  // what a function asserts of what it computes with is read in it
      if (changes(s)) found = Acts::changes;
      for (std::size_t k = 0; k + 1 < s.size(); ++k) {
        if (makes_module(known, s, k)) found = Acts::changes;
        if (s[k].kind == TokenKind::name && s[k + 1].is("(")) found = std::max(found, acts_called(known, s, k));
      }
    }
    return found;
  }
  /// What the function or method called there does; of an object it may be the one of any class.
  static Acts acts_called(const Known& known, const Tokens& s, std::size_t k) {
    const bool method = k > 0 && s[k - 1].is(".");
    if (!method) {
      const auto f = known.functions.find(s[k].text);
      if (f != known.functions.end()) return f->second.acts;
      const auto object = known.objects.find(s[k].text);
      const Function* const call = object == known.objects.end() ? nullptr : known.call_of(&known.classes.at(object->second));
      return call == nullptr ? Acts::nothing : call->acts;
    }
    Acts found = Acts::nothing;
    for (const auto& [name, c] : known.classes) {
      const auto m = c.methods.find(s[k].text);
      if (m != c.methods.end()) found = std::max(found, m->second.acts);
      const auto attribute = c.attributes.find(s[k].text);  // self.attn(x)
      const auto of = attribute == c.attributes.end() ? known.classes.end() : known.classes.find(attribute->second);
      const Function* const call = of == known.classes.end() ? nullptr : known.call_of(&of->second);
      if (call != nullptr) found = std::max(found, call->acts);
    }
    return found;
  }
  /// Whether all that it changes was made by itself, so that what stands before the call in its statement may be computed behind it.
  static bool changes_its_own(const Known& known, const Function& f) {
    std::set<std::string_view> layers, objects;  // that it makes
    for (const Tokens& s : statements_of(f.body)) {
      for (std::size_t k = 0; k + 1 < s.size(); ++k) {
        if (s[k].kind == TokenKind::name && s[k + 1].is("(") && acts_called(known, s, k) != Acts::nothing) return false;
      }
      const bool plain = s.size() > 4 && s[0].kind == TokenKind::name && s[1].is("=");
      if (plain && module_name(between(s, 2)) > 0) layers.insert(s[0].text);
      if (plain && known.classes.count(s[2].text) > 0 && s[3].is("(")) objects.insert(s[0].text);
      const std::string_view of = s[initialized_at(s)].text;
      const bool own = layers.count(of) > 0 || (objects.count(of) > 0 && s.size() > 3 && s[3].is("="));  // made.base.weight = W may be of what it was made with
      if (is_test(s) || (changes(s) && !own)) return false;
    }
    return true;
  }

  // ---- calls

  bool write_one_out() {
    const Known known = read();
    return write_one_out(known, 0, tokens_.size(), false);
  }
  bool write_one_out(const Known& known, std::size_t first, std::size_t end, bool in_block) {
    for (std::size_t k = first; k < end;) {
      if (ends_statement(tokens_[k])) {
        ++k;
        continue;
      }
      const std::size_t head = end_of_statement(tokens_, k), behind = next_statement(k);
      const bool block = head < tokens_.size() && tokens_[head].kind == TokenKind::block_begin;
      if (tokens_[k].is("def") || tokens_[k].is("class")) {
        k = behind;
        continue;
      }
      if (block && tokens_[k].is("for") && unroll(known, k, head)) return true;
      if (block && write_one_out(known, head + 1, behind, true)) return true;
      if (!block && (unroll_list(known, k, head) || write_list(known, k, head))) return true;
      if (!block) {
        const auto call = call_in(known, k, head);
        if (call && write_out(known, *call, k, head, in_block)) return true;
      }
      k = behind;
    }
    return false;
  }

  /// The first call of what acts in the statement.
  std::optional<Call> call_in(const Known& known, std::size_t begin, std::size_t end) const {
    const Tokens s = slice(tokens_, begin, end);
    for (std::size_t k = begin; k + 1 < end; ++k) {
      if (!is_use(tokens_, k) || is_recomputed(s, k - begin)) continue;
      std::size_t last = k;
      while (last + 2 < end && tokens_[last + 1].is(".") && tokens_[last + 2].kind == TokenKind::name) last += 2;
      if (last + 1 >= end || !tokens_[last + 1].is("(") || closing(tokens_, last + 1) >= end) continue;
      const Tokens path = slice(tokens_, k, last + 1);
      const std::size_t behind = closing(tokens_, last + 1) + 1;
      const auto f = path.size() == 1 ? known.functions.find(path[0].text) : known.functions.end();
      if (f != known.functions.end()) {
        if (f->second.acts != Acts::nothing) return Call{k, behind, &f->second, {}, path[0].text};
        continue;
      }
      const Class* const own = class_of(known, path);
      const Class* const of = own != nullptr || path.size() < 3 ? own : class_of(known, slice(path, 0, path.size() - 2));
      if (of == nullptr) continue;
      const Function* const m = own == nullptr ? known.method(of, path.back().text) : known.call_of(of);
      if (m != nullptr && m->acts != Acts::nothing) return Call{k, behind, m, own != nullptr ? path : slice(path, 0, path.size() - 2), tokens_[m->begin + 1].text};
    }
    return std::nullopt;
  }
  /// The class of model and of model.attn; null for what is no object.
  static const Class* class_of(const Known& known, const Tokens& path) {
    const auto object = known.objects.find(path[0].text);
    auto found = object == known.objects.end() ? known.classes.end() : known.classes.find(object->second);
    for (std::size_t k = 2; k < path.size() && found != known.classes.end(); k += 2) {
      const auto attribute = found->second.attributes.find(path[k].text);
      found = attribute == found->second.attributes.end() ? known.classes.end() : known.classes.find(attribute->second);
    }
    return found == known.classes.end() ? nullptr : &found->second;
  }

  /// The statement, or the call before it by a name of its own.
  bool write_out(const Known& known, const Call& call, std::size_t begin, std::size_t end, bool in_block) {
    const Tokens s = slice(tokens_, begin, end);
    const bool bare = call.begin == begin && call.end == end;
    const auto equals = assignment(s);
    const bool gives = equals && !changes_in_place(s, *equals) && begin + *equals + 1 == call.begin && call.end == end;
    if (bare || gives) return write_here(known, call, begin, end, gives ? slice(s, 0, *equals) : Tokens{}, in_block);
    static constexpr std::string_view choosing[] = {"and", "or", "if", "lambda", "for"};
    if (std::any_of(s.begin(), s.end(), [&](const Token& t) { return is_among(t.text, choosing); }) || !(changes_its_own(known, *call.function) || is_first(slice(s, 0, call.begin - begin))) || s[0].is("return") || s[0].is("global")) return false;
    const Token made = numbered({TokenKind::name, "given", tokens_[call.begin].span}, tokens_, words_);
    Tokens next = slice(tokens_, 0, begin);
    put(next, {made, {TokenKind::symbol, "=", made.span}});
    put(next, slice(tokens_, call.begin, call.end));
    next.push_back({TokenKind::separator, "\n", made.span});
    put(next, slice(tokens_, begin, call.begin));
    next.push_back(made);
    put(next, slice(tokens_, call.end, tokens_.size()));
    tokens_ = std::move(next);
    return true;
  }

  /// Whether what stands before the call in its statement computes nothing: names, open brackets and functions that wait for their arguments, as y = x + f(o).
  static bool is_first(Tokens before) {
    const auto n = before.size();
    const bool operand = n > 2 && (before[n - 1].is("+") || before[n - 1].is("-") || before[n - 1].is("*") || before[n - 1].is("/") || before[n - 1].is("@")) && before[n - 2].kind == TokenKind::name && (before[n - 3].is("=") || before[n - 3].is("(") || before[n - 3].is(","));
    if (operand) before.resize(n - 2);
    static constexpr std::string_view libraries[] = {"np", "numpy", "torch", "F", "testing"};
    for (std::size_t k = 0; k < before.size(); ++k) {
      const Token& t = before[k];
      const bool path = t.is(".") && k > 0 && k + 2 < before.size() && (is_among(before[k - 1].text, libraries) || (k == 1 && before[k + 1].is("append") && k + 3 == before.size()));
      if (t.kind == TokenKind::symbol ? !t.is("=") && !t.is(",") && !t.is("(") && !(t.is("[") && (k == 0 || before[k - 1].kind == TokenKind::symbol)) && !path : t.kind != TokenKind::name) return false;
    }
    return true;
  }

  /// What stands for a parameter in the place of the call.
  struct Given {
    Token parameter;
    Tokens value;
    bool stands = false;  ///< as it is written, and else by a name of its own
    std::size_t place = 0;  ///< among the arguments
  };

  bool write_here(const Known& known, const Call& call, std::size_t begin, std::size_t end, const Tokens& targets, bool in_block) {
    const Function& f = *call.function;
    static constexpr std::string_view unread[] = {"yield", "global", "nonlocal", "lambda", "def", "class", "super", "while", "break", "continue", "await"};
    if (std::any_of(f.body.begin(), f.body.end(), [&](const Token& t) { return is_among(t.text, unread) || t.is(call.name); })) return false;
    Tokens body = f.body, result;
    body = without_decided(known, call, body);
    if (!take_return(body, result) || (result.empty() && !targets.empty())) return false;
    auto given = arguments_of(known, call, body);
    if (!given) return false;

    std::map<std::string_view, Tokens> meant;
    Tokens before;
    const bool again = std::count_if(tokens_.begin(), tokens_.end(), [&](const Token& t) { return t.is(call.name); }) > 2;
    for (const Given& g : *given) {
      if (g.stands) {
        meant.emplace(g.parameter.text, g.value);
        continue;
      }
      const Token own = numbered(g.parameter, tokens_, words_);
      meant.emplace(g.parameter.text, Tokens{own});
      put(before, {own, {TokenKind::symbol, "=", g.parameter.span}});
      put(before, g.value);
      before.push_back({TokenKind::separator, "\n", g.parameter.span});
    }
    if (!call.object.empty()) meant.emplace("self", call.object);
    const auto as_target = names_of_results(result, targets, f, body, begin, end);
    for (const std::string_view local : assigned(body)) {
      if (meant.count(local) > 0) continue;
      if (reads_before(body, local)) return false;
      const Token at{TokenKind::name, local, f.body.front().span};
      if (const auto target = as_target.find(local); target != as_target.end()) meant.emplace(local, Tokens{target->second});
      else if (again || is_outside(local, f)) meant.emplace(local, Tokens{numbered(at, tokens_, words_)});
    }
    const auto renamed = [&](const Tokens& t) { return replaced(t, meant); };
    Tokens next = slice(tokens_, 0, begin);
    put(next, before);
    put(next, with_cases(known, with_attributes(renamed(body)), in_block ? Tokens{} : next));
    Tokens rest = slice(tokens_, end, tokens_.size());
    const auto leave_nothing = [&] {  // in the place of the statement, so that one separator is enough
      if (!next.empty() && next.back().kind == TokenKind::separator && !rest.empty() && rest[0].kind == TokenKind::separator) next.pop_back();
    };
    std::vector<Tokens> left, right;
    const std::vector<Tokens> names = parts_of(targets), values = parts_of(result);
    if (names.size() == values.size()) {
      for (std::size_t k = 0; k < names.size(); ++k) {
        const auto target = values[k].size() == 1 ? as_target.find(values[k][0].text) : as_target.end();
        if (target != as_target.end() && names[k].size() == 1 && target->second.is(names[k][0].text)) continue;
        left.push_back(names[k]);
        right.push_back(values[k]);
      }
    } else {
      left = {targets};
      right = {result};
    }
    if (targets.empty() && acts(known, result) != Acts::nothing) {  // what it returns is computed, whether anybody needs it or not
      const Token unused = numbered({TokenKind::name, "unused", f.body.front().span}, tokens_, words_);
      const bool call_alone = called_alone(result) != nullptr;
      if (!call_alone) put(next, {unused, {TokenKind::symbol, "=", unused.span}});
      put(next, with_attributes(renamed(result)));
    } else if (targets.empty() || left.empty()) {
      leave_nothing();
    } else if (!in_block && left.size() == 1 && right[0].size() == 1 && left[0].size() == 1 && makes_local(f, right[0][0].text) && !is_read_in_functions(left[0][0].text)) {
      const Tokens other = renamed(right[0]);  // lin = fuse(lin, norm): from here on the name is that of another module
      rest = replaced(rest, [&](std::string_view name) { return name == left[0][0].text ? &other : nullptr; });
      leave_nothing();
    } else {
      put(next, with_commas(left, names[0][0]));
      next.push_back({TokenKind::symbol, "=", names[0][0].span});
      put(next, with_attributes(renamed(with_commas(right, names[0][0]))));
    }
    put(next, rest);
    tokens_ = std::move(next);
    written_out_.insert(call.name);
    return true;
  }

  /// The body without cases that are decided by what the call gives: if not isinstance(layers, list): layers = [layers].
  Tokens without_decided(const Known& known, const Call& call, const Tokens& body) const {
    if (std::none_of(body.begin(), body.end(), [](const Token& t) { return t.is("if"); })) return body;
    const auto given = arguments_of(known, call, {});
    if (!given) return body;
    std::map<std::string_view, Tokens> meant;
    for (const Given& g : *given) {
      if (g.stands) meant.emplace(g.parameter.text, g.value);
    }
    if (!call.object.empty()) meant.emplace("self", call.object);
    Tokens found;
    for (std::size_t k = 0; k < body.size();) {
      const std::size_t head = end_of_statement(body, k);
      const bool block = head < body.size() && body[head].kind == TokenKind::block_begin, cases = block && body[k].is("if");
      const std::size_t end = block ? behind_block(body, head) : std::min(head + 1, body.size());
      const Tokens condition = cases ? slice(body, k + 1, head - 1) : Tokens{};
      const auto changed = bound_names(slice(body, 0, k));
      const bool as_given = cases && std::none_of(condition.begin(), condition.end(), [&](const Token& t) { return changed.has(t.text); });
      const auto holds = as_given ? decided(known, replaced(condition, meant)) : std::nullopt;
      std::size_t next = end;
      while (next < body.size() && body[next].kind == TokenKind::separator) ++next;
      const bool others = next < body.size() && (body[next].is("else") || body[next].is("elif"));
      if (holds && !others) {
        if (*holds) put(found, slice(body, head + 1, end - 1));
        k = end;
        continue;
      }
      put(found, slice(body, k, end));
      k = std::max(end, k + 1);
    }
    return found;
  }
  /// The statements without cases that are decided by what parameters stand for: if cache is not None: of an object, or of None.
  /// `before`: the program up to here, where all of it is done once, in this order.
  Tokens with_cases(const Known& known, const Tokens& t, const Tokens& before = {}) const {
    Tokens found;
    const auto so_far = [&] {
      Tokens all = before;
      if (!before.empty()) put(all, found);
      return all;
    };
    for (std::size_t k = 0; k < t.size();) {
      const std::size_t head = end_of_statement(t, k);
      if (!before.empty() && !t[k].is("if") && head < t.size() && t[head].kind == TokenKind::block_begin) {  // a loop, of which each step may find something else
        const std::size_t end = behind_block(t, head);
        put(found, slice(t, k, head + 1));
        put(found, with_cases(known, slice(t, head + 1, end)));
        k = end;
        continue;
      }
      if (!t[k].is("if") || head >= t.size() || t[head].kind != TokenKind::block_begin) {
        const Tokens statement = slice(t, k, head);
        if (!before.empty() && !statement.empty() && assignment(statement)) {
          put(found, chosen_value(known, statement, so_far()));
          k = head;
          continue;
        }
        found.push_back(t[k++]);
        continue;
      }
      const auto holds = decided(known, slice(t, k + 1, head - 1), so_far());
      const std::size_t end = behind_block(t, head);
      if (!holds) {
        put(found, slice(t, k, head + 1));
        put(found, with_cases(known, slice(t, head + 1, end)));
        k = end;
        continue;
      }
      if (*holds) put(found, with_cases(known, slice(t, head + 1, end - 1), so_far()));
      std::size_t next = end;
      while (next < t.size() && t[next].kind == TokenKind::separator) ++next;
      k = end;
      for (bool more = true; more && next < t.size() && (t[next].is("elif") || t[next].is("else"));) {
        const std::size_t begin = end_of_statement(t, next), behind = behind_block(t, begin);
        more = t[next].is("elif");
        if (!*holds && more) {
          Tokens rest = slice(t, next, t.size());  // if not, then the next case is the first one
          rest[0].text = "if";
          put(found, with_cases(known, rest, so_far()));
          return found;
        }
        if (!*holds) put(found, with_cases(known, slice(t, begin + 1, behind - 1), so_far()));
        k = next = behind;
        while (next < t.size() && t[next].kind == TokenKind::separator) ++next;
      }
    }
    return found;
  }
  /// x = a if self.k is None else b, where that is decided.
  Tokens chosen_value(const Known& known, const Tokens& statement, const Tokens& before) const {
    const auto equals = assignment(statement), condition = place_outside(statement, "if"), otherwise = place_outside(statement, "else");
    if (!equals || !condition || !otherwise || *condition < *equals || *otherwise < *condition) return statement;
    if (has_outside(between(statement, *otherwise + 1), "if") || has_outside(statement, "for") || has_outside(statement, "lambda")) return statement;
    const auto holds = decided(known, slice(statement, *condition + 1, *otherwise), before);
    if (!holds) return statement;
    Tokens chosen = slice(statement, 0, *equals + 1);
    put(chosen, *holds ? slice(statement, *equals + 1, *condition) : between(statement, *otherwise + 1));
    return chosen;
  }
  std::optional<bool> decided(const Known& known, const Tokens& written, const Tokens& before = {}) const {
    const Tokens t = without_brackets(written);
    if (is_joined(t)) return of_joined(t, [&](const Tokens& condition) { return decided(known, condition, before); });
    if (t.size() > 4 && (t[0].is("hasattr") || t[0].is("isinstance")) && t[1].is("(") && is_one_bracket(between(t, 1))) return of_kind(known, t[0].is("hasattr"), parts_of(inside(t, 2)));
    const auto is = place_outside(t, "is");
    const bool negated = is && *is + 1 < t.size() && t[*is + 1].is("not");
    const Tokens value = is ? slice(t, 0, *is) : t, other = is ? between(t, *is + (negated ? 2 : 1)) : Tokens{};
    if (is && !(other.size() == 1 && other[0].is("None"))) return std::nullopt;
    const bool none = value.size() == 1 && value[0].is("None"), object = is_path(value) && class_of(known, value) != nullptr;
    if (is && (none || object)) return none != negated;
    if (const auto nothing = is && !before.empty() && is_path(value) && value.size() == 3 ? is_none(known, value, before) : std::nullopt) return *nothing != negated;
    if (is && is_path(value) && value.size() > 2) {  // lin.bias is not None
      const auto has = has_weight(layer_of(known, slice(value, 0, value.size() - 2)), value.back());
      return has ? std::optional(*has == negated) : std::nullopt;
    }
    if (is || value.size() != 1) return std::nullopt;
    if (value[0].is("True")) return true;
    return none || value[0].is("False") ? std::optional<bool>(false) : std::nullopt;
  }
  /// Whether cache.k is None behind these statements: by what they gave it last, or __init__ did. Nothing where that is not known.
  std::optional<bool> is_none(const Known& known, const Tokens& path, const Tokens& before) const {
    const Class* const of = class_of(known, {path[0]});
    if (of == nullptr || !of->base.empty() || sets_attributes() || known.method(of, path[2].text) != nullptr) return std::nullopt;
    if (std::any_of(of->methods.begin(), of->methods.end(), [](const auto& m) { return m.first == "__setattr__" || m.first == "__getattr__" || m.first == "__getattribute__"; })) return std::nullopt;
    const auto is_here = [&](const Tokens& t, std::size_t k) { return k + 2 < t.size() && t[k].is(path[0].text) && t[k + 1].is(".") && t[k + 2].is(path[2].text); };
    for (std::size_t k = 0; k < before.size(); ++k) {  // under another name it may be given anything
      if (!before[k].is(path[0].text) || (k > 0 && before[k - 1].is("."))) continue;
      if (k + 2 >= before.size() || !(before[k + 1].is(".") || (before[k + 1].is("=") && known.classes.count(before[k + 2].text) > 0))) return std::nullopt;
      const Function* const m = k + 3 < before.size() && before[k + 3].is("(") ? known.method(of, before[k + 2].text) : nullptr;
      if (m != nullptr && m->acts != Acts::nothing) return std::nullopt;
    }
    std::optional<Tokens> last;
    for (std::size_t k = 0; k < before.size();) {
      if (ends_statement(before[k])) {
        ++k;
        continue;
      }
      const std::size_t end = std::max(behind_statement(before, k), end_of_statement(before, k));
      const Tokens all = slice(before, k, end);
      if (before[k].is("def") || before[k].is("class")) {
        if (names(all, path[0].text)) return std::nullopt;
      } else {
        const auto equals = assignment(all);
        for (std::size_t at = 0; at < all.size(); ++at) {
          if (!is_here(all, at) || (equals && at > *equals)) continue;
          if (!equals || *equals != 3 || at != 0) return std::nullopt;  // in a block, among others, or changed in place
          last = between(all, 4);
        }
      }
      k = end + 1;
    }
    if (last) return is_none(*last);
    const Function* const first = known.method(of, "__init__");
    if (first == nullptr) return std::nullopt;
    for (const Tokens& s : statements_of(first->body)) {
      const bool given = s.size() > 4 && s[0].is("self") && s[1].is(".") && s[2].is(path[2].text) && s[3].is("=");
      const bool named = std::any_of(s.begin(), s.end(), [&](const Token& t) { return t.is(path[2].text); });
      if (named && (!given || last)) return std::nullopt;
      if (given) last = between(s, 4);
    }
    const bool block = std::any_of(first->body.begin(), first->body.end(), [](const Token& t) { return t.kind == TokenKind::block_begin; });
    return last && !block && last->size() == 1 && (*last)[0].is("None") ? std::optional(true) : std::nullopt;
  }
  /// Whether what an attribute is given is None: a part or a join of arrays is not, and so what is computed.
  std::optional<bool> is_none(const Tokens& value, int depth = 0) const {
    static constexpr std::string_view libraries[] = {"np", "numpy", "torch", "jnp"}, operators[] = {"+", "-", "*", "/", "@"};
    if (value.empty() || depth > 10) return std::nullopt;
    if (value.size() == 1 && value[0].is("None")) return true;
    if (value.size() == 1 && value[0].kind == TokenKind::number) return false;
    if (std::any_of(value.begin(), value.end(), [](const Token& t) { return t.kind == TokenKind::text || t.is("if") || t.is("or") || t.is("and"); })) return std::nullopt;
    for (const std::string_view op : operators) {
      if (has_outside(value, op)) return false;
    }
    std::size_t open = 1;  // torch.nn.functional.pad(
    while (open + 1 < value.size() && value[open].is(".")) open += 2;
    const bool library = open > 1 && open < value.size() && is_among(value[0].text, libraries) && value[open].is("(") && closing(value, open) + 1 == value.size();
    const auto is_bound_here = [&](const Token& t) { return &t < &tokens_.back() && t.is(value[0].text) && (&t)[1].is("="); };
    if (library && std::none_of(tokens_.begin(), tokens_.end(), is_bound_here)) return false;
    const auto times = bindings();
    const bool part = value.size() > 3 && value[0].kind == TokenKind::name && value[1].is("[") && closing(value, 1) + 1 == value.size();
    if (value.size() != 1 && !part) return std::nullopt;
    const auto bound = times.find(value[0].text);
    if (bound == times.end()) return names_declared(value[0].text) ? std::optional(false) : std::nullopt;
    if (bound->second != 1) return std::nullopt;
    for (const Tokens& s : statements_of(tokens_)) {
      for (const Tokens& one : one_by_one(s)) {
        if (one.size() > 2 && one[0].is(value[0].text) && one[1].is("=") && !one[2].is(value[0].text)) return is_none(between(one, 2), depth + 1);
      }
    }
    return std::nullopt;
  }
  /// Whether the program declares a tensor of that name: k: [n, d].
  bool names_declared(std::string_view name) const {
    for (const Tokens& s : statements_of(tokens_)) {
      const auto colon = place_outside(s, ":");
      if (colon && *colon + 1 < s.size() && s[*colon + 1].is("[") && std::any_of(s.begin(), s.begin() + static_cast<std::ptrdiff_t>(*colon), [&](const Token& t) { return t.is(name); })) return true;
    }
    return false;
  }
  /// hasattr(norm, "bias") and isinstance(layers, list), of modules and written lists.
  std::optional<bool> of_kind(const Known& known, bool attribute, const std::vector<Tokens>& parts) const {
    if (parts.size() != 2 || parts[0].empty() || parts[1].empty()) return std::nullopt;
    const Tokens layer = is_path(parts[0]) ? layer_of(known, parts[0]) : Tokens{};
    if (attribute) {
      const Token& text = parts[1][0];
      if (layer.empty() || parts[1].size() != 1 || text.kind != TokenKind::text || text.text.size() < 3) return std::nullopt;
      const Token name{TokenKind::name, text.text.substr(1, text.text.size() - 2), text.span};
      const bool norm = layer[module_name(layer)].is("RMSNorm");  // every other one has both, of which one may be None
      return norm && name.is("bias") && values_given_to(name).empty() && !sets_attributes() ? std::optional(false) : has_weight(layer, name) ? std::optional(true) : std::nullopt;
    }
    const bool list = is_one_bracket(parts[0]) && parts[0][0].is("["), tuple = is_one_bracket(parts[0]) && parts[0][0].is("(") && has_outside(inside(parts[0], 1), ",");
    bool any = false;
    for (const Tokens& type : parts_of(is_one_bracket(parts[1]) ? inside(parts[1], 1) : parts[1])) {
      const std::size_t module = type.size() > 2 && type[type.size() - 2].is(".") && type[type.size() - 3].is("nn") ? type.size() - 1 : 0;
      if (type.size() == 1 && (type[0].is("list") || type[0].is("tuple"))) {
        if (!list && !tuple && layer.empty()) return std::nullopt;
        any = any || (type[0].is("list") ? list : tuple);
      } else if (module > 0 && (list || tuple || !layer.empty()) && !type[module].is("Module")) {
        any = any || (!layer.empty() && layer[module_name(layer)].is(type[module].text));
      } else {
        return std::nullopt;
      }
    }
    return any;
  }
  /// What the module is made by; empty for what is no module, or may be another one.
  Tokens layer_of(const Known& known, const Tokens& path) const {
    const auto own = path.size() == 1 ? known.layers.find(path[0].text) : known.layers.end();
    if (own != known.layers.end()) return own->second;
    const Class* const of = path.size() > 2 ? class_of(known, slice(path, 0, path.size() - 2)) : nullptr;
    const auto attribute = of == nullptr ? decltype(of->layers.end()){} : of->layers.find(path.back().text);
    if (of == nullptr || attribute == of->layers.end() || module_name(attribute->second) == 0 || values_given_to(path.back()).size() != 1) return {};
    return attribute->second;
  }
  /// Whether the module has a weight of that name, and never None for it.
  std::optional<bool> has_weight(const Tokens& layer, const Token& name) const {
    const std::size_t module = module_name(layer);
    if (module == 0 || (!name.is("weight") && !name.is("bias"))) return std::nullopt;
    const bool linear = layer[module].is("Linear"), norm = layer[module].is("LayerNorm"), gain = layer[module].is("RMSNorm");
    if (!linear && !norm && !(name.is("weight") && (gain || layer[module].is("Embedding")))) return std::nullopt;
    const ModuleArguments given = module_arguments(layer);
    bool has = true;
    for (const Tokens* flag : {norm || gain ? given.find(2, "elementwise_affine") : nullptr, name.is("bias") ? given.find(linear ? 2 : 3, "bias") : nullptr}) {
      if (flag != nullptr && !flag->back().is("True") && !flag->back().is("False")) return std::nullopt;
      has = has && (flag == nullptr || flag->back().is("True"));
    }
    const auto values = values_given_to(name);
    if (has ? std::any_of(values.begin(), values.end(), [](const Token& v) { return v.is("None"); }) : !values.empty()) return std::nullopt;
    return sets_attributes() ? std::nullopt : std::optional(has);
  }
  /// What values begin with that statements give to attributes of that name, of which it may be that one.
  Tokens values_given_to(const Token& name) const {
    Tokens found;
    for (std::size_t k = 1; k + 2 < tokens_.size(); ++k) {
      if (tokens_[k].is(name.text) && tokens_[k - 1].is(".") && tokens_[k + 1].is("=")) found.push_back(tokens_[k + 2]);
    }
    return found;
  }
  bool sets_attributes() const { return std::any_of(tokens_.begin(), tokens_.end(), [](const Token& t) { return t.is("setattr"); }); }

  /// The one `return` of the statements, which ends them, and what it returns; nothing is returned elsewhere.
  static bool take_return(Tokens& body, Tokens& result) {
    while (!body.empty() && body.back().kind == TokenKind::separator) body.pop_back();
    const auto returns = std::count_if(body.begin(), body.end(), [](const Token& t) { return t.is("return"); });
    if (returns > 1) return false;
    if (returns == 1) {
      const std::size_t last = beginning_of_statement(body, body.size() - 1);
      if (!body[last].is("return")) return false;
      result = between(body, last + 1);
      if (result.size() == 1 && result[0].is("None")) result.clear();
      body.resize(last);
    } else {
      body.push_back({TokenKind::separator, "\n", body.empty() ? Span{} : body.back().span});
    }
    return true;
  }

  /// The attributes that statements anywhere change, but for __init__.
  std::set<std::string_view> changing_attributes() const {
    std::set<std::string_view> found;
    bool initial = false;
    for (const Tokens& s : statements_of(tokens_)) {
      if (s[0].is("def") && s.size() > 1) initial = s[1].is("__init__");
      for (std::size_t k = 0; k + 1 < s.size(); ++k) {
        const auto parts = s[k].is("setattr") && s[k + 1].is("(") ? parts_of(slice(s, k + 2, closing(s, k + 1))) : std::vector<Tokens>{};
        if (parts.size() > 1 && parts[1].size() == 1 && parts[1][0].text.size() > 2) found.insert(parts[1][0].text.substr(1, parts[1][0].text.size() - 2));
      }
      if ((initial && s[0].is("self")) || !changes(s)) continue;
      const std::size_t at = initialized_at(s), end = at > 0 ? s.size() : std::max(targets_end(s), called_alone(s) != nullptr ? static_cast<std::size_t>(called_alone(s) - s.data()) : 0);
      for (std::size_t k = 1; k < end; ++k) {
        if (s[k].kind == TokenKind::name && s[k - 1].is(".")) found.insert(s[k].text);
      }
    }
    return found;
  }
  /// What the parameters stand for; nothing where that is not known.
  std::optional<std::vector<Given>> arguments_of(const Known& known, const Call& call, const Tokens& body) const {
    const std::set<std::string_view> changing = changing_attributes();
    const auto is_lasting = [&](const Tokens& value) {  // an attribute that something changes is what it is at the call
      for (std::size_t k = 1; k < value.size(); ++k) {
        if (value[k - 1].is(".") && changing.count(value[k].text) > 0 && class_of(known, slice(value, 0, k + 1)) == nullptr) return false;
      }
      return true;
    };
    const Function& f = *call.function;
    std::vector<Given> found;
    std::size_t open = call.begin;
    while (!tokens_[open].is("(")) ++open;
    std::vector<Tokens> arguments = parts_of(slice(tokens_, open + 1, call.end - 1));
    std::erase_if(arguments, [](const Tokens& a) { return a.empty(); });
    const std::set<std::string_view> bound = assigned(body), recomputed = bound_names(body).recomputed;
    std::size_t place = 0, taken = 0;
    bool only_by_name = false;
    for (const Tokens& p : f.parameters) {
      if (p[0].is("*") && p.size() == 1) {
        only_by_name = true;
        continue;
      }
      if (p[0].kind != TokenKind::name) return std::nullopt;
      Tokens value;
      std::size_t at = arguments.size();
      if (!only_by_name && place < arguments.size() && is_by_place(arguments[place])) {
        at = place;
        value = arguments[place++];
        ++taken;
      } else if (const auto named = std::find_if(arguments.begin(), arguments.end(), [&](const Tokens& a) { return is_by_name(a) && a[0].is(p[0].text); }); named != arguments.end()) {
        at = static_cast<std::size_t>(named - arguments.begin());
        value = between(*named, 2);
        ++taken;
      } else if (const auto equals = place_outside(p, "="); equals && is_literal(between(p, *equals + 1))) {
        value = between(p, *equals + 1);
      } else {
        return std::nullopt;
      }
      if (recomputed.count(p[0].text) > 0) return std::nullopt;
      const bool several = !value.empty() && (value[0].is("[") || value[0].is("(")) && is_one_bracket(value) && std::all_of(value.begin(), value.end(), [](const Token& t) { return t.kind != TokenKind::symbol || opens(t) || closes(t) || t.is(",") || t.is("."); });
      const bool stands = bound.count(p[0].text) == 0 && (is_path(value) || is_literal(value) || (several && (value[0].is("[") || has_outside(between(value, 1, -1), ","))));
      found.push_back({p[0], value, stands && is_lasting(value), at});
    }
    std::stable_sort(found.begin(), found.end(), [](const Given& a, const Given& b) { return a.place < b.place; });  // as Python computes them
    return taken == arguments.size() ? std::optional(std::move(found)) : std::nullopt;
  }
  static bool is_path(const Tokens& value) {
    for (std::size_t k = 0; k < value.size(); ++k) {
      if (k % 2 == 0 ? value[k].kind != TokenKind::name || is_reserved(value[k].text) : !value[k].is(".")) return false;
    }
    return value.size() % 2 == 1;
  }

  /// The locals that are returned as they are and get the name of the target, which has no meaning before.
  std::map<std::string_view, Token> names_of_results(const Tokens& result, const Tokens& targets, const Function& f, const Tokens& body, std::size_t begin, std::size_t end) const {
    std::map<std::string_view, Token> found;
    const std::vector<Tokens> names = parts_of(targets), values = parts_of(result);
    if (names.size() != values.size()) return found;
    for (std::size_t k = 0; k < names.size(); ++k) {
      const bool plain = names[k].size() == 1 && names[k][0].kind == TokenKind::name && values[k].size() == 1 && makes_local(f, values[k][0].text);
      const auto stands = [&](std::size_t first, std::size_t last) { return program::names(slice(tokens_, first, last), names[k][0].text); };
      if (plain && !stands(0, f.begin) && !stands(f.begin, begin) && !program::names(body, names[k][0].text) && !stands(begin + targets.size(), end)) found.emplace(values[k][0].text, names[k][0]);
    }
    return found;
  }
  /// Whether the function makes a module, or an array, by that name.
  static bool makes_local(const Function& f, std::string_view name) { return assigned(f.body).count(name) > 0 && std::none_of(f.parameters.begin(), f.parameters.end(), [&](const Tokens& p) { return p[0].is(name); }); }
  bool is_outside(std::string_view name, const Function& f) const { return names(slice(tokens_, 0, f.begin), name) || names(slice(tokens_, f.end, tokens_.size()), name); }
  /// Whether a statement of the body reads the name before one gives it a value.
  static bool reads_before(const Tokens& body, std::string_view name) {
    for (const Tokens& s : statements_of(body)) {
      const std::size_t end = s[0].is("for") ? place_outside(s, "in").value_or(0) : targets_end(s);
      for (std::size_t k = end; k < s.size(); ++k) {
        if (s[k].is(name) && is_use(s, k) && !is_index(s, k)) return true;  // the index of a comprehension is another thing
      }
      const auto equals = assignment(s);
      if (names(slice(s, 0, end), name)) return equals && changes_in_place(s, *equals) && s[0].is(name);
    }
    return false;
  }
  bool is_read_in_functions(std::string_view name) const {
    for (std::size_t k = 0; k < tokens_.size(); k = next_statement(k)) {
      const bool recomputes = tokens_[k].is("def") || tokens_[k].is("class") || (k + 2 < tokens_.size() && tokens_[k + 2].is("lambda"));
      const Tokens s = slice(tokens_, k, next_statement(k) - 1);
      if (recomputes && names(s, name) && !(s[0].is("def") && bound_names(s).assigned.count(name) > 0)) return true;
    }
    return false;
  }

  // ---- loops, and attributes by their names

  /// for lin in [q, k]: and for name in ("weight", "bias"): with what is done in each step.
  bool unroll(const Known& known, std::size_t begin, std::size_t head) {
    const Tokens s = slice(tokens_, begin, head);
    const auto in = place_outside(s, "in");
    if (!in || s.size() < *in + 3) return false;
    const std::size_t end = behind_block(tokens_, head);
    const Tokens body = slice(tokens_, head + 1, end - 1);
    const auto steps = steps_of(slice(s, *in + 1, s.size() - 1), s[0]);
    const std::vector<Tokens> targets = parts_of(without_brackets(slice(s, 1, *in)));
    if (!steps || steps->empty()) return false;
    const bool over_numbers = std::all_of(steps->begin(), steps->end(), [](const auto& step) { return std::all_of(step.begin(), step.end(), [](const Tokens& t) { return t.size() == 1 && t[0].kind == TokenKind::number; }); });
    const Acts act = acts(known, body);
    const bool by_name = std::any_of(body.begin(), body.end(), [](const Token& t) { return t.is("getattr") || t.is("setattr"); });
    static constexpr std::string_view leaves[] = {"break", "continue", "return"};
    if (!(act == Acts::changes || by_name || (act == Acts::asserts && !over_numbers)) || std::any_of(body.begin(), body.end(), [&](const Token& t) { return is_among(t.text, leaves); })) return false;
    Tokens next = slice(tokens_, 0, begin);
    for (const auto& step : *steps) {
      if (step.size() != targets.size()) return false;
      for (const Tokens& target : targets) {
        if (target.size() != 1 || assigned(body).count(target[0].text) > 0) return false;
      }
      put(next, with_cases(known, with_attributes(replaced(body, [&](std::string_view name) -> const Tokens* {
        for (std::size_t t = 0; t < targets.size(); ++t) {
          if (targets[t][0].is(name)) return &step[t];
        }
        return nullptr;
      }))));
    }
    put(next, slice(tokens_, end, tokens_.size()));
    tokens_ = std::move(next);
    return true;
  }
  /// ys = [attn(x[i], cache) for i in range(2)]: what each step gives by a name of its own, and the list of these.
  bool unroll_list(const Known& known, std::size_t begin, std::size_t end) {
    const Tokens s = slice(tokens_, begin, end);
    const auto equals = assignment(s);
    const Tokens list = equals ? between(s, *equals + 1) : Tokens{};
    if (!is_one_bracket(list) || !list[0].is("[") || !has_outside(inside(list, 1), "for")) return false;
    const Tokens all = inside(list, 1);
    const std::size_t loop = *place_outside(all, "for");
    const auto in = place_outside(all, "in");
    const Tokens item = slice(all, 0, loop);
    if (!in || *in != loop + 2 || all[loop + 1].kind != TokenKind::name || acts(known, item) != Acts::changes) return false;
    const auto steps = steps_of(between(all, *in + 1), all[loop]);
    if (!steps) return false;
    Tokens next = slice(tokens_, 0, begin), items;
    for (const auto& step : *steps) {
      if (step.size() != 1) return false;
      const Token own = numbered({TokenKind::name, "step", item[0].span}, [&](std::string_view name) { return names(tokens_, name) || names(next, name); }, words_);
      put(next, {own, {TokenKind::symbol, "=", item[0].span}});
      put(next, replaced(item, [&](std::string_view name) { return name == all[loop + 1].text ? &step[0] : nullptr; }));
      next.push_back({TokenKind::separator, "\n", item[0].span});
      if (!items.empty()) items.push_back({TokenKind::symbol, ",", item[0].span});
      items.push_back(own);
    }
    put(next, slice(s, 0, *equals + 2));
    put(next, items);
    next.push_back(list.back());
    put(next, slice(tokens_, end, tokens_.size()));
    tokens_ = std::move(next);
    return true;
  }
  /// [lin.weight for lin in [q, k]], of modules: the list of what is computed of each.
  bool write_list(const Known& known, std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k) {
      const std::size_t close = tokens_[k].is("[") ? closing(tokens_, k) : end;
      const Tokens all = close < end ? slice(tokens_, k + 1, close) : Tokens{};
      const auto loop = place_outside(all, "for"), in = place_outside(all, "in");
      if (!loop || in != *loop + 2 || all[*loop + 1].kind != TokenKind::name || has_outside(between(all, *in + 1), "for") || has_outside(between(all, *in + 1), "if")) continue;
      const Token &index = all[*loop + 1], &at = tokens_[k];
      const Tokens item = slice(all, 0, *loop);
      const auto steps = steps_of(between(all, *in + 1), at);
      const bool attributes = std::any_of(item.begin() + 1, item.end(), [&](const Token& t) { return t.is(".") && (&t - 1)->is(index.text); });
      if (!steps || !attributes || !std::all_of(steps->begin(), steps->end(), [&](const auto& step) { return step.size() == 1 && is_path(step[0]) && !layer_of(known, step[0]).empty(); })) continue;
      std::vector<Tokens> items;
      for (const auto& step : *steps) items.push_back(replaced(item, [&](std::string_view name) { return name == index.text ? &step[0] : nullptr; }));
      Tokens next = slice(tokens_, 0, k + 1);
      put(next, with_commas(items, at));
      put(next, slice(tokens_, close, tokens_.size()));
      tokens_ = std::move(next);
      return true;
    }
    return false;
  }
  /// What is gone through: [q, k], (q, k), a name of such a list, zip of these, of names, paths, numbers and text alone, and range(2, 4).
  std::optional<std::vector<std::vector<Tokens>>> steps_of(const Tokens& range, const Token& at) {
    if (range.size() > 3 && range[0].is("range") && range[1].is("(") && is_one_bracket(between(range, 1))) {
      const std::vector<Tokens> bounds = parts_of(inside(range, 2));
      const auto first = bounds.size() == 2 ? small_number(bounds[0]) : std::optional<std::size_t>(0), end = small_number(bounds.back());
      if (bounds.size() > 2 || !first || !end || *end > *first + most_steps) return std::nullopt;
      std::vector<std::vector<Tokens>> found;
      for (std::size_t k = *first; k < *end; ++k) {
        words_.push_back(std::to_string(k));
        found.push_back({{{TokenKind::number, words_.back(), at.span}}});
      }
      return found;
    }
    if (range.size() > 3 && range[0].is("zip") && range[1].is("(") && is_one_bracket(between(range, 1))) {
      std::optional<std::vector<std::vector<Tokens>>> found;
      for (const Tokens& each : parts_of(inside(range, 2))) {
        const auto one = steps_of(each, at);
        if (!one || (found && found->size() != one->size())) return std::nullopt;
        if (!found) found.emplace(one->size());
        for (std::size_t k = 0; k < one->size(); ++k) (*found)[k].insert((*found)[k].end(), (*one)[k].begin(), (*one)[k].end());
      }
      return found;
    }
    if (range.size() == 1 && range[0].kind == TokenKind::name) {
      const auto list = list_of(range[0].text);
      return list ? steps_of(*list, at) : std::nullopt;
    }
    if (range.size() < 3 || !is_one_bracket(range) || range[0].is("{")) return std::nullopt;
    std::vector<std::vector<Tokens>> found;
    for (const Tokens& item : parts_of(inside(range, 1))) {
      if (item.empty()) continue;
      const bool several = is_one_bracket(item) && has_outside(inside(item, 1), ",");
      found.emplace_back(several ? parts_of(inside(item, 1)) : std::vector<Tokens>{item});
      if (!std::all_of(found.back().begin(), found.back().end(), [](const Tokens& t) { return is_path(t) || is_literal(t); })) return std::nullopt;
    }
    return found;
  }
  /// The list that a name stands for, which has no other meaning and to which nothing is added.
  std::optional<Tokens> list_of(std::string_view name) const {
    const auto times = bindings();
    if (const auto at = times.find(name); at == times.end() || at->second != 1) return std::nullopt;
    std::optional<Tokens> found;
    for (std::size_t k = 0; k < tokens_.size(); ++k) {
      if (!tokens_[k].is(name)) continue;
      if (k + 2 < tokens_.size() && begins_statement(tokens_, k) && tokens_[k + 1].is("=") && tokens_[k + 2].is("[")) found = slice(tokens_, k + 2, end_of_statement(tokens_, k));
      else if (k + 1 < tokens_.size() && (tokens_[k + 1].is(".") || (tokens_[k + 1].is("[") && begins_statement(tokens_, k)))) return std::nullopt;
    }
    return found;
  }
  /// getattr(lin, "weight") as lin.weight, setattr(lin, "weight", W) as lin.weight = W.
  static Tokens with_attributes(const Tokens& tokens) {
    Tokens found;
    for (std::size_t k = 0; k < tokens.size(); ++k) {
      const bool gets = tokens[k].is("getattr"), sets = tokens[k].is("setattr") && begins_statement(tokens, k);
      const std::size_t close = (gets || sets) && k + 1 < tokens.size() && tokens[k + 1].is("(") ? closing(tokens, k + 1) : tokens.size();
      const auto parts = close < tokens.size() ? parts_of(slice(tokens, k + 2, close)) : std::vector<Tokens>{};
      const bool known = parts.size() == (sets ? 3U : 2U) && is_path(parts[0]) && parts[1].size() == 1 && parts[1][0].kind == TokenKind::text && parts[1][0].text.size() > 2;
      if (!known) {
        found.push_back(tokens[k]);
        continue;
      }
      put(found, parts[0]);
      put(found, {{TokenKind::symbol, ".", tokens[k].span}, {TokenKind::name, parts[1][0].text.substr(1, parts[1][0].text.size() - 2), parts[1][0].span}});
      if (sets) {
        found.push_back({TokenKind::symbol, "=", tokens[k].span});
        put(found, parts[2]);
      }
      k = close;
    }
    return found;
  }

  /// Of functions and methods that act nothing is left where nothing calls them any more; of tests, which others call, all is.
  Tokens without_uncalled() {
    for (bool more = true; more;) {
      more = false;
      const Known known = read();
      const auto drop = [&](std::string_view name, const Function& f, bool method) {
        if (f.acts == Acts::nothing || more || (written_out_.count(name) == 0 && (name == "forward" || name == "__call__" || f.acts == Acts::asserts || name.starts_with("test")))) return;
        for (std::size_t k = 0; k + 1 < tokens_.size(); ++k) {
          const bool own = k >= f.begin && k < f.end;
          if (!own && tokens_[k].is(name) && method == (k > 0 && tokens_[k - 1].is("."))) return;
        }
        Tokens next = slice(tokens_, 0, f.begin);
        put(next, slice(tokens_, f.end, tokens_.size()));
        tokens_ = std::move(next);
        more = true;
      };
      for (const auto& [name, f] : known.functions) drop(name, f, false);
      for (const auto& [name, c] : known.classes) {
        for (const auto& [method, f] : c.methods) drop(method, f, true);
      }
    }
    return std::move(tokens_);
  }

  Tokens tokens_;
  Words& words_;
  std::set<std::string_view> written_out_;  ///< functions and methods, by their names
};

}  // namespace

std::set<std::string_view> changing_calls(const Tokens& tokens) {
  Words words;
  const bool any = std::any_of(tokens.begin(), tokens.end(), [](const Token& t) { return t.is("def"); });
  return any ? ActingCalls(tokens, words).changing() : std::set<std::string_view>{};
}

Tokens with_acting_calls(Tokens tokens, Words& words) {
  const auto has = [&](std::string_view word) { return std::any_of(tokens.begin(), tokens.end(), [&](const Token& t) { return t.is(word); }); };
  const bool any = has("def") || has("getattr") || (has("for") && has("nn"));
  return any ? ActingCalls(std::move(tokens), words).run() : tokens;
}

}  // namespace foldproof::program
