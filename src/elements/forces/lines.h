// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tappet {

// The stiffness of a force along its lines; see lines() in derive.h.
struct Lines {
  int count = 0;
  double stiffness = 0.0, damping = 0.0;
};

}  // namespace tappet
