// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0

// The public interface as a program sees it: this file includes nothing of the library but tappet/tappet.h.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tappet/tappet.h>

#include <cmath>

#include "support/allocations.h"

namespace tappet {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const char* const ball = R"(
parameters: {m: 2, g: 9.81, e: 0.5}
coordinates: {y: {position: 1, velocity: 0}}
lagrangian: {kinetic: m*y'^2/2, potential: m*g*y}
contacts: {floor: {gap: y, e_N: e}}
run: {scheme: moreau-midpoint, dt: 1e-3, end: 0.7}
)";

// Gravity alone, without contacts: it falls through every floor.
struct Falling final : Stepper {
  explicit Falling(const ContactList& contacts) : evaluate(contacts), M(contacts.system().mass_matrix()) {}
  StepReport step(State& state, double dt) override {
    evaluate.mass_and_forces(state.t, state.q, state.u, M, h);
    M.factor();
    M.solve(h);
    for (int i = 0; i < h.size(); ++i) state.u[i] += dt * h[i];
    for (int i = 0; i < h.size(); ++i) state.q[i] += dt * state.u[i];
    state.t += dt;
    StepReport report;
    report.dt = dt;
    return report;
  }
  Evaluator evaluate;
  BlockMatrix M;
  Vec h{0.0};
};

// Hands every problem to a solver of the library, and counts.
struct Counting final : ContactSolver {
  Counting(const SolverOptions& options, int& solved) : inner(make_solver("auto", options)), solved(solved) {}
  SolveReport solve(const ContactProblem& problem, Vec& P) override {
    ++solved;
    return inner->solve(problem, P);
  }
  std::unique_ptr<ContactSolver> inner;
  int& solved;
};

RunOptions falling(const std::string& name = "falling") {
  RunOptions options{.scheme = name};
  options.stepper = [](const ContactList& contacts, std::unique_ptr<ContactSolver>) {
    return std::make_unique<Falling>(contacts);
  };
  return options;
}

template <class F>
std::string usage_error(F f) try {
  f();
  return "";
} catch (const UsageError& error) {
  return error.what();
}

TEST(PublicModel, knows_what_the_text_says) {
  const Model model = parse_model(ball, "somewhere/ball.yaml", {{"e", 0.25}});
  EXPECT_EQ(model.name(), "ball");
  EXPECT_EQ(model.file(), "somewhere/ball.yaml");
  EXPECT_EQ(model.scheme(), "moreau-midpoint");
  EXPECT_EQ(model.dt(), 1e-3);
  EXPECT_EQ(model.end(), 0.7);
  ASSERT_EQ(model.parameters().size(), 3u);
  EXPECT_EQ(model.parameters()[2].name, "e");
  EXPECT_EQ(model.parameters()[2].value, 0.25);
}

TEST(PublicModel, other_parameters_give_another_model_and_keep_those_that_were_set) {
  const Model model = parse_model(ball, "ball.yaml", {{"e", "1/4"}, {"m", 3.0}});
  const Model other = model.with({{"e", 0.75}});
  EXPECT_EQ(model.parameters()[2].value, 0.25);
  EXPECT_EQ(other.parameters()[2].value, 0.75);
  EXPECT_EQ(other.parameters()[0].value, 3.0);
  EXPECT_THROW(model.with({{"nothing", 1.0}}), ModelError);
}

TEST(PublicModel, an_error_carries_file_line_column_and_key) {
  try {
    parse_model("coordinates:\n  y: {position: 1, velocty: 0}\n", "ball.yaml");
    FAIL();
  } catch (const ModelError& error) {
    EXPECT_EQ(error.file, "ball.yaml");
    EXPECT_EQ(error.place.line, 2);
    EXPECT_EQ(error.place.column, 20);
    EXPECT_THAT(error.key, HasSubstr("velocty"));
    EXPECT_THAT(error.what(), HasSubstr(error.message));
    EXPECT_THAT(error.message, testing::Not(HasSubstr("ball.yaml")));
  }
}

TEST(PublicEvaluator, gives_mass_forces_gaps_and_directions) {
  const System system(parse_model(ball));
  ContactList contacts(system);
  Evaluator evaluate(contacts);
  BlockMatrix M = system.mass_matrix();
  Vec h, gaps, chi;
  BlockRows W;
  evaluate.mass_and_forces(0.0, {1.0}, {0.5}, M, h);
  EXPECT_EQ(M(0, 0), 2.0);
  EXPECT_EQ(h, Vec{-2 * 9.81});
  evaluate.gaps(0.0, {0.25}, gaps);
  EXPECT_EQ(gaps, Vec{0.25});
  evaluate.directions(0.0, {0.25}, {0}, W, chi);
  EXPECT_EQ(W.rows(), 1);
  EXPECT_EQ(W.values(0)[0], 1.0);
  EXPECT_EQ(evaluate.energy(0.0, {1.0}, {3.0}).kinetic, 9.0);
  EXPECT_EQ(contacts.size(), 1);
  EXPECT_EQ(contacts.name(0), "floor");
  EXPECT_EQ(contacts[0].e_N, 0.5);
  EXPECT_EQ(contacts[0].rows, 1);
  Laws laws;
  contacts.laws({0}, laws);
  ASSERT_EQ(laws.size(), 1u);
  EXPECT_EQ(laws[0].kind, Law::Kind::contact);
}

TEST(PublicEvaluator, allocates_nothing_once_it_was_used) {
  const System system(parse_model(ball));
  ContactList contacts(system);
  Evaluator evaluate(contacts);
  BlockMatrix M = system.mass_matrix();
  Vec q = system.initial().q, u = system.initial().u, h, gaps, chi, P{0.0};
  BlockRows W;
  const ContactSet set{0};
  ContactProblem problem;
  const auto evaluate_all = [&] {
    evaluate.mass_and_forces(0.0, q, u, M, h);
    evaluate.gaps(0.0, q, gaps);
    evaluate.directions(0.0, q, set, W, chi);
    M.factor();
    problem.G.assemble(M, W, Delassus::Form::dense);
    contacts.laws(set, problem.laws);
    problem.G.add_velocity(P, u);
  };
  evaluate_all();
  const long before = test::allocations();
  evaluate_all();
  EXPECT_EQ(test::allocations(), before);
  EXPECT_EQ(problem.G.dense()(0, 0), 0.5);
}

TEST(PublicStepper, a_loop_of_a_program_has_the_bits_of_simulate) {
  const Model model = parse_model(ball);
  const System system(model);
  ContactList contacts(system);
  const std::unique_ptr<Stepper> stepper = make_stepper("moreau-midpoint", contacts);
  State state = system.initial();
  for (int k = 0; k < 700; ++k) {
    ASSERT_TRUE(stepper->step(state, 1e-3).converged());
    state.t = 1e-3 * (k + 1);
  }
  const Result result = simulate(model);
  EXPECT_EQ(state.q, result.state.q);
  EXPECT_EQ(state.u, result.state.u);
  EXPECT_EQ(simulate(system).state.q, state.q);
}

TEST(PublicStepper, schemes_are_listed_and_wrong_names_and_options_are_refused) {
  const System system(parse_model(ball));
  ContactList contacts(system);
  EXPECT_GT(schemes().size(), 10u);
  EXPECT_FALSE(schemes()[0].paper.empty());
  EXPECT_THAT(usage_error([&] { make_stepper("moreau-midpiont", contacts); }), HasSubstr("moreau-midpoint"));
  EXPECT_THAT(usage_error([&] { make_stepper("moreau-midpoint", contacts, {{"thetta", "1"}}); }), HasSubstr("thetta"));
}

TEST(PublicSimulate, runs_a_scheme_of_the_program) {
  const Result result = simulate(parse_model(ball), falling());
  EXPECT_TRUE(result.done());
  EXPECT_EQ(result.summary.scheme, "falling");
  EXPECT_EQ(result.t.size(), 701u);
  EXPECT_NEAR(result.state.u[0], -9.81 * 0.7, 1e-9);
  EXPECT_NEAR(result.summary.violation.max, -(1 - 9.81 * 0.49 / 2), 0.01);  // it falls through the floor
}

TEST(PublicSimulate, refuses_schemes_of_the_program_that_cannot_be_run) {
  const Model model = parse_model(ball);
  EXPECT_THAT(usage_error([&] { simulate(model, falling("moreau-jean")); }), HasSubstr("another name"));
  RunOptions nothing = falling();
  nothing.stepper = [](const ContactList&, std::unique_ptr<ContactSolver>) { return nullptr; };
  EXPECT_THAT(usage_error([&] { simulate(model, nothing); }), HasSubstr("no stepper"));
  RunOptions unknown = falling();
  unknown.options = {{"theta", "1"}};
  EXPECT_THAT(usage_error([&] { simulate(model, unknown); }), HasSubstr("theta"));
  const Model balls = parse_model(R"(
bodies: {b: {type: rigid, mass: 1, inertia: [1, 1, 1], position: [0, 0, 2]}}
colliders: {b: {type: sphere, body: b, radius: 0.5}, floor: {type: plane, body: ground, normal: [0, 0, 1]}}
run: {dt: 1e-3, end: 0.01}
)");
  EXPECT_THAT(usage_error([&] { simulate(balls, falling()); }), HasSubstr("follows_found_contacts"));
}

TEST(PublicSimulate, any_scheme_uses_a_solver_of_the_program) {
  int solved = 0;
  RunOptions options;
  options.solver = [&](const SolverOptions& o) { return std::make_unique<Counting>(o, solved); };
  const Model model = parse_model(ball);
  const Result counted = simulate(model, options);
  EXPECT_GT(solved, 0);
  EXPECT_EQ(counted.state.q, simulate(model).state.q);
  options.solver = [](const SolverOptions&) { return nullptr; };
  EXPECT_THAT(usage_error([&] { simulate(model, options); }), HasSubstr("no contact solver"));
}

TEST(PublicSimulate, progress_ends_a_run_and_what_was_computed_is_kept) {
  RunOptions options{.dt = 1e-6};
  long last = 0;
  options.progress = [&](const Progress& progress) {
    EXPECT_EQ(progress.steps, 700000);
    last = progress.step;
    return progress.step < 1000;
  };
  const Result result = simulate(parse_model(ball), options);
  EXPECT_EQ(result.summary.status, RunStatus::interrupted);
  EXPECT_GE(last, 1000);
  EXPECT_EQ(result.summary.steps, last);
  EXPECT_EQ(result.t.size(), static_cast<size_t>(last) + 1);
  EXPECT_EQ(result.q.back(), result.state.q);
}

TEST(PublicSimulate, starts_where_it_is_told) {
  StartState start;
  start.t = 0.0, start.q = {0.5}, start.u = {1.0};
  RunOptions options{.dt = 1e-4, .end = 0.1};
  options.start = start;
  const Result result = simulate(parse_model(ball), options);
  EXPECT_NEAR(result.state.q[0], 0.5 + 0.1 - 9.81 * 0.01 / 2, 1e-6);
  EXPECT_THAT(usage_error([&] { simulate(System(parse_model(ball)), options); }), HasSubstr("start"));
}

TEST(PublicSimulate, a_recorder_of_the_program_gets_every_sample) {
  struct Heights final : Recorder {
    void record(const Sample& sample) override { y.push_back(sample.q[0]), impulse += sample.P_N[0]; }
    std::vector<double> y;
    double impulse = 0.0;
  } heights;
  RunOptions options;
  options.recorders = {&heights};
  const Model model = parse_model(ball);
  const Result result = simulate(model, options);
  ASSERT_EQ(heights.y.size(), result.t.size());
  EXPECT_EQ(heights.y.back(), result.state.q[0]);
  // Momentum: m (u₁ − u₀) = −m g t + ΣP.
  EXPECT_NEAR(heights.impulse, 2 * (result.state.u[0] + 9.81 * 0.7), 1e-9);
  EXPECT_THAT(System(model).layout().q, ElementsAre("y"));
}

}  // namespace
}  // namespace tappet
