// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "pile.h"

#include <cmath>

#include "settled.h"

namespace peers {

using namespace tappet;

Pile::Pile() : scene(scene_of("spheres_in_box")), n(static_cast<int>(scene.bodies.size())), v(n), w(n), bodies(n) {
  for (int i = 0; i < n; ++i) bodies[i] = scene.bodies[i].pose;
  world = std::make_unique<CollisionWorld>(scene.colliders);
  for (const Collider& collider : scene.colliders) radius = std::max(radius, collider.shape.radius);
  mass = scene.bodies[0].mass, J = 0.4 * mass * radius * radius;
}

void Pile::begin() {
  for (Vec3d& velocity : v) velocity.z -= dt * gravity;
  double fastest = 0.0;
  for (const Vec3d& velocity : v) fastest = std::max(fastest, norm(velocity));
  world->find(bodies, 2.0 * dt * fastest, touches);
  contacts.clear();
  r.clear();
  for (const TouchPoint& t : touches) add(t);
}

void Pile::sweep(int times) {
  for (size_t k = 0; k < contacts.size(); ++k) apply(contacts[k], r[k]);
  for (int s = 0; s < times; ++s)
    for (size_t k = 0; k < contacts.size(); ++k) relax(contacts[k], r[k]);
}

void Pile::finish() {
  memory.clear();
  for (size_t k = 0; k < contacts.size(); ++k) memory[contacts[k].id] = r[k];
  for (int i = 0; i < n; ++i) bodies[i].p += dt * v[i];
}

double Pile::deepest() {
  world->find(bodies, 0.0, touches);
  double depth = 0.0;
  for (const TouchPoint& t : touches) depth = std::max(depth, -t.gap);
  return depth;
}

void Pile::add(const TouchPoint& t) {
  Contact c{t.body_A, t.body_B, {}, {}, t.gap, t.id.pair};
  const Vec3d apart = t.body_B < 0 ? t.normal : bodies[t.body_A].p - bodies[t.body_B].p;
  c.d[0] = normalized(apart);
  const auto tangents = normals(c.d[0]);
  c.d[1] = tangents[0], c.d[2] = tangents[1];
  for (int i = 0; i < 3; ++i) c.torque[i] = cross(-radius * c.d[0], c.d[i]);
  contacts.push_back(c);
  const auto before = memory.find(c.id);
  r.push_back(before == memory.end() ? std::array<double, 3>{} : before->second);
}

void Pile::apply(const Contact& c, const std::array<double, 3>& p) {
  for (int i = 0; i < 3; ++i) {
    v[c.A] += (p[i] / mass) * c.d[i];
    w[c.A] += (p[i] / J) * c.torque[i];
    if (c.B < 0) continue;
    v[c.B] -= (p[i] / mass) * c.d[i];
    w[c.B] += (p[i] / J) * c.torque[i];
  }
}

double Pile::velocity(const Contact& c, int i) const {
  double u = dot(c.d[i], v[c.A]) + dot(c.torque[i], w[c.A]);
  if (c.B >= 0) u += dot(c.torque[i], w[c.B]) - dot(c.d[i], v[c.B]);
  return u;
}

void Pile::relax(const Contact& c, std::array<double, 3>& p) {
  const double sides = c.B < 0 ? 1.0 : 2.0, normal = sides / mass;
  const double tangent = normal + sides * radius * radius / J;
  std::array<double, 3> next{std::max(0.0, p[0] - (velocity(c, 0) + c.gap / dt) / normal), 0.0, 0.0};
  for (int i : {1, 2}) next[i] = p[i] - velocity(c, i) / tangent;
  const double slip = std::hypot(next[1], next[2]), most = scene.mu * next[0];
  if (slip > most)
    for (int i : {1, 2}) next[i] *= most / slip;
  apply(c, {next[0] - p[0], next[1] - p[1], next[2] - p[2]});
  p = next;
}

Settled::Settled(int steps) : pile_(std::make_shared<Pile>()) {
  for (int k = 0; k < steps; ++k) {
    pile_->begin();
    pile_->sweep(30);
    pile_->finish();
  }
  const auto plain = [](const Vec3d& a) { return std::array<double, 3>{a.x, a.y, a.z}; };
  for (int i = 0; i < pile_->n; ++i)
    balls.push_back({plain(pile_->bodies[i].p), plain(pile_->v[i]), plain(pile_->w[i])});
  mass = pile_->mass, radius = pile_->radius, inertia = pile_->J, mu = pile_->scene.mu;
}

std::vector<Settled::Point> Settled::find(const std::vector<std::array<double, 3>>& centers, double margin) {
  for (int i = 0; i < pile_->n; ++i) pile_->bodies[i].p = {centers[i][0], centers[i][1], centers[i][2]};
  pile_->world->find(pile_->bodies, margin, pile_->touches);
  std::vector<Point> points;
  deepest = 0.0;
  for (const TouchPoint& t : pile_->touches) {
    const Vec3d a = pile_->bodies[t.body_A].p, apart = t.body_B < 0 ? t.normal : a - pile_->bodies[t.body_B].p;
    const Vec3d n = normalized(apart), on_A = a - radius * n, on_B = on_A - t.gap * n;
    points.push_back(
        {t.body_A, t.body_B, {on_A.x, on_A.y, on_A.z}, {on_B.x, on_B.y, on_B.z}, {n.x, n.y, n.z}, t.id.pair});
    deepest = std::max(deepest, -t.gap);
  }
  return points;
}

}  // namespace peers
