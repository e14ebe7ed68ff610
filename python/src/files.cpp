// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0

// Result files. Their reader is not part of the public headers, so this file is compiled with TAPPET_INSIDE.
#include <algorithm>
#include <numeric>

#include "bind.h"
#include "record/hdf5/result_file.h"

namespace tappet::python {

namespace {

// The rows first … last − 1 of a data set. Only these are read.
py::array_t<double> read(const ResultFile& file, const std::string& data, long first, long last) {
  if (!file.has(data)) throw py::key_error(data);
  const long rows = std::min(file.length(data), file.samples());
  first = std::clamp(first, 0L, rows), last = std::clamp(last, first, rows);
  std::vector<long> which(last - first);
  std::iota(which.begin(), which.end(), first);
  const int width = file.width(data);
  auto values = std::make_unique<std::vector<double>>(file.rows(data, which));
  const double* numbers = values->data();
  const py::capsule owner(values.release(), [](void* kept) { delete static_cast<std::vector<double>*>(kept); });
  return py::array_t<double>({last - first, static_cast<long>(width)}, numbers, owner);
}

py::list events(const ResultFile& file) {
  py::list list;
  for (const auto& [t, kind, contact] : file.events())
    list.append(py::make_tuple(t, kind, contact.empty() ? py::object(py::none()) : py::object(py::str(contact))));
  return list;
}

}  // namespace

void bind_files(py::module_& module) {
  py::class_<ResultFile>(module, "ResultFile")
      .def(py::init<const std::filesystem::path&>())
      .def_property_readonly("samples", &ResultFile::samples)
      .def("has", &ResultFile::has)
      .def("width", &ResultFile::width)
      .def("text", &ResultFile::text)
      .def("attribute", &ResultFile::attribute)
      .def("number", &ResultFile::number)
      .def("names", &ResultFile::names)
      .def("units", &ResultFile::units)
      .def("read", &read)
      .def("groups", &ResultFile::groups)
      .def("events", &events);
}

}  // namespace tappet::python
