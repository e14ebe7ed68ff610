// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <dlfcn.h>

#include "batches.h"

namespace tappet {
namespace {

// Three contacts that jam, stick and come loose.
TEST_F(Batches, woodpeckers_stick_and_slide_as_those_of_the_engine) {
  const Difference found = difference(study(R"yaml(
model: woodpecker
scheme: moreau-midpoint
dt: 1e-5
end: 0.16
vary: {mu: {uniform: [0.295, 0.315]}, w_S: {uniform: [16.5, 18]}}
samples: 32
measure: {y: {final: y}, phi_S: {final: phi_S}, low: {min: "y'"}, jam: {sum: lower.P_N}}
)yaml"));
  EXPECT_LE(found.largest[0], 1e-11);
  EXPECT_LE(found.largest[1], 1e-10);
  EXPECT_LE(found.largest[2], 1e-8);
  EXPECT_LE(found.largest[3], 1e-8);
  EXPECT_EQ(found.unconverged, 0);
  EXPECT_EQ(found.report.on_the_host, 0);
}

// Two contacts at once; with friction their rows depend on each other if both stick.
TEST_F(Batches, blocks_rock_and_come_to_rest_on_two_corners) {
  const Difference found = difference(study(R"yaml(
model: rocking_block
scheme: moreau-midpoint
dt: 1e-3
end: 4
vary: {mu: [0, 0.2, 0.8], theta0: {uniform: [0.05, 0.2]}, e: [0, 0.3]}
samples: 6
measure: {y: {final: y}, turn: {final: theta}, slip: {final: x}, deepest: {max: violation}}
)yaml"));
  for (const double d : found.largest) EXPECT_LE(d, 1e-9);
  EXPECT_EQ(found.unconverged, 0);
  EXPECT_EQ(found.report.on_the_host, 0);
}

// The closed form of the ball: it falls from rest at 1 with acceleration 2, so it hits the ground at t = 1 with the
// velocity -2 and leaves it with 2e. The time of rest is 1 + 2e/(1 - e).
TEST_F(Batches, bouncing_balls_come_to_rest) {
  const Study s = study(R"yaml(
model: bouncing_ball
scheme: moreau-midpoint
dt: 1e-4
end: 4
vary: {e: {uniform: [0.1, 0.5]}}
samples: 40
measure:
  hit: {at: first, when: ground.P_N > 0}
  rebound: {max: "q'"}
  rest: {final: q}
  speed: {final: "q'"}
  at_1: {at: 0.5, of: q}
  mean: {mean: ground.P_N, from: 3.9}
  hits: {count: ground.P_N, to: 1.1}
)yaml");
  const Batch batch(s);
  StudyResults results(s);
  const BatchReport report = batch.run({.threads = 1}, results);
  EXPECT_EQ(report.on_the_host, 0);
  std::vector<double> values;
  for (long run = 0; run < results.runs(); ++run) {
    s.plan.values(run, values);
    EXPECT_NEAR(results.measured(run, 0), 1.0, 2e-4);
    EXPECT_NEAR(results.measured(run, 1), 2 * values[0], 1e-3);
    EXPECT_NEAR(results.measured(run, 2), 0.0, 1e-4);
    EXPECT_NEAR(results.measured(run, 3), 0.0, 1e-12);
    EXPECT_NEAR(results.measured(run, 4), 0.75, 1e-9);
    EXPECT_NEAR(results.measured(run, 5), 2e-4, 1e-9);  // the impulse of the weight in a step
    EXPECT_EQ(results.measured(run, 6), 1);
  }
}

TEST_F(Batches, measures_are_those_of_a_study) {
  const Difference found = difference(study(R"yaml(
model: slider_crank
scheme: moreau-midpoint
dt: 1e-4
end: 0.03
vary: {mu: {uniform: [0, 0.2]}, c: {uniform: [5e-4, 2e-3]}}
samples: 20
measure:
  a: {max: violation}
  b: {min: corner1.gap}
  c: {mean: energy, from: 0.01, to: 0.02}
  d: {sum: corner2.P_N + abs(corner2.P_F)}
  e: {count: closed}
  f: {first: corner3.P_N}
  g: {last: closed}
  h: {growth: energy, where: 0.5 - closed}
  i: {at: 0.0123456, of: x_s}
  j: {at: first, when: theta1 > 1}
  k: {at: last, when: closed > 0, of: "theta3'"}
  l: {final: kinetic - potential + dt + mu, where: x_s - 0.3}
  m: {max: corner1.gap_velocity + corner4.slip_velocity}
record: 3
)yaml"));
  for (size_t m = 0; m < found.largest.size(); ++m) EXPECT_LE(found.largest[m], 1e-8) << "measure " << m;
}

// The midpoint rule is exact for a constant force. Between two steps a value lies on the line between them.
TEST_F(Batches, strobes_have_the_values_of_the_closed_form) {
  constexpr int instances = 11;  // not a multiple of the lanes
  write("fall.yaml", R"yaml(
parameters: {g: 9.81}
coordinates: {z: {position: 1, velocity: 0}}
lagrangian: {kinetic: z'^2/2, potential: g*z}
run: {scheme: moreau-midpoint, dt: 0.01, end: 0.1}
)yaml");
  const Study s =
      study(fmt::format("model: fall.yaml\nvary: {{g: {{from: 0, to: 10, count: {}}}}}\n"
                        "measure:\n"
                        "  all: {{at: every, period: 0.025, of: z}}\n"
                        "  end: {{final: z}}\n"
                        "  some: {{at: every, period: 0.02, from: 0.03, to: 0.07, of: z'}}\n",
                        instances));
  StudyResults results(s);
  EXPECT_EQ(Batch(s).run({.threads = 2}, results).on_the_host, 0);
  for (int run = 0; run < instances; ++run) {
    const double g = run;
    const auto z = [&](double t) { return 1 - 0.5 * g * t * t; };
    const std::vector<double> all{z(0), (z(0.02) + z(0.03)) / 2, z(0.05), (z(0.07) + z(0.08)) / 2, z(0.1)};
    const std::vector<double> some{-0.03 * g, -0.05 * g, -0.07 * g};
    EXPECT_THAT(results.series(run, 0), testing::Pointwise(testing::DoubleNear(1e-14), all)) << "run " << run;
    EXPECT_NEAR(results.measured(run, 1), z(0.1), 1e-14);
    EXPECT_THAT(results.series(run, 2), testing::Pointwise(testing::DoubleNear(1e-14), some)) << "run " << run;
    EXPECT_TRUE(std::isnan(results.measured(run, 0)));
  }
}

// Joints are eliminated in the generated code.
TEST_F(Batches, joints_hold) {
  const Difference found = difference(study(R"yaml(
model: slider_crank_bilateral_cartesian
scheme: moreau-midpoint
dt: 1e-4
end: 0.05
vary: {g: {uniform: [9, 10]}}
samples: 5
measure: {a: {final: energy}, b: {min: energy}}
)yaml"));
  for (const double d : found.largest) EXPECT_LE(d, 1e-9);
  EXPECT_EQ(found.report.on_the_host, 0);
}

// A disc on a spring that hits a floor, and a mass point on a rod. In one instance there is no friction and so one row
// less. The engine carries it out.
constexpr const char* disc = R"yaml(
parameters: {k: 50, mu: 0.2, L: 0.5, m: 2*L}
bodies:
  disc: {type: planar, mass: m, inertia: 0.02, position: [0, 0.3], velocity: [1, 0], spin: 3}
  bob: {type: point, mass: 0.3, position: [L, 2, 0], velocity: [0, 0, 0.4]}
joints: {rod: {type: distance, bodies: [bob, ground], at: [[0, 0, 0], [0, 2, 0]], length: L}}
contacts: {floor: {type: sphere-plane, bodies: [disc, ground], radius: 0.1, normal: [0, 1], e_N: 0.5, mu: mu}}
forces:
  weight: {type: gravity, acceleration: [0, -9.81]}
  spring: {type: spring-damper, bodies: [disc, ground], at: [[0.05, 0], [0.2, 1]], stiffness: k, damping: 0.1,
           length: 0.2}
run: {scheme: moreau-midpoint, dt: 1e-3, end: 1}
)yaml";

TEST_F(Batches, bodies_have_forces_joints_and_contacts_as_in_the_engine) {
  write("disc.yaml", disc);
  const Difference found = difference(study(R"yaml(
model: disc.yaml
vary: {mu: [0.1, 0.3, 0, 0.2], L: [0.5, 0.6]}
measure: {x: {final: disc.x}, phi: {final: disc.phi}, z: {final: bob.z}, v: {final: "disc.x'"}, w: {final: "disc.phi'"},
          u: {final: "bob.z'"}, e: {max: energy}, n: {sum: floor.P_N}, l: {max: L + m}}
)yaml"));
  expect_equal_motion(found.largest);
  EXPECT_LE(found.largest[6], 1e-11);
  EXPECT_LE(found.largest[7], 1e-10);
  EXPECT_EQ(found.largest[8], 0.0);
  EXPECT_EQ(found.report.on_the_host, 2);
}

// A point that falls from 1 to about 0.5. The logarithm has no value below k.
constexpr const char* pit = R"yaml(
parameters: {k: -1, e: 0.5}
coordinates: {y: {position: 1, velocity: 0}}
lagrangian: {kinetic: y'^2/2, potential: y}
forces: {y: 0.01*log(y - k)}
contacts: {floor: {gap: y, e_N: e}}
run: {scheme: moreau-midpoint, dt: 1e-2, end: 1}
)yaml";

TEST_F(Batches, an_instance_that_fails_does_not_disturb_the_others) {
  write("pit.yaml", pit);
  const std::string rest = "\nmeasure: {y: {final: y}, e: {final: energy}}\n";
  const Study with = study("model: pit.yaml\nvary: {k: [-2, -1, -0.5, 0.6, 0.7, -3]}" + rest);
  const Study without = study("model: pit.yaml\nvary: {k: [-2, -1, -0.5, -3]}" + rest);
  StudyResults a(with), b(without);
  const BatchReport report = Batch(with).run({.threads = 1}, a);
  Batch(without).run({.threads = 1}, b);
  EXPECT_EQ(report.on_the_host, 2);
  const long same[] = {0, 1, 2, 5};
  for (int i = 0; i < 4; ++i)
    for (int m = 0; m < 2; ++m) EXPECT_EQ(a.measured(same[i], m), b.measured(i, m));
  for (const long run : {3L, 4L}) {
    EXPECT_EQ(a.status(run), OutcomeStatus::failed);
    EXPECT_THAT(a.messages().at(run), HasSubstr("no longer finite"));
  }
}

TEST_F(Batches, laws_out_of_their_range_are_refused_as_in_a_study) {
  write("pit.yaml", pit);
  const Study s = study("model: pit.yaml\nvary: {e: [0.5, 1.5]}\nmeasure: {y: {final: y}}\n");
  StudyResults results(s);
  Batch(s).run({.threads = 1}, results);
  EXPECT_EQ(results.status(0), OutcomeStatus::done);
  EXPECT_EQ(results.status(1), OutcomeStatus::refused);
  EXPECT_THAT(results.messages().at(1), HasSubstr("e_N"));
}

TEST_F(Batches, refuse_what_they_cannot_do) {
  const auto of = [&](const std::string& model, const std::string& rest) {
    return refusal(study("model: " + model + "\nmeasure: {t: {final: t}}\n" + rest));
  };
  EXPECT_THAT(of("slider_crank", "scheme: event-driven\nvary: {mu: [0.1]}\n"),
              HasSubstr("event-driven has no code for batches; expected one of: moreau-midpoint"));
  EXPECT_THAT(of("slider_crank", "scheme: moreau-midpoint\nvary: {dt: [1e-4]}\n"), HasSubstr("the same times"));
  EXPECT_THAT(of("slider_crank", "scheme: moreau-midpoint\nend: 10*mu\nvary: {mu: [0.1]}\n"),
              HasSubstr("'10*mu' depends on a parameter that varies"));
  EXPECT_THAT(of("slider_crank", "scheme: moreau-midpoint\noptions: {impact: poisson}\nvary: {mu: [0.1]}\n"),
              HasSubstr("a batch does not have the option impact=poisson"));
  EXPECT_THAT(of("sphere_pile", "scheme: moreau-midpoint\nend: 1e-3\nvary: {mu: [0.1]}\n"),
              HasSubstr("found during the run"));
  EXPECT_THAT(of("tippe_top", "scheme: lcp-euler\ndt: 1e-4\nvary: {mu: [0.1]}\n"),
              HasSubstr("expected the option directions=0, the round cone"));
  EXPECT_THAT(refusal(study("model: slider_crank\nscheme: moreau-midpoint\nvary: {mu: [0.1]}\n"
                            "measure: {s: {at: every, when: theta1 > 0, of: theta1}}\n")),
              HasSubstr("nobody knows beforehand how many values it has"));
  EXPECT_THAT(refusal(study("model: slider_crank\nscheme: moreau-midpoint\nvary: {mu: [0.1]}\n"
                            "measure: {s: {at: every, period: mu, of: theta1}}\n")),
              HasSubstr("'mu' depends on a parameter that varies"));
  EXPECT_THAT(of("slider_crank",
                 "scheme: moreau-midpoint\nvary: {mu: {uniform: [0, 1]}}\n"
                 "until: {of: t, quantile: 0.5, within: 1, most: 100}\n"),
              HasSubstr("choose each run from those before"));
  EXPECT_THAT(refusal(study("model: slider_crank\nscheme: moreau-midpoint\nvary: {mu: [0.1]}\n"
                            "measure: {s: {final: last.theta1}}\n")),
              HasSubstr("in a batch: unknown name"));
}

TEST_F(Batches, code_for_a_gpu_compiles) {
  const std::string strobe =
      "model: slider_crank\nscheme: moreau-midpoint\nvary: {mu: [0.1]}\n"
      "measure: {s: {at: every, period: 0.1, of: theta1}}\n";
  try {
    for (const std::string& text : {slider_crank("moreau-midpoint"), strobe}) {
      const Study s = study(text);
      EXPECT_GT(compile_for_gpu(Batch(s).code(), "sm_90").size(), 1000u);
    }
  } catch (const UsageError& error) {
    EXPECT_THAT(error.what(), HasSubstr("NVRTC, the compiler library of CUDA, was not found"));
    GTEST_SKIP() << error.what();
  }
}

TEST_F(Batches, a_missing_gpu_is_a_clear_message) {
  const Study s = study(slider_crank("moreau-midpoint"));
  StudyResults results(s);
  if (void* driver = ::dlopen("libcuda.so.1", RTLD_NOW)) {
    ::dlclose(driver);
    GTEST_SKIP() << "this machine has a driver";
  }
  try {
    Batch(s).run({.on = "gpu"}, results);
    FAIL() << "expected a UsageError";
  } catch (const UsageError& error) {
    EXPECT_THAT(error.what(), HasSubstr("expected a machine with a GPU and its driver; --on cpu needs no GPU"));
  }
}

}  // namespace
}  // namespace tappet
