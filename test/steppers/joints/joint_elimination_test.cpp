// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
// Joints are eliminated before the contact solver is asked, unless they depend on each other or on the contacts.
#include <fmt/format.h>

#include "steppers/ggl/ggl_unified.h"
#include "steppers/half_explicit/half_explicit_acceleration.h"
#include "steppers/half_explicit/half_explicit_velocity.h"
#include "steppers/moreau/moreau_explicit.h"
#include "steppers/moreau/moreau_jean.h"
#include "steppers/moreau/moreau_midpoint.h"
#include "steppers/projection/combined_projection.h"
#include "steppers/projection/direct_projection.h"
#include "steppers/support.h"

namespace tappet {
namespace {

struct Calls {
  int all = 0, with_joints = 0;
};

// The solver `auto`, which counts what it is asked.
class Counting final : public ContactSolver {
 public:
  explicit Counting(Calls& calls) : calls_(calls), solver_(test::solver()) {}
  SolveReport solve(const ContactProblem& problem, Vec& P) override {
    ++calls_.all;
    const auto is_joint = [](const Law& law) { return law.kind == Law::Kind::bilateral; };
    calls_.with_joints += std::any_of(problem.laws.begin(), problem.laws.end(), is_joint);
    return solver_->solve(problem, P);
  }
  Delassus::Form form(int rows, int velocities) const override { return solver_->form(rows, velocities); }

 private:
  Calls& calls_;
  std::unique_ptr<ContactSolver> solver_;
};

using Make = std::function<std::unique_ptr<Stepper>(const Mechanism&, std::unique_ptr<ContactSolver>)>;
struct Case {
  std::string name;
  Make make;
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

template <class Scheme>
Case scheme(const std::string& name, const typename Scheme::Options& options = {}) {
  return {name, [=](const Mechanism& system, std::unique_ptr<ContactSolver> solver) {
            return std::make_unique<Scheme>(system, std::move(solver), options);
          }};
}

class Eliminated : public testing::TestWithParam<Case> {};

TEST_P(Eliminated, without_contacts_no_contact_solver_is_called) {
  const Mechanism system(test::shipped("schoeder2013/slider_crank_bilateral_bodies"));
  Calls calls;
  const auto stepper = GetParam().make(system, std::make_unique<Counting>(calls));
  const auto result = test::run(system, *stepper, 1e-4, 0.02);
  EXPECT_EQ(result.unconverged, 0);
  EXPECT_EQ(calls.all, 0);
}

// A pendulum from rest at the horizontal. Its pin is there twice, so the joints depend on each other. The motion is
// that of one pin, and by symmetry the shortest impulses share the load equally.
TEST_P(Eliminated, dependent_joints_share_the_load) {
  const char* pendulum = R"yaml(
bodies: {{arm: {{type: planar, mass: 1, inertia: 0.1, position: [1, 0]}}}}
joints:
  pin: {{type: revolute, bodies: [ground, arm], at: [0, 0]}}
{}
forces: {{gravity: {{type: gravity, acceleration: [0, -9.81]}}}}
run: {{dt: 1e-3, end: 0.1}}
)yaml";
  const Mechanism one(parse_model(fmt::format(fmt::runtime(pendulum), ""), "one.yaml"));
  const Mechanism two(parse_model(
      fmt::format(fmt::runtime(pendulum), "  again: {type: revolute, bodies: [ground, arm], at: [0, 0]}"), "two.yaml"));
  Calls calls_one, calls_two;
  const auto single = GetParam().make(one, std::make_unique<Counting>(calls_one));
  const auto twice = GetParam().make(two, std::make_unique<Counting>(calls_two));
  const auto expected = test::run(one, *single, 1e-3, 0.1), found = test::run(two, *twice, 1e-3, 0.1);
  EXPECT_EQ(found.unconverged, 0);
  EXPECT_EQ(calls_one.all, 0);
  EXPECT_GT(calls_two.with_joints, 0);
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(found.state.q[i], expected.state.q[i], 1e-10);
  for (int r = 0; r < 2; ++r) {
    EXPECT_NEAR(twice->impulses().P[r], single->impulses().P[r] / 2, 1e-9);
    EXPECT_NEAR(twice->impulses().P[2 + r], single->impulses().P[r] / 2, 1e-9);
  }
}

TEST_P(Eliminated, allocates_no_memory) {
  const Mechanism system(test::shipped("schoeder2013/slider_crank_bilateral_bodies"));
  const auto stepper = GetParam().make(system, test::solver());
  test::expect_no_allocation(system, *stepper, 1e-4, 20, 100);
}

INSTANTIATE_TEST_SUITE_P(Schemes, Eliminated,
                         testing::Values(scheme<HalfExplicitVelocity>("half_explicit_velocity"),
                                         scheme<HalfExplicitAcceleration>("half_explicit_acceleration"),
                                         scheme<MoreauExplicit>("moreau_explicit"),
                                         scheme<MoreauMidpoint>("moreau_midpoint"), scheme<MoreauJean>("moreau_jean"),
                                         scheme<DirectProjection>("direct_projection"),
                                         scheme<CombinedProjection>("combined_projection"),
                                         scheme<GglUnified>("ggl_unified", {.joint_level = "position"})),
                         [](const auto& info) { return info.param.name; });

// The slider of the slider-crank hits its slot, rebounds and slides.
TEST(EliminatedBesideContacts, the_solver_sees_contacts_only) {
  const Mechanism system(test::shipped("schindler2014/slider_crank_bodies"));
  for (const Case& c : {scheme<HalfExplicitVelocity>("half_explicit_velocity"),
                        scheme<MoreauMidpoint>("moreau_midpoint"), scheme<MoreauJean>("moreau_jean")}) {
    Calls calls;
    const auto stepper = c.make(system, std::make_unique<Counting>(calls));
    const auto result = test::run(system, *stepper, 1e-4, 0.1);
    EXPECT_EQ(result.unconverged, 0) << c.name;
    EXPECT_GT(calls.all, 100) << c.name;
    EXPECT_LT(calls.with_joints, calls.all / 20) << c.name;
  }
}

// The joint carries the block, and so does the floor. Their shares are not unique, and nothing may move.
TEST(EliminatedBesideContacts, a_contact_that_a_joint_blocks_is_left_to_the_solver) {
  const Mechanism system(parse_model(R"yaml(
bodies: {block: {type: planar, mass: 2, inertia: 0.1, position: [0, 0], velocity: [1, 0]}}
joints: {slot: {type: prismatic, bodies: [ground, block], at: [0, 0], axis: [1, 0]}}
contacts: {floor: {type: point-plane, bodies: [block, ground], at: [0, 0], normal: [0, 1], mu: 0.2}}
forces: {gravity: {type: gravity, acceleration: [0, -9.81]}}
run: {dt: 1e-3, end: 0.1}
)yaml",
                                     "slot.yaml"));
  Calls calls;
  MoreauMidpoint stepper(system, std::make_unique<Counting>(calls));
  const auto result = test::run(system, stepper, 1e-3, 0.1);
  EXPECT_EQ(result.unconverged, 0);
  EXPECT_EQ(calls.with_joints, calls.all);
  EXPECT_NEAR(result.state.q[1], 0.0, 1e-12);
  EXPECT_NEAR(result.state.q[2], 0.0, 1e-12);
  EXPECT_LE(result.state.u[0], 1.0);
  EXPECT_GE(result.state.u[0], 1.0 - 0.2 * 9.81 * 0.1 - 1e-12);  // at most the whole weight presses on the floor
}

// Two blocks on a floor, welded together, of which each slides on one point. The joint shares the friction between them
// in many ways, as a rigid body with two points does. That is a matter of the contacts, and both blocks slow down by mu
// g.
TEST(EliminatedBesideContacts, contacts_that_depend_on_each_other_through_a_joint_are_solved_without_it) {
  const Mechanism system(parse_model(R"yaml(
bodies:
  left: {type: planar, mass: 2, inertia: 0.1, position: [0, 0], velocity: [1, 0]}
  right: {type: planar, mass: 2, inertia: 0.1, position: [1, 0], velocity: [1, 0]}
joints: {weld: {type: fixed, bodies: [left, right], at: [0.5, 0]}}
contacts:
  rear: {type: point-plane, bodies: [left, ground], at: [0, 0], normal: [0, 1], mu: 0.2}
  front: {type: point-plane, bodies: [right, ground], at: [0, 0], normal: [0, 1], mu: 0.2}
forces: {gravity: {type: gravity, acceleration: [0, -9.81]}}
run: {dt: 1e-3, end: 0.1}
)yaml",
                                     "welded.yaml"));
  Calls calls;
  MoreauMidpoint stepper(system, std::make_unique<Counting>(calls));
  const auto result = test::run(system, stepper, 1e-3, 0.1);
  EXPECT_EQ(result.unconverged, 0);
  EXPECT_GT(calls.all, 0);
  EXPECT_EQ(calls.with_joints, 0);
  for (int body : {0, 1}) {
    EXPECT_NEAR(result.state.u[3 * body], 1.0 - 0.2 * 9.81 * 0.1, 1e-9);
    EXPECT_NEAR(result.state.u[3 * body + 1], 0.0, 1e-12);
  }
}

}  // namespace
}  // namespace tappet
