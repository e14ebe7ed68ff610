// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "problem/contact_problem.h"

namespace tappet {

// The largest eigenvalue of S^½ G S^½, S = diag(scale of each law), by power iteration. It is an upper estimate by 5 %.
// x and y are workspace.
double largest_eigenvalue(const ContactProblem& problem, const Vec& scale, Vec& x, Vec& y);

}  // namespace tappet
