// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0

// The evaluations of a step, at the initial state with every contact in the set.
#include <numeric>

#include "entries.h"
#include "run/models.h"
#include "system/evaluator.h"

namespace tappet::bench {
namespace {

struct At {
  Model model;
  System system;
  ContactList contacts;
  Evaluator evaluator;
  State s;
  ContactSet all;
  BlockMatrix M, A;
  BlockRows W, by_q, by_u;
  Vec h, chi, zeta, a, gaps;

  explicit At(const std::string& name)
      : model(load(find_model(name))), system(model), contacts(system), evaluator(contacts) {
    s = system.initial();
    all.resize(contacts.size());
    std::iota(all.begin(), all.end(), 0);
    a = Vec(system.u_size(), 1.0);
    M = system.mass_matrix();
    A = system.iteration_matrix();
  }
};

}  // namespace

void add_derivatives(Entries& entries) {
  using Function = void (*)(At&);
  const std::pair<const char*, Function> functions[] = {
      {"mass_and_forces", [](At& at) { at.evaluator.mass_and_forces(at.s.t, at.s.q, at.s.u, at.M, at.h); }},
      {"gaps", [](At& at) { at.evaluator.gaps(at.s.t, at.s.q, at.gaps); }},
      {"directions", [](At& at) { at.evaluator.directions(at.s.t, at.s.q, at.all, at.W, at.chi); }},
      {"accelerations", [](At& at) { at.evaluator.accelerations(at.s.t, at.s.q, at.s.u, at.all, at.zeta); }},
      {"force_derivatives", [](At& at) { at.evaluator.add_force_derivatives(at.s.t, at.s.q, at.s.u, 1.0, 1.0, at.A); }},
      {"acceleration_derivatives",
       [](At& at) { at.evaluator.acceleration_derivatives(at.s.t, at.s.q, at.s.u, at.a, at.all, at.by_q, at.by_u); }}};
  for (const char* model : {"slider_crank", "slider_crank_bodies", "tippe_top"})
    for (const auto& [name, function] : functions)
      entries.push_back(
          {std::string("evaluate/") + model + "/" + name, 20, [model, function = function]() -> std::function<void()> {
             auto at = std::make_shared<At>(model);
             function(*at);
             return [at, function] { function(*at); };
           }});
}

}  // namespace tappet::bench
