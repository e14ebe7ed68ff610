// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "problem/contact_problem.h"
#include "problem/free_motion.h"

namespace tappet {

// The FCLIB layout (HDF5), spacedim 2 or 3, with the rows of a contact in the order N, T1, T2:
//   /fclib_local  {W, vectors/{q, mu}, spacedim}           u = W r + q
//                 with {V, R, vectors/s} also joints λ      u = W r + V λ + q,  0 = Vᵀ r + R λ + s
//   /fclib_global {M, H, vectors/{f, w, mu}, spacedim}      M v = H r + f,  u = Hᵀ v + w
//                 with {G, vectors/b} also joints           M v = H r + G λ + f,  0 = Gᵀ v + b
// Matrices are {m, n, nz, p, i, x}: nz = −2 is compressed rows, −1 compressed columns, ≥ 0 triplets (i row, p column).
// Joints come first in the problem, as in the steppers. If a file holds both layouts, the global one is read, because
// it says which contacts share a body.
// read_fclib() reads it.
//
// write_fclib() writes the local layout. If `motion` is given and the problem has its factors, the global layout is
// written too. Contacts must all have 2 rows or all have 3 rows.

}  // namespace tappet
