// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "steppers/position/position_trapezoidal.h"

#include <cmath>

#include "steppers/shared/active_set.h"

namespace tappet {

PositionTrapezoidal::PositionTrapezoidal(const ContactList& contacts, std::unique_ptr<ContactSolver> solver,
                                         const Options& options)
    : contacts_(contacts),
      system_(contacts.system()),
      options_(options),
      evaluate_(contacts),
      law_(contacts, std::move(solver)),
      balance_(contacts, evaluate_, {.theta = options.theta}) {
  impulses_.P.assign(contacts.rows(), 0.0);
}

StepReport PositionTrapezoidal::step(State& state, double dt) {
  const double t_1 = state.t + dt;
  StepReport report;
  std::swap(active_, active_before_);
  active_.clear();
  balance_.start(state, dt);
  while (true) {
    balance_.place(state, dt);
    balance_.balance(state, dt);
    evaluate_.gaps(t_1, balance_.q_1, gaps_);
    if (system_.joint_rows() > 0) evaluate_.joint_residuals(t_1, balance_.q_1, joint_residuals_);
    const bool grown = report.newton > 0 && add_contacts(gaps_, -options_.tolerance, active_);
    evaluate_.directions(t_1, balance_.q_1, active_, law_.W, law_.chi);
    if (report.newton > 0 && !grown) {
      const auto verdict = balance_.verdict(law_, options_.newton_tolerance, options_.newton_iterations, report);
      if (verdict == ThetaBalance::Verdict::failed) break;
      if (verdict == ThetaBalance::Verdict::holds && positions_hold()) break;
      if (report.newton >= options_.newton_iterations) {
        report.solve.status = SolveStatus::not_converged;
        break;
      }
    }
    ask_for_positions(dt * options_.theta);
    balance_.linearise(state, dt);
    report.solve = law_.solve(active_, balance_.M_hat, balance_.u_1);
    ++report.newton;
  }
  balance_.learn(state, dt, active_.empty());
  std::swap(state.q, balance_.q_1);
  std::swap(state.u, balance_.u_1);
  state.t += dt;
  law_.scatter(active_, impulses_.P);
  end_report(dt, active_before_, active_, report);
  return report;
}

void PositionTrapezoidal::ask_for_positions(double step) {
  if (law_.W.rows() == 0) return;
  rates_.resize(law_.W.rows());
  law_.W.multiply(balance_.u_1, rates_);
  law_.gamma_before.assign(law_.W.rows(), 0.0);
  for (const Constraint& joint : system_.joints())
    if (joint.position_level)
      for (int r = joint.row; r < joint.row + joint.rows; ++r) law_.chi[r] = joint_residuals_[r] / step - rates_[r];
  int row = system_.joint_rows();
  for (int k : active_) {
    law_.chi[row] = gaps_[k] / step - rates_[row];
    row += contacts_[k].rows;
  }
}

bool PositionTrapezoidal::positions_hold() const {
  constexpr double acceptable = 1e-12;
  double worst = 0.0;
  if (system_.joint_rows() > 0)
    for (double g : joint_residuals_) worst = std::max(worst, std::abs(g));
  int row = system_.joint_rows();
  for (int k : active_) {
    worst = std::max(worst, law_.P()[row] > 0.0 ? std::abs(gaps_[k]) : -gaps_[k]);
    row += contacts_[k].rows;
  }
  return worst <= std::max(options_.tolerance, acceptable);
}

}  // namespace tappet
