// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
//
// Sample run:  OMP_NUM_THREADS=1 bench_siconos test/data/problems [seconds a solver may take]
//
// Contact problems of a folder solved by Siconos numerics and by Tappet's `auto` in one process, one thread. Both see
// the same local problem, scaled so that Siconos' own error is ours (W n/tr W, q/‖q‖). A Siconos solver succeeds when
// residual() of its answer is at most 1e-8; its tolerance is tightened until it does, and the run that succeeds counts.
// Times are the best of several runs (as many as fit in a tenth of a second). Matrices are built outside the clock;
// Siconos gets block storage for its splitting method and compressed storage for the others.
#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <filesystem>
#include <set>

#include "problem/fclib.h"
#include "solvers/registry.h"

extern "C" {
#include <FrictionContactProblem.h>
#include <Friction_cst.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <SolverOptions.h>
#include <SparseBlockMatrix.h>
#include <fc3d_Solvers.h>
}

using namespace tappet;

namespace {

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

struct Peer {
  const char* name;
  int id;
  bool blocks;
  int iterations;
};

constexpr Peer peers[] = {{"NSGS", SICONOS_FRICTION_3D_NSGS, true, 100000},
                          {"ADMM", SICONOS_FRICTION_3D_ADMM, false, 20000},
                          {"NSN_AC", SICONOS_FRICTION_3D_NSN_AC, false, 500},
                          {"PROX", SICONOS_FRICTION_3D_PROX, false, 300}};

struct Matrix {
  NumericsMatrix *sparse = nullptr, *blocks = nullptr;
};

Matrix to_siconos(const ContactProblem& problem, double rho) {
  const int n = problem.size();
  Matrix matrix;
  matrix.sparse = NM_create(NM_SPARSE, n, n);
  NM_triplet_alloc(matrix.sparse, n);
  for (int j = 0; j < n; ++j) {
    if (problem.G.form() == Delassus::Form::dense) {
      for (int i = 0; i < n; ++i)
        if (problem.G.dense()(i, j) != 0.0) NM_entry(matrix.sparse, i, j, rho * problem.G.dense()(i, j));
    } else {
      const SparseColumns& S = problem.G.sparse();
      for (int e = S.start[j]; e < S.start[j + 1]; ++e) NM_entry(matrix.sparse, S.row[e], j, rho * S.value[e]);
    }
  }
  CSparseMatrix* csc = NM_csc(matrix.sparse);
  matrix.blocks = NM_create(NM_SPARSE_BLOCK, n, n);
  matrix.blocks->matrix1 = SBM_new();
  SBM_from_csparse(3, csc, matrix.blocks->matrix1);
  return matrix;
}

// Seconds, or a negative number where 1e-8 is not reached within the limit.
double run(const Peer& peer, const ContactProblem& problem, const Matrix& matrix, double rho, double norm, double limit,
           int& iterations) {
  const int n = problem.size(), contacts = n / 3;
  std::vector<double> q(n), mu(contacts), r(n), u(n);
  for (int i = 0; i < n; ++i) q[i] = problem.c[i] / norm;
  for (int k = 0; k < contacts; ++k) mu[k] = problem.laws[k].mu;
  FrictionContactProblem local{3, contacts, peer.blocks ? matrix.blocks : matrix.sparse, q.data(), mu.data()};
  double spent = 0.0;
  for (double tolerance : {1e-8, 5e-9, 1e-9, 1e-10, 1e-12}) {
    double best = 1e300, sum = 0.0, e = 1.0;
    for (int repeat = 0; repeat < 20 && (repeat == 0 || sum < 0.1); ++repeat) {
      ::SolverOptions* options = solver_options_create(peer.id);
      options->iparam[SICONOS_IPARAM_MAX_ITER] = peer.iterations;
      options->dparam[SICONOS_DPARAM_TOL] = tolerance;
      std::fill(r.begin(), r.end(), 0.0), std::fill(u.begin(), u.end(), 0.0);
      const double start = now();
      fc3d_driver(&local, r.data(), u.data(), options);
      const double time = now() - start;
      best = std::min(best, time), sum += time;
      iterations = options->iparam[SICONOS_IPARAM_ITER_DONE];
      solver_options_delete(options);
      Vec P(n);
      for (int i = 0; i < n; ++i) P[i] = r[i] * norm * rho;
      e = residual(problem, P);
      if (!(e <= 1e-8)) break;
    }
    if (e <= 1e-8) return best;
    spent += sum;
    if (spent > limit) break;
  }
  return -1.0;
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 2) {
    fmt::print(stderr, "usage: bench_siconos FOLDER [SECONDS]\n");
    return 2;
  }
  const double limit = count > 2 ? std::atof(arguments[2]) : 10.0;
  std::set<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(arguments[1]))
    if (entry.path().extension() == ".hdf5") files.insert(entry.path().string());
  fmt::print("problem,contacts,tappet_ms,tappet_error");
  for (const Peer& peer : peers) fmt::print(",{}_ms,{}_iterations", peer.name, peer.name);
  fmt::print(",fastest_ms,ratio\n");
  std::vector<double> ratios;
  for (const std::string& file : files) {
    const ContactProblem problem = read_fclib(file);
    Vec P(problem.size());
    double best = 1e300, sum = 0.0, e = 1.0;
    for (int repeat = 0; repeat < 20 && (repeat == 0 || sum < 0.1); ++repeat) {
      auto solver = make_solver("auto");
      P.assign(problem.size(), 0.0);
      const double start = now();
      e = solver->solve(problem, P).residual;
      const double time = now() - start;
      best = std::min(best, time), sum += time;
    }
    fmt::print("{},{},{:.4g},{:.1e}", std::filesystem::path(file).stem().string(), contacts(problem), best * 1e3, e);
    const double rho = problem.size() / problem.G.trace(), norm = problem.c.eigen().norm();
    const Matrix matrix = to_siconos(problem, rho);
    double fastest = 1e300;
    for (const Peer& peer : peers) {
      int iterations = 0;
      const double time = run(peer, problem, matrix, rho, norm, limit, iterations);
      if (time > 0.0) fastest = std::min(fastest, time);
      fmt::print(",{:.4g},{}", time > 0.0 ? time * 1e3 : NAN, iterations);
      std::fflush(stdout);
    }
    fmt::print(",{:.4g},{:.3g}\n", fastest < 1e300 ? fastest * 1e3 : NAN, fastest < 1e300 ? fastest / best : NAN);
    if (fastest < 1e300) ratios.push_back(fastest / best);
    std::fflush(stdout);
  }
  std::sort(ratios.begin(), ratios.end());
  fmt::print("median ratio (Siconos / Tappet) {:.3g}, smallest {:.3g}, on {} problems\n", ratios[ratios.size() / 2],
             ratios[0], ratios.size());
}
