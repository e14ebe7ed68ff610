// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>

#include "collision/solid.h"
#include "elements/keys.h"
#include "model/loading.h"

namespace tappet {

struct HeightFile {
  static constexpr std::string_view expects = "the name of a file with a line of heights for each y";
  std::optional<Item> item;
};
struct HeightFormula {
  static constexpr std::string_view expects = "a formula of x and y";
  std::optional<Item> item;
};
struct TwoNumbers {
  static constexpr std::string_view expects = "two numbers [x, y]";
  std::optional<Item> item;
};

// A ground whose height is a smooth function of x and y.
struct TerrainGeometry {
  static constexpr std::string_view name = "terrain";
  static constexpr std::string_view about = "a ground z = h(x, y): a smooth surface through heights on a regular grid";

  HeightFile file;
  HeightFormula height;
  double spacing = 0.0;  // of the grid, in both directions
  TwoNumbers size;       // of the rectangle, if the height is a formula
  TwoNumbers corner;     // the one with the smallest x and y; unless given, the middle is at (0, 0)

  template <class V>
  void describe(V& v) {
    v.optional("file", file);
    v.optional("height", height);
    v.required("spacing", spacing, positive);
    v.optional("size", size);
    v.optional("corner", corner);
  }
  std::shared_ptr<const Solid> make(const Item& item, Loading& loading) const;
};

}  // namespace tappet
