// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "system/evaluator.h"

namespace tappet {

void Evaluator::add_body_mass(BlockMatrix& M) {
  for (size_t b = 0; b < system_.bodies_.size(); ++b) {
    const System::Body& body = system_.bodies_[b];
    std::visit([&](const auto& element) { element.mass_matrix(local_.data()); }, system_.model_.bodies[b].element);
    for (int i = 0; i < body.nu; ++i)
      for (int j = 0; j < body.nu; ++j) M.add(body.u + i, body.u + j, local_[i * body.nu + j]);
  }
}

void Evaluator::add_body_forces(double t, const Vec& q, const Vec& u, Vec& h) {
  if (system_.bodies_.empty()) return;
  for (size_t b = 0; b < system_.bodies_.size(); ++b) {
    const System::Body& body = system_.bodies_[b];
    std::visit([&](const auto& element) { element.gyroscopic(u.data() + body.u, local_.data()); },
               system_.model_.bodies[b].element);
    for (int i = 0; i < body.nu; ++i) h[body.u + i] += local_[i];
  }
  for (const auto& [force, b] : system_.weights_) {
    const Frame& frame = system_.frames_[system_.bodies_[b].frame];
    const Vec3d weight = std::get<Gravity>(system_.model_.forces[force].element).force(mass_of(b));
    for (size_t c = 0; c < frame.columns.size(); ++c)
      if (frame.component[c] < 3) h[frame.columns[c]] += weight[frame.component[c]];
  }
  if (system_.forces_.empty()) return;
  place(q);
  move(u, twists_);
  for (const System::Force& force : system_.forces_) {
    const PairTwist twist{twists_[force.frames[0]], twists_[force.frames[1]]};
    visit_force(force, [&](const auto& element) { wrench(element, pair(force, t), twist, local_.data()); });
    for (size_t c = 0; c < force.columns.size(); ++c) h[force.columns[c]] += local_[force.component[c]];
  }
}

void Evaluator::add_body_force_derivatives(double t, const Vec& q, const Vec& u, double by_q, double by_u, BlockMatrix& A) {
  for (size_t b = 0; b < system_.bodies_.size(); ++b) {
    const System::Body& body = system_.bodies_[b];
    if (!std::holds_alternative<RigidBody>(system_.model_.bodies[b].element)) continue;
    std::get<RigidBody>(system_.model_.bodies[b].element).gyroscopic_gradient(u.data() + body.u, local_.data());
    for (int i = 0; i < body.nu; ++i)
      for (int j = 0; j < body.nu; ++j) A.add(body.u + i, body.u + j, by_u * local_[i * body.nu + j]);
  }
  if (system_.forces_.empty()) return;
  place(q);
  move(u, twists_);
  for (const System::Force& force : system_.forces_) {
    const PairTwist twist{twists_[force.frames[0]], twists_[force.frames[1]]};
    visit_force(force, [&](const auto& element) {
      wrench_gradient(element, pair(force, t), twist, local_.data(), local_2_.data());
    });
    for (size_t r = 0; r < force.columns.size(); ++r)
      for (size_t c = 0; c < force.columns.size(); ++c) {
        const int entry = force.component[r] * pair_size + force.component[c];
        A.add(force.columns[r], force.columns[c], by_q * local_[entry] + by_u * local_2_[entry]);
      }
  }
}

void Evaluator::add_body_energy(double t, const Vec& q, const Vec& u, Energy& energy_sum) {
  if (system_.bodies_.empty()) return;
  place(q);
  for (size_t b = 0; b < system_.bodies_.size(); ++b)
    energy_sum.kinetic += std::visit(
        [&](const auto& element) { return element.kinetic_energy(u.data() + system_.bodies_[b].u); },
        system_.model_.bodies[b].element);
  for (const auto& [force, b] : system_.weights_)
    energy_sum.potential += std::get<Gravity>(system_.model_.forces[force].element)
                                .energy(mass_of(b), poses_[system_.bodies_[b].frame].p);
  for (const System::Force& force : system_.forces_)
    visit_force(force, [&](const auto& element) { energy_sum.potential += tappet::energy(element, pair(force, t)); });
}

double Evaluator::mass_of(int body) const {
  return std::visit([](const auto& element) { return element.mass; }, system_.model_.bodies[body].element);
}

}  // namespace tappet
