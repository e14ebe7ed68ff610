// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <unistd.h>

#include <Eigen/QR>
#include <cmath>
#include <filesystem>

#include "problem/fclib.h"
#include "problem/generator/generator.h"
#include "problem/generator/polyhedron.h"

namespace tappet {

using Vector = Polyhedron::Vector;

Eigen::MatrixXd full(const Delassus& G) {
  Eigen::MatrixXd A(G.size(), G.size());
  Vec unit(G.size()), column(G.size());
  for (int j = 0; j < G.size(); ++j) {
    unit[j] = 1.0;
    G.multiply(unit, column);
    unit[j] = 0.0;
    for (int i = 0; i < G.size(); ++i) A(i, j) = column[i];
  }
  return A;
}

TEST(polyhedron, a_box_has_the_mass_of_a_box) {
  const Polyhedron box({1, 2, 3}, {3, 3, 6}, 7);
  const auto mass = box.mass();
  EXPECT_NEAR(mass.volume, 6.0, 1e-12);
  EXPECT_NEAR((mass.centre - Vector(2.0, 2.5, 4.5)).norm(), 0.0, 1e-12);
  const Eigen::Matrix3d expected = Vector(0.5 * (1 + 9), 0.5 * (4 + 9), 0.5 * (4 + 1)).asDiagonal();  // m/12 = 1/2
  EXPECT_NEAR((mass.inertia - expected).norm(), 0.0, 1e-12);
}

TEST(polyhedron, a_corner_cut_off_is_a_tetrahedron_less) {
  Polyhedron cube({0, 0, 0}, {1, 1, 1}, 0);
  const Vector normal = Vector(1, 1, 1).normalized();
  cube.cut(-normal, -1.0 / std::sqrt(3.0), 5);  // keeps x + y + z ≥ 1; the corner at 0 has the volume 1/6
  EXPECT_NEAR(cube.mass().volume, 5.0 / 6.0, 1e-12);
  EXPECT_NEAR((cube.mass().centre - Vector::Constant((0.5 - 0.25 / 6.0) * 6.0 / 5.0)).norm(), 0.0, 1e-12);
  ASSERT_EQ(cube.faces().size(), 7u);
  EXPECT_EQ(cube.faces().back().label, 5);
  EXPECT_EQ(cube.faces().back().corners.size(), 3u);
  cube.cut(normal, 10.0, 6);  // far away
  EXPECT_EQ(cube.faces().size(), 7u);
}

TEST(rocks, the_operator_is_unsymmetric_and_of_the_rank_of_the_bodies) {
  for (unsigned seed : {1, 2}) {
    constexpr int rocks = 20;
    const ContactProblem problem = generate_problem("rocks", 0.8, seed, rocks);
    const Eigen::MatrixXd G = full(problem.G);
    EXPECT_NEAR((G - G.transpose()).cwiseAbs().maxCoeff() / G.cwiseAbs().maxCoeff(), 0.003, 1e-5);
    Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(G);
    qr.setThreshold(1e-10);
    EXPECT_GT(problem.size(), 6 * rocks);
    EXPECT_LE(qr.rank(), 6 * rocks);
    EXPECT_GT(qr.rank(), 3 * rocks);
    for (const Law& law : problem.laws) EXPECT_EQ(law.mu, 0.8);
  }
}

TEST(rocks, boulders_have_an_operator_of_lower_rank_that_is_less_symmetric) {
  for (unsigned seed : {1, 2}) {
    const ContactProblem rocks = generate_problem("rocks", 0.8, seed, 20);
    const ContactProblem boulders = generate_problem("boulders", 0.8, seed, 20);
    const Eigen::MatrixXd G = full(boulders.G);
    EXPECT_NEAR((G - G.transpose()).cwiseAbs().maxCoeff() / G.cwiseAbs().maxCoeff(), 0.03, 1e-3);
    EXPECT_GT(boulders.size(), 3 * rocks.size() / 2);  // with as many bodies, to whose velocities the rank is limited
  }
}

// What a file says is what is solved and judged: nothing is made symmetric on the way.
TEST(fclib, an_unsymmetric_operator_stays_as_it_is) {
  const std::string name = "tappet_rocks_" + std::to_string(getpid()) + ".hdf5";
  const std::string path = (std::filesystem::temp_directory_path() / name).string();
  FreeMotion motion;
  const ContactProblem problem = generate_problem("rocks", 1.0, 3, 20, motion);
  const Eigen::MatrixXd G = full(problem.G);
  for (const FreeMotion* bodies : {static_cast<const FreeMotion*>(nullptr), static_cast<const FreeMotion*>(&motion)}) {
    write_fclib(path, problem, "title", "description", bodies);
    const ContactProblem back = read_fclib(path);
    std::filesystem::remove(path);
    EXPECT_EQ(back.G.has_factors(), bodies != nullptr);
    EXPECT_LE((full(back.G) - G).cwiseAbs().maxCoeff(), 1e-12 * G.cwiseAbs().maxCoeff());
  }
}

}  // namespace tappet
