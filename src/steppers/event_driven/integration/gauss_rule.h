// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cmath>
#include <numbers>

namespace tappet {

// Gauss's rule with s nodes on [0, 1]. A polynomial of degree s − 1 through values at the nodes is kept as a sum of
// Legendre's polynomials, which are well conditioned. Collocation at these nodes has order 2s.
template <int s>
struct GaussRule {
  std::array<double, s> node, weight;
  std::array<std::array<double, s>, s> coefficient;  // [k][j]: of polynomial k, for the value 1 at node j
  std::array<std::array<double, s>, s> up_to;        // [i][j]: the integral up to node i, for the value 1 at node j

  static const GaussRule& get() {
    static const GaussRule rule;
    return rule;
  }

  // Legendre's polynomials 0 … s of 2x − 1, and their integrals from 0 to x, of 0 … s − 1.
  static std::array<double, s + 1> legendre(double x) {
    std::array<double, s + 1> P{};
    const double z = 2 * x - 1;
    P[0] = 1, P[1] = z;
    for (int k = 1; k < s; ++k) P[k + 1] = ((2 * k + 1) * z * P[k] - k * P[k - 1]) / (k + 1);
    return P;
  }
  static std::array<double, s> integrals(double x) {
    const auto P = legendre(x);
    std::array<double, s> I{};
    I[0] = x;
    for (int k = 1; k < s; ++k) I[k] = (P[k + 1] - P[k - 1]) / (2 * (2 * k + 1));
    return I;
  }

 private:
  GaussRule() {
    for (int i = 0; i < s; ++i) {
      double x = 0.5 - 0.5 * std::cos(std::numbers::pi * (i + 0.75) / (s + 0.5)), slope = 1;
      for (int iteration = 0; iteration < 20; ++iteration) {  // Newton's method
        const auto P = legendre(x);
        const double z = 2 * x - 1;
        slope = 2 * s * (z * P[s] - P[s - 1]) / (z * z - 1);
        x -= P[s] / slope;
      }
      node[i] = x, weight[i] = 4 / ((1 - (2 * x - 1) * (2 * x - 1)) * slope * slope);
    }
    for (int j = 0; j < s; ++j) {
      const auto P = legendre(node[j]);
      for (int k = 0; k < s; ++k) coefficient[k][j] = (2 * k + 1) * weight[j] * P[k];
    }
    for (int i = 0; i < s; ++i) {
      const auto I = integrals(node[i]);
      for (int j = 0; j < s; ++j) {
        up_to[i][j] = 0;
        for (int k = 0; k < s; ++k) up_to[i][j] += I[k] * coefficient[k][j];
      }
    }
  }
};

}  // namespace tappet
