// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "collision/profile/profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numbers>

namespace tappet {
namespace {

constexpr double deepest_share = 0.05;  // of the size: deeper than this nothing is pushed out
constexpr int leaf = 2;                 // pieces

// Gauss–Legendre with ten points on −1 … 1: exact for segments, and to round-off for arcs of up to 1.6 rad.
constexpr std::array<double, 5> gauss_x{0.14887433898163122, 0.43339539412924719, 0.67940956829902441,
                                        0.86506336668898451, 0.97390652851717172};
constexpr std::array<double, 5> gauss_w{0.29552422471475287, 0.26926671930999636, 0.21908636251598204,
                                        0.14945134915058059, 0.06667134430868814};

// The distance along the ray from p in the direction d (unit) to the piece; infinite if the ray misses it. Hits nearer
// than `least` do not count.
double hit(const Piece& piece, const Vec2& p, const Vec2& d, double least) {
  constexpr double none = 1e300;
  if (piece.is_segment()) {
    const Vec2 t = piece.along(), w = piece.from - p;
    const double across = cross(d, t);
    if (std::abs(across) < 1e-12) return none;
    const double s = cross(w, t) / across, along = cross(w, d) / across;
    return s > least && along >= 0.0 && along <= piece.length ? s : none;
  }
  if (piece.rho == 0.0) return none;
  const Vec2 w = p - piece.center;
  const double b = dot(w, d), c = dot(w, w) - piece.rho * piece.rho, discriminant = b * b - c;
  if (discriminant < 0.0) return none;
  for (const double s : {-b - std::sqrt(discriminant), -b + std::sqrt(discriminant)})
    if (s > least && piece.side_of((1.0 / piece.rho) * (w + s * d), 1e-9) == 0) return s;
  return none;
}

// Whether the ray from p in the direction d passes the box, or comes nearer to it than `slack`.
bool passes(const Box2& box, const Vec2& p, const Vec2& d, double slack) {
  const Vec2 mid = 0.5 * (box.low + box.high), half = 0.5 * (box.high - box.low), w = mid - p;
  const double along = std::abs(d.x) * half.x + std::abs(d.y) * half.y + slack;
  const double across = std::abs(d.y) * half.x + std::abs(d.x) * half.y + slack;
  return dot(w, d) + along >= 0.0 && std::abs(cross(w, d)) <= across;
}

}  // namespace

Vec2 Piece::at(double s) const { return is_segment() ? from + s * (to - from) : center + rho * normal_at(s); }

Vec2 Piece::normal_at(double s) const { return is_segment() ? n0 : turned(n0, s * turn()); }

int Piece::side_of(const Vec2& m, double slack) const {
  const double sign = rho >= 0.0 ? 1.0 : -1.0, after = sign * cross(n0, m), before = sign * cross(m, n1);
  const bool ahead = dot(n0, m) > 0.0 || dot(n1, m) > 0.0;
  if (ahead && after >= -slack && before >= -slack) return 0;
  return dot(m, n0) >= dot(m, n1) ? -1 : 1;
}

void Box2::add(const Vec2& p) {
  low = {std::min(low.x, p.x), std::min(low.y, p.y)};
  high = {std::max(high.x, p.x), std::max(high.y, p.y)};
}

Box2 box_of(const Piece& piece) {
  Box2 box;
  box.add(piece.from), box.add(piece.to);
  if (piece.is_arc && piece.rho != 0.0)
    for (const Vec2 m : {Vec2{1, 0}, Vec2{-1, 0}, Vec2{0, 1}, Vec2{0, -1}})
      if (piece.side_of(m, 0.0) == 0) box.add(piece.center + piece.rho * m);
  return box;
}

PlanarProfile::PlanarProfile(std::vector<std::vector<Piece>> loops) : loop_start_{0} {
  Box2 box;
  for (const std::vector<Piece>& loop : loops) {
    const int first = static_cast<int>(pieces_.size()), count = static_cast<int>(loop.size());
    for (int i = 0; i < count; ++i) {
      Piece piece = loop[i];
      const Piece &previous = loop[(i + count - 1) % count], &next = loop[(i + 1) % count];
      constexpr double smooth = 1e-6;
      if (norm(previous.n1 - piece.n0) < smooth) piece.previous = first + (i + count - 1) % count;
      if (norm(next.n0 - piece.n1) < smooth) piece.next = first + (i + 1) % count;
      box.add(box_of(piece));
      pieces_.push_back(piece);
    }
    loop_start_.push_back(static_cast<int>(pieces_.size()));
  }
  const Vec2 mid = 0.5 * (box.low + box.high), half = 0.5 * (box.high - box.low);
  size_ = 2.0 * norm(half);
  // In the plane the third edge of the box does not matter. It is set to the longer of the two others.
  mid_ = {mid.x, mid.y, 0.0}, half_ = {half.x, half.y, std::max(half.x, half.y)};
  measure();
  grow_tree(0, static_cast<int>(pieces_.size()));
  set_depths();  // along rays through the tree, whose boxes do not know the depths yet
  tree_.clear();
  grow_tree(0, static_cast<int>(pieces_.size()));
}

double PlanarProfile::thickness_at(const Vec2& point, const Vec2& normal) const {
  double nearest = 1e300;
  visit([&](const Box2& box) { return passes(box, point, -normal, 1e-9 * size_); },
        [&](int i) { nearest = std::min(nearest, hit(pieces_[i], point, -normal, 1e-9 * size_)); });
  return nearest;
}

void PlanarProfile::set_depths() {
  for (Piece& piece : pieces_) {
    double thickness = 0.0;
    for (const double s : {0.1, 0.5, 0.9}) {
      const double through = thickness_at(piece.at(s), piece.normal_at(s));
      if (through < 1e300) thickness = std::max(thickness, through);
    }
    piece.depth = thickness > 0.0 ? std::min(0.5 * thickness, deepest_share * size_) : deepest_share * size_;
  }
}

int PlanarProfile::grow_tree(int first, int last) {
  const int index = static_cast<int>(tree_.size());
  tree_.push_back({{}, first, last});
  Box2 box;
  if (last - first <= leaf) {
    for (int i = first; i < last; ++i) {
      const Piece& piece = pieces_[i];
      box.add(box_of(piece));
      for (const double s : {0.0, 0.5, 1.0}) box.add(piece.at(s) - piece.depth * piece.normal_at(s));
    }
  } else {
    const int middle = (first + last) / 2, left = grow_tree(first, middle), right = grow_tree(middle, last);
    tree_[index].left = left, tree_[index].right = right;
    box = tree_[left].box;
    box.add(tree_[right].box);
  }
  tree_[index].box = box;
  return index;
}

// Area, first and second moments by Green's theorem, about the middle of the box.
void PlanarProfile::measure() {
  const Vec2 mid{mid_.x, mid_.y};
  double area = 0.0, x = 0.0, y = 0.0, xx = 0.0, yy = 0.0, xy = 0.0;
  for (const Piece& piece : pieces_) {
    const double arc = piece.is_arc ? std::abs(piece.rho) * std::abs(piece.turn()) : piece.length;
    for (std::size_t k = 0; k < gauss_x.size(); ++k)
      for (const double side : {-0.5, 0.5}) {
        const double s = 0.5 + side * gauss_x[k], weight = 0.5 * arc * gauss_w[k];
        const Vec2 p = piece.at(s) - mid, n = piece.normal_at(s);
        area += 0.5 * weight * dot(p, n);
        x += 0.5 * weight * p.x * p.x * n.x, y += 0.5 * weight * p.y * p.y * n.y;
        xx += weight * p.x * p.x * p.x * n.x / 3.0, yy += weight * p.y * p.y * p.y * n.y / 3.0;
        xy += 0.5 * weight * p.x * p.x * p.y * n.x;
      }
  }
  const Vec2 c = (1.0 / area) * Vec2{x, y};
  xx -= area * c.x * c.x, yy -= area * c.y * c.y, xy -= area * c.x * c.y;
  area_ = area, center_ = mid + c;
  xx_ = xx, yy_ = yy, xy_ = xy;
}

MassProperties PlanarProfile::mass_properties(double thickness) const {
  const double h = thickness, across = area_ * h * h * h / 12.0;
  return {area_ * h,
          {center_.x, center_.y, 0.0},
          {{h * yy_ + across, -h * xy_, 0.0}, {-h * xy_, h * xx_ + across, 0.0}, {0.0, 0.0, h * (xx_ + yy_)}}};
}

std::vector<Vec2> PlanarProfile::polygon(int k, double tolerance) const {
  std::vector<Vec2> points;
  for (const Piece& piece : loop(k)) {
    points.push_back(piece.from);
    if (!piece.is_arc || piece.rho == 0.0) continue;
    const double step = 2.0 * std::acos(std::max(0.5, 1.0 - tolerance / std::abs(piece.rho)));
    const int parts = std::max(1, static_cast<int>(std::ceil(std::abs(piece.turn()) / step)));
    for (int i = 1; i < parts; ++i) points.push_back(piece.at(static_cast<double>(i) / parts));
  }
  return points;
}

std::string PlanarProfile::summary() const {
  const int holes = loops() - 1;
  return fmt::format("{} pieces, {:.6g} x {:.6g} m, area {:.6g} m²{}", pieces_.size(), 2.0 * half_.x, 2.0 * half_.y,
                     area_, holes == 0 ? "" : fmt::format(", {} hole{}", holes, holes == 1 ? "" : "s"));
}

}  // namespace tappet
