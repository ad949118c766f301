// SPDX-License-Identifier: MIT
// What is said about a check on stored tensors: to people, and as JSON.
#pragma once

#include <string>

#include "record/json.hpp"
#include "report/answer.hpp"
#include "run/given.hpp"

namespace foldproof::report {

/// One line of many: what `*` stands for, the answer, the worst ratio.
std::string line(const WeightsCheck& check);
/// As people read it: the answer alone on the first line, the verdict of the identity on the second, then a paragraph for each format.
std::string text(const WeightsCheck& check);
/// As the schema fixtures/schemas/weights.schema.json says.
Json to_json(const WeightsCheck& check, const run::Given& given);

}  // namespace foldproof::report
