// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "scenes.h"

#include <cmath>
#include <random>

namespace peers {

Spheres spheres_in_box() {
  Spheres scene;
  const double R = scene.radius;
  scene.mass = 1000.0 * 4.0 / 3.0 * M_PI * R * R * R;
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> jitter(-0.09 * R, 0.09 * R);
  for (int k = 0; k < 10; ++k)
    for (int j = 0; j < 10; ++j)
      for (int i = 0; i < 10; ++i) {
        const double x = jitter(random), y = jitter(random), z = jitter(random);
        scene.centers.push_back(Vec3d{(i - 4.5) * 2.2 * R, (j - 4.5) * 2.2 * R, 2.0 * R + k * 2.2 * R} +
                                Vec3d{x, y, z});
      }
  return scene;
}

Pyramid pyramid_of_cubes() {
  Pyramid scene;
  for (int row = 0; row < 20; ++row)
    for (int k = 0; k < 20 - row; ++k)
      scene.centers.push_back({(k - 0.5 * (19 - row)) * 1.1 * scene.edge, 0.0, (row + 0.5) * scene.edge});
  return scene;
}

}  // namespace peers
