// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "model/loading.h"

namespace tappet {

// The places of the bodies of a generated group, relative to the `position:` of the entry:
//   grid:    {count: [a, b, c], spacing: [x, y, z] or one number, jitter: 0, seed: 0}
//   pyramid: {count: n, spacing: [x, 0, z]}                 rows of n, n − 1, … 1 along x, stacked along z
//   random:  {count: n, box: [[x, y, z], [x, y, z]], distance: d, seed: 0}     no two closer than d
// `jitter` is the largest random displacement along each axis. The same seed gives the same bodies on every machine.
std::vector<Vec3d> generated_offsets(const Loading& loading, const Item& body);

// Whether the entry of a body has one of these keys; and a list of all of them, for the check of keys.
bool is_generated(const Item& body);
const std::vector<std::string>& generator_keys();

}  // namespace tappet
