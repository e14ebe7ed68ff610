// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>

#include "system/evaluator.h"
#include "system/visit_touch.h"

namespace tappet {

using Source = Constraint::Source;

namespace {
constexpr int found_grain = 128;  // the number of found contacts that one thread takes at a time
constexpr int max_found_rows = 3;
}  // namespace

void Evaluator::named_gaps(double t, const Vec& q, Vec& g_N) {
  const InPhase phase(execution_, Phase::evaluate);
  g_N.resize(contacts_.named());
  int k = 0;
  if (formulas_) {
    formulas_->gaps(t, gather(q, system_.formula_q(), formula_q_), g_N.data(), formula_);
    k = formulas_->contacts();
  }
  if (k == g_N.size()) return;
  place(q), drive(t);
  kernels::Input x;
  const int named = contacts_.named();
  for (double* gap_of_k = g_N.data() + k; k < named; ++k, ++gap_of_k) {
    if (const PositionKernel& kernel = contact_kernels_[k]; kernel.gap) {
      point(x, kernel);
      kernel.gap(x, gap_of_k, nullptr);
      continue;
    }
    const Contact& contact = contacts_[k];
    if (contact.source == Source::joint_stop || contact.source == Source::joint_friction)
      g_N[k] = joint_gap(contact, q);
    else
      std::visit([&](const auto& element) { g_N[k] = gap(element, pair(contact, t)); },
                 system_.model().contacts[contact.index].element);
  }
}

// A pad is pressed on at all times, so round-off must not lift it.
double Evaluator::joint_gap(const Contact& contact, const Vec& q) const {
  if (contact.source == Source::joint_friction)
    return std::min(0.0, q[system_.pads()[system_.frictions()[contact.index].pad].q]);
  const auto& [stop, measured] = system_.stops()[contact.index];
  const double now = stop.position(poses_[contact.frames[0]], poses_[contact.frames[1]]);
  return stop.gap(stop.near(now, q[system_.measured_joints()[measured].q]));
}

void Evaluator::gaps(double t, const Vec& q, Vec& g_N) {
  named_gaps(t, q, g_N);
  if (contacts_.found() == 0) return;
  const InPhase phase(execution_, Phase::evaluate);
  place(q), drive(t), gather_found();
  const int k = contacts_.named();
  g_N.resize(contacts_.size());
  parallel_for(execution_, contacts_.found(), found_grain, [&, k](int first, int last) {
    for (int i = k + first; i < k + last; ++i) {
      const Contact& contact = contacts_[i];
      if (gathered() && found_uses_[contact.index].kernel->functions) {
        const FoundUse& use = found_uses_[contact.index];
        use.kernel->functions->value(found_input(contact, use), &g_N[i], nullptr);
        continue;
      }
      if (const auto* kernel = functions(contact)) {
        std::array<double, most_found_numbers> numbers;
        kernel->value(found_input(contact, numbers.data()), &g_N[i], nullptr);
        continue;
      }
      const Pair at = pair(contact, t);
      visit_touch(contacts_, contact.index, at.A, at.B, [&](const auto& element) { g_N[i] = gap(element, at); });
    }
  });
}

void Evaluator::closing_speeds(double t, const Vec& q, const Vec& u, const ContactSet& set, Vec& speeds) {
  const InPhase phase(execution_, Phase::evaluate);
  speeds.resize(static_cast<int>(set.size()));
  if (set.empty()) return;
  place(q), drive(t);
  move(u, twists_);
  const double* q_own = gather(q, system_.formula_q(), formula_q_);
  parallel_for(execution_, static_cast<int>(set.size()), found_grain, [&](int first, int last) {
    for (int i = first; i < last; ++i) {
      const Contact& contact = contacts_[set[i]];
      if (contact.source != Source::found) continue;
      Vec3d point_A, point_B, normal;
      const Pair at = pair(contact, t);
      visit_touch(contacts_, contact.index, at.A, at.B,
                  [&](const auto& element) { nearest_points(element, at, point_A, point_B, normal); });
      const auto [a, b] = twist(contact, twists_);
      speeds[i] = std::max(0.0, dot(normal, velocity_at(at.B, b, point_B) - velocity_at(at.A, a, point_A)));
    }
  });
  for (size_t i = 0; i < set.size(); ++i) {
    const Contact& contact = contacts_[set[i]];
    if (contact.source == Source::found) break;  // found contacts come last
    if (from_formula(contact)) {
      formulas_->directions(contact.index, t, q_own, block_.data(), local_rows_.data(), formula_);
    } else {
      element_directions(contact, t, directions_.data(), local_rows_.data());
      pull_back(contact, directions_.data(), block_.data());
      put_pad(contact, block_.data());
    }
    double rate = local_rows_[0];
    for (size_t c = 0; c < contact.columns.size(); ++c) rate += block_[c] * u[contact.columns[c]];
    speeds[static_cast<int>(i)] = std::max(0.0, -rate);
  }
}

void Evaluator::joint_residuals(double t, const Vec& q, Vec& g) {
  g.assign(system_.joint_rows(), 0.0);
  if (g.empty()) return;
  place(q), drive(t);
  for (const Constraint& joint : system_.joints()) {
    if (!joint.position_level) continue;
    if (joint.source == Source::formula_joint) {
      formulas_->value(joint.index, t, gather(q, system_.formula_q(), formula_q_), g.data() + joint.row, formula_);
      continue;
    }
    if (direct(joint)) {
      functions(joint)->value(input(joint), g.data() + joint.row, nullptr);
      continue;
    }
    element_value(joint, t, local_rows_.data());
    for (int r = 0; r < joint.rows; ++r) g[joint.row + r] = local_rows_[joint.kept(r)];
  }
}

// Converts rows over twelve twist components to the rows and columns of the constraint.
void Evaluator::pull_back(const Constraint& c, const double* twelve, double* rows) const {
  const size_t columns = c.columns.size();
  for (int r = 0; r < c.rows; ++r) {
    const double* from = twelve + c.kept(r) * pair_size;
    for (size_t k = 0; k < columns; ++k)
      rows[r * columns + k] = system_.pulled(c, static_cast<int>(k), from, jacobians_.data());
  }
}

// Converts a matrix over twelve × twelve twist components to columns × columns.
void Evaluator::pull_back_both(const PairLayout& layout, const double* twelve, double* block) {
  const int columns = static_cast<int>(layout.columns.size());
  double half[pair_size];
  for (int j = 0; j < columns; ++j) {
    for (int i = 0; i < pair_size; ++i) half[i] = system_.pulled(layout, j, twelve + i * pair_size, jacobians_.data());
    for (int i = 0; i < columns; ++i) block[i * columns + j] = system_.pulled(layout, i, half, jacobians_.data());
  }
}

// Treats the friction of a formula contact as a disc: its rows are scaled by the ratio of the coefficients.
void Evaluator::scale_friction(const Constraint& c, int width, double* rows) const {
  if (c.source != Source::formula_contact || c.rows < 3) return;
  const ContactLaw& law = *static_cast<const Contact&>(c).law;
  for (int r = 1; r < c.rows; ++r)
    for (int k = 0; k < width; ++k) rows[r * width + k] *= law.scale(r - 1);
}

void Evaluator::directions(double t, const Vec& q, const ContactSet& set, BlockRows& W, Vec& chi) {
  const InPhase phase(execution_, Phase::evaluate);
  lay_out(set, W);
  chi.resize(W.rows());
  if (chi.empty()) return;
  place(q), drive(t);
  if (take_kept(t, W, chi)) return;
  evaluate_directions(t, q, set, W, chi);
  keep(t, W, chi);
}

void Evaluator::evaluate_directions(double t, const Vec& q, const ContactSet& set, BlockRows& W, Vec& chi) {
  const int joints = static_cast<int>(joint_kernels_.size()), named = contacts_.named();
  kernels::Input x;
  int block = 0;
  const auto evaluate = [&](const PositionKernel& kernel, const auto& constraint_of, int index) {
    double *rows = W.values(block), *rates = chi.data() + W.block(block).row;
    ++block;
    if (!kernel.directions) return spread_directions(constraint_of[index], t, q, rows, rates);
    point(x, kernel);
    kernel.directions(x, rows, rates);
  };
  while (block < joints) evaluate(joint_kernels_[block], system_.joints(), block);
  for (const int contact : set) {
    if (contact >= named) break;  // found contacts come last
    evaluate(contact_kernels_[contact], contacts_, contact);
  }
  if (block == W.blocks()) return;
  gather_found();
  parallel_for(execution_, W.blocks() - block, found_grain,
               [&](int first, int last) { found_directions(t, set, block + first, block + last, W, chi); });
}

// The rows of a joint or contact of the file that has no kernel for them.
void Evaluator::spread_directions(const Constraint& c, double t, const Vec& q, double* rows, double* chi) {
  std::fill_n(rows, c.rows * c.columns.size(), 0.0);
  if (from_formula(c)) {
    const double* q_own = gather(q, system_.formula_q(), formula_q_);
    formulas_->directions(c.index, t, q_own, rows, chi, formula_);
    scale_friction(c, static_cast<int>(c.columns.size()), rows);
    scale_friction(c, 1, chi);
    return;
  }
  element_directions(c, t, local_.data(), local_rows_.data());
  pull_back(c, local_.data(), rows);
  put_pad(c, rows);
  for (int r = 0; r < c.rows; ++r) chi[r] = local_rows_[c.kept(r)];
}

void Evaluator::found_directions(double t, const ContactSet& set, int first, int last, BlockRows& W, Vec& chi) const {
  const int joints = static_cast<int>(system_.joints().size());  // blocks
  for (int block = first; block < last; ++block) {
    const Contact& c = contacts_[set[block - joints]];
    double *rows = W.values(block), *rates = chi.data() + W.block(block).row;
    if (gathered() && found_uses_[c.index].kernel->direct) {
      const FoundUse& use = found_uses_[c.index];
      use.kernel->functions->directions(found_input(c, use), rows, rates);
      continue;
    }
    const auto& [functions, number, count, is_direct] = kernel(c);
    std::array<double, most_found_numbers> numbers;
    if (is_direct) {
      functions->directions(found_input(c, numbers.data()), rows, rates);
      continue;
    }
    double all[max_found_rows * pair_size];
    if (functions) {
      functions->directions(found_input(c, numbers.data()), all, rates);
      const auto& columns = functions->columns;
      for (int r = 0; r < c.rows; ++r)
        for (signed char component : c.component)
          *rows++ = all[r * columns.size() + (std::find(columns.begin(), columns.end(), component) - columns.begin())];
      continue;
    }
    const Pair at = pair(c, t);
    visit_touch(contacts_, c.index, at.A, at.B,
                [&](const auto& element) { tappet::directions(element, *c.law, at, all, rates); });
    for (int r = 0; r < c.rows; ++r)
      for (signed char component : c.component) *rows++ = all[r * pair_size + component];
  }
}

void Evaluator::gather_found() {
  const int found = contacts_.found();
  if (gathered() || found > static_cast<int>(found_uses_.size())) return;
  for (int i = 0; i < found; ++i) {
    const TouchPoint& touch = contacts_.touches()[i];
    FoundUse& use = found_uses_[i];
    use.kernel = &system_.found_kernel(touch);
    if (use.kernel->functions) gather_found_numbers(touch, use.numbers.data(), *use.kernel);
  }
  gathered_list_ = contacts_.version();
}

// The numbers of a touch point, then those of its law. A fixed number of the latter is copied, which is faster than the
// exact number.
void Evaluator::gather_found_numbers(const TouchPoint& touch, double* numbers,
                                     const KernelUse<kernels::RowKernel>& kernel) const {
  const int own = touch_numbers(touch, numbers);
  std::memcpy(numbers + own, numbers_.data() + kernel.numbers + own, most_law_numbers * sizeof(double));
}

kernels::Input Evaluator::found_input(const Constraint& c, double* numbers, const double* P) const {
  const TouchPoint& touch = contacts_.touches()[c.index];
  gather_found_numbers(touch, numbers, system_.found_kernel(touch));
  const auto [a, b] = c.frames;
  kernels::Input x{&poses_[a].p.x, &poses_[b].p.x, nullptr, nullptr, nullptr, nullptr, numbers, P};
  if (!twists_.empty()) x.u_A = &twists_[a].v.x, x.u_B = &twists_[b].v.x;  // move() makes them, where they are needed
  if (!twist_rates_.empty()) x.u_dot_A = &twist_rates_[a].v.x, x.u_dot_B = &twist_rates_[b].v.x;
  return x;
}

void Evaluator::accelerations(double t, const Vec& q, const Vec& u, const ContactSet& set, Vec& zeta) {
  zeta.resize(contacts_.rows(set));
  if (zeta.empty()) return;
  place(q), drive(t);
  move(u, twists_);
  const double* q_own = gather(q, system_.formula_q(), formula_q_);
  const double* u_own = gather(u, system_.formula_u(), formula_u_);
  each(set, [&](const Constraint& c, int row) {
    if (from_formula(c)) {
      formulas_->accelerations(c.index, t, q_own, u_own, zeta.data() + row, formula_);
      scale_friction(c, 1, zeta.data() + row);
      return;
    }
    if (direct(c)) {
      functions(c)->second_rate(input(c), zeta.data() + row, nullptr);
      return;
    }
    element_second_rate(c, t, local_rows_.data());
    for (int r = 0; r < c.rows; ++r) zeta[row + r] = local_rows_[c.kept(r)];
    if (!turns(c)) return;
    double bias[pair_size];
    node_bias(c, q, u, bias);
    element_directions(c, t, directions_.data(), local_rows_.data());
    for (int r = 0; r < c.rows; ++r)
      for (int i = 0; i < pair_size; ++i) zeta[row + r] += directions_[c.kept(r) * pair_size + i] * bias[i];
  });
}

void Evaluator::add_impulse_derivative(double t, const Vec& q, const ContactSet& set, const Vec& P, double factor,
                                       BlockMatrix& A) {
  if (P.empty()) return;
  place(q), drive(t);
  const double* q_own = gather(q, system_.formula_q(), formula_q_);
  each(set, [&](const Constraint& c, int row) {
    if (direct(c)) {
      const kernels::RowKernel& kernel = *functions(c);
      if (kernel.curvature.empty()) return;
      kernel.contraction(input(c, P.data() + row), kernel_out_.data(), nullptr);
      const double* value = kernel_out_.data();
      for (const auto [i, j] : kernel.curvature) A.add(c.columns[i], c.columns[j], factor * *value++);
      return;
    }
    std::fill(multipliers_.begin(), multipliers_.end(), 0.0);
    for (int r = 0; r < c.rows; ++r) multipliers_[c.kept(r)] = P[row + r];
    if (from_formula(c)) {
      scale_friction(c, 1, multipliers_.data());
      formulas_->impulse_derivative(c.index, t, q_own, multipliers_.data(), block_.data(), formula_);
    } else {
      element_contraction(c, t, multipliers_.data(), local_.data());
      pull_back_both(c, local_.data(), block_.data());
      if (turns(c)) {
        double f[pair_size] = {};
        element_directions(c, t, directions_.data(), local_rows_.data());
        for (size_t r = 0; r < multipliers_.size(); ++r)
          for (int i = 0; i < pair_size && multipliers_[r] != 0.0; ++i)
            f[i] += multipliers_[r] * directions_[r * pair_size + i];
        add_wrench_curvature(c, q, f, 1.0, block_.data());
      }
    }
    A.add(c.columns, c.columns, block_.data(), factor);
  });
}

void Evaluator::velocity_derivatives(double t, const Vec& q, const Vec& u, const ContactSet& set, BlockRows& dq) {
  lay_out(set, dq);
  if (dq.rows() == 0) return;
  place(q), drive(t);
  move(u, twists_);
  int block = 0;
  const double* q_own = gather(q, system_.formula_q(), formula_q_);
  const double* u_own = gather(u, system_.formula_u(), formula_u_);
  each(set, [&](const Constraint& c, int) {
    double* rows = dq.values(block++);
    if (direct(c)) {
      functions(c)->velocity_gradient(input(c), rows, nullptr);
      return;
    }
    std::fill_n(rows, c.rows * c.columns.size(), 0.0);
    if (from_formula(c)) {
      formulas_->velocity_derivative(c.index, t, q_own, u_own, rows, formula_);
      scale_friction(c, static_cast<int>(c.columns.size()), rows);
      return;
    }
    element_velocity_gradient(c, t, local_.data());
    pull_back(c, local_.data(), rows);
    if (!turns(c)) return;
    element_directions(c, t, directions_.data(), local_rows_.data());
    add_curvature(c, q, u, directions_.data(), rows);
  });
}

void Evaluator::acceleration_derivatives(double t, const Vec& q, const Vec& u, const Vec& a, const ContactSet& set,
                                         BlockRows& dq, BlockRows& du) {
  lay_out(set, dq), lay_out(set, du);
  if (dq.rows() == 0) return;
  place(q), drive(t);
  move(u, twists_);
  move(a, twist_rates_);
  const double* q_own = gather(q, system_.formula_q(), formula_q_);
  const double* u_own = gather(u, system_.formula_u(), formula_u_);
  const double* a_own = gather(a, system_.formula_u(), formula_a_);
  int block = 0;
  each(set, [&](const Constraint& c, int) {
    double *rows_q = dq.values(block), *rows_u = du.values(block);
    ++block;
    if (direct(c) && functions(c)->acceleration_gradient) {
      functions(c)->acceleration_gradient(input(c), rows_q, rows_u);
      return;
    }
    std::fill_n(rows_q, c.rows * c.columns.size(), 0.0), std::fill_n(rows_u, c.rows * c.columns.size(), 0.0);
    if (from_formula(c)) {
      formulas_->acceleration_derivatives(c.index, t, q_own, u_own, a_own, rows_q, rows_u, formula_);
      scale_friction(c, static_cast<int>(c.columns.size()), rows_q);
      scale_friction(c, static_cast<int>(c.columns.size()), rows_u);
      return;
    }
    PairTwist rate = twist(c, twist_rates_);
    if (turns(c)) {
      double bias[pair_size];
      node_bias(c, q, u, bias);
      for (int i = 0; i < 6; ++i) rate.a[i] += bias[i], rate.b[i] += bias[6 + i];
    }
    element_acceleration_gradient(c, t, rate, local_.data(), local_2_.data());
    pull_back(c, local_.data(), rows_q);
    pull_back(c, local_2_.data(), rows_u);
    if (!turns(c)) return;
    add_curvature(c, q, u, local_2_.data(), rows_q);
    element_directions(c, t, directions_.data(), local_rows_.data());
    add_curvature(c, q, a, directions_.data(), rows_q);
    add_curvature_rate(c, q, u, rows_q, rows_u);
  });
}

}  // namespace tappet
