// SPDX-License-Identifier: MIT
// A counterexample as a NumPy program: paste it and see both sides. Functions that NumPy lacks are defined at the top.
#include <algorithm>
#include <set>

#include "report/decide.hpp"

namespace foldproof::report {
namespace {

using expr::Expression;
using expr::SyntaxKind;

void collect_calls(const Expression& e, std::set<std::string>& names) {
  if (!e) return;
  if (e->kind == SyntaxKind::call) names.insert(e->name);
  for (const auto& a : e->args) collect_calls(a, names);
  for (const auto& [key, value] : e->keywords) collect_calls(value, names);
  for (const auto& s : e->subscripts) {
    collect_calls(s.start, names);
    collect_calls(s.stop, names);
  }
}

/// Definitions of functions that NumPy lacks, or that mean something else there.
const char* definition(const std::string& name) {
  if (name == "softmax") return "def softmax(x, axis=-1):\n    e = np.exp(x - x.max(axis=axis, keepdims=True))\n    return e / e.sum(axis=axis, keepdims=True)\n";
  if (name == "relu") return "def relu(x): return np.maximum(x, 0)\n";
  if (name == "sigmoid") return "def sigmoid(x): return 1 / (1 + np.exp(-x))\n";
  if (name == "silu") return "def silu(x): return x / (1 + np.exp(-x))\n";
  if (name == "gelu") return "import math\ndef gelu(x): return x * np.vectorize(lambda t: (1 + math.erf(t / 2**0.5)) / 2)(x)\n";
  if (name == "concat" || name == "hstack") return "def concat(*a): return np.concatenate(list(a[0]) if len(a) == 1 else a, axis=-1)\n";
  if (name == "vstack") return "def vstack(*a): return np.concatenate(list(a[0]) if len(a) == 1 else a, axis=0)\n";
  if (name == "rowsum") return "def rowsum(x): return x.sum(axis=-1, keepdims=True)\n";
  if (name == "colsum") return "def colsum(x): return x.sum(axis=-2, keepdims=True)\n";
  if (name == "mean") return "def mean(x, axis=-1, keepdims=True): return x.mean(axis=axis, keepdims=keepdims)\n";
  if (name == "sum") return "def sum(x, axis=None, keepdims=True):\n    if not hasattr(x, 'shape'): return np.add.reduce(list(x))\n    return x.sum(axis=axis, keepdims=keepdims and axis is not None)\n";
  if (name == "max") return "from functools import reduce\ndef max(x, *more, axis=-1, keepdims=True): return reduce(np.maximum, more, x) if more else x.max(axis=axis, keepdims=keepdims)\n";
  if (name == "min") return "from functools import reduce\ndef min(x, *more, axis=-1, keepdims=True): return reduce(np.minimum, more, x) if more else x.min(axis=axis, keepdims=keepdims)\n";
  if (name == "rowmax") return "def rowmax(x): return x.max(axis=-1, keepdims=True)\n";
  if (name == "colmax") return "def colmax(x): return x.max(axis=-2, keepdims=True)\n";
  if (name == "rowmin") return "def rowmin(x): return x.min(axis=-1, keepdims=True)\n";
  if (name == "colmin") return "def colmin(x): return x.min(axis=-2, keepdims=True)\n";
  if (name == "flip" || name == "clip") return name == "flip" ? "flip = np.flip\n" : "clip = np.clip\n";
  if (name == "elu") return "def elu(x): return np.maximum(x, 0) + np.exp(np.minimum(x, 0)) - 1\n";
  if (name == "exp2") return "exp2 = np.exp2\n";
  if (name == "erf") return "import math\nerf = np.vectorize(math.erf)\n";
  if (name == "ones") return "def ones(*n): return np.ones(n)\n";
  if (name == "zeros") return "def zeros(*n): return np.zeros(n)\n";
  if (name == "eye") return "eye = np.eye\n";
  if (name == "diag") return "def diag(v): return np.diag(np.ravel(v)) if min(np.shape(v) + (1,)) == 1 or np.ndim(v) == 1 else np.diag(v)\n";
  if (name == "inv") return "inv = np.linalg.inv\n";
  if (name == "exp" || name == "log" || name == "sqrt" || name == "abs" || name == "tanh" || name == "sin" || name == "cos" || name == "kron" || name == "trace" || name == "tril") return "";
  if (name == "rsqrt") return "def rsqrt(x): return 1 / np.sqrt(x)\n";
  if (name == "rmsnorm") return "def rmsnorm(x, eps=0): return x / np.sqrt((x * x).mean(axis=-1, keepdims=True) + eps)\n";
  if (name == "layernorm") return "def layernorm(x, eps=0):\n    c = x - x.mean(axis=-1, keepdims=True)\n    return c / np.sqrt((c * c).mean(axis=-1, keepdims=True) + eps)\n";
  return nullptr;
}

std::string matrix(const refute::TextTensor& t, std::size_t axis, std::size_t& next) {
  if (axis == t.shape.size()) return t.values[next++];
  std::string out = "[";
  for (std::int64_t k = 0; k < t.shape[axis]; ++k) out += (k ? ", " : "") + matrix(t, axis + 1, next);
  return out + "]";
}

}  // namespace

std::string numpy_snippet(const infer::Problem& problem, const expr::Claim& claim, const refute::Counterexample& counterexample) {
  std::string out = "import numpy as np\nfrom numpy import exp, log, sqrt, abs, tanh, sin, cos, kron, trace, tril\n";
  std::set<std::string> names;
  collect_calls(claim.lhs, names);
  collect_calls(claim.rhs, names);
  for (const auto& d : claim.definitions) collect_calls(d.value, names);
  for (const auto& name : names) {
    const char* code = definition(name);
    out += code ? code : "# " + name + ": see `foldproof operators`\n";
  }
  for (const auto& [name, value] : counterexample.instance.dims) out += name + " = " + std::to_string(value) + "\n";
  for (const auto& [name, tensor] : counterexample.values) {
    std::size_t next = 0;
    out += name + " = np.array(" + matrix(tensor, 0, next) + ", float)\n";
  }
  for (const auto& a : claim.assumptions) {  // a variable that an assumption defines has no value of its own
    if (!a.relation || *a.relation != expr::Relation::equal) continue;
    for (const auto& [variable, value] : {std::pair{a.lhs, a.rhs}, std::pair{a.rhs, a.lhs}}) {
      const bool tensor = std::any_of(claim.declarations.begin(), claim.declarations.end(), [&v = variable](const auto& d) { return d.name == v->name; });
      const bool given = std::any_of(counterexample.values.begin(), counterexample.values.end(), [&v = variable](const auto& pair) { return pair.first == v->name; });
      if (variable->kind != SyntaxKind::name || !tensor || given) continue;
      out += variable->name + " = " + expr::text(value) + "\n";
      break;
    }
  }
  for (const auto& d : claim.definitions) out += d.name + " = " + expr::text(d.value) + "\n";
  out += "print(" + expr::text(claim.lhs) + ")\nprint(" + expr::text(claim.rhs) + ")\n";
  (void)problem;
  return out;
}

}  // namespace foldproof::report
