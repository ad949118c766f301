// SPDX-License-Identifier: MIT
#include "expr/operators.hpp"

#include <array>

namespace foldproof::expr {
namespace {

template <class... Op>
constexpr std::array<OperatorInfo, sizeof...(Op)> all_infos(OperatorList<Op...>) {
  static_assert((Operator<Op> && ...), "an operator lacks info or shape");
  return {Op::info...};
}
constexpr auto infos = all_infos(Operators{});

template <class... Op>
constexpr bool names_are_distinct(OperatorList<Op...>) {
  const std::string_view names[] = {Op::info.name...};
  for (std::size_t i = 0; i < sizeof...(Op); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (names[i] == names[j]) return false;
    }
  }
  return true;
}
static_assert(names_are_distinct(Operators{}), "two operators share a name");

}  // namespace

const OperatorInfo& operator_info(int id) { return infos[static_cast<std::size_t>(id)]; }

bool is_entrywise_function(std::string_view name) {
  const int id = find_operator(name);
  bool entrywise = false;
  if (id >= 0) visit_operator(id, [&](auto op) { entrywise = std::is_base_of_v<ops::Entrywise, decltype(op)>; });
  return entrywise;
}

int find_operator(std::string_view name) {
  // Names people use for the same operator in NumPy, PyTorch and papers.
  static constexpr std::pair<std::string_view, std::string_view> synonyms[] = {
      {"hstack", "concat"}, {"column_stack", "concat"}, {"concatenate", "concat"}, {"cat", "concat"},  {"logsumexp", "lse"}, {"leaky", "leaky_relu"}, {"identity", "eye"},
      {"rms_norm", "rmsnorm"}, {"layer_norm", "layernorm"}, {"swish", "silu"}, {"normalize", "l2norm"}, {"absv", "abs"}, {"permute", "transpose"},
      {"maximum_of", "maximum"}, {"clamp", "clip"}, {"tr", "trace"}, {"absolute", "abs"}, {"softmax_off_by_one", "softmax1"},
      {"LayerNorm", "layernorm"}, {"RMSNorm", "rmsnorm"}, {"BatchNorm", "batchnorm"}, {"ReLU", "relu"}, {"GELU", "gelu"}, {"SiLU", "silu"}};
  for (const auto& [synonym, canonical] : synonyms) {
    if (synonym == name) name = canonical;
  }
  for (std::size_t id = 0; id < infos.size(); ++id) {
    if (infos[id].name == name) return static_cast<int>(id);
  }
  return -1;
}

const char* text(Function f) {
  switch (f) {
    case Function::exp: return "exp";
    case Function::log: return "log";
    case Function::abs: return "abs";
    case Function::sin: return "sin";
    case Function::cos: return "cos";
    case Function::normal_cdf: return "normal_cdf";
    case Function::negative_infinity_unless: return "neginf";
  }
  return "?";
}

Shape ShapeRules::broadcast(const Shape& a, const Shape& b) {
  const int both[] = {0, 1};
  Shape result;
  const std::size_t rank = std::max(a.size(), b.size());
  for (std::size_t r = 0; r < rank; ++r) {  // from the last axis
    if (r >= a.size()) {
      result.push_back(b[b.size() - 1 - r]);
    } else if (r >= b.size()) {
      result.push_back(a[a.size() - 1 - r]);
    } else {
      result.push_back(broadcast(a[a.size() - 1 - r], b[b.size() - 1 - r], both));
    }
  }
  std::reverse(result.begin(), result.end());
  return result;
}

void ShapeRules::require_rank(const Shape& s, int operand, std::size_t rank) {
  if (s.size() == rank) return;
  static constexpr const char* kinds[] = {"a scalar []", "a vector [d]", "a matrix [n, d]", "a tensor [h, n, d]"};
  const bool is_row = rank == 1 && s.size() == 2 && s[0].constant() == std::optional<std::int64_t>(1);
  const std::string hint = is_row ? "declare it as [" + text(s[1]) + "], or take its only row: x[0]" : "declare its shape";
  fail("operand " + std::to_string(operand + 1) + " must be " + (rank < 4 ? kinds[rank] : "of rank " + std::to_string(rank)) + ", but it is " + text(s), hint);
}

}  // namespace foldproof::expr
