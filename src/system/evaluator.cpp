// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "system/evaluator.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <stdexcept>

#include "math/dense.h"
#include "math/wide/sums.h"
#include "system/forces/constant_forces.h"

namespace tappet {

namespace {

// A position that has not been placed: these bits are never the result of a computation.
constexpr double nowhere = std::numeric_limits<double>::signaling_NaN();

// PlanarBody::pose, written over another pose of a planar body or a new one. The other numbers are constant.
void place_planar(const double* q, Pose<double>& pose) {
  const double c = std::cos(q[2]), s = std::sin(q[2]);
  pose.p.x = q[0], pose.p.y = q[1];
  pose.R.x.x = c, pose.R.x.y = s, pose.R.y.x = -s, pose.R.y.y = c;
  pose.phi = q[2];
}

}  // namespace

Evaluator::Evaluator(const ContactList& contacts)
    : contacts_(contacts),
      system_(contacts.system()),
      execution_(contacts.execution()),
      formulas_(system_.formulas()),
      last_time_(std::numeric_limits<double>::infinity()) {
  const System& system = system_;
  static_assert(sizeof(Pose<double>) == 13 * sizeof(double) && sizeof(Twist<double>) == 6 * sizeof(double));
  numbers_ = system.kernel_numbers();
  numbers_.resize(numbers_.size() + most_law_numbers);  // so that found_input() may read beyond the last ones
  driven_to_ = std::numeric_limits<double>::quiet_NaN();
  kernel_out_.resize(pair_size * pair_size), kernel_out_2_.resize(pair_size * pair_size);
  const size_t frames = system.frames().size();
  // Not every use needs poses and twists. If there are many bodies, they are allocated at their first use. If there are
  // few, they are allocated before any step.
  constexpr size_t few = 1000;
  if (frames <= few) {
    poses_.resize(frames), twists_.resize(frames), twist_rates_.resize(frames);
    displacement_.resize(system.u_size());
    placed_q_.assign(system.q_size(), nowhere);
    other_q_ = placed_q_;
  }
  const int n = static_cast<int>(system.formula_q().size());
  if (formulas_) formula_ = formulas_->workspace();
  formula_q_.resize(n), formula_u_.resize(n), formula_a_.resize(n), formula_h_.resize(n);
  if (formulas_) {
    formula_M_.resize(numbers_of(formulas_->mass_entries()));
    const size_t of_forces = numbers_of(formulas_->stiffness_entries());
    formula_K_.resize(std::max(of_forces, numbers_of(formulas_->mass_derivative_entries())));
    formula_C_.resize(numbers_of(formulas_->damping_entries()));
  }
  jacobians_.resize(system.jacobian_size());
  if (!other_q_.empty()) other_poses_ = poses_, other_jacobians_ = jacobians_;
  std::vector<char> in_use(frames, 0);
  size_t rows = 8, columns = pair_size;  // of the constraint or force with the most columns
  auto use = [&](const PairLayout& layout) {
    in_use[layout.frames[0]] = in_use[layout.frames[1]] = 1;
    columns = std::max<size_t>(columns, layout.columns.size());
  };
  for (const ColliderEntry& entry : system.model().colliders)
    for (int b = 0; b < entry.bodies && entry.first_body >= 0; ++b)
      in_use[system.frame_of({entry.first_body + b, 0})] = 1;
  for (const Constraint& joint : system.joints()) use(joint);
  for (const Contact& contact : system.named_contacts()) use(contact);
  for (const System::Force& force : system.forces()) use(force);
  for (const System::StateForceLayout& force : system.state_forces()) use(force);
  make_room_for_state_forces();
  for (size_t f = 1; f < in_use.size(); ++f)
    if (in_use[f]) frames_in_use_.push_back(static_cast<int>(f));
  list_frames(), list_kernels(), list_body_forces();
  for (const Constraint& joint : system.joints()) rows = std::max<size_t>(rows, joint.rows);
  for (const Contact& contact : system.named_contacts()) rows = std::max<size_t>(rows, contact.rows);
  block_.resize(std::max(rows, columns) * columns);
  local_.resize(std::max<size_t>(pair_size * pair_size, block_.size())), local_2_.resize(local_.size());
  local_rows_.resize(rows), multipliers_.resize(rows);
  directions_.resize(std::max<size_t>(rows, pair_size) * pair_size);
  for (const System::Body& body : system.bodies())
    if (body.frames > 1) body_x_.resize(std::max<size_t>(body_x_.size(), body.nu));
  body_unit_.resize(body_x_.size());
  node_x_.resize(columns), node_D_.resize(6 * columns), node_D_2_.resize(6 * columns);
  if (frames <= few) list_twists();
  std::vector<int>().swap(frames_in_use_);  // the lists have them
  reserve_kept_rows();
}

void Evaluator::list_frames() {
  other_frames_.reserve(frames_in_use_.size());
  for (int f : frames_in_use_) {
    const int body = system_.frames()[f].body;
    if (std::holds_alternative<PlanarBody>(system_.model().bodies[body].element))
      planar_frames_.push_back({f, system_.bodies()[body].q});
    else
      other_frames_.push_back(f);
  }
}

Evaluator::PositionKernel Evaluator::position_kernel(const Constraint& c) const {
  const auto& use = kernel(c);
  if (!use.functions) return {};
  constexpr int size = sizeof(Pose<double>) / sizeof(double);
  return {use.functions->value, use.direct ? use.functions->directions : nullptr, size * c.frames[0],
          size * c.frames[1], use.numbers};
}

void Evaluator::list_kernels() {
  for (const Constraint& joint : system_.joints()) joint_kernels_.push_back(position_kernel(joint));
  for (const Contact& contact : system_.named_contacts()) contact_kernels_.push_back(position_kernel(contact));
}

void Evaluator::displace(const Vec& q, double h, const Vec& u, Vec& q1) {
  if (system_.positions_add()) return add_multiple(u.size(), q.data(), h, u.data(), q1.data());
  displacement_.resize(u.size());
  for (int i = 0; i < u.size(); ++i) displacement_[i] = h * u[i];
  displace(q, displacement_, q1);
}

void Evaluator::displace(const Vec& q, double h, const Vec& u, const Vec& v, Vec& q1) {
  if (system_.positions_add()) return add_multiple(u.size(), q.data(), h, u.data(), v.data(), q1.data());
  displacement_.resize(u.size());
  for (int i = 0; i < u.size(); ++i) displacement_[i] = h * (u[i] + v[i]);
  displace(q, displacement_, q1);
}

// The values of the formulas' variables: in place where they come first, gathered otherwise.
const double* Evaluator::gather(const Vec& x, const std::vector<int>& where, std::vector<double>& own) const {
  if (system_.formulas_in_place()) return x.data();
  for (size_t i = 0; i < where.size(); ++i) own[i] = x[where[i]];
  return own.data();
}

void Evaluator::place(const Vec& q) {
  if (planar_frames_.empty() && other_frames_.empty()) return;
  const size_t frames = system_.frames().size();
  if (placed_q_.size() != static_cast<size_t>(q.size())) {  // the first time
    poses_.resize(frames);
    const bool points_to_twists = !system_.joints().empty() || contacts_.named() > 0 || !system_.forces().empty();
    if (points_to_twists) twists_.resize(frames), twist_rates_.resize(frames);  // input()
    placed_q_.assign(q.size(), nowhere);
  }
  const auto same = [&](const std::vector<double>& x) {  // most positions differ in their first number
    return std::memcmp(x.data(), q.data(), sizeof(double)) == 0 &&
           std::memcmp(x.data(), q.data(), sizeof(double) * q.size()) == 0;
  };
  if (same(placed_q_)) return;
  if (!other_q_.empty()) {
    placed_q_.swap(other_q_), poses_.swap(other_poses_), jacobians_.swap(other_jacobians_);
    std::swap(place_, other_place_);
    if (same(placed_q_)) return;
  }
  place_ = ++last_place_;
  std::copy(q.begin(), q.end(), placed_q_.begin());
  parallel_for(execution_, static_cast<int>(planar_frames_.size()), System::bodies_at_a_time, [&](int first, int last) {
    for (const auto [frame, own] : std::span(planar_frames_).subspan(first, last - first))
      place_planar(q.data() + own, poses_[frame]);
  });
  parallel_for(execution_, static_cast<int>(other_frames_.size()), System::bodies_at_a_time, [&](int first, int last) {
    for (int i = first; i < last; ++i) {
      const int f = other_frames_[i];
      poses_[f] = system_.pose_of(system_.frames()[f], q.data());
      system_.jacobian_of(system_.frames()[f], q.data(), jacobians_.data());
    }
  });
}

// Entries of twists that no velocity moves are zero from the start and stay zero.
void Evaluator::move(const Vec& u, std::vector<Twist<double>>& twists) {
  if (twist_entries_.empty() && frames_with_jacobian_.empty()) list_twists();
  twists.resize(system_.frames().size());  // only the first time
  double* entries = &twists[0].v.x;
  for (const auto [to, from] : twist_entries_) entries[to] = u[from];
  for (int f : frames_with_jacobian_) {
    const Frame& frame = system_.frames()[f];
    const size_t columns = frame.columns.size();
    twists[f] = {};
    for (size_t c = 0; c < columns; ++c)
      for (int i = 0; i < 6; ++i) twists[f][i] += jacobians_[frame.jacobian + i * columns + c] * u[frame.columns[c]];
  }
}

void Evaluator::list_twists() {
  for (int f : frames_in_use_) {
    const Frame& frame = system_.frames()[f];
    if (frame.jacobian >= 0) {
      frames_with_jacobian_.push_back(f);
      continue;
    }
    for (size_t c = 0; c < frame.columns.size(); ++c)
      twist_entries_.push_back({6 * f + frame.component[c], frame.columns[c]});
  }
}

Pair Evaluator::pair(const PairLayout& layout, double t) const {
  const auto [a, b] = layout.frames;
  return {poses_[a], poses_[b], std::min(t, last_time_), a != 0, b != 0};
}

void Evaluator::mass(double t, const Vec& q, BlockMatrix& M) {
  M.set_zero();
  add_formula_mass(t, q, nullptr, nullptr, M);
  add_body_mass(M);
}

void Evaluator::forces(double t, const Vec& q, const Vec& u, Vec& h) {
  const InPhase phase(execution_, Phase::evaluate);
  start_with_constant_forces(system_, constant_forces_, h);
  if (formulas_) {
    formulas_->forces(t, gather(q, system_.formula_q(), formula_q_), gather(u, system_.formula_u(), formula_u_),
                      formula_h_.data(), formula_);
    for (size_t i = 0; i < formula_h_.size(); ++i) h[system_.formula_u()[i]] += formula_h_[i];
  }
  add_body_forces(t, q, u, h);
  add_applied_forces(h);
}

void Evaluator::mass_and_forces(double t, const Vec& q, const Vec& u, BlockMatrix& M, Vec& h) {
  const InPhase phase(execution_, Phase::evaluate);
  // without bodies the formulas are the whole system
  if (double* entries = system_.bodies().empty() ? M.whole() : nullptr) {
    h.resize(system_.u_size());
    formulas_->mass_and_forces(t, q.data(), u.data(), entries, h.data(), formula_);
    return add_applied_forces(h);
  }
  M.set_zero();
  start_with_constant_forces(system_, constant_forces_, h);
  add_formula_mass(t, q, &u, &h, M);
  add_body_mass(M);
  add_body_forces(t, q, u, h);
  add_applied_forces(h);
}

void Evaluator::add_formula_mass(double t, const Vec& q, const Vec* u, Vec* h, BlockMatrix& M) {
  if (!formulas_) return;
  const double* q_own = gather(q, system_.formula_q(), formula_q_);
  formula_M_.resize(numbers_of(formulas_->mass_entries()));
  if (h) {
    formulas_->mass_and_forces(t, q_own, gather(*u, system_.formula_u(), formula_u_), formula_M_.data(),
                               formula_h_.data(), formula_);
    for (size_t i = 0; i < formula_h_.size(); ++i) (*h)[system_.formula_u()[i]] += formula_h_[i];
  } else {
    formulas_->mass(t, q_own, formula_M_.data(), formula_);
  }
  if (!formulas_->has_all_entries()) return add_entries(formulas_->mass_entries(), formula_M_, 1.0, M);
  const int n = static_cast<int>(formula_q_.size()),
            own = static_cast<int>(system_.model().formulas.coordinates.size());
  M.add_range(0, own, formula_M_.data(), n, 1.0);
}

size_t Evaluator::numbers_of(std::span<const MatrixEntry> entries) const {
  return formulas_->has_all_entries() ? formula_q_.size() * formula_q_.size() : entries.size();
}

void Evaluator::add_entries(std::span<const MatrixEntry> entries, const std::vector<double>& values, double factor,
                            BlockMatrix& A) const {
  for (size_t k = 0; k < entries.size(); ++k)
    A.add(system_.formula_u()[entries[k].row], system_.formula_u()[entries[k].column], factor * values[k]);
}

// Computes formula_K_ = ∂h/∂q and formula_C_ = ∂h/∂u. Returns false if both vanish.
bool Evaluator::derive_formula_forces(double t, const Vec& q, const Vec& u) {
  if (!formulas_ || !(formulas_->forces_depend_on_q() || formulas_->forces_depend_on_u())) return false;
  formula_K_.resize(numbers_of(formulas_->stiffness_entries()));
  formula_C_.resize(numbers_of(formulas_->damping_entries()));
  formulas_->force_derivatives(t, gather(q, system_.formula_q(), formula_q_),
                               gather(u, system_.formula_u(), formula_u_), formula_K_.data(), formula_C_.data(),
                               formula_);
  return true;
}

void Evaluator::add_force_derivatives(double t, const Vec& q, const Vec& u, double by_q, double by_u, BlockMatrix& A) {
  if (derive_formula_forces(t, q, u)) add_formula_forces(by_q, by_u, A);
  add_body_force_derivatives(t, q, u, by_q, by_u, A);
  add_state_force_derivatives(t, q, u, by_q, by_u, A);
}

void Evaluator::add_definite_force_derivatives(double t, const Vec& q, const Vec& u, double by_q, double by_u,
                                               BlockMatrix& A) {
  if (derive_formula_forces(t, q, u)) {
    const int n = static_cast<int>(formula_q_.size());
    if (!formulas_->has_all_entries())
      throw std::invalid_argument(fmt::format(
          "derivatives of forces are only made definite for at most {} coordinates, not for {}: force_jacobian: exact",
          FormulaMechanics::most_dense, n));
    eigenvectors_.resize(2 * n * n);
    dense::make_negative(formula_K_.data(), n, false, eigenvectors_.data());
    dense::make_negative(formula_C_.data(), n, true, eigenvectors_.data());
    add_formula_forces(by_q, by_u, A);
  }
  add_definite_body_force_derivatives(t, q, u, by_q, by_u, A);
  add_definite_state_force_derivatives(t, q, u, by_q, by_u, A);
}

void Evaluator::add_formula_forces(double by_q, double by_u, BlockMatrix& A) {
  if (!formulas_->has_all_entries()) {
    if (by_q != 0.0) add_entries(formulas_->stiffness_entries(), formula_K_, by_q, A);
    if (by_u != 0.0) add_entries(formulas_->damping_entries(), formula_C_, by_u, A);
    return;
  }
  for (size_t k = 0; k < formula_K_.size(); ++k) formula_K_[k] = by_q * formula_K_[k] + by_u * formula_C_[k];
  add_formula_matrix(1.0, A);
}

void Evaluator::add_mass_derivative(double t, const Vec& q, const Vec& a, double factor, BlockMatrix& A) {
  if (!formulas_ || !formulas_->mass_depends_on_q()) return;
  formula_K_.resize(numbers_of(formulas_->mass_derivative_entries()));
  formulas_->mass_times_derivative(t, gather(q, system_.formula_q(), formula_q_),
                                   gather(a, system_.formula_u(), formula_a_), formula_K_.data(), formula_);
  if (!formulas_->has_all_entries()) return add_entries(formulas_->mass_derivative_entries(), formula_K_, factor, A);
  add_formula_matrix(factor, A);
}

// formula_K_, over the formulas' variables
void Evaluator::add_formula_matrix(double factor, BlockMatrix& A) const {
  const int n = static_cast<int>(formula_q_.size());
  if (system_.formulas_in_place()) return A.add_range(0, n, formula_K_.data(), n, factor);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) A.add(system_.formula_u()[i], system_.formula_u()[j], factor * formula_K_[j * n + i]);
}

Energy Evaluator::energy(double t, const Vec& q, const Vec& u) {
  Energy energy;
  if (formulas_) {
    const double* q_own = gather(q, system_.formula_q(), formula_q_);
    energy.kinetic += formulas_->kinetic(t, q_own, gather(u, system_.formula_u(), formula_u_), formula_);
    energy.potential += formulas_->potential(t, q_own, formula_);
  }
  add_body_energy(t, q, u, energy);
  return energy;
}

}  // namespace tappet
