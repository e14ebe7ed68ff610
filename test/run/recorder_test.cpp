// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "record/recorder.h"

#include <gtest/gtest.h>
#include <tappet/error.h>

#include <cmath>
#include <fstream>
#include <limits>
#include <sstream>

#include "run/hdf5_reading.h"
#include "run/scratch.h"

namespace tappet {
namespace {

Layout two_coordinates_two_contacts_one_joint() {
  Layout layout;
  layout.q = {"x", "phi"}, layout.q_units = {"m", "rad"};
  layout.q_size = layout.u_size = 2;
  layout.u = {"x'", "phi'"}, layout.u_units = {"m/s", "rad/s"};
  layout.contacts = {{"floor", 0, 2}, {"a/b", 2, 0}};
  layout.joints = {{"pin", 0, 2}};
  return layout;
}

// Numbers that are different for every quantity.
Sample sample_at(const Layout& layout, int k) {
  Sample s(layout);
  s.t = 0.1 * k;
  double next = 1000.0 * k;
  for (Vec* x : {&s.q, &s.u, &s.gap, &s.gap_velocity, &s.P_N, &s.lambda_N, &s.Lambda_N, &s.slip_velocity, &s.P_F,
                 &s.lambda_F, &s.Lambda_F, &s.joint_residual, &s.joint_impulse})
    for (double& value : *x) value = next += 1 / 3.0;
  s.kinetic = next + 1, s.potential = -next / 7;
  s.status = k == 2 ? SolveStatus::not_converged : SolveStatus::converged;
  s.iterations = 3 * k, s.residual = 1e-12 * k, s.dt = 0.1;
  return s;
}

struct RecorderTest : testing::Test {
  Scratch scratch;
  Layout layout = two_coordinates_two_contacts_one_joint();
};

TEST_F(RecorderTest, hdf5_gives_back_every_number_bit_for_bit) {
  const auto file = scratch.path() / "result.h5";
  const auto recorder = hdf5_recorder(file, layout, {.model = "m", .model_text = "title: ä\n", .scheme = "s"},
                                      {.deflate = 1, .buffer_bytes = 1});  // smallest chunks: several of them
  for (int k = 0; k < 30; ++k) recorder->record(sample_at(layout, k));
  recorder->close();

  const Hdf5Reading h5(file);
  EXPECT_EQ(h5.shape("q"), (std::vector<size_t>{30, 2}));
  EXPECT_EQ(h5.shape("t"), (std::vector<size_t>{30}));
  EXPECT_EQ(h5.shape("contacts/floor/P_F"), (std::vector<size_t>{30, 2}));
  for (int k = 0; k < 30; ++k) {
    const Sample s = sample_at(layout, k);
    EXPECT_EQ(h5.numbers("t")[k], s.t);
    for (int i = 0; i < 2; ++i) {
      EXPECT_EQ(h5.numbers("q")[2 * k + i], s.q[i]);
      EXPECT_EQ(h5.numbers("u")[2 * k + i], s.u[i]);
      EXPECT_EQ(h5.numbers("contacts/floor/slip_velocity")[2 * k + i], s.slip_velocity[i]);
      EXPECT_EQ(h5.numbers("contacts/floor/Lambda_F")[2 * k + i], s.Lambda_F[i]);
      EXPECT_EQ(h5.numbers("joints/pin/residual")[2 * k + i], s.joint_residual[i]);
      EXPECT_EQ(h5.numbers("joints/pin/impulse")[2 * k + i], s.joint_impulse[i]);
    }
    EXPECT_EQ(h5.numbers("energy/total")[k], s.kinetic + s.potential);
    EXPECT_EQ(h5.numbers("contacts/floor/gap")[k], s.gap[0]);
    EXPECT_EQ(h5.numbers("contacts/a%2Fb/lambda_N")[k], s.lambda_N[1]);
    EXPECT_EQ(h5.numbers("steps/status")[k], k == 2 ? 1 : 0);
    EXPECT_EQ(h5.numbers("steps/iterations")[k], 3 * k);
  }
  EXPECT_EQ(h5.text("model/text"), "title: ä\n");
  EXPECT_EQ(h5.text_attribute("/", "version"), version);
  EXPECT_EQ(h5.texts_attribute("q", "names"), layout.q);
  EXPECT_EQ(h5.texts_attribute("u", "units"), layout.u_units);
  EXPECT_EQ(h5.text_attribute("contacts/a%2Fb", "name"), "a/b");
}

TEST_F(RecorderTest, zeros_read_as_zeros_though_they_are_not_written) {
  const auto file = scratch.path() / "result.h5";
  const auto recorder = hdf5_recorder(file, layout, {}, {.buffer_bytes = 1});
  Sample s(layout);
  for (int k = 0; k < 100; ++k) {
    s.P_N[0] = k == 50 ? 2.0 : 0.0;
    recorder->record(s);
  }
  recorder->close();
  const auto P_N = Hdf5Reading(file).numbers("contacts/floor/P_N");
  ASSERT_EQ(P_N.size(), 100u);
  for (int k = 0; k < 100; ++k) EXPECT_EQ(P_N[k], k == 50 ? 2.0 : 0.0);
}

TEST_F(RecorderTest, hdf5_keeps_what_is_not_finite) {
  const auto file = scratch.path() / "result.h5";
  const auto recorder = hdf5_recorder(file, layout, {});
  Sample s(layout);
  s.q[0] = std::nan(""), s.q[1] = -std::numeric_limits<double>::infinity();
  recorder->record(s);
  recorder->close();
  const auto q = Hdf5Reading(file).numbers("q");
  EXPECT_TRUE(std::isnan(q[0]));
  EXPECT_EQ(q[1], -std::numeric_limits<double>::infinity());
}

TEST_F(RecorderTest, the_file_of_a_killed_program_is_readable_up_to_the_last_burst) {
  const auto file = scratch.path() / "result.h5", copy = scratch.path() / "copy.h5";
  const auto recorder = hdf5_recorder(file, layout, {}, {.flush_seconds = 1e-9});
  for (int k = 0; k < 16; ++k) recorder->record(sample_at(layout, k));
  std::filesystem::copy_file(file, copy);  // the contents of the disk while the recorder holds further rows
  for (int k = 16; k < 21; ++k) recorder->record(sample_at(layout, k));
  const auto t = Hdf5Reading(copy).numbers("t");
  ASSERT_GE(t.size(), 8u);
  for (size_t k = 0; k < t.size(); ++k) EXPECT_EQ(t[k], sample_at(layout, static_cast<int>(k)).t);
}

TEST_F(RecorderTest, events_are_named) {
  const auto file = scratch.path() / "result.h5";
  const auto recorder = hdf5_recorder(file, layout, {});
  recorder->event({0.25, "impact", 1});
  recorder->event({0.5, "accumulation", -1});
  recorder->close();
  const Hdf5Reading h5(file);
  EXPECT_EQ(h5.numbers("events/t"), (std::vector<double>{0.25, 0.5}));
  EXPECT_EQ(h5.texts("events/kind"), (std::vector<std::string>{"impact", "accumulation"}));
  EXPECT_EQ(h5.texts("events/contact"), (std::vector<std::string>{"a/b", ""}));
}

TEST_F(RecorderTest, names_of_thousands_of_coordinates_fit) {
  Layout large;
  large.q_size = 5000;
  for (int i = 0; i < 5000; ++i) large.q.push_back("ball" + std::to_string(i) + ".x"), large.q_units.push_back("m");
  const auto file = scratch.path() / "result.h5";
  hdf5_recorder(file, large, {})->close();
  EXPECT_EQ(Hdf5Reading(file).texts("q_names").size(), 5000u);
}

TEST_F(RecorderTest, a_file_that_cannot_be_written_is_named) {
  const auto file = scratch.path() / "no such folder" / "result.h5";
  for (const auto make : {+[](const std::filesystem::path&f, const Layout&l) { return hdf5_recorder(f, l, {}); },
                          +[](const std::filesystem::path&f, const Layout&l) { return csv_recorder(f, l); }}) {
    try {
      make(file, layout);
      FAIL() << "a recorder without a file";
    } catch (const std::runtime_error& error) {
      EXPECT_NE(std::string(error.what()).find(file.string()), std::string::npos) << error.what();
    }
  }
}

TEST(Hdf5Name, odd_names_stay_apart_and_inside_their_group) {
  EXPECT_EQ(hdf5_name("corner1"), "corner1");
  EXPECT_EQ(hdf5_name("a/b"), "a%2Fb");
  EXPECT_EQ(hdf5_name("a%2Fb"), "a%252Fb");
  EXPECT_EQ(hdf5_name("."), "%2E");
  EXPECT_EQ(hdf5_name(".."), "%2E%2E");
  EXPECT_EQ(hdf5_name("a.b"), "a.b");
  EXPECT_EQ(hdf5_name(""), "%");
}

std::vector<std::string> lines_of(const std::filesystem::path& file) {
  std::ifstream stream(file);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

TEST_F(RecorderTest, csv_has_a_name_for_every_number_and_reads_back_exactly) {
  layout.q[0] = "x, of \"A\"";
  const auto file = scratch.path() / "motion.csv";
  const auto recorder = csv_recorder(file, layout);
  const Sample s = sample_at(layout, 1);
  recorder->record(s);
  recorder->close();
  const auto lines = lines_of(file);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0].substr(0, 23), "t,\"x, of \"\"A\"\"\",phi,u:x");
  // The quoted name contains one comma that does not separate columns.
  EXPECT_EQ(std::count(lines[0].begin(), lines[0].end(), ',') - 1, std::count(lines[1].begin(), lines[1].end(), ','));
  std::istringstream numbers(lines[1]);
  std::string cell;
  for (const double expected : {s.t, s.q[0], s.q[1], s.u[0], s.u[1], s.kinetic, s.potential}) {
    std::getline(numbers, cell, ',');
    EXPECT_EQ(std::stod(cell), expected);
  }
}

}  // namespace
}  // namespace tappet
