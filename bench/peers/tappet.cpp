// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0

// Our rows of the table: the same cases from model files, one step at a time.
#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <functional>

#include "collision/collision_world.h"
#include "engine.h"
#include "measures.h"
#include "run/make_stepper.h"
#include "run/models.h"
#include "run/settings.h"
#include "run/simulate.h"
#include "scenes.h"
#include "system/evaluator.h"

namespace peers {
namespace {

using namespace tappet;

struct Asked {
  std::string scheme{};
  double dt = 0.0;
  std::vector<Option> options{};
};

// Instructions are counted in this function only.
[[gnu::noinline]] StepReport timed_step(ContactList& contacts, Stepper& stepper, State& state, double dt) {
  contacts.find(state, dt);
  return stepper.step(state, dt);
}

// The scheme and its options that are set by the model or here.
std::string words(const tappet::Settings& settings) {
  std::string text = settings.scheme;
  for (const Option& option : settings.options) {
    const std::string word = fmt::format(", {} {}", option.key, option.value);
    if (text.find(word) == std::string::npos) text += word;
  }
  return text;
}

struct Ran {
  Row row;                              // its error is that of the contact problems
  double at_first = 0.0, at_end = 0.0;  // energy, J
  double joint_gap = 0.0;               // largest
};
using Watch = std::function<void(const State&, int step)>;

Ran run(const Model& model, int steps, const Asked& asked = {}, const Watch& watch = {}) {
  const tappet::Settings settings =
      settings_of(model, {.scheme = asked.scheme, .dt = asked.dt, .options = asked.options});
  const System system(model);
  ContactList contacts(system);
  const auto stepper = make_stepper(settings.scheme, contacts, settings.options);
  Evaluator evaluator(contacts);
  State state = system.initial();
  Vec gaps, joints;
  Ran ran;
  ran.row = {"", "Tappet", words(settings), steps, 0.0, 0.0, ""};
  ran.at_first = evaluator.energy(state.t, state.q, state.u).total();
  int unconverged = 0;
  double residual = 0.0;
  for (int k = 0; k < steps; ++k) {
    const double from = processor_seconds();
    const StepReport report = timed_step(contacts, *stepper, state, settings.dt);
    ran.row.us_per_step += 1e6 * (processor_seconds() - from - clock_cost()) / steps;
    unconverged += !report.converged();
    residual = std::max(residual, report.solve.residual);
    evaluator.gaps(state.t, state.q, gaps);
    for (double gap : gaps) ran.row.penetration = std::max(ran.row.penetration, -gap);
    evaluator.joint_residuals(state.t, state.q, joints);
    for (double gap : joints) ran.joint_gap = std::max(ran.joint_gap, std::abs(gap));
    if (watch) watch(state, k);
  }
  ran.at_end = evaluator.energy(state.t, state.q, state.u).total();
  ran.row.error = fmt::format("e <= {:.2g}", residual);
  if (unconverged > 0) ran.row.error += fmt::format(", {} steps not converged", unconverged);
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
  row.error = energy_error(ran.at_end, ran.at_first, ran.joint_gap);
  return row;
}

Row ball_bounce(int steps) {
  FirstApex ball;
  Row row = run(load(find_model("bouncing_sphere")), steps, {}, [&](const State& s, int) {
              ball.see(s.q[2] - 0.1, s.u[2]);
            }).row;
  row.error = ball.error(0.8, 1.0);
  return row;
}

Row sphere_sliding(int steps) {
  Rolling ball;
  double speed = 0.0;
  Row row = run(load(find_model("sliding_sphere")), steps, {}, [&](const State& s, int) {
              ball.see(s.q[2] - 0.1);
              speed = s.u[0];
            }).row;
  row.error = ball.error(speed);
  return row;
}

Row block_on_slope(int steps) {
  const Model model = load(find_model("block_on_slope"));
  const Vec3d down = rotation_matrix(std::get<RigidBody>(model.bodies[0].element).rotation) * Vec3d{1, 0, 0};
  double at_1s = 0.0, now = 0.0;
  Row row = run(model, steps, {}, [&](const State& s, int k) {
              now = dot(down, Vec3d{s.q[0], s.q[1], s.q[2]});
              if (k == steps / 10 - 1) at_1s = now;
            }).row;
  row.error = creep_error(now - at_1s);
  return row;
}

Row chain(const char* scheme, int steps) {
  const Chain scene;
  const Model model = load(find_model("chain_of_pendulums"));
  const System system(model);
  ContactList contacts(system);
  Evaluator evaluator(contacts);
  const double scale = scene.count * scene.mass * 9.81 * 0.5 * scene.count * scene.length;
  const auto energy = [&](const State& s) { return evaluator.energy(s.t, s.q, s.u).total(); };
  const double at_first = energy(system.initial());
  double drift = 0.0;
  const Ran ran = run(model, steps, {.scheme = scheme},
                      [&](const State& s, int) { drift = std::max(drift, std::abs(energy(s) - at_first)); });
  Row row = ran.row;
  row.penetration = -1.0;
  row.error = drift_error(drift, scale, ran.joint_gap);
  return row;
}

// How deep the bodies of a scene penetrate each other. It looks at all their colliders and not only at the contacts of
// a step.
class Depth {
 public:
  explicit Depth(const Scene& scene) : world_(scene.colliders), bodies_(scene.bodies.size()) {}
  double at(const Vec& q) {
    for (size_t i = 0; i < bodies_.size(); ++i) {
      const double* x = q.data() + RigidBody::nq * i;
      bodies_[i] = {{x[0], x[1], x[2]}, rotation_matrix(RigidBody::quaternion(x))};
    }
    world_.find(bodies_, 0.0, touches_);
    double depth = 0.0;
    for (const TouchPoint& touch : touches_) depth = std::max(depth, -touch.gap);
    return depth;
  }
  const std::vector<Pose<double>>& bodies() const { return bodies_; }

 private:
  CollisionWorld world_;
  std::vector<Pose<double>> bodies_;
  std::vector<TouchPoint> touches_;
};

Row many_spheres(int steps) {
  const Scene scene = scene_of("spheres_in_box");
  Depth depth(scene);
  double deepest = 0.0, late = 0.0, speed2 = 0.0;
  Row row = run(load(find_model("spheres_in_box")), steps, {}, [&](const State& s, int k) {
              const double now = depth.at(s.q);
              deepest = std::max(deepest, now);
              late = k >= steps - 200 ? std::max(late, now) : now;
              speed2 = 0.0;
              for (int i = 0; i < s.u.size(); i += RigidBody::nu)
                for (int j = i; j < i + 3; ++j) speed2 += s.u[j] * s.u[j];
            }).row;
  row.penetration = deepest;
  row.error = rest_error(late, std::sqrt(speed2 / static_cast<double>(scene.bodies.size()))) + "; " + row.error;
  return row;
}

Row pyramid(int steps) {
  const Scene scene = scene_of("cube_pyramid");
  Depth depth(scene);
  double deepest = 0.0, shift = 0.0;
  Row row = run(load(find_model("cube_pyramid")), steps, {}, [&](const State& s, int k) {
              if (k % 50 != 49) return;
              deepest = std::max(deepest, depth.at(s.q));
              for (size_t i = 0; i < scene.bodies.size(); ++i)
                shift = std::max(shift, norm(depth.bodies()[i].p - scene.bodies[i].pose.p));
            }).row;
  row.penetration = deepest;
  row.error = shift_error(shift) + "; " + row.error;
  return row;
}

Row rocks(int steps) {
  const Scene scene = scene_of("rocks_in_box", two_hundred_rocks);
  Depth depth(scene);
  double deepest = 0.0, late = 0.0, speed2 = 0.0;
  Row row = run(load(find_model("rocks_in_box"), two_hundred_rocks), steps, {}, [&](const State& s, int k) {
              if (k % 20 != 19) return;
              late = depth.at(s.q), deepest = std::max(deepest, late);
              speed2 = 0.0;
              for (int i = 0; i < s.u.size(); i += RigidBody::nu)
                for (int j = i; j < i + 3; ++j) speed2 += s.u[j] * s.u[j];
            }).row;
  row.penetration = deepest;
  row.error = rest_error(late, std::sqrt(speed2 / static_cast<double>(scene.bodies.size()))) + "; " + row.error;
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
    {"chain_100", "chain_100", 2000, [](int n) { return chain("ggl-unified", n); }},
    {"spheres_in_box", "spheres_in_box", 2000, many_spheres},
    {"pyramid_210", "pyramid_210", 10000, pyramid},
    {"rocks_200", "rocks_200", 1500, rocks}};

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
