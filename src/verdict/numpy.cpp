// SPDX-License-Identifier: MIT
#include "verdict/numpy.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "expr/build.hpp"
#include "expr/operators.hpp"
#include "expr/stated.hpp"
#include "infer/names.hpp"
#include "numeric/undefined.hpp"
#include "read/parse.hpp"
#include "refute/alternatives.hpp"
#include "verdict/defined_sizes.hpp"

namespace foldproof::verdict {
namespace {

using expr::Expression;
using expr::SyntaxKind;

/// What the snippet defines under the name of an operator. `uses`: a name that has to be defined before, or none.
struct Definition {
  std::string_view name, uses, code;
};

constexpr Definition definitions[] = {
    {"transpose", "", "def transpose(a, *order): return np.transpose(a, order[0] if len(order) == 1 and np.ndim(order[0]) else order or None)"},
    {"reshape", "", "def reshape(a, *n): return np.reshape(a, n[0] if np.ndim(n[0]) else n)"},
    {"concat", "", "def concat(*a, axis=-1): return np.concatenate(list(a[0]) if len(a) == 1 else a, axis=axis)"},
    {"vstack", "", "def vstack(*a): return np.concatenate(list(a[0]) if len(a) == 1 else a, axis=0)"},
    {"stack", "", "def stack(*a, axis=0): return np.stack(list(a[0]) if len(a) == 1 else a, axis=axis)"},
    {"blockdiag", "",
     "def blockdiag(*a):\n    a = [np.atleast_2d(x) for x in (list(a[0]) if len(a) == 1 and np.ndim(a[0]) != 2 else a)]\n    out, r, c = np.zeros((np.add.reduce([x.shape[0] for x in a]), np.add.reduce([x.shape[1] for x in a]))), 0, 0\n"
     "    for x in a:\n        out[r:r + x.shape[0], c:c + x.shape[1]] = x\n        r, c = r + x.shape[0], c + x.shape[1]\n    return out"},
    {"chunk", "", "def chunk(x, n, axis=0): return np.split(x, n, axis=axis)"},
    {"split", "", "def split(x, n, axis=0): return np.split(x, np.cumsum(n)[:-1] if np.ndim(n) else range(n, x.shape[axis], n), axis=axis)"},
    {"tensor_split", "", "tensor_split = np.array_split"},
    {"hsplit", "", "hsplit = np.hsplit"},
    {"vsplit", "", "vsplit = np.vsplit"},
    {"unbind", "", "def unbind(x, axis=0): return np.moveaxis(x, axis, 0)"},
    {"tile", "", "tile = np.tile"},
    {"repeat_interleave", "", "def repeat_interleave(x, n, axis): return np.repeat(x, n, axis=axis)"},
    {"roll", "", "def roll(x, by=None, axis=0, shifts=None, dims=None): return np.roll(x, by if shifts is None else shifts, axis if dims is None else dims)"},
    {"rearrange", "",
     "def rearrange(x, pattern, **sizes):\n    split = lambda s: [g.strip('() ').split() for g in __import__('re').findall(r'\\(.*?\\)|\\S+', s)]\n    left, right = map(split, pattern.split('->'))\n    for size, group in zip(x.shape, left):\n"
     "        known = int(np.prod([sizes.get(a, 1) for a in group]))\n        for a in group: sizes.setdefault(a, 1 if a == '1' else size // known)\n    flat, wanted = ([a for g in s for a in g] for s in (left, right))\n"
     "    x = x.reshape([sizes[a] for a in flat]).transpose([flat.index(a) for a in wanted if a in flat])\n    x = x.reshape([sizes[a] if a in flat else 1 for a in wanted]) * np.ones([sizes.get(a, 1) for a in wanted])\n"
     "    return x.reshape([int(np.prod([sizes.get(a, 1) for a in g])) for g in right])"},
    {"repeat", "rearrange", "def repeat(x, n, *more, axis=None, **sizes):\n    if isinstance(n, str): return rearrange(x, n, **sizes)\n    return np.tile(x, n if np.ndim(n) else (n,) + more) if len(more) > 1 or np.ndim(n) else np.repeat(x, n, axis=more[0] if more else axis)"},
    {"reduced", "rearrange",
     "def reduced(x, pattern, how, **sizes):\n    left, right = pattern.split('->')\n    names = __import__('re').findall\n    gone = [a for a in names(r'\\w+', left) if a not in names(r'\\w+', right)]\n"
     "    return getattr(rearrange(x, left + '->' + right + ' (' + ' '.join(gone) + ')', **sizes), how)(axis=-1)"},
    {"array", "", "array = np.array"},
    {"block", "", "block = np.block"},
    {"shape", "", "shape = np.shape"},
    {"where", "", "def where(mask, a, b): return np.where(np.asarray(mask) == 1, a, b)"},
    {"cumsum", "", "def cumsum(a, axis=-1): return np.cumsum(a, axis=axis)"},
    {"flip", "", "flip = np.flip"},
    {"vec", "", "def vec(a): return a.T.reshape(-1, 1)"},
    {"rsqrt", "", "def rsqrt(x): return 1 / np.sqrt(x)"},
    {"relu", "", "def relu(x): return np.maximum(x, 0)"},
    {"leaky_relu", "", "def leaky_relu(x): return np.maximum(x, 0) + 0.01 * np.minimum(x, 0)"},
    {"sigmoid", "", "def sigmoid(x): return 1 / (1 + np.exp(-x))"},
    {"silu", "", "def silu(x): return x / (1 + np.exp(-x))"},
    {"quick_gelu", "", "def quick_gelu(x): return x / (1 + np.exp(-1.702 * x))"},
    {"softplus", "", "def softplus(x): return np.logaddexp(x, 0)"},
    {"erf", "", "import math\nerf = np.vectorize(math.erf, otypes=[float])"},
    {"gelu", "erf", "def gelu(x): return x * (1 + erf(x / 2**0.5)) / 2"},
    {"gelu_tanh", "", "def gelu_tanh(x): return x / 2 * (1 + np.tanh(0.797884560802865 * (x + 0.044715 * x**3)))"},
    {"exp2", "", "exp2 = np.exp2"},
    {"elu", "", "def elu(x): return np.maximum(x, 0) + np.exp(np.minimum(x, 0)) - 1"},
    {"maximum", "", "maximum = np.maximum"},
    {"minimum", "", "minimum = np.minimum"},
    {"clip", "", "clip = np.clip"},
    {"sum", "", "def sum(x, axis=None, keepdims=True):\n    if not hasattr(x, 'shape'): return np.add.reduce(list(x))\n    return x.sum(axis=axis, keepdims=keepdims and axis is not None)"},
    {"rowsum", "", "def rowsum(x): return x.sum(axis=-1, keepdims=True)"},
    {"colsum", "", "def colsum(x): return x.sum(axis=0, keepdims=True)"},
    {"mean", "", "def mean(x, axis=-1, keepdims=True): return x.mean(axis=axis, keepdims=keepdims)"},
    {"rowmean", "", "def rowmean(x): return x.mean(axis=-1, keepdims=True)"},
    {"colmean", "", "def colmean(x): return x.mean(axis=0, keepdims=True)"},
    {"max", "", "from functools import reduce\ndef max(x, *more, axis=-1, keepdims=True): return reduce(np.maximum, more, x) if more else x.max(axis=axis, keepdims=keepdims)"},
    {"rowmax", "", "def rowmax(x): return x.max(axis=-1, keepdims=True)"},
    {"colmax", "", "def colmax(x): return x.max(axis=0, keepdims=True)"},
    {"min", "", "from functools import reduce\ndef min(x, *more, axis=-1, keepdims=True): return reduce(np.minimum, more, x) if more else x.min(axis=axis, keepdims=keepdims)"},
    {"rowmin", "", "def rowmin(x): return x.min(axis=-1, keepdims=True)"},
    {"colmin", "", "def colmin(x): return x.min(axis=0, keepdims=True)"},
    {"frob2", "", "def frob2(x): return (x * x).sum()"},
    {"softmax", "", "def softmax(x, axis=-1):\n    e = np.exp(x - x.max(axis=axis, keepdims=True))\n    return e / e.sum(axis=axis, keepdims=True)"},
    {"softmax_cols", "softmax", "def softmax_cols(x): return softmax(x, axis=0)"},
    {"softmax1", "", "def softmax1(x, axis=-1): return np.exp(x) / (1 + np.exp(x).sum(axis=axis, keepdims=True))"},
    {"lse", "", "def lse(x, axis=-1, keepdims=True): return np.log(np.exp(x).sum(axis=axis, keepdims=keepdims))"},
    {"log_softmax", "", "def log_softmax(x, axis=-1): return x - np.log(np.exp(x).sum(axis=axis, keepdims=True))"},
    {"rms", "", "def rms(x, eps=0, axis=-1): return np.sqrt((x * x).mean(axis=axis, keepdims=True) + eps)"},
    {"rmsnorm", "", "def rmsnorm(x, eps=0, axis=-1): return x / np.sqrt((x * x).mean(axis=axis, keepdims=True) + eps)"},
    {"layernorm", "", "def layernorm(x, eps=0, axis=-1):\n    c = x - x.mean(axis=axis, keepdims=True)\n    return c / np.sqrt((c * c).mean(axis=axis, keepdims=True) + eps)"},
    {"batchnorm", "layernorm", "def batchnorm(x, eps=0): return layernorm(x, eps, 0)"},
    {"l2norm", "", "def l2norm(x, axis=-1): return x / np.sqrt((x * x).sum(axis=axis, keepdims=True))"},
    {"dora", "", "def dora(w, m): return w * (m / np.sqrt((w * w).sum(axis=0, keepdims=True)))"},
    {"eye", "", "eye = np.eye"},
    {"ones", "", "def ones(*n): return np.ones(np.ravel(n))"},
    {"zeros", "", "def zeros(*n): return np.zeros(np.ravel(n))"},
    {"tril", "", "def tril(a, k=None): return np.tril(a, k or 0) if np.ndim(a) else np.tri(a, k if k and k > 0 else a, k if k and k < 0 else 0)"},
    {"triu", "", "def triu(a, k=None): return np.triu(a, k or 0) if np.ndim(a) else 1 - np.tri(a, k if k and k > 0 else a, k - 1 if k and k < 0 else -1)"},
    {"causal", "", "def causal(n, m=None): return np.where(np.tri(n, m or n) > 0, 0, -np.inf)"},
    {"neginf", "", "def neginf(mask): return np.where(np.asarray(mask) == 1, 0, -np.inf)"},
    {"positions", "", "def positions(n): return np.arange(n).reshape(1, n)"},
    {"arange", "", "arange = np.arange"},
    {"filled", "", "def filled(x, pieces): return pieces  # one for each place"},
    {"kept", "", "def kept(x, later): return later"},
    {"numel", "", "numel = np.size"},
    {"log_factor", "", "def log_factor(x, axes=None): return np.log(x)"},
    {"begun", "", "def begun(x, first, all, otherwise=None): return all if otherwise is None else otherwise"},
    {"assigned", "", "def assigned(x, places, value):\n    new = np.array(x, float)\n    new[places.astype(bool) if isinstance(places, np.ndarray) else places] = value  # an array: of truth values\n    return new"},
    {"any_entries", "", "def any_entries(drawn, x): return drawn"},
    {"at_place", "", "def at_place(x, j, value, begin, end): return np.where(np.arange(len(x)) == j, value, 0)"},
    {"zipped", "", "def zipped(x, *others): return x  # all of one length"},
    {"attn_mask", "", "def attn_mask(x): return x"},
    {"class_targets", "", "def class_targets(y, x): return np.moveaxis(y, 1, -1) if np.ndim(y) == np.ndim(x) else np.eye(x.shape[1])[np.asarray(y, int)]"},
    {"shaped", "", "def shaped(x, *shape): return x"},
    {"sized", "", "def sized(x, *shape): return x"},
    {"blocking_mask", "", "def blocking_mask(x): return x"},
    {"padded", "",
     "def padded(x, *widths, axes=None):\n    w = widths if len(widths) != 2 else [v for a in range(np.ndim(x)) for v in (*widths, a)]\n    for b, a, k in zip(w[::3], w[1::3], w[2::3]):\n        x = np.moveaxis(x, k, 0)\n        x = x[max(-b, 0):len(x) - max(-a, 0)]\n"
     "        x = np.moveaxis(np.concatenate([np.zeros((max(b, 0), *x.shape[1:])), x, np.zeros((max(a, 0), *x.shape[1:]))]), 0, k)\n    return x"},
    {"unflatten", "", "def unflatten(x, dim, sizes): return x.reshape(x.shape[:dim % x.ndim] + tuple(sizes) + x.shape[dim % x.ndim + 1:])"},
    {"flatten", "", "def flatten(x, start_dim=0, end_dim=-1): return x.reshape(x.shape[:start_dim] + (-1,) + x.shape[end_dim % x.ndim + 1:])"},
    {"squeeze", "", "squeeze = np.squeeze"},
    {"moveaxis", "", "moveaxis = np.moveaxis"},
    {"movedim", "", "movedim = np.moveaxis"},
    {"offsets", "", "def offsets(n, m=None): return np.arange(m or n) - np.arange(n).reshape(n, 1)"},
    {"diag", "", "def diag(v): return np.diag(v) if np.ndim(v) == 2 and v.shape[0] == v.shape[1] > 1 else np.diag(np.ravel(v))"},
    {"diagonal", "", "diagonal = np.diag"},
    {"rowkron", "", "def rowkron(a, b): return (a[:, :, None] * b[:, None, :]).reshape(len(a), -1)"},
    {"einsum", "", "einsum = np.einsum"},
    {"swapaxes", "", "swapaxes = np.swapaxes"},
    {"tensordot", "", "tensordot = np.tensordot"},
    {"inv", "", "inv = np.linalg.inv"},
    {"matrix_power", "", "matrix_power = np.linalg.matrix_power"},
    {"det", "", "det = np.linalg.det"},
    {"rank", "", "rank = np.linalg.matrix_rank"},
    {"echelon", "",
     "def echelon(a):\n    r, pivots = np.array(a, float), []\n    for j in range(r.shape[1]):\n        i = len(pivots)\n        if i == r.shape[0]: break\n        k = i + np.argmax(np.abs(r[i:, j]))\n        if np.abs(r[k, j]) < 1e-9: continue\n"
     "        r[[i, k]] = r[[k, i]]\n        r[i] /= r[i, j]\n        for l in range(r.shape[0]):\n            if l != i: r[l] -= r[l, j] * r[i]\n        pivots.append(j)\n    return r, pivots"},
    {"lfac", "echelon", "def lfac(a, p=None):\n    pivots = echelon(a)[1][:p]\n    return np.pad(a[:, pivots], ((0, 0), (0, (len(pivots) if p is None else p) - len(pivots))))"},
    {"rfac", "echelon", "def rfac(a, p=None):\n    r, pivots = echelon(a)\n    rows = r[:len(pivots)][:p]\n    return np.pad(rows, ((0, (len(pivots) if p is None else p) - len(rows)), (0, 0)))"},
    {"onehot", "", "def onehot(t, n): return np.eye(n)[np.asarray(t, int)]"},
    {"take", "", "def take(e, t, axis=0): return np.take(e, np.asarray(t, int), axis=axis)"},
    {"rope", "",
     "def rope(x, theta, t=0):\n    a = (np.arange(x.shape[-2])[:, None] + t) * theta\n    y, u, v = np.array(x, float), x[..., ::2], x[..., 1::2]\n    y[..., ::2], y[..., 1::2] = u * np.cos(a) - v * np.sin(a), v * np.cos(a) + u * np.sin(a)\n    return y"},
    {"rope_half", "",
     "def rope_half(x, theta, t=0):\n    a, p = (np.arange(x.shape[-2])[:, None] + t) * theta, len(theta)\n    u, v = x[..., :p], x[..., p:]\n    return np.concatenate([u * np.cos(a) - v * np.sin(a), v * np.cos(a) + u * np.sin(a)], axis=-1)"},
    {"halfperm", "", "def halfperm(n): return np.eye(n)[:, np.concatenate([np.arange(0, n, 2), np.arange(1, n, 2)])]"},
    {"rot", "", "def rot(theta, a):\n    out = np.diag(np.repeat(np.cos(a * theta), 2))\n    for i, s in enumerate(np.sin(a * theta)): out[2 * i, 2 * i + 1], out[2 * i + 1, 2 * i] = s, -s\n    return out"},
    {"sinshift", "rot", "def sinshift(theta, t): return rot(theta, t).T"},
    {"sinus", "", "def sinus(n, theta, t=0):\n    a = (np.arange(n)[:, None] + t) * theta\n    return np.stack([np.sin(a), np.cos(a)], axis=-1).reshape(n, -1)"},
};

constexpr std::string_view of_numpy[] = {"exp", "log", "sqrt", "abs", "tanh", "sin", "cos", "kron", "trace"};

const Definition* definition(std::string_view name) {
  const auto* found = std::find_if(std::begin(definitions), std::end(definitions), [&](const Definition& d) { return d.name == name; });
  return found == std::end(definitions) ? nullptr : found;
}

/// e with the names of this language: clamp is clip, dim= is axis=. A list that is an operand is an array: Python would join [1] + [2].
Expression in_one_spelling(const Expression& e, bool operand = true) {
  if (!e) return e;
  auto copy = std::make_shared<expr::Syntax>(*e);
  if (operand && e->kind == SyntaxKind::list) return expr::call("array", {in_one_spelling(e, false)});
  if (const int id = e->kind == SyntaxKind::call ? expr::find_operator(e->name) : -1; id >= 0 && snippet_defines(expr::operator_info(id).name)) copy->name = expr::operator_info(id).name;
  if (e->kind == SyntaxKind::call && e->name == "~") return expr::node(SyntaxKind::subtract, {read::parse_expression("1"), in_one_spelling(e->args[0])});
  if (e->kind == SyntaxKind::call && e->name == "&") return expr::node(SyntaxKind::multiply, {in_one_spelling(e->args[0]), in_one_spelling(e->args[1])});  // of numbers NumPy has no &
  if (e->kind == SyntaxKind::call && e->name == "|") copy->name = "maximum";
  if (e->kind == SyntaxKind::call && e->name == "view") {  // PyTorch's
    std::vector<Expression> args;
    for (const Expression& a : e->args) args.push_back(in_one_spelling(a));
    return expr::call("reshape", std::move(args));
  }
  if (expr::is_call(e, "assigned")) {
    const Expression &places = e->args[1], &value = e->args[2];
    auto named = std::make_shared<expr::Syntax>(*places);  // y[0] of numbers is no view
    named->args[0] = expr::node(SyntaxKind::name, {}, "np.s_");
    const Expression changed = e->args.size() == 3 ? value : expr::node(value->kind, {places, e->args[3]});  // y[0] += 1
    return expr::call("assigned", {in_one_spelling(e->args[0]), in_one_spelling(named, false), in_one_spelling(changed)});
  }
  if (e->kind == SyntaxKind::call && e->name == "transpose01") return expr::call("swapaxes", {in_one_spelling(e->args[0]), read::parse_expression("0"), read::parse_expression("1")});  // PyTorch's
  if (e->kind == SyntaxKind::call && e->name == "bool") return in_one_spelling(e->args[0]);
  if (expr::is_broadcast(*e)) copy->name.clear();
  if (e->kind == SyntaxKind::matmul && (e->name == "bmm" || e->name == "mv" || e->name == expr::torch_dot)) copy->name.clear();  // PyTorch's
  if (e->kind == SyntaxKind::call && e->name == "reduce") copy->name = "reduced";  // functools has another one, which the definition of max takes
  std::erase_if(copy->keywords, [](const auto& k) { return k.first == "parts"; });
  for (Expression& a : copy->args) a = in_one_spelling(a, e->kind != SyntaxKind::call && e->kind != SyntaxKind::list);
  for (auto& [key, value] : copy->keywords) {
    if (key == "dim") key = "axis";
    if (key == "keepdim") key = "keepdims";
    value = in_one_spelling(value);
  }
  for (auto& s : copy->subscripts) {
    s.start = in_one_spelling(s.start);
    s.stop = in_one_spelling(s.stop);
    s.step = in_one_spelling(s.step);
  }
  return copy;
}

void collect_names(const Expression& e, std::set<std::string>& calls, std::set<std::string>& names) {
  if (!e) return;
  if (e->kind == SyntaxKind::call) calls.insert(e->name);
  if (e->kind == SyntaxKind::name) names.insert(e->name);
  for (const auto& a : e->args) collect_names(a, calls, names);
  for (const auto& [key, value] : e->keywords) collect_names(value, calls, names);
  for (const auto& s : e->subscripts) {
    collect_names(s.start, calls, names);
    collect_names(s.stop, calls, names);
    collect_names(s.step, calls, names);
  }
}

std::string matrix(const refute::TextTensor& t, std::size_t axis, std::size_t& next) {
  if (axis == t.shape.size()) return t.values[next++];
  std::string out = "[";
  for (std::int64_t k = 0; k < t.shape[axis]; ++k) out += (k ? ", " : "") + matrix(t, axis + 1, next);
  return out + "]";
}

/// The program: what is written first is defined first.
class Snippet {
 public:
  Snippet(const infer::Problem& problem, const expr::Claim& claim, const refute::Counterexample& counterexample) : problem_(problem), claim_(claim), counterexample_(counterexample) {}

  std::string text() {
    Expression lhs = in_one_spelling(with_added_masks(claim_.lhs)), rhs = in_one_spelling(with_added_masks(claim_.rhs));
    std::vector<std::pair<std::string, Expression>> definitions;
    for (const auto& d : claim_.definitions) {
      if (!expr::states_shape(d.value)) definitions.emplace_back(d.name, in_one_spelling(with_added_masks(d.value)));
    }
    std::set<std::string> calls, names;
    collect_names(lhs, calls, names);
    collect_names(rhs, calls, names);
    for (const auto& [name, value] : definitions) collect_names(value, calls, names);
    calls_ = calls;
    lhs = beside_functions(lhs);
    rhs = beside_functions(rhs);
    for (auto& [name, value] : definitions) {
      name = beside_functions(name);
      value = beside_functions(value);
    }
    sizes(names);
    tensors(names);
    assumed(calls, names);
    for (const auto& [name, value] : definitions) body_ += name + " = " + expr::text(value) + "\n";
    std::string head = "import numpy as np\nfrom numpy import";
    for (const std::string_view name : of_numpy) head += (name == of_numpy[0] ? " " : ", ") + std::string(name);
    head += "\n";
    for (const std::string& name : calls) define(name, head);
    if (alike_as_printed()) head += "np.set_printoptions(precision=17)\n";
    return head + body_ + "print(" + expr::text(lhs) + ")\nprint(" + expr::text(rhs) + ")\n";
  }

 private:
  /// onehot = onehot(t, 3) would leave no function of that name.
  std::string beside_functions(const std::string& name) const {
    std::string other = name;
    while (calls_.count(other) > 0) other += "_";
    return other;
  }
  Expression beside_functions(const Expression& e) const {
    return expr::changed(e, [this](const Expression& part) -> Expression { return part->kind == SyntaxKind::name && calls_.count(part->name) > 0 ? expr::node(SyntaxKind::name, {}, beside_functions(part->name)) : nullptr; });
  }
  /// PyTorch selects by an attn_mask of truth values, which are numbers from here on.
  Expression with_added_masks(const Expression& e) const {
    return expr::changed(e, [this](const Expression& part) -> Expression {
      const bool seen = expr::is_call(part, "attn_mask"), adds = seen || expr::is_call(part, "blocking_mask");
      if (!adds || !infer::holds_truth(claim_, part->args[0])) return nullptr;
      const Expression mask = with_added_masks(part->args[0]);
      return expr::call("neginf", {seen ? mask : expr::node(SyntaxKind::subtract, {read::parse_expression("1"), mask})});
    });
  }
  /// Whether eight digits, which NumPy prints of an array, may not tell the sides apart.
  bool alike_as_printed() const {
    constexpr double digits = 1e-6;
    if (!has_shapes_of_claim()) return false;
    try {
      numeric::Instance<double> instance{counterexample_.instance.dims, {}};
      for (const auto& [name, value] : counterexample_.instance.values) instance.values[name] = numeric::converted<double>(value, [](const numeric::Exact& v) { return v.to_double(); });
      const auto lhs = numeric::evaluate(problem_.lhs, instance), rhs = numeric::evaluate(problem_.rhs, instance);
      const auto largest = [](const numeric::Tensor<double>& t) { return std::accumulate(t.values.begin(), t.values.end(), 0.0, [](double most, double v) { return std::max(most, std::abs(v)); }); };
      double apart = 0;
      for (std::size_t i = 0; i < std::max(lhs.values.size(), rhs.values.size()); ++i) apart = std::max(apart, std::abs(lhs.values[lhs.shape.empty() ? 0 : i] - rhs.values[rhs.shape.empty() ? 0 : i]));
      return apart <= digits * std::max(largest(lhs), largest(rhs));
    } catch (const numeric::Undefined&) {
    } catch (const numeric::NeedsReals&) {
    } catch (const expr::LimitReached&) {
    }
    return false;
  }
  /// False where a claim about large fixed sizes is refuted at small ones.
  bool has_shapes_of_claim() const {
    const auto& values = counterexample_.instance.values;
    const auto& dims = counterexample_.instance.dims;
    return std::all_of(problem_.variables.begin(), problem_.variables.end(), [&](const auto& v) {
      const auto value = values.find(v.name);
      if (value == values.end()) return true;  // what nothing is said of
      const auto& shape = value->second.shape;
      return std::equal(shape.begin(), shape.end(), v.shape.begin(), v.shape.end(), [&](std::int64_t size, const expr::Dim& d) { return expr::evaluate(d, dims) == size; });
    });
  }
  void define(const std::string& name, std::string& head) {
    const Definition* d = definition(name);
    if (d == nullptr || !defined_.insert(name).second) return;
    if (!d->uses.empty()) define(std::string(d->uses), head);
    head += std::string(d->code) + "\n";
  }
  void set(const std::string& name, const std::string& value) {
    if (known_.insert(name).second) body_ += beside_functions(name) + " = " + value + "\n";
  }
  void sizes(const std::set<std::string>& names) {
    for (const auto& [name, value] : counterexample_.instance.dims) set(name, std::to_string(value));
    for (const auto& [name, value] : defined_sizes(problem_, claim_, counterexample_.instance.dims, names)) set(name, std::to_string(value));
  }
  void tensors(const std::set<std::string>& names) {
    for (const auto& [name, tensor] : counterexample_.values) {
      std::size_t next = 0;
      set(name, "np.array(" + matrix(tensor, 0, next) + (refute::holds_tokens(problem_, name) ? ", int)" : ", float)"));  // NumPy counts rows with integers
    }
    for (const auto& v : problem_.variables) {  // of which only the size is asked for
      if (names.count(v.name) == 0 || counterexample_.instance.values.count(v.name) > 0) continue;
      std::string shape;
      for (const expr::Dim& size : v.shape) shape += std::to_string(expr::evaluate(size, counterexample_.instance.dims)) + ", ";
      set(v.name, "np.zeros((" + shape + "))");
    }
  }
  /// Names that the sides use and assumptions define: sizes, and tensors whose values have no exact form.
  void assumed(std::set<std::string>& calls, const std::set<std::string>& names) {
    for (const auto& a : claim_.assumptions) {
      if (!a.relation || *a.relation != expr::Relation::equal) continue;
      for (const auto& [variable, value] : {std::pair{a.lhs, a.rhs}, std::pair{a.rhs, a.lhs}}) {
        if (variable->kind != SyntaxKind::name || names.count(variable->name) == 0 || known_.count(variable->name) > 0) continue;
        const Expression spelled = in_one_spelling(value);
        std::set<std::string> used;
        collect_names(spelled, calls, used);
        if (std::all_of(used.begin(), used.end(), [&](const std::string& name) { return known_.count(name) > 0; })) set(variable->name, expr::text(spelled));
      }
    }
  }

  const infer::Problem& problem_;
  const expr::Claim& claim_;
  const refute::Counterexample& counterexample_;
  std::string body_;
  std::set<std::string> defined_, known_, calls_;
};

}  // namespace

bool snippet_defines(std::string_view name) { return definition(name) != nullptr || std::find(std::begin(of_numpy), std::end(of_numpy), name) != std::end(of_numpy); }

std::string numpy_snippet(const infer::Problem& problem, const expr::Claim& claim, const refute::Counterexample& counterexample) { return Snippet(problem, claim, counterexample).text(); }

}  // namespace foldproof::verdict
