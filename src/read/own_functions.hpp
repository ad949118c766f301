// SPDX-License-Identifier: MIT
// Functions that a claim defines for itself, f = lambda x: x @ W or def f(x): return x @ W. Each call is written out, so nothing but
// the parser knows of them. Where a name would then mean something else than in Python, that is an error. One that is called
// softmax takes the place of the language's own, but not of F.softmax.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "read/language.hpp"

namespace foldproof::read {

using NamedValues = std::map<std::string, Expression>;

/// e itself. Errors: `limit.size` at the place of what was written.
Expression of_limited_size(const Expression& e, Span span);
/// e with values for names. Errors: `parse.duplicate` where an index of e hides one of the names, or a name that stands in a value.
Expression with_values(const Expression& e, const NamedValues& values);
/// The same for the locals of a function, which every statement may make twice as large. Errors: `limit.size`, too.
Expression with_locals(const Expression& e, const NamedValues& locals);

/// What a call f(x) of a function of one's own is called in a tree: no other name has a blank.
std::string own_call(std::string_view name);

/// The call of a condition, what holds where it is true, and what holds otherwise, which only functions with `if` have.
inline constexpr std::string_view case_call = "if else";
/// The call of the error that says why a case is not read.
inline constexpr std::string_view unreadable_call = "not read";
/// The value of a case that raises an error instead: assert c is `if not c:` of that.
inline constexpr std::string_view raised_call = "raised";
/// The number that sums, differences, products and whole quotients of numbers are, and of names that are assumed to be numbers; nothing for others.
std::optional<Rational> number_of(const Expression& e, const std::vector<Assumption>& assumptions);
/// e with the cases that the arguments of its calls decide, or the assumptions, as r >= 2 does r == 1. Errors: `parse.unexpected` where they do not.
/// `assume` is asked of what must hold so that nothing is raised, where that is not known, and says whether it is taken for granted from then on.
Expression without_cases(const Expression& e, const std::vector<Assumption>& assumptions, const std::function<bool(const Expression&)>& assume);

/// Whether Python may raise an error where it computes this part: a call, an item, a matrix product, a remainder. What is not needed must not have such parts.
bool may_fail(const Syntax& part);

class OwnFunctions {
 public:
  struct Parameter {
    std::string name;
    Expression otherwise;  ///< its value where a call gives none; may be null
  
    bool by_name = false;       ///< behind a star: no call gives it by its place
    Expression only = nullptr;  ///< the number that it has in all calls, where a loop has so many steps
  };
  /// A function of these parameters; `locals` have values in its body, which may call functions that were defined before.
  /// Errors: `parse.duplicate` for a name that is taken, and where a local name or parameter would take the place of another one.
  /// `counts`: the body says of what it is called with that it has entries, as a loop over it does.
  void define(const std::string& name, Span span, std::vector<Parameter> parameters, const NamedValues& locals, const Expression& body, bool counts = false);
  /// Asked of the values that such functions are called with. Errors: those of it.
  void require(std::function<void(const Expression&)> has_entries) { has_entries_ = std::move(has_entries); }
  /// e with the calls of these functions written out.
  /// Errors: `call.arguments` where a call does not fit, `parse.duplicate` as above, `limit.size`.
  Expression written_out(const Expression& e) const;
  /// Refuses a call in e of a function whose body means another `name` than e. Errors: `parse.duplicate`.
  void refuse_capture(const Expression& e, const std::string& name) const;
  /// Whether a default value names it.
  bool has_default(const std::string& name) const;
  /// Whether the body of a function names it, other than as a parameter, or a default value: Python looks at what it is when the function is called.
  bool uses(const std::string& name) const;
  /// The same of functions that are called by a name of which `is_called` holds, or that such a function calls: what no longer is called may read what it was.
  bool uses(const std::string& name, const std::function<bool(const std::string&)>& is_called) const;
  /// Whether one of these functions, by own_call(), is called so.
  bool are_called(std::vector<std::string> functions, const std::function<bool(const std::string&)>& is_called) const;

 private:
  struct Function {
    std::vector<Parameter> parameters;
    Expression body;
    bool counts = false;
  };
  static bool names(const Function& function, const std::string& name);
  /// Whether it reads what stands around the call under that name, which is no index of its own.
  static bool reads_outside(const Function& function, const std::string& name);
  static bool in_default(const Function& function, const std::string& name);
  Expression call(const Function& function, const Syntax& call) const;
  /// What a body draws is drawn anew in each call: with other numbers for its draws.
  Expression drawn_anew(const Expression& body) const;
  mutable std::int64_t draws_ = 0;  ///< those of all calls
  std::map<std::string, Function> functions_;  ///< by own_call()
  std::function<void(const Expression&)> has_entries_;
};

}  // namespace foldproof::read
