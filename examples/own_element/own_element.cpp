// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0

// Three element types outside the library, each with the one function it consists of. The library differentiates that
// function, and reads the keys that describe() names from the model file.
#include <tappet/tappet.h>

#include <cmath>
#include <cstdio>
#include <numbers>

using namespace tappet;

// A force: A and B attract each other with strength/d².
struct Attraction {
  static constexpr std::string_view name = "attraction";
  double strength = 1.0;  // [N m²]

  template <class V>
  void describe(V& v) {
    v.required("strength", strength, positive, "force times the square of the distance");
  }
  template <class S>
  void wrench(const Pose<S>& A, const Twist<S>&, const Pose<S>& B, const Twist<S>&, const S&, Wrench<S>& on_A,
              Wrench<S>& on_B) const {
    const Vec3<S> d = B.p - A.p;
    const S r = norm(d);
    on_A.f = (strength / (r * r * r)) * d;
    on_B.f = -on_A.f;
  }
  double energy(const Pose<double>& A, const Pose<double>& B, double) const { return -strength / norm(B.p - A.p); }
};

// A contact: the origin of A stays inside a circle about the axis z of B.
struct Ring {
  static constexpr std::string_view name = "ring";
  double radius = 1.0;

  template <class V>
  void describe(V& v) {
    v.required("radius", radius, positive);
  }
  template <class S>
  Touch<S> touch(const Pose<S>& A, const Pose<S>& B, const S&) const {
    const Vec3<S> d{A.p.x - B.p.x, A.p.y - B.p.y, S(0.0)};
    const S r = norm(d);
    const Vec3<S> outward = (1.0 / r) * d;
    return {radius - r, A.p, A.p + (radius - r) * outward, -outward};
  }
};

// A joint: the origins of A and B keep their distance at the start.
struct Rod {
  static constexpr std::string_view name = "rod";
  double length = 0.0;

  template <class V>
  void describe(V&) {}
  void attach(const Pose<double>& A, const Pose<double>& B, bool) { length = norm(A.p - B.p); }
  int rows() const { return 1; }
  template <class S>
  void residual(const Pose<S>& A, const Pose<S>& B, const S&, S* g) const {
    const Vec3<S> d = A.p - B.p;
    g[0] = (dot(d, d) - length * length) / (2.0 * length);
  }
};

ElementTypes own_types() {
  ElementTypes types;
  types.add<Attraction>();
  types.add<Ring>();
  types.add<Rod>();
  return types;
}

bool near(const char* what, double found, double expected, double tolerance) {
  std::printf("%-28s %.6f (expected %.6f)\n", what, found, expected);
  return std::abs(found - expected) <= tolerance;
}

// Kepler's orbit about a fixed centre: strength/mass = 1, from distance 1 with velocity 1.2 across. The semi-major axis
// is a = 1/(2 − 1.2²), and half a period π a^(3/2) later the mass is at distance 2a − 1 on the other side.
bool orbit() {
  const double a = 1.0 / (2.0 - 1.44), half = std::numbers::pi * std::pow(a, 1.5);
  const Model model = parse_model(R"(
bodies: {moon: {type: point, mass: 1, position: [1, 0, 0], velocity: [0, 1.2, 0]}}
forces: {pull: {type: attraction, bodies: [moon, ground], strength: 1}}
)",
                                  "orbit.yaml", {}, own_types());
  const Result result = simulate(model, {.scheme = "moreau-midpoint", .dt = half / 20000, .end = half});
  const Vec& q = result.state.q;
  return near("orbit, furthest point", q[0], 1.0 - 2.0 * a, 1e-5) && near("orbit, across", q[1], 0.0, 1e-5);
}

// A bead that slides without friction inside a ring, from its lowest point. Without gravity its speed stays, so it goes
// through the angle v t/R.
bool bead() {
  const Model model = parse_model(R"(
bodies: {bead: {type: point, mass: 1, position: [0, -0.5, 0], velocity: [0.8, 0, 0]}}
contacts: {wall: {type: ring, bodies: [bead, ground], radius: 0.5}}
)",
                                  "bead.yaml", {}, own_types());
  const Result result = simulate(model, {.scheme = "moreau-midpoint", .dt = 1e-4, .end = 1});
  const Vec& q = result.state.q;
  return near("bead, angle", std::atan2(q[0], -q[1]), 0.8 / 0.5, 1e-3) &&
         near("bead, radius", std::hypot(q[0], q[1]), 0.5, 1e-3);
}

// A pendulum on a rod, from small amplitude: after a period 2π √(L/g) it is where it was.
bool pendulum() {
  const Model model = parse_model(R"(
bodies: {bob: {type: point, mass: 1, position: [1e-3, -1, 0]}}
joints: {rod: {type: rod, bodies: [bob, ground]}}
forces: {weight: {type: gravity, acceleration: [0, -9.81, 0]}}
)",
                                  "pendulum.yaml", {}, own_types());
  const double period = 2.0 * std::numbers::pi / std::sqrt(9.81);
  const Result result = simulate(model, {.scheme = "half-explicit-velocity", .dt = period / 10000, .end = period});
  return near("pendulum after a period", result.state.q[0] * 1e3, 1.0, 1e-4);
}

// A wrong key is refused with its place in the file.
bool refused() try {
  parse_model("bodies: {m: {type: point, mass: 1}}\ncontacts: {wall: {type: ring, bodies: [m, ground], radius: -1}}\n",
              "wrong.yaml", {}, own_types());
  return false;
} catch (const ModelError& error) {
  std::printf("%s\n", error.what());
  return error.file == "wrong.yaml" && error.place.line == 2 && error.key.find("radius") != std::string::npos;
}

int main() { return orbit() && bead() && pendulum() && refused() ? 0 : 1; }
