// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

#include "bind.h"

namespace tappet::python {

// Whether it is True or False, of Python or of NumPy: comparisons of array entries give the latter.
inline bool is_bool(const py::handle& value) {
  return PyBool_Check(value.ptr()) || std::string_view(Py_TYPE(value.ptr())->tp_name).starts_with("numpy.bool");
}

// What a run calls in Python. An exception there ends the run and is raised afterwards. Ctrl-C (KeyboardInterrupt) ends
// it too, but what was computed is kept. All functions here are called by the thread of the run, without the lock.
class Callbacks {
 public:
  py::object progress = py::none(), control = py::none();
  bool interrupted = false;
  std::optional<py::error_already_set> failure;

  bool ended() const { return interrupted || failure; }

  template <class F>
  bool call(F&& f) {
    const py::gil_scoped_acquire acquire;
    if (ended()) return false;
    try {
      return f();
    } catch (py::error_already_set& error) {
      note(error);
    } catch (py::builtin_exception& error) {
      error.set_error();
      py::error_already_set raised;
      note(raised);
    } catch (const std::exception& error) {
      PyErr_SetString(PyExc_RuntimeError, error.what());
      py::error_already_set raised;
      note(raised);
    }
    return false;
  }

  bool look(const Progress& at) {
    return call([&] {
      if (PyErr_CheckSignals() != 0) throw py::error_already_set();
      if (progress.is_none()) return true;
      const py::object answer = progress(at.step, at.steps, at.t);
      return !is_bool(answer) || PyObject_IsTrue(answer.ptr()) == 1;
    });
  }

 private:
  void note(py::error_already_set& error) {
    if (error.matches(PyExc_KeyboardInterrupt))
      interrupted = true;
    else
      failure = error;
  }
};

}  // namespace tappet::python
