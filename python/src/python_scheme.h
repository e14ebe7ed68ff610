// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "callbacks.h"
#include "levels.h"

namespace tappet::python {

// A scheme that is written in Python: an object with step(state, dt).
class PythonScheme final : public Stepper {
 public:
  PythonScheme(Callbacks& callbacks, const py::object& make, const ContactList& contacts)
      : callbacks_(callbacks), contacts_(std::make_shared<Contacts>(contacts)) {
    const py::gil_scoped_acquire acquire;
    try {
      py::object scheme = make(evaluator_of(contacts_)), step = py::getattr(scheme, "step", py::none());
      if (!PyCallable_Check(step.ptr()))
        throw py::type_error(std::string("the scheme ") + Py_TYPE(scheme.ptr())->tp_name +
                             " has no function step(state, dt)");
      follows_ = py::getattr(scheme, "follows_found_contacts", py::bool_(false)).cast<bool>();
      impulses_.P.assign(contacts.rows(), 0.0);
      scheme_ = std::move(scheme), step_ = std::move(step);
    } catch (...) {
      contacts_->list = nullptr;
      throw;
    }
  }
  ~PythonScheme() override {
    const py::gil_scoped_acquire acquire;
    contacts_->list = nullptr;
    scheme_ = {}, step_ = {}, state_ = {};
  }

  StepReport step(State& state, double dt) override {
    StepReport report;
    report.dt = dt;
    callbacks_.call([&] {
      if (!state_) state_ = py::cast(std::make_unique<PyState>(state));
      PyState& of_python = state_.cast<PyState&>();
      of_python.take(state);
      const py::object answer = step_(state_, dt);
      of_python.give(state.q.size(), state.u.size(), state);
      read(answer, report);
      return true;
    });
    return report;
  }
  std::string diagnosis() const override { return callbacks_.ended() ? "the scheme was stopped" : ""; }
  bool follows_found_contacts() const override { return follows_; }

 private:
  void read(const py::object& answer, StepReport& report) {
    const ContactList& list = contacts_->use();
    impulses_.P.assign(list.rows(), 0.0);
    if (answer.is_none()) return;
    if (!py::isinstance<PyReport>(answer))
      throw py::type_error("step() of the scheme returned " + std::string(Py_TYPE(answer.ptr())->tp_name) +
                           "; expected None or a SchemeReport");
    const PyReport& told = answer.cast<const PyReport&>();
    const double dt = report.dt;
    report = told.report;
    if (report.dt == 0.0) report.dt = dt;
    if (told.P.is_none()) return;
    ContactSet set;
    if (told.active.is_none())
      for (int k = 0; k < list.size(); ++k) set.push_back(k);
    else
      set = told.active.cast<ContactSet>();
    for (const int k : set)
      if (k < 0 || k >= list.size())
        throw py::index_error("SchemeReport: contact " + std::to_string(k) + " does not exist");
    list.scatter(set, vector_of(told.P, list.rows(set), "P"), impulses_.P);
    report.closed = static_cast<int>(set.size());
  }

  Callbacks& callbacks_;
  std::shared_ptr<Contacts> contacts_;
  py::object scheme_, step_, state_;
  bool follows_ = false;
};

}  // namespace tappet::python
