// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

#include "kernels/family.h"

// Compiled functions of the elements. A program that runs while Tappet is built records the function of each element
// (kernels/record.h), differentiates it and writes it as C++: one kernel for each type of element, each pair of kinds
// of bodies and each form of the element (driven or not, number of friction rows, …). The numbers of the element itself
// (points, axes, radii, …) are inputs, so that one kernel serves all elements of a type.
namespace tappet::kernels {

// Where a kernel reads. A pose is thirteen numbers in the order of Pose<double>, a twist six.
struct Input {
  const double *A, *B;              // poses
  const double *u_A, *u_B;          // twists
  const double *u_dot_A, *u_dot_B;  // their rates
  const double* numbers;  // of the element, in the order of numbers(); drives by value, rate, second rate, start
  const double* P;        // of the rows
};
using Function = void (*)(const Input& x, double* out, double* out_2);

struct Entry {
  std::uint8_t row, column;  // among the columns of the family
};

// The rows of a joint or contact, and their derivatives as in elements/derive.h, over the columns of the family. Rows
// that vanish identically between such bodies are left out.
struct RowKernel {
  std::string_view type;
  Family family;
  unsigned form;
  int all_rows;                        // of the element
  std::span<const std::uint8_t> rows;  // those that are left
  std::span<const std::uint8_t> columns;
  Function value;        // of every left row; of a contact its gap alone
  Function directions;   // W, χ
  Function second_rate;  // ζ
  Function contraction;  // K, its entries `curvature` alone
  std::span<const Entry> curvature;
  Function velocity_gradient;      // rows × columns
  Function acceleration_gradient;  // by the pose, by the twist; null for contacts between two spatial bodies
};

struct ForceKernel {
  std::string_view type;
  Family family;
  unsigned form;
  std::span<const std::uint8_t> columns;
  Function wrench;  // over the columns
  Function energy;
  Function stiffness, damping;  // ∂f/∂ε, ∂f/∂u: the entries named here
  std::span<const Entry> stiffness_entries, damping_entries;
  int line_count;
  Function lines;  // count × columns
};

std::span<const RowKernel> row_kernels();
std::span<const ForceKernel> force_kernels();

}  // namespace tappet::kernels
