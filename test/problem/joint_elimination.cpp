// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "problem/joints/joint_elimination.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <numeric>
#include <random>

#include "math/block_matrix.h"
#include "support/allocations.h"

namespace tappet {
namespace {

struct Joint {
  int A, B;  // bodies; −1 is the ground
  int rows;
};

// Bodies with 1 to 6 velocities and joints between them, with random numbers.
class Mechanism {
 public:
  Mechanism(std::vector<int> sizes, std::vector<Joint> joints, unsigned seed)
      : sizes_(std::move(sizes)), joints_(std::move(joints)), random_(seed) {
    for (int size : sizes_) first_.push_back(size_), size_ += size;
    Coupling coupling(size_);
    for (size_t b = 0; b < sizes_.size(); ++b) coupling.tie(columns(static_cast<int>(b)));
    M_ = BlockMatrix(coupling, BlockMatrix::Kind::symmetric_positive);
    for (size_t b = 0; b < sizes_.size(); ++b) add_mass(static_cast<int>(b));
    M_.factor();
    fill(W_0_), fill(W_1_);
  }

  // Joint k has the directions of joint 0 as its last row, times a factor.
  void repeat_row(int k) {
    for (BlockRows* W : {&W_0_, &W_1_}) {
      const auto& b = W->block(k);
      for (int c = 0; c < b.columns; ++c) W->values(k)[(b.rows - 1) * b.columns + c] = -2.5 * W->values(0)[c];
    }
  }
  void act_along_judged_directions() { W_0_ = W_1_; }
  void make_diagonal() {  // as between planar bodies
    Coupling coupling(size_);
    for (size_t b = 0; b < sizes_.size(); ++b) coupling.tie(columns(static_cast<int>(b)));
    M_ = BlockMatrix(coupling, BlockMatrix::Kind::symmetric_positive);
    for (int i = 0; i < size_; ++i) M_.add(i, i, 2.0 + std::abs(number()) * 5.0);
    M_.factor();
  }

  const BlockMatrix& M() const { return M_; }
  const BlockRows& W_0() const { return W_0_; }
  const BlockRows& W_1() const { return W_1_; }
  int joints() const { return static_cast<int>(joints_.size()); }
  int size() const { return size_; }
  double number() { return std::uniform_real_distribution<>(-1, 1)(random_); }

  Eigen::MatrixXd dense(const BlockRows& W) const {
    Eigen::MatrixXd all = Eigen::MatrixXd::Zero(W.rows(), size_);
    for (int k = 0; k < W.blocks(); ++k)
      for (int r = 0; r < W.block(k).rows; ++r)
        for (int c = 0; c < W.block(k).columns; ++c)
          all(W.block(k).row + r, W.columns(k)[c]) += W.values(k)[r * W.block(k).columns + c];
    return all;
  }
  Eigen::MatrixXd dense_mass() const {
    Eigen::MatrixXd all(size_, size_);
    for (int i = 0; i < size_; ++i)
      for (int j = 0; j < size_; ++j) all(i, j) = M_(i, j);
    return all;
  }
  Eigen::MatrixXd schur() const { return dense(W_1_) * dense_mass().inverse() * dense(W_0_).transpose(); }

 private:
  std::vector<int> columns(int body) const {
    std::vector<int> list(body < 0 ? 0 : sizes_[body]);
    std::iota(list.begin(), list.end(), body < 0 ? 0 : first_[body]);
    return list;
  }
  void add_mass(int body) {
    const int n = sizes_[body];
    const bool diagonal = body % 2 == 0;  // as a body with its axes
    for (int i = 0; i < n; ++i)
      for (int j = 0; j <= i; ++j) {
        const double value = i == j ? 2.0 + std::abs(number()) * 5.0 : diagonal ? 0.0 : 0.2 * number();
        M_.add(first_[body] + i, first_[body] + j, value);
        if (i != j) M_.add(first_[body] + j, first_[body] + i, value);
      }
  }
  // W_1 is W_0 a little later.
  void fill(BlockRows& W) {
    const bool first = &W == &W_0_;
    for (size_t k = 0; k < joints_.size(); ++k) {
      std::vector<int> both = columns(joints_[k].A);
      for (int column : columns(joints_[k].B)) both.push_back(column);
      double* values = W.append(joints_[k].rows, both);
      for (size_t i = 0; i < joints_[k].rows * both.size(); ++i)
        values[i] = first ? number() : W_0_.values(static_cast<int>(k))[i] + 1e-2 * number();
    }
  }

  std::vector<int> sizes_, first_;
  std::vector<Joint> joints_;
  std::mt19937 random_;
  int size_ = 0;
  BlockMatrix M_;
  BlockRows W_0_, W_1_;
};

// The impulses agree with those of a dense solver, and the joints hold.
void expect_solved(Mechanism& mechanism, JointElimination& joints, bool stays) {
  ASSERT_TRUE(joints.respond(mechanism.M(), mechanism.W_0(), mechanism.joints(), stays));
  ASSERT_TRUE(joints.factor(mechanism.W_1()));
  const int rows = mechanism.W_1().rows();
  Vec c(rows), P(rows);
  for (double& x : c) x = mechanism.number();
  const double e = joints.solve(mechanism.W_1(), c, P);
  const Eigen::MatrixXd S = mechanism.schur();
  const Eigen::VectorXd expected = -S.fullPivLu().solve(c.eigen());
  const double condition = S.norm() * S.inverse().norm();
  EXPECT_LE(e, 1e-15 * condition);
  EXPECT_LE((P.eigen() - expected).norm(), 1e-12 * condition * expected.norm()) << "condition " << condition;
  const Eigen::VectorXd velocity =
      mechanism.dense_mass().inverse() * mechanism.dense(mechanism.W_0()).transpose() * expected;
  EXPECT_LE((joints.velocity().eigen() - velocity).norm(), 1e-12 * condition * velocity.norm());

  // four velocities side by side
  constexpr int lanes = sizeof(Four) / sizeof(double);
  Vec v(lanes * mechanism.size()), x(lanes * rows);
  for (double& number : v) number = mechanism.number();
  const Vec v_before = v;
  joints.resist(mechanism.W_1(), reinterpret_cast<Four*>(v.data()), reinterpret_cast<Four*>(x.data()));
  for (int k = 0; k < lanes; ++k) {
    const auto lane = [&](const Vec& numbers) {
      Eigen::VectorXd own(numbers.size() / lanes);
      for (int i = 0; i < own.size(); ++i) own[i] = numbers[lanes * i + k];
      return own;
    };
    const Eigen::VectorXd resisted = S.fullPivLu().solve(mechanism.dense(mechanism.W_1()) * lane(v_before));
    EXPECT_LE((lane(x) - resisted).norm(), 1e-12 * condition * resisted.norm());
    const Eigen::VectorXd left = mechanism.dense(mechanism.W_1()) * lane(v);
    EXPECT_LE(left.norm(), 1e-12 * condition * lane(v_before).norm());
  }
}

void expect_solved(Mechanism& mechanism) {
  JointElimination joints;
  expect_solved(mechanism, joints, false);
}

std::vector<int> mixed_bodies(int count, std::mt19937& random) {
  constexpr int kinds[] = {3, 3, 6, 2, 1, 6};  // planar bodies and points in space, rigid bodies, points, coordinates
  std::vector<int> sizes;
  for (int b = 0; b < count; ++b) sizes.push_back(kinds[random() % 6]);
  return sizes;
}

// At most as many rows as keep the joints independent: a share of the velocities of the younger body.
int rows_of(int size, std::mt19937& random) { return 1 + static_cast<int>(random() % ((size + 1) / 2)); }

TEST(JointElimination, Chain) {
  for (int links : {1, 2, 7, 40}) {
    std::vector<Joint> joints;
    for (int b = 0; b < links; ++b) joints.push_back({b - 1, b, 2});
    Mechanism mechanism(std::vector<int>(links, 3), joints, links);
    expect_solved(mechanism);
  }
}

TEST(JointElimination, RandomTreesOfMixedBodies) {
  for (unsigned seed = 0; seed < 60; ++seed) {
    std::mt19937 random(seed);
    const int count = 2 + static_cast<int>(random() % 30);
    const auto sizes = mixed_bodies(count, random);
    std::vector<Joint> joints;
    for (int b = 0; b < count; ++b)
      joints.push_back({static_cast<int>(random() % (b + 1)) - 1, b, rows_of(sizes[b], random)});
    std::shuffle(joints.begin(), joints.end(), random);
    Mechanism mechanism(sizes, joints, seed);
    expect_solved(mechanism);
  }
}

TEST(JointElimination, RandomLoopsAndGroundAttachments) {
  for (unsigned seed = 0; seed < 60; ++seed) {
    std::mt19937 random(seed + 1000);
    const int count = 3 + static_cast<int>(random() % 25);
    const std::vector<int> sizes(count, seed % 2 ? 6 : 3);
    std::vector<Joint> joints;
    for (int b = 0; b < count; ++b) joints.push_back({b - 1, b, 1});
    for (int extra = 0; extra < count / 2; ++extra) {
      const int A = static_cast<int>(random() % count), B = static_cast<int>(random() % count);
      joints.push_back({A == B ? -1 : A, B, 1});
    }
    Mechanism mechanism(sizes, joints, seed);
    if (seed % 3 == 0) mechanism.act_along_judged_directions();
    expect_solved(mechanism);
  }
}

// If M̂ stays, it is asked for its reciprocals once. Later directions W₀ are answered with them.
TEST(JointElimination, AMatrixThatStaysIsAskedOnce) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    std::mt19937 random(seed);
    const int count = 2 + static_cast<int>(random() % 10);
    const auto sizes = mixed_bodies(count, random);
    std::vector<Joint> joints;
    for (int b = 0; b < count; ++b)
      joints.push_back({static_cast<int>(random() % (b + 1)) - 1, b, rows_of(sizes[b], random)});
    Mechanism mechanism(sizes, joints, seed);
    if (seed % 2 == 0) mechanism.make_diagonal();
    const bool diagonal = mechanism.dense_mass().isDiagonal(0.0);
    JointElimination elimination;
    expect_solved(mechanism, elimination, true);
    ASSERT_EQ(elimination.reciprocals().size(), diagonal ? mechanism.size() : 0) << seed;
    for (size_t i = 0; i < elimination.reciprocals().size(); ++i)
      EXPECT_NEAR(elimination.reciprocals()[i] * mechanism.M()(static_cast<int>(i), static_cast<int>(i)), 1.0, 1e-15);
    mechanism.act_along_judged_directions();
    expect_solved(mechanism, elimination, true);
    expect_solved(mechanism, elimination, false);
    EXPECT_TRUE(elimination.reciprocals().empty());
  }
}

// A body with many joints is a hub. The cost of a star must stay linear in the number of its arms.
TEST(JointElimination, StarsAndGroundedHubs) {
  for (int arms : {12, 13, 30, 200}) {
    std::vector<Joint> joints{{-1, 0, 2}};
    std::vector<int> sizes{6};
    for (int b = 1; b <= arms; ++b) sizes.push_back(3), joints.push_back({0, b, 2});
    Mechanism mechanism(sizes, joints, arms);
    expect_solved(mechanism);
  }
}

TEST(JointElimination, CoordinatesThatShareABlockOfTheMatrix) {
  // Coordinates of formulas share one dense block of M̂, and joints act on some of them.
  for (unsigned seed = 0; seed < 10; ++seed) {
    Coupling coupling(8);
    coupling.tie(std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7});
    BlockMatrix M(coupling, BlockMatrix::Kind::symmetric_positive);
    std::mt19937 random(seed);
    std::uniform_real_distribution<> number(-1, 1);
    Eigen::MatrixXd A(8, 8);
    for (double& x : A.reshaped()) x = number(random);
    A = A * A.transpose() + Eigen::MatrixXd::Identity(8, 8);
    for (int i = 0; i < 8; ++i)
      for (int j = 0; j < 8; ++j) M.add(i, j, A(i, j));
    M.factor();
    BlockRows W;
    Eigen::MatrixXd dense = Eigen::MatrixXd::Zero(4, 8);
    const auto append = [&](std::vector<int> columns, int rows) {
      const int row = W.rows();
      double* values = W.append(rows, columns);
      for (int r = 0; r < rows; ++r)
        for (int column : columns) dense(row + r, column) += * values++ = number(random);
    };
    append({5, 1}, 1), append({7, 0, 3}, 2), append({2}, 1);
    JointElimination joints;
    ASSERT_TRUE(joints.respond(M, W, 3));
    ASSERT_TRUE(joints.factor(W));
    Vec c{1, -2, 3, 0.5}, P(4);
    EXPECT_LE(joints.solve(W, c, P), 1e-13);
    const Eigen::MatrixXd S = dense * A.inverse() * dense.transpose();
    const Eigen::VectorXd expected = -S.fullPivLu().solve(c.eigen());
    EXPECT_LE((P.eigen() - expected).norm(), 1e-12 * S.norm() * S.inverse().norm() * expected.norm());
  }
}

TEST(JointElimination, SaysIfJointsDependOnEachOther) {
  for (unsigned seed = 0; seed < 30; ++seed) {
    Mechanism mechanism({3, 3, 6, 3}, {{-1, 0, 2}, {0, 1, 2}, {1, 2, 2}, {2, 3, 1}, {-1, 0, 1}}, seed);
    mechanism.repeat_row(4);
    const bool stays = seed % 2 == 0;
    if (stays) mechanism.make_diagonal();
    JointElimination joints;
    ASSERT_TRUE(joints.respond(mechanism.M(), mechanism.W_0(), mechanism.joints(), stays));
    EXPECT_FALSE(joints.factor(mechanism.W_1())) << seed;
  }
}

TEST(JointElimination, MoreRowsThanVelocitiesDependOnEachOther) {
  Mechanism mechanism({3, 3}, {{-1, 0, 2}, {0, 1, 3}, {-1, 1, 2}}, 1);
  JointElimination joints;
  ASSERT_TRUE(joints.respond(mechanism.M(), mechanism.W_0(), mechanism.joints()));
  EXPECT_FALSE(joints.factor(mechanism.W_1()));
}

TEST(JointElimination, AJointThatActsOnNothingIsDependent) {
  Mechanism mechanism({3}, {{-1, 0, 2}, {-1, -1, 1}}, 1);
  JointElimination joints;
  ASSERT_TRUE(joints.respond(mechanism.M(), mechanism.W_0(), mechanism.joints()));
  EXPECT_FALSE(joints.factor(mechanism.W_1()));
}

TEST(JointElimination, AllocatesOnlyOnce) {
  std::vector<Joint> joints;
  for (int b = 0; b < 20; ++b) joints.push_back({b - 1, b, 2});
  joints.push_back({-1, 19, 1});
  Mechanism mechanism(std::vector<int>(20, 3), joints, 1);
  JointElimination elimination;
  Vec c(41, 1.0), P(41);
  const auto solve = [&] {
    elimination.respond(mechanism.M(), mechanism.W_0(), mechanism.joints());
    elimination.factor(mechanism.W_1());
    elimination.solve(mechanism.W_1(), c, P);
  };
  solve();
  const long before = test::allocations();
  solve();
  EXPECT_EQ(test::allocations(), before);
}

}  // namespace
}  // namespace tappet
