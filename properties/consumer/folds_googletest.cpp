#include <foldproof/foldproof.hpp>
#include <gtest/gtest.h>

TEST(folds, two_projections_are_one) {
  const auto answer = foldproof::check("(X @ W_Q) @ W_Qi == X @ (W_Q @ W_Qi)", 100);
  EXPECT_TRUE(answer) << answer;
}
