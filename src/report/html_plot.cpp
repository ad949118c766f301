// SPDX-License-Identifier: MIT
#include "report/html_plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <set>
#include <vector>

#include "report/html_parts.hpp"

namespace foldproof::report {

namespace {

constexpr double left = 58, right = 400, top = 12, bottom = 176;  // of the plotting area, in units of the view box
constexpr double lowest = -6;                                     // ratios below 10^-6 are drawn there, exact agreement too
constexpr double largest = 1e12;                                  // what is further off, or not a number, is left out

struct Point {
  double size = 1;
  double ratio = 0;
};
struct Series {
  std::string format;
  std::vector<Point> points;
};

double ratio_of(const Json& bin) { return std::strtod(bin[2].get<std::string>().c_str(), nullptr); }
bool is_shown(double ratio) { return std::isfinite(ratio) && ratio <= largest; }

std::vector<Series> series(const Json& formats) {
  std::vector<Series> out;
  for (const Json& f : formats) {
    Series s{f["format"].get<std::string>(), {}};
    if (f.contains("by_size")) {
      for (const Json& bin : f["by_size"]) {
        if (is_shown(ratio_of(bin))) s.points.push_back({bin[0].get<double>(), ratio_of(bin)});
      }
    }
    if (!s.points.empty()) out.push_back(std::move(s));
  }
  return out;
}

double exponent(double ratio) { return ratio > 0 ? std::max(std::log10(ratio), lowest) : lowest; }

struct Scale {
  double first = 60, last = 0;  ///< log2 of the smallest and of the largest size
  double low = -1, high = 0;
  double x(double size) const { return left + (right - left) * (std::log2(size) - first) / (last - first); }
  double y(double e) const { return bottom - (bottom - top) * (e - low) / (high - low); }
};

Scale scale_of(const std::vector<Series>& all) {
  Scale out;
  for (const Series& s : all) {
    for (const Point& p : s.points) {
      out.first = std::min(out.first, std::log2(p.size));
      out.last = std::max(out.last, std::log2(p.size));
      out.low = std::min(out.low, std::floor(exponent(p.ratio)));
      out.high = std::max(out.high, std::ceil(exponent(p.ratio)));
    }
  }
  return out;
}

// Shapes tell the lines apart where colours do not.
std::string marker(std::size_t which, double x, double y) {
  switch (which % 3) {
    case 0: return fmt::format("<circle cx=\"{:.0f}\" cy=\"{:.0f}\" r=\"3.4\"/>", x, y);
    case 1: return fmt::format("<rect x=\"{:.0f}\" y=\"{:.0f}\" width=\"6\" height=\"6\"/>", x - 3, y - 3);
    default: return fmt::format("<path d=\"M{:.0f} {:.0f}l4 7h-8z\"/>", x, y - 4);
  }
}

std::string axes(const Scale& scale, const std::set<double>& sizes) {
  std::string out;
  const double step = std::max(1.0, std::ceil((scale.high - scale.low) / 6));
  for (double e = scale.low; e <= scale.high; e += step) {
    const std::string label = e == 0 ? "1" : e == -1 ? "0.1" : fmt::format("1e{:.0f}", e);
    out += fmt::format("<path class=\"axis\" d=\"M{:.0f} {:.0f}H{:.0f}\"/><text x=\"{:.0f}\" y=\"{:.0f}\" text-anchor=\"end\">{}</text>", left, scale.y(e), right, left - 10, scale.y(e) + 4, label);
  }
  for (const double size : sizes) out += fmt::format("<text x=\"{:.0f}\" y=\"{:.0f}\" text-anchor=\"middle\">{:.0f}</text>", scale.x(size), bottom + 16, size);
  out += fmt::format("<path class=\"bound\" d=\"M{:.0f} {:.0f}H{:.0f}\"/><text x=\"{:.0f}\" y=\"{:.0f}\">bound</text>", left, scale.y(0), right, left + 4, scale.y(0) - 3);
  return out + fmt::format("<text x=\"{:.0f}\" y=\"{:.0f}\" text-anchor=\"middle\">largest size of the instance, up to</text>", (left + right) / 2, bottom + 32);
}

// What the plot does not show as it is.
std::string remarks(const Json& formats) {
  bool floor = false;
  bool left_out = false;
  for (const Json& f : formats) {
    for (const Json& bin : f.value("by_size", Json::array())) {
      floor |= ratio_of(bin) < std::pow(10.0, lowest);
      left_out |= !is_shown(ratio_of(bin));
    }
  }
  std::string out;
  if (floor) out += "; exact agreement, and what is below 1e-6, is drawn at 1e-6";
  if (left_out) out += "; ratios above 1e12, infinite ones among them, are left out";
  return out;
}

}  // namespace

std::string ratio_plot(const Json& formats) {
  const std::vector<Series> all = series(formats);
  std::set<double> sizes;
  for (const Series& s : all) {
    for (const Point& p : s.points) sizes.insert(p.size);
  }
  if (sizes.size() < 2) return "";
  const Scale scale = scale_of(all);
  std::string body = axes(scale, sizes);
  for (std::size_t k = 0; k < all.size(); ++k) {
    std::string line;
    std::string marks;
    for (const Point& p : all[k].points) {
      const double y = scale.y(exponent(p.ratio));
      line += fmt::format("{}{:.0f},{:.0f}", line.empty() ? "" : " ", scale.x(p.size), y);
      marks += marker(k, scale.x(p.size), y);
    }
    const double legend = top + 26 + 18 * static_cast<double>(k);
    marks += marker(k, right + 12, legend) + fmt::format("<text x=\"{:.0f}\" y=\"{:.0f}\">{}</text>", right + 22, legend + 4, escaped(all[k].format));
    body += element("g", "<polyline points=\"" + line + "\"/>" + marks, fmt::format(" class=\"s{}\"", k % 6 + 1));
  }
  return "<p class=\"soft\">Worst difference over its bound, by the size of the instance" + remarks(formats) + ":</p><svg class=\"plot\" viewBox=\"0 0 510 216\" role=\"img\" "
         "aria-label=\"Worst difference over its bound against the largest size, one line for each format.\">" + body + "</svg>";
}

}  // namespace foldproof::report
