// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/SparseLU>

#include "math/block_matrix.h"

namespace tappet {

struct BlockMatrix::Sparse {
  Eigen::SparseMatrix<double> matrix;
  Eigen::SparseLU<Eigen::SparseMatrix<double>> solver;
  bool analysed = false;
};

}  // namespace tappet
