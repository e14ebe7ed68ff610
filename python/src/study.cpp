// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "bind.h"

namespace tappet::python {

namespace {

py::array_t<double> numbers(const std::vector<double>& values) {
  return py::array_t<double>(static_cast<py::ssize_t>(values.size()), values.data());
}

py::dict as_dict(const StudyResult& result) {
  py::dict parameters, measures, series;
  for (const StudyResult::Parameter& parameter : result.parameters)
    parameters[py::str(parameter.name)] = numbers(parameter.values);
  for (const StudyResult::Measure& measure : result.measures) {
    if (!measure.values.empty() || measure.series.empty()) {
      measures[py::str(measure.name)] = numbers(measure.values);
      continue;
    }
    py::list runs;
    for (const std::vector<double>& values : measure.series) runs.append(numbers(values));
    series[py::str(measure.name)] = runs;
  }
  return py::dict(py::arg("parameters") = parameters, py::arg("measures") = measures, py::arg("series") = series,
                  py::arg("status") = result.status, py::arg("messages") = result.messages,
                  py::arg("steps") = result.steps, py::arg("found") = result.found);
}

// `progress` is called on the thread of the interpreter that asked for the study.
py::dict study(const std::function<StudyResult(const StudyOptions&)>& run, int threads, const py::object& progress) {
  std::atomic<bool> stop = false;
  std::atomic<long> done = 0, all = 0;
  StudyOptions options;
  options.threads = threads;
  options.progress = [&](long now, long count) {
    done = now, all = count;
    return !stop;
  };
  StudyResult result;
  const std::function<void()> show = [&] { progress(done.load(), all.load()); };
  compute_interruptibly(
      stop, [&] { result = run(options); }, progress.is_none() ? std::function<void()>{} : show);
  return as_dict(result);
}

}  // namespace

void bind_study(py::module_& module) {
  module.def(
      "study_of_model", [](const Model& model, const std::string& text, int threads, const py::object& progress) {
        return study([&](const StudyOptions& options) { return run_study(model, text, options); }, threads, progress);
      });
  module.def("study_of_file", [](const std::filesystem::path& file, int threads, const py::object& progress) {
    return study([&](const StudyOptions& options) { return run_study(file, options); }, threads, progress);
  });
}

}  // namespace tappet::python
