// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
//
// Many instances of the slider-crank with ideal joints (models/schoeder2013/slider_crank_bilateral_bodies.yaml) with
// MuJoCo on all cores, for comparison with `tappet batch --on cpu`:
//   g++ -O2 -std=c++20 -o mujoco mujoco.cpp -lmujoco -pthread && ./mujoco COUNT STEPS DT [THREADS]
// The loop is closed by a connection that is as stiff as MuJoCo's manual allows. It prints the rate and the largest gap
// of this connection.
#include <mujoco/mujoco.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

static std::string crank(double dt) {
  char text[2000];
  std::snprintf(text, sizeof text, R"(<mujoco><compiler angle="radian"/>
<option gravity="0 -9.81 0" timestep="%.17g" integrator="Euler" solver="Newton"/>
<worldbody>
 <body name="crank"><joint type="hinge" axis="0 0 1"/>
  <inertial pos="0.0765 0 0" mass="0.038" diaginertia="7.4e-5 7.4e-5 7.4e-5"/>
  <body name="rod" pos="0.153 0 0"><joint type="hinge" axis="0 0 1"/>
   <inertial pos="0.153 0 0" mass="0.038" diaginertia="5.9e-4 5.9e-4 5.9e-4"/></body></body>
 <body name="slider" pos="0.459 0 0"><joint type="slide" axis="1 0 0"/>
  <inertial pos="0 0 0" mass="0.076" diaginertia="1e-5 1e-5 1e-5"/></body>
</worldbody>
<equality><connect body1="rod" body2="slider" anchor="0.306 0 0" solref="%.17g 1"/></equality></mujoco>)",
                dt, 2.0 * dt);
  return text;
}

int main(int argc, char** argv) {
  if (argc < 4) return std::fprintf(stderr, "usage: mujoco COUNT STEPS DT [THREADS]\n"), 2;
  const long count = std::atol(argv[1]), steps = std::atol(argv[2]);
  const double dt = std::atof(argv[3]);
  const int threads = argc > 4 ? std::atoi(argv[4]) : static_cast<int>(std::thread::hardware_concurrency());
  const std::string text = crank(dt);
  mjVFS* files = new mjVFS;
  mj_defaultVFS(files);
  mj_makeEmptyFileVFS(files, "crank.xml", static_cast<int>(text.size()));
  std::memcpy(files->filedata[0], text.data(), text.size());
  char error[1000] = {};
  mjModel* model = mj_loadXML("crank.xml", files, error, sizeof error);
  if (!model) return std::fprintf(stderr, "%s\n", error), 1;
  std::atomic<long> next{0};
  std::vector<double> worst(threads, 0.0);
  const auto start = std::chrono::steady_clock::now();
  std::vector<std::thread> workers;
  for (int w = 0; w < threads; ++w)
    workers.emplace_back([&, w] {
      mjModel* own = mj_copyModel(nullptr, model);
      mjData* data = mj_makeData(own);
      for (long i = next++; i < count; i = next++) {
        const double share = static_cast<double>(i) / static_cast<double>(count);
        own->body_mass[2] = 0.03 + 0.01 * share;
        mj_setConst(own, data);
        mj_resetData(own, data);
        const double omega = 140.0 + 20.0 * share;
        data->qvel[0] = omega, data->qvel[1] = -1.5 * omega, data->qvel[2] = 0.0;
        for (long step = 0; step < steps; ++step) {
          mj_step(own, data);
          worst[w] = std::max(worst[w], std::hypot(data->efc_pos[0], data->efc_pos[1], data->efc_pos[2]));
        }
      }
      mj_deleteData(data);
      mj_deleteModel(own);
    });
  for (std::thread& worker : workers) worker.join();
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  std::printf("MuJoCo %s, %d threads: %.3e steps/s, largest gap of the joint %.1e m\n", mj_versionString(), threads,
              static_cast<double>(count * steps) / seconds, *std::max_element(worst.begin(), worst.end()));
}
