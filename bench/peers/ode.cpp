// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0

// ODE with its iterative method (20 iterations) for many bodies and its direct method for few. Error reduction is the
// default.
#include <ode/ode.h>

#include "engine.h"

namespace peers {
namespace {

class Ode : public Engine {
 public:
  Ode() {
    dInitODE();
    world_ = dWorldCreate();
    space_ = dHashSpaceCreate(nullptr);
    contacts_ = dJointGroupCreate(0);
  }
  ~Ode() override {
    dJointGroupDestroy(contacts_);
    dSpaceDestroy(space_);
    dWorldDestroy(world_);
    dCloseODE();
  }
  void begin(const Settings& s) override {
    s_ = s;
    dWorldSetGravity(world_, s.gravity.x, s.gravity.y, s.gravity.z);
  }
  int sphere(double radius, double mass, const Vec3d& p, const Vec3d& v) override {
    dMass m;
    dMassSetSphereTotal(&m, mass, radius);
    return add(dCreateSphere(space_, radius), m, {p}, v);
  }
  int box(const Vec3d& size, double mass, const Pose<double>& pose, const Vec3d& v) override {
    dMass m;
    dMassSetBoxTotal(&m, mass, size.x, size.y, size.z);
    return add(dCreateBox(space_, size.x, size.y, size.z), m, pose, v);
  }
  int link(double mass, const Vec3d& I, const Vec3d& p, const Vec3d& v, const Vec3d& w) override {
    dMass m;
    dMassSetParameters(&m, mass, 0, 0, 0, I.x, I.y, I.z, 0, 0, 0);
    const int i = add(nullptr, m, {p}, v);
    dBodySetAngularVel(bodies_[i], w.x, w.y, w.z);
    return i;
  }
  void plane(const Vec3d& n, double offset) override { dCreatePlane(space_, n.x, n.y, n.z, offset); }
  void hinge(int a, int b, const Vec3d& at, const Vec3d& axis) override {
    const dJointID joint = dJointCreateHinge(world_, nullptr);
    dJointAttach(joint, bodies_[b], a < 0 ? nullptr : bodies_[a]);
    dJointSetHingeAnchor(joint, at.x, at.y, at.z);
    dJointSetHingeAxis(joint, axis.x, axis.y, axis.z);
  }
  void slide(int a, int b, const Vec3d& axis) override {
    const dJointID joint = dJointCreateSlider(world_, nullptr);
    dJointAttach(joint, bodies_[b], a < 0 ? nullptr : bodies_[a]);
    dJointSetSliderAxis(joint, axis.x, axis.y, axis.z);
  }
  void start() override {}
  void step() override {
    dSpaceCollide(space_, this, [](void* self, dGeomID a, dGeomID b) { static_cast<Ode*>(self)->touch(a, b); });
    if (s_.exact)
      dWorldStep(world_, s_.dt);
    else
      dWorldQuickStep(world_, s_.dt);
    dJointGroupEmpty(contacts_);
  }
  Pose<double> pose(int i) const override {
    const dReal *p = dBodyGetPosition(bodies_[i]), *R = dBodyGetRotation(bodies_[i]);
    return {{p[0], p[1], p[2]}, {{R[0], R[4], R[8]}, {R[1], R[5], R[9]}, {R[2], R[6], R[10]}}};
  }
  std::pair<Vec3d, Vec3d> velocity(int i) const override {
    const dReal *v = dBodyGetLinearVel(bodies_[i]), *w = dBodyGetAngularVel(bodies_[i]);
    return {{v[0], v[1], v[2]}, {w[0], w[1], w[2]}};
  }

 private:
  int add(dGeomID geometry, const dMass& mass, const Pose<double>& pose, const Vec3d& v) {
    const dBodyID body = dBodyCreate(world_);
    dBodySetMass(body, &mass);
    dBodySetPosition(body, pose.p.x, pose.p.y, pose.p.z);
    const tappet::Mat3d& R = pose.R;
    const dMatrix3 rotation = {R.x.x, R.y.x, R.z.x, 0, R.x.y, R.y.y, R.z.y, 0, R.x.z, R.y.z, R.z.z, 0};
    dBodySetRotation(body, rotation);
    dBodySetLinearVel(body, v.x, v.y, v.z);
    if (geometry) dGeomSetBody(geometry, body);
    bodies_.push_back(body);
    return static_cast<int>(bodies_.size()) - 1;
  }
  void touch(dGeomID a, dGeomID b) {
    const dBodyID A = dGeomGetBody(a), B = dGeomGetBody(b);
    if (!A && !B) return;
    dContact points[8];
    const int count = dCollide(a, b, 8, &points[0].geom, sizeof(dContact));
    for (int k = 0; k < count; ++k) {
      points[k].surface = {};
      points[k].surface.mode = dContactApprox1 | (s_.e > 0.0 ? dContactBounce : 0);
      points[k].surface.mu = s_.mu;
      points[k].surface.bounce = s_.e;
      points[k].surface.bounce_vel = 1e-3;
      dJointAttach(dJointCreateContact(world_, contacts_, &points[k]), A, B);
    }
  }

  Settings s_;
  dWorldID world_;
  dSpaceID space_;
  dJointGroupID contacts_;
  std::vector<dBodyID> bodies_;
};

}  // namespace
}  // namespace peers

int main(int argc, char** argv) {
  return peers::run_cases({"ODE 0.16.2", "QuickStep, 20 iterations", "dWorldStep",
                           []() -> std::unique_ptr<peers::Engine> { return std::make_unique<peers::Ode>(); }},
                          argc, argv);
}
