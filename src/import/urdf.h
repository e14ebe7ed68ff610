// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tappet/error.h>
#include <tappet/pose.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace tappet::urdf {

// A frame in another one.
struct Frame {
  Vec3d p{};
  Quatd q{};

  Vec3d point(const Vec3d& x) const { return p + rotation_matrix(q) * x; }
  Vec3d direction(const Vec3d& x) const { return rotation_matrix(q) * x; }
  friend Frame operator*(const Frame& a, const Frame& b) { return {a.point(b.p), normalized(a.q * b.q)}; }
};

// The contents of a URDF file, as it says them: lengths in m, angles in rad, masses in kg. An origin is given
// in the frame of its link, and that of a joint in the frame of the parent link.
struct Shape {
  enum class Kind { box, cylinder, sphere, mesh };
  Kind kind = Kind::box;
  Frame origin;
  Vec3d size{};                       // of a box
  double radius = 0.0, length = 0.0;  // of a cylinder along z, of a sphere
  std::string file;                   // of a mesh, as it is written
  Vec3d scale{1, 1, 1};
  int line = 0;
};

struct Inertial {
  Frame origin;  // centre of mass, and the axes of the inertia
  double mass = 0.0;
  Mat3d inertia{};
};

struct Link {
  std::string name;
  std::optional<Inertial> inertial;
  std::vector<Shape> collision;
  int visuals = 0;  // the number of shapes that are only shown
  int line = 0;
};

struct Joint {
  enum class Type { revolute, continuous, prismatic, fixed, floating, planar };
  std::string name;
  Type type = Type::fixed;
  std::string parent, child;
  Frame origin;
  Vec3d axis{1, 0, 0};
  double lower = 0.0, upper = 0.0;
  std::optional<double> effort, velocity;
  double damping = 0.0, friction = 0.0;
  std::string mimics;  // the name of another joint
  int line = 0;

  bool moves() const { return type == Type::revolute || type == Type::continuous || type == Type::prismatic; }
  bool has_limits() const { return type == Type::revolute || type == Type::prismatic; }
};

struct Robot {
  std::string name, file;
  std::vector<Link> links;
  std::vector<Joint> joints;
  std::vector<std::string> ignored;  // what the file has and this structure has not, with the line
};

// Throws a ModelError with the line of what is wrong.
Robot read(const std::filesystem::path& file);

}  // namespace tappet::urdf
