// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>

#include "collision/solid.h"
#include "elements/keys.h"
#include "model/loading.h"

namespace tappet {

struct WrittenVertices {
  static constexpr std::string_view expects = "a list of points [[x, y, z], ..]";
  std::optional<Item> item;
};
struct MeshFileName {
  static constexpr std::string_view expects = "the name of an STL, OBJ or PLY file";
  std::optional<Item> item;
};

// A convex solid with rounded edges: the hull of points, or of the triangles of a file.
struct ConvexGeometry {
  static constexpr std::string_view name = "convex";
  static constexpr std::string_view about = "a convex solid in space: the hull of `vertices`, or of the mesh in `file`";
  static constexpr double default_rounding = 0.01;  // in units of the distance from the centre to the nearest face

  WrittenVertices vertices;
  MeshFileName file;
  double scale = 1.0;  // the metres per unit of the file
  std::optional<double> rounding;

  template <class V>
  void describe(V& v) {
    v.optional("vertices", vertices);
    v.optional("file", file);
    v.optional("scale", scale, positive);
    v.optional("rounding", rounding, non_negative);
  }
  std::shared_ptr<const Solid> make(const Item& item, Loading& loading) const;
};

}  // namespace tappet
