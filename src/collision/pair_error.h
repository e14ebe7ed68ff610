// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>

#include "collision/narrow_phase.h"

namespace tappet {

// Two colliders have come into a position in which their contacts cannot be computed. ContactList adds the names of the
// bodies.
struct PairError : std::runtime_error {
  PairError(int A, int B, const std::string& what) : std::runtime_error(what), body_A(A), body_B(B) {}
  PairError(const Placed& A, const Placed& B, const std::string& what) : PairError(A.body, B.body, what) {}
  int body_A, body_B;  // −1: the ground
};

}  // namespace tappet
