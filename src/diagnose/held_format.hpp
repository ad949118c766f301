// SPDX-License-Identifier: MIT
// Checkpoints of 16 bits that were saved in more: `model.float()`, and what converts files. Their tensors hold 16-bit numbers, and so did the program
// that computed one of them from the others; the bounds of the file's format are not those of that program.
#pragma once

#include <string>

#include "infer/problem.hpp"
#include "run/given.hpp"

namespace foldproof::diagnose {

/// Where every given tensor holds only numbers of one format of 16 bits, and those that are stored with more digits show that this is no accident, they
/// get that format, and so do the other tensors that may have been taken instead of them. Says so in words; empty where nothing changes.
std::string take_for_narrower(run::Given& given);

/// The same of the stored result of the problem alone, where it holds none of the digits that it is stored with: what was computed in fewer digits, or rounded
/// to them, beside tensors of more. Saving it with more digits changes no number, and so no answer; that digits of the others were lost is said.
std::string take_result_for_narrower(run::Given& given, const infer::Problem& problem);

/// The same of a bfloat16 result that went through float16: numbers below the normal ones of that format are multiples of its least, 2^-24. Only where most
/// entries are normal numbers, of which the bound stays as tight: then a mistake shows in these.
std::string take_result_for_twice_rounded(run::Given& given, const infer::Problem& problem);

}  // namespace foldproof::diagnose
