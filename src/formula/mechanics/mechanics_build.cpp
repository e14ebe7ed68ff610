// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "formula/mechanics.h"
#include "formula/mechanics/equations.h"

namespace tappet {

// Derives all formulas, then compiles them over one layout [t, q, u, a, P].
class FormulaMechanics::Builder {
 public:
  Builder(Graph& graph, const FormulaSystem& system, FormulaMechanics& mechanics)
      : graph_(graph),
        system_(system),
        mechanics_(mechanics),
        equations_(graph, system),
        n_(system.n),
        zero_(graph.constant(0.0)) {
    for (int i = 0; i < n_; ++i) a_.push_back(graph.input(1 + 2 * n_ + i));
    for (int i = 0; i < system.most_rows(); ++i) P_.push_back(graph.input(1 + 3 * n_ + i));
    mechanics_.n_ = n_;
    mechanics_.first_branch_ = system.first_branch_slot();
    mechanics_.layout_.inputs = mechanics_.first_branch_ + static_cast<int>(system.switches.size());
    mechanics_.layout_.remember_angles = true;
  }

  void build() {
    inertia();
    forces();
    derivatives_of_forces();
    constraints();
    switches();
  }

 private:
  using Part = MechanicsError::Part;

  void inertia() {
    std::vector<Node> M;
    if (all_entries()) M = equations_.full_mass();
    for (const auto& [i, j, node] : equations_.M) {
      mechanics_.mass_depends_on_t_ |= on(node, t_);
      mechanics_.mass_depends_on_q_ |= any(node, q_);
      if (all_entries()) continue;
      mechanics_.mass_entries_.push_back({i, j});
      M.push_back(node);
    }
    mechanics_.mass_ = compile(M);
    mechanics_.kinetic_ = compile({&equations_.T, 1});
    std::vector<Node> rows;
    for (int i = 0; i < n_; ++i) rows.push_back(equations_.row_of_mass_times(i, a_));
    mechanics_.mass_times_ = compile(jacobian_by_columns(rows, q_, mechanics_.mass_derivative_entries_));
    M.insert(M.end(), h_.begin(), h_.end());
    mechanics_.mass_and_forces_ = compile(M);
  }

  void forces() {
    mechanics_.forces_ = compile(h_);
    mechanics_.potential_ = compile({&equations_.V, 1});
  }

  void derivatives_of_forces() {
    std::vector<Node> by_q = jacobian_by_columns(h_, q_, mechanics_.stiffness_entries_);
    const std::vector<Node> by_u = jacobian_by_columns(h_, u_, mechanics_.damping_entries_);
    const auto some = [&](const std::vector<Node>& x) {
      return std::any_of(x.begin(), x.end(), [&](Node f) { return !graph_.is_zero(f); });
    };
    mechanics_.forces_depend_on_q_ = some(by_q);
    mechanics_.forces_depend_on_u_ = some(by_u);
    mechanics_.forces_depend_on_t_ = std::any_of(h_.begin(), h_.end(), [&](Node f) { return on(f, t_); });
    by_q.insert(by_q.end(), by_u.begin(), by_u.end());
    mechanics_.force_derivatives_ = compile(by_q);
  }

  void constraints() {
    mechanics_.joints_ = static_cast<int>(system_.joints.size());
    for (int k = 0; k < mechanics_.joints_; ++k) block(Part::joint, k, system_.joints[k].rows);
    std::vector<Node> gaps;
    for (int k = 0; k < static_cast<int>(system_.contacts.size()); ++k) {
      const auto& contact = system_.contacts[k];
      std::vector<FormulaSystem::Row> rows{{contact.gap, false}};
      rows.insert(rows.end(), contact.friction.begin(), contact.friction.end());
      block(Part::contact, k, rows);
      gaps.push_back(contact.gap);
    }
    mechanics_.gaps_ = compile(gaps);
  }

  void check(Part part, int index, int row, const FormulaSystem::Row& r) {
    const char* what =
        part == Part::contact && row == 0 ? "a gap" : (part == Part::contact ? "a slip" : "a constraint");
    if (!r.velocity_level && any(r.node, u_))
      fail(part, index, row, fmt::format("{} must not depend on velocities", what));
    if (!r.velocity_level) return;
    for (int j : equations_.indices(r.node, u_))
      if (any(graph_.derivative(r.node, u_[j]), u_))
        fail(part, index, row,
             fmt::format("a {} must be affine in the velocities",
                         part == Part::contact ? "slip velocity" : "velocity constraint"));
  }

  // The coordinates on which the block depends, at any level. If it depends on a held branch, the coordinates of the
  // switch are included, so blocks have the same columns whether branches are held or not.
  std::vector<int> columns_of(const std::vector<FormulaSystem::Row>& rows) const {
    std::vector<Node> nodes;
    for (const auto& r : rows) nodes.push_back(r.node);
    std::vector<int> columns, slots = graph_.input_slots(nodes);
    const int first_branch = mechanics_.first_branch_;
    for (std::size_t seen = 0; seen != nodes.size();) {
      seen = nodes.size();
      for (int slot : slots)
        if (const Node decides = slot < first_branch ? -1 : system_.switches[slot - first_branch].decides;
            decides >= 0 && std::find(nodes.begin(), nodes.end(), decides) == nodes.end())
          nodes.push_back(decides);
      slots = graph_.input_slots(nodes);
    }
    for (int slot : slots)
      if (slot > 0 && slot <= 2 * n_) columns.push_back((slot - 1) % n_);
    std::sort(columns.begin(), columns.end());
    columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
    return columns;
  }

  void block(Part part, int index, const std::vector<FormulaSystem::Row>& rows) {
    Block b;
    b.rows = static_cast<int>(rows.size());
    for (int r = 0; r < b.rows; ++r) check(part, index, r, rows[r]);
    b.columns = columns_of(rows);
    std::vector<Node> q, u, a, value, W, chi, gamma, zeta, acceleration;
    for (int c : b.columns) q.push_back(q_[c]), u.push_back(u_[c]), a.push_back(a_[c]);
    for (const auto& row : rows) {
      b.velocity_level.push_back(row.velocity_level);
      value.push_back(row.velocity_level ? zero_ : row.node);
      gamma.push_back(row.velocity_level ? row.node : total_derivative(row.node, q, u));
      chi.push_back(equations_.chi(row));
      for (int c : b.columns) W.push_back(equations_.direction(row, c));
      zeta.push_back(total_derivative(gamma.back(), q, u));
      acceleration.push_back(zeta.back());
      for (std::size_t c = 0; c < a.size(); ++c)
        acceleration.back() = graph_.add(acceleration.back(), graph_.multiply(W[W.size() - a.size() + c], a[c]));
    }
    b.constant_directions = std::all_of(W.begin(), W.end(), [&](Node w) { return graph_.is_constant(w); });
    b.has_chi = std::any_of(chi.begin(), chi.end(), [&](Node x) { return !graph_.is_zero(x); });
    compile_block(b, q, u, value, W, chi, gamma, zeta, acceleration);
    mechanics_.blocks_.push_back(std::move(b));
  }

  void compile_block(Block& b, const std::vector<Node>& q, const std::vector<Node>& u, const std::vector<Node>& value,
                     const std::vector<Node>& W, const std::vector<Node>& chi, const std::vector<Node>& gamma,
                     const std::vector<Node>& zeta, const std::vector<Node>& acceleration) {
    std::vector<Node> force(q.size(), zero_), W_chi = W;
    for (int r = 0; r < b.rows; ++r)
      for (std::size_t c = 0; c < q.size(); ++c)
        force[c] = graph_.add(force[c], graph_.multiply(P_[r], W[r * q.size() + c]));
    W_chi.insert(W_chi.end(), chi.begin(), chi.end());
    std::vector<Node> by_q = jacobian_by_rows(acceleration, q);
    const std::vector<Node> by_u = jacobian_by_rows(acceleration, u);
    by_q.insert(by_q.end(), by_u.begin(), by_u.end());
    b.value = compile(value);
    b.directions = compile(W_chi);
    b.accelerations = compile(zeta);
    b.impulse_derivative = compile(jacobian_by_rows(force, q));
    b.velocity_derivative = compile(jacobian_by_rows(gamma, q));
    b.acceleration_derivatives = compile(by_q);
  }

  // σ, dσ/dt, and the first time derivative of σ that contains accelerations.
  void switches() {
    std::vector<Node> values, rates, decisive;
    for (const Switch& s : system_.switches) {
      const int order = any(s.decides, u_) ? 1 : any(s.decides, q_) ? 2 : 0;
      mechanics_.switch_orders_.push_back(order);
      values.push_back(s.decides);
      rates.push_back(with_accelerations(total_derivative(s.decides, q_, u_), s.decides));
      decisive.push_back(order == 2 ? with_accelerations(total_derivative(rates.back(), q_, u_), rates.back())
                                    : rates.back());
    }
    rates.insert(rates.end(), decisive.begin(), decisive.end());
    mechanics_.switch_functions_ = compile(values);
    mechanics_.switch_rates_ = compile(rates);
  }

  Node with_accelerations(Node rate, Node f) {
    for (int i = 0; i < n_; ++i) rate = graph_.add(rate, graph_.multiply(graph_.derivative(f, u_[i]), a_[i]));
    return rate;
  }

  Node total_derivative(Node f, const std::vector<Node>& q, const std::vector<Node>& u) {
    Node result = graph_.derivative(f, t_);
    for (std::size_t j = 0; j < q.size(); ++j)
      result = graph_.add(result, graph_.multiply(graph_.derivative(f, q[j]), u[j]));
    return result;
  }

  std::vector<Node> jacobian_by_rows(const std::vector<Node>& f, const std::vector<Node>& x) {
    std::vector<Node> out;
    for (Node row : f)
      for (Node column : x) out.push_back(graph_.derivative(row, column));
    return out;
  }

  bool all_entries() const { return mechanics_.has_all_entries(); }

  // With respect to all of q or all of u: n × n entries, or only those that may not be zero.
  std::vector<Node> jacobian_by_columns(const std::vector<Node>& f, const std::vector<Node>& x,
                                        std::vector<MatrixEntry>& entries) {
    std::vector<std::vector<int>> rows(n_);  // that depend on each x
    for (int row = 0; row < n_; ++row)
      for (int column : equations_.indices(f[row], x)) rows[column].push_back(row);
    std::vector<Node> out(all_entries() ? n_ * n_ : 0, zero_);
    for (int column = 0; column < n_; ++column)
      for (int row : rows[column]) {
        const Node entry = graph_.derivative(f[row], x[column]);
        if (all_entries()) {
          out[column * n_ + row] = entry;
        } else if (!graph_.is_zero(entry)) {
          entries.push_back({row, column});
          out.push_back(entry);
        }
      }
    return out;
  }

  Evaluation compile(std::span<const Node> outputs) {
    Evaluation e{Program(graph_, outputs, mechanics_.layout_), {}, {}, {}, {}};
    for (int slot : graph_.input_slots(outputs)) {
      if (slot == 0 || slot >= mechanics_.first_branch_) continue;  // branches keep their slots
      const int kind = std::min(3, (slot - 1) / n_), index = slot - 1 - kind * n_;
      (kind == 0 ? e.q : kind == 1 ? e.u : kind == 2 ? e.a : e.P).push_back(index);
    }
    return e;
  }

  bool on(Node f, Node variable) const { return !graph_.is_constant(f) && graph_.depends(f, variable); }
  bool any(Node f, const std::vector<Node>& variables) const { return equations_.depends(f, variables); }
  [[noreturn]] static void fail(Part part, int index, int row, const std::string& what) {
    throw MechanicsError(part, index, row, what);
  }

  Graph& graph_;
  const FormulaSystem& system_;
  FormulaMechanics& mechanics_;
  const FormulaEquations equations_;
  int n_;
  Node zero_;
  const Node t_ = equations_.t;
  const std::vector<Node>&q_ = equations_.q, &u_ = equations_.u, &h_ = equations_.h;
  std::vector<Node> a_, P_;
};

FormulaMechanics::FormulaMechanics(Graph& graph, const FormulaSystem& system) { Builder(graph, system, *this).build(); }

}  // namespace tappet
