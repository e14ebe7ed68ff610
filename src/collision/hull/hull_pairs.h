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
// The same between facets. A vertex is named together with the plane that it meets, so that it keeps its name while it
// slides from triangle to triangle.
constexpr std::uint64_t facet_feature(int kind, int first, int second) {
  return static_cast<std::uint64_t>(kind) << 60 | static_cast<std::uint64_t>(first) << 30 |
         static_cast<unsigned>(second);
}
constexpr std::uint64_t facet_vertex_of_A(int vertex, int plane) { return facet_feature(4, vertex, plane); }
constexpr std::uint64_t facet_vertex_of_B(int vertex, int plane) { return facet_feature(5, vertex, plane); }
constexpr std::uint64_t facet_edges(int edge_A, int edge_B) { return facet_feature(6, edge_A, edge_B); }

// Two rounded hulls. Where a face or an edge of one lies on a face of the other, the touch points are the corners of
// the common patch. The nearest features are always among them.
void hull_hull(const Placed& A, const Placed& B, double margin, WarmPair& warm, std::vector<TouchPoint>& out);
void hull_plane(const Placed& A, const Placed& B, double margin, std::vector<TouchPoint>& out);

// The full set of contacts, before any is left out: every vertex over a face and every pair of edges that cross, within
// the margin, between the triangles as the mesh has them (Potra 2006, §10.4). Features that turn away from each other
// by more than 11 degrees do not count, because a contact of theirs would push apart what does not touch.
void all_pairs(const Placed& A, const Placed& B, double margin, WarmPair& warm, std::vector<TouchPoint>& out);
void all_vertices_plane(const Placed& A, const Placed& B, double margin, std::vector<TouchPoint>& out);

}  // namespace tappet::narrow
