// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace tappet::kernels {

// What a kernel knows of a body. A planar one has three velocities, and its pose is x, y, cosine, sine and angle. A
// spatial one has six, and its pose is any; every other frame (a mass point, a node of a flexible body, and also a
// planar body or the ground) is a spatial one whose remaining columns are not asked for.
enum class Kind : std::uint8_t { ground, planar, spatial };

// The pairs of bodies for which there are kernels.
struct Family {
  Kind A, B;
  bool in_plane() const { return A != Kind::spatial && B != Kind::spatial; }
  friend bool operator==(const Family&, const Family&) = default;
};
inline constexpr std::array<Family, 6> families{{{Kind::planar, Kind::planar},
                                                 {Kind::planar, Kind::ground},
                                                 {Kind::ground, Kind::planar},
                                                 {Kind::spatial, Kind::spatial},
                                                 {Kind::spatial, Kind::ground},
                                                 {Kind::ground, Kind::spatial}}};

// Which of the twelve numbers of both twists a pair has.
inline std::vector<int> columns(Family family) {
  std::vector<int> list;
  for (int side = 0; side < 2; ++side) {
    const Kind kind = side == 0 ? family.A : family.B;
    for (int i = 0; i < 6; ++i)
      if (kind == Kind::spatial || (kind == Kind::planar && (i < 2 || i == 5))) list.push_back(6 * side + i);
  }
  return list;
}

}  // namespace tappet::kernels
