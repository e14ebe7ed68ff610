// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <tinyxml2.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <set>

#include "import/unread_urdf.h"
#include "import/urdf.h"

namespace tappet::urdf {
namespace {

using tinyxml2::XMLElement;

// In words, and for the element that begins in the line of the error.
const char* mistake(tinyxml2::XMLError error) {
  switch (error) {
    case tinyxml2::XML_ERROR_EMPTY_DOCUMENT:
      return "the file is empty";
    case tinyxml2::XML_ERROR_MISMATCHED_ELEMENT:
      return "the element that begins here is closed by another name";
    case tinyxml2::XML_ERROR_PARSING_ATTRIBUTE:
      return "an attribute is not written as name=\"value\"";
    case tinyxml2::XML_ERROR_PARSING_COMMENT:
      return "a comment is not closed";
    case tinyxml2::XML_ERROR_PARSING_ELEMENT:
      return "an element is not closed by '>'";
    case tinyxml2::XML_ERROR_PARSING:
      return "the element that begins here is not closed";
    case tinyxml2::XML_ELEMENT_DEPTH_EXCEEDED:
      return "elements stand too deep within each other";
    default:
      return "the text is not XML";
  }
}

class Reader {
 public:
  explicit Reader(const std::filesystem::path& file) { robot_.file = file.string(); }

  Robot read() {
    tinyxml2::XMLDocument document;
    if (const auto error = document.LoadFile(robot_.file.c_str()); error != tinyxml2::XML_SUCCESS) {
      if (error == tinyxml2::XML_ERROR_FILE_NOT_FOUND || error == tinyxml2::XML_ERROR_FILE_COULD_NOT_BE_OPENED)
        throw UsageError(fmt::format("cannot read '{}'; expected a URDF file", robot_.file));
      throw ModelError(robot_.file, {document.ErrorLineNum(), 1}, "xml",
                       fmt::format("{}; expected well-formed XML", mistake(error)));
    }
    const XMLElement* root = document.RootElement();
    if (std::string(root->Name()) != "robot")
      fail(*root, fmt::format("the document is a <{}>; expected a <robot>", root->Name()));
    robot_.name = text(*root, "name", "robot");
    for (const XMLElement* e = root->FirstChildElement(); e; e = e->NextSiblingElement()) top(*e);
    if (robot_.links.empty()) fail(*root, "the robot has no links; expected at least one");
    check_names(*root);
    return std::move(robot_);
  }

 private:
  [[noreturn]] void fail(const XMLElement& e, const std::string& what) const {
    throw ModelError(robot_.file, {e.GetLineNum(), 1}, e.Name(), what);
  }
  void ignore(const XMLElement& e, const std::string& of, const std::string& why) {
    robot_.ignored.push_back(fmt::format("line {}: <{}>{}: {}", e.GetLineNum(), e.Name(), of, why));
  }

  void append(const std::vector<std::string>& ignored) {
    robot_.ignored.insert(robot_.ignored.end(), ignored.begin(), ignored.end());
  }

  static std::string text(const XMLElement& e, const char* name, const std::string& otherwise) {
    const char* value = e.Attribute(name);
    return value ? value : otherwise;
  }
  std::string text(const XMLElement& e, const char* name) const {
    const char* value = e.Attribute(name);
    if (!value || !*value) fail(e, fmt::format("the attribute `{}` is missing; expected a text", name));
    return value;
  }
  std::vector<double> numbers(const XMLElement& e, const char* name, size_t count) const {
    const std::string all = text(e, name);
    std::vector<double> list;
    const char* at = all.c_str();
    for (;;) {
      while (*at == ' ' || *at == '\t' || *at == '\n' || *at == '\r') ++at;
      if (!*at) break;
      char* end = nullptr;
      list.push_back(std::strtod(at, &end));
      if (end == at || !std::isfinite(list.back()))
        fail(e, fmt::format("{}=\"{}\"; expected {} number{}", name, all, count, count == 1 ? "" : "s"));
      at = end;
    }
    if (list.size() != count)
      fail(e, fmt::format("{}=\"{}\" has {} numbers; expected {}", name, all, list.size(), count));
    return list;
  }
  double number(const XMLElement& e, const char* name) const { return numbers(e, name, 1)[0]; }
  double number(const XMLElement& e, const char* name, double otherwise) const {
    return e.Attribute(name) ? number(e, name) : otherwise;
  }
  double positive(const XMLElement& e, const char* name) const {
    const double x = number(e, name);
    if (!(x > 0.0)) fail(e, fmt::format("{} = {:g}; expected a positive number", name, x));
    return x;
  }
  Vec3d vector(const XMLElement& e, const char* name, const Vec3d& otherwise) const {
    if (!e.Attribute(name)) return otherwise;
    const auto x = numbers(e, name, 3);
    return {x[0], x[1], x[2]};
  }

  // rpy: turns about the fixed axes x, y, z, in this order. Newer files may have a quaternion instead.
  Frame origin(const XMLElement& parent) const {
    const XMLElement* e = parent.FirstChildElement("origin");
    if (!e) return {};
    if (e->Attribute("quat_xyzw")) {
      const auto q = numbers(*e, "quat_xyzw", 4);
      if (e->Attribute("rpy")) fail(*e, "the origin has `rpy` and `quat_xyzw`; expected one of them");
      if (!(std::abs(std::hypot(std::hypot(q[0], q[1]), std::hypot(q[2], q[3])) - 1.0) < 1e-3))
        fail(*e, "the length of `quat_xyzw` is not 1; expected a unit quaternion");
      return {vector(*e, "xyz", {}), normalized(Quatd{q[3], q[0], q[1], q[2]})};
    }
    const Vec3d rpy = vector(*e, "rpy", {});
    const Quatd q = axis_angle({0, 0, 1}, rpy.z) * axis_angle({0, 1, 0}, rpy.y) * axis_angle({1, 0, 0}, rpy.x);
    return {vector(*e, "xyz", {}), q};
  }

  void top(const XMLElement& e) {
    const std::string name = e.Name();
    if (name == "link")
      robot_.links.push_back(link(e));
    else if (name == "joint")
      robot_.joints.push_back(joint(e));
    else if (name.starts_with("xacro:"))
      fail(e, "the file is a xacro macro; expected a URDF file, which `xacro FILE > robot.urdf` makes of it");
    else if (name != "material")
      ignore(e, e.Attribute("name") ? fmt::format(" '{}'", e.Attribute("name")) : "", "Tappet has nothing like it");
  }

  Link link(const XMLElement& e) {
    Link link;
    link.name = text(e, "name"), link.line = e.GetLineNum();
    for (const XMLElement* c = e.FirstChildElement(); c; c = c->NextSiblingElement()) {
      const std::string name = c->Name();
      if (name == "inertial" && link.inertial)
        ignore(*c, fmt::format(" of link '{}'", link.name), "only the first one counts");
      else if (name == "inertial")
        link.inertial = inertial(*c);
      else if (name == "collision")
        link.collision.push_back(shape(*c));
      else if (name == "visual")
        ++link.visuals;
      else
        ignore(*c, fmt::format(" of link '{}'", link.name), "Tappet has nothing like it");
    }
    append(unread(e));
    return link;
  }

  Inertial inertial(const XMLElement& e) const {
    Inertial result;
    result.origin = origin(e);
    const XMLElement *mass = e.FirstChildElement("mass"), *J = e.FirstChildElement("inertia");
    if (!mass || !J) fail(e, fmt::format("<{}> is missing; expected <mass> and <inertia>", mass ? "inertia" : "mass"));
    result.mass = number(*mass, "value");
    if (result.mass < 0.0) fail(*mass, fmt::format("value = {:g}; expected a mass that is not negative", result.mass));
    const double xy = number(*J, "ixy", 0.0), xz = number(*J, "ixz", 0.0), yz = number(*J, "iyz", 0.0);
    result.inertia = {{number(*J, "ixx"), xy, xz}, {xy, number(*J, "iyy"), yz}, {xz, yz, number(*J, "izz")}};
    if (result.mass > 0.0) check_moments(*J, result.inertia);
    return result;
  }
  void check_moments(const XMLElement& e, const Mat3d& inertia) const {
    constexpr double slack = 1.05;  // as in model files: allows moments that are rounded
    Eigen::Matrix3d J;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) J(i, j) = inertia(i, j);
    const Eigen::Vector3d I = Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(J, Eigen::EigenvaluesOnly).eigenvalues();
    const std::string about =
        fmt::format("the moments about the principal axes are {:.4g}, {:.4g}, {:.4g}", I[0], I[1], I[2]);
    if (!(I[0] > 0.0)) fail(e, about + "; expected positive ones");
    if (I[2] > slack * (I[0] + I[1])) fail(e, about + "; expected none that exceeds the sum of the others");
  }

  Shape shape(const XMLElement& e) const {
    Shape shape;
    shape.origin = origin(e), shape.line = e.GetLineNum();
    const XMLElement* geometry = e.FirstChildElement("geometry");
    const XMLElement* g = geometry ? geometry->FirstChildElement() : nullptr;
    if (!g) fail(e, "the shape has no <geometry>; expected a box, cylinder, sphere or mesh in it");
    const std::string kind = g->Name();
    if (kind == "box") {
      shape.kind = Shape::Kind::box, shape.size = vector(*g, "size", {});
      for (int i = 0; i < 3; ++i)
        if (!(shape.size[i] > 0.0)) fail(*g, "`size` is missing or not positive; expected three positive numbers");
    } else if (kind == "cylinder") {
      shape.kind = Shape::Kind::cylinder, shape.radius = positive(*g, "radius"), shape.length = positive(*g, "length");
    } else if (kind == "sphere") {
      shape.kind = Shape::Kind::sphere, shape.radius = positive(*g, "radius");
    } else if (kind == "mesh") {
      shape.kind = Shape::Kind::mesh, shape.file = text(*g, "filename"), shape.scale = vector(*g, "scale", {1, 1, 1});
    } else {
      fail(*g, "unknown shape; expected box, cylinder, sphere or mesh");
    }
    return shape;
  }

  Joint joint(const XMLElement& e) {
    static const std::pair<const char*, Joint::Type> types[] = {
        {"revolute", Joint::Type::revolute},   {"continuous", Joint::Type::continuous},
        {"prismatic", Joint::Type::prismatic}, {"fixed", Joint::Type::fixed},
        {"floating", Joint::Type::floating},   {"planar", Joint::Type::planar}};
    Joint joint;
    joint.name = text(e, "name"), joint.line = e.GetLineNum();
    const std::string type = text(e, "type");
    const auto found = std::find_if(std::begin(types), std::end(types), [&](const auto& t) { return type == t.first; });
    if (found == std::end(types))
      fail(e,
           fmt::format("unknown type '{}'; expected revolute, continuous, prismatic, fixed, floating or planar", type));
    joint.type = found->second;
    joint.origin = origin(e);
    joint.parent = end_of(e, "parent"), joint.child = end_of(e, "child");
    for (const XMLElement* c = e.FirstChildElement(); c; c = c->NextSiblingElement())
      if (c == e.FirstChildElement(c->Name()))
        part(*c, joint);
      else
        ignore(*c, fmt::format(" of joint '{}'", joint.name), "only the first one counts");
    append(unread(e));
    list_unused(e, joint);
    if (joint.has_limits() && !e.FirstChildElement("limit"))
      fail(e, fmt::format("a {} joint has no <limit>; expected one (a `continuous` joint needs none)", type));
    if (joint.has_limits() && !(joint.lower < joint.upper))
      fail(*e.FirstChildElement("limit"),
           fmt::format("limits from {:g} to {:g}; expected `lower` below `upper`", joint.lower, joint.upper));
    return joint;
  }
  // What a joint of another type would use.
  void list_unused(const XMLElement& e, const Joint& joint) {
    const std::string of = fmt::format(" of joint '{}'", joint.name);
    const XMLElement *limit = e.FirstChildElement("limit"), *dynamics = e.FirstChildElement("dynamics");
    if (limit && !joint.moves())
      ignore(*limit, of, fmt::format("a {} joint has no limits", e.Attribute("type")));
    else if (limit && !joint.has_limits() && joint.lower != joint.upper)
      ignore(*limit, of, "`lower` and `upper` are left out, because a continuous joint turns without limits");
    if (dynamics && !joint.moves())
      ignore(*dynamics, of, fmt::format("a {} joint has no damping and no friction", e.Attribute("type")));
  }
  std::string end_of(const XMLElement& e, const char* which) const {
    const XMLElement* end = e.FirstChildElement(which);
    if (!end) fail(e, fmt::format("<{}> is missing; expected <{} link=\"..\"/>", which, which));
    return text(*end, "link");
  }
  void part(const XMLElement& c, Joint& joint) {
    const std::string name = c.Name(), of = fmt::format(" of joint '{}'", joint.name);
    if (name == "axis") {
      joint.axis = vector(c, "xyz", {1, 0, 0});
      if (!(norm(joint.axis) > 0.0)) fail(c, "the axis is zero; expected a direction");
      joint.axis = normalized(joint.axis);
    } else if (name == "limit") {
      joint.lower = number(c, "lower", 0.0), joint.upper = number(c, "upper", 0.0);
      if (c.Attribute("effort")) joint.effort = number(c, "effort");
      if (c.Attribute("velocity")) joint.velocity = number(c, "velocity");
    } else if (name == "dynamics") {
      joint.damping = number(c, "damping", 0.0), joint.friction = number(c, "friction", 0.0);
      if (joint.damping < 0.0 || joint.friction < 0.0) fail(c, "found a negative number; expected none");
    } else if (name == "mimic") {
      joint.mimics = text(c, "joint");
      ignore(c, of, "the joint moves freely, because Tappet does not couple the angles of two joints");
    } else if (name == "calibration" || name == "safety_controller") {
      ignore(c, of, "it belongs to the controller of the real robot");
    } else if (name != "origin" && name != "parent" && name != "child") {
      ignore(c, of, "Tappet has nothing like it");
    }
  }

  void check_names(const XMLElement& root) const {
    std::set<std::string> links, joints;
    for (const Link& l : robot_.links)
      if (!links.insert(l.name).second)
        fail_at(l.line, "link", fmt::format("a second link '{}'; expected one", l.name));
    for (const Joint& j : robot_.joints) {
      if (!joints.insert(j.name).second)
        fail_at(j.line, "joint", fmt::format("a second joint '{}'; expected one", j.name));
      for (const std::string& end : {j.parent, j.child})
        if (!links.contains(end))
          fail_at(j.line, "joint", fmt::format("joint '{}' names the link '{}', which is not there", j.name, end));
    }
    for (const Joint& j : robot_.joints)
      if (!j.mimics.empty() && !joints.contains(j.mimics))
        fail_at(j.line, "mimic", fmt::format("joint '{}' mimics the joint '{}', which is not there", j.name, j.mimics));
  }
  [[noreturn]] void fail_at(int line, const std::string& key, const std::string& what) const {
    throw ModelError(robot_.file, {line, 1}, key, what);
  }

  Robot robot_;
};

}  // namespace

Robot read(const std::filesystem::path& file) { return Reader(file).read(); }

}  // namespace tappet::urdf
