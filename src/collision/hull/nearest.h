// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "collision/hull/hull.h"

namespace tappet {

// Where the last search between two hulls ended. The next one begins there. It only saves time: the result of a search
// is decided by the features, up to ties.
struct WarmPair {
  int count = 0;             // of the points that carried the nearest point
  int a[4] = {}, b[4] = {};  // vertices
  int at_A = 0, at_B = 0;    // where to begin to climb
  Vec3d direction{};         // zero: unknown
};

namespace narrow {

// The frame of B in the frame of A.
struct Relative {
  Mat3d R;
  Vec3d p;

  Vec3d point(const Vec3d& b) const { return p + R * b; }
  Vec3d direction(const Vec3d& b) const { return R * b; }
  Vec3d point_back(const Vec3d& a) const { return transposed_times(R, a - p); }
  Vec3d direction_back(const Vec3d& a) const { return transposed_times(R, a); }
};

// Two cores, apart or overlapping, and the features that are nearest to each other. Two vertices of a hull stand for
// the edge between them.
struct Separation {
  enum class State : std::uint8_t { beyond_reach, found };
  enum class Form : std::uint8_t {
    unknown,
    vertex_vertex,
    vertex_edge,
    edge_vertex,
    edge_edge,
    vertex_face,
    face_vertex
  };

  State state = State::beyond_reach;
  double distance = 0.0;   // negative if the cores overlap
  Vec3d normal{};          // in the frame of A, from B to A
  int at_A = 0, at_B = 0;  // vertices of the cores that are furthest towards each other
  Form form = Form::unknown;
  int a = -1, b = -1;  // vertices, edges or faces
};

// The distance of two cores if it is at most `reach`. The nearest features are named only if the cores overlap.
Separation separation(const Hull& A, const Hull& B, const Relative& T, double reach, WarmPair& warm);

// Names the nearest features of cores that are apart, from what the search left in `warm`.
void name_features(const Hull& A, const Hull& B, const Relative& T, const WarmPair& warm, Separation& result);

// The same for cores that overlap: the axis along which the overlap is smallest, among the normals of all faces and of
// all pairs of edges that face each other.
Separation smallest_overlap(const Hull& A, const Hull& B, const Relative& T, const WarmPair& warm);

}  // namespace narrow
}  // namespace tappet
