// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "run/hdf5_reading.h"
#include "run/models.h"
#include "run/scratch.h"
#include "run/simulate.h"

namespace tappet {
namespace {

TEST(ShippedModels, every_one_runs_with_its_own_settings_and_records_every_step) {
  const auto files = shipped_models();
  ASSERT_GE(files.size(), 15u);
  for (const auto& file : files) {
    const Scratch scratch;
    const Model model = load(file);
    const bool many = model.bodies.size() > 50;
    const double end = std::min(model.run.end, (many ? 5 : 100) * model.run.dt);
    const Result result = simulate(model, {.end = end, .record_every = 1, .out = scratch.path()});
    EXPECT_TRUE(result.done()) << model.name << ": " << result.summary.message;
    EXPECT_EQ(result.state.t, end) << model.name;
    const Hdf5Reading h5(scratch.path() / "result.h5");
    EXPECT_EQ(h5.numbers("t").size(), static_cast<size_t>(result.summary.steps) + 1) << model.name;
    const auto& only = model.run.record_only;
    for (const char* data : {"energy/total", "q", "u"})
      if (only.empty() || data[0] == 'e' || std::find(only.begin(), only.end(), data) != only.end()) {
        for (const double x : h5.numbers(data)) ASSERT_TRUE(std::isfinite(x)) << model.name << ": " << data;
      }
  }
}

}  // namespace
}  // namespace tappet
