// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "record/recorder.h"

namespace tappet {

namespace {

// The columns of `steps`.
enum StepColumn { step_dt, step_residual, step_iterations, step_status, step_columns };

void append(const Vec& from, RecordedTable& to) {
  if (to.columns() > 0) std::copy_n(from.begin(), to.columns(), to.append());
}

void append(const std::vector<int>& places, const Vec& from, RecordedTable& to) {
  if (places.empty()) return;
  double* row = to.append();
  for (size_t i = 0; i < places.size(); ++i) row[i] = from[places[i]];
}

}  // namespace

Recorded::Recorded(const Layout& layout, const std::vector<std::string>& only) : t(1), layout_(layout), only_(only) {
  check_names_to_record(only, layout);
  if (keeps("q")) q = RecordedTable(layout.q_size);
  if (keeps("u")) u = RecordedTable(layout.u_size);
  if (keeps("energy")) energy = RecordedTable(2);
  if (layout.colliders && keeps("found")) found = RecordedTable(2);
  steps = RecordedTable(step_columns);
  choose_contacts();
  choose_joints();
}

bool Recorded::keeps(const std::string& group, const std::string& name) const {
  return only_.empty() || std::any_of(only_.begin(), only_.end(), [&](const std::string& kept) {
           return kept == group || (!name.empty() && kept == name);
         });
}

void Recorded::choose_contacts() {
  for (size_t k = 0; k < layout_.contacts.size(); ++k) {
    const auto& [name, row, rows] = layout_.contacts[k];
    const bool kept = keeps("contacts", name);
    place_of_contact_.push_back(kept ? static_cast<int>(normal_.size()) : -1);
    friction_of_contact_.push_back(static_cast<int>(friction_.size()));
    if (!kept) continue;
    normal_.push_back(static_cast<int>(k));
    for (int r = row; r < row + rows; ++r) friction_.push_back(r);
  }
  for (RecordedTable* table : {&gap, &gap_velocity, &P_N, &lambda_N, &Lambda_N})
    *table = RecordedTable(static_cast<int>(normal_.size()));
  for (RecordedTable* table : {&slip_velocity, &P_F, &lambda_F, &Lambda_F})
    *table = RecordedTable(static_cast<int>(friction_.size()));
}

void Recorded::choose_joints() {
  int kept_joints = 0;
  for (const auto& [name, row, rows] : layout_.joints) {
    const bool kept = keeps("joints", name);
    place_of_joint_.push_back(kept ? kept_joints++ : -1);
    row_of_joint_.push_back(static_cast<int>(joint_.size()));
    for (int r = row; kept && r < row + rows; ++r) joint_.push_back(r);
  }
  for (RecordedTable* table : {&joint_residual, &joint_impulse})
    *table = RecordedTable(static_cast<int>(joint_.size()));
  constexpr int numbers = Layout::MeasuredJoint::numbers;
  for (int k = 0; k < static_cast<int>(layout_.measured.size()); ++k) {
    const bool kept = keeps("joints", layout_.measured[k].name);
    column_of_motion_.push_back(kept ? static_cast<int>(motion_.size()) : -1);
    for (int i = 0; kept && i < numbers; ++i) motion_.push_back(numbers * k + i);
  }
  joint_motion = RecordedTable(static_cast<int>(motion_.size()));
}

// A table of forces begins with the first force that is not zero. Schemes that do not separate forces from impacts thus
// take no memory for them.
void Recorded::append_forces(const std::vector<int>& places, const Vec& from, RecordedTable& to) {
  if (to.rows() == 0 && std::none_of(places.begin(), places.end(), [&](int i) { return from[i] != 0.0; })) return;
  if (to.rows() == 0) to.append_zeros(t.rows() - 1);
  append(places, from, to);
}

void Recorded::record(const Sample& sample) {
  *t.append() = sample.t;
  append(sample.q, q), append(sample.u, u);
  if (energy.columns() > 0) {
    double* row = energy.append();
    row[0] = sample.kinetic, row[1] = sample.potential;
  }
  append(normal_, sample.gap, gap), append(normal_, sample.gap_velocity, gap_velocity);
  append(normal_, sample.P_N, P_N);
  append(friction_, sample.slip_velocity, slip_velocity), append(friction_, sample.P_F, P_F);
  append_forces(normal_, sample.lambda_N, lambda_N), append_forces(normal_, sample.Lambda_N, Lambda_N);
  append_forces(friction_, sample.lambda_F, lambda_F), append_forces(friction_, sample.Lambda_F, Lambda_F);
  append(joint_, sample.joint_residual, joint_residual), append(joint_, sample.joint_impulse, joint_impulse);
  append(motion_, sample.joint_motion, joint_motion);
  double* step = steps.append();
  step[step_dt] = sample.dt, step[step_residual] = sample.residual;
  step[step_iterations] = sample.iterations, step[step_status] = static_cast<double>(sample.status);
  if (found.columns() > 0) {
    double* row = found.append();
    row[0] = sample.found, row[1] = sample.penetration;
  }
  if (!layout_.found_one_by_one) return;
  first_touching.push_back(static_cast<long>(touching.size()));
  touching.insert(touching.end(), sample.touching.begin(), sample.touching.end());
}

void Recorded::close() {
  for (RecordedTable* table :
       {&t, &q, &u, &energy, &gap, &gap_velocity, &P_N, &lambda_N, &Lambda_N, &slip_velocity, &P_F, &lambda_F,
        &Lambda_F, &joint_residual, &joint_impulse, &joint_motion, &steps, &found})
    table->release_spare();
}

void Recorded::restore(const std::vector<int>& places, const RecordedTable& from, long k, Vec& to) const {
  to.set_zero();
  if (from.rows() == 0) return;
  for (size_t i = 0; i < places.size(); ++i) to[places[i]] = from(k, static_cast<int>(i));
}

void Recorded::restore(long k, Sample& s) const {
  s.t = t(k);
  if (q.columns() > 0) std::copy_n(q.row(k).begin(), q.columns(), s.q.begin());
  if (u.columns() > 0) std::copy_n(u.row(k).begin(), u.columns(), s.u.begin());
  if (energy.columns() > 0) s.kinetic = energy(k, 0), s.potential = energy(k, 1);
  restore(normal_, gap, k, s.gap), restore(normal_, gap_velocity, k, s.gap_velocity), restore(normal_, P_N, k, s.P_N);
  restore(normal_, lambda_N, k, s.lambda_N), restore(normal_, Lambda_N, k, s.Lambda_N);
  restore(friction_, slip_velocity, k, s.slip_velocity), restore(friction_, P_F, k, s.P_F);
  restore(friction_, lambda_F, k, s.lambda_F), restore(friction_, Lambda_F, k, s.Lambda_F);
  restore(joint_, joint_residual, k, s.joint_residual), restore(joint_, joint_impulse, k, s.joint_impulse);
  restore(motion_, joint_motion, k, s.joint_motion);
  s.dt = steps(k, step_dt), s.residual = steps(k, step_residual);
  s.iterations = static_cast<int>(steps(k, step_iterations));
  s.status = static_cast<SolveStatus>(static_cast<int>(steps(k, step_status)));
  if (found.columns() > 0) s.found = found(k, 0), s.penetration = found(k, 1);
  if (!layout_.found_one_by_one) return;
  const long end = k + 1 < samples() ? first_touching[k + 1] : static_cast<long>(touching.size());
  s.touching.assign(touching.begin() + first_touching[k], touching.begin() + end);
}

void Recorded::replay(Recorder& to) const {
  Sample sample(layout_);
  for (long k = 0; k < samples(); ++k) {
    restore(k, sample);
    to.record(sample);
  }
  for (const RecordedEvent& one : events) to.event(one);
  to.force_derivatives(derivatives);
}

}  // namespace tappet
