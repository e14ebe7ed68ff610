// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "collision/pair_error.h"
#include "system/system.h"

namespace tappet {

// Calls search(). If two colliders stop it, the error that goes on names their bodies.
template <class Search>
void with_names(const System& system, Search&& search) try {
  search();
} catch (const PairError& error) {
  const auto name = [&](int body) { return body < 0 ? "ground" : system.model().bodies[body].name; };
  throw PairError(error.body_A, error.body_B, name(error.body_A) + " and " + name(error.body_B) + ": " + error.what());
}

}  // namespace tappet
