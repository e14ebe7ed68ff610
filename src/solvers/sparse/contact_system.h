// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "solvers/sparse/block_lu.h"
#include "solvers/sparse/scaled_problem.h"

namespace tappet {

// Solves (A Ĝ + C) x = b, where A and C have one block per law (4 × 4 column-major slots; joints have A = I, C = shift
// I).
//
// If Ĝ is formed, the sum is formed and factorised. If Ĝ = Ŵᵀ Y is kept as a product (Y = M̂⁻¹Ŵ), it is not. Then with
// E = C⁻¹A and the impulses on the bodies f = Ŵ x,
//   (I + Ŵ E Yᵀ) f = Ŵ C⁻¹ b,   x = C⁻¹ (b − A Yᵀ f).
// This is a matrix over the bodies, with one node per block of M̂, which is small if few bodies carry many contacts. C
// must then be regular, which the shift ensures. The loss of accuracy is left to refinement by the caller.
class ContactSystem {
 public:
  void analyse(const ScaledProblem& problem);
  // If A is null, it is the identity. `shift` is added to the diagonal of C, and `joint_shift` is C of joints.
  // `inverse` is C⁻¹ if it is known more exactly than from C. Contacts are then not shifted if the bodies are
  // factorised, and det C > 0.
  void factor(const ScaledProblem& problem, const double* A, const double* C, double shift, double joint_shift,
              const double* inverse = nullptr);
  void solve(const ScaledProblem& problem, std::span<double> x);
  int determinant_sign() const;  // of A Ĝ + C for A = I
  int perturbed() const { return lu_.perturbed(); }
  double solves_per_factorisation() const { return lu_.operations() / lu_.entries(); }  // counted in multiplications

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
  // For bodies: the pattern, the target of each product of a contact, C⁻¹ and E.
  SparseColumns pattern_;
  std::vector<int> target_, diagonal_;
  std::vector<double> inverse_, E_, product_;
  double joint_ = 1.0;
  int sign_ = 1;
  Vec impulse_, t_;
};

}  // namespace tappet
