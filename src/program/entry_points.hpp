// SPDX-License-Identifier: MIT
// Where a program begins: functions that only assert something, as pytest calls them, and `if __name__ == "__main__":`. Part of the trusted base.
#pragma once

#include "program/modules.hpp"

namespace foldproof::program {

/// def test_x(n=4): ... assert a == b as its statements, where test_x() stands, or behind all others where nothing calls it; and so with any function that is called once like that
/// and gives nothing. @pytest.mark.parametrize("n", [1, 2]) is a loop around them. What it gives a value to has another name where the program has one of that name, too. Errors: `parse.unexpected` where Python reads such a local too early.
Tokens with_entry_points(Tokens tokens, Words& words);

}  // namespace foldproof::program
