// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <Eigen/Geometry>
#include <cmath>
#include <numbers>

#include "problem/generator/generated_scene.h"

namespace tappet {

namespace {

using Vector = GeneratedScene::Vector;
constexpr int ground = GeneratedScene::ground;

}  // namespace

// Boxes on top of each other. The topmost is heavier by `ratio`.
GeneratedScene stack(double ratio, int boxes, std::mt19937& random) {
  std::uniform_real_distribution<double> shift(-0.05, 0.05);
  GeneratedScene scene;
  int below = ground;
  for (int k = 0; k < boxes; ++k) {
    const Vector centre(shift(random), shift(random), k + 0.5);
    const int box = scene.add_box(k + 1 == boxes ? ratio : 1.0, centre, {1, 1, 1});
    for (double x : {-0.4, 0.4})
      for (double y : {-0.4, 0.4}) scene.touch(box, below, {x, y, static_cast<double>(k)}, Vector::UnitZ(), 0.5);
    below = box;
  }
  return scene;
}

// Bricks in running bond. Every bed joint has 2 × `points` contacts.
GeneratedScene wall(double points, int courses, std::mt19937& random) {
  std::uniform_real_distribution<double> jitter(-0.02, 0.02);
  const int along = static_cast<int>(points), bricks = courses;
  GeneratedScene scene;
  std::vector<int> below;
  for (int k = 0; k < courses; ++k) {
    std::vector<int> here;
    const int count = bricks + (k % 2);
    for (int i = 0; i < count; ++i) {
      const double x = 2.0 * i - (k % 2);
      const int brick = scene.add_box(1.0, {x, 0, k + 0.5}, {2, 1, 1});
      here.push_back(brick);
      for (int half = 0; half < 2; ++half) {
        const double middle = x + half - 0.5;
        int support = ground;
        if (k > 0) {
          const int index = k % 2 ? i - 1 + half : i + half;
          if (index < 0 || index >= static_cast<int>(below.size())) continue;
          support = below[index];
        }
        for (int p = 0; p < along; ++p)
          for (double y : {-0.4, 0.4}) {
            const double s = along > 1 ? -0.4 + 0.8 * p / (along - 1) : 0.0;
            scene.touch(brick, support, {middle + s + jitter(random), y, static_cast<double>(k)}, Vector::UnitZ(), 0.6);
          }
      }
    }
    below = here;
  }
  return scene;
}

namespace {

constexpr double rod_length = 3.0, rod_radius = 0.1;

struct Rod {
  int body;
  Vector centre, axis;
};

Rod add_rod(const Vector& centre, double heading, GeneratedScene& scene) {
  const Vector axis(std::cos(heading), std::sin(heading), 0);
  const double J = rod_length * rod_length / 12.0;
  const Eigen::Matrix3d inertia = J * (Eigen::Matrix3d::Identity() - axis * axis.transpose()) +
                                  0.5 * rod_radius * rod_radius * Eigen::Matrix3d::Identity();
  return {scene.add_body(1.0, centre, inertia), centre, axis};
}

// The place along its axis at which a rod crosses another, seen from above. Returns false if it does not.
bool crossing(const Rod& rod, const Rod& other, double& along) {
  Eigen::Matrix2d A;
  A << rod.axis.x(), -other.axis.x(), rod.axis.y(), -other.axis.y();
  if (std::abs(A.determinant()) < 1e-3) return false;
  const Eigen::Vector2d s = A.inverse() * (other.centre - rod.centre).head<2>();
  along = s.x();
  return s.cwiseAbs().maxCoeff() <= rod_length / 2;
}

}  // namespace

// Layers of crossed rods. Each rod touches those that it crosses below. The normals lean at random, as in a heap.
GeneratedScene rods(double mu, int rods_per_side, std::mt19937& random) {
  std::uniform_real_distribution<double> jitter(-0.3, 0.3), lean(-0.35, 0.35);
  constexpr int layers = 5;
  const Vector down(0, 0, -rod_radius);
  GeneratedScene scene;
  std::vector<Rod> below;
  for (int layer = 0; layer < layers; ++layer) {
    std::vector<Rod> here;
    const double height = rod_radius * (1 + 2 * layer);
    const bool crosswise = layer % 2;
    for (int i = 0; i < rods_per_side; ++i)
      for (int j = 0; j < (rods_per_side + 1) / 2; ++j) {
        const double a = i + jitter(random), b = 2.0 * j + (i % 2) + jitter(random), angle = 0.5 * lean(random);
        here.push_back(add_rod({crosswise ? a : b, crosswise ? b : a, height},
                               angle + (crosswise ? std::numbers::pi / 2 : 0.0), scene));
      }
    for (const Rod& rod : here) {
      for (double s : {-0.4 * rod_length, 0.4 * rod_length})
        if (layer == 0) scene.touch(rod.body, ground, rod.centre + s * rod.axis + down, Vector::UnitZ(), mu);
      double s = 0.0;
      for (const Rod& other : below)
        if (crossing(rod, other, s))
          scene.touch(rod.body, other.body, rod.centre + s * rod.axis + down, Vector(lean(random), lean(random), 1.0),
                      mu);
    }
    below = here;
  }
  return scene;
}

// A semicircular arch of voussoirs. Its thickness is given relative to the mean radius (below 0.107 it must fall).
GeneratedScene arch(double thickness, int voussoirs, std::mt19937& random) {
  std::uniform_real_distribution<double> jitter(-0.002, 0.002);
  const double step = std::numbers::pi / voussoirs, depth = 0.3;
  GeneratedScene scene;
  for (int k = 0; k < voussoirs; ++k) {
    const double angle = (k + 0.5) * step;
    const Vector radial(std::cos(angle), 0, std::sin(angle));
    Eigen::Matrix3d R;
    R.col(0) = radial, R.col(1) = Vector::UnitY(), R.col(2) = radial.cross(Vector::UnitY());
    scene.add_box(thickness * step * depth * 2000.0, radial, {thickness, depth, step}, R);
  }
  for (int k = 0; k <= voussoirs; ++k) {
    const double angle = k * step + (k % voussoirs ? jitter(random) * step : 0.0);
    const Vector radial(std::cos(angle), 0, std::sin(angle)), along(-std::sin(angle), 0, std::cos(angle));
    const int body = k < voussoirs ? k : k - 1, other = k == 0 || k == voussoirs ? ground : k - 1;
    for (double r : {1 - 0.5 * thickness, 1 + 0.5 * thickness})
      for (double y : {-0.5 * depth, 0.5 * depth})
        scene.touch(body, other, r * radial + Vector(0, y, 0), k < voussoirs ? along : Vector(-along), 0.6);
  }
  return scene;
}

// Loops that hang in one another. Each is held at two points of the loop above.
GeneratedScene chain(double links, int, std::mt19937& random) {
  std::uniform_real_distribution<double> jitter(-0.02, 0.02);
  GeneratedScene scene;
  const int count = static_cast<int>(links);
  for (int k = 0; k < count; ++k) {
    const Vector centre(0, 0, -k * 1.0);
    const bool crosswise = k % 2;
    const Vector plane = crosswise ? Vector::UnitY() : Vector::UnitX();  // the loop lies in span(plane, z)
    const Vector J = 0.05 * (Vector(1, 1, 1) + plane.cross(Vector::UnitZ()).cwiseAbs());
    const int link = scene.add_body(1.0, centre, J.asDiagonal());
    const Vector across = plane.cross(Vector::UnitZ());
    for (double side : {-1.0, 1.0}) {
      const Vector point = centre + Vector(0, 0, 0.5) + 0.05 * side * across + jitter(random) * plane;
      scene.touch(link, link == 0 ? ground : link - 1, point, Vector(0, 0, 1) + 0.5 * side * across, 0.5);
    }
  }
  return scene;
}

// Blocks wedged between two inclined planes, one above the other. The difficulty is tan α / μ; below 1 they jam.
GeneratedScene wedge(double ratio, int blocks, std::mt19937& random) {
  std::uniform_real_distribution<double> jitter(-0.02, 0.02);
  constexpr double mu = 0.5;
  const double alpha = std::atan(ratio * mu);
  GeneratedScene scene;
  int below = ground;
  for (int k = 0; k < blocks; ++k) {
    const double height = 1.0 + k, half = 0.5 + height * std::tan(alpha);
    const int block = scene.add_box(1.0, {jitter(random), jitter(random), height}, {2 * half, 1, 1});
    for (double side : {-1.0, 1.0})
      for (double y : {-0.4, 0.4})
        for (double z : {-0.4, 0.4})
          scene.touch(block, ground, {side * (half + z * std::tan(alpha)), y, height + z},
                      {-side * std::cos(alpha), 0, std::sin(alpha)}, mu);
    if (k > 0)
      for (double x : {-0.4, 0.4})
        for (double y : {-0.4, 0.4}) scene.touch(block, below, {x, y, height - 0.5}, Vector::UnitZ(), mu);
    below = block;
  }
  return scene;
}

}  // namespace tappet
