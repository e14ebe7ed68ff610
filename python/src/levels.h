// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bind.h"

namespace tappet::python {

// A state for Python: its arrays stay where they are while schemes exchange their memory during a step.
struct PyState {
  double t = 0.0;
  py::array_t<double> q, u;

  explicit PyState(const State& state) : t(state.t), q(array_of(state.q)), u(array_of(state.u)) {}

  void take(const State& from);                        // sizes must agree
  void give(int q_size, int u_size, State& to) const;  // throws ValueError if sizes are wrong or a number is not finite
  static void assign(py::array_t<double>& to, const py::handle& from, const char* what);
};

// A contact list and what it refers to. Evaluators and steppers of Python share one and keep it alive. The list of a
// run of simulate() ends with the run; whoever uses it later gets an exception.
struct Contacts {
  explicit Contacts(const System& system)
      : system(system), own(std::make_unique<ContactList>(this->system)), list(own.get()) {}
  explicit Contacts(const ContactList& of_run) : system(of_run.system()), list(&of_run) {}

  const System system;
  std::unique_ptr<ContactList> own;  // empty if the list belongs to a run
  const ContactList* list;           // null after that run
  bool stepping = false;             // another thread is using it without the interpreter lock

  const ContactList& use() const;
};

// Lets one thread at a time compute without the interpreter lock with objects that hold scratch memory. It is created
// and destroyed while the thread holds the lock.
class WithoutLock {
 public:
  WithoutLock(bool& busy, const char* what) : busy_(busy) {
    if (busy_)
      throw std::runtime_error(std::string(what) + " is in use by another thread; expected one for each thread");
    busy_ = true;
    thread_ = PyEval_SaveThread();
  }
  ~WithoutLock() {
    PyEval_RestoreThread(thread_);
    busy_ = false;
  }
  WithoutLock(const WithoutLock&) = delete;
  WithoutLock& operator=(const WithoutLock&) = delete;

 private:
  bool& busy_;
  PyThreadState* thread_;
};

py::object evaluator_of(const std::shared_ptr<Contacts>& contacts);  // as Python sees it

// What a step of a scheme in Python returns.
struct PyReport {
  StepReport report;
  py::object P = py::none();       // over the rows [joints | contacts of the active set]
  py::object active = py::none();  // indices of contacts
};

}  // namespace tappet::python
