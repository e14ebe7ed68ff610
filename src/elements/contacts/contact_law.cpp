// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "elements/contacts/contact_law.h"

namespace tappet {

std::string ContactLaw::check() const {
  if (friction == Friction::contensou && patch_radius <= 0.0)
    return "friction: contensou needs a positive patch_radius";
  if (friction != Friction::contensou && patch_radius > 0.0) return "patch_radius belongs to friction: contensou";
  if (direction && mu[0] == mu[1]) return "direction belongs to two different values of mu";
  if (friction == Friction::planar && mu[0] != mu[1]) return "planar friction has one value of mu";
  return {};
}

}  // namespace tappet
