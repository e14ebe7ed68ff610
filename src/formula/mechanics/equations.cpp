// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "formula/mechanics/equations.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "formula/mechanics/sum_terms.h"

namespace tappet {

namespace {

using Part = MechanicsError::Part;

[[noreturn]] void fail(Part part, int index, int row, const std::string& what) {
  throw MechanicsError(part, index, row, what);
}

}  // namespace

FormulaEquations::FormulaEquations(Graph& graph, const FormulaSystem& system)
    : t(graph.input(0)),
      T(system.kinetic),
      V(system.potential),
      graph_(graph),
      system_(system),
      n_(system.n),
      zero_(graph.constant(0.0)) {
  for (int i = 0; i < n_; ++i) q.push_back(graph.input(1 + i));
  for (int i = 0; i < n_; ++i) u.push_back(graph.input(1 + n_ + i));
  if (V < 0) V = zero_;
  inertia();
  forces();
}

void FormulaEquations::inertia() {
  if (T < 0) return given_mass();
  const FormulaGradient T_u(graph_, T, n_);
  for (Node x : u) momentum_.push_back(T_u.derivative(x));
  std::vector<std::vector<int>> rows(n_);  // by column: the rows of the lower triangle that may not be zero
  for (int i = 0; i < n_; ++i)
    for (int j : indices(momentum_[i], u))
      if (j <= i) rows[j].push_back(i);
  std::vector<Entry> lower;
  for (int j = 0; j < n_; ++j)
    for (int i : rows[j]) {
      lower.push_back({i, j, graph_.derivative(momentum_[i], u[j])});
      if (depends(lower.back().node, u))
        fail(Part::kinetic, 0, 0, "the kinetic energy must be quadratic in the velocities");
    }
  fill_mass(std::move(lower));
}

void FormulaEquations::fill_mass(std::vector<Entry> lower) {
  by_row_.resize(n_);
  for (const auto& [i, j, node] : lower) {
    by_row_[i].emplace_back(j, node);
    if (i != j) by_row_[j].emplace_back(i, node);
  }
  for (int i = 0; i < n_; ++i) {
    std::sort(by_row_[i].begin(), by_row_[i].end());
    for (const auto& [j, node] : by_row_[i]) M.push_back({j, i, node});  // column i, since M is symmetric
  }
}

std::vector<Node> FormulaEquations::full_mass() const {
  std::vector<Node> full(static_cast<size_t>(n_) * n_, zero_);
  for (const auto& [i, j, node] : M) full[static_cast<size_t>(j) * n_ + i] = node;
  return full;
}

void FormulaEquations::given_mass() {
  if (static_cast<int>(system_.mass.size()) != n_ * n_)
    fail(Part::mass, 0, 0, fmt::format("expected a kinetic energy or a mass matrix of {0} x {0}", n_));
  for (Node entry : system_.mass)
    if (depends(entry, u)) fail(Part::mass, 0, 0, "the mass matrix must not depend on velocities");
  check_symmetry();
  by_row_.resize(n_);
  for (int j = 0; j < n_; ++j)
    for (int i = 0; i < n_; ++i)
      if (const Node entry = system_.mass[static_cast<size_t>(j) * n_ + i]; !graph_.is_zero(entry)) {
        M.push_back({i, j, entry});
        by_row_[i].emplace_back(j, entry);
      }
  T = zero_;
  for (int i = 0; i < n_; ++i) {
    momentum_.push_back(row_of_mass_times(i, u));
    T = graph_.add(T, graph_.multiply(graph_.multiply(graph_.constant(0.5), u[i]), momentum_[i]));
  }
}

// Equal formulas are equal nodes. Formulas that are written differently are compared at a few points.
void FormulaEquations::check_symmetry() {
  std::vector<double> x(1 + n_);
  for (int i = 0; i < n_; ++i)
    for (int j = 0; j < i; ++j) {
      const Node a = system_.mass[j * n_ + i], b = system_.mass[i * n_ + j];
      for (int sample = 1; sample <= 3 && a != b; ++sample) {
        for (int s = 0; s <= n_; ++s) x[s] = std::sin(1.7 * sample + 0.9 * s) + 0.1 * sample;
        const double difference = graph_.evaluate(a, x) - graph_.evaluate(b, x);
        if (std::abs(difference) > 1e-9 * (1e-300 + std::abs(graph_.evaluate(a, x))))
          fail(
              Part::mass, i, j,
              fmt::format("the mass matrix must be symmetric; entries ({0}, {1}) and ({1}, {0}) differ", i + 1, j + 1));
      }
    }
}

void FormulaEquations::forces() {
  if (depends(V, u)) fail(Part::potential, 0, 0, "the potential energy must not depend on velocities");
  if (!system_.forces.empty() && static_cast<int>(system_.forces.size()) != n_)
    fail(Part::forces, 0, 0, fmt::format("expected {} forces, one per coordinate", n_));
  const bool inertial = !(system_.kinetic < 0 && system_.forces_are_complete);
  const FormulaGradient V_q(graph_, V, n_), T_q(graph_, T, n_);
  for (int i = 0; i < n_; ++i) {
    std::vector<std::pair<double, Node>> terms{{-1.0, V_q.derivative(q[i])}};
    if (!system_.forces.empty()) terms.emplace_back(1.0, system_.forces[i]);
    if (inertial) {
      terms.emplace_back(1.0, T_q.derivative(q[i]));
      terms.emplace_back(-1.0, graph_.derivative(momentum_[i], t));
      for (int j : indices(momentum_[i], q))
        terms.emplace_back(-1.0, graph_.multiply(graph_.derivative(momentum_[i], q[j]), u[j]));
    }
    h.push_back(graph_.sum(terms));
  }
}

Node FormulaEquations::direction(const FormulaSystem::Row& row, int column) const {
  return graph_.derivative(row.node, row.velocity_level ? u[column] : q[column]);
}

Node FormulaEquations::chi(const FormulaSystem::Row& row) const {
  if (!row.velocity_level) return graph_.derivative(row.node, t);
  std::vector<std::pair<Node, Node>> at_rest;
  for (int j : indices(row.node, u)) at_rest.emplace_back(u[j], zero_);
  return graph_.substitute(row.node, at_rest);
}

Node FormulaEquations::row_of_mass_times(int row, const std::vector<Node>& x) const {
  Node result = zero_;
  for (const auto& [j, entry] : by_row_[row]) result = graph_.add(result, graph_.multiply(entry, x[j]));
  return result;
}

bool FormulaEquations::depends(Node f, const std::vector<Node>& variables) const {
  return !indices(f, variables).empty();
}

std::vector<int> FormulaEquations::indices(Node f, const std::vector<Node>& variables) const {
  std::vector<int> result;
  if (graph_.is_constant(f) || n_ == 0) return result;
  const int first = graph_[variables[0]].b;  // the slots are consecutive
  for (const int slot : graph_.input_slots({&f, 1}))
    if (slot >= first && slot < first + n_) result.push_back(slot - first);
  return result;
}

}  // namespace tappet
