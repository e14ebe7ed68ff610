// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Put before a function, this compiles one version for every width of vectors, and the right one is chosen when the
// program starts. Products and sums are not contracted, so the result does not depend on the machine.
#if defined(__x86_64__) && defined(__linux__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define TAPPET_WIDE __attribute__((target_clones("arch=x86-64-v4", "avx2", "default")))
#else
#define TAPPET_WIDE
#endif

namespace tappet {
// Four numbers, for the same sum at four places. Each is computed as one alone would be, with the same bits.
using Four = double __attribute__((vector_size(32), aligned(8), may_alias));  // at any address of a double
// Eight numbers with half the digits, in a vector of the same size.
using Eight = float __attribute__((vector_size(32), aligned(4), may_alias));
inline const Four& four(const double* x) { return *reinterpret_cast<const Four*>(x); }
inline Four& four(double* x) { return *reinterpret_cast<Four*>(x); }
}  // namespace tappet
