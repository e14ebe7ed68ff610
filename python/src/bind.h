// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>
#include <tappet/tappet.h>

#include <atomic>
#include <functional>
#include <memory>
#include <string>

// The parts of the module tappet._core. Each level of the library has a file of its own.
namespace tappet::python {

namespace py = pybind11;
using Array = py::array_t<double, py::array::c_style | py::array::forcecast>;

void bind_model(py::module_& module);
void bind_run(py::module_& module);
void bind_recorded(py::module_& module);
void bind_state(py::module_& module);
void bind_system(py::module_& module);
void bind_evaluator(py::module_& module);
void bind_stepper(py::module_& module);
void bind_problem(py::module_& module);
void bind_judge(py::module_& module);
void bind_study(py::module_& module);
void bind_report(py::module_& module);
void bind_files(py::module_& module);

// Settings and options that a caller gave as a dict. Numbers keep all their digits.
std::string text_of_value(const std::string& name, const py::handle& value);
api::Settings settings_of(const py::dict& parameters);
std::vector<Option> options_of(const py::dict& options);

// A vector of `size` finite numbers. Throws ValueError that names the argument, what was found and what was expected.
// A size below zero means that any size is right.
void copy_vector(const py::handle& from, int size, const char* what, Vec& to);
Vec vector_of(const py::handle& from, int size, const char* what);
double finite(double number, const char* what);

py::array_t<double> array_of(const Vec& values);
// Rows × columns, by rows.
py::array_t<double> array_of(const BlockMatrix& matrix);
// W with one column per row of the problem: the generalised forces are W P.
py::array_t<double> columns_of(const BlockRows& W, int velocities);

// A read-only view of memory that `owner` keeps alive.
template <class Owner>
py::array view(const std::shared_ptr<Owner>& owner, const double* data, std::vector<py::ssize_t> shape,
               std::vector<py::ssize_t> strides) {
  auto keep = std::make_unique<std::shared_ptr<Owner>>(owner);
  const py::capsule base(keep.get(), [](void* kept) { delete static_cast<std::shared_ptr<Owner>*>(kept); });
  keep.release();
  py::array_t<double> array(std::move(shape), std::move(strides), data, base);
  array.attr("flags").attr("writeable") = false;
  return std::move(array);
}

// Runs a computation on another thread without the interpreter lock, while this one looks for Ctrl-C. If it comes,
// `stop` is set, the computation ends soon, and the exception of the signal (KeyboardInterrupt) is raised. `meanwhile`
// is called about ten times per second with the lock; an exception of it ends the computation too.
void compute_interruptibly(std::atomic<bool>& stop, const std::function<void()>& compute,
                           const std::function<void()>& meanwhile = {});

}  // namespace tappet::python
