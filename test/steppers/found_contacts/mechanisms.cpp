// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "steppers/found_contacts/mechanisms.h"

#include <fmt/format.h>

namespace tappet::test {

Written ball_on_ball(double mu) {
  const double x = 0.5 * std::sin(0.3), z = 0.5 * std::cos(0.3);
  return {
      "ball_on_ball",
      fmt::format(R"yaml(
bodies: {{a: {{type: rigid, mass: 1, inertia: [0.004, 0.004, 0.004], position: [{:.17g}, 0, {:.17g}]}}}}
forces: {{gravity: {{type: gravity, acceleration: [0, 0, -9.81]}}}}
)yaml",
                  x, z),
      fmt::format("contacts: {{top: {{type: sphere-sphere, bodies: [a, ground], radii: [0.1, 0.4], mu: {}}}}}\n", mu),
      fmt::format("colliders:\n  a: {{type: sphere, body: a, radius: 0.1, mu: {0}}}\n"
                  "  top: {{type: sphere, body: ground, radius: 0.4, mu: {0}}}\n",
                  mu)};
}

Written rolling_capsule() {  // its axis is z, and the plane is x = 0
  return {"rolling_capsule", R"yaml(
bodies: {a: {type: rigid, mass: 1, inertia: [0.02, 0.02, 0.005], position: [0.1, 0, 0]}}
forces:
  gravity: {type: gravity, acceleration: [-9.81, 0, 0]}
  spring: {type: spring, bodies: [ground, a], at: [[0.1, -2, 0], [0, 0, 0]], stiffness: 40, length: 1.5}
)yaml",
          R"yaml(
contacts:
  one: {type: sphere-plane, bodies: [a, ground], radius: 0.1, center: [0, 0, -0.2], normal: [1, 0, 0], mu: 1}
  two: {type: sphere-plane, bodies: [a, ground], radius: 0.1, center: [0, 0, 0.2], normal: [1, 0, 0], mu: 1}
)yaml",
          R"yaml(
colliders:
  a: {type: capsule, body: a, radius: 0.1, length: 0.4, mu: 1}
  floor: {type: plane, body: ground, normal: [1, 0, 0], mu: 1}
)yaml"};
}

Written box_on_slope(double mu) {
  return {"box_on_slope", R"yaml(
parameters: {slope: 0.3}
bodies:
  a: {type: rigid, mass: 1, inertia: [0.005, 0.005, 0.008], position: [0, 0, 0.05], velocity: [1, 0, 0]}
forces:
  gravity: {type: gravity, acceleration: [9.81*sin(slope), 0, -9.81*cos(slope)]}
  spring: {type: spring, bodies: [ground, a], at: [[-2, 0, 0.05], [0, 0, 0]], stiffness: 9, length: 2}
)yaml",
          fmt::format("contacts: {{floor: {{type: box-plane, bodies: [a, ground], size: [0.2, 0.2, 0.1], "
                      "normal: [0, 0, 1], mu: {}}}}}\n",
                      mu),
          fmt::format("colliders:\n  a: {{type: box, body: a, size: [0.2, 0.2, 0.1], mu: {0}}}\n"
                      "  floor: {{type: plane, body: ground, normal: [0, 0, 1], mu: {0}}}\n",
                      mu)};
}

Written ball_in_container() {
  return {"ball_in_container", R"yaml(
bodies:
  a: {type: rigid, mass: 1, inertia: [0.004, 0.004, 0.004], position: [0, 0, 0.12], velocity: [1.3, 0.4, 0],
      spin: [0, 5, 1]}
forces: {gravity: {type: gravity, acceleration: [0, 0, -9.81]}}
)yaml",
          R"yaml(
contacts:
  floor: {type: sphere-plane, bodies: [a, ground], radius: 0.1, point: [0, 0, 0], normal: [0, 0, 1],
         mu: 0.3, e_N: 0.4}
  left: {type: sphere-plane, bodies: [a, ground], radius: 0.1, point: [-0.5, 0, 0], normal: [1, 0, 0],
         mu: 0.3, e_N: 0.4}
  right: {type: sphere-plane, bodies: [a, ground], radius: 0.1, point: [0.5, 0, 0], normal: [-1, 0, 0],
         mu: 0.3, e_N: 0.4}
  front: {type: sphere-plane, bodies: [a, ground], radius: 0.1, point: [0, -0.5, 0], normal: [0, 1, 0],
         mu: 0.3, e_N: 0.4}
  back: {type: sphere-plane, bodies: [a, ground], radius: 0.1, point: [0, 0.5, 0], normal: [0, -1, 0],
         mu: 0.3, e_N: 0.4}
)yaml",
          R"yaml(
colliders:
  a: {type: sphere, body: a, radius: 0.1, mu: 0.3, e_N: 0.4}
  box: {type: container, body: ground, size: [1, 1, 1], center: [0, 0, 0.5], mu: 0.3, e_N: 0.4}
)yaml"};
}

Written bouncing_beside_resting(double mu) {
  return {"bouncing_beside_resting", R"yaml(
bodies:
  a: {type: rigid, mass: 1, inertia: [0.004, 0.004, 0.004], position: [0, 0, 0.13], velocity: [0.6, 0, 0]}
  b: {type: rigid, mass: 2, inertia: [0.008, 0.008, 0.008], position: [3, 0, 0.1]}
  c: {type: rigid, mass: 2, inertia: [0.008, 0.008, 0.008], position: [0.25, 0.02, 0.16], spin: [0, 3, 0]}
forces: {gravity: {type: gravity, acceleration: [0, 0, -9.81]}}
)yaml",
          fmt::format(R"yaml(
contacts:
  ac: {{type: sphere-sphere, bodies: [a, c], radii: 0.1, mu: {0}, e_N: 0.5}}
  a_floor: {{type: sphere-plane, bodies: [a, ground], radius: 0.1, normal: [0, 0, 1], mu: {0}, e_N: 0.5}}
  b_floor: {{type: sphere-plane, bodies: [b, ground], radius: 0.1, normal: [0, 0, 1], mu: {0}, e_N: 0.5}}
  c_floor: {{type: sphere-plane, bodies: [c, ground], radius: 0.1, normal: [0, 0, 1], mu: {0}, e_N: 0.5}}
)yaml",
                      mu),
          fmt::format(R"yaml(
colliders:
  a: {{type: sphere, body: a, radius: 0.1, mu: {0}, e_N: 0.5}}
  b: {{type: sphere, body: b, radius: 0.1, mu: {0}, e_N: 0.5}}
  c: {{type: sphere, body: c, radius: 0.1, mu: {0}, e_N: 0.5}}
  floor: {{type: plane, body: ground, normal: [0, 0, 1], mu: {0}, e_N: 0.5}}
)yaml",
                      mu)};
}

// The classical Runge-Kutta method; its errors here are below 1e-12.
template <class Acceleration>
double integrated(double angle, double rate, double t, const Acceleration& acceleration) {
  constexpr int steps = 4000;
  const double h = t / steps;
  for (int i = 0; i < steps; ++i) {
    const double v_1 = rate, a_1 = acceleration(angle, v_1);
    const double v_2 = rate + h / 2 * a_1, a_2 = acceleration(angle + h / 2 * v_1, v_2);
    const double v_3 = rate + h / 2 * a_2, a_3 = acceleration(angle + h / 2 * v_2, v_3);
    const double v_4 = rate + h * a_3, a_4 = acceleration(angle + h * v_3, v_4);
    angle += h / 6 * (v_1 + 2 * v_2 + 2 * v_3 + v_4);
    rate += h / 6 * (a_1 + 2 * a_2 + 2 * a_3 + a_4);
  }
  return angle;
}

double angle_on_ball(double c, double t) {
  return integrated(0.3, 0.0, t, [&](double angle, double) { return c * 9.81 / 0.5 * std::sin(angle); });
}

namespace ellipse {
constexpr double a = 0.1, b = 0.08, m = 1.0, I = m * (a * a + b * b) / 4, spin = 4.0, g = 9.81;
}

Model rolling_ellipse(double tolerance) {
  using namespace ellipse;
  return parse_model(fmt::format(R"yaml(
geometry:
  e: {{type: profile, outline: {{svg: "M {0} 0 A {0} {1} 0 0 1 -{0} 0 A {0} {1} 0 0 1 {0} 0 Z", tolerance: {7}}}}}
bodies:
  e: {{type: planar, geometry: e, mass: {2}, inertia: {3:.17g}, position: [0, {1}], velocity: [{4:.17g}, 0], spin: {5}}}
colliders:
  e: {{type: profile, geometry: e, body: e, mu: 3}}
  floor: {{type: plane, body: ground, normal: [0, 1, 0], mu: 3}}
forces: {{gravity: {{type: gravity, acceleration: [0, -{6}, 0]}}}}
)yaml",
                                 a, b, m, I, -spin * b, spin, g, tolerance),
                     "rolling_ellipse");
}

double angle_of_rolling_ellipse(double t) {
  using namespace ellipse;
  return integrated(0.0, spin, t, [&](double angle, double rate) {
    const double s = std::sin(angle), c = std::cos(angle), h = std::hypot(a * s, b * c),
                 dh = (a * a - b * b) * s * c / h, rho = a * a * b * b / (h * h * h);
    return -m * dh * (g + rho * rate * rate) / (I + m * (h * h + dh * dh));
  });
}

double angle_of(const State& state) { return std::atan2(state.q[0], state.q[2]); }

std::vector<FollowingScheme> every_scheme() {
  std::vector<FollowingScheme> list;
  for_each<Schemes>([&]<class Scheme>() {
    const std::string name(Scheme::facts.name);
    list.push_back({name,
                    [](const ContactList& contacts) -> std::unique_ptr<Stepper> {
                      auto exact = make_solver("auto", {.tolerance = 1e-13});
                      if constexpr (std::is_same_v<Scheme, LcpEuler>)
                        return std::make_unique<Scheme>(contacts, std::move(exact), LcpEulerOptions{.directions = 8});
                      else if constexpr (std::is_same_v<Scheme, EventDriven>)
                        return std::make_unique<Scheme>(contacts, std::move(exact),
                                                        EventDrivenOptions{.accumulate = "close"});
                      else
                        return std::make_unique<Scheme>(contacts, std::move(exact));
                    },
                    name != "half-explicit-acceleration"});
  });
  return list;
}

namespace {
template <class Scheme>
FollowingScheme variant(const std::string& option, const typename Scheme::Options& options, bool friction = true) {
  return {std::string(Scheme::facts.name) + " " + option,
          [options](const ContactList& contacts) -> std::unique_ptr<Stepper> {
            return std::make_unique<Scheme>(contacts, make_solver("auto", {.tolerance = 1e-13}), options);
          },
          friction};
}

template <class Options, class Set>
Options with(const Set& set) {
  Options options;
  set(options);
  return options;
}
}  // namespace

std::vector<FollowingScheme> schemes_with_options() {
  return {
      variant<HalfExplicitVelocity>("component",
                                    with<HalfExplicitVelocityOptions>([](auto& o) { o.impulsive = "component"; })),
      variant<HalfExplicitVelocity>("poisson",
                                    with<HalfExplicitVelocityOptions>([](auto& o) { o.impact = "poisson"; })),
      variant<HalfExplicitAdaptive>("controlled", {.step_tolerance = 1e-5}),
      variant<DirectProjection>("coupled", with<DirectProjectionOptions>([](auto& o) { o.coupling = "coupled"; })),
      variant<CombinedProjection>("coupled",
                                  with<CombinedProjection::Options>([](auto& o) { o.coupling = "coupled"; })),
      variant<GglUnified>("prox", {.newton = "prox"}, false),
      variant<LcpTrapezoidal>("stabilised", {.stabilisation = 0.5}),
      variant<LcpTrapezoidal>("first", {.form = "I"}),
      variant<GeneralizedAlpha>("levels", {.strategy = "levels"}),
      variant<GeneralizedAlpha>("printed", {.law = "printed"}),
  };
}

FollowingScheme scheme_named(const std::string& name) {
  for (const FollowingScheme& scheme : every_scheme())
    if (scheme.name == name) return scheme;
  return {};
}

FoundRun run_found(const Model& model, const FollowingScheme& scheme, double dt, double end) {
  const System system(model);
  ContactList contacts(system);
  const auto stepper = scheme.make(contacts);
  Evaluator evaluate(contacts);
  FoundRun result;
  result.state = system.initial();
  State& state = result.state;
  const double at_start = evaluate.energy(state.t, state.q, state.u).total();
  while (state.t < end - 1e-9 * dt) {
    contacts.find(state, std::min(dt, end - state.t));
    const StepReport report = stepper->step(state, std::min(dt, end - state.t));
    result.unconverged += !report.converged();
    result.impulsive += report.impulsive;
    result.q.push_back(state.q);
    const double energy = evaluate.energy(state.t, state.q, state.u).total();
    result.energy_rise = std::max(result.energy_rise, energy - at_start);
    result.energy_change = std::max(result.energy_change, std::abs(energy - at_start));
    if (!(report.dt > 0)) break;
  }
  return result;
}

double difference(const FoundRun& a, const FoundRun& b) {
  if (a.q.size() != b.q.size()) return INFINITY;
  double largest = 0.0;
  for (size_t k = 0; k < a.q.size(); ++k)
    for (int i = 0; i < a.q[k].size(); ++i) largest = std::max(largest, std::abs(a.q[k][i] - b.q[k][i]));
  return largest;
}

}  // namespace tappet::test
