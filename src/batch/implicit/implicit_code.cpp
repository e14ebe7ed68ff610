// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "batch/implicit/implicit_code.h"

#include <fmt/format.h>

#include "batch/equations/recorded_algebra.h"
#include "batch/equations/recorded_elimination.h"

namespace tappet {

namespace {

constexpr int first_slot = 1 << 21;  // of the arrays of these functions

CodeWriter::Outputs outputs(const std::string& name, const std::vector<Node>& nodes) {
  CodeWriter::Outputs list;
  for (size_t i = 0; i < nodes.size(); ++i) list.emplace_back(fmt::format("{}[{}]", name, i), nodes[i]);
  return list;
}

void append(CodeWriter::Outputs& to, const CodeWriter::Outputs& more) { to.insert(to.end(), more.begin(), more.end()); }

}  // namespace

ImplicitCode::ImplicitCode(BatchEquations& equations, const std::string& scheme)
    : e_(equations),
      graph_(equations.graph),
      motion_(equations.motion),
      n_(motion_.velocities()),
      zero_(n_, graph_.constant(0.0)),
      contacts_(contact_rows(graph_, motion_, equations.stride)) {
  for (const auto& rates : motion_.tangents) directions_.emplace_back(rates);
  if (scheme == "moreau-jean") forces_and_masses(), theta_step();
  if (scheme == "lcp-euler") linearly_implicit_step();
  if (scheme == "ggl-unified") forces_and_masses(), coupled_step();
  if (scheme == "half-explicit-velocity") between();
}

Node ImplicitCode::number(const std::string& name) {
  const int slot = first_slot + static_cast<int>(inputs_.size());
  inputs_[slot] = name;
  return graph_.input(slot);
}

ImplicitCode::Nodes ImplicitCode::array(const std::string& name, size_t size) {
  Nodes nodes;
  for (size_t i = 0; i < size; ++i) nodes.push_back(number(fmt::format("{}[{}]", name, i)));
  return nodes;
}

ImplicitCode::Place ImplicitCode::place(Node t, const Nodes& q, const Nodes& u) const {
  Place place{{{motion_.t, t}}};
  for (size_t i = 0; i < q.size(); ++i) place.replaced.emplace_back(motion_.q[i], q[i]);
  for (size_t i = 0; i < u.size(); ++i) place.replaced.emplace_back(motion_.u[i], u[i]);
  return place;
}

ImplicitCode::Nodes ImplicitCode::at(const Place& place, const Nodes& nodes) {
  Nodes out;
  for (Node node : nodes) out.push_back(node < 0 ? node : graph_.substitute(node, place.replaced));
  return out;
}

std::vector<RecordedRow> ImplicitCode::at(const Place& place, const std::vector<RecordedRow>& rows) {
  std::vector<RecordedRow> out;
  for (const RecordedRow& row : rows) {
    const Nodes rest = at(place, {row.chi, row.value});
    out.push_back({at(place, row.W), rest[0], rest[1]});
  }
  return out;
}

Node ImplicitCode::along(Node f, int velocity) { return graph_.derivative(f, directions_[velocity]); }

ImplicitCode::Nodes ImplicitCode::gradient(Node f) {
  Nodes out;
  for (int i = 0; i < n_; ++i) out.push_back(along(f, i));
  return out;
}

void ImplicitCode::add(const std::string& head, CodeWriter::Outputs outputs) {
  functions_.push_back({head, CodeWriter::Function::Stage::apart, std::move(outputs)});
}

// F, and M x.
void ImplicitCode::forces_and_masses() {
  add("void forces(const Parameters& p, Real t, const Real* q, const Real* u, Real* F)", outputs("F", motion_.h));
  const Nodes x = array("x", n_);
  Nodes y;
  for (int i = 0; i < n_; ++i) {
    Nodes row;
    for (int j = 0; j < n_; ++j) row.push_back(motion_.M[j * n_ + i]);
    y.push_back(dot(graph_, row, x));
  }
  add("void inertia(const Parameters& p, Real t, const Real* q, const Real* x, Real* y)", outputs("y", y));
}

// One iteration of a theta step: with M^ = M - dt theta F_u - (dt theta)^2 F_q at (t_h, q_h, u_h),
//   M^ (u - v) = r + W_J(q_m)' P_J,   W_J(q_1) u + chi = 0,
// and the same for a unit impulse of each contact row.
void ImplicitCode::theta_step() {
  const Node a = number("a"), t_h = number("t_h"), t_1 = number("t_1");  // a = dt theta
  const Nodes q_h = array("q_h", motion_.q.size()), u_h = array("u_h", n_), q_m = array("q_m", motion_.q.size());
  const Nodes q_1 = array("q_1", motion_.q.size()), r = array("r", n_), v = array("v", n_);
  const Place hat = place(t_h, q_h, u_h), middle = place(t_h, q_m), end = place(t_1, q_1);
  const auto acts = at(middle, motion_.joints), holds = at(end, motion_.joints), contacts = at(end, contacts_);
  const int joints = static_cast<int>(acts.size());

  RecordedElimination::Rows rows(n_ + joints);
  std::vector<int> group(n_ + joints, 0);
  for (int i = 0; i < n_; ++i)
    for (int j = 0; j < n_; ++j) {
      const Node by_q = along(motion_.h[i], j), by_u = graph_.derivative(motion_.h[i], motion_.u[j]);
      const Nodes m = at(hat, {motion_.M[j * n_ + i], by_u, by_q});
      rows[i][j] = graph_.subtract(graph_.subtract(m[0], graph_.multiply(a, m[1])),
                                   graph_.multiply(graph_.multiply(a, a), m[2]));
    }
  for (int k = 0; k < joints; ++k) {
    group[n_ + k] = 1;
    for (int i = 0; i < n_; ++i) rows[n_ + k][i] = holds[k].W[i], rows[i][n_ + k] = graph_.negate(acts[k].W[i]);
  }
  const RecordedElimination matrix(graph_, std::move(rows), group);
  Nodes side = r;
  for (const RecordedRow& row : holds) side.push_back(graph_.negate(graph_.add(dot(graph_, row.W, v), row.chi)));
  Nodes free = matrix.solve(side), P_J(free.begin() + n_, free.end());
  free.resize(n_);
  for (int i = 0; i < n_; ++i) free[i] = graph_.add(v[i], free[i]);
  const std::string places =
      "const Parameters& p, Real a, Real t_h, const Real* q_h, const Real* u_h, const Real* q_m, Real t_1, "
      "const Real* q_1";
  CodeWriter::Outputs out = outputs("u", free);
  append(out, outputs("P_J", P_J));
  add(fmt::format("void theta_step({}, const Real* r, const Real* v, Real* u, Real* P_J)", places), out);
  out.clear();
  for (size_t s = 0; s < contacts.size(); ++s) {
    Nodes unit = contacts[s].W;
    unit.resize(n_ + joints, graph_.constant(0.0));
    const Nodes found = matrix.solve(unit);
    append(out, outputs(fmt::format("X[{}]", s), {found.begin(), found.begin() + n_}));
    append(out, outputs(fmt::format("Y[{}]", s), {found.begin() + n_, found.end()}));
  }
  add(fmt::format("void theta_responses({}, Real (*X)[velocity_space], Real (*Y)[joint_space])", places), out);
  Nodes w = zero_;
  const Nodes P = array("P_J", joints);
  for (int i = 0; i < n_; ++i) {
    for (int k = 0; k < joints; ++k) w[i] = graph_.add(w[i], graph_.multiply(acts[k].W[i], P[k]));
    for (size_t s = 0; s < contacts.size(); ++s) w[i] = graph_.add(w[i], graph_.multiply(contacts[s].W[i], e_.P[s]));
  }
  add("void pushes(const Parameters& p, Real t_h, const Real* q_m, Real t_1, const Real* q_1, const Real* P_J, "
      "const Real* P, Real* w)",
      outputs("w", w));
}

// M(q) (v - u) = W(q)' P while the joints hold along other directions: W_J(q_1) v + chi = 0.
void ImplicitCode::between() {
  const Node t_1 = number("t_1");
  const Nodes q_1 = array("q_1", motion_.q.size());
  const auto holds = at(place(t_1, q_1), motion_.joints);
  const int joints = static_cast<int>(holds.size());
  RecordedElimination::Rows rows(n_ + joints);
  std::vector<int> group(n_ + joints, 0);
  for (int i = 0; i < n_; ++i)
    for (int j = 0; j < n_; ++j) rows[i][j] = motion_.M[j * n_ + i];
  for (int k = 0; k < joints; ++k) {
    group[n_ + k] = 1;
    for (int i = 0; i < n_; ++i)
      rows[n_ + k][i] = holds[k].W[i], rows[i][n_ + k] = graph_.negate(motion_.joints[k].W[i]);
  }
  const RecordedElimination matrix(graph_, std::move(rows), group);
  const std::string places = "const Parameters& p, Real t, const Real* q, Real t_1, const Real* q_1";
  CodeWriter::Outputs out;
  if (joints > 0) {
    Nodes side = zero_, held;
    for (const RecordedRow& row : holds)
      side.push_back(graph_.negate(graph_.add(dot(graph_, row.W, motion_.u), row.chi)));
    const Nodes change = matrix.solve(side);
    for (int i = 0; i < n_; ++i) held.push_back(graph_.add(motion_.u[i], change[i]));
    out = outputs("u", held);
  }
  add(fmt::format("void hold_between({}, Real* u)", places), out);
  out.clear();
  for (size_t s = 0; s < contacts_.size(); ++s) {
    Nodes unit = contacts_[s].W;
    unit.resize(n_ + joints, graph_.constant(0.0));
    const Nodes found = matrix.solve(unit);
    append(out, outputs(fmt::format("X[{}]", s), {found.begin(), found.begin() + n_}));
  }
  add(fmt::format("void responses_between({}, Real (*X)[velocity_space])", places), out);
}

// M~ (u_1 - u_0) = dt (k + dt k_q u_0),   M~ = M - dt k_u - dt^2 k_q,   k at t + dt.
void ImplicitCode::linearly_implicit_step() {
  const Node dt = number("dt");
  const Place later = place(graph_.add(motion_.t, dt), {});
  const int joints = static_cast<int>(motion_.joints.size());
  RecordedElimination::Rows rows(n_ + joints);
  std::vector<int> group(n_ + joints, 0);
  Nodes side = at(later, motion_.h), matrix_entries;
  bool depends = false;
  for (int i = 0; i < n_; ++i)
    for (int j = 0; j < n_; ++j) {
      const Nodes k = at(later, {graph_.derivative(motion_.h[i], motion_.u[j]), along(motion_.h[i], j)});
      depends = depends || !graph_.is_zero(k[0]) || !graph_.is_zero(k[1]);
      const Node by_q = graph_.multiply(dt, k[1]);
      side[i] = graph_.add(side[i], graph_.multiply(by_q, motion_.u[j]));
      rows[i][j] = graph_.subtract(motion_.M[j * n_ + i], graph_.multiply(dt, graph_.add(k[0], by_q)));
    }
  for (int i = 0; i < n_; ++i) side[i] = graph_.multiply(dt, side[i]);
  for (int i = 0; i < n_; ++i)
    for (int j = 0; j < n_; ++j)
      matrix_entries.push_back(graph_.multiply(graph_.constant(0.5), graph_.add(rows[i][j], rows[j][i])));
  RecordedElimination::Rows free_rows(rows.begin(), rows.begin() + n_);
  for (int k = 0; k < joints; ++k) {
    group[n_ + k] = 1;
    for (int i = 0; i < n_; ++i) {
      rows[n_ + k][i] = motion_.joints[k].W[i];
      rows[i][n_ + k] = graph_.negate(motion_.joints[k].W[i]);
    }
  }
  const Nodes step = RecordedElimination(graph_, std::move(free_rows), std::vector<int>(n_, 0)).solve(side);
  const RecordedElimination matrix(graph_, std::move(rows), group);
  for (const RecordedRow& row : motion_.joints)
    side.push_back(graph_.negate(graph_.add(dot(graph_, row.W, motion_.u), row.chi)));
  const Nodes held = matrix.solve(side);
  Nodes free, held_u;
  for (int i = 0; i < n_; ++i) {
    free.push_back(graph_.add(motion_.u[i], step[i]));
    held_u.push_back(graph_.add(motion_.u[i], held[i]));
  }
  const std::string place = "const Parameters& p, Real t, Real dt, const Real* q, const Real* u";
  CodeWriter::Outputs out = outputs("free", free);
  append(out, outputs("held", held_u));
  add(fmt::format("void implicit_step({}, Real* free, Real* held)", place), out);
  out.clear();
  for (size_t s = 0; s < contacts_.size(); ++s) {
    Nodes unit = contacts_[s].W;
    unit.resize(n_ + joints, graph_.constant(0.0));
    const Nodes found = matrix.solve(unit);
    append(out, outputs(fmt::format("X[{}]", s), {found.begin(), found.begin() + n_}));
  }
  add(fmt::format("void implicit_responses({}, Real (*X)[velocity_space])", place), out);
  out.clear();
  for (int i = 0; i < n_ * n_ && depends; ++i)
    out.emplace_back(fmt::format("A[{}][{}]", i / n_, i % n_), matrix_entries[i]);
  add(fmt::format("void symmetric_part({}, Real (*A)[velocity_space])", place), out);
  constants_ += fmt::format("constexpr bool forces_depend_on_state = {};\n", depends);
}

}  // namespace tappet
