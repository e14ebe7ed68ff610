// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdio>
#include <string>

// The quantities that the cases measure, the same for every engine, in the words of the table. (C++17, as row.h.)
namespace peers {

template <class... Values>
std::string text(const char* format, Values... values) {
  char line[200];
  std::snprintf(line, sizeof line, format, values...);
  return line;
}

// For a ball that is dropped by `drop` and rebounds with e. Its first apex is e² drop.
struct FirstApex {
  double penetration = 0.0, apex = 0.0;
  bool rising = false, done = false;

  void see(double z, double v) {
    penetration = std::max(penetration, -z);
    if (v > 0.0) rising = true;
    if (rising && !done) apex = std::max(apex, z);
    if (rising && v < 0.0 && z > 0.01) done = true;
  }
  std::string error(double e, double drop) const {
    return text("first apex %+.3g %%", 100.0 * (apex / (e * e * drop) - 1.0));
  }
};

// For a ball that slides at 1 m/s on a plane with friction. It stays on the plane and finally rolls at 5/7 m/s.
struct Rolling {
  double penetration = 0.0, lift_off = 0.0;

  void see(double z) {
    penetration = std::max(penetration, -z);
    lift_off = std::max(lift_off, z);
  }
  std::string error(double v) const {
    return text("lift-off %.3g um, rolls at 5/7 m/s %+.2g %%", 1e6 * lift_off, 100.0 * (v * 1.4 - 1.0));
  }
};

// For a block that must not move on a slope. The engine has settled it after a tenth of the run.
inline std::string creep_error(double creep) { return text("creep from 1 s to 10 s %.3g um", 1e6 * creep); }

// For bodies that come to rest in a box, at the end [m, m/s]; and for bodies that must not move [m].
inline std::string rest_error(double depth, double rms_speed) {
  return text("at the end %.3g um deep, rms speed %.2g mm/s", 1e6 * depth, 1e3 * rms_speed);
}
inline std::string shift_error(double shift) { return text("largest shift %.3g um", 1e6 * shift); }

// For mechanisms without friction: energy at the end compared with the start; its largest change compared with the
// energy `scale`; the largest distance of points that a joint holds together.
inline std::string energy_error(double at_end, double at_first, double gap) {
  return text("energy %+.2g %%, joint gap %.2g m", 100.0 * (at_end / at_first - 1.0), gap);
}
inline std::string drift_error(double drift, double scale, double gap) {
  return text("energy %.2g %% of m g L/2, joint gap %.2g m", 100.0 * drift / scale, gap);
}

}  // namespace peers
