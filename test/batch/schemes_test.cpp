// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "batches.h"

namespace tappet {
namespace {

std::string test_name(const testing::TestParamInfo<const char*>& info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

class BatchesByScheme : public Batches, public testing::WithParamInterface<const char*> {};

TEST_P(BatchesByScheme, have_the_motions_of_the_engine) {
  const Difference found = difference(study(slider_crank(GetParam())));
  expect_equal_motion(found.largest);
  EXPECT_EQ(found.unconverged, 0);
  EXPECT_EQ(found.report.on_the_host, 0);
  EXPECT_EQ(found.report.steps, 64 * 2000);
}
INSTANTIATE_TEST_SUITE_P(schemes, BatchesByScheme,
                         testing::Values("moreau-midpoint", "moreau-explicit", "half-explicit-velocity",
                                         "explicit-velocity", "lcp-euler", "moreau-jean", "ggl-unified"),
                         test_name);

// Three bodies with hinges. Lengths, masses, the clearance and the start follow from parameters that vary.
class BatchesOfBodies : public Batches, public testing::WithParamInterface<const char*> {};
TEST_P(BatchesOfBodies, have_the_motions_of_the_engine) {
  const Difference found = difference(study(fmt::format(R"yaml(
model: slider_crank_bodies
scheme: {}
{}dt: 1e-5
end: 0.02
vary:
  l1: {{uniform: [0.1484, 0.1576]}}
  m2: {{uniform: [0.0369, 0.0391]}}
  J1: {{uniform: [7.18e-5, 7.62e-5]}}
  c: {{uniform: [5e-4, 15e-4]}}
  e_N: {{uniform: [0.3, 0.5]}}
  mu: {{uniform: [0.01, 0.05]}}
  omega1: {{uniform: [145, 155]}}
  omega3: {{uniform: [-1, 1]}}
samples: 64
measure:
  a: {{final: theta1}}
  b: {{final: x3}}
  c: {{final: theta3}}
  d: {{final: "theta1'"}}
  e: {{final: "x3'"}}
  f: {{final: "theta3'"}}
  g: {{max: energy}}
  h: {{max: corner1.P_N + corner4.P_F}}
)yaml",
                                                        GetParam(), contact_tolerance(GetParam()))));
  expect_equal_motion(found.largest);
  EXPECT_LE(found.largest[6], 1e-10);
  EXPECT_LE(found.largest[7], 1e-10);
  EXPECT_EQ(found.unconverged, 0);
  EXPECT_EQ(found.report.on_the_host, 0);
}
INSTANTIATE_TEST_SUITE_P(schemes, BatchesOfBodies,
                         testing::Values("moreau-midpoint", "moreau-explicit", "half-explicit-velocity",
                                         "explicit-velocity", "lcp-euler", "moreau-jean", "ggl-unified"),
                         test_name);

// Joints alone, among them one that slides.
class BatchesOfJoints : public Batches, public testing::WithParamInterface<const char*> {};
TEST_P(BatchesOfJoints, have_the_motions_of_the_engine) {
  const Difference found = difference(study(fmt::format(R"yaml(
model: slider_crank_bilateral_bodies
scheme: {}
dt: 1e-5
end: 0.02
vary: {{l1: {{uniform: [0.15, 0.156]}}, m2: {{uniform: [0.03, 0.04]}}, omega1: {{uniform: [140, 160]}}}}
samples: 64
measure: {{a: {{final: theta1}}, b: {{final: x3}}, c: {{final: y2}},
          d: {{final: "theta1'"}}, e: {{final: "x3'"}}, f: {{final: "y2'"}}}}
)yaml",
                                                        GetParam())));
  expect_equal_motion(found.largest);
  EXPECT_EQ(found.unconverged, 0);
  EXPECT_EQ(found.report.on_the_host, 0);
}
INSTANTIATE_TEST_SUITE_P(schemes, BatchesOfJoints,
                         testing::Values("moreau-midpoint", "half-explicit-velocity", "explicit-velocity", "lcp-euler",
                                         "moreau-jean", "ggl-unified"),
                         test_name);

// A stiff spring: implicit schemes have its derivatives in their matrices.
TEST_F(Batches, implicit_schemes_have_the_derivatives_of_forces) {
  write("oscillator.yaml", R"yaml(
parameters: {k: 1e4, c: 3, mu: 0.3}
coordinates: {x: {position: 0.1, velocity: 0}, y: {position: 0.02, velocity: -1}}
lagrangian: {kinetic: x'^2/2 + y'^2/2, potential: k*x^2/2 + 100*x^4 + 9.81*y}
forces: {x: -c*x'*(1 + x^2)}
contacts: {floor: {gap: y, slip: x, e_N: 0.3, mu: mu}}
run: {scheme: lcp-euler, dt: 1e-3, end: 0.5}
)yaml");
  for (const char* scheme : {"lcp-euler", "moreau-jean", "ggl-unified"}) {
    const Difference found = difference(study(fmt::format(R"yaml(
model: oscillator.yaml
scheme: {}
vary: {{k: {{uniform: [5e3, 2e4]}}, c: {{uniform: [1, 5]}}, mu: {{uniform: [0.1, 0.5]}}}}
samples: 24
measure: {{x: {{final: x}}, v: {{final: "x'"}}, y: {{final: y}}, n: {{sum: floor.P_N}}}}
)yaml",
                                                          scheme)));
    for (const double d : found.largest) EXPECT_LE(d, 1e-11) << scheme;
    EXPECT_EQ(found.report.on_the_host, 0) << scheme;
  }
}

// The period of the steps is far too long for the spring. The engine says so for each such instance.
TEST_F(Batches, unstable_instances_are_left_to_the_engine) {
  write("stiff.yaml", R"yaml(
parameters: {k: 100}
coordinates: {x: {position: 0.1, velocity: 0}}
lagrangian: {kinetic: x'^2/2, potential: k*x^2/2}
run: {scheme: half-explicit-velocity, dt: 1e-2, end: 1}
)yaml");
  const Study s = study("model: stiff.yaml\nvary: {k: [100, 1e6, 200]}\nmeasure: {x: {final: x}}\n");
  StudyResults results(s);
  EXPECT_EQ(Batch(s).run({.threads = 1}, results).on_the_host, 1);
  EXPECT_EQ(results.status(0), OutcomeStatus::done);
  EXPECT_EQ(results.status(1), OutcomeStatus::failed);
  EXPECT_EQ(results.status(2), OutcomeStatus::done);
  EXPECT_THAT(results.messages().at(1), HasSubstr("unstable: dt"));
}

TEST_F(Batches, the_number_of_threads_does_not_change_a_bit) {
  const Study s = study(slider_crank("moreau-midpoint"));
  StudyResults one(s), three(s);
  const Batch batch(s);
  batch.run({.threads = 1}, one);
  batch.run({.threads = 3}, three);
  for (long run = 0; run < one.runs(); ++run)
    for (int m = 0; m < 6; ++m) EXPECT_EQ(one.measured(run, m), three.measured(run, m));
}

}  // namespace
}  // namespace tappet
