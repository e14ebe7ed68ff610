// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "collision/collision_world.h"
#include "model/model.h"

// The scenes of touching bodies, read from the examples so that all engines get the same.
namespace peers {

using tappet::Pose;
using tappet::Vec3d;

struct Scene {
  struct Body {
    double mass;
    Pose<double> pose;
    Vec3d velocity;
  };
  std::vector<Body> bodies;                 // rigid, in the order of the file
  std::vector<tappet::Collider> colliders;  // planes of the ground; one sphere, box or convex solid per body
  double mu = 0.0, e = 0.0;                 // of every contact
  double dt = 1e-3;
};
Scene scene_of(const char* model, const tappet::Overrides& set = {});
inline const tappet::Overrides two_hundred_rocks{{"n", "5"}};  // of rocks_in_box

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
