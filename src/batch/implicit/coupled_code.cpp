// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
//
// The linear system in each iteration of ggl-unified (steppers/ggl/coupled_newton.h):
//   M^ du = r + W'P - B (G'T - s),   dq = a du + G'T - s,   a = dt/2,
//   xi + (W_1 + a L) du + L (G'T - s) = 0 and g + G_1 dq = 0 for joints,
// with B = -a F_q - (W'P)_q/2, M^ = M - a F_u + a B, L = (W u)_q. W, G, F are those of the middle of the step, W_1, G_1
// and L those of its end. T are the multipliers of positions.
#include <fmt/format.h>

#include "batch/equations/recorded_algebra.h"
#include "batch/equations/recorded_elimination.h"
#include "batch/implicit/implicit_code.h"

namespace tappet {

namespace {

using Nodes = std::vector<Node>;

CodeWriter::Outputs outputs(const std::string& name, const Nodes& nodes) {
  CodeWriter::Outputs list;
  for (size_t i = 0; i < nodes.size(); ++i) list.emplace_back(fmt::format("{}[{}]", name, i), nodes[i]);
  return list;
}

void append(CodeWriter::Outputs& to, const CodeWriter::Outputs& more) { to.insert(to.end(), more.begin(), more.end()); }

}  // namespace

void ImplicitCode::coupled_step() {
  const size_t q_size = motion_.q.size();
  const Node a = number("a"), t_m = number("t_m"), t_1 = number("t_1"), zero = graph_.constant(0.0);
  const Nodes q_M = array("q_M", q_size), q_m = array("q_m", q_size), u_m = array("u_m", n_);
  const Nodes q_1 = array("q_1", q_size), v = array("v", n_), x = array("x", n_), s = array("s", n_);
  const Place start = place(t_m, q_M), middle = place(t_m, q_m, u_m), end = place(t_1, q_1, v);
  const int joints = static_cast<int>(motion_.joints.size());
  const Nodes P_J = array("P_J", joints), T_J = array("T_J", joints), T = array("T", motion_.contacts.size());
  const auto times = [&](const std::vector<Nodes>& A, const Nodes& y) {
    Nodes out;
    for (const Nodes& row : A) out.push_back(dot(graph_, row, y));
    return out;
  };
  const auto plus = [&](Nodes y, const Nodes& more, double factor) {
    for (size_t i = 0; i < y.size(); ++i) y[i] = graph_.add(y[i], graph_.multiply(graph_.constant(factor), more[i]));
    return y;
  };

  const auto scaled = [&](Node factor, Nodes y) {
    for (Node& node : y) node = graph_.multiply(factor, node);
    return y;
  };

  // Rows: joints, then contacts, and those of them that have a position: joints, then gaps.
  std::vector<RecordedRow> rows = motion_.joints;
  rows.insert(rows.end(), contacts_.begin(), contacts_.end());
  std::vector<int> positions;
  for (int r = 0; r < joints; ++r)
    if (rows[r].value >= 0) positions.push_back(r);
  const int held_positions = static_cast<int>(positions.size());
  for (size_t k = 0; k < motion_.contacts.size(); ++k) positions.push_back(joints + static_cast<int>(k) * e_.stride);
  const auto W = at(middle, rows), W_1 = at(end, rows);
  std::vector<Nodes> L;
  for (const RecordedRow& row : rows)
    L.push_back(at(end, gradient(graph_.add(dot(graph_, row.W, motion_.u), row.chi))));

  const Nodes F = at(middle, motion_.h);
  Nodes M = at(start, motion_.M), momentum, force;
  for (int i = 0; i < n_; ++i) {
    Nodes row;
    for (int j = 0; j < n_; ++j) row.push_back(M[j * n_ + i]);
    momentum.push_back(dot(graph_, row, x));
    force.push_back(graph_.multiply(graph_.multiply(graph_.constant(2.0), a), F[i]));
  }

  const std::string places =
      "const Parameters& p, Real a, Real t_m, const Real* q_M, const Real* q_m, const Real* u_m, Real t_1, "
      "const Real* q_1, const Real* x, const Real* v, const Real* s, const Real* P_J, const Real* P, const Real* T_J, "
      "const Real* T";
  for (const bool touching : {false, true}) {
    if (touching && motion_.contacts.empty()) {  // it is never called
      for (const char* rest : {"balance({}, Real*, Real*, Real*, Real*, Real*, Real*, Real*)",
                               "solve({}, Real*, Real*, Real*, Real*, Real*)",
                               "responses({}, Real*, Real (*)[coupled_space], Real (*)[velocity_space], "
                               "Real (*)[joint_space], Real (*)[joint_space], Real (*)[velocity_space])"})
        add("void touching_" + fmt::format(fmt::runtime(rest), places), {});
      break;
    }
    const std::string name = touching ? "touching" : "free";
    // Momentum, and the rows of joints at the end.
    Nodes impulses = P_J;
    if (touching) impulses.insert(impulses.end(), e_.P.begin(), e_.P.end());
    Nodes own_push = zero_, pushed = zero_;  // at the middle, and as formulas of q
    for (size_t r = 0; r < impulses.size(); ++r)
      for (int i = 0; i < n_; ++i) {
        own_push[i] = graph_.add(own_push[i], graph_.multiply(W[r].W[i], impulses[r]));
        pushed[i] = graph_.add(pushed[i], graph_.multiply(rows[r].W[i], impulses[r]));
      }
    const size_t judged = touching ? rows.size() : joints;
    Nodes xi, terms, g;
    for (size_t r = 0; r < judged; ++r) {
      xi.push_back(graph_.add(dot(graph_, W_1[r].W, v), W_1[r].chi));
      Node sum = zero;
      for (int i = 0; i < n_; ++i)
        sum = graph_.add(sum, graph_.unary(Operation::abs, graph_.multiply(W_1[r].W[i], v[i])));
      terms.push_back(sum);
    }
    const int placed = touching ? static_cast<int>(positions.size()) : held_positions;
    for (int k = 0; k < placed; ++k) g.push_back(W_1[positions[k]].value);
    CodeWriter::Outputs out = outputs("momentum", momentum);
    append(out, outputs("force", force));
    append(out, outputs("push", own_push));
    append(out, outputs("xi", xi)), append(out, outputs("terms", terms)), append(out, outputs("g", g));
    Nodes turned = zero_;  // the shift that the multipliers mean at this place
    for (int k = 0; k < placed; ++k)
      turned = plus(turned, scaled(k < held_positions ? T_J[k] : T[k - held_positions], W[positions[k]].W), 1.0);
    append(out, outputs("turned", turned));
    add(fmt::format("void {}_balance({}, Real* momentum, Real* force, Real* push, Real* xi, Real* terms, Real* g, "
                    "Real* turned)",
                    name, places),
        out);

    // The system.
    std::vector<Nodes> B(n_, Nodes(n_));
    const int size = n_ + joints + held_positions;
    RecordedElimination::Rows A(size);
    std::vector<int> group(size, 0);
    for (int i = 0; i < n_; ++i)
      for (int j = 0; j < n_; ++j) {
        const Nodes k =
            at(middle, {along(motion_.h[i], j), graph_.derivative(motion_.h[i], motion_.u[j]), along(pushed[i], j)});
        B[i][j] = graph_.negate(graph_.add(graph_.multiply(a, k[0]), graph_.multiply(graph_.constant(0.5), k[2])));
        A[i][j] = graph_.add(M[j * n_ + i], graph_.multiply(a, graph_.subtract(B[i][j], k[1])));
      }
    for (int r = 0; r < joints; ++r) {
      group[n_ + r] = 1;
      for (int i = 0; i < n_; ++i) {
        A[i][n_ + r] = graph_.negate(W[r].W[i]);
        A[n_ + r][i] = graph_.add(W_1[r].W[i], graph_.multiply(a, L[r][i]));
      }
    }
    for (int k = 0; k < held_positions; ++k) {
      const int at_k = n_ + joints + k;
      const Nodes& direction = W[positions[k]].W;
      const Nodes bent = times(B, direction);
      group[at_k] = 1;
      for (int i = 0; i < n_; ++i) {
        A[i][at_k] = bent[i];
        A[at_k][i] = graph_.multiply(a, W_1[positions[k]].W[i]);
      }
      for (int r = 0; r < joints; ++r) A[n_ + r][at_k] = dot(graph_, L[r], direction);
      for (int l = 0; l < held_positions; ++l) A[n_ + joints + l][at_k] = dot(graph_, W_1[positions[l]].W, direction);
    }
    RecordedElimination::Rows alone(n_);
    for (int i = 0; i < n_; ++i)
      for (int j = 0; j < n_; ++j) alone[i][j] = A[i][j];
    const RecordedElimination matrix(graph_, std::move(A), group),
        masses(graph_, std::move(alone), std::vector<int>(n_, 0));

    const Nodes shifted = times(B, s);
    Nodes side;
    for (int i = 0; i < n_; ++i) side.push_back(graph_.add(graph_.subtract(force[i], momentum[i]), shifted[i]));
    for (int r = 0; r < joints; ++r) side.push_back(graph_.subtract(dot(graph_, L[r], s), xi[r]));
    for (int k = 0; k < held_positions; ++k) side.push_back(graph_.subtract(dot(graph_, W_1[positions[k]].W, s), g[k]));
    const auto shift_of = [&](const Nodes& solution) {
      Nodes shift = zero_;
      for (int k = 0; k < held_positions; ++k)
        for (int i = 0; i < n_; ++i)
          shift[i] = graph_.add(shift[i], graph_.multiply(W[positions[k]].W[i], solution[n_ + joints + k]));
      return shift;
    };
    const Nodes free = matrix.solve(side);
    const Nodes du(free.begin(), free.begin() + n_), to_J(free.begin() + n_, free.begin() + n_ + joints);
    const Nodes shift = shift_of(free);
    out = outputs("du", du);
    append(out, outputs("to_J", to_J)), append(out, outputs("to_T", {free.begin() + n_ + joints, free.end()}));
    append(out, outputs("shift", shift));
    // The rates of joints if nothing held them. Newton's method compares errors of rates with them.
    const Nodes loose = masses.solve({side.begin(), side.begin() + n_});
    Nodes loose_rates;
    for (int r = 0; r < joints; ++r) {
      Node sum = graph_.subtract(xi[r], dot(graph_, L[r], s));
      for (int i = 0; i < n_; ++i)
        sum = graph_.add(sum, graph_.multiply(graph_.add(W_1[r].W[i], graph_.multiply(a, L[r][i])), loose[i]));
      loose_rates.push_back(sum);
    }
    append(out, outputs("loose", loose_rates));
    add(fmt::format("void {}_solve({}, Real* du, Real* to_J, Real* to_T, Real* shift, Real* loose)", name, places),
        out);
    if (!touching) continue;

    // What contacts add: the response to each of their impulses and multipliers, and the rows that they see.
    const int velocity_rows = static_cast<int>(contacts_.size()),
              gaps = static_cast<int>(positions.size()) - held_positions;
    out.clear();
    const auto seen = [&](int row, const Nodes& moved, const Nodes& shifted_by) {
      if (row < velocity_rows) {
        const int r = joints + row;
        Node sum = dot(graph_, L[r], shifted_by);
        for (int i = 0; i < n_; ++i)
          sum = graph_.add(sum, graph_.multiply(graph_.add(W_1[r].W[i], graph_.multiply(a, L[r][i])), moved[i]));
        return sum;
      }
      const Nodes& direction = W_1[positions[held_positions + row - velocity_rows]].W;
      return graph_.add(graph_.multiply(a, dot(graph_, direction, moved)), dot(graph_, direction, shifted_by));
    };
    const Nodes moved_by = plus(shift, s, -1.0);
    for (int row = 0; row < velocity_rows + gaps; ++row) {
      const Node now = row < velocity_rows ? xi[joints + row] : g[held_positions + row - velocity_rows];
      out.emplace_back(fmt::format("c[{}]", row), graph_.add(now, seen(row, du, moved_by)));
    }
    for (int column = 0; column < velocity_rows + gaps; ++column) {
      const bool position = column >= velocity_rows;
      const Nodes& direction = W[position ? positions[held_positions + column - velocity_rows] : joints + column].W;
      Nodes unit = position ? plus(zero_, times(B, direction), -1.0) : direction;
      for (int r = 0; r < joints; ++r) unit.push_back(position ? graph_.negate(dot(graph_, L[r], direction)) : zero);
      for (int k = 0; k < held_positions; ++k)
        unit.push_back(position ? graph_.negate(dot(graph_, W_1[positions[k]].W, direction)) : zero);
      const Nodes found = matrix.solve(unit);
      const Nodes moved(found.begin(), found.begin() + n_);
      Nodes by = shift_of(found);
      if (position) by = plus(by, direction, 1.0);
      append(out, outputs(fmt::format("X[{}]", column), moved));
      append(out, outputs(fmt::format("Y[{}]", column), {found.begin() + n_, found.begin() + n_ + joints}));
      append(out, outputs(fmt::format("V[{}]", column), {found.begin() + n_ + joints, found.end()}));
      append(out, outputs(fmt::format("Z[{}]", column), by));
      for (int row = 0; row < velocity_rows + gaps; ++row)
        out.emplace_back(fmt::format("G[{}][{}]", row, column), seen(row, moved, by));
    }
    add(fmt::format("void touching_responses({}, Real* c, Real (*G)[coupled_space], Real (*X)[velocity_space], "
                    "Real (*Y)[joint_space], Real (*V)[joint_space], Real (*Z)[velocity_space])",
                    places),
        out);
  }
  constants_ += fmt::format(
      "constexpr int held_positions = {}, coupled_rows = {}, coupled_space = no_less_than_one(coupled_rows);\n",
      held_positions, contacts_.size() + motion_.contacts.size());
}

}  // namespace tappet
