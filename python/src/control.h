// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "callbacks.h"
#include "levels.h"

namespace tappet::python {

// Asks a Python function for the forces of the next step: None keeps them, False ends the run, and an array, a number
// or a dict from names of velocities to forces sets them.
class Control {
 public:
  Control(Callbacks& callbacks, const System& system) : callbacks_(callbacks), names_(system.u_names()) {}

  bool operator()(const State& state, double, Vec& forces) {
    return callbacks_.call([&] {
      if (!state_) make_state(state);
      state_.cast<PyState&>().take(state);
      const py::object answer = callbacks_.control(state_);
      if (answer.is_none()) return true;
      if (is_bool(answer)) return PyObject_IsTrue(answer.ptr()) == 1;
      set(answer, forces);
      return true;
    });
  }

 private:
  void make_state(const State& state) { state_ = py::cast(std::make_unique<PyState>(state)); }
  void set(const py::object& answer, Vec& forces) {
    if (py::isinstance<py::dict>(answer)) return set_by_name(py::dict(answer), forces);
    if (PyFloat_Check(answer.ptr()) && forces.size() == 1) {
      forces[0] = finite(answer.cast<double>(), "control: the force");
      return;
    }
    copy_vector(answer, static_cast<int>(names_.size()), "control: the forces", forces);
  }
  void set_by_name(const py::dict& answer, Vec& forces) {
    forces.set_zero();
    for (const auto& [key, value] : answer) {
      const std::string name = py::str(key).cast<std::string>();
      const auto found = std::find(names_.begin(), names_.end(), name);
      if (found == names_.end()) {
        std::string known;
        for (const std::string& other : names_) known += (known.empty() ? "" : ", ") + other;
        throw py::key_error("control: no velocity '" + name + "'; expected one of " + known);
      }
      forces[static_cast<int>(found - names_.begin())] = finite(value.cast<double>(), ("control: " + name).c_str());
    }
  }

  Callbacks& callbacks_;
  std::vector<std::string> names_;
  py::object state_;
};

}  // namespace tappet::python
