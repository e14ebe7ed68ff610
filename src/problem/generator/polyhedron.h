// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <vector>

namespace tappet {

// A convex polyhedron by its faces, for the rocks of generator.h. It begins as a box and is cut by planes.
class Polyhedron {
 public:
  using Vector = Eigen::Vector3d;
  struct Face {
    Vector normal;                // outward, of length 1
    std::vector<Vector> corners;  // in order around the face
    int label;                    // of the plane that cut it
  };
  struct Mass {  // at density 1
    double volume;
    Vector centre;
    Eigen::Matrix3d inertia;  // about the centre
  };

  Polyhedron(const Vector& low, const Vector& high, int label);  // the box, all of its faces with one label

  // Keeps the points x with normal · x ≤ distance. The face that this makes, if any, carries the label.
  void cut(const Vector& normal, double distance, int label);

  const std::vector<Face>& faces() const { return faces_; }
  Mass mass() const;

 private:
  std::vector<Face> faces_;
};

}  // namespace tappet
