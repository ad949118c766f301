// SPDX-License-Identifier: MIT
// Libraries and words of Python, by the names that programs have for them. Part of the trusted base.
#pragma once

#include <string_view>

#include "program/token_lists.hpp"

namespace foldproof::program {

/// How a function was called: f(x), x.f(), np.f(x), torch.f(x), F.f(x) and so on. All but the first are a library's function, whose defaults hold.
enum class Spelling { plain, method, numpy, math, torch, functional, jax, tensorflow, scipy, einops };
inline bool has_module(Spelling spelling) { return spelling != Spelling::plain && spelling != Spelling::method; }
inline bool is_torch(Spelling spelling) { return spelling == Spelling::torch || spelling == Spelling::functional; }
/// Of a name that is_module accepts, or F.
Spelling spelling_of(std::string_view module);

/// np, torch and the like.
bool is_module(std::string_view name);

/// None, True and False, which stand after keywords and between brackets only.
bool is_python_word(std::string_view name);

/// Whether that is the name of a device in quotes, 'cuda' or "cuda:0".
bool is_device(const Token& t);

/// Whether the text is a program that imports or draws its arrays, or makes them of numbers, x = np.array([1, 2]), and declares none: sum(x) is then Python's own, which adds rows up, and not the sum of all entries.
bool is_program(const Tokens& tokens);
/// The library of all arrays of a program that draws or makes them by functions of one only, whose x.std(1) is meant; else `method`, as nobody knows.
Spelling library_of_arrays(const Tokens& tokens);

}  // namespace foldproof::program
