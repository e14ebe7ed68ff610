// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tappet/pose.h>

#include <memory>
#include <string>
#include <vector>

#include "row.h"

namespace peers {

using tappet::Pose;
using tappet::Vec3d;

struct Settings {
  double dt = 1e-3;
  Vec3d gravity{0, 0, -9.81};
  double mu = 0.0, e = 0.0;  // of every contact
  bool exact = false;        // for few unknowns: use the direct method of the engine, if it has one
};

// The functions that a case needs from an engine. Bodies are numbered as they are added; −1 is the ground. Nothing is
// added after start() was called.
class Engine {
 public:
  virtual ~Engine() = default;
  virtual void begin(const Settings&) = 0;
  virtual int sphere(double radius, double mass, const Vec3d& p, const Vec3d& v) = 0;
  // A box that touches nothing is a link of a mechanism. `inertia` is about its axes.
  virtual int box(const Vec3d& size, double mass, const Pose<double>& pose, const Vec3d& v) = 0;
  virtual int link(double mass, const Vec3d& inertia, const Vec3d& p, const Vec3d& v, const Vec3d& w) = 0;
  virtual void plane(const Vec3d& normal, double offset) = 0;  // n·x ≥ offset is free
  // All points within `radius` of the hull of the vertices. Not every engine here has it.
  virtual bool has_convex() const { return false; }
  virtual int convex(const std::vector<Vec3d>&, double /*radius*/, double /*mass*/, const Pose<double>&) { return -1; }
  // b turns about the axis through `at` in a; b slides along x in a. An engine with joint coordinates uses the joint to
  // place b in its tree if b has no place yet, and otherwise as a loop to close.
  virtual void hinge(int a, int b, const Vec3d& at, const Vec3d& axis) = 0;
  virtual void slide(int a, int b, const Vec3d& axis) = 0;
  virtual void start() = 0;
  virtual void step() = 0;
  // false if the run is no longer meaningful, for example because buffers are full
  virtual bool healthy() const { return true; }
  virtual Pose<double> pose(int body) const = 0;
  virtual std::pair<Vec3d, Vec3d> velocity(int body) const = 0;  // of the centre, world; spin, world
};

// The program of one engine: its name and settings in words, and how to create it.
struct Peer {
  std::string name, setting, exact_setting;
  std::unique_ptr<Engine> (*make)();
  bool mechanisms_only = false;
};
int run_cases(const Peer& peer, int argc, char** argv);

}  // namespace peers
