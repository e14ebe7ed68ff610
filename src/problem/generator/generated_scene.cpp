// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "problem/generator/generated_scene.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>

#include "math/block_matrix.h"

namespace tappet {

namespace {
constexpr double dt = 1e-3, gravity = 9.81;
}

int GeneratedScene::add_body(double mass, const Vector& centre, const Eigen::Matrix3d& inertia) {
  Body body;
  body.mass = mass, body.centre = centre, body.inertia = inertia;
  bodies_.push_back(body);
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
  tumbles_ = tumbles_ || other.tumbles_;
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
        M.row.push_back(6 * b + 3 + i),
            M.value.push_back(bodies_[b].inertia(i, j - 3) + bodies_[b].gyroscopic(i, j - 3));
      M.start.push_back(static_cast<int>(M.row.size()));
    }
}

namespace {

// Entry (i, j) of an operator by columns.
double entry(const Delassus& G, int i, int j) {
  if (G.form() == Delassus::Form::dense) return G.dense()(i, j);
  const SparseColumns& S = G.sparse();
  const auto first = S.row.begin() + S.start[j], last = S.row.begin() + S.start[j + 1];
  const auto place = std::lower_bound(first, last, i);
  return place != last && *place == i ? S.value[place - S.row.begin()] : 0.0;
}

// The largest |G − Gᵀ| over the largest |G|.
double asymmetry_of(const Delassus& G) {
  double largest = 0.0, difference = 0.0;
  const auto look = [&](int i, int j) {
    const double g = entry(G, i, j);
    largest = std::max(largest, std::abs(g)), difference = std::max(difference, std::abs(g - entry(G, j, i)));
  };
  for (int j = 0; j < G.size(); ++j)
    if (G.form() == Delassus::Form::dense)
      for (int i = 0; i < G.size(); ++i) look(i, j);
    else
      for (int e = G.sparse().start[j]; e < G.sparse().start[j + 1]; ++e) look(G.sparse().row[e], j);
  return largest > 0.0 ? difference / largest : 0.0;
}

Eigen::Matrix3d cross_with(const GeneratedScene::Vector& x) {
  Eigen::Matrix3d X;
  X << 0, -x.z(), x.y(), x.z(), 0, -x.x(), -x.y(), x.x(), 0;
  return X;
}

}  // namespace

// The gyroscopic term is the derivative of ω × J ω, times a length of step that is found: the asymmetry grows in
// proportion to it.
void GeneratedScene::tumble(double asymmetry, std::mt19937& random) {
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> decades(-6.0, 1.5);
  tumbles_ = true;
  for (Body& body : bodies_) {
    const double speed = std::pow(10.0, decades(random)) * gravity * dt;
    for (Vector* velocity : {&body.v, &body.omega})
      for (double& x : *velocity) x = speed * normal(random);
    const Vector& omega = body.omega;
    body.gyroscopic = cross_with(omega) * body.inertia - cross_with(body.inertia * omega);
  }
  BlockRows W;
  Laws laws;
  for (const Contact& contact : contacts_) append(contact, W, laws);
  for (int pass = 0; pass < 3; ++pass) {
    FreeMotion motion;
    Delassus G;
    assemble(motion, W, G);
    if (G.form() == Delassus::Form::factored) G.form_sparse();
    const double found = asymmetry_of(G);
    if (!(found > 0.0)) return;  // nothing touches, or only balls do
    for (Body& body : bodies_) body.gyroscopic *= asymmetry / found;
  }
}

void GeneratedScene::assemble(FreeMotion& motion, const BlockRows& W, Delassus& G) const {
  const int velocities = 6 * static_cast<int>(bodies_.size());
  fill_mass(motion.M);
  Coupling coupling(velocities);
  for (int b = 0; b < velocities; b += 6) coupling.tie(std::array{b + 3, b + 4, b + 5});
  const bool turning = std::any_of(bodies_.begin(), bodies_.end(),
                                   [](const Body& body) { return body.gyroscopic != Eigen::Matrix3d::Zero(); });
  BlockMatrix M(coupling, turning ? BlockMatrix::Kind::general : BlockMatrix::Kind::symmetric_positive);
  M.set_zero();
  for (int j = 0; j < velocities; ++j)
    for (int e = motion.M.start[j]; e < motion.M.start[j + 1]; ++e) M.add(motion.M.row[e], j, motion.M.value[e]);
  M.factor();
  G.assemble(M, W, Delassus::form_of(W.rows()));
}

ContactProblem GeneratedScene::problem(std::mt19937& random, FreeMotion& motion) const {
  const int velocities = 6 * static_cast<int>(bodies_.size());
  std::normal_distribution<double> normal(0.0, 0.01 * gravity * dt);
  Vec& u = motion.u_free;
  u.resize(velocities);
  for (int b = 0; b < velocities; b += 6) {
    const Body& body = bodies_[b / 6];
    for (int i = 0; i < 6; ++i) u[b + i] = !tumbles_ ? normal(random) : i < 3 ? body.v[i] : body.omega[i - 3];
    u[b + 2] -= gravity * dt;
  }
  BlockRows W;
  ContactProblem problem;
  for (const Contact& contact : contacts_) append(contact, W, problem.laws);
  assemble(motion, W, problem.G);
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
