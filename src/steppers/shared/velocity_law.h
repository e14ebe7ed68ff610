// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "problem/contact_problem.h"
#include "problem/joints/held_contacts.h"
#include "steppers/shared/contact_memory.h"
#include "steppers/shared/factorised_mass.h"
#include "steppers/shared/poisson_law.h"
#include "steppers/shared/propagation.h"
#include "steppers/stepper.h"
#include "system/evaluator.h"

namespace tappet {

enum class Impact { newton, poisson, sequential, energetic, hertz };
Impact impact_named(const std::string& name);
std::string_view name(Impact impact);

// The option `impact` of all schemes whose impacts are those of a VelocityLaw.
template <class V>
void describe_impact(V& v, std::string& impact) {
  v.choice(
      "impact", impact, {"newton", "poisson", "sequential", "energetic", "energetic-hertz"},
      "law of impact: Newton's (velocities), Poisson's (impulses), or one that travels through bodies (no friction)");
}

// Schemes whose only option is the law of impact.
struct ImpactOptions {
  std::string impact = "newton";

  template <class V>
  void describe(V& v) {
    describe_impact(v, impact);
  }
};

// The contact law on velocity level that ends the step of many schemes, joints included, with Newton's restitution:
//   M̂ (u₁ − u_free) = W P,   ξ = Wᵀu₁ + χ + e ∘ γ⁻,   −ξ ∈ N_C(P).
// With Poisson's law (PoissonLaw) the compression acts on γ⁻ alone, −(γ⁻ + G Pᶜ) ∈ N_C(Pᶜ). Then the decompression acts
// on the result of the whole step, from u_free + M̂⁻¹W Pᶜ. So a contact at rest, γ⁻ = 0, has nothing to restore. P = Pᶜ
// + Pᵉ. With a law that propagates (Propagation) the impact of γ⁻ comes first. Then the contact law without restitution
// holds for what the step adds: −(Wᵀu₁ + χ) ∈ N_C(P − Pⁱ), where u_free has been changed by M̂⁻¹W Pⁱ. The impulses of
// the last step are kept by contact, as the warm start of the next.
//
// Joints are eliminated (JointElimination), so that the contact solver only sees contacts, and is not called without
// them. In these cases the joints are part of the contact problem instead: they depend on each other or on the
// contacts, so that their impulses are not unique and the solver has to choose; there are so many contacts that the
// solver wants a sparse G, which elimination would fill; or impacts follow another law than Newton's.
class VelocityLaw {
 public:
  VelocityLaw(const ContactList& contacts, std::unique_ptr<ContactSolver> solver, Impact impact = Impact::newton);

  // Fill these for the joints and the contacts of the set, then solve.
  BlockRows W;
  Vec chi;           // γ = Wᵀu + χ
  Vec gamma_before;  // γ⁻, for restitution; empty if there is none

  // γ⁻ = Wᵀu + χ at the present W
  void rates(const Vec& u, Vec& gamma) const;
  // γ⁻ of these velocities at the present W, as far as the law of impact reads it. Newton's law only reads it if a
  // contact of the set has something to restore, and does not read the rows of joints.
  void rates_before(const ContactSet& set, const Vec& u);

  // u is the velocity without contact on entry and u₁ on return. M must be factorised.
  SolveReport solve(const ContactSet& set, const GivenInertia& M, Vec& u) { return solve(set, M, W, u); }
  // The same if the impulses act along other directions than those that the law judges: M (u₁ − u_free) = W_0 P.
  SolveReport solve(const ContactSet& set, const GivenInertia& M, const BlockRows& W_0, Vec& u);
  // The same with M and W_0 as in the last solve of the same set, whose response is used again.
  SolveReport solve_again(const ContactSet& set, const GivenInertia& M, const BlockRows& W_0, Vec& u);

  // The same if an impact is spread over several steps and the friction law holds for all of it. `given`, rows [joints
  // | set], are the impulses of the contacts in the previous steps, and P() are those of this step:
  //   0 ≤ ξ_N ⊥ P_N ≥ 0,   −ξ_F ∈ N_{‖·‖ ≤ μ (given_N + P_N)}(given_F + P_F)
  SolveReport solve_on_top(const ContactSet& set, const BlockMatrix& M, const Vec& given, Vec& u);

  // The scheme tries each step without contacts first. Impulses of the previous step are then still a good start.
  void start_without_contacts() { last_.outlast(1); }

  void archive(Archive& a) {
    a(last_);
    if (a.settles()) solver_->forget();
  }

  ContactSolver& solver() { return *solver_; }  // for the position-level problems of the same step

  const Vec& P() const { return P_; }                   // rows [joints | set]
  void scatter(const ContactSet& set, Vec& all) const;  // P in the system's row order, zero elsewhere

 private:
  enum class Responds { none, joints, problem };  // what the response of the last solve is kept in
  SolveReport solve(const ContactSet& set, const GivenInertia& M, const BlockRows& W_0, bool again, Vec& u);
  bool eliminates_joints(const ContactSet& set, const BlockMatrix& M);
  // These two return nothing, and leave u as it is, if the joints cannot be eliminated.
  std::optional<SolveReport> solve_without_joints(const ContactSet& set, const GivenInertia& M, const BlockRows& W_0,
                                                  bool again, Vec& u);
  std::optional<SolveReport> solve_contacts(const ContactSet& set, const BlockMatrix& M, const BlockRows& W_0, double e,
                                            Vec& u);
  void pose_contacts(const ContactSet& set, const Vec& u);
  SolveReport solve_assembled(const ContactSet& set, Vec& u);
  SolveReport nothing_to_solve();
  bool rebounds(const ContactSet& set);
  void add_restitution(const ContactSet& set);  // adds it to the right-hand side of the problem
  SolveReport solve_after_poisson(const ContactSet& set, Vec& u);
  bool propagates(const ContactSet& set);
  SolveReport solve_after_propagation(const ContactSet& set, Vec& u);

  const ContactList& contacts_;
  const System& system_;
  std::unique_ptr<ContactSolver> solver_;
  const Impact impact_;
  ContactProblem problem_;
  PoissonLaw poisson_;
  std::optional<Propagation> propagation_;
  Vec P_, e_, restored_, decompression_, response_, stiffness_;
  JointElimination joints_;
  Responds responds_ = Responds::none;
  HeldContacts held_;
  Vec rates_, u_held_, P_contacts_;
  ImpulseMemory last_;
};

}  // namespace tappet
