// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0

// In this program the steady clock is the processor time of the process, so that the budget of a solver does not depend
// on what else the machine does. It takes the place of the function of the C library.
#include <sys/syscall.h>
#include <unistd.h>

#include <ctime>

extern "C" int clock_gettime(clockid_t clock, timespec* time) noexcept {
  return static_cast<int>(
      syscall(SYS_clock_gettime, clock == CLOCK_MONOTONIC ? CLOCK_PROCESS_CPUTIME_ID : clock, time));
}
