// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "import/import_urdf.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

#include "import/link_shapes.h"

namespace tappet {
namespace {

using namespace urdf;

// Round-off of the transformations is not worth reading.
std::string number(double x) {
  constexpr double round_off = 1e-15;
  return std::abs(x) < round_off ? "0" : fmt::format("{:.15g}", x);
}
std::string vector(const Vec3d& v) { return fmt::format("[{}, {}, {}]", number(v.x), number(v.y), number(v.z)); }

// Whole degrees are written as such.
std::string angle(double radians) {
  constexpr double round_off = 1e-12;
  const double degrees = radians * 180.0 / std::numbers::pi, whole = std::round(degrees);
  return std::abs(degrees - whole) < round_off * 180.0 ? fmt::format("{}*deg", static_cast<int>(whole))
                                                       : number(radians);
}
// `, rotation: ..`, or nothing if there is none.
std::string rotation(const Quatd& q) {
  constexpr double none = 1e-14;
  const Vec3d w = log_map(q);
  const double turn = norm(w);
  if (turn < none) return "";
  return fmt::format(", rotation: {{axis: {}, angle: {}}}", vector((1.0 / turn) * w), angle(turn));
}

std::string inertia(const Mat3d& J) {
  constexpr double round_off = 1e-12;
  const double size = J.x.x + J.y.y + J.z.z;
  const bool diagonal = std::max({std::abs(J.x.y), std::abs(J.x.z), std::abs(J.y.z)}) < round_off * size;
  if (diagonal) return vector({J.x.x, J.y.y, J.z.z});
  return fmt::format("[{}, {}, {}]", vector(J.x), vector(J.y), vector(J.z));
}

bool is_positive_definite(const Mat3d& J) {
  const double minor = J.x.x * J.y.y - J.x.y * J.y.x;
  return J.x.x > 0.0 && minor > 0.0 && dot(J.x, cross(J.y, J.z)) > 0.0;
}

// Names of links and joints as names of the model, each different from the others.
class Names {
 public:
  explicit Names(std::set<std::string> taken) : taken_(std::move(taken)) {}
  std::string operator()(std::string name) {
    for (char& c : name)
      if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
    static const std::set<std::string> words{"y", "n", "yes", "no", "on", "off", "true", "false", "null"};
    if (name.empty() || std::isdigit(static_cast<unsigned char>(name[0])) || words.contains(name)) name = "_" + name;
    std::string unique = name;
    for (int k = 2; !taken_.insert(unique).second; ++k) unique = fmt::format("{}_{}", name, k);
    return unique;
  }

 private:
  std::set<std::string> taken_;
};

class Writer {
 public:
  Writer(const Robot& robot, const UrdfOptions& options) : robot_(robot), options_(options) {
    tree_ = place(robot, options.pose, options.fixed);
    left_out_ = robot.ignored;
    shapes_ = shapes_of(robot, tree_, left_out_);
    free_ = tree_.links[0].body == 0;
    for (const PlacedJoint& j : tree_.joints)
      free_ |= j.joint->type == Joint::Type::floating && tree_.links[j.parent].body < 0;
    stand();
    Names bodies({"ground"}), joints({});
    for (const PlacedLink& link : tree_.links) body_names_.push_back(bodies(link.link->name));
    for (const PlacedJoint& joint : tree_.joints) joint_names_.push_back(joints(joint.joint->name));
  }

  ImportedModel write() {
    const std::string body_text = bodies(), joint_text = joints(), shape_text = geometry(), contact_text = colliders();
    list_changes();
    std::string text =
        "# Made by `tappet import` and meant to be edited. Every joint counts from the pose at the start.\n";
    if (!left_out_.empty()) text += "# What the robot has and this model has not, or has in another form:\n";
    for (const std::string& what : left_out_) text += fmt::format("#   {}\n", what);
    text += fmt::format("title: {}\nsource: {}\n", quoted(robot_.name),
                        quoted(std::filesystem::path(robot_.file).filename().string()));
    text += fmt::format("parameters: {{g: 9.81{}}}\n", shapes_.empty() ? "" : ", mu: 0.6");
    text += shape_text + body_text + joint_text + contact_text;
    text += "forces:\n  gravity: {type: gravity, acceleration: [0, 0, -g]}\n";
    text += "run: {scheme: lcp-euler, stabilisation: 1, dt: 1e-3, end: 2, record: 10}\n";
    return {text, left_out_};
  }

 private:
  static std::string quoted(const std::string& text) {
    std::string result = "\"";
    for (const char c : text) {
      if (c == '"' || c == '\\') result += '\\';
      result += c;
    }
    return result + "\"";
  }

  // A robot that nothing holds is set onto the plane z = 0.
  void stand() {
    Vec3d by = options_.position.value_or(Vec3d{});
    if (free_ && !options_.position) {
      double lowest = HUGE_VAL;
      for (const LinkShape& shape : shapes_) lowest = std::min(lowest, shape.lowest);
      if (std::isfinite(lowest)) by.z = -lowest;
      if (by.z != 0.0)
        left_out_.push_back(
            fmt::format("the robot is moved by {:.4g} m along z, so that it stands on the floor", by.z));
    }
    move(tree_, by);
    for (LinkShape& shape : shapes_) shape.world.p += by;
  }

  Frame body_frame(int link) const {
    if (link < 0) return {};
    const PlacedLink& placed = tree_.links[link];
    return {placed.frame.point(placed.link->inertial->origin.p), placed.frame.q};
  }
  std::string body_name(int link) const { return link < 0 ? "ground" : body_names_[link]; }

  // The axes of a body are those of its link.
  std::string bodies() const {
    std::string text;
    for (int k = 0; k < static_cast<int>(tree_.links.size()); ++k) {
      if (!tree_.is_body(k)) continue;
      const Link& link = *tree_.links[k].link;
      const Mat3d R = rotation_matrix(link.inertial->origin.q);
      const Mat3d J = R * link.inertial->inertia * transpose(R);
      if (!is_positive_definite(J))
        throw ModelError(robot_.file, {link.line, 1}, "link",
                         fmt::format("the inertia of link '{}' is not positive definite; expected three positive "
                                     "principal moments",
                                     link.name));
      const Frame frame = body_frame(k);
      text += fmt::format("  {}: {{type: rigid, mass: {}, inertia: {}, position: {}{}}}\n", body_names_[k],
                          number(link.inertial->mass), inertia(J), vector(frame.p), rotation(frame.q));
    }
    return text.empty() ? "" : "bodies:\n" + text;
  }

  std::string joints() {
    std::string text;
    for (size_t i = 0; i < tree_.joints.size(); ++i) {
      const PlacedJoint& placed = tree_.joints[i];
      if (!tree_.is_body(placed.child)) continue;
      if (const std::string one = joint(placed); !one.empty()) text += fmt::format("  {}: {}\n", joint_names_[i], one);
    }
    return text.empty() ? "" : "joints:\n" + text;
  }
  std::string joint(const PlacedJoint& placed) {
    const Joint& joint = *placed.joint;
    const Frame frame = tree_.links[placed.child].frame;
    const std::string bodies =
        fmt::format("bodies: [{}, {}]", body_name(tree_.links[placed.parent].body), body_name(placed.child));
    const std::string place = fmt::format("at: {}, axis: {}", vector(frame.p), vector(frame.direction(joint.axis)));
    if (joint.type == Joint::Type::floating) return "";
    if (joint.type == Joint::Type::fixed) return fmt::format("{{type: fixed, {}}}", bodies);
    if (joint.type == Joint::Type::planar) return fmt::format("{{type: planar, {}, {}}}", bodies, place);
    const bool slides = joint.type == Joint::Type::prismatic;
    std::string text = fmt::format("{{type: {}, {}, {}", slides ? "prismatic" : "revolute", bodies, place);
    if (joint.has_limits())
      text += fmt::format(", limits: {{from: {}, to: {}}}", number(joint.lower - placed.start),
                          number(joint.upper - placed.start));
    if (joint.friction > 0.0) text += fmt::format(", friction: {}", number(joint.friction));
    if (joint.damping > 0.0) text += fmt::format(", damping: {}", number(joint.damping));
    return text + "}" + strength(joint, slides);
  }
  // What the motor of the real robot can do, as a comment.
  std::string strength(const Joint& joint, bool slides) {
    std::string text;
    if (joint.effort && *joint.effort > 0.0)
      text += fmt::format("  # a motor may have `most: {}`", number(*joint.effort));
    if (joint.velocity && *joint.velocity > 0.0)
      text += fmt::format("{} at most {} {}", text.empty() ? "  #" : ",", number(*joint.velocity),
                          slides ? "m/s" : "rad/s");
    has_strength_ |= !text.empty();
    return text;
  }

  std::string shape_name(size_t i) const {
    int number = 1;
    for (size_t k = 0; k < i; ++k) number += shapes_[k].link == shapes_[i].link;
    const std::string& name = body_names_[shapes_[i].link];
    return number == 1 ? name : fmt::format("{}_shape_{}", name, number);
  }

  static std::string prism(const Shape& s) {
    std::string text;
    for (int k = 0; k < prism_corners; ++k) {
      const double a = 2.0 * std::numbers::pi * k / prism_corners;
      for (const double side : {-0.5, 0.5})
        text += fmt::format("{}{}",
                            text.empty()               ? ""
                            : k % 4 == 0 && side < 0.0 ? ",\n      "
                                                       : ", ",
                            vector({s.radius * std::cos(a), s.radius * std::sin(a), side * s.length}));
    }
    return text;
  }
  std::string geometry() const {
    std::string text;
    for (size_t i = 0; i < shapes_.size(); ++i) {
      const Shape& s = *shapes_[i].shape;
      if (s.kind == Shape::Kind::mesh)
        text += fmt::format("  {}: {{type: convex, file: {}, scale: {}}}\n", shape_name(i),
                            quoted(std::filesystem::proximate(shapes_[i].file, options_.folder).generic_string()),
                            number(s.scale.x));
      else if (s.kind == Shape::Kind::cylinder)
        text += fmt::format("  {}: {{type: convex, vertices: [\n      {}]}}\n", shape_name(i), prism(s));
    }
    return text.empty() ? "" : "geometry:\n" + text;
  }

  std::string collider(size_t i) const {
    const LinkShape& here = shapes_[i];
    const Shape& s = *here.shape;
    const Frame body = body_frame(tree_.links[here.link].body);
    const Quatd q = normalized(conjugate(body.q) * here.world.q);
    const Vec3d center = transposed_times(rotation_matrix(body.q), here.world.p - body.p);
    const std::string place = norm(center) < 1e-15 ? "" : ", center: " + vector(center);
    switch (s.kind) {
      case Shape::Kind::sphere:
        return fmt::format("type: sphere, radius: {}{}", number(s.radius), place);
      case Shape::Kind::box:
        return fmt::format("type: box, size: {}{}{}", vector(s.size), place, rotation(q));
      case Shape::Kind::cylinder:
      case Shape::Kind::mesh:
        return fmt::format("type: convex, geometry: {}{}{}", shape_name(i), place, rotation(q));
    }
    return "";
  }
  std::string colliders() const {
    if (shapes_.empty()) return "";
    Names names(std::set<std::string>(body_names_.begin(), body_names_.end()));
    std::string text = "colliders:\n";
    for (size_t i = 0; i < shapes_.size(); ++i)
      text += fmt::format("  {}: {{body: {}, {}, mu: mu}}\n", shape_name(i),
                          body_name(tree_.links[shapes_[i].link].body), collider(i));
    if (free_) text += fmt::format("  {}: {{type: plane, body: ground, normal: [0, 0, 1], mu: mu}}\n", names("floor"));
    return text;
  }

  void list_changes() {
    const auto note = [&](const std::string& text) { left_out_.push_back(text); };
    int visuals = 0, prisms = 0;
    for (int k = 0; k < static_cast<int>(tree_.links.size()); ++k) {
      const Link& link = *tree_.links[k].link;
      visuals += link.visuals;
      if (link.inertial && !tree_.is_body(k))
        note(fmt::format("line {}: the <inertial> of link '{}' is left out: the link {}", link.line, link.name,
                         tree_.links[k].body < 0 ? "does not move" : "has no mass"));
    }
    for (const LinkShape& s : shapes_) prisms += s.shape->kind == Shape::Kind::cylinder;
    for (const PlacedJoint& j : tree_.joints) {
      if (j.joint->type == Joint::Type::floating)
        note(fmt::format("joint '{}' is floating: its link moves freely", j.joint->name));
      if (j.joint->moves() && j.start != 0.0 && !options_.pose.contains(j.joint->name))
        note(fmt::format("joint '{}' starts at {}, in the middle of its limits, which exclude 0", j.joint->name,
                         number(j.start)));
    }
    if (has_strength_) note("limits of effort and velocity belong to motors, which URDF has not: they are comments");
    if (visuals > 0) note(fmt::format("{} visual shapes: the page draws the colliders", visuals));
    if (prisms > 0)
      note(fmt::format("{} cylinders are prisms with {} corners, which are inside by up to {:.2g} % of the radius",
                       prisms, prism_corners, 100.0 * (1.0 - std::cos(std::numbers::pi / prism_corners))));
    if (!shapes_.empty())
      note("links touch each other, unless a joint connects them; friction is not in URDF, so mu is chosen");
  }

  const Robot& robot_;
  const UrdfOptions& options_;
  Tree tree_;
  std::vector<LinkShape> shapes_;
  bool free_ = false, has_strength_ = false;
  std::vector<std::string> body_names_, joint_names_, left_out_;
};

}  // namespace

ImportedModel import_urdf(const std::filesystem::path& file, const UrdfOptions& options) {
  const Robot robot = read(file);
  return Writer(robot, options).write();
}

}  // namespace tappet
