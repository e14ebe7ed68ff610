// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

extern "C" {
#include <libqhull_r/qhull_ra.h>
}

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <memory>
#include <stdexcept>

#include "collision/hull/facets.h"
#include "collision/hull/hull.h"

namespace tappet {
namespace {

struct Qhull {
  qhT state;
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> log{std::tmpfile(), std::fclose};

  Qhull() {
    if (!log) throw std::runtime_error("no temporary file for the messages of qhull");
    qh_zero(&state, log.get());
  }
  ~Qhull() {
    int left, total;
    qh_freeqhull(&state, qh_ALL);
    qh_memfreeshort(&state, &left, &total);
  }
  Qhull(const Qhull&) = delete;
};

// A face from its corners, which come in no order: they are sorted about the outward direction.
void add_face(Hull& hull, std::vector<int> corners, const Vec3d& outward) {
  Vec3d mid{};
  for (int i : corners) mid += (1.0 / corners.size()) * hull.vertices[i];
  const auto [e1, e2] = normals(outward);
  const auto angle = [&, e1 = e1, e2 = e2](int i) {
    return std::atan2(dot(hull.vertices[i] - mid, e2), dot(hull.vertices[i] - mid, e1));
  };
  std::sort(corners.begin(), corners.end(), [&](int i, int j) { return angle(i) < angle(j); });
  Vec3d sum{};
  for (size_t i = 0; i < corners.size(); ++i)
    sum += cross(hull.vertices[corners[i]] - mid, hull.vertices[corners[(i + 1) % corners.size()]] - mid);
  const Vec3d n = normalized(sum);
  hull.faces.push_back({n, dot(n, mid), static_cast<int>(hull.loop.size()), static_cast<int>(corners.size())});
  hull.loop.insert(hull.loop.end(), corners.begin(), corners.end());
}

// A vertex with two neighbours lies on the line between them, up to the tolerance with which faces were merged. It is
// left out of the faces.
void drop_vertices_of_two_faces(std::vector<std::vector<int>>& faces, int vertices) {
  std::vector<int> count(vertices, 0);
  for (const auto& face : faces)
    for (int v : face) ++count[v];
  for (auto& face : faces) std::erase_if(face, [&](int v) { return count[v] < 3; });
}

void check_flat(std::span<const Vec3d> points) {
  Vec3d low{1e300, 1e300, 1e300}, high = -low;
  for (const Vec3d& p : points)
    for (int k = 0; k < 3; ++k) {
      if (!std::isfinite(p[k])) throw std::invalid_argument("a coordinate is not a finite number");
      low[k] = std::min(low[k], p[k]), high[k] = std::max(high[k], p[k]);
    }
  Vec3d mean{};
  for (const Vec3d& p : points) mean += (1.0 / points.size()) * p;
  Eigen::Matrix3d spread = Eigen::Matrix3d::Zero();
  for (const Vec3d& p : points) {
    const Eigen::Vector3d d(p.x - mean.x, p.y - mean.y, p.z - mean.z);
    spread += d * d.transpose();
  }
  const Eigen::Vector3d sizes = Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(spread).eigenvalues();
  if (!(sizes[2] > 0.0) || sizes[0] < 1e-14 * sizes[2])
    throw std::invalid_argument("all points lie in one plane; expected points that span a volume");
}

}  // namespace

Hull convex_hull(std::span<const Vec3d> points, double tolerance) {
  if (points.size() < 4)
    throw std::invalid_argument(fmt::format("{} points; expected at least four that span a volume", points.size()));
  check_flat(points);
  std::vector<double> numbers;
  for (const Vec3d& p : points) numbers.insert(numbers.end(), {p.x, p.y, p.z});
  Qhull q;
  qhT* qh = &q.state;
  std::string command = fmt::format("qhull C-{:g} Pp", tolerance);
  if (qh_new_qhull(qh, 3, static_cast<int>(points.size()), numbers.data(), False, command.data(), nullptr, q.log.get()))
    throw std::invalid_argument("the points have no convex hull with a volume");
  std::map<int, int> number_of;  // of a point among the vertices
  std::vector<Vec3d> vertices, outward;
  std::vector<std::vector<int>> faces;
  facetT* facet;
  vertexT *vertex, **vertexp;
  FORALLfacets {
    outward.push_back({facet->normal[0], facet->normal[1], facet->normal[2]});
    faces.emplace_back();
    FOREACHvertex_(facet->vertices) {
      const int id = qh_pointid(qh, vertex->point);
      const auto [at, is_new] = number_of.insert({id, static_cast<int>(vertices.size())});
      if (is_new) vertices.push_back(points[id]);
      faces.back().push_back(at->second);
    }
  }
  drop_vertices_of_two_faces(faces, static_cast<int>(vertices.size()));
  Hull hull;
  std::vector<int> kept(vertices.size(), -1);
  for (auto& face : faces)
    for (int& v : face) {
      if (kept[v] < 0) kept[v] = static_cast<int>(hull.vertices.size()), hull.vertices.push_back(vertices[v]);
      v = kept[v];
    }
  for (size_t f = 0; f < faces.size(); ++f) add_face(hull, faces[f], outward[f]);
  connect(hull);
  return hull;
}

namespace {

// The shortest d with n·d = asked(f) for the normals n of some faces, in the sense of least squares if there is none.
template <class Asked>
Eigen::Vector3d shortest_step(const Hull& hull, std::span<const int> faces, Asked&& asked) {
  Eigen::Matrix3d square = Eigen::Matrix3d::Zero();
  Eigen::Vector3d sum = Eigen::Vector3d::Zero();
  for (int f : faces) {
    const Vec3d& n = hull.faces[f].normal;
    const Eigen::Vector3d m(n.x, n.y, n.z);
    square += m * m.transpose();
    sum += asked(f) * m;
  }
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> eigen(square);
  Eigen::Vector3d step = Eigen::Vector3d::Zero();
  for (int k = 0; k < 3; ++k)
    if (eigen.eigenvalues()[k] > 1e-6 * eigen.eigenvalues()[2])
      step += (eigen.eigenvectors().col(k).dot(sum) / eigen.eigenvalues()[k]) * eigen.eigenvectors().col(k);
  return step;
}

// How far a point moves inwards so that its faces move by one. If more than three faces meet there, no point may have
// this distance from all of them. Then it has at least this distance.
Vec3d inward_step(const Hull& hull, std::span<const int> faces) {
  Eigen::Vector3d step = shortest_step(hull, faces, [](int) { return 1.0; });
  double least = 1e300;
  for (int f : faces) {
    const Vec3d& n = hull.faces[f].normal;
    least = std::min(least, n.x * step[0] + n.y * step[1] + n.z * step[2]);
  }
  if (std::abs(least - 1.0) > 1e-9 && least > 0.0) step /= least;
  return {step[0], step[1], step[2]};
}

// Moves a point inwards until it keeps the distance from all faces. An edge shorter than the rounding may need this.
bool move_inside(const Hull& hull, double radius, Vec3d& x) {
  for (int round = 0; round < 200; ++round) {
    bool inside = true;
    for (const Hull::Face& face : hull.faces) {
      const double beyond = dot(face.normal, x) - (face.offset - radius);
      if (beyond > 1e-13 * hull.reach) x -= (1.0 + 1e-6) * beyond * face.normal, inside = false;
    }
    if (inside) return true;
  }
  return false;
}

[[noreturn]] void refuse_rounding(const Hull& hull, double radius) {
  throw std::invalid_argument(fmt::format(
      "a rounding of {:g} m is larger than the solid allows; expected less than the distance from its centre "
      "to its nearest face, {:.3g} m",
      radius, inner_radius(hull)));
}

}  // namespace

Hull rounded(const Hull& hull, double radius, double tolerance) {
  if (radius == 0.0) return hull;
  std::vector<Vec3d> core;
  std::vector<int> faces;
  for (size_t v = 0; v < hull.vertices.size(); ++v) {
    faces.clear();
    for (const Hull::Neighbour& k : hull.neighbours(static_cast<int>(v))) faces.push_back(k.face);
    core.push_back(hull.vertices[v] - radius * inward_step(hull, faces));
    if (!move_inside(hull, radius, core.back())) refuse_rounding(hull, radius);
  }
  Hull result;
  try {
    result = convex_hull(core, tolerance);
  } catch (const std::invalid_argument&) {
    refuse_rounding(hull, radius);
  }
  result.radius = radius;
  return result;
}

Vec3d core_point(const Hull& hull, std::span<const int> faces, const Vec3d& x, double radius) {
  const Eigen::Vector3d onto =
      shortest_step(hull, faces, [&](int f) { return hull.faces[f].offset - dot(hull.faces[f].normal, x); });
  Vec3d core = x + Vec3d{onto[0], onto[1], onto[2]};
  if (radius == 0.0) return core;
  core -= radius * inward_step(hull, faces);
  move_inside(hull, radius, core);
  return core;
}

}  // namespace tappet
