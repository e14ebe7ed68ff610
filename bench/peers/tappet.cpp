// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0

// Our rows of the table: the same cases from model files, one step at a time.
#include "run/tappet.h"

#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <functional>

#include "collision/collision_world.h"
#include "engine.h"
#include "run/registry.h"
#include "run/settings.h"
#include "scenes.h"

namespace peers {
namespace {

using namespace tappet;

struct Asked {
  std::string scheme{};
  double dt = 0.0;
  std::vector<Option> options{};
};

// The instruction count is taken of this function alone.
[[gnu::noinline]] bool timed_step(Stepper& stepper, State& state, double dt) {
  return stepper.step(state, dt).converged();
}

struct Ran {
  Row row;
  double energy_error = 0.0, joint_gap = 0.0;  // relative to the first; largest
};
using Watch = std::function<void(const State&, int step)>;

Ran run(const Model& model, int steps, const Asked& asked = {}, const Watch& watch = {}) {
  const tappet::Settings settings =
      settings_of(model, {.scheme = asked.scheme, .dt = asked.dt, .options = asked.options});
  System system(model);
  const auto stepper = make_stepper(settings.scheme, system, settings.options);
  Evaluator evaluator(system);
  State state = system.initial();
  Vec gaps, joints;
  Ran ran;
  ran.row = {"", "Tappet", settings.scheme, steps, 0.0, 0.0, ""};
  const double energy = evaluator.energy(state.t, state.q, state.u).total();
  int unconverged = 0;
  for (int k = 0; k < steps; ++k) {
    const double from = processor_seconds();
    if (!timed_step(*stepper, state, settings.dt)) ++unconverged;
    ran.row.us_per_step += 1e6 * (processor_seconds() - from - clock_cost()) / steps;
    evaluator.gaps(state.t, state.q, gaps);
    for (double gap : gaps) ran.row.penetration = std::max(ran.row.penetration, -gap);
    evaluator.joint_residuals(state.t, state.q, joints);
    for (double gap : joints) ran.joint_gap = std::max(ran.joint_gap, std::abs(gap));
    if (watch) watch(state, k);
  }
  ran.energy_error = evaluator.energy(state.t, state.q, state.u).total() / energy - 1.0;
  if (unconverged > 0) ran.row.error = fmt::format("{} steps not converged", unconverged);
  return ran;
}

Row bouncing_ball(int steps) { return run(load(find_model("bouncing_ball")), steps).row; }

Row slider_crank(const char* scheme, bool friction, int steps) {
  const Model model = load(find_model("slider_crank"), friction ? Overrides{} : Overrides{{"mu", "0"}});
  Row row = run(model, steps, {.scheme = scheme}).row;
  row.test = fmt::format("slider_crank {}{}", friction ? "" : "mu=0 ", scheme);
  return row;
}

Row elastic_bar(const char* N, int steps) {
  Row row = run(load(find_model("elastic_bar"), {{"N", N}}), steps).row;
  row.test = fmt::format("elastic_bar N={}", N);
  return row;
}

Row slider_crank_ideal(const char* name, int steps) {
  const Ran ran = run(load(find_model(name)), steps,
                      {.scheme = "ggl-unified", .dt = 1e-4, .options = {{"joint_level", "position", {}}}});
  Row row = ran.row;
  row.setting += fmt::format(", {}", name);
  row.penetration = -1.0;
  row.error = fmt::format("energy {:+.2g} %, joint gap {:.2g} m", 100.0 * ran.energy_error, ran.joint_gap);
  return row;
}

constexpr const char* ball = R"(
title: A ball on the floor
bodies: {{ball: {{type: rigid, mass: 1, inertia: [0.004, 0.004, 0.004], position: [0, 0, {}], velocity: [{}, 0, 0]}}}}
contacts: {{floor: {{type: sphere-plane, bodies: [ball, ground], radius: 0.1, normal: [0, 0, 1], e_N: {}, mu: {}}}}}
forces: {{gravity: {{type: gravity, acceleration: [0, 0, -9.81]}}}}
run: {{scheme: moreau-midpoint, dt: 1e-3, end: 1}}
)";

Row ball_bounce(int steps) {
  double apex = 0.0, before = -1.0;
  bool rising = false, done = false;
  Row row = run(parse_model(fmt::format(ball, 1.1, 0, 0.8, 0), "ball"), steps, {}, [&](const State& s, int) {
              const double v = s.u[2];
              if (v > 0.0) rising = true;
              if (rising && !done) apex = std::max(apex, s.q[2] - 0.1);
              if (rising && v < 0.0 && before > 0.0) done = true;
              before = v;
            }).row;
  row.error = fmt::format("first apex {:+.3g} %", 100.0 * (apex / 0.64 - 1.0));
  return row;
}

Row sphere_sliding(int steps) {
  double gap = 0.0, speed = 0.0;
  Row row = run(parse_model(fmt::format(ball, 0.1, 1, 0, 0.3), "ball"), steps, {}, [&](const State& s, int) {
              gap = std::max(gap, s.q[2] - 0.1);
              speed = s.u[0];
            }).row;
  row.error = fmt::format("lift-off {:.3g} um, rolls at 5/7 m/s {:+.2g} %", 1e6 * gap, 100.0 * (1.4 * speed - 1.0));
  return row;
}

Row block_on_slope(int steps) {
  const char* text = R"(
title: A block on a slope
parameters: {angle: 10*deg, height: 0.1}
bodies:
  block: {type: rigid, mass: 1, inertia: [0.05/12, 0.08/12, 0.05/12], velocity: [0, 0, 0],
          position: [height/2*sin(angle), 0, height/2*cos(angle)], rotation: {axis: [0, 1, 0], angle: angle}}
contacts:
  slope: {type: box-plane, bodies: [block, ground], size: [0.2, 0.2, height], normal: [sin(angle), 0, cos(angle)], e_N: 0, mu: 0.5}
forces: {gravity: {type: gravity, acceleration: [0, 0, -9.81]}}
run: {scheme: combined-projection, dt: 1e-3, end: 10}
)";
  const double angle = 10.0 * M_PI / 180.0;
  double at_1s = 0.0, now = 0.0;
  Row row = run(parse_model(text, "block"), steps, {}, [&](const State& s, int k) {
              now = s.q[0] * std::cos(angle) - s.q[2] * std::sin(angle);
              if (k == steps / 10 - 1) at_1s = now;
            }).row;
  row.error = fmt::format("creep from 1 s to 10 s {:.3g} um", 1e6 * (now - at_1s));
  return row;
}

Row chain(const char* scheme, int steps) {
  const Chain scene;
  const Vec3d J = scene.inertia();
  std::string bodies, joints;
  for (int k = 0; k < scene.count; ++k) {
    bodies += fmt::format("  b{}: {{type: planar, mass: {}, inertia: {}, position: [{}, 0]}}\n", k, scene.mass, J.y,
                          (k + 0.5) * scene.length);
    joints += fmt::format("  j{}: {{type: revolute, bodies: [{}, b{}], at: [{}, 0]}}\n", k,
                          k == 0 ? "ground" : fmt::format("b{}", k - 1), k, k * scene.length);
  }
  const Model model = parse_model("title: A chain\nbodies:\n" + bodies + "joints:\n" + joints +
                                      "forces: {gravity: {type: gravity, acceleration: [0, -9.81]}}\n"
                                      "run: {scheme: ggl-unified, dt: 1e-3, end: 2}\n",
                                  "chain");
  System system(model);
  Evaluator evaluator(system);
  const double scale = scene.count * scene.mass * 9.81 * 0.5 * scene.count * scene.length;
  const auto energy = [&](const State& s) { return evaluator.energy(s.t, s.q, s.u).total(); };
  const double at_first = energy(system.initial());
  double drift = 0.0;
  Asked asked{.scheme = scheme};
  if (asked.scheme == "ggl-unified") asked.options = {{"joint_level", "position", {}}};
  const Ran ran =
      run(model, steps, asked, [&](const State& s, int) { drift = std::max(drift, std::abs(energy(s) - at_first)); });
  Row row = ran.row;
  row.penetration = -1.0;
  row.error = fmt::format("energy {:.2g} % of m g L/2, joint gap {:.2g} m", 100.0 * drift / scale, ran.joint_gap);
  return row;
}

struct Case {
  const char *group, *name;
  int steps;
  std::function<Row(int)> run;
};
const Case cases[] = {
    {"bouncing_ball", "bouncing_ball", 4000, bouncing_ball},
    {"slider_crank", "", 2000, [](int n) { return slider_crank("moreau-jean", true, n); }},
    {"slider_crank", "", 2000, [](int n) { return slider_crank("moreau-jean", false, n); }},
    {"slider_crank", "", 2000, [](int n) { return slider_crank("direct-projection", true, n); }},
    {"slider_crank", "", 2000, [](int n) { return slider_crank("direct-projection", false, n); }},
    {"slider_crank", "", 2000, [](int n) { return slider_crank("combined-projection", true, n); }},
    {"slider_crank", "", 2000, [](int n) { return slider_crank("combined-projection", false, n); }},
    {"slider_crank", "", 2000, [](int n) { return slider_crank("half-explicit-velocity", true, n); }},
    {"slider_crank", "", 2000, [](int n) { return slider_crank("half-explicit-velocity", false, n); }},
    {"elastic_bar_100", "", 300, [](int n) { return elastic_bar("100", n); }},
    {"elastic_bar_1000", "", 300, [](int n) { return elastic_bar("1000", n); }},
    {"ball_bounce", "ball_bounce", 2000, ball_bounce},
    {"block_on_slope", "block_on_slope", 10000, block_on_slope},
    {"sphere_sliding", "sphere_sliding", 1000, sphere_sliding},
    {"slider_crank_ideal", "slider_crank_ideal", 10000,
     [](int n) { return slider_crank_ideal("slider_crank_natural", n); }},
    {"slider_crank_ideal", "slider_crank_ideal", 10000,
     [](int n) { return slider_crank_ideal("slider_crank_bilateral_bodies", n); }},
    {"chain_100", "chain_100", 2000, [](int n) { return chain("half-explicit-velocity", n); }},
    {"chain_100", "chain_100", 2000, [](int n) { return chain("ggl-unified", n); }}};

}  // namespace
}  // namespace peers

int main(int argc, char** argv) {
  for (const peers::Case& c : peers::cases) {
    if (argc > 1 && std::strcmp(argv[1], c.group) != 0) continue;
    peers::Row row = c.run(argc > 2 ? std::atoi(argv[2]) : c.steps);
    if (row.test.empty()) row.test = c.name;
    peers::print(row);
  }
}
