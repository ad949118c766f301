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

/// The same of the stored result of the problem alone, where it has the digits of float64 and holds none of them: what was computed in float32, or in 16 bits,
/// beside tensors of more digits. Of results that are held in float32 nothing is known: 16-bit numbers may be a detour there.
std::string take_result_for_narrower(run::Given& given, const infer::Problem& problem);

}  // namespace foldproof::diagnose
