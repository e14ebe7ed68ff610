// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
// The state from which runs start: where it comes from, and whether joints, contacts and velocities agree with it.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "problem/joints/joint_elimination.h"
#include "system/evaluator.h"
#include "system/project_start.h"
#include "system/system.h"

namespace tappet {

void System::start() {
  warnings_ = model_.warnings;
  take_start();
  check_initial_state();
  warn_of_redundant_joints();
}

void System::take_start() {
  if (model_.start) {
    const StartState& start = *model_.start;
    initial_.t = start.t;
    std::copy(start.q.begin(), start.q.end(), initial_.q.begin());
    std::copy(start.u.begin(), start.u.end(), initial_.u.begin());
  }
  if (model_.run.project_start <= 0.0) return;
  if (std::string moved = project_start(*this, model_.run.project_start, initial_); !moved.empty())
    warnings_.push_back(std::move(moved));
}

namespace {

// The largest acceleration [m/s²] that the forces give a point of a planar body at the start, if nothing holds it. The
// search for contacts must reach as far as a body moves in a step from rest, also if a spring drives it and no weight.
double acceleration_at_start(const System& system, Evaluator& evaluate) {
  const auto& [t, q, u] = system.initial();
  Vec h;
  evaluate.forces(t, q, u, h);
  double largest = 0.0;
  for (size_t b = 0; b < system.bodies().size(); ++b) {
    const auto* body = std::get_if<PlanarBody>(&system.model().bodies[b].element);
    if (!body) continue;
    const double* f = h.data() + system.bodies()[b].u;
    double extent = 0.0;
    for (const ColliderEntry& entry : system.model().colliders)
      if (static_cast<int>(b) >= entry.first_body && static_cast<int>(b) < entry.first_body + entry.bodies)
        for (const Collider& collider : entry.shapes)
          extent = std::max(extent, norm(collider.pose.point(collider.shape.mid)) + norm(collider.shape.half));
    largest = std::max(largest, std::hypot(f[0], f[1]) / body->mass + extent * std::abs(f[2]) / body->inertia);
  }
  return largest;
}

bool has_profiles(const Model& model) {
  return std::any_of(model.colliders.begin(), model.colliders.end(),
                     [](const ColliderEntry& c) { return c.shapes[0].shape.kind == Shape::Kind::profile; });
}

}  // namespace

void System::check_initial_state() {
  const ContactList named(*this);
  Evaluator evaluate(named);
  const auto& [t, q, u] = initial_;
  // A run that continues another one may have the violation of that run.
  const double joint_allowed = std::max(consistent, model_.start ? 2.0 * model_.start->joint_violation : 0.0);
  const double gap_allowed = std::max(consistent, model_.start ? 2.0 * model_.start->penetration : 0.0);
  const std::string from = model_.start ? fmt::format(" (from {})", model_.start->from) : "";
  const char* advice = "; `run: {start: project}` or --project-start moves the start onto joints and contacts";
  Vec g, chi, rates(joint_rows_);
  BlockRows W;
  evaluate.joint_residuals(t, q, g);
  evaluate.directions(t, q, {}, W, chi);
  W.multiply(u, rates);
  for (const Constraint& joint : joints_)
    for (int i = joint.row; i < joint.row + joint.rows; ++i) {
      if (!(std::abs(g[i]) <= joint_allowed))
        throw ModelError(model_.file, joint.place(), "joints." + joint.name(),
                         fmt::format("the initial positions{} violate it by {:.3g}; expected at most {:g}{}", from,
                                     std::abs(g[i]), joint_allowed, advice));
      double size = 1.0;
      for (int c : joint.columns) size = std::max(size, std::abs(u[c]));
      const double rate = std::abs(rates[i] + chi[i]);
      if (rate <= consistent * size) continue;
      const std::string found = fmt::format("the initial velocities{} violate it by {:.3g}", from, rate);
      // Schemes that hold joints on position level leave velocities that fulfil the joints only to the order of their
      // step.
      if (model_.start && std::isfinite(rate))
        warnings_.push_back(fmt::format("joints.{}: {}; the first step corrects that", joint.name(), found));
      else
        throw ModelError(model_.file, joint.place(), "joints." + joint.name(),
                         fmt::format("{}; expected at most {:g}{}", found, consistent * size, advice));
    }
  evaluate.gaps(t, q, g);
  // The factor allows for forces that grow during the run.
  if (has_profiles(model_)) largest_gravity_ = std::max(largest_gravity_, 4.0 * acceleration_at_start(*this, evaluate));
  check_initial_overlap();
  for (size_t k = 0; k < named_contacts_.size(); ++k)
    if (!(g[k] >= -gap_allowed))
      throw ModelError(model_.file, named_contacts_[k].place(), "contacts." + named_contacts_[k].name(),
                       fmt::format("the initial gap{} is {:.6g}; expected at least {:g}{}", from, g[k],
                                   gap_allowed > consistent ? -gap_allowed : 0.0, advice));
}

// Elimination shows quickly whether any joint is redundant. Which one it is takes much longer to find out.
void System::warn_of_redundant_joints() {
  constexpr int most_rows = 600;  // with more rows the search would cost more than it is worth
  if (joint_rows_ == 0 || joint_rows_ > most_rows) return;
  const ContactList named(*this);
  Evaluator evaluate(named);
  Vec chi;
  BlockRows W;
  evaluate.directions(initial_.t, initial_.q, {}, W, chi);
  BlockMatrix M = mass_matrix();
  evaluate.mass(initial_.t, initial_.q, M);
  JointElimination joints;
  if (M.factor() && joints.respond(M, W, static_cast<int>(joints_.size())) && joints.factor(W)) return;
  // Gram–Schmidt over the rows, joint by joint.
  std::vector<Eigen::VectorXd> basis;
  for (size_t j = 0; j < joints_.size(); ++j) {
    int dependent = 0;
    for (int r = 0; r < joints_[j].rows; ++r) {
      Eigen::VectorXd row = Eigen::VectorXd::Zero(u_size_);
      const auto columns = W.columns(static_cast<int>(j));
      for (size_t c = 0; c < columns.size(); ++c)
        row[columns[c]] += W.values(static_cast<int>(j))[r * columns.size() + c];
      const double length = row.norm();
      for (int pass = 0; pass < 2; ++pass)
        for (const auto& b : basis) row -= b.dot(row) * b;
      if (row.norm() > 1e-9 * length)
        basis.push_back(row.normalized());
      else
        ++dependent;
    }
    if (dependent > 0)
      warnings_.push_back(fmt::format("joint '{}' is redundant: {} of its {} rows follow from the joints before it",
                                      joints_[j].name(), dependent, joints_[j].rows));
  }
}

}  // namespace tappet
