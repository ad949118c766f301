// SPDX-License-Identifier: MIT
// The expression parser, shared by parse_expression and the statement parser of claims.
// Operator precedence with its own stacks instead of recursion: how deep a claim nests can never exhaust the
// program's stack, whatever the compiler or sanitizer makes of a stack frame.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "program/program.hpp"
#include "read/language.hpp"
#include "read/numpy.hpp"

namespace foldproof::read {

/// Whether the word is one for a format with fewer digits than float32, to which nobody converts without wanting to round.
inline bool is_narrow_format(std::string_view word) { return word.find("16") != std::string_view::npos || word.find("float8") != std::string_view::npos || word == "half"; }

/// Whether the word is a type of whole numbers: int, uint8, torch.long.
bool is_whole_format(std::string_view word);
/// Whether the word is a type of truth values: bool, bool_.
bool is_truth_format(std::string_view word);
/// Whether the word is a type of real numbers: float, float32, double.
bool is_real_format(std::string_view word);

/// The size that an expression of names, numbers and their sums, differences, products and whole quotients says. Errors: `parse.unexpected`, `parse.number`, `limit.size`.
Dim size_of(const Syntax& s);
/// The same, of an axis, which is at least 1 where it is a number.
Dim dimension(const Syntax& s);

/// What an expression of whole numbers says; nothing for others.
std::optional<std::int64_t> folded(const Expression& e);
/// How many steps range(begin, end, by) has, where that is known for all sizes; else null.
Expression steps_between(const Expression& begin, const Expression& end, const Expression& by);

class Parser {
 public:
  explicit Parser(std::string_view text);

  /// Writes out what the functions of the program do where they are called, before anything has been read: then sizes are known that a function leaves open. Whether there are any.
  bool write_calls();

  /// Whether a pass over the program has made that name, which then is none of the text but means something.
  bool is_made(std::string_view name) const { return std::find(words_.begin(), words_.end(), name) != words_.end(); }

  /// See Claim::axes; of everything read so far.
  const std::map<std::string, std::size_t>& axes() const { return axes_; }

  /// Reads one expression and stops before the first token that cannot belong to it.
  Expression expression();
  /// The same, and a comparison of two, as in mask = i >= j.
  Expression condition();

  const Token& peek(std::size_t distance = 0) const;
  Token take();
  bool accept(std::string_view symbol);
  /// Takes `symbol` or fails, saying what it was expected for.
  Token expect(std::string_view symbol, const std::string& purpose);
  Token expect_name(const std::string& purpose);
  void skip_separators();
  /// Puts others in the place of the next `count` tokens.
  void rewrite(std::size_t count, std::vector<Token> by);
  /// From here on `inf` is a name as any other, and -inf its opposite.
  void declare_infinity() { infinity_is_declared_ = true; }
  /// From here on f(x) is own_call(f), whatever the language's f is.
  void declare_function(std::string_view name) { own_functions_.emplace(name); }
  bool has_own_functions() const { return !own_functions_.empty(); }
  bool is_own_function(const std::string& name) const { return own_functions_.count(name) > 0; }
  /// Whether a function of the language was called by its name alone between begin_function() and end_function().
  bool is_called_in_function(std::string_view name) const { return called_.count(name) > 0; }
  void begin_function() { in_function_ = true; }
  void end_function() { in_function_ = false; }
  bool is_in_function() const { return in_function_; }
  /// Where the last taken token ends.
  std::size_t last_end() const { return next_ == 0 ? 0 : tokens_[next_ - 1].span.end; }
  /// Fails at the next token: `parse.unexpected`, with a hint where the mistake is a known one.
  [[noreturn]] void unexpected(const std::string& expected) const;

 private:
  /// A subtree with its height, and its span with the brackets around it (the tree's own span has none).
  struct Node {
    Expression tree;
    int depth = 0;
    Span span;
  };
  using Step = std::optional<Node>;  ///< an operand just completed; without one, an operand has to follow

  /// An operator that waits for its right operand.
  struct Pending {
    SyntaxKind kind;
    std::string_view function;  ///< of a call: ~, & or |
    int level;
    Node left;          ///< of a binary operator
    Span span;          ///< of a sign
    bool plus = false;  ///< the sign +, which leaves no trace in the tree
  };

  enum class Place { whole, group, list, call, subscript, range, entries };
  /// A construct whose end has not been read.
  struct Open {
    Place place;
    Syntax syntax;          ///< what is read so far
    int depth = 0;          ///< of its deepest part
    std::size_t operators;  ///< how many pending operators are outside of it
    std::string key;        ///< name of the argument being read
    std::string relation;   ///< of the condition M == 0 being read, an operand by itself
    Subscript subscript;    ///< the subscript being read
    Expression start;       ///< of range(a, b)
    Expression stop;        ///< of range(a, b, c)
    std::vector<std::string> names;  ///< of a range: what its `for` gives a value
    bool rewritten = false;          ///< of a range: the body has something else in the place of these names
    struct Loop {
      std::string index;
      Expression range;
      std::vector<std::string> names;
      bool rewritten;
    };
    std::vector<Loop> loops;  ///< the `for` before the last one
    std::vector<Token> variables;    ///< of entries: what its `for` gives a value
    std::vector<Expression> arrays;  ///< of entries: what these go through
    std::string_view joins;          ///< of entries: zip or enumerate
    Token type;             ///< of a call: the type that dtype= names, where that is one of numbers or truth values
    Token like;             ///< of a call: the m of dtype=m.dtype
    bool star = false;      ///< the argument being read is a list that is spread out
    bool comma = false;     ///< a group with a comma is a list
    Spelling spelling = Spelling::plain;  ///< of a call
  };

  void open(Place place, Syntax syntax, int depth = 0);
  bool has_real_number(std::size_t begin) const;
  Step close(std::size_t end);
  void add(const Node& part);
  bool take_values(Pairs pairs);

  Step operand();
  Step primary();
  Step number();
  Spelling drop_module_prefix();
  /// Whether the program names functions of PyTorch, and none of NumPy: x.transpose(0, 1) of a matrix means what PyTorch says then.
  bool speaks_torch() const;
  /// Whether it names functions of NumPy.
  bool speaks_numpy() const { return names_module({"np", "numpy", "jnp"}); }
  bool names_module(std::initializer_list<std::string_view> modules) const;
  bool takes_no_operand() const;
  void argument_name();
  void skip_storage();
  static void require_type(const Syntax& call, const Token& type);
  Step after(Node node);
  Node with_format(Node node);
  Node of_type(const Node& node, const Token& like) const;
  Step attribute(const Node& base);
  Node apply(const Pending& pending, Node right) const;
  Node reduce(Node node, int level);
  Step item(Node node);
  Step list_item(Node node);
  Step argument(const Node& node);
  Step subscript_part(const Node& node);
  Step subscript_end();
  Expression step();
  [[noreturn]] static void refuse_comparison(Span span);
  Node compared(const Node& right);
  Step comprehension(const Node& body);
  Step over_entries(const Node& body, const Token& first);
  Step entries_end(const Node& array);
  Step comprehension_end(const Node& range, std::size_t end);
  bool is_summed() const;
  Step range_end(const Node& range);
  Node finish(Syntax syntax, int depth) const;

  Words words_;  ///< of tokens that nobody wrote
  Tokens tokens_;
  bool python_ = false;  ///< see is_program
  Spelling arrays_ = Spelling::method;  ///< see library_of_arrays
  std::size_t next_ = 0;
  bool infinity_is_declared_ = false;
  std::set<std::string, std::less<>> own_functions_, called_;
  bool in_function_ = false;
  std::vector<Open> opens_;
  std::map<std::string, std::size_t> axes_;
  std::vector<Pending> pending_;
  std::int64_t draws_ = 0;  ///< how many draws have been read
};

}  // namespace foldproof::read
