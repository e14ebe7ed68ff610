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
}  // namespace

int threads() { return count; }

void use_threads(int threads) {
  if (threads == count) return;
  count = threads < 1 ? 1 : threads;
  control = std::make_unique<tbb::global_control>(tbb::global_control::max_allowed_parallelism, count);
}

namespace detail {

void parallel_ranges(int size, int grain, Range range, void* context) {
  tbb::parallel_for(
      tbb::blocked_range<int>(0, size, grain),
      [=](const tbb::blocked_range<int>& part) { range(context, part.begin(), part.end()); }, tbb::simple_partitioner());
}

}  // namespace detail

}  // namespace tappet
