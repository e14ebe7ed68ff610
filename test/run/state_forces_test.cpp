// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0

// Forces and torques that are formulas of the state, against closed forms, in schemes of all kinds.
#include <gtest/gtest.h>

#include <cmath>

#include "run/simulate.h"
#include "support/mechanism.h"
#include "system/evaluator.h"

namespace tappet {
namespace {

struct Scheme {
  const char* name;
  double dt, tolerance;  // the tolerance is the error that a scheme of its order leaves at this step
};
const Scheme schemes[] = {{"event-driven", 1e-2, 1e-7}, {"generalized-alpha", 1e-3, 1e-5},
                          {"moreau-jean", 1e-3, 1e-5},  {"moreau-midpoint", 1e-4, 2e-3},
                          {"lcp-euler", 1e-4, 2e-3},    {"half-explicit-velocity", 1e-3, 1e-4}};

State end_of(const std::string& text, const Scheme& scheme, double end) {
  const Result result = simulate(parse_model(text, "test.yaml"), {.scheme = scheme.name, .dt = scheme.dt, .end = end});
  EXPECT_TRUE(result.done()) << scheme.name << ": " << result.summary.message;
  return result.state;
}

// m v̇ = m g − c v: v = (m g/c)(1 − exp(−c t/m)).
TEST(StateForces, a_body_falls_with_drag_as_the_exponential_says) {
  const char* text = R"(
parameters: {m: 2, g: 9.81, c: 3}
bodies: {a: {type: planar, mass: m, inertia: 1, velocity: [1, 0]}}
forces:
  gravity: {type: gravity, acceleration: [0, -g]}
  drag: {type: force, body: a, force: [-c*a.vx, -c*a.vy]}
)";
  for (const Scheme& scheme : schemes) {
    const State state = end_of(text, scheme, 1.0);
    const double decay = std::exp(-3.0 / 2.0);
    EXPECT_NEAR(state.u[0], decay, scheme.tolerance) << scheme.name;
    EXPECT_NEAR(state.u[1], -2 * 9.81 / 3 * (1 - decay), 10 * scheme.tolerance) << scheme.name;
  }
}

// Without gravity a pendulum with a PD controller is a linear oscillator, J φ̈ = −k_p (φ − φ_d) − k_d φ̇, about its pin.
TEST(StateForces, a_pendulum_follows_its_pd_controller) {
  const char* text = R"(
parameters: {m: 1, l: 0.5, k_p: 4, k_d: 0.4, target: 0.3}
bodies: {a: {type: planar, mass: m, inertia: m*l^2/12, position: [0, -l/2]}}
joints: {pin: {type: revolute, bodies: [ground, a], at: [0, 0]}}
define: {error: a.angle - target}
forces: {control: {type: torque, body: a, torque: -k_p*error - k_d*a.omega}}
)";
  const double J = 0.25 / 3, damping = 0.4 / (2 * J), omega = std::sqrt(4.0 / J - damping * damping), t = 0.7;
  const double phi = 0.3 - 0.3 * std::exp(-damping * t) * (std::cos(omega * t) + damping / omega * std::sin(omega * t));
  for (const Scheme& scheme : schemes)
    EXPECT_NEAR(end_of(text, scheme, t).q[2], phi, 2 * scheme.tolerance) << scheme.name;
}

// J ω̇ = −ω × Jω + M with M = ω × Jω − c J ω: the gyroscopic moment is cancelled and ω decays with the rate c.
TEST(StateForces, a_spatial_body_with_torque_feedback_spins_down_exponentially) {
  const char* text = R"(
parameters: {c: 2}
bodies: {a: {type: rigid, mass: 1, inertia: [1, 2, 2.5], spin: [1, -2, 3], rotation: {axis: [1, 1, 0], angle: 0.4}}}
forces:
  brake: {type: torque, body: a, frame: body, torque:
    [(2.5 - 2)*a.wy*a.wz - c*1*a.wx, (1 - 2.5)*a.wz*a.wx - c*2*a.wy, (2 - 1)*a.wx*a.wy - c*2.5*a.wz]}
)";
  const double start[] = {1, -2, 3};
  for (const Scheme& scheme : schemes) {
    const State state = end_of(text, scheme, 0.5);
    for (int i = 0; i < 3; ++i)
      EXPECT_NEAR(state.u[3 + i], start[i] * std::exp(-1.0), 10 * scheme.tolerance) << scheme.name << ", " << i;
  }
}

// A torque about the world's x axis that grows with the tilt, read off the rotation matrix: Rzz = cos φ, Rzy = sin φ. A
// body that turns about x then is the pendulum J φ̈ = −k sin φ; its period to small angles is exact to φ²/16.
TEST(StateForces, a_body_in_space_swings_about_its_upright_position) {
  const char* text = R"(
parameters: {k: 8, J: 2, phi: 1e-3}
bodies: {a: {type: rigid, mass: 1, inertia: [J, 3, 3], rotation: {axis: [1, 0, 0], angle: phi}}}
forces: {upright: {type: torque, body: a, torque: [-k*a.Rzy, 0, 0]}}
)";
  for (const Scheme& scheme : schemes) {
    const State state = end_of(text, scheme, 1.0);
    EXPECT_NEAR(2 * state.q[4], 1e-3 * std::cos(2.0), 1e-3 * 10 * scheme.tolerance + 1e-9) << scheme.name;
  }
}

TEST(StateForces, a_force_between_a_formula_coordinate_and_a_body_may_use_both) {
  const char* text = R"(
parameters: {k: 5}
coordinates: {s: {position: 1, velocity: 0}}
lagrangian: {kinetic: s'^2/2}
bodies: {a: {type: point, mass: 1}}
forces:
  s: k*(a.x - s)
  f: {type: force, body: a, force: [k*(s - a.x), 0, 0]}
)";
  // both masses are 1: the distance swings with ω² = 2k about the centre of mass at ½
  const double half = 0.5 * std::cos(std::sqrt(10.0) * 0.8);
  for (const Scheme& scheme : schemes) {
    const State state = end_of(text, scheme, 0.8);
    EXPECT_NEAR(state.q[0], 0.5 + half, scheme.tolerance) << scheme.name;
    EXPECT_NEAR(state.q[1], 0.5 - half, scheme.tolerance) << scheme.name;
  }
}

// Switches in these formulas are located by event-driven: dry friction as a sign brings a body to rest and keeps it
// there, although the force is pulled up to its limit; then the pull exceeds it.
TEST(StateForces, dry_friction_as_a_sign_stops_holds_and_lets_go) {
  const char* text = R"yaml(
bodies: {a: {type: planar, mass: 2, inertia: 1, velocity: [3, 0]}}
forces:
  drag: {type: force, body: a, force: ["-4*sign(a.vx)", "0"]}
  pull: {type: force, body: a, force: ["2*max(0, t - 2)", "0"]}
)yaml";
  const Scheme scheme{"event-driven", 1e-2, 0};
  EXPECT_NEAR(end_of(text, scheme, 1.0).u[0], 1.0, 1e-10);   // 3 − 2 t
  EXPECT_NEAR(end_of(text, scheme, 3.5).u[0], 0.0, 1e-10);   // rest from 1.5 s on
  EXPECT_NEAR(end_of(text, scheme, 3.5).q[0], 2.25, 1e-10);  // 3²/(2·2)
  // From 4 s on 2 v̇ = 2 (t − 2) − 4: v = (t − 4)²/2.
  EXPECT_NEAR(end_of(text, scheme, 5.0).u[0], 0.5, 1e-9);
  EXPECT_NEAR(end_of(text, scheme, 5.0).q[0], 2.25 + 1.0 / 6, 1e-9);
}

// Two forces with one switch: they change together.
TEST(StateForces, equal_switches_of_two_forces_are_one) {
  const char* text = R"yaml(
bodies: {a: {type: planar, mass: 2, inertia: 1, velocity: [3, 0]}}
forces:
  drag: {type: force, body: a, force: ["-sign(a.vx)", "0"]}
  more: {type: force, body: a, force: ["-3*sign(a.vx)", "0"]}
)yaml";
  const System system(parse_model(text, "test.yaml"));
  EXPECT_EQ(system.switches().size(), 1u);
  const State state = end_of(text, {"event-driven", 1e-2, 0}, 2.0);
  EXPECT_NEAR(state.q[0], 2.25, 1e-10);
  EXPECT_NEAR(state.u[0], 0.0, 1e-10);
}

// A soft stop: half a period of sqrt(100) rad/s in the stop, then back with the speed of the start.
TEST(StateForces, a_soft_stop_is_left_when_half_a_period_is_over) {
  const char* text = R"yaml(
bodies: {a: {type: planar, mass: 1, inertia: 1, position: [1, 0], velocity: [-1, 0]}}
forces: {stop: {type: force, body: a, force: ["100*max(0, -a.x)", "0"]}}
)yaml";
  const State state = end_of(text, {"event-driven", 1e-2, 0}, 3.0);
  EXPECT_NEAR(state.q[0], 2.0 - std::acos(-1.0) / 10, 1e-10);
  EXPECT_NEAR(state.u[0], 1.0, 1e-10);
}

// A rigid body turns about z at 1 rad/s; a force along z acts while the x axis of the body points to negative y. The
// switch function is an entry of the rotation matrix: the force acts from π to 2π.
TEST(StateForces, a_switch_of_the_orientation_is_located) {
  for (const char* condition : {"a.Ryx", "2*(a.qx*a.qy + a.qw*a.qz)"}) {
    const std::string text = R"yaml(
bodies: {a: {type: rigid, mass: 1, inertia: [1, 1, 1], spin: [0, 0, 1], rotation: {axis: [0, 0, 1], angle: 0.5}}}
forces: {kick: {type: force, body: a, force: ["0", "0", "if(CONDITION < 0, 1, 0)"]}}
)yaml";
    const size_t place = text.find("CONDITION");
    const State state =
        end_of(text.substr(0, place) + condition + text.substr(place + 9), {"event-driven", 0.01, 0}, 7.0);
    EXPECT_NEAR(state.u[2], std::acos(-1.0), 1e-9) << condition;
  }
}

// The rates of switch functions against differences along a motion with given accelerations.
TEST(StateForces, rates_of_switch_functions_are_those_of_the_motion) {
  const char* text = R"yaml(
bodies: {a: {type: rigid, mass: 1, inertia: [1, 2, 2.5], position: [0.3, -0.2, 0.1], velocity: [0.5, 0.2, -0.7],
             spin: [1, -2, 3], rotation: {axis: [1, 1, 0.3], angle: 0.4}}}
forces:
  f: {type: force, body: a, force: ["max(a.Rxy*a.x, a.qy + t)", "sign(a.wx*a.vy + t)", "max(a.Rzz, a.z^2)"]}
)yaml";
  Mechanism mechanism(parse_model(text, "test.yaml"));
  Evaluator evaluate(mechanism);
  evaluate.hold_switches();
  const Vec q = mechanism.initial().q, u = mechanism.initial().u;
  Vec a(6), first, rate, sigma[3];
  for (int i = 0; i < 6; ++i) a[i] = 0.4 * i - 1;
  evaluate.switch_rates(0.2, q, u, a, first, rate);
  ASSERT_EQ(first.size(), 3);
  const double h = 1e-4;
  for (int k = -1; k <= 1; ++k) {  // along q ⊕ (h u + h²/2 u̇), exact to second order about the middle
    Vec w(6), q_k = q, u_k(6);
    for (int i = 0; i < 6; ++i) w[i] = k * h * u[i] + h * h / 2 * k * k * a[i], u_k[i] = u[i] + k * h * a[i];
    evaluate.displace(q, w, q_k);
    evaluate.switch_functions(0.2 + k * h, q_k, u_k, sigma[k + 1]);
  }
  const int orders[] = {2, 1, 2};
  for (int i = 0; i < 3; ++i) {
    ASSERT_EQ(mechanism.switches()[i].order, orders[i]) << i;
    const double slope = (sigma[2][i] - sigma[0][i]) / (2 * h);
    const double second = (sigma[2][i] - 2 * sigma[1][i] + sigma[0][i]) / (h * h);
    EXPECT_NEAR(first[i], slope, 1e-6) << i;
    EXPECT_NEAR(rate[i], orders[i] == 2 ? second : slope, 1e-6) << i;
  }
}

}  // namespace
}  // namespace tappet
