// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "collision/hull/nearest.h"
#include "collision/narrow_phase.h"

namespace tappet::narrow {

// Names of what of A meets what of B. A vertex keeps its name whatever part of the other hull it meets.
constexpr std::uint64_t hull_vertex_of_A(int vertex) { return std::uint64_t{1} << 60 | static_cast<unsigned>(vertex); }
constexpr std::uint64_t hull_vertex_of_B(int vertex) { return std::uint64_t{2} << 60 | static_cast<unsigned>(vertex); }
constexpr std::uint64_t hull_edges(int edge_A, int edge_B) {
  return std::uint64_t{3} << 60 | static_cast<std::uint64_t>(edge_A) << 30 | static_cast<unsigned>(edge_B);
}

// Two rounded hulls. Where a face or an edge of one lies on a face of the other, the touch points are the corners of
// the common patch. The nearest features are always among them.
void hull_hull(const Placed& A, const Placed& B, double margin, WarmPair& warm, std::vector<TouchPoint>& out);
void hull_plane(const Placed& A, const Placed& B, double margin, std::vector<TouchPoint>& out);

}  // namespace tappet::narrow
