// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "record/found_names.h"

#include <map>

namespace tappet {

// Colliders are numbered as in the system: by entry, then by body of the entry, then by shape.
FoundNames FoundNames::of(const Model& model) {
  std::map<int, int> entries;  // by body
  for (const ColliderEntry& entry : model.colliders)
    for (int b = 0; b < entry.bodies; ++b) ++entries[entry.first_body < 0 ? -1 : entry.first_body + b];
  FoundNames result;
  for (size_t e = 0; e < model.colliders.size(); ++e)
    for (int b = 0; b < model.colliders[e].bodies; ++b) {
      const ColliderEntry& entry = model.colliders[e];
      const int body = entry.first_body < 0 ? -1 : entry.first_body + b;
      const std::string name = body < 0 ? std::string("ground") : model.bodies[body].name;
      result.party_of_collider.insert(result.party_of_collider.end(), entry.shapes.size(),
                                      static_cast<int>(result.names.size()));
      result.entry.push_back(static_cast<int>(e));
      result.names.push_back(entries[body] > 1 ? name + ":" + entry.name : name);
    }
  return result;
}

std::string pair_name(const FoundNames& names, int party_A, int party_B) {
  return names.names[party_A] + "-" + names.names[party_B];
}

}  // namespace tappet
