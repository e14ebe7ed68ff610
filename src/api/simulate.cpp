// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "run/simulate.h"

#include "api/inside.h"

namespace tappet::api {

namespace {

struct Listener final : RunListener {
  explicit Listener(const RunOptions& asked) : asked(asked) {}
  void progress(long step, long steps, double t) override {
    if (asked.progress) proceed = asked.progress({step, steps, t});
  }
  void warning(const std::string& message) override {
    if (asked.warning) asked.warning(message);
  }
  bool goes_on() override { return proceed; }

  const RunOptions& asked;
  bool proceed = true;
};

tappet::RunOptions converted(const RunOptions& asked, Listener& listener) {
  tappet::RunOptions options;
  options.scheme = asked.scheme;
  options.dt = asked.dt, options.end = asked.end;
  options.record_every = asked.record_every;
  options.record_found = asked.record_found;
  options.project_start = asked.project_start;
  options.start = asked.start;
  options.options = asked.options;
  options.out = asked.out, options.csv = asked.csv;
  options.checkpoint.seconds = asked.checkpoint_seconds;
  options.resume = asked.resume;
  options.keep = asked.keep, options.keep_all = asked.keep_all;
  options.control = asked.control;
  options.recorders = asked.recorders;
  if (asked.progress || asked.warning) options.listener = &listener;
  options.stop = asked.stop;
  options.hdf5 = asked.hdf5;
  options.threads = asked.threads;
  options.profile = asked.profile;
  options.solver = asked.solver;
  return options;
}

// What a stepper of the program may refer to. It lives as long as the run.
struct Handles {
  std::optional<System> system;
  std::optional<ContactList> contacts;
};

MakeStepper make_stepper_of(const RunOptions& asked, Handles& handles) {
  if (!asked.stepper) return {};
  return [&](tappet::ContactList& list, std::unique_ptr<ContactSolver> solver) {
    handles.contacts.emplace(std::make_unique<ContactList::Inside>(*handles.system, list));
    return asked.stepper(*handles.contacts, std::move(solver));
  };
}

}  // namespace

Result simulate(const System& system, const RunOptions& asked) {
  Listener listener(asked);
  Handles handles{system, {}};
  tappet::RunOptions options = converted(asked, listener);
  options.stepper = make_stepper_of(asked, handles);
  return tappet::simulate(system.inside().system, options);
}

Result simulate(const Model& model, const RunOptions& asked) {
  Listener listener(asked);
  Handles handles;
  tappet::RunOptions options = converted(asked, listener);
  options.stepper = make_stepper_of(asked, handles);
  tappet::Model prepared = prepare(model.inside().model, options);
  options.start.reset(), options.project_start = 0.0, options.record_found = false;  // the model has them now
  handles.system.emplace(std::make_shared<const System::Inside>(model, std::move(prepared)));
  return tappet::simulate(handles.system->inside().system, options);
}

void save(const Result& result, const std::filesystem::path& folder) { tappet::save(result, folder); }

}  // namespace tappet::api
