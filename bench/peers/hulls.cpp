// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0

// Pairs of convex solids with 100 vertices each: the time of a query of Tappet, of FCL and of Bullet in one run, on the
// same poses. "cold" is another pair of poses each time. "warm" is a motion in small steps, as during a simulation,
// with whatever an engine remembers between queries. Tappet gives all contacts of the pair, the others one pair of
// points.
//   peer_hulls [QUERIES]
#include <BulletCollision/NarrowPhaseCollision/btGjkEpa2.h>
#include <btBulletCollisionCommon.h>
#include <fcl/geometry/shape/convex.h>
#include <fcl/narrowphase/distance.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <random>

#include "collision/hull/convex.h"
#include "collision/hull/hull.h"
#include "collision/narrow_phase.h"
#include "row.h"

namespace peers {
namespace {

using namespace tappet;

std::mt19937 engine(1);
double uniform(double low, double high) { return std::uniform_real_distribution<double>(low, high)(engine); }
Vec3d direction() {
  std::normal_distribution<double> normal;
  return normalized(Vec3d{normal(engine), normal(engine), normal(engine)});
}

// Two solids of about 20 cm with the roundings 0.
struct Solids {
  std::array<Hull, 2> hulls;
  std::array<Shape, 2> shapes;
  Solids() {
    for (int k = 0; k < 2; ++k) {
      std::vector<Vec3d> points;
      for (int i = 0; i < 100; ++i) {
        const Vec3d d = direction();
        points.push_back({0.10 * d.x, 0.08 * d.y, 0.06 * d.z});
      }
      hulls[k] = convex_hull(points, 1e-12);
      shapes[k].kind = Shape::Kind::convex;
      shapes[k].core = std::make_shared<const Hull>(hulls[k]);
      shapes[k].half = {0.1, 0.1, 0.1};
    }
  }
};

double gap_of(const Solids& solids, const Pose<double>& pose, WarmPair& memory, std::vector<TouchPoint>& out) {
  static const Pose<double> none{{}, Mat3d::identity()};
  out.clear();
  touch({solids.shapes[0], none, none, 0, 0}, {solids.shapes[1], pose, none, 1, 1}, 1e-2, memory, out);
  double least = 1e300;
  for (const TouchPoint& t : out) least = std::min(least, t.gap);
  return least;
}

// Moves B towards A until the gap is this large. A step is never larger than what is left, so it comes from outside.
Pose<double> brought_near(const Solids& solids, Pose<double> pose, double gap) {
  std::vector<TouchPoint> out;
  const Vec3d d = normalized(pose.p);
  for (int k = 0; k < 60; ++k) {
    WarmPair memory;
    pose.p -= (std::min(gap_of(solids, pose, memory, out), 1e-2) - gap) * d;
  }
  return pose;
}

// The pose of B; A is at the origin. The solids are up to 2 mm apart.
std::vector<Pose<double>> cold_poses(const Solids& solids, int count) {
  std::vector<Pose<double>> poses;
  for (int k = 0; k < count; ++k) {
    const Pose<double> apart{0.25 * direction(), rotation_matrix(exp_map(uniform(0.0, 3.0) * direction()))};
    poses.push_back(brought_near(solids, apart, uniform(1e-4, 2e-3)));
  }
  return poses;
}
std::vector<Pose<double>> warm_poses(const Solids& solids, int count) {
  std::vector<Pose<double>> poses;
  Mat3d R = Mat3d::identity();
  for (int k = 0; k < count; ++k) {
    const double angle = 1e-3 * k;
    R = rotation_matrix(exp_map(Vec3d{2e-4, -3e-4, 1e-4})) * R;
    const Vec3d p{0.25 * std::cos(angle), 0.25 * std::sin(angle), 0.02 * std::sin(0.3 * angle)};
    poses.push_back(brought_near(solids, {p, R}, 1e-3));
  }
  return poses;
}

struct Measured {
  double us = 0.0;
  std::vector<double> gaps;
};
template <class Query>
Measured measure(const std::vector<Pose<double>>& poses, Query&& query) {
  Measured best;
  best.us = 1e300;
  for (int repeat = 0; repeat < 5; ++repeat) {
    std::vector<double> gaps(poses.size());
    const double from = processor_seconds();
    for (size_t k = 0; k < poses.size(); ++k) gaps[k] = query(poses[k]);
    const double us = 1e6 * (processor_seconds() - from) / static_cast<double>(poses.size());
    if (us < best.us) best = {us, gaps};
  }
  return best;
}

Measured tappet_hulls(const Solids& solids, const std::vector<Pose<double>>& poses, bool warm) {
  WarmPair memory;
  std::vector<TouchPoint> out;
  return measure(poses, [&](const Pose<double>& pose) {
    if (!warm) memory = {};
    return gap_of(solids, pose, memory, out);
  });
}

std::shared_ptr<fcl::Convexd> fcl_convex(const Hull& hull) {
  auto vertices = std::make_shared<std::vector<fcl::Vector3d>>();
  for (const Vec3d& v : hull.vertices) vertices->push_back({v.x, v.y, v.z});
  auto faces = std::make_shared<std::vector<int>>();
  for (const Hull::Face& face : hull.faces) {
    faces->push_back(face.count);
    faces->insert(faces->end(), hull.loop.begin() + face.first, hull.loop.begin() + face.first + face.count);
  }
  return std::make_shared<fcl::Convexd>(vertices, static_cast<int>(hull.faces.size()), faces);
}
Measured fcl_hulls(const Solids& solids, const std::vector<Pose<double>>& poses) {
  const auto a = fcl_convex(solids.hulls[0]), b = fcl_convex(solids.hulls[1]);
  const fcl::Transform3d here = fcl::Transform3d::Identity();
  return measure(poses, [&](const Pose<double>& pose) {
    fcl::Transform3d there = fcl::Transform3d::Identity();
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) there(i, j) = pose.R(i, j);
      there(i, 3) = pose.p[i];
    }
    fcl::DistanceRequestd request(true);
    request.gjk_solver_type = fcl::GST_LIBCCD;
    fcl::DistanceResultd result;
    fcl::distance(a.get(), here, b.get(), there, request, result);
    return result.min_distance;
  });
}

Measured bullet_hulls(const Solids& solids, const std::vector<Pose<double>>& poses) {
  btConvexHullShape shapes[2];
  for (int k = 0; k < 2; ++k) {
    for (const Vec3d& v : solids.hulls[k].vertices)
      shapes[k].addPoint({btScalar(v.x), btScalar(v.y), btScalar(v.z)}, false);
    shapes[k].recalcLocalAabb();
    shapes[k].setMargin(0.0);
  }
  btTransform here;
  here.setIdentity();
  return measure(poses, [&](const Pose<double>& pose) {
    btMatrix3x3 R;
    for (int i = 0; i < 3; ++i) R[i] = {btScalar(pose.R(i, 0)), btScalar(pose.R(i, 1)), btScalar(pose.R(i, 2))};
    const btTransform there(R, {btScalar(pose.p.x), btScalar(pose.p.y), btScalar(pose.p.z)});
    btGjkEpaSolver2::sResults results;
    btGjkEpaSolver2::Distance(&shapes[0], here, &shapes[1], there, there.getOrigin(), results);
    return double(results.distance);
  });
}

// The largest difference of gaps that are not negative, since only Tappet is exact there.
double difference(const Measured& a, const Measured& b) {
  double most = 0.0;
  for (size_t k = 0; k < a.gaps.size(); ++k)
    if (a.gaps[k] > 0.0) most = std::max(most, std::abs(a.gaps[k] - b.gaps[k]));
  return most;
}

}  // namespace
}  // namespace peers

int main(int argc, char** argv) {
  using namespace peers;
  const int count = argc > 1 ? std::atoi(argv[1]) : 20000;
  const Solids solids;
  std::printf("| | cold, µs | warm, µs | largest difference from Tappet's gap, m |\n|---|---|---|---|\n");
  const auto cold = cold_poses(solids, count), warm = warm_poses(solids, count);
  const Measured own_cold = tappet_hulls(solids, cold, false), own_warm = tappet_hulls(solids, warm, true);
  std::printf("| Tappet, all contacts | %.2f | %.2f | |\n", own_cold.us, own_warm.us);
  const Measured fcl_cold = fcl_hulls(solids, cold), fcl_warm = fcl_hulls(solids, warm);
  std::printf("| FCL with libccd | %.2f | %.2f | %.2g |\n", fcl_cold.us, fcl_warm.us, difference(own_cold, fcl_cold));
  const Measured bullet_cold = bullet_hulls(solids, cold), bullet_warm = bullet_hulls(solids, warm);
  std::printf("| Bullet, GJK | %.2f | %.2f | %.2g |\n", bullet_cold.us, bullet_warm.us,
              difference(own_cold, bullet_cold));
}
