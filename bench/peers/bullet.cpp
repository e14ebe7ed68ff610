// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0

// Bullet: its rigid-body world with its defaults (sequential impulses, 10 iterations, warm starts, split impulse).
#include <btBulletDynamicsCommon.h>

#include "engine.h"

namespace peers {
namespace {

btVector3 to(const Vec3d& a) { return {btScalar(a.x), btScalar(a.y), btScalar(a.z)}; }
Vec3d from(const btVector3& a) { return {a.x(), a.y(), a.z()}; }
btMatrix3x3 to(const tappet::Mat3d& R) {
  btMatrix3x3 m;
  for (int i = 0; i < 3; ++i) m[i] = to(Vec3d{R.x[i], R.y[i], R.z[i]});
  return m;
}

class Bullet : public Engine {
 public:
  ~Bullet() override {
    for (auto& joint : joints_) world_.removeConstraint(joint.get());
    for (auto& body : bodies_) world_.removeRigidBody(body.get());
    for (auto& plane : planes_) world_.removeRigidBody(plane.get());
  }
  void begin(const Settings& s) override {
    s_ = s;
    world_.setGravity(to(s.gravity));
  }
  int sphere(double radius, double mass, const Vec3d& p, const Vec3d& v) override {
    return add(std::make_unique<btSphereShape>(radius), mass, {p}, v);
  }
  int box(const Vec3d& size, double mass, const Pose<double>& pose, const Vec3d& v) override {
    return add(std::make_unique<btBoxShape>(to(0.5 * size)), mass, pose, v);
  }
  bool has_convex() const override { return true; }
  int convex(const std::vector<Vec3d>& vertices, double radius, double mass, const Pose<double>& pose) override {
    auto hull = std::make_unique<btConvexHullShape>();
    for (const Vec3d& v : vertices) hull->addPoint(to(v), false);
    hull->recalcLocalAabb();
    hull->setMargin(btScalar(radius));
    return add(std::move(hull), mass, pose, {});
  }
  int link(double mass, const Vec3d& inertia, const Vec3d& p, const Vec3d& v, const Vec3d& w) override {
    shapes_.push_back(std::make_unique<btEmptyShape>());
    bodies_.push_back(make(mass, {p}, to(inertia)));
    bodies_.back()->setLinearVelocity(to(v));
    bodies_.back()->setAngularVelocity(to(w));
    world_.addRigidBody(bodies_.back().get(), 0, 0);
    return static_cast<int>(bodies_.size()) - 1;
  }
  void plane(const Vec3d& normal, double offset) override {
    shapes_.push_back(std::make_unique<btStaticPlaneShape>(to(normal), offset));
    planes_.push_back(make(0.0, {}, {0, 0, 0}));
    world_.addRigidBody(planes_.back().get());
  }
  void hinge(int a, int b, const Vec3d& at, const Vec3d& axis) override {
    btRigidBody& B = *bodies_[b];
    const btVector3 in_B = B.getWorldTransform().inverse() * to(at);
    if (a < 0) {
      joints_.push_back(std::make_unique<btHingeConstraint>(B, in_B, to(axis)));
    } else {
      btRigidBody& A = *bodies_[a];
      joints_.push_back(std::make_unique<btHingeConstraint>(A, B, A.getWorldTransform().inverse() * to(at), in_B,
                                                            to(axis), to(axis)));
    }
    world_.addConstraint(joints_.back().get(), true);
  }
  void slide(int, int b, const Vec3d&) override {
    btTransform frame;
    frame.setIdentity();  // slides along x
    auto joint = std::make_unique<btSliderConstraint>(*bodies_[b], frame, true);
    joint->setLowerLinLimit(1.0);
    joint->setUpperLinLimit(-1.0);  // free
    joints_.push_back(std::move(joint));
    world_.addConstraint(joints_.back().get(), true);
  }
  void start() override {}
  void step() override { world_.stepSimulation(s_.dt, 0); }
  Pose<double> pose(int i) const override {
    const btTransform& x = bodies_[i]->getWorldTransform();
    const btMatrix3x3& R = x.getBasis();
    return {from(x.getOrigin()), {from(R.getColumn(0)), from(R.getColumn(1)), from(R.getColumn(2))}};
  }
  std::pair<Vec3d, Vec3d> velocity(int i) const override {
    return {from(bodies_[i]->getLinearVelocity()), from(bodies_[i]->getAngularVelocity())};
  }

 private:
  int add(std::unique_ptr<btCollisionShape> shape, double mass, const Pose<double>& pose, const Vec3d& v) {
    btVector3 inertia;
    shape->calculateLocalInertia(mass, inertia);
    shapes_.push_back(std::move(shape));
    bodies_.push_back(make(mass, pose, inertia));
    bodies_.back()->setLinearVelocity(to(v));
    world_.addRigidBody(bodies_.back().get());
    return static_cast<int>(bodies_.size()) - 1;
  }
  std::unique_ptr<btRigidBody> make(double mass, const Pose<double>& pose, const btVector3& inertia) {
    btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr, shapes_.back().get(), inertia);
    info.m_startWorldTransform = btTransform(to(pose.R), to(pose.p));
    // Bullet multiplies the coefficients of the two bodies.
    info.m_friction = std::sqrt(s_.mu);
    info.m_restitution = std::sqrt(s_.e);
    auto body = std::make_unique<btRigidBody>(info);
    body->setActivationState(DISABLE_DEACTIVATION);  // sleeping is switched off
    return body;
  }

  Settings s_;
  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_{&configuration_};
  btDbvtBroadphase broadphase_;
  btSequentialImpulseConstraintSolver solver_;
  btDiscreteDynamicsWorld world_{&dispatcher_, &broadphase_, &solver_, &configuration_};
  std::vector<std::unique_ptr<btCollisionShape>> shapes_;
  std::vector<std::unique_ptr<btRigidBody>> bodies_, planes_;
  std::vector<std::unique_ptr<btTypedConstraint>> joints_;
};

}  // namespace
}  // namespace peers

int main(int argc, char** argv) {
  return peers::run_cases({"Bullet " + std::to_string(btGetVersion()), "sequential impulses, 10 iterations",
                           "sequential impulses, 10 iterations",
                           []() -> std::unique_ptr<peers::Engine> { return std::make_unique<peers::Bullet>(); }},
                          argc, argv);
}
