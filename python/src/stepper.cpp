// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "levels.h"

namespace tappet::python {

namespace {

// A scheme of the library with its own contacts.
class PyStepper {
 public:
  PyStepper(const System& system, const std::string& scheme, const py::dict& options)
      : contacts_(std::make_shared<Contacts>(system)),
        scheme_(scheme.empty() ? system.model().scheme() : scheme),
        stepper_(made(options)),
        q_size_(system.q_size()),
        u_size_(system.u_size()) {}

  StepReport step(PyState& state, double dt) {
    if (!(dt > 0.0) || !std::isfinite(dt))
      throw py::value_error("dt is " + std::to_string(dt) + "; expected a positive number of seconds");
    if (contacts_->stepping)
      throw std::runtime_error("this stepper is in use by another thread; expected one for each thread");
    state.give(q_size_, u_size_, state_);
    StepReport report;
    {
      const WithoutLock computing(contacts_->stepping, "this stepper");
      if (contacts_->system.has_colliders()) contacts_->own->find(state_, dt);
      report = stepper_->step(state_, dt);
    }
    state.take(state_);
    return report;
  }
  void apply(const py::handle& forces) {
    contacts_->use();
    contacts_->own->apply(forces.is_none() ? Vec() : vector_of(forces, u_size_, "forces"));
  }
  py::array_t<double> impulses(Vec Impulses::*which) const {
    const ContactList& list = contacts_->use();
    const Vec& rows = stepper_->impulses().*which;
    return rows.empty() ? array_of(Vec(list.rows())) : array_of(rows);
  }
  py::array_t<double> impulse(const std::string& contact) const {
    const ContactList& list = contacts_->use();
    const Vec& P = stepper_->impulses().P;
    for (int k = 0; k < list.size(); ++k)
      if (list.name(k) == contact) {
        const ContactInfo info = list[k];
        py::array_t<double> rows(info.rows);
        for (int r = 0; r < info.rows; ++r) rows.mutable_at(r) = info.row + r < P.size() ? P[info.row + r] : 0.0;
        return rows;
      }
    throw py::key_error("no contact " + contact);
  }
  py::list events() const {
    const ContactList& list = contacts_->use();
    py::list events;
    for (const Event& event : stepper_->events())
      events.append(py::make_tuple(event.t, std::string(name(event.kind)),
                                   event.contact < 0 ? py::object(py::none()) : py::str(list.name(event.contact))));
    return events;
  }
  std::string diagnosis() const {
    contacts_->use();
    return stepper_->diagnosis();
  }
  const std::string& scheme() const { return scheme_; }
  const std::shared_ptr<Contacts>& contacts() const { return contacts_; }

 private:
  std::unique_ptr<Stepper> made(const py::dict& options) const {
    if (scheme_.empty())
      throw UsageError("the model names no scheme; expected one, as in Stepper(system, 'moreau-midpoint')");
    return make_stepper(scheme_, *contacts_->own, options_of(options));
  }

  std::shared_ptr<Contacts> contacts_;
  std::string scheme_;
  std::unique_ptr<Stepper> stepper_;
  int q_size_, u_size_;
  State state_;
};

void bind_step_report(py::module_& module) {
  py::class_<StepReport>(module, "StepReport", "What one step did.")
      .def_property_readonly("converged", &StepReport::converged)
      .def_property_readonly("status", [](const StepReport& r) { return std::string(name(r.solve.status)); })
      .def_property_readonly("iterations", [](const StepReport& r) { return r.solve.iterations; })
      .def_property_readonly("residual", [](const StepReport& r) { return r.solve.residual; })
      .def_readonly("dt", &StepReport::dt)
      .def_readonly("closed", &StepReport::closed)
      .def_readonly("impulsive", &StepReport::impulsive)
      .def_readonly("newton", &StepReport::newton)
      .def_readonly("projections", &StepReport::projections)
      .def_readonly("rejected", &StepReport::rejected)
      .def("__repr__", [](const StepReport& r) {
        return "<StepReport " + std::string(name(r.solve.status)) + ", " + std::to_string(r.closed) + " closed, " +
               std::to_string(r.solve.iterations) + " iterations>";
      });
}

}  // namespace

void bind_stepper(py::module_& module) {
  bind_step_report(module);
  py::class_<PyStepper>(module, "Stepper", "A time-stepping scheme that computes one step at a time.")
      .def(py::init(
               [](const System& system, const std::string& scheme, const py::object& options, const py::kwargs& more) {
                 py::dict all;
                 if (!options.is_none()) all = py::dict(options);
                 for (const auto& [key, value] : more) all[key] = value;
                 return std::make_unique<PyStepper>(system, scheme, all);
               }),
           py::arg("system"), py::arg("scheme") = "", py::kw_only(), py::arg("options") = py::none())
      .def("step", &PyStepper::step, py::arg("state"), py::arg("dt"),
           "Advances the state by one step of dt. The arrays of the state are changed in place.")
      .def("apply", &PyStepper::apply, py::arg("forces"),
           "Adds generalised forces, one per velocity, from the next step on. None removes them.")
      .def_property_readonly(
          "P", [](const PyStepper& s) { return s.impulses(&Impulses::P); },
          "The impulses of the last step over all rows: joints, then contacts.")
      .def_property_readonly("lambda_", [](const PyStepper& s) { return s.impulses(&Impulses::lambda); })
      .def_property_readonly("Lambda", [](const PyStepper& s) { return s.impulses(&Impulses::Lambda); })
      .def("impulse", &PyStepper::impulse, py::arg("contact"),
           "The impulse of a contact in the last step: N, F1, F2, ...")
      .def_property_readonly("events", &PyStepper::events, "The events of the last step, if the scheme locates them.")
      .def_property_readonly("diagnosis", &PyStepper::diagnosis, "Why no further step is possible; empty if one is.")
      .def_property_readonly("scheme", &PyStepper::scheme)
      .def_property_readonly("system", [](const PyStepper& s) { return System(s.contacts()->system); })
      .def_property_readonly(
          "evaluator", [](const PyStepper& s) { return evaluator_of(s.contacts()); },
          "An evaluator that sees the contacts of this stepper.")
      .def("__repr__", [](const PyStepper& s) { return "<tappet.Stepper " + s.scheme() + ">"; });
}

}  // namespace tappet::python
