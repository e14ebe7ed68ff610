// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "steppers/moreau/moreau_midpoint.h"

#include "steppers/shared/active_set.h"

namespace tappet {

MoreauMidpoint::MoreauMidpoint(const ContactList& contacts, std::unique_ptr<ContactSolver> solver,
                               const Options& options)
    : contacts_(contacts),
      system_(contacts.system()),
      evaluate_(contacts),
      law_(contacts, std::move(solver), impact_named(options.impact)),
      M_(system_.mass_matrix(contacts.execution())),
      q_M_(system_.q_size()),
      w_(system_.u_size()),
      h_(system_.u_size()),
      u_1_(system_.u_size()) {
  impulses_.P.assign(contacts.rows(), 0.0);
}

StepReport MoreauMidpoint::step(State& state, double dt) {
  auto& [t, q, u] = state;
  const int n = system_.u_size();
  const double t_M = t + dt / 2;

  for (int i = 0; i < n; ++i) w_[i] = dt / 2 * u[i];
  evaluate_.displace(q, w_, q_M_);

  evaluate_.mass_and_forces(t_M, q_M_, u, M_, h_);  // (10)
  M_.factor();
  M_.solve(h_);
  for (int i = 0; i < n; ++i) u_1_[i] = u[i] + dt * h_[i];

  evaluate_.gaps(t_M, q_M_, gaps_);
  active_memory_.follow(contacts_, active_);
  std::swap(active_, active_before_);
  closed_contacts(gaps_, gaps_before_.before(contacts_, gaps_), active_);  // (11)
  gaps_before_.keep(contacts_, gaps_);

  evaluate_.directions(t_M, q_M_, active_, law_.W, law_.chi);
  law_.rates(u, law_.gamma_before);
  StepReport report;
  report.solve = law_.solve(active_, M_, u_1_);  // (8), (13)

  for (int i = 0; i < n; ++i) w_[i] = dt / 2 * (u[i] + u_1_[i]);
  evaluate_.displace(q, w_, q_M_);  // (9)
  std::swap(q, q_M_);
  std::swap(u, u_1_);
  t += dt;

  law_.scatter(active_, impulses_.P);
  end_report(dt, active_before_, active_, report);
  return report;
}

}  // namespace tappet
