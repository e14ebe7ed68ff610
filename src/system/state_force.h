// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "formula/program.h"
#include "formula/switches.h"
#include "math/vec.h"

namespace tappet {

// The components f of a force or torque. They are formulas of the time and of some inputs s, each a quantity of the
// state.
class StateFormula {
 public:
  // The place of an input in the state, and the velocities along which it changes.
  struct Input {
    enum class Kind : std::uint8_t { position, velocity, rotation, quaternion };
    Kind kind = Kind::position;
    int q = 0;      // position: index of the number itself; rotation, quaternion: the first of four numbers
    int u = 0;      // velocity: index of the number itself; otherwise the first velocity that changes it
    int index = 0;  // rotation: 3 row + column; quaternion: the index of the number

    double value(const Vec& q, const Vec& u) const;
    // The derivative along a displacement q ⊕ w by w_{u + k}. A position only has k = 0, rotations have three.
    double slope(const Vec& q, int k) const;
    int slopes() const { return kind == Kind::velocity ? 0 : kind == Kind::position ? 1 : 3; }
    double rate(const Vec& q, const Vec& u, const Vec& a) const;         // in time, a = u̇
    double second_rate(const Vec& q, const Vec& u, const Vec& a) const;  // of a position or an orientation
  };

  StateFormula() = default;
  // Formulas of the slots t = 0, 1 + i for input i, and after those 1 + j for the branch that switch j holds.
  StateFormula(Graph& graph, std::span<const Node> components, std::vector<Input> inputs, int branches = 0);

  const std::vector<Input>& inputs() const { return inputs_; }
  int numbers() const;  // needed as scratch memory

  // `branches`: those of all switches; they are not read if the formula has none.
  void components(double t, const Vec& q, const Vec& u, const double* branches, double* f, double* scratch) const;
  // ∂f/∂s, row by row.
  void slopes(double t, const Vec& q, const Vec& u, const double* branches, double* D, double* scratch) const;

 private:
  void run(const Program& program, double t, const Vec& q, const Vec& u, const double* branches, double* out,
           double* scratch) const;

  std::vector<Input> inputs_;
  int branches_ = 0;
  Program value_, slope_;
};

// The switch functions σ of the formulas of all state forces, and their rates in time (FormulaMechanics::switch_rates).
class StateSwitches {
 public:
  StateSwitches() = default;
  // σ are formulas of the slots of a StateFormula.
  StateSwitches(Graph& graph, std::span<const Node> sigma, std::vector<StateFormula::Input> inputs);

  int size() const { return static_cast<int>(orders_.size()); }
  int numbers() const;  // needed as scratch memory
  int order(int i) const { return orders_[i]; }
  void values(double t, const Vec& q, const Vec& u, const double* branches, double* sigma, double* scratch) const;
  // dσ/dt in `first`; in `rate` the lowest derivative that accelerations enter.
  void rates(double t, const Vec& q, const Vec& u, const Vec& a, const double* branches, double* first, double* rate,
             double* scratch) const;

 private:
  double* load(double t, const Vec& q, const Vec& u, const double* branches, double* scratch) const;

  std::vector<StateFormula::Input> inputs_;
  std::vector<int> orders_;
  Program values_, rates_;
};

}  // namespace tappet
