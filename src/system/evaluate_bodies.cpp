// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "system/evaluator.h"
#include "system/forces/constant_forces.h"

namespace tappet {

void Evaluator::add_body_mass(BlockMatrix& M) {
  for (size_t b = 0; b < system_.bodies().size(); ++b) {
    const System::Body& body = system_.bodies()[b];
    std::visit(
        [&]<class Element>(const Element& element) {
          if constexpr (FlexibleBody<Element>) {
            element.mass([&](int i, int j, double value) { M.add(body.u + i, body.u + j, value); });
          } else {
            element.mass_matrix(local_.data());
            for (int i = 0; i < body.nu; ++i)
              for (int j = 0; j < body.nu; ++j) M.add(body.u + i, body.u + j, local_[i * body.nu + j]);
          }
        },
        system_.model().bodies[b].element);
  }
  for (const System::Pad& pad : system_.pads()) M.add(pad.u, pad.u, pad.mass);
}

// The constant forces of many bodies would take memory and would gain nothing, so they are not kept.
void Evaluator::list_body_forces() {
  constexpr int few_velocities = 600;
  if (system_.u_size() <= few_velocities) {
    constant_forces_.assign(system_.u_size(), 0.0);
    add_constant_forces(system_, constant_forces_);
  }
  for (const auto& [force, b] : system_.weights())
    std::visit(
        [&]<class Element>(const Element&) {
          if constexpr (FlexibleBody<Element>) flexible_weights_.push_back({force, b});
        },
        system_.model().bodies[b].element);
  for (size_t b = 0; b < system_.bodies().size(); ++b)
    std::visit(
        [&]<class Element>(const Element&) {
          if constexpr (FlexibleBody<Element> || std::is_same_v<Element, RigidBody>)
            turning_bodies_.push_back(static_cast<int>(b));
        },
        system_.model().bodies[b].element);
  weights_alone_ = !formulas_ && constant_forces_.size() == system_.u_size() && flexible_weights_.empty() &&
                   turning_bodies_.empty() && system_.forces().empty() && system_.state_forces().empty();
}

// In addition to the constant forces.
void Evaluator::add_body_forces(double t, const Vec& q, const Vec& u, Vec& h) {
  if (system_.bodies().empty()) return;
  parallel_for(execution_, static_cast<int>(turning_bodies_.size()), System::bodies_at_a_time,
               [&](int first, int last) {
                 for (const int b : std::span(turning_bodies_).subspan(first, last - first)) {
                   const System::Body& body = system_.bodies()[b];
                   std::visit(
                       [&]<class Element>(const Element& element) {
                         if constexpr (FlexibleBody<Element>) {
                           element.forces(q.data() + body.q, u.data() + body.u, h.data() + body.u);
                         } else if constexpr (std::is_same_v<Element, RigidBody>) {
                           double wrench[6];
                           element.gyroscopic(u.data() + body.u, wrench);
                           for (int i = 3; i < body.nu; ++i) h[body.u + i] += wrench[i];  // the torque
                         }
                       },
                       system_.model().bodies[b].element);
                 }
               });
  for (const auto& [force, b] : flexible_weights_) {
    const Gravity& gravity = std::get<Gravity>(system_.model().forces[force].element);
    std::visit(
        [&]<class Element>(const Element& element) {
          if constexpr (FlexibleBody<Element>) element.weight(gravity.acceleration, h.data() + system_.bodies()[b].u);
        },
        system_.model().bodies[b].element);
  }
  if (!system_.forces().empty()) place(q), drive(t), move(u, twists_);
  for (const System::Force& force : system_.forces()) {
    if (force.kernel.direct) {
      force.kernel.functions->wrench(input(force, force.kernel.numbers), kernel_out_.data(), nullptr);
      for (size_t c = 0; c < force.columns.size(); ++c) h[force.columns[c]] += kernel_out_[c];
      continue;
    }
    force_wrench(force, t, local_.data());
    for (size_t c = 0; c < force.columns.size(); ++c)
      h[force.columns[c]] += system_.pulled(force, static_cast<int>(c), local_.data(), jacobians_.data());
  }
  add_state_forces(t, q, u, h);
  if (contacts_.asleep() == 0) return;
  for (size_t b = 0; b < system_.bodies().size(); ++b)
    if (contacts_.sleepers()->flags()[b]) std::fill_n(h.data() + system_.bodies()[b].u, system_.bodies()[b].nu, 0.0);
}

void Evaluator::add_body_force_derivatives(double t, const Vec& q, const Vec& u, double by_q, double by_u,
                                           BlockMatrix& A) {
  for (const int b : turning_bodies_) {
    const System::Body& body = system_.bodies()[b];
    std::visit(
        [&]<class Element>(const Element& element) {
          if constexpr (FlexibleBody<Element>) {
            element.force_derivatives(q.data() + body.q, u.data() + body.u, by_q, by_u,
                                      [&](int i, int j, double value) { A.add(body.u + i, body.u + j, value); });
          } else if constexpr (std::is_same_v<Element, RigidBody>) {
            if (by_u == 0.0) return;
            element.gyroscopic_gradient(u.data() + body.u, local_.data());
            for (int i = 3; i < body.nu; ++i)  // of the torques
              for (int j = 3; j < body.nu; ++j) A.add(body.u + i, body.u + j, by_u * local_[i * body.nu + j]);
          }
        },
        system_.model().bodies[b].element);
  }
  if (system_.forces().empty()) return;
  place(q), drive(t);
  move(u, twists_);
  for (const System::Force& force : system_.forces()) {
    if (force.kernel.direct) {
      add_direct_force_derivatives(force, by_q, by_u, A);
      continue;
    }
    force_gradient(force, t, local_.data(), local_2_.data());
    for (int e = 0; e < pair_size * pair_size; ++e) local_[e] = by_q * local_[e] + by_u * local_2_[e];
    pull_back_both(force, local_.data(), block_.data());
    if (turns(force)) {
      force_wrench(force, t, local_.data());
      add_wrench_curvature(force, q, local_.data(), by_q, block_.data());
      add_damper_curvature(force, q, u, local_2_.data(), by_q, block_.data());
    }
    A.add(force.columns, force.columns, block_.data(), 1.0);
  }
}

void Evaluator::add_direct_force_derivatives(const System::Force& force, double by_q, double by_u, BlockMatrix& A) {
  const kernels::ForceKernel& kernel = *force.kernel.functions;
  const auto add = [&](kernels::Function function, std::span<const kernels::Entry> entries, double factor) {
    if (factor == 0.0) return;
    function(input(force, force.kernel.numbers), kernel_out_.data(), nullptr);
    const double* value = kernel_out_.data();
    for (const auto [i, j] : entries) A.add(force.columns[i], force.columns[j], factor * *value++);
  };
  add(kernel.stiffness, kernel.stiffness_entries, by_q);
  add(kernel.damping, kernel.damping_entries, by_u);
}

void Evaluator::add_definite_body_force_derivatives(double t, const Vec& q, const Vec& u, double by_q, double by_u,
                                                    BlockMatrix& A) {
  for (size_t b = 0; b < system_.bodies().size(); ++b) {
    const System::Body& body = system_.bodies()[b];
    std::visit(
        [&]<class Element>(const Element& element) {
          if constexpr (FlexibleBody<Element>) {
            element.force_derivatives(q.data() + body.q, u.data() + body.u, by_q, by_u,
                                      [&](int i, int j, double value) { A.add(body.u + i, body.u + j, value); });
          } else if constexpr (std::is_same_v<Element, RigidBody>) {
            const int n = body.nu;
            element.gyroscopic_gradient(u.data() + body.u, local_.data());
            for (int i = 0; i < n; ++i)
              for (int j = 0; j < n; ++j)
                A.add(body.u + i, body.u + j, by_u * (local_[i * n + j] - local_[j * n + i]) / 2);
          }
        },
        system_.model().bodies[b].element);
  }
  if (system_.forces().empty()) return;
  place(q), drive(t);
  for (const System::Force& force : system_.forces()) {
    const Lines along = force_lines(force, t, local_2_.data());
    if (along.count == 0) continue;
    std::fill_n(local_.data(), pair_size * pair_size, 0.0);
    const double factor = -(by_q * along.stiffness + by_u * along.damping);
    for (int r = 0; r < along.count; ++r)
      for (int i = 0; i < pair_size; ++i)
        for (int j = 0; j < pair_size; ++j)
          local_[i * pair_size + j] += factor * local_2_[r * pair_size + i] * local_2_[r * pair_size + j];
    pull_back_both(force, local_.data(), block_.data());
    A.add(force.columns, force.columns, block_.data(), 1.0);
  }
}

void Evaluator::add_body_energy(double t, const Vec& q, const Vec& u, Energy& sum) {
  if (system_.bodies().empty()) return;
  for (size_t b = 0; b < system_.bodies().size(); ++b) {
    const System::Body& body = system_.bodies()[b];
    std::visit(
        [&]<class Element>(const Element& element) {
          sum.kinetic += element.kinetic_energy(u.data() + body.u);
          if constexpr (FlexibleBody<Element>) sum.potential += element.strain_energy(q.data() + body.q);
        },
        system_.model().bodies[b].element);
  }
  for (const System::Pad& pad : system_.pads()) sum.kinetic += 0.5 * pad.mass * u[pad.u] * u[pad.u];
  for (const auto& [force, b] : system_.weights()) {
    const double* own = q.data() + system_.bodies()[b].q;
    const Gravity& gravity = std::get<Gravity>(system_.model().forces[force].element);
    std::visit(
        [&]<class Element>(const Element& element) {
          if constexpr (FlexibleBody<Element>)
            sum.potential += element.weight_energy(gravity.acceleration, own);
          else
            sum.potential += gravity.energy(element.mass, element.pose(own).p);
        },
        system_.model().bodies[b].element);
  }
  if (system_.forces().empty()) return;
  place(q), drive(t);
  for (const System::Force& force : system_.forces()) sum.potential += force_energy(force, t);
}

}  // namespace tappet
