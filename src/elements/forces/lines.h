// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tappet {

// How stiff a force is along its lines; see lines() in derive.h.
struct Lines {
  int count = 0;
  double stiffness = 0.0, damping = 0.0;
};

}  // namespace tappet
