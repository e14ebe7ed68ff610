// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
// The examples of models/mechanisms against closed forms and literature.
#include <numbers>

#include "run/make_stepper.h"
#include "run/simulate.h"
#include "steppers/cases.h"
#include "steppers/support.h"
#include "support/mechanism.h"

namespace tappet {
namespace {

using std::numbers::pi;
using test::number;
using test::reference;

Model mechanism(const std::string& name, const Overrides& set = {}) { return test::shipped("mechanisms/" + name, set); }

std::vector<double> times_of(const Summary& summary, const std::string& kind, int contact) {
  std::vector<double> times;
  for (const RecordedEvent& event : summary.events)
    if (event.kind == kind && event.contact == contact) times.push_back(event.t);
  return times;
}

// cases/20: the limit cycle from matrix exponentials with 50 digits.
TEST(woodpecker, returns_after_a_period_and_has_fallen_by_a_step_of_the_limit_cycle) {
  const auto orbit = reference("20_woodpecker_orbit")["orbit"];
  const double T = number(orbit["period"]);
  const Result result = simulate(mechanism("woodpecker"), {.dt = T / 1000, .end = T});
  ASSERT_TRUE(result.done()) << result.summary.message;
  EXPECT_NEAR(result.state.q[0], -number(orbit["fall_per_period"]), 1e-10);
  EXPECT_NEAR(result.state.q[1], number(orbit["phi_M_at_release"]), 1e-9);
  EXPECT_NEAR(result.state.q[2], number(orbit["phi_S_at_release"]), 1e-9);
  EXPECT_NEAR(result.state.u[2], number(orbit["omega_S_at_release"]), 1e-7);
}

// T = 0.14598 s and 19.445 mm; deviations shrink by −0.839 in a period.
TEST(woodpecker, finds_its_limit_cycle_from_beside_it) {
  const Result result = simulate(mechanism("woodpecker", {{"w_S", "17"}}), {.dt = 1e-3, .end = 8});
  ASSERT_TRUE(result.done()) << result.summary.message;
  const auto beaks = times_of(result.summary, "impact", 0);
  ASSERT_GT(beaks.size(), 40u);
  EXPECT_NEAR(beaks.back() - beaks[beaks.size() - 2], 0.14598, 1e-5);
  const double fall = result.q[result.q.size() - 1 - 1460][0] - result.q.back()[0];  // in 1.46 s, 10.0016 periods
  EXPECT_NEAR(fall, 0.19445, 0.004);
}

// An impact is spread over two steps in shares that depend on the grid. If friction holds in each step alone, the
// errors are 1.5e-2 and 1.0e-2.
TEST(woodpecker, schatzman_paoli_converges_with_friction) {
  const double end = 0.3;
  const Result exact = simulate(mechanism("woodpecker"), {.scheme = "event-driven", .dt = 1e-5, .end = end});
  std::vector<double> errors;
  for (const int every : {10, 1}) {
    const Result result =
        simulate(mechanism("woodpecker"), {.scheme = "schatzman-paoli", .dt = 1e-5 * every, .end = end});
    double sum = 0;
    for (size_t k = 0; k < result.t.size(); ++k)
      for (int i = 0; i < 3; ++i) sum += 1e-5 * every * std::abs(result.q[k][i] - exact.q[k * every][i]);
    errors.push_back(sum);
  }
  EXPECT_LT(errors[1], 2e-3);
  EXPECT_NEAR(std::log10(errors[0] / errors[1]), 1.0, 0.15);
}

double separation_speed(const Model& model) {
  const auto value = [&](const char* name) {
    for (const auto& p : model.parameters)
      if (p.name == name) return p.value;
    ADD_FAILURE() << name;
    return 0.0;
  };
  const double m = value("m"), E = value("E");
  return std::sqrt(value("k") / m + (m * value("g") + value("F0")) / (m * E));
}

TEST(cam_and_tappet, leaves_at_the_speed_of_the_theory) {
  EXPECT_NEAR(separation_speed(mechanism("cam_and_tappet")), 265.5005, 5e-5);
  for (const auto& [omega, leaves] : {std::pair{"265.49", false}, std::pair{"265.51", true}}) {
    const Result result =
        simulate(mechanism("cam_and_tappet", {{"omega", omega}}), {.scheme = "event-driven", .dt = 1e-3, .end = 0.1});
    ASSERT_TRUE(result.done());
    EXPECT_EQ(!times_of(result.summary, "opening", 0).empty(), leaves) << omega;
  }
}

// N = m g + F0 + (k − m ω²) E cos(ω t) at 250 rad/s, in the middle of steps.
TEST(cam_and_tappet, contact_forces_are_those_of_the_closed_form_where_the_scheme_says_they_can_be_read) {
  const double dt = 1e-5, omega = 250;
  const auto N = [&](double t) { return 0.1 * 9.81 + 100 + (2000 - 0.1 * omega * omega) * 0.02 * std::cos(omega * t); };
  const Mechanism system(mechanism("cam_and_tappet"));
  for (const SchemeInfo& scheme : schemes()) {
    if (scheme.forces == "mean of P/dt" || scheme.name == "event-driven") continue;
    const auto stepper = make_stepper(scheme.name, system);
    double worst = 0;
    long steps = 0, wrong = 0;
    for (State state = system.initial(); state.t < 0.025;) {
      const StepReport report = stepper->step(state, dt);
      const Impulses& i = stepper->impulses();
      if (state.t < 30 * dt) continue;
      const double error =
          scheme.forces == "lambda" ? i.lambda[0] - N(state.t) : i.P[0] / report.dt - N(state.t - report.dt / 2);
      ++steps, wrong += std::abs(error) > 2;
      worst = std::max(worst, std::abs(error));
    }
    EXPECT_GT(steps, 2000) << scheme.name;
    // The half-explicit schemes find the contact open in a few steps and close it by an impulse in the next step.
    EXPECT_LE(wrong, steps / 100) << scheme.name << ": " << worst << " N";
  }
}

// Between impacts x = p(t) + e^(−ct/2m) (…), and an impact happens when x = s. This gives the map from one period of
// the force to the next.
struct ExactOscillator {
  double m = 1, c = 0.1, k = 1, F = 1, omega, e = 0.8, s = 0, x, v, t = 0;

  std::pair<double, double> free(double dt) const {
    const double D = k - m * omega * omega, C = c * omega, d = D * D + C * C;
    const auto p = [&](double at) { return F * (D * std::cos(omega * at) + C * std::sin(omega * at)) / d; };
    const auto p_dot = [&](double at) { return F * omega * (C * std::cos(omega * at) - D * std::sin(omega * at)) / d; };
    const double a = c / (2 * m), w = std::sqrt(k / m - a * a), y = x - p(t), z = v - p_dot(t);
    const double A = y, B = (z + a * y) / w, co = std::cos(w * dt), si = std::sin(w * dt), decay = std::exp(-a * dt);
    return {p(t + dt) + decay * (A * co + B * si),
            p_dot(t + dt) + decay * (-a * (A * co + B * si) + w * (B * co - A * si))};
  }
  void move(double dt) { std::tie(x, v) = free(dt), t += dt; }
  void advance(double end) {
    const double look = 1e-3;
    while (t < end) {
      const double dt = std::min(look, end - t);
      if (free(dt).first <= s) {
        move(dt);
        continue;
      }
      double below = 0, above = dt;
      for (int i = 0; i < 200; ++i) {
        const double middle = (below + above) / 2;
        (free(middle).first <= s ? below : above) = middle;
      }
      move(above);
      x = s, v = -e * v;
    }
    t = end;
  }
};

TEST(impact_oscillator, stroboscopic_points_are_those_of_the_exact_map) {
  const double omega = 2, T = 2 * pi / omega;
  const Result result = simulate(mechanism("impact_oscillator"), {.dt = T / 20, .end = 30 * T});
  ASSERT_TRUE(result.done()) << result.summary.message;
  ExactOscillator exact{.omega = omega, .x = -2, .v = 2};
  for (int n = 1; n <= 30; ++n) {
    exact.advance(n * T);
    EXPECT_NEAR(result.q[20 * n][0], exact.x, 1e-8) << n;
    EXPECT_NEAR(result.u[20 * n][0], exact.v, 1e-8) << n;
  }
}

// cases/16: orbits with one impact per period in closed form (Shaw and Holmes 1983).
TEST(impact_oscillator, orbits_of_the_literature_return_after_a_period) {
  const auto sets = reference("16_impact_oscillator")["sets"];
  int orbits = 0;
  for (const auto& set : sets)
    for (const auto& row : set["branch"]) {
      if (!row["stable"].get<bool>()) continue;
      const double T = 2 * pi / number(row["omega"]);
      const Result result =
          simulate(mechanism("impact_oscillator",
                             {{"omega", row["omega"]}, {"s", set["s"]}, {"x0", row["x0"]}, {"v0", row["v0"]}}),
                   {.dt = T / 10, .end = T});
      ASSERT_TRUE(result.done()) << row["omega"];
      EXPECT_NEAR(result.state.q[0], number(row["x0"]), 1e-8) << row["omega"];
      EXPECT_NEAR(result.state.u[0], number(row["v0"]), 1e-8) << row["omega"];
      ++orbits;
    }
  EXPECT_GT(orbits, 15);
}

// The direction of the lowest point of the disc, from its axis (the third column of the rotation matrix). It rotates
// with Ω.
double heading(const Vec& q) {
  const double w = q[3], x = q[4], y = q[5], z = q[6];
  return std::atan2(2 * (y * z - w * x), 2 * (x * z + w * y));
}

double turned(const Result& result) {
  double sum = 0;
  for (size_t k = 1; k < result.q.size(); ++k)
    sum += std::remainder(heading(result.q[k]) - heading(result.q[k - 1]), 2 * pi);
  return sum;
}

// Ω² = 4 g/(R sin α)
TEST(eulers_disk, runs_round_as_fast_as_the_theory_says) {
  for (const double alpha : {0.1, 0.25, 0.6}) {
    const double Omega = std::sqrt(4 * 9.81 / (0.04 * std::sin(alpha)));
    const Result result =
        simulate(mechanism("eulers_disk", {{"alpha", std::to_string(alpha)}}), {.dt = 1e-4, .end = 0.5});
    ASSERT_TRUE(result.done());
    EXPECT_NEAR(std::abs(turned(result)) / 0.5, Omega, 2e-4 * Omega) << alpha;
    EXPECT_NEAR(std::hypot(result.state.q[0], result.state.q[1]), 0.0, 2e-5) << alpha;
    EXPECT_NEAR(result.state.q[2], 0.04 * std::sin(alpha), 1e-6) << alpha;
  }
}

// Small oscillations of the inclination: the equations of the rolling disc, linearised about the steady motion, give
// ν² = Ω² (3 + sin² α)/5.
TEST(eulers_disk, nutates_with_the_frequency_of_small_oscillations) {
  const double alpha = 15 * pi / 180, Omega = std::sqrt(4 * 9.81 / (0.04 * std::sin(alpha)));
  const double nu = Omega * std::sqrt((3 + std::sin(alpha) * std::sin(alpha)) / 5);
  const Result result = simulate(mechanism("eulers_disk", {{"kick", "0.05"}}), {.dt = 1e-4, .end = 1});
  std::vector<double> crossings;  // of the height through that of the steady motion, upwards
  const double z = 0.04 * std::sin(alpha);
  for (size_t k = 1; k < result.q.size(); ++k) {
    const double a = result.q[k - 1][2] - z, b = result.q[k][2] - z;
    if (a < 0 && b >= 0) crossings.push_back(result.t[k] - b / (b - a) * 1e-4);
  }
  ASSERT_GT(crossings.size(), 5u);
  const double period = (crossings.back() - crossings.front()) / static_cast<double>(crossings.size() - 1);
  EXPECT_NEAR(2 * pi / period, nu, 2e-3 * nu);
}

double energy_lost(const std::string& joint_forces, double dt) {
  const Result result = simulate(mechanism("eulers_disk", {{"kick", "1"}}),
                                 {.dt = dt, .end = 2, .options = {{"joint_forces", joint_forces, {}}}});
  return 1 - result.summary.energy.total() / result.summary.initial_energy;
}

TEST(eulers_disk, moreau_jean_keeps_its_energy_to_second_order) {
  const double coarse = std::abs(energy_lost("theta", 1e-3)), fine = std::abs(energy_lost("theta", 2.5e-4));
  EXPECT_LT(coarse, 1e-3);
  EXPECT_LT(fine, coarse / 10);
  EXPECT_GT(energy_lost("end", 1e-4), 0.1);  // the printed form: first order
}

TEST(newtons_cradle, sends_off_the_last_ball_where_the_balls_have_gaps) {
  const Result result = simulate(mechanism("newtons_cradle"), {.dt = 1e-4, .end = 0.2});
  ASSERT_TRUE(result.done()) << result.summary.message;
  double largest = 0;
  for (int i = 0; i < 4; ++i) largest = std::max(largest, std::abs(result.state.u[i]));
  EXPECT_LT(largest, 0.03 * result.state.u[4]);
  EXPECT_NEAR(result.summary.energy.total(), result.summary.initial_energy, 1e-9);
}

TEST(newtons_cradle, touching_balls_follow_the_law_of_the_impact) {
  const double v = std::sqrt(2 * 9.81 / 0.15 * (1 - std::cos(pi / 6)));  // rad/s, of the first ball at the bottom
  for (const char* scheme : {"event-driven", "moreau-midpoint", "moreau-jean", "lcp-trapezoidal"})
    for (const char* impact : {"newton", "sequential"}) {
      const Result result = simulate(mechanism("newtons_cradle", {{"gap0", "0"}}),
                                     {.scheme = scheme, .dt = 1e-4, .end = 0.2, .options = {{"impact", impact, {}}}});
      ASSERT_TRUE(result.done()) << scheme << ": " << result.summary.message;
      const bool newton = impact == std::string("newton");
      for (int i = 0; i < 5; ++i) {
        const double expected = newton ? (i == 0 ? -0.6 : 0.4) : (i == 4 ? 1.0 : 0.0);
        EXPECT_NEAR(result.state.u[i] / v, expected, 5e-3) << scheme << " " << impact << " " << i;
      }
    }
}

struct Swing {
  double period, amplitude, teeth;
};

// The last whole swing, from one passage to the right to the next.
Swing last_swing(const Result& result) {
  std::vector<std::pair<double, size_t>> passages;
  for (size_t k = 1; k < result.q.size(); ++k) {
    const double a = result.q[k - 1][0], b = result.q[k][0];
    if (a < 0 && b >= 0) passages.emplace_back(result.t[k] - b / (b - a) * (result.t[k] - result.t[k - 1]), k);
  }
  const auto [t_0, first] = passages[passages.size() - 2];
  const auto [t_1, last] = passages.back();
  double amplitude = 0;
  for (size_t k = first; k < last; ++k) amplitude = std::max(amplitude, std::abs(result.q[k][0]));
  // on the locking face at the end of each swing, a quarter later
  const size_t quarter = (last - first) / 4;
  return {t_1 - t_0, amplitude, (result.q[last - quarter][1] - result.q[first - quarter][1]) * 30 / (2 * pi)};
}

TEST(deadbeat_escapement, advances_by_a_tooth_a_swing_with_the_amplitude_of_the_energy_balance) {
  const Result result = simulate(mechanism("deadbeat_escapement"), {.dt = 1e-4, .end = 40, .record_every = 10});
  ASSERT_TRUE(result.done()) << result.summary.message;
  const Swing swing = last_swing(result);
  const double T = 5e-3, c = 1e-2, J = 0.25, w = 0.4 * 2 * pi / 30, b = pi / 180, lock = 0.1 * b;
  const double A = std::sqrt(2 * T * w / (pi * c * pi));
  EXPECT_NEAR(swing.amplitude, A, 0.01 * A);
  EXPECT_NEAR(swing.teeth, 1.0, 1e-3);
  // Circular error 1 + A²/16, and Airy's: the impulse acts on the mean `lock` beyond the middle.
  const double a = swing.amplitude, phase = 2 * (T * w / b) * b * lock / (J * pi * pi * a * a * a);
  EXPECT_NEAR(swing.period, 2 * (1 + a * a / 16 + phase / (2 * pi)), 5e-5);
}

TEST(deadbeat_escapement, the_wheel_stands_while_it_is_locked) {
  const Result result = simulate(mechanism("deadbeat_escapement"), {.dt = 1e-4, .end = 6, .record_every = 10});
  long locked = 0;
  for (size_t k = 1; k < result.q.size(); ++k)
    if (std::abs(result.q[k][0]) > 2 * pi / 180 && std::abs(result.q[k - 1][0]) > 2 * pi / 180) {
      ++locked;
      EXPECT_NEAR(result.q[k][1], result.q[k - 1][1], 1e-9) << result.t[k];
    }
  EXPECT_GT(locked, 3000);
}

}  // namespace
}  // namespace tappet
