// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "record/recorded_run.h"

#include <gtest/gtest.h>

#include "record/hdf5/result_file.h"
#include "record/sampler.h"
#include "record/summary.h"
#include "report/run_data.h"
#include "run/scratch.h"
#include "run/settings.h"
#include "support/paths.h"

namespace tappet {
namespace {

struct Page {
  std::string json, bytes;
  bool operator==(const Page&) const = default;
};

Page page_of(const System& system, const ResultSource& run, const nlohmann::ordered_json& summary) {
  PageArrays arrays(PageArrays::Form::plain);
  const std::string json = RunData(system, run, summary).write(500, arrays).dump();
  return {json, arrays.plain()};
}

// Contacts with friction, events, joints with friction and motors, contacts of colliders one by one, only some of it.
struct Case {
  const char* model;
  double end;
};
class SamePage : public testing::TestWithParam<Case> {};

TEST_P(SamePage, whether_the_run_stands_in_memory_or_in_a_file) {
  const Scratch scratch;
  RunOptions options{.end = GetParam().end, .out = scratch.path(), .keep = false, .keep_all = true};
  const Model model = prepare(load(test::shipped_models() + "/" + GetParam().model), options);
  const System system(model);
  const Result result = simulate(system, options);
  ASSERT_TRUE(result.recorded);
  const auto summary = to_json(result.summary);
  const ResultFile file(scratch.path() / "result.h5");
  const RecordedRun memory(*result.recorded, result.header);
  const Page expected = page_of(system, file, summary), page = page_of(system, memory, summary);
  EXPECT_EQ(page.json, expected.json);
  EXPECT_TRUE(page.bytes == expected.bytes);
}

INSTANTIATE_TEST_SUITE_P(Models, SamePage,
                         testing::Values(Case{"schindler2014/slider_crank.yaml", 0.05},
                                         Case{"many/sphere_pile.yaml", 0.02},
                                         Case{"many/standing_quadruped.yaml", 0.05},
                                         Case{"parts/geneva_drive.yaml", 0.05}, Case{"basics/dry_pendulum.yaml", 0.5},
                                         Case{"mechanisms/impact_oscillator.yaml", 2.0}),
                         [](const auto& info) {
                           const std::string path = info.param.model;
                           const size_t name = path.find('/') + 1;
                           return path.substr(name, path.find('.') - name);
                         });

// The studio shows the motion so far while a run goes on.
TEST(RecordedRun, can_be_read_between_two_steps) {
  const System system(load(test::shipped_models() + "/first_model.yaml"));
  RunOptions options{.dt = 1e-3, .end = 0.2, .keep = false};
  Recorded recorded(layout_of(system));
  const RunHeader header = header_of(settings_of(system.model(), options), system.model());
  const RecordedRun run(recorded, header);
  struct Look final : RunListener {
    explicit Look(const RecordedRun& run) : run(run) {}
    void progress(long step, long, double t) override {
      EXPECT_EQ(run.samples(), step + 1);
      EXPECT_EQ(run.column("t").back(), t);
      // A falling ball: y = 1 − g t²/2, to which the midpoint rule is exact.
      EXPECT_NEAR(run.column("q").back(), 1 - 9.81 * t * t / 2, 1e-12);
      ++looks;
    }
    const RecordedRun& run;
    int looks = 0;
  } look(run);
  options.recorders = {&recorded}, options.listener = &look;
  simulate(system, options);
  EXPECT_GT(look.looks, 3);
  EXPECT_EQ(run.samples(), 201);
  EXPECT_FALSE(run.has("contacts/ceiling/gap"));
  EXPECT_THROW(run.column("contacts/ceiling/gap"), std::runtime_error);
}

}  // namespace
}  // namespace tappet
