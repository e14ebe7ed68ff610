// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "steppers/ggl/coupled_newton.h"
#include "steppers/projection/extrapolation.h"
#include "steppers/shared/active_set.h"

namespace tappet {

struct GglUnifiedOptions {
  std::string contact_level = "ggl";  // "velocity": the reference of the paper, (39) without its last row
  std::string joint_level = "ggl";
  std::string predictor = "free";          // active if a step without contact penetrates; "midpoint": (11)
  std::string gaps = "exact";              // g(q₁), W(q₁)ᵀu₁; "linearised": (41), (42)
  std::string newton = "complementarity";  // "prox": (39)–(52) as printed
  double prox_parameter = 1.0;             // for "prox": r in units of 1/G_ii
  double tolerance = 1e-15;                // on the gaps
  double newton_tolerance = 1e-12;         // for the momentum balance, relative to its momenta
  int newton_iterations = 30;

  template <class V>
  void describe(V& v) {
    v.choice("contact_level", contact_level, {"ggl", "velocity"},
             "contacts on position and velocity level, or velocity only");
    v.choice("joint_level", joint_level, {"ggl", "position", "velocity", "acceleration"},
             "level on which joints are held");
    v.choice("predictor", predictor, {"free", "midpoint"},
             "active contacts from a free step or from the midpoint (11)");
    v.choice("gaps", gaps, {"exact", "linearised"}, "gaps at the end of the step, or (41) and (42)");
    v.choice(
        "newton", newton, {"complementarity", "prox"},
        "each iteration solves the linearised contact problem, or is a Newton step on the prox equations (39)-(52)");
    v.optional("prox_parameter", prox_parameter, Range{1e-6, 1e6}, "r of the prox equations, in units of 1/G_ii");
    v.optional("violation_tolerance", tolerance, Range{0, 1}, "tolerance of the gaps");
    v.optional("newton_tolerance", newton_tolerance, Range{0, 1},
               "residual of the momentum balance at which Newton's method stops, relative");
    v.optional("newton_iterations", newton_iterations, Range{1, 1000}, "largest number of Newton iterations per step");
  }
};

// The unified Gear–Gupta–Leimkuhler scheme of Schoeder, Ulbrich, Schindler 2013, (36)–(52):
//   q₁ = q₀ + dt u_½ + W_½ Ψ                              u_½ = (u₀ + u₁)/2, W_½ = W((q₀ + q₁)/2)     (36)
//   M_M (u₁ − u₀) = dt h((q₀ + q₁)/2, u_½) + W_½ P        M_M = M(q₀ + dt/2 u₀)                       (37)
//   −(γ₁ + e γ₀) ∈ N_C(P),   0 ≤ g(q₁) ⊥ Ψ ≥ 0           on the active contacts                      (39)
// It is solved by Newton's method with exact derivatives. The active set is predicted by a step without contact and
// held fixed within Newton's method. Contacts that close nevertheless are added. Each iteration solves the linearised
// complementarity problem in (P, Ψ), whereas the paper iterates on prox functions (`newton: prox`, without friction, as
// in the paper). γ₁ and g are those of q₁, not (41), (42), which lack the change of W.
class GglUnified final : public Stepper {
 public:
  static constexpr SchemeFacts facts{
      .name = "ggl-unified",
      .paper = "Schoeder, Ulbrich and Schindler 2013, (36)–(52)",
      .level = "velocity and position, coupled",
      .order = "1",
      .summary = "implicit midpoint rule, both laws in one problem; no penetration, the energy decays",
      .follows_found_contacts = true};
  using Options = GglUnifiedOptions;
  GglUnified(const ContactList& contacts, std::unique_ptr<ContactSolver> solver, const Options& options = {});
  StepReport step(State& state, double dt) override;

 private:
  bool history(Archive& a) override {
    a(newton_, smooth_, active_);
    if (a.settles()) solver_->forget();
    return true;
  }
  void pass(const State& state, double dt, StepReport& report);

  const ContactList& contacts_;
  const System& system_;
  const Options options_;
  const bool velocity_only_, linearised_, midpoint_predictor_;
  std::unique_ptr<ContactSolver> solver_;
  Evaluator evaluate_;
  CoupledNewton newton_;
  Extrapolation smooth_;
  const ContactSet none_;
  ActiveSet active_;
  BlockRows W_0_;
  Vec q_M_, gaps_, chi_0_, gamma_0_, rates_0_;
};

}  // namespace tappet
