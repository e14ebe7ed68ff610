// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "steppers/schemes.h"
#include "steppers/support.h"

// Mechanisms that are written twice, with contacts of the file and with colliders, and all schemes.
namespace tappet::test {

struct Written {
  std::string name, bodies, contacts, colliders;
  Model with_contacts() const { return parse_model(bodies + contacts, name); }
  Model with_colliders() const { return parse_model(bodies + colliders, name); }
};

// A ball of radius 0.1 on a fixed ball of radius 0.4, at rest 0.3 rad beside the top. It rolls or, without friction,
// slides down.
Written ball_on_ball(double mu);
// A capsule that rolls on a plane. A spring moves it to and fro.
Written rolling_capsule();
// A box that slides down a slope with friction and is held back by a spring.
Written box_on_slope(double mu);
// A ball in a container. It hops, hits a wall and rolls.
Written ball_in_container();
// One ball rests while two others bounce beside it and hit each other, so contacts come and go before and behind it.
Written bouncing_beside_resting(double mu);

// An ellipse rolls on a plane and swings back. Its outline is made of arcs that deviate from it by at most
// `tolerance` (m).
Model rolling_ellipse(double tolerance);
// Its angle at time t: with the height h(φ) of the centre it is (I + m (h² + h'²)) φ̈ = −m h' (g + ρ φ̇²), where ρ is the
// radius of curvature at the contact.
double angle_of_rolling_ellipse(double t);

// The angle of ball_on_ball at time t, from θ̈ = c g/(R + r) sin θ, c = 5/7 if it rolls and 1 if it slides.
double angle_on_ball(double c, double t);
double angle_of(const State& state);

struct FollowingScheme {
  std::string name;
  std::function<std::unique_ptr<Stepper>(const ContactList&)> make;
  bool friction = true;
};
inline void PrintTo(const FollowingScheme& scheme, std::ostream* out) { *out << scheme.name; }
std::vector<FollowingScheme> every_scheme();
std::vector<FollowingScheme> schemes_with_options();
FollowingScheme scheme_named(const std::string& name);

struct FoundRun {
  State state;
  int unconverged = 0, impulsive = 0;
  double energy_rise = 0;    // the largest above the energy at the start, J
  double energy_change = 0;  // the largest distance from that at the start, J
  std::vector<Vec> q;        // after every step
};
FoundRun run_found(const Model& model, const FollowingScheme& scheme, double dt, double end);
// The largest difference of the positions of two runs.
double difference(const FoundRun& a, const FoundRun& b);

}  // namespace tappet::test
