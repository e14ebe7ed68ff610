// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdio>
#include <string>

// What the cases measure, the same of every engine, in the words of the table. (C++17, as row.h.)
namespace peers {

template <class... Values>
std::string text(const char* format, Values... values) {
  char line[200];
  std::snprintf(line, sizeof line, format, values...);
  return line;
}

// Of a ball dropped by `drop` that comes back with e: its first apex is e² drop.
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

// Of a ball that slides at 1 m/s on a plane with friction: it stays there and comes to roll at 5/7 m/s.
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

// Of a block that must stay where it is on a slope; the engine has settled it by the tenth part of the run.
inline std::string creep_error(double creep) { return text("creep from 1 s to 10 s %.3g um", 1e6 * creep); }

// Of bodies that come to rest in a box, at the end [m, m/s]; of bodies that must stay where they are [m].
inline std::string rest_error(double depth, double rms_speed) {
  return text("at the end %.3g um deep, rms speed %.2g mm/s", 1e6 * depth, 1e3 * rms_speed);
}
inline std::string shift_error(double shift) { return text("largest shift %.3g um", 1e6 * shift); }

// Of mechanisms without friction: energy at the end against that of the start; its largest change against the energy
// `scale`; the largest distance of what a joint holds together.
inline std::string energy_error(double at_end, double at_first, double gap) {
  return text("energy %+.2g %%, joint gap %.2g m", 100.0 * (at_end / at_first - 1.0), gap);
}
inline std::string drift_error(double drift, double scale, double gap) {
  return text("energy %.2g %% of m g L/2, joint gap %.2g m", 100.0 * drift / scale, gap);
}

}  // namespace peers
