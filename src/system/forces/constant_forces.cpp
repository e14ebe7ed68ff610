// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "system/forces/constant_forces.h"

namespace tappet {

void add_constant_forces(const System& system, Vec& h) {
  for (const auto& [force, b] : system.weights()) {
    const System::Body& body = system.bodies()[b];
    const Gravity& gravity = std::get<Gravity>(system.model().forces[force].element);
    std::visit(
        [&]<class Element>(const Element& element) {
          if constexpr (!FlexibleBody<Element>) {
            const Vec3d weight = gravity.force(element.mass);
            for (int c = 0; c < body.nu; ++c)
              if (Element::twist[c] < 3) h[body.u + c] += weight[Element::twist[c]];
          }
        },
        system.model().bodies[b].element);
  }
  for (const System::Pad& pad : system.pads()) h[pad.u] -= pad.force;
}

}  // namespace tappet
