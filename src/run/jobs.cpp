// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "run/jobs.h"

#include <time.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace tappet {

int default_threads() { return std::max(1, static_cast<int>(std::thread::hardware_concurrency())); }

double thread_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

void run_jobs(int count, int threads, const std::function<void(int)>& job) {
  std::atomic<int> next{0};
  std::exception_ptr failure;
  std::mutex failing;
  const auto work = [&] {
    for (int k = next++; k < count; k = next++) try {
        job(k);
      } catch (...) {
        const std::scoped_lock lock(failing);
        if (!failure) failure = std::current_exception();
        next = count;
      }
  };
  std::vector<std::thread> others;
  try {
    for (int i = 1; i < std::min(threads, count); ++i) others.emplace_back(work);
  } catch (const std::system_error&) {  // not enough memory for so many threads: those there are do all the work
  }
  work();
  for (std::thread& thread : others) thread.join();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace tappet
