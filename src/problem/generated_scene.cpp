// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "problem/generated_scene.h"

#include <Eigen/Geometry>
#include <array>

#include "math/block_matrix.h"

namespace tappet {

int GeneratedScene::add_body(double mass, const Vector& centre, const Eigen::Matrix3d& inertia) {
  bodies_.push_back({mass, centre, inertia});
  return static_cast<int>(bodies_.size()) - 1;
}

int GeneratedScene::add_box(double mass, const Vector& centre, const Vector& size, const Eigen::Matrix3d& R) {
  const Vector s = size.cwiseProduct(size);
  const Vector J = mass / 12.0 * Vector(s.y() + s.z(), s.x() + s.z(), s.x() + s.y());
  return add_body(mass, centre, R * J.asDiagonal() * R.transpose());
}

void GeneratedScene::touch(int body, int other, const Vector& point, const Vector& normal, double mu) {
  contacts_.push_back({body, other, point, normal.normalized(), mu});
}

void GeneratedScene::add(const GeneratedScene& other) {
  const int first = static_cast<int>(bodies_.size());
  bodies_.insert(bodies_.end(), other.bodies_.begin(), other.bodies_.end());
  for (Contact contact : other.contacts_) {
    contact.body += first;
    if (contact.other != ground) contact.other += first;
    contacts_.push_back(contact);
  }
}

// Six velocities per body, translation before rotation.
void GeneratedScene::fill_mass(SparseColumns& M) const {
  M.start.assign(1, 0), M.row.clear(), M.value.clear();
  for (int b = 0; b < static_cast<int>(bodies_.size()); ++b)
    for (int j = 0; j < 6; ++j) {
      if (j < 3) M.row.push_back(6 * b + j), M.value.push_back(bodies_[b].mass);
      for (int i = 0; j >= 3 && i < 3; ++i)
        M.row.push_back(6 * b + 3 + i), M.value.push_back(bodies_[b].inertia(i, j - 3));
      M.start.push_back(static_cast<int>(M.row.size()));
    }
}

ContactProblem GeneratedScene::problem(std::mt19937& random, FreeMotion& motion) const {
  constexpr double dt = 1e-3, gravity = 9.81;
  const int velocities = 6 * static_cast<int>(bodies_.size());
  std::normal_distribution<double> normal(0.0, 0.01 * gravity * dt);
  Vec& u = motion.u_free;
  u.resize(velocities);
  for (int b = 0; b < velocities; b += 6) {
    for (int i = 0; i < 6; ++i) u[b + i] = normal(random);
    u[b + 2] -= gravity * dt;
  }
  fill_mass(motion.M);
  Coupling coupling(velocities);
  for (int b = 0; b < velocities; b += 6) coupling.tie(std::array{b + 3, b + 4, b + 5});
  BlockMatrix M(coupling, BlockMatrix::Kind::symmetric_positive);
  M.set_zero();
  for (int j = 0; j < velocities; ++j)
    for (int e = motion.M.start[j]; e < motion.M.start[j + 1]; ++e) M.add(motion.M.row[e], j, motion.M.value[e]);
  M.factor();
  BlockRows W;
  ContactProblem problem;
  for (const Contact& contact : contacts_) append(contact, W, problem.laws);
  problem.G.assemble(M, W, Delassus::form_of(W.rows()));
  problem.c.resize(W.rows());
  W.multiply(u, problem.c);
  return problem;
}

void GeneratedScene::append(const Contact& contact, BlockRows& W, Laws& laws) const {
  const Vector t1 = contact.normal.unitOrthogonal(), t2 = contact.normal.cross(t1);
  std::vector<int> columns;
  for (int b : {contact.body, contact.other})
    for (int i = 0; b != ground && i < 6; ++i) columns.push_back(6 * b + i);
  laws.push_back({Law::Kind::contact, W.rows(), 3, contact.mu});
  double* w = W.append(3, columns);
  for (const Vector& direction : {contact.normal, t1, t2})
    for (int b : {contact.body, contact.other}) {
      if (b == ground) continue;
      const double sign = b == contact.body ? 1.0 : -1.0;
      const Vector moment = (contact.point - bodies_[b].centre).cross(direction);
      for (int i = 0; i < 3; ++i) *w++ = sign * direction[i];
      for (int i = 0; i < 3; ++i) *w++ = sign * moment[i];
    }
}

}  // namespace tappet
