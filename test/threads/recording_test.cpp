// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "record/recording.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "run/make_stepper.h"
#include "support/paths.h"

namespace tappet {
namespace {

struct Kept final : Recorder {
  std::vector<Sample>& samples;
  long& events;
  Kept(std::vector<Sample>& samples, long& events) : samples(samples), events(events) {}
  void record(const Sample& sample) override { samples.push_back(sample); }
  void event(const RecordedEvent&) override { ++events; }
};

struct Full final : Recorder {
  int room = 300;
  void record(const Sample&) override {
    if (room-- == 0) throw std::runtime_error("the disk is full");
  }
};

const System& slider_crank() {
  static const System system(load(test::shipped_models() + "/schindler2014/slider_crank.yaml"));
  return system;
}

void steps(Recording& recording, int count) {
  const ContactList contacts(slider_crank());
  const auto stepper = make_stepper("moreau-jean", contacts, {});
  State state = slider_crank().initial();
  for (int k = 0; k < count; ++k) {
    const StepReport report = stepper->step(state, 1e-4);
    recording.record(state, report, stepper->impulses());
    if (k % 100 == 0) recording.event({state.t, "impact", 0});
  }
  recording.close();
}

TEST(Recording, beside_the_run_gives_the_same_samples_in_the_same_order) {
  std::vector<Sample> samples[2];
  long events[2] = {0, 0};
  for (int k = 0; k < 2; ++k) {
    Kept kept(samples[k], events[k]);
    Recording recording(slider_crank(), {&kept}, k ? Recording::Where::beside : Recording::Where::within);
    steps(recording, 2000);
  }
  ASSERT_EQ(samples[0].size(), 2000u);
  ASSERT_EQ(samples[1].size(), 2000u);
  EXPECT_EQ(events[1], events[0]);
  for (size_t k = 0; k < 2000; ++k) {
    const Sample &a = samples[0][k], &b = samples[1][k];
    EXPECT_TRUE(a.t == b.t && a.q == b.q && a.u == b.u && a.gap_velocity == b.gap_velocity && a.P_N == b.P_N &&
                a.kinetic == b.kinetic && a.iterations == b.iterations)
        << k;
  }
}

TEST(Recording, what_goes_wrong_while_writing_reaches_the_run) {
  for (const auto where : {Recording::Where::beside, Recording::Where::within}) {
    Full full;
    Recording recording(slider_crank(), {&full}, where);
    EXPECT_THROW(steps(recording, 5000), std::runtime_error);
  }
}

TEST(Recording, one_that_is_never_closed_ends_quietly) {
  Full full;
  Recording recording(slider_crank(), {&full}, Recording::Where::beside);
  recording.record(slider_crank().initial(), {}, {});
}

}  // namespace
}  // namespace tappet
