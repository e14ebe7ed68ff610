// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <variant>

namespace tappet {

// A list of types, such as all joints or all schemes.
template <class... T>
struct List {};

template <class L>
struct OfList;
template <class... T>
struct OfList<List<T...>> {
  using Variant = std::variant<T...>;
  template <class F>
  static void each(F&& f) {
    (f.template operator()<T>(), ...);
  }
};
template <class L>
using VariantOf = typename OfList<L>::Variant;

template <class... A, class... B>
List<A..., B...> join(List<A...>, List<B...>);

// for_each<Joints>([]<class J>() { … })
template <class L, class F>
void for_each(F&& f) {
  OfList<L>::each(f);
}

}  // namespace tappet
