// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
// The first steps of a model. A run that says it is done has finite numbers.
#include <tappet/error.h>

#include <cmath>

#include "fuzz/fuzz.h"
#include "model/reading/file_beside.h"
#include "run/simulate.h"
#include "system/system.h"

namespace {

constexpr int most_steps = 20, most_velocities = 40;

// A fuzzer needs many short runs. What takes long is not wrong.
struct Patience final : tappet::RunListener {
  bool goes_on() override { return ++asked < 50; }
  int asked = 0;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const bool kept = (tappet::keep_files_beside_models(), true);
  (void)kept;
  try {
    tappet::RunOptions options;
    options.record_every = -1, options.keep = true;
    tappet::Model model = tappet::prepare(tappet::parse_model(fuzz::text(data, size), "/nowhere/model.yaml"), options);
    options.end = std::min(model.run.end, most_steps * model.run.dt);
    const tappet::System system(std::move(model));
    if (system.u_size() > most_velocities) return 0;
    Patience patience;
    options.listener = &patience;
    const tappet::Result result = tappet::simulate(system, options);
    if (result.summary.status == tappet::RunStatus::done)
      for (const double x :
           {result.summary.energy.kinetic, result.summary.energy.potential, result.summary.initial_energy})
        if (!std::isfinite(x)) fuzz::wrong("a run that is done has an energy that is not finite");
  } catch (const tappet::ModelError&) {
  } catch (const tappet::UsageError&) {
  }
  return 0;
}
