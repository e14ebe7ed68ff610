// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "model/model.h"
#include "model/reading/nearest.h"
#include "model/reading/yaml.h"
#include "support/paths.h"

namespace tappet {
namespace {

Model parsed(const std::string& text, const Overrides& set = {}) { return parse_model(text, "test.yaml", set); }

// A formula at t, positions and velocities.
double value(const Model& model, Node node, std::vector<double> inputs) {
  return model.formulas.graph.evaluate(node, inputs);
}

const std::string ball = R"(
parameters: {m: 2, g: 9.81, R: 0.1, h: 10*R}
coordinates: {y: {position: h, velocity: -g/10}}
lagrangian: {kinetic: m*y'^2/2, potential: m*g*y}
contacts: {floor: {gap: y - R, e_N: 1/2}}
)";

std::string message(const std::string& text, const Overrides& set = {}) {
  try {
    parsed(text, set);
  } catch (const ModelError& e) {
    return e.what();
  }
  return "accepted";
}

// Each parameter names the next one. The chain is longer than the stack of the program would be deep.
TEST(load, a_chain_of_parameters_may_be_long) {
  constexpr int count = 20000;
  for (const bool backwards : {false, true}) {
    std::string text = "parameters:\n";
    for (int i = 0; i < count; ++i) {
      const int k = backwards ? count - 1 - i : i;
      text += k == 0 ? std::string("  p0: 1\n") : fmt::format("  p{}: p{} + 1\n", k, k - 1);
    }
    const Model model = parsed(text + "coordinates: {x: {}}\nmass: [1]\n");
    EXPECT_EQ(model.parameters[backwards ? 0 : count - 1].value, count);
  }
}

TEST(load, parameters_may_have_a_range_for_their_slider) {
  const std::string text =
      "parameters: {mu: {value: k/2, from: 0, to: 2*k}, k: 0.5}\ncoordinates: {x: {}}\nmass: [mu]\n";
  EXPECT_DOUBLE_EQ(parsed(text).parameters[0].value, 0.25);
  EXPECT_DOUBLE_EQ(parsed(text, {{"mu", "3*k"}}).parameters[0].value, 1.5);
}

TEST(load, parameters_may_name_later_ones) {
  const Model model = parsed("parameters: {d: 2*(b + c), c: b/25, b: 0.025}\ncoordinates: {x: {}}\nmass: [d]\n");
  EXPECT_DOUBLE_EQ(model.parameters[0].value, 0.052);
}

TEST(load, formulas_are_evaluated_everywhere) {
  const Model model = parsed(ball);
  ASSERT_EQ(model.formulas.coordinates.size(), 1u);
  EXPECT_EQ(model.formulas.coordinates[0].name, "y");
  EXPECT_DOUBLE_EQ(model.formulas.coordinates[0].position, 1.0);
  EXPECT_DOUBLE_EQ(model.formulas.coordinates[0].velocity, -0.981);
  EXPECT_DOUBLE_EQ(value(model, *model.formulas.kinetic, {0, 1, 3}), 9.0);
  EXPECT_DOUBLE_EQ(value(model, *model.formulas.potential, {0, 1, 3}), 19.62);
  ASSERT_EQ(model.formulas.contacts.size(), 1u);
  EXPECT_DOUBLE_EQ(value(model, model.formulas.contacts[0].gap, {0, 1, 0}), 0.9);
  EXPECT_DOUBLE_EQ(model.formulas.contacts[0].law.e_N, 0.5);
  EXPECT_DOUBLE_EQ(model.formulas.contacts[0].law.mu[0], 0.0);
}

TEST(load, set_replaces_a_parameter_and_what_depends_on_it) {
  const Model model = parsed(ball, {{"R", "2*m/10"}});
  EXPECT_DOUBLE_EQ(model.formulas.coordinates[0].position, 4.0);
  EXPECT_EQ(model.parameters[2].name, "R");
  EXPECT_DOUBLE_EQ(model.parameters[2].value, 0.4);
}

TEST(load, set_of_an_unknown_parameter_names_the_nearest) {
  EXPECT_NE(message(ball, {{"RR", "1"}}).find("--set RR: unknown parameter"), std::string::npos);
  EXPECT_NE(message(ball, {{"r", "1"}}).find("expected one of: m, g, R, h"), std::string::npos);
  EXPECT_NE(message(ball, {{"R", "1 +"}}).find("--set R"), std::string::npos);
  EXPECT_NE(message(ball, {{"R", "1/0"}}).find("expected a finite number"), std::string::npos);
  EXPECT_NE(message(ball, {{"R", "h"}}).find("in a circle"), std::string::npos);
}

TEST(load, generalised_forces_and_force_elements_stand_in_one_section) {
  const Model model = parsed(R"(
coordinates: {x: {}, y: {}}
lagrangian: {kinetic: (x'^2 + y'^2)/2}
bodies: {bob: {type: point, mass: 1, position: [0, 1, 0]}}
forces:
  y: -3*y' + sin(t)
  gravity: {type: gravity, acceleration: [0, -9.81]}
  only: {type: gravity, acceleration: [1, 0, 0], bodies: [bob]}
  bob.x: 2*x
)");
  ASSERT_EQ(model.formulas.forces.size(), 3u);  // x, y, bob.x
  EXPECT_FALSE(model.formulas.forces[0]);
  // inputs: t, x, y, bob.x, x', y', bob.x'
  EXPECT_DOUBLE_EQ(value(model, *model.formulas.forces[1], {0.5, 0, 0, 0, 0, 2, 0}), -6 + std::sin(0.5));
  EXPECT_DOUBLE_EQ(value(model, *model.formulas.forces[2], {0, 7, 0, 0, 0, 0, 0}), 14.0);
  ASSERT_EQ(model.formulas.body_coordinates.size(), 1u);
  EXPECT_EQ(model.formulas.body_coordinates[0].body, 0);
  EXPECT_EQ(model.formulas.body_coordinates[0].index, 0);
  ASSERT_EQ(model.forces.size(), 2u);
  EXPECT_EQ(model.forces[0].name, "gravity");
  EXPECT_TRUE(model.forces[0].targets.empty());
  EXPECT_EQ(model.forces[1].targets, std::vector<int>{0});
  EXPECT_DOUBLE_EQ(std::get<Gravity>(model.forces[0].element).acceleration.y, -9.81);
}

TEST(load, definitions_have_rates_and_may_name_later_ones) {
  const Model model = parsed(R"(
define: {v: x_C', x_C: r*cos(phi), r: 2 + t}
coordinates: {phi: {}}
lagrangian: {kinetic: phi'^2}
contacts: {c: {gap: x_C, slip_velocity: v + phi', mu: 0.1}}
)");
  // d/dt (2 + t) cos φ = cos φ − (2 + t) sin φ φ'
  const double t = 0.3, phi = 0.7, w = 1.1;
  ASSERT_EQ(model.formulas.contacts[0].slip.size(), 1u);
  EXPECT_TRUE(model.formulas.contacts[0].slip_is_velocity);
  EXPECT_NEAR(value(model, model.formulas.contacts[0].slip[0], {t, phi, w}),
              std::cos(phi) - (2 + t) * std::sin(phi) * w + w, 1e-15);
  EXPECT_EQ(model.formulas.definitions.size(), 3u);
}

TEST(load, mass_matrix_takes_rows_or_a_diagonal) {
  const Model diagonal = parsed("coordinates: {x: {}, y: {}}\nmass: [2, 3]\nforces: {x: -x}\n");
  EXPECT_TRUE(diagonal.formulas.forces_are_complete);
  EXPECT_DOUBLE_EQ(value(diagonal, diagonal.formulas.mass[1][1], {}), 3.0);
  EXPECT_DOUBLE_EQ(value(diagonal, diagonal.formulas.mass[1][0], {}), 0.0);
  const Model full = parsed("coordinates: {x: {}, y: {position: 1}}\nmass: [[2, cos(y)], [cos(y), 3]]\n");
  EXPECT_DOUBLE_EQ(value(full, full.formulas.mass[0][1], {0, 0, 0.5, 0, 0}), std::cos(0.5));
}

TEST(load, joints_hold_positions_or_velocities) {
  const Model model = parsed(R"(
coordinates: {x: {}, y: {}, phi: {}}
lagrangian: {kinetic: x'^2 + y'^2 + phi'^2}
joints:
  rod: {constraint: [x^2 + y^2 - 1, phi - t]}
  blade: {velocity_constraint: y'*cos(phi) - x'*sin(phi)}
)");
  ASSERT_EQ(model.formulas.joints.size(), 2u);
  EXPECT_FALSE(model.formulas.joints[0].velocity_level);
  EXPECT_EQ(model.formulas.joints[0].rows.size(), 2u);
  EXPECT_TRUE(model.formulas.joints[1].velocity_level);
  EXPECT_EQ(model.formulas.joints[1].place.line, 6);
}

TEST(load, bodies_take_their_keys_and_names) {
  const Model model = parsed(R"(
parameters: {m: 6e-3, theta0: 0.1}
bodies:
  top: {type: rigid, mass: m, inertia: [8e-7, 8e-7, 7e-7], position: [0, 0, 1.2015e-2],
        rotation: {axis: [2, 0, 0], angle: theta0}, spin: [0, 0, 180]}
  tilted: {type: rigid, mass: 1, inertia: [[2, 0.1, 0], [0.1, 2, 0], [0, 0, 2]], rotation: [0.6, 0.8000001, 0, 0]}
  rod: {type: planar, mass: 1, inertia: 1/3, position: [1, 2], angle: 30*deg, coordinates: [x, y, phi]}
  bar: {type: elastic_bar, length: 1, area: pi*1e-4, density: 7800, modulus: 2.1e11, elements: 4}
joints:
  pin: {type: revolute, bodies: [ground, rod], at: [1, 2]}
  drive: {type: revolute, bodies: [ground, tilted], at: [[0, 0, 0], [0, 0, 0]], axis: [0, 0, 1], angle: 3*t^2}
contacts:
  floor: {type: sphere-plane, bodies: [top, ground], center: [0, 0, 3e-3], radius: 1.5e-2, normal: [0, 0, 1],
          e_N: 0.1, mu: 0.3, friction: contensou, patch_radius: 5e-4}
  tip: {type: point-plane, bodies: [bar, ground], normal: [1, 0, 0], node: 4}
  box: {type: box-plane, bodies: [rod, ground], size: [1, 2], normal: [0, 1], mu: 0.2}
)");
  ASSERT_EQ(model.bodies.size(), 4u);
  const auto& top = std::get<RigidBody>(model.bodies[0].element);
  EXPECT_DOUBLE_EQ(top.mass, 6e-3);
  EXPECT_DOUBLE_EQ(top.rotation.w, std::cos(0.05));
  EXPECT_DOUBLE_EQ(top.rotation.x, std::sin(0.05));
  EXPECT_DOUBLE_EQ(top.spin.z, 180.0);
  EXPECT_EQ(model.bodies[0].coordinates[3], "top.qw");
  const auto& tilted = std::get<RigidBody>(model.bodies[1].element);
  EXPECT_NEAR(squared_norm(tilted.rotation), 1.0, 1e-15);
  EXPECT_DOUBLE_EQ(tilted.inertia(0, 1), 0.1);
  EXPECT_EQ(model.bodies[2].coordinates, (std::vector<std::string>{"x", "y", "phi"}));
  EXPECT_DOUBLE_EQ(std::get<PlanarBody>(model.bodies[2].element).angle, std::acos(-1.0) / 6);
  EXPECT_EQ(model.bodies[3].coordinates.size(), 5u);

  ASSERT_EQ(model.joints.size(), 2u);
  EXPECT_EQ(model.joints[0].bodies[0].body, -1);
  EXPECT_EQ(model.joints[0].bodies[1].body, 2);
  const auto& drive = std::get<Revolute>(model.joints[1].element);
  EXPECT_TRUE(drive.at.in_bodies);
  ASSERT_TRUE(drive.angle);
  EXPECT_DOUBLE_EQ((*drive.angle)(2.0), 12.0);

  ASSERT_EQ(model.contacts.size(), 6u);  // floor, tip and the four corners of a box in the plane
  EXPECT_EQ(model.contacts[0].law.friction, ContactLaw::Friction::contensou);
  EXPECT_DOUBLE_EQ(model.contacts[0].law.patch_radius, 5e-4);
  EXPECT_EQ(model.contacts[1].bodies[0].node, 4);
  EXPECT_EQ(model.contacts[2].name, "box.1");
  EXPECT_DOUBLE_EQ(model.contacts[5].law.mu[0], 0.2);
}

TEST(load, run_keeps_unknown_keys_as_options_with_their_places) {
  const Model model =
      parsed(ball +
             "run: {scheme: moreau-jean, dt: 1/256, end: 2, record: {every: 5, only: [y]}, theta: R*5,\n"
             "      forecast: free-position, form: R, tolerance: 1e-10}\n");
  EXPECT_EQ(model.run.scheme, "moreau-jean");
  EXPECT_DOUBLE_EQ(model.run.dt, 0.00390625);
  EXPECT_EQ(model.run.record_every, 5);
  EXPECT_EQ(model.run.record_only, std::vector<std::string>{"y"});
  ASSERT_EQ(model.run.options.size(), 4u);
  EXPECT_EQ(model.run.options[0].key, "theta");
  EXPECT_DOUBLE_EQ(std::stod(model.run.options[0].value), 0.5);
  EXPECT_EQ(model.run.options[1].value, "free-position");
  EXPECT_EQ(model.run.options[1].place.line, 7);
  EXPECT_EQ(model.run.options[2].value, "R");  // a word stays a word
  EXPECT_EQ(model.run.options[3].value, "1e-10");
  EXPECT_EQ(parsed(ball + "run: {dt: 1, end: 2, record: none}\n").run.record_every, 0);
}

TEST(load, drawing_points_are_formulas) {
  const Model model = parsed(ball + R"(draw:
  - circle: {center: [0, y + R], radius: R, fill: false, label: <script>alert(1)</script>, color: red}
  - box: {center: [0, 0], size: [1, 2*R, 3]}
  - force: {contact: floor, at: [0, y], normal: [0, 1]}
)");
  ASSERT_EQ(model.draw.size(), 3u);
  EXPECT_TRUE(model.draw[0].planar);
  EXPECT_DOUBLE_EQ(value(model, model.draw[0].points[0][1], {0, 3, 0}), 3.1);
  EXPECT_EQ(model.draw[0].label, "<script>alert(1)</script>");
  EXPECT_EQ(model.draw[0].words[0], (std::pair<std::string, std::string>{"fill", "false"}));
  EXPECT_EQ(model.draw[1].numbers[2].first, "size.z");
  EXPECT_EQ(model.draw[2].points.size(), 2u);
}

TEST(load, strange_names_and_long_files_do_no_harm) {
  const std::string name(10'000, 'x');
  const Model model = parsed(ball.substr(0, ball.find("contacts")) + "contacts:\n  \"<script>\\\"'\": {gap: y}\n  ? " +
                             name + "\n  : {gap: y - 1}\n");
  EXPECT_EQ(model.formulas.contacts[0].name, "<script>\"'");
  EXPECT_EQ(model.formulas.contacts[1].name.size(), 10'000u);
  EXPECT_THROW(parsed("a: &a [x, x, x, x, x, x, x, x, x, x]\nb: &b [*a, *a, *a, *a, *a, *a, *a, *a, *a, *a]\n"
                      "c: &c [*b, *b, *b, *b, *b, *b, *b, *b, *b, *b]\nd: &d [*c, *c, *c, *c, *c, *c, *c, *c, *c, *c]\n"
                      "e: &e [*d, *d, *d, *d, *d, *d, *d, *d, *d, *d]\nf: &f [*e, *e, *e, *e, *e, *e, *e, *e, *e, *e]\n"
                      "g: [*f, *f, *f, *f, *f, *f, *f, *f, *f, *f]\n"),
               ModelError);
  EXPECT_THROW(parsed(std::string(100'000, '[')), ModelError);
  EXPECT_THROW(parsed(std::string("coordinates: {y: {position: ") + std::string(100'000, '(') + "}}"), ModelError);
  EXPECT_THROW(parsed(std::string("\0\xff\xfe", 3)), ModelError);
}

TEST(load, a_missing_file_is_said_to_be_missing) {
  EXPECT_THROW(load("no/such/file.yaml"), std::runtime_error);
  EXPECT_THROW(load(test::data()), std::runtime_error);
}

TEST(source, places_follow_lines_and_characters) {
  const Source source("f", "title: Größe\nk: 'a +\n   bb'\n");
  EXPECT_EQ(source.place(0).column, 1);
  EXPECT_EQ(source.place(7 + 7).column, 1 + 12);  // after two letters of two bytes
  const Yaml yaml = parse_yaml(source);
  ASSERT_EQ(yaml.pairs.size(), 2u);
  const Yaml& k = yaml.pairs[1].value;
  EXPECT_EQ(k.text, "a + bb");
  const Place bb = source.place_in(k, 4);
  EXPECT_EQ(bb.line, 3);
  EXPECT_EQ(bb.column, 4);
}

TEST(source, places_in_long_lines_are_found_without_counting_the_line) {
  std::string line;
  for (int i = 0; i < 400'000; ++i) line += "aä";
  const Source source("f", "b\n" + line + "\nc");
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < 400'000; ++i) {  // quadratic counting would take minutes
    wrong += source.place(2 + 3 * i).column != static_cast<int>(2 * i + 1);
    wrong += source.place(2 + 3 * i + 1).column != static_cast<int>(2 * i + 2);
  }
  EXPECT_EQ(wrong, 0u);
  const Place after = source.place(2 + line.size() + 1), beyond = source.place(2 * line.size());
  EXPECT_EQ(after.line, 3);
  EXPECT_EQ(after.column, 1);
  EXPECT_EQ(beyond.line, 3);
  EXPECT_EQ(beyond.column, 2);
}

TEST(nearest, finds_typing_mistakes_only) {
  const std::vector<std::string> words{"mass", "inertia", "position", "e_N"};
  EXPECT_EQ(nearest("Mass", words), "mass");
  EXPECT_EQ(nearest("postion", words), "position");
  EXPECT_EQ(nearest("e-n", words), "e_N");
  EXPECT_EQ(nearest("velocity", words), "");
  EXPECT_EQ(nearest(std::string(10'000, 'm'), words), "");
}

}  // namespace
}  // namespace tappet
