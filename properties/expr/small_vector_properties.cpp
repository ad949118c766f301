// SPDX-License-Identifier: MIT
// A small vector and std::vector, led through the same random operations, hold the same at every step.
#include <boost/test/unit_test.hpp>
#include <memory>
#include <string>
#include <vector>

#include "expr/small_vector.hpp"
#include "properties_random.hpp"

namespace foldproof::properties {
namespace {

/// Long enough for memory of its own, so that a lost or doubled element is seen by the sanitizers.
std::string element(Dice& dice) { return std::string(30, 'a' + static_cast<char>(dice.roll(26))); }

using Small = expr::SmallVector<std::string, 2>;
using Model = std::vector<std::string>;

bool same(const Small& small, const Model& model) { return Model(small.begin(), small.end()) == model && small.size() == model.size() && small.empty() == model.empty(); }

}  // namespace

BOOST_AUTO_TEST_CASE(a_small_vector_is_a_vector) {
  Dice dice(1);
  std::size_t largest = 0;
  for (int run = 0; run < 300; ++run) {
    Small small;
    Model model;
    for (int step = 0; step < 60; ++step) {
      const std::size_t at = dice.roll(model.size() + 1);
      const auto place = static_cast<std::ptrdiff_t>(at);
      switch (dice.roll(9)) {
        case 0:
        case 1:
          model.push_back(element(dice));
          small.push_back(model.back());
          break;
        case 2: {
          const std::string e = element(dice);
          model.insert(model.begin() + place, e);
          BOOST_TEST((*small.insert(small.begin() + place, e) == e));
          break;
        }
        case 3:
          if (at == model.size()) break;
          model.erase(model.begin() + place);
          small.erase(small.begin() + place);
          break;
        case 4: {
          const auto last = place + static_cast<std::ptrdiff_t>(dice.roll(model.size() - at + 1));
          model.erase(model.begin() + place, model.begin() + last);
          small.erase(small.begin() + place, small.begin() + last);
          break;
        }
        case 5: {  // copies and moves, also onto itself and between vectors of all sizes
          Small copy = small, other(model.begin(), model.begin() + place);
          other = copy;
          copy = std::move(other);
          small = copy;
          const Small& itself = small;
          small = itself;
          break;
        }
        case 6: {
          Small moved = std::move(small);
          BOOST_TEST(small.empty());
          small = std::move(moved);
          break;
        }
        case 7: {
          const Model other{element(dice)};
          const Small small_other{other[0]};
          BOOST_TEST(((small <=> small_other) == (model <=> other)));
          BOOST_TEST((small == small_other) == (model == other));
          break;
        }
        default:
          if (dice.roll(6) != 0) break;
          model.clear();
          small.clear();
      }
      largest = std::max(largest, model.size());
      BOOST_REQUIRE(same(small, model));
    }
  }
  BOOST_TEST(largest > 8u);  // grown more than once
}

}  // namespace foldproof::properties
