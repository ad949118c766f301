// SPDX-License-Identifier: MIT
// Tests as unittest and pytest run them: classes of tests, and fixtures. Part of the trusted base.
#pragma once

#include "program/token_lists.hpp"

namespace foldproof::program {

/// class TestFold(unittest.TestCase): def setUp(self): self.W = ...; def test_x(self): self.assertTrue(np.allclose(self.W, ...)) as def test_x(): W = ...; assert np.allclose(W, ...), and
/// @pytest.fixture def rng(): return ... with def test_y(rng): as def test_y(): rng = .... Each test begins anew, as these run it. What is not read so stays as it is written.
Tokens with_test_suites(Tokens tokens, Words& words);

}  // namespace foldproof::program
