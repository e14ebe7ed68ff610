// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "problem/delassus.h"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <algorithm>
#include <numeric>
#include <random>

#include "math/block_matrix.h"

namespace tappet {

// Four nonsymmetric blocks of three velocities.
struct Blocks final : Inertia {
  Eigen::MatrixXd M = Eigen::MatrixXd::Zero(12, 12);
  std::vector<int> velocities = std::vector<int>(12);
  Blocks() {
    std::iota(velocities.begin(), velocities.end(), 0);
    for (int b = 0; b < 4; ++b) M.block(3 * b, 3 * b, 3, 3) << 4 + b, 1, 0, 0.5, 3, 1, 0, 2, 5;
  }
  int size() const override { return 12; }
  void solve(std::span<double> x) const override {
    for (int b = 0; b < 4; ++b) solve_block(b, x.subspan(3 * b, 3));
  }
  int block_count() const override { return 4; }
  std::span<const int> block(int index) const override { return std::span(velocities).subspan(3 * index, 3); }
  int block_of(int velocity) const override { return velocity / 3; }
  bool symmetric() const override { return false; }
  void solve_block(int index, std::span<double> x) const override {
    Eigen::Map<Eigen::Vector3d> v(x.data());
    v = M.block<3, 3>(3 * index, 3 * index).inverse().eval() * v;
  }
};

struct Fixture : testing::Test {
  Blocks inertia;
  BlockRows W;
  Eigen::MatrixXd dense_W = Eigen::MatrixXd::Zero(12, 9);
  Fixture() {
    std::mt19937 random(1);
    std::normal_distribution<double> normal;
    const std::vector<std::vector<int>> columns = {{0, 1, 2, 3}, {3, 4, 5}, {4, 9, 10}, {7}};
    const std::vector<int> rows = {2, 3, 3, 1};
    for (int k = 0, row = 0; k < 4; row += rows[k++]) {
      double* w = W.append(rows[k], columns[k]);
      for (int r = 0; r < rows[k]; ++r)
        for (int column : columns[k]) *w = normal(random), dense_W(column, row + r) = *w++;
    }
  }
  Eigen::MatrixXd exact() const { return dense_W.transpose() * inertia.M.inverse() * dense_W; }
};

TEST_F(Fixture, every_form_is_the_same_operator) {
  for (auto form : {Delassus::Form::dense, Delassus::Form::sparse, Delassus::Form::factored}) {
    Delassus G;
    G.assemble(inertia, W, form);
    ASSERT_EQ(G.size(), 9);
    for (int j = 0; j < 9; ++j) {
      Vec P(9), xi(9);
      P[j] = 1.0;
      G.multiply(P, xi);
      for (int i = 0; i < 9; ++i) EXPECT_NEAR(xi[i], exact()(i, j), 1e-14);
    }
    EXPECT_NEAR(G.trace(), exact().trace(), 1e-13);
    double block[9];
    G.diagonal_block(2, 3, block);
    for (int j = 0; j < 3; ++j)
      for (int i = 0; i < 3; ++i) EXPECT_NEAR(block[3 * j + i], exact()(2 + i, 2 + j), 1e-14);
  }
}

TEST_F(Fixture, contacts_that_share_no_block_share_no_entry) {
  Delassus G;
  G.assemble(inertia, W, Delassus::Form::sparse);
  EXPECT_EQ(G.sparse().start[9] - G.sparse().start[8], 1);  // the last contact acts on a separate body
}

// Contacts of whole bodies, some of which share both bodies, in the same and in the other order.
struct ContactsOfBodies : testing::Test {
  Blocks inertia;
  BlockRows W, W_after;
  ContactsOfBodies() {
    std::mt19937 random(2);
    std::normal_distribution<double> normal;
    const auto body = [](int b) { return std::vector{3 * b, 3 * b + 1, 3 * b + 2}; };
    const auto pair = [&](int a, int b) {
      std::vector<int> columns = body(a);
      for (int column : body(b)) columns.push_back(column);
      return columns;
    };
    for (const auto& [rows, columns] : std::initializer_list<std::pair<int, std::vector<int>>>{
             {2, body(0)}, {3, pair(0, 1)}, {3, pair(0, 1)}, {1, pair(1, 0)}, {2, pair(3, 1)}, {1, body(2)}})
      for (BlockRows* to : {&W, &W_after}) {
        double* w = to->append(rows, columns);
        for (size_t i = 0; i < rows * columns.size(); ++i) w[i] = normal(random);
      }
  }
  Eigen::MatrixXd dense(const BlockRows& rows) const {
    Eigen::MatrixXd all = Eigen::MatrixXd::Zero(12, rows.rows());
    for (int k = 0; k < rows.blocks(); ++k)
      for (int r = 0, i = 0; r < rows.block(k).rows; ++r)
        for (int column : rows.columns(k)) all(column, rows.block(k).row + r) = rows.values(k)[i++];
    return all;
  }
  void expect_equal(const Delassus& G, const BlockRows& along) const {
    const Eigen::MatrixXd exact = dense(along).transpose() * inertia.M.inverse() * dense(W);
    for (int j = 0; j < W.rows(); ++j)
      for (int i = 0; i < W.rows(); ++i) EXPECT_NEAR(G.dense()(i, j), exact(i, j), 1e-14) << i << ' ' << j;
    Vec P(W.rows()), u(12);
    for (int r = 0; r < W.rows(); ++r) P[r] = 1.0 + r;
    G.add_velocity(P, u);
    const Eigen::VectorXd expected = inertia.M.inverse() * dense(W) * P.eigen();
    EXPECT_NEAR((u.eigen() - expected).norm(), 0.0, 1e-13);
  }
};

TEST_F(ContactsOfBodies, are_assembled_along_lists_if_their_layout_has_a_number) {
  for (long number : {0, 7}) {
    W.number_layout(number), W_after.number_layout(number);
    Delassus G;
    for (int again = 0; again < 2; ++again) {  // makes the lists; uses them
      G.assemble(inertia, W, Delassus::Form::dense);
      expect_equal(G, W);
      G.assemble_between(inertia, W_after, W, Delassus::Form::dense);
      expect_equal(G, W_after);
    }
    W_after.number_layout(0);  // other directions, whose layout nobody vouches for
    G.judge_along(W_after);
    expect_equal(G, W_after);
  }
}

TEST_F(ContactsOfBodies, get_other_lists_for_another_layout_and_another_matrix) {
  W.number_layout(3);
  Delassus G;
  G.assemble(inertia, W, Delassus::Form::dense);
  W.append(1, std::vector{6, 7, 8, 0, 1, 2})[1] = 2.0;
  EXPECT_EQ(W.layout(), 0);
  W.number_layout(4);
  G.assemble(inertia, W, Delassus::Form::dense);
  expect_equal(G, W);
  // one block over all velocities: none of the contacts moves a whole block of it
  Coupling coupling(12);
  for (int i = 1; i < 12; ++i) coupling.tie(0, i);
  BlockMatrix M(coupling, BlockMatrix::Kind::symmetric_positive);
  for (int i = 0; i < 12; ++i) M.add(i, i, 2.0);
  for (int i = 1; i < 12; ++i) M.add(0, i, 0.1), M.add(i, 0, 0.1);
  ASSERT_TRUE(M.factor());
  G.assemble(M, W, Delassus::Form::dense);
  Eigen::MatrixXd whole(12, 12);
  for (int i = 0; i < 12; ++i)
    for (int j = 0; j < 12; ++j) whole(i, j) = M(i, j);
  const Eigen::MatrixXd exact = dense(W).transpose() * whole.inverse() * dense(W);
  for (int j = 0; j < W.rows(); ++j)
    for (int i = 0; i < W.rows(); ++i) EXPECT_NEAR(G.dense()(i, j), exact(i, j), 1e-14);
}

// Contacts of rigid bodies, four rows of which are multiplied side by side. Contacts that follow each other in both
// factors are multiplied as one.
TEST(Delassus, of_contacts_in_space_along_lists) {
  constexpr int velocities = 18;
  std::mt19937 random(5);
  std::normal_distribution<double> normal;
  Coupling coupling(velocities);
  for (int i = 0; i < velocities; ++i) coupling.tie(6 * (i / 6), i);
  BlockMatrix M(coupling, BlockMatrix::Kind::symmetric_positive);
  for (int i = 0; i < velocities; ++i) M.add(i, i, 2.0 + i);
  for (int i = 0; i < velocities; i += 6) M.add(i, i + 5, 0.3), M.add(i + 5, i, 0.3);
  ASSERT_TRUE(M.factor());
  const auto columns = [](std::initializer_list<int> bodies) {
    std::vector<int> all;
    for (int b : bodies)
      for (int i = 0; i < 6; ++i) all.push_back(6 * b + i);
    return all;
  };
  BlockRows W;
  const std::vector<std::pair<int, std::vector<int>>> blocks = {
      {3, columns({0})},    {3, columns({0})},    {3, columns({0})},    {3, columns({0})}, {4, columns({1})},
      {3, columns({0, 1})}, {3, columns({0, 1})}, {3, columns({1, 2})}, {1, columns({2})}, {3, columns({2, 0})}};
  for (const auto& [rows, at] : blocks) {
    double* w = W.append(rows, at);
    for (size_t i = 0; i < rows * at.size(); ++i) w[i] = normal(random);
  }
  W.number_layout(9);
  Eigen::MatrixXd dense_M(velocities, velocities), dense_W = Eigen::MatrixXd::Zero(velocities, W.rows());
  for (int i = 0; i < velocities; ++i)
    for (int j = 0; j < velocities; ++j) dense_M(i, j) = M(i, j);
  for (int k = 0; k < W.blocks(); ++k)
    for (int r = 0, i = 0; r < W.block(k).rows; ++r)
      for (int column : W.columns(k)) dense_W(column, W.block(k).row + r) = W.values(k)[i++];
  const Eigen::MatrixXd exact = dense_W.transpose() * dense_M.inverse() * dense_W;
  Delassus G;
  for (int again = 0; again < 2; ++again) {
    G.assemble(M, W, Delassus::Form::dense);
    for (int j = 0; j < W.rows(); ++j)
      for (int i = 0; i < W.rows(); ++i) EXPECT_NEAR(G.dense()(i, j), exact(i, j), 1e-14) << i << ' ' << j;
  }
}

// Two bodies of two velocities; one contact between them, one with the ground.
TEST(Delassus, made_in_the_memory_of_W_is_the_same_operator_and_gives_the_memory_back) {
  Coupling coupling(4);
  coupling.tie(0, 1), coupling.tie(2, 3);
  BlockMatrix M(coupling, BlockMatrix::Kind::symmetric_positive);
  for (int i = 0; i < 4; ++i) M.add(i, i, 2.0 + i);
  M.add(0, 1, 1.0), M.add(1, 0, 1.0);
  ASSERT_TRUE(M.factor());
  BlockRows W;
  double* w = W.append(2, std::vector<int>{0, 1, 2, 3});
  std::iota(w, w + 8, 1.0);
  w = W.append(1, std::vector<int>{2, 3});
  std::iota(w, w + 2, 3.0);
  Delassus G, taken;
  G.assemble(M, W, Delassus::Form::factored);
  const double* memory = W.values(0);
  {
    const DelassusInPlace in_place(taken, M, W, Delassus::Form::factored);
    EXPECT_EQ(W.blocks(), 0);
    const Vec P{1.0, -2.0, 0.5};
    Vec xi(3), xi_taken(3), u(4), u_taken(4);
    G.multiply(P, xi), taken.multiply(P, xi_taken);
    G.add_velocity(P, u), taken.add_velocity(P, u_taken);
    EXPECT_EQ(xi, xi_taken);
    EXPECT_EQ(u, u_taken);
  }
  EXPECT_EQ(taken.size(), 0);
  W.append(2, std::vector<int>{0, 1, 2, 3});
  EXPECT_EQ(W.values(0), memory);
}

// Blocks of three rows and twelve columns, as of contacts in space, are multiplied side by side. The sums must be those
// of plain loops to the last bit.
TEST(BlockRows, products_have_the_bits_of_plain_loops) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> number(-1.0, 1.0);
  std::vector<int> places(40);
  std::iota(places.begin(), places.end(), 0);
  BlockRows W;
  for (const auto& [rows, columns] : {std::pair{3, 12}, {3, 6}, {2, 12}, {1, 5}, {3, 12}, {4, 12}}) {
    std::shuffle(places.begin(), places.end(), random);
    double* w = W.append(rows, std::vector<int>(places.begin(), places.begin() + columns));
    for (int i = 0; i < rows * columns; ++i) w[i] = number(random);
  }
  Vec u(40), P(W.rows()), xi(W.rows()), f(40);
  for (double& x : u) x = number(random);
  for (double& x : P) x = number(random);
  Vec xi_plain(W.rows()), f_plain = f;
  for (int k = 0; k < W.blocks(); ++k) {
    const double* w = W.values(k);
    for (int r = 0; r < W.block(k).rows; ++r)
      for (int v : W.columns(k)) xi_plain[W.block(k).row + r] += *w * u[v], f_plain[v] += *w++ * P[W.block(k).row + r];
  }
  W.multiply(u, xi), W.multiply_transposed(P, f);
  EXPECT_EQ(xi, xi_plain);
  EXPECT_EQ(f, f_plain);
}

}  // namespace tappet
