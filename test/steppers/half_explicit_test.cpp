// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "steppers/closed_forms.h"
#include "steppers/half_explicit/explicit_velocity.h"
#include "steppers/half_explicit/half_explicit_acceleration.h"
#include "steppers/half_explicit/half_explicit_adaptive.h"
#include "steppers/half_explicit/half_explicit_velocity.h"
#include "steppers/moreau/moreau_explicit.h"
#include "steppers/support.h"

namespace tappet {
namespace {

using namespace test;

const std::vector<Scheme> schemes{
    {"acceleration", [](const Mechanism& s) { return std::make_unique<HalfExplicitAcceleration>(s, solver()); }},
    {"explicit_velocity", [](const Mechanism& s) { return std::make_unique<ExplicitVelocity>(s, solver()); }},
    {"velocity", [](const Mechanism& s) { return std::make_unique<HalfExplicitVelocity>(s, solver()); }},
    {"adaptive", [](const Mechanism& s) { return std::make_unique<HalfExplicitAdaptive>(s, solver()); }},
};
const Scheme &acceleration = schemes[0], &explicit_velocity = schemes[1], &velocity = schemes[2],
             &adaptive = schemes[3];

std::string name_of(const testing::TestParamInfo<Scheme>& info) { return info.param.name; }
class HalfExplicit : public testing::TestWithParam<Scheme> {};
class SecondOrder : public testing::TestWithParam<Scheme> {};
INSTANTIATE_TEST_SUITE_P(all, HalfExplicit, testing::ValuesIn(schemes), name_of);
INSTANTIATE_TEST_SUITE_P(all, SecondOrder, testing::Values(acceleration, velocity, adaptive), name_of);

TEST_P(SecondOrder, bilateral_slider_crank_converges_to_the_reference_with_order_two) {
  // cases/08, bilateral, t = 0.05
  const Mechanism system(shipped("schoeder2013/slider_crank_bilateral"));
  const std::vector<double> steps{1e-4, 1e-5};
  std::vector<double> errors;
  for (double dt : steps) {
    const auto stepper = GetParam().make(system);
    const auto result = run(system, *stepper, dt, 0.05);
    errors.push_back(std::abs(result.state.q[0] - 4.809238135226954019253));
    EXPECT_EQ(result.unconverged, 0);
  }
  EXPECT_GT(order(steps, errors), 1.9);
}

TEST_P(SecondOrder, tumbling_body_is_second_order) {
  const Mechanism system(shipped("rigid/tumbling_body", {{"Omega1", "1.2"}, {"Omega3", "1.5"}}));
  const std::vector<double> steps{1e-2, 1e-3};
  std::vector<double> errors;
  for (double dt : steps) {
    const auto stepper = GetParam().make(system);
    errors.push_back(tumbling_error(run(system, *stepper, dt, 1.0).state.q));
  }
  EXPECT_NEAR(order(steps, errors), 2.0, 0.1);
}

TEST_P(HalfExplicit, a_step_allocates_nothing) {
  for (const char* model : {"acary2012/bouncing_ball", "schindler2014/slider_crank",
                            "schindler2014/slider_crank_bodies", "schoeder2013/slider_crank_bilateral"}) {
    SCOPED_TRACE(model);
    const bool corners = std::string(model).find("schindler") == 0;
    const Mechanism system(shipped(model, corners ? Overrides{{"mu", "0"}} : Overrides{}));
    const auto stepper = GetParam().make(system);
    expect_no_allocation(system, *stepper, 1e-4, 400, 600);
  }
}

TEST_P(HalfExplicit, conserves_momentum_in_free_flight) {
  const Mechanism system(shipped("capobianco2021/rotating_ball", {{"mu", "0"}}));
  const auto stepper = GetParam().make(system);
  const auto result = run(system, *stepper, 1e-3, 0.4);
  EXPECT_EQ(result.state.u[0], system.initial().u[0]);
  EXPECT_EQ(result.state.u[2], system.initial().u[2]);
  EXPECT_NEAR(result.state.q[1], 1.0 - 0.5 * 9.81 * 0.16, 1e-12);  // exact for constant forces
}

// A ball of momentum p stops in an inelastic impact: Λ is p, the forces of the step are zero; then λ is its weight.
TEST_P(HalfExplicit, reports_forces_and_impulses_apart) {
  const Mechanism system(shipped("capobianco2021/rotating_ball", {{"mu", "0"}}));
  const auto stepper = GetParam().make(system);
  double Lambda = 0;
  int impacts = 0;
  const auto result = run(system, *stepper, 1e-4, 0.6, [&](const State& s, const StepReport& r, const Impulses& i) {
    EXPECT_TRUE(i.separated);
    if (r.impulsive) {
      ++impacts, Lambda += i.Lambda[0];
      EXPECT_EQ(i.lambda[0], 0.0);
      EXPECT_EQ(i.P[0], i.Lambda[0]);
    } else {
      EXPECT_EQ(i.Lambda[0], 0.0);
    }
    if (s.t > 0.5) {
      EXPECT_NEAR(i.P[0], 9.81 * r.dt, 1e-12);
      if (GetParam().name != "explicit_velocity") {
        EXPECT_NEAR(i.lambda[0], 9.81, 1e-9);
      }
    }
  });
  EXPECT_EQ(impacts, 1);
  EXPECT_NEAR(Lambda, 4.202142310774350, 1e-3);
}

TEST(HalfExplicitVelocity, slips_and_sticks_with_second_order) {
  // cases/05: slip until 0.3386, stick, slip back from 2.9463 to 3.5328
  const Mechanism system(shipped("potra2006/sliding_block"));
  const std::vector<std::pair<double, double>> samples{
      {0.2, 3.002507377270066951006428}, {0.3, 3.004148086995151842861518}, {2.0, 3.004348569726865226929652},
      {3.1, 3.003593414577441110647082}, {3.3, 2.998072077269647329314922}, {5.0, 2.991302833115031519390805}};
  const std::vector<double> steps{1e-2, 1e-3};
  std::vector<double> slip, all;
  for (double dt : steps) {
    HalfExplicitVelocity stepper(system, solver());
    double slip_error = 0, error = 0;
    run(system, stepper, dt, 5.0, [&](const State& s, const StepReport& r, const Impulses&) {
      EXPECT_FALSE(r.impulsive);
      for (auto [t, x] : samples)
        if (std::abs(s.t - t) < dt / 2) {
          error = std::max(error, std::abs(s.q[0] - x));
          if (t < 0.33) slip_error = std::max(slip_error, std::abs(s.q[0] - x));
        }
    });
    slip.push_back(slip_error), all.push_back(error);
  }
  EXPECT_NEAR(order(steps, slip), 2.0, 0.05);
  EXPECT_GT(order(steps, all), 1.7);
}

TEST(HalfExplicitVelocity, bowling_ball_rolls_at_the_closed_form_with_second_order) {
  // cases/12: slides to t = 2.307, then rolls
  const Mechanism system(shipped("rigid/bowling_ball"));
  const std::vector<double> steps{1e-2, 1e-3};
  std::vector<double> errors;
  for (double dt : steps) {
    HalfExplicitVelocity stepper(system, solver());
    const State s = run(system, stepper, dt, 3.0).state;
    errors.push_back(std::hypot(s.q[0] - 19.19946088459574327245, s.q[1] + 1.450712370039747912173));
  }
  EXPECT_GT(order(steps, errors), 1.7);
  EXPECT_LT(errors.back(), 1e-5);
}

TEST(HalfExplicitVelocity, impacts_with_friction_are_of_first_order) {
  // cases/03: ω = 50, impact at 0.42835, rolling from 0.72812
  const Mechanism system(shipped("capobianco2021/rotating_ball"));
  for (const Scheme& scheme : {velocity, adaptive})
    for (double dt : {1e-2, 1e-3, 1e-4}) {
      const auto stepper = scheme.make(system);
      State state = system.initial();
      while (state.t < 1.0 - 1e-9) stepper->step(state, std::min(dt, 1.0 - state.t));
      EXPECT_LT(std::abs(state.q[0] + 0.7284857184463999667145146), 0.9 * dt);
      EXPECT_NEAR(state.u[0], -1.428571428571428, 1e-9);
    }
}

// cases/08 with friction, x = max over the samples; both steps.
TEST(HalfExplicitVelocity, slider_crank_with_friction_is_five_times_nearer_than_moreau_explicit) {
  const std::vector<std::array<double, 3>> samples{{0.01, 0.9479613217885894, -0.4146242002600287},
                                                   {0.095, 8.4182332477089, -0.43923119752842704},
                                                   {0.1, 9.000639842525954, -0.21058875510035885}};
  const Mechanism system(shipped("schindler2014/slider_crank"));
  const auto error = [&](Stepper& stepper, double dt) {
    double largest = 0;
    run(system, stepper, dt, 0.1, [&](const State& s, const StepReport& r, const Impulses&) {
      EXPECT_TRUE(r.converged());
      for (auto [t, theta1, theta2] : samples)
        if (std::abs(s.t - t) < dt / 2)
          largest = std::max({largest, std::abs(s.q[0] - theta1), std::abs(s.q[1] - theta2)});
    });
    return largest;
  };
  for (double dt : {1e-4, 1e-5}) {
    HalfExplicitVelocity half(system, solver());
    MoreauExplicit moreau(system, solver());
    EXPECT_GT(error(moreau, dt) / error(half, dt), 5.0);
  }
}

// Figs. 5, 8, 10, frictionless, dt = 1e-4: how much deeper a contact sinks between closing and opening.
TEST(HalfExplicit, contacts_drift_in_the_printed_order) {
  const Mechanism system(shipped("schindler2014/slider_crank", {{"mu", "0"}}));
  std::vector<double> drift;
  for (const Scheme& scheme : {velocity, acceleration, explicit_velocity}) {
    const auto stepper = scheme.make(system);
    Evaluator evaluate(system);
    Vec g;
    std::vector<double> closed_at(4, 1.0);
    double largest = 0;
    run(system, *stepper, 1e-4, 0.1, [&](const State& s, const StepReport&, const Impulses&) {
      evaluate.gaps(s.t, s.q, g);
      for (int k = 0; k < 4; ++k) {
        if (g[k] > 0)
          closed_at[k] = 1.0;
        else if (closed_at[k] > 0)
          closed_at[k] = g[k];
        else
          largest = std::max(largest, closed_at[k] - g[k]);
      }
    });
    drift.push_back(largest);
  }
  EXPECT_LT(3 * drift[0], drift[1]);
  EXPECT_LT(drift[1], drift[2]);
}

TEST_P(HalfExplicit, ball_in_a_box_comes_to_rest_in_the_corner) {
  // cases/04; m (a dt)²/4 with a = 9.81 m/s², dt = 5e-3 s
  const Mechanism system(shipped("schindler2014/ball_in_box"));
  const auto stepper = GetParam().make(system);
  Evaluator evaluate(system);
  double energy = evaluate.energy(0, system.initial().q, system.initial().u).total(), rise = 0;
  Vec at_two;
  State state = system.initial();
  while (state.t < 4.0) {
    stepper->step(state, 5e-3);
    const double now = evaluate.energy(state.t, state.q, state.u).total();
    rise = std::max(rise, now - energy);
    energy = now;
    if (state.t > 2.0 && at_two.empty()) at_two = state.q;
  }
  const double drift = std::max(std::abs(state.q[0] - at_two[0]), std::abs(state.q[1] - at_two[1]));
  EXPECT_LT(rise, std::pow(9.81 * 5e-3, 2) / 4);
  if (GetParam().name == "velocity" || GetParam().name == "adaptive") {
    EXPECT_EQ(drift, 0.0);
    for (int i : {0, 1}) {
      EXPECT_NEAR(state.q[i], 1.0, 5e-4);
      EXPECT_LT(std::abs(state.u[i]), 1e-15);
    }
  } else {
    EXPECT_GT(drift, 1e-3);
  }
}

TEST(HalfExplicitAcceleration, refuses_friction_and_names_the_contact) {
  const Mechanism system(shipped("schindler2014/slider_crank"));
  try {
    HalfExplicitAcceleration stepper(system, solver());
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_NE(std::string(error.what()).find("corner1"), std::string::npos);
  }
}

TEST(ExplicitVelocity, forces_in_the_projection_chatter) {
  // after Fig. 8: option 1 of (100) loses contact, so that impacts multiply
  const Mechanism system(shipped("schindler2014/slider_crank", {{"mu", "0"}}));
  ExplicitVelocity without(system, solver()), with(system, solver(), ExplicitVelocityOptions{"forces"});
  EXPECT_GT(run(system, with, 1e-5, 0.1).impulsive, 2 * run(system, without, 1e-5, 0.1).impulsive);
}

// A bar of N elements, first node 5e-9 m from a wall (cases/09, Table 5).
Mechanism bar(const std::string& N, const std::string& delta, const std::string& gap = "5e-9") {
  const std::string text = R"(
parameters: {N: 1, delta: 0, gap: 0}
bodies:
  bar: {type: elastic_bar, length: 1, area: pi*1e-4, density: 7800, modulus: 2.1e11, elements: N, damping: delta,
        position: [gap, 0, 0], axis: [1, 0, 0], velocity: -0.1}
contacts:
  wall: {type: point-plane, bodies: [bar, ground], node: 0, normal: [1, 0, 0]}
)";
  return Mechanism(parse_model(text, "bar", {{"N", N}, {"delta", delta}, {"gap", gap}}));
}

struct BarRun {
  double Lambda = 0, lost_energy = 0, violation = 0, release = 0, weakest = 1e9, strongest = 0;
  int openings = 0;
};
BarRun run_bar(const Mechanism& system) {
  HalfExplicitVelocity stepper(system, solver());
  Evaluator evaluate(system);
  BarRun b;
  Vec g;
  bool closed = false;
  double before = evaluate.energy(0, system.initial().q, system.initial().u).total();
  const double initial = before;
  b.violation = run(system, stepper, 1e-7, 4e-4, [&](const State& s, const StepReport& r, const Impulses& i) {
                  const double energy = r.impulsive || !closed ? evaluate.energy(s.t, s.q, s.u).total() : before;
                  if (r.impulsive) b.Lambda += i.Lambda[0], b.lost_energy += (before - energy) / initial;
                  before = energy;
                  evaluate.gaps(s.t, s.q, g);
                  if (closed && g[0] > 0) ++b.openings, b.release = s.t;
                  closed = g[0] <= 0;
                  if (s.t > 4e-5 && s.t < 3.4e-4) {
                    b.weakest = std::min(b.weakest, i.lambda[0]);
                    b.strongest = std::max(b.strongest, i.lambda[0]);
                  }
                }).violation;
  return b;
}

TEST(HalfExplicitVelocity, elastic_bar_keeps_contact_and_shows_the_impulse_of_its_mesh) {
  const BarRun b = run_bar(bar("50", "0"));
  EXPECT_NEAR(b.Lambda, 0.0014147635041026899, 1e-2 * 1.4e-3);              // cases/09
  EXPECT_NEAR(b.lost_energy, 0.5 * 0.0014147635 * 0.1 / 0.01225221, 1e-4);  // Λ v₀/2, plastic
  EXPECT_LE(b.violation, 1e-8);
  EXPECT_EQ(b.openings, 1);
  EXPECT_NEAR(b.release, 3.819e-4, 2e-6);
}

TEST(HalfExplicitVelocity, damped_elastic_bar_shows_the_force_of_the_continuum) {
  const BarRun b = run_bar(bar("1000", "4.761e-9"));
  EXPECT_NEAR(b.Lambda, 7.07e-5, 1e-2 * 7.07e-5);
  EXPECT_LE(b.violation, 1e-8);
  EXPECT_EQ(b.openings, 1);
  EXPECT_NEAR(b.weakest, 1271.472, 0.01 * 1271.5);
  EXPECT_NEAR(b.strongest, 1271.472, 0.01 * 1271.5);
}

TEST_P(HalfExplicit, an_unstable_step_is_named_with_a_stable_one) {
  // ω_max of N linear elements with consistent mass: 2√3 c₀ N/L = 2√3 · 5188.745 · 50, so dt < 2.225e-6
  const Mechanism system = bar("50", "0", "1");
  for (double dt : {2.1e-6, 2.4e-6, 1e-4}) {
    const auto stepper = GetParam().make(system);
    State state = system.initial();
    state.u[25] *= 1.1;
    int steps = 0;
    while (stepper->diagnosis().empty() && steps < 3000) stepper->step(state, dt), ++steps;
    const std::string why = stepper->diagnosis();
    if (dt < 2.2e-6) {
      EXPECT_EQ(why, "");
    } else {
      EXPECT_NE(why.find("limit 2.22"), std::string::npos) << why;
      EXPECT_NE(why.find("expected dt <= 2e-06 s"), std::string::npos) << why;
      for (double u : state.u) EXPECT_TRUE(std::isfinite(u));
    }
  }
}

}  // namespace
}  // namespace tappet
