// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "system/evaluator.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <filesystem>
#include <random>

#include "support/allocations.h"
#include "support/mechanism.h"
#include "support/paths.h"

namespace tappet {
namespace {

std::vector<std::string> shipped_models() {
  std::vector<std::string> files;
  for (const std::string& folder : {test::shipped_models(), test::data() + "/elements"})
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
      if (entry.path().extension() == ".yaml") files.push_back(entry.path().string());
  std::sort(files.begin(), files.end());
  return files;
}

// Every shipped model and every element by itself, at a state in no special position, all contacts taken as closed.
// Each level of the evaluator is held to differences of the level below, along displacements q ⊕ w.
class Evaluated : public testing::TestWithParam<std::string> {
 protected:
  static constexpr int largest = 80;  // coordinates; beyond, dense differences take too long
  // The differences of rows: well below the clearances that bend the rows of a pin in its bush.
  static constexpr double bends = 1e-5;

  void SetUp() override {
    system_ = std::make_unique<Mechanism>(load(GetParam()));
    n_ = system_->u_size();
    evaluate_ = std::make_unique<Evaluator>(*system_);
    q_ = system_->initial().q, u_ = system_->initial().u;
    a_.resize(n_), P_.resize(system_->named_rows());
    std::mt19937 random(11);
    std::uniform_real_distribution<double> number(-1, 1);
    Vec w(n_);
    const double size = 1e-2;  // stays near the initial geometry
    for (int i = 0; i < n_; ++i) w[i] = size * number(random), u_[i] += number(random), a_[i] = number(random);
    for (int r = 0; r < P_.size(); ++r) P_[r] = number(random);
    system_->displace(Vec(q_), w, q_);
    for (size_t k = 0; k < system_->named_contacts().size(); ++k) all_.push_back(static_cast<int>(k));
  }

  // Derivative of f(q ⊕ ε e_j) by fourth-order differences, column j.
  template <class F>
  Eigen::MatrixXd by_q(F&& f, double eps) {
    Eigen::MatrixXd D;
    Vec w(n_), q(q_.size());
    for (int j = 0; j < n_; ++j) {
      auto at = [&](double s) {
        w.set_zero();
        w[j] = s * eps;
        system_->displace(q_, w, q);
        return Eigen::VectorXd(f(q));
      };
      Eigen::VectorXd d = (8 * (at(1) - at(-1)) - (at(2) - at(-2))) / (12 * eps);
      if (is_pad(j)) d = (at(0) - at(-1)) / eps;  // nothing lifts a pad, so its gap is never positive
      if (j == 0) D.resize(d.size(), n_);
      D.col(j) = d;
    }
    return D;
  }
  bool is_pad(int j) const {
    return std::any_of(system_->pads().begin(), system_->pads().end(), [&](const auto& pad) { return pad.u == j; });
  }
  template <class F>
  Eigen::MatrixXd by_u(F&& f, double eps) {
    Eigen::MatrixXd D;
    for (int j = 0; j < n_; ++j) {
      auto at = [&](double s) {
        Vec u(u_);
        u[j] += s * eps;
        return Eigen::VectorXd(f(u));
      };
      const Eigen::VectorXd d = (8 * (at(1) - at(-1)) - (at(2) - at(-2))) / (12 * eps);
      if (j == 0) D.resize(d.size(), n_);
      D.col(j) = d;
    }
    return D;
  }
  Eigen::MatrixXd full(const BlockMatrix& A) const {
    Eigen::MatrixXd F(n_, n_);
    for (int i = 0; i < n_; ++i)
      for (int j = 0; j < n_; ++j) F(i, j) = A(i, j);
    return F;
  }
  Eigen::MatrixXd full(const BlockRows& W) const {
    Eigen::MatrixXd F = Eigen::MatrixXd::Zero(W.rows(), n_);
    for (int k = 0; k < W.blocks(); ++k)
      for (int r = 0; r < W.block(k).rows; ++r)
        for (size_t c = 0; c < W.columns(k).size(); ++c)
          F(W.block(k).row + r, W.columns(k)[c]) += W.values(k)[r * W.columns(k).size() + c];
    return F;
  }
  static void expect_close(const Eigen::MatrixXd& exact, const Eigen::MatrixXd& differences, double tolerance,
                           const char* what) {
    ASSERT_EQ(exact.rows(), differences.rows()) << what;
    if (exact.size() == 0) return;
    const double size = 1.0 + differences.cwiseAbs().maxCoeff();
    EXPECT_LT((exact - differences).cwiseAbs().maxCoeff() / size, tolerance) << what;
  }
  Eigen::VectorXd rates(double t, const Vec& q, const Vec& u) {
    BlockRows W;
    Vec chi;
    evaluate_->directions(t, q, all_, W, chi);
    return full(W) * u.eigen() + Eigen::VectorXd(chi.eigen());
  }
  Eigen::VectorXd accelerations(double t, const Vec& q, const Vec& u) {
    BlockRows W;
    Vec chi, zeta;
    evaluate_->directions(t, q, all_, W, chi);
    evaluate_->accelerations(t, q, u, all_, zeta);
    return full(W) * a_.eigen() + Eigen::VectorXd(zeta.eigen());
  }

  std::unique_ptr<Mechanism> system_;
  std::unique_ptr<Evaluator> evaluate_;
  int n_ = 0;
  double t_ = 0.3;
  Vec q_, u_, a_, P_;
  ContactSet all_;
};

INSTANTIATE_TEST_SUITE_P(models, Evaluated, testing::ValuesIn(shipped_models()), [](const auto& info) {
  const std::filesystem::path file(info.param);
  std::string name = file.parent_path().filename().string() + "_" + file.stem().string();
  for (char& c : name)
    if (c == '.' || c == '-') c = '_';
  return name;
});

TEST_P(Evaluated, force_derivatives_are_exact) {
  if (n_ > largest) return;
  BlockMatrix A = system_->iteration_matrix();
  auto force_q = [&](const Vec& q) {
    Vec h;
    evaluate_->forces(t_, q, u_, h);
    return Eigen::VectorXd(h.eigen());
  };
  auto force_u = [&](const Vec& u) {
    Vec h;
    evaluate_->forces(t_, q_, u, h);
    return Eigen::VectorXd(h.eigen());
  };
  A.set_zero();
  evaluate_->add_force_derivatives(t_, q_, u_, 1.0, 0.0, A);
  // The elements of a beam of a millimetre bend over shorter distances than those of a bar of a metre.
  const Eigen::MatrixXd exact = full(A), wide = by_q(force_q, 1e-4), narrow = by_q(force_q, 1e-6);
  const bool is_small = (narrow - exact).cwiseAbs().maxCoeff() < (wide - exact).cwiseAbs().maxCoeff();
  expect_close(exact, is_small ? narrow : wide, 1e-7, "by q");
  A.set_zero();
  evaluate_->add_force_derivatives(t_, q_, u_, 0.0, 1.0, A);
  expect_close(full(A), by_u(force_u, 1e-3), 1e-7, "by u");
}

TEST_P(Evaluated, mass_is_symmetric_positive_and_its_derivative_exact) {
  if (n_ > largest) return;
  BlockMatrix M = system_->mass_matrix();
  evaluate_->mass(t_, q_, M);
  EXPECT_TRUE(full(M).isApprox(full(M).transpose(), 1e-14));
  EXPECT_TRUE(M.factor());
  BlockMatrix A = system_->iteration_matrix();
  A.set_zero();
  evaluate_->add_mass_derivative(t_, q_, a_, 1.0, A);
  auto momentum = [&](const Vec& q) {
    Vec p(n_);
    evaluate_->mass(t_, q, M);
    M.multiply(a_, p);
    return Eigen::VectorXd(p.eigen());
  };
  expect_close(full(A), by_q(momentum, 1e-4), 1e-7, "∂(Ma)/∂q");
}

TEST_P(Evaluated, kinetic_energy_is_that_of_the_mass_matrix) {
  BlockMatrix M = system_->mass_matrix();
  evaluate_->mass(t_, q_, M);
  Vec p(n_);
  M.multiply(u_, p);
  const double T = evaluate_->energy(t_, q_, u_).kinetic;
  EXPECT_NEAR(T, 0.5 * p.eigen().dot(u_.eigen()), 1e-12 * (1 + std::abs(T)));
}

TEST_P(Evaluated, directions_are_the_derivatives_of_gaps_and_joints) {
  if (n_ > largest) return;
  BlockRows W;
  Vec chi;
  evaluate_->directions(t_, q_, all_, W, chi);
  const Eigen::MatrixXd exact = full(W);
  const Eigen::MatrixXd gaps = by_q(
      [&](const Vec& q) {
        Vec g;
        evaluate_->gaps(t_, q, g);
        return Eigen::VectorXd(g.eigen());
      },
      bends);
  for (const Contact& contact : system_->named_contacts())
    expect_close(exact.row(contact.row), gaps.row(&contact - system_->named_contacts().data()), 1e-8,
                 contact.name().c_str());
  const Eigen::MatrixXd joints = by_q(
      [&](const Vec& q) {
        Vec g;
        evaluate_->joint_residuals(t_, q, g);
        return Eigen::VectorXd(g.eigen());
      },
      bends);
  for (const Constraint& joint : system_->joints())
    if (joint.position_level)
      expect_close(exact.middleRows(joint.row, joint.rows), joints.middleRows(joint.row, joint.rows), 1e-8,
                   joint.name().c_str());
}

TEST_P(Evaluated, acceleration_terms_are_the_rates_of_the_velocities) {
  if (n_ > largest || system_->named_rows() == 0) return;
  Vec zeta;
  evaluate_->accelerations(t_, q_, u_, all_, zeta);
  // along the motion at constant u
  const double eps = bends;
  Vec w(n_), q(q_.size());
  auto at = [&](double s) {
    for (int i = 0; i < n_; ++i) w[i] = s * eps * u_[i];
    system_->displace(q_, w, q);
    return rates(t_ + s * eps, q, u_);
  };
  expect_close(zeta.eigen(), (8 * (at(1) - at(-1)) - (at(2) - at(-2))) / (12 * eps), 1e-7, "ζ");
}

TEST_P(Evaluated, second_derivatives_of_the_rows_are_exact) {
  if (n_ > largest || system_->named_rows() == 0) return;
  BlockMatrix A = system_->constrained_matrix();
  A.set_zero();
  evaluate_->add_impulse_derivative(t_, q_, all_, P_, 1.0, A);
  auto impulse = [&](const Vec& q) {
    BlockRows W;
    Vec chi, f(n_);
    evaluate_->directions(t_, q, all_, W, chi);
    W.multiply_transposed(P_, f);
    return Eigen::VectorXd(f.eigen());
  };
  expect_close(full(A), by_q(impulse, bends), 1e-7, "∂(WP)/∂q");
  BlockRows dq, du;
  evaluate_->velocity_derivatives(t_, q_, u_, all_, dq);
  expect_close(full(dq), by_q([&](const Vec& q) { return rates(t_, q, u_); }, bends), 1e-7, "∂γ/∂q");
  evaluate_->acceleration_derivatives(t_, q_, u_, a_, all_, dq, du);
  expect_close(full(dq), by_q([&](const Vec& q) { return accelerations(t_, q, u_); }, bends), 1e-6, "∂γ̇/∂q");
  expect_close(full(du), by_u([&](const Vec& u) { return accelerations(t_, q_, u); }, 1e-3), 1e-6, "∂γ̇/∂u");
}

// Poses and functions of time are kept as long as position and time stay the same: what an evaluator has seen before
// must not change a bit.
TEST_P(Evaluated, results_do_not_depend_on_earlier_calls) {
  const auto all = [&](Evaluator& evaluate, double t, const Vec& q) {
    BlockRows W, dq, du;
    Vec g, joints, h, chi, zeta;
    std::vector<double> numbers;
    const auto take = [&](std::span<const double> x) { numbers.insert(numbers.end(), x.begin(), x.end()); };
    evaluate.directions(t, q, all_, W, chi), take(W.all_values()), take(chi);
    evaluate.gaps(t, q, g), take(g);
    evaluate.joint_residuals(t, q, joints), take(joints);
    evaluate.forces(t, q, u_, h), take(h);
    evaluate.accelerations(t, q, u_, all_, zeta), take(zeta);
    evaluate.acceleration_derivatives(t, q, u_, a_, all_, dq, du), take(dq.all_values()), take(du.all_values());
    return numbers;
  };
  Vec w(n_), q(q_.size());
  for (int i = 0; i < n_; ++i) w[i] = 1e-3 * (i + 1);
  system_->displace(q_, w, q);
  Evaluator fresh(*system_), used(*system_);
  const std::vector<double> first = all(used, t_, q_);
  all(used, t_, q), all(used, t_ + 0.1, q_);
  EXPECT_EQ(all(used, t_, q_), first);
  EXPECT_EQ(all(fresh, t_, q_), first);
  Evaluator third(*system_);
  EXPECT_EQ(all(used, t_ + 0.1, q), all(third, t_ + 0.1, q));
}

TEST_P(Evaluated, evaluation_allocates_nothing) {
  BlockMatrix M = system_->mass_matrix(), A = system_->constrained_matrix();
  BlockRows W, dq, du;
  Vec h(n_), g, chi, zeta;
  long before = 0;
  for (int pass = 0; pass < 2; ++pass) {
    before = test::allocations();
    evaluate_->mass_and_forces(t_, q_, u_, M, h);
    evaluate_->add_force_derivatives(t_, q_, u_, 1.0, 1.0, A);
    evaluate_->gaps(t_, q_, g);
    evaluate_->directions(t_, q_, all_, W, chi);
    evaluate_->accelerations(t_, q_, u_, all_, zeta);
    evaluate_->add_impulse_derivative(t_, q_, all_, P_, 1.0, A);
    evaluate_->velocity_derivatives(t_, q_, u_, all_, dq);
    evaluate_->acceleration_derivatives(t_, q_, u_, a_, all_, dq, du);
    evaluate_->energy(t_, q_, u_);
  }
  EXPECT_EQ(test::allocations() - before, 0);
}

}  // namespace
}  // namespace tappet
