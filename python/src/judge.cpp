// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0

// Comparisons and reproductions. These are not part of the public headers, so this file includes headers of the
// library and is compiled with TAPPET_INSIDE (tappet/error.h).
#include <nlohmann/json.hpp>

#include "api/inside.h"
#include "bind.h"
#include "judge/compare/compare.h"
#include "judge/reproduce.h"

namespace tappet::python {

namespace {

void copy_to(const py::dict& asked, CompareOptions& options) {
  options.schemes = asked["schemes"].cast<std::vector<std::string>>();
  options.dt = asked["dt"].cast<std::vector<double>>();
  options.end = asked["end"].cast<double>();
  options.reference = asked["reference"].cast<std::string>();
  options.limit_s = asked["limit"].cast<double>();
  options.threads = asked["threads"].cast<int>();
  for (const auto& [key, value] : asked["options"].cast<py::dict>()) {
    const std::string name = py::str(key).cast<std::string>();
    options.options.push_back({name, text_of_value("option " + name, value), {}});
  }
}

py::dict compared(const ComparedRun& run) {
  using py::arg;
  return py::dict(arg("scheme") = run.scheme, arg("dt") = run.dt, arg("trouble") = run.trouble,
                  arg("q_end") = run.errors.q_end, arg("q_L1") = run.errors.q_L1, arg("q_L2") = run.errors.q_L2,
                  arg("q_max") = run.errors.q_max, arg("u_end") = run.errors.u_end, arg("u_L1") = run.errors.u_L1,
                  arg("order") = run.order, arg("violation") = run.violation,
                  arg("joint_violation") = run.joint_violation, arg("energy") = run.energy,
                  arg("energy_error") = run.energy_error, arg("mean_iterations") = run.mean_iterations,
                  arg("us_per_step") = run.us_per_step, arg("seconds") = run.seconds, arg("steps") = run.steps,
                  arg("unconverged_steps") = run.unconverged_steps);
}

py::dict compare_model(const api::Model& model, const py::dict& asked) {
  CompareOptions options;
  copy_to(asked, options);
  std::atomic<bool> stop = false;
  options.stop = &stop;
  Comparison comparison;
  compute_interruptibly(stop, [&] { comparison = compare(model.inside().model, options); });
  py::list runs;
  for (const ComparedRun& run : comparison.runs) runs.append(compared(run));
  return py::dict(py::arg("model") = comparison.model, py::arg("reference") = comparison.reference,
                  py::arg("end") = comparison.end, py::arg("doubts") = doubts(comparison), py::arg("runs") = runs,
                  py::arg("table") = to_table(comparison));
}

std::string reproduce_named(const std::vector<std::string>& names, bool quick, int threads) {
  std::vector<Reproduction> wanted = reproductions(names);
  if (quick) std::erase_if(wanted, [](const auto& r) { return !r.quick && r.missing.empty(); });
  std::atomic<bool> stop = false;
  ReproduceOptions options;
  options.threads = threads, options.stop = &stop;
  std::vector<Reproduced> results;
  compute_interruptibly(stop, [&] { results = reproduce(wanted, options); });
  return to_json(results).dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

py::list listed_reproductions() {
  py::list list;
  for (const Reproduction& r : reproductions())
    list.append(py::dict(py::arg("name") = r.name, py::arg("title") = r.title, py::arg("source") = r.source,
                         py::arg("quick") = r.quick, py::arg("missing") = r.missing));
  return list;
}

}  // namespace

void bind_judge(py::module_& module) {
  module.def("compare", &compare_model);
  module.def("reproduce", &reproduce_named);
  module.def("reproductions", &listed_reproductions);
}

}  // namespace tappet::python
