// SPDX-License-Identifier: MIT
#include "read/numpy.hpp"

#include <algorithm>
#include <cctype>
#include <optional>
#include <span>
#include <string_view>

#include "expr/operators.hpp"
#include "read/kinds.hpp"
#include "read/library.hpp"

namespace foldproof::read {
namespace {

/// What people call as F.f(...) after `import torch.nn.functional as F`; F is also a good name for a matrix.
constexpr std::string_view called_as_f[] = {"softmax", "log_softmax", "relu", "gelu", "silu", "sigmoid", "tanh", "softplus", "leaky_relu", "layer_norm", "rms_norm", "normalize", "linear", "logsigmoid", "scaled_dot_product_attention",
                                         "elu", "glu", "cosine_similarity", "hardtanh", "relu6", "mish", "mse_loss", "one_hot", "softmin", "embedding", "hardswish", "hardsigmoid", "softsign", "tanhshrink", "bilinear", "pad", "cross_entropy", "nll_loss", "l1_loss", "kl_div", "binary_cross_entropy", "binary_cross_entropy_with_logits", "dropout"};

constexpr std::string_view methods[] = {"dot",  "matmul", "mm",    "bmm",   "mv",    "sum",  "mean", "max",  "min",  "clip",  "clamp", "flip", "transpose", "permute", "t",     "reshape", "view",     "softmax", "log_softmax", "logsumexp",
                                        "abs",  "erf",  "exp",    "log",   "sqrt", "rsqrt", "relu", "sigmoid",   "tanh",    "pow",   "square",  "diagonal", "trace",   "swapaxes",    "tril", "triu", "cumsum", "sin", "cos", "logical_not", "logical_and", "logical_or", "masked_fill", "index_select", "bool", "all", "size", "inverse", "chunk", "split", "unbind", "roll", "diag", "repeat", "repeat_interleave", "amax", "amin", "add", "subtract", "multiply", "divide", "true_divide", "numel", "nelement", "prod", "cumprod", "allclose", "equal"};

constexpr std::string_view not_rounded = "values are exact numbers, which are not rounded; `foldproof check` tests number formats";

constexpr std::string_view one_head = "write F.scaled_dot_product_attention(Q, K, V), or softmax(Q @ K.T / sqrt(d)) @ V";
constexpr std::string_view all_heads =
    "write F.scaled_dot_product_attention(Q, K, V) with leading axes for the heads, or the heads themselves: concat(softmax(X @ W_Q[i] @ (X @ W_K[i]).T / sqrt(k)) @ X @ W_V[i] for i in range(h)) @ W_O";

/// Functions that people expect, with what to write instead. As methods they get the same hint.
constexpr std::pair<std::string_view, std::string_view> absent[] = {
    {"Attention", one_head},
    {"attention", one_head},
    {"SelfAttention", one_head},
    {"MultiHead", all_heads},
    {"MultiHeadAttention", all_heads},
    {"MultiheadAttention", all_heads},
    {"multi_head_attention", all_heads},
    {"linear", "write x @ W.T + b"},
    {"Linear", "write x @ W.T + b"},
    {"bilinear", "write einsum('nd,kde,ne->nk', X, W, Y)"},
    {"embedding", "write E[t] for a list t of token numbers, t: [n]"},
    {"dropout", "leave it out: when a model is used it changes nothing"},
    {"expand", "leave it out where shapes are broadcast; heads that share K are K[i//q], equal rows ones(n, 1) @ b"},
    {"var", "write mean((x - mean(x))**2), or np.var(x, axis=1)"},
    {"std", "write sqrt(mean((x - mean(x))**2)), or np.std(x, axis=1)"},
    {"causal_mask", "write causal(n), which is 0 where a query sees a key and minus infinity elsewhere"},
    {"prod", "products are written out, x[0] * x[1], or of positive numbers, np.prod(x)"},
    {"norm", "write sqrt(sum(x * x)) or sqrt(frob2(A)); of each row sqrt(rowsum(X * X)), and l2norm(X) divides by it"},
    {"nuclear", "the language has no singular values"},
    {"svd", "the language has no singular values; name the factors: A == U @ diag(s) @ V.T with orthogonal(U), orthogonal(V)"},
    {"eig", "the language has no eigenvalues; name the factors: A == U @ diag(s) @ U.T with orthogonal(U)"},
    {"eigh", "the language has no eigenvalues; name the factors: A == U @ diag(s) @ U.T with orthogonal(U)"},
    {"sort", "the language does not order entries; max and min take the largest and smallest"},
    {"argsort", "the language does not order entries; a given order is a list, pi: [n] with assume permutation(pi)"},
    {"argmax", "the language does not look for places; max(X, axis=1) is the largest entry"},
    {"argmin", "the language does not look for places; min(X, axis=1) is the smallest entry"},
    {"topk", "the language does not order entries; a given choice is a 0/1 mask M"},
    {"round", not_rounded},
    {"floor", "values are exact numbers, which are not rounded; sizes are divided with //"},
    {"ceil", "values are exact numbers, which are not rounded; sizes are divided with //"},
    {"half", not_rounded},
    {"bf16", not_rounded},
    {"fp16", not_rounded},
    {"bfloat16", not_rounded},
    {"float16", not_rounded},
    {"float32", not_rounded},
    {"float64", not_rounded},
    {"float", "write numbers without quotes; minus infinity is float('-inf')"},
    {"tan", "write sin(x) / cos(x)"},
    {"gather", "the entry t[i] of row i is z[np.arange(n), t], for a list t: [n] of places"},
    {"take_along_axis", "the entry t[i] of row i is z[np.arange(n), t], for a list t: [n] of places"},
    {"scatter", "places get values by a mask: np.where(M, A, B), or by M[:2, :2] = 1"},
    {"vmap", "functions of rows read all rows at once, softmax(Q @ K.T), or row by row: np.stack([f(Q[i]) for i in range(n)])"},
    {"pmap", "functions of rows read all rows at once, softmax(Q @ K.T), or row by row: np.stack([f(Q[i]) for i in range(n)])"},
    {"not", "the opposite of a mask is ~M"},
};

/// Functions of masks that have a symbol.
constexpr std::pair<std::string_view, std::string_view> logical[] = {{"logical_and", "&"}, {"bitwise_and", "&"}, {"logical_or", "|"}, {"bitwise_or", "|"}, {"logical_not", "~"}, {"bitwise_not", "~"}, {"invert", "~"}};

/// Functions that put one number in the place of a whole axis. The library drops the axis unless it is told to keep it.
constexpr std::string_view reductions[] = {"sum", "mean", "max", "min", "lse", "logsumexp"};

constexpr std::pair<std::string_view, SyntaxKind> infix[] = {
    {"dot", SyntaxKind::matmul},      {"matmul", SyntaxKind::matmul},       {"mm", SyntaxKind::matmul},   {"bmm", SyntaxKind::matmul},   {"mv", SyntaxKind::matmul},   {"add", SyntaxKind::add},   {"subtract", SyntaxKind::subtract},
    {"multiply", SyntaxKind::multiply}, {"divide", SyntaxKind::divide}, {"true_divide", SyntaxKind::divide}, {"power", SyntaxKind::power}, {"pow", SyntaxKind::power},
};

/// Products that the shapes of their factors are asked about.
constexpr std::string_view factors_known[] = {"dot", "mm", "bmm", "mv"};

Expression node(SyntaxKind kind, std::vector<Expression> args, Span span, std::string name = {}) {
  return std::make_shared<const Syntax>(Syntax{kind, std::move(name), {}, std::move(args), {}, {}, span});
}

bool is_integer(const Expression& e) {
  const Expression& digits = e->kind == SyntaxKind::negate ? e->args[0] : e;
  return digits->kind == SyntaxKind::number && digits->value.is_integer();
}

bool names_axis(const Syntax& call) { return has_keyword(call, "axis", "dim"); }

bool is_truth(const Expression& e) { return e->kind == SyntaxKind::name && (e->name == "True" || e->name == "False"); }

/// keepdims=1 is keepdims=True, as in Python; PyTorch's x.sum(-1, True) names no keyword.
void read_keepdims(Syntax& call, Spelling spelling) {
  for (auto& [key, value] : call.keywords) {
    if (key != "keepdims" && key != "keepdim") continue;
    if (is_number(value, 0) || is_number(value, 1)) value = node(SyntaxKind::name, {}, value->span, is_number(value, 1) ? "True" : "False");
    if (!is_truth(value)) fail("call.keyword", key + " is True or False", value->span, "write " + key + "=True or leave it out");
  }
  const bool reduces = is_among(call.name, reductions) || call.name == "amax" || call.name == "amin";  // of var and std the third is `unbiased`
  if ((is_torch(spelling) || spelling == Spelling::method) && reduces && call.args.size() == 3 && is_truth(call.args[2]) && call.keywords.empty()) {
    call.keywords.emplace_back("keepdim", call.args[2]);
    call.args.pop_back();
  }
}

/// See Pairs. After read_keepdims.
Pairs gives_pairs(const Syntax& call, Spelling spelling) {
  if ((call.name != "max" && call.name != "min") || (!is_torch(spelling) && spelling != Spelling::method)) return Pairs::no;
  if (has_keyword(call, "dim", "keepdim") || (is_torch(spelling) && has_keyword(call, "axis", "keepdims"))) return Pairs::yes;
  const bool axis = call.args.size() == 2 && is_integer(call.args[1]) && call.keywords.empty();
  return !axis ? Pairs::no : is_torch(spelling) ? Pairs::yes : Pairs::either;
}

/// How to divide an axis: NumPy's split names where to cut, PyTorch's how long the parts are; each in its own keyword from here on.
void read_parts(Syntax& call, Spelling spelling) {
  const bool sizes = call.name == "split" && (is_torch(spelling) || spelling == Spelling::method);
  if ((call.name == "split" || call.name == "array_split") && spelling == Spelling::numpy) call.name = "chunk";  // into so many parts
  const bool list = call.args.size() > 1 && call.args[1]->kind == SyntaxKind::list;
  if (!list || call.name != "split") return;
  if (sizes && call.args.size() == 2 && call.keywords.empty()) call.keywords.emplace_back("dim", number(0, call.span));
  if (sizes && call.args.size() == 3) {
    call.keywords.emplace_back("dim", call.args[2]);
    call.args.pop_back();
  }
  if (has_keyword(call, "axis", "axis")) call.name = "chunk";
  if (!sizes && !names_axis(call)) fail("call.arguments", "NumPy's `split` names where to cut, PyTorch's how long the parts are", call.span, "write np.split(x, [2, 5]) for the cuts, torch.split(x, [2, 3]) for the sizes");
}

/// NumPy's repeat(x, 2) puts equal entries beside each other, PyTorch's x.repeat(2) all of x after itself.
std::optional<Respelled> repeated(const Syntax& call, Spelling spelling) {
  const bool counts = (call.name == "repeat" || call.name == "repeat_interleave") && call.args.size() > 1 && !is_quoted(call.args[1]);
  if (!counts || names_axis(call)) return std::nullopt;
  const bool list = call.args[1]->kind == SyntaxKind::list;
  if (call.name == "repeat" && call.args.size() < 4 && ((!has_module(spelling) && !(spelling == Spelling::plain && list)) || (list && has_module(spelling) && !is_torch(spelling)))) {
    fail("call.arguments", "NumPy's `repeat` and PyTorch's are not the same", call.span, "write np.repeat(x, 2, axis=0) for every entry twice in a row, np.tile(x, 2) for all of x twice");
  }
  if (call.args.size() != 2 || list || (call.name == "repeat" && spelling != Spelling::numpy && spelling != Spelling::jax)) return std::nullopt;
  const Expression flat = node(SyntaxKind::call, {call.args[0], node(SyntaxKind::negate, {number(1, call.span)}, call.span)}, call.span, "reshape");
  return Respelled{Syntax{SyntaxKind::call, "repeat_interleave", {}, {flat, call.args[1]}, {{"axis", number(0, call.span)}}, {}, call.span}, 1};
}

/// softmax(S, -1) and X.sum(1): the second argument of these is the axis.
void positional_axis(Syntax& call, Spelling spelling) {
  static constexpr std::string_view always[] = {"softmax", "log_softmax", "softmax1", "lse", "logsumexp", "sum", "mean", "cumsum"};
  if (call.args.size() != 2) return;
  const bool parts = call.args[0]->kind == SyntaxKind::list || call.args[0]->kind == SyntaxKind::comprehension || spelling != Spelling::plain;  // plain concat(A, B) joins the two
  const bool joins = parts && (call.name == "concat" || call.name == "concatenate" || call.name == "cat" || call.name == "stack");
  const bool takes = joins || is_among(call.name, always) || ((call.name == "max" || call.name == "min") && spelling != Spelling::plain);  // max(a, 0) is the larger of two
  if (!takes || names_axis(call)) return;
  const bool larger = call.name == "max" || call.name == "min", named = call.args[1]->kind == SyntaxKind::name && (call.args[1]->name == "axis" || call.args[1]->name == "dim");
  if (larger && !is_integer(call.args[1]) && (named || spelling == Spelling::numpy || spelling == Spelling::jax)) {
    fail("call.arguments", "the second argument of `" + call.name + "` is an axis, which is a number", call.args[1]->span, "write the number, as in np.max(X, axis=1); the larger of two tensors is np.maximum(X, Y)");
  }
  if (!is_integer(call.args[1])) return;
  call.keywords.insert(call.keywords.begin(), {"axis", call.args[1]});
  call.args.pop_back();
}

/// The axes of sum(x, axis=(1, 2)) and x.sum((1, 2)); empty for a single one.
std::vector<Expression> axes_of(const Syntax& call) {
  for (const auto& [key, value] : call.keywords) {
    if ((key == "axis" || key == "dim") && value->kind == SyntaxKind::list) return value->args;
  }
  const bool second = call.args.size() == 2 && call.args[1]->kind == SyntaxKind::list && !names_axis(call);
  return second ? call.args[1]->args : std::vector<Expression>{};
}

/// A sum over several axes is one of sums, of which none moves the axes that are still to go: the last first, or the first where all count from the end.
std::optional<Respelled> over_axes(const Syntax& call, Spelling spelling) {
  std::vector<Expression> axes = is_among(call.name, reductions) && !call.args.empty() && call.args[0]->kind != SyntaxKind::list ? axes_of(call) : std::vector<Expression>{};
  const auto is_negative = [](const Expression& axis) { return axis->kind == SyntaxKind::negate; };
  const auto negative = std::count_if(axes.begin(), axes.end(), is_negative);
  const bool readable = !axes.empty() && std::all_of(axes.begin(), axes.end(), is_integer) && (negative == 0 || negative == static_cast<std::ptrdiff_t>(axes.size()));
  if (!readable) return std::nullopt;
  const auto place = [&](const Expression& axis) { return (is_negative(axis) ? axis->args[0] : axis)->value.num(); };
  std::sort(axes.begin(), axes.end(), [&](const Expression& a, const Expression& b) { return place(a) > place(b); });
  const auto again = std::adjacent_find(axes.begin(), axes.end(), [&](const Expression& a, const Expression& b) { return place(a) == place(b); });
  if (again != axes.end()) fail("call.axis", "an axis is named twice", (*again)->span, "name each axis once");
  Expression x = call.args[0];
  for (const Expression& axis : axes) {
    Syntax one = call;
    one.args = {x};
    std::erase_if(one.keywords, [](const auto& k) { return k.first == "axis" || k.first == "dim"; });
    one.keywords.emplace_back("axis", axis);
    x = std::make_shared<const Syntax>(respell(std::move(one), spelling).syntax);
  }
  return Respelled{*x, static_cast<int>(axes.size())};
}

/// flip(x, 0), torch.flip(x, [0]), x.flip(0, 1), x.flip(dims=(0, 1)): flip(x, axis=0), one axis after the other.
std::optional<Respelled> flipped(const Syntax& call, Spelling spelling) {
  if (call.name != "flip" || call.args.empty()) return std::nullopt;
  if (call.args.size() == 1 && call.keywords.empty() && (is_torch(spelling) || spelling == Spelling::method)) fail("call.arguments", "PyTorch's flip takes the axes along which it turns", call.span, "write x.flip(0), or np.flip(x) for all axes");
  std::vector<Expression> axes(call.args.begin() + 1, call.args.end());
  for (const auto& [key, value] : call.keywords) {
    if (key != "axis" && key != "dims") return std::nullopt;
    axes.push_back(value);
  }
  if (axes.size() == 1 && axes[0]->kind == SyntaxKind::list) axes = axes[0]->args;
  if (axes.empty() || !std::all_of(axes.begin(), axes.end(), is_integer)) return std::nullopt;
  Expression x = call.args[0];
  for (const Expression& axis : axes) {
    Syntax one{SyntaxKind::call, "flip", {}, {x}, {{"axis", axis}}, {}, call.span};
    x = std::make_shared<const Syntax>(std::move(one));
  }
  return Respelled{*x, static_cast<int>(axes.size())};
}

/// einops' einsum(x, y, 'i j, j k -> i k') and words for letters: einsum('ij,jk->ik', x, y).
std::optional<Expression> in_letters(const Expression& quoted) {
  std::vector<std::string> words;
  std::string text = quoted->name.substr(1, quoted->name.size() - 2), letters, word;
  const auto finish = [&] {
    if (word.empty()) return true;
    const auto at = std::find(words.begin(), words.end(), word);
    if (at == words.end() && words.size() == 26) return false;
    letters += static_cast<char>('a' + (at - words.begin()));
    if (at == words.end()) words.push_back(word);
    word.clear();
    return true;
  };
  for (const char c : text) {
    const bool inside = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
    if (inside) word += c;
    else if (!finish()) return std::nullopt;
    else if (c != ' ') letters += c;
  }
  if (!finish()) return std::nullopt;
  return node(SyntaxKind::name, {}, quoted->span, "'" + letters + "'");
}

/// tril(A, k=-1), and PyTorch's tril(A, diagonal=-1): tril(A, -1).
void positional_diagonal(Syntax& call) {
  if ((call.name != "tril" && call.name != "triu") || call.args.size() != 1 || call.keywords.size() != 1 || !has_keyword(call, "k", "diagonal")) return;
  call.args.push_back(call.keywords[0].second);
  call.keywords.clear();
}

/// 1 - mask
Expression complement(const Expression& mask) {
  const bool complemented = mask->kind == SyntaxKind::subtract && mask->args[0]->kind == SyntaxKind::number && mask->args[0]->value.is_one();
  return complemented ? mask->args[1] : node(SyntaxKind::subtract, {number(1, mask->span), mask}, mask->span);
}

/// What holds where the condition does not, written without `~`; null where that takes one.
Expression opposite_of(const Expression& condition) {
  static constexpr std::pair<std::string_view, std::string_view> opposites[] = {{"==", "!="}, {"<", ">="}, {"<=", ">"}};
  if (condition->kind == SyntaxKind::subtract) {
    const Expression kept = complement(condition);
    return kept->kind == SyntaxKind::subtract ? nullptr : kept;
  }
  if (condition->kind != SyntaxKind::call) return nullptr;
  if (condition->name == "~") return is_condition(*condition->args[0]) ? condition->args[0] : node(SyntaxKind::call, {condition}, condition->span, "~");  // of numbers ~ is another operation
  if (condition->name == "bool" && condition->args.size() == 1) return opposite_of(condition->args[0]);
  for (const auto& [one, other] : opposites) {
    if (condition->name == one || condition->name == other) return node(SyntaxKind::call, condition->args, condition->span, std::string(condition->name == one ? other : one));
  }
  return nullptr;
}

/// clip(x, a, None), x.clamp(min=a): the larger of x and a; x.clamp(min=a, max=b) is clip(x, a, b). Nothing for other calls.
std::optional<Syntax> clipped(const Syntax& call) {
  Expression low = call.args.size() > 1 ? call.args[1] : nullptr, high = call.args.size() > 2 ? call.args[2] : nullptr;
  for (const auto& [key, value] : call.keywords) {
    if (key == "min" || key == "a_min") low = value;
    else if (key == "max" || key == "a_max") high = value;
    else return std::nullopt;
  }
  const auto is_open = [](const Expression& bound) { return !bound || (bound->kind == SyntaxKind::name && bound->name == "None"); };
  if (call.args.empty() || (is_open(low) && is_open(high))) return std::nullopt;
  if (!is_open(low) && !is_open(high)) return call.keywords.empty() ? std::nullopt : std::optional(Syntax{SyntaxKind::call, "clip", {}, {call.args[0], low, high}, {}, {}, call.span});
  return Syntax{SyntaxKind::call, is_open(high) ? "maximum" : "minimum", {}, {call.args[0], is_open(high) ? low : high}, {}, {}, call.span};
}

/// full((n, m), c): c * ones(n, m), or minus infinity everywhere.
Syntax filled(const Syntax& call) {
  const std::vector<Expression> sizes = call.args[0]->kind == SyntaxKind::list ? call.args[0]->args : std::vector<Expression>{call.args[0]};
  const bool infinite = call.args[1]->kind == SyntaxKind::call && call.args[1]->name == "neginf";
  const Expression all = node(SyntaxKind::call, sizes, call.span, infinite ? "zeros" : "ones");
  if (infinite) return {SyntaxKind::call, "neginf", {}, {all}, {}, {}, call.span};
  return {SyntaxKind::multiply, {}, {}, {call.args[1], all}, {}, {}, call.span};
}

/// softmax(Q K^T / sqrt(d) + mask) V, as PyTorch's function computes it.
Syntax attention(const Syntax& call) {
  const Span span = call.span;
  const auto of = [&](const char* function, std::vector<Expression> args) { return node(SyntaxKind::call, std::move(args), span, function); };
  const auto last = [&](std::int64_t n) { return node(SyntaxKind::negate, {number(n, span)}, span); };
  const auto size = [&](const Expression& x, std::int64_t from_end) {
    Syntax entry{SyntaxKind::index, {}, {}, {of("shape", {x})}, {}, {Subscript{false, last(from_end), nullptr, nullptr}}, span};
    return std::make_shared<const Syntax>(std::move(entry));
  };
  if (call.args.size() < 3 || call.args.size() > 6) fail("call.arguments", "scaled_dot_product_attention takes Q, K and V, a mask, dropout_p and is_causal, and the rest by name", span, "add other masks to the scores: softmax(Q @ K.T / sqrt(d) + neginf(M)) @ V");
  const Expression &q = call.args[0];
  Expression k = call.args[1], v = call.args[2], scale, mask;
  bool causal = false, shares = false;
  static constexpr std::string_view by_place[] = {"attn_mask", "dropout_p", "is_causal"};
  auto options = call.keywords;
  for (std::size_t k = 3; k < call.args.size(); ++k) options.emplace_back(by_place[k - 3], call.args[k]);
  for (const auto& [key, value] : options) {
    const bool named = value->kind == SyntaxKind::name;
    if (key == "is_causal" && named && (value->name == "True" || value->name == "False")) {
      causal = value->name == "True";
    } else if (key == "enable_gqa" && named && (value->name == "True" || value->name == "False")) {
      shares = value->name == "True";
    } else if (key == "scale" || key == "attn_mask") {
      if (!named || value->name != "None") (key == "scale" ? scale : mask) = value;
    } else if (!(named && value->name == "None") && !(key == "dropout_p" && value->kind == SyntaxKind::number && value->value.is_zero())) {
      fail("call.keyword", "`" + key + "` of scaled_dot_product_attention is not read", value->span, "add masks to the scores: softmax(Q @ K.T / sqrt(d) + neginf(M)) @ V");
    }
  }
  if (mask && causal) fail("call.arguments", "PyTorch takes a mask or is_causal=True, and not both", span, "put both into one mask");
  for (Expression* heads : {&k, &v}) {  // each is that of so many heads of queries
    if (!shares) continue;
    Syntax repeated{SyntaxKind::call, "repeat_interleave", {}, {*heads, node(SyntaxKind::floor_divide, {size(q, 3), size(*heads, 3)}, span)}, {{"dim", last(3)}}, {}, span};
    *heads = std::make_shared<const Syntax>(std::move(repeated));
  }
  Expression scores = node(SyntaxKind::matmul, {q, of("swapaxes", {k, last(1), last(2)})}, span);
  scores = scale ? node(SyntaxKind::multiply, {scores, scale}, span) : node(SyntaxKind::divide, {scores, of("sqrt", {size(q, 1)})}, span);
  if (mask) scores = node(SyntaxKind::add, {scores, of("attn_mask", {mask})}, span);
  if (causal) scores = node(SyntaxKind::add, {scores, of("neginf", {of("tril", {of("ones", {size(q, 2), size(k, 2)})})})}, span);
  Syntax weights{SyntaxKind::call, "softmax", {}, {scores}, {}, {}, span};
  return {SyntaxKind::matmul, {}, {}, {std::make_shared<const Syntax>(std::move(weights)), v}, {}, {}, span};
}

/// PyTorch's A.transpose(-2, -1) exchanges two axes. NumPy reads an order of all axes, which these are not or which changes nothing;
/// only A.transpose(0, 1) may be meant either way.
void exchange_axes(Syntax& call, Spelling spelling) {
  if (call.args.size() != 3) return;
  const auto is = [&](std::size_t k, std::int64_t axis) { return call.args[k]->kind == SyntaxKind::number && call.args[k]->value == Rational(axis); };
  if (is(1, 1) && is(2, 0)) return;
  if (spelling == Spelling::method && is(1, 0) && is(2, 1)) {
    call.name = "transpose01";  // ambiguous where there are two axes
    call.args.resize(1);
    return;
  }
  call.name = "swapaxes";
}

/// What to write instead of a function that the language lacks; empty for other names.
std::string_view absent_hint(std::string_view name) {
  const auto* found = std::find_if(std::begin(absent), std::end(absent), [&](const auto& a) { return a.first == name; });
  return found == std::end(absent) ? std::string_view{} : found->second;
}

std::string_view constant_hint(std::string_view name) {
  if (name == "inf" || name == "Inf") return "a mask is added to scores as neginf(M), where M is 1 at what is kept, or causal(n); -np.inf stands in np.full((n, n), -np.inf), np.where(M, S, -np.inf) and S.masked_fill(M, -np.inf); for a variable, declare its shape";
  if (name == "nan" || name == "NaN") return "every value is a real number; for a variable, declare its shape";
  if (is_python_word(name)) return "every operand is a number, a tensor or a size";
  if (name == "I") return "the identity matrix is eye(d); for a variable, declare its shape";
  if (name == "pi") return "there is no constant pi, and gelu(x, approximate='tanh') has its own; a permutation list is declared, pi: [n]";
  return {};
}

/// tensordot(A, B, axes=1) keeps its name, as its axes are told by the shapes; along other axes it is an einsum of matrices. PyTorch calls the axes dims.
std::optional<Syntax> contracted(const Syntax& call) {
  if (call.name != "tensordot") return std::nullopt;
  const Span span = call.span;
  const auto named = std::find_if(call.keywords.begin(), call.keywords.end(), [](const auto& k) { return k.first == "axes" || k.first == "dims"; });
  const Expression axes = named != call.keywords.end() ? named->second : call.args.size() > 2 ? call.args[2] : number(2, span);
  const bool one = is_number(axes, 1), two = is_number(axes, 2);
  const std::size_t given = call.args.size() + call.keywords.size();
  std::vector<std::vector<std::int64_t>> places;
  for (std::size_t k = 0; axes->kind == SyntaxKind::list && k < axes->args.size(); ++k) {
    const Expression& side = axes->args[k];
    const std::vector<Expression> entries = side->kind == SyntaxKind::list ? side->args : std::vector<Expression>{side};
    places.emplace_back();
    for (const Expression& axis : entries) {
      if (!is_integer(axis)) continue;
      const bool negative = axis->kind == SyntaxKind::negate;
      const std::int64_t written = (negative ? axis->args[0] : axis)->value.num(), place = negative ? 2 - written : written;
      if (place == 0 || place == 1) places.back().push_back(place);
    }
    if (places.back().size() != entries.size()) places.back().clear();
  }
  if (two) places = {{0, 1}, {0, 1}};
  const bool pairs = places.size() == 2 && places[0].size() == places[1].size() && !places[0].empty() && places[0].size() < 3;
  const bool twice = pairs && places[0].size() == 2 && (places[0][0] == places[0][1] || places[1][0] == places[1][1]);
  if (call.args.size() < 2 || given > 3 || (given == 3 && call.args.size() == 2 && named == call.keywords.end()) || (!one && !pairs) || twice) {
    fail("call.arguments", "tensordot of these axes is not read", span, "write A @ B, or einsum('ij,kj->ik', A, B) with a letter for each axis");
  }
  if (one) return Syntax{SyntaxKind::call, "tensordot", {}, {call.args[0], call.args[1]}, {{"axes", axes}}, {}, span};
  if (places[0] == std::vector<std::int64_t>{1} && places[1] == std::vector<std::int64_t>{0}) return Syntax{SyntaxKind::matmul, "tensordot", {}, {call.args[0], call.args[1]}, {}, {}, span};
  std::string right = "kl", left = "ij", kept;
  for (std::size_t k = 0; k < places[0].size(); ++k) right[static_cast<std::size_t>(places[1][k])] = left[static_cast<std::size_t>(places[0][k])];
  for (const char c : left) kept += right.find(c) == std::string::npos ? std::string(1, c) : "";
  for (const char c : right) kept += left.find(c) == std::string::npos ? std::string(1, c) : "";
  return Syntax{SyntaxKind::call, "einsum", {}, {call.args[0], call.args[1]}, {{"subscripts", node(SyntaxKind::name, {}, span, "'" + left + "," + right + "->" + kept + "'")}}, {}, span};
}

/// TensorFlow's matmul(Q, K, transpose_b=True).
std::optional<Syntax> transposing_product(const Syntax& call, Spelling spelling) {
  const bool turns = call.name == "matmul" && std::any_of(call.keywords.begin(), call.keywords.end(), [](const auto& k) { return k.first == "transpose_a" || k.first == "transpose_b"; });
  if (!turns) return std::nullopt;
  if (spelling == Spelling::numpy || is_torch(spelling) || spelling == Spelling::method) fail("call.keyword", "`" + call.keywords[0].first + "` is TensorFlow's", call.keywords[0].second->span, "write Q @ K.T, or Q @ K.swapaxes(-1, -2) of more axes than two");
  if (call.args.size() != 2) fail("call.arguments", "`matmul` joins two operands", call.span);
  std::vector<Expression> factors = call.args;
  for (const auto& [key, value] : call.keywords) {
    const bool known = (key == "transpose_a" || key == "transpose_b") && is_truth(value);
    if (!known) fail("call.keyword", "`" + key + "` of matmul is not read", value->span, "transpose_a and transpose_b are True or False");
    Expression& factor = factors[key == "transpose_a" ? 0 : 1];
    const auto last = [&](std::int64_t n) { return node(SyntaxKind::negate, {number(n, call.span)}, call.span); };
    if (value->name == "True") factor = node(SyntaxKind::call, {factor, last(1), last(2)}, call.span, "swapaxes");
  }
  return Syntax{SyntaxKind::matmul, {}, {}, std::move(factors), {}, {}, call.span};
}

/// The list that Python's list(...), tuple(...) and sum(...) go through: [A, B, C], and from its end on reversed([A, B, C]). Null for others.
Expression items_in_order(const Expression& e) {
  const auto is_spread = [](const Expression& item) { return expr::is_call(item, expr::spread_call); };
  if (e->kind == SyntaxKind::list) return std::any_of(e->args.begin(), e->args.end(), is_spread) ? nullptr : e;
  const Expression forwards = expr::is_call(e, "reversed") && e->args.size() == 1 && e->keywords.empty() ? items_in_order(e->args[0]) : nullptr;
  return forwards ? node(SyntaxKind::list, {forwards->args.rbegin(), forwards->args.rend()}, e->span) : nullptr;
}

/// Python's sum([A, B, C]) adds them up.
std::optional<Respelled> sum_of_list(const Syntax& call, Spelling spelling) {
  const Expression items = call.name == "sum" && spelling == Spelling::plain && call.args.size() == 1 && call.keywords.empty() ? items_in_order(call.args[0]) : nullptr;
  if (!items || items->args.empty() || std::any_of(items->args.begin(), items->args.end(), [](const Expression& a) { return a->kind == SyntaxKind::list; })) return std::nullopt;
  Expression sum;
  for (const Expression& part : items->args) sum = sum ? node(SyntaxKind::add, {sum, part}, call.span) : part;
  return Respelled{*sum, static_cast<int>(items->args.size()) - 3};  // without the call and its list
}

/// padded(x, before, after, axis, ...): zeros before and after x along axes, along all of them where none is named. PyTorch counts pairs from the last axis on, NumPy from the first.
Syntax padding(const Syntax& call, Spelling spelling) {
  const bool from_last = is_torch(spelling);
  if (spelling == Spelling::plain) fail("call.arguments", "NumPy's `pad` counts the axes from the first on, PyTorch's from the last", call.span, "write np.pad(x, ((1, 0), (0, 0))) or F.pad(x, (0, 0, 1, 0))");
  const auto quoted = [](const Expression& e) { return is_quoted(e) && e->name.substr(1, e->name.size() - 2) == "constant"; };
  Expression widths = call.args.size() > 1 ? call.args[1] : nullptr;
  bool known = !call.args.empty() && call.args.size() < 4 && (call.args.size() < 3 || quoted(call.args[2]));
  for (const auto& [key, value] : call.keywords) {
    const bool width = (key == "pad" || key == "pad_width" || key == "paddings") && !widths;
    if (width) widths = value;
    known = known && (width || (key == "mode" && quoted(value)) || ((key == "value" || key == "constant_values") && is_number(value, 0)));
  }
  if (!known || !widths) fail("call.arguments", "pad is read with zeros only", call.span, "write F.pad(x, (1, 0)), np.pad(x, ((1, 0), (0, 0))), or concat([zeros(1, d), x], axis=0)");
  Syntax result{SyntaxKind::call, "padded", {}, {call.args[0]}, {}, {}, call.span};
  const auto add = [&](const Expression& before, const Expression& after, const Expression& axis) { result.args.insert(result.args.end(), {before, after, axis}); };
  const std::vector<Expression> parts = widths->kind == SyntaxKind::list ? widths->args : std::vector<Expression>{};
  if (from_last) {
    if (parts.empty() || parts.size() % 2 != 0) fail("call.arguments", "F.pad takes a pair for each axis, from the last one on", widths->span, "write F.pad(x, (1, 0)) for the last axis, F.pad(x, (0, 0, 1, 0)) for the one before it");
    for (std::size_t k = 0; k < parts.size(); k += 2) add(parts[k], parts[k + 1], node(SyntaxKind::negate, {number(static_cast<std::int64_t>(k / 2) + 1, call.span)}, call.span));
    return result;
  }
  const auto is_width = [](const Expression& e) { return e->kind != SyntaxKind::list; };
  if (parts.empty() || (parts.size() == 2 && is_width(parts[0]) && is_width(parts[1]))) {  // of every axis
    result.args.insert(result.args.end(), {parts.empty() ? widths : parts[0], parts.empty() ? widths : parts[1]});
    return result;
  }
  const auto is_pair = [](const Expression& e) { return e->kind == SyntaxKind::list && e->args.size() == 2 && e->args[0]->kind != SyntaxKind::list && e->args[1]->kind != SyntaxKind::list; };
  if (!std::all_of(parts.begin(), parts.end(), is_pair)) fail("call.arguments", "np.pad takes a pair for each axis, from the first one on", widths->span, "write np.pad(x, ((1, 0), (0, 0)))");
  for (std::size_t k = 0; k < parts.size(); ++k) add(parts[k]->args[0], parts[k]->args[1], number(static_cast<std::int64_t>(k), call.span));
  result.keywords.emplace_back("axes", number(static_cast<std::int64_t>(parts.size()), call.span));
  return result;
}

/// [[f(i, j) for j in range(m)] for i in range(n)] with a stack in each row, as NumPy makes an array of it; null for other lists.
Expression with_stacked_rows(const Expression& list) {
  const bool nested = list->kind == SyntaxKind::comprehension && list->args[0]->kind == SyntaxKind::comprehension;
  if (!nested) return nullptr;
  const Expression inner = with_stacked_rows(list->args[0]);
  auto rows = std::make_shared<Syntax>(*list);
  rows->args[0] = node(SyntaxKind::call, {inner ? inner : list->args[0]}, list->args[0]->span, "stack");
  return rows;
}

/// np.append(a, b, axis=0) is np.concatenate([a, b], axis=0); without an axis both are flattened before.
Respelled appended(const Syntax& call) {
  const auto axis = std::find_if(call.keywords.begin(), call.keywords.end(), [](const auto& k) { return k.first == "axis"; });
  Expression along = axis != call.keywords.end() ? axis->second : call.args.size() > 2 ? call.args[2] : nullptr;
  if (along && along->kind == SyntaxKind::name && along->name == "None") along = nullptr;
  std::vector<Expression> parts(call.args.begin(), call.args.begin() + 2);
  const Expression flat = node(SyntaxKind::negate, {number(1, call.span)}, call.span);
  for (Expression& part : parts) part = along ? part : node(SyntaxKind::call, {part, flat}, call.span, "reshape");
  return {Syntax{SyntaxKind::call, "concatenate", {}, {node(SyntaxKind::list, std::move(parts), call.span)}, {{"axis", along ? along : number(0, call.span)}}, {}, call.span}, 2};
}

/// A mask that PyTorch takes: of a condition it is one.
Expression as_mask(const Expression& e) { return is_condition(*e) ? e : node(SyntaxKind::call, {e}, e->span, std::string(mask_call)); }

/// Functions that are a few of the language's own: log1p(x) is log(1 + x). Nothing for other calls, and for operands that they do not take.
std::optional<Respelled> composed(const Syntax& call, Spelling spelling) {
  const Span span = call.span;
  const auto of = [&](const char* function, Expression a) { return node(SyntaxKind::call, {std::move(a)}, span, function); };
  const std::string_view name = call.name;
  if (auto product = contracted(call)) return Respelled{std::move(*product), 1};
  if (auto product = transposing_product(call, spelling)) return Respelled{std::move(*product), 3};
  if (auto sum = sum_of_list(call, spelling)) return std::move(*sum);
  const bool lists = (name == "list" || name == "tuple") && spelling == Spelling::plain && call.args.size() == 1 && call.keywords.empty();
  if (const Expression items = lists ? items_in_order(call.args[0]) : nullptr) return Respelled{*items, 0};
  if (name == "prod" && call.args.size() == 1 && call.args[0]->kind == SyntaxKind::list && call.keywords.empty()) return Respelled{call, 0};
  if (name == "append" && spelling == Spelling::numpy && call.args.size() > 1) return appended(call);
  if (name == "pad" || name == "constant_pad_nd") return Respelled{padding(call, spelling), 1};
  if (name == "scaled_dot_product_attention") return Respelled{attention(call), 8};
  if (name == "clip" || name == "clamp") {
    if (auto spelled = clipped(call)) return Respelled{std::move(*spelled), 1};
  }
  if (name == "full" && call.args.size() == 1 && call.keywords.size() == 1 && call.keywords[0].first == "fill_value") {
    Syntax positional = call;
    positional.args.push_back(call.keywords[0].second);
    return Respelled{filled(positional), 2};
  }
  if (!call.keywords.empty()) return std::nullopt;
  if (name == "full" && call.args.size() == 2) return Respelled{filled(call), 2};
  if (name == "index_select" && call.args.size() == 3 && is_integer(call.args[1])) return Respelled{Syntax{SyntaxKind::call, "take", {}, {call.args[0], call.args[2]}, {{"axis", call.args[1]}}, {}, span}};
  if (name == "masked_fill" && call.args.size() == 3) {
    const Expression kept = is_condition(*call.args[1]) ? opposite_of(call.args[1]) : nullptr;
    return Respelled{Syntax{SyntaxKind::call, "where", {}, kept ? std::vector<Expression>{kept, call.args[0], of(one_number_call.data(), call.args[2])} : std::vector<Expression>{as_mask(call.args[1]), of(one_number_call.data(), call.args[2]), call.args[0]}, {}, {}, span}, 3};
  }
  if (name == "where" && call.args.size() == 3 && is_torch(spelling)) return Respelled{Syntax{SyntaxKind::call, "where", {}, {as_mask(call.args[0]), call.args[1], call.args[2]}, {}, {}, span}, 1};
  if (name == "contiguous" && call.args.size() == 1 && may_be_turned(call.args[0])) return Respelled{Syntax{SyntaxKind::call, std::string(in_order_call), {}, call.args, {}, {}, span}};
  for (const auto& [function, symbol] : logical) {
    if (name == "logical_not" && name == function && call.args.size() == 1 && !is_condition(*call.args[0])) return Respelled{Syntax{SyntaxKind::call, "~", {}, {of("bool", call.args[0])}, {}, {}, span}, 1};  // of numbers, too
    if (name == function && call.args.size() == (symbol == "~" ? 1U : 2U)) return Respelled{Syntax{SyntaxKind::call, std::string(symbol), {}, call.args, {}, {}, span}};
  }
  static constexpr std::string_view infinities[] = {"'-inf'", "\"-inf\"", "'-Infinity'", "\"-Infinity\""};
  if (name == "float" && call.args.size() == 1 && call.args[0]->kind == SyntaxKind::name && is_among(call.args[0]->name, infinities)) return Respelled{minus_infinity(span), 1};
  if (const Expression rows = (name == "asarray" || name == "tensor" || name == "array" || name == "stack") && call.args.size() == 1 ? with_stacked_rows(call.args[0]) : nullptr) return Respelled{Syntax{SyntaxKind::call, "stack", {}, {rows}, {}, {}, span}, 4};
  if ((name == "asarray" || name == "tensor" || name == "array") && call.args.size() == 1 && call.args[0]->kind == SyntaxKind::comprehension) return Respelled{Syntax{SyntaxKind::call, "stack", {}, call.args, {}, {}, span}, 0};
  if ((name == "asarray" || name == "tensor") && call.args.size() == 1 && call.args[0]->kind == SyntaxKind::list) {
    Syntax list = *call.args[0];
    if (name == "tensor") list.name = list_of_numbers;
    return Respelled{Syntax{SyntaxKind::call, "array", {}, {std::make_shared<const Syntax>(std::move(list))}, {}, {}, span}, 0};
  }
  const bool of_array = (name == "array" || name == "asarray") && spelling == Spelling::numpy && call.args.size() == 1 && call.keywords.empty() && call.args[0]->kind != SyntaxKind::list;
  if (of_array) return Respelled{name == "array" ? Syntax{SyntaxKind::call, std::string(copied_call), {}, call.args, {}, {}, span} : *call.args[0], 0};
  if (name == "size" && spelling == Spelling::method && call.args.size() == 1 && call.keywords.empty()) return Respelled{Syntax{SyntaxKind::call, "shape", {}, call.args, {}, {}, span}};
  if (const Expression items = name == "len" && spelling == Spelling::plain && call.args.size() == 1 && call.args[0]->kind == SyntaxKind::list ? items_in_order(call.args[0]) : nullptr) return Respelled{*number(static_cast<std::int64_t>(items->args.size()), span)};
  const bool axis_size = name == "size" && spelling == Spelling::method && call.args.size() == 2;
  if (name == "len" && call.args.size() == 1 && is_call(call.args[0], "shape")) return Respelled{Syntax{SyntaxKind::call, "ndim", {}, call.args[0]->args, {}, {}, span}};
  if (axis_size || (name == "len" && spelling == Spelling::plain && call.args.size() == 1)) {
    Syntax entry{SyntaxKind::index, {}, {}, {of("shape", call.args[0])}, {}, {Subscript{false, axis_size ? call.args[1] : number(0, span), nullptr, nullptr}}, span};
    return Respelled{std::move(entry), 1};
  }
  const bool counts = name == "numel" || name == "nelement" || (name == "size" && has_module(spelling));
  if (counts && call.args.size() == 1) return Respelled{Syntax{SyntaxKind::call, "numel", {}, call.args, {}, {}, span}};
  if (name == "tensor" && call.args.size() == 1 && spelling == Spelling::torch) return Respelled{Syntax{SyntaxKind::call, std::string(made_tensor_call), {}, call.args, {}, {}, span}};
  if ((name == "vdot" || name == "outer") && call.args.size() == 2) {  // of two lists: NumPy flattens what has more axes
    const std::string letters = name == "vdot" ? "'i,i->'" : "'i,j->ij'";
    std::vector<Expression> operands = call.args;
    if (name == "vdot") operands[0] = node(SyntaxKind::call, {operands[0]}, "conj", span);
    return Respelled{Syntax{SyntaxKind::call, "einsum", {}, std::move(operands), {{"subscripts", node(SyntaxKind::name, {}, span, letters)}}, {}, span}};
  }
  return std::nullopt;
}

}  // namespace

bool has_keyword(const Syntax& call, std::string_view one, std::string_view other) {
  return std::any_of(call.keywords.begin(), call.keywords.end(), [&](const auto& k) { return k.first == one || k.first == other; });
}

std::optional<std::int64_t> part_count(const Expression& e) {
  if (!gives_parts(*e) || e->name == "unbind" || e->args.size() < 2) return std::nullopt;
  const Expression& how = e->args[1];
  if (how->kind == SyntaxKind::list) return static_cast<std::int64_t>(how->args.size()) + (e->name == "split" ? 0 : 1);  // the sizes, or where to cut
  return e->name != "split" && how->kind == SyntaxKind::number && how->value.is_integer() && how->value.num() <= 64 ? std::optional(how->value.num()) : std::nullopt;
}

Expression part_of(const Expression& e, std::int64_t k) {
  return std::make_shared<const Syntax>(Syntax{SyntaxKind::index, {}, {}, {e}, {}, {Subscript{false, number(k, e->span), nullptr, nullptr}}, e->span});
}

std::string layer_hint(const std::string& name, const std::string& operand) {
  return "a linear layer is written as a product: " + operand + " @ " + name + ", or " + operand + " @ " + name + ".T where the weight is stored as in PyTorch, and + b for a bias";
}

void refuse_absent(const Syntax& call) {
  const std::string_view hint = absent_hint(call.name);
  if (!hint.empty()) fail("name.unknown", "`" + call.name + "` is not part of the claim language", call.span, std::string(hint));
}

bool is_module_function(std::string_view module, std::string_view name) {
  return name != "T" && (is_module(module) || (module == "F" && (is_among(name, called_as_f) || !absent_hint(name).empty())));
}

bool is_method(std::string_view name) { return is_among(name, methods) || is_defined(name) || !absent_hint(name).empty(); }

void refuse_constant(std::string_view name, Span span) {
  static constexpr std::string_view types[] = {"bool", "int", "float", "complex"};
  if (is_among(name, types)) fail("name.constant", "`" + std::string(name) + "` is a type in Python", span, "leave it out: numbers are exact; of truth values write M.bool()");
  const std::string_view hint = constant_hint(name);
  if (!hint.empty()) fail("name.constant", "`" + std::string(name) + "` is not part of the claim language", span, std::string(hint));
}

void leave_out_last_axis(Syntax& call) {
  static constexpr std::string_view rows[] = {"softmax", "log_softmax", "softmax1"}, keeping[] = {"logsumexp", "mean"};
  const bool keeps = is_among(call.name, keeping);
  if (call.args.size() != 1 || (!keeps && !is_among(call.name, rows)) || call.keywords.size() != (keeps ? 2u : 1u)) return;
  const bool last = std::all_of(call.keywords.begin(), call.keywords.end(), [&](const auto& k) {
    if (k.first == "axis" || k.first == "dim") return k.second->kind == SyntaxKind::negate && is_number(k.second->args[0], 1);
    return (k.first == "keepdims" || k.first == "keepdim") && k.second->name == "True";
  });
  if (!last || !names_axis(call)) return;
  call.keywords.clear();
}

/// The product of positive numbers is exp of the sum of their logarithms. NumPy multiplies all entries, math.prod the rows: without an axis
/// these are the same of a vector, and of a list of numbers.
Respelled product(Syntax call, Spelling spelling) {
  const Span span = call.span;
  const bool listed = call.args[0]->kind == SyntaxKind::comprehension, along = names_axis(call) || call.args.size() > 1;
  call.name = call.name == "prod" ? "sum" : "cumsum";
  const auto logarithm = [&](const Expression& x) {
    std::vector<Expression> operands{x};
    if (listed || !along) operands.push_back(number(listed ? 0 : 1, span));  // so many axes at most
    return node(SyntaxKind::call, std::move(operands), span, "log_factor");
  };
  if (listed) {
    auto parts = std::make_shared<Syntax>(*call.args[0]);
    parts->args[0] = logarithm(parts->args[0]);
    call.args[0] = std::move(parts);
    spelling = Spelling::plain;
  } else {
    call.args[0] = logarithm(call.args[0]);
  }
  Respelled sum = respell(std::move(call), spelling);
  return {Syntax{SyntaxKind::call, "exp", {}, {std::make_shared<const Syntax>(std::move(sum.syntax))}, {}, {}, span}, sum.height + 2};
}

/// The x of list(x), tuple(x) and x.unbind(0), of which the items are those along the first axis; null for others.
Expression listed_whole(const Expression& e) {
  if (e->kind != SyntaxKind::call || e->args.empty() || e->args[0]->kind == SyntaxKind::list) return nullptr;
  const bool lists = (e->name == "list" || e->name == "tuple") && e->args.size() == 1 && e->keywords.empty();
  const bool first = e->args.size() == 2 ? is_number(e->args[1], 0) && e->keywords.empty() : e->keywords.empty() || (e->keywords.size() == 1 && names_axis(*e) && is_number(e->keywords[0].second, 0));
  return lists || (e->name == "unbind" && e->args.size() < 3 && first) ? e->args[0] : nullptr;
}

/// Refuses xp.sum(A, axis=1) and xp.exp(A), which are no methods of a tensor xp: what is behind a name that nobody imports is not known.
void refuse_unknown_module(const Syntax& call) {
  static constexpr std::string_view reduces[] = {"sum", "mean", "max", "min", "prod", "cumsum", "softmax", "log_softmax", "logsumexp"}, of_entries[] = {"exp", "log", "sqrt", "rsqrt", "abs", "erf", "sin", "cos", "tanh", "sigmoid", "relu", "square", "trace"};
  const bool unary = is_among(call.name, of_entries), takes_axis = is_among(call.name, reduces) && names_axis(call);
  if (call.args.size() < 2 || call.args[0]->kind != SyntaxKind::name || (!unary && !takes_axis)) return;
  const std::string module = call.args[0]->name.substr(0, 40);
  fail("name.unknown", "unknown module `" + module + "`", call.args[0]->span, "import it, as in import numpy as " + module + " or import torch as " + module);
}

Respelled respell(Syntax call, Spelling spelling) {
  const Span span = call.span;
  if (spelling == Spelling::method) refuse_unknown_module(call);
  const bool of_numbers = !call.args.empty() && call.args[0]->kind != SyntaxKind::list && (call.args[0]->kind != SyntaxKind::comprehension || call.keywords.empty());
  if (of_numbers && (call.name == "prod" || call.name == "cumprod")) return product(std::move(call), spelling);
  read_keepdims(call, spelling);
  const Pairs pairs = gives_pairs(call, spelling);
  if (call.name == "amax" || call.name == "amin") call.name = call.name.substr(1);
  if (call.name == "inverse") call.name = "inv";
  static constexpr std::string_view synonyms[] = {"clamp", "swish", "absolute", "absv", "tr", "identity"};  // of which nothing else depends on the spelling
  if (is_among(call.name, synonyms)) call.name = operator_info(find_operator(call.name)).name;  // what is read off names has one to look for
  if (auto known = composed(call, spelling)) return std::move(*known);
  if (auto known = defined(call, spelling)) return std::move(*known);
  refuse_absent(call);
  for (const auto& [name, kind] : infix) {
    if (call.name != name) continue;
    if (call.args.size() != 2 || !call.keywords.empty()) fail("call.arguments", "`" + call.name + "` joins two operands", span);
    const bool of_vectors = call.name == "dot" && is_torch(spelling);  // NumPy's takes more
    const std::string spelled = of_vectors ? std::string(torch_dot) : is_among(call.name, factors_known) ? call.name : "";
    return {Syntax{kind, spelled, {}, std::move(call.args), {}, {}, span}};
  }
  if (call.name == "square" && call.args.size() == 1) {
    call.args.push_back(number(2, span));
    return {Syntax{SyntaxKind::power, {}, {}, std::move(call.args), {}, {}, span}};
  }
  if (call.name == "inner" && call.args.size() == 2) {
    call.args[1] = node(SyntaxKind::transpose, {call.args[1]}, call.args[1]->span);
    return {Syntax{SyntaxKind::matmul, "inner", {}, std::move(call.args), {}, {}, span}, 1};
  }
  if (call.name == "t" && spelling == Spelling::method && call.args.size() == 1) return {Syntax{SyntaxKind::transpose, std::string(torch_t), {}, std::move(call.args), {}, {}, span}};
  if (call.name == "multi_dot" && call.args.size() == 1 && call.args[0]->kind == SyntaxKind::list && call.args[0]->args.size() > 1) {
    const std::vector<Expression> factors = call.args[0]->args;
    Expression left = factors[0];
    for (std::size_t k = 1; k + 1 < factors.size(); ++k) left = node(SyntaxKind::matmul, {left, factors[k]}, span);
    return {Syntax{SyntaxKind::matmul, {}, {}, {left, factors.back()}, {}, {}, span}, static_cast<int>(factors.size())};
  }
  if (call.name == "einsum" && call.args.size() > 1 && is_quoted(call.args.back()) && call.keywords.empty()) {
    if (const auto letters = in_letters(call.args.back())) {
      call.args.pop_back();
      call.args.insert(call.args.begin(), *letters);
    }
  }
  if (call.name == "einsum") {  // the subscripts are no operand
    const bool quoted = !call.args.empty() && is_quoted(call.args[0]);
    std::erase_if(call.keywords, [](const auto& k) { return k.first == "optimize"; });  // in which order it multiplies
    if (call.args.size() == 2 && call.args[1]->kind == SyntaxKind::list) {
      const Expression operands = call.args[1];
      call.args.pop_back();
      call.args.insert(call.args.end(), operands->args.begin(), operands->args.end());
    }
    if (!quoted || call.args.size() < 2 || !call.keywords.empty()) fail("call.arguments", "einsum takes subscripts in quotes and then tensors", span, "write einsum('nd,dk->nk', X, W)");
    call.keywords.emplace_back("subscripts", call.args[0]);
    call.args.erase(call.args.begin());
    return {std::move(call)};
  }
  if (auto sums = over_axes(call, spelling)) return std::move(*sums);
  if (auto turned = flipped(call, spelling)) return std::move(*turned);
  read_parts(call, spelling);
  if (auto apart = repeated(call, spelling)) return std::move(*apart);
  if (call.name == "view") {
    call.name = "reshape";
    if (spelling == Spelling::method && may_be_turned(call.args[0])) call.args[0] = node(SyntaxKind::call, {call.args[0]}, call.args[0]->span, std::string(view_call));
  }
  if ((call.name == "flipud" || call.name == "fliplr") && call.args.size() == 1 && call.keywords.empty()) {
    call.keywords.emplace_back("axis", number(call.name == "flipud" ? 0 : 1, span));
    call.name = "flip";
  }
  if (call.name == "transpose" && spelling != Spelling::plain) exchange_axes(call, spelling);
  positional_axis(call, spelling);
  if ((call.name == "max" || call.name == "min") && call.args.size() == 2 && (is_torch(spelling) || spelling == Spelling::method)) call.name += "imum";  // torch.max(a, b)
  if (has_module(spelling) && call.name == "diag" && call.args.size() == 1 && call.keywords.empty()) call.name = "np.diag";
  if (spelling == Spelling::functional && (call.name == "softmax" || call.name == "log_softmax") && !names_axis(call)) call.keywords.emplace_back("axis", node(SyntaxKind::name, {}, span, "implicit"));
  positional_diagonal(call);
  if (spelling != Spelling::plain && (call.name == "mean" || call.name == "max" || call.name == "min") && call.args.size() == 1 && !names_axis(call)) call.keywords.emplace_back("axis", node(SyntaxKind::name, {}, span, "None"));
  if (spelling != Spelling::plain && call.name == "cumsum" && !names_axis(call)) call.keywords.emplace_back("axis", node(SyntaxKind::name, {}, span, "None"));
  if (spelling != Spelling::plain && is_among(call.name, reductions) && names_axis(call) && !has_keyword(call, "keepdims", "keepdim")) {
    call.keywords.emplace_back("keepdims", node(SyntaxKind::name, {}, span, "False"));
  }
  const bool joining = call.name == "concatenate" || call.name == "cat" || call.name == "concat" || call.name == "stack" || call.name == "hstack" || call.name == "vstack" || call.name == "column_stack";
  if (const auto count = joining && call.args.size() == 1 ? part_count(call.args[0]) : std::nullopt) {  // cat(chunk(x, 3, dim=-1), dim=-1)
    std::vector<Expression> parts;
    for (std::int64_t k = 0; k < *count; ++k) parts.push_back(part_of(call.args[0], k));
    call.args[0] = node(SyntaxKind::list, std::move(parts), call.args[0]->span);
  }
  if (const Expression whole = joining && !call.args.empty() ? listed_whole(call.args[0]) : nullptr) call.args[0] = whole->kind == SyntaxKind::comprehension ? whole : along_first_axis(whole);
  const bool joined = joining && call.name != "stack" && call.args.size() == 1 && call.args[0]->kind != SyntaxKind::list && call.args[0]->kind != SyntaxKind::comprehension;
  if (joined) call.args[0] = along_first_axis(call.args[0]);
  // Spelled as in NumPy, a list is joined along NumPy's default axis.
  const bool joins = call.name == "concatenate" || call.name == "cat" || (call.name == "concat" && has_module(spelling));
  const bool parts = call.args.size() == 1 && (call.args[0]->kind == SyntaxKind::list || call.args[0]->kind == SyntaxKind::comprehension);
  if (spelling != Spelling::plain && call.name == "sum" && parts && !names_axis(call)) fail("call.axis", "NumPy's `sum` of a list is the sum of all entries of all parts", call.span, "write sum(... for ...) to add the parts up");
  if (spelling != Spelling::plain && call.name == "take" && !names_axis(call) && call.args.size() == 2) fail("call.axis", "NumPy's `take` without an axis counts all entries in one row", call.span, "write take(X, t, axis=0), or X[t]");
  if (joins && parts && !names_axis(call)) call.keywords.emplace_back("axis", number(0, span));
  leave_out_last_axis(call);
  static constexpr std::string_view others[] = {"logsumexp", "rms_norm", "layer_norm", "leaky"};  // what was spelled so by libraries is read by then
  if (is_among(call.name, others) && call.keywords.empty()) call.name = operator_info(find_operator(call.name)).name;
  return {std::move(call), 0, pairs};
}

}  // namespace foldproof::read
