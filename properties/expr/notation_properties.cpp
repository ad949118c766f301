// SPDX-License-Identifier: MIT
// How claims look on paper: names and brackets in LaTeX, and MathML that any XML reader accepts.
#include <boost/test/unit_test.hpp>
#include <rapidcheck/boost_test.h>

#include "random_syntax.hpp"

namespace foldproof::expr {
namespace {

/// Are all tags closed in order, and is every other `<` and `&` escaped?
bool is_well_formed(const std::string& xml) {
  std::vector<std::string> open;
  for (std::size_t i = 0; i < xml.size(); ++i) {
    if (xml[i] == '>') return false;
    if (xml[i] == '&' && xml.compare(i, 4, "&lt;") != 0 && xml.compare(i, 4, "&gt;") != 0 && xml.compare(i, 5, "&amp;") != 0) return false;
    if (xml[i] != '<') continue;
    const std::size_t end = xml.find('>', i);
    if (end == std::string::npos) return false;
    const std::string tag = xml.substr(i + 1, end - i - 1);
    if (tag[0] != '/') {
      open.push_back(tag.substr(0, tag.find(' ')));
    } else if (open.empty() || open.back() != tag.substr(1)) {
      return false;
    } else {
      open.pop_back();
      if (open.empty() && end + 1 != xml.size()) return false;
    }
    i = end;
  }
  return open.empty() && xml.rfind("<math ", 0) == 0;
}

/// Elements with a fixed number of children, counted from the text.
bool has_right_arity(const std::string& xml) {
  struct Element {
    std::string name;
    int children = 0;
  };
  std::vector<Element> open;
  for (std::size_t i = xml.find('<'); i != std::string::npos; i = xml.find('<', i + 1)) {
    if (xml[i + 1] != '/') {
      if (!open.empty()) ++open.back().children;
      open.push_back({xml.substr(i + 1, xml.find_first_of(" >", i) - i - 1)});
      continue;
    }
    const Element element = open.back();
    open.pop_back();
    const bool two = element.name == "msub" || element.name == "msup" || element.name == "mfrac";
    if (two && element.children != 2) return false;
    if ((element.name == "munderover" || element.name == "msubsup") && element.children != 3) return false;
  }
  return true;
}

BOOST_AUTO_TEST_CASE(latex_follows_the_habits_of_papers) {
  const std::pair<const char*, const char*> cases[] = {
      {"W_Q", "W_{Q}"},
      {"W_Qi", "W_{Qi}"},
      {"d_model", "d_{\\mathrm{model}}"},
      {"theta * eta_1", "\\theta \\eta_{1}"},
      {"lambda_", "\\lambda"},
      {"A1", "A_{1}"},
      {"x__y", "\\mathrm{x\\_\\_y}"},
      {"W_Q_1", "W_{Q, 1}"},
      {"X.T @ W_Q.T", "X^{\\top} W_{Q}^{\\top}"},
      {"(A @ B) @ C", "A B C"},
      {"A @ (B @ C)", "A \\left(B C\\right)"},
      {"A * B", "A \\odot B"},
      {"A * B @ C", "\\left(A \\odot B\\right) C"},
      {"(X * g) @ W", "\\left(X \\odot g\\right) W"},
      {"X @ (g.T * W)", "X \\left(g^{\\top} \\odot W\\right)"},
      {"c * X * g", "c X \\odot g"},
      {"sqrt(X) * Y", "\\sqrt{X} \\odot Y"},
      {"sqrt(c) * Y", "\\sqrt{c} Y"},
      {"trace(A) * sum(B) * v[i] * W", "\\operatorname{trace} \\left(A\\right) \\operatorname{sum} \\left(B\\right) v_{i} W"},
      {"sum(i * X for i in range(n))", "\\sum_{i = 0}^{n - 1} i X"},
      {"i * X", "i \\odot X"},
      {"X**2", "X^{\\odot 2}"},
      {"X**-1 @ inv(X)", "X^{\\odot - 1} X^{- 1}"},
      {"A @ B * C", "A B \\odot C"},
      {"c * X", "c X"},
      {"X * 2", "X \\cdot 2"},
      {"2 * 3**k", "2 \\cdot 3^{k}"},
      {"A @ -B", "A \\left(- B\\right)"},
      {"a - (b - c)", "a - \\left(b - c\\right)"},
      {"softmax(Q @ K.T / sqrt(d_k))", "\\operatorname{softmax} \\left(\\frac{Q K^{\\top}}{\\sqrt{d_{k}}}\\right)"},
      {"log_softmax(X)", "\\operatorname{log\\_softmax} \\left(X\\right)"},
      {"sum(A[i] for i in range(h))", "\\sum_{i = 0}^{h - 1} A_{i}"},
      {"sum(A[i] for i in range(4)) @ B", "\\left(\\sum_{i = 0}^{3} A_{i}\\right) B"},
      {"concat(W_Q[i] for i in range(h))", "\\operatorname{Concat}_{i = 0}^{h - 1} \\left(W_{Q, i}\\right)"},
      {"concat([A, B])", "\\operatorname{Concat} \\left(A, B\\right)"},
      {"eye(d) + ones(n, 1)", "I_{d} + \\mathbf{1}_{n \\times 1}"},
      {"(-a)**2", "\\left(- a\\right)^{2}"},
      {"A.T**2", "\\left(A^{\\top}\\right)^{\\odot 2}"},
      {"i // g", "\\lfloor \\frac{i}{g} \\rfloor"},
  };
  const Ranks ranks{{"theta", 0}, {"eta_1", 0}, {"c", 0}, {"a", 0}, {"k", 0}, {"v", 1}, {"X", 2}, {"g", 2}};
  for (const auto& [text, expected] : cases) BOOST_TEST(latex(read::parse_expression(text), ranks) == expected, text);
}

BOOST_AUTO_TEST_CASE(only_products_with_numbers_are_juxtaposed) {
  BOOST_TEST(latex(read::parse_claim("X: [n, d]; g: [1, d]; c: []; let b = 2*c; b * (X * g) @ W == X @ (c * n * g.T * W)")) ==
             "b \\left(X \\odot g\\right) W = X \\left(c n g^{\\top} \\odot W\\right) \\quad \\mathrm{where} \\  b = 2 c");
  BOOST_TEST(latex(read::parse_expression("c * X")) == "c \\odot X", "what is not known to be a number may be a row");
  BOOST_TEST(mathml(read::parse_expression("g * W")).find("<mo>\u2299</mo>") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_claim_on_paper_states_its_conditions_and_definitions) {
  const Claim c = read::parse_claim("let K = X @ W_K; assume orthogonal(R), s < 1; K @ R == K");
  BOOST_TEST(latex(c) ==
             "K R = K \\quad \\mathrm{if} \\  \\operatorname{orthogonal} \\left(R\\right) \\quad, \\  s < 1 \\quad \\mathrm{where} \\  K = X W_{K}");
  BOOST_TEST(mathml(c).find("<mo>&lt;</mo>") != std::string::npos);
  BOOST_TEST(is_well_formed(mathml(c)));
}

BOOST_AUTO_TEST_CASE(the_check_for_well_formed_xml_rejects_broken_xml) {
  for (const char* broken : {"<math x=\"\"><mi>a</math></mi>", "<math x=\"\"><mo><</mo></math>", "<math x=\"\">a & b</math>", "<math x=\"\">", "<math x=\"\"></math><b></b>"}) {
    BOOST_TEST(!is_well_formed(broken), broken);
  }
  BOOST_TEST(!has_right_arity("<msub><mi></mi></msub>"));
}

BOOST_AUTO_TEST_CASE(brackets_grow_only_around_what_is_tall) {
  const std::string flat = mathml(read::parse_expression("X @ (diag(g) @ W)"));
  BOOST_TEST(flat.find("<mo>(</mo>") == std::string::npos, flat);
  BOOST_TEST(flat.find("<mo stretchy=\"false\">(</mo>") != std::string::npos, flat);
  BOOST_TEST(mathml(read::parse_expression("f(a / b)")).find("<mo>(</mo>") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(limits_stand_below_a_sign_and_beside_a_word) {
  BOOST_TEST(mathml(read::parse_expression("sum(A[i] for i in range(h))")).find("<munderover><mo movablelimits=\"false\">") != std::string::npos);
  BOOST_TEST(mathml(read::parse_expression("concat(A[i] for i in range(h))")).find("<msubsup><mi>Concat</mi>") != std::string::npos);
}

RC_BOOST_PROP(mathml_of_random_expressions_is_well_formed, ()) {
  const Expression e = random_expression(*rc::gen::inRange(3, 8));
  const std::string xml = mathml(e);
  RC_LOG() << text(e) << "\n" << xml;
  RC_ASSERT(is_well_formed(xml));
  RC_ASSERT(has_right_arity(xml));
}

RC_BOOST_PROP(latex_of_random_expressions_has_matching_braces, ()) {
  const Expression e = random_expression(*rc::gen::inRange(3, 8));
  const std::string tex = latex(e);
  int depth = 0;
  for (const char c : tex) {
    depth += c == '{' ? 1 : c == '}' ? -1 : 0;
    RC_ASSERT(depth >= 0);
  }
  RC_LOG() << tex;
  RC_ASSERT(depth == 0);
  RC_ASSERT(tex.find("{}") == std::string::npos);
}

}  // namespace
}  // namespace foldproof::expr
