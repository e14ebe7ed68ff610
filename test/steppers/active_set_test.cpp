// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "steppers/shared/active_set.h"

#include <gtest/gtest.h>

#include "steppers/shared/left_state.h"
#include "steppers/support.h"

namespace tappet {
namespace {

using test::shipped;

// Two balls on and above a plane. Contacts are found only between what overlaps, because nothing moves.
constexpr const char* balls = R"(
bodies:
  a: {type: rigid, mass: 1, inertia: [0.004, 0.004, 0.004], position: [0, 0, 0.1]}
  b: {type: rigid, mass: 1, inertia: [0.004, 0.004, 0.004], position: [2, 0, 1]}
colliders:
  a: {type: sphere, body: a, radius: 0.1, mu: 0.4}
  b: {type: sphere, body: b, radius: 0.1, mu: 0.4}
  floor: {type: plane, body: ground, normal: [0, 0, 1], mu: 0.3}
run: {scheme: moreau-midpoint, dt: 1e-3, end: 0.5}
)";

Vec gaps_of(std::initializer_list<double> values) {
  Vec gaps(static_cast<int>(values.size()));
  std::copy(values.begin(), values.end(), gaps.begin());
  return gaps;
}

TEST(ContactList, a_walk_gives_the_rows_behind_those_of_the_joints) {
  const Mechanism system(shipped("schindler2014/slider_crank"));
  const ContactList& contacts = system;
  ASSERT_GT(contacts.size(), 2);
  const ContactSet set{0, 2};
  int expected = system.joint_rows(), position = 0;
  for (const auto& [i, k, contact, row] : contacts.numbered(set)) {
    EXPECT_EQ(i, position);
    EXPECT_EQ(k, set[position++]);
    EXPECT_EQ(&contact, &contacts[k]);
    EXPECT_EQ(row, expected);
    expected += contact.rows;
  }
  EXPECT_EQ(position, 2);
  EXPECT_EQ(expected, contacts.rows(set));
  for (const auto& [k, contact, row] : contacts.each(contacts.all())) EXPECT_EQ(row, contact.row);
  const ContactSet none;
  for (const auto& [k, contact, row] : contacts.each(none)) FAIL() << k << row << contact.rows;
}

TEST(ActiveSet, takes_closed_gaps_and_those_that_close_on_the_time_grid) {
  const Mechanism system(shipped("schindler2014/slider_crank"));  // with four contacts
  const ContactList& contacts = system;
  ASSERT_EQ(contacts.size(), 4);
  ActiveSet active(contacts);
  Vec gaps = gaps_of({1.0, 1.0, -1e-3, 0.0});
  active.start(gaps);
  EXPECT_EQ(static_cast<const ContactSet&>(active), (ContactSet{2, 3}));
  StepReport report;
  active.report(0.1, report);
  EXPECT_EQ(report.dt, 0.1);
  EXPECT_EQ(report.closed, 2);
  EXPECT_TRUE(report.impulsive);

  gaps = gaps_of({0.9e-6, 1.1e-6, 1e-3, 0.0});  // the first has lost all but a millionth
  active.start(gaps);
  EXPECT_EQ(static_cast<const ContactSet&>(active), (ContactSet{0, 3}));
  EXPECT_TRUE(active.was_active(2));
  EXPECT_FALSE(active.was_active(0));

  gaps = gaps_of({0.9e-6, 1.0, 1.0, 0.0});  // it does not shrink any more
  active.start(gaps);
  EXPECT_EQ(static_cast<const ContactSet&>(active), (ContactSet{3}));
  active.report(0.1, report);
  EXPECT_FALSE(report.impulsive);
}

TEST(ActiveSet, follows_found_contacts_to_their_new_places) {
  const System system(parse_model(balls, "balls.yaml"));
  ContactList contacts(system);
  State state = system.initial();
  state.q[2] = 0.0999;
  contacts.find(state, 0.1);  // a-floor
  ASSERT_EQ(contacts.size(), 1);
  ActiveSet active(contacts);
  Vec gaps = gaps_of({0.0});
  active.start(gaps);
  state.q[0] = 1.9, state.q[9] = 0.0999;  // b comes down, and a beside it
  contacts.find(state, 0.1);
  ASSERT_EQ(contacts.size(), 3);
  int a_floor = -1;
  for (int k : contacts.all())
    if (contacts.name(k) == "a-ground" || contacts.name(k) == "ground-a") a_floor = k;
  ASSERT_GE(a_floor, 0);
  active.start();
  for (int k : contacts.all()) EXPECT_EQ(active.was_active(k), k == a_floor) << contacts.name(k);
}

TEST(LeftState, is_known_by_its_time_positions_and_velocities) {
  const Mechanism system(shipped("acary2012/bouncing_ball"));
  LeftState left(system);
  State state = system.initial();
  EXPECT_FALSE(left.is(state, 1e-9));  // no step was made
  left.leave(state);
  EXPECT_TRUE(left.is(state, 1e-9));
  state.t += 1e-10;
  EXPECT_TRUE(left.is(state, 1e-9));
  EXPECT_FALSE(left.is(state, 1e-11));
  state.u[0] += 1e-15 + std::abs(state.u[0]) * 1e-15;
  EXPECT_FALSE(left.is(state, 1e-9));
  EXPECT_TRUE(left.has_positions_of(state, 1e-9));
  state.q[0] *= 1 + 1e-15;
  EXPECT_FALSE(left.has_positions_of(state, 1e-9));
  left.leave(state), left.forget();
  EXPECT_FALSE(left.is(state, 1e-9));
}

}  // namespace
}  // namespace tappet
