// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "problem/joints/bordered_elimination.h"

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

// Bodies, joints and the iteration matrix of an implicit scheme, with random numbers. M̂ couples the bodies of a joint.
class Mechanism {
 public:
  Mechanism(const std::vector<int>& sizes, const std::vector<Joint>& joints, unsigned seed)
      : sizes_(sizes), random_(seed) {
    for (int body_size : sizes) first_.push_back(size_), size_ += body_size;
    Coupling bodies(size_);
    Coupling& all = all_ = Coupling(size_);
    for (int b = 0; b < static_cast<int>(sizes.size()); ++b) bodies.tie(columns(b, -1)), all.tie(columns(b, -1));
    for (const Joint& joint : joints) all.tie(columns(joint.A, joint.B));
    mass_ = BlockMatrix(bodies, BlockMatrix::Kind::symmetric_positive);
    M_hat_ = BlockMatrix(all, BlockMatrix::Kind::general);
    for (int i = 0; i < size_; ++i) M_hat_.add(i, i, 3.0);
    for (const auto& [i, j] : all.pairs()) M_hat_.add(i, j, 0.1 * number()), M_hat_.add(j, i, 0.1 * number());
    for (const Joint& joint : joints) {
      const auto both = columns(joint.A, joint.B);
      const size_t count = joint.rows * both.size();
      double* values[] = {W_.append(joint.rows, both), L_u_.append(joint.rows, both), L_q_.append(joint.rows, both)};
      for (size_t i = 0; i < count; ++i) {
        values[0][i] = number();
        values[1][i] = 0.3 * values[0][i] + 0.01 * number(), values[2][i] = 7.0 * values[0][i] + 0.1 * number();
      }
    }
    suitable_ = elimination_.analyse({.bodies = mass_, .coupling = all, .joints = W_, .terms = {{0, 0, &M_hat_}}});
  }

  double number() { return std::uniform_real_distribution<>(-1, 1)(random_); }
  void repeat_first_row_in(int k) {
    for (BlockRows* rows : {&W_, &L_u_, &L_q_})
      for (int c = 0; c < rows->block(k).columns; ++c) rows->values(k)[c] = 2 * rows->values(0)[c];
  }
  bool factor() {
    const double one[] = {1.0};
    const BorderedElimination::JointTerm act[] = {{0, 0, &W_}}, judge[] = {{0, 0, &L_u_}, {0, 0, &L_q_, 0.1}};
    return suitable_ && elimination_.factor(one, act, judge);
  }

  // Velocities and positions with their impulses and multipliers, as the GGL schemes have them. Some joints are held on
  // the first level only, and some of these share their impulses with the second.
  void expect_both_levels_solved() {
    std::vector<unsigned> levels;
    for (int k = 0; k < W_.blocks(); ++k) levels.push_back(k % 3 == 2 ? 1 : 3);
    BorderedElimination both;
    ASSERT_TRUE(both.analyse({.bodies = mass_,
                              .coupling = all_,
                              .joints = W_,
                              .levels = 2,
                              .held = levels,
                              .terms = {{0, 0, &M_hat_}, {0, 1, &M_hat_}, {1, 0, nullptr}, {1, 1, nullptr}}}));
    const double factors[] = {1.0, 0.2, -0.1, 1.0};
    const BorderedElimination::JointTerm act[] = {{0, 0, &W_}, {1, 1, &W_}, {1, 0, &W_, 0.3, 1}},
                                         judge[] = {{0, 0, &L_u_}, {0, 1, &L_q_, 0.1}, {1, 1, &W_}};
    ASSERT_TRUE(both.factor(factors, act, judge));
    const int rows = W_.rows(), n = size_;
    const Eigen::MatrixXd W = dense(W_), L_u = dense(L_u_), L_q = dense(L_q_);
    Eigen::MatrixXd M(n, n), K = Eigen::MatrixXd::Zero(2 * (n + rows), 2 * (n + rows));
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) M(i, j) = M_hat_(i, j);
    K.block(0, 0, n, n) = M, K.block(0, n, n, n) = 0.2 * M;
    K.block(n, 0, n, n) = -0.1 * Eigen::MatrixXd::Identity(n, n), K.block(n, n, n, n).setIdentity();
    Vec f(2 * n), d(2 * rows), y(2 * n), P(2 * rows);
    for (double& x : f) x = number();
    for (double& x : d) x = number();
    for (int k = 0; k < W_.blocks(); ++k)
      for (int r = W_.block(k).row; r < W_.block(k).row + W_.block(k).rows; ++r) {
        const int P_0 = 2 * n + r, P_1 = 2 * n + rows + r;
        K.block(0, P_0, n, 1) = -W.row(r).transpose();
        K.block(P_0, 0, 1, n) = L_u.row(r), K.block(P_0, n, 1, n) = 0.1 * L_q.row(r);
        if (levels[k] == 3) {
          K.block(n, P_1, n, 1) = -W.row(r).transpose(), K.block(P_1, n, 1, n) = W.row(r);
        } else {
          K.block(n, P_0, n, 1) = -0.3 * W.row(r).transpose();
          K(P_1, P_1) = 1.0, d[rows + r] = 0.0;
        }
      }
    both.solve(f.data(), d.data(), y.data(), P.data());
    Eigen::VectorXd right(2 * (n + rows)), found(2 * (n + rows));
    right << f.eigen(), d.eigen();
    found << y.eigen(), P.eigen();
    const Eigen::VectorXd expected = K.fullPivLu().solve(right);
    const double condition = K.norm() * K.inverse().norm();
    EXPECT_LE((found - expected).norm(), 1e-12 * condition * expected.norm()) << "condition " << condition;
  }

  void expect_solved() {
    ASSERT_TRUE(suitable_);
    ASSERT_TRUE(factor());
    const int rows = W_.rows();
    Vec f(size_), d(rows), y(size_), P(rows);
    for (double& x : f) x = number();
    for (double& x : d) x = number();
    elimination_.solve(f.data(), d.data(), y.data(), P.data());
    Eigen::MatrixXd K = Eigen::MatrixXd::Zero(size_ + rows, size_ + rows);
    for (int i = 0; i < size_; ++i)
      for (int j = 0; j < size_; ++j) K(i, j) = M_hat_(i, j);
    K.topRightCorner(size_, rows) = -dense(W_).transpose();
    K.bottomLeftCorner(rows, size_) = dense(L_u_) + 0.1 * dense(L_q_);
    Eigen::VectorXd right(size_ + rows), found(size_ + rows);
    right << f.eigen(), d.eigen();
    found << y.eigen(), P.eigen();
    const Eigen::VectorXd expected = K.fullPivLu().solve(right);
    const double condition = K.norm() * K.inverse().norm();
    EXPECT_LE((found - expected).norm(), 1e-12 * condition * expected.norm()) << "condition " << condition;
    const long before = test::allocations();
    factor();
    elimination_.solve(f.data(), d.data(), y.data(), P.data());
    EXPECT_EQ(test::allocations(), before);
  }

 private:
  std::vector<int> columns(int A, int B) const {
    std::vector<int> list;
    for (int body : {A, B})
      for (int i = 0; body >= 0 && i < sizes_[body]; ++i) list.push_back(first_[body] + i);
    return list;
  }
  Eigen::MatrixXd dense(const BlockRows& W) const {
    Eigen::MatrixXd all = Eigen::MatrixXd::Zero(W.rows(), size_);
    for (int k = 0; k < W.blocks(); ++k)
      for (int r = 0; r < W.block(k).rows; ++r)
        for (int c = 0; c < W.block(k).columns; ++c)
          all(W.block(k).row + r, W.columns(k)[c]) += W.values(k)[r * W.block(k).columns + c];
    return all;
  }

  std::vector<int> sizes_, first_;
  std::mt19937 random_;
  int size_ = 0;
  Coupling all_{0};
  BlockMatrix mass_, M_hat_;
  BlockRows W_, L_u_, L_q_;
  BorderedElimination elimination_;
  bool suitable_ = false;
};

TEST(BorderedElimination, Chains) {
  for (int links : {1, 2, 5, 40}) {
    std::vector<Joint> joints;
    for (int b = 0; b < links; ++b) joints.push_back({b - 1, b, 2});
    Mechanism(std::vector<int>(links, 3), joints, links).expect_solved();
  }
}

TEST(BorderedElimination, RandomTreesOfMixedBodies) {
  constexpr int kinds[] = {3, 3, 6, 2, 1, 6};
  for (unsigned seed = 0; seed < 40; ++seed) {
    std::mt19937 random(seed);
    const int count = 2 + static_cast<int>(random() % 25);
    std::vector<int> sizes;
    std::vector<Joint> joints;
    for (int b = 0; b < count; ++b) {
      sizes.push_back(kinds[random() % 6]);
      const int rows = 1 + static_cast<int>(random() % ((sizes[b] + 1) / 2));
      joints.push_back({static_cast<int>(random() % (b + 1)) - 1, b, rows});
    }
    std::shuffle(joints.begin(), joints.end(), random);
    Mechanism(sizes, joints, seed).expect_solved();
  }
}

TEST(BorderedElimination, RandomLoopsAndGroundAttachments) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    std::mt19937 random(seed + 1000);
    const int count = 3 + static_cast<int>(random() % 20);
    std::vector<Joint> joints;
    for (int b = 0; b < count; ++b) joints.push_back({b - 1, b, 1});
    for (int extra = 0; extra < count / 2; ++extra) {
      const int A = static_cast<int>(random() % count), B = static_cast<int>(random() % count);
      joints.push_back({A == B ? -1 : A, B, 1});
    }
    Mechanism(std::vector<int>(count, seed % 2 ? 6 : 3), joints, seed).expect_solved();
  }
}

TEST(BorderedElimination, Stars) {
  for (int arms : {3, 30, 100}) {
    std::vector<Joint> joints{{-1, 0, 2}};
    std::vector<int> sizes{6};
    for (int b = 1; b <= arms; ++b) sizes.push_back(3), joints.push_back({0, b, 2});
    Mechanism(sizes, joints, arms).expect_solved();
  }
}

TEST(BorderedElimination, SeveralLevels) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    std::mt19937 random(seed);
    const int count = 2 + static_cast<int>(random() % 15);
    std::vector<int> sizes;
    std::vector<Joint> joints;
    for (int b = 0; b < count; ++b) {
      sizes.push_back(random() % 2 ? 3 : 6);
      joints.push_back({static_cast<int>(random() % (b + 1)) - 1, b, 1 + static_cast<int>(random() % 2)});
    }
    Mechanism(sizes, joints, seed).expect_both_levels_solved();
  }
}

// A joint whose rows are not determined by the body that is eliminated first has to wait for the other one.
TEST(BorderedElimination, JointsThatNeedBothBodies) { Mechanism({1, 3, 3}, {{0, 1, 2}, {1, 2, 3}}, 5).expect_solved(); }

TEST(BorderedElimination, SaysIfJointsDependOnEachOther) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    Mechanism mechanism({3, 3, 6}, {{-1, 0, 2}, {0, 1, 2}, {1, 2, 2}, {-1, 0, 1}}, seed);
    mechanism.repeat_first_row_in(3);
    EXPECT_FALSE(mechanism.factor()) << seed;
  }
}

}  // namespace
}  // namespace tappet
