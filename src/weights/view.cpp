// SPDX-License-Identifier: MIT
#include "weights/view.hpp"

#include <algorithm>
#include <utility>

#include "expr/diagnostic.hpp"

namespace foldproof::weights {

std::string text(const Sizes& shape) {
  std::string out = "[";
  for (std::size_t i = 0; i < shape.size(); ++i) out += (i > 0 ? ", " : "") + std::to_string(shape[i]);
  return out + "]";
}

std::optional<std::int64_t> element_count(const Sizes& shape) {
  if (std::find(shape.begin(), shape.end(), 0) != shape.end()) return 0;
  std::int64_t count = 1;
  for (const std::int64_t size : shape) {
    if (__builtin_mul_overflow(count, size, &count)) return std::nullopt;
  }
  return count;
}

View row_major(Sizes shape) {
  View view{std::move(shape), {}, 0};
  view.strides.resize(view.shape.size());
  std::int64_t stride = 1;
  // An empty tensor may have sizes whose product overflows; its strides are never used.
  const bool empty = element_count(view.shape) == 0;
  for (std::size_t i = view.shape.size(); i-- > 0;) {
    view.strides[i] = stride;
    if (!empty) stride *= view.shape[i];
  }
  return view;
}

View column_major(Sizes shape) {
  std::reverse(shape.begin(), shape.end());
  View view = row_major(std::move(shape));
  std::reverse(view.shape.begin(), view.shape.end());
  std::reverse(view.strides.begin(), view.strides.end());
  return view;
}

View permuted(const View& view, const Sizes& order) {
  expr::invariant(order.size() == view.shape.size(), "a transpose names every axis");
  View out{{}, {}, view.offset};
  for (const std::int64_t axis : order) {
    out.shape.push_back(view.shape.at(static_cast<std::size_t>(axis)));
    out.strides.push_back(view.strides.at(static_cast<std::size_t>(axis)));
  }
  return out;
}

Range clamp_slice(std::int64_t size, std::optional<std::int64_t> start, std::optional<std::int64_t> stop, std::int64_t step) {
  // Going down, -1 stands for "before the first element", which no user index can name.
  const std::int64_t lowest = step < 0 ? -1 : 0;
  const std::int64_t highest = step < 0 ? size - 1 : size;
  const auto clamp = [&](std::int64_t at) { return std::clamp(at < 0 ? at + size : at, lowest, highest); };
  const std::int64_t first = start ? clamp(*start) : (step < 0 ? highest : lowest);
  const std::int64_t last = stop ? clamp(*stop) : (step < 0 ? lowest : highest);
  const std::int64_t distance = step < 0 ? first - last : last - first;
  const std::int64_t stride = step < 0 ? -step : step;
  return {first, distance <= 0 ? 0 : (distance - 1) / stride + 1, step};
}

std::vector<double> gather(const View& view, const std::vector<double>& values) {
  const std::optional<std::int64_t> count = element_count(view.shape);
  expr::invariant(count.has_value(), "a view counts its elements");
  std::vector<double> out;
  out.reserve(static_cast<std::size_t>(*count));
  Sizes index(view.shape.size(), 0);
  std::int64_t position = view.offset;
  for (std::int64_t i = 0; i < *count; ++i) {
    out.push_back(values.at(static_cast<std::size_t>(position)));
    for (std::size_t axis = index.size(); axis-- > 0;) {
      position += view.strides[axis];
      if (++index[axis] < view.shape[axis]) break;
      position -= view.strides[axis] * view.shape[axis];
      index[axis] = 0;
    }
  }
  return out;
}

}  // namespace foldproof::weights
