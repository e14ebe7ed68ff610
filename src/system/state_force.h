// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "formula/program.h"
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
  };

  StateFormula() = default;
  // Formulas of the slots t = 0 and 1 + i for input i.
  StateFormula(Graph& graph, std::span<const Node> components, std::vector<Input> inputs);

  const std::vector<Input>& inputs() const { return inputs_; }
  int numbers() const;  // needed as scratch memory

  void components(double t, const Vec& q, const Vec& u, double* f, double* scratch) const;
  // ∂f/∂s, row by row.
  void slopes(double t, const Vec& q, const Vec& u, double* D, double* scratch) const;

 private:
  void run(const Program& program, double t, const Vec& q, const Vec& u, double* out, double* scratch) const;

  std::vector<Input> inputs_;
  Program value_, slope_;
};

}  // namespace tappet
