// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0

// A ball and a wheel along the same path over the same heights: the time of a query of Tappet and of MuJoCo's height
// field in one run. Tappet's wheel is a torus; MuJoCo has none, so its wheel is a cylinder of the same size. Both give
// all contacts within 1 mm.
//   peer_terrain [QUERIES]
#include "collision/terrain/terrain.h"

#include <mujoco/mujoco.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "collision/narrow_phase.h"
#include "row.h"

namespace peers {
namespace {

using namespace tappet;

constexpr int n = 200;
constexpr double spacing = 0.1, low = -0.25, high = 0.25, radius = 0.25, tube = 0.05, margin = 1e-3;

double height(double x, double y) {
  return 0.15 * std::sin(1.1 * x + 0.3) * std::cos(0.9 * y) + 0.05 * std::sin(2.7 * x - 1.3 * y) +
         0.02 * std::cos(4.1 * y + 0.7 * x);
}

// Half a millimetre in the ground, rolling along its direction of travel.
struct Place {
  double x, y, z, heading;
};
std::vector<Place> path(int count) {
  std::vector<Place> places;
  for (int k = 0; k < count; ++k) {
    const double s = 12.0 * k / count, x = 3.0 + s, y = 4.0 + 0.8 * s;
    places.push_back({x, y, height(x, y) + radius - 5e-4, std::atan2(0.8, 1.0)});
  }
  return places;
}

struct Measured {
  double us = 1e300, contacts = 0.0;
};
// `query` puts the body to a place, and `search` looks for its contacts and returns their number. Only the latter is
// timed.
template <class Put, class Search>
Measured measure(const std::vector<Place>& places, Put&& put, Search&& search) {
  Measured best;
  for (int repeat = 0; repeat < 5; ++repeat) {
    double seconds = 0.0, contacts = 0.0;
    for (const Place& place : places) {
      put(place);
      const double from = processor_seconds();
      contacts += search();
      seconds += processor_seconds() - from - clock_cost();
    }
    const double us = 1e6 * seconds / static_cast<double>(places.size());
    if (us < best.us) best = {us, contacts / static_cast<double>(places.size())};
  }
  return best;
}

Measured with_tappet(const std::vector<Place>& places, bool wheel) {
  std::vector<double> heights;
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) heights.push_back(height(i * spacing, j * spacing));
  const Shape land = Shape::of(std::make_shared<const Terrain>(HeightField(n, n, {0, 0}, {spacing, spacing}, heights)));
  const Shape shape = wheel ? Shape::wheel(radius, tube) : Shape::sphere(radius);
  const Pose<double> none{{}, Mat3d::identity()};
  Pose<double> pose = none;
  std::vector<TouchPoint> out;
  return measure(
      places,
      [&](const Place& p) {
        const double c = std::cos(p.heading), s = std::sin(p.heading);
        pose.p = {p.x, p.y, p.z};
        pose.R = {{c, s, 0.0}, {0.0, 0.0, 1.0}, {s, -c, 0.0}};  // the axis is z of the shape
      },
      [&] {
        out.clear();
        touch({shape, pose, none, 0, 0}, {land, none, none, -1, 1}, margin, out);
        return static_cast<double>(out.size());
      });
}

Measured with_mujoco(const std::vector<Place>& places, bool wheel) {
  const double half = 0.5 * spacing * (n - 1);
  const auto file = std::filesystem::temp_directory_path() / "tappet_peer_terrain.xml";
  std::ofstream(file)
      << "<mujoco><option gravity='0 0 0'/><size njmax='2000' nconmax='500'/><asset><hfield name='h' nrow='" << n
      << "' ncol='" << n << "' size='" << half << ' ' << half << ' ' << high - low
      << " 0.5'/></asset><worldbody><geom type='hfield' hfield='h' pos='" << half << ' ' << half << ' ' << low
      << "' margin='" << margin << "'/><body><freejoint/><geom type='" << (wheel ? "cylinder" : "sphere") << "' size='"
      << (wheel ? "0.25 0.05' euler='90 0 0" : "0.25") << "' mass='1' margin='0'/></body></worldbody></mujoco>";
  char error[500] = "";
  mjModel* model = mj_loadXML(file.c_str(), nullptr, error, sizeof error);
  std::filesystem::remove(file);
  if (!model) std::fprintf(stderr, "%s\n", error), std::exit(1);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i)
      model->hfield_data[j * n + i] = static_cast<float>((height(i * spacing, j * spacing) - low) / (high - low));
  mjData* data = mj_makeData(model);
  const Measured measured = measure(
      places,
      [&](const Place& p) {
        data->qpos[0] = p.x, data->qpos[1] = p.y, data->qpos[2] = p.z;
        data->qpos[3] = std::cos(0.5 * p.heading), data->qpos[4] = data->qpos[5] = 0.0,
        data->qpos[6] = std::sin(0.5 * p.heading);
        mj_kinematics(model, data);
      },
      [&] {
        mj_collision(model, data);
        return static_cast<double>(data->ncon);
      });
  mj_deleteData(data), mj_deleteModel(model);
  return measured;
}

}  // namespace
}  // namespace peers

int main(int argc, char** argv) {
  using namespace peers;
  const auto places = path(argc > 1 ? std::atoi(argv[1]) : 4000);
  std::printf("| | Tappet, µs | contacts | MuJoCo, µs | contacts | ratio |\n|---|---|---|---|---|---|\n");
  for (const bool wheel : {false, true}) {
    const Measured own = with_tappet(places, wheel), other = with_mujoco(places, wheel);
    std::printf("| %s | %.2f | %.1f | %.1f | %.1f | %.0f |\n", wheel ? "wheel" : "ball", own.us, own.contacts, other.us,
                other.contacts, other.us / own.us);
  }
}
