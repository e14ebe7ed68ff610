// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0

// The cases that every engine with rigid bodies runs. Only step() is timed.
#include <cmath>
#include <cstring>

#include "collision/collision_world.h"
#include "engine.h"
#include "measures.h"
#include "scenes.h"

namespace peers {
namespace {

using namespace tappet;

// Instructions are counted in this function only.
[[gnu::noinline]] void timed_step(Engine& engine) { engine.step(); }

struct Clock {
  double seconds = 0.0;
  int steps = 0;

  void step(Engine& engine) {
    const double from = processor_seconds();
    timed_step(engine);
    seconds += processor_seconds() - from - clock_cost();
    ++steps;
  }
  // The names of engine and setting are added when the row is printed. penetration < 0 means that it does not apply.
  Row row(double penetration, std::string error) const {
    return {"", "", "", steps, 1e6 * seconds / steps, penetration, std::move(error)};
  }
};

std::vector<Pose<double>> poses(const Engine& engine, int bodies) {
  std::vector<Pose<double>> all;
  for (int i = 0; i < bodies; ++i) all.push_back(engine.pose(i));
  return all;
}

double deepest(CollisionWorld& world, const std::vector<Pose<double>>& bodies) {
  static std::vector<TouchPoint> touches;
  world.find(bodies, 0.0, touches);
  double depth = 0.0;
  for (const TouchPoint& touch : touches) depth = std::max(depth, -touch.gap);
  return depth;
}

// Bodies get the numbers that they have in the scene.
void build(const Scene& scene, bool exact, Engine& engine) {
  engine.begin({.dt = scene.dt, .mu = scene.mu, .e = scene.e, .exact = exact});
  for (const Collider& c : scene.colliders) {
    if (c.shape.kind == Shape::Kind::half_space) {
      const Vec3d normal = c.pose.R * Vec3d{0, 0, 1};
      engine.plane(normal, dot(normal, c.pose.p));
      continue;
    }
    const Scene::Body& body = scene.bodies[c.body];
    if (c.shape.kind == Shape::Kind::convex)
      engine.convex(c.shape.core->vertices, c.shape.core->radius, body.mass, body.pose);
    else if (c.shape.kind == Shape::Kind::sphere)
      engine.sphere(c.shape.radius, body.mass, body.pose.p, body.velocity);
    else
      engine.box(2.0 * c.shape.half, body.mass, body.pose, body.velocity);
  }
  engine.start();
}

Row many_spheres(Engine& engine, int steps) {
  const Scene scene = scene_of("spheres_in_box");
  build(scene, false, engine);
  CollisionWorld world(scene.colliders);
  Clock clock;
  double penetration = 0.0, late = 0.0;
  const int count = static_cast<int>(scene.bodies.size());
  std::string end;
  for (int k = 0; k < steps; ++k) {
    clock.step(engine);
    if (!engine.healthy()) {
      end = text("; its buffers are full at %.2f s", scene.dt * k);
      break;
    }
    if (k % 20 != 19) continue;
    const double depth = deepest(world, poses(engine, count));
    penetration = std::max(penetration, depth);
    late = k >= steps - 200 ? std::max(late, depth) : depth;
  }
  double speed2 = 0.0;
  for (int i = 0; i < count; ++i) speed2 += dot(engine.velocity(i).first, engine.velocity(i).first);
  return clock.row(penetration, rest_error(late, std::sqrt(speed2 / count)) + end);
}

Row pyramid(Engine& engine, int steps) {
  const Scene scene = scene_of("cube_pyramid");
  build(scene, false, engine);
  CollisionWorld world(scene.colliders);
  Clock clock;
  double penetration = 0.0, shift = 0.0;
  const int count = static_cast<int>(scene.bodies.size());
  for (int k = 0; k < steps; ++k) {
    clock.step(engine);
    if (k % 50 != 49) continue;
    penetration = std::max(penetration, deepest(world, poses(engine, count)));
    for (int i = 0; i < count; ++i) shift = std::max(shift, norm(engine.pose(i).p - scene.bodies[i].pose.p));
  }
  return clock.row(penetration, shift_error(shift));
}

Row rocks(Engine& engine, int steps) {
  const Scene scene = scene_of("rocks_in_box", two_hundred_rocks);
  build(scene, false, engine);
  CollisionWorld world(scene.colliders);
  Clock clock;
  double penetration = 0.0, late = 0.0, speed2 = 0.0;
  const int count = static_cast<int>(scene.bodies.size());
  for (int k = 0; k < steps; ++k) {
    clock.step(engine);
    if (k % 20 != 19) continue;
    late = deepest(world, poses(engine, count));
    penetration = std::max(penetration, late);
  }
  for (int i = 0; i < count; ++i) speed2 += dot(engine.velocity(i).first, engine.velocity(i).first);
  return clock.row(penetration, rest_error(late, std::sqrt(speed2 / count)));
}

// A ball is dropped by 1 m with e = 0.8. Its first apex is 0.64 m.
Row ball_bounce(Engine& engine, int steps) {
  const Scene scene = scene_of("bouncing_sphere");
  const double R = 0.1, drop = scene.bodies[0].pose.p.z - R;
  build(scene, true, engine);
  Clock clock;
  FirstApex ball;
  for (int k = 0; k < steps; ++k) {
    clock.step(engine);
    ball.see(engine.pose(0).p.z - R, engine.velocity(0).first.z);
  }
  return clock.row(ball.penetration, ball.error(scene.e, drop));
}

Row block_on_slope(Engine& engine, int steps) {
  const Scene scene = scene_of("block_on_slope");
  const Pose<double> start = scene.bodies[0].pose;
  const Vec3d n = start.R * Vec3d{0, 0, 1}, down = start.R * Vec3d{1, 0, 0};
  build(scene, true, engine);
  Clock clock;
  double penetration = 0.0, at_1s = 0.0;
  for (int k = 0; k < steps; ++k) {
    clock.step(engine);
    penetration = std::max(penetration, dot(n, start.p - engine.pose(0).p));
    if (k == steps / 10 - 1) at_1s = dot(down, engine.pose(0).p);  // the engine has settled the block by then
  }
  return clock.row(penetration, creep_error(dot(down, engine.pose(0).p) - at_1s));
}

Row sphere_sliding(Engine& engine, int steps) {
  const Scene scene = scene_of("sliding_sphere");
  const double R = scene.bodies[0].pose.p.z;
  build(scene, true, engine);
  Clock clock;
  Rolling ball;
  for (int k = 0; k < steps; ++k) {
    clock.step(engine);
    ball.see(engine.pose(0).p.z - R);
  }
  return clock.row(ball.penetration, ball.error(engine.velocity(0).first.x));
}

double energy_of(const Engine& engine, int body, double mass, const Vec3d& inertia, double g) {
  const auto [v, w] = engine.velocity(body);
  const Pose<double> at = engine.pose(body);
  const Vec3d spin = transposed_times(at.R, w);
  return 0.5 * mass * dot(v, v) + mass * g * at.p.z +
         0.5 * (inertia.x * spin.x * spin.x + inertia.y * spin.y * spin.y + inertia.z * spin.z * spin.z);
}

// The ideal mechanism of Schindler 2014, Table 1, in the plane y = 0.
Row slider_crank_ideal(Engine& engine, int steps) {
  constexpr double l1 = 0.153, l2 = 0.306, omega = 150.0, omega2 = -l1 / l2 * omega;
  const double m[3] = {0.038, 0.038, 0.076}, J[3] = {7.4e-5, 5.9e-4, 2.7e-6};
  engine.begin({.dt = 1e-4, .exact = true});
  const auto link = [&](int k, const Vec3d& p, double vz, double spin) {
    return engine.link(m[k], {0.1 * J[k] + 1e-6, J[k], J[k]}, p, {0, 0, vz}, {0, -spin, 0});
  };
  const int crank = link(0, {l1 / 2, 0, 0}, l1 / 2 * omega, omega);
  const int rod = link(1, {l1 + l2 / 2, 0, 0}, l1 * omega + l2 / 2 * omega2, omega2);
  const int slider = link(2, {l1 + l2, 0, 0}, 0.0, 0.0);
  const Vec3d y{0, 1, 0};
  engine.hinge(-1, crank, {0, 0, 0}, y);
  engine.hinge(crank, rod, {l1, 0, 0}, y);
  engine.slide(-1, slider, {1, 0, 0});
  engine.hinge(rod, slider, {l1 + l2, 0, 0}, y);
  engine.start();
  const auto energy = [&] {
    double sum = 0.0;
    for (int k = 0; k < 3; ++k) sum += energy_of(engine, k, m[k], {0.0, J[k], 0.0}, 9.81);
    return sum;
  };
  const double at_first = energy();
  Clock clock;
  double gap = 0.0;
  for (int k = 0; k < steps; ++k) {
    clock.step(engine);
    const auto A = engine.pose(crank), B = engine.pose(rod), C = engine.pose(slider);
    gap = std::max({gap, norm(A.point(Vec3d{-l1 / 2, 0, 0})), std::abs(C.p.z),
                    norm(A.point(Vec3d{l1 / 2, 0, 0}) - B.point(Vec3d{-l2 / 2, 0, 0})),
                    norm(B.point(Vec3d{l2 / 2, 0, 0}) - C.p)});
  }
  return clock.row(-1.0, energy_error(energy(), at_first, gap));
}

// A hundred links that are level at the start and swing down under gravity.
Row chain(Engine& engine, int steps) {
  const Chain scene;
  engine.begin({});
  for (int k = 0; k < scene.count; ++k)
    engine.link(scene.mass, scene.inertia(), {(k + 0.5) * scene.length, 0, 0}, {}, {});
  for (int k = 0; k < scene.count; ++k) engine.hinge(k - 1, k, {k * scene.length, 0, 0}, {0, 1, 0});
  engine.start();
  const auto energy = [&] {
    double sum = 0.0;
    for (int k = 0; k < scene.count; ++k) sum += energy_of(engine, k, scene.mass, scene.inertia(), 9.81);
    return sum;
  };
  Clock clock;
  double gap = 0.0, drift = 0.0;
  const double at_first = energy(), scale = scene.count * scene.mass * 9.81 * 0.5 * scene.count * scene.length;
  const Vec3d end{0.5 * scene.length, 0, 0};
  for (int k = 0; k < steps; ++k) {
    clock.step(engine);
    if (k % 10 != 9) continue;
    drift = std::max(drift, std::abs(energy() - at_first));
    for (int i = 0; i < scene.count; ++i)
      gap = std::max(gap, norm(engine.pose(i).point(-end) - (i ? engine.pose(i - 1).point(end) : Vec3d{})));
  }
  return clock.row(-1.0, drift_error(drift, scale, gap));
}

struct Case {
  const char* name;
  int steps;
  bool exact, mechanism;
  Row (*run)(Engine&, int);
};
constexpr Case cases[] = {{"ball_bounce", 2000, true, false, ball_bounce},
                          {"block_on_slope", 10000, true, false, block_on_slope},
                          {"sphere_sliding", 1000, true, false, sphere_sliding},
                          {"slider_crank_ideal", 10000, true, true, slider_crank_ideal},
                          {"chain_100", 2000, false, true, chain},
                          {"spheres_in_box", 2000, false, false, many_spheres},
                          {"pyramid_210", 10000, false, false, pyramid},
                          {"rocks_200", 1500, false, false, rocks}};

}  // namespace

int run_cases(const Peer& peer, int argc, char** argv) {
  for (const Case& c : cases) {
    if (argc > 1 && std::strcmp(argv[1], c.name) != 0) continue;
    if (peer.mechanisms_only && !c.mechanism) continue;
    const auto engine = peer.make();
    if (c.run == rocks && !engine->has_convex()) continue;
    Row row = c.run(*engine, argc > 2 ? std::atoi(argv[2]) : c.steps);
    row.test = c.name, row.engine = peer.name, row.setting = c.exact ? peer.exact_setting : peer.setting;
    print(row);
  }
  return 0;
}

}  // namespace peers
