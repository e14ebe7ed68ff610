// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
// Runs that continue others, and starts that are moved onto their constraints.
#include "run/start.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "run/models.h"
#include "run/options.h"
#include "run/scratch.h"
#include "run/simulate.h"

namespace tappet {
namespace {

using testing::HasSubstr;

constexpr const char* ball = R"(
parameters: {m: 2, g: 10, e: 0.5}
coordinates:
  x: {position: 0, velocity: 1}
  z: {position: 0.2, velocity: 0}
lagrangian: {kinetic: m*(x'^2 + z'^2)/2, potential: m*g*z}
contacts: {floor: {gap: z, e_N: e}}
run: {scheme: moreau-midpoint, dt: 1e-3, end: 0.5}
)";

Model model_of(const std::string& text, const Overrides& set = {}) { return parse_model(text, "test.yaml", set); }

template <class F>
std::string refusal(F&& f) {
  try {
    f();
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "nothing refused";
}

TEST(Start, a_run_in_two_parts_ends_where_one_in_a_piece_does) {
  const Scratch scratch;
  const Result whole = simulate(model_of(ball));
  simulate(model_of(ball), {.end = 0.3, .out = scratch.path()});
  const StartState start = start_of(scratch.path(), model_of(ball));
  EXPECT_EQ(start.t, 0.3);
  const Result rest = simulate(model_of(ball), {.start = start});
  ASSERT_TRUE(rest.done());
  EXPECT_EQ(rest.summary.steps, 200);
  EXPECT_EQ(rest.t.front(), 0.3);
  for (size_t k = 0; k < rest.t.size(); ++k) EXPECT_EQ(rest.t[k], whole.t[300 + k]);
  for (int i = 0; i < 2; ++i) {
    EXPECT_NEAR(rest.state.q[i], whole.state.q[i], 1e-12);
    EXPECT_NEAR(rest.state.u[i], whole.state.u[i], 1e-12);
  }
}

TEST(Start, takes_other_parameters_from_there_on) {
  const Scratch scratch;
  simulate(model_of(ball), {.end = 0.1, .out = scratch.path()});  // in flight: 10·0.1²/2 below the start
  const Model moon = model_of(ball, {{"g", "0"}});
  const Result rest = simulate(moon, {.end = 0.15, .start = start_of(scratch.path(), moon)});
  EXPECT_NEAR(rest.state.u[1], -1.0, 1e-12);
  EXPECT_NEAR(rest.state.q[1], 0.2 - 0.05 - 0.05, 1e-12);
}

TEST(Start, says_what_does_not_fit) {
  const Scratch scratch;
  simulate(model_of(ball), {.end = 0.1, .out = scratch.path()});
  std::string other = ball;
  for (size_t at; (at = other.find('z')) != std::string::npos;) other.replace(at, 1, "height");
  EXPECT_THAT(refusal([&] { start_of(scratch.path(), model_of(other)); }), HasSubstr("no position 'height'"));
  EXPECT_THAT(refusal([&] { start_of(scratch.path() / "none", model_of(ball)); }), HasSubstr("summary.json"));
  EXPECT_THAT(
      refusal([&] { simulate(model_of(ball), {.end = 0.1, .start = start_of(scratch.path(), model_of(ball))}); }),
      HasSubstr("expected a later end"));
  std::string fewer = "coordinates: {x: {position: 0}}\nlagrangian: {kinetic: x'^2, potential: 0}\n";
  EXPECT_THAT(refusal([&] { start_of(scratch.path(), model_of(fewer)); }), HasSubstr("no coordinate 'z'"));
}

TEST(Start, a_state_that_other_parameters_make_impossible_is_refused_with_advice) {
  const char* pendulum = R"(
parameters: {l: 1}
coordinates: {x: {position: l, velocity: 0}, y: {position: 0, velocity: 0}}
lagrangian: {kinetic: (x'^2 + y'^2)/2, potential: 10*y}
joints: {rod: {constraint: (x^2 + y^2 - l^2)/2}}
run: {scheme: moreau-midpoint, dt: 1e-3, end: 0.1}
)";
  const Scratch scratch;
  simulate(model_of(pendulum), {.out = scratch.path()});
  const Model longer = model_of(pendulum, {{"l", "1.001"}});
  const StartState start = start_of(scratch.path(), longer);
  EXPECT_THAT(refusal([&] { simulate(longer, {.end = 0.2, .start = start}); }), HasSubstr("--project-start"));
  const Result moved = simulate(longer, {.end = 0.2, .project_start = 0.01, .start = start});
  ASSERT_TRUE(moved.done());
  EXPECT_THAT(moved.summary.warnings.at(0), HasSubstr("run.start"));
  EXPECT_NEAR(std::hypot(moved.q[0][0], moved.q[0][1]), 1.001, 1e-12);
}

// A point on a circle, published with a start that is off by `off` along the radius (0.6, −0.8).
std::string on_circle(double off, const std::string& start, double m_x = 1, double m_y = 1, double v_x = 0,
                      double v_y = 0) {
  return fmt::format(R"(
coordinates: {{x: {{position: {}, velocity: {}}}, y: {{position: {}, velocity: {}}}}}
mass: [{}, {}]
forces: {{x: 0, y: 0}}
joints: {{rod: {{constraint: sqrt(x^2 + y^2) - 1}}}}
run: {{scheme: moreau-midpoint, dt: 1e-3, end: 0.01{}}}
)",
                     0.6 * (1 + off), v_x, -0.8 * (1 + off), v_y, m_x, m_y, start);
}

TEST(ProjectedStart, a_start_off_by_a_micrometre_is_moved_onto_the_circle) {
  EXPECT_THAT(refusal([] { System(model_of(on_circle(0.9e-6, ""))); }), HasSubstr("violate it by 9e-07"));
  const System system(model_of(on_circle(0.9e-6, ", start: project", 1, 1, 1, 0)));
  EXPECT_NEAR(system.initial().q[0], 0.6, 1e-12);
  EXPECT_NEAR(system.initial().q[1], -0.8, 1e-12);
  EXPECT_NEAR(system.initial().u[0], 1 - 0.6 * 0.6, 1e-12);  // minus its part along the radius
  EXPECT_NEAR(system.initial().u[1], 0.6 * 0.8, 1e-12);
  ASSERT_EQ(system.warnings().size(), 1u);
  EXPECT_THAT(system.warnings()[0], HasSubstr("7.2e-07 (y)"));  // 0.9 µm · 0.8
}

// The displacement is M⁻¹∇g times a number, so the heavy direction moves less.
TEST(ProjectedStart, weighs_by_mass) {
  const double off = 1e-6;
  const System system(model_of(on_circle(off, ", start: project", 1, 4)));
  const double dx = system.initial().q[0] - 0.6 * (1 + off), dy = system.initial().q[1] + 0.8 * (1 + off);
  EXPECT_NEAR(dx / dy, (0.6 / 1) / (-0.8 / 4), 1e-4);
  EXPECT_NEAR(std::hypot(system.initial().q[0], system.initial().q[1]), 1.0, 1e-12);
}

TEST(ProjectedStart, a_contact_that_penetrates_is_closed) {
  std::string text = ball;
  text.replace(text.find("position: 0.2"), 13, "position: -2e-5");
  EXPECT_THAT(refusal([&] { System(model_of(text)); }), HasSubstr("contacts.floor"));
  const Result result = simulate(model_of(text), {.project_start = 1e-3});
  EXPECT_NEAR(result.q[0][1], 0.0, 1e-12);
  EXPECT_EQ(result.q[0][0], 0.0);
}

TEST(ProjectedStart, refuses_to_move_far_and_says_so_where_it_does_not_converge) {
  const std::string far = refusal([] { System(model_of(on_circle(0.01, ", start: project"))); });
  EXPECT_THAT(far, HasSubstr("test.yaml:6:"));
  EXPECT_THAT(far, HasSubstr("run.start: the projection would move"));
  EXPECT_THAT(far, HasSubstr("expected at most 0.001"));
  const System allowed(model_of(on_circle(0.01, ", start: {project: 0.1}")));
  EXPECT_NEAR(allowed.initial().q[0], 0.6, 1e-12);
  const std::string never = R"(
coordinates: {x: {position: 1}, y: {position: 0}}
lagrangian: {kinetic: (x'^2 + y'^2)/2, potential: 0}
joints: {rod: {constraint: x^2 + y^2 + 1}}
run: {scheme: moreau-midpoint, dt: 1e-3, end: 0.01, start: {project: 1e9}}
)";
  EXPECT_THAT(refusal([&] { System(model_of(never)); }), HasSubstr("does not converge: joint rod"));
}

TEST(ProjectedStart, joints_that_repeat_others_do_no_harm) {
  std::string text = on_circle(1e-6, ", start: project");
  text.replace(text.find("rod: {constraint"), 0, "again: {constraint: 2*sqrt(x^2 + y^2) - 2}, ");
  EXPECT_NEAR(System(model_of(text)).initial().q[0], 0.6, 1e-12);
}

TEST(ProjectedStart, a_start_that_fits_is_left_to_the_bit) {
  const System as_it_is(model_of(ball));
  std::string text = ball;
  text.replace(text.find("end: 0.5"), 8, "end: 0.5, start: project");
  const System projected(model_of(text));
  EXPECT_EQ(projected.initial().q, as_it_is.initial().q);
  EXPECT_EQ(projected.initial().u, as_it_is.initial().u);
  EXPECT_TRUE(projected.warnings().empty());
}

}  // namespace
}  // namespace tappet
