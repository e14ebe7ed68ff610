// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0

// Pages, events that are read off the impulses, and the end of a stored run. These are not part of the public headers,
// so this file includes headers of the library and is compiled with TAPPET_INSIDE (tappet/error.h).
#include "report/report.h"

#include "api/inside.h"
#include "bind.h"
#include "report/contact_events.h"
#include "run/start.h"

namespace tappet::python {

namespace {

std::vector<double> stretch_of(const Array& array, long first, long count) {
  return {array.data() + first, array.data() + first + count};
}

// The impacts of one contact from its recorded numbers, for schemes that do not locate them. Arrays may be empty where
// ContactHistory allows it.
py::tuple impacts(const Array& t, const Array& gap_velocity, const Array& P_N, const Array& Lambda_N,
                  const Array& slip) {
  ContactHistory history;
  history.samples = static_cast<long>(t.size());
  history.read = [&](long first, long count) {
    ContactHistory::Stretch s{
        stretch_of(t, first, count), stretch_of(gap_velocity, first, count), stretch_of(P_N, first, count), {}, {}};
    if (Lambda_N.size() > 0) s.Lambda_N = stretch_of(Lambda_N, first, count);
    if (slip.size() > 0) s.slip = stretch_of(slip, first, count);
    return s;
  };
  const ContactEvents events = contact_events(history);
  return py::make_tuple(events.impact_times, events.impact_sizes, events.from, events.to);
}

// Where an earlier run in a folder ended, in the form of a start for a model.
py::tuple end_of(const std::filesystem::path& folder, const api::Model& model) {
  const StartState start = start_of(folder, model.inside().model);
  return py::make_tuple(start.t, start.q, start.u, start.joint_violation, start.penetration);
}

}  // namespace

void bind_report(py::module_& module) {
  module.def("impacts", &impacts);
  module.def("end_of", &end_of);
  module.def("write_report", [](const std::filesystem::path& folder) {
    const py::gil_scoped_release release;
    return write_report(folder);
  });
}

}  // namespace tappet::python
