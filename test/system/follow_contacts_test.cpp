// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0

// Contacts that slide from one feature of a shape to the next remain the same contacts. Bodies move as they are told,
// in small steps, and no scheme takes part.
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "model/model.h"
#include "system/contact_list.h"

namespace tappet {
namespace {

constexpr double small = 5e-3;  // m: contacts within this distance are found

// One body moves with a constant velocity and spin. `visit` sees each list.
template <class Visit>
void move(const std::string& text, int steps, double dt, Visit&& visit) {
  const Model model = parse_model(text, "moved.yaml");
  const System system(model);
  ContactList contacts(system);
  State state = system.initial();
  for (int k = 0; k < steps; ++k) {
    contacts.search_within(state, small);
    visit(contacts, k);
    Vec way(6);
    for (int i = 0; i < 6; ++i) way[i] = dt * state.u[i];
    RigidBody::displace(state.q.data(), way.data(), state.q.data());
  }
}

// The contact that is nearest remains the nearest. Returns how often its id changed.
int follow_nearest(const std::string& text, int steps, double dt) {
  int before = -1, changes = 0;
  TouchId id;
  move(text, steps, dt, [&](const ContactList& contacts, int k) {
    const int now = contacts.nearest().contact;
    ASSERT_GE(now, 0) << k;
    const TouchId next = contacts.touches()[contacts[now].index].id;
    if (k > 0) {
      EXPECT_EQ(contacts[now].before, before) << k;
      changes += next != id;
    }
    before = now, id = next;
  });
  return changes;
}

std::string coin(const std::string& collider, const std::string& motion) {
  return R"(
geometry:
  disc: {type: profile, outline: {center: [0, 0], radius: 0.05}}
  rod: {type: profile, outline: {center: [0, 0], radius: 0.02}}
  ring: {type: profile, outline: {center: [0, 0], radius: 0.06}, holes: [{radius: 0.03}]}
  slab: {type: profile, outline: [[-0.2, -0.1], [0.2, -0.1], [0.2, 0.1], [-0.2, 0.1]], rounding: 0.02}
bodies:
  b: {type: rigid, mass: 1, inertia: [1, 1, 1], )" +
         motion + "}\ncolliders:\n" + collider;
}

TEST(FollowContacts, along_the_rim_of_a_coin_that_rolls_on_a_plane) {
  // Its outline has five arcs. Each of them touches once.
  EXPECT_GE(follow_nearest(coin("  b: {type: profile, geometry: disc, body: b, thickness: 0.01, rim: 1e-3}\n"
                                "  floor: {type: plane, body: ground, normal: [0, 0, 1]}\n",
                                "position: [0, 0, 0.0488], rotation: {axis: [1, 0, 0], angle: 70*deg}, "
                                "velocity: [0, 0, 0], spin: [0, 0, 10]"),
                           628, 1e-3),
            5);
}

TEST(FollowContacts, along_the_rim_of_a_washer_that_turns_on_a_rod) {
  EXPECT_GE(follow_nearest(coin("  b: {type: profile, geometry: ring, body: b, thickness: 0.01, rim: 1e-3}\n"
                                "  rod: {type: profile, geometry: rod, body: ground, thickness: 0.4}\n",
                                "position: [0, -0.0065, 0], rotation: {axis: [1, 0, 0], angle: 20*deg}, "
                                "spin: [0, 0, 10]"),
                           628, 1e-3),
            5);
}

TEST(FollowContacts, of_a_ball_from_a_face_over_its_edge) {
  for (const std::string other : {"{type: profile, geometry: slab, body: ground, thickness: [-0.02, 0], rim: 5e-3}",
                                  "{type: box, body: ground, size: [0.4, 0.2, 0.02], center: [0, 0, -0.01]}"}) {
    EXPECT_GE(follow_nearest(coin("  b: {type: sphere, body: b, radius: 0.01}\n  slab: " + other + "\n",
                                  "position: [0.18, 0.01, 0.0104], velocity: [0.1, 0, -1e-3]"),
                             250, 1e-3),
              1)
        << other;
  }
}

// As the wheel spins, the search finds the feet in another order.
TEST(FollowContacts, of_a_wheel_that_spins_in_a_valley_and_of_a_ball_that_rocks_in_it) {
  for (const std::string collider :
       {"{type: wheel, body: b, radius: 0.2, tube: 0.05, axis: [0, 0, 1]}", "{type: sphere, body: b, radius: 0.2}"}) {
    const std::string text = R"(
geometry:
  valley: {type: terrain, height: 5*x^2, size: [2, 1], spacing: 0.02}
bodies:
  b: {type: rigid, mass: 1, inertia: [1, 1, 1], position: [2e-5, 0.1, 0.2503],
      rotation: {axis: [1, 0, 0], angle: 90*deg},
      velocity: [-1e-4, 0, 0], spin: [0, 0, 10]}
colliders:
  valley: {type: terrain, geometry: valley, body: ground}
  b: )" + collider + "\n";
    std::vector<double> sides;
    std::set<std::vector<double>> orders;
    move(text, 400, 1e-3, [&](const ContactList& contacts, int k) {
      ASSERT_EQ(contacts.found(), 2) << collider;
      std::vector<double> now;
      for (const TouchPoint& touch : contacts.touches()) now.push_back(touch.point_B.x > 0.0 ? 1.0 : -1.0);
      EXPECT_EQ(now[0], -now[1]);
      for (int i = 0; k > 0 && i < 2; ++i) {
        ASSERT_GE(contacts[i].before, 0) << k;
        EXPECT_EQ(now[i], sides[contacts[i].before]) << k;
      }
      sides = now;
      orders.insert(now);
    });
    EXPECT_EQ(orders.size(), 2u) << "otherwise nothing was tested: " << collider;
  }
}

}  // namespace
}  // namespace tappet
