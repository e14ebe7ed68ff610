// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "study/worker.h"

#include <gtest/gtest.h>

#include <bit>

namespace tappet {
namespace {

std::uint64_t bits(double x) { return std::bit_cast<std::uint64_t>(x); }

// The outcome of a run must not depend on the runs before it, on which it may be based.
TEST(StudyWorker, outcome_is_the_same_whatever_was_run_before) {
  const Study study = parse_study(R"yaml(
model: slider_crank
dt: 1e-4
end: 0.01
vary: {mu: [0, 0.01, 0.2], e_N: [0, 0.4, 1], omega1: [100, 150], c: [1e-3, 0, 4e-4]}
measure:
  deepest: {max: violation}
  strobe: {at: every, period: 0.1/omega1, of: "theta2 + l1*theta1 + 0*y_s"}
  late: {at: first, when: "y_s > c/2", of: energy}
)yaml",
                                  "study.yaml");
  StudyWorker worker(study);
  std::vector<double> values;
  const long runs = study.plan.runs();
  for (long run = 0; run < runs; ++run) {
    study.plan.values(run, values);
    const StudyOutcome after_others = worker.run(values);
    const StudyOutcome alone = StudyWorker(study).run(values);
    EXPECT_EQ(after_others.status, alone.status);
    EXPECT_EQ(after_others.message, alone.message);
    EXPECT_EQ(after_others.iterations, alone.iterations);
    for (std::size_t m = 0; m < study.measures.size(); ++m) {
      EXPECT_EQ(bits(after_others.measured[m]), bits(alone.measured[m])) << run;
      EXPECT_EQ(after_others.series[m], alone.series[m]) << run;
    }
  }
  EXPECT_LT(worker.readings(), runs);
}

}  // namespace
}  // namespace tappet
