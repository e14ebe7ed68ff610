// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tuple>

#include "elements/lists.h"

namespace tappet {

// One Levels<E> for every element E of a list. Levels holds the addresses of function templates. An object of this type
// makes the compiler emit them for every element, so a new element needs only its line in the list.
template <template <class> class Levels, class L>
struct InstantiateList;
template <template <class> class Levels, class... E>
struct InstantiateList<Levels, List<E...>> {
  using Type = std::tuple<Levels<E>...>;
};
template <template <class> class Levels, class L>
using Instantiate = typename InstantiateList<Levels, L>::Type;

}  // namespace tappet
