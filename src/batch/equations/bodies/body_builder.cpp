// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "batch/equations/bodies/body_builder.h"

#include <algorithm>

#include "batch/equations/complete_equations.h"
#include "system/state_names.h"

namespace tappet {

RecordedMotion BodyBuilder::build() {
  for (const Parameter& p : model_.parameters) out_.parameter_names[p.name] = source_.next().node(graph_);
  out_.q_names = q_names(model_), out_.u_names = u_names(model_);
  for (std::string& name : out_.u_names)  // a velocity that is the rate of a position has its name
    if (std::find(out_.q_names.begin(), out_.q_names.end(), name) != out_.q_names.end()) name += "'";
  const int q_size = static_cast<int>(out_.q_names.size()), n = static_cast<int>(out_.u_names.size());
  motion_.t = graph_.input(0);
  for (int i = 0; i < q_size; ++i) motion_.q.push_back(graph_.input(1 + i));
  for (int i = 0; i < n; ++i) motion_.u.push_back(graph_.input(1 + q_size + i));
  M_.resize(n * n);
  forces_.resize(n);
  add_bodies();
  add_measured_joints();
  add_joints();
  add_contacts();
  add_forces();
  motion_.kinetic = kinetic_.node(graph_);
  motion_.potential = potential_.node(graph_);
  for (const Traced& entry : M_) motion_.M.push_back(entry.node(graph_));
  for (const Traced& force : forces_) motion_.h.push_back(force.node(graph_));
  return std::move(motion_);
}

bool BodyBuilder::in_plane(const std::array<Attachment, 2>& bodies) const {
  return std::all_of(bodies.begin(), bodies.end(), [&](const Attachment& a) {
    return a.body < 0 || std::holds_alternative<PlanarBody>(model_.bodies[a.body].element);
  });
}

RecordedRow BodyBuilder::row_of_position(Node position, const std::array<Attachment, 2>& bodies) {
  RecordedRow row{std::vector<Node>(motion_.velocities(), graph_.constant(0.0)),
                  at_rest(graph_.derivative(position, motion_.t)), at_rest(position)};
  for (const Attachment& a : bodies)
    for (int i = 0; i < frame(a).count; ++i)
      row.W[frame(a).first + i] = at_rest(graph_.derivative(position, frame(a).small[i]));
  return row;
}

Node BodyBuilder::at_rest(Node f) {
  std::vector<std::pair<Node, Node>> zeros;
  for (const Moving& body : bodies_)
    for (int i = 0; i < body.count; ++i) zeros.emplace_back(body.small[i], graph_.constant(0.0));
  return graph_.substitute(f, zeros);
}

RecordedRow BodyBuilder::row_of(const Traced& rate, const Traced& chi) {
  RecordedRow row{{}, chi.node(graph_)};
  for (Node u : motion_.u) row.W.push_back(graph_.derivative(rate.node(graph_), u));
  return row;
}

BatchEquations batch_equations(const System& system, const std::vector<KeptParameters::TimeFormula>& times,
                               const BodyNumbers& numbers, const std::vector<bool>& varies) {
  BatchEquations out;
  complete_equations(BodyBuilder(system, times, numbers, varies, out).build(), out);
  return out;
}

}  // namespace tappet
