// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "math/spatial.h"

// The scenes of many bodies, as they stand in models/many.
namespace peers {

using tappet::Vec3d;

struct Spheres {
  double radius = 0.05, mass = 0.0, width = 1.2, mu = 0.3;
  std::vector<Vec3d> centers;
};
Spheres spheres_in_box();

struct Pyramid {
  double edge = 1.0, mass = 1000.0, mu = 0.5;
  std::vector<Vec3d> centers;
};
Pyramid pyramid_of_cubes();

struct Chain {
  int count = 100;
  double length = 0.1, thickness = 0.02, mass = 0.1;

  Vec3d inertia() const {
    const double along = mass * thickness * thickness / 6.0;
    const double across = mass * (length * length + thickness * thickness) / 12.0;
    return {along, across, across};
  }
};

}  // namespace peers
