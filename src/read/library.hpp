// SPDX-License-Identifier: MIT
// Functions of NumPy, PyTorch and the like that are a few of the language's own: F.linear(x, W) is x @ W.T. Part of the trusted base.
#pragma once

#include <map>
#include <optional>
#include <string_view>

#include "read/numpy.hpp"

namespace foldproof::read {

/// Whether a library's function of this name is written in the language's own.
bool is_defined(std::string_view name);

/// The call in the language's own functions; nothing for other names, and for operands that the function does not take.
std::optional<Respelled> defined(const Syntax& call, Spelling spelling);

/// Notes how many axes the names have that a call, as it is written, takes for biases, gains and single numbers.
void note_axes(const Syntax& call, Spelling spelling, std::map<std::string, std::size_t>& axes);

/// x[arange(n), t] with token numbers t: of every row the entry that its number names; x[:, [0, 2]]: two columns. Nothing for other subscripts.
std::optional<Respelled> gathered(const Syntax& index);

/// e, where the calls of functions of one's own are written out, with new axes at the places that these calls say. Errors: `call.axis`.
Expression with_axes(const Expression& e);
/// Whether an item of a list over a range is left in e: heads[i].
bool has_items(const Expression& e);
/// e with the items of lists that an index names: heads[i] of heads = [f(j) for j in range(h)] is f(i) where i runs over range(h), too.
/// `ranges` are those of the comprehensions around e. Errors: `call.arguments` for other places.
Expression with_items(const Expression& e, const std::map<std::string, Expression>& ranges = {});

/// x[i] for i in range(x.shape[0]): what NumPy joins where it is given one array instead of a list.
Expression along_first_axis(const Expression& x);
/// The x of which e is that; null for others.
Expression listed_along_first_axis(const Expression& e);

}  // namespace foldproof::read
