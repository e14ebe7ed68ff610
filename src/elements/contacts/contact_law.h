// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <numbers>

#include "elements/keys.h"

namespace tappet {

// What the rows of a contact need to know of its law, in numbers of type D.
template <class D>
struct SlipRowsOf {
  int count = 0;  // friction rows
  // The first tangent is n × z if |n_z| < steepest, and otherwise the projection of `direction`.
  D steepest = 0.9;
  Vec3<D> direction{1.0, 0.0, 0.0};
  std::array<D, 2> scale{1.0, 1.0};
  D arm = 0.0;  // of the drilling row [m]

  template <class V>
  void numbers(V& v) {
    v.count(count, 3);
    if (count >= 2) v(steepest, direction, scale);
    if (count == 3) v(arm);
  }
};
using SlipRows = SlipRowsOf<double>;

// The laws of one contact. The friction rows are, in this order:
//   planar     γ = t1·Δv
//   spatial    γ = (t1·Δv, t2·Δv)
//   contensou  also 3π/16 patch_radius n·Δω, drilling under a parabolic pressure (Capobianco 2021 (157))
// With two coefficients the friction ellipse has the half-axes mu[i] P_N. The rows are then scaled by mu[i]/mu_law(),
// so that the solver sees a disc of radius mu_law() P_N.
struct ContactLaw {
  enum class Friction { automatic, planar, spatial, contensou };

  double e_N = 0.0, e_F = 0.0;
  OneOrTwo mu{0.0, 0.0};
  std::optional<Vec3d> direction;  // world: the first tangent is its projection; if absent, the contact chooses
  Friction friction = Friction::automatic;
  double patch_radius = 0.0;  // [m]

  template <class V>
  void describe(V& v) {
    v.optional("e_N", e_N, unit_interval);
    v.optional("e_F", e_F, unit_interval);
    v.optional("mu", mu, non_negative);
    v.optional("direction", direction, nonzero_vector);
    v.choice("friction", friction, {"auto", "planar", "spatial", "contensou"});
    v.optional("patch_radius", patch_radius, non_negative);
  }
  // Says which keys do not fit together; empty if all do.
  std::string check() const;

  // Replaces `auto` by planar between planar bodies (and ground), and otherwise by spatial.
  void resolve(bool planar_bodies) {
    if (friction == Friction::automatic) friction = planar_bodies ? Friction::planar : Friction::spatial;
  }
  double mu_law() const { return max(mu[0], mu[1]); }
  // There are no rows if nothing could act along them.
  int friction_rows() const { return mu_law() > 0.0 ? static_cast<int>(friction) : 0; }
  int rows() const { return 1 + friction_rows(); }
  double scale(int friction_row) const { return friction_row < 2 ? mu[friction_row] / mu_law() : 1.0; }
  double drilling_arm() const { return 3.0 * std::numbers::pi / 16.0 * patch_radius; }
  SlipRows slip_rows() const {
    const int count = friction_rows();
    if (count == 0) return {};
    constexpr double never = -1.0;
    return {count, direction ? never : 0.9, direction.value_or(Vec3d{1, 0, 0}), {scale(0), scale(1)}, drilling_arm()};
  }
};

}  // namespace tappet
