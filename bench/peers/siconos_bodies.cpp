// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0

// The kernel of Siconos on the cases of rigid bodies. Each case stays in a plane and is posed there: a ball, a block on
// a slope (its frame lies along the slope), mechanisms with pins. MoreauJeanOSI, theta = 1/2, Newton to 1e-10.
#include <array>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "measures.h"
#include "siconos_run.h"

namespace peers {
namespace {

using std::make_shared;
using Point = std::array<double, 2>;
constexpr double gravity = 9.81;

SP::SiconosVector vector(std::initializer_list<double> numbers) {
  auto a = make_shared<SiconosVector>(static_cast<unsigned>(numbers.size()));
  unsigned i = 0;
  for (double x : numbers) (*a)(i++) = x;
  return a;
}

// The position of a point of a body, q = (x, y, angle), and its derivative with respect to the angle.
template <class Q>
Point placed(const Q& q, unsigned first, const Point& p) {
  const double c = std::cos(q(first + 2)), s = std::sin(q(first + 2));
  return {q(first) + c * p[0] - s * p[1], q(first + 1) + s * p[0] + c * p[1]};
}
template <class Q>
Point turned(const Q& q, unsigned first, const Point& p) {
  const double c = std::cos(q(first + 2)), s = std::sin(q(first + 2));
  return {-s * p[0] - c * p[1], c * p[0] - s * p[1]};
}

struct World {
  SP::NonSmoothDynamicalSystem system = make_shared<NonSmoothDynamicalSystem>(0.0, 1e9);
  struct Body {
    SP::LagrangianLinearTIDS ds;
    double mass, inertia;
  };
  std::vector<Body> bodies;

  const SiconosVector& q(size_t body) const { return *bodies[body].ds->q(); }
  const SiconosVector& v(size_t body) const { return *bodies[body].ds->velocity(); }

  void body(double mass, double inertia, SP::SiconosVector q, SP::SiconosVector v, const Point& down = {0, -1}) {
    auto M = make_shared<SimpleMatrix>(3, 3);
    (*M)(0, 0) = (*M)(1, 1) = mass, (*M)(2, 2) = inertia;
    bodies.push_back({make_shared<LagrangianLinearTIDS>(q, v, M), mass, inertia});
    bodies.back().ds->setFExtPtr(vector({mass * gravity * down[0], mass * gravity * down[1], 0.0}));
    system->insertDynamicalSystem(bodies.back().ds);
  }
  void link(SP::NonSmoothLaw law, SP::Relation relation, int a, int b = -1) {
    auto interaction = make_shared<Interaction>(law, relation);
    if (b < 0)
      system->link(interaction, bodies[a].ds);
    else
      system->link(interaction, bodies[a].ds, bodies[b].ds);
  }
  SP::TimeStepping simulation(double dt, SP::OneStepNSProblem problem) {
    auto simulation = make_shared<TimeStepping>(system, every(dt), make_shared<MoreauJeanOSI>(0.5), problem);
    simulation->setNewtonTolerance(1e-10);
    simulation->setNewtonMaxIteration(20);
    return simulation;
  }
  double energy() const {
    double sum = 0.0;
    for (size_t k = 0; k < bodies.size(); ++k) {
      const SiconosVector& u = v(k);
      sum += 0.5 * bodies[k].mass * (u(0) * u(0) + u(1) * u(1)) + 0.5 * bodies[k].inertia * u(2) * u(2) +
             bodies[k].mass * gravity * q(k)(1);
    }
    return sum;
  }
};

Row row(const char* test, const char* problem, const Run& r, double penetration, std::string error) {
  return {test,        siconos_name,    text("MoreauJeanOSI, %s, in the plane", problem), r.steps, r.us(),
          penetration, std::move(error)};
}

// --- contacts --------------------------------------------------------------------------------------------------------

Row ball_bounce(int steps) {
  constexpr double R = 0.1, drop = 1.0, e = 0.8;
  World world;
  world.body(1.0, 0.4 * R * R, vector({0, R + drop, 0}), vector({0, 0, 0}));
  auto H = make_shared<SimpleMatrix>(1, 3);
  (*H)(0, 1) = 1.0;
  world.link(make_shared<NewtonImpactNSL>(e), make_shared<LagrangianLinearTIR>(H, vector({-R})), 0);
  FirstApex ball;
  const Run r =
      run(*world.simulation(1e-3, make_shared<LCP>()), steps, [&] { ball.see(world.q(0)(1) - R, world.v(0)(1)); });
  return row("ball_bounce", "LCP", r, ball.penetration, ball.error(e, drop));
}

Row sphere_sliding(int steps) {
  constexpr double R = 0.1, mu = 0.3;
  World world;
  world.body(1.0, 0.4 * R * R, vector({0, R, 0}), vector({1, 0, 0}));
  auto H = make_shared<SimpleMatrix>(2, 3);
  (*H)(0, 1) = 1.0, (*H)(1, 0) = 1.0, (*H)(1, 2) = R;
  world.link(make_shared<NewtonImpactFrictionNSL>(0.0, 0.0, mu, 2),
             make_shared<LagrangianLinearTIR>(H, vector({-R, 0.0})), 0);
  Rolling ball;
  auto problem = make_shared<FrictionContact>(2, SICONOS_FRICTION_2D_LEMKE);
  const Run r = run(*world.simulation(1e-3, problem), steps, [&] { ball.see(world.q(0)(1) - R); });
  return row("sphere_sliding", "Lemke", r, ball.penetration, ball.error(world.v(0)(0)));
}

class Corner : public LagrangianScleronomousR {
 public:
  explicit Corner(const Point& p) : p_(p) { _jachq = make_shared<SimpleMatrix>(2, 3); }
  void computeh(const BlockVector& q, BlockVector&, SiconosVector& y) override {
    const Point at = placed(q, 0, p_);
    y.setValue(0, at[1]), y.setValue(1, at[0]);
  }
  void computeJachq(const BlockVector& q, BlockVector&) override {
    const Point turn = turned(q, 0, p_);
    _jachq->setValue(0, 1, 1.0), _jachq->setValue(0, 2, turn[1]);
    _jachq->setValue(1, 0, 1.0), _jachq->setValue(1, 2, turn[0]);
  }

 private:
  Point p_;
};

Row block_on_slope(int steps) {
  constexpr double a = 0.1, mu = 0.5, angle = 10.0 * M_PI / 180.0;
  World world;
  world.body(1.0, a * a / 6.0, vector({0, a / 2, 0}), vector({0, 0, 0}), {std::sin(angle), -std::cos(angle)});
  for (double side : {-1.0, 1.0})
    world.link(make_shared<NewtonImpactFrictionNSL>(0.0, 0.0, mu, 2), make_shared<Corner>(Point{side * a / 2, -a / 2}),
               0);
  double penetration = 0.0, at_1s = 0.0;
  int k = 0;
  auto problem = make_shared<FrictionContact>(2, SICONOS_FRICTION_2D_LEMKE);
  const Run r = run(*world.simulation(1e-3, problem), steps, [&] {
    penetration = std::max(penetration, a / 2 - world.q(0)(1));
    if (++k == steps / 10) at_1s = world.q(0)(0);
  });
  return row("block_on_slope", "Lemke", r, penetration, creep_error(world.q(0)(0) - at_1s));
}

// --- mechanisms ------------------------------------------------------------------------------------------------------

// A point of the first body stays at a point of the second, or at a point of the ground.
class Pin : public LagrangianScleronomousR {
 public:
  Pin(const Point& on_a, const Point& on_b, bool ground) : a_(on_a), b_(on_b), ground_(ground) {
    _jachq = make_shared<SimpleMatrix>(2, ground ? 3 : 6);
  }
  void computeh(const BlockVector& q, BlockVector&, SiconosVector& y) override {
    const Point a = placed(q, 0, a_), b = ground_ ? b_ : placed(q, 3, b_);
    for (unsigned i = 0; i < 2; ++i) y.setValue(i, a[i] - b[i]);
  }
  void computeJachq(const BlockVector& q, BlockVector&) override {
    const Point a = turned(q, 0, a_), b = ground_ ? Point{} : turned(q, 3, b_);
    for (unsigned i = 0; i < 2; ++i) {
      _jachq->setValue(i, i, 1.0), _jachq->setValue(i, 2, a[i]);
      if (!ground_) _jachq->setValue(i, 3 + i, -1.0), _jachq->setValue(i, 5, -b[i]);
    }
  }

 private:
  Point a_, b_;
  bool ground_;
};

struct Mechanism : World {
  struct Joint {
    int a, b;
    Point on_a, on_b;
  };
  std::vector<Joint> pins;

  void pin(int a, const Point& on_a, int b, const Point& on_b) {
    link(make_shared<EqualityConditionNSL>(2), make_shared<Pin>(on_a, on_b, b < 0), a, b);
    pins.push_back({a, b, on_a, on_b});
  }
  double gap() const {
    double largest = 0.0;
    for (const Joint& j : pins) {
      const Point a = placed(q(j.a), 0, j.on_a), b = j.b < 0 ? j.on_b : placed(q(j.b), 0, j.on_b);
      largest = std::max(largest, std::hypot(a[0] - b[0], a[1] - b[1]));
    }
    return largest;
  }
};

// The ideal mechanism of Schindler 2014, Table 1.
Row slider_crank_ideal(int steps) {
  constexpr double l1 = 0.153, l2 = 0.306, omega = 150.0, omega2 = -l1 / l2 * omega;
  Mechanism m;
  m.body(0.038, 7.4e-5, vector({l1 / 2, 0, 0}), vector({0, l1 / 2 * omega, omega}));
  m.body(0.038, 5.9e-4, vector({l1 + l2 / 2, 0, 0}), vector({0, l1 * omega + l2 / 2 * omega2, omega2}));
  m.body(0.076, 2.7e-6, vector({l1 + l2, 0, 0}), vector({0, 0, 0}));
  m.pin(0, {-l1 / 2, 0}, -1, {0, 0});
  m.pin(0, {l1 / 2, 0}, 1, {-l2 / 2, 0});
  m.pin(1, {l2 / 2, 0}, 2, {0, 0});
  auto H = make_shared<SimpleMatrix>(2, 3);
  (*H)(0, 1) = (*H)(1, 2) = 1.0;
  m.link(make_shared<EqualityConditionNSL>(2), make_shared<LagrangianLinearTIR>(H), 2);
  const double at_first = m.energy();
  double gap = 0.0;
  const Run r = run(*m.simulation(1e-4, make_shared<Equality>()), steps, [&] {
    gap = std::max({gap, m.gap(), std::abs(m.q(2)(1))});
  });
  return row("slider_crank_ideal", "Equality", r, -1.0, energy_error(m.energy(), at_first, gap));
}

// A hundred links that are level at the start and swing down under gravity.
Row chain(int steps) {
  constexpr int count = 100;
  constexpr double l = 0.1, d = 0.02, mass = 0.1;
  Mechanism m;
  for (int k = 0; k < count; ++k)
    m.body(mass, mass * (l * l + d * d) / 12.0, vector({(k + 0.5) * l, 0, 0}), vector({0, 0, 0}));
  m.pin(0, {-l / 2, 0}, -1, {0, 0});
  for (int k = 1; k < count; ++k) m.pin(k - 1, {l / 2, 0}, k, {-l / 2, 0});
  const double at_first = m.energy(), scale = count * mass * gravity * 0.5 * count * l;
  double gap = 0.0, drift = 0.0;
  const Run r = run(*m.simulation(1e-3, make_shared<Equality>()), steps, [&] {
    drift = std::max(drift, std::abs(m.energy() - at_first));
    gap = std::max(gap, m.gap());
  });
  return row("chain_100", "Equality", r, -1.0, drift_error(drift, scale, gap));
}

struct Case {
  const char* name;
  int steps;
  Row (*run)(int steps);
};
constexpr Case cases[] = {{"ball_bounce", 2000, ball_bounce},
                          {"sphere_sliding", 1000, sphere_sliding},
                          {"block_on_slope", 10000, block_on_slope},
                          {"slider_crank_ideal", 10000, slider_crank_ideal},
                          {"chain_100", 2000, chain}};

}  // namespace
}  // namespace peers

int main(int argc, char** argv) {
  for (const peers::Case& c : peers::cases)
    if (argc < 2 || std::strcmp(argv[1], c.name) == 0) peers::print(c.run(argc > 2 ? std::atoi(argv[2]) : c.steps));
}
