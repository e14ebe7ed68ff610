// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tangent/orbits/orbit.h"

namespace tappet {

// Which parameter changes, and how far.
struct BranchQuestion {
  std::string parameter;
  double from = 0, to = 0;  // the branch begins at `from` and is followed until the parameter leaves this range
  int most_points = 400;
  double step = 0;  // of the arclength, where the range of the parameter has length 1; 0: 1/100
};

// A point of a branch of orbits.
struct BranchPoint {
  enum class Kind { ordinary, flip, fold, torus, grazing, end };
  Kind kind = Kind::ordinary;  // the start of a forced orbit is at the phase of the period that is farthest from events
  double parameter = 0;
  Orbit orbit;
  std::string note;  // for grazing and for the end: what happens
};
std::string_view name(BranchPoint::Kind kind);

struct Branch {
  ReturnRule rule;                  // with the phase at which its orbits start
  std::vector<BranchPoint> points;  // in the order of the arclength, with the special ones among them
};

// Follows the orbit that find_orbit() finds at `from`, by pseudo-arclength continuation, also around folds. Flips
// (period doublings), folds and Neimark–Sacker points (torus) are located between its points. A branch ends where the
// sequence of its events changes, since another family of orbits begins there. If that is because a contact grazes,
// which is where an impact gets infinitely slow or where a contact that had passed by touches, the point is located.
// `tell` is called with each point. Throws std::runtime_error if there is no orbit at `from`.
Branch follow_branch(const ModelSource& source, const ReturnRule& rule, const BranchQuestion& question, int settle,
                     const std::function<void(const BranchPoint&)>& tell = {});

// Branch switching: follows the orbits of twice the period that branch off at a flip of another branch. If the orbits
// of that branch are symmetric, those that branch off have lost their symmetry. Throws std::runtime_error if none is
// found.
Branch follow_doubling(const ModelSource& source, const Branch& single, const BranchPoint& flip,
                       const BranchQuestion& question, const std::function<void(const BranchPoint&)>& tell = {});

}  // namespace tappet
