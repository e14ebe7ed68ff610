// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tappet/pose.h>

#include "math/wide/wide.h"
#include "steppers/generalized_alpha/held_bodies.h"
#include "steppers/shared/contact_coupling.h"
#include "steppers/shared/contact_memory.h"

namespace tappet::alpha {

// The balances (127), linearised at a trial point and solved for (a, U, Q) as functions of the multipliers z = (κ of
// position rows, Λ, λ). With K = ∂(M a − h − W λ)/∂q, C = −∂h/∂u and weights b = ∂w/∂a, c = ∂u/∂a:
//   M δQ = W δκ − R_Q,   M δU = W δΛ − R_U,   (M + b K + c C) δa = W δλ − K δQ − C δU − R_a
// The derivatives of M(q) U − W Λ and M(q) Q − W κ with respect to q are left out. Compared with M they are dt |Δu|
// times a curvature, and only in impacts. So iterations stay fast, while every matrix that is factorised has the
// sparsity of M. Then
//   (g, γ, γ̇)(z + δz) = (g, γ, γ̇) + offset + H δz.
// Joints are linear equations. If they are held (HeldBodies), z and (g, γ, γ̇) are those of the contacts alone.
class Response {
 public:
  explicit Response(const ContactList& contacts);

  // Prox parameters and weights go to the present rows of found contacts.
  void follow(const ContactMemory& memory, Vec& spare) {
    follow_rows(contacts_, memory, r, spare, 1.0);
    follow_rows(contacts_, memory, weight, spare, 1.0);
  }

  void archive(Archive& a) {
    a(r, weight, coupling_);
    if (a.reads()) make_matrices();
    a(bodies_);
  }

  // Returns false if M or the iteration matrix is singular. Joints are only held if they do not depend on each other
  // and block no contact.
  bool linearise(Balance& at, const Start& start, const Unknowns& x, bool hold_joints);
  // The same at another point of the step with the derivatives of the last call, for the same contacts. Only R and
  // `offset` are new.
  bool renew(Balance& at, const Start& start);
  bool has(const Balance& at) const {
    return size_ == at.positions + 2 * at.rows - held_positions_ - 2 * held_rows_ && contacts_taken_ == at.involved;
  }
  void move(const Balance& at, const Start& start, const Vec& dz, Unknowns& x);  // x += (δa, δU, δQ)(δz), δz

  int size() const { return size_; }            // of z, and of (g, γ, γ̇)
  int held_rows() const { return held_rows_; }  // of joints
  // From the places in z and (g, γ, γ̇) of all rows, which the next three functions give, to those without held joints,
  // and back.
  int place(const Balance& at, int all) const {
    return all - held_positions_ -
           (all < at.positions             ? 0
            : all < at.positions + at.rows ? held_rows_
                                           : 2 * held_rows_);
  }
  int all(const Balance& at, int place) const {
    const int positions = at.positions - held_positions_, rows = at.rows - held_rows_;
    return place + held_positions_ + (place < positions ? 0 : place < positions + rows ? held_rows_ : 2 * held_rows_);
  }
  static int kappa(const Balance& at, int row) { return at.position[row]; }
  static int Lambda(const Balance& at, int row) { return at.positions + row; }
  static int lambda(const Balance& at, int row) { return at.positions + at.rows + row; }

  Mat H;
  Vec offset;
  Vec r;  // prox parameter by rows of the system, 1/G with G = Wᵀ M⁻¹ W; the friction rows of a contact share one
  Vec weight;  // largest entry of the direction of a row

 private:
  void make_matrices() {  // of the present coupling
    for (BlockMatrix* matrix : {&K_, &C_, &M_hat_}) *matrix = coupling_.matrix();
    analysed_ = false;
  }
  void derivatives(Balance& at, const Unknowns& x);
  // With the joints held; returns false if that is not possible.
  bool linearise_held(Balance& at, const Start& start);
  void respond_held(const Balance& at, const Start& start, int first, int panel);
  void set_right_side(const Balance& at, const Start& start, int column, int lane);
  void own_response(const Balance& at, int b);  // M⁻¹ W of one joint or contact, in own_, as far as it acts on itself
  void unit_multipliers(const Balance& at, const Start& start);
  bool factor(Balance& at, const Start& start);
  void start_column_of_residual(Balance& at);
  // δa from δQ, δU and the right-hand side in δa, and the change of (g, γ, γ̇), of four columns side by side.
  void respond_and_observe(const Balance& at, const Start& start, int first);
  void respond();
  void respond_one_by_one(int first, int count);
  void observe(const Balance& at, const Start& start);
  void observe(const Balance& at, int b, const Four* a, const Four* p, const Four* v);
  void prox_parameters(const Balance& at, int b);  // from own_

  const ContactList& contacts_;
  const System& system_;
  int size_ = 0, held_rows_ = 0, held_positions_ = 0;
  bool forces_move_, uncoupled_ = false;  // uncoupled: K = 0 and C = 0
  ContactCoupling coupling_;
  BlockMatrix K_, C_, M_hat_;
  HeldBodies bodies_;
  bool analysed_ = false;  // whether bodies_ belongs to these matrices
  BlockRows gamma_q_, gamma_dot_q_, gamma_dot_u_;
  Mat da_, dU_, dQ_;           // columns: those of z, then that of −R, then room for a panel
  ContactSet contacts_taken_;  // at the last linearisation
  // If M̂ is one dense block: its factors.
  Mat LU_;
  std::vector<int> pivots_;
  // Four columns side by side, each of the size of the velocities or of (g, γ, γ̇).
  struct Panel {
    Vec numbers;
    Four* data() { return reinterpret_cast<Four*>(numbers.data()); }
    const Four* data() const { return reinterpret_cast<const Four*>(numbers.data()); }
  };
  Panel a_, U_, Q_, p_, v_, work_, rows_;
  Vec direction_, shift_, force_;
  Vec own_;                   // by rows and columns of a block of W
  std::vector<Mat3d> right_;  // of the rotations, from a displacement along w to one along the velocities at q₁
};

}  // namespace tappet::alpha
