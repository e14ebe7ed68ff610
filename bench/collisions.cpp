// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0

// Finding the contacts of a settled pile, for which the pairs are kept, and of a pile that jumped, for which the search
// is repeated.
#include <cmath>
#include <memory>

#include "collision/collision_world.h"
#include "entries.h"

namespace tappet::bench {
namespace {

struct Pile {
  std::vector<Pose<double>> bodies;
  std::unique_ptr<CollisionWorld> world;
  std::vector<TouchPoint> touches;
  double shift = 0.02;

  Pile(const Shape& shape, int count) {
    const int side = static_cast<int>(std::ceil(std::cbrt(count)));
    std::vector<Collider> colliders = container({0, 0, 50}, {0.1 * side, 0.1 * side, 100}, false);
    for (int i = 0; i < count; ++i) {
      colliders.push_back({shape, {}, i});
      const int k[3] = {i % side, i / side % side, i / side / side};
      bodies.push_back({{0.1 * (k[0] - 0.5 * (side - 1)), 0.1 * (k[1] - 0.5 * (side - 1)), 0.1 * (k[2] + 0.5)}});
    }
    world = std::make_unique<CollisionWorld>(std::move(colliders));
    find();
  }
  void find() { world->find(bodies, 1e-3, touches); }
  void jump() {
    for (Pose<double>& body : bodies) body.p.z += shift;
    shift = -shift;
    find();
  }
};

}  // namespace

void add_collisions(Entries& entries) {
  const std::pair<const char*, Shape> shapes[] = {{"spheres", Shape::sphere(0.05)},
                                                  {"boxes", Shape::box({0.1, 0.1, 0.1})},
                                                  {"capsules", Shape::capsule(0.04, 0.03)}};
  for (const auto& [name, shape] : shapes) {
    entries.push_back({std::string("collide/") + name + "_1000/settled", 2, [shape = shape]() -> std::function<void()> {
                         auto pile = std::make_shared<Pile>(shape, 1000);
                         return [pile] { pile->find(); };
                       }});
    entries.push_back({std::string("collide/") + name + "_1000/jumped", 2, [shape = shape]() -> std::function<void()> {
                         auto pile = std::make_shared<Pile>(shape, 1000);
                         return [pile] { pile->jump(); };
                       }});
  }
}

}  // namespace tappet::bench
