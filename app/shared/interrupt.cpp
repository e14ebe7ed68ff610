// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "shared/interrupt.h"

#include <signal.h>

namespace {

std::atomic<bool> flag = false;
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may set it");

}  // namespace

const std::atomic<bool>& interrupted() {
  struct sigaction action = {};
  action.sa_handler = [](int) { flag = true; };
  action.sa_flags = SA_RESETHAND | SA_RESTART;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  return flag;
}
