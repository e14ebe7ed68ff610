// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "levels.h"

namespace tappet::python {

namespace {

bool all_finite(const double* values, int size) {
  double sum = 0.0;  // is finite only if all of them are
  for (int i = 0; i < size; ++i) sum += 0.0 * values[i];
  return sum == 0.0;
}

void give_numbers(const py::array_t<double>& from, int size, const char* what, Vec& to) {
  if (from.size() != size || !all_finite(from.data(), size))
    return copy_vector(from, size, what, to);  // which explains
  to.resize(size);
  std::copy_n(from.data(), size, to.begin());
}

}  // namespace

void PyState::take(const State& from) {
  if (q.size() != from.q.size() || u.size() != from.u.size())
    throw std::runtime_error("the arrays of the state were resized during a step");
  t = from.t;
  std::copy(from.q.begin(), from.q.end(), q.mutable_data());
  std::copy(from.u.begin(), from.u.end(), u.mutable_data());
}

void PyState::give(int q_size, int u_size, State& to) const {
  to.t = t;
  give_numbers(q, q_size, "q", to.q);
  give_numbers(u, u_size, "u", to.u);
}

void PyState::assign(py::array_t<double>& to, const py::handle& from, const char* what) {
  const Vec values = vector_of(from, static_cast<int>(to.size()), what);
  std::copy(values.begin(), values.end(), to.mutable_data());
}

void bind_state(py::module_& module) {
  py::class_<PyState>(module, "State", "Time, positions and velocities. The arrays may be changed in place.")
      .def(py::init([](double t, const py::handle& q, const py::handle& u) {
             State state{finite(t, "t"), vector_of(q, -1, "q"), vector_of(u, -1, "u")};
             return std::make_unique<PyState>(state);
           }),
           py::arg("t"), py::arg("q"), py::arg("u"))
      .def_property(
          "t", [](const PyState& state) { return state.t; }, [](PyState& state, double t) { state.t = finite(t, "t"); })
      .def_property(
          "q", [](const PyState& state) { return state.q; },
          [](PyState& state, const py::handle& q) { PyState::assign(state.q, q, "q"); })
      .def_property(
          "u", [](const PyState& state) { return state.u; },
          [](PyState& state, const py::handle& u) { PyState::assign(state.u, u, "u"); })
      .def("copy",
           [](const PyState& state) {
             State copy;
             state.give(static_cast<int>(state.q.size()), static_cast<int>(state.u.size()), copy);
             return std::make_unique<PyState>(copy);
           })
      .def("__repr__", [](const PyState& state) {
        return "State(t=" + py::repr(py::float_(state.t)).cast<std::string>() +
               ", q=" + py::repr(state.q).cast<std::string>() + ", u=" + py::repr(state.u).cast<std::string>() + ")";
      });
}

}  // namespace tappet::python
