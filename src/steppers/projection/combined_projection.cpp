// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "steppers/projection/combined_projection.h"

namespace tappet {

CombinedProjection::CombinedProjection(const ContactList& contacts, std::unique_ptr<ContactSolver> solver,
                                       const Options& options)
    : ProjectedTheta(contacts, std::move(solver), options, true),
      options_(options),
      has_joints_(contacts.system().joint_rows() > 0) {
  equal_.reserve(contacts.size());
}

StepReport CombinedProjection::step(State& state, double dt) {
  StepReport report;
  bool coupled = coupled_;
  active_.start();
  coupled ? newton().start(state) : balance_.start(state, dt);
  do {
    if (!coupled) pass(state, dt, report);
    if (!coupled && !report.converged() && may_couple()) {
      coupled = true;
      newton().start(state);
    }
    if (coupled) coupled_pass(state, dt, report);
    ++report.index_sets;
    if (!report.converged()) break;
    evaluate_.gaps(state.t + dt, coupled ? newton().q_1 : balance_.q_1, gaps_);
  } while (active_.add(gaps_, 0.0));  // (66)

  accept(coupled, dt, state, report);
  return report;
}

// Newton's method on the velocities. Once their balance holds, the positions follow, which may disturb it again.
void CombinedProjection::pass(const State& state, double dt, StepReport& report) {
  const double t_1 = state.t + dt;
  const int newton_before = report.newton;
  if (!active_.empty() || has_joints_) {
    evaluate_.directions(state.t, state.q, active_, law_.W, law_.chi);
    law_.rates(state.u, law_.gamma_before);
  }
  if (report.index_sets > 0) balance_.start_again(state, dt);
  projection_.start();
  StepReport inner;
  int alternations = 0;
  bool shifted = false;
  while (true) {
    balance_.place(state, dt);
    auto verdict = ThetaBalance::Verdict::holds;
    if (inner.newton == 0 || shifted || !balance_.exact()) {
      balance_.balance(state, dt);
      evaluate_.directions(t_1, balance_.q_1, active_, law_.W, law_.chi);
      verdict = inner.newton == 0
                    ? ThetaBalance::Verdict::go_on
                    : balance_.verdict(law_, options_.newton_tolerance, options_.newton_iterations, inner);
    }
    if (verdict == ThetaBalance::Verdict::failed) break;
    if (verdict == ThetaBalance::Verdict::holds) {
      if (active_.empty() && !has_joints_) break;
      choose_branches();
      const auto result = projection_.project(evaluate_, t_1, balance_.q_free, metric(), active_.set(), false, equal_,
                                              balance_.q_1, balance_.shift);
      report.projections += result.iterations;
      if (result.solve.status != SolveStatus::converged) {
        inner.solve = result.solve;
        break;
      }
      if (!result.changed || ++alternations > options_.newton_iterations) break;
      shifted = true;
      continue;
    }
    shifted = false;
    balance_.linearise(state, dt);
    inner.solve = law_.solve(active_, balance_.M_hat, balance_.u_1);
    ++inner.newton;
  }
  report.solve = inner.solve;
  report.newton = newton_before + inner.newton;
}

void CombinedProjection::choose_branches() {
  equal_.clear();
  for (const auto& [k, contact, row] : contacts_.each(active_))
    equal_.push_back(law_.P()[row] > CoupledNewton::pressed);  // (70)
}

void CombinedProjection::coupled_pass(const State& state, double dt, StepReport& report) {
  evaluate_.directions(state.t, state.q, active_, law_.W, law_.chi);
  law_.rates(state.u, gamma_0_);
  scatter_rows(contacts_, active_, gamma_0_, rates_0_);
  const StepReport pass = newton().solve(state, dt, rates_0_, active_, active_);
  report.solve = pass.solve;
  report.newton += pass.newton;
  if (!active_.empty() || has_joints_) report.projections += pass.newton;
}

}  // namespace tappet
