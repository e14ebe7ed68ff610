// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "steppers/ggl/coupled_newton.h"
#include "steppers/moreau/theta_balance.h"
#include "steppers/projection/position_projection.h"
#include "steppers/shared/active_set.h"

namespace tappet {

struct ProjectedThetaOptions {
  double theta = 0.5;
  std::string coupling =
      "decoupled";  // velocities and then positions: (57), (58), (70); "coupled": one problem (53)–(55), (69)
  std::string metric = "euclidean";         // N = 1; "kinetic": N = M̂⁻¹ (60)
  std::string joint_level = "ggl";          // "velocity": joints are not projected
  double tolerance = 1e-15;                 // violation that the projection may leave
  double newton_tolerance = 1e-10;          // for the momentum balance, relative to its momenta
  std::string newton_measure = "relative";  // "absolute": newton_tolerance is in kg m/s, as in the paper
  int newton_iterations = 30;
  std::string first_iterate = "extrapolated";  // u₁ from the previous smooth steps; "start": u₀, as in the paper

  template <class V>
  void describe(V& v) {
    v.optional("theta", theta, Range{0, 1}, "weight of the end of the step");
    v.choice("coupling", coupling, {"decoupled", "coupled"}, "velocities and then positions, or both in one problem");
    v.choice("metric", metric, {"euclidean", "kinetic"}, "metric of the projection");
    v.choice("joint_level", joint_level, {"ggl", "velocity"},
             "joints on position and velocity level, or velocity only");
    v.optional("violation_tolerance", tolerance, Range{0, 1}, "violation that a projection may leave");
    v.optional("newton_tolerance", newton_tolerance, Range{0, 1},
               "residual of the momentum balance at which Newton's method stops");
    v.choice("newton_measure", newton_measure, {"relative", "absolute"},
             "newton_tolerance is relative to the largest term, or a residual in kg m/s");
    v.optional("newton_iterations", newton_iterations, Range{1, 1000},
               "largest number of Newton iterations for a set of contacts");
    v.choice("first_iterate", first_iterate, {"extrapolated", "start"},
             "Newton's method starts from the previous steps, or from u0");
  }
};

// The parts of the projected θ-schemes of Acary 2012: the balance of momentum with the contact law, the projection of
// the end position, and Newton's method on both together. The latter is for the coupled form, and for steps in which
// the decoupled form fails (large impulses at large steps).
class ProjectedTheta : public Stepper {
 protected:
  ProjectedTheta(const ContactList& contacts, std::unique_ptr<ContactSolver> solver,
                 const ProjectedThetaOptions& options, bool hold_pressed);

  CoupledNewton& newton();  // created when it is first needed
  // Whether a step that fails in the decoupled form may be repeated in the coupled form. That form has dense matrices,
  // so a large pile of colliders is left as it is.
  bool may_couple() const { return !system_.has_colliders() || contacts_.rows(active_) <= Delassus::dense_rows; }
  const Inertia& metric() const { return kinetic_ ? static_cast<const Inertia&>(balance_.M_hat) : identity_; }
  // Sets the state to the end of the step, which newton() or the balance found.
  void accept(bool by_newton, double dt, State& state, StepReport& report);

  bool history(Archive& a) override {
    a(law_, balance_, active_);
    bool coupled = newton_.has_value();
    a(coupled);
    if (coupled) a(newton());
    return true;
  }

  const ContactList& contacts_;
  const System& system_;
  const bool coupled_;
  Evaluator evaluate_;
  VelocityLaw law_;
  ThetaBalance balance_;
  PositionProjection projection_;
  ActiveSet active_;

 private:
  const bool kinetic_;
  const CoupledSettings settings_;
  std::optional<CoupledNewton> newton_;
  Identity identity_;
};

}  // namespace tappet
