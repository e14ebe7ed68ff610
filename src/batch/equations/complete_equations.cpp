// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "batch/equations/complete_equations.h"

#include <algorithm>

#include "batch/equations/recorded_algebra.h"

namespace tappet {

namespace {

class Completion {
 public:
  Completion(const RecordedMotion& motion, BatchEquations& out)
      : motion_(motion), out_(out), graph_(out.graph), n_(motion.velocities()) {}

  void complete() {
    out_.t = motion_.t, out_.q = motion_.q, out_.u = motion_.u;
    out_.kinetic = motion_.kinetic, out_.potential = motion_.potential;
    out_.displaced = motion_.displaced;
    const RecordedFactors M(graph_, n_, [&](int i, int j) { return motion_.M[j * n_ + i]; });
    out_.accelerations = M.solve(motion_.h);
    const RecordedJoints held(graph_, M, joints());
    out_.held = held.hold(out_.u);
    contacts();
    respond(graph_, contact_rows(graph_, motion_, out_.stride), M, held, out_);
  }

 private:
  const std::vector<RecordedRow>& joints() {
    for (const RecordedRow& row : motion_.joints) {
      if (row.value >= 0) out_.joint_values.push_back(row.value);
      out_.joint_values.push_back(graph_.add(dot(graph_, row.W, out_.u), row.chi));
    }
    out_.joint_rows = static_cast<int>(motion_.joints.size());
    return motion_.joints;
  }

  void contacts() {
    std::vector<std::pair<Node, Node>> at_start{{out_.t, graph_.constant(0.0)}};
    for (size_t i = 0; i < out_.q.size(); ++i) at_start.emplace_back(out_.q[i], out_.q_start[i]);
    for (size_t k = 0; k < out_.contacts.size(); ++k) {
      auto& contact = out_.contacts[k];
      contact.gap = motion_.contacts[k].gap.value;
      contact.friction = static_cast<int>(motion_.contacts[k].friction.size());
      out_.stride = std::max(out_.stride, 1 + contact.friction);
      const Node size = graph_.unary(Operation::abs, graph_.substitute(contact.gap, at_start));
      const Node touching = graph_.constant(1e-12);
      contact.touching = graph_.select(graph_.less(touching, size), graph_.constant(0.0), touching);
    }
    for (int r = 0; r < out_.rows(); ++r) out_.P.push_back(graph_.input(motion_.slots() + r));
  }

  const RecordedMotion& motion_;
  BatchEquations& out_;
  Graph& graph_;
  const int n_;
};

}  // namespace

void complete_equations(RecordedMotion motion, BatchEquations& out) {
  Completion(motion, out).complete();
  out.motion = std::move(motion);
}

}  // namespace tappet
