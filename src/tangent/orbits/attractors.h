// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tangent/orbits/orbit.h"

namespace tappet {

// An orbit to which some of the starts lead.
struct Attractor {
  Orbit orbit;
  int times = 1;            // returns in one period
  std::vector<int> starts;  // indices
};

struct Attractors {
  std::vector<Attractor> orbits;
  std::vector<std::pair<int, std::string>> others;  // starts that lead to none of few returns, and why
};

// Orbits that exist side by side: the model runs from each start, which is given as values of its parameters, until it
// has settled. Motions that then repeat after at most `most_times` returns are orbits, and equal ones are listed once.
Attractors find_attractors(const ModelSource& source, const ReturnRule& rule, const std::vector<Overrides>& starts,
                           int settle, int most_times = 8);

}  // namespace tappet
