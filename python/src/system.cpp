// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "levels.h"

namespace tappet::python {

void bind_system(py::module_& module) {
  py::class_<System>(module, "System", "A model, compiled. It never changes, and threads may share it.")
      .def(py::init([](const Model& model) {
             const py::gil_scoped_release release;
             return System(model);
           }),
           py::arg("model"))
      .def_property_readonly("model", [](const System& system) { return Model(system.model()); })
      .def_property_readonly("q_names", &System::q_names)
      .def_property_readonly("u_names", &System::u_names)
      .def_property_readonly("q_size", &System::q_size)
      .def_property_readonly("u_size", &System::u_size)
      .def_property_readonly("joint_rows", &System::joint_rows)
      .def_property_readonly("has_colliders", &System::has_colliders)
      .def_property_readonly("mass_is_constant", &System::mass_is_constant)
      .def_property_readonly("directions_are_constant", &System::directions_are_constant)
      .def_property_readonly("warnings", &System::warnings)
      .def_property_readonly("contact_names",
                             [](const System& system) {
                               std::vector<std::string> names;
                               for (const auto& contact : system.layout().contacts) names.push_back(contact.name);
                               return names;
                             })
      .def(
          "initial", [](const System& system) { return std::make_unique<PyState>(system.initial()); },
          "The state at the start, a new one with each call.")
      .def(
          "displace",
          [](const System& system, const py::handle& q, const py::handle& w) {
            Vec q_1(system.q_size());
            system.displace(vector_of(q, system.q_size(), "q"), vector_of(w, system.u_size(), "w"), q_1);
            return array_of(q_1);
          },
          py::arg("q"), py::arg("w"), "The positions after a displacement w = dt u along the velocities.")
      .def(
          "rate",
          [](const System& system, const py::handle& q, const py::handle& u) {
            Vec q_dot(system.q_size());
            system.rate(vector_of(q, system.q_size(), "q"), vector_of(u, system.u_size(), "u"), q_dot);
            return array_of(q_dot);
          },
          py::arg("q"), py::arg("u"), "The derivative of q by time.")
      .def("__repr__", [](const System& system) {
        return "<tappet.System " + system.model().name() + ": " + std::to_string(system.q_size()) + " positions, " +
               std::to_string(system.u_size()) + " velocities>";
      });
}

}  // namespace tappet::python
