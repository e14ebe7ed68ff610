// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "problem/contact_problem.h"
#include "solvers/anderson.h"
#include "solvers/gauss_seidel.h"
#include "solvers/options.h"

namespace tappet {

// Block Gauss–Seidel for many contacts between many bodies, on the factors of G (delassus.h): a contact sees the
// velocities v of its own bodies, ξ_k = W_kᵀ v + c_k, is solved exactly, and moves them, v ← v + Y_k ΔP_k. Contacts of
// one colour share no body: they are solved at the same time, colour after colour, and the result has the same bits
// whatever the number of threads. The sweeps are extrapolated (anderson.h), which makes four of them one where
// long chains of contacts carry a load. Dense problems, and those without factors, go to `gauss-seidel`.
class ColouredSweeps final : public ContactSolver {
 public:
  static constexpr int default_sweeps = 20'000;
  explicit ColouredSweeps(const SolverOptions& options) : options_(options), plain_(options) {}
  SolveReport solve(const ContactProblem& problem, Vec& P) override;
  Delassus::Form form(int rows) const override {
    return rows <= Delassus::dense_rows ? Delassus::Form::dense : Delassus::Form::factored;
  }

  // At most so many sweeps from P, at least one. The problem must be factored.
  SolveReport sweep(const ContactProblem& problem, int sweeps, double tolerance, Vec& P);

 private:
  static constexpr int block_size = 32;  // contacts of one colour that one thread takes at a time

  // A law, in the order of the colours.
  struct Part {
    enum class Kind : std::uint8_t { isotropic, spatial, normal, general };
    int law = 0, row = 0;
    int first_A = 0, first_B = -1;  // but for `general`: bodies of six velocities in a row; −1: one body
    Kind kind = Kind::general;
    double mu = 0.0;
    double G[9] = {};  // G_kk, but for `general`; isotropic, diag(a, b, b): G[1] = 1/a and G[2] = 1/b
  };
  struct Block {
    int first, last;  // parts of one colour
  };

  void lay_out(const ContactProblem& problem);
  void choose_colours(const ContactProblem& problem);
  void describe(const ContactProblem& problem, Part& part);
  double visit(const Part& part);               // returns ‖G_kk ΔP_k‖²
  double visit_general(const Part& part);
  void velocity_of(const Part& part, double* xi) const;
  double one_sweep();                           // √Σ of it
  double distance(double rho_inverse);          // the numerator of residual(), with xi_
  template <class F>
  double sum_over_blocks(int first, int last, F&& f);

  SolverOptions options_;
  GaussSeidel plain_;
  const ContactProblem* problem_ = nullptr;  // while it is solved
  Vec* P_ = nullptr;
  std::vector<Part> parts_;
  std::vector<Block> blocks_;
  std::vector<int> colour_start_;  // blocks by colour; those of the last colour follow each other on one thread
  bool last_is_serial_ = false;
  std::vector<int> colour_of_, count_;
  std::vector<std::uint64_t> used_;  // colours at a block of M̂
  std::vector<double> sums_;         // by block
  std::vector<double> inverses_;     // G_kk⁻¹ of `spatial` parts, by a third of their row
  Anderson extrapolation_;
  Vec velocity_, xi_, change_;  // change_: diag(G_kk) ΔP of the last sweep
};

}  // namespace tappet
