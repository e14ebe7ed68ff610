// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// moreau-midpoint
struct MoreauMidpoint {
  GapMemory gaps;
  StepMemory memory;

  TAPPET_MEMBER void start() {
    gaps.start();
    memory.forget();
  }

  template <Effort effort>
  TAPPET_MEMBER bool step(const Parameters& p, const Time& time, double tolerance, Real* q, Real* u,
                          StepResult& result) {
    Real q_M[position_space], u_1[velocity_space];
    Mask active[contact_space];
    Point at;
    no_impulses(result);
    move(q, time.dt / 2, u, q_M);
    place(p, real(time.t + time.dt / 2), q_M, at);
    accelerations(p, at, u, u_1);
    TAPPET_UNROLL
    for (int i = 0; i < velocities; ++i) u_1[i] = u[i] + time.dt * u_1[i];
    hold(p, at, u_1);
    gaps.close(at.gap, active);
    const bool some = in_any(any_contact(active));
    if (some) {
      directions(p, at);
      if (!contact_law<effort>(p, at, active, RatesOf{u}, tolerance, memory, u_1, result)) return false;
    } else {
      memory.forget();
    }
    gaps.keep(at.gap);
    move(q, time.dt / 2, u, u_1, q);
    TAPPET_UNROLL
    for (int i = 0; i < velocities; ++i) u[i] = u_1[i];
    return true;
  }
};
