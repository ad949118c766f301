// SPDX-License-Identifier: MIT
// An operator that does not read every entry of its operands says so: what it drops need not have a value, as the logarithms above the
// diagonal in tril(log(X)), so that nothing may be concluded from them.
#include <boost/test/unit_test.hpp>
#include <set>
#include <string>

#include "expr/operators.hpp"
#include "expr/syntax.hpp"
#include "infer/is_operator.hpp"
#include "infer/problem.hpp"
#include "numeric/algebra.hpp"
#include "numeric/evaluate.hpp"
#include "numeric/program.hpp"
#include "numeric/undefined.hpp"
#include "read/parse.hpp"

namespace foldproof::properties {
namespace {

using numeric::Interval;
using Place = std::pair<int, std::vector<std::int64_t>>;  // operand, indices

/// All entries of the result, where one entry of the operands is another number, and what was read for them.
std::vector<std::string> results(const numeric::Program& program, const Place& changed, double number, std::set<Place>& read) {
  const auto& step = program.steps()[static_cast<std::size_t>(program.root(0))];
  Interval value;
  const std::function<const Interval&(int, std::span<const std::int64_t>)> asked = [&](int k, std::span<const std::int64_t> at) -> const Interval& {
    const std::size_t axes = program.steps()[static_cast<std::size_t>(step.args[static_cast<std::size_t>(k)])].shape.size();
    const Place place{k, {at.begin(), at.begin() + static_cast<std::ptrdiff_t>(axes)}};
    read.insert(place);
    const double usual = axes > 1 && at[0] == at[1] ? 3 : 1;  // which has an inverse
    return value = Interval(place == changed ? number : usual, place == changed ? number : usual);
  };
  std::vector<std::string> found;
  for (std::int64_t place = 0; place < step.entries; ++place) {
    try {
      found.push_back(numeric::entry_of(step, numeric::OperandEntries<Interval>{{}, &asked}, numeric::indices_of(place, step.shape)).text());
    } catch (const numeric::Undefined&) {
      found.emplace_back("none");
    }
  }
  return found;
}

/// Whether an entry of the operands is not read, or makes no difference.
bool drops_some(const infer::Term& term) {
  const infer::Term roots[] = {term};
  const numeric::Program program(roots, {});
  const auto& step = program.steps()[static_cast<std::size_t>(program.root(0))];
  std::set<Place> read;
  const auto usual = results(program, {-1, {}}, 0, read);
  for (std::size_t k = 0; k < step.args.size(); ++k) {
    const auto& operand = program.steps()[static_cast<std::size_t>(step.args[k])];
    for (std::int64_t place = 0; place < operand.entries; ++place) {
      const Place entry{static_cast<int>(k), numeric::indices_of(place, operand.shape)};
      if (read.count(entry) == 0) return true;
      std::set<Place> again;
      if (results(program, entry, 5, again) == usual && results(program, entry, -5, again) == usual) return true;
    }
  }
  return false;
}

}  // namespace

BOOST_AUTO_TEST_CASE(operators_say_whether_they_drop_entries) {
  int checked = 0, dropping = 0;
  for (int op = 0; op < expr::operator_count; ++op) {
    const auto& info = expr::operator_info(op);
    for (const char* operands : {"(A)", "(A, A)", "(A, B)", "(A, c)", "(B, c)"}) {
      infer::Term term;
      try {
        term = infer::elaborate(read::parse_claim("A: [4, 4]; B: [2]; c: []; " + std::string(info.name) + operands + " == 0 * " + info.name + operands)).lhs;
      } catch (const expr::Error&) {  // not what this operator takes
        continue;
      }
      BOOST_TEST_CHECKPOINT(info.name << operands);
      if (!term || term->kind != infer::TermKind::apply || term->op != op) continue;
      const bool whole = infer::is<expr::ops::Inverse, expr::ops::Determinant, expr::ops::Rank, expr::ops::LeftFactor, expr::ops::RightFactor>(term);
      if (whole || infer::is<expr::ops::NegInf>(term)) continue;  // these read all; of what is no 0 or 1 all is minus infinity
      BOOST_TEST(drops_some(term) == info.drops, info.name << operands);
      ++checked;
      dropping += info.drops;
    }
  }
  BOOST_TEST(checked > 60);
  BOOST_TEST(dropping >= 5);
}

}  // namespace foldproof::properties
