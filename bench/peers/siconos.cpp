// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
//
// Sample run:  OMP_NUM_THREADS=1 peer_siconos_problems test/data/problems [longest processor time of a solver, in
// seconds]
//
// Solves the contact problems of a folder with Siconos numerics and with Tappet's `auto`, on one thread, and measures
// processor times. Both get the same local problem, scaled so that the error measure of Siconos is the same as ours (W
// n/tr W, q/‖q‖). A Siconos solver succeeds if residual() of its answer is at most 1e-8. Its tolerance is tightened
// until this is so, and the run that succeeds counts. Times are the best of several runs (as many as fit into a tenth
// of a second). Matrices are built outside the measured time. Siconos gets block storage for its splitting method and
// compressed storage for the others. Every solver works on every problem in a separate process, which ends when its
// time is over (all tolerances together), so no solver delays the others.
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <filesystem>
#include <set>

#include "problem/fclib.h"
#include "solvers/make_solver.h"

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

double now() {
  timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);  // the clock of the process advances in ticks if its time is limited
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

struct Outcome {
  double seconds = -1.0;  // negative if 1e-8 was not reached
  int iterations = 0;
};

// The result of `work` in a process that may take this many seconds of processor time.
template <class Work>
Outcome limited(double seconds, Work&& work) {
  int ends[2];
  if (pipe(ends) != 0) return {};
  std::fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    const rlim_t limit = static_cast<rlim_t>(std::ceil(seconds));
    const rlimit bound{limit, limit};
    setrlimit(RLIMIT_CPU, &bound);
    std::freopen("/dev/null", "w", stdout);
    const Outcome outcome = work();
    _exit(write(ends[1], &outcome, sizeof outcome) == sizeof outcome ? 0 : 1);
  }
  close(ends[1]);
  Outcome outcome;
  if (read(ends[0], &outcome, sizeof outcome) != sizeof outcome) outcome = {};
  close(ends[0]);
  waitpid(child, nullptr, 0);
  return outcome;
}

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

Outcome run(const Peer& peer, const ContactProblem& problem, const Matrix& matrix, double rho, double norm) {
  const int n = problem.size(), contacts = n / 3;
  std::vector<double> q(n), mu(contacts), r(n), u(n);
  for (int i = 0; i < n; ++i) q[i] = problem.c[i] / norm;
  for (int k = 0; k < contacts; ++k) mu[k] = problem.laws[k].mu;
  FrictionContactProblem local{3, contacts, peer.blocks ? matrix.blocks : matrix.sparse, q.data(), mu.data()};
  for (double tolerance : {1e-8, 5e-9, 1e-9, 1e-10, 1e-12}) {
    double best = 1e300, sum = 0.0, e = 1.0;
    int iterations = 0;
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
    if (e <= 1e-8) return {best, iterations};
  }
  return {};
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 2) {
    fmt::print(stderr, "usage: peer_siconos_problems FOLDER [SECONDS]\n");
    return 2;
  }
  const double limit = count > 2 ? std::atof(arguments[2]) : 10.0;
  std::set<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(arguments[1]))
    if (entry.path().extension() == ".hdf5") files.insert(entry.path().string());
  fmt::print("problem,contacts,tappet_ms,factorisations,tappet_error");
  for (const Peer& peer : peers) fmt::print(",{}_ms,{}_iterations", peer.name, peer.name);
  fmt::print(",fastest_ms,ratio\n");
  std::vector<double> ratios;
  for (const std::string& file : files) {
    const ContactProblem problem = read_fclib(file);
    Vec P(problem.size());
    double best = 1e300, sum = 0.0;
    SolveReport report;
    for (int repeat = 0; repeat < 20 && (repeat == 0 || sum < 0.1); ++repeat) {
      auto solver = make_solver("auto");
      P.assign(problem.size(), 0.0);
      const double start = now();
      report = solver->solve(problem, P);
      const double time = now() - start;
      best = std::min(best, time), sum += time;
    }
    fmt::print("{},{},{:.4g},{},{:.1e}", std::filesystem::path(file).stem().string(), contacts(problem), best * 1e3,
               report.factorisations, report.residual);
    const double rho = problem.size() / problem.G.trace(), norm = problem.c.eigen().norm();
    const Matrix matrix = to_siconos(problem, rho);
    double fastest = 1e300;
    for (const Peer& peer : peers) {
      const Outcome outcome = limited(limit, [&] { return run(peer, problem, matrix, rho, norm); });
      if (outcome.seconds > 0.0) fastest = std::min(fastest, outcome.seconds);
      fmt::print(",{:.4g},{}", outcome.seconds > 0.0 ? outcome.seconds * 1e3 : NAN, outcome.iterations);
      std::fflush(stdout);
    }
    fmt::print(",{:.4g},{:.3g}\n", fastest < 1e300 ? fastest * 1e3 : NAN, fastest < 1e300 ? fastest / best : NAN);
    if (fastest < 1e300) ratios.push_back(fastest / best);
    std::fflush(stdout);
  }
  if (ratios.empty()) return 0;
  std::sort(ratios.begin(), ratios.end());
  fmt::print("median ratio (Siconos / Tappet) {:.3g}, smallest {:.3g}, on {} problems\n", ratios[ratios.size() / 2],
             ratios[0], ratios.size());
}
