// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "bind.h"

namespace tappet::python {

namespace {

using Recording = std::shared_ptr<const Recorded>;

const std::pair<const char*, RecordedTable Recorded::*> tables[] = {
    {"t", &Recorded::t},
    {"q", &Recorded::q},
    {"u", &Recorded::u},
    {"energy", &Recorded::energy},
    {"gap", &Recorded::gap},
    {"gap_velocity", &Recorded::gap_velocity},
    {"P_N", &Recorded::P_N},
    {"lambda_N", &Recorded::lambda_N},
    {"Lambda_N", &Recorded::Lambda_N},
    {"slip_velocity", &Recorded::slip_velocity},
    {"P_F", &Recorded::P_F},
    {"lambda_F", &Recorded::lambda_F},
    {"Lambda_F", &Recorded::Lambda_F},
    {"joint_residual", &Recorded::joint_residual},
    {"joint_impulse", &Recorded::joint_impulse},
    {"joint_motion", &Recorded::joint_motion},
    {"steps", &Recorded::steps},
    {"found", &Recorded::found},
};

// The table as rows × columns, without a copy.
py::array table(const Recording& recorded, const std::string& name) {
  for (const auto& [known, member] : tables)
    if (name == known) {
      const RecordedTable& table = (*recorded).*member;
      const py::ssize_t columns = table.columns(), bytes = sizeof(double);
      return view(recorded, table.data(), {table.rows(), columns}, {columns * bytes, bytes});
    }
  throw py::key_error(name);
}

py::list contacts(const Recording& recorded) {
  py::list list;
  const Layout& layout = recorded->layout();
  for (size_t k = 0; k < layout.contacts.size(); ++k) {
    const int place = recorded->kept_contact(static_cast<int>(k));
    if (place >= 0)
      list.append(py::make_tuple(layout.contacts[k].name, place, recorded->first_friction_row(static_cast<int>(k)),
                                 layout.contacts[k].rows));
  }
  return list;
}

py::list joints(const Recording& recorded) {
  py::list list;
  const Layout& layout = recorded->layout();
  for (size_t k = 0; k < layout.joints.size(); ++k)
    if (recorded->kept_joint(static_cast<int>(k)) >= 0)
      list.append(
          py::make_tuple(layout.joints[k].name, recorded->first_joint_row(static_cast<int>(k)), layout.joints[k].rows));
  return list;
}

py::list events(const Recording& recorded) {
  py::list list;
  const Layout& layout = recorded->layout();
  for (const RecordedEvent& event : recorded->events)
    list.append(py::make_tuple(
        event.t, std::string(event.kind),
        event.contact < 0 ? py::object(py::none()) : py::object(py::str(layout.contacts[event.contact].name)),
        event.place));
  return list;
}

}  // namespace

// Numbers that a run kept in memory. Python's arrays are views of them and keep them alive.
void bind_recorded(py::module_& module) {
  py::class_<Recorded, std::shared_ptr<Recorded>>(module, "Recorded")
      .def_property_readonly("samples", &Recorded::samples)
      .def("table",
           [](const std::shared_ptr<Recorded>& recorded, const std::string& name) { return table(recorded, name); })
      .def_property_readonly("q_names", [](const Recorded& recorded) { return recorded.layout().q; })
      .def_property_readonly("u_names", [](const Recorded& recorded) { return recorded.layout().u; })
      .def_property_readonly("q_units", [](const Recorded& recorded) { return recorded.layout().q_units; })
      .def_property_readonly("u_units", [](const Recorded& recorded) { return recorded.layout().u_units; })
      .def_property_readonly("contacts", [](const std::shared_ptr<Recorded>& recorded) { return contacts(recorded); })
      .def_property_readonly("joints", [](const std::shared_ptr<Recorded>& recorded) { return joints(recorded); })
      .def_property_readonly("events", [](const std::shared_ptr<Recorded>& recorded) { return events(recorded); });
}

}  // namespace tappet::python
