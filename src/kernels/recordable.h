// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/numbers.h"

namespace tappet::kernels {

// The element with numbers of another type.
template <class E, class D>
struct Rebound;
template <template <class> class E, class D>
struct Rebound<E<double>, D> {
  using Type = E<D>;
};
template <class E>
concept Recordable = requires(typename Rebound<E, Traced>::Type element, InputNumbers& v) {
  element.numbers(v);
};

}  // namespace tappet::kernels
