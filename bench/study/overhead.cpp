// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0

// bench_study [RUNS]     what a run of a study costs beyond its steps: processor time of whole runs of slider_crank
// with
//                        2000 steps, divided by that of the same steps alone. Both are measured alternately, because
//                        the speed of a machine changes. Under callgrind, the functions whole_run() and steps_alone()
//                        give the same ratio in instructions.
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

#include "run/make_stepper.h"
#include "study/prepared_model.h"
#include "study/worker.h"

namespace {

double processor_seconds() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

[[gnu::noinline]] tappet::StudyOutcome whole_run(tappet::StudyWorker& worker, const std::vector<double>& values) {
  return worker.run(values);
}

[[gnu::noinline]] void steps_alone(tappet::ContactList& contacts, tappet::Stepper& stepper, tappet::State& state,
                                   long steps, double dt) {
  for (long k = 0; k < steps; ++k) {
    contacts.find(state, dt);
    stepper.step(state, dt);
    contacts.settle(state);
    state.t = static_cast<double>(k + 1) * dt;
  }
}

}  // namespace

int main(int argc, char** argv) {
  using namespace tappet;
  const long runs = argc > 1 ? std::atol(argv[1]) : 10000;
  const Study study = parse_study(R"(
model: slider_crank
dt: 1e-4
end: 0.2
vary: {mu: {uniform: [0.005, 0.3]}, e_N: {uniform: [0.1, 0.9]}}
samples: 100000
measure: {deepest: {max: violation}}
)",
                                  "study.yaml");
  const ModelText text(study.model_text, study.model_file);
  StudyWorker worker(study);
  std::vector<double> values;
  study.plan.values(0, values);
  PreparedModel model(study, text, {"mu", "e_N"}, values);
  double whole = 0.0, alone = 0.0;
  long steps = 0;
  for (long run = 0; run < runs; ++run) {
    study.plan.values(run, values);
    double start = processor_seconds();
    const StudyOutcome outcome = whole_run(worker, values);
    whole += processor_seconds() - start;
    if (!model.set(values)) continue;
    ContactList contacts(model.system());
    const auto stepper = make_stepper(model.system().model().run.scheme, contacts, {});
    State state = model.system().initial();
    start = processor_seconds();
    steps_alone(contacts, *stepper, state, outcome.steps, 1e-4);
    alone += processor_seconds() - start;
    steps += outcome.steps;
  }
  std::printf(
      "%ld runs, %ld steps: %.3f us per step alone, %.3f us per step of a run; ratio %.4f; the model was read %ld "
      "times\n",
      runs, steps, 1e6 * alone / static_cast<double>(steps), 1e6 * whole / static_cast<double>(steps), whole / alone,
      worker.readings());
}
