// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "bind.h"

namespace tappet::python {

namespace {

py::dict values_of(const Model& model) {
  py::dict values;
  for (const Parameter& parameter : model.parameters()) values[py::str(parameter.name)] = parameter.value;
  return values;
}

// Parameters may be given as keywords, or as a dict if a name is no Python name.
py::dict merged(const py::object& parameters, const py::kwargs& more) {
  py::dict all;
  if (!parameters.is_none()) all = py::dict(parameters);
  for (const auto& [key, value] : more) all[key] = value;
  return all;
}

py::list described(const std::vector<OptionInfo>& options) {
  py::list list;
  for (const OptionInfo& option : options)
    list.append(py::dict(py::arg("name") = option.name, py::arg("default") = option.value,
                         py::arg("meaning") = option.meaning, py::arg("expected") = option.expected));
  return list;
}

py::list described_schemes() {
  py::list list;
  for (const SchemeInfo& scheme : schemes())
    list.append(py::dict(py::arg("name") = scheme.name, py::arg("paper") = scheme.paper,
                         py::arg("level") = scheme.level, py::arg("order") = scheme.order,
                         py::arg("summary") = scheme.summary, py::arg("colliders") = scheme.follows_found_contacts,
                         py::arg("options") = described(scheme.options)));
  return list;
}

py::list described_solvers() {
  py::list list;
  for (const SolverEntry& solver : solver_names())
    list.append(
        py::dict(py::arg("name") = std::string(solver.name), py::arg("summary") = std::string(solver.description)));
  return list;
}

}  // namespace

void bind_model(py::module_& module) {
  py::class_<Model>(module, "Model", "A model that was read and understood. It never changes.")
      .def(py::init([](const py::object& source, const std::string& name, const py::object& parameters,
                       const py::kwargs& more) {
             const py::object text = py::module_::import("tappet._models").attr("text_of")(source);
             const Settings settings = settings_of(merged(parameters, more));
             const std::string written = text.cast<std::string>();
             const py::gil_scoped_release release;
             return parse_model(written, name, settings);
           }),
           py::arg("source"), py::arg("name") = "model.yaml", py::kw_only(), py::arg("parameters") = py::none(),
           "A model from a text in the form of a model file, or from a dict with the same keys.")
      .def_property_readonly("name", &Model::name)
      .def_property_readonly("title", &Model::title)
      .def_property_readonly("file", &Model::file)
      .def_property_readonly("text", &Model::text)
      .def_property_readonly("parameters", &values_of)
      .def_property_readonly("warnings", &Model::warnings)
      .def_property_readonly("scheme", &Model::scheme)
      .def_property_readonly("dt", &Model::dt)
      .def_property_readonly("end", &Model::end)
      .def(
          "replace",
          [](const Model& model, const py::object& parameters, const py::kwargs& more) {
            return model.with(settings_of(merged(parameters, more)));
          },
          py::kw_only(), py::arg("parameters") = py::none(), "The same model with other values of some parameters.")
      .def("__repr__", [](const Model& model) { return "<tappet.Model " + model.name() + ">"; })
      .def(py::pickle([](const Model& model) { return py::make_tuple(model.text(), model.file(), values_of(model)); },
                      [](const py::tuple& state) {
                        return parse_model(state[0].cast<std::string>(), state[1].cast<std::string>(),
                                           settings_of(state[2].cast<py::dict>()));
                      }));
  module.def("load", [](const std::filesystem::path& file, const py::dict& parameters) {
    const Settings settings = settings_of(parameters);
    const py::gil_scoped_release release;
    return load(file, settings);
  });
  module.def("parse", [](const std::string& text, const std::string& name, const py::dict& parameters) {
    const Settings settings = settings_of(parameters);
    const py::gil_scoped_release release;
    return parse_model(text, name, settings);
  });
  module.def("shipped_models", &shipped_models);
  module.def("find_example", &find_example);
  module.def("schemes", &described_schemes);
  module.def("solver_options", [] { return described(solver_options()); });
  module.def("solvers", &described_solvers);
}

}  // namespace tappet::python
