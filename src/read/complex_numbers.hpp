// SPDX-License-Identifier: MIT
// Complex numbers, which the language has none of: programs that turn pairs of entries with torch.polar, view_as_complex and 1j are read as what they
// do to real and imaginary parts. Part of the trusted base.
#pragma once

#include "read/language.hpp"

namespace foldproof::read {

/// The call of a real and an imaginary part.
inline constexpr std::string_view complex_call = "complex";
/// The attributes x.real and x.imag, which only tensors of complex numbers are read with.
inline constexpr std::string_view real_part_call = "real part", imaginary_part_call = "imaginary part";

/// Writes the claim without complex numbers: each name of some becomes two, and an equation of some is one of their parts side by side.
/// Errors: `call.arguments` where complex numbers reach a function that is not read of them.
void write_out_complex_numbers(Claim& claim);

}  // namespace foldproof::read
