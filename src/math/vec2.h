// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

namespace tappet {

// A point or a direction in the plane.
struct Vec2 {
  double x = 0.0, y = 0.0;
  Vec2 operator-() const { return {-x, -y}; }
  friend bool operator==(const Vec2&, const Vec2&) = default;
};
inline Vec2 operator+(const Vec2& a, const Vec2& b) { return {a.x + b.x, a.y + b.y}; }
inline Vec2 operator-(const Vec2& a, const Vec2& b) { return {a.x - b.x, a.y - b.y}; }
inline Vec2 operator*(double s, const Vec2& a) { return {s * a.x, s * a.y}; }
inline double dot(const Vec2& a, const Vec2& b) { return a.x * b.x + a.y * b.y; }
// The z component of the cross product. It is positive if b is to the left of a.
inline double cross(const Vec2& a, const Vec2& b) { return a.x * b.y - a.y * b.x; }
inline double norm(const Vec2& a) { return std::sqrt(dot(a, a)); }
inline Vec2 normalized(const Vec2& a) { return (1.0 / norm(a)) * a; }
inline Vec2 turned_left(const Vec2& a) { return {-a.y, a.x}; }
inline Vec2 turned_right(const Vec2& a) { return {a.y, -a.x}; }
inline Vec2 turned(const Vec2& a, double angle) {
  const double c = std::cos(angle), s = std::sin(angle);
  return {c * a.x - s * a.y, s * a.x + c * a.y};
}
// The angle from a to b, counter-clockwise, −π … π.
inline double angle_between(const Vec2& a, const Vec2& b) { return std::atan2(cross(a, b), dot(a, b)); }

}  // namespace tappet
