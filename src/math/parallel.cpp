// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "math/parallel.h"

#include <tbb/global_control.h>
#include <tbb/parallel_for.h>

#include <memory>

namespace tappet {

namespace {
int count = 1;
std::unique_ptr<tbb::global_control> control;
thread_local bool in_a_loop = false;  // this thread is at work on a piece of a loop
}  // namespace

int threads() { return count; }

void use_threads(int threads) {
  if (threads == count) return;
  count = threads < 1 ? 1 : threads;
  control = std::make_unique<tbb::global_control>(tbb::global_control::max_allowed_parallelism, count);
}

namespace detail {

void parallel_ranges(int size, int grain, Range range, void* context) {
  if (in_a_loop) return range(context, 0, size);
  tbb::parallel_for(
      tbb::blocked_range<int>(0, size, grain),
      [=](const tbb::blocked_range<int>& part) {
        in_a_loop = true;
        range(context, part.begin(), part.end());
        in_a_loop = false;
      },
      tbb::simple_partitioner());
}

}  // namespace detail

}  // namespace tappet
