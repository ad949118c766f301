// SPDX-License-Identifier: MIT
#include "read/signatures.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "expr/operators.hpp"

namespace foldproof::read {
namespace {

/// Parameters in order. `|` stands before those that are given by their names only, * before one that takes all that follow. After a name
/// stand ! where nothing is read by its place (NumPy's dtype), # for one number, ( for a tuple, { for a tuple or a number, [ for a list of
/// arrays, + for what has no default. Empty where it is not said, - where the library has no such function. Methods begin with a point.
struct Signature {
  std::string_view name, numpy, torch;
};

constexpr std::string_view of_array = "a axis dtype! out! keepdims | initial where", along = "input dim keepdim | dtype out", unary = "x out! | where dtype casting", entries = "input | out", binary = "x1 x2 out! | where", pair = "input other | out";

constexpr Signature functions[] = {
    // arrays made of sizes
    {"ones", "shape{ dtype! order! | like", "*size | out requires_grad"}, {"zeros", "shape{ dtype! order! | like", "*size | out requires_grad"},
    {"empty", "shape{ dtype! order! | like", "*size | out requires_grad"}, {"randn", "*d0#", "*size | generator out requires_grad"}, {"rand", "*d0#", "*size | generator out requires_grad"},
    {"standard_normal", "size{ dtype! out!", "-"}, {"random", "size{ dtype! out!", "-"}, {"full", "shape{ fill_value dtype! order! | like", "size( fill_value | out requires_grad"},
    {"eye", "N# M# k# dtype! order! | like", "n# m# | out requires_grad"}, {"identity", "n# dtype! | like", "-"}, {"tri", "N# M# k# dtype! | like", "-"},
    {"arange", "start stop step dtype! | like", "start end step | out requires_grad"}, {"ones_like", "a dtype! order! subok shape", "input | requires_grad"},
    {"zeros_like", "a dtype! order! subok shape", "input | requires_grad"}, {"full_like", "a fill_value dtype! order! subok shape", "input fill_value | requires_grad"},
    {"array", "object dtype! | copy order subok ndmin like", "-"}, {"asarray", "a dtype! order! | copy like", "obj | copy requires_grad"}, {"tensor", "-", "data | requires_grad pin_memory"},
    // along axes
    {"sum", of_array, along}, {"mean", "a axis dtype! out! keepdims | where", along}, {"max", "a axis out! keepdims initial where", "input dim keepdim | other out"},
    {"min", "a axis out! keepdims initial where", "input dim keepdim | other out"}, {"amax", "a axis out! keepdims initial where", along}, {"amin", "a axis out! keepdims initial where", along},
    {"prod", of_array, along}, {"cumsum", "a axis dtype! out!", "input dim+ | dtype out"}, {"cumprod", "a axis dtype! out!", "input dim+ | dtype out"},
    {"std", "a axis dtype! out! ddof keepdims | where mean correction", "input dim unbiased keepdim | correction out"}, {"var", "a axis dtype! out! ddof keepdims | where mean correction", "input dim unbiased keepdim | correction out"},
    {"norm", "x ord axis keepdims", {}}, {"average", "a axis weights returned | keepdims", "-"}, {"logsumexp", "-", "input dim+ keepdim | out"}, {"softmax", "-", "input dim+ | dtype"},
    {"log_softmax", "-", "input dim+ | dtype"}, {"diff", "a n axis prepend append", "input n dim prepend append | out"},
    // joined and divided
    {"concatenate", "arrays[ axis out! | dtype casting", "tensors[ dim | out"}, {"concat", "arrays[ axis out! | dtype casting", "tensors[ dim | out"}, {"cat", "-", "tensors[ dim | out"},
    {"stack", "arrays[ axis out! | dtype casting", "tensors[ dim | out"}, {"vstack", "tup[ | dtype casting", "tensors[ | out"}, {"hstack", "tup[ | dtype casting", "tensors[ | out"}, {"column_stack", "tup[", "tensors[ | out"},
    {"block", "arrays[", "-"}, {"split", "ary indices_or_sections axis", "tensor split_size_or_sections dim"}, {".split", "-", "input split_size dim"}, {"array_split", "ary indices_or_sections axis", "-"}, {"chunk", "-", "input chunks dim"},
    {"append", "arr values axis", "-"}, {"unbind", "-", "input dim"}, {"repeat", "a repeats axis | total_repeat_length", "-"}, {"repeat_interleave", "-", "input repeats dim | output_size"}, {"tile", "A reps", "input dims("},
    // in another shape or order
    {"reshape", "a newshape{ order! | shape copy", "input shape("}, {".reshape", "a *shape | order", "input *shape"}, {".view", "-", "input *size"}, {"transpose", "a axes(", "input dim0+ dim1+"},
    {".transpose", "a *axes", "input dim0# dim1#"}, {"permute", "-", "input dims("}, {".permute", "-", "input *dims"}, {"swapaxes", "a axis1# axis2#", "input axis0# axis1#"},
    {"moveaxis", "a source destination", "input source destination"}, {"movedim", "-", "input source destination"}, {"expand_dims", "a axis", "-"}, {"unsqueeze", "-", "input dim#"},
    {"squeeze", "a axis", "input dim"}, {"broadcast_to", "array shape{ subok", "input size("}, {".broadcast_to", "-", "input *size"}, {"flip", "m axis", "input dims("}, {".flip", "-", "input *dims"},
    {"roll", "a shift axis", "input shifts dims"}, {"ravel", "a order!", "input"}, {"tril", "m k", "input diagonal | out"}, {"triu", "m k", "input diagonal | out"},
    {"diag", "v k", "input diagonal | out"}, {"diagonal", "a offset axis1 axis2", "input offset dim1 dim2"}, {"trace", "a offset axis1 axis2 dtype! out!", "input"},
    {"where", "condition x y", "condition input other | out"}, {"take", "a indices axis out! mode!", "input index"},
    // products
    {"mm", "-", {}}, {"bmm", "-", {}}, {"mv", "-", {}}, {"outer", "a b out!", "input vec2 | out"}, {"inner", "a b", pair}, {"vdot", "a b", pair}, {"kron", "a b", pair},
    {"tensordot", "a b axes", "a b dims out!"}, {"inv", "a", "A | out"}, {"det", "a", {}},
    // of entries
    {"exp", unary, entries}, {"log", unary, entries}, {"sqrt", unary, entries}, {"tanh", unary, entries}, {"sin", unary, entries}, {"cos", unary, entries}, {"abs", unary, entries},
    {"square", unary, entries}, {"sign", unary, entries}, {"log1p", unary, entries}, {"expm1", unary, entries}, {"rsqrt", "-", entries}, {"sigmoid", "-", entries}, {"relu", "-", "input"},
    {"silu", "-", {}}, {"gelu", "-", {}}, {"leaky_relu", "-", {}}, {"softplus", "-", {}}, {"layer_norm", "-", {}}, {"rms_norm", "-", {}}, {"masked_fill", "-", "input mask value"},
    {"clamp", "-", "input min max | out"}, {"clip", "a a_min a_max out! | min max where", "input min max | out"}, {"maximum", binary, pair}, {"minimum", binary, pair},
};

/// Functions of torch.nn.functional that are written in Python, where an axis has one name only.
constexpr Signature functional[] = {
    {"softmax", {}, "input dim _stacklevel!"}, {"log_softmax", {}, "input dim _stacklevel!"}, {"softmin", {}, "input dim _stacklevel!"}, {"glu", {}, "input dim"}, {"normalize", {}, "input p dim eps out!"}, {"relu", {}, "input inplace"},
    {"silu", {}, "input inplace"}, {"mish", {}, "input inplace"}, {"gelu", {}, "input | approximate"}, {"leaky_relu", {}, "input negative_slope inplace"}, {"elu", {}, "input alpha inplace"}, {"softplus", {}, "input beta threshold"}, {"sigmoid", {}, "input"}, {"tanh", {}, "input"},
    {"linear", {}, "input weight bias"}, {"scaled_dot_product_attention", {}, "query key value attn_mask dropout_p is_causal | scale enable_gqa"}, {"one_hot", {}, "tensor num_classes"}, {"layer_norm", {}, "input normalized_shape( weight bias eps"}, {"rms_norm", {}, "input normalized_shape( weight eps"},
};

/// Methods of an array of NumPy; PyTorch has all of its functions as methods, and some more.
constexpr std::string_view of_ndarray[] = {"sum", "mean", "max", "min", "std", "var", "prod", "cumsum", "cumprod", "clip", "trace", "diagonal", "reshape", "transpose", "swapaxes", "squeeze", "ravel", "take", "repeat"};

struct Parameter {
  std::string_view name;
  char kind = 0;
  bool by_name = false, rest = false;
};

std::vector<Parameter> parameters_of(std::string_view text) {
  std::vector<Parameter> parameters;
  bool by_name = false;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    Parameter p{text.substr(0, end), 0, by_name, false};
    text.remove_prefix(std::min(end + 1, text.size()));
    if (p.name == "|") {
      by_name = true;
      continue;
    }
    p.rest = p.name.front() == '*';
    if (p.rest) p.name.remove_prefix(1);
    if (std::string_view("!#([{+").find(p.name.back()) != std::string_view::npos) {
      p.kind = p.name.back();
      p.name.remove_suffix(1);
    }
    parameters.push_back(p);
  }
  return parameters;
}

/// What a library says of a call.
struct Complaint {
  const char* code;
  std::string message;
  Span span;
  std::string hint;
};

struct Library {
  std::string_view name, module;
  bool aliases;  ///< axis for dim and keepdims for keepdim
};

bool is_number_or_arithmetic(const Expression& e) { return e->kind == SyntaxKind::number || e->kind == SyntaxKind::negate || e->kind == SyntaxKind::subtract || e->kind == SyntaxKind::floor_divide; }
bool is_tuple(const Expression& e) { return e->kind == SyntaxKind::list || is_several_sizes(e); }

/// The call with brackets around the arguments that the parameter takes as one: np.ones((n, n)), torch.cat([X, Y]).
std::string in_brackets(const Syntax& call, const std::vector<Parameter>& parameters, const Library& library) {
  const auto several = std::find_if(parameters.begin(), parameters.end(), [](const Parameter& p) { return std::string_view("([{").find(p.kind) != std::string_view::npos; });
  const auto first = static_cast<std::size_t>(several - parameters.begin());
  if (several == parameters.end() || first >= call.args.size() || is_tuple(call.args[first])) return "";
  const bool filled = several + 1 != parameters.end() && several[1].name == "fill_value";
  std::string written;
  for (std::size_t k = 0; k < call.args.size(); ++k) {
    const bool last = k + (filled ? 2 : 1) == call.args.size();
    written += (k == 0 ? "" : ", ") + std::string(k == first ? several->kind == '[' ? "[" : "(" : "") + text(call.args[k]) + (last ? several->kind == '[' ? "]" : k == first ? ",)" : ")" : "");
  }
  return "write " + std::string(library.module) + "." + call.name + "(" + written + ")";
}

std::string keyword_hint(const std::string& key, const std::vector<Parameter>& parameters) {
  static constexpr std::pair<std::string_view, std::string_view> translations[] = {{"dim", "axis"}, {"keepdim", "keepdims"}, {"diagonal", "k"}};
  std::string names;
  for (const Parameter& p : parameters) {
    for (const auto& [one, other] : translations) {
      if ((key == one && p.name == other) || (key == other && p.name == one)) return "write " + std::string(p.name) + "=";
    }
    names += (names.empty() ? "" : ", ") + std::string(p.name);
  }
  return "it takes " + names;
}

std::optional<Complaint> complaint(const Syntax& call, std::string_view signature, const Library& library, bool method) {
  const std::string whose = std::string(library.name) + "'s `" + call.name + "`";
  if (signature == "-") return Complaint{"name.unknown", std::string(library.name) + " has no function `" + call.name + "`", call.span, find_operator(call.name) >= 0 ? "write " + call.name + "(...) without a module, which is the claim language's own" : "write what the library has, or the function out"};
  const std::vector<Parameter> parameters = parameters_of(signature);
  std::vector<std::string_view> given;
  std::size_t place = 0;
  for (const Expression& a : call.args) {
    const bool none_left = place >= parameters.size() || parameters[place].by_name;
    if (none_left || parameters[place].kind == '!') {
      const std::size_t most = place - (method ? 1 : 0);
      const std::string hint = method ? "" : in_brackets(call, parameters, library);
      return Complaint{"call.arguments", none_left ? whose + " takes " + std::to_string(most) + (most == 1 ? " argument" : " arguments") + " without names" : "the next argument of " + whose + " is its `" + std::string(parameters[place].name) + "`", a->span, hint.empty() ? "give the rest by name; " + keyword_hint("", parameters) : hint};
    }
    const Parameter& p = parameters[place];
    if ((p.kind == '#' || (p.kind == '+' && p.name != "dim")) && is_tuple(a)) return Complaint{"call.arguments", "`" + std::string(p.name) + "` of " + whose + " is one number, and this is a tuple", a->span, "leave out its brackets"};
    if (p.kind == '(' && is_number_or_arithmetic(a)) return Complaint{"call.arguments", "`" + std::string(p.name) + "` of " + whose + " is a tuple, and this is a number", a->span, in_brackets(call, parameters, library)};
    const bool counts = a->kind == SyntaxKind::number || (a->kind == SyntaxKind::negate && a->args[0]->kind == SyntaxKind::number);
    if (parameters[0].kind == '[' && place == 1 && !counts) return Complaint{"call.arguments", whose + " takes a list of arrays, and then its `" + std::string(p.name) + "`", a->span, in_brackets(call, parameters, library)};
    if (p.rest) continue;
    given.push_back(p.name);
    ++place;
  }
  for (const auto& [key, value] : call.keywords) {
    const std::string_view name = !library.aliases ? key : key == "axis" ? "dim" : key == "keepdims" ? "keepdim" : std::string_view(key);
    const bool known = std::any_of(parameters.begin(), parameters.end(), [&, n = name](const Parameter& p) { return p.name == n; });
    if (!known) return Complaint{"call.keyword", whose + " has no keyword `" + key + "`", value->span, keyword_hint(key, parameters)};
    if (std::find(given.begin(), given.end(), name) != given.end()) return Complaint{"call.arguments", "`" + key + "` of " + whose + " is given twice", value->span, "leave one of them out"};
    given.push_back(name);
  }
  for (const Parameter& p : parameters) {
    if (p.kind == '+' && std::find(given.begin(), given.end(), p.name) == given.end()) return Complaint{"call.axis", whose + " needs its `" + std::string(p.name) + "`", call.span, "say which axis: " + std::string(p.name) + "=-1"};
  }
  return std::nullopt;
}

const Signature* find(std::span<const Signature> table, std::string_view name) {
  const auto found = std::find_if(table.begin(), table.end(), [&](const Signature& f) { return f.name == name; });
  return found == table.end() ? nullptr : &*found;
}

constexpr Library numpy{"NumPy", "np", false}, torch{"PyTorch", "torch", true}, nn{"PyTorch", "F", false};

}  // namespace

namespace {

/// What is read by its place only. Axes and switches have their names.
bool is_by_place(std::string_view parameter) {
  static constexpr std::string_view names[] = {"query", "key", "value", "mask", "other", "split_size_or_sections", "split_size", "indices_or_sections", "chunks", "repeats", "reps", "dim0", "dim1", "axis1", "axis2", "axis0", "source", "destination", "vec2", "arr", "values"};
  return is_among(parameter, names);
}

}  // namespace

void give_by_place(Syntax& call, Spelling spelling) {
  if (call.keywords.empty() || spelling == Spelling::plain) return;
  const bool method = spelling == Spelling::method;
  const Signature* f = spelling == Spelling::functional ? find(functional, call.name) : method ? find(functions, "." + call.name) : nullptr;
  if (f == nullptr && spelling != Spelling::functional) f = find(functions, call.name);
  if (f == nullptr) return;
  for (const std::string_view signature : {spelling == Spelling::numpy ? f->numpy : f->torch, method ? f->numpy : std::string_view{}}) {
    const auto parameters = parameters_of(signature);
    while (call.args.size() < parameters.size()) {
      const Parameter& next = parameters[call.args.size()];
      const bool placed = !next.rest && !next.by_name && (call.args.empty() || is_by_place(next.name));
      const auto named = std::find_if(call.keywords.begin(), call.keywords.end(), [&](const auto& k) { return placed && k.first == next.name; });
      if (named == call.keywords.end()) break;
      call.args.push_back(named->second);
      call.keywords.erase(named);
    }
  }
}

bool takes_type(std::string_view function, std::size_t place) {
  const Signature* f = find(functions, function);
  const auto parameters = f == nullptr ? std::vector<Parameter>{} : parameters_of(f->numpy);
  return place < parameters.size() && parameters[place].name == "dtype" && !parameters[place].by_name;
}

void require_signature(const Syntax& call, Spelling spelling) {
  const auto require = [](const std::optional<Complaint>& complaint) {
    if (complaint) fail(complaint->code, complaint->message, complaint->span, complaint->hint);
  };
  if (spelling == Spelling::functional) {
    const Signature* f = find(functional, call.name);
    return f != nullptr ? require(complaint(call, f->torch, nn, false)) : void();
  }
  const bool method = spelling == Spelling::method;
  const Signature* f = method ? find(functions, "." + call.name) : nullptr;
  if (f == nullptr) f = find(functions, call.name);
  if (f == nullptr) return;
  if (spelling == Spelling::numpy && !f->numpy.empty()) require(complaint(call, f->numpy, numpy, false));
  if (spelling == Spelling::torch && !f->torch.empty()) require(complaint(call, f->torch, torch, false));
  if (!method || f->torch.empty() || f->torch == "-") return;
  const auto in_torch = complaint(call, f->torch, torch, true);
  const bool of_both = is_among(call.name, of_ndarray);
  if (in_torch && (!of_both || complaint(call, f->numpy, numpy, true))) require(in_torch);
}

}  // namespace foldproof::read
