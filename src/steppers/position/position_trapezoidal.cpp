// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "steppers/position/position_trapezoidal.h"

#include <cmath>

namespace tappet {

PositionTrapezoidal::PositionTrapezoidal(const ContactList& contacts, std::unique_ptr<ContactSolver> solver,
                                         const Options& options)
    : contacts_(contacts),
      system_(contacts.system()),
      options_(options),
      evaluate_(contacts),
      law_(contacts, std::move(solver)),
      balance_(contacts, evaluate_, {.theta = options.theta}),
      active_(contacts) {
  impulses_.P.assign(contacts.rows(), 0.0);
}

StepReport PositionTrapezoidal::step(State& state, double dt) {
  const double t_1 = state.t + dt;
  StepReport report;
  active_.start();
  balance_.start(state, dt);
  while (true) {
    balance_.place(state, dt);    // (18b)
    balance_.balance(state, dt);  // (18a)
    evaluate_.gaps(t_1, balance_.q_1, gaps_);
    if (system_.joint_rows() > 0) evaluate_.joint_residuals(t_1, balance_.q_1, joint_residuals_);
    const bool grown = report.newton > 0 && active_.add(gaps_, -options_.tolerance);  // 0 ≤ g(q₁)
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
    balance_.linearise(state, dt);                                     // (47)
    report.solve = law_.solve(active_, balance_.M_hat, balance_.u_1);  // 0 ≤ g(q₁) ⊥ P_N ≥ 0 in place of (18c), (18d)
    ++report.newton;
  }
  balance_.learn(state, dt, active_.empty());
  std::swap(state.q, balance_.q_1);
  std::swap(state.u, balance_.u_1);
  state.t += dt;
  law_.scatter(active_, impulses_.P);
  active_.report(dt, report);
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
  for (const auto& [k, contact, row] : contacts_.each(active_)) law_.chi[row] = gaps_[k] / step - rates_[row];
}

bool PositionTrapezoidal::positions_hold() const {
  constexpr double acceptable = 1e-12;
  double worst = 0.0;
  if (system_.joint_rows() > 0)
    for (double g : joint_residuals_) worst = std::max(worst, std::abs(g));
  for (const auto& [k, contact, row] : contacts_.each(active_))
    worst = std::max(worst, law_.P()[row] > 0.0 ? std::abs(gaps_[k]) : -gaps_[k]);
  return worst <= std::max(options_.tolerance, acceptable);
}

}  // namespace tappet
