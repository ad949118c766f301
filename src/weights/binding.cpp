// SPDX-License-Identifier: MIT
#include "weights/binding.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <optional>
#include <set>

#include "expr/diagnostic.hpp"
#include "expr/nearest.hpp"
#include "weights/steps.hpp"

namespace foldproof::weights {

namespace {

// A file and what a binding may call it.
struct NamedFile {
  const TensorFile* file = nullptr;
  std::string label;
};
using Files = std::vector<NamedFile>;

// Where the tensor stands: the file, the tensor, and the place in the binding behind its name.
struct Target {
  NamedFile in;
  const TensorInfo* tensor = nullptr;
  std::size_t behind = 0;
};

std::size_t skip_blanks(std::string_view text, std::size_t at) {
  while (at < text.size() && (text[at] == ' ' || text[at] == '\t')) ++at;
  return at;
}

// "W_Q=": leaves `at` behind the equals sign. A module's `proj.weight=` is the variable proj_weight of its claim.
std::string read_variable(std::string_view text, std::size_t& at) {
  const auto is_word = [&](std::size_t i) { return i < text.size() && (std::isalnum(static_cast<unsigned char>(text[i])) != 0 || text[i] == '_'); };
  at = skip_blanks(text, 0);
  const std::size_t start = at;
  while (is_word(at) || (at > start && at < text.size() && text[at] == '.' && is_word(at + 1))) ++at;
  if (at == start || std::isdigit(static_cast<unsigned char>(text[start])) != 0) {
    expr::fail("weights.binding_syntax", "expected a variable of the claim", {start, start + 1}, "a binding reads W_Q=layers.0.attention.wq.weight.T");
  }
  std::string variable(text.substr(start, at - start));
  std::replace(variable.begin(), variable.end(), '.', '_');
  at = skip_blanks(text, at);
  if (at >= text.size() || text[at] != '=') expr::fail("weights.binding_syntax", "expected `=` after " + quote(variable), {at, at + 1});
  at = skip_blanks(text, at + 1);
  return variable;
}

// Every trailing part of a path, from the whole of it to the name alone: "/a/b.npy", "a/b.npy", "b.npy".
std::vector<std::string_view> trailing_parts(std::string_view path) {
  std::vector<std::string_view> parts{path};
  for (std::size_t i = 0; i + 1 < path.size(); ++i) {
    if (path[i] == '/') parts.push_back(path.substr(i + 1));
  }
  return parts;
}

bool is_trailing_part(std::string_view part, std::string_view path) {
  const auto parts = trailing_parts(path);
  return std::find(parts.begin(), parts.end(), part) != parts.end();
}

std::string list_of(const std::vector<std::string>& names) {
  std::string out;
  for (std::size_t i = 0; i < names.size(); ++i) out += (i == 0 ? "" : i + 1 < names.size() ? ", " : " or ") + names[i];
  return out;
}

// The files in the folder of that name, or beside the index of that name. A checkpoint of several files is called by either.
Files in_folder(std::string_view name, const Files& all, expr::Span span) {
  if (name.empty()) return {};
  const auto folder_of = [](std::string_view path) { return path.substr(0, path.find_last_of('/') == std::string_view::npos ? 0 : path.find_last_of('/')); };
  if (name.ends_with(".index.json")) name = folder_of(name);
  while (name.size() > 1 && name.ends_with('/')) name.remove_suffix(1);
  Files found;
  std::set<std::string> folders;
  for (const NamedFile& in : all) {
    const std::string_view whole = folder_of(in.file->whole_path());
    if (!name.empty() && !is_trailing_part(name, whole) && name != folder_of(in.file->given_path())) continue;
    found.push_back(in);
    folders.insert(std::string(whole) + "/::");
  }
  if (folders.size() > 1) expr::fail("weights.ambiguous", "several folders are called " + quote(name.empty() ? "." : name), span, "write " + list_of({folders.begin(), folders.end()}));
  return found;
}

// A leading `FILE::` narrows the files, or `FOLDER::` and `INDEX::` to those that belong together; without one all of them are searched.
Files read_file(std::string_view text, std::size_t& at, const std::vector<TensorFile>& files) {
  Files all;
  Files named;
  std::size_t length = 0;
  for (std::size_t i = 0; i < files.size(); ++i) {
    all.push_back({&files[i], file_label(files, i)});
    std::vector<std::string_view> parts = trailing_parts(files[i].whole_path());
    if (std::find(parts.begin(), parts.end(), files[i].given_path()) == parts.end()) parts.push_back(files[i].given_path());  // "../m.npy"
    for (const std::string_view part : parts) {
      if (part.size() < length || text.substr(at, part.size()) != part || text.substr(at + part.size(), 2) != "::") continue;
      if (part.size() > length) named.clear();
      length = part.size();
      named.push_back(all.back());
    }
  }
  if (named.size() > 1) {
    std::vector<std::string> names;
    for (const NamedFile& file : named) names.push_back(file.label + "::");
    expr::fail("weights.ambiguous", "several files are called " + quote(text.substr(at, length)), {at, at + length}, "write " + list_of(names));
  }
  if (named.size() == 1) {
    at = skip_blanks(text, at + length + 2);
    return named;
  }
  const std::size_t colons = text.find("::", at);
  if (colons == std::string_view::npos) return all;
  if (const Files shards = in_folder(text.substr(at, colons - at), all, {at, colons}); !shards.empty()) {
    at = skip_blanks(text, colons + 2);
    return shards;
  }
  for (const std::string_view extension : {std::string_view(".safetensors"), std::string_view(".npz"), std::string_view(".npy")}) {
    const std::string_view prefix = text.substr(at, colons - at);
    if (prefix.size() < extension.size() || prefix.substr(prefix.size() - extension.size()) != extension) continue;
    std::vector<std::string> names;
    for (const NamedFile& file : all) names.push_back(file.label);
    expr::fail("weights.unknown_file", "no file " + quote(prefix) + " was given", {at, colons}, expr::did_you_mean(prefix, names));
  }
  return all;
}

// The tensor name that the text at `at` was meant to be, for messages only.
std::size_t end_of_name(std::string_view text, std::size_t at) {
  std::size_t end = at;
  while (end < text.size() && !begins_step(text.substr(end))) ++end;
  return end;
}

[[noreturn]] void fail_unknown(std::string_view text, std::size_t at, std::size_t end, const Files& files) {
  std::vector<std::string> names;
  for (const NamedFile& in : files) {
    for (const TensorInfo& tensor : in.file->tensors()) names.push_back(tensor.name);
  }
  const std::string_view name = text.substr(at, end - at);
  std::size_t known = 0;  // of w.flip(0) the w
  for (const std::string& tensor : names) {
    if (name.size() > tensor.size() && name.starts_with(tensor) && name[tensor.size()] == '.' && name.find('(', tensor.size()) != name.npos) known = std::max(known, tensor.size());
  }
  if (known > 0) expr::fail("weights.binding_syntax", quote(name.substr(known)) + " is no step that is read", {at + known, std::max(end, at + known + 1)}, steps_hint);
  expr::fail("weights.unknown_tensor", "no tensor is named " + quote(name), {at, std::max(end, at + 1)}, expr::did_you_mean(name, names));
}

// The longest tensor name that the text starts with and that a step or the end follows.
Target find_longest(std::string_view text, std::size_t at, const Files& files, std::vector<std::string>& same) {
  Target best;
  for (const NamedFile& in : files) {
    for (const TensorInfo& tensor : in.file->tensors()) {
      const std::size_t behind = at + tensor.name.size();
      if (behind < best.behind || text.substr(at, tensor.name.size()) != tensor.name || !begins_step(text.substr(behind))) continue;
      if (best.tensor == nullptr || behind > best.behind) same.clear();
      best = {in, &tensor, behind};
      same.push_back(in.label);
    }
  }
  return best;
}

Target find_quoted(std::string_view text, std::size_t at, const Files& files, std::vector<std::string>& same) {
  const std::size_t close = text.find('"', at + 1);
  if (close == std::string_view::npos) expr::fail("weights.binding_syntax", "this quote is not closed", {at, at + 1});
  const std::string name(text.substr(at + 1, close - at - 1));
  Target found;
  for (const NamedFile& in : files) {
    const TensorInfo* tensor = in.file->find(name);
    if (tensor == nullptr) continue;
    found = {in, tensor, close + 1};
    same.push_back(in.label);
  }
  if (found.tensor == nullptr) fail_unknown(text, at + 1, close, files);
  return found;
}

Target find_target(std::string_view text, std::size_t at, const Files& files) {
  std::vector<std::string> same;  // labels of the files that have it
  const bool quoted = at < text.size() && text[at] == '"';
  const Target target = quoted ? find_quoted(text, at, files, same) : find_longest(text, at, files, same);
  if (target.tensor == nullptr) fail_unknown(text, at, end_of_name(text, at), files);
  if (same.size() > 1) {
    for (std::string& label : same) label += "::" + std::string(text.substr(at, target.behind - at));
    expr::fail("weights.ambiguous", "several files have a tensor " + quote(target.tensor->name), {at, target.behind}, "write " + list_of(same) + "; FOLDER:: before a name stands for all files in a folder");
  }
  return target;
}

/// A `.view(BF16)` right behind the name of the tensor: its bytes as values of another type, put into `other`. Packed and renamed types become
/// what they are: two U4 or F4 in each byte of U8, eight in an I32.
void take_type(std::string_view text, Target& target, TensorInfo& other) {
  const std::size_t at = skip_blanks(text, target.behind);
  constexpr std::string_view word = ".view";
  if (text.substr(at, word.size()) != word) return;
  const std::size_t open = skip_blanks(text, at + word.size()), start = skip_blanks(text, open + 1);
  if (open >= text.size() || text[open] != '(' || start >= text.size() || std::isalpha(static_cast<unsigned char>(text[start])) == 0) return;  // a shape
  std::size_t end = start;
  while (end < text.size() && (std::isalnum(static_cast<unsigned char>(text[end])) != 0 || text[end] == '_')) ++end;
  const std::string dtype(text.substr(start, end - start));
  const std::size_t close = skip_blanks(text, end);
  if (close >= text.size() || text[close] != ')') expr::fail("weights.binding_syntax", "expected `)`", {close, close + 1});
  const auto as = reinterpreted(*target.tensor, dtype);
  if (!as) {
    const bool known = bits_per_value(dtype).has_value();
    expr::fail("weights.dtype", known ? "the last axis of " + target.tensor->dtype + " " + weights::text(target.tensor->shape) + " is no row of whole " + dtype : "the type " + quote(dtype) + " is not known", {start, end},
               known ? "is the tensor of another type?" : "types are F64, F32, F16, BF16, F8_E4M3, F8_E5M2, F8_E8M0, F4, I64, I32, I16, I8, I4, U64, U32, U16, U8 and U4");
  }
  other = *as;
  target.tensor = &other;
  target.behind = close + 1;
}

// "[2, 0]" for the element at `flat` of a tensor of that shape.
std::string index_text(const Sizes& shape, std::int64_t flat) {
  std::string out;
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    out = std::to_string(flat % shape[axis]) + (out.empty() ? "" : ", " + out);
    flat /= shape[axis];
  }
  return "[" + out + "]";
}

// Errors of the file name its byte in the message; their span is moved to the tensor's name, as all spans of `bind` are.
Tensor read_range(std::string_view text, std::size_t at, const Target& target, std::int64_t first, std::int64_t count) {
  if (count > most_values) {
    expr::fail("weights.too_large", "tensor " + quote(target.tensor->name) + " has the shape " + weights::text(target.tensor->shape) + ", and no more than " + std::to_string(most_values / 1'000'000) + " million values in a row are read", {at, std::min(target.behind, text.size())},
               "bind some rows at a time, as in " + target.tensor->name + "[0:4096]");
  }
  try {
    return target.in.file->read(*target.tensor, first, count);
  } catch (const expr::Error& error) {
    const expr::Diagnostic& d = error.diagnostic();
    expr::fail(d.code, d.message, {at, std::min(target.behind, text.size())}, d.hint);
  }
}

/// The index in C order of a value at a place in the file's own order.
std::int64_t index_of(const TensorInfo& tensor, std::int64_t position) {
  if (!tensor.fortran_order) return position;
  std::int64_t index = 0;
  for (const std::int64_t size : tensor.shape) {
    index = index * size + position % size;
    position /= size;
  }
  return index;
}

/// The first NaN or infinity of the values that were read from `first` on.
std::optional<expr::Diagnostic> nonfinite_among(std::string_view text, std::size_t at, const Target& target, std::int64_t first, const Tensor& read) {
  const auto found = std::find_if(read.values.begin(), read.values.end(), [](double v) { return !std::isfinite(v); });
  if (found == read.values.end()) return std::nullopt;
  const std::int64_t index = index_of(*target.tensor, first + (found - read.values.begin()));
  char bits[24];
  std::snprintf(bits, sizeof bits, "0x%0*llx", bits_per_value(target.tensor->dtype).value_or(4) / 4, static_cast<unsigned long long>(target.in.file->bits(*target.tensor, index)));
  return expr::Diagnostic{"weights.nonfinite",
                          target.in.file->name() + ": tensor " + quote(target.tensor->name) + " holds " + (std::isnan(*found) ? "NaN" : "an infinity") + " at " + index_text(target.tensor->shape, index) + " (bits " + bits + ", " + weights::text(read.format) + ")",
                          "claims speak about finite numbers; mask or repair the tensor first",
                          {at, std::min(target.behind, text.size())}};
}

}  // namespace

std::string file_label(const std::vector<TensorFile>& files, std::size_t index) {
  const std::vector<std::string_view> parts = trailing_parts(files[index].whole_path());
  for (std::size_t k = parts.size(); k-- > 1;) {
    const bool taken = std::any_of(files.begin(), files.end(), [&](const TensorFile& other) { return &other != &files[index] && is_trailing_part(parts[k], other.whole_path()); });
    if (!taken) return std::string(parts[k]);
  }
  return std::string(parts[0]);
}

BoundTensor bind(std::string_view binding, const std::vector<TensorFile>& files, bool keep_nonfinite) {
  std::size_t at = 0;
  BoundTensor out;
  out.variable = read_variable(binding, at);
  if (files.empty()) expr::fail("weights.no_files", "no file of weights was given to bind " + quote(out.variable) + " to", {at, at + 1});
  const Files candidates = read_file(binding, at, files);
  Target target = find_target(binding, at, candidates);
  const std::size_t steps_at = target.behind;
  TensorInfo as_other_type;
  take_type(binding, target, as_other_type);
  const auto read = [&](std::int64_t first, std::int64_t count) {
    Tensor part = read_range(binding, at, target, first, count);
    out.nonfinite = nonfinite_among(binding, at, target, first, part);
    return part;
  };
  Tensor tensor = apply_steps(binding, target.behind, target.tensor->fortran_order ? column_major(target.tensor->shape) : row_major(target.tensor->shape), read);
  if (std::all_of(tensor.values.begin(), tensor.values.end(), [](double v) { return std::isfinite(v); })) out.nonfinite.reset();
  if (out.nonfinite && !keep_nonfinite) throw expr::Error(*out.nonfinite);
  out.shape = std::move(tensor.shape);
  out.values = std::move(tensor.values);
  out.format = tensor.format;
  out.integers = holds_integers(target.tensor->dtype);
  std::string_view steps = binding.substr(steps_at);
  while (!steps.empty() && (steps.back() == ' ' || steps.back() == '\t')) steps.remove_suffix(1);
  out.source = target.in.label + "::" + target.tensor->name + std::string(steps);
  return out;
}

std::optional<Sizes> whole_tensor(std::string_view binding, const std::vector<TensorFile>& files) {
  std::size_t at = 0;
  read_variable(binding, at);
  const Target target = find_target(binding, at, read_file(binding, at, files));
  return skip_blanks(binding, target.behind) == binding.size() ? std::optional(target.tensor->shape) : std::nullopt;
}

namespace {

/// One part for each `*`.
using Parts = std::vector<std::string>;

/// Stands for any number of parts: model.** is all that begins with model.
constexpr std::string_view whole_star = "**";

/// The parts with which the name is what the pattern begins with, where a step or the end follows.
void fit(std::string_view pattern, std::string_view name, Parts& parts, std::set<Parts>& found) {
  const std::size_t star = pattern.find('*');
  if (star == std::string_view::npos) {
    if (pattern.starts_with(name) && begins_step(pattern.substr(name.size()))) found.insert(parts);
    return;
  }
  if (!name.starts_with(pattern.substr(0, star))) return;
  const std::size_t width = pattern.substr(star).starts_with(whole_star) ? whole_star.size() : 1;
  const std::size_t end = width > 1 ? name.size() : std::min(name.find('.', star), name.size());
  for (std::size_t length = 1; star + length <= end; ++length) {  // of one part, or what varies in it: self_attn.*_proj
    parts.emplace_back(name.substr(star, length));
    fit(pattern.substr(star + width), name.substr(star + length), parts, found);
    parts.pop_back();
  }
}

bool is_number(const std::string& s) { return s.find_first_not_of("0123456789") == std::string::npos; }

/// Numbers by size, then words.
bool is_before(const std::string& a, const std::string& b) {
  if (!is_number(a) || !is_number(b)) return is_number(a) != is_number(b) ? is_number(a) : a < b;
  return a.size() != b.size() ? a.size() < b.size() : a < b;
}

Parts first_of(const Parts& parts, std::size_t count) { return {parts.begin(), parts.begin() + static_cast<std::ptrdiff_t>(std::min(count, parts.size()))}; }

/// A binding with a `*`, and what its stars may be.
struct Fitting {
  std::string variable;
  std::size_t stars;
  std::set<Parts> values;
  /// Whether it names a tensor where the first stars are these; one with fewer stars has the first of them.
  bool has(const Parts& parts) const {
    return std::any_of(values.begin(), values.end(), [&](const Parts& v) { return first_of(v, parts.size()) == first_of(parts, stars); });
  }
};

}  // namespace

std::string with_star(const std::string& text, const std::string& value) {
  std::string out;
  if (const std::size_t whole = text.find(whole_star); whole != std::string::npos) return out.append(text, 0, whole).append(value).append(text, whole + whole_star.size());
  std::size_t part = 0;  // where it begins
  for (const char c : text) {
    if (c != '*') {
      out += c;
      continue;
    }
    const std::size_t end = std::min(value.find('.', part), value.size());
    out += value.substr(part, end - part);
    if (end < value.size()) part = end + 1;
  }
  return out;
}

Stars star_values(const std::vector<std::string>& bindings, const std::vector<TensorFile>& files) {
  std::vector<Fitting> fitting;
  std::size_t most = 0;
  bool whole_names = false;
  for (const std::string& binding : bindings) {
    if (binding.find('*') == std::string::npos) continue;
    std::size_t at = 0;
    Fitting f{read_variable(binding, at), 0, {}};
    const Files candidates = read_file(binding, at, files);
    const std::size_t star = binding.find('*', at);
    if (star == std::string::npos || binding[at] == '"') expr::fail("weights.binding_syntax", "`*` stands for one part of the name of a tensor, which is not quoted", {0, binding.size()}, "for example W=layers.*.attention.wq.weight");
    f.stars = static_cast<std::size_t>(std::count(binding.begin() + static_cast<std::ptrdiff_t>(at), binding.end(), '*'));
    const bool whole = std::string_view(binding).substr(star).starts_with(whole_star);
    if (whole && f.stars != 2) expr::fail("weights.binding_syntax", "`**` stands for all that is left of a name, and for nothing beside another star", {star, star + 2}, "for example W=a.safetensors::** or W=model.**");
    if (whole) f.stars = 1;
    if (!fitting.empty() && whole != whole_names) expr::fail("weights.binding_syntax", "`**` in one binding and `*` in another stand for different parts of names", {star, star + 1}, "write ** in each of them, or * in each");
    whole_names = whole;
    for (const NamedFile& in : candidates) {
      Parts parts;
      for (const TensorInfo& tensor : in.file->tensors()) fit(std::string_view(binding).substr(at), tensor.name, parts, f.values);
    }
    if (f.values.empty() && !whole && end_of_name(binding, at) == star + 1 && star == at) {
      expr::fail("weights.unknown_tensor", "`*` stands for one part of a name, between two dots, and no tensor here has such a name", {star, star + 1}, "write ** for whole names: W=a.safetensors::** M=b.safetensors::**");
    }
    if (f.values.empty()) fail_unknown(binding, at, end_of_name(binding, at), candidates);
    const auto with_others = [&](const Parts& v) { return std::all_of(fitting.begin(), fitting.end(), [&](const Fitting& other) { return other.has(v); }); };
    if (std::none_of(f.values.begin(), f.values.end(), with_others)) {
      expr::fail("weights.unknown_tensor", "no value of `*` names a tensor in this binding and in those before it", {star, star + 1}, "here it may be " + f.values.begin()->front() + ", there " + fitting.front().values.begin()->front());
    }
    most = std::max(most, f.stars);
    fitting.push_back(std::move(f));
  }
  const auto before = [](const Parts& a, const Parts& b) { return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(), is_before); };
  std::set<Parts, decltype(before)> any(before);
  for (const Fitting& f : fitting) {
    for (const Parts& v : f.values) {
      const auto wider = [&](const Fitting& other) { return other.stars > f.stars && other.has(v); };
      if (f.stars == most || std::none_of(fitting.begin(), fitting.end(), wider)) any.insert(v);
    }
  }
  Stars stars;
  for (const Parts& v : any) {
    std::string with, without;
    for (const Fitting& f : fitting) {
      std::string& list = f.has(v) ? with : without;
      list += (list.empty() ? "" : ", ") + f.variable;
    }
    std::string value;
    for (const std::string& part : v) value += (value.empty() ? "" : ".") + part;
    if (without.empty()) {
      stars.common.push_back(value);
    } else {
      stars.partial.push_back(value + " (" + with + ", not " + without + ")");
    }
  }
  return stars;
}

namespace {

/// The steps with another slice of the same length in the place of each `a:b`.
std::vector<std::string> other_slices(const std::string& steps) {
  constexpr std::int64_t most = 8;
  constexpr std::size_t longest = 9;  // digits
  std::vector<std::string> out;
  const auto is_digit = [&](std::size_t i) { return i < steps.size() && std::isdigit(static_cast<unsigned char>(steps[i])) != 0; };
  for (std::size_t colon = steps.find(':'); colon != std::string::npos; colon = steps.find(':', colon + 1)) {
    std::size_t begin = colon, end = colon + 1;
    while (begin > 0 && is_digit(begin - 1)) --begin;
    while (is_digit(end)) ++end;
    const std::string from = steps.substr(begin, colon - begin), to = steps.substr(colon + 1, end - colon - 1);
    const bool is_plain = begin > 0 && (steps[begin - 1] == '[' || steps[begin - 1] == ',' || steps[begin - 1] == ' ') && (end == steps.size() || steps[end] != ':');
    if (!is_plain || to.empty() || from.size() > longest || to.size() > longest) continue;
    const std::int64_t first = from.empty() ? 0 : std::stoll(from), length = std::stoll(to) - first;
    for (std::int64_t at = length > 0 ? first % length : 0; length > 0 && at < most * length; at += length) {
      if (at != first) out.push_back(steps.substr(0, begin) + std::to_string(at) + ":" + std::to_string(at + length) + steps.substr(end));
    }
  }
  return out;
}

/// "0 to 1" of layers.0.g and layers.1.g.
std::string change_of(const std::string& name, const std::string& other) {
  std::size_t begin = 0, end = 0;
  const std::size_t shorter = std::min(name.size(), other.size());
  while (begin < shorter && name[begin] == other[begin]) ++begin;
  while (end < shorter - begin && name[name.size() - 1 - end] == other[other.size() - 1 - end]) ++end;
  return name.substr(begin, name.size() - begin - end) + " to " + other.substr(begin, other.size() - begin - end);
}

}  // namespace

std::string bound_variable(std::string_view binding) {
  std::size_t at = 0;
  return read_variable(binding, at);
}

std::vector<OtherBinding> other_bindings(std::string_view binding, const std::vector<TensorFile>& files) {
  struct Other {
    std::size_t distance;
    OtherBinding other;
  };
  std::size_t at = 0;
  const std::string variable = read_variable(binding, at);
  const Target target = find_target(binding, at, read_file(binding, at, files));
  const std::string steps(binding.substr(target.behind));
  std::vector<Other> found;
  for (const std::string& slice : other_slices(steps)) found.push_back({0, {target.tensor->name + slice, "", std::string(binding.substr(0, target.behind)) + slice, ""}});
  for (std::size_t i = 0; i < files.size(); ++i) {
    for (const TensorInfo& tensor : files[i].tensors()) {
      if (&tensor == target.tensor || tensor.shape != target.tensor->shape || tensor.name.find('"') != std::string::npos) continue;
      const std::string file = file_label(files, i) + "::", place = file + '"' + tensor.name + '"';
      const auto has_it = std::count_if(files.begin(), files.end(), [&](const TensorFile& f) { return f.find(tensor.name) != nullptr; });
      found.push_back({expr::edit_distance(tensor.name, target.tensor->name), {has_it > 1 ? file + tensor.name : tensor.name, change_of(target.tensor->name, tensor.name), variable + "=" + place + steps, file + tensor.name}});
    }
  }
  std::stable_sort(found.begin(), found.end(), [](const Other& a, const Other& b) { return a.distance < b.distance; });
  std::vector<OtherBinding> out;
  for (Other& other : found) out.push_back(std::move(other.other));
  return out;
}

}  // namespace foldproof::weights
