// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
// Coordinates of joints that are part of the state, and what limits and friction of joints become: contacts.
#include <Eigen/Dense>

#include "system/evaluator.h"
#include "system/system.h"

namespace tappet {

// Coordinates of joints come after those of all bodies, and pads come last.
void System::lay_out_measured_joints() {
  Vec &q = initial_.q, &u = initial_.u;
  for (int j = 0; j < static_cast<int>(model_.joints.size()); ++j) {
    if (!model_.joints[j].actions.measured) continue;
    MeasuredJoint joint;
    joint.joint = j, joint.q = q.size();
    attach(model_.joints[j].bodies, joint);
    q.resize(q.size() + 1);
    q[joint.q] = 0.0;
    measured_.push_back(std::move(joint));
  }
  for (const MeasuredJoint& joint : measured_) {
    const JointActions& actions = model_.joints[joint.joint].actions;
    if (actions.friction == 0.0) continue;
    pads_.push_back({q.size(), u.size(), 1.0, actions.friction});
    q.resize(q.size() + 1), u.resize(u.size() + 1);
    q[q.size() - 1] = u[u.size() - 1] = 0.0;
  }
}

// The mass of a pad is the inertia along the coordinate of its joint at the start, so that both rows of the friction
// have the same size: 1/(w M⁻¹ wᵀ) for the direction w of the coordinate, while the other joints hold. If they leave no
// motion along w, or if there are very many of them, they are not considered.
void System::weigh_pads() {
  if (pads_.empty()) return;
  constexpr int most_rows = 600, most_velocities = 3000;
  constexpr double held = 1e-9;
  const ContactList named(*this);
  Evaluator evaluate(named);
  ContactSet set;
  for (const MeasuredJoint& joint : measured_)
    if (joint.friction >= 0) set.push_back(joint.friction);
  BlockRows W;
  Vec chi, row(u_size_);
  evaluate.directions(initial_.t, initial_.q, set, W, chi);
  BlockMatrix M = mass_matrix();
  evaluate.mass(initial_.t, initial_.q, M);
  M.factor();
  const int joints = joint_rows_ <= most_rows && u_size_ <= most_velocities ? joint_rows_ : 0,
            pads = static_cast<int>(pads_.size());
  Eigen::MatrixXd rows = Eigen::MatrixXd::Zero(joints + pads, u_size_), responses = rows;
  const auto put = [&](int block, int r, int to) {
    const auto columns = W.columns(block);
    for (size_t c = 0; c < columns.size(); ++c) rows(to, columns[c]) += W.values(block)[r * columns.size() + c];
    for (int i = 0; i < u_size_; ++i) row[i] = rows(to, i);
    M.solve(row);
    for (int i = 0; i < u_size_; ++i) responses(to, i) = row[i];
  };
  const int joint_blocks = static_cast<int>(joints_.size());
  for (int j = 0; j < joint_blocks && joints > 0; ++j)
    for (int r = 0; r < joints_[j].rows; ++r) put(j, r, joints_[j].row + r);
  for (int p = 0; p < pads; ++p) put(joint_blocks + p, 1, joints + p);
  const Eigen::MatrixXd G = rows * responses.transpose();
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> hold;
  if (joints > 0) hold.compute(G.topLeftCorner(joints, joints));
  for (int p = 0; p < pads; ++p) {
    const double free = G(joints + p, joints + p);
    double mobility = free;
    if (joints > 0) mobility -= G.col(joints + p).head(joints).dot(hold.solve(G.col(joints + p).head(joints)));
    pads_[p].mass = 1.0 / (mobility > held * free ? mobility : free);
  }
}

double System::joint_position(const MeasuredJoint& joint, const Vec& q) const {
  const Pair at = pair_at(joint, q);
  return coordinate(joint).near(coordinate(joint).position(at.A, at.B), q[joint.q]);
}

double System::joint_speed(const MeasuredJoint& joint, const Vec& q, const Vec& u) const {
  double W[pair_size], chi, speed = 0.0;
  directions(coordinate(joint), pair_at(joint, q), W, &chi);
  for (size_t c = 0; c < joint.columns.size(); ++c) speed += W[joint.component[c]] * u[joint.columns[c]];
  return speed;
}

// The displacement w says how far a joint has turned about its axis, which has the same direction in the frames of both
// bodies before and after. So whole turns are counted at any speed.
void System::count_turns(const Vec& q, const Vec& w, Vec& q1) const {
  for (const MeasuredJoint& joint : measured_) {
    const JointCoordinate& own = coordinate(joint);
    const Vec3d axis[2] = {-1.0 * own.attached.triad_A.z, own.attached.triad_B.z};
    double near = q[joint.q];
    for (size_t c = 0; c < joint.columns.size() && own.counts_turns(); ++c) {
      const int component = joint.component[c];
      if (component % 6 >= 3) near += axis[component / 6][component % 6 - 3] * w[joint.columns[c]];
    }
    const Pair at = pair_at(joint, q1);
    q1[joint.q] = own.near(own.position(at.A, at.B), near);
  }
  for (const Pad& pad : pads_) q1[pad.q] = w[pad.u];
}

void System::compile_measured_joints() {
  for (int k = 0; k < static_cast<int>(measured_.size()); ++k) {
    if (model_.joints[measured_[k].joint].actions.limits) add_stops(k);
    if (model_.joints[measured_[k].joint].actions.friction > 0.0) add_friction(k);
  }
  named_rows_ = joint_rows_;
  for (Contact& contact : named_contacts_) {
    contact.row = named_rows_;
    named_rows_ += contact.rows;
  }
}

void System::add_stops(int measured) {
  const JointEntry& entry = model_.joints[measured_[measured].joint];
  for (const double sign : {1.0, -1.0}) {
    Contact contact;
    contact.details = details(entry.name + (sign > 0.0 ? ".from" : ".to"), entry.place);
    contact.law = &entry.actions.stop;
    contact.source = Constraint::Source::joint_stop, contact.index = static_cast<int>(stops_.size());
    contact.rows = 1;
    attach(entry.bodies, contact);
    JointStop stop;
    static_cast<JointCoordinate&>(stop) = entry.actions.coordinate;
    stop.sign = sign, stop.bound = sign > 0.0 ? entry.actions.limits->from : entry.actions.limits->to;
    stops_.push_back({stop, measured});
    named_contacts_.push_back(std::move(contact));
  }
}

void System::add_friction(int measured) {
  const JointEntry& entry = model_.joints[measured_[measured].joint];
  Contact contact;
  contact.details = details(entry.name + ".friction", entry.place);
  contact.law = &entry.actions.dry;
  contact.source = Constraint::Source::joint_friction, contact.index = static_cast<int>(frictions_.size());
  contact.rows = 2;
  attach(entry.bodies, contact);
  const int pad = static_cast<int>(frictions_.size());
  contact.columns.push_back(pads_[pad].u);
  contact.component.push_back(PairLayout::no_component);
  JointFriction friction;
  static_cast<JointCoordinate&>(friction) = entry.actions.coordinate;
  frictions_.push_back({friction, pad});
  measured_[measured].friction = static_cast<int>(named_contacts_.size());
  named_contacts_.push_back(std::move(contact));
}

}  // namespace tappet
