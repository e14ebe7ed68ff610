// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
// The levels of one element between bodies, over both twists: by its kernel, or with dual numbers if it has none.
#include <algorithm>

#include "system/evaluator.h"
#include "system/visit_touch.h"

namespace tappet {

using Source = Constraint::Source;

// Calls f(element) for joints and f(element, law) for contacts, with the element behind a constraint between bodies.
template <class F>
void Evaluator::visit_element(const Constraint& c, F&& f) const {
  const Model& model = system_.model();
  if (c.source == Source::joint)
    std::visit([&](const auto& element) { f(element); }, model.joints[c.index].element);
  else if (c.source == Source::velocity_joint)
    std::visit([&](const auto& element) { f(element); }, model.velocity_joints[c.index].element);
  else if (c.source == Source::found)
    visit_touch(contacts_, c.index, poses_[c.frames[0]], poses_[c.frames[1]],
                [&](const auto& element) { f(element, *static_cast<const Contact&>(c).law); });
  else if (c.source == Source::joint_stop)
    f(system_.stops()[c.index].element);
  else if (c.source == Source::joint_friction)
    f(system_.frictions()[c.index].element);
  else
    std::visit([&](const auto& element) { f(element, *static_cast<const Contact&>(c).law); },
               model.contacts[c.index].element);
}

// The numbers that are functions of time.
void Evaluator::drive_kernels(double t) {
  t = std::min(t, last_time_);
  if (t == driven_to_) return;
  driven_to_ = t;
  for (const auto& [number, f] : system_.kernel_drives()) {
    numbers_[number] = f(t);
    numbers_[number + 1] = f.derivative(t);
    numbers_[number + 2] = f.second_derivative(t);
  }
}

// Rows × columns of the kernel → all rows of the element × both twists.
static void spread_rows(const kernels::RowKernel& kernel, const double* compact, double* twelve) {
  std::fill_n(twelve, kernel.all_rows * pair_size, 0.0);
  for (int r : kernel.rows)
    for (int c : kernel.columns) twelve[r * pair_size + c] = *compact++;
}
static void spread_numbers(const kernels::RowKernel& kernel, const double* compact, double* rows) {
  std::fill_n(rows, kernel.all_rows, 0.0);
  for (int r : kernel.rows) rows[r] = *compact++;
}

void Evaluator::element_value(const Constraint& c, double t, double* g) {
  if (const auto* kernel = functions(c)) {
    kernel->value(input(c), kernel_out_.data(), nullptr);
    return spread_numbers(*kernel, kernel_out_.data(), g);
  }
  std::visit([&](const auto& element) { value(element, pair(c, t), g); }, system_.model().joints[c.index].element);
}

void Evaluator::element_directions(const Constraint& c, double t, double* W, double* chi) {
  if (const auto* kernel = functions(c)) {
    kernel->directions(input(c), kernel_out_.data(), kernel_out_2_.data());
    spread_rows(*kernel, kernel_out_.data(), W);
    return spread_numbers(*kernel, kernel_out_2_.data(), chi);
  }
  visit_element(c, [&](const auto&... element) { tappet::directions(element..., pair(c, t), W, chi); });
}

void Evaluator::element_second_rate(const Constraint& c, double t, double* zeta) {
  if (const auto* kernel = functions(c)) {
    kernel->second_rate(input(c), kernel_out_.data(), nullptr);
    return spread_numbers(*kernel, kernel_out_.data(), zeta);
  }
  visit_element(c, [&](const auto&... element) { second_rate(element..., pair(c, t), twist(c, twists_), zeta); });
}

void Evaluator::element_contraction(const Constraint& c, double t, const double* P, double* K) {
  const auto* kernel = functions(c);
  if (!kernel) return visit_element(c, [&](const auto&... element) { contraction(element..., pair(c, t), P, K); });
  for (size_t r = 0; r < kernel->rows.size(); ++r) kernel_out_2_[r] = P[kernel->rows[r]];
  kernel->contraction(input(c, kernel_out_2_.data()), kernel_out_.data(), nullptr);
  std::fill_n(K, pair_size * pair_size, 0.0);
  const double* value = kernel_out_.data();
  for (const auto [row, column] : kernel->curvature)
    K[kernel->columns[row] * pair_size + kernel->columns[column]] = *value++;
}

void Evaluator::element_velocity_gradient(const Constraint& c, double t, double* D) {
  if (const auto* kernel = functions(c)) {
    kernel->velocity_gradient(input(c), kernel_out_.data(), nullptr);
    return spread_rows(*kernel, kernel_out_.data(), D);
  }
  visit_element(c, [&](const auto&... element) { velocity_gradient(element..., pair(c, t), twist(c, twists_), D); });
}

void Evaluator::element_acceleration_gradient(const Constraint& c, double t, const PairTwist& rate, double* D_pose,
                                              double* D_twist) {
  if (const auto* kernel = functions(c); kernel && kernel->acceleration_gradient) {
    kernels::Input x = input(c);
    x.u_dot_A = &rate.a.v.x, x.u_dot_B = &rate.b.v.x;
    kernel->acceleration_gradient(x, kernel_out_.data(), kernel_out_2_.data());
    spread_rows(*kernel, kernel_out_.data(), D_pose);
    return spread_rows(*kernel, kernel_out_2_.data(), D_twist);
  }
  visit_element(c, [&](const auto&... element) {
    acceleration_gradient(element..., pair(c, t), twist(c, twists_), rate, D_pose, D_twist);
  });
}

void Evaluator::force_wrench(const System::Force& force, double t, double* f) {
  if (const auto* kernel = force.kernel.functions) {
    kernel->wrench(input(force, force.kernel.numbers), kernel_out_.data(), nullptr);
    std::fill_n(f, pair_size, 0.0);
    for (size_t c = 0; c < kernel->columns.size(); ++c) f[kernel->columns[c]] = kernel_out_[c];
    return;
  }
  visit_force(force, [&](const auto& element) { wrench(element, pair(force, t), twist(force, twists_), f); });
}

void Evaluator::force_gradient(const System::Force& force, double t, double* K, double* C) {
  const auto* kernel = force.kernel.functions;
  if (!kernel)
    return visit_force(
        force, [&](const auto& element) { wrench_gradient(element, pair(force, t), twist(force, twists_), K, C); });
  const kernels::Input x = input(force, force.kernel.numbers);
  const auto spread = [&](kernels::Function function, std::span<const kernels::Entry> entries, double* D) {
    std::fill_n(D, pair_size * pair_size, 0.0);
    function(x, kernel_out_.data(), nullptr);
    const double* value = kernel_out_.data();
    for (const auto [row, column] : entries) D[kernel->columns[row] * pair_size + kernel->columns[column]] = *value++;
  };
  spread(kernel->stiffness, kernel->stiffness_entries, K);
  spread(kernel->damping, kernel->damping_entries, C);
}

Lines Evaluator::force_lines(const System::Force& force, double t, double* G) {
  Lines along;
  const auto* kernel = force.kernel.functions;
  if (!kernel) {
    visit_force(force, [&](const auto& element) { along = lines(element, pair(force, t), G); });
    return along;
  }
  visit_force(force, [&](const auto& element) {
    if constexpr (requires { element.lines(); }) along = element.lines();
  });
  kernel->lines(input(force, force.kernel.numbers), kernel_out_.data(), nullptr);
  std::fill_n(G, kernel->line_count * pair_size, 0.0);
  const double* value = kernel_out_.data();
  for (int r = 0; r < kernel->line_count; ++r)
    for (int c : kernel->columns) G[r * pair_size + c] = *value++;
  return along;
}

double Evaluator::force_energy(const System::Force& force, double t) {
  double energy = 0.0;
  if (const auto* kernel = force.kernel.functions)
    kernel->energy(input(force, force.kernel.numbers), &energy, nullptr);
  else
    visit_force(force, [&](const auto& element) { energy = tappet::energy(element, pair(force, t)); });
  return energy;
}

}  // namespace tappet
