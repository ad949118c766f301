#define BOOST_TEST_MODULE folds
#include <boost/test/unit_test.hpp>
#include <foldproof/foldproof.hpp>

BOOST_AUTO_TEST_CASE(the_key_bias_may_be_dropped) {
  BOOST_TEST(foldproof::decide("b: [1, d]; softmax(Q @ (K + b).T) == softmax(Q @ K.T)"));
  BOOST_TEST(foldproof::check("b: [1, d]; softmax(Q @ (K + b).T) == softmax(Q @ K.T)", 100));
}

BOOST_AUTO_TEST_CASE(the_query_bias_may_not) {
  const auto answer = foldproof::decide("b: [1, d]; softmax((Q + b) @ K.T) == softmax(Q @ K.T)");
  BOOST_TEST(answer.verdict == foldproof::Verdict::refuted);
  BOOST_TEST(answer.certificate.empty());
  BOOST_TEST(!foldproof::check("A @ B == B @ A", 10));
  BOOST_TEST(foldproof::decide("softmx(A) == A").text.find("did you mean `softmax`?") != std::string::npos);
}
