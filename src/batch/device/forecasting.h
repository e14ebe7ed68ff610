// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Growth of the squares of the velocities by which the engine recognises a step that is too long for a stiff force
// (src/steppers/shared/stability.h). Such an instance counts as not solved. The engine then carries it out and says
// what is wrong.
struct StabilityWatch {
  static constexpr double growth = 1e8;
  static constexpr long long alarm_steps = 1000;
  Real largest, recent, reference, alarm;
  long long steps, next;

  TAPPET_MEMBER void start() {
    largest = recent = real(0.0), reference = real(-1.0), alarm = real(-1e300);
    steps = 0, next = 4;
  }
  TAPPET_MEMBER Mask alarmed(const Real* u) {
    Real sum = real(0.0);
    TAPPET_UNROLL
    for (int i = 0; i < velocities; ++i) sum += u[i] * u[i];
    const Mask grew = (reference >= 0.0) & (sum > growth * reference);
    const Real now = real(static_cast<double>(steps));
    const Mask again = grew & (now - alarm < real(static_cast<double>(alarm_steps)));
    alarm = select(grew, now, alarm);
    reference = select(grew, sum, reference), recent = select(grew, sum, recent), largest = select(grew, sum, largest);
    largest = larger(largest, sum);
    if (++steps == next) {
      reference = steps == 4 ? largest : recent;
      recent = largest;
      next *= 2;
    }
    return again;
  }
};

// What half-explicit-velocity and explicit-velocity have in common.
struct ForecastingTrapezoid {
  StepMemory memory;
  StabilityWatch stability;

  TAPPET_MEMBER void start() {
    memory.forget();
    stability.start();
  }

  TAPPET_MEMBER static void close(const Parameters& p, const Point& at, Mask* closed) {
    TAPPET_UNROLL
    for (int k = 0; k < contacts; ++k) closed[k] = at.gap[k] <= p.touching[k];
  }

  // The end of the step. The free velocity is that of the corrector, or that of an impact where a contact closed.
  // Contacts that stayed closed restore nothing.
  TAPPET_MEMBER static Mask some_contact_closed(const Mask* before, const Mask* now) {
    Mask some = !all_true();
    TAPPET_UNROLL
    for (int k = 0; k < contacts; ++k) some = some | (now[k] & (!before[k]));
    return some;
  }
};
