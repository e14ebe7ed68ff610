// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0

// Time of a step, every scheme on some of the models that ship, with the step and options of the model. The run starts
// again where the model ends, so that all its phases count.
#include <benchmark/benchmark.h>

#include "run/models.h"
#include "run/registry.h"
#include "run/settings.h"

namespace {

void step(benchmark::State& bench, const std::string& name, const std::string& scheme) {
  const tappet::Model model = tappet::load(tappet::find_model(name));
  const tappet::System system(model);
  const tappet::Settings settings = settings_of(model, {.scheme = scheme});
  const auto stepper = tappet::make_stepper(scheme, system, settings.options);
  tappet::State state = system.initial();
  long unconverged = 0;
  for (auto _ : bench) {
    if (!stepper->step(state, settings.dt).converged()) ++unconverged;
    if (state.t >= settings.end) state = system.initial();
  }
  if (unconverged > 0) bench.counters["unconverged"] = static_cast<double>(unconverged);
}

}  // namespace

int main(int argc, char** argv) {
  for (const char* model : {"bouncing_ball", "rotating_ball", "slider_crank", "slider_crank_bodies", "tippe_top"})
    for (const tappet::SchemeInfo& scheme : tappet::schemes())
      benchmark::RegisterBenchmark((std::string(model) + "/" + scheme.name).c_str(), [model, name = scheme.name](
                                                                                         benchmark::State& bench) {
        step(bench, model, name);
      })->MinTime(0.2);
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
