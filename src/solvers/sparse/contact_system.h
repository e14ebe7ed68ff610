// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "solvers/sparse/block_lu.h"
#include "solvers/sparse/scaled_problem.h"

namespace tappet {

// Solves (A Ĝ + C) x = b with A, C of one block per law (4 × 4 column-major slots; joints have A = I, C = shift I).
//
// Where Ĝ is formed, the sum is formed and factored. Where Ĝ = Ŵᵀ Y is kept as a product (Y = M̂⁻¹Ŵ), it is not:
// with E = C⁻¹A and the impulses on the bodies f = Ŵ x,
//   (I + Ŵ E Yᵀ) f = Ŵ C⁻¹ b,   x = C⁻¹ (b − A Yᵀ f),
// a matrix over the bodies, one node a block of M̂: few of them carry many contacts. C must be regular then, which the
// shift sees to; what it costs in accuracy is left to refinement by the caller.
class ContactSystem {
 public:
  void analyse(const ScaledProblem& problem);
  // A null: identity. `shift` is added to the diagonal of C; `joint_shift` is C of joints. `inverse`: C⁻¹ where it is
  // known better than C gives it (contacts are then not shifted where the bodies are factored, and det C > 0).
  void factor(const ScaledProblem& problem, const double* A, const double* C, double shift, double joint_shift,
              const double* inverse = nullptr);
  void solve(const ScaledProblem& problem, std::span<double> x);
  int determinant_sign() const;  // of A Ĝ + C for A = I
  int perturbed() const { return lu_.perturbed(); }
  double solves_per_factorisation() const { return lu_.operations() / lu_.entries(); }  // by their multiplications

 private:
  void analyse_bodies(const ScaledProblem& problem);
  void multiply_by_blocks(const ScaledProblem& problem, const double* A);
  void set_E(int law, int rows, const double* A);
  const int* add_product(const ScaledProblem& problem, int law, const int* target);
  void factor_formed(const ScaledProblem& problem, const double* A, const double* C, double shift, double joint_shift);
  void factor_bodies(const ScaledProblem& problem, const double* A, const double* C, double shift, double joint_shift,
                     const double* inverse);

  BlockLU lu_;
  std::vector<double> values_;
  // Bodies: pattern, where each product of a contact goes, C⁻¹ and E.
  SparseColumns pattern_;
  std::vector<int> target_, diagonal_;
  std::vector<double> inverse_, E_, product_;
  double joint_ = 1.0;
  int sign_ = 1;
  Vec impulse_, t_;
};

}  // namespace tappet
