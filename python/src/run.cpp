// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "control.h"
#include "python_scheme.h"

namespace tappet::python {

namespace {

struct PyResult {
  Result result;
  bool by_ctrl_c = false;
};

// (t, q, u, violation of joints, penetration)
StartState start_of(const py::tuple& numbers) {
  StartState start;
  start.from = "the given start";
  start.t = numbers[0].cast<double>();
  start.q = numbers[1].cast<std::vector<double>>(), start.u = numbers[2].cast<std::vector<double>>();
  start.joint_violation = numbers[3].cast<double>(), start.penetration = numbers[4].cast<double>();
  return start;
}

RunOptions options_of_run(const py::dict& asked) {
  RunOptions options;
  options.scheme = asked["scheme"].cast<std::string>();
  options.dt = asked["dt"].cast<double>(), options.end = asked["end"].cast<double>();
  options.record_every = asked["record_every"].cast<int>();
  options.hdf5.only = asked["only"].cast<std::vector<std::string>>();
  options.record_found = asked["record_found"].cast<bool>();
  options.project_start = asked["project_start"].cast<double>();
  options.options = options_of(asked["options"].cast<py::dict>());
  options.out = asked["out"].cast<std::filesystem::path>();
  options.csv = asked["csv"].cast<std::filesystem::path>();
  options.threads = asked["threads"].cast<int>();
  options.profile = asked["profile"].cast<bool>();
  if (!asked["start"].is_none()) options.start = start_of(asked["start"].cast<py::tuple>());
  options.keep = false, options.keep_all = asked["keep"].cast<bool>();
  return options;
}

// `what` is a Model or a System.
Result computed(const py::object& what, const RunOptions& options) {
  if (py::isinstance<System>(what)) {
    const System system = what.cast<const System&>();
    const py::gil_scoped_release release;
    return simulate(system, options);
  }
  const Model model = what.cast<const Model&>();
  const py::gil_scoped_release release;
  return simulate(model, options);
}

std::unique_ptr<PyResult> run(const py::object& what, const py::dict& asked) {
  RunOptions options = options_of_run(asked);
  Callbacks callbacks;
  callbacks.progress = asked["progress"], callbacks.control = asked["control"];
  options.progress = [&](const Progress& at) { return callbacks.look(at); };
  std::optional<Control> control;
  if (!callbacks.control.is_none()) {
    control.emplace(callbacks,
                    py::isinstance<System>(what) ? what.cast<const System&>() : System(what.cast<const Model&>()));
    options.control = std::ref(*control);
  }
  const py::object scheme = asked["stepper"];
  if (!scheme.is_none())
    options.stepper = [&](const ContactList& contacts, std::unique_ptr<ContactSolver>) {
      return std::make_unique<PythonScheme>(callbacks, scheme, contacts);
    };
  auto result = std::make_unique<PyResult>();
  result->result = computed(what, options);
  if (callbacks.failure) throw *callbacks.failure;
  result->by_ctrl_c = callbacks.interrupted;
  if (callbacks.interrupted) {  // also if it came while a scheme in Python was computing
    result->result.summary.status = RunStatus::interrupted;
    result->result.summary.message.clear();
  }
  return result;
}

}  // namespace

void bind_run(py::module_& module) {
  py::class_<PyReport>(module, "SchemeReport",
                       "What step() of a scheme in Python may return: impulses, and how they were found.")
      .def(py::init([](const py::object& P, const py::object& contacts, bool converged, double residual, int iterations,
                       double dt) {
             PyReport report;
             report.P = P, report.active = contacts;
             report.report.dt = dt;
             report.report.solve.status = converged ? SolveStatus::converged : SolveStatus::not_converged;
             report.report.solve.residual = residual, report.report.solve.iterations = iterations;
             return report;
           }),
           py::arg("P") = py::none(), py::arg("contacts") = py::none(), py::kw_only(), py::arg("converged") = true,
           py::arg("residual") = 0.0, py::arg("iterations") = 0, py::arg("dt") = 0.0);
  py::class_<PyResult>(module, "Result")
      .def_property_readonly("recorded",
                             [](const PyResult& r) { return std::const_pointer_cast<Recorded>(r.result.recorded); })
      .def_property_readonly("summary_json", [](const PyResult& r) { return summary_json(r.result.summary); })
      .def_property_readonly("brief", [](const PyResult& r) { return brief(r.result.summary); })
      .def_property_readonly("settings", [](const PyResult& r) { return r.result.header.settings; })
      .def_property_readonly("state", [](const PyResult& r) { return std::make_unique<PyState>(r.result.state); })
      .def_property_readonly("switch_names", [](const PyResult& r) { return r.result.summary.switch_names; })
      .def_readonly("by_ctrl_c", &PyResult::by_ctrl_c)
      .def("save", [](const PyResult& r, const std::filesystem::path& folder) {
        const py::gil_scoped_release release;
        save(r.result, folder);
      });
  module.def("run", &run);
}

}  // namespace tappet::python
