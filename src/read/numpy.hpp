// SPDX-License-Identifier: MIT
// Other spellings of what the language has: np.dot(A, B), A.dot(B), softmax(S, -1), torch.cat([A, B]). Part of the trusted base.
// Each becomes the language's own form while it is read, so that no later pass knows of it.
#pragma once

#include <string>
#include <string_view>

#include "program/library_names.hpp"
#include "read/language.hpp"

namespace foldproof::read {

/// Whether a call gives values and their places as PyTorch's x.max(dim=1) does, of which [0] or .values is the former; and whether NumPy's
/// function, which gives the values only, may be meant as well.
enum class Pairs { no, yes, either };

/// The name of the list of torch.tensor([a, b]), which takes numbers only.
inline constexpr std::string_view list_of_numbers = "numbers";

struct Respelled {
  Syntax syntax;
  int height = 0;
  Pairs pairs = Pairs::no;
};

/// Does `module.name(` call a function of a library, rather than a method of a variable called `module`?
bool is_module_function(std::string_view module, std::string_view name);

/// Is `x.name(` a method that the language knows?
bool is_method(std::string_view name);

/// Whether the call has a keyword of one of these names.
bool has_keyword(const Syntax& call, std::string_view one, std::string_view other);

/// How many tensors the call gives, where it says so: chunk(x, 3), split(x, [a, b]).
std::optional<std::int64_t> part_count(const Expression& e);
/// e[k]
Expression part_of(const Expression& e, std::int64_t k);

/// What to write instead of a layer that is called like a function: self.W_q(x) is x @ W_q.
std::string layer_hint(const std::string& name, const std::string& operand);

/// Fails (`name.unknown`) where `call` is a library's function that the language says in other words.
void refuse_absent(const Syntax& call);

/// Fails (`name.constant`) where `name` is a constant of NumPy that is no value of the language: inf, nan, pi; or I, which people write for the identity.
void refuse_constant(std::string_view name, Span span);

/// softmax(x, dim=-1) is softmax(x), and so are others that go along the last axis by themselves: one spelling of each to look for.
void leave_out_last_axis(Syntax& call);

/// The call in the language's own form, and by how much its tree is higher. Throws Error (`call.*`, `name.unknown`) where
/// the library means something that the language cannot say.
Respelled respell(Syntax call, Spelling spelling);

}  // namespace foldproof::read
