// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0

// A contact solver outside the library: projected Gauss–Seidel with one step per law. A sweep visits each joint and
// contact, evaluates ξ = G P + c there and takes P ← proj_C(P − ξ/ρ), where ρ is the trace of its block of G.
#include <tappet/tappet.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

using namespace tappet;

class ProjectedSweeps final : public ContactSolver {
 public:
  explicit ProjectedSweeps(const SolverOptions& options)
      : tolerance_(options.tolerance), most_(options.max_iterations > 0 ? options.max_iterations : 100'000) {}

  Delassus::Form form(int, int) const override { return Delassus::Form::dense; }

  SolveReport solve(const ContactProblem& problem, Vec& P) override {
    SolveReport report;
    if (!fault(problem).empty()) return {SolveStatus::bad_input, 0, HUGE_VAL};
    if (P.size() != problem.size()) P.assign(problem.size(), 0.0);
    for (report.iterations = 0; report.iterations < most_; ++report.iterations) {
      report.residual = residual(problem, P);
      if (report.residual <= tolerance_) return report;
      for (const Law& law : problem.laws) visit(problem, law, P);
    }
    report.status = SolveStatus::not_converged;
    return report;
  }

 private:
  static void visit(const ContactProblem& problem, const Law& law, Vec& P) {
    const Mat& G = problem.G.dense();
    double rho = 0.0, x[4];
    for (int r = 0; r < law.rows; ++r) {
      double xi = problem.c[law.row + r];
      for (int j = 0; j < P.size(); ++j) xi += G(law.row + r, j) * P[j];
      rho += G(law.row + r, law.row + r);
      x[r] = xi;
    }
    for (int r = 0; r < law.rows; ++r) x[r] = P[law.row + r] - x[r] / rho;
    if (law.kind == Law::Kind::contact) project(law, x);
    for (int r = 0; r < law.rows; ++r) P[law.row + r] = x[r];
  }

  // x_N ≥ 0 first, then x_F on the disc of radius μ x_N: Coulomb's law, which is not the projection on the cone.
  static void project(const Law& law, double* x) {
    x[0] = std::max(x[0], 0.0);
    double norm = 0.0;
    for (int r = 1; r < law.rows; ++r) norm += x[r] * x[r];
    norm = std::sqrt(norm);
    if (norm > law.mu * x[0])
      for (int r = 1; r < law.rows; ++r) x[r] *= law.mu * x[0] / norm;
  }

  double tolerance_;
  int most_;
};

// One contact with friction, by hand: G = 1, it approaches with velocity 1 and slides with velocity (3, 4)/5 · 2. It
// must stop, P_N = 1, and friction takes μ = 0.5 off the slip, against its direction.
bool known_contact() {
  ContactProblem problem;
  Mat& G = problem.G.dense(3);
  G.set_zero();
  for (int i = 0; i < 3; ++i) G(i, i) = 1.0;
  problem.c = {-1.0, 1.2, 1.6};
  problem.laws = {{.kind = Law::Kind::contact, .row = 0, .rows = 3, .mu = 0.5}};
  Vec P;
  const SolveReport report = ProjectedSweeps({.tolerance = 1e-12}).solve(problem, P);
  std::printf("one contact: P = %.9f %.9f %.9f, residual %.1e\n", P[0], P[1], P[2], report.residual);
  return report.status == SolveStatus::converged && std::abs(P[0] - 1.0) < 1e-9 && std::abs(P[1] + 0.3) < 1e-9 &&
         std::abs(P[2] + 0.4) < 1e-9;
}

// A block on a slope of 30 degrees with μ = 0.2 slides from rest: its acceleration is g (sin 30° − μ cos 30°).
bool sliding_block() {
  const Model model = parse_model(R"(
parameters: {g: 9.81, mu: 0.2, angle: 30*deg}
coordinates: {x: {position: 0, velocity: 0}, y: {position: 0, velocity: 0}}
lagrangian: {kinetic: (x'^2 + y'^2)/2, potential: g*(y*cos(angle) - x*sin(angle))}
contacts: {slope: {gap: y, slip: x, mu: mu}}
run: {scheme: moreau-midpoint, dt: 1e-3, end: 1}
)",
                                  "slope.yaml");
  RunOptions options;
  options.options = {{"tolerance", "1e-10"}};
  options.solver = [](const SolverOptions& o) { return std::make_unique<ProjectedSweeps>(o); };
  const Result result = simulate(model, options);
  const double a = 9.81 * (0.5 - 0.2 * std::sqrt(0.75)), error = std::abs(result.state.q[0] - a / 2);
  std::printf("a block slides %.6f m (expected %.6f), largest residual %.1e\n", result.state.q[0], a / 2,
              result.summary.max_residual);
  return result.done() && result.summary.unconverged_steps == 0 && result.summary.max_residual <= 1e-10 && error < 1e-6;
}

int main() { return known_contact() && sliding_block() ? 0 : 1; }
