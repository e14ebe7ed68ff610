// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/model.h"

namespace tappet {

// Calls `visit` with the contact law of every contact and collider of a model.
template <class AnyModel, class Visit>
void for_each_law(AnyModel& model, Visit visit) {
  for (auto& contact : model.formulas.contacts) visit(contact.law);
  for (auto& contact : model.contacts) visit(contact.law);
  for (auto& collider : model.colliders) visit(collider.law);
}

}  // namespace tappet
