// SPDX-License-Identifier: MIT
#include "weights/steps.hpp"

#include <algorithm>
#include <cctype>
#include <optional>
#include <string>
#include <utility>

#include "expr/diagnostic.hpp"

namespace foldproof::weights {

namespace {

class StepReader {
 public:
  StepReader(std::string_view binding, std::size_t at, View stored, RangeReader read) : text_(binding), at_(at), read_(std::move(read)), view_(std::move(stored)) {}

  Tensor read() {
    const std::size_t start = at_;
    for (skip_blanks(); at_ < text_.size(); skip_blanks()) {
      step_ = at_;
      if (take(".transpose") || take(".permute")) {
        transpose();
      } else if (take(".reshape") || take(".view")) {
        reshape();
      } else if (take(".T")) {
        view_ = permuted(view_, descending());
      } else if (take(".t()")) {  // PyTorch's
        if (view_.shape.size() > 2) fail("shape", "t() turns a matrix, and this has the shape " + text(view_.shape), "write the order of the axes: .transpose(0, 2, 1)");
        view_ = permuted(view_, descending());
      } else if (take("[")) {
        subscript();
      } else {
        fail("binding_syntax", "expected a step or the end", steps_hint);
      }
    }
    if (element_count(view_.shape) == 0) {
      step_ = start;
      fail("empty", "no element is left: the shape is " + text(view_.shape), "every dimension of a claim is at least 1");
    }
    collect();
    return {view_.shape, std::move(values_), format_};
  }

 private:
  /// Reads what is selected, and puts it in C order.
  void collect() {
    std::int64_t first = view_.offset, last = view_.offset;
    for (std::size_t axis = 0; axis < view_.shape.size(); ++axis) {
      const std::int64_t reach = view_.strides[axis] * std::max<std::int64_t>(view_.shape[axis] - 1, 0);
      (reach < 0 ? first : last) += reach;
    }
    if (read_ && element_count(view_.shape) != 0) {
      Tensor part = std::exchange(read_, nullptr)(first, last - first + 1);
      values_ = std::move(part.values);
      format_ = part.format;
      view_.offset -= first;
    }
    View ordered = row_major(view_.shape);
    const bool is_ordered = view_.strides == ordered.strides && view_.offset == 0 && static_cast<std::int64_t>(values_.size()) == element_count(view_.shape);
    if (!is_ordered) values_ = gather(view_, values_);
    view_ = std::move(ordered);
  }

  void transpose() {
    const Sizes given = arguments();
    const auto rank = static_cast<std::int64_t>(view_.shape.size());
    Sizes order = given.empty() ? descending() : given;
    std::vector<bool> seen(view_.shape.size(), false);
    bool fits = order.size() == view_.shape.size();
    for (std::int64_t& axis : order) {
      if (axis < 0) axis += rank;
      if (axis < 0 || axis >= rank || seen[static_cast<std::size_t>(axis)]) {
        fits = false;
        break;
      }
      seen[static_cast<std::size_t>(axis)] = true;
    }
    if (!fits) fail("shape", "the axes " + text(given) + " are not an order of the " + std::to_string(rank) + " axes of " + text(view_.shape));
    if (!given.empty() && std::is_sorted(order.begin(), order.end())) fail("shape", "NumPy's transpose" + std::string(given.size() == 2 ? "(0, 1) leaves the axes as they are, and PyTorch's exchanges them" : " of axes in their order leaves them as they are"), "write .T, or leave it out");
    view_ = permuted(view_, order);
  }

  void reshape() {
    Sizes wanted = arguments();
    const std::optional<std::int64_t> have = element_count(view_.shape);
    Sizes known;
    std::int64_t* open = nullptr;
    bool fits = true;
    for (std::int64_t& size : wanted) {
      if (size == -1 && open == nullptr) {
        open = &size;
      } else {
        fits = fits && size >= 0;
        known.push_back(size);
      }
    }
    const std::optional<std::int64_t> count = fits ? element_count(known) : std::nullopt;
    fits = have && count && (open == nullptr ? *count == *have : *count > 0 && *have % *count == 0);
    if (!fits) fail("shape", "a tensor of shape " + text(view_.shape) + " cannot be reshaped to " + text(wanted));
    if (open != nullptr) *open = *have / *count;
    collect();  // a transposed view has no strides for the new shape in general
    view_ = row_major(std::move(wanted));
  }

  void subscript() {
    View out{{}, {}, view_.offset};
    std::size_t axis = 0;
    do {
      skip_blanks();
      if (peek(']') && (axis > 0 || !out.shape.empty())) break;  // a trailing comma
      if (take("None") || take("np.newaxis")) {
        out.shape.push_back(1);
        out.strides.push_back(0);
      } else {
        select(out, axis++);
      }
      skip_blanks();
    } while (take(","));
    if (!take("]")) fail_here("expected `,` or `]`");
    for (; axis < view_.shape.size(); ++axis) {
      out.shape.push_back(view_.shape[axis]);
      out.strides.push_back(view_.strides[axis]);
    }
    view_ = std::move(out);
  }

  // One index or slice of `axis`.
  void select(View& out, std::size_t axis) {
    const std::size_t start = at_;
    const std::optional<std::int64_t> first = integer();
    const bool slice = take(":");
    if (!first && !slice) fail_here("expected an index, a slice or None");
    std::optional<std::int64_t> stop;
    std::int64_t step = 1;
    if (slice) {
      stop = integer();
      if (take(":")) step = integer().value_or(1);
    }
    step_ = start;
    if (axis >= view_.shape.size()) fail("shape", "too many subscripts for the shape " + text(view_.shape));
    const std::int64_t size = view_.shape[axis];
    const std::int64_t stride = view_.strides[axis];
    if (!slice) {
      if (*first < -size || *first >= size)
        fail("index", "index " + std::to_string(*first) + " is outside axis " + std::to_string(axis) + " of the shape " + text(view_.shape));
      out.offset += (*first < 0 ? *first + size : *first) * stride;
      return;
    }
    if (step == 0) fail("index", "the step of a slice cannot be 0");
    const Range range = clamp_slice(size, first, stop, step);
    out.shape.push_back(range.count);
    // Strides of at most one element are never used, and a huge step must not overflow.
    out.strides.push_back(range.count > 1 ? stride * range.step : 0);
    if (range.count > 0) out.offset += range.first * stride;
  }

  // "(1, 0, -1)"
  Sizes arguments() {
    Sizes out;
    skip_blanks();
    if (!take("(")) fail_here("expected `(`");
    skip_blanks();
    while (!take(")")) {
      const std::optional<std::int64_t> value = integer();
      if (!value && text_.substr(step_).starts_with(".view") && std::isalpha(static_cast<unsigned char>(peek())) != 0) fail("binding_syntax", "another type is read right behind the name of the tensor", "write NAME.view(U4), and the other steps after it");
      if (!value) fail_here("expected an integer");
      out.push_back(*value);
      skip_blanks();
      if (!take(",") && !peek(')')) fail_here("expected `,` or `)`");
      skip_blanks();
    }
    return out;
  }

  std::optional<std::int64_t> integer() {
    constexpr std::int64_t largest = std::int64_t{1} << 62;  // leaves room to add a size
    skip_blanks();
    const std::size_t start = at_;
    const bool negative = take("-");
    std::int64_t value = 0;
    const std::size_t digits = at_;
    for (; at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_])) != 0; ++at_) {
      if (__builtin_mul_overflow(value, 10, &value) || __builtin_add_overflow(value, text_[at_] - '0', &value) || value > largest) {
        fail_here("the integer is too large");
      }
    }
    if (at_ == digits && negative) fail_here("expected a digit");
    if (at_ == start) return std::nullopt;
    skip_blanks();
    return negative ? -value : value;
  }

  Sizes descending() const {
    Sizes order;
    for (std::size_t axis = view_.shape.size(); axis-- > 0;) order.push_back(static_cast<std::int64_t>(axis));
    return order;
  }

  void skip_blanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
  }
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool peek(char c) const { return at_ < text_.size() && text_[at_] == c; }
  bool take(std::string_view word) {
    if (text_.substr(at_, word.size()) != word) return false;
    at_ += word.size();
    return true;
  }
  [[noreturn]] void fail(const std::string& code, const std::string& message, const std::string& hint = {}) const {
    expr::fail("weights." + code, message, {step_, std::max(at_, step_ + 1)}, hint);
  }
  [[noreturn]] void fail_here(const std::string& message) const { expr::fail("weights.binding_syntax", message, {at_, at_ + 1}); }

  std::string_view text_;
  std::size_t at_;
  RangeReader read_;  ///< until it has read
  std::vector<double> values_;
  View view_;
  Format format_ = Format::float64;
  std::size_t step_ = 0;  ///< where the step being read begins
};

}  // namespace

bool begins_step(std::string_view rest) {
  while (!rest.empty() && (rest.front() == ' ' || rest.front() == '\t')) rest.remove_prefix(1);
  if (rest.empty()) return true;
  if (rest.front() == '[') return true;
  for (const std::string_view word : {".T", ".t()", ".transpose", ".permute", ".reshape", ".view"}) {
    // ".Table" is a longer name, not the step .T
    if (rest.substr(0, word.size()) == word && (rest.size() == word.size() || std::isalnum(static_cast<unsigned char>(rest[word.size()])) == 0)) return true;
  }
  return false;
}

Tensor apply_steps(std::string_view binding, std::size_t at, View stored, RangeReader read) { return StepReader(binding, at, std::move(stored), std::move(read)).read(); }

}  // namespace foldproof::weights
