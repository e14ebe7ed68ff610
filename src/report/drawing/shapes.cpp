// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "report/drawing/shapes.h"

#include <algorithm>
#include <map>

#include "collision/plate/plate.h"
#include "report/drawing/solid_faces.h"

namespace tappet {

namespace {

constexpr int most_drawn = 2000, most_balls = 10'000;  // bodies of a group

bool same(const DrawnShape& a, const DrawnShape& b) {
  const auto frames = [](const Attachment& x, const Attachment& y) { return x.body == y.body && x.node == y.node; };
  return a.kind == b.kind && a.points == b.points && a.radius == b.radius && a.vertices == b.vertices &&
         std::equal(a.frames.begin(), a.frames.end(), b.frames.begin(), b.frames.end(), frames);
}

class Sketch {
 public:
  explicit Sketch(const System& system) : model_(system.model()), parts_(model_.bodies.size()) {}

  std::vector<DrawnShape> shapes() {
    for (const ContactEntry& contact : model_.contacts)
      std::visit([&](const auto& element) { surfaces(element, contact.bodies); }, contact.element);
    for (size_t b = 0; b < std::min<size_t>(model_.bodies.size(), most_drawn); ++b) geometry(static_cast<int>(b));
    for (const ColliderEntry& collider : model_.colliders) solid(collider);
    for (const auto& joint : model_.joints)
      std::visit([&](const auto& element) { hinge(element, joint.bodies); }, joint.element);
    for (const auto& joint : model_.velocity_joints)
      std::visit([&](const auto& element) { wheel(element, joint.bodies); }, joint.element);
    for (const auto& force : model_.forces)
      std::visit([&](const auto& element) { line_of_force(element, force.bodies); }, force.element);
    for (int b = 0; b < static_cast<int>(parts_.size()); ++b) body(b);
    shapes_.insert(shapes_.end(), symbols_.begin(), symbols_.end());
    return std::move(shapes_);
  }
  std::vector<DrawnShape> shapes_of(const ColliderEntry& collider) {
    solid(collider);
    return std::move(shapes_);
  }

 private:
  struct Part {
    // in its frame; ends: other points of the body that are not at its centre
    std::vector<Vec3d> corners, joints, ends;
    bool drawn = false;
    bool shaped = false;  // whether its geometry is drawn, so that it needs no rods
  };

  void add(DrawnShape shape) {
    const int body = shape.frames[0].body;
    if (shape.label.empty() && body >= 0) shape.label = model_.bodies[body].name;
    if (body >= 0) parts_[body].drawn = true;
    if (std::none_of(shapes_.begin(), shapes_.end(), [&](const DrawnShape& s) { return same(s, shape); }))
      shapes_.push_back(std::move(shape));
  }
  void ball(const Attachment& body, const Vec3d& center, double radius, bool fill = true) {
    add({.kind = "sphere", .frames = {body}, .points = {center}, .radius = radius, .fill = fill});
  }
  void flat(const Attachment& body, const Plane& plane) {
    add({.kind = "plane", .frames = {body, body}, .points = {plane.point, plane.point + plane.normal}});
  }

  // The closed curves of a profile, with enough points to look round.
  void outlines(const PlanarProfile& profile, const Pose<double>& place, const Attachment& body,
                const std::string& label) {
    DrawnShape shape{.kind = "polygon", .label = label, .frames = {body}, .points = {}};
    for (int k = 0; k < profile.loops(); ++k) {
      const std::vector<Vec2> polygon = profile.polygon(k, 2e-4 * profile.size());
      for (const Vec2& p : polygon) shape.points.push_back(place.point(Vec3d{p.x, p.y, 0.0}));
      shape.loops.push_back(static_cast<int>(polygon.size()));
    }
    if (body.body >= 0) parts_[body.body].shaped = true;
    add(std::move(shape));
  }
  void plate(const Plate& plate, const Pose<double>& place, const Attachment& body, const std::string& label) {
    SolidFaces solid = faces_of(plate);
    for (Vec3d& v : solid.vertices) v = place.direction(v);
    if (body.body >= 0) parts_[body.body].shaped = true;
    add({.kind = "solid",
         .label = label,
         .frames = {body},
         .points = {place.p},
         .vertices = std::move(solid.vertices),
         .faces = std::move(solid.faces)});
  }
  void geometry(int b) {
    const BodyEntry& body = model_.bodies[b];
    if (body.geometry < 0) return;
    const Solid& solid = *model_.geometries[body.geometry].solid;
    if (solid.kind() == Shape::Kind::profile && body.thickness)
      plate(Plate(std::static_pointer_cast<const PlanarProfile>(model_.geometries[body.geometry].solid),
                  (*body.thickness)[0], (*body.thickness)[1], 0.0),
            {body.geometry_origin}, {b}, body.name);
    else if (solid.kind() == Shape::Kind::profile)
      outlines(static_cast<const PlanarProfile&>(solid), {body.geometry_origin}, {b}, body.name);
  }

  // Draws every body of a group, up to a number that a page can show.
  void solid(const ColliderEntry& entry) {
    for (int b = 0; b < entry.bodies; ++b) {
      const Attachment body{entry.first_body < 0 ? -1 : entry.first_body + b};
      if (body.body >= 0) {
        parts_[body.body].drawn = true;
        parts_[body.body].ends.push_back(entry.shapes[0].pose.p);
      }
      if (b >= (entry.shapes[0].shape.kind == Shape::Kind::sphere ? most_balls : most_drawn)) continue;
      const std::string label = body.body < 0 ? entry.name : model_.bodies[body.body].name;
      const Collider& collider = entry.shapes[0];
      const Vec3d p = collider.pose.p, z = collider.pose.direction(Vec3d{0, 0, 1});
      const Shape& shape = collider.shape;
      if (entry.shapes.size() > 1)
        shapes_.push_back(walls(entry.shapes, body, label));
      else if (shape.kind == Shape::Kind::sphere)
        shapes_.push_back({.kind = "sphere", .label = label, .frames = {body}, .points = {p}, .radius = shape.radius});
      else if (shape.kind == Shape::Kind::box)
        shapes_.push_back({.kind = "box", .label = label, .frames = {body}, .points = {p}, .size = 2.0 * shape.half});
      else if (shape.kind == Shape::Kind::capsule)
        shapes_.push_back({.kind = "cylinder",
                           .label = label,
                           .frames = {body, body},
                           .points = {p - shape.half.z * z, p + shape.half.z * z},
                           .radius = shape.radius});
      else if (shape.kind == Shape::Kind::profile)
        outlines(profile_of(shape), collider.pose, body, label);
      else if (shape.kind == Shape::Kind::plate)
        plate(plate_of(shape), collider.pose, body, label);
      else if (SolidFaces solid = faces_of(shape); !solid.faces.empty()) {
        for (Vec3d& v : solid.vertices) v = collider.pose.direction(v);
        shapes_.push_back({.kind = "solid",
                           .label = label,
                           .frames = {body},
                           .points = {p},
                           .vertices = std::move(solid.vertices),
                           .faces = std::move(solid.faces)});
      } else
        shapes_.push_back({.kind = "plane", .label = label, .frames = {body, body}, .points = {p, p + z}});
    }
  }

  // A container is a list of planes: the floor, a lid if it has one, the walls across y, the walls across x.
  static DrawnShape walls(const std::vector<Collider>& planes, const Attachment& body, const std::string& label) {
    const size_t n = planes.size();
    const auto at = [&](size_t k) { return planes[k].pose.p; };
    const Vec3d center = 0.5 * (at(n - 2) + at(n - 1));
    const Vec3d size{at(n - 1).x - at(n - 2).x, at(n - 3).y - at(n - 4).y, 2.0 * (center.z - at(0).z)};
    return {.kind = "box",
            .label = label,
            .frames = {body},
            .points = {center},
            .size = size,
            .type = n == 5 ? "open" : "",
            .fill = false};
  }

  template <class Element>
  void surfaces(const Element& e, const std::array<Attachment, 2>& bodies) {
    if constexpr (requires { e.plane; }) {
      flat(bodies[1], e.plane);
      if constexpr (requires { e.radius; })
        ball(bodies[0], e.center, e.radius);
      else if (bodies[0].body >= 0)
        parts_[bodies[0].body].corners.push_back(e.at);
    } else if constexpr (requires { e.axis_point; }) {
      ball(bodies[0], e.center, e.radii[0]);
      const Vec3d half = 3.0 * e.radii[1] * e.axis;
      add({.kind = "cylinder",
           .frames = {bodies[1], bodies[1]},
           .points = {e.axis_point - half, e.axis_point + half},
           .radius = e.radii[1],
           .fill = std::is_same_v<Element, SphereOnCylinder>});
    } else if constexpr (requires { e.centers; }) {
      ball(bodies[0], e.centers[0], e.radii[0]);
      ball(bodies[1], e.centers[1], e.radii[1], !std::is_same_v<Element, CircleInCircle>);
    }
  }

  template <class Element>
  void hinge(const Element& e, const std::array<Attachment, 2>& bodies) {
    if constexpr (std::is_same_v<Element, Distance>) {
      symbols_.push_back({.kind = "line", .frames = {bodies[0], bodies[1]}, .points = {e.at[0], e.at[1]}, .width = 3});
      for (int side = 0; side < 2; ++side)
        if (bodies[side].body >= 0) parts_[bodies[side].body].joints.push_back(e.at[side]);
    } else if constexpr (requires { e.attached.point_A; }) {
      const Vec3d points[2] = {e.attached.point_A, e.attached.point_B};
      for (int side = 0; side < 2; ++side)
        if (bodies[side].body >= 0) parts_[bodies[side].body].joints.push_back(points[side]);
      const bool grounded = bodies[0].body < 0 || bodies[1].body < 0;
      symbols_.push_back({.kind = "joint",
                          .frames = {bodies[0]},
                          .points = {points[0]},
                          .type = std::string(Element::name),
                          .fixed = grounded});
    }
  }

  // Draws a ball or a disc that rolls. A disc in space is a flat cylinder with a spoke, which shows how it turns.
  template <class Element>
  void wheel(const Element& e, const std::array<Attachment, 2>& bodies) {
    if constexpr (std::is_same_v<Element, Rolling>) {
      if (bodies[0].body < 0) return;
      const bool planar = std::holds_alternative<PlanarBody>(model_.bodies[bodies[0].body].element);
      if (!e.axis || planar) return ball(bodies[0], e.center, e.radius);
      const Vec3d half = 0.02 * e.radius * *e.axis;
      const Vec3d rim = e.center + e.radius * normals(*e.axis)[0];
      add({.kind = "cylinder",
           .frames = {bodies[0], bodies[0]},
           .points = {e.center - half, e.center + half},
           .radius = e.radius});
      for (const double side : {-1.05, 1.05})
        symbols_.push_back({.kind = "line",
                            .frames = {bodies[0], bodies[0]},
                            .points = {e.center + side * half, rim + side * half},
                            .width = 3});
    }
  }

  template <class Element>
  void line_of_force(const Element& e, const std::array<Attachment, 2>& bodies) {
    if constexpr (requires { e.at[1].x; } && Element::frames == 2) {
      const char* kind = std::is_same_v<Element, Damper> ? "damper" : "spring";
      symbols_.push_back({.kind = kind, .frames = {bodies[0], bodies[1]}, .points = {e.at[0], e.at[1]}});
    }
  }

  // A body is drawn as a rod from joint to joint. Other parts that are not at its centre, such as a foot or a ball at
  // its tip, are connected with the nearest joint, or with the centre of mass if there is no joint. If there is only
  // one joint, the rod ends at the centre.
  static std::vector<std::pair<Vec3d, Vec3d>> links(const Part& part) {
    std::vector<Vec3d> joints;
    const auto apart = [](const Vec3d& a, const Vec3d& b) { return norm(a - b) > 1e-12; };
    for (const Vec3d& p : part.joints)
      if (std::all_of(joints.begin(), joints.end(), [&](const Vec3d& q) { return apart(p, q); })) joints.push_back(p);
    std::vector<std::pair<Vec3d, Vec3d>> lines;
    for (size_t i = 1; i < joints.size(); ++i) lines.emplace_back(joints[i - 1], joints[i]);
    const Vec3d centre{};
    bool ends = false;
    for (const Vec3d& end : part.ends) {
      const auto nearest = std::min_element(
          joints.begin(), joints.end(), [&](const Vec3d& a, const Vec3d& b) { return norm(a - end) < norm(b - end); });
      const Vec3d from = nearest == joints.end() ? centre : *nearest;
      if (!apart(end, centre) || !apart(end, from)) continue;
      lines.emplace_back(from, end);
      ends = true;
    }
    if (joints.size() == 1 && !ends && apart(joints[0], centre)) lines.emplace_back(joints[0], centre);
    return lines;
  }

  // Draws corners as a box, joints as a rod, and otherwise a point.
  void body(int b) {
    Part& part = parts_[b];
    const Attachment frame{b, 0};
    if (std::visit([](const auto& e) { return FlexibleBody<std::decay_t<decltype(e)>>; }, model_.bodies[b].element))
      return;
    if (part.corners.size() >= 4) {
      Vec3d low = part.corners[0], high = low;
      for (const Vec3d& c : part.corners)
        for (int i = 0; i < 3; ++i) low[i] = std::min(low[i], c[i]), high[i] = std::max(high[i], c[i]);
      add({.kind = "box", .frames = {frame}, .points = {0.5 * (low + high)}, .size = high - low});
    } else {
      for (const Vec3d& c : part.corners)
        if (norm(c) > 0.0) add({.kind = "line", .frames = {frame, frame}, .points = {Vec3d{}, c}, .width = 4});
    }
    if (part.shaped) return;
    for (const auto& [from, to] : links(part))
      add({.kind = "line", .frames = {frame, frame}, .points = {from, to}, .width = 6});
    if (!part.drawn && b < most_drawn) add({.kind = "point", .frames = {frame}, .points = {Vec3d{}}});
  }

  const Model& model_;
  std::vector<Part> parts_;
  std::vector<DrawnShape> shapes_, symbols_;
};

}  // namespace

std::vector<DrawnShape> default_shapes(const System& system) { return Sketch(system).shapes(); }

std::vector<DrawnShape> collider_shapes(const System& system, const std::string& name) {
  const auto& colliders = system.model().colliders;
  const auto entry = std::find_if(colliders.begin(), colliders.end(), [&](const auto& c) { return c.name == name; });
  return entry == colliders.end() ? std::vector<DrawnShape>() : Sketch(system).shapes_of(*entry);
}

std::vector<Attachment> line_of_nodes(const System& system, int body, int most_points) {
  std::vector<Attachment> nodes;
  std::visit(
      [&]<class Element>(const Element& element) {
        if constexpr (FlexibleBody<Element>) {
          const int last = element.nodes() - 1, pieces = std::min(last, most_points - 1);
          for (int i = 0; i <= pieces; ++i)
            nodes.push_back({body, pieces > 0 ? static_cast<int>(static_cast<long>(i) * last / pieces) : 0});
        }
      },
      system.model().bodies[body].element);
  return nodes;
}

std::vector<DrawnShape> flexible_shapes(const System& system) {
  std::vector<DrawnShape> shapes;
  const Model& model = system.model();
  for (int b = 0; b < static_cast<int>(model.bodies.size()); ++b) {
    if (std::any_of(model.draw.begin(), model.draw.end(),
                    [&](const DrawItem& item) { return item.kind == "flexible" && item.body == b; }))
      continue;
    auto nodes = line_of_nodes(system, b, most_line_points);
    if (nodes.empty()) continue;
    const size_t count = nodes.size();
    shapes.push_back({.kind = "line",
                      .label = model.bodies[b].name,
                      .frames = std::move(nodes),
                      .points = std::vector<Vec3d>(count),
                      .width = 8});
  }
  return shapes;
}

}  // namespace tappet
