// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "bind.h"

#include <chrono>
#include <cmath>
#include <exception>
#include <future>

namespace tappet::python {

namespace {

[[noreturn]] void refuse(const std::string& message) { throw py::value_error(message); }

std::string found_shape(const py::array& array) {
  std::string text = "(";
  for (py::ssize_t i = 0; i < array.ndim(); ++i) text += (i > 0 ? ", " : "") + std::to_string(array.shape(i));
  return text + (array.ndim() == 1 ? ",)" : ")");
}

}  // namespace

double finite(double number, const char* what) {
  if (!std::isfinite(number))
    refuse(std::string(what) + " is " + std::to_string(number) + "; expected a finite number");
  return number;
}

void copy_vector(const py::handle& from, int size, const char* what, Vec& to) {
  const Array array = Array::ensure(from);
  if (!array) {
    PyErr_Clear();
    throw py::type_error(std::string(what) + ": expected an array of numbers");
  }
  if (array.ndim() != 1 || (size >= 0 && array.size() != size))
    refuse(std::string(what) + ": shape " + found_shape(array) + "; expected (" +
           (size >= 0 ? std::to_string(size) : std::string("n")) + ",)");
  const double* values = array.data();
  to.resize(static_cast<int>(array.size()));
  for (int i = 0; i < to.size(); ++i) {
    if (!std::isfinite(values[i]))
      refuse(std::string(what) + "[" + std::to_string(i) + "] is " + std::to_string(values[i]) +
             "; expected a finite number");
    to[i] = values[i];
  }
}

Vec vector_of(const py::handle& from, int size, const char* what) {
  Vec to;
  copy_vector(from, size, what, to);
  return to;
}

py::array_t<double> array_of(const Vec& values) { return py::array_t<double>(values.size(), values.data()); }

py::array_t<double> array_of(const BlockMatrix& matrix) {
  const int n = matrix.size();
  py::array_t<double> array({n, n});
  auto entry = array.mutable_unchecked<2>();
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) entry(i, j) = matrix(i, j);
  return array;
}

py::array_t<double> columns_of(const BlockRows& W, int velocities) {
  py::array_t<double> array({velocities, W.rows()});
  std::fill_n(array.mutable_data(), array.size(), 0.0);
  auto entry = array.mutable_unchecked<2>();
  for (int k = 0; k < W.blocks(); ++k) {
    const BlockRows::Block& block = W.block(k);
    const double* values = W.values(k);
    for (int r = 0; r < block.rows; ++r)
      for (const int velocity : W.columns(k)) entry(velocity, block.row + r) += *values++;
  }
  return array;
}

std::string text_of_value(const std::string& name, const py::handle& value) {
  if (py::isinstance<py::str>(value)) return value.cast<std::string>();
  if (py::isinstance<py::bool_>(value)) return value.cast<bool>() ? "true" : "false";
  const double number = PyFloat_AsDouble(value.ptr());
  if (PyErr_Occurred()) {
    PyErr_Clear();
    throw py::type_error(name + " is of type " + Py_TYPE(value.ptr())->tp_name +
                         "; expected a number, or a formula as text");
  }
  finite(number, name.c_str());
  return Setting(name, number).value;
}

Settings settings_of(const py::dict& parameters) {
  Settings settings;
  for (const auto& [key, value] : parameters) {
    const std::string name = py::str(key).cast<std::string>();
    if (py::isinstance<py::bool_>(value))
      throw py::type_error("parameter " + name + " is a bool; expected a number, or a formula as text");
    settings.emplace_back(name, text_of_value("parameter " + name, value));
  }
  return settings;
}

std::vector<Option> options_of(const py::dict& options) {
  std::vector<Option> list;
  for (const auto& [key, value] : options) {
    const std::string name = py::str(key).cast<std::string>();
    list.push_back({name, text_of_value("option " + name, value), {}});
  }
  return list;
}

void compute_interruptibly(std::atomic<bool>& stop, const std::function<void()>& compute,
                           const std::function<void()>& meanwhile) {
  constexpr auto look = std::chrono::milliseconds(20);
  constexpr int looks_per_call = 5;
  std::future<void> done;
  std::exception_ptr raised;
  {
    const py::gil_scoped_release release;
    done = std::async(std::launch::async, compute);
    for (int looks = 1; done.wait_for(look) != std::future_status::ready; ++looks) {
      const py::gil_scoped_acquire acquire;
      if (raised) continue;
      try {
        if (PyErr_CheckSignals() != 0) throw py::error_already_set();
        if (meanwhile && looks % looks_per_call == 0) meanwhile();
      } catch (const py::error_already_set&) {
        raised = std::current_exception(), stop = true;
      }
    }
  }
  if (!raised) return done.get();
  try {
    done.get();
  } catch (const std::exception&) {  // what matters is that it was stopped
  }
  std::rethrow_exception(raised);
}

}  // namespace tappet::python
