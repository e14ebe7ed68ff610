// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace peers {

struct Pile;

// The spheres at rest in their box, and their contacts, in plain numbers (C++17, for Siconos' headers).
struct Settled {
  struct Ball {
    std::array<double, 3> p, v, w;
  };
  struct Point {
    int A, B;                                  // B = −1 is a wall
    std::array<double, 3> on_A, on_B, normal;  // world; the normal from B to A
    std::uint64_t id;
  };

  explicit Settled(int steps);
  std::vector<Point> find(const std::vector<std::array<double, 3>>& centers, double margin);

  std::vector<Ball> balls;
  double mass, radius, inertia, mu;
  double deepest = 0.0;  // of the last find()

 private:
  std::shared_ptr<Pile> pile_;
};

}  // namespace peers
