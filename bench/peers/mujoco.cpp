// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0

// MuJoCo with joint coordinates, its default Newton solver (CG for many bodies), elliptic cones (recommended if slip
// matters) and its default soft contacts. Loops are as stiff as its manual allows (time constant 2 dt). It has no law
// of restitution, so a bounce is a stiff spring with the damping that returns e.
#include <mujoco/mujoco.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <sstream>

#include "engine.h"

namespace peers {
namespace {

class Mujoco : public Engine {
 public:
  explicit Mujoco(const char* integrator) : integrator_(integrator) {}
  ~Mujoco() override {
    mj_deleteData(data_);
    mj_deleteModel(model_);
  }
  void begin(const Settings& s) override { s_ = s; }
  int sphere(double radius, double mass, const Vec3d& p, const Vec3d& v) override {
    return add({.geometry = text("<geom type='sphere' size='", radius, "' mass='", mass, "'/>"), .pose = {p}, .v = v});
  }
  int box(const Vec3d& size, double mass, const Pose<double>& pose, const Vec3d& v) override {
    return add(
        {.geometry = text("<geom type='box' size='", 0.5 * size, "' mass='", mass, "'/>"), .pose = pose, .v = v});
  }
  int link(double mass, const Vec3d& I, const Vec3d& p, const Vec3d& v, const Vec3d& w) override {
    return add({.geometry = text("<inertial pos='0 0 0' mass='", mass, "' diaginertia='", I, "'/>"),
                .pose = {p},
                .v = v,
                .w = w,
                .mass = mass,
                .inertia = I});
  }
  void plane(const Vec3d& n, double offset) override {
    ground_ << text("<geom type='plane' size='50 50 1' pos='", offset * n, "' zaxis='", n, "'/>");
  }
  void hinge(int a, int b, const Vec3d& at, const Vec3d& axis) override {
    Body& B = bodies_[b];
    if (B.joint.empty()) {
      B.parent = a;
      B.joint = text("<joint type='hinge' pos='", at - B.pose.p, "' axis='", axis, "'/>");
      B.axis = axis, B.anchor = at;
    } else {
      loops_ << text("<connect body1='b", a, "' body2='b", b, "' anchor='", at - bodies_[a].pose.p, "' solref='",
                     2.0 * s_.dt, " 1'/>");
    }
  }
  void slide(int a, int b, const Vec3d& axis) override {
    bodies_[b].parent = a;
    bodies_[b].joint = text("<joint type='slide' axis='", axis, "'/>");
  }
  void start() override;
  void step() override { mj_step(model_, data_); }
  bool healthy() const override {
    return data_->warning[mjWARN_CONTACTFULL].number + data_->warning[mjWARN_CNSTRFULL].number == 0;
  }
  Pose<double> pose(int i) const override {
    const mjtNum *p = data_->xipos + 3 * id(i), *R = data_->xmat + 9 * id(i);
    return {{p[0], p[1], p[2]}, {{R[0], R[3], R[6]}, {R[1], R[4], R[7]}, {R[2], R[5], R[8]}}};
  }
  std::pair<Vec3d, Vec3d> velocity(int i) const override {
    mjtNum v[6];
    mj_objectVelocity(model_, data_, mjOBJ_BODY, id(i), v, 0);
    return {{v[3], v[4], v[5]}, {v[0], v[1], v[2]}};
  }

 private:
  struct Body {
    std::string geometry, joint{};
    Pose<double> pose;
    Vec3d v{}, w{}, axis{}, anchor{};  // anchor: where its hinge is
    double mass = 0.0;
    Vec3d inertia{};
    int parent = -1;
  };

  static std::string word(const Vec3d& a) { return text(a.x, " ", a.y, " ", a.z); }
  template <class T>
  static const T& word(const T& a) {
    return a;
  }
  template <class... T>
  static std::string text(const T&... parts) {
    std::ostringstream out;
    out.precision(17);
    ((out << word(parts)), ...);
    return out.str();
  }
  int add(const Body& body) {
    bodies_.push_back(body);
    return static_cast<int>(bodies_.size()) - 1;
  }
  int id(int i) const { return ids_[i]; }
  std::string tree(int parent) const;
  std::string flat() const;

  const char* integrator_;
  Settings s_;
  std::vector<Body> bodies_;
  std::vector<int> ids_;
  std::ostringstream ground_, loops_;
  mjModel* model_ = nullptr;
  mjData* data_ = nullptr;
};

std::string Mujoco::tree(int parent) const {
  std::string all;
  for (size_t i = 0; i < bodies_.size(); ++i) {
    const Body& b = bodies_[i];
    if (b.parent != parent) continue;
    const Vec3d at = b.pose.p - (parent < 0 ? Vec3d{} : bodies_[parent].pose.p);
    const auto& R = b.pose.R;
    all +=
        text("<body name='b", i, "' pos='", at, "' xyaxes='", R.x, " ", R.y, "'>",
             b.joint.empty() ? std::string("<freejoint/>") : b.joint, b.geometry, tree(static_cast<int>(i)), "</body>");
  }
  return all;
}

// Its reader accepts at most a hundred nested elements, so a long chain of hinges is passed as a list (URDF).
std::string Mujoco::flat() const {
  std::string all;
  for (size_t i = 0; i < bodies_.size(); ++i) {
    const Body& b = bodies_[i];
    const Vec3d from = b.parent < 0 ? Vec3d{} : bodies_[b.parent].anchor;
    const std::string parent = b.parent < 0 ? "world" : text("b", b.parent);
    all += text("<link name='b", i, "'><inertial><origin xyz='", b.pose.p - b.anchor, "'/><mass value='", b.mass,
                "'/><inertia ixx='", b.inertia.x, "' iyy='", b.inertia.y, "' izz='", b.inertia.z,
                "' ixy='0' ixz='0' iyz='0'/></inertial></link><joint name='j", i, "' type='continuous'><parent link='",
                parent, "'/><child link='b", i, "'/><origin xyz='", b.anchor - from, "'/><axis xyz='", b.axis,
                "'/></joint>");
  }
  return all;
}

void Mujoco::start() {
  // Direct stiffness and damping per unit of mass: about 10 steps in contact, rebound e.
  std::string bounce;
  if (s_.e > 0.0) {
    const double zeta = -std::log(s_.e) / std::hypot(M_PI, std::log(s_.e)), k = 1e5;
    bounce = text(" solref='", -k, " ", -2.0 * zeta * std::sqrt(k), "' solimp='0.99 0.99 0.001'");
  }
  const int rows = bodies_.size() > 500 ? 8500 : 7500;  // its buffer of rows · (24 nv + 12 rows) is limited to 2 GiB
  const bool many = bodies_.size() > 150;
  const std::string options =
      text(many ? text("<size njmax='", rows, "' nconmax='", rows / 3, "' nstack='100000000'/>") : "",
           "<option timestep='", s_.dt, "' gravity='", s_.gravity, "' cone='elliptic' solver='", many ? "CG" : "Newton",
           "' integrator='", integrator_, "'/>");
  const std::string defaults = text("<default><geom friction='", std::max(s_.mu, 1e-5), " 0 0' condim='",
                                    s_.mu > 0.0 ? 3 : 1, "'", bounce, "/></default>");
  const std::string xml =
      bodies_.back().parent > 90
          ? text("<robot name='chain'><mujoco>", options, "</mujoco><link name='world'/>", flat(), "</robot>")
          : text("<mujoco>", options, defaults, "<worldbody>", ground_.str(), tree(-1), "</worldbody><equality>",
                 loops_.str(), "</equality></mujoco>");
  mjVFS* files = static_cast<mjVFS*>(std::malloc(sizeof(mjVFS)));
  mj_defaultVFS(files);
  mj_makeEmptyFileVFS(files, "model.xml", static_cast<int>(xml.size()));
  std::copy(xml.begin(), xml.end(), static_cast<char*>(files->filedata[0]));
  char error[1000] = "";
  model_ = mj_loadXML("model.xml", files, error, sizeof error);
  mj_deleteVFS(files);
  std::free(files);
  if (!model_) {
    std::fprintf(stderr, "MuJoCo: %s\n", error);
    std::exit(1);
  }
  data_ = mj_makeData(model_);
  for (size_t i = 0; i < bodies_.size(); ++i) ids_.push_back(mj_name2id(model_, mjOBJ_BODY, text("b", i).c_str()));
  for (size_t i = 0; i < bodies_.size(); ++i) {
    const Body& b = bodies_[i];
    mjtNum* u = data_->qvel + model_->body_dofadr[id(static_cast<int>(i))];
    if (b.joint.empty())
      u[0] = b.v.x, u[1] = b.v.y, u[2] = b.v.z;
    else if (dot(b.axis, b.axis) > 0.0)  // relative to the parent
      u[0] = dot(b.axis, b.w - (b.parent < 0 ? Vec3d{} : bodies_[b.parent].w));
  }
  mj_forward(model_, data_);
}

}  // namespace
}  // namespace peers

int main(int argc, char** argv) {
  mju_user_warning = [](const char*) {};  // healthy() asks for it
  const std::string name = std::string("MuJoCo ") + mj_versionString();
  peers::run_cases({name, "Euler, CG, elliptic cones", "Euler, Newton, elliptic cones",
                    []() -> std::unique_ptr<peers::Engine> { return std::make_unique<peers::Mujoco>("Euler"); }},
                   argc, argv);
  return peers::run_cases(
      {name, "RK4", "RK4", []() -> std::unique_ptr<peers::Engine> { return std::make_unique<peers::Mujoco>("RK4"); },
       true},
      argc, argv);
}
