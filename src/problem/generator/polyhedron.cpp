// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "problem/generator/polyhedron.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

namespace tappet {

namespace {

using Vector = Polyhedron::Vector;

// Puts the corners of a flat convex face in order around its normal; corners that coincide become one.
void sort_around(const Vector& normal, std::vector<Vector>& corners) {
  Vector middle = Vector::Zero();
  for (const Vector& x : corners) middle += x / static_cast<double>(corners.size());
  const Vector t1 = normal.unitOrthogonal(), t2 = normal.cross(t1);
  const auto angle = [&](const Vector& x) { return std::atan2(t2.dot(x - middle), t1.dot(x - middle)); };
  std::sort(corners.begin(), corners.end(), [&](const Vector& a, const Vector& b) { return angle(a) < angle(b); });
  const auto same = [](const Vector& a, const Vector& b) { return (a - b).norm() < 1e-9; };
  corners.erase(std::unique(corners.begin(), corners.end(), same), corners.end());
  while (corners.size() > 1 && same(corners.front(), corners.back())) corners.pop_back();
}

}  // namespace

Polyhedron::Polyhedron(const Vector& low, const Vector& high, int label) {
  for (int axis = 0; axis < 3; ++axis)
    for (bool upper : {false, true}) {
      Face face{upper ? Vector(Vector::Unit(axis)) : Vector(-Vector::Unit(axis)), {}, label};
      for (int corner = 0; corner < 4; ++corner) {
        Vector x = upper ? high : low;
        const int a = (axis + 1) % 3, b = (axis + 2) % 3;
        x[a] = corner % 2 ? high[a] : low[a], x[b] = corner / 2 ? high[b] : low[b];
        face.corners.push_back(x);
      }
      sort_around(face.normal, face.corners);
      faces_.push_back(face);
    }
}

void Polyhedron::cut(const Vector& normal, double distance, int label) {
  // Exactly 0 for corners in the plane: they stay, and belong to the new face.
  const auto above = [&](const Vector& x) {
    const double height = normal.dot(x) - distance;
    return std::abs(height) < 1e-12 ? 0.0 : height;
  };
  Face cap{normal, {}, label};
  std::vector<Face> kept;
  bool missed = true;
  for (const Face& face : faces_) {
    Face rest{face.normal, {}, face.label};
    for (size_t i = 0; i < face.corners.size(); ++i) {
      const Vector &a = face.corners[i], &b = face.corners[(i + 1) % face.corners.size()];
      const double above_a = above(a), above_b = above(b);
      if (above_a > 0.0) missed = false;
      if (above_a <= 0.0) rest.corners.push_back(a);
      if (above_a == 0.0) cap.corners.push_back(a);
      if (above_a * above_b >= 0.0) continue;
      const Vector crossing = a + above_a / (above_a - above_b) * (b - a);
      rest.corners.push_back(crossing);
      cap.corners.push_back(crossing);
    }
    if (rest.corners.size() >= 3) kept.push_back(rest);
  }
  if (missed) return;
  if (!cap.corners.empty()) sort_around(normal, cap.corners);
  if (cap.corners.size() >= 3) kept.push_back(cap);
  faces_ = kept;
}

// The sum over tetrahedra from a point inside to the triangles of every face.
Polyhedron::Mass Polyhedron::mass() const {
  Vector inside = Vector::Zero();
  double corners = 0.0;
  for (const Face& face : faces_)
    for (const Vector& x : face.corners) inside += x, corners += 1.0;
  inside /= corners;
  double volume = 0.0;
  Vector first = Vector::Zero();                     // ∫ x
  Eigen::Matrix3d second = Eigen::Matrix3d::Zero();  // ∫ x xᵀ
  for (const Face& face : faces_)
    for (size_t i = 1; i + 1 < face.corners.size(); ++i) {
      const Vector a = face.corners[0] - inside, b = face.corners[i] - inside, c = face.corners[i + 1] - inside;
      const double v = std::abs(a.dot(b.cross(c))) / 6.0;
      const Vector sum = a + b + c;
      volume += v, first += v / 4.0 * sum;
      second += v / 20.0 * (a * a.transpose() + b * b.transpose() + c * c.transpose() + sum * sum.transpose());
    }
  const Vector centre = first / volume;
  second -= volume * centre * centre.transpose();
  return {volume, inside + centre, second.trace() * Eigen::Matrix3d::Identity() - second};
}

}  // namespace tappet
