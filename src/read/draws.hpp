// SPDX-License-Identifier: MIT
// What is drawn, as calls that say which draw it is: the same numbers where it is the same one. Part of the trusted base.
#pragma once

#include <optional>

#include "program/token_lists.hpp"
#include "read/language.hpp"

namespace foldproof::read {

/// The call of numbers that are drawn: which draw it is, and the shape. Those of `fraction_call` are at least 0 and less than 1.
inline constexpr std::string_view normal_call = "drawn numbers", fraction_call = "drawn fractions", whole_call = "drawn whole numbers", order_call = "drawn order";
/// any_entries(name, x): numbers of that name in the shape of an x that the program computes.
inline constexpr std::string_view any_entries_call = "any_entries";
/// An orthogonal matrix, and singular values: at least 0, and none larger than the one before it.
inline constexpr std::string_view rotation_call = program::rotation_call, magnitudes_call = program::magnitudes_call;
inline bool is_draw(const Expression& e) { return is_call(e, normal_call) || is_call(e, rotation_call) || is_call(e, magnitudes_call) || is_call(e, fraction_call) || is_call(e, whole_call) || is_call(e, order_call); }

/// torch.randn(n, d), randint(low, high, shape) and randperm(n), as they are called, as the draw of that number; nothing for other calls.
std::optional<Syntax> draw_called(const Syntax& call, std::int64_t number);

}  // namespace foldproof::read
