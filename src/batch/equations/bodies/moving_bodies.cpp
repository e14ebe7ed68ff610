// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "batch/equations/bodies/body_builder.h"

namespace tappet {

namespace {

// The rotation by |w| about w, as exp_map() of tappet/pose.h. Both parts have a series near zero, so that their
// derivatives exist there, too.
Quat<Traced> exponential(const Vec3<Traced>& w) {
  const Traced angle2 = dot(w, w), near = less(angle2, 1e-6), angle = sqrt(select(near, 1.0, angle2));
  const Traced s = select(near, 0.5 - angle2 / 48.0 + angle2 * angle2 / 3840.0, sin(0.5 * angle) / angle);
  const Traced c = select(near, 1.0 - angle2 / 8.0 + angle2 * angle2 / 384.0, cos(0.5 * angle));
  return {c, s * w.x, s * w.y, s * w.z};
}

}  // namespace

void BodyBuilder::add_bodies() {
  for (const BodyEntry& body : model_.bodies) std::visit([&](const auto& element) { add_body(element); }, body.element);
}

template <class E>
void BodyBuilder::add_body(const E&) {
  if constexpr (std::is_same_v<E, PlanarBody> || std::is_same_v<E, PointBody> || std::is_same_v<E, RigidBody>) {
    Moving body;
    const int first_q = static_cast<int>(out_.q_start.size());
    body.first = static_cast<int>(out_.u_start.size()), body.count = E::nu, body.first_q = first_q;
    body.mass = source_.next();
    Mat3<Traced> inertia;
    if constexpr (std::is_same_v<E, PlanarBody>) inertia.z.z = source_.next();
    if constexpr (std::is_same_v<E, RigidBody>)
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j <= i; ++j) inertia(i, j) = inertia(j, i) = source_.next();
    Traced q[E::nq];
    for (int i = 0; i < E::nq; ++i) q[i] = {graph_, motion_.q[first_q + i]};
    for (int i = 0; i < E::nq; ++i) out_.q_start.push_back(source_.next().node(graph_));
    Twist<Traced> small{};
    for (int i = 0; i < E::nu; ++i) {
      body.component[i] = E::twist[i];
      body.twist[E::twist[i]] = {graph_, motion_.u[body.first + i]};
      body.small[i] = graph_.input(first_small + body.first + i);
      small[E::twist[i]] = {graph_, body.small[i]};
      out_.u_start.push_back(source_.next().node(graph_));
    }
    body.pose = E::pose(q);
    body.displaced = {body.pose.p + small.v, body.pose.R + body.pose.R * hat(small.w), body.pose.phi + small.w.z};
    add_inertia(body, inertia);
    displace<E>(body, q);
    bodies_.push_back(body);
  }
}

void BodyBuilder::add_inertia(const Moving& body, const Mat3<Traced>& inertia) {
  const int n = motion_.velocities();
  const Vec3<Traced>& w = body.twist.w;
  const Vec3<Traced> momentum = inertia * w, moment = cross(momentum, w);
  for (int i = 0; i < body.count; ++i)
    for (int j = 0; j < body.count; ++j) {
      const int a = body.component[i], b = body.component[j];
      const Traced zero = 0.0;
      M_[(body.first + j) * n + body.first + i] = a >= 3 && b >= 3 ? inertia(a - 3, b - 3) : a == b ? body.mass : zero;
    }
  for (int i = 0; i < body.count; ++i)
    if (body.component[i] >= 3) forces_[body.first + i] += moment[body.component[i] - 3];
  kinetic_ += 0.5 * (body.mass * dot(body.twist.v, body.twist.v) + dot(w, momentum));
}

// q ⊕ u, and the rates of q.
template <class E>
void BodyBuilder::displace(const Moving& body, const Traced* q) {
  const int first_q = static_cast<int>(out_.q_start.size()) - E::nq;
  const Vec3<Traced>& w = body.twist.w;
  for (int i = 0; i < E::nu; ++i) motion_.tangents.emplace_back();
  const int straight = std::is_same_v<E, RigidBody> ? 3 : E::nq;
  for (int i = 0; i < straight; ++i) {
    motion_.displaced.push_back((q[i] + Traced(graph_, motion_.u[body.first + i])).node(graph_));
    motion_.tangents[body.first + i].emplace_back(motion_.q[first_q + i], graph_.constant(1.0));
  }
  if constexpr (std::is_same_v<E, RigidBody>) {
    const Quat<Traced> before{q[3], q[4], q[5], q[6]}, after = normalized(before * exponential(w));
    for (const Traced& x : {after.w, after.x, after.y, after.z}) motion_.displaced.push_back(x.node(graph_));
    for (int i = 0; i < 3; ++i) {
      Vec3<Traced> half{};
      half[i] = 0.5;
      const Quat<Traced> rate = before * Quat<Traced>{0.0, half.x, half.y, half.z};
      int k = first_q + 3;
      for (const Traced& x : {rate.w, rate.x, rate.y, rate.z})
        motion_.tangents[body.first + 3 + i].emplace_back(motion_.q[k++], x.node(graph_));
    }
  }
}

}  // namespace tappet
