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

// Newton's method on the velocities. With contacts, each iterate is followed by the projection of its positions,
// because the directions of the contacts depend on them. Without contacts, the positions follow once the balance holds,
// and may disturb it again.
void CombinedProjection::pass(const State& state, double dt, StepReport& report) {
  const double t_1 = state.t + dt;
  const int newton_before = report.newton;
  const bool projects = !active_.empty() || has_joints_, at_once = !active_.empty();
  if (projects) {
    evaluate_.directions(state.t, state.q, active_, law_.W, law_.chi);
    law_.rates(state.u, law_.gamma_before);
  }
  if (report.index_sets > 0) balance_.start_again(state, dt);
  projection_.start();
  StepReport inner;
  int alternations = 0;
  bool shifted = false;  // since the last iterate
  while (true) {
    if (inner.newton == 0 || !at_once) balance_.place(state, dt);
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
      if (!projects || at_once) break;
      if (!project(t_1, shifted, inner, report) || !shifted || ++alternations > options_.newton_iterations) break;
      continue;
    }
    shifted = false;
    balance_.linearise(state, dt);
    if (projects || inner.newton == 0) inner.solve = law_.solve(active_, balance_.M_hat, balance_.u_1);
    ++inner.newton;
    if (!at_once) continue;
    balance_.place(state, dt);
    if (!project(t_1, shifted, inner, report)) break;
    if (shifted) balance_.place(state, dt);  // q_θ
  }
  report.solve = inner.solve;
  report.newton = newton_before + inner.newton;
}

bool CombinedProjection::project(double t, bool& shifted, StepReport& inner, StepReport& report) {
  choose_branches();
  const auto result = projection_.project(evaluate_, t, balance_.q_free, metric(), active_.set(), false, equal_,
                                          balance_.q_1, balance_.shift);
  report.projections += result.iterations;
  shifted = result.changed;
  if (result.solve.status != SolveStatus::converged) inner.solve = result.solve;
  return result.solve.status == SolveStatus::converged;
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
