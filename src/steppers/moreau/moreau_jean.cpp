// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "steppers/moreau/moreau_jean.h"

#include <algorithm>

namespace tappet {

MoreauJean::MoreauJean(const ContactList& contacts, std::unique_ptr<ContactSolver> solver, const Options& options)
    : contacts_(contacts),
      system_(contacts.system()),
      options_(options),
      frozen_(options.directions == "frozen"),
      free_forecast_(options.forecast == "free"),
      joints_at_theta_(options.joint_forces == "theta" && !frozen_ && options.form != "table3" && options.theta < 1.0 &&
                       system_.joint_rows() > 0 && !system_.directions_are_constant()),
      evaluate_(contacts),
      law_(contacts, std::move(solver), impact_named(options.impact)),
      balance_(
          contacts, evaluate_,
          {.theta = options.theta, .extrapolated = options.form != "table3", .of_table_3 = options.form == "table3"}),
      active_(contacts) {
  impulses_.P.assign(contacts.rows(), 0.0);
}

StepReport MoreauJean::step(State& state, double dt) {
  forecast(state, dt);
  StepReport report = newton(state, dt, active_);
  active_.report(dt, report);
  balance_.learn(state, dt, report.converged() && !report.impulsive);
  std::swap(state.q, balance_.q_1);
  std::swap(state.u, balance_.u_1);
  state.t += dt;

  law_.scatter(active_, impulses_.P);
  return report;
}

// Fills active_, and U₀ of its rows.
void MoreauJean::forecast(const State& state, double dt) {
  const double theta = options_.theta;
  const auto& [t, q, u] = state;
  evaluate_.gaps(t, q, gaps_);
  if (options_.gamma > 0.0 || free_forecast_) {
    evaluate_.directions(t, q, contacts_.all(), law_.W, law_.chi);
    law_.rates(u, rates_0_);
    if (free_forecast_) {
      law_.gamma_before.assign(system_.joint_rows(), 0.0);
      newton(state, dt, none_);
      evaluate_.directions(t, q, contacts_.all(), law_.W, law_.chi);
      law_.rates(balance_.u_1, rates_free_);
    }
    for (const auto& [k, contact, r] : contacts_.each(contacts_.all()))
      if (contact.source != Constraint::Source::joint_friction)
        gaps_[k] += free_forecast_ ? dt * (theta * rates_free_[r] + (1 - theta) * rates_0_[r])  // (62)
                                   : dt * options_.gamma * rates_0_[r];                         // (61)
  }
  active_.start(gaps_);
  if (active_.empty()) {
    law_.gamma_before.assign(system_.joint_rows(), 0.0);
  } else {
    evaluate_.directions(t, q, active_, law_.W, law_.chi);
    law_.rates(u, law_.gamma_before);
  }
}

const BlockRows& MoreauJean::directions(const State& state, double dt, const ContactSet& active) {
  evaluate_.directions(frozen_ ? state.t : state.t + dt, frozen_ ? state.q : balance_.q_1, active, law_.W, law_.chi);
  if (!joints_at_theta_) return law_.W;
  evaluate_.directions(state.t + options_.theta * dt, balance_.q_theta(), none_, W_theta_, chi_theta_);
  for (int k = W_theta_.blocks(); k < law_.W.blocks(); ++k) {
    const int rows = law_.W.block(k).rows, columns = law_.W.block(k).columns;
    std::copy_n(law_.W.values(k), rows * columns, W_theta_.append_unset(rows, law_.W.columns(k)));
  }
  return W_theta_;
}

StepReport MoreauJean::newton(const State& state, double dt, const ContactSet& active) {
  StepReport report;
  balance_.start(state, dt);
  while (true) {
    balance_.place(state, dt);    // (18b)
    balance_.balance(state, dt);  // (18a)
    const BlockRows& W = directions(state, dt, active);
    if (report.newton > 0 && balance_.verdict(law_, W, options_.newton_tolerance, options_.newton_iterations, report) !=
                                 ThetaBalance::Verdict::go_on)
      return report;
    balance_.linearise(state, dt);                                       // (47)
    report.solve = law_.solve(active, balance_.M_hat, W, balance_.u_1);  // (18c), (18d)
    ++report.newton;
    if (balance_.exact(law_.W.rows() > 0)) {
      balance_.place(state, dt);
      return report;
    }
  }
}

}  // namespace tappet
