// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "steppers/event_driven.h"

#include "steppers/support.h"

namespace tappet {
namespace {

using test::shipped;
using test::solver;
using Kind = Event::Kind;

constexpr double bar = 1e-8;

TEST(EventDriven, stops_where_impacts_accumulate_and_names_contact_and_time) {
  const System system(shipped("acary2012/bouncing_ball"));
  EventDriven stepper(system, solver());
  State state = system.initial();
  StepReport report = stepper.step(state, 4);
  EXPECT_NEAR(report.dt, 3, 1e-7);
  report = stepper.step(state, 1);
  EXPECT_EQ(report.dt, 0);
  ASSERT_FALSE(stepper.events().empty());
  EXPECT_EQ(stepper.events().back().kind, Kind::accumulation);
  EXPECT_EQ(stepper.events().back().contact, 0);
  EXPECT_NEAR(stepper.events().back().t, 3, bar);
}

}  // namespace
}  // namespace tappet
