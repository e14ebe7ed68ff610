// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>

#include "collision/solid.h"
#include "elements/keys.h"
#include "model/loading.h"

namespace tappet {

// Outlines are read after the other keys, since they need the default of the rounding.
struct WrittenOutline {
  static constexpr std::string_view expects =
      "points [[x, y], [x, y, rounding], {at: [x, y], arc: left, center: [x, y]}, ..], or one of {center: .., radius: "
      "..}, "
      "{file: points.csv}, {svg: \"M 0 0 ..\"}";
  std::optional<Item> item;
};
struct WrittenHoles {
  static constexpr std::string_view expects = "a list of outlines";
  std::optional<Item> item;
};

// A flat part of segments and arcs.
struct ProfileGeometry {
  static constexpr std::string_view name = "profile";
  static constexpr std::string_view about =
      "a flat part: an outline of segments and arcs in the plane, and holes in it";

  WrittenOutline outline;
  WrittenHoles holes;
  double rounding = 0.0;  // of corners that do not give their own
  int repeat = 1;         // turned copies of the outline about the origin

  struct AtLeastOne {
    static constexpr std::string_view text = "a whole number, 1 or more";
    bool operator()(int n) const { return n >= 1; }
  };

  template <class V>
  void describe(V& v) {
    v.required("outline", outline);
    v.optional("repeat", repeat, AtLeastOne{});
    v.optional("rounding", rounding, non_negative);
    v.optional("holes", holes);
  }
  std::shared_ptr<const Solid> make(const Item& item, Loading& loading) const;
};

}  // namespace tappet
