// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "math/lists/type_list.h"
#include "model/geometry/convex_geometry.h"
#include "model/geometry/profile_geometry.h"
#include "model/geometry/terrain_geometry.h"

namespace tappet {

// The types of the section `geometry:`. To add one, write its file and add a line here. A type has a name, a text
// `about`, the keys in describe(), and
//   std::shared_ptr<const Solid> make(const Item& item, Loading& loading) const
// which makes the solid from what was read. It complains at the item, and may add a warning to the model.
using Geometries = List<ProfileGeometry, ConvexGeometry, TerrainGeometry>;

}  // namespace tappet
