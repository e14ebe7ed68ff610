// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "steppers/moreau/moreau_explicit.h"

#include "steppers/shared/active_set.h"

namespace tappet {

MoreauExplicit::MoreauExplicit(const ContactList& contacts, std::unique_ptr<ContactSolver> solver,
                               const Options& options)
    : contacts_(contacts),
      system_(contacts.system()),
      evaluate_(contacts),
      law_(contacts, std::move(solver), impact_named(options.impact)),
      M_(system_.mass_matrix(contacts.execution())),
      all_(all_contacts(contacts)),
      w_(system_.u_size()),
      h_(system_.u_size()),
      q_1_(system_.q_size()),
      u_1_(system_.u_size()) {
  impulses_.P.assign(contacts.rows(), 0.0);
}

StepReport MoreauExplicit::step(State& state, double dt) {
  auto& [t, q, u] = state;
  const int n = system_.u_size();

  refresh(contacts_, all_);
  evaluate_.gaps(t, q, gaps_);
  evaluate_.directions(t, q, all_, law_.W, law_.chi);
  law_.rates(u, rates_0_);
  active_memory_.follow(contacts_, active_);
  std::swap(active_, active_before_);
  for (int row = system_.joint_rows(); int k : all_) {
    gaps_[k] += dt / 2 * rates_0_[row];
    row += contacts_[k].rows;
  }
  closed_contacts(gaps_, forecast_before_.before(contacts_, gaps_), active_);  // (47)
  forecast_before_.keep(contacts_, gaps_);
  gather_from(contacts_, all_, rates_0_, active_, law_.gamma_before);

  for (int i = 0; i < n; ++i) w_[i] = dt * u[i];
  evaluate_.displace(q, w_, q_1_);  // (43)

  evaluate_.mass_and_forces(t, q, u, M_, h_);
  M_.factor();
  M_.solve(h_);
  for (int i = 0; i < n; ++i) u_1_[i] = u[i] + dt * h_[i];

  StepReport report;
  if (!active_.empty() || system_.joint_rows() > 0) {
    evaluate_.mass(t + dt, q_1_, M_);
    M_.factor();
  }
  evaluate_.directions(t + dt, q_1_, active_, law_.W, law_.chi);
  report.solve = law_.solve(active_, M_, u_1_);  // (44)–(46)

  std::swap(q, q_1_);
  std::swap(u, u_1_);
  t += dt;

  law_.scatter(active_, impulses_.P);
  end_report(dt, active_before_, active_, report);
  return report;
}

}  // namespace tappet
