// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "shared/text_drawing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "collision/profile/outline.h"

namespace tappet {
namespace {

constexpr int most_columns = 48, most_lines = 20;  // characters

bool is_material(const PlanarProfile& profile, const Vec2& p) {
  bool inside = false;
  for (int k = 0; k < profile.loops(); ++k) inside = inside != encloses(profile.loop(k), p);
  return inside;
}

// The character of a Braille pattern in UTF-8.
std::string braille(int pattern) {
  const int code = 0x2800 + pattern;
  return {static_cast<char>(0xe0 | code >> 12), static_cast<char>(0x80 | (code >> 6 & 0x3f)),
          static_cast<char>(0x80 | (code & 0x3f))};
}

}  // namespace

std::string text_drawing(const PlanarProfile& profile) {
  constexpr int dot[4][2] = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
  const double width = 2.0 * profile.half().x, height = 2.0 * profile.half().y;
  const double pitch = std::max(width / (2 * most_columns), height / (4 * most_lines));
  const int columns = std::max(1, static_cast<int>(std::ceil(width / (2 * pitch)))),
            lines = std::max(1, static_cast<int>(std::ceil(height / (4 * pitch))));
  const Vec2 corner{profile.mid().x - columns * pitch, profile.mid().y + 2 * lines * pitch};
  std::string text;
  for (int line = 0; line < lines; ++line) {
    text += "    ";
    for (int column = 0; column < columns; ++column) {
      int pattern = 0;
      for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 2; ++j)
          if (is_material(profile,
                          {corner.x + (2 * column + j + 0.5) * pitch, corner.y - (4 * line + i + 0.5) * pitch}))
            pattern |= dot[i][j];
      text += braille(pattern);
    }
    text += "\n";
  }
  return text + fmt::format("    one character is {:.3g} m wide\n", 2 * pitch);
}

}  // namespace tappet
