// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "scenes.h"

#include "run/models.h"
#include "system/system.h"

namespace peers {

Scene scene_of(const char* model, const tappet::Overrides& set) {
  const tappet::System system(tappet::load(tappet::find_model(model), set));
  const tappet::CollisionWorld world = system.collision_world();
  Scene scene;
  for (const tappet::Placed& placed : world.colliders())
    scene.colliders.push_back({placed.shape, placed.local, placed.body});
  for (const auto& entry : system.model().bodies) {
    const auto& body = std::get<tappet::RigidBody>(entry.element);
    scene.bodies.push_back({body.mass, {body.position, rotation_matrix(body.rotation)}, body.velocity});
  }
  const tappet::ContactLaw& law = system.model().colliders[0].law;
  scene.mu = law.mu[0], scene.e = law.e_N, scene.dt = system.model().run.dt;
  return scene;
}

}  // namespace peers
