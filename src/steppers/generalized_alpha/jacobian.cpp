// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "steppers/generalized_alpha/step_law.h"

namespace tappet::alpha {

// Rows of the linearised laws over δz. (g, γ, γ̇) are eliminated by the response.
struct StepLaw::Rows {
  const Balance& at;
  const Start& start;
  const Response& response;
  Mat& S;
  Vec& right;

  // row o += factor · δ of the kinematic quantity k of (g, γ, γ̇)
  void kinematic(int o, double factor, int k) {
    for (int j = 0; j < S.cols(); ++j) S(o, j) += factor * response.H(k, j);
    right[o] -= factor * response.offset[k];
  }
  void position(int o, double factor, int row) { kinematic(o, factor, at.position[row]); }
  void velocity(int o, double factor, int row) { kinematic(o, factor, at.positions + row); }
  void acceleration(int o, double factor, int row) { kinematic(o, factor, at.positions + at.rows + row); }

  // row o += factor · δκ̂, δP, δΛ, δλ of a row
  void kappa_hat(int o, double factor, int row, double hat = 1.0) {
    S(o, Response::kappa(at, row)) += factor;
    lambda(o, hat * factor * start.weight.position_1, row);
  }
  void P(int o, double factor, int row, double hat = 1.0) {
    Lambda(o, factor, row);
    lambda(o, hat * factor * start.weight.velocity_1, row);
  }
  void Lambda(int o, double factor, int row) { S(o, Response::Lambda(at, row)) += factor; }
  void lambda(int o, double factor, int row) { S(o, Response::lambda(at, row)) += factor; }
};

void StepLaw::assemble(const Balance& at, const Start& start, const Response& response, Mat& S, Vec& right) const {
  const int size = response.size(), joints = system_.joint_rows();
  S.resize(size, size), right.resize(size);
  S.set_zero();
  for (int o = 0; o < size; ++o) right[o] = -residual[o];
  Rows rows{at, start, response, S, right};
  for (int i = 0; i < joints; ++i) {
    const double r = response.r[at.row[i]];
    if (at.position[i] >= 0) rows.position(at.position[i], r, i);
    rows.velocity(Response::Lambda(at, i), r, i);
    rows.acceleration(Response::lambda(at, i), r, i);
  }
  for (const auto& [c, k, contact, i] : contacts_.numbered(at.involved)) {
    assemble_normal(rows, c, i);
    if (contact.rows == 1) continue;
    assemble_slip(rows, c, i);
    assemble_friction_force(rows, c, i);
  }
  for (int o = 0; o < size; ++o) {
    const double by = 1.0 / scale(at, start, response, o);
    right[o] *= by;
    for (int j = 0; j < size; ++j) S(o, j) *= by;
  }
  for (int j = 0; j < size; ++j) {
    const double by = scale(at, start, response, j);
    for (int o = 0; o < size; ++o) S(o, j) *= by;
  }
}

// (129), (132), (135)
void StepLaw::assemble_normal(Rows& rows, int c, int i) const {
  const Balance& at = rows.at;
  const Sets& set = sets_[c];
  const double r = rows.response.r[at.row[i]], hat = kind == Kind::bruls ? 0.0 : 1.0;
  const int on_kappa = at.position[i], on_Lambda = Response::Lambda(at, i), on_lambda = Response::lambda(at, i);
  if (set.A)
    rows.position(on_kappa, r, i);
  else
    rows.kappa_hat(on_kappa, 1.0, i, hat);
  if (set.B)
    rows.velocity(on_Lambda, r, i);
  else
    rows.P(on_Lambda, 1.0, i, hat);
  if (set.C)
    rows.acceleration(on_lambda, r, i);
  else
    rows.lambda(on_lambda, 1.0, i);
}

// (138)
void StepLaw::assemble_slip(Rows& rows, int c, int i) const {
  const Balance& at = rows.at;
  const Contact& contact = contacts_[at.involved[c]];
  const Sets& set = sets_[c];
  const Direction& slip = slip_[c];
  const int n = contact.rows - 1, f = i + 1;
  const double mu = contact.law->mu_law(), r = rows.response.r[contact.row + 1];
  const double bound = mu * (set.continued ? at.Lambda[i] : std::max(P[i], 0.0));
  const double turning = n > 1 && slip.length > 0.0 ? bound / slip.length : 0.0;
  for (int j = 0; j < n; ++j) {
    const int o = Response::Lambda(at, f + j);
    if (!set.B) {
      rows.P(o, 1.0, f + j);
      continue;
    }
    if (set.D_stick) {
      rows.velocity(o, r, f + j);
      continue;
    }
    if (set.continued) {
      rows.Lambda(o, 1.0, f + j);
      rows.Lambda(o, mu * slip.d[j], i);
    } else {
      rows.P(o, 1.0, f + j);
      if (P[i] >= 0.0) rows.P(o, mu * slip.d[j], i);
    }
    for (int l = 0; l < n && turning != 0.0; ++l) {
      const double factor = turning * ((j == l) - slip.d[j] * slip.d[l]);
      rows.velocity(o, factor * r, f + l);
      rows.P(o, -factor, f + l);
    }
  }
}

// (142)
void StepLaw::assemble_friction_force(Rows& rows, int c, int i) const {
  const Balance& at = rows.at;
  const Contact& contact = contacts_[at.involved[c]];
  const Sets& set = sets_[c];
  const Direction& slide = slip_acceleration_[c];
  const int n = contact.rows - 1, f = i + 1;
  const double mu = contact.law->mu_law(), r = rows.response.r[contact.row + 1];
  const bool carries = set.B && !rebounds(at.involved[c]);
  const double bound = mu * std::max(at.lambda[i], 0.0);
  const double turning = n > 1 && slide.length > 0.0 ? bound / slide.length : 0.0;
  for (int j = 0; j < n; ++j) {
    const int o = Response::lambda(at, f + j);
    if (carries && set.E_stick) {
      rows.acceleration(o, r, f + j);
      continue;
    }
    rows.lambda(o, 1.0, f + j);
    if (!carries) continue;
    if (at.lambda[i] >= 0.0) rows.lambda(o, mu * slide.d[j], i);
    for (int l = 0; l < n && turning != 0.0; ++l) {
      const double factor = turning * ((j == l) - slide.d[j] * slide.d[l]);
      if (set.D_stick) {
        rows.acceleration(o, factor * r, f + l);
        rows.lambda(o, -factor, f + l);
      } else {
        rows.velocity(o, factor, f + l);
      }
    }
  }
}

}  // namespace tappet::alpha
