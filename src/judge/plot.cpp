// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "judge/plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <set>

namespace tappet {

namespace {

constexpr double width = 720, height = 400, left = 76, right = 186, top = 34, bottom = 52;
constexpr double plot_width = width - left - right, plot_height = height - top - bottom;
constexpr const char* colours[] = {"#1b6ca8", "#d1495b", "#2e8b57", "#e08e0b", "#7a4fa3",
                                   "#5d6d7e", "#00897b", "#a0522d", "#c2185b"};
constexpr const char* dashes[] = {"", "6 3", "2 3"};

// Maps data to the unit interval.
class Scale {
 public:
  Scale(const Axis& axis, const Plot& plot, std::vector<double> Curve::*values) : logarithmic_(axis.logarithmic) {
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (const Curve& curve : plot.curves)
      for (const double x : curve.*values)
        if (shown(x)) low = std::min(low, mapped(x)), high = std::max(high, mapped(x));
    if (low > high) low = 0, high = 1;
    if (low == high) low -= logarithmic_ ? 1 : std::max(1e-12, 0.5 * std::abs(low)), high += high - low;
    const double margin = 0.03 * (high - low);
    low_ = axis.from ? mapped(*axis.from) : low - margin;
    high_ = axis.to ? mapped(*axis.to) : high + margin;
  }

  bool shown(double x) const { return std::isfinite(x) && (!logarithmic_ || x > 0); }
  double operator()(double x) const { return (mapped(x) - low_) / (high_ - low_); }

  std::vector<double> ticks() const { return logarithmic_ ? decades() : round_numbers(); }

 private:
  double mapped(double x) const { return logarithmic_ ? std::log10(x) : x; }

  std::vector<double> decades() const {
    std::vector<double> values;
    const int stride = std::max(1, static_cast<int>(std::ceil((high_ - low_) / 8)));
    for (int d = static_cast<int>(std::ceil(low_ - 1e-9)); d <= high_ + 1e-9; ++d)
      if (d % stride == 0) values.push_back(std::pow(10.0, d));
    return values;
  }
  std::vector<double> round_numbers() const {
    const double raw = (high_ - low_) / 6, power = std::pow(10.0, std::floor(std::log10(raw)));
    double step = 10 * power;
    for (const double factor : {5.0, 2.0, 1.0})
      if (factor * power >= raw) step = factor * power;
    std::vector<double> values;
    for (double k = std::ceil(low_ / step - 1e-9); k * step <= high_ + 1e-9 * step; ++k)
      values.push_back(k * step + 0.0);  // not −0
    return values;
  }

  bool logarithmic_;
  double low_ = 0, high_ = 1;
};

class Picture {
 public:
  explicit Picture(const Plot& plot) : plot_(plot), x_(plot.x, plot, &Curve::x), y_(plot.y, plot, &Curve::y) {}

  std::string draw() {
    add("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" font-family=\"sans-serif\" "
        "font-size=\"12\">\n",
        width, height);
    add("<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n<clipPath id=\"inside\"><rect x=\"{}\" y=\"{}\" "
        "width=\"{}\" height=\"{}\"/></clipPath>\n",
        left, top, plot_width, plot_height);
    text(left + plot_width / 2, 20, "middle", "#222", plot_.title, " font-size=\"14\"");
    axes();
    int shown = 0;
    for (size_t k = 0; k < plot_.curves.size(); ++k) curve(plot_.curves[k], k, shown);
    return svg_ + "</svg>\n";
  }

 private:
  template <class... Arguments>
  void add(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    fmt::format_to(std::back_inserter(svg_), format, std::forward<Arguments>(arguments)...);
  }
  void text(double x, double y, const char* anchor, const char* colour, const std::string& words,
            const std::string& more = "") {
    add("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\" fill=\"{}\"{}>{}</text>\n", x, y, anchor, colour, more,
        escaped(words));
  }
  double px(double x) const { return left + plot_width * x_(x); }
  double py(double y) const { return top + plot_height * (1 - y_(y)); }

  void axes() {
    constexpr const char* line = "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"#ddd\"/>\n";
    for (const double x : x_.ticks()) {
      add(line, px(x), top, px(x), top + plot_height);
      text(px(x), top + plot_height + 16, "middle", "#222", fmt::format("{:.4g}", x));
    }
    for (const double y : y_.ticks()) {
      add(line, left, py(y), left + plot_width, py(y));
      text(left - 6, py(y) + 4, "end", "#222", fmt::format("{:.4g}", y));
    }
    add("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"none\" stroke=\"#999\"/>\n", left, top, plot_width,
        plot_height);
    text(left + plot_width / 2, height - 12, "middle", "#222", plot_.x.label);
    text(16, top + plot_height / 2, "middle", "#222", plot_.y.label,
         fmt::format(" transform=\"rotate(-90 16 {})\"", top + plot_height / 2));
  }

  void curve(const Curve& curve, size_t index, int& shown) {
    const char* colour = colours[index % std::size(colours)];
    const char* dash = dashes[index / std::size(colours) % std::size(dashes)];
    const std::string style = *dash ? fmt::format(" stroke-dasharray=\"{}\"", dash) : std::string();
    std::string points;
    const auto finish = [&] {
      if (!points.empty())
        add("<polyline clip-path=\"url(#inside)\" points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{}\"{}/>\n",
            points, colour, curve.width, style);
      points.clear();
    };
    if (curve.cloud) cloud(curve, colour);
    for (const size_t k : curve.cloud ? std::vector<size_t>() : worth_drawing(curve)) {
      if (!x_.shown(curve.x[k]) || !y_.shown(curve.y[k])) {
        finish();
        continue;
      }
      fmt::format_to(std::back_inserter(points), "{:.1f},{:.1f} ", px(curve.x[k]), py(curve.y[k]));
    }
    finish();
    if (curve.markers)
      for (size_t k = 0; k < curve.x.size(); ++k)
        if (x_.shown(curve.x[k]) && y_.shown(curve.y[k]))
          add("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"2.5\" fill=\"{}\"/>\n", px(curve.x[k]), py(curve.y[k]), colour);
    if (curve.label.empty()) return;
    const double y = top + 14 + 17 * shown++;
    add("<line x1=\"{:.0f}\" y1=\"{:.0f}\" x2=\"{:.0f}\" y2=\"{:.0f}\" stroke=\"{}\" stroke-width=\"2\"{}/>\n",
        left + plot_width + 8, y - 4, left + plot_width + 24, y - 4, colour, style);
    text(left + plot_width + 28, y, "start", "#222", curve.label, " font-size=\"11\"");
  }

  // Points that fall on the same half of a pixel are drawn once, so the size of the picture has a bound.
  void cloud(const Curve& curve, const char* colour) {
    std::set<std::pair<long, long>> drawn;
    std::string path;
    for (size_t k = 0; k < std::min(curve.x.size(), curve.y.size()); ++k) {
      if (!x_.shown(curve.x[k]) || !y_.shown(curve.y[k])) continue;
      const auto [i, j] = std::pair(std::lround(2 * px(curve.x[k])), std::lround(2 * py(curve.y[k])));
      if (drawn.emplace(i, j).second) fmt::format_to(std::back_inserter(path), "M{:g} {:g}h0", 0.5 * i, 0.5 * j);
    }
    add("<path clip-path=\"url(#inside)\" d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"0.7\" "
        "stroke-linecap=\"round\"/>\n",
        path, colour);
  }

  // For long curves over growing x, this keeps the first, lowest, highest and last point of every pixel.
  std::vector<size_t> worth_drawing(const Curve& curve) const {
    std::vector<size_t> kept;
    const size_t count = std::min(curve.x.size(), curve.y.size());
    if (count < 4 * plot_width || !std::is_sorted(curve.x.begin(), curve.x.end())) {
      const size_t stride = std::max<size_t>(1, count / 3000);
      for (size_t k = 0; k < count; k += stride) kept.push_back(k);
      return kept;
    }
    for (size_t first = 0; first < count;) {
      size_t last = first, low = first, high = first;
      for (; last < count && std::floor(px(curve.x[last])) == std::floor(px(curve.x[first])); ++last) {
        if (curve.y[last] < curve.y[low]) low = last;
        if (curve.y[last] > curve.y[high]) high = last;
      }
      last = std::max(last, first + 1);
      for (const size_t k : {first, std::min(low, high), std::max(low, high), last - 1})
        if (kept.empty() || k > kept.back()) kept.push_back(k);
      first = last;
    }
    return kept;
  }

  const Plot& plot_;
  Scale x_, y_;
  std::string svg_;
};

}  // namespace

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        result += c;
    }
  return result;
}

std::string to_svg(const Plot& plot) { return Picture(plot).draw(); }

void write_svg(const Plot& plot, const std::filesystem::path& file) {
  std::ofstream stream(file);
  stream << to_svg(plot);
  stream.close();
  if (!stream) throw std::runtime_error(fmt::format("cannot write {}", file.string()));
}

}  // namespace tappet
