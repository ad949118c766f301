// SPDX-License-Identifier: MIT
#include "program/given_objects.hpp"

#include <algorithm>
#include <cctype>
#include <map>

#include "program/language.hpp"

namespace foldproof::program {
namespace {

constexpr int most_functions = 50;  // of this kind, in one program

class GivenObjects {
 public:
  GivenObjects(Tokens tokens, Words& words) : tokens_(std::move(tokens)), words_(words) {}

  Tokens run() {
    for (int made = 0; made < most_functions && write_one_apart(); ++made) {}
    for (const std::string_view name : written_apart_) drop_uncalled(name);
    return std::move(tokens_);
  }

 private:
  /// def f(m, x): ..., outside of all blocks.
  struct Function {
    std::vector<Tokens> parameters;
    Tokens body;  ///< from the colon on
    BoundNames inside;
  };
  /// What is known outside of all blocks before a statement.
  struct Known {
    std::map<std::string_view, Function> functions;
    std::set<std::string_view> objects;  ///< modules and functions
    void forget(std::string_view name) {
      functions.erase(name);
      objects.erase(name);
    }
  };

  bool write_one_apart() {
    Known known;
    for (std::size_t k = 0; k < tokens_.size();) {
      if (ends_statement(tokens_[k])) {
        ++k;
        continue;
      }
      const std::size_t head = end_of_statement(tokens_, k), end = behind_statement(tokens_, k);
      const bool def = tokens_[k].is("def") && head < tokens_.size() && tokens_[head].kind == TokenKind::block_begin && k + 2 < head && tokens_[k + 2].is("(");
      const BoundNames own = def ? bound_names(slice(tokens_, k, end)) : BoundNames{};
      for (std::size_t call = def ? head : k; !tokens_[k].is("class") && call < end; ++call) {
        if ((end == head && name_made(known, k, call, end)) || write_apart(known, own, k, call)) return true;
      }
      note(known, k, head, end, def);
      k = end;
    }
    return false;
  }

  /// What the statement there binds.
  void note(Known& known, std::size_t begin, std::size_t head, std::size_t end, bool def) const {
    if (def) {
      const std::size_t close = closing(tokens_, begin + 2);
      known.forget(tokens_[begin + 1].text);
      if (is_decorated(tokens_, begin) || close >= head) return;
      const Tokens body = slice(tokens_, close + 1, end);
      known.functions.emplace(tokens_[begin + 1].text, Function{parts_of(slice(tokens_, begin + 3, close)), body, bound_names(body)});
      known.objects.insert(tokens_[begin + 1].text);
      return;
    }
    if (tokens_[begin].is("class")) return;
    const Tokens statement = slice(tokens_, begin, end);
    const BoundNames bound = bound_names(statement);
    for (const auto* names : {&bound.assigned, &bound.functions, &bound.recomputed}) {
      for (const std::string_view name : *names) known.forget(name);
    }
    if (begin + 2 < head && tokens_[begin].kind == TokenKind::name && tokens_[begin + 1].is("=") && makes_object(slice(tokens_, begin + 2, head))) known.objects.insert(tokens_[begin].text);
  }

  /// lambda x: ..., and Attention(8, 2) or nn.Linear(4, 4).double(): what begins with a capital letter makes an object, but for tensors.
  static bool makes_object(const Tokens& value) {
    if (!value.empty() && value[0].is("lambda")) return true;
    std::size_t name = 0;
    while (name + 2 < value.size() && value[name].kind == TokenKind::name && value[name + 1].is(".")) name += 2;
    static constexpr std::string_view tensors[] = {"Tensor", "FloatTensor", "DoubleTensor", "LongTensor", "Parameter", "Buffer", "Generator", "RandomState"};
    const bool made = name + 1 < value.size() && value[name].kind == TokenKind::name && std::isupper(static_cast<unsigned char>(value[name].text[0])) != 0 && value[name + 1].is("(") && !is_among(value[name].text, tensors);
    if (!made) return false;
    static constexpr std::string_view kept[] = {"eval", "train", "double", "float", "half", "to", "cpu", "cuda", "requires_grad_"};
    for (std::size_t k = closing(value, name + 1) + 1; k < value.size(); k = closing(value, k + 2) + 1) {
      if (k + 2 >= value.size() || !value[k].is(".") || !is_among(value[k + 1].text, kept) || !value[k + 2].is("(")) return false;
    }
    return true;
  }

  /// The function of the program that is called there.
  const Function* called(const Known& known, std::size_t call) const {
    const bool calls = tokens_[call].kind == TokenKind::name && call + 1 < tokens_.size() && tokens_[call + 1].is("(") && (call == 0 || !tokens_[call - 1].is("."));
    const auto function = calls ? known.functions.find(tokens_[call].text) : known.functions.end();
    return function == known.functions.end() ? nullptr : &function->second;
  }

  /// Of compare(Attention(8, 2), x) in a plain statement: a = Attention(8, 2), then compare(a, x). Not in a comprehension, where each step makes its own.
  bool name_made(const Known& known, std::size_t begin, std::size_t call, std::size_t end) {
    const auto at = [&](std::size_t k) { return tokens_.begin() + static_cast<std::ptrdiff_t>(k); };
    if (called(known, call) == nullptr || std::any_of(at(begin), at(end), [](const Token& t) { return t.is("for"); }) || std::any_of(at(begin), at(call), [](const Token& t) { return t.is("lambda"); })) return false;
    const std::size_t close = closing(tokens_, call + 1);
    std::size_t first = call + 2;
    for (const Tokens& argument : parts_of(slice(tokens_, first, close))) {
      const bool by_name = is_by_name(argument);
      const Tokens value = between(argument, by_name ? 2 : 0);
      if (!value.empty() && makes_object(value)) {
        const Token made = numbered({TokenKind::name, "given", value[0].span}, tokens_, words_);
        Tokens next = slice(tokens_, 0, begin);
        put(next, {made, {TokenKind::symbol, "=", made.span}});
        put(next, value);
        next.push_back({TokenKind::separator, "\n", made.span});
        put(next, slice(tokens_, begin, first + (by_name ? 2 : 0)));
        next.push_back(made);
        put(next, slice(tokens_, first + argument.size(), tokens_.size()));
        tokens_ = std::move(next);
        return true;
      }
      first += argument.size() + 1;
    }
    return false;
  }

  /// The call at `call` in the statement at `begin`, if it is of this kind. `own`: the names of the function that this statement defines, with its parameters.
  bool write_apart(const Known& known, const BoundNames& own, std::size_t begin, std::size_t call) {
    const Token& name = tokens_[call];
    const Function* function = called(known, call);
    if (function == nullptr || own.has(name.text)) return false;
    const Function& f = *function;
    const std::size_t close = closing(tokens_, call + 1);
    std::vector<Tokens> arguments = parts_of(slice(tokens_, call + 2, close)), parameters = f.parameters;
    std::erase_if(arguments, [](const Tokens& a) { return a.empty(); });
    if (std::any_of(arguments.begin(), arguments.end(), [](const Tokens& a) { return a[0].is("*") || a[0].is("**"); })) return false;  // which parameter gets what is not seen
    std::map<std::string_view, Tokens> given;  // parameter -> object
    for (std::size_t k = arguments.size(); k-- > 0;) {
      const Tokens& argument = arguments[k];
      const bool by_name = is_by_name(argument);
      const Tokens object = between(argument, by_name ? 2 : 0);
      if (!is_object(known, object) || own.has(object[0].text)) continue;
      const std::string_view wanted = by_name ? argument[0].text : k < f.parameters.size() && !f.parameters[k].empty() ? f.parameters[k][0].text : std::string_view();
      const auto parameter = std::find_if(parameters.begin(), parameters.end(), [&](const Tokens& p) { return !p.empty() && p[0].kind == TokenKind::name && p[0].text == wanted; });
      if (parameter == parameters.end() || f.inside.has(wanted) || f.inside.has(object[0].text) || is_parameter(f, object[0].text, wanted)) return false;
      given.emplace(wanted, object);
      parameters.erase(parameter);
      arguments.erase(arguments.begin() + static_cast<std::ptrdiff_t>(k));
    }
    for (std::size_t k = parameters.size(); k-- > 0;) {  // act=softmax, where the call says nothing of it
      const Tokens& p = parameters[k];
      const bool otherwise = is_by_name(p) && is_object(known, between(p, 2));
      if (!otherwise || k < arguments.size() || f.inside.has(p[0].text) || f.inside.has(p[2].text) || is_parameter(f, p[2].text, p[0].text)) continue;
      if (std::any_of(arguments.begin(), arguments.end(), [&](const Tokens& a) { return a.size() > 1 && a[0].is(p[0].text) && a[1].is("="); })) continue;
      given.emplace(p[0].text, between(p, 2));
      parameters.erase(parameters.begin() + static_cast<std::ptrdiff_t>(k));
    }
    if (given.empty()) return false;
    const Token apart = numbered(name, tokens_, words_);
    Tokens next = slice(tokens_, 0, begin);
    const auto list = [&](const std::vector<Tokens>& parts) {
      next.push_back({TokenKind::symbol, "(", name.span});
      put(next, with_commas(parts, name));
      next.push_back({TokenKind::symbol, ")", name.span});
    };
    put(next, {{TokenKind::name, "def", name.span}, apart});
    list(parameters);
    put(next, replaced(f.body, [&](std::string_view used) {
      const auto object = given.find(used);
      return object == given.end() ? nullptr : &object->second;
    }));
    next.push_back({TokenKind::separator, "\n", name.span});
    put(next, slice(tokens_, begin, call));
    next.push_back(apart);
    list(arguments);
    put(next, slice(tokens_, close + 1, tokens_.size()));
    written_apart_.insert(name.text);
    tokens_ = std::move(next);
    return true;
  }

  /// A function or module of the program, or one of a library: torch.relu.
  static bool is_object(const Known& known, const Tokens& value) {
    static constexpr std::string_view libraries[] = {"np", "numpy", "torch", "F", "nn", "jnp", "jax", "math"};
    if (value.size() == 1) return value[0].kind == TokenKind::name && known.objects.count(value[0].text) > 0;
    if (value.size() < 3 || value.size() % 2 == 0 || !is_among(value[0].text, libraries)) return false;
    for (std::size_t k = 0; k < value.size(); ++k) {
      if (k % 2 == 0 ? value[k].kind != TokenKind::name : !value[k].is(".")) return false;
    }
    return true;
  }

  /// Whether the function has a parameter of that name besides.
  static bool is_parameter(const Function& f, std::string_view name, std::string_view besides) {
    return name != besides && std::any_of(f.parameters.begin(), f.parameters.end(), [&](const Tokens& p) { return !p.empty() && p[0].text == name; });
  }

  /// Of a function that was written apart nothing is left where nothing else calls it: its objects would have no meaning there.
  void drop_uncalled(std::string_view name) {
    std::optional<std::size_t> def;
    for (std::size_t k = 0; k < tokens_.size(); ++k) {
      if (!tokens_[k].is(name) || (k > 0 && tokens_[k - 1].is("."))) continue;
      if (def || k == 0 || !tokens_[k - 1].is("def")) return;
      def = k - 1;
    }
    if (!def) return;
    Tokens next = slice(tokens_, 0, *def);
    put(next, slice(tokens_, behind_statement(tokens_, *def), tokens_.size()));
    tokens_ = std::move(next);
  }

  Tokens tokens_;
  Words& words_;
  std::set<std::string_view> written_apart_;
};

}  // namespace

Tokens with_objects_given(Tokens tokens, Words& words) {
  return std::any_of(tokens.begin(), tokens.end(), [](const Token& t) { return t.is("def"); }) ? GivenObjects(std::move(tokens), words).run() : tokens;
}

}  // namespace foldproof::program
