// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <Eigen/Dense>

#include "steppers/half_explicit/half_explicit_velocity.h"
#include "steppers/moreau/moreau_explicit.h"
#include "steppers/support.h"

namespace tappet {
namespace {

// Positions of the slider-crank at every `every`-th step over 0.1 s.
std::vector<Eigen::Vector3d> path(const Mechanism& system, Stepper& stepper, double dt, long every) {
  std::vector<Eigen::Vector3d> positions;
  long k = 0;
  test::run(system, stepper, dt, 0.1, [&](const State& s, const StepReport&, const Impulses&) {
    if (++k % every == 0) positions.emplace_back(s.q[0], s.q[1], s.q[2]);
  });
  return positions;
}

// The 2-norm of the matrix of all differences, as the table was made.
double distance(const std::vector<Eigen::Vector3d>& a, const std::vector<Eigen::Vector3d>& b, size_t every) {
  Eigen::Matrix3d gram = Eigen::Matrix3d::Zero();
  for (size_t k = 0; k < a.size(); ++k) {
    const Eigen::Vector3d d = a[k] - b[(k + 1) * every - 1];
    gram += d * d.transpose();
  }
  return std::sqrt(Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(gram).eigenvalues().maxCoeff());
}

// Schindler and Acary 2014, Table 3: μ = 0.01, e = 0.4, against half-explicit-velocity at 1e-7.
TEST(Schindler2014, table_3_comes_out_within_fifteen_per_cent) {
  const Mechanism system(test::shipped("schindler2014/slider_crank", {{"mu", "0.01"}, {"e_N", "0.4"}}));
  HalfExplicitVelocity reference(system, test::solver());
  const auto fine = path(system, reference, 1e-7, 100);  // every 1e-5 s
  for (auto [dt, every, moreau, half_explicit] :
       {std::tuple{1e-3, 100, 0.71, 0.47}, std::tuple{1e-4, 10, 0.15, 0.018}, std::tuple{1e-5, 1, 0.045, 0.0033}}) {
    MoreauExplicit explicit_scheme(system, test::solver());
    HalfExplicitVelocity scheme(system, test::solver());
    EXPECT_NEAR(distance(path(system, explicit_scheme, dt, 1), fine, every), moreau, 0.15 * moreau) << dt;
    EXPECT_NEAR(distance(path(system, scheme, dt, 1), fine, every), half_explicit, 0.15 * half_explicit) << dt;
  }
}

// Table 2, dt = 1e-4: the "bilateral" mechanism is the slider without clearance, its four contacts kept.
TEST(Schindler2014, table_2_comes_out_within_fifteen_per_cent) {
  const Mechanism system(test::shipped("schindler2014/slider_crank", {{"mu", "0"}, {"c", "0"}}));
  HalfExplicitVelocity reference(system, test::solver()), scheme(system, test::solver());
  MoreauExplicit explicit_scheme(system, test::solver());
  const auto fine = path(system, reference, 1e-7, 1000);
  EXPECT_NEAR(distance(path(system, explicit_scheme, 1e-4, 1), fine, 1), 0.21, 0.15 * 0.21);
  EXPECT_NEAR(distance(path(system, scheme, 1e-4, 1), fine, 1), 0.024, 0.15 * 0.024);
}

}  // namespace
}  // namespace tappet
