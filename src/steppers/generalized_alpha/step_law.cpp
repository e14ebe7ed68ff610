// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "steppers/generalized_alpha/step_law.h"

#include <algorithm>
#include <cmath>

namespace tappet::alpha {

StepLaw::StepLaw(const ContactList& contacts, Kind k)
    : gamma_before(contacts.rows()),
      e(contacts.rows()),
      slid(contacts, 0),
      held(contacts.size(), 0),
      kind(k),
      contacts_(contacts),
      system_(contacts.system()) {
  const int most = contacts.rows();
  for (Vec* x : {&P, &kappa_hat, &xi, &printed_}) x->reserve(most);
  residual.reserve(3 * most);
  sets_.reserve(contacts.size());
  slip_.reserve(contacts.size()), slip_acceleration_.reserve(contacts.size());
}

void StepLaw::follow_contacts() {
  slid.follow(contacts_);
  held.assign(contacts_.size(), 0);
  gamma_before.assign(contacts_.rows(), 0.0), e.assign(contacts_.rows(), 0.0);
}

StepLaw::Direction StepLaw::toward(const double* x, const double* y, double r, int n) const {
  Direction s;
  for (int i = 0; i < n; ++i) s.d[i] = r * x[i] - y[i];
  for (int i = 0; i < n; ++i) s.length += s.d[i] * s.d[i];
  s.length = std::sqrt(s.length);
  for (int i = 0; i < n && s.length > 0.0; ++i) s.d[i] /= s.length;
  return s;
}

void StepLaw::evaluate(const Balance& at, const Start& start, const Response& response) {
  residual.resize(at.positions + 2 * at.rows);
  evaluate_percussions(at, start);
  for (int i = 0; i < system_.joint_rows(); ++i) {
    const double r = response.r[at.row[i]];
    if (at.position[i] >= 0) residual[at.position[i]] = r * at.g[at.position[i]];  // (84)
    residual[Response::Lambda(at, i)] = r * at.gamma[i];                           // (85)
    residual[Response::lambda(at, i)] = r * at.gamma_dot[i];
  }
  sets_.resize(at.involved.size()), slip_.resize(at.involved.size()), slip_acceleration_.resize(at.involved.size());
  for (const auto& [c, k, contact, i] : contacts_.numbered(at.involved)) {
    evaluate_normal(at, response, c, i);
    if (contact.rows == 1) continue;
    evaluate_slip(at, response, c, i);
    evaluate_friction_force(at, response, c, i);
  }
}

// P, κ̂ and ξ.
void StepLaw::evaluate_percussions(const Balance& at, const Start& start) {
  const Quadrature& weight = start.weight;
  const int m = at.rows;
  P.resize(m), kappa_hat.resize(m), xi.resize(m);
  if (kind == Kind::printed) {
    printed_.resize(m);
    at.W.multiply(start.u, printed_);
  }
  for (int i = 0; i < m; ++i) {
    const int s = at.row[i];
    P[i] = at.Lambda[i] + start.P[s] + weight.velocity_1 * at.lambda[i];             // (95), (113)
    kappa_hat[i] = at.kappa[i] + start.kappa[s] + weight.position_1 * at.lambda[i];  // (102)
    const double before = kind == Kind::printed ? printed_[i] + at.chi[i] : gamma_before[s];
    xi[i] = at.gamma[i] + e[s] * before;  // (88)
  }
}

void StepLaw::evaluate_normal(const Balance& at, const Response& response, int c, int i) {
  const int k = at.involved[c];
  const double r = response.r[at.row[i]], g = at.g[at.position[i]];
  const bool bruls = kind == Kind::bruls;
  const double kappa = bruls ? at.kappa[i] : kappa_hat[i], Lambda = bruls ? at.Lambda[i] : P[i];
  Sets& set = sets_[c];
  set.A = r * g - kappa <= 0.0;                                                    // (130)
  set.B = (set.A || held[k]) && r * xi[i] - Lambda <= 0.0;                         // (133)
  set.C = set.B && !rebounds(k) && r * at.gamma_dot[i] - at.lambda[i] <= 0.0;      // (136)
  residual[at.position[i]] = set.A ? r * g : kappa;                                // (129)
  residual[Response::Lambda(at, i)] = set.B ? r * xi[i] : Lambda;                  // (132)
  residual[Response::lambda(at, i)] = set.C ? r * at.gamma_dot[i] : at.lambda[i];  // (135)
}

void StepLaw::evaluate_slip(const Balance& at, const Response& response, int c, int first) {
  const Contact& contact = contacts_[at.involved[c]];
  const int n = contact.rows - 1, f = first + 1;
  const double mu = contact.law->mu_law(), r = response.r[contact.row + 1];
  Sets& set = sets_[c];
  Direction& slip = slip_[c] = toward(&xi[f], &P[f], r, n);
  set.D_stick = set.B && slip.length <= mu * std::max(P[first], 0.0);  // (139)
  double ahead = 0.0;
  for (int j = 0; j < n; ++j) ahead += slip.d[j] * gamma_before[contact.row + 1 + j];
  set.continued = kind == Kind::consistent && allow_continued && n > 1 && set.B && !set.D_stick &&
                  slid[at.involved[c]] && ahead > 0.0;
  const double bound = mu * (set.continued ? at.Lambda[first] : std::max(P[first], 0.0));
  for (int j = 0; j < n; ++j)  // (138)
    residual[Response::Lambda(at, f + j)] = !set.B ? P[f + j]
                                            : set.D_stick
                                                ? r * xi[f + j]
                                                : (set.continued ? at.Lambda[f + j] : P[f + j]) + bound * slip.d[j];
}

void StepLaw::evaluate_friction_force(const Balance& at, const Response& response, int c, int first) {
  const Contact& contact = contacts_[at.involved[c]];
  const int n = contact.rows - 1, f = first + 1;
  const double mu = contact.law->mu_law(), r = response.r[contact.row + 1];
  Sets& set = sets_[c];
  Direction& slide = slip_acceleration_[c];
  set.E_stick = false;
  if (set.D_stick) {
    slide = toward(at.gamma_dot.data() + f, at.lambda.data() + f, r, n);
    set.E_stick = !rebounds(at.involved[c]) && slide.length <= mu * std::max(at.lambda[first], 0.0);  // (141)
  } else {
    const double none[3]{};
    slide = toward(at.gamma.data() + f, none, 1.0, n);
    if (slide.length == 0.0) slide = slip_[c];
  }
  const bool carries = set.B && !rebounds(at.involved[c]);
  for (int j = 0; j < n; ++j)  // (142)
    residual[Response::lambda(at, f + j)] = !carries ? at.lambda[f + j]
                                            : set.E_stick
                                                ? r * at.gamma_dot[f + j]
                                                : at.lambda[f + j] + mu * std::max(at.lambda[first], 0.0) * slide.d[j];
}

double StepLaw::error(const Balance& at, const Start& start, const Response& response, double tolerance,
                      double position_tolerance) const {
  const double shift = at.shift_tolerance(start, tolerance), impulse = at.impulse_tolerance(start, tolerance),
               force = at.force_tolerance(tolerance);
  double worst = 0.0;
  for (int i = 0, contact = -1; i < at.rows; ++i) {
    const double weight = response.weight[at.row[i]];
    const bool joint = at.row[i] < system_.joint_rows();
    if (at.position[i] >= 0) {
      if (!joint) ++contact;
      const double value = joint || sets_[contact].A ? at.g[at.position[i]] / position_tolerance
                                                     : residual[at.position[i]] * weight / shift;
      worst = std::max(worst, std::abs(value));
    }
    worst = std::max(worst, std::abs(residual[Response::Lambda(at, i)]) * weight / impulse);
    worst = std::max(worst, std::abs(residual[Response::lambda(at, i)]) * weight / force);
  }
  return worst;
}

double StepLaw::pressing(const Balance& at, const Response& response, int c, int first) const {
  const Contact& contact = contacts_[at.involved[c]];
  if (!response.has(at)) return 1.0;
  const int row = response.place(at, Response::Lambda(at, first));
  const double G = response.H(row, row);
  double p = G;
  for (int f = 1; f < contact.rows; ++f) p -= contact.law->mu_law() * slip_[c].d[f - 1] * response.H(row, row + f);
  return G > 0.0 ? p / G : 1.0;
}

}  // namespace tappet::alpha
