// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0

// `for:` in a model file: a repeated model is the same as the one written out by hand.
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <fstream>

#include "model/model.h"

namespace tappet {
namespace {

Model parsed(const std::string& text) { return parse_model(text, "test.yaml"); }

std::string message(const std::string& text) {
  try {
    parsed(text);
  } catch (const ModelError& e) {
    return e.what();
  }
  return "accepted";
}

TEST(Repeat, contacts_are_named_and_know_their_index) {
  const Model model = parsed(R"(
parameters: {n: 30, R: 2}
coordinates: {phi: {position: 0}}
lagrangian: {kinetic: phi'^2/2}
contacts: {tooth: {for: {i: 0..n-1}, gap: 3 - R*cos(phi + 2*pi*i/n), e_N: i/100}}
)");
  ASSERT_EQ(model.formulas.contacts.size(), 30u);
  EXPECT_EQ(model.formulas.contacts[0].name, "tooth.0");
  EXPECT_EQ(model.formulas.contacts[29].name, "tooth.29");
  EXPECT_EQ(model.formulas.contacts[7].law.e_N, 0.07);
  const std::vector<double> at{0.0, 0.5, 0.0};
  for (int i = 0; i < 30; ++i)
    EXPECT_NEAR(model.formulas.graph.evaluate(model.formulas.contacts[i].gap, at),
                3 - 2 * std::cos(0.5 + 2 * M_PI * i / 30), 1e-15);
}

// A chain of masses: coordinates with an index, sums over them, forces and contacts between neighbours.
TEST(Repeat, a_chain_of_coordinates_is_the_one_written_by_hand) {
  const Model model = parsed(R"yaml(
parameters: {n: 3, k: 7}
coordinates: {x: {for: {i: 1..n}, position: i/10, velocity: -i}}
define: {stretch: {for: {i: 1..n-1}, each: x.(i+1) - x.(i)}}
lagrangian: {kinetic: "sum(i, 1, n, x.(i)'^2/2)", potential: "sum(i, 1, n-1, k*stretch.(i)^2/2)"}
forces: {x: {for: {i: 1..n}, each: "-i*x.(i)'"}}
contacts: {stop: {for: {i: 1..n-1}, gap: "x.{i+1} - x.{i}"}}
)yaml");
  const Model by_hand = parsed(R"yaml(
parameters: {k: 7}
coordinates: {x1: {position: 0.1, velocity: -1}, x2: {position: 0.2, velocity: -2}, x3: {position: 0.3, velocity: -3}}
lagrangian: {kinetic: x1'^2/2 + x2'^2/2 + x3'^2/2, potential: k*(x2 - x1)^2/2 + k*(x3 - x2)^2/2}
forces: {x1: -x1', x2: -2*x2', x3: -3*x3'}
contacts: {a: {gap: x2 - x1}, b: {gap: x3 - x2}}
)yaml");
  const Formulas &f = model.formulas, &g = by_hand.formulas;
  ASSERT_EQ(f.coordinates.size(), 3u);
  EXPECT_EQ(f.coordinates[2].name, "x.3");
  const std::vector<double> at{0.0, 0.3, -0.2, 0.9, 1.1, 0.4, -2.0};
  const auto expect_equal = [&](Node a, Node b) { EXPECT_DOUBLE_EQ(f.graph.evaluate(a, at), g.graph.evaluate(b, at)); };
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(f.coordinates[i].position, g.coordinates[i].position);
    EXPECT_EQ(f.coordinates[i].velocity, g.coordinates[i].velocity);
    expect_equal(*f.forces[i], *g.forces[i]);
  }
  expect_equal(*f.kinetic, *g.kinetic);
  expect_equal(*f.potential, *g.potential);
  for (int i = 0; i < 2; ++i) expect_equal(f.contacts[i].gap, g.contacts[i].gap);
}

TEST(Repeat, bodies_joints_forces_colliders_and_drawings_refer_to_their_neighbours) {
  const Model model = parsed(R"(
parameters: {n: 4}
bodies: {link: {for: {i: 1..n}, type: planar, mass: 1, inertia: 1, position: [i, 0]}}
joints:
  root: {type: revolute, bodies: [ground, link.1], at: [0.5, 0]}
  pin: {for: {i: 1..n-1}, type: revolute, bodies: [link.(i), link.(i+1)], at: [i + 0.5, 0]}
  tip: {type: revolute, bodies: [link.(n), ground], at: [n + 0.5, 0]}
forces:
  drag: {for: {i: 1..n}, type: force, body: "link.{i}", force: [-i*link.(i).vx, 0]}
  spring: {for: {i: [1, 3]}, type: spring, bodies: [ground, link.(i)], stiffness: 10*i}
contacts: {floor: {for: {i: 1..n}, gap: link.(i).y + 1}}
colliders: {ball: {type: sphere, body: link, radius: 0.1}}
draw:
  - line: {for: {i: 1..n}, points: [[link.(i).x - 0.5, 0], [link.(i).x + 0.5, 0]], label: "link {i}"}
  - polygon: {points: [{for: {k: 0..5}, each: [cos(k*pi/3), sin(k*pi/3)]}]}
)");
  ASSERT_EQ(model.bodies.size(), 4u);
  EXPECT_EQ(model.bodies[3].name, "link.4");
  ASSERT_EQ(model.joints.size(), 5u);
  EXPECT_EQ(model.joints[2].name, "pin.2");
  EXPECT_EQ(model.joints[2].bodies[0].body, 1);
  EXPECT_EQ(model.joints[2].bodies[1].body, 2);
  EXPECT_EQ(model.joints[4].bodies[0].body, 3);
  ASSERT_EQ(model.state_forces.size(), 4u);
  EXPECT_EQ(model.state_forces[1].name, "drag.2");
  ASSERT_EQ(model.forces.size(), 2u);
  EXPECT_EQ(model.forces[1].name, "spring.3");
  EXPECT_EQ(std::get<Spring>(model.forces[1].element).stiffness, 30.0);
  EXPECT_EQ(model.formulas.contacts.size(), 4u);
  ASSERT_EQ(model.colliders.size(), 1u);
  EXPECT_EQ(model.colliders[0].bodies, 4);
  ASSERT_EQ(model.draw.size(), 5u);
  EXPECT_EQ(model.draw[3].label, "link 4");
  EXPECT_EQ(model.draw[4].points.size(), 6u);
}

TEST(Repeat, two_indices_run_like_nested_loops_and_the_inner_range_may_use_the_outer_index) {
  const Model model = parsed(R"(
bodies: {peg: {for: {i: 0..2, j: 0..i}, type: point, mass: 1 + i + 10*j, position: [i, j, 0]}}
)");
  ASSERT_EQ(model.bodies.size(), 6u);
  EXPECT_EQ(model.bodies[0].name, "peg.0.0");
  EXPECT_EQ(model.bodies[1].name, "peg.1.0");
  EXPECT_EQ(model.bodies[5].name, "peg.2.2");
  EXPECT_EQ(std::get<PointBody>(model.bodies[4].element).mass, 13.0);
}

TEST(Repeat, errors_point_into_the_entry_with_the_name_of_the_repetition) {
  const std::string head = "coordinates: {x: {}}\nlagrangian: {kinetic: x'^2/2}\n";
  const auto contact = [&](const std::string& entry) { return message(head + "contacts: {c: {" + entry + "}}\n"); };
  EXPECT_EQ(contact("for: {i: 0..3}, gap: x - i*y"),
            "test.yaml:3:43: contacts.c.0.gap: in the formula: unknown name 'y' (formulas may use t, "
            "parameters, coordinates and definitions)");
  EXPECT_EQ(contact("for: {i: 0..3}, gap: x - d.(i+1)"),
            "test.yaml:3:41: contacts.c.0.gap: in the formula: unknown name 'd.1' (formulas may use t, parameters, "
            "coordinates and definitions)");
  EXPECT_EQ(contact("for: {i: 3}, gap: x"),
            "test.yaml:3:25: contacts.c.for.i: found '3'; expected a range such as 0..29, or a list of whole numbers");
  EXPECT_EQ(contact("for: {i: 0..n}, gap: x").substr(0, 45), "test.yaml:3:28: contacts.c.for.i: in the form");
  EXPECT_EQ(contact("for: {x: 0..3}, gap: x"),
            "test.yaml:3:22: contacts.c.for.x: cannot name an index: the name already has a meaning; expected another "
            "name");
  EXPECT_EQ(contact("for: {i: 0..1.5}, gap: x"),
            "test.yaml:3:25: contacts.c.for.i: '1.5' is 1.5; expected a whole number");
  EXPECT_EQ(contact("for: {i: 0..2}, gap: x, mu: i - 1"),
            "test.yaml:3:44: contacts.c.0.mu: 'i - 1' is -1; expected a number that is not negative");
  EXPECT_EQ(contact("for: {i: 0..2}, gap: x}, c.1: {gap: x"),
            "test.yaml:3:41: contacts.c.1: the name 'c.1' is taken, first in line 3; expected every name once");
  EXPECT_EQ(message("bodies: {a: {for: {i: 1..2}, type: point, mass: 1}}\njoints:\n  j: {for: {i: 1..2}, type: "
                    "distance, bodies: [a.(i), a.(i+1)]}\n"),
            "test.yaml:3:55: joints.j.2.bodies[2]: unknown body 'a.3'; did you mean 'a.1'?; expected one of: ground, "
            "a.1, a.2");
}

// Ten times as many entries take about ten times as long, and not a hundred times.
TEST(Repeat, loading_is_linear_in_the_number_of_entries) {
  const auto seconds = [](int n) {
    const auto start = std::chrono::steady_clock::now();
    parsed("parameters: {n: " + std::to_string(n) + R"(}
bodies: {link: {for: {i: 1..n}, type: planar, mass: 1, inertia: 1, position: [i, 0]}}
joints: {pin: {for: {i: 1..n-1}, type: revolute, bodies: [link.(i), link.(i+1)], at: [i + 0.5, 0]}}
forces: {drag: {for: {i: 1..n}, type: force, body: link.(i), force: [-link.(i).vx, 0]}}
)");
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  seconds(200);
  const double few = seconds(300), many = seconds(3000);
  EXPECT_LT(many, 40 * few);
}

TEST(Repeat, tables_are_read_from_a_file_beside_the_model) {
  const auto folder = std::filesystem::temp_directory_path() / "tappet_table_test";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "cam.csv") << "angle,lift,slope\n# comment\n0, 1, 5\n1; 3; 6\n\n3\t2\t8\n";
  const auto file = (folder / "model.yaml").string();
  const std::string head = "coordinates: {x: {}}\nlagrangian: {kinetic: x'^2/2}\n";
  const Model model = parse_model(head +
                                      "contacts: {a: {gap: \"table(x, cam.csv)\"}, b: {gap: \"table(x, 'cam.csv', "
                                      "3)\"}}\n",
                                  file);
  const std::vector<double> at{0.0, 2.0, 0.0};
  EXPECT_EQ(model.formulas.graph.evaluate(model.formulas.contacts[0].gap, at), 2.5);
  EXPECT_EQ(model.formulas.graph.evaluate(model.formulas.contacts[1].gap, at), 7.0);
  const auto refusal = [&](const std::string& formula) {
    try {
      parse_model(head + "contacts: {a: {gap: \"" + formula + "\"}}\n", file);
    } catch (const ModelError& e) {
      return std::string(e.what());
    }
    return std::string("accepted");
  };
  EXPECT_EQ(refusal("x + table(x, none.csv)"), file + ":3:26: contacts.a.gap: in the formula: the file '" +
                                                   (folder / "none.csv").string() +
                                                   "' cannot be read; expected a table with two columns x, y");
  std::ofstream(folder / "bad.csv") << "0 1\n1 two\n";
  EXPECT_EQ(refusal("table(x, bad.csv)"),
            file + ":3:22: contacts.a.gap: in the formula: " + (folder / "bad.csv").string() +
                ":2: '1 two'; expected a number in columns 1 and 2");
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace tappet
