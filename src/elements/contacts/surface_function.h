// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tappet/pose.h>

#include <memory>

#include "formula/program.h"

namespace tappet {

// A surface in space (a curve in the plane) as the zero set of a formula of position and time.
class SurfaceFunction {
 public:
  static constexpr int slot_t = 0, slot_x = 1, slot_y = 2, slot_z = 3;  // inputs of the formula

  template <class S>
  struct Value {
    S g, rate;         // g and ∂g/∂t
    Vec3<S> gradient;  // in x, y, z
  };

  SurfaceFunction() = default;  // g = 0
  SurfaceFunction(Graph& graph, Node g);

  bool empty() const { return !program_; }
  bool switches() const { return switches_; }  // it contains max, abs, … (formula/switches.h)
  // For the scalars of derive_contacts.cpp.
  template <class S>
  Value<S> operator()(const Vec3<S>& position, const S& t) const;

 private:
  std::shared_ptr<const Program> program_;
  bool switches_ = false;
};

}  // namespace tappet
