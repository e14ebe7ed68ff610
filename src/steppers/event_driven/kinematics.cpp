// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "steppers/event_driven/kinematics.h"

#include <algorithm>
#include <cmath>

namespace tappet::events {

void Kinematics::measure_gaps(const State& state) { evaluate_.gaps(state.t, state.q, gaps_); }

void Kinematics::measure(const State& state) {
  constexpr double slow = 1e-10;         // a velocity counts as zero if it is below this fraction of its terms
  constexpr double least_speed = 1e-12;  // m/s
  measure_gaps(state);
  evaluate_.directions(state.t, state.q, contacts_.all(), W_, chi_);
  gamma_.assign(W_.rows(), 0.0);
  tolerance_.assign(W_.rows(), least_speed);
  for (int b = 0; b < W_.blocks(); ++b) {
    const auto& block = W_.block(b);
    const auto columns = W_.columns(b);
    double largest = 0;
    for (int r = 0; r < block.rows; ++r) {
      const double* values = W_.values(b) + r * block.columns;
      double sum = chi_[block.row + r], made_of = std::abs(sum);
      for (int c = 0; c < block.columns; ++c)
        sum += values[c] * state.u[columns[c]], made_of += std::abs(values[c] * state.u[columns[c]]);
      gamma_[block.row + r] = sum;
      largest = std::max(largest, made_of);
    }
    for (int r = 0; r < block.rows; ++r) tolerance_[block.row + r] += slow * largest;
  }
}

double Kinematics::slip_speed(int k) const {
  const Contact& contact = contacts_[k];
  double speed = 0;
  for (int f = 1; f < contact.rows; ++f) speed = std::hypot(speed, gamma_[contact.row + f]);
  return speed;
}

double Kinematics::flight(const State& state, const Vec& a, int k) const {
  const ContactSet one{k};
  BlockRows W;
  Vec chi, zeta;
  evaluate_.directions(state.t, state.q, one, W, chi);
  evaluate_.accelerations(state.t, state.q, state.u, one, zeta);
  Vec gamma_dot(W.rows());
  W.multiply(a, gamma_dot);
  const int r = contacts_.system().joint_rows();
  const double acceleration = gamma_dot[r] + zeta[r], velocity = normal(k), height = std::max(gap(k), 0.0);
  // the later zero of height + velocity t + acceleration t²/2
  const double root = std::sqrt(velocity * velocity - 2 * acceleration * height);
  if (acceleration < 0) return velocity > 0 ? (velocity + root) / -acceleration : 2 * height / (root - velocity);
  return velocity < 0 && root >= 0 ? 2 * height / (root - velocity) : INFINITY;
}

bool Kinematics::joints_jump() const {
  constexpr double clearly = 100;
  for (int r = 0; r < contacts_.system().joint_rows(); ++r)
    if (std::abs(gamma_[r]) > clearly * tolerance_[r]) return true;
  return false;
}

}  // namespace tappet::events
