// SPDX-License-Identifier: MIT
// What is said about a check on stored tensors: to people, and as JSON.
#pragma once

#include <string>

#include "diagnose/answer.hpp"
#include "record/json.hpp"
#include "run/given.hpp"

namespace foldproof::diagnose {

/// One line of many: what `*` stands for, the answer, the worst ratio.
std::string line(const Check& check);
/// As people read it: the answer alone on the first line, the verdict of the identity on the second, then a paragraph for each format.
std::string text(const Check& check);
/// As the schema fixtures/schemas/weights.schema.json says.
Json to_json(const Check& check, const run::Given& given);

}  // namespace foldproof::diagnose
