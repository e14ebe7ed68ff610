// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

// Planar mechanisms with impacts and friction, drawn at random: the same seed gives the same text on every machine.
namespace tappet::test {

struct RandomMechanism {
  std::string kind;                     // "masses", "pendulum", "belt", "rod", "linkage", "discs", "train"
  std::string text;                     // a model file
  std::vector<std::string> parameters;  // all of them; those with a name that ends in _0 set the start
  std::vector<std::string> state;       // the coordinates, without their velocities
  double end = 0;                       // s; a handful of events happen until then
};

// The kinds take turns: seeds 0 … 6 give one of each.
RandomMechanism random_mechanism(std::uint64_t seed);

}  // namespace tappet::test
