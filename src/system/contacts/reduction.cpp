// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "system/contacts/reduction.h"

#include <fmt/format.h>
#include <tappet/error.h>

namespace tappet {

bool is_reduction_on(const std::string& text) {
  if (text == "on" || text == "true") return true;
  if (text == "off" || text == "false") return false;
  throw UsageError(fmt::format("reduction={}: expected `on` or `off`", text));
}

bool reduces_contacts(const Model& model) {
  bool reduces = true;
  for (const Option& option : model.run.options) {
    if (option.key != reduction_key) continue;
    try {
      reduces = is_reduction_on(option.value);
    } catch (const UsageError&) {
      throw ModelError(model.file, option.place, "run.reduction",
                       fmt::format("found '{}'; expected on or off", option.value));
    }
    if (!reduces && model.colliders.empty())
      throw ModelError(model.file, option.place, "run.reduction",
                       "the model has no `colliders:`; expected some, whose contacts are then not reduced");
  }
  return reduces;
}

}  // namespace tappet
