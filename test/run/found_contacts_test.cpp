// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
// Contacts between colliders, recorded one by one, against statics.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <numeric>

#include "run/hdf5_reading.h"
#include "run/models.h"
#include "run/options.h"
#include "run/scratch.h"
#include "run/simulate.h"

namespace tappet {
namespace {

constexpr const char* box_on_floor = R"(
parameters: {m: 3, g: 9.81, a: 0.4, b: 0.2, c: 0.1}
bodies:
  box: {type: rigid, mass: m, inertia: [0.01, 0.04, 0.05], position: [0, 0, c/2]}
colliders:
  box: {type: box, body: box, size: [a, b, c], mu: 0.5}
  floor: {type: plane, body: ground, normal: [0, 0, 1], mu: 0.5}
forces: {gravity: {type: gravity, acceleration: [0, 0, -g]}}
run: {scheme: moreau-midpoint, dt: 1e-3, end: 0.1, record: {contacts: found}}
)";

// /found/contacts, with the contacts of each sample.
struct Found {
  std::vector<double> offset, A, B, gap, P_N, P, point, normal, dt;
  std::vector<std::string> names;

  explicit Found(const std::filesystem::path& folder) {
    const Hdf5Reading h5(folder / "result.h5");
    const auto read = [&](const char* data) { return h5.numbers(std::string("found/contacts/") + data); };
    offset = read("offset"), A = read("A"), B = read("B"), gap = read("gap"), P_N = read("P_N");
    P = read("P"), point = read("point"), normal = read("normal");
    names = h5.texts("found/contacts/names"), dt = h5.numbers("steps/dt");
  }
  size_t samples() const { return offset.size(); }
  size_t begin(size_t sample) const { return static_cast<size_t>(offset[sample]); }
  size_t end(size_t sample) const { return sample + 1 < samples() ? begin(sample + 1) : gap.size(); }
  std::array<double, 3> force(size_t sample) const {  // on all first bodies
    std::array<double, 3> sum{};
    for (size_t i = begin(sample); i < end(sample); ++i)
      for (int k = 0; k < 3; ++k) sum[k] += P[3 * i + k] / dt[sample];
    return sum;
  }
};

TEST(FoundContacts, the_normal_forces_of_a_box_at_rest_add_up_to_its_weight) {
  const Scratch scratch;
  const Result result = simulate(parse_model(box_on_floor, "box.yaml"), {.out = scratch.path()});
  ASSERT_TRUE(result.done());
  const Found found(scratch.path());
  ASSERT_EQ(found.samples(), 101u);
  EXPECT_EQ(found.end(0), 0u);  // no step has led to the start
  EXPECT_EQ(found.names, (std::vector<std::string>{"box", "ground"}));
  for (size_t s = 1; s < found.samples(); ++s) {
    ASSERT_EQ(found.end(s) - found.begin(s), 4u);
    double normal_force = 0;
    for (size_t i = found.begin(s); i < found.end(s); ++i) {
      normal_force += found.P_N[i] / found.dt[s];
      EXPECT_EQ(found.names[static_cast<int>(found.A[i])], "box");
      EXPECT_EQ(found.names[static_cast<int>(found.B[i])], "ground");
      EXPECT_NEAR(found.gap[i], 0.0, 1e-12);
      EXPECT_NEAR(std::abs(found.point[3 * i]), 0.2, 1e-9);  // the corners
      EXPECT_NEAR(std::abs(found.point[3 * i + 1]), 0.1, 1e-9);
      EXPECT_NEAR(found.normal[3 * i + 2], 1.0, 1e-12);  // from the floor to the box
    }
    EXPECT_NEAR(normal_force, 3 * 9.81, 1e-8);
    EXPECT_NEAR(found.force(s)[2], 3 * 9.81, 1e-8);
  }
}

TEST(FoundContacts, friction_holds_a_block_on_a_slope_with_m_g_sin) {
  const Scratch scratch;
  const Result result = simulate(
      load(find_model("block_on_slope")),
      {.scheme = "combined-projection", .end = 0.05, .record_every = 1, .record_found = true, .out = scratch.path()});
  ASSERT_TRUE(result.done());
  const Found found(scratch.path());
  const double angle = 10 * M_PI / 180, weight = 9.81;
  for (size_t s = 1; s < found.samples(); ++s) {
    double N = 0;
    for (size_t i = found.begin(s); i < found.end(s); ++i) N += found.P_N[i] / found.dt[s];
    const auto F = found.force(s);
    EXPECT_NEAR(N, weight * std::cos(angle), 1e-6);
    const double along = -F[0] * std::cos(angle) + F[2] * std::sin(angle);  // up the slope
    EXPECT_NEAR(along, weight * std::sin(angle), 1e-6);
    EXPECT_NEAR(F[2], weight, 1e-6);
  }
}

// If the ground comes first in the pair, the force would be reported for the ground.
TEST(FoundContacts, the_force_is_told_as_that_on_the_body_that_moves) {
  const Scratch scratch;
  std::string text = box_on_floor;
  text.replace(text.find("floor: {type: plane, body: ground, normal: [0, 0, 1]"), 52,
               "floor: {type: box, body: ground, size: [2, 2, 1], center: [0, 0, -0.5]");
  simulate(parse_model(text, "box.yaml"), {.out = scratch.path()});
  const Found found(scratch.path());
  EXPECT_NEAR(found.force(50)[2], 3 * 9.81, 1e-8);
  for (const double A : found.A) EXPECT_EQ(found.names[static_cast<int>(A)], "box");
}

TEST(FoundContacts, the_feet_of_the_quadruped_carry_its_weight_each_by_name) {
  const Scratch scratch;
  Model model = load(find_model("standing_quadruped"));
  const Result result = simulate(std::move(model), {.out = scratch.path()});
  ASSERT_TRUE(result.done());
  EXPECT_TRUE(result.summary.warnings.empty()) << result.summary.warnings[0];
  const Found found(scratch.path());
  const size_t last = found.samples() - 1;
  ASSERT_EQ(found.end(last) - found.begin(last), 4u);
  EXPECT_NEAR(found.force(last)[2], 12 * 9.81, 0.02 * 12 * 9.81);
  EXPECT_EQ(found.names, (std::vector<std::string>{"front_left", "front_right", "hind_left", "hind_right", "ground"}));
}

TEST(FoundContacts, a_body_with_several_colliders_tells_them_apart) {
  std::string text = box_on_floor;
  text.replace(text.find("  box: {type: box, body"), 0,
               "  knob: {type: sphere, body: box, radius: 0.01, center: [0, 0, 1]}\n");
  const Scratch scratch;
  simulate(parse_model(text, "box.yaml"), {.out = scratch.path()});
  EXPECT_EQ(Found(scratch.path()).names, (std::vector<std::string>{"box:knob", "box:box", "ground"}));
}

TEST(FoundContacts, the_table_of_contacts_stands_beside_the_table_of_steps) {
  const Scratch scratch;
  simulate(parse_model(box_on_floor, "box.yaml"), {.out = scratch.path(), .csv = scratch.path() / "box.csv"});
  std::ifstream file(scratch.path() / "box_contacts.csv");
  std::string head, line;
  std::getline(file, head);
  EXPECT_EQ(head, "t,A,B,gap,gap_velocity,slip,P_N,P_x,P_y,P_z,x,y,z,n_x,n_y,n_z");
  int lines = 0;
  while (std::getline(file, line)) {
    ++lines;
    EXPECT_NE(line.find(",box,ground,"), std::string::npos) << line;
  }
  EXPECT_EQ(lines, 4 * 100);
}

TEST(FoundContacts, are_not_recorded_unless_asked_for) {
  const Scratch scratch;
  std::string text = box_on_floor;
  text.erase(text.find(", record: {contacts: found}"), 27);
  simulate(parse_model(text, "box.yaml"), {.out = scratch.path()});
  EXPECT_FALSE(Hdf5Reading(scratch.path() / "result.h5").has("found/contacts"));
  EXPECT_THROW(simulate(load(find_model("first_model")), {.record_found = true}), UsageError);
}

}  // namespace
}  // namespace tappet
