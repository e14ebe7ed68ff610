// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

namespace tappet {

int default_threads();  // the number of cores of this machine

// Calls job(0) … job(count − 1), each once, on `threads` threads, in this order as threads become free. If a job throws
// an exception, jobs that have not begun are skipped and the exception is thrown again here.
void run_jobs(int count, int threads, const std::function<void(int)>& job);

// The processor time of the calling thread. Other programs on the machine affect it less than the wall-clock time.
double thread_seconds();

}  // namespace tappet
