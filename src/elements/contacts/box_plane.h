// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "elements/contacts/point_plane.h"

namespace tappet {

// The corners of a box of A and a plane of B. Between planar bodies a box has four corners.
struct BoxPlane {
  static constexpr std::string_view name = "box-plane";
  static constexpr std::string_view about =
      "bodies: [A, B]; the corners of a box of A, on the side of B's plane that `normal` points to: name.1, name.2, ..";
  using Part = PointPlane;  // the element of which it is made

  Vec3d size{1, 1, 1}, center{};  // edge lengths along the axes of A, its centre in A; size.z is not used in the plane
  Plane plane;

  struct Edges {
    static constexpr std::string_view text = "two or three positive numbers";
    bool operator()(const Vec3d& a) const { return finite(a) && a.x > 0.0 && a.y > 0.0 && a.z >= 0.0; }
  };

  template <class V>
  void describe(V& v) {
    v.required("size", size, Edges{});
    v.optional("center", center);
    plane.describe(v);
  }
  void attach(const Pose<double>& A, const Pose<double>& B, bool planar) { plane.attach(); }

  std::vector<PointPlane> parts(bool planar) const {
    std::vector<PointPlane> corners;
    for (double z : {-0.5, 0.5})
      for (double y : {-0.5, 0.5})
        for (double x : {-0.5, 0.5})
          if (!planar || z < 0.0)
            corners.push_back({center + Vec3d{x * size.x, y * size.y, planar ? 0.0 : z * size.z}, plane});
    return corners;
  }
};

}  // namespace tappet
