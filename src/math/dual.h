// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tappet/dual.h>

namespace tappet {

// Branches that every scalar can take, also the recording one (formula/traced.h): select(less(a, b), x, y) is x if
// a < b and y otherwise. Both x and y are computed, so neither may divide by zero.
template <class A, class B>
requires requires(const A& a, const B& b) { value_of(a) < value_of(b); }
bool less(const A& a, const B& b) { return value_of(a) < value_of(b); }
template <class S>
S select(bool which, const S& x, const S& y) {
  return which ? x : y;
}
inline bool known_zero(double x) { return x == 0.0; }  // of a recorded number: whether it is the constant 0

}  // namespace tappet
