// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>

#include "run/options.h"
#include "run/simulate.h"

namespace tappet {

TimeGrid::TimeGrid(double dt, double end) : dt_(dt), end_(end) {
  if (!(dt > 0) || !std::isfinite(dt))
    throw UsageError(fmt::format("dt is {}; expected a positive step in seconds", dt));
  if (!(end > 0) || !std::isfinite(end))
    throw UsageError(fmt::format("end is {}; expected a positive time in seconds", end));
  const double ratio = end / dt, nearest = std::round(ratio);
  if (ratio > 1e15) throw UsageError(fmt::format("end/dt is {:.3g} steps; expected fewer than 1e15", ratio));
  clipped_ = nearest < 1 || std::abs(ratio - nearest) > 1e-9 * nearest;
  steps_ = static_cast<long>(clipped_ ? std::ceil(ratio) : nearest);
}

double TimeGrid::dt(long k) const { return clipped_ && k == steps_ - 1 ? end_ - t(k) : dt_; }

}  // namespace tappet
