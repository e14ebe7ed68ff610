// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "steppers/projection/projected_theta.h"

namespace tappet {

ProjectedTheta::ProjectedTheta(const ContactList& contacts, std::unique_ptr<ContactSolver> solver,
                               const ProjectedThetaOptions& options, bool hold_pressed)
    : contacts_(contacts),
      system_(contacts.system()),
      coupled_(options.coupling == "coupled"),
      evaluate_(contacts),
      law_(contacts, std::move(solver)),
      balance_(contacts, evaluate_,
               {.theta = options.theta,
                .corrected = true,
                .extrapolated = options.first_iterate == "extrapolated",
                .absolute = options.newton_measure == "absolute"}),
      projection_(contacts, law_.solver(), {.joints = options.joint_level == "ggl", .tolerance = options.tolerance}),
      active_(contacts),
      kinetic_(options.metric == "kinetic"),
      settings_{.theta = options.theta,
                .kinetic = kinetic_,
                .hold_pressed = hold_pressed,
                .joints = joint_level(options.joint_level),
                .momentum_tolerance = options.newton_tolerance,
                .absolute = options.newton_measure == "absolute",
                .gap_tolerance = options.tolerance,
                .iterations = options.newton_iterations},
      identity_(system_.u_size()) {
  impulses_.P.assign(contacts.rows(), 0.0);
  law_.start_without_contacts();
  if (coupled_) newton();
}

CoupledNewton& ProjectedTheta::newton() {
  if (!newton_) newton_.emplace(evaluate_, law_.solver(), settings_);
  return *newton_;
}

void ProjectedTheta::accept(bool by_newton, double dt, State& state, StepReport& report) {
  active_.report(dt, report);
  balance_.learn(state, dt, !by_newton && report.converged() && !report.impulsive);
  std::swap(state.q, by_newton ? newton_->q_1 : balance_.q_1);
  std::swap(state.u, by_newton ? newton_->u_1 : balance_.u_1);
  state.t += dt;
  if (by_newton)
    scatter_rows(contacts_, active_, newton_->P, impulses_.P);
  else
    law_.scatter(active_, impulses_.P);
}

}  // namespace tappet
