// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>
#include <unordered_map>
#include <vector>

#include "collision/collision_world.h"
#include "scenes.h"

namespace peers {

using tappet::CollisionWorld;
using tappet::TouchPoint;

// The spheres in their box with our own plain Gauss–Seidel method. It brings them to rest before a peer takes over. In
// a step, begin() states the contact problem u = u_free + M⁻¹ H r with Hᵀu + gap/dt on the normals, sweep() or a peer
// solves it and applies r, and finish() moves the spheres.
struct Pile {
  static constexpr double dt = 1e-3, gravity = 9.81;

  struct Contact {
    int A, B;                     // B = −1 is a wall
    std::array<Vec3d, 3> d;       // normal (from B to A), two tangents
    std::array<Vec3d, 3> torque;  // about the centre of A, and of B
    double gap;
    std::uint64_t id;
  };

  Pile();
  void begin();
  void sweep(int times);
  void finish();
  double deepest();
  void apply(const Contact& c, const std::array<double, 3>& r);
  double velocity(const Contact& c, int i) const;  // relative, along d[i]

  Scene scene;
  int n;
  double radius = 0.0, mass, J;  // of all of them
  std::vector<Vec3d> v, w;
  std::vector<Pose<double>> bodies;
  std::unique_ptr<CollisionWorld> world;
  std::vector<TouchPoint> touches;
  std::vector<Contact> contacts;
  std::vector<std::array<double, 3>> r;
  std::unordered_map<std::uint64_t, std::array<double, 3>> memory;  // r of the previous step

 private:
  void add(const TouchPoint& t);
  void relax(const Contact& c, std::array<double, 3>& r);
};

}  // namespace peers
