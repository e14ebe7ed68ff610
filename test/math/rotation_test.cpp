// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <tappet/pose.h>

#include <random>

namespace tappet {
namespace {

Vec3d random_vector(std::mt19937& engine, double size) {
  std::uniform_real_distribution<double> x(-size, size);
  return {x(engine), x(engine), x(engine)};
}
double distance(const Mat3d& a, const Mat3d& b) {
  const Mat3d d = a + -1.0 * b;
  return std::sqrt(dot(d.x, d.x) + dot(d.y, d.y) + dot(d.z, d.z));
}
double distance(const Vec3d& a, const Vec3d& b) { return norm(a - b); }

TEST(Rotation, quaternion_matrix_is_a_rotation_whatever_the_norm_and_products_compose) {
  std::mt19937 engine(1);
  for (int k = 0; k < 100; ++k) {
    const Quatd p = exp_map(random_vector(engine, 3.0)), q = exp_map(random_vector(engine, 3.0));
    const Mat3d R = rotation_matrix(p);
    EXPECT_LT(distance(transpose(R) * R, Mat3d::identity()), 1e-15 * 8);
    EXPECT_NEAR(dot(R.x, cross(R.y, R.z)), 1.0, 1e-14);
    EXPECT_LT(distance(rotation_matrix(Quatd{3 * p.w, 3 * p.x, 3 * p.y, 3 * p.z}), R), 1e-14);
    EXPECT_LT(distance(rotation_matrix(p * q), R * rotation_matrix(q)), 1e-14);
  }
}

TEST(Rotation, exponential_turns_about_its_axis_and_the_logarithm_undoes_it) {
  EXPECT_LT(distance(rotation_matrix(exp_map({0, 0, 0.7})), rotation_about_z(0.7)), 1e-15);
  EXPECT_LT(distance(rotation_matrix(axis_angle({0, 0, 5}, 0.7)) * Vec3d{1, 0, 0}, {std::cos(0.7), std::sin(0.7), 0}),
            1e-15);
  std::mt19937 engine(2);
  for (double size : {1e-12, 1e-6, 5e-4, 2e-3, 0.1, 1.7})
    for (int k = 0; k < 20; ++k) {
      const Vec3d w = random_vector(engine, size);
      EXPECT_LT(distance(log_map(exp_map(w)), w), 4e-16 * (1 + norm(w))) << norm(w);
      EXPECT_NEAR(squared_norm(exp_map(w)), 1.0, 4e-16);
    }
}

TEST(Rotation, retraction_keeps_unit_norm_over_a_million_steps) {
  std::mt19937 engine(3);
  Quatd q;
  for (int k = 0; k < 1000000; ++k) q = retract(q, {0.01, 0.02, -0.03});
  EXPECT_NEAR(std::sqrt(squared_norm(q)), 1.0, 1e-15);
}

// exp(w + s d) = exp(w) exp(s J_r d + O(s²)): central difference of log(exp(w)⁻¹ exp(w ± s d)).
TEST(Rotation, right_jacobian_is_the_derivative_of_the_exponential_and_its_inverse_inverts_it) {
  std::mt19937 engine(4);
  for (double size : {1e-9, 1e-3, 0.028, 0.03, 1.0, 3.0})
    for (int k = 0; k < 20; ++k) {
      const Vec3d w = random_vector(engine, size), d = random_vector(engine, 1.0);
      const double s = 1e-3;
      const auto turn = [&](double a) { return log_map(conjugate(exp_map(w)) * exp_map(w + a * d)); };
      const Vec3d slope = (8.0 / (12 * s)) * (turn(s) - turn(-s)) - (1.0 / (12 * s)) * (turn(2 * s) - turn(-2 * s));
      EXPECT_LT(distance(right_jacobian(w) * d, slope), 1e-10) << norm(w);
      EXPECT_LT(distance(right_jacobian(w) * right_jacobian_inverse(w), Mat3d::identity()), 1e-13) << norm(w);
    }
}

TEST(Spatial, normals_are_right_handed_and_exact_in_the_plane_and_along_z) {
  std::mt19937 engine(5);
  for (int k = 0; k < 100; ++k) {
    const Vec3d d = normalized(random_vector(engine, 1.0));
    const auto [a, b] = normals(d);
    EXPECT_LT(distance(cross(a, b), d), 1e-15);
    EXPECT_NEAR(norm(a), 1.0, 1e-15);
  }
  EXPECT_EQ(normals({0, 1, 0})[0], (Vec3d{1, 0, 0}));
  EXPECT_EQ(normals({0, 1, 0})[1], (Vec3d{0, 0, -1}));
  EXPECT_EQ(normals({0, 0, 1})[0], (Vec3d{1, 0, 0}));
  EXPECT_EQ(normals({0, 0, 1})[1], (Vec3d{0, 1, 0}));
  EXPECT_EQ(normals({0.6, 0.8, 0})[1], (Vec3d{0, 0, -1}));
}

TEST(Pose, power_of_a_force_at_a_point_is_force_times_velocity_of_that_point) {
  std::mt19937 engine(6);
  const Pose<double> A = displaced({}, {random_vector(engine, 1), random_vector(engine, 1)});
  const Twist<double> a{random_vector(engine, 1), random_vector(engine, 1)};
  const Vec3d P = random_vector(engine, 1), f = random_vector(engine, 1);
  const Wrench<double> w = wrench_at(A, P, f);
  EXPECT_NEAR(dot(w.f, a.v) + dot(w.m, a.w), dot(f, velocity_at(A, a, P)), 1e-15);
}

}  // namespace
}  // namespace tappet
