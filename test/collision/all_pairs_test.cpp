// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <memory>
#include <set>
#include <vector>

#include "collision/hull/convex.h"
#include "collision/hull/hull_pairs.h"
#include "collision/scenes.h"

namespace tappet {
namespace {

struct SlabMesh {
  std::vector<Vec3d> points;
  std::vector<std::array<int, 3>> triangles;
};

// A flat box about the origin whose upper and lower faces are grids of n × n cells with two triangles each.
SlabMesh slab(int n, const Vec3d& half) {
  SlabMesh mesh;
  const auto at = [n](int i, int j, int side) { return side * (n + 1) * (n + 1) + i * (n + 1) + j; };
  for (int side : {0, 1})
    for (int i = 0; i <= n; ++i)
      for (int j = 0; j <= n; ++j)
        mesh.points.push_back({half.x * (2.0 * i / n - 1), half.y * (2.0 * j / n - 1), half.z * (2 * side - 1)});
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      mesh.triangles.push_back({at(i, j, 1), at(i + 1, j, 1), at(i + 1, j + 1, 1)});
      mesh.triangles.push_back({at(i, j, 1), at(i + 1, j + 1, 1), at(i, j + 1, 1)});
      mesh.triangles.push_back({at(i, j, 0), at(i + 1, j + 1, 0), at(i + 1, j, 0)});
      mesh.triangles.push_back({at(i, j, 0), at(i, j + 1, 0), at(i + 1, j + 1, 0)});
    }
  const auto wall = [&](auto corner) {
    for (int k = 0; k < n; ++k) {
      const auto [i, j] = corner(k);
      const auto [u, v] = corner(k + 1);
      mesh.triangles.push_back({at(i, j, 0), at(u, v, 0), at(u, v, 1)});
      mesh.triangles.push_back({at(i, j, 0), at(u, v, 1), at(i, j, 1)});
    }
  };
  wall([n](int k) { return std::pair(k, 0); }), wall([n](int k) { return std::pair(n, k); });
  wall([n](int k) { return std::pair(n - k, n); }), wall([n](int k) { return std::pair(0, n - k); });
  return mesh;
}

std::shared_ptr<const Convex> solid_of(const SlabMesh& mesh, double radius) {
  const Hull sharp = convex_hull(mesh.points, 1e-12);
  return std::make_shared<const Convex>(sharp, rounded(sharp, radius, 1e-12),
                                        facets_of(sharp, mesh.points, mesh.triangles, radius, 1e-12));
}

std::vector<TouchPoint> touches(std::shared_ptr<const Convex> a, const Pose<double>& pose_A,
                                std::shared_ptr<const Convex> b, const Pose<double>& pose_B, double margin) {
  CollisionWorld world({{Shape::of(a), {}, 0}, {Shape::of(b), {}, 1}});
  std::vector<TouchPoint> found;
  world.find(std::vector<Pose<double>>{pose_A, pose_B}, margin, found);
  return found;
}

Pose<double> turned(double angle, const Vec3d& p) {
  Pose<double> pose;
  pose.p = p;
  pose.R = {{std::cos(angle), std::sin(angle), 0}, {-std::sin(angle), std::cos(angle), 0}, {0, 0, 1}};
  return pose;
}

// In the plane: points of one grid inside the rectangle of the other one, and pairs of edges that cross.
struct Counted {
  int points = 0, crossings = 0;
};
Counted counted_in_plane(const SlabMesh& a, const Pose<double>& pose_A, const Vec3d& half_A, const SlabMesh& b,
                         const Pose<double>& pose_B, const Vec3d& half_B) {
  Counted count;
  const auto inside = [](const SlabMesh& mesh, const Pose<double>& pose, const Pose<double>& other, const Vec3d& half) {
    int n = 0;
    for (const Vec3d& p : mesh.points) {
      if (p.z < 0.0) continue;
      const Vec3d x = transposed_times(other.R, pose.point(p) - other.p);
      if (std::abs(x.x) < half.x && std::abs(x.y) < half.y) ++n;
    }
    return n;
  };
  count.points = inside(a, pose_A, pose_B, half_B) + inside(b, pose_B, pose_A, half_A);
  const auto edges = [](const SlabMesh& mesh, const Pose<double>& pose) {
    std::set<std::pair<int, int>> list;
    for (const auto& t : mesh.triangles)
      for (int k = 0; k < 3; ++k)
        if (mesh.points[t[k]].z > 0.0 && mesh.points[t[(k + 1) % 3]].z > 0.0)
          list.insert(std::minmax(t[k], t[(k + 1) % 3]));
    std::vector<std::pair<Vec3d, Vec3d>> placed;
    for (const auto& [i, j] : list) placed.emplace_back(pose.point(mesh.points[i]), pose.point(mesh.points[j]));
    return placed;
  };
  const auto side = [](const Vec3d& p, const Vec3d& q, const Vec3d& x) {
    return (q.x - p.x) * (x.y - p.y) - (q.y - p.y) * (x.x - p.x);
  };
  for (const auto& [p, q] : edges(a, pose_A))
    for (const auto& [u, v] : edges(b, pose_B))
      if (side(p, q, u) * side(p, q, v) < 0.0 && side(u, v, p) * side(u, v, q) < 0.0) ++count.crossings;
  return count;
}

TEST(AllPairs, are_all_vertices_over_faces_and_all_edges_that_cross) {
  const Vec3d half_A{1.0, 0.7, 0.1}, half_B{1.5, 1.5, 0.1};
  const SlabMesh mesh_A = slab(5, half_A), mesh_B = slab(5, half_B);
  const auto a = solid_of(mesh_A, 0.0)->with_all_pairs(), b = solid_of(mesh_B, 0.0)->with_all_pairs();
  for (double angle : {0.3, 0.5, 1.1}) {
    const Pose<double> pose_A = turned(angle, {0.31, 0.17, 0.2 + 1e-4}), pose_B{};
    const std::vector<TouchPoint> found = touches(a, pose_A, b, pose_B, 1e-3);
    const Counted expected = counted_in_plane(mesh_A, pose_A, half_A, mesh_B, pose_B, half_B);
    int points = 0, crossings = 0;
    for (const TouchPoint& touch : found) {
      EXPECT_NEAR(touch.gap, 1e-4, 1e-15);
      ++(touch.form == TouchPoint::Form::edge_edge ? crossings : points);
    }
    EXPECT_EQ(points, expected.points);
    EXPECT_EQ(crossings, expected.crossings);
    EXPECT_GT(found.size(), 100u);
  }
}

TEST(AllPairs, the_reduced_set_has_the_corners_of_the_patch_only) {
  const Vec3d half_A{1.0, 0.7, 0.1}, half_B{1.5, 1.5, 0.1};
  const auto a = solid_of(slab(5, half_A), 0.01), b = solid_of(slab(5, half_B), 0.01);
  const Pose<double> pose_A = turned(0.3, {0.0, 0.0, 0.2});
  EXPECT_EQ(touches(a, pose_A, b, {}, 1e-3).size(), 4u);
  const auto all = touches(a->with_all_pairs(), pose_A, b->with_all_pairs(), {}, 1e-3);
  EXPECT_GT(all.size(), 100u);
  for (const TouchPoint& touch : all) EXPECT_NEAR(touch.gap, 0.0, 1e-15);
}

TEST(AllPairs, a_vertex_that_slides_from_triangle_to_triangle_stays_the_same_contact) {
  const Vec3d half{1.0, 1.0, 0.1};
  const auto a = solid_of(slab(1, {0.1, 0.1, 0.1}), 0.0)->with_all_pairs(),
             b = solid_of(slab(4, half), 0.0)->with_all_pairs();
  std::set<TouchId> vertices;
  for (double x = -0.8; x < 0.8; x += 0.01)
    for (const TouchPoint& touch : touches(a, turned(0.2, {x, 0.033, 0.2}), b, {}, 1e-6))
      if (touch.id.feature >> 60 == 4) vertices.insert(touch.id);
  EXPECT_EQ(vertices.size(), 4u);
}

TEST(AllPairs, on_a_plane_all_vertices_of_the_mesh_touch) {
  const auto solid = solid_of(slab(6, {1.0, 1.0, 0.1}), 0.0);
  const auto count = [](std::shared_ptr<const Convex> of) {
    CollisionWorld world({{Shape::of(of), {}, 0}, plane_collider({0, 0, 0}, {0, 0, 1})});
    std::vector<TouchPoint> found;
    Pose<double> pose;
    pose.p = {0.0, 0.0, 0.1};
    world.find(std::vector<Pose<double>>{pose}, 1e-6, found);
    return found.size();
  };
  EXPECT_EQ(count(solid), 4u);
  EXPECT_EQ(count(solid->with_all_pairs()), 49u);
}

// Vertices of the upper cube lie above the top of the lower one, and behind the planes of its sides. Only the former
// touch.
TEST(AllPairs, features_that_turn_away_or_lie_behind_do_not_count) {
  const auto a = solid_of(slab(2, {0.5, 0.5, 0.5}), 0.0)->with_all_pairs();
  Pose<double> pose;
  pose.p = {0.2, 0.1, 1.0};
  const auto found = touches(a, pose, a, {}, 0.15);
  EXPECT_FALSE(found.empty());
  for (const TouchPoint& touch : found) EXPECT_NEAR(touch.gap, 0.0, 1e-12);
}

}  // namespace
}  // namespace tappet
