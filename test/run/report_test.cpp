// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "report/report.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "report/contact_events.h"
#include "report/kept_samples.h"
#include "report/page.h"
#include "report/page_arrays.h"
#include "report/series.h"
#include "run/scratch.h"
#include "run/simulate.h"
#include "support/unpacked.h"

namespace tappet {
namespace {

using Json = nlohmann::ordered_json;

// A ball dropped from 5 m, g = 10, e = 1/2: impacts at 1, 2, 2.5, 2.75, … s with velocities 10, 5, 2.5, …
struct Bounces {
  std::vector<double> t, velocity, impulse;
  Bounces(double dt, double end) {
    double impact = 1, speed = 10, last = 0, up = 0;  // the next impact; the last one and the velocity it left
    for (int k = 0; k * dt <= end + 1e-12; ++k) {
      const double now = k * dt;
      double P = 0;
      while (now >= impact && impact < 2.96) {
        P += 1.5 * speed;
        last = impact, up = speed / 2, impact += speed / 10, speed /= 2;
      }
      t.push_back(now);
      const bool rests = impact >= 2.96 && now >= impact;
      velocity.push_back(rests ? 0.0 : up - 10 * (now - last));
      impulse.push_back(rests ? 10 * dt : P);
    }
  }
};

ContactHistory whole(ContactHistory::Stretch all) {
  const long samples = static_cast<long>(all.t.size());
  return {samples, [all = std::move(all)](long first, long count) {
            const auto part = [&](const std::vector<double>& x) {
              return x.empty() ? x : std::vector<double>(x.begin() + first, x.begin() + first + count);
            };
            return ContactHistory::Stretch{part(all.t), part(all.gap_velocity), part(all.P_N), part(all.Lambda_N),
                                           part(all.slip)};
          }};
}

TEST(ContactEvents, impacts_of_a_bouncing_ball_are_found_at_their_times) {
  const Bounces b(1e-3, 4);
  const ContactEvents events = contact_events(whole({b.t, b.velocity, b.impulse, {}, {}}));
  ASSERT_GE(events.impact_times.size(), 4u);
  const double times[] = {1, 2, 2.5, 2.75}, sizes[] = {15, 7.5, 3.75, 1.875};
  for (int i = 0; i < 4; ++i) {
    EXPECT_NEAR(events.impact_times[i], times[i], 1e-3);
    EXPECT_NEAR(events.impact_sizes[i], sizes[i], 1e-9);
  }
}

TEST(ContactEvents, a_ball_at_rest_is_one_closed_phase_to_the_end) {
  const Bounces b(1e-3, 4);
  const ContactEvents events = contact_events(whole({b.t, b.velocity, b.impulse, {}, {}}));
  ASSERT_EQ(events.from.size(), 1u);
  EXPECT_NEAR(events.from[0], 3, 0.05);
  EXPECT_DOUBLE_EQ(events.to[0], 4);
  EXPECT_EQ(events.phases[0], ContactEvents::closed);
}

TEST(ContactEvents, sliding_that_ends_in_sticking_makes_two_phases) {
  std::vector<double> t, zero, impulse, slip;
  for (int k = 0; k <= 100; ++k) {
    t.push_back(0.01 * k), zero.push_back(0), impulse.push_back(k > 0 ? 1 : 0);
    slip.push_back(std::max(0.0, 1 - 0.02 * k));
  }
  const ContactEvents events = contact_events(whole({t, zero, impulse, {}, slip}));
  ASSERT_EQ(events.phases, (std::vector<std::uint8_t>{ContactEvents::slip, ContactEvents::stick}));
  EXPECT_NEAR(events.to[0], 0.5, 0.011);
  EXPECT_EQ(events.from[1], events.to[0]);
  EXPECT_TRUE(events.impact_times.empty());
}

// The corrections by Λ that an implicit scheme makes while the contact is closed are not impacts. The impacts that it
// lists are.
TEST(ContactEvents, impacts_are_told_from_the_corrections_of_a_closed_contact) {
  std::vector<double> t, zero, impulse, corrections;
  for (int k = 0; k <= 100; ++k) {
    t.push_back(0.01 * k), zero.push_back(0), impulse.push_back(k > 0 ? 1 : 0);
    corrections.push_back(k == 30 ? 0.9 : k > 30 ? 1e-3 : 0);
  }
  ContactHistory history = whole({t, zero, impulse, corrections, {}});
  ContactEvents events = contact_events(history);
  ASSERT_EQ(events.impact_times.size(), 1u);
  EXPECT_DOUBLE_EQ(events.impact_times[0], t[30]);
  history.located = {0.123, 0.456};
  events = contact_events(history);
  EXPECT_EQ(events.impact_times, (std::vector<double>{0.123, 0.456}));
  EXPECT_EQ(events.impact_sizes, (std::vector<double>{1, 1e-3}));
}

// Closed and sliding from sample 31 on, after an impact in that step; sticking from sample 61, open from sample 91.
ContactEvents slide_and_stick(bool impact) {
  std::vector<double> t, velocity, impulse, slip, Lambda;
  for (int k = 0; k <= 100; ++k) {
    const bool closed = k > 30 && k <= 90;
    t.push_back(0.01 * k), velocity.push_back(0), impulse.push_back(closed ? 1 : 0);
    slip.push_back(k <= 60 ? 1 : 0), Lambda.push_back(impact && k == 31 ? 1 : 0);
  }
  return contact_events(whole({t, velocity, impulse, Lambda, slip}));
}

TEST(ContactEvents, phases_have_the_times_that_the_scheme_located) {
  std::vector<ContactEvents> contacts{slide_and_stick(false)};
  settle_times(contacts, {{{0.3042, "impact"}, {0.3042, "slip"}, {0.6077, "stick"}, {0.9013, "opening"}}});
  EXPECT_EQ(contacts[0].from, (std::vector<double>{0.3042, 0.6077}));
  EXPECT_EQ(contacts[0].to, (std::vector<double>{0.6077, 0.9013}));
}

TEST(ContactEvents, no_phase_begins_before_the_impact_that_causes_it) {
  std::vector<ContactEvents> contacts{slide_and_stick(true), slide_and_stick(false)};
  ASSERT_EQ(contacts[0].impact_times.size(), 1u);
  EXPECT_LT(contacts[0].from[0], contacts[0].impact_times[0]);  // the start of the step of the impact
  settle_times(contacts, {{}, {}});
  EXPECT_EQ(contacts[0].from[0], contacts[0].impact_times[0]);
  EXPECT_EQ(contacts[1].from[0], contacts[0].impact_times[0]);  // the impact of another contact in the same step
  EXPECT_NEAR(contacts[0].to[0], 0.6, 1e-12);                   // it is not known when it began to stick
  EXPECT_EQ(contacts[0].from[1], contacts[0].to[0]);
}

// 300 000 samples are read in several stretches. The ball bounces and rests as before.
TEST(ContactEvents, a_long_run_gives_the_events_of_a_short_one) {
  const Bounces fine(4.0 / 300'000, 4), coarse(1e-3, 4);
  const ContactEvents a = contact_events(whole({fine.t, fine.velocity, fine.impulse, {}, {}}));
  const ContactEvents b = contact_events(whole({coarse.t, coarse.velocity, coarse.impulse, {}, {}}));
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(a.impact_times[i], b.impact_times[i], 1e-3);
  ASSERT_EQ(a.from.size(), 1u);
  EXPECT_NEAR(a.from[0], b.from[0], 2e-3);
  EXPECT_DOUBLE_EQ(a.to[0], fine.t.back());
}

TEST(KeptSamples, a_short_run_is_kept_whole_and_without_a_note) {
  const KeptSamples kept = keep_samples(1000, {10, 500}, 1000);
  EXPECT_EQ(kept.samples.size(), 1000u);
  EXPECT_EQ(kept.note(1000), "");
}

TEST(KeptSamples, around_an_impact_a_long_run_is_kept_at_full_resolution) {
  const KeptSamples kept = keep_samples(1'000'000, {123'456}, 2000);
  EXPECT_LE(kept.samples.size(), 2100u);
  EXPECT_EQ(kept.samples.front(), 0);
  EXPECT_EQ(kept.samples.back(), 999'999);
  for (long k = 123'456 - 8; k <= 123'456 + 8; ++k)
    EXPECT_TRUE(std::binary_search(kept.samples.begin(), kept.samples.end(), k)) << k;
  EXPECT_NE(kept.note(1'000'000), "");
}

TEST(KeptSamples, a_run_of_impacts_alone_stays_within_its_room) {
  std::vector<long> marked(900'000);
  for (size_t i = 0; i < marked.size(); ++i) marked[i] = static_cast<long>(i);
  EXPECT_LE(keep_samples(1'000'000, marked, 5000).samples.size(), 5100u);
}

TEST(PageArrays, single_precision_numbers_come_back_exactly) {
  const std::vector<double> values = {0, 1, -1, 0.1, 1e30, -1e-30, 3.5, 3.5};
  PageArrays arrays;
  arrays.bytes(std::vector<std::uint8_t>{7});
  const Json ref = arrays.floats(values);
  const std::string data = unpacked(arrays.packed());
  const size_t at = ref["at"], n = ref["n"];
  ASSERT_EQ(n, values.size());
  std::uint32_t bits = 0;
  for (size_t i = 0; i < n; ++i) {
    std::uint32_t difference = 0;
    for (int plane = 0; plane < 4; ++plane)
      difference |= static_cast<std::uint32_t>(static_cast<std::uint8_t>(data[at + plane * n + i])) << (8 * plane);
    bits += difference;
    EXPECT_EQ(std::bit_cast<float>(bits), static_cast<float>(values[i])) << i;
  }
}

constexpr const char* hostile = "</script><script>alert(1)</script>";

struct WriteReport : testing::Test {
  Scratch scratch;

  std::string report(const std::string& model_text, RunOptions options = {}) {
    options.out = scratch.path();
    simulate(parse_model(model_text, "model.yaml"), options);
    std::ifstream stream(write_report(scratch.path()));
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  static Json embedded(const std::string& page) {
    const std::string open = "id=\"tappet-run\">";
    const size_t from = page.find(open) + open.size();
    return Json::parse(page.substr(from, page.find("</script>", from) - from));
  }
};

constexpr const char* bouncing = R"(
title: "</script><script>alert(1)</script>"
parameters: {g: 10, e: 0.5}
coordinates:
  z: {position: 5, velocity: 0}
lagrangian: {kinetic: z'^2/2, potential: g*z}
contacts:
  floor: {gap: z, e_N: e, mu: 0}
draw:
  - ground: {from: [-1, 0], to: [1, 0]}
  - circle: {center: [0, z + 1], radius: 1, label: ball}
  - force:  {contact: floor, at: [0, z], normal: [0, 1]}
run: {scheme: moreau-midpoint, dt: 1e-3, end: 2.2}
)";

TEST_F(WriteReport, holds_the_run_with_its_events_and_scene) {
  if (page_template().empty()) return;  // built without the page
  const Json run = embedded(report(bouncing));
  EXPECT_EQ(run["title"], hostile);
  EXPECT_EQ(run["time"]["n"], 2201);
  EXPECT_EQ(run["contacts"][0]["impacts"]["time"]["n"], 2);
  EXPECT_TRUE(run["scene"]["planar"]);
  ASSERT_EQ(run["scene"]["items"].size(), 2u);
  EXPECT_EQ(run["scene"]["items"][0]["points"]["n"], 6);         // it does not move
  EXPECT_EQ(run["scene"]["items"][1]["points"]["n"], 3 * 2201);  // it does
  EXPECT_EQ(run["scene"]["forces"].size(), 1u);
}

// If a step has no impulse and the next one twice as much, the mean over n steps is off by at most 4/n².
TEST(MeanForces, impulses_that_alternate_become_their_mean) {
  const double dt = 1e-3, force = 5;
  std::vector<double> P(200, force * dt), times(200, dt);
  P[0] = times[0] = 0;  // the start
  for (int k = 30; k < 200; k += 7) P[k] = 0, P[k + 1] = 2 * force * dt;
  const auto means = mean_forces(P, times, 20);
  for (int k = 20; k < 180; ++k) EXPECT_NEAR(means[k], force, 5 * force * 4 / (20.0 * 20)) << k;
  for (const double f : mean_forces(std::vector<double>(50, dt), std::vector<double>(50, dt), 20))
    EXPECT_NEAR(f, 1, 1e-12);
}

TEST_F(WriteReport, forces_of_a_scheme_that_alternates_are_means_and_say_so) {
  if (page_template().empty()) return;
  const auto names = [&](const std::string& scheme) {
    std::vector<std::string> list;
    const Json run = embedded(report(bouncing, {.scheme = scheme}));
    for (const Json& series : run["series"])
      if (series["group"] == "force_N") list.push_back(series["name"]);
    return list;
  };
  EXPECT_EQ(names("moreau-midpoint"), std::vector<std::string>{"floor, mean of 20 steps"});
  EXPECT_EQ(names("combined-projection"), std::vector<std::string>{});
}

TEST_F(WriteReport, no_text_of_a_model_ends_its_element) {
  if (page_template().empty()) return;
  const std::string page = report(bouncing);
  EXPECT_EQ(page.find("alert(1)</script>"), std::string::npos);
}

TEST_F(WriteReport, a_run_of_a_hundred_thousand_steps_is_below_seven_megabytes_and_says_that_it_was_thinned) {
  if (page_template().empty()) return;
  const std::string page = report(bouncing, {.dt = 2e-5});
  EXPECT_LT(page.size(), 7'000'000u);
  EXPECT_NE(embedded(page)["sampling"]["note"], "");
}

TEST_F(WriteReport, parameters_set_for_the_run_are_those_of_the_page) {
  if (page_template().empty()) return;
  const Model model = parse_model(bouncing, "model.yaml", {{"g", "20"}});
  simulate(model, {.out = scratch.path()});
  std::ifstream stream(write_report(scratch.path()));
  const Json run = embedded({std::istreambuf_iterator<char>(stream), {}});
  EXPECT_EQ(run["parameters"][0]["value"], 20);
}

TEST_F(WriteReport, bodies_without_a_draw_section_are_drawn_from_their_contacts) {
  if (page_template().empty()) return;
  const Json run = embedded(report(R"(
bodies:
  ball: {type: rigid, mass: 1, inertia: [1, 1, 1], position: [0, 0, 2]}
contacts:
  floor: {type: sphere-plane, bodies: [ball, ground], radius: 0.5, normal: [0, 0, 1], e_N: 0, mu: 0.3}
forces:
  gravity: {type: gravity, acceleration: [0, 0, -10]}
run: {scheme: moreau-midpoint, dt: 1e-2, end: 1}
)"));
  EXPECT_FALSE(run["scene"]["planar"]);
  std::vector<std::string> kinds;
  for (const Json& item : run["scene"]["items"]) kinds.push_back(item["kind"]);
  std::sort(kinds.begin(), kinds.end());
  EXPECT_EQ(kinds, (std::vector<std::string>{"plane", "sphere"}));
  EXPECT_EQ(run["scene"]["forces"].size(), 1u);
}

TEST_F(WriteReport, a_folder_without_results_is_an_error_that_names_it) {
  if (page_template().empty()) return;
  try {
    write_report(scratch.path());
    FAIL() << "expected an error";
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string(error.what()).find("result.h5"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace tappet
