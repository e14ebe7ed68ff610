// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "steppers/projection/projected_theta.h"

namespace tappet {

struct CombinedProjectionOptions : ProjectedThetaOptions {
  std::string first_set = "pressed";
  int halvings = 5;

  template <class V>
  void describe(V& v) {
    ProjectedThetaOptions::describe(v);
    v.choice("first_set", first_set, {"pressed", "empty"},
             "a step starts with the contacts that were pressed in the step before, or with none, as in the paper");
    v.optional("halvings", halvings, Range{0, 20}, "largest number of times that a failed step is halved");
  }
};

// The combined projection and activation scheme of Acary 2012, Algorithm 2. Starting from I = ∅, it repeats
//   M(q_θ)(u₁ − u₀) − dt F(t_θ, q_θ, u_θ) = G(q₁) P
//   q₁ = q₀ + dt u_θ + N G(q₁) τ
//   on I:  −(U₁ + e U₀) ∈ N_C(P)
//          g(q₁) = 0, τ of any sign  if P_N > 0;   0 ≤ g(q₁) ⊥ τ ≥ 0  otherwise           (65), (68)
//   I ← I ∪ {g(q₁) ≤ 0}                                                                   (66)
// until I no longer changes. "P_N > 0" means above CoupledNewton::pressed. Otherwise round-off would change the branch
// from pass to pass.
//
// A contact that was pressed in the last step is at gap zero, and is usually pressed again. So I starts with these
// contacts, which saves the passes that would find them. If one of them opens, the step starts again from ∅. A step
// that does not converge is taken as two half steps, and so on.
class CombinedProjection final : public ProjectedTheta {
 public:
  static constexpr SchemeFacts facts{
      .name = "combined-projection",
      .paper = "Acary 2012, (65), (66), Algorithm 2",
      .level = "velocity and position",
      .order = "1",
      .summary = "contacts that are projected become active; no penetration, bodies come to rest",
      .follows_found_contacts = true};
  using Options = CombinedProjectionOptions;
  CombinedProjection(const ContactList& contacts, std::unique_ptr<ContactSolver> solver, const Options& options = {});
  StepReport step(State& state, double dt) override;

  // The list may get contacts within a step (ContactList::grow), so that colliders do not penetrate each other with
  // features that were not found at the start of the step.
  void may_grow(ContactList& contacts) { growing_ = &contacts; }

 private:
  bool history(Archive& a) override { return a(pressed_, pause_, pause_left_), ProjectedTheta::history(a); }
  static constexpr int most_rounds = 8;
  void advance(State& state, double dt, StepReport& report);  // a step, or two of its halves
  // u₁, q₁ of a step; returns whether they are those of newton(). The report says whether it has converged.
  bool solve(const State& state, double dt, StepReport& report);
  void start_passes(const State& state, double dt, bool coupled);
  // Passes until I is complete, or until one fails.
  void complete_set(const State& state, double dt, bool coupled, StepReport& report);
  // (65) for the present I. Returns whether the projection knows the gaps at q₁.
  bool pass(const State& state, double dt, StepReport& report);
  // The positions at the time t; `shifted` becomes whether they are others. Returns false if this fails.
  bool project(double t, bool& shifted, StepReport& inner, StepReport& report);
  void coupled_pass(const State& state, double dt, StepReport& report);
  void choose_branches();           // equal_
  void note_released();             // contacts that the projection could not hold
  bool start_with_pressed();        // the first I; returns whether it has contacts
  bool opened() const;              // whether a contact of the first I is not pressed and has opened
  bool find_more(const Vec& q_1);   // contacts between colliders that penetrate each other; returns whether there are
  void note_pressed(const Vec& P);  // rows [joints | I]

  const Options options_;
  const bool has_joints_;
  ContactList* growing_ = nullptr;
  std::vector<char> equal_;
  ByContact<char> released_;  // in this step the contact is not held at g = 0 (PositionProjection::release)
  ByContact<char> pressed_;   // in the step before
  double smallest_dt_ = 0.0;  // steps of this length are not halved
  // If the halves of a step do not converge either, the next steps are not halved, and more of them each time.
  static constexpr int longest_pause = 256;
  int pause_ = 1, pause_left_ = 0;
  ContactMemory of_impulses_;  // the list that the rows of impulses_.P belong to
  Vec impulses_before_;        // of the parts of the step so far
  Vec gaps_, gamma_0_, rates_0_;
};

}  // namespace tappet
