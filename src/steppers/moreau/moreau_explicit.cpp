// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "steppers/moreau/moreau_explicit.h"

#include "math/wide/sums.h"

namespace tappet {

MoreauExplicit::MoreauExplicit(const ContactList& contacts, std::unique_ptr<ContactSolver> solver,
                               const Options& options)
    : contacts_(contacts),
      system_(contacts.system()),
      evaluate_(contacts),
      law_(contacts, std::move(solver), impact_named(options.impact)),
      M_(contacts),
      active_(contacts),
      stability_(system_),
      h_(system_.u_size()),
      q_1_(system_.q_size()),
      u_1_(system_.u_size()) {
  impulses_.P.assign(contacts.rows(), 0.0);
}

StepReport MoreauExplicit::step(State& state, double dt) {
  auto& [t, q, u] = state;

  evaluate_.gaps(t, q, gaps_);
  evaluate_.directions(t, q, contacts_.all(), law_.W, law_.chi);
  law_.rates(u, rates_0_);
  for (const auto& [k, contact, row] : contacts_.each(contacts_.all()))
    if (contact.source != Constraint::Source::joint_friction) gaps_[k] += dt / 2 * rates_0_[row];
  active_.start(gaps_);  // (47)
  gather_rows(contacts_, active_, rates_0_, law_.gamma_before);

  evaluate_.displace(q, dt, u, q_1_);  // (43)

  const Vec& a = M_.accelerations(evaluate_, t, q, u, h_);
  add_multiple(u.size(), u.data(), dt, a.data(), u_1_.data());

  StepReport report;
  if (!active_.empty() || system_.joint_rows() > 0) M_.evaluate(evaluate_, t + dt, q_1_);
  evaluate_.directions(t + dt, q_1_, active_, law_.W, law_.chi);
  report.solve = law_.solve(active_, M_, u_1_);  // (44)–(46)

  std::swap(q, q_1_);
  std::swap(u, u_1_);
  t += dt;

  law_.scatter(active_, impulses_.P);
  active_.report(dt, report);
  stability_.look(state, dt);
  return report;
}

}  // namespace tappet
