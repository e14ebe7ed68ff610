// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>

#include "run/options.h"
#include "run/simulate.h"

namespace tappet {

TimeGrid::TimeGrid(double dt, double end, double start) : dt_(dt), end_(end), start_(start) {
  if (!(dt > 0) || !std::isfinite(dt))
    throw UsageError(fmt::format("dt is {}; expected a positive step in seconds", dt));
  if (!(end > 0) || !std::isfinite(end))
    throw UsageError(fmt::format("end is {}; expected a positive time in seconds", end));
  if (!(end > start))
    throw UsageError(fmt::format("end is {:g} s, and the run starts at {:g} s; expected a later end", end, start));
  const double ratio = (end - start) / dt, nearest = std::round(ratio);
  if (end / dt > 1e15) throw UsageError(fmt::format("end/dt is {:.3g} steps; expected fewer than 1e15", end / dt));
  clipped_ = nearest < 1 || std::abs(ratio - nearest) > 1e-9 * nearest;
  steps_ = static_cast<long>(clipped_ ? std::ceil(ratio) : nearest);
  const double before = std::round(start / dt);  // the number of steps before the start, if that is a whole number
  if (std::abs(start / dt - before) <= 1e-9 * std::max(1.0, std::abs(before)))
    first_ = static_cast<long>(before);
  else
    offset_ = start;
}

double TimeGrid::dt(long k) const { return clipped_ && k == steps_ - 1 ? end_ - t(k) : dt_; }

}  // namespace tappet
