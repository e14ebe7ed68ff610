// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "problem/generator/generated_scene.h"
#include "problem/generator/polyhedron.h"

namespace tappet {

namespace {

using Vector = GeneratedScene::Vector;
constexpr int nothing = -2;          // the label of a face that touches nothing
constexpr double mass_spread = 4.0;  // masses e^±4 times the volume, as of stones whose sizes differ fourteenfold

// Points at random, about one apart: those of a heap above the plane z = 0 come first, `rocks` of them, then those
// around the heap that give the outer rocks their shape.
std::vector<Vector> centres(int rocks, std::mt19937& random) {
  std::uniform_real_distribution<double> jitter(-0.35, 0.35);
  const auto level = [](const Vector& x) { return x.z() + 0.6 * x.head<2>().norm(); };  // the heap is a cone
  const double height = std::cbrt(3.0 * rocks * 0.6 * 0.6 / 3.14159265358979) + 2.5;
  const int wide = static_cast<int>(height / 0.6) + 1, high = static_cast<int>(height) + 1;
  std::vector<Vector> points;
  for (int k = 0; k < high; ++k)
    for (int i = -wide; i <= wide; ++i)
      for (int j = -wide; j <= wide; ++j)
        points.emplace_back(i + 0.5 * (k % 2) + jitter(random), j + 0.5 * (k % 2) + jitter(random),
                            k + 0.5 + jitter(random));
  std::sort(points.begin(), points.end(), [&](const Vector& a, const Vector& b) { return level(a) < level(b); });
  const double outermost = level(points[std::min<size_t>(rocks, points.size()) - 1]) + 3.0;
  std::erase_if(points, [&](const Vector& x) { return level(x) > outermost; });
  return points;
}

// The part of space that is nearer to one point than to all others, above the ground.
Polyhedron cell(const std::vector<Vector>& points, int own) {
  const Vector& x = points[own];
  Polyhedron cell({x.x() - 3, x.y() - 3, x.z() - 3}, {x.x() + 3, x.y() + 3, x.z() + 3}, nothing);
  cell.cut(-Vector::UnitZ(), 0.0, GeneratedScene::ground);
  for (int other = 0; other < static_cast<int>(points.size()); ++other) {
    const Vector between = points[other] - x;
    const double distance = between.norm();
    if (other == own || distance > 4.0) continue;
    const Vector normal = between / distance;
    cell.cut(normal, normal.dot(0.5 * (x + points[other])), other);
  }
  return cell;
}

// How rocks meet and move.
struct Pile {
  double chance;     // that rocks beside each other touch
  int first_kind;    // of touching, of 0 to 3: over one corner, an edge, or up to four corners
  double asymmetry;  // of G
};

// Real stones hardly ever meet over a whole face: here over one corner, an edge or up to four corners, a little inside.
void touch_at(const Polyhedron::Face& face, int rock, int other, double mu, int first_kind, std::mt19937& random,
              GeneratedScene& scene) {
  const size_t corners = face.corners.size();
  const int kind = std::uniform_int_distribution<int>(first_kind, 3)(random);
  const size_t points = kind == 0 ? 1 : kind == 1 ? 2 : std::min<size_t>(corners, 4);
  const size_t first = std::uniform_int_distribution<size_t>(0, corners - 1)(random);
  Vector middle = Vector::Zero();
  for (const Vector& x : face.corners) middle += x / static_cast<double>(corners);
  for (size_t i = 0; i < points; ++i) {
    const size_t step = kind < 2 ? i : i * corners / points;
    const Vector& corner = face.corners[(first + step) % corners];
    scene.touch(rock, other, corner + 0.05 * (middle - corner), -face.normal, mu);
  }
}

// A heap of rocks: convex polyhedra that fit each other as the stones of a dry wall do, of which those beside each
// other touch here and there, those upon each other nearly always.
GeneratedScene heap(const Pile& pile, double mu, int count, std::mt19937& random) {
  std::uniform_real_distribution<double> uniform(0.0, 1.0);
  const std::vector<Vector> points = centres(count, random);
  count = std::min(count, static_cast<int>(points.size()));
  std::vector<Polyhedron> cells;
  GeneratedScene scene;
  for (int i = 0; i < count; ++i) {
    cells.push_back(cell(points, i));
    const Polyhedron::Mass mass = cells.back().mass();
    const double density = std::exp(mass_spread * (2.0 * uniform(random) - 1.0));
    scene.add_body(density * mass.volume, mass.centre, density * mass.inertia);
  }
  for (int i = 0; i < count; ++i)
    for (const Polyhedron::Face& face : cells[i].faces()) {
      const bool rock = face.label >= 0 && face.label < i;  // every pair once
      if (!rock && face.label != GeneratedScene::ground) continue;
      const double chance = pile.chance + 0.4 * face.normal.z() * face.normal.z();
      if (uniform(random) < chance) touch_at(face, i, face.label, mu, pile.first_kind, random, scene);
    }
  scene.tumble(pile.asymmetry, random);
  return scene;
}

}  // namespace

GeneratedScene rocks(double mu, int count, std::mt19937& random) {
  return heap({.chance = 0.2, .first_kind = 0, .asymmetry = 0.003}, mu, count, random);
}

GeneratedScene boulders(double mu, int count, std::mt19937& random) {
  return heap({.chance = 0.5, .first_kind = 2, .asymmetry = 0.03}, mu, count, random);
}

}  // namespace tappet
