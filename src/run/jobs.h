// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

namespace tappet {

int default_threads();  // the cores of this machine

// Calls job(0) … job(count − 1), each once, on `threads` threads, in this order as threads become free. An exception
// ends the calls that have not begun and is thrown again here.
void run_jobs(int count, int threads, const std::function<void(int)>& job);

// Processor time of the calling thread: other programs on the machine change it less than the clock on the wall.
double thread_seconds();

}  // namespace tappet
