// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/loading.h"

namespace tappet {

// The node of a name such as a.x, a.vx, a.angle or a.Rxz, which is a quantity of the state of the body a. It is −1 if
// there is no such name.
//   point    x y z, vx vy vz
//   planar   x y phi (or angle), vx vy wz (or omega)
//   rigid    x y z, vx vy vz in the world, wx wy wz in the frame of the body, the quaternion qw qx qy qz, and the
//            rotation matrix Rxx Rxy … Rzz from the frame of the body to the world: Rxz is the x component of its z
//            axis
// Positions may have a prime: a.x' is a.vx. A revolute or prismatic joint has angle or displacement, and speed. If a
// body has the same name, its quantities come first.
Node state_named(Loading& loading, std::string_view name);

// The input slot of a quantity of the state.
Node state_node(Loading& loading, const StateInput& input);

// The index of a body by its name, or −1 if there is none.
int find_body(const Loading& loading, const std::string& name);

}  // namespace tappet
