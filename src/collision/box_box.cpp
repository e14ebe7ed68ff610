// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "collision/narrow_phase.h"

namespace tappet::narrow {
void box_box(const Placed& A, const Placed& B, double margin, std::vector<TouchPoint>& out) {}
void capsule_capsule(const Placed& A, const Placed& B, double margin, std::vector<TouchPoint>& out) {}
void capsule_box(const Placed& A, const Placed& B, double margin, std::vector<TouchPoint>& out) {}
}  // namespace tappet::narrow
