// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// A first iterate for the velocities from the previous smooth steps, as in src/steppers/projection/extrapolation.h.
struct Extrapolation {
  static constexpr int most_terms = 4;
  Real difference[velocity_space][most_terms];
  Real steps, useful;
  double dt;

  TAPPET_MEMBER void start() {
    steps = useful = real(0.0), dt = 0.0;
    TAPPET_UNROLL
    for (int i = 0; i < velocities; ++i) {
      TAPPET_UNROLL
      for (int k = 0; k < most_terms; ++k) difference[i][k] = real(0.0);
    }
  }
  TAPPET_MEMBER void guess(const Real* u_0, double now, Real* u_1) const {
    TAPPET_UNROLL
    for (int i = 0; i < velocities; ++i) {
      u_1[i] = u_0[i];
      TAPPET_UNROLL
      for (int k = 0; k < most_terms; ++k)
        u_1[i] += select((steps > 0.0) & (useful > real(k)) & (now == dt ? all_true() : !all_true()), difference[i][k],
                         real(0.0));
    }
  }
  // Where the step was smooth it is added. Otherwise all steps are forgotten.
  TAPPET_MEMBER void learn(Mask smooth, const Real* u_0, const Real* u_1, double now) {
    if (now != dt) steps = real(0.0);
    dt = now;
    steps = select(smooth, smaller(steps + 1.0, real(most_terms)), real(0.0));
    Real size[most_terms];
    TAPPET_UNROLL
    for (int k = 0; k < most_terms; ++k) size[k] = real(0.0);
    TAPPET_UNROLL
    for (int i = 0; i < velocities; ++i) {
      Real next = u_1[i] - u_0[i];
      TAPPET_UNROLL
      for (int k = 0; k < most_terms; ++k) {
        const Mask known = steps > real(k);
        const Real change = next;
        next -= difference[i][k];
        difference[i][k] = select(known, change, difference[i][k]);
        size[k] = larger(size[k], abs_of(change));
      }
    }
    useful = real(1.0);
    Mask shrinks = all_true();
    TAPPET_UNROLL
    for (int k = 1; k < most_terms; ++k) {
      shrinks = shrinks & (steps > real(k)) & (size[k] <= 0.5 * size[k - 1]);
      useful += zero_or_one(shrinks);
    }
  }
};

// Whether a contact is active that was not active in the last step.
struct ActiveMemory {
  Mask before[contact_space];

  TAPPET_MEMBER void start() {
    TAPPET_UNROLL
    for (int k = 0; k < contacts; ++k) before[k] = !all_true();
  }
  TAPPET_MEMBER Mask some_enter(const Mask* active) const {
    Mask some = !all_true();
    TAPPET_UNROLL
    for (int k = 0; k < contacts; ++k) some = some | (active[k] & (!before[k]));
    return some;
  }
  TAPPET_MEMBER void keep(const Mask* active) {
    TAPPET_UNROLL
    for (int k = 0; k < contacts; ++k) before[k] = active[k];
  }
};
