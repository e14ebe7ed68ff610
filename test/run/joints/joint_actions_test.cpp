// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0

// Limits, dry friction, damping and motors of joints, against closed forms, in every scheme.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "run/make_stepper.h"
#include "run/simulate.h"
#include "support/mechanism.h"
#include "system/evaluator.h"

namespace tappet {
namespace {

constexpr double pi = std::numbers::pi;

// Every scheme of the library that has friction, except for explicit-velocity, which drifts by design.
const char* const schemes[] = {"moreau-midpoint",
                               "moreau-jean",
                               "moreau-explicit",
                               "direct-projection",
                               "combined-projection",
                               "ggl-unified",
                               "ggl-decoupled",
                               "half-explicit-velocity",
                               "half-explicit-adaptive",
                               "generalized-alpha",
                               "schatzman-paoli",
                               "position-trapezoidal",
                               "lcp-euler",
                               "lcp-trapezoidal",
                               "event-driven"};
// position-trapezoidal has no restitution: the velocity of a closed contact alternates from step to step.
bool has_impacts(const std::string& scheme) { return scheme != "position-trapezoidal"; }
// The velocity that schatzman-paoli gives belongs to the middle of a step. It therefore takes smaller ones.
double step_of(const std::string& scheme) { return scheme == "schatzman-paoli" ? 2.5e-4 : 1e-3; }

Result run(const std::string& text, const std::string& scheme, double step, double end) {
  RunOptions options{.scheme = scheme, .dt = step, .end = end};
  options.keep_all = true;
  Result result = simulate(parse_model(text, "test.yaml"), options);
  EXPECT_TRUE(result.done()) << scheme << ": " << result.summary.message;
  EXPECT_EQ(result.summary.unconverged_steps, 0) << scheme;
  return result;
}

// The numbers of the joint at a sample: angle or displacement, speed, friction, motor.
double motion(const Result& result, long sample, int quantity, int joint = 0) {
  return result.recorded->joint_motion(sample, 4 * joint + quantity);
}
double last(const Result& result, int quantity, int joint = 0) {
  return motion(result, result.recorded->samples() - 1, quantity, joint);
}

// A bob of mass 1 at the end of a rod of length 1, in the plane or in space.
std::string pendulum(bool planar, double amplitude, const std::string& keys) {
  const std::string x = std::to_string(std::sin(amplitude)), y = std::to_string(-std::cos(amplitude));
  const std::string place = "[" + x + ", " + y + (planar ? "]" : ", 0]");
  const std::string body = planar ? "{type: planar, mass: 1, inertia: 0.01, position: " + place + "}"
                                  : "{type: rigid, mass: 1, inertia: [0.01, 0.01, 0.01], position: " + place + "}";
  return "bodies: {bob: " + body + "}\njoints:\n  pin: {type: revolute, bodies: [ground, bob], at: [0, 0, 0], " + keys +
         "}\nforces: {gravity: {type: gravity, acceleration: [0, -9.81, 0]}}\n";
}

// From one turning point to the next the friction takes τ (a + b): m g l (cos b − cos a) = τ (a + b). The pendulum
// stays where m g l sin a ≤ τ. For small angles the amplitude falls by 2 τ/(m g l) in each half cycle.
struct Rest {
  double angle;
  int swings;
};
Rest rest_of(double amplitude, double tau, double weight) {
  int swings = 0;
  double a = amplitude;
  while (weight * std::sin(a) > tau) {
    double low = 0.0, high = a;
    if (weight * (1.0 - std::cos(a)) < tau * a) {  // it stops before it passes the lowest point
      for (int i = 0; i < 200; ++i) {
        const double b = (low + high) / 2;
        (weight * (std::cos(b) - std::cos(a)) < tau * (a - b) ? low : high) = b;
      }
      return {(swings % 2 ? -1 : 1) * low, swings + 1};
    }
    for (int i = 0; i < 200; ++i) {
      const double b = (low + high) / 2;
      (weight * (std::cos(b) - std::cos(a)) > tau * (a + b) ? low : high) = b;
    }
    a = low, ++swings;
  }
  return {(swings % 2 ? -1 : 1) * a, swings};
}

TEST(JointFriction, a_pendulum_stops_in_finite_time_where_the_energy_balance_says) {
  const double tau = 0.35, amplitude = 0.3;
  const Rest rest = rest_of(amplitude, tau, 9.81);
  EXPECT_EQ(rest.swings, 4);
  EXPECT_NEAR(rest.angle, amplitude - rest.swings * 2 * tau / 9.81, 5e-3);  // the linear decrement
  for (const bool planar : {true, false})
    for (const char* scheme : schemes) {
      const Result result = run(pendulum(planar, amplitude, "friction: 0.35"), scheme, step_of(scheme), 6);
      int swings = 0;
      double before = 0;
      const long samples = result.recorded->samples();
      for (long k = 0; k < samples; ++k) {
        const double speed = motion(result, k, 1);
        if (std::abs(speed) > 1e-4 && speed * before <= 0) ++swings;
        if (std::abs(speed) > 1e-4) before = speed;
        EXPECT_LE(std::abs(motion(result, k, 2)), tau * (1 + 1e-6)) << scheme << " at " << k;
      }
      const double angle = amplitude + last(result, 0);
      EXPECT_EQ(swings, rest.swings) << scheme << (planar ? " in the plane" : " in space");
      EXPECT_NEAR(angle, rest.angle, 2e-3) << scheme << (planar ? " in the plane" : " in space");
      // At rest the friction carries the weight, and nothing creeps.
      EXPECT_NEAR(last(result, 2), 9.81 * std::sin(angle), 1e-6) << scheme;
      EXPECT_NEAR(last(result, 0), motion(result, samples - 1000, 0), 1e-12) << scheme;
    }
}

std::string slider(double friction) {
  return "bodies: {a: {type: rigid, mass: 2, inertia: [1, 1, 1]}}\njoints:\n"
         "  rail: {type: prismatic, bodies: [ground, a], at: [0, 0, 0], axis: [cos(0.4), 0, -sin(0.4)], friction: " +
         std::to_string(friction) + "}\nforces: {gravity: {type: gravity, acceleration: [0, 0, -9.81]}}\n";
}

TEST(JointFriction, a_slider_on_a_slope_holds_below_the_bound_and_slides_uniformly_above) {
  const double weight = 2 * 9.81 * std::sin(0.4);
  for (const char* scheme : schemes) {
    const Result held = run(slider(1.001 * weight), scheme, step_of(scheme), 2);
    EXPECT_NEAR(last(held, 0), 0.0, 1e-12) << scheme;
    EXPECT_NEAR(last(held, 1), 0.0, 1e-12) << scheme;
    EXPECT_NEAR(last(held, 2), -weight, 1e-6 * weight) << scheme;
    const Result slides = run(slider(0.5 * weight), scheme, step_of(scheme), 1);
    const double a = 0.25 * weight;
    EXPECT_NEAR(last(slides, 1), a, 1e-3 * a) << scheme;
    EXPECT_NEAR(last(slides, 0), a / 2, 2e-3 * a) << scheme;
    EXPECT_NEAR(last(slides, 2), -0.5 * weight, 1e-6 * weight) << scheme;
  }
}

std::string rotor(bool planar, double spin, const std::string& keys) {
  const std::string body =
      planar ? "{type: planar, mass: 1, inertia: 1, spin: " + std::to_string(spin) + "}"
             : "{type: rigid, mass: 1, inertia: [1, 1, 1], spin: [0, 0, " + std::to_string(spin) + "]}";
  return "bodies: {a: " + body + "}\njoints: {pin: {type: revolute, bodies: [ground, a], at: [0, 0, 0], " + keys +
         "}}\n";
}

// It hits the upper stop at 0.5 s with 2 rad/s, the lower one 1.5/1 s later, and so on with half the speed each time.
TEST(JointLimits, a_rotor_rebounds_from_both_stops_with_its_restitution) {
  for (const bool planar : {true, false})
    for (const char* scheme : schemes) {
      if (!has_impacts(scheme)) continue;
      const std::string text = rotor(planar, 2, "limits: {from: -0.5, to: 1, restitution: 0.5}");
      const Result result = run(text, scheme, step_of(scheme), 2.5);
      EXPECT_NEAR(last(result, 1), 0.5, 1e-9) << scheme;
      EXPECT_NEAR(last(result, 0), -0.5 + 0.5 * 0.5, 5e-3) << scheme;
      EXPECT_LT(result.summary.violation.max, 3e-3) << scheme;
    }
}

// With e = 0 it stays at the stop, which carries the torque.
TEST(JointLimits, a_motor_presses_a_joint_against_its_stop) {
  for (const char* scheme : schemes) {
    if (!has_impacts(scheme)) continue;
    const Result result =
        run(rotor(false, 0, "limits: {from: -1, to: 0.5}, motor: {torque: 2}"), scheme, step_of(scheme), 1.5);
    EXPECT_NEAR(last(result, 0), 0.5, 2e-3) << scheme;
    EXPECT_NEAR(last(result, 1), 0.0, 1e-9) << scheme;
    EXPECT_EQ(last(result, 3), 2.0) << scheme;
  }
}

TEST(JointLimits, in_space_the_angle_is_counted_over_any_number_of_turns) {
  for (const char* scheme : schemes) {
    const Result free = run(rotor(false, 50, "damping: 0, limits: {from: -1, to: 1000}"), scheme, 0.1, 2);
    EXPECT_NEAR(last(free, 0), 100.0, 1e-9) << scheme;  // 5 rad in each step
    if (!has_impacts(scheme)) continue;
    const Result stopped = run(rotor(false, 10, "limits: {from: -1, to: 15}"), scheme, step_of(scheme), 2);
    EXPECT_NEAR(last(stopped, 0), 15.0, 1.1e-2) << scheme;
  }
}

// Friction with a bound is no impulse: an impact with e = 1 keeps the speed.
TEST(JointFriction, has_no_share_in_an_impact) {
  const Result result =
      run(rotor(true, 2, "friction: 0.5, limits: {from: -3, to: 0.9375, restitution: 1}"), "event-driven", 1e-2, 1.0);
  // ω = 2 − 0.5 t: 0.9375 rad at t = 0.5 with 1.75 rad/s, then back with the same speed, slowed by the same friction.
  EXPECT_NEAR(last(result, 1), -(1.75 - 0.5 * 0.5), 1e-9);
  EXPECT_NEAR(last(result, 0), 0.9375 - (1.75 * 0.5 - 0.0625), 1e-9);
}

// J φ̈ = −d φ̇
TEST(JointDamping, slows_a_rotor_exponentially) {
  for (const bool planar : {true, false})
    for (const char* scheme : schemes) {
      const Result result = run(rotor(planar, 3, "damping: 0.7"), scheme, step_of(scheme), 1);
      EXPECT_NEAR(last(result, 1), 3 * std::exp(-0.7), 2e-3) << scheme;
      EXPECT_NEAR(last(result, 0), 3 / 0.7 * (1 - std::exp(-0.7)), 2e-3) << scheme;
    }
}

// kp = kd = 4 and a target of 1 are critically damped with ω = 2. Up to t₁ the motor gives its largest torque, 2.
TEST(JointMotor, a_saturated_pd_controller_follows_its_closed_form) {
  const double t1 = (-8 + std::sqrt(96.0)) / 8, x1 = t1 * t1 - 1, v1 = 2 * t1, c = v1 + 2 * x1, s = 1.5 - t1;
  const double angle = 1 + (x1 + c * s) * std::exp(-2 * s), torque = (4 * x1 - 4 * c + 4 * c * s) * std::exp(-2 * s);
  for (const bool planar : {true, false})
    for (const char* scheme : schemes) {
      const Result result =
          run(rotor(planar, 0, "motor: {position: 1, kp: 4, kd: 4, most: 2}"), scheme, step_of(scheme), 1.5);
      const double tolerance = std::string(scheme) == "event-driven" ? 1e-7 : 2e-3;
      EXPECT_NEAR(last(result, 0), angle, tolerance) << scheme;
      EXPECT_NEAR(last(result, 3), torque, 4 * tolerance) << scheme;
      EXPECT_EQ(motion(result, std::lround(0.1 / result.recorded->steps(1, 0)), 3), 2.0) << scheme;
    }
}

TEST(JointMotor, a_formula_may_use_the_joint_itself_and_other_joints) {
  const std::string text = R"yaml(
bodies:
  a: {type: rigid, mass: 1, inertia: [1, 1, 1]}
  b: {type: rigid, mass: 1, inertia: [1, 1, 1], position: [1, 0, 0]}
joints:
  one: {type: revolute, bodies: [ground, a], at: [0, 0, 0], motor: {torque: "-4*(angle - 1) - 4*speed + 0*t"}}
  two: {type: prismatic, bodies: [ground, b], at: [0, 0, 0], axis: [1, 0, 0],
        motor: {force: 4*(one.angle - displacement) + 4*(one.speed - speed)}}
)yaml";
  const Result result = run(text, "event-driven", 1e-2, 3);
  const double angle = 1 - (1 + 2 * 3) * std::exp(-6.0);
  EXPECT_NEAR(last(result, 0, 0), angle, 1e-7);
  EXPECT_GT(last(result, 0, 1), 0.8);
  EXPECT_NEAR(last(result, 3, 1),
              4 * (last(result, 0, 0) - last(result, 0, 1)) + 4 * (last(result, 1, 0) - last(result, 1, 1)), 1e-9);
}

TEST(JointFriction, a_scheme_without_friction_refuses_it_by_name) {
  try {
    run(slider(1), "half-explicit-acceleration", 1e-3, 0.1);
    FAIL();
  } catch (const std::exception& e) {
    EXPECT_NE(std::string(e.what()).find("rail.friction"), std::string::npos) << e.what();
  }
}

// The order between events: the pendulum slides in one direction until 0.9 s.
TEST(JointFriction, schemes_of_second_order_keep_it_while_the_joint_slides) {
  const std::string text = pendulum(true, 0.3, "friction: 0.35");
  const double exact = last(run(text, "event-driven", 1e-2, 0.8), 0);
  for (const char* scheme : schemes) {
    if (scheme == std::string("event-driven")) continue;
    std::vector<double> errors;
    for (const double step : {4e-3, 1e-3}) errors.push_back(std::abs(last(run(text, scheme, step, 0.8), 0) - exact));
    const double order = std::log(errors[0] / errors[1]) / std::log(4.0);
    const bool second = scheme == std::string("generalized-alpha") || scheme == std::string("lcp-trapezoidal") ||
                        std::string(scheme).starts_with("half-explicit");
    EXPECT_GT(order, second ? 1.8 : 0.85) << scheme << ": " << errors[0] << ", " << errors[1];
  }
}

}  // namespace
}  // namespace tappet
