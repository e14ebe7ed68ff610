// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tangent/gradient/gradient.h"

// What can be asked of a motion: values at its events, contact forces, starts of bodies; and what is refused.
namespace tappet::test {
namespace {

using testing::HasSubstr;

Gradient ask(const std::string& text, const std::vector<std::string>& of, const std::vector<std::string>& wrt,
             double end = 2) {
  GradientQuestion question;
  for (const std::string& one : of) question.of.push_back(parse_quantity(one, end));
  question.wrt = wrt;
  return gradient({text, "model.yaml", {}}, question);
}

std::string refusal(const std::string& text, const std::string& of, const std::string& wrt) {
  try {
    ask(text, {of}, {wrt});
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "nothing was thrown";
}

void expect_row(const Gradient& found, int row, double value, const std::vector<double>& slopes) {
  EXPECT_NEAR(found.rows[row].value, value, 1e-10 * std::max(1.0, std::abs(value))) << found.rows[row].of.text;
  for (size_t d = 0; d < slopes.size(); ++d) {
    EXPECT_EQ(found.rows[row].trouble[d], "") << found.rows[row].of.text << " by " << found.wrt[d];
    EXPECT_NEAR(found.rows[row].slopes[d], slopes[d], 1e-9 * std::max(1.0, std::abs(slopes[d])))
        << found.rows[row].of.text << " by " << found.wrt[d];
  }
}

constexpr const char* ball = R"(
parameters: {h: 1, g: 9.81, e: 0.8, v: 1}
coordinates: {x: {position: 0, velocity: v}, y: {position: h, velocity: 0}}
lagrangian: {kinetic: (x'^2 + y'^2)/2, potential: g*y}
contacts: {floor: {gap: y, slip: x, e_N: e}}
)";

TEST(GradientQuestions, times_and_values_at_impacts_are_the_closed_forms) {
  const double g = 9.81, e = 0.8, h = 1, fall = std::sqrt(2 * h / g), V = g * fall;
  const Gradient found = ask(ball,
                             {"t at impact floor", "t at impact 2", "x before impact floor 2", "y' before impact",
                              "y' after impact", "y' at 0.1"},
                             {"h", "g", "e", "v"});
  expect_row(found, 0, fall, {fall / (2 * h), -fall / (2 * g), 0, 0});
  const double second = fall * (1 + 2 * e);
  expect_row(found, 1, second, {second / (2 * h), -second / (2 * g), 2 * fall, 0});
  expect_row(found, 2, second, {second / (2 * h), -second / (2 * g), 2 * fall, second});
  expect_row(found, 3, -V, {-V / (2 * h), -V / (2 * g), 0, 0});
  expect_row(found, 4, e * V, {e * V / (2 * h), e * V / (2 * g), V, 0});
  expect_row(found, 5, -0.1 * g, {0, -0.1, 0, 0});
}

TEST(GradientQuestions, an_event_that_does_not_happen_is_said_so) {
  EXPECT_THAT(refusal(ball, "t at opening floor", "h"), HasSubstr("no such event happens until t = 2 s"));
  EXPECT_THAT(refusal(ball, "t at impact flor", "h"), HasSubstr("did you mean 'floor'"));
  EXPECT_THAT(refusal(ball, "t at bounce", "h"), HasSubstr("expected a positive time in seconds, or an event"));
  EXPECT_THAT(refusal(ball, "t at impact floor 0", "h"), HasSubstr("counted from 1"));
  EXPECT_THAT(refusal(ball, "y' at impact floor", "h"), HasSubstr("expected 'y' before impact floor' or 'y' after"));
}

TEST(GradientQuestions, the_time_of_coinciding_impacts_is_named) {
  const Gradient found = ask(R"(
parameters: {a: 1, b: 1, g: 9.81}
coordinates: {x: {position: a, velocity: 0}, y: {position: b, velocity: 0}}
lagrangian: {kinetic: (x'^2 + y'^2)/2, potential: g*(x + y)}
contacts: {left: {gap: x, e_N: 0.5}, right: {gap: y, e_N: 0.5}}
)",
                             {"t at impact right"}, {"a", "b", "g"});
  EXPECT_THAT(found.rows[0].trouble[0], HasSubstr("two events coincide"));
  EXPECT_THAT(found.rows[0].trouble[1], HasSubstr("two events coincide"));
  EXPECT_EQ(found.rows[0].trouble[2], "");
  EXPECT_NEAR(found.rows[0].slopes[2], -std::sqrt(2 / 9.81) / (2 * 9.81), 1e-9);
}

// A mass slides inside a ring, from the bottom with spin w up to a stop at the angle s:
//   λ_N = m R θ'² + m g cos θ = m R w² − 2 m g (1 − cos θ) + m g cos θ
TEST(GradientQuestions, the_force_of_a_contact_is_the_closed_form) {
  const double m = 2, R = 0.5, g = 9.81, w = 12, s = 1.1;
  const Gradient found = ask(R"(
parameters: {m: 2, R: 0.5, g: 9.81, w: 12, s: 1.1}
coordinates: {r: {position: R, velocity: 0}, a: {position: 0, velocity: w}}
lagrangian: {kinetic: m*(r'^2 + r^2*a'^2)/2, potential: -m*g*r*cos(a)}
contacts: {ring: {gap: R - r, e_N: 0}, stop: {gap: s - a, e_N: 0.5}}
)",
                             {"ring.lambda_N before impact stop"}, {"m", "R", "g", "w", "s"});
  const double force = m * R * w * w - 2 * m * g * (1 - std::cos(s)) + m * g * std::cos(s);
  expect_row(
      found, 0, force,
      {force / m, m * w * w, -2 * m * (1 - std::cos(s)) + m * std::cos(s), 2 * m * R * w, -3 * m * g * std::sin(s)});
}

TEST(GradientQuestions, friction_of_a_slipping_and_of_a_sticking_block_is_the_closed_form) {
  constexpr const char* block = R"(
parameters: {m: 2, g: 9.81, mu: 0.3, F: 4, v: 0, one: 1}
coordinates: {x: {position: 0, velocity: v}, y: {position: 0, velocity: 0}}
lagrangian: {kinetic: m*(x'^2 + y'^2)/2, potential: m*g*y}
forces: {x: F*one}
contacts: {floor: {gap: y, slip: x, mu: mu}}
)";
  expect_row(ask(block, {"floor.lambda_F at 0.5"}, {"F", "mu", "m"}), 0, -4, {-1, 0, 0});
  std::string slips = block;
  slips.replace(slips.find("v: 0"), 4, "v: 5");
  expect_row(ask(slips, {"floor.lambda_F at 0.5"}, {"F", "mu", "m"}), 0, -0.3 * 2 * 9.81, {0, -2 * 9.81, -0.3 * 9.81});
}

// y = 1 − g t²/2 before the impact. Points of a difference may not lie on both sides of a kink.
TEST(GradientQuestions, formulas_with_kinks_have_the_derivative_of_their_branch_or_none) {
  const double y = 1 - 9.81 * 0.09 / 2;
  const auto about = [&](double off) { return fmt::format("abs(y - {:.17g}) at 0.3", y + off); };
  for (const double off : {1e-2, 1e-4, 1e-6}) {
    const Gradient found = ask(ball, {about(off), about(-off)}, {"h", "g"});
    EXPECT_NEAR(found.rows[0].slopes[0], -1, 1e-6) << off;
    EXPECT_NEAR(found.rows[1].slopes[0], 1, 1e-6) << off;
    EXPECT_NEAR(found.rows[0].slopes[1], 0.045, 1e-6) << off;
  }
  const Gradient found =
      ask(ball, {"abs(y - 1 + g*t^2/2) at 0.3", "(y - 1 + g*t^2/2)^4 at 0.3", "max(y, x) at 0.3"}, {"h"});
  EXPECT_THAT(found.rows[0].trouble[0], HasSubstr("kink"));
  EXPECT_NEAR(found.rows[1].slopes[0], 0, 1e-9);
  EXPECT_NEAR(found.rows[2].slopes[0], 1, 1e-9);
}

TEST(GradientQuestions, a_force_that_is_not_unique_is_named) {
  const Gradient found = ask(R"(
parameters: {g: 9.81}
coordinates: {y: {position: 0, velocity: 0}}
lagrangian: {kinetic: y'^2/2, potential: g*y}
contacts: {left: {gap: y}, right: {gap: y}}
)",
                             {"left.lambda_N at 1"}, {"g"});
  EXPECT_THAT(found.rows[0].trouble[0], HasSubstr("the forces of contact left are not unique"));
}

TEST(GradientQuestions, numbers_of_a_step_are_refused) {
  for (const char* name : {"dt", "last.y", "newton", "iterations", "residual"})
    EXPECT_THAT(refusal(ball, std::string(name) + " at 1", "h"), HasSubstr("describes a step of a run")) << name;
  EXPECT_THAT(refusal(ball, "floor.P_N at 1", "h"), HasSubstr("a force such as 'floor.lambda_N'"));
}

constexpr const char* turning_ball = R"(
parameters: {h: 1, g: 9.81, R: 0.1, e: 0.7}
bodies: {ball: {type: rigid, mass: 1, inertia: [0.004, 0.005, 0.006], position: [0, 0, h], spin: [1, 2, 3]}}
contacts: {floor: {type: sphere-plane, bodies: [ball, ground], radius: R, normal: [0, 0, 1], e_N: e}}
forces: {gravity: {type: gravity, acceleration: [0, 0, -g]}}
)";

TEST(GradientQuestions, starts_of_a_body_in_space_are_known) {
  const double g = 9.81, e = 0.7, h = 0.9, V = std::sqrt(2 * g * h), s = 0.6 - V / g;
  const double by_height = e * s * g / V - (e * V - g * s) / V;
  const Gradient found = ask(turning_ball, {"ball.z at 0.6", "ball.x at 0.6"}, {"ball.z", "ball.x", "ball.vx", "h"});
  expect_row(found, 0, 0.1 + e * V * s - g * s * s / 2, {by_height, 0, 0, by_height});
  expect_row(found, 1, 0, {0, 1, 0.6, 0});
  EXPECT_THAT(refusal(turning_ball, "ball.z at 0.6", "ball.qx"), HasSubstr("ball.qx"));
}

// Numbers of entries have derivatives as parameters have.
TEST(GradientQuestions, numbers_of_entries_are_known) {
  constexpr const char* model = R"(
parameters: {h: 1, g: 9.81, R: 0.1, e: 0.7, m: 2}
bodies: {ball: {type: planar, mass: 2, inertia: 0.01, position: [0, 1], velocity: [1, 0]}}
contacts: {floor: {type: sphere-plane, bodies: [ball, ground], radius: 0.1, normal: [0, 1], e_N: 0.7}}
forces: {gravity: {type: gravity, acceleration: [0, "-9.81"]}}
)";
  const double g = 9.81, e = 0.7, h = 0.9, V = std::sqrt(2 * g * h), s = 0.6 - V / g;
  const double by_height = e * s * g / V - (e * V - g * s) / V;
  const double by_g = e * s * h / V + e * V * (V / g - h / V) / g - s * s / 2 - s * (V / g - h / V);
  const Gradient found = ask(model, {"ball.y at 0.6"},
                             {"ball.position[1]", "floor.e_N", "floor.radius", "ball.mass",
                              "forces.gravity.acceleration[1]", "contacts.floor.e_N"});
  expect_row(found, 0, 0.1 + e * V * s - g * s * s / 2, {by_height, V * s, 1 - by_height, 0, -by_g, V * s});
  EXPECT_THAT(refusal(model, "ball.y at 0.6", "floor.type"), HasSubstr("which is no number"));
  EXPECT_THAT(refusal(model, "ball.y at 0.6", "floor.mu"), HasSubstr("a number of an entry such as floor.e_N"));
  EXPECT_THAT(refusal(model, "ball.y at 0.6", "ball.position[2]"), HasSubstr("no parameter or coordinate"));
}

TEST(GradientQuestions, colliders_are_refused_with_their_place) {
  const std::string message = refusal(R"(
parameters: {h: 1}
bodies: {ball: {type: planar, mass: 1, inertia: 0.01, position: [0, h]}}
colliders:
  disc: {type: sphere, body: ball, radius: 0.1}
  floor: {type: plane, body: ground, normal: [0, 1]}
)",
                                      "ball.y at 1", "h");
  EXPECT_THAT(message, HasSubstr("model.yaml:5"));
  EXPECT_THAT(message, HasSubstr("colliders.disc"));
  EXPECT_THAT(message, HasSubstr("expected contacts that the file names"));
}

// The start must fit the joints along every direction.
TEST(GradientQuestions, a_start_that_a_joint_does_not_allow_is_named) {
  constexpr const char* hinge = R"(
parameters: {l: 1, g: 9.81, w: 2}
bodies: {rod: {type: planar, mass: 1, inertia: 0.1, position: [0, -l/2], velocity: [w*l/2, 0], spin: w}}
joints: {pin: {type: revolute, bodies: [ground, rod], at: [0, 0]}}
forces: {gravity: {type: gravity, acceleration: [0, -g]}}
)";
  const Gradient found = ask(hinge, {"rod.phi at 0.2"}, {"rod.phi", "rod.phi'", "rod.x'", "w"});
  for (size_t d = 0; d < 3; ++d)
    EXPECT_THAT(found.rows[0].trouble[d], HasSubstr("joint pin does not allow this change of the start")) << d;
  EXPECT_EQ(found.rows[0].trouble[3], "");
}

}  // namespace
}  // namespace tappet::test
