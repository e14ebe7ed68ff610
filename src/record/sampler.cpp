// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "record/sampler.h"

#include <fmt/format.h>

#include <numeric>
#include <set>

#include "record/found_names.h"

namespace tappet {

namespace {

// Keeps names as they are. A second one of the same name becomes "name#2".
class UniqueNames {
 public:
  std::string operator()(const std::string& name) {
    std::string unique = name;
    for (int k = 2; !taken_.insert(unique).second; ++k) unique = fmt::format("{}#{}", name, k);
    return unique;
  }

 private:
  std::set<std::string> taken_;
};

// The unit of a coordinate or velocity of a body, by its name in the body.
std::string unit_of(std::string_view name) {
  if (name == "x" || name == "y" || name == "z") return "m";
  if (name == "phi") return "rad";
  if (name.starts_with("v")) return "m/s";
  if (name.starts_with("w")) return "rad/s";
  return "";
}

// Coordinates of formulas have the unit that their author meant.
void units(const System& system, std::vector<std::string>& q, std::vector<std::string>& u) {
  q.assign(system.model().formulas.coordinates.size(), "");
  u = q;
  for (const BodyEntry& body : system.model().bodies)
    std::visit(
        [&](const auto& element) {
          if constexpr (requires { element.velocities; }) {
            for (const std::string_view name : element.coordinates) q.push_back(unit_of(name));
            for (const std::string_view name : element.velocities) u.push_back(unit_of(name));
          } else {  // flexible: displacements of nodes, and their rotations if they have any
            for (int i = 0; i < static_cast<int>(body.coordinates.size()); ++i) {
              const std::string name = element.coordinate(i);
              const bool turns = name.starts_with("alpha") || name.starts_with("beta") || name.starts_with("gamma");
              q.push_back(turns ? "rad" : "m");
              u.push_back(turns ? "rad/s" : "m/s");
            }
          }
        },
        body.element);
  for (const System::MeasuredJoint& joint : system.measured_joints())
    q.push_back(system.coordinate(joint).slides ? "m" : "rad");
  q.resize(q.size() + system.pads().size()), u.resize(u.size() + system.pads().size());
}

}  // namespace

Layout layout_of(const System& system, bool names) {
  Layout layout;
  layout.q_size = system.q_size(), layout.u_size = system.u_size();
  layout.colliders = system.has_colliders();
  layout.found_one_by_one = layout.colliders && system.model().run.record_found;
  if (layout.found_one_by_one && names) layout.found = FoundNames::of(system.model()).names;
  if (names && layout.q_size + layout.u_size <= Layout::most_names) {
    layout.q = system.q_names(), layout.u = system.u_names();
    units(system, layout.q_units, layout.u_units);
  }
  UniqueNames contact_name, joint_name;
  int row = 0;
  for (int k = 0; k < static_cast<int>(system.named_contacts().size()); ++k) {
    const Contact& contact = system.named_contacts()[k];
    layout.contacts.push_back({contact_name(contact.name()), row, contact.rows - 1});
    row += contact.rows - 1;
  }
  for (const Constraint& joint : system.joints())
    layout.joints.push_back({joint_name(joint.name()), joint.row, joint.rows});
  for (const System::MeasuredJoint& joint : system.measured_joints()) {
    const JointEntry& entry = system.model().joints[joint.joint];
    layout.measured.push_back({entry.name, entry.actions.coordinate.slides, joint.friction >= 0, joint.motor >= 0,
                               joint.friction, joint.friction < 0 ? -1 : layout.contacts[joint.friction].row});
  }
  return layout;
}

Sampler::Sampler(const System& system, const SampleParts& parts)
    : system_(system),
      parts_(parts),
      layout_(layout_of(system)),
      named_(system),
      evaluate_(named_),
      all_(system.named_contacts().size()),
      sample_(layout_) {
  std::iota(all_.begin(), all_.end(), 0);
  joint_forces_.resize(system.joint_rows());
}

const Sample& Sampler::sample(const State& state, const StepReport& report, const Impulses& impulses,
                              const FoundSample& found, const ConstraintPositions* known) {
  Sample& s = sample_;
  s.t = state.t;
  std::copy(state.q.begin(), state.q.end(), s.q.begin());
  std::copy(state.u.begin(), state.u.end(), s.u.begin());
  if (parts_.energy) {
    const Energy energy = evaluate_.energy(state.t, state.q, state.u);
    s.kinetic = energy.kinetic, s.potential = energy.potential;
  }
  if (parts_.gaps) positions_of_constraints(known ? *known : evaluated(state));
  if (parts_.velocities) velocities_of_constraints(state);
  if (parts_.impulses) impulses_of_constraints(impulses);
  s.status = report.solve.status, s.iterations = report.solve.iterations, s.residual = report.solve.residual;
  s.dt = report.dt;
  s.newton = report.newton, s.index_sets = report.index_sets, s.projections = report.projections;
  s.closed = report.closed, s.impulsive = report.impulsive;
  s.found = found.count, s.penetration = found.penetration;
  motion_of_joints(state);
  s.touching = found.touching;
  return s;
}

const ConstraintPositions& Sampler::evaluated(const State& state) {
  evaluate_.named_gaps(state.t, state.q, positions_.gaps);
  evaluate_.joint_residuals(state.t, state.q, positions_.joint_residuals);
  return positions_;
}

void Sampler::positions_of_constraints(const ConstraintPositions& positions) {
  Sample& s = sample_;
  std::copy_n(positions.gaps.begin(), s.gap.size(), s.gap.begin());
  const Vec& g = positions.joint_residuals;
  for (const Constraint& joint : system_.joints())
    if (joint.position_level) std::copy_n(g.begin() + joint.row, joint.rows, s.joint_residual.begin() + joint.row);
}

void Sampler::velocities_of_constraints(const State& state) {
  Sample& s = sample_;
  evaluate_.directions(state.t, state.q, all_, W_, chi_);
  gamma_.resize(chi_.size());
  W_.multiply(state.u, gamma_);
  for (int r = 0; r < gamma_.size(); ++r) gamma_[r] += chi_[r];
  split(gamma_, joint_forces_, s.gap_velocity, s.slip_velocity);
  scale_friction(-1, s.slip_velocity);
  for (const Constraint& joint : system_.joints())
    if (!joint.position_level)
      std::copy_n(gamma_.begin() + joint.row, joint.rows, s.joint_residual.begin() + joint.row);
}

void Sampler::impulses_of_constraints(const Impulses& impulses) {
  Sample& s = sample_;
  split(impulses.P, s.joint_impulse, s.P_N, s.P_F);
  split(impulses.lambda, joint_forces_, s.lambda_N, s.lambda_F);
  split(impulses.Lambda, joint_forces_, s.Lambda_N, s.Lambda_F);
  for (Vec* forces : {&s.P_F, &s.lambda_F, &s.Lambda_F}) scale_friction(1, *forces);
}

// Friction is the mean over the step, or the force at its end if the scheme gives it.
void Sampler::motion_of_joints(const State& state) {
  Sample& s = sample_;
  for (size_t k = 0; k < layout_.measured.size(); ++k) {
    const System::MeasuredJoint& joint = system_.measured_joints()[k];
    double* numbers = s.joint_motion.data() + Layout::MeasuredJoint::numbers * k;
    numbers[0] = system_.joint_position(joint, state.q);
    if (parts_.velocities) numbers[1] = system_.joint_speed(joint, state.q, state.u);
    if (const int row = layout_.measured[k].row; row >= 0 && parts_.impulses) {
      const bool separated = s.lambda_N[joint.friction] != 0.0;
      numbers[2] = separated ? s.lambda_F[row] : s.dt > 0.0 ? s.P_F[row] / s.dt : 0.0;
    }
    if (joint.motor >= 0) numbers[3] = evaluate_.state_force(joint.motor, state.t, state.q, state.u);
  }
}

void Sampler::split(const Vec& rows, Vec& joints, Vec& normal, Vec& friction) const {
  if (rows.empty()) {  // not separated by this scheme
    normal.set_zero(), friction.set_zero();
    return;
  }
  std::copy_n(rows.begin(), joints.size(), joints.begin());
  for (size_t k = 0; k < all_.size(); ++k) {
    const Contact& contact = named_[static_cast<int>(k)];
    normal[static_cast<int>(k)] = rows[contact.row];
    std::copy_n(rows.begin() + contact.row + 1, contact.rows - 1, friction.begin() + layout_.contacts[k].row);
  }
}

// Rows of anisotropic friction are scaled so that the friction set is a disc: γ' = s γ, P' = P/s. Results are not
// scaled.
void Sampler::scale_friction(int power, Vec& rows) const {
  for (size_t k = 0; k < all_.size(); ++k)
    for (int r = 0; r < layout_.contacts[k].rows; ++r)
      if (const double s = named_[static_cast<int>(k)].law->scale(r); s > 0 && s != 1)
        rows[layout_.contacts[k].row + r] *= power > 0 ? s : 1 / s;
}

}  // namespace tappet
