// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "steppers/lcp/linearly_implicit.h"
#include "steppers/shared/active_set.h"
#include "steppers/shared/impact_law.h"
#include "steppers/stepper.h"

namespace tappet {

struct LcpEulerOptions {
  std::string forces = "implicit";      // linearly implicit (2002); "explicit": semi-implicit (1997)
  std::string impact = "poisson";       // "printed", "newton"; impact_law.h
  std::string force_jacobian = "auto";  // exact if M̃ is positive definite, otherwise (10.13), (10.14)
  double stabilisation = 0.0;           // γ: gaps and joints corrected by γ g/dt, 0 … 1
  int linearisations = 1;               // of the gaps per step, at most; above 1 they are those at the end of the step
  double gap_tolerance = 1e-6;          // penetration at which no further linearisation is needed, m
  // number of edges of the friction cone in space; 2 in the plane; 0: the round cone; −1: 8, or 0 with colliders
  int directions = -1;

  template <class V>
  void describe(V& v) {
    v.choice("forces", forces, {"implicit", "explicit"}, "linearly implicit or explicit forces");
    ImpactLaw::describe(v, impact);
    v.choice("force_jacobian", force_jacobian, {"auto", "exact", "definite"},
             "force derivatives: exact, made definite by (10.13), (10.14), or definite only if exact ones fail");
    v.optional("stabilisation", stabilisation, Range{0, 1},
               "fraction of gaps and joint errors that is removed per step");
    v.optional("linearisations", linearisations, Range{1, 100},
               "largest number of linearisations of the gaps per step; above 1 the gaps at the end of the step count");
    v.optional("gap_tolerance", gap_tolerance, Range{0, 1},
               "penetration in m that a step may leave if linearisations is above 1");
    v.optional("directions", directions, Range{-1, 64},
               "number of edges of the friction cone in space; 0: the round cone; -1: 8, or the round cone with "
               "colliders");
  }
};

// Euler steps with one complementarity problem, Anitescu and Potra 1997, 2002, on which Potra 2006 [1], [2] builds:
//   linearly implicit (6.4), (6.9) with weights 1:  M̃ (u₁ − u₀) = dt (k + dt k_q u₀) + W P,  M̃ = M − dt k_u − dt² k_q
//   explicit (6.4):                                 M (u₁ − u₀) = dt k + W P
//   (6.12), (6.13):                                 contact law for Wᵀu₁ + χ, with W at q₀
//   in place of (6.3):                              q₁ = q₀ + dt u₁
//
// With stabilisation γ (Anitescu, Hart 2004) joints obey Wᵀu₁ + χ = −γ g/dt and contacts ġ_N ≥ −γ g_N/dt. The active
// set then has the contacts that the motion without contact would close within the step. Otherwise it has those with
// g_N ≤ 0. With colliders the cone is round unless `directions` is given, and with γ > 0 all contacts that were found
// are active, because a blow may close any of them. This is as in Anitescu and Hart, where those within some distance
// are active. Between balls, and between balls and planes, the gap is a convex function of the positions. With γ = 1 no
// step then ends in penetration, apart from the error of the solver. If a contact enters the active set with ġ_N < 0
// and e_N > 0, the impact law is applied first, unless it would close again within the step. The step itself has e_N =
// 0.
//
// With linearisations > 1 (Stewart and Trinkle 1996) the contacts obey 0 ≤ g_N(q₁) ⊥ P_N ≥ 0, and joints g(q₁) = 0, by
// Newton's method: the problem is solved again with
//   g(q₁ᵏ)/dt + W(q₁ᵏ)ᵀ (u₁ − u₁ᵏ) in place of g(q₀)/dt + W(q₀)ᵀu₁,   q₁ᵏ = q₀ + dt u₁ᵏ
// until the shapes penetrate by at most `gap_tolerance` at q₁ᵏ. Contacts that are first found there join the list. The
// impulse acts along W(q₁ᵏ).
class LcpEuler final : public Stepper {
 public:
  static constexpr SchemeFacts facts{
      .name = "lcp-euler",
      .paper = "Anitescu and Potra 1997, 2002, as in Potra 2006",
      .level = "velocity, polyhedral friction",
      .order = "1",
      .summary = "one complementarity problem per step by Lemke's method, linearly implicit forces",
      .forces = SchemeFacts::Forces::mean_of_steps,
      .follows_found_contacts = true};
  using Options = LcpEulerOptions;
  LcpEuler(const ContactList& contacts, std::unique_ptr<ContactSolver> solver, const Options& options = {});
  StepReport step(State& state, double dt) override;
  // The list that the scheme was constructed with. It grows within a step if other features of two bodies touch at the
  // end of the step than at its start.
  void may_grow(ContactList& contacts) { growing_ = &contacts; }
  std::vector<ForceDerivative> force_derivatives() const override { return implicit_.derivatives(); }

 private:
  bool history(Archive& a) override { return a(law_, implicit_, active_, of_Lambda_), true; }
  static int edges(const System& system, int directions);  // of the friction cone; 0: round
  void select_active(const State& state, double dt);
  // u_1_ is the velocity without contact on entry and u₁ on return
  SolveReport solve_step(const State& state, double dt);
  bool waits(int k) const;  // for its own impact, whatever hits its bodies
  // The linearisations after the first one, until the end of the step is good enough.
  void linearise_again(const State& state, double dt, StepReport& report);
  double violation(double t);  // at q_1_; the list may grow
  void follow_growth();
  SolveReport solve_again(double t, double dt);
  bool restitution(const Vec& u);  // sets e_ of the contacts that enter; returns true if some rebounds

  const ContactList& contacts_;
  const System& system_;
  const Options options_;
  Evaluator evaluate_;
  PolyhedralLaw law_;
  ImpactLaw impact_law_;
  LinearlyImplicit implicit_;
  ActiveSet active_;
  ContactSet waiting_;
  ContactList* growing_ = nullptr;
  ContactMemory of_Lambda_;
  Vec spare_;
  Vec e_, gaps_, gaps_kept_, g_, gamma_, c_, u_1_, u_free_, q_1_;
};

}  // namespace tappet
