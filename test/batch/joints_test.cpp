// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "batches.h"

// Each type of joint, each thing that a joint may have, and forces that are formulas: instances of a batch move as runs
// of the engine do.
namespace tappet {
namespace {

struct JointModel {
  const char *name, *keys;
};
void PrintTo(const JointModel& model, std::ostream* to) { *to << model.name; }

const JointModel in_space[] = {
    {"spherical", "type: spherical, at: [0, 0, 0]"},
    {"revolute", "type: revolute, at: [0, 0, 0], axis: [0, 1, 0.2]"},
    {"prismatic", "type: prismatic, at: [0, 0, 0], axis: [0, 1, 1]"},
    {"cylindrical", "type: cylindrical, at: [0, 0, 0], axis: [0, 1, 1]"},
    {"universal", "type: universal, at: [0, 0, 0], axis: [0, 1, 0], cross_axis: [1, 0, 0]"},
    {"plane", "type: planar, at: [0, 0, 0], axis: [0, 1, 1]"},
    {"distance", "type: distance, at: [[0, 0, 0], [0.1, 0, 0.1]]"},
    {"driven_revolute", "type: revolute, at: [0, 0, 0], axis: [0, 1, 0], angle: 0.4*(1 - cos(w*t))"},
    {"driven_prismatic", "type: prismatic, at: [0, 0, 0], axis: [0, 1, 0], displacement: 0.1*sin(w*t)^2"},
    {"driven_cylindrical", "type: cylindrical, at: [0, 0, 0], axis: [0, 1, 0], displacement: 0.1*t^2, angle: w*t^2"},
    {"driven_distance", "type: distance, at: [[0, 0, 0], [0, 0, 0]], length: 0.5 + 0.05*(1 - cos(w*t))"},
    {"limits", "type: revolute, at: [0, 0, 0], axis: [0, 1, 0], limits: {from: -0.1, to: 0.3, restitution: 0.4}"},
    {"dry", "type: revolute, at: [0, 0, 0], axis: [0, 1, 0], friction: 0.3*w"},
    {"damped", "type: prismatic, at: [0, 0, 0], axis: [0, 1, 1], damping: 0.2*w"},
    {"wound",
     "type: revolute, at: [0, 0, 0], axis: [0, 1, 0], motor: {speed: 40 + w, kd: 2}, limits: {from: -12, to: 9}"},
    {"controlled",
     "type: revolute, at: [0, 0, 0], axis: [0, 1, 0], motor: {position: 0.5*sin(w*t), kp: 30, kd: 2, most: 4}, "
     "friction: 0.05"}};

class JointsInSpace : public Batches, public testing::WithParamInterface<JointModel> {};

TEST_P(JointsInSpace, move_as_those_of_the_engine) {
  write("model.yaml",
        fmt::format("parameters: {{m: 1, w: 5}}\nbodies:\n  bob: {{type: rigid, mass: m, inertia: [0.02, 0.03, 0.04], "
                    "position: [0.3, 0, -0.4]}}\njoints:\n  j: {{bodies: [ground, bob], {}}}\nforces:\n"
                    "  gravity: {{type: gravity, acceleration: [0.3, 0.2, -9.81]}}\n"
                    "  wind: {{type: force, body: bob, force: [\"0.1*sin(w*t) - 0.05*bob.vx\", 0, 0]}}\n"
                    "  push: {{type: force, body: bob, force: [0, 0, 0.2*cos(w*t)], at: [0.1, 0, 0], frame: body}}\n",
                    GetParam().keys));
  const Difference found = difference(study(fmt::format(
      "model: {}\nscheme: moreau-midpoint\ndt: 1e-3\nend: 0.6\nsamples: 8\nvary:\n  m: {{uniform: [0.8, 1.2]}}\n"
      "  w: {{uniform: [4, 6]}}\nmeasure:\n  x: {{final: bob.x}}\n  z: {{final: bob.z}}\n  q: {{final: bob.qy}}\n"
      "  u: {{final: bob.vx}}\n  v: {{final: bob.vy}}\n  w: {{final: bob.wy}}\n",
      (folder_ / "model.yaml").string())));
  expect_equal_motion(found.largest);
  EXPECT_EQ(found.report.on_the_host, 0);
  EXPECT_EQ(found.unconverged, 0);
}
INSTANTIATE_TEST_SUITE_P(Batches, JointsInSpace, testing::ValuesIn(in_space),
                         [](const auto& info) { return info.param.name; });

// Two planar bodies with everything that a joint may have, a blade and a rolling ball, with all schemes.
class ActionsOfJoints : public Batches, public testing::WithParamInterface<std::string> {};

TEST_P(ActionsOfJoints, act_as_in_the_engine) {
  write("model.yaml", R"yaml(
parameters: {m: 1, w: 5}
bodies:
  a: {type: planar, mass: m, inertia: 0.02, position: [0.3, 0]}
  b: {type: planar, mass: m, inertia: 0.02, position: [0.8, 0]}
  skate: {type: planar, mass: 1, inertia: 0.01, position: [0, 5], velocity: [1, 0], spin: 2}
  ball: {type: rigid, mass: m, inertia: [0.004, 0.004, 0.004], position: [0, 0, 0.1]}
joints:
  p: {type: revolute, bodies: [ground, a], at: [0, 0], friction: 0.2, limits: {from: -1.2, to: 1, restitution: 0.3}}
  r: {type: revolute, bodies: [a, b], at: [0.6, 0], damping: 0.02, motor: {torque: "sin(w*t) - 0.1*angle"}}
  edge: {type: knife-edge, bodies: [skate, ground], edge: [1, 0, 0], normal: [0, 0, 1]}
  rolls: {type: rolling, bodies: [ball, ground], radius: 0.1, normal: [0, 0, 1]}
forces:
  gravity: {type: gravity, acceleration: [0.1, -9.81, 0]}
)yaml");
  const Difference found = difference(study(fmt::format(
      "model: {}\nscheme: {}\n{}dt: 1e-3\nend: 0.8\nsamples: 8\nvary:\n  m: {{uniform: [0.8, 1.2]}}\n"
      "  w: {{uniform: [4, 6]}}\nmeasure:\n  x: {{final: a.x}}\n  z: {{final: b.phi}}\n  q: {{final: ball.qy}}\n"
      "  u: {{final: skate.x'}}\n  v: {{final: b.phi'}}\n  w: {{final: ball.wy}}\n  F: {{sum: p.friction.P_N}}\n",
      (folder_ / "model.yaml").string(), GetParam(), contact_tolerance(GetParam()))));
  expect_equal_motion(found.largest);
  EXPECT_LE(found.largest[6], 1e-11);
  EXPECT_EQ(found.report.on_the_host, 0);
}
INSTANTIATE_TEST_SUITE_P(Schemes, ActionsOfJoints, testing::ValuesIn(batch_schemes()), [](const auto& info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

// More than 5000 operations: long functions of the code are divided into parts.
TEST_F(Batches, a_chain_of_many_links_moves_as_that_of_the_engine) {
  constexpr int links = 10;
  std::string bodies, joints = "  j1: {type: revolute, bodies: [ground, b1], at: [0, 0]}\n";
  for (int i = 1; i <= links; ++i) {
    bodies += fmt::format("  b{}: {{type: planar, mass: m, inertia: 1e-4, position: [{}, 0]}}\n", i, 0.1 * i - 0.05);
    if (i > 1)
      joints +=
          fmt::format("  j{0}: {{type: revolute, bodies: [b{1}, b{0}], at: [{2}, 0]}}\n", i, i - 1, 0.1 * (i - 1));
  }
  write("model.yaml", fmt::format("parameters: {{m: 0.1}}\nbodies:\n{}joints:\n{}forces:\n  g: {{type: gravity, "
                                  "acceleration: [0, -9.81]}}\n",
                                  bodies, joints));
  const Study chain = study(fmt::format(
      "model: {}\nscheme: ggl-unified\ndt: 1e-3\nend: 0.2\nsamples: 4\nvary: {{m: {{uniform: [0.1, 0.2]}}}}\nmeasure: "
      "{{x: {{final: b1.phi}}, y: {{final: b5.x}}, z: {{final: b10.y}}, u: {{final: b1.phi'}}, v: {{final: b5.x'}}, "
      "w: {{final: b10.y'}}}}\n",
      (folder_ / "model.yaml").string()));
  const Difference found = difference(chain);
  EXPECT_GT(found.report.operations, 5000);
  EXPECT_THAT(Batch(chain).code().text, HasSubstr("void free_solve_0("));
  expect_equal_motion(found.largest);
  EXPECT_EQ(found.report.on_the_host, 0);
}

}  // namespace
}  // namespace tappet
