// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <random>
#include <vector>

#include "problem/contact_problem.h"
#include "problem/free_motion.h"

namespace tappet {

// Rigid bodies under their weight and contacts between them, for the problems of generator.h.
class GeneratedScene {
 public:
  using Vector = Eigen::Vector3d;
  static constexpr int ground = -1;

  int add_body(double mass, const Vector& centre, const Eigen::Matrix3d& inertia);
  int add_box(double mass, const Vector& centre, const Vector& size,
              const Eigen::Matrix3d& R = Eigen::Matrix3d::Identity());
  // The normal points from `other` to `body`.
  void touch(int body, int other, const Vector& point, const Vector& normal, double mu);

  void add(const GeneratedScene& other);  // far away, so that nothing touches

  // Sets the bodies in motion. Most are nearly at rest; a few move and turn up to thirty times as fast as gravity makes
  // them in a step. The gyroscopic terms in M̂ of an implicit step then make G = Wᵀ M̂⁻¹ W unsymmetric, and are chosen so
  // that the largest |G − Gᵀ| becomes `asymmetry` times the largest |G|. The rank of G stays.
  void tumble(double asymmetry, std::mt19937& random);

  // One step from rest, plus random velocities of a hundredth of those that gravity causes in the step, or those of
  // tumble().
  ContactProblem problem(std::mt19937& random, FreeMotion& motion) const;

 private:
  struct Body {
    double mass;
    Vector centre;
    Eigen::Matrix3d inertia;
    // Of bodies that tumble(): velocities, and what is added to the inertia in M̂ (unsymmetric).
    Vector v = Vector::Zero(), omega = Vector::Zero();
    Eigen::Matrix3d gyroscopic = Eigen::Matrix3d::Zero();
  };
  struct Contact {
    int body, other;
    Vector point, normal;
    double mu;
  };
  void append(const Contact& contact, BlockRows& W, Laws& laws) const;
  void fill_mass(SparseColumns& M) const;
  void assemble(FreeMotion& motion, const BlockRows& W, Delassus& G) const;

  std::vector<Body> bodies_;
  std::vector<Contact> contacts_;
  bool tumbles_ = false;
};

// The scenes, with their difficulty and size (generator.h).
GeneratedScene stack(double mass_ratio, int boxes, std::mt19937& random);
GeneratedScene wall(double points, int courses, std::mt19937& random);
GeneratedScene rods(double mu, int rods_per_side, std::mt19937& random);
GeneratedScene arch(double thickness, int voussoirs, std::mt19937& random);
GeneratedScene chain(double links, int, std::mt19937& random);
GeneratedScene wedge(double ratio, int blocks, std::mt19937& random);
GeneratedScene rocks(double mu, int count, std::mt19937& random);
// Rocks that meet over whole faces and turn faster: G has a lower rank and is less symmetric.
GeneratedScene boulders(double mu, int count, std::mt19937& random);

}  // namespace tappet
