// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "solvers/sparse/contact_system.h"

#include <algorithm>
#include <cmath>

namespace tappet {

namespace {

// X ← C⁻¹ for up to 4 rows (columns 4 apart), Gauss–Jordan with row exchanges; returns the sign of det C.
int invert(int n, const double* C, double shift, double* X) {
  double B[16];
  std::copy(C, C + 16, B);
  std::fill(X, X + 16, 0.0);
  for (int i = 0; i < n; ++i) B[5 * i] += shift, X[5 * i] = 1.0;
  int sign = 1;
  for (int k = 0; k < n; ++k) {
    int best = k;
    for (int i = k + 1; i < n; ++i)
      if (std::abs(B[4 * k + i]) > std::abs(B[4 * k + best])) best = i;
    if (best != k) {
      for (int j = 0; j < n; ++j) std::swap(B[4 * j + k], B[4 * j + best]), std::swap(X[4 * j + k], X[4 * j + best]);
      sign = -sign;
    }
    const double pivot = B[5 * k];
    if (pivot < 0.0) sign = -sign;
    for (int j = 0; j < n; ++j) B[4 * j + k] /= pivot, X[4 * j + k] /= pivot;
    for (int i = 0; i < n; ++i) {
      const double factor = B[4 * k + i];
      if (i == k || factor == 0.0) continue;
      for (int j = 0; j < n; ++j) B[4 * j + i] -= factor * B[4 * j + k], X[4 * j + i] -= factor * X[4 * j + k];
    }
  }
  return sign;
}

}  // namespace

void ContactSystem::analyse(const ScaledProblem& problem) {
  if (problem.formed())
    lu_.analyse(problem.node_start, problem.G_hat);
  else
    analyse_bodies(problem);
}

void ContactSystem::factor(const ScaledProblem& problem, const double* A, const double* C, double shift,
                           double joint_shift, const double* inverse) {
  if (problem.formed())
    factor_formed(problem, A, C, shift, joint_shift);
  else
    factor_bodies(problem, A, C, shift, joint_shift, inverse);
}

int ContactSystem::determinant_sign() const { return sign_ * lu_.determinant_sign(); }

// values_ = A Ĝ
void ContactSystem::multiply_by_blocks(const ScaledProblem& problem, const double* A_all) {
  const SparseColumns& G_hat = problem.G_hat;
  for (int j = 0; j < problem.size(); ++j)
    for (int e = G_hat.start[j]; e < G_hat.start[j + 1];) {
      const int k = problem.node(G_hat.row[e]), rows = problem.laws[k].rows;
      const double* g = G_hat.value.data() + e;
      double* value = values_.data() + e;
      if (problem.laws[k].kind == Law::Kind::bilateral) {
        std::copy(g, g + rows, value);
      } else {
        const double* A = A_all + 16 * k;
        for (int i = 0; i < rows; ++i) {
          double sum = 0.0;
          for (int s = 0; s < rows; ++s) sum += A[4 * s + i] * g[s];
          value[i] = sum;
        }
      }
      e += rows;
    }
}

void ContactSystem::factor_formed(const ScaledProblem& problem, const double* A_all, const double* C_all, double shift,
                                  double joint_shift) {
  sign_ = 1;
  values_.resize(problem.G_hat.value.size());
  if (A_all)
    multiply_by_blocks(problem, A_all);
  else
    std::copy(problem.G_hat.value.begin(), problem.G_hat.value.end(), values_.begin());
  for (size_t k = 0; k < problem.laws.size(); ++k) {
    const Law& law = problem.laws[k];
    for (int j = 0; j < law.rows; ++j) {
      double* value = values_.data() + problem.diagonal[law.row + j];
      value[j] += law.kind == Law::Kind::bilateral ? joint_shift : shift;
      if (law.kind == Law::Kind::bilateral) continue;
      for (int i = 0; i < law.rows; ++i) value[i] += C_all[16 * k + 4 * j + i];
    }
  }
  lu_.factor(values_);
}

namespace {

// For each body, the body itself and those that share a contact with it, ascending.
std::vector<std::vector<int>> neighbours_of_bodies(const ScaledProblem& problem) {
  const int bodies = static_cast<int>(problem.bodies_start.size()) - 1;
  std::vector<int> body_of(problem.bodies_start.back());
  for (int b = 0; b < bodies; ++b)
    std::fill(body_of.begin() + problem.bodies_start[b], body_of.begin() + problem.bodies_start[b + 1], b);
  std::vector<std::vector<int>> adjacent(bodies);
  std::vector<int> touched;
  for (int b = 0; b < bodies; ++b) adjacent[b].push_back(b);
  for (int k = 0; k < problem.Y.blocks(); ++k) {
    touched.clear();
    for (int v : problem.Y.columns(k))
      if (touched.empty() || touched.back() != body_of[v]) touched.push_back(body_of[v]);
    for (int a : touched)
      for (int b : touched) adjacent[a].push_back(b);
  }
  for (auto& list : adjacent) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }
  return adjacent;
}

}  // namespace

// The pattern over the bodies in play. A contact couples all velocities of the bodies it moves.
void ContactSystem::analyse_bodies(const ScaledProblem& problem) {
  const auto neighbours = neighbours_of_bodies(problem);
  pattern_.start.assign(1, 0), pattern_.row.clear();
  diagonal_.resize(problem.bodies_start.back());
  for (size_t b = 0; b < neighbours.size(); ++b)
    for (int j = problem.bodies_start[b]; j < problem.bodies_start[b + 1]; ++j) {
      for (int other : neighbours[b])
        for (int i = problem.bodies_start[other]; i < problem.bodies_start[other + 1]; ++i) {
          if (i == j) diagonal_[j] = static_cast<int>(pattern_.row.size());
          pattern_.row.push_back(i);
        }
      pattern_.start.push_back(static_cast<int>(pattern_.row.size()));
    }
  target_.clear();
  for (int k = 0; k < problem.Y.blocks(); ++k)
    for (int j : problem.Y.columns(k)) {
      const auto first = pattern_.row.begin() + pattern_.start[j], last = pattern_.row.begin() + pattern_.start[j + 1];
      for (int i : problem.W_hat.columns(k))
        target_.push_back(static_cast<int>(std::lower_bound(first, last, i) - pattern_.row.begin()));
    }
  lu_.analyse(problem.bodies_start, pattern_);
}

// E = C⁻¹A of contact k, if C⁻¹ is known.
void ContactSystem::set_E(int k, int rows, const double* A_all) {
  const double* inverse = inverse_.data() + 16 * k;
  double* E = E_.data() + 16 * k;
  if (!A_all) {
    std::copy(inverse, inverse + 16, E);
    return;
  }
  const double* A = A_all + 16 * k;
  for (int j = 0; j < rows; ++j)
    for (int i = 0; i < rows; ++i) {
      E[4 * j + i] = 0.0;
      for (int s = 0; s < rows; ++s) E[4 * j + i] += inverse[4 * s + i] * A[4 * j + s];
    }
}

// values_ += (Ŵ E)_k Y_kᵀ, with Ŵ E of a contact by rows in product_. Returns the next target.
const int* ContactSystem::add_product(const ScaledProblem& problem, int k, const int* target) {
  const int rows = problem.laws[k].rows;
  const int nw = static_cast<int>(problem.W_hat.columns(k).size()), ny = static_cast<int>(problem.Y.columns(k).size());
  const double* Y = problem.Y.values(k);
  for (int j = 0; j < ny; ++j, target += nw)
    for (int c = 0; c < nw; ++c) {
      double value = values_[target[c]];
      for (int s = 0; s < rows; ++s) value += product_[s * nw + c] * Y[s * ny + j];
      values_[target[c]] = value;
    }
  return target;
}

void ContactSystem::factor_bodies(const ScaledProblem& problem, const double* A_all, const double* C_all, double shift,
                                  double joint_shift, const double* known) {
  const size_t laws = problem.laws.size();
  inverse_.resize(16 * laws), E_.resize(16 * laws);
  values_.assign(pattern_.row.size(), 0.0);
  for (int place : diagonal_) values_[place] = 1.0;
  joint_ = 1.0 / joint_shift;
  sign_ = 1;
  const int* target = target_.data();
  for (int k = 0; k < static_cast<int>(laws); ++k) {
    const int rows = problem.laws[k].rows, nw = static_cast<int>(problem.W_hat.columns(k).size());
    const double *W_hat = problem.W_hat.values(k), *E = E_.data() + 16 * k;
    product_.assign(static_cast<size_t>(rows) * nw, 0.0);
    if (problem.laws[k].kind == Law::Kind::bilateral) {
      for (int i = 0; i < rows * nw; ++i) product_[i] = W_hat[i] * joint_;
    } else {
      if (known)
        std::copy(known + 16 * k, known + 16 * (k + 1), inverse_.data() + 16 * k);
      else
        sign_ *= invert(rows, C_all + 16 * k, shift, inverse_.data() + 16 * k);
      set_E(k, rows, A_all);
      for (int s = 0; s < rows; ++s)
        for (int i = 0; i < rows; ++i)
          for (int c = 0; c < nw; ++c) product_[s * nw + c] += E[4 * s + i] * W_hat[i * nw + c];
    }
    target = add_product(problem, k, target);
  }
  lu_.factor(values_);
}

void ContactSystem::solve(const ScaledProblem& problem, std::span<double> x) {
  if (problem.formed()) return lu_.solve(x);
  const auto apply = [&](const std::vector<double>& blocks, const double* in, double* out) {
    for (size_t k = 0; k < problem.laws.size(); ++k) {
      const Law& law = problem.laws[k];
      if (law.kind == Law::Kind::bilateral) {
        for (int i = law.row; i < law.row + law.rows; ++i) out[i] = joint_ * in[i];
        continue;
      }
      const double* B = blocks.data() + 16 * k;
      double result[4] = {};
      for (int j = 0; j < law.rows; ++j)
        for (int i = 0; i < law.rows; ++i) result[i] += B[4 * j + i] * in[law.row + j];
      std::copy(result, result + law.rows, out + law.row);
    }
  };
  apply(inverse_, x.data(), x.data());
  impulse_.assign(problem.bodies_start.back(), 0.0);
  problem.W_hat.multiply_transposed(x, impulse_);
  lu_.solve(impulse_);
  t_.resize(problem.size());
  problem.Y.multiply(impulse_, t_);
  apply(E_, t_.data(), t_.data());
  for (int i = 0; i < problem.size(); ++i) x[i] -= t_[i];
}

}  // namespace tappet
