// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0

// bench_study [RUNS] [STUDY.yaml]     what a run of a study costs: processor time of whole runs, beside that of
//   * the same run of a system that is compiled already, which records nothing, and of
//   * its steps alone, without the tests and the summary of a run.
// They are measured alternately, because the speed of a machine changes. The study varies parameters of the model only;
// without one it is slider_crank with 2000 steps. Under callgrind, the functions whole_run(), bare_run() and
// steps_alone() give the same ratios in instructions (bench/study/overhead.sh).
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

#include "run/make_stepper.h"
#include "run/settings.h"
#include "run/simulate.h"
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

[[gnu::noinline]] void bare_run(const tappet::System& system, const tappet::RunOptions& options) {
  tappet::simulate(system, options);
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

tappet::Study slider_crank() {
  return tappet::parse_study(R"(
model: slider_crank
dt: 1e-4
end: 0.2
vary: {mu: {uniform: [0.005, 0.3]}, e_N: {uniform: [0.1, 0.9]}}
samples: 100000
measure: {deepest: {max: violation}}
)",
                             "study.yaml");
}

}  // namespace

int main(int argc, char** argv) try {
  using namespace tappet;
  const long runs = argc > 1 ? std::atol(argv[1]) : 10000;
  const Study study = argc > 2 ? load_study(argv[2]) : slider_crank();
  const ModelText text(study.model_text, study.model_file);
  StudyWorker worker(study);
  std::vector<double> values;
  double whole = 0.0, bare = 0.0, alone = 0.0;
  long steps = 0;
  for (long run = 0; run < runs; ++run) {
    study.plan.values(run, values);
    double start = processor_seconds();
    const StudyOutcome outcome = whole_run(worker, values);
    whole += processor_seconds() - start;
    const System system(text.model(worker.overrides(values)));
    RunOptions options = worker.options(values, system.model());
    const Settings settings = settings_of(system.model(), options);
    options.record_every = -1;
    start = processor_seconds();
    bare_run(system, options);
    bare += processor_seconds() - start;
    ContactList contacts(system);
    const auto stepper = make_stepper(settings.scheme, contacts, settings.options);
    State state = system.initial();
    start = processor_seconds();
    steps_alone(contacts, *stepper, state, outcome.steps, settings.dt);
    alone += processor_seconds() - start;
    steps += outcome.steps;
  }
  const double each = 1e6 / static_cast<double>(steps);
  std::printf(
      "%ld runs, %ld steps: us per step %.3f alone, %.3f of a bare run, %.3f of a run of the study; ratios %.4f and "
      "%.4f; the model was read %ld times\n",
      runs, steps, alone * each, bare * each, whole * each, whole / bare, whole / alone, worker.readings());
} catch (const std::exception& error) {
  std::fprintf(stderr, "bench_study: %s\n", error.what());
  return 1;
}
