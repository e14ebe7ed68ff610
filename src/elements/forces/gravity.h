// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tappet/pose.h>

#include "elements/keys.h"

namespace tappet {

// Weight: mass · acceleration acts at the centre of mass of every body, or of those named in `bodies`.
struct Gravity {
  static constexpr std::string_view name = "gravity";
  static constexpr std::string_view about =
      "bodies: [A, B, ..], or all; the weight, mass times acceleration, in the world";
  static constexpr int frames = 0;  // any number of bodies

  Vec3d acceleration{0, 0, -9.81};

  template <class V>
  void describe(V& v) {
    v.required("acceleration", acceleration);
  }
  Vec3d force(double mass) const { return mass * acceleration; }
  double energy(double mass, const Vec3d& p) const { return -mass * dot(acceleration, p); }
};

}  // namespace tappet
