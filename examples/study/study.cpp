// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0

// A thousand drops of a ball whose restitution is only known roughly.
#include <tappet/tappet.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace {

const char* const ball = R"(
parameters: {h: 1, g: 9.81, e: 0.7}
coordinates: {y: {position: h, velocity: 0}}
lagrangian: {kinetic: y'^2/2, potential: g*y}
contacts: {floor: {gap: y, e_N: e}}
run: {scheme: event-driven, dt: 1e-3, end: 1}
)";

// The first impact is at t = √(2h/g) = 0.45 s, the second one at least √(8h/g) 0.6 = 0.54 s later.
const char* const study = R"(
vary: {e: {normal: [0.7, 0.02]}}
samples: 1000
measure:
  height: {max: y, from: sqrt(2*h/g), to: 1}
)";

}  // namespace

int main() {
  const tappet::StudyResult result = tappet::run_study(tappet::parse_model(ball), study);
  const std::vector<double>& e = result.parameter("e").values;
  std::vector<double> heights = result.measure("height").values;
  double worst = 0.0;
  for (long run = 0; run < result.runs(); ++run) worst = std::max(worst, std::abs(heights[run] - e[run] * e[run]));
  std::sort(heights.begin(), heights.end());
  std::printf("%ld runs: 5 %% rise less than %.4f m, half of them less than %.4f m, 95 %% less than %.4f m\n",
              result.runs(), heights[50], heights[500], heights[950]);
  std::printf("largest distance from e^2 h: %.1e m\n", worst);
  // The highest sample is at most half a step away from the highest point.
  const double half_a_step = 9.81 * 0.5e-3 * 0.5e-3 / 2;
  return result.runs() == 1000 && worst <= half_a_step + 1e-9 ? 0 : 1;
}
