// SPDX-License-Identifier: MIT
// Random tensors of programs. What is drawn may be any numbers, so a claim holds for all of them; what matters is which draws are the same numbers. Every draw that is
// not all that a name is given gets a name of its own here, before anything copies tokens, and generators become the functions of their library. Part of the trusted base.
#pragma once

#include "read/modules.hpp"

namespace foldproof::read {

/// The call of numbers that are drawn: which draw it is, and the shape. Those of `fraction_call` are at least 0 and less than 1.
inline constexpr std::string_view normal_call = "drawn numbers", fraction_call = "drawn fractions", whole_call = "drawn whole numbers", order_call = "drawn order";
inline bool is_draw(const Expression& e) { return is_call(e, normal_call) || is_call(e, fraction_call) || is_call(e, whole_call) || is_call(e, order_call); }

/// y = torch.rand(4) + 0.1 as drawn = torch.rand(4) and y = drawn + 0.1, and so where a function is called that draws: what is read more than once is then a name.
/// Of programs without generators and classes, so that methods are functions.
Tokens with_draws_named(Tokens tokens, Words& words);

/// torch.randn(n, d), randint(low, high, shape) and randperm(n), as they are called, as the draw of that number; nothing for other calls.
std::optional<Syntax> draw_called(const Syntax& call, std::int64_t number);

}  // namespace foldproof::read
