// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "model/reading/element_reader.h"

#include <algorithm>
#include <cmath>

namespace tappet {
namespace {

bool holds_lists(const Item& item) {
  const std::vector<Item> items = item.list();
  return !items.empty() && items[0].is_list();
}

}  // namespace

// If the number was written as a formula, the message also shows its value.
void KeyReader::fail_number(const Item& item, double value, const std::string& expected) {
  if (item.text() == fmt::format("{}", value)) item.fail_expecting(expected);
  item.fail(fmt::format("'{}' is {}; expected {}", item.text(), value, expected));
}

double KeyReader::number(const Item& item, int index) const {
  if (!uses_) return values_.number(item);
  const StagedNumber number = values_.staged(item);
  if (number.place >= 0) uses_->push_back({std::string(key_), index, number});
  return number.value;
}

void KeyReader::read(const Item& item, double& value) const { value = number(item, 0); }
void KeyReader::read(const Item& item, int& value) const { value = values_.integer(item); }
void KeyReader::read(const Item& item, TimeFunction& value) const { value = values_.time_function(item); }
void KeyReader::read(const Item& item, std::string& value) const { value = item.text(); }

void KeyReader::read(const Item& item, bool& value) const { value = index_of(item, {"false", "true"}) == 1; }

void KeyReader::read(const Item& item, TimeVector& value) const {
  if (!item.is_list()) {  // a single number is about or along z
    value.component[2] = values_.time_function(item);
    return;
  }
  const std::string expected = "a list of three formulas of t (or two in the plane)";
  const std::vector<Item> items = item.list(expected);
  if (items.size() != 2 && items.size() != 3) item.fail_expecting(expected);
  for (std::size_t i = 0; i < items.size(); ++i) value.component[i] = values_.time_function(items[i]);
}

void KeyReader::read(const Item& item, SurfaceFunction& value) const {
  using Slots = SurfaceFunction;
  Graph graph;
  const Node g = values_.formula(
      graph, item, {{"t", Slots::slot_t}, {"x", Slots::slot_x}, {"y", Slots::slot_y}, {"z", Slots::slot_z}});
  if (graph.is_constant(g)) item.fail_expecting("a formula of x, y, z that is zero on the surface");
  value = SurfaceFunction(graph, g);
}

void KeyReader::read(const Item& item, Vec3d& value) const {
  const std::vector<double> x = values_.numbers(item, 2, 3, "a list of three numbers (or two in the plane)");
  value = {x[0], x[1], x.size() == 3 ? x[2] : 0.0};
}

void KeyReader::read(const Item& item, Mat3d& value) const {
  const std::string expected = "three numbers (the diagonal) or three rows of three";
  if (!item.is_list()) item.fail_expecting(expected);
  if (!holds_lists(item)) {
    const std::vector<double> d = values_.numbers(item, 3, 3, expected);
    value = {{d[0], 0.0, 0.0}, {0.0, d[1], 0.0}, {0.0, 0.0, d[2]}};
    return;
  }
  std::vector<std::vector<double>> rows;
  for (const Item& row : item.list()) rows.push_back(values_.numbers(row, 3, 3, "a row of three numbers"));
  if (rows.size() != 3) item.fail_expecting(expected);
  const auto column = [&](int j) { return Vec3d{rows[0][j], rows[1][j], rows[2][j]}; };
  value = {column(0), column(1), column(2)};
}

// Typed numbers rarely have a norm of exactly 1. If the norm is close to 1, the quaternion is normalised.
void KeyReader::read(const Item& item, Quatd& value) const {
  constexpr double tolerance = 1e-6;
  if (item.is_map()) {
    item.allow({"axis", "angle"});
    Vec3d axis{};
    const Item axis_item = item.at("axis", "a vector");
    read(axis_item, axis);
    const double length = std::sqrt(dot(axis, axis));
    if (length == 0.0) axis_item.fail_expecting("a vector that is not zero");
    const double half = 0.5 * values_.number(item.at("angle", "an angle in radians"));
    const double s = std::sin(half) / length;
    value = {std::cos(half), s * axis.x, s * axis.y, s * axis.z};
    return;
  }
  const std::vector<double> q = values_.numbers(item, 4, 4, "four numbers [w, x, y, z] or {axis: [..], angle: ..}");
  value = {q[0], q[1], q[2], q[3]};
  const double norm = std::sqrt(squared_norm(value));
  if (std::abs(norm - 1.0) > tolerance)
    item.fail(fmt::format("a quaternion of norm {:.9g}; expected norm 1 to {:g}", norm, tolerance));
  value = normalized(value);
}

void KeyReader::read(const Item& item, OneOrTwo& value) const {
  if (!item.is_list()) {
    value[0] = value[1] = number(item, -1);
    return;
  }
  const std::string expected = "one number or a list of two";
  const std::vector<Item> items = item.list(expected);
  if (items.size() != 2) item.fail_expecting(expected);
  for (int i = 0; i < 2; ++i) value[i] = number(items[i], i);
}

void KeyReader::read(const Item& item, std::array<Vec3d, 2>& value) const {
  const std::string expected = "two points [[x, y, z], [x, y, z]], one in the frame of each body";
  const std::vector<Item> points = item.list(expected);
  if (points.size() != 2) item.fail_expecting(expected);
  for (int i = 0; i < 2; ++i) read(points[i], value[i]);
}

void KeyReader::read(const Item& item, EdgeLengths& value) const {
  std::vector<double> edges{0.0};
  if (item.is_list())
    edges = values_.numbers(item, 2, 3, std::string(PositiveEdges::text));
  else
    edges[0] = values_.number(item);
  value.given = static_cast<int>(edges.size());
  value.size = {edges[0], edges.size() > 1 ? edges[1] : edges[0], edges.size() > 2 ? edges[2] : edges[0]};
  if (value.given == 2) value.size.z = 0.0;
}

void KeyReader::read(const Item& item, Anchor& value) const {
  if (!item.is_list()) item.fail_expecting("a point [x, y, z] in the world, or two, one in the frame of each body");
  value.in_bodies = holds_lists(item);
  if (value.in_bodies)
    read(item, value.local);
  else
    read(item, value.world);
}

int KeyReader::index_of(const Item& item, const std::vector<std::string>& names) {
  const std::string expected = fmt::format("one of: {}", listed(names));
  const auto found = std::find(names.begin(), names.end(), item.text(expected));
  if (found == names.end())
    item.fail(fmt::format("found '{}'{}; expected {}", item.text(), suggestion(item.text(), names), expected));
  return static_cast<int>(found - names.begin());
}

}  // namespace tappet
