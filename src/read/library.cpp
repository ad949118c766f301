// SPDX-License-Identifier: MIT
#include "read/library.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "expr/build.hpp"
#include "read/kinds.hpp"
#include "read/own_functions.hpp"
#include "read/parse.hpp"
#include "read/parser.hpp"
#include "read/stated_shapes.hpp"

namespace foldproof::read {
namespace {

struct LibraryFunction {
  std::string_view name;
  std::string_view parameters;  ///< in order, with defaults: "x, alpha=1"; *alpha is given by name only
  std::string_view body;        ///< in the claim language, where np. and torch. have the library's own defaults
};

/// Several of one name: the first whose parameters fit the call.
constexpr LibraryFunction definitions[] = {
    {"log1p", "x", "log(1 + x)"},
    {"expm1", "x", "exp(x) - 1"},
    {"log2", "x", "log(x) / log(2)"},
    {"log10", "x", "log(x) / log(10)"},
    {"rsub", "x, other", "other - x"},
    {"cosh", "x", "(exp(x) + exp(-x)) / 2"},
    {"sinh", "x", "(exp(x) - exp(-x)) / 2"},
    {"logaddexp", "x, y", "log(exp(x) + exp(y))"},
    {"reciprocal", "x", "1 / x"},
    {"sign", "x", "(x > 0) * 1 - (x < 0) * 1"},
    {"sgn", "x", "(x > 0) * 1 - (x < 0) * 1"},
    {"heaviside", "x, values", "(x > 0) * 1 + values * (x == 0)"},
    {"greater", "x, y", "(x > y)"},
    {"greater_equal", "x, y", "(x >= y)"},
    {"less", "x, y", "(x < y)"},
    {"less_equal", "x, y", "(x <= y)"},
    {"not_equal", "x, y", "(x != y)"},
    {"gt", "x, other", "(x > other)"},
    {"ge", "x, other", "(x >= other)"},
    {"lt", "x, other", "(x < other)"},
    {"le", "x, other", "(x <= other)"},
    {"ne", "x, other", "(x != other)"},
    {"eq", "x, other", "(x == other)"},
    {"neg", "x", "-x"},
    {"negative", "x", "-x"},
    {"mul", "x, other", "x * other"},
    {"add", "x, other, *alpha", "x + alpha * other"},
    {"sub", "x, other", "x - other"},
    {"sub", "x, other, *alpha", "x - alpha * other"},
    {"div", "x, other", "x / other"},
    {"contiguous", "x", "x"},
    {"detach", "x", "x"},
    {"clone", "x", "copied(x)"},
    {"copy", "x", "copied(x)"},
    {"double", "x", "x"},
    {"item", "x", "x"},
    {"cpu", "x", "x"},
    {"cuda", "x", "x"},
    {"numpy", "x", "x"},
    {"type_as", "x, y", "typed(x, y)"},
    {"diff", "x", "x[..., 1:] - x[..., :-1]"},
    {"expit", "x", "sigmoid(x)"},
    {"logit", "x", "log(x / (1 - x))"},
    {"xlogy", "x, y", "x * log(y)"},
    {"matrix_rank", "x", "rank(x)"},
    {"solve", "a, b", "inv(a) @ b"},
    {"addmm", "input, x, y", "input + torch.mm(x, y)"},
    {"addmm", "input, x, y, beta=1, alpha=1", "beta * input + alpha * torch.mm(x, y)"},
    {"addmv", "input, mat, vec", "input + torch.mv(mat, vec)"},
    {"addmv", "input, mat, vec, *beta=1, *alpha=1", "beta * input + alpha * torch.mv(mat, vec)"},
    {"addr", "input, vec1, vec2", "input + torch.outer(vec1, vec2)"},
    {"addr", "input, vec1, vec2, *beta=1, *alpha=1", "beta * input + alpha * torch.outer(vec1, vec2)"},
    {"addcmul", "input, tensor1, tensor2", "input + tensor1 * tensor2"},
    {"addcmul", "input, tensor1, tensor2, *value", "input + value * tensor1 * tensor2"},
    {"addcdiv", "input, tensor1, tensor2", "input + tensor1 / tensor2"},
    {"addcdiv", "input, tensor1, tensor2, *value", "input + value * tensor1 / tensor2"},
    {"hypot", "x, y", "sqrt(x**2 + y**2)"},
    {"diag_embed", "x", "of_vector(x, np.diag(x))"},
    {"add.outer", "x, y", "of_vector(x, of_vector(y, x[:, None] + y[None, :]))"},
    {"subtract.outer", "x, y", "of_vector(x, of_vector(y, x[:, None] - y[None, :]))"},
    {"multiply.outer", "x, y", "of_vector(x, of_vector(y, x[:, None] * y[None, :]))"},
    {"divide.outer", "x, y", "of_vector(x, of_vector(y, x[:, None] / y[None, :]))"},
    {"maximum.outer", "x, y", "of_vector(x, of_vector(y, maximum(x[:, None], y[None, :])))"},
    {"minimum.outer", "x, y", "of_vector(x, of_vector(y, minimum(x[:, None], y[None, :])))"},
    {"baddbmm", "input, x, y", "input + torch.bmm(x, y)"},
    {"baddbmm", "input, x, y, beta=1, alpha=1", "beta * input + alpha * torch.bmm(x, y)"},
    {"linear", "input, weight", "input @ weight.t()"},
    {"linear", "input, weight, bias", "input @ weight.t() + bias"},
    {"embedding", "input, weight", "weight[input]"},
    {"one_hot", "input, num_classes", "onehot(input, num_classes)"},
    {"average", "x, axis", "np.mean(x, axis=axis)"},
    {"average", "x", "np.mean(x)"},
    {"average", "x, *weights", "np.sum(shaped(weights, shape(x)) * x) / np.sum(weights)"},
    {"ones_like", "x", "0 * x + 1"},
    {"zeros_like", "x", "0 * x"},
    {"full_like", "x, fill_value", "0 * x + fill_value"},
    {"expand_as", "x, y", "x + 0 * y"},
    {"broadcast_to", "x, shape", "x + zeros(shape)"},
    {"tri", "n", "tril(ones(n, n))"},
    {"tri", "n, m", "tril(ones(n, m))"},
    {"tri", "n, *k", "tril(ones(n, n), k)"},
    {"tri", "n, m, k", "tril(ones(n, m), k)"},
    {"arange", "start, end", "arange(end - start) + start"},
    {"flatten", "x", "reshape(x, -1)"},
    {"ravel", "x", "reshape(x, -1)"},
    {"logsigmoid", "x", "log(sigmoid(x))"},
    {"softmin", "x, axis", "softmax(-x, axis=axis)"},
    {"elu", "x, alpha", "relu(x) + alpha * (exp(minimum(x, 0)) - 1)"},
    {"clamp_min", "x, min", "maximum(x, min)"},
    {"clamp_max", "x, max", "minimum(x, max)"},
    {"leaky_relu", "x, negative_slope", "relu(x) - negative_slope * relu(-x)"},
    {"softplus", "x, beta", "log(1 + exp(beta * x)) / beta"},
    {"hardtanh", "x, min_val=-1, max_val=1", "clip(x, min_val, max_val)"},
    {"relu6", "x", "clip(x, 0, 6)"},
    {"hardsigmoid", "x", "clip(x / 6 + 1 / 2, 0, 1)"},
    {"hardswish", "x", "x * clip(x + 3, 0, 6) / 6"},
    {"softsign", "x", "x / (1 + abs(x))"},
    {"tanhshrink", "x", "x - tanh(x)"},
    {"mish", "x", "x * tanh(softplus(x))"},
    {"glu", "x, axis=-1", "chunk(x, 2, axis=axis)[0] * sigmoid(chunk(x, 2, axis=axis)[1])"},
    {"cosine_similarity", "x, y, axis=1", "np.sum(x * y, axis=axis) / (sqrt(np.sum(x * x, axis=axis)) * sqrt(np.sum(y * y, axis=axis)))"},
    {"blockrot", "a, b", "kron(diag(a), eye(2)) + kron(diag(b), [[0, 1], [-1, 0]])"},
    {"diagpart", "x", "diagonal(x)"},
    {"eye", "n, *k", "where(offsets(n, n) == k, 1, 0)"},
    {"block_diag", "a, b", "blockdiag(a, b)"},
    {"block_diag", "a, b, c", "blockdiag(blockdiag(a, b), c)"},
    {"lerp", "input, end, weight", "input + weight * (end - input)"},
    {"swiglu", "x, W, V", "silu(x @ W) * (x @ V)"},
    {"geglu", "x, W, V", "gelu(x @ W) * (x @ V)"},
    {"cdist", "x, y", "sqrt(rowsum(x * x) - 2 * x @ y.mT + rowsum(y * y).mT)"},
};

bool is_none(const Expression& e) { return e->kind == SyntaxKind::name && e->name == "None"; }

/// PyTorch calls an axis `dim`, and what is left out is sometimes given as None.
std::string parameter_of(const std::string& keyword) { return keyword == "dim" ? "axis" : keyword; }
bool says_nothing(const std::pair<std::string, Expression>& keyword) {
  return is_none(keyword.second) || (keyword.first == "inplace" && keyword.second->kind == SyntaxKind::name);
}

using Values = std::map<std::string, Expression>;

/// What each parameter stands for in the call; nothing where they do not fit.
std::optional<Values> bound(std::string_view parameters, const Syntax& call) {
  Values values;
  std::size_t position = 0, begin = 0;
  std::vector<std::string> names;
  while (begin < parameters.size()) {
    const std::size_t end = std::min(parameters.find(", ", begin), parameters.size());
    std::string_view parameter = parameters.substr(begin, end - begin);
    const bool by_name = parameter[0] == '*';
    if (by_name) parameter.remove_prefix(1);
    const std::size_t equals = parameter.find('=');
    const std::string name(parameter.substr(0, equals));
    names.push_back(name);
    const auto keyword = std::find_if(call.keywords.begin(), call.keywords.end(), [&](const auto& k) { return parameter_of(k.first) == name && !says_nothing(k); });
    if (!by_name && position < call.args.size()) {
      values[name] = call.args[position++];
    } else if (keyword != call.keywords.end()) {
      values[name] = keyword->second;
    } else if (equals != std::string_view::npos) {
      values[name] = parse_expression(parameter.substr(equals + 1));
    } else {
      return std::nullopt;
    }
    begin = end + 2;
  }
  const auto is_known = [&](const auto& k) { return says_nothing(k) || std::find(names.begin(), names.end(), parameter_of(k.first)) != names.end(); };
  const bool fits = position == call.args.size() && std::all_of(call.keywords.begin(), call.keywords.end(), is_known);
  return fits ? std::optional(values) : std::nullopt;
}

/// The body with values for its parameters, in the place of the call.
Expression filled_in(const Expression& e, const Values& values, Span span) {
  if (!e) return e;
  if (e->kind == SyntaxKind::name) {
    const auto value = values.find(e->name);
    if (value != values.end()) return value->second;
  }
  auto copy = std::make_shared<Syntax>(*e);
  copy->span = span;
  for (Expression& a : copy->args) a = filled_in(a, values, span);
  for (auto& keyword : copy->keywords) keyword.second = filled_in(keyword.second, values, span);
  for (Subscript& s : copy->subscripts) {
    s.start = filled_in(s.start, values, span);
    s.stop = filled_in(s.stop, values, span);
    s.step = filled_in(s.step, values, span);
  }
  if (copy->kind == SyntaxKind::call) leave_out_last_axis(*copy);
  return copy;
}

int height(const Expression& e) {
  int most = 0;
  for (const Expression& a : e->args) most = std::max(most, height(a));
  for (const auto& keyword : e->keywords) most = std::max(most, height(keyword.second));
  return most + 1;
}

Respelled written(std::string_view text, const Values& values, Span span) {
  const Expression body = parse_expression(text);
  return {*filled_in(body, values, span), height(body)};
}

/// The value of the first of these keywords that has one other than None; null where none has.
Expression keyword(const Syntax& call, std::initializer_list<std::string_view> names) {
  for (const std::string_view name : names) {
    for (const auto& k : call.keywords) {
      if (parameter_of(k.first) == name && !is_none(k.second)) return k.second;
    }
  }
  return nullptr;
}

/// The value of a keyword, or of the argument at that place; null where it is not given, or None.
Expression given(const Syntax& call, std::size_t place, std::initializer_list<std::string_view> names) {
  const Expression named = keyword(call, names);
  return named || place >= call.args.size() || is_none(call.args[place]) ? named : call.args[place];
}

/// Whether the axis that is summed over stays.
bool keeps_axis(const Syntax& call) {
  const Expression kept = keyword(call, {"keepdim", "keepdims"});
  return kept && kept->name == "True";
}

bool knows_keywords(const Syntax& call, std::initializer_list<std::string_view> names) {
  return std::all_of(call.keywords.begin(), call.keywords.end(), [&](const auto& k) { return std::find(names.begin(), names.end(), parameter_of(k.first)) != names.end(); });
}

bool is_shape(const Expression& e) { return e->kind == SyntaxKind::call && (e->name == "shape" || e->name == "size"); }

/// (d,), d, x.shape[-1] and x.shape[-1:], but not x.shape or x.shape[1:], which are several sizes.
bool is_one_size(const Expression& shape) {
  if (shape->kind == SyntaxKind::list) return shape->args.size() == 1 && is_one_size(shape->args[0]);
  if (shape->kind != SyntaxKind::index || !is_shape(shape->args[0]) || shape->subscripts.size() != 1) return !is_shape(shape);
  const Subscript& s = shape->subscripts[0];
  return !s.slice || (s.start && !s.stop && !s.step && s.start->kind == SyntaxKind::negate && is_number(s.start->args[0], 1));
}

/// x.shape[0]
Expression first_size(const Expression& shape) {
  auto first = std::make_shared<Syntax>(*node(SyntaxKind::index, {shape}, {}, shape->span));
  first->subscripts.push_back({.slice = false, .start = number(0, shape->span), .stop = nullptr, .step = nullptr});
  return first;
}

/// PyTorch's norms over the last axis, of which the second argument is the size: gain, bias and epsilon follow.
std::optional<Respelled> norm_with_gain(const Syntax& call, Spelling spelling) {
  const bool centred = call.name == "layer_norm";
  if ((!centred && call.name != "rms_norm") || call.args.empty() || !knows_keywords(call, {"normalized_shape", "weight", "bias", "eps"})) return std::nullopt;
  const Expression shape = given(call, 1, {"normalized_shape"}), gain = given(call, 2, {"weight"});
  const Expression bias = centred ? given(call, 3, {"bias"}) : nullptr, eps = given(call, centred ? 4 : 3, {"eps"});
  if (!shape) {
    if (spelling == Spelling::plain || !eps) return std::nullopt;
    return written(centred ? "layernorm(x, eps)" : "rmsnorm(x, eps)", {{"x", call.args[0]}, {"eps", eps}}, call.span);
  }
  if (spelling == Spelling::plain && shape->kind != SyntaxKind::list) return std::nullopt;  // layernorm(x, eps)
  const bool of_vector = is_shape(shape) && shape->args.size() == 1 && gain && expr::same(shape->args[0], gain);  // weight.shape of the weight itself, which must be a vector then
  if (!of_vector && !is_one_size(shape)) fail("call.arguments", "norms are taken over the last axis here", shape->span, "write (d,) for the shape");
  std::string body = centred ? "layernorm(x, eps)" : eps ? "rmsnorm(x, eps)" : "rmsnorm(x)";
  if (gain) body += " * gain";
  if (bias) body += " + bias";
  Values values{{"x", node(SyntaxKind::call, {call.args[0], of_vector ? first_size(shape) : shape}, std::string(sized_call), call.span)}, {"eps", eps ? eps : parse_expression("1e-5")}};
  if (gain) values["gain"] = of_vector ? node(SyntaxKind::call, {gain, number(1, gain->span)}, std::string(shaped_call), gain->span) : gain;
  if (bias) values["bias"] = bias;
  return written(body, values, call.span);
}

/// Mean of squared deviations. NumPy divides by the number of entries, PyTorch by one less unless it is told otherwise: a method may be either's.
std::optional<Respelled> variance(const Syntax& call, Spelling spelling) {
  if ((call.name != "var" && call.name != "std") || call.args.empty() || call.args.size() > 2 || !knows_keywords(call, {"axis", "keepdim", "keepdims", "unbiased", "correction", "ddof"})) return std::nullopt;
  const Expression axis = given(call, 1, {"axis"}), unbiased = keyword(call, {"unbiased"}), correction = keyword(call, {"correction", "ddof"});
  const bool of_tensor = spelling == Spelling::method && has_keyword(call, "dim", "keepdim"), is_numpy = spelling == Spelling::method && !of_tensor && has_keyword(call, "axis", "keepdims");  // PyTorch takes NumPy's names, too
  const bool by_default = !unbiased && !correction;
  const bool whole = (unbiased && unbiased->name == "False") || (correction && is_number(correction, 0)) || (by_default && (spelling == Spelling::numpy || is_numpy));
  const bool less_one = (unbiased && unbiased->name == "True") || (correction && is_number(correction, 1)) || (by_default && (is_torch(spelling) || of_tensor));
  if (by_default && !axis && call.keywords.empty() && spelling == Spelling::plain) return written(call.name == "var" ? "mean((x - mean(x))**2)" : "sqrt(mean((x - mean(x))**2))", {{"x", call.args[0]}}, call.span);  // as the language's own mean
  if (!whole && !less_one) fail("call.arguments", "NumPy's `" + call.name + "` divides by the number of entries, PyTorch's by one less", call.span, "say which: unbiased=False or ddof=0 divides by n, unbiased=True or ddof=1 by n - 1");
  if (!axis && whole && spelling == Spelling::numpy && !keeps_axis(call)) {
    const std::string all = "np.mean((x - np.mean(x))**2)";
    return written(call.name == "var" ? all : "sqrt(" + all + ")", {{"x", call.args[0]}}, call.span);
  }
  if (!axis && less_one && spelling != Spelling::plain && !keeps_axis(call)) {
    const std::string all = "np.sum((x - np.mean(x))**2) / (numel(x) - 1)";
    return written(call.name == "var" ? all : "sqrt(" + all + ")", {{"x", call.args[0]}}, call.span);
  }
  if (!axis || spelling == Spelling::plain) return std::nullopt;
  const std::string keeps = keeps_axis(call) ? "True" : "False";
  const std::string squares = "(x - np.mean(x, axis=axis, keepdims=True))**2";
  const std::string body = whole ? "np.mean(" + squares + ", axis=axis, keepdims=" + keeps + ")" : "np.sum(" + squares + ", axis=axis, keepdims=" + keeps + ") / (shape(x)[axis] - 1)";
  return written(call.name == "var" ? body : "sqrt(" + body + ")", {{"x", call.args[0]}, {"axis", axis}}, call.span);
}

/// Norms of all entries, or along an axis: roots of sums of squares, sums of absolute values, the largest of them.
std::optional<Respelled> vector_norm(const Syntax& call, Spelling spelling) {
  if (call.name != "norm" || call.args.empty() || call.args.size() > 3 || !knows_keywords(call, {"p", "ord", "axis", "keepdim", "keepdims"})) return std::nullopt;
  const Expression order = given(call, 1, {"p", "ord"}), axis = given(call, 2, {"axis"});
  const std::string library = spelling == Spelling::plain ? "" : "np.", keeps = keeps_axis(call) ? ", keepdims=True" : "";
  const std::string along = axis ? ", axis=axis" + keeps : "";
  const bool frobenius = order && order->kind == SyntaxKind::name && (order->name == "'fro'" || order->name == "\"fro\"");
  const Values values{{"x", call.args[0]}, {"axis", axis}};
  if (!order || frobenius || (axis && is_number(order, 2))) return written("sqrt(" + library + "sum(x * x" + along + "))", values, call.span);
  const bool of_entries = !axis && (spelling == Spelling::method || keyword(call, {"p"}));  // PyTorch's norm, of all entries also where they are a matrix
  if (of_entries && is_number(order, 2)) return written("sqrt(sum(x * x))", values, call.span);
  if (of_entries && is_number(order, 1)) return written("sum(abs(x))", values, call.span);
  if (axis && is_number(order, 1)) return written(library + "sum(abs(x)" + along + ")", values, call.span);
  const bool largest = order->kind == SyntaxKind::name && order->name == "inf";
  if (axis && largest) return written(library + "max(abs(x)" + along + ")", values, call.span);
  if (!axis && is_number(order, 1)) return written("of_vector(x, sum(abs(x)))", values, call.span);  // of a matrix it is another norm
  if (!axis && is_number(order, 2)) return written("of_vector(x, sqrt(sum(x * x)))", values, call.span);
  if (!axis && largest && call.keywords.empty()) return written("of_vector(x, max(abs(x)))", values, call.span);
  fail("call.arguments", "norms of this order are not part of the claim language", call.span, "write sqrt(sum(x * x)), sum(abs(x)) or max(abs(x)); along an axis say axis=");
}

/// x / norm of x: along axis 1 in PyTorch, unless it is told otherwise.
std::optional<Respelled> normalized(const Syntax& call, Spelling spelling) {
  if (call.name != "normalize" || call.args.empty() || call.args.size() > 3 || !knows_keywords(call, {"p", "axis", "eps"})) return std::nullopt;
  const Expression order = given(call, 1, {"p"}), axis = given(call, 2, {"axis"}), least = keyword(call, {"eps"});
  const bool squares = !order || is_number(order, 2);
  if (!squares && !is_number(order, 1)) fail("call.arguments", "normalize divides by the sum of squares or of absolute values", order->span, "p=2 or p=1");
  const std::string along = std::string("axis=") + (axis ? "axis" : spelling == Spelling::plain ? "-1" : "1");
  const std::string norm = squares ? "sqrt(np.sum(x * x, " + along + ", keepdims=True))" : "np.sum(abs(x), " + along + ", keepdims=True)";
  const Values values{{"x", call.args[0]}, {"axis", axis}, {"least", least}};
  if (least && !is_number(least, 0)) return written("x / maximum(" + norm + ", least)", values, call.span);  // PyTorch's default, 1e-12, is for rows of zeros
  return written(squares ? "l2norm(x, " + along + ")" : "x / " + norm, values, call.span);
}

/// PyTorch's losses by what they are of a row or an entry. Classes are on axis 1, whatever comes behind it.
struct Loss {
  std::string_view name;
  std::string_view term;
  std::string_view keyword = {};  ///< what it takes beside `reduction`, and then is of a row or an entry
  std::string_view with_keyword = {};
};
constexpr Loss losses[] = {
    {"cross_entropy", "-np.sum(class_targets(y, x) * log_softmax(np.moveaxis(x, 1, -1)), axis=-1)", "label_smoothing", "-np.sum(((1 - option) * class_targets(y, x) + option / shape(x)[1]) * log_softmax(np.moveaxis(x, 1, -1)), axis=-1)"},
    {"nll_loss", "-np.sum(shaped(onehot(y, shape(x)[1]), shape(np.moveaxis(x, 1, -1))) * np.moveaxis(x, 1, -1), axis=-1)"},
    {"mse_loss", "(x - y)**2"},
    {"l1_loss", "abs(x - y)"},
    {"kl_div", "y * (log(y) - x)", "log_target", "exp(y) * (y - x)"},
    {"binary_cross_entropy", "-(y * log(x) + (1 - y) * log(1 - x))"},
    {"binary_cross_entropy_with_logits", "softplus(x) - x * y"},
};

/// Their mean, unless the call asks for their sum or for themselves.
std::optional<Respelled> loss(const Syntax& call) {
  const auto known = std::find_if(std::begin(losses), std::end(losses), [&](const Loss& l) { return l.name == call.name; });
  const Expression ignored = keyword(call, {"ignore_index"});  // nanoGPT's -1: no token has a number below 0
  const bool none_ignored = ignored && call.name == "cross_entropy" && ignored->kind == SyntaxKind::negate && ignored->args[0]->kind == SyntaxKind::number;
  if (known == std::end(losses) || call.args.size() != 2 || !knows_keywords(call, {"reduction", known->keyword, none_ignored ? "ignore_index" : known->keyword})) return std::nullopt;
  const Expression how = keyword(call, {"reduction"}), option = known->keyword.empty() ? nullptr : keyword(call, {known->keyword});
  const std::string each(option && option->name != "False" ? known->with_keyword : known->term);
  const std::string word = !how ? "mean" : is_quoted(how) ? how->name.substr(1, how->name.size() - 2) : "";
  const Values values{{"x", call.args[0]}, {"y", call.args[1]}, {"option", option}};
  if (word == "none") return written(each, values, call.span);
  if (word == "sum" || word == "mean") return written("np." + word + "(" + each + ")", values, call.span);
  if (word == "batchmean" && call.name == "kl_div") return written("np.sum(" + each + ") / shape(x)[0]", values, call.span);
  fail("call.keyword", "reduction is 'none', 'sum' or 'mean'", how->span, "write reduction='mean' or leave it out");
}

/// arange(a, b, 2), and arange(a, b, -1)
std::optional<Respelled> stepped(const Syntax& call) {
  if (call.name != "arange" || call.args.size() != 3 || !call.keywords.empty()) return std::nullopt;
  const bool down = call.args[2]->kind == SyntaxKind::negate;
  const Expression& step = down ? call.args[2]->args[0] : call.args[2];
  if (step->kind != SyntaxKind::number || !step->value.is_integer() || step->value.sign() <= 0) fail("call.arguments", "the step of arange is a whole number here, and not 0", step->span, "write k * np.arange(n) for every k-th, np.arange(n) / 10 for steps of 0.1");
  const Values values{{"start", call.args[0]}, {"end", call.args[1]}, {"step", step}};
  if (down) return written(is_number(step, 1) ? "start - arange(start - end)" : "start - step * arange((start - end + step - 1) // step)", values, call.span);
  return written(is_number(step, 1) ? "arange(end - start) + start" : "step * arange((end - start + step - 1) // step) + start", values, call.span);
}

/// z.gather(1, t[:, None]) and z.gather(-1, t.unsqueeze(-1)): of each row the entry at its place, as a column. Of another axis or other places nothing.
std::optional<Respelled> gathered_along_rows(const Syntax& call) {
  if (call.name != "gather" || call.args.size() + call.keywords.size() != 3) return std::nullopt;
  const Expression axis = call.args.size() > 1 ? call.args[1] : keyword(call, {"dim"}), index = call.args.size() > 2 ? call.args[2] : keyword(call, {"index"});
  const bool last = axis && (is_number(axis, 1) || (axis->kind == SyntaxKind::negate && is_number(axis->args[0], 1)));
  if (!last || !index) return std::nullopt;
  if (index->kind != SyntaxKind::index || index->subscripts.size() != 2 || !is_new_axis(index->subscripts[1])) return std::nullopt;  // unsqueeze is written so by then
  const Subscript& rest = index->subscripts[0];
  if (is_ellipsis(rest)) return written("np.sum(z * one_hot(t, shape(z)[-1]), axis=-1, keepdims=True)", {{"z", call.args[0]}, {"t", index->args[0]}}, call.span);
  if (!rest.slice || rest.start || rest.stop) return std::nullopt;
  return written("z[arange(shape(z)[0]), t][:, None]", {{"z", call.args[0]}, {"t", index->args[0]}}, call.span);
}

/// The token numbers 0 .. n-1, each one-hot, are the identity.
std::optional<Respelled> every_token(const Syntax& call) {
  if ((call.name != "onehot" && call.name != "one_hot") || call.args.size() != 2 || !call.keywords.empty()) return std::nullopt;
  const Expression& tokens = call.args[0];
  const bool all = tokens->kind == SyntaxKind::call && tokens->name == "arange" && tokens->args.size() == 1 && same(tokens->args[0], call.args[1]);
  return all ? std::optional(written("eye(n)", {{"n", call.args[1]}}, call.span)) : std::nullopt;
}

/// np.take(x, [2, 0], axis=1), and take(x, -1, axis=0): x[:, [2, 0]], and x[-1].
std::optional<Respelled> taken(const Syntax& call, Spelling spelling) {
  const Expression axis = keyword(call, {"axis"});
  if (call.name != "take" || call.args.size() != 2 || !knows_keywords(call, {"axis"}) || (!axis && spelling != Spelling::plain)) return std::nullopt;
  const auto is_place = [](const Expression& e) { return (e->kind == SyntaxKind::negate ? e->args[0] : e)->kind == SyntaxKind::number; };
  const Expression& places = call.args[1];
  const bool all = places->kind == SyntaxKind::list ? std::all_of(places->args.begin(), places->args.end(), is_place) : is_place(places);
  const Expression digits = axis && axis->kind == SyntaxKind::negate ? axis->args[0] : axis;
  if (!all || (axis && (digits->kind != SyntaxKind::number || !digits->value.is_integer() || digits->value.num() > 8))) return std::nullopt;
  const std::int64_t count = axis ? digits->value.num() : 0;
  std::string others;
  const bool last = axis && axis->kind == SyntaxKind::negate && count > 0;
  for (std::int64_t k = last ? 1 : 0; k < count; ++k) others += last ? ", :" : ":, ";
  return written(last ? "x[..., " + text(places) + others + "]" : "x[" + others + text(places) + "]", {{"x", call.args[0]}}, call.span);
}

/// gelu(x, approximate='tanh'), which is JAX's default.
std::optional<Respelled> approximate_gelu(const Syntax& call, Spelling spelling) {
  if (call.name != "gelu" || call.args.size() != 1 || call.keywords.size() > 1) return std::nullopt;
  if (call.keywords.empty()) return spelling == Spelling::jax ? std::optional(written("gelu_tanh(x)", {{"x", call.args[0]}}, call.span)) : std::nullopt;
  if (call.keywords[0].first != "approximate") return std::nullopt;
  const std::string& how = call.keywords[0].second->name;
  const bool tanh = how == "'tanh'" || how == "\"tanh\"" || how == "True", none = how == "'none'" || how == "\"none\"" || how == "False";
  if (!tanh && !none) return std::nullopt;
  return written(tanh ? "gelu_tanh(x)" : "gelu(x)", {{"x", call.args[0]}}, call.span);
}

/// SciPy's softmax and everybody's logsumexp but PyTorch's are of all entries where no axis is named. TensorFlow's leaky_relu falls by 0.2.
std::optional<Respelled> of_all_entries(const Syntax& call, Spelling spelling) {
  const bool of_all = spelling == Spelling::scipy ? call.name == "softmax" || call.name == "log_softmax" || call.name == "logsumexp" : spelling == Spelling::jax && call.name == "logsumexp";
  if (of_all && call.args.size() == 1 && !call.keywords.empty() && !keyword(call, {"axis"})) fail("call.axis", "without an axis this is about all entries", call.span, "name an axis: axis=-1");
  if (call.args.size() != 1 || !call.keywords.empty()) return std::nullopt;
  const Values values{{"x", call.args[0]}};
  if (call.name == "leaky_relu" && spelling == Spelling::tensorflow) return written("relu(x) - 0.2 * relu(-x)", values, call.span);
  if (!of_all) return std::nullopt;
  return written(call.name == "logsumexp" ? "log(sum(exp(x)))" : call.name == "softmax" ? "exp(x) / sum(exp(x))" : "x - log(sum(exp(x)))", values, call.span);
}

/// TensorFlow's reduce_sum, reduce_mean and reduce_max.
std::optional<Respelled> reduced(const Syntax& call) {
  static constexpr std::pair<std::string_view, const char*> names[] = {{"reduce_sum", "np.sum"}, {"reduce_mean", "np.mean"}, {"reduce_max", "np.max"}};
  const auto known = std::find_if(std::begin(names), std::end(names), [&](const auto& n) { return n.first == call.name; });
  if (known == std::end(names) || call.args.empty() || call.args.size() > 2 || !knows_keywords(call, {"axis", "keepdims"})) return std::nullopt;
  const Expression axis = given(call, 1, {"axis"});
  if (!axis && keeps_axis(call)) return std::nullopt;
  const std::string along = !axis ? "" : std::string(", axis=axis, keepdims=") + (keeps_axis(call) ? "True" : "False");
  return written(std::string(known->second) + "(x" + along + ")", {{"x", call.args[0]}, {"axis", axis}}, call.span);
}

/// Dropout that is switched off, or drops nothing.
std::optional<Respelled> without_dropout(const Syntax& call) {
  if (call.name != "dropout" || call.args.empty() || call.args.size() > 3 || !knows_keywords(call, {"p", "training"})) return std::nullopt;
  const Expression p = given(call, 1, {"p"}), training = given(call, 2, {"training"});
  const bool off = (training && training->name == "False") || (p && is_number(p, 0));
  return off ? std::optional(written("x", {{"x", call.args[0]}}, call.span)) : std::nullopt;
}

/// x.unsqueeze(1) is x[:, None]; x.expand(n, d) is x in the shape [n, d].
std::optional<Respelled> reshaped(const Syntax& call, Spelling spelling) {
  const bool sizes_apart = call.name == "broadcast_to" && call.args.size() > 2;
  if ((call.name == "expand" || sizes_apart) && spelling == Spelling::method && call.args.size() > 1) {
    Syntax sizes{SyntaxKind::call, "zeros", {}, {call.args.begin() + 1, call.args.end()}, {}, {}, call.span};
    if (sizes.args.size() == 1 && sizes.args[0]->kind == SyntaxKind::list) sizes.args = sizes.args[0]->args;
    for (Expression& size : sizes.args) {  // -1 leaves an axis as it is
      if (size->kind != SyntaxKind::negate || !is_number(size->args[0], 1)) continue;
      Syntax kept = *size->args[0];
      kept.name = kept_size;
      size = std::make_shared<const Syntax>(std::move(kept));
    }
    Respelled sum = written("x + zeros", {{"x", call.args[0]}, {"zeros", std::make_shared<const Syntax>(std::move(sizes))}}, call.span);
    sum.syntax.name = broadcast_sum;
    return sum;
  }
  const bool adds = call.name == "unsqueeze" || call.name == "expand_dims";
  const Expression axis = adds ? given(call, 1, {"axis"}) : nullptr;
  if (!axis || call.args.empty()) return std::nullopt;
  const bool negative = axis->kind == SyntaxKind::negate && !is_number(axis->args[0], 0);
  const Expression& digits = axis->kind == SyntaxKind::negate ? axis->args[0] : axis;
  if (digits->kind == SyntaxKind::name) return std::nullopt;  // a parameter of a function: see with_axes
  if (digits->kind != SyntaxKind::number || !digits->value.is_integer() || digits->value.num() > 8) fail("call.axis", "an axis is an integer", axis->span, "write unsqueeze(x, 1), or x[:, None]");
  const std::int64_t count = digits->value.num();
  std::string subscripts = negative ? "..." : "";
  const auto add = [&](const char* s) { subscripts += (subscripts.empty() ? "" : ", ") + std::string(s); };
  for (std::int64_t k = 0; k < count && !negative; ++k) add(":");
  add("None");
  for (std::int64_t k = 1; k < count && negative; ++k) add(":");
  return written("x[" + subscripts + "]", {{"x", call.args[0]}}, call.span);
}

}  // namespace

Expression with_axes(const Expression& e) {
  return changed(e, [](const Expression& part) -> Expression {
    if (part->kind != SyntaxKind::call || (part->name != "unsqueeze" && part->name != "expand_dims")) return nullptr;
    Syntax call = *part;
    for (Expression& a : call.args) a = with_axes(a);
    const Expression axis = given(call, 1, {"axis"});
    if (axis && axis->kind == SyntaxKind::name) fail("call.axis", "an axis is an integer", axis->span, "write unsqueeze(x, 1), or x[:, None]");
    auto known = reshaped(call, Spelling::method);
    return known ? std::make_shared<const Syntax>(std::move(known->syntax)) : nullptr;
  });
}

bool is_defined(std::string_view name) {
  static constexpr std::string_view others[] = {"dropout", "reduce_sum", "reduce_mean", "reduce_max", "layer_norm", "rms_norm", "var", "std", "norm", "normalize", "gelu", "unsqueeze", "expand", "expand_dims", "squeeze", "unflatten", "moveaxis", "movedim"};
  const auto has_name = [&](const auto& d) { return d.name == name; };
  return std::any_of(std::begin(definitions), std::end(definitions), has_name) || std::any_of(std::begin(losses), std::end(losses), has_name) || std::find(std::begin(others), std::end(others), name) != std::end(others);
}

void note_axes(const Syntax& call, Spelling spelling, std::map<std::string, std::size_t>& axes) {
  const auto note = [&](const Expression& e, std::size_t count) {
    if (e && e->kind == SyntaxKind::name && !is_none(e)) axes[e->name] = count;
  };
  if (call.args.empty()) return;
  if (spelling != Spelling::plain && call.name == "linear") note(given(call, 2, {"bias"}), 1);
  if (spelling != Spelling::plain && (call.name == "layer_norm" || call.name == "rms_norm") && given(call, 1, {"normalized_shape"})) {
    note(given(call, 2, {"weight"}), 1);
    if (call.name == "layer_norm") note(given(call, 3, {"bias"}), 1);
  }
  if (call.name == "item" || (call.name == "float" && spelling == Spelling::plain)) note(call.args[0], 0);
}

namespace {

/// The place of x[place], null where there is another subscript, or a slice.
Expression single_place(const Syntax& index) {
  const bool single = index.subscripts.size() == 1 && !index.subscripts[0].slice && !is_new_axis(index.subscripts[0]) && !is_ellipsis(index.subscripts[0]);
  return single ? index.subscripts[0].start : nullptr;
}

/// With numbers for places: heads[-1] of heads = [f(i) for i in range(h)] is f(h - 1), and [A, B][0] is A. Of a list over a size the first and the
/// last item are there. Names wait until all comprehensions around them are read: see with_items.
std::optional<Respelled> chosen_item(const Syntax& index) {
  const Expression list = index.args[0], place = single_place(index);
  if (!place || place->kind == SyntaxKind::name) return std::nullopt;
  const bool short_place = std::all_of(place->args.begin(), place->args.end(), [](const Expression& a) { return a->args.empty(); });
  if (!short_place) return std::nullopt;  // what is put into the items makes them deeper
  const bool from_end = place->kind == SyntaxKind::negate && place->args[0]->kind == SyntaxKind::number;
  if (list->kind == SyntaxKind::comprehension) {
    const Expression& count = list->args[1];
    const auto number = folded(count);
    const Rational k = from_end ? place->args[0]->value : place->kind == SyntaxKind::number ? place->value : Rational(-1), least = from_end ? 1 : 0;
    if (!k.is_integer() || k < least || !(k < Rational(number ? *number : subtracts(count) ? 0 : 1) + least)) fail("call.arguments", "whether the list has this item depends on its length", place->span, "write heads[i] with an index i, heads[0] or heads[-1]");
    return Respelled{*with_values(list->args[0], {{list->name, from_end ? node(SyntaxKind::subtract, {count, place->args[0]}) : place}}), 1};
  }
  const Expression& number = from_end ? place->args[0] : place;
  if (list->kind != SyntaxKind::list || number->kind != SyntaxKind::number || !number->value.is_integer()) return std::nullopt;
  const auto k = static_cast<std::size_t>(number->value.num());
  if (k < (from_end ? 1u : 0u) || k >= list->args.size() + (from_end ? 1u : 0u)) fail("call.arguments", "the list has " + std::to_string(list->args.size()) + " items", place->span, "the first one is [0]");
  return Respelled{*list->args[from_end ? list->args.size() - k : k], 0};
}

/// [A, B, C][::-1], x.chunk(2, dim=-1)[1:]: the items that Python's slice takes; nothing where it takes none.
std::optional<Respelled> sliced_items(const Syntax& index) {
  const Expression& whole = index.args[0];
  const auto parts = part_count(whole);
  const auto is_spread = [](const Expression& item) { return is_call(item, spread_call); };
  if (index.subscripts.size() != 1 || !index.subscripts[0].slice || (!parts && (whole->kind != SyntaxKind::list || std::any_of(whole->args.begin(), whole->args.end(), is_spread)))) return std::nullopt;
  const Subscript& s = index.subscripts[0];
  const std::int64_t count = parts ? *parts : static_cast<std::int64_t>(whole->args.size());
  const auto step = s.step ? folded(s.step) : std::optional<std::int64_t>(1), begin = s.start ? folded(s.start) : std::optional<std::int64_t>(0), end = s.stop ? folded(s.stop) : std::optional<std::int64_t>(count);
  const bool turned = step == -1 && !s.start && !s.stop;
  if (!step || !begin || !end || (*step < 1 && !turned)) return std::nullopt;
  const auto place = [&](std::int64_t k) { return std::clamp(k < 0 ? k + count : k, std::int64_t{0}, count); };
  Syntax items{SyntaxKind::list, {}, {}, {}, {}, {}, index.span};
  for (std::int64_t k = place(*begin); k < place(*end); k += turned ? 1 : *step) items.args.push_back(parts ? part_of(whole, k) : whole->args[static_cast<std::size_t>(k)]);
  if (turned) std::reverse(items.args.begin(), items.args.end());
  return items.args.empty() ? std::nullopt : std::optional(Respelled{std::move(items), 2});
}

/// x[[0, 2], [1, 3]]: the entries x[0, 1] and x[2, 3], as NumPy pairs two lists of places.
std::optional<Respelled> paired(const Syntax& index) {
  const auto numbers = [](const Subscript& s) { return !s.slice && s.start && s.start->kind == SyntaxKind::list && !s.start->args.empty() && std::all_of(s.start->args.begin(), s.start->args.end(), [](const Expression& place) { return folded(place).has_value(); }); };
  if (index.subscripts.size() != 2 || !numbers(index.subscripts[0]) || !numbers(index.subscripts[1])) return std::nullopt;
  const std::vector<Expression> &rows = index.subscripts[0].start->args, &columns = index.subscripts[1].start->args;
  if (rows.size() != columns.size()) fail("call.arguments", "two lists of places are paired, and have different lengths", index.span, "write x[[0, 2]][:, [1, 3]] for the rows and columns");
  Syntax entries{SyntaxKind::list, {}, {}, {}, {}, {}, index.span};
  for (std::size_t k = 0; k < rows.size(); ++k) {
    Syntax one = index;
    one.subscripts = {{false, rows[k], nullptr, nullptr}, {false, columns[k], nullptr, nullptr}};
    entries.args.push_back(std::make_shared<const Syntax>(std::move(one)));
  }
  return Respelled{Syntax{SyntaxKind::call, "stack", {}, {std::make_shared<const Syntax>(std::move(entries))}, {}, {}, index.span}, 2};
}

/// x[:, [i, j]]: the columns i and j one after the other. With another subscript that chooses, NumPy pairs the two.
std::optional<Respelled> listed(const Syntax& index) {
  const auto is_list = [](const Subscript& s) { return !s.slice && s.start && s.start->kind == SyntaxKind::list && !s.start->args.empty(); };
  const auto at = std::find_if(index.subscripts.begin(), index.subscripts.end(), is_list);
  const auto chooses = std::count_if(index.subscripts.begin(), index.subscripts.end(), [](const Subscript& s) { return !s.slice && !is_new_axis(s) && !is_ellipsis(s); });
  if (at == index.subscripts.end() || chooses != 1) return std::nullopt;
  const Expression one = parse_expression("1");
  Syntax all{SyntaxKind::call, "concat", {}, {}, {}, {}, index.span};
  for (const Expression& place : at->start->args) {
    const bool last = place->kind == SyntaxKind::negate && is_number(place->args[0], 1);
    if (place->kind == SyntaxKind::list) return std::nullopt;
    Syntax part = index;
    part.subscripts[static_cast<std::size_t>(at - index.subscripts.begin())] = {true, place, last ? nullptr : node(SyntaxKind::add, {place, one}, {}, place->span), nullptr};
    all.args.push_back(std::make_shared<const Syntax>(std::move(part)));
  }
  if (all.args.size() == 1) return Respelled{*all.args[0], 1};
  const bool from_end = std::any_of(index.subscripts.begin(), at, is_ellipsis);
  const std::string axis = std::to_string(from_end ? index.subscripts.end() - at : at - index.subscripts.begin());
  all.keywords.emplace_back("axis", parse_expression(from_end ? "-" + axis : axis));
  return Respelled{std::move(all), 2};
}

}  // namespace

namespace {

Expression listed_by(const std::string& index, const Expression& x) { return node(SyntaxKind::comprehension, {entry(x, node(SyntaxKind::name, {}, index, x->span), x->span), size_along(x, 0, x->span)}, index, x->span); }

}  // namespace

Expression along_first_axis(const Expression& x) {
  std::string index = "i";
  while (mentions(x, index)) index += "_";
  return listed_by(index, x);
}

Expression listed_along_first_axis(const Expression& e) {
  if (e->kind != SyntaxKind::comprehension || e->args[0]->kind != SyntaxKind::index) return nullptr;
  const Expression& x = e->args[0]->args[0];
  return !mentions_free(x, e->name) && same(listed_by(e->name, x), e) ? x : nullptr;
}

bool has_items(const Expression& e) {
  if (!e) return false;
  if (e->kind == SyntaxKind::index && (e->args[0]->kind == SyntaxKind::comprehension || e->args[0]->kind == SyntaxKind::list)) return true;
  return std::any_of(e->args.begin(), e->args.end(), has_items) || std::any_of(e->keywords.begin(), e->keywords.end(), [](const auto& k) { return has_items(k.second); }) || std::any_of(e->subscripts.begin(), e->subscripts.end(), [](const Subscript& s) { return has_items(s.start) || has_items(s.stop); });
}

Expression with_items(const Expression& e, const std::map<std::string, Expression>& ranges) {
  if (!e || (e->args.empty() && e->keywords.empty() && e->subscripts.empty())) return e;
  if (const Expression list = listed_along_first_axis(e); list && (list->kind == SyntaxKind::comprehension || list->kind == SyntaxKind::list)) return with_items(list, ranges);
  auto copy = std::make_shared<Syntax>(*e);
  std::map<std::string, Expression> inside = ranges;
  if (e->kind == SyntaxKind::comprehension) inside[e->name] = e->args[1];
  for (std::size_t k = 0; k < copy->args.size(); ++k) copy->args[k] = with_items(copy->args[k], k == 0 ? inside : ranges);
  for (auto& [key, value] : copy->keywords) value = with_items(value, ranges);
  for (Subscript& s : copy->subscripts) {
    s.start = with_items(s.start, ranges);
    s.stop = with_items(s.stop, ranges);
  }
  if (copy->kind == SyntaxKind::index && copy->args[0]->kind == SyntaxKind::list) {
    auto item = chosen_item(*copy);
    return item ? std::make_shared<const Syntax>(std::move(item->syntax)) : copy;
  }
  const Expression place = copy->kind == SyntaxKind::index && copy->args[0]->kind == SyntaxKind::comprehension ? single_place(*copy) : nullptr;
  if (!place) return copy;
  const Expression& list = copy->args[0];
  const auto range = place->kind == SyntaxKind::name ? ranges.find(place->name) : ranges.end();
  if (range == ranges.end() || !same(range->second, list->args[1])) {
    if (auto number = chosen_item(*copy)) return std::make_shared<const Syntax>(std::move(number->syntax));
    fail("call.arguments", "a list has this item if an index over as many names it", place->span, "write heads[i] for i in range(h) of a list over range(h), heads[0] or heads[-1]");
  }
  return with_values(list->args[0], {{list->name, place}});
}

std::optional<Respelled> gathered(const Syntax& index) {
  if (auto known = chosen_item(index)) return known;
  if (auto known = sliced_items(index)) return known;
  if (auto known = paired(index)) return known;
  if (auto known = listed(index)) return known;
  const bool two = index.subscripts.size() == 2 && std::none_of(index.subscripts.begin(), index.subscripts.end(), [](const Subscript& s) { return s.slice || !s.start; });
  if (!two) return std::nullopt;
  const Expression &rows = index.subscripts[0].start, &tokens = index.subscripts[1].start;
  const bool every_row = rows->kind == SyntaxKind::call && rows->name == "arange" && rows->args.size() == 1 && rows->keywords.empty();
  const bool named = tokens->kind == SyntaxKind::name && tokens->name != "None" && tokens->name != "...";
  if (!every_row || !named) return std::nullopt;
  return written("diagonal(x[:n][:, t])", {{"x", index.args[0]}, {"t", tokens}, {"n", rows->args[0]}}, index.span);
}

std::optional<Respelled> defined(const Syntax& call, Spelling spelling) {
  if (call.args.size() > 1 && is_none(call.args.back())) {  // F.linear(x, W, None)
    Syntax given = call;
    given.args.pop_back();
    return defined(given, spelling);
  }
  if (call.name == "float" && (spelling == Spelling::method || spelling == Spelling::plain) && call.args.size() == 1 && call.keywords.empty() && !is_quoted(call.args[0])) {
    if (call.args[0]->kind == SyntaxKind::call && call.args[0]->name == one_number_call) return Respelled{*call.args[0]};
    return Respelled{Syntax{SyntaxKind::call, std::string(real_call), {}, call.args, {}, {}, call.span}};
  }
  if (auto known = reduced(call)) return known;
  if (auto known = without_dropout(call)) return known;
  if (auto known = gathered_along_rows(call)) return known;
  if (auto known = norm_with_gain(call, spelling)) return known;
  if (auto known = variance(call, spelling)) return known;
  if (call.name == "vector_norm" && has_module(spelling)) {
    Syntax norm = call;
    norm.name = "norm";
    return vector_norm(norm, spelling);
  }
  if (auto known = vector_norm(call, spelling)) return known;
  if (auto known = normalized(call, spelling)) return known;
  if (auto known = loss(call)) return known;
  if (auto known = every_token(call)) return known;
  if (auto known = stepped(call)) return known;
  if (auto known = taken(call, spelling)) return known;
  if (auto known = approximate_gelu(call, spelling)) return known;
  if (auto known = of_all_entries(call, spelling)) return known;
  if (auto known = reshaped(call, spelling)) return known;
  for (const LibraryFunction& d : definitions) {
    if (d.name != call.name) continue;
    auto values = bound(d.parameters, call);
    if (!values) continue;
    Respelled known = written(d.body, *values, call.span);
    if (d.name == "full_like") known.syntax.name = filled_like;
    if (d.name == "expand_as" || d.name == "broadcast_to") known.syntax.name = broadcast_sum;
    return known;
  }
  return std::nullopt;
}

}  // namespace foldproof::read
