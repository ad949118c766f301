// SPDX-License-Identifier: MIT
// Objects of classes, as the functions and tensors that they are made of. Its parts: classes.cpp (programs, what names stand for, classes),
// class_names.cpp (names that would hide others), class_objects.cpp (what __init__ makes), class_methods.cpp (what methods compute),
// module_lists.cpp (nn.ModuleList, nn.Sequential, and loops over them). Part of the trusted base.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "program/modules.hpp"

namespace foldproof::program::objects {

struct Parameter {
  Token name;
  Tokens otherwise;      ///< its default value
  bool by_name = false;  ///< behind a star
};
struct Method {
  Token name;
  std::vector<Parameter> parameters;  ///< without self
  Tokens written;                     ///< def name(...): and its block, to the end of it
  std::size_t body = 0;               ///< where the block begins, in `written`
  std::string_view owner;             ///< the class that it is written in
  bool is_static = false;             ///< without self
};
struct Class {
  Token name;
  std::string_view base;    ///< a class of the program; empty for others
  bool is_module = false;   ///< nn.Module is among its bases, so that it is called as forward
  std::vector<Method> methods;
  std::map<std::string_view, Tokens> constants;  ///< scale = 2, beside the methods
};
struct Object {
  const Class* of;
  std::map<std::string_view, Tokens> attributes;
  std::map<const Method*, std::string_view> functions;  ///< the names of its methods as functions
};
constexpr std::string_view settings[] = {"config", "cfg", "hparams"};  ///< what holds sizes by their names

inline Tokens in_round_brackets(Tokens value) {
  const Span span = value.front().span;
  value.insert(value.begin(), {TokenKind::symbol, "(", span});
  value.push_back({TokenKind::symbol, ")", span});
  return value;
}
/// As one operand of whatever stands around it.
inline Tokens in_brackets(Tokens value) { return value.size() < 2 || is_one_bracket(value) ? value : in_round_brackets(std::move(value)); }

/// Gives tokens other names in the order in which they are asked for, where `other` has one.
using Renaming = std::map<std::string_view, Token>;
inline void rename(Tokens& tokens, std::size_t first, std::size_t end, const Renaming& other) {
  std::vector<std::size_t> places;
  for (std::size_t k = first; k < end; ++k) {
    if (is_use(tokens, k) && other.count(tokens[k].text) > 0) places.push_back(k);
  }
  for (const std::size_t k : places) tokens[k].text = other.at(tokens[k].text).text;
}

class Classes {
 public:
  Classes(Tokens tokens, Words& words) : tokens_(std::move(tokens)), words_(words), numbers_(named_numbers(tokens_)) {
    for (const Token& t : tokens_) {
      if (t.kind == TokenKind::name) used_.insert(t.text);
    }
    note_bindings();
    note_changed_attributes();
    note_sizes();
  }

  Tokens run();

 private:
  // ---- what names stand for in the program

  /// Where names outside of functions and classes get values.
  void note_bindings();
  void bind(const Tokens& s, std::size_t k, bool block);
  bool is_class_of_program(std::string_view name) const;
  bool is_bound(std::string_view name) const { return bindings_.count(name) > 0; }
  bool is_bound_behind(std::string_view name, std::size_t at) const;
  void require_one_meaning(const Token& name) const;

  Token word(std::string text, const Token& at);
  /// A name that nobody uses.
  Token fresh(const std::string& text, const Token& at);
  Token number(std::size_t value, const Token& at) { return {TokenKind::number, word(std::to_string(value), at).text, at.span}; }
  void end_statement(const Token& at) { written_.push_back({TokenKind::separator, "\n", at.span}); }

  // ---- names of functions, comprehensions and lambda, which must not hide what attributes stand for

  bool is_meant(std::string_view name) const;
  /// Gives the indices of comprehensions and the parameters of lambda new names where they are among `meant`.
  void rename_bound(Tokens& tokens, const std::function<bool(std::string_view)>& meant);
  /// A function whose parameters and locals are no names that attributes stand for. Its block begins at `body`.
  Tokens with_own_names(Tokens t, std::size_t body);

  // ---- classes

  bool is_class(std::size_t k) const { return tokens_[k].is("class") && begins_statement(tokens_, k) && k + 1 < tokens_.size() && tokens_[k + 1].kind == TokenKind::name; }

  std::size_t read_class(std::size_t k);
  /// scale = 2 beside the methods, which self.scale is.
  void read_constant(std::size_t& at, Class& of) const;

  /// The method that begins at `at`, which is set behind it.
  Method read_method(std::size_t& at, const Class& of, bool is_static) const;
  /// Refuses w=torch.randn(3), and what calls something of the program: Python draws it where the class is read, and each object would draw its own.
  void require_no_draws(const Tokens& otherwise) const;

  const Class* base_of(const Class& c) const { return c.base.empty() ? nullptr : &classes_.find(c.base)->second; }
  /// The method that an object of the class has by that name.
  const Method* method_of(const Class* c, std::string_view name) const;
  /// What an object is called as.
  const Method* call_of(const Class& c) const;
  const Method* method_above(const Method& m, std::string_view name) const { return method_of(base_of(classes_.find(m.owner)->second), name); }
  std::string_view function_of(std::string_view object, Object& o, const Method& m);
  /// The position behind super() or super(A, self) at k; k where it is none.
  static std::size_t behind_super(const Tokens& t, std::size_t k);

  // ---- statements outside of classes

  void statement(Tokens written);
  /// lin.W = 2 * lin.W, after which the methods that read it are written again: see with_functions_again.
  bool changed_attribute(const Tokens& s);
  /// Which attributes get another value outside of classes, by their names.
  void note_changed_attributes();
  void note_sizes();
  /// b.load_state_dict(a.state_dict()) of two objects of one class: each layer and parameter of b is that of a.
  bool loaded(const Tokens& s);
  void load_weights(const Token& to, const Token& from, const Token& at);
  /// Linear of fc = nn.Linear(d, k), Parameter of g = nn.Parameter(...); empty for others.
  std::string_view module_of(const Token& name) const;
  bool is_parameter(const Token& name) const { return module_of(name) == "Parameter"; }
  bool has_weights(const Token& name) const;
  /// Attributes are what __init__ makes of them.
  void refuse_attribute(const Tokens& s);
  /// model.eval()
  bool sets_mode(const Tokens& s);
  /// A(d).eval() as A(d), where A has no such methods of its own.
  Tokens without_modes(Tokens value) const;
  bool is_made(const Tokens& value) const { return value.size() > 2 && value[0].kind == TokenKind::name && classes_.count(value[0].text) > 0 && value[1].is("(") && closing(value, 1) + 1 == value.size(); }
  bool is_module(const Tokens& t) const { return t.size() == 1 && t[0].kind == TokenKind::name && (objects_.count(t[0].text) > 0 || lists_.count(t[0].text) > 0 || layers_.count(t[0].text) > 0); }
  static bool is_layer(const Tokens& value);
  static bool is_list(const Tokens& value);

  // ---- lists of modules

  /// layers = nn.ModuleList([Block(d) for _ in range(2)]): each gets a name of its own.
  void make_list(const Token& name, const Tokens& value);
  /// The modules of [a, Block(d)], [Block(d) for _ in range(2)] and of a list by its name.
  std::vector<Token> items_of(const Token& name, const Tokens& list, const Token& at);
  static Tokens in_step(const Tokens& tokens, const std::vector<Token>& targets, const std::vector<Tokens>& values);
  /// The modules of a list by its name, of layers[:2] and of reversed(layers).
  std::optional<std::vector<Token>> modules_of(const Tokens& t) const;
  /// The place in a list of that length, of which there is one before it or which is its end; -1 counts from there.
  static std::optional<std::size_t> place(const Tokens& t, std::size_t length);
  /// What the targets of a loop are in each step, where it goes through modules or so many numbers.
  std::optional<std::vector<std::vector<Tokens>>> steps_of(const Tokens& range, const Token& at);
  /// Whether a module of a list is chosen by that name: layers[i].
  bool chooses_module(const Tokens& body, std::string_view index) const;
  /// The block of `for layer in layers:` for each of them. Where that is no loop over modules, nothing.
  std::optional<Tokens> each_in_turn(const Tokens& tokens, std::size_t& at, bool in_function);
  /// [head(x) for head in heads] as what each of them gives; nothing for other lists. Sets k to the bracket that closes it.
  std::optional<Tokens> listed(const Tokens& tokens, std::size_t& k);
  /// self.layers.append(Block(d)), where `values` are those of the names in __init__.
  bool appended(const Tokens& s, const std::function<Tokens(const Tokens&)>& with_values);
  static bool is_sequence(const Tokens& value);
  /// net = nn.Sequential(a, nn.ReLU(), *layers), a list of modules that can be called.
  void make_sequence(const Token& name, const Tokens& value);
  std::string_view called_as(std::string_view name, Object& object, const Token& at);

  // ---- conditions that what stands there decides

  std::optional<bool> decided(const Tokens& written) const;
  /// Whether the name may stand for None, which it is given somewhere in the program.
  bool is_none(const Token& name) const;
  /// The value that `a if c else b` has, and `a or b`, where that is decided.
  Tokens chosen(const Tokens& value) const;

  // ---- objects

  /// Block(d)(x): the object gets a name of its own, before the statement.
  Tokens made_apart(const Tokens& written);

  /// name = Block(d, h): what __init__ does, and its methods.
  void make(const Token& name, const Tokens& value);

  /// What the parameters of a method get from a call.
  std::map<std::string_view, Tokens> given(const Method& method, const std::vector<Tokens>& arguments, const Token& at) const;

  /// __init__ of one class, for the object of that name.
  struct Initial {
    const Token& name;
    Object& object;
    const Method& method;
    std::map<std::string_view, Tokens> values;  ///< of its parameters and locals
  };
  void initialize(const Token& name, Object& object, const Method& init, const std::vector<Tokens>& arguments);
  Tokens with_values(const Initial& i, Tokens t);
  /// What the statements do, in their order.
  void initialize(Initial& i, const Tokens& t);
  /// The case of if, elif and else that is meant; the position behind them.
  std::size_t initialize_cases(Initial& i, const Tokens& t, std::size_t k);
  /// if d % h != 0: raise ...
  void assert_opposite(const Tokens& condition, const Token& at);
  void initialize_statement(Initial& i, const Tokens& s);
  /// The values that so many targets get of W.shape, and of (draw() for _ in range(3)); the value itself of another one.
  std::vector<Tokens> each_of(const Tokens& value, std::size_t count);
  /// Refuses lambda y: y @ W where W or self.W gets several values in __init__: Python looks at what it is when the function is called.
  static void require_lasting(const Initial& i, const Tokens& written);
  Tokens value_in(const Initial& i, const Tokens& written);
  /// b_fc.weight for self.fc.weight, which alone is given a value.
  Tokens resolved_weight(const Tokens& target, const Token& at);

  /// Whether the value is made of names and numbers alone, as sizes are, and may stand where it is used.
  bool is_plain(const Tokens& value) const;
  /// Whether it names nothing but sizes of declared shapes, and what is given numbers: nothing changes these in place.
  bool is_of_sizes(const Tokens& value) const;
  Token define(const Token& object, const Token& attribute, const Tokens& value);
  /// The value as what stands where it is used: itself, or a name for it.
  Tokens kept(const Token& name, const Token& attribute, const Tokens& value);
  /// F.relu, which is called by another name then.
  static bool is_function(const Tokens& value);
  bool holds_modules(const Tokens& items) const;
  void set(Initial& i, const Token& attribute, const Tokens& value);

  /// The methods of objects of the class, but __init__ and those that nothing calls; first those that others call.
  std::vector<const Method*> needed(const Class& of) const;
  /// Whether a method is called by its name, outside of itself.
  bool is_asked_for(const Method& m) const;

  /// def block_forward(x): ... of def forward(self, x): ..., whose own names are no names that attributes stand for.
  Tokens as_function(const Method& method, const Token& object, Object& of);

  /// block.q as what it is, block(x) as block_forward(x), block.attend(x) as block_attend(x).
  Tokens resolved(Tokens tokens, bool in_function = false);

  /// The config, or the point behind it, of config.n_embd, which is a size by that name.
  bool is_setting(const Tokens& tokens, std::size_t k) const;

  /// Whether nn.Sequential( stands before the name there, in its statement.
  bool in_sequence(std::size_t k) const;
  /// A module is called, and is no tensor.
  void require_values() const;

  Tokens tokens_;
  Words& words_;
  std::map<std::string_view, Token> numbers_;
  Tokens written_;
  std::size_t at_ = 0;                 ///< behind the statement that is read
  std::set<std::string_view> used_;    ///< names of the program, and those made here
  std::map<std::string_view, std::vector<std::size_t>> bindings_;  ///< where names outside of functions get values, in their order
  std::set<std::string_view> made_;  ///< names outside of functions that stand for modules, also below
  std::map<std::string_view, std::vector<Token>> lists_;           ///< of modules
  std::map<std::string_view, Class> classes_;
  std::map<std::string_view, Object> objects_;
  std::set<std::string_view> sequences_;      ///< lists of modules that can be called
  std::set<std::string_view> buffers_;        ///< attributes that register_buffer makes
  std::set<std::string_view> layers_;         ///< names of nn.Linear(...) and the like
  std::set<std::string_view> sizes_;  ///< names in declared shapes, and of numbers
  bool changes_in_place_ = false;     ///< something in the program does
  std::set<std::string_view> changed_attributes_, changing_;  ///< attributes that get other values outside of classes, and the names that stand for them
  std::map<std::string_view, Token> others_;  ///< names for objects and lists that have one already
};

}  // namespace foldproof::program::objects
