// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "math/vec.h"

namespace tappet {

// Gauss's collocation with six stages, order 12: X' = A(t) X + B(t) over one step of length h. It is stable for stiff
// equations too. `evaluate` gives A and B at a part of the step (0 … 1).
void collocate(double h, const std::function<void(double part, Eigen::MatrixXd& A, Eigen::MatrixXd& B)>& evaluate,
               Eigen::MatrixXd& X);

}  // namespace tappet
