// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0

// A step of every scheme on some of the examples, with the step and options of the model. The run starts again when it
// reaches the end of the model, so that all its phases count.
#include <memory>

#include "entries.h"
#include "run/make_stepper.h"
#include "run/models.h"
#include "run/settings.h"

namespace tappet::bench {
namespace {

struct Run {
  Model model;
  System system;
  ContactList contacts;
  Settings settings;
  std::unique_ptr<Stepper> stepper;
  State state;

  Run(const std::string& name, const std::string& scheme, const Overrides& set)
      : model(load(find_model(name), set)),
        system(model),
        contacts(system),
        settings(settings_of(model, {.scheme = scheme})),
        stepper(make_stepper(scheme, contacts, settings.options)),
        state(system.initial()) {}
  void step() {
    if (system.has_colliders()) contacts.find(state, settings.dt);
    stepper->step(state, settings.dt);
    if (state.t >= settings.end) state = system.initial();
  }
};

// If a scheme cannot run the model (no friction, no flexible bodies), it has no entry.
void add(Entries& entries, const std::string& name, const std::string& scheme, int repeats, const Overrides& set = {}) {
  try {
    Run(name, scheme, set);
  } catch (const std::exception&) {
    return;
  }
  std::string label = "step/" + name;
  for (const auto& [key, value] : set) label += ":" + key + "=" + value;
  entries.push_back({label + "/" + scheme, repeats, [=]() -> std::function<void()> {
                       auto run = std::make_shared<Run>(name, scheme, set);
                       return [run] { run->step(); };
                     }});
}

}  // namespace

void add_steps(Entries& entries) {
  for (const char* model : {"bouncing_ball", "rotating_ball", "slider_crank", "slider_crank_bodies", "tippe_top"})
    for (const SchemeInfo& scheme : schemes()) add(entries, model, scheme.name, 300);
  for (const char* scheme : {"moreau-jean", "direct-projection", "combined-projection", "half-explicit-velocity"})
    add(entries, "slider_crank", scheme, 300, {{"mu", "0"}});
  add(entries, "slider_crank_natural", "ggl-unified", 300);
  add(entries, "slider_crank_bilateral_bodies", "ggl-unified", 300);
  add(entries, "block_on_slope", "combined-projection", 300);
  for (const char* scheme : {"ggl-unified", "half-explicit-velocity"}) add(entries, "chain_of_pendulums", scheme, 10);
  for (const char* N : {"100", "1000"}) add(entries, "elastic_bar", "moreau-jean", 50, {{"N", N}});
}

}  // namespace tappet::bench
