// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "math/block_matrix.h"
#include "math/lemke.h"
#include "problem/contact_problem.h"
#include "steppers/shared/contact_memory.h"
#include "steppers/shared/poisson_law.h"
#include "system/contact_list.h"

namespace tappet {

// A contact whose friction is held at −μ P_N d whatever its slip velocity: what it would do if it went on sliding.
struct HeldSlip {
  int contact = -1;
  std::array<double, 3> d{};  // unit slip direction, in the contact's friction rows
};

// Joints and contacts of one step as a mixed linear complementarity problem, Potra 2006 (6.10), (6.11):
//   ξ = Wᵀ M̃⁻¹ W P + c,   joints ξ = 0,   0 ≤ ξ_N ⊥ P_N ≥ 0,
//   0 ≤ Dᵀξ_F + λ e ⊥ β ≥ 0,   0 ≤ μ P_N − eᵀβ ⊥ λ ≥ 0,   P_F = D β,
// the columns of D spanning the friction plane: ± in the plane, a regular polygon of `directions` edges in space, axes
// and corners of a cube with drilling friction. The joints are eliminated first (dense, shortest impulses, up to 64
// rows of joints; sparse above), the rest is Lemke's. With directions = 0 there is no polygon: the round cone and the
// contact solver, from the impulses of the last time. Where Lemke's residual is not small (a ray, a limit), the
// fallback solves the same rows under the round cone, and the report says so (solver ≥ 1); a held slip may have no
// solution (Painlevé) and is then infeasible.
class PolyhedralLaw {
 public:
  PolyhedralLaw(const ContactList& contacts, std::unique_ptr<ContactSolver> fallback, int directions);
  ~PolyhedralLaw();

  // Fill these for the joints and the contacts of the set.
  BlockRows W;
  Vec chi;  // γ = Wᵀu + χ

  void rates(const Vec& u, Vec& gamma) const;  // γ at the present W

  // M must be factored; c as above. iterations of the report: pivots.
  SolveReport solve(const ContactSet& set, const BlockMatrix& M, const Vec& c, const HeldSlip* held = nullptr);
  // The same where impulses `given` (rows [joints | set]) act already, c includes them, and friction may draw on their
  // normal parts too: eᵀβ ≤ μ (P_N + given_N).
  SolveReport solve(const ContactSet& set, const BlockMatrix& M, const Vec& c, const Vec& given);
  // The last problem of a step, and u += M⁻¹ W P: W is used up, so that a large one is held once (delassus.h).
  SolveReport finish(const ContactSet& set, const BlockMatrix& M, Vec& c, Vec& u);
  const Vec& P() const { return P_; }                             // rows [joints | set]
  void add_velocity(const BlockMatrix& M, const Vec& P, Vec& u);  // u += M⁻¹ W P

  // The edge of the friction cone's polygon along which a slip velocity is largest, of unit length.
  void slip_direction(const Law& law, const double* gamma_F, std::array<double, 3>& d) const;

 private:
  struct SparseJoints;
  struct Column {  // one unknown of the complementarity problem: which rows it acts on and in which directions
    int row = 0, rows = 0;
    std::array<double, 4> push{}, sense{};  // P += push z, w = senseᵀ ξ
  };

  int directions(const Law& law) const;
  void direction(const Law& law, int j, double* d) const;
  SolveReport solve(const ContactSet& set, const BlockMatrix& M, const Vec& c, const HeldSlip* held, const Vec* given);
  void condense();
  void lay_out(const ContactSet& set, const HeldSlip* held);
  void build(const Vec* given);
  void recover();
  SolveReport fall_back(int pivots, const Vec* given);
  SolveReport solve_round(const ContactSet& set);

  const ContactList& contacts_;
  const System& system_;
  std::unique_ptr<ContactSolver> fallback_;
  PoissonLaw poisson_;
  const int facets_;
  ContactProblem problem_;
  Lemke lemke_;
  MinimumNorm joints_;
  std::unique_ptr<SparseJoints> sparse_joints_;
  int joint_rows_ = 0, contact_rows_ = 0;
  Mat G_all_, G_, joint_block_, response_, M_, GX_;  // response_: joint impulses per contact impulse, and a constant
  Vec c_, q_, z_, w_, P_, work_, response_given_;
  ImpulseMemory last_;                      // of the round cone
  std::vector<Column> columns_;             // cone unknowns λ have rows = 0
  std::vector<std::pair<int, int>> cones_;  // first unknown and number of directions of a sliding contact
};

}  // namespace tappet
