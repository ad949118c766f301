// SPDX-License-Identifier: MIT
// What kind of numbers Python keeps where a program writes something, and how they lie in memory, as far as the text says so: the claim
// language knows neither, and libraries refuse some of both. Part of the trusted base.
#pragma once

#include "expr/build.hpp"
#include "read/numpy.hpp"

namespace foldproof::read {

enum class Kind { unknown, truth, whole, real };
struct Numbers {
  Kind kind = Kind::unknown;
  bool array = false;  ///< surely one of NumPy or PyTorch, and no number of Python
};
Numbers kind_of(const Claim& claim, const Expression& e);
/// Whether e between brackets chooses the places where it holds: truth values, and what is only known to be 0 or 1, which may be meant as such.
bool chooses(const Claim& claim, const Expression& e);

/// Calls that only say how their operand is used, of which finish_kinds leaves none. No name of a claim has a blank.
inline constexpr std::string_view real_call = "real of";         ///< x.float(), which makes numbers of truth values
inline constexpr std::string_view mask_call = "mask of";         ///< what PyTorch takes for a mask, which is one of truth values
inline constexpr std::string_view view_call = "view of";         ///< x in x.view(n, d), whose entries must lie in their order
inline constexpr std::string_view in_order_call = "in order of";  ///< x.contiguous()
inline constexpr std::string_view one_number_call = "number of";  ///< x in math.exp(x) and float(x), which is no array of several
inline constexpr std::string_view tensor_call = "tensor in", made_tensor_call = "tensor of";  ///< x in torch.exp(x), which is no number of Python; torch.tensor(x)
inline constexpr std::string_view pair_call = "values and places of";  ///< x.max(dim=1) in PyTorch, of which nobody has said yet that the values are meant
bool is_kind_call(std::string_view name);

/// The names of operators that PyTorch computes, and of products with 1 that make real numbers.
inline constexpr std::string_view of_torch = "torch", made_real = "real";

/// The call with what its library takes as one number, or as a tensor, in such calls.
void note_kinds(Syntax& call, Spelling spelling);

/// Errors: `shape.quotient` where a size that a library's function takes is divided by /, which gives real numbers in Python.
void require_whole_sizes(const Syntax& call);

/// Whether the entries of e may lie in another order than they are read in: names, and what exchanges axes.
bool may_be_turned(const Expression& e);

/// The claim without those calls; x.view(n, d) of what is surely turned is called view, as its shapes decide whether there is one.
/// Errors: `call.mask`, `call.arguments`, also of pairs where more than their values may be meant; `shape.quotient` of places and ranges
void finish_kinds(Claim& claim);
Expression without_kinds(const Expression& e);

}  // namespace foldproof::read
