// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
// Every scheme with contacts that are found between colliders.
#include <cctype>
#include <set>

#include "steppers/found_contacts/mechanisms.h"

namespace tappet::test {
namespace {

std::string word(const testing::TestParamInfo<FollowingScheme>& info) {
  std::string name = info.param.name;
  std::replace_if(
      name.begin(), name.end(), [](char c) { return !std::isalnum(c); }, '_');
  return name;
}

class ContactsOfColliders : public testing::TestWithParam<FollowingScheme> {
 protected:
  void expect_the_same(const Written& mechanism, double dt, double end, int least_impacts = 0) {
    const double tolerance = GetParam().name == "event-driven" ? 1e-10 : 1e-12;
    const FoundRun one = run_found(mechanism.with_contacts(), GetParam(), dt, end);
    const FoundRun other = run_found(mechanism.with_colliders(), GetParam(), dt, end);
    EXPECT_GE(one.impulsive, least_impacts);
    EXPECT_EQ(one.impulsive, other.impulsive);
    EXPECT_EQ(one.unconverged, other.unconverged);
    EXPECT_LE(difference(one, other), tolerance);
  }
};
INSTANTIATE_TEST_SUITE_P(schemes, ContactsOfColliders, testing::ValuesIn(every_scheme()), word);
INSTANTIATE_TEST_SUITE_P(options, ContactsOfColliders, testing::ValuesIn(schemes_with_options()), word);

TEST_P(ContactsOfColliders, move_a_ball_on_a_ball_as_the_contact_of_the_file_does) {
  expect_the_same(ball_on_ball(GetParam().friction ? 2.0 : 0.0), 1e-3, 0.2);
}

TEST_P(ContactsOfColliders, that_come_and_go_are_the_same_as_contacts_of_the_file) {
  expect_the_same(bouncing_beside_resting(GetParam().friction ? 0.3 : 0.0), 1e-3, 0.4, 3);
}

TEST_P(ContactsOfColliders, of_a_container_are_the_same_as_five_planes) {
  if (GetParam().friction) expect_the_same(ball_in_container(), 1e-3, 0.5, 3);
}

TEST_P(ContactsOfColliders, of_a_capsule_are_the_same_as_two_balls) {
  if (GetParam().friction) expect_the_same(rolling_capsule(), 1e-3, 0.2);
}

TEST_P(ContactsOfColliders, of_a_box_are_the_same_as_its_corners) {
  expect_the_same(box_on_slope(GetParam().friction ? 0.2 : 0.0), 1e-3, 0.2);
}

TEST_P(ContactsOfColliders, need_no_memory_once_the_list_has_its_size) {
  if (GetParam().name == "event-driven") GTEST_SKIP() << "its events allocate memory";
  const System system(bouncing_beside_resting(GetParam().friction ? 0.3 : 0.0).with_colliders());
  ContactList contacts(system);
  const auto stepper = GetParam().make(contacts);
  State state = system.initial();
  const auto go = [&](int steps) {
    for (int k = 0; k < steps; ++k) contacts.find(state, 1e-3), stepper->step(state, 1e-3);
  };
  go(500);
  const long before = allocations();
  go(500);
  EXPECT_EQ(allocations() - before, 0);
}

// The scheme keeps what it remembers of a contact if another contact appears before it in the list.
TEST_P(ContactsOfColliders, keep_their_forces_when_others_appear) {
  const System system(bouncing_beside_resting(GetParam().friction ? 0.3 : 0.0).with_colliders());
  ContactList contacts(system);
  const auto stepper = GetParam().make(contacts);
  State state = system.initial();
  double largest = 0.0, impulse = 0.0;
  std::set<int> places;  // of the contact b-ground
  while (state.t < 0.4) {
    contacts.find(state, 1e-3);
    stepper->step(state, 1e-3);
    for (int k = 0; k < contacts.size(); ++k)
      if (contacts.name(k) == "b-ground") places.insert(k), impulse += stepper->impulses().P[contacts[k].row];
    largest = std::max(largest, std::abs(state.q[7 + 2] - 0.1));
  }
  EXPECT_GE(places.size(), 2u);
  EXPECT_NEAR(impulse / state.t, 2 * 9.81, 0.01 * 2 * 9.81);
  EXPECT_LE(largest, GetParam().name == "explicit-velocity" ? 1e-2 : 1e-5);  // the negative example drifts
}

}  // namespace
}  // namespace tappet::test
