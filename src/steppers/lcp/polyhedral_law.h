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

// A contact whose friction is held at −μ P_N d for any slip velocity. It shows what would happen if the contact
// continued to slide.
struct HeldSlip {
  int contact = -1;
  std::array<double, 3> d{};  // unit slip direction, in the friction rows of the contact
};

// Joints and contacts of one step as a mixed linear complementarity problem, Potra 2006 (6.10), (6.11):
//   ξ = Wᵀ M̃⁻¹ W P + c,   joints ξ = 0,   0 ≤ ξ_N ⊥ P_N ≥ 0,
//   0 ≤ Dᵀξ_F + λ e ⊥ β ≥ 0,   0 ≤ μ P_N − eᵀβ ⊥ λ ≥ 0,   P_F = D β.
// The columns of D span the friction plane: ± in the plane, a regular polygon with `directions` edges in space, axes
// and corners of a cube with drilling friction. The joints are eliminated first (dense with the shortest impulses up to
// 64 rows of joints, sparse above). The rest is solved by Lemke's method. With directions = 0 there is no polygon: the
// contact solver uses the round cone and starts from the impulses of the last time. If the residual of Lemke's method
// is not small (a ray, a limit), the fallback solves the same rows with the round cone, and the report says so (solver
// ≥ 1). A held slip may have no solution (Painlevé) and is then infeasible.
class PolyhedralLaw {
 public:
  PolyhedralLaw(const ContactList& contacts, std::unique_ptr<ContactSolver> fallback, int directions);
  ~PolyhedralLaw();

  // Fill these for the joints and the contacts of the set.
  BlockRows W;
  Vec chi;  // γ = Wᵀu + χ

  void rates(const Vec& u, Vec& gamma) const;  // γ at the present W

  // M must be factorised, and c is as above. The iterations of the report are pivots.
  SolveReport solve(const ContactSet& set, const BlockMatrix& M, const Vec& c, const HeldSlip* held = nullptr);
  // The same if impulses `given` (rows [joints | set]) already act. c includes them, and friction may use their normal
  // parts too: eᵀβ ≤ μ (P_N + given_N).
  SolveReport solve(const ContactSet& set, const BlockMatrix& M, const Vec& c, const Vec& given);
  // Solves the last problem of a step and sets u += M⁻¹ W P. W is used up, so a large W is in memory only once
  // (delassus.h).
  SolveReport finish(const ContactSet& set, const BlockMatrix& M, Vec& c, Vec& u);
  const Vec& P() const { return P_; }                             // rows [joints | set]
  void add_velocity(const BlockMatrix& M, const Vec& P, Vec& u);  // u += M⁻¹ W P

  // The edge of the polygon of the friction cone along which a slip velocity is largest, with unit length.
  void slip_direction(const Law& law, const double* gamma_F, std::array<double, 3>& d) const;

  void archive(Archive& a) {
    a(last_);
    if (a.settles()) fallback_->forget();
  }

 private:
  struct SparseJoints;
  struct Column {  // one unknown of the complementarity problem: the rows on which it acts, and the directions
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
  bool factor_joints();  // false if they depend on each other
  MinimumNorm joints_;   // if they do
  std::vector<int> joint_pivots_;
  std::unique_ptr<SparseJoints> sparse_joints_;
  int joint_rows_ = 0, contact_rows_ = 0;
  // response_: joint impulses per contact impulse, and a constant part
  Mat G_all_, G_, joint_block_, response_, M_, GX_;
  Vec c_, q_, z_, w_, P_, work_, response_given_;
  ImpulseMemory last_;                      // of the round cone
  std::vector<Column> columns_;             // cone unknowns λ have rows = 0
  std::vector<std::pair<int, int>> cones_;  // first unknown and number of directions of a sliding contact
};

}  // namespace tappet
