// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "support/random_mechanism.h"
#include "tangent/gradient/gradient.h"

// Derivatives of mechanisms with friction against differences of our own event-driven runs, whose parameters differ.
// TAPPET_MECHANISMS=100 runs that many of them instead of the first few.
namespace tappet::test {
namespace {

using Numbers = Eigen::VectorXd;

ModelSource source_of(const RandomMechanism& mechanism) { return {mechanism.text, mechanism.kind, {}}; }

// Positions and velocities at the end of a run in which a parameter has another value.
Numbers run(const RandomMechanism& mechanism, const std::string& parameter, double value) {
  CompiledModel model(source_of(mechanism).with(parameter, value).read());
  Flow flow(model, {}, model.system.initial());
  flow.go_to(mechanism.end);
  const auto &q = flow.state().q, &u = flow.state().u;
  Numbers all(q.size() + u.size());
  all << q.eigen(), u.eigen();
  return all;
}

// The derivative by differences, and how far it may be off: the least deviation between the results of two neighbouring
// steps, by number.
struct Quotients {
  Numbers slope, unsure;
};

Quotients differences(const RandomMechanism& mechanism, const std::string& parameter, double value) {
  const double scale = std::max(std::abs(value), 0.1);
  Quotients best;
  Numbers before;
  for (const double part : {1e-2, 3e-3, 1e-3, 3e-4, 1e-4, 1e-5}) {
    const double h = part * scale;
    Numbers now;
    try {
      const auto central = [&](double step) -> Numbers {
        return (run(mechanism, parameter, value + step) - run(mechanism, parameter, value - step)) / (2 * step);
      };
      now = (4 * central(h / 2) - central(h)) / 3;
    } catch (const std::runtime_error&) {  // a neighbour leads into a place where no motion can be computed
      before.resize(0);
      continue;
    }
    if (before.size() > 0) {
      const Numbers spread = (now - before).cwiseAbs();
      if (best.slope.size() == 0) best = {now, spread};
      for (int i = 0; i < now.size(); ++i)
        if (spread[i] < best.unsure[i]) best.slope[i] = now[i], best.unsure[i] = spread[i];
    }
    before = now;
  }
  return best;
}

struct Tally {
  int compared = 0, named = 0, unsure = 0, wrong = 0, refused = 0;
  double worst = 0;
  std::string report;
};

void compare(std::uint64_t seed, Tally& tally) {
  constexpr double agrees = 1e-5, rounding = 1e-10;  // the second for derivatives that vanish
  constexpr size_t most_directions = 8;              // of each mechanism; its seed says which
  const RandomMechanism mechanism = random_mechanism(seed);
  const System base(source_of(mechanism).read());
  GradientQuestion question;
  for (const char* velocity : {"", "'"})
    for (const std::string& name : base.q_names())
      question.of.push_back({name + velocity, mechanism.end, name + velocity});
  const size_t every = (mechanism.parameters.size() + most_directions - 1) / most_directions;
  for (size_t i = 0; i < mechanism.parameters.size(); ++i)
    if ((i + seed) % every == 0) question.wrt.push_back(mechanism.parameters[i]);
  Gradient found;
  try {
    found = gradient(source_of(mechanism), question);
  } catch (const std::runtime_error& error) {
    ++tally.refused;
    tally.report += fmt::format("seed {} ({}): {}\n", seed, mechanism.kind, error.what());
    return;
  }
  for (size_t d = 0; d < question.wrt.size(); ++d) {
    if (const std::string& trouble = found.rows[0].trouble[d]; !trouble.empty()) {
      ++tally.named;
      tally.report += fmt::format("seed {} ({}): {}: {}\n", seed, mechanism.kind, question.wrt[d], trouble);
      continue;
    }
    double value = 0;
    for (const Parameter& parameter : base.model().parameters)
      if (parameter.name == question.wrt[d]) value = parameter.value;
    const Quotients right = differences(mechanism, question.wrt[d], value);
    if (right.slope.size() == 0) {
      ++tally.unsure;
      continue;
    }
    const double column = right.slope.cwiseAbs().maxCoeff();
    for (size_t i = 0; i < found.rows.size(); ++i) {
      const auto k = static_cast<int>(i);
      const double size = std::max(std::abs(right.slope[k]), 1e-3 * column);
      const double off = std::abs(found.rows[i].slopes[d] - right.slope[k]);
      if (right.unsure[k] > agrees / 2 * size) {
        ++tally.unsure;
      } else {
        ++tally.compared;
        if (size > 0) tally.worst = std::max(tally.worst, (off - rounding) / size);
        if (!(off <= agrees * size + rounding)) {
          ++tally.wrong;
          tally.report += fmt::format("seed {} ({}): d {}/d {} = {:.10g}, by differences {:.10g} ± {:.2g}\n", seed,
                                      mechanism.kind, question.of[i].formula, question.wrt[d], found.rows[i].slopes[d],
                                      right.slope[k], right.unsure[k]);
        }
      }
    }
  }
}

// A disc that bounces between the floor and another disc, so that an impact of one contact interrupts a hop of the
// other.
TEST(EventDriven, methods_agree_on_hops_that_are_interrupted) {
  const RandomMechanism mechanism = random_mechanism(26);
  ASSERT_EQ(mechanism.kind, "discs");
  CompiledModel model(source_of(mechanism).read());
  Flow gauss(model, {}, model.system.initial()), adams(model, {{"method", "adams", {}}}, model.system.initial());
  gauss.go_to(mechanism.end), adams.go_to(mechanism.end);
  for (int i = 0; i < gauss.state().q.size(); ++i) EXPECT_NEAR(gauss.state().q[i], adams.state().q[i], 1e-9);
}

// A cart between a wall and its neighbours: hops whose height is round-off, and slip whose velocity is exactly zero.
TEST(EventDriven, carts_do_not_pass_their_buffers) {
  const RandomMechanism mechanism = random_mechanism(20);
  ASSERT_EQ(mechanism.kind, "train");
  CompiledModel model(source_of(mechanism).read());
  for (const char* method : {"gauss", "adams"}) {
    Flow flow(model, {{"method", method, {}}}, model.system.initial());
    Evaluator evaluate(model.contacts);
    Vec gaps;
    for (int k = 1; k <= 200; ++k) {
      ASSERT_NO_THROW(flow.go_to(k * mechanism.end / 200)) << method;  // a step that does not converge throws
      evaluate.gaps(flow.state().t, flow.state().q, gaps);
      for (const double gap : gaps) EXPECT_GT(gap, -1e-9) << method << " at t = " << flow.state().t;
    }
  }
}

// The same mechanism: the first cart is squeezed between the wall and the second one.
TEST(EventDriven, methods_agree_on_a_cart_that_is_squeezed) {
  const RandomMechanism mechanism = random_mechanism(20);
  CompiledModel model(source_of(mechanism).read());
  Flow gauss(model, {}, model.system.initial()), adams(model, {{"method", "adams", {}}}, model.system.initial());
  gauss.go_to(mechanism.end), adams.go_to(mechanism.end);
  for (int i = 0; i < gauss.state().q.size(); ++i) EXPECT_NEAR(gauss.state().q[i], adams.state().q[i], 1e-8);
}

// A cart between a wall at zero and another cart that comes towards it. The impacts are known one by one: between them
// nothing acts.
TEST(EventDriven, a_cart_is_squeezed_by_infinitely_many_impacts_as_in_the_closed_form) {
  double a = 0.2, u = -0.5, b = 1, v = -1, t = 0;
  const double m = 0.6, M = 1.8, e_wall = 0.37, e = 0.21;
  for (int k = 0; k < 40 && a > 0; ++k) {
    const double wall = u < 0 ? -a / u : INFINITY, buffer = u > v ? (b - a) / (u - v) : INFINITY;
    const double flight = std::min(wall, buffer);
    ASSERT_TRUE(std::isfinite(flight));
    t += flight, a += u * flight, b += v * flight;
    if (flight < 1e-17) break;
    if (wall < buffer) {
      a = 0, u *= -e_wall;
    } else {
      const double impulse = (1 + e) * (u - v) * m * M / (m + M);
      a = b, u -= impulse / m, v += impulse / M;
    }
    if (b < 1e-16) break;
    a = std::max(a, 1e-300);
  }
  CompiledModel model(ModelSource{
      R"(
parameters: {m: 0.6, M: 1.8}
coordinates: {a: {position: 0.2, velocity: -0.5}, b: {position: 1, velocity: -1}}
lagrangian: {kinetic: (m*a'^2 + M*b'^2)/2, potential: 0}
contacts: {wall: {gap: a, e_N: 0.37}, buffer: {gap: b - a, e_N: 0.21}}
)",
      "carts.yaml",
      {}}.read());
  for (const char* method : {"gauss", "adams"}) {
    Flow flow(model, {{"method", method, {}}}, model.system.initial());
    flow.go_to(t - 1e-4);
    EXPECT_GT(flow.state().q[1], 0) << method;
    flow.go_to(t + 0.5);
    for (int i = 0; i < 2; ++i) {
      EXPECT_NEAR(flow.state().q[i], 0, 1e-8) << method;
      EXPECT_NEAR(flow.state().u[i], 0, 1e-8) << method;
    }
  }
}

TEST(Gradient, of_random_mechanisms_with_friction_agrees_with_differences_of_runs) {
  const char* asked = std::getenv("TAPPET_MECHANISMS");
  const int count = asked ? std::atoi(asked) : 14;
  Tally tally;
  for (int seed = 0; seed < count; ++seed) compare(seed, tally);
  fmt::print(
      "{} derivatives compared, worst deviation {:.2g}; {} directions without derivative named; {} differences do "
      "not settle; {} mechanisms refused\n{}",
      tally.compared, tally.worst, tally.named, tally.unsure, tally.refused, asked ? tally.report : "");
  EXPECT_EQ(tally.wrong, 0) << tally.report;
  EXPECT_EQ(tally.refused, 0) << tally.report;
  EXPECT_GT(tally.compared, 20 * count);
  EXPECT_LT(tally.unsure, tally.compared / 20);
}

}  // namespace
}  // namespace tappet::test
