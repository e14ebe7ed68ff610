// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// moreau-explicit
struct MoreauExplicit {
  GapMemory gaps;
  StepMemory memory;

  TAPPET_MEMBER void start() {
    gaps.start();
    memory.forget();
  }

  template <Effort effort>
  TAPPET_MEMBER bool step(const Parameters& p, const Time& time, double tolerance, Real* q, Real* u,
                          StepResult& result) {
    Real q_1[position_space], u_1[velocity_space], gamma[row_space], forecast[contact_space];
    Mask active[contact_space];
    Point at, end;
    no_impulses(result);
    place(p, real(time.t), q, at);
    directions(p, at);
    rates(p, at, u, gamma);
    TAPPET_UNROLL
    for (int k = 0; k < contacts; ++k)
      forecast[k] = is_pressed(k) ? at.gap[k] : at.gap[k] + time.dt / 2 * gamma[stride * k];
    gaps.close(forecast, active);
    const bool some = in_any(any_contact(active));
    move(q, time.dt, u, q_1);
    accelerations(p, at, u, u_1);
    TAPPET_UNROLL
    for (int i = 0; i < velocities; ++i) u_1[i] = u[i] + time.dt * u_1[i];
    if ((some) || joints > 0) place(p, real(time.t + time.dt), q_1, end);
    if (joints > 0) hold(p, end, u_1);
    if (some) {
      directions(p, end);
      if (!contact_law<effort>(p, end, active, KnownRates{gamma}, tolerance, memory, u_1, result)) return false;
    } else {
      memory.forget();
    }
    gaps.keep(forecast);
    TAPPET_UNROLL
    for (int i = 0; i < positions; ++i) q[i] = q_1[i];
    TAPPET_UNROLL
    for (int i = 0; i < velocities; ++i) u[i] = u_1[i];
    return true;
  }
};
