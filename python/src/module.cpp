// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "bind.h"

namespace {

namespace py = pybind11;

// The classes of exceptions are written in Python.
py::object error_class(const char* name) { return py::module_::import("tappet._errors").attr(name); }

void translate(std::exception_ptr pending) {
  try {
    std::rethrow_exception(pending);
  } catch (const tappet::ModelError& error) {
    const py::object type = error_class("ModelError");
    const py::object value =
        type(error.what(), error.file, error.place.line, error.place.column, error.key, error.message);
    PyErr_SetObject(type.ptr(), value.ptr());
  } catch (const tappet::UsageError& error) {
    PyErr_SetString(error_class("UsageError").ptr(), error.what());
  } catch (const tappet::ProblemFileError& error) {
    PyErr_SetString(error_class("FileError").ptr(), error.what());
  } catch (const std::filesystem::filesystem_error& error) {
    PyErr_SetString(PyExc_OSError, error.what());
  }
}

}  // namespace

PYBIND11_MODULE(_core, module) {
  using namespace tappet::python;
  module.doc() = "The compiled part of tappet. Use the names of the package tappet instead.";
  module.attr("__version__") = tappet::version;
  py::register_exception_translator(translate);
  bind_model(module);
  bind_recorded(module);
  bind_state(module);
  bind_system(module);
  bind_evaluator(module);
  bind_stepper(module);
  bind_problem(module);
  bind_run(module);
  bind_judge(module);
  bind_study(module);
  bind_report(module);
  bind_files(module);
}
