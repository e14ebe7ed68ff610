// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace tappet {

struct Curve {
  std::string label;
  std::vector<double> x,
      y;  // values that are not finite, or not positive on a logarithmic axis, are left out and interrupt the line
  bool markers = false;  // a dot at every point
  double width = 1.5;
  bool cloud = false;  // many small dots and no line
};

struct Axis {
  std::string label;
  bool logarithmic = false;
  std::optional<double> from = {}, to = {};  // if not given, the range of the data
};

struct Plot {
  std::string title;
  Axis x, y;
  std::vector<Curve> curves;  // the legend names the curves that have a label
};

// One picture on a white background that needs no style sheet or script.
std::string to_svg(const Plot& plot);
void write_svg(const Plot& plot, const std::filesystem::path& file);  // throws std::runtime_error

// Escapes a text for XML and HTML.
std::string escaped(const std::string& text);

}  // namespace tappet
