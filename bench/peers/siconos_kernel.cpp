// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0

// The kernel of Siconos on the models of models/acary2012 and models/schindler2014, with the same step, theta and
// restitution. Only the steps are timed.
#include <SiconosKernel.hpp>
#include <TimeSteppingCombinedProjection.hpp>
#include <TimeSteppingDirectProjection.hpp>
#include <array>
#include <cmath>
#include <cstring>

#include "siconos_run.h"

namespace peers {
namespace {

using std::make_shared;

// --- bouncing ball ---------------------------------------------------------------------------------------------------

Row bouncing_ball(int steps) {
  auto q = make_shared<SiconosVector>(1), v = make_shared<SiconosVector>(1), f = make_shared<SiconosVector>(1);
  (*q)(0) = 1.0, (*f)(0) = -2.0;
  auto M = make_shared<SimpleMatrix>(1, 1), H = make_shared<SimpleMatrix>(1, 1);
  (*M)(0, 0) = (*H)(0, 0) = 1.0;
  auto ball = make_shared<LagrangianLinearTIDS>(q, v, M);
  ball->setFExtPtr(f);
  auto contact = make_shared<Interaction>(make_shared<NewtonImpactNSL>(0.5), make_shared<LagrangianLinearTIR>(H));
  auto system = make_shared<NonSmoothDynamicalSystem>(0.0, 1e9);
  system->insertDynamicalSystem(ball);
  system->link(contact, ball);
  auto simulation = make_shared<TimeStepping>(system, make_shared<TimeDiscretisation>(0.0, 1e-3),
                                              make_shared<MoreauJeanOSI>(0.5), make_shared<LCP>());
  double penetration = 0.0;
  const Run r = run(*simulation, steps, [&] { penetration = std::max(penetration, -(*ball->q())(0)); });
  return {"bouncing_ball", "", "MoreauJeanOSI, LCP", r.steps, r.us(), penetration, ""};
}

// --- slider-crank with a clearance -----------------------------------------------------------------------------------

constexpr double l1 = 0.153, l2 = 0.306, a = 0.05, b = 0.025, d = 2.0 * (b + 0.001), m1 = 0.038, m2 = 0.038, m3 = 0.076,
                 J1 = 7.4e-5, J2 = 5.9e-4, J3 = 2.7e-6, g = 9.81, K = l1 * l2 * (m2 / 2 + m3);

// Matrices by columns.
void mass(unsigned, double* q, double* M, unsigned, double*) {
  std::fill(M, M + 9, 0.0);
  M[0] = J1 + l1 * l1 * (m1 / 4 + m2 + m3);
  M[4] = J2 + l2 * l2 * (m2 / 4 + m3);
  M[1] = M[3] = K * std::cos(q[0] - q[1]);
  M[8] = J3;
}
void gyroscopic(unsigned, double* q, double* v, double* F, unsigned, double*) {
  const double s = K * std::sin(q[0] - q[1]);
  F[0] = s * v[1] * v[1], F[1] = -s * v[0] * v[0], F[2] = 0.0;
}
void gyroscopic_q(unsigned, double* q, double* v, double* J, unsigned, double*) {
  const double c = K * std::cos(q[0] - q[1]);
  std::fill(J, J + 9, 0.0);
  J[0] = c * v[1] * v[1], J[3] = -J[0], J[1] = -c * v[0] * v[0], J[4] = -J[1];
}
void gyroscopic_v(unsigned, double* q, double* v, double* J, unsigned, double*) {
  const double s = 2.0 * K * std::sin(q[0] - q[1]);
  std::fill(J, J + 9, 0.0);
  J[3] = s * v[1], J[1] = -s * v[0];
}
void internal(double, unsigned, double* q, double*, double* F, unsigned, double*) {
  F[0] = g * l1 * std::cos(q[0]) * (m1 / 2 + m2 + m3), F[1] = g * l2 * std::cos(q[1]) * (m2 / 2 + m3), F[2] = 0.0;
}
void internal_q(double, unsigned, double* q, double*, double* J, unsigned, double*) {
  std::fill(J, J + 9, 0.0);
  J[0] = -g * l1 * std::sin(q[0]) * (m1 / 2 + m2 + m3), J[4] = -g * l2 * std::sin(q[1]) * (m2 / 2 + m3);
}
void internal_v(double, unsigned, double*, double*, double* J, unsigned, double*) { std::fill(J, J + 9, 0.0); }

// Corner k of the slider: gap = d/2 ∓ y_s …, slip = x_s ∓ a cos θ3 ∓ b sin θ3, as in slider_crank.yaml.
class Corner : public LagrangianScleronomousR {
 public:
  Corner(int k, bool friction) : up_(k < 2 ? 1.0 : -1.0), front_(k % 2 == 0 ? -1.0 : 1.0), friction_(friction) {
    _jachq = make_shared<SimpleMatrix>(friction ? 2 : 1, 3);
    _dotjachq = make_shared<SimpleMatrix>(friction ? 2 : 1, 3);
  }
  static double gap(double up, double front, double q0, double q1, double q2) {
    return d / 2 - up * (l1 * std::sin(q0) + l2 * std::sin(q1)) - up * front * a * std::sin(q2) - b * std::cos(q2);
  }
  double gap(const SiconosVector& q) const { return gap(up_, front_, q(0), q(1), q(2)); }
  void computeh(const BlockVector& q, BlockVector&, SiconosVector& y) override {
    y.setValue(0, gap(up_, front_, q(0), q(1), q(2)));
    if (friction_)
      y.setValue(1, l1 * std::cos(q(0)) + l2 * std::cos(q(1)) + front_ * a * std::cos(q(2)) - up_ * b * std::sin(q(2)));
  }
  void computeJachq(const BlockVector& q, BlockVector&) override {
    SimpleMatrix& W = *_jachq;
    W.setValue(0, 0, -up_ * l1 * std::cos(q(0)));
    W.setValue(0, 1, -up_ * l2 * std::cos(q(1)));
    W.setValue(0, 2, -up_ * front_ * a * std::cos(q(2)) + b * std::sin(q(2)));
    if (!friction_) return;
    W.setValue(1, 0, -l1 * std::sin(q(0)));
    W.setValue(1, 1, -l2 * std::sin(q(1)));
    W.setValue(1, 2, -front_ * a * std::sin(q(2)) - up_ * b * std::cos(q(2)));
  }
  void computeDotJachq(const BlockVector& q, BlockVector&, const BlockVector& v) override {
    SimpleMatrix& W = *_dotjachq;
    W.setValue(0, 0, up_ * l1 * std::sin(q(0)) * v(0));
    W.setValue(0, 1, up_ * l2 * std::sin(q(1)) * v(1));
    W.setValue(0, 2, (up_ * front_ * a * std::sin(q(2)) + b * std::cos(q(2))) * v(2));
  }

 private:
  double up_, front_;
  bool friction_;
};

struct Crank {
  SP::LagrangianDS mechanism;
  SP::NonSmoothDynamicalSystem system = make_shared<NonSmoothDynamicalSystem>(0.0, 1e9);
  std::vector<std::shared_ptr<Corner>> corners;

  explicit Crank(bool friction) {
    auto q = make_shared<SiconosVector>(3), v = make_shared<SiconosVector>(3);
    (*v)(0) = 150.0, (*v)(1) = -75.0;
    mechanism = make_shared<LagrangianDS>(q, v, make_shared<SimpleMatrix>(3, 3));
    mechanism->setComputeMassFunction(mass);
    mechanism->setComputeFGyrFunction(gyroscopic);
    mechanism->setComputeJacobianFGyrqFunction(gyroscopic_q);
    mechanism->setComputeJacobianFGyrqDotFunction(gyroscopic_v);
    mechanism->setComputeFIntFunction(internal);
    mechanism->setComputeJacobianFIntqFunction(internal_q);
    mechanism->setComputeJacobianFIntqDotFunction(internal_v);
    system->insertDynamicalSystem(mechanism);
    for (int k = 0; k < 4; ++k) {
      corners.push_back(make_shared<Corner>(k, friction));
      SP::NonSmoothLaw law;
      if (friction)
        law = make_shared<NewtonImpactFrictionNSL>(0.4, 0.0, 0.01, 2);
      else
        law = make_shared<NewtonImpactNSL>(0.4);
      system->link(make_shared<Interaction>(law, corners.back()), mechanism);
    }
  }
  Row run(TimeStepping& simulation, const char* test, const char* setting, int steps) {
    simulation.setNewtonTolerance(1e-10);
    simulation.setNewtonMaxIteration(20);
    return report(simulation, test, setting, steps);
  }
  Row report(Simulation& simulation, const char* test, const char* setting, int steps) {
    double penetration = 0.0;
    const Run r = peers::run(simulation, steps, [&] {
      for (const auto& corner : corners) penetration = std::max(penetration, -corner->gap(*mechanism->q()));
    });
    return {test, "", setting, r.steps, r.us(), penetration, ""};
  }
};

Row crank_moreau_jean_friction(int steps) {
  Crank crank(true);
  auto problem = make_shared<FrictionContact>(2, SICONOS_FRICTION_2D_LEMKE);
  auto simulation = make_shared<TimeStepping>(crank.system, every(1e-4), make_shared<MoreauJeanOSI>(0.5), problem);
  return crank.run(*simulation, "slider_crank moreau-jean", "MoreauJeanOSI, Lemke", steps);
}
Row crank_moreau_jean(int steps) {
  Crank crank(false);
  auto simulation =
      make_shared<TimeStepping>(crank.system, every(1e-4), make_shared<MoreauJeanOSI>(0.5), make_shared<LCP>());
  return crank.run(*simulation, "slider_crank mu=0 moreau-jean", "MoreauJeanOSI, LCP", steps);
}
SP::LinearOSNS velocity_problem(bool friction) {
  if (friction) return make_shared<FrictionContact>(2, SICONOS_FRICTION_2D_LEMKE);
  return make_shared<LCP>();
}
std::string crank_name(bool friction, const char* scheme) {
  return std::string("slider_crank ") + (friction ? "" : "mu=0 ") + scheme;
}
Row crank_direct_projection(bool friction, int steps) {
  Crank crank(friction);
  auto simulation = make_shared<TimeSteppingDirectProjection>(
      crank.system, every(1e-4), make_shared<MoreauJeanDirectProjectionOSI>(0.5), velocity_problem(friction),
      make_shared<MLCPProjectOnConstraints>(), 0);
  simulation->setProjectionMaxIteration(100);
  simulation->setConstraintTolUnilateral(1e-10);
  return crank.run(*simulation, crank_name(friction, "direct-projection").c_str(), "MoreauJeanDirectProjectionOSI",
                   steps);
}
Row crank_combined_projection(bool friction, int steps) {
  Crank crank(friction);
  auto simulation = make_shared<TimeSteppingCombinedProjection>(
      crank.system, every(1e-4), make_shared<MoreauJeanCombinedProjectionOSI>(0.5), velocity_problem(friction),
      make_shared<MLCPProjectOnConstraints>());
  simulation->setProjectionMaxIteration(100);
  simulation->setConstraintTolUnilateral(1e-10);
  return crank.run(*simulation, crank_name(friction, "combined-projection").c_str(), "MoreauJeanCombinedProjectionOSI",
                   steps);
}
Row crank_half_explicit(int steps) {
  Crank crank(false);
  auto scheme = make_shared<D1MinusLinearOSI>();
  scheme->setTypeOfD1MinusLinearOSI(D1MinusLinearOSI::halfexplicit_velocity_level);
  auto impact = make_shared<LCP>(), force = make_shared<LCP>();
  auto simulation = make_shared<TimeSteppingD1Minus>(crank.system, every(1e-4), 2);
  simulation->insertIntegrator(scheme);
  simulation->insertNonSmoothProblem(impact, SICONOS_OSNSP_TS_VELOCITY);
  simulation->insertNonSmoothProblem(force, SICONOS_OSNSP_TS_VELOCITY + 1);
  return crank.report(*simulation, "slider_crank mu=0 half-explicit-velocity", "D1MinusLinearOSI, velocity level",
                      steps);
}

// --- elastic bar -----------------------------------------------------------------------------------------------------

Row elastic_bar(int N, Siconos::UBLAS_TYPE storage, int steps) {
  const double L = 1.0, S = M_PI * 1e-4, rho = 7800.0, E = 2.1e11, l = L / N;
  const unsigned n = N + 1;
  auto q = make_shared<SiconosVector>(n), v = make_shared<SiconosVector>(n, -0.1);
  auto M = make_shared<SimpleMatrix>(n, n, storage, 3 * n), stiffness = make_shared<SimpleMatrix>(n, n, storage, 3 * n);
  const auto add = [](SimpleMatrix& A, unsigned i, unsigned j, double x) { A.setValue(i, j, A.getValue(i, j) + x); };
  for (int e = 0; e < N; ++e)
    for (int i : {0, 1})
      for (int j : {0, 1}) {
        add(*M, e + i, e + j, rho * S * l / 6.0 * (i == j ? 2.0 : 1.0));
        add(*stiffness, e + i, e + j, E * S / l * (i == j ? 1.0 : -1.0));
      }
  auto bar = make_shared<LagrangianLinearTIDS>(q, v, M);
  bar->setKPtr(stiffness);
  auto H = make_shared<SimpleMatrix>(1, n);
  H->setValue(0, 0, 1.0);
  auto contact = make_shared<Interaction>(make_shared<NewtonImpactNSL>(0.0), make_shared<LagrangianLinearTIR>(H));
  auto system = make_shared<NonSmoothDynamicalSystem>(0.0, 1e9);
  system->insertDynamicalSystem(bar);
  system->link(contact, bar);
  auto simulation = make_shared<TimeStepping>(system, every(2e-6), make_shared<MoreauJeanOSI>(0.5), make_shared<LCP>());
  double penetration = 0.0;
  const Run r = run(*simulation, steps, [&] { penetration = std::max(penetration, -(*bar->q())(0)); });
  return {"elastic_bar N=" + std::to_string(N),
          "",
          std::string("MoreauJeanOSI, LCP, ") + (storage == Siconos::SPARSE ? "sparse" : "dense"),
          r.steps,
          r.us(),
          penetration,
          ""};
}

struct Case {
  const char* name;
  int steps;
  Row (*run)(int steps);
};
constexpr Case cases[] = {
    {"bouncing_ball", 4000, bouncing_ball},
    {"slider_crank", 2000, crank_moreau_jean_friction},
    {"slider_crank", 2000, crank_moreau_jean},
    {"slider_crank", 2000, [](int steps) { return crank_direct_projection(true, steps); }},
    {"slider_crank", 2000, [](int steps) { return crank_direct_projection(false, steps); }},
    {"slider_crank", 2000, [](int steps) { return crank_combined_projection(true, steps); }},
    {"slider_crank", 2000, [](int steps) { return crank_combined_projection(false, steps); }},
    {"slider_crank", 2000, crank_half_explicit},
    {"elastic_bar_100", 300, [](int steps) { return elastic_bar(100, Siconos::SPARSE, steps); }},
    {"elastic_bar_100", 300, [](int steps) { return elastic_bar(100, Siconos::DENSE, steps); }},
    {"elastic_bar_1000", 100, [](int steps) { return elastic_bar(1000, Siconos::SPARSE, steps); }},
    {"elastic_bar_1000", 30, [](int steps) { return elastic_bar(1000, Siconos::DENSE, steps); }}};

}  // namespace
}  // namespace peers

int main(int argc, char** argv) {
  for (const peers::Case& c : peers::cases) {
    if (argc > 1 && std::strcmp(argv[1], c.name) != 0) continue;
    peers::Row row = c.run(argc > 2 ? std::atoi(argv[2]) : c.steps);
    row.engine = peers::siconos_name;
    peers::print(row);
  }
}
