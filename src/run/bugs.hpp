// SPDX-License-Identifier: MIT
// What a report says about the cases that were drawn: which seeded bugs they kill, and which families of numbers they come from.
#pragma once

#include <optional>
#include <string>

#include "campaign/kill.hpp"
#include "run/entry.hpp"

namespace foldproof::run {

/// {made, killed, last_kill, survivors, equivalent, untested} of one claim, null where no bugs were made.
Json bugs_json(const std::optional<campaign::Kills>& kills);
/// {made, killed, equivalent, survivors} of a run; survivors are "claim-id: softmax-wrong-axis in rhs".
Json bugs_json(const Entries& entries);
/// {families: [{name, description}], excluded}: how random cases are drawn, and what is never drawn.
Json generator_json(const Entries& entries);

}  // namespace foldproof::run
