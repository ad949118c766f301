// SPDX-License-Identifier: MIT
// Single entries, of which only what they need is computed, are those of the whole tensors.
#include <boost/test/unit_test.hpp>
#include <map>
#include <string>

#include "campaign/row_sums.hpp"
#include "expr/syntax.hpp"
#include "infer/problem.hpp"
#include "numeric/entry_machine.hpp"
#include "numeric/evaluate.hpp"
#include "numeric/undefined.hpp"
#include "read/parse.hpp"

namespace foldproof::properties {
namespace {

using numeric::Exact;
using numeric::Instance;
using numeric::Interval;
using numeric::Tensor;

const char* const terms[] = {
    "X @ W @ U",
    "X @ W @ X.T",
    "relu(X @ W) @ U + X @ W @ U",
    "concat(X, X @ W)[:, 1:4] @ W",
    "tril(X @ W @ X.T) @ X",
    "sum(X[:, i:i+1] @ W[i:i+1] for i in range(3))",
    "reshape(X @ W, 3, 4).T @ X.T",
    "softmax(X @ W @ X.T) @ X",
    "log_softmax(X @ W, axis=0)",
    "layernorm(X @ W + eye(4, 3))",
    "rmsnorm(X, 1) @ W",
    "layernorm(X.T, 1/2).T @ U",
    "softmax(X @ W @ X.T + causal(4)) @ X",
    "max(X @ W) + lse(X)",
    "inv(W + 5 * eye(3)) @ X.T",
    // where what is multiplied is zero beyond some places
    "relu(W @ X.T) @ X",
    "X @ silu(W @ X.T)",
    "(W * W.T) @ U",
    "(W + W.T) @ U - (W @ W) @ U",
    "X @ (tanh(W) * X[:3])",
    "X @ (W - X[:3])",
    "X @ (W * X[:1].T)",
    "X[0] @ relu(W) + (relu(W) @ X[1])",
    "(relu(W) @ X[0]) @ (W @ X[2])",
    "softmax(W @ W.T + causal(3)) @ W",
    "X * rank(W) + X",
    "X * rank(W @ X.T)",
    "X * rank(W + W.T) + rank(X)",
    "X @ exp(W)",
};

/// Half of the entries are zero, and so is everything but two rows and columns of W.
Instance<Exact> instance(unsigned salt) {
  Instance<Exact> result;
  const auto tensor = [&](std::vector<std::int64_t> shape, bool sparse) {
    Tensor<Exact> t = numeric::filled(shape, Exact(0));
    for (std::size_t k = 0; k < t.values.size(); ++k) {
      const auto at = numeric::indices_of(static_cast<std::int64_t>(k), shape);
      salt = salt * 1103515245U + 12345U;
      const auto roll = static_cast<std::int64_t>((salt >> 16U) % 6);
      if (roll < 3 && (!sparse || (at[0] < 2 && at[1] < 2))) t.values[k] = Exact(roll - 1);
    }
    return t;
  };
  result.values["X"] = tensor({4, 3}, false);
  result.values["W"] = tensor({3, 3}, true);
  result.values["U"] = tensor({3, 2}, false);
  return result;
}

template <class T>
void compare(const infer::Term& term, const Instance<T>& at, const std::string& text) {
  const Tensor<T> whole = numeric::evaluate(term, at);
  const infer::Term roots[] = {campaign::with_row_sums(term)};
  std::map<std::string, numeric::SparseVariable<T>> variables;
  for (const auto& [name, tensor] : at.values) {
    numeric::SparseVariable<T> v;
    v.entry = [&tensor = tensor](std::span<const std::int64_t> place) { return tensor.values[static_cast<std::size_t>(place[0] * tensor.shape[1] + place[1])]; };
    for (const std::int64_t size : tensor.shape) {
      v.places.emplace_back();
      for (std::int64_t k = 0; k < (name == "W" ? 2 : size); ++k) v.places.back().push_back(k);  // see instance()
    }
    variables.emplace(name, std::move(v));
  }
  numeric::EntryMachine<T> machine(std::make_shared<numeric::Program>(roots, at.dims), std::move(variables), 100'000);
  for (std::size_t k = 0; k < whole.values.size(); ++k) {
    const T entry = machine.root(0, numeric::indices_of(static_cast<std::int64_t>(k), whole.shape));
    if constexpr (std::is_same_v<T, Exact>) {
      BOOST_TEST((entry == whole.values[k]), text << ": " << entry.text() << " is not " << whole.values[k].text());
    } else {
      BOOST_TEST((entry.lower() <= whole.values[k].upper() && whole.values[k].lower() <= entry.upper()), text << ": " << entry.text() << " does not meet " << whole.values[k].text());
      BOOST_TEST(entry.upper() - entry.lower() < 1e-6, text);
    }
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(entries_are_those_of_the_whole) {
  int exact = 0, enclosed = 0;
  for (const char* text : terms) {
    const infer::Term term = infer::elaborate(read::parse_claim(std::string("X: [4, 3]; W: [3, 3]; U: [3, 2]; ") + text + " == 0 * (" + text + ")")).lhs;
    for (unsigned salt = 1; salt <= 8; ++salt) {
      const Instance<Exact> at = instance(salt);
      bool reals = false;
      try {
        compare(term, at, text);
        ++exact;
      } catch (const numeric::NeedsReals&) {
        reals = true;
      } catch (const numeric::Undefined&) {
      }
      if (!reals) continue;
      try {
        compare(term, numeric::enclosed(at), text);
        ++enclosed;
      } catch (const numeric::Undefined&) {
      }
    }
  }
  BOOST_TEST(exact > 50);
  BOOST_TEST(enclosed > 30);
}

BOOST_AUTO_TEST_CASE(what_lacks_a_value_beside_zeros_lacks_one_here) {
  const infer::Term term = infer::elaborate(read::parse_claim("X: [4, 3]; W: [3, 3]; W @ log(X.T) == 0 * (W @ log(X.T))")).lhs;  // log(0), times zeros of W
  BOOST_CHECK_THROW(compare(term, instance(1), "W @ log(X.T)"), numeric::Undefined);
  const infer::Term roots[] = {term};
  std::map<std::string, numeric::SparseVariable<Exact>> variables;
  for (const char* name : {"X", "W"}) variables[name] = {[](std::span<const std::int64_t>) { return Exact(0); }, {{}, {}}, false};
  numeric::EntryMachine<Exact> machine(std::make_shared<numeric::Program>(roots, expr::DimValues{}), std::move(variables), 1000);
  const std::int64_t place[] = {0, 0};
  BOOST_CHECK_THROW(machine.root(0, place), numeric::Undefined);
}

BOOST_AUTO_TEST_CASE(whether_all_entries_have_values_is_seen_by_what_is_divided_by) {
  const auto has_values = [](const std::string& text, std::int64_t filled, std::int64_t most = 100) {  // row k of X has values where k < filled, and is zero beyond
    const infer::Term term = infer::elaborate(read::parse_claim("X: [4, 3]; W: [3, 3]; M: [4, 4]; " + text + " == 0 * (" + text + ")")).lhs;
    const infer::Term roots[] = {campaign::with_row_sums(term)};
    std::map<std::string, numeric::SparseVariable<Interval>> variables;
    const auto entry = [filled](std::span<const std::int64_t> place) { return Interval::from(Exact(place[0] < filled ? 1 : 0)); };
    variables["X"] = {entry, {{0, 1, 2, 3}, {0, 1, 2}}, false};
    variables["W"] = {entry, {{0, 1, 2}, {0, 1, 2}}, false};
    variables["M"] = {entry, {{0, 1, 2, 3}, {0, 1, 2, 3}}, false};
    numeric::EntryMachine<Interval> machine(std::make_shared<numeric::Program>(roots, expr::DimValues{}), std::move(variables), 10'000);
    try {
      return machine.has_values(most);
    } catch (const numeric::Undefined&) {
      return false;
    }
  };
  for (const char* text : {"rmsnorm(X) @ W", "X / rowsum(X)", "log(X) @ W", "softmax(X @ X.T + neginf(M))"}) {
    BOOST_TEST(has_values(text, 4), text);
    BOOST_TEST(!has_values(text, 3), text);
    BOOST_TEST(!has_values(text, 4, 2), text);  // there are more to ask
  }
  for (const char* text : {"softmax(X @ X.T + causal(4))", "softmax(X) @ W", "sqrt(X)"}) BOOST_TEST(has_values(text, 0), text);
  for (const char* text : {"(X @ X.T + causal(4)) @ X", "relu(X @ X.T + causal(4))", "rowmax(X @ X.T + causal(4))"}) BOOST_TEST(!has_values(text, 4), text);  // not looked at
}

}  // namespace foldproof::properties
