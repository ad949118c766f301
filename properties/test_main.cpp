// SPDX-License-Identifier: MIT
#define BOOST_TEST_MODULE foldproof
#include <boost/test/unit_test.hpp>
