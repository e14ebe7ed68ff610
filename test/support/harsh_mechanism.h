// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "support/random_mechanism.h"

// Mechanisms of bodies in the plane and in space, drawn at random to be hard: masses over six decades, friction from 0
// to 2, restitution from 0 to 1, joints in loops, drives and motors, contacts of the file and colliders of all kinds.
// The same seed gives the same text on every machine. `parameters` and `state` are empty.
namespace tappet::test {

inline constexpr int harsh_kinds = 8;

// The kinds take turns: seeds 0 … harsh_kinds − 1 give one of each.
RandomMechanism harsh_mechanism(std::uint64_t seed);

}  // namespace tappet::test
