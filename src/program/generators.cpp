// SPDX-License-Identifier: MIT
#include "program/generators.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "expr/diagnostic.hpp"
#include "program/library_names.hpp"

namespace foldproof::program {
namespace {

constexpr std::string_view functions[] = {"randn", "rand", "standard_normal", "normal", "uniform", "random", "random_sample", "randn_like", "rand_like", "randint", "integers", "randperm", "permutation"};
constexpr std::string_view of_places[] = {"randint", "integers", "randperm", "permutation"};  // whole numbers
constexpr std::string_view makers[] = {"default_rng", "RandomState", "Generator", "PRNGKey"};

/// A call of a name with modules before it, np.random.normal(...).
struct Call {
  std::size_t begin = 0, name = 0, open = 0, end = 0;  ///< places of tokens; `end` is behind the bracket
};

/// The call that begins at k, if one does there.
std::optional<Call> call_at(const Tokens& t, std::size_t k) {
  if (t[k].kind != TokenKind::name || (k > 0 && t[k - 1].is("."))) return std::nullopt;
  std::size_t name = k;
  while (name + 2 < t.size() && t[name + 1].is(".") && t[name + 2].kind == TokenKind::name) name += 2;
  if (name + 1 >= t.size() || !t[name + 1].is("(")) return std::nullopt;
  return Call{k, name, name + 1, closing(t, name + 1) + 1};
}

bool is_plain_number(const Tokens& t) { return t.size() == 1 && t[0].kind == TokenKind::number; }
/// 12, and no 012 or 1_2: two of these are one seed where they are one text.
bool is_plain_seed(const Tokens& t) { return is_plain_number(t) && t[0].text.find_first_not_of("0123456789") == std::string_view::npos && (t[0].text[0] != '0' || t[0].text.size() == 1); }

class Generators {
 public:
  explicit Generators(const Tokens& tokens) : tokens_(tokens) {}

  Tokens run() {
    now_ = tokens_;
    for (std::size_t k = 0; k < tokens_.size(); ++k) {
      const auto call = call_at(tokens_, k);
      if (call && is_among(tokens_[call->name].text, functions)) drawing_.insert(is_called(*call, {"torch", tokens_[call->name].text}) ? "torch" : tokens_[k].is("np") || tokens_[k].is("numpy") ? "legacy" : tokens_[k].is("jax") ? "jax" : "any");
      if (call && makes_generator(*call) && draws_at_once(tokens_, call->end)) drawing_.insert("any");
      if (tokens_[k].is("nn") && k + 3 < tokens_.size() && tokens_[k + 1].is(".") && tokens_[k + 3].is("(")) drawing_.insert("torch");  // its weights
      if (call && k > 1 && tokens_[k - 1].is("=") && makes_generator(*call) && !draws_at_once(tokens_, call->end)) generators_.insert(tokens_[k - 2].text);  // functions may stand before it
    }
    for (std::size_t known = 0; known != generators_.size();) {
      known = generators_.size();
      note_given();
    }
    each_statement(tokens_, [&](const Tokens& statement, std::size_t end) {
      if (!begins(statement)) put(written_, rewritten(statement));
      if (end == tokens_.size()) return;
      if (depth_ == 0) function_ = !statement.empty() && statement[0].is("def") && statement.size() > 1 ? statement[1].text : std::string_view();
      depth_ += step_into_block(tokens_[end]);
      written_.push_back(tokens_[end]);
    });
    return std::move(written_);
  }

 private:
  /// Whether the statement that is read may be done more than once: in a case or a loop, and in a function unless one statement outside of these calls it.
  bool is_repeated() const { return depth_ > 1 || (depth_ == 1 && !is_called_once(function_)); }
  bool is_called_once(std::string_view function) const {
    int uses = 0, depth = 0;
    bool plain = !function.empty();
    for (std::size_t k = 0; k < tokens_.size(); ++k) {
      depth += step_into_block(tokens_[k]);
      if (!tokens_[k].is(function) || (k > 0 && tokens_[k - 1].is("def"))) continue;
      ++uses;
      plain = plain && depth == 0 && k + 1 < tokens_.size() && tokens_[k + 1].is("(") && !is_recomputed(tokens_, k);
    }
    return plain && uses == 1;
  }

  struct Given {
    std::vector<Tokens> by_place;
    std::map<std::string_view, Tokens> by_name;
    Tokens storage;  ///< dtype=... and the like, with commas before them

    /// The value of a parameter by its place or name; empty where it is not given.
    Tokens take(std::size_t place, std::string_view name) {
      if (place < by_place.size()) return by_place[place];
      const auto at = by_name.find(name);
      if (at == by_name.end()) return {};
      Tokens value = at->second;
      by_name.erase(at);
      return value.size() == 1 && value[0].is("None") ? Tokens{} : value;
    }
  };

  [[noreturn]] static void refuse(const Token& at, const std::string& message, const std::string& hint) { fail("parse.unexpected", message, at.span, hint); }

  /// Whether the call in the statement is one of np.random.seed, which is written with its modules here.
  bool is_called(const Call& call, std::initializer_list<std::string_view> path) const {
    if (call.name - call.begin != 2 * (path.size() - 1)) return false;
    std::size_t k = call.begin;
    for (const std::string_view part : path) {
      const bool numpy = part == "np" && (now_[k].is("np") || now_[k].is("numpy"));
      if (!numpy && !now_[k].is(part)) return false;
      k += 2;
    }
    return true;
  }

  /// Whether .normal( stands behind what makes a generator, which then has no name.
  static bool draws_at_once(const Tokens& t, std::size_t end) { return end + 2 < t.size() && t[end].is(".") && is_among(t[end + 1].text, functions) && t[end + 2].is("("); }
  bool makes_generator(const Call& call) const { return is_called(call, {"np", "random", "default_rng"}) || is_called(call, {"np", "random", "RandomState"}) || is_called(call, {"torch", "Generator"}); }

  /// A generator of a family begins with that seed, which no other one may have.
  void seed(std::string_view family, const Tokens& seed, const Token& at) {
    if (drawing_.count(family) == 0 && drawing_.count("any") == 0) return;
    if (is_repeated()) refuse(at, "a generator begins in a function, a case or a loop, and draws the same numbers each time", "make it at the beginning of the program, outside");
    for (const auto& [other_family, other] : seeds_) {
      const bool apart = is_plain_seed(seed) && is_plain_seed(other) && seed[0].text != other[0].text;
      if (family == other_family && !apart) refuse(at, "this draws the same numbers once more, if the seed is the same", "leave it out, or give it a seed of its own: 1");
    }
    seeds_.emplace_back(family, seed);
  }

  /// Reads rng = np.random.default_rng(0), torch.manual_seed(0), key, sub = jax.random.split(key) and the like. Whether nothing of it is left to read.
  bool begins(const Tokens& statement) {
    now_ = statement;
    const auto equals = assignment(statement);
    const std::size_t value = equals ? *equals + 1 : 0;
    const auto call = value < statement.size() ? call_at(statement, value) : std::nullopt;
    if (!call) return false;
    const Tokens arguments = slice(statement, call->open + 1, call->end - 1), without_name = arguments.size() > 2 && arguments[1].is("=") ? between(arguments, 2) : arguments;
    const bool whole = call->end == statement.size();
    if (!equals) {
      const bool numpy = is_called(*call, {"np", "random", "seed"}), torch = is_called(*call, {"torch", "manual_seed"}) || is_called(*call, {"torch", "random", "manual_seed"});
      const bool object = call->name == 2 && generators_.count(statement[0].text) > 0 && statement[2].is("manual_seed");
      if (whole && (numpy || torch || object)) seed(numpy ? "legacy" : "torch", without_name, statement[0]);
      return whole && object;
    }
    const bool one = *equals == 1 && statement[0].kind == TokenKind::name;
    const bool numpy = is_called(*call, {"np", "random", "default_rng"}), legacy = is_called(*call, {"np", "random", "RandomState"}), torch = is_called(*call, {"torch", "Generator"});
    if (numpy || legacy || torch) {
      if (draws_at_once(statement, call->end)) return false;
      const Tokens rest = slice(statement, call->end, statement.size());
      const bool seeded = torch && rest.size() > 3 && rest[0].is(".") && rest[1].is("manual_seed") && is_one_bracket(between(rest, 2));
      if (!one || !(whole || seeded)) refuse(statement[value], "a generator is made here in a way that is not read", "give it a name: rng = np.random.default_rng(0)");
      if (is_repeated() && !(numpy && without_name.empty())) refuse(statement[0], "a generator is made in a function, a case or a loop", "make it at the beginning of the program");
      if (!numpy || !without_name.empty()) seed(numpy ? "pcg" : legacy ? "legacy" : "torch", seeded ? inside(rest, 3) : torch ? Tokens{} : without_name, statement[0]);
      return true;
    }
    const bool key = is_called(*call, {"jax", "random", "PRNGKey"}) || is_called(*call, {"jax", "random", "key"}), splits = is_called(*call, {"jax", "random", "split"});
    if (!key && !splits) return false;
    if (!whole || depth_ > 0) refuse(statement[value], "keys of JAX are read at the beginning of a program, and one to a statement", "write key = jax.random.PRNGKey(0), k1, k2 = jax.random.split(key)");
    if (key) seed("jax", without_name, statement[0]);
    const std::vector<Tokens> given = parts_of(arguments), targets = parts_of(between(statement, 0, static_cast<std::ptrdiff_t>(*equals)));
    if (splits) use_key(given[0], statement[value]);
    const auto count = key ? std::optional<std::size_t>(1) : given.size() > 1 ? small_number(given[1]) : std::optional<std::size_t>(2);
    for (const Tokens& target : targets) {
      if (target.size() != 1 || target[0].kind != TokenKind::name) refuse(target.empty() ? statement[0] : target[0], "expected a name of a key of JAX", "write k1, k2 = jax.random.split(key)");
    }
    const bool several = splits && one;  // keys = jax.random.split(key, 3)
    if (!count || *count == 0 || *count > 64 || (splits && !several && targets.size() != *count) || (key && !one)) refuse(statement[0], "how many keys of JAX these are is not known", "write k1, k2 = jax.random.split(key)");
    for (const Tokens& target : targets) {
      const std::string name(target[0].text);
      keys_.erase(name);
      std::erase_if(keys_, [&](const std::string& k) { return k.starts_with(name + " ["); });
      key_names_.insert(name);
      for (std::size_t k = 0; several && k < *count; ++k) keys_.insert(name + " [ " + std::to_string(k) + " ]");
      if (!several) keys_.insert(name);
    }
    return true;
  }

  /// What jax.random.PRNGKey(0) is given, where it stands for a key; nothing for names of keys.
  static Tokens seed_of_key(const Tokens& key) {
    const bool made = key.size() > 7 && key[0].is("jax") && key[2].is("random") && (key[4].is("PRNGKey") || key[4].is("key")) && is_one_bracket(between(key, 5));
    return made ? inside(key, 6) : Tokens{};
  }
  /// A key of JAX gives its numbers once: used again it gives the same.
  void use_key(const Tokens& key, const Token& at) {
    if (depth_ > 0) refuse(at, "a key of JAX is used in a function, a case or a loop", "draw outside of it, and give it what has been drawn");
    if (const Tokens made = seed_of_key(key); !made.empty()) return seed("jax", made, at);
    if (keys_.erase(text_of(key)) == 0) refuse(at, "this is no key of JAX that has not been used: one draws the same numbers each time", "make another one: k1, k2 = jax.random.split(key)");
  }

  Tokens rewritten(const Tokens& statement) {
    Tokens s = statement;
    for (std::size_t k = s.size(); k-- > 0;) {  // what a draw is given comes first
      now_ = s;
      auto call = call_at(s, k);
      const bool chained = call && makes_generator(*call) && draws_at_once(s, call->end);
      if (chained) {  // np.random.default_rng(0).normal(size=(n, d))
        const Tokens arguments = slice(s, call->open + 1, call->end - 1);
        if (!arguments.empty() && is_recomputed(s, k)) refuse(s[k], "a generator begins here each time that this is computed, and draws the same numbers", "make it before");
        if (!arguments.empty()) seed("pcg", is_by_name(arguments) ? between(arguments, 2) : arguments, s[k]);
        call = Call{k, call->end + 1, call->end + 2, closing(s, call->end + 2) + 1};
      }
      if (!call || !is_among(s[call->name].text, functions) || call->end > s.size()) continue;
      const bool object = chained || (call->name == k + 2 && generators_.count(s[k].text) > 0);
      if (!object && call->name > k && !is_module(s[k].text)) continue;
      if (call->name == k && (s[k].is("normal") || s[k].is("uniform") || s[k].is("random") || is_among(s[k].text, of_places))) continue;  // of nobody knows what
      const Tokens drawn = draw(s, *call, object);
      Tokens next = slice(s, 0, k);
      put(next, drawn);
      put(next, slice(s, call->end, s.size()));
      s = std::move(next);
    }
    for (std::size_t k = 0; k < s.size(); ++k) {
      if (!is_use(s, k)) continue;
      if (key_names_.count(std::string(s[k].text)) > 0) refuse(s[k], describe(s[k]) + " is a key of JAX, which gives its numbers once", "give it to jax.random.normal or jax.random.split, by its name or number");
      const bool argument = k > 0 && k + 1 < s.size() && (s[k - 1].is("(") || s[k - 1].is(",")) && (s[k + 1].is(")") || s[k + 1].is(",") || s[k + 1].is(":"));
      if (generators_.count(s[k].text) > 0 && !(argument && is_given_to_own(s, k))) refuse(s[k], describe(s[k]) + " is a generator of random numbers", "draw by it: rng.normal(size=(n, d))");
      const auto call = call_at(s, k);
      now_ = s;
      if (call && makes_generator(*call)) refuse(s[k], "a generator is made here in a way that is not read", "give it a name: rng = np.random.default_rng(0)");
    }
    return s;
  }

  /// The parameters of the function of that name, or of __init__ of the class, without self.
  std::vector<Tokens> parameters_of(std::string_view function) const {
    for (std::size_t d = 0; d + 2 < tokens_.size(); ++d) {
      if (!tokens_[d + 1].is(function) || !(tokens_[d].is("def") || tokens_[d].is("class"))) continue;
      std::size_t open = d + 2;
      for (const bool of_class = tokens_[d].is("class"); of_class && open < tokens_.size() && !(tokens_[open - 2].is("def") && tokens_[open - 1].is("__init__"));) ++open;
      if (open >= tokens_.size() || !tokens_[open].is("(")) return {};
      std::vector<Tokens> found = parts_of(slice(tokens_, open + 1, closing(tokens_, open)));
      if (tokens_[d].is("class") && !found.empty()) found.erase(found.begin());
      return found;
    }
    return {};
  }
  /// Parameters that get a generator somewhere are generators, too.
  void note_given() {
    for (std::size_t k = 1; k + 1 < tokens_.size(); ++k) {
      if (!tokens_[k].is("(") || tokens_[k - 1].kind != TokenKind::name || (k > 1 && (tokens_[k - 2].is("def") || tokens_[k - 2].is("class")))) continue;
      const std::vector<Tokens> arguments = parts_of(slice(tokens_, k + 1, closing(tokens_, k)));
      for (std::size_t a = 0; a < arguments.size(); ++a) {
        const Tokens& given = arguments[a];
        if (given.empty() || generators_.count(given.back().text) == 0 || given.size() != (is_by_name(given) ? 3u : 1u)) continue;
        const std::vector<Tokens> parameters = parameters_of(tokens_[k - 1].text);
        for (std::size_t p = 0; p < parameters.size(); ++p) {
          if (!parameters[p].empty() && (is_by_name(given) ? parameters[p][0].is(given[0].text) : p == a)) generators_.insert(parameters[p][0].text);
        }
      }
    }
  }

  /// Whether token k is an argument or a parameter of a function of the program, which draws by it.
  bool is_given_to_own(const Tokens& s, std::size_t k) const {
    std::size_t open = k;
    for (int depth = 1; open > 0 && depth > 0;) {
      --open;
      depth += (closes(s[open]) ? 1 : 0) - (opens(s[open]) ? 1 : 0);
    }
    if (open == 0 || !s[open].is("(")) return false;
    for (std::size_t d = 0; d + 1 < tokens_.size(); ++d) {
      if ((tokens_[d].is("def") || tokens_[d].is("class")) && tokens_[d + 1].text == s[open - 1].text) return true;
    }
    return false;
  }

  /// randn(3, 4), normal(0, 1, (3, 4)) and the like, by what they draw: numbers with a shape.
  Tokens draw(const Tokens& s, const Call& call, bool object) {
    const Token& name = s[call.name];
    const bool torch = !object && s[call.begin].is("torch"), jax = !object && s[call.begin].is("jax");
    Given given;
    for (const Tokens& argument : parts_of(slice(s, call.open + 1, call.end - 1))) {
      static constexpr std::string_view storage[] = {"dtype", "device", "requires_grad", "pin_memory", "layout", "memory_format", "non_blocking"};
      const bool named = is_by_name(argument);
      if (argument.empty()) continue;
      if (named && argument[0].is("generator") && torch) {
        if (argument.size() != 3 || generators_.count(argument[2].text) == 0) refuse(argument[0], "which generator draws is not known", "name it before: g = torch.Generator().manual_seed(0)");
      } else if (named && is_among(argument[0].text, storage)) {
        given.storage.push_back(symbol(",", name));
        put(given.storage, argument);
      } else if (named) {
        given.by_name[argument[0].text] = between(argument, 2);
      } else {
        given.by_place.push_back(argument);
      }
    }
    if (jax) {
      Tokens key = given.take(0, "key");
      const bool again = std::any_of(s.begin(), s.end(), [](const Token& t) { return t.is("for") || t.is("lambda") || t.is("while"); });
      if (again) refuse(s[call.begin], "a key of JAX is used here each time that this is computed, and gives the same numbers", "make one key for each: k1, k2 = jax.random.split(key)");
      use_key(key, s[call.begin]);
      if (!given.by_place.empty()) given.by_place.erase(given.by_place.begin());
    }
    if (is_among(name.text, of_places)) return draw_places(s, call, given, torch, jax);
    const bool likes = name.text.ends_with("_like"), counted = name.is("randn") || name.is("rand");
    Tokens location, scale, size;
    if (counted) {
      size = given.by_place.empty() ? given.take(0, "size") : Tokens{};
      for (std::size_t k = 0; k < given.by_place.size(); ++k) {
        if (k > 0) size.push_back(symbol(",", name));
        put(size, given.by_place[k]);
      }
      if (size.empty() && torch) refuse(name, "torch." + std::string(name.text) + " needs a size", "write torch." + std::string(name.text) + "(3, 4), or a number of no axes torch." + std::string(name.text) + "(())");
      given.by_place.clear();
    } else if (likes) {
      size = in_brackets(given.take(0, "input"), name);
      put(size, {symbol(".", name), word("shape", name)});
      if (!given.by_place.empty()) given.by_place.erase(given.by_place.begin());
    } else if (name.is("normal") && !jax) {
      location = given.take(0, torch ? "mean" : "loc");
      scale = given.take(1, torch ? "std" : "scale");
      size = given.take(2, "size");
      if (torch && size.empty()) refuse(name, "the size of torch.normal is not given", "write torch.normal(0.0, 1.0, size=(n, d))");
      if (given.by_place.size() <= 3) given.by_place.clear();
    } else if (name.is("uniform")) {
      location = given.take(jax ? 2 : 0, jax ? "minval" : "low");
      scale = given.take(jax ? 3 : 1, jax ? "maxval" : "high");
      size = given.take(jax ? 0 : 2, jax ? "shape" : "size");
      if (jax && given.by_place.size() > 1) refuse(name, "the bounds are given by their names here", "write jax.random.uniform(key, (n, d), minval=-1, maxval=1)");
      if (given.by_place.size() <= 3) given.by_place.clear();
    } else {
      size = given.take(0, jax ? "shape" : "size");
      if (given.by_place.size() <= 1) given.by_place.clear();
    }
    if (!given.by_place.empty() || !given.by_name.empty()) refuse(name, describe(name) + " is not known with these arguments", "write np.random.normal(size=(n, d)), torch.randn(n, d), np.random.uniform(-1, 1, (n, d))");
    const bool fraction = name.text.starts_with("rand") && !name.text.starts_with("randn");
    Tokens drawn;
    if (object) put(drawn, {word("np", name), symbol(".", name), word("random", name), symbol(".", name)});
    else put(drawn, slice(s, call.begin, call.name));
    const bool uniform = name.is("uniform");
    const bool fractions = fraction || uniform;
    drawn.push_back(counted ? name : word(torch ? (fractions ? "rand" : "randn") : fractions ? "random" : "standard_normal", name));
    drawn.push_back(symbol("(", name));
    if (size.size() == 2) size.clear();  // (), of no axes
    put(drawn, size);
    put(drawn, size.empty() ? between(given.storage, given.storage.empty() ? 0 : 1) : given.storage);
    drawn.push_back(symbol(")", name));
    return scaled(drawn, location, scale, uniform, size.empty(), name);
  }

  /// Whether 0 and 1 become truth values or real numbers: randint(0, 2, (n,)).bool(), with dtype=torch.bool.
  static bool is_made_truth(const Tokens& s, std::size_t end, const Tokens& storage) {
    static constexpr std::string_view methods[] = {"bool", "float", "double", "astype"};
    const bool method = end + 2 < s.size() && s[end].is(".") && is_among(s[end + 1].text, methods) && s[end + 2].is("(");
    return method || std::any_of(storage.begin(), storage.end(), [](const Token& t) { return t.is("bool") || t.is("bool_"); });
  }
  /// (np.random.random(size) < 0.5), which holds or not in each place.
  static Tokens coins(const Tokens& size, const Token& at) {
    Tokens tossed{word("np", at), symbol(".", at), word("random", at), symbol(".", at), word("random", at), symbol("(", at)};
    put(tossed, size);
    put(tossed, {symbol(")", at), symbol("<", at), {TokenKind::number, "0.5", at.span}});
    return in_brackets(tossed, at);
  }

  /// randint(high, shape), integers(low, high, size) and randperm(n), as np.random.randint(low, high, shape) and np.random.randperm(n).
  static Tokens draw_places(const Tokens& s, const Call& call, Given& given, bool torch, bool jax) {
    const Token& name = s[call.name];
    const bool order = name.is("randperm") || name.is("permutation");
    const std::vector<Tokens> places = given.by_place;
    Tokens size = jax && !order ? given.take(0, "shape") : Tokens{}, low, high;
    if (order) {
      high = given.take(0, torch ? "n" : "x");
    } else if (jax) {
      low = given.take(1, "minval");
      high = given.take(2, "maxval");
    } else {
      const bool one = places.size() + given.by_name.count("high") == (torch && given.by_name.count("size") == 0 ? 2u : 1u) && given.by_name.count("low") == 0;  // randint(5, size=(3,))
      low = one ? Tokens{} : given.take(0, "low");
      high = given.take(one ? 0 : 1, "high");
      size = given.take(one ? 1 : 2, "size");
    }
    if (low.empty()) low = {{TokenKind::number, "0", name.span}};
    if (high.empty() || !given.by_name.empty() || places.size() > (order ? 1u : 3u) || (!order && size.empty())) refuse(name, describe(name) + " is not known with these arguments", order ? "write torch.randperm(n), np.random.permutation(n)" : "write its bounds and its shape: torch.randint(0, 5, (n,)), rng.integers(0, 5, size=n)");
    if (text_of(low) == "0" && text_of(high) == "2" && is_made_truth(s, call.end, given.storage)) return coins(size, name);
    Tokens drawn{word("np", name), symbol(".", name), word("random", name), symbol(".", name), word(order ? "randperm" : "randint", name), symbol("(", name)};
    if (!order) {
      put(drawn, low);
      drawn.push_back(symbol(",", name));
    }
    put(drawn, high);
    if (!order) drawn.push_back(symbol(",", name));
    put(drawn, size);
    drawn.push_back(symbol(")", name));
    return drawn;
  }

  /// low + (high - low) * drawn, and mean + deviation * drawn, which may be any numbers where these are numbers.
  static Tokens scaled(const Tokens& drawn, const Tokens& location, const Tokens& scale, bool uniform, bool single, const Token& at) {
    if (location.empty() && scale.empty()) return drawn;
    const Tokens first = location.empty() ? Tokens{{TokenKind::number, "0", at.span}} : location, second = scale.empty() ? Tokens{{TokenKind::number, "1", at.span}} : scale;
    const auto simple = [](const Tokens& t) { return is_plain_number(t) || (t.size() == 2 && t[0].is("-") && t[1].kind == TokenKind::number); };
    const auto calls = [](const Tokens& t) { return std::any_of(t.begin(), t.end(), [](const Token& x) { return x.is("("); }); };
    if (!uniform && simple(first) && is_plain_number(second) && second[0].text.find_first_of("123456789") != std::string_view::npos) return drawn;
    if ((uniform && (calls(first) || calls(second))) || (single && (!simple(first) || !simple(second)))) refuse(at, "what " + describe(at) + " draws from is not read here", "name it before, and give the size: np.random.uniform(a, b, size=(n, d))");
    if (!uniform && second[0].is("-")) refuse(at, "a standard deviation is not below 0", "write np.random.normal(0, 1, (n, d))");
    Tokens result = in_brackets(first, at);
    result.push_back(symbol("+", at));
    Tokens width = in_brackets(second, at);
    if (uniform) {
      width.push_back(symbol("-", at));
      put(width, in_brackets(first, at));
      width = in_brackets(width, at);
    }
    put(result, width);
    result.push_back(symbol("*", at));
    put(result, drawn);
    return in_brackets(result, at);
  }

  const Tokens& tokens_;
  Tokens now_;  ///< the statement that is read
  Tokens written_;
  int depth_ = 0;
  std::string_view function_;  ///< that is read, outside of others
  std::set<std::string_view> drawing_;  ///< families by which something is drawn in the program
  std::vector<std::pair<std::string_view, Tokens>> seeds_;
  std::set<std::string_view> generators_;
  std::set<std::string> keys_, key_names_;  ///< keys of JAX that have not been used, as they are written; names of all
};

}  // namespace

Tokens without_generators(const Tokens& tokens) {
  const bool any = std::any_of(tokens.begin(), tokens.end(), [](const Token& t) { return t.kind == TokenKind::name && (is_among(t.text, functions) || is_among(t.text, makers) || t.is("manual_seed")); });
  return any ? Generators(tokens).run() : tokens;  // nearly always
}

std::size_t end_of_draw(const Tokens& tokens, std::size_t k) {
  static constexpr std::string_view drawing[] = {"randn", "rand", "standard_normal", "randint", "randperm", rotation_call};
  const auto call = call_at(tokens, k);
  if (!call) return 0;
  const bool draws = is_among(tokens[call->name].text, drawing) || (call->name > k && tokens[call->name].is("random"));
  return draws && (call->name == k || is_module(tokens[k].text)) ? call->end : 0;
}

}  // namespace foldproof::program
