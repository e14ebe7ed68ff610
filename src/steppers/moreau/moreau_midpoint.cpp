// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "steppers/moreau/moreau_midpoint.h"

#include "math/wide/sums.h"

namespace tappet {

MoreauMidpoint::MoreauMidpoint(const ContactList& contacts, std::unique_ptr<ContactSolver> solver,
                               const Options& options)
    : contacts_(contacts),
      system_(contacts.system()),
      evaluate_(contacts),
      law_(contacts, std::move(solver), impact_named(options.impact)),
      M_(contacts),
      active_(contacts),
      stability_(system_),
      q_M_(system_.q_size()),
      h_(system_.u_size()),
      u_1_(system_.u_size()) {
  impulses_.P.assign(contacts.rows(), 0.0);
}

StepReport MoreauMidpoint::step(State& state, double dt) {
  auto& [t, q, u] = state;
  const double t_M = t + dt / 2;

  evaluate_.displace(q, dt / 2, u, q_M_);
  const Vec& a = M_.accelerations(evaluate_, t_M, q_M_, u, h_);  // (10)
  add_multiple(u.size(), u.data(), dt, a.data(), u_1_.data());

  evaluate_.gaps(t_M, q_M_, gaps_);
  active_.start(gaps_);  // (11)
  evaluate_.directions(t_M, q_M_, active_, law_.W, law_.chi);
  law_.rates_before(active_, u);
  StepReport report;
  report.solve = law_.solve(active_, M_, u_1_);  // (8), (13)

  evaluate_.displace(q, dt / 2, u, u_1_, q_M_);  // (9)
  std::swap(q, q_M_);
  std::swap(u, u_1_);
  t += dt;

  law_.scatter(active_, impulses_.P);
  active_.report(dt, report);
  stability_.look(state, dt);
  return report;
}

}  // namespace tappet
