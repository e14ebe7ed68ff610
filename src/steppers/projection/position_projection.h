// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "problem/contact_problem.h"
#include "problem/joints/held_contacts.h"
#include "steppers/stepper.h"
#include "system/evaluator.h"

namespace tappet {

// The identity as a metric. Every velocity is a block by itself, so projections stay as sparse as the contacts.
class Identity final : public Inertia {
 public:
  explicit Identity(int size);
  int size() const override { return static_cast<int>(index_.size()); }
  void solve(std::span<double>) const override {}
  int block_count() const override { return size(); }
  int block_of(int velocity) const override { return velocity; }
  std::span<const int> block(int b) const override { return {index_.data() + b, 1}; }
  void solve_block(int, std::span<double>) const override {}
  bool symmetric() const override { return true; }
  bool has_roots() const override { return true; }

 private:
  std::vector<int> index_;
};

// From the rows [joints | contacts] of the velocities to those of the positions: joints that have a position level, and
// the normal of each contact.
void position_rows(const ContactList& contacts, const ContactSet& set, bool joints, const BlockRows& W, BlockRows& G);

struct ProjectionSettings {
  bool joints = true;        // project onto the joints too
  double tolerance = 1e-15;  // violation that may be left, m or rad
  int iterations = 20;
};

// Moves positions back onto the constraints, Acary 2012, (58) and (60):
//   q₁ = q̃ ⊕ s,  s = N G τ,   joints g(q₁) = 0,   contacts 0 ≤ g(q₁) ⊥ τ ≥ 0, or g(q₁) = 0 with τ of any sign
// where N is the identity or the inverse of a mass matrix. Each iteration solves the linearised problem
//   0 ≤ g(qⁿ) − Gᵀsⁿ + GᵀN G τ ⊥ τ ≥ 0
// for the whole τ. G = G(q₁), unless other directions are given. Joints are eliminated (JointElimination), unless they
// depend on each other or on the contacts.
class PositionProjection {
 public:
  // A violation that is accepted if it no longer decreases because of round-off of the gaps, m or rad.
  static constexpr double acceptable = 1e-12;

  PositionProjection(const ContactList& contacts, ContactSolver& solver, const ProjectionSettings& settings);

  struct Result {
    bool changed = false;  // s is another one
    int iterations = 0;    // linear problems solved
    SolveReport solve;
  };

  void start() { tau_.resize(0), round_off_ = 0.0; }  // s = 0 from here

  // `set` holds the contacts that are projected. If `may_grow`, contacts that are violated on the way are added. If
  // equal[i] is true, contact set[i] is held at g = 0 (an empty list means none). If contacts cannot all be held
  // (release()), equal[i] becomes false for some of them. q = q̃ ⊕ s on entry and return.
  Result project(Evaluator& evaluate, double t, const Vec& q_free, const Inertia& metric, ContactSet& set,
                 bool may_grow, std::vector<char>& equal, Vec& q, Vec& s);

  // From now on G is taken at these positions instead of q₁.
  void fix_directions(const Vec& q, double t) { q_fixed_ = &q, t_fixed_ = t; }

  const Vec& gaps() const { return gaps_; }  // at the last q of project()
  const Vec& tau() const { return tau_; }    // rows [joints with a position level | set]
  void scatter(const ContactSet& set, Vec& tau_of_contacts) const;

 private:
  double violation(const ContactSet& set, const std::vector<char>& equal) const;
  bool release(std::vector<char>& equal) const;  // returns whether there was a contact to release
  void laws(const ContactSet& set, const std::vector<char>& equal);
  void aim(Evaluator& evaluate, double t, const ContactSet& set, const std::vector<char>& equal, const Vec& q);  // G
  void pose(const ContactSet& set, const Vec& s);    // the linearised gaps and joints after the way s from q_free
  SolveReport solve(const Inertia& metric, Vec& s);  // τ and s
  // The same without the joints; if it returns false, solve() has to do it. `again`: with the G of the last call.
  bool solve_without_joints(const Inertia& metric, bool again, Vec& s, SolveReport& report);
  bool solve_contacts(const Inertia& metric, bool again, Vec& s, SolveReport& report);

  const ContactList& contacts_;
  const System& system_;
  ContactSolver& solver_;
  const ProjectionSettings settings_;
  const Vec* q_fixed_ = nullptr;
  double t_fixed_ = 0.0;
  ContactProblem problem_;
  BlockRows W_, G_;
  int joint_rows_ = 0, joints_with_rows_ = 0;
  JointElimination joints_;
  HeldContacts held_;
  ContactProblem contact_problem_;  // of the contacts alone
  Vec contact_tau_;
  double round_off_ = 0.0;  // violation at which the projections of this step no longer improve
  Vec chi_, joint_residuals_, gaps_, tau_, s_new_;
};

}  // namespace tappet
