// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <tinyxml2.h>
#include <unistd.h>

#include <Eigen/Geometry>
#include <fstream>
#include <sstream>

#include "import/import_urdf.h"
#include "model/model.h"

namespace tappet {
namespace {

using Eigen::Affine3d;
using Eigen::Matrix3d;
using Eigen::Vector3d;
using testing::HasSubstr;

// An independent reading of the file: matrices of Eigen, found by recursion from child to parent.
class Expected {
 public:
  Expected(const std::string& file, std::map<std::string, double> pose) : pose_(std::move(pose)) {
    EXPECT_EQ(document_.LoadFile(file.c_str()), tinyxml2::XML_SUCCESS) << file;
  }

  const tinyxml2::XMLElement* named(const char* kind, const std::string& name) const {
    for (auto* e = document_.RootElement()->FirstChildElement(kind); e; e = e->NextSiblingElement(kind))
      if (name == e->Attribute("name")) return e;
    return nullptr;
  }
  Affine3d link(const std::string& name) const {
    for (auto* j = document_.RootElement()->FirstChildElement("joint"); j; j = j->NextSiblingElement("joint"))
      if (name == j->FirstChildElement("child")->Attribute("link"))
        return link(j->FirstChildElement("parent")->Attribute("link")) * origin(j) * motion(j);
    return Affine3d::Identity();
  }
  Affine3d center(const std::string& name) const {
    return link(name) * origin(named("link", name)->FirstChildElement("inertial"));
  }
  Matrix3d inertia(const std::string& name) const {  // along the axes of the link
    const auto* inertial = named("link", name)->FirstChildElement("inertial");
    const auto* J = inertial->FirstChildElement("inertia");
    const auto x = [&](const char* key) { return J->DoubleAttribute(key); };
    Matrix3d own;
    own << x("ixx"), x("ixy"), x("ixz"), x("ixy"), x("iyy"), x("iyz"), x("ixz"), x("iyz"), x("izz");
    const Matrix3d R = origin(inertial).rotation();
    return R * own * R.transpose();
  }
  double mass(const std::string& name) const {
    return named("link", name)->FirstChildElement("inertial")->FirstChildElement("mass")->DoubleAttribute("value");
  }
  Vector3d axis(const tinyxml2::XMLElement* joint) const {
    return link(joint->FirstChildElement("child")->Attribute("link")).linear() * own_axis(joint);
  }

  static Vector3d vector(const char* text) {
    Vector3d v(0, 0, 0);
    if (text) std::istringstream(text) >> v.x() >> v.y() >> v.z();
    return v;
  }

 private:
  static Vector3d own_axis(const tinyxml2::XMLElement* joint) {
    const auto* axis = joint->FirstChildElement("axis");
    return axis ? vector(axis->Attribute("xyz")).normalized() : Vector3d::UnitX();
  }
  static Affine3d origin(const tinyxml2::XMLElement* e) {
    Affine3d T = Affine3d::Identity();
    if (const auto* o = e->FirstChildElement("origin")) {
      const Vector3d r = vector(o->Attribute("rpy"));
      Matrix3d X, Y, Z;
      X << 1, 0, 0, 0, cos(r.x()), -sin(r.x()), 0, sin(r.x()), cos(r.x());
      Y << cos(r.y()), 0, sin(r.y()), 0, 1, 0, -sin(r.y()), 0, cos(r.y());
      Z << cos(r.z()), -sin(r.z()), 0, sin(r.z()), cos(r.z()), 0, 0, 0, 1;
      T.linear() = Z * Y * X;
      T.translation() = vector(o->Attribute("xyz"));
    }
    return T;
  }
  Affine3d motion(const tinyxml2::XMLElement* joint) const {
    Affine3d T = Affine3d::Identity();
    const auto value = pose_.find(joint->Attribute("name"));
    if (value == pose_.end()) return T;
    const Vector3d a = own_axis(joint);
    if (std::string("prismatic") == joint->Attribute("type")) {
      T.translation() = value->second * a;
    } else {
      Matrix3d K;
      K << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0;
      T.linear() = Matrix3d::Identity() + sin(value->second) * K + (1.0 - cos(value->second)) * K * K;  // Rodrigues
    }
    return T;
  }

  tinyxml2::XMLDocument document_;
  std::map<std::string, double> pose_;
};

std::string robot(const std::string& name) { return std::string(TAPPET_ROBOTS) + "/" + name + ".urdf"; }

struct Case {
  std::string name;
  std::map<std::string, double> pose;  // of all joints whose limits exclude 0, and of some others
  int bodies, joints;
};

Vector3d eigen(const Vec3d& v) { return {v.x, v.y, v.z}; }
Matrix3d eigen(const Mat3d& m) {
  Matrix3d R;
  R << eigen(m.x), eigen(m.y), eigen(m.z);
  return R;
}

class Urdf : public testing::TestWithParam<Case> {};

TEST_P(Urdf, masses_inertias_places_and_axes_agree_with_an_independent_reading) {
  const Case& c = GetParam();
  UrdfOptions options;
  options.pose = c.pose, options.position = Vec3d{}, options.folder = std::filesystem::current_path();
  const ImportedModel imported = import_urdf(robot(c.name), options);
  const Model model = parse_model(imported.text, c.name + ".yaml");
  const Expected expected(robot(c.name), c.pose);
  ASSERT_EQ(static_cast<int>(model.bodies.size()), c.bodies) << imported.text;
  for (const BodyEntry& entry : model.bodies) {
    const auto& body = std::get<RigidBody>(entry.element);
    EXPECT_DOUBLE_EQ(body.mass, expected.mass(entry.name)) << entry.name;
    const Matrix3d J = expected.inertia(entry.name);
    EXPECT_LT((eigen(body.inertia) - J).norm(), 1e-12 * J.norm()) << entry.name;
    EXPECT_LT((eigen(body.position) - expected.center(entry.name).translation()).norm(), 1e-12) << entry.name;
    const Matrix3d R = expected.link(entry.name).rotation();
    EXPECT_LT((eigen(rotation_matrix(body.rotation)) - R).norm(), 1e-12) << entry.name;
  }
  ASSERT_EQ(static_cast<int>(model.joints.size()), c.joints) << imported.text;
  for (const JointEntry& joint : model.joints) {
    const auto* written = expected.named("joint", joint.name);
    const auto at = expected.link(written->FirstChildElement("child")->Attribute("link")).translation();
    const double start = c.pose.contains(joint.name) ? c.pose.at(joint.name) : 0.0;
    const std::string type = written->Attribute("type");
    std::visit(
        [&]<class Element>(const Element& e) {
          if constexpr (std::is_same_v<Element, Revolute> || std::is_same_v<Element, Prismatic>) {
            EXPECT_EQ(type == "prismatic", (std::is_same_v<Element, Prismatic>)) << joint.name;
            EXPECT_LT((eigen(e.at.world) - at).norm(), 1e-12) << joint.name;
            EXPECT_LT((eigen(e.axis.world) - expected.axis(written)).norm(), 1e-12) << joint.name;
          } else {
            ADD_FAILURE() << joint.name;
          }
        },
        joint.element);
    const auto* dynamics = written->FirstChildElement("dynamics");
    EXPECT_DOUBLE_EQ(joint.actions.damping, dynamics ? dynamics->DoubleAttribute("damping") : 0.0) << joint.name;
    EXPECT_DOUBLE_EQ(joint.actions.friction, dynamics ? dynamics->DoubleAttribute("friction") : 0.0) << joint.name;
    ASSERT_EQ(joint.actions.limits.has_value(), type == "revolute" || type == "prismatic") << joint.name;
    if (!joint.actions.limits) continue;
    const auto* limit = written->FirstChildElement("limit");
    EXPECT_NEAR(joint.actions.limits->from, limit->DoubleAttribute("lower") - start, 1e-14) << joint.name;
    EXPECT_NEAR(joint.actions.limits->to, limit->DoubleAttribute("upper") - start, 1e-14) << joint.name;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Robots, Urdf,
    testing::Values(
        Case{"arm", {{"waist", 0.7}, {"shoulder", -0.5}, {"elbow", -1.3}, {"wrist", 2.2}, {"slide", 0.01}}, 6, 5},
        Case{"quadruped",
             {{"front_left_hip", 0.2},
              {"front_left_thigh", 0.4},
              {"front_left_knee", -1.1},
              {"front_right_knee", -0.8},
              {"hind_left_knee", -1.4},
              {"hind_right_knee", -2.0},
              {"hind_right_thigh", 1.0}},
             13,
             12},
        Case{"wheeled", {{"front_left_axle", 1.0}, {"rear_right_axle", -4.0}, {"lift", 0.1}, {"pan", 0.6}}, 7, 6}),
    [](const auto& info) { return info.param.name; });

TEST(UrdfImport, a_free_robot_stands_on_the_floor) {
  // The feet of the quadruped are balls of radius 0.02 at the ends of its shanks.
  const ImportedModel imported = import_urdf(robot("quadruped"), {});
  const Model model = parse_model(imported.text, "quadruped.yaml");
  const std::map<std::string, double> knees{
      {"front_left_knee", -1.6}, {"front_right_knee", -1.6}, {"hind_left_knee", -1.6}, {"hind_right_knee", -1.6}};
  const Expected expected(robot("quadruped"), knees);
  const auto& trunk = std::get<RigidBody>(model.bodies[0].element);
  const double foot = expected.link("front_left_foot").translation().z() - 0.02;
  EXPECT_NEAR(trunk.position.z, expected.center("trunk").translation().z() - foot, 1e-12);
}

TEST(UrdfImport, what_the_model_has_not_is_listed_in_the_file_and_to_the_user) {
  const ImportedModel wheeled = import_urdf(robot("wheeled"), {}), arm = import_urdf(robot("arm"), {.fixed = true});
  for (const char* what : {"<mimic> of joint 'pan'", "<gazebo>", "'footprint' is floating", "effort and velocity",
                           "visual shapes", "4 cylinders are prisms", "mu is chosen"}) {
    EXPECT_THAT(wheeled.text, HasSubstr(what));
    EXPECT_THAT(wheeled.left_out, testing::Contains(HasSubstr(what)));
  }
  for (const char* what : {"<transmission>", "'elbow' starts at -1.35", "link 'base' have no collider"})
    EXPECT_THAT(arm.left_out, testing::Contains(HasSubstr(what)));
  EXPECT_EQ(parse_model(arm.text, "arm.yaml").bodies.size(), 5u);
}

std::filesystem::path written(const std::string& text) {
  const auto file = std::filesystem::temp_directory_path() / fmt::format("tappet_{}.urdf", getpid());
  std::ofstream(file) << text;
  return file;
}

const std::string mass = "<inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/></inertial>";

TEST(UrdfImport, nothing_is_left_out_in_silence) {
  const ImportedModel imported = import_urdf(written(R"(<robot name='a'>
<link name='base'>)" + mass + mass + R"(</link>
<link name='slider'><inertial><mass value='1' unit='kg'/><inertia ixx='1' iyy='1' izz='1'/><damping/></inertial>
<collision><geometry><sphere radius='0.1'/></geometry><surface/></collision></link>
<link name='wheel'>)" + mass + R"(</link>
<link name='plate'>)" + mass + R"(</link>
<link name='hook'><inertial><mass value='0'/><inertia ixx='1' iyy='1' izz='1'/></inertial></link>
<joint name='rail' type='prismatic'><parent link='base'/><child link='slider'/>
<limit lower='0' upper='1' acceleration='3'/><dynamics spring_stiffness='40'/><limit lower='0' upper='2'/></joint>
<joint name='axle' type='continuous'><parent link='slider'/><child link='wheel'/>
<limit lower='-1' upper='1'/></joint>
<joint name='table' type='planar'><parent link='base'/><child link='plate'/>
<dynamics damping='2'/></joint>
<joint name='mount' type='fixed'><parent link='plate'/><child link='hook'/>
<limit lower='-1' upper='1'/></joint>
</robot>)"),
                                             {.fixed = true});
  EXPECT_THAT(imported.left_out,
              testing::IsSupersetOf(
                  {HasSubstr("line 2: <inertial> of link 'base': only the first one counts"),
                   HasSubstr("line 2: the <inertial> of link 'base' is left out: the link does not move"),
                   HasSubstr("line 3: unit=\"kg\" of <mass> of link 'slider'"),
                   HasSubstr("line 3: <damping> in <inertial> of link 'slider'"),
                   HasSubstr("line 4: <surface> in <collision> of link 'slider'"),
                   HasSubstr("line 7: the <inertial> of link 'hook' is left out: the link has no mass"),
                   HasSubstr("line 9: acceleration=\"3\" of <limit> of joint 'rail'"),
                   HasSubstr("line 9: spring_stiffness=\"40\" of <dynamics> of joint 'rail'"),
                   HasSubstr("line 9: <limit> of joint 'rail': only the first one counts"),
                   HasSubstr("line 11: <limit> of joint 'axle': `lower` and `upper` are left out"),
                   HasSubstr("line 13: <dynamics> of joint 'table': a planar joint has no damping and no friction"),
                   HasSubstr("line 15: <limit> of joint 'mount': a fixed joint has no limits")}));
  const Model model = parse_model(imported.text, "a.yaml");
  EXPECT_EQ(model.joints[0].actions.limits->to, 1.0);
}

TEST(UrdfImport, attitudes_may_be_quaternions) {
  // a third of a turn about (1, 1, 1): x goes to y
  const auto file = [](const std::string& attitude) {
    return written("<robot name='a'>\n<link name='b'/>\n<link name='c'>" + mass +
                   "</link>\n<joint name='j' type='continuous'><parent link='b'/><child link='c'/>\n<origin " +
                   attitude + "/></joint></robot>");
  };
  const Model model = parse_model(import_urdf(file("quat_xyzw='0.5 0.5 0.5 0.5'"), {}).text, "a.yaml");
  const auto& joint = std::get<Revolute>(model.joints[0].element);
  EXPECT_LT((eigen(joint.axis.world) - Vector3d(0, 1, 0)).norm(), 1e-15);
  EXPECT_THROW(import_urdf(file("quat_xyzw='1 1 1 1'"), {}), ModelError);
  EXPECT_THROW(import_urdf(file("quat_xyzw='0.5 0.5 0.5 0.5' rpy='0 0 1'"), {}), ModelError);
}

TEST(UrdfImport, a_mistake_is_refused_with_its_line) {
  const auto message = [](const std::string& text) -> std::string {
    try {
      import_urdf(written(text), {});
    } catch (const ModelError& error) {
      return fmt::format("{}: {}: {}", error.place.line, error.key, error.message);
    }
    return "accepted";
  };
  EXPECT_THAT(message("<robot name='a'>\n<link name='b'>\n"), HasSubstr("expected well-formed XML"));
  EXPECT_THAT(message("<sdf/>"), HasSubstr("1: sdf: the document is a <sdf>; expected a <robot>"));
  EXPECT_THAT(message("<robot name='a'>\n<xacro:macro/>\n</robot>"), HasSubstr("2: xacro:macro"));
  EXPECT_THAT(message("<robot name='a'>\n<link name='b'/>\n<link name='c'/>\n</robot>"),
              HasSubstr("3: link: neither 'b' nor 'c' is the child of a joint"));
  const std::string joint = "<joint name='j' type='continuous'><parent link='b'/><child link='c'/></joint>\n";
  EXPECT_THAT(message("<robot name='a'>\n<link name='b'/>\n<link name='c'/>\n" + joint + "</robot>"),
              HasSubstr("3: link: link 'c' moves and has no mass"));
  EXPECT_THAT(message("<robot name='a'>\n<link name='b'/>\n" + joint + "</robot>"),
              HasSubstr("'c', which is not there"));
  EXPECT_THAT(message("<robot name='a'>\n<link name='b'/>\n<link name='c'>" + mass + "</link>\n" +
                      "<joint name='j' type='revolute'>\n<parent link='b'/><child link='c'/></joint></robot>"),
              HasSubstr("4: joint: a revolute joint has no <limit>"));
  EXPECT_THAT(
      message("<robot name='a'>\n<link name='b'>\n<collision><geometry><box size='1 0 1'/></geometry></collision>"
              "</link></robot>"),
      HasSubstr("3: box: `size` is missing or not positive"));
  EXPECT_THAT(message(""), HasSubstr("xml: the file is empty"));
  EXPECT_THAT(message("<robot name='a'>\n<link name='b'></link>\n"), HasSubstr("1: xml: the element that begins here"));
  EXPECT_THAT(message("<robot name='a'>\n<link name='b'>\n</robot>"), HasSubstr("closed by another name"));
  EXPECT_THAT(message("<robot name='a'>\n<link name='b'><inertial>\n<mass value='1'/>\n"
                      "<inertia ixx='1' iyy='5' izz='1'/></inertial></link></robot>"),
              HasSubstr("4: inertia: the moments about the principal axes are 1, 1, 5; expected none that exceeds"));
  EXPECT_THAT(message("<robot name='a'>\n<link name='b'><inertial>\n<mass value='1'/>\n"
                      "<inertia ixx='1' iyy='1' izz='1' ixy='2'/></inertial></link></robot>"),
              HasSubstr("4: inertia: the moments about the principal axes are -1, 1, 3; expected positive ones"));
  EXPECT_THAT(message("<robot name='a'>\n<link name='b'/>\n<link name='c'>" + mass + "</link>\n<link name='d'>" + mass +
                      "</link>\n<joint name='j' type='fixed'><parent link='c'/><child link='d'/></joint>\n"
                      "<joint name='k' type='fixed'><parent link='d'/><child link='c'/></joint>\n</robot>"),
              HasSubstr("3: link: link 'c' is not connected to the first link 'b'"));
  EXPECT_THAT(
      message("<robot name='a'>\n<link name='b'/>\n<link name='c'>" + mass + "</link>\n" +
              "<joint name='j' type='continuous'><parent link='b'/><child link='c'/><mimic joint='k'/></joint>\n"
              "</robot>"),
      HasSubstr("4: mimic: joint 'j' mimics the joint 'k', which is not there"));
  EXPECT_THROW(import_urdf(robot("arm"), {.pose = {{"knee", 1.0}}}), UsageError);
  EXPECT_THROW(import_urdf(robot("arm"), {.pose = {{"elbow", 1.0}}}), UsageError);
}

}  // namespace
}  // namespace tappet
