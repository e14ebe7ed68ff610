// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tappet/simulate.h>

#include "model/model.h"
#include "system/evaluator.h"

// What the handles of the public interface (tappet::api, include/tappet) hold. Files of this folder are compiled with
// TAPPET_INSIDE: api::System is the handle, System the class of the library.
namespace tappet::api {

struct Model::Inside {
  tappet::Model model;
  Settings parameters;  // with which it was read, and with these types of elements
  ElementTypes types;
};

struct System::Inside {
  explicit Inside(const api::Model& model) : model(model), system(model.inside().model) {}
  Inside(const api::Model& model, tappet::Model changed) : model(model), system(std::move(changed)) {}

  api::Model model;
  tappet::System system;
};

// A list of its own, or that of a run of the library.
struct ContactList::Inside {
  Inside(const api::System& system, const Execution& execution)
      : system(system), own(std::in_place, system.inside().system, execution), list(*own) {}
  Inside(const api::System& system, tappet::ContactList& of_run) : system(system), list(of_run) {}

  const api::System system;
  std::optional<tappet::ContactList> own;
  tappet::ContactList& list;
};

}  // namespace tappet::api
